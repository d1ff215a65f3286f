"""Shares of true values above a threshold, with the noise taken out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.deconvolution import MIN_VALUES, share_above, shrunken


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


# ---------------------------------------------------------------- the best of many


def _best(truth, error, rng):
    """(looks like, shrunken, is) of the best-looking of many."""
    x = truth + rng.normal(0, error, len(truth))
    best = int(x.argmax())
    return x[best], shrunken(x, np.full(len(x), error))[best], truth[best]


@pytest.mark.parametrize(
    ("shape", "left"),
    [
        ("the same", 0.2),
        ("normal", 0.15),
        ("mostly worse", 0.2),
        ("a few better", 0.15),
    ],
)
def test_the_best_of_many_is_shrunk_to_what_it_is_worth(shape, left):
    """Of 64 versions, whatever their true values, hardly any of the best one's luck is left."""
    rng = np.random.default_rng(5)
    draw = {
        "the same": lambda: np.zeros(64),
        "normal": lambda: rng.normal(0, 1, 64),
        "mostly worse": lambda: -rng.exponential(3, 64),
        "a few better": lambda: np.where(rng.random(64) < 0.1, 2.0, 0.0),
    }[shape]
    looks, shrunk, is_ = np.array([_best(draw(), 1.0, rng) for _ in range(300)]).T

    assert (looks - is_).mean() > 1.4
    assert abs((shrunk - is_).mean()) < left * (looks - is_).mean()
    assert ((shrunk - is_) ** 2).mean() < 0.5 * ((looks - is_) ** 2).mean()


def test_what_is_surely_known_is_not_shrunk():
    assert shrunken([0.1, 0.2, 0.5], [0, 0, 0]).tolist() == [0.1, 0.2, 0.5]
    assert shrunken([0.1, 0.2, 0.5], [1e-4] * 3) == pytest.approx([0.1, 0.2, 0.5], abs=2e-3)


@pytest.mark.parametrize("values", [[], [0.3], [0.3, 0.3]])
def test_nothing_to_compare_leaves_values_as_they_are(values):
    assert shrunken(values, [0.1] * len(values)).tolist() == values


def test_the_worse_known_is_shrunk_more():
    """Two that look alike: the one with the larger error goes further to the others."""
    values = [0.0] * 30 + [1.0, 1.0]
    found = shrunken(values, [0.3] * 30 + [0.05, 0.6])

    assert found[-2] > 0.9 > found[-1]
