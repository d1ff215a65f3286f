"""The strategies of Pistengaudi: tables, features by hand, the kept look ahead, anchors, both lanes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simulate import jit, rules
from simulate.games.pistengaudi import entries, position, words
from simulate.games.pistengaudi import state as s
from strategies.book import MAX_PARAMS, MAX_POSITIONS
from strategies.pistengaudi import (
    BOOK,
    FEATURES,
    FIRST_ARCHETYPE,
    MENDED,
    SPECIFIED,
    plan_state,
    play,
)

compiled_only = pytest.mark.skipif(not jit.compiled(), reason="needs the speed of compiled code")
plain_only = pytest.mark.skipif(jit.compiled(), reason="looks into kernels; see the test of lanes")
ROOT = Path(__file__).parents[2]
ARCHETYPES = [strategy.name for strategy in BOOK.strategies[FIRST_ARCHETYPE:]]

# The specification's section 10, word for word.
TABLE = """
    Racer | gain 3, area 4, reach 1, eta -1, lie -0.5, risk -0.5
    Careful Skier | gain 1.5, area 4, eta -1.5, lie -4, risk -3, exits 1, home -0.5, way 3
    Road Builder | eta -4, mine 1.5, reach 1.5, gain 1.5, lie -2, risk -2, hole -1, share -0.7, area 4
    Spoiler | slow 4, leadrisk 2.5, oprisk 1.5, lostway 2, front 1.5, eta -1, gain 1, area 4
    Snow Thrower | landS 2.5, snowopt 1, hitlead 3, hitup 2, leadlie 1, gain 1.5, eta -1.5, area 4
    Groomer Driver | landG 2.5, groomopt 1, push 3, hitlead 1, gain 1.5, eta -1.5, area 4
    Slipstreamer | eta -3, share -2.5, dump 1.5, gain 1.5, threat -0.5, risk -1.5, area 4
    Finisher | gain 1, eta -2, speed 1, reach 1, final -5, area 5, wait 0.3, leadrisk 1, risk -2, home -1
    All-rounder | gain 1.5, area 4, eta -3, lie -1.5, risk -1.5, race 1, slow 1, hitlead 2, hitup 1, push 2, final -2, way 2
