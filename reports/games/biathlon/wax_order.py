"""What a wax token is worth, and in each slot, where tokens and their order are drawn by lot.

The lot is the experiment: who has a token where depends on nothing else, so the plain difference of
win shares is an effect, not only a tie.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.facts import Facts
from reports.games.biathlon import race_measures
from reports.measures import GROUPS, Stratum, array_of
from reports.section import Block, Column, Figure, Table, Text

REACH = 0.02  # the scale of colours shows at least two points either side
SURE = 0.05  # q-values below are told


def blocks(facts: Facts, stratum: Stratum) -> list[Block]:
    """Table of colours: token by slot, difference of the win share; nothing where tokens are chosen."""
    if facts.model(stratum.rules)["wax"]["loadout"] != "drawn" or not facts.records.full:
        return []
    if facts.records.missing(seats=("loadout", "win_share")):
        return []
    wins, skiers, all_wins, all_skiers = _sums(facts, stratum)
    rows, p_values = [], []
    for token, slot in np.ndindex(wins.shape[1:]):
        if not skiers[:, token, slot].sum():
            continue
        gap = estimates.paired_ratio(
            wins[:, token, slot], skiers[:, token, slot], all_wins, all_skiers
        ).difference
        rows.append(
            {
                "token": token_name(facts, token + 1),
                "slot": f"slot {slot + 1}",
                "value": gap.value,
                "low": gap.low,
                "high": gap.high,
                "skiers": int(skiers[:, token, slot].sum()),
                "text": wording.points(gap.value),
            }
        )
        p_values.append(estimates.z_test(gap.value, gap.se))
    frame = pl.DataFrame(rows).with_columns(pl.Series("q", estimates.adjusted(p_values)))
    return [
        Figure(
            f"wax-order-{stratum.number}",
            partial(
                figures.heat, frame, row="token", column="slot", centre=0.0, reach=REACH, tilt=False
            ),
            f"Worth of a token by slot, {stratum.label}: win share of skiers that had it there, less "
            f"the share of all ({wording.count(int(all_skiers.sum()))} skiers; tokens and order were "
            "drawn by lot).",
            "Table of wax tokens by slot: difference of the win share.",
            frame,
            term="Worth by slot",
        ),
        Text(_said(frame)),
        *_worth(facts, stratum, (wins.sum(2), skiers.sum(2), all_wins, all_skiers)),
    ]


def _worth(facts: Facts, stratum: Stratum, sums: tuple[np.ndarray, ...]) -> list[Block]:
    """Which tokens to lay: win share of those that have one, less that of those without it.

    Nothing where a box deals a token twice: who has one then may have two.
    """
    wins, skiers, all_wins, all_skiers = sums
    told = facts.model(stratum.rules)["wax"]
    boxes = told["sets"].get(told["set"], {}).values()
    if any(len(set(box)) < len(box) for box in boxes):
        return []
    tokens, gaps = [], []
    for token in range(wins.shape[1]):
        without = all_skiers - skiers[:, token]
        if not skiers[:, token].sum() or not without.sum():
            continue
        tokens.append(token)
        gaps.append(
            estimates.paired_ratio(
                wins[:, token], skiers[:, token], all_wins - wins[:, token], without
            ).difference
        )
    if len(tokens) < 2:
        return []
    q = estimates.adjusted([estimates.z_test(gap.value, gap.se) for gap in gaps])
    drawn = estimates.shrunken([gaps])[0]
    order = sorted(range(len(tokens)), key=lambda i: -drawn[i].value)
    columns = [
        Column("token", "Token"),
        Column(
            "worth", "Laid or left out", "interval_points", None, "win share with it, less without"
        ),
        Column("drawn", "Less luck of the lot", "interval_points", None, term="Drawn to the mean"),
        Column("q", "Corrected p", "number", 3),
        Column("n", "Skiers", "count", help="that had it"),
    ]
    rows = [
        {
            "token": token_name(facts, tokens[i] + 1),
            "worth": gaps[i],
            "drawn": drawn[i],
            "q": q[i],
            "n": int(skiers[:, tokens[i]].sum()),
        }
        for i in order
    ]
    name = f"wax-worth-{stratum.number}"
    caption = f"What it is worth to lay a token at all, {stratum.label}: the best first."
    return [Table(name, columns, rows, caption), Text(_which(facts, stratum, rows, q))]


def _which(facts: Facts, stratum: Stratum, rows: list[dict[str, Any]], q: list[float]) -> str:
    """Which tokens one would lay, and how sure that is."""
    slots = int(facts.model(stratum.rules)["wax"]["slots"])
    best = wording.listing(str(row["token"]) for row in rows[:slots])
    sure = sum(p < SURE for p in q)
    told = f"{sure} of {len(q)} tokens surely differ from nothing (false discovery rate 5 %)."
    if len(rows) <= slots:
        return told
    return f"By these numbers one would lay {best}. {told}"


def token_name(facts: Facts, token: int) -> str:
    """Number and icons of a token."""
    words = facts.identity.get("vocabularies", {}).get("tokens", [])
    icons = words[token] if token < len(words) else ""
    return f"{token}: {icons.lower()}" if icons and icons != "-" else str(token)


def _said(frame: pl.DataFrame) -> str:
    """Which places differ from the average, false discoveries controlled."""
    sure = frame.filter(pl.col("q") < SURE).sort(pl.col("value").abs(), descending=True)
    if sure.is_empty():
        return (
            f"None of the {len(frame)} pairs of token and slot surely differs from the average; more "
            "games would narrow the intervals."
        )
    told = [
        f"token {row['token']} in {row['slot']} ({wording.points(row['value'])}, 95%: "
        f"{wording.points(row['low'])} … {wording.points(row['high'])})"
        for row in sure.head(4).iter_rows(named=True)
    ]
    return (
        f"{len(sure)} of {len(frame)} pairs of token and slot surely differ from the average "
        f"(false discovery rate 5 %), first of all {'; '.join(told)}."
    )


def _sums(facts: Facts, stratum: Stratum) -> tuple[np.ndarray, ...]:
    """Win shares and skiers by group, token and slot, and of all skiers by group."""
    tokens = array_of(facts.records, "wax_round").size
    slots = array_of(facts.records, "loadout").size
    wins, skiers = np.zeros((GROUPS, tokens + 1, slots)), np.zeros((GROUPS, tokens + 1, slots))
    all_wins, all_skiers = np.zeros(GROUPS), np.zeros(GROUPS)
    columns = ["loadout", "win_share"]
    for part in facts.records.parts("seats", columns, race_measures.sample_blocks(facts)):
        group = part.groups()
        for cell in stratum.cells:
            laid, share = part.cell("loadout", cell), part.cell("win_share", cell)
            seats = share.shape[1]
            np.add.at(all_wins, group, share.sum(1))
            np.add.at(all_skiers, group, seats)
            for seat, slot in np.ndindex(seats, slots):
                at = (group, laid[:, seat, slot], np.full(len(group), slot))
                np.add.at(wins, at, share[:, seat])
                np.add.at(skiers, at, 1)
    return wins[:, 1:], skiers[:, 1:], all_wins, all_skiers
