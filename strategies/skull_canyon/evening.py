"""Choices of the evening: the way through the village, gear, swaps, the lodge (spec section 10)."""

from __future__ import annotations

from simulate.games.skull_canyon.claims import top_seat
from simulate.games.skull_canyon.gear import price
from simulate.games.skull_canyon.places import supply_open
from simulate.games.skull_canyon.sets import need_of
from simulate.games.skull_canyon.state import (
    COLOURS,
    HAPPY_HOUR,
    HOT_TUB,
    HOTEL,
    LET_IT_RIDE,
    PLACES,
    SKI_SWAP,
    STYLES,
    SWAP_SUPPLY,
    TYPES,
    YETI,
    YODELING,
)
from simulate.games.skull_canyon.village import can_pay, closed_to
from simulate.jit import kernel
from strategies.skull_canyon.fame import fame_score, gear_score
from strategies.skull_canyon.hand import hand_score, measure, see_gains, unseen
from strategies.skull_canyon.place import place_score, reach_of
from strategies.skull_canyon.plan_state import (
    EXPL,
    FAME,
    GEAR_VP,
    SNOW_HEIGHT,
    STYLE_HIT,
    STYLE_NEAR,
    TICK,
    VILLAGE_LEFT,
    VP,
)
from strategies.skull_canyon.target import copy_hand, take_out

_ALL_PATHS = 1 << PLACES  # ways through the village: bit p says that position p is visited
_SWAP_SHARE = 0.25  # chance that a marker still fits when the run is skied


# ------------------------------------------------------------------------------- the way
@kernel
def see_visits(state, rules, board, plan, w):
    """Worth of the visit of each position: what it gives less what it costs."""
    seat = plan["seat"]
    see_gains(state, rules, board, plan, w, board["base"], plan["today"], plan["fade"])
    card = plan["deck_gain"]
    paid = least_loss(state, rules, plan, w)
    for position in range(PLACES):
        place = rules["place_at"][position]
        net = -paid * rules["cost_cards"][place]
        fame = -rules["cost_fame"][place]
        if place == HOT_TUB:
            fame += rules["tub_fame"]
        elif place == YODELING:
            gained = min(rules["yodel_explosives"], state["explosives_left"])
            net += w[EXPL] * gained * plan["fade"]
        elif place == HAPPY_HOUR:
            net += card * rules["happy_take"]
        elif place == SKI_SWAP:
            gained = min(rules["swap_tickets"], state["tickets_left"])
            net += w[TICK] * gained * plan["fade"]
        elif place == LET_IT_RIDE:
            miss = least_match(state, rules, seat)
            net += card * (rules["ride_show"] + rules["ride_more"] * miss)
        plan["net"][position] = net + fame_score(state, rules, plan, w, seat, fame)


@kernel
def is_open(state, rules, seat, position):
    """True when a place has a free slot now and the seat may go there."""
    if state["guests_n"][position] >= rules["slots"][state["n_seats"]]:
        return False
    return not closed_to(state, seat, rules["place_at"][position])


@kernel
def way_score(state, rules, plan, w, first):
    """Best worth of a way through the village that begins at a position."""
    seat = plan["seat"]
    if first == HOTEL:
        return 0.0
    best = -1.0e9
    for path in range(_ALL_PATHS):
        if (path >> first) & 1 == 0 or path & ((1 << first) - 1) != 0:
            continue
        fame = state["fame"][seat]
        cards = plan["cards"]
        score = 0.0
        fits = True
        for position in range(first, PLACES):
            if (path >> position) & 1 == 1 and fits:
                place = rules["place_at"][position]
                fits = fame >= rules["cost_fame"][place] and cards >= rules["cost_cards"][place]
                if position != first and not is_open(state, rules, seat, position):
                    fits = False
                fame -= rules["cost_fame"][place]
                cards -= rules["cost_cards"][place]
                if place == HOT_TUB:
                    fame += rules["tub_fame"]
                score += plan["net"][position]
        if fits and score > best:
            best = score
    return best + w[VILLAGE_LEFT] * payable_ahead(state, rules, seat, first)


@kernel
def payable_ahead(state, rules, seat, first):
    """Places further right that are open and could be paid now."""
    count = 0
    for position in range(first + 1, PLACES):
        if is_open(state, rules, seat, position):
            if can_pay(state, rules, seat, rules["place_at"][position]):
                count += 1
    return count


