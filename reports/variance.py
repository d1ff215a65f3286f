"""Where the differences between outcomes come from: shares of variance. Pure functions.

Two kinds of shares, both from sums by cluster and both free of the noise of single games, because
every square is a product of two *different* things that share what is asked for:

* of who plays and where he sits: squares of means, taken over pairs of different clusters
  (``mean_squares``; the noise of a mean squared would else look like a difference);
* of a source of chance: the covariance of the same games played twice, with the source kept and
  others renewed (pick-freeze: Sobol' 1993, Saltelli 2002). With every set of sources kept in turn
  the *closed* indices C(set) are known, and from them

      alone     C({i}) - C({})          what the source decides whatever the others do
      at most   C(all) - C(all but i)   what would be decided if only it were still open
      share     Shapley's value         between the two; all shares add up to the whole
                                        (Owen 2014; Song, Nelson & Staum 2016)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from reports import resampling
from reports.estimates import NOTHING, Estimate, normal_below, z_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

LEAST_VARIANCE = 1e-12


# ---------------------------------------------------------------- who plays, where he sits


def mean_squares(sums: ArrayLike, counts: ArrayLike, weights: ArrayLike) -> Floats:
    """Mean of m_c² over cells c, each as often as it was seen, without the noise of the means.

    ``sums``, ``counts``: [clusters, cells]; ``weights``: [r, clusters] -> [r]. m_c² is estimated
    by the pairs of different clusters, Σ_{g≠h} s_g s_h / Σ_{g≠h} n_g n_h (Hoeffding 1948).
    """
    s, n = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    w = np.asarray(weights, np.float64)
    total, seen = w @ s, w @ n
    squared = w * w
    pairs = seen**2 - squared @ n**2
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(pairs > 0, (total**2 - squared @ s**2) / pairs, 0.0)
        return np.asarray((seen * mean).sum(1) / seen.sum(1), np.float64)


@dataclass(frozen=True, eq=False)
class Places:
    """Outcomes by who played where, by cluster: sums and counts [clusters, players, seats].

    ``style``: the style of each player; players of one style are one to "style of play".
    """

    sums: Floats
    counts: Floats
    style: tuple[int, ...]

    def squares(self, weights: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Mean squares of the means by player and seat, by style, by seat, of all: [r] each."""
        clusters = len(self.sums)
        styles = np.zeros((len(self.style), max(self.style) + 1))
        styles[np.arange(len(self.style)), self.style] = 1.0

        def of(make: str) -> tuple[Floats, Floats]:
            return (
                np.einsum(make, self.sums, styles).reshape(clusters, -1),
                np.einsum(make, self.counts, styles).reshape(clusters, -1),
            )

        cell = (self.sums.reshape(clusters, -1), self.counts.reshape(clusters, -1))
        every = ("gps,pk->gk", "gps,pk->gs", "gps,pk->g")
        style, seat, whole = (mean_squares(*of(make), weights) for make in every)
        return mean_squares(*cell, weights), style, seat, whole


# ---------------------------------------------------------------- sources of chance


def kept_by(one: int, other: int, sources: int) -> int:
    """Sources that two games share, as bits, when they renewed ``one`` and ``other`` (bits)."""
    return ((1 << sources) - 1) & ~(one ^ other)


def design(sources: int) -> list[int]:
    """Sets of sources to renew, as bits, so that pairs of them share every set of sources.

    All sets of the first half of the sources and all sets of the second: 2^(k/2) + 2^(k/2) - 1
    ways to play instead of 2^k.
    """
    low = (sources + 1) // 2
    first = range(1 << low)
    second = (rest << low for rest in range(1, 1 << (sources - low)))
    return [*first, *second]


def shapley_matrix(sources: int) -> Floats:
    """[sources, 2^sources]: Shapley's values are this matrix times the closed indices.

    φ_i = Σ over sets u without i of |u|! (k-|u|-1)! / k! · (C(u ∪ i) - C(u)).
    """
    matrix = np.zeros((sources, 1 << sources))
    for i in range(sources):
        others = [j for j in range(sources) if j != i]
        for size in range(sources):
            weight = 1 / (sources * math.comb(sources - 1, size))
            for chosen in itertools.combinations(others, size):
                without = sum(1 << j for j in chosen)
                matrix[i, without | 1 << i] += weight
                matrix[i, without] -= weight
    return matrix


@dataclass(frozen=True)
class Part:
    """What one cause decides, as shares of all variance.

    ``alone`` and ``most`` are the same as ``share`` for causes that are no source of chance.
    """

    name: str
    share: Estimate
    alone: Estimate
    most: Estimate
    chance: bool = True


