"""Line-up text to instances and cells: who plays, and who sits where in each game of a block.

    pacer,finisher:stam=1.1,random*2     four positions; ``:name=value`` sets a parameter
    random                               one entry alone is repeated to the player count
    mix(pacer|finisher:stam=1.1)*4       each block draws the positions from the pool

An *instance* is a strategy with its parameters: the unit that results are told for. A *cell* is one
game of a block (``strategies.book.CELL``). With seating ``rotate`` a block holds every distinct
rotation of the line-up, with ``fixed`` or ``random`` one game. A line-up with several instances
adds one *equal* cell a player count and rules row: all seats are played by one instance, drawn for
the block, so that seats can be compared with nobody the stronger.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulate.errors import PlanError, StrategyError
from strategies.book import CELL, MAX_PARAMS, MAX_POSITIONS, Book, Param, Strategy

SEATINGS = ("rotate", "fixed", "random")
FROM_POOL = -1

_ENTRY = re.compile(r"(?P<body>.+?)(?:\*(?P<times>[^*]*))?", re.DOTALL)
_MIX = re.compile(r"mix\((?P<pool>.*)\)", re.DOTALL)


@dataclass(frozen=True)
class Instance:
    """A strategy with its parameters, under the label that results are told for."""

    label: str
    name: str
    code: int
    values: tuple[float, ...]  # one a parameter of the strategy


@dataclass(frozen=True)
class Lineup:
    """Instances, the pool, and the instance (or FROM_POOL) of every position by player count."""

    text: str
    instances: tuple[Instance, ...]
    pool: tuple[int, ...]
    positions: tuple[tuple[int, tuple[int, ...]], ...]  # (players, entries)

    def entries(self, players: int) -> tuple[int, ...]:
        """Instance number or FROM_POOL of each position at a table of ``players``."""
        return dict(self.positions)[players]

    def codes(self) -> np.ndarray:
        """Strategy codes, int64[n_instances]."""
        return np.array([i.code for i in self.instances], dtype=np.int64)

    def params(self) -> np.ndarray:
        """Parameter rows, float64[n_instances, MAX_PARAMS]."""
        table = np.zeros((len(self.instances), MAX_PARAMS))
        for row, instance in enumerate(self.instances):
            table[row, : len(instance.values)] = instance.values
        return table


# ---------------------------------------------------------------- parsing


def parse(book: Book, texts: Sequence[str], players: Sequence[int]) -> Lineup:
    """Read line-up texts for every player count; the book's default where no text is given.

    Several texts serve several player counts: each count takes the first text that fits it.
    """
    reader = Reader(book)
    read = [(text, reader.read(text)) for text in texts]
    positions, used = [], []
    for count in players:
        if read:
            text, entries = _fitting(read, count)
        else:
            text = _default_text(book, count)
            entries = _fitting([(text, reader.read(text))], count)[1]
        positions.append((count, entries))
        if text not in used:
            used.append(text)
    pool = tuple(reader.pool) or tuple(range(len(reader.instances)))
    return Lineup("; ".join(used), tuple(reader.instances), pool, tuple(positions))


def _default_text(book: Book, count: int) -> str:
    """The book's line-up for a player count."""
    if count in book.default_lineup:
        return book.default_lineup[count]
    if book.default_lineup:
        longest = book.default_lineup[max(book.default_lineup)]
        parts = split_text(longest, ",")
        if len(parts) >= count and not any("*" in p or p.startswith("mix(") for p in parts):
            return ",".join(parts[:count])
    return book.strategies[0].name


def _fitting(read: list[tuple[str, list[int]]], count: int) -> tuple[str, tuple[int, ...]]:
    """The first text with ``count`` positions, else a single one that is repeated."""
    for text, entries in read:
        if len(entries) == count:
            return text, tuple(entries)
    for text, entries in read:
        if len(entries) == 1:
            return text, tuple(entries * count)
    text, entries = read[0]
    raise StrategyError(
        f"The line-up '{text}' has {len(entries)} positions, but {count} players sit at the table. "
        f"Give {count} entries (name*{count} repeats one), or one entry alone."
    )


