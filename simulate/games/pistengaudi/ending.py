"""Entering the goal, the final round, winner and places (rulebook: Game End, Entering the Goal)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.slope import progress, row_of
from simulate.games.pistengaudi.state import (
    EVENT_FINAL,
    EVENT_GOAL,
    EVENT_OVER,
    EVENT_RANK,
    PC_OVER,
    RESULT_CAPPED,
    RESULT_CAPPED_BOTTOM,
)
from simulate.jit import kernel


@kernel
def enter_goal(state, rules, events, seat, area):
    """PG-GOAL-02, PG-GOAL-04, PG-END-01: in the goal to stay; the first one starts the final round."""
    if state["final"] == 0:
        note_trigger(state, rules, seat, area)
    state["area"][seat] = area
    state["arrivals"] += 1
    state["arrival"][seat] = state["arrivals"]
    row = state["seat_rows"][seat]
    row["goal_round"] = state["round"]
    emit(state, events, EVENT_GOAL, seat, area, state["arrival"][seat], 0, 0, 0, 0)
    if state["final"] == 0:
        state["final"] = 1
        emit(state, events, EVENT_FINAL, seat, 0, 0, 0, 0, 0, 0)


@kernel
def note_trigger(state, rules, seat, area):
    """Records of the first entry, as the figures stood just before it."""
    row = state["game_rows"][0]
    row["trigger_seat"] = seat
    row["trigger_area"] = area
    best = -1
    for other in range(state["n_seats"]):
        if other != seat:
            best = max(best, progress(state, rules, other))
    gap = progress(state, rules, seat) - best
    row["gap_trigger"] = max(gap, 0)
    row["deficit_trigger"] = max(-gap, 0)


@kernel
def beats(state, one, other, later_first):
    """PG-END-03: the deeper area is ahead, then the earlier arrival (or the later, for a record)."""
    if state["area"][one] != state["area"][other]:
        return state["area"][one] > state["area"][other]
    if later_first == 1:
        return state["arrival"][one] > state["arrival"][other]
    return state["arrival"][one] < state["arrival"][other]


@kernel
def best_in_goal(state, later_first):
    """PG-END-03: the winner among the figures in the goal, -1 with none."""
    best = -1
    for seat in range(state["n_seats"]):
        if state["area"][seat] > 0:
            if best < 0 or beats(state, seat, best, later_first):
                best = seat
    return best


@kernel
def end_game(state, rules, events):
    """PG-END-01, PG-END-02, PG-END-05: the game is over, finished or capped."""
    state["over"] = 1
    state["pc"] = PC_OVER
    state["winner"] = best_in_goal(state, 0)
    area = 0
    if state["winner"] < 0:
        state["truncated"] = 1
        state["result"] = RESULT_CAPPED_BOTTOM if is_at_bottom(state, rules) else RESULT_CAPPED
    else:
        area = state["area"][state["winner"]]
    emit(state, events, EVENT_OVER, -1, state["winner"], state["result"], area, 0, 0, 0)
    tell_places(state, events)


@kernel
def tell_places(state, events):
    """PG-END-04: the place of every figure, for replays and referees."""
    if len(events) > 0:
        for seat in range(state["n_seats"]):
            emit(
                state, events, EVENT_RANK, seat, int(2 * place_of(state, seat)), state["area"][seat],
                state["cell"][seat], 0, 0, 0,
            )  # fmt: skip


@kernel
def is_at_bottom(state, rules):
    """Edge case 38: every figure stands below the last row that a card can be laid on.

    For a game in which nobody has entered the goal.
    """
    for seat in range(state["n_seats"]):
        if row_of(state["cell"][seat]) < rules["last_row"]:
            return False
    return True


@kernel
def is_ahead(state, one, other):
    """PG-END-04: figures in the goal before those outside, which are ordered by row."""
    if state["area"][one] > 0 or state["area"][other] > 0:
        return beats(state, one, other, 0)
    return row_of(state["cell"][one]) > row_of(state["cell"][other])


@kernel
def place_of(state, seat):
    """PG-END-04: place of a seat, equal ones share the mean."""
    better = 0
    worse = 0
    for other in range(state["n_seats"]):
        if other != seat:
            if is_ahead(state, other, seat):
                better += 1
            elif is_ahead(state, seat, other):
                worse += 1
    same = state["n_seats"] - better - worse
    return better + (same + 1) / 2.0
