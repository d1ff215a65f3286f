"""Sets of slope cards: keys, the Ramp pair, single cards (rulebook: Step 1: Play a Set)."""

from __future__ import annotations

from simulate.games.skull_canyon.cards import (
    after_discard,
    forget_shown,
    from_hand,
    lay_off,
)
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import has, note_use
from simulate.games.skull_canyon.state import (
    ADD_STOP,
    ADVANCED,
    BLING,
    CLAIM_NONE,
    COLOURS,
    EVENT_SKI,
    KEYS,
    RAMP,
    STYLES,
    TYPES,
    YETI,
)
from simulate.jit import kernel
from simulate.options import offer

_HALF = 8  # types packed in one number of an event
_PACK = 256


@kernel
def matches(card, key):
    """True when a card shows a key; Yetis show every key (SC-SET-01)."""
    if card == YETI:
        return True
    if key < COLOURS:
        return card // STYLES == key
    return card % STYLES == key - COLOURS


@kernel
def need_of(state, rules, board, seat, run):
    """Cards to ski a run (SC-SET-02, SC-GEAR-BLING)."""
    difficulty = board["difficulty"][run]
    need = rules["cards"][difficulty]
    if difficulty == ADVANCED and has(state, seat, BLING):
        need -= 1
    return max(need, 1)


@kernel
def ramp_ready(state, seat):
    """True when a Ramp pair may be played now (SC-GEAR-RAMP)."""
    return has(state, seat, RAMP) and state["ramp_used"] == 0


@kernel
def matching(state, seat, key):
    """Cards of the hand that show a key, Yetis included."""
    hand = state["hand"]
    count = hand[seat, YETI]
    if key < COLOURS:
        for style in range(STYLES):
            count += hand[seat, key * STYLES + style]
    else:
        for colour in range(COLOURS):
            count += hand[seat, colour * STYLES + key - COLOURS]
    return count


@kernel
def largest_set(state, rules, seat, key, exact):
    """Size of the largest set of a key (SC-SET-03); ``exact`` 1: with exactly one Yeti."""
    fitting = matching(state, seat, key)
    rest = state["cards"][seat] - fitting
    ramp = ramp_ready(state, seat)
    if exact == 0:
        return fitting + 1 if ramp and rest >= 2 else fitting
    yetis = state["hand"][seat, YETI]
    if yetis == 0:
        return 0
    size = fitting - yetis + 1
    spare = rest if rules["ramp_yeti_counts"] == 1 else rest + yetis - 1
    return size + 1 if ramp and spare >= 2 else size


@kernel
def largest_of_all(state, rules, seat, exact):
    """Size of the largest set of any key."""
    best = 0
    for key in range(KEYS):
        best = max(best, largest_set(state, rules, seat, key, exact))
    return best


@kernel
def list_key(state, rules, work, seat, need):
    """KEY: each key whose largest set reaches the need."""
    for key in range(KEYS):
        if largest_set(state, rules, seat, key, state["exact"]) >= need:
            offer(work, key)


# ------------------------------------------------------------------------------- the Ramp pair
@kernel
def size_with_pair(state, rules, seat, first, second):
    """Largest set with a pair of two types of the hand; 0 where it cannot be legal."""
    key = state["key"]
    left = matching(state, seat, key)
    yetis = state["hand"][seat, YETI]
    counted = 0
    if matches(first, key):
        left -= 1
    if matches(second, key):
        left -= 1
    if first == YETI:
        yetis -= 1
        counted += 1
    if second == YETI:
        yetis -= 1
        counted += 1
    if state["exact"] == 0:
        return left + 1
    if rules["ramp_yeti_counts"] == 0:
        counted = 0
    if counted > 1:
        return 0
    if counted == 1:
        return left - yetis + 1
    return left - yetis + 2 if yetis > 0 else 0


@kernel
def pair_fits(state, rules, seat, need, first, second):
    """True when the hand holds both cards and the set can still reach the need."""
    held = state["hand"][seat, second]
    if second == first:
        held -= 1
    return held > 0 and size_with_pair(state, rules, seat, first, second) >= need


@kernel
def any_pair_allowed(rules):
    """SC-DEC-15: two matching cards matter as a pair under two switches only."""
    return rules["ramp_yeti_counts"] == 0 or rules["claim_optional"] == CLAIM_NONE


@kernel
def alone_reaches(state, seat, need):
    """True when matching cards alone reach the need."""
    fitting = matching(state, seat, state["key"])
    if state["exact"] == 0:
        return fitting >= need
    yetis = state["hand"][seat, YETI]
    return fitting - yetis + 1 >= need


