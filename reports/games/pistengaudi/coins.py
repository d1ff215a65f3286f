"""What one throw, groomer move, fall or sign is worth, from coins that were tossed for each of them.

In a treated run a coin decides of each single event whether it has its effect. The coin knows
nothing of the game, so the sum of (cancelled less the coin's chance) over a seat's events goes
together with its wins only as far as cancelling changes wins: that sum times the win share, over the
number of events and the coin's spread, is the mean change that one cancelled event makes, with all
that follows from it. How many events come later may depend on earlier coins; that does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from reports import estimates
from reports.estimates import Estimate
from reports.facts import Facts
from reports.measures import GROUPS, Job, Stratum, adding
from reports.section import Block, Column, Section, Table, Text

ORDER = 53
PHASES = ("rounds 1 to 3", "rounds 4 to 6", "rounds 7 to 9", "round 10 and later")
COLOURS = ("blue", "red", "black")
WINS = 60  # win shares are whole sixtieths, and so is an even share
PER_CENT = 100
KEYS = ("group", "stratum")
NEEDS = {
    "seats": (
        "win_share", "treated", "snow_thrown", "snow_muted", "groom_given_up", "groom_given_side",
        "groom_given_down", "groom_muted_up", "groom_muted_side", "groom_muted_down", "falls_phase",
        "falls_spared_phase", "redrawn_signs",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Coin:
    """A kind of event with a coin of its own.

    ``worth``: 1 where cancelling is what is told, -1 where the event itself is.
    """

    what: str
    events: pl.Expr
    heads: pl.Expr  # of these, how often the coin fell on the told side
    parts: int  # the chance of the told side is ``told`` of so many parts
    told: int
    worth: int

    @property
    def spread(self) -> float:
        """Variance of the coin."""
        return self.told * (self.parts - self.told) / self.parts**2


def _count(column: str, place: int | None = None) -> pl.Expr:
    told = pl.col(column) if place is None else pl.col(column).arr.get(place)
    return told.cast(pl.Int64)


def coins_of(treatment: dict[str, int]) -> list[Coin]:
    """Coins that a treatment tosses; those that fall on one side only say nothing."""
    found = []
    throws, grooms, falls = (
        treatment.get(name, 0) for name in ("mute_throws", "mute_groomer", "soft_falls")
    )
    if 0 < throws < PER_CENT:
        found.append(
            Coin("a snowball", _count("snow_thrown"), _count("snow_muted"), PER_CENT, throws, -1)
        )
    if 0 < grooms < PER_CENT:
        found += [
            Coin(
                f"a groomer move {words}", _count(f"groom_given_{way}"), _count(f"groom_muted_{way}"),
                PER_CENT, grooms, -1,
            )
            for way, words in (("up", "uphill"), ("side", "to the side"), ("down", "downhill"))
        ]  # fmt: skip
    if 0 < falls < PER_CENT:
        found += [
            Coin(
                f"not lying after a fall in {phase}", _count("falls_phase", place),
                _count("falls_spared_phase", place), PER_CENT, falls, 1,
            )
            for place, phase in enumerate(PHASES)
        ]  # fmt: skip
    if treatment.get("random_signs", 0):
        drawn = pl.col("redrawn_signs").arr.sum().cast(pl.Int64)
        found += [
            Coin(
                f"a {colour} sign instead of another", drawn, _count("redrawn_signs", place),
                len(COLOURS), 1, 1,
            )
            for place, colour in enumerate(COLOURS)
        ]  # fmt: skip
    return found


def _treatment(facts: Facts) -> dict[str, int]:
    return facts.identity["plan"].get("treatment") or {}


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """For each coin: its events, and (heads less their chance) times wins beyond an even share."""
    coins = coins_of(_treatment(facts))
    if not coins:
        return {}
    players = {s.number: s.players for s in facts.records.strata}

    def moments(rows: pl.DataFrame) -> pl.DataFrame:
        even = pl.col("stratum").replace_strict(
            {number: WINS // count for number, count in players.items()}, return_dtype=pl.Int64
        )
        beyond = (pl.col("win_share") * WINS).round().cast(pl.Int64) - even
        sums = []
        for number, coin in enumerate(coins):
            off = coin.parts * coin.heads - coin.told * coin.events
            sums.append((off * beyond).sum().alias(f"off {number}"))
            sums.append(coin.events.sum().alias(f"events {number}"))
        treated = rows.filter(pl.col("treated"))
        return treated.group_by(list(KEYS)).agg(pl.len().cast(pl.Int64).alias("n"), *sums)

    return {"seats": {"coins": adding(list(NEEDS["seats"]), KEYS, moments)}}


def worth_of(rows: pl.DataFrame, coins: Sequence[Coin], number: int) -> Estimate:
    """Points of win share that one event of a coin's kind is worth to the treated seat."""
    coin = coins[number]
    over, below = np.zeros(GROUPS), np.zeros(GROUPS)
    at = rows["group"].to_numpy()
    scale = coin.worth * PER_CENT / (WINS * coin.parts * coin.spread)
    over[at] = rows[f"off {number}"].to_numpy() * scale
    below[at] = rows[f"events {number}"].to_numpy()
    seen = below > 0
    return estimates.ratio(over[seen], below[seen]) if seen.sum() > 1 else estimates.NOTHING


def make(facts: Facts) -> Section | None:
    """A row for each kind of event that a coin was tossed for; None where there was no coin."""
    coins = coins_of(_treatment(facts))
    if not coins or not facts.records.full:
        return None
    told = facts.job("seats", "coins")
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += [*facts.heading(s), _table(s, told.filter(pl.col("stratum") == s.number), coins)]
    blocks.append(
        Text(
            "Each number is the change in the treated seat's win share, in percentage points, that one "
            "such event makes, with everything that follows from it. A colour is compared with the "
            "two others. An interval that holds 0 means that no difference is shown.",
            "note",
        )
    )
    return Section(
        id="coins",
        title="What one of them is worth",
        text="A coin decided of each single event whether it had its effect. What did one of them "
        "do for the one who was treated?",
        help="The coins know nothing of the game, so this is cause and effect, not a correlation.",
        blocks=[*blocks, *facts.not_shown()],
        leans_on=("deck.name", "signs", "rules"),
    )


def _table(stratum: Stratum, rows: pl.DataFrame, coins: Sequence[Coin]) -> Table:
    columns = [
        Column("what", "Event"),
        Column("worth", "Worth, points", "interval", 2),
        Column("n", "Events", "count"),
    ]
    out = []
    for number, coin in enumerate(coins):
        events = int(rows[f"events {number}"].sum())
        if events:
            out.append({"what": coin.what, "worth": worth_of(rows, coins, number), "n": events})
    return Table(f"coins-{stratum.number}", columns, out, f"Worth of one event, {stratum.label}.")
