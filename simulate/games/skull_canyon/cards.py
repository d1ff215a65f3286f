"""Slope cards: deck, discard pile, row and hands (rulebook: Action: Train, 3 Yetis)."""

from __future__ import annotations

from simulate.games.skull_canyon.chance import draw_reshuffle
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.state import (
    EVENT_RESET,
    EVENT_ROW,
    EVENT_SHUFFLE,
    TYPES,
    WHEN_EMPTY,
    WHEN_NEEDED,
    YETI,
)
from simulate.jit import kernel

_PER_NUMBER = 15  # cards packed in a number of an event, four bits each
_PER_ROW = 90  # cards of an event row


@kernel
def can_draw(state, rules):
    """True when a card can be drawn from the deck (SC-DECK-01, SC-DECK-02)."""
    if state["deck_n"] > 0:
        return True
    return rules["reshuffle"] == WHEN_NEEDED and state["discards_n"] > 0


@kernel
def reshuffle(state, work, events):
    """All discards become the new deck (SC-DECK-01)."""
    state["shuffles"] += 1
    state["game_rows"][0]["reshuffles"] += 1
    draw_reshuffle(state, work)
    for card in range(TYPES):
        state["discards"][card] = 0
    state["discards_n"] = 0
    tell_order(state, events)


@kernel
def packed(state, start, end):
    """Cards ``start`` … of the deck in one number, at most 15 and not beyond ``end``."""
    number = 0
    for index in range(min(start + _PER_NUMBER, end) - 1, start - 1, -1):
        number = number * TYPES + state["deck"][state["deck_at"] + index]
    return number


@kernel
def tell_order(state, events):
    """The new order of the deck as event rows: 90 cards a row, six numbers of 15."""
    if len(events) == 0:
        return
    count = state["deck_n"]
    start = 0
    while start < count:
        emit(
            state, events, EVENT_SHUFFLE, count if start == 0 else -1,
            packed(state, start, count), packed(state, start + 15, count),
            packed(state, start + 30, count), packed(state, start + 45, count),
            packed(state, start + 60, count), packed(state, start + 75, count),
        )  # fmt: skip
        start += _PER_ROW


@kernel
def draw_top(state, rules, work, events):
    """The top card, -1 if there is none; an emptied deck is made anew at once (SC-DECK-01)."""
    if state["deck_n"] == 0:
        if not can_draw(state, rules):
            return -1
        reshuffle(state, work, events)
    card = state["deck"][state["deck_at"]]
    state["deck_at"] += 1
    state["deck_n"] -= 1
    state["min_deck"] = min(state["min_deck"], state["deck_n"])
    if state["deck_n"] == 0 and state["discards_n"] > 0 and rules["reshuffle"] == WHEN_EMPTY:
        reshuffle(state, work, events)
    return card


@kernel
def lay_off(state, card, count):
    """Put cards of a type on the discard pile; ``after_discard`` ends the event."""
    state["discards"][card] += count
    state["discards_n"] += count


@kernel
def after_discard(state, rules, work, events):
    """The end of a discard event: an empty deck is made anew, then the row filled (SC-DECK-03)."""
    if state["deck_n"] == 0 and rules["reshuffle"] == WHEN_EMPTY:
        reshuffle(state, work, events)
    fill_row(state, rules, work, events)


@kernel
def fill_row(state, rules, work, events):
    """SC-DECK-04 to SC-DECK-06: fill empty slots, reset a row of three Yetis, again and again."""
    while True:
        for slot in range(rules["row"]):
            if state["slots"][slot] < 0:
                card = draw_top(state, rules, work, events)
                if card >= 0:
                    state["slots"][slot] = card
                    emit(state, events, EVENT_ROW, -1, slot, card, 0, 0, 0, 0)
        if not must_reset(state, rules):
            return
        state["game_rows"][0]["row_resets"] += 1
        emit(state, events, EVENT_RESET, -1, 0, 0, 0, 0, 0, 0)
        for slot in range(rules["row"]):
            if state["slots"][slot] >= 0:
                lay_off(state, state["slots"][slot], 1)
                state["slots"][slot] = -1


@kernel
def must_reset(state, rules):
    """SC-DECK-05, and SC-DECK-06: a reset that could never end is left out."""
    yetis = 0
    others = state["discards_n"] - state["discards"][YETI]
    for slot in range(rules["row"]):
        if state["slots"][slot] == YETI:
            yetis += 1
        elif state["slots"][slot] >= 0:
            others += 1
    if yetis < rules["yeti_reset"]:
        return False
    below = 0
    for index in range(state["deck_n"]):
        if state["deck"][state["deck_at"] + index] != YETI:
            others += 1
        else:
            below += 1
    halves = state["discards_n"] == 0 and state["deck_n"] == rules["row"]
    if halves and below >= rules["yeti_reset"] and rules["reshuffle"] == WHEN_EMPTY:
        return False  # row and deck would change places for ever
    return others >= rules["row"] - rules["yeti_reset"] + 1


@kernel
def in_row(state, rules, card):
    """Lowest slot that shows a type, -1 if none does."""
    for slot in range(rules["row"]):
        if state["slots"][slot] == card:
            return slot
    return -1


@kernel
def shows_card(state, rules):
    """True when the row shows a card."""
    for slot in range(rules["row"]):
        if state["slots"][slot] >= 0:
            return True
    return False


@kernel
def to_hand(state, seat, card, shown):
    """A card goes to a hand; ``shown`` 1: all have seen it."""
    state["hand"][seat, card] += 1
    state["cards"][seat] += 1
    if shown == 1:
        state["known"][seat, card] += 1
    if card == YETI:
        state["seat_rows"][seat]["yetis_got"] += 1


@kernel
def draw_to_hand(state, rules, work, events, seat, shown):
    """Draw one card to a hand: its type, -1 if there was none."""
    card = draw_top(state, rules, work, events)
    if card >= 0:
        to_hand(state, seat, card, shown)
        state["seat_rows"][seat]["cards_drawn"] += 1
    return card


@kernel
def from_hand(state, seat, card):
    """A card leaves a hand."""
    state["hand"][seat, card] -= 1
    state["cards"][seat] -= 1


@kernel
def forget_shown(state, seat, card):
    """A card of a type was laid open from a hand: one fewer that all know to be there."""
    if state["known"][seat, card] > 0:
        state["known"][seat, card] -= 1
