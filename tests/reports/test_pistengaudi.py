"""Pistengaudi's sections: sums against rows, games told against their records, the questions' page."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import reports
from reports import estimates
from reports import facts as facts_module
from reports.games.pistengaudi import (
    ending,
    pairing,
    setups,
    slope,
    spaces,
    stuck,
    tables,
    targets,
    told,
)
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Figure, Replays, Table
from simulate import registry, rules
from simulate.frames import frame
from simulate.games.pistengaudi import state, words
from simulate.plan import Cell, Plan, RulesRow, Who
from simulate.records import CORE_GAME, CORE_SEAT

ROOT = Path(__file__).parents[2]
STYLES = ("racer", "finisher")
SETUPS = ("open_slope", "slalom_run")
PLAYERS = 4


class Drawn:
    """A run of drawn numbers whose totals agree: sections without an engine."""

    def __init__(self, n: int, path: Path) -> None:
        self.path = path
        self.measured = {"seconds": 1.0, "games_per_second": 1.0}
        self.vocabularies = {
            "layouts": list(SETUPS),
            "decks": ["factorial42"],
            "results": list(words.RESULTS),
            "card_types": rules.load("pistengaudi").vocabularies["card_types"],
        }
        self.plan = self._plan(n)
        self.identity = self.plan.identity([])
        rng = np.random.default_rng(11)
        games, seats = self._rows(rng, self.plan.n)
        told = {**self.vocabularies, "strategies": list(STYLES)}
        self._games = frame(games, (*CORE_GAME, *state.GAME_COLUMNS), told)
        self._seats = frame(seats, (*CORE_SEAT, *state.SEAT_COLUMNS), told)

    def columns(self, kind: str) -> dict[str, dict[str, str]]:
        """Docs of the columns, as those of a run folder."""
        core, own = CORE_GAME, state.GAME_COLUMNS
        if kind == "seats":
            core, own = CORE_SEAT, state.SEAT_COLUMNS
        return {c.name: {"meaning": c.meaning, "unit": c.unit} for c in (*core, *own)}

    @property
    def games(self) -> pl.LazyFrame:
        return self._games.lazy()

    @property
    def seats(self) -> pl.LazyFrame:
        return self._seats.lazy()

    @property
    def tallies(self) -> pl.LazyFrame:
        """Two steps a game on row 3, one fall every game two columns left of row 5."""
        games = self.plan.n // len(self.plan.cells)
        where = {"visits": (0, 3, 2 * games), "falls": (-2, 5, games)}
        rows = [
            {"cell": c, "name": name, "index": (x + slope.HALF) * slope.ROWS + y, "value": value}
            for c in range(len(self.plan.cells))
            for name, (x, y, value) in where.items()
        ]
        return pl.LazyFrame(rows)

    def _plan(self, n: int) -> Plan:
        cells = tuple(
            Cell(PLAYERS, row, PLAYERS, rotation, "rotate", False, tuple(i % 2 for i in range(4)))
            for row in range(len(SETUPS))
            for rotation in range(2)
        )
        resolved = [rules.load("pistengaudi", overrides={"slope.forest": s}) for s in SETUPS]
        return Plan(
            game="pistengaudi",
            rules_version=1,
            engine="e" * 64,
            n=-(-n // len(cells)) * len(cells),
            seed=7,
            players=(PLAYERS,),
            lineup="racer,finisher",
            seating="rotate",
            records="full",
            rules=tuple(
                RulesRow(name, r.data, {"rows": r.provenance}, [], "0" * 64)
                for name, r in zip(SETUPS, resolved, strict=True)
            ),
            strategies=tuple(Who(s, s, i, ()) for i, s in enumerate(STYLES)),
            pool=(),
            cells=cells,
            vocabularies=self.vocabularies,
            treatment={},
        )

    def _rows(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        k = len(self.plan.cells)
        games, seats = np.zeros(n, state.GAME_ROW), np.zeros(n * PLAYERS, state.SEAT_ROW)
        games["game_id"] = ids = np.arange(n)
        games["block"], games["cell"], games["n_seats"] = ids // k, ids % k, PLAYERS
        games["layout"] = ids % k // 2
        games["truncated"] = cut = ids % 50 == 0
        games["result"] = np.where(cut, 1, 0)
        winner = rng.integers(0, PLAYERS, n)
        games["winner_seat"] = np.where(cut, -1, winner)
        games["trigger_seat"] = np.where(cut, -1, rng.integers(0, PLAYERS, n))
        games["winner_reversed"] = games["winner_seat"]
        games["overtaken_in_final"] = ~cut & (games["winner_seat"] != games["trigger_seat"])
        games["rounds"] = np.where(cut, 60, rng.integers(7, 13, n)) + (games["layout"] == 1)
        games["turns"] = games["rounds"] * PLAYERS
        games["est_minutes"] = games["turns"] * 0.5
        games["asked"], games["forced"] = games["turns"] * 3, games["turns"]
        for name in ("leader_round3", "leader_half", "leader_last", "stack_empty_turn"):
            games[name] = -1
        for name in ("lead_changes", "n_in_goal", "falls", "holes_unfillable", "forest_veto",
                     "stranded_events", "gap_trigger", "deficit_trigger"):  # fmt: skip
            games[name] = rng.integers(0, 4, n)
        seats["game_id"], seats["seat"] = np.repeat(ids, PLAYERS), np.tile(range(PLAYERS), n)
        seats["side"] = seats["seat"]
        seats["strategy"] = (seats["seat"] + np.repeat(ids % 2, PLAYERS)) % 2
        won = np.repeat(games["winner_seat"], PLAYERS) == seats["seat"]
        seats["won"], seats["win_share"] = won, won
        seats["rank"] = np.where(won, 1, 3)
        seats["own_turns"] = 10
        for name in (*spaces.KINDS, *spaces.MEETS, *spaces.RODE, "snow_thrown", "groom_used"):
            seats[name] = rng.integers(0, 4, n * PLAYERS)
        seats["placed_S"] += won  # a snowball card helps
        seats["snow_on_leader"] = seats["snow_thrown"] // 2
        seats["snow_received"] = 0
        seats["snow_received"][::PLAYERS] = seats["snow_thrown"].reshape(n, PLAYERS).sum(1)
        for name in ("rank_half", "worst_rank_half", "eta_round3", "eta_round6"):
            seats[name] = np.nan
        return games, seats


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    return Drawn(8000, tmp_path_factory.mktemp("runs") / "drawn")


@pytest.fixture(scope="module")
def facts(drawn):
    return reports.open_facts(drawn)


@pytest.fixture(scope="module")
def sections(drawn):
    return {s.id: s for s in reports.sections_of(drawn)}


def tables_of(section):
    return {b.name: b for b in section.blocks if isinstance(b, Table)}


# ---------------------------------------------------------------- sections


def test_every_section_is_there(sections):
    wanted = {
        "ending",
        "riding",
        "spaces",
        "targets",
        "stack",
        "slope",
        "tables",
        "setups",
        "stuck",
    }

    assert wanted <= set(sections)


def test_figures_draw_from_frames(sections):
    for section in sections.values():
        for block in section.blocks:
            if isinstance(block, Figure):
                assert block.draw().axes
                assert isinstance(block.frame, pl.DataFrame)


def test_the_same_victim_again_and_again(sections):
    """Every snowball of these games hits the first seat; by lot it would be every third pair or less."""
    table = tables_of(sections["targets"])["targets-uneven-0"]
    snow = table.rows[0]

    assert (snow["what"], len(table.rows)) == ("Snowballs", 1)  # nobody groomed uphill
    assert snow["same"].value == 1
    assert 2 / 9 < snow["lot"] < 1 / 3
    assert float(snow["more"].split()[0]) == pytest.approx(100 * (1 - snow["lot"]), abs=0.1)


def test_ends_are_sums_of_rows(drawn, facts):
    rows = facts.job("games", "ends")
    told = drawn.games.filter(pl.col("winner_seat") == pl.col("trigger_seat")).collect()
    same = rows.filter(pl.col("winner_seat") == pl.col("trigger_seat"))

    assert rows["n"].sum() == drawn.games.filter(~pl.col("truncated")).collect().height
    assert same["n"].sum() == told.height


def test_ties_turned_round_change_nothing_where_there_are_none(facts):
    stratum = facts.main[0]
    rows = facts.job("games", "ends").filter(pl.col("stratum") == stratum.number)

    assert all(row["gap"].value == 0 for row in ending._ties(stratum, rows).rows)


def test_worth_of_a_card_is_the_plain_slope(drawn, facts):
    """The one pass against the formula, and the card that was made to help helps."""
    stratum = facts.main[0]
    seats = drawn.seats.filter((pl.col("game_id") % 4).is_in(list(stratum.cells))).collect()
    cards = np.stack([seats[c].to_numpy().reshape(-1, PLAYERS) for c in spaces.KINDS]).astype(float)
    wins = seats["win_share"].to_numpy().reshape(-1, PLAYERS).astype(float)
    kept = wins.sum(1) > 0
    cards, wins = cards[:, kept], wins[kept]
    total = cards.sum(0)
    for number, column in enumerate(spaces.KINDS):
        even = total * cards[number].sum(1, keepdims=True) / total.sum(1, keepdims=True)
        x = cards[number] - even
        plain = (x * (wins - 1 / PLAYERS)).sum() / (x * x).sum() * 100
        assert spaces.worth_of(facts, stratum, column).value == pytest.approx(
            plain, rel=0.01, abs=0.02
        )

    assert spaces.worth_of(facts, stratum, "placed_S").low > 5


def test_a_count_is_never_below_nothing():
    """Two falls in one of four blocks: the interval of Student's t would begin below 0."""
    rare = estimates.ratio([2.0, 0, 0, 0], [4.0] * 4)

    assert rare.low < 0
    assert facts_module._not_below_zero(rare, pl.Series([2, 0, 0, 0])).low == 0
    assert facts_module._not_below_zero(rare, pl.Series([2, 0, -1, 0])) == rare


