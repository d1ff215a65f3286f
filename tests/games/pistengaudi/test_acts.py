"""Kinds of answers: entering or waiting, whom a snowball hits, which way the groomer moves."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.games.pistengaudi import state as s
from simulate.games.pistengaudi.acts import act
from simulate.games.pistengaudi.words import cell_of


def asked(question):
    """Seat 0 is asked; seat 1 stands in row 5, seat 2 in row 9."""
    state = np.zeros(1, s.STATE)[0]
    state["phase"], state["to_move"], state["n_seats"] = question, 0, 3
    for seat, row in enumerate((2, 5, 9)):
        state["cell"][seat] = cell_of(1, row)
    return state


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [(s.OUTCOME_STOP, "stop"), (s.OUTCOME_FALL, "fall"), (s.OUTCOME_GOAL, "enter the goal")],
)
def test_a_ride_ends_in_three_ways(outcome, kind):
    assert act(asked(s.ASK_MOVE), None, None, outcome * s.N_CELLS + 3, None) == kind


def test_a_throw_is_at_the_leader_or_at_somebody_behind():
    state = asked(s.ASK_SNOW)

    assert act(state, None, None, 1 + 2, None) == "throw at the leader"
    assert act(state, None, None, 1 + 1, None) == "throw at somebody behind"
    assert act(state, None, None, 0, None) == "no throw"


def test_who_is_in_the_goal_leads():
    state = asked(s.ASK_SNOW)
    state["area"][1] = 1

    assert act(state, None, None, 1 + 1, None) == "throw at the leader"


@pytest.mark.parametrize(
    ("way", "kind"), [(0, "up"), (1, "to the side"), (2, "to the side"), (3, "down")]
)
def test_the_groomer_moves_up_to_the_side_or_down(way, kind):
    assert act(asked(s.ASK_GROOM), None, None, 1 + 4 * 2 + way, None) == f"groom {kind}"
    assert act(asked(s.ASK_GROOM), None, None, 0, None) == "no grooming"
