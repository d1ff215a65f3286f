"""What a gear is worth: paired effects, exchange into fame, naive figures and their bias.

Pure functions on sums by block: ``a`` with the gear, ``b`` without it, the same games. Nothing is
played here; see ``simulate.experiments.gear``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from reports import estimates
from reports.estimates import LEVEL, NOTHING, UNKNOWN, Estimate, State

MARGIN = 1.0  # fame: a fair price within one fame of the printed one is fair
OPEN = Estimate(math.nan, -math.inf, math.inf, 0, 0, math.nan)


@dataclass(frozen=True, eq=False)
class Sums:
    """Block sums of one measure over the same seats: changed arm, control arm, seats."""

    changed: np.ndarray
    control: np.ndarray
    count: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        """Changed less control, by block."""
        value: np.ndarray = self.changed - self.control
        return value


def effect(sums: Sums) -> Estimate:
    """Mean paired difference for a seat, with its interval over blocks."""
    if not sums.count.sum():
        return NOTHING
    return estimates.paired(sums.changed, sums.control, sums.count).difference


def together(sums: Sums, count: np.ndarray) -> Estimate:
    """A paired difference summed over several seats, for one of ``count`` by block."""
    if not count.sum():
        return NOTHING
    return estimates.ratio(sums.difference, count)


def p_value(e: Estimate) -> float:
    """Two-sided p-value that an effect is 0; NaN where the games cannot say."""
    if e.clusters < 2 or not math.isfinite(e.se):
        return math.nan
    if e.se == 0:
        return 1.0 if e.value == 0 else 0.0
    return estimates.z_test(e.value, e.se)


def fair_price(gear: Sums, fame: Sums, given: int, level: float = LEVEL) -> Estimate:
    """Fame that brings as much as the gear: effect of the gear / effect of one fame.

    ``fame``: the effect of ``given`` fame at the same moment for the same seats. Where the effect of
    fame itself cannot be told from 0, or is below it, no price can be named (``OPEN``).
    """
    found = estimates.exchange(
        gear.difference, gear.count, fame.difference / given, fame.count, level
    )
    if found.n and not float(fame.difference.sum()) > 0:
        return replace(OPEN, n=found.n, clusters=found.clusters, level=level)
    return found


def _influence(sums: np.ndarray, count: np.ndarray) -> np.ndarray:
    """What each block adds to a mean, less its share (linearised)."""
    total = float(count.sum())
    value: np.ndarray = (sums - sums.sum() / total * count) / total
    return value


def naive(won: np.ndarray, owners: np.ndarray, even: np.ndarray) -> Estimate:
    """Win share of owners less an even share: what people usually quote."""
    if not owners.sum():
        return NOTHING
    return estimates.ratio(won - even * owners, owners)


def bias(naive_sums: tuple[np.ndarray, np.ndarray], causal: Sums) -> Estimate:
    """Naive figure less the causal effect, both from the same blocks.

    ``naive_sums``: surplus of owners' win shares over an even share, and owners, by block.
    """
    surplus, owners = naive_sums
    if not owners.sum() or not causal.count.sum() or len(owners) < 2:
        return NOTHING
    one = _influence(surplus, owners)
    other = _influence(causal.difference, causal.count)
    gap = one - other
    blocks = len(gap)
    se = math.sqrt(blocks / (blocks - 1) * float(gap @ gap))
    value = float(surplus.sum() / owners.sum() - causal.difference.sum() / causal.count.sum())
    half = estimates.t_value(blocks - 1) * se
    return Estimate(value, value - half, value + half, int(owners.sum()), blocks, se)


def judged(price: Estimate, printed: int, blocks: int, family: int = 1) -> State:
    """Is the printed price within one fame of the fair one?"""
    if not price.n or not math.isfinite(price.value) or blocks < estimates.MIN_CLUSTERS:
        return UNKNOWN
    gap = Estimate(
        price.value - printed,
        price.low - printed,
        price.high - printed,
        price.n,
        price.clusters,
        price.se,
        price.level,
    )
    return estimates.equivalence(gap, MARGIN, family=family)


def depends(parts: list[Estimate]) -> float:
    """P-value that an effect is the same in all parts (Cochran's Q); NaN if nothing can be said."""
    known = [e for e in parts if e.n and e.se > 0]
    return estimates.homogeneity(known)[2] if len(known) > 1 else math.nan
