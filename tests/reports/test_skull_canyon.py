"""Skull Canyon's sections: boards, numbers against rows, small runs, the documentation."""

from __future__ import annotations

import io
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import reports
import simulate
from reports import estimates
from reports.games.skull_canyon import awards, decided, gear, gear_value, pictures, run_map, village
from reports.games.skull_canyon import board as board_module
from reports.games.skull_canyon import weather as sky
from reports.games.skull_canyon.board import board_frame
from reports.games.skull_canyon.components import board_of, gear_of
from reports.games.skull_canyon.gear_value import Sums
from reports.section import Text
from simulate import jit, registry, rules
from simulate.games.skull_canyon import resolve, state, words

ROOT = Path(__file__).parents[2]
LINEUPS = ("plain,random", "plain,random,plain", "plain,random,plain,random")
SECTIONS = {
    "points", "map", "difficulty", "stealing", "rough", "village", "awards", "seat-days", "weather",
    "gear", "decided", "pace", "seats", "strategies", "length", "drama", "decisions",
}  # fmt: skip
needs_games = pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> simulate.Run:
    """Games of two, three and four players, once with the same style on every seat."""
    out = tmp_path_factory.mktemp("canyon") / "runs" / "canyon"
    return simulate.run("skull_canyon", n=4000, players="all", lineup=LINEUPS, seed=5, out=out)


@pytest.fixture(scope="module")
def facts(run: simulate.Run) -> Any:
    """Its facts."""
    return reports.open_facts(run)


# ---------------------------------------------------------------- rules as the report reads them


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("heights", ["level", "drawn"])
def test_board_is_the_engines_board(players, heights):
    """The report reads run.json, the engine its own model: they agree."""
    loaded = rules.load("skull_canyon", overrides={"board.heights": heights})
    wanted = resolve.resolved(loaded.model)["boards"]["2" if players == 2 else "34"]

    kept = json.loads(json.dumps(loaded.data, sort_keys=True))  # as run.json keeps it

    board = board_of(kept, players)

    assert board.name == wanted["name"]
    assert list(board.nodes.items()) == list(wanted["nodes"].items())
    assert [list(lift) for lift in board.lifts] == wanted["lifts"]
    assert [run.id for run in board.runs] == [run["id"] for run in wanted["runs"]]
    assert [run.top for run in board.runs] == [run["top"] for run in wanted["runs"]]


@pytest.mark.parametrize("gear_set", ["assumed-16", "named-12", "named-13"])
def test_gear_is_the_engines_gear(gear_set):
    """Numbers are those of the vocabulary, prices those of the cards."""
    loaded = rules.load("skull_canyon", overrides={"gear.set": gear_set})
    names = loaded.vocabularies["gear"]
    copies = resolve.gear_copies(loaded.model)

    found = gear_of(loaded.data)

    assert [names[card.number] for card in found] == [card.id for card in found]
    assert {card.id: card.copies for card in found} == {k: v for k, v in copies.items() if v}
    assert all(card.cost == loaded.data["gear"]["cards"][card.id]["cost"] for card in found)


@pytest.mark.parametrize("name", sorted(n for n in rules.load("skull_canyon").data["boards"]))
def test_every_board_can_be_drawn(name):
    """Nodes stand at places of their own."""
    loaded = rules.load("skull_canyon", overrides={"board.layout": name})
    board = board_of(loaded.data, max(loaded.data["boards"][name]["players"]))
    at = run_map.places(board)

    assert set(at) == set(board.nodes)
    assert len(set(at.values())) == len(at)


@needs_games
@pytest.mark.parametrize("name", ["canyon_34", "wide_bowl_34"])
def test_a_board_is_drawn_from_its_frame_alone(facts, name):
    """The picture that compares boards shows the nodes, lifts and runs of the board it is given."""
    loaded = rules.load("skull_canyon", overrides={"board.layout": name})
    stratum = facts.main[0]
    kept = json.loads(json.dumps(loaded.data, sort_keys=True))
    seen = board_of(kept, stratum.players)
    told = board_frame(_WithModel(facts, kept), stratum)
    again = pl.read_csv(io.StringIO(told.write_csv()))  # what a reader of data/ has

    drawn = board_module._board(again)
    figure = board_module.draw(told)

    assert dict(drawn.nodes) == dict(seen.nodes)
    assert list(drawn.lifts) == list(seen.lifts)
    assert told.filter(pl.col("kind") == "run")["id"].to_list() == [run.id for run in seen.runs]
    words = {text.get_text() for text in figure.axes[0].texts}
    assert set(seen.nodes) <= words


