"""What an early stop adds to an estimate, and the estimate without it. Pure functions.

A comparison that goes on until it is decided stops while a difference looks large, so the
difference at the stop is too large on average: by the *bias* of the stop. That bias depends on the
true difference only, and can be worked out: the growth of all differences is drawn again and
again, with their errors and correlations, under the same rule. The corrected value is the one at
which such a run would show, on average, what was seen,

    corrected + bias(corrected) = seen

(the bias-adjusted estimate of a sequential trial: Whitehead 1986, "On the bias of maximum
likelihood estimation following a sequential test"). It is right on average; as large errors are
rare and to one side, it lies below the truth more often than above. So the *middle* value is told,
too: that at which as many of such runs show more than was seen as show less (median-unbiased: Woodroofe
1992; Jennison & Turnbull 2000, ch. 8, with the values at the stop as the ordering). Where the first
look decides at once the value seen is hardly moved; where a stop came just past its boundary it
moves most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reports import estimates
from reports.resampling import SEED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

REPEATS = 2000  # runs drawn for each step towards the corrected values
STEPS = 6
HALVINGS = 11  # of the bracket around a middle value
REACH = 4.0  # errors of the first look to either side, where the bracket begins


@dataclass(frozen=True)
class Rule:
    """When a run stops. ``blocks``: its looks, the cap last; ``margins`` [m]: too small to matter.

    ``decides`` [m]: measures that must be decided; the others are in the family of tests only.
    """

    blocks: Sequence[int]
    margins: Floats
    decides: Bools
    tuned_for: int
    alpha: float = 0.05


def corrected(
    values: ArrayLike,
    spreads: ArrayLike,
    correlation: ArrayLike,
    rule: Rule,
    repeats: int = REPEATS,
    seed: int = SEED,
) -> Floats:
    """Values [m] seen at the stop, less what stopping added to them.

    ``spreads`` [m]: standard deviation of one block; ``correlation`` [m, m] between measures.
    A measure without spread stays as it is.
    """
    seen, sd, noise = _runs(values, spreads, correlation, rule, repeats, seed)
    truth = seen.copy()
    for _ in range(STEPS):
        ends = _at_the_stop(truth, noise, sd, rule)
        truth = seen - (ends - truth).mean(0)
    return truth


def middle(
    values: ArrayLike,
    spreads: ArrayLike,
    correlation: ArrayLike,
    rule: Rule,
    repeats: int = REPEATS,
    seed: int = SEED,
) -> Floats:
    """Values [m] at which a run like this would show more than was seen as often as less.

    Arguments as those of ``corrected``. All measures are halved together.
    """
    seen, sd, noise = _runs(values, spreads, correlation, rule, repeats, seed)
    reach = REACH * sd / np.sqrt(rule.blocks[0])
    low, high = seen - reach, seen + reach
    for _ in range(HALVINGS):
        truth = (low + high) / 2
        ends = _at_the_stop(truth, noise, sd, rule)
        above = (ends > seen).mean(0) + (ends == seen).mean(0) / 2
        too_high = above > 0.5
        low, high = np.where(too_high, low, truth), np.where(too_high, truth, high)
    return np.asarray(np.where(sd > 0, (low + high) / 2, seen), np.float64)


def _runs(
    values: ArrayLike,
    spreads: ArrayLike,
    correlation: ArrayLike,
    rule: Rule,
    repeats: int,
    seed: int,
) -> tuple[Floats, Floats, Floats]:
    """What was seen, the spread of one block, and the errors of runs with this rule."""
    seen, sd = np.asarray(values, np.float64), np.asarray(spreads, np.float64)
    noise = _noise(sd, np.asarray(correlation, np.float64), rule.blocks, repeats, seed)
    return seen, sd, noise


def _noise(
    spreads: Floats, correlation: Floats, blocks: Sequence[int], repeats: int, seed: int
) -> Floats:
    """Errors of the means at every look, growing block by block: [looks, repeats, m].

    Every path comes with its mirror image, so that what is no bias cancels.
    """
    rng = np.random.default_rng(seed)
    half = -(-repeats // 2)
    values, axes = np.linalg.eigh(correlation)
    root = axes * np.sqrt(np.maximum(values, 0.0))
    total = np.zeros((half, len(spreads)))
    found, before = [], 0
    for now in blocks:
        step = rng.standard_normal(total.shape) @ root.T
        total = total + step * spreads * np.sqrt(now - before)
        found.append(np.concatenate([total, -total]) / now)
        before = now
    return np.stack(found)


def _at_the_stop(truth: Floats, noise: Floats, spreads: Floats, rule: Rule) -> Floats:
    """What runs of these true differences show when they stop: [repeats, m]."""
    ends = truth + noise[-1]
    going = np.ones(noise.shape[1], np.bool_)
    for look, now in enumerate(rule.blocks[:-1]):
        means = truth + noise[look, going]
        done = decided(means, now, spreads, rule)[:, rule.decides].all(1)
        at = np.flatnonzero(going)[done]
        ends[at] = means[done]
        going[at] = False
        if not going.any():
            break
    return ends


def decided(means: Floats, blocks: int, spreads: Floats, rule: Rule) -> Bools:
    """Which measures of runs [repeats, m] are decided at a look, as ``estimates.decisions`` does."""
    over = np.abs(means) - rule.margins
    constant = ~(spreads > 0)
    tail = estimates.anytime_tail(over, blocks, np.where(constant, 1.0, spreads**2), rule.tuned_for)
    far = over > 0
    beyond = np.where(far, np.where(constant, 0.0, tail), 1.0)
    inside = np.where(far, 1.0, np.where(constant, 0.0, np.where(over < 0, tail, 1.0)))
    return _rejected(beyond, rule.alpha) | _rejected(inside, rule.alpha)


def _rejected(p: Floats, alpha: float) -> Bools:
    """Benjamini and Hochberg's rejections in each row of p-values [repeats, m]."""
    m = p.shape[1]
    ordered = np.sort(p, axis=1)
    under = ordered * m < alpha * np.arange(1, m + 1)
    last = m - 1 - np.argmax(under[:, ::-1], axis=1)
    cut = np.where(under.any(1), ordered[np.arange(len(p)), last], -1.0)
    return np.asarray(p <= cut[:, None], np.bool_)
