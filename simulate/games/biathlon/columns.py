"""Taking columns of dice: main, additional and free ones (rulebook: Race Phase 1 and 2)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.stamina import can_pay_one
from simulate.games.biathlon.state import (
    COLUMNS,
    EVENT_FLIPBACK,
    EVENT_TAKE,
    PC_SPECIAL,
)
from simulate.jit import kernel
from simulate.options import offer

SPRINT = COLUMNS  # index of the sprint column in ``state["taken"]``
HOW_MAIN, HOW_PAID, HOW_FREE = 0, 1, 2
STAR_NONE, STAR_COUNTED, STAR_BACK, STAR_FLIP = 0, 1, 2, 3


@kernel
def list_main(state, work, seat):
    """BI-COL-01: columns that hold dice; all four if none does but a star box is held."""
    dice = 0
    stars = 0
    for column in range(COLUMNS):
        dice += state["cols"][seat, column]
        stars += state["stars"][seat, column]
    for column in range(COLUMNS):
        if state["cols"][seat, column] > 0 or (dice == 0 and stars > 0):
            offer(work, column + 1)


@kernel
def sprint_allowed(state, seat):
    """Whether an experiment lets this seat take the sprint column now (hooks)."""
    treatment = state["treatment"][seat]
    if treatment["no_sprint"] == 1:
        return False
    return treatment["sprint_when_followed"] == 0 or followed(state, seat)


@kernel
def followed(state, seat):
    """True when a racing skier stands on the space straight behind (BI-DRAFT-02)."""
    row = state["row"][seat] - 1
    if row < 1 or state["penalty"][seat] > 0:
        return False
    for other in range(state["n_seats"]):
        if other != seat and state["status"][other] == 0 and state["row"][other] == row:
            if state["lane"][other] == state["lane"][seat] and state["penalty"][other] == 0:
                return True
    return False


@kernel
def offer_untaken(state, work, seat, empty_sprint):
    """Non-empty columns 1 … 4 not yet taken this turn, then sprint as 5 (BI-COL-03)."""
    for column in range(COLUMNS):
        if state["cols"][seat, column] > 0 and state["taken"][column] == 0:
            offer(work, column + 1)
    if state["taken"][SPRINT] == 0 and (state["sprint"][seat] > 0 or empty_sprint):
        if sprint_allowed(state, seat):
            offer(work, SPRINT + 1)


@kernel
def any_untaken(state, seat):
    """True when FREE would find a column (BI-WAX-05)."""
    for column in range(COLUMNS):
        if state["cols"][seat, column] > 0 and state["taken"][column] == 0:
            return True
    if state["taken"][SPRINT] == 0 and state["sprint"][seat] > 0:
        return sprint_allowed(state, seat)
    return False


@kernel
def list_extra(state, rules, work, seat):
    """BI-COL-03: stop, then what one stamina may buy; nothing when it cannot be paid."""
    if not can_pay_one(state, seat):
        return
    offer(work, 0)
    offer_untaken(state, work, seat, rules["empty_extra"] == 1)
    last = work["options"][work["n_options"] - 1]
    if state["treatment"][seat]["sprint_always"] == 1 and state["shooting"] == 0:
        if last == SPRINT + 1:  # hook: sprint whenever it can be bought
            work["options"][0] = last
            work["n_options"] = 1


@kernel
def is_full(state, rules, seat, column):
    """BI-COL-02, BI-ADV-02: enough dice for the star die to count."""
    return state["cols"][seat, column] >= rules["full_at"][state["nation"][seat], column]


@kernel
def resolve_take(state, rules, events, seat, column, how, return_pc):
    """Take a column (0 … 3) or sprint (4): its dice count; the star die counts if it was full.

    BI-COL-02, BI-SPR-01, BI-ADV-03. A special box with a used token to turn back asks first.
    """
    state["taken"][column] = 1
    state["pc"] = return_pc
    row = state["seat_rows"][seat]
    if how == HOW_PAID:
        row["extra_paid"] += 1
    if how == HOW_FREE:
        row["extra_free"] += 1
    if column == SPRINT:
        dice = state["sprint"][seat]
        state["dice"] += dice
        state["sprint"][seat] = 0
        state["sprinted"] = 1
        row["sprint_taken"] += 1
        emit(state, events, EVENT_TAKE, seat, column + 1, dice, STAR_NONE, how, 0, 0)
        return
    full = is_full(state, rules, seat, column)
    dice = state["cols"][seat, column]
    star = state["stars"][seat, column]
    state["dice"] += dice
    state["cols"][seat, column] = 0
    if full:
        row["full_taken"] += 1
    counted = dice + (star if full else 0)
    if how == HOW_MAIN:
        row["main_taken"][min(counted, 5)] += 1
    if star == 0:
        emit(state, events, EVENT_TAKE, seat, column + 1, dice, STAR_NONE, how, 0, 0)
    elif not full:
        state["stars"][seat, column] = 0
        row["six_lost"] += star
        emit(state, events, EVENT_TAKE, seat, column + 1, dice, STAR_BACK, how, 0, 0)
    elif rules["special_column"][state["nation"][seat]] == column:
        state["special_column"] = column
        state["special_dice"] = dice
        state["special_star"] = star
        state["stars"][seat, column] = 0
        state["special_how"] = how
        state["take_return"] = return_pc
        state["pc"] = PC_SPECIAL
    else:
        state["stars"][seat, column] = 0
        resolve_star(state, events, seat, column, dice, star, how)


@kernel
def resolve_star(state, events, seat, column, dice, star, how):
    """BI-COL-02: the star die of a full column counts."""
    state["dice"] += star
    state["seat_rows"][seat]["six_counted"] += star
    emit(state, events, EVENT_TAKE, seat, column + 1, dice, STAR_COUNTED, how, 0, 0)


@kernel
def list_special(state, work, seat):
    """BI-ADV-03: count the 6, or turn back the innermost used token of a side.

    The side of the token whose own effect takes the column is not offered.
    """
    offer(work, 0)
    if state["left"][seat] > 0 and state["wax_side"] != 1:
        offer(work, 1)
    if state["right"][seat] > 0 and state["wax_side"] != 2:
        offer(work, 2)


@kernel
def resolve_special(state, rules, events, seat, code):
    """BI-ADV-03: include the star die (0), or flip back on the left (1) or right (2)."""
    column = state["special_column"]
    how = state["special_how"]
    state["pc"] = state["take_return"]
    if code == 0:
        star = state["special_star"]
        resolve_star(state, events, seat, column, state["special_dice"], star, how)
        return
    row = state["seat_rows"][seat]
    row["six_lost"] += state["special_star"]
    row["wax_flipped_back"] += 1
    emit(state, events, EVENT_TAKE, seat, column + 1, state["special_dice"], STAR_FLIP, how, 0, 0)
    if code == 1:
        state["left"][seat] -= 1
        emit(state, events, EVENT_FLIPBACK, seat, state["left"][seat] + 1, 0, 0, 0, 0, 0)
    else:
        state["right"][seat] -= 1
        slot = rules["slots"] - state["right"][seat]
        emit(state, events, EVENT_FLIPBACK, seat, slot, 0, 0, 0, 0, 0)
