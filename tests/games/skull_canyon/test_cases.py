"""Every scripted case of the rulebook chapters, through the compiled engine and the slow twin."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import simulate

CASES = Path(__file__).parent / "cases"

_path = Path(__file__).parents[2] / "reference" / "skull_canyon_script.py"
_spec = importlib.util.spec_from_file_location("reference_skull_canyon_script", _path)
assert _spec is not None and _spec.loader is not None
reference = importlib.util.module_from_spec(_spec)
sys.modules["reference_skull_canyon_script"] = reference
_spec.loader.exec_module(reference)


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


@pytest.mark.parametrize("case", _cases())
def test_case_plays_so_on_the_slow_twin(case: dict[str, Any]) -> None:
    """The same case on the engine that was written from the specification alone."""
    outcome = reference.run_case(case)

    assert outcome.differences == [], case["title"]
