"""Are the things that are dealt to seats (nations, boards, styles) equally good?"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, examples, figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Fairness
from reports.facts import Facts, Shares
from reports.measures import Job, Stratum, counts_by
from reports.section import Block, Column, Factor, Figure, Section, Table, Text, Verdict

ORDER = 25
NEEDS = {"seats": ("win_share", "rank")}
MEASURE = "Win share"
TIED = 0.05  # Cramér's V above which levels and strategies or seats are not crossed


def make(facts: Facts) -> Section | None:
    """Win shares by level of every factor that was dealt by lot."""
    blocks: list[Block] = []
    names = []
    for factor in _factors(facts):
        names.append(factor.words)
        for stratum in facts.shown:
            blocks += _blocks(facts, factor, stratum)
        if len(facts.main) > len(facts.shown):
            blocks += [*facts.not_shown(), _all(facts, factor)]
    if not blocks:
        return None
    title = wording.listing(names).capitalize()
    return Section(
        id="factors",
        title=title,
        text=f"Are some {wording.listing(names, 'or')} better than others? They are dealt by "
        "lot, so "
        "every one of them meets every style and every seat equally often.",
        help="Without a balanced draw no share is printed: a level that good players choose would "
        "look good whatever it is worth.",
        blocks=blocks,
        leans_on=tuple(key for f in _factors(facts) for key in f.leans_on),
    )


def verdicts(facts: Facts) -> list[Verdict]:
    """One verdict for each factor, course and player count."""
    found = (_verdict(facts, f, s) for f in _factors(facts) for s in facts.main)
    return [v for v in found if v is not None]


def _factors(facts: Facts) -> list[Factor]:
    return [f for f in facts.lens.factors if f.column in facts.records.seat_schema]


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Levels by seat, to see whether they are crossed."""
    return {
        "seats": {f"{f.column} by seat": counts_by([f.column, "seat"]) for f in _factors(facts)}
    }


# ---------------------------------------------------------------- may it be printed?


def why_not(facts: Facts, factor: Factor, stratum: Stratum) -> str:
    """Why no share by level is printed, "" if it may be."""
    if not factor.drawn(dict(facts.model(stratum.rules))):
        return (
            f"No win share by {factor.word} is printed: {factor.words} were not dealt by lot, so a "
            f"{factor.word} would be mixed up with who played it."
        )
    tied = crossing(facts, factor, stratum)
    if tied > TIED:
        return (
            f"No win share by {factor.word} is printed: {factor.words} and styles or seats were "
            "not "
            f"crossed evenly (Cramér's V = {wording.number(tied, 2)})."
        )
    return ""


def crossing(facts: Facts, factor: Factor, stratum: Stratum) -> float:
    """How strongly levels are tied to strategies or seats: the larger Cramér's V, less luck."""
    rows = facts.results_by(factor.column).filter(pl.col("stratum") == stratum.number)
    tied = _cramer(
        rows.group_by(factor.column, "strategy").agg(pl.col("n").sum()), factor.column, "strategy"
    )
    if facts.records.full:
        counts = facts.job("seats", f"{factor.column} by seat")
        here = counts.filter(pl.col("stratum") == stratum.number)
        tied = max(tied, _cramer(here, factor.column, "seat"))
    return tied


def _cramer(frame: pl.DataFrame, one: str, other: str) -> float:
    """Cramér's V of two columns with counts ``n``, bias-corrected (Bergsma 2013)."""
    table = frame.sort(one, other).pivot(on=other, index=one, values="n").fill_null(0)
    counts = table.drop(one).to_numpy().astype(np.float64)
    n = counts.sum()
    if n == 0 or min(counts.shape) < 2:
        return 0.0
    statistic, df, _ = estimates.chunk_counts(counts)
    if math.isnan(statistic):
        return 0.0
    phi2 = max(statistic / n - df / max(n - 1, 1), 0.0)
    return math.sqrt(phi2 / (min(counts.shape) - 1))


# ---------------------------------------------------------------- one factor in one stratum


def _judged(facts: Facts, factor: Factor, stratum: Stratum) -> tuple[Shares, Fairness] | None:
    shares = facts.shares(factor.column, stratum)
    if len(shares.levels) < 2 or not shares.wins.sum():
        return None
    decided = shares.wins.sum() / (shares.seen.sum() * shares.fair)
    target = [shares.fair * decided] * len(shares.levels)
    fair = estimates.fairness(
        shares.wins, shares.seen, target, margin=facts.margin, family=len(facts.main)
    )
    return shares, fair


