"""Do the intervals hold what they promise? By simulation: slow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports import estimates as e
from reports import resampling

pytestmark = pytest.mark.slow
REPEATS = 2000
# four standard errors of a coverage of 95 % over REPEATS repeats
SLACK = 4 * math.sqrt(0.95 * 0.05 / REPEATS)


def clustered_wins(rng: np.random.Generator, clusters: int, size: int, p: float) -> np.ndarray:
    """Wins of clusters of games that share their luck (beta-binomial, intraclass correlation 0.1)."""
    a = p * 9
    return rng.binomial(size, rng.beta(a, 9 - a, clusters))


@pytest.mark.parametrize("p", [0.02, 0.25, 0.5])
def test_share_of_clustered_games_covers(p):
    """Shared dice make the plain interval too narrow; this one holds."""
    rng = np.random.default_rng(1)
    inside = plain = 0
    for _ in range(REPEATS):
        won = clustered_wins(rng, 120, 10, p)
        found = e.share(won, np.full(120, 10))
        inside += found.low <= p <= found.high
        low, high = e.wilson(won.sum(), 1200)
        plain += low <= p <= high
    assert inside / REPEATS > 0.95 - SLACK - 0.01
    assert plain / REPEATS < 0.92


def test_goodman_covers_all_seats_together():
    """Four seats at once, in clusters."""
    rng = np.random.default_rng(2)
    p = np.array([0.28, 0.25, 0.24, 0.23])
    inside = 0
    for _ in range(REPEATS):
        won = np.array([rng.multinomial(8, row) for row in rng.dirichlet(p * 30, 100)])
        found = e.goodman(won, np.full(100, 8))
        inside += all(x.low <= q <= x.high for x, q in zip(found, p, strict=True))
    assert inside / REPEATS > 0.95 - SLACK - 0.01


def test_paired_differences_cover_and_need_fewer_games():
    """Common random numbers: same coverage, narrower."""
    rng = np.random.default_rng(3)
    inside, width, wide = 0, 0.0, 0.0
    for _ in range(REPEATS):
        luck = rng.normal(size=80)
        a, b = luck + rng.normal(0.2, 0.5, 80), luck + rng.normal(0, 0.5, 80)
        found = e.paired(a, b, np.ones(80)).difference
        inside += found.low <= 0.2 <= found.high
        width += found.half
        wide += e.unpaired(e.ratio(a, np.ones(80)), e.ratio(b, np.ones(80))).half
    assert abs(inside / REPEATS - 0.95) < SLACK + 0.005
    assert width < 0.6 * wide


def test_chi_square_holds_its_level_on_clusters():
    """An exactly even game is called uneven in 5 % of runs, not in 30 %."""
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(REPEATS):
        won = np.array([rng.multinomial(8, row) for row in rng.dirichlet([7.5] * 4, 100)])
        found += e.chi_square(won, np.full(100, 8)).p_value < 0.05
    assert found / REPEATS < 0.05 + SLACK + 0.01


def test_verdicts_err_rarely_at_the_margin():
    """At exactly the margin neither 'fair' nor 'not fair' may be said often."""
    rng = np.random.default_rng(5)
    p = np.array([0.26, 0.25, 0.245, 0.245])
    states = [
        e.fairness(won, won.sum(1)).state
        for won in (rng.multinomial(40, p, 512) for _ in range(REPEATS))
    ]
    assert states.count("fair") / REPEATS < 0.05 + SLACK
    assert states.count("unfair") / REPEATS < 0.05 + SLACK


def test_median_bootstrap_covers():
    """Percentile interval of a median over clusters."""
    rng = np.random.default_rng(6)
    truth = np.median(rng.gamma(4, 10, 1_000_000).round())
    inside = 0
    repeats = 400
    for _ in range(repeats):
        x = rng.gamma(4, 10, 600).round()
        table, values = resampling.block_histograms(x, np.arange(600))
        found = resampling.quantile(table, values, resamples=500)
        inside += found.low <= truth <= found.high
    assert inside / repeats > 0.95 - 4 * math.sqrt(0.95 * 0.05 / repeats)


def test_confidence_sequence_survives_looking_a_hundred_times():
    """100 looks at a fair coin give 38 % false alarms with a 5 % test, here at most 5 %."""
    rng = np.random.default_rng(7)
    alarms = naive = 0
    repeats = 400
    for _ in range(repeats):
        x = rng.random(10_000) < 0.5
        for n in range(100, 10_001, 100):
            found = e.ratio(x[:n], np.ones(n))
            low, high = e.confidence_sequence(found)
            if not found.low <= 0.5 <= found.high:
                naive += 1
                break
        for n in range(100, 10_001, 100):
            low, high = e.confidence_sequence(e.ratio(x[:n], np.ones(n)))
            if not low <= 0.5 <= high:
                alarms += 1
                break
    assert alarms / repeats < 0.05 + 4 * math.sqrt(0.05 * 0.95 / repeats)
    assert naive / repeats > 0.2


def test_control_variate_does_not_move_the_mean():
    """The same estimate with and without, over 200 replicates (SimC #281)."""
    rng = np.random.default_rng(8)
    plain, controlled = [], []
    for _ in range(200):
        luck = rng.normal(size=300)
        y = 5 + luck + rng.normal(0, 0.5, 300)
        plain.append(e.ratio(y, np.ones(300)).value)
        controlled.append(e.control_variate(y, luck, np.ones(300), 0.0).value)
    gap = np.array(controlled) - 5
    assert abs(gap.mean()) < 4 * gap.std() / math.sqrt(200)
    assert np.std(controlled) < 0.6 * np.std(plain)
