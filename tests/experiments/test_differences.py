"""The statistics under all experiments: pairing, families of verdicts, looks at a growing run."""

from __future__ import annotations

import numpy as np
import pytest

from reports import estimates
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate
from reports.experiments import margins
from simulate.errors import PlanError

RNG = np.random.default_rng(12)


def change(value: float, se: float, n: int = 5000, clusters: int = 512) -> Estimate:
    half = 1.96 * se
    return Estimate(value, value - half, value + half, n, clusters, se)


# ---------------------------------------------------------------- pairing


def test_with_equal_counts_it_is_the_paired_estimate():
    counts = RNG.integers(5, 9, 200).astype(float)
    luck = RNG.normal(size=200)
    a, b = (counts * (3 + luck + RNG.normal(0, 0.3, 200)) for _ in "ab")
    one, other = (
        estimates.paired_ratio(a, counts, b, counts),
        estimates.paired(a, b, counts),
    )

    assert one.difference.value == pytest.approx(other.difference.value)
    assert one.difference.se == pytest.approx(other.difference.se)
    assert one.correlation == pytest.approx(other.correlation)
    assert one.saving == pytest.approx(other.saving)


def test_equal_arms_differ_by_exactly_nothing():
    counts = RNG.integers(5, 9, 200).astype(float)
    sums = RNG.normal(size=200)
    pair = estimates.paired_ratio(sums, counts, sums, counts)

    assert pair.difference.value == 0.0
    assert pair.difference.se == 0.0
    assert (pair.difference.low, pair.difference.high) == (0.0, 0.0)


def test_other_counts_are_weighted_right():
    """Arm B plays twice as many games in every block."""
    n = np.full(300, 4.0)
    luck = RNG.normal(size=300)
    a, b = n * (luck + 1), 2 * n * (luck + 1.5)
    pair = estimates.paired_ratio(b, 2 * n, a, n)

    assert pair.difference.value == pytest.approx(0.5)
    assert pair.difference.se == pytest.approx(0, abs=1e-9)
    assert pair.correlation == pytest.approx(1)


def test_too_few_clusters_have_no_interval():
    assert np.isnan(estimates.paired_ratio([1.0], [1.0], [2.0], [1.0]).difference.se)
    assert estimates.paired_ratio([], [], [], []).difference.n == 0


def test_paired_intervals_cover():
    held = 0
    for _ in range(400):
        n, m = RNG.integers(3, 6, 100), RNG.integers(3, 6, 100)
        luck = RNG.normal(size=100)
        a, b = n * luck + RNG.normal(0, 1, 100), m * (luck + 0.2) + RNG.normal(0, 1, 100)
        found = estimates.paired_ratio(b, m, a, n).difference
        held += found.low <= 0.2 <= found.high
    assert 365 <= held <= 394


# ---------------------------------------------------------------- verdicts


def test_three_states():
    cases = [
        (change(0.001, 0.001), FAIR),
        (change(0.03, 0.002), UNFAIR),
        (change(-0.03, 0.002), UNFAIR),
        (change(0.012, 0.004), UNKNOWN),
        (change(0.0, 0.02), UNKNOWN),
        (change(0.5, 0.001, n=100), UNKNOWN),
        (change(0.5, 0.001, clusters=10), UNKNOWN),
    ]

    for difference, state in cases:
        assert estimates.decisions([difference], [0.01])[0].state == state


def test_differences_without_spread():
    still = [change(0.0, 0.0), change(0.0, 0.0, clusters=200), change(0.2, 0.0)]
    found = estimates.decisions(still, [0.01] * 3)

    assert [d.state for d in found] == [FAIR, UNKNOWN, UNFAIR]
    assert [d.q for d in found] == [1.0, 1.0, 0.0]


def test_one_sided_family_is_corrected():
    """Twenty true nulls and p near 0.04: alone one would call it a difference, among them not."""
    lone = change(2.06e-3, 1e-3)
    family = [lone, *(change(1e-4, 1e-3) for _ in range(20))]

    assert estimates.decisions([lone], [0.0])[0].q < 0.05
    assert estimates.decisions(family, [0.0] * 21)[0].q > 0.5


def test_false_discoveries_are_held():
    """Half of 40 measures differ beyond the margin: of those called different few do not."""
    wrong = called = 0
    for _ in range(200):
        truth = np.r_[np.full(20, 0.01), np.full(20, 0.03)]
        seen = truth + RNG.normal(0, 0.005, 40)
        found = estimates.decisions([change(v, 0.005) for v in seen], [0.01] * 40)
        states = np.array([d.state == UNFAIR for d in found])
        called += states.sum()
        wrong += states[:20].sum()
    assert called > 2000
    assert wrong / called < 0.06


# ---------------------------------------------------------------- looks


def test_p_value_of_a_sequence_is_where_its_interval_ends():
    e = change(0.02, 0.01, clusters=900)
    for level in (0.95,):
        low, _ = estimates.confidence_sequence(e, 500, level)
        edge = e.value - low
        assert estimates.anytime_p(e, edge, 500, level) == pytest.approx(1 - level, rel=1e-6)
    assert estimates.anytime_p(e, 0.0, 500) == 1.0


def false_alarms(trials: int) -> float:
    """How often a walk without drift is ever called different, looked at eight times."""
    alarms = 0
    looks = [64 * 2**i for i in range(8)]
    for _ in range(trials):
        steps = RNG.normal(size=looks[-1])
        for blocks in looks:
            seen = steps[:blocks]
            e = change(float(seen.mean()), float(seen.std(ddof=1) / blocks**0.5), clusters=blocks)
            if estimates.decisions([e], [0.0], tuned_for=512)[0].state == UNFAIR:
                alarms += 1
                break
    return alarms / trials


def test_looking_often_raises_no_false_alarms():
    assert false_alarms(150) <= 0.08


@pytest.mark.slow
def test_looking_often_raises_false_alarms_in_five_percent_at_most():
    assert false_alarms(3000) <= 0.055


# ---------------------------------------------------------------- margins


def test_margins_are_read():
    found = margins.read(["0.5pp", "3%", "rounds=0.2", "win_rate=2pp", "score=5%"], 0.01, 0.02)

    assert (found.share, found.relative) == (0.005, 0.03)
    assert dict(found.own) == {
        "rounds": (0.2, False), "win_share": (0.02, False), "score": (0.05, True),
    }  # fmt: skip


@pytest.mark.parametrize("text", ["1", "pp", "rounds=x", "=3", ""])
def test_what_is_no_margin_is_told(text):
    with pytest.raises(PlanError, match="--margin"):
        margins.read([text], 0.01, 0.02)


# ---------------------------------------------------------------- words


def test_numbers_are_called_as_the_report_calls_them(toy, tmp_path):
    from reports.experiments import quantities
    from simulate import api

    run = api.run("toy", n=30, out=tmp_path / "run")
    labels = {q.measure: q.label for q in quantities.read(run) if not q.by}

    assert labels["truncated"] == "not finished"
    assert "winner_seat" not in labels
