"""Kinds of answers: drafting or not, ways that cost stamina or do not."""

from __future__ import annotations

import numpy as np

from simulate.games.biathlon import state as s
from simulate.games.biathlon.acts import act


def asked(question):
    """A question is asked."""
    state = np.zeros(1, s.STATE)[0]
    state["phase"] = question
    return state


def test_a_way_is_paid_or_free():
    work = np.zeros(1, s.WORK)[0]
    work["route_cost"][1] = 2

    assert act(asked(s.ASK_MOVE), None, work, 0, "SS") == "free way"
    assert act(asked(s.ASK_MOVE), None, work, 1, "SL") == "paid way"


def test_yes_and_no_have_words():
    assert act(asked(s.ASK_DRAFT), None, None, 1, "yes") == "draft"
    assert act(asked(s.ASK_DRAFT), None, None, 0, "no") == "no draft"
    assert act(asked(s.ASK_WAX), None, None, 3, "right") == "use wax"
    assert act(asked(s.ASK_SLIDE), None, None, 0, "stay") == "stay"


def test_other_answers_are_their_own_kind():
    assert act(asked(s.ASK_EXTRA), None, None, 5, "sprint") == "sprint"
