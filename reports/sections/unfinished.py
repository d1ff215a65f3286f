"""Games that the sanity limit cut off: counted and shown, never dropped."""

from __future__ import annotations

import polars as pl

from reports import estimates, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, State
from reports.facts import Facts
from reports.section import Block, Column, Example, Replays, Section, Table, Text, Verdict

ORDER = 85
NEEDS = {"games": ("truncated",)}
SECTION = "unfinished"
ALLOWED = 0.001  # one game in a thousand may be stuck before it matters


def make(facts: Facts) -> Section:
    """How many, and what they could change at most."""
    columns = [
        Column("stratum", "Games of"),
        Column("cut", "Cut off", "interval_percent", 2),
        Column("games", "Games cut off", "count"),
        Column("worst", "Most that any win share could change"),
        Column("n", "Games", "count"),
    ]
    rows = []
    for s in [*facts.main, *facts.equal]:
        rate = facts.rate("truncated", s)
        games = facts.game_sums.filter(pl.col("stratum") == s.number)["truncated"].sum()
        low, high = estimates.bounds(0.0, rate.value)
        rows.append(
            {
                "stratum": s.label + (", same style on every seat" if s.equal else ""),
                "cut": rate,
                "games": int(games),
                "worst": wording.points(high - low, 2),
                "n": facts.games_of(s),
            }
        )
    blocks: list[Block] = [
        Table("unfinished", columns, rows, "Games stopped by the limit instead of the rules.")
    ]
    found = _games(facts)
    if found:
        blocks.append(Replays("Games that were cut off", [("cut off", e) for e in found]))
    else:
        blocks.append(Text("Every game ended by the rules.", "note"))
    return Section(
        id=SECTION,
        title="Games that did not end",
        text="A game that reaches the turn limit has no winner. It counts as lost for everybody, "
        "and "
        "the table says how far a win share could be off because of that.",
        blocks=blocks,
        leans_on=("sim",),
    )


def verdicts(facts: Facts) -> list[Verdict]:
    """Only where games were cut off: a run without is silent."""
    out = []
    for s in facts.main:
        rate = facts.rate("truncated", s)
        games = facts.game_sums.filter(pl.col("stratum") == s.number)["truncated"].sum()
        if not games:
            continue
        all_of_them = games == rate.n
        out.append(
            Verdict(
                f"unfinished-{s.number}",
                "Do games end by themselves?",
                _state(rate),
                "Every game was cut off by the limit: nothing else can be said."
                if all_of_them
                else f"{wording.count(int(games))} of {wording.count(rate.n)} games were cut off.",
                wording.percent_of(rate),
                wording.percent_interval(rate),
                rate.n,
                detail="Such games have no winner; see which ones and why.",
                about=s.label,
                holds_for=tuple(facts.strategies),
                example=next(iter(_games(facts)), None),
                words={"fair": "Nearly all", "unfair": "Games get stuck"},
                section=SECTION,
                measure="Cut off",
                leans_on=("sim",),
            )
        )
    return out


def _state(rate: Estimate) -> State:
    """Few enough games are stuck, too many are, or not enough games to say."""
    if rate.n < estimates.MIN_GAMES:
        return UNKNOWN
    if rate.low > ALLOWED:
        return UNFAIR
    return FAIR if rate.high < ALLOWED else UNKNOWN


def _games(facts: Facts, most: int = 3) -> list[Example]:
    """The first games that were cut off."""
    if not facts.game_sums["truncated"].sum():
        return []
    rows = (
        facts.records.known_games.filter(pl.col("truncated"))
        .select("game_id", "rounds")
        .sort("game_id")
        .head(most)
        .collect()
    )
    return [
        Example(
            int(r["game_id"]), f"still going on after {r['rounds']} rounds", {"truncated": True}
        )
        for r in rows.iter_rows(named=True)
    ]
