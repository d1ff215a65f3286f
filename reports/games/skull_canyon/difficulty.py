"""Are easy, advanced and expert runs worth their cards and their actions, awards included?"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.games.skull_canyon import styles_table
from reports.games.skull_canyon.components import DIFFICULTIES, SHORT
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

ORDER = 54
TOPS = ("tops_easy", "tops_adv", "tops_exp")
NEEDS = {
    "seats": (
        "ski_easy", "ski_adv", "ski_exp", *TOPS, "vp_aw_easy", "vp_aw_adv", "vp_aw_exp",
        "vp_aw_total", "cards_played", "overpay",
    ),
}  # fmt: skip
SECTION = "difficulty"
QUESTION = "Do easy and expert runs pay alike?"
MARGIN = 0.1  # VP a card
WORDS = {"fair": "Alike", "unfair": "Not alike"}
STYLES = {
    "ski_easy": ("Easy runs", "skied in a game"),
    "ski_adv": ("Advanced runs", "skied in a game"),
    "ski_exp": ("Expert runs", "skied in a game"),
    "cards_played": ("Cards played", ""),
    "overpay": ("Cards over the need", "played to steal, or to show a style"),
}


def make(facts: Facts) -> Section:
    """What a run brings, by difficulty; what each style skis."""
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += [*facts.heading(s), _figure(facts, s), _table(facts, s)]
        blocks.append(
            styles_table.table(
                facts, s, "skied", STYLES, f"Runs a player skis in a game, by style, {s.label}."
            )
        )
    blocks.append(
        Text(
            "What a run brings is counted; whether to ski more of them is another question, since "
            "strong hands bring both expert runs and wins. That is asked by shifting one weight of "
            "a style on the same dice: `simulate run --game skull_canyon --lineup "
            "all_rounder:top_x=1,all_rounder,all_rounder,all_rounder`.",
            "note",
        )
    )
    return Section(
        id=SECTION,
        title="Easy, advanced, expert",
        text="A hard run takes more cards for more VP. What does a run of each difficulty bring "
        "for a card and for an action, once fame and awards are counted?",
        help="Three fame count as one VP, as at the end of the game. Award VP are shared out over "
        "all runs of the difficulty that were skied. A card costs half a Train action.",
        blocks=blocks,
        leans_on=("board", "boards", "deck"),
    )


def verdicts(facts: Facts) -> list[Verdict]:
    """Expert against easy, VP a card."""
    return [_verdict(facts, s) for s in facts.main]


def worth(facts: Facts, stratum: Stratum, difficulty: str) -> dict[str, Any]:
    """VP of one run of a difficulty by source, printed numbers and awards as they fell."""
    model = facts.model(stratum.rules)
    run = model["run"][difficulty]
    rows = facts.seat_rows(stratum)
    short = SHORT[difficulty]
    skied = rows[f"ski_{short}"].to_numpy()
    tops = np.sum([rows[c].to_numpy() for c in TOPS], axis=0)
    total = rows["vp_aw_total"].to_numpy()
    every = float(tops.sum())
    part = rows[f"tops_{short}"].to_numpy()
    spread = part * (float(total.sum()) / every) if every else part * 0.0
    award = estimates.ratio(rows[f"vp_aw_{short}"].to_numpy() + spread, skied)
    fame = run["fame"] / model["fame"]["per_vp"]
    plain = run["vp"] + fame
    cards, train = run["cards"], model["train"]["cards"]
    return {
        "difficulty": difficulty,
        "cards": cards,
        "vp": run["vp"],
        "fame": fame,
        "award": award,
        "whole": shifted(award, plain),
        "per_card": shifted(award, plain).scaled(1 / cards),
        "per_action": shifted(award, plain).scaled(1 / (1 + cards / train)),
        "skied": estimates.ratio(skied, rows["n"].to_numpy()),
        "n": int(skied.sum()),
    }


def shifted(e: Estimate, by: float) -> Estimate:
    """An estimate with a known number added."""
    from dataclasses import replace

    return replace(e, value=e.value + by, low=e.low + by, high=e.high + by)


def _figure(facts: Facts, stratum: Stratum) -> Figure:
    rows = []
    for difficulty in DIFFICULTIES:
        told = worth(facts, stratum, difficulty)
        parts = {"VP": told["vp"], "fame": told["fame"], "awards": told["award"].value}
        for part, value in parts.items():
            known = value if math.isfinite(value) else 0.0
            rows.append({"label": difficulty, "part": part, "value": known / told["cards"]})
    frame = pl.DataFrame(rows)
    return Figure(
        f"difficulty-{stratum.number}",
        partial(figures.stacked, frame, xlabel="VP for a card"),
        f"What a run brings for a card of its need, by difficulty, {stratum.label}.",
        "Stacked bars of VP, fame and award VP for a card, for easy, advanced and expert runs.",
        frame,
        term="For a card",
    )


def _table(facts: Facts, stratum: Stratum) -> Table:
    columns = [
        Column("difficulty", "Run"),
        Column("cards", "Cards", "count"),
        Column("vp", "VP", "count"),
        Column("fame", "Fame as VP", "number", 2),
        Column("award", "Award VP", "interval", 2, "award VP for a run that was skied"),
        Column("whole", "In all", "interval", 2),
        Column("per_card", "For a card", "interval", 2),
        Column("per_action", "For an action", "interval", 2, "its cards are got by Train"),
        Column("skied", "Skied", "interval", 2, "by a player in a game"),
        Column("n", "Runs", "count"),
    ]
    rows = [worth(facts, stratum, difficulty) for difficulty in DIFFICULTIES]
    return Table(
        f"difficulty-{stratum.number}-table",
        columns,
        rows,
        f"What one run brings in VP, {stratum.label}. Lifts are not counted: they cost the same "
        "for all runs from a node.",
    )


def _verdict(facts: Facts, stratum: Stratum) -> Verdict:
    easy, expert = (worth(facts, stratum, d) for d in ("easy", "expert"))
    a, b = expert["per_card"], easy["per_card"]
    gap = estimates.unpaired(a, b) if a.n and b.n else estimates.NOTHING
    seen = gap.n > 0 and math.isfinite(gap.low)
    state = estimates.equivalence(gap, MARGIN, family=len(facts.main)) if seen else "unknown"
    games = facts.games_of(stratum)
    if state == "unknown":
        headline = "Not enough to say whether expert runs pay for their cards."
        if seen:
            headline = (
                "Expert and easy runs pay about alike for a card, or these games cannot tell."
            )
    else:
        better = "An expert" if a.value > b.value else "An easy"
        headline = (
            f"{better} run pays more for its cards: {wording.number(a.value, 2)} VP a card on "
            f"expert runs, {wording.number(b.value, 2)} on easy ones."
            if state == "unfair"
            else f"Expert runs bring {wording.number(a.value, 2)} VP a card, easy runs "
            f"{wording.number(b.value, 2)}."
        )
    return Verdict(
        id=f"difficulty-{stratum.number}",
        question=QUESTION,
        state=state,
        headline=headline,
        number=f"{wording.number(gap.value, 2)} VP a card" if seen else wording.NONE,
        interval=wording.interval_of(gap, 2) if seen else "expert runs less easy runs",
        n=games,
        detail="The difference of what one card brings on an expert and on an easy run, fame and "
        "awards counted. A style that skis only one kind can still be right to do so.",
        about=stratum.label,
        holds_for=tuple(facts.strategies),
        leans_on=("board", "boards", "deck"),
        words=WORDS,
        section=SECTION,
        measure="VP a card",
        bar=(gap, 0.0, MARGIN) if seen else None,
    )
