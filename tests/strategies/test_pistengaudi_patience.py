"""Planning strategies do not sit for ever where the rules let a game end."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import jit
from simulate.batch import play_blocks
from simulate.request import Request
from simulate.tables import buffers, tables
from strategies.pistengaudi import BOOK

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs the speed of compiled code")

GAMES = 800


def stopped(players: int, changes: str = "") -> float:
    """Share of games of the default line-up that the limit of rounds stops."""
    line = ",".join(name + changes for name in BOOK.default_lineup[players].split(","))
    plan = Request("pistengaudi", GAMES, players=players, lineup=line, equal=False).plan()
    table = tables(plan)
    scratch = buffers(table, plan.blocks)
    tally = np.zeros(plan.k, dtype=table.engine.state.TALLY)
    play_blocks(plan, table, scratch, 0, plan.blocks, tally)
    return float(scratch.game_rows["truncated"][: plan.n].mean())


@pytest.mark.parametrize("players", [2, 4, 6])
def test_few_games_are_stopped_by_the_limit(players: int) -> None:
    """Without patience figures groom each other back up until the limit."""
    assert stopped(players) < 0.02
    assert stopped(players, ":patience=0") > 0.03
