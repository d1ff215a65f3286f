"""Stacked bars of what each style does in a race: steps by source, stamina by reason."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import polars as pl

from reports import figures, wording
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Figure


def by_style(
    facts: Facts,
    stratum: Stratum,
    styles: list[str],
    parts: Mapping[str, str],
    what: tuple[str, ...],
    term: str,
) -> Figure:
    """One bar a style, one part a column of ``parts`` (column to words).

    ``what``: anchor, axis label, caption without the stratum, and words for who cannot see it.
    ``term``: heading of the glossary's entry.
    """
    anchor, label, caption, alt = what
    rows = []
    for name in styles:
        for column, words in parts.items():
            e = facts.seat_mean(column, stratum, name)
            rows.append(
                {
                    "label": wording.plain(name),
                    "part": words,
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                    "races": e.n,
                }
            )
    frame = pl.DataFrame(rows)
    return Figure(
        f"{anchor}-{stratum.number}",
        partial(figures.stacked, frame, xlabel=label),
        f"{caption}, {stratum.label}.",
        alt,
        frame,
        term=term,
    )
