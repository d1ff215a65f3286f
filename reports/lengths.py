"""How long games last when some were cut off: Kaplan-Meier from histograms. Pure functions.

A truncated game is an outcome, not a missing value: it lasted *at least* so long. Dropping such
games would make every length look shorter (statistics.md, row 24).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reports.estimates import LEVEL, Estimate, z_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Survival:
    """Share of games still going on after each length, with pointwise intervals."""

    time: NDArray[np.float64]
    at_risk: NDArray[np.float64]
    survival: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    ended: int
    cut: int

    def quantile(self, q: float = 0.5, level: float = LEVEL) -> Estimate:
        """Length by which a share q has ended; NaN (for ever) where the cut games hide it."""
        n = self.ended + self.cut
        value = _first_at_or_below(self.time, self.survival, 1 - q)
        low = _first_at_or_below(self.time, self.low, 1 - q)
        high = _first_at_or_below(self.time, self.high, 1 - q)
        return Estimate(value, low, high, n, n, math.nan, level)


def _first_at_or_below(time: NDArray[np.float64], curve: NDArray[np.float64], at: float) -> float:
    hit = np.flatnonzero(curve <= at + 1e-12)
    return float(time[hit[0]]) if len(hit) else math.nan


def kaplan_meier(
    time: ArrayLike, ended: ArrayLike, cut: ArrayLike, level: float = LEVEL
) -> Survival:
    """Kaplan & Meier 1958 on counts of games that ended and that were cut at each ``time[i]``.

    Greenwood's variance on the log(-log) scale (Kalbfleisch & Prentice), so that intervals stay
    between 0 and 1. Times must rise; games cut at a time count as at risk at that time.
    """
    t = np.asarray(time, np.float64)
    d, c = np.asarray(ended, np.float64), np.asarray(cut, np.float64)
    leaving = d + c
    risk = leaving[::-1].cumsum()[::-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(risk > 0, 1 - d / risk, 1.0)
        survival = np.cumprod(step)
        hazard = np.cumsum(np.where(risk > d, d / (risk * (risk - d)), 0.0))
        spread = np.sqrt(hazard) / np.abs(np.log(survival))
        z = z_value(level)
        low = survival ** np.exp(z * spread)
        high = survival ** np.exp(-z * spread)
    inside = (survival > 0) & (survival < 1)
    low, high = np.where(inside, low, survival), np.where(inside, high, survival)
    kept = np.asarray(survival, np.float64)
    return Survival(t, risk, kept, low, high, int(d.sum()), int(c.sum()))
