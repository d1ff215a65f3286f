"""Figures without a way out, and games that the limit of rounds stops: how often, and why."""

from __future__ import annotations

import polars as pl

from reports import estimates
from reports.facts import Facts
from reports.measures import GROUPS, Job, Stratum, adding, counted
from reports.section import Block, Column, Example, Replays, Section, Table, Text

ORDER = 84
EDGE = "every figure stands at the lower edge, where no card can be laid"
NOBODY = "no figure has a way out"
SOME = "some figures have no way out, the others do not get home either"
EVERYBODY = "every figure has a way out, but the cards for it are not laid, or taken away again"
REASONS = (EDGE, NOBODY, SOME, EVERYBODY)
AT_EDGE = "capped_at_bottom"  # the result in the records
FREE, PART, ALL = range(3)  # how many figures are without a way out at the end
COLUMNS = ("result", "stranded_events", "stranded_end", "truncated", "n_seats")
NEEDS = {"games": (*COLUMNS, "holes_unfillable", "forest_veto", "forest_on_slope"), "rows": True}
KEYS = ("group", "stratum", "truncated", "edge", "lost", "end")


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Games by how they ended, and by whether a figure ever lost its way out or had none then."""
    del facts

    def results(rows: pl.DataFrame) -> pl.DataFrame:
        return counted(flagged(rows), KEYS)

    return {"games": {"stuck": adding([*COLUMNS], KEYS, results)}}


def flagged(rows: pl.DataFrame) -> pl.DataFrame:
    """Games with what the reasons rest on: at the lower edge, lost a way out, how many have none."""
    end = pl.col("stranded_end")
    return rows.with_columns(
        (pl.col("result").cast(pl.String) == AT_EDGE).alias("edge"),
        (pl.col("stranded_events") > 0).alias("lost"),
        pl.when(end == 0)
        .then(FREE)
        .when(end < pl.col("n_seats"))
        .then(PART)
        .otherwise(ALL)
        .cast(pl.Int64)
        .alias("end"),
    )


def reason(reached_edge: bool, end: int) -> str:
    """Why a game that the limit stopped could not end (edge case 38 of the rules apart)."""
    return EDGE if reached_edge else {FREE: EVERYBODY, PART: SOME, ALL: NOBODY}[end]


def make(facts: Facts) -> Section:
    """Results, stranded figures, and what the slope was like."""
    rows = facts.job("games", "stuck")
    blocks: list[Block] = [_table(facts, rows)]
    why = [row for s in facts.main for row in _why(facts, s, rows)]
    if why:
        columns = [
            Column("stratum", "Games of"),
            Column("result", "Not finished because"),
            Column("lost", "Somebody lost the way out", "percent", 0),
            Column("share", "Of its games", "percent", 2),
            Column("n", "Games", "count"),
        ]
        blocks.append(Table("stuck-why", columns, why, "Games that did not end by the rules."))
        blocks.append(Replays("One of each", _examples(facts)))
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
                "end": estimates.share(_by_group(told.filter(pl.col("end") > FREE)), n),
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


def _why(facts: Facts, stratum: Stratum, rows: pl.DataFrame) -> list[dict[str, object]]:
    """The unfinished games of a stratum by why they could not end."""
    cut = rows.filter((pl.col("stratum") == stratum.number) & pl.col("truncated"))
    n, lost = (dict.fromkeys(REASONS, 0) for _ in range(2))
    for row in cut.iter_rows(named=True):
        why = reason(row["edge"], row["end"])
        n[why] += row["n"]
        lost[why] += row["n"] * row["lost"]
    games = max(facts.games_of(stratum), 1)
    return [
        {
            "stratum": stratum.label,
            "result": why,
            "lost": lost[why] / n[why],
            "share": n[why] / games,
            "n": n[why],
        }
        for why in REASONS
        if n[why]
    ]


def _examples(facts: Facts) -> list[tuple[str, Example]]:
    """The first game of each reason."""
    mine = pl.col("stratum").is_in([s.number for s in facts.main])
    rows = facts.records.known_games.filter(pl.col("truncated") & mine)
    first: dict[str, Example] = {}
    for row in flagged(rows.sort("game_id").collect()).iter_rows(named=True):
        why = reason(row["edge"], row["end"])
        words = f"stopped after {row['rounds']} rounds with {row['n_seats']} players"
        first.setdefault(why, Example(row["game_id"], words, {"truncated": True}))
    return [(why, first[why]) for why in REASONS if why in first]
