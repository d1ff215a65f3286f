"""What happens if: outcomes and turns to the goal, kept for the slope and for a card tried on it.

``refresh`` compares the slope with the one that the rows belong to and drops the rows that have
looked at a changed cell. ``try_card`` lays a card on the slope, ``untry_card`` takes it away and
leaves the state as it was. In between ``row_of_moves`` and ``turns_ahead`` answer for the slope with
the card: from the kept row where the card touches nothing that the row has looked at, else anew.
"""

from __future__ import annotations

from simulate.games.pistengaudi.forecast import HORIZON, turns_from
from simulate.games.pistengaudi.movement import find_outcomes, outcome_of, steps_of
from simulate.games.pistengaudi.slope import cell_at, is_signed, row_of, set_kind
from simulate.games.pistengaudi.state import (
    FREE,
    H1,
    H3,
    MAX_SPACES,
    N_CELLS,
    OUTCOME_FALL,
    OUTCOME_GOAL,
    START,
    STRIDE,
    J,
)
from simulate.games.pistengaudi.steps import neighbour
from simulate.jit import kernel
from strategies.pistengaudi.plan_state import (
    AS_IT_LIES,
    FIRST_SLOT,
    MAX_SLOTS,
    NO_SLOT,
    SLOT_DOWN,
    SLOT_UP,
    TRACE_COLUMNS,
    TRACE_ROWS,
    TRACE_WORDS,
)

BY_STEPS, BY_TURNS = 0, 1  # two searches, one inside the other


# ---------------------------------------------------------------- the slope that is known
@kernel
def forget(plan):
    """Nothing that is known belongs to the game at hand."""
    drop_slots(plan)
    for x in range(plan["left"] - 1, plan["right"] + 2):
        first = cell_at(x, 0)
        for cell in range(first, first + plan["bottom"] + 1):
            plan["kind"][cell] = FREE
    plan["left"] = 0
    plan["right"] = 0
    plan["bottom"] = 0
    plan["swept_mark"] = -1


@kernel
def drop_slots(plan):
    """No space has a slot."""
    for slot in range(FIRST_SLOT, plan["n_slots"]):
        plan["slot"][plan["slot_cell"][slot]] = NO_SLOT
    plan["n_slots"] = FIRST_SLOT


@kernel
def new_stamp(plan):
    """A number that no row bears; those of rows of the slope as it lies are AS_IT_LIES."""
    plan["count"] = max(plan["count"], AS_IT_LIES) + 1
    return plan["count"]


@kernel
def refresh(state, rules, plan):
    """Take up the slope as it lies; rows that have looked at a changed cell are dropped."""
    plan["look"] = new_stamp(plan)
    plan["swept_mark"] = -1
    plan["left"] = min(plan["left"], state["left_end"])
    plan["right"] = max(plan["right"], state["right_end"])
    plan["bottom"] = max(plan["bottom"], state["bottom"], rules["height"] + 2)
    if plan["n_slots"] + MAX_SPACES + 1 > MAX_SLOTS:
        drop_slots(plan)
    for word in range(TRACE_WORDS):
        plan["touch"][word] = 0
    changed = 0
    for x in range(plan["left"] - 1, plan["right"] + 2):
        first = cell_at(x, 0)
        for cell in range(first, first + plan["bottom"] + 1):
            if plan["kind"][cell] != state["kind"][cell]:
                plan["kind"][cell] = state["kind"][cell]
                plan["touch"][trace_word(cell)] |= trace_bit(cell)
                changed += 1
    if changed > 0:
        drop_changed(plan)


@kernel
def drop_changed(plan):
    """Rows that have looked at a cell that is touched are no longer valid."""
    for slot in range(FIRST_SLOT, plan["n_slots"]):
        if is_touched(plan, plan["trace"][slot]):
            plan["stamp"][slot] = 0
        if is_touched(plan, plan["eta_trace"][slot]):
            plan["eta_stamp"][slot] = 0


# ---------------------------------------------------------------- traces
@kernel
def trace_word(cell):
    """Which word of a trace a cell stands in."""
    return cell // STRIDE // TRACE_COLUMNS % TRACE_WORDS


