"""Tuning: a planted better number is found and confirmed, luck is told as luck, bad input is told."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import simulate
from reports.experiments import tuning
from simulate import api, jit, registry
from simulate.cli import app
from simulate.errors import PlanError, StoreError
from simulate.experiments import arms, candidates, racing, versions
from simulate.experiments.tune import tune

pytestmark = pytest.mark.usefixtures("toy")

# Running brings 3.3 spaces a turn, walking 2: whoever never runs has something to learn.
PLANTED = {"strategy": "runner:nerve=0", "params": "nerve,near", "n": 12_000, "candidates": 12}

# Runs every other time, whatever its parameter: other coins, the same merit.
SAME_MERIT = '''
from simulate import rng
from strategies.book import strategy


@strategy(summary="runs half of the time", params={"turn": (0.5, 0.0, 1.0, "turn of the coin")})
def coin(state, rules, work, params, policy, position):
    """Heads or tails."""
    at = rng.unit(policy, position) + params[0]
    if at >= 1.0:
        at -= 1.0
    if at < 0.5 and work["n_options"] > 1:
        return 1
    return 0
'''


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):
    return tune("toy", **PLANTED, out=tmp_path_factory.mktemp("tune") / "runner", jobs=1)


@pytest.fixture(scope="module")
def luck(toy, tmp_path_factory):
    """Forty versions that are all worth the same, with few games each."""
    folder = tmp_path_factory.mktemp("luck")
    file = folder / "coin.py"
    file.write_text(SAME_MERIT)
    return tune(
        "toy", "coin", 12_000, candidates=40, against="walker,random", strategy_file=file, seed=2,
        margin="6pp", out=folder / "coin", jobs=1,
    )  # fmt: skip


# ---------------------------------------------------------------- what is found


def test_a_better_number_is_found_and_confirmed(done):
    told = arms.read(done.folder)

    assert done.better
    assert told["verdict"] == "better"
    assert told["confirmed"]["low"] > 0.5
    assert {p["name"]: p["after"] for p in told["parameters"]}["nerve"] > 0.8


def test_the_line_up_can_be_pasted(done, tmp_path):
    assert done.lineup == f"{done.strategy},walker,random"
    run = api.run("toy", 900, lineup=done.lineup, equal=False, seed=77, out=tmp_path / "r", jobs=1)
    won = run.seats.group_by("strategy").agg(pl.col("win_share").sum()).collect()

    assert won.sort("win_share")["strategy"][-1] == done.strategy


def test_the_start_races_in_every_heat(done):
    for heat in done.tuning.heats:
        assert heat.start == "runner:nerve=0"
        assert len(heat.found) == len(heat.entrants) + 1
    assert [len(h.entrants) for h in done.tuning.heats] == [12, 9, 3]


def test_the_confirmation_has_a_seed_of_its_own(done):
    seeds = [run.plan.seed for run in done.runs.values()]

    assert len(set(seeds)) == len(seeds)
    assert list(done.runs)[-1] == "confirm"
    assert done.runs["confirm"].plan.n >= 12_000 / 3 - 6


def test_a_version_plays_what_a_run_with_its_line_up_plays(done, tmp_path):
    """A version of a heat is no other player than the same entry of a line-up."""
    heat, run = done.tuning.heats[0], done.runs["heat1"]
    name = heat.entrants[4]
    alone = api.run(
        "toy", run.plan.blocks * 3, lineup=f"{name},walker,random", seed=run.plan.seed,
        equal=False, out=tmp_path / "alone", jobs=1,
    )  # fmt: skip
    mine = alone.seats.filter(pl.col("position") == 0).select(pl.col("win_share").mean()).collect()

    assert heat.found[name].mean().value == pytest.approx(mine.item(), abs=1e-6)


def test_nothing_can_be_won_where_all_versions_are_worth_the_same(luck):
    """The best of many looks better than it is; on fresh seeds it is not."""
    told = luck.tuning

    assert told.searched.change.value > 0.01
    assert told.confirmed.change.low < 0 < told.confirmed.change.high
    assert told.optimism > 0
    assert told.verdict == "same"
    assert not luck.better
    assert "the luck of the one that is picked" in tuning.words(told)[1]


def test_the_best_of_many_that_are_alike_is_shrunk(luck):
    """Most of what the best one seems to be better is taken off before any fresh game is played."""
    told = luck.tuning
    looked, shrunk = told.searched.change.value, told.shrunken[told.winner]

    assert abs(shrunk) < 0.7 * looked
    assert arms.read(luck.folder)["shrunken"] == pytest.approx(shrunk)
    assert "among so many stands for" in tuning.words(told)[1]


def test_what_is_far_better_is_hardly_shrunk(done):
    told = done.tuning

    assert told.shrunken[told.winner] == pytest.approx(told.searched.change.value, abs=0.03)


def test_few_games_are_not_enough(tmp_path):
    few = tune("toy", "runner", 500, candidates=4, out=tmp_path / "few", jobs=1, margin="0.1pp")

    assert few.tuning.verdict == "not enough games"
    assert "Not enough games" in (few.folder / "report.html").read_text()


def test_less_is_better_for_the_place(tmp_path):
    ranked = tune("toy", **PLANTED, measure="rank", out=tmp_path / "rank", jobs=1)

    assert ranked.better
    assert ranked.tuning.confirmed.change.value < -0.5
    assert "\u2212" in tuning.words(ranked.tuning)[0]


def test_any_jobs_give_the_same_files(done, tmp_path):
    again = simulate.tune("toy", **PLANTED, out=tmp_path / "runner", jobs=2)

    for name in ("experiment.json", "report.html", "data/race.csv"):
        assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()


def test_the_same_command_plays_nothing_twice(done):
    before = {name: run.measured["games_played"] for name, run in done.runs.items()}
    again = tune("toy", **PLANTED, out=done.folder, jobs=1)

    assert {name: run.measured["games_played"] for name, run in again.runs.items()} == before
    with pytest.raises(StoreError, match="another"):
        tune("toy", **{**PLANTED, "candidates": 9}, out=done.folder, jobs=1)


def test_the_page_tells_all(done):
    page = (done.folder / "report.html").read_text()

    for words in ("Better", "What changed", "how often it runs", "on fresh seeds", done.lineup):
        assert words in page
    assert len(done.frame) == 13 + 10 + 4 + 2


# ---------------------------------------------------------------- who sits there, what is tuned


def table(strategy, against="", **options):
    book = registry.book("toy")
    return versions.table("toy", book, versions.version(book, strategy)[1], against, options)


@pytest.mark.parametrize(
    ("strategy", "against", "players", "text"),
    [
        ("runner", "", 3, "walker,random"),
        ("walker", "", 4, "runner,random,random"),
        ("runner:near=7", "", 2, "walker"),
        ("runner", "random", 4, "random*3"),
        ("runner", "walker*2", 3, "walker*2"),
        ("runner", "mix(walker|random)*3", 4, "mix(walker|random)*3"),
    ],
)
def test_the_others_are_the_books_unless_given(strategy, against, players, text):
    seated = table(strategy, against, players=players)

    assert seated.text == text
    assert len(seated.others) == players - 1


def test_every_version_meets_every_seat():
    book = registry.book("toy")
    seated = table("runner", "runner", players=4)  # equal to its rivals, and turned all the same
    plan = seated.plan([versions.version(book, t)[1] for t in ("runner", "runner:near=5")], 1, 2)

    assert [cell.rotation for cell in plan.cells] == [0, 1, 2, 3] * 2
    assert [cell.positions[0] for cell in plan.cells] == [0] * 4 + [1] * 4


def axes(game, name, asked="", **start):
    strategy = registry.book(game).get(name)
    values = {p.name: p.default for p in strategy.params} | start
    return strategy, values, {a.name: a for a in candidates.axes(strategy, values, asked)}


def test_numbers_in_use_are_tuned():
    """Neither those at 0 nor those that follow another one, unless they are named."""
    _, _, found = axes("biathlon", "finisher")

    assert {"stam", "stam_late", "slot1"} <= set(found)
    assert not {"stam_between", "wax_late", "temperature", "deadstar"} & set(found)
    assert len(axes("biathlon", "finisher", "all")[2]) == 82


def test_ranges_reach_twice_the_size_and_keep_to_the_book():
    _, _, found = axes("toy", "runner")

    assert (found["near"].low, found["near"].high, found["near"].whole) == (0, 9, True)
    assert (found["nerve"].low, found["nerve"].high, found["nerve"].whole) == (0, 1, False)
    given = axes("toy", "runner", "near=2.0:4.0")[2]["near"]
    assert (given.low, given.high, given.whole) == (2, 4, False)


def test_a_number_that_follows_starts_where_the_other_is():
    _, _, found = axes("biathlon", "pacer", "stam_late")

    assert found["stam_late"].start == 0.8


def test_candidates_are_distinct_in_range_and_always_the_same():
    strategy, values, found = axes("biathlon", "pacer", "stam,aim=0.2:0.9,slot1=1:8,col1,wax")
    some = candidates.first(values, list(found.values()), 40, 5)
    more = candidates.second(some[:3], list(found.values()), 20, 5)
    texts = [candidates.text(strategy, one) for one in (*some, *more)]

    assert len(set(texts)) == 60
    assert some == candidates.first(values, list(found.values()), 40, 5)
    assert some != candidates.first(values, list(found.values()), 40, 6)
    assert all(0.2 <= one["aim"] <= 0.9 for one in some)
    assert {one["slot1"] for one in some} <= set(range(1, 9))
    assert max(sum(one[n] != values[n] for n in values) for one in some) <= candidates.FEW
    for text, one in zip(texts, (*some, *more), strict=True):
        read = versions.version(registry.book("biathlon"), text)[1]
        assert list(read.values) == [one[p.name] for p in strategy.params]


# ---------------------------------------------------------------- the race


def test_a_third_goes_on_until_few_are_left():
    assert racing.heats(64) == [64, 22, 8, 3]
    assert racing.heats(4) == [4]


def test_leaders_come_in_order():
    values = {"a": 0.2, "b": 0.5, "c": 0.3, "d": 0.5}

    assert racing.leaders(values, 3) == ["b", "d", "c"]
    assert racing.leaders(values, 1, more=False) == ["a"]


def test_fresh_seeds_are_in_bounds_and_differ():
    from simulate.plan import MAX_SEED

    for seed in (0, 1, MAX_SEED):
        found = [racing.fresh_seed(seed, number) for number in range(9)]
        assert found[0] == seed
        assert len(set(found)) == 9
        assert all(0 <= one <= MAX_SEED for one in found)


def test_optimism_is_how_much_better_it_looked():
    assert racing.optimism(0.3, 0.1) == pytest.approx(0.2)
    assert racing.optimism(0.01, 0.03, more=False) == pytest.approx(0.02)


# ---------------------------------------------------------------- input


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--strategy", "runer"], "Did you mean 'runner'"),
        (["--strategy", "runner,walker"], "is not one strategy"),
        (["--strategy", "walker"], "has no parameters"),
        (["--strategy", "runner:nerve=2"], "nerve goes from 0 to 1"),
        (["--strategy", "runner", "--params", "nerf"], "no parameter 'nerf'. Parameters: near, nerve"),
        (["--strategy", "runner", "--params", "nerve=0:2"], "nerve goes from 0 to 1"),
        (["--strategy", "runner", "--params", "near=5"], "is no range"),
        (["--strategy", "runner", "--params", "near=5:9:1"], "Write near=low:high"),
        (["--strategy", "runner", "--params", "near=9:5"], "low below high"),
        (["--strategy", "runner", "--params", "near,near"], "given twice"),
        (["--strategy", "runner", "--params", "nerve=0.9999:1.0"], "hold nothing but the start"),
        (["--strategy", "runner:near=0:nerve=0"], "is 0; name those to tune: near, nerve"),
        (["--strategy", "runner", "--against", "walker,random*2", "-p", "3"], "2 others sit"),
        (["--strategy", "runner", "--players", "2,3"], "one number of players"),
        (["--strategy", "runner", "--course", "short,long"], "one course"),
        (["--strategy", "runner", "--measure", "speed"], "not one of win_share, score, rank"),
        (["--strategy", "runner", "--candidates", "1"], "out of bounds, 2 to 512"),
        (["--strategy", "runner", "--margin", "x"], "is no margin"),
    ],
)  # fmt: skip
def test_bad_input_is_one_message(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["tune", "toy", "-n", "30", *args])

    assert told.exit_code == 2, told.output
    assert words in " ".join(told.stderr.split())
    assert "Traceback" not in told.output
    assert not Path("runs").exists()


def test_a_line_up_is_no_option_of_a_search():
    with pytest.raises(PlanError, match="--against"):
        tune("toy", "runner", 30, lineup="runner,walker")


def test_help_has_an_example():
    told = CliRunner().invoke(app, ["tune", "--help"])

    assert told.exit_code == 0
    assert "Example: simulate tune biathlon --strategy pacer" in told.output


def test_command_prints_the_line_up_last(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(
        app,
        ["tune", "toy", "--strategy", "runner:nerve=0.1", "--params", "nerve", "-n", "6k",
         "--candidates", "6", "--out", "x"],
    )  # fmt: skip

    assert told.exit_code == 0, told.output
    lines = told.stdout.splitlines()
    assert "nerve\t0.1\t" in told.stdout
    assert "Verdict: better." in lines
    assert lines[-1] == f"--lineup {json.loads(Path('x/experiment.json').read_text())['lineup']}"


@pytest.mark.skipif(not jit.compiled(), reason="needs whole games")
def test_a_side_of_two_skiers_has_one_chance_to_win(tmp_path):
    real = tune(
        "biathlon", "pacer", 900, players=2, candidates=2, against="finisher", layout="mini_one",
        out=tmp_path / "two", jobs=1,
    )  # fmt: skip
    final = real.tuning.final["pacer"]

    assert final.counts.sum() == real.runs["confirm"].plan.n / 2
    assert 0 < final.mean().value < 1
