"""Falls, huts, ski jumps: what happens on the way down."""

from __future__ import annotations

from reports import wording
from reports.facts import Facts
from reports.games.pistengaudi import styles
from reports.section import Block, Highlight, Section, Text

ORDER = 50
IN_ALL = {
    "falls": ("Falls", "falls while riding, all figures together"),
    "falls_zero": ("Without a step", "of these at the start of the move"),
    "standups": ("Standing up", "turns spent standing up"),
    "hut_stops": ("Hut stops", "moves ended by a hut"),
    "jumps_flown": ("Jumps flown", "ski jumps flown over"),
}
BY_STYLE = {
    "falls": ("Falls", "own falls while riding"),
    "turns_stood_up": ("Standing up", "turns spent standing up"),
    "hut_stops": ("Hut stops", "own moves ended by a hut"),
    "jumps_flown": ("Jumps flown", "ski jumps flown over"),
    "steps": ("Steps", "steps ridden"),
    "side_steps": ("Sideways", "of these sideways"),
    "rows_gained": ("Rows down", "rows ridden down, without the groomer"),
}
NEEDS = {"games": tuple(IN_ALL), "seats": tuple(BY_STYLE)}


def make(facts: Facts) -> Section:
    """Means by kind of game and by style."""
    blocks: list[Block] = [styles.by_game(facts, "riding", IN_ALL, "In a game, all figures.")]
    for s in facts.shown:
        blocks += [
            *facts.heading(s),
            styles.by_style(facts, s, "riding-styles", BY_STYLE, "For one figure in a game"),
        ]
    blocks.append(
        Text(
            "Who falls often also takes the fast signs, so falls and winning say little about each "
            "other here. What a fall costs is measured by cancelling it: "
            "`simulate treat pistengaudi --hook soft_falls`.",
            "note",
        )
    )
    return Section(
        id="riding",
        title="Falls, huts and jumps",
        text="How often do figures fall, and what stops or speeds them on the way down? A fall costs "
        "the next turn; a hut ends a move early; a jump is flown over without using a step.",
        blocks=blocks,
        leans_on=("deck.name", "rules.move", "rules.jump"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """Falls in a game."""
    if not facts.main:
        return []
    s = facts.main[0]
    e = facts.mean("falls", s)
    return [Highlight("Falls", f"{wording.value_of(e)} a game", wording.interval_of(e), s.label)]
