"""Replay, scripted positions, treatments and a user's strategies, with the toy game."""

from __future__ import annotations

import json

import pytest

import simulate
from simulate import registry, session
from simulate.errors import StrategyError, UserError
from simulate.script import load


def test_replay_tells_the_game_of_the_record(plan, tmp_path):
    made = plan()
    run = session.play(made, tmp_path / "run")
    told = simulate.replay(run, 7).play()
    games, seats = told.records()

    assert games == run.games.collect().row(7, named=True)
    assert seats == run.seats.collect().rows(named=True)[21:24]
    assert told.events[0]["strategies"] == [row["strategy"] for row in seats]
    asked = [e for e in told.events if e["event"] == "ask"]
    assert len(asked) == games["asked"]
    assert all(e["chosen"] in e["options"] for e in asked)
    json.dumps(told.events)


def test_replay_by_plan_equals_replay_by_run(plan, tmp_path):
    run = session.play(plan(), tmp_path / "run")
    again = simulate.replay("toy", 9, lineup="runner:near=4,walker,random")

    assert again.play().events == simulate.replay(run.path, 9).play().events


def test_own_hand(toy):
    game = simulate.replay("toy", 0, lineup="walker", players=2)

    assert game.options == ["walk", "run"]
    assert game.question == "GO"
    new = game.apply("walk")
    assert new[0]["chosen"] == "walk"
    assert game.state["seats"]["0"]["space"] == 2
    with pytest.raises(UserError, match="'fly' is not offered. Options: walk, run"):
        game.apply("fly")
    game.play(1)
    assert game.state["seats"]["1"]["space"] == 2
    game.play()
    assert game.over
    assert game.options == []
    with pytest.raises(UserError, match="over"):
        game.apply(0)
    with pytest.raises(UserError, match="numbered from 0"):
        simulate.replay("toy", -1)


def test_own_position(toy):
    game = simulate.replay("toy", position={"spaces": [18, 3]}, players=2, lineup="walker")

    assert game.state["seats"]["0"]["space"] == 18
    assert game.play().state["over"]


CASE = {
    "id": "TOY-1", "spaces": [18, 10], "dice": [4], "choices": [["GO", "run"], [1, "GO", "walk"]],
    "options": {"GO": ["run", "walk"]}, "expect": {"spaces": [22, 12]},
}  # fmt: skip


def test_case_that_agrees(toy):
    outcome = simulate.script(CASE)

    assert outcome.passed
    assert outcome.end["spaces"] == [22, 12]
    assert [q["answer"] for q in outcome.questions] == ["run", "walk"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expect": {"spaces": [1, 1]}}, "expect.spaces"),
        ({"choices": [["GO", "run"]]}, "not in the list"),
        ({"choices": [["GO", "run"], ["GO", "walk"], ["GO", "walk"]]}, "did not come up"),
        ({"choices": [["GO", "fly"]]}, "is not offered"),
        ({"choices": [["STOP", "run"]]}, "expected STOP"),
        ({"choices": [[1, "GO", "run"]]}, "expected GO of seat 1"),
        ({"choices": "run"}, "a list of"),
        ({"dice": [4, 4]}, "left over"),
        ({"dice": []}, "more were needed"),
        ({"options": {"GO": ["run"]}}, "options missing"),
        ({"options": {"STOP": ["run"]}}, "did not come up"),
        ({"counts": {"GO": 3}}, "expected 3 options"),
        ({"not_asked": ["GO"]}, "must not be asked"),
        ({"rules": {"move.walk": 99}}, "rules:"),
        ({"spaces": []}, "spaces:"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"id": "XX-1"}, "names no game"),
    ],
)
def test_case_that_differs_says_where(toy, change, words):
    outcome = simulate.script({**CASE, **change})

    assert any(words in difference for difference in outcome.differences), outcome.differences


def test_files_of_cases(toy, tmp_path):
    file = tmp_path / "cases.json"
    for text, count in (
        (json.dumps(CASE), 1),
        (json.dumps([CASE, CASE]), 2),
        (json.dumps(CASE) + "\n\n" + json.dumps(CASE) + "\n", 2),
    ):
        file.write_text(text)
        assert len(load(file)) == count
        assert all(outcome.passed for outcome in simulate.script(file))
    file.write_text(json.dumps(CASE) + "\n{")
    with pytest.raises(UserError, match="line 2: no JSON"):
        load(file)


