"""The one place for statistics: numbers with intervals, tests and verdicts. Pure functions.

Words used here:

* A *cluster* is a block of games that share their dice, or a group of whole blocks. Games of one
  block are not independent, so every interval takes its error from the spread between clusters,
  never from the number of games alone (Cameron, Gelbach & Miller 2008).
* Records come in as integer sums by cluster (``sums[g]``, ``counts[g]``), so that any order of
  work gives the same bits: see ``merge``.
* ``level`` is the confidence level, 0.95 where nothing is said.

Siblings: ``resampling`` (bootstrap: medians, quantiles), ``lengths`` (Kaplan-Meier). Distributions
come from ``scipy.special``: ``scipy.stats`` and ``statsmodels`` take seconds to import, so the
tests compare with them instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy import optimize, special

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

LEVEL = 0.95
MARGIN = 0.01  # "fair within one percentage point"
MIN_GAMES = 200  # below this no verdict is given, whatever the interval says
MOST_INFLATION = 10.0  # of a variance, by columns of a plane that go together
MIN_CLUSTERS = 30
USUAL = 0.99  # share of clusters that are as all those seen were, if others are no rarer than this

State = Literal["fair", "unfair", "unknown"]
Doubt = Literal["few", "luck", "margin", "looks"]
FAIR: State = "fair"
UNFAIR: State = "unfair"
UNKNOWN: State = "unknown"


@dataclass(frozen=True)
class Estimate:
    """A number, how sure we are of it, and what it rests on.

    ``n``: observations (games, or seats of games); ``clusters``: independent units behind ``se``.
    ``low`` and ``high`` are NaN where the data cannot say (fewer than two clusters).
    """

    value: float
    low: float
    high: float
    n: int
    clusters: int
    se: float
    level: float = LEVEL

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def df(self) -> int:
        """Degrees of freedom of ``se``."""
        return max(self.clusters - 1, 1)

    def scaled(self, factor: float) -> Estimate:
        """The same estimate in another unit."""
        low, high = sorted((self.low * factor, self.high * factor))
        return replace(
            self, value=self.value * factor, low=low, high=high, se=self.se * abs(factor)
        )


NOTHING = Estimate(math.nan, math.nan, math.nan, 0, 0, math.nan)


def finite(value: float) -> float | None:
    """A number for a file: None, which is null there, where it is none."""
    return float(value) if math.isfinite(value) else None


def z_value(level: float = LEVEL, family: int = 1) -> float:
    """Normal quantile of a two-sided interval; ``family`` > 1 is Bonferroni's correction."""
    return float(special.ndtri(1 - (1 - level) / (2 * family)))


def t_value(df: int, level: float = LEVEL, family: int = 1) -> float:
    """Student's quantile of a two-sided interval with ``df`` degrees of freedom."""
    return float(special.stdtrit(max(df, 1), 1 - (1 - level) / (2 * family)))


def normal_below(x: ArrayLike) -> Floats:
    """Share of a standard normal at or below each ``x``."""
    return np.asarray(special.ndtr(np.asarray(x, np.float64)), np.float64)


def normal_at(share: float) -> float:
    """The standard normal value with this share at or below it."""
    return float(special.ndtri(share))


# ---------------------------------------------------------------- proportions


