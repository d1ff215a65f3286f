"""The strategies of Skull Canyon: Ski Fest: the table, features by hand, sets, whole games, anchors."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simulate import jit, rules
from simulate.games.skull_canyon import entries, position, words
from simulate.games.skull_canyon import state as s
from strategies import weave
from strategies.book import MAX_PARAMS, MAX_POSITIONS
from strategies.skull_canyon import (
    ARCHETYPES,
    BOOK,
    GEAR_FLAGS,
    MENDED,
    TABLE,
    plan_state,
    play,
    weights,
)

compiled_only = pytest.mark.skipif(not jit.compiled(), reason="needs the speed of compiled code")

# The specification's table (section 10), word for word: name, key weights.
SPEC = """
Groomer | vp 1, fame .35, claim 2.5, top_e 1.5, top_all 1, best .2, spent -.5, over -.4, lift_vp .3
Racer | vp 1, fame .35, gap4 -.8, ready_a .8, top_a 1.2, style_hit 1, gear_bling_bindings .15, lift_vp .5
Expert hunter | vp 1, fame .33, best .9, gap7 -.6, height 1.5, ready_x 3, spent -.3, gear_ramp .2, gear_season_pass .15, top_x 1
Claim jumper | vp 1, fame .33, steal 2.5, steal_lead 1.5, restack .6, depth .4, award_now .8, best .5, over .1, gear_heated_gloves .2
Avalanche maker | vp 1, fame .35, yetis .8, expl 1, rival_drop 1.2, own_drop -.8, rival_ready -.5, block 1, gear_emergency_tent .2, gear_avalanche_alert .1
Socialite | vp 1, fame .6, early .8, village_left .6, hand .4, tick .7, expl .5, waning .6
Gear baron | vp 1, fame .7, fame_next 1.5, gear_vp 1, all gear flags .12, style_hit 1, waning .5
Weather reader | vp 1, fame .4, hand_dry .5, second .4, snow_height 1, chain .4, best .3, lift_vp .3
All-rounder | vp 1, fame .4, best .4, second .2, hand .25, lift_vp .4, ready_vp .4, claim 1.2, steal 1, award_now .5, style_hit .7, waning .5, rival_drop .3, own_drop -.4, gear_vp .7, tick .5, expl .4, early .2
"""


# ---------------------------------------------------------------- stage: positions and choices
class Stage:
    """A scripted position, run to its first question."""

    def __init__(
        self, seats, players=3, what="turn", seat=0, actions=2, rules_changed=None, **start
    ):
        run = {"what": what, "seat": seat, "actions": actions} if what == "turn" else {"what": what}
        start = {
            "row": ["RS", "YL", "BC", "BP"],
            "deck": ["YM", "RL", "BM"] * 12,
            "seats": seats,
            **start,
        }
        case = {"players": players, "start": start, "run": run, "rules": rules_changed or {}}
        rows, known = rules.table([rules.load("skull_canyon", overrides=position.overrides(case))])
        self.rules = rows[0]
        self.state, self.work = position.setup(case, self.rules, known)
        self.events = entries.new_events(0)
        self.vocabulary = known
        entries.resume(self.state, self.rules, self.work, self.events)

    @property
    def board(self):
        return words.board_of(self.state, self.rules)

    def names(self):
        """Options in words."""
        return words.options(self.state, self.rules, self.work, self.vocabulary)

    def choice(self, name, **changes):
        """The option that a strategy chooses, in words."""
        policy = np.arange(1, MAX_POSITIONS + 1, dtype=np.uint64)
        code = BOOK.get(name).code
        index = play.decide(
            self.state, self.rules, self.work, code, params_of(name, **changes), policy, 0
        )
        return self.names()[int(index)]

    def follow(self, name, **changes):
        """Answer as a strategy does until the next ``ACT``; the answers."""
        made = []
        while self.state["to_move"] >= 0:
            choice = self.choice(name, **changes)
            made.append(choice)
            code = int(self.work["options"][self.names().index(choice)])
            entries.apply(self.state, self.rules, self.work, self.events, code)
            if self.state["phase"] == s.ASK_ACT:
                break
        return made


def params_of(name, **changes):
    row = np.zeros(MAX_PARAMS)
    for index, param in enumerate(BOOK.get(name).params):
        row[index] = changes.get(param.name, param.default)
    return row


ONLY_VP = {**{p.name: 0.0 for p in BOOK.get("greedy").params}, "vp": 1.0}


# ---------------------------------------------------------------- the book
def test_table_is_the_specification():
    for line in SPEC.strip().splitlines():
        title, cells = (part.strip() for part in line.split("|"))
        name = title.lower().replace(" ", "_").replace("-", "_")
        told = {}
        for cell in cells.split(", "):
            feature, weight = cell.rsplit(" ", 1)
            names = [f"gear_{g}" for g in GEAR_FLAGS] if feature == "all gear flags" else [feature]
            told |= dict.fromkeys(names, float(weight))
        assert TABLE[name] == told, name


def test_defaults_are_the_table_where_nothing_is_said_to_be_mended():
    for name in ARCHETYPES:
        values = {p.name: p.default for p in BOOK.get(name).params}
        for feature, weight in TABLE[name].items():
            if feature not in MENDED.get(name, {}):
                assert values[feature] == weight, (name, feature)
        assert set(weights(name)) <= set(values)


def test_parameter_rows_stand_where_the_kernels_read_them():
    names = [p.name for p in BOOK.get("racer").params]
    assert len(names) == plan_state.N_PARAMS <= MAX_PARAMS
    for index, name in enumerate(names):
        if name.startswith("gear_") and name != "gear_vp":
            assert plan_state.GEAR_FLAG + s.ABILITIES.index(name[5:]) == index
        else:
            assert getattr(plan_state, name.upper()) == index


def test_codes_and_names_are_unique():
    assert len({x.code for x in BOOK.strategies}) == len(BOOK.strategies)
    assert len(set(BOOK.names())) == len(BOOK.names())
    assert set(BOOK.default_lineup) == {2, 3, 4}


def test_play_takes_a_strategy_of_the_user():
    text = weave._woven(inspect.getsource(play), "mine", ["bold"], Path("mine.py"))
    compile(text, "woven", "exec")
    assert "bold" in text


# ---------------------------------------------------------------- actions
def test_greedy_skis_the_run_with_the_most_vp():
    stage = Stage([{"node": "L2", "hand": {"RS": 4}}])
    assert stage.choice("greedy") == "ski:whiskey_jack"


def test_every_archetype_skis_a_run_that_it_can_pay_on_its_last_action():
    for name in ARCHETYPES:
        stage = Stage([{"node": "W2", "hand": {"RS": 4}}], day=3, tracker=1, actions=1)
        assert stage.choice(name).startswith("ski:"), name


def test_no_archetype_rides_up_on_the_last_action_of_a_sunny_day():
    for name in ARCHETYPES:
        stage = Stage([{"node": "L1", "hand": {"RS": 4}}], tracker=1, actions=1)
        assert stage.choice(name) == "train", name


def test_a_ticket_saves_an_action():
    stage = Stage([{"node": "L1", "hand": {"RS": 4}, "tickets": 1}], day=3, tracker=1)
    assert stage.choice("all_rounder").startswith("ticket:")


def test_expert_hunter_rides_on_with_seven_where_others_ski():
    stage = Stage([{"node": "L2", "hand": {"RS": 4, "RL": 3}}], tracker=3)
    assert stage.choice("expert_hunter") == "lift:L3"


def test_avalanche_maker_pushes_rivals_down():
    seats = [{"node": "L1", "hand": {"RS": 1}, "explosives": 1}, {"node": "L4"}, {"node": "L3"}]
    assert Stage(seats).choice("avalanche_maker", rival_drop=5.0) == "explosive"
    assert Stage([seats[0], {}, {}]).choice("avalanche_maker") != "explosive"


# ---------------------------------------------------------------- sets
def test_the_style_bonus_is_taken_when_the_hand_has_it():
    seats = [{"node": "W2", "hand": {"RM": 2, "YM": 1, "BM": 1, "RS": 2}}]
    stage = Stage(seats, actions=1, style={"gold_spike": "moguls"}, day=3, tracker=1)
    stage.follow("racer")
    assert stage.state["fame"][0] == 2 * 2 + 1


def test_a_set_keeps_what_the_rest_of_the_hand_needs():
    # red pays with RS and RL; RM stays, it belongs to three moguls
    stage = Stage(
        [{"node": "W1", "hand": {"RS": 1, "RL": 1, "RM": 1, "YM": 1, "BM": 1}}], actions=1
    )
    made = stage.follow("racer", claim=9.0)
    assert made[0].startswith("ski:")
    assert stage.state["hand"][0].sum() == 3
    assert stage.state["hand"][0][[3, 8, 13]].tolist() == [1, 1, 1]


def test_a_steal_is_paid_with_the_cards_it_takes():
    seats = [{"node": "W1", "hand": {"RS": 3}}, {}]
    stage = Stage(
        seats,
        players=2,
        actions=1,
        day=3,
        tracker=1,
        board="canyon_34",
        stacks={"sunshine_express": [1], "marmot_meadow": [0]},
    )
    made = stage.follow("claim_jumper")
    assert made[0] == "ski:sunshine_express"
    assert stage.state["tops"][0].sum() == 2
    assert stage.state["hand"][0].sum() == 0


def test_a_ramp_pair_fills_a_set():
    seats = [{"node": "W2", "hand": {"BS": 3, "RL": 1, "YM": 1}, "gear": ["ramp"]}]
    stage = Stage(seats, actions=1, day=3, tracker=1)
    assert stage.choice("all_rounder") == "ski:gold_spike"
    stage.follow("all_rounder")
    assert (stage.state["vp"][0], stage.state["hand"][0].sum()) == (4, 0)


def test_one_yeti_goes_where_it_hurts():
    seats = [
        {"node": "W1", "hand": {"RS": 1, "ZZ": 1}},
        {"node": "L4", "hand": {"RS": 9}},
        {"node": "L1"},
    ]
    stage = Stage(seats, actions=1, day=3, tracker=1)
    stage.follow("avalanche_maker", claim=9.0)
    assert words.node(stage.board, int(stage.board["top"][stage.state["yeti"]])) == "L4"


# ---------------------------------------------------------------- the evening
def test_the_colour_of_let_it_ride_is_the_rarest_so_that_more_cards_come():
    seats = [{"fame": 1, "hand": {"RS": 7, "RL": 7, "RC": 7, "RM": 5}}, {}]
    stage = Stage(seats, players=2, what="village", deck=["YM", "YL", "BM", "YS", "BS"] * 3)
    code = int(stage.work["options"][stage.names().index("let_it_ride")])
    entries.apply(stage.state, stage.rules, stage.work, stage.events, code)
    assert stage.state["phase"] == s.ASK_COLOUR
    assert stage.choice("all_rounder") == "red"


def test_the_card_paid_is_the_one_missed_least():
    seats = [{"hand": {"RS": 3, "RL": 2, "BP": 1, "YM": 1}}, {}]
    stage = Stage(seats, players=2, what="village")
    code = int(stage.work["options"][stage.names().index("hot_tub")])
    entries.apply(stage.state, stage.rules, stage.work, stage.events, code)
    for name in (*ARCHETYPES, "greedy"):
        assert stage.choice(name) in {"BP", "YM"}, name


def test_places_worth_their_price_are_visited_from_left_to_right():
    seats = [{"fame": 3, "hand": {"RS": 3}}, {}]
    stage = Stage(seats, players=2, what="village")
    assert stage.choice("socialite") == "hot_tub"
    wants = {**ONLY_VP, "tick": 9.0, "fame": 0.1}
    assert stage.choice("socialite", **wants) == "hot_tub"
    poor = Stage([{"fame": 3}, {}], players=2, what="village")
    assert poor.choice("socialite", **wants) == "ski_swap"
    assert stage.choice("socialite", **{**ONLY_VP, "fame": 9.0}) == "hot_tub"
    assert poor.choice("socialite", **{**ONLY_VP, "fame": 1.0}) == "hotel"


def test_gear_is_bought_for_its_vp_and_its_ability():
    seats = [{"fame": 8, "hand": {"RS": 3}}, {}]
    stage = Stage(
        seats,
        players=2,
        what="village",
        gear_row=["bling_bindings", "heated_gloves", "night_goggles"],
    )
    code = int(stage.work["options"][stage.names().index("hotel")])
    entries.apply(stage.state, stage.rules, stage.work, stage.events, code)
    assert stage.state["phase"] == s.ASK_GEAR
    assert stage.choice("all_rounder", gear_vp=1.0) == "bling_bindings"
    assert stage.choice("all_rounder", gear_heated_gloves=9.0) == "heated_gloves"
    assert (
        stage.choice("all_rounder", gear_vp=0.01, **{f"gear_{g}": 0.0 for g in GEAR_FLAGS})
        == "none"
    )


def test_after_snow_the_weather_reader_wakes_up_high():
    seats = [{"hand": {"RS": 4}}, {}]
    stage = Stage(seats, players=3, what="village", weather=["sunny", "snowy", "sunny"])
    while stage.state["phase"] != s.ASK_LODGE:
        name = "hotel" if "hotel" in stage.names() else stage.names()[0]
        code = int(stage.work["options"][stage.names().index(name)])
        entries.apply(stage.state, stage.rules, stage.work, stage.events, code)
    assert stage.choice("weather_reader") != "L1"


# ---------------------------------------------------------------- whole games
def play_game(names, root, block, overrides=None, limit=4000):
    """One game through the doors ``start``, ``decide``, ``apply``; the choices made."""
    rows, _ = rules.table([rules.load("skull_canyon", overrides=overrides or {})])
    row = rows[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    entries.start(state, row, work, events, entries.no_treatments(), len(names), root, block)
    policy = np.arange(1, MAX_POSITIONS + 1, dtype=np.uint64)
    made = []
    while not state["over"] and len(made) < limit:
        at = int(state["to_move"])
        code = BOOK.get(names[at]).code
        index = int(play.decide(state, row, work, code, params_of(names[at]), policy, at))
        assert 0 <= index < work["n_options"], (names[at], int(state["phase"]))
        made.append((int(state["phase"]), int(work["options"][index])))
        entries.apply(state, row, work, events, int(work["options"][index]))
    return made


VARIANTS = (
    {},
    {"rules.yeti_clear_own_run": True, "rules.own_stack_surcharge": False, "deck.set": "even45"},
    {"rules.ramp_yeti_counts": False, "rules.claim_optional": "none", "rules.happy_hour_exact": False,
     "rules.journal_train": "any_order", "rules.night_goggles_as_turn": True},
    {"board.layout": "twin_peaks_34", "rules.avalanche_order": "turn_order", "game.days": 4},
)  # fmt: skip
LINEUPS = (
    ("all_rounder", "weather_reader", "avalanche_maker", "gear_baron"),
    ("claim_jumper", "socialite", "expert_hunter"),
    ("groomer", "racer"),
    ("greedy", "plain", "random", "racer"),
)


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_decide_answers_every_question_with_an_option(variant):
    asked = set()
    lineups = LINEUPS if jit.compiled() else LINEUPS[variant:][:1]
    for number, names in enumerate(lineups):
        if len(names) == 2 and "board.layout" in VARIANTS[variant]:
            continue
        for block in range(8 if jit.compiled() else 1):
            asked |= {phase for phase, _ in play_game(names, 7 + number, block, VARIANTS[variant])}
    if jit.compiled():
        rare = {s.ASK_RAMP1, s.ASK_RAMP2, s.ASK_GOGGLES, s.ASK_LODGE}
        if VARIANTS[variant].get("rules.claim_optional") == "none":
            rare.add(s.ASK_CLAIM)
        assert set(range(s.N_QUESTIONS)) - asked <= rare


_LANE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from test_skull_canyon import play_game, LINEUPS
print(json.dumps([play_game(names, 5, number) for number, names in enumerate(LINEUPS)]))
"""


