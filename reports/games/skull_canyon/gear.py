"""Gear: shown, affordable, taken, used; what it is worth is asked by `simulate gear`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, State
from reports.facts import Facts
from reports.games.skull_canyon.components import Gear, gear_of, sentence
from reports.measures import GROUPS, WIN_SCALE, Job, Stratum, adding, as_integer, counted
from reports.section import Block, Column, Figure, Highlight, Section, Table, Text, Verdict

ORDER = 66
SEATS = ("gear1", "gear2", "gear_offer1", "gear_offer2", "gear_owned", "gear_use", "win_share")
GAMES = ("gear_row1", "gear_row2", "gear_bought")
NEEDS = {"games": GAMES, "seats": SEATS, "rows": True}
KEYS = ("group", "stratum", "gear")
SECTION = "gear"
QUESTION = "Is any gear never or always taken?"
WORDS = {"fair": "None", "unfair": "Some", "unknown": "Not enough games"}
NEVER, ALWAYS = 0.05, 0.95
LEAST = 200  # chances to buy behind a verdict


def make(facts: Facts) -> Section:
    """A picture and a table for each stratum."""
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += [*facts.heading(s), _figure(facts, s), _table(facts, s)]
    blocks += facts.not_shown()
    blocks.append(
        Text(
            "The win share of owners is no measure of a card: who can pay for it is ahead already, "
            "and strong styles buy other cards than weak ones. What a card does, its fair price, "
            "and how far the win share of owners misleads: `simulate gear skull_canyon`.",
            "note",
        )
    )
    return Section(
        id=SECTION,
        title="Gear",
        text="Which cards are bought when they can be paid, and how often does their ability come "
        "to anything? A card that nobody takes is too dear; one that everybody takes is too cheap.",
        help="'Can be paid' counts players who reach the Hotel with enough fame while the card "
        "lies there; they buy one card at most.",
        blocks=blocks,
        leans_on=("gear", "board", "boards", "deck"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """Cards bought a game."""
    if not facts.main:
        return []
    s = facts.main[0]
    e = facts.mean("gear_bought", s)
    return [Highlight("Gear", f"{wording.value_of(e)} a game", wording.interval_of(e), s.label)]


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Shown by games; offered, bought, owned, used by seats."""
    size = len(facts.identity.get("vocabularies", {}).get("gear", []))

    def games(rows: pl.DataFrame) -> pl.DataFrame:
        parts = []
        for gear in range(size):
            shown = _together(GAMES[:2], gear)
            there = rows.with_columns(pl.lit(gear, pl.Int64).alias("gear"))
            parts.append(counted(there, KEYS, shown=shown))
        return pl.concat(parts)

    def seats(rows: pl.DataFrame) -> pl.DataFrame:
        won = as_integer("win_share", pl.Float32())
        first, second = (pl.col(c).to_physical().cast(pl.Int64) for c in SEATS[:2])
        parts = []
        for gear in range(size):
            owned = pl.col("gear_owned").arr.get(gear) > 0
            offers = _together(SEATS[2:4], gear)
            bought = (first == gear).fill_null(value=False).cast(pl.Int64) + (
                second == gear
            ).fill_null(value=False).cast(pl.Int64)
            used = pl.col("gear_use").arr.get(gear).cast(pl.Int64)
            there = rows.with_columns(pl.lit(gear, pl.Int64).alias("gear"))
            values = {
                "offers": offers,
                "bought": bought,
                "owned": owned.cast(pl.Int64),
                "used": used,
                "working": (owned & (used > 0)).cast(pl.Int64),
                "won": pl.when(owned).then(won).otherwise(0),
            }
            parts.append(counted(there, KEYS, **values))
        return pl.concat(parts)

    return {
        "games": {"gear rows": adding(GAMES[:2], KEYS, games)},
        "seats": {"gear": adding(SEATS, KEYS, seats)},
    }


def _together(columns: Sequence[str], gear: int) -> pl.Expr:
    """One card's items of several array columns, added up."""
    return pl.sum_horizontal([pl.col(c).arr.get(gear).cast(pl.Int64) for c in columns])


def verdicts(facts: Facts) -> list[Verdict]:
    """Cards that are hardly ever or nearly always taken."""
    return [_verdict(facts, s) for s in facts.main]


def told(facts: Facts, stratum: Stratum) -> list[tuple[Gear, dict[str, Any]]]:
    """Every card that can be bought, with its estimates."""
    shown = facts.job("games", "gear rows").filter(pl.col("stratum") == stratum.number)
    rows = facts.job("seats", "gear").filter(pl.col("stratum") == stratum.number)
    found = []
    for gear in gear_of(facts.model(stratum.rules)):
        if not gear.buyable:
            continue
        here = rows.filter(pl.col("gear") == gear.number).sort("group")
        sums = {c: here[c].to_numpy() for c in here.columns if c not in KEYS}
        row = shown.filter(pl.col("gear") == gear.number).sort("group")
        games = row["n"].to_numpy()
        found.append(
            (
                gear,
                {
                    "shown": estimates.ratio(row["shown"].to_numpy(), games),
                    "offers": int(sums["offers"].sum()),
                    "take": _share(sums["bought"], sums["offers"]),
                    "bought": estimates.ratio(_by_games(here, row), games),
                    "use": _ratio(sums["used"], sums["owned"]),
                    "works": _share(sums["working"], sums["owned"]),
                    "owners": _share(sums["won"] / WIN_SCALE, sums["owned"]),
                    "owned": int(sums["owned"].sum()),
                },
            )
        )
    return found


