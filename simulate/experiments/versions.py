"""Versions of one strategy, each at the same table of others, on the same dice.

All versions are cells of one plan: a block plays every version in every rotation of its table. So
versions are compared block by block, nothing is compiled twice, and a hundred of them are one run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulate.errors import PlanError
from simulate.plan import Cell, Plan, Who
from simulate.request import Request
from strategies.book import Book, Strategy
from strategies.lineup import FROM_POOL, Instance, Lineup, Reader, parse


@dataclass(frozen=True)
class Table:
    """The rules, the players, and everybody else at the table of a version."""

    base: Plan  # game, rules, players, seating; its line-up is the strategy alone
    others: tuple[int, ...]  # instance of each other position, or FROM_POOL
    instances: tuple[Instance, ...]  # of the others
    pool: tuple[int, ...]
    text: str  # the others as a line-up, "" at a table of one

    @property
    def players(self) -> int:
        """Players at the table."""
        return self.base.players[0]

    @property
    def rotations(self) -> list[int]:
        """How the table is turned: a version meets every seat, unless seats are kept or drawn."""
        return list(range(self.players)) if self.base.seating == "rotate" else [0]

    def lineup(self, version: str) -> str:
        """The whole line-up with a version in it, ready to be pasted."""
        return f"{version},{self.text}" if self.text else version

    def blocks(self, games: int, versions: int, least: int) -> int:
        """Blocks that so many games are, and at least some."""
        return max(least, games // (versions * len(self.rotations)))

    def plan(self, versions: Sequence[Instance], seed: int, blocks: int) -> Plan:
        """All versions in one plan: the cells of the first, of the second, …"""
        known = list(self.instances)
        numbers = [_number(known, version) for version in versions]
        first = self.base.cells[0]
        cells = tuple(
            Cell(
                players=self.players,
                rules=first.rules,
                n_seats=first.n_seats,
                rotation=rotation,
                seating=self.base.seating,
                equal=False,
                positions=(number, *self.others),
            )
            for number in numbers
            for rotation in self.rotations
        )
        return replace(
            self.base,
            n=blocks * len(cells),
            seed=seed,
            lineup=f"{len(versions)} versions of {versions[0].name} at a table of {self.text}",
            strategies=tuple(Who(i.label, i.name, i.code, i.values) for i in known),
            pool=self.pool or (0,),
            cells=cells,
        )


def _number(known: list[Instance], version: Instance) -> int:
    """The number of an instance, a new one where none is equal."""
    for number, other in enumerate(known):
        if (other.code, other.values) == (version.code, version.values):
            return number
    known.append(version)
    return len(known) - 1


def version(book: Book, text: str) -> tuple[Strategy, Instance]:
    """A strategy with its parameters, from a line-up entry."""
    if not text.strip() or any(sign in text for sign in ",*("):
        raise PlanError(
            f"--strategy: '{text}' is not one strategy. Write a name or name:parameter=value. "
            f"Strategies: {', '.join(book.names())}."
        )
    one = parse(book, [text.strip()], [1]).instances[0]
    strategy = book.get(one.name)
    assert strategy is not None
    return strategy, one


def table(game: str, book: Book, one: Instance, against: str, options: Mapping[str, Any]) -> Table:
    """The table of a strategy's versions; UserError where something cannot be used."""
    if options.get("lineup"):
        raise PlanError("--lineup: say who else sits at the table with --against.")
    given = {**options, "lineup": one.name, "equal": False}
    base = Request(game, 1, **given).plan()
    if len(base.players) > 1:
        raise PlanError("--players: a strategy is tuned for one number of players at a time.")
    if len(base.rules) > 1:
        raise PlanError("A strategy is tuned on one course, board or set-up at a time.")
    if base.records != "full":
        raise PlanError("Versions are compared block by block: that needs --records full.")
    seats = base.players[0] - 1
    text = against.strip() or _usual(book, one.name, seats)
    if not seats:
        if against.strip():
            raise PlanError("--against: nobody else sits at a table of one.")
        return Table(base, (), (), (), "")
    reader = Reader(book)
    entries = reader.read(text)
    if len(entries) == 1 and seats > 1:
        entries, text = entries * seats, f"{text}*{seats}"
    if len(entries) != seats:
        raise PlanError(
            f"--against: '{text}' is {len(entries)}, but {seats} others sit at the table. "
            f"Give {seats} entries (name*{seats} repeats one), or one entry alone."
        )
    return Table(base, tuple(entries), tuple(reader.instances), tuple(reader.pool), text)


def _usual(book: Book, name: str, seats: int) -> str:
    """The others of the book's line-up: without the strategy itself, or without its last."""
    line: Lineup = parse(book, [], [seats + 1])
    entries = list(line.entries(seats + 1))
    mine = [at for at, e in enumerate(entries) if e >= 0 and line.instances[e].name == name]
    entries.pop(mine[0] if mine else -1)
    pool = "|".join(line.instances[number].label for number in line.pool)
    return ",".join(f"mix({pool})" if e == FROM_POOL else line.instances[e].label for e in entries)
