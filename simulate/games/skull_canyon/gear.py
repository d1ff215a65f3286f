"""Gear cards: the row, buying, owning (rulebook: Gear Cards; spec 5.4).

What an ability does stands in the chapter it changes; ``note_use`` counts its effects.
"""

from __future__ import annotations

from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.fame import pay_fame
from simulate.games.skull_canyon.state import (
    EVENT_GEAR,
    EVENT_GEAR_OUT,
    EVENT_GEAR_ROW,
    FAME_GEAR,
    NONE,
)
from simulate.jit import kernel
from simulate.options import offer


@kernel
def has(state, seat, ability):
    """True when a seat's gear has an ability that works."""
    return state["able"][seat, ability] == 1


@kernel
def note_use(state, rules, seat, ability):
    """Count an effect of an ability for the gear that gives it."""
    for gear in range(rules["n_gear"]):
        if rules["gear_ability"][gear] == ability and state["owned"][seat, gear] > 0:
            state["seat_rows"][seat]["gear_use"][gear] += 1
            return


@kernel
def own(state, rules, seat, gear):
    """A seat owns a card: its ability works at once; a twin adds nothing (spec 2.3)."""
    state["owned"][seat, gear] += 1
    ability = rules["gear_ability"][gear]
    if ability != NONE and state["treatment"][seat]["gear_off"] != 1 + gear:
        state["able"][seat, ability] = 1


@kernel
def reveal_gear(state, rules, events):
    """Fill the gear row from the deck, as far as it goes (SC-SETUP-08, SC-EDGE-34)."""
    for slot in range(rules["gear_row"]):
        if state["gear_deck_n"] == 0:
            return
        gear = state["gear_deck"][state["gear_at"]]
        state["gear_at"] += 1
        state["gear_deck_n"] -= 1
        state["gear_row"][slot] = gear
        emit(state, events, EVENT_GEAR_ROW, -1, slot, gear, 0, 0, 0, 0)


@kernel
def renew_gear(state, rules, events):
    """Discard unsold gear and reveal new gear (SC-NEXT-01)."""
    for slot in range(rules["gear_row"]):
        gear = state["gear_row"][slot]
        if gear >= 0:
            state["gear_out"][gear] += 1
            emit(state, events, EVENT_GEAR_OUT, -1, slot, gear, 0, 0, 0, 0)
        state["gear_row"][slot] = -1
    reveal_gear(state, rules, events)


@kernel
def gear_slot(state, rules, gear):
    """Slot of the row that shows a kind of gear, -1 if none does."""
    for slot in range(rules["gear_row"]):
        if state["gear_row"][slot] == gear:
            return slot
    return -1


@kernel
def price(state, rules, seat, gear):
    """What a seat pays for gear (an experiment may shift it)."""
    return max(0, rules["gear_cost"][gear] + state["treatment"][seat]["price_shift"])


@kernel
def may_buy(state, rules, seat, gear):
    """True for buyable gear of the row that the seat can pay (SC-HOTEL-02, SC-GEAR-NONE)."""
    if rules["gear_buyable"][gear] == 0 or gear_slot(state, rules, gear) < 0:
        return False
    if state["treatment"][seat]["gear_ban"] == 1 + gear:
        return False
    return price(state, rules, seat, gear) <= state["fame"][seat]


@kernel
def list_gear(state, rules, work, seat):
    """GEAR: none, each different buyable card in the row with cost at most own fame."""
    offer(work, 0)
    for gear in range(rules["n_gear"]):
        if may_buy(state, rules, seat, gear):
            offer(work, 1 + gear)


@kernel
def buy(state, rules, events, seat, gear):
    """Pay and take the card; the gap is not filled (SC-HOTEL-02)."""
    cost = price(state, rules, seat, gear)
    pay_fame(state, events, seat, FAME_GEAR, cost)
    state["gear_row"][gear_slot(state, rules, gear)] = -1
    own(state, rules, seat, gear)
    state["game_rows"][0]["gear_bought"] += 1
    emit(state, events, EVENT_GEAR, seat, gear, cost, 0, 0, 0, 0)
