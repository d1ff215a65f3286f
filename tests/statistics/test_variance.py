"""Shares of variance: planted ones come back within their intervals, pure chance gives nothing."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from reports import variance
from reports.variance import DEAL, REST, SEAT, STYLE, TOGETHER, Deals, Places

NAMES = ("cards", "dice", "coins", "weather")
CLUSTERS, PER = 300, 12
N = CLUSTERS * PER


def _played(outcome, seed=1, players=4):
    """Sums of games with the outcome y(position, seat, x), x the drawn sources [n, sources]."""
    rng = np.random.default_rng(seed)
    position, seat = rng.integers(0, players, (2, N))
    group = np.repeat(np.arange(CLUSTERS), PER)
    drawn = rng.normal(size=(2, N, len(NAMES)))
    arms = variance.design(len(NAMES))

    def game(renewed):
        x = np.stack([drawn[renewed >> i & 1, :, i] for i in range(len(NAMES))], 1)
        return outcome(position, seat, x)

    y = np.stack([game(renewed) for renewed in arms])
    products = np.zeros((CLUSTERS, 1 << len(NAMES)))
    alike = np.zeros(1 << len(NAMES))
    for i, j in itertools.combinations_with_replacement(range(len(arms)), 2):
        shared = variance.kept_by(arms[i], arms[j], len(NAMES))
        products[:, shared] += np.bincount(group, y[i] * y[j], CLUSTERS)
        alike[shared] += 1
    counts, sums = np.zeros((2, CLUSTERS, players, players))
    np.add.at(counts, (group, position, seat), 1)
    np.add.at(sums, (group, position, seat), y.mean(0))
    return sums, counts, products / alike


def _split(outcome, style=(0, 1, 2, 3)):
    sums, counts, products = _played(outcome)
    return variance.split(Places(sums, counts, style), products, NAMES, N)


STYLES = np.array([0.6, -0.2, -0.2, -0.2])
SEATS = np.array([0.3, 0.0, 0.0, -0.3])


def _planted(position, seat, x):
    return STYLES[position] + SEATS[seat] + x[:, 0] + 0.5 * x[:, 1] + 0.8 * x[:, 1] * x[:, 2]


WHOLE = 0.12 + 0.045 + 1 + 0.25 + 0.64
PLANTED = {
    STYLE: 0.12, SEAT: 0.045, TOGETHER: 0.0,
    "cards": 1.0, "dice": 0.25 + 0.32, "coins": 0.32, "weather": 0.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def planted():
    return _split(_planted)


@pytest.mark.parametrize("cause", PLANTED)
def test_planted_shares_come_back(planted, cause):
    """Two sources that work only together share what they do."""
    share = planted.part(cause).share

    assert share.low - 0.01 <= PLANTED[cause] / WHOLE <= share.high + 0.01
    assert share.half < 0.06


def test_shares_add_up_to_the_whole(planted):
    assert sum(part.share.value for part in planted.parts) == pytest.approx(1)
    assert planted.variance.value == pytest.approx(WHOLE, rel=0.1)


def test_alone_and_at_most(planted):
    """The dice alone decide 0.25; were all else known they would decide 0.25 + 0.64."""
    dice = planted.part("dice")

    assert dice.alone.low <= 0.25 / WHOLE <= dice.alone.high
    assert dice.most.low <= 0.89 / WHOLE <= dice.most.high
    assert planted.combined.low <= 0.64 / WHOLE <= planted.combined.high
    assert dice.alone.value <= dice.share.value <= dice.most.value


def test_pure_chance_gives_style_and_seat_nothing():
    """Zero within the interval, and no bias upward from squared noise."""
    found = _split(lambda position, seat, x: x[:, 0] + x[:, 1])  # noqa: ARG005

    for cause in (STYLE, SEAT, TOGETHER):
        share = found.part(cause).share
        assert share.low <= 0 <= share.high
        assert abs(share.value) < 0.01
    assert found.chance == pytest.approx(1, abs=0.01)


def test_a_game_of_pure_skill_leaves_luck_nothing():
    found = _split(lambda position, seat, x: STYLES[position] + 0.0 * seat + 0.0 * x[:, 0])

    assert found.part(STYLE).share.value == pytest.approx(1)
    assert found.chance == pytest.approx(0, abs=1e-6)


def test_players_of_one_style_are_one_to_style_of_play():
    """Two copies of a strong style, two of a weak one."""
    strength = np.array([1.0, -1.0, 1.0, -1.0])
    found = _split(lambda position, seat, x: strength[position] + x[:, 0] + 0 * seat, (0, 1, 0, 1))

    assert found.part(STYLE).share.value == pytest.approx(0.5, abs=0.05)
    assert found.part(TOGETHER).share.low <= 0 <= found.part(TOGETHER).share.high


def test_nothing_to_share_out_is_nan():
    found = _split(lambda position, seat, x: np.ones(len(x)) + 0 * position + 0 * seat)

    assert math.isnan(found.part(STYLE).share.value)


@pytest.mark.parametrize("sources", range(1, 8))
def test_the_design_shares_every_set(sources):
    """Pairs of arms keep each set of sources in common."""
    arms = variance.design(sources)
    kept = {variance.kept_by(a, b, sources) for a in arms for b in arms}

    assert kept == set(range(1 << sources))
    assert len(arms) == len(set(arms)) <= 2 * 2 ** ((sources + 1) // 2)


@pytest.mark.parametrize("sources", range(1, 7))
def test_shapley_values_add_up_whatever_the_indices(sources):
    """Efficiency, and equals get equal shares."""
    closed = np.random.default_rng(3).normal(size=1 << sources)
    values = variance.shapley_matrix(sources) @ closed

    assert values.sum() == pytest.approx(closed[-1] - closed[0])
    size = np.array([bin(u).count("1") for u in range(1 << sources)], np.float64)
    alike = variance.shapley_matrix(sources) @ size**2
    assert alike == pytest.approx(np.full(sources, sources))


# ---------------------------------------------------------------- from the rotations of one run


def _rotations(outcome, seed=2, players=4, blocks=2400):
    """Blocks in which all rotations of four players meet the same dice of each chair."""
    rng = np.random.default_rng(seed)
    chair = rng.normal(size=(blocks, players))

    def play(position):
        return outcome(position, chair, rng.normal(size=(blocks, players)))

    return _split_of(play, blocks, players)


def _split_of(play, blocks, players):
    """The parts of what ``play(position of each seat)`` gives in all rotations."""
    clusters = 300
    group = np.arange(blocks) % clusters
    counts, sums = np.zeros((2, clusters, players, players))
    squares, products = np.zeros((2, clusters))
    pairs = np.zeros((clusters, players, players, players))
    played = []
    for rotation in range(players):
        position = (np.arange(players) + rotation) % players
        y = play(position)
        played.append((position, y))
        for seat in range(players):
            np.add.at(counts, (group, position[seat], seat), 1)
            np.add.at(sums, (group, position[seat], seat), y[:, seat])
        squares += np.bincount(group, (y**2).sum(1), clusters)
    for (one, a), (other, b) in itertools.combinations(played, 2):
        products += np.bincount(group, (a * b).sum(1), clusters)
        for seat in range(players):
            np.add.at(pairs, (group, one[seat], other[seat], seat), 1)
    places = Places(sums, counts, tuple(range(players)))
    return variance.split_run(places, squares, Deals(products, pairs), int(counts.sum()))


def test_the_luck_of_the_deal_is_found_in_one_run():
    """Style 0.12, dice that stay with the chair 1, the rest 0.25."""
    found = _rotations(lambda position, chair, rest: STYLES[position] + chair + 0.5 * rest)
    truth = {STYLE: 0.12, SEAT: 0.0, TOGETHER: 0.0, DEAL: 1.0, REST: 0.25}

    for cause, value in truth.items():
        share = found.part(cause).share
        assert share.low - 0.005 <= value / 1.37 <= share.high + 0.005, cause
    assert sum(part.share.value for part in found.parts) == pytest.approx(1)


def test_one_run_of_pure_chance():
    found = _rotations(lambda position, chair, rest: rest + 0 * chair)  # noqa: ARG005

    for cause in (STYLE, SEAT, DEAL):
        assert abs(found.part(cause).share.value) < 0.01
    assert found.part(REST).share.value > 0.98


# ---------------------------------------------------------------- what a deal is worth


def _deals(spread, seed=4, blocks=4800, players=4):
    """Rotations in which somebody wins or not: a chair's chance differs from deal to deal."""
    rng = np.random.default_rng(seed)
    worth = np.clip(rng.normal(0, spread, (blocks, players)), -0.25, 0.75)
    truth = float((worth > variance.FAR).mean())

    def play(_position):
        return (rng.random((blocks, players)) < 0.25 + worth).astype(np.float64)

    found = _split_of(play, blocks, players)
    return variance.favour(found.deal), truth, float(worth.std())


