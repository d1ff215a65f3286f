"""The slow twin follows games of the engine: same options, same state at every decision.

The twin (``tests/reference/skull_canyon.py``) is written from the specification alone. It is fed
the outcomes of chance that the engine's events tell: markers, decks and reshuffles.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulate import registry, rules

_path = Path(__file__).parents[2] / "reference" / "skull_canyon_script.py"
_spec = importlib.util.spec_from_file_location("reference_skull_canyon_twin", _path)
assert _spec is not None and _spec.loader is not None
script = importlib.util.module_from_spec(_spec)
sys.modules["reference_skull_canyon_twin"] = script
_spec.loader.exec_module(script)
reference = script.reference

GAMES = 120
CHUNK = 10
EVENT_ROOM = 4000
COMPARED = (
    "day", "tracker", "first", "weather", "yeti", "row", "deck", "discards", "style", "supply",
    "gear_row",
)  # fmt: skip
SEAT_PARTS = (
    "node", "vp", "fame", "hand", "gear", "explosives", "tickets", "markers",
)  # fmt: skip

GAME_COLUMNS = (
    "asked", "forced", "win_k", "tie_level", "margin", "spread", "act_train", "act_lift", "act_ski",
    "act_unused", "rides", "reshuffles", "row_resets", "min_deck", "yeti_moves", "yeti_blocks",
    "aval_set", "aval_explosive", "slides_own", "slides_rival", "slide_waning", "first_claims",
    "steals", "restacks", "declines", "style_bonuses", "runs_never_skied", "runs_topped",
    "lead_changes",
)  # fmt: skip
SEAT_COLUMNS = (
    "win_share", "rank", "vp_final", "vp_runs", "vp_goggles", "vp_fame", "vp_gear", "vp_aw_easy",
    "vp_aw_adv", "vp_aw_exp", "vp_aw_total", "fame_base", "fame_style", "fame_camera",
    "fame_waning", "fame_boots", "fame_tent", "fame_tub", "fame_sp_village", "fame_sp_gear",
    "fame_sp_alert", "fame_sp_goggles", "fame_left", "ski_easy", "ski_adv", "ski_exp", "tops_easy",
    "tops_adv", "tops_exp", "cards_drawn", "cards_row", "cards_played", "cards_paid", "cards_left",
    "overpay", "yetis_got", "yetis_played", "markers_used", "stole", "stolen_from", "restacked",
    "slid", "slid_by_rival", "height_lost", "explosives_used", "tickets_used", "alert_paid",
    "actions_unused",
)  # fmt: skip
SET_POINTS = ("RAMP1", "RAMP2", "ADD")

Choose = Callable[[list[str]], str]


def overrides_of(coin: random.Random, players: int, *, switches: bool) -> dict[str, Any]:
    """A random legal variant."""
    side = "_2" if players == 2 else "_34"
    layouts = [name for name in reference.BOARDS if name.endswith(side)]
    found: dict[str, Any] = {
        registry.load("skull_canyon").game.layout_key: coin.choice(layouts),
        "deck.set": coin.choice(["even15", "even15", "even30", "even45"]),
        "gear.set": coin.choice(["assumed-16", "named-12", "named-13"]),
        "village.slots": coin.choice(["open", "tight"]),
        "board.heights": coin.choice(["level", "drawn"]),
    }
    if coin.random() < 0.5:
        del found["village.slots"]
    for name, values in reference.SWITCHES.items():
        if switches and coin.random() < 0.3:
            found[f"rules.{name}"] = coin.choice(values)
    return found


class Table:
    """A game on the engine, and what its chance brought."""

    def __init__(self, overrides: dict[str, Any], players: int, root: int, block: int) -> None:
        self.engine = registry.load("skull_canyon")
        resolved = rules.load("skull_canyon", overrides=overrides)
        self.players, self.root, self.block = players, root, block
        self.record, self.vocabularies = resolved.record[0], resolved.vocabularies
        self.position = self.engine.game.module("position")
        entries = self.engine.entries
        self.state, self.work = entries.new_state(), entries.new_work()
        self.log = entries.new_events(EVENT_ROOM)
        self.shuffles: list[list[str]] = []
        entries.start(
            self.state, self.record, self.work, self.log, entries.no_treatments(),
            players, root, block,
        )  # fmt: skip
        self._note()
        self.setup = self.describe()

    def _note(self) -> None:
        """Keep the new orders of the deck, and make room for further events."""
        rows = self.log[: int(self.state["n_events"])]
        for event in self.engine.words.events(rows, self.record, self.vocabularies):
            if event["event"] == "shuffle":
                self.shuffles.append(list(event["order"]))
        self.state["n_events"] = 0

    def describe(self) -> dict[str, Any]:
        """The state in the form of scripted positions."""
        return self.position.describe(self.state, self.record, self.vocabularies)

    def options(self) -> list[str]:
        """Tokens of the question asked now."""
        return [
            self.engine.words.action(
                self.state, self.record, self.work, int(code), self.vocabularies
            )
            for code in self.work["options"][: int(self.work["n_options"])]
        ]

    def apply(self, token: str) -> None:
        """Answer, and note what chance brought."""
        code = int(self.work["options"][self.options().index(token)])
        self.engine.entries.apply(self.state, self.record, self.work, self.log, code)
        self._note()

    # chance, as the twin asks for it

    def weather(self, markers: list[str], count: int) -> list[str]:
        return self.setup["weather"][1 : count + 1]

    def styles(self, markers: list[str]) -> list[str]:
        return list(self.setup["style"].values()) + list(self.setup["supply"])

    def gear_deck(self, cards: list[str]) -> list[str]:
        return list(self.setup["gear_row"]) + list(self.setup["gear_deck"])

    def slope_deck(self, cards: list[str]) -> list[str]:
        return self.shuffles.pop(0)

    def reshuffle(self, cards: list[str], number: int) -> list[str]:
        return self.shuffles.pop(0)


def same_state(mine: dict[str, Any], other: dict[str, Any], building: int = -1) -> None:
    """Two states in the form of scripted positions agree.

    building: a seat that builds a set; its cards are half in hand, half on the table.
    """
    for part in COMPARED:
        one, two = mine[part], other[part]
        if part in ("supply", "gear_row"):
            one, two = sorted(x for x in one if x), sorted(x for x in two if x)
        assert one == two, f"{part}: twin {one}, engine {two}"
    stacks = [{run: s for run, s in table["stacks"].items() if s} for table in (mine, other)]
    assert stacks[0] == stacks[1]
    for seat, fields in mine["seats"].items():
        for part in SEAT_PARTS:
            if part == "hand" and int(seat) == building:
                continue
            one, two = fields[part], other["seats"][seat][part]
            if part == "gear":
                one, two = sorted(one), sorted(two)
            assert one == two, f"seat {seat}, {part}: twin {one}, engine {two}"


def play_both(
    overrides: dict[str, Any], players: int, root: int, block: int, choose: Choose
) -> tuple[Any, Any, dict[str, Any]]:
    """Play one game in the engine; the twin follows and must agree at every decision."""
    table = Table(overrides, players, root, block)
    layout = overrides.get(table.engine.game.layout_key)
    plain = {k: v for k, v in overrides.items() if k != table.engine.game.layout_key}
    twin_rules = reference.resolve(plain, players, layout)
    twin: Any = None

    def answer(seat: int, point: str, options: list[str], seen: dict[str, Any]) -> str:
        asked = table.engine.words.question(int(table.state["phase"]))
        assert (int(table.state["to_move"]), asked) == (seat, point)
        assert sorted(table.options()) == sorted(options)
        building = seat if point in SET_POINTS else -1
        same_state(script.describe(twin), table.describe(), building)
        token = choose(options)
        table.apply(token)
        return token

    twin = reference.Twin(twin_rules, players, answer, table)
    result = twin.play()
    assert table.state["over"] == 1
    assert table.shuffles == []
    same_state({**script.describe(twin), "tracker": 0}, {**table.describe(), "tracker": 0})
    game, seats = table.engine.entries.new_rows()
    table.engine.entries.finish(table.state, table.record, game, seats)
    return game, seats, result


@pytest.mark.parametrize("chunk", range(GAMES // CHUNK))
def test_the_twin_follows_random_games_over_all_variants(chunk: int) -> None:
    """Random answers reach what no sensible strategy would."""
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        coin = random.Random(number)
        players = coin.choice([2, 3, 4])
        overrides = overrides_of(coin, players, switches=number % 3 > 0)
        where = f"{overrides}, {players} players, number {number}"
        try:
            game, seats, result = play_both(overrides, players, number, number % 7, coin.choice)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error
        counted = {**dict.fromkeys(GAME_COLUMNS, 0), **result["game"]}
        for name in GAME_COLUMNS:
            assert int(game[0][name]) == counted[name], f"{where}: {name}"
        for seat, record in enumerate(result["seats"]):
            assert int(seats[seat]["score"]) == record["vp_final"], where
            for name in SEAT_COLUMNS:
                wanted = pytest.approx(record[name], abs=1e-5)
                assert float(seats[seat][name]) == wanted, f"{where}: seat {seat}, {name}"
