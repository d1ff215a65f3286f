"""Every scripted case of the rulebook chapters, played through the compiled engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import simulate

CASES = Path(__file__).parent / "cases"


def _cases() -> list[Any]:
    params = []
    for file in sorted(CASES.glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            mark = pytest.mark.rule(*case["rules_covered"])
            params.append(pytest.param(case, id=f"{file.stem}-{case['id']}", marks=mark))
    return params


@pytest.mark.parametrize("case", _cases())
def test_case_plays_as_the_rules_say(case: dict[str, Any]) -> None:
    """The title of the case is the rule; options, chance and end state must all agree."""
    outcome = simulate.script(case)

    assert outcome.differences == [], case["title"]
