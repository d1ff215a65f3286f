"""Differences between set-ups, paired by group: they met the same shuffles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from reports import estimates
from reports.estimates import Estimate
from reports.facts import Facts
from reports.measures import GROUPS, Stratum, scale_of


def against(facts: Facts, column: str, one: Stratum, other: Stratum) -> Estimate:
    """Mean of a games column in one stratum less that in another, linearised over the groups."""
    return _difference(*(_mean(*_by_group(facts, column, s)) for s in (one, other)))


def fairness(facts: Facts, one: Stratum, other: Stratum) -> Estimate:
    """The best less the worst seat's win share in one stratum, less the same in another.

    Linearised with the seats that are best and worst in the run, as a mean is.
    """
    return _difference(*(_seat_gap(facts, s) for s in (one, other)))


@dataclass(frozen=True)
class _Told:
    """A number of one stratum and how much each group moves it."""

    value: float
    moves: np.ndarray  # [groups]
    seen: np.ndarray  # [groups]
    n: int


def _mean(total: np.ndarray, n: np.ndarray) -> _Told:
    """Sum of the one over sum of the other."""
    if not n.sum():
        return _Told(np.nan, n, n > 0, 0)
    mean = float(total.sum() / n.sum())
    return _Told(mean, (total - mean * n) / n.sum(), n > 0, int(n.sum()))


def _seat_gap(facts: Facts, stratum: Stratum) -> _Told:
    """The best less the worst seat."""
    shares = facts.shares("seat", stratum, list(range(stratum.n_seats)))
    seats = [_mean(w, n) for w, n in zip(shares.wins.T, shares.seen.T, strict=True)]
    best, worst = (pick(seats, key=lambda seat: seat.value) for pick in (max, min))
    return _Told(best.value - worst.value, best.moves - worst.moves, best.seen, best.n)


def _difference(a: _Told, b: _Told) -> Estimate:
    """One number less another from the same shuffles, group by group."""
    if not a.n or not b.n:
        return estimates.NOTHING
    seen = a.seen | b.seen
    z = (a.moves - b.moves)[seen]
    g = len(z)
    se = float(np.sqrt(g / max(g - 1, 1) * (z @ z)))
    half = estimates.t_value(g - 1) * se
    value = a.value - b.value
    return Estimate(value, value - half, value + half, a.n, g, se)


def _by_group(facts: Facts, column: str, stratum: Stratum) -> tuple[np.ndarray, np.ndarray]:
    """Sum and count by group."""
    rows = facts.game_sums.filter(pl.col("stratum") == stratum.number)
    scale = scale_of(column, facts.records.game_schema[column])
    count = f"{column}:n" if f"{column}:n" in rows.columns else "n"  # a flag is in every game
    total, n = np.zeros(GROUPS), np.zeros(GROUPS)
    at = rows["group"].to_numpy()
    total[at], n[at] = rows[column].to_numpy() / scale, rows[count].to_numpy()
    return total, n
