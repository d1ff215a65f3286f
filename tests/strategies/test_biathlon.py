"""The strategies of Ski Tour: Biathlon: tables, features by hand, hard rules, both lanes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simulate import jit, rules
from simulate.games.biathlon import entries, position
from simulate.games.biathlon import state as s
from strategies.biathlon import BOOK, ahead, board, evaluate, features, plan_state, play
from strategies.book import MAX_PARAMS, MAX_POSITIONS

clear, resolve_weights = jit.opened(play.clear), jit.opened(play.resolve_weights)
route_value = jit.opened(ahead.route_value)
board_score, roll_slot = jit.opened(board.board_score), jit.opened(board.roll_slot)
counted_in, pack_board = jit.opened(board.counted_in), jit.opened(board.pack_board)
six_order = jit.opened(board.six_order)
look, option_score = jit.opened(evaluate.look), jit.opened(evaluate.option_score)
distance, place_score = jit.opened(features.distance), jit.opened(features.place_score)
see_rules, see_self = jit.opened(features.see_rules), jit.opened(features.see_self)
see_rivals = jit.opened(features.see_rivals)

ARCHETYPES = (
    "pacer", "marksman", "front_runner", "drafter", "finisher", "blocker", "builder",
    "opportunist",
)  # fmt: skip
compiled_only = pytest.mark.skipif(not jit.compiled(), reason="needs the speed of compiled code")

# The specification's table 10.2, word for word without the middle column.
TABLE = """
    F1 | dist | -1 | -1 | -1 | -1 | -1 | -1 | -1 | -1
    F2 | stam | 0.8 | 1.2 | 0.55 | 0.9 | 1.1 (late 0.1) | 0.8 | 0.8 | 0.6
    F3 | aim | 0.5 | 2.5 | 0.4 | 0.5 | 0.6 | 0.5 | 0.5 | 0.5
    F4 | col1 | 0.4 | 0.4 | 0.3 | 0.3 | 0.4 | 0.4 | 0.45 | 0.4
    F5 | col2 | 0.2 | 0.2 | 0.2 | 0.2 | 0.25 | 0.2 | 0.35 | 0.2
    F6 | full | 0.2 | 0.2 | 0.1 | 0.1 | 0.2 | 0.2 | 0.4 | 0.3
    F7 | loaded | 0.5 | 0.5 | 0.3 | 0.3 | 0.6 | 0.4 | 0.9 | 0.5
    F8 | deadstar | -0.1 | -0.1 | -0.2 | -0.1 | 0 | -0.1 | 0.1 | -0.1
    F9 | sprint | 0.2 | 0.1 | 0.3 | 0.1 | 0.4 (late 0.2) | 0.2 | 0.1 | 0.4
    F10 | free | 0.1 | 0.1 | 0.1 | 0.1 | 0 | 0.1 | 0 | 0.1
    F11 | wax | 0.8 | 0.9 | 0.4 | 0.9 | 1.5 (late 0) | 0.8 | 0.9 | 0.6
    F12 | seat | 0.2 | 0.2 | 0 | 0.9 | 0.4 | 0.1 | 0.2 | 0.4
    F13 | tail | -0.2 | -0.1 | -0.6 | -0.1 | -0.1 | 0.1 | -0.2 | -0.2
    F14 | tow | -0.1 | -0.1 | -0.4 | -0.1 | -0.1 | -0.1 | -0.1 | -0.2
    F15 | block | 0 | 0 | 0.1 | 0 | 0 | 0.5 | 0 | 0.2
    F16 | open | 0.2 | 0.2 | 0.4 | 0 | 0.2 | 0.2 | 0.2 | 0.1
    F17 | upstart | -0.7 | -0.7 | -0.7 | -0.5 | -0.7 | -0.5 | -0.7 | -0.7
    F18 | slidebait | 0.1 | 0.1 | 0.1 | 0.3 | 0.2 | 0 | 0.1 | 1.2
    F19 | waste | -0.3 | -0.2 | -0.1 | -0.2 | -0.5 | -0.2 | -0.5 | -0.3
    F20 | blue | -0.5 | -0.8 | -0.3 | -0.5 | -0.4 | -0.4 | -0.8 | -0.4
    F21 | danger | -6 | -6 | -4 | -6 | -4 | -5 | -6 | -5
    F22 | lead | 0 | 0 | 0.2 | -0.1 (late 0.2) | 0 (late 0.3) | 0.2 | 0 | 0.1
    F23 | nextS | 0 | -0.05 | 0 | 0 | 0 | 0 | 0 | 0
    F24 | home | 20 | 20 | 20 | 20 | 20 | 20 | 20 | 20
    F25 | shotsleft | -0.9 | -0.9 | -0.9 | -0.9 | -0.9 | -0.9 | -0.9 | -0.9
    - | loadout | 7 2 5 4 6 1 | 1 2 7 5 6 4 | 3 8 4 7 6 2 | 7 2 6 5 1 4 | 1 2 6 4 8 3 | 7 4 2 5 6 1 | 6 5 4 7 2 1 | 7 3 2 5 4 1
