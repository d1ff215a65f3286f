"""The points of a sweep: values of rules keys as lists, ranges, grids and Sobol sequences."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from simulate.errors import PlanError

MOST_POINTS = 512

Point = dict[str, Any]


@dataclass(frozen=True)
class Axis:
    """A key and the values it takes; ``low``, ``high`` and ``step`` where it was given as a range."""

    key: str
    values: tuple[Any, ...]
    low: Decimal | None = None
    high: Decimal | None = None
    step: Decimal | None = None


def axes(
    keys: Sequence[str], values: Sequence[str] = (), ranges: Sequence[str] = (), drawn: bool = False
) -> list[Axis]:
    """Keys with their values: ``K=2,3,4`` and ``K=1:9:2`` stand alone, others take the next list.

    ``drawn``: points will be drawn between the ends, so a range needs no step.
    """
    if not keys:
        raise PlanError("--key: which rule? Give --key KEY --values 2,3,4 or --range 1:9:2.")
    given = list(values) or list(ranges)
    waiting = [key for key in keys if "=" not in key]
    if values and ranges:
        raise PlanError("Give --values or --range, or write each as --key KEY=2,3 --key KEY=1:9:2.")
    if len(given) != len(waiting):
        raise PlanError(
            f"{len(waiting)} keys ({', '.join(waiting) or 'none'}) and {len(given)} lists of values: "
            "each --key needs its --values 2,3,4 or --range 1:9:2, in the same order."
        )
    found = []
    for text in keys:
        key, equals, own = text.partition("=")
        spec = own if equals else given.pop(0)
        as_range = bool(ranges) if not equals else _looks_like_range(spec)
        found.append(_range(key, spec, drawn) if as_range else _list(key, spec))
    names = [axis.key for axis in found]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise PlanError(f"--key: {twice[0]} is given twice.")
    return found


def _looks_like_range(text: str) -> bool:
    parts = text.split(":")
    return len(parts) in (2, 3) and all(_number(part) is not None for part in parts)


def _number(text: str) -> Decimal | None:
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _range(key: str, text: str, drawn: bool) -> Axis:
    """``lo:hi:step``, both ends included."""
    numbers = [_number(part) for part in text.split(":")]
    if len(numbers) not in (2, 3) or any(n is None for n in numbers):
        raise PlanError(f"--range: '{text}' is no range. Write lo:hi:step, for example 1:9:2.")
    low, high, step = (*numbers, None)[:3]
    assert low is not None
    assert high is not None
    if high <= low or (step is not None and step <= 0):
        raise PlanError(f"--range: '{text}' goes nowhere; it needs lo < hi and a step above 0.")
    if step is None:
        if not drawn:
            raise PlanError(f"--range: '{text}' needs a step: lo:hi:step.")
        return Axis(key, (), low, high, None)
    steps = int((high - low) / step) + 1
    if steps > MOST_POINTS:
        raise PlanError(f"--range: '{text}' has {steps} values; {MOST_POINTS} is the most.")
    return Axis(key, tuple(_plain(low + i * step) for i in range(steps)), low, high, step)


def _plain(value: Decimal) -> int | float:
    """A whole number where it was written as one."""
    whole = value == value.to_integral_value() and Decimal(value).as_tuple().exponent == 0
    return int(value) if whole else float(value)


def _list(key: str, text: str) -> Axis:
    """``2,3,4``: values in TOML, bare words as strings."""
    values = tuple(_value(part) for part in _split(text))
    if not values:
        raise PlanError(f"--values: {key} has no value.")
    if len(values) > MOST_POINTS:
        raise PlanError(f"--values: {key} has {len(values)} values; {MOST_POINTS} is the most.")
    return Axis(key, values)


def _split(text: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


# ---------------------------------------------------------------- points


def grid(found: Sequence[Axis]) -> list[Point]:
    """Every combination of the values, the last key running fastest."""
    count = math.prod(len(axis.values) for axis in found)
    if count > MOST_POINTS:
        raise PlanError(
            f"The grid has {count} points; {MOST_POINTS} is the most. --sobol N draws N of them."
        )
    keys = [axis.key for axis in found]
    combinations = itertools.product(*(_distinct(axis.values) for axis in found))
    return [dict(zip(keys, values, strict=True)) for values in combinations]


def _distinct(values: Sequence[Any]) -> list[Any]:
    """Values in order, equal ones once: ``true`` and ``1`` are two."""
    return list({(type(value), str(value)): value for value in values}.values())


def sobol(found: Sequence[Axis], n: int, seed: int) -> list[Point]:
    """``n`` points spread evenly over the keys' values (Sobol 1967, Owen's scrambling).

    Values of a list or a range with a step are taken as they are; equal points are kept once.
    """
    import numpy as np
    from scipy.stats import qmc

    if not 2 <= n <= MOST_POINTS:
        raise PlanError(f"--sobol: {n} is out of bounds, 2 to {MOST_POINTS}.")
    sequence = qmc.Sobol(len(found), scramble=True, rng=np.random.default_rng(seed))
    rows = sequence.random_base2(max(1, math.ceil(math.log2(n))))[:n]
    points: list[Point] = []
    for row in rows:
        point = {axis.key: _at(axis, float(u)) for axis, u in zip(found, row, strict=True)}
        if point not in points:
            points.append(point)
    return points


def whole(axis: Axis) -> bool:
    """Whether both ends of a range are written as whole numbers, so that only such lie in it."""
    ends = (axis.low, axis.high)
    return all(end is not None and isinstance(_plain(end), int) for end in ends)


def _at(axis: Axis, u: float) -> Any:
    """The value of a key at ``u`` of 0 … 1."""
    if axis.values:
        return axis.values[min(int(u * len(axis.values)), len(axis.values) - 1)]
    assert axis.low is not None
    assert axis.high is not None
    if whole(axis):
        return int(axis.low) + int(u * (int(axis.high) - int(axis.low) + 1))
    return round(float(axis.low) + u * float(axis.high - axis.low), 6)


def label(point: Point) -> str:
    """A point in words."""
    from simulate.layers import show

    return ", ".join(f"{key} = {show(value)}" for key, value in point.items())