"""


# ---------------------------------------------------------------- stage: positions and choices
class Stage:
    """A scripted position, run to its first question."""

    def __init__(self, run="ride 0", **case):
        case = {"first_card_done": True, **case}
        rows, vocab = rules.table([rules.load("pistengaudi", overrides=position.overrides(case))])
        self.rules = rows[0]
        self.state, self.work = position.setup(case, self.rules, vocab)
        self.vocab = vocab
        position.begin(self.state, self.rules, self.work, run)
        self.events = entries.new_events(0)
        entries.resume(self.state, self.rules, self.work, self.events)

    def options(self):
        return [int(code) for code in self.work["options"][: self.work["n_options"]]]

    def choice(self, name, **changes):
        """Action code that a strategy chooses; nothing is left changed."""
        before, options = self.state.tobytes(), self.options()
        index = decide(self.state, self.rules, self.work, name, **changes)
        assert self.state.tobytes() == before
        assert self.options() == options
        return options[index]

    def told(self, code):
        """A choice as the specification writes it."""
        return words.action(self.state, self.rules, self.work, code, self.vocab)


def params_of(name, **changes):
    """A row of parameters; ``only`` sets all others to 0."""
    row = np.zeros(MAX_PARAMS)
    only = changes.pop("only", None)
    for index, param in enumerate(BOOK.get(name).params):
        row[index] = changes.get(param.name, 0.0 if only else param.default)
    return row


def decide(state, rules_row, work, name, **changes):
    policy = np.arange(1, MAX_POSITIONS + 1, dtype=np.uint64)
    code = BOOK.get(name).code
    return int(play.decide(state, rules_row, work, code, params_of(name, **changes), policy, 0))


def single(stage, **weights):
    """What a strategy with these weights alone chooses, as an action code."""
    return stage.choice("racer", only=True, **weights)


# ---------------------------------------------------------------- the book
def test_weights_begin_with_those_of_the_specification():
    for line in TABLE.strip().splitlines():
        name, cells = (part.strip() for part in line.split("|"))
        wanted = {}
        for cell in cells.split(","):
            feature, weight = cell.split()
            wanted[feature.lower()] = float(weight)
        key = name.lower().replace(" ", "_").replace("-", "_")
        assert {k: float(v) for k, v in SPECIFIED[key].items()} == wanted
        played = {p.name: p.default for p in BOOK.get(key).params}
        for feature, _ in FEATURES:
            mended = {**wanted, **MENDED.get(key, {})}
            assert played[feature] == mended.get(feature, 0.0), (key, feature)


def test_mended_weights_keep_the_sign_of_the_specification():
    for name, weights in MENDED.items():
        for feature, weight in weights.items():
            specified = SPECIFIED[name].get(feature, weight)
            assert weight * specified >= 0, (name, feature)


def test_parameter_rows_stand_where_the_kernels_read_them():
    names = [p.name for p in BOOK.get("racer").params]
    for index, name in enumerate(names[: plan_state.N_FEATURES]):
        assert getattr(plan_state, name.upper()) == index
    assert names[plan_state.P_TEMPERATURE] == "temperature"
    assert len(names) == plan_state.N_PARAMS <= MAX_PARAMS


def test_codes_and_names_are_unique_and_every_table_has_a_line_up():
    assert len({x.code for x in BOOK.strategies}) == len(BOOK.strategies)
    assert len(set(BOOK.names())) == len(BOOK.names())
    for players in range(2, 7):
        line = BOOK.default_lineup[players].split(",")
        assert len(line) == players
        assert set(line) <= set(BOOK.names())


# ---------------------------------------------------------------- features by choices
MOVE = {"cards": [[1, 0, "P1", "P2"], [1, 2, "S1", "P1"], [0, 1, "P1", "P3"], [2, 1, "G1", "P1"]]}


def told_move(stage, **weights):
    return stage.told(single(stage, **weights))


def test_moves_are_weighed_by_where_they_end():
    # from (1,1), two steps: D D to (1,3); D L and D R lack a space; L L, R R, L D, R D
    stage = Stage(figures=[[1, 1, "up"], [0, 0, "up"], [2, 2, "lying"]], **MOVE)
    ends = [stage.told(code) for code in stage.options()]
    assert len(ends) > 1
    cells = {code: (code // s.STRIDE - s.ORIGIN, code % s.STRIDE - 1) for code in stage.options()}
    rows = {code: y for code, (_, y) in cells.items()}
    assert rows[single(stage, gain=1.0)] == max(rows.values())
    assert rows[single(stage, gain=-1.0)] == min(rows.values())
    assert abs(cells[single(stage, home=-1.0)][0]) == min(abs(x) for x, _ in cells.values())


def test_a_snowball_goes_for_the_leader_and_for_an_upright_one():
    cards = [[0, 1, "P1", "S1"], [0, 3, "P1", "P1"], [0, 5, "P1", "P1"], [1, 2, "F", "P1"],
             [-1, 2, "F", "P1"]]  # fmt: skip
    figures = [[0, 1, "up"], [0, 4, "up"], [0, 6, "lying"], [0, 5, "up"]]
    stage = Stage(cards=cards, figures=figures)
    assert stage.state["phase"] == s.ASK_SNOW
    assert single(stage, hitlead=1.0) == 1 + 2
    assert single(stage, hitlead=1.0, hitup=1.0) == 1 + 3
    assert single(stage, hitlead=-1.0) == 1 + 1
    assert single(stage, leadlie=1.0, hitup=0.1) in (1 + 1, 1 + 3)
    assert single(stage, race=1.0) == 1 + 3


def test_a_groomer_pushes_up_and_prefers_the_leader():
    cards = [[0, 1, "P1", "G1"], [0, 3, "P1", "P1"], [0, 5, "P1", "P1"], [1, 2, "F", "P1"],
             [-1, 2, "F", "P1"]]  # fmt: skip
    stage = Stage(cards=cards, figures=[[0, 1, "up"], [0, 4, "up"], [0, 5, "up"]])
    assert stage.state["phase"] == s.ASK_GROOM
    assert single(stage, push=1.0) == 1 + 2 * 4 + 0
    assert single(stage, push=-1.0) == 1 + 2 * 4 + 3
    assert single(stage, push=1.0, hitlead=-9.0) == 1 + 1 * 4 + 0


def test_the_goal_is_taken_and_its_depth_counts():
    cards = [[0, 11, "P1", "P3"], [1, 12, "P1", "P1"], [2, 12, "P1", "P1"], [3, 12, "P1", "P1"]]
    stage = Stage(
        cards=cards, figures=[[0, 12, "up"], [0, 11, "up"]], rules={"goal.overrun": "choice"}
    )
    assert stage.state["phase"] == s.ASK_MOVE
    assert single(stage, area=1.0) == 2 * s.N_CELLS + 3
    assert single(stage, gain=1.0) == 2 * s.N_CELLS + 3
    assert single(stage, wait=5.0) < s.N_CELLS
    assert single(stage, area=-1.0, wait=-5.0) == 2 * s.N_CELLS + 1


def test_forest_goes_in_front_of_others_and_far_cards_are_dumped():
    cards = [[0, 1, "P1", "P1"], [0, 3, "P1", "P1"]]
    figures = [[0, 1, "up"], [0, 4, "up"]]
    stage = Stage("cards 0", cards=cards, figures=figures, stack=["F/P1"], rules={
        "draw.cards_per_turn": {"2": 1, "3": 1, "4": 1, "5": 1, "6": 1}})  # fmt: skip
    code = single(stage, front=1.0)
    cell, turned = code // (2 * s.MAX_HAND), code % 2
    x, y = words.cell_of(0, 4) // s.STRIDE, 4
    forest = cell + turned  # the half written first is forest
    assert abs(forest // s.STRIDE - x) + abs(forest % s.STRIDE - 1 - y) <= 2
    far = single(stage, dump=1.0)
    near = single(stage, mine=1.0)
    assert far != near


# ---------------------------------------------------------------- bot N
def test_near_builder_lays_roads_below_itself_and_hides_forest():
    cards = [[0, 1, "P1", "P1"], [-1, 1, "P1", "P1"], [-2, 1, "P1", "P1"]]
    figures = [[0, 2, "up"], [-2, 1, "up"], [-2, 2, "up"], [-1, 2, "up"]]
    stage = Stage("cards 0", cards=cards, figures=figures, stack=["P1/P2"])
    code = stage.choice("near_builder")
    assert code // (2 * s.MAX_HAND) == words.cell_of(0, 3)
    stage = Stage("cards 0", cards=cards, figures=figures, stack=["J/P2"])
    code = stage.choice("near_builder")
    assert code // (2 * s.MAX_HAND) in (words.cell_of(-3, 1), words.cell_of(-3, 2))


# ---------------------------------------------------------------- the kept look ahead
@plain_only
@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_equals_what_is_worked_out_anew(seed):
    """ETA and outcomes after random placements, riding and tried cards, against the engine's own."""
    from simulate.games.pistengaudi.forecast import foresee
    from simulate.games.pistengaudi.movement import find_outcomes
    from simulate.request import Request
    from simulate.steps import Sitting
    from strategies.pistengaudi import ahead

    overrides = [{}, {"rules.jump.turn": "free"}, {"rules.move.full_path": "free_fall"},
                 {"slope.forest": "slalom_run"}][seed]  # fmt: skip
    changes = [f"{key}={value}" for key, value in overrides.items()]
    plan = Request("pistengaudi", 1, lineup="near_builder", equal=False, set=changes).plan()
    sitting = Sitting.of_game(plan, seed)
    state, here, work = sitting.state, sitting.rules, entries.new_work()
    known, coin = np.zeros(1, plan_state.PLAN)[0], random.Random(seed)
    ahead.forget(known)

    def compare():
        for seat in range(4):
            if state["area"][seat] == 0:
                cell = int(state["cell"][seat])
                kept = ahead.turns_ahead(state, here, work, known, cell)
                assert kept + state["lying"][seat] == foresee(state, here, work, seat)
                row = ahead.row_of_moves(state, here, work, known, cell)
                told = known["out"][row][: known["n_out"][row]].tolist()
                find_outcomes(state, here, work, cell)
                assert told == work["out_code"][: work["n_outcomes"]].tolist()

    for _ in range(60):
        if sitting.over:
            break
        ahead.refresh(state, here, known)
        compare()
        if state["phase"] == s.ASK_PLACE:
            for code in coin.sample(sitting.options.tolist(), 2):
                card = int(state["hand"][code // 2 % s.MAX_HAND])
                halves = [int(state["first"][card]), int(state["second"][card])]
                up, down = reversed(halves) if code % 2 else halves
                before = state.tobytes()
                ahead.try_card(state, known, code // (2 * s.MAX_HAND), up, down)
                compare()
                ahead.untry_card(state, known)
                assert state.tobytes() == before
        sitting.apply(sitting.choose())
    assert known["etas_known"] > 0
    assert known["moves_known"] > 0


@plain_only
@pytest.mark.parametrize(
    ("setting", "players"),
    [("slope.forest=timber_track", 3), ("rules.jump.turn=free", 4), ("deck.size=24", 4)],
)
def test_scores_do_not_depend_on_what_was_looked_at_before(setting, players):
    """Every feature at once, with what is kept from question to question and without."""
    from simulate.request import Request
    from simulate.steps import Sitting
    from strategies.pistengaudi import ahead
    from strategies.pistengaudi.evaluate import look_at, option_score

    changes = [setting]
    if setting == "deck.size=24":
        changes += ["deck.name=small", "deck.sets.small.cards=" + json.dumps(["F/P1", "J/P2", "S1/P3", "G2/P1", "H1/P2", "P1/P3"] * 4)]  # fmt: skip  # noqa: E501
    plan = Request(
        "pistengaudi", 1, players=players, lineup="near_builder", equal=False, set=changes
    ).plan()
    sitting = Sitting.of_game(plan, 1)
    state, here, work = sitting.state, sitting.rules, sitting.work
    coin = random.Random(players)
    w = np.zeros(MAX_PARAMS)
    w[: plan_state.N_FEATURES] = [coin.uniform(-3, 3) for _ in range(plan_state.N_FEATURES)]
    kept = np.zeros(1, plan_state.PLAN)[0]
    ahead.forget(kept)
    asked = set()
    for _ in range(70):
        if sitting.over:
            break
        asked.add(int(state["phase"]))
        options = sitting.options.tolist()
        chosen = coin.sample(options, min(3, len(options)))
        before = state.tobytes()
        look_at(state, here, work, kept, w)
        for code in chosen:
            fresh = np.zeros(1, plan_state.PLAN)[0]
            ahead.forget(fresh)
            look_at(state, here, work, fresh, w)
            wanted = option_score(state, here, work, fresh, w, code)
            kept["swept_mark"] = -1  # the other one has swept in the same WORK
            assert option_score(state, here, work, kept, w, code) == wanted
        assert state.tobytes() == before
        assert sitting.options.tolist() == options
        sitting.apply(sitting.choose())
    assert {s.ASK_PLACE, s.ASK_MOVE} <= asked


# ---------------------------------------------------------------- whole games
def batch(lineup, n, seed=1, players=4, equal=False, **options):
    from simulate.batch import play_blocks
    from simulate.request import Request
    from simulate.tables import buffers, tables

    plan = Request(
        game="pistengaudi", n=n, players=players, lineup=lineup, seed=seed, equal=equal, **options
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


def within(values, wanted, error):
    """Mean of the games within four standard errors, theirs and the specification's."""
    values = np.asarray(values, dtype=float)
    own = values.std(ddof=1) / np.sqrt(len(values))
    assert abs(values.mean() - wanted) <= 4 * np.hypot(own, error), (values.mean(), wanted)


@compiled_only
@pytest.mark.parametrize(
    ("players", "played", "rounds", "area", "home"),
    [
        (2, 0.981, 10.247, 1.669, 1.231),
        (4, 0.991, 10.264, 1.680, 1.545),
        (6, 0.997, 9.037, 1.688, 1.788),
    ],
)
def test_bot_n_meets_the_specification(players, played, rounds, area, home):
    """Exact figures 24 and 26."""
    _, games, _, _ = batch("near_builder", 6000, players=players)
    within(~games["truncated"], played, 0.0007)
    done = games[~games["truncated"]]
    within(done["rounds"], rounds, 0.011)
    within(done["winner_area"], area, 0.004)
    within(done["n_in_goal"], home, 0.005)


@compiled_only
def test_bot_n_wins_by_seat_and_throws_as_the_specification_says():
    """Exact figures 25 and 29."""
    _, games, _, _ = batch("near_builder", 8000)
    for seat, share in enumerate((0.212, 0.242, 0.257, 0.280)):
        within(games["winner_seat"] == seat, share, 0.002)
    within(games["snowballs"], 5.62, 0.02)


@compiled_only
@pytest.mark.parametrize(
    ("setting", "rounds", "error"),
    [
        ("slope.forest=little_grove", 11.29, 0.024),
        ("slope.forest=slalom_run", 11.92, 0.031),
        ("slope.forest=timber_track", 11.96, 0.029),
        ("deck.name=broad42", 9.65, 0.014),
        ("deck.name=wild42", 12.23, 0.026),
    ],
)
def test_bot_n_meets_other_slopes_and_decks(setting, rounds, error):
    """Exact figure 28."""
    _, games, _, _ = batch("near_builder", 4000, set=[setting])
    within(games["rounds"][~games["truncated"]], rounds, error)


@compiled_only
def test_bot_u_meets_the_specification():
    """Exact figure 27: four random players, at most 20 rounds."""
    _, games, _, _ = batch("random", 3000, set=["limits.max_rounds=20"])
    within(~games["truncated"], 0.2684, 0.0018)
    within(games["rounds"][~games["truncated"]], 16.39, 0.022)
    within(games["cards_taken"], 32.15, 0.04)
    within(games["forgone"], 2.01, 0.012)


@compiled_only
@pytest.mark.parametrize("name", ARCHETYPES)
def test_an_archetype_beats_greedy_and_greedy_beats_random(name):
    """Two and two at a table of four, seats rotated."""
    for better, worse in ((name, "greedy"), ("greedy", "random"), (name, "near_builder")):
        _, _, seats, _ = batch(f"{better}*2,{worse}*2", 400)
        first = seats["win_share"][seats["position"] < 2].sum() / 400
        second = seats["win_share"][seats["position"] >= 2].sum() / 400
        assert first > second + 0.05, (better, worse, first, second)


def same_rows(rows, others):
    """Equal in every field (the bytes between the fields are nobody's)."""
    return all(rows[name].tobytes() == others[name].tobytes() for name in rows.dtype.names)


@compiled_only
def test_a_batch_is_the_same_in_one_call_or_many():
    """What is kept from question to question changes nothing."""
    from simulate.batch import play_blocks
    from simulate.tables import buffers, tables

    plan, games, seats, tally = batch("all_rounder,road_builder,finisher,spoiler", 24)
    games, seats = games.copy(), seats.copy()
    table = tables(plan)
    again = np.zeros(plan.k, dtype=s.TALLY)
    for block in range(plan.n // plan.k):
        scratch = buffers(table, 1)
        play_blocks(plan, table, scratch, block, 1, again)
        part = slice(block * plan.k, (block + 1) * plan.k)
        assert same_rows(scratch.game_rows[: plan.k], games[part])
        part = slice(block * table.seats_per_block, (block + 1) * table.seats_per_block)
        assert same_rows(scratch.seat_rows[: table.seats_per_block], seats[part])
    assert same_rows(again, tally)


@compiled_only
def test_temperature_changes_choices_and_draws_from_the_own_stream_only():
    plain = batch("racer", 20)[1]["turns"].copy()
    noisy = batch("racer:temperature=2", 20)[1]["turns"].copy()
    again = batch("racer:temperature=2", 20)[1]["turns"].copy()
    assert list(noisy) == list(again)
    assert list(noisy) != list(plain)


# ---------------------------------------------------------------- both lanes
LANE = """
import json, sys
from simulate.request import Request
from simulate.steps import Sitting
told = {}
for name in json.loads(sys.argv[1]):
    sitting = Sitting.of_game(Request("pistengaudi", 1, lineup=name, equal=False).plan(), 0)
    told[name] = []
    while not sitting.over and len(told[name]) < int(sys.argv[2]):
        index = sitting.choose()
        told[name].append([int(sitting.state["phase"]), len(sitting.options), int(index)])
        sitting.apply(index)
print(json.dumps(told))
"""


@compiled_only
def test_plain_python_chooses_as_compiled_code():
    """The first decisions of a game of every strategy."""
    told = []
    for disable in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disable, "PYTHONPATH": str(ROOT)}
        result = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", LANE, json.dumps(BOOK.names()), "24"],
            env=environment, capture_output=True, text=True, check=True, cwd=ROOT,
        )  # fmt: skip
        told.append(json.loads(result.stdout.splitlines()[-1]))
    assert told[0] == told[1]