def test_slope_frame_counts_the_tallies(facts):
    shown = slope.slope_frame(facts, facts.main[1])

    assert shown.filter((pl.col("x") == 0) & (pl.col("y") == 3))["visits"][0] == 2
    assert shown.filter((pl.col("x") == -2) & (pl.col("y") == 5))["falls"][0] == 1
    assert shown.filter("forest")["y"].to_list() == [1, 2, 5, 6, 9, 10]  # slalom_run: 1, 3, 5


@pytest.mark.parametrize("name", sorted(rules.load("pistengaudi").data["layouts"]))
def test_walls_are_the_engines_walls(name):
    """The report reads run.json, the engine its record: they agree."""
    loaded = rules.load("pistengaudi", overrides={"slope.forest": name})
    record = np.asarray(loaded.record).reshape(-1)[0]

    assert slope.height(loaded.data) == record["height"]
    assert slope.walls(loaded.data) == np.flatnonzero(record["wall"]).tolist()


def test_setups_are_compared_on_the_same_blocks(facts):
    """One round was added to every game of the second set-up."""
    gap = pairing.against(facts, "rounds", facts.main[1], facts.main[0])

    assert gap.low < 1 < gap.high
    assert setups.make(facts) is not None


def test_set_ups_differ_in_fairness_and_in_games_without_an_end(facts, drawn):
    """Paired as the rounds are: values against the plain shares."""
    one, other = facts.main[1], facts.main[0]

    def plain(stratum):
        seats = drawn.seats.filter((pl.col("game_id") % 4).is_in(list(stratum.cells))).collect()
        wins = seats.group_by("seat").agg(pl.col("win_share").mean())["win_share"]
        games = drawn.games.filter((pl.col("game_id") % 4).is_in(list(stratum.cells))).collect()
        return wins.max() - wins.min(), games["truncated"].mean()

    found = setups._against(facts, one, other)
    fair, cut = (a - b for a, b in zip(plain(one), plain(other), strict=True))

    assert found["Best less worst seat, points of win share"].value == pytest.approx(
        fair * 100, rel=1e-4
    )
    assert found["Not finished, in 100 games"].value == pytest.approx(cut * 100)
    assert found["Best less worst seat, points of win share"].se > 0


