"""Shares of true values above a threshold, with the noise taken out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.deconvolution import MIN_VALUES, share_above


def drawn(seed, n=600, error=0.06):
    """True values: a share 0.6 are 0, the others exponential with mean 0.08."""
    rng = np.random.default_rng(seed)
    true = np.where(rng.random(n) < 0.6, 0.0, rng.exponential(0.08, n)).clip(0, 1)
    se = rng.uniform(error / 2, error, n)
    return true + rng.normal(0, se), se, np.arange(n) // 6


def test_exact_values_are_counted():
    values = np.repeat([0.0, 0.2], [70, 30])
    found = share_above(values, np.full(100, 1e-4), np.ones(100), np.arange(100), 0.05)

    assert found.value == pytest.approx(0.3, abs=1e-6)
    assert found.low < 0.3 < found.high


def test_weights_count():
    values = np.repeat([0.0, 0.2], [50, 50])
    weights = np.repeat([3.0, 1.0], [50, 50])
    found = share_above(values, np.full(100, 1e-4), weights, np.arange(100), 0.05)

    assert found.value == pytest.approx(0.25, abs=1e-6)


def test_pure_noise_is_hardly_counted():
    """Counting would say more than a quarter."""
    rng = np.random.default_rng(3)
    x = rng.normal(0, 0.08, 600)
    found = share_above(x, np.full(600, 0.08), np.ones(600), np.arange(600) // 6, 0.05)

    assert (x > 0.05).mean() > 0.25
    assert found.value < 0.1


def test_planted_shares_lie_in_the_interval():
    truth = 0.4 * math.exp(-0.05 / 0.08)
    found = [
        share_above(x, se, np.ones(len(x)), group, 0.05) for x, se, group in map(drawn, range(12))
    ]

    assert sum(e.low <= truth <= e.high for e in found) >= 11


def test_too_few_values_say_nothing():
    n = MIN_VALUES - 1
    found = share_above(np.zeros(n), np.ones(n), np.ones(n), np.arange(n), 0.05)

    assert found.n == 0
    assert math.isnan(found.value)
