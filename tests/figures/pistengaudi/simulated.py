"""Figures 18 to 29: whole games of bots U and N, as a run plays them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from figure import Figure

from simulate.batch import PIECE_GAMES, play_blocks
from simulate.plan import Plan
from simulate.request import Request
from simulate.tables import buffers, tables

SEED = 20_454
TWO_ROUNDS, FULL, CAPPED, OTHERS = 800_000, 40_000, 60_000, 10_000
COUNTS = (2, 4, 6)
GAME_FIELDS = (
    "rounds", "truncated", "winner_seat", "winner_area", "n_in_goal", "falls", "snowballs",
    "snow_wasted", "standups", "groom_up", "groom_side", "groom_down", "stranded_end", "width_left",
    "width_right", "dec_place", "opt_place", "cards_taken", "forgone", "stack_empty_turn",
    "cards_unplaced",
)  # fmt: skip
Columns = dict[str, np.ndarray]


def figures(share: float = 1.0) -> Iterator[Figure]:
    """All simulated figures, each with that share of its games."""
    for players in COUNTS:
        yield from _two_rounds(players, share)
    for players in COUNTS:
        yield from _full(players, share)
    yield from _random_games(share)
    yield from _set_ups_and_decks(share)


# ------------------------------------------------------------------------------- playing
def rows_of(plan: Plan) -> Columns:
    """Columns of a plan's games, one entry a game, and the sum of the seats' last rows."""
    table = tables(plan)
    scratch = buffers(table, min(PIECE_GAMES, plan.blocks))
    tally = np.zeros(plan.k, dtype=table.engine.state.TALLY)
    columns: dict[str, list[Any]] = {name: [] for name in (*GAME_FIELDS, "final_rows")}
    for first in range(0, plan.blocks, PIECE_GAMES):
        size = min(PIECE_GAMES, plan.blocks - first)
        play_blocks(plan, table, scratch, first, size, tally)
        for name in GAME_FIELDS:
            columns[name].append(scratch.game_rows[name][:size].astype(np.int64))
        seats = scratch.seat_rows[: size * table.seats_per_block].reshape(size, -1)
        columns["final_rows"].append(seats["final_row"].astype(np.int64).sum(axis=1))
    return {name: np.concatenate(parts) for name, parts in columns.items()}


def play(strategy: str, players: int, games: float, *changes: str) -> Columns:
    """Games of one strategy in all seats."""
    plan = Request(
        "pistengaudi", max(2000, round(games)), players=players, lineup=strategy, seating="fixed",
        equal=False, set=list(changes), seed=SEED,
    ).plan()  # fmt: skip
    return rows_of(plan)


def _mean(name: str, what: str, values: np.ndarray, wanted: tuple[float, float], digits: int
          ) -> Figure:  # fmt: skip
    """A mean beside the reference and its standard error."""
    se = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Figure(name, what, float(values.mean()), wanted[0], se, wanted[1], digits)


# ------------------------------------------------------------------------------- two rounds of bot U
AFTER_TWO: dict[str, tuple[str, str, int, dict[int, tuple[float, float]]]] = {
    "row": ("P18", "mean row", 4, {2: (1.1665, 0.001), 4: (1.1209, 0.001), 6: (1.1609, 0.001)}),
    "falls": ("P19", "falls", 4, {2: (0.3381, 0.0008), 4: (0.7787, 0.0015), 6: (0.9131, 0.0021)}),
    "throws": ("P20", "throws", 4, {2: (0.3723, 0.0007), 4: (0.7430, 0.0013), 6: (1.1567, 0.0019)}),
    "grooms": ("P20", "groomer moves", 4, {2: (0.3241, 0.0007), 4: (0.7033, 0.0013),
                                           6: (1.1105, 0.0020)}),
    "lying": ("P21", "share lying", 4, {2: (0.1332, 0.0003), 4: (0.1233, 0.0003),
                                        6: (0.1023, 0.0003)}),
    "standups": ("P21", "stand-ups", 4, {2: (0.4318, 0.0007), 4: (0.9285, 0.0014),
                                         6: (1.3040, 0.0020)}),
    "options": ("P22", "options a placement", 3, {2: (27.001, 0.004), 4: (18.932, 0.004),
                                                  6: (24.630, 0.004)}),
    "columns": ("P22", "columns built", 3, {2: (5.440, 0.0014), 4: (5.460, 0.0014),
                                            6: (6.978, 0.0014)}),
    "stranded": ("P23", "without a way out", 4, {2: (0.0276, 0.0003), 4: (0.0522, 0.0005),
                                                 6: (0.1024, 0.0008)}),
}  # fmt: skip


def _two_rounds(players: int, share: float) -> Iterator[Figure]:
    told = play("random", players, TWO_ROUNDS * share, "limits.max_rounds=2")
    lying = told["falls"] + told["snowballs"] - told["snow_wasted"] - told["standups"]
    found = {
        "row": told["final_rows"] / players,
        "falls": told["falls"],
        "throws": told["snowballs"],
        "grooms": told["groom_up"] + told["groom_side"] + told["groom_down"],
        "lying": lying / players,
        "standups": told["standups"],
        "options": told["opt_place"] / told["dec_place"],
        "columns": told["width_left"] + told["width_right"] + 1,
        "stranded": told["stranded_end"],
    }
    for quantity, (name, what, digits, wanted) in AFTER_TWO.items():
        told_as = f"bot U, {players} players, 2 rounds: {what}"
        yield _mean(name, told_as, found[quantity], wanted[players], digits)


# ------------------------------------------------------------------------------- whole games
WON = {
    2: (0.466, 0.515), 4: (0.212, 0.242, 0.257, 0.280),
    6: (0.127, 0.148, 0.167, 0.177, 0.186, 0.193),
}  # fmt: skip
WON_SE = {2: 0.0025, 4: 0.002, 6: 0.002}
ENDED = {2: 0.981, 4: 0.991, 6: 0.997}
ROUNDS = {2: 10.247, 4: 10.264, 6: 9.037}
AREA = {2: 1.669, 4: 1.680, 6: 1.688}
IN_GOAL = {2: (1.231, 0.002), 4: (1.545, 0.004), 6: (1.788, 0.005)}
THROWS = (5.62, 0.02)


def _full(players: int, share: float) -> Iterator[Figure]:
    told = play("near_builder", players, FULL * share)
    ended = told["truncated"] == 0
    who = f"bot N, {players} players"
    yield _mean("P24", f"{who}: share not capped", ended, (ENDED[players], 0.0007), 3)
    yield _mean("P24", f"{who}: rounds", told["rounds"][ended], (ROUNDS[players], 0.011), 3)
    for seat, wanted in enumerate(WON[players]):
        won = told["winner_seat"] == seat
        yield _mean("P25", f"{who}: win share of seat {seat}", won, (wanted, WON_SE[players]), 3)
    yield _mean(
        "P26", f"{who}: winner's area", told["winner_area"][ended], (AREA[players], 0.004), 3
    )
    yield _mean("P26", f"{who}: figures in the goal", told["n_in_goal"][ended], IN_GOAL[players], 3)
    if players == 4:
        yield _mean("P29", f"{who}: throws", told["snowballs"], THROWS, 2)


def _random_games(share: float) -> Iterator[Figure]:
    told = play("random", 4, CAPPED * share, "limits.max_rounds=20")
    ended = told["truncated"] == 0
    who = "bot U, 4 players, cap 20"
    yield _mean("P27", f"{who}: share finished", ended, (0.2684, 0.0018), 4)
    yield _mean("P27", f"{who}: rounds", told["rounds"][ended], (16.39, 0.022), 2)
    yield _mean("P27", f"{who}: cards taken", told["cards_taken"], (32.15, 0.04), 2)
    yield _mean("P27", f"{who}: forgone", told["forgone"], (2.01, 0.012), 2)


def _set_ups_and_decks(share: float) -> Iterator[Figure]:
    changed = {
        "slope.forest=little_grove": (11.29, 0.024), "slope.forest=slalom_run": (11.92, 0.031),
        "slope.forest=timber_track": (11.96, 0.029), "deck.name=broad42": (9.65, 0.014),
        "deck.name=wild42": (12.23, 0.026),
    }  # fmt: skip
    for change, wanted in changed.items():
        told = play("near_builder", 4, OTHERS * share, change)
        rounds = told["rounds"][told["truncated"] == 0]
        yield _mean("P28", f"bot N, {change.split('=')[1]}: rounds", rounds, wanted, 2)
    told = play("near_builder", 4, OTHERS * share, "rules.effects.on_stand_up=true")
    yield _mean("P29", "bot N, effects on standing up: throws", told["snowballs"], (7.85, 0.07), 2)
