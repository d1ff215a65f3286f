"""Every rule ID marks a test that runs the engine, and every switch value makes a difference."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from simulate.games.biathlon.state import SWITCHES

HERE = Path(__file__).parent
README = Path(__file__).parents[3] / "simulate" / "games" / "biathlon" / "README.md"
RULE_ID = re.compile(r"BI-[A-Z]+-\d\d")


def _case_ids() -> set[str]:
    ids: set[str] = set()
    for file in (HERE / "cases").glob("*.json"):
        for case in json.loads(file.read_text(encoding="utf-8")):
            ids.update(case["rules_covered"])
    return ids


def _marked_in_code() -> set[str]:
    ids: set[str] = set()
    for file in HERE.glob("test_*.py"):
        for call in re.findall(
            r"@(?:pytest\.mark\.)?rule\(([^)]*)\)", file.read_text(encoding="utf-8")
        ):
            ids.update(RULE_ID.findall(call))
    return ids


def test_every_rule_marks_a_test() -> None:
    """The game's README lists the rules; each must be marked by a test."""
    listed = set(RULE_ID.findall(README.read_text(encoding="utf-8")))

    assert len(listed) >= 104
    assert listed - _case_ids() - _marked_in_code() == set()


def test_no_mark_is_of_an_unknown_rule() -> None:
    """A mark of a rule that does not exist is a slip of the pen."""
    listed = set(RULE_ID.findall(README.read_text(encoding="utf-8")))

    assert (_case_ids() | _marked_in_code()) - listed == set()


@pytest.mark.parametrize(
    ("switch", "value"), [(s, v) for s, values in SWITCHES.items() for v in values]
)
def test_every_switch_value_is_played(switch: str, value: str) -> None:
    """Each value of each ruling switch stands in a case or in a test of its own."""
    played = json.dumps(
        [json.loads(f.read_text()) for f in sorted((HERE / "cases").glob("*.json"))]
    )
    code = "".join(f.read_text() for f in HERE.glob("test_*.py"))
    named = f'"rules.{switch}": ' + (value if value in ("true", "false") else f'"{value}"')
    default = value == SWITCHES[switch][0] or value == "true"

    assert named in played or f"rules.{switch}={value}" in code or default
