"""The numbers of a run that experiments compare, as exact sums by group.

A *quantity* is a column of games or seats in one stratum, over all seats or those of one seat, one
strategy, one start position: enough to estimate it, and to pair it with the same quantity of
another run that played the same blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl

from reports import estimates, measures, wording
from reports.estimates import Estimate, Fairness
from reports.facts import lens_of
from reports.measures import GROUPS, Records, Stratum
from reports.section import Lens
from simulate import exact

Kind = Literal["share", "mean"]
RESULTS = ("win_share", "rank", "score")  # of seats: told for every seat and every strategy
LENGTHS = ("rounds", "turns", "truncated")
WAYS = ("seat", "strategy")
NAMED = {"truncated": ("not finished", "")}  # as the tables of all games call it


@dataclass(frozen=True, eq=False)
class Quantity:
    """One number of one run, by group of blocks."""

    measure: str
    by: str  # column whose level this is, "" for all games or seats
    level: str
    players: int
    rules: int  # rules row of the run
    course: str  # its label, "" where the run has one
    equal: bool
    kind: Kind
    unit: str
    meaning: str
    headline: bool
    words: str  # the level in words
    sums: np.ndarray  # [GROUPS], in the column's own unit
    counts: np.ndarray
    name: str = ""  # of the measure, where its column is no word of everyday
    seated: int = 0  # players of its own tables, where it is put beside tables of another size

    @property
    def key(self) -> tuple[Any, ...]:
        """What it has in common with the same quantity of another run."""
        return (self.players, self.rules, self.equal, self.measure, self.by, self.level)

    @property
    def label(self) -> str:
        """The measure in words."""
        name = self.name or wording.plain(self.measure)
        return f"{name}, {self.words}" if self.words else name

    @property
    def stratum(self) -> str:
        """The kind of games in words."""
        parts = [f"{self.players} players"]
        parts += [self.course] if self.course else []
        parts += ["equal strategies"] if self.equal else []
        return ", ".join(parts)

    def estimate(self, level: float = estimates.LEVEL) -> Estimate:
        """Its value with an interval over groups of blocks."""
        if self.kind == "share":
            return estimates.share(self.sums, self.counts, level)
        return estimates.ratio(self.sums, self.counts, level)

    def mean(self) -> Estimate:
        """The same with the linearised error, for differences."""
        return estimates.ratio(self.sums, self.counts)

    @property
    def scale(self) -> int:
        """From its numbers to those that people read: shares are parts of 1, told in hundredths."""
        return 100 if self.kind == "share" else 1

    def digits(self, half: float) -> int:
        """Decimals that an interval of so much to either side allows."""
        return wording.digits_for(half * self.scale)

    def shown(self, value: float, digits: int = 2) -> str:
        """A value of it, as people write it."""
        if self.kind == "share":
            return wording.percent(value, digits)
        return wording.number(value, digits)

    @property
    def number_unit(self) -> str:
        """The unit of its numbers in frames and files, where shares are parts of 1."""
        return "share" if self.kind == "share" else self.unit

    @property
    def change_unit(self) -> str:
        """The unit of a difference of it."""
        return "pp" if self.kind == "share" else self.unit

    def change(self, value: float, digits: int = 2) -> str:
        """A difference of it: +1.20 pp, −0.31 rounds."""
        number = value * self.scale
        sign = "+" if number > 0 else ""
        return f"{sign}{wording.number(number, digits)} {self.change_unit}".rstrip()


def fairness(levels: Sequence[Quantity], margin: float) -> Fairness:
    """The verdict on win shares: all levels of one thing, of one kind of games."""
    wins = np.stack([q.sums for q in levels], axis=1)
    seen = np.stack([q.counts for q in levels], axis=1)
    decided = wins.sum() / max(seen.sum() / len(levels), 1)
    return estimates.fairness(wins, seen, [decided / len(levels)] * len(levels), margin=margin)


def read(
    run: measures.Run,
    columns: Sequence[str] = (),
    blocks: int | None = None,
    words: bool = False,
) -> list[Quantity]:
    """Every quantity of a run, headline ones first.

    ``columns``: these columns only (all of them are headlines then). ``blocks``: the first blocks
    only. ``words``: also the win shares by every word column of seats.
    """
    records = Records(run)
    lens = lens_of(str(run.identity["game"]))
    frames = _frames(records, lens, blocks, words)
    docs = {kind: _docs(run, kind) for kind in ("games", "seats")}
    found: list[Quantity] = []
    for stratum in records.strata:
        found += _of_games(records, stratum, frames["games"], docs["games"], lens)
        found += _of_seats(records, stratum, frames, docs["seats"], lens, columns)
    if columns:
        found = [replace(q, headline=True) for q in found if q.measure in columns]
    return sorted(found, key=lambda q: (not q.headline, q.measure not in RESULTS))


def names(run: measures.Run) -> list[str]:
    """Columns that can be compared."""
    records = Records(run)
    games, seats = exact.amounts(records.game_schema), exact.amounts(records.seat_schema)
    return list(dict.fromkeys([*seats, *games]))


def _docs(run: measures.Run, kind: str) -> Mapping[str, Mapping[str, str]]:
    return run.columns(kind) if hasattr(run, "columns") else {}


# ---------------------------------------------------------------- sums


def _frames(
    records: Records, lens: Lens, blocks: int | None, words: bool
) -> dict[str, pl.DataFrame]:
    """Sums of games and seats, and results by start position and word columns."""
    by = [lens.order] if lens.order in records.seat_schema else []
    if words:
        enums = [c for c, t in records.seat_schema.items() if isinstance(t, pl.Enum)]
        by += [c for c in enums if c != "strategy"]
    if not records.full:
        summary = records.run.summary
        found = {"games": summary.game_sums, "seats": summary.seat_sums}
        for column in by:
            rows = measures.kept_results(records, column)
            if len(rows):
                found[f"by {column}"] = rows
        return found
    games = {"games": measures.game_sums(records)}
    seats = {"seats": measures.seat_sums(records)}
    seats |= {f"by {column}": measures.results_by(column) for column in by}
    return {**_pass(records, "games", games, blocks), **_pass(records, "seats", seats, blocks)}


def _pass(
    records: Records,
    kind: Literal["games", "seats"],
    jobs: Mapping[str, measures.Job],
    blocks: int | None,
) -> dict[str, pl.DataFrame]:
    """All jobs in one pass over the first blocks."""
    columns = [c for job in jobs.values() for c in job.columns]
    found: dict[str, pl.DataFrame] = {}
    for part in records.parts(kind, columns, blocks):
        for name, job in jobs.items():
            made = job.make(part)
            found[name] = job.join(pl.concat([found[name], made])) if name in found else made
    return found


def _by_group(rows: pl.DataFrame, column: str) -> np.ndarray:
    return np.bincount(rows["group"].to_numpy(), rows[column].to_numpy(), GROUPS)


# ---------------------------------------------------------------- quantities of a stratum


def _of_games(
    records: Records,
    stratum: Stratum,
    frame: pl.DataFrame,
    docs: Mapping[str, Mapping[str, str]],
    lens: Lens,
) -> list[Quantity]:
    """Every number of games, over all games of a stratum."""
    rows = frame.filter(pl.col("stratum") == stratum.number)
    said = {m.column: (m.label.lower(), m.unit) for m in lens.drama} | NAMED
    telling = (*LENGTHS, lens.win_rounds, lens.minutes, *(m.column for m in lens.drama))
    found = []
    for column in exact.amounts(records.game_schema):
        one = _quantity(records, stratum, column, rows, docs, "games", column in telling)
        name, unit = said.get(column, ("", ""))
        found.append(replace(one, name=name, unit=one.unit or unit))
    return found


def _of_seats(
    records: Records,
    stratum: Stratum,
    frames: Mapping[str, pl.DataFrame],
    docs: Mapping[str, Mapping[str, str]],
    lens: Lens,
    columns: Sequence[str],
) -> list[Quantity]:
    """Results by seat, strategy and start position; other numbers over all seats."""
    rows = frames["seats"].filter(pl.col("stratum") == stratum.number)
    per_side = stratum.n_seats / stratum.players
    found = []
    for column in exact.amounts(records.seat_schema):
        chosen = column in columns
        if column not in ("win_share", "rank"):  # their mean over all seats never changes
            found.append(
                _quantity(records, stratum, column, rows, docs, "seats", column == "score")
            )
        if column not in RESULTS and not chosen:
            continue
        for by in WAYS:
            if by == "strategy" and (stratum.equal or rows["strategy"].n_unique() < 2):
                continue
            for level in _levels(rows, by):
                some = rows.filter(pl.col(by).cast(pl.String) == level)
                one = _quantity(records, stratum, column, some, docs, "seats", column != "score")
                shared = per_side if by == "strategy" and column == "win_share" else 1.0
                found.append(_told(one, by, level, f"{by} {wording.plain(level)}", shared))
    for name, frame in frames.items():
        if name.startswith("by "):
            here = frame.filter(pl.col("stratum") == stratum.number)
            found += _results(records, stratum, name.removeprefix("by "), here, docs, lens)
    return found


def _results(
    records: Records,
    stratum: Stratum,
    by: str,
    rows: pl.DataFrame,
    docs: Mapping[str, Mapping[str, str]],
    lens: Lens,
) -> list[Quantity]:
    """Win shares by the levels of a column of seats."""
    found = []
    rows = rows.filter(pl.col(by).is_not_null()).with_columns(pl.col("n").alias("win_share:n"))
    for level in _levels(rows, by):
        some = rows.filter(pl.col(by).cast(pl.String) == level)
        one = _quantity(records, stratum, "win_share", some, docs, "seats", headline=True)
        words = f"{wording.plain(by)} {wording.plain(level)}"
        if by == lens.order:
            words = f"{lens.order_words} {wording.ordinal(int(level) + 1)}{lens.order_suffix}"
        found.append(_told(one, by, level, words, 1.0))
    return found


def _levels(rows: pl.DataFrame, by: str) -> list[str]:
    """Levels of a column as text: numbers in order, words as the run lists them."""
    there = rows[by].drop_nulls().unique()
    if isinstance(rows.schema[by], pl.Enum):
        seen = set(there.cast(pl.String).to_list())
        return [word for word in measures.categories(rows.schema[by]) if word in seen]
    return [str(value) for value in sorted(there.to_list())]


def _quantity(
    records: Records,
    stratum: Stratum,
    column: str,
    rows: pl.DataFrame,
    docs: Mapping[str, Mapping[str, str]],
    kind: Literal["games", "seats"],
    headline: bool,
) -> Quantity:
    """A quantity over all of ``rows``."""
    schema = records.game_schema if kind == "games" else records.seat_schema
    dtype = schema[column]
    told = docs.get(column, {})
    return Quantity(
        measure=column,
        by="",
        level="",
        players=stratum.players,
        rules=stratum.rules,
        course=stratum.course,
        equal=stratum.equal,
        kind="share" if column == "win_share" or dtype == pl.Boolean else "mean",
        unit=told.get("unit", ""),
        meaning=told.get("meaning", ""),
        headline=headline,
        words="",
        sums=_by_group(rows, column) / exact.scale_of(column, dtype),
        counts=_by_group(rows, f"{column}:n"),
    )


def _told(one: Quantity, by: str, level: str, words: str, shared: float) -> Quantity:
    """The quantity as one level's; ``shared``: seats that are one chance to win."""
    return replace(one, by=by, level=level, words=words, counts=one.counts / shared)