def test_stuck_games_are_counted(drawn, sections):
    told = tables_of(sections["stuck"])["stuck-why"].rows

    assert sum(row["n"] for row in told) == drawn.games.filter("truncated").collect().height
    assert {row["result"] for row in told} <= set(stuck.REASONS)


@pytest.mark.parametrize(
    ("result", "stranded", "why"),
    [
        ("capped_at_bottom", 3, stuck.EDGE),
        ("capped", 3, stuck.NOBODY),
        ("capped", 1, stuck.SOME),
        ("capped", 0, stuck.EVERYBODY),
    ],
)
def test_a_game_that_cannot_end_says_why(result, stranded, why):
    """At the lower edge, shut in, partly shut in, or going round in circles."""
    row = {"result": result, "stranded_end": stranded, "stranded_events": 4, "n_seats": 3}
    flags = stuck.flagged(pl.DataFrame([row])).row(0, named=True)

    assert stuck.reason(flags["edge"], flags["end"]) == why


def test_each_reason_has_a_game_to_look_at(drawn, sections):
    told = tables_of(sections["stuck"])["stuck-why"].rows
    shown = next(b for b in sections["stuck"].blocks if isinstance(b, Replays))
    cut = set(drawn.games.filter("truncated").collect()["game_id"])

    assert {label for label, _ in shown.examples} == {row["result"] for row in told}
    assert {example.game_id for _, example in shown.examples} <= cut


