"""The set that a seat lays for a run: the best of all keys, sizes, Yetis and Ramp pairs.

The cards of a set are those that the rest of the hand misses least. ``KEY``, ``RAMP1``, ``RAMP2``
and ``ADD`` then follow the set that was found (spec section 10, shared rules).
"""

from __future__ import annotations

from simulate.games.skull_canyon.gear import has
from simulate.games.skull_canyon.state import (
    BOOTS,
    CAMERA,
    CAMERA_RUN_TOTAL,
    COLOURS,
    KEYS,
    STYLES,
    TYPES,
    YETI,
)
from simulate.games.skull_canyon.yeti import blocked
from simulate.jit import kernel
from strategies.skull_canyon.clock import fade_of
from strategies.skull_canyon.fame import fame_score
from strategies.skull_canyon.hand import hand_score, measure
from strategies.skull_canyon.mischief import own_slide, rivals_slide, yeti_moves
from strategies.skull_canyon.place import early_score, place_score, reach_of, slide_end
from strategies.skull_canyon.plan_state import (
    ACTION,
    LEAD,
    NEVER,
    OVER,
    SPENT,
    STYLE_HIT,
    VP,
    WANING,
    YETIS_SPENT,
)
from strategies.skull_canyon.runs import see_run

NO_SET = -1.0e9
ANY_KEY = -1


@kernel
def copy_hand(plan):
    """Begin with the whole hand."""
    for card in range(TYPES):
        plan["rest"][card] = plan["hand"][card]
    for key in range(KEYS):
        plan["rest_count"][key] = plan["count"][key]
    plan["rest_yetis"] = plan["yetis"]
    plan["rest_cards"] = plan["cards"]


