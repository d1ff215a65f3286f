"""Candidates of a search over a strategy's numbers: where they may lie, and which are tried.

The book allows a weight to be anything from -99 to 99, and a strategy has dozens of them; most of
that box is no strategy at all. So a number is tried around where it stands, as far as twice its own
size (or the usual size of the strategy's numbers, where that is larger), unless a range is given.
With many numbers a candidate changes only a few: what is good about it can be told, and single good
changes can be put together in the next round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from simulate.errors import PlanError
from simulate.experiments import points
from simulate.texts import split_list
from strategies.book import Param, Strategy

REACH = 2.0  # sizes of a number that its range reaches to either side
NEAR = 0.5  # the same, of a small step
FEW = 3  # numbers that a candidate changes, when they change by much
DIGITS = 3  # that a number is told with
ALL = "all"

Values = dict[str, float]  # every number of a strategy by name


@dataclass(frozen=True)
class Axis:
    """A number that is tuned: where it starts, the size of its steps, its range."""

    param: Param
    start: float  # as it stands; for one that follows another, the value of that
    size: float
    low: float
    high: float
    whole: bool

    @property
    def name(self) -> str:
        """The parameter's name."""
        return self.param.name

    def move(self, way: float) -> float:
        """How far a step leads from the start: 1 to the high end, -1 to the low one.

        Where the start is one of the ends, all steps lead to the other.
        """
        up, down = self.high - self.start, self.start - self.low
        if not up or not down:
            return abs(way) * (up - down)
        return way * (up if way > 0 else down)

    def within(self, value: float) -> float:
        """The nearest value that may be tried, in as many digits as are told."""
        held = min(max(value, self.low), self.high)
        if self.whole:
            return float(round(held))
        return min(max(float(f"{held:.{DIGITS}g}"), self.low), self.high)


# ---------------------------------------------------------------- what is tuned


def axes(strategy: Strategy, start: Values, asked: str | Sequence[str] = ()) -> list[Axis]:
    """The numbers to tune: ``stam,aim=0:3``, ``all``, or those in use where nothing is asked.

    In use are numbers that are not 0 and do not follow another one.
    """
    wanted = split_list(asked)
    if not strategy.params:
        raise PlanError(f"'{strategy.name}' has no parameters, so there is nothing to tune.")
    known = {param.name: param for param in strategy.params}
    usual = _usual_size(strategy, start)
    if not wanted or wanted == [ALL]:
        some = [
            p for p in strategy.params if wanted or (start[p.name] != 0 and not _asleep(p, start))
        ]
        if not some:
            raise PlanError(
                f"--params: every parameter of '{strategy.name}' is 0; name those to tune: "
                f"{', '.join(known)}."
            )
        return [_axis(known, param, start, usual, "") for param in some]
    found: dict[str, Axis] = {}
    for text in wanted:
        name, _, span = text.partition("=")
        name = name.strip()
        if name not in known:
            raise PlanError(
                f"--params: '{strategy.name}' has no parameter '{name}'. Parameters: "
                f"{', '.join(known)}."
            )
        if name in found:
            raise PlanError(f"--params: {name} is given twice.")
        found[name] = _axis(known, known[name], start, usual, span.strip())
    return list(found.values())


def _asleep(param: Param, start: Values) -> bool:
    """Whether another parameter holds in its place."""
    return bool(param.follows) and start[param.name] == param.low


def _usual_size(strategy: Strategy, start: Values) -> float:
    """The middle size of the numbers in use, 1 where there are none."""
    sizes = [abs(start[p.name]) for p in strategy.params if not _asleep(p, start)]
    return float(np.median([size for size in sizes if size] or [1.0]))


def _axis(known: dict[str, Param], param: Param, start: Values, usual: float, span: str) -> Axis:
    """One number with its range."""
    at = param
    while _asleep(at, start):
        at = known[at.follows]
    value = start[at.name]
    if span:
        low, high, whole = _span(param, span)
        size = (high - low) / (2 * REACH)
        return Axis(param, min(max(value, low), high), size, low, high, whole)
    size = max(abs(value), usual)
    low, high = max(param.low, value - REACH * size), min(param.high, value + REACH * size)
    return Axis(param, value, min(size, (high - low) / REACH), low, high, _counts(param))


