"""The slow twin follows the last rounds of a game from odd positions: same options, same rows.

Positions are those of ``strewn.py``; the twin shares nothing with the engine.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from simulate.games.pistengaudi import entries, position, words

HERE = Path(__file__).parent
QUICK_POSITIONS, POSITIONS, CHUNK = 40, 120, 8  # in every test run; with the slow ones
SEEN = ("row_highest", "final", "figures", "cards")


def _module(name: str) -> ModuleType:
    told = f"pistengaudi_{name}"
    if told not in sys.modules:
        spec = importlib.util.spec_from_file_location(told, HERE / f"{name}.py")
        assert spec is not None and spec.loader is not None
        sys.modules[told] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[told]


strewn, twin_games = _module("strewn"), _module("test_twin")


def play_both(number: int) -> int:
    """Play on to the end in the engine; the twin follows and must agree. Number of questions."""
    case, coin = strewn.case_of(number), random.Random(-number)
    state, record, work, vocabularies = strewn.begun(case)
    events, twin = entries.new_events(0), strewn.script._set_up(case)
    for seat, figure in enumerate(twin.figures):
        figure.stranded = not figure.in_goal and not twin._ways().has_way(figure.cell)
        state["stranded"][seat] = figure.stranded
    asked = 0

    def answer(seat: int, point: str, options: list[Any], seen: dict[str, Any]) -> Any:
        nonlocal asked
        asked += 1
        where = f"position {number}, question {asked}"
        assert (int(state["to_move"]), words.question(int(state["phase"]))) == (seat, point), where
        mine = words.options(state, record, work, vocabularies)
        assert sorted(map(str, mine)) == sorted(map(str, options)), (where, point)
        told = words.state(state, record, vocabularies)
        assert [told[name] for name in SEEN] == [seen[name] for name in SEEN], where
        assert sorted(told["hand"]) == sorted(seen["hand"]), where
        index = coin.randrange(len(mine))
        entries.apply(state, record, work, events, int(work["options"][index]))
        return mine[index]

    entries.resume(state, record, work, events)
    twin._answer = answer
    while not twin.over:
        twin.play_turn(twin.seat)
    assert state["over"] == 1, f"position {number}: the game goes on"
    end = position.describe(state, record, vocabularies)
    wanted = strewn.script.describe(twin)
    assert position.compare(wanted, end) == [], f"position {number}"
    told = twin.record()
    for row in told["seats"]:
        del row["drawn_types"]  # cards of a position have no number in the deck
    twin_games._same_rows(told, state, record, vocabularies, f"position {number}")
    return asked


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[pytest.mark.slow] if first >= QUICK_POSITIONS else [])
        for first in range(0, POSITIONS, CHUNK)
    ],
)
def test_the_twin_follows_the_last_rounds_from_an_odd_position(first: int) -> None:
    """Switches, tables and set-ups in turn."""
    assert sum(play_both(number) for number in range(first, first + CHUNK)) > 0
