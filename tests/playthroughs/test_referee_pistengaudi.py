"""The referee of Pistengaudi agrees with told games, and notices what is wrong in them."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import simulate
from simulate import jit, registry

HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="whole games need compiled code")

_spec = importlib.util.spec_from_file_location(
    "referee_pistengaudi", HERE / "referee_pistengaudi.py"
)
assert _spec is not None
assert _spec.loader is not None
referee = importlib.util.module_from_spec(_spec)
sys.modules["referee_pistengaudi"] = referee
_spec.loader.exec_module(referee)

SET_UPS = ("open_slope", "little_grove", "slalom_run", "timber_track", "long_hedge", "gatehouses")
CHANGES: tuple[tuple[str, ...], ...] = (
    (),
    ("rules.snowball.optional=true", "rules.groomer.optional=true"),
    ("board.half_width=6", "draw.unplaceable=out_of_game"),
    (),
    ("rules.jump.turn=free", "goal.side_entry=upper"),
    ("rules.move.full_path=free_fall", "goal.overrun=choice", "rules.empty.forgo=free"),
    ("rules.effects.on_stand_up=true", "rules.snowball.fallen_target=false"),
    ("rules.forest.scope=all_cards", "rules.move.reversal=turn"),
)
GAMES = 16
ROUNDS = "limits.max_rounds=24"  # keeps games of random answers short


@lru_cache(maxsize=GAMES)
def told(number: int) -> str:
    """A game's events as JSON: players, styles, set-ups and rulings in turn."""
    names = registry.book("pistengaudi").names()
    players = 2 + number % 5
    line = [names[(number * 5 + seat * 3) % len(names)] for seat in range(players)]
    played = simulate.replay(
        "pistengaudi", number, players=players, lineup=",".join(line), seed=300 + number,
        equal=False, set=[ROUNDS, *CHANGES[number % len(CHANGES)]],
        layout=SET_UPS[number % len(SET_UPS)],
    ).play()  # fmt: skip
    return json.dumps(played.events)


def faults_of(events: list[dict[str, Any]]) -> list[str]:
    """What a fresh referee says of a game."""
    return list(referee.Referee().watch(events))


@pytest.mark.parametrize("number", range(GAMES))
def test_a_referee_agrees_with_games_as_they_come(number: int) -> None:
    """From the events alone: slope, figures, stack, options, totals of each turn, order at the end."""
    events = json.loads(told(number))
    watching = referee.Referee()

    assert watching.watch(events) == []
    assert watching.checked["turn"] == sum(one["event"] == "turn_end" for one in events) > 0
    assert watching.checked["PG-D-PLACE"] > 0


@pytest.mark.parametrize("treatment", [{"step_down_round": 2}, {"random_signs": 1},
                                       {"mute_throws": 60, "mute_groomer": 60, "soft_falls": 60}])  # fmt: skip
def test_a_referee_agrees_with_treated_games(treatment: dict[str, int]) -> None:
    """What an experiment does is told, too."""
    played = simulate.replay(
        "pistengaudi", 3, players=4, lineup="random", seed=77, equal=False, set=[ROUNDS],
        treatment=treatment, target="all",
    ).play()  # fmt: skip

    assert faults_of(json.loads(json.dumps(played.events))) == []


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("draw", "stack", 1), ("place", "at", [30, 3]), ("place", "vetoed", 99),
        ("place", "row_highest", 9), ("step", "to", [0, 9]), ("step", "way", "left"),
        ("step", "jumps", 7), ("move", "steps", 6), ("stop", "at", [9, 9]), ("fall", "steps", 9),
        ("snowball", "target_was", "in the goal"), ("groomer", "to", [9, 9]),
        ("turn_end", "row_highest", 13), ("turn_end", "lying", "yes"), ("turn", "stack", 99),
        ("goal", "arrival", 5), ("over", "area", 7), ("rank", "rank", 9), ("round", "round", 99),
        ("take", "at", [0, 0]), ("ask", "chosen", "nothing"), ("round_end", "sole_leader", 77),
    ],
)  # fmt: skip
def test_a_referee_notices_what_is_wrong(kind: str, key: str, value: Any) -> None:
    """One changed value of one event is a fault."""
    for number in range(GAMES):
        events = json.loads(told(number))
        found = [one for one in events if one["event"] == kind and one[key] != value]
        if found:
            found[len(found) // 2][key] = value
            assert faults_of(events)
            return
    pytest.fail(f"no game has an event {kind}")


@pytest.mark.parametrize("kind", ["place", "snowball", "groomer", "stand_up", "rank", "take"])
def test_a_referee_notices_what_is_left_out(kind: str) -> None:
    """An event that is not told is missed."""
    for number in range(GAMES):
        events = json.loads(told(number))
        places = [place for place, one in enumerate(events) if one["event"] == kind]
        if places:
            del events[places[len(places) // 2]]
            assert faults_of(events)
            return
    pytest.fail(f"no game has an event {kind}")
