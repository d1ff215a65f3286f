"""Snowball and piste groomer at the end of a turn (rulebook: Special Effects)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.chance import draw_coin
from simulate.games.pistengaudi.slope import is_signed
from simulate.games.pistengaudi.state import (
    ASK_GROOM,
    ASK_SNOW,
    EVENT_GROOM,
    EVENT_NOBODY,
    EVENT_PASS,
    EVENT_SNOW,
    G1,
    G3,
    NO_QUESTION,
    S1,
    S3,
    STRIDE,
)
from simulate.games.pistengaudi.tracking import sole_leader
from simulate.jit import kernel
from simulate.options import offer

WAY_UP, WAY_LEFT, WAY_RIGHT, WAY_DOWN = 0, 1, 2, 3  # of a groomer move, in the order of codes
SNOW_UPRIGHT, SNOW_LYING, SNOW_IN_GOAL = 0, 1, 2


@kernel
def effect_of(state, seat):
    """PG-FX-01, PG-FX-04: the question that the space under a figure raises, or none."""
    kind = state["kind"][state["cell"][seat]]
    if kind >= S1 and kind <= S3:
        return ASK_SNOW
    if kind >= G1 and kind <= G3:
        return ASK_GROOM
    return NO_QUESTION


@kernel
def may_be_hit(state, rules, seat, other):
    """PG-SNOW-02: any other figure outside the goal, or as the switches have it."""
    if other == seat and rules["snowball_self_target"] == 0:
        return False
    if state["area"][other] > 0:
        return rules["snowball_goal_target"] == 1
    return state["lying"][other] == 0 or rules["snowball_fallen_target"] == 1


@kernel
def list_snow(state, rules, work, seat):
    """PG-D-SNOW: every legal target; ``snowball.optional`` adds pass."""
    for other in range(state["n_seats"]):
        if may_be_hit(state, rules, seat, other):
            if work["n_options"] == 0 and rules["snowball_optional"] == 1:
                offer(work, 0)
            offer(work, 1 + other)


@kernel
def beside(cell, way):
    """The cell up, left, right or down of a cell."""
    if way == WAY_UP:
        return cell - 1
    if way == WAY_LEFT:
        return cell - STRIDE
    if way == WAY_RIGHT:
        return cell + STRIDE
    return cell + 1


@kernel
def list_groom(state, rules, work, seat):
    """PG-D-GROOM, PG-GROOM-02: every other figure outside the goal, every signed space beside it."""
    for other in range(state["n_seats"]):
        if state["area"][other] > 0 or (other == seat and rules["groomer_self_target"] == 0):
            continue
        for way in range(4):
            if is_signed(state["kind"][beside(state["cell"][other], way)]):
                if work["n_options"] == 0 and rules["groomer_optional"] == 1:
                    offer(work, 0)
                offer(work, 1 + other * 4 + way)


@kernel
def find_nobody(state, events, question):
    """PG-SNOW-03, PG-GROOM-05: nobody to hit or move, nothing happens."""
    seat = state["seat"]
    if question == ASK_GROOM:
        state["game_rows"][0]["groom_none"] += 1
        state["seat_rows"][seat]["groom_none"] += 1
    emit(state, events, EVENT_NOBODY, seat, question, 0, 0, 0, 0, 0)


@kernel
def resolve_snow(state, rules, work, events, code):
    """PG-SNOW-01, PG-SNOW-02: the target lies down; a lying one stays lying, in the goal nothing."""
    seat = state["seat"]
    if code == 0:
        emit(state, events, EVENT_PASS, seat, ASK_SNOW, 0, 0, 0, 0, 0)
        return
    target = code - 1
    muted = draw_coin(state, work, seat, state["treatment"][seat]["mute_throws"])
    game = state["game_rows"][0]
    row = state["seat_rows"][seat]
    how = SNOW_UPRIGHT
    if state["area"][target] > 0:
        how = SNOW_IN_GOAL
    elif state["lying"][target] == 1:
        how = SNOW_LYING
    game["snowballs"] += 1
    row["snow_thrown"] += 1
    state["seat_rows"][target]["snow_received"] += 1
    if how != SNOW_UPRIGHT:
        game["snow_wasted"] += 1
        row["snow_wasted"] += 1
    if target == sole_leader(state, rules):
        row["snow_on_leader"] += 1
    if target == (seat + 1) % state["n_seats"]:
        row["snow_on_next"] += 1
    if target == state["attacker"][seat]:
        row["snow_on_attacker"] += 1
    row["snow_muted"] += muted
    emit(state, events, EVENT_SNOW, seat, target, state["cell"][target], how, muted, 0, 0)
    if target != seat:
        state["attacker"][target] = seat
    if how == SNOW_UPRIGHT and muted == 0:
        state["lying"][target] = 1


@kernel
def resolve_groom(state, work, events, code):
    """PG-GROOM-01, PG-GROOM-03, PG-GROOM-04: the figure is moved as it stands or lies."""
    seat = state["seat"]
    if code == 0:
        emit(state, events, EVENT_PASS, seat, ASK_GROOM, 0, 0, 0, 0, 0)
        return
    target = (code - 1) // 4
    way = (code - 1) % 4
    muted = draw_coin(state, work, seat, state["treatment"][seat]["mute_groomer"])
    start = state["cell"][target]
    end = beside(start, way)
    game = state["game_rows"][0]
    row = state["seat_rows"][seat]
    other = state["seat_rows"][target]
    row["groom_used"] += 1
    if way == WAY_UP:
        game["groom_up"] += 1
        row["groom_given_up"] += 1
        row["groom_muted_up"] += muted
        other["groom_received_up"] += 1
    elif way == WAY_DOWN:
        game["groom_down"] += 1
        row["groom_given_down"] += 1
        row["groom_muted_down"] += muted
        other["groom_received_down"] += 1
    else:
        game["groom_side"] += 1
        row["groom_given_side"] += 1
        row["groom_muted_side"] += muted
        other["groom_received_side"] += 1
    emit(state, events, EVENT_GROOM, seat, target, start, end, way, muted, 0)
    if target != seat:
        state["attacker"][target] = seat
    if muted == 0:
        state["cell"][target] = end
