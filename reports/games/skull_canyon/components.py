"""What the report needs of the rules: boards, runs, gear and awards, from run.json alone.

The engine has its own reading; a test compares them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Model = Mapping[str, Any]
DIFFICULTIES = ("easy", "advanced", "expert")
SHORT = {"easy": "easy", "advanced": "adv", "expert": "exp"}  # in names of columns
LETTERS = {"e": "easy", "a": "advanced", "x": "expert"}
PLACES = ("hot_tub", "yodeling", "happy_hour", "ski_swap", "let_it_ride")
FACES = ("sunny", "icy", "snowy")
BY_PLAYERS = "by_players"
BASE = "L1"


@dataclass(frozen=True)
class Run:
    """A run of a board, as printed in its list."""

    id: str
    name: str
    difficulty: str
    top: str
    bottom: str
    style_space: bool
    no_yeti: bool


@dataclass(frozen=True)
class Board:
    """A board: nodes with heights, lifts, runs, all in the order of the records."""

    name: str
    nodes: Mapping[str, float]
    lifts: Sequence[tuple[str, str]]
    runs: Sequence[Run]


@dataclass(frozen=True)
class Gear:
    """A gear card that is in the deck."""

    number: int  # index in the vocabulary "gear"
    id: str
    name: str
    cost: int
    vp: int
    copies: int
    buyable: bool
    ability: str


def board_of(model: Model, players: int) -> Board:
    """The board that a number of players plays on."""
    told = model["board"]
    name = told["layout"]
    if name == BY_PLAYERS:
        name = told["for_2"] if players == 2 else told["for_34"]
    board = model["boards"][name]
    lifts = [_lift(lift) for lift in board["lifts"]]
    drawn = told.get("heights") == "drawn" and board.get("drawn")
    heights = {**board["nodes"], **(board["drawn"] if drawn else {})}
    nodes = {node: float(heights[node]) for node in node_order(board["nodes"], lifts)}
    return Board(str(name), nodes, lifts, [_run(text) for text in board["runs"]])


def node_order(nodes: Collection[str], lifts: Sequence[tuple[str, str]]) -> list[str]:
    """Nodes in board order, that of the records: the base, then as the lifts name them.

    run.json keeps tables in the order of their keys, so the order of ``nodes`` there tells nothing.
    """
    named = [BASE, *(node for lift in lifts for node in lift), *sorted(nodes)]
    return [node for node in dict.fromkeys(named) if node in nodes]


def _lift(text: str) -> tuple[str, str]:
    bottom, top = (part.strip() for part in text.split(">"))
    return bottom, top


def _run(text: str) -> Run:
    parts = [part.strip() for part in text.split(",")]
    key, name, letter, top, bottom, style, no_yeti = parts
    return Run(key, name, LETTERS[letter], top, bottom, style == "1", no_yeti == "1")


def gear_of(model: Model) -> list[Gear]:
    """Cards of the gear deck that is played, in the order of their vocabulary."""
    gear = model["gear"]
    chosen = set(gear["sets"][gear["set"]])
    found = []
    for number, (key, card) in enumerate(sorted(gear["cards"].items())):
        copies = int(card["copies"]) if key in chosen else 0
        if copies:
            found.append(
                Gear(
                    number,
                    key,
                    str(card["name"]),
                    int(card["cost"]),
                    int(card["vp"]),
                    copies,
                    bool(card["buyable"]),
                    str(card["ability"]),
                )
            )
    return found


def days_of(model: Model) -> int:
    """Days of a game."""
    return int(model["game"]["days"])


def day_name(day: int) -> str:
    """1 -> day I."""
    return f"day {('I', 'II', 'III', 'IV')[day - 1]}"


def sentence(words: str) -> str:
    """The first letter as a capital, all others as they are."""
    return words[:1].upper() + words[1:]
