"""The actions of a turn: what may be done, and doing it (rulebook: Phase 1: Skiing)."""

from __future__ import annotations

from simulate.games.skull_canyon.avalanche import use_explosive
from simulate.games.skull_canyon.lifts import (
    BY_LIFT,
    BY_POLES,
    BY_TICKET,
    BY_TICKET_POLES,
    poles_to,
    ride,
)
from simulate.games.skull_canyon.options import offer_set
from simulate.games.skull_canyon.skiing import begin_run, list_ski
from simulate.games.skull_canyon.state import (
    ACT_END,
    ACT_EXPLOSIVE,
    ACT_LIFT,
    ACT_POLES,
    ACT_SKI,
    ACT_TICKET,
    ACT_TICKET_POLES,
    ACT_TRAIN,
    PC_ACT,
    PC_TAKE,
    PC_TURN_END,
    TAKE_TRAIN,
)
from simulate.games.skull_canyon.train import begin_taking, can_train
from simulate.jit import kernel
from simulate.options import offer


@kernel
def token_usable(state, rules, seat):
    """SC-TURN-03: a token that can be used now; a ticket only where something leads up."""
    if state["tokens_barred"] == 1:
        return False
    if state["explosives"][seat] > 0:
        return True
    if state["tickets"][seat] == 0:
        return False
    board = rules["boards"][state["board"]]
    if board["lift_to"][state["node"][seat]] != 0:
        return True
    return poles_to(state, rules, board, seat) != 0


@kernel
def list_act(state, rules, work, seat):
    """ACT: end; actions if any are left; tokens (SC-TURN-01, SC-TURN-02)."""
    board = rules["boards"][state["board"]]
    lifts = board["lift_to"][state["node"][seat]]
    poles = poles_to(state, rules, board, seat)
    offer(work, ACT_END)
    if state["actions"] > 0:
        if can_train(state, rules):
            offer(work, ACT_TRAIN)
        offer_set(work, lifts, ACT_LIFT)
        offer_set(work, poles, ACT_POLES)
        list_ski(state, rules, board, work, seat)
    if state["tokens_barred"] == 1:
        return
    if state["tickets"][seat] > 0:
        offer_set(work, lifts, ACT_TICKET)
        offer_set(work, poles, ACT_TICKET_POLES)
    if state["explosives"][seat] > 0:
        offer(work, ACT_EXPLOSIVE)


@kernel
def resolve_act(state, rules, work, events, seat, code):
    """Begin the chosen action, or end the turn; a finished action comes back to ACT."""
    if code == ACT_END:
        state["pc"] = PC_TURN_END
    elif code == ACT_TRAIN:
        state["actions"] -= 1
        state["game_rows"][0]["act_train"] += 1
        state["seat_rows"][seat]["trains"] += 1
        begin_taking(state, TAKE_TRAIN, 0)
        state["pc"] = PC_TAKE
    elif code < ACT_POLES:
        ride(state, rules, work, events, seat, BY_LIFT, code - ACT_LIFT)
    elif code < ACT_SKI:
        ride(state, rules, work, events, seat, BY_POLES, code - ACT_POLES)
    elif code < ACT_TICKET:
        begin_run(state, rules, seat, code - ACT_SKI)
    elif code < ACT_TICKET_POLES:
        ride(state, rules, work, events, seat, BY_TICKET, code - ACT_TICKET)
    elif code < ACT_EXPLOSIVE:
        ride(state, rules, work, events, seat, BY_TICKET_POLES, code - ACT_TICKET_POLES)
    else:
        use_explosive(state, rules, events, seat, PC_ACT)
