"""Shooting against the exact odds of the dice."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, figures, look, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.games.biathlon import race_measures
from reports.games.biathlon.rulebook import course_rows, levels, range_rows, shooting_odds
from reports.measures import GROUPS, Stratum, array_sums
from reports.section import Block, Column, Figure, Heading, Section, Table, Text

ORDER = 55
NEEDS = {"seats": ("hits", "misses", "laps", "shots_by_colour", "hits_by_colour")}
LEAST = 200  # visits behind a point of the picture


def make(facts: Facts) -> Section | None:
    """Hit rates by die, misses by stamina, each range, styles."""
    ranges = most_ranges(facts)
    if not ranges:
        return None
    arrays = range_arrays(facts)
    blocks: list[Block] = [_dice_figure(facts, arrays), _odds_table(facts, arrays)]
    if facts.records.full and not facts.records.missing(seats=("stam_at_range", "aim_at_range")):
        shots = int(facts.model()["range"]["shots"])
        visits = race_measures.visits(facts.records, ranges, shots)
        for stratum in facts.shown:
            found = _stamina(visits, stratum)
            if found is not None:
                blocks.append(Heading(f"Stamina on arrival{_of(facts, stratum)}"))
                blocks += [_stamina_figure(stratum, found), *_fresh_table(facts, stratum, visits)]
    else:
        blocks.append(Text("Misses by stamina need rows of single games.", "note"))
    blocks.append(Heading("Ranges and styles"))
    blocks.append(_range_table(facts, arrays, ranges))
    blocks.append(_style_table(facts, arrays, ranges))
    return Section(
        id="shooting",
        title="Shooting",
        text="Do the dice hit as often as they should, and what does arriving fresh at the range "
        "buy? "
        "The exact odds follow from the dice alone; what is measured differs where players reroll "
        "with wax or pay stamina while they shoot.",
        help="A hit rate counts every roll of a shooting die, rerolls included, so it must agree "
        "with "
        "the exact odds whatever the players do.",
        blocks=blocks,
        leans_on=("dice.shoot", "stamina", "range.lap_length"),
    )


def most_ranges(facts: Facts) -> int:
    """Ranges of the course that has most."""
    return max((len(range_rows(course_rows(facts.model(s.rules)))) for s in facts.main), default=0)


def range_arrays(facts: Facts) -> pl.DataFrame:
    """Sums of what is recorded by range and by die colour, made once a report."""
    colours = len(shooting_odds(facts.model()))
    sizes = dict.fromkeys(("hits", "misses", "laps"), most_ranges(facts))
    sizes.update(dict.fromkeys(("shots_by_colour", "hits_by_colour"), colours))
    return facts.once("ranges", lambda: array_sums(facts.records, sizes))


def _of(facts: Facts, stratum: Stratum) -> str:
    return f", {stratum.label}" if len(facts.main) > 1 else ""


def colour_rates(arrays: pl.DataFrame, colours: int) -> list[Estimate]:
    """Measured hit rate of each shooting die, all kinds of games together.

    A die knows no players. The games of a block share their rolls, so the errors are clustered.
    """
    return [
        estimates.share(
            _by_group(arrays, f"hits_by_colour.{i}"), _by_group(arrays, f"shots_by_colour.{i}")
        )
        for i in range(colours)
    ]


def _dice_figure(facts: Facts, arrays: pl.DataFrame) -> Figure:
    odds = shooting_odds(facts.model())
    rates = colour_rates(arrays, len(odds))
    frame = pl.DataFrame(
        {
            "label": [o.colour for o in odds],
            "value": [e.value for e in rates],
            "low": [e.low for e in rates],
            "high": [e.high for e in rates],
            "exact": [o.hit for o in odds],
            "rolls": [e.n for e in rates],
            "x": list(range(len(odds))),
        }
    )
    return Figure(
        "shooting-dice",
        partial(_dice, frame),
        "Hit rate of each shooting die: measured (dots, with intervals) and exact (bars).",
        "Hit rates: "
        + ", ".join(
            f"{r['label']} {wording.percent(r['value'])} measured, {wording.percent(r['exact'])} "
            "exact"
            for r in frame.iter_rows(named=True)
        )
        + ".",
        frame,
        term="Hit rate",
    )


@look.styled
def _dice(frame: pl.DataFrame) -> Any:
    frame = frame.with_columns(pl.lit("measured").alias("series"))
    figure = figures.points(frame, percent=True, ylabel="hits", exact="exact")
    axes = figure.axes[0]
    axes.set_xticks(frame["x"].to_list(), frame["label"].to_list())
    axes.set_ylim(0, 1)
    return figure


def _odds_table(facts: Facts, arrays: pl.DataFrame) -> Table:
    odds = shooting_odds(facts.model())
    columns = [
        Column("colour", "Die"),
        Column("measured", "Hit rate", "interval_percent", 2),
        Column("exact", "Exact", "percent", 2),
        Column("clean", "No miss", "percent", 1, "chance of five hits"),
        Column(
            "clean_reroll",
            "No miss, one reroll",
            "percent",
            1,
            "with one SHOOT token on the first miss",
        ),
        Column("n", "Rolls", "count"),
    ]
    rates = colour_rates(arrays, len(odds))
    rows = [
        {
            "colour": o.colour,
            "measured": e,
            "exact": o.hit,
            "clean": o.clean,
            "clean_reroll": o.clean_reroll,
            "n": e.n,
        }
        for o, e in zip(odds, rates, strict=True)
    ]
    return Table(
        "shooting-odds",
        columns,
        rows,
        f"The shooting dice, measured over {facts.records.detail_words}.",
    )


# ---------------------------------------------------------------- stamina on arrival


def _by_group(rows: pl.DataFrame, column: str) -> np.ndarray:
    table = np.zeros(GROUPS)
    np.add.at(table, rows["group"].to_numpy(), rows[column].to_numpy())
    return table


def _stamina(visits: pl.DataFrame, stratum: Stratum) -> pl.DataFrame | None:
    rows = visits.filter(pl.col("stratum") == stratum.number)
    out = []
    for (stamina,), part in sorted(rows.group_by("stamina"), key=lambda item: item[0]):
        n = int(part["n"].sum())
        if n < LEAST:
            continue
        misses = estimates.ratio(_by_group(part, "misses"), _by_group(part, "n"))
        aim = float((part["aim"] * part["n"]).sum()) / n / 1000
        shots = 5
        out.append(
            {
                "x": stamina,
                "series": "measured",
                "value": misses.value,
                "low": misses.low,
                "high": misses.high,
                "exact": shots - aim,
                "visits": n,
            }
        )
    return pl.DataFrame(out) if out else None


def _stamina_figure(stratum: Stratum, frame: pl.DataFrame) -> Figure:
    draw = partial(
        figures.points,
        frame,
        xlabel="stamina left on entering the range",
        ylabel="misses",
        exact="exact",
        exact_label="exact for the dice on arrival",
    )
    return Figure(
        f"shooting-stamina-{stratum.number}",
        draw,
        f"Misses a visit by stamina on arrival, {stratum.label}. Dots below the lines: wax rerolls "
        "help; above: stamina paid while shooting costs aim.",
        "Misses fall as the stamina on arrival rises.",
        frame,
        term="Misses",
    )


def _fresh_table(facts: Facts, stratum: Stratum, visits: pl.DataFrame) -> list[Block]:
    """Visits with all markers on one colour: the exact odds of that die, and what came."""
    model = facts.model(stratum.rules)
    odds = {o.colour: o for o in shooting_odds(model)}
    markers = int(model["stamina"]["columns"])
    rows = []
    for level, colour in levels(model):
        o = odds[colour]
        part = visits.filter(
            (pl.col("stratum") == stratum.number)
            & (pl.col("stamina") == markers * level)
            & (pl.col("aim") == round(markers * o.hit * 1000))
        )
        if part.is_empty():
            continue
        n = _by_group(part, "n")
        rows.append(
            {
                "colour": colour,
                "misses": estimates.ratio(_by_group(part, "misses"), n),
                "exact_misses": o.misses,
                "laps": estimates.ratio(_by_group(part, "laps"), n),
                "exact_laps": o.laps,
                "reroll_laps": o.laps_reroll,
                "clean": estimates.share(_by_group(part, "clean"), n),
                "exact_clean": o.clean,
                "n": int(n.sum()),
            }
        )
    if not rows:
        return []
    columns = [
        Column("colour", "All markers on"),
        Column("misses", "Misses", "interval"),
        Column("exact_misses", "exact", "number", 3),
        Column("laps", "Laps", "interval"),
        Column("exact_laps", "exact", "number", 3),
        Column("reroll_laps", "exact, one reroll", "number", 3),
        Column("clean", "No miss", "interval_percent"),
        Column("exact_clean", "exact", "percent", 1),
        Column("n", "Visits", "count"),
    ]
    caption = "Visits on which all five markers stood on one colour, against that die's exact odds."
    return [Table(f"shooting-fresh-{stratum.number}", columns, rows, caption)]


# ---------------------------------------------------------------- ranges, styles


def _sum(
    arrays: pl.DataFrame, stratum: Stratum, column: str, strategy: str | None = None
) -> np.ndarray:
    rows = arrays.filter(pl.col("stratum") == stratum.number)
    if strategy is not None:
        rows = rows.filter(pl.col("strategy").cast(pl.String) == strategy)
    return _by_group(rows, column)


def _range_table(facts: Facts, arrays: pl.DataFrame, ranges: int) -> Table:
    columns = [
        *facts.named("Races of"),
        Column("range", "Range"),
        Column("hits", "Hits a visit", "interval"),
        Column("misses", "Misses", "interval"),
        Column("laps", "Penalty laps", "interval"),
        Column("n", "Visits", "count"),
    ]
    rows = []
    for s in facts.main:
        there = len(range_rows(course_rows(facts.model(s.rules))))
        for k in range(min(ranges, there)):
            n = _sum(arrays, s, f"laps.{k}:n")
            row = {
                name: estimates.ratio(
                    _sum(arrays, s, f"{name}.{k}"), _sum(arrays, s, f"{name}.{k}:n")
                )
                for name in ("hits", "misses", "laps")
            }
            rows.append({"stratum": s.label, "range": f"{k + 1}", **row, "n": int(n.sum())})
    return Table(
        "shooting-ranges",
        columns,
        rows,
        f"Each range, all styles together; {facts.records.detail_words}.",
    )


def _style_table(facts: Facts, arrays: pl.DataFrame, ranges: int) -> Table:
    columns = [
        *facts.named("Races of"),
        Column("strategy", "Style"),
        Column("misses", "Misses a race", "interval"),
        Column("laps", "Penalty laps a race", "interval"),
        Column("n", "Races", "count"),
    ]
    rows = []
    for s in facts.main:
        for name in facts.strategies:
            n = _sum(arrays, s, "n", name)
            if not n.sum():
                continue
            total = {
                what: sum(_sum(arrays, s, f"{what}.{k}", name) for k in range(ranges))
                for what in ("misses", "laps")
            }
            rows.append(
                {
                    "stratum": s.label,
                    "strategy": wording.plain(name),
                    **{what: estimates.ratio(value, n) for what, value in total.items()},
                    "n": int(n.sum()),
                }
            )
    return Table(
        "shooting-styles",
        columns,
        rows,
        f"Shooting by style of play; {facts.records.detail_words}.",
        fold=len(rows) > 12,
    )
