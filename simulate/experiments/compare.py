"""Does a change matter? Two sides with their own options play the same games.

    simulate compare biathlon --a "" --b "--set range.lap_length=4" --n 50k

Both sides have the same seed and so the same blocks of dice; every number of the one is paired with
the same number of the other, block by block. The verdict on each has three states: the same within
a margin, different, or not enough games. With ``until`` the sides grow, looked at when they hold
1,024 x 2^i blocks and only then, until every headline measure is decided; the intervals then hold
at all looks together. With ``retune`` the styles of each side are tuned to its rules, and the sides
are compared once more: what the change does once the players have adapted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import session, store
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import adapting, arms, parting, sides
from simulate.experiments.folder import claim
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

if TYPE_CHECKING:
    from reports.experiments.adaptation import Adaptation
    from reports.experiments.alignment import Alignment
    from reports.experiments.comparison import Comparison
    from reports.experiments.margins import Margins

DEFAULT_GAMES = 20_000
DEFAULT_CAP = 1_000_000  # games a side with ``until``
TUNING_GAMES = 100_000  # games that a style is tuned with
FIRST_LOOK = 1024  # blocks
TUNED_FOR = 8 * FIRST_LOOK  # blocks at which the intervals of ``until`` are tightest

Side = str | Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Compared:
    """A finished comparison: where it lies, what it found."""

    folder: Path
    runs: dict[str, Run]
    comparison: Comparison

    @property
    def stopped(self) -> str:
        """Why it ended, "" where the number of games was asked for."""
        return self.comparison.stopped

    @property
    def adapted(self) -> Comparison | None:
        """The sides compared with styles that are tuned to each one's rules, None without."""
        told = self.comparison.adaptation
        return told.comparison if told is not None else None

    @property
    def frame(self) -> Any:
        """All differences as a Polars frame."""
        import polars as pl

        rows = [d.row() for d in self.comparison.found]
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def identical(self) -> bool:
        """Whether no game differs."""
        return self.comparison.identical