def wilson(
    successes: float, n: float, level: float = LEVEL, family: int = 1
) -> tuple[float, float]:
    """Wilson's score interval (Wilson 1927); ``successes`` may be fractional (shared wins).

    (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n). Covers well down to small n, unlike
    p ± z·se, which covers 63 % instead of 95 % at p = 0.01, n = 100 (Brown, Cai & DasGupta 2001).
    """
    if n <= 0:
        return math.nan, math.nan
    z2 = z_value(level, family) ** 2
    p = successes / n
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * max(p * (1 - p) / n + z2 / (4 * n * n), 0.0)) / (1 + z2 / n)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def jeffreys(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Jeffreys' interval: quantiles of Beta(x + 1/2, n - x + 1/2), for rare things.

    The ends are 0 at x = 0 and 1 at x = n (Brown, Cai & DasGupta 2001).
    """
    if n <= 0:
        return math.nan, math.nan
    tail = (1 - level) / 2
    a, b = successes + 0.5, n - successes + 0.5
    low = 0.0 if successes <= 0 else float(special.betaincinv(a, b, tail))
    high = 1.0 if successes >= n else float(special.betaincinv(a, b, 1 - tail))
    return low, high


def proportion(successes: float, n: int, level: float = LEVEL) -> Estimate:
    """A share of independent observations: Jeffreys where x or n - x is below 20, else Wilson."""
    if n <= 0:
        return NOTHING
    p = successes / n
    tail = min(successes, n - successes) < 20
    low, high = jeffreys(successes, n, level) if tail else wilson(successes, n, level)
    return Estimate(p, low, high, n, n, math.sqrt(max(p * (1 - p), 0.0) / n), level)


# ---------------------------------------------------------------- clusters


def _columns(sums: ArrayLike, counts: ArrayLike) -> tuple[Floats, Floats]:
    """Both as float64 vectors, clusters without a count dropped."""
    s, n = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    seen = n > 0
    return s[seen], n[seen]


def cluster_se(sums: ArrayLike, counts: ArrayLike) -> float:
    """Standard error of sum(sums) / sum(counts) from the spread between clusters.

    Linearised ratio: var = G/(G-1) · Σ(s_g - m n_g)² / N² (Cochran 1977, ch. 6 and 9).
    """
    s, n = _columns(sums, counts)
    if len(s) < 2:
        return math.nan
    total = n.sum()
    residual = s - s.sum() / total * n
    return float(math.sqrt(len(s) / (len(s) - 1) * float(residual @ residual)) / total)


def ratio(sums: ArrayLike, counts: ArrayLike, level: float = LEVEL) -> Estimate:
    """Mean of a quantity, or ratio of two sums, clustered: m ± t(G-1) · se."""
    s, n = _columns(sums, counts)
    if len(s) == 0:
        return NOTHING
    mean = float(s.sum() / n.sum())
    se = cluster_se(s, n)
    half = t_value(len(s) - 1, level) * se
    return Estimate(mean, mean - half, mean + half, int(n.sum()), len(s), se, level)


def effective_n(sums: ArrayLike, counts: ArrayLike, level: float = LEVEL) -> float:
    """How many independent games a clustered share is worth.

    p(1-p)/var, times (z/t)² for the degrees of freedom (Korn & Graubard 1998). Rotated seats make
    it larger than the number of games, shared dice smaller. The plain count where var is 0.
    """
    s, n = _columns(sums, counts)
    if len(s) < 2:
        return 0.0
    total = float(n.sum())
    p = float(s.sum() / total)
    var = cluster_se(s, n) ** 2
    if var <= 0 or p * (1 - p) <= 0:
        return total
    return p * (1 - p) / var * (z_value(level) / t_value(len(s) - 1, level)) ** 2


def share(sums: ArrayLike, counts: ArrayLike, level: float = LEVEL, family: int = 1) -> Estimate:
    """A share (win share, hit rate) from clusters: Wilson's interval on the effective n.

    The design-based Wilson interval (Dean & Pagano 2015); ``family`` > 1 makes it one of a
    simultaneous set, which for the shares of one whole is Goodman's (1965). In the tails (fewer
    than 20 effective successes) a single share takes Jeffreys' ends instead.
    """
    s, n = _columns(sums, counts)
    if len(s) == 0:
        return NOTHING
    total = float(n.sum())
    p = float(s.sum() / total)
    worth = effective_n(s, n, level)
    if worth <= 0:
        return Estimate(p, math.nan, math.nan, int(total), len(s), math.nan, level)
    tail = family == 1 and min(p, 1 - p) * worth < 20
    low, high = (
        jeffreys(p * worth, worth, level) if tail else wilson(p * worth, worth, level, family)
    )
    return Estimate(p, low, high, int(total), len(s), cluster_se(s, n), level)


def goodman(sums: ArrayLike, counts: ArrayLike, level: float = LEVEL) -> list[Estimate]:
    """Simultaneous intervals for the k shares of one whole: all k hold together at ``level``.

    ``sums``: [clusters, k], ``counts``: [clusters] games (or [clusters, k] appearances).
    Goodman 1965 (score intervals at level 1 - alpha/k), on block-robust effective sizes.
    """
    table = np.asarray(sums, np.float64)
    base = np.asarray(counts, np.float64)
    k = table.shape[1]
    return [share(table[:, j], base if base.ndim == 1 else base[:, j], level, k) for j in range(k)]


def bounds(won: float, truncated: float) -> tuple[float, float]:
    """Worst-case bounds of a win share when a part of the games was cut off (Manski 1990).

    Cut games count as lost in ``won``; had all of them been won it would be this much higher.
    """
    return won, min(won + truncated, 1.0)


# ---------------------------------------------------------------- differences, pairs


@dataclass(frozen=True)
class Paired:
    """A difference of two arms on the same blocks, and what the pairing was worth."""

    difference: Estimate
    correlation: float  # between the arms' block means
    saving: float  # variance if the arms were independent / variance as paired

    @property
    def pairing_helps(self) -> bool:
        """False where common random numbers made it worse: report the unpaired interval then."""
        return self.correlation > 0


def paired(a_sums: ArrayLike, b_sums: ArrayLike, counts: ArrayLike, level: float = LEVEL) -> Paired:
    """Mean of a - b, block by block, with Student's t on the block differences.

    Never add the arms' variances as if they were independent (Glasserman & Yao 1992).
    """
    a, n = _columns(a_sums, counts)
    b, _ = _columns(b_sums, counts)
    difference = ratio(a - b, n, level)
    alone = cluster_se(a, n) ** 2 + cluster_se(b, n) ** 2
    if len(a) < 2:
        return Paired(difference, math.nan, math.nan)
    joint = difference.se**2
    spread = cluster_se(a, n) * cluster_se(b, n)
    correlation = (alone - joint) / (2 * spread) if spread > 0 else math.nan
    return Paired(difference, correlation, alone / joint if joint > 0 else math.inf)


def paired_ratio(
    a_sums: ArrayLike,
    a_counts: ArrayLike,
    b_sums: ArrayLike,
    b_counts: ArrayLike,
    level: float = LEVEL,
) -> Paired:
    """``paired`` where the arms count differently in a cluster: other rotations, missing values.

    Both means are linearised (Cochran 1977, ch. 6) and their residuals subtracted cluster by
    cluster, so whatever the arms share leaves the error; with equal counts it is ``paired``.
    """
    a, n = np.asarray(a_sums, np.float64), np.asarray(a_counts, np.float64)
    b, m = np.asarray(b_sums, np.float64), np.asarray(b_counts, np.float64)
    seen = n + m > 0
    a, n, b, m = a[seen], n[seen], b[seen], m[seen]
    if n.sum() <= 0 or m.sum() <= 0:
        return Paired(NOTHING, math.nan, math.nan)
    first, other, clusters = a.sum() / n.sum(), b.sum() / m.sum(), len(a)
    value, games = float(first - other), int(min(n.sum(), m.sum()))
    if clusters < 2:
        empty = Estimate(value, math.nan, math.nan, games, clusters, math.nan, level)
        return Paired(empty, math.nan, math.nan)
    one, two = (a - first * n) / n.sum(), (b - other * m) / m.sum()
    swell = clusters / (clusters - 1)
    var_a, var_b = swell * float(one @ one), swell * float(two @ two)
    joint = swell * float((one - two) @ (one - two))
    half = t_value(clusters - 1, level) * math.sqrt(joint)
    difference = Estimate(
        value, value - half, value + half, games, clusters, math.sqrt(joint), level
    )
    spread = math.sqrt(var_a * var_b)
    correlation = (var_a + var_b - joint) / (2 * spread) if spread > 0 else math.nan
    return Paired(difference, correlation, (var_a + var_b) / joint if joint > 0 else math.inf)


def unpaired(a: Estimate, b: Estimate, level: float = LEVEL) -> Estimate:
    """Difference a - b of independent estimates, Welch's degrees of freedom."""
    var_a, var_b = a.se**2, b.se**2
    var = var_a + var_b
    df = var**2 / (var_a**2 / a.df + var_b**2 / b.df) if var > 0 else a.df + b.df
    half = t_value(int(df), level) * math.sqrt(var)
    value = a.value - b.value
    clusters = int(df) + 1
    return Estimate(value, value - half, value + half, a.n + b.n, clusters, math.sqrt(var), level)


