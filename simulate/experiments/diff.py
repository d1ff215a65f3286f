"""Which facts changed between two runs of a game? For a rules edit, a new version, a new seed.

    simulate diff runs/before runs/after --threshold 0.5pp

Every number of both runs is compared: win shares by seat, strategy and every word column, lengths,
the mean of every numeric column. A fact has changed when it surely lies beyond the threshold, false
discoveries held at 5 % over all facts. Runs with the same seed share their dice and are paired by
block. Exit code 0: nothing changed, 1: something did, 2: the runs cannot be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import store
from simulate.errors import PlanError, StoreError
from simulate.experiments import arms
from simulate.experiments.folder import claim
from simulate.plan import Plan
from simulate.store import Run
from simulate.verify import damaged_files

if TYPE_CHECKING:
    from reports.experiments.comparison import Comparison

SHARE, RELATIVE = 0.005, 0.01  # the threshold when none is given


@dataclass(frozen=True, eq=False)
class Diffed:
    """Two runs beside each other."""

    comparison: Comparison
    context: tuple[str, ...]  # in what the runs differ by design

    @property
    def changed(self) -> list[Any]:
        """Facts that surely changed by more than the threshold."""
        return [d for d in self.comparison.found if d.state == "unfair"]

    @property
    def open(self) -> list[Any]:
        """Facts of which the runs cannot tell."""
        return [d for d in self.comparison.found if d.state == "unknown"]

    @property
    def frame(self) -> Any:
        """All facts as a Polars frame."""
        import polars as pl

        rows = [d.row() for d in self.comparison.found]
        return pl.DataFrame(rows, infer_schema_length=None)

    def told(self) -> dict[str, Any]:
        """Everything as plain data."""
        done = self.comparison
        return {
            "experiment": "diff",
            "game": done.a.plan.game,
            "a": done.text_a,
            "b": done.text_b,
            "n": {"a": done.a.plan.n, "b": done.b.plan.n},
            "paired": done.shared,
            "identical": done.identical,
            "threshold": done.margins.words,
            "context": list(self.context),
            "changed": [d.row() for d in self.changed],
            "same": len(done.found) - len(self.changed) - len(self.open),
            "not_enough_games": len(self.open),
            "facts": [d.row() for d in done.found],
        }


def diff(
    a: str | Path | Run,
    b: str | Path | Run,
    *,
    threshold: str | Sequence[str] = (),
    measures: Sequence[str] = (),
    out: str | Path | None = None,
) -> Diffed:
    """Compare two finished runs of one game. ``out``: write a page about it into this folder."""
    from reports.experiments import comparison, differences, margins, quantities

    runs: list[Any] = [_usable(one) for one in (a, b)]
    first, other = runs
    if first.plan.game != other.plan.game:
        raise StoreError(
            f"{first.path} is a run of {first.plan.game}, {other.path} one of {other.plan.game}."
        )
    sizes = margins.read(threshold, SHARE, RELATIVE, "--threshold", quantities.names(first))
    shared = first.plan.seed == other.plan.seed and set(first.plan.players) == set(
        other.plan.players
    )
    wanted = [margins.ALIASES.get(name, name) for name in measures]
    unknown = [name for name in wanted if name not in quantities.names(first)]
    if unknown:
        known = ", ".join(quantities.names(first))
        raise PlanError(f"--measure: there is no '{unknown[0]}'. Measures: {known}.")
    read = [quantities.read(run, wanted, words=not wanted) for run in runs]
    found = differences.compare(
        read[0],
        quantities.at_courses_of(read[1], read[0]),
        sizes,
        shared=shared,
        equal=_same_games(first.plan, other.plan),
    )
    if not found:
        raise StoreError(
            f"{first.path} and {other.path} have no kind of games in common "
            "(player counts, courses)."
        )
    names = [str(run.path) for run in runs]
    beside = comparison.Comparison(
        first, other, names[0], names[1], found, sizes, shared, None, "", (names[0], names[1])
    )
    done = Diffed(beside, tuple(_context(first, other)))
    if out is not None:
        claim(Path(out), "diff", first.plan.game)
        Path(out).mkdir(parents=True, exist_ok=True)
        arms.save(Path(out), done.told())
        comparison.build(beside, Path(out))
    return done


def _same_games(a: Plan, b: Plan) -> bool:
    """Whether both played the same games, whatever they kept of them."""
    return a.n == b.n and replace(a, records=b.records).digest == b.digest


def _usable(given: str | Path | Run) -> Run:
    """A run that is there, finished and undamaged; StoreError otherwise."""
    run = given if isinstance(given, Run) else store.open_run(given)
    if not run.complete:
        raise StoreError(
            f"{run.path} is not finished ({len(run.shards)} of {run.plan.shards} shards); the "
            "command that made it goes on."
        )
    problems = damaged_files(run)
    if problems:
        raise StoreError(f"{run.path} is damaged: {problems[0]}")
    return run


def _context(a: Run, b: Run) -> list[str]:
    """In what the runs differ by design: rules, engine, line-up, seed, games."""
    one, other = a.plan, b.plan
    lines = []
    if one.engine != other.engine:
        lines.append(f"engine: {one.engine[:12]} against {other.engine[:12]}")
    if one.rules_version != other.rules_version:
        lines.append(f"rules version: {one.rules_version} against {other.rules_version}")
    lines += _rules(a, b)
    for name in ("lineup", "seating", "seed", "n", "treatment"):
        before, after = getattr(one, name), getattr(other, name)
        if before != after:
            lines.append(f"{name}: {before} against {after}")
    return lines


def _rules(a: Run, b: Run) -> list[str]:
    """Rules in which the runs differ."""
    tables = [
        {
            (number, row["key"]): row["value"]
            for number, rules in enumerate(run.rules)
            for row in rules["provenance"]["rows"]
        }
        for run in (a, b)
    ]
    keys = dict.fromkeys([*tables[0], *tables[1]])
    lines = []
    for key in keys:
        before, after = (table.get(key) for table in tables)
        if before != after:
            lines.append(f"{key[1]}: {before} against {after}")
    return list(dict.fromkeys(lines))
