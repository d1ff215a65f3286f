"""Records -> frames of integer sums. Nothing here is a statistic: see ``estimates``.

A million games become a few thousand rows in one or two streaming passes, so a report takes the
same memory for any n. Every frame is keyed by

``group``    block % GROUPS: whole blocks, so games that share dice stay together. Groups are the
             clusters of all intervals: 512 of them give an error that is itself known to 3 %.
``stratum``  one set of rules, one player count, equal strategies or not: never pooled.

and holds sums of integers only (floats are scaled and rounded first), so the order of work cannot
move a bit. ``<column>:n`` counts the values that are not null.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import polars as pl

GROUPS = 512
CHUNKS = 20  # contiguous parts of a run, for the homogeneity test
SAMPLE_GAMES = 20_000  # games read for pictures that need every round of a game
WIN_SCALE = 840  # win shares 1/1 … 1/8 are whole numbers of 840ths
RANK_SCALE = 2  # mean ranks are whole numbers of halves
FLOAT_SCALE = 1000
IDENTITY_COLUMNS = frozenset(
    "game_id block cell rotation n_seats players lanes seat side position player treated".split()
)


class Run(Protocol):
    """What reports read of a run; ``simulate.store.Run`` is one."""

    path: Any
    identity: Mapping[str, Any]
    measured: Mapping[str, Any]

    @property
    def games(self) -> pl.LazyFrame: ...
    @property
    def seats(self) -> pl.LazyFrame: ...
    @property
    def tallies(self) -> pl.LazyFrame: ...


@dataclass(frozen=True)
class Stratum:
    """Games that may be put together: one set of rules, one player count, one kind of line-up."""

    number: int
    rules: int
    players: int
    n_seats: int
    equal: bool
    cells: tuple[int, ...]
    course: str  # label of the rules row, "" if the run has only one

    @property
    def label(self) -> str:
        """Words for tables and pictures."""
        people = f"{self.players} players"
        return f"{people}, {self.course}" if self.course else people


def scale_of(column: str, dtype: pl.DataType | None = None) -> int:
    """The factor by which a column is multiplied before it is rounded and summed."""
    if column == "win_share":
        return WIN_SCALE
    if column == "rank":
        return RANK_SCALE
    return FLOAT_SCALE if dtype is not None and dtype.is_float() else 1


def as_integer(column: str, dtype: pl.DataType) -> pl.Expr:
    """A column as exact int64 in units of 1/scale."""
    scale = scale_of(column, dtype)
    value = pl.col(column)
    if scale != 1:
        value = (value.cast(pl.Float64) * scale).round()
    return value.cast(pl.Int64)


class Records:
    """A run's games and seats with ``group`` and ``stratum`` beside them."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.identity = run.identity
        self.cells = [dict(cell) for cell in run.identity["cells"]]
        self.k = len(self.cells)
        self.strata = strata(run.identity)

    # ------------------------------------------------------------ frames

    @cached_property
    def game_schema(self) -> pl.Schema:
        """Columns of games."""
        return self.run.games.collect_schema()

    @cached_property
    def seat_schema(self) -> pl.Schema:
        """Columns of seats."""
        return self.run.seats.collect_schema()

    def _keys(self) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
        block = pl.col("game_id") // self.k
        of_cell = {c: s.number for s in self.strata for c in s.cells}
        stratum = (pl.col("game_id") % self.k).replace_strict(
            list(of_cell), list(of_cell.values()), return_dtype=pl.Int16
        )
        n_blocks = max(self.n_blocks, 1)
        return (
            (block % GROUPS).cast(pl.Int32).alias("group"),
            stratum.alias("stratum"),
            (block * CHUNKS // n_blocks).cast(pl.Int32).alias("chunk"),
        )

    @cached_property
    def n_games(self) -> int:
        """Games of the run."""
        return int(self.run.games.select(pl.len()).collect().item())

    @property
    def n_blocks(self) -> int:
        """Blocks of the run."""
        return -(-self.n_games // self.k)

    @property
    def games(self) -> pl.LazyFrame:
        """Games with their keys."""
        return self.run.games.with_columns(*self._keys())

    @property
    def seats(self) -> pl.LazyFrame:
        """Seats with their keys."""
        return self.run.seats.with_columns(*self._keys())

    @property
    def seats_per_block(self) -> int:
        """Seat rows of one block."""
        return sum(int(cell["n_seats"]) for cell in self.cells)

    @cached_property
    def strategies(self) -> list[str]:
        """Labels of the strategies, in the order of the line-up."""
        return [str(word) for word in categories(self.seat_schema["strategy"])]

    @cached_property
    def played(self) -> list[str]:
        """Strategies that sat at a table at least once."""
        seen = self.run.seats.select(pl.col("strategy").unique()).collect()["strategy"]
        names = set(seen.cast(pl.String).to_list())
        return [s for s in self.strategies if s in names]

    def has(self, games: Iterable[str] = (), seats: Iterable[str] = ()) -> list[str]:
        """Which of these columns are missing."""
        missing = [f"games.{c}" for c in games if c not in self.game_schema]
        return missing + [f"seats.{c}" for c in seats if c not in self.seat_schema]

    def slices(self, columns: Sequence[str], most: int | None = None) -> Iterator[Slice]:
        """Whole blocks of seat rows, a shard at a time: for what compares seats of one game."""
        step = max(1, 65536 // self.k)
        last = self.n_blocks if most is None else min(self.n_blocks, most)
        for first in range(0, last, step):
            blocks = min(step, last - first)
            rows = self.run.seats.select(*columns).slice(
                first * self.seats_per_block, blocks * self.seats_per_block
            )
            yield Slice(self, first, blocks, rows.collect())


@dataclass(frozen=True)
class Slice:
    """Seat rows of some whole blocks: every cell's seats stand at fixed places of a block."""

    records: Records
    first: int
    blocks: int
    rows: pl.DataFrame

    def groups(self) -> np.ndarray:
        """Group of each block."""
        return (self.first + np.arange(self.blocks)) % GROUPS

    def cell(self, column: str, number: int) -> np.ndarray:
        """Values of a column in one cell: [blocks, n_seats, …]; words as their codes, null as -1."""
        series = self.rows[column]
        if series.dtype == pl.Enum:
            series = series.to_physical().cast(pl.Int64)
        inner = 0
        if isinstance(series.dtype, pl.Array):
            inner = series.dtype.size
            series = series.explode()
        if series.dtype == pl.Boolean:
            series = series.cast(pl.Int8)
        values = series.fill_null(-1).to_numpy()
        shape = (self.blocks, self.records.seats_per_block, *((inner,) if inner else ()))
        before = sum(int(c["n_seats"]) for c in self.records.cells[:number])
        return values.reshape(shape)[:, before : before + int(self.records.cells[number]["n_seats"])]


def strata(identity: Mapping[str, Any]) -> list[Stratum]:
    """Strata of a run, in the order of its cells."""
    found: dict[tuple[int, int, bool], list[int]] = {}
    cells = identity["cells"]
    for number, cell in enumerate(cells):
        key = (int(cell["rules"]), int(cell["players"]), bool(cell["equal"]))
        found.setdefault(key, []).append(number)
    labels = rules_labels(identity)
    out = []
    for number, ((rules, players, equal), members) in enumerate(found.items()):
        course = labels[rules] if len(labels) > 1 else ""
        n_seats = int(cells[members[0]]["n_seats"])
        out.append(Stratum(number, rules, players, n_seats, equal, tuple(members), course))
    return out


def rules_labels(identity: Mapping[str, Any]) -> list[str]:
    """A name for each set of rules in the run: course, board, or variant."""
    rows = identity.get("rules") or []
    names = [str(row.get("label") or f"rules {i + 1}") for i, row in enumerate(rows)]
    return names or ["rules 1"]


def categories(dtype: pl.DataType) -> list[str]:
    """The full list of words of an Enum column."""
    return dtype.categories.to_list() if isinstance(dtype, pl.Enum) else []


# ---------------------------------------------------------------- sums


def numeric(schema: pl.Schema) -> list[str]:
    """Columns that can be summed: numbers and flags that are not identity."""
    return [
        name
        for name, dtype in schema.items()
        if name not in IDENTITY_COLUMNS and (dtype.is_numeric() or dtype == pl.Boolean)
    ]


def sums(frame: pl.LazyFrame, keys: Sequence[str], columns: Mapping[str, pl.DataType]) -> pl.LazyFrame:
    """``n`` rows, the sum and the count of every column, by keys (lazy)."""
    total = [as_integer(c, t).sum().alias(c) for c, t in columns.items()]
    known = [pl.col(c).count().cast(pl.Int64).alias(f"{c}:n") for c in columns]
    return frame.group_by(list(keys)).agg(pl.len().cast(pl.Int64).alias("n"), *total, *known)


def collect(*frames: pl.LazyFrame, keys: Sequence[Sequence[str]]) -> list[pl.DataFrame]:
    """Collect in one go with the streaming engine; sorted, since groups come in any order."""
    done = pl.collect_all(list(frames), engine="streaming")
    return [frame.sort(list(by)) for frame, by in zip(done, keys, strict=True)]


GAME_KEYS = ("group", "stratum")
SEAT_KEYS = ("group", "stratum", "seat", "strategy")


def game_sums(records: Records) -> pl.DataFrame:
    """Sums of every number of a game, by group and stratum."""
    schema = records.game_schema
    columns = {name: schema[name] for name in numeric(schema)}
    return collect(sums(records.games, GAME_KEYS, columns), keys=[GAME_KEYS])[0]


def seat_sums(records: Records) -> pl.DataFrame:
    """Sums of every number of a seat, by group, stratum, seat and strategy."""
    schema = records.seat_schema
    columns = {name: schema[name] for name in numeric(schema)}
    return collect(sums(records.seats, SEAT_KEYS, columns), keys=[SEAT_KEYS])[0]


def results_by(records: Records, column: str, place: str = "") -> pl.DataFrame:
    """Wins, podium places and ranks by any seat column (turn order, nation) and strategy."""
    keys = ("group", "stratum", "chunk", column, "strategy")
    rank = pl.col(place) if place else pl.col("rank")
    frame = records.seats.group_by(keys).agg(
        pl.len().cast(pl.Int64).alias("n"),
        as_integer("win_share", pl.Float32()).sum().alias("win_share"),
        as_integer("rank", pl.Float32()).sum().alias("rank"),
        (rank <= 3).sum().cast(pl.Int64).alias("podium"),
    )
    return collect(frame, keys=[keys])[0]


def array_sums(records: Records, columns: Mapping[str, int]) -> pl.DataFrame:
    """Sums of the first ``size`` items of array columns, as ``<column>.<i>``, by stratum and strategy."""
    keys = ("group", "stratum", "strategy")
    items = [
        item
        for name, size in columns.items()
        for i in range(size)
        for item in (
            pl.col(name).arr.get(i).cast(pl.Int64).sum().alias(f"{name}.{i}"),
            pl.col(name).arr.get(i).count().cast(pl.Int64).alias(f"{name}.{i}:n"),
        )
    ]
    frame = records.seats.group_by(keys).agg(pl.len().cast(pl.Int64).alias("n"), *items)
    return collect(frame, keys=[keys])[0]


def histograms(records: Records, columns: Mapping[str, int]) -> dict[str, pl.DataFrame]:
    """Counts by value of games columns; ``columns``: name -> factor before rounding to integers.

    Keys group, stratum, truncated, value (in units of 1/factor); nulls are left out.
    """
    keys = ("group", "stratum", "truncated", "value")
    frames = []
    for name, factor in columns.items():
        value = (pl.col(name).cast(pl.Float64) * factor).round().cast(pl.Int64).alias("value")
        frames.append(
            records.games.select("group", "stratum", "truncated", value)
            .drop_nulls("value")
            .group_by(keys)
            .agg(pl.len().cast(pl.Int64).alias("n"))
        )
    return dict(zip(columns, collect(*frames, keys=[keys] * len(frames)), strict=True))


def head_to_head(records: Records) -> pl.DataFrame:
    """How often one strategy finishes ahead of another in the same game, by group and stratum.

    ``meetings`` counts pairs of seats with different strategies, ``ahead2`` twice the times that
    ``strategy`` placed before ``rival`` (level counts one).
    """
    size = len(records.strategies)
    main = [s for s in records.strata if not s.equal]
    shape = (len(records.strata), GROUPS, size, size)
    meetings, ahead2 = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for part in records.slices(["strategy", "rank"]):
        group = part.groups()
        for stratum in main:
            for number in stratum.cells:
                who, rank = part.cell("strategy", number), part.cell("rank", number)
                for a in range(who.shape[1]):
                    for b in range(who.shape[1]):
                        if a != b:
                            at = (group, who[:, a], who[:, b])
                            better = 1 + np.sign(rank[:, b] - rank[:, a]).astype(np.int64)
                            np.add.at(meetings[stratum.number], at, 1)
                            np.add.at(ahead2[stratum.number], at, better)
    stratum, group, one, two = np.nonzero(meetings)
    enum = records.seat_schema["strategy"]
    return pl.DataFrame(
        {
            "group": group.astype(np.int32),
            "stratum": stratum.astype(np.int16),
            "strategy": pl.Series(one).cast(pl.UInt8).cat.to(enum) if size else [],
            "rival": pl.Series(two).cast(pl.UInt8).cat.to(enum) if size else [],
            "meetings": meetings[stratum, group, one, two],
            "ahead2": ahead2[stratum, group, one, two],
        }
    )


def tallies(records: Records) -> pl.DataFrame:
    """Tallies summed by stratum: stratum, name, index, value."""
    frame = records.run.tallies
    of_cell = {c: s.number for s in records.strata for c in s.cells}
    return (
        frame.with_columns(
            pl.col("cell")
            .cast(pl.Int64)
            .replace_strict(list(of_cell), list(of_cell.values()), return_dtype=pl.Int16)
            .alias("stratum")
        )
        .group_by("stratum", "name", "index")
        .agg(pl.col("value").sum())
        .sort("stratum", "name", "index")
        .collect()
    )