"""


# ---------------------------------------------------------------- stage: positions and choices
def rules_of(case):
    """RULES record and vocabularies of a scripted case."""
    rows, words = rules.table([rules.load("biathlon", overrides=position.overrides(case))])
    return rows[0], words


class Stage:
    """A scripted position, run to its first question."""

    def __init__(self, event="turn 1", **case):
        case = {"event": event, "dice": [1] * 200, **case}
        self.rules, words = rules_of(case)
        self.state, self.work = position.setup(case, self.rules, words)
        self.events = entries.new_events(0)
        position.begin(self.state, self.rules, self.work, event)
        entries.resume(self.state, self.rules, self.work, self.events)

    def until(self, phase, code=0):
        """Answer other questions with ``code`` or the first option until ``phase`` is asked."""
        for _ in range(50):
            if self.state["phase"] == phase or self.state["over"]:
                break
            entries.apply(self.state, self.rules, self.work, self.events, self.options()[0])
        assert self.state["phase"] == phase
        return self

    def options(self):
        return [int(code) for code in self.work["options"][: self.work["n_options"]]]

    def answer(self, code):
        assert code in self.options()
        entries.apply(self.state, self.rules, self.work, self.events, code)
        return self

    def choice(self, name, **changes):
        """Action code that a strategy chooses."""
        index = decide(self.state, self.rules, self.work, name, **changes)
        return self.options()[index]

    def scores(self, name):
        """Scores of all options by an archetype's weights."""
        plan, w = plan_and_weights(name)
        look(self.state, self.rules, plan, w)
        return [
            float(option_score(self.state, self.rules, self.work, plan, w, code))
            for code in self.options()
        ]


def params_of(name, **changes):
    row = np.zeros(MAX_PARAMS)
    for index, param in enumerate(BOOK.get(name).params):
        row[index] = changes.get(param.name, param.default)
    return row


def plan_and_weights(name, **changes):
    plan = np.zeros(1, plan_state.PLAN)[0]
    clear(plan)
    w = np.zeros(MAX_PARAMS)
    resolve_weights(params_of(name, **changes), w)
    return plan, w


def decide(state, rules_row, work, name, **changes):
    policy = np.arange(1, MAX_POSITIONS + 1, dtype=np.uint64)
    code = BOOK.get(name).code
    return int(play.decide(state, rules_row, work, code, params_of(name, **changes), policy, 0))


# ---------------------------------------------------------------- the book
def test_weights_are_those_of_the_specification():
    for line in TABLE.strip().splitlines():
        _number, name, *cells = (part.strip() for part in line.split("|"))
        for archetype, cell in zip(ARCHETYPES, cells, strict=True):
            values = {p.name: p.default for p in BOOK.get(archetype).params}
            if name == "loadout":
                assert [values[f"slot{k}"] for k in range(1, 7)] == [int(t) for t in cell.split()]
                continue
            early, _, late = cell.partition("(late")
            key = name.lower()
            assert values[key] == float(early), (archetype, name)
            assert values[f"{key}_between"] == plan_state.AS_BEFORE
            wanted = float(late.strip(" )")) if late else plan_state.AS_BEFORE
            assert values[f"{key}_late"] == wanted, (archetype, name)


def test_parameter_rows_stand_where_the_kernels_read_them():
    names = [p.name for p in BOOK.get("pacer").params]
    for index, feature in enumerate(names[: plan_state.N_FEATURES]):
        assert getattr(plan_state, feature.upper()) == index
        assert names[index + plan_state.N_FEATURES] == f"{feature}_between"
        assert names[index + 2 * plan_state.N_FEATURES] == f"{feature}_late"
    assert names[plan_state.P_SLOT1] == "slot1"
    assert names[plan_state.P_TEMPERATURE] == "temperature"
    assert len(names) <= MAX_PARAMS


