"""Riding: which outcomes a move can have (rulebook: Move Your Ski Figure, Examples)."""

from __future__ import annotations

from simulate.games.pistengaudi.slope import sign_of
from simulate.games.pistengaudi.state import (
    H1,
    H3,
    N_CELLS,
    N_SIDES,
    NO_SIDE,
    OUTCOME_FALL,
    OUTCOME_GOAL,
    OUTCOME_STOP,
)
from simulate.games.pistengaudi.steps import list_landings
from simulate.jit import kernel
from simulate.options import offer

FEW_STEPS = 3  # a move of so many steps has at most 17 paths


@kernel
def steps_of(state, rules, cell):
    """PG-MOVE-01: steps of a move that starts on a cell, by its sign; on the lift its own speed."""
    return rules["steps"][sign_of(state["kind"][cell])]


@kernel
def outcome_of(code):
    """Stop, fall or goal, from an action code of PG-D-MOVE."""
    return code // N_CELLS


@kernel
def search_outcomes(state, rules, work, cell, steps):
    """PG-MOVE-07: all outcomes of a move of ``steps`` steps from a cell, into the outcome table.

    Every path in the order down, left, right; where there can be many, a place reached again with
    the same steps left and the same side is not searched twice, as it has the same outcomes. Of
    each outcome one path is kept: fewest steps, then first in that order.
    """
    many = steps > FEW_STEPS or rules["jump_turn"] == 1
    work["stamp"] += 1
    work["n_outcomes"] = 0
    if list_landings(state, rules, work, 0, cell, NO_SIDE) == 0:
        note_standstill(rules, work, cell)
        return
    work["node_at"][0] = 0
    depth = 0
    while depth >= 0:
        index = work["node_at"][depth]
        if index >= work["node_n"][depth]:
            depth -= 1
            continue
        work["node_at"][depth] = index + 1
        to = work["land_cell"][depth, index]
        area = work["land_area"][depth, index]
        left = steps - depth - 1
        if area > 0:
            note_goal(rules, work, depth, area, left)
        elif left == 0 or (state["kind"][to] >= H1 and state["kind"][to] <= H3):
            note_outcome(rules, work, OUTCOME_STOP * N_CELLS + to, depth + 1)
        else:
            side = work["land_side"][depth, index]
            if many:
                if work["seen"][depth, to * N_SIDES + side] == work["stamp"]:
                    continue
                work["seen"][depth, to * N_SIDES + side] = work["stamp"]
            if list_landings(state, rules, work, depth + 1, to, side) == 0:
                note_outcome(rules, work, OUTCOME_FALL * N_CELLS + to, depth + 1)
            else:
                depth += 1
                work["node_at"][depth] = 0


@kernel
def note_standstill(rules, work, cell):
    """PG-FALL-03: no legal step at all; a fall without a step, or (switch) the figure stays."""
    outcome = OUTCOME_STOP if rules["move_no_step"] == 1 else OUTCOME_FALL
    note_outcome(rules, work, outcome * N_CELLS + cell, 0)


@kernel
def note_goal(rules, work, depth, area, left):
    """PG-GOAL-02, PG-GOAL-03: steps left go on inside the goal; ``goal.overrun`` may end early."""
    deepest = min(rules["areas"], area + left)
    first = deepest
    if rules["goal_overrun"] == 1:
        first = min(area, deepest)
    for one in range(first, deepest + 1):
        note_outcome(rules, work, OUTCOME_GOAL * N_CELLS + one, depth + 1)


@kernel
def place_of_outcome(work, code):
    """Where an outcome stands in the table; behind its end if it does not."""
    for index in range(work["n_outcomes"]):
        if work["out_code"][index] == code:
            return index
    return work["n_outcomes"]


@kernel
def note_outcome(rules, work, code, steps):
    """Keep an outcome and the path to it, if it is new or its path is the better one."""
    index = place_of_outcome(work, code)
    if index < work["n_outcomes"]:
        known = work["out_steps"][index]
        longer = rules["move_fall_choice"] == 1 and outcome_of(code) == OUTCOME_FALL
        if (longer and steps <= known) or (not longer and steps >= known):
            return
    else:
        work["out_code"][index] = code
        work["n_outcomes"] = index + 1
    work["out_steps"][index] = steps
    for depth in range(steps):
        at = work["node_at"][depth] - 1
        work["out_cell"][index, depth] = work["land_cell"][depth, at]
        work["out_way"][index, depth] = work["land_way"][depth, at]
        work["out_flown"][index, depth] = work["land_flown"][depth, at]


@kernel
def keep_outcomes(rules, work):
    """PG-MOVE-06, PG-FALL-01, PG-FALL-02: which outcomes are options."""
    full = 0
    longest = 0
    for index in range(work["n_outcomes"]):
        if outcome_of(work["out_code"][index]) == OUTCOME_FALL:
            longest = max(longest, work["out_steps"][index])
        else:
            full += 1
    kept = 0
    for index in range(work["n_outcomes"]):
        if outcome_of(work["out_code"][index]) == OUTCOME_FALL:
            if full > 0 and rules["move_full_path"] == 0:
                continue
            if rules["move_fall_choice"] == 1 and work["out_steps"][index] < longest:
                continue
        place_outcome(work, index, kept)
        kept += 1
    work["n_outcomes"] = kept


@kernel
def place_outcome(work, index, to):
    """Move an outcome to an earlier place of the table."""
    if index == to:
        return
    work["out_code"][to] = work["out_code"][index]
    work["out_steps"][to] = work["out_steps"][index]
    for depth in range(work["out_steps"][index]):
        work["out_cell"][to, depth] = work["out_cell"][index, depth]
        work["out_way"][to, depth] = work["out_way"][index, depth]
        work["out_flown"][to, depth] = work["out_flown"][index, depth]


@kernel
def order_outcomes(work):
    """``out_order``: the places of the table by rising codes."""
    for index in range(work["n_outcomes"]):
        code = work["out_code"][index]
        at = index
        while at > 0 and work["out_code"][work["out_order"][at - 1]] > code:
            work["out_order"][at] = work["out_order"][at - 1]
            at -= 1
        work["out_order"][at] = index


@kernel
def find_outcomes(state, rules, work, cell):
    """The options of a figure that stands upright on a cell: ``out_code[:n_outcomes]``, any order."""
    search_outcomes(state, rules, work, cell, steps_of(state, rules, cell))
    keep_outcomes(rules, work)


@kernel
def list_moves(state, rules, work, seat):
    """PG-D-MOVE: one option for each outcome."""
    find_outcomes(state, rules, work, state["cell"][seat])
    order_outcomes(work)
    for index in range(work["n_outcomes"]):
        offer(work, work["out_code"][work["out_order"][index]])
