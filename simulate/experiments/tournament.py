"""Which style is the strongest, and is there one at all? Everybody against everybody, in all seats.

    simulate tournament biathlon --n 100k
    simulate tournament biathlon --strategies pacer,finisher,drafter:dist=2,random

Each block of games draws its line-up from all styles and plays it in every rotation on the same
dice. Out come a matrix of who finishes ahead of whom, a strength for each style from the full
finishing orders, and the share of all differences that runs in circles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry, session, store
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms
from simulate.experiments.folder import claim
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run
from simulate.texts import as_list
from strategies.lineup import split_text

if TYPE_CHECKING:
    from reports.experiments.standings import Standings

DEFAULT_GAMES = 50_000
ARM = "games"


@dataclass(frozen=True, eq=False)
class Tournament:
    """A finished tournament: where it lies, the standings."""

    folder: Path
    run: Run
    standings: Standings

    @property
    def frame(self) -> Any:
        """A row a style, strongest first, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.standings.rows())

    @property
    def matrix(self) -> Any:
        """A row an ordered pair of styles, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.standings.matrix())


def tournament(
    game: str,
    n: int | str = DEFAULT_GAMES,
    *,
    strategies: str | Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Tournament:
    """Play a tournament. ``strategies``: who takes part, all of the book by default."""
    from reports.experiments import meetings, standings

    show = progress_of(progress)
    plan = pool_plan(game, count(n), _names(game, strategies, options), options)
    show.say(
        f"{len(plan.strategies)} styles, {plan.n:,} games: every line-up that is drawn plays all "
        "seats."
    )
    label = f"{game}-tournament-{short(count(n))}-{plan.digest[:8]}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "tournament", game)
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    played: Any = session.play(plan, folder / "arms" / ARM, progress=show, longer=True, **how)
    done = standings.Standings(played, tuple(meetings.read(played)))
    told = {"experiment": "tournament", "game": game, "arms": [ARM], **done.told()}
    arms.save(folder, told)
    if report:
        standings.build(done, folder)
    return Tournament(folder, store.open_run(folder / "arms" / ARM), done)


def _names(game: str, given: str | Sequence[str], options: dict[str, Any]) -> list[str]:
    """Who takes part, as line-up entries."""
    if options.get("lineup"):
        raise PlanError("A tournament has no line-up: name those who take part with --strategies.")
    names = [name for text in as_list(given) for name in split_text(text, ",") if name]
    if not names:
        names = registry.book(game, options.get("strategy_file")).names()
    if len(set(names)) < 2:
        raise PlanError("--strategies: a tournament needs at least two.")
    return list(dict.fromkeys(names))


def pool_plan(game: str, n: int, names: Sequence[str], options: dict[str, Any]) -> Plan:
    """Line-ups drawn from a pool, one text a player count."""
    facts = registry.game(game)
    pool = f"mix({'|'.join(names)})"
    lineup = [f"{pool}*{count}" for count in (*facts.players, *facts.test_players)]
    given = {**options, "lineup": lineup, "equal": False}
    plan = Request(game, n, **given).plan()
    if len(plan.rules) > 1:
        raise PlanError("A tournament takes one course, board or set-up.")
    if plan.records != "full":
        raise PlanError("A tournament reads finishing orders: it needs --records full.")
    if len(set(plan.pool)) < 2:
        raise PlanError("--strategies: a tournament needs at least two that differ.")
    return plan
