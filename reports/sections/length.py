"""How long is a game?"""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import figures, lengths, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.measures import GROUPS, Stratum
from reports.section import Block, Column, Figure, Highlight, Section, Table, Text

ORDER = 30
NEEDS = {"games": ("rounds", "turns", "truncated")}
SECTION = "length"


def make(facts: Facts) -> Section:
    """Rounds, turns and minutes by stratum."""
    blocks: list[Block] = []
    cut = sum(_cut_games(facts, s) for s in facts.main)
    if cut:
        blocks.append(
            Text(
                f"{wording.count(cut)} games were cut off by the limit. They lasted at least so "
                "long "
                "and are counted as such, not dropped (Kaplan-Meier).",
                "warning",
            )
        )
    blocks.append(_table(facts))
    blocks += _pictures(facts)
    if cut:
        blocks.append(_survival(facts))
    return Section(
        id=SECTION,
        title="Length",
        text="How long does a game last, and how much does that vary? The middle game is the "
        "median: "
        "half of all games are shorter.",
        help="'8 in 10 games' leaves out the shortest and the longest tenth.",
        blocks=blocks,
        leans_on=("course", "report"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """Rounds and minutes of the first stratum."""
    if not facts.main:
        return []
    stratum = facts.main[0]
    if _hidden(facts, stratum):
        n = wording.number(facts.quantile("rounds", stratum).value, 0)
        about = f"half of the games or more were cut off, {stratum.label}"
        return [Highlight("Length", f"at least {n} rounds", "not known", about)]
    found = [_tile("Length", facts.quantile("rounds", stratum), "rounds", stratum, facts)]
    if facts.lens.minutes in facts.records.game_schema:
        minutes = facts.quantile(facts.lens.minutes, stratum)
        found.append(_tile("Playing time", minutes, "minutes", stratum, facts))
    return found


def _tile(label: str, e: Estimate, unit: str, stratum: Stratum, facts: Facts) -> Highlight:
    about = f"the middle game, {stratum.label}"
    if unit == "minutes" and facts.lens.minutes_words:
        about += f" ({facts.lens.minutes_words})"
    return Highlight(
        label, f"{wording.number(e.value, 0)} {unit}", wording.interval_of(e, 0), about
    )


def _hidden(facts: Facts, stratum: Stratum) -> bool:
    """Whether so many games were cut off that the middle game has no known length."""
    return facts.rate("truncated", stratum).value >= 0.5


def _cut_games(facts: Facts, stratum: Stratum) -> int:
    rows = facts.game_sums.filter(pl.col("stratum") == stratum.number)
    return int(rows["truncated"].sum())


def _table(facts: Facts) -> Table:
    columns = [
        *facts.named("Games of"),
        Column("median", "Middle game, rounds", "interval", 0),
        Column("mean", "Mean, rounds", "interval"),
        Column("tenth", "8 in 10 games, rounds"),
        Column("turns", "Turns", "interval", 0),
        Column("cut", "Cut off", "interval_percent"),
        Column("n", "Games", "count"),
    ]
    minutes = facts.lens.minutes if facts.lens.minutes in facts.records.game_schema else ""
    if minutes:
        columns.insert(5, Column("minutes", "Minutes", "interval", 0, facts.lens.minutes_words))
    rows = []
    for stratum in facts.main:
        low, high = (facts.quantile("rounds", stratum, q).value for q in (0.1, 0.9))
        row = {
            "stratum": stratum.label,
            "median": None if _hidden(facts, stratum) else facts.quantile("rounds", stratum),
            "mean": facts.mean("rounds", stratum),
            "tenth": _from_to(wording.number(low, 0), wording.number(high, 0)),
            "turns": facts.mean("turns", stratum),
            "cut": facts.rate("truncated", stratum),
            "n": facts.games_of(stratum),
        }
        if minutes:
            row["minutes"] = facts.mean(minutes, stratum)
        rows.append(row)
    return Table(
        "length",
        columns,
        rows,
        f"Length by {facts.lens.layout_word} and player count. Cut games count as long as they ran; where "
        "they are half of all or more, nobody knows the middle game.",
    )


def _frame(facts: Facts) -> pl.DataFrame:
    parts = []
    for stratum in facts.shown:
        table, values = facts.histogram("rounds", stratum, truncated=False)
        total = table.sum()
        if not total:
            continue
        shares = table.sum(0) / total
        parts.append(
            pl.DataFrame(
                {
                    "stratum": [stratum.label] * len(values),
                    "value": values,
                    "share": shares,
                    "games": table.sum(0),
                }
            )
        )
    empty = {"stratum": pl.String, "value": pl.Float64, "share": pl.Float64, "games": pl.Float64}
    return pl.concat(parts) if parts else pl.DataFrame(schema=empty)


def _from_to(low: str, high: str) -> str:
    """A range of rounds, or the one number that it is."""
    return low if low == high else f"{low}–{high}"


def _constant(frame: pl.DataFrame) -> dict[str, float]:
    """Strata whose games all have one number of rounds, and that number."""
    seen = frame.filter(pl.col("games") > 0)
    one = seen.group_by("stratum", maintain_order=True).agg(
        pl.col("value").first(), pl.len().alias("bars")
    )
    rows = one.filter(pl.col("bars") == 1)
    return dict(zip(rows["stratum"], rows["value"], strict=True))


def _always(constant: dict[str, float]) -> Text:
    """One bar is no picture: what it would show, in words."""
    by_rounds: dict[float, list[str]] = {}
    for label, rounds in constant.items():
        by_rounds.setdefault(rounds, []).append(label)
    told = [
        f"{wording.number(rounds, 0)} rounds ({wording.listing(labels)})"
        for rounds, labels in by_rounds.items()
    ]
    return Text(
        f"Every game that ended by the rules lasted {wording.listing(told)}: the number of rounds "
        "does not vary, so there is no picture of it.",
        "note",
    )


def _pictures(facts: Facts) -> list[Block]:
    """A histogram of the strata in which lengths vary, and the others in words."""
    frame = _frame(facts)
    if frame.is_empty():
        return [Text("No game ended by the rules, so there is no picture of lengths.", "note")]
    constant = _constant(frame)
    varied = frame.filter(~pl.col("stratum").is_in(list(constant)))
    blocks: list[Block] = []
    if not varied.is_empty():
        blocks.append(_figure(facts, varied))
    if constant:
        blocks.append(_always(constant))
    return blocks


def _figure(facts: Facts, frame: pl.DataFrame) -> Figure:
    frame = _trimmed(frame)
    draw = partial(figures.bars, frame, panel="stratum", xlabel="rounds to the end of the game")
    first = facts.quantile("rounds", facts.main[0])
    return Figure(
        "length-rounds",
        draw,
        "Share of games by number of rounds (games that ended by the rules).",
        f"Histogram of rounds; the middle game of {facts.main[0].label} has "
        f"{wording.number(first.value, 0)} rounds.",
        frame,
        term="Length",
    )


def _trimmed(frame: pl.DataFrame, least: float = 1e-4) -> pl.DataFrame:
    """Bins beyond the last one that could be seen are left out of the picture."""
    shown = frame.filter(pl.col("share") >= least)
    top = shown["value"].max() if len(shown) else None
    return frame if top is None else frame.filter(pl.col("value") <= top)


def _survival(facts: Facts) -> Figure:
    parts = []
    for stratum in facts.shown:
        rows = facts.histograms["rounds"].filter(pl.col("stratum") == stratum.number)
        time, at = np.unique(rows["value"].to_numpy(), return_inverse=True)
        counts = np.zeros((2, GROUPS, len(time)))  # ended, cut: by group of blocks
        which = rows["truncated"].cast(pl.Int8).to_numpy()
        np.add.at(counts, (which, rows["group"].to_numpy(), at), rows["n"].to_numpy())
        curve = lengths.kaplan_meier(time, *counts)
        parts.append(
            pl.DataFrame(
                {
                    "series": [stratum.label] * len(time),
                    "x": time,
                    "value": curve.survival,
                    "low": curve.low,
                    "high": curve.high,
                    "at_risk": curve.at_risk,
                }
            )
        )
    frame = pl.concat(parts)
    draw = partial(
        figures.lines, frame, xlabel="rounds", ylabel="still going on", percent=True, steps=True
    )
    return Figure(
        "length-survival",
        draw,
        "Share of games still going on after each round, cut games included (Kaplan-Meier).",
        "Falling curve of the share of games still going on by round.",
        frame,
        term="Still going on",
    )
