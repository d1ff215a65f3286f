"""Every rule ID marks a test, and every switch value that is not the default stands in a case."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
RULE_ID = re.compile(r"PG-[A-Z]+-\d\d")

# The rules by chapter: name and number of rules.
CHAPTERS = {
    "SETUP": 5, "TURN": 4, "DRAW": 5, "PLACE": 8, "FOREST": 8, "MOVE": 11, "FALL": 5, "JUMP": 4,
    "HUT": 1, "FX": 4, "SNOW": 3, "GROOM": 7, "GOAL": 5, "END": 5, "EMPTY": 8,
}  # fmt: skip
RULES = {
    f"PG-{chapter}-{number:02d}"
    for chapter, count in CHAPTERS.items()
    for number in range(1, count + 1)
}

# Every key that changes how the game is played: the values besides the default.
OTHER_VALUES: dict[str, list[Any]] = {
    "draw.cards_per_turn.2": [1],
    "draw.cards_per_turn.3": [1],
    "draw.reveal": ["one_by_one"],
    "draw.unplaceable": ["out_of_game"],
    "deck.name": ["broad42", "wild42"],
    "lift.start_speed": [2],
    "lift.exits": [["left", "right"]],
    "lift.reenter": [False],
    "slope.cells_per_card": [1],
    "slope.forest_cover": [True],
    "goal.side_entry": ["upper", "both_deep"],
    "goal.overrun": ["choice"],
    "board.half_width": [10, 6],
    "board.lower_limit": ["none"],
    "limits.max_rounds": [40, 100],
    "rules.move.full_path": ["free_fall"],
    "rules.move.reversal": ["turn"],
    "rules.move.fall_choice": ["longest"],
    "rules.move.no_step": ["stay"],
    "rules.jump.turn": ["free"],
    "rules.effects.on_stand_up": [True],
    "rules.snowball.optional": [True],
    "rules.snowball.fallen_target": [False],
    "rules.snowball.goal_target": [True],
    "rules.snowball.self_target": [True],
    "rules.groomer.optional": [True],
    "rules.groomer.self_target": [True],
    "rules.forest.scope": ["all_cards"],
    "rules.forest.way_out": ["local"],
    "rules.forest.cause": ["space"],
    "rules.placement.anchor": ["rideable"],
    "rules.empty.forgo": ["free"],
    "rules.empty.occupied": ["block"],
}
LAYOUTS = [
    [], [3, 4], [1, 3, 5], [1, 2, 5, 6], [2, 4, 6], [1, 6], [5, 6], [1, 2], [1, 2, 3, 4, 5, 6],
]  # fmt: skip


def _cases() -> list[dict[str, Any]]:
    return [
        case
        for file in sorted((HERE / "cases").glob("*.json"))
        for case in json.loads(file.read_text(encoding="utf-8"))
    ]


def _case_ids() -> set[str]:
    return {rule for case in _cases() for rule in case["rules_covered"]}


def _marked_in_code() -> set[str]:
    ids: set[str] = set()
    for file in HERE.glob("test_*.py"):
        for call in re.findall(r"@rule\(([^)]*)\)", file.read_text(encoding="utf-8")):
            ids.update(RULE_ID.findall(call))
    return ids


def test_every_rule_marks_a_test() -> None:
    """Each rule of the specification is marked by a case or a test."""
    assert len(RULES) == 83
    assert RULES - _case_ids() - _marked_in_code() == set()


def test_no_mark_is_of_an_unknown_rule() -> None:
    """A mark of a rule that does not exist is a slip of the pen."""
    assert (_case_ids() | _marked_in_code()) - RULES == set()


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in OTHER_VALUES.items() for value in values]
)
def test_every_switch_value_is_played(key: str, value: Any) -> None:
    """Each value of each switch stands in a case."""
    played = [case for case in _cases() if case.get("rules", {}).get(key) == value]

    assert played, f"no case plays {key} = {value}"


@pytest.mark.parametrize("forest", LAYOUTS)
def test_every_forest_set_up_is_played(forest: list[int]) -> None:
    """Each named layout stands in a case."""
    assert [case for case in _cases() if case.get("forest", []) == forest]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_player_count_is_played(players: int) -> None:
    """Two to six players."""
    assert [case for case in _cases() if case["players"] == players]
