"""Biathlon's sections: exact odds, the course, pictures against rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import reports
from reports.games.biathlon import course, race_measures, rulebook, shooting, wax_order
from reports import measures
from reports.measures import array_sums
from simulate import exact, rules
from simulate.games.biathlon import layout

EXACT = {  # spec section 11: X1, X2, X3, X5, X6
    "green": (0.833333, 0.633745, 0.401878, 0.736776, 0.271948),
    "yellow": (1.666667, 1.082305, 0.131687, 0.351166, 0.750343),
    "red": (2.5, 1.5, 0.031250, 0.109375, 1.25),
    "blue": (3.333333, 1.917695, 0.004115, 0.017833, 1.750343),
}


def test_odds_are_those_of_the_specification():
    """Misses, laps, clean visits, and the same with one reroll."""
    for odds in rulebook.shooting_odds(rules.load("biathlon").data):
        found = (odds.misses, odds.laps, odds.clean, odds.clean_reroll, odds.laps_reroll)
        assert found == pytest.approx(EXACT[odds.colour], abs=1e-6)


@pytest.mark.parametrize("name", sorted(rules.load("biathlon").data["layouts"]))
def test_course_is_the_engines_course(name):
    """The report reads run.json, the engine its own model: they agree."""
    loaded = rules.load("biathlon", overrides={"course.layout": name, "tiles.enforce": False})

    assert rulebook.course_rows(loaded.data) == layout.course_rows(loaded.model)


def test_hit_rates_are_sums_of_rows(usual):
    """The fast way and the plain way."""
    facts = reports.open_facts(usual)
    rows = usual.seats.select("shots_by_colour", "hits_by_colour").collect()
    hits = rows["hits_by_colour"].to_numpy().sum(0)
    shots = rows["shots_by_colour"].to_numpy().sum(0)

    rates = shooting.colour_rates(
        array_sums(facts.records, {"shots_by_colour": 4, "hits_by_colour": 4}), 4
    )

    assert [e.value for e in rates] == pytest.approx(list(hits / shots))
    assert [e.n for e in rates] == list(shots)


def test_visits_are_sums_of_rows(usual):
    """Misses by stamina on arrival."""
    facts = reports.open_facts(usual)
    found = race_measures.visits(facts.records, 2, 5)
    rows = usual.seats.select(
        pl.col("misses").arr.get(1).alias("misses"),
        pl.col("stam_at_range").arr.get(1).alias("stamina"),
    ).collect()
    wanted = rows.group_by("stamina").agg(pl.col("misses").cast(pl.Int64).sum()).sort("stamina")

    told = (
        found.filter(pl.col("range") == 2)
        .group_by("stamina")
        .agg(pl.col("misses").sum())
        .sort("stamina")
    )

    assert told["misses"].to_list() == wanted["misses"].to_list()


def test_lead_worth_counts_leaders_of_rows(usual):
    """One game by hand: who had least to go at half-way."""
    facts = reports.open_facts(usual)
    one = race_measures.unfolding(facts, 1)[0]
    games = facts.games_of(facts.main[0])

    assert one.games == min(games, race_measures.sample_blocks(facts) * 4)
    assert one.lead_n[:, 4].sum() == one.games
    assert 0.25 < one.lead_wins[:, 4].sum() / one.games <= 1
    assert one.gap[0, 0] / one.gap_n[0, 0] <= one.gap[3, 0] / one.gap_n[3, 0]


def test_course_frame_tells_every_row(usual):
    """Tallies per race at the row where they happened."""
    facts = reports.open_facts(usual)
    frame = course.course_frame(facts, facts.main[0])
    cells = facts.main[0].cells
    told = usual.tallies.filter(
        pl.col("cell").is_in(list(cells)) & (pl.col("name") == "passes") & (pl.col("index") == 18)
    ).collect()

    assert frame.filter(pl.col("row") == 18)["spaces"][0] == "S"
    assert frame.filter(pl.col("row") == 18)["passes"][0] == pytest.approx(
        told["value"].sum() / facts.games_of(facts.main[0])
    )


def test_figures_work_by_themselves(usual):
    """As in a notebook: every figure draws, every frame is a Polars frame."""
    for section in reports.sections_of(usual):
        for block in section.blocks:
            if hasattr(block, "draw"):
                assert block.draw().axes
                assert isinstance(block.frame, pl.DataFrame)


def test_sums_are_exact(usual):
    """Groups, strata and chunks add up to the rows."""
    facts = reports.open_facts(usual)
    rows = usual.seats.select(pl.col("passes_made").cast(pl.Int64).sum(), pl.len()).collect().row(0)

    assert (facts.seat_sums["passes_made"].sum(), facts.seat_sums["n"].sum()) == rows
    assert facts.game_sums["n"].sum() == facts.n_games
    assert np.isin(facts.game_sums["group"].to_numpy(), range(512)).all()


def test_fast_sums_are_the_plain_sums(usual):
    """The dense tables of the one pass against Polars' group-by, for every column and key."""
    facts = reports.open_facts(usual)
    for kind, keys, fast in (
        ("games", ["group", "stratum"], facts.game_sums),
        ("seats", ["group", "stratum", "seat", "strategy"], facts.seat_sums),
    ):
        frame = exact.with_keys(getattr(usual, kind), usual.plan)
        columns = exact.numeric(getattr(usual, kind).collect_schema())
        plain = exact.sums(frame, keys, columns).collect().sort(keys)
        assert fast.select(plain.columns).equals(plain)


