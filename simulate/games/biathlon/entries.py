"""The compiled doors from Python: start, legal, apply, finish; and fresh records for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.games.biathlon import engine
from simulate.games.biathlon import legal as options
from simulate.games.biathlon.state import EVENT, GAME_ROW, MAX_SEATS, SEAT_ROW, STATE, TREATMENT, WORK
from simulate.jit import entry


@entry
def start(state, rules, work, events, treatments, players, root, block):
    """Set up a race: STATE, RULES, WORK records, EVENT[] and TREATMENT[] arrays, int64s."""
    engine.start(state, rules, work, events, treatments, players, root, block)


@entry
def legal(state, rules, work):
    """Write the options of the question asked to ``work["options"]``; returns how many."""
    return options.legal(state, rules, work)


@entry
def apply(state, rules, work, events, action):
    """Answer the question asked and run on to the next."""
    engine.apply(state, rules, work, events, action)


@entry
def resume(state, rules, work, events):
    """Run a state that was set up from outside (a scripted position) to its first question."""
    engine.advance(state, rules, work, events)


@entry
def finish(state, rules, game_row, seat_rows):
    """Fill GAME_ROW[1] and SEAT_ROW[n_seats] of a race that is over."""
    engine.finish(state, rules, game_row, seat_rows)


def new_state() -> Any:
    """A STATE record, to be filled by ``start``."""
    return np.zeros(1, STATE)[0]


def new_work() -> Any:
    """A WORK record: scratch of one thread."""
    return np.zeros(1, WORK)[0]


def new_events(size: int) -> Any:
    """A buffer for ``size`` EVENT rows; size 0 records nothing."""
    return np.zeros(size, EVENT)


def no_treatments() -> Any:
    """TREATMENT[MAX_SEATS], nothing forced or granted."""
    return np.zeros(MAX_SEATS, TREATMENT)


def new_rows() -> tuple[Any, Any]:
    """GAME_ROW[1] and SEAT_ROW[MAX_SEATS] for ``finish``."""
    return np.zeros(1, GAME_ROW), np.zeros(MAX_SEATS, SEAT_ROW)
