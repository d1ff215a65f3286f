"""Random small slopes: what the engine offers is what exhaustion by the book finds, no more, no less.

Hypothesis makes the slopes, the rulings and the figures, and shrinks what fails to a small one.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulate import rules
from simulate.games.pistengaudi import entries, position, schema, words

_path = Path(__file__).with_name("by_the_book.py")
_spec = importlib.util.spec_from_file_location("by_the_book", _path)
assert _spec is not None
assert _spec.loader is not None
book = importlib.util.module_from_spec(_spec)
sys.modules["by_the_book"] = book
_spec.loader.exec_module(book)

MANY = settings(
    max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
HALF_WIDTH = 5
FARTHEST = 3  # columns that cards are strewn over, so that they meet
STACK_CARD_RULE = {f"draw.cards_per_turn.{players}": 1 for players in range(2, 7)}

plain = st.sampled_from(["P1", "P2", "P3"])
special = st.sampled_from(["H1", "H2", "H3", "S1", "S2", "S3", "G1", "G2", "G3"])
blocking = st.sampled_from(["F", "J"])
half = st.one_of(plain, plain, special, blocking, blocking)

# A slope of three cards is a drop of 3 or 6 rows; six cards are the printed one.
small_slope = st.fixed_dictionaries(
    {
        "slope.cards": st.sampled_from([3, 6]),
        "slope.cells_per_card": st.sampled_from([1, 2]),
        "goal.side_entry": st.sampled_from(["both", "both", "upper", "both_deep"]),
        "lift.reenter": st.sampled_from([True, True, False]),
        "rules.jump.turn": st.sampled_from(["straight", "straight", "free"]),
    }
)
riding_rules = st.fixed_dictionaries(
    {
        "lift.start_speed": st.sampled_from([1, 2, 3]),
        "goal.overrun": st.sampled_from(["forced", "choice"]),
        "rules.move.full_path": st.sampled_from(["mandatory", "mandatory", "free_fall"]),
        "rules.move.reversal": st.sampled_from(["until_down", "turn"]),
        "rules.move.fall_choice": st.sampled_from(["dead_end", "longest"]),
        "rules.move.no_step": st.sampled_from(["fall", "stay"]),
        "signs.black": st.sampled_from([3, 3, 4, 5]),
    }
)
forest_rules = st.fixed_dictionaries(
    {
        "lift.exits": st.sampled_from([["left", "right", "down"], ["left", "right"]]),
        "rules.forest.scope": st.sampled_from(["forest_cards", "all_cards"]),
        "rules.forest.way_out": st.sampled_from(["goal", "goal", "goal", "local"]),
        "rules.forest.cause": st.sampled_from(["card", "card", "space"]),
        "rules.placement.anchor": st.sampled_from(["any", "rideable"]),
    }
)
strewn = st.lists(
    st.tuples(st.integers(-FARTHEST, FARTHEST), st.integers(0, 13), half, half), max_size=16
)
walls = st.lists(st.integers(1, 6), max_size=3, unique=True)
places = st.lists(st.tuples(st.integers(0, 40), st.booleans()), min_size=2, max_size=4)


@lru_cache(maxsize=64)
def _loaded(told: str) -> tuple[dict[str, Any], Any, dict[str, Any]]:
    """Rules worked out, their record and its vocabularies; changes told as JSON."""
    loaded = rules.load("pistengaudi", overrides=json.loads(told))
    return schema.resolved(loaded.model), loaded.record[0], loaded.vocabularies


class Table:
    """A strewn slope: the case that the engine plays, and the slope as the book sees it."""

    def __init__(
        self,
        changes: dict[str, Any],
        forest: list[int],
        cards: list[tuple[int, int, str, str]],
        figures: list[tuple[int, bool]],
    ) -> None:
        forest = sorted(card for card in forest if card <= changes["slope.cards"])
        exits = changes.get("lift.exits", ["down"])
        if 1 in forest and "down" not in exits and not {"left", "right"} & set(exits):
            forest.remove(1)
        self.changes = {
            **STACK_CARD_RULE, **changes, "board.half_width": HALF_WIDTH, "slope.forest": forest,
        }  # fmt: skip
        told, *self.told = _loaded(json.dumps(self.changes, sort_keys=True))
        self.slope = book.Slope(told)
        self.cards: list[list[Any]] = []
        for x, y, up, down in cards:
            cell = (x, y)
            if self.slope.is_free(cell) and self.slope.is_free(book.moved(cell, "D")):
                self.slope = self.slope.with_card(cell, up, down)
                self.cards.append([x, y, up, down])
        rests = [book.LIFT, *sorted(c for c in self.slope.spaces if self.slope.can_rest(c))]
        self.figures = [
            (rests[place % len(rests)], lying and rests[place % len(rests)] != book.LIFT)
            for place, lying in figures
        ]

    @property
    def cells(self) -> list[Any]:
        """Where the figures stand."""
        return [cell for cell, _ in self.figures]

    def play(self, event: str, *stack: str, first_done: bool = True) -> tuple[Any, Any]:
        """The engine's state and work at the first question of an event."""
        case = {
            "cards": self.cards, "stack": list(stack), "first_card_done": first_done,
            "figures": [[*cell, "lying" if lying else "up"] for cell, lying in self.figures],
        }  # fmt: skip
        record, vocabularies = self.told
        state, work = position.setup(case, record, vocabularies)
        position.begin(state, record, work, event)
        entries.resume(state, record, work, entries.new_events(0))
        return state, work


