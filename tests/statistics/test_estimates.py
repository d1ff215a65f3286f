"""Estimates against known values and against other libraries (``docs/statistics.md``)."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import multinomial_proportions_confint, proportion_confint

from reports import estimates as e


def shares_by_game(n: int, p: list[float], seed: int = 1) -> np.ndarray:
    """Winner of n games as rows of 0 and 1."""
    rng = np.random.default_rng(seed)
    return np.eye(len(p))[rng.choice(len(p), n, p=p)]


# ---------------------------------------------------------------- proportions


@pytest.mark.parametrize(("x", "n"), [(0, 20), (1, 20), (10, 40), (39, 40), (500, 2000)])
def test_wilson_and_jeffreys_are_those_of_statsmodels(x, n):
    """Two textbook intervals."""
    assert e.wilson(x, n) == pytest.approx(proportion_confint(x, n, method="wilson"), abs=1e-9)
    if 0 < x < n:
        assert e.jeffreys(x, n) == pytest.approx(proportion_confint(x, n, method="jeffreys"))


def test_jeffreys_ends_at_zero_and_one():
    """A rate of nothing has no lower end above 0."""
    assert e.jeffreys(0, 50)[0] == 0
    assert e.jeffreys(50, 50)[1] == 1


def test_proportion_takes_jeffreys_in_the_tails():
    """Three stuck games in a thousand are a tail, 300 are not."""
    assert (e.proportion(3, 1000).low, e.proportion(3, 1000).high) == e.jeffreys(3, 1000)
    assert (e.proportion(300, 1000).low, e.proportion(300, 1000).high) == e.wilson(300, 1000)


# ---------------------------------------------------------------- clusters


def test_ratio_of_single_games_is_the_plain_mean_with_students_interval():
    """Clusters of one are independent observations."""
    x = np.random.default_rng(2).normal(19, 3, 400)
    low, high = stats.t.interval(0.95, 399, loc=x.mean(), scale=x.std(ddof=1) / 20)

    found = e.ratio(x, np.ones(400))

    assert found.value == pytest.approx(x.mean())
    assert (found.low, found.high) == pytest.approx((low, high))


def test_cluster_error_counts_copies_of_one_game_as_one():
    """Ten copies of each game tell nothing new."""
    x = np.random.default_rng(3).normal(size=300)

    assert e.cluster_se(10 * x, np.full(300, 10)) == pytest.approx(e.cluster_se(x, np.ones(300)))


def test_groups_of_blocks_give_the_error_of_blocks():
    """512 groups of whole blocks estimate the same error as 50,000 blocks, within their own noise."""
    rng = np.random.default_rng(4)
    block = rng.normal(size=50_000)
    group = np.arange(50_000) % 512
    sums, counts = np.bincount(group, block), np.bincount(group)

    assert e.cluster_se(sums, counts) == pytest.approx(
        e.cluster_se(block, np.ones(50_000)), rel=0.1
    )


def test_share_with_independent_games_is_wilson():
    """Without clustering the effective size is the number of games."""
    x = (np.random.default_rng(5).random(3000) < 0.3).astype(float)
    low, high = e.wilson(x.sum(), 3000)

    found = e.share(x, np.ones(3000))

    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_share_of_nothing_and_of_everything_keeps_an_interval():
    """±nan at 0 or 100 % is a bug that others shipped (cutechess #881)."""
    none, all_ = e.share(np.zeros(200), np.ones(200)), e.share(np.ones(200), np.ones(200))

    assert (none.value, none.low) == (0, 0)
    assert 0 < none.high < 0.03
    assert (all_.value, all_.high) == (1, 1)
    assert all_.low > 0.97


def test_one_cluster_has_no_interval():
    """A single block cannot tell its own error."""
    found = e.ratio([5.0], [10])

    assert found.value == 0.5
    assert math.isnan(found.low)


def test_goodman_is_that_of_statsmodels():
    """Simultaneous intervals for four seats."""
    games = shares_by_game(20_000, [0.27, 0.25, 0.24, 0.24])
    wanted = multinomial_proportions_confint(games.sum(0), method="goodman")

    found = e.goodman(games, np.ones(len(games)))

    assert np.array([[x.low, x.high] for x in found]) == pytest.approx(wanted, abs=2e-4)


def test_bounds_of_cut_games():
    """Half the games cut: anything between what was won and that plus a half."""
    assert e.bounds(0.2, 0.5) == (0.2, 0.7)
    assert e.bounds(0.8, 0.5) == (0.8, 1.0)


# ---------------------------------------------------------------- pairs


def test_paired_difference_is_the_paired_t_interval():
    """Block by block, as scipy does it for single games."""
    rng = np.random.default_rng(6)
    luck = rng.normal(size=500)
    a, b = luck + rng.normal(0.3, 0.2, 500), luck + rng.normal(0, 0.2, 500)
    interval = stats.ttest_rel(a, b).confidence_interval()

    found = e.paired(a, b, np.ones(500))

    assert (found.difference.low, found.difference.high) == pytest.approx(tuple(interval))
    assert found.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-6)
    assert found.saving > 10
    assert found.pairing_helps