# ---------------------------------------------------------------- treatments


def test_treatment_is_paired_and_zero_sum(toy, tmp_path):
    done = simulate.treat(
        "toy", "head_start=3", 3000, out=tmp_path / "x", lineup="walker,random,runner"
    )
    effects = {(e.measure, e.who): e for e in done.effects}

    assert effects["win_share", "treated"].low > 0
    gain = (
        effects["win_share", "treated"].difference + 2 * effects["win_share", "rivals"].difference
    )
    assert abs(gain) < 1e-9
    assert effects["score", "treated"].correlation > 0
    told = json.loads((tmp_path / "x" / "experiment.json").read_text())
    assert told["treatment"] == {"start_space": 3}
    control, treated = done.runs["control"], done.runs["treated"]
    assert control.plan.treatment == {}
    assert treated.seats.collect()["treated"].sum() == treated.plan.n
    assert control.seats.collect()["treated"].sum() == 0
    assert treated.verify() == []


@pytest.mark.parametrize(
    ("hook", "words"),
    [("hed_start", "Did you mean 'head_start'"), ("head_start=99", "1 to 10"),
     ("head_start=x", "no whole number"), ("no_run=2", "takes no value")],
)  # fmt: skip
def test_unknown_treatments_are_told(toy, hook, words):
    with pytest.raises(UserError, match=words):
        simulate.treat("toy", hook, 30)


def test_fixed_target(toy, tmp_path):
    done = simulate.treat(
        "toy", "no_run", 300, target=1, out=tmp_path / "x", lineup="runner,random,walker"
    )
    seats = done.runs["treated"].seats.collect()

    assert set(seats.filter(seats["treated"])["seat"]) == {1}
    assert (
        seats.filter(seats["treated"])["faces"].to_list() == [[0] * 6] * done.runs["treated"].plan.n
    )


# ---------------------------------------------------------------- a user's strategies

MINE = '''from strategies.book import strategy


@strategy(summary="takes the last option", params={"nerve": (1.0, 0.0, 2.0, "unused")})
def bold(state, rules, work, params, policy, position):
    return work["n_options"] - 1


@strategy
def timid(state, rules, work, params, policy, position):
    """takes the first option"""
    return 0
'''


def test_strategies_of_a_file_play_like_those_of_the_book(toy, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    run = simulate.run(
        "toy", 600, out=tmp_path / "run", lineup="bold:nerve=0.5,timid,walker", strategy_file=mine
    )
    seats = run.seats.collect()
    by = {k[0]: v for k, v in seats.filter(seats["game_id"] % 4 < 3).group_by("strategy")}

    assert by["bold:nerve=0.5"]["walks"].sum() == 0
    assert by["timid"]["walks"].to_list() == by["walker"]["walks"].to_list() or (
        by["timid"]["faces"].explode().sum() == 0
    )
    assert run.verify() == []
    mine.unlink()
    assert simulate.open_run(run.path).verify() == []
    simulate.extend(run.path, 900)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def bold(:\n", r"mine.py, line 1"),
        ("import nowhere_to_be_found\n", r"mine.py, line 1 .*ModuleNotFoundError"),
        ("x = 1\n", "marked @strategy"),
        (MINE.replace("bold", "walker"), "has a strategy 'walker' already"),
        (
            MINE.replace(
                "params, policy, position):\n    return work", "params):\n    return work"
            ),
            "must take",
        ),
        (MINE.replace('work["n_options"] - 1', 'state["nothing"]'), r"mine.py, line 6"),
        (MINE.replace('work["n_options"] - 1', "9"), "is no option"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(toy, tmp_path, text, words):
    mine = tmp_path / "mine.py"
    mine.write_text(text)

    with pytest.raises(StrategyError, match=words):
        simulate.run(
            "toy", 30, out=tmp_path / "run", lineup="bold,timid,walker", strategy_file=mine
        )


def test_toy_game_is_found_and_no_other_file_was_touched(toy):
    assert "toy" in registry.names()
    assert [g.name for g in simulate.games()] == registry.names()
    sources = registry.sources("toy")
    assert "simulate.games.toy.engine" in sources
    assert "simulate.rng" in sources
    assert "strategies.seating" in sources
    assert not any("words" in name or name == "simulate.cli" for name in sources)
