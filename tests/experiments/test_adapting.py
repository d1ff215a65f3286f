"""Comparisons of tuned styles: matched seat by seat, and each side with styles of its own."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from simulate.cli import app
from simulate.experiments import arms
from simulate.experiments.compare import compare

pytestmark = pytest.mark.usefixtures("toy")

# Under A walking is quicker than running, under B it is not; the runner hardly ever runs.
LINEUP = ["runner:nerve=0.2,walker,random"]
SLOW = "--set move.walk=1"


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):
    return compare(
        "toy", "--set move.walk=4", SLOW, n=1500, lineup=LINEUP, retune="runner", retune_n=4000,
        out=tmp_path_factory.mktemp("adapting") / "walk", jobs=1,
    )  # fmt: skip


def by_label(found, label):
    return next(d for d in found if d.a.label == label)


def test_a_style_with_other_numbers_is_compared_with_what_it_was(tmp_path):
    """The way in two commands: tune, then paste the line-up into side b."""
    tuned = compare(
        "toy", "", "--lineup runner:near=9,walker,random", n=1500, players=3,
        out=tmp_path / "x", jobs=1,
    )  # fmt: skip
    d = by_label(tuned.comparison.found, "win share, strategy runner")

    assert tuned.comparison.shared
    assert tuned.comparison.same_games
    assert d.a.level == d.b.level == "runner"
    assert d.paired
    assert tuned.runs["b"].plan.strategies[0].label == "runner:near=9"


def test_other_styles_are_not_taken_for_each_other(tmp_path):
    other = compare(
        "toy", "--lineup runner,walker,random", "--lineup walker,runner:near=5,random", n=600,
        out=tmp_path / "x", jobs=1,
    )  # fmt: skip
    labels = {d.a.label for d in other.comparison.found}

    assert "win share, strategy walker" in labels
    assert "win share, strategy runner" not in labels


def test_what_a_change_is_worth_to_those_who_adapt(done):
    """Told beside what it is worth to those who play on as before."""
    before = by_label(done.comparison.found, "win share, strategy runner:nerve=0.2")
    told = done.comparison.adaptation
    b = next(style for style in told.styles if style.side == "b")
    after = by_label(done.adapted.found, "win share, strategy runner:nerve=0.2")

    assert b.tuning.verdict == "better"
    assert b.plays != b.start
    assert told.lineups["b"] == f"{b.plays},walker,random"
    assert after.value_b.value > before.value_b.value + 0.2
    assert after.change.value > before.change.value + 0.1


def test_both_sides_are_tuned_with_as_many_games(done):
    found = [arms.read(done.folder / "tuned" / name)["n"] for name in ("a-1", "b-1")]

    assert found[0]["confirm"] == found[1]["confirm"]
    assert abs(found[0]["search"] - found[1]["search"]) < 1000


def test_the_page_and_the_file_tell_both(done):
    page = (done.folder / "report.html").read_text()
    told = arms.read(done.folder)

    assert "Once the styles have adapted" in page
    assert told["adapted"]["lineups"] == done.comparison.adaptation.lineups
    assert [style["side"] for style in told["adapted"]["styles"]] == ["a", "b"]
    assert (done.folder / "tuned" / "b-1" / "report.html").is_file()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (
            ["--retune", "runer"],
            "'runer' does not sit at the table of side a: runner,walker,random",
        ),
        (["--retune", "runner", "--players", "2,3"], "one number of players"),
        (["--retune", "runner", "--course", "short,long"], "on one course"),
        (["--retune", "runner", "--lineup", "mix(runner|walker)*3"], "by names"),
        (["--retune", "walker"], "has no parameters"),
        (["--retune", "runner", "--retune-n", "x"], "--retune-n"),
    ],
)
def test_bad_input_is_one_message(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    players = [] if "--players" in args else ["-p", "3"]
    told = CliRunner().invoke(app, ["compare", "toy", "-n", "30", *players, *args])

    assert told.exit_code == 2, told.output
    assert words in " ".join(told.stderr.split())
    assert "Traceback" not in told.output


def test_command_tells_both_comparisons(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(
        app,
        ["compare", "toy", "--b", SLOW, "--lineup", LINEUP[0], "--players", "3", "-n", "300",
         "--retune", "runner", "--retune-n", "900", "--out", "x"],
    )  # fmt: skip

    assert told.exit_code == 0, told.output
    assert told.stdout.count("win share, seat 0\t") == 2
    assert "Side B has adapted: --lineup runner" in told.stderr
