"""Which wax tokens are used, and when."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.facts import Facts
from reports.games.biathlon import race_measures, wax_order
from reports.measures import Stratum, array_of, array_sums
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 60
NEEDS = {"seats": ("wax_used", "wax_round", "wax_slot_used")}
THIRDS = ("first third", "second third", "last third")


def make(facts: Facts) -> Section:
    """Use by token, by third of the race, by slot."""
    size = array_of(facts.records, "wax_used").size
    slots = array_of(facts.records, "wax_slot_used").size
    arrays = array_sums(facts.records, {"wax_used": size, "wax_slot_used": slots})
    timing = None
    if facts.records.full and not facts.records.missing(seats=("loadout", "own_turns")):
        timing = race_measures.wax_timing(facts)
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += facts.heading(s)
        if timing is not None and timing[0][s.number].sum():
            blocks.append(_heat(facts, s.number, s.label, timing))
        blocks.append(_table(facts, s, arrays, timing))
        blocks += wax_order.blocks(facts, s)
    blocks.append(
        Text(
            "A token used often is not a token worth much: strong and weak styles choose different "
            "ones. What a token is worth is measured by taking it away, and told in stamina: "
            "`simulate treat biathlon --hook token_block=3 --unit stamina_minus`.",
            "note",
        )
    )
    return Section(
        id="wax",
        title="Wax",
        text="Which tokens are turned over, and when? A token that is hardly ever used, or "
        "always at the "
        "same moment, offers no choice.",
        blocks=blocks,
        leans_on=("wax",),
    )


def _heat(facts: Facts, number: int, label: str, timing: tuple[np.ndarray, ...]) -> Figure:
    uses, _, skiers = timing
    rows = []
    for token in range(1, uses.shape[1] + 1):
        total = int(uses[number, token - 1].sum())
        if not total:
            continue
        for t, third in enumerate(THIRDS):
            share = estimates.proportion(int(uses[number, token - 1, t]), total)
            rows.append(
                {
                    "token": wax_order.token_name(facts, token),
                    "third": third,
                    "value": share.value,
                    "low": share.low,
                    "high": share.high,
                    "uses": total,
                    "text": f"{share.value * 100:.0f}%",
                }
            )
    frame = pl.DataFrame(rows)
    return Figure(
        f"wax-timing-{number}",
        partial(figures.heat, frame, row="token", column="third", tilt=False, low=0.0),
        f"When each token is used, {label}: share of its uses in each third of the skier's race "
        f"(first {wording.count(int(skiers[number]))} skiers).",
        "Table of wax tokens by third of the race in which they are used.",
        frame,
        term="When a token is used",
    )


def _table(
    facts: Facts, stratum: Stratum, arrays: pl.DataFrame, timing: tuple[np.ndarray, ...] | None
) -> Table:
    columns = [
        Column("token", "Token"),
        Column("used", "Used a race", "interval_percent", help="uses per skier and race"),
        Column(
            "dealt",
            "In the race",
            "percent",
            0,
            "share of skiers that laid it in one of the six slots",
        ),
        Column("n", "Skiers", "count"),
    ]
    rows = arrays.filter(pl.col("stratum") == stratum.number)
    by_group = rows.group_by("group").agg(pl.exclude("stratum", "strategy").sum()).sort("group")
    n = by_group["n"].to_numpy()
    out = []
    size = array_of(facts.records, "wax_used").size
    for token in range(1, size + 1):
        used = by_group[f"wax_used.{token - 1}"].to_numpy()
        dealt = None
        if timing is not None:
            dealt = float(timing[1][stratum.number, token - 1] / max(timing[2][stratum.number], 1))
        if not used.sum() and not dealt:
            continue
        out.append(
            {
                "token": wax_order.token_name(facts, token),
                "used": estimates.ratio(used, n),
                "dealt": dealt,
                "n": int(n.sum()),
            }
        )
    slots = array_of(facts.records, "wax_slot_used").size
    said = []
    for slot in range(slots):
        e = estimates.ratio(by_group[f"wax_slot_used.{slot}"].to_numpy(), n)
        if e.value > 0:
            said.append(f"{slot + 1}: {wording.percent(e.value, 0)}")
    return Table(
        f"wax-{stratum.number}",
        columns,
        out,
        f"Tokens, {stratum.label}, {facts.records.detail_words}. Use by slot from the left: "
        f"{', '.join(said) or 'none'}.",
    )
