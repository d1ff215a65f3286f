"""Every scripted case of the rulebook chapters, through the compiled engine and through the twin.

What a position cannot show (the shuffle, who begins, the ranks, the cap) is played on the twin.
"""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import simulate

CASES = Path(__file__).parent / "cases"
SCRIPT = Path(__file__).parents[2] / "reference" / "pistengaudi_script.py"

rule = pytest.mark.rule


def _script_module() -> ModuleType:
    name = "reference_pistengaudi_script"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, SCRIPT)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


script = _script_module()
twin_module = script.twin_module


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
def test_the_twin_plays_the_case_alike(case: dict[str, Any]) -> None:
    """The reference engine agrees with every case."""
    outcome = script.run_case(case)

    assert outcome.differences == [], case["title"]


def test_no_id_stands_twice() -> None:
    """An id names one case."""
    ids = [param.values[0]["id"] for param in _cases()]

    assert len(set(ids)) == len(ids) >= 300


# ------------------------------------------------------------------ what a position cannot show


@rule("PG-SETUP-03")
@pytest.mark.parametrize("deck", ["factorial42", "broad42", "wild42"])
def test_the_whole_deck_is_shuffled_into_the_stack(deck: str) -> None:
    """Every card once; another block, another order; the same block, the same order."""
    kinds = twin_module.DECKS[deck].split()
    orders = [twin_module.SeededChance(3, block).shuffle(kinds) for block in range(200)]

    assert len(kinds) == 42
    assert all(sorted(order) == list(range(42)) for order in orders)
    assert orders[5] == twin_module.SeededChance(3, 5).shuffle(kinds)
    assert len({tuple(order) for order in orders}) == 200
    assert len({order[0] for order in orders}) > 30


@rule("PG-SETUP-04", "PG-TURN-01")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_seat_0_begins_and_seats_follow_in_order(players: int) -> None:
    """Two whole rounds, every seat once in each."""
    log: list[dict[str, Any]] = []
    rules = twin_module.default_rules({"limits.max_rounds": 2})
    twin = twin_module.Twin(rules, players, twin_module.SeededChance(1, 0), log)
    twin.play(twin_module.bot_u(random.Random(1)))
    seats = [event["seat"] for event in log if event["event"] in {"stop", "fall", "stand_up"}]

    assert seats == [*range(players), *range(players)]


@rule("PG-END-05")
def test_a_game_without_an_entry_is_capped() -> None:
    """After limits.max_rounds full rounds there is no winner."""
    rules = twin_module.default_rules({"limits.max_rounds": 3})
    twin = twin_module.Twin(rules, 4, twin_module.SeededChance(1, 0))
    record = twin.play(twin_module.bot_u(random.Random(1)))

    assert record["game"]["capped"]
    assert (record["game"]["winner_seat"], record["game"]["winner_area"]) == (-1, 0)
    assert (record["game"]["rounds"], record["game"]["turns"]) == (3, 12)
    assert not any(row["won"] for row in record["seats"])


@rule("PG-END-04")
def test_ranks_go_by_area_arrival_and_row() -> None:
    """Goal figures first, equal rows share the mean rank."""
    twin = twin_module.Twin(twin_module.default_rules(), 6)
    for figure, (area, arrival, row) in zip(
        twin.figures,
        [(0, -1, 7), (2, 1, 0), (0, -1, 9), (2, 2, 0), (3, 3, 0), (0, -1, 7)],
        strict=True,
    ):
        figure.area, figure.arrival, figure.cell = area, arrival, (3, row)

    assert twin.ranks() == [5.5, 2.0, 4.0, 3.0, 1.0, 5.5]
