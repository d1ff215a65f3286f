"""Moving: how many steps, and walking a route step by step (rulebook: Race Phase 3, Uphill)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.ending import cross_line
from simulate.games.biathlon.routes import entry_cost, is_shooting_row
from simulate.games.biathlon.shooting import enter_range, leave_range
from simulate.games.biathlon.stamina import request_payment
from simulate.games.biathlon.state import (
    EVENT_LAP,
    EVENT_STEP,
    EVENT_UPHILL,
    MAX_LANES,
    PAY_ENTRY_DRAFT,
    PAY_ENTRY_OWN,
    PAY_SLIDE,
    PC_WALK,
    RACING,
    STEP_DIAGONAL_LEFT,
    STEP_DIAGONAL_RIGHT,
    STEP_FORWARD,
    STEP_LANE,
    STEP_PENALTY,
    STEP_SIDE_LEFT,
    UPHILL,
)
from simulate.jit import kernel

WALK_OWN, WALK_DRAFT, WALK_SLIDE = 0, 1, 2


@kernel
def steps_of_turn(state, rules, seat):
    """BI-MOVE-01, BI-UP-01: dice counted, wax and sprint moves, less the uphill loss."""
    dice = state["dice"]
    extra = state["plus"] + state["sprint_moves"]
    if rules["space"][state["row"][seat], state["lane"][seat]] != UPHILL:
        return max(dice + extra, 0)
    if rules["uphill_order"] == 0:
        return less_uphill(rules, dice + extra)
    return max(less_uphill(rules, dice) + extra, 0)


@kernel
def less_uphill(rules, steps):
    """One step less, to a minimum of 1; nothing stays nothing (BI-UP-01)."""
    if steps < 1:
        return max(steps, 0)
    return max(1, steps - rules["uphill_loss"])


@kernel
def note_uphill(state, events, seat, lost):
    """Records of steps lost to uphill."""
    if lost > 0:
        state["seat_rows"][seat]["steps_lost_uphill"] += lost
        state["tally"]["uphill_lost"][state["row"][seat]] += lost
        emit(state, events, EVENT_UPHILL, seat, lost, 0, 0, 0, 0, 0)


@kernel
def begin_walk(state, seat, kind, n_steps, free, return_pc):
    """Walk the ``n_steps`` codes in ``walk_steps``, then go on at ``return_pc``."""
    state["walker"] = seat
    state["walk_kind"] = kind
    state["walk_n"] = n_steps
    state["walk_at"] = 0
    state["slide_free_left"] = free
    state["walk_return"] = return_pc
    state["pc"] = PC_WALK


@kernel
def target_row(state, seat, code):
    """Row that a step leads to."""
    if code == STEP_PENALTY or code >= STEP_SIDE_LEFT:
        return state["row"][seat]
    return state["row"][seat] + 1


@kernel
def target_lane(state, rules, seat, code):
    """Lane that a step leads to; 0 on a shooting space and at the finish."""
    row = target_row(state, seat, code)
    if row > rules["rows"] or is_shooting_row(rules, row):
        return 0
    lane = state["lane"][seat]
    if STEP_LANE <= code < STEP_FORWARD:
        return code - STEP_LANE
    if code == STEP_DIAGONAL_LEFT or code == STEP_SIDE_LEFT:
        return lane - 1
    if code == STEP_FORWARD or code == STEP_PENALTY:
        return lane
    return lane + 1


@kernel
def target_penalty(state, rules, seat, code):
    """Penalty lane space that a step leads to, 0 outside."""
    if code == STEP_PENALTY:
        return state["penalty"][seat] % rules["lap_length"] + 1
    return 0


@kernel
def walk_step(state, rules, events):
    """Enter the next space of the walk: pay what is due, one by one (BI-STAM-07), then stand there.

    Runs once per payment and once per step; leaves ``pc`` at PC_PAY, PC_WALK or the return point.
    """
    seat = state["walker"]
    at = state["walk_at"]
    if at >= state["walk_n"] or state["status"][seat] != RACING:
        state["pc"] = state["walk_return"]
        return
    code = state["walk_steps"][at]
    row = target_row(state, seat, code)
    lane = target_lane(state, rules, seat, code)
    penalty = target_penalty(state, rules, seat, code)
    if state["walk_due"] == 0:
        cost = entry_cost(state, rules, seat, row, lane, penalty)
        if state["walk_kind"] == WALK_SLIDE:
            saved = min(cost, state["slide_free_left"])
            state["slide_free_left"] -= saved
            state["game_rows"][0]["slide_free_passes"] += saved
            cost -= saved
        state["walk_due"] = cost + 1
        note_entry(state, rules, seat, row, cost)
    if state["walk_due"] > 1:
        state["walk_due"] -= 1
        reason = PAY_ENTRY_OWN
        if state["walk_kind"] == WALK_DRAFT:
            reason = PAY_ENTRY_DRAFT
        elif state["walk_kind"] == WALK_SLIDE:
            reason = PAY_SLIDE
        request_payment(state, seat, reason, PC_WALK)
        return
    state["walk_due"] = 0
    state["walk_at"] = at + 1
    resolve_step(state, rules, events, seat, code, row, lane, penalty)


@kernel
def note_entry(state, rules, seat, row, cost):
    """Records of stamina paid to enter held spaces."""
    if cost > 0:
        state["game_rows"][0]["entries_paid"] += cost
        state["tally"]["entries_paid"][row] += cost
        third = min(2, 3 * row // (rules["rows"] + 1))
        state["seat_rows"][seat]["lost_by_third"][third] += cost


@kernel
def resolve_step(state, rules, events, seat, code, row, lane, penalty):
    """One step: passing, sidestep credit, penalty laps, entering and leaving ranges, the line."""
    from_row = state["row"][seat]
    from_lane = state["lane"][seat]
    was_in_lane = state["penalty"][seat] > 0
    was_in_range = was_in_lane or is_shooting_row(rules, from_row)
    record = state["seat_rows"][seat]
    if code >= STEP_SIDE_LEFT:
        state["credit"] = 0
        record["sideways"] += 1
    elif code != STEP_PENALTY and note_passes(state, seat, from_row) > 0:
        state["credit"] = 1
    if code == STEP_DIAGONAL_LEFT or code == STEP_DIAGONAL_RIGHT:
        record["diagonals"] += 1
    count_step(state, seat, code, from_row)
    state["row"][seat] = row
    state["lane"][seat] = lane
    state["penalty"][seat] = penalty
    from_code = from_lane + (MAX_LANES if was_in_lane else 0)
    emit(state, events, EVENT_STEP, seat, code, row, lane, penalty, from_row, from_code)
    if leaves_track(state, rules, seat):
        note_track(state, code, row, lane)
    if code == STEP_PENALTY:
        resolve_penalty_step(state, rules, events, seat)
        return
    if was_in_range:
        leave_range(state, seat, rules["range_of_row"][from_row])
    if row > rules["rows"]:
        cross_line(state, rules, events, seat)
        if state["over"] == 1:
            return
    elif is_shooting_row(rules, row):
        enter_range(state, rules, seat)  # the last step of every way (BI-SHOT-01)
    state["pc"] = PC_WALK


@kernel
def leaves_track(state, rules, seat):
    """The own move is copied by followers; the slide only with ``rules.draft_includes_slide``."""
    if state["walk_kind"] == WALK_OWN:
        return True
    is_slide = state["walk_kind"] == WALK_SLIDE
    return is_slide and rules["draft_includes_slide"] == 1 and seat == state["leader"]


@kernel
def note_track(state, code, row, lane):
    """Remember the leader's track for its followers (BI-DRAFT-05)."""
    state["moved"] += 1
    index = state["track_n"] + 1
    state["track_n"] = index
    state["track_row"][index] = row
    state["track_lane"][index] = lane
    state["track_code"][index] = code


