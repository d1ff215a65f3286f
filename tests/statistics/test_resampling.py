"""Bootstrap quantiles and lengths with cut games."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight

from reports import lengths, resampling, targeting


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


def test_two_hits_of_a_game_on_the_same_seat():
    """Seat 0 throws three at seat 1; in another game everybody is hit once by somebody else."""
    found = targeting.same_victim([[3, 0, 0, 0], [1, 1, 1, 1]], [[0, 3, 0, 0], [1, 1, 1, 1]])

    assert found[0].tolist() == [6, 6, 6 * 9, 6 * 3]  # by lot one of three others: a third
    assert found[1].tolist() == [12, 0, 12 * 9, 12 * 2]  # by lot 2/9: neither may hit himself


def test_victims_by_lot_are_as_uneven_as_lot_says():
    """However many hits there are: a handful, or many."""
    rng = np.random.default_rng(1)
    for throws in (2, 3, 12):
        dealt, taken = np.zeros((2, 4000, 4), int)
        for game in range(4000):
            for _ in range(throws):
                seat = rng.integers(4)
                dealt[game, seat] += 1
                taken[game, rng.choice([s for s in range(4) if s != seat])] += 1
        pairs, same, lot_pairs, lot_same = targeting.same_victim(dealt, taken).sum(0)

        assert same / pairs == pytest.approx(lot_same / lot_pairs, abs=0.015)


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


def _curve_of_blocks(rng, alike):
    """Games in blocks of eight that have all the same length, or each its own."""
    blocks = rng.integers(5, 15, 60).repeat(8) if alike else rng.integers(5, 15, 480)
    table = np.zeros((60, 10))
    np.add.at(table, (np.arange(480) // 8, blocks - 5), 1)
    cut = np.zeros_like(table)
    cut[:, -1] = table[:, -1]
    table[:, -1] = 0
    return lengths.kaplan_meier(np.arange(5, 15), table, cut)


def test_games_that_share_dice_are_no_games_of_their_own():
    """480 games of 60 blocks that end alike tell as much as 60 games."""
    rng = np.random.default_rng(2)
    wide, plain = (_curve_of_blocks(rng, alike) for alike in (True, False))
    half = [float((curve.high - curve.low)[4]) for curve in (wide, plain)]

    assert half[0] / half[1] == pytest.approx(np.sqrt(8), rel=0.2)


def test_clusters_of_one_game_are_greenwoods():
    rng = np.random.default_rng(3)
    table = np.zeros((400, 10))
    table[np.arange(400), rng.integers(0, 10, 400)] = 1
    cut = table * (rng.random((400, 1)) < 0.2)
    one = lengths.kaplan_meier(np.arange(10), table - cut, cut)
    plain = lengths.kaplan_meier(np.arange(10), (table - cut).sum(0), cut.sum(0))

    assert one.survival == pytest.approx(plain.survival)
    assert one.low[:-1] == pytest.approx(plain.low[:-1], abs=2e-3)


def test_median_is_unknown_when_most_games_are_cut():
    """Dropping them would make up a median."""
    curve = lengths.kaplan_meier([10, 400], [20, 0], [0, 80])

    assert math.isnan(curve.quantile(0.5).value)
    assert curve.quantile(0.1).value == 10
