"""What a seat sees of the clock: its own actions to come (rulebook: The Daylight Track)."""

from __future__ import annotations

from simulate.games.skull_canyon.gear import has
from simulate.games.skull_canyon.state import NIGHT, STAGE_SKI
from simulate.jit import kernel
from strategies.skull_canyon.plan_state import FADE_ACTIONS


@kernel
def see_clock(state, rules, plan, seat):
    """Own actions to come today and on later days, as they stand at the question."""
    later = (rules["days"] - state["day"]) * rules["daylight"] * rules["actions"]
    today = 0
    if state["stage"] == STAGE_SKI:
        turns = state["tracker"] - 1
        if seat != state["active"]:
            own = (seat - state["first"]) % state["n_seats"]
            now = (state["active"] - state["first"]) % state["n_seats"]
            if own > now:
                turns += 1
        today = turns * rules["actions"]
        last = state["day"] == rules["days"]
        if has(state, seat, NIGHT) and not (last and rules["night_goggles_day3"] == 0):
            today += 1
    if seat == state["active"]:
        today += state["actions"]
    plan["today"] = today
    plan["later"] = later
    plan["fade"] = fade_of(today + later)


@kernel
def fade_of(actions):
    """Hands and places lose their worth as the last actions come."""
    return min(1.0, actions / FADE_ACTIONS)


@kernel
def turns_left(state, rules):
    """Turns of every seat on the days to come, asked in the evening."""
    return (rules["days"] - state["day"]) * rules["daylight"]
