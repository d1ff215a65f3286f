"""The page of a tournament: strengths, who beats whom, and whether strength runs in circles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from reports import figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, State
from reports.experiments.depth import depth, depth_card
from reports.experiments.meetings import ELO, NEAR, Meetings, rates
from reports.experiments.page import Page, write
from reports.facts import Facts
from reports.measures import Run
from reports.section import Block, Column, Figure, Heading, Section, Table, Text, Verdict

LADDER = 0.05  # a smaller cyclic share is a ladder
SHOWN_TRIPLES = 10
LEAST_WEIGHT = 0.01  # a smaller part of a mix is none
SURELY = 0.975  # of resamples
FAR = 0.03  # of a rate from what strengths alone would give


@dataclass(frozen=True, eq=False)
class Standings:
    """A finished tournament."""

    run: Run
    found: tuple[Meetings, ...]  # one a kind of games

    def rows(self) -> list[dict[str, Any]]:
        """A flat row a style and kind of games, strongest first."""
        return [
            {
                "games": m.stratum,
                "strategy": m.names[i],
                "place": place,
                **_spread("strength", m.strength(i)),
                "log_strength": float(m.strengths[i]),
                **_spread("win_share", m.win_share(i)),
            }
            for m in self.found
            for place, i in enumerate(m.order, start=1)
        ]

    def matrix(self) -> list[dict[str, Any]]:
        """A flat row an ordered pair of styles."""
        return [
            {
                "games": m.stratum,
                "strategy": m.names[i],
                "rival": m.names[j],
                **_spread("ahead", e),
                "meetings": e.n,
                "expected": m.expected(i, j),
            }
            for m in self.found
            for i, j, e in rates(m)
        ]

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "n": self.run.plan.n,
            "seed": self.run.plan.seed,
            "strategies": list(self.found[0].names),
            "standings": self.rows(),
            "meetings": self.matrix(),
            "cyclic_share": {m.stratum: _spread("share", m.cyclic) for m in self.found},
            "depth": {m.stratum: _spread("steps", m.depth) for m in self.found},
            "circles": [
                {"games": m.stratum, "strategies": list(t.names), "q": t.q}
                for m in self.found
                for t in m.triples
                if t.circle
            ],
            "equilibrium": [
                {"games": m.stratum, "strategy": name, **_spread("weight", weight)}
                for m in self.found
                for name, weight in zip(m.names, m.equilibrium, strict=True)
            ],
            "in_use": [
                {
                    "games": m.stratum,
                    "strategy": m.names[i],
                    **_spread("alpha_rank", m.lasting[i]),
                    "near_the_best": m.near[i],
                    "undominated": m.of_use[i],
                }
                for m in self.found
                for i in m.order
            ],
            "viable": {
                m.stratum: {**_spread("top_d", m.diversity), **_spread("top_b", m.balance)}
                for m in self.found
            },
            "verdict": {
                m.stratum: [strongest(m)[1], ladder(m)[1], depth(m)[1]] for m in self.found
            },
        }


def _spread(name: str, e: Estimate) -> dict[str, float | None]:
    """An estimate as three fields, null where it says nothing."""
    ends = {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}
    return {key: float(value) if math.isfinite(value) else None for key, value in ends.items()}


def strongest(m: Meetings) -> tuple[State, str]:
    """Whether one style is surely the strongest, in a sentence."""
    best, second = m.order[0], m.order[1]
    gap = m.gap(best, second)
    name, rival = (wording.plain(m.names[i]) for i in (best, second))
    if gap.low > 0 and not m.few:
        ahead = m.rate(best, second)
        return (
            UNFAIR,
            f"{name.capitalize()} is the strongest, {gap.value:.0f} points before {rival}; it "
            f"finishes ahead of it in {wording.percent_of(ahead)} of their meetings.",
        )
    return UNKNOWN, f"{name.capitalize()} leads {rival} by {gap.value:.0f} points, maybe by luck."


def ladder(m: Meetings) -> tuple[State, str]:
    """Whether the styles stand on one ladder or beat each other in circles, in a sentence."""
    share = m.cyclic
    circles = [t for t in m.triples if t.circle and t.q < 0.05]
    if len(m.names) < 3:
        return UNKNOWN, "Two styles cannot run in a circle."
    said = f"{wording.percent(share.value)} of the differences run in circles"
    if m.few:
        return UNKNOWN, "Ladder or circles cannot be told from so few games."
    if circles:
        a, b, c = (wording.plain(name) for name in circles[0].names)
        return UNFAIR, f"{a.capitalize()} beats {b}, {b} beats {c}, and {c} beats {a}; {said}."
    if share.high < LADDER:
        return FAIR, f"The styles stand on one ladder: {said}."
    if share.low > LADDER:
        return (
            UNFAIR,
            f"Strength depends on the rival: {said}, though no three styles form a circle.",
        )
    return UNKNOWN, f"Ladder or circles cannot be told yet: {said}."


# ---------------------------------------------------------------- the page


def build(done: Standings, folder: Path) -> Path:
    """Write the page of a tournament."""
    facts = Facts(done.run)
    first = done.found[0]
    page = Page(
        kind="tournament",
        title=f"{facts.title}: tournament",
        subtitle=f"{len(first.names)} styles in all seats · {wording.count(facts.n_games)} games · "
        f"seed {done.run.plan.seed}",
        facts=facts,
        verdicts=[card for m in done.found for card in _cards(m)],
        sections=[
            _strengths(done),
            _matrix(done),
            _circles(done),
            _equilibrium(done),
            _in_use(done),
            _method(done),
        ],
        warnings=[
            f"{wording.count(m.cut)} of {wording.count(m.games)} games of {m.stratum} had no winner "
            "and are left out of the finishing orders."
            for m in done.found
            if m.cut
        ],
    )
    return write(page, folder)


def _cards(m: Meetings) -> list[Verdict]:
    best, second = m.order[0], m.order[1]
    gap, (state, words) = m.gap(best, second), strongest(m)
    share, (shape, told) = m.cyclic, ladder(m)
    return [
        Verdict(
            id=f"strongest-{m.players}",
            question="Which style is the strongest?",
            state=state,
            headline=words,
            number=f"{gap.value:.0f} points",
            interval=f"before the second; 95%: {gap.low:.0f} … {gap.high:.0f}",
            n=m.games,
            about=m.stratum,
            words={"unfair": wording.plain(m.names[best]).capitalize()},
            section="strengths",
            measure="Strength",
        ),
        Verdict(
            id=f"ladder-{m.players}",
            question="Does strength run in circles?",
            state=shape,
            headline=told,
            number=wording.percent(share.value),
            interval=f"cyclic share; 95%: {wording.percent(share.low)} … "
            f"{wording.percent(share.high)}",
            n=m.games,
            about=m.stratum,
            words={"fair": "One ladder", "unfair": "Circles"},
            section="circles",
            measure="Cyclic share",
        ),
        depth_card(m, "How many steps of skill lie between the styles?", "strengths"),
    ]


def _heading(done: Standings, m: Meetings) -> list[Block]:
    return [Heading(m.stratum)] if len(done.found) > 1 else []


def _strengths(done: Standings) -> Section:
    blocks: list[Block] = []
    columns = [
        Column("place", "Place", "count"),
        Column("style", "Style"),
        Column("strength", "Strength", "interval", 0, "points: 400 are odds of ten to one"),
        Column("win", "Win share", "interval_percent"),
        Column("best", "Ahead of the average style", "percent", 0),
    ]
    for m in done.found:
        frame = pl.DataFrame(
            [
                {"label": wording.plain(m.names[i]), "value": e.value, "low": e.low, "high": e.high}
                for i in m.order
                for e in [m.strength(i)]
            ]
        )
        rows = [
            {
                "place": place,
                "style": wording.plain(m.names[i]),
                "strength": m.strength(i),
                "win": m.win_share(i),
                "best": 1 / (1 + math.exp(-float(m.strengths[i]))),
            }
            for place, i in enumerate(m.order, start=1)
        ]
        draw = partial(figures.dots, frame, reference=0.0, percent=False, xlabel="points", floor=40)
        blocks += [
            *_heading(done, m),
            Figure(
                f"strengths-{m.players}",
                draw,
                "Strength of each style from all finishing orders, 0 the average.",
                "Dots with intervals: the strength of each style, the strongest on top.",
                frame,
                term="Strength",
            ),
            Table(f"standings-{m.players}", columns, rows, "Standings."),
        ]
    return Section(
        id="strengths",
        title="How strong each style is",
        text="One number a style, from the places of everybody in every game: who comes home next "
        "out of those still racing. 400 points are odds of ten to one.",
        help="Intervals are bootstrapped over blocks of games. The styles are fixed, not perfect: a "
        "weak one may win in better hands.",
        blocks=blocks,
    )


def _matrix(done: Standings) -> Section:
    blocks: list[Block] = []
    columns = [
        Column("style", "Style"),
        Column("rival", "Rival"),
        Column("ahead", "Finishes ahead", "interval_percent"),
        Column("expected", "By strength alone", "percent"),
        Column("off", "Off by", help="percentage points"),
        Column("meetings", "Meetings", "count"),
    ]
    for m in done.found:
        names = [wording.plain(m.names[i]) for i in m.order]
        frame, off = _frames(m)
        wide = len(names) > 6
        rows = [
            {
                "style": wording.plain(m.names[i]),
                "rival": wording.plain(m.names[j]),
                "ahead": e,
                "expected": m.expected(i, j),
                "off": wording.points(e.value - m.expected(i, j)),
                "meetings": e.n,
            }
            for i, j, e in rates(m)
        ]
        heat = partial(
            figures.heat, frame, row="style", column="rival", centre=0.5, reach=0.1, xlabel="rival"
        )
        rest = partial(
            figures.heat, off, row="style", column="rival", centre=0.0, reach=FAR, xlabel="rival"
        )
        blocks += [
            *_heading(done, m),
            Figure(
                f"matrix-{m.players}", heat,
                "How often the style of a row finishes ahead of that of a column, in percent.",
                f"A table of colours for {len(names)} styles against each other.", frame, wide,
                term="Finishes ahead",
            ),
            Figure(
                f"residuals-{m.players}", rest,
                "What strength alone does not explain: points above what it would give.",
                "A table of colours: observed less expected.", off, wide, term="Off by",
            ),
            Text(_fit(m), "note"),
            Table(f"meetings-{m.players}", columns, rows, "Every pair of styles.", fold=True),
        ]  # fmt: skip
    return Section(
        id="matrix",
        title="Who finishes ahead of whom",
        text="Every time two styles sat at one table, one finished ahead of the other. Rows and "
        "columns stand in order of strength, so on a plain ladder colours change from corner to "
        "corner.",
        blocks=blocks,
    )


def _fit(m: Meetings) -> str:
    """How well strengths alone explain the meetings."""
    if not next(rates(m), None):
        return "No two styles have met yet."
    off = [(abs(e.value - m.expected(i, j)), i, j, e) for i, j, e in rates(m)]
    far = sum(
        size > FAR and not e.low <= m.expected(i, j) <= e.high for size, i, j, e in off if i < j
    )
    size, i, j, e = max(off, key=lambda row: row[0])
    return (
        f"Strengths alone miss {far} of {len(off) // 2} pairs by more than {FAR * 100:.0f} points; "
        f"the farthest is {wording.plain(m.names[i])} against {wording.plain(m.names[j])} with "
        f"{wording.percent_of(e)} instead of {wording.percent(m.expected(i, j))}."
    )


def _frames(m: Meetings) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rates and what is left of them beyond strength, for heat maps."""
    known = {(i, j): e for i, j, e in rates(m)}
    rows, left = [], []
    for i in m.order:
        for j in m.order:
            e = known.get((i, j))
            names = {"style": wording.plain(m.names[i]), "rival": wording.plain(m.names[j])}
            value = e.value if e is not None else math.nan
            gap = value - m.expected(i, j)
            low, high = (e.low, e.high) if e is not None else (math.nan, math.nan)
            shown = "" if e is None else f"{value * 100:.0f}"
            rows.append({**names, "value": value, "low": low, "high": high, "text": shown})
            left.append({**names, "value": gap, "text": _points(gap)})
    return pl.DataFrame(rows), pl.DataFrame(left)


