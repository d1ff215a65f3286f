"""Tournaments: strengths, meetings, circles; planted orders are found again."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from reports import estimates, metagame
from reports.experiments import meetings
from reports.experiments.meetings import Meetings
from simulate.cli import app
from simulate.experiments.tournament import tournament

STYLES = "random,walker,runner,runner:near=8"


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):
    """Four styles of the toy game."""
    folder = tmp_path_factory.mktemp("tournament") / "t"
    return tournament("toy", n=3000, strategies=STYLES, out=folder, jobs=1)


@pytest.mark.usefixtures("toy")
class TestPlayed:
    """What comes out of games."""

    def test_all_styles_play_all_seats(self, done):
        seats = done.run.seats.group_by("strategy", "seat").len().collect()

        assert len(seats) == 4 * 3
        by_style = seats.group_by("strategy").agg(pl.col("len").n_unique())
        assert by_style["len"].to_list() == [1] * 4  # as often in every seat

    def test_strengths_are_in_the_order_of_the_wins(self, done):
        frame = done.frame

        assert frame["strategy"][0] == "runner"
        assert frame["strategy"][-1] == "walker"
        assert (frame["strength_low"] < frame["strength"]).all()
        assert frame["log_strength"].sum() == pytest.approx(0, abs=1e-9)

    def test_matrix_is_that_of_the_records(self, done):
        row = done.matrix.filter(
            (pl.col("strategy") == "runner") & (pl.col("rival") == "walker")
        ).to_dicts()[0]
        seats = done.run.seats.select("game_id", "seat", "strategy", "rank").collect()
        both = seats.join(seats, on="game_id", suffix="_b").filter(
            (pl.col("strategy") == "runner") & (pl.col("strategy_b") == "walker")
        )
        ahead = (both["rank"] < both["rank_b"]).sum() + (both["rank"] == both["rank_b"]).sum() / 2

        assert row["meetings"] == len(both)
        assert row["ahead"] == pytest.approx(ahead / len(both))

    def test_matrix_is_skew(self, done):
        rates = {(r["strategy"], r["rival"]): r["ahead"] for r in done.matrix.to_dicts()}

        for (one, other), rate in rates.items():
            assert rate + rates[other, one] == pytest.approx(1)

    def test_ladder(self, done):
        """Toy Dash has no circles."""
        m = done.standings.found[0]

        assert m.cyclic.value < 0.1
        assert not any(t.circle for t in m.triples)

    def test_one_style_is_enough(self, done):
        """Runners beat the others: all the weight is theirs."""
        m = done.standings.found[0]
        weights = {name: one.value for name, one in zip(m.names, m.equilibrium, strict=True)}

        assert sum(weights.values()) == pytest.approx(1)
        assert sum(w for name, w in weights.items() if name.startswith("runner")) > 0.99

    def test_few_styles_are_worth_playing(self, done):
        """Of the four only the runners are near the best; walking is of no use against anybody."""
        m = done.standings.found[0]
        near = {name for name, chance in zip(m.names, m.near, strict=True) if chance > 0.5}
        useful = dict(zip(m.names, m.of_use, strict=True))

        assert near <= {"runner", "runner:near=8"}
        assert "runner" in near
        assert useful["walker"] == 0
        assert m.diversity.value <= 2
        assert 1 <= m.balance.value <= 2
        assert sum(e.value for e in m.lasting) == pytest.approx(1)
        assert m.lasting[m.order[-1]].value < 1e-3
        page = (done.folder / "report.html").read_text()
        assert 'id="in-use"' in page
        assert "Near the strongest: " in page

    def test_any_jobs_give_the_same_files(self, done, tmp_path):
        again = tournament("toy", n=3000, strategies=STYLES, out=tmp_path / "t", jobs=3)

        for name in ("experiment.json", "report.html"):
            assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()

    def test_several_player_counts_stay_apart(self, tmp_path):
        found = tournament("toy", n=1000, players="2,4", out=tmp_path / "t", jobs=1)

        assert [m.players for m in found.standings.found] == [2, 4]
        assert len(found.frame) == 6

    def test_games_without_a_winner_are_told(self, tmp_path):
        found = tournament(
            "toy", n=300, set=["sim.max_rounds=3"], strategies="random,walker",
            out=tmp_path / "t", jobs=1,
        )  # fmt: skip

        assert found.standings.found[0].cut > 0
        assert "had no winner" in (found.folder / "report.html").read_text()

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["--strategies", "runner"], "at least two"),
            (["--strategies", "runner,runer"], "Did you mean 'runner'"),
            (["--strategies", "runner,runner:near=3"], "at least two that differ"),
            (["--course", "short,long"], "one course"),
            (["--players", "9"], "--players"),
        ],
    )
    def test_bad_input_is_one_message(self, tmp_path, monkeypatch, args, words):
        monkeypatch.chdir(tmp_path)
        told = CliRunner().invoke(app, ["tournament", "toy", "-n", "30", *args])

        assert told.exit_code == 2, told.output
        assert words in " ".join(told.stderr.split())
        assert not Path("runs").exists()

    def test_command_prints_standings(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        told = CliRunner().invoke(app, ["tournament", "toy", "-n", "900", "--out", "x"])

        assert told.exit_code == 0, told.output
        assert "3 players\t1\trunner" in told.stdout
        assert "strongest" in told.stdout
        assert "in circles" in told.stdout


# ---------------------------------------------------------------- formulas


def test_two_items_are_the_log_of_their_wins():
    """With the prior's half games, both against a player of strength 1."""
    log = estimates.plackett_luce([[1, 1]], [1e6], [7.5e5, 2.5e5])

    assert log[0] - log[1] == pytest.approx(math.log(3), abs=1e-3)


