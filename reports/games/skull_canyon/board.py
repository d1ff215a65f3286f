"""A picture of a board by itself, for comparing boards: nodes, lifts, and how often runs are skied."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.facts import Facts
from reports.games.skull_canyon import run_map
from reports.games.skull_canyon.components import Board, board_of
from reports.measures import Stratum

SCALE = "the wider a line, the more often the run is skied; the number is times a game"


def board_frame(facts: Facts, stratum: Stratum) -> pl.DataFrame:
    """One row a lift and one a run, with the heights of both ends: all that ``draw`` needs.

    Rows of runs have the columns of ``run_map.run_frame``, tallies a game; those of lifts have null.
    """
    board = board_of(facts.model(stratum.rules), stratum.players)
    lifts = pl.DataFrame(
        [{"kind": "lift", "top": top, "bottom": bottom} for bottom, top in board.lifts]
    )
    runs = run_map.run_frame(facts, stratum).with_columns(pl.lit("run").alias("kind"))
    heights = [
        pl.col(end).replace_strict(board.nodes, return_dtype=pl.Float64).alias(f"{end}_height")
        for end in ("bottom", "top")
    ]
    return pl.concat([lifts, runs], how="diagonal").with_columns(
        pl.lit(board.name).alias("board"), *heights
    )


def draw(frame: pl.DataFrame) -> Any:
    """The board of ``board_frame``."""
    return run_map.draw(_board(frame), frame.filter(pl.col("kind") == "run"), "skied")


def _board(frame: pl.DataFrame) -> Board:
    """Nodes, in the order in which rows name them, and lifts."""
    nodes: dict[str, float] = {}
    for row in frame.iter_rows(named=True):
        for end in ("bottom", "top"):
            nodes.setdefault(row[end], row[f"{end}_height"])
    lifts = frame.filter(pl.col("kind") == "lift")
    ways = list(zip(lifts["bottom"], lifts["top"], strict=True))
    return Board(str(frame["board"][0]), nodes, ways, ())