def _points(gap: float) -> str:
    """A gap in whole points, with its sign."""
    if math.isnan(gap):
        return ""
    whole = round(gap * 100)
    return f"{whole:+d}".replace("-", "\u2212") if whole else "0"


def _circles(done: Standings) -> Section:
    blocks: list[Block] = []
    columns = [
        Column("first", "A"),
        Column("second", "B"),
        Column("third", "C"),
        Column("size", "Circulation", "interval", 2, "sum of three log odds: 0 on a ladder"),
        Column("q", "q-value"),
        Column("circle", "Circle", help="each surely finishes ahead of the next"),
    ]
    for m in done.found:
        rows = [
            {
                "first": wording.plain(t.names[0]),
                "second": wording.plain(t.names[1]),
                "third": wording.plain(t.names[2]),
                "size": t.circulation,
                "q": wording.q_value(t.q),
                "circle": "yes" if t.circle and t.q < 0.05 else "no",
            }
            for t in m.triples[:SHOWN_TRIPLES]
        ]
        blocks += [*_heading(done, m), Text(ladder(m)[1])]
        if rows:
            caption = (
                "A does better against B, B against C and C against A than their strengths say: "
                f"the strongest {len(rows)} of {wording.many(len(m.triples), 'triple')}."
            )
            blocks.append(Table(f"circles-{m.players}", columns, rows, caption))
    return Section(
        id="circles",
        title="Ladder or circles",
        text="On a ladder whoever beats the better one beats the worse one, too. The cyclic share is "
        "the part of all differences that no ladder can hold: rock-paper-scissors.",
        help="Noise looks cyclic; what the number of games explains is taken out.",
        blocks=blocks,
    )