def test_few_games_are_not_enough(tmp_path):
    """Fifty games give no verdict on seats, and the sample of told games says so."""
    found = reports.collect(Drawn(48, tmp_path / "few"))
    seats = [v for v in found.verdicts if v.section == "seats"]
    said = [b.words for s in found.sections for b in s.blocks if hasattr(b, "words")]

    assert seats
    assert {v.state for v in seats} == {"unknown"}
    assert any(text.startswith("Not enough to say where") for text in said)


# ---------------------------------------------------------------- told games


def act(kind, seat, target, **more):
    return {"event": kind, "seat": seat, "target": target, "muted": False, **more}


def kind(number, players, course):
    return Stratum(number, 0, players, players, False, (number,), course)


KINDS_OF_GAMES = [
    kind(i, players, course)
    for i, (players, course) in enumerate(
        (players, course) for players in (2, 3, 6) for course in ("open_slope", "slalom_run")
    )
]


def test_pictures_are_of_every_number_of_players_first():
    """Not four set-ups of two players, while six sit at other tables."""
    shown = Facts.shown.func(SimpleNamespace(main=KINDS_OF_GAMES))

    assert [s.number for s in shown] == [0, 1, 2, 4]
    assert Facts.shown.func(SimpleNamespace(main=KINDS_OF_GAMES[:2])) == KINDS_OF_GAMES[:2]


def test_shares_of_snowballs_are_those_of_the_rows(facts, drawn):
    """Half of all throws, rounded down seat by seat, are at the leader; the interval is a share's."""
    stratum = facts.main[0]
    seats = drawn.seats.filter((pl.col("game_id") % 4).is_in(list(stratum.cells))).collect()
    told = targets.share_thrown(facts, stratum, "snow_on_leader")

    assert told.value == pytest.approx(seats["snow_on_leader"].sum() / seats["snow_thrown"].sum())
    assert 0 < told.low < told.value < told.high < 1
    assert told.n == seats["snow_thrown"].sum()


def test_whom_it_hits_is_asked_at_the_fullest_table():
    """Of two players one has no choice."""
    assert targets._fullest(KINDS_OF_GAMES).number == 4


def test_acts_are_judged_by_standing_at_the_time():
    """Seat 1 rides to row 7; seat 0 throws at it from the lift; it is then groomed up."""
    events = [
        {"event": "setup", "seats": 3},
        {"event": "step", "seat": 1, "to": [0, 7]},
        {"event": "step", "seat": 2, "to": [0, 2]},
        act("snowball", 0, 1),
        act("groomer", 2, 1, way="up", to=[0, 6]),
        act("groomer", 1, 0, way="left", to=[-1, 0]),
    ]
    found = targets.acts_of(events, 12)

    assert (found["snowball"].n, found["snowball"].on_first, found["snowball"].by_lot) == (
        1,
        1,
        0.5,
    )
    assert (found["snowball"].hopeless, found["snowball"].hopeless_first) == (1, 1)
    assert (found["up"].on_first, found["up"].ahead, found["up"].hopeless) == (1, 1, 0)
    assert (found["side"].on_first, found["side"].ahead) == (0, 0)


def test_figures_in_the_goal_are_no_targets():
    events = [
        {"event": "setup", "seats": 3},
        {"event": "goal", "seat": 1, "area": 2},
        {"event": "step", "seat": 2, "to": [0, 2]},
        act("snowball", 0, 2),
    ]

    assert targets.acts_of(events, 12)["snowball"].on_first == 1


