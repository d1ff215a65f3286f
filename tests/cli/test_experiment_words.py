"""What commands of experiments print: units, intervals, plain words; bad input is told in time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simulate.cli import app

RAW = re.compile(r"\b(nan|inf)\b|[+-]nan|\be[+-]\d")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One folder for all: equal arms are played once."""
    return tmp_path_factory.mktemp("words")


@pytest.fixture
def call(folder, monkeypatch):
    """Call a command in that folder; the result."""
    monkeypatch.chdir(folder)

    def invoke(*args):
        return CliRunner().invoke(app, [str(a) for a in args])

    return invoke


def rows_of(text, width):
    """Rows of the printed tables of so many columns, without their heads."""
    lines = [line.split("\t") for line in text.splitlines() if "\t" in line]
    return [line for line in lines if len(line) == width][1:]


COURSES = ("courses", "toy", "--course", "short,long")
WALK = ("compare", "toy", "--b", "--set move.walk=3")


@pytest.mark.parametrize(
    "args",
    [
        WALK,
        COURSES,
        ("treat", "toy", "--hook", "head_start"),
        ("sensitivity", "toy"),
        ("sweep", "toy", "--key", "move.walk", "--values", "2,3"),
        ("luck", "toy"),
        ("tournament", "toy"),
        ("plan", "toy"),
    ],
    ids=lambda args: args[0],
)
def test_one_block_of_games_prints_no_number_that_is_none(call, args):
    out = () if args[0] == "plan" else ("--no-report",) * (args[0] not in ("courses", "treat"))
    done = call(*args, "--n", 1, *out)

    assert done.exit_code == 0, done.output
    assert not RAW.search(done.stdout), done.stdout


@pytest.mark.parametrize("n", [1, 60])
def test_no_verdict_contradicts_its_interval(call, n):
    done = call(*WALK, "--n", n, "--no-report")

    for row in rows_of(done.stdout, 8):
        low, _, high = row[5].partition(" … ")
        if low == high:
            assert row[7] != "not enough games", row
    assert "no interval: nothing varied" in done.stdout or n == 1
    assert "no interval: too few blocks" in done.stdout or n > 1


def test_sides_with_other_player_counts_are_both_named(call):
    done = call("compare", "toy", "--a=--players 2", "--b=--players 3", "--n", 30, "--out", "sizes")

    assert {row[1] for row in rows_of(done.stdout, 8)} == {"2 players against 3"}
    told = json.loads(Path("sizes/experiment.json").read_text())
    assert {row["stratum"] for row in told["differences"]} == {"2 players against 3"}
    assert "2 players against 3" in Path("sizes/report.html").read_text()


def test_seat_numbers_have_no_mean(call):
    done = call(*WALK, "--n", 30, "--no-report", "--out", "seats")
    named = call(*WALK, "--measure", "winner_seat")

    told = json.loads(Path("seats/experiment.json").read_text())
    assert "winner_seat" not in {row["measure"] for row in told["differences"]}
    assert (done.exit_code, named.exit_code) == (0, 2)


def test_shares_of_few_games_stay_within_what_shares_can_be(call):
    done = call(*WALK, "--until", "--max-n", 9, "--no-report")

    ends = [float(x.replace("\u2212", "-")) for row in rows_of(done.stdout, 10)
            if row[4].endswith("pp") for x in row[7].split(" … ") if x[-1].isdigit()]  # fmt: skip
    assert ends
    assert all(-100 <= end <= 100 for end in ends)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((*WALK, "--margin", "ruonds=1"), "--margin: there is no 'ruonds'. Measures: win_share"),
        (("sensitivity", "toy", "--margin", "ruonds=1"), "--margin: there is no 'ruonds'"),
        (("tune", "toy", "--strategy", "runner", "--margin", "rounds=1"), "Measures: win_share,"),
        (
            ("sweep", "toy", "--key", "move.walk=2,3", "--target", "ruonds=5"),
            "--target: there is no 'ruonds'",
        ),
        (
            ("sweep", "toy", "--key", "move.walk=2,3", "--target", "win_rate:seat9=0.3"),
            "--target: 'win_rate:seat9=0.3': the seats are seat0 to seat2.",
        ),
        (
            ("tune", "toy", "--strategy", "runner", "--params", "near=5:2"),
            "--params: '5:2' is no range. Write near=low:high, low below high.",
        ),
        (
            ("sweep", "toy", "--key", "track.layout=short,long", "--target", "rounds=5"),
            "--target needs a key whose values are numbers",
        ),
        (("sweep", "toy", "--key", "move.walk=2,2"), "at least two points"),
        (("compare", "toy", "--b", "--nations basic"), "--nations: toy has no nations"),
        (("compare", "toy", "--b", "--set mov.walk=3"), "mov.walk = 3: no such key; did you mean"),
    ],
)
def test_what_cannot_be_used_is_told_before_a_game_is_played(call, args, words):
    done = call(*args, "--n", 30)

    assert done.exit_code == 2
    assert words in done.output
    assert "games" not in done.output.replace("games each", "")


