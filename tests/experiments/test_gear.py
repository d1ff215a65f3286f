"""Planted gear: a free card worth 10 VP, a card of no effect, a card that only the strong buy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from simulate import jit
from simulate.cli import app
from simulate.errors import PlanError
from simulate.experiments.gear import GearValue, gear
from simulate.experiments.weather import weather
from simulate.games.skull_canyon.words import FACES

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")

CARD = "unknown_1"
LINEUP = "plain,random,plain,random"
GAMES = 4000
FREE_AND_STRONG = ("cost=0", "vp=10", "buyable=true")
BLANK = ("cost=0", "vp=0", "buyable=true")
DEAR_BLANK = ("cost=10", "vp=0", "buyable=true", "copies=8")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., GearValue]:
    """``played(card's keys, …)``: the experiment on one planted card."""
    folder = tmp_path_factory.mktemp("gear")

    def play(keys: tuple[str, ...], **options: Any) -> GearValue:
        given = {"kinds": ("grant",), "page": False, "lineup": LINEUP, "n": GAMES, **options}
        changes = [f"gear.cards.{CARD}.{key}" for key in keys]
        out = folder / f"{abs(hash((keys, str(sorted(options.items())))))}"
        return gear("skull_canyon", cards=[CARD], set=changes, jobs=1, out=out, **given)

    return play


def test_a_card_worth_ten_points_is_found(played):
    """Right sign, right size: 10 VP, wins, a price far above the printed one."""
    row = played(FREE_AND_STRONG).findings.rows[0]

    assert row.vp.low <= 10 <= row.vp.high + 1e-9
    assert row.vp.value == pytest.approx(10, abs=0.2)
    assert row.wins.low > 0.1
    assert row.rivals.value == pytest.approx(0, abs=0.2)
    assert row.price.low > 10
    assert row.state == "unfair"


def test_a_card_of_no_effect_has_none(played):
    """Its effect is zero within the interval, on everybody and every measure."""
    found = played(BLANK).findings

    for effect in found.effects:
        assert effect.estimate.low <= 0 <= effect.estimate.high
        assert effect.q >= effect.p
    assert found.rows[0].price.low <= 0 <= found.rows[0].price.high


def test_a_card_that_only_the_strong_buy(played):
    """The naive figure says that it wins games; given by lot it does nothing."""
    done = played(DEAR_BLANK, players=2, lineup="plain,random")
    row = done.findings.rows[0]
    owners = done.runs["control"].seats.select("strategy", "gear1", "gear2").collect()
    bought = owners.filter((owners["gear1"] == CARD) | (owners["gear2"] == CARD))

    assert (bought["strategy"] == "plain").mean() > 0.95
    assert row.naive.low > 0.1
    assert row.wins.low <= 0 <= row.wins.high
    assert row.bias.low > 0.1


def test_what_the_owner_wins_the_rivals_lose(played):
    """Shares of one win: given or denied, the effects on owner and rivals add up to nothing."""
    done = played(("cost=3", "vp=4", "buyable=true", "copies=8"), kinds=("grant", "deny"), n=2000)
    row = done.findings.rows[0]

    assert row.wins.value + row.rivals_wins.value == pytest.approx(0, abs=1e-9)
    assert row.chance_wins.value + row.chance_rivals.value == pytest.approx(0, abs=1e-9)
    assert row.wins.value > 0.02


def test_allowed_is_owning_spread_over_all(played):
    """Who would not buy plays the same game, denied or not; only a random player's lot differs."""
    import polars as pl

    done = played(("cost=3", "vp=4", "buyable=true", "copies=8"), kinds=("grant", "deny"), n=2000)
    row = done.findings.rows[0]
    columns = ["game_id", "seat", "strategy", "score", "gear1", "gear2", "treated"]
    free, denied = (
        done.runs[name].seats.select(columns).collect() for name in ("control", f"deny-{CARD}")
    )
    chosen = denied["treated"]
    buys = ((free["gear1"] == CARD) | (free["gear2"] == CARD)).fill_null(False)
    gap = (free["score"].cast(pl.Float64) - denied["score"].cast(pl.Float64)).filter(chosen)
    kept = denied.filter(chosen & ((pl.col("gear1") == CARD) | (pl.col("gear2") == CARD)))

    assert kept.is_empty()
    plain = (free["strategy"] == "plain").filter(chosen)
    assert (gap.filter(plain & ~buys.filter(chosen)) == 0).mean() > 0.9
    assert row.owning.value == pytest.approx(gap.filter(buys.filter(chosen)).mean())
    assert row.chance.value == pytest.approx(gap.mean())
    assert row.chance.value == pytest.approx(row.owning.value * row.buyers.value, rel=0.15)
    assert 0.02 < row.buyers.value < 1


def test_page_tells_what_buying_is_worth_and_its_families(played, tmp_path):
    """Sections and the families of tests."""
    from reports.games.skull_canyon import gear_page

    keys = ("cost=3", "vp=4", "buyable=true", "copies=8")
    found = played(keys, kinds=("grant", "deny"), n=2000).findings
    made = {s.id: s for s in gear_page.sections(found)}

    assert "bought" in made
    said = " ".join(b.words for b in made["effects"].blocks if hasattr(b, "words"))
    assert "grant (" in said and "deny (" in said  # noqa: PT018
    depends = " ".join(b.words for b in made["depends"].blocks if hasattr(b, "words"))
    assert "1 cards, 3 tests" in depends


def test_every_arm_says_what_it_changes(played):
    """Ban: nobody buys; offer: shown on the first evening; price: the row of rules has it."""
    done = played(("cost=3", "vp=1", "buyable=true"), kinds=("ban", "offer", "price"), n=1000)
    number = done.findings.rows[0].gear.number
    runs = done.runs

    assert list(runs) == [
        "control", "fame-hotel1", f"ban-{CARD}", f"offer-{CARD}", f"price-{CARD}-1",
        f"price-{CARD}-5",
    ]  # fmt: skip
    banned = runs[f"ban-{CARD}"].seats.select("gear1", "gear2").collect()
    assert not ((banned["gear1"] == CARD) | (banned["gear2"] == CARD)).any()
    shown = runs[f"offer-{CARD}"].games.select("gear_row1").collect()["gear_row1"]
    assert (shown.arr.get(number) == 1).all()
    assert runs[f"price-{CARD}-5"].plan.rules[0].model["gear"]["cards"][CARD]["cost"] == 5
    assert [d.price for d in done.findings.demand] == [1, 3, 5]


def test_before_the_purchase_the_arms_are_one_game(played):
    """Buyers of the ban arm's control are read in both arms: day I is the same for all."""
    done = played(("cost=3", "vp=1", "buyable=true"), kinds=("ban", "offer", "price"), n=1000)
    first = {name: run.seats.select("vp_d", "fame_d").collect() for name, run in done.runs.items()}

    for name, rows in first.items():
        for column in ("vp_d", "fame_d"):
            same = rows[column].arr.get(0) == first["control"][column].arr.get(0)
            assert same.all(), name


def test_page_file_and_command(tmp_path):
    """The command writes experiment.json and a page; the same command goes on, not anew."""
    out = tmp_path / "gear"
    command = [
        "gear", "skull_canyon", "--gear", "ramp", "--arm", "grant", "--at", "day1", "--n", "800",
        "--lineup", LINEUP, "--jobs", "1", "--out", str(out),
    ]  # fmt: skip
    first, again = (CliRunner().invoke(app, command) for _ in range(2))

    told = json.loads((out / "experiment.json").read_text())
    page = (out / "gear.html").read_text()
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert first.output.splitlines()[-1] == again.output.splitlines()[-1]
    assert told["gear"][0]["gear"] == "ramp"
    assert told["arms"] == ["control", "fame-day1", "grant-ramp-day1"]
    assert "Printed and fair prices" in page
    assert "://" not in page.replace("http://www.w3.org/", "")


@pytest.mark.parametrize(
    "wrong",
    [{"cards": ["sledge"]}, {"kinds": ["steal"]}, {"at": ["noon"]}, {"fame": 0}, {"at": []}],
)
def test_bad_input_is_said(wrong, tmp_path):
    """Before a game is played."""
    with pytest.raises(PlanError):
        gear("skull_canyon", n=100, out=tmp_path, **wrong)
    assert not list(tmp_path.iterdir())


def test_other_games_have_no_gear(tmp_path: Path):
    """Nor weather of this kind."""
    with pytest.raises(PlanError):
        gear("biathlon", n=100, out=tmp_path)
    with pytest.raises(PlanError):
        weather("biathlon", n=100, out=tmp_path)


def test_weather_is_forced_on_the_same_games(tmp_path):
    """Nine sequences; day I is one game in all; differences sum to nothing."""
    done = weather("skull_canyon", n=600, lineup=LINEUP, jobs=1, out=tmp_path / "weather")
    runs = list(done.runs.values())
    sequences = [f"sunny-{two}-{three}" for two in FACES for three in FACES]

    assert list(done.runs) == ["drawn", *sequences]
    for name in sequences:
        run = done.runs[name]
        games = run.games.select("weather2", "weather3").unique().collect()
        assert games.rows() == [tuple(name.split("-")[1:])]
    first = [run.seats.select("vp_d").collect()["vp_d"].arr.get(0).to_list() for run in runs]
    assert all(one == first[0] for one in first)
    scores = [c for c in done.skies.cells if c.measure == "score"]
    assert sum(c.difference.value for c in scores) == pytest.approx(0, abs=1e-9)
    dry = {c.sequence: c.level.value for c in done.skies.cells if c.measure == "hand"}
    assert dry["sunny-sunny-sunny"] > dry["sunny-icy-icy"]
    assert {c.measure for c in done.skies.cells} >= {"first", "fourth", "spread", "gear", "use"}
    assert "day II" in done.page.read_text()
