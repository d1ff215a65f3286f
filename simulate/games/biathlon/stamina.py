"""Stamina: who can pay, with which marker, and the payment (rulebook: Race Phase 2)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.state import (
    EVENT_PAY,
    HIGHEST_BY_COLOUR,
    PAY_ENTRY_DRAFT,
    PAY_ENTRY_OWN,
    PAY_EXTRA,
    PAY_SLIDE,
    PAY_WAX,
    PC_PAY,
    TARGETS,
)
from simulate.jit import kernel
from simulate.options import offer


@kernel
def payable(state, seat):
    """Steps of stamina a skier can pay: the sum of its levels (spec section 3)."""
    total = 0
    for marker in range(TARGETS):
        total += state["stamina"][seat, marker]
    return total


@kernel
def blue_markers(state, seat):
    """Markers on blue, the lowest value (rulebook: Preparation 1)."""
    count = 0
    for marker in range(TARGETS):
        if state["stamina"][seat, marker] == 0:
            count += 1
    return count


@kernel
def pays_by_shooting_rule(state, seat):
    """BI-STAM-03: on its SHOOT turn a skier pays from columns not yet shot with."""
    return state["shooting"] == 1 and seat == state["active"]


@kernel
def can_pay_one(state, seat):
    """True when one payment is possible now (BI-STAM-03, BI-STAM-05)."""
    first = 0
    if pays_by_shooting_rule(state, seat):
        first = state["shots_made"][seat]
    for marker in range(first, TARGETS):
        if state["stamina"][seat, marker] > 0:
            return True
    return False


@kernel
def marker_value(state, rules, seat, marker):
    """Height of a marker: its row, or minus its colour rank (``rules.highest_by``, BI-STAM-02)."""
    level = state["stamina"][seat, marker]
    if rules["highest_by"] == HIGHEST_BY_COLOUR:
        return -rules["colour"][state["nation"][seat], marker, level]
    return level


@kernel
def list_pay(state, rules, work, seat):
    """Markers that may be lowered (BI-STAM-02, BI-STAM-03): codes 1 … 5."""
    first = 0
    any_marker = False
    if pays_by_shooting_rule(state, seat):
        first = state["shots_made"][seat]
        any_marker = rules["shoot_pay_pick"] == 0
    best = -1000
    for marker in range(first, TARGETS):
        if state["stamina"][seat, marker] > 0:
            best = max(best, marker_value(state, rules, seat, marker))
    for marker in range(first, TARGETS):
        if state["stamina"][seat, marker] > 0:
            if any_marker or marker_value(state, rules, seat, marker) == best:
                offer(work, marker + 1)


@kernel
def request_payment(state, seat, reason, return_pc):
    """Go and ask for one payment, then go on at ``return_pc``."""
    state["payer"] = seat
    state["pay_reason"] = reason
    state["pay_return"] = return_pc
    state["pc"] = PC_PAY


@kernel
def resolve_pay(state, events, marker):
    """BI-STAM-01: one marker, one row down; then back to whatever asked for the payment."""
    seat = state["payer"]
    level = state["stamina"][seat, marker]
    state["stamina"][seat, marker] = level - 1
    reason = state["pay_reason"]
    row = state["seat_rows"][seat]
    if reason == PAY_EXTRA:
        row["stam_paid_extra"] += 1
    elif reason == PAY_ENTRY_OWN:
        row["stam_paid_entry_own"] += 1
    elif reason == PAY_ENTRY_DRAFT:
        row["stam_paid_entry_draft"] += 1
    elif reason == PAY_SLIDE:
        row["stam_paid_slide"] += 1
    elif reason == PAY_WAX:
        row["stam_paid_wax"] += 1
    emit(state, events, EVENT_PAY, seat, marker + 1, level, level - 1, reason, 0, 0)
    state["pc"] = state["pay_return"]