def exchange(
    a: ArrayLike, a_counts: ArrayLike, b: ArrayLike, b_counts: ArrayLike, level: float = LEVEL
) -> Estimate:
    """How many of one effect another is worth: mean of a / mean of b, from the same clusters.

    The interval is Fieller's (1954): all prices at which both do not surely differ. Where the effect
    of b cannot be told from 0 there is no price: NaN, from minus to plus infinity. A price below 0:
    one does good, the other harm.
    """
    top_sums, top_n = np.asarray(a, np.float64), np.asarray(a_counts, np.float64)
    low_sums, low_n = np.asarray(b, np.float64), np.asarray(b_counts, np.float64)
    clusters = len(top_n)
    if clusters != len(low_n) or clusters < 2 or not top_n.sum() or not low_n.sum():
        return NOTHING
    top, below = float(top_sums.sum() / top_n.sum()), float(low_sums.sum() / low_n.sum())
    one, other = (top_sums - top * top_n) / top_n.sum(), (low_sums - below * low_n) / low_n.sum()
    spread = clusters / (clusters - 1)
    var_a, var_b, cov = (
        spread * float(x @ y) for x, y in ((one, one), (other, other), (one, other))
    )
    t2 = t_value(clusters - 1, level) ** 2
    quadratic = below**2 - t2 * var_b
    n = int(top_n.sum())
    if quadratic <= 0:
        return Estimate(math.nan, -math.inf, math.inf, n, clusters, math.nan, level)
    linear, constant = top * below - t2 * cov, top**2 - t2 * var_a
    root = math.sqrt(max(linear**2 - quadratic * constant, 0.0))
    value = top / below
    residual = one - value * other
    se = math.sqrt(spread * float(residual @ residual)) / abs(below)
    ends = (linear - root) / quadratic, (linear + root) / quadratic
    return Estimate(value, *ends, n, clusters, se, level)


def mcnemar(only_a: int, only_b: int) -> float:
    """P-value that two arms win equally often on the same seeds: mid-p exact McNemar test.

    Only the pairs in which exactly one arm won count (Fagerland, Lydersen & Laake 2013).
    """
    discordant = only_a + only_b
    if discordant == 0:
        return 1.0
    fewer = min(only_a, only_b)
    below = float(special.bdtr(fewer, discordant, 0.5))
    at = below - (float(special.bdtr(fewer - 1, discordant, 0.5)) if fewer else 0.0)
    return min(2 * below - at, 1.0)


def newcombe_paired(
    both: int, only_a: int, only_b: int, neither: int, level: float = LEVEL
) -> Estimate:
    """Difference of two paired win rates: Newcombe's (1998) method 10 on Wilson's ends."""
    n = both + only_a + only_b + neither
    if n == 0:
        return NOTHING
    a, b = (both + only_a) / n, (both + only_b) / n
    low_a, high_a = wilson(both + only_a, n, level)
    low_b, high_b = wilson(both + only_b, n, level)
    phi = _phi(both, only_a, only_b, neither)
    down = (a - low_a) ** 2 - 2 * phi * (a - low_a) * (high_b - b) + (high_b - b) ** 2
    up = (high_a - a) ** 2 - 2 * phi * (high_a - a) * (b - low_b) + (b - low_b) ** 2
    value = a - b
    se = math.sqrt(max(only_a + only_b - (only_a - only_b) ** 2 / n, 0.0)) / n
    return Estimate(value, value - math.sqrt(down), value + math.sqrt(up), n, n, se, level)


def _phi(both: int, only_a: int, only_b: int, neither: int) -> float:
    """Correlation of a 2 x 2 table with Newcombe's continuity correction, 0 where a margin is 0."""
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if margins == 0:
        return 0.0
    n = both + only_a + only_b + neither
    cross: float = both * neither - only_a * only_b
    if cross > 0:
        cross = max(cross - n / 2, 0)
    return cross / math.sqrt(margins)


def control_variate(
    sums: ArrayLike, control: ArrayLike, counts: ArrayLike, expected: float, level: float = LEVEL
) -> Estimate:
    """A mean with the luck of a covariate of *known* mean taken out (Lavenberg & Welch 1981).

    m - beta (c - expected), beta fitted between clusters; unbiased up to 1/G, and the error counts
    beta as one of the numbers that were fitted.
    """
    s, n = _columns(sums, counts)
    c, _ = _columns(control, counts)
    if len(s) < 3:
        return ratio(s, n, level)
    total = n.sum()
    s_residual, c_residual = s - s.sum() / total * n, c - c.sum() / total * n
    beta = float(s_residual @ c_residual / max(float(c_residual @ c_residual), 1e-300))
    found = ratio(s - beta * (c - expected * n), n, level)
    se = found.se * math.sqrt((len(s) - 1) / (len(s) - 2))
    half = t_value(len(s) - 2, level) * se
    return replace(found, low=found.value - half, high=found.value + half, se=se)


# ---------------------------------------------------------------- tests


@dataclass(frozen=True)
class ChiSquare:
    """Are k shares what they should be? The test, and the size of the deviation."""

    statistic: float
    df: float
    p_value: float
    cohen_w: float  # sqrt(Σ (p - target)² / target): 0.1 small, 0.3 medium, 0.5 large
    design_effect: float  # mean variance inflation by clusters


