"""A number that tells two positions apart: for replays and tests (spec section 3)."""

from __future__ import annotations

from simulate.games.pistengaudi.state import MAX_CARDS
from simulate.jit import kernel

FACTOR = 1000003
MODULUS = 2147483647


@kernel
def mix(total, value):
    """Take one more number into a hash."""
    return (total * FACTOR + value + 1) % MODULUS


@kernel
def state_hash(state):
    """Grid kinds, figure cells, posture, areas, arrival order, seat, round and stack."""
    total = 7
    for card in range(state["n_cards"]):
        cell = state["card_cell"][card]
        if cell >= 0:
            total += piece(state, cell) + piece(state, cell + 1)
    total = total % MODULUS
    for seat in range(state["n_seats"]):
        total = mix(total, state["cell"][seat])
        total = mix(total, state["lying"][seat])
        total = mix(total, state["area"][seat])
        total = mix(total, state["arrival"][seat])
    total = mix(total, state["seat"])
    total = mix(total, state["round"])
    for place in range(state["n_stack"]):
        card = state["stack"][(state["stack_top"] + place) % MAX_CARDS]
        total = mix(total, state["first"][card])
        total = mix(total, state["second"][card])
    return total


@kernel
def piece(state, cell):
    """What one cell adds: the same whichever card of a type lies there."""
    return mix(mix(cell, state["kind"][cell]), FACTOR)
