"""Which bonus makes the seats of a table even? Pure functions on win shares with and without it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from reports import estimates

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

RIDGE = 1e-3  # of the size of the effects: of all answers the one with the smallest bonuses
MOST_COMBINATIONS = 4096


def even_bonuses(shares: ArrayLike, effects: ArrayLike) -> Floats:
    """Bonuses [k] by seat, none below 0, that bring all win shares to their mean.

    ``shares`` [k]: win shares without a bonus. ``effects`` [k, k]: what one bonus of the seat of the
    column does to the win share of the seat of the row. Effects of several bonuses are taken to add
    up. The same bonus for everybody changes nothing, so of all answers that with the smallest is
    taken: the best seat has none (non-negative least squares, Lawson & Hanson 1974, with a trace of
    ridge).
    """
    p, e = np.asarray(shares, np.float64), np.asarray(effects, np.float64)
    k = len(p)
    size = float(np.abs(e).max())
    if size <= 0:
        return np.zeros(k)
    rows = np.concatenate([e / size, RIDGE * np.eye(k)])
    wanted = np.concatenate([(p.mean() - p) / size, np.zeros(k)])
    return estimates.non_negative(rows, wanted)


def whole_bonuses(shares: ArrayLike, effects: ArrayLike) -> NDArray[np.int64]:
    """Whole-number bonuses near ``even_bonuses`` that leave the least distance from even.

    The least is the largest distance of any seat; of equals the one with the fewest bonuses.
    """
    p, e = np.asarray(shares, np.float64), np.asarray(effects, np.float64)
    exact = even_bonuses(p, e)
    low = np.floor(exact).astype(np.int64)
    if 2 ** len(p) > MOST_COMBINATIONS:
        return np.rint(exact).astype(np.int64)
    choices = [low + np.array(up) for up in itertools.product((0, 1), repeat=len(p))]
    choices = [b for b in choices if b.min() == 0]  # what all get changes nothing
    far = [float(np.abs(p + e @ b - p.mean()).max()) for b in choices]
    return min(zip(choices, far, strict=True), key=lambda one: (round(one[1], 9), one[0].sum()))[0]
