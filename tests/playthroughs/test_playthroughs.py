"""Golden games in words, one file each, that a reader of the rulebook can check.

`pytest tests/playthroughs --update-playthroughs` writes them anew; look at what changed.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import simulate
from simulate import jit, registry

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
DOCS = HERE.parents[1] / "docs"

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="whole games need compiled code")

_spec = importlib.util.spec_from_file_location("referee", HERE / "referee.py")
assert _spec is not None
assert _spec.loader is not None
referee = importlib.util.module_from_spec(_spec)
sys.modules["referee"] = referee
_spec.loader.exec_module(referee)

MIXED = "finisher,random,builder,drafter"
GAMES: dict[str, dict[str, dict[str, Any]]] = {
    "biathlon": {
        "default": {},
        "one-skier": {"players": 1, "layout": "mini_one"},
        "two-players": {"players": 2},
        "three-players-hills": {"players": 3, "layout": "hilly_short"},
        "five-players": {"players": 5, "layout": "mini_one"},
        "slides-and-chains": {
            "game_id": 32, "players": 5, "layout": "mini_one",
            "lineup": "opportunist,random,drafter,random,opportunist",
        },
        "long-race": {"players": 3, "layout": "long_three", "lineup": "marksman,builder,pacer"},
        "advanced-nations": {
            "game_id": 6, "nations": "advanced", "lineup": MIXED, "layout": "hills_apart",
        },
        "nations-chosen": {
            "players": 5, "variant": ["nations_chosen", "mixed"], "layout": "mini_one",
            "lineup": "random,builder,marksman,random,finisher",
        },
        "random-answers": {
            "game_id": 6, "players": 5, "lineup": "random", "layout": "mini_one",
        },
        "any-shot-again": {
            "game_id": 9, "players": 3, "variant": ["reroll_target_any_shot_this_turn"], "layout": "mini_one",
            "lineup": "random,marksman,random",
        },
        "part-of-a-draft": {
            "variant": ["draft_extent_prefix"], "layout": "mini_one", "lineup": "random",
        },
    },
    "skull_canyon": {
        "default": {"game_id": 295},
        "three-players": {"players": 3},
        "two-players": {"players": 2},
        "random-answers": {"lineup": "random"},
        "rough-mountain": {
            "game_id": 2, "lineup": "avalanche_maker,socialite,gear_baron,weather_reader",
        },
    },
    "pistengaudi": {
        "default": {},
        "two-players": {"players": 2, "game_id": 3},
        "three-players": {"players": 3, "lineup": "random"},
        "five-players": {"players": 5, "lineup": "random", "game_id": 3},
        "throws-may-be-passed": {
            "variant": ["snowball_optional", "groomer_optional"], "lineup": "random",
            "game_id": 5,
        },
        "cards-leave-the-game": {
            "variant": ["unplaceable_out", "half_width_6", "long_hedge"], "lineup": "random",
            "game_id": 9,
        },
        "cards-go-under-the-stack": {
            "variant": ["half_width_6", "long_hedge"], "lineup": "random", "game_id": 9,
        },
        "moved-down": {
            "lineup": "random", "treatment": {"step_down_round": 3}, "target": "all",
        },
        "signs-drawn-anew": {
            "lineup": "random", "treatment": {"random_signs": 1}, "target": "all",
        },
    },
}  # fmt: skip
OTHER_RULINGS = ("any-shot-again", "part-of-a-draft")  # the referee knows the default rulings

FIELDS: dict[str, set[str]] = {
    "game": {
        "game", "rules_version", "game_id", "block", "cell", "seed", "players", "rules",
        "rules_digest", "engine", "rules_changed", "rules_in_full",
        "strategies", "treatment", "treated_seats",
    },
    "ask": {"seat", "question", "options", "chosen"},
}  # fmt: skip
BIATHLON_FIELDS: dict[str, set[str]] = {
    **FIELDS,
    "setup": {"seat", "nation", "player"},
    "wax_laid": {"seat", "slot", "token"},
    "marker": {"seat"},
    "round": {"round"},
    "roll": {"seat", "face"},
    "die_back": {"seat", "face", "why"},
    "place": {"seat", "face", "where"},
    "turn": {"seat", "kind"},
    "wax": {"seat", "slot", "token", "branch", "window", "printed"},
    "flip_back": {"seat", "slot"},
    "take": {"seat", "column", "dice", "star", "how"},
    "pay": {"seat", "marker", "from", "to", "why"},
    "move": {"seat", "steps", "dice", "plus", "sprint_moves", "sprinting"},
    "step": {"seat", "code", "from", "to"},
    "draft": {"seat", "leader", "level", "taken", "steps"},
    "slide": {"seat", "steps", "cost"},
    "shot": {"seat", "target", "colour", "face", "hit", "reroll"},
    "lap": {"seat", "miss", "owed"},
    "five_shots_made": {"seat", "misses", "laps", "owed"},
    "finish": {"seat", "place"},
    "collapse": {"seat", "at"},
    "reroll": {"seat", "face"},
    "turn_end": {"seat", "dice_available", "tokens_unused", "stamina", "at"},
    "over": {"winner"},
    "uphill": {"seat", "lost"},
}


@lru_cache
def fields_of(game: str) -> dict[str, set[str]]:
    """Fields of each kind of event: biathlon's stand here, other games' in their page."""
    if game == "biathlon":
        return BIATHLON_FIELDS
    page = (DOCS / f"events-{game}.md").read_text(encoding="utf-8")
    found = {}
    for kind, body in re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", page, re.M | re.S):
        table = body.split("| field | type | meaning |")[1].split("\n\n")[0]
        cells = [line.split("|")[1] for line in table.splitlines()[2:]]
        found[kind] = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    return found


@lru_cache(maxsize=64)
def told(game: str, name: str) -> Any:
    """A golden game, played anew."""
    options = dict(GAMES[game][name])
    number = options.pop("game_id", 0)
    options = {"seed": 7, "equal": False, **options}
    return simulate.replay(game, number, **options).play()


def _cases() -> list[tuple[str, str]]:
    return [(game, name) for game, games in GAMES.items() for name in games]


def _events(game: str) -> list[dict[str, Any]]:
    """All events of all golden games, through JSON and back."""
    return [
        json.loads(json.dumps(event, ensure_ascii=False))
        for name in GAMES[game]
        for event in told(game, name).events
    ]


@pytest.mark.parametrize(("game", "name"), _cases())
def test_game_is_told_as_it_was(game: str, name: str, pytestconfig: pytest.Config) -> None:
    """The same words, line by line."""
    file = GOLDEN / game / f"{name}.txt"
    text = told(game, name).text() + "\n"
    if pytestconfig.getoption("--update-playthroughs"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    golden = file.read_text(encoding="utf-8")

    for number, (here, there) in enumerate(
        zip(text.splitlines(), golden.splitlines(), strict=False), start=1
    ):
        assert here == there, f"{file.name}, line {number}"
    assert len(text.splitlines()) == len(golden.splitlines())


def test_every_game_has_golden_games() -> None:
    """None is missing, and no file is left over."""
    assert set(GAMES) == set(registry.names())
    for game, games in GAMES.items():
        assert {file.stem for file in (GOLDEN / game).glob("*.txt")} == set(games)


@pytest.mark.parametrize("game", list(GAMES))
def test_every_event_and_question_is_told(game: str) -> None:
    """Whatever the game's words know occurs in a golden game."""
    words = registry.load(game).words
    events = _events(game)

    assert {event["event"] for event in events} == {"game", "ask", *words.EVENT_NAMES}
    asked = {event["question"] for event in events if event["event"] == "ask"}
    assert asked == set(words.QUESTIONS)


