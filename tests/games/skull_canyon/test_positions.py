"""Positions out of a hat, played on by the engine and by the slow twin, which must agree.

Whole games of random answers seldom come to hands of many Yetis, a rival with Heated Gloves on a
stack, or a deck that runs out; these positions begin there. Compared are every list of options,
every position at a question, and what the records count of it all.
"""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from simulate import registry, rules

POSITIONS = 64
CHUNK = 4
BLOCKED, SETS = 90, 30  # sets that free a run from the Yeti
ROOM = 4000  # events between two questions
GO_ON = 0.9  # share of the questions at which a turn is not ended

# Numbers of the rules that change now and then, beside the switches.
NUMBERS: dict[str, list[Any]] = {
    "train.cards": [1, 3],
    "steal.per_marker": [2],
    "yeti.avalanche_from": [1, 3],
    "row.yeti_reset": [2, 4],
    "bonus.style_factor": [3],
    "bonus.waning": [2],
    "bonus.waning_tracker": [2],
    "fame.per_vp": [2],
    "weather.lodge.icy": ["any"],
    "run.easy.cards": [1, 3],
    "run.expert.cards": [5],
    "village.happy_hour.yeti_counts": [3],
    "village.yodeling.gain_explosives": [2],
    "village.ski_swap.gain_tickets": [2],
    "token.explosives": [4],
    "token.tickets": [4],
}
NOT_COUNTED = {"min_deck"}  # a position does not tell how large its deck was


def _load(name: str) -> ModuleType:
    """Another test file of this folder."""
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"positions_{name}", path)
    assert spec is not None and spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


twins = _load("test_twin")
script, reference = twins.script, twins.reference


# ------------------------------------------------------------------------------- the hat
def rules_of(coin: random.Random, players: int) -> dict[str, Any]:
    """A random legal variant, with other numbers here and there."""
    found: dict[str, Any] = twins.overrides_of(coin, players, switches=True)
    for name, values in NUMBERS.items():
        if coin.random() < 0.15:
            found[name] = coin.choice(values)
    return found


def cards_of(coin: random.Random, palette: list[str], count: int) -> list[str]:
    """Cards of few types, so that sets and ties come up."""
    return [coin.choice(palette) for _ in range(count)]


def row_of(coin: random.Random, palette: list[str], size: int, yetis: int) -> list[str]:
    """A row that need not be reset."""
    row: list[str] = []
    while len(row) < size:
        card = coin.choice(palette)
        if card != reference.YETI or row.count(card) + 1 < yetis:
            row.append(card)
    return row


def seat_of(coin: random.Random, nodes: list[str], palette: list[str], gear: list[str]) -> Any:
    """What lies in front of a player."""
    hand = cards_of(coin, palette, coin.choice([0, 1, 2, 4, 6, 8, 11]))
    return {
        "node": coin.choice(nodes),
        "fame": coin.choice([0, 0, 1, 2, 3, 7]),
        "vp": coin.randrange(4),
        "hand": {card: hand.count(card) for card in set(hand)},
        "gear": coin.sample(gear, coin.choice([0, 1, 2, 4, 6])),
        "explosives": coin.choice([0, 0, 1]),
        "tickets": coin.choice([0, 0, 1]),
        "markers": coin.choice([0, 1, 2, 16, 16]),
    }


def start_of(coin: random.Random, players: int, resolved: dict[str, Any]) -> dict[str, Any]:
    """A position in the form of scripted cases; cards lie as SC-DECK-01 to -06 leave them."""
    runs = [run["id"] for run in resolved["board"]["runs"]]
    nodes = list(resolved["board"]["nodes"])
    palette = [*coin.sample(reference.TYPES, coin.randint(3, 7)), reference.TYPES[0]]
    palette += [reference.YETI] * coin.randint(1, 3)
    gear = [name for name, card in resolved["gear"]["cards"].items() if card["buyable"]]
    row = row_of(coin, palette, resolved["setup"]["row"], resolved["row"]["yeti_reset"])
    deck = cards_of(coin, palette, coin.choice([0, 1, 2, 3, 6, 12, 30]))
    laid = cards_of(coin, palette, coin.choice([0, 1, 3, 8]))
    if not deck and (resolved["rules"]["reshuffle"] == "when_empty" or coin.random() < 0.5):
        laid = []
        row = [card if coin.random() < 0.6 else "" for card in row]
    days = resolved["game"]["days"]
    return {
        "day": coin.randint(1, days),
        "tracker": coin.choice([1, 1, 2, 4]),
        "first": coin.randrange(players),
        "yeti": coin.choice(["cave", *runs]),
        "stacks": {
            run: [coin.randrange(players) for _ in range(coin.randint(1, 3))]
            for run in runs
            if coin.random() < 0.4
        },
        "style": {run: coin.choice(reference.STYLES) for run in runs if coin.random() < 0.5},
        "supply": [coin.choice(reference.STYLES) for _ in range(coin.choice([0, 1, 3]))],
        "weather": [coin.choice(["sunny", "icy", "snowy"]) for _ in range(days)],
        "deck": deck,
        "row": [card or None for card in row],
        "discards": {card: laid.count(card) for card in set(laid)},
        "gear_row": coin.sample(list(resolved["gear"]["cards"]), 4),
        "gear_deck": coin.sample(gear, coin.choice([0, 2, 5])),
        "seats": [seat_of(coin, nodes, palette, gear) for _ in range(players)],
    }


