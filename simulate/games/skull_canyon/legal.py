"""The options of every question, as a function of the state (spec section 4)."""

from __future__ import annotations

from simulate.games.skull_canyon.actions import list_act
from simulate.games.skull_canyon.avalanche import list_slide
from simulate.games.skull_canyon.claims import list_claim
from simulate.games.skull_canyon.gear import list_gear
from simulate.games.skull_canyon.hotel import list_lodges
from simulate.games.skull_canyon.places import list_colours, list_pay, list_swap1, list_swap2
from simulate.games.skull_canyon.sets import (
    list_add,
    list_key,
    list_ramp1,
    list_ramp2,
    need_of,
)
from simulate.games.skull_canyon.state import (
    ASK_ACT,
    ASK_ADD,
    ASK_CLAIM,
    ASK_COLOUR,
    ASK_GEAR,
    ASK_GOGGLES,
    ASK_KEY,
    ASK_LODGE,
    ASK_MOVE,
    ASK_PAY,
    ASK_RAMP1,
    ASK_RAMP2,
    ASK_SLIDE,
    ASK_SWAP1,
    ASK_SWAP2,
    ASK_TAKE,
    ASK_YETI,
    NO,
    YES,
)
from simulate.games.skull_canyon.train import list_take
from simulate.games.skull_canyon.village import list_move
from simulate.games.skull_canyon.yeti import list_yeti
from simulate.jit import kernel
from simulate.options import clear, offer


@kernel
def list_options(state, rules, work, question, seat):
    """Write the options of a question to WORK; returns how many. Reads the state only."""
    clear(work)
    board = rules["boards"][state["board"]]
    if question == ASK_ACT:
        list_act(state, rules, work, seat)
    elif question == ASK_TAKE:
        list_take(state, rules, work, seat)
    elif question <= ASK_ADD:
        _list_set(state, rules, board, work, question, seat)
    elif question == ASK_YETI:
        list_yeti(state, board, work)
    elif question == ASK_CLAIM:
        list_claim(state, rules, work)
    elif question == ASK_GOGGLES:
        offer(work, YES)
        offer(work, NO)
    elif question == ASK_SLIDE:
        list_slide(state, rules, work, seat)
    elif question == ASK_MOVE:
        list_move(state, rules, work, seat)
    elif question == ASK_PAY:
        list_pay(state, work, seat)
    elif question == ASK_SWAP1:
        list_swap1(state, rules, board, work)
    elif question == ASK_SWAP2:
        list_swap2(state, rules, board, work, state["swap_run"])
    elif question == ASK_COLOUR:
        list_colours(work)
    elif question == ASK_GEAR:
        list_gear(state, rules, work, seat)
    elif question == ASK_LODGE:
        list_lodges(board, work)
    return work["n_options"]


@kernel
def _list_set(state, rules, board, work, question, seat):
    """Questions of set building."""
    need = need_of(state, rules, board, seat, state["skied"])
    if question == ASK_KEY:
        list_key(state, rules, work, seat, need)
    elif question == ASK_RAMP1:
        list_ramp1(state, rules, work, seat, need)
    elif question == ASK_RAMP2:
        list_ramp2(state, rules, work, seat, need)
    else:
        list_add(state, work, seat, need)


@kernel
def legal(state, rules, work):
    """Options of the question asked now, rising codes in ``work["options"]``; returns how many."""
    if state["phase"] < 0:
        clear(work)
        return 0
    return list_options(state, rules, work, state["phase"], state["to_move"])
