"""What each kind of card does to the one who lays it and to the one who meets it."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.measures import GROUPS, Job, Stratum, adding
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 52
KINDS = {
    "placed_F": "forest",
    "placed_J": "ski jump",
    "placed_S": "snowball",
    "placed_G": "piste groomer",
    "placed_H": "hut",
    "placed_plain2": "two plain spaces",
}
MEETS = {
    "falls": "Falls",
    "hut_stops": "Moves ended by a hut",
    "jumps_flown": "Ski jumps flown over",
    "snow_received": "Snowballs received",
    "groom_received_up": "Groomed uphill",
    "groom_received_side": "Groomed sideways",
    "groom_received_down": "Groomed downhill",
    "stranded_turns": "Turns begun without a way out",
}
RODE = ("own_cells_ridden", "own_cells_ridden_by_others", "others_cells_ridden")
NEEDS = {"seats": (*KINDS, *MEETS, *RODE, "win_share", "snow_thrown", "groom_used")}
KEYS = ("group", "stratum")
FINE = 1000  # cards beyond the even share are counted in thousandths
WINS = 60  # win shares are whole sixtieths


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Wins against cards laid beyond the even share of the game, kind by kind.

    Within a game the deck is shuffled, so who gets which kind is chance; how many cards a seat lays
    is not, and is taken out by comparing with the game's mix of kinds.
    """
    del facts
    total = sum((pl.col(c).cast(pl.Int64) for c in KINDS), start=pl.lit(0, pl.Int64))

    def moments(rows: pl.DataFrame) -> pl.DataFrame:
        wide = rows.with_columns(total.alias("cards"))
        game = ["game_id"]
        won = pl.col("win_share").sum().over(game) > 0.5
        even = pl.col("win_share") - pl.col("win_share").mean().over(game)
        wide = wide.filter(won).with_columns((even * WINS).round().cast(pl.Int64).alias("y"))
        beyond = {
            c: pl.col(c)
            - pl.col("cards") * pl.col(c).sum().over(game) / pl.col("cards").sum().over(game)
            for c in KINDS
        }
        wide = wide.with_columns(
            [
                (x.cast(pl.Float64) * FINE).round().cast(pl.Int64).alias(f"x {c}")
                for c, x in beyond.items()
            ]
        )
        sums = [(pl.col(f"x {c}") * pl.col("y")).sum().alias(f"xy {c}") for c in KINDS]
        sums += [(pl.col(f"x {c}") ** 2).cast(pl.Int64).sum().alias(f"xx {c}") for c in KINDS]
        return wide.group_by(list(KEYS)).agg(pl.len().cast(pl.Int64).alias("n"), *sums)

    return {"seats": {"cards laid": adding([*KINDS, "win_share"], KEYS, moments)}}


def make(facts: Facts) -> Section:
    """The worth of a card laid, and what riders meet."""
    blocks: list[Block] = []
    for s in facts.shown:
        there = [c for c in KINDS if facts.seat_mean(c, s).value > 0]  # not every deck has all
        worth = {c: worth_of(facts, s, c) for c in there} if facts.records.full else {}
        blocks += facts.heading(s)
        if worth:
            blocks += [_figure(s, worth), _laid(facts, s, worth)]
        blocks += [_effects(facts, s), _meets(facts, s)]
    blocks += [
        *facts.not_shown(),
        Text(
            "Which cards a player draws is chance, so the first picture is close to cause and "
            "effect; what a player does with them is the style's. What the effects themselves are "
            "worth is measured by a coin toss: `simulate treat pistengaudi --hook mute_throws`, "
            "`--hook mute_groomer`, `--hook random_signs`.",
            "note",
        ),
    ]
    return Section(
        id="spaces",
        title="What the cards do",
        text="What does a kind of card do for the one who lays it, and what for those who ride over "
        "it? One more card of a kind than the others got, is it good or bad luck?",
        help="Points are percentage points of the win share for each card of that kind beyond an "
        "even share. An interval that holds 0 means that no difference is shown.",
        blocks=blocks,
        leans_on=("deck.name", "signs", "rules"),
    )


