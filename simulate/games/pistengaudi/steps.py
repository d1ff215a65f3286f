"""One step: where it lands, over ski jumps and into the goal (rulebook: Move, Special Effects)."""

from __future__ import annotations

from simulate.games.pistengaudi.slope import is_signed
from simulate.games.pistengaudi.state import (
    DOWN,
    GOAL,
    LEFT,
    N_SIDES,
    NO_SIDE,
    RIGHT,
    SIDE_BOTH_DEEP,
    SIDE_UPPER,
    START,
    START_CELL,
    STRIDE,
    J,
)
from simulate.jit import kernel


@kernel
def neighbour(cell, way):
    """The next cell down, left or right (PG-MOVE-02)."""
    if way == DOWN:
        return cell + 1
    if way == LEFT:
        return cell - STRIDE
    return cell + STRIDE


@kernel
def entry_area(rules, cell, way):
    """PG-GOAL-01: area that a step onto this goal cell lands in, 0 if it may not be entered so."""
    upper = START_CELL + rules["height"] + 1
    if cell == upper:
        return 1
    if way == DOWN or rules["goal_side_entry"] == SIDE_UPPER:
        return 0
    return 2 if rules["goal_side_entry"] == SIDE_BOTH_DEEP else 1


@kernel
def lands(state, rules, cell, way):
    """PG-MOVE-03: -1 for no landing, 0 for a space to stand on, else the goal area entered."""
    kind = state["kind"][cell]
    if is_signed(kind):
        return 0
    if kind == START and rules["lift_reenter"] == 1:
        return 0
    if kind == GOAL:
        area = entry_area(rules, cell, way)
        if area > 0:
            return area
    return -1


@kernel
def side_after(rules, side, way):
    """The side that bans its opposite after one more cell move (PG-MOVE-05)."""
    if way != DOWN:
        return way
    return side if rules["move_reversal"] == 1 else NO_SIDE


@kernel
def is_banned(side, way):
    """A left step may not follow a right step, or the reverse."""
    return (side == LEFT and way == RIGHT) or (side == RIGHT and way == LEFT)


@kernel
def list_landings(state, rules, work, depth, cell, side):
    """PG-JUMP-01: all steps from a cell, in the order down, left, right; returns how many."""
    work["node_n"][depth] = 0
    work["jump_stamp"] += 1
    for way in range(3):
        if is_banned(side, way):
            continue
        to = neighbour(cell, way)
        if state["kind"][to] != J:
            add_landing(state, rules, work, depth, to, side_after(rules, side, way), way, 0)
        elif rules["jump_turn"] == 0:
            flown = 0
            while state["kind"][to] == J:
                to = neighbour(to, way)
                flown += 1
            add_landing(state, rules, work, depth, to, side_after(rules, side, way), way, flown)
        else:
            fly(state, rules, work, depth, to, side_after(rules, side, way))
    return work["node_n"][depth]


@kernel
def add_landing(state, rules, work, depth, to, side, way, flown):
    """Note a step that lands; with turning jumps each landing and side once."""
    area = lands(state, rules, to, way)
    if area < 0:
        return
    if rules["jump_turn"] == 1:
        if work["jump_seen"][to * N_SIDES + side] == work["jump_stamp"]:
            return
        work["jump_seen"][to * N_SIDES + side] = work["jump_stamp"]
    index = work["node_n"][depth]
    work["land_cell"][depth, index] = to
    work["land_side"][depth, index] = side
    work["land_way"][depth, index] = way
    work["land_area"][depth, index] = area
    work["land_flown"][depth, index] = flown
    work["node_n"][depth] = index + 1


@kernel
def fly(state, rules, work, depth, first, side):
    """``jump.turn = "free"``: every ski jump may be left down, left or right.

    No flight comes back to the jump it began with: there is no way up, and none back.
    """
    work["jump_cell"][0] = first
    work["jump_side"][0] = side
    work["jump_way"][0] = 0
    at = 0
    while at >= 0:
        way = work["jump_way"][at]
        if way > 2:
            at -= 1
            continue
        work["jump_way"][at] = way + 1
        here = work["jump_side"][at]
        if is_banned(here, way):
            continue
        to = neighbour(work["jump_cell"][at], way)
        after = side_after(rules, here, way)
        if state["kind"][to] != J:
            add_landing(state, rules, work, depth, to, after, way, at + 1)
        elif work["jump_seen"][to * N_SIDES + after] != work["jump_stamp"]:
            work["jump_seen"][to * N_SIDES + after] = work["jump_stamp"]
            at += 1
            work["jump_cell"][at] = to
            work["jump_side"][at] = after
            work["jump_way"][at] = 0
