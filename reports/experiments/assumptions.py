"""The page of a sensitivity study: what moves the game, what would change, what stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports import look, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN
from reports.experiments.differences import Difference
from reports.experiments.leanings import (
    BEST,
    CONCLUSIONS,
    FIRST,
    FLIPS,
    LENGTH,
    OPEN,
    ORDER,
    SEATS,
    STANDS,
    Leaning,
    Study,
    seats_word,
    verdict_words,
)
from reports.experiments.page import Page, write
from reports.facts import Facts
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

MOST_BARS = 24  # of a tornado


def build(done: Study, folder: Path) -> Path:
    """Write the page of a study."""
    facts = Facts(done.run)
    tried = len({one.tried.label for one in done.leanings})
    page = Page(
        kind="sensitivity",
        title=f"{facts.title}: what leans on assumptions",
        subtitle=f"{tried} alternatives · {wording.count(done.run.plan.n)} games each on the same "
        f"dice · seed {done.run.plan.seed}",
        facts=facts,
        verdicts=[_card(done, name) for name in CONCLUSIONS],
        sections=[
            _tornados(done),
            _flips(done),
            _report(done),
            _table(done),
            _untried(done),
            _method(done),
        ],
    )
    return write(page, folder)


def _card(done: Study, name: str) -> Verdict:
    fates = [one.fate[name] for one in done.leanings]
    state = UNFAIR if FLIPS in fates else FAIR if OPEN not in fates else UNKNOWN
    counts = f"stands: {fates.count(STANDS)}, open: {fates.count(OPEN)}"
    return Verdict(
        id=f"v-{CONCLUSIONS.index(name)}",
        question=f"Does {name} lean on an assumption?",
        state=state,
        headline=verdict_words(done, name),
        number=f"{fates.count(FLIPS)} of {len(fates)}",
        interval=counts,
        n=int(done.run.plan.n),
        detail=_default_words(done, name),
        about=wording.listing(done.conclusions),
        words={"fair": "Stands", "unfair": "Leans on it", "unknown": "Not enough games"},
        section="alternatives",
        measure="Conclusions that change",
    )


def _default_words(done: Study, name: str) -> str:
    """The conclusion under the rules as they are."""
    said = []
    for games, found in done.conclusions.items():
        what = {
            SEATS: seats_word(found.seats),
            FIRST: wording.percent_of(found.first.estimate()),
            LENGTH: f"{wording.value_of(found.length.estimate())} {found.length.unit}".strip(),
            BEST: wording.plain(found.order[0]) if found.order else "one style only",
            ORDER: ", ".join(wording.plain(s) for s in found.order) or "one style only",
        }[name]
        said.append(f"{what} ({games})" if len(done.conclusions) > 1 else what)
    return f"With the rules as they are: {wording.listing(said)}."


@look.styled
def tornado(frame: pl.DataFrame, *, margin: float, xlabel: str, percent: bool) -> Any:
    """Bars from 0 to the effect of each alternative, the largest on top; columns label, value, …"""
    labels = frame["label"].to_list()
    figure, axes = look.canvas(width=2 * look.WIDTH, height=0.9 + 0.27 * len(labels))
    axes.axvspan(-margin, margin, color=look.BAND, zorder=0, lw=0)
    axes.axvline(0, color=look.MUTED, lw=1.2, zorder=1)
    places = np.arange(len(labels))[::-1]
    value, low, high = (frame[c].to_numpy().astype(float) for c in ("value", "low", "high"))
    colours = [look.UNFAIR if s == "different" else look.series(0) for s in frame["verdict"]]
    axes.barh(places, value, height=0.62, color=colours, alpha=0.75, lw=0, zorder=2)
    axes.hlines(places, low, high, color=look.INK, lw=1.3, zorder=3)
    axes.set_yticks(places, labels)
    axes.set_ylim(-0.7, len(labels) - 0.3)
    axes.spines["left"].set_visible(False)
    look.grid(axes)
    if percent:
        look.percent_axis(axes)
    axes.set_xlabel(xlabel)
    return figure


def _tornados(done: Study) -> Section:
    blocks: list[Block] = []
    for games in done.conclusions:
        here = [one for one in done.leanings if one.stratum == games]
        short = games.split(" ", maxsplit=1)[0]
        for name, title, changes in (
            ("first", "The first seat's win share", [one.first for one in here]),
            ("length", "Length", [one.length for one in here]),
        ):
            blocks.append(_tornado(f"tornado-{name}-{short}", f"{title}, {games}", here, changes))
    return Section(
        id="tornado",
        title="What moves the game",
        text="The effect of each alternative on the same dice, the largest on top. The band is the "
        "margin; bars in the warning colour surely reach beyond it.",
        blocks=blocks,
    )


def _tornado(
    name: str, title: str, here: Sequence[Leaning], changes: Sequence[Difference]
) -> Figure:
    order = sorted(range(len(here)), key=lambda i: -abs(changes[i].change.value))[:MOST_BARS]
    kind = changes[0].a.kind
    frame = pl.DataFrame(
        {
            "label": [wording.shown(here[i].tried.label, 44) for i in order],
            "value": [changes[i].change.value for i in order],
            "low": [changes[i].change.low for i in order],
            "high": [changes[i].change.high for i in order],
            "verdict": [changes[i].verdict for i in order],
        }
    )
    left = len(here) - len(order)
    unit = changes[0].a.unit or changes[0].a.measure
    return Figure(
        name,
        partial(
            tornado,
            frame,
            margin=changes[0].margin,
            xlabel="change of the share, in points" if kind == "share" else f"change in {unit}",
            percent=kind == "share",
        ),
        f"{title}." + (f" The {len(order)} largest of {len(here)}." if left else ""),
        f"{title}: a bar for each alternative, from 0 to its effect.",
        frame,
        wide=True,
        term="Change",
    )


def _flips(done: Study) -> Section:
    found = [one for one in done.leanings if one.flips]
    rows = [
        {
            "alternative": one.tried.label,
            "default": one.tried.default,
            "games": one.stratum,
            "flips": wording.listing(one.flips),
            "source": one.tried.source,
        }
        for one in found
    ]
    columns = [
        Column("alternative", "Alternative"),
        Column("default", "Instead of"),
        Column("games", "Games of"),
        Column("flips", "Changes"),
        Column("source", "Why the value is what it is"),
    ]
    blocks: list[Block] = (
        [Table("flips", columns, rows, "Alternatives that overturn a conclusion.")]
        if rows
        else [Text("No alternative overturns a conclusion.", "note")]
    )
    return Section(
        id="flips",
        title="What would change",
        text="If one of these were the printed rule, the conclusions named would be others.",
        blocks=blocks,
    )


def _report(done: Study) -> Section:
    """Which verdicts of a run's report another value would turn."""
    asked = dict.fromkeys((v.question, one.stratum) for one in done.leanings for v in one.cards)
    before = {(v.question, games): v for games, c in done.conclusions.items() for v in c.cards}
    rows = []
    for question, games in asked:
        card = before.get((question, games))
        if card is None:
            continue
        found = [
            (one, v)
            for one in done.leanings
            for v in one.cards
            if (v.question, one.stratum) == (question, games)
        ]
        turned = [
            one.tried.label
            for one, v in found
            if UNKNOWN not in (v.state, card.state) and v.state != card.state and not one.same_games
        ]
        rows.append(
            {
                "question": question,
                "games": games,
                "verdict": card.label,
                "turned": wording.listing(turned) or "none",
                "open": sum(v.state == UNKNOWN for _, v in found),
            }
        )
    columns = [
        Column("question", "Question"),
        Column("games", "Games of"),
        Column("verdict", "With the rules as they are"),
        Column("turned", "Turned by"),
        Column("open", "Alternatives that need more games", "count"),
    ]
    return Section(
        id="verdicts-of-reports",
        title="The verdicts of a report",
        text="What the report of a run would say under each alternative. A report of these rules and "
        "this line-up takes it up: see `simulate report --sensitivity`.",
        blocks=[Table("verdicts-of-reports", columns, rows, "Verdicts and what turns them.")],
    )