def chi_square(
    sums: ArrayLike, counts: ArrayLike, target: Sequence[float] | None = None
) -> ChiSquare:
    """Chi-square of k shares against their target, robust to clusters. ``sums`` [clusters, k].

    ``counts`` [clusters]: the k are shares of one whole, compared with ``target`` (equal shares
    without it). ``counts`` [clusters, k]: k rates, each with its own appearances, compared with one
    common rate. Rao & Scott (1981, 1984): Pearson's X² divided by the mean design effect, with
    Satterthwaite's degrees of freedom (second-order correction) and an F reference with G - 1.
    """
    won = np.asarray(sums, np.float64)
    base = np.asarray(counts, np.float64)
    k = won.shape[1]
    if base.ndim == 1:
        weight = np.full(k, 1 / k) if target is None else np.asarray(target, np.float64)
        base = base[:, None] * (weight / weight.sum())
    seen = base.sum(1) > 0
    won, base = won[seen], base[seen]
    g, wins = len(won), float(won.sum())
    if g < 3 or k < 2 or wins <= 0 or bool((base.sum(0) <= 0).any()):
        return ChiSquare(math.nan, k - 1, math.nan, math.nan, math.nan)
    expected = base * (wins / base.sum())
    due = expected.sum(0)
    excess = won.sum(0) - due
    pearson = float((excess**2 / due).sum())
    surplus = (won - expected).sum(1, keepdims=True) * (due / due.sum())  # the rate is estimated
    weight_of = (base.sum(1) / base.sum())[:, None]
    residual = won - expected - surplus - excess * weight_of
    covariance = g / (g - 1) * residual.T @ residual
    effects = np.linalg.eigvalsh(covariance / np.sqrt(np.outer(due, due)))
    mean_effect = float(effects.sum()) / (k - 1)
    cohen_w = math.sqrt(pearson / wins)
    if mean_effect <= 1e-12:
        exact = pearson < 1e-9
        return ChiSquare(0.0 if exact else math.inf, k - 1, float(exact), cohen_w, 0.0)
    df = float(effects.sum() ** 2 / (effects @ effects))
    statistic = pearson / mean_effect * df / (k - 1)
    p_value = float(special.fdtrc(df, df * (g - 1), statistic / df))
    return ChiSquare(statistic, df, p_value, cohen_w, mean_effect)


def z_test(gap: float, se: float) -> float:
    """Two-sided p-value that a normal estimate ``gap`` with error ``se`` is really 0."""
    if not se > 0:
        return 1.0 if gap == 0 else 0.0
    return 2 * float(special.ndtr(-abs(gap) / se))


def t_test(gap: float, se: float, df: int) -> float:
    """Two-sided p-value that an estimate with error ``se`` on ``df`` degrees is really 0."""
    if not se > 0:
        return 1.0 if gap == 0 else 0.0
    return 2 * float(special.stdtr(max(df, 1), -abs(gap) / se))


def homogeneity(parts: Sequence[Estimate]) -> tuple[float, int, float]:
    """Do independent parts of a run agree? Cochran's Q, its degrees of freedom and p-value.

    Q = Σ (m_i - m)² / se_i² against chi-square with (parts - 1): a bad worker or a stream that
    repeats itself shows here.
    """
    usable = [e for e in parts if e.se > 0]
    if len(usable) < 2:
        return math.nan, 0, math.nan
    weight = np.array([1 / e.se**2 for e in usable])
    value = np.array([e.value for e in usable])
    mean = float(weight @ value / weight.sum())
    q = float(weight @ (value - mean) ** 2)
    df = len(usable) - 1
    return q, df, float(special.chdtrc(df, q))


def chunk_counts(table: ArrayLike) -> tuple[float, int, float]:
    """Pearson's chi-square that the rows of a count table (chunks x outcomes) share one law."""
    counts = np.asarray(table, np.float64)
    counts = counts[counts.sum(1) > 0][:, counts.sum(0) > 0]
    if counts.shape[0] < 2 or counts.shape[1] < 2:
        return math.nan, 0, math.nan
    expected = np.outer(counts.sum(1), counts.sum(0)) / counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    df = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return statistic, df, float(special.chdtrc(df, statistic))


def adjusted(p_values: Sequence[float], method: Literal["bh", "by", "holm"] = "bh") -> list[float]:
    """P-values of one declared family, corrected.

    ``bh``: false discovery rate (Benjamini & Hochberg 1995); ``by``: the same under any dependence
    (Benjamini & Yekutieli 2001); ``holm``: family-wise error (Holm 1979). Unknown ones stay unknown.
    """
    p = np.asarray(p_values, np.float64)
    known = np.flatnonzero(~np.isnan(p))
    m = len(known)
    order = known[np.argsort(p[known], kind="stable")]
    rank = np.arange(1, m + 1)
    if method == "holm":
        raised = np.maximum.accumulate(p[order] * (m - rank + 1))
    else:
        factor = float((1 / rank).sum()) if method == "by" else 1.0
        raised = np.minimum.accumulate((p[order] * m * factor / rank)[::-1])[::-1]
    out = np.full(len(p), math.nan)
    out[order] = np.minimum(raised, 1.0)
    return [float(x) for x in out]


def hierarchical(families: Sequence[Sequence[float]], alpha: float = 0.05) -> list[list[float]]:
    """P-values of families of tests, corrected in two steps (Benjamini & Bogomolov 2014).

    First a family as a whole is picked: its Simes p-value, corrected over all families (BH). Then
    its own tests, corrected among themselves, and by families / families picked. At most ``alpha``
    of what is found in a family that was picked is expected to be false, on average over those.
    """
    own = [adjusted(p) for p in families]
    simes = [min((q for q in found if not math.isnan(q)), default=math.nan) for found in own]
    whole = adjusted(simes)
    known = sum(not math.isnan(q) for q in whole)
    price = known / max(sum(q < alpha for q in whole), 1)
    return [
        [math.nan if math.isnan(q) else min(max(q * price, first), 1.0) for q in found]
        for found, first in zip(own, whole, strict=True)
    ]


def shrunken(rows: Sequence[Sequence[Estimate]], level: float = LEVEL) -> list[list[Estimate]]:
    """Cells of a table drawn towards the mean of their row, as far as they are noise.

    A cell varies around its row's mean by its own error and by a true spread that all rows have in
    common; that spread is what is left of all differences within rows once their errors are taken
    off (DerSimonian & Laird 1986, pooled over rows). A cell keeps the share of its deviation that
    is no noise (empirical Bayes: Efron & Morris 1975); the interval knows that the mean of the row
    and the spread are estimated (Morris 1983). Cells without an error are returned as they are.
    """
    excess = room = 0.0
    free = 0
    for row in rows:
        x, var = _known_cells(row)
        if len(x) < 2:
            continue
        w = 1 / var
        excess += float(w @ (x - w @ x / w.sum()) ** 2) - (len(x) - 1)
        room += float(w.sum() - w @ w / w.sum())
        free += len(x) - 1
    spread = max(excess / room, 0.0) if room > 0 else 0.0
    return [[_drawn(e, row, spread, 2 / max(free - 2, 1), level) for e in row] for row in rows]


