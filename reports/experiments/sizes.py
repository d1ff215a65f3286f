"""How large a change is at the table, beside how sure it is: sizes that do not grow with the games.

With a million games the smallest change is sure. Whether it matters is another question, and a
number in its own unit answers it only for who knows that unit. Here stand the usual sizes without
one, and how long a player would have to keep score to see the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from reports import estimates, measures, wording
from reports.experiments.differences import Difference
from reports.measures import Records
from reports.section import Block, Column, Section, Table, Text
from simulate import exact

if TYPE_CHECKING:
    from reports.experiments.comparison import Comparison

Counts = tuple[np.ndarray, np.ndarray]  # values in rising order, games at each
SMALL_H, MEDIUM_H, LARGE_H = 0.2, 0.5, 0.8  # Cohen 1988
SMALL_DELTA, MEDIUM_DELTA, LARGE_DELTA = 0.147, 0.33, 0.474  # Romano et al. 2006


@dataclass(frozen=True, eq=False)
class Size:
    """The sizes of one difference; None where it has no such size."""

    of: Difference
    odds: float | None = None  # odds of B against those of A
    h: float | None = None  # Cohen's h
    notice: int | None = None  # games until a player would notice
    delta: float | None = None  # Cliff's delta

    @property
    def word(self) -> str:
        """How large that is usually called."""
        if self.h is not None:
            return _word(abs(self.h), SMALL_H, MEDIUM_H, LARGE_H)
        if self.delta is not None:
            return _word(abs(self.delta), SMALL_DELTA, MEDIUM_DELTA, LARGE_DELTA)
        return ""

    def row(self) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "measure": self.of.a.measure,
            "label": self.of.a.label,
            "stratum": self.of.a.stratum,
            "odds_ratio": self.odds,
            "cohen_h": self.h,
            "games_to_notice": self.notice,
            "cliffs_delta": self.delta,
            "size": self.word,
        }


def _word(size: float, small: float, medium: float, large: float) -> str:
    if size < small:
        return "very small" if size else "none"
    return "small" if size < medium else "medium" if size < large else "large"


def sizes(done: Comparison) -> list[Size]:
    """Sizes of all headline differences that have one."""
    columns = [d.a.measure for d in done.headlines if d.a.kind == "mean" and not d.a.by]
    one, other = (_spreads(run, columns, done.looks) for run in (done.a, done.b))
    found = [_size(d, one, other) for d in done.headlines]
    return [size for size in found if size.word]


def _size(
    d: Difference, one: dict[tuple[Any, ...], Counts], other: dict[tuple[Any, ...], Counts]
) -> Size:
    a, b = d.value_a.value, d.value_b.value
    if d.a.kind == "share":
        if not (0 <= a <= 1 and 0 <= b <= 1):
            return Size(d)
        odds = estimates.odds_ratio(b, a)
        return Size(
            d,
            odds if odds == odds else None,
            estimates.cohen_h(b, a),
            None if _maybe_none(d) else estimates.games_to_notice(b, a) or None,
        )
    key = (d.a.players, d.a.rules, d.a.equal, d.a.measure)
    if d.a.by or key not in one or key not in other:
        return Size(d)
    return Size(d, delta=_delta(one[key], other[key]))


def _maybe_none(d: Difference) -> bool:
    """Whether there may be no change at all: then nobody can say when it would be noticed."""
    return not (d.change.low > 0 or d.change.high < 0)


def _delta(one: Counts, other: Counts) -> float:
    """Cliff's delta of two lists of values with their counts."""
    values = np.union1d(one[0], other[0])
    tables = [np.zeros(len(values)) for _ in range(2)]
    for table, (at, n) in zip(tables, (one, other), strict=True):
        table[np.searchsorted(values, at)] = n
    return estimates.cliffs_delta(*tables)