def test_codes_and_names_are_unique():
    assert len({x.code for x in BOOK.strategies}) == len(BOOK.strategies)
    assert len(set(BOOK.names())) == len(BOOK.names())


def test_later_weights_are_as_before_unless_they_are_set():
    _, w = plan_and_weights("finisher", stam=2.0, wax_between=3.0)
    n = plan_state.N_FEATURES
    stam, wax = plan_state.STAM, plan_state.WAX
    assert (w[stam], w[n + stam], w[2 * n + stam]) == (2.0, 2.0, 0.1)
    assert (w[wax], w[n + wax], w[2 * n + wax]) == (1.5, 3.0, 0.0)


# ---------------------------------------------------------------- features by hand
def test_board_score_counts_columns_full_stars_sprint_and_free_dice():
    case = Stage(
        skiers={"1": {"at": [5, 1], "cols": [4, 3, 1, 0], "stars": [1, 0, 1, 0], "spr": 1}}
    )
    plan, w = plan_and_weights("builder")
    see_self(case.state, case.rules, plan, w, 0)
    board = pack_board(case.state, 0)
    # col1 4, col2 3, one full, star 1 loaded, star 3 dead, sprint 1, no die free
    wanted = 0.45 * 4 + 0.35 * 3 + 0.4 * 1 + 0.9 * 1 + 0.1 * 1 + 0.1 * 1 + 0 * 0
    assert board_score(board, w, 0, plan["full"], 10) == pytest.approx(wanted)
    assert [counted_in(board, plan["full"], c) for c in range(5)] == [5, 3, 1, 0, 1]


def test_distance_counts_the_expected_laps_of_ranges_not_yet_completed():
    case = Stage(
        skiers={
            "1": {"at": [5, 1]},
            "2": {"at": "S18", "shots": "HM"},
            "3": {"at": [40, 1]},
            "4": {"at": "P18.2", "owed": 4},
        }
    )
    plan, _ = plan_and_weights("pacer")
    see_rules(case.rules, plan)
    yellow = 263 / 243  # X2: mean laps of five shots at 4/6
    assert distance(case.state, case.rules, plan, 0) == pytest.approx(40 + 3 * 2 * yellow)
    # one miss, three yellow shots to come: P(0 … 3 misses) = 8, 12, 6, 1 of 27
    here = (1 * 8 + 1 * 12 + 2 * 6 + 2 * 1) / 27
    assert distance(case.state, case.rules, plan, 1) == pytest.approx(27 + 3 * (here + yellow))
    assert distance(case.state, case.rules, plan, 2) == pytest.approx(5)
    assert distance(case.state, case.rules, plan, 3) == pytest.approx(27 + 4 + 3 * yellow)


def _place(case, name, row, lane, **more):
    plan, w = plan_and_weights(name)
    see_rules(case.rules, plan)
    see_self(case.state, case.rules, plan, w, 0)
    see_rivals(case.state, case.rules, plan, 0, 0)
    told = {"steps": 0, "drafted": 0, "straight": 0, **more}
    return place_score(case.rules, plan, w, 0, row, lane, 0, 0, False, *told.values())


def test_place_score_sees_seat_tail_block_open_and_slidebait():
    case = Stage(skiers={
        "1": {"at": [20, 1]},
        "2": {"at": [25, 1], "cols": [0, 3, 1, 0]},  # ahead, on a downhill row
        "3": {"at": [23, 1]}, "4": {"at": [22, 1]}, "5": {"at": [24, 2]},
    })  # fmt: skip
    # Drafter at (24, 1): seat 3 dice, two in line behind, on row 25 a rival on green
    wanted = -1 * 21 + 0.9 * 3 - 0.1 * 2 + 0.3 * 1
    lead = -0.1 * ((45 - 25 + 3 * 263 / 243) - 21)
    assert _place(case, "drafter", 24, 0) == pytest.approx(wanted + lead)
    # Blocker there: two rivals behind, twice because lane 2 beside is held; next space held: not open
    lead = 0.2 * ((45 - 25 + 3 * 263 / 243) - 21)
    assert _place(case, "blocker", 24, 0) == pytest.approx(-21 + 0.1 * 3 + 0.1 * 2 + 0.5 * 4 + lead)
    # Opportunist in the open far ahead of everybody
    assert _place(case, "opportunist", 30, 0) == pytest.approx(
        -15 + 0.1 + 0.1 * (45 - 25 + 3 * 263 / 243 - 15)
    )