def at_tables_of(found: Sequence[Quantity], other: Sequence[Quantity]) -> list[Quantity]:
    """Quantities under the player counts of another run, where each has only one such count.

    Seats that only the larger table has find no partner and drop out of a comparison.
    """
    here, there = ({q.players for q in qs} for qs in (found, other))
    if here == there or len(here) != 1 or len(there) != 1:
        return list(found)
    return [replace(q, players=next(iter(there)), seated=q.players) for q in found]


def at_courses_of(found: Sequence[Quantity], other: Sequence[Quantity]) -> list[Quantity]:
    """Quantities under the rules rows of another run, where both have courses of the same names."""
    rows = {q.course: q.rules for q in other if q.course}
    if not rows or not all(q.course for q in found):
        return list(found)
    nowhere = max(rows.values()) + 1
    return [replace(q, rules=rows.get(q.course, nowhere + q.rules)) for q in found]


def at_lineup_of(
    found: Sequence[Quantity], run: measures.Run, other: measures.Run
) -> list[Quantity]:
    """Quantities under the strategy labels of another run, where only parameters differ.

    Position by position both line-ups have the same strategies, one of them with other numbers: a
    tuned style is compared with what it was.
    """
    names = _other_labels(run.plan, other.plan)
    return [
        replace(q, level=names.get(q.level, q.level)) if q.by == "strategy" else q for q in found
    ]


def _other_labels(plan: Any, other: Any) -> dict[str, str]:
    """Labels of a plan to those at the same positions of another one, where they are new."""
    seats, seats_there = _seated(plan), _seated(other)
    if [who.name for who in seats] != [who.name for who in seats_there]:
        return {}
    pairs = {(here.label, there.label) for here, there in zip(seats, seats_there, strict=True)}
    labels, labels_there = ({who.label for who in some} for some in (seats, seats_there))
    names = {
        here: there for here, there in pairs if here not in labels_there and there not in labels
    }
    apart = len(set(names.values())) == len(names) == sum(here in names for here, _ in pairs)
    return names if apart else {}


def _seated(plan: Any) -> list[Any]:
    """Who sits at the positions of the line-up, one table size after the other; nobody drawn."""
    cells = [cell for cell in plan.cells if cell.rotation == 0 and not cell.equal]
    entries = [entry for cell in cells for entry in cell.positions]
    return [plan.strategies[entry] for entry in entries] if min(entries, default=0) >= 0 else []