def _known_cells(row: Sequence[Estimate]) -> tuple[Floats, Floats]:
    """Values and variances of the cells that have an error."""
    known = [e for e in row if e.n and math.isfinite(e.se) and e.se > 0]
    return np.array([e.value for e in known]), np.array([e.se**2 for e in known])


def _drawn(
    e: Estimate, row: Sequence[Estimate], spread: float, doubt: float, level: float
) -> Estimate:
    """One cell, drawn towards the mean of its row; ``doubt``: of the spread, relative variance."""
    x, var = _known_cells(row)
    if len(x) < 2 or not (e.n and math.isfinite(e.se) and e.se > 0):
        return e
    w = 1 / (var + spread)
    mean = float(w @ x / w.sum())
    noise = e.se**2 / (e.se**2 + spread)
    value = mean + (1 - noise) * (e.value - mean)
    far = doubt * (noise * (e.value - mean)) ** 2
    se = math.sqrt(e.se**2 * (1 - noise) + noise**2 / float(w.sum()) + far)
    half = t_value(max(e.df, 1), level) * se
    return Estimate(value, value - half, value + half, e.n, e.clusters, se, level)


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True)
class Fairness:
    """Are k shares fair within a margin? The answer and everything it was drawn from."""

    state: State
    shares: tuple[Estimate, ...]  # simultaneous intervals
    target: tuple[float, ...]
    margin: float
    worst: int  # index of the largest deviation
    p_equivalent: float  # TOST over all shares: small = fair within the margin
    test: ChiSquare
    games_needed: int  # games that would settle it, 0 if settled

    @property
    def deviation(self) -> float:
        """The largest deviation from its target, with its sign."""
        return self.shares[self.worst].value - self.target[self.worst]

    def on_fair_scale(self, index: int) -> Estimate:
        """A share over its target: 1 is even, whatever the number of players."""
        target = self.target[index]
        return self.shares[index].scaled(1 / target) if target > 0 else NOTHING

    @property
    def doubt(self) -> Doubt:
        """What keeps an unsettled verdict open: by each share's own interval, not corrected.

        few: too few games to say anything. luck: every interval holds the even share. margin: one
        does not, but none lies beyond the margin. looks: one does, but of so many one can by luck.
        """
        if any(e.n < MIN_GAMES or e.clusters < MIN_CLUSTERS for e in self.shares):
            return "few"
        gaps = [
            max(e.low - want, want - e.high)
            for e, want in zip(self.shares, self.target, strict=True)
        ]
        furthest = max((gap for gap in gaps if not math.isnan(gap)), default=0.0)
        if furthest <= 0:
            return "luck"
        return "looks" if furthest > self.margin else "margin"


def tost(value: float, se: float, df: int, margin: float) -> float:
    """P-value of two one-sided tests that |true value| >= margin (Schuirmann 1987; Lakens 2017).

    Below 0.05 exactly when the 90 % interval lies inside the band: "fair to within the margin" is
    then shown, not merely "no difference found".
    """
    if not se > 0:
        return math.nan
    return float(special.stdtr(df, -(margin - abs(value)) / se))


def equivalence(
    difference: Estimate, margin: float = MARGIN, alpha: float = 0.05, family: int = 1
) -> State:
    """Three-state verdict on one difference from its target.

    fair: TOST at ``alpha``. unfair: the (1 - alpha) interval, Bonferroni over ``family``, lies
    beyond the margin. unknown: neither, or too few games.
    """
    if difference.n < MIN_GAMES or difference.clusters < MIN_CLUSTERS:
        return UNKNOWN
    if not difference.se > 0:  # always the same outcome: see ``_constant``
        if difference.low > margin or difference.high < -margin:
            return UNFAIR
        within = abs(difference.value) <= margin and USUAL**difference.clusters < alpha
        return FAIR if within else UNKNOWN
    if tost(difference.value, difference.se, difference.df, margin) < alpha:
        return FAIR
    reach = t_value(difference.df, 1 - alpha, family) * difference.se
    return UNFAIR if abs(difference.value) - reach > margin else UNKNOWN


def fairness(
    sums: ArrayLike,
    counts: ArrayLike,
    target: Sequence[float] | None = None,
    margin: float = MARGIN,
    level: float = LEVEL,
    family: int = 1,
) -> Fairness:
    """Verdict on k win shares: fair if *all* are within the margin, unfair if *any* is surely not.

    "All within" is an intersection-union test and needs no correction (Berger 1982); "any beyond"
    is corrected by Bonferroni, as Goodman's intervals are, over ``family`` such verdicts.
    ``sums`` [clusters, k], ``counts`` [clusters] or [clusters, k].
    """
    table, base = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    k = table.shape[1]
    want = tuple(target) if target is not None else (1 / k,) * k
    shares = tuple(goodman(table, base, level))
    test = chi_square(table, base, target)
    gaps = [
        replace(e, value=e.value - w, low=e.low - w, high=e.high - w)
        for e, w in zip(shares, want, strict=True)
    ]
    worst = max(range(k), key=lambda j: abs(gaps[j].value) if gaps[j].n else -1.0)
    states = [equivalence(gap, margin, 1 - level, k * family) for gap in gaps]
    state = UNFAIR if UNFAIR in states else FAIR if all(s == FAIR for s in states) else UNKNOWN
    p_values = [tost(gap.value, gap.se, gap.df, margin) for gap in gaps]
    p_equivalent = math.nan if any(math.isnan(p) for p in p_values) else max(p_values)
    needed = 0 if state != UNKNOWN else _needed_by_any(gaps, margin, level, k * family)
    return Fairness(state, shares, want, margin, worst, p_equivalent, test, needed)


def _needed_by_any(gaps: Sequence[Estimate], margin: float, level: float, family: int) -> int:
    """Games that settle a verdict: the first share shown to be off is enough, "all within" is not."""
    off = [gap for gap in gaps if abs(gap.value) > margin]
    found = [_needed(gap, margin, level, family) for gap in off or gaps]
    return min(found) if off else max(found)