@pytest.mark.parametrize("spread", [0.05, 0.1])
def test_what_a_deal_is_worth_is_found_through_the_luck_of_four_games(spread):
    """Win shares of single deals scatter by 22 points; the true spread is a few."""
    found, truth, sd = _deals(spread)

    assert found.spread.low <= sd <= found.spread.high
    assert found.spread.value == pytest.approx(sd, abs=0.012)
    assert found.far.low - 0.01 <= truth <= found.far.high + 0.01
    assert found.most.value == pytest.approx(2 * 1.645 * found.spread.value, rel=1e-3)
    assert found.most.value < found.span.value


def test_deals_that_are_worth_nothing_show_nothing():
    found, _, _ = _deals(0.0)

    assert found.spread.low == 0
    assert found.far.value < 0.02


def test_the_span_is_that_of_so_many_normal_values():
    drawn = np.random.default_rng(5).normal(size=(20_000, 200))

    assert variance.normal_range(200) == pytest.approx(np.ptp(drawn, axis=1).mean(), rel=0.003)
    assert variance.normal_range(2) == pytest.approx(2 / math.sqrt(math.pi), rel=1e-4)


def test_the_index_runs_from_luck_to_skill(planted):
    """Styles 0.12, seats 0.045, chance 1.89: (0.12 - 1.89) / (0.12 + 1.89)."""
    luck = _split(lambda position, seat, x: x[:, 0] + x[:, 1])  # noqa: ARG005
    skill = _split(lambda position, seat, x: STYLES[position] + 0.0 * seat + 0.0 * x[:, 0])

    assert planted.index.low <= (0.12 - 1.89) / 2.01 <= planted.index.high
    assert luck.index.value == pytest.approx(-1, abs=0.02)
    assert skill.index.value == pytest.approx(1)
    assert math.isnan(
        _split(lambda position, seat, x: np.ones(len(x)) + 0 * position + 0 * seat).index.value
    )


def test_both_ways_to_tell_agree_on_the_index():
    found = _rotations(lambda position, chair, rest: STYLES[position] + chair + 0.5 * rest)

    assert found.index.low <= (0.12 - 1.25) / 1.37 <= found.index.high
    assert found.deal.low <= 1.0 <= found.deal.high