def test_one_who_always_wins_stays_finite():
    log = estimates.plackett_luce([[1, 1]], [100.0], [100.0, 0.0])

    assert np.isfinite(log).all()
    assert 2 < log[0] - log[1] < 12


def test_resamples_are_solved_together_as_alone():
    rng = np.random.default_rng(1)
    fields = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]])
    stages = rng.integers(20, 60, (5, 4)).astype(float)
    wins = rng.multinomial(100, [0.5, 0.3, 0.2], 5).astype(float)
    wins *= (stages.sum(1) / 100)[:, None]
    together = estimates.plackett_luce(fields, stages, wins, tol=1e-10)

    for row in range(5):
        alone = estimates.plackett_luce(fields, stages[row], wins[row], tol=1e-10)
        assert together[row] == pytest.approx(alone, abs=1e-6)


def planted(strength: np.ndarray, games: int, seed: int) -> meetings._Orders:
    """Orders of three seats drawn from styles of known strength (Gumbel's way)."""
    rng = np.random.default_rng(seed)
    n = len(strength)
    orders = meetings._Orders(n)
    who = rng.integers(0, n, (games, 3))
    time = -strength[who] - rng.gumbel(size=who.shape)
    rank = time.argsort(1).argsort(1) + 1.0
    groups = np.arange(games) % 512
    orders.add(who, rank, np.ones(games, bool), groups)
    return orders


def strengths(orders: meetings._Orders) -> np.ndarray:
    codes = sorted(orders.counts)
    return estimates.plackett_luce(
        np.array([orders.members[c] for c in codes]),
        np.array([orders.counts[c].sum() for c in codes]),
        orders.wins.sum(0),
    )


def test_planted_strengths_are_found():
    truth = np.array([1.0, 0.3, 0.0, -1.3])

    assert strengths(planted(truth, 40_000, 3)) == pytest.approx(truth, abs=0.06)


def test_orders_are_the_same_in_any_cut():
    truth = np.array([0.5, 0.0, -0.5])
    rng = np.random.default_rng(2)
    who, rank = rng.integers(0, 3, (900, 3)), rng.integers(1, 4, (900, 3)).astype(float)
    groups, yes = np.arange(900) % 512, np.ones(900, bool)
    one, other = meetings._Orders(3), meetings._Orders(3)
    one.add(who, rank, yes, groups)
    for part in (slice(0, 100), slice(100, 900)):
        other.add(who[part], rank[part], yes[part], groups[part])

    assert truth.sum() == 0
    assert (one.wins == other.wins).all()
    assert {c: t.tolist() for c, t in one.counts.items()} == {
        c: t.tolist() for c, t in other.counts.items()
    }


def test_equals_take_turns_at_the_same_field():
    orders = meetings._Orders(2)
    orders.add(np.array([[0, 1]]), np.array([[1.5, 1.5]]), np.array([True]), np.array([0]))

    assert orders.wins[0].tolist() == [1, 1]
    assert [t[0] for t in orders.counts.values()] == [2]
    assert strengths(orders) == pytest.approx([0, 0])


def test_hodge_takes_a_ladder_and_a_circle_apart():
    rating = np.array([1.0, 0.2, -1.2])
    ladder = rating[:, None] - rating[None, :]
    circle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float)

    ratings, cyclic = estimates.hodge(ladder + circle)
    assert ratings == pytest.approx(rating)
    assert cyclic == pytest.approx(circle)
    assert estimates.cyclic_share(ladder, [ladder])[0] == pytest.approx(0)
    assert estimates.cyclic_share(circle, [circle])[0] == pytest.approx(1)


