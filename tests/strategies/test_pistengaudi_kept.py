"""The kept look ahead of Pistengaudi's strategies against a fresh one, on 10,000 random states."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from simulate import jit
from simulate.games.pistengaudi import state as s
from simulate.games.pistengaudi.forecast import foresee
from simulate.games.pistengaudi.movement import find_outcomes
from simulate.games.pistengaudi.placing import placed_card, placed_cell
from simulate.jit import entry, kernel
from simulate.request import Request
from simulate.steps import Sitting
from strategies.pistengaudi import plan_state
from strategies.pistengaudi.ahead import (
    forget,
    refresh,
    row_of_moves,
    try_card,
    turns_ahead,
    untry_card,
)

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs the speed of compiled code")

STATES = 10_000
TRIES = 12  # cards tried in a state
RULINGS: tuple[tuple[str, ...], ...] = (
    (),
    ("slope.forest=slalom_run",),
    ("rules.jump.turn=free",),
    ("deck.name=wild42", "rules.move.reversal=turn"),
    ("signs.black=5", "rules.move.full_path=free_fall"),
    ("goal.side_entry=upper", "rules.move.fall_choice=longest", "lift.reenter=false"),
)


@kernel
def _differences(state, rules, work, plan):
    """Figures of which the kept ETA, or the kept outcomes, are not those worked out anew."""
    wrong = 0
    for seat in range(state["n_seats"]):
        if state["area"][seat] > 0:
            continue
        cell = state["cell"][seat]
        kept = turns_ahead(state, rules, work, plan, cell) + state["lying"][seat]
        if kept != foresee(state, rules, work, seat):
            wrong += 1
        row = row_of_moves(state, rules, work, plan, cell)
        find_outcomes(state, rules, work, cell)
        same = plan["n_out"][row] == work["n_outcomes"]
        for index in range(min(plan["n_out"][row], work["n_outcomes"])):
            if plan["out"][row, index] != work["out_code"][index]:
                same = False
        if not same:
            wrong += 1
    return wrong


@entry
def _begin(plan):
    """Nothing is known."""
    forget(plan)


@entry
def _compare(state, rules, work, scratch, plan, tried):
    """Differences in a state, and with each of the options ``tried`` laid on it."""
    refresh(state, rules, plan)
    wrong = _differences(state, rules, scratch, plan)
    for index in range(len(tried)):
        code = work["options"][tried[index]]
        card = placed_card(state, code)
        up = state["first"][card]
        down = state["second"][card]
        if code % 2 == 1:
            up, down = down, up
        try_card(state, plan, placed_cell(code), up, down)
        wrong += _differences(state, rules, scratch, plan)
        untry_card(state, plan)
    return wrong


class Watch:
    """Plays games with random answers and compares in every state."""

    def __init__(self) -> None:
        self.plan = np.zeros(1, plan_state.PLAN)[0]
        self.scratch = np.zeros(1, s.WORK)[0]
        self.states = 0
        self.wrong: list[tuple[int, int]] = []  # game, question

    def play(self, game: int) -> None:
        """One game; how many figures, which set-up, which ruling go by its number."""
        coin = random.Random(game)
        sitting = Sitting.of_game(
            Request(
                "pistengaudi", game + 1, players=2 + game % 5, lineup="near_builder", equal=False,
                seating="fixed", set=[*RULINGS[game % len(RULINGS)], "limits.max_rounds=30"],
            ).plan(), game,
        )  # fmt: skip
        _begin(self.plan)
        while not sitting.over:
            self._look(sitting, coin, game)
            answer = coin.randrange(len(sitting.options)) if coin.random() < 0.5 else None
            sitting.apply(int(sitting.choose()) if answer is None else answer)

    def _look(self, sitting: Any, coin: random.Random, game: int) -> None:
        count = len(sitting.options) if sitting.state["phase"] == s.ASK_PLACE else 0
        tried = np.array(coin.sample(range(count), min(TRIES, count)), np.int64)
        before = sitting.state.tobytes()
        wrong = _compare(sitting.state, sitting.rules, sitting.work, self.scratch, self.plan, tried)
        assert sitting.state.tobytes() == before
        self.states += 1 + len(tried)
        if wrong:
            self.wrong.append((game, int(sitting.state["asked"])))


def test_what_is_kept_equals_what_is_worked_out_anew() -> None:
    """ETA and outcomes of every figure, from question to question and with cards tried."""
    watch = Watch()
    game = 0
    while watch.states < STATES:
        watch.play(game)
        game += 1

    assert watch.wrong == []
    assert game >= len(RULINGS)
    assert watch.plan["etas_known"] > watch.plan["etas_asked"] / 2
    assert 0 < watch.plan["moves_known"] < watch.plan["moves_asked"]
