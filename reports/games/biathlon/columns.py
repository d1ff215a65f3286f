"""Dice and columns: are full columns and stars worth building, where do dice go to waste?"""

from __future__ import annotations

from reports import wording
from reports.facts import Facts
from reports.games.biathlon.stamina import strategies_of
from reports.measures import Stratum
from reports.section import Block, Column, Section, Table

ORDER = 56
BY_STYLE = {
    "full_taken": ("Full columns", "columns taken full, a race"),
    "six_counted": ("Stars counted", "star dice that counted"),
    "six_lost": ("Stars lost", "star dice sent back uncounted"),
    "extra_paid": ("Columns bought", "additional columns paid for"),
    "extra_free": ("Columns free", "additional columns by wax"),
}
DICE = {
    "dice_rolled": "Dice rolled in preparation",
    "dice_returned": "of these without a place",
    "fives_refused": "5s refused",
    "sixes_returned": "6s without a place",
    "dice_blue_removed": "sent back by blue markers",
}
NEEDS = {"seats": (*BY_STYLE, *DICE, "steps_own", "move_turns")}


def make(facts: Facts) -> Section:
    """Use by style, waste in all."""
    blocks: list[Block] = [_dice(facts)]
    for s in facts.shown:
        blocks += [*facts.heading(s), _styles(facts, s)]
    return Section(
        id="columns",
        title="Dice and columns",
        text="A column is full with four dice, and a star above it then counts as a fifth. How "
        "often "
        "does that happen, and how many dice find no place?",
        blocks=blocks,
        leans_on=("board.sprint_cap", "nations.set"),
    )


def _dice(facts: Facts) -> Table:
    columns = [
        *facts.named("Races of"),
        *[Column(name, words, "interval") for name, words in DICE.items()],
        Column("steps", "Steps a moving turn", "interval"),
        Column("n", "Skiers", "count"),
    ]
    rows = []
    for s in facts.main:
        row = {name: facts.seat_mean(name, s) for name in DICE}
        row["steps"] = facts.seat_mean("steps_own", s, per="move_turns")
        rows.append({"stratum": s.label, **row, "n": int(facts.seat_rows(s)["n"].sum())})
    return Table("dice", columns, rows, "Dice in preparation, per skier and race.")


def _styles(facts: Facts, stratum: Stratum) -> Table:
    columns = [
        Column("strategy", "Style"),
        *[Column(name, label, "interval", help=words) for name, (label, words) in BY_STYLE.items()],
        Column("n", "Races", "count"),
    ]
    rows = [
        {
            "strategy": wording.plain(name),
            **{column: facts.seat_mean(column, stratum, name) for column in BY_STYLE},
            "n": int(facts.seat_rows(stratum, name)["n"].sum()),
        }
        for name in strategies_of(facts, stratum)
    ]
    return Table(
        f"columns-{stratum.number}", columns, rows, f"Columns and stars by style, {stratum.label}."
    )