def test_noise_is_taken_out_of_the_cyclic_share():
    """A ladder seen through noise: without correction a third looks cyclic, with it little."""
    rng = np.random.default_rng(4)
    rating = np.linspace(-0.3, 0.3, 6)
    ladder = rating[:, None] - rating[None, :]

    def noisy(base):
        noise = np.triu(rng.normal(0, 0.25, (6, 6)), 1)
        return base + noise - noise.T

    found, plain = [], []
    for _ in range(100):
        seen = noisy(ladder)
        found.append(estimates.cyclic_share(seen, [noisy(seen) for _ in range(60)])[0])
        plain.append((estimates.hodge(seen)[1] ** 2).sum() / (seen**2).sum())
    assert np.mean(plain) > 0.15
    assert np.mean(found) < 0.1


def rock_paper_scissors(games: int) -> Meetings:
    """Each style finishes ahead of the next in 70 % of their meetings."""
    rng = np.random.default_rng(6)
    met, ahead = np.zeros((512, 3, 3)), np.zeros((512, 3, 3))
    for i, j in ((0, 1), (1, 2), (2, 0)):
        met[:, i, j] = met[:, j, i] = games
        won = rng.binomial(games, 0.7, 512)
        ahead[:, i, j], ahead[:, j, i] = won, games - won
    stages, wins = met[:, [0, 0, 1], [1, 2, 2]], ahead.sum(2)
    fields = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], float)
    seen = met.sum(2)
    return Meetings(
        ("rock", "paper", "scissors"), "2 players", 2, int(seen.sum() / 2), 0,
        ahead, met, fields, stages, wins, wins, seen,
    )  # fmt: skip


def test_a_planted_circle_is_found():
    from reports.experiments.standings import ladder

    m = rock_paper_scissors(8)
    state, words = ladder(m)

    assert m.cyclic.value > 0.95
    assert m.triples[0].circle
    assert m.triples[0].q < 0.001
    assert state == "unfair"
    assert "beats" in words
    assert m.strengths == pytest.approx([0, 0, 0], abs=0.1)


@pytest.mark.slow
def test_intervals_of_strengths_cover():
    """Planted strengths lie in the bootstrap interval in 95 % of trials."""
    truth = np.array([0.6, 0.0, -0.6])
    held = 0
    for seed in range(150):
        orders = planted(truth, 3000, seed)
        codes = sorted(orders.counts)
        blank = np.ones((512, 3))
        m = Meetings(
            ("a", "b", "c"), "3 players", 3, 3000, 0, np.ones((512, 3, 3)), np.ones((512, 3, 3)) * 2,
            np.array([orders.members[c] for c in codes], float),
            np.array([orders.counts[c] for c in codes], float).T, orders.wins, blank, blank,
        )  # fmt: skip
        gap = m.gap(0, 2)
        held += gap.low <= 1.2 * meetings.ELO <= gap.high
    assert 133 <= held <= 149


# ---------------------------------------------------------------- which styles stay in use

ROCK = np.array([[0, 0.2, -0.2], [-0.2, 0, 0.2], [0.2, -0.2, 0]])


def beside(table, *rows):
    """A table with further styles: what each wins off those before it."""
    for row in rows:
        n = len(table)
        wide = np.zeros((n + 1, n + 1))
        wide[:n, :n], wide[n, :n], wide[:n, n] = table, row, -np.asarray(row)
        table = wide
    return table


def test_a_ladder_ends_at_its_top():
    found = metagame.alpha_rank([[0, 0.1, 0.3], [-0.1, 0, 0.1], [-0.3, -0.1, 0]])

    assert found == pytest.approx([1, 0, 0], abs=1e-4)


def test_rock_paper_scissors_goes_round_and_round():
    assert metagame.alpha_rank(ROCK) == pytest.approx([1 / 3] * 3)


def test_who_loses_to_the_circle_is_not_in_use():
    assert metagame.alpha_rank(beside(ROCK, [-0.1] * 3)) == pytest.approx(
        [1 / 3] * 3 + [0], abs=1e-4
    )


def test_equals_are_played_equally():
    assert metagame.alpha_rank(np.zeros((4, 4))) == pytest.approx([0.25] * 4)


def test_two_styles_without_a_meeting_are_equals():
    assert metagame.alpha_rank(np.zeros((1, 1))) == pytest.approx([1])


def test_resamples_are_problems_of_their_own():
    both = metagame.alpha_rank(np.stack([ROCK, ROCK * 0]))

    assert both.shape == (2, 3)


def test_a_style_that_is_worse_against_everybody_is_dominated():
    table = beside(ROCK, [-0.3, -0.3, -0.3])

    assert metagame.undominated(table).tolist() == [True, True, True, False]
    assert metagame.undominated(ROCK).all()


def test_a_specialist_is_not_dominated():
    """It loses to two of three, but nobody else does as well against the first."""
    table = beside(ROCK, [0.4, -0.3, -0.3])

    assert metagame.undominated(table).tolist() == [True, True, True, True]


def test_near_the_strongest():
    ladder = np.array([[0, 0.04, 0.2], [-0.04, 0, 0.1], [-0.2, -0.1, 0]])

    assert metagame.within(ladder, 0, 0.05).tolist() == [True, True, False]
