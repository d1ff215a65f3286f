"""Taking slope cards: Train, and the cards of Happy Hour (rulebook: Action: Train, Happy Hour)."""

from __future__ import annotations

from simulate.games.skull_canyon.cards import (
    can_draw,
    draw_to_hand,
    fill_row,
    in_row,
    shows_card,
    to_hand,
)
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import has, note_use
from simulate.games.skull_canyon.state import (
    EVENT_TAKE,
    JOURNAL,
    JOURNAL_ANY_ORDER,
    JOURNAL_ONE_YETI,
    TAKE_DECK,
    TAKE_HAPPY,
    TAKE_ROW,
    TAKE_STOP,
    TAKE_TRAIN,
    TYPES,
    YETI,
)
from simulate.jit import kernel
from simulate.options import offer

_NOT_ALLOWED = 1000


@kernel
def can_train(state, rules):
    """True when at least one card can be taken (SC-DEC-13, SC-EDGE-03)."""
    return shows_card(state, rules) or can_draw(state, rules)


@kernel
def begin_taking(state, what, budget):
    """Start a Train (no budget), or Happy Hour."""
    state["take_for"] = what
    state["taken"] = 0
    state["budget"] = budget
    state["row_yetis"] = 0


@kernel
def yeti_in_train(state, rules, seat):
    """True when a face-up Yeti may be taken now in a Train (SC-TRAIN-03, -04, SC-GEAR-JOURNAL)."""
    if state["taken"] == 0:
        return True
    if has(state, seat, JOURNAL) and rules["journal_train"] == JOURNAL_ANY_ORDER:
        return state["row_yetis"] == 0
    return False


@kernel
def happy_cost(state, rules, seat, card):
    """What a face-up card counts at Happy Hour (SC-LOC-03, SC-GEAR-JOURNAL)."""
    if card != YETI:
        return 1
    if not has(state, seat, JOURNAL):
        return rules["happy_yeti"]
    if state["row_yetis"] == 0:
        return 1
    if rules["journal_happy_hour"] == JOURNAL_ONE_YETI:
        return _NOT_ALLOWED
    return rules["happy_yeti"]


@kernel
def list_take(state, rules, work, seat):
    """TAKE: the deck, each different type of the row that is allowed, stop (SC-TRAIN-01 to -05)."""
    train = state["take_for"] == TAKE_TRAIN
    if train:
        if state["taken"] >= rules["train_cards"]:
            return
    elif state["budget"] <= 0:
        return
    if can_draw(state, rules):
        offer(work, TAKE_DECK)
    for card in range(TYPES):
        if in_row(state, rules, card) >= 0:
            if train:
                if card != YETI or yeti_in_train(state, rules, seat):
                    offer(work, TAKE_ROW + card)
            elif happy_cost(state, rules, seat, card) <= state["budget"]:
                offer(work, TAKE_ROW + card)
    if train:
        if state["taken"] > 0:
            offer(work, TAKE_STOP)
    elif rules["happy_hour_exact"] == 0:
        offer(work, TAKE_STOP)


@kernel
def resolve_take(state, rules, work, events, seat, code):
    """Take a card; True when the action is over. A row card is replaced at once (SC-TRAIN-02)."""
    if code == TAKE_STOP:
        return True
    note_journal(state, rules, seat, code)
    if code == TAKE_DECK:
        card = draw_to_hand(state, rules, work, events, seat, 0)
        emit(state, events, EVENT_TAKE, seat, 0, card, -1, state["take_for"], 0, 0)
        state["taken"] += 1
        state["budget"] -= 1
        return False
    card = code - TAKE_ROW
    cost = happy_cost(state, rules, seat, card)
    slot = in_row(state, rules, card)
    state["slots"][slot] = -1
    to_hand(state, seat, card, 1)
    state["seat_rows"][seat]["cards_row"] += 1
    emit(state, events, EVENT_TAKE, seat, 1, card, slot, state["take_for"], 0, 0)
    state["budget"] -= cost
    if card == YETI:
        state["row_yetis"] += 1
    state["taken"] += 1
    fill_row(state, rules, work, events)
    if state["take_for"] == TAKE_TRAIN and card == YETI:
        return not has(state, seat, JOURNAL)
    return False


@kernel
def note_journal(state, rules, seat, code):
    """Field Journal has an effect: a cheaper Yeti, a Yeti as second card, a card after a Yeti."""
    if not has(state, seat, JOURNAL):
        return
    is_yeti = code == TAKE_ROW + YETI
    if state["take_for"] == TAKE_HAPPY:
        helped = is_yeti and state["row_yetis"] == 0
    else:
        helped = state["taken"] > 0 and (is_yeti or state["row_yetis"] > 0)
    if helped:
        note_use(state, rules, seat, JOURNAL)
