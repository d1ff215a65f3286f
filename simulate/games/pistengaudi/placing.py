"""Placing a card: where it may lie (rulebook: Draw and Place a Card)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.forest import forest_allows, look_before, mark_trails
from simulate.games.pistengaudi.slope import cell_at, highest_row, is_in_play, lay_card
from simulate.games.pistengaudi.state import (
    DOWN,
    EVENT_PLACE,
    FREE,
    LEFT,
    MASK_ROWS,
    MAX_HAND,
    ORIGIN,
    RIGHT,
    START_CELL,
    STRIDE,
    F,
)
from simulate.games.pistengaudi.tracking import note_placed
from simulate.jit import kernel
from simulate.options import offer

DEEP_ROW = MASK_ROWS - 2  # upper cells from here on may have a neighbour that no mask holds
SHALLOW = (1 << DEEP_ROW) - 1
NOTHING, TEST, ANOTHER = range(
    3
)  # of a card of the hand: lay it, test it first, its twin is offered


@kernel
def same_type(state, one, other):
    """Two cards with the same two halves (PG-D-PLACE counts them once)."""
    a = state["first"][one]
    b = state["second"][one]
    c = state["first"][other]
    d = state["second"][other]
    return (a == c and b == d) or (a == d and b == c)


@kernel
def is_repeated(state, place):
    """True when an earlier card of the hand is of the same type."""
    for earlier in range(place):
        if same_type(state, state["hand"][earlier], state["hand"][place]):
            return True
    return False


@kernel
def has_forest(state, card):
    """A card with a forest half (PG-PLACE-08)."""
    return state["first"][card] == F or state["second"][card] == F


@kernel
def touches_arrow(rules, cell):
    """PG-PLACE-04: the card with this upper cell has one of its cells on an arrow cell of the lift.

    That is the upper one: the cell above an arrow is the lift's or beyond the table.
    """
    if cell == START_CELL + 1:
        return rules["exits"][DOWN] == 1
    if cell == START_CELL - STRIDE:
        return rules["exits"][LEFT] == 1
    return cell == START_CELL + STRIDE and rules["exits"][RIGHT] == 1


@kernel
def look_at_hand(state, rules, work):
    """What each card of the hand needs; True if the forest rule tests any of them (PG-FOREST-01)."""
    tested = False
    for place in range(state["n_hand"]):
        work["needs"][place] = NOTHING
        if is_repeated(state, place):
            work["needs"][place] = ANOTHER
        elif rules["forest_scope"] == 1 or has_forest(state, state["hand"][place]):
            work["needs"][place] = TEST
            tested = True
    return tested


@kernel
def list_placements(state, rules, work):
    """PG-D-PLACE: cells from left to right and down, cards of the hand, ways up.

    PG-PLACE-01 to PG-PLACE-08: both cells free, one of them at a space in play, none above R, the
    forest rule kept. What the forest rule strikes out is counted in ``work["vetoed"]``.
    """
    work["vetoed"] = 0
    top = highest_row(state, rules)
    if look_at_hand(state, rules, work):
        look_before(state, rules, work, top, state["left_end"] - 1, state["right_end"] + 1)
        if rules["forest_way_out"] == 0:
            mark_trails(state, rules, work, top)
    left = max(state["left_end"] - 1, -rules["half_width"])
    right = min(state["right_end"] + 1, rules["half_width"])
    for x in range(left, right + 1):
        column = x + ORIGIN
        found = places_in(state, column) >> top if top < DEEP_ROW else 0
        cell = cell_at(x, top)
        while found != 0:
            if found & 1 == 1:
                if state["first_done"] == 1 or touches_arrow(rules, cell):
                    offer_hand(state, rules, work, cell, x)
            found >>= 1
            cell += 1
        if state["bottom"] >= DEEP_ROW - 1:
            offer_deep(state, rules, work, x, top)


@kernel
def places_in(state, column):
    """PG-PLACE-02, PG-PLACE-03: upper cells of a column where a card fits and borders the course."""
    play = state["play"]
    here = play[column]
    borders = play[column - 1] | play[column + 1] | (here << 1) | (here >> 1)
    free = state["free"][column]
    return free & (free >> 1) & (borders | (borders >> 1)) & SHALLOW


@kernel
def offer_deep(state, rules, work, x, top):
    """The same below the rows that masks hold: only on a table without a lower limit."""
    kind = state["kind"]
    first = cell_at(x, max(top, DEEP_ROW))
    last = cell_at(x, min(rules["last_row"] - 1, state["bottom"] + 1))
    for cell in range(first, last + 1):
        if kind[cell] == FREE and kind[cell + 1] == FREE:
            if borders_course(state, rules, cell) or borders_course(state, rules, cell + 1):
                offer_hand(state, rules, work, cell, x)


@kernel
def borders_course(state, rules, cell):
    """A cell shares an edge with a space in play (PG-PLACE-03)."""
    kind = state["kind"]
    if is_in_play(rules, kind[cell - 1]) or is_in_play(rules, kind[cell + 1]):
        return True
    return is_in_play(rules, kind[cell - STRIDE]) or is_in_play(rules, kind[cell + STRIDE])


@kernel
def offer_hand(state, rules, work, cell, x):
    """Every card of the hand at a place, equal types once."""
    for place in range(state["n_hand"]):
        if work["needs"][place] != ANOTHER:
            offer_card(state, rules, work, cell, place, x)


@kernel
def offer_card(state, rules, work, cell, place, x):
    """A card of the hand at a place that it fits in, both ways up unless the halves are alike."""
    card = state["hand"][place]
    first = state["first"][card]
    second = state["second"][card]
    tested = work["needs"][place] == TEST
    code = (cell * MAX_HAND + place) * 2
    if not tested or forest_allows(state, rules, work, cell, first, second, x):
        offer(work, code)
    else:
        work["vetoed"] += 1
    if first != second:
        if not tested or forest_allows(state, rules, work, cell, second, first, x):
            offer(work, code + 1)
        else:
            work["vetoed"] += 1


@kernel
def placed_cell(code):
    """Upper cell of a placement."""
    return code // (2 * MAX_HAND)


@kernel
def place_in_hand(code):
    """Where in the hand the card of a placement is."""
    return code // 2 % MAX_HAND


@kernel
def placed_card(state, code):
    """Which card of the hand a placement lays."""
    return state["hand"][place_in_hand(code)]


@kernel
def resolve_place(state, rules, events, code):
    """PG-DRAW-02: the card leaves the hand for the slope."""
    card = placed_card(state, code)
    cell = placed_cell(code)
    seat = state["seat"]
    state["n_hand"] -= 1
    for later in range(place_in_hand(code), state["n_hand"]):
        state["hand"][later] = state["hand"][later + 1]
    top = highest_row(state, rules)
    lay_card(state, rules, card, cell, code % 2)
    state["first_done"] = 1
    state["placed_by"][card] = seat
    state["lifted_cell"] = -1
    note_placed(state, seat, card)
    emit(
        state, events, EVENT_PLACE, seat, cell, state["kind"][cell], state["kind"][cell + 1], top,
        state["vetoed"], 0,
    )  # fmt: skip
