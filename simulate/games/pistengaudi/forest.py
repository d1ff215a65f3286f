"""The forest rule: no figure may lose its way out, the goal stays open (rulebook: Placing a card).

A *way out* runs over the potential grid: spaces that can be ridden and cells that can still be built.
The grid is swept from the goal: a cell has a way out if a step from it lands on a cell that has one,
or in the goal. Columns are whole numbers, one bit a row; those beyond the built ones plus one are
all alike (spec 2.2).
"""

from __future__ import annotations

from simulate.games.pistengaudi.slope import highest_row, is_signed, row_of, set_kind
from simulate.games.pistengaudi.state import (
    DOWN,
    FREE,
    GOAL,
    LEFT,
    N_COLUMNS,
    N_SIDES,
    N_TRAILS,
    ORIGIN,
    P1,
    RIGHT,
    SIDE_UPPER,
    START,
    START_CELL,
    STRIDE,
    WALL,
    F,
    J,
)
from simulate.games.pistengaudi.steps import entry_area, neighbour
from simulate.jit import kernel

NEAREST, FAR_LEFT, FAR_RIGHT = 0, 1, 2  # sets of trails


@kernel
def is_open(state, rules, cell, top):
    """PG-FOREST-03: rideable now, or free with a free cell above or below it, none above R.

    For a cell that a step down or sideways can lead to: it is not above R itself.
    """
    kind = state["kind"][cell]
    if is_signed(kind):
        return True
    if kind == FREE:
        if state["kind"][cell + 1] == FREE:
            return True
        return row_of(cell) > top and state["kind"][cell - 1] == FREE
    return kind == START and rules["lift_reenter"] == 1


@kernel
def draw_grid(state, rules, work, top, first, last, potential):
    """The cells that a way out may run over, by column: the potential grid of PG-FOREST-03.

    Without ``potential`` only what can be ridden now (PG-EMPTY-02).
    """
    rows = ((1 << (rules["height"] + 3)) - 1) >> top << top
    turning = rules["jump_turn"] == 1
    for column in range(first, last + 1):
        grid = state["open"][column]
        if potential == 1:
            free = state["free"][column] >> top << top
            grid |= free & ((free << 1) | (free >> 1))
        fly = state["jump"][column]
        if turning:
            grid |= fly
            fly = 0
        work["grid"][column] = grid & rows
        work["fly"][column] = fly


@kernel
def sweep(state, rules, work, top, left, right, potential):
    """PG-FOREST-04: the cells of columns left … right with a way out, from row H + 2 up to R.

    The goal's entries have one; so has a cell from which a step down, left or right lands on a cell
    that has one. From column to column there and back, until nothing is added.
    """
    first = max(left, -rules["half_width"]) + ORIGIN
    last = min(right, rules["half_width"]) + ORIGIN
    work["goal_open"] = 0
    way = work["way"]
    for column in range(first - 1, last + 2):
        way[column] = 0
    if top > rules["height"] + 2:
        return
    draw_grid(state, rules, work, top, first, last, potential)
    upper = 1 << (rules["height"] + 1)
    way[ORIGIN] = upper
    climb(work, ORIGIN, upper)
    if rules["goal_side_entry"] != SIDE_UPPER:
        way[ORIGIN] |= upper << 1
    changed = True
    while changed:
        pass_right(work, first, last)
        changed = pass_left(work, first, last)
        note_goal_open(state, work, top, first, last)
        if changed and potential == 1 and all_have_ways(state, rules, work, top):
            return


@kernel
def pass_right(work, first, last):
    """Steps left: from column to column to the right."""
    beside = 0
    way = work["way"]
    for column in range(first, last + 1):
        more = work["grid"][column] & beside & ~way[column]
        if more != 0:
            climb(work, column, more)
        beside = way[column] | (work["fly"][column] & beside)


@kernel
def pass_left(work, first, last):
    """Steps right: from column to column to the left. True when a cell was added.

    The last of the two: where it adds none, there is none left for ``pass_right`` either.
    """
    changed = False
    beside = 0
    way = work["way"]
    for column in range(last, first - 1, -1):
        more = work["grid"][column] & beside & ~way[column]
        if more != 0:
            climb(work, column, more)
            changed = True
        beside = way[column] | (work["fly"][column] & beside)
    return changed


@kernel
def note_goal_open(state, work, top, first, last):
    """PG-FOREST-05: some OPEN cell in row R has a way out."""
    found = 0
    for column in range(first, last + 1):
        found |= work["way"][column] & work["grid"][column] & ~state["jump"][column]
    work["goal_open"] = (found >> top) & 1


@kernel
def all_have_ways(state, rules, work, top):
    """Every figure has its way out and the goal is open: a sweep need not go on."""
    if work["goal_open"] == 0:
        return False
    for seat in range(state["n_seats"]):
        if state["area"][seat] == 0:
            if not has_way_out(state, rules, work, state["cell"][seat], top):
                return False
    return True


