"""Rules of Toy Dash: everybody walks or runs in seat order until a round ends with someone home."""

from __future__ import annotations

from simulate.games.toy.state import (
    ASK_GO,
    EVENT_OVER,
    EVENT_ROUND,
    EVENT_SETUP,
    EVENT_STEP,
    EVENT_THROW,
    MAX_SEATS,
    MAX_SPACES,
    NO_QUESTION,
    PURPOSE_DICE,
    ROUNDS_KEPT,
    RUN,
    WALK,
)

from simulate import rng
from simulate.jit import kernel


@kernel
def emit(state, events, kind, seat, a, b):
    """Append an event."""
    if len(events) == 0:
        return
    index = state["n_events"]
    if index >= len(events):
        state["event_overflow"] = 1
        return
    row = events[index]
    row["kind"] = kind
    row["seat"] = seat
    row["a"] = a
    row["b"] = b
    state["n_events"] = index + 1


@kernel
def renew(state, root, block):
    """All chance that is still to come, drawn anew: the dice."""
    for seat in range(MAX_SEATS):
        rng.open_stream(state["streams"], seat, root, block, PURPOSE_DICE, seat)


@kernel
def start(state, rules, work, events, treatments, players, root, block):
    """Set up the track."""
    state["turn"] = 0
    state["round"] = 1
    state["phase"] = ASK_GO
    state["to_move"] = 0
    state["n_seats"] = players
    state["over"] = 0
    state["truncated"] = 0
    state["asked"] = 0
    state["forced"] = 0
    state["n_events"] = 0
    state["event_overflow"] = 0
    for space in range(MAX_SPACES):
        state["tally"]["stands"][space] = 0
        state["tally"]["falls"][space] = 0
    for seat in range(MAX_SEATS):
        shift = treatments[seat]["dice_shift"]
        for other in range(players):
            if other != seat:
                shift += treatments[other]["rival_dice_shift"]
        dice_block = block + shift * rng.SHIFT
        rng.open_stream(state["streams"], seat, root, dice_block, PURPOSE_DICE, seat)
        state["side"][seat] = seat
        state["treatment"][seat] = treatments[seat]
        state["space"][seat] = treatments[seat]["start_space"]
        row = state["seat_rows"][seat]
        row["walks"] = 0
        row["falls"] = 0
        for kept in range(ROUNDS_KEPT):
            row["space_round"][kept] = -1
        for face in range(6):
            row["faces"][face] = 0
        if seat < players:
            emit(state, events, EVENT_SETUP, seat, state["space"][seat], 0)
    emit(state, events, EVENT_ROUND, -1, 1, 0)
    settle(state, rules, work, events)


@kernel
def legal(state, rules, work):
    """Walk, and run unless a treatment forbids it."""
    work["options"][0] = WALK
    work["options"][1] = RUN
    count = 2
    if state["treatment"][state["to_move"]]["no_run"] == 1:
        count = 1
    work["n_options"] = count
    return count


@kernel
def settle(state, rules, work, events):
    """Run on through forced walks to the next question."""
    while state["over"] == 0:
        if legal(state, rules, work) > 1:
            state["asked"] += 1
            return
        state["forced"] += 1
        move(state, rules, work, events, WALK)


@kernel
def draw_face(state, work, seat):
    """The only line with chance."""
    if work["feed"]["on"] == 1:
        if work["feed"]["used"] < work["feed"]["n"]:
            work["feed"]["used"] += 1
            return work["feed"]["values"][work["feed"]["used"] - 1]
        work["feed"]["missing"] += 1
        return 1
    return rng.below(state["streams"], seat, 6) + 1


@kernel
def move(state, rules, work, events, action):
    """One turn of the seat to move, and the round's end."""
    seat = state["to_move"]
    steps = rules["walk"]
    if action == RUN:
        face = draw_face(state, work, seat)
        state["seat_rows"][seat]["faces"][face - 1] += 1
        emit(state, events, EVENT_THROW, seat, face, 0)
        steps = face
        if face == rules["fall_face"]:
            steps = 0
            state["seat_rows"][seat]["falls"] += 1
            state["tally"]["falls"][state["space"][seat]] += 1
    else:
        state["seat_rows"][seat]["walks"] += 1
    state["space"][seat] = min(state["space"][seat] + steps, MAX_SPACES - 1)
    emit(state, events, EVENT_STEP, seat, steps, state["space"][seat])
    state["turn"] += 1
    state["to_move"] = seat + 1
    if state["to_move"] == state["n_seats"]:
        end_round(state, rules, events)


@kernel
def end_round(state, rules, events):
    """Is somebody home?"""
    home = 0
    for seat in range(state["n_seats"]):
        state["tally"]["stands"][state["space"][seat]] += 1
        if state["round"] <= ROUNDS_KEPT:
            state["seat_rows"][seat]["space_round"][state["round"] - 1] = state["space"][seat]
        if state["space"][seat] >= rules["length"]:
            home += 1
    if home > 0 or state["round"] >= rules["max_rounds"]:
        state["over"] = 1
        state["truncated"] = 1 if home == 0 else 0
        state["to_move"] = -1
        state["phase"] = NO_QUESTION
        emit(state, events, EVENT_OVER, -1, home, 0)
        return
    state["round"] += 1
    state["to_move"] = 0
    emit(state, events, EVENT_ROUND, -1, state["round"], 0)


@kernel
def apply(state, rules, work, events, action):
    """Answer the question."""
    move(state, rules, work, events, action)
    settle(state, rules, work, events)


@kernel
def finish(state, rules, game_row, seat_rows):
    """Farthest wins; equals share."""
    n = state["n_seats"]
    row = game_row[0]
    best = -1
    for seat in range(n):
        best = max(best, state["space"][seat])
    winners = 0
    behind = 0
    for seat in range(n):
        if state["space"][seat] == best:
            winners += 1
        behind += best - state["space"][seat]
    row["n_seats"] = n
    row["turns"] = state["turn"]
    row["rounds"] = state["round"]
    row["asked"] = state["asked"]
    row["forced"] = state["forced"]
    row["truncated"] = state["truncated"] == 1
    row["layout"] = rules["layout"]
    row["result"] = state["truncated"]
    row["winner_seat"] = -1
    row["gap"] = -1
    if winners < n:
        row["gap"] = behind / (n - winners)
    row["est_minutes"] = state["round"] * rules["minutes"]
    for seat in range(n):
        seat_rows[seat] = state["seat_rows"][seat]
        one = seat_rows[seat]
        better = 0
        same = 0
        for other in range(n):
            if state["space"][other] > state["space"][seat]:
                better += 1
            elif state["space"][other] == state["space"][seat]:
                same += 1
        one["seat"] = seat
        one["side"] = seat
        one["score"] = state["space"][seat]
        one["rank"] = better + (same + 1) / 2
        one["win_share"] = 0
        if state["truncated"] == 0 and better == 0:
            one["win_share"] = 1 / same
            if winners == 1:
                row["winner_seat"] = seat
