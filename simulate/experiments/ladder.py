"""How much room for skill is there? One strategy that errs less and less, rung by rung.

    simulate tournament biathlon --ladder
    simulate tournament skull_canyon --ladder --strategies all_rounder --players 2

The lowest rung plays at random, the highest is a strategy as it is; between them stands the same
strategy with noise on its scores (its parameter ``temperature``), halved from rung to rung. A short
trial on another seed finds the temperatures that matter. Then each rung sits at one table with the
next ones, in every rotation, on the same dice at all tables, and strengths say how far apart the
rungs really are: by what was measured, not by their names. Half as many games again are played among
equals, rung by rung: what is found among the strong need not hold among the weak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry, session
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms
from simulate.experiments.folder import claim
from simulate.experiments.racing import fresh_seed
from simulate.experiments.tournament import DEFAULT_GAMES, pool_plan
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run
from strategies.book import Book

if TYPE_CHECKING:
    from reports.experiments.rungs import Rungs

RANDOM = "random"  # in every book
NOISE = "temperature"  # the parameter that makes a strategy err
HALVINGS = 10  # temperatures tried: the highest that the book allows, and half of it so often
TRIAL_GAMES = 2000
TRIAL = "trial"  # the arm that finds the range
MOST_ALIKE = 6  # rungs that also play among equals
ALIKE = 2  # one game in so many beside those of the ladder goes to equals


@dataclass(frozen=True, eq=False)
class Ladder:
    """A finished ladder: where it lies, what it found."""

    folder: Path
    runs: dict[str, Run]
    rungs: Rungs

    @property
    def frame(self) -> Any:
        """A row a rung, the lowest first, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.rungs.rows())

    @property
    def depth(self) -> Any:
        """Steps of skill between the lowest and the highest rung: an ``Estimate``."""
        return self.rungs.meetings.depth


