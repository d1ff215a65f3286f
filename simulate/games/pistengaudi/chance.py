"""The only lines with a random number in a game: one ``draw_*`` for each use of chance.

A scripted position feeds the outcomes instead (``FEED``): cards of the deck by number, top first, then
coins (1: the effect is muted) and signs (1 blue, 2 red, 3 black) as they come up.
"""

from __future__ import annotations

from simulate import rng
from simulate.feed import fed
from simulate.games.pistengaudi.state import (
    MAX_CARDS,
    PURPOSE_COINS,
    PURPOSE_DECK,
    PURPOSE_SIGNS,
    STREAM_COINS,
    STREAM_DECK,
    STREAM_SIGNS,
)
from simulate.jit import kernel

PER_CENT = 100


@kernel
def open_streams(state, root, block):
    """Seed every stream of the game; a treatment may shift the shuffle."""
    streams = state["streams"]
    shift = 0
    for seat in range(state["n_seats"]):
        shift = max(shift, state["treatment"][seat]["deck_shift"])
    shuffled = block + shift * rng.SHIFT
    rng.open_stream(streams, STREAM_DECK, root, shuffled, PURPOSE_DECK, rng.NO_SEAT)
    for seat in range(state["n_seats"]):
        rng.open_stream(streams, STREAM_COINS + seat, root, block, PURPOSE_COINS, seat)
        rng.open_stream(streams, STREAM_SIGNS + seat, root, block, PURPOSE_SIGNS, seat)


@kernel
def draw_stack(state, work):
    """PG-SETUP-03: the order of the stack, top card first."""
    stack = state["stack"]
    n_cards = state["n_cards"]
    if work["feed"]["on"] == 1:
        for place in range(n_cards):
            stack[place] = fed(work, 0)
        return
    for place in range(n_cards):
        stack[place] = place
    rng.shuffle(state["streams"], STREAM_DECK, stack, n_cards)


@kernel
def renew(state, root, block):
    """All chance that is still to come, drawn anew: the stack as it lies, coins, signs (rollouts)."""
    open_streams(state, root, block)
    stack = state["stack"]
    top = state["stack_top"]
    for last in range(state["n_stack"] - 1, 0, -1):
        here = (top + last) % MAX_CARDS
        there = (top + rng.below(state["streams"], STREAM_DECK, last + 1)) % MAX_CARDS
        held = stack[here]
        stack[here] = stack[there]
        stack[there] = held


@kernel
def draw_coin(state, work, seat, per_cent):
    """An experiment's coin of a seat: 1 with that chance. Nothing is drawn where it is off."""
    if per_cent == 0:
        return 0
    if work["feed"]["on"] == 1:
        return fed(work, 0)
    return 1 if rng.below(state["streams"], STREAM_COINS + seat, PER_CENT) < per_cent else 0


@kernel
def draw_sign(state, work, seat):
    """An experiment's sign of a seat: 1 blue, 2 red, 3 black."""
    if work["feed"]["on"] == 1:
        return fed(work, 0)
    return 1 + rng.below(state["streams"], STREAM_SIGNS + seat, 3)