@kernel
def resolve_penalty_step(state, rules, events, seat):
    """BI-PEN-02, BI-PEN-03: one step less to take; on the last space a lap is done."""
    state["owed"][seat] -= 1
    if state["penalty"][seat] == rules["lap_length"]:
        state["miss"][seat] -= min(rules["misses_per_lap"], state["miss"][seat])
        emit(state, events, EVENT_LAP, seat, state["miss"][seat], state["owed"][seat], 0, 0, 0, 0)
    state["pc"] = PC_WALK


@kernel
def note_passes(state, seat, from_row):
    """BI-MOVE-03: skiers passed by leaving their row forward; returns how many."""
    passed = 0
    for other in range(state["n_seats"]):
        if other != seat and state["status"][other] == RACING:
            if state["row"][other] == from_row:
                passed += 1
                state["seat_rows"][other]["passes_suffered"] += 1
    state["seat_rows"][seat]["passes_made"] += passed
    state["tally"]["passes"][from_row + 1] += passed
    return passed


@kernel
def count_step(state, seat, code, from_row):
    """Records of steps by source."""
    record = state["seat_rows"][seat]
    kind = state["walk_kind"]
    if code == STEP_PENALTY:
        record["steps_penalty"] += 1
        state["tally"]["penalty_steps"][from_row] += 1
    elif kind == WALK_OWN:
        record["steps_own"] += 1
    elif kind == WALK_DRAFT:
        record["steps_draft"] += 1
        state["game_rows"][0]["draft_steps"] += 1
    else:
        record["steps_slide"] += 1
        state["game_rows"][0]["slide_steps"] += 1
