"""Kinds of answers: a claim is the first, a steal or one more on the own stack."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.games.skull_canyon import state as s
from simulate.games.skull_canyon.acts import act


def asked(question, stack=(), seat=1):
    """Seat 1 has skied run 0 and is asked."""
    state = np.zeros(1, s.STATE)[0]
    state["phase"], state["to_move"], state["skied"] = question, seat, 0
    state["stack"][0, : len(stack)] = stack
    state["stack_n"][0] = len(stack)
    return state


@pytest.mark.parametrize(
    ("stack", "kind"),
    [((), "claim first"), ((0,), "steal"), ((1, 0), "steal"), ((0, 1), "claim again")],
)
def test_a_claim_is_named_by_the_top_marker(stack, kind):
    assert act(asked(s.ASK_CLAIM, stack), None, None, s.YES, "claim") == kind
    assert act(asked(s.ASK_CLAIM, stack), None, None, s.NO, "decline") == "decline"


@pytest.mark.parametrize(
    ("stack", "whose"), [((), "nobody"), ((1, 0), "a rival"), ((0, 1), "oneself")]
)
def test_the_yeti_stands_on_somebodys_run(stack, whose):
    assert act(asked(s.ASK_YETI, stack), None, None, 0, "R1") == f"on a run topped by {whose}"


def test_actions_go_by_their_first_word():
    state = asked(s.ASK_ACT)

    assert act(state, None, None, s.ACT_SKI + 3, "ski:R4") == "ski"
    assert act(state, None, None, s.ACT_END, "end") == "end"
    assert act(asked(s.ASK_GEAR), None, None, 0, "none") == "buy nothing"
    assert act(asked(s.ASK_SLIDE), None, None, s.SLIDE_PAY, "pay") == "pay"