class _WithModel:
    """Facts of a run under the rules of another board: only pictures of the board read them."""

    def __init__(self, facts, model):
        self._facts, self._model = facts, model

    def model(self, _rules):
        return self._model

    def __getattr__(self, name):
        return getattr(self._facts, name)


# ---------------------------------------------------------------- sections


@needs_games
def test_every_section_is_made(run):
    """Nothing is left out, all checks pass, no two blocks have one name."""
    report = reports.collect(run, strict=True)
    checks = next(s for s in report.sections if s.id == "trust").blocks[0].checks

    assert report.left_out == []
    assert {s.id for s in report.sections} >= SECTIONS
    assert [(c.name, c.words) for c in checks if c.passed is False] == []
    assert {"Points add up", "Fame adds up", "Cards add up"} <= {c.name for c in checks}
    assert reports.build(run).read_text().count("<section") >= len(SECTIONS)


@needs_games
def test_figures_work_by_themselves(run):
    """As in a notebook: every figure draws, every frame is a Polars frame."""
    for section in reports.sections_of(run):
        for block in section.blocks:
            if hasattr(block, "draw"):
                assert block.draw().axes
                assert isinstance(block.frame, pl.DataFrame)


@needs_games
def test_a_length_that_never_varies_is_said_in_words(run):
    """Three days are three rounds in every game: one bar would be no picture."""
    length = next(s for s in reports.sections_of(run) if s.id == "length")
    figures = [block for block in length.blocks if hasattr(block, "draw")]
    texts = [block.words for block in length.blocks if isinstance(block, Text)]

    assert figures == []
    assert any("lasted 3 rounds (" in text and "does not vary" in text for text in texts)
    assert all("3 players" in text for text in texts)


@needs_games
def test_few_games_are_not_enough(tmp_path):
    """Fifty games: the page is made, and no verdict is given."""
    few = simulate.run("skull_canyon", n=50, players=4, seed=3, out=tmp_path / "runs" / "few")

    report = reports.collect(few, strict=True)

    assert {v.state for v in report.verdicts} == {"unknown"}
    assert any(
        "Not enough" in v.headline or "too few to say" in v.headline for v in report.verdicts
    )


@needs_games
def test_take_rates_are_counts_of_rows(run, facts):
    """Chances and purchases of a card, by hand."""
    stratum = facts.main[-1]
    rows = of_stratum(run, facts, stratum, "seats")
    for card, told in gear.told(facts, stratum):
        offers = sum(rows[c].arr.get(card.number).cast(pl.Int64).sum() for c in gear.SEATS[2:4])
        bought = sum(
            (rows[c].cast(pl.String) == card.id).fill_null(value=False).sum()
            for c in gear.SEATS[:2]
        )
        owned = (rows["gear_owned"].arr.get(card.number) > 0).sum()
        assert (told["offers"], told["owned"]) == (offers, owned)
        if offers:
            assert told["take"].value == pytest.approx(bought / offers)


@needs_games
def test_awards_decide_as_the_engine_says(run, facts):
    """Winners without awards are those that the engine keeps in its rows."""
    rows = facts.job("seats", "awards")
    for stratum in facts.main:
        games = of_stratum(run, facts, stratum, "games")
        won, without = (games[c].to_numpy() for c in ("winner_seats", "winner_no_awards"))
        wanted = (won != without).any(1).mean()

        assert awards.changed(rows, stratum, awards.ALL, "none").value == pytest.approx(wanted)


@needs_games
def test_map_counts_runs(run, facts):
    """Traffic a game is the mean of the rows."""
    stratum = facts.main[-1]
    games = of_stratum(run, facts, stratum, "games")
    frame = run_map.run_frame(facts, stratum)

    means = games["ski_run"].to_numpy().mean(0)[: len(frame)]

    assert frame["skied"].to_list() == pytest.approx(list(means))


