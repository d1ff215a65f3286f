"""The options of every question, as a function of the state (spec section 4)."""

from __future__ import annotations

from simulate.games.biathlon.columns import list_extra, list_main, list_special, offer_untaken
from simulate.games.biathlon.downhill import list_slide
from simulate.games.biathlon.drafting import list_draft
from simulate.games.biathlon.preparation import list_six
from simulate.games.biathlon.routes import list_moves
from simulate.games.biathlon.setup import list_nation, list_waxpick
from simulate.games.biathlon.shooting import list_shot
from simulate.games.biathlon.stamina import list_pay, payable
from simulate.games.biathlon.state import (
    ASK_DIE,
    ASK_DRAFT,
    ASK_EXTRA,
    ASK_FREE,
    ASK_MAIN,
    ASK_MOVE,
    ASK_NATION,
    ASK_PAY,
    ASK_SHOT,
    ASK_SIX,
    ASK_SLIDE,
    ASK_SPECIAL,
    ASK_WAX,
    ASK_WAXPICK,
)
from simulate.games.biathlon.wax import list_die, list_wax
from simulate.jit import kernel
from simulate.options import clear, offer


@kernel
def list_options(state, rules, work, question, seat):
    """Write the options of a question to WORK; returns how many. Reads the state only."""
    clear(work)
    if question == ASK_MOVE:
        _list_move(state, rules, work, seat)
    elif question == ASK_MAIN:
        list_main(state, work, seat)
    elif question == ASK_EXTRA:
        list_extra(state, rules, work, seat)
    elif question == ASK_WAX:
        list_wax(state, rules, work, seat)
    elif question == ASK_SIX:
        list_six(state, rules, work, seat)
    elif question == ASK_PAY:
        list_pay(state, rules, work, seat)
    elif question == ASK_DRAFT:
        list_draft(state, rules, work, seat)
    elif question == ASK_SLIDE:
        list_slide(state, rules, work, seat)
    elif question == ASK_FREE:
        offer_untaken(state, work, seat, False)
    elif question == ASK_DIE:
        list_die(state, work, seat)
    elif question == ASK_SHOT:
        list_shot(state, work, seat)
    elif question == ASK_SPECIAL:
        list_special(state, work, seat)
    elif question == ASK_WAXPICK:
        list_waxpick(state, rules, work, seat)
    elif question == ASK_NATION:
        list_nation(state, rules, work)
    return work["n_options"]


@kernel
def _list_move(state, rules, work, seat):
    """D-MOVE: one option for each legal route."""
    budget = payable(state, seat)
    list_moves(state, rules, work, seat, state["steps"], budget, state["keep_all"])
    for index in range(work["n_routes"]):
        offer(work, index)


@kernel
def legal(state, rules, work):
    """Options of the question asked now, rising codes in ``work["options"]``; returns how many."""
    if state["phase"] < 0:
        clear(work)
        return 0
    return list_options(state, rules, work, state["phase"], state["to_move"])
