"""Exact sums of records: whole numbers keyed by group and stratum, which merge in any order.

``group``    block % GROUPS: whole blocks, so games that share dice stay together; the clusters of
             all intervals that are made from sums
``stratum``  one rules row, one player count, equal strategies or not: never pooled; its number is
             the place in ``Plan.strata()``

Floats are multiplied by a scale and rounded before they are summed, so order moves no bit.
``<column>:n`` counts the values that are not null. ``reports.measures`` reads full records in the
same units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from simulate.plan import Plan
from simulate.records import Column

GROUPS = 512
WIN_SCALE = 840  # win shares 1/1 … 1/8 are whole numbers of 840ths
RANK_SCALE = 2  # mean ranks are whole numbers of halves
FLOAT_SCALE = 1000
HISTOGRAM_FLOAT_SCALE = 10
IDENTITY = frozenset(
    [
        "game_id",
        "block",
        "cell",
        "equal",
        "rotation",
        "n_seats",
        "players",
        "lanes",
        "seat",
        "side",
        "position",
        "player",
        "treated",
    ]
)
NAMES = re.compile(r"\w+_(seat|player)|leader_\w+|turn_index")  # a number that names somebody
PODIUM = 3


def scale_of(column: str, dtype: pl.DataType) -> int:
    """The factor by which a column is multiplied before it is rounded and summed."""
    if column == "win_share":
        return WIN_SCALE
    if column == "rank":
        return RANK_SCALE
    return FLOAT_SCALE if dtype.is_float() else 1


def as_integer(column: str, dtype: pl.DataType, scale: int | None = None) -> pl.Expr:
    """A column as exact int64 in units of 1/scale."""
    factor = scale_of(column, dtype) if scale is None else scale
    value = pl.col(column)
    if factor != 1:
        value = (value.cast(pl.Float64) * factor).round()
    return value.cast(pl.Int64)


def with_keys(frame: pl.LazyFrame, plan: Plan) -> pl.LazyFrame:
    """A games or seats frame with ``group`` and ``stratum`` beside its columns."""
    strata = plan.strata()
    of_cell = [strata.index((c.players, c.rules, c.equal)) for c in plan.cells]
    block = pl.col("game_id") // plan.k
    return frame.with_columns(
        (block % GROUPS).cast(pl.Int32).alias("group"),
        (pl.col("game_id") % plan.k)
        .replace_strict(list(range(plan.k)), of_cell, return_dtype=pl.Int16)
        .alias("stratum"),
    )


def numeric(schema: pl.Schema) -> list[str]:
    """Columns that can be summed: numbers and flags that are not identity."""
    return [
        name
        for name, dtype in schema.items()
        if name not in IDENTITY and (dtype.is_numeric() or dtype == pl.Boolean)
    ]


def amounts(schema: pl.Schema) -> list[str]:
    """Numeric columns whose mean says something: a seat's number is a name, not an amount."""
    return [name for name in numeric(schema) if not NAMES.fullmatch(name)]


def sums(frame: pl.LazyFrame, keys: Sequence[str], columns: Iterable[str]) -> pl.LazyFrame:
    """``n`` rows, the sum and the count of every column, by keys."""
    schema = frame.collect_schema()
    names = list(columns)
    return frame.group_by(list(keys)).agg(
        pl.len().cast(pl.Int64).alias("n"),
        *[as_integer(c, schema[c]).sum().alias(c) for c in names],
        *[pl.col(c).count().cast(pl.Int64).alias(f"{c}:n") for c in names],
    )


def array_sums(frame: pl.LazyFrame, keys: Sequence[str], columns: Sequence[Column]) -> pl.LazyFrame:
    """Sums of the items of array columns, as ``<column>.<i>``."""
    schema = frame.collect_schema()
    items: list[pl.Expr] = []
    singles: list[pl.Expr] = []
    for column in columns:
        inner = getattr(schema[column.name], "inner")  # noqa: B009 - an Array has one
        for i in range(column.array):
            name = f"{column.name}.{i}"
            singles.append(pl.col(column.name).arr.get(i).alias(name))
            items.append(as_integer(name, inner).sum().alias(name))
            items.append(pl.col(name).count().cast(pl.Int64).alias(f"{name}:n"))
    flat = frame.select(*keys, *singles)
    return flat.group_by(list(keys)).agg(pl.len().cast(pl.Int64).alias("n"), *items)