def _counts(param: Param) -> bool:
    """Whether it counts something: its default and its bounds are whole, and not a mere 0 to 1."""
    ends = (param.default, param.low, param.high)
    return all(end == int(end) >= 0 for end in ends) and param.default > 0 and param.high > 1


def _span(param: Param, text: str) -> tuple[float, float, bool]:
    """``0:3``, inside the book's bounds; whole numbers only, where both ends are written so."""
    wrong = PlanError(
        f"--params: '{text}' is no range. Write {param.name}=low:high, low below high."
    )
    try:
        axis = points.axes([param.name], ranges=[text], drawn=True)[0]
    except PlanError:
        raise wrong from None
    if axis.low is None or axis.high is None or axis.step is not None:
        raise wrong
    low, high = float(axis.low), float(axis.high)
    if low < param.low or high > param.high:
        raise PlanError(
            f"--params: {param.name}={text} is out of bounds; {param.name} goes from "
            f"{param.low:g} to {param.high:g} (default {param.default:g})."
        )
    return low, high, points.whole(axis)


# ---------------------------------------------------------------- which are tried


def first(start: Values, found: Sequence[Axis], number: int, seed: int) -> list[Values]:
    """Candidates over the whole ranges, and as many near the start: a far one, a near one, …"""
    draw = np.random.default_rng([seed, 1])
    far = _moved(lambda: start, found, _few(draw, found, FEW), _sobol(found, number, seed, 1.0))
    near = _moved(
        lambda: start,
        found,
        _few(draw, found, max(1, len(found) // 3)),
        _sobol(found, number, seed + 1, NEAR / REACH),
    )
    pairs = (one for two in zip(far, near, strict=False) for one in two)
    return _distinct(pairs, [start], number)


def second(
    parents: Sequence[Values], found: Sequence[Axis], number: int, seed: int
) -> list[Values]:
    """Candidates around the best: numbers of the best and another good one, a few moved a little."""
    draw = np.random.default_rng([seed, 2])

    def child() -> Values:
        other = parents[int(draw.integers(len(parents)))]
        return {
            name: other[name] if draw.random() < 0.5 else value
            for name, value in parents[0].items()
        }

    few = _few(draw, found, max(1, len(found) // 3))
    steps = _sobol(found, 2 * number, seed + 2, NEAR / REACH)
    return _distinct(_moved(child, found, few, steps), parents, number)


def _few(draw: np.random.Generator, found: Sequence[Axis], most: int) -> Iterator[list[int]]:
    """Which numbers a candidate changes: all of few, else one to ``most`` of them."""
    while True:
        if len(found) <= FEW:
            yield list(range(len(found)))
        else:
            many = int(draw.integers(1, most + 1))
            yield sorted(draw.choice(len(found), many, replace=False).tolist())


def _sobol(found: Sequence[Axis], number: int, seed: int, part: float) -> list[list[float]]:
    """Steps that are spread evenly: 1 is the whole way to the end of a range, -1 to the other."""
    spread = [points.Axis(axis.name, (), Decimal("-1.0"), Decimal("1.0")) for axis in found]
    drawn = points.sobol(spread, max(2, min(number, points.MOST_POINTS)), seed)
    return [[part * point[axis.name] for axis in found] for point in drawn]


def _moved(
    parent: Any, found: Sequence[Axis], few: Iterator[list[int]], steps: Sequence[Sequence[float]]
) -> Iterator[Values]:
    """A parent's numbers, a few of them moved."""
    for step in steps:
        values = parent()
        made = dict(values)
        for at in next(few):
            axis = found[at]
            here = axis.start if _asleep(axis.param, values) else values[axis.name]
            made[axis.name] = axis.within(here + axis.move(step[at]))
        yield made


def _distinct(made: Iterator[Values], known: Sequence[Values], number: int) -> list[Values]:
    """The first of them that differ from each other and from those known."""
    found: list[Values] = []
    for values in made:
        if len(found) < number and values not in found and values not in known:
            found.append(values)
    return found


def text(strategy: Strategy, values: Values) -> str:
    """The line-up entry of a candidate: the numbers that differ from the book's."""
    changed = [
        f"{p.name}={values[p.name]:.12g}" for p in strategy.params if values[p.name] != p.default
    ]
    return ":".join([strategy.name, *changed])