def test_unpaired_is_welch():
    """Independent runs with unequal errors."""
    rng = np.random.default_rng(7)
    a, b = rng.normal(1, 1, 100), rng.normal(0, 3, 60)
    interval = stats.ttest_ind(a, b, equal_var=False).confidence_interval()

    found = e.unpaired(e.ratio(a, np.ones(100)), e.ratio(b, np.ones(60)))

    assert (found.low, found.high) == pytest.approx(tuple(interval), rel=0.02)


def test_mcnemar_mid_p():
    """By hand: 2 P(X <= 1) - P(X = 1), X ~ Bin(8, 1/2)."""
    assert e.mcnemar(1, 7) == pytest.approx(2 * 9 / 256 - 8 / 256)
    assert e.mcnemar(0, 0) == 1
    assert e.mcnemar(40, 40) == 1


def test_newcombe_mirrors_and_holds_the_difference():
    """Swapping the arms swaps the signs."""
    one, other = e.newcombe_paired(36, 12, 2, 50), e.newcombe_paired(36, 2, 12, 50)

    assert one.value == pytest.approx(0.1)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert one.low < 0.1 < one.high


# ---------------------------------------------------------------- tests


def test_chi_square_of_independent_games_is_pearsons():
    """Seat wins of many independent games."""
    games = shares_by_game(8000, [0.26, 0.25, 0.25, 0.24], seed=8)
    wanted = stats.chisquare(games.sum(0))

    found = e.chi_square(games, np.ones(8000))

    assert found.statistic == pytest.approx(wanted.statistic, rel=0.03)
    assert found.p_value == pytest.approx(wanted.pvalue, abs=0.01)
    assert found.cohen_w == pytest.approx(math.sqrt(wanted.statistic / 8000))
    assert found.design_effect == pytest.approx(1, abs=0.01)


def test_chi_square_is_not_fooled_by_copies():
    """Copies of one game inflate Pearson's statistic, not this one."""
    games = shares_by_game(500, [0.25] * 4, seed=9)

    one, ten = e.chi_square(games, np.ones(500)), e.chi_square(10 * games, np.full(500, 10))

    assert ten.p_value == pytest.approx(one.p_value)
    assert ten.design_effect == pytest.approx(10 * one.design_effect)


def test_chi_square_of_rates_knows_unequal_appearances():
    """Three strategies that win equally often but appear 1 : 2 : 3 times."""
    rng = np.random.default_rng(10)
    seen = np.tile([10, 20, 30], (300, 1))
    won = rng.binomial(seen, 0.25)

    assert e.chi_square(won, seen).p_value > 0.01
    assert e.chi_square(won + np.array([0, 0, 1]), seen).p_value < 0.01


def test_homogeneity_finds_the_bad_part():
    """Nineteen parts agree, one does not."""
    rng = np.random.default_rng(11)
    fine = [e.ratio(rng.normal(0, 1, 200), np.ones(200)) for _ in range(20)]
    bad = [*fine[:-1], e.ratio(rng.normal(0.5, 1, 200), np.ones(200))]

    assert e.homogeneity(fine)[2] > 0.01
    assert e.homogeneity(bad)[2] < 1e-4


def test_chunk_counts_are_pearsons():
    """As scipy's contingency test."""
    table = np.random.default_rng(12).multinomial(500, [0.3, 0.3, 0.4], 8)
    wanted = stats.chi2_contingency(table, correction=False)

    assert e.chunk_counts(table) == pytest.approx((wanted.statistic, wanted.dof, wanted.pvalue))


@pytest.mark.parametrize(("ours", "theirs"), [("bh", "fdr_bh"), ("by", "fdr_by"), ("holm", "holm")])
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30))
@settings(max_examples=40, deadline=None)
def test_corrections_are_those_of_statsmodels(ours, theirs, p):
    """Any family of p-values."""
    assert e.adjusted(p, ours) == pytest.approx(multipletests(p, method=theirs)[1].tolist())


