"""The page of a sweep: response curves, a table a measure, targets, main effects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports import figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, finite
from reports.experiments import differences
from reports.experiments.differences import Difference
from reports.experiments.margins import Margins
from reports.experiments.page import Page, write
from reports.experiments.response import Response, Solution, main_effects
from reports.facts import Facts
from reports.measures import Run
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

TELLING = ("win_share", "rounds", "truncated", "score")
MOST_LINES = 8  # of one picture
MOST_CARDS = 6
MOST_ROWS = 40  # points of a table that is not folded up


@dataclass(frozen=True, eq=False)
class Sweep:
    """A finished sweep: the run, its points, every number at every point."""

    run: Run
    keys: tuple[str, ...]
    points: tuple[dict[str, Any], ...]
    labels: tuple[str, ...]
    reference: int  # the point that others are compared with
    default: bool  # whether that point is the rules without the sweep
    places: np.ndarray | None  # values of the keys as numbers, None where some are words
    responses: tuple[Response, ...]
    chosen: tuple[str, ...]  # measures asked for
    margins: Margins
    solutions: tuple[Solution, ...]

    @property
    def games(self) -> int:
        """Games a point."""
        return int(self.run.plan.n) // len(self.points)

    @cached_property
    def shown(self) -> list[Response]:
        """Responses with pictures and rows of their own."""
        aimed = {s.target.measure for s in self.solutions}
        telling = [*(self.chosen or TELLING), *aimed]
        return [
            r
            for r in self.responses
            if r.first.measure in telling and (r.first.headline or not r.first.by or self.chosen)
        ]

    @cached_property
    def changes(self) -> dict[tuple[int, int], Difference]:
        """(response, point) -> its difference from the reference point; one family of tests."""
        pairs = [
            (i, j)
            for i, response in enumerate(self.shown)
            for j in range(len(self.points))
            if j != self.reference
        ]
        found = differences.beside(
            [(self.shown[i].at[self.reference], self.shown[i].at[j]) for i, j in pairs],
            self.margins,
        )
        return dict(zip(pairs, found, strict=True))

    def groups(self) -> dict[tuple[Any, ...], list[int]]:
        """Shown responses that belong in one picture: a measure, a way to look, a table size."""
        found: dict[tuple[Any, ...], list[int]] = {}
        for i, r in enumerate(self.shown):
            q = r.first
            found.setdefault((q.players, q.equal, q.measure, q.by), []).append(i)
        return found

    def rows(self) -> list[dict[str, Any]]:
        """A flat row a point and shown measure."""
        found = []
        for i, r in enumerate(self.shown):
            for j, q in enumerate(r.at):
                e = q.estimate()
                change = self.changes.get((i, j))
                found.append(
                    {
                        **dict(self.points[j].items()),
                        "measure": q.measure,
                        "by": q.by,
                        "level": q.level,
                        "label": q.label,
                        "players": q.players,
                        "value": finite(e.value),
                        "low": finite(e.low),
                        "high": finite(e.high),
                        "games": e.n,
                        "difference": 0.0 if change is None else finite(change.change.value),
                        "difference_low": 0.0 if change is None else finite(change.change.low),
                        "difference_high": 0.0 if change is None else finite(change.change.high),
                        "q": None if change is None else finite(change.q),
                        "verdict": "reference" if change is None else change.verdict,
                    }
                )
        return found

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "keys": list(self.keys),
            "points": [dict(point) for point in self.points],
            "reference": self.labels[self.reference],
            "games_a_point": self.games,
            "seed": self.run.plan.seed,
            "margins": self.margins.words,
            "targets": [
                {
                    "target": s.target.text,
                    "measure": s.label,
                    "games": s.stratum,
                    "value": finite(s.value),
                    "low": finite(s.low),
                    "high": finite(s.high),
                    "met": s.met,
                    "monotone": s.monotone,
                    "words": solution_words(self, s),
                }
                for s in self.solutions
            ],
            "responses": self.rows(),
        }


def solution_words(sweep: Sweep, s: Solution) -> str:
    """Where a target is met, in a sentence."""
    key = sweep.keys[0]
    if s.met:
        ends = [_end(s.low, "below the values tried"), _end(s.high, "above the values tried")]
        words = f"{key} = {s.value:.4g} gives {s.target.text} (95% interval {ends[0]} to {ends[1]})"
        near = _nearest(sweep, s)
        words += f"; the nearest value tried is {near}" if near else ""
    else:
        low, high = (s.of.shown(value) for value in s.seen)
        words = (
            f"Too few games to say whether a value tried gives {s.target.text}"
            if s.near
            else f"No value tried gives {s.target.text}"
        )
        words += f": {s.label} went from {low} to {high}"
    if not s.monotone:
        words += ". The curve surely turns round, so other values may give it, too"
    return f"{words}."


def _end(value: float, beyond: str) -> str:
    return f"{value:.4g}" if math.isfinite(value) else beyond


def _nearest(sweep: Sweep, s: Solution) -> str:
    assert sweep.places is not None
    column = sweep.places[:, 0]
    best = column[np.argmin(np.abs(column - s.value))]
    return "" if best == s.value else f"{best:g}"


# ---------------------------------------------------------------- the page


def build(sweep: Sweep, folder: Path) -> Path:
    """Write the page of a sweep."""
    facts = Facts(sweep.run)
    sections = [_curves(sweep)]
    if len(sweep.keys) > 1 and sweep.places is not None:
        sections.append(_effects(sweep))
    sections += [_tables(sweep), _method(sweep)]
    page = Page(
        kind="sweep",
        title=f"{facts.title}: {wording.listing(sweep.keys)}",
        subtitle=f"{len(sweep.points)} points · {wording.count(sweep.games)} games each on the same "
        f"dice · seed {sweep.run.plan.seed}",
        facts=facts,
        verdicts=[*(_target_card(sweep, i) for i in range(len(sweep.solutions))), *_cards(sweep)],
        sections=sections,
    )
    return write(page, folder)


def _target_card(sweep: Sweep, number: int) -> Verdict:
    s = sweep.solutions[number]
    return Verdict(
        id=f"target-{number}",
        question=f"Which {sweep.keys[0]} gives {s.target.text}?",
        state=FAIR if s.met else UNKNOWN,
        headline=solution_words(sweep, s),
        number=f"{s.value:.4g}" if s.met else wording.NONE,
        interval=f"95%: {_end(s.low, '…')} to {_end(s.high, '…')}" if s.met else "not reached",
        n=int(sweep.run.plan.n),
        about=s.stratum,
        detail="By monotone interpolation between the values tried; the interval is a bootstrap over "
        "blocks.",
        words={"fair": "Met", "unknown": "Not enough games" if s.near else "Not reached"},
        section="curves",
        measure="Target",
    )


def _cards(sweep: Sweep) -> list[Verdict]:
    """The largest change of each group of measures."""
    cards = []
    for key, members in sweep.groups().items():
        about = [(i, j) for (i, j) in sweep.changes if i in members]
        if not about:
            continue
        found = [sweep.changes[pair] for pair in about]
        i, j = max(about, key=lambda p: abs(sweep.changes[p].change.value))
        most = sweep.changes[i, j]
        states = [d.state for d in found]
        state = UNFAIR if UNFAIR in states else FAIR if all(s == FAIR for s in states) else UNKNOWN
        name = wording.plain(key[2]) + (f" by {wording.plain(key[3])}" if key[3] else "")
        cards.append(
            Verdict(
                id="-".join(str(part) for part in key),
                question=f"Does it change the {name}?",
                state=state,
                headline=f"Most at {sweep.labels[j]}: {most.a.label} "
                f"{most.a.shown(most.value_b.value, most.digits)} instead of "
                f"{most.a.shown(most.value_a.value, most.digits)}.",
                number=most.change_words,
                interval=most.interval_words,
                n=sweep.games,
                about=f"{most.a.players} players, against {sweep.labels[sweep.reference]}",
                words={"fair": "Same within the margin", "unfair": "Different"},
                section="curves",
                measure="B − A",
                bar=(most.change, 0.0, most.margin) if most.margin > 0 else None,
            )
        )
    return cards[:MOST_CARDS]


# ---------------------------------------------------------------- curves


def _curves(sweep: Sweep) -> Section:
    blocks: list[Block] = []
    for key, members in sweep.groups().items():
        name = "-".join(str(part) for part in (key[0], key[2], key[3]) if part)
        name += "-equal" if key[1] else ""
        kept = members[:MOST_LINES]
        blocks.append(_figure(sweep, f"curve-{name}", kept, len(members) - len(kept)))
    return Section(
        id="curves",
        title="How the game answers",
        text="Each picture is one measure over the points of the sweep. Bands are 95% intervals of "
        "each point alone; points share their dice, so differences between them are surer than the "
        "bands look.",
        blocks=blocks,
    )


def _figure(sweep: Sweep, name: str, members: Sequence[int], left_out: int) -> Figure:
    """Curve for one numeric key, map for a grid of two, dots otherwise."""
    first = sweep.shown[members[0]].first
    share = first.kind == "share"
    caption = f"{wording.plain(first.measure).capitalize()}"
    caption += f" by {wording.plain(first.by)}" if first.by else ""
    caption += f", {first.players} players" + (", equal strategies" if first.equal else "")
    caption += f"; {left_out} more in the table." if left_out else "."
    frame = _frame(sweep, members)
    if len(sweep.keys) == 1 and sweep.places is not None:
        draw = partial(
            figures.lines,
            frame.sort("x", maintain_order=True),
            xlabel=sweep.keys[0],
            ylabel=first.unit if not share else "",
            percent=share,
        )
    elif len(sweep.keys) == 2 and len(members) == 1 and _is_grid(sweep):
        draw = partial(
            figures.heat,
            frame.with_columns(
                pl.Series("text", [first.shown(v, 1) for v in frame["value"].to_list()])
            ),
            row="first",
            column="second",
            xlabel=sweep.keys[1],
            tilt=False,
        )
    else:
        several = len(members) > 1
        draw = partial(
            figures.dots,
            frame.with_columns(pl.col("point").alias("label")),
            group="series" if several else "",
            percent=share,
        )
    alt = f"{caption} One value a point of the sweep, with its interval."
    return Figure(name, draw, caption, alt, frame, term="Value of a measure")


def _is_grid(sweep: Sweep) -> bool:
    sizes = [len({str(p[key]) for p in sweep.points}) for key in sweep.keys]
    return math.prod(sizes) == len(sweep.points)


def _frame(sweep: Sweep, members: Sequence[int]) -> pl.DataFrame:
    rows = []
    for i in members:
        response = sweep.shown[i]
        for j, q in enumerate(response.at):
            e = q.estimate()
            values = list(sweep.points[j].values())
            rows.append(
                {
                    "x": float(sweep.places[j, 0]) if sweep.places is not None else float(j),
                    "point": sweep.labels[j],
                    "first": str(values[0]),
                    "second": str(values[1]) if len(values) > 1 else "",
                    "series": q.words or wording.plain(q.measure),
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                }
            )
    return pl.DataFrame(rows)


# ---------------------------------------------------------------- main effects


def _effects(sweep: Sweep) -> Section:
    assert sweep.places is not None
    rows = []
    for response in sweep.shown:
        found, fit = main_effects(response, sweep.places, sweep.keys)
        for key, e in found.items():
            rows.append(
                {
                    "measure": response.first.label,
                    "games": f"{response.first.players} players",
                    "key": key,
                    "effect": e.scaled(100) if response.first.kind == "share" else e,
                    "unit": response.first.change_unit,
                    "fit": fit,
                }
            )
    columns = [
        Column("measure", "Measure"),
        Column("games", "Games of"),
        Column("key", "Key"),
        Column("effect", "From its lowest to its highest value", "interval"),
        Column("unit", "Unit"),
        Column(
            "fit", "Explained", "percent", 0, "of the spread between points, by all keys' planes"
        ),
    ]
    return Section(
        id="effects",
        title="Which key does what",
        text="What each key does on its own when it goes from the lowest to the highest value tried, "
        "the others held: a plane through all points.",
        help="Where little is explained, keys work together or curves bend: look at the points.",
        blocks=[Table("main-effects", columns, rows, "Main effects.")],
    )


# ---------------------------------------------------------------- tables, method


def _tables(sweep: Sweep) -> Section:
    columns = [
        Column("point", "Point"),
        Column("value", "Value", term="Value of a measure"),
        Column("interval", "95% interval"),
        Column("change", "Change"),
        Column("change_interval", "95% interval of the change"),
        Column("q", "q-value"),
        Column("verdict", "Verdict"),
    ]
    blocks: list[Block] = []
    for i, response in enumerate(sweep.shown):
        q = response.first
        rows = [point_row(sweep, i, j) for j in range(len(sweep.points))]
        caption = f"{q.label.capitalize()}, {q.players} players" + (
            ", equal strategies." if q.equal else "."
        )
        blocks.append(Table(f"points-{i}", columns, rows, caption, fold=True))
    return Section(
        id="points",
        title="All points",
        text=f"Changes are against {sweep.labels[sweep.reference]}"
        f"{', the rules as they are' if sweep.default else ''}, paired block by block.",
        blocks=blocks,
    )


def point_row(sweep: Sweep, i: int, j: int) -> dict[str, Any]:
    """A measure at a point and its change from the reference point, in words."""
    q = sweep.shown[i].at[j]
    e = q.estimate()
    change = sweep.changes.get((i, j))
    digits = q.digits(e.half)
    row = {
        "point": sweep.labels[j],
        "value": q.shown(e.value, digits),
        "interval": f"{q.shown(e.low, digits)} … {q.shown(e.high, digits)}",
        "verdict": "reference",
    }
    if change is not None:
        row |= {
            "change": change.change_words,
            "change_interval": change.interval_words,
            "q": change.q_words,
            "verdict": change.verdict,
        }
    return row


def _method(sweep: Sweep) -> Section:
    found = list(sweep.changes.values())
    known = [d.correlation for d in found if not math.isnan(d.correlation)]
    tied = f" (correlation up to {max(known):.2f})" if known else ""
    rows = [{"point": label, "games": sweep.games} for label in sweep.labels]
    blocks: list[Block] = [
        Text(
            f"All points are rules rows of one run: a block plays every point on the same dice, so "
            f"differences are paired by block{tied}."
        ),
        Text(
            f"Family of tests: {len(found)} comparisons of {len(sweep.shown)} measures with the "
            "reference point; false discoveries are held at 5% (Benjamini-Hochberg). Margins: "
            f"{sweep.margins.words}."
        ),
        Table(
            "tried",
            [Column("point", "Point"), Column("games", "Games", "count")],
            rows,
            "Points that were played.",
            fold=len(rows) > MOST_ROWS,
        ),
    ]
    return Section("method", "How it was played", "One run under arms/.", blocks)
