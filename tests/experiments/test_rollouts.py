"""Rollouts: what positions tell, planted and played; files that go on; messages."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from reports.experiments import rollouts_values as values
from reports.experiments.rollouts_findings import Study
from reports.experiments.rollouts_values import Position, Thresholds
from simulate.cli import app
from simulate.experiments import rollouts_files, rollouts_positions
from simulate.experiments.rollouts import rollouts
from simulate.experiments.rollouts_positions import Table
from strategies.rollouts import WIN_SHARE

LINEUP = "runner:near=4,walker,random"
PLAYERS = 3


# ---------------------------------------------------------------- planted positions


def planted(chances, seed=0, rollouts=400, player=0, taken=0, acts=None):
    """A position whose options win with the given chances: chances [options][players]."""
    rng = np.random.default_rng(seed)
    table = np.asarray(chances, float)
    luck = rng.random(rollouts)  # the same for all options: aligned
    edges = table.cumsum(1)
    winner = (luck[None, :, None] > edges[:, None, :]).sum(2)
    wins = (winner[..., None] == np.arange(table.shape[1])).astype(float)
    row = {
        "game_id": seed, "question_number": 1, "block": seed, "cell": 0, "players": table.shape[1],
        "seat": player, "player": player, "strategy": "s", "question": "Q", "questions": 3,
        "offered": len(table), "tried": len(table), "weight": 1.0,
    }  # fmt: skip
    tokens = [f"o{i}" for i in range(len(table))]
    return Position(row, tokens, acts or tokens, taken, wins, 2.0 - wins)


def test_equal_options_have_no_spread():
    """Independent luck makes one of four equal options look best; picking it blindly is corrected."""
    rng = np.random.default_rng(1)
    spreads, naive = [], []
    for _ in range(300):
        own = (rng.random((4, 64)) < 0.3).astype(float)
        spreads.append(values.crossed(own, values.best_and_worst).value)
        naive.append(own.mean(1).max() - own.mean(1).min())

    assert abs(np.mean(spreads)) < 0.015
    assert np.mean(naive) > 0.08


def test_equal_options_give_no_agency():
    """Choosing well is worth nothing where all options are alike."""
    rng = np.random.default_rng(2)
    own = [(rng.random((4, 64)) < 0.3).astype(float) for _ in range(300)]

    assert abs(np.mean([values.best_and_mean(one).value for one in own])) < 0.01


def test_spread_gap_and_regret_of_a_planted_position():
    p = planted([[0.2, 0.4, 0.4], [0.5, 0.3, 0.2], [0.4, 0.3, 0.3]])
    row = values.value_rows([p], Thresholds()).row(0, named=True)

    assert row["spread"] == pytest.approx(0.3, abs=0.06)
    assert row["gap"] == pytest.approx(0.1, abs=0.04)
    assert row["agency"] == pytest.approx(0.5 - (0.2 + 0.5 + 0.4) / 3, abs=0.05)
    assert row["regret"] == pytest.approx(0.3, abs=0.06)
    assert (row["best"], row["taken"]) == ("o1", "o0")
    assert not row["kingmaking"]


def test_a_player_without_a_stake_makes_a_king():
    """Own chance 0 under both options; one hands the win to player 2."""
    p = planted([[0.0, 0.9, 0.1], [0.0, 0.2, 0.8]], rollouts=128)
    row = values.value_rows([p], Thresholds()).row(0, named=True)

    assert row["kingmaking"]
    assert row["same_for_oneself"]
    assert row["hopeless"]
    assert row["standing"] == PLAYERS
    assert abs(row["swing"] - 0.7) < 0.1


def test_who_helps_himself_makes_no_king():
    p = planted([[0.1, 0.8, 0.1], [0.4, 0.2, 0.4]], rollouts=128)
    row = values.value_rows([p], Thresholds()).row(0, named=True)

    assert not row["same_for_oneself"]
    assert not row["kingmaking"]


def test_few_rollouts_without_a_difference_prove_nothing():
    """No win in 8 rollouts is no proof of equality within 5 points."""
    few, many = (planted([[0.0, 1.0, 0.0]] * 2, rollouts=n) for n in (8, 128))

    assert not values.same_for_oneself(few.own, 0, 0.05)
    assert values.same_for_oneself(many.own, 0, 0.05)


def test_too_few_rollouts_for_kingmaking_are_told():
    least = values.least_rollouts(0.05)

    assert values.same_for_oneself(np.zeros((2, least)), 0, 0.05)
    assert not values.same_for_oneself(np.zeros((2, least - 1)), 0, 0.05)


def test_acts_are_compared_with_the_best_other_kind():
    p = planted(
        [[0.2, 0.5, 0.3], [0.6, 0.2, 0.2], [0.4, 0.3, 0.3]], acts=["steal", "steal", "decline"]
    )
    worth = dict(values.act_rows([p]).select("act", "worth").rows())

    assert worth["steal"] == pytest.approx(0.2, abs=0.06)
    assert worth["decline"] == pytest.approx(-0.2, abs=0.06)


def test_weights_and_games_without_the_flag_count():
    """Two games; one decision stands for ten, the other for one."""
    cell = {"rules": 0, "players": 3, "n_seats": 3, "equal": False}
    identity = {"cells": [cell], "rules": [{"label": "x"}], "plan": {}}
    run = SimpleNamespace(identity=identity, plan=SimpleNamespace(blocks=4))
    rows = [
        planted([[0.0, 0.9, 0.1], [0.0, 0.2, 0.8]], seed=0, rollouts=128),
        planted([[0.1, 0.8, 0.1], [0.4, 0.2, 0.4]], seed=1, rollouts=128),
    ]
    rows[0].row["weight"] = 10.0
    study = Study(
        run, values.value_rows(rows, Thresholds()), values.act_rows(rows), {}, Thresholds()
    )
    group = study.group(study.strata[0])

    assert group.share("kingmaking").value == pytest.approx(10 / 11)
    assert group.per_game("kingmaking").value == pytest.approx(10 / 4)
    assert group.games_with("kingmaking").value == pytest.approx(1 / 4)


# ---------------------------------------------------------------- played


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):
    """Two decisions of each of 60 toy games."""
    folder = tmp_path_factory.mktemp("rollouts") / "r"
    return rollouts(
        "toy", 60, decisions=2, rollouts=16, lineup=LINEUP, out=folder, jobs=1
    )  # fmt: skip


@pytest.mark.usefixtures("toy")
class TestPlayed:
    """What comes out of games."""

    def test_rollouts_meet_the_exact_chance(self, plan):
        """The last seat decides the game with this move: six faces, each as likely."""
        setting = plan(300)
        found = 0
        for game_id in range(60):
            table = Table(setting, game_id)
            trace = table.play_out()
            table = Table(setting, game_id)
            table.play_to(len(trace))
            state, rules = table.sitting.state, table.sitting.rules
            seat, spaces = table.sitting.to_move, state["space"][:PLAYERS].astype(int)
            if seat != PLAYERS - 1 or spaces[:-1].max() < rules["length"]:
                continue
            steps = [0 if f == rules["fall_face"] else f for f in range(1, 7)]
            mine = [spaces[seat] + step for step in steps]
            best = spaces[:-1].max()
            tied = (spaces[:-1] == best).sum()
            exact = np.mean([1.0 if m > best else 1 / (tied + 1) if m == best else 0 for m in mine])
            ends = table.roll_out(table.sitting.options, 3000, 11)[1, :, seat, WIN_SHARE]
            found += 1

            assert (
                abs(ends.mean() - exact) < 4 * np.sqrt(max(exact * (1 - exact), 1e-9) / 3000) + 1e-9
            )
        assert found > 3

    def test_long_games_have_whole_traces(self, plan, monkeypatch):
        """More questions than there is room for at first."""
        wanted = Table(plan(3), 0).play_out()
        monkeypatch.setattr(rollouts_positions, "ROOM", 4)

        assert len(wanted) > 4
        assert np.array_equal(Table(plan(3), 0).play_out(), wanted)

    def test_a_position_is_a_decision_of_its_game(self, done):
        games = done.run.games.select("game_id", "asked").collect()
        both = done.values.join(games, on="game_id")

        assert len(both) == 120
        assert (both["questions"] == both["asked"]).all()
        assert (both["question_number"] <= both["asked"]).all()
        assert (both["weight"] == both["asked"] / 2).all()
        per_game = done.values.group_by("game_id").agg(pl.col("question_number").n_unique())
        assert per_game["question_number"].to_list() == [2] * 60

    def test_every_position_has_the_option_taken_and_all_players(self, done):
        taken = done.options.group_by("game_id", "question_number").agg(pl.col("taken").sum())

        assert (taken["taken"] == 1).all()
        assert set(done.options["token"]) == {"walk", "run"}
        assert (done.options["wins"].list.len() == 16 * PLAYERS).all()
        sums = done.options["wins"].list.to_array(16 * PLAYERS).arr.sum()
        assert sums.max() <= 16 * 840

    def test_any_jobs_give_the_same_files(self, done, tmp_path):
        again = rollouts(
            "toy", 60, decisions=2, rollouts=16, lineup=LINEUP, out=tmp_path / "r", jobs=3
        )  # fmt: skip

        for name in ("experiment.json", "report.html"):
            assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()

    def test_longer_goes_on_and_equals_one_longer_run(self, done, tmp_path):
        how = {"decisions": 2, "rollouts": 16, "lineup": LINEUP, "jobs": 1}
        rollouts("toy", 30, out=tmp_path / "r", **how)
        kept = (tmp_path / "r" / "positions" / "00000.parquet").stat().st_mtime_ns
        longer = rollouts("toy", 60, out=tmp_path / "r", **how)

        assert (longer.folder / "positions" / "00000.parquet").stat().st_mtime_ns == kept
        text = (longer.folder / "experiment.json").read_bytes()
        assert text == (done.folder / "experiment.json").read_bytes()

    def test_interrupted_goes_on_with_the_shards_that_are_missing(
        self, done, tmp_path, monkeypatch
    ):
        """Ctrl-C after the first shard: it is kept, and the end is the same."""
        play, calls = rollouts_files.play_shard, []

        def dying(plan, asked, shard, folder):
            calls.append(shard)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return play(plan, asked, shard, folder)

        args = ["rollouts", "toy", "-n", "60", "--decisions", "2", "--rollouts", "16"]
        args += ["--lineup", LINEUP, "--jobs", "1", "--out", str(tmp_path / "r")]
        monkeypatch.setattr(rollouts_files, "play_shard", dying)
        first = CliRunner().invoke(app, args)
        kept = (tmp_path / "r" / "positions" / "00000.parquet").stat().st_mtime_ns
        monkeypatch.setattr(rollouts_files, "play_shard", play)
        second = CliRunner().invoke(app, args)

        assert first.exit_code == 130
        assert "of 60 games are kept" in first.stderr
        assert second.exit_code == 0, second.output
        assert (tmp_path / "r" / "positions" / "00000.parquet").stat().st_mtime_ns == kept
        for name in ("experiment.json", "data/acts-0.csv"):
            assert (tmp_path / "r" / name).read_bytes() == (done.folder / name).read_bytes()

    def test_all_decisions_of_a_game(self, tmp_path):
        found = rollouts(
            "toy", 3, decisions="all", rollouts=4, lineup=LINEUP, out=tmp_path / "r", jobs=1
        )  # fmt: skip
        asked = found.run.games.select(pl.col("asked").sum()).collect().item()

        assert len(found.values) == asked
        assert not found.study.sampled

    def test_two_players_make_no_king(self, tmp_path):
        found = rollouts("toy", 40, players=2, rollouts=8, out=tmp_path / "r", jobs=1)

        assert "nobody is left to make king" in (found.folder / "report.html").read_text()

    def test_the_page_says_what_few_rollouts_cannot_show(self, done):
        page = (done.folder / "report.html").read_text()

        assert "With 16 rollouts an option nothing can be shown to be all the same" in page
        assert "Kingmaking cannot be found with fewer than" in page

    def test_several_player_counts_stay_apart(self, tmp_path):
        found = rollouts("toy", 40, players="2,4", rollouts=8, out=tmp_path / "r", jobs=1)

        assert found.frame["games_of"].unique().sort().to_list() == ["2 players", "4 players"]

    def test_frames_and_file_tell_the_same(self, done):
        told = json.loads((done.folder / "experiment.json").read_text())

        assert told["positions"] == len(done.values)
        assert [row["spread"] for row in told["weight"]] == done.frame["spread"].to_list()
        assert len(told["regret"]) == len(done.regret)
        assert len(told["kingmaking"]) == len(done.kingmaking)
        assert {row["act"] for row in told["acts"]} == {"walk", "run"} == set(done.acts["act"])

    def test_other_numbers_in_the_same_folder_are_refused(self, done):
        args = ["rollouts", "toy", "-n", "60", "--rollouts", "32", "--lineup", LINEUP]
        told = CliRunner().invoke(app, [*args, "--out", str(done.folder)])

        assert told.exit_code == 2
        assert "rollouts 16" in told.stderr

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["--decisions", "0"], "--decisions: 0 is out of bounds, 1 to 100,000"),
            (["--decisions", "some"], "'some' is no whole number or all"),
            (["--rollouts", "2"], "--rollouts: 2 is out of bounds, 4 to 10,000"),
            (["--options", "1"], "--options: 1 is out of bounds, 2 to 1,000"),
            (["--matters", "5%"], "--matters: '5%' is no threshold"),
            (["--own", "0pp"], "--own: 0pp is out of bounds"),
            (["--swing", "x=1pp"], "--swing: x=1pp is out of bounds"),
            (["--question", "NONE"], "NONE was not asked"),
            (["-n", "none"], "--n: 'none' is no number of games"),
        ],
    )
    def test_what_cannot_be_used_is_one_message(self, args, words, tmp_path):
        begin = ["rollouts", "toy", "-n", "6", "--rollouts", "4", "--out", str(tmp_path / "r")]
        told = CliRunner().invoke(app, [*begin, *args])

        assert told.exit_code == 2
        assert words in told.stderr
        assert told.stderr.count("simulate: ") == 1
