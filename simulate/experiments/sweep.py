"""What does a rule do over a range of values? All values in one run, on the same dice.

    simulate sweep biathlon --key range.lap_length --values 2,3,4,5
    simulate sweep biathlon --key stamina.levels --range 3:6:1 --target "win_rate:seat0=0.25"

Every point (a value, or a combination of values of several keys) is a rules row of one plan: each
block plays all points on the same dice, nothing is compiled twice, and the differences between
points are paired. ``--target`` finds the value that gives a measure a wanted value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import rules, session, store
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms, points
from simulate.experiments.folder import claim
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.rules import Rules
from simulate.store import Run

if TYPE_CHECKING:
    from reports.experiments.response import Response, Solution
    from reports.experiments.sweeps import Sweep

DEFAULT_GAMES = 10_000  # a point
ARM = "points"


@dataclass(frozen=True, eq=False)
class Swept:
    """A finished sweep: where it lies, the responses, the solutions."""

    folder: Path
    run: Run
    sweep: Sweep

    @property
    def frame(self) -> Any:
        """A row a point and measure, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.sweep.rows(), infer_schema_length=None)

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """Where the targets are met."""
        return self.sweep.solutions

    @property
    def responses(self) -> tuple[Response, ...]:
        """Every number over the points."""
        return self.sweep.responses


def sweep(
    game: str,
    keys: str | Sequence[str] | Mapping[str, Sequence[Any]],
    values: Sequence[str] = (),
    ranges: Sequence[str] = (),
    n: int | str = DEFAULT_GAMES,
    *,
    sobol: int | None = None,
    measures: Sequence[str] = (),
    margin: str | Sequence[str] = (),
    target: str | Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Swept:
    """Play all points and say how the game answers.

    ``keys``: ``"a.b=2,3"``, keys that take ``values`` or ``ranges`` in order, or a mapping of keys
    to their values. ``n``: games a point. ``sobol``: that many points instead of the whole grid.
    """
    from reports.experiments import margins, response

    show = progress_of(progress)
    options.setdefault("equal", False)
    wanted = [response.read_target(t) for t in ([target] if isinstance(target, str) else target)]
    found = _axes(keys, values, ranges, sobol is not None)
    base = _base(game, options)
    chosen = points.grid(found) if sobol is None else points.sobol(found, sobol, base.seed)
    if wanted and len(found) > 1:
        raise PlanError("--target needs one --key: with several, many combinations meet it.")
    if len(chosen) < 2:
        raise PlanError("A sweep needs at least two points.")
    plan = _plan(game, base.rules, chosen, count(n), options)
    columns = _columns(plan, measures)
    _columns(plan, [t.measure for t in wanted], "--target")
    response.check_seats(wanted, max(players for players, _, _ in plan.strata()))
    if wanted and response.as_numbers(chosen, [axis.key for axis in found]) is None:
        raise PlanError("--target needs a key whose values are numbers.")
    sizes = margins.read(margin, 0.01, 0.02, columns=arms.columns_of(plan))
    show.say(
        f"{len(chosen)} points with {plan.n // len(chosen):,} games each: {plan.n:,} games in all."
    )
    label = f"{game}-sweep-{short(count(n))}-{plan.digest[:8]}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "sweep", game)
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    run = session.play(plan, folder / "arms" / ARM, progress=show, longer=True, **how)
    done = _read(run, chosen, base, [axis.key for axis in found], columns, sizes, wanted)
    arms.save(folder, {"experiment": "sweep", "game": game, "arms": [ARM], **done.told()})
    if report:
        from reports.experiments import sweeps

        sweeps.build(done, folder)
    return Swept(folder, store.open_run(folder / "arms" / ARM), done)


def _axes(
    keys: Any, values: Sequence[str], ranges: Sequence[str], drawn: bool
) -> list[points.Axis]:
    """The keys and their values."""
    if isinstance(keys, Mapping):
        return [points.Axis(key, tuple(some)) for key, some in keys.items()]
    return points.axes([keys] if isinstance(keys, str) else keys, values, ranges, drawn)


@dataclass(frozen=True)
class _Base:
    rules: Rules
    seed: int


def _base(game: str, options: Mapping[str, Any]) -> _Base:
    """The rules that the points change, and the seed."""
    request = Request(game, 1, **options)
    plan = request.plan()
    resolved = request.resolved_rules(plan.seed)
    if len(resolved) > 1:
        raise PlanError("A sweep takes one course, board or set-up; sweep its key to try several.")
    return _Base(resolved[0], plan.seed)


def _plan(
    game: str, base: Rules, chosen: Sequence[points.Point], n: int, options: Mapping[str, Any]
) -> Plan:
    """One plan with a rules row a point; ``n`` games of each."""
    rows = [rules.with_overrides(base, point) for point in chosen]
    plan = Request(game, 1, rules_rows=rows, **options).plan()
    if plan.records != "full":
        raise PlanError("sweep looks at its points block by block: it needs --records full.")
    each = plan.k // len(chosen)
    return plan.with_games(-(-n // each) * plan.k)


def _columns(plan: Plan, asked: Sequence[str], option: str = "--measure") -> list[str]:
    """Columns asked for; PlanError for one that there is not."""
    from reports.experiments.margins import ALIASES

    names = list(dict.fromkeys(ALIASES.get(name, name) for name in asked))
    arms.check_columns(plan, names, option)
    return names


def _read(
    run: Any,
    chosen: Sequence[points.Point],
    base: _Base,
    keys: Sequence[str],
    columns: Sequence[str],
    sizes: Any,
    wanted: Sequence[Any],
) -> Sweep:
    """The responses of a run, and the targets met."""
    from reports.experiments import quantities, response, sweeps

    found = response.responses(quantities.read(run, columns), len(chosen))
    digests = [row["digest"] for row in run.rules]
    reference = digests.index(base.rules.digest) if base.rules.digest in digests else 0
    places = response.as_numbers(chosen, keys)
    solutions = []
    for target in wanted:
        assert places is not None, "asked before the games"
        for one in response.aimed_at(found, target):
            solutions.append(response.solve(one, places[:, 0].tolist(), target))
    return sweeps.Sweep(
        run=run,
        keys=tuple(keys),
        points=tuple(chosen),
        labels=tuple(points.label(point) for point in chosen),
        reference=reference,
        default=base.rules.digest in digests,
        places=places,
        responses=tuple(found),
        chosen=tuple(columns),
        margins=sizes,
        solutions=tuple(solutions),
    )
