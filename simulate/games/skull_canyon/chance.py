"""The only lines with a random number in a game: one ``draw_*`` for each use of chance.

Every pile is put in index order and shuffled by a stream of its own; the first card is the top. A
scripted position feeds the results of reshuffles instead (``FEED``).
"""

from __future__ import annotations

from simulate import rng
from simulate.games.skull_canyon.state import (
    FACES,
    MAX_DAYS,
    PURPOSE_DECK,
    PURPOSE_GEAR,
    PURPOSE_RESHUFFLE,
    PURPOSE_STYLES,
    PURPOSE_TRACK,
    PURPOSE_WEATHER,
    STREAM_CARDS,
    STREAM_TABLE,
    STYLES,
    TYPES,
)
from simulate.jit import kernel


@kernel
def open_table_stream(state, purpose, number):
    """Seed the stream of one use of chance at the table; a treatment may shift it (hooks)."""
    shift = 0
    for seat in range(state["n_seats"]):
        treatment = state["treatment"][seat]
        if purpose == PURPOSE_WEATHER:
            shift = max(shift, treatment["weather_shift"])
        elif purpose == PURPOSE_GEAR:
            shift = max(shift, treatment["gear_shift"])
        elif purpose == PURPOSE_STYLES:
            shift = max(shift, treatment["style_shift"])
    block = state["block"] + shift * rng.SHIFT
    rng.open_stream(state["streams"], STREAM_TABLE, state["root"], block, purpose, number)


@kernel
def open_card_stream(state, purpose, number):
    """Seed the stream of a shuffle of slope cards; a treatment may shift it (hook)."""
    shift = 0
    for seat in range(state["n_seats"]):
        if state["treatment"][seat]["deck_shift"] != 0:
            shift = state["treatment"][seat]["deck_shift"]
    block = state["block"] + shift * rng.SHIFT
    rng.open_stream(state["streams"], STREAM_CARDS, state["root"], block, purpose, number)


@kernel
def draw_deck(state, rules):
    """All slope cards in index order, shuffled (SC-SETUP-09)."""
    count = 0
    for card in range(TYPES):
        for _ in range(rules["deck"][card]):
            state["deck"][count] = card
            count += 1
    state["deck_at"] = 0
    state["deck_n"] = count
    open_card_stream(state, PURPOSE_DECK, rng.NO_SEAT)
    rng.shuffle(state["streams"], STREAM_CARDS, state["deck"], count)


@kernel
def draw_reshuffle(state, work):
    """The discards as a new deck (SC-DECK-01): in index order, shuffled by a stream of its own."""
    count = 0
    kinds = 0
    for card in range(TYPES):
        if state["discards"][card] > 0:
            kinds += 1
        for _ in range(state["discards"][card]):
            state["deck"][count] = card
            count += 1
    state["deck_at"] = 0
    state["deck_n"] = count
    if work["feed"]["on"] == 1:
        feed_order(state, work, count, kinds)
        return
    open_card_stream(state, PURPOSE_RESHUFFLE, state["shuffles"])
    rng.shuffle(state["streams"], STREAM_CARDS, state["deck"], count)


@kernel
def feed_order(state, work, count, kinds):
    """The next scripted order, if it is one of these cards; cards of one type need none."""
    feed = work["feed"]
    at = feed["used"]
    fits = at < feed["n"] and feed["values"][at] == count
    if fits:
        for card in range(TYPES):
            listed = 0
            for index in range(count):
                if feed["values"][at + 1 + index] == card:
                    listed += 1
            if listed != state["discards"][card]:
                fits = False
    if fits:
        for index in range(count):
            state["deck"][index] = feed["values"][at + 1 + index]
        feed["used"] = at + 1 + count
    elif kinds > 1:
        feed["missing"] += 1


@kernel
def renew(state, root, block):
    """All chance that is still to come, drawn anew: order of both decks, reshuffles (rollouts).

    What has been dealt stays: hands, the row, the weather, which lies open.
    """
    state["root"] = root
    state["block"] = block
    open_card_stream(state, PURPOSE_DECK, rng.NO_SEAT)
    left = state["deck_n"]
    rng.shuffle(state["streams"], STREAM_CARDS, state["deck"][state["deck_at"] :], left)
    open_table_stream(state, PURPOSE_GEAR, rng.NO_SEAT)
    left = state["gear_deck_n"]
    rng.shuffle(state["streams"], STREAM_TABLE, state["gear_deck"][state["gear_at"] :], left)


@kernel
def draw_weather(state, rules, work):
    """SC-SETUP-06: the first face, then the others mixed; forced days replace what was drawn."""
    pile = work["pile"]
    count = 0
    for face in range(FACES):
        left = rules["weather_faces"][face]
        if face == rules["weather_first"]:
            left -= 1
        for _ in range(left):
            pile[count] = face
            count += 1
    open_table_stream(state, PURPOSE_WEATHER, rng.NO_SEAT)
    rng.shuffle(state["streams"], STREAM_TABLE, pile, count)
    state["weather"][0] = rules["weather_first"]
    for day in range(1, MAX_DAYS):
        state["weather"][day] = pile[day - 1] if day < rules["days"] else -1
    for day in range(rules["days"]):
        if rules["weather_force"][day] >= 0:
            state["weather"][day] = rules["weather_force"][day]
    for seat in range(state["n_seats"]):
        if state["treatment"][seat]["weather_two"] > 0:
            state["weather"][1] = state["treatment"][seat]["weather_two"] - 1
        if state["treatment"][seat]["weather_three"] > 0 and rules["days"] > 2:
            state["weather"][2] = state["treatment"][seat]["weather_three"] - 1


@kernel
def draw_styles(state, rules, board, work):
    """SC-SETUP-07: markers on the style spaces in run-list order, the others to the supply."""
    pile = work["pile"]
    count = 0
    for style in range(STYLES):
        state["supply"][style] = 0
        for _ in range(rules["style_markers"][style]):
            pile[count] = style
            count += 1
    open_table_stream(state, PURPOSE_STYLES, rng.NO_SEAT)
    rng.shuffle(state["streams"], STREAM_TABLE, pile, count)
    used = 0
    for run in range(board["n_runs"]):
        if board["style_space"][run] == 1 and used < count:
            state["style"][run] = pile[used]
            used += 1
    for index in range(used, count):
        state["supply"][pile[index]] += 1


@kernel
def draw_gear(state, rules):
    """SC-SETUP-08: the gear deck, shuffled."""
    count = 0
    for gear in range(rules["n_gear"]):
        for _ in range(rules["gear_copies"][gear]):
            state["gear_deck"][count] = gear
            count += 1
    state["gear_at"] = 0
    state["gear_deck_n"] = count
    open_table_stream(state, PURPOSE_GEAR, rng.NO_SEAT)
    rng.shuffle(state["streams"], STREAM_TABLE, state["gear_deck"], count)


@kernel
def draw_track(state):
    """A random starting track (study switch, spec Q12)."""
    open_table_stream(state, PURPOSE_TRACK, state["day"])
    rng.shuffle(state["streams"], STREAM_TABLE, state["track"], state["n_seats"])
