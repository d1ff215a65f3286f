"""Checks of the trust panel that only Biathlon can make."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from reports import estimates, wording
from reports.facts import Facts
from reports.games.biathlon import shooting
from reports.games.biathlon.rulebook import shooting_odds
from reports.games.biathlon.shooting import colour_rates, range_arrays
from reports.measures import Job, adding
from reports.section import Check

ALPHA = 0.001


GAMES = ("finishers", "collapses", "n_seats", "truncated", "players")
SEATS = ("place", "rank", "win", "win_share")


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Games whose skiers, seats whose places do not add up."""
    if facts.records.missing(games=GAMES, seats=SEATS):
        return {}
    lost = pl.col("finishers") + pl.col("collapses")
    ended = ~pl.col("truncated") & (pl.col("players") != 2)

    def games(rows: pl.DataFrame) -> pl.DataFrame:
        many = (lost > pl.col("n_seats")).sum().cast(pl.Int64).alias("many")
        few = (ended & (lost < pl.col("n_seats"))).sum().cast(pl.Int64).alias("few")
        return rows.select(pl.lit(0).alias("check"), many, few)

    def seats(rows: pl.DataFrame) -> pl.DataFrame:
        win = (pl.col("win") & (pl.col("win_share") != 1)).sum().cast(pl.Int64).alias("win")
        place = (pl.col("place") != pl.col("rank")).sum().cast(pl.Int64).alias("place")
        return rows.select(pl.lit(0).alias("check"), win, place)

    return {
        "games": {"skiers": adding(GAMES, ["check"], games)},
        "seats": {"places": adding(SEATS, ["check"], seats)},
    }


def checks(facts: Facts) -> Iterator[Check]:
    """Dice against their odds; skiers, places and shots add up."""
    if not facts.records.lacking(shooting.NEEDS):
        yield _dice(facts)
    if facts.records.full and not facts.records.missing(games=GAMES, seats=SEATS):
        yield from _rows(facts)


def _dice(facts: Facts) -> Check:
    odds = shooting_odds(facts.model())
    arrays = range_arrays(facts)
    p_values, said = [], []
    for o, e in zip(odds, colour_rates(arrays, len(odds)), strict=True):
        if e.n < estimates.MIN_GAMES or e.clusters < estimates.MIN_CLUSTERS:
            continue
        p_values.append(estimates.z_test(e.value - o.hit, e.se))
        said.append(f"{o.colour} {wording.percent(e.value, 2)} for {wording.percent(o.hit, 2)}")
    if not p_values:
        return Check("Shooting dice are fair", None, "Not checked: too few shots.")
    worst = min(estimates.adjusted(p_values, "holm"))
    return Check(
        "Shooting dice are fair",
        worst >= ALPHA,
        f"Hit rates agree with the exact odds: {wording.listing(said)} (smallest corrected "
        f"{wording.p_value(worst)}).",
    )


def _rows(facts: Facts) -> Iterator[Check]:
    """Row by row."""
    one, two = facts.job("games", "skiers"), facts.job("seats", "places")
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
