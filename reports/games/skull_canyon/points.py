"""Where victory points come from: by style, by final place."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.facts import Facts
from reports.games.skull_canyon import styles_table
from reports.games.skull_canyon.components import sentence
from reports.measures import GROUPS, Job, Stratum, adding, counted
from reports.section import Block, Column, Figure, Highlight, Section, Table

ORDER = 50
PARTS = {
    "vp_runs": "runs",
    "vp_aw_easy": "easy award",
    "vp_aw_adv": "advanced award",
    "vp_aw_exp": "expert award",
    "vp_aw_total": "total award",
    "vp_gear": "gear",
    "vp_fame": "leftover fame",
    "vp_goggles": "Precision Goggles",
}
FAME = {
    "fame_base": ("Runs", "base fame of the runs skied"),
    "fame_style": ("Style bonus", "fame added by style bonuses"),
    "fame_waning": ("Waning daylight", "bonus of the last turn of a day"),
    "fame_tub": ("Hot Tub", ""),
    "fame_sp_village": ("Paid in the village", ""),
    "fame_sp_gear": ("Paid for gear", ""),
    "fame_left": ("Left at the end", "three leftover fame are one VP"),
}
NEEDS = {"seats": (*PARTS, *FAME, "vp_final", "rank")}
KEYS = ("group", "stratum", "rank2")


def make(facts: Facts) -> Section:
    """VP by style and by place, fame in and out."""
    blocks: list[Block] = []
    ranked = facts.job("seats", "points by rank") if facts.records.full else None
    for s in facts.shown:
        blocks += [*facts.heading(s), _by_style(facts, s)]
        if ranked is not None and len(ranked.filter(pl.col("stratum") == s.number)):
            blocks.append(_by_place(s, ranked))
        blocks.append(_table(facts, s))
        blocks.append(
            styles_table.table(
                facts, s, "fame", FAME, f"Fame of a player in a game, by style, {s.label}."
            )
        )
    blocks += facts.not_shown()
    return Section(
        id="points",
        title="Where points come from",
        text="Which part of a score is runs, which is awards, gear and leftover fame? And do the "
        "winners earn the same things as the others, only more of them?",
        help="VP of runs are scored at once; awards, gear and fame only at the end of the game.",
        blocks=blocks,
        leans_on=("board", "boards", "deck", "gear.cards"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """The mean score."""
    if not facts.main:
        return []
    s = facts.main[0]
    e = facts.seat_mean("vp_final", s)
    return [
        Highlight("Score", f"{wording.value_of(e)} VP", wording.interval_of(e), f"mean, {s.label}")
    ]


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """VP by part and final place; ties share a mean place."""
    del facts

    def make(rows: pl.DataFrame) -> pl.DataFrame:
        place = (pl.col("rank") * 2).round().cast(pl.Int64).alias("rank2")
        keyed = rows.with_columns(place)
        return counted(keyed, KEYS, **{name: pl.col(name) for name in PARTS})

    return {"seats": {"points by rank": adding(["rank", *PARTS], KEYS, make)}}


def _by_style(facts: Facts, stratum: Stratum) -> Figure:
    return styles_table.stacked(
        facts,
        stratum,
        "points",
        PARTS,
        (
            "VP",
            "VP of a player by source and style",
            "Stacked bars of victory points by source, one bar for each style of play.",
        ),
        "VP",
    )


def _by_place(stratum: Stratum, ranked: pl.DataFrame) -> Figure:
    rows = []
    told = ranked.filter(pl.col("stratum") == stratum.number)
    for place in range(1, stratum.n_seats + 1):
        part = told.filter(pl.col("rank2") == 2 * place)
        n = np.zeros(GROUPS)
        np.add.at(n, part["group"].to_numpy(), part["n"].to_numpy())
        for column, words in PARTS.items():
            total = np.zeros(GROUPS)
            np.add.at(total, part["group"].to_numpy(), part[column].to_numpy())
            e = estimates.ratio(total, n)
            rows.append(
                {
                    "label": wording.ordinal(place),
                    "part": words,
                    "value": e.value if e.n else 0.0,
                    "low": e.low,
                    "high": e.high,
                    "seats": e.n,
                }
            )
    frame = pl.DataFrame(rows)
    return Figure(
        f"points-by-place-{stratum.number}",
        partial(figures.stacked, frame, xlabel="VP"),
        f"VP of the 1st, 2nd, … by source, {stratum.label}. Shared places are left out.",
        "Stacked bars of victory points by source, one bar for each final place.",
        frame,
        term="VP",
    )


def _table(facts: Facts, stratum: Stratum) -> Table:
    styles = styles_table.styles_of(facts, stratum)
    columns = [
        Column("source", "VP from"),
        Column("all", "All players", "interval"),
        *[
            Column(f"s{i}", wording.plain(name), "interval", term="VP")
            for i, name in enumerate(styles)
        ],
        Column("n", "Seats", "count"),
    ]
    n = int(facts.seat_rows(stratum)["n"].sum())
    rows = [
        {
            "source": sentence(words),
            "all": facts.seat_mean(column, stratum),
            **{f"s{i}": facts.seat_mean(column, stratum, name) for i, name in enumerate(styles)},
            "n": n,
        }
        for column, words in {**PARTS, "vp_final": "final score"}.items()
    ]
    return Table(
        f"points-{stratum.number}-table",
        columns,
        rows,
        f"Mean VP of a player in a game by source, {stratum.label}.",
    )
