"""The village: where players go, what is full, and whether it is good to be first."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.games.skull_canyon import styles_table
from reports.games.skull_canyon.components import PLACES, sentence
from reports.measures import (
    GROUPS,
    WIN_SCALE,
    Job,
    Stratum,
    adding,
    array_sums,
    as_integer,
    counted,
)
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 58
NEEDS = {
    "games": ("visits", "full"),
    "seats": ("village_pos", "place_d1", "place_d2"),
    "rows": True,
}
GAME_KEYS = ("group", "stratum")
SEAT_KEYS = ("group", "stratum", "evening", "place")
EVENINGS = ("first evening", "second evening")


def make(facts: Facts) -> Section:
    """Visits, full places, the starting track."""
    places = facts.job("games", "village")
    track = facts.job("seats", "track")
    arrays = array_sums(facts.records, {"place_d1": len(PLACES), "place_d2": len(PLACES)})
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += [*facts.heading(s), _by_style(facts, s, arrays), _places(s, places)]
        if len(track.filter(pl.col("stratum") == s.number)):
            blocks.append(_track(s, track))
    blocks += facts.not_shown()
    blocks.append(
        Text(
            "Who stands low goes first into the village, but gave up height for it, so the picture "
            "of the starting track shows no cause. What a place is worth is measured by closing it "
            "for one player, `simulate treat skull_canyon --hook closed_place=1` (and 2 to 5); "
            "what being first is worth by `--hook track_first` and `--hook track_random`.",
            "note",
        )
    )
    return Section(
        id="village",
        title="The village",
        text="Which places are visited, and which are full when somebody wants in? A place that "
        "nobody visits is too dear or too weak; one that all visit is no choice.",
        help="Every place is visited at most once by a player on an evening.",
        blocks=blocks,
        leans_on=("village", "board", "boards"),
    )


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Visits by place; wins by place on the starting track."""
    del facts

    def games(rows: pl.DataFrame) -> pl.DataFrame:
        values = {
            f"{name}.{i}": pl.col(name).arr.get(i)
            for name in ("visits", "full")
            for i in range(len(PLACES))
        }
        return counted(rows, GAME_KEYS, **values)

    def seats(rows: pl.DataFrame) -> pl.DataFrame:
        parts = []
        for evening in range(len(EVENINGS)):
            there = rows.select(
                "group",
                "stratum",
                "win_share",
                pl.lit(evening, pl.Int64).alias("evening"),
                pl.col("village_pos").arr.get(evening).cast(pl.Int64).alias("place"),
            ).drop_nulls("place")
            won = as_integer("win_share", pl.Float32())
            parts.append(counted(there, SEAT_KEYS, win_share=won))
        return pl.concat(parts)

    return {
        "games": {"village": adding(["visits", "full"], GAME_KEYS, games)},
        "seats": {"track": adding(["village_pos", "win_share"], SEAT_KEYS, seats)},
    }


def _places(stratum: Stratum, places: pl.DataFrame) -> Table:
    told = places.filter(pl.col("stratum") == stratum.number)
    n = told["n"].to_numpy()
    columns = [
        Column("place", "Place"),
        Column("visits", "Visits a game", "interval", help="both evenings, all players"),
        Column("full", "Full", "interval", help="times a game that it was payable but full"),
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "place": sentence(wording.plain(place)),
            "visits": estimates.ratio(told[f"visits.{i}"].to_numpy(), n),
            "full": estimates.ratio(told[f"full.{i}"].to_numpy(), n),
            "n": int(n.sum()),
        }
        for i, place in enumerate(PLACES)
    ]
    return Table(f"village-{stratum.number}", columns, rows, f"Visits by place, {stratum.label}.")


def _by_style(facts: Facts, stratum: Stratum, arrays: pl.DataFrame) -> Figure:
    """Heat map: share of evenings on which a style visits a place."""
    rows = []
    for style in styles_table.styles_of(facts, stratum):
        told = arrays.filter(
            (pl.col("stratum") == stratum.number) & (pl.col("strategy").cast(pl.String) == style)
        )
        n = 2 * told["n"].to_numpy()
        for i, place in enumerate(PLACES):
            both = told[f"place_d1.{i}"].to_numpy() + told[f"place_d2.{i}"].to_numpy()
            e = estimates.share(both, n)
            rows.append(
                {
                    "strategy": wording.plain(style),
                    "place": wording.plain(place),
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                    "evenings": e.n,
                    "text": wording.percent(e.value, 0),
                }
            )
    frame = pl.DataFrame(rows)
    return Figure(
        f"village-styles-{stratum.number}",
        partial(figures.heat, frame, row="strategy", column="place", low=0.0),
        f"Share of evenings on which a style visits a place, {stratum.label}, "
        f"{facts.records.detail_words}.",
        "Table of styles of play by village place, coloured by how often it is visited.",
        frame,
        term="Evenings with a visit",
    )


def track_shares(stratum: Stratum, track: pl.DataFrame) -> list[tuple[int, int, Estimate]]:
    """(evening, place on the track, win share)."""
    told = track.filter(pl.col("stratum") == stratum.number)
    found = []
    for evening in range(len(EVENINGS)):
        for place in range(1, stratum.n_seats + 1):
            part = told.filter((pl.col("evening") == evening) & (pl.col("place") == place))
            won, n = np.zeros(GROUPS), np.zeros(GROUPS)
            np.add.at(won, part["group"].to_numpy(), part["win_share"].to_numpy() / WIN_SCALE)
            np.add.at(n, part["group"].to_numpy(), part["n"].to_numpy())
            if n.sum():
                found.append((evening, place, estimates.share(won, n)))
    return found


def _track(stratum: Stratum, track: pl.DataFrame) -> Figure:
    frame = pl.DataFrame(
        [
            {
                "label": f"{wording.ordinal(place)} on the track",
                "evening": EVENINGS[evening],
                "value": e.value,
                "low": e.low,
                "high": e.high,
                "seats": e.n,
            }
            for evening, place, e in track_shares(stratum, track)
        ]
    )
    return Figure(
        f"track-{stratum.number}",
        partial(
            figures.dots,
            frame,
            group="evening",
            reference=1 / stratum.n_seats,
            reference_label="even",
            floor=0.1,
        ),
        f"Win share by place on the starting track, {stratum.label}. Not a cause: who is first "
        "stands lower.",
        "Dots with intervals of win share by place on the starting track, both evenings.",
        frame,
        term="Win share",
    )
