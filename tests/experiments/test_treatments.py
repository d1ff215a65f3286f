"""Every treatment: off it changes nothing, on it changes only what it names.

The same games are played with and without; the seat that is treated is ``SEAT``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from simulate import jit, registry
from simulate.batch import play_blocks
from simulate.experiments.arms import treated
from simulate.games.biathlon import state as s
from simulate.games.biathlon.words import TREATMENTS
from simulate.hooks import find
from simulate.tables import buffers, tables

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")

SEAT = 1
GAMES = 160
LINEUP = "drafter,random,opportunist,front_runner"
HITS = {"green": 5, "yellow": 4, "red": 3, "blue": 2}
DICE, SHOTS = ("roll", "reroll"), ("shot",)
HOOKS = [hook.name for hook in TREATMENTS]


@lru_cache
def plan_of(**options: Any) -> Any:
    """A plan without treatments."""
    from simulate.request import Request

    given = {"lineup": LINEUP, "seating": "fixed", "equal": False, **options}
    return Request("biathlon", GAMES, **given).plan()


@lru_cache
def rows_of(hook: str, target: int = SEAT, players: int = 4) -> tuple[Any, Any]:
    """Games and seats of the run with a hook, "" for none; seats by (game, seat)."""
    plan = plan_of(players=players) if players == 4 else plan_of(players=players, lineup="drafter")
    if hook:
        plan = treated(plan, find(TREATMENTS, hook)[1], target)
    table = tables(plan)
    made = buffers(table, plan.blocks)
    play_blocks(plan, table, made, 0, plan.blocks, np.zeros(plan.k, dtype=s.TALLY))
    return made.game_rows, made.seat_rows.reshape(plan.n, -1)


@lru_cache
def told(hook: str, game_id: int, players: int = 4) -> list[dict[str, Any]]:
    """Events of one game with a hook on SEAT, "" for none."""
    from simulate.replay import Replay

    plan = plan_of(players=players) if players == 4 else plan_of(players=players, lineup="drafter")
    if hook:
        plan = treated(plan, find(TREATMENTS, hook)[1], SEAT)
    events: list[dict[str, Any]] = Replay(plan, game_id).play().events
    return events


def same(one: Any, other: Any, but: tuple[str, ...] = ()) -> list[str]:
    """Fields in which two arrays of rows differ."""
    names = [name for name in one.dtype.names if name not in but]
    return [name for name in names if one[name].tobytes() != other[name].tobytes()]


def faces(events: list[dict[str, Any]], seat: int, kinds: tuple[str, ...]) -> list[int]:
    """What a seat (from 0) rolled, in order."""
    return [e["face"] for e in events if e["event"] in kinds and e["seat"] == seat + 1]


def of_treated(hook: str, column: str) -> Any:
    """A seats column of the treated seat, in all games."""
    return rows_of(hook)[1][:, SEAT][column]


def without(column: str) -> Any:
    """The same of the same seat in the games without the hook."""
    return rows_of("")[1][:, SEAT][column]


# ---------------------------------------------------------------- for every hook


@pytest.mark.parametrize("hook", HOOKS)
def test_off_is_as_if_there_were_no_hooks(hook: str) -> None:
    """On nobody, the games are those of a run without hooks, byte for byte."""
    games, seats = rows_of(hook, -1)

    assert same(games, rows_of("")[0]) == []
    assert same(seats, rows_of("")[1]) == []


@pytest.mark.parametrize("hook", HOOKS)
def test_on_only_the_target_is_treated_and_something_changes(hook: str) -> None:
    """The treated seat is marked; games are not all the same any more (own drafts: two players)."""
    games, seats = rows_of(hook)

    assert seats["treated"].sum(axis=0).tolist() == [0, GAMES, 0, 0]
    if hook not in ("no_own_draft", "no_slide"):
        assert same(games, rows_of("")[0]) != []
    kept = ("game_id", "block", "cell", "rotation", "n_seats", "players", "first_seat", "layout")
    drawn = ("first_seat", "nation", "turn_index")  # what another set-up changes
    for name in kept:
        if hook != "setup_shift" or name not in drawn:
            assert (games[name] == rows_of("")[0][name]).all(), name
    for name in ("nation", "turn_index", "strategy", "position", "side"):
        if hook != "setup_shift" or name not in drawn:
            assert (seats[name] == rows_of("")[1][name]).all(), name
        elif name in drawn:
            assert (seats[name] != rows_of("")[1][name]).any(), name


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("game_id", range(3))
def test_nobody_elses_dice_change(hook: str, game_id: int) -> None:
    """Each seat rolls and shoots from its own streams; only a shift changes its own seat's.

    A shift of the rivals' changes those of all others, and leaves its own seat's.
    """
    one, other = told(hook, game_id), told("", game_id)
    for seat in range(4):
        for kinds, shift in ((DICE, "dice_shift"), (SHOTS, "shot_shift")):
            here, there = faces(one, seat, kinds), faces(other, seat, kinds)
            common = min(len(here), len(there))
            if hook == (shift if seat == SEAT else f"rival_{shift}"):
                assert common < 5 or here[:common] != there[:common]
            else:
                assert here[:common] == there[:common]


# ---------------------------------------------------------------- what each one names


@pytest.mark.parametrize(
    ("hook", "columns"),
    [
        ("no_draft", ("drafts_made", "steps_draft")),
        ("no_slide", ("steps_slide",)),
        ("no_sprint", ("sprint_taken", "sprint_turns")),
        ("free_entry", ("stam_paid_entry_own", "stam_paid_entry_draft", "stam_paid_slide")),
    ],
)
def test_what_is_forbidden_or_free_does_not_happen(hook: str, columns: tuple[str, ...]) -> None:
    """Nothing of it in any game, and something of it in the games without."""
    for column in columns:
        assert (of_treated(hook, column) == 0).all(), column
    assert sum(int(without(column).sum()) for column in columns) > 0


def test_no_sprint_keeps_tokens_with_sprint_unused() -> None:
    """Tokens 3 and 8 carry the icon."""
    used = of_treated("no_sprint", "wax_used")

    assert used[:, [2, 7]].sum() == 0
    assert used.sum() > 0
    assert without("wax_used")[:, [2, 7]].sum() > 0


def _asked(hook: str, question: str, most: int = 12) -> Iterator[tuple[dict[str, Any], str]]:
    """Asks of the treated seat with a hook, and the kind of the turn they belong to."""
    for game_id in range(most):
        kind = ""
        for event in told(hook, game_id):
            if event["event"] == "turn":
                kind = event["kind"]
            if event["event"] == "ask" and event["seat"] == SEAT + 1:
                if event["question"] == question:
                    yield event, kind


def test_sprint_always_leaves_no_choice_on_a_move_turn() -> None:
    """Where sprint can be bought it is; on shooting turns the seat may choose as ever."""
    for event, kind in _asked("sprint_always", "D-EXTRA"):
        assert kind == "shoot" or "sprint" not in event["options"]
    assert of_treated("sprint_always", "sprint_taken").sum() > without("sprint_taken").sum()


def test_sprint_when_followed_offers_sprint_only_with_a_follower() -> None:
    """A racing skier stands straight behind whenever sprint is offered."""
    from simulate.replay import Replay

    plan = treated(plan_of(players=4), {"sprint_when_followed": 1}, SEAT)
    offered = 0
    for game_id in range(20):
        game = Replay(plan, game_id)
        while not game.over:
            if game.to_move == SEAT + 1 and game.question in ("D-EXTRA", "D-FREE"):
                if "sprint" in game.options:
                    offered += 1
                    assert _followed(game.state["skiers"])
            game.apply(game.choose())

    assert offered > 0
    assert of_treated("sprint_when_followed", "sprint_taken").sum() < without("sprint_taken").sum()


def _followed(skiers: dict[str, Any]) -> bool:
    """Whether somebody stands on the space straight behind the treated seat."""
    at = skiers[str(SEAT + 1)]["at"]
    row = at[0] if isinstance(at, list) else int(at[1:])
    lane = at[1] if isinstance(at, list) else 1
    behind = ([row - 1, lane], f"S{row - 1}")
    return any(other["at"] in behind for name, other in skiers.items() if name != str(SEAT + 1))


@pytest.mark.parametrize(
    ("hook", "by"), [("stamina_plus", 1), ("stamina_minus", -1), ("stamina_plus=3", 3),
                     ("stamina_plus=20", 5), ("stamina_minus=-20", -10)],
)  # fmt: skip
def test_stamina_of_the_start(hook: str, by: int) -> None:
    """Levels of the treated seat, within the board; all others start as ever."""
    from simulate.steps import Sitting

    levels = []
    for plan in (plan_of(players=4), treated(plan_of(players=4), find(TREATMENTS, hook)[1], SEAT)):
        levels.append(Sitting.of_game(plan, 0).state["stamina"][:4].sum(axis=1))

    assert (levels[1] - levels[0]).tolist() == [0, by, 0, 0]


@pytest.mark.parametrize(("hook", "ranges"), [("force_hit", (0, 1)), ("force_hit=2", (1,))])
def test_the_first_miss_of_a_visit_is_a_hit(hook: str, ranges: tuple[int, ...]) -> None:
    """Only of the treated seat, only at the ranges that are named, only one target a visit."""
    forced = 0
    for game_id in range(12):
        for seat, number, shots in _visits(told(hook, game_id)):
            misses = [e["target"] for e in shots if e["face"] > HITS[e["colour"]]]
            turned = {e["target"] for e in shots if e["face"] > HITS[e["colour"]] and e["hit"]}
            active = seat == SEAT + 1 and number in ranges
            assert turned == ({misses[0]} if active and misses else set())
            forced += len(turned)
    assert forced > 0


def _visits(events: list[dict[str, Any]]) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """(seat from 1, range from 0, shots) of all visits that were ended."""
    shots: dict[int, list[dict[str, Any]]] = {}
    number: dict[int, int] = {}
    for event in events:
        if event["event"] == "shot":
            shots.setdefault(event["seat"], []).append(event)
        if event["event"] == "five_shots_made":
            seat = event["seat"]
            yield seat, number.get(seat, 0), shots.pop(seat)
            number[seat] = number.get(seat, 0) + 1


@pytest.mark.parametrize("token", [1, 2, 4, 7])
def test_a_blocked_token_is_never_used(token: int) -> None:
    """The others are, up to the blocked one from each end."""
    used = of_treated(f"token_block={token}", "wax_used")

    assert (used[:, token - 1] == 0).all()
    assert used.sum() > 0
    assert without("wax_used")[:, token - 1].sum() > 0


@pytest.mark.parametrize("first", [5, 10])
def test_no_wax_before_a_round(first: int) -> None:
    """The round of every use is late enough; without the hook some are earlier."""
    rounds = of_treated(f"wax_from_round={first}", "wax_round")

    assert rounds[rounds >= 0].min() >= first
    assert (without("wax_round")[without("wax_round") >= 0] < first).any()


def test_no_own_draft_with_two_players() -> None:
    """All treated: drafts are on the other player's skiers only, and such drafts there are."""
    on_own: dict[str, set[bool]] = {}
    for hook, target in (("", -1), ("no_own_draft", -3)):
        plan = plan_of(players=2, lineup="drafter")
        plan = treated(plan, {"no_own_draft": 1}, target) if hook else plan
        on_own[hook] = {same_owner for game in range(16) for same_owner in _drafts(plan, game)}

    assert on_own[""] == {True, False}
    assert on_own["no_own_draft"] == {False}