def _needed(gap: Estimate, margin: float, level: float, family: int) -> int:
    """Observations at which this gap would be settled, if the true gap is the one seen."""
    if not gap.se > 0:
        clusters = math.ceil(math.log(1 - level) / math.log(USUAL))
        return max(math.ceil(gap.n / max(gap.clusters, 1) * clusters), MIN_GAMES)
    room = abs(margin - abs(gap.value))
    inside = abs(gap.value) < margin
    quantile = z_value(2 * level - 1) if inside else z_value(level, family)
    factor = (quantile * gap.se / max(room, margin / 20)) ** 2
    return max(int(math.ceil(gap.n * factor)), MIN_GAMES)


@dataclass(frozen=True)
class Decision:
    """What a family of differences lets us say about one of them."""

    state: State  # fair: the same within the margin; unfair: different by more than it
    q: float  # false discovery rate at which "there is a difference at all" would be claimed


def decisions(
    differences: Sequence[Estimate],
    margins: Sequence[float],
    alpha: float = 0.05,
    tuned_for: int = 0,
) -> list[Decision]:
    """Three-state verdicts on a family of differences, false discoveries held at ``alpha``.

    Each difference has three tests: is it 0 (its q-value), is it beyond its margin, is it inside
    (TOST); each kind is corrected over the family (Benjamini & Hochberg 1995). ``tuned_for`` above
    0: the p-values hold at every look at a growing run (see ``anytime_p``).
    """
    usable = [d.clusters >= MIN_CLUSTERS and d.n >= MIN_GAMES for d in differences]
    zero: list[float] = []
    beyond: list[float] = []
    inside: list[float] = []
    for d, margin in zip(differences, margins, strict=True):
        tests = _anytime_tests(d, margin, tuned_for) if tuned_for else _tests(d, margin)
        for family, p_value in zip((zero, beyond, inside), tests, strict=True):
            family.append(p_value)
    alike = [
        0.0 if d.se == 0 and p < alpha else p for d, p in zip(differences, inside, strict=True)
    ]
    q_zero, q_beyond, q_inside = (adjusted(family) for family in (zero, beyond, alike))
    found = []
    for i, enough in enumerate(usable):
        state = UNFAIR if q_beyond[i] < alpha else FAIR if q_inside[i] < alpha else UNKNOWN
        found.append(Decision(state if enough else UNKNOWN, q_zero[i]))
    return found


def _tests(d: Estimate, margin: float) -> tuple[float, float, float]:
    """P-values that a difference is 0, within the margin, and at least the margin."""
    if not math.isfinite(d.se):
        return math.nan, math.nan, math.nan
    if not d.se > 0:
        return _constant(d, margin)
    over = abs(d.value) - margin
    beyond = t_test(over, d.se, d.df) if over > 0 else 1.0
    return t_test(d.value, d.se, d.df), beyond, tost(d.value, d.se, d.df, margin)


def _anytime_tests(d: Estimate, margin: float, tuned_for: int) -> tuple[float, float, float]:
    """The same, valid at every look."""
    if not math.isfinite(d.se):
        return math.nan, math.nan, math.nan
    if not d.se > 0:
        return _constant(d, margin)
    over = abs(d.value) - margin
    beyond = anytime_p(d, over, tuned_for) if over > 0 else 1.0
    inside = anytime_p(d, over, tuned_for) if over < 0 else 1.0
    return anytime_p(d, d.value, tuned_for), beyond, inside


def _constant(d: Estimate, margin: float) -> tuple[float, float, float]:
    """The same where every cluster has the same difference, most often none.

    Were one cluster in a hundred another, seeing none of them would be this rare: 0.99^clusters.
    """
    zero = 1.0 if d.value == 0 else 0.0
    far = abs(d.value) > margin
    return zero, 0.0 if far else 1.0, 1.0 if far else USUAL**d.clusters


# ---------------------------------------------------------------- sizes


def cohen_h(a: float, b: float) -> float:
    """Distance of two proportions on the arcsine scale: 0.2 small, 0.5 medium, 0.8 large."""
    return 2 * math.asin(math.sqrt(a)) - 2 * math.asin(math.sqrt(b))


def odds_ratio(a: float, b: float) -> float:
    """Odds of a against the odds of b."""
    return a / (1 - a) / (b / (1 - b)) if 0 < a < 1 and 0 < b < 1 else math.nan


def cliffs_delta(low_bins: ArrayLike, high_bins: ArrayLike) -> float:
    """P(second > first) - P(second < first) from two histograms over the same rising bins."""
    a, b = np.asarray(low_bins, np.float64), np.asarray(high_bins, np.float64)
    upto = np.cumsum(a)
    below, above = upto - a, a.sum() - upto
    return float(b @ (below - above) / (a.sum() * b.sum()))


def games_to_notice(rate: float, fair: float, level: float = LEVEL) -> int:
    """Games after which a player who keeps score would notice that ``rate`` is not ``fair``.

    The n at which the deviation reaches the half-width of the interval: z² p(1-p) / d².
    """
    gap = rate - fair
    if gap == 0 or not 0 < rate < 1:
        return 0
    return int(math.ceil(z_value(level) ** 2 * rate * (1 - rate) / gap**2))


def half_width(p: float, n: float, level: float = LEVEL) -> float:
    """Half-width of the interval of a share of n independent games."""
    return z_value(level) * math.sqrt(p * (1 - p) / n)


def detectable(
    p: float, n: float, correlation: float = 0.0, power: float = 0.8, level: float = LEVEL
) -> float:
    """Smallest difference of two arms of n games each that would be found with ``power``.

    (z(1-alpha/2) + z(power)) sqrt(2 p(1-p)(1 - r)/n); r is the correlation that pairing achieves.
    """
    reach = z_value(level) + float(special.ndtri(power))
    return reach * math.sqrt(2 * p * (1 - p) * (1 - correlation) / n)


def games_needed(
    p: float, effect: float, correlation: float = 0.0, power: float = 0.8, level: float = LEVEL
) -> int:
    """Games an arm at which a difference of ``effect`` is found with ``power``.

    The inverse of ``detectable``: 2 p(1-p) (1 - r) ((z(1-alpha/2) + z(power)) / effect)².
    """
    reach = z_value(level) + float(special.ndtri(power))
    return int(math.ceil(2 * p * (1 - p) * (1 - correlation) * (reach / effect) ** 2))


