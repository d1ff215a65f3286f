"""Odd positions: the last rounds of a game on a slope strewn with cards, drawn at random by number.

Whole games seldom come to what is rare: an empty stack, figures in the goal, a table's edge, a
slope that goes on far below the goal.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from simulate import rules
from simulate.games.pistengaudi import position
from simulate.games.pistengaudi import state as s

REFERENCE = Path(__file__).parents[2] / "reference"


def _module(name: str, path: Path) -> ModuleType:
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


script = _module("reference_pistengaudi_script", REFERENCE / "pistengaudi_script.py")
twin = script.twin_module
CARDS = [card.split("/") for name in ("wild42", "broad42") for card in twin.DECKS[name].split()]


def case_of(number: int) -> dict[str, Any]:
    """A scripted case without answers: a slope, figures on it, a few cards, one to three rounds."""
    coin = random.Random(number)
    players = coin.randint(2, 6)
    case: dict[str, Any] = {
        "game": "pistengaudi", "players": players, "rules": _rulings(coin, players),
        "forest": sorted(coin.sample(range(2, 7), coin.choice([0, 0, 1, 2, 3]))),
        "event": "turn 0",
    }  # fmt: skip
    board = script._set_up({**case, "cards": [], "figures": [[0, 0, "up"]] * players}).board
    case["cards"] = []
    for x, y in _places(coin, *_corner(coin, case["rules"], board.settings.last_row)):
        halves = coin.sample(coin.choice(CARDS), 2)
        if board.is_free((x, y)) and board.is_free((x, y + 1)):
            board.spaces.update({(x, y): halves[0], (x, y + 1): halves[1]})
            case["cards"].append([x, y, *halves])
    rests = sorted(cell for cell, kind in board.spaces.items() if twin.is_signed(kind))
    if coin.random() < 0.2:  # all of them far down: what is drawn may have no place
        rests = sorted(rests, key=lambda cell: cell[1])[-2:]
    case["figures"] = _figures(coin, players, rests)
    case["final"] = any(figure[0] == "goal" for figure in case["figures"])
    stack = ["/".join(coin.choice(CARDS)) for _ in range(players)]
    case["stack"] = stack[: coin.choice([0, 0, 1, players])]
    return case


def _rulings(coin: random.Random, players: int) -> dict[str, Any]:
    """Any mix of switches, odd tables more often than in whole games."""
    found: dict[str, Any] = dict(twin.random_overrides(coin))
    found.pop("slope.forest", None)
    if coin.random() < 0.3:
        found["board.half_width"] = coin.choice([6, 10])
    if coin.random() < 0.35:
        found["board.lower_limit"] = "none"
    if coin.random() < 0.3:
        found[f"draw.cards_per_turn.{players}"] = coin.choice([1, 2, 3])
    if coin.random() < 0.2:
        found["signs.black"] = coin.choice([4, 5])
    return {**found, "limits.max_rounds": coin.randint(1, 3)}


def _corner(coin: random.Random, rulings: dict[str, Any], height: int) -> tuple[int, int]:
    """Where the cards are strewn about: the lift, the goal, a side of the table, far below."""
    wide = rulings.get("board.half_width", s.HALF_WIDTH)
    corners = [(0, 2), (0, height - 1), (0, height - 1), (coin.choice([-1, 1]) * (wide - 1), 8)]
    if rulings.get("board.lower_limit") == "none":
        far = (height + 2, s.MASK_ROWS - 1, s.MASK_ROWS - 1, s.DEEPEST - 2)
        corners = [(coin.choice([0, 2, wide - 1]), row) for row in far]
    return coin.choice(corners)


def _places(coin: random.Random, across: int, down: int) -> list[tuple[int, int]]:
    """Upper cells of cards, side by side and with gaps, about a cell."""
    share = coin.choice([0.3, 0.6, 0.9])
    wide, deep = coin.randint(1, 3), coin.randint(2, 5)
    found = []
    for x in range(across - wide, across + wide + 1):
        first = down - deep + coin.randint(0, 1)
        found += [(x, y) for y in range(first, down + deep, 2) if coin.random() < share]
    return found


def _figures(coin: random.Random, players: int, rests: list[tuple[int, int]]) -> list[list[Any]]:
    """Figures on spaces, upright or lying, on the lift, in the goal."""
    home = list(range(1, players + 1))
    figures: list[list[Any]] = []
    for _ in range(players):
        fate = coin.random()
        if fate < 0.1:
            figures.append(["goal", coin.randint(1, 3), home.pop(coin.randrange(len(home)))])
        elif fate < 0.15 or not rests:
            figures.append([0, 0, "up"])
        else:
            figures.append([*coin.choice(rests), coin.choice(["up", "up", "lying"])])
    return figures


def begun(case: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """STATE, RULES and WORK records of a case, to be played on to the end; its vocabularies."""
    loaded = rules.load("pistengaudi", overrides=position.overrides(case))
    record, vocabularies = loaded.record[0], loaded.vocabularies
    state, work = position.setup(case, record, vocabularies)
    position.begin(state, record, work, case["event"])
    state["run"] = s.RUN_GAME
    return state, record, work, vocabularies
