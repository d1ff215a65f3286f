"""How long a game lasts at the table: decisions times seconds, which are assumed."""

from __future__ import annotations

from reports.facts import Facts
from reports.section import Column, Section, Table

ORDER = 46
NEEDS = {"games": ("asked", "turns", "act_train", "act_lift", "act_ski", "act_unused")}
SECONDS = (5, 10, 20)  # for one decision: assumed, nobody has measured it
ACTIONS = {"act_train": "Train", "act_lift": "Lift", "act_ski": "Ski", "act_unused": "Not used"}


def make(facts: Facts) -> Section:
    """Minutes by pace, actions by kind."""
    columns = [
        *facts.named("Games of"),
        Column("asked", "Decisions", "interval"),
        *[
            Column(f"m{s}", f"Minutes at {s} s", "interval", 0, "for every decision, assumed")
            for s in SECONDS
        ],
        Column("n", "Games", "count"),
    ]
    rows, actions = [], []
    for s in facts.main:
        asked = facts.mean("asked", s)
        rows.append(
            {
                "stratum": s.label,
                "asked": asked,
                **{f"m{t}": asked.scaled(t / 60) for t in SECONDS},
                "n": facts.games_of(s),
            }
        )
        actions.append(
            {
                "stratum": s.label,
                **{name: facts.mean(name, s) for name in ACTIONS},
                "n": facts.games_of(s),
            }
        )
    kinds = [
        *facts.named("Games of"),
        *[Column(name, words, "interval") for name, words in ACTIONS.items()],
        Column("n", "Games", "count"),
    ]
    return Section(
        id="pace",
        title="Pace",
        text="Every game has the same number of turns, so its length at the table hangs on how "
        "many decisions they hold and how long players think. The box says 45 to 60 minutes.",
        blocks=[
            Table("pace", columns, rows, "Length of a game by seconds a decision."),
            Table("actions", kinds, actions, "Actions in a game, all players together."),
        ],
    )