def _equilibrium(done: Standings) -> Section:
    blocks: list[Block] = []
    columns = [
        Column("style", "Style"),
        Column("weight", "Weight in the mix", "interval_percent"),
    ]
    for m in done.found:
        shares = sorted(zip(m.equilibrium, m.names, strict=True), key=lambda one: -one[0].value)
        rows = [
            {"style": wording.plain(name), "weight": weight}
            for weight, name in shares
            if weight.high >= LEAST_WEIGHT
        ]
        blocks += [
            *_heading(done, m),
            Text(mix(m)),
            Table(f"equilibrium-{m.players}", columns, rows, "The mix; the others have no part."),
        ]
    return Section(
        id="equilibrium",
        title="What a player should mix",
        text="Draw a style by these weights, and no style finishes ahead of you more often than "
        "behind you. One style with all the weight means that the game has one best way to play "
        "among those tried; several mean that each has an answer.",
        help="Maximin mix of the table of meetings (Nash equilibrium of the game of choosing a "
        "style against one rival at a mixed table), bootstrapped over blocks.",
        blocks=blocks,
    )


def mix(m: Meetings) -> str:
    """Whether one style is enough, in a sentence."""
    weight, name = max(zip(m.equilibrium, m.names, strict=True), key=lambda one: one[0].value)
    told = wording.plain(name).capitalize()
    if m.few:
        return "What to mix cannot be told from so few games."
    if weight.low > 1 - LEAST_WEIGHT:
        return f"{told} needs no other style beside it: one best way to play among those tried."
    if weight.high < 1 - LEAST_WEIGHT:
        return f"No style is enough alone; {told} has the largest part of the mix."
    return f"{told} may be enough alone; that cannot be told yet."


