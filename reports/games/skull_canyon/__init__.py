"""Report sections of Skull Canyon: Ski Fest."""

from __future__ import annotations

from reports.section import Lens, Measure, Notable, Standing

POINTS = ("VP", "VP")
LENS = Lens(
    title="Skull Canyon: Ski Fest",
    layout_word="board",
    standing=Standing("score_round", "VP if the game ended now", by_round=True),
    drama=(
        Measure(
            "lead_changes",
            "Lead changes",
            "",
            "how often another player leads after a turn, scored as if the game ended there",
        ),
        Measure("margin", "Winning margin", "VP", "VP of the first less VP of the second"),
        Measure("spread", "Whole field", "VP", "VP of the first less VP of the last"),
        Measure(
            "last_change_turn",
            "Last lead change",
            "turn",
            "the turn in which the later winner took the lead for good",
        ),
    ),
    notable=(
        Notable(
            "closest",
            "Closest finish",
            "margin",
            "the first is {count} ahead",
            unit=POINTS,
            most=False,
            ties=(("lead_changes", True), ("spread", False)),
        ),
        Notable("runaway", "Runaway win", "margin", "the first is {count} ahead", unit=POINTS),
        Notable(
            "lead-changes",
            "Most lead changes",
            "lead_changes",
            "{count} of lead",
            unit=("change", "changes"),
        ),
        Notable("steals", "Most stealing", "steals", "{count}", unit=("steal", "steals")),
        Notable(
            "slides",
            "Roughest mountain",
            "slides_rival",
            "avalanches of rivals push skiers down {count}",
            unit=("time", "times"),
        ),
        Notable(
            "best-score",
            "Highest score",
            "vp_final",
            "seat {seat} ends with {count}",
            unit=POINTS,
            seats=True,
        ),
        Notable(
            "experts",
            "Most expert runs",
            "ski_exp",
            "seat {seat} skis {count}",
            unit=("expert run", "expert runs"),
            seats=True,
        ),
    ),
    seat_leans_on=("board", "boards", "deck", "village", "weather", "gear.set"),
    strategy_leans_on=("board", "boards", "deck", "village", "weather", "gear.set", "gear.cards"),
)
