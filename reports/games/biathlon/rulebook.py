"""What the report needs of the rules: the course as rows, the exact odds of shooting.

From the resolved rules in run.json alone; the engine has its own reading, a test compares them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Model = Mapping[str, Any]
SHOOTING = "S"


def course_rows(model: Model) -> list[str]:
    """The course in race direction, one text a row: a letter a lane, or ``S`` for one space."""
    told = model["course"]["layout"]
    layout = model["layouts"].get(told, {}) if isinstance(told, str) else {}
    if layout.get("rows"):
        rows = list(layout["rows"])
    else:
        tiles = layout.get("tiles", told)
        rows = _rows_of_tiles(model, tiles)
    lanes = int(model["course"]["lanes"])
    return [row if row == SHOOTING else _widened(row, lanes) for row in rows]


def _rows_of_tiles(model: Model, tiles: str | Sequence[str]) -> list[str]:
    """Rows of a list of tiles (kinds or letters); a list of rows is itself."""
    kinds = {
        kind: tile
        for kind, tile in model["tiles"].items()
        if isinstance(tile, Mapping) and "rows" in tile
    }
    by_letter = {str(tile.get("letter", "")): kind for kind, tile in kinds.items()}
    words = re.split(r"[\s,]+", tiles.strip()) if isinstance(tiles, str) else list(tiles)
    if len(words) == 1 and words[0] not in kinds and set(words[0]) <= set(by_letter):
        words = list(words[0])
    rows: list[str] = []
    for word in words:
        kind = word if word in kinds else by_letter.get(word)
        rows += list(kinds[kind]["rows"]) if kind else [word]
    return rows


def _widened(row: str, lanes: int) -> str:
    """A row of equal letters on any number of lanes."""
    return row if len(row) == lanes else row[0] * lanes


def range_rows(rows: Sequence[str]) -> list[int]:
    """Row numbers (from 1) of the shooting spaces."""
    return [number for number, row in enumerate(rows, 1) if row == SHOOTING]


# ---------------------------------------------------------------- shooting


@dataclass(frozen=True)
class Odds:
    """Exact odds of one range visit with the same die for every shot (spec X1-X6)."""

    colour: str
    hit: float  # chance of a hit
    misses: float  # mean misses
    laps: float  # mean penalty laps
    clean: float  # chance of no miss
    clean_reroll: float  # the same with the first miss rerolled once
    laps_reroll: float


def shooting_odds(model: Model) -> list[Odds]:
    """One row a die, best die first."""
    shoot = model["dice"]["shoot"]
    shots, per_lap = int(model["range"]["shots"]), int(model["range"]["misses_per_lap"])
    return [
        _odds(colour, shoot["hits"][colour] / shoot["sides"], shots, per_lap)
        for colour in shoot["order"]
    ]


def _odds(colour: str, hit: float, shots: int, per_lap: int) -> Odds:
    chance = [math.comb(shots, m) * (1 - hit) ** m * hit ** (shots - m) for m in range(shots + 1)]
    laps = [math.ceil(m / per_lap) for m in range(shots + 1)]
    rerolled = [0.0] + [hit * laps[m - 1] + (1 - hit) * laps[m] for m in range(1, shots + 1)]
    return Odds(
        colour=colour,
        hit=hit,
        misses=shots * (1 - hit),
        laps=sum(c * n for c, n in zip(chance, laps, strict=True)),
        clean=chance[0],
        clean_reroll=chance[0] + hit * chance[1],
        laps_reroll=sum(c * n for c, n in zip(chance, rerolled, strict=True)),
    )


def levels(model: Model) -> list[tuple[int, str]]:
    """Rows of a basic stamina column: (level, colour), top first."""
    order = model["dice"]["shoot"]["order"]
    by_letter = {colour[0].upper(): colour for colour in order}
    letters = model["stamina"]["basic"]
    return [(len(letters) - 1 - i, by_letter[c]) for i, c in enumerate(letters)]
