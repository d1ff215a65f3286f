"""The stack is empty: forgo, or take the uppermost card (rulebook: No Piste Cards)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.forest import step_leads_out, sweep
from simulate.games.pistengaudi.slope import lay_card, lift_card, row_of
from simulate.games.pistengaudi.state import (
    EVENT_EMPTY,
    EVENT_FORGO,
    EVENT_RETURN,
    EVENT_TAKE,
    MASK_ROWS,
    N_CELLS,
    ORIGIN,
    PC_CARDS_END,
    PC_PLACE,
    STRIDE,
)
from simulate.jit import kernel
from simulate.options import offer


@kernel
def is_occupied(state, cell):
    """A figure stands on the card whose upper cell this is; a card so far down borders no goal."""
    for seat in range(state["n_seats"]):
        if state["cell"][seat] == cell or state["cell"][seat] == cell + 1:
            return True
    return False


@kernel
def mark_occupied(state, work):
    """Upper cells of cards with a figure on either half, by column, into ``work["fly"]``."""
    for seat in range(state["n_seats"]):
        card = state["card"][state["cell"][seat]]
        if state["area"][seat] == 0 and card >= 0:
            cell = state["card_cell"][card]
            if row_of(cell) < MASK_ROWS:
                work["fly"][cell // STRIDE] |= 1 << row_of(cell)


@kernel
def list_takeable(state, rules, work):
    """PG-EMPTY-03: the uppermost cards without a figure, from left to right.

    With ``empty.occupied = "block"`` the uppermost row counts, occupied or not. Returns how many.
    """
    first = state["left_end"] + ORIGIN
    last = state["right_end"] + ORIGIN
    for column in range(first, last + 1):
        work["fly"][column] = 0
    mark_occupied(state, work)
    highest = 0
    for column in range(first, last + 1):
        tops = state["tops"][column]
        if rules["empty_occupied"] == 0:
            tops &= ~work["fly"][column]
        lowest_bit = tops & -tops
        if lowest_bit != 0 and (highest == 0 or lowest_bit < highest):
            highest = lowest_bit
    if highest == 0:
        return list_deep(state, rules, work)
    row = 0
    while highest >> (row + 1) != 0:
        row += 1
    count = 0
    for column in range(first, last + 1):
        if state["tops"][column] & ~work["fly"][column] & highest != 0:
            offer(work, 1 + column * STRIDE + row + 1)
            count += 1
    return count


@kernel
def list_deep(state, rules, work):
    """The same below the rows that masks hold: only on a table without a lower limit."""
    highest = -1
    for card in range(state["n_cards"]):
        cell = state["card_cell"][card]
        if cell >= 0 and row_of(cell) >= MASK_ROWS:
            if rules["empty_occupied"] == 1 or not is_occupied(state, cell):
                if highest < 0 or row_of(cell) < highest:
                    highest = row_of(cell)
    count = 0
    for cell in range(highest + 1, N_CELLS, STRIDE):
        card = state["card"][cell]
        if card >= 0 and state["card_cell"][card] == cell:
            if not is_occupied(state, cell):
                offer(work, 1 + cell)
                count += 1
    return count


@kernel
def route_is_ready(state, rules, work, seat):
    """PG-EMPTY-02: steps on the slope as it is lead to the goal, whatever signs say."""
    if state["area"][seat] > 0:
        return True
    cell = state["cell"][seat]
    top = row_of(cell)
    sweep(state, rules, work, top, state["left_end"], state["right_end"], 0)
    for way in range(3):
        if step_leads_out(state, rules, work, cell, way):
            return True
    return False


@kernel
def list_empty(state, rules, work, seat):
    """PG-D-EMPTY: forgo if that is allowed, and every takeable card from left to right."""
    treatment = state["treatment"][seat]
    may_forgo = rules["empty_forgo"] == 1 or route_is_ready(state, rules, work, seat)
    offer(work, 0)
    count = list_takeable(state, rules, work)
    if count == 0:
        return
    if not may_forgo or treatment["no_forgo"] == 1:
        for index in range(count):
            work["options"][index] = work["options"][index + 1]
        work["n_options"] = count
    elif treatment["no_take"] == 1:
        work["n_options"] = 1


@kernel
def meet_empty(state, events):
    """PG-EMPTY-01: an open slot meets an empty stack."""
    row = state["game_rows"][0]
    if row["stack_empty_turn"] < 0:
        row["stack_empty_turn"] = state["turn"]
    emit(state, events, EVENT_EMPTY, state["seat"], 0, 0, 0, 0, 0, 0)


@kernel
def resolve_empty(state, events, code):
    """Forgo the rest of the card action (PG-EMPTY-07), or lift a card (PG-EMPTY-04)."""
    seat = state["seat"]
    game = state["game_rows"][0]
    own = state["seat_rows"][seat]
    if code == 0:
        game["forgone"] += 1
        own["forgone"] += 1
        emit(state, events, EVENT_FORGO, seat, 0, 0, 0, 0, 0, 0)
        state["pc"] = PC_CARDS_END
        return
    cell = code - 1
    card = state["card"][cell]
    game["cards_taken"] += 1
    own["taken"] += 1
    emit(
        state, events, EVENT_TAKE, seat, cell, state["kind"][cell], state["kind"][cell + 1], 0, 0,
        0,
    )  # fmt: skip
    state["lifted_cell"] = cell
    state["lifted_turned"] = state["turned"][card]
    lift_card(state, card)
    state["hand"][0] = card
    state["n_hand"] = 1
    state["slots"] -= 1
    state["pc"] = PC_PLACE


@kernel
def put_back(state, rules, events):
    """PG-EMPTY-06: the lifted card has no legal place and returns to its old one."""
    cell = state["lifted_cell"]
    card = state["hand"][0]
    state["n_hand"] = 0
    lay_card(state, rules, card, cell, state["lifted_turned"])
    state["lifted_cell"] = -1
    state["game_rows"][0]["cards_returned"] += 1
    emit(
        state, events, EVENT_RETURN, state["seat"], cell, state["kind"][cell],
        state["kind"][cell + 1], 0, 0, 0,
    )  # fmt: skip
