"""Downhill slides (rulebook: Downhill)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.movement import WALK_SLIDE, begin_walk
from simulate.games.biathlon.routes import is_downhill, is_shooting_row, list_slides
from simulate.games.biathlon.stamina import payable
from simulate.games.biathlon.state import EVENT_SLIDE, RACING
from simulate.jit import kernel
from simulate.options import offer


@kernel
def rival_ahead(state, rules, seat):
    """BI-DOWN-01: another racing skier on the space straight ahead (on S if the next row is one)."""
    row = state["row"][seat] + 1
    lane = state["lane"][seat]
    if is_shooting_row(rules, row):
        lane = 0
    for other in range(state["n_seats"]):
        if other != seat and state["status"][other] == RACING and state["row"][other] == row:
            if state["lane"][other] == lane and state["penalty"][other] == 0:
                return True
    return False


@kernel
def may_slide(state, rules, seat):
    """BI-DOWN-01: the move ended on a green space directly behind another skier."""
    if state["status"][seat] != RACING or state["treatment"][seat]["no_slide"] == 1:
        return False
    if not is_downhill(rules, state["row"][seat], state["lane"][seat], state["penalty"][seat]):
        return False
    return rival_ahead(state, rules, seat)


@kernel
def list_slide(state, rules, work, seat):
    """D-SLIDE: stay (0), then every slide route (1 + index in the route table)."""
    keep_all = 0
    if rules["draft_includes_slide"] == 1 and seat == state["active"]:
        keep_all = state["keep_all"]
    budget = payable(state, seat)
    list_slides(state, rules, work, seat, state["credit"], budget, keep_all)
    if work["n_routes"] > 0:
        for code in range(work["n_routes"] + 1):
            offer(work, code)


@kernel
def resolve_slide(state, rules, work, events, seat, code, slide_pc):
    """Stay, or walk the slide and look again where slides repeat (BI-DOWN-03)."""
    if code == 0:
        state["pc"] = state["slide_return"]
        return
    index = code - 1
    n_steps = work["route_len"][index]
    for step in range(n_steps):
        state["walk_steps"][step] = work["route_codes"][index, step]
    state["game_rows"][0]["slides"] += 1
    emit(state, events, EVENT_SLIDE, seat, n_steps, work["route_cost"][index], 0, 0, 0, 0)
    return_pc = state["slide_return"]
    if rules["slide_repeat"] == 1:
        return_pc = slide_pc
    begin_walk(state, seat, WALK_SLIDE, n_steps, rules["slide_free"], return_pc)