def _table(done: Study) -> Section:
    rows = [
        {
            "alternative": one.tried.label,
            "kind": one.tried.kind,
            "games": one.stratum,
            "seats": seats_word(one.seats),
            "first": f"{one.first.change_words} ({one.first.interval_words})",
            "length": f"{one.length.change_words} ({one.length.interval_words})",
            "order": " > ".join(wording.plain(s) for s in one.order),
            "flips": one.overturns,
        }
        for one in done.leanings
    ]
    columns = [
        Column("alternative", "Alternative"),
        Column("kind", "Kind"),
        Column("games", "Games of"),
        Column("seats", "Seats"),
        Column("first", "First seat", term="B − A"),
        Column("length", "Length", term="B − A"),
        Column("order", "Styles by strength"),
        Column("flips", "Overturns"),
    ]
    return Section(
        id="alternatives",
        title="All alternatives",
        text="What each does to the headline conclusions.",
        blocks=[Table("alternatives", columns, rows, f"{len(rows)} rows.", fold=len(rows) > 30)],
    )


def _untried(done: Study) -> Section:
    rows = [{"key": k, "value": v or wording.NONE, "why": w} for k, v, w in done.untried]
    columns = [Column("key", "Rule"), Column("value", "Value"), Column("why", "Why")]
    blocks: list[Block] = (
        [Table("untried", columns, rows, f"{len(rows)} not tried.", fold=True)]
        if rows
        else [Text("Every assumed value was tried.", "note")]
    )
    return Section(
        id="untried",
        title="Not tried",
        text="Assumed values without an alternative, and alternatives that cannot stand alone.",
        blocks=blocks,
    )


def _method(done: Study) -> Section:
    known = [
        d.correlation
        for one in done.leanings
        for d in (one.first, one.length)
        if not math.isnan(d.correlation)
    ]
    middle = float(np.median(known)) if known else math.nan
    return Section(
        id="method",
        title="How it was played",
        text="One run an alternative, under arms/, on the dice of the rules as they are.",
        blocks=[
            Text(
                "Differences are paired block by block (middle correlation "
                f"{wording.number(middle, 2)}). Family of tests: {2 * len(done.leanings)} "
                "comparisons, first seat and length of every alternative; false discoveries are held "
                f"at 5% (Benjamini-Hochberg). Margins: {done.margins.words}."
            ),
            Text(
                "The seats' verdict and the strongest style flip only where both are sure before and "
                "after; the order of the styles flips where two styles that were surely apart surely "
                "change places."
            ),
        ],
    )
