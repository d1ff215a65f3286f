"""Village places and their actions (rulebook: Ski Village Locations)."""

from __future__ import annotations

from simulate.games.skull_canyon.cards import (
    after_discard,
    draw_top,
    forget_shown,
    from_hand,
    lay_off,
    to_hand,
)
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.fame import gain_fame
from simulate.games.skull_canyon.state import (
    COLOURS,
    EVENT_COLOUR,
    EVENT_PAY,
    EVENT_SHOW,
    EVENT_SWAP,
    EVENT_TAKE,
    EVENT_TOKEN,
    FAME_TUB,
    HAPPY_HOUR,
    HOT_TUB,
    PC_COLOUR,
    PC_PLACE,
    PC_SWAP1,
    PC_TAKE,
    PC_VILLAGE,
    SKI_SWAP,
    STYLES,
    SWAP_SUPPLY,
    TAKE_HAPPY,
    TYPES,
    YETI,
    YODELING,
)
from simulate.games.skull_canyon.train import begin_taking
from simulate.jit import kernel
from simulate.options import offer

_SHOWN_BY_RIDE = 1
_MORE_OF_RIDE = 2
_EXPLOSIVE, _TICKET = 0, 1


# ------------------------------------------------------------------------------- paying cards
@kernel
def list_pay(state, work, seat):
    """PAY: each type in hand (SC-VIL-06)."""
    for card in range(TYPES):
        if state["hand"][seat, card] > 0:
            offer(work, card)


@kernel
def resolve_pay(state, events, seat, card):
    """One card of the cost."""
    from_hand(state, seat, card)
    forget_shown(state, seat, card)
    state["paid"][card] += 1
    state["pay_left"] -= 1
    state["seat_rows"][seat]["cards_paid"] += 1
    emit(state, events, EVENT_PAY, seat, card, 0, 0, 0, 0, 0)


@kernel
def end_paying(state, rules, work, events):
    """A payment goes to the discard pile as one event (SC-DECK-03); then the action."""
    paid = False
    for card in range(TYPES):
        if state["paid"][card] > 0:
            paid = True
            lay_off(state, card, state["paid"][card])
    if paid:
        after_discard(state, rules, work, events)
    state["pc"] = PC_PLACE


# ------------------------------------------------------------------------------- the actions
@kernel
def act_at_place(state, rules, events, seat):
    """The action of the place just paid (SC-LOC-01 to SC-LOC-05)."""
    place = rules["place_at"][state["position"][seat]]
    state["pc"] = PC_VILLAGE
    if place == HOT_TUB:
        gain_fame(state, events, seat, FAME_TUB, rules["tub_fame"])
    elif place == YODELING:
        state["pc"] = PC_SWAP1
    elif place == HAPPY_HOUR:
        begin_taking(state, TAKE_HAPPY, rules["happy_take"])
        state["pc"] = PC_TAKE
    elif place == SKI_SWAP:
        gain_tokens(state, rules, events, seat, _TICKET)
    else:
        state["pc"] = PC_COLOUR


@kernel
def gain_tokens(state, rules, events, seat, token):
    """Tokens from the supply, as many as it has (SC-LOC-02, SC-LOC-04)."""
    if token == _TICKET:
        count = min(rules["swap_tickets"], state["tickets_left"])
        state["tickets"][seat] += count
        state["tickets_left"] -= count
        left = state["tickets_left"]
    else:
        count = min(rules["yodel_explosives"], state["explosives_left"])
        state["explosives"][seat] += count
        state["explosives_left"] -= count
        left = state["explosives_left"]
    if count > 0:
        emit(state, events, EVENT_TOKEN, seat, token, count, left, 0, 0, 0)


@kernel
def gain_explosive(state, rules, events, seat):
    """The second half of Yodeling (SC-LOC-02)."""
    gain_tokens(state, rules, events, seat, _EXPLOSIVE)


# ------------------------------------------------------------------------------- Yodeling
@kernel
def supply_open(state, rules):
    """True when markers of the supply may be swapped (SC-LOC-02, SC-SCOPE-05)."""
    return (rules["yodel_supply_players"] >> state["n_seats"]) & 1 == 1


@kernel
def list_swap2(state, rules, board, work, run):
    """SWAP2: other runs whose marker has another style; other styles of the supply."""
    style = state["style"][run]
    for other in range(board["n_runs"]):
        if state["style"][other] >= 0 and state["style"][other] != style:
            offer(work, other)
    if supply_open(state, rules):
        for other in range(STYLES):
            if other != style and state["supply"][other] > 0:
                offer(work, SWAP_SUPPLY + other)


@kernel
def list_swap1(state, rules, board, work):
    """SWAP1: none; each run with a marker that has a partner."""
    offer(work, 0)
    styles = 0
    for run in range(board["n_runs"]):
        if state["style"][run] >= 0:
            styles = styles | (1 << state["style"][run])
    if supply_open(state, rules):
        for style in range(STYLES):
            if state["supply"][style] > 0:
                styles = styles | (1 << style)
    for run in range(board["n_runs"]):
        style = state["style"][run]
        if style >= 0 and styles & ~(1 << style) != 0:
            offer(work, 1 + run)


@kernel
def resolve_swap(state, events, seat, code):
    """Two markers change places, or one with the supply."""
    run = state["swap_run"]
    style = state["style"][run]
    if code < SWAP_SUPPLY:
        other = state["style"][code]
        state["style"][code] = style
        emit(state, events, EVENT_SWAP, seat, run, style, code, other, 0, 0)
    else:
        other = code - SWAP_SUPPLY
        state["supply"][other] -= 1
        state["supply"][style] += 1
        emit(state, events, EVENT_SWAP, seat, run, style, -1, other, 0, 0)
    state["style"][run] = other


# ------------------------------------------------------------------------------- Let It Ride
@kernel
def let_it_ride(state, rules, work, events, seat, colour):
    """Show and keep cards; more, not shown, if none has the colour (SC-LOC-05, SC-EDGE-26)."""
    emit(state, events, EVENT_COLOUR, seat, colour, 0, 0, 0, 0, 0)
    hit = False
    for _ in range(rules["ride_show"]):
        card = draw_top(state, rules, work, events)
        if card < 0:
            break
        to_hand(state, seat, card, 1)
        state["seat_rows"][seat]["cards_drawn"] += 1
        emit(state, events, EVENT_SHOW, seat, card, 1, _SHOWN_BY_RIDE, 0, 0, 0)
        if card == YETI:
            if rules["let_it_ride_yeti_matches"] == 1:
                hit = True
        elif card // STYLES == colour:
            hit = True
    if hit:
        return
    for _ in range(rules["ride_more"]):
        card = draw_top(state, rules, work, events)
        if card < 0:
            break
        to_hand(state, seat, card, 0)
        state["seat_rows"][seat]["cards_drawn"] += 1
        emit(state, events, EVENT_TAKE, seat, 0, card, -1, _MORE_OF_RIDE, 0, 0)


@kernel
def list_colours(work):
    """COLOUR: red, yellow, blue."""
    for colour in range(COLOURS):
        offer(work, colour)