@needs_games
def test_weather_cells_are_means_of_rows(run, facts):
    """One cell by hand."""
    stratum = facts.main[-1]
    games = of_stratum(run, facts, stratum, "games").filter(
        (pl.col("weather2").cast(pl.String) == "icy")
        & (pl.col("weather3").cast(pl.String) == "sunny")
    )
    seats = of_stratum(run, facts, stratum, "seats").filter(
        pl.col("game_id").is_in(games["game_id"].to_list())
    )
    sums = sky.weather_sums(facts)[stratum.number]

    assert sums["n"][:, 1, 0].sum() == len(games)
    assert sky.cell_estimate(sums, "vp_final", 1, 0).value == pytest.approx(
        seats["vp_final"].mean()
    )
    assert sky.cell_estimate(sums, "gear_bought", 1, 0).value == pytest.approx(
        games["gear_bought"].mean()
    )


@needs_games
def test_track_and_places_are_counts_of_rows(run, facts):
    """Win share of who goes first into the village, and of the leader after day II."""
    stratum = facts.main[-1]
    seats = of_stratum(run, facts, stratum, "seats")
    first = seats.filter(pl.col("village_pos").arr.get(0) == 1)["win_share"].mean()
    leader = seats.filter(pl.col("rank_d").arr.get(1) == 1)["win_share"].mean()

    track = village.track_shares(stratum, facts.job("seats", "track"))
    days = facts.job("seats", "places by day")

    assert track[0][:2] == (0, 1)
    assert track[0][2].value == pytest.approx(first, abs=1e-6)
    assert decided.win_from(days, stratum, 1, 1).value == pytest.approx(leader, abs=1e-6)


def of_stratum(run: simulate.Run, facts: Any, stratum: Any, kind: str) -> pl.DataFrame:
    """Rows of a stratum."""
    cell = pl.col("game_id") % facts.records.k
    return getattr(run, kind).filter(cell.is_in(list(stratum.cells))).collect()


# ---------------------------------------------------------------- values of gear


def drawn(rng: np.random.Generator, blocks: int, effect: float, shared: np.ndarray) -> Sums:
    """One seat a block: with an effect, on shared luck."""
    control = shared
    changed = shared + effect + rng.normal(0, 2, blocks)
    return Sums(changed, control, np.ones(blocks))


def test_fair_price_covers():
    """Fieller's interval holds the true price about 95 times in 100."""
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        shared = rng.normal(30, 8, 300)
        gift, card = drawn(rng, 300, 6 * 0.4, shared), drawn(rng, 300, 1.6, shared)
        price = gear_value.fair_price(card, gift, 6)
        hits += price.low <= 1.6 / 0.4 <= price.high

    assert 0.92 <= hits / 400 <= 0.98


def test_no_price_where_fame_is_worth_nothing():
    """Without an effect of fame there is no exchange, and no verdict."""
    rng = np.random.default_rng(2)
    shared = rng.normal(30, 8, 300)
    price = gear_value.fair_price(drawn(rng, 300, 2, shared), drawn(rng, 300, 0, shared), 6)

    assert not np.isfinite(price.value)
    assert gear_value.judged(price, 4, 300) == "unknown"


def test_bias_is_naive_less_effect():
    """Values add up, and the interval holds both errors."""
    rng = np.random.default_rng(3)
    owners = (rng.random(500) < 0.4).astype(float)
    won = owners * (rng.random(500) < 0.5)
    sums = Sums(rng.normal(0.3, 0.4, 500), rng.normal(0.25, 0.4, 500), np.ones(500))

    naive = gear_value.naive(won, owners, np.full(500, 0.25))
    bias = gear_value.bias((won - 0.25 * owners, owners), sums)

    assert bias.value == pytest.approx(naive.value - gear_value.effect(sums).value)
    assert bias.se > max(naive.se, gear_value.effect(sums).se)


