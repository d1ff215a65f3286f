"""Taking luck of known mean out of win shares moves none of them: the same games with and without."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports import estimates as e
from reports.facts import lens_of
from simulate import jit

REPLICATES, BLOCKS = 200, 40


def test_interval_counts_the_fitted_slope():
    """30 clusters, a control that tells nothing: 95 % of intervals hold the truth."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(3000):
        y, control = rng.normal(size=(2, 30))
        found = e.control_variate(y, control, np.ones(30), 0.0)
        held += found.low <= 0 <= found.high

    assert abs(held / 3000 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 3000)


@pytest.mark.slow
@pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")
def test_win_shares_of_races_are_the_same_with_and_without_luck(tmp_path):
    """200 replicates of races: no start position's share moves, and all scatter less."""
    import simulate

    run = simulate.run(
        "biathlon", REPLICATES * BLOCKS * 4, players=4, equal=False, out=tmp_path / "run",
    )  # fmt: skip
    weights = lens_of("biathlon").luck.weights(run.plan.rules[0].model)
    columns = ["hits_by_colour", "shots_by_colour"]
    rows = run.seats.select("game_id", "turn_index", "win_share", *columns).collect()
    items = np.concatenate([np.array(rows[c].to_list(), float) for c in columns], axis=1)
    block = rows["game_id"].to_numpy() // run.plan.k
    place = rows["turn_index"].to_numpy()
    cell = block * 4 + place
    blocks = REPLICATES * BLOCKS
    luck, wins = (
        np.bincount(cell, values, blocks * 4).reshape(REPLICATES, BLOCKS, 4)
        for values in (items @ np.asarray(weights), rows["win_share"].to_numpy().astype(float))
    )
    luck = luck - luck.mean(2, keepdims=True)
    gaps, plain, freed = (np.zeros((REPLICATES, 4)) for _ in range(3))
    for r in range(REPLICATES):
        for i in range(4):
            won = wins[r].sum(1)
            plain[r, i] = e.ratio(wins[r, :, i], won).value
            freed[r, i] = e.control_variate(wins[r, :, i], luck[r, :, i], won, 0.0).value
    gaps = freed - plain
    assert (np.abs(gaps.mean(0)) < 3.5 * gaps.std(0) / math.sqrt(REPLICATES)).all()
    assert freed.std(0).mean() < 0.97 * plain.std(0).mean()
    assert np.abs(luck.mean((0, 1))).max() < 4 * luck.std() / math.sqrt(blocks)
