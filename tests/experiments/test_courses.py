"""Layouts side by side: statistics of sums by group, claims, the search, the page."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

from reports import estimates
from reports.experiments import layouts
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
    assert found.shrunken == pytest.approx(5, abs=0.1)  # far beyond luck: only fresh seeds tell
    assert found.gain.low < 0.1
    assert found.gain.high > -0.1


# ---------------------------------------------------------------- properties of layouts


def measured(value, se=0.01):
    return estimates.Estimate(value, value - 2 * se, value + 2 * se, 4000, GROUPS, se)


def planted(layouts=24, seed=5):
    """Layouts whose length makes games longer and whose hills make them unfair, and luck."""
    rng = np.random.default_rng(seed)
    features, measures = {}, {}
    for i in range(layouts):
        rows, hills, ranges = rng.integers(30, 60), rng.uniform(0, 0.3), rng.integers(1, 4)
        features[f"l{i}"] = {"Rows": float(rows), "Hills": hills, "Ranges": float(ranges)}
        features[f"l{i}"]["Lanes"] = 2.0
        measures[f"l{i}"] = {
            "length": measured(10 + 0.3 * rows + rng.normal(0, 0.5)),
            "seats": measured(0.05 + 0.4 * hills + rng.normal(0, 0.01)),
            "skill": measured(0.3 + rng.normal(0, 0.01)),
        }
    return features, measures


def test_properties_that_matter_are_found_and_no_others():
    found = layouts.surface(*planted())

    assert set(found.sure) == {("Rows", "length"), ("Hills", "seats")}
    assert "Lanes" not in found.effects  # the same everywhere
    low, high = found.ends["Rows"]
    effect = found.effects["Rows"]["length"]
    assert effect.low < 0.3 * (high - low) < effect.high
    assert found.explained["length"] > 0.9 > found.explained["skill"]


def test_intervals_of_properties_hold():
    """The hills' effect on fairness, per unit of hills, in 95 % of draws."""
    held = []
    for seed in range(300):
        found = layouts.surface(*planted(12, seed))
        low, high = found.ends["Hills"]
        e = found.effects["Hills"]["seats"]
        held.append(e.low <= 0.4 * (high - low) <= e.high)

    assert 0.92 < np.mean(held) < 0.98


def test_too_few_or_alike_layouts_have_no_plane():
    features, measures = planted(6)
    assert layouts.surface(features, measures) is None  # 3 properties need 7
    alike = {name: dict.fromkeys(row, 1.0) for name, row in features.items()}
    assert layouts.surface(alike, measures) is None
    assert layouts.surface({}, {}) is None


def test_properties_that_go_together_are_not_told_apart():
    features, measures = planted()
    rng = np.random.default_rng(1)
    for shaken in (0.0, 0.5):
        twins = {
            k: {**v, "Double": 2 * v["Rows"] + shaken * rng.normal()} for k, v in features.items()
        }
        found = layouts.surface(twins, measures)
        page = layouts.section(found, [], courses.WORDS, "")
        said = next(b.words for b in page.blocks if hasattr(b, "words"))

        for name in ("Rows", "Double"):
            assert all(np.isnan(e.value) for e in found.effects[name].values())
        assert found.sure == [("Hills", "seats")]  # what stands alone is still found
        assert "Rows and Double: in these layouts they go along with other properties" in said


def test_best_of_each_length_is_less_lucky_than_it_looks():
    lengths = dict.fromkeys([f"s{i}" for i in range(6)], 40.0) | {"long": 60.0}
    rng = np.random.default_rng(2)
    measures = {k: {"seats": measured(0.1 + rng.normal(0, 0.01))} for k in lengths}
    best = layouts.best_of_each_length(lengths, measures)

    assert [(b.length, b.measure, b.among) for b in best] == [(40.0, "seats", 6)]
    assert best[0].value.value > measures[best[0].layout]["seats"].value


@pytest.mark.parametrize("game", ["biathlon", "pistengaudi"])
def test_properties_of_shipped_and_random_layouts(game):
    """Numbers by name; what is spread evenly counts 1, what follows at once little."""
    from reports.measures import own

    module = own(game, "features")
    rows = rules.with_layouts(rules.load(game), "all", 1)
    rows += rules.with_layouts(rules.load(game), "random*3", 1)
    told = {
        r.vocabularies["layouts"][0]: module.features(
            r.model.model_dump(mode="json", exclude_none=True)
        )
        for r in rows
    }

    assert len({tuple(row) for row in told.values()}) == 1
    assert all(np.isfinite(v) for row in told.values() for v in row.values())
    if game == "biathlon":
        spread = {name: row["Ranges spread out"] for name, row in told.items()}
        assert spread["starter"] > spread["ranges_adjacent"]
        assert told["hills_together"]["Uphill, share of rows"] == pytest.approx(
            told["hills_apart"]["Uphill, share of rows"]
        )
        assert told["long_four"]["Ranges"] == 4
        assert (
            told["ranges_late"]["Rows from the last range to the finish"]
            < told["ranges_early"]["Rows from the last range to the finish"]
        )


def test_the_best_of_layouts_that_are_all_alike_is_shrunk_to_the_rest():
    """Sixteen layouts with the same drama: what the best one seems to have more is luck."""
    tried = {f"random-{i}": sums([0.5, 0.5], drama=2.0) for i in range(16)}
    values = {name: one.told("drama").value for name, one in tried.items()}
    best = max(values, key=values.get)
    mean = np.mean(list(values.values()))

    found = courses.shrunken(tried, "drama")[best]

    assert values[best] - mean > 0.005
    assert abs(found - mean) < 0.4 * (values[best] - mean)


def test_a_layout_that_is_surely_better_is_not_shrunk():
    tried = {f"random-{i}": sums([0.5, 0.5], drama=2.0 + i) for i in range(4)}

    assert courses.shrunken(tried, "drama")["random-3"] == pytest.approx(5, abs=0.06)


def test_luck_that_all_layouts_share_does_not_shrink():
    """The same dice move all layouts alike; only what they have of their own is error."""
    luck = RNG.normal(0, 3, GROUPS)
    tried = {}
    for i in range(4):
        tried[f"random-{i}"] = one = sums([0.5, 0.5], drama=2.0 + i / 5)
        one.games["lead_changes"] += 200 * luck

    values = [one.told("drama").value for one in tried.values()]
    assert list(courses.shrunken(tried, "drama").values()) == pytest.approx(values, abs=0.03)


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


# ---------------------------------------------------------------- layouts of a table's size


def test_without_a_name_every_board_that_fits_the_players_is_compared():
    assert courses._for_players("skull_canyon", {"players": 2}) == "all_2"
    assert courses._for_players("skull_canyon", {"players": "3,4"}) == "all_34"
    with pytest.raises(PlanError, match="give one with --players"):
        courses._for_players("skull_canyon", {"players": "all"})


def test_shares_of_a_page_are_percent_and_nothing_is_no_column():
    arm = {
        "seats": Told(0.08, -0.005, 0.165, 200),
        "length": Told(21.1, 20.8, 21.5, 200),
        "unfinished": Told(0.0, 0.0, 0.0, 200),
    }
    table = courses._measure_table("t", {"starter": arm}, "")

    assert {c.name: c.kind for c in table.columns}["seats"] == "interval_percent"
    assert "unfinished" not in {c.name for c in table.columns}
    cut = {**arm, "unfinished": Told(0.01, 0.0, 0.02, 200)}
    assert "unfinished" in {
        c.name for c in courses._measure_table("t", {"starter": cut}, "").columns
    }
    assert courses._finished({"starter": cut}) == ""
