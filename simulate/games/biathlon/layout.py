"""Courses: tiles to rows, what the box holds, the printed tips.

A row is a string in race direction: one letter a lane (lane 1 first), or ``S`` for the one shooting
space over all lanes. Row 1 is the first after the start line; the finish is the row after the last.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING

from simulate.games.biathlon import state
from simulate.layers import close, dotted, show

if TYPE_CHECKING:
    from simulate.games.biathlon.models import Rules

CODES = {
    "P": state.PLAIN,
    "F": state.FREE,
    "U": state.UPHILL,
    "D": state.DOWNHILL,
    "W": state.WHITE,
    "S": state.SHOOTING,
}
SHOOTING, WHITE = "S", "W"
START, GOAL = "start", "goal"  # kinds that every course of tiles begins and ends with
UPHILL_KIND, RANGE_KIND = "uphill", "shooting"  # kinds that the printed tips speak of
TIP_ADJACENT = {  # rulebook, Race Course Tips 1 and 2
    RANGE_KIND: "a shooting range directly follows another (printed tip 1)",
    UPHILL_KIND: "an uphill tile directly follows another (printed tip 2)",
}

_NAME_DIGITS = 8

Problem = tuple[tuple[str, ...], str]


class CourseError(Exception):
    """A course that cannot be used: what is wrong, in words."""


# ------------------------------------------------------------------------------- tiles to rows
def course_name(model: Rules) -> str:
    """The course's word in records: its name, its tile letters, or a digest of its rows."""
    told = model.course.layout
    if isinstance(told, str) and told in model.layouts:
        return told
    kinds = _tiles_of(model, told)
    if kinds is not None:
        return "".join(model.tiles.tables[kind].letter for kind in kinds)
    return "rows-" + hashlib.sha256("/".join(told).encode()).hexdigest()[:_NAME_DIGITS]


def course_tiles(model: Rules) -> list[str] | None:
    """Kinds of the course's tiles in race direction, or None when it is given as rows."""
    told = model.course.layout
    if isinstance(told, str) and told in model.layouts:
        tiles = model.layouts[told].tiles
        return None if tiles is None else parse_tiles(model, tiles)
    return _tiles_of(model, told)


def course_rows(model: Rules) -> list[str]:
    """The course's rows, index 0 is row 1: one letter a lane, or "S". Expects no ``problems``."""
    return _widened(_narrow_rows(model), model.course.lanes)


def parse_tiles(model: Rules, told: str | list[str]) -> list[str]:
    """Tiles as kinds: from kinds or letters in a list, or in a text with or without spaces."""
    words = told if isinstance(told, list) else re.split(r"[\s,]+", told.strip())
    by_letter = {tile.letter: kind for kind, tile in model.tiles.tables.items()}
    kinds: list[str] = []
    for word in words:
        if word in model.tiles.tables:
            kinds.append(word)
        elif word and set(word) <= set(by_letter):
            kinds += [by_letter[letter] for letter in word]
        else:
            known = ", ".join(f"{tile.letter} {kind}" for kind, tile in model.tiles.tables.items())
            hint = close(word, model.tiles.tables)
            raise CourseError(f"no tile {show(word)}{hint}; allowed: {known}")
    return kinds


def _tiles_of(model: Rules, told: str | list[str]) -> list[str] | None:
    """Kinds of ``course.layout`` given as tiles, None when it is given as rows."""
    if isinstance(told, str):
        return parse_tiles(model, told)
    words = {word for kind, tile in model.tiles.tables.items() for word in (kind, tile.letter)}
    starts = (START, model.tiles.tables[START].letter)
    if told[0] in starts or any(word in words and not set(word) <= set(CODES) for word in told):
        return parse_tiles(model, told)
    return None


def _narrow_rows(model: Rules) -> list[str]:
    """The course's rows as they stand in the tables."""
    kinds = course_tiles(model)
    if kinds is not None:
        return [row for kind in kinds for row in model.tiles.tables[kind].rows]
    told = model.course.layout
    return list(model.layouts[told].rows or []) if isinstance(told, str) else list(told)


def _widened(rows: list[str], lanes: int) -> list[str]:
    """Rows for this number of lanes: equal letters repeated, one lane takes the first letter."""
    wide = []
    for number, row in enumerate(rows, start=1):
        if not set(row) <= set(CODES):
            raise CourseError(f"row {number} {show(row)}: allowed are letters {', '.join(CODES)}")
        if SHOOTING in row and row != SHOOTING:
            raise CourseError(f"row {number} {show(row)}: S stands alone, it spans all lanes")
        if row == SHOOTING or len(row) == lanes:
            wide.append(row)
        elif lanes == 1 or len(set(row)) == 1:
            wide.append(row[0] * lanes)
        else:
            raise CourseError(
                f"row {number} {show(row)}: {lanes} letters are wanted (course.lanes)"
            )
    return wide


