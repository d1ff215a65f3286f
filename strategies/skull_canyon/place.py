"""What a node is worth: runs to pay from here and one lift away (spec section 10)."""

from __future__ import annotations

from simulate.games.skull_canyon.state import MAX_NODES
from simulate.games.skull_canyon.yeti import blocked
from simulate.jit import kernel
from strategies.skull_canyon.plan_state import (
    BLOCK_SELF,
    CHAIN,
    CLIMB,
    EARLY,
    HEIGHT,
    LIFT_VP,
    MAX_REACH,
    OPEN_RUNS,
    PROSPECT,
    READY_E,
    READY_VP,
)
from strategies.skull_canyon.runs import gain_with, see_run

_EARLY_TURNS = 2  # tracker values at which the starting track counts


@kernel
def reach_of(plan, best, cards):
    """Size of the largest set that can be played, a Ramp pair included."""
    if plan["ramp"] == 1 and cards - best >= 2:
        best += 1
    return min(best, MAX_REACH)


@kernel
def best_vp(state, rules, board, plan, w, node, reach):
    """VP of the best unblocked run from a node that can be paid."""
    most = 0
    for index in range(board["n_down"][node]):
        run = board["down"][node, index]
        see_run(state, rules, board, plan, w, run)
        if reach >= plan["need"][run] and not blocked(state, plan["seat"], run):
            most = max(most, rules["vp"][board["difficulty"][run]])
    return most


@kernel
def open_from(state, board, plan, node, reach):
    """Unclaimed runs from a node that can be paid."""
    count = 0
    for index in range(board["n_down"][node]):
        run = board["down"][node, index]
        if state["stack_n"][run] == 0 and reach >= plan["need"][run]:
            if not blocked(state, plan["seat"], run):
                count += 1
    return count


@kernel
def see_here(state, rules, board, plan, w, node, reach):
    """Features of the runs from a node, and the best gain among them."""
    score = w[HEIGHT] * board["height"][node] / board["highest"]
    gain = 0.0
    most = 0
    for index in range(board["n_down"][node]):
        run = board["down"][node, index]
        see_run(state, rules, board, plan, w, run)
        if reach >= plan["need"][run]:
            if blocked(state, plan["seat"], run):
                score += w[BLOCK_SELF]
            else:
                difficulty = board["difficulty"][run]
                score += w[READY_E + difficulty]
                most = max(most, rules["vp"][difficulty])
                gain = max(gain, gain_with(plan, w, run, reach))
    score += w[READY_VP] * most
    if w[OPEN_RUNS] != 0.0:
        score += w[OPEN_RUNS] * open_from(state, board, plan, node, reach)
    plan["here"][node, reach] = score
    plan["gain_here"][node, reach] = gain


@kernel
def see_place(state, rules, board, plan, w, node, reach):
    """``see_here`` for a node and for all that are one lift away."""
    if plan["place_stamp"][node, reach] == plan["stamp"]:
        return
    plan["place_stamp"][node, reach] = plan["stamp"]
    lifts = board["lift_to"][node]
    score = 0.0
    gain = 0.0
    most = 0
    for other in range(board["n_nodes"]):
        if (lifts >> other) & 1 == 1:
            for index in range(board["n_down"][other]):
                run = board["down"][other, index]
                see_run(state, rules, board, plan, w, run)
                if reach >= plan["need"][run] and not blocked(state, plan["seat"], run):
                    most = max(most, rules["vp"][board["difficulty"][run]])
                    gain = max(gain, gain_with(plan, w, run, reach))
            if w[OPEN_RUNS] != 0.0:
                score += w[OPEN_RUNS] * open_from(state, board, plan, other, reach)
    plan["above"][node, reach] = score + w[LIFT_VP] * most
    plan["gain_above"][node, reach] = gain
    see_here(state, rules, board, plan, w, node, reach)


@kernel
def chain_vp(state, rules, board, plan, w, node, reach, second):
    """VP of the best two runs in a row with disjoint sets."""
    most = 0
    for index in range(board["n_down"][node]):
        run = board["down"][node, index]
        see_run(state, rules, board, plan, w, run)
        need = plan["need"][run]
        if reach >= need and not blocked(state, plan["seat"], run):
            vp = rules["vp"][board["difficulty"][run]]
            after = max(second, reach - need)
            if second >= need:
                after = reach
            most = max(
                most, vp + best_vp(state, rules, board, plan, w, board["bottom"][run], after)
            )
    return most


@kernel
def place_score(state, rules, board, plan, w, node, reach, second, today, fade):
    """Worth of standing on a node with that many own actions left today.

    Skiers leave the mountain at the end of the day: without an action left a place is worth nothing.
    """
    if today <= 0:
        return 0.0
    reach = max(0, min(reach, MAX_REACH))
    see_place(state, rules, board, plan, w, node, reach)
    score = plan["here"][node, reach]
    gain = plan["gain_here"][node, reach]
    if today > 1:
        score += plan["above"][node, reach]
        gain = max(gain, w[CLIMB] * plan["gain_above"][node, reach])
        if w[CHAIN] != 0.0:
            score += w[CHAIN] * chain_vp(state, rules, board, plan, w, node, reach, second)
    return fade * score + w[PROSPECT] * gain


@kernel
def early_score(state, rules, board, plan, w, node):
    """Less the place that a node would give on the starting track."""
    if w[EARLY] == 0.0 or state["day"] == rules["days"] or state["tracker"] > _EARLY_TURNS:
        return 0.0
    seat = plan["seat"]
    order = (seat - state["first"]) % state["n_seats"]
    place = 1
    for other in range(state["n_seats"]):
        if other != seat:
            height = board["height"][state["node"][other]]
            if height < board["height"][node]:
                place += 1
            elif height == board["height"][node]:
                if (other - state["first"]) % state["n_seats"] < order:
                    place += 1
    return -w[EARLY] * place


@kernel
def slide_end(state, rules, board, plan, w, node, reach, second, today, fade):
    """Where the seat would slide: the bottom with the highest worth; the node where there is none."""
    best = -1
    most = 0.0
    for other in range(MAX_NODES):
        if (board["slide_to"][node] >> other) & 1 == 1:
            score = place_score(state, rules, board, plan, w, other, reach, second, today, fade)
            if best < 0 or score > most:
                best = other
                most = score
    return best if best >= 0 else node
