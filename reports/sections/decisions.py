"""How much does a game ask of its players?"""

from __future__ import annotations

import polars as pl

from reports import estimates, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Column, Highlight, Section, Table

ORDER = 45
NEEDS = {"games": ("asked", "forced", "turns")}


def make(facts: Facts) -> Section:
    """Questions, options, forced steps."""
    columns = [
        *facts.named("Games of"),
        Column(
            "asked", "Decisions per game", "interval", help="questions with two or more options"
        ),
        Column("per_turn", "Decisions per turn", "interval"),
        Column("options", "Options per decision", "interval"),
        Column(
            "forced", "No choice", "interval_percent", help="decision points with one option only"
        ),
        Column("n", "Games", "count"),
    ]
    rows = []
    has_options = "options_total" in facts.records.game_schema
    for s in facts.main:
        row = {
            "stratum": s.label,
            "asked": facts.mean("asked", s),
            "per_turn": _ratio(facts, s, "asked", "turns"),
            "forced": _forced(facts, s),
            "n": facts.games_of(s),
        }
        if has_options:
            row["options"] = _ratio(facts, s, "options_total", "asked")
        rows.append(row)
    if not has_options:
        columns = [c for c in columns if c.name != "options"]
    caption = f"Decisions by {facts.lens.layout_word} and player count."
    return Section(
        id="decisions",
        title="Decisions",
        text="How often is a player asked something, among how many options, and how often is "
        "there "
        "nothing to choose? Few decisions make a game light; many options make it heavy.",
        blocks=[Table("decisions", columns, rows, caption)],
    )


def highlights(facts: Facts) -> list[Highlight]:
    """Decisions per turn."""
    if not facts.main:
        return []
    e = _ratio(facts, facts.main[0], "asked", "turns")
    return [
        Highlight(
            "Decisions",
            f"{wording.value_of(e, 2)} a turn",
            wording.interval_of(e, 2),
            f"with two or more options, {facts.main[0].label}",
        )
    ]


def _ratio(facts: Facts, stratum: Stratum, above: str, below: str) -> Estimate:
    rows = facts.game_sums.filter(pl.col("stratum") == stratum.number)
    return estimates.ratio(rows[above].to_numpy(), rows[below].to_numpy())


def _forced(facts: Facts, stratum: Stratum) -> Estimate:
    rows = facts.game_sums.filter(pl.col("stratum") == stratum.number)
    forced = rows["forced"].to_numpy()
    return estimates.share(forced, forced + rows["asked"].to_numpy())
