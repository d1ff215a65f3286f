"""Seat compensation: planted bonuses are found, what one seat gains is taken from the others."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from reports import compensation, estimates
from reports.experiments import compensations
from simulate import registry
from simulate.cli import app
from simulate.errors import PlanError
from simulate.experiments.compensate import _amount, _may_be, compensate

# what one bonus is worth to its seat, and takes from each of the three others
FOUR = 0.03 * np.eye(4) - 0.01 * (1 - np.eye(4))


# ---------------------------------------------------------------- solving


def test_planted_bonuses_are_found_again():
    """Seats that lack what so many bonuses give get so many."""
    wanted = np.array([0.0, 1.0, 2.5, 3.0])
    shares = 0.25 - FOUR @ wanted

    assert compensation.even_bonuses(shares, FOUR) == pytest.approx(wanted, abs=0.02)


def test_even_seats_need_nothing():
    assert compensation.even_bonuses([0.25] * 4, FOUR) == pytest.approx([0] * 4, abs=1e-9)
    assert compensation.whole_bonuses([0.25] * 4, FOUR).tolist() == [0] * 4


def test_the_best_seat_never_gets_one():
    """The same for everybody changes nothing, so somebody has none."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        shares = rng.dirichlet([40] * 4)
        found = compensation.whole_bonuses(shares, FOUR)

        assert compensation.even_bonuses(shares, FOUR).min() == pytest.approx(0, abs=0.1)
        assert found.min() == 0
        assert found[shares.argmax()] == 0


def test_whole_bonuses_leave_the_least():
    """Of whole numbers those that are nearest to even, not those nearest to the exact ones."""
    shares = 0.25 - FOUR @ np.array([0.0, 0.4, 1.6, 2.0])
    found = compensation.whole_bonuses(shares, FOUR)
    far = np.abs(shares + FOUR @ found - 0.25).max()

    for other in np.ndindex(2, 2, 3, 3):
        assert far <= np.abs(shares + FOUR @ np.array(other) - 0.25).max() + 1e-9


def test_a_bonus_that_does_nothing_helps_nobody():
    assert compensation.even_bonuses([0.3, 0.2, 0.25, 0.25], np.zeros((4, 4))).tolist() == [0] * 4


def test_two_seats():
    """What seat 2 gains seat 1 loses, so half the gap is enough."""
    both = np.array([[0.02, -0.02], [-0.02, 0.02]])

    assert compensation.even_bonuses([0.53, 0.47], both) == pytest.approx([0, 1.5], abs=0.01)


# ---------------------------------------------------------------- played


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):  # noqa: ARG001
    """Toy Dash: a space ahead at the start, for each of three seats in turn."""
    folder = tmp_path_factory.mktemp("compensate") / "c"
    return compensate("toy", "head_start=2", 4500, out=folder, jobs=1)


def test_what_the_owner_gains_the_others_lose(done):
    effects = done.compensation.effects[0]

    assert (np.diag(effects) > 0.03).all()
    assert (effects[~np.eye(3, dtype=bool)] < 0).all()
    assert effects.sum(0) == pytest.approx([0, 0, 0], abs=1e-9)


def test_effects_are_those_of_the_records(done):
    import polars as pl

    def share(name, seat):
        rows = done.runs[name].seats.filter(pl.col("seat") == seat)
        return rows.select(pl.col("win_share").mean()).collect().item()

    for given in range(3):
        for seat in range(3):
            expected = share(f"seat{given}", seat) - share("control", seat)
            assert done.compensation.effects[0][seat, given] == pytest.approx(expected, abs=1e-6)


def test_toy_seats_need_hardly_anything(done):
    """Seats of Toy Dash are even: no bonus of a whole space, or one that hardly matters."""
    told = json.loads((done.folder / "experiment.json").read_text())

    assert all(row["bonus"] < 1.5 for row in told["seats"])
    assert told["works"]
    assert min(row["whole"] for row in told["seats"]) == 0
    assert 'id="bonuses"' in (done.folder / "report.html").read_text()


class Uneven(compensations.Compensation):
    """Seat 1 wins six points too often, and a bonus is worth six to its seat."""

    _means = property(lambda self: self._made)  # type: ignore[assignment]

    @property
    def _made(self):
        noise = np.random.default_rng(1).normal(0, 0.002, (1001, 1, 3))
        effect = 0.09 * np.eye(3) - 0.03
        arms = np.array([[0.3933, 0.3033, 0.3033]] * 4)
        arms[1:] += effect
        noise[0] = 0
        return arms[None] + noise


def test_an_uneven_table_is_told_what_it_needs(done):
    c = done.compensation
    told = Uneven(c.control, c.given, None, c.hook, c.meaning, 1, 0.01)
    said = compensations.words(told)

    assert told.whole.tolist() == [0, 1, 1]
    assert "1 to seat 2 and 1 to seat 3" in said[0]
    assert "0.0 points from even" in said[0]
    assert "taken to add up" in said[1]
    assert [e.value for e in told.predicted] == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert told.state == estimates.UNKNOWN  # nothing was played with both


def test_a_bonus_that_may_be_worth_nothing_is_said_so(done):
    c = done.compensation
    idle = replace(c, given=(c.control,) * 3)

    assert not idle.works
    assert "does not surely help" in compensations.words(idle)[0]


def test_any_jobs_give_the_same_files(done, tmp_path):
    again = compensate("toy", "head_start=2", 4500, out=tmp_path / "c", jobs=3)

    for name in ("experiment.json", "report.html"):
        assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--hook", "head"], "there is no treatment 'head'"),
        (["--hook", "dice_shift"], "is no bonus of a seat"),
        (["--hook", "head_start=2", "--players", "2,3"], "one number of players"),
        (["--hook", "head_start=2", "--seating", "fixed"], "--seating rotate"),
        (["--hook", "head_start=99"], "out of bounds"),
    ],
)
def test_what_cannot_be_used_is_told(args, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["compensate", "toy", "--n", "30", *args])

    assert result.exit_code != 0
    assert words in f"{result.output}{result.exception}"


def test_a_drawn_first_seat_makes_all_chairs_alike():
    with pytest.raises(PlanError, match="setup.first=seat1"):
        compensate("biathlon", "stamina_plus", 30, players=4)


@pytest.mark.parametrize("game", registry.names())
def test_amounts_can_be_given_once_or_more(game):
    """A value that says which card or which round is no amount: two of it is not more."""
    hooks = {h.name: h for h in registry.game(game).module("words").TREATMENTS}
    amounts = {name for name, h in hooks.items() if h.amount}

    assert amounts == {
        "biathlon": {"stamina_plus"},
        "skull_canyon": {"fame_gift", "fame_gift_day3", "vp_gift", "vp_gift_day3"},
        "pistengaudi": {"soft_falls"},
    }.get(game, {"head_start"})
    for name in amounts:
        assert hooks[name].low == 1
        assert _amount(hooks[name], {hooks[name].parameter: 4}) == 4


def test_a_card_is_given_once():
    hook = next(
        h for h in registry.game("skull_canyon").module("words").TREATMENTS if h.name == "gear_gift"
    )

    assert _amount(hook, {"gear_gift": 9}) == 1
    assert not _may_be(hook, 2)
