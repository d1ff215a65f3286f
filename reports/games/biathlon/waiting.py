"""How long the others still ski after the winner is home."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.facts import Facts
from reports.measures import GROUPS, Job, Stratum, adding, counted
from reports.section import Block, Column, Figure, Section, Table

ORDER = 52
COLUMNS = ("rounds_win", "rounds_total")
NEEDS = {"games": COLUMNS, "rows": True}
KEYS = ("group", "stratum", "rounds")


def make(facts: Facts) -> Section | None:
    """Mean, histogram, share of long waits."""
    there = [s for s in facts.main if s.players != 2]  # a two-player race ends with the first skier
    rows = facts.job("games", "waiting")
    there = [s for s in there if len(rows.filter(pl.col("stratum") == s.number))]
    if not there:
        return None
    blocks: list[Block] = [_figure(there, rows), _table(facts, there, rows)]
    return Section(
        id="waiting",
        title="After the winner",
        text="The race goes on until the last skier is home. How long does the winner watch?",
        blocks=blocks,
        leans_on=("course.layout", "rules.race_end"),
    )


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Games by rounds between the first crossing and the end."""
    del facts
    wait = (pl.col("rounds_total").cast(pl.Int64) - pl.col("rounds_win")).alias("rounds")

    def waits(rows: pl.DataFrame) -> pl.DataFrame:
        ended = rows.filter(~pl.col("truncated")).select("group", "stratum", wait)
        return counted(ended.drop_nulls("rounds"), KEYS)

    return {"games": {"waiting": adding([*COLUMNS, "truncated"], KEYS, waits)}}


def _figure(there: list[Stratum], rows: pl.DataFrame) -> Figure:
    parts = []
    for s in there[:6]:
        told = rows.filter(pl.col("stratum") == s.number).group_by("rounds").agg(pl.col("n").sum())
        share = told["n"] / told["n"].sum()
        part = pl.DataFrame(
            {"stratum": s.label, "value": told["rounds"], "share": share, "games": told["n"]}
        )
        parts.append(part.filter(pl.col("share") >= 1e-4).sort("value"))
    frame = pl.concat(parts)
    return Figure(
        "waiting",
        partial(figures.bars, frame, panel="stratum", xlabel="rounds after the winner is home"),
        "Share of races by rounds between the first skier home and the end.",
        "Histogram of rounds after the winner is home.",
        frame,
        term="Rounds after the winner",
    )


def _table(facts: Facts, there: list[Stratum], rows: pl.DataFrame) -> Table:
    columns = [
        *facts.named("Races of"),
        Column("mean", "Rounds after the winner", "interval"),
        Column("long", "More than 5 rounds", "interval_percent"),
        Column("n", "Races", "count"),
    ]
    out: list[dict[str, Any]] = []
    for s in there:
        told = rows.filter(pl.col("stratum") == s.number)
        total, n, long = (np.zeros(GROUPS) for _ in range(3))
        at, value, games = (told[c].to_numpy() for c in ("group", "rounds", "n"))
        np.add.at(total, at, value * games)
        np.add.at(n, at, games)
        np.add.at(long, at, games * (value > 5))
        out.append(
            {
                "stratum": s.label,
                "mean": estimates.ratio(total, n),
                "long": estimates.share(long, n),
                "n": int(n.sum()),
            }
        )
    races = wording.count(sum(row["n"] for row in out))
    return Table("waiting-table", columns, out, f"{races} races that had a winner.")