def test_golden_games_cover_modes_and_ways() -> None:
    """Branches that one word hides: stars, payments, windows, branches, rerolls, chains, ends."""
    events = _events("biathlon")

    def seen(kind: str, key: str) -> set[Any]:
        return {event[key] for event in events if event["event"] == kind}

    assert seen("take", "star") == {"none", "counted", "back", "flip"}
    assert seen("take", "how") == {"main", "paid", "free"}
    assert seen("pay", "why") == {"column", "entry", "entry while drafting", "slide", "wax"}
    assert seen("wax", "window") == {1, 2, 3, 4}
    assert seen("wax", "branch") == {"a", "b"}
    assert seen("wax", "printed") == {True, False}
    assert {1, 2, 3, 4, 5, 6, 7, 8} <= seen("wax", "token")
    assert seen("shot", "reroll") == {True, False}
    assert seen("shot", "colour") == {"green", "yellow", "red", "blue"}
    assert seen("draft", "taken") == {True, False}
    assert {1, 2} <= seen("draft", "level")
    assert set("P12FABLR") <= seen("step", "code")
    assert seen("die_back", "why") == {"blue", "no place"}
    assert seen("turn", "kind") == {"move", "shoot"}
    stars = {f"star{column}" for column in range(1, 5)}
    assert {*stars, "sprint"} <= seen("place", "where")
    nations = seen("setup", "nation")
    assert {"Finland", "Italy", "United Kingdom", "Norway"} <= nations


