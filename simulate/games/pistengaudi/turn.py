"""Rounds and turns: who is next, what a turn leaves behind (rulebook: Game Flow, Game End)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.ending import end_game
from simulate.games.pistengaudi.forecast import foresee
from simulate.games.pistengaudi.forest import has_way_out, look
from simulate.games.pistengaudi.slope import highest_row, is_signed
from simulate.games.pistengaudi.state import (
    EVENT_ROUND,
    EVENT_ROUND_END,
    EVENT_STEP_DOWN,
    EVENT_TURN,
    EVENT_TURN_END,
    PC_DRAW,
    PC_MOVE,
    PC_OVER,
    PC_ROUND,
    PC_TURN,
    PC_TURN_END,
    RUN_CARDS,
    RUN_GAME,
    RUN_RIDE,
)
from simulate.games.pistengaudi.state_hash import state_hash
from simulate.games.pistengaudi.tracking import note_round_end
from simulate.jit import kernel


@kernel
def begin_round(state, events):
    """PG-TURN-01: a round goes from seat 0 to the last one."""
    state["round"] += 1
    emit(state, events, EVENT_ROUND, -1, state["round"], 0, 0, 0, 0, 0)
    for seat in range(state["n_seats"]):
        if state["treatment"][seat]["step_down_round"] == state["round"]:
            step_down(state, events, seat)
    state["seat"] = 0
    state["pc"] = PC_TURN


@kernel
def step_down(state, events, seat):
    """Hook ``step_down``: an upright figure is moved one space down, if it can stand there."""
    cell = state["cell"][seat]
    if state["area"][seat] == 0 and state["lying"][seat] == 0:
        if is_signed(state["kind"][cell + 1]):
            state["cell"][seat] = cell + 1
            state["seat_rows"][seat]["stepped_down"] = 1
            emit(state, events, EVENT_STEP_DOWN, seat, cell, cell + 1, 0, 0, 0, 0)


@kernel
def begin_turn(state, rules, events):
    """PG-TURN-02, PG-TURN-03: a turn begins with its card action, lying or not."""
    seat = state["seat"]
    state["slots"] = rules["per_turn"][state["n_seats"]]
    state["pc"] = PC_DRAW
    if state["run"] == RUN_RIDE:
        state["pc"] = PC_MOVE
    if state["area"][seat] > 0 and state["run"] != RUN_CARDS:
        state["pc"] = PC_TURN_END  # PG-GOAL-04
        return
    state["turn"] += 1
    row = state["seat_rows"][seat]
    row["own_turns"] += 1
    row["stranded_turns"] += state["stranded"][seat]
    emit(
        state, events, EVENT_TURN, seat, state["turn"], highest_row(state, rules),
        state["cell"][seat], state["lying"][seat], state["n_stack"], state["area"][seat],
    )  # fmt: skip


@kernel
def end_turn(state, rules, work, events):
    """Book-keeping of a turn; then the next seat, or the end of the round (PG-END-02)."""
    seat = state["seat"]
    note_stranded(state, rules, work)
    if len(events) > 0:
        emit(
            state, events, EVENT_TURN_END, seat, highest_row(state, rules), state["cell"][seat],
            state["area"][seat], state["lying"][seat], state_hash(state), 0,
        )  # fmt: skip
    if seat + 1 == state["n_seats"]:
        end_round(state, rules, work, events)
    elif state["run"] == RUN_GAME:
        state["seat"] = seat + 1
        state["pc"] = PC_TURN
    else:
        state["pc"] = PC_OVER


@kernel
def note_stranded(state, rules, work):
    """Figures that have lost or found a way out (spec 8.1)."""
    top = highest_row(state, rules)
    look(state, rules, work, top, state["left_end"] - 1, state["right_end"] + 1)
    for seat in range(state["n_seats"]):
        stuck = 0
        if state["area"][seat] == 0:
            if not has_way_out(state, rules, work, state["cell"][seat], top):
                stuck = 1
        if stuck == 1 and state["stranded"][seat] == 0:
            state["game_rows"][0]["stranded_events"] += 1
        state["stranded"][seat] = stuck


@kernel
def end_round(state, rules, work, events):
    """PG-END-01: after an entry the game ends with the round; PG-END-05: so it does at the limit."""
    note_round_end(state, rules)
    note_forecast(state, rules, work)
    emit(
        state, events, EVENT_ROUND_END, -1, state["round"],
        state["sole_leader"][state["round"] - 1], 0, 0, 0, 0,
    )  # fmt: skip
    if state["final"] == 1 or state["round"] >= rules["max_rounds"]:
        end_game(state, rules, events)
        return
    state["pc"] = PC_ROUND
    if state["run"] != RUN_GAME:
        state["round"] += 1
        state["pc"] = PC_OVER


@kernel
def note_forecast(state, rules, work):
    """Turns to the goal as foreseen after rounds 3 and 6 (spec 8.2)."""
    if state["round"] == 3:
        for seat in range(state["n_seats"]):
            state["seat_rows"][seat]["eta_round3"] = foresee(state, rules, work, seat)
    elif state["round"] == 6:
        for seat in range(state["n_seats"]):
            state["seat_rows"][seat]["eta_round6"] = foresee(state, rules, work, seat)
