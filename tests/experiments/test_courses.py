"""Layouts side by side: statistics of sums by group, claims, the search, the page."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

from simulate import jit, registry, rules
from simulate.errors import PlanError
from simulate.experiments import arms, courses
from simulate.experiments.courses import GROUPS, Claim, Sums, Told

RNG = np.random.default_rng(3)


def sums(seat_rates, rounds=10.0, drama=2.0, games=200):
    """An arm in which seats win at the given rates, with some luck by group."""
    n = np.full((GROUPS, len(seat_rates)), float(games))
    wins = RNG.binomial(games, seat_rates, size=n.shape).astype(float)
    means = {"rounds": rounds, "truncated": 0.01, "lead_changes": drama}
    columns = {c: games * (m + RNG.normal(0, 0.05, GROUPS)) for c, m in means.items()}
    counts = {c: np.full(GROUPS, float(games)) for c in means}
    styles = (wins[:, :1], n[:, :1])
    return Sums((wins, n), styles, columns, counts, "lead_changes")


# ---------------------------------------------------------------- statistics


def test_mean_of_a_column_is_the_plain_mean():
    arm = sums([0.5, 0.5])

    told = arm.told("length")

    assert told.value == pytest.approx(arm.games["rounds"].sum() / (200 * GROUPS))
    assert told.low < 10 < told.high
    assert told.games == 200 * GROUPS


def test_jackknife_of_a_mean_is_the_textbook_interval():
    values = RNG.normal(0, 1, GROUPS)
    told = courses.jackknife(lambda w: w @ values / w.sum(), np.arange(GROUPS), GROUPS)
    half = 1.99834 * values.std(ddof=1) / np.sqrt(GROUPS)  # Student's t, 63 degrees of freedom

    assert told.high - told.value == pytest.approx(half, rel=1e-4)


def test_no_unfinished_game_is_not_never():
    """None in 200 games leaves room for some; a share is never below nothing."""
    arm = sums([0.5, 0.5], games=4)
    arm.games["truncated"][:] = 0
    none = arm.told("unfinished")
    arm.games["truncated"][0] = 1
    one = arm.told("unfinished")

    assert (none.value, none.low) == (0, 0)
    assert 0.003 < none.high < 0.03
    assert one.low >= 0


def test_gap_of_seats():
    told = sums([0.3, 0.2, 0.25, 0.25]).told("seats")

    assert told.low < 0.1 < told.high
    assert told.value == pytest.approx(0.1, abs=0.02)


def test_the_same_luck_falls_out_of_a_difference():
    """An arm less itself is nothing, exactly."""
    arm = sums([0.5, 0.5])

    for told in arm.measures(arm).values():
        assert (told.value, told.low, told.high) == (0, 0, 0)


def test_one_style_has_no_skill_to_compare():
    assert "skill" not in sums([0.5, 0.5]).measures()


# ---------------------------------------------------------------- claims


@pytest.mark.parametrize(
    ("low", "high", "sign", "state"),
    [
        (0.1, 0.3, 1, "supported"),
        (0.1, 0.3, -1, "contradicted"),
        (-0.3, -0.1, -1, "supported"),
        (-0.3, -0.1, 1, "contradicted"),
        (-0.1, 0.3, 1, "not settled"),
    ],
)
def test_states_of_claims(low, high, sign, state):
    assert courses.state_of(Told((low + high) / 2, low, high, 100), sign) == state


def test_claims_are_judged_as_a_family():
    """More claims, wider intervals."""
    arms_of = {"one": sums([0.5, 0.5], rounds=10), "two": sums([0.5, 0.5], rounds=11)}
    claim = Claim("tip", "is faster", "one", "two", "rounds", -1)

    alone = courses._verdicts([claim], arms_of)[0]
    among = courses._verdicts([claim] * 20, arms_of)[0]

    assert alone.state == among.state == "supported"
    assert among.effect.high - among.effect.low > alone.effect.high - alone.effect.low


@pytest.mark.parametrize("game", sorted(courses.TIPS))
def test_claims_name_what_there_is(game):
    """Every layout and column of a claim exists; arms with an overlay are other rules."""
    columns = {c.name for c in registry.game(game).module("state").GAME_COLUMNS} | {"rounds"}
    rows = courses._tip_rows(game, rules.load(game), 1)

    for claim in courses.TIPS[game]:
        assert {claim.arm, claim.other} <= set(rows)
        assert claim.column in columns | set(courses.WORDS)
        assert rows[claim.arm].digest != rows[claim.other].digest


# ---------------------------------------------------------------- the search


class Dealt:
    """A table whose arms are dealt: the seed that searches flatters, the fresh one does not."""

    seed = 1

    def play(self, rows, folder, shift=0, **how):
        return {name: (name, shift) for name in rows}


def test_the_winner_is_judged_on_fresh_seeds(monkeypatch, tmp_path):
    base = rules.load("pistengaudi")
    drawn = rules.with_layouts(base, "random*3", 1)
    lucky = drawn[1].vocabularies["layouts"][0]
    made = {}

    def dealt(run):
        name, shift = run
        drama = 5.0 if name == lucky and not shift else 2.0
        return made.setdefault(run, sums([0.5, 0.5], drama=drama))

    monkeypatch.setattr(Sums, "of", staticmethod(dealt))
    found = courses._search(Dealt(), base, "drama", 3, tmp_path, {})

    assert (found.layout, found.tries) == (lucky, 3)
    assert found.optimism == pytest.approx(3, abs=0.1)
    assert found.gain.low < 0.1
    assert found.gain.high > -0.1


# ---------------------------------------------------------------- the command


def test_what_cannot_be_asked_is_said():
    with pytest.raises(PlanError, match="--search"):
        courses.courses("biathlon", "starter", 10, search="luck")
    with pytest.raises(PlanError, match="--tips"):
        courses.courses("pistengaudi", "open_slope", 10, tips=True)


def test_the_command_is_there():
    from simulate.cli import app

    told = CliRunner().invoke(app, ["courses", "--help"])

    assert told.exit_code == 0
    assert "--search" in told.output


@pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")
def test_layouts_are_played_and_shown(tmp_path):
    done = courses.courses(
        "biathlon", "starter,flat_short", 400, search="drama", tries=2, out=tmp_path / "courses",
        lineup="pacer,drafter,finisher,blocker",
    )  # fmt: skip
    told = arms.read(done.folder)
    page = done.page.read_text()

    assert told["arms"] == ["starter", "flat_short"]
    assert set(done.measures["starter"]) == set(courses.WORDS)
    assert told["search"]["layout"] == done.found.layout
    assert all(word in page for word in ("Layouts side by side", "The search", done.found.layout))


@pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")
def test_boards_are_compared_with_a_picture_of_each(tmp_path):
    done = courses.courses(
        "skull_canyon", "canyon_34,wide_bowl_34", 200, out=tmp_path / "boards", players=4,
        lineup="racer,groomer,random,socialite",
    )  # fmt: skip
    page = done.page.read_text()

    assert list(done.measures) == ["canyon_34", "wide_bowl_34"]
    assert "Picture of the layout canyon_34" in page
    assert "Picture of the layout wide_bowl_34" in page
    assert "the wider a line" in page
