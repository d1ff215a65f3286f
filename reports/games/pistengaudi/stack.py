"""The stack runs out: how often, and what then."""

from __future__ import annotations

import polars as pl

from reports import estimates
from reports.facts import Facts
from reports.games.pistengaudi import styles
from reports.section import Block, Column, Section, Table, Text

ORDER = 58
BY_STYLE = {
    "taken": ("Taken", "cards taken from the slope"),
    "forgone": ("Forgone", "times that a card was forgone, forced ones too"),
    "unplaced": ("No place", "cards drawn that had no legal place"),
}
NEEDS = {
    "games": (
        "stack_empty_turn", "cards_left", "cards_taken", "cards_returned", "forgone",
        "cards_unplaced",
    ),
    "seats": tuple(BY_STYLE),
}  # fmt: skip


def make(facts: Facts) -> Section:
    """Share of games with an empty stack, and the choices it brings."""
    blocks: list[Block] = [_table(facts)]
    for s in facts.shown:
        if facts.mean("forgone", s).value or facts.mean("cards_taken", s).value:
            told = styles.by_style(facts, s, "stack-styles", BY_STYLE, "For one figure in a game")
            blocks += [*facts.heading(s), told]
    blocks.append(
        Text(
            "Who takes and who forgoes is no accident, so these means do not say which is better. "
            "`simulate treat pistengaudi --hook no_take` and `--hook no_forgo` force the choice.",
            "note",
        )
    )
    return Section(
        id="stack",
        title="When the stack is empty",
        text="Without a card to draw, a player takes the uppermost card of the slope and lays it "
        "anew, or does without one if the own way to the goal is ready. How often does it come to "
        "that?",
        blocks=blocks,
        leans_on=("deck", "draw", "rules.empty"),
    )


def _table(facts: Facts) -> Table:
    columns = [
        Column("stratum", "Games of"),
        Column("empty", "Stack runs out", "interval_percent", help="share of games"),
        Column(
            "turn", "In turn", "interval", help="the first turn that meets it, where it happens"
        ),
        Column("left", "Cards left", "interval", help="in the stack at the end"),
        Column("taken", "Taken", "interval", help="cards taken from the slope, a game"),
        Column("back", "Put back", "interval", help="of these for want of a legal place"),
        Column("forgone", "Forgone", "interval", help="cards forgone, forced ones too, a game"),
        Column(
            "unplaced", "No place", "interval", help="cards drawn without a legal place, a game"
        ),
        Column("n", "Games", "count"),
    ]
    rows = []
    for s in facts.main:
        sums = facts.game_sums.filter(pl.col("stratum") == s.number)
        rows.append(
            {
                "stratum": s.label,
                "empty": estimates.share(
                    sums["stack_empty_turn:n"].to_numpy(), sums["n"].to_numpy()
                ),
                "turn": facts.mean("stack_empty_turn", s),
                "left": facts.mean("cards_left", s),
                "taken": facts.mean("cards_taken", s),
                "back": facts.mean("cards_returned", s),
                "forgone": facts.mean("forgone", s),
                "unplaced": facts.mean("cards_unplaced", s),
                "n": facts.games_of(s),
            }
        )
    return Table("stack", columns, rows, "The stack and what follows.")
