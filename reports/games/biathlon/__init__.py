"""Report sections of Ski Tour: Biathlon."""

from __future__ import annotations

from reports.section import Factor, Lens, Measure, Notable

LENS = Lens(
    title="Ski Tour: Biathlon",
    order="turn_index",
    order_words="acts",
    order_suffix=" in round 1",
    order_label="Acts in round 1",
    podium="place",
    minutes="est_minutes",
    minutes_words="half a minute a turn, assumed",
    win_rounds="rounds_win",
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
    factors=(
        Factor(
            "nation", "nation", "nations", lambda model: _drawn(model), ("nations", "stamina.basic")
        ),
    ),
    notable=(
        Notable(
            "closest",
            "Photo finish",
            "gap12",
            "the second is {value} steps behind at the line",
            most=False,
            ties=(("lead_changes", True), ("gap1last", False)),
        ),
        Notable("comeback", "Biggest comeback", "comeback", "the winner was {value} steps behind"),
        Notable("runaway", "Runaway win", "gap12", "the second still has {value} steps to go"),
        Notable("lead-changes", "Most lead changes", "lead_changes", "{value} changes of lead"),
        Notable("collapses", "Most collapses", "collapses", "{value} skiers collapse"),
        Notable("drafts", "Most drafting", "drafts", "{value} drafts"),
        Notable(
            "worst-shooting",
            "Worst shooting",
            "steps_penalty",
            "seat {seat} skis {value} penalty steps",
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


def _drawn(model: object) -> bool:
    """Whether nations were drawn by lot for every race."""
    nations = model.get("nations", {}) if isinstance(model, dict) else {}
    return nations.get("assign") == "drawn"