@compiled_only
def test_plain_python_makes_the_choices_of_compiled_code():
    folder = str(Path(__file__).parent)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run([sys.executable, "-W", "ignore", "-c", _LANE, folder], env=environment,
                          check=True, capture_output=True, text=True, timeout=600)  # fmt: skip
    here = [play_game(names, 5, number) for number, names in enumerate(LINEUPS)]
    assert json.loads(told.stdout) == json.loads(json.dumps(here))


def batch(lineup, n, seed=1, players=4):
    from simulate.batch import play_blocks
    from simulate.request import Request
    from simulate.tables import buffers, tables

    plan = Request(
        game="skull_canyon", n=n, players=players, lineup=lineup, seed=seed, equal=False
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


def same_rows(rows, others):
    """Equal in every field (the bytes between the fields are nobody's)."""
    return all(rows[name].tobytes() == others[name].tobytes() for name in rows.dtype.names)


@compiled_only
def test_a_batch_is_the_same_in_one_call_or_many_and_fills_the_core_columns():
    from simulate.batch import play_blocks
    from simulate.tables import buffers, tables

    plan, games, seats, tally = batch("all_rounder,racer,groomer,claim_jumper", 40)
    games, seats = games.copy(), seats.copy()
    table = tables(plan)
    again = np.zeros(plan.k, dtype=s.TALLY)
    per_block = table.seats_per_block
    for block in range(plan.n // plan.k):
        scratch = buffers(table, 1)
        play_blocks(plan, table, scratch, block, 1, again)
        assert same_rows(scratch.game_rows[: plan.k], games[block * plan.k : (block + 1) * plan.k])
        assert same_rows(
            scratch.seat_rows[:per_block], seats[block * per_block : (block + 1) * per_block]
        )
    assert same_rows(again, tally)
    assert list(games["game_id"]) == list(range(plan.n))
    assert list(seats["seat"][:4]) == [0, 1, 2, 3]


def share(stronger, weaker, n=600):
    """Win share of two seats of a strategy against two of another, and its standard error."""
    _, games, seats, _ = batch(f"{stronger},{stronger},{weaker},{weaker}", n)
    won = seats["win_share"].astype(float) * (seats["position"] < 2)
    by_game = won.reshape(len(games), -1).sum(axis=1)
    return by_game.mean(), by_game.std() / np.sqrt(len(by_game))


@compiled_only
def test_greedy_beats_random():
    won, error = share("greedy", "random")
    assert won - 4 * error > 0.5


@compiled_only
@pytest.mark.parametrize("name", ARCHETYPES)
def test_archetypes_beat_greedy_and_the_plain_bot(name):
    for weaker in ("greedy", "plain"):
        won, error = share(name, weaker)
        assert won - 4 * error > 0.5, (name, weaker, won)


@compiled_only
def test_temperature_changes_choices_and_draws_from_the_own_stream_only():
    plain = batch("racer", 20)[1]["asked"].copy()
    noisy = batch("racer:temperature=2", 20)[1]["asked"].copy()
    again = batch("racer:temperature=2", 20)[1]["asked"].copy()
    assert list(noisy) == list(again)
    assert list(noisy) != list(plain)