# ------------------------------------------------------------------------------- paying a card
@kernel
def loss_of(state, rules, plan, w, card):
    """What the hand loses with a card."""
    copy_hand(plan)
    before = hand_score(
        state, rules, plan, w, plan["fade"], plan["cards"], plan["yetis"], plan["best"],
        plan["style"], plan["second"],
    )  # fmt: skip
    sizes = plan["best"] + 0.1 * plan["second"]
    take_out(plan, card)
    measure(plan, plan["rest"], plan["rest_count"], plan["rest_yetis"])
    after = hand_score(
        state, rules, plan, w, plan["fade"], plan["rest_cards"], plan["rest_yetis"], plan["best"],
        plan["style"], plan["second"],
    )  # fmt: skip
    sizes -= plan["best"] + 0.1 * plan["second"]
    measure(plan, plan["hand"], plan["count"], plan["yetis"])
    return before - after + 0.01 * sizes


@kernel
def least_loss(state, rules, plan, w):
    """Loss of the card that is missed least."""
    least = 0.0
    found = False
    for card in range(TYPES):
        if plan["hand"][card] > 0:
            loss = loss_of(state, rules, plan, w, card)
            if not found or loss < least:
                least = loss
                found = True
    return least


# ------------------------------------------------------------------------------- Let It Ride
@kernel
def colour_unseen(state, rules, seat, colour):
    """Share of the unseen cards that match a colour."""
    total = 0
    matching = 0
    for card in range(TYPES):
        left = unseen(state, rules, seat, card)
        total += left
        if card == YETI:
            if rules["let_it_ride_yeti_matches"] == 1:
                matching += left
        elif card // STYLES == colour:
            matching += left
    return matching / total if total > 0 else 0.0


@kernel
def least_match(state, rules, seat):
    """Chance that no shown card has the rarest colour: then more are drawn."""
    least = 1.0
    for colour in range(COLOURS):
        least = min(least, colour_unseen(state, rules, seat, colour))
    miss = 1.0
    for _ in range(rules["ride_show"]):
        miss *= 1.0 - least
    return miss


# ------------------------------------------------------------------------------- Yodeling
@kernel
def marker_worth(state, rules, board, plan, w, run, style):
    """What a style marker on a run may bring: fame of the bonus, as far as the hand fits it."""
    if run < 0 or top_seat(state, run) == plan["seat"]:
        return 0.0
    seat = plan["seat"]
    need = need_of(state, rules, board, seat, run)
    share = min(1.0, (plan["count"][COLOURS + style] + plan["yetis"]) / need)
    fame = rules["fame"][board["difficulty"][run]] * (rules["style_factor"] - 1)
    worth = (w[FAME] * fame + w[STYLE_HIT]) * _SWAP_SHARE + w[STYLE_NEAR]
    return worth * share * share


@kernel
def swap_gain(state, rules, board, plan, w, run, code):
    """Gain of a swap: of two markers on runs, or with the supply."""
    style = state["style"][run]
    if code >= SWAP_SUPPLY:
        other = -1
        taken = code - SWAP_SUPPLY
    else:
        other = code
        taken = state["style"][code]
    gain = marker_worth(state, rules, board, plan, w, run, taken)
    gain += marker_worth(state, rules, board, plan, w, other, style)
    gain -= marker_worth(state, rules, board, plan, w, run, style)
    return gain - marker_worth(state, rules, board, plan, w, other, taken)


@kernel
def best_swap(state, rules, board, plan, w, run):
    """Gain of the best partner for the marker of a run."""
    best = -1.0e9
    style = state["style"][run]
    for other in range(board["n_runs"]):
        if state["style"][other] >= 0 and state["style"][other] != style:
            best = max(best, swap_gain(state, rules, board, plan, w, run, other))
    if supply_open(state, rules):
        for other in range(STYLES):
            if other != style and state["supply"][other] > 0:
                code = SWAP_SUPPLY + other
                best = max(best, swap_gain(state, rules, board, plan, w, run, code))
    return best


# ------------------------------------------------------------------------------- the Hotel
@kernel
def purchase_score(state, rules, w, seat, gear):
    """GEAR: what the card is worth less its price, fame at what it is worth at the end."""
    cost = price(state, rules, seat, gear)
    spare = w[FAME] if w[GEAR_VP] == 0.0 else min(w[FAME], w[VP] / rules["fame_per_vp"])
    return gear_score(state, rules, w, seat, gear) - spare * cost


@kernel
def lodge_score(state, rules, board, plan, w, node):
    """LODGE: height, and the runs from there, with a day's actions to come."""
    today = rules["daylight"] * rules["actions"]
    reach = reach_of(plan, plan["best"], plan["cards"])
    score = w[SNOW_HEIGHT] * board["height"][node] / board["highest"]
    return score + place_score(
        state, rules, board, plan, w, node, reach, plan["second"], today, plan["fade"]
    )
