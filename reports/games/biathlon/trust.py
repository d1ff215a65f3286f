"""Checks of the trust panel that only Biathlon can make."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from reports import estimates, wording
from reports.facts import Facts
from reports.games.biathlon.rulebook import shooting_odds
from reports.games.biathlon.shooting import colour_rates, range_arrays
from reports.section import Check

ALPHA = 0.001


def checks(facts: Facts) -> Iterator[Check]:
    """Dice against their odds; skiers, places and shots add up."""
    if not facts.records.missing(seats=("shots_by_colour", "hits_by_colour")):
        yield _dice(facts)
    if facts.records.full and not facts.records.missing(
        games=("finishers", "collapses", "n_seats", "truncated", "players"),
        seats=("place", "win", "status"),
    ):
        yield from _rows(facts)


def _dice(facts: Facts) -> Check:
    odds = shooting_odds(facts.model())
    arrays = range_arrays(facts)
    p_values, said = [], []
    for o, e in zip(odds, colour_rates(arrays, len(odds)), strict=True):
        if not e.n:
            continue
        sd = (o.hit * (1 - o.hit) / e.n) ** 0.5
        p_values.append(estimates.z_test(e.value - o.hit, sd))
        said.append(f"{o.colour} {wording.percent(e.value, 2)} for {wording.percent(o.hit, 2)}")
    if not p_values:
        return Check("Shooting dice are fair", None, "Not checked: no shot was made.")
    worst = min(estimates.adjusted(p_values, "holm"))
    return Check(
        "Shooting dice are fair",
        worst >= ALPHA,
        f"Hit rates agree with the exact odds: {wording.listing(said)} (smallest corrected "
        f"{wording.p_value(worst)}).",
    )


def _rows(facts: Facts) -> Iterator[Check]:
    """Row by row, in one pass over games and one over seats."""
    games = facts.records.run.games.select(
        (pl.col("finishers") + pl.col("collapses") > pl.col("n_seats")).sum().alias("many"),
        (
            ~pl.col("truncated")
            & (pl.col("players") != 2)
            & (pl.col("finishers") + pl.col("collapses") < pl.col("n_seats"))
        )
        .sum()
        .alias("few"),
    )
    seats = facts.records.run.seats.select(
        (pl.col("win") & (pl.col("win_share") != 1)).sum().alias("win"),
        (pl.col("place").is_not_null() & (pl.col("place") != pl.col("rank"))).sum().alias("place"),
    )
    one, two = pl.collect_all([games, seats], engine="streaming")
    ended = facts.model().get("rules", {}).get("race_end", "all_home") == "all_home"
    lost = int(one["many"][0]) + (int(one["few"][0]) if ended else 0)
    yield Check(
        "Every skier is home, out or racing",
        lost == 0,
        "Finishers and collapsed skiers are all skiers of every race that ended."
        if not lost
        else f"They are not in {wording.count(lost)} races.",
    )
    wrong = int(two["win"][0]) + int(two["place"][0])
    yield Check(
        "Winners and places agree",
        wrong == 0,
        "Who won has win share 1; places are ranks."
        if not wrong
        else f"They do not for {wording.count(wrong)} skiers.",
    )
