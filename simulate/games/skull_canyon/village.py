"""Après-Ski: starting track, turn order, moving along the path (rulebook: Phase 2: Après-Ski)."""

from __future__ import annotations

from simulate.games.skull_canyon.chance import draw_track
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.fame import pay_fame
from simulate.games.skull_canyon.state import (
    EVENT_TRACK,
    EVENT_VISIT,
    FAME_PLACE,
    HOTEL,
    MAX_EVENINGS,
    ON_TRACK,
    PC_HOTEL,
    PC_PAY,
    PC_VILLAGE,
    PLACES,
    STAGE_VILLAGE,
    TYPES,
)
from simulate.jit import kernel
from simulate.options import offer


@kernel
def begin_village(state, rules, events):
    """Skiers onto the starting track, lowest first (SC-VIL-01)."""
    board = rules["boards"][state["board"]]
    n_seats = state["n_seats"]
    state["stage"] = STAGE_VILLAGE
    state["track_at"] = 0
    for place in range(n_seats):
        seat = (state["first"] + place) % n_seats
        state["position"][seat] = ON_TRACK
        at = place
        height = board["height"][state["node"][seat]]
        while at > 0 and board["height"][state["node"][state["track"][at - 1]]] > height:
            state["track"][at] = state["track"][at - 1]
            at -= 1
        state["track"][at] = seat
    shift_track(state)
    for place in range(n_seats):
        seat = state["track"][place]
        emit(state, events, EVENT_TRACK, seat, place + 1, 0, 0, 0, 0, 0)
        if state["day"] <= MAX_EVENINGS:
            state["seat_rows"][seat]["village_pos"][state["day"] - 1] = place + 1
    state["pc"] = PC_VILLAGE


@kernel
def shift_track(state):
    """Hooks: a random starting track, and a seat that is first on it."""
    n_seats = state["n_seats"]
    mixed = 0
    for seat in range(n_seats):
        if state["treatment"][seat]["track_random"] == 1:
            mixed = 1
    if mixed == 1:
        draw_track(state)
    for seat in range(n_seats):
        if state["treatment"][seat]["track_first"] == 1:
            at = 0
            while state["track"][at] != seat:
                at += 1
            while at > 0:
                state["track"][at] = state["track"][at - 1]
                at -= 1
            state["track"][0] = seat


@kernel
def next_guest(state):
    """Whose turn it is, -1 when all are at the Hotel (SC-VIL-02, SC-VIL-03)."""
    if state["track_at"] < state["n_seats"]:
        return state["track"][state["track_at"]]
    for position in range(PLACES):
        count = state["guests_n"][position]
        if count > 0:
            return state["guests"][position, count - 1]
    return -1


@kernel
def can_pay(state, rules, seat, place):
    """True when a seat can pay the full cost of a place (SC-VIL-04)."""
    if state["fame"][seat] < rules["cost_fame"][place]:
        return False
    return state["cards"][seat] >= rules["cost_cards"][place]


@kernel
def closed_to(state, seat, place):
    """Hook ``closed_place``: the place is closed for this seat, on one evening or on all."""
    treatment = state["treatment"][seat]
    if treatment["closed_place"] != 1 + place:
        return False
    return treatment["closed_evening"] == 0 or treatment["closed_evening"] == state["day"]


@kernel
def list_move(state, rules, work, seat):
    """MOVE: places further right with a free slot and a payable cost, the Hotel (SC-VIL-04, -05)."""
    slots = rules["slots"][state["n_seats"]]
    for position in range(state["position"][seat] + 1, PLACES):
        place = rules["place_at"][position]
        if state["guests_n"][position] < slots and can_pay(state, rules, seat, place):
            if not closed_to(state, seat, place):
                offer(work, position)
    offer(work, HOTEL)


@kernel
def note_full(state, rules, seat):
    """Records: places ahead that are payable but full."""
    slots = rules["slots"][state["n_seats"]]
    for position in range(state["position"][seat] + 1, PLACES):
        place = rules["place_at"][position]
        if state["guests_n"][position] >= slots and can_pay(state, rules, seat, place):
            state["game_rows"][0]["full"][place] += 1


@kernel
def move_on(state, rules, events, seat, position):
    """Leave the old place, take the rightmost free slot of the new one (SC-VIL-05, SC-VIL-07)."""
    old = state["position"][seat]
    if old == ON_TRACK:
        state["track_at"] += 1
    else:
        state["guests_n"][old] -= 1
    state["position"][seat] = position
    if position == HOTEL:
        state["pc"] = PC_HOTEL
        return
    count = state["guests_n"][position]
    state["guests"][position, count] = seat
    state["guests_n"][position] = count + 1
    place = rules["place_at"][position]
    state["game_rows"][0]["visits"][place] += 1
    row = state["seat_rows"][seat]
    if state["day"] == 1:
        row["place_d1"][place] = 1
    elif state["day"] == 2:
        row["place_d2"][place] = 1
    elif state["day"] == 3:
        row["place_d3"][place] = 1
    emit(state, events, EVENT_VISIT, seat, place, count + 1, 0, 0, 0, 0)
    begin_paying(state, rules, events, seat, place)


@kernel
def begin_paying(state, rules, events, seat, place):
    """SC-VIL-06: the fame of the cost; its cards are chosen one by one."""
    pay_fame(state, events, seat, FAME_PLACE, rules["cost_fame"][place])
    state["pay_left"] = rules["cost_cards"][place]
    for card in range(TYPES):
        state["paid"][card] = 0
    state["pc"] = PC_PAY
