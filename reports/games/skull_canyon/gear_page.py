"""The page of `simulate gear`: printed against fair prices, effects, and what misleads."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import polars as pl

from reports import estimates, figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, State
from reports.games.skull_canyon import experiment_page, pictures
from reports.games.skull_canyon.components import Gear, sentence
from reports.games.skull_canyon.gear_rows import MOMENT_WORDS, OWNER, Effect, Findings, GearRow
from reports.games.skull_canyon.gear_value import MARGIN
from reports.measures import Run
from reports.section import Block, Column, Figure, Heading, Highlight, Section, Table, Text, Verdict

QUESTION = "Are the prices of gear fair?"
LEANS = ("gear", "board", "boards", "deck", "weather.faces")
OPEN = "cannot tell"
SURELY = ("too cheap", "too dear")
SURE = 0.05  # corrected p-value from which an effect counts as found
MEASURE_WORDS = {"score": "VP", "win_share": "Win share", "rank": "Place"}
KIND_WORDS = {
    "grant": "given for nothing",
    "deny": "not to be had by one player, drawn by lot",
    "ban": "not to be had",
    "price": "at another price",
    "offer": "on offer on the first evening",
}


def write(control: Run, found: Findings, file: Path) -> Path:
    """Write the page of an experiment on gear."""
    facts = experiment_page.facts_of(control)
    shown = sections(found)
    styles = tuple(facts.strategies)
    given = any(row.vp.n for row in found.rows)
    cards = [_verdict(found, stratum, styles) for stratum in _strata(found) if given]
    return experiment_page.write(facts, shown, cards, _highlights(found), file)


def sections(found: Findings) -> list[Section]:
    """Everything on the page, for notebooks: blocks with ``.frame`` and ``.draw()``."""
    made = [
        _prices(found), _bought(found), _naive(found), _depends(found), _sales(found),
        _effects(found),
    ]  # fmt: skip
    return [section for section in made if section is not None]


def sorted_rows(found: Findings, stratum: str) -> list[GearRow]:
    """Cards of a stratum: too cheap first, those without a price last."""

    def key(row: GearRow) -> tuple[int, float, str]:
        known = math.isfinite(row.price.value)
        gap = row.price.value - row.gear.cost if known else 0.0
        return (0 if known else 1, -gap, row.gear.name)

    return sorted((row for row in found.rows if row.stratum == stratum), key=key)


def _strata(found: Findings) -> list[str]:
    return list(dict.fromkeys(row.stratum for row in found.rows))


def _names(found: Findings) -> dict[str, Gear]:
    return {row.gear.id: row.gear for row in found.rows}


# ---------------------------------------------------------------- prices


def _prices(found: Findings) -> Section | None:
    """The picture that a designer wants."""
    if not any(row.vp.n for row in found.rows):
        return None
    blocks: list[Block] = []
    for i, stratum in enumerate(_strata(found)):
        if len(_strata(found)) > 1:
            blocks.append(Heading(stratum))
        blocks += [_picture(found, stratum, i), _price_table(found, stratum, i)]
    return Section(
        id="prices",
        title="Printed and fair prices",
        text=f"Every card is given for nothing, {MOMENT_WORDS[found.moment]}, to a player whom a "
        "lot chooses, and the same games are played without it. The fair price is the fame that "
        "would have brought that player as many VP.",
        help=f"The price of fame comes from another arm, in which the same player gets "
        f"{found.given} fame at the same moment. A price is fair if it is surely within "
        f"{wording.number(MARGIN, 0)} fame of the fair one. A fair price below 0 means that the "
        "card does harm.",
        blocks=blocks,
        leans_on=LEANS,
    )


def price_frame(found: Findings, stratum: str) -> pl.DataFrame:
    """One row a card: what the picture of prices is drawn from."""
    rows = []
    for row in sorted_rows(found, stratum):
        known = math.isfinite(row.price.value)
        rows.append(
            {
                "label": row.gear.name,
                "printed": row.gear.cost,
                "value": row.price.value if known else None,
                "low": row.price.low if known else None,
                "high": row.price.high if known else None,
                "state": row.state,
                "games": row.vp.n,
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def _picture(found: Findings, stratum: str, number: int) -> Figure:
    frame = price_frame(found, stratum)
    return Figure(
        f"gear-prices-{number}",
        partial(pictures.prices, frame, xlabel="price in fame"),
        f"Printed price (bar) and fair price (dot, with 95% interval) of each card, {stratum}; "
        "those that are too cheap first. Arrows: the interval goes on.",
        f"Printed and fair price of {len(frame)} gear cards, from too cheap to too dear: "
        f"{', '.join(frame['label'])}.",
        frame,
        term="Fair price",
    )


def _price_table(found: Findings, stratum: str, number: int) -> Table:
    columns = [
        Column("gear", "Gear"),
        Column("printed", "Printed", "count", help="price in fame"),
        Column("price", "Fair price", "interval", 1, "by VP, in fame"),
        Column("price_wins", "By wins", "interval", 1, "the fame that brings as many wins"),
        Column("says", "Price"),
        Column("printed_vp", "VP", "count", help="printed"),
        Column("vp", "Brings VP", "interval", 2, "to its owner, its printed VP included"),
        Column("ability", "Of these by use", "interval", 2, "without its printed VP"),
        Column("rivals", "Rivals' VP", "interval", 2, "what it brings a rival, below 0: costs it"),
        Column("wins", "Win share", "interval_points", None, "gain of its owner"),
        Column("rivals_wins", "Rivals' wins", "interval_points", None, "all rivals together"),
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "gear": row.gear.name,
            "printed": row.gear.cost,
            "price": _known(row.price),
            "price_wins": _known(row.price_wins),
            "says": _says(row),
            "printed_vp": row.gear.vp,
            "vp": row.vp,
            "ability": _less(row.vp, row.gear.vp),
            "rivals": row.rivals,
            "wins": row.wins,
            "rivals_wins": row.rivals_wins,
            "n": row.vp.n,
        }
        for row in sorted_rows(found, stratum)
    ]
    worth = found.fame.get(stratum, estimates.NOTHING)
    told = ""
    if worth.n:
        told = (
            f" One fame brings {wording.value_of(worth, 2)} VP ({wording.interval_of(worth, 2)})."
        )
    return Table(
        f"gear-prices-{number}-table",
        columns,
        rows,
        f"Effects of a card given away, {stratum}.{told}",
    )


def _known(price: Estimate) -> Estimate:
    """A price that cannot be named is shown as none."""
    return price if math.isfinite(price.value) else estimates.NOTHING


def _less(e: Estimate, by: float) -> Estimate:
    from dataclasses import replace

    return replace(e, value=e.value - by, low=e.low - by, high=e.high - by) if e.n else e


def _says(row: GearRow) -> str:
    """Too cheap, too dear, fair, or not to be told from these games."""
    if row.state == FAIR:
        return "fair"
    if row.state == UNFAIR:
        return "too cheap" if row.price.value > row.gear.cost else "too dear"
    return OPEN


def _verdict(found: Findings, stratum: str, styles: tuple[str, ...]) -> Verdict:
    """All prices of a stratum; the number is that of the card farthest from its price."""
    rows = [row for row in sorted_rows(found, stratum) if row.vp.n]
    number = _strata(found).index(stratum)
    states = {row.state for row in rows}
    state = UNFAIR if UNFAIR in states else FAIR if states == {FAIR} else UNKNOWN
    priced = [row for row in rows if math.isfinite(row.price.value)]
    told, interval, bar, detail = wording.NONE, "the worth of fame is not known", None, ""
    if priced:
        far = max(
            priced, key=lambda row: (row.state == UNFAIR, abs(row.price.value - row.gear.cost))
        )
        price = wording.number(far.price.value, 1)
        told = f"{far.gear.name}: {price} fame"
        detail = f"{far.gear.name} is farthest from its price: it costs {far.gear.cost} fame and "
        detail += (
            f"brings its owner {wording.value_of(far.vp, 2)} VP, {far.gear.vp} of them printed."
        )
        interval = wording.interval_of(far.price, 1)
        bar = (far.price, float(far.gear.cost), MARGIN)
    return Verdict(
        id=f"gear-{number}",
        question=QUESTION,
        state=state,
        headline=_headline(rows, state),
        number=told,
        interval=interval,
        n=max((row.vp.n for row in rows), default=0),
        detail=detail,
        about=stratum,
        holds_for=styles,
        leans_on=("gear",),
        words={"fair": "Fair", "unfair": "Not fair", "unknown": "Not enough games"},
        section="prices",
        measure="Fair price",
        bar=bar,
    )


def _headline(rows: list[GearRow], state: State) -> str:
    """How many cards are too cheap, too dear, fair, open; by name where it is sure."""
    named: dict[str, list[str]] = {}
    for row in rows:
        named.setdefault(_says(row), []).append(row.gear.name)
    if state == FAIR:
        return "Every card costs about what it is worth."
    parts = [f"{words}: {wording.listing(named[words])}" for words in SURELY if words in named]
    told = {OPEN: "cannot be told yet", "fair": "fair"}
    counts = [f"{len(named[words])} {said}" for words, said in told.items() if words in named]
    if not parts:
        return f"Not enough games to call a price unfair: {wording.listing(counts)}."
    rest = f" ({wording.listing(counts)})" if counts else ""
    return f"{sentence('; '.join(parts))}{rest}."


def _highlights(found: Findings) -> list[Highlight]:
    out = []
    for stratum, e in found.fame.items():
        if e.n:
            words = f"{wording.value_of(e, 2)} VP"
            out.append(Highlight("One fame", words, wording.interval_of(e, 2), stratum))
    return out


# ---------------------------------------------------------------- bought at its price


def _bought(found: Findings) -> Section | None:
    """What being allowed to buy is worth, and what owning at the price is."""
    blocks: list[Block] = []
    for i, stratum in enumerate(_strata(found)):
        rows = [row for row in sorted_rows(found, stratum) if row.chance.n]
        if not rows:
            continue
        if len(_strata(found)) > 1:
            blocks.append(Heading(stratum))
        blocks.append(_bought_table(rows, stratum, i))
    if not blocks:
        return None
    return Section(
        id="bought",
        title="Bought at its price",
        text="Is it good to buy the card? One player, drawn by lot, may not buy it; the same games "
        "are played with everybody allowed. The difference has the price in it.",
        help="'Allowed' is spread over all players, also those who never buy. 'Owning' is the same "
        "for those who buy when they may. What one player gains in wins all rivals together lose.",
        blocks=blocks,
        leans_on=LEANS,
    )


def _bought_table(rows: list[GearRow], stratum: str, number: int) -> Table:
    columns = [
        Column("gear", "Gear"),
        Column("printed", "Printed", "count", help="price in fame"),
        Column("buyers", "Bought by", "interval_percent", help="of those who may"),
        Column("chance", "Allowed, VP", "interval", 2, "mean of all players"),
        Column("owning", "Owning, VP", "interval", 2, "of those who buy, its price paid"),
        Column("chance_wins", "Allowed, wins", "interval_points", None, "mean of all players"),
        Column("chance_rivals", "Rivals' wins", "interval_points", None, "all rivals together"),
        Column("owning_wins", "Owning, wins", "interval_points", None, "of those who buy"),
        Column("n", "Games", "count"),
    ]
    told = [
        {
            "gear": row.gear.name,
            "printed": row.gear.cost,
            **{c.name: getattr(row, c.name) for c in columns[2:-1]},
            "n": row.chance.n,
        }
        for row in rows
    ]
    return Table(
        f"gear-bought-{number}", columns, told, f"Buying a card at its printed price, {stratum}."
    )


# ---------------------------------------------------------------- naive


def _naive(found: Findings) -> Section | None:
    """The win share of owners, and how far it misleads."""
    rows = [row for row in found.rows if row.naive.n]
    if not rows:
        return None
    blocks: list[Block] = []
    for i, stratum in enumerate(_strata(found)):
        here = [row for row in sorted_rows(found, stratum) if row.naive.n]
        if not here:
            continue
        if len(_strata(found)) > 1:
            blocks.append(Heading(stratum))
        blocks += [_naive_picture(here, stratum, i), _naive_table(here, stratum, i)]
    return Section(
        id="naive",
        title="What owners win, and why that misleads",
        text="Usually a card is judged by how often its owners win. But who can pay for it is "
        "ahead already, and strong players buy other cards than weak ones. The difference between "
        "that figure and the effect of the card is the bias.",
        help="Both figures are gains over an even share of the wins, in points. Where the dots of "
        "a card lie apart, its owners win for other reasons than the card.",
        blocks=blocks,
        leans_on=LEANS,
    )


def _naive_picture(rows: list[GearRow], stratum: str, number: int) -> Figure:
    told = []
    for row in rows:
        for words, e in (("effect of the card", row.wins), ("owners' win share", row.naive)):
            if e.n:
                told.append(
                    {
                        "label": row.gear.name,
                        "figure": words,
                        "value": e.value,
                        "low": e.low,
                        "high": e.high,
                        "seats": e.n,
                    }
                )
    frame = pl.DataFrame(told)
    return Figure(
        f"gear-naive-{number}",
        partial(
            figures.dots,
            frame,
            group="figure",
            reference=0.0,
            reference_label="no gain",
            xlabel="gain in win share",
        ),
        f"Gain in win share over an even share, {stratum}: of owners, and by the card itself.",
        "Dots with intervals by card: naive and causal gain in win share.",
        frame,
        term="Over even",
    )


def _naive_table(rows: list[GearRow], stratum: str, number: int) -> Table:
    columns = [
        Column("gear", "Gear"),
        Column("owners", "Owners win", "interval_percent"),
        Column("naive", "Over even", "interval_points", help="naive: owners less an even share"),
        Column("wins", "The card's effect", "interval_points", help="given away by lot"),
        Column("bias", "Bias", "interval_points", help="naive less effect"),
        Column("taken", "Without it", "interval_points", help="its buyers when nobody may buy it"),
        Column("offered", "On offer", "interval_points", help="its buyers when it lies in the row"),
        Column("n", "Owners", "count"),
    ]
    told = [
        {
            "gear": row.gear.name,
            "owners": row.owners,
            "naive": row.naive,
            "wins": row.wins,
            "bias": row.bias,
            "taken": row.taken,
            "offered": row.offered,
            "n": row.owners.n,
        }
        for row in rows
    ]
    return Table(
        f"gear-naive-{number}-table",
        columns,
        told,
        f"Win shares, {stratum}. The effect of a card given away has no price in it; 'without it' "
        "and 'on offer' have.",
    )


# ---------------------------------------------------------------- on what it depends


def _depends(found: Findings) -> Section | None:
    """By strategy, by weather, by number of players."""
    if not found.parts:
        return None
    blocks: list[Block] = []
    several = _strata(found)
    if len(several) > 1:
        blocks.append(_by_players(found))
    for i, stratum in enumerate(several):
        parts = [p for p in found.parts if p.stratum == stratum]
        for by in dict.fromkeys(p.by for p in parts):
            name = by.replace(" ", "").lower()
            blocks.append(_part_picture(found, stratum, by, f"gear-by-{name}-{i}"))
    found_some = [p for p in found.parts if p.q < SURE]
    names = _names(found)
    said = dict.fromkeys(f"{names[p.gear].name} by {p.by}, {p.stratum}" for p in found_some)
    words = (
        f"Effects that surely differ: {wording.listing(said)}."
        if said
        else "No card's effect surely differs between strategies or weathers in these games."
    )
    tests = len({(p.gear, p.stratum, p.by) for p in found.parts})
    cards = len({p.gear for p in found.parts})
    blocks.append(
        Text(
            f"{words} Families of tests: {cards} cards, {tests} tests in all. First it is asked of "
            "each card whether its effect differs anywhere, then where; false discoveries are "
            "controlled at both steps (Benjamini and Bogomolov)."
        )
    )
    return Section(
        id="depends",
        title="On what it depends",
        text="Is a card worth the same to every style of play, under every sky, at every table?",
        help="VP that a card brings when given away; with half the width of the 95% interval. With "
        "few games values differ by luck alone: each is drawn towards the mean of its card as far as "
        "the differences of the whole table are noise. The file has the values as measured, too.",
        blocks=blocks,
        leans_on=LEANS,
    )


def _part_picture(found: Findings, stratum: str, by: str, name: str) -> Figure:
    names = _names(found)
    rows = [
        {
            **pictures.heat_cell(
                "", names[p.gear].name, wording.plain(p.level), p.drawn, p.effect.n
            ),
            "measured": p.effect.value,
            "measured_low": p.effect.low,
            "measured_high": p.effect.high,
            "fair_price": p.price.value if math.isfinite(p.price.value) else None,
        }
        for p in found.parts
        if p.stratum == stratum and p.by == by
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return Figure(
        name,
        partial(pictures.grids, frame, across=by, down="", centre=0.0),
        f"VP that a card brings, by {by}, {stratum}.",
        f"Table of gear by {by}, coloured by VP.",
        frame,
        term="VP that a card brings",
    )


def _by_players(found: Findings) -> Figure:
    rows = [
        pictures.heat_cell("", row.gear.name, row.stratum.split(" ", 1)[0], row.vp, row.vp.n)
        for row in found.rows
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None).unique(
        ["row", "column"], keep="first", maintain_order=True
    )
    return Figure(
        "gear-by-players",
        partial(pictures.grids, frame, across="players", down="", centre=0.0),
        "VP that a card brings, by number of players.",
        "Table of gear by number of players, coloured by VP.",
        frame,
        term="VP that a card brings",
    )


# ---------------------------------------------------------------- sales, all effects


def _sales(found: Findings) -> Section | None:
    """Who buys at which price."""
    if not found.demand:
        return None
    names = _names(found)
    columns = [
        Column("gear", "Gear"),
        Column("stratum", "Games of"),
        Column("price", "Price", "count"),
        Column("bought", "Bought a game", "interval", 3),
        Column("take", "Taken", "interval_percent", help="by who could pay it"),
    ]
    rows = [
        {
            "gear": names[d.gear].name + (" (printed)" if d.price == names[d.gear].cost else ""),
            "stratum": d.stratum,
            "price": d.price,
            "bought": d.bought,
            "take": d.take,
        }
        for d in found.demand
    ]
    return Section(
        id="sales",
        title="Sales by price",
        text="How does a card sell when it is cheaper or dearer? A style that does not look at "
        "prices buys as often at any price that it can pay.",
        blocks=[
            Table("gear-sales", columns, rows, "Purchases with the price shifted, same games.")
        ],
        leans_on=LEANS,
    )


def _effects(found: Findings) -> Section:
    """The long table."""
    names = _names(found)
    columns = [
        Column("gear", "Gear"),
        Column("arm", "Arm"),
        Column("stratum", "Games of"),
        Column("who", "Effect on"),
        Column("measure", "Measure"),
        Column("effect", "Difference", "interval", 3),
        Column("q", "Corrected p", "number", 3),
        Column("n", "Seats", "count"),
    ]
    rows = [
        {
            "gear": names[e.gear].name,
            "arm": f"{e.kind} {e.detail}".strip(),
            "stratum": e.stratum,
            "who": _who(e),
            "measure": MEASURE_WORDS[e.measure],
            "effect": e.estimate,
            "q": e.q,
            "n": e.estimate.n,
        }
        for e in found.effects
    ]
    sure = sum(e.q < SURE for e in found.effects)
    said = (
        f"{sure} of {len(found.effects)} effects are found with a corrected p-value below {SURE}: "
        "at most one in twenty of those is expected to be no effect."
    )
    arms = wording.listing(
        f"{kind}: {KIND_WORDS[kind]}" for kind in dict.fromkeys(e.kind for e in found.effects)
    )
    families = wording.listing(
        f"{kind} ({sum(e.kind == kind for e in found.effects)} tests)"
        for kind in dict.fromkeys(e.kind for e in found.effects)
    )
    said += f" Each kind of arm is one family: {families}."
    return Section(
        id="effects",
        title="All effects",
        text="Every paired difference on the owner and on each rival: the same seats in the same "
        "games, with the change and without it.",
        help=f"{sentence(arms)}. Grant and denial are read on the player drawn by lot; ban, price "
        "and offer on those who buy the card. Places: below 0 is better.",
        blocks=[Text(said), Table("gear-effects", columns, rows, "Paired differences.", fold=True)],
        leans_on=LEANS,
    )


def _who(e: Effect) -> str:
    if e.who == OWNER:
        return "owner"
    return "a rival" if e.who == "rivals" else f"{e.who} to the left"
