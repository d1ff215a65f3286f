"""Figures X1 to X16, X21, X22: every outcome of chance, counted or weighted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from .outcomes import (
    BLUE_BACK,
    BOARD,
    COUNTED_SIX,
    DICE,
    FULL,
    MISSES,
    OWED,
    PREPARED,
    REFUSED,
    SIXES,
    TAKEN,
    Table,
    every_roll,
    sorted_rolls,
)
from figure import Figure
from scipy import sparse

EMPTY = (0,) * BOARD
COLOURS = ("5/6", "4/6", "3/6", "2/6")
TURNS = 400  # turns after which the boards of R0 have long settled


def figures() -> Iterator[Figure]:
    """All exact figures in order."""
    yield from _shots()
    yield from _shots_with_token()
    yield from _laps_by_nation()
    yield from _first_round()
    yield from _blue_markers()
    yield from _second_board()
    yield from _plain_turns()
    yield from _wax_orders()
    yield from _route_counts()


# ------------------------------------------------------------------------------- shooting
def _on_colour(colour: int) -> Table:
    """A skier of a basic nation with all markers on one colour, 0 the best."""
    table = Table()
    levels = table.rules["colour"][0, 0, : int(table.rules["levels"])].tolist()
    table.state["stamina"][0] = levels.index(colour)
    return table


def _shots() -> Iterator[Figure]:
    laps = (154 / 243, 263 / 243, 1.5, 466 / 243)
    misses = (0.833333, 1.666667, 2.5, 3.333333)
    clean = (0.401878, 0.131687, 0.031250, 0.004115)
    found = []
    for colour in range(4):
        table = _on_colour(colour)
        visits = table.visits(every_roll(5))
        found.append((visits[:, MISSES], visits[:, OWED] / int(table.rules["lap_length"])))
    for chance, (miss, _), wanted in zip(COLOURS, found, misses, strict=True):
        yield Figure("X1", f"misses in 5 shots at {chance}", miss.mean(), wanted)
    for chance, (_, lap), wanted in zip(COLOURS, found, laps, strict=True):
        yield Figure("X2", f"laps in 5 shots at {chance}", lap.mean(), wanted)
    for chance, (miss, _), wanted in zip(COLOURS, found, clean, strict=True):
        yield Figure("X3", f"P(no miss) at {chance}", (miss == 0).mean(), wanted)
    miss = found[1][0]
    for low, high, wanted in ((1, 2, 0.658436), (3, 4, 0.205761), (5, 5, 0.004115)):
        share = ((miss >= low) & (miss <= high)).mean()
        yield Figure("X4", f"P({low}-{high} misses) at 4/6", share, wanted)


def _shots_with_token() -> Iterator[Figure]:
    clean = (0.736776, 0.351166, 0.109375, 0.017833)
    laps = (0.271948, 0.750343, 1.25, 1.750343)
    found = []
    for colour in range(4):
        table = _on_colour(colour)
        visits = table.visits(every_roll(6), reroll=True)
        found.append((visits[:, MISSES], visits[:, OWED] / int(table.rules["lap_length"])))
    for chance, (miss, _), wanted in zip(COLOURS, found, clean, strict=True):
        yield Figure("X5", f"first miss rolled again: P(no miss) at {chance}",
                     (miss == 0).mean(), wanted)  # fmt: skip
    for chance, (_, lap), wanted in zip(COLOURS, found, laps, strict=True):
        yield Figure("X6", f"first miss rolled again: laps at {chance}", lap.mean(), wanted)


def _laps_by_nation() -> Iterator[Figure]:
    wanted = {
        "USA": 887 / 972, "United Kingdom": 1.166667, "Austria": 1.25, "Italy": 1.25,
        "Finland": 1.082305,
    }  # fmt: skip
    for nation, laps in wanted.items():
        table = Table()
        table.state["nation"][0] = table.nations.index(nation)
        table.state["stamina"][0] = int(table.rules["start_level"])
        visits = table.visits(every_roll(5))
        mean = (visits[:, OWED] / int(table.rules["lap_length"])).mean()
        yield Figure("X7", f"laps in 5 shots, short start, {nation}", mean, laps)


# ------------------------------------------------------------------------------- dice
def _counts(name: str, what: str, values: np.ndarray, wanted: tuple[int, ...], low: int = 0
            ) -> Iterator[Figure]:  # fmt: skip
    """How many outcomes have each value from ``low`` on."""
    for value, count in enumerate(wanted, start=low):
        times = int((values == value).sum())
        yield Figure(name, f"{what} {value}: of {len(values)}", times, count, digits=0)


def _first_round() -> Iterator[Figure]:
    table = Table()
    table.state["stamina"][0] = int(table.rules["start_level"])
    found = table.after_rolls(EMPTY, every_roll(5))
    columns = found[:, :4]
    fullest = columns.max(axis=1)
    yield from _counts("X8", "round 1, fullest column", fullest, (1, 505, 2950, 3110, 1210))
    yield Figure("X8", "round 1, fullest column, mean", fullest.mean(), 20575 / 7776)
    filled = (columns > 0).sum(axis=1)
    yield from _counts("X9", "round 1, non-empty columns", filled, (1, 875, 3420, 3000, 480))
    yield Figure("X10", "round 1, P(a 6)", (found[:, SIXES] > 0).mean(), 4651 / 7776)
    refused = int((found[:, REFUSED] > 0).sum())
    yield Figure("X10", "round 1, a 5 refused: of 7776", refused, 121, digits=0)
    board = found[:, PREPARED].sum(axis=1)
    yield Figure("X14", "dice on the board after round 1 by R0", board.mean(), 38754 / 7776)


def _blue_markers() -> Iterator[Figure]:
    wanted = (211 / 243, 38 / 27, 131 / 81, 404 / 243, 5 / 3)
    for blue, mean in enumerate(wanted, start=1):
        table = Table()
        table.state["stamina"][0] = [0] * blue + [2] * (5 - blue)
        found = table.after_rolls(EMPTY, every_roll(5))
        yield Figure("X11", f"dice sent back with {blue} markers on blue",
                     found[:, BLUE_BACK].mean(), mean)  # fmt: skip
    fullest = found[:, :4].max(axis=1)
    what = "all markers on blue, fullest column"
    yield from _counts("X12", what, fullest, (32, 2480, 4160, 1000, 104))
    yield Figure("X12", f"{what}, mean", fullest.mean(), 1.828189)


def _second_board() -> Iterator[Figure]:
    table = Table()
    table.state["stamina"][0] = int(table.rules["start_level"])
    found = table.after_rolls((0, 0, 2, 1, 0, 0, 0, 0, 1), every_roll(3))
    fullest = found[:, :4].max(axis=1)
    yield from _counts("X13", "columns 0 0 2 1, sprint 1: fullest", fullest, (52, 104, 60), low=2)


# ------------------------------------------------------------------------------- R0 turn by turn
@lru_cache
def plain_chain() -> tuple[sparse.csr_matrix, np.ndarray]:
    """Boards that R0 leaves behind: moves between them, and (dice, full, six) of the next turn."""
    table = Table()
    table.state["stamina"][0] = int(table.rules["start_level"])
    count = int(table.rules["race_dice"])
    number = {EMPTY: 0}
    todo, rows, columns, shares, means = [EMPTY], [], [], [], []
    while todo:
        board = todo.pop(0)
        rolls, times = sorted_rolls((count - sum(board) + 1) // 2)
        found = table.after_rolls(board, rolls)
        weight = times / times.sum()
        means.append(weight @ found[:, [DICE, FULL, COUNTED_SIX]])
        for after, share in zip(map(tuple, found[:, TAKEN].tolist()), weight, strict=True):
            if after not in number:
                number[after] = len(number)
                todo.append(after)
            rows.append(number[board])
            columns.append(number[after])
            shares.append(share)
    moves = sparse.csr_matrix((shares, (rows, columns)), shape=(len(number), len(number)))
    return moves, np.array(means)


def _plain_turns() -> Iterator[Figure]:
    moves, means = plain_chain()
    where = np.zeros(len(means))
    where[0] = 1.0
    by_turn = [np.zeros(3)]
    for _ in range(TURNS):
        by_turn.append(where @ means)
        where = where @ moves
    told = np.array(by_turn)
    dice = {1: 2.645962, 2: 2.792776, 3: 2.740852, 4: 2.650774, 5: 2.541974, 10: 2.121081,
            20: 1.967669}  # fmt: skip
    for turn, wanted in dice.items():
        yield Figure("X15", f"R0, dice counted on turn {turn}", told[turn, 0], wanted)
    yield Figure("X15", "R0, dice counted, limit", told[-1, 0], 1.963685)
    yield Figure("X15", "R0, dice counted, first 20 turns", told[1:21, 0].sum(), 44.693697)
    for turn, wanted in ((1, 0.155607), (2, 0.206412)):
        yield Figure("X16", f"R0, P(full column) on turn {turn}", told[turn, 1], wanted)
    yield Figure("X16", "R0, P(full column), limit", told[-1, 1], 0.012222)
    yield Figure("X16", "R0, P(counted 6), limit", told[-1, 2], 0.000720)


# ------------------------------------------------------------------------------- orders, routes
def _wax_orders() -> Iterator[Figure]:
    table = Table()
    slots = int(table.rules["slots"])
    orders: list[tuple[int, ...]] = []

    def lay(laid: tuple[int, ...]) -> None:
        if len(laid) == slots:
            orders.append(laid)
            return
        for token in table.waxpicks():
            table.state["slots"][0, len(laid)] = token
            lay((*laid, token))
            table.state["slots"][0, len(laid)] = 0

    lay(())
    yield Figure("X21", "orders of 6 from 8 tokens", len(orders), 20160, digits=0)
    unlike = {min(order, order[::-1]) for order in orders}
    yield Figure("X21", "the same after mirror images", len(unlike), 10080, digits=0)


def _route_counts() -> Iterator[Figure]:
    plain = 'course.layout=["start", "straight", "straight", "straight", "goal"]'
    for lanes, lane in ((2, 0), (3, 1)):
        table = Table(plain, f"course.lanes={lanes}")
        steps = range(1, 11)
        sides = lanes - 1
        apart = [table.routes(2, lane, n, keep_all=True) - (sides * n + 1) for n in steps]
        merged = [table.routes(2, lane, n, keep_all=False) - lanes for n in steps]
        told = "N + 1" if lanes == 2 else "2 N + 1"
        yield Figure("X22", f"routes of N = 1-10 steps, {lanes} lanes, less {told}",
                     max(map(abs, apart)), 0, digits=0)  # fmt: skip
        yield Figure("X22", f"the same merged, less {lanes}", max(map(abs, merged)), 0, digits=0)