@kernel
def climb(work, column, more):
    """Cells of a column that have a way out by steps down, over ski jumps, onto new ones."""
    grid = work["grid"][column]
    through = grid | work["fly"][column]
    rising = more
    while rising != 0:
        more |= rising
        rising = (rising >> 1) & through & ~more
    work["way"][column] |= more & (grid | work["way"][column])


@kernel
def step_leads_out(state, rules, work, cell, way):
    """Whether a step from a cell lands on a cell with a way out, or in the goal."""
    to = neighbour(cell, way)
    if rules["jump_turn"] == 0:
        while state["kind"][to] == J:
            to = neighbour(to, way)
    if state["kind"][to] == GOAL:
        return entry_area(rules, to, way) > 0
    row = row_of(to)
    if row > rules["height"] + 2:
        return False
    return (work["way"][to // STRIDE] >> row) & 1 == 1


@kernel
def can_step(state, rules, work, cell, top):
    """``forest.way_out = "local"``: one legal step on the potential grid is enough."""
    for way in range(3):
        to = neighbour(cell, way)
        if state["kind"][to] == J and rules["jump_turn"] == 1:
            if jump_can_land(state, rules, work, to, top):
                return True
            continue
        while state["kind"][to] == J:
            to = neighbour(to, way)
        if state["kind"][to] == GOAL:
            if entry_area(rules, to, way) > 0:
                return True
        elif is_open(state, rules, to, top):
            return True
    return False


@kernel
def jump_can_land(state, rules, work, first, top):
    """The same behind ski jumps that may be left in any direction."""
    work["jump_stamp"] += 1
    work["jump_seen"][first * N_SIDES] = work["jump_stamp"]
    work["jump_cell"][0] = first
    count = 1
    at = 0
    while at < count:
        for way in range(3):
            to = neighbour(work["jump_cell"][at], way)
            kind = state["kind"][to]
            if kind == J:
                if work["jump_seen"][to * N_SIDES] != work["jump_stamp"]:
                    work["jump_seen"][to * N_SIDES] = work["jump_stamp"]
                    work["jump_cell"][count] = to
                    count += 1
            elif kind == GOAL:
                if entry_area(rules, to, way) > 0:
                    return True
            elif is_open(state, rules, to, top):
                return True
        at += 1
    return False


@kernel
def has_way_out(state, rules, work, cell, top):
    """PG-FOREST-04 for a figure on a cell; expects a sweep of the slope as it is now."""
    if rules["forest_way_out"] == 1:
        return can_step(state, rules, work, cell, top)
    for way in range(3):
        if step_leads_out(state, rules, work, cell, way):
            return True
    return False


@kernel
def is_no_forest(state, cell):
    """An entry cell that forest does not block."""
    return state["kind"][cell] != F and state["kind"][cell] != WALL


@kernel
def goal_is_open(state, rules, work):
    """PG-FOREST-05; expects a sweep of the slope as it is now."""
    if rules["forest_way_out"] == 0:
        return work["goal_open"] == 1
    upper = START_CELL + rules["height"] + 1
    if is_no_forest(state, upper - 1):
        return True
    if is_no_forest(state, upper - STRIDE) or is_no_forest(state, upper + STRIDE):
        return True
    if rules["goal_side_entry"] == SIDE_UPPER:
        return False
    return is_no_forest(state, upper + 1 - STRIDE) or is_no_forest(state, upper + 1 + STRIDE)


@kernel
def look(state, rules, work, top, left, right):
    """Sweep the slope as it is now; with the local test there is nothing to sweep."""
    if rules["forest_way_out"] == 0:
        sweep(state, rules, work, top, left, right, 1)


@kernel
def look_before(state, rules, work, top, left, right):
    """PG-FOREST-01, PG-FOREST-06: who has a way out, and is the goal open, before the card."""
    look(state, rules, work, top, left, right)
    work["had_goal"] = 1 if goal_is_open(state, rules, work) else 0
    for seat in range(state["n_seats"]):
        work["had_way"][seat] = 0
        if state["area"][seat] == 0:
            if has_way_out(state, rules, work, state["cell"][seat], top):
                work["had_way"][seat] = 1


@kernel
def mark_trails(state, rules, work, top):
    """Mark the cells of ways out of every figure, and of one that keeps the goal open.

    Three sets of them: by the nearest way down of each row, by that farthest to the left, by that
    farthest to the right. A card that leaves one set alone takes nothing away, and no second sweep
    is needed. Expects ``look_before``.
    """
    goal_cell = -1
    if work["had_goal"] == 1:
        for x in range(state["left_end"] - 1, state["right_end"] + 2):
            column = x + ORIGIN
            found = work["way"][column] & work["grid"][column] & ~state["jump"][column]
            if (found >> top) & 1 == 1:
                goal_cell = column * STRIDE + top + 1
    for trail in range(N_TRAILS):
        for column in range(N_COLUMNS):
            work["trail"][trail, column] = 0
        for seat in range(state["n_seats"]):
            if work["had_way"][seat] == 1:
                mark_from(state, rules, work, state["cell"][seat], trail)
        if goal_cell >= 0:
            mark(work, goal_cell, trail)
            mark_from(state, rules, work, goal_cell, trail)


@kernel
def mark(work, cell, trail):
    """A trail runs over this cell."""
    work["trail"][trail, cell // STRIDE] |= 1 << row_of(cell)


@kernel
def mark_from(state, rules, work, cell, trail):
    """The trail from a cell to the goal: in each row to a cell that leads down, then down."""
    while True:
        side = side_to_go(state, rules, work, cell, trail)
        end = cell
        if side != DOWN:
            end = way_down(state, rules, work, cell, side, trail != NEAREST)
        while cell != end:
            cell = land(state, rules, cell, side)
            if state["kind"][cell] == GOAL:
                return
            mark(work, cell, trail)
        cell = land(state, rules, cell, DOWN)
        if state["kind"][cell] == GOAL:
            return
        if (work["trail"][trail, cell // STRIDE] >> row_of(cell)) & 1 == 1:
            return
        mark(work, cell, trail)


@kernel
def side_to_go(state, rules, work, cell, trail):
    """Which way along the row a trail goes to its next step down; DOWN for none."""
    if trail == NEAREST and step_leads_out(state, rules, work, cell, DOWN):
        return DOWN
    first = LEFT
    if trail == FAR_RIGHT:
        first = RIGHT
    if way_down(state, rules, work, cell, first, False) >= 0:
        return first
    if step_leads_out(state, rules, work, cell, DOWN):
        return DOWN
    return LEFT + RIGHT - first


@kernel
def land(state, rules, cell, way):
    """Where a step that is known to land ends."""
    cell = neighbour(cell, way)
    if rules["jump_turn"] == 0:
        while state["kind"][cell] == J:
            cell = neighbour(cell, way)
    return cell


@kernel
def way_down(state, rules, work, cell, side, farthest):
    """Along the row: the nearest or farthest cell from which a step down leads out, or the goal.

    -1 if there is none to that side.
    """
    found = -1
    while step_leads_out(state, rules, work, cell, side):
        cell = land(state, rules, cell, side)
        if state["kind"][cell] == GOAL:
            return cell
        if step_leads_out(state, rules, work, cell, DOWN):
            found = cell
            if not farthest:
                return found
    return found


@kernel
def spares_trail(state, work, cell, up, down, trail):
    """True when a card takes no marked cell away: neither under it nor free above or below it."""
    column = cell // STRIDE
    row = row_of(cell)
    marked = work["trail"][trail, column]
    alone = marked & state["free"][column]
    if alone >> (row + 2) & 1 == 1:
        return False
    if row > 0 and alone >> (row - 1) & 1 == 1:
        return False
    if marked >> row & 1 == 1 and not is_signed(up):
        return False
    return marked >> (row + 1) & 1 == 0 or is_signed(down)


@kernel
def spares_trails(state, work, cell, up, down):
    """True when a card leaves one of the sets of trails alone."""
    for trail in range(N_TRAILS):
        if spares_trail(state, work, cell, up, down, trail):
            return True
    return False


@kernel
def takes_away(state, rules, work, top, left, right):
    """True when a figure has lost its way out, or the goal is closed, on the slope as it is now."""
    look(state, rules, work, top, left, right)
    if work["had_goal"] == 1 and not goal_is_open(state, rules, work):
        return True
    for seat in range(state["n_seats"]):
        if work["had_way"][seat] == 1:
            if not has_way_out(state, rules, work, state["cell"][seat], top):
                return True
    return False


@kernel
def without_forest(kind):
    """``forest.cause = "space"``: a forest half read as a plain blue space."""
    return P1 if kind == F else kind


@kernel
def forest_allows(state, rules, work, cell, up, down, x):
    """PG-FOREST-01, PG-FOREST-02, PG-FOREST-06: the card may lie here; expects ``look_before``."""
    if rules["forest_way_out"] == 0:
        if spares_trails(state, work, cell, up, down):
            return True
    top = highest_row(state, rules)
    left = min(state["left_end"], x) - 1
    right = max(state["right_end"], x) + 1
    if rules["forest_cause"] == 1:
        set_kind(state, cell, without_forest(up))
        set_kind(state, cell + 1, without_forest(down))
        look_before(state, rules, work, top, left, right)
    set_kind(state, cell, up)
    set_kind(state, cell + 1, down)
    lost = takes_away(state, rules, work, top, left, right)
    set_kind(state, cell, FREE)
    set_kind(state, cell + 1, FREE)
    return not lost
