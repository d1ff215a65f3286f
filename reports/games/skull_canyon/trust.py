"""Checks of the trust panel that only this game can make."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from reports import wording
from reports.facts import Facts
from reports.measures import Job, adding
from reports.section import Check

PARTS = (
    "vp_runs", "vp_goggles", "vp_fame", "vp_gear", "vp_aw_easy", "vp_aw_adv", "vp_aw_exp",
    "vp_aw_total", "vp_gift",
)  # fmt: skip
IN = (
    "fame_base", "fame_style", "fame_camera", "fame_waning", "fame_boots", "fame_tent", "fame_tub",
    "fame_gift",
)  # fmt: skip
OUT = ("fame_sp_village", "fame_sp_gear", "fame_sp_alert", "fame_sp_goggles", "fame_left")
CARDS_IN = ("cards_drawn", "cards_row")
CARDS_OUT = ("cards_played", "cards_paid", "cards_left")
SEATS = (*PARTS, *IN, *OUT, *CARDS_IN, *CARDS_OUT, "vp_final", "stole", "stolen_from")


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Seats whose points, fame or cards do not add up."""
    if facts.records.missing(seats=SEATS):
        return {}

    def total(names: tuple[str, ...]) -> pl.Expr:
        return pl.sum_horizontal([pl.col(name).cast(pl.Int64) for name in names])

    def seats(rows: pl.DataFrame) -> pl.DataFrame:
        wrong = {
            "points": total(PARTS) != pl.col("vp_final"),
            "fame": total(IN) != total(OUT),
            "cards": total(CARDS_IN) != total(CARDS_OUT),
        }
        counts = [value.sum().cast(pl.Int64).alias(name) for name, value in wrong.items()]
        taken = (total(("stole",)) - total(("stolen_from",))).sum().alias("steals")
        return rows.select(pl.lit(0).alias("check"), *counts, taken)

    return {"seats": {"sums of seats": adding(SEATS, ["check"], seats)}}


def checks(facts: Facts) -> Iterator[Check]:
    """Points, fame and cards add up in every row; every steal has a victim."""
    if not facts.records.full or facts.records.missing(seats=SEATS):
        return
    row = facts.job("seats", "sums of seats").row(0, named=True)
    words = {
        "points": ("Points add up", "VP by source are the final score"),
        "fame": ("Fame adds up", "fame earned is fame paid and left"),
        "cards": ("Cards add up", "cards got are cards played, paid and left"),
    }
    for key, (name, meaning) in words.items():
        bad = row[key]
        told = meaning if not bad else f"{meaning}: not so for {wording.count(bad)} seats"
        yield Check(name, bad == 0, f"{told}.")
    yield Check(
        "Steals have victims",
        row["steals"] == 0,
        "as many runs were stolen as were lost to a thief.",
    )
