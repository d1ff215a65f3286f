"""What a hand is worth: its sets, and what one card more would do (spec section 10)."""

from __future__ import annotations

from simulate.games.skull_canyon.gear import has
from simulate.games.skull_canyon.hotel import tomorrow
from simulate.games.skull_canyon.state import (
    ADVANCED,
    ASK_ADD,
    ASK_KEY,
    BLING,
    COLOURS,
    EXPERT,
    KEYS,
    RAMP,
    STAGE_VILLAGE,
    STYLES,
    TYPES,
    YETI,
)
from simulate.jit import kernel
from strategies.skull_canyon.place import place_score, reach_of
from strategies.skull_canyon.plan_state import (
    BEST,
    BEST_STYLE,
    GAP4,
    GAP7,
    HAND,
    HAND_DRY,
    SECOND,
    STYLE_NEAR,
    UNKNOWN,
    YETIS,
)

_FULL_HOTEL = 7.0  # cards of a sunny evening


@kernel
def see_hand(state, plan, seat):
    """The own hand; while a set is being laid its cards count as if in hand."""
    laying = ASK_KEY <= state["phase"] <= ASK_ADD
    hand = plan["hand"]
    count = plan["count"]
    for key in range(KEYS):
        count[key] = 0
    for card in range(TYPES):
        hand[card] = state["hand"][seat, card]
        if laying:
            hand[card] += state["set"][card]
    plan["ramp"] = 1 if has(state, seat, RAMP) and state["ramp_used"] == 0 else 0
    if laying and state["pair2"] >= 0:
        plan["ramp"] = 1
        hand[state["pair1"]] += 1
        hand[state["pair2"]] += 1
    total = hand[YETI]
    for colour in range(COLOURS):
        for style in range(STYLES):
            held = hand[colour * STYLES + style]
            count[colour] += held
            count[COLOURS + style] += held
        total += count[colour]
    plan["yetis"] = hand[YETI]
    plan["cards"] = total
    measure(plan, hand, count, plan["yetis"])


@kernel
def measure(plan, hand, count, yetis):
    """Largest set, largest style set, largest set of what is left; the first of equals."""
    best = count[0]
    key = 0
    for other in range(1, KEYS):
        if count[other] > best:
            best = count[other]
            key = other
    style = count[COLOURS]
    style_key = COLOURS
    for other in range(COLOURS + 1, KEYS):
        if count[other] > style:
            style = count[other]
            style_key = other
    second = 0
    second_key = -1
    for other in range(KEYS):
        if other != key:
            left = count[other]
            if key < COLOURS and other >= COLOURS:
                left -= hand[key * STYLES + other - COLOURS]
            elif key >= COLOURS and other < COLOURS:
                left -= hand[other * STYLES + key - COLOURS]
            if left > second:
                second = left
                second_key = other
    plan["best"] = best + yetis
    plan["best_key"] = key
    plan["style"] = style + yetis
    plan["style_key"] = style_key
    plan["second"] = second
    plan["second_key"] = second_key


@kernel
def hand_score(state, rules, plan, w, fade, cards, yetis, best, style, second):
    """Worth of the cards themselves."""
    need = rules["cards"][ADVANCED]
    if has(state, plan["seat"], BLING):
        need -= 1
    gap4 = max(0, need - best)
    gap7 = max(0, rules["cards"][EXPERT] - best)
    score = w[HAND] * cards + w[YETIS] * yetis + w[BEST] * best + w[BEST_STYLE] * style
    score += w[SECOND] * second + w[GAP4] * gap4 + w[GAP7] * gap7
    score *= fade
    if w[HAND_DRY] != 0.0 and state["day"] < rules["days"]:
        hotel = rules["weather_draw"][tomorrow(state)]
        score += w[HAND_DRY] * cards * (1.0 - hotel / _FULL_HOTEL)
    return score


