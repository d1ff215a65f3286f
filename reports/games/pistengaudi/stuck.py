"""Figures without a way out, and games that the limit of rounds stops: how often, and why."""

from __future__ import annotations

import polars as pl

from reports import estimates
from reports.facts import Facts
from reports.measures import GROUPS, Job, Stratum, adding, counted
from reports.section import Block, Column, Section, Table, Text

ORDER = 84
RESULTS = {
    "capped": "stopped by the limit of rounds",
    "capped_at_bottom": "stopped with every figure at the lower edge",
}
COLUMNS = ("result", "stranded_events", "stranded_end", "truncated")
NEEDS = {"games": (*COLUMNS, "holes_unfillable", "forest_veto", "forest_on_slope"), "rows": True}
KEYS = ("group", "stratum", "result", "lost", "end")


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Games by result, and by whether a figure ever lost its way out, or had none at the end."""
    del facts

    def results(rows: pl.DataFrame) -> pl.DataFrame:
        flags = rows.with_columns(
            (pl.col("stranded_events") > 0).alias("lost"), (pl.col("stranded_end") > 0).alias("end")
        )
        return counted(flags, KEYS)

    return {"games": {"stuck": adding([*COLUMNS], KEYS, results)}}


def make(facts: Facts) -> Section:
    """Results, stranded figures, and what the slope was like."""
    rows = facts.job("games", "stuck")
    blocks: list[Block] = [_table(facts, rows)]
    why = [row for s in facts.main for row in _why(s, rows)]
    if why:
        columns = [
            Column("stratum", "Games of"),
            Column("result", "Not finished because"),
            Column("lost", "Somebody lost the way out", "percent", 0),
            Column("end", "Somebody is without at the end", "percent", 0),
            Column("n", "Games", "count"),
        ]
        blocks.append(Table("stuck-why", columns, why, "Games that did not end by the rules."))
    else:
        blocks.append(Text("Every game ended with a winner.", "note"))
    return Section(
        id="stuck",
        title="Stuck figures",
        text="A forest card may never shut a figure in, but other cards and the lower edge of the "
        "table can leave one without a way to the goal. How often, and does it end the game?",
        help="A figure has no way out when no chain of steps leads to the goal, not even over cards "
        "still to be laid. Such a figure can still be groomed, or freed when the stack is empty.",
        blocks=blocks,
        leans_on=("rules.forest", "board.lower_limit", "limits.max_rounds"),
    )


def _table(facts: Facts, rows: pl.DataFrame) -> Table:
    columns = [
        Column("stratum", "Games of"),
        Column("cut", "Not finished", "interval_percent", 2),
        Column("lost", "A way out is lost", "interval_percent", help="share of games, ever"),
        Column("end", "Stuck at the end", "interval_percent", help="share of games"),
        Column("holes", "Holes", "interval", help="free spaces at the end that no card fits"),
        Column("veto", "Barred", "interval", help="placements that the forest rule struck out"),
        Column("n", "Games", "count"),
    ]
    out = []
    for s in facts.main:
        told = rows.filter(pl.col("stratum") == s.number)
        n = _by_group(told)
        out.append(
            {
                "stratum": s.label,
                "cut": facts.rate("truncated", s),
                "lost": estimates.share(_by_group(told.filter(pl.col("lost"))), n),
                "end": estimates.share(_by_group(told.filter(pl.col("end"))), n),
                "holes": facts.mean("holes_unfillable", s),
                "veto": facts.mean("forest_veto", s),
                "n": facts.games_of(s),
            }
        )
    return Table("stuck", columns, out, "Stuck figures and unfinished games.")


def _by_group(told: pl.DataFrame) -> list[int]:
    """Games of each group."""
    found = dict.fromkeys(range(GROUPS), 0)
    for row in told.group_by("group").agg(pl.col("n").sum()).iter_rows(named=True):
        found[row["group"]] = row["n"]
    return list(found.values())


def _why(stratum: Stratum, rows: pl.DataFrame) -> list[dict[str, object]]:
    """The unfinished games of a stratum by how they ended."""
    out: list[dict[str, object]] = []
    for result, words in RESULTS.items():
        told = rows.filter(
            (pl.col("stratum") == stratum.number) & (pl.col("result").cast(pl.String) == result)
        )
        n = int(told["n"].sum())
        if n:
            lost, end = (int(told.filter(pl.col(c))["n"].sum()) / n for c in ("lost", "end"))
            out.append(
                {"stratum": stratum.label, "result": words, "lost": lost, "end": end, "n": n}
            )
    return out