@pytest.mark.parametrize(("game", "name"), _cases())
def test_json_lines_have_their_fields(game: str, name: str) -> None:
    """Every object has the fields of its kind, and no other."""
    for event in told(game, name).events:
        line = json.dumps(event, ensure_ascii=False, allow_nan=False)
        found = json.loads(line)
        assert found == event
        assert "\n" not in line
        assert set(found) - {"event"} == fields_of(game)[found["event"]], found


@pytest.mark.skipif(
    not (DOCS / "events-biathlon.md").is_file(), reason="the schema is not documented yet"
)
def test_documented_schema_names_every_event_and_field() -> None:
    """docs/events-biathlon.md leaves none out."""
    text = (DOCS / "events-biathlon.md").read_text(encoding="utf-8")
    for kind, fields in BIATHLON_FIELDS.items():
        assert f"`{kind}`" in text
        for name in fields:
            assert f"`{name}`" in text, (kind, name)


# ---------------------------------------------------------------- the referee


def table_of(event: dict[str, Any]) -> Any:
    """What lies on the table, as the first event tells it."""
    data = event["rules_in_full"]
    nations = data["nations"]["table"]
    short = data["mode"]["race"] == "short"
    return referee.Table(
        rows=data["course"]["rows"],
        lanes=data["course"]["lanes"],
        start_level=data["stamina"]["start_short" if short else "start_top"],
        colours={name: row["stamina"] for name, row in nations.items()},
        full_at={name: row["full_at"] for name, row in nations.items()},
        special={name: row["special_box"] for name, row in nations.items()},
        tokens=data["wax"]["tokens"],
        hits=data["dice"]["shoot"]["hits"],
    )


def referee_of(events: list[dict[str, Any]]) -> Any:
    """A referee that has watched a game."""
    told_events = json.loads(json.dumps(events))
    watching = referee.Referee(table_of(told_events[0]))
    watching.watch(told_events)
    return watching


@pytest.mark.parametrize("name", [name for name in GAMES["biathlon"] if name not in OTHER_RULINGS])
def test_a_referee_agrees_with_every_golden_game(name: str) -> None:
    """From the events alone: dice, stamina, wax, shots, places, and the totals of each turn."""
    events = told("biathlon", name).events
    watching = referee_of(events)

    assert watching.faults == []
    assert watching.checked == sum(event["event"] == "turn_end" for event in events) > 0


@pytest.mark.parametrize("number", range(24))
def test_a_referee_agrees_with_games_as_they_come(number: int) -> None:
    """Other seeds, courses, nations and line-ups, many of them random."""
    layouts = ("starter", "hilly_short", "mini_one", "long_three", "hills_together", "random")
    names = registry.book("biathlon").names()
    players = 2 + number % 4
    line = [
        names[(number * 5 + seat) % len(names)] if seat % 2 else "random" for seat in range(players)
    ]
    options: dict[str, Any] = {
        "players": players,
        "lineup": ",".join(line),
        "layout": layouts[number % len(layouts)],
        "nations": ("basic", "advanced", "mixed")[number % 3],
        "seed": 100 + number,
        "variant": [["wax_varied"], ["wax_single"], []][number % 5 % 3],
    }
    played = simulate.replay("biathlon", number, **options).play()

    assert referee_of(played.events).faults == []


@pytest.mark.parametrize(
    ("kind", "key", "by"),
    [
        ("roll", "face", 1), ("pay", "from", 1), ("take", "dice", 1), ("move", "steps", 1),
        ("shot", "hit", 1), ("five_shots_made", "misses", 1), ("turn_end", "dice_available", 1),
        ("turn_end", "stamina", -1), ("turn_end", "tokens_unused", 1), ("finish", "place", 1),
        ("round", "round", 1), ("marker", "seat", 1),
    ],
)  # fmt: skip
def test_a_referee_notices_what_is_wrong(kind: str, key: str, by: int) -> None:
    """One changed number of one event is a fault."""
    events = json.loads(json.dumps(told("biathlon", "default").events))
    found = [event for event in events if event["event"] == kind]
    event = found[len(found) // 2]
    event[key] = event[key] % 6 + 1 if kind == "roll" else event[key] + by
    if key == "hit":
        event[key] = not (event[key] - 1)

    assert referee_of(events).faults
