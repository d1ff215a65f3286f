"""Going up: lifts, lift tickets, Ski Poles, Season Pass (rulebook: Action: Ride a Lift)."""

from __future__ import annotations

from simulate.games.skull_canyon.cards import after_discard, draw_top, lay_off, to_hand
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import has, note_use
from simulate.games.skull_canyon.state import (
    EVENT_RIDE,
    EVENT_SHOW,
    EVENT_TOKEN,
    PASS,
    POLES,
    YETI,
)
from simulate.jit import kernel

BY_LIFT, BY_POLES, BY_TICKET, BY_TICKET_POLES = 0, 1, 2, 3
TOKEN_TICKET = 1


@kernel
def poles_to(state, rules, board, seat):
    """Bit set of nodes that Ski Poles lead to: tops of runs that end here (SC-GEAR-POLES)."""
    if not has(state, seat, POLES) or state["poles_used"] == 1:
        return 0
    node = state["node"][seat]
    found = 0
    for index in range(board["n_up"][node]):
        run = board["up"][node, index]
        if rules["poles_through_yeti"] == 1 or state["yeti"] != run:
            found = found | (1 << board["top"][run])
    return found


@kernel
def ride(state, rules, work, events, seat, how, node):
    """Move up to a node by lift or Poles; then Season Pass (SC-LIFT-01, -04, SC-GEAR-PASS)."""
    emit(state, events, EVENT_RIDE, seat, how, state["node"][seat], node, 0, 0, 0)
    row = state["seat_rows"][seat]
    row["rides"] += 1
    state["game_rows"][0]["rides"] += 1
    if how == BY_LIFT or how == BY_POLES:
        state["actions"] -= 1
        state["game_rows"][0]["act_lift"] += 1
    else:
        state["tickets"][seat] -= 1
        state["tickets_left"] += 1
        row["tickets_used"] += 1
        state["game_rows"][0]["tickets_used"] += 1
        emit(state, events, EVENT_TOKEN, seat, TOKEN_TICKET, -1, state["tickets_left"], 0, 0, 0)
    if how == BY_POLES or how == BY_TICKET_POLES:
        state["poles_used"] = 1
        note_use(state, rules, seat, POLES)
    state["node"][seat] = node
    if has(state, seat, PASS):
        show_top(state, rules, work, events, seat)


@kernel
def show_top(state, rules, work, events, seat):
    """Season Pass: a Yeti on top goes to hand, another card to the discards (SC-EDGE-30)."""
    card = draw_top(state, rules, work, events)
    if card < 0:
        return
    kept = 1 if card == YETI else 0
    note_use(state, rules, seat, PASS)
    emit(state, events, EVENT_SHOW, seat, card, kept, 0, 0, 0, 0)
    if kept == 1:
        to_hand(state, seat, card, 1)
        state["seat_rows"][seat]["cards_drawn"] += 1
    else:
        lay_off(state, card, 1)
        after_discard(state, rules, work, events)
