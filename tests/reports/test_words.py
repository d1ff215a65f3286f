"""What the report says, and what it does not say."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import polars as pl
import pytest

import reports
from reports import figures, look, render, wording
from reports.estimates import Estimate
from reports.facts import section_modules
from reports.section import Column, Text


def verdicts_of(run):
    """Verdicts by the first word of their id."""
    facts = reports.open_facts(run)
    made = [m.verdicts(facts) for m in section_modules("biathlon") if hasattr(m, "verdicts")]
    return {v.id.split("-")[0]: v for found in made for v in found}


def first_screen(html: str) -> str:
    """The text of the verdict screen."""
    part = html[html.index('<section id="verdicts"') :]
    return re.sub(r"<[^>]+>", " ", part[: part.index("</section>")])


# ---------------------------------------------------------------- verdicts


def test_verdicts_have_number_interval_game_and_styles(usual, usual_html):
    """Everything a verdict must carry."""
    verdicts = verdicts_of(usual)

    assert set(verdicts) >= {"seats", "strategies", "nation"}
    for verdict in verdicts.values():
        assert verdict.state in ("fair", "unfair", "unknown")
        assert re.match(r"[\d.]+%", verdict.number)
        assert "–" in verdict.interval
        assert verdict.n > 0
        assert verdict.example is not None
        assert len(verdict.holds_for) == 8
        assert verdict.bar is not None
    screen = first_screen(usual_html)
    assert "Not even" in screen
    assert "Drafter wins most" in screen
    assert "simulate replay runs/synthetic" in screen
    for style in ("pacer", "front runner", "opportunist"):
        assert style in screen


def test_the_stronger_style_is_found(usual):
    """A strength of 0.25 sd is some seven points of win share."""
    verdicts = verdicts_of(usual)

    assert verdicts["strategies"].state == "unfair"
    assert verdicts["strategies"].headline.startswith("Drafter")


def test_a_fair_start_order_is_called_fair(make_run):
    """With enough games, and only then."""
    verdicts = verdicts_of(make_run(n=200_000, equal=True))

    assert verdicts["seats"].state == "fair"
    assert verdicts["strategies"].state in ("fair", "unknown")


@pytest.mark.parametrize(
    "shape",
    [
        {"n": 50},
        {"n": 3_000, "strength": {"drafter": 0.25}},
        {"n": 20_000, "seat_effect": 0.2, "nation_effect": 0.3},
        {"n": 60_000, "equal": True},
    ],
)
def test_every_sentence_comes_to_its_end(make_run, shape):
    """Verdicts in all states and paragraphs of all sections: no sentence is cut off."""
    report = reports.collect(make_run(**shape))
    told = [words for v in report.verdicts for words in (v.headline, v.detail)]
    told += [words for one in report.sections for words in (one.text, one.help)]
    told += [b.words for one in report.sections for b in one.blocks if isinstance(b, Text)]

    assert [words for words in told if words and words.rstrip("`)*")[-1] not in ".?!:"] == []


def test_an_unfair_start_order_is_called_unfair(make_run):
    """Acting first is worth five points here."""
    verdicts = verdicts_of(make_run(n=20_000, seat_effect=0.2))

    assert verdicts["seats"].state == "unfair"
    assert verdicts["seats"].headline.startswith("Whoever acts 1st in round 1 wins")


def test_fifty_games_are_not_enough(make_run):
    """No guess from 50 games, even where one style won most of them."""
    run = make_run(n=50, strength={"drafter": 3.0})
    verdicts = verdicts_of(run)

    assert {v.state for v in verdicts.values()} == {"unknown"}
    screen = first_screen(reports.build(run).read_text())
    assert "Not enough games" in screen
    assert "Fair" not in screen.split()
    assert "Not fair" not in screen
    assert "Not even" not in screen


def test_one_game_makes_a_report(make_run):
    """Nothing can be said, and nothing breaks."""
    run = make_run(n=1)
    verdicts = verdicts_of(run)
    reports.build(run)

    assert {v.state for v in verdicts.values()} == {"unknown"}


def test_truncated_games_only(make_run):
    """All games cut off: no winner, no length, no guess."""
    run = make_run(n=2000, truncated=1.0)
    verdicts = verdicts_of(run)

    assert verdicts["seats"].state == "unknown"
    assert verdicts["strategies"].state == "unknown"
    assert verdicts["unfinished"].state == "unfair"
    html = reports.build(run).read_text()
    assert "Every game was cut off by the limit: nothing else can be said." in first_screen(html)
    assert "No game had a winner" in first_screen(html)


def test_nobody_knows_the_middle_of_games_that_were_cut_off(make_run):
    """More than half still went on at the limit: no number of rounds is the middle one."""
    html = reports.build(make_run(n=2000, truncated=0.6)).read_text()

    assert "at least" in first_screen(html)
    assert "half of the games or more were cut off" in first_screen(html)


def test_some_truncated_games_forbid_a_fair_verdict(make_run):
    """Five percent without an end could hide more than a point."""
    verdicts = verdicts_of(make_run(n=200_000, truncated=0.05))

    assert verdicts["seats"].state == "unknown"
    assert "cut off" in verdicts["seats"].detail


def test_one_strategy_gives_no_strategy_verdict(make_run):
    """Seats can be judged, styles cannot."""
    run = make_run(n=20_000, strategies=("pacer",), equal=False)
    verdicts = verdicts_of(run)

    assert verdicts["strategies"].state == "unknown"
    assert verdicts["strategies"].headline == "Not enough to say: only pacer was played."
    assert verdicts["seats"].state != "unfair"


def test_fixed_seats_give_no_seat_verdict_from_the_line_up(make_run):
    """Where styles keep their seats, seats and styles are the same thing."""
    run = make_run(n=20_000, equal=False, seating="fixed")
    verdicts = verdicts_of(run)

    assert verdicts["seats"].state == "unknown"
    assert "not mixed" in verdicts["seats"].headline


def test_nations_that_are_not_drawn_have_no_share(make_run):
    """A nation that good styles choose would look good."""
    from reports.sections import factors

    run = make_run(n=2000)
    for row in run.identity["rules"]:
        row["model"]["nations"]["assign"] = "chosen"
    facts = reports.open_facts(run)
    section = factors.make(facts)

    assert factors.verdicts(facts) == []
    assert "not dealt by lot" in section.blocks[0].words


def test_changed_rules_stand_on_the_first_screen(make_run):
    """Every one of them, with its default."""
    run = make_run(
        n=500, changed=(("range.lap_length", 4, 3), ("rules.draft_path", "copy", "track"))
    )
    screen = first_screen(reports.build(run).read_text())

    assert re.search(r"range\.lap_length\s+=\s+4\s+instead of 3", screen)
    assert re.search(r"rules\.draft_path\s+=\s+copy\s+instead of track", screen)


def test_default_rules_are_said_to_be_so(usual_html):
    """No change is said, not left blank."""
    assert "No rule: these are the default rules" in first_screen(usual_html)


# ---------------------------------------------------------------- trust


def test_a_sound_run_passes_all_checks(usual):
    """Conservation, symmetry, homogeneity, dice."""
    report = reports.collect(usual)
    checks = next(s for s in report.sections if s.id == "trust").blocks[0].checks

    assert len(checks) >= 8
    assert [c.name for c in checks if c.passed is not True] == []


@pytest.mark.parametrize(
    ("column", "value", "name"),
    [
        ("win_share", pl.lit(1.0, pl.Float32), "Win shares add up"),
        ("rank", pl.lit(2.0, pl.Float32), "Ranks add up"),
    ],
)
def test_a_damaged_run_fails_its_check(usual, column, value, name):
    """Two winners in a game do not go unseen."""
    from reports.sections import trust

    class Damaged:
        """The run with one seat of one game changed."""

        def __getattr__(self, attribute):
            found = getattr(usual, attribute)
            if attribute != "seats":
                return found
            here = (pl.col("game_id") == 77) & (pl.col("seat") < 2)
            return found.with_columns(pl.when(here).then(value).otherwise(column).alias(column))

    failed = [c.name for c in trust.conservation(reports.open_facts(Damaged())) if not c.passed]
    assert failed == [name]


def test_a_run_that_changes_half_way_fails_homogeneity(usual):
    """A worker that plays other games than the others is found."""
    from reports.sections import trust

    class Drifting:
        """Games of the second half are longer."""

        def __getattr__(self, attribute):
            found = getattr(usual, attribute)
            if attribute != "games":
                return found
            late = pl.col("game_id") > 15_000
            return found.with_columns((pl.col("rounds") + late.cast(pl.Int32)).alias("rounds"))

    failed = [c.name for c in trust.homogeneity(reports.open_facts(Drifting())) if not c.passed]
    assert failed == ["Parts of the run agree", "A/A: the two halves agree"]


# ---------------------------------------------------------------- numbers


def test_every_interval_of_a_table_holds_its_value(usual):
    """And says on how many games it rests."""
    report = reports.collect(usual)
    seen = 0
    for section in report.sections:
        for block in section.blocks:
            for row in getattr(block, "rows", []):
                for cell in row.values():
                    if isinstance(cell, Estimate) and cell.n:
                        assert cell.low <= cell.value <= cell.high
                        seen += 1
    assert seen > 150


def test_replays_point_at_games_that_show_it(usual):
    """The claims of examples hold in the records."""
    reports.build(usual)
    claims = pl.read_csv(usual.path / "data" / "replays.csv", infer_schema_length=None)
    games, seats = usual.games.collect(), usual.seats.collect()

    assert len(claims) > 8
    for claim in claims.iter_rows(named=True):
        rows = games if claim["seat"] is None else seats.filter(pl.col("seat") == claim["seat"])
        found = rows.filter(pl.col("game_id") == claim["game_id"])[claim["column"]][0]
        assert str(found).lower() == claim["value"].lower() or float(found) == float(claim["value"])
        assert claim["command"] == f"simulate replay runs/synthetic {claim['game_id']}"


@pytest.mark.parametrize(
    ("half", "digits"), [(0.05, 2), (0.3, 1), (3.0, 0), (30.0, 0), (0.0, 1), (float("nan"), 1)]
)
def test_digits_follow_the_interval(half, digits):
    """No digit that the interval does not carry."""
    assert wording.digits_for(half) == digits


def test_an_interval_below_nothing_has_no_row_of_dashes():
    """\u2212247–\u2212183 reads as a sum: from a negative number on, an ellipsis parts the ends."""
    below = Estimate(-0.215, -0.247, -0.183, 900, 300, 0.02)
    above = Estimate(0.2, 0.1, 0.3, 900, 300, 0.05)

    assert wording.interval_of(below.scaled(1000)) == "\u2212247 … \u2212183"
    assert wording.percent_interval(below) == "\u221225 … \u221218%"
    assert wording.interval_of(above) == "0.10–0.30"
    for kind in ("interval", "interval_percent", "interval_points"):
        cell = render._estimate_cell(Column("x", "X", kind), below)
        assert "–" not in cell["ci"]
        assert " … " in cell["ci"]


@pytest.mark.parametrize(("x", "whole"), [([1.0, 2.0, 3.0, 4.0], True), ([1.0, 1.25, 1.5], False)])
def test_whole_numbers_have_no_half_steps_between_them(x, whole):
    """Nobody plays a lap of 2.5 steps."""
    figure = figures.lines(pl.DataFrame({"x": x, "series": "rounds", "value": x}))
    shown = [float(t) for t in figure.axes[0].get_xticks() if x[0] <= t <= x[-1]]
    plt.close(figure)

    assert all(tick.is_integer() for tick in shown) == whole


def test_axes_have_a_true_minus():
    """A hyphen before a number is no minus."""
    _, axes = plt.subplots()
    look.percent_axis(axes)
    assert axes.xaxis.get_major_formatter()(-0.08, 0) == "\u22128%"
    plt.close()


def test_words_for_numbers():
    """Small things that a reader trips over."""
    assert wording.percent(0.2731) == "27.3%"
    assert wording.points(-0.012) == "\u22121.2 points"
    assert wording.count(1234567.2) == "1,234,567"
    assert wording.listing(["a", "b", "c"]) == "a, b and c"
    assert [wording.ordinal(i) for i in (1, 2, 3, 4, 11, 12, 21)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "21st",
    ]
    assert wording.rounded(123456) == 120000
    assert wording.p_value(0.00001).endswith("0.001")


def test_a_difference_of_shares_is_told_in_points() -> None:
    """A gain of 16 % of all wins would be a part of something else."""
    gain = Estimate(0.165, 0.117, 0.213, 400, 100, 0.024)
    cell = render._estimate_cell(Column("x", "X", "interval_points"), gain)

    assert (cell["text"], cell["ci"]) == ("16 pp", "12–21")
    assert render._estimate_cell(Column("x", "X", "interval_percent"), gain)["text"] == "16%"
