"""Chances to win: random walks, where the true chances are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import special

import reports
import simulate
from reports import trajectories, winning
from reports.estimates import FAIR, UNFAIR
from reports.trajectories import Courses
from simulate import jit

ROUNDS, GAMES = 12, 4000


def _walks(games=GAMES, seed=5, players=2):
    """Everybody moves one ahead or not, by a coin; the farthest after ROUNDS rounds wins."""
    rng = np.random.default_rng(seed)
    standing = rng.integers(0, 2, (games, ROUNDS, players)).cumsum(1).astype(np.float64)
    best = standing[:, -1] == standing[:, -1].max(1, keepdims=True)
    won = best / best.sum(1, keepdims=True)
    number = np.arange(games)
    return Courses(standing, np.full(games, ROUNDS), won, number, number, by_round=True)


def _truth(standing, left):
    """P(first of two wins): a lead and the difference of two binomials; a tie is half a win."""
    lead = (standing[..., 0] - standing[..., 1]).astype(int)
    k = np.arange(left + 1)
    pmf = special.comb(left, k) / 2.0**left
    gap = np.convolve(pmf, pmf[::-1])  # own steps less the other's, from -left to left
    reach = np.arange(-left, left + 1)
    total = lead[..., None] + reach
    return ((total > 0) * gap + 0.5 * (total == 0) * gap).sum(-1)


@pytest.fixture(scope="module")
def walks():
    return _walks()


@pytest.fixture(scope="module")
def study(walks):
    return trajectories.study(walks)


def test_a_random_walk_is_foretold(walks, study):
    """Within two points of the truth on average, in games that the model has not seen."""
    unseen = trajectories.halves(walks)[1]
    chances = unseen.chances(study.model)
    off = [
        np.abs(chances[:, r, 0] - _truth(unseen.standing[:, r], ROUNDS - 1 - r)).mean()
        for r in range(ROUNDS - 1)
    ]

    assert max(off) < 0.04
    assert np.mean(off) < 0.025
    assert np.nansum(chances[:, : ROUNDS - 1], 2) == pytest.approx(1)


def test_it_is_called_calibrated_and_measured(study):
    assert study.check.state == FAIR
    assert study.check.log.low > 0
    assert study.check.brier.low > 0
    assert study.drama is not None
    assert study.check.off.high < winning.TOLERANCE


def test_measures_agree_with_those_of_the_true_chances(walks, study):
    """The same definitions on exact probabilities."""
    unseen = trajectories.halves(walks)[1]
    exact = np.full(unseen.standing.shape, np.nan)
    for r in range(ROUNDS - 1):
        exact[:, r, 0] = _truth(unseen.standing[:, r], ROUNDS - 1 - r)
        exact[:, r, 1] = 1 - exact[:, r, 0]
    true = trajectories.measure(unseen, exact, np.array([0.5, 0.5]))

    assert study.drama.comeback.value == pytest.approx(true.comeback.value, abs=0.02)
    assert study.drama.late.value == pytest.approx(true.late.value, abs=0.03)
    assert study.drama.decided.value == pytest.approx(true.decided.value, abs=0.09)
    assert true.openness[0][1].value == pytest.approx(1)
    falling = [e.value for _, e in true.openness]
    assert all(a >= b - 1e-9 for a, b in zip(falling, falling[1:], strict=False))


def test_what_does_not_hold_on_the_other_half_is_not_shown(walks):
    """Odd blocks end the other way round: no measures, and the check says why."""
    odd = walks.block % 2 == 1
    turned = np.where(odd[:, None], walks.won[:, ::-1], walks.won)
    found = trajectories.study(replace(walks, won=turned))

    assert found.check.state == UNFAIR
    assert found.drama is None


def test_standings_that_mean_nothing_are_not_dramatic(walks):
    """Winners by lot: no better than the base rate, so nothing is shown."""
    rng = np.random.default_rng(2)
    first = rng.integers(0, 2, len(walks))
    won = np.stack([first, 1 - first], 1).astype(np.float64)
    found = trajectories.study(replace(walks, won=won))

    assert found.drama is None


def test_three_players_and_some_who_cannot_win():
    """Chances add up to one over those who still stand."""
    walks = _walks(600, players=3)
    standing = walks.standing.copy()
    standing[:, :, 2] = np.nan
    best = standing[:, -1, :2] >= standing[:, -1, :2].max(1, keepdims=True)
    won = np.concatenate([best / best.sum(1, keepdims=True), np.zeros((600, 1))], 1)
    model = winning.fit(replace(walks, standing=standing, won=won).states)
    chances = model.chances(replace(walks, standing=standing, won=won).states)

    assert (chances[:, 2] == 0).all()
    assert chances.sum(1) == pytest.approx(1)


def test_too_few_games_are_said_so():
    assert trajectories.study(_walks(100)) is None


def test_definitions_on_games_made_by_hand():
    """Three games of four rounds: from ahead, a late comeback, a see-saw."""
    first = np.array([[0.6, 0.95, 0.97], [0.3, 0.05, 0.4], [0.6, 0.4, 0.6]])
    chances = np.full((3, 4, 2), np.nan)
    chances[:, :3, 0], chances[:, :3, 1] = first, 1 - first
    won = np.array([[1.0, 0.0]] * 3)
    number = np.arange(3)
    standing = np.zeros((3, 4, 2))
    standing[0, :3, 0] = [0, 1, 1]  # level, then ahead; the others are level throughout
    games = Courses(standing, np.full(3, 4), won, number, number, by_round=True)
    drama = trajectories.measure(games, chances, np.array([0.5, 0.5]))

    assert drama.changes.value == pytest.approx((0 + 1 + 2) / 3)
    assert drama.comeback.value == pytest.approx((0.6 + 0.05 + 0.4) / 3)
    assert drama.deepest == 1
    assert drama.lowest == pytest.approx(0.05)
    assert drama.decided.value == 1.0  # rounds 2, 4 and 4 of 4
    assert drama.early.value == 0.0
    assert drama.rest.value == pytest.approx((2 + 0 + 0) / 3)
    assert drama.led.value == pytest.approx((0.5 + 1 + 1 + 3 * 0.5 + 3 * 0.5) / 9)
    assert drama.upset.value == pytest.approx(1 / 3)


def test_entropy():
    assert winning.entropy(np.array([[0.25] * 4, [1, 0, 0, 0]])) == pytest.approx([1, 0])


# ---------------------------------------------------------------- on fresh seeds


def _on_fresh_walks(model, seeds):
    """What the rule says of a model on games of other roots: a state a root."""
    found = []
    for seed in seeds:
        fresh = _walks(2000, seed=seed)
        base = fresh.won.mean(0)
        found.append(winning.check(model.chances(fresh.states), fresh.states, base))
    return found


def test_a_model_holds_on_fresh_seeds(study):
    """Fitted on one root, checked on others: never surely wrong."""
    found = _on_fresh_walks(study.model, range(100, 103))

    assert all(check.state == FAIR for check in found)
    assert all(check.log.low > 0 for check in found)


def test_a_model_that_is_too_sure_fails_on_fresh_seeds(study):
    """Chances pushed apart (odds squared) are found out: the check can fail."""
    fresh = _walks(2000, seed=104)
    chances = study.model.chances(fresh.states) ** 2
    chances = chances / chances.sum(1, keepdims=True)

    assert winning.check(chances, fresh.states, fresh.won.mean(0)).state == UNFAIR


@pytest.mark.slow
def test_the_rule_holds_on_many_fresh_seeds(study):
    found = _on_fresh_walks(study.model, range(200, 240))
    states = [check.state for check in found]
    print(f"calibrated on {states.count(FAIR)} of 40 fresh roots, wrong on {states.count(UNFAIR)}")

    assert states.count(FAIR) >= 36
    assert states.count(UNFAIR) <= 1


GAMES_PLAYED = {"biathlon": 6000, "skull_canyon": 6000, "pistengaudi": 1600}


@pytest.mark.slow
@pytest.mark.skipif(not jit.compiled(), reason="needs whole games")
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_chances_fitted_on_one_run_hold_in_another(game, tmp_path):
    """Real games, another root seed: what was called calibrated is not found wrong."""
    courses = []
    for seed in (11, 12):
        run = simulate.run(
            game, n=GAMES_PLAYED[game], seed=seed, players=4, out=tmp_path / str(seed), jobs=1,
            progress=False,
        )  # fmt: skip
        facts = reports.open_facts(run)
        courses.append(trajectories.read(facts.records, facts.main[0], facts.lens.standing))
    own, fresh = courses
    study = trajectories.study(own)
    states = fresh.states
    check = winning.check(study.model.chances(states), states, fresh.won.mean(0))
    print(f"{game}: own {study.check.state}, fresh {check.state}, off {check.off.value:.4f} "
          f"({check.off.low:.4f} ... {check.off.high:.4f}), log {check.log.value:.3f}")  # fmt: skip

    assert check.log.low > 0
    assert check.off.value < winning.TOLERANCE
    if study.check.state == FAIR:
        assert check.state != UNFAIR