def _drafts(plan: Any, game_id: int) -> list[bool]:
    """For each draft that was offered: whether both skiers have one owner."""
    from simulate.replay import Replay

    events = Replay(plan, game_id).play().events
    owner = {e["seat"]: e["player"] for e in events if e["event"] == "setup"}
    return [owner[e["seat"]] == owner[e["leader"]] for e in events if e["event"] == "draft"]


@pytest.mark.parametrize("hook", ["dice_shift", "shot_shift"])
def test_another_shift_is_another_chance(hook: str) -> None:
    """Values 1 and 2 give different games, the same value the same ones."""
    games, seats = rows_of(hook)
    other = rows_of(f"{hook}=2")[1]

    assert same(seats[:, SEAT], other[:, SEAT]) != []
    rows_of.cache_clear()
    assert same(games, rows_of(hook)[0]) == []


# ---------------------------------------------------------------- the experiment


@pytest.mark.parametrize("hook", HOOKS)
def test_treat_tells_the_effect_of_every_hook(hook: str, tmp_path: Path) -> None:
    """Arms are runs; differences are with minus without; the treated seat is drawn."""
    from simulate.experiments.treat import treat

    done = treat("biathlon", hook, 96, out=tmp_path / "x", jobs=1, lineup=LINEUP)
    plans = {name: run.plan for name, run in done.runs.items()}

    assert plans["control"].treatment == {}
    assert plans["treated"].treatment == find(TREATMENTS, hook)[1]
    assert replace(plans["treated"], treatment={}, target=-1) == plans["control"]
    for effect in done.effects:
        assert effect.difference == pytest.approx(effect.treated - effect.control, abs=1e-9)
        assert effect.low <= effect.difference <= effect.high
    shares = {e.who: e for e in done.effects if e.measure == "win_share"}
    total = shares["treated"].difference + 3 * shares["rivals"].difference
    assert total == pytest.approx(0, abs=0.05)
    assert json.loads((tmp_path / "x" / "experiment.json").read_text())["hook"] == hook


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Calls a command in an empty folder."""
    from simulate.cli import app

    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(app, [str(a) for a in args])


def test_the_command_lists_them_all(call: Callable[..., Any]) -> None:
    """`simulate treatments biathlon`: name, meaning and questions of each."""
    lines = call("treatments", "biathlon").stdout.splitlines()

    assert [line.split("\t")[0] for line in lines[1:]] == HOOKS
    for line, hook in zip(lines[1:], TREATMENTS, strict=True):
        assert hook.meaning in line
        assert hook.questions in line


def test_every_field_of_the_record_has_a_treatment() -> None:
    """No hook of the engine is out of a user's reach, and none sets a field that is not there."""
    fields = {name for hook in TREATMENTS for name in (*hook.fields, hook.parameter) if name}

    assert fields == set(registry.load("biathlon").state.TREATMENT.names)


