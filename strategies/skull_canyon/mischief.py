"""What an avalanche and a move of the Yeti do to the others (spec section 10)."""

from __future__ import annotations

from simulate.games.skull_canyon.avalanche import waning_on_slides
from simulate.games.skull_canyon.gear import has
from simulate.games.skull_canyon.sets import need_of
from simulate.games.skull_canyon.state import TENT
from simulate.games.skull_canyon.yeti import blocked
from simulate.jit import kernel
from strategies.skull_canyon.place import reach_of
from strategies.skull_canyon.plan_state import (
    BLOCK,
    FAME,
    OWN_DROP,
    RIVAL_DROP,
    RIVAL_READY,
    WANING,
)


@kernel
def judged_set(cards):
    """Largest set of a hand of that size, as it is on average (spec 11.1: 4.2 cards of 7)."""
    return (4 * cards + 3) // 7


@kernel
def rival_pays(state, rules, board, seat, run):
    """True when a rival could pay a run, judged by hand size."""
    return judged_set(state["cards"][seat]) >= need_of(state, rules, board, seat, run)


@kernel
def rival_ready(state, rules, board, seat, node):
    """1 if a rival on that node has a run that it could pay."""
    for index in range(board["n_down"][node]):
        run = board["down"][node, index]
        if not blocked(state, seat, run) and rival_pays(state, rules, board, seat, run):
            return 1
    return 0


@kernel
def highest_bottom(board, node):
    """Where a rival slides to: the highest bottom of a run from here."""
    best = -1
    for index in range(board["n_down"][node]):
        bottom = board["bottom"][board["down"][node, index]]
        if best < 0 or board["height"][bottom] > board["height"][best]:
            best = bottom
    return best


@kernel
def rivals_slide(state, rules, board, plan, w):
    """What an avalanche set off now does to the rivals, and what the Emergency Tent pays."""
    if plan["slide_stamp"] == plan["stamp"]:
        return plan["slide_value"]
    plan["slide_stamp"] = plan["stamp"]
    seat = plan["seat"]
    score = 0.0
    if w[RIVAL_DROP] != 0.0 or w[RIVAL_READY] != 0.0:
        for other in range(state["n_seats"]):
            node = state["node"][other]
            if other != seat and board["n_down"][node] > 0:
                bottom = highest_bottom(board, node)
                score += w[RIVAL_DROP] * (board["height"][node] - board["height"][bottom])
                ready = rival_ready(state, rules, board, other, bottom)
                ready -= rival_ready(state, rules, board, other, node)
                score += w[RIVAL_READY] * ready
    if has(state, seat, TENT):
        score += w[FAME]
    plan["slide_value"] = score
    return score


@kernel
def own_slide(state, rules, board, w, node, bottom):
    """What a slide from a node to another does to the seat itself, apart from where it ends."""
    score = w[OWN_DROP] * (board["height"][node] - board["height"][bottom])
    if node != board["base"] and bottom == board["base"] and waning_on_slides(state, rules):
        score += w[FAME] * rules["waning"] + w[WANING]
    return score


@kernel
def at_top(state, board, seat, run):
    """Rivals at the top of a run."""
    count = 0
    for other in range(state["n_seats"]):
        if other != seat and state["node"][other] == board["top"][run]:
            count += 1
    return count


@kernel
def yeti_score(state, rules, board, plan, node, run):
    """YETI: block + rival_ready of the run less block_self (spec, shared rules)."""
    seat = plan["seat"]
    score = at_top(state, board, seat, run)
    for other in range(state["n_seats"]):
        if other != seat and state["node"][other] == board["top"][run]:
            if rival_pays(state, rules, board, other, run):
                score += 1
    if board["top"][run] == node or (board["lift_to"][node] >> board["top"][run]) & 1 == 1:
        reach = reach_of(plan, plan["best"], plan["cards"])
        if reach >= need_of(state, rules, board, seat, run):
            score -= 1
    return score


@kernel
def yeti_moves(state, board, plan, w):
    """What moving the Yeti to the most crowded top is worth against leaving it."""
    if plan["yeti_stamp"] == plan["stamp"]:
        return plan["yeti_value"]
    plan["yeti_stamp"] = plan["stamp"]
    plan["yeti_value"] = 0.0
    if w[BLOCK] != 0.0:
        seat = plan["seat"]
        now = at_top(state, board, seat, state["yeti"]) if state["yeti"] >= 0 else 0
        most = 0
        for run in range(board["n_runs"]):
            if run != state["yeti"] and board["no_yeti"][run] == 0:
                most = max(most, at_top(state, board, seat, run))
        plan["yeti_value"] = w[BLOCK] * (most - now)
    return plan["yeti_value"]
