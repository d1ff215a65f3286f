"""What one throw, move, fall or sign is worth: drawn seats whose wins are known to hang on coins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from reports.games.pistengaudi import coins
from reports.measures import GROUPS

PLAYERS = 4
SEATS = 40_000
COUNTS = [
    "snow_thrown", "snow_muted", "groom_given_up", "groom_given_side", "groom_given_down",
    "groom_muted_up", "groom_muted_side", "groom_muted_down",
]  # fmt: skip


def facts_of(treatment: dict[str, int]) -> Any:
    """As much of a run's facts as the jobs look at."""
    stratum = SimpleNamespace(number=0, players=PLAYERS)
    return SimpleNamespace(
        identity={"plan": {"treatment": treatment}}, records=SimpleNamespace(strata=[stratum])
    )


def sums_of(treatment: dict[str, int], rows: pl.DataFrame) -> pl.DataFrame:
    """The frame that the section reads."""
    job = coins.jobs(facts_of(treatment))["seats"]["coins"]
    return job.join(job.make(SimpleNamespace(rows=rows)))  # type: ignore[arg-type]


def seats(rng: np.random.Generator, **columns: Any) -> pl.DataFrame:
    """Treated seats, and as many that were not, which must not count."""
    there = {name: np.zeros(SEATS, np.int16) for name in COUNTS}
    arrays = {"falls_phase": 4, "falls_spared_phase": 4, "redrawn_signs": 3}
    there |= {name: np.zeros((SEATS, width), np.int8) for name, width in arrays.items()}
    treated = pl.DataFrame(
        {"group": rng.integers(0, GROUPS, SEATS), "stratum": 0, "treated": True, **there, **columns}
    )
    return pl.concat([treated, treated.with_columns(treated=False, win_share=pl.lit(1.0))])


def test_a_throw_is_worth_what_its_effect_adds() -> None:
    """Each throw that has its effect adds 3 points; those who throw much win more anyway."""
    rng = np.random.default_rng(5)
    thrown = rng.poisson(2, SEATS)
    muted = rng.binomial(thrown, 0.3)
    chance = 0.15 + 0.02 * thrown + 0.03 * (thrown - muted)
    won = (rng.random(SEATS) < chance).astype(float)
    rows = seats(rng, snow_thrown=thrown, snow_muted=muted, win_share=won)
    found = sums_of({"mute_throws": 30}, rows)
    (coin,) = told = coins.coins_of({"mute_throws": 30})
    worth = coins.worth_of(found, told, 0)

    plainly = -100 * ((won - 1 / PLAYERS) * (muted - 0.3 * thrown)).sum() / (0.21 * thrown.sum())
    assert worth.value == pytest.approx(plainly)
    assert worth.n == thrown.sum()
    assert abs(worth.value - 3) < 4 * worth.se < 2
    assert coin.what == "a snowball"


def test_a_colour_is_compared_with_the_two_others() -> None:
    """A black sign adds 6 points, the others nothing."""
    rng = np.random.default_rng(6)
    drawn = rng.multinomial(rng.poisson(1.0, SEATS), [1 / 3] * 3)
    won = (rng.random(SEATS) < 0.2 + 0.06 * drawn[:, 2]).astype(float)
    rows = seats(rng, redrawn_signs=drawn.astype(np.int8), win_share=won)
    found = sums_of({"random_signs": 1}, rows)
    told = coins.coins_of({"random_signs": 1})
    worth = [coins.worth_of(found, told, number) for number in range(3)]

    for one, wanted in zip(worth, (-3, -3, 6), strict=True):
        assert abs(one.value - wanted) < 4 * one.se < 4


def test_falls_are_told_by_part_of_the_game() -> None:
    """Falls that hurt early and not late."""
    rng = np.random.default_rng(7)
    falls = rng.poisson(1.0, (SEATS, 4))
    spared = rng.binomial(falls, 0.5)
    won = (rng.random(SEATS) < 0.2 + 0.05 * spared[:, 0]).astype(float)
    rows = seats(
        rng, falls_phase=falls.astype(np.int8), falls_spared_phase=spared.astype(np.int8),
        win_share=won,
    )  # fmt: skip
    told = coins.coins_of({"soft_falls": 50})
    found = sums_of({"soft_falls": 50}, rows)
    worth = [coins.worth_of(found, told, number) for number in range(4)]

    for one, wanted in zip(worth, (5, 0, 0, 0), strict=True):
        assert abs(one.value - wanted) < 4 * one.se < 4


@pytest.mark.parametrize("treatment", [{}, {"mute_throws": 100}, {"step_down_round": 3}])
def test_a_coin_with_one_side_says_nothing(treatment: dict[str, int]) -> None:
    """No treatment, one without a coin, or one that always happens."""
    assert coins.coins_of(treatment) == []
    assert coins.jobs(facts_of(treatment)) == {}
    assert coins.make(facts_of(treatment)) is None
