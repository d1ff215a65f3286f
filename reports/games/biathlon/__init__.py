"""Report sections of Ski Tour: Biathlon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports.section import Factor, Lens, Luck, Measure, Notable, Standing


def _drawn(model: Mapping[str, Any]) -> bool:
    """Whether nations were drawn by lot for every race."""
    return model.get("nations", {}).get("assign") == "drawn"


def _shots(model: Mapping[str, Any]) -> list[float]:
    """Hits and shots by colour: a hit less the share of hits that its die has."""
    die = model["dice"]["shoot"]
    faces = [die["hits"][colour] for colour in die["order"]]
    return [1.0] * len(faces) + [-hit / die["sides"] for hit in faces]


STEPS = ("step", "steps")
LENS = Lens(
    title="Ski Tour: Biathlon",
    layout_word="course",
    order="turn_index",
    order_words="acts",
    order_suffix=" in round 1",
    order_label="Acts in round 1",
    podium="place",
    minutes="est_minutes",
    minutes_words="half a minute a turn, assumed",
    win_rounds="rounds_win",
    standing=Standing("dist_round", "steps to go", more=False, end="rounds_win"),
    drama=(
        Measure(
            "lead_changes",
            "Lead changes",
            "",
            "how often another skier leads at the end of a round",
        ),
        Measure(
            "gap12",
            "Winning margin",
            "steps",
            "how far the second still has to go when the winner is home",
        ),
        Measure("comeback", "Comeback", "steps", "how far behind the later winner was at worst"),
        Measure("leaders_distinct", "Leaders", "skiers", "how many skiers led at some time"),
        Measure(
            "gap1last",
            "Field at the finish",
            "steps",
            "how far the last still has to go when the winner is home",
        ),
        Measure(
            "last_lead_change_frac",
            "Last lead change",
            "of race",
            "when the lead changed for good: 0 at the start, 1 at the line",
            20,
        ),
    ),
    factors=(Factor("nation", "nation", "nations", _drawn, ("nations", "stamina.basic")),),
    luck=Luck(("hits_by_colour", "shots_by_colour"), _shots, "the luck of the shots"),
    notable=(
        Notable(
            "closest",
            "Photo finish",
            "gap12",
            "the second is {count} behind at the line",
            unit=STEPS,
            most=False,
            ties=(("lead_changes", True), ("gap1last", False)),
        ),
        Notable(
            "comeback", "Biggest comeback", "comeback", "the winner was {count} behind", unit=STEPS
        ),
        Notable(
            "runaway", "Runaway win", "gap12", "the second still has {count} to go", unit=STEPS
        ),
        Notable(
            "lead-changes",
            "Most lead changes",
            "lead_changes",
            "{count} of lead",
            unit=("change", "changes"),
        ),
        Notable(
            "collapses", "Most collapses", "collapses", "{count}", unit=("collapse", "collapses")
        ),
        Notable("drafts", "Most drafting", "drafts", "{count}", unit=("draft", "drafts")),
        Notable(
            "worst-shooting",
            "Worst shooting",
            "steps_penalty",
            "seat {seat} skis {count}",
            unit=("penalty step", "penalty steps"),
            seats=True,
        ),
    ),
    seat_leans_on=(
        "course.layout",
        "course.lanes",
        "stamina",
        "dice.shoot.hits",
        "range.lap_length",
        "wax.set",
    ),
    strategy_leans_on=(
        "course.layout",
        "course.lanes",
        "stamina",
        "dice.shoot.hits",
        "range.lap_length",
        "wax.set",
        "tiles",
        "board.sprint_cap",
    ),
)
