"""Fame and victory points: gains and payments, each with its reason (rulebook: Fame, Score VP)."""

from __future__ import annotations

from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.state import (
    EVENT_FAME,
    EVENT_VP,
    FAME_ALERT,
    FAME_BASE,
    FAME_BOOTS,
    FAME_CAMERA,
    FAME_GEAR,
    FAME_GIFT,
    FAME_GOGGLES,
    FAME_PLACE,
    FAME_STYLE,
    FAME_TENT,
    FAME_TUB,
    FAME_WANING,
    VP_GIFT,
    VP_GOGGLES,
    VP_RUN,
)
from simulate.jit import kernel


@kernel
def gain_fame(state, events, seat, reason, amount):
    """Fame comes from the supply."""
    if amount == 0:
        return
    state["fame"][seat] += amount
    row = state["seat_rows"][seat]
    if reason == FAME_BASE:
        row["fame_base"] += amount
    elif reason == FAME_STYLE:
        row["fame_style"] += amount
    elif reason == FAME_CAMERA:
        row["fame_camera"] += amount
    elif reason == FAME_WANING:
        row["fame_waning"] += amount
    elif reason == FAME_BOOTS:
        row["fame_boots"] += amount
    elif reason == FAME_TENT:
        row["fame_tent"] += amount
    elif reason == FAME_TUB:
        row["fame_tub"] += amount
    elif reason == FAME_GIFT:
        row["fame_gift"] += amount
    emit(state, events, EVENT_FAME, seat, reason, amount, state["fame"][seat], 0, 0, 0)


@kernel
def pay_fame(state, events, seat, reason, amount):
    """Fame goes back to the supply."""
    if amount == 0:
        return
    state["fame"][seat] -= amount
    row = state["seat_rows"][seat]
    if reason == FAME_PLACE:
        row["fame_sp_village"] += amount
    elif reason == FAME_GEAR:
        row["fame_sp_gear"] += amount
    elif reason == FAME_ALERT:
        row["fame_sp_alert"] += amount
    elif reason == FAME_GOGGLES:
        row["fame_sp_goggles"] += amount
    emit(state, events, EVENT_FAME, seat, reason, -amount, state["fame"][seat], 0, 0, 0)


@kernel
def gain_vp(state, events, seat, reason, amount):
    """Victory points on the track (SC-SKI-04)."""
    state["vp"][seat] += amount
    row = state["seat_rows"][seat]
    if reason == VP_RUN:
        row["vp_runs"] += amount
    elif reason == VP_GOGGLES:
        row["vp_goggles"] += amount
    elif reason == VP_GIFT:
        row["vp_gift"] += amount
    emit(state, events, EVENT_VP, seat, reason, amount, state["vp"][seat], 0, 0, 0)