@dataclass(frozen=True)
class Split:
    """All parts of the variance of one measure in one kind of games: shares add up to 1.

    ``index``: (skill - luck) / (skill + luck), from -1, pure luck, to 1, pure skill (Silver 2025,
    with shares of variance as his leverages); skill is style of play, in whatever seat, luck all
    chance, and the seat counts for neither.
    """

    parts: tuple[Part, ...]
    combined: Estimate  # what no source of chance decides alone, only several together
    variance: Estimate  # the whole, in the measure's unit squared
    index: Estimate = NOTHING
    deal: Estimate = NOTHING  # variance between deals, seen from a chair, in the unit squared

    def part(self, name: str) -> Part:
        """The part of that name."""
        return next(p for p in self.parts if p.name == name)

    @property
    def chance(self) -> float:
        """Share of all sources of chance together."""
        return sum(p.share.value for p in self.parts if p.chance)


STYLE, SEAT, TOGETHER, COMPANY = (
    "style of play",
    "seat",
    "style and seat together",
    "who else plays",
)


def split(
    places: Places,
    products: ArrayLike,
    names: Sequence[str],
    n: int,
    company: bool = False,
    offsets: ArrayLike = 0.0,
) -> Split:
    """Shares of variance by style, seat and source of chance, with bootstrap intervals.

    ``products`` [clusters, 2^k]: mean over pairs of games that share a set of sources (bits) of
    the sum of y·y'; the last one, where all are shared, is the sum of y². ``offsets`` [players,
    seats] were taken off y in the products (near the means, they make the noise small and change
    nothing else). ``company``: line-ups were drawn by lot, so what no source moves is who else
    plays; else that is known to be 0.
    """
    table = np.asarray(products, np.float64)
    k, clusters = len(names), len(table)
    seen = places.counts.reshape(clusters, -1).sum(1)
    shapley = shapley_matrix(k)
    full = (1 << k) - 1
    several_styles = len(set(places.style)) > 1
    counts = places.counts.reshape(clusters, -1)
    near = (places.sums - places.counts * np.asarray(offsets, np.float64)).reshape(clusters, -1)

    def statistics(weights: Floats) -> Floats:
        cell, style, seat, whole = places.squares(weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            closed = weights @ table / (weights @ seen)[:, None]
            closed -= mean_squares(near, counts, weights)[:, None]
            if not company:
                closed[:, 0] = 0.0
            variance = closed[:, full] + cell - whole
            alone = np.stack([closed[:, 1 << i] for i in range(k)], 1) - closed[:, :1]
            most = np.stack([closed[:, full] - closed[:, full & ~(1 << i)] for i in range(k)], 1)
            chance = np.concatenate([closed @ shapley.T, alone, most], 1)
            combined = closed[:, full] - closed[:, 0] - alone.sum(1)
            known = np.stack(
                [
                    style - whole if several_styles else np.zeros(len(style)),
                    seat - whole,
                    cell - seat - (style - whole) if several_styles else np.zeros(len(style)),
                    closed[:, 0],
                    combined,
                ],
                1,
            )
            if not several_styles:  # players of one style: who sits next to whom is the seat
                known[:, 1] = cell - whole
            shares = np.concatenate([known, chance], 1) / variance[:, None]
            index = _index(known[:, 0] + known[:, 2], closed[:, full] - closed[:, 0])
        shares[variance <= LEAST_VARIANCE] = math.nan
        return np.concatenate([shares, index[:, None], variance[:, None]], 1)

    found = resampling.bootstrap_each(statistics, clusters, n)
    fixed = [Part(name, e, e, e, False) for name, e in zip(_FIXED, found[:4], strict=True)]
    wanted = [STYLE, SEAT, TOGETHER] if several_styles else [SEAT]
    wanted += [COMPANY] if company else []
    sources = [
        Part(name, found[5 + i], found[5 + k + i], found[5 + 2 * k + i])
        for i, name in enumerate(names)
    ]
    parts = (*(part for part in fixed if part.name in wanted), *sources)
    return Split(parts, found[4], found[-1], found[-2])


def _index(skill: Floats, luck: Floats) -> Floats:
    """(skill - luck) / (skill + luck) of parts of variance; what noise made negative is 0."""
    skill, luck = np.maximum(skill, 0.0), np.maximum(luck, 0.0)
    whole = skill + luck
    return np.where(whole > LEAST_VARIANCE, (skill - luck) / np.maximum(whole, 1e-300), math.nan)


_FIXED = (STYLE, SEAT, TOGETHER, COMPANY)


# ---------------------------------------------------------------- from one run


@dataclass(frozen=True, eq=False)
class Deals:
    """The same deal played in several rotations: sums by cluster over pairs of games of a block.

    A pair is one chair in two rotations: the same dice, another player. ``products`` [clusters]:
    sum of y·y'; ``pairs`` [clusters, players, players, seats]: how many pairs there were of whom.
    """

    products: Floats
    pairs: Floats


DEAL, REST = "luck of the deal", "luck that choices shape"


def split_run(places: Places, squares: ArrayLike, deals: Deals, n: int) -> Split:
    """Shares of variance that the rows of one run tell, with bootstrap intervals.

    ``squares`` [clusters]: sum of y². What stays with a chair when the players change is luck of
    the deal: the mean product of two rotations less what style and seat make of it.
    """
    table = np.asarray(squares, np.float64)
    clusters = len(table)
    seen = places.counts.reshape(clusters, -1).sum(1)
    shape = deals.pairs.shape[1:]
    pairs = deals.pairs.reshape(clusters, -1)

    def statistics(weights: Floats) -> Floats:
        cell, style, seat, whole = places.squares(weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.einsum("rg,gps->rps", weights, places.sums) / np.einsum(
                "rg,gps->rps", weights, places.counts
            )
            mean = np.nan_to_num(mean)
            met = (weights @ pairs).reshape(-1, *shape)
            expected = np.einsum("rpqs,rps,rqs->r", met, mean, mean) / met.sum((1, 2, 3))
            deal = weights @ deals.products / met.sum((1, 2, 3)) - expected
            variance = weights @ table / (weights @ seen) - whole
            parts = [style - whole, seat - whole, cell - style - seat + whole, deal]
            shares = np.stack([*parts, variance - sum(parts)], 1) / variance[:, None]
            index = _index(cell - seat, variance - (cell - whole))
        shares[variance <= LEAST_VARIANCE] = math.nan
        return np.concatenate([shares, np.stack([index, deal, variance], 1)], 1)

    found = resampling.bootstrap_each(statistics, clusters, n)
    names = ((STYLE, False), (SEAT, False), (TOGETHER, False), (DEAL, True), (REST, True))
    parts = [Part(name, e, e, e, chance) for (name, chance), e in zip(names, found, strict=False)]
    return Split(tuple(parts), NOTHING, found[-1], found[-3], found[-2])


# ---------------------------------------------------------------- what a deal is worth

DEALS = 200  # of which best and worst are compared (Goodman, Perez-Liebana & Lucas 2025)
FAR = 0.10  # of a win share: a deal so good is "far" in a chair's favour


@dataclass(frozen=True)
class Favour:
    """How much a deal favours a chair, in the unit of the measure: see ``favour``."""

    spread: Estimate
    most: Estimate  # from the 5 % to the 95 % quantile of deals: the trimmed span
    span: Estimate  # the best less the worst of so many deals
    far: Estimate  # share of deals that favour a chair by more than so much


def favour(deal: Estimate, deals: int = DEALS, far: float = FAR) -> Favour:
    """How much a deal favours a chair, whoever sits there: from the variance between deals.

    ``deal`` is a mean product of two rotations of the same deal, so the luck of single games is not
    in it (method of moments, as in random-effects models). Its root is the spread: a standard
    deviation. For the quantiles, the span and the share the true worths of deals are taken to be
    normal. All rise with the variance, so their intervals are those of the variance.
    """

    def of(make: Callable[[float], float]) -> Estimate:
        value, low, high = (
            make(math.sqrt(max(end, 0.0))) for end in (deal.value, deal.low, deal.high)
        )
        return replace(deal, value=value, low=low, high=high, se=math.nan)

    ten = 2 * z_value(0.9)
    range_ = normal_range(deals)
    return Favour(
        spread=of(lambda sd: sd),
        most=of(lambda sd: ten * sd),
        span=of(lambda sd: range_ * sd),
        far=of(lambda sd: float(normal_below(-far / sd)) if sd > 0 else 0.0),
    )


def normal_range(n: int) -> float:
    """Expected largest less smallest of ``n`` normal values: ∫ 1 - Φⁿ - (1 - Φ)ⁿ (Tippett 1925)."""
    x = np.linspace(-10, 10, 4001)
    below = normal_below(x)
    return float(np.trapezoid(1 - below**n - (1 - below) ** n, x))
