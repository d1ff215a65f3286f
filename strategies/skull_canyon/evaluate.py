"""Score of an option: what its certain effects do to the features of its seat (spec section 10).

Cards that may come are worth their mean over what the seat has not seen; nothing is drawn and no
position is copied.
"""

from __future__ import annotations

from simulate.games.skull_canyon.gear import has
from simulate.games.skull_canyon.state import (
    ACT_END,
    ACT_EXPLOSIVE,
    ACT_LIFT,
    ACT_POLES,
    ACT_SKI,
    ACT_TICKET,
    ACT_TICKET_POLES,
    ACT_TRAIN,
    ASK_ACT,
    ASK_CLAIM,
    ASK_COLOUR,
    ASK_GEAR,
    ASK_GOGGLES,
    ASK_LODGE,
    ASK_MOVE,
    ASK_PAY,
    ASK_SLIDE,
    ASK_SWAP1,
    ASK_SWAP2,
    ASK_TAKE,
    JOURNAL,
    PASS,
    SLIDE_PAY,
    STAGE_VILLAGE,
    TAKE_DECK,
    TAKE_ROW,
    TAKE_STOP,
    TAKE_TRAIN,
    YES,
    YETI,
)
from simulate.games.skull_canyon.train import happy_cost
from simulate.jit import kernel
from strategies.skull_canyon.clock import fade_of, see_clock
from strategies.skull_canyon.evening import (
    best_swap,
    colour_unseen,
    lodge_score,
    loss_of,
    purchase_score,
    swap_gain,
    way_score,
)
from strategies.skull_canyon.hand import score_now, see_gains, see_hand, unseen
from strategies.skull_canyon.mischief import own_slide, rivals_slide, yeti_score
from strategies.skull_canyon.place import early_score, reach_of, slide_end
from strategies.skull_canyon.plan_state import (
    ACTION,
    EXPL,
    FAME,
    TICK,
    VP,
)
from strategies.skull_canyon.runs import see_run
from strategies.skull_canyon.target import ANY_KEY, best_set


@kernel
def look(state, rules, plan):
    """Take up what the asked seat sees: its hand and the clock. What was looked up is stale."""
    seat = state["to_move"]
    plan["stamp"] += 1
    plan["seat"] = seat
    see_hand(state, plan, seat)
    see_clock(state, rules, plan, seat)


@kernel
def option_score(state, rules, work, plan, w, code):
    """Score of an option of the question asked."""
    question = state["phase"]
    seat = plan["seat"]
    board = rules["boards"][state["board"]]
    if question == ASK_ACT:
        return act_score(state, rules, board, plan, w, code)
    if question == ASK_TAKE:
        return take_score(state, rules, board, work, plan, w, code)
    if question == ASK_CLAIM:
        if code != YES:
            return 0.0
        see_run(state, rules, board, plan, w, state["skied"])
        return plan["claim_value"][state["skied"]]
    if question == ASK_SLIDE:
        return slide_score(state, rules, board, plan, w, code)
    if question == ASK_MOVE:
        return way_score(state, rules, plan, w, code)
    if question == ASK_PAY:
        return -loss_of(state, rules, plan, w, code)
    if question == ASK_GEAR:
        return purchase_score(state, rules, w, seat, code - 1) if code > 0 else 0.0
    if question == ASK_SWAP1:
        return best_swap(state, rules, board, plan, w, code - 1) if code > 0 else 0.0
    if question == ASK_SWAP2:
        return swap_gain(state, rules, board, plan, w, state["swap_run"], code)
    if question == ASK_COLOUR:
        return -colour_unseen(state, rules, seat, code)
    if question == ASK_LODGE:
        return lodge_score(state, rules, board, plan, w, code)
    if question == ASK_GOGGLES:
        return w[VP] - w[FAME] if code == YES else 0.0
    return yeti_score(state, rules, board, plan, state["node"][seat], code)


# ------------------------------------------------------------------------------- a turn
@kernel
def stand_score(state, rules, board, plan, w, node, today):
    """Score with the present hand on a node and that many actions left today."""
    left = today + plan["later"]
    score = score_now(state, rules, board, plan, w, node, today, fade_of(left))
    return score + early_score(state, rules, board, plan, w, node) + w[ACTION] * left


