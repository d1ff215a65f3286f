"""The slow twin plays recorded games back: same options, same chance, same state at every decision.

The twin (``tests/reference/biathlon.py``) is written from the specification alone and shares only
the random streams.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulate import rng, rules
from simulate.games.biathlon import entries, schema, words
from simulate.games.biathlon.state import SWITCHES
from strategies.biathlon import BOOK
from strategies.book import MAX_PARAMS

_path = Path(__file__).parents[2] / "reference" / "biathlon.py"
_spec = importlib.util.spec_from_file_location("reference_biathlon", _path)
assert _spec is not None and _spec.loader is not None
reference = importlib.util.module_from_spec(_spec)
sys.modules["reference_biathlon"] = reference
_spec.loader.exec_module(reference)

LAYOUTS = ("starter", "hilly_short", "mini_one", "long_three", "ranges_adjacent", "hills_together")
HIDDEN_UNTIL_ALL_HAVE_CHOSEN = ("D-WAXPICK", "D-NATION", "D-SIX")
GAMES = 300
CHUNK = 20

Choose = Callable[[Any, Any, Any, int], int]


def _overrides(coin: random.Random, *, switches: bool) -> list[str]:
    """A random legal variant."""
    wax = coin.choice(["common", "varied", "single"])
    loadout = coin.choice(["chosen", "drawn", "L0"] if wax == "common" else ["chosen", "drawn"])
    found = [
        f"course.layout={coin.choice(LAYOUTS)}",
        f"course.lanes={coin.choice([2, 2, 3])}",
        f"nations.use={coin.choice(['basic', 'advanced', 'mixed'])}",
        f"nations.assign={coin.choice(['drawn', 'chosen'])}",
        f"wax.set={wax}",
        f"wax.loadout={loadout}",
        f"range.lap_length={coin.choice([3, 3, 2, 5])}",
    ]
    if switches:
        for name, values in SWITCHES.items():
            if coin.random() < 0.15:
                found.append(f"rules.{name}={coin.choice(values)}")
    return found


def _twin_rules(resolved: rules.Rules) -> dict[str, Any]:
    """Rules in the form that the twin reads."""
    data = schema.resolved(resolved.model)
    for nation in data["nations"]["table"].values():
        nation["printed_wax"] = nation["printed_wax"].replace("none", "")
    return data


def _play_both(overrides: list[str], players: int, root: int, block: int, choose: Choose) -> None:
    """Play one game in the engine; the twin follows and must agree at every decision."""
    resolved = rules.load("biathlon", overrides=overrides)
    record, vocabularies = resolved.record[0], resolved.vocabularies
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    entries.start(state, record, work, events, entries.no_treatments(), players, root, block)

    def answer(seat: int, question: str, options: list[str], seen: dict[str, Any]) -> str:
        where = f"{overrides}, root {root}, block {block}, round {state['round']}"
        assert (int(state["to_move"]), words.question(int(state["phase"]))) == (seat, question), (
            where
        )
        assert words.options(state, record, work, vocabularies) == options, where
        position = words.state(state, record, vocabularies)["skiers"]
        for other, skier in enumerate(seen["skiers"]):
            if other == seat or question not in HIDDEN_UNTIL_ALL_HAVE_CHOSEN:
                mine = position[str(other + 1)]
                if question not in ("D-NATION", "D-WAXPICK"):
                    assert {key: mine[key] for key in skier} == skier, where
        index = choose(state, record, work, seat)
        entries.apply(state, record, work, events, int(work["options"][index]))
        return options[index]

    twin = reference.Twin(_twin_rules(resolved), players, root, block)
    result = twin.play(answer)
    game, seats = entries.new_rows()
    entries.finish(state, record, game, seats)

    assert state["over"] == 1
    assert [float(rank) for rank in seats["rank"][: len(result["rank"])]] == result["rank"]
    assert game[0]["rounds_total"] == result["last_round"]
    counters = result["counters"]
    assert game[0]["drafts"] == counters["drafts"]
    assert game[0]["draft_steps"] == counters["draft_steps"]
    assert game[0]["slides"] == counters["slides"]
    assert game[0]["entries_paid"] == counters["entries_paid"]
    assert game[0]["collapses"] == counters["collapses"]
    assert game[0]["asked"] == counters["decisions"]


@pytest.mark.parametrize("chunk", range(GAMES // CHUNK))
def test_random_line_ups_over_all_variants(chunk: int) -> None:
    """Random answers reach what no sensible strategy would."""
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        coin = random.Random(number)
        overrides = _overrides(coin, switches=number % 3 > 0)
        players = coin.choice([1, 2, 2, 3, 4, 5])
        _play_both(
            overrides, players, number, coin.randrange(50),
            lambda state, record, work, seat, c=coin: c.randrange(int(work["n_options"])),
        )  # fmt: skip


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_archetype_line_ups(first: int) -> None:
    """Every strategy of the book leads games that the twin follows."""
    from strategies.biathlon import play

    for number in range(first, first + 10):
        coin = random.Random(1000 + number)
        players = coin.choice([2, 3, 4, 5])
        overrides = _overrides(coin, switches=number % 2 > 0)
        policy = np.zeros(8, np.uint64)
        for position in range(8):
            rng.open_stream(policy, position, number, 0, rng.POLICY, position)
        names = [BOOK.strategies[(number + seat) % len(BOOK.strategies)] for seat in range(5)]

        def choose(state: Any, record: Any, work: Any, seat: int, names: Any = names,
                   policy: Any = policy) -> int:  # fmt: skip
            strategy = names[int(state["side"][seat])]
            params = np.zeros(MAX_PARAMS)
            params[: len(strategy.params)] = [param.default for param in strategy.params]
            return int(play.decide(state, record, work, strategy.code, params, policy, 0))

        _play_both(overrides, players, number, 0, choose)
