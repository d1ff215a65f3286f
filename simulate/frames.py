"""Row arrays to Polars frames and Parquet files.

Kernels fill structured arrays; a shard becomes a games and a seats file. -1 (or NaN) becomes null
where a column says so, words become ``pl.Enum`` with the vocabulary's full list, subarrays become
``pl.Array``. The frames are made in pieces of a fixed number of blocks, so neither the chunk size
nor the number of workers can change a byte of the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simulate.errors import StoreError
from simulate.records import Column

COMPRESSION_LEVEL = 1  # measured: higher levels cost time and save under 1 %


def _codes(values: np.ndarray, words: Sequence[str], name: str) -> pl.Series:
    """A word column: index into ``words`` to Enum, -1 to null."""
    enum = pl.Enum(words)
    physical = pl.UInt8 if len(words) < 255 else pl.UInt16
    if values.size and int(values.max()) >= len(words):
        raise ValueError(f"column {name}: code {int(values.max())} has no word in {list(words)}")
    return pl.Series(name, values).cast(physical, strict=False).cat.to(enum)


def _nulled(series: pl.Series, dtype: np.dtype[Any]) -> pl.Series:
    """-1 and NaN to null."""
    name = series.name
    kept = pl.col(name) != -1
    if dtype.kind == "f":
        kept &= pl.col(name).is_not_nan()
    return series.to_frame().select(pl.when(kept).then(pl.col(name)))[name]


def _series(column: Column, values: np.ndarray, words: Mapping[str, Sequence[str]]) -> pl.Series:
    """One column of a frame from one field of a row array."""
    flat = np.ascontiguousarray(values).reshape(-1)
    if column.words:
        series = _codes(flat, words[column.words], column.name)
    else:
        series = pl.Series(column.name, flat)
        if column.null:
            series = _nulled(series, flat.dtype)
    if column.array:
        series = series.reshape((len(values), column.array))
    return series


def frame(
    rows: np.ndarray, columns: Iterable[Column], words: Mapping[str, Sequence[str]]
) -> pl.DataFrame:
    """The Polars frame of a row array."""
    return pl.DataFrame([_series(c, rows[c.name], words) for c in columns])


def tally_frame(tally: np.ndarray) -> pl.DataFrame:
    """TALLY rows (one a cell) in long form: cell, name, index, value; zeros are left out."""
    cells, names, indices, values = [], [], [], []
    fields = list(tally.dtype.names or ())
    for number, name in enumerate(fields):
        table = tally[name].reshape(len(tally), -1)
        cell, index = np.nonzero(table)
        cells.append(cell)
        indices.append(index)
        values.append(table[cell, index])
        names.append(np.full(len(cell), number))
    empty = [np.zeros(0, np.int64)]
    return pl.DataFrame(
        [
            pl.Series("cell", np.concatenate(cells or empty).astype(np.int16)),
            _codes(np.concatenate(names or empty), fields, "name"),
            pl.Series("index", np.concatenate(indices or empty).astype(np.int32)),
            pl.Series("value", np.concatenate(values or empty).astype(np.int64)),
        ]
    )


# ---------------------------------------------------------------- files


def write_whole(path: Path, write: Any) -> None:
    """Write a file whole or not at all: ``write(temporary path)``, fsync, rename."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(temporary)
        with temporary.open("rb+") as handle:
            os.fsync(handle.fileno())
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        reason = _disk_reason(error)
        if reason is None:
            raise
        raise StoreError(
            f"{path} cannot be written: {reason}. Nothing half-written is left; what was "
            "finished before is kept."
        ) from error


def _disk_reason(error: BaseException) -> str | None:
    """What the system said, where an error came from the disk; Polars hides it in its message."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    number = re.search(r"os error (\d+)", str(error))
    if isinstance(error, pl.exceptions.PolarsError) and number:
        return os.strerror(int(number[1]))
    return None


def write_parquet(path: Path, table: pl.DataFrame, rows: int, metadata: dict[str, str]) -> None:
    """Write a frame as Parquet, ``rows`` to a row group, whole or not at all."""
    write_whole(
        path,
        lambda temporary: table.write_parquet(
            temporary,
            compression="zstd",
            compression_level=COMPRESSION_LEVEL,
            statistics=False,
            row_group_size=max(rows, 1),
            metadata=metadata,
        ),
    )