@kernel
def take_out(plan, card):
    """A card leaves the hand in thought."""
    plan["rest"][card] -= 1
    plan["rest_cards"] -= 1
    if card == YETI:
        plan["rest_yetis"] -= 1
    else:
        plan["rest_count"][card // STYLES] -= 1
        plan["rest_count"][COLOURS + card % STYLES] -= 1


@kernel
def least_missed(plan, key):
    """Card of a key whose other mark is rarest in the rest of the hand, -1 if there is none."""
    found = -1
    least = NEVER
    rest = plan["rest"]
    if key < COLOURS:
        for style in range(STYLES):
            card = key * STYLES + style
            if rest[card] > 0 and plan["rest_count"][COLOURS + style] < least:
                found = card
                least = plan["rest_count"][COLOURS + style]
    else:
        for colour in range(COLOURS):
            card = colour * STYLES + key - COLOURS
            if rest[card] > 0 and plan["rest_count"][colour] < least:
                found = card
                least = plan["rest_count"][colour]
    return found


@kernel
def least_other(plan, key):
    """Card that does not show a key and is missed least, -1 if there is none."""
    found = -1
    least = NEVER
    for card in range(YETI):
        if plan["rest"][card] > 0:
            colour = card // STYLES
            style = card % STYLES
            off = colour != key if key < COLOURS else style != key - COLOURS
            missed = max(plan["rest_count"][colour], plan["rest_count"][COLOURS + style])
            if off and missed < least:
                found = card
                least = missed
    return found


@kernel
def lay_out(plan, key, size, yetis, pair):
    """Take a set out of the hand in thought; False where the cards are not there."""
    copy_hand(plan)
    plan["pair1"] = -1
    plan["pair2"] = -1
    for _ in range(yetis):
        take_out(plan, YETI)
    for _ in range(size - pair - yetis):
        card = least_missed(plan, key)
        if card < 0:
            return False
        take_out(plan, card)
    if pair == 1:
        plan["pair1"] = least_other(plan, key)
        if plan["pair1"] < 0:
            return False
        take_out(plan, plan["pair1"])
        plan["pair2"] = least_other(plan, key)
        if plan["pair2"] < 0:
            return False
        take_out(plan, plan["pair2"])
    return True


@kernel
def set_score(state, rules, board, plan, w, run, key, size, yetis, pair, today):
    """Score of skiing a run with the set taken out of the hand; ``today`` actions left after it."""
    seat = plan["seat"]
    fade = fade_of(today + plan["later"])
    difficulty = board["difficulty"][run]
    base = rules["fame"][difficulty]
    fame = base
    score = w[VP] * rules["vp"][difficulty]
    alike = size == yetis
    style = state["style"][run]
    bottom = board["bottom"][run]
    more = 1 if has(state, seat, BOOTS) else 0
    wane = 0
    if bottom == board["base"] and state["tracker"] == rules["waning_tracker"]:
        wane = rules["waning"]
        score += w[WANING]
    if style >= 0:
        if alike or key == COLOURS + style:
            fame = base * rules["style_factor"]
            score += w[STYLE_HIT]
            if rules["boots_doubled"] == 1:
                more *= rules["style_factor"]
    elif has(state, seat, CAMERA) and (alike or key == 0):
        fame = base * rules["style_factor"]
        score += w[STYLE_HIT]
        if rules["camera_doubles"] == CAMERA_RUN_TOTAL:
            wane *= rules["style_factor"]
            more *= rules["style_factor"]
    fame += wane + more
    score += fame_score(state, rules, plan, w, seat, fame)
    score += w[LEAD] * (rules["vp"][difficulty] + fame / rules["fame_per_vp"])
    score += w[SPENT] * (size + pair) + w[YETIS_SPENT] * yetis
    score += w[OVER] * (size - plan["need"][run])
    if size >= plan["claim_need"][run]:
        score += max(0.0, plan["claim_value"][run])
    if yetis == rules["yeti_move"]:
        score += yeti_moves(state, board, plan, w)
    measure(plan, plan["rest"], plan["rest_count"], plan["rest_yetis"])
    best = plan["best"]
    second = plan["second"]
    score += hand_score(
        state, rules, plan, w, fade, plan["rest_cards"], plan["rest_yetis"], best, plan["style"],
        second,
    )  # fmt: skip
    reach = reach_of(plan, best, plan["rest_cards"])
    node = bottom
    if yetis >= rules["avalanche_from"]:
        score += rivals_slide(state, rules, board, plan, w)
        if bottom != board["base"]:
            node = slide_end(state, rules, board, plan, w, bottom, reach, second, today, fade)
            score += own_slide(state, rules, board, w, bottom, node)
    score += place_score(state, rules, board, plan, w, node, reach, second, today, fade)
    score += early_score(state, rules, board, plan, w, node)
    return score + w[ACTION] * (today + plan["later"])


@kernel
def keep_target(plan, key):
    """The set in thought is the best so far."""
    plan["target_key"] = key
    plan["target_pair1"] = plan["pair1"]
    plan["target_pair2"] = plan["pair2"]
    for card in range(TYPES):
        plan["target"][card] = plan["hand"][card] - plan["rest"][card]
    if plan["pair2"] >= 0:
        plan["target"][plan["pair1"]] -= 1
        plan["target"][plan["pair2"]] -= 1


@kernel
def best_set(state, rules, board, plan, w, run, only, today):
    """Find the best set for a run, of any key or of one; its score, NO_SET if there is none."""
    see_run(state, rules, board, plan, w, run)
    need = plan["need"][run]
    claim = plan["claim_need"][run]
    sizes = 2 if need < claim < NEVER and plan["claim_value"][run] > 0.0 else 1
    exact = blocked(state, plan["seat"], run)
    held = plan["yetis"]
    found = NO_SET
    first = 0 if only == ANY_KEY else only
    last = KEYS if only == ANY_KEY else only + 1
    for key in range(first, last):
        fitting = plan["count"][key]
        spare = plan["cards"] - held - fitting
        for index in range(sizes):
            size = need if index == 0 else claim
            for pair in range(1 + plan["ramp"]):
                least = max(0, size - pair - fitting)
                if pair == 1 and (spare < 2 or size > fitting + held + 1):
                    continue
                for yetis in range(least, min(held, max(least, 2), size - pair) + 1):
                    if exact and yetis != 1:
                        continue
                    if lay_out(plan, key, size, yetis, pair):
                        score = set_score(
                            state, rules, board, plan, w, run, key, size, yetis, pair, today
                        )
                        if score > found:
                            found = score
                            keep_target(plan, key)
    measure(plan, plan["hand"], plan["count"], held)
    return found


@kernel
def see_target(state, rules, board, plan, w, only):
    """The set for the run being skied; found anew unless it is still known."""
    seat = plan["seat"]
    known = plan["target_turn"] == state["turn"] and plan["target_stage"] == state["stage"]
    known = known and plan["target_seat"] == seat and plan["target_run"] == state["skied"]
    known = known and plan["target_actions"] == state["actions"]
    known = known and (plan["target_for"] == only or plan["target_key"] == only)
    if known:
        return
    plan["target_key"] = -1
    plan["target_pair1"] = -1
    plan["target_pair2"] = -1
    for card in range(TYPES):
        plan["target"][card] = 0
    best_set(state, rules, board, plan, w, state["skied"], only, plan["today"])
    plan["target_turn"] = state["turn"]
    plan["target_stage"] = state["stage"]
    plan["target_seat"] = seat
    plan["target_run"] = state["skied"]
    plan["target_actions"] = state["actions"]
    plan["target_for"] = only
