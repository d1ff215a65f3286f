"""Where stamina goes, and who collapses."""

from __future__ import annotations

import polars as pl

from reports import estimates, wording
from reports.facts import Facts
from reports.games.biathlon import bars
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Highlight, Section, Table

ORDER = 58
PARTS = {
    "stam_paid_extra": "more dice columns",
    "stam_paid_entry_own": "passing in own moves",
    "stam_paid_entry_draft": "passing while drafting",
    "stam_paid_slide": "slides",
    "stam_paid_wax": "wax",
}
NEEDS = {"seats": (*PARTS, "stam_end", "blue_end", "round_out")}


def make(facts: Facts) -> Section:
    """Spending by reason, what is left, collapses."""
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += [*facts.heading(s), _figure(facts, s), _table(facts, s)]
    return Section(
        id="stamina",
        title="Stamina and collapses",
        text="What do skiers spend their stamina on, how much is left at the line, and how many "
        "collapse? A skier collapses when a move cannot be paid for.",
        help="Much stamina left at the line means that it was not scarce; collapses mean that it "
        "was "
        "spent too freely, or that others got in the way.",
        blocks=blocks,
        leans_on=("stamina", "course.lanes", "nations.set"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """The collapse rate."""
    if not facts.main:
        return []
    s = facts.main[0]
    rows = facts.seat_rows(s)
    e = estimates.share(rows["round_out:n"].to_numpy(), rows["n"].to_numpy())
    return [
        Highlight(
            "Collapses", f"{wording.percent_of(e)} of skiers", wording.percent_interval(e), s.label
        )
    ]


def strategies_of(facts: Facts, stratum: Stratum) -> list[str]:
    """Strategies that were played in a stratum, in line-up order."""
    rows = facts.seat_sums.filter(pl.col("stratum") == stratum.number)
    seen = set(rows["strategy"].cast(pl.String).unique().to_list())
    return [name for name in facts.strategies if name in seen]


def _figure(facts: Facts, stratum: Stratum) -> Figure:
    return bars.by_style(
        facts,
        stratum,
        strategies_of(facts, stratum),
        PARTS,
        (
            "stamina",
            "stamina paid a race",
            "Stamina paid a race by reason",
            "Stacked bars of stamina paid by reason for each style.",
        ),
        "Paid a race",
    )


def _table(facts: Facts, stratum: Stratum) -> Table:
    columns = [
        Column("strategy", "Style"),
        Column("paid", "Paid a race", "interval"),
        Column("end", "Left at the end", "interval"),
        Column("blue", "Markers on blue", "interval"),
        Column("collapsed", "Collapsed", "interval_percent"),
        Column("n", "Races", "count"),
    ]
    out = []
    for name in strategies_of(facts, stratum):
        rows = facts.seat_rows(stratum, name)
        n = rows["n"].to_numpy()
        paid = sum(rows[c].to_numpy() for c in PARTS)
        out.append(
            {
                "strategy": wording.plain(name),
                "paid": estimates.ratio(paid, n),
                "end": facts.seat_mean("stam_end", stratum, name),
                "blue": facts.seat_mean("blue_end", stratum, name),
                "collapsed": estimates.share(rows["round_out:n"].to_numpy(), n),
                "n": int(n.sum()),
            }
        )
    return Table(
        f"stamina-{stratum.number}-table", columns, out, f"Stamina by style, {stratum.label}."
    )
