"""Courses side by side, where several were raced on."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Heading, Section, Table, Text
from reports.sections import strategies

ORDER = 67
NEEDS = {"games": ("rounds", "lead_changes", "gap12", "collapses")}
MEASURES = {
    "rounds_win": "Rounds to the win",
    "est_minutes": "Minutes",
    "lead_changes": "Lead changes",
    "gap12": "Winning margin",
    "comeback": "Comeback",
    "drafts": "Drafts",
    "entries_paid": "Stamina paid to pass",
    "collapses": "Collapses",
}


def make(facts: Facts) -> Section | None:
    """Only where the run has more than one course."""
    if len({s.rules for s in facts.main}) < 2:
        return None
    blocks: list[Block] = []
    for players in sorted({s.players for s in facts.main}):
        there = [s for s in facts.main if s.players == players]
        blocks.append(Heading(f"{players} players"))
        blocks += [_figure(facts, there, players)]
        if not facts.one_strategy:
            blocks.append(_heat(facts, there, players))
        blocks.append(_table(facts, there, players))
    blocks.append(
        Text(
            "All courses met the same dice and the same line-ups, block by block, so their "
            "differences "
            "are surer than the intervals of the single courses suggest.",
            "note",
        )
    )
    return Section(
        id="courses",
        title="Courses side by side",
        text="How does the course change the race: its length, its drama, and which style wins?",
        blocks=blocks,
        leans_on=("layouts", "tiles"),
    )


def _name(stratum: Stratum) -> str:
    return wording.plain(stratum.course)


def _figure(facts: Facts, there: list[Stratum], players: int) -> Figure:
    first = there[0]
    rows = []
    for s in there:
        gap = _against(facts, "rounds_win", s, first)
        rows.append(
            {
                "label": _name(s),
                "value": gap.value,
                "low": gap.low,
                "high": gap.high,
                "races": facts.games_of(s),
            }
        )
    frame = pl.DataFrame(rows)
    draw = partial(
        figures.dots,
        frame,
        reference=0.0,
        percent=False,
        floor=1.0,
        xlabel=f"rounds more than {_name(first)}",
    )
    return Figure(
        f"courses-length-{players}",
        draw,
        f"Rounds to the win against {_name(first)}, block by block on the same dice ({players} "
        "players).",
        "Dots of the difference in rounds between courses.",
        frame,
        term="Change",
    )


def _against(facts: Facts, column: str, one: Stratum, other: Stratum) -> estimates.Estimate:
    """Mean of a games column on one course less that on another, paired by group."""
    a, b = (_by_group(facts, column, s) for s in (one, other))
    mean_a, mean_b = (x[0].sum() / max(x[1].sum(), 1) for x in (a, b))
    # linearised difference of two ratios over the same groups
    za = (a[0] - mean_a * a[1]) / max(a[1].sum(), 1)
    zb = (b[0] - mean_b * b[1]) / max(b[1].sum(), 1)
    seen = (a[1] + b[1]) > 0
    g = int(seen.sum())
    z = (za - zb)[seen]
    se = float(np.sqrt(g / max(g - 1, 1) * (z @ z)))
    half = estimates.t_value(g - 1) * se
    value = float(mean_a - mean_b)
    return estimates.Estimate(value, value - half, value + half, int(a[1].sum()), g, se)


def _by_group(facts: Facts, column: str, stratum: Stratum) -> tuple[np.ndarray, np.ndarray]:
    from reports.measures import GROUPS, scale_of

    rows = facts.game_sums.filter(pl.col("stratum") == stratum.number)
    scale = scale_of(column, facts.records.game_schema[column])
    total, n = np.zeros(GROUPS), np.zeros(GROUPS)
    at = rows["group"].to_numpy()
    total[at], n[at] = rows[column].to_numpy() / scale, rows[f"{column}:n"].to_numpy()
    return total, n


def _heat(facts: Facts, there: list[Stratum], players: int) -> Figure:
    rows = []
    widest = 0.0
    for name in facts.strategies:
        for s in there:
            shares, fair = strategies.judged(facts, s)
            if name not in shares.levels:
                continue
            e = fair.shares[shares.levels.index(name)]
            widest = max(widest, e.half) if e.half == e.half else widest
            rows.append(
                {
                    "strategy": wording.plain(name),
                    "course": _name(s),
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                    "races": e.n,
                    "text": f"{e.value * 100:.0f}",
                }
            )
    frame = pl.DataFrame(rows)
    even = 1 / players
    draw = partial(figures.heat, frame, row="strategy", column="course", centre=even, reach=0.05)
    return Figure(
        f"courses-styles-{players}",
        draw,
        f"Win share in percent by style and course, {players} players (± "
        f"{wording.number(widest * 100, 1)} "
        f"at most; even is {wording.percent(even, 0)}).",
        "Table of win shares by style and course.",
        frame,
        term="Win share",
    )


def _table(facts: Facts, there: list[Stratum], players: int) -> Table:
    shown = {c: w for c, w in MEASURES.items() if c in facts.records.game_schema}
    columns = [
        Column("course", "Course"),
        *[Column(c, w, "interval") for c, w in shown.items()],
        Column("n", "Races", "count"),
    ]
    rows = [
        {"course": _name(s), **{c: facts.mean(c, s) for c in shown}, "n": facts.games_of(s)}
        for s in there
    ]
    return Table(f"courses-{players}", columns, rows, f"Means by course, {players} players.")
