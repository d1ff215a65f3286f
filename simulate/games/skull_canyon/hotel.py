"""The Hotel: cards for tomorrow, gear, back to the mountain (rulebook: Reaching the Hotel)."""

from __future__ import annotations

from simulate.games.skull_canyon.cards import draw_to_hand
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import buy, may_buy
from simulate.games.skull_canyon.state import (
    EVENT_HOTEL,
    EVENT_LODGE,
    EVENT_TAKE,
    PC_GEAR,
    PC_LODGE,
    PC_VILLAGE,
)
from simulate.jit import kernel
from simulate.options import offer

_HOTEL_CARD = 3  # what a card is taken for, in events


@kernel
def tomorrow(state):
    """Face of the next day's marker."""
    return state["weather"][state["day"]]


@kernel
def arrive(state, rules, work, events, seat):
    """SC-HOTEL-01: draw by tomorrow's weather, from the deck only."""
    count = rules["weather_draw"][tomorrow(state)]
    emit(state, events, EVENT_HOTEL, seat, count, 0, 0, 0, 0, 0)
    for _ in range(count):
        card = draw_to_hand(state, rules, work, events, seat, 0)
        if card < 0:
            break
        emit(state, events, EVENT_TAKE, seat, 0, card, -1, _HOTEL_CARD, 0, 0)
    state["purchases"] = 0
    note_offer(state, rules, seat)
    state["pc"] = PC_GEAR


@kernel
def note_offer(state, rules, seat):
    """Records: gear on offer that the seat can pay."""
    day = state["day"]
    row = state["seat_rows"][seat]
    for slot in range(rules["gear_row"]):
        gear = state["gear_row"][slot]
        if gear >= 0 and may_buy(state, rules, seat, gear):
            if day == 1:
                row["gear_offer1"][gear] = 1
            elif day == 2:
                row["gear_offer2"][gear] = 1


@kernel
def resolve_gear(state, rules, events, seat, code):
    """SC-HOTEL-02: one purchase, or none."""
    if code == 0:
        state["pc"] = PC_LODGE
        return
    buy(state, rules, events, seat, code - 1)
    state["purchases"] += 1
    row = state["seat_rows"][seat]
    if state["day"] == 1:
        row["gear1"] = code - 1
    elif state["day"] == 2:
        row["gear2"] = code - 1
    elif state["day"] == 3:
        row["gear3"] = code - 1


@kernel
def list_lodges(board, work):
    """LODGE: each lodge (SC-HOTEL-03)."""
    for node in range(board["n_nodes"]):
        if board["lodge"][node] == 1:
            offer(work, node)


@kernel
def settle_in(state, events, seat, node):
    """The skier is back on the mountain; the evening is over for this seat (SC-VIL-07)."""
    state["node"][seat] = node
    emit(state, events, EVENT_LODGE, seat, node, 0, 0, 0, 0, 0)
    state["pc"] = PC_VILLAGE
