"""Skull Canyon's events suffice to check a game from the rulebook: an outside referee does."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import simulate
from simulate import jit, registry

HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="whole games need compiled code")

_spec = importlib.util.spec_from_file_location(
    "referee_skull_canyon", HERE / "referee_skull_canyon.py"
)
assert _spec is not None
assert _spec.loader is not None
referee = importlib.util.module_from_spec(_spec)
sys.modules["referee_skull_canyon"] = referee
_spec.loader.exec_module(referee)

GAMES: dict[str, dict[str, Any]] = {
    "four-at-random": {"lineup": "random"},
    "three-at-random": {"lineup": "random", "players": 3, "game_id": 3},
    "two-at-random": {"lineup": "random", "players": 2, "game_id": 1},
    "two-players": {"players": 2, "lineup": "claim_jumper,gear_baron"},
    "three-players": {"players": 3, "lineup": "socialite,expert_hunter,groomer"},
    "shoppers": {"lineup": "gear_baron,socialite,gear_baron,weather_reader", "game_id": 2},
    "avalanches": {"lineup": "avalanche_maker,claim_jumper,avalanche_maker,racer", "game_id": 4},
    "another-board": {"lineup": "racer,random,all_rounder,groomer", "set": ["board.layout=wide_bowl_34"]},
    "half-the-deck-are-yetis": {"lineup": "random", "set": ["deck.set=even45"]},
    "a-small-deck": {
        "lineup": "random,gear_baron,random,socialite",
        "set": ["deck.copies_per_pair=3", "deck.yetis=15"],
    },
    "all-gear-is-cheap": {
        "lineup": "gear_baron,random,gear_baron,socialite",
        "set": [f"gear.cards.{name}.cost=1" for name in ("ramp", "night_goggles", "season_pass", "ski_poles")],
    },
}  # fmt: skip


@lru_cache
def told(name: str) -> str:
    """The JSON Lines of a game."""
    options = dict(GAMES[name])
    number = options.pop("game_id", 0)
    options = {"seed": 11, "equal": False, **options}
    events = simulate.replay("skull_canyon", number, **options).play().events
    return "\n".join(json.dumps(event) for event in events)


def events_of(name: str) -> list[dict[str, Any]]:
    """Its events, to be changed at will."""
    return [json.loads(line) for line in told(name).splitlines()]


def watched(events: list[dict[str, Any]]) -> Any:
    """A referee that has watched a game."""
    watching = referee.Referee()
    watching.watch(events)
    return watching


@pytest.mark.parametrize("name", list(GAMES))
def test_a_referee_agrees_with_a_game(name: str) -> None:
    """Cards, hands, VP, fame, claims, tokens, places, options and the final score."""
    events = events_of(name)
    watching = watched(events)

    assert watching.faults == []
    totals = ("vp", "fame", "turn_end", "result")
    assert watching.checked == sum(event["event"] in totals for event in events) > 0


@pytest.mark.parametrize("number", range(16))
def test_a_referee_agrees_with_games_as_they_come(number: int) -> None:
    """Other seeds, player counts, boards, decks, gear sets and line-ups, many of them random."""
    players = 2 + number % 3
    names = registry.book("skull_canyon").names()
    line = [
        names[(number * 5 + seat) % len(names)] if seat % 2 else "random" for seat in range(players)
    ]
    boards = (
        ("canyon_2", "ladder_2")
        if players == 2
        else ("canyon_34", "twin_peaks_34", "long_spine_34", "wide_bowl_34")
    )
    settings = [
        f"board.layout={boards[number % len(boards)]}",
        f"deck.set={('even15', 'even30', 'even45')[number % 3]}",
        f"gear.set={('assumed-16', 'named-12', 'named-13')[number // 3 % 3]}",
        f"village.slots={('default', 'open', 'tight')[number // 2 % 3]}",
        f"board.heights={('level', 'drawn')[number % 2]}",
    ]  # fmt: skip
    played = simulate.replay(
        "skull_canyon", number, players=players, lineup=",".join(line), seed=300 + number,
        set=settings,
    ).play()  # fmt: skip

    assert watched(json.loads(json.dumps(played.events))).faults == []


def test_the_games_show_every_event() -> None:
    """No kind of event is left unwatched."""
    seen = {event["event"] for name in GAMES for event in events_of(name)}

    assert seen == {"game", "ask", *registry.load("skull_canyon").words.EVENT_NAMES}


CHANGES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "deal": lambda e: {"card": "RS" if e["card"] != "RS" else "BP"},
    "row_fill": lambda e: {"card": "RS" if e["card"] != "RS" else "BP"},
    "take": lambda e: {"card": "RS" if e["card"] != "RS" else "BP"},
    "shuffle": lambda e: {"order": [*e["order"][1:], "ZZ" if e["order"][0] != "ZZ" else "RS"]},
    "turn_start": lambda e: {"seat": (e["seat"] + 1) % 4},
    "turn_end": lambda e: {"unused": e["unused"] + 1},
    "ride": lambda e: {"to": e["from"]},
    "ski": lambda e: {"size": e["size"] + 1},
    "yeti": lambda e: {"to": e["from"]},
    "vp": lambda e: {"delta": e["delta"] + 1},
    "fame": lambda e: {"total": e["total"] - 1},
    "claim": lambda e: {"depth": e["depth"] + 1},
    "avalanche": lambda e: {"seat": (e["seat"] + 1) % 4},
    "slide": lambda e: {"to": e["from"]},
    "token": lambda e: {"supply": e["supply"] + 1},
    "track": lambda e: {"seat": (e["seat"] + 1) % 4},
    "visit": lambda e: {"slot": e["slot"] + 1},
    "pay": lambda e: {"seat": (e["seat"] + 1) % 4, "card": "none"},
    "swap": lambda e: {"other_style": e["style"]},
    "hotel": lambda e: {"draws": e["draws"] + 1},
    "gear": lambda e: {"price": e["price"] + 1},
    "lodge": lambda e: {"node": "W1"},
    "award": lambda e: {"vp": e["vp"] + 1},
    "result": lambda e: {"won": not e["won"]},
    "tracker": lambda e: {"tracker": e["tracker"] + 1},
    "ask": lambda e: {"options": [*e["options"], "fly"]},
}


@pytest.mark.parametrize("kind", list(CHANGES))
def test_a_referee_notices_what_is_wrong(kind: str) -> None:
    """One changed event is a fault."""
    events = events_of("shoppers")
    found = [
        event for event in events
        if event["event"] == kind and event.get("question", "ACT") == "ACT"
    ]  # fmt: skip
    event = found[len(found) // 2]
    event.update(CHANGES[kind](event))

    assert watched(events).faults


@pytest.mark.parametrize(
    "kind", ["row_fill", "take", "vp", "fame", "claim", "slide", "token", "visit", "award", "yeti"]
)
def test_a_referee_misses_what_is_left_out(kind: str) -> None:
    """One event that is not told is a fault: events suffice, and none is superfluous."""
    events = events_of("shoppers")
    places = [index for index, event in enumerate(events) if event["event"] == kind]
    del events[places[len(places) // 2]]

    assert watched(events).faults