@kernel
def trace_bit(cell):
    """The bit of a cell in its word."""
    return 1 << (cell // STRIDE % TRACE_COLUMNS * TRACE_ROWS + row_of(cell) % TRACE_ROWS)


@kernel
def is_touched(plan, trace):
    """A trace runs over a cell that is touched."""
    met = 0
    for word in range(TRACE_WORDS):
        met |= trace[word] & plan["touch"][word]
    return met != 0


@kernel
def look_around(state, rules, plan, row, cell):
    """The trace of a move: every cell that its search may look at.

    Spaces reached in so many steps, whatever the sideways ban says, and all cells one step on.
    Ski jumps that may turn lead anywhere, so there steps are not counted.
    """
    trace = plan["trace"][row]
    for word in range(TRACE_WORDS):
        trace[word] = 0
    trace[trace_word(cell)] |= trace_bit(cell)
    turning = rules["jump_turn"] == 1
    steps = MAX_SPACES if turning else steps_of(state, rules, cell)
    mark = new_stamp(plan)
    count = note_reached(plan, BY_STEPS, mark, cell, 0, 0)
    at = 0
    while at < count:
        here = plan["reach_cell"][BY_STEPS, at]
        spent = plan["reach_spent"][BY_STEPS, at] + 1
        at += 1
        if spent > steps:
            continue
        for way in range(3):
            to = neighbour(here, way)
            trace[trace_word(to)] |= trace_bit(to)
            kind = state["kind"][to]
            while kind == J and not turning:
                to = neighbour(to, way)
                trace[trace_word(to)] |= trace_bit(to)
                kind = state["kind"][to]
            goes_on = kind == START or kind == J or (is_signed(kind) and not is_hut(kind))
            if goes_on and plan["reach_stamp"][BY_STEPS, to] != mark:
                count = note_reached(plan, BY_STEPS, mark, to, spent, count)


@kernel
def is_hut(kind):
    """A space where every move ends."""
    return kind >= H1 and kind <= H3


@kernel
def note_reached(plan, by, mark, cell, spent, count):
    """Note a place and what was spent to it, if it is new or reached for less; returns how many.

    by: BY_STEPS within a move, BY_TURNS from move to move.
    """
    if plan["reach_stamp"][by, cell] == mark:
        index = plan["reach_index"][by, cell]
        plan["reach_spent"][by, index] = min(plan["reach_spent"][by, index], spent)
        return count
    plan["reach_stamp"][by, cell] = mark
    plan["reach_index"][by, cell] = count
    plan["reach_cell"][by, count] = cell
    plan["reach_spent"][by, count] = spent
    return count + 1


# ---------------------------------------------------------------- a card is tried
@kernel
def try_card(state, plan, cell, up, down):
    """Lay a card on two free cells; ``untry_card`` must follow before another is tried."""
    plan["gentle"] = 1 if is_gentle(state, cell, up, down) else 0
    set_kind(state, cell, up)
    set_kind(state, cell + 1, down)
    plan["trying"] = 1
    plan["tried"] = cell
    plan["mark"] = new_stamp(plan)
    plan["tried_slot"][0] = plan["slot"][cell]
    plan["tried_slot"][1] = plan["slot"][cell + 1]
    plan["slot"][cell] = SLOT_UP
    plan["slot"][cell + 1] = SLOT_DOWN
    for word in range(TRACE_WORDS):
        plan["touch"][word] = 0
    plan["touch"][trace_word(cell)] |= trace_bit(cell)
    plan["touch"][trace_word(cell + 1)] |= trace_bit(cell + 1)


@kernel
def untry_card(state, plan):
    """Take the tried card away: the state is as it was."""
    cell = plan["tried"]
    set_kind(state, cell, FREE)
    set_kind(state, cell + 1, FREE)
    plan["slot"][cell] = plan["tried_slot"][0]
    plan["slot"][cell + 1] = plan["tried_slot"][1]
    plan["trying"] = 0
    plan["tried"] = -1


@kernel
def new_holes(state, cell):
    """Free cells above and below a card at ``cell`` that no card can fill any more (PG-PLACE-07)."""
    kind = state["kind"]
    holes = 0
    if kind[cell - 1] == FREE and kind[cell - 2] != FREE:
        holes += 1
    if kind[cell + 2] == FREE and kind[cell + 3] != FREE:
        holes += 1
    return holes


@kernel
def is_gentle(state, cell, up, down):
    """A card that can take nobody's way out, wherever the highest row is (PG-FOREST-03).

    Both halves can be ridden, and no free cell beside it loses the cell that it could be built with.
    """
    if not is_signed(up) or not is_signed(down) or state["kind"][cell - 1] == FREE:
        return False
    return state["kind"][cell + 2] != FREE or state["kind"][cell + 3] == FREE


# ---------------------------------------------------------------- moves
@kernel
def slot_of(plan, cell):
    """The slot of a space; a new one if it has none."""
    slot = plan["slot"][cell]
    if slot == NO_SLOT:
        slot = plan["n_slots"]
        plan["n_slots"] = slot + 1
        plan["slot"][cell] = slot
        plan["slot_cell"][slot] = cell
        plan["stamp"][slot] = 0
        plan["eta_stamp"][slot] = 0
        plan["place_stamp"][slot] = 0
        plan["way_stamp"][slot] = 0
    return slot


@kernel
def row_of_moves(state, rules, work, plan, cell):
    """The row with all outcomes of a figure that stands upright on a cell (PG-MOVE-07)."""
    row = slot_of(plan, cell)
    stamp = AS_IT_LIES
    if plan["trying"] == 1:
        known = row >= FIRST_SLOT and plan["stamp"][row] == AS_IT_LIES
        if not known or is_touched(plan, plan["trace"][row]):
            row += MAX_SLOTS
            stamp = plan["mark"]
    plan["moves_asked"] += 1
    if plan["stamp"][row] == stamp:
        plan["moves_known"] += 1
        return row
    plan["stamp"][row] = stamp
    look_around(state, rules, plan, row, cell)
    find_outcomes(state, rules, work, cell)
    full = 0
    for index in range(work["n_outcomes"]):
        code = work["out_code"][index]
        plan["out"][row, index] = code
        if outcome_of(code) != OUTCOME_FALL:
            full += 1
    plan["n_out"][row] = work["n_outcomes"]
    plan["n_full"][row] = full
    return row


# ---------------------------------------------------------------- turns to the goal
@kernel
def row_of_turns(plan, cell):
    """The row for what is foreseen from a cell: the kept one if it holds, else that of the try."""
    row = slot_of(plan, cell)
    if plan["trying"] == 1:
        known = row >= FIRST_SLOT and plan["eta_stamp"][row] == AS_IT_LIES
        if not known or is_touched(plan, plan["eta_trace"][row]):
            row += MAX_SLOTS
    return row


@kernel
def turns_ahead(state, rules, work, plan, cell):
    """ETA of a figure upright on a cell (spec section 10), equal to ``forecast.foresee``."""
    row = row_of_turns(plan, cell)
    stamp = AS_IT_LIES if row < MAX_SLOTS else plan["mark"]
    plan["etas_asked"] += 1
    if plan["eta_stamp"][row] == stamp:
        plan["etas_known"] += 1
        return plan["eta"][row]
    spread(state, rules, work, plan, row, cell)
    plan["eta_stamp"][row] = stamp
    return plan["eta"][row]


@kernel
def spread(state, rules, work, plan, row, cell):
    """Breadth-first over outcomes for HORIZON turns; leaves the ETA and its trace in the row."""
    for word in range(TRACE_WORDS):
        plan["eta_trace"][row, word] = 0
    best = turns_from(rules, cell)
    mark = new_stamp(plan)
    count = note_reached(plan, BY_TURNS, mark, cell, 0, 0)
    for turns in range(HORIZON):
        for at in range(count):
            if plan["reach_spent"][BY_TURNS, at] != turns:
                continue
            moves = row_of_moves(state, rules, work, plan, plan["reach_cell"][BY_TURNS, at])
            for word in range(TRACE_WORDS):
                plan["eta_trace"][row, word] |= plan["trace"][moves, word]
            for index in range(plan["n_out"][moves]):
                code = plan["out"][moves, index]
                spent = turns + 1
                if outcome_of(code) == OUTCOME_GOAL:
                    best = min(best, 1.0 * spent)
                    continue
                if outcome_of(code) == OUTCOME_FALL:
                    spent += 1
                to = code % N_CELLS
                best = min(best, spent + turns_from(rules, to))
                if spent < HORIZON:
                    count = note_reached(plan, BY_TURNS, mark, to, spent, count)
    plan["eta"][row] = best


@kernel
def lands_within(state, rules, work, plan, cell, turns, upper):
    """Whether a figure on a cell can land on one of a card's two cells within so many turns.

    A fall takes a turn more to get up from; the landing itself counts.
    """
    row = slot_of(plan, cell)
    if row >= FIRST_SLOT and plan["eta_stamp"][row] == AS_IT_LIES:
        if turns <= HORIZON and not is_touched(plan, plan["eta_trace"][row]):
            return False
    mark = new_stamp(plan)
    count = note_reached(plan, BY_TURNS, mark, cell, 0, 0)
    for used in range(turns):
        for at in range(count):
            if plan["reach_spent"][BY_TURNS, at] != used:
                continue
            moves = row_of_moves(state, rules, work, plan, plan["reach_cell"][BY_TURNS, at])
            for index in range(plan["n_out"][moves]):
                code = plan["out"][moves, index]
                outcome = outcome_of(code)
                to = code % N_CELLS
                if outcome == OUTCOME_GOAL:
                    continue
                if to == upper or to == upper + 1:
                    return True
                spent = used + 1
                if outcome == OUTCOME_FALL:
                    spent += 1
                if spent < turns:
                    count = note_reached(plan, BY_TURNS, mark, to, spent, count)
    return False
