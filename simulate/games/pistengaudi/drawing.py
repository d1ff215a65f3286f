"""Cards of a turn: the stack, the hand, cards set aside (rulebook: Draw and Place a Card)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.state import (
    EVENT_ASIDE,
    EVENT_DRAW,
    EVENT_UNDER,
    MAX_CARDS,
    PC_CARDS_END,
    PC_DRAW,
    PC_EMPTY,
    PC_MOVE,
    PC_OVER,
    PC_PLACE,
    RUN_CARDS,
)
from simulate.games.pistengaudi.tracking import note_drawn
from simulate.jit import kernel


@kernel
def take_top(state, rules, events):
    """One card from the top of the stack into the hand."""
    card = state["stack"][state["stack_top"]]
    state["stack_top"] = (state["stack_top"] + 1) % MAX_CARDS
    state["n_stack"] -= 1
    state["hand"][state["n_hand"]] = card
    state["n_hand"] += 1
    note_drawn(state, rules, card)
    emit(
        state, events, EVENT_DRAW, state["seat"], state["first"][card], state["second"][card],
        state["n_stack"], 0, 0, 0,
    )  # fmt: skip


@kernel
def draw_cards(state, rules, events):
    """PG-DRAW-01: all cards of the turn at once, or (``draw.reveal``) the next one."""
    if rules["draw_reveal"] == 0:
        while state["slots"] > 0 and state["n_stack"] > 0:
            take_top(state, rules, events)
            state["slots"] -= 1
        state["pc"] = PC_PLACE
    elif state["n_stack"] > 0:
        take_top(state, rules, events)
        state["slots"] -= 1
        state["pc"] = PC_PLACE
    else:
        state["pc"] = PC_EMPTY


@kernel
def set_aside(state, events):
    """PG-DRAW-05: no card of the hand has a legal place."""
    seat = state["seat"]
    for place in range(state["n_hand"]):
        card = state["hand"][place]
        state["aside"][state["n_aside"]] = card
        state["n_aside"] += 1
        state["game_rows"][0]["cards_unplaced"] += 1
        state["seat_rows"][seat]["unplaced"] += 1
        emit(
            state, events, EVENT_ASIDE, seat, state["first"][card], state["second"][card], 0, 0, 0,
            0,
        )  # fmt: skip
    state["n_hand"] = 0


@kernel
def after_hand(state, rules):
    """PG-DRAW-04: slots that are still open come after the cards drawn."""
    state["pc"] = PC_CARDS_END
    if state["slots"] > 0:
        state["pc"] = PC_EMPTY if rules["draw_reveal"] == 0 else PC_DRAW


@kernel
def end_cards(state, rules, events):
    """Cards set aside go under the stack in the order drawn, or (``draw.unplaceable``) away."""
    away = rules["draw_unplaceable"]
    for place in range(state["n_aside"]):
        card = state["aside"][place]
        if away == 0:
            state["stack"][(state["stack_top"] + state["n_stack"]) % MAX_CARDS] = card
            state["n_stack"] += 1
        emit(
            state, events, EVENT_UNDER, state["seat"], state["first"][card],
            state["second"][card], away, 0, 0, 0,
        )  # fmt: skip
    state["n_aside"] = 0
    state["pc"] = PC_OVER if state["run"] == RUN_CARDS else PC_MOVE