def compare(
    game: str,
    a: Side = "",
    b: Side = "",
    n: int | str = DEFAULT_GAMES,
    *,
    measures: Sequence[str] = (),
    margin: str | Sequence[str] = (),
    until: bool = False,
    max_n: int | str | None = None,
    retune: str | Sequence[str] = (),
    retune_n: int | str = TUNING_GAMES,
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Compared:
    """Play both sides and say what differs.

    ``a``, ``b``: plan options of a side, as a text (``--set key=value``) or as keyword arguments of
    ``Request``. ``options``: those that both sides share. ``retune``: styles that adapt to the rules
    of each side, with ``retune_n`` games each; the sides are then compared once more.
    """
    from reports.experiments import margins as read_margins

    show = progress_of(progress)
    options.setdefault("equal", False)
    asked = count(n)
    given = {"a": _own(a, "--a"), "b": _own(b, "--b")}
    plans = {name: _plan(game, own, asked, options) for name, own in given.items()}
    adapt, games = adapting.read(retune), count(retune_n, "--retune-n")
    adapting.check(plans if adapt else {}, adapt)
    wanted = _columns(plans["a"], measures)
    sizes = read_margins.read(margin, 0.01, 0.02, columns=arms.columns_of(plans["a"]))
    most = count(max_n, "--max-n") if max_n is not None else (DEFAULT_CAP if until else asked)
    shared = _shared(plans["a"], plans["b"])
    label = f"until-{short(most)}" if until else short(asked)
    label += f"-retune-{'-'.join(adapt)}-{short(games)}" if adapt else ""
    folder = Path(out) if out is not None else RUNS / f"{game}-compare-{label}-{_digest(plans)}"
    claim(folder, "compare", game)
    task = _Task(folder, plans, shared, wanted, sizes, (_text(a), _text(b)), show)
    how = {"jobs": jobs, "chunk": chunk, "backend": backend}
    most = most if until else 0
    done = task.play_any(asked, most, how)
    if adapt:
        options_of = {name: sides.laid_over(options, own) for name, own in given.items()}
        done = replace(done, adaptation=_adapted(task, adapt, games, options_of, asked, most, how))
    done = replace(done, alignment=_alignment(done))
    arms.save(folder, task.told(done))
    if report:
        from reports.experiments import comparison

        comparison.build(done, folder)
    return Compared(folder, {name: store.open_run(_home(folder, name)) for name in plans}, done)


def _own(side: Side, option: str) -> dict[str, Any]:
    """The options of a side alone."""
    return sides.parse(side, option) if isinstance(side, str) else dict(side)


def _plan(game: str, own: Mapping[str, Any], n: int, options: Mapping[str, Any]) -> Plan:
    """The plan of a side."""
    plan = Request(game, n, **sides.laid_over(options, own)).plan()
    if plan.records != "full":
        raise PlanError("compare looks at the sides block by block: it needs --records full.")
    return plan


def _text(side: Side) -> str:
    """A side's options in words."""
    return side.strip() if isinstance(side, str) else ", ".join(f"{k}={v}" for k, v in side.items())


def _home(folder: Path, name: str) -> Path:
    """Where a side's run lies."""
    return folder / "arms" / name


def _shared(a: Plan, b: Plan) -> bool:
    """Whether the sides can be paired: the same dice at tables of the same sizes."""
    return a.seed == b.seed and sorted(a.players) == sorted(b.players)


def _digest(plans: Mapping[str, Plan]) -> str:
    """A name for both plans together."""
    both = "".join(plan.digest for plan in plans.values())
    return hashlib.sha256(both.encode()).hexdigest()[:8]


def _columns(plan: Plan, asked: Sequence[str]) -> list[str]:
    """Columns asked for; PlanError for one that there is not."""
    from reports.experiments.margins import ALIASES

    names = [ALIASES.get(name, name) for name in asked]
    arms.check_columns(plan, names)
    return names


@dataclass(frozen=True, eq=False)
class _Task:
    """A comparison under way."""

    folder: Path
    plans: dict[str, Plan]
    shared: bool
    columns: list[str]
    margins: Margins
    texts: tuple[str, str]
    show: Silent

    def blocks(self, games: int) -> dict[str, int]:
        """Blocks of each side for so many games a side; the same for both where they are paired."""
        wanted = {name: -(-games // plan.k) for name, plan in self.plans.items()}
        least = min(wanted.values())
        return dict.fromkeys(wanted, least) if self.shared else wanted

    def play_any(self, games: int, most: int, how: Mapping[str, Any]) -> Comparison:
        """Both sides: with so many games, or until all is decided where ``most`` is above 0."""
        return self.play_until(most, how) if most else self.play(games, how)

    def play(self, games: int, how: Mapping[str, Any]) -> Comparison:
        """Both sides with a fixed number of games."""
        runs = self._play(self.blocks(games), how)
        return self._compare(runs, None, None, "")

    def play_until(self, most: int, how: Mapping[str, Any]) -> Comparison:
        """Both sides until every headline measure is decided."""
        last = self.blocks(most)
        looks = _looks(min(last.values()))
        for number, blocks in enumerate(looks):
            there = max(
                store.blocks_there(_home(self.folder, name), plan)
                for name, plan in self.plans.items()
            )
            final = number == len(looks) - 1
            if there > blocks and not final:
                continue  # the look that made it longer had decided to go on
            runs = self._play(dict.fromkeys(self.plans, blocks), how)
            done = self._compare(runs, (blocks, TUNED_FOR), blocks, "")
            open_ones = [d for d in done.headlines if d.state == "unknown"]
            games = max(blocks * plan.k for plan in self.plans.values())
            self.show.say(
                f"{games:,} games a side: {len(done.headlines) - len(open_ones)} of "
                f"{len(done.headlines)} headline measures are decided."
            )
            if not open_ones or final:
                break
        why = (
            f"every headline measure is decided after {games:,} games a side"
            if not open_ones
            else f"the cap of {most:,} games a side (--max-n) is reached with "
            f"{len(open_ones)} headline measures open"
        )
        self.show.say(f"Stopped: {why}.")
        done = self._compare(runs, (blocks, TUNED_FOR), blocks, why)
        from reports.experiments import differences

        found = differences.without_stopping(done.found, looks, blocks, TUNED_FOR)
        return replace(done, found=found)

    def _play(self, blocks: Mapping[str, int], how: Mapping[str, Any]) -> dict[str, Run]:
        """Both sides with so many blocks; a longer one that is there is finished as it is."""
        runs = {}
        for name, plan in self.plans.items():
            there = store.blocks_there(_home(self.folder, name), plan)
            wanted = plan.with_games(max(blocks[name], there) * plan.k)
            self.show.say(f"Side {name.upper()}: {blocks[name] * plan.k:,} games.")
            runs[name] = session.play(
                wanted, _home(self.folder, name), progress=self.show, longer=True, **how
            )
        return runs

    def _compare(
        self,
        runs: Mapping[str, Any],
        looks: tuple[int, int] | None,
        blocks: int | None,
        stopped: str,
    ) -> Comparison:
        """What both sides have in common, side by side."""
        from reports.experiments import comparison, differences, quantities

        first, other = (quantities.read(runs[name], self.columns, blocks) for name in ("a", "b"))
        if not self.shared:
            other = quantities.at_tables_of(other, first)
        other = quantities.at_lineup_of(other, runs["b"], runs["a"])
        equal = len({plan.digest for plan in self.plans.values()}) == 1
        found = differences.compare(
            first, other, self.margins, shared=self.shared, equal=equal, looks=looks
        )
        if not found:
            raise PlanError("The sides have no measure in common: their player counts differ.")
        return comparison.Comparison(
            runs["a"], runs["b"], *self.texts, found, self.margins, self.shared, looks, stopped
        )

    def told(self, done: Comparison) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "experiment": "compare",
            "game": done.a.plan.game,
            "a": self.texts[0],
            "b": self.texts[1],
            "seed": done.a.plan.seed,
            "n": {"a": done.a.plan.n, "b": done.b.plan.n},
            "arms": ["a", "b"],
            "paired": self.shared,
            "identical": done.identical,
            "margins": self.margins.words,
            "verdict": done.state,
            "pairing": done.pairing(),
            **({"parting": done.alignment.told()} if done.alignment is not None else {}),
            "stopped": done.stopped,
            "differences": [d.row() for d in done.found],
            "sizes": [size.row() for size in done.sizes],
            **({"adapted": done.adaptation.told()} if done.adaptation is not None else {}),
        }


def _adapted(
    task: _Task,
    names: Sequence[str],
    games: int,
    options: Mapping[str, Mapping[str, Any]],
    asked: int,
    most: int,
    how: Mapping[str, Any],
) -> Adaptation:
    """Tune the styles of each side to its rules, and compare the sides once more.

    ``options``: all plan options of each side.
    """
    from reports.experiments.adaptation import Adaptation, Style, under_first_names

    lineups, styles = {}, []
    for name, plan in task.plans.items():
        out = task.folder / "tuned"
        lineups[name], tuned = adapting.adapt(
            name, plan, names, games, out, options[name], progress=task.show, **how
        )
        styles += [Style(name, one.start, one.plays, one.tuned.tuning) for one in tuned]
    plans = {
        name: _plan(plan.game, {"lineup": [lineups[name]]}, plan.n, options[name])
        for name, plan in task.plans.items()
    }
    again = replace(task, folder=task.folder / "adapted", plans=plans)
    found = again.play_any(asked, most, how)
    return Adaptation(styles, lineups, under_first_names(found, styles))


def _alignment(done: Comparison) -> Alignment | None:
    """Where the games part, if game g of one side is game g of the other."""
    from reports.experiments import comparison
    from reports.experiments.alignment import Alignment

    if not done.same_games:
        return None
    a, b = done.a.plan, done.b.plan
    drawn = parting.sample(a, min(a.n, b.n))
    shown = [game_id for game_id, _ in comparison.apart(done)]
    return Alignment(parting.parted(a, b, drawn), parting.parted(a, b, shown))


def _looks(cap: int) -> list[int]:
    """Blocks at which growing sides are looked at; the last is the cap."""
    found = []
    blocks = FIRST_LOOK
    while blocks < cap:
        found.append(blocks)
        blocks *= 2
    return [*found, cap]
