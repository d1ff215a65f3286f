"""Luck or skill? The same games with one source of chance after the other renewed.

    simulate luck biathlon --n 10k
    simulate luck runs/biathlon-1M-0c4e9f21

A game offers treatments that renew one source of chance each: other race dice, another shuffle,
other weather. An arm plays all games with a set of sources renewed and the others kept; pairs of
arms then share every set of sources, and what pairs have in common is what the shared sources
decide. Out comes a ledger: how much of all differences between outcomes comes from the style of
play, the seat, each source of chance. Given a run folder, the ledger is that run's, lies in it as
``luck/``, and stands in the run's report from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry, store
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms
from simulate.experiments.folder import claim
from simulate.plan import TARGETS, Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

if TYPE_CHECKING:
    from reports.experiments.ledger import Entry, Source

DEFAULT_GAMES = 10_000
MEASURES = ("win_share", "rank")
DRAWN = "drawn"  # the arm in which nothing is renewed
FOLDER = "luck"  # of a run


@dataclass(frozen=True, eq=False)
class Luck:
    """A finished ledger: where it lies, what it found."""

    folder: Path
    entries: tuple[Entry, ...]
    sources: tuple[Source, ...]
    runs: dict[str, Run]

    @property
    def frame(self) -> Any:
        """A row a cause, measure and kind of games, as a Polars frame."""
        import polars as pl

        rows = [row for entry in self.entries for row in entry.rows()]
        return pl.DataFrame(rows, infer_schema_length=None)


def luck(
    what: str | Path,
    n: int | str = DEFAULT_GAMES,
    *,
    measures: Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Luck:
    """Play a luck ledger. ``what``: a game, or a run folder; ``options``: those of ``Request``."""
    from reports import variance
    from reports.experiments import ledger
    from reports.experiments import luck as page

    show = progress_of(progress)
    asked = count(n)
    of_run = (Path(what) / store.RUN_FILE).is_file()
    base = _of_run(Path(what), asked, options) if of_run else _of_game(str(what), asked, options)
    sources = _sources(base.game)
    wanted = _measures(base, measures)
    label = f"{base.game}-luck-{short(asked)}-{base.digest[:8]}"
    folder = Path(out) if out is not None else (Path(what) / FOLDER if of_run else RUNS / label)
    claim(folder, "luck", base.game)
    renewed = variance.design(len(sources))
    names = {bits: _name(bits, sources) for bits in renewed}
    show.say(
        f"{len(renewed)} arms of {base.n:,} games: {len(sources)} sources of chance, kept and "
        "renewed in turn."
    )
    asked_arms = [arms.Arm(names[bits], _arm(base, bits, sources)) for bits in renewed]
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    runs = arms.play_arms(asked_arms, folder, show, **how)
    by_bits: dict[int, Any] = {bits: runs[names[bits]] for bits in renewed}
    entries = tuple(ledger.read(by_bits, sources, wanted))
    told = {
        "experiment": "luck",
        "game": base.game,
        "seed": base.seed,
        "n": base.n,
        "of": store.open_run(what).plan.digest if of_run else "",
        "lineup": base.lineup,
        "arms": [arm.name for arm in asked_arms],
        "sources": [source.name for source in sources],
        "ledger": [row for entry in entries for row in entry.rows()],
        "combined": [
            {
                "games": entry.stratum,
                "measure": entry.measure,
                **ledger.spread("share", entry.split.combined),
                **ledger.spread("variance", entry.split.variance),
                **ledger.spread("index", entry.split.index),
            }
            for entry in entries
        ],
    }
    arms.save(folder, told)
    if report:
        page.build(by_bits[0], entries, folder)
        if of_run:
            store.open_run(what).report()
    return Luck(folder, entries, tuple(sources), runs)


# ---------------------------------------------------------------- what is played


def _of_game(game: str, n: int, options: dict[str, Any]) -> Plan:
    """The plan of a game, one seat of each block marked."""
    given = {**options, "equal": False, "target": "random"}
    return _checked(Request(game, n, **given).plan())


def _of_run(folder: Path, n: int, options: dict[str, Any]) -> Plan:
    """The plan of a run without its cells of equal strategies."""
    given = [name for name, value in options.items() if value and name not in _OF_ALL]
    if given:
        raise PlanError(
            f"A run has its options already: leave out --{given[0].replace('_', '-')}, or give a "
            "game instead of the run."
        )
    plan = store.open_run(folder).plan
    if plan.treatment:
        raise PlanError(f"{folder} was played under a treatment; give a run without one.")
    cells = tuple(cell for cell in plan.cells if not cell.equal)
    games = -(-n // len(cells)) * len(cells)
    return _checked(replace(plan, cells=cells, n=games, records="full", target=TARGETS["random"]))


_OF_ALL = ("seed", "seating")  # always given by the command line


def _checked(plan: Plan) -> Plan:
    """PlanError where style and seat cannot be told apart, or rows are not kept."""
    if plan.seating != "rotate":
        raise PlanError("luck needs --seating rotate: else style and seat cannot be told apart.")
    if plan.records != "full":
        raise PlanError("luck compares the arms game by game: it needs --records full.")
    return plan


def _sources(game: str) -> list[Source]:
    """Sources of chance that the game's treatments can renew."""
    from reports.experiments.ledger import Source

    hooks = registry.game(game).module("words").TREATMENTS
    found = [Source(h.name, h.source, h.of_table) for h in hooks if h.source]
    if not found:
        raise PlanError(f"{game} names no source of chance: none of its treatments renews one.")
    return found


def _name(renewed: int, sources: Sequence[Source]) -> str:
    """Name of an arm."""
    hooks = [source.hook for bit, source in enumerate(sources) if renewed >> bit & 1]
    return "+".join(hooks) or DRAWN


def _arm(base: Plan, renewed: int, sources: Sequence[Source]) -> Plan:
    """The plan with a set of sources renewed."""
    fields: dict[str, int] = {}
    hooks = {hook.name: hook for hook in registry.game(base.game).module("words").TREATMENTS}
    for bit, source in enumerate(sources):
        if renewed >> bit & 1:
            fields |= dict(hooks[source.hook].fields)
    return replace(base, treatment=fields)


def _measures(plan: Plan, asked: Sequence[str]) -> list[str]:
    """Seat columns to split; PlanError for one that there is not."""
    known = arms.numeric_columns(plan)[1]
    for name in asked:
        if name not in known:
            raise PlanError(f"--measure: there is no '{name}'. Measures: {', '.join(known)}.")
    return list(asked) or list(MEASURES)
