"""Shooting range and penalty laps (rulebook: Race Phase 3, Shooting Range)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.chance import draw_shot
from simulate.games.biathlon.stamina import payable
from simulate.games.biathlon.state import EVENT_SHOT, EVENT_VISIT_END, SHOOTING, TARGETS
from simulate.jit import kernel
from simulate.options import offer


@kernel
def at_shooting_space(state, rules, seat):
    """True on a shooting space itself, not in its penalty lane."""
    row = state["row"][seat]
    return state["penalty"][seat] == 0 and rules["space"][row, 0] == SHOOTING


@kernel
def has_to_shoot(state, rules, seat):
    """A SHOOT turn: on a shooting space with fewer than 5 shots (spec 5.1)."""
    return at_shooting_space(state, rules, seat) and state["shots_made"][seat] < rules["shots"]


@kernel
def may_fire(state, rules, seat):
    """BI-SHOT-02, BI-SHOT-05: dice counted are left, and a target."""
    if rules["shoot_round"] == 1 and state["arrived_round"][seat] == state["round"]:
        return False  # BI-SHOT-01, next_round
    if state["shots_made"][seat] >= rules["shots"]:
        return False
    return state["fired"] < state["dice"] + state["plus"]


@kernel
def colour_of_target(state, rules, seat, target):
    """BI-SHOT-03, BI-ADV-01: the colour under the target's stamina marker, 0 best."""
    return rules["colour"][state["nation"][seat], target, state["stamina"][seat, target]]


@kernel
def hit_chance(state, rules, seat, target):
    """Chance to hit a target with its marker where it stands."""
    colour = colour_of_target(state, rules, seat, target)
    return rules["shoot_hits"][colour] / rules["shoot_sides"]


@kernel
def resolve_shot(state, rules, events, seat, target, face, reroll):
    """BI-SHOT-04: a hit when the face is at most the hit faces of the colour."""
    colour = colour_of_target(state, rules, seat, target)
    hit = 1 if face <= rules["shoot_hits"][colour] else 0
    row = state["seat_rows"][seat]
    row["shots_by_colour"][colour] += 1
    row["hits_by_colour"][colour] += hit
    if hit == 0 and hit_is_forced(state, rules, seat, target):
        hit = 1
    state["shot_hit"][seat, target] = hit
    if reroll == 0:
        state["shots_made"][seat] = target + 1
        state["fired"] += 1
    state["last_shot"] = target
    emit(state, events, EVENT_SHOT, seat, target + 1, colour, face, hit, reroll, 0)


@kernel
def hit_is_forced(state, rules, seat, target):
    """Hook ``force_hit``: the first miss of a visit to that range counts as a hit."""
    wanted = state["treatment"][seat]["hit_range"]
    if wanted == 0:
        return False
    if wanted > 0 and rules["range_of_row"][state["row"][seat]] != wanted - 1:
        return False
    if state["forced_hit"][seat] == 0:
        state["forced_hit"][seat] = target + 1
    return state["forced_hit"][seat] == target + 1


@kernel
def shoot_next(state, rules, work, events, seat):
    """Fire at the next target from the left (BI-SHOT-03)."""
    target = state["shots_made"][seat]
    face = draw_shot(state, rules, work, seat)
    resolve_shot(state, rules, events, seat, target, face, 0)


@kernel
def reroll_shot(state, rules, work, events, seat, target):
    """BI-WAX-06: roll the die of that target again; the new result stands."""
    last = state["last_shot"]
    face = draw_shot(state, rules, work, seat)
    resolve_shot(state, rules, events, seat, target, face, 1)
    state["last_shot"] = last


@kernel
def list_shot(state, work, seat):
    """D-SHOT: targets shot this turn, left to right (``rules.reroll_target``)."""
    made = state["shots_made"][seat]
    for target in range(made - state["fired"], made):
        offer(work, target + 1)


@kernel
def resolve_visit_end(state, rules, events, seat):
    """BI-PEN-01: count the misses; laps are misses / 2 rounded up (printed table)."""
    misses = 0
    for target in range(rules["shots"]):
        misses += 1 - state["shot_hit"][seat, target]
    per_lap = rules["misses_per_lap"]
    laps = (misses + per_lap - 1) // per_lap
    state["miss"][seat] = misses
    state["owed"][seat] = laps * rules["lap_length"]
    index = rules["range_of_row"][state["row"][seat]]
    row = state["seat_rows"][seat]
    row["hits"][index] = rules["shots"] - misses
    row["misses"][index] = misses
    row["laps"][index] = laps
    emit(state, events, EVENT_VISIT_END, seat, misses, laps, state["owed"][seat], 0, 0, 0)


@kernel
def enter_range(state, rules, seat):
    """Records of entering a shooting space; the round matters for ``rules.shoot_round``."""
    index = rules["range_of_row"][state["row"][seat]]
    aim = 0.0
    for target in range(TARGETS):
        aim += hit_chance(state, rules, seat, target)
    state["arrived_round"][seat] = state["round"]
    row = state["seat_rows"][seat]
    row["stam_at_range"][index] = payable(state, seat)
    row["aim_at_range"][index] = aim
    row["round_in"][index] = state["round"]


@kernel
def leave_range(state, seat, index):
    """BI-PEN-05: on leaving, shots and miss markers are cleared."""
    state["shots_made"][seat] = 0
    state["miss"][seat] = 0
    state["forced_hit"][seat] = 0
    state["range_left"][index] += 1
    row = state["seat_rows"][seat]
    row["round_out_range"][index] = state["round"]
    row["rank_range"][index] = state["range_left"][index]
