"""Rollouts of every game: the door continues a game correctly, and chance to come is drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulate import jit
from simulate.batch import batch_game
from simulate.experiments import rollouts_files
from simulate.experiments.rollouts_positions import Asked, Table
from strategies.rollouts import CHOSEN, OFFERED, RANK, SEAT, TRUE_FUTURE, WIN_SHARE

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs whole games")

Plan = Callable[..., Any]
LOOKED_AT = 6  # questions of a game


def _questions(plan: Any) -> tuple[np.ndarray, list[int]]:
    """The trace of game 0, and some questions spread over it."""
    trace = Table(plan, 0).play_out()
    return trace, sorted({1, *np.linspace(1, len(trace), LOOKED_AT, dtype=int).tolist()})


def _changed(one: Any, other: Any) -> set[str]:
    """Fields that differ, records within records by their fields (not by the bytes between)."""
    found = set()
    for name in one.dtype.names:
        a, b = one[name], other[name]
        if a.dtype.names:
            differs = bool(_changed(a, b))
        else:
            differs = not np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        if differs:
            found.add(name)
    return found


def test_the_option_taken_with_the_true_streams_gives_the_games_end(
    game: str, plan_of: Plan
) -> None:
    """From the first question, the last and some between; the position stays as it is."""
    plan = plan_of(game)
    real = batch_game(plan, 0).seats
    trace, questions = _questions(plan)
    table = Table(plan, 0)
    for question in questions:
        table.play_to(question)
        sitting = table.sitting
        asked = (sitting.to_move, len(sitting.options), sitting.choose())
        before = sitting.state.tobytes()
        ends = table.roll_out(sitting.options[[asked[2]]], 2, TRUE_FUTURE)

        assert asked == tuple(int(trace[question - 1, i]) for i in (SEAT, OFFERED, CHOSEN))
        assert sitting.state.tobytes() == before
        for end in ends[0]:
            assert end[:, WIN_SHARE].astype("f4").tolist() == real["win_share"].tolist()
            assert end[:, RANK].tolist() == real["rank"].tolist()
        table = Table(plan, 0)  # `choose` has drawn coins that the game draws again


def test_the_trace_is_as_long_as_the_game_asked(game: str, plan_of: Plan) -> None:
    """`asked` of the records counts the same questions."""
    plan = plan_of(game)

    assert len(Table(plan, 0).play_out()) == batch_game(plan, 0).game["asked"][0]


def test_a_root_is_a_future_and_all_options_meet_it(game: str, plan_of: Plan) -> None:
    """The same root gives the same ends, whatever else is rolled out; another root others."""
    table = Table(plan_of(game), 0)
    codes = table.sitting.options
    both = table.roll_out(codes[:2], 24, 5)

    assert np.array_equal(both, table.roll_out(codes[:2], 24, 5))
    assert np.array_equal(both[:1], table.roll_out(codes[:1], 24, 5))
    assert np.array_equal(both[:, :12], table.roll_out(codes[:2], 12, 5))
    assert not np.array_equal(both, table.roll_out(codes[:2], 24, 6))


def test_chance_to_come_is_drawn_anew_and_nothing_else(
    game: str, plan_of: Plan, piles: set[str]
) -> None:
    """Streams differ; hidden piles hold the same cards in another order; all else is as it was."""
    plan = plan_of(game)
    table = Table(plan, 0)
    module = table.engine.game.module("engine" if game == "toy" else "chance")
    renew = jit.opened(module.renew)
    _, questions = _questions(plan)
    for question in questions[:-1]:
        table.play_to(question)
        state = table.sitting.state
        new = state.copy()
        renew(new, 77, 3)

        assert not np.array_equal(new["streams"], state["streams"])
        changed = _changed(state, new)
        if question == 1:  # nothing has been drawn to the end yet
            assert piles <= changed
        assert changed <= {"streams", "root", "block"} | piles
        for name in piles:
            assert sorted(state[name].tolist()) == sorted(new[name].tolist())


def test_any_jobs_give_the_same_bytes(game: str, plan_of: Plan, tmp_path: Path) -> None:
    """Which decisions, options and futures are drawn does not depend on who plays them."""
    plan = plan_of(game)
    plan = plan.with_games(2 * rollouts_files.SHARD_GAMES if game == "toy" else plan.k)
    asked = Asked(decisions=1, rollouts=4, options=3)
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        rollouts_files.play_missing(plan, asked, folder, jobs, lambda *_: None, lambda _: None)
    files = sorted(p.relative_to(tmp_path / "1") for p in (tmp_path / "1").rglob("*.parquet"))

    assert len(files) == 2 * rollouts_files.shards_of(plan)
    for file in files:
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "3" / file).read_bytes()
