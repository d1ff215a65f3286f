"""Is one way of playing stronger than the others?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, examples, figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Fairness
from reports.facts import Facts, Shares
from reports.measures import GROUPS, Stratum
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

ORDER = 20
NEEDS = {"seats": ("strategy", "win_share", "rank")}
SECTION = "strategies"
MEASURE = "Win share"
NEAR = 0.05  # a style this close to the best one counts as viable
QUESTION = "Are the styles of play equally strong?"


def make(facts: Facts) -> Section:
    """Win shares by strategy, and who finishes ahead of whom."""
    blocks: list[Block] = []
    if facts.one_strategy:
        name = wording.plain(facts.strategies[0]) if facts.strategies else "one style"
        blocks.append(
            Text(
                f"Only {name} was played, so there is nothing to compare. "
                "Give several, for example --lineup pacer,finisher,drafter,random.",
                "note",
            )
        )
    else:
        for stratum in facts.shown:
            shares, fair = judged(facts, stratum)
            blocks += facts.heading(stratum)
            blocks.append(Text(_headline(fair, shares, fair.state)))
            blocks.append(_figure(facts, stratum, shares, fair))
            meetings = _meetings(facts, stratum)
            if meetings is not None:
                blocks.append(meetings)
            blocks.append(_table(facts, stratum, shares, fair))
        if len(facts.main) > len(facts.shown):
            blocks += [*facts.not_shown(), _all(facts)]
    return Section(
        id=SECTION,
        title="Styles of play",
        text="Which style wins most, and is there one that beats all others? These are fixed "
        "styles, not perfect players: a style that loses here may win in better hands.",
        help="A win share holds against this mix of opponents only. Every style plays every seat "
        "on "
        "the same dice, so luck and seats cancel.",
        blocks=blocks,
        leans_on=facts.lens.strategy_leans_on,
    )


def verdicts(facts: Facts) -> list[Verdict]:
    """One verdict for each course and player count."""
    return [_verdict(facts, stratum) for stratum in facts.main]


def judged(facts: Facts, stratum: Stratum) -> tuple[Shares, Fairness]:
    """Win shares by strategy (in line-up order) and whether they are even."""
    frame = facts.results_by(facts.order_levels(stratum)[0])
    seen = set(
        frame.filter(pl.col("stratum") == stratum.number)["strategy"]
        .cast(pl.String)
        .unique()
        .to_list()
    )
    levels = [s for s in facts.strategies if s in seen]
    from reports.facts import shares_of

    shares = shares_of(frame, "strategy", stratum, levels)
    decided = shares.wins.sum() / max(shares.seen.sum() * shares.fair, 1)
    target = [shares.fair * decided] * len(levels)
    fair = estimates.fairness(
        shares.wins, shares.seen, target, margin=facts.margin, family=len(facts.main)
    )
    return shares, fair


# ---------------------------------------------------------------- words


def _headline(fair: Fairness, shares: Shares, state: str) -> str:
    values = [e.value for e in fair.shares]
    best, worst = int(np.nanargmax(values)), int(np.nanargmin(values))
    high, low = (wording.percent_of(fair.shares[i]) for i in (best, worst))
    one, other = (wording.plain(str(shares.levels[i])).capitalize() for i in (best, worst))
    even = wording.percent(fair.target[0])
    if state == FAIR:
        return f"All styles win within {wording.distance(fair.margin)} of an even share ({even})."
    if state == UNFAIR:
        return f"{one} wins most: {high} of its games. {other} wins least: {low}. Even is {even}."
    doubt = wording.doubt(fair, max(e.n for e in fair.shares))
    return f"{one} won most ({high}) and {other} least ({low}; even is {even}), {doubt}."


def viable(fair: Fairness) -> int:
    """Styles within reach of the best one (Top-D of Lin et al. 2024, with D = 5 points)."""
    best = max(e.value for e in fair.shares)
    return sum(best - e.value <= NEAR for e in fair.shares)


def _verdict(facts: Facts, stratum: Stratum) -> Verdict:
    if facts.one_strategy:
        only = wording.plain(facts.strategies[0]) if facts.strategies else "no style"
        n = facts.games_of(stratum)
        return Verdict(
            f"strategies-{stratum.number}",
            QUESTION,
            UNKNOWN,
            f"Not enough to say: only {only} was played.",
            wording.NONE,
            "needs at least two styles",
            n,
            about=stratum.label,
            holds_for=tuple(facts.strategies),
            section=SECTION,
            measure=MEASURE,
        )
    shares, fair = judged(facts, stratum)
    decided = shares.wins.sum() > 0
    best = int(np.nanargmax([e.value for e in fair.shares]))
    top = fair.shares[best]
    state = fair.state if decided else UNKNOWN
    if state == FAIR and facts.rate("truncated", stratum).value > facts.margin:
        state = UNKNOWN
    if not decided:
        headline = "No game had a winner, so there is nothing to compare."
    else:
        headline = _headline(fair, shares, state)
    games = facts.games_of(stratum)
    return Verdict(
        id=f"strategies-{stratum.number}",
        question=QUESTION,
        state=state,
        headline=headline,
        number=wording.percent_of(top) if decided else wording.NONE,
        interval=wording.percent_interval(top) if decided else "no game had a winner",
        n=games,
        detail=_detail(fair, state, decided, games, shares),
        about=stratum.label,
        holds_for=tuple(str(level) for level in shares.levels),
        leans_on=facts.lens.strategy_leans_on,
        example=examples.typical_win(facts, stratum, "strategy", shares.levels[best])
        if decided
        else None,
        words={"fair": "Even", "unfair": "Not even"},
        section=SECTION,
        measure=MEASURE,
        says=str(shares.levels[best]) if state == UNFAIR else "",
        bar=(top, fair.target[0], facts.margin) if decided else None,
    )


def _detail(fair: Fairness, state: str, decided: bool, games: int, shares: Shares) -> str:
    if not decided:
        return "Every game was cut off or ended without a winner."
    if state == UNKNOWN:
        per_game = shares.seen.sum() / max(games, 1) / len(fair.shares)
        needed = fair.games_needed / max(per_game, 1e-9)
        return f"About {wording.count(wording.rounded(needed))} games would settle it."
    k = len(fair.shares)
    return (
        f"{viable(fair)} of {k} styles are within {wording.distance(NEAR)} of the best one. "
        "These are fixed styles of play, not the best that each idea could do."
    )


# ---------------------------------------------------------------- blocks


def _all(facts: Facts) -> Table:
    """Win shares by style in every stratum."""
    columns = [Column("strategy", "Style")]
    columns += [
        Column(f"s{s.number}", s.label, "interval_percent", term=MEASURE) for s in facts.main
    ]
    found = {s.number: judged(facts, s) for s in facts.main}
    rows = []
    for name in facts.strategies:
        row: dict[str, Any] = {"strategy": wording.plain(name)}
        for number, (shares, fair) in found.items():
            if name in shares.levels:
                row[f"s{number}"] = fair.shares[shares.levels.index(name)]
        rows.append(row)
    return Table("strategies-all", columns, rows, "Win shares in all kinds of games.", fold=True)


def _figure(facts: Facts, stratum: Stratum, shares: Shares, fair: Fairness) -> Figure:
    order = np.argsort([-e.value for e in fair.shares], kind="stable")
    frame = pl.DataFrame(
        {
            "label": [wording.plain(str(shares.levels[i])) for i in order],
            "value": [fair.shares[i].value for i in order],
            "low": [fair.shares[i].low for i in order],
            "high": [fair.shares[i].high for i in order],
            "games": [fair.shares[i].n for i in order],
            "stratum": [stratum.label] * len(order),
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
    return Figure(
        f"strategies-{stratum.number}",
        draw,
        f"Win share by style, {stratum.label}. The intervals hold all together.",
        f"Win share by style of play, best first: {said}.",
        frame,
        term=MEASURE,
    )


def _meetings(facts: Facts, stratum: Stratum) -> Figure | None:
    rows = facts.head_to_head.filter(pl.col("stratum") == stratum.number)
    if rows.is_empty():
        return None
    _, fair = judged(facts, stratum)
    levels = _by_strength(facts, stratum)
    cells: list[dict[str, Any]] = []
    for one in levels:
        for other in levels:
            found = rows.filter(
                (pl.col("strategy").cast(pl.String) == one)
                & (pl.col("rival").cast(pl.String) == other)
            )
            table = np.zeros((2, GROUPS))
            group = found["group"].to_numpy()
            table[0, group], table[1, group] = (
                found["ahead2"].to_numpy() / 2,
                found["meetings"].to_numpy(),
            )
            e = estimates.share(table[0], table[1]) if len(found) else estimates.NOTHING
            cells.append(
                {
                    "strategy": wording.plain(one),
                    "rival": wording.plain(other),
                    "value": e.value if e.n else None,
                    "low": e.low if e.n else None,
                    "high": e.high if e.n else None,
                    "meetings": e.n,
                    "text": f"{e.value * 100:.0f}" if e.n else "",
                }
            )
    frame = pl.DataFrame(cells, infer_schema_length=None)
    widest = max((r["high"] - r["low"] for r in cells if r["high"] is not None), default=0.0) / 2
    best = wording.plain(levels[0])
    draw = partial(figures.heat, frame, row="strategy", column="rival", centre=0.5, reach=0.1)
    return Figure(
        f"strategies-meetings-{stratum.number}",
        draw,
        "How often the style of the row finishes ahead of the style of the column, in percent "
        f"(± {wording.number(widest * 100, 1)} at most). Blue: ahead more often than not. "
        "A style that beats all others is blue all along its row.",
        f"Table of how often each style finishes ahead of each other style; strongest is {best}.",
        frame,
        term="Finishes ahead",
    )


def _by_strength(facts: Facts, stratum: Stratum) -> list[str]:
    shares, fair = judged(facts, stratum)
    order = np.argsort([-e.value for e in fair.shares], kind="stable")
    return [str(shares.levels[i]) for i in order]


def _table(facts: Facts, stratum: Stratum, shares: Shares, fair: Fairness) -> Table:
    columns = [
        Column("strategy", "Style"),
        Column("win", "Win share", "interval_percent"),
        Column("scale", "Against even", "interval", 2),
        Column("rank", "Mean place", "interval"),
        Column(
            "asked", "Questions", "interval", help="decisions with two or more options, per game"
        ),
        Column("n", "Games", "count"),
    ]
    if facts.lens.podium and stratum.n_seats > 3:
        columns.insert(3, Column("podium", "Podium", "interval_percent", help="placed 1st to 3rd"))
    if "seat_asked" not in facts.records.seat_schema:
        columns = [c for c in columns if c.name != "asked"]
    rows: list[dict[str, Any]] = []
    for i in np.argsort([-e.value for e in fair.shares], kind="stable"):
        name = str(shares.levels[i])
        row = {
            "strategy": wording.plain(name),
            "win": fair.shares[i],
            "scale": fair.on_fair_scale(int(i)),
            "podium": shares.podium_rate(int(i)),
            "rank": shares.rank(int(i)),
            "n": int(shares.seats[:, i].sum()),
        }
        if "seat_asked" in facts.records.seat_schema:
            row["asked"] = facts.seat_mean("seat_asked", stratum, name)
        rows.append(row)
    p = wording.p_value(fair.test.p_value)
    return Table(
        f"strategies-{stratum.number}-table",
        columns,
        rows,
        f"{stratum.label}. Test that all styles are exactly equal: {p}, "
        f"w = {wording.number(fair.test.cohen_w, 3)}.",
    )