def runs_of(coin: random.Random, players: int, day: int, days: int) -> list[dict[str, Any]]:
    """Turns, the night, the evening and the next morning if there is one, turns, the score."""
    turns = [{"what": "turn", "seat": coin.randrange(players)} for _ in range(players + 1)]
    night = [{"what": "day_end", "seats": []}]
    return [*turns, *night, *([{"what": "village_next"}] if day < days else []), *turns[:1],
            {"what": "score"}]  # fmt: skip


# ------------------------------------------------------------------------------- both tables
class Pair:
    """A position on the engine and on the twin."""

    def __init__(self, number: int) -> None:
        self.coin = coin = random.Random(number)
        players = coin.choice([2, 3, 4])
        self.overrides = overrides = self.variant(coin, players)
        self.engine = registry.load("skull_canyon")
        layout = overrides.get(self.engine.game.layout_key)
        plain = {k: v for k, v in overrides.items() if k != self.engine.game.layout_key}
        resolved = reference.resolve(plain, players, layout)
        self.start = start_of(coin, players, resolved)
        self.runs = runs_of(coin, players, self.start["day"], resolved["game"]["days"])
        self.prepare(coin, resolved)

        read = rules.load("skull_canyon", overrides=overrides)
        self.record, self.vocabularies = read.record[0], read.vocabularies
        self.position = self.engine.game.module("position")
        case = {"players": players, "start": self.start, "run": self.runs}
        self.state, self.work = self.position.setup(case, self.record, self.vocabularies)
        self.state["block"] = number
        self.work["feed"]["on"] = 0
        self.log = self.engine.entries.new_events(ROOM)
        self.shuffles: list[list[str]] = []
        self.twin = reference.Twin(resolved, players, self.answer, self)
        script._place(self.twin, self.start)

    def variant(self, coin: random.Random, players: int) -> dict[str, Any]:
        """The rules, as overrides."""
        return rules_of(coin, players)

    def prepare(self, coin: random.Random, resolved: dict[str, Any]) -> None:
        """Changes of the position and of what is played."""

    def choose(self, point: str, options: list[str]) -> str:
        """One of the options; the end of a turn is taken seldom."""
        going_on = [option for option in options if option != "end"]
        return self.coin.choice(going_on if self.coin.random() < GO_ON else options)

    def reshuffle(self, cards: list[str], number: int) -> list[str]:
        """Chance of the twin: the order that the engine told."""
        return self.shuffles.pop(0)

    def note(self) -> None:
        """Keep the new orders of the deck, and make room for further events."""
        rows = self.log[: int(self.state["n_events"])]
        for event in self.engine.words.events(rows, self.record, self.vocabularies):
            if event["event"] == "shuffle":
                self.shuffles.append(list(event["order"]))
        self.state["n_events"] = 0

    def describe(self) -> dict[str, Any]:
        """The engine's state in the form of scripted positions."""
        return self.position.describe(self.state, self.record, self.vocabularies)

    def answer(self, seat: int, point: str, options: list[str], seen: dict[str, Any]) -> str:
        """The twin asks: the engine must ask the same, and takes the same answer."""
        asked = self.engine.words.question(int(self.state["phase"]))
        assert (int(self.state["to_move"]), asked) == (seat, point)
        told = self.engine.words.options(self.state, self.record, self.work, self.vocabularies)
        assert sorted(told) == sorted(options)
        building = seat if point in twins.SET_POINTS else -1
        twins.same_state(script.describe(self.twin), self.describe(), building)
        token = self.choose(point, options)
        code = int(self.work["options"][told.index(token)])
        self.engine.entries.apply(self.state, self.record, self.work, self.log, code)
        self.note()
        return token

    def play(self) -> tuple[Any, Any]:
        """All runs; the engine's rows."""
        for run in self.runs:
            self.position.begin(self.state, self.record, self.work, json.dumps(run))
            self.engine.entries.resume(self.state, self.record, self.work, self.log)
            self.note()
            if run["what"] == "day_end":
                self.twin.night_step()
                self.twin.tracker = 0
                self.twin._note_day_end()
            else:
                script._run(self.twin, run)
            assert int(self.state["phase"]) < 0, f"{run}: the engine asks on"
            assert self.shuffles == []
            twins.same_state(script.describe(self.twin), self.describe())
        game, seats = self.engine.entries.new_rows()
        self.engine.entries.finish(self.state, self.record, game, seats)
        return game[0], seats


