"""How large are true values, when each is known with an error? Pure functions.

The distribution of noisy estimates is wider than that of what they estimate, so counting those above
a threshold counts noise, and the best of many is too good. Here the distribution of true values over
a fixed grid is fitted by maximum likelihood, each estimate being normal round its true value with its
own standard error (Kiefer & Wolfowitz 1956; Laird 1978; Efron 2016, "Empirical Bayes deconvolution
estimates").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reports.estimates import LEVEL, NOTHING, Estimate, t_value, wilson
from reports.resampling import SEED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

# shares: dense where thresholds are, with a mass at nothing at all
GRID = np.concatenate([[0.0], np.geomspace(0.0025, 1.0, 32)])
SMOOTH, STEPS, ROUGH = 10, 30, 100  # of the fit: few leave it smooth, many let it follow chance
RESAMPLES = 100
MIN_VALUES = 30


SHRINK_POINTS, SHRINK_STEPS = 200, 300  # of ``shrunken``: grid and fit


def _likelihood(values: Floats, errors: Floats, grid: Floats = GRID) -> Floats:
    """[values, grid], each row scaled to a maximum of 1."""
    z = (values[:, None] - grid[None, :]) / errors[:, None]
    log = -0.5 * z**2
    scaled: Floats = np.exp(log - log.max(1, keepdims=True))
    return scaled


def _fit(likelihood: Floats, weights: Floats, start: Floats, steps: int) -> Floats:
    """EM for the masses [resamples, grid] under weights [resamples, values] (Laird 1978)."""
    mass = start
    total = np.maximum(weights.sum(1, keepdims=True), 1e-300)
    for _ in range(steps):
        seen = np.maximum(mass @ likelihood.T, 1e-300)
        mass = mass * ((weights / seen) @ likelihood) / total
    return mass


def share_above(
    values: ArrayLike,
    errors: ArrayLike,
    weights: ArrayLike,
    clusters: ArrayLike,
    threshold: float,
    level: float = LEVEL,
) -> Estimate:
    """Share of true values above ``threshold`` (of values in 0 ... 1), noise taken out.

    ``errors``: standard errors, above 0; ``weights``: what each value stands for; ``clusters``: a
    number each, the same for values that go together. Interval: Poisson bootstrap over clusters
    of a smooth and a rough fit, never narrower than Wilson's for so many exact values.
    """
    x, se = np.asarray(values, np.float64), np.asarray(errors, np.float64)
    w, group = np.asarray(weights, np.float64), np.asarray(clusters)
    names, index = np.unique(group, return_inverse=True)
    if len(x) < MIN_VALUES or len(names) < 2:
        return NOTHING
    likelihood = _likelihood(x, se)
    above = threshold + 1e-12 < GRID
    even = np.full((1, len(GRID)), 1 / len(GRID))
    drawn = np.random.default_rng(SEED).poisson(1.0, (RESAMPLES, len(names)))[:, index] * w
    value = float(_fit(likelihood, w[None, :], even, STEPS)[0, above].sum())
    whole, part = even, np.repeat(even, RESAMPLES, axis=0)
    low, high = wilson(min(value, 1.0) * len(x), len(x), level)
    spread, before = 0.0, 0
    for steps in (SMOOTH, ROUGH):
        whole = _fit(likelihood, w[None, :], whole, steps - before)
        part = _fit(likelihood, drawn, part, steps - before)
        before = steps
        here, error = float(whole[0, above].sum()), float(part[:, above].sum(1).std())
        half = t_value(len(names) - 1, level) * error
        low, high = min(low, here - half), max(high, here + half)
        spread = max(spread, error)
    low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(value, low, high, len(x), len(names), spread, level)


def shrunken(values: ArrayLike, errors: ArrayLike) -> Floats:
    """What each of many estimates is worth, the luck of the far ones taken off: empirical Bayes.

    Means of the true value given the estimate, under the distribution of true values that fits all
    of them best (Robbins 1956; Efron 2011, "Tweedie's formula and selection bias"). Whichever is
    picked, the mean holds, as it has been told of all that were tried. No shape is assumed: versions
    of a strategy are mostly worse and seldom much better, and shrinking as if they were normal would
    leave half of the best one's luck. ``errors``: standard errors without what all have in common;
    0 for a value that is exactly known.
    """
    x, se = np.asarray(values, np.float64), np.asarray(errors, np.float64)
    span = float(np.ptp(x)) if len(x) else 0.0
    if span <= 0 or not np.isfinite(se).all():
        return x.copy()
    grid = np.linspace(x.min(), x.max(), SHRINK_POINTS)
    likelihood = _likelihood(x, np.maximum(se, span / SHRINK_POINTS), grid)
    even = np.full((1, len(grid)), 1 / len(grid))
    mass = _fit(likelihood, np.ones((1, len(x))), even, SHRINK_STEPS)[0]
    found: Floats = (likelihood * mass) @ grid / (likelihood @ mass)
    return np.where(se > 0, found, x)
