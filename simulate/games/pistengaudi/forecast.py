"""What is foreseen of a figure: turns to the goal on the slope as it is (spec section 10, ETA)."""

from __future__ import annotations

from simulate.games.pistengaudi.movement import find_outcomes, outcome_of
from simulate.games.pistengaudi.slope import row_of
from simulate.games.pistengaudi.state import N_CELLS, OUTCOME_FALL, OUTCOME_GOAL, SIDE_UPPER
from simulate.jit import kernel

HORIZON = 3  # turns looked ahead
BARRED = 8.0  # turns foreseen on the goal's lower row where entry there is barred
ROWS_PER_TURN = 2.0


@kernel
def turns_from(rules, cell):
    """Turns foreseen beyond the look-ahead: two rows a turn."""
    row = row_of(cell)
    if row == rules["height"] + 2 and rules["goal_side_entry"] == SIDE_UPPER:
        return BARRED
    return max(1, rules["height"] + 1 - row) / ROWS_PER_TURN


@kernel
def foresee(state, rules, work, seat):
    """ETA: breadth-first over outcomes for three turns, a fall costs one turn more.

    The least over all places reached, its own included, of turns used and turns foreseen from there;
    one more if the figure lies now; 0 in the goal.
    """
    if state["area"][seat] > 0:
        return 0.0
    work["eta_mark"] += 1
    mark = work["eta_mark"]
    start = state["cell"][seat]
    best = turns_from(rules, start)
    count = reach(work, mark, start, 0, 0)
    for turns in range(HORIZON):
        for at in range(count):
            if work["eta_turns"][at] != turns:
                continue
            find_outcomes(state, rules, work, work["eta_cell"][at])
            for index in range(work["n_outcomes"]):
                code = work["out_code"][index]
                spent = turns + 1
                if outcome_of(code) == OUTCOME_GOAL:
                    best = min(best, 1.0 * spent)
                    continue
                if outcome_of(code) == OUTCOME_FALL:
                    spent += 1
                cell = code % N_CELLS
                best = min(best, spent + turns_from(rules, cell))
                if spent < HORIZON:
                    count = reach(work, mark, cell, spent, count)
    return best + state["lying"][seat]


@kernel
def reach(work, mark, cell, turns, count):
    """Note a place and the turns to it, if it is new or reached sooner; returns how many."""
    if work["eta_stamp"][cell] == mark:
        index = work["eta_index"][cell]
        work["eta_turns"][index] = min(work["eta_turns"][index], turns)
        return count
    work["eta_stamp"][cell] = mark
    work["eta_index"][cell] = count
    work["eta_cell"][count] = cell
    work["eta_turns"][count] = turns
    return count + 1
