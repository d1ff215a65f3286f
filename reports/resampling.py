"""Medians and quantiles with intervals: the weighted block bootstrap. Pure functions.

Every cluster gets a Poisson(1) weight in each resample instead of being drawn with replacement
(Hanley & MacGibbon 2006): one matrix product gives the resampled histograms of a million games, and
memory is resamples x bins whatever n is. The seed is fixed, so that a run's report never changes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from reports.estimates import LEVEL, NOTHING, Estimate, normal_at, normal_below, t_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 2000
SEED = 20_240_229
_CHUNK = 250  # resamples held at once


def poisson_weights(
    clusters: int, resamples: int = RESAMPLES, seed: int = SEED
) -> Iterator[Floats]:
    """Weights [chunk, clusters] of all resamples, chunk by chunk, always the same ones."""
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _CHUNK):
        size = min(_CHUNK, resamples - start)
        yield rng.poisson(1.0, (size, clusters)).astype(np.float64)


def histogram_quantile(counts: ArrayLike, values: ArrayLike, q: float) -> Floats:
    """The q-quantile of each histogram in ``counts`` [..., bins] over rising ``values`` [bins].

    The smallest value with at least a share q at or below it (inverse of the distribution).
    """
    table = np.asarray(counts, np.float64)
    total = table.sum(-1, keepdims=True)
    reached = np.cumsum(table, -1) >= q * total - 1e-9
    index = np.argmax(reached, -1)
    out = np.asarray(values, np.float64)[index]
    return np.where(total[..., 0] > 0, out, np.nan)


def percentile_interval(draws: Floats, level: float) -> tuple[float, float]:
    """Percentile interval of the resamples (empty ones left out)."""
    draws = draws[~np.isnan(draws)]
    if len(draws) == 0:
        return math.nan, math.nan
    tail = (1 - level) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)


def quantile(
    histograms: ArrayLike,
    values: ArrayLike,
    q: float = 0.5,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """A quantile with a percentile interval; ``histograms`` [clusters, bins], ``values`` [bins]."""
    table = np.asarray(histograms, np.float64)
    clusters = int((table.sum(1) > 0).sum())
    n = int(table.sum())
    if n == 0:
        return NOTHING
    point = float(histogram_quantile(table.sum(0), values, q))
    if clusters < 2:
        return Estimate(point, math.nan, math.nan, n, clusters, math.nan, level)
    draws = np.concatenate(
        [
            histogram_quantile(weights @ table, values, q)
            for weights in poisson_weights(len(table), resamples, seed)
        ]
    )
    low, high = percentile_interval(draws, level)
    return Estimate(point, low, high, n, clusters, float(np.nanstd(draws)), level)


def bootstrap(
    statistic: Callable[[Floats], Floats],
    clusters: int,
    n: int,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Any statistic of weighted clusters: ``statistic(weights [r, clusters]) -> [r]``."""
    point = float(statistic(np.ones((1, clusters)))[0])
    if clusters < 2:
        return Estimate(point, math.nan, math.nan, n, clusters, math.nan, level)
    draws = np.concatenate([statistic(w) for w in poisson_weights(clusters, resamples, seed)])
    low, high = percentile_interval(draws, level)
    return Estimate(point, low, high, n, clusters, float(np.nanstd(draws)), level)


def bootstrap_each(
    statistics: Callable[[Floats], Floats],
    clusters: int,
    n: int,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Estimate]:
    """Several statistics of the same resamples: ``statistics(weights [r, clusters]) -> [r, k]``.

    The intervals lean where the statistics do (``leaning``): rare events make them skewed.
    """
    points = statistics(np.ones((1, clusters)))[0]
    if clusters < 2:
        none = math.nan
        return [Estimate(float(p), none, none, n, clusters, none, level) for p in points]
    draws = np.concatenate([statistics(w) for w in poisson_weights(clusters, resamples, seed)])
    without = statistics(1.0 - np.eye(clusters))
    found = []
    for number, point in enumerate(points):
        known = draws[~np.isnan(draws[:, number]), number]
        low, high = leaning(known, float(point), without[:, number], level)
        se = float(known.std()) if len(known) else math.nan
        found.append(Estimate(float(point), low, high, n, clusters, se, level))
    return found


def leaning(
    draws: Floats, point: float, without: Floats, level: float = LEVEL
) -> tuple[float, float]:
    """Bias-corrected and accelerated interval (BCa: Efron 1987), with Student's quantile.

    ``without``: the statistic without each cluster in turn (jackknife), which tells how its error
    grows with it. A plain percentile interval of a rare event ends too low on both sides.
    """
    if len(draws) == 0 or math.isnan(point):
        return math.nan, math.nan
    gaps = np.nanmean(without) - without if not np.isnan(without).all() else np.zeros(1)
    square = float(np.nansum(gaps**2))
    lean = float(np.nansum(gaps**3)) / (6 * square**1.5) if square > 0 else 0.0
    below = (float((draws < point).sum()) + float((draws == point).sum()) / 2) / len(draws)
    shift = normal_at(min(max(below, 0.5 / len(draws)), 1 - 0.5 / len(draws)))
    reach = t_value(len(without) - 1, level)
    ends = [shift + side * reach for side in (-1, 1)]
    places = normal_below([shift + end / max(1 - lean * end, 1e-3) for end in ends])
    low, high = np.quantile(draws, places, method="inverted_cdf")
    return float(low), float(high)


def block_histograms(values: ArrayLike, clusters: ArrayLike) -> tuple[Floats, Floats]:
    """Raw values with their cluster numbers -> (histograms [clusters, bins], bin values)."""
    bins, index = np.unique(np.asarray(values), return_inverse=True)
    _, group = np.unique(np.asarray(clusters), return_inverse=True)
    shape = (int(group.max()) + 1, len(bins))
    flat = np.bincount(group * shape[1] + index, minlength=shape[0] * shape[1])
    return flat.reshape(shape).astype(np.float64), bins.astype(np.float64)
