"""Records -> frames of integer sums. Nothing here is a statistic: see ``estimates``.

A million games become a few thousand rows in one or two streaming passes, so a report takes the
same memory for any n. Every frame is keyed by ``group`` and ``stratum`` (see ``simulate.exact``):
512 groups of whole blocks are the clusters of all intervals, which gives an error that is itself
known to 3 %. A run with ``--records summary`` brings the same frames ready made.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
import polars as pl

from simulate import exact
from simulate.exact import GROUPS as GROUPS
from simulate.exact import RANK_SCALE as RANK_SCALE
from simulate.exact import WIN_SCALE as WIN_SCALE
from simulate.exact import as_integer as as_integer
from simulate.exact import scale_of as scale_of

SHARD_GAMES = 65536  # games of a shard: the blocks of a run with holes follow on within one
AT_ONCE = {"games": 4 * SHARD_GAMES, "seats": 2 * SHARD_GAMES}  # games read at once
MOST_CELLS = 4_000_000  # of a dense table of sums
JOIN_AT = 4  # frames of a job that are joined at once
CHUNKS = 20  # contiguous parts of a run, for the homogeneity test
SAMPLE_GAMES = 20_000  # games read for pictures that need every round of a game
DETAIL_GAMES = 100_000  # games read for what stands in arrays: ranges, tokens


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
    def whole(self) -> bool:
        """Whether all games of the plan are there, so that blocks follow on without holes."""
        return self.n_games == self.identity["plan"].get("n", self.n_games)

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

    def lacking(self, needs: Mapping[str, Any]) -> list[str]:
        """What a section's NEEDS ask for and the records do not have."""
        return self.missing(**needs)

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

    def keyed(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """Rows with ``group``, ``stratum`` and ``chunk`` (one of CHUNKS contiguous parts)."""
        chunk = pl.col("game_id") // self.k * CHUNKS // max(self.n_blocks, 1)
        keys = exact.with_keys(frame, self.run.plan)
        return keys.with_columns(chunk.clip(0, CHUNKS - 1).cast(pl.Int32).alias("chunk"))

    @property
    def known_games(self) -> pl.LazyFrame:
        """Games of which there are rows: all, or the noteworthy ones of a summary."""
        return self.keyed(self.run.games if self.full else self.run.summary.notable_games.lazy())

    @property
    def known_seats(self) -> pl.LazyFrame:
        """Seats of ``known_games``."""
        return self.keyed(self.run.seats if self.full else self.run.summary.notable_seats.lazy())

    @property
    def detail_seats(self) -> pl.LazyFrame:
        """Seats of the first DETAIL_GAMES games."""
        return self.keyed(self.run.seats.head(self.detail_blocks * self.seats_per_block))

    @property
    def detail_blocks(self) -> int:
        """Blocks of ``detail_seats``."""
        return min(max(DETAIL_GAMES // self.k, 1), self.n_blocks)

    @property
    def detail_words(self) -> str:
        """Which games ``detail_seats`` holds, for captions."""
        if not self.full or self.detail_blocks == self.n_blocks:
            return "all games"
        return f"the first {self.detail_blocks * self.k:,} games"

    def parts(
        self, kind: Literal["games", "seats"], columns: Iterable[str], most: int | None = None
    ) -> Iterator[Part]:
        """Rows of whole blocks, some shards at a time, so memory does not grow with the run.

        ``most``: no more blocks than that.
        """
        rows = self.run.games if kind == "games" else self.run.seats
        wanted = list(dict.fromkeys(["game_id", *columns]))
        per_block = self.k if kind == "games" else self.seats_per_block
        step = max(1, AT_ONCE[kind] // self.k) if self.whole else max(1, SHARD_GAMES // self.k)
        last = self.n_blocks if most is None else min(self.n_blocks, most)
        for start in range(0, last, step):
            blocks = min(step, last - start)
            part = rows.select(wanted).slice(start * per_block, blocks * per_block)
            yield Part(self, blocks, per_block, self.keyed(part).collect())


@dataclass(frozen=True)
class Part:
    """Rows of some whole blocks: every cell's rows stand at fixed places of a block."""

    records: Records
    blocks: int
    per_block: int
    rows: pl.DataFrame

    @property
    def first(self) -> int:
        """The first block."""
        return int(self.rows["game_id"][0]) // self.records.k

    def groups(self) -> np.ndarray:
        """Group of each block."""
        return self.rows["group"].gather_every(self.per_block).to_numpy()

    def cell(self, column: str, number: int) -> np.ndarray:
        """Values of a column in one cell: [blocks, n_seats, …]; words as codes, null as -1."""
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
        shape = (self.blocks, self.per_block, *((inner,) if inner else ()))
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


# ---------------------------------------------------------------- one pass over all rows

Frame = pl.DataFrame


@dataclass(frozen=True)
class Job:
    """A measure made part by part: columns it reads, what it makes of a part, how parts join."""

    columns: Sequence[str]
    make: Callable[[Part], Frame]
    join: Callable[[Frame], Frame]


def adding(columns: Sequence[str], keys: Sequence[str], make: Callable[[Frame], Frame]) -> Job:
    """A job whose frames of whole numbers are added up by ``keys``."""
    return Job(
        columns,
        lambda part: make(part.rows),
        lambda frame: exact.merge(frame.lazy(), keys).collect(),
    )


def run_jobs(
    records: Records, kind: Literal["games", "seats"], jobs: Mapping[str, Job]
) -> dict[str, Frame]:
    """All jobs in one pass over games or seats."""
    columns = [c for job in jobs.values() for c in job.columns]
    found: dict[str, list[Frame]] = {name: [] for name in jobs}
    for part in records.parts(kind, columns):
        for name, job in jobs.items():
            found[name].append(job.make(part))
            if len(found[name]) >= JOIN_AT:
                found[name] = [job.join(pl.concat(found[name]))]
    return {name: jobs[name].join(pl.concat(frames)) for name, frames in found.items()}


# ---------------------------------------------------------------- sums

GAME_KEYS = ("group", "stratum")
SEAT_KEYS = ("group", "stratum", "seat", "strategy")
HISTOGRAM_KEYS = ("group", "stratum", "truncated", "value")


def counted(rows: Frame, keys: Sequence[str], **values: pl.Expr) -> Frame:
    """``n`` rows and the sums of whole-number expressions, by keys (words, flags, small numbers).

    The keys are packed into one number and added up in a dense table, which is several times
    faster than grouping by several columns. Sums are exact below 2**53.
    """
    if rows.is_empty():
        return _by_columns(rows, keys, values)
    codes = [_codes(rows[key]) for key in keys]
    lows = [int(code.min()) for code in codes]
    sizes = [int(code.max()) - low + 1 for code, low in zip(codes, lows, strict=True)]
    cells = math.prod(sizes)
    if cells > MOST_CELLS:
        return _by_columns(rows, keys, values)
    packed = np.zeros(len(rows), np.int64)
    for code, low, size in zip(codes, lows, sizes, strict=True):
        packed = packed * size + (code - low)
    n = np.bincount(packed, minlength=cells)
    there = np.flatnonzero(n)
    out: dict[str, pl.Series] = {}
    rest = there
    for key, low, size in reversed(list(zip(keys, lows, sizes, strict=True))):
        out[key] = _from_codes(key, rest % size + low, rows.schema[key])
        rest = rest // size
    frame = [out[key] for key in keys] + [pl.Series("n", n[there].astype(np.int64))]
    for name, value in values.items():
        weight = rows.select(value.cast(pl.Float64).fill_null(0.0))[:, 0].to_numpy()
        total = np.bincount(packed, weight, cells)[there]
        frame.append(pl.Series(name, total.round().astype(np.int64)))
    return pl.DataFrame(frame)


def _by_columns(rows: Frame, keys: Sequence[str], values: Mapping[str, pl.Expr]) -> Frame:
    """The same the plain way, for keys that reach far."""
    sums_of = [value.cast(pl.Int64).sum().alias(name) for name, value in values.items()]
    return rows.group_by(list(keys)).agg(pl.len().cast(pl.Int64).alias("n"), *sums_of)


def _codes(series: pl.Series) -> np.ndarray:
    """A key as whole numbers; null as -1."""
    if isinstance(series.dtype, pl.Enum):
        series = series.to_physical()
    return series.cast(pl.Int64).fill_null(-1).to_numpy()


def _from_codes(name: str, codes: np.ndarray, dtype: pl.DataType) -> pl.Series:
    """A key again as it was."""
    series = pl.Series(name, codes)
    if isinstance(dtype, pl.Enum):
        words = pl.Series(dtype.categories)
        return words.gather(series.replace(-1, None)).cast(dtype).alias(name)
    if (codes < 0).any():
        series = series.replace(-1, None)
    return series.cast(dtype)


def sums(rows: Frame, keys: Sequence[str], columns: Sequence[str]) -> Frame:
    """``n``, the sum and the count of every column: ``exact.sums`` of rows in memory."""
    values = {c: exact.as_integer(c, rows.schema[c]) for c in columns}
    some = {f"{c}:n": pl.col(c).is_not_null() for c in columns if rows[c].null_count()}
    frame = counted(rows, keys, **values, **some)
    every = [pl.col("n").alias(f"{c}:n") for c in columns if f"{c}:n" not in some]
    return frame.with_columns(every).select(*keys, "n", *columns, *(f"{c}:n" for c in columns))


def game_sums(records: Records) -> Job:
    """Sums of every number of a game, by group and stratum."""
    columns = exact.numeric(records.game_schema)
    return adding(columns, GAME_KEYS, lambda rows: sums(rows, GAME_KEYS, columns))


def seat_sums(records: Records) -> Job:
    """Sums of every number of a seat, by group, stratum, seat and strategy."""
    columns = exact.numeric(records.seat_schema)
    wanted = ["seat", "strategy", *columns]
    return adding(wanted, SEAT_KEYS, lambda rows: sums(rows, SEAT_KEYS, columns))


def results_by(column: str, place: str = "") -> Job:
    """Wins, podium places and ranks by any seat column (turn order, nation) and strategy.

    ``place``: the column of places, null for none; without it a rank of 3 or better is a podium.
    """
    keys = ["group", "stratum", column, "strategy"]
    rank = place or "rank"

    def make(rows: Frame) -> Frame:
        return counted(
            rows,
            keys,
            win_share=as_integer("win_share", pl.Float32()),
            rank=as_integer("rank", pl.Float32()),
            podium=pl.col(rank) <= exact.PODIUM,
        )

    return adding([column, "strategy", "win_share", "rank", rank], keys, make)


def kept_results(records: Records, column: str) -> Frame:
    """The same from a summary, which keeps levels as text."""
    rows: Frame = records.run.summary.results.filter(pl.col("by") == column)
    level = pl.col("level")
    if not isinstance(records.seat_schema[column], pl.Enum):
        level = level.cast(pl.Int64)
    return rows.with_columns(level.alias(column)).drop("by", "level")


def counts_by(columns: Sequence[str]) -> Job:
    """Seats by stratum and some columns: ``n``."""
    keys = ["stratum", *columns]
    return adding(columns, keys, lambda rows: counted(rows, keys))


def histogram(column: str, factor: int = 1) -> Job:
    """Counts by value of a games column, in units of 1/factor; nulls are left out."""

    def make(rows: Frame) -> Frame:
        value = (pl.col(column).cast(pl.Float64) * factor).round().cast(pl.Int64).alias("value")
        there = rows.select("group", "stratum", "truncated", value).drop_nulls("value")
        return counted(there, HISTOGRAM_KEYS)

    return adding([column, "truncated"], HISTOGRAM_KEYS, make)


def kept_histogram(records: Records, column: str, factor: int) -> Frame:
    """The same from a summary, which keeps floats in tenths."""
    rows: Frame = records.run.summary.histograms.filter(pl.col("column") == column)
    unit = exact.HISTOGRAM_FLOAT_SCALE if records.game_schema[column].is_float() else 1
    value = (pl.col("value") * factor / unit).round().cast(pl.Int64)
    keys = list(HISTOGRAM_KEYS)
    return rows.with_columns(value.alias("value")).group_by(keys).agg(pl.col("n").sum()).sort(keys)


def head_to_head(records: Records) -> Job:
    """How often one strategy finishes ahead of another in the same game: see ``simulate.exact``."""
    plan = records.run.plan
    keys = ["group", "stratum", "strategy", "rival"]
    return Job(
        ["strategy", "rank"],
        lambda part: exact.head_to_head(part.rows, plan, part.first, part.blocks),
        lambda frame: exact.merge(frame.lazy(), keys).collect(),
    )


def extreme(column: str, most: bool, ties: Sequence[tuple[str, bool]], seats: bool) -> Job:
    """The row with the most (least) of a column; equal ones by ``ties``, then by game_id."""
    names = [column, *(name for name, _ in ties)]
    extra = ["seat"] if seats else ["truncated"]
    order = [*names, "game_id", *(["seat"] if seats else [])]
    down = [most, *(more for _, more in ties), False, *([False] if seats else [])]

    best = pl.col(column).max() if most else pl.col(column).min()

    def first(frame: Frame) -> Frame:
        return frame.filter(pl.col(column) == best).sort(order, descending=down).head(1)

    def make(part: Part) -> Frame:
        rows = part.rows.select("game_id", *extra, *names).filter(pl.col(column).is_not_null())
        return first(rows if seats else rows.filter(~pl.col("truncated")))

    return Job([*names, *extra], make, first)


# ---------------------------------------------------------------- arrays, tallies


def array_of(records: Records, column: str) -> pl.Array:
    """Type of an array column of seats: its ``size`` and ``inner`` type."""
    dtype = records.seat_schema[column]
    if not isinstance(dtype, pl.Array):
        raise TypeError(f"seats.{column} is no array")
    return dtype


def array_sums(records: Records, columns: Mapping[str, int]) -> Frame:
    """Sums of the first ``size`` items of array columns, as ``<column>.<i>``.

    By group, stratum and strategy, over ``Records.detail_seats`` (all games of a summary).
    """
    keys = ["group", "stratum", "strategy"]
    names = [f"{name}.{i}" for name, size in columns.items() for i in range(size)]
    if not records.full:
        wanted = [*keys, "n", *names, *(f"{name}:n" for name in names)]
        kept: Frame = records.run.summary.array_sums
        return kept.select(wanted)
    items = []
    for name, size in columns.items():
        inner: Any = array_of(records, name).inner
        for i in range(size):
            item = pl.col(name).arr.get(i)
            scale = scale_of(name, inner)
            value = (item.cast(pl.Float64) * scale).round() if scale != 1 else item
            items.append(value.cast(pl.Int64).sum().alias(f"{name}.{i}"))
            items.append(item.count().cast(pl.Int64).alias(f"{name}.{i}:n"))
    frame = records.detail_seats.group_by(keys).agg(pl.len().cast(pl.Int64).alias("n"), *items)
    return frame.collect(engine="streaming").sort(keys)


def tallies(records: Records) -> Frame:
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
