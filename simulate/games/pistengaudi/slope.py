"""The slope as cells: where what lies, what may border it, how far it reaches (rulebook: Setup)."""

from __future__ import annotations

from simulate.games.pistengaudi.state import (
    FREE,
    GOAL,
    LAST_SIGNED,
    MASK_ROWS,
    ORIGIN,
    START,
    START_CELL,
    STRIDE,
    WALL,
    F,
    J,
)
from simulate.jit import kernel


@kernel
def column_of(cell):
    """X of a cell."""
    return cell // STRIDE - ORIGIN


@kernel
def row_of(cell):
    """Y of a cell."""
    return cell % STRIDE - 1


@kernel
def cell_at(x, y):
    """The cell of column x and row y."""
    return (x + ORIGIN) * STRIDE + y + 1


@kernel
def lay_out(state, rules):
    """PG-SETUP-01, PG-SETUP-05: lift, slope cards and goal on a blank table."""
    kind = state["kind"]
    wide = rules["half_width"]
    last = rules["last_row"]
    for x in range(-wide, wide + 1):
        first = cell_at(x, 0)
        for cell in range(first, first + last + 1):
            kind[cell] = FREE
        state["free"][x + ORIGIN] = (1 << min(last + 1, MASK_ROWS)) - 1
    for y in range(1, rules["height"] + 1):
        if rules["wall"][y] == 1:
            set_kind(state, START_CELL + y, WALL)
    set_kind(state, START_CELL, START)
    set_kind(state, START_CELL + rules["height"] + 1, GOAL)
    set_kind(state, START_CELL + rules["height"] + 2, GOAL)
    state["play"][ORIGIN] = 1
    state["open"][ORIGIN] = rules["lift_reenter"]


@kernel
def set_kind(state, cell, kind):
    """What a cell holds from now on, in the grid and in the masks of its column."""
    state["kind"][cell] = kind
    row = row_of(cell)
    if row >= MASK_ROWS:
        return
    bit = 1 << row
    column = cell // STRIDE
    state["free"][column] &= ~bit
    state["open"][column] &= ~bit
    state["jump"][column] &= ~bit
    if kind == FREE:
        state["free"][column] |= bit
    elif kind == J:
        state["jump"][column] |= bit
    elif is_signed(kind):
        state["open"][column] |= bit


@kernel
def is_in_play(rules, kind):
    """PG-PLACE-03: the start cell and any space of a piste card; perhaps (switch) not forest."""
    if kind == F:
        return rules["placement_anchor"] == 0
    return kind > FREE and kind <= START


@kernel
def count_in(state, rules, cell):
    """A space of a card comes into play."""
    if row_of(cell) < MASK_ROWS and is_in_play(rules, state["kind"][cell]):
        state["play"][cell // STRIDE] |= 1 << row_of(cell)


@kernel
def lay_card(state, rules, card, cell, turned):
    """Put a card on a cell and the one below."""
    up = state["second"][card] if turned == 1 else state["first"][card]
    down = state["first"][card] if turned == 1 else state["second"][card]
    state["card_cell"][card] = cell
    state["turned"][card] = turned
    state["n_slope"] += 1
    set_kind(state, cell, up)
    set_kind(state, cell + 1, down)
    state["card"][cell] = card
    state["card"][cell + 1] = card
    count_in(state, rules, cell)
    count_in(state, rules, cell + 1)
    if row_of(cell) < MASK_ROWS:
        state["tops"][cell // STRIDE] |= 1 << row_of(cell)
    x = column_of(cell)
    state["left_end"] = min(state["left_end"], x)
    state["right_end"] = max(state["right_end"], x)
    state["bottom"] = max(state["bottom"], row_of(cell) + 1)


@kernel
def lift_card(state, card):
    """PG-EMPTY-04: take a card off the slope; its cells become free."""
    cell = state["card_cell"][card]
    for half in range(cell, cell + 2):
        set_kind(state, half, FREE)
        state["ridden"][half] = 0
        if row_of(half) < MASK_ROWS:
            state["play"][half // STRIDE] &= ~(1 << row_of(half))
    if row_of(cell) < MASK_ROWS:
        state["tops"][cell // STRIDE] &= ~(1 << row_of(cell))
    state["card_cell"][card] = -1
    state["card_ridden"][card] = 0
    state["n_slope"] -= 1
    measure(state)


@kernel
def measure(state):
    """How far the slope reaches: columns and rows of the cards, the start cell included."""
    left = 0
    right = 0
    bottom = 0
    for card in range(state["n_cards"]):
        cell = state["card_cell"][card]
        if cell >= 0:
            x = column_of(cell)
            left = min(left, x)
            right = max(right, x)
            bottom = max(bottom, row_of(cell) + 1)
    state["left_end"] = left
    state["right_end"] = right
    state["bottom"] = bottom


@kernel
def is_signed(kind):
    """A piste space with a sign: plain, hut, groomer, snowball (spec 2.3)."""
    return kind > FREE and kind <= LAST_SIGNED


@kernel
def sign_of(kind):
    """1 blue, 2 red, 3 black; 0 for the lift."""
    if kind > LAST_SIGNED:
        return 0
    return (kind - 1) % 3 + 1


@kernel
def figure_row(state, rules, seat):
    """Row of a figure; in the goal that of the goal's upper half (spec 2.2)."""
    if state["area"][seat] > 0:
        return rules["height"] + 1
    return row_of(state["cell"][seat])


@kernel
def highest_row(state, rules):
    """R: the smallest row over all figures (PG-PLACE-05)."""
    best = figure_row(state, rules, 0)
    for seat in range(1, state["n_seats"]):
        best = min(best, figure_row(state, rules, seat))
    return best


@kernel
def progress(state, rules, seat):
    """min(row, H), or H + area in the goal (spec 8.1)."""
    height = rules["height"]
    if state["area"][seat] > 0:
        return height + state["area"][seat]
    return min(row_of(state["cell"][seat]), height)
