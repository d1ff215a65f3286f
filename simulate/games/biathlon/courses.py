"""Courses from the command line: names, files, tiles, and the random layouts.

A random layout is drawn from a stream of its own (``PURPOSE_LAYOUTS``), so it is a function of the
rules, the root seed and its number alone.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simulate.errors import RulesError
from simulate.games.biathlon import layout, state
from simulate.games.biathlon.layout import GOAL, RANGE_KIND, START, TIP_ADJACENT
from simulate.layers import close, read, show
from simulate.rng import FIRST_GAME_PURPOSE, NO_SEAT, below, open_stream

if TYPE_CHECKING:
    from simulate.games.biathlon.models import Rules

PURPOSE_LAYOUTS = FIRST_GAME_PURPOSE + 15  # stream of random layouts; its "block" is the number

_MOST_RANDOM = 1000  # random layouts of one command
_WORD_BITS = 16


_Used = tuple[int, ...]


class Course(NamedTuple):
    """A course named on the command line: label for messages, and the tables it lays over."""

    name: str
    overlay: dict[str, Any]


# ------------------------------------------------------------------------------- the command line
def parse_course(text: str, root_seed: int, model: Rules) -> list[Course]:
    """Courses named in ``text``, apart by commas, each as (label, overlay of rules).

    A layout's name; ``all`` layouts; a TOML file with ``tiles`` or ``rows`` (and ``name``); tiles
    as "ATSTG"; ``random`` or ``random*N``, drawn from streams of ``root_seed`` under
    course.random_tiles, course.random_ranges, course.random_tips. Raises RulesError.
    """
    found: list[Course] = []
    for item in (part.strip() for part in text.split(",")):
        found += _parse_one(item, root_seed, model)
    return found


def _parse_one(item: str, root_seed: int, model: Rules) -> list[Course]:
    drawn = re.fullmatch(r"random(?:\s*\*\s*(\d{1,6}))?", item)
    if item in model.layouts:
        return [_named(item)]
    if item == "all":
        return [_named(name) for name in model.layouts]
    if drawn:
        layouts = random_layouts(model, int(drawn.group(1) or 1), root_seed)
        return [Course(item, {"course": {"layout": kinds}}) for kinds in layouts]
    if item.endswith(".toml") or "/" in item or Path(item).is_file():
        return [_from_file(item, model)]
    try:
        kinds = layout.parse_tiles(model, item)
    except layout.CourseError:
        hint, known = close(item, model.layouts), ", ".join(model.layouts)
        raise RulesError(
            f"--course {show(item)}: no such layout{hint}; allowed: {known}, all,"
            " random, random*N, a file.toml with tiles or rows, or tiles as ATUCSTDCSTG"
        ) from None
    return [Course(item, {"course": {"layout": kinds}})]


def _named(name: str) -> Course:
    return Course(name, {"course": {"layout": name}})


def _from_file(item: str, model: Rules) -> Course:
    path = Path(item).expanduser()
    told = read(path)
    name = told.pop("name", path.stem)
    if not isinstance(name, str) or not name:
        raise RulesError(f"{item}: name = {show(name)}: text is wanted")
    if name in model.layouts:
        name = f"{name} (file)"
    return Course(item, {"course": {"layout": name}, "layouts": {name: told}})


# ------------------------------------------------------------------------------- random layouts
def random_layouts(model: Rules, count: int, root_seed: int) -> list[list[str]]:
    """``count`` different legal layouts as lists of kinds; the first k are those of any count >= k.

    Of a length and number of ranges every legal layout is equally likely; ``any`` takes every
    feasible length, and for it every feasible number of ranges, equally likely. Raises RulesError.
    """
    if not 1 <= count <= _MOST_RANDOM:
        raise RulesError(f"--course random*{count}: allowed: 1 to {_MOST_RANDOM} random layouts")
    legal = _Legal(model)
    if legal.total < count:
        raise RulesError(
            f"--course random*{count}: only {legal.total} different layouts are legal with"
            f" course.random_tiles = {show(model.course.random_tiles)},"
            f" course.random_ranges = {show(model.course.random_ranges)},"
            f" course.random_tips = {show(model.course.random_tips)} and the tiles in the box"
        )
    found: list[list[str]] = []
    for number in range(count):
        coin = _Coin(root_seed, number)
        drawn = legal.draw(coin)
        while drawn in found:
            drawn = legal.draw(coin)
        found.append(drawn)
    return found


class _Coin:
    """Uniform whole numbers of any size from the stream of one random layout."""

    def __init__(self, root_seed: int, number: int) -> None:
        self._streams = np.zeros(1, dtype=np.uint64)
        open_stream(self._streams, 0, root_seed, number, PURPOSE_LAYOUTS, NO_SEAT)

    def below(self, limit: int) -> int:
        """A whole number in 0 … limit-1: words of 16 bits, rejected beyond the limit."""
        words = max(1, -(-limit.bit_length() // _WORD_BITS))
        spare = words * _WORD_BITS - limit.bit_length()
        while True:
            found = 0
            for _ in range(words):
                found = (found << _WORD_BITS) | int(below(self._streams, 0, 1 << _WORD_BITS))
            if (found >> spare) < limit:
                return found >> spare


class _Legal:
    """The legal layouts under the rules: how many, and drawing one.

    ``ways``: by number of tiles between start and goal, {(tiles used, last kind): ways to lay}.
    Tiles used are counts in the order of ``_kinds``; where the box does not matter, (ranges,
    others).
    ``shapes``: {tiles between start and goal: {ranges: number of layouts}}, feasible ones only.
    """

    def __init__(self, model: Rules) -> None:
        self._model = model
        self._kinds = sorted(kind for kind in model.tiles.count if kind not in (START, GOAL))
        box = model.tiles.enforce
        self._groups = [[kind] for kind in self._kinds] if box else self._ranges_and_others()
        self._group = {kind: at for at, group in enumerate(self._groups) for kind in group}
        self._has = cache(self._box_holds)
        self.ways = self._lay_all()
        self.shapes = self._find_shapes()
        self.total = sum(sum(by_ranges.values()) for by_ranges in self.shapes.values())

    def draw(self, coin: _Coin) -> list[str]:
        """One layout: its length, then its number of ranges, then itself, each uniformly."""
        length = sorted(self.shapes)[coin.below(len(self.shapes))]
        by_ranges = self.shapes[length]
        ranges = sorted(by_ranges)[coin.below(len(by_ranges))]
        return self.nth(length, ranges, coin.below(by_ranges[ranges]))

    def nth(self, length: int, ranges: int, index: int) -> list[str]:
        """Layout number ``index`` of those with ``length`` tiles between start and goal."""
        ends = [end for end in sorted(self.ways[length]) if self._ranges(end[0]) == ranges]
        backwards = [GOAL]
        for left in range(length, -1, -1):
            for used, last in ends:
                ways = self.ways[left][used, last]
                if index < ways:
                    break
                index -= ways
            backwards.append(last or START)
            ends = self._before(used, last) if left else []
        return backwards[::-1]

    def _ranges_and_others(self) -> list[list[str]]:
        others = [kind for kind in self._kinds if kind != RANGE_KIND]
        return [[RANGE_KIND] if RANGE_KIND in self._kinds else [], others]

    def _ranges(self, used: _Used) -> int:
        return used[self._group[RANGE_KIND]] if RANGE_KIND in self._group else 0

    def _lay_all(self) -> list[dict[tuple[_Used, str], int]]:
        course = self._model.course
        tiles = course.max_tiles if isinstance(course.random_tiles, str) else course.random_tiles
        none = (0,) * len(self._groups)
        ways: list[dict[tuple[_Used, str], int]] = [{(none, ""): 1}]
        for _ in range(min(tiles, course.max_tiles) - len((START, GOAL))):
            longer: dict[tuple[_Used, str], int] = {}
            for (used, last), number in ways[-1].items():
                for kind in self._kinds:
                    more = self._with(used, kind, 1)
                    if self._may_follow(last, kind) and self._has(more):
                        longer[more, kind] = longer.get((more, kind), 0) + number
            ways.append(longer)
        return ways

    def _find_shapes(self) -> dict[int, dict[int, int]]:
        course = self._model.course
        shapes: dict[int, dict[int, int]] = {}
        for length, ways in enumerate(self.ways):
            if course.random_tiles not in ("any", length + len((START, GOAL))):
                continue
            for (used, _), number in ways.items():
                ranges = self._ranges(used)
                if ranges <= state.MAX_RANGES and course.random_ranges in ("any", ranges):
                    by_ranges = shapes.setdefault(length, {})
                    by_ranges[ranges] = by_ranges.get(ranges, 0) + number
        return shapes

    def _before(self, used: _Used, last: str) -> list[tuple[_Used, str]]:
        """The states from which tile ``last`` was laid, in order."""
        fewer = self._with(used, last, -1)
        earlier = self.ways[sum(fewer)]
        kinds = ["", *self._kinds]
        return [(fewer, k) for k in kinds if (fewer, k) in earlier and self._may_follow(k, last)]

    def _with(self, used: _Used, kind: str, change: int) -> _Used:
        at = self._group[kind]
        return (*used[:at], used[at] + change, *used[at + 1 :])

    def _may_follow(self, last: str, kind: str) -> bool:
        return not (self._model.course.random_tips and kind == last and kind in TIP_ADJACENT)

    def _box_holds(self, used: _Used) -> bool:
        """True when the box holds these tiles."""
        if not self._model.tiles.enforce:
            return True
        tiles = Counter(dict(zip(self._kinds, used, strict=True)))
        return not layout.inventory_problem(self._model, tiles, 0)
