"""Setting up a race (rulebook: Setup): skiers, nations, wax, the First player marker."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.chance import (
    draw_first_marker,
    draw_loadout,
    draw_nations,
    open_streams,
)
from simulate.games.biathlon.state import (
    BLANK,
    EVENT_LOADOUT,
    EVENT_MARKER,
    EVENT_SETUP,
    LOADOUT_DRAWN,
    LOADOUT_FIXED,
    NATIONS_CHOSEN,
    NATIONS_DRAWN,
    PC_NATION,
    PC_OVER,
    PC_ROUND,
    PC_WAXPICK,
    TARGETS,
)
from simulate.jit import copy_record, kernel
from simulate.options import offer

TWO_PLAYERS = 2
SKIERS_OF_TWO = 4


@kernel
def seats_of(players):
    """Skiers at the table: two players run two each (BI-SET-10)."""
    if players == TWO_PLAYERS:
        return SKIERS_OF_TWO
    return players


@kernel
def owner_of(rules, players, seat):
    """Player who runs a seat (BI-TWO-01)."""
    if players != TWO_PLAYERS:
        return seat
    if rules["two_player_seating"] == 0:
        return seat // TWO_PLAYERS
    return seat % TWO_PLAYERS


@kernel
def set_up(state, rules, treatments, players, root, block):
    """Everything up to the first question or the first round (BI-SET-04 to BI-SET-10)."""
    copy_record(state, BLANK[0])
    state["players"] = players
    state["n_seats"] = seats_of(players)
    state["block"] = block
    for seat in range(state["n_seats"]):
        state["treatment"][seat] = treatments[seat]
        state["side"][seat] = owner_of(rules, players, seat)
        for target in range(TARGETS):
            state["stamina"][seat, target] = rules["start_level"]
        shift_stamina(state, rules, seat, treatments[seat]["stamina_delta"])
    open_streams(state, root, block)
    if rules["nation_mode"] == NATIONS_DRAWN:
        draw_nations(state, rules, root, block)
    elif rules["nation_mode"] != NATIONS_CHOSEN:
        for seat in range(state["n_seats"]):
            state["nation"][seat] = rules["nation_fixed"][seat]
    state["root"] = root
    state["pc"] = PC_NATION
    if rules["nation_mode"] != NATIONS_CHOSEN:
        state["pc"] = PC_WAXPICK
        lay_wax(state, rules, root, block)


@kernel
def place_empty(state, rules, treatments, players, n_seats):
    """A table without a race on it: where scripted positions begin."""
    copy_record(state, BLANK[0])
    state["players"] = players
    state["n_seats"] = n_seats
    state["pc"] = PC_OVER
    for seat in range(n_seats):
        state["treatment"][seat] = treatments[seat]
        state["side"][seat] = owner_of(rules, players, seat)


@kernel
def shift_stamina(state, rules, seat, delta):
    """Hook ``stamina_delta``: lower the highest markers, or raise the lowest, step by step."""
    for _ in range(abs(delta)):
        best = -1
        for marker in range(TARGETS):
            level = state["stamina"][seat, marker]
            if delta < 0 and level > 0:
                if best < 0 or level > state["stamina"][seat, best]:
                    best = marker
            if delta > 0 and level < rules["levels"] - 1:
                if best < 0 or level < state["stamina"][seat, best]:
                    best = marker
        if best >= 0:
            state["stamina"][seat, best] += 1 if delta > 0 else -1


@kernel
def lay_wax(state, rules, root, block):
    """BI-SET-07: tokens in slots, when they are not chosen."""
    for seat in range(state["n_seats"]):
        if rules["loadout_mode"] == LOADOUT_DRAWN:
            draw_loadout(state, rules, seat, root, block)
        elif rules["loadout_mode"] == LOADOUT_FIXED:
            for slot in range(rules["slots"]):
                state["slots"][seat, slot] = rules["loadout"][seat, slot]


@kernel
def list_nation(state, rules, work):
    """D-NATION: usable nations whose board is free (BI-SET-04)."""
    for nation in range(rules["n_nations"]):
        if rules["nation_usable"][nation] == 1 and board_is_free(state, rules, nation):
            offer(work, nation)


@kernel
def board_is_free(state, rules, nation):
    """True when no seat has the board of this nation."""
    for seat in range(state["n_seats"]):
        held = state["nation"][seat]
        if held >= 0 and rules["board"][held] == rules["board"][nation]:
            return False
    return True


@kernel
def list_waxpick(state, rules, work, seat):
    """D-WAXPICK: remaining tokens of the board's set in number order, equal tokens once."""
    board = rules["board"][state["nation"][seat]]
    last = 0
    for index in range(rules["dealt"]):
        token = rules["wax_set"][board, index]
        if token != last and tokens_left(state, rules, seat, board, token) > 0:
            offer(work, token)
        last = token


@kernel
def tokens_left(state, rules, seat, board, token):
    """Copies of a token in the set that the skier has not laid yet."""
    count = 0
    for index in range(rules["dealt"]):
        if rules["wax_set"][board, index] == token:
            count += 1
    for slot in range(rules["slots"]):
        if state["slots"][seat, slot] == token:
            count -= 1
    return count


@kernel
def begin_race(state, rules, events):
    """The marker goes to a seat and the first round can begin (BI-SET-09)."""
    if rules["first_random"] == 1:
        state["first_seat"] = draw_first_marker(state)
    state["marker"] = state["first_seat"]
    for seat in range(state["n_seats"]):
        row = state["seat_rows"][seat]
        row["turn_index"] = (seat - state["first_seat"]) % state["n_seats"]
        row["player"] = state["side"][seat]
        row["nation"] = state["nation"][seat]
        emit(
            state, events, EVENT_SETUP, seat, state["nation"][seat], state["side"][seat], 0, 0, 0, 0
        )
        for slot in range(rules["slots"]):
            token = state["slots"][seat, slot]
            row["loadout"][slot] = token
            emit(state, events, EVENT_LOADOUT, seat, slot + 1, token, 0, 0, 0, 0)
    emit(state, events, EVENT_MARKER, state["marker"], 0, 0, 0, 0, 0, 0)
    state["pc"] = PC_ROUND
