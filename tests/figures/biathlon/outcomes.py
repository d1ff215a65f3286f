"""Outcomes of chance, played through the engine's kernels: one fed list of faces after the other.

Each door takes an array with one list of faces a row and fills one row of results for it. Dice are
fed as in a scripted position, so nothing here rolls or knows a rule.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any

import numpy as np

from simulate import registry, rules

registry.load("biathlon")  # names the folder of compiled code before a kernel is imported

from simulate.games.biathlon import entries  # noqa: E402
from simulate.games.biathlon import state as s  # noqa: E402
from simulate.games.biathlon.columns import HOW_MAIN, list_main, resolve_take  # noqa: E402
from simulate.options import clear  # noqa: E402
from simulate.games.biathlon.preparation import (  # noqa: E402
    list_six,
    prepare,
    resolve_six,
    return_six,
)
from simulate.games.biathlon.routes import list_moves  # noqa: E402
from simulate.games.biathlon.setup import list_waxpick  # noqa: E402
from simulate.games.biathlon.shooting import (  # noqa: E402
    may_fire,
    reroll_shot,
    resolve_visit_end,
    shoot_next,
)
from simulate.jit import entry, kernel  # noqa: E402
from strategies.biathlon import choose  # noqa: E402

SEAT = 0
BOARD = 9  # numbers of a board: dice in columns 1-4, star boxes 1-4, sprint
PREPARED, TAKEN = slice(0, 9), slice(9, 18)  # a row of results: the board after each of the two
DICE, FULL, COUNTED_SIX, REFUSED, BLUE_BACK, SIXES = range(18, 24)
RESULTS = 24
MISSES, OWED = 0, 1


class Table:
    """One skier's records under some rules, everything empty."""

    def __init__(self, *overrides: str) -> None:
        resolved = rules.load("biathlon", overrides=overrides)
        self.rules = resolved.record[0]
        self.nations = list(resolved.vocabularies["nations"])
        self.state, self.work = entries.new_state(), entries.new_work()
        entries.place(self.state, self.rules, self.work, entries.no_treatments(), 1, 1)
        self.state["nation"][SEAT] = 0
        self.events = entries.new_events(0)

    def after_rolls(self, board: Any, faces: np.ndarray) -> np.ndarray:
        """int64[n, RESULTS]: preparation and main column of a board for each list of faces."""
        found = np.zeros((len(faces), RESULTS), np.int64)
        given = np.asarray(board, np.int64)
        _rounds(self.state, self.rules, self.work, self.events, given, faces, found)
        return found

    def visits(self, faces: np.ndarray, *, reroll: bool = False) -> np.ndarray:
        """int64[n, 2], misses and steps owed, of a visit of five shots for each list of faces."""
        self.state["row"][SEAT] = int(self.rules["range_row"][0])
        found = np.zeros((len(faces), 2), np.int64)
        _visits(self.state, self.rules, self.work, self.events, faces, int(reroll), found)
        return found

    def waxpicks(self) -> list[int]:
        """Tokens offered for the next slot."""
        count = _waxpicks(self.state, self.rules, self.work)
        return [int(token) for token in self.work["options"][:count]]

    def routes(self, row: int, lane: int, steps: int, *, keep_all: bool) -> int:
        """Routes of a move with nobody near."""
        self.state["row"][SEAT], self.state["lane"][SEAT] = row, lane
        return int(_routes(self.state, self.rules, self.work, steps, int(keep_all)))


@lru_cache
def every_roll(dice: int) -> np.ndarray:
    """int64[6**dice, dice]: all rolls in order."""
    return np.array(list(itertools.product(range(1, 7), repeat=dice)), np.int64)


@lru_cache
def sorted_rolls(dice: int) -> tuple[np.ndarray, np.ndarray]:
    """Rolls whose dice are in order, and how many rolls each stands for."""
    rolls, times = np.unique(np.sort(every_roll(dice), axis=1), axis=0, return_counts=True)
    return rolls, times