def test_another_experiment_in_a_folder_is_left_alone(call):
    call(*WALK, "--n", 30, "--no-report", "--out", "held")
    before = Path("held/experiment.json").read_text()
    for args in (COURSES, ("treat", "toy", "--hook", "head_start")):
        done = call(*args, "--n", 30, "--out", "held")
        assert (done.exit_code, "holds another experiment" in done.output) == (2, True)
    assert Path("held/experiment.json").read_text() == before


def test_another_treatment_in_a_folder_is_told_in_words(call):
    call("treat", "toy", "--hook", "head_start", "--n", 30, "--out", "gift")
    done = call("treat", "toy", "--hook", "no_run", "--n", 30, "--out", "gift")

    assert "its treatment is start_space=2, asked for is no_run=1" in done.output


def test_treat_prints_percent_points_and_units(call):
    done = call("treat", "toy", "--hook", "head_start", "--n", 90, "--out", "head")
    rows = {(row[0], row[1]): row for row in rows_of(done.stdout, 8)}

    share = rows["win share", "treated"]
    assert share[3].endswith("%")
    assert re.fullmatch(r"\+\d+(\.\d+)? pp", share[5])
    assert rows["rounds", "game"][5].endswith("rounds")
    assert rows["not finished", "game"][6] == "no interval: nothing varied"


def test_courses_prints_shares_in_percent(call):
    done = call(*COURSES, "--n", 90, "--out", "tracks")
    rows = rows_of(done.stdout, 4)

    assert all(row[2].endswith("%") for row in rows[:5] if "win share" in row[1])
    assert any(row[2].endswith(" pp") for row in rows)
    page = Path("tracks/report.html").read_text()
    assert "0.000" not in page
    assert "Every game of every layout came to its end." in page


def test_every_change_of_a_sweep_and_an_alternative_has_its_interval(call):
    swept = call("sweep", "toy", "--key", "move.walk=2,3", "--n", 90, "--no-report")
    for row in rows_of(swept.stdout, 9):
        assert (row[5] == "") == (row[8] == "reference")
        assert " … " in row[6] or row[6].startswith("no interval") or row[8] == "reference"
    leaned = call("sensitivity", "toy", "--n", 90, "--no-report")
    for row in rows_of(leaned.stdout, 8):
        assert " … " in row[4]
        assert " … " in row[6]


def test_a_target_within_the_error_of_few_games_is_left_open(call):
    command = ("sweep", "toy", "--key", "move.walk=2,3", "--n", 60, "--no-report", "--target")
    assert (
        "No value tried gives rounds=500: rounds went from" in call(*command, "rounds=500").stdout
    )
    open_one = call(*command, "win_rate:seat0=0.42").stdout
    assert "Too few games to say whether a value tried gives win_rate:seat0=0.42" in open_one
    assert re.search(r"went from \d+\.\d+% to \d+\.\d+%", open_one)


def test_few_games_overturn_nothing_that_is_known(call):
    done = call("sensitivity", "toy", "--n", 1, "--no-report")

    assert {row[7] for row in rows_of(done.stdout, 8)} == {"nothing known, 5 of 5 open"}


def test_few_games_of_a_tournament_give_no_verdict(call):
    done = call("tournament", "toy", "--n", 9, "--no-report")

    for words in (
        "Ladder or circles cannot be told",
        "What to mix cannot be told",
        "maybe by luck",
    ):
        assert words in done.stdout


def test_a_rung_is_not_called_by_its_parameters(call):
    done = call("tournament", "toy", "--ladder", "--strategies", "runner", "--n", 30)

    assert "temperature=" not in done.stdout
    assert not re.search(r"\u2212?\d+–\u2212", done.stdout)


def test_full_records_and_sums_of_the_same_games_are_the_same(call):
    for records in ("full", "summary"):
        options = ("--records", records, "--no-report", "--out", records)
        assert call("run", "-g", "toy", "-n", 90, *options).exit_code == 0
    done = call("diff", "full", "summary")

    assert done.exit_code == 0
    assert "of 0 the runs cannot tell" in done.stdout
    assert "Not one number differs." in done.stdout


def test_luck_of_three_games_shares_out_nothing(call):
    done = call("luck", "toy", "--n", 1, "--no-report")

    assert "Skill-luck index" not in done.stdout
    assert not re.search(r"\d% \(-?\d", done.stdout)


def test_rollouts_tell_no_kingmaking_that_they_cannot_find(call):
    done = call("rollouts", "toy", "--n", 9, "--decisions", 1, "--rollouts", 8, "--out", "rolled")

    assert {tuple(row[-2:]) for row in rows_of(done.stdout, 10)} == {("–", "–")}
    assert "Blocks of games on the same dice: 3. Fewer than 30 give no verdicts" in done.output
    card = Path("rolled/report.html").read_text().partition("Kingmaking cannot be found")[2]
    assert "<b>–</b>" in card[: card.index("</article>")]
