"""Numbers in words: as many digits as the interval allows, and never a number without one."""

from __future__ import annotations

import math
from collections.abc import Iterable

from reports.estimates import Estimate, Fairness

NONE = "–"
THIN = "\u202f"


def digits_for(half: float, most: int = 3) -> int:
    """Decimals worth printing when the interval is ± ``half``: 1 from ± 2.5 down, 2 from ± 0.25."""
    if not math.isfinite(half) or half <= 0:
        return 1
    return max(0, min(most, math.ceil(-math.log10(half / 2.5))))


def count(n: float) -> str:
    """1234567 -> 1,234,567."""
    return f"{int(round(n)):,}"


def many(n: int, one: str) -> str:
    """1 game, 1,200 games."""
    return f"{n:,} {one}" if n == 1 else f"{n:,} {one}s"


def rounded(n: float) -> float:
    """Two leading digits are all that a needed number of games is worth."""
    if not math.isfinite(n):
        return n
    digits = max(len(str(int(n))) - 2, 0)
    return float(round(n / 10**digits) * 10**digits)


def number(value: float, digits: int = 1) -> str:
    """A plain number, – for none."""
    if value is None or not math.isfinite(value):
        return NONE
    text = f"{value:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")  # no minus before nothing
    return text.replace("-", "\u2212")


def percent(value: float, digits: int = 1) -> str:
    """0.2731 -> 27.3%."""
    return NONE if value is None or not math.isfinite(value) else f"{number(value * 100, digits)}%"


def p_value(p: float) -> str:
    """A p-value as one writes it."""
    if not math.isfinite(p):
        return f"p\u00a0=\u00a0{NONE}"
    return "p\u00a0<\u00a00.001" if p < 0.001 else f"p\u00a0=\u00a0{p:.3f}"


def q_value(q: float) -> str:
    """A p-value or q-value in a table, – for none."""
    return "<0.001" if q < 0.001 else number(q, 3)


def points(value: float, digits: int = 1) -> str:
    """A difference of two percentages: +1.2 points."""
    if not math.isfinite(value):
        return NONE
    sign = "+" if value > 0 else ""
    return f"{sign}{number(value * 100, digits)} points"


def distance(value: float, digits: int = 0) -> str:
    """How far two percentages may lie apart: 1 point, 5 points."""
    told = number(value * 100, digits)
    return f"{told} point" if told == "1" else f"{told} points"


def percent_digits(estimate: Estimate) -> int:
    """Decimals of a percentage."""
    return digits_for(estimate.half * 100, 2)


def percent_of(estimate: Estimate) -> str:
    """The value of a share, as many digits as its interval allows."""
    return percent(estimate.value, percent_digits(estimate))


def percent_interval(estimate: Estimate) -> str:
    """26.9–27.7%, or what is missing."""
    if not math.isfinite(estimate.low):
        return "no interval: too few games"
    digits = percent_digits(estimate)
    return span(number(estimate.low * 100, digits), percent(estimate.high, digits))


def missing(low: float, high: float) -> str:
    """Why there is no interval, "" where there is one."""
    if not math.isfinite(low):
        return "no interval: too few blocks"
    return "no interval: nothing varied" if low == high else ""


def value_of(estimate: Estimate, digits: int | None = None) -> str:
    """The value of a mean."""
    return number(estimate.value, digits_for(estimate.half) if digits is None else digits)


def interval_of(estimate: Estimate, digits: int | None = None) -> str:
    """18.1–18.3, or what is missing."""
    if not math.isfinite(estimate.low):
        return "no interval: too few games"
    d = digits_for(estimate.half) if digits is None else digits
    return span(number(estimate.low, d), number(estimate.high, d))


def span(low: str, high: str) -> str:
    """18.1–18.3; with an ellipsis from a number below nothing, where a dash reads as a minus."""
    return f"{low} … {high}" if low.startswith("\u2212") else f"{low}–{high}"


def doubt(fair: Fairness, games: float) -> str:
    """Why shares that look uneven settle nothing yet: the end of a sentence that tells them."""
    told = {
        "few": f"but {count(games)} games are too few to say",
        "luck": f"but luck alone can do that in {count(games)} games",
        "margin": f"more than luck, but perhaps less than {distance(fair.margin)} from even",
        "looks": "but of so many shares looked at, one so far off can be luck",
    }
    return told[fair.doubt]


def listing(words: Iterable[str], last: str = "and") -> str:
    """a, b and c."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def ordinal(n: int) -> str:
    """1 -> 1st."""
    if 10 <= n % 100 <= 20:
        return f"{n}th"
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th') }"


def plain(name: str) -> str:
    """A label as words: front_runner -> front runner."""
    return name.replace("_", " ")


def shown(value: object, most: int = 80) -> str:
    """A rule's value on one line."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, (list, tuple)):
        text = ", ".join(shown(item) for item in value) or "none"
    elif value is None:
        text = NONE
    else:
        text = str(value)
    return text if len(text) <= most else text[: most - 1] + "…"
