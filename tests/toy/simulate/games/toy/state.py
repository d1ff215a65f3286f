"""Dtypes, sizes and codes of Toy Dash."""

from __future__ import annotations

import numpy as np

from simulate.records import CORE_GAME, CORE_SEAT, Column, row_dtype
from simulate.rng import FIRST_GAME_PURPOSE

MAX_SEATS = 4
MAX_SPACES = 64
ROUNDS_KEPT = 5
PURPOSE_DICE = FIRST_GAME_PURPOSE

ASK_GO = 0
NO_QUESTION = -1
WALK, RUN = 0, 1

GAME_COLUMNS = (
    Column("layout", np.int16, "track", words="layouts"),
    Column("result", np.int16, "how it ended", words="results"),
    Column("winner_seat", np.int16, "the only winner, if there is one", null=True),
    Column("gap", np.float32, "mean distance of the losers behind", "spaces", null=True),
    Column("est_minutes", np.float32, "rounds x rules.minutes", "min"),
)
SEAT_COLUMNS = (
    Column("walks", np.int16, "times walked"),
    Column("falls", np.int16, "ones thrown"),
    Column("space_round", np.int16, "space after each round", "spaces",
           null=True, array=ROUNDS_KEPT, array_name="round"),
    Column("faces", np.int16, "faces thrown", array=6, array_name="face"),
)  # fmt: skip
GAME_ROW = row_dtype(CORE_GAME, GAME_COLUMNS)
SEAT_ROW = row_dtype(CORE_SEAT, SEAT_COLUMNS)

TALLY = np.dtype(
    [("stands", np.int64, (MAX_SPACES,)), ("falls", np.int64, (MAX_SPACES,))], align=True
)
TREATMENT = np.dtype(
    [
        ("start_space", np.int64),
        ("no_run", np.int64),
        ("dice_shift", np.int64),
        ("rival_dice_shift", np.int64),
        ("policy_shift", np.int64),
    ],
    align=True,
)
RULES = np.dtype(
    [
        ("layout", np.int64),
        ("length", np.int64),
        ("walk", np.int64),
        ("fall_face", np.int64),
        ("max_rounds", np.int64),
        ("minutes", np.float64),
    ],
    align=True,
)
STATE = np.dtype(
    [
        ("streams", np.uint64, (MAX_SEATS,)),
        ("turn", np.int64),
        ("round", np.int64),
        ("phase", np.int64),
        ("to_move", np.int64),
        ("n_seats", np.int64),
        ("over", np.int64),
        ("truncated", np.int64),
        ("asked", np.int64),
        ("forced", np.int64),
        ("n_events", np.int64),
        ("event_overflow", np.int64),
        ("side", np.int64, (MAX_SEATS,)),
        ("treatment", TREATMENT, (MAX_SEATS,)),
        ("space", np.int64, (MAX_SEATS,)),
        ("seat_rows", SEAT_ROW, (MAX_SEATS,)),
        ("tally", TALLY),
    ],
    align=True,
)
FEED = np.dtype(
    [
        ("on", np.int64),
        ("n", np.int64),
        ("used", np.int64),
        ("missing", np.int64),
        ("values", np.int64, (64,)),
    ],
    align=True,
)
WORK = np.dtype([("feed", FEED), ("n_options", np.int64), ("options", np.int64, (2,))], align=True)
EVENT = np.dtype(
    [("kind", np.int64), ("seat", np.int64), ("a", np.int64), ("b", np.int64)], align=True
)
EVENT_SETUP, EVENT_ROUND, EVENT_THROW, EVENT_STEP, EVENT_OVER = range(5)
