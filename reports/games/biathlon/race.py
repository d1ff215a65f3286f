"""How races unfold: who is how far behind, and what leading is worth."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.facts import Facts
from reports.games.biathlon import race_measures
from reports.games.biathlon.race_measures import FRACTIONS, Unfolding
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Heading, Section, Table, Text

ORDER = 50
NEEDS = {"seats": ("dist_round", "place", "win", "rank_range"), "rows": True}
LEAST = 50  # skiers behind a point of the picture


def make(facts: Facts) -> Section | None:
    """Race chart, what a lead is worth, ranges and results."""
    blocks: list[Block] = []
    found: dict[int, Unfolding] = {}
    for last in {race_measures.last_range_of(facts, s) for s in facts.main}:
        part = race_measures.unfolding(facts, last)
        for s in facts.main:
            if race_measures.last_range_of(facts, s) == last:
                found[s.number] = part[s.number]
    for stratum in facts.shown:
        one = found[stratum.number]
        if not one.lead_n.sum():
            continue
        blocks += facts.heading(stratum)
        blocks.append(_chart(stratum, one))
        blocks.append(_lead(stratum, one))
    if not blocks:
        return None
    blocks.append(Heading("What a lead is worth"))
    blocks.append(_table(facts, found))
    games = sum(found[s.number].games for s in facts.main)
    blocks.append(Text(f"Drawn from the first {wording.count(games)} games of the run.", "note"))
    return Section(
        id="race",
        title="How races unfold",
        text="How far do the skiers drift apart, and does the leader at half-way usually win? If "
        "the "
        "leader always wins, the rest of the race is a formality; if leading means nothing, the "
        "first half does not matter.",
        help="'Steps behind' counts spaces to the leader, penalty steps still owed included.",
        blocks=blocks,
        leans_on=("course.layout", "tiles", "range.lap_length"),
    )


def _chart(stratum: Stratum, one: Unfolding) -> Figure:
    rows = []
    for place in range(one.gap.shape[0]):
        for r in range(one.gap.shape[1]):
            n = one.gap_n[place, r]
            if n >= LEAST and n >= 0.3 * one.gap_n[place].max():
                rows.append(
                    {
                        "x": r + 1,
                        "series": f"{wording.ordinal(place + 1)} in the end",
                        "value": one.gap[place, r] / n,
                        "skiers": int(n),
                    }
                )
    if not rows:
        rows = [{"x": 1, "series": "too few games", "value": 0.0, "skiers": 0}]
    frame = pl.DataFrame(rows)
    draw = partial(
        figures.lines, frame, xlabel="round", ylabel="steps behind the leader", invert=True
    )
    return Figure(
        f"race-{stratum.number}",
        draw,
        f"Mean distance to the leader by round, for the later 1st, 2nd, … ({stratum.label}), "
        "until the "
        "winner is home. Lines far apart early mean that the race is decided early.",
        "Lines of the mean distance to the leader by round, one for each final place.",
        frame,
        term="Behind the leader",
    )


def _lead(stratum: Stratum, one: Unfolding) -> Figure:
    found = [estimates.share(one.lead_wins[:, i], one.lead_n[:, i]) for i in range(len(FRACTIONS))]
    frame = pl.DataFrame(
        {
            "x": [f * 100 for f in FRACTIONS],
            "series": ["leader wins"] * len(found),
            "value": [e.value for e in found],
            "low": [e.low for e in found],
            "high": [e.high for e in found],
            "races": [e.n for e in found],
        }
    )
    draw = partial(
        figures.lines,
        frame,
        xlabel="percent of the race done",
        ylabel="leader goes on to win",
        percent=True,
        reference=1 / stratum.n_seats,
    )
    return Figure(
        f"lead-{stratum.number}",
        draw,
        f"How often the leader at that moment wins ({stratum.label}). The dashed line is a "
        "leader who "
        "is worth nothing; dips are moments when the leaders stand at a range.",
        f"Rising line: the leader at half-way wins {wording.percent(found[4].value, 0)}.",
        frame,
        term="Leads at that moment, wins",
    )


def _table(facts: Facts, found: dict[int, Unfolding]) -> Table:
    columns = [
        *facts.named("Games of"),
        *[
            Column(f"f{i}", f"Leads at {int(FRACTIONS[i] * 100)}%, wins", "interval_percent")
            for i in (1, 4, 7)
        ],
        Column("range", "Leaves the last range first, wins", "interval_percent"),
        Column("even", "Worth nothing", "percent"),
        Column("n", "Races", "count"),
    ]
    rows = []
    for s in facts.main:
        one = found[s.number]
        row = {f"f{i}": estimates.share(one.lead_wins[:, i], one.lead_n[:, i]) for i in (1, 4, 7)}
        row["range"] = estimates.share(one.first_out_wins, one.first_out_n)
        rows.append(
            {"stratum": s.label, **row, "even": 1 / s.n_seats, "n": int(np.sum(one.lead_n[:, 4]))}
        )
    return Table("lead-table", columns, rows, "How often who leads at a moment wins the race.")
