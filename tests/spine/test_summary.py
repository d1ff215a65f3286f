"""A summary run tells the same tables as a full one, and its numbers are those of the reports."""

from __future__ import annotations

import polars as pl
import pytest

from simulate import exact, precision, session, store, summary
from simulate.errors import PlanError, StoreError
from simulate.experiments import arms
from simulate.request import Request

pytestmark = pytest.mark.usefixtures("small_shards")


@pytest.fixture
def runs(plan, tmp_path):
    """The same games, with and without rows."""
    full = session.play(plan(), tmp_path / "full")
    short = session.play(plan(records="summary"), tmp_path / "summary", jobs=2)
    return full, short


@pytest.mark.parametrize("name", [*summary.KEYS, "notable_games", "notable_seats", "tallies"])
def test_summary_equals_full(runs, name):
    full, short = runs

    assert getattr(full.summary, name).equals(getattr(short.summary, name))


def test_sums_are_those_of_the_rows(runs):
    full, short = runs
    seats = full.seats.collect()
    table = short.summary.seat_sums

    assert table["n"].sum() == seats.height
    assert table["walks"].sum() == seats["walks"].sum()
    assert table["win_share"].sum() == 3000 * exact.WIN_SCALE
    arrays = short.summary.array_sums
    assert arrays["faces.0"].sum() == sum(row[0] for row in seats["faces"].to_list())
    assert arrays["space_round.4:n"].sum() == seats["space_round"].arr.get(4).count()
    rounds = short.summary.histograms.filter(pl.col("column") == "rounds")
    assert (rounds["value"] * rounds["n"]).sum() == full.games.collect()["rounds"].sum()


def test_sums_are_those_of_the_reports(runs):
    measures = pytest.importorskip("reports.measures")
    full, short = runs
    records = measures.Records(full)
    seats = measures.run_jobs(
        records,
        "seats",
        {"sums": measures.seat_sums(records), "duels": measures.head_to_head(records)},
    )
    games = measures.run_jobs(records, "games", {"sums": measures.game_sums(records)})

    assert seats["sums"].equals(short.summary.seat_sums)
    assert games["sums"].equals(short.summary.game_sums)
    duels = seats["duels"].sort("group", "stratum", "strategy", "rival")
    wanted = short.summary.head_to_head.filter(pl.col("strategy") != pl.col("rival"))
    assert duels.filter(pl.col("strategy") != pl.col("rival")).equals(wanted)


def test_summary_keeps_no_rows(runs):
    with pytest.raises(StoreError, match="--records summary"):
        _ = runs[1].games
    assert runs[1].verify() == []
    assert set(runs[1].columns("games")) == set(runs[0].columns("games"))


def test_notable_games_hold_the_extremes(runs):
    full, short = runs
    games = full.games.collect()

    assert short.summary.notable_games["rounds"].max() == games["rounds"].max()
    assert short.summary.notable_games["gap"].min() == games["gap"].min()


# ---------------------------------------------------------------- precision


@pytest.fixture
def first_look(monkeypatch):
    monkeypatch.setattr(precision, "FIRST_LOOK", 250)


@pytest.mark.usefixtures("first_look")
@pytest.mark.parametrize("records", ["full", "summary"])
def test_precision_stops_at_the_same_n_however_it_gets_there(plan, tmp_path, records):
    wanted = precision.target("win_rate=2.5pp")
    made = plan(1, records=records)
    straight = precision.play(made, tmp_path / "a", wanted, most=40_000, jobs=1)
    count = 0

    class Impatient(session.Silent):
        def tick(self, games):
            nonlocal count
            count += games
            if count > 1800:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        precision.play(made, tmp_path / "b", wanted, most=40_000, jobs=1, progress=Impatient())
    resumed = precision.play(made, tmp_path / "b", wanted, most=40_000, jobs=3)

    assert straight.plan.n == resumed.plan.n
    assert straight.identity == resumed.identity
    assert straight.plan.blocks in (500, 1000, 2000, 4000)
    assert "precision reached" in store.open_run(tmp_path / "a").measured["stopped"]