def histogram(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Counts by value of one games column: column, group, stratum, truncated, value, n."""
    dtype = frame.schema[column]
    scale = HISTOGRAM_FLOAT_SCALE if dtype.is_float() else 1
    keys = ["group", "stratum", "truncated", "value"]
    return (
        frame.select(
            "group", "stratum", "truncated", as_integer(column, dtype, scale).alias("value")
        )
        .drop_nulls("value")
        .group_by(keys)
        .agg(pl.len().cast(pl.Int64).alias("n"))
        .select(pl.lit(column).alias("column"), *keys, "n")
        .sort(keys)
    )


def results(frame: pl.LazyFrame, column: str) -> pl.LazyFrame:
    """Wins, podium places and ranks by the levels of a seats column, as text, and strategy.

    A game with a column ``place`` (null for none) has its podium by that, others by the rank.
    """
    placed = "place" if "place" in frame.collect_schema() else "rank"
    keys = ["group", "stratum", "level", "strategy"]
    level = pl.col(column).cast(pl.Int64, strict=False) if column == "treated" else pl.col(column)
    return (
        frame.with_columns(level.cast(pl.String).alias("level"))
        .group_by(keys)
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            as_integer("win_share", pl.Float32()).sum().alias("win_share"),
            as_integer("rank", pl.Float32()).sum().alias("rank"),
            (pl.col(placed) <= PODIUM).sum().cast(pl.Int64).alias("podium"),
        )
        .select(pl.lit(column).alias("by"), *keys, "n", "win_share", "rank", "podium")
    )


def head_to_head(seats: pl.DataFrame, plan: Plan, first: int, blocks: int) -> pl.DataFrame:
    """How often one strategy finishes ahead of another in the same game, by group and stratum.

    ``meetings`` counts ordered pairs of seats with different players, ``ahead2`` twice the times
    that ``strategy`` placed before ``rival`` (level counts one). ``seats`` holds whole blocks.
    """
    strata = plan.strata()
    size = len(plan.strategies)
    shape = (len(strata), GROUPS, size, size)
    meetings, ahead2 = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    rows = sum(c.n_seats for c in plan.cells)
    who = seats["strategy"].to_physical().to_numpy().reshape(blocks, rows).astype(np.int64)
    rank = (seats["rank"].to_numpy().reshape(blocks, rows) * RANK_SCALE).astype(np.int64)
    group = (first + np.arange(blocks)) % GROUPS
    start = 0
    for cell in plan.cells:
        there = range(start, start + cell.n_seats)
        start += cell.n_seats
        if cell.equal:
            continue
        number = strata.index((cell.players, cell.rules, cell.equal))
        for a in there:
            for b in there:
                if a != b:
                    key = (group * size + who[:, a]) * size + who[:, b]
                    better = 1 + np.sign(rank[:, b] - rank[:, a])
                    length = GROUPS * size * size
                    meetings[number] += np.bincount(key, minlength=length).reshape(shape[1:])
                    won = np.bincount(key, weights=better, minlength=length).astype(np.int64)
                    ahead2[number] += won.reshape(shape[1:])
    stratum, at, one, two = np.nonzero(meetings)
    enum = seats.schema["strategy"]
    return pl.DataFrame(
        {
            "group": at.astype(np.int32),
            "stratum": stratum.astype(np.int16),
            "strategy": pl.Series(one).cast(pl.UInt8).cat.to(enum),
            "rival": pl.Series(two).cast(pl.UInt8).cat.to(enum),
            "meetings": meetings[stratum, at, one, two],
            "ahead2": ahead2[stratum, at, one, two],
        }
    )


def merge(frame: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Add rows of whole numbers that share keys; sorted by the keys."""
    return frame.group_by(list(keys)).agg(pl.exclude(list(keys)).sum()).sort(list(keys))
