"""The compiled doors from Python: start, legal, apply, finish; and fresh records for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.games.pistengaudi import engine, setup, slope
from simulate.games.pistengaudi import legal as options
from simulate.games.pistengaudi.state import (
    EVENT,
    GAME_ROW,
    MAX_SEATS,
    SEAT_ROW,
    STATE,
    TREATMENT,
    WORK,
)
from simulate.jit import entry

_START, _LEGAL, _APPLY, _RESUME, _PLACE, _LAY, _FINISH = range(7)


@entry
def _drive(
    what, state, rules, work, events, treatments, players, number, block, game_row, seat_rows
):
    """The one compiled door: the engine is the bulk of the machine code and is compiled once."""
    if what == _LEGAL:
        return options.legal(state, rules, work)
    if what == _PLACE:
        setup.clear_table(state, rules, treatments, players)
        return 0
    if what == _LAY:
        slope.lay_card(state, rules, number, block, 0)
        return 0
    if what == _FINISH:
        engine.finish(state, rules, game_row, seat_rows)
        return 0
    if what == _START:
        setup.set_up(state, rules, work, treatments, players, number, block)
    elif what == _APPLY:
        engine.answer(state, rules, work, events, number)
    engine.advance(state, rules, work, events)
    return 0


def start(
    state: Any,
    rules: Any,
    work: Any,
    events: Any,
    treatments: Any,
    players: int,
    root: int,
    block: int,
) -> None:
    """Set up a game and run to its first question.

    STATE, RULES and WORK records, EVENT[] and TREATMENT[players] arrays, whole numbers.
    """
    _drive(_START, state, rules, work, events, treatments, players, root, block, *_NO_ROWS)


def legal(state: Any, rules: Any, work: Any) -> int:
    """Write the options of the question asked to ``work["options"]``; returns how many."""
    return int(_drive(_LEGAL, state, rules, work, _NO_EVENTS, _NOBODY, 0, 0, 0, *_NO_ROWS))


def apply(state: Any, rules: Any, work: Any, events: Any, action: int) -> None:
    """Answer the question asked with a legal code and run on to the next question."""
    _drive(_APPLY, state, rules, work, events, _NOBODY, 0, action, 0, *_NO_ROWS)


def resume(state: Any, rules: Any, work: Any, events: Any) -> None:
    """Run a state that was set up from outside (a scripted position) to its first question."""
    _drive(_RESUME, state, rules, work, events, _NOBODY, 0, 0, 0, *_NO_ROWS)


def place(state: Any, rules: Any, work: Any, treatments: Any, players: int) -> None:
    """A table without cards, all figures on the lift: scripted positions are written upon it."""
    _drive(_PLACE, state, rules, work, _NO_EVENTS, treatments, players, 0, 0, *_NO_ROWS)


def lay(state: Any, rules: Any, card: int, cell: int) -> None:
    """Lay a card of a scripted position as it is written, upper half on ``cell``."""
    _drive(_LAY, state, rules, _NO_WORK, _NO_EVENTS, _NOBODY, 0, card, cell, *_NO_ROWS)


def finish(state: Any, rules: Any, game_row: Any, seat_rows: Any) -> None:
    """Fill GAME_ROW[1] and SEAT_ROW[n_seats] of a game that is over."""
    work = _NO_WORK
    _drive(_FINISH, state, rules, work, _NO_EVENTS, _NOBODY, 0, 0, 0, game_row, seat_rows)


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


_NO_EVENTS = new_events(0)
_NO_WORK = new_work()
_NOBODY = no_treatments()
_NO_ROWS = new_rows()