def test_the_first_to_act_of_a_round_does_not_act_before_the_next_turn_of_the_others():
    case = Stage(event="turn 2", skiers={"1": {"at": [25, 1], "cols": [4, 0, 0, 0]},
                                         "2": {"at": [24, 1], "cols": [1, 0, 0, 1]}})  # fmt: skip
    plan, w = plan_and_weights("drafter")
    case.state["marker"] = 0  # seat 1 acts first now, so last of both in the next round
    see_self(case.state, case.rules, plan, w, 1)
    see_rivals(case.state, case.rules, plan, 1, 1)
    assert plan["rival_before"][0] == 0
    case.state["marker"] = 1
    see_rivals(case.state, case.rules, plan, 1, 1)
    assert plan["rival_before"][0] == 1


def test_rolling_the_whole_board_has_the_exact_odds_of_the_specification():
    case = Stage(skiers={"1": {"at": [5, 1], "cols": [2, 2, 1, 0]}})
    plan, w = plan_and_weights("pacer")
    see_self(case.state, case.rules, plan, w, 0)
    order = six_order(w, 0)
    slot = roll_slot(case.state, case.rules, plan, w, 0, 0, order, 5)
    table = plan["roll"][slot, order, 5]
    # X8: fullest column 0 … 4 of five dice; a counted 6 moves 4 to 5 dice
    counts = [1, 505, 2950, 3110, 1210]
    assert table[:4, 0] * 7776 == pytest.approx(counts[:4])
    assert table[4:7, 0].sum() * 7776 == pytest.approx(1210)
    assert table[7, 0] == pytest.approx(1)
    assert table[7, 1] * 7776 == pytest.approx(20575)


# ---------------------------------------------------------------- hard rules
def test_pacer_buys_only_what_reaches_the_finish():
    far = Stage(skiers={"1": {"at": [36, 1], "cols": [0, 0, 3, 3]}}).until(s.ASK_MAIN)
    far.answer(4).until(s.ASK_EXTRA)
    assert far.choice("pacer", stam=0.0, stam_late=0.0) == 0
    near = Stage(skiers={"1": {"at": [40, 1], "cols": [0, 0, 3, 3]}}).until(s.ASK_MAIN)
    near.answer(4).until(s.ASK_EXTRA)
    assert near.choice("pacer") == 3


def test_front_runner_buys_two_dice_for_one_before_the_first_range_only():
    early = Stage(skiers={"1": {"at": [4, 1], "cols": [1, 0, 2, 3]}}).until(s.ASK_MAIN)
    early.answer(4).until(s.ASK_EXTRA)
    assert early.choice("front_runner", stam=50.0) == 3
    later = Stage(skiers={"1": {"at": [21, 1], "cols": [1, 0, 2, 3]}}).until(s.ASK_MAIN)
    later.answer(4).until(s.ASK_EXTRA)
    assert later.choice("front_runner", stam=50.0) == 0


def test_drafter_says_yes_to_every_draft_of_cost_0():
    skiers = {"1": {"at": [23, 1], "cols": [0, 0, 0, 4]}, "2": {"at": [22, 1]}}
    case = Stage(skiers=skiers).until(s.ASK_DRAFT)
    assert case.choice("drafter", dist=50.0) == 1
    assert case.choice("pacer", dist=50.0) == 0


def test_drafter_prefers_the_equal_route_straight_behind_a_rival():
    skiers = {"1": {"at": [23, 1], "cols": [2, 0, 0, 0]}, "2": {"at": [26, 1]}}
    case = Stage(skiers=skiers).until(s.ASK_MOVE)
    nothing = {
        name: 0.0 for name in ("lead", "seat", "open", "slidebait", "tail", "block", "nexts")
    }
    rows = [
        (int(case.work["route_row"][r]), int(case.work["route_lane"][r])) for r in case.options()
    ]
    assert rows == [(25, 0), (24, 1)]
    assert case.choice("drafter", dist=0.0, **nothing) == 0
    skiers["2"]["at"] = [25, 2]
    case = Stage(skiers=skiers).until(s.ASK_MOVE)
    assert case.choice("drafter", dist=0.0, **nothing) == 1