def games_for(
    se: float,
    n: float,
    effect: float,
    correlation: float = 0.0,
    power: float = 0.8,
    level: float = LEVEL,
) -> int:
    """Games an arm at which ``effect`` is found, from the error ``se`` of one arm of ``n`` games.

    As ``games_needed``, with the spread that was seen instead of that of independent coins.
    """
    reach = z_value(level) + float(special.ndtri(power))
    return int(math.ceil(n * 2 * (1 - correlation) * (reach * se / effect) ** 2))


def detectable_from(se: float, power: float = 0.8, level: float = LEVEL) -> float:
    """Smallest true effect that an estimate with this standard error finds with ``power``."""
    return (z_value(level) + float(special.ndtri(power))) * se


def confidence_sequence(
    estimate: Estimate, tuned_for: int = 400, level: float = LEVEL
) -> tuple[float, float]:
    """An interval that holds at *every* look at a growing run (Waudby-Smith et al. 2021).

    Asymptotic confidence sequence with a normal mixture, tightest near ``tuned_for`` clusters;
    watching live, stopping early and extending later do not invalidate it.
    """
    t = max(estimate.clusters, 1)
    sd = estimate.se * math.sqrt(t)
    alpha = 1 - level
    rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tuned_for
    half = sd * math.sqrt((t * rho2 + 1) / (t * t * rho2) * math.log((t * rho2 + 1) / alpha**2))
    return estimate.value - half, estimate.value + half


def anytime_p(estimate: Estimate, gap: float, tuned_for: int = 400, level: float = LEVEL) -> float:
    """P-value that ``gap`` is 0, valid at every look: ``confidence_sequence`` turned round.

    The largest alpha whose sequence, with its mixture tuned as there, still holds 0.
    """
    t = max(estimate.clusters, 1)
    variance = estimate.se**2 * t
    if not variance > 0:
        return 1.0 if gap == 0 else 0.0
    return float(anytime_tail(gap, t, variance, tuned_for, level))


def anytime_tail(
    gap: ArrayLike, t: int, variance: ArrayLike, tuned_for: int, level: float = LEVEL
) -> Floats:
    """The formula of ``anytime_p`` for many gaps: means of ``t`` clusters of this variance."""
    alpha = 1 - level
    rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tuned_for
    grown = t * rho2 + 1
    far = (np.asarray(gap, np.float64) * t) ** 2 * rho2 / (2 * np.asarray(variance) * grown)
    return np.asarray(np.minimum(1.0, math.sqrt(grown) * np.exp(-far)), np.float64)


# ---------------------------------------------------------------- response curves


def monotone(values: ArrayLike, weights: ArrayLike) -> tuple[Floats, bool]:
    """Values made monotone by weighted least squares (PAVA, Barlow et al. 1972); True if rising.

    The direction is that of the weighted regression line over the places.
    """
    from scipy.optimize import isotonic_regression

    y, w = np.asarray(values, np.float64), np.asarray(weights, np.float64)
    at = np.arange(len(y)) - np.average(np.arange(len(y)), weights=w)
    rising = bool((w * at) @ y >= 0)
    return isotonic_regression(y, weights=w, increasing=rising).x, rising


def crossing(x: ArrayLike, fitted: ArrayLike, target: float) -> float:
    """Where a monotone curve through (x, fitted) meets ``target``.

    Linear between the points; on a flat stretch at the target its middle. Infinite on the side
    where a curve that goes on would meet it, NaN where the curve is flat and elsewhere.
    """
    at, y = np.asarray(x, np.float64), np.asarray(fitted, np.float64)
    gap = y - target
    level = np.flatnonzero(gap == 0)
    if len(level):
        return float(at[level[0]] + at[level[-1]]) / 2
    change = np.flatnonzero(gap[:-1] * gap[1:] < 0)
    if len(change):
        i = int(change[0])
        return float(at[i] + (at[i + 1] - at[i]) * gap[i] / (gap[i] - gap[i + 1]))
    slope = y[-1] - y[0]
    return -math.copysign(math.inf, gap[0] * slope) if slope != 0 else math.nan


def non_negative(rows: ArrayLike, wanted: ArrayLike) -> Floats:
    """The x [k] without a value below 0 whose product with ``rows`` [m, k] is nearest to ``wanted``.

    Non-negative least squares (Lawson & Hanson 1974).
    """
    found: Floats = optimize.nnls(np.asarray(rows, np.float64), np.asarray(wanted, np.float64))[0]
    return found


# ---------------------------------------------------------------- ratings

PRIOR = 0.5  # games won and lost against an average player before the first real one


def plane(x: ArrayLike, y: ArrayLike, level: float = LEVEL) -> tuple[list[Estimate], float]:
    """Least-squares plane y [n] over x [n, p]: effect of each column from its least to its most.

    Student's intervals from the residuals (Draper & Smith 1998, ch. 5); and R². A column that goes
    with the others (variance inflation above 10: Marquardt 1970) has no effect that could be told
    apart from theirs: NaN. It stays in the plane, so that the others are still compared alike.
    """
    table, values = np.asarray(x, np.float64), np.asarray(y, np.float64)
    n, p = table.shape
    low, span = table.min(0), np.ptp(table, axis=0)
    unit = (table - low) / np.where(span > 0, span, 1.0)
    design = np.column_stack([np.ones(n), unit])
    free = n - int(np.linalg.matrix_rank(design))
    total = float(((values - values.mean()) ** 2).sum())
    none = Estimate(math.nan, math.nan, math.nan, n, 0, math.nan, level)
    if free < 1:
        return [none] * p, math.nan
    solver = np.linalg.pinv(design)
    point = solver @ values
    left = float(((values - design @ point) ** 2).sum())
    errors = np.sqrt(left / free * (solver**2).sum(1))
    reach = t_value(free, level)
    found = [
        Estimate(float(b), float(b - reach * s), float(b + reach * s), n, free + 1, float(s), level)
        if _apart(unit, i)
        else none
        for i, (b, s) in enumerate(zip(point[1:], errors[1:], strict=True))
    ]
    return found, 1 - left / total if total > 0 else math.nan


