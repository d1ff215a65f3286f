"""Bootstrap quantiles and lengths with cut games."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight

from reports import lengths, resampling


def test_quantile_of_a_histogram_is_the_inverse_of_its_distribution():
    """Counts 1, 2, 1 over 10, 20, 30."""
    counts, values = [1, 2, 1], [10, 20, 30]

    found = [
        float(resampling.histogram_quantile(counts, values, q)) for q in (0.1, 0.25, 0.5, 0.76, 1)
    ]

    assert found == [10, 10, 20, 30, 30]


def test_median_interval_is_close_to_the_order_statistics():
    """Independent games: the binomial interval of the median."""
    x = np.random.default_rng(1).gamma(4, 5, 2001).round()
    table, values = resampling.block_histograms(x, np.arange(2001))
    low, high = np.sort(x)[[int(stats.binom.ppf(q, 2001, 0.5)) for q in (0.025, 0.975)]]

    found = resampling.quantile(table, values)

    assert found.value == np.quantile(x, 0.5, method="inverted_cdf")
    assert abs(found.low - low) <= 1
    assert abs(found.high - high) <= 1


def test_bootstrap_is_the_same_every_time():
    """A report's numbers never change between two builds."""
    table = np.random.default_rng(2).poisson(3, (100, 40))

    assert resampling.quantile(table, np.arange(40)) == resampling.quantile(table, np.arange(40))


def test_bootstrap_of_a_mean_agrees_with_the_formula():
    """Any statistic of weighted clusters."""
    x = np.random.default_rng(3).normal(10, 2, 400)

    found = resampling.bootstrap(lambda w: w @ x / w.sum(1), 400, 400)

    assert found.se == pytest.approx(x.std(ddof=1) / 20, rel=0.07)


def test_memory_does_not_grow_with_games():
    """512 groups stand for any number of games."""
    weights = next(resampling.poisson_weights(512))

    assert weights.nbytes < 2_000_000


def test_gini():
    """All equal is 0, one has all is (n - 1)/n."""
    assert resampling.gini([3, 3, 3]) == pytest.approx(0)
    assert resampling.gini([0, 0, 0, 9]) == pytest.approx(0.75)
    assert math.isnan(resampling.gini([]))


def test_kaplan_meier_is_that_of_statsmodels():
    """Curve and Greenwood's error."""
    rng = np.random.default_rng(4)
    time = rng.integers(5, 40, 500)
    ended = rng.random(500) < 0.8
    values = np.unique(time)
    wanted = SurvfuncRight(time, ended.astype(int))

    curve = lengths.kaplan_meier(
        values,
        [(ended & (time == t)).sum() for t in values],
        [(~ended & (time == t)).sum() for t in values],
    )

    shown = np.isin(values, wanted.surv_times)
    assert curve.survival[shown] == pytest.approx(wanted.surv_prob)
    assert curve.quantile(0.5).value == wanted.quantile(0.5)
    assert (curve.low <= curve.survival).all()
    assert (curve.high >= curve.survival).all()
    assert (curve.ended, curve.cut) == (int(ended.sum()), int((~ended).sum()))


def test_median_is_unknown_when_most_games_are_cut():
    """Dropping them would make up a median."""
    curve = lengths.kaplan_meier([10, 400], [20, 0], [0, 80])

    assert math.isnan(curve.quantile(0.5).value)
    assert curve.quantile(0.1).value == 10
