"""The options of every question, as a function of the state (spec section 4)."""

from __future__ import annotations

from simulate.games.pistengaudi.effects import list_groom, list_snow
from simulate.games.pistengaudi.empty import list_empty
from simulate.games.pistengaudi.movement import list_moves
from simulate.games.pistengaudi.placing import list_placements
from simulate.games.pistengaudi.state import (
    ASK_EMPTY,
    ASK_GROOM,
    ASK_MOVE,
    ASK_PLACE,
    ASK_SNOW,
)
from simulate.jit import kernel
from simulate.options import clear


@kernel
def list_options(state, rules, work, question, seat):
    """Write the options of a question to WORK; returns how many. Reads the state only."""
    clear(work)
    if question == ASK_PLACE:
        list_placements(state, rules, work)
    elif question == ASK_MOVE:
        list_moves(state, rules, work, seat)
    elif question == ASK_SNOW:
        list_snow(state, rules, work, seat)
    elif question == ASK_GROOM:
        list_groom(state, rules, work, seat)
    elif question == ASK_EMPTY:
        list_empty(state, rules, work, seat)
    return work["n_options"]


@kernel
def legal(state, rules, work):
    """Options of the question asked now, rising codes in ``work["options"]``; returns how many.

    None when no question is asked.
    """
    return list_options(state, rules, work, state["phase"], state["to_move"])