def test_the_command_prints_a_paired_effect(call: Callable[..., Any]) -> None:
    """`simulate treat biathlon --hook no_draft --n 400`"""
    done = call("treat", "biathlon", "--hook", "no_draft", "--n", 400, "--jobs", 1)

    assert done.exit_code == 0, done.output
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert head == ["measure", "of", "games", "without", "with", "difference", "95 % interval"]
    assert {(row[0], row[1]) for row in rows} >= {
        ("win_share", "treated"), ("win_share", "rivals"), ("rounds", "game"),
    }  # fmt: skip
    assert len(list(Path("runs").glob("biathlon-treat-no_draft-400-*/experiment.json"))) == 1


@pytest.mark.parametrize(
    ("hook", "words"),
    [
        ("no_drafts", "Did you mean 'no_draft'"),
        ("no_draft=2", "takes no value"),
        ("token_block=99", "out of bounds, 1 to 24"),
        ("stamina_plus=x", "no whole number"),
        ("", "there is no treatment"),
    ],
)
def test_a_hook_that_is_none_is_refused(call: Callable[..., Any], hook: str, words: str) -> None:
    """Exit code 2, what is allowed, and nothing is written."""
    done = call("treat", "biathlon", "--hook", hook, "--n", 40)

    assert done.exit_code == 2
    assert words in done.stderr
    assert not Path("runs").exists()
