"""Plays a handful of games of every game's every strategy in the lane of this process.

    python tests/lanes/lane.py FILE

writes their records, field by field, as JSON: bytes in hexadecimal, so that equal means equal.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SEED = 11

# A short course, so that a race in plain Python takes seconds; one row a game that needs it.
QUICK: dict[str, dict[str, Any]] = {"biathlon": {"layout": "mini_one"}}


def line_ups(names: list[str], players: tuple[int, ...]) -> list[tuple[int, str]]:
    """(players, line-up) so that every strategy plays, at as many tables as that takes."""
    most = max(players)
    found = []
    for first in range(0, len(names), most):
        some = names[first : first + most]
        count = next((number for number in sorted(players) if number >= len(some)), most)
        some += [names[number] for number in range(count - len(some))]
        found.append((count, ",".join(some)))
    fewest = min(players)
    found.append((fewest, ",".join((names[-1:] + names)[:fewest])))
    return found


def play(game: str) -> dict[str, dict[str, str]]:
    """Line-up to field to bytes, for all the games of one set of rules."""
    from simulate import registry
    from simulate.request import Request
    from simulate.steps import single_game

    facts, made = registry.game(game), {}
    for number, (players, line) in enumerate(line_ups(registry.book(game).names(), facts.players)):
        options = {"seating": "fixed", "equal": False, "seed": SEED, **QUICK.get(game, {})}
        plan = Request(game, 1, players=players, lineup=line, **options).plan()
        made[f"{players} players: {line}"] = fields(single_game(plan, number))
    return made


def fields(rows: Any) -> dict[str, str]:
    """Every field of the records of a game."""
    found = {}
    for kind in ("game", "seats"):
        array = getattr(rows, kind)
        for name in array.dtype.names:
            found[f"{kind}.{name}"] = array[name].tobytes().hex()
    return found


def play_all() -> dict[str, dict[str, dict[str, str]]]:
    """All games that the registry finds."""
    from simulate import registry

    return {game: play(game) for game in registry.names()}


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    Path(sys.argv[1]).write_text(json.dumps(play_all()), encoding="utf-8")
