"""The slow twin plays recorded games back: same options, same slope at every decision, same rows.

The twin (``tests/reference/pistengaudi.py``) is written from the specification alone and shares
only the random streams.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulate import jit, rules
from simulate.games.pistengaudi import entries, schema, words

_path = Path(__file__).parents[2] / "reference" / "pistengaudi.py"
_spec = importlib.util.spec_from_file_location("reference_pistengaudi", _path)
assert _spec is not None and _spec.loader is not None
reference = importlib.util.module_from_spec(_spec)
sys.modules["reference_pistengaudi"] = reference
_spec.loader.exec_module(reference)

QUICK_GAMES, GAMES = 50, 300  # in every test run; with the slow ones
CHUNK = 10
MOST_ROUNDS = 14  # a slow twin and games without an end
SEEN = ("row_highest", "round", "final", "figures")
CORE_NAMES = {"n_players": "n_seats", "capped": "truncated"}
SEAT_NAMES = {"asked": "seat_asked", "forced": "seat_forced"}

Choose = Callable[[int, str, list[Any], dict[str, Any]], Any]


def overrides_of(number: int, players: int) -> dict[str, Any]:
    """The default rules in every third game, else a random legal variant."""
    coin = random.Random(number)
    found: dict[str, Any] = dict(reference.random_overrides(coin)) if number % 3 else {}
    if coin.random() < 0.1:
        found["signs.black"] = coin.choice([4, 5])
    if coin.random() < 0.1:
        found[f"draw.cards_per_turn.{players}"] = coin.choice([1, 2, 3])
    return {**found, "limits.max_rounds": MOST_ROUNDS}


def play_both(number: int) -> int:
    """Play one game in the engine; the twin follows and must agree. Number of decisions."""
    players = 2 + number % 5
    resolved = rules.load("pistengaudi", overrides=overrides_of(number, players))
    record, vocabularies = resolved.record[0], resolved.vocabularies
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    entries.start(state, record, work, events, entries.no_treatments(), players, number, number)
    bot = (reference.bot_u if number % 2 else reference.bot_n)(random.Random(number))
    decisions = 0

    def answer(seat: int, point: str, options: list[Any], seen: dict[str, Any]) -> Any:
        nonlocal decisions
        decisions += 1
        where = f"game {number}, decision {decisions}"
        asked = (int(state["to_move"]), words.question(int(state["phase"])))
        assert asked == (seat, point), where
        mine = words.options(state, record, work, vocabularies)
        assert sorted(map(str, mine)) == sorted(map(str, options)), (where, point)
        told = words.state(state, record, vocabularies)
        assert [told[name] for name in SEEN] == [seen[name] for name in SEEN], where
        assert sorted(told["cards"]) == sorted(seen["cards"]), where
        assert sorted(told["hand"]) == sorted(seen["hand"]), where
        assert sorted(told["stack"]) == sorted(seen["in_stack"]), where
        choice = bot(seat, point, options, seen)
        code = int(work["options"][mine.index(choice)])
        entries.apply(state, record, work, events, code)
        return choice

    twin = reference.Twin(
        schema.resolved(resolved.model), players, reference.SeededChance(number, number)
    )
    told = twin.play(answer)
    assert state["over"] == 1
    _same_rows(told, state, record, vocabularies, f"game {number}")
    return decisions


def _same_rows(
    told: dict[str, Any], state: Any, record: Any, vocabularies: dict[str, Any], where: str
) -> None:
    """Every column that the twin keeps."""
    game, seats = entries.new_rows()
    entries.finish(state, record, game, seats)
    for name, value in told["game"].items():
        mine = game[0][CORE_NAMES.get(name, name)]
        if name == "gap_trigger":  # the twin has one signed column, the rows have two
            mine = mine - max(game[0]["deficit_trigger"], 0)
            mine = mine if told["game"]["trigger_seat"] >= 0 else 0
        assert float(mine) == pytest.approx(float(value), abs=1e-4), (where, name)
    for seat, row in enumerate(told["seats"]):
        for name, value in row.items():
            mine = seats[seat][SEAT_NAMES.get(name, name)]
            if name == "drawn_types":
                types = vocabularies["card_types"]
                assert {types[i]: int(n) for i, n in enumerate(mine) if n} == value, (where, seat)
                continue
            wanted = -1 if value is None else value
            assert float(mine) == pytest.approx(float(wanted), abs=1e-4), (where, seat, name)


@pytest.mark.skipif(not jit.compiled(), reason="needs the speed of compiled code")
@pytest.mark.parametrize(
    "first",
    [
        *range(0, QUICK_GAMES, CHUNK),
        *(
            pytest.param(first, marks=pytest.mark.slow)
            for first in range(QUICK_GAMES, GAMES, CHUNK)
        ),
    ],
)
def test_the_twin_follows_games_of_the_engine(first: int) -> None:
    """Player counts, switches, decks, set-ups and bots in turn."""
    assert sum(play_both(number) for number in range(first, first + CHUNK)) > CHUNK
