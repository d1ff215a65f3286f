"""Every alternative of what was assumed: what it does, and which conclusions stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simulate import rules
from simulate.cli import app
from simulate.errors import UserError
from simulate.experiments import alternatives
from simulate.experiments.sensitivity import sensitivity

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):
    """The toy game's two alternatives."""
    return sensitivity("toy", n=3000, out=tmp_path_factory.mktemp("sense") / "s", jobs=1)


def of(done, value):
    return next(one for one in done.leanings if one.tried.value == value)


def test_alternatives_of_assumed_values_are_tried(done):
    assert [one.tried.label for one in done.leanings] == ["track.length = 15", "track.length = 30"]
    assert sorted(done.runs) == ["default", "track.length-15", "track.length-30"]
    untried = {key: why for key, _, why in done.study.untried}
    assert untried["move.walk"] == "no alternative is listed"


def test_planted_effect_has_the_right_sign(done):
    shorter, longer = of(done, "15"), of(done, "30")

    assert shorter.length.change.value < -1
    assert longer.length.change.value > 2
    assert shorter.flips == longer.flips == ["the length of a game"]
    assert "changes with track.length = 15" in done.study.told()["verdict"]["the length of a game"]


def test_conclusions_that_stand(done):
    verdict = done.study.told()["verdict"]

    assert "stands under all 2 alternatives" in verdict["the strongest style"]
    assert of(done, "15").order == ["runner", "random", "walker"]


def test_a_strategy_order_that_turns_round_flips(toy, tmp_path, monkeypatch):
    """Where walking is quick, walkers win."""
    quick = rules.load("toy", (), (), ["move.walk=6"])
    one = alternatives.Alternative("move.walk", "assumed", "6", "2", "assumed: a test", quick)
    monkeypatch.setattr(alternatives, "find", lambda base: ([one], []))
    found = sensitivity("toy", n=1500, out=tmp_path / "s", jobs=1).leanings[0]

    assert found.order[0] == "walker"
    assert {"the strongest style", "the order of the styles"} <= set(found.flips)


def test_an_alternative_without_effect_changes_nothing(toy, tmp_path, monkeypatch):
    same = rules.load("toy", (), (), ["sim.max_rounds=90"])
    one = alternatives.Alternative("sim.max_rounds", "assumed", "90", "40", "assumed: a test", same)
    monkeypatch.setattr(alternatives, "find", lambda base: ([one], []))
    found = sensitivity("toy", n=1500, out=tmp_path / "s", jobs=1).leanings[0]

    assert found.first.change.value == found.length.change.value == 0.0
    assert found.first.same_bits
    assert found.flips == []
    assert set(found.fate.values()) == {"stands"}
    assert found.overturns == "nothing: not one game differs"


def test_any_jobs_give_the_same_files(done, tmp_path):
    again = sensitivity("toy", n=3000, out=tmp_path / "s", jobs=3)

    for name in ("experiment.json", "report.html"):
        assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()


def test_page_and_numbers(done):
    page = (done.folder / "report.html").read_text()
    told = json.loads((done.folder / "experiment.json").read_text())

    assert "What would change" in page
    assert (done.folder / "data" / "tornado-length-3.csv").is_file()
    assert len(told["alternatives"]) == 2
    assert told["arms"] == ["default", "track.length-15", "track.length-30"]


def test_tables_rulings_and_texts_are_read():
    """Biathlon's files have all forms of alternatives."""
    found, untried = alternatives.find(rules.load("biathlon"))
    labels = {a.label: a for a in found}

    assert labels["dice.shoot.hits = [5, 4, 3, 1]"].rules.data["dice"]["shoot"]["hits"] == {
        "green": 5, "yellow": 4, "red": 3, "blue": 1,
    }  # fmt: skip
    assert labels["range.lap_length = 4"].kind == "assumed"
    assert labels["rules.wax_burn = true"].kind == "ruling"
    assert labels["report.min_per_turn = 0.4"].default == "0.5"
    whys = {one.key: one.why for one in untried}
    assert whys["course.random_tiles"].startswith("no rule of the game")
    assert "nations.use" not in {a.key for a in found}
    assert all(a.rules.digest != rules.load("biathlon").digest for a in found)


def test_other_readings_of_pistengaudi_are_tried():
    """How the goal is entered from the side and when a second card is seen are readings, too."""
    found, _ = alternatives.find(rules.load("pistengaudi"))
    labels = {a.label: a.kind for a in found}

    for label in ('goal.side_entry = "upper"', 'goal.side_entry = "both_deep"'):
        assert labels[label] == "ruling"
    assert labels['draw.reveal = "one_by_one"'] == "ruling"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--key", "nothing"], "No alternative to try"),
        (["--margin", "x"], "is no margin"),
        (["--course", "short,long"], "one course"),
        (["--set", "move.walk=99"], "move.walk"),
    ],
)
def test_bad_input_is_one_message(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["sensitivity", "toy", "-n", "30", *args])

    assert told.exit_code == 2, told.output
    assert words in " ".join(told.stderr.split())
    assert not Path("runs").exists()


def test_command_prints_alternatives_and_verdicts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(
        app, ["sensitivity", "toy", "-n", "900", "--key", "track", "--out", "x"]
    )

    assert told.exit_code == 0, told.output
    assert "track.length = 30\tassumed\t3 players" in told.stdout
    assert "The length of a game changes" in told.stdout


def test_the_same_styles_at_another_strength(toy, tmp_path):
    """Noise takes the runner's lead away; styles keep their names, verdicts say what they lean on."""
    found = sensitivity(
        "toy", n=3000, keys=["skill"], skill=[0.1, 64.0], out=tmp_path / "s", jobs=1
    )
    told = json.loads((tmp_path / "s" / "experiment.json").read_text())
    slight, wild = found.leanings

    assert [one.tried.label for one in found.leanings] == [
        "skill = temperature 0.1", "skill = temperature 64",
    ]  # fmt: skip
    assert [one.tried.kind for one in found.leanings] == ["skill", "skill"]
    assert "temperature=64.0" in found.runs["skill-temperature-64"].plan.lineup
    assert set(wild.order) == set(slight.order) == {"runner", "walker", "random"}
    assert wild.first.change.value == wild.first.change.value
    assert wild.fate["the length of a game"] == "flips"
    assert {row["kind"] for row in told["cards"]} == {"skill"}
    assert "temperature 64" in (tmp_path / "s" / "report.html").read_text()


@pytest.mark.parametrize(
    ("text", "erring"),
    [
        ("runner:near=4,walker,random", "runner:near=4:temperature=2.0,walker,random"),
        ("runner*2,random", "runner:temperature=2.0*2,random"),
        ("runner:temperature=3,random", "runner:temperature=3.0,random"),
    ],
)
def test_every_style_that_can_err_does(toy, text, erring):
    from simulate import registry
    from simulate.experiments import weaker

    assert weaker.lineup(text, 2.0, registry.load("toy").book) == [erring]


def test_strength_that_means_nothing_is_told(toy, tmp_path):
    for options in ({"skill": [0]}, {"skill": [1], "lineup": "random"}, {"skill": [1000]}):
        with pytest.raises(UserError):
            sensitivity("toy", n=90, out=tmp_path / "s", jobs=1, **options)
