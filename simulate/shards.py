"""The files of a shard: made from pieces of rows, written by the worker, checked on resuming.

    games/00000.parquet  seats/00000.parquet  tallies/00000.parquet

or, with ``--records summary``, the files of ``simulate.summary``. Each file carries the column docs
and which blocks of which plan it holds, so a killed run can tell its finished shards.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simulate.batch import PIECE_GAMES, pieces
from simulate.frames import frame, tally_frame, write_parquet
from simulate.plan import Plan, canonical
from simulate.records import CORE_GAME, CORE_SEAT, Column
from simulate.tables import tables

FULL = ("games", "seats", "tallies")
SUMMARY = (
    "game_sums", "seat_sums", "array_sums", "results", "histograms", "head_to_head",
    "notable_games", "notable_seats", "tallies",
)  # fmt: skip


def kinds(plan: Plan) -> tuple[str, ...]:
    """The folders that hold a plan's shards."""
    return SUMMARY if plan.records == "summary" else FULL


def game_columns(plan: Plan) -> tuple[Column, ...]:
    """Columns of the games file: core first, then the game's own."""
    return (*CORE_GAME, *tables(plan).engine.state.GAME_COLUMNS)


def seat_columns(plan: Plan) -> tuple[Column, ...]:
    """Columns of the seats file: core first, then the game's own."""
    return (*CORE_SEAT, *tables(plan).engine.state.SEAT_COLUMNS)


def make(plan: Plan, first: int, blocks: int, chunk: int) -> dict[str, pl.DataFrame]:
    """Play blocks; the frames of their games, seats and tallies."""
    table = tables(plan)
    tally = np.zeros(plan.k, dtype=table.engine.state.TALLY)
    games, seats = [], []
    for game_rows, seat_rows in pieces(plan, first, blocks, chunk, tally):
        games.append(frame(game_rows, game_columns(plan), table.words))
        seats.append(frame(seat_rows, seat_columns(plan), table.words))
    return {
        "games": pl.concat(games, rechunk=False),
        "seats": pl.concat(seats, rechunk=False),
        "tallies": tally_frame(tally),
    }


def path(folder: Path, kind: str, shard: int) -> Path:
    """Where a file of a shard stands."""
    return folder / kind / f"{shard:05d}.parquet"


def write(plan: Plan, shard: int, folder: Path, made: Mapping[str, pl.DataFrame]) -> dict[str, Any]:
    """Write the files of a shard, games last; the shard's row for run.json."""
    for kind in reversed(kinds(plan)):
        table = made[kind]
        write_parquet(
            path(folder, kind, shard), table, _group(plan, kind), metadata(plan, shard, kind)
        )
    return row(plan, shard, folder)


def _group(plan: Plan, kind: str) -> int:
    """Rows of a row group: one piece, for games and seats."""
    piece = max(1, PIECE_GAMES // plan.k)
    if kind == "games":
        return piece * plan.k
    if kind == "seats":
        return piece * tables(plan).seats_per_block
    return 1 << 18


def metadata(plan: Plan, shard: int, kind: str) -> dict[str, str]:
    """What a file tells of itself: plan, blocks, and what its columns mean."""
    first, blocks = plan.shard_range(shard)
    columns = {"games": game_columns, "seats": seat_columns}.get(kind.removeprefix("notable_"))
    return {
        "simulate.plan": plan.digest,
        "simulate.shard": canonical({"shard": shard, "first_block": first, "blocks": blocks}),
        "simulate.kind": kind,
        "simulate.columns": docs(columns(plan)) if columns else "{}",
    }


def docs(columns: tuple[Column, ...]) -> str:
    """Meaning, unit and index of every column, as JSON."""
    return canonical(
        {
            c.name: {
                key: value
                for key, value in (
                    ("meaning", c.meaning),
                    ("unit", c.unit),
                    ("words", c.words),
                    ("index", c.array_name),
                    ("null", "none" if c.null else ""),
                )
                if value
            }
            for c in columns
        }
    )


def row(plan: Plan, shard: int, folder: Path) -> dict[str, Any]:
    """The row of a finished shard in run.json, from its files."""
    first, blocks = plan.shard_range(shard)
    return {
        "shard": shard,
        "first_block": first,
        "blocks": blocks,
        "games": blocks * plan.k,
        "sha256": {kind: sha256(path(folder, kind, shard)) for kind in kinds(plan)},
    }


def sha256(file: Path) -> str:
    """Hash of a file's bytes."""
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def finished(
    plan: Plan, shard: int, folder: Path, known: Mapping[int, Any]
) -> dict[str, Any] | None:
    """The row of a shard whose files are whole and hold just these blocks of this plan, else None.

    ``known``: rows of run.json by shard; where one is there, the hashes must agree too.
    """
    first, blocks = plan.shard_range(shard)
    said = canonical({"shard": shard, "first_block": first, "blocks": blocks})
    for kind in kinds(plan):
        file = path(folder, kind, shard)
        if not file.is_file():
            return None
        try:
            told = pl.read_parquet_metadata(file)
        except (pl.exceptions.PolarsError, OSError):
            return None
        if told.get("simulate.plan") != plan.digest or told.get("simulate.shard") != said:
            return None
    found = row(plan, shard, folder)
    wanted = known.get(shard)
    if wanted is not None and wanted["blocks"] == blocks and wanted["sha256"] != found["sha256"]:
        return None
    return found


def column_docs(file: Path) -> dict[str, dict[str, str]]:
    """Column docs from a file's metadata."""
    return json.loads(pl.read_parquet_metadata(file).get("simulate.columns", "{}"))
