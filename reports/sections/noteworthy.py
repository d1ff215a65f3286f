"""Games to look at: the extreme ones of each kind, each with its replay command."""

from __future__ import annotations

from reports import examples
from reports.facts import Facts
from reports.measures import Job
from reports.section import Notable, Replays, Section

ORDER = 88
NEEDS = {"games": ("rounds", "turns")}

GENERAL = (
    Notable("longest", "Longest", "rounds", "{value} rounds", ties=(("turns", True),)),
    Notable(
        "shortest",
        "Shortest",
        "rounds",
        "over after {value} rounds",
        most=False,
        ties=(("turns", False),),
    ),
    Notable("most-asked", "Most decisions", "asked", "{value} decisions"),
)


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """The extreme game of each kind."""
    return examples.jobs(facts, _kinds(facts))


def _kinds(facts: Facts) -> list[Notable]:
    return [*facts.lens.notable, *GENERAL]


def make(facts: Facts) -> Section:
    """The list."""
    found = examples.notable(facts, _kinds(facts))
    return Section(
        id="noteworthy",
        title="Games to look at",
        text="Numbers are easier to believe when one has seen the game. Each command tells one "
        "game "
        "of this run turn by turn, exactly as it was played.",
        blocks=[Replays("The most extreme games of this run", found)],
    )