# ------------------------------------------------------------------------------- checks
def problems(model: Rules) -> list[Problem]:
    """What is wrong with tiles, inventory and the course, as in ``checks.problems``."""
    found = [*_tile_problems(model), *_layout_problems(model)]
    if found:
        return found
    keys = _course_keys(model)
    try:
        kinds = course_tiles(model)
        rows = course_rows(model)
    except CourseError as wrong:
        return [((*keys, "course.lanes"), str(wrong))]
    if kinds is not None:
        found += [(keys, text) for text in _order_problems(kinds)]
        text = inventory_problem(model, Counter(_counted(model, kinds)), len(kinds))
        if text and not found:
            found.append(((*keys, "tiles.count", "tiles.inventory", "course.max_tiles"), text))
    if len(rows) > state.MAX_ROWS - 2:
        found.append((keys, f"at most {state.MAX_ROWS - 2} rows; this course has {len(rows)}"))
    ranges = rows.count(SHOOTING)
    if ranges > state.MAX_RANGES:
        found.append((keys, f"at most {state.MAX_RANGES} ranges; this course has {ranges}"))
    return found


def _course_keys(model: Rules) -> tuple[str, ...]:
    told = model.course.layout
    if isinstance(told, str) and told in model.layouts:
        return (dotted(("layouts", told)), "course.layout")
    return ("course.layout",)


def _tile_problems(model: Rules) -> list[Problem]:
    tiles = model.tiles
    found: list[Problem] = [
        (("tiles",), f"a kind {kind} is wanted")
        for kind in (START, GOAL)
        if kind not in tiles.tables
    ]
    seen: dict[str, str] = {}
    for kind, tile in tiles.tables.items():
        if tile.letter in seen:
            found.append(
                (
                    (dotted(("tiles", kind, "letter")),),
                    f"a letter of its own; {seen[tile.letter]} has it",
                )
            )
        seen[tile.letter] = kind
        if tile.counts_as not in tiles.count:
            found.append(
                (
                    (dotted(("tiles", kind, "counts_as")),),
                    f"one of {', '.join(tiles.count)} (tiles.count)",
                )
            )
    for kind in (*tiles.count, tiles.backs.front):
        if kind not in tiles.tables:
            key = dotted(("tiles", "count", kind)) if kind in tiles.count else "tiles.backs.front"
            found.append(((key,), f"a kind of tile: {', '.join(tiles.tables)}"))
    return found


def _layout_problems(model: Rules) -> list[Problem]:
    """Every layout is tiles or rows, its tiles are known, and the course names one of them."""
    found: list[Problem] = []
    for name, one in model.layouts.items():
        key = dotted(("layouts", name))
        if (one.tiles is None) == (one.rows is None):
            found.append(((key,), "tiles or rows, one of them"))
        elif one.tiles is not None:
            try:
                parse_tiles(model, one.tiles)
            except CourseError as wrong:
                found.append(((f"{key}.tiles",), str(wrong)))
    told = model.course.layout
    if isinstance(told, str) and told not in model.layouts:
        try:
            parse_tiles(model, told)
        except CourseError:
            hint, known = close(told, model.layouts), ", ".join(model.layouts)
            text = f"no layout {show(told)}{hint}; allowed: {known}, or a list of tiles or rows"
            found.append((("course.layout",), text))
    return found


def _order_problems(kinds: list[str]) -> list[str]:
    """BI-SET-01: start tile first, goal tile last, and nowhere else."""
    found = []
    if kinds[0] != START or START in kinds[1:]:
        found.append("a course begins with the start tile (A) and has no other")
    if kinds[-1] != GOAL or GOAL in kinds[:-1]:
        found.append("a course ends with the goal tile (G) and has no other")
    return found


def _counted(model: Rules, kinds: list[str]) -> list[str]:
    return [model.tiles.tables[kind].counts_as for kind in kinds]


def inventory_problem(model: Rules, used: Counter[str], length: int) -> str:
    """Why the box does not hold these tiles, or "" (spec 2.4)."""
    tiles = model.tiles
    if length > model.course.max_tiles:
        return (
            f"at most {model.course.max_tiles} tiles (course.max_tiles); this course has {length}"
        )
    if not tiles.enforce:
        return ""
    for kind, number in used.items():
        most = tiles.count[kind] + _backs(model).get(kind, 0)
        if number > most:
            return f"at most {most} tiles of kind {kind} (tiles.count); this course has {number}"
    front = tiles.backs.front
    turned = sum(
        max(0, number - tiles.count[kind]) for kind, number in used.items() if kind != front
    )
    if used[front] + turned > tiles.count[front]:
        left = tiles.count[front] - turned
        return f"{turned} {front} tiles are turned, so at most {left} {front} are left"
    return ""


def _backs(model: Rules) -> dict[str, int]:
    """Extra tiles of a kind on the backs of ``tiles.backs.front``."""
    backs = model.tiles.backs
    if model.tiles.inventory != "double_sided":
        return {}
    return {"uphill": backs.uphill, "downhill": backs.downhill, "corner": backs.corner}


def tip_warnings(model: Rules) -> list[str]:
    """BI-SET-02: where the course breaks a printed tip, read at tile level."""
    kinds = course_tiles(model)
    if kinds is None:
        return []
    counted = _counted(model, kinds)
    return [
        f"course {course_name(model)}: {TIP_ADJACENT[kind]}, tiles {at} and {at + 1}"
        for at, (kind, after) in enumerate(itertools.pairwise(counted), start=1)
        if kind == after and kind in TIP_ADJACENT
    ]
