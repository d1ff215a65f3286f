"""Days and turns: the daylight track, the night, the next day (rulebook: The Daylight Track)."""

from __future__ import annotations

from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.fame import gain_fame, gain_vp
from simulate.games.skull_canyon.gear import has, note_use, own, renew_gear
from simulate.games.skull_canyon.state import (
    EVENT_DAY,
    EVENT_GEAR,
    EVENT_TRACKER,
    EVENT_TURN,
    EVENT_TURN_END,
    FAME_GIFT,
    NIGHT,
    PC_ACT,
    PC_DAY_END,
    PC_EVENING,
    PC_NIGHT,
    PC_OVER,
    PC_SCORE,
    PC_TURN,
    RUN_DAY_END,
    RUN_TURN,
    STAGE_NIGHT,
    STAGE_SKI,
    VP_GIFT,
)
from simulate.games.skull_canyon.tracking import note_day_end, note_round_end, note_turn_end
from simulate.jit import kernel

_DEFAULT_GIFT_DAY = 2


@kernel
def begin_day(state, rules, events):
    """A Skiing phase begins: tracker to the start, turns from the first player (SC-DAY-01, -02)."""
    state["stage"] = STAGE_SKI
    state["tracker"] = rules["daylight"]
    state["turn_at"] = 0
    state["pc"] = PC_TURN
    board = rules["boards"][state["board"]]
    day = state["day"]
    emit(
        state, events, EVENT_DAY, -1, day, state["first"], state["weather"][day - 1],
        state["tracker"], 0, 0,
    )  # fmt: skip
    for seat in range(state["n_seats"]):
        row = state["seat_rows"][seat]
        word = board["node_word"][state["node"][seat]]
        if day == 2:
            row["lodge_d2"] = word
        elif day == 3:
            row["lodge_d3"] = word
        elif day == 4:
            row["lodge_d4"] = word
        give_gifts(state, rules, events, seat)


@kernel
def give_gifts(state, rules, events, seat):
    """Hooks of the morning: fame, VP, gear."""
    treatment = state["treatment"][seat]
    due = treatment["gift_day"]
    if due == 0:
        due = _DEFAULT_GIFT_DAY
    if state["day"] != due:
        return
    gain_fame(state, events, seat, FAME_GIFT, treatment["fame_gift"])
    if treatment["vp_gift"] != 0:
        gain_vp(state, events, seat, VP_GIFT, treatment["vp_gift"])
    if treatment["gear_gift"] > 0 and treatment["gear_gift"] <= rules["n_gear"]:
        gear = treatment["gear_gift"] - 1
        own(state, rules, seat, gear)
        emit(state, events, EVENT_GEAR, seat, gear, 0, 1, 0, 0, 0)


@kernel
def next_turn(state, rules, events):
    """Clockwise from the first player; after the last the tracker moves (SC-DAY-02 to -04)."""
    n_turns = state["n_seats"]
    if state["run"] == RUN_DAY_END:
        n_turns = state["turns_listed"]
    if state["turn_at"] < n_turns:
        seat = (state["first"] + state["turn_at"]) % state["n_seats"]
        if state["run"] == RUN_DAY_END:
            seat = state["turn_list"][state["turn_at"]]
        begin_turn(state, events, seat, rules["actions"])
    elif state["tracker"] > 1 and state["run"] != RUN_DAY_END:
        note_round_end(state, rules, state["tracker"])
        state["tracker"] -= 1
        state["turn_at"] = 0
        emit(state, events, EVENT_TRACKER, -1, state["tracker"], 0, 0, 0, 0, 0)
    else:
        state["stage"] = STAGE_NIGHT
        state["turn_at"] = 0
        state["pc"] = PC_NIGHT


@kernel
def begin_turn(state, events, seat, actions):
    """A turn of up to two actions; Ramp and Poles are fresh (SC-TURN-01)."""
    state["active"] = seat
    state["actions"] = actions
    state["ramp_used"] = 0
    state["poles_used"] = 0
    state["tokens_barred"] = 0
    state["turn_at"] += 1
    night = 1 if state["stage"] == STAGE_NIGHT else 0
    if night == 0:
        state["turn"] += 1
    emit(state, events, EVENT_TURN, seat, state["day"], state["tracker"], actions, night, 0, 0)
    state["pc"] = PC_ACT


@kernel
def end_turn(state, rules, events):
    """The turn is over: unused actions, then the next turn."""
    seat = state["active"]
    emit(state, events, EVENT_TURN_END, seat, state["actions"], 0, 0, 0, 0, 0)
    if state["stage"] == STAGE_NIGHT:
        if state["actions"] == 0:
            note_use(state, rules, seat, NIGHT)
        state["pc"] = PC_NIGHT
    else:
        state["game_rows"][0]["act_unused"] += state["actions"]
        state["seat_rows"][seat]["actions_unused"] += state["actions"]
        state["pc"] = PC_TURN
        note_turn_end(state, rules)
    state["actions"] = 0
    state["active"] = -1
    if state["run"] == RUN_TURN:
        state["pc"] = PC_OVER


@kernel
def next_night_owl(state, rules, events):
    """SC-GEAR-NIGHT: each owner in turn order may take one action more."""
    last = state["day"] == rules["days"]
    while state["turn_at"] < state["n_seats"]:
        seat = (state["first"] + state["turn_at"]) % state["n_seats"]
        if has(state, seat, NIGHT) and not (last and rules["night_goggles_day3"] == 0):
            begin_turn(state, events, seat, 1)
            if rules["night_goggles_as_turn"] == 0:
                state["ramp_used"] = 1
                state["poles_used"] = 1
                state["tokens_barred"] = 1
            return
        state["turn_at"] += 1
    state["pc"] = PC_DAY_END


@kernel
def end_day(state, rules, events):
    """The tracker is at END: Après-Ski, or final scoring (SC-DAY-05)."""
    state["tracker"] = 0
    emit(state, events, EVENT_TRACKER, -1, 0, 0, 0, 0, 0, 0)
    note_day_end(state, rules)
    if state["run"] == RUN_DAY_END:
        state["pc"] = PC_OVER
    elif state["day"] == rules["days"]:
        state["pc"] = PC_SCORE
    else:
        state["pc"] = PC_EVENING


@kernel
def next_day(state, rules, events):
    """SC-NEXT-01: pass the marker, new gear after day I, tracker to the start."""
    passes = 1
    for seat in range(state["n_seats"]):
        if state["treatment"][seat]["no_pass"] == 1:
            passes = 0
    state["first"] = (state["first"] + passes) % state["n_seats"]
    if rules["renew_after"][state["day"]] == 1:
        renew_gear(state, rules, events)
    state["day"] += 1
    if state["day"] < rules["days"]:
        note_gear_row(state, rules, state["day"])
    begin_day(state, rules, events)


@kernel
def note_gear_row(state, rules, evening):
    """Records: gear shown on the evening to come."""
    game = state["game_rows"][0]
    for slot in range(rules["gear_row"]):
        gear = state["gear_row"][slot]
        if gear >= 0 and evening == 1:
            game["gear_row1"][gear] += 1
        elif gear >= 0 and evening == 2:
            game["gear_row2"][gear] += 1
