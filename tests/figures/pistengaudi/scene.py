"""Positions played through the engine, one line of answers after the other.

A scene is a scripted position. ``lines`` walks every line of answers that its events allow, each
with its weight where all options of a question are equally likely (bot U).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from simulate import registry, rules

registry.load("pistengaudi")  # names the folder of compiled code before a kernel is imported

from simulate.games.pistengaudi import entries, position  # noqa: E402

ONE_CARD = tuple(f"draw.cards_per_turn.{players}=1" for players in range(2, 7))


@lru_cache
def resolved(*changes: str) -> Any:
    """The default rules with some values changed, as ``key=value``."""
    return rules.load("pistengaudi", overrides=changes)


def forest(*cards: int) -> str:
    """The change that turns slope cards to their forest side."""
    return f"slope.forest={list(cards)}"


class Scene:
    """A position, and the rules it is played by."""

    def __init__(self, *changes: str, **case: Any) -> None:
        self.rules = resolved(*changes).record[0]
        vocabularies = resolved(*changes).vocabularies
        self.state, self.work = position.setup(case, self.rules, vocabularies)
        self.events = entries.new_events(0)

    @property
    def asked(self) -> int:
        """How many options are asked; 0 when the event is over."""
        return int(self.work["n_options"]) if self.state["phase"] >= 0 else 0

    def play(self, event: str) -> None:
        """Run an event to its first question."""
        position.begin(self.state, self.rules, self.work, event)
        entries.resume(self.state, self.rules, self.work, self.events)

    def lines(self, *events: str) -> Iterator[float]:
        """Every line through the events; the scene stands at its end as its weight is given."""
        if not events:
            yield 1.0
            return
        before = self.state.copy()
        self.play(events[0])
        for weight in self._answers():
            yield from (weight * rest for rest in self.lines(*events[1:]))
        self.state = before.copy()

    def _answers(self) -> Iterator[float]:
        """Every line of answers from here to the end of the event."""
        count = self.asked
        if count == 0:
            yield 1.0
            return
        before, options = self.state.copy(), self.work["options"][:count].tolist()
        for code in options:
            entries.apply(self.state, self.rules, self.work, self.events, code)
            yield from (weight / count for weight in self._answers())
            self.state = before.copy()

    def count(self, *events: str) -> int:
        """How many lines there are: the options of a last placement are counted, not played."""
        *first, last = events
        total = 0
        for _ in self.lines(*first):
            before = self.state.copy()
            self.play(last)
            total += self.asked or 1
            self.state = before.copy()
        return total


def turns(first: int, last: int) -> list[str]:
    """The turns of seats, one after the other."""
    return [f"turn {seat}" for seat in range(first, last + 1)]


def deck(*changes: str) -> Sequence[str]:
    """The cards of the deck, in its order."""
    loaded = resolved(*changes)
    types = loaded.vocabularies["card_types"]
    record = loaded.record[0]
    return [types[int(record["card_type"][card])] for card in range(int(record["n_cards"]))]


def standing(count: int) -> list[list[Any]]:
    """Figures on the lift."""
    return list(itertools.repeat([0, 0, "up"], count))
