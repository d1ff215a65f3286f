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

    Counts [times], or [clusters, times] of games that share dice: then the variance is that between
    clusters (Williams 1995), else Greenwood's. On the log(-log) scale (Kalbfleisch & Prentice), so
    that intervals stay between 0 and 1. Times must rise; games cut at a time count as at risk then.
    """
    t = np.asarray(time, np.float64)
    d_by, c_by = (np.atleast_2d(np.asarray(x, np.float64)) for x in (ended, cut))
    d: NDArray[np.float64] = d_by.sum(0)
    c: NDArray[np.float64] = c_by.sum(0)
    leaving = d + c
    risk = leaving[::-1].cumsum()[::-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(risk > 0, 1 - d / risk, 1.0)
        survival: NDArray[np.float64] = np.asarray(np.cumprod(step), np.float64)
        hazard = _hazard_variance(d_by, c_by)
        spread = np.sqrt(hazard) / np.abs(np.log(survival))
        z = z_value(level)
        low: NDArray[np.float64] = survival ** np.exp(z * spread)
        high: NDArray[np.float64] = survival ** np.exp(-z * spread)
    inside = (survival > 0) & (survival < 1)
    low, high = (np.asarray(np.where(inside, end, survival), np.float64) for end in (low, high))
    return Survival(t, risk, survival, low, high, int(d.sum()), int(c.sum()))


def _hazard_variance(ended: NDArray[np.float64], cut: NDArray[np.float64]) -> NDArray[np.float64]:
    """Variance of the logarithm of the curve at each time; counts [clusters, times].

    Each cluster moves the logarithm by the sum of (d_g - r_g h) / (r - d) up to then, h = d / r.
    """
    d, leaving = ended.sum(0), ended + cut
    risks = leaving[:, ::-1].cumsum(1)[:, ::-1]
    risk = risks.sum(0)
    there = risk > d
    if len(ended) < 2:
        step = np.where(there, d / np.where(there, risk * (risk - d), 1.0), 0.0)
        return np.asarray(np.cumsum(step), np.float64)
    rate = np.where(risk > 0, d / np.where(risk > 0, risk, 1.0), 0.0)
    moves = np.where(there, (ended - risks * rate) / np.where(there, risk - d, 1.0), 0.0).cumsum(1)
    clusters = int((leaving.sum(1) > 0).sum())
    return np.asarray(clusters / max(clusters - 1, 1) * (moves**2).sum(0), np.float64)