def test_corrections_leave_unknown_ones_alone():
    """A test that could not be made is not part of the family."""
    assert e.adjusted([0.01, math.nan, 0.04])[0] == pytest.approx(0.02)
    assert math.isnan(e.adjusted([0.01, math.nan, 0.04])[1])


# ---------------------------------------------------------------- verdicts


def difference(value: float, se: float, n: int = 10_000) -> e.Estimate:
    """An estimate of a difference with 511 degrees of freedom."""
    half = e.t_value(511) * se
    return e.Estimate(value, value - half, value + half, n, 512, se)


def test_tost_is_two_t_tests():
    """The larger of two one-sided p-values."""
    wanted = stats.t.sf((0.01 - 0.004) / 0.002, 511)

    assert e.tost(0.004, 0.002, 511, 0.01) == pytest.approx(wanted)
    assert e.tost(-0.004, 0.002, 511, 0.01) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("value", "se", "state"),
    [
        (0.000, 0.002, "fair"),
        (0.006, 0.002, "fair"),
        (0.009, 0.002, "unknown"),  # different from 0, but is it more than the margin?
        (0.012, 0.002, "unknown"),
        (0.020, 0.002, "unfair"),
        (0.000, 0.020, "unknown"),  # no difference found is not fair
    ],
)
def test_three_states(value, se, state):
    """Significance and importance are kept apart."""
    assert e.equivalence(difference(value, se)) == state


def test_few_games_are_never_enough():
    """Not even when one seat won every one of 50 games."""
    games = np.tile([1.0, 0, 0, 0], (50, 1))

    assert e.fairness(games, np.ones(50)).state == "unknown"
    assert e.fairness(np.tile([1.0, 0, 0, 0], (400, 1)), np.ones(400)).state == "unfair"


def test_fairness_of_a_fair_and_an_unfair_game():
    """A million games of each."""
    fair, unfair = (
        np.random.default_rng(13).multinomial(2000, p, 512)
        for p in ([0.25] * 4, [0.28, 0.24, 0.24, 0.24])
    )

    good, bad = e.fairness(fair, fair.sum(1)), e.fairness(unfair, unfair.sum(1))

    assert good.state == "fair"
    assert good.p_equivalent < 1e-6
    assert bad.state == "unfair"
    assert bad.worst == 0
    assert bad.deviation == pytest.approx(0.03, abs=0.003)


def test_fairness_says_how_many_games_would_settle_it():
    """Ten times fewer games than needed are reported as such."""
    games = np.random.default_rng(14).multinomial(4, [0.25] * 4, 512)

    found = e.fairness(games, games.sum(1))

    assert found.state == "unknown"
    assert 3000 < found.games_needed < 200_000


def test_one_seat_far_off_settles_it_whatever_the_others_do():
    """A seat 16 points off is soon shown; that another lies just at the margin needs no proof."""
    noise = np.random.default_rng(15).normal(0, 1, (24, 5))
    wins = np.array([1.8, 1.0501, 0.95, 0.7, 0.4999]) + noise - noise.mean(0)

    found = e.fairness(wins, np.full(24, 5.0))

    assert found.state == "unknown"  # of 24 blocks
    assert found.games_needed < 2000


@pytest.mark.parametrize(
    ("n", "low", "high", "doubt"),
    [
        (150, 0.30, 0.40, "few"),
        (400, 0.22, 0.30, "luck"),
        (9000, 0.252, 0.268, "margin"),
        (9000, 0.262, 0.278, "looks"),
    ],
)
def test_why_a_verdict_is_open(n, low, high, doubt):
    """Too few games; even is within the interval; perhaps a small gap; large, but one of many."""
    even = e.Estimate(0.25, 0.2, 0.3, n, 100, 0.02)
    odd = e.Estimate((low + high) / 2, low, high, n, 100, 0.02)
    judged = e.fairness(np.ones((40, 2)), np.full(40, 2.0), target=[0.25, 0.25])

    assert replace(judged, shares=(even, odd), margin=0.01).doubt == doubt


# ---------------------------------------------------------------- sizes, power


@pytest.mark.parametrize(
    ("n", "p", "half", "found"),
    [
        (1e3, 1 / 2, 3.10, 6.26),
        (1e4, 1 / 4, 0.85, 1.72),
        (1e5, 1 / 3, 0.29, 0.59),
        (1e6, 1 / 5, 0.078, 0.16),
    ],
)
def test_precision_table(n, p, half, found):
    """The table of statistics.md."""
    assert e.half_width(p, n) * 100 == pytest.approx(half, rel=0.01)
    assert e.detectable(p, n) * 100 == pytest.approx(found, rel=0.03)


