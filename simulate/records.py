"""The columns that all games share, and the way from row arrays to games and seats frames.

Kernels fill two flat dtypes, GAME_ROW and SEAT_ROW: numbers and fixed numeric subarrays, -1 for
none. This module puts the core columns first, so that a reader who knows one game's records knows
all of them. Column docs travel with the dtype as ``Column`` lists; ``frames`` turns arrays into
Polars frames (imported inside: engines must not need Polars).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Column:
    """One column of a record.

    ``words``: the name of a vocabulary of the game (the number is an index into it) or "".
    ``null``: True where -1 (or NaN) means "none" and becomes null.
    ``array``: length of a fixed subarray, 0 for a scalar.
    ``array_name``: what the index of the subarray counts, for the docs.
    """

    name: str
    dtype: Any
    meaning: str
    unit: str = ""
    words: str = ""
    null: bool = False
    array: int = 0
    array_name: str = ""


CORE_GAME: tuple[Column, ...] = (
    Column("game_id", np.int64, "number of the game in the run, from 0"),
    Column("block", np.int64, "games of one block share their dice; intervals cluster on it"),
    Column("cell", np.int16, "which game of the block: see cells in run.json"),
    Column("equal", np.bool_, "one style on every seat: never average these with the line-up's"),
    Column("rotation", np.int16, "which rotation of the line-up sat at the table"),
    Column("n_seats", np.int16, "seats at the table", "seats"),
    Column("turns", np.int32, "turns taken by all seats", "turns"),
    Column("rounds", np.int32, "rounds begun", "rounds"),
    Column("asked", np.int32, "questions with two or more options", "questions"),
    Column(
        "forced", np.int32, "decisions with exactly one option, which nobody is asked", "decisions"
    ),
    Column("truncated", np.bool_, "stopped by the sanity limit instead of the rules"),
)

CORE_SEAT: tuple[Column, ...] = (
    Column("game_id", np.int64, "number of the game in the run, from 0"),
    Column("seat", np.int16, "seat, 0-based, clockwise"),
    Column("strategy", np.int16, "who played the seat", words="strategies"),
    Column("win_share", np.float32, "1 for the winner, 1/k for k that share it", "games"),
    Column("rank", np.float32, "finishing place, ties and places not taken as their mean"),
    Column("score", np.float32, "the game's own score, see its docs"),
    Column("side", np.int16, "whom the result belongs to (the player, 0-based)"),
    Column("position", np.int16, "position of the line-up that sat here"),
    Column("treated", np.bool_, "an experiment's treatment was on this seat"),
)


def row_dtype(core: Sequence[Column], own: Sequence[Column]) -> np.dtype[Any]:
    """The structured dtype of a record: core columns first, then the game's own."""
    fields: list[Any] = []
    for column in (*core, *own):
        if column.array:
            fields.append((column.name, column.dtype, (column.array,)))
        else:
            fields.append((column.name, column.dtype))
    return np.dtype(fields, align=True)


def blank_row(core: Sequence[Column], own: Sequence[Column]) -> Any:
    """ROW[1] before anything has happened: zeros, and -1 where a column may stay empty."""
    row = np.zeros(1, row_dtype(core, own))
    for column in (*core, *own):
        if column.null:
            row[column.name] = -1
    return row


def blank_state(
    dtype: np.dtype[Any], none: Sequence[str], game: Sequence[Column], seat: Sequence[Column]
) -> Any:
    """STATE[1] before a game: zeros, -1 in the fields of ``none``, blank rows of both kinds."""
    state = np.zeros(1, dtype)
    for name in none:
        state[name] = -1
    state["game_rows"] = blank_row(CORE_GAME, game)
    state["seat_rows"] = blank_row(CORE_SEAT, seat)
    return state
