"""Comparisons: planted effects, equal arms, growing arms, tables of other sizes, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from reports.experiments import differences, margins, quantities, sizes
from reports.measures import Records
from simulate import api
from simulate.cli import app
from simulate.errors import PlanError
from simulate.experiments import compare as module
from simulate.experiments import sides
from simulate.experiments.compare import compare

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):
    """Walking three spaces instead of two."""
    folder = tmp_path_factory.mktemp("compare")
    return compare("toy", "", "--set move.walk=3", n=3000, out=folder / "walk", jobs=1)


@pytest.fixture(scope="module")
def equal(toy, tmp_path_factory):
    """The same on both sides."""
    return compare("toy", n=900, out=tmp_path_factory.mktemp("compare") / "equal", jobs=1)


def by_label(done, label):
    return next(d for d in done.comparison.found if d.a.label == label)


def test_planted_effect_has_the_right_sign_and_size(done):
    walks, runs = (by_label(done, f"win share, strategy {s}") for s in ("walker", "runner"))

    assert walks.verdict == runs.verdict == "different"
    assert walks.change.value > 0.05
    assert runs.change.value < -0.05
    assert by_label(done, "rounds").change.value < 0
    shares = [d.change.value for d in done.comparison.found
              if (d.a.measure, d.a.by) == ("win_share", "strategy")]  # fmt: skip
    assert sum(shares) == pytest.approx(0, abs=1e-12)


def test_sizes_say_whether_anybody_would_see_it(done):
    """Odds ratio and Cohen's h of a share, Cliff's delta of the length: by hand from the rows."""
    rows = {
        s["label"]: s for s in json.loads((done.folder / "experiment.json").read_text())["sizes"]
    }
    walks, length = rows["win share, strategy walker"], rows["rounds"]
    d = by_label(done, "win share, strategy walker")
    a, b = d.value_a.value, d.value_b.value
    one, other = (done.runs[name].games.collect()["rounds"].to_numpy() for name in "ab")
    more = (other[:, None] > one[None, :]).mean() - (other[:, None] < one[None, :]).mean()

    assert walks["odds_ratio"] == pytest.approx(b / (1 - b) / (a / (1 - a)))
    assert walks["cohen_h"] > 0.2
    assert walks["size"] in ("small", "medium", "large")
    assert walks["games_to_notice"] < 200
    assert length["cliffs_delta"] == pytest.approx(more)
    assert length["odds_ratio"] is None
    assert 'id="sizes"' in (done.folder / "report.html").read_text()


def test_equal_sides_have_no_size(equal):
    rows = json.loads((equal.folder / "experiment.json").read_text())["sizes"]

    assert {row["size"] for row in rows} == {"none"}
    assert {row["games_to_notice"] for row in rows} == {None}
    assert "Nothing differs." in (equal.folder / "report.html").read_text()


def test_a_summary_knows_the_same_lengths(done, tmp_path):
    """Runs without rows of games are compared by ``simulate diff``; their sizes are the same."""
    kept = api.run("toy", 3000, equal=False, records="summary", out=tmp_path / "s", jobs=1)
    tables = [
        sizes._counts(Records(run), "rounds", None).sort("value").select("value", "n").rows()
        for run in (done.runs["a"], kept)
    ]

    assert tables[0] == tables[1]
    assert sum(n for _, n in tables[0]) == 3000


def test_difference_is_that_of_the_records(done):
    import polars as pl

    a, b = (done.runs[name].games.collect()["rounds"] for name in "ab")
    wins = [
        done.runs[name].seats.filter(pl.col("seat") == 1).collect()["win_share"].mean()
        for name in "ab"
    ]

    assert by_label(done, "rounds").change.value == pytest.approx(b.mean() - a.mean(), abs=1e-9)
    found = by_label(done, "win share, seat 1").change.value
    assert found == pytest.approx(wins[1] - wins[0], abs=1e-6)


def test_pairing_is_told_and_saves_games(done):
    rounds = by_label(done, "rounds")

    assert rounds.paired
    assert rounds.correlation > 0.5
    assert rounds.games_saved > 1000
    assert "paired block by block" in done.comparison.pairing()


def test_page_points_at_games_that_show_it(done):
    """And what it says of them is so."""
    import re

    page = (done.folder / "report.html").read_text()
    told = re.findall(r"Game (\d+): (\d+) rounds in A, (\d+) in B", page)
    won = re.findall(r"Game (\d+): seat (\d) wins in A, seat (\d) in B", page)

    assert len(told) == len(won) == 3
    assert "simulate replay arms/b" in page
    for game_id, *rounds in told:
        for name, wanted in zip("ab", rounds, strict=True):
            game, _ = done.runs[name].replay(int(game_id)).play().records()
            assert game["rounds"] == int(wanted)


def test_first_turn_that_differs_is_told_and_is_so(done):
    """By the events of replays: the same before it, and something else in it."""
    told = done.comparison.alignment
    assert len(told.drawn) == 100
    for one in [*told.drawn[:12], *told.shown]:
        sides, turn = [done.runs[name].replay(one.game_id) for name in "ab"], 0
        while all(not s.over for s in sides) and _told(sides[0]) == _told(sides[1]):
            turn = int(sides[0]._sitting.state["turn"])
            for side in sides:
                side.play(1)
        same = _told(sides[0]) == _told(sides[1]) and all(s.over for s in sides)

        assert one.turn == (None if same else turn)

    low, middle, high = told.first
    assert 0 <= low <= middle <= high < 30
    page = (done.folder / "report.html").read_text()
    assert told.words() in page.replace("&#39;", "'")
    assert "they part " in page
    kept = json.loads((done.folder / "experiment.json").read_text())["parting"]
    assert kept["first_turn"]["median"] == middle
    assert sum(g["first_turn"] is None for g in kept["by_game"]) == kept["same_to_the_end"]


def _told(side):
    """What happened, without the line that names the rules and the questions asked."""
    return [e for e in side.events if e["event"] not in ("game", "ask")]


def test_equal_sides_never_part(equal):
    assert equal.comparison.alignment.same.value == 1
    assert "all are the same to the end" in equal.comparison.alignment.words()


def test_a_late_change_parts_games_late(tmp_path):
    """The limit of rounds shows in no turn before it."""
    options = {"n": 300, "jobs": 1, "report": False}
    found = compare("toy", "", "--set sim.max_rounds=4", out=tmp_path / "x", **options)
    long_ones = [g for g in found.comparison.alignment.drawn if g.turn is not None]

    assert long_ones
    assert all(g.turn >= 4 for g in long_ones)


def test_equal_sides_are_exactly_zero_and_say_so(equal):
    assert equal.identical
    assert set(equal.frame["difference"]) == {0.0}
    assert set(equal.frame["verdict"]) == {"same"}
    page = (equal.folder / "report.html").read_text()
    assert "every difference is exactly zero" in page


def test_shares_in_frames_are_parts_of_one_and_say_so(done):
    shares = done.frame.filter(done.frame["unit"] == "share")

    assert "win_share" in set(shares["measure"])
    assert shares["a"].is_between(0, 1).all()
    assert "pp" not in set(done.frame["unit"])


def test_a_change_without_effect_is_exactly_zero(tmp_path):
    done = compare("toy", "", "--set sim.max_rounds=90", n=3000, out=tmp_path / "x", jobs=1)

    assert done.identical
    assert set(done.frame["difference"]) == {0.0}
    assert set(done.frame["verdict"]) == {"same"}


@pytest.mark.parametrize("jobs", [2, 3])
def test_any_jobs_give_the_same_files(done, tmp_path, jobs):
    again = compare("toy", "", "--set move.walk=3", n=3000, out=tmp_path / "walk", jobs=jobs)

    for name in ("experiment.json", "report.html"):
        assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()


def test_the_same_command_goes_on(done):
    again = compare("toy", "", "--set move.walk=3", n=3000, out=done.folder, jobs=1)

    assert again.frame.equals(done.frame)


def test_lineups_with_other_rotations_are_paired_by_block(tmp_path):
    done = compare(
        "toy",
        "--lineup walker",
        "--lineup runner,walker,random",
        n=1500,
        out=tmp_path / "x",
        jobs=1,
    )

    assert done.comparison.shared
    assert done.runs["a"].plan.blocks == done.runs["b"].plan.blocks
    assert done.runs["a"].plan.k == 1
    assert by_label(done, "rounds").verdict == "different"


def test_other_player_counts_are_compared_unpaired(tmp_path):
    done = compare("toy", "--players 3", "--players 4", n=1500, out=tmp_path / "x", jobs=1)

    assert not any(d.paired for d in done.comparison.found)
    assert "cannot be paired" in done.comparison.pairing()
    assert by_label(done, "win share, seat 0").verdict == "different"


def test_without_correlation_the_plain_interval_is_used():
    """And where one side's luck is the other's bad luck, only the paired one holds."""
    rng = np.random.default_rng(3)
    counts = np.full(512, 10.0)
    luck = rng.normal(size=512)
    same, against, other = luck * 3 + 50, 50 - luck * 3, rng.normal(size=512) * 3 + 50

    def paired(b):
        from reports import estimates

        pair = estimates.paired_ratio(luck * 3 + 50, counts, b, counts)
        return differences._helps(pair), pair.correlation

    assert paired(same + 1) == (True, pytest.approx(1))
    assert paired(against) == (True, pytest.approx(-1))
    helps, correlation = paired(other)
    assert helps == (correlation > 0)


# ---------------------------------------------------------------- until


def test_until_stops_when_all_is_decided_and_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FIRST_LOOK", 64)
    done = compare(
        "toy", "", "--set move.walk=5", until=True, max_n="60k", measures=["rounds"],
        margin="rounds=0.1", out=tmp_path / "x", jobs=1,
    )  # fmt: skip

    assert "every headline measure is decided" in done.stopped
    assert [d.verdict for d in done.comparison.headlines] == ["different"]
    assert done.runs["a"].plan.n < 60_000


def test_an_early_stop_is_told_with_and_without_what_it_adds(tmp_path, monkeypatch):
    """Raw and corrected stand beside each other, in the frame, on the page and in the table."""
    monkeypatch.setattr(module, "FIRST_LOOK", 64)
    monkeypatch.chdir(tmp_path)
    args = ["--b", "--set move.walk=3", "--until", "--max-n", "60k", "--measure", "win_rate"]
    told = CliRunner().invoke(
        app, ["compare", "toy", *args, "--margin", "4pp", "--out", "x", "--jobs", "1"]
    )
    found = json.loads(Path("x/experiment.json").read_text())
    heads = [row for row in found["differences"] if row["headline"]]
    page = Path("x/report.html").read_text()

    assert told.exit_code == 0, told.output
    assert "corrected for stopping" in told.stdout
    assert found["n"]["a"] < 60_000
    assert "corrected" in page
    assert "Whitehead 1986" in page
    assert 'href="#g-b-a-corrected"' in page
    for row in heads:
        assert abs(row["corrected"] - row["difference"]) < (row["high"] - row["low"]) / 2
    assert max(abs(row["corrected"] - row["difference"]) for row in heads) > 1e-5


def test_a_fixed_number_of_games_needs_no_correction(done):
    assert set(done.frame["corrected"]) == {None}
    assert "corrected" not in (done.folder / "report.html").read_text().partition("glossary")[0]


def test_better_by_at_least_that_much_or_not(tmp_path, monkeypatch):
    """One measure with a margin: the run goes on until one of both answers is shown."""
    monkeypatch.setattr(module, "FIRST_LOOK", 64)
    how = {"until": True, "max_n": "200k", "measures": ["rounds"], "jobs": 1, "report": False}
    more, less = (
        compare("toy", "", "--set move.walk=3", margin=f"rounds={d}", out=tmp_path / str(d), **how)
        for d in (0.2, 3)
    )

    assert [d.verdict for d in more.comparison.headlines] == ["different"]
    assert [d.verdict for d in less.comparison.headlines] == ["same"]
    assert "is decided" in more.stopped
    assert "is decided" in less.stopped


def test_until_stops_at_the_cap(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FIRST_LOOK", 64)
    done = compare(
        "toy", "", "--set move.walk=3", until=True, max_n=600, out=tmp_path / "x", jobs=1
    )

    assert "the cap of 600 games a side" in done.stopped
    assert done.runs["a"].plan.n == 600
    assert json.loads((done.folder / "experiment.json").read_text())["stopped"] == done.stopped


def test_until_stops_at_the_same_games_after_a_longer_run(tmp_path, monkeypatch):
    """A kill between two looks leaves sides of unlike length; the end is the same."""
    monkeypatch.setattr(module, "FIRST_LOOK", 64)
    how = {"until": True, "max_n": 3000, "jobs": 1, "out": tmp_path / "x"}
    first = compare("toy", "", "--set move.walk=3", **how)
    shorter = {**how, "out": tmp_path / "y"}
    compare("toy", "", "--set move.walk=3", **{**shorter, "max_n": 600})
    second = compare("toy", "", "--set move.walk=3", **shorter)

    assert first.frame.equals(second.frame)


def test_intervals_of_until_are_wider(tmp_path):
    a, b = "", "--set move.walk=3"
    fixed = compare("toy", a, b, n=3072, out=tmp_path / "x", jobs=1)
    grown = compare("toy", a, b, until=True, max_n=3072, out=tmp_path / "y", jobs=1)

    for one, other in zip(fixed.comparison.found, grown.comparison.found, strict=True):
        assert one.change.value == other.change.value
        if one.change.se > 0:
            assert other.change.half > one.change.half


# ---------------------------------------------------------------- A/A


def false_alarms(plan, tmp_path, pairs: int, games: int) -> tuple[int, int]:
    """How often the interval between runs of the same rules and other seeds leaves out 0."""
    from simulate import session

    runs = [
        quantities.read(session.play(plan(games, seed=s, equal=False), tmp_path / str(s), jobs=1))
        for s in range(2 * pairs)
    ]
    wrong = seen = 0
    wanted = ("rounds", "win share, seat 0", "win share, strategy random", "score")
    for a, b in zip(runs[::2], runs[1::2], strict=True):
        for d in differences.compare(a, b, margins.Margins(), shared=False):
            if d.a.label in wanted:
                seen += 1
                wrong += not d.change.low <= 0 <= d.change.high
    return wrong, seen


def test_equal_rules_with_other_seeds_rarely_differ(plan, tmp_path):
    wrong, seen = false_alarms(plan, tmp_path, pairs=10, games=300)

    assert seen == 40
    assert wrong <= 7


@pytest.mark.slow
def test_equal_rules_with_other_seeds_differ_in_five_percent(plan, tmp_path):
    wrong, seen = false_alarms(plan, tmp_path, pairs=250, games=600)

    assert seen == 1000
    assert 25 <= wrong <= 80


# ---------------------------------------------------------------- input


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("", {}),
        ("--set a.b=1 --set=c=2", {"set": ["a.b=1", "c=2"]}),
        ("--course short -p 3", {"layout": "short", "players": "3"}),
        ("--lineup 'a,b' --strategies c", {"lineup": ["a,b", "c"]}),
        ("--variant far --rules x.toml", {"variant": ["far"], "rules": ["x.toml"]}),
    ],
)
def test_a_side_is_a_text_of_options(text, given):
    assert sides.parse(text, "--a") == given


@pytest.mark.parametrize("text", ["--seed 3", "walk=3", "--set", "--set 'a"])
def test_what_is_no_option_of_a_side_is_told(text):
    with pytest.raises(PlanError, match="--b"):
        sides.parse(text, "--b")


def test_options_of_a_side_are_added_to_the_common_ones():
    both = sides.laid_over({"set": ("a=1",), "players": None}, {"set": ["b=2"], "players": "3"})

    assert both == {"set": ["a=1", "b=2"], "players": "3"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--b", "--set move.walk=99"], "move.walk"),
        (["--b", "--speed 3"], "no option of a side"),
        (["--measure", "speed"], "there is no 'speed'"),
        (["--margin", "1"], "has no unit"),
        (["--margin", "x=y"], "is no margin"),
        (["--max-n", "5k"], "--until"),
        (["--n", "none"], "--n"),
    ],
)
def test_bad_input_is_one_message(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["compare", "toy", *args])

    assert told.exit_code == 2
    assert words in " ".join(told.stderr.split())
    assert not Path("runs").exists()


def test_command_prints_a_table_and_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(
        app, ["compare", "toy", "--b", "--set move.walk=3", "-n", "600", "--measure", "win_rate",
              "--out", "x"],
    )  # fmt: skip

    assert told.exit_code == 0, told.output
    assert "win share, strategy walker" in told.stdout
    assert "Family of tests" in told.stderr
    assert told.stdout.strip().endswith("x/report.html")
    assert Path("x/report.html").is_file()
