"""Tables and stacked bars with one line a style of play: most chapters of a game have one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import polars as pl

from reports import figures, wording
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Column, Figure, Table


def styles_of(facts: Facts, stratum: Stratum) -> list[str]:
    """Styles that were played in a stratum, in line-up order."""
    rows = facts.seat_sums.filter(pl.col("stratum") == stratum.number)
    seen = set(rows["strategy"].cast(pl.String).unique().to_list())
    return [name for name in facts.strategies if name in seen]


def table(
    facts: Facts,
    stratum: Stratum,
    name: str,
    columns: Mapping[str, tuple[str, str]],
    caption: str,
) -> Table:
    """Means a game of seat columns (column to label and help), one line a style."""
    shown = [
        Column("strategy", "Style"),
        *[Column(key, label, "interval", help=words) for key, (label, words) in columns.items()],
        Column("n", "Seats", "count"),
    ]
    rows = [
        {
            "strategy": wording.plain(style),
            **{key: facts.seat_mean(key, stratum, style) for key in columns},
            "n": int(facts.seat_rows(stratum, style)["n"].sum()),
        }
        for style in styles_of(facts, stratum)
    ]
    return Table(f"{name}-{stratum.number}", shown, rows, caption)


def stacked(
    facts: Facts,
    stratum: Stratum,
    name: str,
    parts: Mapping[str, str],
    words: tuple[str, str, str],
    term: str,
) -> Figure:
    """One bar a style, one part a seat column. ``words``: axis, caption, what it shows in words.

    ``term``: heading of the glossary's entry.
    """
    label, caption, alt = words
    rows = []
    for style in styles_of(facts, stratum):
        for column, part in parts.items():
            e = facts.seat_mean(column, stratum, style)
            rows.append(
                {
                    "label": wording.plain(style),
                    "part": part,
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                    "seats": e.n,
                }
            )
    frame = pl.DataFrame(rows)
    return Figure(
        f"{name}-{stratum.number}",
        partial(figures.stacked, frame, xlabel=label),
        f"{caption}, {stratum.label}.",
        alt,
        frame,
        term=term,
    )
