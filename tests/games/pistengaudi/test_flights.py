"""Slopes with more ski jumps than rests: every flight, straight or turning, against the book.

The slopes of ``test_brute_force`` seldom hold a field of jumps; these do, drawn by number.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NUMBERS = [*range(24), 1385]  # the last: much hangs on the side a jump is entered from
SLOPES = 8


def _module(name: str) -> ModuleType:
    if name not in sys.modules:
        path = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


brute = _module("test_brute_force")


def field_of_jumps(number: int) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """Rulings, cards and the place of the figure that rides."""
    coin = random.Random(number)
    changes = {
        "slope.cards": 3,
        "rules.jump.turn": coin.choice(["free", "free", "straight"]),
        "rules.move.reversal": coin.choice(["until_down", "turn"]),
        "rules.move.full_path": coin.choice(["mandatory", "free_fall"]),
        "goal.side_entry": coin.choice(["both", "upper"]),
    }
    jumps = coin.choice([3, 6, 12, 60])  # to five spaces that are none
    halves = ["J"] * jumps + ["P1", "P1", "P2", "P3", "F"]
    spots = [(x, row) for x in range(-2, 3) for row in range(5)]
    cards = [(*spot, coin.choice(halves), coin.choice(halves)) for spot in coin.sample(spots, 20)]
    return changes, cards, [(coin.randrange(40), False), (0, False)]


@pytest.mark.rule("PG-JUMP-01", "PG-JUMP-02", "PG-MOVE-05", "PG-MOVE-07")
@pytest.mark.parametrize("number", NUMBERS)
def test_flights_over_a_field_of_ski_jumps_are_those_of_every_word(number: int) -> None:
    """As ``test_outcomes_of_a_move_are_those_of_every_word``; several figures a slope."""
    changes, cards, figures = field_of_jumps(number)
    for place in range(SLOPES):
        table = brute.Table(changes, [], cards, [(place * 3, False), *figures])
        wanted = table.slope.outcomes(table.cells[0])
        state, work = table.play("ride 0")
        found = brute.offered(table, state, work, "PG-D-MOVE") or [brute._end_of(state)]

        assert {(kind, tuple(to) if isinstance(to, list) else to) for kind, to in found} == wanted
        assert len(found) == len(wanted)


@pytest.mark.rule("PG-JUMP-01")
def test_a_wide_field_of_ski_jumps_is_searched_once() -> None:
    """Seven columns, eight rows: millions of flights, which end on the seven spaces below."""
    cards = [(x, row, "J", "J") for x in (-3, -2, -1, 1, 2, 3) for row in (2, 4, 6, 8)]
    cards += [(x, 10, "P1", "P1") for x in (-3, -2, -1, 1, 2, 3)]
    cards += [(0, 1, "P1", "J"), *((0, row, "J", "J") for row in (3, 5, 7)), (0, 9, "J", "P1")]
    changes = {"slope.cards": 6, "rules.jump.turn": "free"}
    table = brute.Table(changes, [], cards, [(7, False), (0, False)])
    assert table.cells[0] == (0, 1)
    state, work = table.play("ride 0")

    assert brute.offered(table, state, work, "PG-D-MOVE") == [
        ["stop", [x, 10]] for x in range(-3, 4)
    ]
