"""The page of a luck ledger, and the same blocks for the report of a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from reports import figures, wording
from reports.estimates import Estimate
from reports.experiments.ledger import Entry
from reports.experiments.page import Page, write
from reports.facts import Facts
from reports.measures import Run
from reports.section import Block, Column, Figure, Heading, Section, Table, Text
from reports.variance import SEAT, STYLE, TOGETHER, Part

LEAST = 0.005  # a smaller share is not drawn
TANGLED = 0.9  # of all luck: so much together, and sources can hardly be told apart
HELP = (
    "Share: what a cause adds to what is known already, on average over all orders in which one "
    "could learn the causes; shares add up to 100%. Alone: what it decides whatever the others do. "
    "At most: what would still be open if only it were unknown. Intervals are bootstrapped over "
    "groups of blocks; one that reaches 0 or below means that nothing was found. Style of play is "
    "worth as much as the styles at this table differ: equal styles make any game look like luck. The "
    "skill-luck index is (skill - luck) / (skill + luck): 1 pure skill, -1 pure luck."
)


def build(run: Run, entries: Sequence[Entry], folder: Path) -> Path:
    """Write the page of a ledger. ``run``: the arm in which nothing is renewed."""
    facts = Facts(run)
    page = Page(
        kind="luck ledger",
        title=f"{facts.title}: luck or skill",
        subtitle=f"{wording.count(facts.n_games)} games an arm · seed {run.plan.seed} · "
        f"{run.plan.lineup}",
        facts=facts,
        sections=[_ledger(entries), _method(entries)],
    )
    return write(page, folder)


def _ledger(entries: Sequence[Entry]) -> Section:
    return Section(
        id="ledger",
        title="What decides who wins",
        text="The same games were played again with one source of chance renewed and the others "
        "kept, in all combinations. What stays the same is decided by what was kept.",
        help=HELP,
        blocks=blocks(entries),
    )


def blocks(entries: Sequence[Entry], name: str = "luck") -> list[Block]:
    """A sentence, a picture and a table for every kind of games; ``name``: of their files."""
    made: list[Block] = []
    kinds = list(dict.fromkeys(entry.stratum for entry in entries))
    for number, kind in enumerate(kinds):
        mine = [entry for entry in entries if entry.stratum == kind]
        if len(kinds) > 1:
            made.append(Heading(kind))
        made += [Text(f"{entry.label}: {headline(entry)}") for entry in mine]
        known = [entry for entry in mine if entry.split.parts and _is_known(entry)]
        if known:
            made.append(_figure(known, kind, f"{name}-{number}"))
        made += [_table(entry, f"{name}-{entry.measure}-{number}") for entry in known]
    return made


def _is_known(entry: Entry) -> bool:
    return all(part.share.value == part.share.value for part in entry.split.parts)


def headline(entry: Entry) -> str:
    """Style, seat and luck in a sentence."""
    if not entry.split.parts or not _is_known(entry):
        return "it never varies, so there is nothing to share out."
    parts = entry.split.parts
    if any(p.share.low != p.share.low for p in parts):
        return "too few games to share out what decides."
    fixed = [p for p in parts if not p.chance]
    chance = sorted((p for p in parts if p.chance), key=lambda p: -p.share.value)
    known = wording.listing(f"{_the(p)} {_percent(p.share)}" for p in fixed)
    said = f"{known} of all differences; luck makes {wording.percent(entry.split.chance, 0)}"
    most = [p for p in chance if p.share.low > 0]
    if most:
        told = wording.listing(f"{p.name} {wording.percent_of(p.share)}" for p in most)
        said += f" ({told})"
    combined = entry.split.combined
    if combined.low > 0:
        of_all = combined.value >= entry.split.chance
        told = "All of the luck" if of_all else wording.percent_of(combined)
        said += f". {told} comes about only by several sources together"
    if combined.value > TANGLED * entry.split.chance and combined.low > 0:
        said += (
            ": renewing any one source turns the whole game over, so their shares tell little about "
            "which of them matters more"
        )
    index = entry.split.index
    if index.value == index.value:
        said += f". Skill-luck index {wording.value_of(index, 2)} ({wording.interval_of(index, 2)})"
    return f"{said}."


def _percent(share: Estimate) -> str:
    """A share in words: what luck made less than nothing is nothing."""
    return wording.percent(max(share.value, 0.0), wording.percent_digits(share))


def _the(part: Part) -> str:
    return {STYLE: "style of play makes", SEAT: "the seat", TOGETHER: "both together"}.get(
        part.name, part.name
    )


def _figure(entries: Sequence[Entry], kind: str, name: str) -> Figure:
    seen = {p.name for e in entries for p in e.split.parts if p.share.value > LEAST}
    frame = pl.DataFrame(
        [
            {"label": e.label, "part": p.name, "value": max(p.share.value, 0.0)}
            for e in entries
            for p in e.split.parts
            if p.name in seen
        ]
    )
    said = "; ".join(f"{e.label}: {headline(e)}" for e in entries)
    return Figure(
        name,
        partial(figures.stacked, frame, xlabel="share of all differences", percent=True),
        f"What decides the outcome, {kind}. Causes of less than half a percent are left out.",
        f"Stacked bars of shares of variance. {said}",
        frame,
        term="Share",
    )


def _table(entry: Entry, name: str) -> Table:
    columns = [
        Column("cause", "What decides"),
        Column("share", "Share", "interval_percent"),
        Column("alone", "Alone", "interval_percent"),
        Column("most", "At most", "interval_percent"),
    ]
    rows: list[dict[str, Any]] = [
        {
            "cause": part.name,
            "share": part.share,
            **({"alone": part.alone, "most": part.most} if part.chance else {}),
        }
        for part in entry.split.parts
    ]
    games = wording.count(entry.games)
    return Table(
        name,
        columns,
        rows,
        f"{entry.label}, {entry.stratum}: shares of variance. {games} games an arm.",
    )


def _method(entries: Sequence[Entry]) -> Section:
    together = any(p.name == TOGETHER for e in entries for p in e.split.parts)
    words = (
        "Every arm has the same line-ups in all rotations. What two arms kept in common is measured "
        "by the covariance of their outcomes, game by game, so the noise of single games drops out; "
        "style and seat are measured by products of means over different groups of blocks for the "
        "same reason. A game is decided by who plays, where, and its chance: nothing is left over."
    )
    blocks_: list[Block] = [Text(words)]
    if together:
        words = (
            "Style and seat together: a style that does better in one seat than in another, or "
            "next to one rival than next to another."
        )
        blocks_.append(Text(words))
    return Section(
        id="method",
        title="How it was measured",
        text="Shares of variance by replayed games: pick and freeze, closed indices of all sets of "
        "sources, Shapley's values.",
        blocks=blocks_,
    )
