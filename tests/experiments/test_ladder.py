"""Skill ladders: planted rungs are found again, noise makes no steps, nothing depends on jobs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import simulate
from reports import estimates
from reports.experiments import depth, meetings, rungs
from reports.experiments.meetings import ELO, STEP, Meetings
from simulate.cli import app
from simulate.experiments.ladder import ladder


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):  # noqa: ARG001
    """Toy Dash: a runner that errs less and less."""
    return ladder("toy", n=9000, out=tmp_path_factory.mktemp("ladder") / "l", jobs=1)


@pytest.mark.usefixtures("toy")
class TestPlayed:
    """What comes out of games."""

    def test_less_noise_plays_better(self, done):
        """The runner errs by a known rule, so the order of its rungs is known."""
        frame = done.frame
        noise = frame["temperature"].to_list()

        assert noise[0] is None  # at random
        assert noise[-1] == 0.0
        assert noise[1:] == sorted(noise[1:], reverse=True)
        assert all(b == a / 2 for a, b in zip(noise[1:-2], noise[2:-1], strict=True))
        assert (frame["gap_low"].drop_nulls() > 0).all()

    def test_useless_rungs_are_left_out(self, done):
        """Noise up to 1 never turns the runner's choice; most of all is as good as random play."""
        noise = [t for t in done.rungs.noise if 0 < t < float("inf")]

        assert 1 < min(noise)
        assert max(noise) < 64

    def test_gaps_add_up_to_the_depth(self, done):
        gaps = done.frame["gap"].drop_nulls()

        assert done.depth.value * STEP == pytest.approx(gaps.sum(), abs=8)
        assert done.depth.low <= done.depth.value <= done.depth.high
        assert done.depth.half < 0.2

    def test_a_duel_of_the_ends_agrees(self, done, tmp_path):
        """Ends that meet at one table lie as far apart as the rungs between them say."""
        duel = simulate.tournament(
            "toy", n=6000, strategies="random,runner", out=tmp_path / "t", jobs=1
        )
        m = duel.standings.found[0]
        gap = m.gap(m.names.index("runner"), m.names.index("random"))

        assert gap.value == pytest.approx(done.frame["points"][-1], abs=30)
        assert m.depth.value * STEP == pytest.approx(gap.value, abs=8)

    def test_neighbours_share_tables_and_seats_rotate(self, done):
        for name, run in done.runs.items():
            if not name.startswith("rung-"):
                continue
            seats = run.seats.group_by("strategy", "seat").len().collect()
            assert seats["len"].n_unique() == 1
            assert len(seats) == 9

    def test_tables_play_the_same_dice_and_the_trial_others(self, done):
        seeds = {name: run.plan.seed for name, run in done.runs.items()}
        trial = seeds.pop("trial")

        assert set(seeds.values()) == {1}
        assert trial != 1

    def test_findings_that_depend_on_skill_are_flagged(self, done):
        """Who errs needs longer to get home: the length of a game holds for one rung only."""
        found = done.rungs.by_skill
        rows = found.rows()
        length = [r for r in rows if r["headline"] == "rounds"]
        ends = [r for r in rows if r["headline"] == "not finished"]

        assert [r["value"] for r in length] == sorted((r["value"] for r in length), reverse=True)
        assert {r["verdict"] for r in length} == {"disagree"}
        assert {r["verdict"] for r in ends} == {"agree"}  # every game ends, whoever plays
        assert "rounds" in found.apart
        assert found.state == estimates.UNFAIR
        assert 'id="by-skill"' in (done.folder / "report.html").read_text()

    def test_equals_sit_at_one_table(self, done):
        seeds = set()
        for name, run in done.runs.items():
            if name.startswith("equals-"):
                assert run.seats.select("strategy").collect()["strategy"].n_unique() == 1
                seeds.add(run.plan.seed)
        assert seeds == {1}

    def test_any_jobs_give_the_same_files(self, done, tmp_path):
        again = ladder("toy", n=9000, out=tmp_path / "l", jobs=3)

        for name in ("experiment.json", "report.html"):
            assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()

    def test_page_tells_the_count(self, done):
        page = (done.folder / "report.html").read_text()

        assert "steps of skill" in page.lower()
        assert "room for" in page
        assert 'href="#g-steps-of-skill"' in page
        assert 'href="#g-points-above-the-lowest"' in page

    def test_more_players_than_rungs_repeat_some(self, tmp_path):
        found = ladder("toy", n=400, players=4, out=tmp_path / "l", jobs=1)

        assert len(found.rungs.meetings.names) >= 3

    def test_command(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        args = ["tournament", "toy", "--ladder", "--strategies", "runner:near=6", "-n", "900"]
        told = CliRunner().invoke(app, [*args, "--out", "x", "--jobs", "1"])

        assert told.exit_code == 0, told.output
        assert "at random" in told.stdout
        assert "steps of skill" in told.stdout
        assert (Path("x") / "report.html").is_file()

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["--strategies", "walker"], "no parameter 'temperature'"),
            (["--strategies", "runer"], "Did you mean 'runner'"),
            (["--strategies", "runner:temperature=2"], "leave it out"),
            (["--strategies", "runner,walker"], "by one strategy"),
            (["--players", "2,3"], "one player count"),
            (["--players", "1"], "at least two players"),
        ],
    )
    def test_bad_input_is_one_message(self, tmp_path, monkeypatch, args, words):
        monkeypatch.chdir(tmp_path)
        told = CliRunner().invoke(app, ["tournament", "toy", "--ladder", "-n", "30", *args])

        assert told.exit_code == 2, told.output
        assert words in " ".join(told.stderr.split())
        assert not Path("runs").exists()


