"""Which numbers of a strategy play these rules best, and how much better are they really?

    simulate tune biathlon --strategy pacer --n 200k
    simulate tune biathlon --strategy pacer --set range.lap_length=4 --params stam,aim=0:3

A style with fixed numbers cannot use a changed rule, so the change looks worthless. Here a
strategy's numbers are searched under the rules given: candidates over the ranges and around the
start race on the same dice, then candidates around the best of these. The winner, best of many and
so also lucky, is played once more against the start, on seeds of which the search knows nothing.
Only that is told as its merit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry, session
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms, candidates, racing, versions
from simulate.experiments.candidates import Axis, Values
from simulate.experiments.folder import claim
from simulate.progress import Silent
from simulate.store import Run
from strategies.book import Book, Strategy
from strategies.lineup import Instance

if TYPE_CHECKING:
    from reports.experiments.margins import Margins
    from reports.experiments.races import Heat
    from reports.experiments.tuning import Tuning

DEFAULT_GAMES = 100_000
DEFAULT_CANDIDATES = 64
MOST_CANDIDATES = 512
PARENTS = 3  # best of the first search that the second begins from
CONFIRM = 3  # one game in so many is kept for the confirmation
LEAST_BLOCKS = 8  # of a heat
LEAST_CONFIRMED = 64  # blocks of the confirmation: verdicts need some clusters
ARM = "confirm"


@dataclass(frozen=True, eq=False)
class Tuned:
    """A finished search: where it lies, what was found and confirmed."""

    folder: Path
    runs: dict[str, Run]
    tuning: Tuning

    @property
    def strategy(self) -> str:
        """The tuned strategy as a line-up entry."""
        return self.tuning.winner

    @property
    def lineup(self) -> str:
        """The whole line-up with the tuned strategy, for other commands."""
        return self.tuning.lineup

    @property
    def better(self) -> bool:
        """Whether the confirmation shows that it is better by more than the margin."""
        return self.tuning.verdict == "better"

    @property
    def frame(self) -> Any:
        """A row a version and heat, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.tuning.rows(), infer_schema_length=None)


def tune(
    game: str,
    strategy: str,
    n: int | str = DEFAULT_GAMES,
    *,
    against: str = "",
    params: str | Sequence[str] = (),
    candidates: int = DEFAULT_CANDIDATES,
    measure: str = "win_share",
    margin: str | Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Tuned:
    """Search a strategy's numbers with ``n`` games in all, and confirm the best on fresh seeds.

    ``strategy``: where the search starts, a name or ``name:param=value``. ``against``: who else
    sits at the table. ``params``: numbers to tune, with ranges where wanted (``stam,aim=0:3``).
    ``measure``: what shall be better. ``options``: those of ``Request``, without a line-up.
    """
    from reports.experiments import margins, tuning
    from reports.experiments.races import BETTER

    show = progress_of(progress)
    search = _asked(game, strategy, count(n), against, params, candidates, measure, options)
    sizes = margins.read(margin, 0.01, 0.02, columns=tuple(BETTER))
    folder = Path(out) if out is not None else RUNS / search.label
    claim(folder, "tune", game)
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    task = _Task(search, folder, show, how)
    heats = task.race()
    winner = racing.leaders(heats[-1].values(), 1, search.more)[0]
    final = task.confirm(winner)
    done = _told(search, heats, winner, task.values[winner], final, sizes, task.runs[ARM])
    told = {"experiment": "tune", "game": game, "arms": list(task.runs), **done.told()}
    arms.save(folder, told)
    if report:
        tuning.build(done, folder)
    return Tuned(folder, task.runs, done)


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True)
class _Search:
    """Everything that decides what is searched."""

    book: Book
    strategy: Strategy
    start: Instance
    axes: list[Axis]
    table: versions.Table
    games: int
    candidates: int
    measure: str

    @property
    def more(self) -> bool:
        """Whether more of the measure is better."""
        from reports.experiments.races import BETTER

        return BETTER[self.measure] > 0

    @property
    def seed(self) -> int:
        """The user's seed."""
        return self.table.base.seed

    @property
    def values(self) -> Values:
        """The numbers that the search starts from."""
        names = (p.name for p in self.strategy.params)
        return dict(zip(names, self.start.values, strict=True))

    @property
    def label(self) -> str:
        """A name for the folder: the same search finds it again."""
        ranges = [(a.name, a.low, a.high, a.whole) for a in self.axes]
        plan = self.table.plan([self.start], self.seed, 1)
        text = f"{plan.digest} {ranges} {self.games} {self.candidates} {self.measure}"
        mark = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"{plan.game}-tune-{self.strategy.name}-{short(self.games)}-{mark}"

    def instance(self, values: Values) -> Instance:
        """A candidate as somebody who plays."""
        return versions.version(self.book, candidates.text(self.strategy, values))[1]