@kernel
def score_now(state, rules, board, plan, w, node, today, fade):
    """Worth of the hand as last measured by ``see_hand``, on a node with actions left today."""
    score = hand_score(
        state, rules, plan, w, fade, plan["cards"], plan["yetis"], plan["best"], plan["style"],
        plan["second"],
    )  # fmt: skip
    reach = reach_of(plan, plan["best"], plan["cards"])
    score += place_score(state, rules, board, plan, w, node, reach, plan["second"], today, fade)
    return score + near_score(state, board, plan, w, node, today, fade)


@kernel
def near_score(state, board, plan, w, node, today, fade):
    """A marker on a run from here, or one lift away, fits the largest style set."""
    if w[STYLE_NEAR] == 0.0 or today <= 0:
        return 0.0
    wanted = plan["style_key"] - COLOURS
    reached = (1 << node) | board["lift_to"][node]
    for run in range(board["n_runs"]):
        if state["style"][run] == wanted and (reached >> board["top"][run]) & 1 == 1:
            return w[STYLE_NEAR] * fade
    return 0.0


@kernel
def unseen(state, rules, seat, card):
    """Cards of a type that the seat has not seen: in the deck, or unknown in a rival's hand."""
    left = rules["deck"][card] - state["hand"][seat, card] - state["discards"][card]
    for slot in range(rules["row"]):
        if state["slots"][slot] == card:
            left -= 1
    for other in range(state["n_seats"]):
        if other != seat:
            left -= state["known"][other, card]
    return max(left, 0)


@kernel
def fits_best(plan, card):
    """1 if a card makes the largest set larger."""
    best = plan["best"] - plan["yetis"]
    if plan["count"][card // STYLES] == best:
        return 1
    return 1 if plan["count"][COLOURS + card % STYLES] == best else 0


@kernel
def shows(card, key):
    """1 if a card that is no Yeti shows a key."""
    if key < 0:
        return 0
    if key < COLOURS:
        return 1 if card // STYLES == key else 0
    return 1 if card % STYLES == key - COLOURS else 0


@kernel
def see_gains(state, rules, board, plan, w, node, today, fade):
    """What one card more of each type is worth, and a card of the deck on average.

    A card adds to the largest set, to the second, to both or to none: four cases, and the Yeti.
    """
    if plan["gain_stamp"] == plan["stamp"]:
        return
    plan["gain_stamp"] = plan["stamp"]
    seat = plan["seat"]
    today = max(today, 2) if state["stage"] == STAGE_VILLAGE else today
    base = gain_case(state, rules, board, plan, w, node, today, fade, 0, 0, 0, 0)
    none = gain_case(state, rules, board, plan, w, node, today, fade, 1, 0, 0, 0) - base
    more = gain_case(state, rules, board, plan, w, node, today, fade, 1, 1, 0, 0) - base
    other = gain_case(state, rules, board, plan, w, node, today, fade, 1, 0, 1, 0) - base
    gain = plan["gain"]
    gain[YETI] = gain_case(state, rules, board, plan, w, node, today, fade, 1, 1, 0, 1) - base
    left = unseen(state, rules, seat, YETI)
    total = left
    mean = left * gain[YETI]
    style = plan["style"] - plan["yetis"]
    for card in range(YETI):
        if fits_best(plan, card) == 1:
            gain[card] = more
        elif shows(card, plan["second_key"]) == 1:
            gain[card] = other
        else:
            gain[card] = none
        if plan["count"][COLOURS + card % STYLES] == style:
            gain[card] += w[BEST_STYLE] * fade
        left = unseen(state, rules, seat, card)
        total += left
        mean += left * gain[card]
    plan["deck_gain"] = w[UNKNOWN]
    if total > 0:
        plan["deck_gain"] += mean / total


@kernel
def gain_case(state, rules, board, plan, w, node, today, fade, cards, best, second, yetis):
    """Worth of hand and place with so many more."""
    cards += plan["cards"]
    best += plan["best"]
    second += plan["second"]
    style = plan["style"] + yetis
    score = hand_score(
        state, rules, plan, w, fade, cards, plan["yetis"] + yetis, best, style, second
    )
    reach = reach_of(plan, best, cards)
    return score + place_score(state, rules, board, plan, w, node, reach, second, today, fade)