# ------------------------------------------------------------------------------- the doors
@kernel
def _feed(work, faces):
    """The next faces of the dice."""
    feed = work["feed"]
    feed["on"] = 1
    feed["used"] = 0
    feed["n"] = len(faces)
    for index in range(len(faces)):
        feed["values"][index] = faces[index]


@kernel
def _read_board(state, numbers, start):
    """Write the board behind ``start``."""
    for column in range(s.COLUMNS):
        numbers[start + column] = state["cols"][SEAT, column]
        numbers[start + s.COLUMNS + column] = state["stars"][SEAT, column]
    numbers[start + 2 * s.COLUMNS] = state["sprint"][SEAT]


@kernel
def _one_round(state, rules, work, events, result):
    """Preparation, 6s by the first option, then the main column of R0."""
    row = state["seat_rows"][SEAT]
    prepare(state, rules, work, events, SEAT)
    result[SIXES] = state["sixes"][SEAT]
    while state["sixes"][SEAT] > 0:
        clear(work)
        list_six(state, rules, work, SEAT)
        if work["n_options"] > 0:
            resolve_six(state, events, SEAT, work["options"][0], 1)
        else:
            return_six(state, events, SEAT, 1)
    _read_board(state, result, 0)
    clear(work)
    list_main(state, work, SEAT)
    if work["n_options"] > 0:
        state["phase"] = s.ASK_MAIN
        state["to_move"] = SEAT
        code = work["options"][choose.plain(state, work, 1)]
        resolve_take(state, rules, events, SEAT, code - 1, HOW_MAIN, s.PC_W2)
    _read_board(state, result, BOARD)
    result[DICE] = state["dice"]
    result[FULL] = row["full_taken"]
    result[COUNTED_SIX] = row["six_counted"]
    result[REFUSED] = row["fives_refused"]
    result[BLUE_BACK] = row["dice_blue_removed"]


@entry
def _rounds(state, rules, work, events, board, faces, results):
    """One round from the same board for each list of faces."""
    row = state["seat_rows"][SEAT]
    for number in range(len(faces)):
        row["full_taken"] = 0
        row["six_counted"] = 0
        row["fives_refused"] = 0
        row["dice_blue_removed"] = 0
        state["dice"] = 0
        for column in range(s.COLUMNS):
            state["taken"][column] = 0
            state["cols"][SEAT, column] = board[column]
            state["stars"][SEAT, column] = board[s.COLUMNS + column]
        state["sprint"][SEAT] = board[2 * s.COLUMNS]
        _feed(work, faces[number])
        _one_round(state, rules, work, events, results[number])


@entry
def _visits(state, rules, work, events, faces, reroll, results):
    """A visit of five shots for each list of faces; ``reroll`` 1: the first miss again."""
    for number in range(len(faces)):
        _feed(work, faces[number])
        state["shots_made"][SEAT] = 0
        state["fired"] = 0
        state["dice"] = rules["shots"]
        tokens = reroll
        while may_fire(state, rules, SEAT):
            shoot_next(state, rules, work, events, SEAT)
            target = state["last_shot"]
            if tokens > 0 and state["shot_hit"][SEAT, target] == 0:
                tokens -= 1
                reroll_shot(state, rules, work, events, SEAT, target)
        resolve_visit_end(state, rules, events, SEAT)
        results[number, MISSES] = state["miss"][SEAT]
        results[number, OWED] = state["owed"][SEAT]


@entry
def _waxpicks(state, rules, work):
    """D-WAXPICK; returns the number of options."""
    clear(work)
    list_waxpick(state, rules, work, SEAT)
    return work["n_options"]


@entry
def _routes(state, rules, work, steps, keep_all):
    """D-MOVE without anybody near; returns the number of routes."""
    list_moves(state, rules, work, SEAT, steps, 0, keep_all)
    return work["n_routes"]
