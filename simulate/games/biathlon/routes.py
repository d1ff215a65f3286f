"""Routes: every legal way to make a move or a slide, in canonical order (spec sections 4, 5.7).

The search walks the tree of steps depth first, letters in canonical order, so routes come out
sorted. Equal routes are merged: a node met a second time (same space, credit and cost after as many
steps) can only lead to ends that an earlier route has, so it is cut.
"""

from __future__ import annotations

from simulate.games.biathlon.state import (
    DOWNHILL,
    FREE,
    MAX_STEPS,
    RACING,
    SEEN_ENDS,
    SHOOTING,
    STEP_DIAGONAL_LEFT,
    STEP_DIAGONAL_RIGHT,
    STEP_FORWARD,
    STEP_LANE,
    STEP_PENALTY,
    STEP_SIDE_LEFT,
    STEP_SIDE_RIGHT,
    WHITE,
)
from simulate.jit import kernel


@kernel
def held_by_others(state, seat, row, lane, penalty):
    """Other racing skiers on a space."""
    count = 0
    for other in range(state["n_seats"]):
        if other != seat and state["status"][other] == RACING:
            if state["row"][other] == row and state["lane"][other] == lane:
                if state["penalty"][other] == penalty:
                    count += 1
    return count


@kernel
def space_is_free(rules, row, lane):
    """BI-MOVE-05: spaces that cost nothing to enter: F and shooting space (nobody holds the line)."""
    kind = rules["space"][row, lane]
    return kind == FREE or kind == SHOOTING


@kernel
def entry_cost(state, rules, seat, row, lane, penalty):
    """Stamina due for entering a space as the skiers stand now (BI-MOVE-05, BI-PEN-04)."""
    if state["treatment"][seat]["free_entry"] == 1:
        return 0
    if penalty > 0:
        if rules["penalty_lane_free"] == 1:
            return 0
    elif space_is_free(rules, row, lane):
        return 0
    held = held_by_others(state, seat, row, lane, penalty)
    if rules["entry_cost"] == 0:
        return min(held, 1)
    return held


@kernel
def is_shooting_row(rules, row):
    """True for a row of the course that is one shooting space over all lanes."""
    return rules["space"][row, 0] == SHOOTING


@kernel
def is_downhill(rules, row, lane, penalty):
    """True on a green space."""
    return penalty == 0 and rules["space"][row, lane] == DOWNHILL


@kernel
def look_around(state, rules, work, seat, steps):
    """Count the other racing skiers on the rows that a move of ``steps`` can reach."""
    row = state["row"][seat]
    held = work["held"]
    level = work["level"]
    for ahead in range(steps + 1):
        level[ahead] = 0
        for lane in range(rules["lanes"]):
            held[ahead, lane] = 0
    for other in range(state["n_seats"]):
        if other != seat and state["status"][other] == RACING:
            ahead = state["row"][other] - row
            if 0 <= ahead <= steps:
                level[ahead] += 1
                if state["penalty"][other] == 0:
                    held[ahead, state["lane"][other]] += 1


@kernel
def first_code(rules, row):
    """The first step code worth trying: on course rows forward comes first."""
    if row == 0 or is_shooting_row(rules, row):
        return STEP_PENALTY
    return STEP_FORWARD


@kernel
def _root(state, rules, work, seat, credit, free):
    """The node before the first step."""
    work["node_next"][0] = first_code(rules, state["row"][seat])
    work["node_row"][0] = state["row"][seat]
    work["node_lane"][0] = state["lane"][seat]
    work["node_penalty"][0] = state["penalty"][seat]
    work["node_owed"][0] = state["owed"][seat]
    work["node_credit"][0] = credit
    work["node_cost"][0] = 0
    work["node_free"][0] = free
    work["node_sides"][0] = 0


@kernel
def _entry(state, rules, work, seat, base, row, lane):
    """Cost of entering a course space during the search, from the counts of ``look_around``."""
    held = work["held"][row - base, lane]
    if held == 0 or space_is_free(rules, row, lane):
        return 0
    if state["treatment"][seat]["free_entry"] == 1:
        return 0
    if rules["entry_cost"] == 0:
        return 1
    return held


