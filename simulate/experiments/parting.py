"""Where two sides of a comparison part: the first turn in which something else happens.

Both sides meet the same dice, so a game is the same on both until the change shows. The same games
are stepped through side by side, and their events compared; until the first difference every
record, stream and choice was the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from simulate.plan import Plan
from simulate.steps import Sitting

SAMPLE = 100  # games of a comparison that are looked at


@dataclass(frozen=True)
class Parted:
    """One game on both sides. ``turn``: the first that differs, None no turn.

    It is the turn of the last choice before something else happens, 0 where that is before the
    first choice.
    """

    game_id: int
    turn: int | None
    turns: int  # of the whole game, on side A


def sample(plan: Plan, n: int, wanted: int = SAMPLE) -> list[int]:
    """Games spread evenly over the first ``n``, and over the cells of their blocks."""
    blocks = n // plan.k
    number = min(wanted, n)
    found = (i * blocks // number * plan.k + i % plan.k for i in range(number))
    return sorted(set(found))


def parted(a: Plan, b: Plan, games: Iterable[int]) -> list[Parted]:
    """The first turn that differs, game by game."""
    return [_one(a, b, game_id) for game_id in games]


def _one(a: Plan, b: Plan, game_id: int) -> Parted:
    """Step through a game on both sides until something else happens."""
    one, other = (Sitting.of_game(plan, game_id, events=True) for plan in (a, b))
    turn = 0
    same = _same(one, other)
    while same and not one.over and not other.over:
        turn = int(one.state["turn"])
        for side in (one, other):
            side.apply(side.choose())
        same = _same(one, other)
    same = same and one.over and other.over
    while not one.over:
        one.apply(one.choose())
        one.take_events()
    return Parted(game_id, None if same else turn, int(one.state["turn"]))


def _same(one: Sitting, other: Sitting) -> bool:
    """Whether the same happened on both sides since one last looked."""
    return np.array_equal(one.take_events(), other.take_events())
