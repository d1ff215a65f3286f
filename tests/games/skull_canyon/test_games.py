"""Whole games, from setup to scoring: what no single position can show.

Every test plays on both tables, the compiled engine and the slow twin.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from simulate import registry, rules

rule = pytest.mark.rule

REFERENCE = Path(__file__).parents[2] / "reference"
STYLES = ("slopestyle", "slalom", "ski_cross", "moguls", "off_piste")
POINTS = {
    "ACT", "TAKE", "KEY", "RAMP1", "RAMP2", "ADD", "YETI", "GOGGLES", "CLAIM", "SLIDE", "MOVE",
    "PAY", "SWAP1", "SWAP2", "COLOUR", "GEAR", "LODGE",
}  # fmt: skip
STYLE_SPACES = {
    2: {"marmot_meadow", "snowshoe_stroll", "whiskey_jack", "timber_line", "ricochet",
        "black_magic", "widowmaker"},
    3: {"marmot_meadow", "cocoa_lane", "snowshoe_stroll", "whiskey_jack", "timber_line",
        "ricochet", "needle_thread", "black_magic", "widowmaker", "long_goodbye"},
}  # fmt: skip

Choose = Callable[[int, str, list[str]], str]


def _load(name: str) -> ModuleType:
    """A module of the reference folder."""
    spec = importlib.util.spec_from_file_location(f"reference_{name}", REFERENCE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"reference_{name}"] = module
    spec.loader.exec_module(module)
    return module


script = _load("skull_canyon_script")
reference = script.reference


class Twin:
    """A game on the slow twin."""

    def __init__(self, players: int, seed: int, overrides: dict[str, Any] | None = None) -> None:
        resolved = reference.resolve(overrides, players)
        chance = reference.RandomChance(seed)
        self.twin = reference.Twin(resolved, players, self._answer, chance)
        self.choose: Choose | None = None

    def _answer(self, seat: int, point: str, options: list[str], seen: dict[str, Any]) -> str:
        assert self.choose is not None
        return self.choose(seat, point, options)

    def start(self) -> dict[str, Any]:
        """The table after setup."""
        self.twin.set_up()
        return script.describe(self.twin)

    def play(self, choose: Choose) -> tuple[dict[str, Any], list[int], list[float]]:
        """A whole game: the end, final VP and win shares."""
        self.choose = choose
        seats = self.twin.play()["seats"]
        final, shares = [s["vp_final"] for s in seats], [s["win_share"] for s in seats]
        return script.describe(self.twin), final, shares


class Engine:
    """A game on the compiled engine."""

    def __init__(self, players: int, seed: int, overrides: dict[str, Any] | None = None) -> None:
        self.engine = registry.load("skull_canyon")
        resolved = rules.load("skull_canyon", overrides=overrides or {})
        self.players, self.seed, self.vocabularies = players, seed, resolved.vocabularies
        self.record = resolved.record[0]
        self.position = self.engine.game.module("position")
        entries = self.engine.entries
        self.state, self.work = entries.new_state(), entries.new_work()
        self.events = entries.new_events(0)

    def start(self) -> dict[str, Any]:
        """The table after setup."""
        entries = self.engine.entries
        entries.start(
            self.state, self.record, self.work, self.events, entries.no_treatments(),
            self.players, self.seed, 0,
        )  # fmt: skip
        return self._describe()

    def _describe(self) -> dict[str, Any]:
        return self.position.describe(self.state, self.record, self.vocabularies)

    def play(self, choose: Choose) -> tuple[dict[str, Any], list[int], list[float]]:
        """A whole game: the end, final VP and win shares."""
        self.start()
        entries, words = self.engine.entries, self.engine.words
        while not self.state["over"]:
            codes = self.work["options"][: int(self.work["n_options"])]
            tokens = [
                words.action(self.state, self.record, self.work, int(code), self.vocabularies)
                for code in codes
            ]
            point = words.question(int(self.state["phase"]))
            token = choose(int(self.state["to_move"]), point, tokens)
            code = int(codes[tokens.index(token)])
            entries.apply(self.state, self.record, self.work, self.events, code)
        game, seats = entries.new_rows()
        entries.finish(self.state, self.record, game, seats)
        final = [int(score) for score in seats["score"][: self.players]]
        return self._describe(), final, [float(s) for s in seats["win_share"][: self.players]]


TABLES = pytest.mark.parametrize("table", [Twin, Engine])
COUNTS = pytest.mark.parametrize("players", [2, 3, 4])


def _cards(table: dict[str, Any]) -> Counter[str]:
    """All cards, wherever they are."""
    cards = Counter(table["deck"]) + Counter(card for card in table["row"] if card)
    cards += Counter(table["discards"])
    for seat in table["seats"].values():
        cards += Counter(seat["hand"])
    return cards


@TABLES
@COUNTS
@rule("SC-SETUP-01", "SC-SETUP-03", "SC-SETUP-04", "SC-SETUP-05", "SC-SETUP-10")
def test_players_start_at_the_base_with_seven_cards(table: Any, players: int) -> None:
    start = table(players, 1).start()

    assert (start["first"], start["day"], start["tracker"], start["yeti"]) == (0, 1, 4, "cave")
    assert len(start["seats"]) == players
    for seat in start["seats"].values():
        assert (seat["node"], seat["vp"], seat["fame"], seat["markers"]) == ("L1", 0, 0, 16)
        assert (seat["gear"], seat["explosives"], seat["tickets"]) == ([], 0, 0)
        assert sum(seat["hand"].values()) == 7


@TABLES
@COUNTS
@rule("SC-SETUP-02")
def test_the_scoreboard_is_empty_at_first(table: Any, players: int) -> None:
    assert not any(table(players, 2).start()["stacks"].values())


@TABLES
@COUNTS
@rule("SC-SETUP-07", "SC-SCOPE-03", "SC-SCOPE-05")
def test_style_markers_lie_on_all_spaces_and_the_rest_in_the_supply(
    table: Any, players: int
) -> None:
    for seed in range(5):
        start = table(players, seed).start()
        assert set(start["style"]) == STYLE_SPACES[min(players, 3)]
        assert len(start["supply"]) == (3 if players == 2 else 0)
        markers = Counter(start["style"].values()) + Counter(start["supply"])
        assert markers == dict.fromkeys(STYLES, 2)


@TABLES
@rule("SC-SETUP-06")
def test_day_one_is_sunny_and_all_pairs_of_weather_follow(table: Any) -> None:
    starts = [table(2, seed).start()["weather"] for seed in range(80)]

    assert {weather[0] for weather in starts} == {"sunny"}
    assert len({tuple(weather[1:]) for weather in starts}) == 9


@TABLES
@rule("SC-SCOPE-08", "SC-SETUP-06")
def test_weather_can_be_forced(table: Any) -> None:
    forced = ["sunny", "icy", "snowy"]

    assert table(3, 3, {"weather.force": forced}).start()["weather"] == forced


@TABLES
@rule("SC-SETUP-08")
def test_four_gear_cards_lie_open(table: Any) -> None:
    rows = [table(4, seed).start()["gear_row"] for seed in range(20)]

    assert all(len(set(row)) == 4 for row in rows)
    assert len({card for row in rows for card in row}) > 8


@TABLES
@COUNTS
@rule("SC-SETUP-09", "SC-SETUP-10")
def test_the_slope_deck_has_120_cards(table: Any, players: int) -> None:
    start = table(players, 4).start()

    assert Counter(_cards(start).values()) == {7: 15, 15: 1}
    assert len(start["deck"]) + sum(start["discards"].values()) == 120 - 4 - 7 * players


@TABLES
@rule("SC-SETUP-09", "SC-DECK-05")
def test_the_row_is_reset_in_setup_as_often_as_it_takes(table: Any) -> None:
    """Half the deck are Yetis: many rows of setup are sent away, whole."""
    half = {"deck.custom": [60] + [0] * 14 + [60]}
    starts = [table(4, seed, half).start() for seed in range(40)]

    assert all(start["row"].count("ZZ") < 3 for start in starts)
    resets = [sum(start["discards"].values()) for start in starts]
    assert {count % 4 for count in resets} == {0}
    assert max(resets) >= 8
    for start in starts:
        assert _cards(start) == {"RS": 60, "ZZ": 60}


@rule("SC-SETUP-09", "SC-SETUP-10", "SC-DECK-05")
def test_example_one_of_the_specification() -> None:
    """SC-EX-01: a reset in setup, then the hands are dealt seat by seat."""

    class Chance(reference.RandomChance):
        def slope_deck(self, cards: list[str]) -> list[str]:
            top = ["ZZ", "ZZ", "ZZ", "RS", "YL", "BM", "RC", "BP"] + ["YS"] * 7 + ["YC"] * 7
            left = Counter(cards)
            left.subtract(top)
            return top + list(left.elements())

    twin = reference.Twin(reference.resolve(None, 2), 2, lambda *_: "", Chance(1))
    twin.set_up()

    assert twin.row == ["YL", "BM", "RC", "BP"]
    assert twin.discards == {"ZZ": 3, "RS": 1}
    assert [seat.hand for seat in twin.seats] == [{"YS": 7}, {"YC": 7}]


def _train_only(seat: int, point: str, options: list[str]) -> str:
    """Train from the deck while it lasts, then from the row; straight to the Hotel, buy nothing."""
    wanted = {
        "ACT": ["train", "end"], "TAKE": ["deck"], "MOVE": ["hotel"], "GEAR": ["none"],
        "LODGE": ["L1"],
    }[point]  # fmt: skip
    for token in wanted:
        if token in options:
            return token
    return options[0] if options[0] != "stop" else options[1]


@TABLES
@rule("SC-DAY-01", "SC-DAY-02", "SC-DAY-03", "SC-DAY-05", "SC-NEXT-01", "SC-END-06", "SC-DECK-02")
def test_example_eleven_of_the_specification(table: Any) -> None:
    """SC-EX-11: four players who only Train empty the deck, and three share the win."""
    forced = {"weather.force": ["sunny", "icy", "snowy"]}
    seed = next(s for s in range(50) if "ZZ" not in table(4, s, forced).start()["row"])

    end, final, shares = table(4, seed, forced).play(_train_only)

    hands = [sum(end["seats"][str(seat)]["hand"].values()) for seat in range(4)]
    assert hands == [27, 31, 31, 31]
    assert final == [0, 0, 0, 0]
    assert shares == [0, pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(1 / 3)]


def _idle(seat: int, point: str, options: list[str]) -> str:
    """Nobody ever acts; all go straight to the Hotel without buying."""
    return {"ACT": "end", "MOVE": "hotel", "GEAR": "none", "LODGE": options[0]}[point]


@TABLES
@COUNTS
@rule("SC-DAY-01", "SC-HOTEL-01", "SC-END-05", "SC-END-06", "SC-END-07")
def test_nobody_acts_and_all_share_the_win(table: Any, players: int) -> None:
    turns: list[int] = []

    def choose(seat: int, point: str, options: list[str]) -> str:
        if point == "ACT":
            turns.append(seat)
        return _idle(seat, point, options)

    forced = {"weather.force": ["sunny", "snowy", "icy"]}
    end, final, shares = table(players, 5, forced).play(choose)

    assert final == [0] * players
    assert shares == [pytest.approx(1 / players)] * players
    assert [sum(seat["hand"].values()) for seat in end["seats"].values()] == [16] * players
    order = [
        (day + step) % players for day in range(3) for _ in range(4) for step in range(players)
    ]
    assert turns == order


@TABLES
@COUNTS
@rule("SC-DEC-04", "SC-DEC-10", "SC-DEC-17", "SC-TURN-05")
def test_nothing_else_is_asked(table: Any, players: int) -> None:
    """No point beyond the listed ones: no change of fame tokens, no refusal of fame or VP."""
    met: set[str] = set()
    for seed in range(12):
        coin = random.Random(seed)

        def choose(seat: int, point: str, options: list[str], coin: Any = coin) -> str:
            met.add(point)
            assert len(set(options)) == len(options) >= 2
            return coin.choice(options)

        table(players, seed).play(choose)

    assert met <= POINTS
    assert len(met) >= 13


@TABLES
@COUNTS
@rule("SC-NEXT-02", "SC-CLAIM-05", "SC-DECK-03", "SC-YETI-03")
def test_cards_markers_and_styles_are_kept(table: Any, players: int) -> None:
    for seed in range(8):
        coin = random.Random(100 + seed)
        end, final, shares = table(players, seed).play(
            lambda seat, point, options, c=coin: c.choice(options)
        )
        assert Counter(_cards(end).values()) == {7: 15, 15: 1}
        assert Counter(end["style"].values()) + Counter(end["supply"]) == dict.fromkeys(STYLES, 2)
        placed = Counter(seat for stack in end["stacks"].values() for seat in stack)
        for seat in range(players):
            assert end["seats"][str(seat)]["markers"] + placed[seat] == 16
        assert end["yeti"] not in ("fortress", "sunshine_express")
        assert sum(shares) == pytest.approx(1)
        assert max(final) == max(f for f, share in zip(final, shares, strict=True) if share)
