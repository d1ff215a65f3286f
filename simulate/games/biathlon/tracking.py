"""What the records remember of the race as it goes on: who leads, how far apart (spec 8.1)."""

from __future__ import annotations

import math

from simulate.games.biathlon.ending import distance_left
from simulate.games.biathlon.state import DIST_ROUNDS, HOME, OUT, RACING
from simulate.jit import kernel


@kernel
def race_standing(state, rules, seat):
    """Distance left, made smaller the earlier a skier came home; collapsed skiers are far away."""
    if state["status"][seat] == OUT:
        return 1000000
    if state["status"][seat] == HOME:
        return state["place"][seat] - 1000
    return distance_left(state, rules, seat)


@kernel
def note_round_end(state, rules):
    """At a round end: distances, leader, deficits, spread."""
    round_number = state["round"]
    for seat in range(state["n_seats"]):
        status = state["status"][seat]
        if status == RACING:
            state["tally"]["stands"][state["row"][seat]] += 1
        if round_number <= DIST_ROUNDS and status != OUT:
            left = distance_left(state, rules, seat)
            state["seat_rows"][seat]["dist_round"][round_number - 1] = left
    if round_number == 5:
        state["game_rows"][0]["spread_r5"] = spread(state, rules)
    elif round_number == 10:
        state["game_rows"][0]["spread_r10"] = spread(state, rules)
    elif round_number == 15:
        state["game_rows"][0]["spread_r15"] = spread(state, rules)
    elif round_number == 20:
        state["game_rows"][0]["spread_r20"] = spread(state, rules)
    if state["finished"] == 0 or state["game_rows"][0]["rounds_win"] == round_number:
        note_leader(state, rules)


@kernel
def note_leader(state, rules):
    """The leader has the least distance left; ties keep the leader of before."""
    best = -1
    for offset in range(state["n_seats"]):
        seat = (state["first_seat"] + offset) % state["n_seats"]
        if best < 0 or race_standing(state, rules, seat) < race_standing(state, rules, best):
            best = seat
    least = race_standing(state, rules, best)
    if least >= 1000000:
        return
    leader = state["leader_now"]
    if leader < 0:
        state["leader_now"] = best
        state["lead_since"] = state["round"]
    elif race_standing(state, rules, leader) > least:
        state["leader_now"] = best
        state["lead_since"] = state["round"]
        state["last_change_round"] = state["round"]
        state["game_rows"][0]["lead_changes"] += 1
    state["led"][state["leader_now"]] = 1
    first = max(least, 0)
    for seat in range(state["n_seats"]):
        if state["status"][seat] == RACING:
            behind = distance_left(state, rules, seat) - first
            state["deficit"][seat] = max(state["deficit"][seat], behind)


@kernel
def spread(state, rules):
    """Standard deviation of the distance left over racing skiers; -1 with fewer than two."""
    count = 0
    total = 0.0
    for seat in range(state["n_seats"]):
        if state["status"][seat] == RACING:
            count += 1
            total += distance_left(state, rules, seat)
    if count < 2:
        return -1.0
    mean = total / count
    squares = 0.0
    for seat in range(state["n_seats"]):
        if state["status"][seat] == RACING:
            off = distance_left(state, rules, seat) - mean
            squares += off * off
    return math.sqrt(squares / count)