def offered(table: Table, state: Any, work: Any, question: str) -> list[Any] | None:
    """Tokens of the options, where that question is asked; None where it was not."""
    if words.question(int(state["phase"])) != question:
        return None
    record, vocabularies = table.told
    return words.options(state, record, work, vocabularies)


@pytest.mark.rule("PG-MOVE-07", "PG-MOVE-05", "PG-FALL-02", "PG-JUMP-01", "PG-GOAL-02")
@MANY
@given(small_slope, riding_rules, walls, strewn, places)
def test_outcomes_of_a_move_are_those_of_every_word(
    small: dict[str, Any],
    riding: dict[str, Any],
    forest: list[int],
    cards: list[tuple[int, int, str, str]],
    figures: list[tuple[int, bool]],
) -> None:
    """Every path as a word of cell moves, against the engine's search."""
    table = Table({**small, **riding}, forest, cards, [(figures[0][0], False), *figures[1:]])
    wanted = table.slope.outcomes(table.cells[0])
    state, work = table.play("ride 0")
    found = offered(table, state, work, "PG-D-MOVE")
    if found is None:
        found = [_end_of(state)]

    plainly = {(kind, tuple(end) if isinstance(end, list) else end) for kind, end in found}
    assert plainly == wanted
    assert len(found) == len(wanted)


def _end_of(state: Any) -> list[Any]:
    """The only outcome, which the engine has taken without asking."""
    figure = words.figure(state, 0)
    if figure[0] == "goal":
        return ["goal", figure[1]]
    return ["fall" if figure[2] == "lying" else "stop", figure[:2]]


@pytest.mark.rule("PG-FOREST-01", "PG-FOREST-03", "PG-FOREST-04", "PG-FOREST-05", "PG-PLACE-03")
@MANY
@given(small_slope, forest_rules, walls, strewn, places, st.tuples(half, half), st.booleans())
def test_placements_are_all_that_fit_and_shut_nobody_in(
    small: dict[str, Any],
    ruling: dict[str, Any],
    forest: list[int],
    cards: list[tuple[int, int, str, str]],
    figures: list[tuple[int, bool]],
    card: tuple[str, str],
    with_forest: bool,
) -> None:
    """Every cell of the table tried, every way out walked, against the engine's sweep."""
    table = Table({**small, **ruling}, forest, cards, figures)
    word = f"F/{card[1]}" if with_forest else "/".join(card)
    first = not table.cards
    highest = book.highest_row(table.cells, table.slope.height)
    wanted = table.slope.placements(word, highest, table.cells, first=first)
    state, work = table.play("cards 0", word, first_done=not first)
    found = offered(table, state, work, "PG-D-PLACE")
    if found is None:
        laid = words.cards_on_slope(state)
        found = [one for one in laid if one not in table.cards]

    assert {tuple(one) for one in found} == wanted
    assert len(found) == len(wanted)


@pytest.mark.rule("PG-EMPTY-02")
@MANY
@given(small_slope, walls, strewn, places)
def test_forgoing_is_offered_where_a_road_leads_to_the_goal(
    small: dict[str, Any],
    forest: list[int],
    cards: list[tuple[int, int, str, str]],
    figures: list[tuple[int, bool]],
) -> None:
    """The road walked cell by cell, and the uppermost cards without a figure."""
    table = Table(small, forest, cards, figures)
    free = [
        (x, y) for x, y, _, _ in table.cards if not {(x, y), (x, y + 1)} & set(table.cells)
    ]  # fmt: skip
    uppermost = min((y for _, y in free), default=0)
    wanted: list[Any] = [["take", x, y] for x, y in sorted(free) if y == uppermost]
    if table.slope.route_ready(table.cells[0]) or not wanted:
        wanted.insert(0, "forgo")
    state, work = table.play("cards 0")

    if len(wanted) > 1:
        assert offered(table, state, work, "PG-D-EMPTY") == wanted
    else:
        assert words.question(int(state["phase"])) != "PG-D-EMPTY"
        assert int(state["game_rows"][0]["forgone"]) == int(wanted == ["forgo"])
