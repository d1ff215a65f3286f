"""Which of several styles stay in use, when players may choose? Pure functions on a table of meetings.

``advantage`` [..., n, n], skew-symmetric: how often the row finishes ahead of the column, less a
half. Leading axes are problems of their own: resamples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

WORSE = 1e-6  # how seldom a player changes to a style that loses, against one that wins


def alpha_rank(advantage: ArrayLike) -> Floats:
    """Share of time that a changing table plays each style: [..., n], sum 1 (Omidshafiei 2019).

    All play one style until somebody tries another; what wins against it is taken up, what loses is
    dropped, equals are taken up half of the time. This is the limit of sharp selection (Rowland et
    al. 2019), in which only who beats whom counts and not by how much; a chain that hardly ever goes
    to a losing style has one stationary distribution. Where circles are closed it stays in them.
    """
    a = np.asarray(advantage, np.float64)
    n = a.shape[-1]
    rate = np.where(a < 0, 1.0, np.where(a > 0, WORSE, 0.5)) / max(n - 1, 1)  # row -> column
    here = np.arange(n)
    rate[..., here, here] = 0.0
    leave = np.swapaxes(rate, -1, -2).copy()
    leave[..., here, here] = -rate.sum(-1)
    leave[..., -1, :] = 1.0  # the masses sum to one
    one = np.zeros((*a.shape[:-1], 1))
    one[..., -1, 0] = 1.0
    found = np.clip(np.linalg.solve(leave, one)[..., 0], 0.0, None)
    return np.asarray(found / found.sum(-1, keepdims=True), np.float64)


def within(advantage: ArrayLike, best: int, gap: float) -> NDArray[np.bool_]:
    """Styles that the best one beats by at most ``gap`` (0.05: in 55 % of meetings): [..., n].

    Their number is the top-D diversity of Lin et al. 2024.
    """
    return np.asarray(np.asarray(advantage, np.float64)[..., best, :] <= gap)


def undominated(advantage: ArrayLike) -> NDArray[np.bool_]:
    """Styles to which no other is better against every rival: [..., n].

    Their number is the top-B balance of Lin et al. 2024. A style that another beats, and that does
    worse than that other against each of the rest, has no use; one that does best against a single
    rival has.
    """
    a = np.asarray(advantage, np.float64)
    better = (a[..., :, None, :] > a[..., None, :, :]).all(-1)  # [.., by, whom]: against everybody
    return np.asarray(~np.any(better, axis=-2))
