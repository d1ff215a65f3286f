"""Sweeps: points, responses on the same dice, targets, main effects, bad input."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from reports import estimates
from reports.experiments import response
from simulate import api
from simulate.cli import app
from simulate.errors import PlanError
from simulate.experiments import points
from simulate.experiments.sweep import sweep

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):
    """Walking one to four spaces."""
    return sweep(
        "toy", "move.walk", ["1,2,3,4"], n=1500, target=["rounds=6", "win_rate:walker=0.99"],
        out=tmp_path_factory.mktemp("sweep") / "walk", jobs=1,
    )  # fmt: skip


def of(done, label):
    return next(r for r in done.responses if r.first.label == label)


def test_all_points_are_one_run_on_the_same_dice(done):
    plan = done.run.plan

    assert len(plan.rules) == 4
    assert plan.k == 4 * 3
    assert plan.n == 4 * 1500


def test_points_equal_runs_of_their_own(done, tmp_path):
    """A point of a sweep is what a run with that rule alone plays."""
    alone = api.run("toy", 1500, set=["move.walk=3"], equal=False, out=tmp_path / "alone", jobs=1)
    wanted = alone.games.collect()["rounds"].mean()

    assert of(done, "rounds").means[2] == pytest.approx(wanted, abs=1e-12)


def test_responses_go_the_right_way(done):
    rounds, walker = of(done, "rounds").means, of(done, "win share, strategy walker").means

    assert (np.diff(rounds) < 0).all()
    assert walker[3] > walker[0] + 0.2


def test_target_is_met_where_the_curve_says(done):
    met, missed = done.solutions
    means = of(done, "rounds").means

    assert met.met
    assert met.monotone
    assert met.low < met.value < met.high
    at = 2 + (means[1] - 6) / (means[1] - means[2])
    assert met.value == pytest.approx(at)
    assert not missed.met
    assert "No value tried" in json.dumps(done.sweep.told()["targets"])


def test_reference_is_the_default_rule(done):
    assert done.sweep.default
    assert done.sweep.labels[done.sweep.reference] == "move.walk = 2"


def test_a_rule_without_effect_is_exactly_zero(tmp_path):
    flat = sweep("toy", {"sim.max_rounds": [40, 60, 90]}, n=1200, out=tmp_path / "flat", jobs=1)

    assert set(flat.frame["difference"]) == {0.0}
    assert set(flat.frame["verdict"]) == {"same", "reference"}


def test_any_jobs_give_the_same_files(done, tmp_path):
    again = sweep(
        "toy", {"move.walk": [1, 2, 3, 4]}, n=1500, target=["rounds=6", "win_rate:walker=0.99"],
        out=tmp_path / "walk", jobs=3,
    )  # fmt: skip

    for name in ("experiment.json", "report.html"):
        assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()


def test_several_keys_make_a_grid_with_main_effects(tmp_path):
    grid = sweep(
        "toy", ["move.walk=2,3", "track.length=15:25:5"], n=300, out=tmp_path / "g", jobs=1
    )
    effects, fit = response.main_effects(of(grid, "rounds"), grid.sweep.places, grid.sweep.keys)

    assert len(grid.sweep.points) == 6
    assert effects["track.length"].low > 1.5
    assert effects["move.walk"].high < 0
    assert fit > 0.9
    assert (grid.folder / "data" / "main-effects.csv").is_file()


def test_sobol_points_are_spread_and_always_the_same():
    axes = points.axes(["a.b=1:8", "c.d=0.0:1.0", "e.f=x,y"], drawn=True)
    some = points.sobol(axes, 16, seed=3)

    assert some == points.sobol(axes, 16, seed=3)
    assert some != points.sobol(axes, 16, seed=4)
    assert {p["a.b"] for p in some} == set(range(1, 9))
    assert {p["e.f"] for p in some} == {"x", "y"}
    assert max(p["c.d"] for p in some) > 0.9
    assert min(p["c.d"] for p in some) < 0.1


def test_sobol_sweep(tmp_path):
    drawn = sweep(
        "toy", ["move.walk=1:4", "track.length=15:30"], sobol=8, n=150, out=tmp_path / "s", jobs=1
    )

    assert 2 <= len(drawn.sweep.points) <= 8
    assert (drawn.folder / "report.html").is_file()


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ((["a=2,3"],), [(2, 3)]),
        ((["a"], ["2, 3.5,x"]), [(2, 3.5, "x")]),
        ((["a"], (), ["1:7:2"]), [(1, 3, 5, 7)]),
        ((["a"], (), ["0.1:0.3:0.1"]), [(0.1, 0.2, 0.3)]),
        ((["a=[1,2],[3]", "b=true,false"],), [([1, 2], [3]), (True, False)]),
        ((["a", "b=1:2:1"], ["5,6"]), [(5, 6), (1, 2)]),
    ],
)
def test_values_are_read(given, values):
    assert [axis.values for axis in points.axes(*given)] == values


# ---------------------------------------------------------------- curves


def test_monotone_pools_what_goes_back():
    fitted, rising = estimates.monotone([1.0, 3.0, 2.0, 5.0], [1, 1, 1, 1])

    assert rising
    assert fitted.tolist() == [1.0, 2.5, 2.5, 5.0]
    assert estimates.monotone([5.0, 2.0, 3.0], [1, 1, 1])[0].tolist() == [5.0, 2.5, 2.5]


@pytest.mark.parametrize(
    ("curve", "target", "x"),
    [
        ([0.0, 1.0, 2.0], 0.5, 0.5),
        ([0.0, 1.0, 1.0], 1.0, 1.5),
        ([2.0, 1.0, 0.0], 1.5, 0.5),
        ([0.0, 1.0, 2.0], 3.0, math.inf),
        ([0.0, 1.0, 2.0], -1.0, -math.inf),
        ([2.0, 1.0, 0.0], 3.0, -math.inf),
        ([2.0, 1.0, 0.0], -1.0, math.inf),
    ],
)
def test_crossing(curve, target, x):
    assert estimates.crossing([0, 1, 2], curve, target) == x


def test_crossing_of_a_flat_curve_is_nowhere():
    assert math.isnan(estimates.crossing([0, 1], [1.0, 1.0], 2.0))


@pytest.mark.slow
def test_intervals_of_targets_cover():
    """Planted: y = x + noise, the target is met at 2.5; the interval holds it in 95 % of trials."""
    from types import SimpleNamespace

    rng = np.random.default_rng(5)
    target = response.Target("y", "", 2.5, "y=2.5")
    held = 0
    for _ in range(300):
        at = tuple(
            SimpleNamespace(
                sums=(x + rng.normal(0, 3, 200)) * 5, counts=np.full(200, 5.0), label="y", players=3
            )
            for x in (1, 2, 3, 4)
        )
        found = response.solve(response.Response(at), (1, 2, 3, 4), target)
        held += found.low <= 2.5 <= found.high
    assert 270 <= held <= 297


# ---------------------------------------------------------------- input


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "--key"),
        (["--key", "move.walk"], "needs its --values"),
        (["--key", "move.walk", "--values", "2,99"], "move.walk"),
        (["--key", "move.wolk", "--values", "2,3"], "move.wolk"),
        (["--key", "move.walk", "--values", "2"], "at least two"),
        (["--key", "move.walk", "--range", "3:1:1"], "goes nowhere"),
        (["--key", "move.walk", "--range", "1:3"], "needs a step"),
        (["--key", "move.walk", "--range", "a:b:c"], "is no range"),
        (["--key", "move.walk=2,3", "--key", "move.walk=4,5"], "given twice"),
        (["--key", "move.walk=2,3", "--target", "win"], "is no target"),
        (["--key", "move.walk=2,3", "--target", "win_rate:seat9=0.5"], "the seats are seat0 to seat2"),
        (["--key", "move.walk=2,3", "--target", "speed=5"], "there is no 'speed'"),
        (["--key", "move.walk=2,3", "--key", "track.length=9,12", "--target", "rounds=5"], "one --key"),
        (["--key", "move.walk=1:3", "--sobol", "1"], "--sobol"),
        (["--key", "move.walk=2,3", "--course", "short,long"], "one course"),
        (["--key", "move.walk=2,3", "--measure", "speed"], "there is no 'speed'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_message(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["sweep", "toy", "-n", "30", *args])

    assert told.exit_code == 2, told.output
    assert words in " ".join(told.stderr.split())
    assert "Traceback" not in told.output


def test_command_prints_the_points_and_the_target(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(
        app,
        ["sweep", "toy", "--key", "move.walk", "--range", "1:4:1", "-n", "600", "--target",
         "rounds=6", "--out", "x"],
    )  # fmt: skip

    assert told.exit_code == 0, told.output
    assert "move.walk = 3\trounds\t3 players" in told.stdout
    assert "gives rounds=6" in told.stdout
    assert Path("x/report.html").is_file()


def test_read_target_knows_percent():
    assert response.read_target("win_rate : seat0 = 25%").value == 0.25
    with pytest.raises(PlanError):
        response.read_target("win_rate:seat0")