def split_text(text: str, separator: str) -> list[str]:
    """Split at a separator outside brackets; blanks around the parts are dropped."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == separator and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


class Reader:
    """Reads texts into positions; equal instances get one number."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.instances: list[Instance] = []
        self.pool: list[int] = []

    def read(self, text: str) -> list[int]:
        """The positions of one line-up text."""
        if not text.strip():
            raise StrategyError("The line-up is empty. Example: pacer,finisher:stam=1.1,random*2")
        if text.count("(") != text.count(")"):
            raise StrategyError(f"The line-up '{text}' has a bracket without its partner.")
        entries: list[int] = []
        for part in split_text(text, ","):
            entries += self._entry(part, text)
            if len(entries) > MAX_POSITIONS:
                raise StrategyError(
                    f"The line-up '{text}' has more than {MAX_POSITIONS} positions."
                )
        return entries

    def _entry(self, part: str, text: str) -> list[int]:
        """The positions of one entry, ``name:param=value*times`` or ``mix(a|b)*times``."""
        match = _ENTRY.fullmatch(part)
        if match is None:
            raise StrategyError(f"The line-up '{text}' has an empty entry: look at its commas.")
        times = self._times(match["times"], part)
        mix = _MIX.fullmatch(match["body"].strip())
        if mix is None:
            return [self._instance(match["body"].strip())] * times
        pool = [self._instance(body) for body in split_text(mix["pool"], "|")]
        if self.pool and self.pool != pool:
            raise StrategyError(
                f"'{part}': a run has one pool; use one mix(...) for all positions."
            )
        self.pool = pool
        return [FROM_POOL] * times

    @staticmethod
    def _times(text: str | None, part: str) -> int:
        """The number after ``*``, 1 without one."""
        if text is None:
            return 1
        if not text.strip().isdecimal() or not 1 <= int(text) <= MAX_POSITIONS:
            raise StrategyError(
                f"'{part}': after * stands how often the entry sits there, 1 to {MAX_POSITIONS}."
            )
        return int(text)

    def _instance(self, body: str) -> int:
        """The number of the instance that ``name:param=value:…`` names, a new one if needed."""
        name, *settings = split_text(body, ":")
        strategy = self.book.get(name)
        if strategy is None:
            raise StrategyError(unknown_strategy(self.book, name))
        values = {p.name: p.default for p in strategy.params}
        changed = {}
        for setting in settings:
            param, value = _setting(strategy, setting)
            values[param.name] = value
            changed[param.name] = value
        shown = [f"{p.name}={changed[p.name]:g}" for p in strategy.params if p.name in changed]
        instance = Instance(":".join([name, *shown]), name, strategy.code, tuple(values.values()))
        if len(instance.values) > MAX_PARAMS:
            raise StrategyError(
                f"'{name}' has more than {MAX_PARAMS} parameters, the most there are."
            )
        for number, other in enumerate(self.instances):
            if (other.code, other.values) == (instance.code, instance.values):
                return number
        self.instances.append(instance)
        return len(self.instances) - 1


def unknown_strategy(book: Book, name: str) -> str:
    """The message for a strategy that is not in the book, with the nearest names."""
    if not name:
        return "An entry of the line-up has no strategy name: look at its commas and colons."
    near = difflib.get_close_matches(name, book.names(), n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    return (
        f"There is no strategy '{name}' for {book.game}. {hint}"
        f"Strategies: {', '.join(book.names())}."
    )


def _setting(strategy: Strategy, text: str) -> tuple[Param, float]:
    """The parameter and the value of ``name=value``, checked against the book."""
    name, equals, number = (part.strip() for part in text.partition("="))
    by_name = {param.name: param for param in strategy.params}
    if name not in by_name:
        if not by_name:
            raise StrategyError(f"'{strategy.name}' has no parameters, so '{text}' cannot be set.")
        near = difflib.get_close_matches(name, list(by_name), n=1)
        hint = f"Did you mean '{near[0]}'? " if near else ""
        raise StrategyError(
            f"'{strategy.name}' has no parameter '{name}'. {hint}Parameters: "
            + ", ".join(f"{p.name} ({p.low:g} to {p.high:g})" for p in strategy.params)
            + "."
        )
    param = by_name[name]
    allowed = f"{param.name} goes from {param.low:g} to {param.high:g} (default {param.default:g})"
    try:
        value = float(number)
    except ValueError:
        shown = number if equals else "no value"
        raise StrategyError(f"'{strategy.name}:{text}': {shown} is no number; {allowed}.") from None
    if not param.low <= value <= param.high:
        raise StrategyError(f"'{strategy.name}:{text}': {value:g} is out of bounds; {allowed}.")
    return param, value


# ---------------------------------------------------------------- seating


def rotations(entries: Sequence[int]) -> list[int]:
    """The rotations that seat the line-up differently; one from the pool is like no other."""
    marked = [(e, at if e == FROM_POOL else 0) for at, e in enumerate(entries)]
    seen: list[list[tuple[int, int]]] = []
    distinct = []
    for rotation in range(len(marked)):
        turned = marked[rotation:] + marked[:rotation]
        if turned not in seen:
            seen.append(turned)
            distinct.append(rotation)
    return distinct


def cells(
    lineup: Lineup,
    seats: dict[tuple[int, int], int],
    seating: str = "rotate",
    equal: bool = True,
) -> np.ndarray:
    """CELL rows of one block: players x rules rows x rotations, then the equal cells.

    ``seats``: (players, rules row) to the number of seats of that game.
    """
    if seating not in SEATINGS:
        raise PlanError(f"There is no seating '{seating}'. Seatings: {', '.join(SEATINGS)}.")
    rows = []
    for (players, rules), n_seats in seats.items():
        entries = lineup.entries(players)
        turns = rotations(entries) if seating == "rotate" else [0]
        rows += [
            _cell(rules, players, n_seats, rotation, seating == "random", False, entries)
            for rotation in turns
        ]
        if equal and (len(set(entries)) > 1 or FROM_POOL in entries):
            drawn = (FROM_POOL,) * players
            rows.append(_cell(rules, players, n_seats, 0, False, True, drawn))
    return np.array(rows, dtype=CELL)


def _cell(
    rules: int,
    players: int,
    n_seats: int,
    rotation: int,
    random_seating: bool,
    equal: bool,
    entries: Sequence[int],
) -> tuple[Any, ...]:
    """One row of CELL, its entries filled up to MAX_POSITIONS."""
    padded = tuple(entries) + (FROM_POOL,) * (MAX_POSITIONS - len(entries))
    return (rules, players, n_seats, rotation, int(random_seating), int(equal), padded)
