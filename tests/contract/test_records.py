"""What must hold for the records that every game leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulate import jit, registry
from simulate.records import CORE_GAME, CORE_SEAT

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs whole games")

Walks = Callable[[str, str], list[Any]]
SIGNED = ("score",)  # core columns that may be below zero


def test_ranks_are_a_valid_order(game: str, strategy: str, walks: Walks) -> None:
    """Places 1 … n, where seats that share places all have their mean."""
    for seen in walks(game, strategy):
        ranks = np.sort(seen.rows.seats["rank"].astype(float))
        wanted = []
        for value in np.unique(ranks):
            tied = int((ranks == value).sum())
            wanted += [len(wanted) + (tied + 1) / 2] * tied
        assert ranks.tolist() == wanted


def test_win_shares_sum_to_one_or_nothing(game: str, strategy: str, walks: Walks) -> None:
    """One game is won once, or by nobody; a truncated game by nobody."""
    for seen in walks(game, strategy):
        total = float(seen.rows.seats["win_share"].sum())
        assert total == pytest.approx(1) or total == 0
        assert not (seen.rows.game[0]["truncated"] and total)
        assert (seen.rows.seats["win_share"] >= 0).all()


def test_asked_counts_the_questions(game: str, strategy: str, walks: Walks) -> None:
    """Records count what was really asked; seats and counts are right."""
    for seen in walks(game, strategy):
        row = seen.rows.game[0]
        assert row["asked"] == len(seen.asked)
        assert row["n_seats"] == len(seen.rows.seats)
        assert seen.rows.seats["seat"].tolist() == list(range(row["n_seats"]))
        assert 0 < row["rounds"] <= row["turns"]


def test_numbers_are_counts_or_none(game: str, strategy: str, walks: Walks) -> None:
    """-1 and NaN stand only where a column may be null; words are in their vocabulary."""
    state = registry.load(game).state
    for seen in walks(game, strategy):
        for rows, columns in (
            (seen.rows.game, (*CORE_GAME, *state.GAME_COLUMNS)),
            (seen.rows.seats, (*CORE_SEAT, *state.SEAT_COLUMNS)),
        ):
            for column in columns:
                _check_column(rows[column.name], column)


def _check_column(values: Any, column: Any) -> None:
    """Values of one column of the records."""
    if values.dtype.kind == "f":
        assert np.isfinite(values).all() or column.null, column.name
    if values.dtype.kind in "if" and column.name not in SIGNED:
        low = -1 if column.null else 0
        assert (values[~np.isnan(values)] >= low).all(), (column.name, values)


def test_frames_hold_nulls_and_words(
    game: str, strategy: str, walks: Walks, plan_of: Callable[..., Any]
) -> None:
    """What is null in a frame is -1 or NaN in the record, nothing else; words are words."""
    from simulate.verify import row_frames

    plan = plan_of(game, players="all", lineup=strategy)
    for seen in walks(game, strategy):
        games, seats = row_frames(plan, seen.rows)
        state = registry.load(game).state
        for frame, columns in (
            (games, (*CORE_GAME, *state.GAME_COLUMNS)),
            (seats, (*CORE_SEAT, *state.SEAT_COLUMNS)),
        ):
            for column in columns:
                if not column.null and not column.array:
                    assert frame[column.name].null_count() == 0, column.name
                if column.words:
                    assert set(frame[column.name].cast(str).drop_nulls()) <= set(
                        [*plan.vocabularies.get(column.words, []), strategy]
                    )


def test_every_column_says_what_it_is(game: str) -> None:
    """Names are unique, and each column has a meaning."""
    state = registry.load(game).state
    for columns in ((*CORE_GAME, *state.GAME_COLUMNS), (*CORE_SEAT, *state.SEAT_COLUMNS)):
        names = [column.name for column in columns]
        assert len(set(names)) == len(names)
        assert all(column.meaning for column in columns)
