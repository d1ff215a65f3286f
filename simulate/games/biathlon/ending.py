"""Crossing the line, collapsing, and when the race is over (rulebook: Game End, Race Phase 2)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.state import (
    EVENT_COLLAPSE,
    EVENT_FINISH,
    EVENT_OVER,
    HOME,
    OUT,
    PC_OVER,
    RACING,
)
from simulate.jit import kernel

RESULT_FINISHED, RESULT_ALL_COLLAPSED, RESULT_TRUNCATED = 0, 1, 2


@kernel
def distance_left(state, rules, seat):
    """Finish row - own row + penalty steps owed; home: 0 (spec 8.2)."""
    if state["status"][seat] == HOME:
        return 0
    return rules["rows"] + 1 - state["row"][seat] + state["owed"][seat]


@kernel
def racing_count(state):
    """Skiers still racing."""
    count = 0
    for seat in range(state["n_seats"]):
        if state["status"][seat] == RACING:
            count += 1
    return count


@kernel
def both_home(state, side):
    """True when a player has both skiers home."""
    for seat in range(state["n_seats"]):
        if state["side"][seat] == side and state["status"][seat] != HOME:
            return False
    return True


@kernel
def cross_line(state, rules, events, seat):
    """BI-END-01: home, next place, removed from the course at once."""
    state["status"][seat] = HOME
    state["finished"] += 1
    state["place"][seat] = state["finished"]
    state["seat_rows"][seat]["round_home"] = state["round"]
    emit(state, events, EVENT_FINISH, seat, state["finished"], 0, 0, 0, 0, 0)
    if state["finished"] == 1:
        note_gaps(state, rules, seat)
    if state["players"] != 2:
        if state["finished"] == 1:
            state["winner"] = seat
    elif rules["two_player_end"] == 0 or both_home(state, state["side"][seat]):
        state["winner"] = seat
        end_game(state, events)  # BI-TWO-02: in that moment
    if state["over"] == 0:
        check_race_end(state, rules, events)


@kernel
def note_gaps(state, rules, winner):
    """Records of the margins at the moment the winner crosses."""
    nearest = 100000
    farthest = -1
    for seat in range(state["n_seats"]):
        left = distance_left(state, rules, seat)
        state["seat_rows"][seat]["score"] = -left
        if seat != winner and state["status"][seat] == RACING:
            nearest = min(nearest, left)
            farthest = max(farthest, left)
    row = state["game_rows"][0]
    if farthest >= 0:
        row["gap12"] = nearest
        row["gap1last"] = farthest
    row["rounds_win"] = state["round"]


@kernel
def collapse(state, rules, events, seat):
    """BI-STAM-06: out of the race at once, from where the skier stood."""
    state["status"][seat] = OUT
    state["collapsed"] += 1
    state["seat_rows"][seat]["round_out"] = state["round"]
    state["tally"]["collapses"][state["row"][seat]] += 1
    emit(state, events, EVENT_COLLAPSE, seat, state["row"][seat], state["lane"][seat], 0, 0, 0, 0)
    check_race_end(state, rules, events)


@kernel
def check_race_end(state, rules, events):
    """BI-END-02, BI-END-04: over when nobody races, or (switch) when the places are known."""
    racing = racing_count(state)
    if racing == 1 and rules["race_end"] == 1 and state["finished"] > 0 and state["players"] != 2:
        for seat in range(state["n_seats"]):
            if state["status"][seat] == RACING:
                state["place"][seat] = state["finished"] + 1
        end_game(state, events)
    elif racing == 0:
        end_game(state, events)


@kernel
def end_game(state, events):
    """The race is over: nobody is asked any more."""
    state["over"] = 1
    state["pc"] = PC_OVER
    emit(state, events, EVENT_OVER, -1, state["winner"], 0, 0, 0, 0, 0)


@kernel
def settle_winner(state):
    """BI-TWO-02, both_skeeples: with nobody left to race the first skier home decides."""
    if state["winner"] < 0 and state["finished"] > 0:
        for seat in range(state["n_seats"]):
            if state["place"][seat] == 1:
                state["winner"] = seat
