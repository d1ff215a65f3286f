"""Games needed, and what a run could have seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from reports import estimates
from simulate import session
from simulate.cli import app
from simulate.experiments.compare import compare
from simulate.experiments.power import power

pytestmark = pytest.mark.usefixtures("toy")


def test_games_needed_is_the_inverse_of_detectable():
    for p, effect, r in ((0.5, 0.02, 0.0), (0.25, 0.005, 0.7)):
        n = estimates.games_needed(p, effect, r)
        assert estimates.detectable(p, n, r) <= effect < estimates.detectable(p, n - 1, r)


def test_pairing_and_effect_set_the_games():
    done = power("toy", "2pp", n=900, jobs=1)
    rows = {(r.measure, r.correlation): r for r in done.rows}
    seat = "win share by seat (the widest)"

    assert rows[seat, 0.9].games == pytest.approx(rows[seat, 0.0].games / 10, rel=0.01)
    half = power("toy", "1pp", correlation=0.0, n=900, jobs=1)
    wanted = next(r for r in half.rows if r.measure == seat)
    assert wanted.games == pytest.approx(4 * rows[seat, 0.0].games, rel=0.01)
    assert wanted.minutes > 0
    assert wanted.megabytes > 0


def test_a_column_in_its_own_unit():
    done = power("toy", "rounds=0.2", correlation=0.5, n=900, jobs=1)

    assert [r.measure for r in done.rows] == ["rounds"]
    assert done.frame["games"][0] % 3 == 0 or done.frame["games"][0] > 0


def test_a_run_tells_what_it_could_have_seen(plan, tmp_path):
    run = session.play(plan(900, equal=False), tmp_path / "run", jobs=1)
    done = power(run.path)
    seat = next(r for r in done.rows if r.measure == "win share, seat 0")
    half = power(run.path, correlation=0.5)

    assert seat.smallest_difference == pytest.approx(seat.smallest * 2**0.5)
    again = next(r for r in half.rows if r.measure == "win share, seat 0")
    assert again.smallest_difference == pytest.approx(seat.smallest)


def test_numbers_are_in_the_unit_that_is_told(plan, tmp_path):
    """A win share of a third is 33 pp, and its smallest effect is told in the same unit."""
    run = session.play(plan(900, equal=False), tmp_path / "run", jobs=1)
    frame = power(run.path).frame
    shares = frame.filter(frame["unit"] == "pp")
    wins = run.seats.collect()["win_share"]
    seats = shares.filter(shares["measure"].str.starts_with("win share, seat"))
    error = wins.std() / len(wins) ** 0.5

    assert seats["value"].mean() == pytest.approx(100 / 3, abs=1e-6)
    assert (seats["smallest"] > 100 * error).all()
    rounds = frame.filter(frame["measure"] == "rounds")
    assert rounds["unit"].to_list() == ["rounds"]
    assert rounds["value"][0] == pytest.approx(run.games.collect()["rounds"].mean(), abs=1e-9)


def test_shares_of_a_comparison_are_points_too(tmp_path):
    made = compare("toy", "", "--set move.walk=3", n=900, out=tmp_path / "c", jobs=1, report=False)
    rows = {r.measure: r for r in power(made.folder).rows}
    walker = next(d for d in made.comparison.found if d.a.label == "win share, strategy walker")

    assert rows["win share, strategy walker"].unit == "pp"
    assert rows["win share, strategy walker"].value == pytest.approx(100 * walker.change.value)


def test_a_comparison_tells_what_it_could_have_seen(tmp_path):
    made = compare("toy", "", "--set move.walk=3", n=900, out=tmp_path / "c", jobs=1, report=False)
    rows = power(made.folder).rows
    rounds = next(d for d in made.comparison.found if d.a.label == "rounds")

    found = next(r for r in rows if r.measure == "rounds")
    assert found.smallest == pytest.approx(estimates.detectable_from(rounds.change.se))


def test_the_games_asked_for_find_the_effect():
    """Simulated: two arms of coins with the games needed, the effect is found in 80 % of trials."""
    rng = np.random.default_rng(7)
    n = estimates.games_needed(0.5, 0.05)
    a, b = rng.binomial(n, 0.5, 4000) / n, rng.binomial(n, 0.55, 4000) / n
    se = np.sqrt((a * (1 - a) + b * (1 - b)) / n)

    assert np.mean(np.abs(b - a) > 1.96 * se) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["toy", "--effect", "0.5"], "is no effect"),
        (["toy", "--effect", "speed=2"], "no measure 'speed'"),
        (["toy", "--power", "1.5"], "--power"),
        (["toy", "--paired-correlation", "1"], "--paired-correlation"),
        (["tou"], "Did you mean 'toy'"),
        (["runs/nothing"], "no run runs/nothing"),
    ],
)
def test_bad_input_is_one_message(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["plan", *args, "-n", "300"])

    assert told.exit_code == 2
    assert words in " ".join(told.stderr.split())


def test_command_prints_a_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["plan", "toy", "--effect", "2pp", "-n", "600", "-o", "trial"])

    assert told.exit_code == 0, told.output
    assert "win share by strategy (the widest)\t0.5" in told.stdout
    assert "games/s on one worker" in told.stderr
    assert Path("trial/run.json").is_file()
    seen = CliRunner().invoke(app, ["plan", "trial"])
    assert "smallest effect" in seen.stdout
