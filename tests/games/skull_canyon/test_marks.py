"""Every rule ID marks a test that runs the engine, and every switch value is played."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
RULE_ID = re.compile(r"SC-[A-Z]+-(?:\d\d|[A-Z]+)")

# The rule IDs of the specification: chapter to numbers or names.
RULES = {
    "SCOPE": "01 02 03 04 05 06 07 08",
    "DEC": "01 02 03 04 05 10 11 12 13 14 15 16 17 18",
    "SETUP": "01 02 03 04 05 06 07 08 09 10",
    "DECK": "01 02 03 04 05 06 07 08",
    "DAY": "01 02 03 04 05",
    "TURN": "01 02 03 04 05",
    "TRAIN": "01 02 03 04 05 06",
    "LIFT": "01 02 03 04 05",
    "SKI": "01 02 03 04 05 06 07 08 09",
    "SET": "01 02 03 04 05",
    "YETI": "01 02 03 04 05",
    "CLAIM": "01 02 03 04 05 06 07 08",
    "AVAL": "01 02 03 04 05 06 07 08",
    "VIL": "01 02 03 04 05 06 07",
    "LOC": "01 02 03 04 05",
    "HOTEL": "01 02 03",
    "NEXT": "01 02",
    "END": "01 02 03 04 05 06 07",
    "GEAR": (
        "ALERT BLING BOOTS CAMERA ENERGY GLOVES JOURNAL NIGHT NONE PASS POLES PRECISION RAMP TENT"
    ),
    "EDGE": (
        "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
        "28 29 30 31 32 33 34"
    ),
}
EXAMPLES = [f"SC-EX-R{n}" for n in range(1, 13)] + [f"SC-EX-{n:02d}" for n in range(1, 21)]

SWITCHES: dict[str, list[Any]] = {
    "yeti_clear_own_run": [False, True],
    "own_stack_surcharge": [True, False],
    "night_goggles_day3": [True, False],
    "night_goggles_as_turn": [False, True],
    "let_it_ride_yeti_matches": [True, False],
    "journal_happy_hour": ["first_counts_1", "one_yeti"],
    "journal_train": ["yeti_first", "any_order"],
    "reshuffle": ["when_empty", "when_needed"],
    "claim_optional": ["all", "steals", "none"],
    "camera_doubles": ["base", "run_total"],
    "boots_doubled": [False, True],
    "ramp_yeti_counts": [True, False],
    "poles_through_yeti": [True, False],
    "tent_before_slides": [True, False],
    "night_goggles_slide_bonus": [True, False],
    "happy_hour_exact": [True, False],
    "award_zero": ["none", "split"],
    "yodel_supply_players": [[2, 3], [2]],
    "avalanche_order": ["active_first", "active_last", "turn_order"],
}


def _cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for file in sorted((HERE / "cases").glob("*.json")):
        found += json.loads(file.read_text(encoding="utf-8"))
    return found


def _listed() -> set[str]:
    return {f"SC-{chapter}-{rule}" for chapter, rules in RULES.items() for rule in rules.split()}


def _marked() -> set[str]:
    ids = {rule for case in _cases() for rule in case["rules_covered"]}
    for file in HERE.glob("test_*.py"):
        for call in re.findall(r"@rule\(([^)]*)\)", file.read_text(encoding="utf-8")):
            ids.update(RULE_ID.findall(call))
    return ids


def test_every_rule_marks_a_test() -> None:
    """Each rule ID of the specification is marked by a case or by a test."""
    assert len(_listed()) == 168
    assert _listed() - _marked() == set()


def test_no_mark_is_of_an_unknown_rule() -> None:
    """A mark of a rule that does not exist is a slip of the pen."""
    assert _marked() - _listed() == set()


def test_every_worked_example_is_a_case_or_a_test() -> None:
    """The examples of the rulebook and of the specification are all played."""
    played = " ".join(case["id"] for case in _cases())
    code = "".join(file.read_text(encoding="utf-8") for file in HERE.glob("test_games.py"))

    assert [name for name in EXAMPLES if name not in played and name not in code] == []


def test_case_ids_are_unique() -> None:
    """A case is found by its ID."""
    ids = [case["id"] for case in _cases()]

    assert len(set(ids)) == len(ids) >= 350


@pytest.mark.parametrize(("switch", "value"), [(s, v) for s, vs in SWITCHES.items() for v in vs])
def test_every_switch_value_is_played(switch: str, value: Any) -> None:
    """Each value of each ruling switch stands in a case."""
    played = [case["rules"].get(f"rules.{switch}", "") for case in _cases() if "rules" in case]

    assert value in played