@kernel
def act_score(state, rules, board, plan, w, code):
    """ACT: the state that the option leads to."""
    seat = plan["seat"]
    node = state["node"][seat]
    today = plan["today"]
    if code == ACT_END:
        return stand_score(state, rules, board, plan, w, node, today - state["actions"])
    if code == ACT_TRAIN:
        score = stand_score(state, rules, board, plan, w, node, today - 1)
        return score + train_gain(state, rules, board, plan, w, node, today - 1)
    if code < ACT_POLES:
        return ride_score(state, rules, board, plan, w, code - ACT_LIFT, today - 1)
    if code < ACT_SKI:
        return ride_score(state, rules, board, plan, w, code - ACT_POLES, today - 1)
    if code < ACT_TICKET:
        return best_set(state, rules, board, plan, w, code - ACT_SKI, ANY_KEY, today - 1)
    if code < ACT_EXPLOSIVE:
        to = code - ACT_TICKET if code < ACT_TICKET_POLES else code - ACT_TICKET_POLES
        score = ride_score(state, rules, board, plan, w, to, today)
        return score - w[TICK] * plan["fade"]
    return explosive_score(state, rules, board, plan, w, node, today)


@kernel
def ride_score(state, rules, board, plan, w, node, today):
    """Up to a node; a Season Pass may show a Yeti."""
    score = stand_score(state, rules, board, plan, w, node, today)
    if has(state, plan["seat"], PASS):
        left = unseen(state, rules, plan["seat"], YETI)
        total = left
        for card in range(YETI):
            total += unseen(state, rules, plan["seat"], card)
        if total > 0:
            see_gains(state, rules, board, plan, w, node, today, plan["fade"])
            score += plan["gain"][YETI] * left / total
    return score


@kernel
def explosive_score(state, rules, board, plan, w, node, today):
    """An explosive: rivals slide, and so does the seat, unless at the base."""
    reach = reach_of(plan, plan["best"], plan["cards"])
    end = node
    score = 0.0
    if node != board["base"]:
        end = slide_end(
            state, rules, board, plan, w, node, reach, plan["second"], today, plan["fade"]
        )
        score = own_slide(state, rules, board, w, node, end)
    score += rivals_slide(state, rules, board, plan, w) - w[EXPL] * plan["fade"]
    return score + stand_score(state, rules, board, plan, w, end, today)


@kernel
def slide_score(state, rules, board, plan, w, code):
    """SLIDE: the node with the highest worth after the slide; staying costs a fame."""
    node = state["node"][plan["seat"]]
    if code == SLIDE_PAY:
        score = stand_score(state, rules, board, plan, w, node, plan["today"])
        return score - w[FAME]
    score = own_slide(state, rules, board, w, node, code)
    return score + stand_score(state, rules, board, plan, w, code, plan["today"])


# ------------------------------------------------------------------------------- taking cards
@kernel
def best_take(state, rules, plan, yetis, but):
    """Worth of the best single card: of the deck, or of the row except slot ``but``."""
    best = plan["deck_gain"]
    for slot in range(rules["row"]):
        card = state["slots"][slot]
        if slot != but and card >= 0 and (card != YETI or yetis):
            best = max(best, plan["gain"][card])
    return best


@kernel
def first_of(state, rules, card):
    """Slot of a card of the row."""
    slot = 0
    while state["slots"][slot] != card:
        slot += 1
    return slot


@kernel
def after_take(state, rules, plan, card, taken):
    """Train: worth of the cards that may still be taken after a card of the row (-1: the deck)."""
    left = rules["train_cards"] - taken - 1
    if left <= 0:
        return 0.0
    if card < 0:
        return left * best_take(state, rules, plan, False, -1)
    if card == YETI and not has(state, plan["seat"], JOURNAL):
        return 0.0
    return left * best_take(state, rules, plan, False, first_of(state, rules, card))


@kernel
def train_gain(state, rules, board, plan, w, node, today):
    """Worth of the cards of a Train."""
    see_gains(state, rules, board, plan, w, node, today, fade_of(today + plan["later"]))
    best = plan["deck_gain"] + after_take(state, rules, plan, -1, 0)
    for slot in range(rules["row"]):
        card = state["slots"][slot]
        if card >= 0:
            best = max(best, plan["gain"][card] + after_take(state, rules, plan, card, 0))
    return best


@kernel
def take_score(state, rules, board, work, plan, w, code):
    """TAKE: a card, and those that may still follow."""
    if code == TAKE_STOP:
        return 0.0
    seat = plan["seat"]
    node = state["node"][seat]
    if state["stage"] == STAGE_VILLAGE:
        node = board["base"]
    see_gains(state, rules, board, plan, w, node, plan["today"], plan["fade"])
    card = -1 if code == TAKE_DECK else code - TAKE_ROW
    score = plan["deck_gain"] if card < 0 else plan["gain"][card]
    if state["take_for"] == TAKE_TRAIN:
        return score + after_take(state, rules, plan, card, state["taken"])
    cost = 1 if card < 0 else happy_cost(state, rules, seat, card)
    return score + (state["budget"] - cost) * best_take(state, rules, plan, False, -1)