def worth_of(facts: Facts, stratum: Stratum, column: str) -> Estimate:
    """Percentage points of win share for each card laid beyond the even share."""
    rows = facts.job("seats", "cards laid").filter(pl.col("stratum") == stratum.number)
    over, below = np.zeros(GROUPS), np.zeros(GROUPS)
    at = rows["group"].to_numpy()
    over[at] = rows[f"xy {column}"].to_numpy() / (FINE * WINS) * 100
    below[at] = rows[f"xx {column}"].to_numpy() / FINE**2
    seen = below > 0
    if not seen.any():
        return estimates.NOTHING
    e = estimates.ratio(over[seen], below[seen])
    return Estimate(e.value, e.low, e.high, int(rows["n"].sum()), e.clusters, e.se)


def _figure(stratum: Stratum, worth: dict[str, Estimate]) -> Figure:
    frame = pl.DataFrame(
        [
            {
                "label": KINDS[c], "value": e.value, "low": e.low, "high": e.high, "seats": e.n,
            }
            for c, e in worth.items()
        ]
    )  # fmt: skip
    draw = partial(
        figures.dots, frame, reference=0.0, percent=False, floor=2.0,
        xlabel="points of win share a card",
    )  # fmt: skip
    return Figure(
        f"spaces-{stratum.number}",
        draw,
        f"What one more card of a kind is worth to the one who lays it, {stratum.label}.",
        "Dots of the change in win share for each kind of card laid.",
        frame,
        term="Worth of one more card",
    )


def _laid(facts: Facts, stratum: Stratum, worth: dict[str, Estimate]) -> Table:
    columns = [
        Column("kind", "Card with"),
        Column("laid", "Laid a game", "interval", help="by one seat"),
        Column("worth", "Worth, points", "interval", help="of win share, for each card more"),
        Column("n", "Seats", "count"),
    ]
    rows = [
        {
            "kind": KINDS[c],
            "laid": facts.seat_mean(c, stratum),
            "worth": e,
            "n": int(facts.seat_rows(stratum)["n"].sum()),
        }
        for c, e in worth.items()
    ]
    return Table(f"spaces-laid-{stratum.number}", columns, rows, f"Cards laid, {stratum.label}.")


def _effects(facts: Facts, stratum: Stratum) -> Table:
    """What became of the cards laid, and who rode on whose."""
    columns = [
        Column("what", "What"),
        Column("value", "Mean", "interval"),
        Column("n", "Seats", "count"),
    ]
    told = [
        ("Snowballs thrown for each snowball card laid", "snow_thrown", "placed_S"),
        ("Groomer moves for each groomer card laid", "groom_used", "placed_G"),
        ("Hut stops for each hut card laid", "hut_stops", "placed_H"),
        ("Flights for each ski jump card laid", "jumps_flown", "placed_J"),
        ("Steps on own cards, a game", RODE[0], None),
        ("Steps of others on them, a game", RODE[1], None),
        ("Steps on cards of others, a game", RODE[2], None),
    ]
    n = int(facts.seat_rows(stratum)["n"].sum())
    rows = [
        {"what": words, "value": facts.seat_mean(column, stratum, per=per), "n": n}
        for words, column, per in told
    ]
    caption = f"What becomes of the cards, {stratum.label}."
    return Table(f"spaces-use-{stratum.number}", columns, rows, caption)


def _meets(facts: Facts, stratum: Stratum) -> Table:
    columns = [
        Column("what", "What a figure meets"),
        Column("value", "A game", "interval"),
        Column("n", "Seats", "count"),
    ]
    n = int(facts.seat_rows(stratum)["n"].sum())
    rows = [
        {"what": words, "value": facts.seat_mean(c, stratum), "n": n} for c, words in MEETS.items()
    ]
    total = wording.count(n)
    caption = f"What riders meet, {stratum.label}: means of {total} seats."
    return Table(f"spaces-met-{stratum.number}", columns, rows, caption)