@kernel
def list_ramp1(state, rules, work, seat, need):
    """RAMP1: none if matching cards alone do; each non-matching type that leaves a RAMP2."""
    if alone_reaches(state, seat, need):
        offer(work, 0)
    every = any_pair_allowed(rules)
    for first in range(TYPES):
        if state["hand"][seat, first] > 0 and (every or not matches(first, state["key"])):
            for second in range(TYPES):
                if pair_fits(state, rules, seat, need, first, second):
                    offer(work, 1 + first)
                    break


@kernel
def list_ramp2(state, rules, work, seat, need):
    """RAMP2: each type left in hand with which the set can still reach the need."""
    for second in range(TYPES):
        if pair_fits(state, rules, seat, need, state["pair1"], second):
            offer(work, second)


@kernel
def lay_pair(state, rules, seat, second):
    """The pair is played as one card of the key (SC-SET-04, SC-GEAR-RAMP)."""
    first = state["pair1"]
    state["pair2"] = second
    from_hand(state, seat, first)
    from_hand(state, seat, second)
    state["size"] += 1
    state["ramp_used"] = 1
    if rules["ramp_yeti_counts"] == 1:
        if first == YETI:
            state["set_yetis"] += 1
        if second == YETI:
            state["set_yetis"] += 1
    note_use(state, rules, seat, RAMP)


# ------------------------------------------------------------------------------- single cards
@kernel
def list_add(state, work, seat, need):
    """ADD: each type left that shows the key; stop if the size has reached the need."""
    exact = state["exact"]
    for card in range(TYPES):
        if state["hand"][seat, card] > 0 and matches(card, state["key"]):
            if card != YETI or exact == 0 or state["set_yetis"] == 0:
                offer(work, card)
    if state["size"] >= need and (exact == 0 or state["set_yetis"] == 1):
        offer(work, ADD_STOP)


@kernel
def add_card(state, seat, card):
    """A single card of the set."""
    from_hand(state, seat, card)
    state["set"][card] += 1
    state["size"] += 1
    if card == YETI:
        state["set_yetis"] += 1


@kernel
def clear_set(state):
    """A set begins: no card is in it."""
    state["exact"] = 0
    state["pair2"] = -1
    state["size"] = 0
    state["set_yetis"] = 0
    for card in range(TYPES):
        state["set"][card] = 0


@kernel
def play_set(state, rules, work, events, seat, need):
    """Discard the set as one event (SC-SKI-02)."""
    low = 0
    high = 0
    for index in range(TYPES):
        card = TYPES - 1 - index
        number = state["set"][card]
        if card < _HALF:
            low = low * _PACK + number
        else:
            high = high * _PACK + number
    pair = 0
    if state["pair2"] >= 0:
        pair = 1 + state["pair1"] * TYPES + state["pair2"]
    emit(
        state, events, EVENT_SKI, seat, state["skied"], state["key"], state["size"], low, high, pair
    )
    row = state["seat_rows"][seat]
    for card in range(TYPES):
        number = state["set"][card]
        if state["pair2"] >= 0:
            if state["pair1"] == card:
                number += 1
            if state["pair2"] == card:
                number += 1
        lay_off(state, card, number)
        row["cards_played"] += number
        if card == YETI:
            row["yetis_played"] += number
        for _ in range(number):
            forget_shown(state, seat, card)
    row["overpay"] += state["size"] - need
    note_bling(state, rules, seat)
    after_discard(state, rules, work, events)


@kernel
def note_bling(state, rules, seat):
    """Bling Bindings had an effect: an advanced run was skied with a card fewer."""
    board = rules["boards"][state["board"]]
    if state["size"] >= rules["cards"][ADVANCED] or not has(state, seat, BLING):
        return
    if board["difficulty"][state["skied"]] == ADVANCED:
        note_use(state, rules, seat, BLING)


@kernel
def shows_only(state, first, step, count):
    """True when every single card is a Yeti or one of ``first``, ``first + step``, … (count)."""
    for card in range(TYPES - 1):
        if state["set"][card] > 0:
            off = card - first
            if off < 0 or off % step != 0 or off // step >= count:
                return False
    return True


@kernel
def shows_style(state, style):
    """SC-SKI-06: every card shows the style; a Ramp pair shows the key only."""
    if state["pair2"] >= 0 and state["key"] != COLOURS + style:
        return False
    return shows_only(state, style, STYLES, COLOURS)


@kernel
def shows_red(state):
    """SC-GEAR-CAMERA: every card is red or a Yeti; a Ramp pair shows the key only."""
    if state["pair2"] >= 0 and state["key"] != 0:
        return False
    return shows_only(state, 0, 1, STYLES)
