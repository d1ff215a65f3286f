"""Every treatment of every game: off it changes nothing, on only its seat is treated.

What each one names, and that nothing else changes, stands in a file a game beside this one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from reports import estimates
from simulate import jit, registry
from simulate.hooks import find

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")

SEAT = 1
LINEUPS = {
    "biathlon": "drafter,random,opportunist,front_runner",
    "pistengaudi": "random",
    "skull_canyon": "random,socialite,gear_baron,claim_jumper",
}
KEPT = {
    "biathlon": ("first_seat", "layout"),
    "pistengaudi": ("layout", "deck"),
    "skull_canyon": ("layout", "deck_set", "gear_set", "style_start"),
}
# what a shift of a source draws anew
DRAWN_ANEW = {
    ("biathlon", "setup_shift"): "first_seat",
    ("skull_canyon", "style_shift"): "style_start",
}
# own drafts need two players; a slide, a throw or a choice that never came up changes nothing
MAY_CHANGE_NOTHING = ("no_own_draft", "no_slide")
HOOKS = [
    (game, hook.name) for game in LINEUPS for hook in registry.game(game).module("words").TREATMENTS
]


@pytest.fixture
def lab(laboratory: Callable[..., Any]) -> Callable[[str], Any]:
    """The laboratory of a game."""
    return lambda game: laboratory(game, LINEUPS[game])


def same(one: Any, other: Any) -> list[str]:
    """Fields in which two arrays of rows differ."""
    return [name for name in one.dtype.names if one[name].tobytes() != other[name].tobytes()]


def test_every_game_is_here() -> None:
    """A game without tests of its treatments would be noticed."""
    assert set(LINEUPS) == set(registry.names())


@pytest.mark.parametrize("game", list(LINEUPS))
def test_every_field_of_the_record_has_a_treatment(game: str) -> None:
    """No hook of the engine is out of a user's reach, and none sets a field that is not there."""
    engine = registry.load(game)
    told = [(*hook.fields, hook.parameter) for hook in engine.words.TREATMENTS]

    assert {name for names in told for name in names if name} == set(engine.state.TREATMENT.names)


@pytest.mark.parametrize(("game", "hook"), HOOKS)
def test_off_is_as_if_there_were_no_hooks(lab: Any, game: str, hook: str) -> None:
    """On nobody, the games are those of a run without hooks, byte for byte."""
    games, seats = lab(game).rows(hook, -1)

    assert same(games, lab(game).rows()[0]) == []
    assert same(seats, lab(game).rows()[1]) == []


@pytest.mark.parametrize(("game", "hook"), HOOKS)
def test_on_only_the_target_is_treated_and_something_changes(
    lab: Any, game: str, hook: str
) -> None:
    """The treated seat is marked; games are not all the same any more, who plays where is."""
    here = lab(game)
    games, seats = here.rows(hook)

    assert seats["treated"].sum(axis=0).tolist() == [0, here.games, 0, 0]
    if hook not in MAY_CHANGE_NOTHING:
        assert same(games, here.rows()[0]) != []
    anew = DRAWN_ANEW.get((game, hook), "")
    for name in ("game_id", "block", "cell", "rotation", "n_seats", *KEPT[game]):
        assert (games[name] == here.rows()[0][name]).all() == (name != anew), name
    for name in ("strategy", "position", "side"):
        assert (seats[name] == here.rows()[1][name]).all(), name


# ---------------------------------------------------------------- the experiment