@pytest.mark.usefixtures("first_look")
def test_precision_stops_at_the_cap_and_says_so(plan, tmp_path):
    run = precision.play(plan(1), tmp_path / "a", precision.target("win_rate=0.01pp"), most=3001)

    assert run.plan.n == 3000
    assert "--max-n" in run.measured["stopped"]


@pytest.mark.usefixtures("first_look")
def test_no_variance_at_the_start_does_not_stop_it(plan, tmp_path):
    made = plan(1, lineup="walker,runner:nerve=0", players=2, equal=False)
    run = precision.play(made, tmp_path / "a", precision.target("win_rate=0.001pp"), most=4000)

    assert not run.measured["precision"]["met"]


@pytest.mark.usefixtures("first_look")
def test_what_never_happened_so_far_does_not_stop_it(plan, tmp_path):
    """A share of 0 has a width: something may have escaped."""
    made = plan(1)
    for number, text in enumerate(("truncated=0.01pp", "truncated=0.0001")):
        run = precision.play(made, tmp_path / str(number), precision.target(text), most=3000)
        assert not run.measured["precision"]["met"]
        assert 0 < run.measured["precision"]["widest"] < 0.01


@pytest.mark.usefixtures("first_look")
def test_a_number_that_never_varied_has_a_width(plan, tmp_path):
    """A game of a fixed length may still have been longer in a game that was not played."""
    made = plan(1, set=["sim.max_rounds=1"])
    run = precision.play(made, tmp_path / "a", precision.target("rounds=0.0001"), most=3000)

    assert run.games.select("rounds").collect()["rounds"].n_unique() == 1
    assert not run.measured["precision"]["met"]


@pytest.mark.usefixtures("first_look")
def test_percent_is_a_part_of_the_mean_but_for_shares(plan, tmp_path):
    made = plan(1)
    rounds = precision.play(made, tmp_path / "a", precision.target("rounds=2%"), most=40_000)
    mean = rounds.games.select("rounds").collect()["rounds"].mean()
    absolute = precision.widest_half(rounds, "rounds", rounds.plan.n)
    shares = precision.play(made, tmp_path / "b", precision.target("win_rate=4%"), most=40_000)

    told = rounds.measured["precision"]
    assert told["met"]
    assert "% of the mean" in rounds.measured["stopped"]
    assert told["widest"] <= 0.02
    assert 0.5 < told["widest"] / (absolute.half / mean) < 2
    assert "pp" in shares.measured["stopped"]


@pytest.mark.parametrize(
    "text", ["win_rate", "win_rate=", "win_rate=0", "=1pp", "win_rate=1kg", "win_rate=-1"]
)
def test_precision_that_means_nothing_is_refused(text):
    with pytest.raises(PlanError, match="--precision"):
        precision.target(text)


def test_unknown_measure_is_told(plan):
    with pytest.raises(PlanError, match="no measure 'speed'"):
        precision.check(plan(), precision.target("speed=1"))


@pytest.mark.parametrize(
    ("game", "names", "amounts"),
    [
        ("biathlon", {"first_seat", "winner_seat", "winner_player", "turn_index"}, {"rounds"}),
        ("skull_canyon", {"leader_d1", "leader_d2"}, {"margin"}),
        (
            "pistengaudi",
            {"winner_seat", "trigger_seat", "leader_round3", "leader_half", "leader_last"},
            {"winner_area", "trigger_area", "goal_area"},
        ),
    ],
)
def test_the_number_of_a_seat_is_a_name_and_that_of_an_area_an_amount(game, names, amounts):
    """How deep in the goal the winner stands has a mean; who the winner is has none."""
    games, seats = arms.numeric_columns(Request(game, 1).plan())
    told = {*games, *seats}

    assert not names & told
    assert amounts <= told
