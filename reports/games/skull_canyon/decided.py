"""When games are decided: leaders after each day, wins from behind, ties."""

from __future__ import annotations

import numpy as np
import polars as pl

from reports import estimates, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.games.skull_canyon.components import day_name, days_of
from reports.measures import GROUPS, WIN_SCALE, Job, Stratum, adding, as_integer, counted
from reports.section import Block, Column, Highlight, Section, Table, Text

ORDER = 68
GAMES = ("tie_level", "win_k", "margin")
NEEDS = {"games": GAMES, "seats": ("rank_d", "win_share"), "rows": True}
TIES = ("by VP", "by leftover fame", "by cards in hand", "shared")
GAME_KEYS = ("group", "stratum", "tie_level")
SEAT_KEYS = ("group", "stratum", "day", "place2")
CLOSE = 3  # VP


def make(facts: Facts) -> Section:
    """Ties, and wins by place after each day."""
    ties, days = facts.job("games", "ties"), facts.job("seats", "places by day")
    blocks: list[Block] = [_ties(facts, ties)]
    for s in facts.shown:
        if len(days.filter(pl.col("stratum") == s.number)):
            blocks += [*facts.heading(s), _days(facts, s, days)]
    blocks.append(
        Text(
            "That leaders go on to win does not show that leading helps: they may be the better "
            "players. What a gift does is measured by giving it: `simulate treat skull_canyon "
            "--hook fame_gift=3` and `--hook vp_gift=3`.",
            "note",
        )
    )
    return Section(
        id="decided",
        title="When it is decided",
        text="How often does the leader after a day go on to win, how often the last, and how "
        "often do the tiebreakers decide?",
        help="Places after a day are those that the final scoring would give if the game ended "
        "there.",
        blocks=blocks,
        leans_on=("board", "boards", "deck"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """Share of games that a tiebreaker decides."""
    if not facts.main:
        return []
    s = facts.main[0]
    e = tie_share(facts.job("games", "ties"), s, range(1, len(TIES)))
    return [
        Highlight("Ties", f"{wording.percent_of(e)} of games", wording.percent_interval(e), s.label)
    ]


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Games by what decided; wins by place after a day."""
    del facts

    def games(rows: pl.DataFrame) -> pl.DataFrame:
        there = rows.with_columns(pl.col("tie_level").cast(pl.Int64))
        close = (pl.col("margin") <= CLOSE).cast(pl.Int64)
        return counted(there, GAME_KEYS, close=close)

    def seats(rows: pl.DataFrame) -> pl.DataFrame:
        parts = []
        for day in range(3):
            there = rows.select(
                "group",
                "stratum",
                "win_share",
                pl.lit(day, pl.Int64).alias("day"),
                (pl.col("rank_d").arr.get(day) * 2).round().cast(pl.Int64).alias("place2"),
            ).drop_nulls("place2")
            won = as_integer("win_share", pl.Float32())
            parts.append(counted(there, SEAT_KEYS, win_share=won))
        return pl.concat(parts)

    return {
        "games": {"ties": adding(["tie_level", "margin"], GAME_KEYS, games)},
        "seats": {"places by day": adding(["rank_d", "win_share"], SEAT_KEYS, seats)},
    }


def tie_share(ties: pl.DataFrame, stratum: Stratum, levels: range) -> Estimate:
    """Share of games decided on these levels."""
    told = ties.filter(pl.col("stratum") == stratum.number)
    hit, n = np.zeros(GROUPS), np.zeros(GROUPS)
    np.add.at(n, told["group"].to_numpy(), told["n"].to_numpy())
    some = told.filter(pl.col("tie_level").is_in(list(levels)))
    np.add.at(hit, some["group"].to_numpy(), some["n"].to_numpy())
    return estimates.share(hit, n)


def _ties(facts: Facts, ties: pl.DataFrame) -> Table:
    columns = [
        *facts.named("Games of"),
        *[
            Column(f"t{i}", f"Decided {words}" if i < 3 else "Shared", "interval_percent")
            for i, words in enumerate(TIES)
        ],
        Column("close", f"Within {CLOSE} VP", "interval_percent"),
        Column("n", "Games", "count"),
    ]
    rows = []
    for s in facts.main:
        told = ties.filter(pl.col("stratum") == s.number)
        by_group = told.group_by("group").agg(pl.col("n", "close").sum()).sort("group")
        rows.append(
            {
                "stratum": s.label,
                **{f"t{i}": tie_share(ties, s, range(i, i + 1)) for i in range(len(TIES))},
                "close": estimates.share(by_group["close"].to_numpy(), by_group["n"].to_numpy()),
                "n": int(by_group["n"].sum()),
            }
        )
    return Table("ties", columns, rows, "What decides who wins.")


def win_from(days: pl.DataFrame, stratum: Stratum, day: int, place: int) -> Estimate:
    """Win share of who has a place (not shared) after a day, 0-based."""
    told = days.filter(
        (pl.col("stratum") == stratum.number)
        & (pl.col("day") == day)
        & (pl.col("place2") == 2 * place)
    )
    won, n = told["win_share"].to_numpy() / WIN_SCALE, told["n"].to_numpy()
    return estimates.share(won, n) if n.sum() else estimates.NOTHING


def _days(facts: Facts, stratum: Stratum, days: pl.DataFrame) -> Table:
    count = min(days_of(facts.model(stratum.rules)), 3)
    columns = [
        Column("place", "Place after the day"),
        *[
            Column(f"d{d}", f"Wins, {day_name(d + 1)}", "interval_percent", help="win share")
            for d in range(count)
        ],
    ]
    rows = [
        {
            "place": wording.ordinal(place),
            **{f"d{d}": win_from(days, stratum, d, place) for d in range(count)},
        }
        for place in range(1, stratum.n_seats + 1)
    ]
    n = wording.count(facts.games_of(stratum))
    even = wording.percent(1 / stratum.n_seats, 0)
    return Table(
        f"decided-{stratum.number}",
        columns,
        rows,
        f"Win share by place after each day, {stratum.label}, {n} games; even is {even}.",
    )