def test_finisher_buys_nothing_until_the_last_range_is_left_then_everything():
    early = Stage(skiers={"1": {"at": [21, 1], "cols": [2, 0, 3, 3]}}).until(s.ASK_MAIN)
    early.answer(4).until(s.ASK_EXTRA)
    assert early.choice("finisher", stam=0.0, dist=-9.0) == 0
    late = Stage(skiers={"1": {"at": [35, 1], "cols": [1, 0, 3, 3]}}).until(s.ASK_MAIN)
    late.answer(4).until(s.ASK_EXTRA)
    assert late.choice("finisher", stam_late=50.0) == 3
    late.answer(3).until(s.ASK_EXTRA)
    assert late.choice("finisher", stam_late=50.0) == 1


def test_blocker_prefers_the_equal_lane_with_more_rivals_behind():
    skiers = {"1": {"at": [37, 1], "cols": [2, 0, 0, 0]}, "2": {"at": [20, 2]}, "3": {"at": [21, 2]},
              "4": {"at": [22, 1]}}  # fmt: skip
    case = Stage(skiers=skiers).until(s.ASK_MOVE)
    assert case.choice("blocker", dist=0.0, lead=0.0) == 1
    assert case.choice("pacer", dist=0.0, lead=0.0) == 0


# ---------------------------------------------------------------- choices
def test_no_archetype_collapses_when_a_smaller_column_can_be_moved():
    # lane 1 and 2 are barred two rows ahead and nothing can be paid
    skiers = {"1": {"at": [20, 1], "cols": [1, 0, 2, 0], "st": [0, 0, 0, 0, 0]},
              "2": {"at": [22, 1]}, "3": {"at": [21, 2]}}  # fmt: skip
    case = Stage(skiers=skiers).until(s.ASK_MAIN)
    for name in (*ARCHETYPES, "greedy"):
        assert case.choice(name) == 1, name


def test_shoot_token_is_used_on_a_miss_and_kept_after_a_hit():
    def after(face):
        case = Stage(skiers={"1": {"at": "S18", "cols": [1, 0, 0, 0], "wax": [1, 4, 4, 4, 4, 3]}},
                     dice=[face] + [1] * 50)  # fmt: skip
        return case.until(s.ASK_MAIN) if case.state["phase"] == s.ASK_MAIN else case

    missed = after(6)
    while not (missed.state["phase"] == s.ASK_WAX and missed.state["window"] == 3):
        missed.answer(missed.options()[0])
    assert missed.choice("marksman") == 1
    hit = after(1)
    while not (hit.state["phase"] == s.ASK_WAX and hit.state["window"] == 3):
        hit.answer(hit.options()[0])
    assert hit.choice("marksman") == 0


def test_route_value_of_the_plan_is_the_best_score_of_the_real_routes():
    skiers = {"1": {"at": [8, 1], "cols": [0, 0, 4, 0]}, "2": {"at": [10, 1]}, "3": {"at": [7, 1]},
              "4": {"at": [12, 2]}}  # fmt: skip
    for name in ARCHETYPES:
        case = Stage(skiers=skiers)
        assert case.state["phase"] == s.ASK_MOVE
        real = max(case.scores(name))
        plan, w = plan_and_weights(name)
        look(case.state, case.rules, plan, w)
        assert route_value(case.state, case.rules, plan, w, 0, 4, 0, 0) == pytest.approx(real)


