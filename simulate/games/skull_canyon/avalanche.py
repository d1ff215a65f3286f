"""Avalanches: who triggers, who slides and where (rulebook: Step 6: Avalanche!)."""

from __future__ import annotations

from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.fame import gain_fame, pay_fame
from simulate.games.skull_canyon.gear import has, note_use
from simulate.games.skull_canyon.options import offer_set
from simulate.games.skull_canyon.state import (
    ACTIVE_FIRST,
    ACTIVE_LAST,
    ALERT,
    EVENT_AVALANCHE,
    EVENT_SLIDE,
    EVENT_STAY,
    EVENT_TOKEN,
    FAME_ALERT,
    FAME_TENT,
    FAME_WANING,
    PC_SLIDE,
    SLIDE_PAY,
    STAGE_NIGHT,
    TENT,
)
from simulate.jit import kernel
from simulate.options import offer

BY_SET, BY_EXPLOSIVE = 0, 1
TOKEN_EXPLOSIVE = 0


@kernel
def start_avalanche(state, rules, events, seat, cause, return_pc):
    """An avalanche begins; the Emergency Tent pays first (SC-AVAL-01, SC-AVAL-02)."""
    state["avalanches"] += 1
    if cause == BY_SET:
        state["game_rows"][0]["aval_set"] += 1
    else:
        state["game_rows"][0]["aval_explosive"] += 1
    emit(state, events, EVENT_AVALANCHE, seat, cause, 0, 0, 0, 0, 0)
    if rules["tent_before_slides"] == 1:
        pay_tent(state, rules, events, seat)
    state["slide_at"] = 0
    state["slide_return"] = return_pc
    state["pc"] = PC_SLIDE


@kernel
def pay_tent(state, rules, events, seat):
    """SC-GEAR-TENT: a fame to its owner who triggers an avalanche."""
    if has(state, seat, TENT):
        note_use(state, rules, seat, TENT)
        gain_fame(state, events, seat, FAME_TENT, 1)


@kernel
def use_explosive(state, rules, events, seat, return_pc):
    """SC-AVAL-08: back to the supply, an avalanche at once, no action."""
    state["explosives"][seat] -= 1
    state["explosives_left"] += 1
    state["seat_rows"][seat]["explosives_used"] += 1
    state["game_rows"][0]["explosives_used"] += 1
    emit(state, events, EVENT_TOKEN, seat, TOKEN_EXPLOSIVE, -1, state["explosives_left"], 0, 0, 0)
    start_avalanche(state, rules, events, seat, BY_EXPLOSIVE, return_pc)


@kernel
def slider(state, rules, place):
    """Seat that slides at a place of the order (SC-AVAL-03)."""
    first = state["active"]
    if rules["avalanche_order"] == ACTIVE_LAST:
        first += 1
    elif rules["avalanche_order"] != ACTIVE_FIRST:
        first = state["first"]
    return (first + place) % state["n_seats"]


@kernel
def next_slider(state, rules, events):
    """The next seat that must slide, -1 when all have (SC-AVAL-07: none at the base)."""
    board = rules["boards"][state["board"]]
    while state["slide_at"] < state["n_seats"]:
        seat = slider(state, rules, state["slide_at"])
        if state["node"][seat] != board["base"] and not cancelled(state, events, seat):
            return seat
        state["slide_at"] += 1
    return -1


@kernel
def cancelled(state, events, seat):
    """Hook ``slide_cancelled``: the k-th slide by a rival does not happen, -1: none does."""
    hook = state["treatment"][seat]["slide_cancelled"]
    if hook == 0 or seat == state["active"]:
        return False
    if hook > 0 and state["slides_by_rival"][seat] + 1 != hook:
        return False
    state["slides_by_rival"][seat] += 1
    emit(state, events, EVENT_STAY, seat, 1, 0, 0, 0, 0, 0)
    return True


@kernel
def list_slide(state, rules, work, seat):
    """SLIDE: bottoms of all runs from here, pay for an Avalanche Alert (SC-AVAL-04)."""
    board = rules["boards"][state["board"]]
    offer_set(work, board["slide_to"][state["node"][seat]], 0)
    if has(state, seat, ALERT) and state["fame"][seat] >= 1:
        offer(work, SLIDE_PAY)


@kernel
def resolve_slide(state, rules, events, seat, code):
    """Slide one run down, or pay to stay (SC-AVAL-05, SC-AVAL-06, SC-GEAR-ALERT)."""
    state["slide_at"] += 1
    row = state["seat_rows"][seat]
    if seat != state["active"]:
        state["slides_by_rival"][seat] += 1
    if code == SLIDE_PAY:
        pay_fame(state, events, seat, FAME_ALERT, 1)
        row["alert_paid"] += 1
        note_use(state, rules, seat, ALERT)
        emit(state, events, EVENT_STAY, seat, 0, 0, 0, 0, 0, 0)
        return
    board = rules["boards"][state["board"]]
    game = state["game_rows"][0]
    start = state["node"][seat]
    state["node"][seat] = code
    row["slid"] += 1
    row["height_lost"] += board["height"][start] - board["height"][code]
    state["tally"]["slides"][start] += 1
    if seat == state["active"]:
        game["slides_own"] += 1
    else:
        game["slides_rival"] += 1
        row["slid_by_rival"] += 1
    emit(state, events, EVENT_SLIDE, seat, start, code, 0, 0, 0, 0)
    if code == board["base"] and waning_on_slides(state, rules):
        game["slide_waning"] += 1
        gain_fame(state, events, seat, FAME_WANING, rules["waning"])


@kernel
def waning_on_slides(state, rules):
    """SC-AVAL-06: the tracker shows 1; by night a switch decides."""
    if state["stage"] == STAGE_NIGHT and rules["night_goggles_slide_bonus"] == 0:
        return False
    return state["tracker"] == rules["waning_tracker"]
