"""Report sections of Pistengaudi."""

from __future__ import annotations

from reports.section import Lens, Measure, Notable, Standing

ASSUMED = ("deck.name", "lift.start_speed", "goal", "slope.forest")
LENS = Lens(
    title="Pistengaudi",
    layout_word="set-up",
    minutes="est_minutes",
    standing=Standing("progress_round", "rows down the slope"),
    minutes_words="half a minute a turn, assumed",
    drama=(
        Measure(
            "lead_changes", "Lead changes", "", "how often the sole leader at a round end changes"
        ),
        Measure(
            "gap_trigger",
            "Lead of the first home",
            "rows",
            "how far the first to enter the goal was ahead just before",
        ),
        Measure(
            "deficit_trigger",
            "First home from behind",
            "rows",
            "how far the first to enter the goal was behind just before",
        ),
        Measure(
            "spread_mean",
            "Spread of the field",
            "rows",
            "best less worst figure, mean over the rounds",
            2,
        ),
        Measure("n_in_goal", "Figures home", "figures", "figures in the goal at the end"),
    ),
    notable=(
        Notable(
            "closest",
            "Closest finish",
            "tie_broken",
            "several figures share the best area: the earliest of them wins",
            ties=(("n_in_goal", True), ("lead_changes", True)),
        ),
        Notable(
            "oddest",
            "Oddest slope",
            "holes_unfillable",
            "the slope ends with {count}",
            unit=("hole that no card fits", "holes that no card fits"),
            ties=(("falls", True),),
        ),
        Notable(
            "from-behind",
            "Biggest comeback",
            "deficit_trigger",
            "the first in the goal was {count} behind just before",
            unit=("row", "rows"),
        ),
        Notable(
            "lead-changes",
            "Most lead changes",
            "lead_changes",
            "{count} of lead",
            unit=("change", "changes"),
        ),
        Notable("falls", "Most falls", "falls", "{count}", unit=("fall", "falls")),
        Notable(
            "snowballs", "Most snowballs", "snowballs", "{count}", unit=("snowball", "snowballs")
        ),
        Notable("longest", "Longest game", "rounds", "{count}", unit=("round", "rounds")),
        Notable(
            "most-hit",
            "Most hit",
            "snow_received",
            "seat {seat} is hit by {count}",
            unit=("snowball", "snowballs"),
            seats=True,
        ),
    ),
    seat_leans_on=ASSUMED,
    strategy_leans_on=(*ASSUMED, "rules"),
)
