"""Wax tokens: windows, what is usable, and the icons (rulebook: Race Phase, Wax Icons)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.columns import any_untaken
from simulate.games.biathlon.preparation import dice_on_board, roll_and_place
from simulate.games.biathlon.stamina import can_pay_one
from simulate.games.biathlon.state import (
    COLUMNS,
    EVENT_WAX,
    ICON_FREE,
    ICON_MINUS,
    ICON_PLUS,
    ICON_ROLL1,
    ICON_ROLLALL,
    ICON_SHOOT,
    ICON_SPRINT,
    MAX_ICONS,
    PC_ICON,
    PC_WAX,
)
from simulate.jit import kernel
from simulate.options import offer

SIDE_LEFT, SIDE_RIGHT, SIDE_PRINTED = 1, 2, 3  # 0: no token in use
DIE_STAR, DIE_SPRINT = COLUMNS, 2 * COLUMNS + 1  # codes of D-DIE


@kernel
def open_window(state, window, return_pc):
    """BI-WAX-02: window 1 … 4 of the active skier's turn; afterwards go on at ``return_pc``."""
    state["window"] = window
    state["window_return"] = return_pc
    state["pc"] = PC_WAX


@kernel
def target_left(state, rules, seat):
    """True while a target of this visit has no shot."""
    return state["shots_made"][seat] < rules["shots"]


@kernel
def icon_usable(state, rules, seat, icon):
    """BI-WAX-05: whether an icon can be used in the open window."""
    window = state["window"]
    if icon == ICON_SHOOT:
        return window == 3
    if icon == ICON_SPRINT:
        return window <= 3 and state["treatment"][seat]["no_sprint"] == 0
    if icon == ICON_PLUS:
        return window <= 2 or (window == 3 and target_left(state, rules, seat))
    if icon == ICON_MINUS:
        total = state["dice"] + state["plus"]
        return (window == 2 and total >= 1) or (window == 3 and total - 1 >= state["fired"])
    if icon == ICON_FREE:
        if window == 2 or (window == 3 and target_left(state, rules, seat)):
            return any_untaken(state, seat)
        return False
    if icon == ICON_ROLL1 or icon == ICON_ROLLALL:
        return dice_on_board(state, seat) > 0
    return window <= 3 and can_pay_one(state, seat)  # PAY


@kernel
def branch_usable(state, rules, seat, token, branch):
    """BI-WAX-03: every icon of the branch is usable now (``rules.wax_burn``: any token is)."""
    if branch >= rules["branches"][token]:
        return False
    treatment = state["treatment"][seat]
    if treatment["no_sprint"] == 1:
        for index in range(MAX_ICONS):
            if rules["icons"][token, branch, index] == ICON_SPRINT:
                return False
    if rules["wax_burn"] == 1:
        return True
    for index in range(MAX_ICONS):
        icon = rules["icons"][token, branch, index]
        if icon != 0 and not icon_usable(state, rules, seat, icon):
            return False
    return True


@kernel
def token_at(state, rules, seat, side):
    """The outermost unused token of a side; the last one is both and counts as left (BI-WAX-01)."""
    unused = rules["slots"] - state["left"][seat] - state["right"][seat]
    if unused <= 0 or (side == SIDE_RIGHT and unused == 1):
        return 0
    if side == SIDE_LEFT:
        return state["slots"][seat, state["left"][seat]]
    return state["slots"][seat, rules["slots"] - 1 - state["right"][seat]]


@kernel
def tokens_allowed(state, rules, seat):
    """BI-WAX-01: one token per own turn (``wax.per_turn``); an experiment may forbid early use."""
    if state["tokens_used"] >= rules["wax_per_turn"]:
        return False
    return state["round"] >= state["treatment"][seat]["wax_from_round"]


@kernel
def list_wax(state, rules, work, seat):
    """D-WAX: none (0), left a, b (1, 2), right a, b (3, 4), printed (5)."""
    offer(work, 0)
    if tokens_allowed(state, rules, seat):
        for side in range(SIDE_LEFT, SIDE_RIGHT + 1):
            token = token_at(state, rules, seat, side)
            if token > 0 and token != state["treatment"][seat]["token_block"]:
                for branch in range(2):
                    if branch_usable(state, rules, seat, token, branch):
                        offer(work, 2 * side - 1 + branch)
    if rules["printed_shoot"][state["nation"][seat]] == 1 and state["printed_used"] == 0:
        if state["window"] == 3:  # BI-ADV-04
            offer(work, 5)


@kernel
def resolve_wax(state, rules, events, seat, code):
    """Choose a token and flip it, or none (BI-WAX-01, BI-ADV-04)."""
    if code == 0:
        state["pc"] = state["window_return"]
        return
    state["icon_at"] = 0
    state["pc"] = PC_ICON
    if code == 5:
        state["wax_side"] = SIDE_PRINTED
        state["printed_used"] = 1
        emit(state, events, EVENT_WAX, seat, 0, 0, 0, state["window"], 0, 0)
        return
    side = (code + 1) // 2
    branch = (code - 1) % 2
    token = token_at(state, rules, seat, side)
    slot = state["left"][seat]
    if side == SIDE_RIGHT:
        slot = rules["slots"] - 1 - state["right"][seat]
        state["right"][seat] += 1
    else:
        state["left"][seat] += 1
    state["wax_side"] = side
    state["wax_token"] = token
    state["wax_branch"] = branch
    state["tokens_used"] += 1
    row = state["seat_rows"][seat]
    row["wax_used"][token - 1] += 1
    row["wax_slot_used"][slot] += 1
    row["wax_round"][token - 1] = state["round"]
    emit(state, events, EVENT_WAX, seat, slot + 1, token, branch, state["window"], side, 0)


@kernel
def next_icon(state, rules):
    """The next icon of the token in use, 0 when it is done (icons run left to right)."""
    index = state["icon_at"]
    state["icon_at"] = index + 1
    if state["wax_side"] == SIDE_PRINTED:
        return ICON_SHOOT if index == 0 else 0
    return rules["icons"][state["wax_token"], state["wax_branch"], index]


@kernel
def list_die(state, work, seat):
    """D-DIE: columns (1 … 4), star boxes (5 … 8), sprint (9) that hold a die."""
    for column in range(COLUMNS):
        if state["cols"][seat, column] > 0:
            offer(work, column + 1)
    for column in range(COLUMNS):
        if state["stars"][seat, column] > 0:
            offer(work, DIE_STAR + column + 1)
    if state["sprint"][seat] > 0:
        offer(work, DIE_SPRINT)


@kernel
def resolve_die(state, rules, work, events, seat, code):
    """BI-WAX-09: take that die off the board, roll it and place it as usual."""
    if code <= COLUMNS:
        state["cols"][seat, code - 1] -= 1
    elif code < DIE_SPRINT:
        state["stars"][seat, code - 1 - DIE_STAR] -= 1
    else:
        state["sprint"][seat] -= 1
    roll_and_place(state, rules, work, events, seat, 1, 0)


@kernel
def resolve_roll_all(state, rules, work, events, seat):
    """BI-WAX-10: take all dice off the board, roll and place them."""
    count = dice_on_board(state, seat)
    state["sprint"][seat] = 0
    for column in range(COLUMNS):
        state["cols"][seat, column] = 0
        state["stars"][seat, column] = 0
    roll_and_place(state, rules, work, events, seat, count, 0)


@kernel
def resolve_sprint_icon(state, seat):
    """BI-WAX-07: sprint, and moves equal to the dice in the sprint column, which stay."""
    state["sprinted"] = 1
    state["sprint_moves"] += state["sprint"][seat]