def _spreads(
    run: measures.Run, columns: Sequence[str], looks: tuple[int, int] | None
) -> dict[tuple[Any, ...], Counts]:
    """(players, rules, equal, column) -> how the games of a stratum spread over the values."""
    records = Records(run)
    wanted = [c for c in dict.fromkeys(columns) if c in records.game_schema]
    if not wanted:
        return {}
    found = {}
    for column in wanted:
        rows = _counts(records, column, looks)
        for stratum in records.strata:
            here = rows.filter(pl.col("stratum") == stratum.number).sort("value")
            if len(here):
                key = (stratum.players, stratum.rules, stratum.equal, column)
                found[key] = (here["value"].to_numpy().astype(float), here["n"].to_numpy())
    return found


def _counts(records: Records, column: str, looks: tuple[int, int] | None) -> pl.DataFrame:
    """Games by stratum and value; fractions in tenths, as a summary keeps them."""
    if not records.full:
        rows = records.run.summary.histograms.filter(pl.col("column") == column)
        return rows.group_by("stratum", "value").agg(pl.col("n").sum())
    games = records.run.games.select("game_id", column)
    if looks is not None:  # a run may be longer than the look at which it was decided
        games = games.filter(pl.col("game_id") < looks[0] * records.k)
    dtype = records.game_schema[column]
    value = exact.as_integer(column, dtype, exact.HISTOGRAM_FLOAT_SCALE if dtype.is_float() else 1)
    keyed = records.keyed(games).select("stratum", value.cast(pl.Int64).alias("value"))
    return keyed.drop_nulls().group_by("stratum", "value").agg(pl.len().alias("n")).collect()


# ---------------------------------------------------------------- the section


def section(done: Comparison) -> Section | None:
    """How large the headline changes are; None where none has such a size."""
    found = done.sizes
    if not found:
        return None
    several = len({size.of.a.stratum for size in found}) > 1
    columns = [
        *([Column("games", "Games of")] if several else []),
        Column("measure", "Measure"),
        Column("change", "B − A"),
        Column("size", "Size"),
        Column("odds", "Odds ratio"),
        Column("h", "Cohen's h"),
        Column("delta", "Cliff's delta"),
        Column("notice", "Games to notice", "count"),
    ]
    rows = [
        {
            "games": size.of.a.stratum,
            "measure": size.of.a.label,
            "change": size.of.change_words,
            "size": size.word,
            "odds": _number(size.odds),
            "h": _number(size.h),
            "delta": _number(size.delta),
            "notice": size.notice,
        }
        for size in found
    ]
    blocks: list[Block] = [
        Text(_said(found)),
        Table("sizes", columns, rows, "Sizes of the headline changes.", fold=len(rows) > 12),
    ]
    return Section(
        id="sizes",
        title="How large that is",
        text="Sizes that do not depend on how many games were played. With enough games every change "
        "is sure; these say whether anybody would see it.",
        help="Shares: odds ratio (1: no change) and Cohen's h (small from 0.2, medium from 0.5, large "
        "from 0.8). Numbers of a game: Cliff's delta, how much likelier a game of B has more of it "
        "than a game of A than less (small from 0.15, medium from 0.33, large from 0.47). Games to "
        "notice: how long one would have to keep score in B to be sure that it is no longer A; only where "
        "there surely is a change.",
        blocks=blocks,
    )


def _said(found: Sequence[Size]) -> str:
    """The largest of them, in a sentence."""
    known = [size for size in found if size.notice is not None]
    rest = [size for size in found if size.delta is not None]
    said = []
    if known:
        first = min(known, key=lambda size: size.notice or 0)
        assert first.notice is not None
        said.append(
            f"{first.of.a.label.capitalize()} is what a player would notice first: after about "
            f"{wording.count(wording.rounded(first.notice))} games, if the change is as large as "
            f"it looks ({first.word})."
        )
    if rest:
        most = max(rest, key=lambda size: abs(size.delta or 0.0))
        if most.delta:
            more = "more" if most.delta > 0 else "less"
            said.append(
                f"Most apart of the numbers of a game are those of {most.of.a.label}: of two games, one "
                f"of each side, that of B has {more} of it "
                f"{wording.percent(abs(most.delta), 0)} oftener than the other way round "
                f"({most.word})."
            )
    return " ".join(said) or "Nothing differs."


def _number(value: float | None) -> str:
    return wording.NONE if value is None else wording.number(value, 2)
