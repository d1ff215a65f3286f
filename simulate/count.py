"""Numbers of games as people write them: 1e6, 250k, 2M, 1_000_000."""

from __future__ import annotations

import re
from decimal import Decimal

from simulate.errors import PlanError

MOST_GAMES = 10**12
_FACTORS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
_FORM = re.compile(r"(\d[\d_]*(?:\.\d+)?|\.\d+)(?:e\+?(\d{1,3}))?\s*([kmgb]?)", re.IGNORECASE)


def count(text: str | int, what: str = "--n", most: int = MOST_GAMES) -> int:
    """The whole number that ``text`` says; PlanError with the way out otherwise."""
    match = _FORM.fullmatch(str(text).strip())
    if match is None:
        raise PlanError(
            f"{what}: '{text}' is no number of games. Write for example 1e6, 250k, 2M or 1_000_000."
        )
    digits, power, factor = match.groups()
    value = Decimal(digits.replace("_", "")).scaleb(int(power or 0)) * _FACTORS[factor.lower()]
    if value > most:
        raise PlanError(f"{what}: {text} is more than {most:,} games, the most a run can hold.")
    if value != value.to_integral_value():
        raise PlanError(f"{what}: {text} is no whole number of games.")
    if value < 1:
        raise PlanError(f"{what}: {text} is too few; a run has at least 1 game.")
    return int(value)
