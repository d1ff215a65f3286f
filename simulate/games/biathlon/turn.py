"""Rounds and turns: who is next, and what a turn leaves behind (rulebook: Playing the Game)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.ending import end_game, racing_count
from simulate.games.biathlon.preparation import available
from simulate.games.biathlon.shooting import has_to_shoot
from simulate.games.biathlon.stamina import payable
from simulate.games.biathlon.state import (
    COLUMNS,
    EVENT_MARKER,
    EVENT_ROUND,
    EVENT_TURN,
    EVENT_TURN_END,
    PC_NEXT_TURN,
    PC_OVER,
    PC_PREP_ROLL,
    PC_ROUND,
    PC_W1,
    RACING,
    RUN_ROUND,
    RUN_TURN,
)
from simulate.games.biathlon.tracking import note_round_end
from simulate.jit import kernel


@kernel
def begin_round(state, rules, events):
    """BI-RND-01: a round begins with the Preparation Phase; the sanity limit stops stuck games."""
    if state["round"] >= rules["max_rounds"]:
        state["truncated"] = 1
        end_game(state, events)
        return
    state["round"] += 1
    state["order_at"] = 0
    emit(state, events, EVENT_ROUND, -1, state["round"], 0, 0, 0, 0, 0)
    state["pc"] = PC_PREP_ROLL


@kernel
def seat_in_order(state):
    """The next racing seat clockwise from the marker, -1 when the round is through (BI-RND-02)."""
    n_seats = state["n_seats"]
    while state["order_at"] < n_seats:
        seat = (state["marker"] + state["order_at"]) % n_seats
        state["order_at"] += 1
        if state["status"][seat] == RACING:
            return seat
    return -1


@kernel
def next_turn(state, rules, events):
    """Begin the next skier's turn, or end the round."""
    seat = seat_in_order(state)
    if seat < 0:
        end_round(state, rules, events)
        return
    begin_turn(state, rules, events, seat)


@kernel
def clear_turn(state):
    """Turn-scoped numbers (spec section 3)."""
    state["dice"] = 0
    state["plus"] = 0
    state["sprint_moves"] = 0
    state["sprinted"] = 0
    state["tokens_used"] = 0
    state["printed_used"] = 0
    state["fired"] = 0
    state["moved"] = 0
    for column in range(COLUMNS + 1):
        state["taken"][column] = 0


@kernel
def begin_turn(state, rules, events, seat):
    """A skier's own turn: SHOOT or MOVE (spec 5.1)."""
    clear_turn(state)
    state["active"] = seat
    state["turn"] += 1
    row = state["seat_rows"][seat]
    row["own_turns"] += 1
    state["shooting"] = 1 if has_to_shoot(state, rules, seat) else 0
    if state["shooting"] == 1:
        row["shoot_turns"] += 1
        index = rules["range_of_row"][state["row"][seat]]
        row["range_turns"][index] = max(row["range_turns"][index], 0) + 1
    else:
        row["move_turns"] += 1
    emit(state, events, EVENT_TURN, seat, state["shooting"], 0, 0, 0, 0, 0)
    state["pc"] = PC_W1


@kernel
def end_turn(state, rules, events):
    """Records of the turn; the next skier is on."""
    seat = state["active"]
    row = state["seat_rows"][seat]
    if state["moved"] == 0 and state["fired"] == 0:
        row["zero_turns"] += 1
        state["tally"]["zero_turns"][state["row"][seat]] += 1
    if state["shooting"] == 0 and state["sprinted"] == 1:
        row["sprint_turns"] += 1
    unused = rules["slots"] - state["left"][seat] - state["right"][seat]
    free = available(state, rules, seat)
    emit(
        state, events, EVENT_TURN_END, seat, free, unused, payable(state, seat),
        state["row"][seat], state["lane"][seat], state["penalty"][seat],
    )  # fmt: skip
    state["active"] = -1
    state["pc"] = PC_NEXT_TURN
    if state["run"] == RUN_TURN:
        state["pc"] = PC_OVER


@kernel
def end_round(state, rules, events):
    """BI-RND-03: the First player marker moves one seat clockwise."""
    note_round_end(state, rules)
    n_seats = state["n_seats"]
    state["marker"] = (state["marker"] + 1) % n_seats
    if rules["marker_skips_inactive"] == 1 and racing_count(state) > 0:
        while state["status"][state["marker"]] != RACING:
            state["marker"] = (state["marker"] + 1) % n_seats
    emit(state, events, EVENT_MARKER, state["marker"], 0, 0, 0, 0, 0, 0)
    state["pc"] = PC_ROUND
    if state["run"] == RUN_ROUND:
        state["pc"] = PC_OVER
