"""Claim markers on the run scoreboard (rulebook: Step 5: Claim or Steal Run)."""

from __future__ import annotations

from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import has, note_use
from simulate.games.skull_canyon.sets import need_of
from simulate.games.skull_canyon.state import (
    CLAIM_ALL,
    CLAIM_STEALS,
    EVENT_CLAIM,
    EVENT_DECLINE,
    GLOVES,
    MAX_STACK,
    NO,
    YES,
)
from simulate.jit import kernel
from simulate.options import offer

FIRST_CLAIM, STEAL, RESTACK = 0, 1, 2


@kernel
def top_seat(state, run):
    """Whose marker is on top of a run, -1 if there is none."""
    count = state["stack_n"][run]
    if count == 0:
        return -1
    return state["stack"][run, count - 1] + 0


@kernel
def claim_need(state, rules, board, seat, run):
    """Cards to put a marker on a run (SC-CLAIM-01 to SC-CLAIM-04)."""
    need = need_of(state, rules, board, seat, run)
    top = top_seat(state, run)
    if top == seat and rules["own_stack_surcharge"] == 0:
        return need
    need += state["stack_n"][run] * rules["per_marker"]
    if top >= 0 and top != seat and has(state, top, GLOVES):
        need += 1
    return need


@kernel
def may_claim(state, rules, board, seat, run, size):
    """True when a set of that size may put a marker on the run (SC-CLAIM-07)."""
    if state["markers"][seat] == 0 or state["stack_n"][run] >= MAX_STACK:
        return False
    top = top_seat(state, run)
    if top >= 0 and top != seat and state["treatment"][seat]["no_steal"] == 1:
        return False
    return size >= claim_need(state, rules, board, seat, run)


@kernel
def list_claim(state, rules, work):
    """CLAIM: claim; decline where a switch does not rule it out (SC-CLAIM-06)."""
    offer(work, YES)
    optional = rules["claim_optional"]
    first = state["stack_n"][state["skied"]] == 0
    if optional == CLAIM_ALL or (optional == CLAIM_STEALS and not first):
        offer(work, NO)


@kernel
def place_marker(state, board, events, seat, run):
    """One marker on top of the stack (SC-CLAIM-05)."""
    game = state["game_rows"][0]
    row = state["seat_rows"][seat]
    difficulty = board["difficulty"][run]
    top = top_seat(state, run)
    kind = FIRST_CLAIM
    if top < 0:
        game["first_claims"] += 1
    elif top == seat:
        kind = RESTACK
        game["restacks"] += 1
        row["restacked"] += 1
    else:
        kind = STEAL
        game["steals"] += 1
        row["stole"] += 1
        state["seat_rows"][top]["stolen_from"] += 1
        state["tally"]["stolen"][run] += 1
    if top >= 0:
        state["tops"][top, difficulty] -= 1
    state["tops"][seat, difficulty] += 1
    count = state["stack_n"][run]
    state["stack"][run, count] = seat
    state["stack_n"][run] = count + 1
    state["markers"][seat] -= 1
    row["markers_used"] += 1
    state["tally"]["claimed"][run] += 1
    emit(state, events, EVENT_CLAIM, seat, run, count + 1, kind, 0, 0, 0)


@kernel
def decline(state, events, seat, run):
    """No marker (SC-CLAIM-06)."""
    state["game_rows"][0]["declines"] += 1
    emit(state, events, EVENT_DECLINE, seat, run, 0, 0, 0, 0, 0)


@kernel
def note_gloves(state, rules, board, seat, run, size):
    """Heated Gloves had an effect: the set would have been enough without them."""
    top = top_seat(state, run)
    if top >= 0 and top != seat and has(state, top, GLOVES) and state["markers"][seat] > 0:
        if size == claim_need(state, rules, board, seat, run) - 1:
            note_use(state, rules, top, GLOVES)
