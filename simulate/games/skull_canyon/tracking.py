"""What the records remember of the game as it goes on: who leads, the state of each day (spec 8)."""

from __future__ import annotations

from simulate.games.skull_canyon.scoring import rank_of, settle_scores
from simulate.games.skull_canyon.state import MAX_DAYS, ROUNDS_KEPT
from simulate.jit import kernel


@kernel
def sole_leader(state):
    """The seat with more VP than all others if the game ended now, -1 if tied."""
    best = 0
    tied = False
    for seat in range(1, state["n_seats"]):
        if state["final"][seat] > state["final"][best]:
            best = seat
            tied = False
        elif state["final"][seat] == state["final"][best]:
            tied = True
    return -1 if tied else best


@kernel
def note_turn_end(state, rules):
    """After each turn: the leader, the Yeti's run. Ties keep the leader of before."""
    settle_scores(state, rules)
    leader = sole_leader(state)
    game = state["game_rows"][0]
    if leader >= 0 and leader != state["leader"]:
        if state["leader"] >= 0:
            game["lead_changes"] += 1
            game["last_change_turn"] = state["turn"]
        state["leader"] = leader
    if state["yeti"] >= 0:
        state["tally"]["blocked"][state["yeti"]] += 1


@kernel
def note_round_end(state, rules, tracker):
    """After everybody's turn at a value of the tracker: what each would score if it ended now."""
    index = state["day"] * rules["daylight"] - tracker
    if 0 <= index < ROUNDS_KEPT:
        for seat in range(state["n_seats"]):
            state["seat_rows"][seat]["score_round"][index] = state["final"][seat]


@kernel
def note_day_end(state, rules):
    """At END: VP, fame, places if the game ended now, where skiers stand."""
    settle_scores(state, rules)
    note_round_end(state, rules, 1)
    day = state["day"]
    game = state["game_rows"][0]
    if day == 1:
        game["leader_d1"] = sole_leader(state)
    elif day == 2:
        game["leader_d2"] = sole_leader(state)
    for seat in range(state["n_seats"]):
        row = state["seat_rows"][seat]
        state["tally"]["stands"][state["node"][seat]] += 1
        if day <= MAX_DAYS:
            row["vp_d"][day - 1] = state["vp"][seat]
            row["fame_d"][day - 1] = state["fame"][seat]
            row["rank_d"][day - 1] = rank_of(state, seat)
