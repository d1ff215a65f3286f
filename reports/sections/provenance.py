"""Where this report comes from, and how its numbers were made."""

from __future__ import annotations

from typing import Any

from reports import wording
from reports.estimates import MIN_GAMES
from reports.facts import Facts
from reports.measures import GROUPS
from reports.resampling import RESAMPLES
from reports.section import Block, Column, Section, Table, Text

ORDER = 95
NEEDS: dict[str, tuple[str, ...]] = {}


def make(facts: Facts) -> Section:
    """Identity of the run, and methods in plain words."""
    columns = [Column("what", "What"), Column("value", "Value")]
    rows = [{"what": what, "value": wording.shown(value, 160)} for what, value in identity(facts)]
    blocks: list[Block] = [
        Table("provenance", columns, rows, "What was played. The same plan gives the same games."),
        *[Text(words, "note") for words in methods(facts)],
    ]
    return Section(
        id="methods",
        title="Provenance and methods",
        text="What was played, on which rules, and how the numbers were made.",
        blocks=blocks,
    )


def identity(facts: Facts) -> list[tuple[str, Any]]:
    """The identity of the run in a few lines."""
    data = facts.identity
    plan = data.get("plan", {})
    labels = [str(row.get("label", "")) for row in data.get("rules") or []]
    digests = [str(row.get("digest", ""))[:16] for row in data.get("rules") or []]
    found = [
        ("game", f"{data.get('game')} (rules version {data.get('rules_version', 1)})"),
        ("games", wording.count(facts.n_games)),
        ("blocks of games on the same dice", wording.count(facts.records.n_blocks)),
        ("seed", plan.get("seed")),
        ("players", plan.get("players")),
        ("line-up", plan.get("lineup")),
        ("seating", plan.get("seating")),
        ("rules", labels),
        ("rules digest", digests),
        ("engine digest", str(data.get("engine", ""))[:16]),
        ("plan digest", str(data.get("digest", ""))[:16]),
    ]
    treatment = {k: v for k, v in (plan.get("treatment") or {}).items() if v}
    if treatment:
        found.append(("treatment", ", ".join(f"{k}={v}" for k, v in treatment.items())))
    if plan.get("strategy_file"):
        found.append(("strategy file", plan["strategy_file"]))
    return [(what, value) for what, value in found if value not in (None, "", [])]


def methods(facts: Facts) -> list[str]:
    """How the numbers were made, in plain words."""
    return [
        "Every number comes with a 95% interval: were the run repeated with other dice, 95 of "
        "100 such "
        "intervals would hold the true value. The true value is that of these rules and these "
        "styles "
        "of play.",
        "Games of one block share their dice, so they are not independent. All errors are taken "
        "from "
        f"the spread between {GROUPS} groups of whole blocks, never from the number of games "
        "alone.",
        "Shares: Wilson's interval on the effective number of games, Jeffreys' for rare things. "
        "Win "
        "shares of one picture: Goodman's simultaneous intervals. Means and ratios: linearised, "
        f"Student's t. Medians and quantiles: {wording.count(RESAMPLES)} Poisson bootstrap "
        "resamples of "
        "whole groups, with a fixed seed.",
        "Verdicts have three states. Fair: all win shares are within "
        f"{wording.percent(facts.margin, 0)} "
        "of even, shown by two one-sided tests at 5% (the 90% interval lies inside the band). "
        "Not fair: at least one is surely outside, at 5% over all shares and all kinds of games "
        "together. Not enough games: "
        f"neither, or fewer than {MIN_GAMES} games. 'No difference found' never counts as fair.",
        f"Player counts, {facts.lens.layout_word}s and the equal-strategy games are never put together. Games cut "
        "off by "
        "the limit are counted as games without a winner, and their lengths as at least so long.",
    ]
