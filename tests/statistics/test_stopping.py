"""Estimates of runs that stop when they are decided: the raw one is biased, the corrected is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reports import estimates as e
from reports import stopping

LOOKS = (64, 128, 256, 512, 1024)
TUNED = 512


def rule(margins, decides=None, looks=LOOKS):
    margins = np.asarray(margins, np.float64)
    decides = np.ones(len(margins), np.bool_) if decides is None else np.asarray(decides)
    return stopping.Rule(looks, margins, decides, TUNED)


def grown(truth, wanted, seed, spread=1.0):
    """A run that grows until it is decided: what it shows, and the blocks at its end."""
    rng = np.random.default_rng(seed)
    truth = np.asarray(truth, np.float64)
    total, before = np.zeros(len(truth)), 0
    for now in wanted.blocks:
        step = now - before
        total = total + truth * step + rng.normal(0, spread * np.sqrt(step), len(truth))
        before = now
        means = (total / now)[None]
        if stopping.decided(means, now, np.full(len(truth), spread), wanted)[0][
            wanted.decides
        ].all():
            break
    return total / before, before


def biases(truth, repeats, runs):
    """Mean error of the raw and of the corrected estimate, and their spread."""
    wanted = rule([0.05])
    raw, right, ends = [], [], []
    for seed in range(runs):
        seen, end = grown([truth], wanted, [seed, 7])
        fixed = stopping.corrected(seen, [1.0], np.eye(1), wanted, repeats)
        raw.append(seen[0] - truth)
        right.append(fixed[0] - truth)
        ends.append(end)
    return np.array(raw), np.array(right), np.array(ends)


def check(truth, repeats, runs):
    """Where most runs stop before the cap."""
    raw, right, ends = biases(truth, repeats, runs)
    error = raw.std() / np.sqrt(runs)
    print(f"true {truth}: raw {raw.mean():+.4f}, corrected {right.mean():+.4f} (± {2 * error:.4f}), "
          f"stopped early {np.mean(ends < LOOKS[-1]):.0%}")  # fmt: skip
    assert np.mean(ends < LOOKS[-1]) > 0.6
    assert raw.mean() > 4 * error
    assert abs(right.mean()) < 0.4 * raw.mean() + error
    assert np.sqrt((right**2).mean()) < 1.05 * np.sqrt((raw**2).mean())


def test_the_raw_value_is_too_large_and_the_corrected_one_less_so():
    check(0.25, 200, 400)


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.2, 0.25, 0.35])
def test_correction_over_many_runs(truth):
    check(truth, 1000, 4000)


def check_middle(truth, repeats, runs):
    """Too high as often as too low, where the raw value is mostly too high."""
    wanted = rule([0.05])
    raw, middle = [], []
    for seed in range(runs):
        seen, _ = grown([truth], wanted, [seed, 7])
        raw.append(seen[0] > truth)
        middle.append(stopping.middle(seen, [1.0], np.eye(1), wanted, repeats)[0] > truth)
    error = 0.5 / np.sqrt(runs)
    print(f"true {truth}: above it raw {np.mean(raw):.1%}, middle {np.mean(middle):.1%}")
    assert np.mean(raw) > 0.5 + 2 * error
    assert abs(np.mean(middle) - 0.5) < 2.5 * error


def test_the_middle_value_is_too_high_as_often_as_too_low():
    check_middle(0.25, 200, 400)


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.2, 0.25, 0.35])
def test_middle_over_many_runs(truth):
    check_middle(truth, 1000, 4000)


def test_the_middle_of_a_run_that_cannot_stop_is_what_was_seen():
    wanted = rule([0.05, 0.05], looks=(1024,))
    found = stopping.middle([0.3, 0.0], [1.0, 0.0], np.eye(2), wanted)

    assert found[0] == pytest.approx(0.3, abs=0.002)
    assert found[1] == 0.0


def test_the_middle_turns_with_the_sign():
    wanted = rule([0.05])
    up, down = (stopping.middle([v], [1.0], np.eye(1), wanted)[0] for v in (0.3, -0.3))

    assert up == pytest.approx(-down, abs=0.002)
    assert 0 < up < 0.3


def test_a_run_that_cannot_stop_is_not_corrected():
    """One look, the cap."""
    wanted = rule([0.05], looks=(1024,))

    assert stopping.corrected([0.3], [1.0], np.eye(1), wanted)[0] == pytest.approx(0.3)


def test_the_sign_turns_with_the_difference():
    wanted = rule([0.05])
    up, down = (stopping.corrected([v], [1.0], np.eye(1), wanted)[0] for v in (0.3, -0.3))

    assert up == pytest.approx(-down)
    assert 0 < up < 0.3


def test_measures_that_do_not_decide_are_moved_by_what_hangs_with_them():
    """The second is not asked for; alone it would stay, with the first it moves along."""
    wanted = rule([0.05, 0.05], [True, False])
    seen = [0.3, 0.3]
    alone = stopping.corrected(seen, [1.0, 1.0], np.eye(2), wanted)
    tied = stopping.corrected(seen, [1.0, 1.0], np.array([[1, 0.9], [0.9, 1]]), wanted)

    assert alone[1] == pytest.approx(0.3, abs=0.006)
    assert tied[1] < 0.3 - 0.5 * (0.3 - tied[0])


def test_what_never_varies_stays():
    found = stopping.corrected([0.3, 0.0], [1.0, 0.0], np.eye(2), rule([0.05, 0.05]))

    assert found[1] == 0.0
    assert found[0] < 0.3


@pytest.mark.parametrize("seed", range(6))
def test_runs_are_drawn_by_the_rule_of_the_verdicts(seed):
    """Decided here and decided by ``estimates.decisions`` are the same, constant measures too."""
    rng = np.random.default_rng(seed)
    means = rng.normal(0, 0.15, 12)
    spreads = rng.uniform(0.5, 1.5, 12)
    means[:2], spreads[:2] = (0.0, 0.2), 0.0
    margins = np.full(12, 0.05)
    blocks = 1024
    here = stopping.decided(means[None], blocks, spreads, rule(margins))[0]
    differences = [
        replace(e.NOTHING, value=m, n=4096, clusters=blocks, se=s / np.sqrt(blocks))
        for m, s in zip(means, spreads, strict=True)
    ]
    there = e.decisions(differences, list(margins), tuned_for=TUNED)

    assert here.tolist() == [d.state != e.UNKNOWN for d in there]
    assert 2 < here.sum() < 12
