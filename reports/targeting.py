"""How unevenly are victims chosen? From how often each seat hit and was hit, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def same_victim(hits: ArrayLike, hit: ArrayLike) -> NDArray[np.int64]:
    """Sums over games for the share of pairs of hits that fall on the same seat: [games, 4].

    ``hits`` [games, seats]: hits that a seat dealt, ``hit``: that it took. Columns: pairs of hits of
    a game; of these on the same seat; and, with victims drawn by lot among the others, pairs times
    (seats - 1)² and those on the same seat, so that all are whole. By lot two hits of one seat meet
    with 1 / (seats - 1), two of different seats with (seats - 2) / (seats - 1)².

    The share of pairs (Simpson 1949) does not depend on how many hits there were, as Gini's
    coefficient of a handful of hits does: three hits can never be even among four.
    """
    dealt, taken = np.asarray(hits, np.int64), np.asarray(hit, np.int64)
    others = dealt.shape[1] - 1
    n, m = dealt.sum(1), taken.sum(1)
    own = (dealt * (dealt - 1)).sum(1)  # pairs of hits of one seat
    mixed = n * (n - 1) - own
    return np.stack(
        [
            m * (m - 1),
            (taken * (taken - 1)).sum(1),
            n * (n - 1) * others**2,
            own * others + mixed * (others - 1),
        ],
        1,
    )