class Again:
    """A game played again that ends with the record given."""

    def __init__(self, row):
        self.row, self.over = row, False
        self.state, self.events = {}, []

    def play(self):
        self.over = True
        return self

    def records(self):
        assert self.over
        return self.row, []


@pytest.mark.parametrize("falls", [0, 1])
def test_a_game_is_told_only_if_it_is_the_recorded_one(drawn, falls):
    """One fall more than the record has, and it is another game."""
    row = drawn.games.filter(pl.col("game_id") == 5).collect().row(0, named=True)
    facts = reports.open_facts(drawn)
    drawn.replay = lambda game_id: Again({**row, "falls": row["falls"] + falls})
    try:
        found = told.game(facts, 5)
    finally:
        del drawn.replay

    assert (found is None) == bool(falls)


def test_a_table_is_drawn_as_it_lies():
    position = {
        "cards": [[0, 1, "P1", "S2"], [-1, 2, "F", "P3"]],
        "figures": [[0, 1, "up"], [-1, 3, "lying"], ["goal", 2, 1]],
    }
    told = tables.table_frame(position)

    assert told.filter(pl.col("what") == "card").rows() == [
        ("card", 0, 1, "P1", 0),
        ("card", 0, 2, "S2", 1),
        ("card", -1, 2, "F", 0),
        ("card", -1, 3, "P3", 1),
    ]
    assert told.filter(pl.col("what") == "figure")["half"].to_list() == [1, 0, 1]
    assert tables.draw(told, 12, (1, 2)).axes


# ---------------------------------------------------------------- the questions' page

TEXT = (ROOT / "docs" / "questions-pistengaudi.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| Q\d+ \|", line)
]
COMMANDS = [c for row in ROWS for c in re.findall(r"`(simulate [^`]+)`", row[2])]
HOOKS = {hook.name: hook for hook in words.TREATMENTS}
COLUMNS = {c.name for c in (*CORE_GAME, *CORE_SEAT, *state.GAME_COLUMNS, *state.SEAT_COLUMNS)}


def test_all_questions_have_an_answer_or_a_reason():
    assert [row[0] for row in ROWS] == [f"Q{i}" for i in range(1, 27)]
    assert {len(row) for row in ROWS} == {4}
    for row in ROWS:
        assert "`#" in row[2] or "`simulate" in row[2] or re.match(r"not yet: \S+ \S+", row[2])


def test_sections_of_the_page_exist(sections):
    told = set(re.findall(r"`#([\w-]+)`", " ".join(row[2] for row in ROWS)))

    assert told <= set(sections)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_use_what_there_is(command):
    parts = shlex.split(command)
    values = dict(zip(parts, parts[1:], strict=False))
    known = {
        "--game", "--n", "--players", "--setup", "--hook", "--measure", "--variant", "--lineup",
        "--search", "--question", "--decisions",
    }  # fmt: skip

    assert parts[1] in {
        "run",
        "treat",
        "compensate",
        "courses",
        "luck",
        "rollouts",
        "report",
        "tournament",
        "sensitivity",
    }
    for name in [b for a, b in zip(parts, parts[1:], strict=False) if a == "--question"]:
        assert name in words.QUESTIONS
    assert {p for p in parts if p.startswith("--")} <= known
    if "--hook" in values:
        hook, _, value = values["--hook"].partition("=")
        assert hook in HOOKS
        assert not value or HOOKS[hook].low <= int(value) <= HOOKS[hook].high
    for measure in [b for a, b in zip(parts, parts[1:], strict=False) if a == "--measure"]:
        assert measure in COLUMNS
    layouts = rules.load("pistengaudi").data["layouts"]
    assert all(name in {*layouts, "all"} for name in values.get("--setup", "all").split(","))
    for seat in values.get("--lineup", "racer").split(","):
        name = re.match(r"[a-z_]+", seat)[0]
        assert registry.book("pistengaudi").get(name) is not None


def test_columns_and_variants_of_the_page_exist():
    file = ROOT / "simulate" / "games" / "pistengaudi" / "variants.toml"
    there = set(tomllib.loads(file.read_text()))
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", TEXT)) - set(state.TALLY.names)

    assert set(re.findall(r"--variant (\w+)", TEXT)) <= there
    assert named <= COLUMNS


def test_all_treatments_are_used():
    assert set(HOOKS) <= set(re.findall(r"--hook (\w+)", TEXT))