@kernel
def _step(state, rules, work, seat, base, depth, code):
    """Try step ``code`` from node ``depth``; fill node ``depth`` + 1. False if it is not legal."""
    row = work["node_row"][depth]
    lane = work["node_lane"][depth]
    credit = work["node_credit"][depth]
    owed = work["node_owed"][depth]
    penalty = work["node_penalty"][depth]
    sides = work["node_sides"][depth]
    in_range = is_shooting_row(rules, row)  # the penalty lane belongs to its row
    cost = 0
    if code == STEP_PENALTY:
        if owed == 0:
            return False
        penalty = penalty % rules["lap_length"] + 1
        owed -= 1
        if rules["penalty_lane_free"] == 0:
            cost = entry_cost(state, rules, seat, row, lane, penalty)
    elif code < STEP_FORWARD:
        if owed > 0:
            return False
        row += 1
        lane = code - STEP_LANE
        one_space = row > rules["rows"] or is_shooting_row(rules, row)
        if lane >= rules["lanes"] or (one_space and lane > 0):
            return False
        penalty = 0
        if not one_space:
            cost = _entry(state, rules, work, seat, base, row, lane)
    else:
        if row == 0 or in_range:
            return False
        if code <= STEP_DIAGONAL_RIGHT:
            row += 1
            ends = row > rules["rows"] or is_shooting_row(rules, row)
            if code != STEP_FORWARD:
                lane += -1 if code == STEP_DIAGONAL_LEFT else 1
                if ends or lane < 0 or lane >= rules["lanes"]:
                    return False
                if rules["space"][row, lane] != WHITE:
                    return False
            if ends:
                lane = 0
            if work["level"][row - 1 - base] > 0:
                credit = 1
            if not ends:
                cost = _entry(state, rules, work, seat, base, row, lane)
        else:
            if credit == 0:
                return False
            lane += -1 if code == STEP_SIDE_LEFT else 1
            if lane < 0 or lane >= rules["lanes"]:
                return False
            credit = 0
            sides += 1
            cost = _entry(state, rules, work, seat, base, row, lane)
    free = work["node_free"][depth]
    saved = min(free, cost)
    below = depth + 1
    work["node_next"][below] = STEP_PENALTY if penalty > 0 else STEP_FORWARD
    work["node_row"][below] = row
    work["node_lane"][below] = lane
    work["node_penalty"][below] = penalty
    work["node_owed"][below] = owed
    work["node_credit"][below] = credit
    work["node_cost"][below] = work["node_cost"][depth] + cost - saved
    work["node_free"][below] = free - saved
    work["node_sides"][below] = sides
    work["path"][depth] = code
    return True


@kernel
def _add_route(work, depth):
    """Copy the path of ``depth`` steps into the route table, which the loader proves long enough."""
    index = work["n_routes"]
    for step in range(depth):
        work["route_codes"][index, step] = work["path"][step]
    work["route_len"][index] = depth
    work["route_cost"][index] = work["node_cost"][depth]
    work["route_row"][index] = work["node_row"][depth]
    work["route_lane"][index] = work["node_lane"][depth]
    work["route_penalty"][index] = work["node_penalty"][depth]
    work["route_credit"][index] = work["node_credit"][depth]
    work["n_routes"] = index + 1


@kernel
def _new_mark(work, base, depth, plane, credit):
    """Stamp the node at ``depth``; False if this listing has met it before."""
    ahead = work["node_row"][depth] - base
    lane = work["node_lane"][depth]
    cost = work["node_cost"][depth]
    stamp = work["stamp"]
    if work["seen"][ahead, plane, lane, credit, cost] == stamp:
        return False
    work["seen"][ahead, plane, lane, credit, cost] = stamp
    return True


@kernel
def _new_end(work, base, depth, credit_matters):
    """True for an end that no earlier route has: address, cost, and credit if it matters."""
    credit = work["node_credit"][depth] if credit_matters else 0
    return _new_mark(work, base, depth, SEEN_ENDS, credit)


@kernel
def list_moves(state, rules, work, seat, steps, budget, keep_all):
    """Fill the route table with the legal routes of a move of ``steps`` steps (BI-MOVE-06).

    A route has exactly ``steps`` steps or ends on entering a shooting space or the finish, and
    costs at most ``budget`` stamina. ``keep_all`` = 1 keeps equal routes apart, because followers
    copy the track (spec section 4, merging).
    """
    work["n_routes"] = 0
    work["stamp"] += 1
    steps = min(steps, MAX_STEPS)
    base = state["row"][seat]
    look_around(state, rules, work, seat, steps)
    _root(state, rules, work, seat, 1, 0)
    depth = 0
    while depth >= 0:
        code = work["node_next"][depth]
        if depth == steps or code > STEP_SIDE_RIGHT:
            depth -= 1
            continue
        work["node_next"][depth] = code + 1
        if not _step(state, rules, work, seat, base, depth, code):
            continue
        below = depth + 1
        if work["node_cost"][below] > budget:
            continue
        row = work["node_row"][below]
        penalty = work["node_penalty"][below]
        arrived = row > rules["rows"] or (
            code != STEP_PENALTY and penalty == 0 and is_shooting_row(rules, row)
        )
        if below == steps or arrived:
            if keep_all == 1:
                _add_route(work, below)
            else:
                lane = work["node_lane"][below]
                downhill = is_downhill(rules, row, lane, penalty)
                if _new_end(work, base, below, downhill):
                    _add_route(work, below)
        elif keep_all == 1 or penalty > 0:
            depth = below
        elif _new_mark(work, base, below, work["node_sides"][below], work["node_credit"][below]):
            depth = below


@kernel
def list_slides(state, rules, work, seat, credit, budget, keep_all):
    """Fill the route table with the slides of 1 … ``slide_steps`` steps (BI-DOWN-02).

    The first held space entered is free (``terrain.slide_free``).
    """
    work["n_routes"] = 0
    work["stamp"] += 1
    steps = rules["slide_steps"]
    base = state["row"][seat]
    look_around(state, rules, work, seat, steps)
    _root(state, rules, work, seat, credit, rules["slide_free"])
    depth = 0
    while depth >= 0:
        code = work["node_next"][depth]
        if depth == steps or code > STEP_SIDE_RIGHT:
            depth -= 1
            continue
        work["node_next"][depth] = code + 1
        if not _step(state, rules, work, seat, base, depth, code):
            continue
        below = depth + 1
        if work["node_cost"][below] > budget:
            continue
        row = work["node_row"][below]
        if keep_all == 1 or _new_end(work, base, below, rules["slide_repeat"] == 1):
            _add_route(work, below)
        if row <= rules["rows"] and not is_shooting_row(rules, row):
            depth = below
