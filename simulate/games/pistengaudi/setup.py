"""Before the first turn: figures on the lift, the shuffled stack (rulebook: Setup)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.chance import draw_stack, open_streams
from simulate.games.pistengaudi.slope import lay_out
from simulate.games.pistengaudi.state import (
    BLANK,
    EVENT_SETUP,
    START_CELL,
)
from simulate.jit import copy_record, kernel


@kernel
def clear_table(state, rules, treatments, players):
    """PG-SETUP-01, PG-SETUP-02: lift, slope cards and goal; every figure upright on the lift."""
    copy_record(state, BLANK[0])
    state["n_seats"] = players
    for seat in range(players):
        state["treatment"][seat] = treatments[seat]
        state["side"][seat] = seat
        state["cell"][seat] = START_CELL
    lay_out(state, rules)


@kernel
def set_up(state, rules, work, treatments, players, root, block):
    """PG-SETUP-01 to PG-SETUP-05: everything up to the first round; seat 0 starts."""
    clear_table(state, rules, treatments, players)
    open_streams(state, root, block)
    state["n_cards"] = rules["n_cards"]
    state["n_stack"] = rules["n_cards"]
    for card in range(rules["n_cards"]):
        state["first"][card] = rules["card_first"][card]
        state["second"][card] = rules["card_second"][card]
    draw_stack(state, work)


@kernel
def tell_setup(state, rules, events):
    """The set-up as an event: the words add the deck and the forest from the rules."""
    players = state["n_seats"]
    emit(
        state, events, EVENT_SETUP, -1, players, rules["per_turn"][players], state["n_stack"], 0,
        0, 0,
    )  # fmt: skip