def _in_use(done: Standings) -> Section:
    blocks: list[Block] = []
    columns = [
        Column("style", "Style"),
        Column("lasting", "Time in use", "interval_percent"),
        Column("near", "Near the strongest"),
        Column("useful", "Not outclassed"),
    ]
    for m in done.found:
        order = sorted(m.order, key=lambda i: -m.lasting[i].value)
        rows = [
            {
                "style": wording.plain(m.names[i]),
                "lasting": m.lasting[i],
                "near": _sure(m.near[i]),
                "useful": _sure(m.of_use[i]),
            }
            for i in order
        ]
        blocks += [
            *_heading(done, m),
            Text(viable(m)),
            Table(f"in-use-{m.players}", columns, rows, "Which styles stay in use."),
        ]
    near = f"{NEAR * 100:.0f}"
    return Section(
        id="in-use",
        title="How many styles stay in use",
        text="A game is richer where several styles are worth playing. Two counts: those that the "
        f"strongest one finishes ahead of in at most {50 + 100 * NEAR:.0f} of 100 meetings, and those "
        "that no other style is better than against every rival.",
        help=f"Near the strongest: within {near} points of even against it (top-D diversity); best "
        "against somebody: not dominated (top-B balance; both Lin et al. 2024). Time in use: where "
        "everybody changes to what beats the table, how long each style is played (alpha-rank). "
        "It knows only who beats whom, not by how much, so it jumps where two styles are about "
        "even: read it with its interval. 'Open': more games are needed.",
        blocks=blocks,
    )