def test_pairing_saves_games():
    """r = 0.9 needs a tenth."""
    assert e.detectable(0.5, 1000, correlation=0.9) == pytest.approx(e.detectable(0.5, 10_000))


def test_sizes():
    """Cohen's h, odds ratio, Cliff's delta, games to notice."""
    assert e.cohen_h(0.5, 0.5) == 0
    assert e.cohen_h(0.75, 0.25) == pytest.approx(math.pi / 3)
    assert e.odds_ratio(0.5, 0.25) == pytest.approx(3)
    assert e.cliffs_delta([1, 0], [0, 1]) == 1
    assert e.cliffs_delta([3, 5], [3, 5]) == 0
    assert e.games_to_notice(0.35, 0.25) == math.ceil(1.959964**2 * 0.35 * 0.65 / 0.01)
    assert e.games_to_notice(0.25, 0.25) == 0


# ---------------------------------------------------------------- merging


def test_merge_is_the_same_for_any_order_and_cut():
    """Whole numbers beyond what a float can count."""
    rows = pl.DataFrame(
        {
            "group": [i % 7 for i in range(100)],
            "n": [1] * 100,
            "x": [2**53 + i for i in range(100)],
        }
    )
    parts = [rows[i : i + 10] for i in range(0, 100, 10)]
    shuffled = parts.copy()
    random.Random(1).shuffle(shuffled)

    whole = e.merge([rows], ["group"])

    assert e.merge(parts, ["group"]).equals(whole)
    assert e.merge(shuffled, ["group"]).equals(whole)
    assert e.merge([e.merge(parts[:3], ["group"]), *parts[3:]], ["group"]).equals(whole)
    assert whole["x"].sum() == sum(2**53 + i for i in range(100))


def test_merge_refuses_floats():
    """A float sum depends on the order of work."""
    with pytest.raises(TypeError, match="x"):
        e.merge([pl.DataFrame({"group": [1], "x": [0.5]})], ["group"])


def test_no_number_of_the_report_comes_from_elsewhere():
    """One definition a statistic: no other report module imports a statistics library."""
    from pathlib import Path

    import reports

    here = Path(reports.__file__).parent
    for file in here.rglob("*.py"):
        text = file.read_text()
        if file.name != "estimates.py":
            assert "scipy" not in text, file
            assert "statsmodels" not in text, file


@pytest.mark.parametrize(
    ("payoff", "weights"),
    [
        ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], [1 / 3, 1 / 3, 1 / 3]),
        ([[0, 2, -1], [-2, 0, 1], [1, -1, 0]], [1 / 4, 1 / 4, 2 / 4]),
        ([[0, 0.1, 0.2], [-0.1, 0, 0.4], [-0.2, -0.4, 0]], [1, 0, 0]),
    ],
)
def test_equilibrium_of_known_games(payoff, weights):
    """Rock-paper-scissors, the same with a win that counts double, and a ladder."""
    assert e.equilibrium(payoff) == pytest.approx(weights, abs=1e-9)


def test_hierarchical_families_by_hand():
    """Two of three families are picked, so their tests pay 3/2 of what they would alone."""
    families = [[0.001, 0.02], [0.4, 0.9], [0.002, 0.5]]
    found = e.hierarchical(families)

    assert found[0] == pytest.approx([0.006, 0.03])
    assert found[1][0] > 0.5
    assert found[2] == pytest.approx([0.006, 0.75])
    assert e.hierarchical([[math.nan, 0.01]])[0] == pytest.approx([math.nan, 0.01], nan_ok=True)
    assert e.hierarchical([]) == []
    assert math.isnan(e.hierarchical([[math.nan]])[0][0])


def test_hierarchical_keeps_false_discoveries_of_picked_families():
    """12 families of 9 tests, 4 with three effects each: the mean false share of those picked."""
    rng = np.random.default_rng(4)
    shares = []
    for _ in range(300):
        z = rng.normal(size=(12, 9))
        z[:4, :3] += 3.5
        p = [[e.z_test(v, 1) for v in row] for row in z]
        found = np.array(e.hierarchical(p)) < 0.05
        picked = found.any(1)
        false = found.copy()
        false[:4, :3] = False
        share = false.sum(1) / np.maximum(found.sum(1), 1)
        shares.append(share[picked].mean() if picked.any() else 0.0)

    assert np.mean(shares) < 0.055