def test_dense_and_plain_counts_agree():
    """Words, flags, nulls and negative numbers as keys."""
    rows = pl.DataFrame(
        {
            "word": pl.Series(["b", "a", "b", None], dtype=pl.Enum(["a", "b"])),
            "flag": [True, False, True, True],
            "number": [-5, 7, -5, None],
            "value": [1, 2, 3, 4],
        }
    )
    keys = ["word", "flag", "number"]
    plain = rows.group_by(keys).agg(pl.len().cast(pl.Int64).alias("n"), pl.col("value").sum())

    found = measures.counted(rows, keys, value=pl.col("value"))

    assert found.sort(keys).equals(plain.sort(keys))


def test_a_token_that_is_worth_something_in_one_slot_is_found_there(make_run):
    """Token 3 in slot 2 makes faster; the plain difference of win shares tells it."""
    run = make_run(n=20_000, drawn_wax=True, token=(3, 1, 0.8))
    facts = reports.open_facts(run)

    picture, said, worth, which = wax_order.blocks(facts, facts.main[0])
    best, second = picture.frame.sort("value", descending=True).to_dicts()[:2]

    assert (best["token"][0], best["slot"]) == ("3", "slot 2")
    assert best["low"] > 0.1
    assert best["q"] < 1e-6
    assert second["value"] < 0.05  # the others lose what this place wins
    assert "token 3" in said.words.split(";")[0]
    first, *others = worth.rows
    assert first["token"].startswith("3")
    assert first["worth"].low > 0.01
    assert first["q"] < 0.001
    assert which.words.startswith("By these numbers one would lay 3")
    assert all(abs(row["drawn"].value) < abs(row["worth"].value) + 0.02 for row in others)
    assert [row["drawn"].value for row in worth.rows] == sorted(
        (row["drawn"].value for row in worth.rows), reverse=True
    )


def test_the_luck_of_the_shots_leaves_win_shares(usual):
    """Less luck stands beside the shares: the same numbers, within their intervals."""
    from reports.sections import seats

    facts = reports.open_facts(usual)
    table = next(b for b in seats.make(facts).blocks if hasattr(b, "rows"))
    names = [c.name for c in table.columns]

    assert [n for n in names if n.startswith("free_")] == [
        n.replace("win_", "free_") for n in names if n.startswith("win_")
    ]
    for row in table.rows:
        for name in (n for n in names if n.startswith("free_")):
            plain = row[name.replace("free_", "win_")]
            assert plain.low <= row[name].value <= plain.high
            assert row[name].clusters == plain.clusters


def test_chosen_tokens_tell_nothing_of_their_worth(usual):
    """Strong styles choose other tokens than weak ones."""
    facts = reports.open_facts(usual)

    assert wax_order.blocks(facts, facts.main[0]) == []