# ---------------------------------------------------------------- planted strengths


def planted(strength, games, seed, window=3):
    """Tables of neighbours whose finishing orders have known strengths, on groups of dice."""
    n = len(strength)
    rng = np.random.default_rng(seed)
    tables = []
    for first in range(n - window + 1):
        who = np.tile(np.arange(window), (games, 1))
        time = -strength[first + who] - rng.gumbel(size=who.shape)
        rank = time.argsort(1).argsort(1) + 1.0
        groups = np.arange(games) % 512
        orders = meetings._Orders(window)
        orders.add(who, rank, np.ones(games, bool), groups)
        met, ahead = np.zeros((2, 512, window, window))
        for i in range(window):
            for j in range(window):
                if i != j:
                    np.add.at(met, (groups, i, j), 1)
                    np.add.at(ahead, (groups, i, j), rank[:, i] < rank[:, j])
        won, seen = orders.wins, np.ones((512, window))
        codes = sorted(orders.counts)
        names = tuple(f"rung{first + i}" for i in range(window))
        tables.append(
            Meetings(
                names, "3 players", window, games, 0, ahead, met,
                np.array([orders.members[c] for c in codes], float),
                np.array([orders.counts[c] for c in codes], float).T, orders.wins, won, seen,
            )
        )  # fmt: skip
    return meetings.joined(tables, [f"rung{i}" for i in range(n)])


def test_planted_steps_are_found():
    """Six rungs 150 points apart: 3.75 steps, though the ends never meet."""
    truth = np.arange(6) * 150 / ELO
    m = planted(truth, 4000, 3)

    assert m.depth.low <= 3.75 <= m.depth.high
    assert m.depth.half < 0.2
    assert m.met[:, 0, 5].sum() == 0
    assert m.gap(3, 2).value == pytest.approx(150, abs=25)
    assert m.rate(3, 2).value == pytest.approx(1 / (1 + 10 ** (-150 / 400)), abs=0.03)
    assert "room for" in depth.depth(m)[1]


def test_equals_make_no_steps():
    """Six equals: noise alone puts some before others, and that is taken off."""
    plain, taken = [], []
    for seed in range(100, 108):
        m = planted(np.zeros(6), 512, seed)
        plain.append(float(np.ptp(m.strengths)) * ELO / STEP)
        taken.append(m.depth)

    assert np.mean(plain) > 0.1
    assert np.mean([d.value for d in taken]) < 0.8 * np.mean(plain)
    assert sum(d.low == 0 for d in taken) >= 7


def test_unsure_counts_are_not_given():
    m = planted(np.arange(5) * 1.0, 40, 1)

    assert m.depth.half > depth.SURE
    assert depth.depth(m)[0] == estimates.UNKNOWN
    assert "more games" in depth.depth(m)[1]


def test_the_trial_keeps_what_matters():
    """Two hot rungs as weak as each other, two cold ones as strong as no noise."""
    truth = np.array([0.0, 10, 15, 100, 200, 295, 300, 300]) / ELO
    names = [f"rung{i}" for i in range(8)]
    m = planted(truth, 6000, 5)

    assert rungs.useful(m, names) == ["rung0", "rung2", "rung3", "rung4", "rung7"]


def test_noise_that_does_nothing_leaves_one_rung():
    m = planted(np.array([0.0, 1, 1, 1, 1]), 6000, 5)

    assert len(rungs.useful(m, [f"rung{i}" for i in range(5)])) == 3


@pytest.mark.slow
def test_intervals_of_the_depth_cover():
    truth = np.arange(5) * 100 / ELO
    held = 0
    for seed in range(150):
        d = planted(truth, 1024, seed).depth
        held += d.low <= 2.0 <= d.high
    print(f"depth: {held} of 150")
    assert 133 <= held <= 149
