"""Seats day by day: who begins, who gains."""

from __future__ import annotations

from functools import partial

import polars as pl

from reports import estimates, figures, wording
from reports.estimates import NOTHING, Estimate
from reports.facts import Facts
from reports.games.skull_canyon.components import day_name, days_of, sentence
from reports.measures import RANK_SCALE, Job, Stratum, adding, as_integer, counted
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 62
NEEDS = {"seats": ("vp_d", "fame_d", "rank_d"), "rows": True}
KEYS = ("group", "stratum", "seat", "day")
MOST_DAYS = 4


def make(facts: Facts) -> Section:
    """VP by seat and day, places after each day."""
    rows = facts.job("seats", "seat days")
    blocks: list[Block] = []
    for s in facts.shown:
        days = days_of(facts.model(s.rules))
        here = facts.twin(s) or s
        if not len(rows.filter(pl.col("stratum") == here.number)):
            continue
        blocks += [*facts.heading(s), _figure(s, here, rows, days), _table(s, here, rows, days)]
    blocks += facts.not_shown()
    blocks.append(
        Text(
            "Seat 1 begins on day I, and the first player marker passes on every day. What the "
            "passing is worth is measured by leaving it where it is: `simulate treat skull_canyon "
            "--hook no_pass --target all`.",
            "note",
        )
    )
    return Section(
        id="seat-days",
        title="Seats day by day",
        text="Does a seat gain on the days on which it begins? With four players the last seat "
        "never begins a day.",
        help="VP of a day are those on the track, without awards, gear and leftover fame. Where "
        "the run has games with the same style on every seat, those are shown.",
        blocks=blocks,
        leans_on=("board", "boards", "deck", "village"),
    )


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """VP, fame and place at the end of each day, by seat."""
    del facts

    def make(rows: pl.DataFrame) -> pl.DataFrame:
        parts = []
        for day in range(MOST_DAYS):
            there = rows.select(
                "group",
                "stratum",
                "seat",
                pl.lit(day, pl.Int64).alias("day"),
                pl.col("vp_d").arr.get(day).alias("vp"),
                pl.col("fame_d").arr.get(day).alias("fame"),
                pl.col("rank_d").arr.get(day).alias("rank"),
            ).drop_nulls("vp")
            place = as_integer("rank", pl.Float32())
            sums = {"vp": pl.col("vp"), "fame": pl.col("fame"), "rank": place}
            parts.append(counted(there, KEYS, **sums))
        return pl.concat(parts)

    return {"seats": {"seat days": adding(["seat", "vp_d", "fame_d", "rank_d"], KEYS, make)}}


def gained(rows: pl.DataFrame, stratum: Stratum, seat: int, day: int) -> Estimate:
    """VP that a seat scores on a day (0-based), less the mean of all seats."""
    told = rows.filter(pl.col("stratum") == stratum.number)

    def by_group(number: int) -> pl.DataFrame:
        part = told.filter(pl.col("day") == number)
        own = part.filter(pl.col("seat") == seat).select("group", "n", own=pl.col("vp"))
        every = part.group_by("group").agg(every=pl.col("vp").sum())
        return own.join(every, on="group").sort("group")

    now = by_group(day)
    if now.is_empty():
        return NOTHING
    value = now["own"] - now["every"] / stratum.n_seats
    if day:
        before = by_group(day - 1)
        value = value - (before["own"] - before["every"] / stratum.n_seats)
    return estimates.ratio(value.to_numpy(), now["n"].to_numpy())


def _figure(shown: Stratum, here: Stratum, rows: pl.DataFrame, days: int) -> Figure:
    out = []
    for seat in range(here.n_seats):
        for day in range(days):
            e = gained(rows, here, seat, day)
            out.append(
                {
                    "label": f"Seat {seat + 1}",
                    "day": sentence(day_name(day + 1)),
                    "begins": day % here.n_seats == seat,
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                    "seats": e.n,
                }
            )
    frame = pl.DataFrame(out)
    draw = partial(
        figures.dots,
        frame,
        group="day",
        percent=False,
        reference=0.0,
        reference_label="mean of all seats",
        xlabel="VP of the day, less the mean",
        floor=2.0,
    )
    return Figure(
        f"seat-days-{shown.number}",
        draw,
        f"VP that a seat scores on a day more than the mean of all, {here.label}. "
        f"{_beginners(here, days)}",
        "Dots with intervals by seat and day.",
        frame,
        term="VP of a day, less the mean",
    )


def _beginners(stratum: Stratum, days: int) -> str:
    said = [f"seat {day % stratum.n_seats + 1} begins {day_name(day + 1)}" for day in range(days)]
    return f"{sentence(wording.listing(said))}."


def _table(shown: Stratum, here: Stratum, rows: pl.DataFrame, days: int) -> Table:
    columns = [
        Column("seat", "Seat", "count"),
        *[Column(f"d{d}", f"VP after {day_name(d + 1)}", "interval") for d in range(days)],
        *[Column(f"r{d}", f"Place, {day_name(d + 1)}", "interval", 2) for d in range(days)],
        Column("n", "Games", "count"),
    ]
    told = rows.filter(pl.col("stratum") == here.number)
    out = []
    for seat in range(here.n_seats):
        row: dict[str, object] = {"seat": seat + 1}
        for day in range(days):
            part = told.filter((pl.col("seat") == seat) & (pl.col("day") == day)).sort("group")
            n = part["n"].to_numpy()
            row[f"d{day}"] = estimates.ratio(part["vp"].to_numpy(), n)
            row[f"r{day}"] = estimates.ratio(part["rank"].to_numpy() / RANK_SCALE, n)
            row["n"] = int(n.sum())
        out.append(row)
    return Table(
        f"seat-days-{shown.number}-table",
        columns,
        out,
        f"VP on the track at the end of each day and place if the game ended then, {here.label}.",
    )