def cell(value, se, n=100):
    half = 1.96 * se
    return e.Estimate(value, value - half, value + half, n, 400, se)


def test_shrunken_takes_noise_to_the_mean_of_the_row():
    """Cells that differ by no more than their errors become one; sure ones stay."""
    noise = e.shrunken([[cell(1.0, 0.5), cell(1.2, 0.5), cell(0.8, 0.5)]])[0]
    sure = e.shrunken([[cell(-5, 0.01), cell(0, 0.01), cell(5, 0.01)]])[0]

    assert [c.value for c in noise] == pytest.approx([1, 1, 1])
    assert 0.5 / math.sqrt(3) - 1e-9 <= noise[0].se < 0.45
    assert [c.value for c in sure] == pytest.approx([-5, 0, 5], abs=1e-4)
    assert sure[0].se == pytest.approx(0.01, rel=1e-3)


def test_shrunken_leaves_what_has_no_error():
    lone, none = cell(3, 0.2), e.NOTHING
    assert e.shrunken([[lone, none], []]) == [[lone, none], []]


def test_shrunken_is_nearer_to_the_truth_and_keeps_its_promise():
    """A table of 12 cards under 3 skies: smaller error than the raw cells, 95 % held."""
    rng = np.random.default_rng(9)
    raw, better, held = [], [], []
    for _ in range(300):
        truth = rng.normal(0, 2, (12, 1)) + rng.normal(0, 0.3, (12, 3))
        errors = rng.uniform(0.2, 0.8, (12, 3))
        seen = rng.normal(truth, errors)
        rows = [[cell(v, s) for v, s in zip(*two, strict=True)]
                for two in zip(seen, errors, strict=True)]  # fmt: skip
        drawn = e.shrunken(rows)
        value = np.array([[c.value for c in row] for row in drawn])
        raw.append(((seen - truth) ** 2).mean())
        better.append(((value - truth) ** 2).mean())
        held.append(np.mean([[c.low <= t <= c.high for c, t in zip(*two, strict=True)]
                             for two in zip(drawn, truth, strict=True)]))  # fmt: skip

    assert np.mean(better) < 0.7 * np.mean(raw)
    assert 0.93 < np.mean(held) < 0.97


def test_exchange_holds_the_true_price_of_correlated_effects():
    """Two effects on the same blocks, one 2.5 times the other: 95 % of Fieller's intervals hold it."""
    rng = np.random.default_rng(6)
    held, open_ones = 0, 0
    for _ in range(2000):
        luck = rng.normal(size=60)
        a, b = 0.5 + luck + rng.normal(size=60), 0.2 + 0.4 * luck + 0.3 * rng.normal(size=60)
        found = e.exchange(a, np.ones(60), b, np.ones(60))
        open_ones += math.isnan(found.value)
        held += found.low <= 2.5 <= found.high

    assert abs(held / 2000 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 2000)
    assert open_ones > 0  # where the unit's effect cannot be told from 0 nothing is claimed


def test_exchange_of_an_effect_with_itself_is_one():
    a = np.array([0.2, 0.3, 0.25, 0.4, 0.1] * 8)
    found = e.exchange(a, np.ones(40), a, np.ones(40))

    assert (found.value, found.low, found.high) == pytest.approx((1, 1, 1))
    assert e.exchange(-a, np.ones(40), -a, np.ones(40)).value == pytest.approx(1)
    assert e.exchange(-a, np.ones(40), a, np.ones(40)).value == pytest.approx(-1)
    assert e.exchange([1], [1], [1], [1]) == e.NOTHING


def test_seats_that_always_share_the_win_are_fair_once_that_is_no_chance():
    """All games a tie: fair from 299 groups on, where one odd group in a hundred would be seen."""
    few, many = (e.fairness(np.ones((g, 2)), np.full(g, 2.0)) for g in (298, 299))

    assert few.state == e.UNKNOWN
    assert few.games_needed == 598
    assert many.state == e.FAIR
    assert many.games_needed == 0


def test_the_fair_scale_is_the_same_for_any_number_of_players():
    """30 % of four and 40 % of three are both a fifth more than even."""
    four = e.fairness(np.tile([3, 2, 2, 3], (100, 1)), np.full(100, 10.0))
    three = e.fairness(np.tile([4, 3, 3], (100, 1)), np.full(100, 10.0))

    assert four.on_fair_scale(0).value == pytest.approx(1.2)
    assert three.on_fair_scale(0).value == pytest.approx(1.2)
    assert replace(four, target=(0.0,) * 4).on_fair_scale(0) is e.NOTHING  # nobody won
