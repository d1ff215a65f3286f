"""Records -> frames of integer sums. Nothing here is a statistic: see ``estimates``.

A million games become a few thousand rows in one or two streaming passes, so a report takes the
same memory for any n. Every frame is keyed by ``group`` and ``stratum`` (see ``simulate.exact``):
512 groups of whole blocks are the clusters of all intervals, which gives an error that is itself
known to 3 %. A run with ``--records summary`` brings the same frames ready made.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import polars as pl

from simulate import exact
from simulate.exact import GROUPS, RANK_SCALE, WIN_SCALE, as_integer, scale_of

__all__ = ["GROUPS", "RANK_SCALE", "WIN_SCALE", "Records", "Run", "Slice", "Stratum", "scale_of"]

CHUNKS = 20  # contiguous parts of a run, for the homogeneity test
SAMPLE_GAMES = 20_000  # games read for pictures that need every round of a game


class Run(Protocol):
    """What reports read of a run; ``simulate.store.Run`` is one."""

    path: Any
    identity: Mapping[str, Any]
    measured: Mapping[str, Any]

    @property
    def plan(self) -> Any: ...
    @property
    def games(self) -> pl.LazyFrame: ...
    @property
    def seats(self) -> pl.LazyFrame: ...
    @property
    def tallies(self) -> pl.LazyFrame: ...
    @property
    def summary(self) -> Any: ...


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


class Records:
    """A run's games and seats with ``group`` and ``stratum`` beside them."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.identity = run.identity
        self.cells = [dict(cell) for cell in run.identity["cells"]]
        self.k = len(self.cells)
        self.strata = strata(run.identity)
        self.full = run.identity["plan"].get("records", "full") == "full"

    # ------------------------------------------------------------ what is there

    @cached_property
    def game_schema(self) -> pl.Schema:
        """Columns of games."""
        return (
            self.run.games.collect_schema() if self.full else self.run.summary.notable_games.schema
        )

    @cached_property
    def seat_schema(self) -> pl.Schema:
        """Columns of seats."""
        return (
            self.run.seats.collect_schema() if self.full else self.run.summary.notable_seats.schema
        )

    @cached_property
    def n_games(self) -> int:
        """Games of the run."""
        if self.full:
            return int(self.run.games.select(pl.len()).collect().item())
        return int(self.run.summary.game_sums["n"].sum())

    @property
    def n_blocks(self) -> int:
        """Blocks of the run."""
        return -(-self.n_games // self.k)

    @property
    def seats_per_block(self) -> int:
        """Seat rows of one block."""
        return sum(int(cell["n_seats"]) for cell in self.cells)

    @cached_property
    def strategies(self) -> list[str]:
        """Labels of the strategies, in the order of the line-up."""
        return categories(self.seat_schema["strategy"])

    def missing(
        self, games: Iterable[str] = (), seats: Iterable[str] = (), rows: bool = False
    ) -> list[str]:
        """Which of these columns are not there; ``rows``: one row a game is needed."""
        found = [f"games.{c}" for c in games if c not in self.game_schema]
        found += [f"seats.{c}" for c in seats if c not in self.seat_schema]
        if rows and not self.full:
            found.append("rows of single games (--records summary keeps none)")
        return found

    # ------------------------------------------------------------ rows

    def _keyed(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        chunk = pl.col("game_id") // self.k * CHUNKS // max(self.n_blocks, 1)
        return exact.with_keys(frame, self.run.plan).with_columns(
            chunk.cast(pl.Int32).alias("chunk")
        )

    @property
    def games(self) -> pl.LazyFrame:
        """Games with their keys and their ``chunk``, one of CHUNKS contiguous parts."""
        return self._keyed(self.run.games)

    @property
    def seats(self) -> pl.LazyFrame:
        """Seats with their keys and their ``chunk``."""
        return self._keyed(self.run.seats)

    @property
    def known_games(self) -> pl.LazyFrame:
        """Games of which there are rows: all, or the noteworthy ones of a summary."""
        return self.games if self.full else self._keyed(self.run.summary.notable_games.lazy())

    @property
    def known_seats(self) -> pl.LazyFrame:
        """Seats of ``known_games``."""
        return self.seats if self.full else self._keyed(self.run.summary.notable_seats.lazy())

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
        return values.reshape(shape)[
            :, before : before + int(self.records.cells[number]["n_seats"])
        ]


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

GAME_KEYS = ("group", "stratum")
SEAT_KEYS = ("group", "stratum", "seat", "strategy")


def collect(*frames: pl.LazyFrame, keys: Sequence[Sequence[str]]) -> list[pl.DataFrame]:
    """Collect in one go with the streaming engine; sorted, since groups come in any order."""
    done = pl.collect_all(list(frames), engine="streaming")
    return [frame.sort(list(by)) for frame, by in zip(done, keys, strict=True)]


def game_sums(records: Records) -> pl.DataFrame:
    """Sums of every number of a game, by group and stratum."""
    if not records.full:
        return records.run.summary.game_sums
    columns = exact.numeric(records.game_schema)
    return collect(exact.sums(records.games, GAME_KEYS, columns), keys=[GAME_KEYS])[0]


def seat_sums(records: Records) -> pl.DataFrame:
    """Sums of every number of a seat, by group, stratum, seat and strategy."""
    if not records.full:
        return records.run.summary.seat_sums
    columns = exact.numeric(records.seat_schema)
    return collect(exact.sums(records.seats, SEAT_KEYS, columns), keys=[SEAT_KEYS])[0]


def results_by(records: Records, column: str, place: str = "") -> pl.DataFrame:
    """Wins, podium places and ranks by any seat column (turn order, nation) and strategy.

    ``place``: the column of places, null for none; without it a rank of 3 or better is a podium.
    """
    by = [column] if column == "strategy" else [column, "strategy"]
    keys = ("group", "stratum", *by)
    if not records.full:
        return _kept_results(records, column)
    rank = pl.col(place or "rank")
    frame = records.seats.group_by(keys).agg(
        pl.len().cast(pl.Int64).alias("n"),
        as_integer("win_share", pl.Float32()).sum().alias("win_share"),
        as_integer("rank", pl.Float32()).sum().alias("rank"),
        (rank <= exact.PODIUM).sum().cast(pl.Int64).alias("podium"),
    )
    return collect(frame, keys=[keys])[0]


def _kept_results(records: Records, column: str) -> pl.DataFrame:
    """The same from a summary, which keeps levels as text."""
    rows = records.run.summary.results.filter(pl.col("by") == column)
    if rows.is_empty():
        raise KeyError(f"the summary keeps no results by {column}")
    level = pl.col("level")
    if not isinstance(records.seat_schema[column], pl.Enum):
        level = level.cast(pl.Int64)
    return rows.with_columns(level.alias(column)).drop("by", "level")


def array_sums(records: Records, columns: Mapping[str, int]) -> pl.DataFrame:
    """Sums of the first ``size`` items of array columns, as ``<column>.<i>``, by stratum and strategy."""
    keys = ("group", "stratum", "strategy")
    names = [f"{name}.{i}" for name, size in columns.items() for i in range(size)]
    if not records.full:
        wanted = [*keys, "n", *names, *(f"{name}:n" for name in names)]
        return records.run.summary.array_sums.select(wanted)
    items = []
    for name, size in columns.items():
        inner = records.seat_schema[name].inner
        for i in range(size):
            item = pl.col(name).arr.get(i)
            scale = scale_of(name, inner)
            value = (item.cast(pl.Float64) * scale).round() if scale != 1 else item
            items.append(value.cast(pl.Int64).sum().alias(f"{name}.{i}"))
            items.append(item.count().cast(pl.Int64).alias(f"{name}.{i}:n"))
    frame = records.seats.group_by(keys).agg(pl.len().cast(pl.Int64).alias("n"), *items)
    return collect(frame, keys=[keys])[0]


def histograms(records: Records, columns: Mapping[str, int]) -> dict[str, pl.DataFrame]:
    """Counts by value of games columns; ``columns``: name -> factor before rounding to integers.

    Keys group, stratum, truncated, value (in units of 1/factor); nulls are left out.
    """
    if not records.full:
        return {name: _kept_histogram(records, name, f) for name, f in columns.items()}
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


def _kept_histogram(records: Records, column: str, factor: int) -> pl.DataFrame:
    """The same from a summary, which keeps floats in tenths."""
    keys = ["group", "stratum", "truncated", "value"]
    rows = records.run.summary.histograms.filter(pl.col("column") == column)
    unit = exact.HISTOGRAM_FLOAT_SCALE if records.game_schema[column].is_float() else 1
    value = (pl.col("value") * factor / unit).round().cast(pl.Int64)
    return rows.with_columns(value.alias("value")).group_by(keys).agg(pl.col("n").sum()).sort(keys)


def head_to_head(records: Records) -> pl.DataFrame:
    """How often one strategy finishes ahead of another in the same game: see ``simulate.exact``."""
    if not records.full:
        return records.run.summary.head_to_head
    keys = ["group", "stratum", "strategy", "rival"]
    parts = [
        exact.head_to_head(part.rows, records.run.plan, part.first, part.blocks)
        for part in records.slices(["strategy", "rank"])
    ]
    return exact.merge(pl.concat(parts).lazy(), keys).collect()


def tallies(records: Records) -> pl.DataFrame:
    """Tallies summed by stratum: stratum, name, index, value."""
    of_cell = {c: s.number for s in records.strata for c in s.cells}
    stratum = (
        pl.col("cell")
        .cast(pl.Int64)
        .replace_strict(list(of_cell), list(of_cell.values()), return_dtype=pl.Int16)
    )
    keys = ["stratum", "name", "index"]
    frame = records.run.tallies.with_columns(stratum.alias("stratum"))
    return frame.group_by(keys).agg(pl.col("value").sum()).sort(keys).collect()


def own(game: str, module: str) -> Any | None:
    """A module of a game's report folder, or None."""
    try:
        return importlib.import_module(f"reports.games.{game}.{module}")
    except ModuleNotFoundError:
        return None
