"""The same games with and without a treatment, for the tests of treatments."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from simulate import registry
from simulate.batch import play_blocks
from simulate.experiments.arms import treated
from simulate.hooks import find
from simulate.replay import Replay
from simulate.request import Request
from simulate.tables import buffers, tables

SEAT = 1  # the seat that is treated


class Laboratory:
    """Games of one line-up at fixed seats, with a treatment ("name" or "name=value") or without."""

    def __init__(self, game: str, lineup: str, games: int = 160) -> None:
        self.game, self.lineup, self.games = game, lineup, games
        self.engine = registry.load(game)
        self.hooks = {hook.name: hook for hook in self.engine.words.TREATMENTS}

    @lru_cache
    def plan(self, hook: str = "", target: int = SEAT, players: int = 4) -> Any:
        """A plan with a treatment on a seat, "" for none."""
        lineup = self.lineup if players == 4 else self.lineup.split(",", maxsplit=1)[0]
        plan = Request(
            self.game, self.games, players=players, lineup=lineup, seating="fixed", equal=False
        ).plan()
        return self.with_hook(plan, hook, target)

    def with_hook(self, plan: Any, hook: str, target: int = SEAT) -> Any:
        """The same plan with a treatment."""
        hooks = self.engine.words.TREATMENTS
        return treated(plan, find(hooks, hook)[1], target) if hook else plan

    @lru_cache
    def rows(self, hook: str = "", target: int = SEAT, players: int = 4) -> tuple[Any, Any]:
        """Games and seats of all games; seats by (game, seat)."""
        plan = self.plan(hook, target, players)
        table = tables(plan)
        made = buffers(table, plan.blocks)
        tally = np.zeros(plan.k, dtype=self.engine.state.TALLY)
        play_blocks(plan, table, made, 0, plan.blocks, tally)
        return made.game_rows, made.seat_rows.reshape(plan.n, -1)

    @lru_cache
    def told(self, hook: str, game_id: int, players: int = 4) -> list[dict[str, Any]]:
        """Events of one game, without the line that says what is played."""
        events = Replay(self.plan(hook, SEAT, players), game_id).play().events
        return list(events[1:])

    def seat(self, hook: str, column: str) -> Any:
        """A seats column of the treated seat, in all games."""
        return self.rows(hook)[1][:, SEAT][column]

    def changed(self, hook: str, game_id: int) -> tuple[list[Any], Any, Any]:
        """What both games have in common, then the first event with and the first without."""
        one, other = self.told(hook, game_id), self.told("", game_id)
        common = []
        for here, there in zip(one, other, strict=False):
            if here != there:
                return common, here, there
            common.append(here)
        return common, None, None


@lru_cache
def _laboratory(game: str, lineup: str, games: int) -> Laboratory:
    return Laboratory(game, lineup, games)


@pytest.fixture(scope="session")
def laboratory() -> Callable[..., Laboratory]:
    """Laboratory of a game and a line-up; the same one for all tests."""
    return lambda game, lineup, games=160: _laboratory(game, lineup, games)