@pytest.mark.parametrize(("game", "hook"), HOOKS)
def test_treat_tells_the_effect_of_every_hook(game: str, hook: str, tmp_path: Path) -> None:
    """Arms are runs; differences are with minus without; the treated seat is drawn."""
    from simulate.experiments.treat import treat

    done = treat(game, hook, 96, out=tmp_path / "x", jobs=1, lineup=LINEUPS[game], players=4)
    plans = {name: run.plan for name, run in done.runs.items()}
    hooks = registry.game(game).module("words").TREATMENTS

    assert plans["control"].treatment == {}
    assert plans["treated"].treatment == find(hooks, hook)[1]
    assert replace(plans["treated"], treatment={}, target=-1) == plans["control"]
    for effect in done.effects:
        assert effect.difference == pytest.approx(effect.treated - effect.control, abs=1e-9)
        assert effect.low <= effect.difference <= effect.high
    shares = {e.who: e for e in done.effects if e.measure == "win_share"}
    total = shares["treated"].difference + 3 * shares["rivals"].difference
    unfinished = sum(
        float(np.mean(run.games.select("truncated").collect()["truncated"].to_numpy()))
        for run in done.runs.values()
    )
    assert total == pytest.approx(0, abs=0.05 + unfinished)
    assert [e.q for e in done.effects] == estimates.adjusted([e.p for e in done.effects])
    assert json.loads((tmp_path / "x" / "experiment.json").read_text())["hook"] == hook


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Calls a command in an empty folder."""
    from simulate.cli import app

    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(app, [str(a) for a in args])


@pytest.mark.parametrize("game", list(LINEUPS))
def test_the_command_lists_them_all(call: Callable[..., Any], game: str) -> None:
    """`simulate treatments biathlon`: name, meaning and questions of each."""
    lines = call("treatments", game).stdout.splitlines()
    hooks = registry.game(game).module("words").TREATMENTS

    assert [line.split("\t")[0] for line in lines[1:]] == [hook.name for hook in hooks]
    for line, hook in zip(lines[1:], hooks, strict=True):
        assert hook.meaning in line
        assert hook.questions in line


def test_the_command_prints_a_paired_effect(call: Callable[..., Any]) -> None:
    """`simulate treat biathlon --hook no_draft --n 400`"""
    done = call("treat", "biathlon", "--hook", "no_draft", "--n", 400, "--jobs", 1)

    assert done.exit_code == 0, done.output
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert head == [
        "measure", "of", "games", "without", "with", "difference", "95 % interval", "q",
    ]  # fmt: skip
    assert "Family of tests: all 8 effects" in done.stderr
    assert all(row[-1] == "<0.001" or 0 <= float(row[-1]) <= 1 for row in rows)
    assert {(row[0], row[1]) for row in rows} >= {
        ("win share", "treated"), ("win share", "rivals"), ("rounds", "game"),
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


def test_an_effect_in_units_of_another(toy: Path, tmp_path: Path, call: Callable[..., Any]) -> None:
    """A head start of four spaces is worth about two of two; a treatment is worth one of itself."""
    from simulate.experiments.treat import treat

    told = {}
    for hook, unit in (("head_start=4", "head_start=2"), ("head_start=2", "head_start=2")):
        done = treat("toy", hook, 2000, unit=unit, out=tmp_path / hook, jobs=1)
        assert list(done.runs) == ["control", "treated", "unit"]
        told[hook] = {(e.measure, e.who): e for e in done.effects}

    four, same = told["head_start=4"], told["head_start=2"]
    wins = four["win_share", "treated"]
    assert 1.4 < wins.price_low < wins.price < wins.price_high < 2.8
    one = same["score", "treated"]
    assert (one.price, one.price_low, one.price_high) == pytest.approx((1, 1, 1))
    assert four["rounds", "game"].price is None

    args = ["treat", "toy", "--hook", "no_run", "--unit", "head_start", "--n", 600, "--jobs", 1]
    shown = call(*args)
    assert shown.exit_code == 0, shown.output
    head, *rows = [line.split("\t") for line in shown.stdout.splitlines()]
    assert head[-1] == "in head_start"
    assert rows[0][-1].startswith("-")  # one does harm, the other good
    kept = json.loads(
        next(Path("runs").glob("toy-treat-no_run-in-head_start-*/*.json")).read_text()
    )
    assert kept["unit"] == "head_start"
    assert call("treat", "toy", "--hook", "no_run", "--unit", "wings", "--n", 60).exit_code == 2