class Blocked(Pair):
    """Owners of Ramp above the Yeti, which a set of exactly one Yeti drives away (SC-SKI-01)."""

    def variant(self, coin: random.Random, players: int) -> dict[str, Any]:
        return {
            "rules.yeti_clear_own_run": True,
            "rules.ramp_yeti_counts": coin.choice([True, False]),
            "rules.claim_optional": coin.choice(["all", "none"]),
            "run.easy.cards": coin.choice([1, 2, 2]),
        }

    def prepare(self, coin: random.Random, resolved: dict[str, Any]) -> None:
        run = coin.choice([one for one in resolved["board"]["runs"] if not one["no_yeti"]])
        self.start["yeti"], self.wanted = run["id"], f"ski:{run['id']}"
        need = resolved["run"][run["difficulty"]]["cards"]
        key = coin.choice(reference.KEYS)
        fitting = [card for card in reference.TYPES[:-1] if reference.fits(card, key)]
        for seat in self.start["seats"]:
            hand = cards_of(coin, fitting[:2], max(0, need - coin.randint(0, 3)))
            hand += [reference.YETI] * coin.choice([0, 1, 1, 2, 3])
            hand += cards_of(coin, list(reference.TYPES[:-1]), coin.randint(0, 3))
            seat["hand"] = {card: hand.count(card) for card in set(hand)}
            seat["node"], seat["gear"] = run["top"], ["ramp"]
        one = coin.randrange(len(self.start["seats"]))
        self.runs = [{"what": "turn", "seat": one, "actions": 1}, {"what": "score"}]

    def choose(self, point: str, options: list[str]) -> str:
        if self.wanted in options:
            return self.wanted
        return self.coin.choice(options)


# ------------------------------------------------------------------------------- the records
def same_game(pair: Pair, row: Any, counted: dict[str, Any]) -> None:
    """The game's row is what the twin counted."""
    for name in twins.GAME_COLUMNS:
        if name not in NOT_COUNTED:
            assert int(row[name]) == counted.get(name, 0), name
    for index, run in enumerate(pair.twin.runs):
        assert int(row["ski_run"][index]) == counted["ski_" + run], run
        assert int(row["top_run"][index]) == counted["top_" + run], run
        style = pair.twin.style.get(run)
        wanted = reference.STYLES.index(style) if style else -1
        assert int(row["style_end"][index]) == wanted, run
    for index, place in enumerate(reference.PLACES):
        assert int(row["visits"][index]) == counted.get("visits_" + place, 0), place
        assert int(row["full"][index]) == counted.get("full_" + place, 0), place
    for name in ("winner_seats", "winner_no_awards"):
        assert [seat for seat in range(4) if row[name][seat]] == counted[name], name
    for day in (1, 2):
        best = counted.get(f"leader_d{day}", [])
        assert int(row[f"leader_d{day}"]) == (best[0] if len(best) == 1 else -1), day


def same_seat(pair: Pair, row: Any, counted: dict[str, Any]) -> None:
    """A seat's row is what the twin counted."""
    for name in twins.SEAT_COLUMNS:
        assert float(row[name]) == pytest.approx(counted[name], abs=1e-5), name
    gear = list(pair.vocabularies["gear"])
    owned = pair.twin.seats[int(row["seat"])].gear
    for index, card in enumerate(gear):
        assert int(row["gear_use"][index]) == counted["gear_use_" + card], card
        assert int(row["gear_owned"][index]) == owned.count(card), card
    for day in (1, 2, 3):
        for name in ("vp_d", "fame_d"):
            assert int(row[name][day - 1]) == counted.get(f"{name}{day}", -1), (name, day)
    for evening in (1, 2):
        told = counted.get(f"gear{evening}")
        assert int(row[f"gear{evening}"]) == (gear.index(told) if told else -1), evening
        assert int(row["village_pos"][evening - 1]) == counted.get(f"village_pos{evening}", -1)
        node = counted.get(f"lodge_d{evening + 1}")
        nodes = list(pair.vocabularies["nodes"])
        assert int(row[f"lodge_d{evening + 1}"]) == (nodes.index(node) if node else -1)
        for index, place in enumerate(reference.PLACES):
            visits = counted[f"place_{place}_d{evening}"]
            assert int(row[f"place_d{evening}"][index]) == visits, (place, evening)


def agree(pair: Pair, number: int) -> None:
    """Play a position on both tables and compare what was counted."""
    try:
        game, seats = pair.play()
        result = pair.twin.result
        same_game(pair, game, result["game"])
        for seat, counted in enumerate(result["seats"]):
            same_seat(pair, seats[seat], counted)
        on_runs = sum(int(row["fame_waning_runs"]) for row in seats[: len(result["seats"])])
        assert on_runs == result["game"].get("daylight_on_runs", 0)
    except AssertionError as error:
        told = f"number {number}, {pair.overrides}, {pair.start}"
        raise AssertionError(f"{error} ({told})") from error


@pytest.mark.parametrize("chunk", range(POSITIONS // CHUNK))
def test_the_twin_follows_positions_out_of_a_hat(chunk: int) -> None:
    """Options, positions and records of what is played from there."""
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        agree(Pair(number), number)


@pytest.mark.parametrize("chunk", range(BLOCKED // SETS))
def test_the_twin_follows_sets_that_drive_the_yeti_away(chunk: int) -> None:
    """Hands of about the size needed, in which one Yeti must be played and only one."""
    for number in range(chunk * SETS, (chunk + 1) * SETS):
        agree(Blocked(number), number)