def _sure(chance: float) -> str:
    """Yes, no or open, by the share of resamples in which it is so."""
    return "yes" if chance >= SURELY else "no" if chance <= 1 - SURELY else "open"


def viable(m: Meetings) -> str:
    """How many styles are worth playing, in a sentence."""
    best, total = wording.plain(m.names[m.order[0]]), len(m.names)
    near, useful = (_between(e) for e in (m.diversity, m.balance))
    return (
        f"Near the strongest: {near} of {total} styles, {best} itself counted; not outclassed by "
        f"another one: {useful}."
    )


def _between(e: Estimate) -> str:
    """A count, or both ends where it is not sure."""
    if not e.low < e.high:
        return f"{e.value:.0f}"
    return f"{e.low:.0f} to {e.high:.0f}"


def _method(done: Standings) -> Section:
    m = done.found[0]
    return Section(
        id="method",
        title="How it was played",
        text="Every block of games draws its line-up from all styles and plays it in every rotation "
        "on the same dice, so luck and seats cancel.",
        blocks=[
            Text(
                "Strengths: Plackett-Luce over full finishing orders, fitted by Hunter's MM algorithm "
                f"with half a game won and lost against an average player; {ELO:.0f} points are one "
                f"unit of log strength. Intervals: {len(m.weights):,} bootstrap resamples of groups of "
                "blocks. The model takes it that a style's chance against another does not depend on "
                "who else races; the second picture above shows where it does."
            ),
            Text(
                "Circles: combinatorial Hodge decomposition of the log odds of every pair; the "
                f"family of tests is {wording.many(len(m.triples), 'triple')} (Benjamini-Hochberg)."
            ),
        ],
    )


def summary_lines(done: Standings) -> Sequence[str]:
    """The verdicts in words."""
    several = len(done.found) > 1
    return [
        f"{m.stratum}: {words}" if several else words
        for m in done.found
        for words in (strongest(m)[1], ladder(m)[1], mix(m), viable(m), depth(m)[1])
    ]