def _asked(
    game: str,
    strategy: str,
    games: int,
    against: str,
    params: str | Sequence[str],
    number: int,
    measure: str,
    options: Mapping[str, Any],
) -> _Search:
    """The search; UserError where something cannot be used."""
    from reports.experiments.margins import ALIASES
    from reports.experiments.races import BETTER

    measure = ALIASES.get(measure, measure)
    if measure not in BETTER:
        raise PlanError(f"--measure: '{measure}' is not one of {', '.join(BETTER)}.")
    if not 2 <= number <= MOST_CANDIDATES:
        raise PlanError(f"--candidates: {number} is out of bounds, 2 to {MOST_CANDIDATES}.")
    book: Book = registry.book(game, options.get("strategy_file"))
    own, start = versions.version(book, strategy)
    values = {p.name: v for p, v in zip(own.params, start.values, strict=True)}
    axes = candidates.axes(own, values, params)
    start = versions.version(book, candidates.text(own, values))[1]
    table = versions.table(game, book, start, against, options)
    return _Search(book, own, start, axes, table, games, number, measure)


# ---------------------------------------------------------------- the race


class _Task:
    """A search under way."""

    def __init__(self, search: _Search, folder: Path, show: Silent, how: Mapping[str, Any]) -> None:
        self.search, self.folder, self.show, self.how = search, folder, show, how
        self.runs: dict[str, Run] = {}
        self.values: dict[str, Values] = {search.start.label: search.values}

    def race(self) -> list[Heat]:
        """Both searches: over the ranges, and around the best of the first."""
        s = self.search
        sizes = racing.heats(s.candidates)
        new = max(2, s.candidates // 2)
        again = racing.heats(min(PARENTS, s.candidates) + new)
        # The first search ends a heat early: its last three go on into the second one anyway.
        first = sizes[:-1] or sizes
        games = (s.games - s.games // CONFIRM) // (len(first) + len(again))
        entrants = self._enter(candidates.first(s.values, s.axes, s.candidates, s.seed))
        if not entrants:
            raise PlanError("--params: the ranges hold nothing but the start.")
        heats = self._run(1, entrants, first, games, 0)
        parents = racing.leaders(heats[-1].values(), PARENTS, s.more)
        born = candidates.second([self.values[p] for p in parents], s.axes, new, s.seed)
        return heats + self._run(2, [*parents, *self._enter(born)], again, games, len(heats))

    def _enter(self, made: Sequence[Values]) -> list[str]:
        """Candidates under their line-up texts; one that is known already does not enter again."""
        entered = []
        for values in made:
            label = self.search.instance(values).label
            if label not in self.values:
                self.values[label] = values
                entered.append(label)
        return entered

    def _run(
        self, number: int, entrants: Sequence[str], sizes: Sequence[int], games: int, before: int
    ) -> list[Heat]:
        """The heats of one search, on one fresh seed after the other."""
        from reports.experiments import races

        heats: list[Heat] = []
        running = list(entrants)
        for size in sizes:
            running = (
                racing.leaders(heats[-1].values(), size, self.search.more) if heats else running
            )
            heat = before + len(heats) + 1
            names = [self.search.start.label, *running]
            blocks = self.search.table.blocks(games, len(names), LEAST_BLOCKS)
            found = self._play(f"heat{heat}", names, heat - 1, blocks)
            if heats:
                found = races.together(heats[-1].found, found)
            each = blocks * len(self.search.table.rotations)
            heats.append(races.Heat(f"heat{heat}", heat, number, each, found))
        return heats

    def confirm(self, winner: str) -> dict[str, Any]:
        """The start and the winner once more, on a seed that nothing was picked on."""
        s = self.search
        blocks = s.table.blocks(s.games // CONFIRM, 2, LEAST_CONFIRMED)
        return self._play(ARM, [s.start.label, winner], len(self.runs), blocks)

    def _play(self, name: str, names: Sequence[str], fresh: int, blocks: int) -> dict[str, Any]:
        """Some versions on a seed of their own; the measure of each."""
        from reports.experiments import races

        s = self.search
        seed = racing.fresh_seed(s.seed, fresh)
        plan = s.table.plan([s.instance(self.values[one]) for one in names], seed, blocks)
        self.show.say(f"{name}: {len(names)} versions, {plan.n:,} games.")
        home = self.folder / "arms" / name
        run: Any = session.play(plan, home, progress=self.show, longer=True, **self.how)
        self.runs[name] = run
        return races.read(run, s.measure, names)


def _told(
    search: _Search,
    heats: Sequence[Heat],
    winner: str,
    tuned: Values,
    final: Mapping[str, Any],
    sizes: Margins,
    run: Any,
) -> Tuning:
    """What was found."""
    from reports.experiments import tuning

    return tuning.Tuning(
        run=run,
        start=search.start.label,
        winner=winner,
        lineup=search.table.lineup(winner),
        others=search.table.text,
        measure=search.measure,
        seed=search.seed,
        numbers=tuple(
            tuning.Number(
                axis.name, axis.param.meaning, search.values[axis.name], tuned[axis.name],
                axis.low, axis.high,
            )
            for axis in search.axes
        ),
        heats=tuple(heats),
        final=final,
        margins=sizes,
    )  # fmt: skip