def _by_games(here: pl.DataFrame, row: pl.DataFrame) -> np.ndarray:
    """Purchases by group, in the order of the games' rows."""
    total = np.zeros(GROUPS)
    np.add.at(total, here["group"].to_numpy(), here["bought"].to_numpy())
    return total[row["group"].to_numpy()]


def _share(above: np.ndarray, below: np.ndarray) -> Estimate:
    return estimates.share(above, below) if below.sum() else estimates.NOTHING


def _ratio(above: np.ndarray, below: np.ndarray) -> Estimate:
    return estimates.ratio(above, below) if below.sum() else estimates.NOTHING


def _figure(facts: Facts, stratum: Stratum) -> Figure:
    rows = [
        {
            "label": gear.name,
            "value": row["take"].value,
            "low": row["take"].low,
            "high": row["take"].high,
            "chances": row["offers"],
        }
        for gear, row in sorted(told(facts, stratum), key=lambda one: -_rate(one[1]["take"]))
        if row["take"].n
    ]
    if not rows:
        empty = {"value": 0.0, "low": 0.0, "high": 0.0, "chances": 0}
        rows = [{"label": "no gear on offer", **empty}]
    frame = pl.DataFrame(rows)
    return Figure(
        f"gear-{stratum.number}",
        partial(figures.dots, frame, xlabel="taken when it could be paid"),
        f"How often a card is taken by a player who can pay it, {stratum.label}.",
        f"Dots with intervals by gear card, most taken first: {', '.join(frame['label'])}.",
        frame,
        term="Taken",
    )


def _rate(e: Estimate) -> float:
    return e.value if e.n else -1.0


def _table(facts: Facts, stratum: Stratum) -> Table:
    columns = [
        Column("gear", "Gear"),
        Column("cost", "Price", "count", help="fame, printed"),
        Column("vp", "VP", "count", help="printed"),
        Column("shown", "Shown", "interval", 2, "times a game in the row"),
        Column("take", "Taken", "interval_percent", help="when a player could pay it"),
        Column("bought", "Bought", "interval", 2, "a game"),
        Column("use", "Used", "interval", 1, "times its ability had an effect, for an owner"),
        Column("works", "Of use", "interval_percent", help="owners for whom it had any effect"),
        Column(
            "owners", "Owners win", "interval_percent", help="no measure of the card: see below"
        ),
        Column("offers", "Chances", "count", help="times a player could pay it"),
    ]
    rows = [
        {"gear": gear.name, "cost": gear.cost, "vp": gear.vp, **row}
        for gear, row in told(facts, stratum)
    ]
    return Table(
        f"gear-{stratum.number}-table",
        columns,
        rows,
        f"Gear that can be bought, {stratum.label}, "
        f"{wording.count(facts.games_of(stratum))} games. Heated Gloves work by what rivals "
        "cannot do.",
    )


def judged(facts: Facts, stratum: Stratum) -> tuple[State, list[str], list[str]]:
    """State, cards hardly ever taken, cards nearly always taken."""
    rare, always, open_ = [], [], 0
    for gear, row in told(facts, stratum):
        take = row["take"]
        if row["offers"] < LEAST or not take.n:
            open_ += 1
        elif take.high < NEVER:
            rare.append(gear.name)
        elif take.low > ALWAYS:
            always.append(gear.name)
        elif take.low < NEVER or take.high > ALWAYS:
            open_ += 1
    state = UNFAIR if rare or always else UNKNOWN if open_ else FAIR
    return state, rare, always


def _verdict(facts: Facts, stratum: Stratum) -> Verdict:
    state, rare, always = judged(facts, stratum)
    cards = told(facts, stratum)
    rates = [(gear.name, row["take"]) for gear, row in cards if row["take"].n]
    said = []
    if rare:
        said.append(f"hardly ever taken: {wording.listing(rare)}")
    if always:
        said.append(f"nearly always taken: {wording.listing(always)}")
    if state == UNFAIR:
        headline = f"{sentence('; '.join(said))}."
    elif state == FAIR:
        headline = "Every card is taken by some who can pay it and left by others."
    else:
        headline = "Not enough purchases to say it of every card."
    number, interval = wording.NONE, "no card could be paid"
    if rates:
        name, take = min(rates, key=lambda one: min(one[1].value, 1 - one[1].value))
        number = f"{name}: {wording.percent_of(take)}"
        interval = wording.percent_interval(take)
    return Verdict(
        id=f"gear-{stratum.number}",
        question=QUESTION,
        state=state,
        headline=headline,
        number=number,
        interval=interval,
        n=facts.games_of(stratum),
        detail="The card nearest to never or always: share of players who take it when they can "
        "pay it. Below 5% is hardly ever, above 95% nearly always, by the whole interval.",
        about=stratum.label,
        holds_for=tuple(facts.strategies),
        leans_on=("gear",),
        words=WORDS,
        section=SECTION,
        measure="Taken",
    )