# ---------------------------------------------------------------- whole games
def play_game(names, root, block, overrides=None, limit=4000, watch=None):
    """One race through the doors ``start``, ``decide``, ``apply``; the choices made."""
    rows, _ = rules.table([rules.load("biathlon", overrides=overrides or {})])
    row = rows[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    entries.start(state, row, work, events, entries.no_treatments(), len(names), root, block)
    policy = np.arange(1, MAX_POSITIONS + 1, dtype=np.uint64)
    made = []
    for _ in range(limit):
        if state["over"]:
            break
        at = int(state["side"][state["to_move"]])
        name = names[at]
        index = play.decide(state, row, work, BOOK.get(name).code, params_of(name), policy, at)
        assert 0 <= index < work["n_options"], (name, int(state["phase"]))
        if watch:
            watch(state, row, work, name, int(index))
        made.append((int(state["phase"]), int(work["options"][index])))
        entries.apply(state, row, work, events, int(work["options"][index]))
    return made


VARIANTS = (
    {},
    {"nations.use": ["Austria", "United Kingdom", "Italy", "Finland"], "course.lanes": 3},
    {"rules.reroll_target": "any_shot_this_turn", "rules.draft_extent": "prefix",
     "rules.draft_path": "copy", "rules.entry_cost": "per_skeeple"},
    {"rules.wax_burn": True, "rules.empty_extra": True, "rules.slide_repeat": True,
     "rules.penalty_lane_free": False, "rules.uphill_order": "before_wax",
     "rules.shoot_round": "next_round", "rules.blue_on_reroll": True},
)  # fmt: skip


@pytest.mark.parametrize("changes", [{}, {"course.lanes": 3}, {"rules.entry_cost": "per_skeeple"}])
def test_the_routes_looked_ahead_are_those_of_the_engine(changes):
    seen = []

    def watch(state, row, work, name, index):
        if state["phase"] != s.ASK_MOVE:
            return
        plan, w = plan_and_weights(name)
        look(state, row, plan, w)
        o = plan_state.N_FEATURES * int(plan["phase"])
        real = max(
            float(option_score(state, row, work, plan, w, int(work["options"][index])))
            for index in range(int(work["n_options"]))
        )
        steps, sprinted = int(state["steps"]), int(state["sprinted"])
        assert route_value(state, row, plan, w, o, steps, sprinted, 0) == pytest.approx(real)
        seen.append(steps)

    limit = 4000 if jit.compiled() else 200
    for names in (ARCHETYPES[:4], ARCHETYPES[4:]):
        play_game(names, 11, 0, changes, limit=limit, watch=watch)
    assert len(seen) > 5


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_decide_answers_every_question_with_an_option(variant):
    lineups = [ARCHETYPES[:4], ARCHETYPES[4:], ("greedy", "random", "plain", "plain_nodraft")]
    if not jit.compiled():
        lineups = lineups[variant % 3 :][:1]
    asked = set()
    for number, names in enumerate(lineups):
        for block in range(6 if jit.compiled() else 1):
            made = play_game(names, 7 + number, block, VARIANTS[variant],
                             limit=4000 if jit.compiled() else 60)  # fmt: skip
            asked |= {phase for phase, _ in made}
    if jit.compiled():
        common = {s.ASK_SIX, s.ASK_WAX, s.ASK_MAIN, s.ASK_EXTRA, s.ASK_PAY, s.ASK_MOVE, s.ASK_DRAFT}
        assert common <= asked


def test_hidden_things_do_not_change_a_choice():
    """Dice to come, other seats' 6s of the running preparation, their wax until all have chosen."""

    def watch(state, row, work, name, index):
        seat = int(state["to_move"])
        kept = state["streams"].copy(), state["stars"].copy(), state["sprint"].copy()
        kept += (state["sixes"].copy(), state["slots"].copy())
        state["streams"][:] = state["streams"][::-1] ^ np.uint64(12345)
        others = [other for other in range(int(state["n_seats"])) if other != seat]
        if state["phase"] == s.ASK_SIX and state["active"] < 0:
            for other in others:
                state["stars"][other] = 1 - state["stars"][other]
                state["sprint"][other] += 1
                state["sixes"][other] += 1
        if state["phase"] in (s.ASK_WAXPICK, s.ASK_NATION):
            for other in others:
                state["slots"][other] = 3
        assert decide_again(state, row, work, name) == index
        state["streams"][:], state["stars"][:], state["sprint"][:] = kept[:3]
        state["sixes"][:], state["slots"][:] = kept[3:]

    def decide_again(state, row, work, name):
        policy = np.arange(1, MAX_POSITIONS + 1, dtype=np.uint64)
        code = BOOK.get(name).code
        return int(play.decide(state, row, work, code, params_of(name), policy, 0))

    for names in (ARCHETYPES[:4], ARCHETYPES[4:]):
        play_game(names, 3, 0, limit=4000 if jit.compiled() else 40, watch=watch)


_LANE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from test_biathlon import play_game, ARCHETYPES
print(json.dumps([play_game(ARCHETYPES[:4], 5, 0, limit=150), play_game(ARCHETYPES[4:], 5, 1, limit=150)]))
"""


@compiled_only
def test_plain_python_makes_the_choices_of_compiled_code():
    folder = str(Path(__file__).parent)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run([sys.executable, "-W", "ignore", "-c", _LANE, folder], env=environment,
                          check=True, capture_output=True, text=True, timeout=600)  # fmt: skip
    here = [play_game(ARCHETYPES[:4], 5, 0, limit=150), play_game(ARCHETYPES[4:], 5, 1, limit=150)]
    assert json.loads(told.stdout) == json.loads(json.dumps(here))


def batch(lineup, n, seed=1, players=4, equal=False):
    from simulate.batch import play_blocks
    from simulate.request import Request
    from simulate.tables import buffers, tables

    plan = Request(
        game="biathlon", n=n, players=players, lineup=lineup, seed=seed, equal=equal
    ).plan()
    table = tables(plan)
    blocks = plan.n // plan.k
    scratch = buffers(table, blocks)
    tally = np.zeros(plan.k, dtype=s.TALLY)
    play_blocks(plan, table, scratch, 0, blocks, tally)
    return (
        plan,
        scratch.game_rows[: plan.n],
        scratch.seat_rows[: blocks * table.seats_per_block],
        tally,
    )


@compiled_only
@pytest.mark.parametrize("name", ARCHETYPES)
def test_four_of_an_archetype_reach_the_goal_long_before_four_of_r0(name):
    _, games, _, _ = batch(name, 300)
    assert 14 < games["rounds_win"].mean() < 20.5
    assert games["collapses"].mean() < 0.5


@compiled_only
def test_r0_meets_the_specification():
    _, games, _, _ = batch("plain", 4000)
    assert games["rounds_win"].mean() == pytest.approx(27.941, abs=0.2)
    assert games["rounds_total"].mean() == pytest.approx(34.454, abs=0.25)
    assert games["drafts"].mean() == pytest.approx(5.914, abs=0.25)
    _, games, _, _ = batch("plain_nodraft", 2000)
    assert games["rounds_win"].mean() == pytest.approx(28.752, abs=0.25)


def same_rows(rows, others):
    """Equal in every field (the bytes between the fields are nobody's)."""
    return all(rows[name].tobytes() == others[name].tobytes() for name in rows.dtype.names)


@compiled_only
def test_a_batch_is_the_same_in_one_call_or_many_and_fills_the_core_columns():
    from simulate.batch import play_blocks
    from simulate.tables import buffers, tables

    plan, games, seats, tally = batch("drafter,finisher,pacer,opportunist", 40)
    games, seats = games.copy(), seats.copy()
    table = tables(plan)
    again = np.zeros(plan.k, dtype=s.TALLY)
    per_block = table.seats_per_block
    for block in range(plan.n // plan.k):
        scratch = buffers(table, 1)
        play_blocks(plan, table, scratch, block, 1, again)
        part = slice(block * plan.k, (block + 1) * plan.k)
        assert same_rows(scratch.game_rows[: plan.k], games[part])
        part = slice(block * per_block, (block + 1) * per_block)
        assert same_rows(scratch.seat_rows[:per_block], seats[part])
    assert same_rows(again, tally)
    assert list(games["game_id"]) == list(range(plan.n))
    assert list(games["block"]) == [g // plan.k for g in range(plan.n)]
    assert list(seats["seat"][:4]) == [0, 1, 2, 3]
    for game in range(plan.n):
        here = seats[4 * game : 4 * game + 4]
        assert sorted(here["position"]) == [0, 1, 2, 3]
        assert list(here["strategy"]) == list(here["position"])


@compiled_only
def test_two_players_run_two_skiers_each():
    _, _, seats, _ = batch("finisher,pacer", 4, players=2)
    for game in range(4):
        here = seats[4 * game : 4 * game + 4]
        assert list(here["position"]) in ([0, 0, 1, 1], [1, 1, 0, 0])
        assert list(here["strategy"]) == list(here["position"])


@compiled_only
def test_temperature_changes_choices_and_draws_from_the_own_stream_only():
    plain = batch("pacer", 20)[1]["turns"].copy()
    noisy = batch("pacer:temperature=2", 20)[1]["turns"].copy()
    again = batch("pacer:temperature=2", 20)[1]["turns"].copy()
    assert list(noisy) == list(again)
    assert list(noisy) != list(plain)
