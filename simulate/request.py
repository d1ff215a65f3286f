"""What a user asks for, in his words, and how it becomes a ``Plan``.

    Request(game="biathlon", n="1e6", lineup=["pacer,finisher,random*2"], course="starter").plan()

The command line, ``simulate.run`` and the experiments all fill a ``Request``. Everything that can
be wrong with one is said here, before a game is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simulate import registry, rules
from simulate.count import count
from simulate.errors import PlanError, RulesError
from simulate.plan import MAX_SEED, RECORDS, TARGETS, Cell, Plan, RulesRow, Who, whole_blocks
from simulate.rules import Rules
from strategies import lineup as lineups
from strategies.book import MAX_POSITIONS

DEFAULT_SEED = 1
MOST_CELLS = 4096


@dataclass(frozen=True)
class Request:
    """Options of a run, as they were given. ``rules_rows`` overrules the rules options (arms)."""

    game: str
    n: int | str = 10_000
    players: str | int | Sequence[int] | None = None
    lineup: str | Sequence[str] = ()
    strategy_file: str | Path | None = None
    layout: str | None = None  # course, board or set-up
    nations: str | None = None
    seating: str = "rotate"
    set: Sequence[str] | Mapping[str, Any] = ()
    rules: Sequence[str | Path] = ()
    variant: Sequence[str] = ()
    seed: int | str = DEFAULT_SEED
    records: str = "full"
    equal: bool = True
    treatment: Mapping[str, int] = field(default_factory=dict)
    target: str | int = "none"
    rules_rows: Sequence[Rules] = ()

    def plan(self) -> Plan:
        """The resolved plan; UserError where something cannot be used."""
        facts = registry.game(self.game)
        n = count(self.n)
        seed = _seed(self.seed)
        if self.records not in RECORDS:
            raise PlanError(f"--records: '{self.records}' is not one of {', '.join(RECORDS)}.")
        players = _players(self.players, facts)
        resolved = self.resolved_rules(seed)
        for row in resolved:
            for number in players:
                row.check_players(number)
        engine = registry.load(self.game, self.strategy_file)
        texts = [self.lineup] if isinstance(self.lineup, str) else list(self.lineup)
        line = lineups.parse(engine.book, [t for t in texts if t is not None], players)
        words = rules.table(resolved)[1]
        seats = _seats(engine, len(resolved), players)
        rows = lineups.cells(line, seats, self.seating, self.equal)
        if len(rows) > MOST_CELLS:
            raise PlanError(
                f"A block would hold {len(rows)} games (players x courses x rotations); "
                f"{MOST_CELLS} is the most. Give fewer courses or player counts."
            )
        return Plan(
            game=self.game,
            rules_version=facts.rules_version,
            engine=engine.digest,
            n=whole_blocks(n, len(rows)),
            seed=seed,
            players=tuple(players),
            lineup=line.text,
            seating=self.seating,
            records=self.records,
            rules=tuple(_rules_row(row) for row in resolved),
            strategies=tuple(Who(i.label, i.name, i.code, i.values) for i in line.instances),
            pool=line.pool,
            cells=tuple(_cell(row, self.seating) for row in rows),
            vocabularies={name: list(known) for name, known in words.items()},
            treatment=_treatment(engine, self.treatment),
            target=_target(self.target, max(seats.values())),
            strategy_file=Path(self.strategy_file).name if self.strategy_file else "",
            strategy_text=_text(self.strategy_file),
        )

    def resolved_rules(self, seed: int) -> list[Rules]:
        """One set of rules a course."""
        if self.rules_rows:
            return list(self.rules_rows)
        base = self._base_rules()
        if self.layout is None:
            return [base]
        return rules.with_layouts(base, self.layout, seed)

    def _base_rules(self) -> Rules:
        """The rules without the choice of courses; an error of --nations is told as its own."""
        try:
            return rules.load(self.game, self.variant, self.rules, _overrides(self))
        except RulesError as error:
            if self.nations is None:
                raise
            told = str(error).replace("--set: nations.use =", "--nations", 1)
            if told.startswith("--nations") and ": no such key" in told.splitlines()[0]:
                told = f"--nations: {self.game} has no nations."
            raise RulesError(told) from None


def _overrides(request: Request) -> list[str] | dict[str, Any]:
    """``--set`` options, and ``--nations`` as one of them."""
    if isinstance(request.set, Mapping):
        more = {"nations.use": request.nations.split(",")} if request.nations else {}
        return {**request.set, **more}
    more_texts = []
    if request.nations:
        names = [name.strip() for name in request.nations.split(",")]
        several = "[" + ", ".join(f'"{name}"' for name in names) + "]"
        word = len(names) == 1 and names[0].islower()
        more_texts = [f"nations.use={names[0] if word else several}"]
    return [*request.set, *more_texts]


def _seed(given: int | str) -> int:
    """The seed as a number in bounds."""
    try:
        seed = int(given)
    except (TypeError, ValueError):
        raise PlanError(f"--seed: '{given}' is no whole number.") from None
    if not 0 <= seed <= MAX_SEED:
        raise PlanError(f"--seed: {given} is out of bounds; a seed goes from 0 to {MAX_SEED}.")
    return seed


def _players(given: Any, facts: Any) -> list[int]:
    """Player counts asked for, each one playable."""
    if given is None:
        return [facts.default_players]
    if isinstance(given, int):
        wanted: Iterable[Any] = [given]
    elif isinstance(given, str):
        wanted = facts.players if given.strip() == "all" else given.split(",")
    else:
        wanted = given
    allowed = (*facts.test_players, *facts.players)
    shown = ", ".join(str(number) for number in facts.players)
    counts = []
    for one in wanted:
        try:
            number = int(str(one).strip())
        except ValueError:
            number = -1
        if number not in allowed or number > MAX_POSITIONS:
            raise PlanError(
                f"--players: '{one}' cannot play {facts.title}. Player counts: {shown} or all."
            )
        if number not in counts:
            counts.append(number)
    return counts


def _seats(engine: Any, rows: int, players: Sequence[int]) -> dict[tuple[int, int], int]:
    """(players, rules row) to the seats of that game: one a player unless ``setup`` knows more."""
    try:
        seats_of = engine.game.module("setup").seats_of
        seats_of = getattr(seats_of, "py_func", seats_of)  # nothing is compiled for a plan
    except (ImportError, AttributeError):
        seats_of = int
    return {(number, row): int(seats_of(number)) for number in players for row in range(rows)}


def _rules_row(row: Rules) -> RulesRow:
    """Resolved rules as plain data."""
    changed = [{"key": key, "value": value} for key, value in row.changed.items()]
    label = row.vocabularies["layouts"][0]
    return RulesRow(label, row.data, {"rows": row.provenance}, changed, row.digest)


def _cell(row: np.void, seating: str) -> Cell:
    """A cell as plain data."""
    equal = bool(row["equal"])
    return Cell(
        players=int(row["players"]),
        rules=int(row["rules"]),
        n_seats=int(row["n_seats"]),
        rotation=int(row["rotation"]),
        seating="fixed" if equal else seating,
        equal=equal,
        positions=tuple(int(e) for e in row["entry"][: int(row["players"])]),
    )


def _treatment(engine: Any, values: Mapping[str, int]) -> dict[str, int]:
    """Fields of TREATMENT that are not zero, checked by name."""
    known = engine.state.TREATMENT.names or ()
    for name in values:
        if name not in known:
            raise PlanError(f"There is no treatment field '{name}'. Fields: {', '.join(known)}.")
    return {name: int(value) for name, value in values.items() if int(value)}


def _target(given: str | int, seats: int) -> int:
    """Who is treated: none, random, all or a seat."""
    if given in TARGETS:
        return TARGETS[str(given)]
    try:
        seat = int(given)
    except (TypeError, ValueError):
        seat = -1
    if not 0 <= seat < seats:
        raise PlanError(
            f"'{given}' cannot be treated: none, random, all, or a seat 0 to {seats - 1}."
        )
    return seat


def _text(file: str | Path | None) -> str:
    """The text of the user's strategy file."""
    return Path(file).read_text(encoding="utf-8") if file else ""