def _apart(unit: Floats, column: int) -> bool:
    """Whether a column says something that the others do not: variance inflation of 10 at most."""
    own = unit[:, column] - unit[:, column].mean()
    others = np.delete(unit, column, axis=1)
    design = np.column_stack([np.ones(len(own)), others])
    left = own - design @ (np.linalg.pinv(design) @ own)
    return bool(left @ left * MOST_INFLATION >= own @ own > 0)


def plackett_luce(
    fields: ArrayLike, stages: ArrayLike, wins: ArrayLike, tol: float = 1e-6
) -> Floats:
    """Log strengths from full finishing orders, mean 0: Hunter's (2004) MM algorithm.

    An order is a row of stages: who comes home next out of those still racing, with the chance
    strength / sum of strengths. ``fields`` [fields, items]: how many seats of each item were in a
    field; ``stages`` [..., fields]: stages raced in it; ``wins`` [..., items]: stages won. Equals
    win a stage each against the same field (Breslow 1974). ``PRIOR`` stages won and lost against an
    average player keep a sure winner finite (a Gamma prior, Caron & Doucet 2012). Leading axes are
    problems of their own: resamples.
    """
    m, w, won = (np.asarray(x, np.float64) for x in (fields, stages, wins))
    strength = np.ones(won.shape)
    for _ in range(2000):
        due = (w / (strength @ m.T)) @ m + 2 * PRIOR / (strength + 1)
        better = (won + PRIOR) / due
        step = float(np.abs(np.log(better / strength)).max())
        strength = better
        if step < tol:
            break
    log = np.log(strength)
    return log - log.mean(axis=-1, keepdims=True)


def hodge(matrix: ArrayLike) -> tuple[Floats, Floats]:
    """Ratings and cyclic part of skew-symmetric matrices [..., n, n]: combinatorial Hodge.

    On the complete graph the rating is the row mean; what its differences leave has no gradient
    part and runs in circles, as rock-paper-scissors does (Jiang, Lim, Yao & Ye 2011; Balduzzi et
    al. 2018). Squares add up: |matrix|² = |gradient|² + |cyclic|².
    """
    a = np.asarray(matrix, np.float64)
    ratings = a.mean(-1)
    return ratings, a - (ratings[..., :, None] - ratings[..., None, :])


def cyclic_share(matrix: ArrayLike, resampled: ArrayLike) -> tuple[float, Floats]:
    """Part of a skew-symmetric matrix that runs in circles: 0 a ladder, 1 rock-paper-scissors.

    Noise looks cyclic, too: its part is known from resamples [r, n, n] and taken out, once from the
    estimate and twice from each resample, which carries it twice. The resamples' shares come along.
    """
    a, draws = np.asarray(matrix, np.float64), np.asarray(resampled, np.float64)
    circles, of_draws = hodge(a)[1], hodge(draws)[1]
    noise = float(((of_draws - circles) ** 2).sum((-1, -2)).mean())
    noise_all = float(((draws - a) ** 2).sum((-1, -2)).mean())

    def part(cyclic: Floats, whole: Floats, times: int) -> Floats:
        square = (whole**2).sum((-1, -2)) - times * noise_all
        known = np.maximum((cyclic**2).sum((-1, -2)) - times * noise, 0.0)
        return np.clip(np.where(square > 0, known / np.where(square > 0, square, 1.0), 0.0), 0, 1)

    return float(part(circles, a, 1)), part(of_draws, draws, 2)


def extent(
    values: ArrayLike, resampled: ArrayLike, level: float = LEVEL
) -> tuple[float, float, float]:
    """Largest less smallest of several estimates, and its interval: how long their ladder is.

    Noise alone makes it longer. Resamples [r, n] carry that noise once more, so their excess is taken
    off the value, and the interval is theirs, reflected (basic bootstrap, Davison & Hinkley 1997,
    ch. 5). It begins at 0 where equals would lie as far apart in one run of twenty (``level``).
    """
    points, drawn = np.asarray(values, np.float64), np.asarray(resampled, np.float64)
    whole, draws = float(np.ptp(points)), np.ptp(drawn, axis=-1)
    tail = (1 - level) / 2
    far, near = np.quantile(draws, [1 - tail, tail])
    equals = float(np.quantile(np.ptp(drawn - points, axis=-1), level))
    low = max(2 * whole - float(far), 0.0) if whole > equals else 0.0
    value = max(2 * whole - float(draws.mean()), 0.0)
    return value, low, max(2 * whole - float(near), value)


def log_odds(ahead: ArrayLike, meetings: ArrayLike) -> Floats:
    """Log odds of being ahead, half a win and half a loss added so that none is infinite."""
    won, met = np.asarray(ahead, np.float64), np.asarray(meetings, np.float64)
    return np.log((won + 0.5) / (met - won + 0.5))


def equilibrium(payoff: ArrayLike) -> Floats:
    """The mix of a symmetric zero-sum game that no answer beats, weights [n] with sum 1.

    ``payoff`` [n, n], skew-symmetric: what the row wins off the column. The maximin mix by linear
    programming (von Neumann 1928; Dantzig 1951). Of several such mixes it is one.
    """
    a = np.asarray(payoff, np.float64)
    n = len(a)
    found = optimize.linprog(
        np.r_[np.zeros(n), -1.0],  # the value, as large as possible
        A_ub=np.c_[-a.T, np.ones(n)],
        b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(n), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs",
    )
    weights = np.clip(found.x[:n], 0.0, None)
    return weights / weights.sum()


# ---------------------------------------------------------------- merging


def merge(frames: Iterable[pl.DataFrame], keys: Sequence[str]) -> pl.DataFrame:
    """Add frames of integer sums that share ``keys``: any order, any cut, the same result.

    Integers are exact up to 2**63, so no order of workers can move a bit.
    """
    import polars as pl

    stacked = pl.concat(list(frames), how="vertical")
    wrong = [n for n, t in stacked.schema.items() if n not in keys and not t.is_integer()]
    if wrong:
        raise TypeError(f"only integer sums merge exactly, not {', '.join(wrong)}")
    return stacked.group_by(keys).agg(pl.exclude(list(keys)).sum()).sort(keys)
