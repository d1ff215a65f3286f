"""Drafting, sprinting, sliding: where steps come from."""

from __future__ import annotations

from reports import wording
from reports.facts import Facts
from reports.games.biathlon import bars
from reports.games.biathlon.stamina import strategies_of
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 62
PARTS = {
    "steps_own": "own moves",
    "steps_draft": "drafting",
    "steps_slide": "slides",
    "steps_penalty": "penalty laps",
}
LOST = ("steps_lost_S", "steps_lost_finish", "steps_lost_uphill")
NEEDS = {"seats": (*PARTS, *LOST, "drafts_made", "drafts_given", "sprint_turns", "move_turns")}


def make(facts: Facts) -> Section:
    """Steps by source, drafting and sprint by style, steps lost."""
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += [*facts.heading(s), _figure(facts, s), _offers(facts, s), _table(facts, s)]
    blocks.append(
        Text(
            "Skiers behind draft more, so drafting and winning do not go together here even if "
            "drafting helps. Its worth is measured by forbidding it: "
            "`simulate treat biathlon --hook no_draft` (and no_sprint, sprint_when_followed, "
            "no_slide).",
            "note",
        )
    )
    return Section(
        id="drafting",
        title="Drafting, sprints and slides",
        text="How many steps do skiers get from their own dice, and how many from others and "
        "from the "
        "downhills? And how often do they sprint to shake followers off?",
        blocks=blocks,
        leans_on=("course.lanes", "course.layout", "rules", "board.sprint_cap"),
    )


def _figure(facts: Facts, stratum: Stratum) -> Figure:
    return bars.by_style(
        facts,
        stratum,
        strategies_of(facts, stratum),
        PARTS,
        (
            "steps",
            "steps a race",
            "Steps a race by source",
            "Stacked bars of steps by source for each style.",
        ),
        "Steps a race by source",
    )


def _offers(facts: Facts, stratum: Stratum) -> Table:
    columns = [
        Column("what", "In a race, all skiers together"),
        Column("value", "Mean", "interval"),
        Column("n", "Races", "count"),
    ]
    wanted = {
        "drafts": "Drafts",
        "draft_steps": "Steps by drafting",
        "draft_refused": "Drafts refused",
        "draft_unaffordable": "Drafts that could not be paid",
        "slides": "Slides",
        "entries_paid": "Stamina paid to enter held spaces",
    }
    rows = [
        {"what": words, "value": facts.mean(column, stratum), "n": facts.games_of(stratum)}
        for column, words in wanted.items()
        if column in facts.records.game_schema
    ]
    return Table(f"drafting-{stratum.number}", columns, rows, f"{stratum.label}.")


def _table(facts: Facts, stratum: Stratum) -> Table:
    columns = [
        Column("strategy", "Style"),
        Column("made", "Drafts made", "interval"),
        Column("given", "Towed others", "interval", help="times a rival drafted on it"),
        Column("sprints", "Sprint turns", "interval_percent", help="share of its moving turns"),
        Column("lost_S", "Lost at ranges", "interval", help="steps left over on entering a range"),
        Column("lost_up", "Lost uphill", "interval"),
        Column("zero", "Turns without a step", "interval"),
        Column("n", "Races", "count"),
    ]
    rows = []
    for name in strategies_of(facts, stratum):
        rows.append(
            {
                "strategy": wording.plain(name),
                "made": facts.seat_mean("drafts_made", stratum, name),
                "given": facts.seat_mean("drafts_given", stratum, name),
                "sprints": facts.seat_mean("sprint_turns", stratum, name, per="move_turns"),
                "lost_S": facts.seat_mean("steps_lost_S", stratum, name),
                "lost_up": facts.seat_mean("steps_lost_uphill", stratum, name),
                "zero": facts.seat_mean("zero_turns", stratum, name),
                "n": int(facts.seat_rows(stratum, name)["n"].sum()),
            }
        )
    return Table(
        f"steps-{stratum.number}-table", columns, rows, f"Steps by style, {stratum.label}."
    )
