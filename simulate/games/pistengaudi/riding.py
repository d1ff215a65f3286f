"""A chosen move is carried out: riding, falling, entering the goal, standing up (rulebook: Move)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.chance import draw_coin, draw_sign
from simulate.games.pistengaudi.ending import enter_goal
from simulate.games.pistengaudi.movement import find_outcomes, outcome_of, place_of_outcome
from simulate.games.pistengaudi.slope import is_signed, row_of, sign_of
from simulate.games.pistengaudi.state import (
    EVENT_FALL,
    EVENT_MOVE,
    EVENT_SIGN,
    EVENT_STAND,
    EVENT_STEP,
    EVENT_STOP,
    GOAL,
    H1,
    H3,
    N_CELLS,
    OUTCOME_FALL,
    OUTCOME_GOAL,
    PC_EFFECT,
    PC_TURN_END,
)
from simulate.games.pistengaudi.steps import entry_area
from simulate.games.pistengaudi.tracking import note_fall, note_landing, note_start, note_step
from simulate.jit import kernel

BY_SIGN, BY_HUT, BY_STANDING = 0, 1, 2  # why a stop is a stop


@kernel
def stand_up(state, rules, events, seat):
    """PG-MOVE-10, PG-FX-02: upright again instead of riding; nothing is triggered (switch)."""
    state["lying"][seat] = 0
    state["game_rows"][0]["standups"] += 1
    state["seat_rows"][seat]["turns_stood_up"] += 1
    emit(state, events, EVENT_STAND, seat, state["cell"][seat], 0, 0, 0, 0, 0)
    state["pc"] = PC_EFFECT if rules["effects_on_stand_up"] == 1 else PC_TURN_END


@kernel
def resolve_move(state, rules, work, events, code):
    """PG-MOVE-07: the figure rides the kept path of the chosen outcome."""
    seat = state["seat"]
    start = state["cell"][seat]
    find_outcomes(state, rules, work, start)
    index = place_of_outcome(work, code)
    n_steps = work["out_steps"][index]
    sign = sign_of(state["kind"][start])
    note_start(state, seat, sign)
    emit(state, events, EVENT_MOVE, seat, rules["steps"][sign], start, 0, 0, 0, 0)
    area = 0
    if outcome_of(code) == OUTCOME_GOAL:
        area = code - OUTCOME_GOAL * N_CELLS
    ride(state, rules, work, events, seat, index)
    if area > 0:
        enter_goal(state, rules, events, seat, area)
        state["pc"] = PC_TURN_END
        return
    end = code % N_CELLS
    state["cell"][seat] = end
    state["pc"] = PC_EFFECT
    if outcome_of(code) == OUTCOME_FALL:
        fall(state, work, events, seat, n_steps)
    else:
        stop(state, events, seat, n_steps)
    if n_steps > 0:
        note_landing(state, end)
        renew_sign(state, work, events, seat, end)


@kernel
def ride(state, rules, work, events, seat, index):
    """The steps of a path, told and counted, as far as the goal."""
    row = state["seat_rows"][seat]
    cell = state["cell"][seat]
    n_steps = work["out_steps"][index]
    for depth in range(n_steps):
        to = work["out_cell"][index, depth]
        way = work["out_way"][index, depth]
        flown = work["out_flown"][index, depth]
        entered = 0
        if state["kind"][to] == GOAL:
            entered = entry_area(rules, to, way)
        row["steps"] += 1
        row["rows_gained"] += row_of(to) - row_of(cell)
        row["side_steps"] += 1 if row_of(to) == row_of(cell) else 0
        row["jumps_flown"] += flown
        state["game_rows"][0]["jumps_flown"] += flown
        emit(state, events, EVENT_STEP, seat, cell, to, way, flown, entered, 0)
        if entered == 0:
            note_step(state, seat, to)
        cell = to


@kernel
def stop(state, events, seat, n_steps):
    """A normal end of a move: all steps used, a hut (PG-HUT-01), or (switch) no step possible."""
    cell = state["cell"][seat]
    why = BY_SIGN
    kind = state["kind"][cell]
    if n_steps == 0:
        why = BY_STANDING
        state["pc"] = PC_TURN_END  # move.no_step = "stay": no effect
    elif kind >= H1 and kind <= H3:
        why = BY_HUT
        state["game_rows"][0]["hut_stops"] += 1
        state["seat_rows"][seat]["hut_stops"] += 1
    emit(state, events, EVENT_STOP, seat, cell, n_steps, why, 0, 0, 0)


@kernel
def fall(state, work, events, seat, n_steps):
    """PG-FALL-04, PG-MOVE-09: the figure lies on the last space that it could ride."""
    spared = draw_coin(state, work, seat, state["treatment"][seat]["soft_falls"])
    state["lying"][seat] = 1 - spared
    note_fall(state, seat, n_steps, spared)
    emit(state, events, EVENT_FALL, seat, state["cell"][seat], n_steps, spared, 0, 0, 0)


@kernel
def renew_sign(state, work, events, seat, cell):
    """Hook ``random_signs``: the sign of a space that nobody has landed on is drawn anew."""
    before = state["kind"][cell]
    if state["ridden"][cell] == 1 or not is_signed(before):
        return
    state["ridden"][cell] = 1
    if state["treatment"][seat]["random_signs"] == 0:
        return
    sign = draw_sign(state, work, seat)
    state["kind"][cell] = before - sign_of(before) + sign
    state["seat_rows"][seat]["redrawn_signs"][sign - 1] += 1
    emit(state, events, EVENT_SIGN, seat, cell, before, state["kind"][cell], 0, 0, 0)