def _all(facts: Facts, factor: Factor) -> Table:
    """Win shares by level in every stratum in which they may be printed."""
    found = {
        s.number: judged
        for s in facts.main
        if not why_not(facts, factor, s) and (judged := _judged(facts, factor, s)) is not None
    }
    columns = [Column("level", factor.word.capitalize())]
    columns += [
        Column(f"s{s.number}", s.label, "interval_percent", term=MEASURE)
        for s in facts.main
        if s.number in found
    ]
    levels = dict.fromkeys(level for shares, _ in found.values() for level in shares.levels)
    rows = []
    for level in levels:
        row: dict[str, Any] = {"level": str(level)}
        for number, (shares, fair) in found.items():
            if level in shares.levels:
                row[f"s{number}"] = fair.shares[shares.levels.index(level)]
        rows.append(row)
    words = "Win shares in all kinds of games."
    return Table(f"{factor.column}-all", columns, rows, words, fold=True)


def _headline(factor: Factor, shares: Shares, fair: Fairness, state: str) -> str:
    values = [e.value for e in fair.shares]
    best, worst = int(np.argmax(values)), int(np.argmin(values))
    high, low = (wording.percent_of(fair.shares[i]) for i in (best, worst))
    even = wording.percent(fair.target[0])
    if state == FAIR:
        margin = wording.distance(fair.margin)
        return f"All {factor.words} win within {margin} of an even share ({even})."
    if state == UNFAIR:
        return (
            f"{shares.levels[best]} wins {high} of its games, {shares.levels[worst]} {low}; "
            f"even is {even}."
        )
    return (
        f"{shares.levels[best]} won {high} and {shares.levels[worst]} {low} (even is {even}), "
        f"{wording.doubt(fair, max(e.n for e in fair.shares))}."
    )


def _verdict(facts: Facts, factor: Factor, stratum: Stratum) -> Verdict | None:
    if why_not(facts, factor, stratum):
        return None
    judged = _judged(facts, factor, stratum)
    if judged is None:
        return None
    shares, fair = judged
    worst = fair.shares[fair.worst]
    state = fair.state
    if state == FAIR and facts.rate("truncated", stratum).value > facts.margin:
        state = UNKNOWN
    per_level = shares.seen.sum() / max(facts.games_of(stratum), 1) / len(shares.levels)
    needed = fair.games_needed / max(per_level, 1e-9)
    level = shares.levels[fair.worst]
    return Verdict(
        id=f"{factor.column}-{stratum.number}",
        question=f"Are the {factor.words} equally good?",
        state=state,
        headline=_headline(factor, shares, fair, state),
        number=wording.percent_of(worst),
        interval=wording.percent_interval(worst),
        n=facts.games_of(stratum),
        detail=f"About {wording.count(wording.rounded(needed))} games would settle it."
        if state == UNKNOWN
        else f"{level} is furthest from even. Dealt by lot, so styles and seats cancel.",
        about=stratum.label,
        holds_for=tuple(facts.strategies),
        leans_on=factor.leans_on,
        example=examples.typical_win(facts, stratum, factor.column, level),
        section="factors",
        measure=MEASURE,
        bar=(worst, fair.target[0], facts.margin),
    )


def _blocks(facts: Facts, factor: Factor, stratum: Stratum) -> list[Block]:
    reason = why_not(facts, factor, stratum)
    if reason:
        return [*facts.heading(stratum), Text(reason, "note")]
    judged = _judged(facts, factor, stratum)
    if judged is None:
        return [*facts.heading(stratum), Text("Not enough: no game had a winner.", "note")]
    shares, fair = judged
    order = np.argsort([-e.value for e in fair.shares], kind="stable")
    frame = pl.DataFrame(
        {
            "label": [str(shares.levels[i]) for i in order],
            "value": [fair.shares[i].value for i in order],
            "low": [fair.shares[i].low for i in order],
            "high": [fair.shares[i].high for i in order],
            "games": [fair.shares[i].n for i in order],
        }
    )
    even = fair.target[0]
    draw = partial(
        figures.dots,
        frame,
        reference=even,
        margin=facts.margin,
        floor=0.06,
        xlabel="share of its games won",
        reference_label=f"even: {wording.percent(even)}",
    )
    said = ", ".join(
        f"{r['label']} {wording.percent(r['value'])}" for r in frame.iter_rows(named=True)
    )
    columns = [
        Column("level", factor.word.capitalize()),
        Column("win", "Win share", "interval_percent"),
        Column("rank", "Mean place", "interval"),
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "level": str(shares.levels[i]),
            "win": fair.shares[i],
            "rank": shares.rank(int(i)),
            "n": int(shares.seats[:, i].sum()),
        }
        for i in order
    ]
    name = f"{factor.column}-{stratum.number}"
    return [
        *facts.heading(stratum),
        Text(_headline(factor, shares, fair, fair.state)),
        Figure(
            name,
            draw,
            f"Win share by {factor.word}, {stratum.label}. The intervals hold all together.",
            f"Win share by {factor.word}, best first: {said}.",
            frame,
            term=MEASURE,
        ),
        Table(
            f"{name}-table",
            columns,
            rows,
            f"{stratum.label}. Test that all are exactly equal: "
            f"{wording.p_value(fair.test.p_value)}, "
            f"w = {wording.number(fair.test.cohen_w, 3)}.",
        ),
    ]
