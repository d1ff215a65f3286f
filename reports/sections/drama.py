"""Is a game exciting: close, open until late, with changes of lead?"""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from reports import figures, wording
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Highlight, Measure, Section, Table

ORDER = 40
NEEDS = {"games": ("truncated",)}
SECTION = "drama"
MOST_COLUMNS = 3


def make(facts: Facts) -> Section | None:
    """Means and histograms of the game's measures of drama."""
    there = _measures(facts)
    if not there:
        return None
    blocks: list[Block] = [_table(facts, there)]
    blocks += [_figure(facts, stratum, there) for stratum in facts.shown]
    return Section(
        id=SECTION,
        title="Drama",
        text="Is it close, does the lead change hands, and how long is the winner unknown? Games "
        "that "
        "people like tend to be uncertain until late and to change leaders now and then.",
        help="Each number is a mean over games with its 95% interval.",
        blocks=blocks,
    )


def highlights(facts: Facts) -> list[Highlight]:
    """The first two measures of drama."""
    if not facts.main:
        return []
    stratum = facts.main[0]
    found = []
    for measure in _measures(facts)[:2]:
        e = facts.mean(measure.column, stratum)
        value = f"{wording.value_of(e, 2)} {measure.unit}".strip()
        found.append(
            Highlight(measure.label, value, wording.interval_of(e, 2), f"mean, {stratum.label}")
        )
    return found


def _measures(facts: Facts) -> list[Measure]:
    return [m for m in facts.lens.drama if m.column in facts.records.game_schema]


def _table(facts: Facts, there: list[Measure]) -> Table:
    """Measures against strata, or the other way round where there are many strata."""
    n = ", ".join(f"{s.label}: {wording.count(facts.games_of(s))} games" for s in facts.main)
    if len(facts.main) > MOST_COLUMNS:
        columns = [Column("stratum", "Games of")]
        columns += [
            Column(m.column, _label(m), "interval", help=m.words, term=m.label) for m in there
        ]
        rows: list[dict[str, Any]] = [
            {"stratum": s.label, **{m.column: facts.mean(m.column, s) for m in there}}
            for s in facts.main
        ]
        return Table("drama", columns, rows, f"Means over games. {n}.")
    columns = [Column("measure", "Measure"), Column("words", "What it means")]
    columns += [Column(f"s{s.number}", s.label, "interval") for s in facts.main]
    rows = [
        {
            "measure": _label(m),
            "words": m.words,
            **{f"s{s.number}": facts.mean(m.column, s) for s in facts.main},
        }
        for m in there
    ]
    return Table("drama", columns, rows, f"Means over games. {n}.")


def _label(measure: Measure) -> str:
    return f"{measure.label} ({measure.unit})" if measure.unit else measure.label


def _figure(facts: Facts, stratum: Stratum, there: list[Measure]) -> Figure:
    parts = []
    for m in there:
        table, values = facts.histogram(m.column, stratum)
        total = float(table.sum())
        if not total:
            continue
        frame = pl.DataFrame(
            {
                "panel": [m.column] * len(values),
                "title": [f"{m.label}{f', {m.unit}' if m.unit else ''}"] * len(values),
                "value": values,
                "share": table.sum(0) / total,
                "games": table.sum(0),
                "width": [1 / m.factor] * len(values),
            }
        )
        parts.append(frame.filter((pl.col("share") >= 5e-4) | (pl.col("value") <= 0)))
    if not parts:
        empty = ["panel", "title", "value", "share", "games", "width"]
        parts = [pl.DataFrame({name: [] for name in empty})]
    frame = pl.concat(parts)
    titles = ", ".join(m.label.lower() for m in there)
    return Figure(
        f"drama-{stratum.number}",
        partial(figures.panels, frame),
        f"How the games spread, {stratum.label}: share of games at each value.",
        f"Histograms for {stratum.label} of {titles}.",
        frame,
        wide=False,
    )