def ladder(
    game: str,
    strategy: str = "",
    n: int | str = DEFAULT_GAMES,
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Ladder:
    """Play a ladder of ``n`` games. ``strategy``: its highest rung, as in a line-up."""
    from reports.experiments import by_skill, margins, meetings, rungs

    show = progress_of(progress)
    asked = count(n)
    book = registry.book(game, options.get("strategy_file"))
    top = strategy or _first(game, book)
    entries = _entries(book, top)
    trial = _trial(game, min(asked, TRIAL_GAMES), list(entries), options)
    label = f"{game}-ladder-{short(asked)}-{_digest(trial, asked)}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "ladder", game)
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    show.say(f"A trial of {trial.n:,} games finds the range of the noise.")
    tried: Any = session.play(trial, folder / "arms" / TRIAL, progress=show, longer=True, **how)
    found = meetings.read(tried)[0]
    noise = dict(zip(found.names, entries.values(), strict=True))
    names = rungs.useful(found, list(noise))
    texts = dict(zip(found.names, entries, strict=True))
    tables = _tables(game, asked, [texts[name] for name in names], trial.players[0], options)
    show.say(f"{len(names)} rungs at {len(tables)} tables, {tables[0].plan.n:,} games each.")
    runs = arms.play_arms(tables, folder, show, **how)
    played: list[Any] = list(runs.values())
    joined = meetings.joined([meetings.read(run)[0] for run in played], names)
    done = rungs.Rungs(played[0], joined, tuple(noise[name] for name in names), trial.n)
    chosen = _spread(done.order, MOST_ALIKE)
    equals = _equals(game, asked, [texts[names[i]] for i in chosen], trial.players[0], options)
    show.say(f"{len(equals)} rungs among equals, {equals[0].plan.n:,} games each.")
    alike = arms.play_arms(equals, folder, show, **how)
    found_by: Any = tuple(alike.values())
    sizes = margins.read((), share=0.01, relative=0.02)
    done = replace(
        done, by_skill=by_skill.BySkill(tuple(done.plays(i) for i in chosen), found_by, sizes)
    )
    runs = {**runs, **alike}
    told = {
        "experiment": "ladder",
        "game": game,
        "strategy": top,
        "arms": [TRIAL, *runs],
        **done.told(),
    }
    arms.save(folder, told)
    if report:
        rungs.build(done, folder)
    return Ladder(folder, {TRIAL: tried, **runs}, done)


def _first(game: str, book: Book) -> str:
    """The first strategy of the default line-up that can be made to err."""
    usual = book.default_lineup.get(registry.game(game).default_players, "")
    in_order = [entry.partition("*")[0] for entry in usual.split(",")] + book.names()
    for entry in in_order:
        one = book.get(entry.partition(":")[0])
        if one is not None and any(param.name == NOISE for param in one.params):
            return entry
    raise PlanError(f"No strategy of {game} has a parameter '{NOISE}', so there is no ladder.")


def _entries(book: Book, top: str) -> dict[str, float]:
    """Line-up entries and their temperatures, from random play down to no noise."""
    name, *settings = top.split(":")
    one = book.get(name)
    if one is not None and not any(param.name == NOISE for param in one.params):
        known = [s.name for s in book.strategies if any(p.name == NOISE for p in s.params)]
        raise PlanError(
            f"--ladder: '{name}' has no parameter '{NOISE}' that makes it err. "
            f"Strategies that have: {', '.join(known) or 'none'}."
        )
    if any(setting.partition("=")[0].strip() == NOISE for setting in settings):
        raise PlanError(f"--ladder sets the {NOISE} itself: leave it out of '{top}'.")
    highest = next((p.high for p in one.params if p.name == NOISE), 1.0) if one else 1.0
    noisy = {f"{top}:{NOISE}={t!r}": t for t in (highest / 2**i for i in range(HALVINGS + 1))}
    return {RANDOM: float("inf"), **noisy, top: 0.0}


def _trial(game: str, n: int, entries: Sequence[str], options: dict[str, Any]) -> Plan:
    """All temperatures at drawn tables, on another seed than the ladder itself."""
    given = {**options, "seed": fresh_seed(int(options.get("seed", 1)))}
    plan = pool_plan(game, n, entries, given)
    if len(plan.players) > 1:
        raise PlanError("A ladder takes one player count: give one with --players.")
    if plan.players[0] < 2:
        raise PlanError("A ladder needs at least two players.")
    return plan


def _tables(
    game: str, n: int, entries: Sequence[str], players: int, options: dict[str, Any]
) -> list[arms.Arm]:
    """Each rung with the next ones: as many neighbours as there are seats, sharing the games."""
    windows = max(len(entries) - players + 1, 1)
    made = []
    for first in range(windows):
        seated = [entries[(first + i) % len(entries)] for i in range(players)]
        given = {**options, "lineup": [",".join(seated)], "equal": False}
        plan = Request(game, -(-n // windows), **given).plan()
        made.append(arms.Arm(f"rung-{first + 1}", plan))
    return made


def _spread(order: Sequence[int], most: int) -> list[int]:
    """At most so many rungs, both ends among them, from the weakest to the strongest."""
    if len(order) <= most:
        return list(order)
    return [order[round(i * (len(order) - 1) / (most - 1))] for i in range(most)]


def _equals(
    game: str, n: int, entries: Sequence[str], players: int, options: dict[str, Any]
) -> list[arms.Arm]:
    """Each rung on every seat of its own table, all on the same dice."""
    made = []
    for number, entry in enumerate(entries, start=1):
        given = {**options, "players": players, "lineup": [entry], "equal": False}
        plan = Request(game, -(-n // (ALIKE * len(entries))), **given).plan()
        made.append(arms.Arm(f"equals-{number}", plan))
    return made


def _digest(trial: Plan, games: int) -> str:
    """A name for what is asked."""
    import hashlib

    return hashlib.sha256(f"{trial.digest}/{games}".encode()).hexdigest()[:8]
