"""Whole games of a plan, as a run plays them, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulate.batch import piece_blocks, play_blocks
from simulate.plan import Plan
from simulate.tables import buffers, tables


def pieces(plan: Plan) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows of games, and of seats as [games, seats], a piece at a time; valid until the next.

    The plan has one player count and one set of rules.
    """
    table = tables(plan)
    most = min(piece_blocks(plan), plan.blocks)
    scratch = buffers(table, most)
    tally = np.zeros(plan.k, dtype=table.engine.state.TALLY)
    for first in range(0, plan.blocks, most):
        blocks = min(most, plan.blocks - first)
        play_blocks(plan, table, scratch, first, blocks, tally)
        games = blocks * plan.k
        seats = scratch.seat_rows[: blocks * table.seats_per_block]
        yield scratch.game_rows[:games], seats.reshape(games, -1)