def test_prices_are_judged_within_one_fame():
    """Fair, not fair, and not enough."""

    def price(value: float, se: float) -> estimates.Estimate:
        return estimates.Estimate(value, value - 2 * se, value + 2 * se, 5000, 5000, se)

    assert gear_value.judged(price(4.2, 0.1), 4, 5000) == "fair"
    assert gear_value.judged(price(7.0, 0.5), 4, 5000) == "unfair"
    assert gear_value.judged(price(5.0, 0.6), 4, 5000) == "unknown"
    assert gear_value.judged(price(7.0, 0.5), 4, 20) == "unknown"


def test_prices_are_drawn_in_sight():
    """An interval without an end leaves the picture in an arrow, not its scale."""
    frame = pl.DataFrame(
        {
            "label": ["Ramp", "Ski Poles", "Night Goggles"],
            "printed": [4, 4, 2],
            "value": [5.0, 3.0, None],
            "low": [4.0, -400.0, None],
            "high": [6.0, 900.0, None],
            "state": ["unfair", "unknown", "unknown"],
        }
    )

    low, high = pictures.prices(frame).axes[0].get_xlim()

    assert -20 < low < 0
    assert 6 < high < 30


# ---------------------------------------------------------------- documentation

TEXT = (ROOT / "docs" / "questions-skull_canyon.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| Q\d+ \|", line)
]
COMMANDS = [c for row in ROWS for c in re.findall(r"`(simulate [^`]+)`", row[2])]
HOOKS = {hook.name: hook for hook in words.TREATMENTS}


def test_all_questions_are_there():
    """Q1 to Q26, once each, each with an answer or a reason."""
    assert [row[0] for row in ROWS] == [f"Q{i}" for i in range(1, 27)]
    assert {len(row) for row in ROWS} == {4}
    for row in ROWS:
        assert "`#" in row[2] or "`simulate" in row[2] or re.match(r"not yet: \S+ \S+", row[2])


@needs_games
def test_sections_of_the_questions_exist(run):
    """Every #section is one of the report."""
    told = set(re.findall(r"`#([\w-]+)`", " ".join(row[2] for row in ROWS)))

    assert told <= {s.id for s in reports.sections_of(run)}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_use_what_there_is(command):
    """Treatments with values in bounds, boards, strategies and parameters of every command."""
    parts = shlex.split(command)
    values = dict(zip(parts, parts[1:], strict=False))
    book = registry.book("skull_canyon")

    assert parts[1] in {
        "run",
        "treat",
        "gear",
        "weather",
        "luck",
        "rollouts",
        "compensate",
        "courses",
        "sensitivity",
        "tournament",
        "compare",
        "tune",
    }
    for name in [b for a, b in zip(parts, parts[1:], strict=False) if a == "--question"]:
        assert name in words.QUESTIONS
    if "--hook" in values:
        name, _, value = values["--hook"].partition("=")
        assert name in HOOKS
        assert not value or HOOKS[name].low <= int(value) <= HOOKS[name].high
    for board in values.get("--board", "canyon_34").split(","):
        assert board in rules.load("skull_canyon").data["boards"]
    named = [
        values[o] for o in ("--lineup", "--strategies", "--strategy", "--retune") if o in values
    ]
    for who in ",".join(named or ["plain"]).split(","):
        name, _, params = who.partition(":")
        assert book.get(name) is not None
        known = {p.name for p in book.get(name).params}
        assert {one.split("=")[0] for one in params.split(":") if one} <= known


def test_variants_exist():
    """Every --variant of the page ships."""
    file = ROOT / "simulate" / "games" / "skull_canyon" / "variants.toml"

    assert set(re.findall(r"--variant (\w+)", TEXT)) <= set(tomllib.loads(file.read_text()))


def test_all_treatments_are_used():
    """No hook is without a question."""
    assert set(HOOKS) <= set(re.findall(r"--hook (\w+)", TEXT))


def test_every_event_is_documented():
    """Each kind of event, each question."""
    text = (ROOT / "docs" / "events-skull_canyon.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^### `(\w+)`", text, re.MULTILINE))

    assert told == {*words.EVENT_NAMES, "game", "ask"}
    assert set(words.QUESTIONS) <= set(re.findall(r"^\| `([A-Z0-9]+)` \|", text, re.MULTILINE))
    assert len(words.QUESTIONS) == state.N_QUESTIONS
