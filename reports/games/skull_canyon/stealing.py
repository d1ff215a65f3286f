"""Claims, steals and stacks."""

from __future__ import annotations

from reports import estimates, wording
from reports.facts import Facts
from reports.games.skull_canyon import styles_table
from reports.measures import Stratum
from reports.section import Block, Column, Highlight, Section, Table, Text

ORDER = 56
GAMES = {
    "first_claims": "Claims of empty runs",
    "steals": "Steals",
    "restacks": "Own runs covered again",
    "declines": "Claims declined",
    "runs_topped": "Runs with a claim at the end",
    "runs_never_skied": "Runs that nobody skied",
}
STYLES = {
    "markers_used": ("Markers", "claim markers placed"),
    "stole": ("Stole", "runs taken from rivals"),
    "stolen_from": ("Lost", "runs taken by rivals"),
    "restacked": ("Restacked", "own runs covered again"),
    "overpay": ("Cards over the need", "summed over all sets of a game"),
}
NEEDS = {"games": tuple(GAMES), "seats": tuple(STYLES)}


def make(facts: Facts) -> Section:
    """Counts a game, and who steals from whom."""
    blocks: list[Block] = [_games(facts)]
    for s in facts.shown:
        blocks += facts.heading(s)
        blocks.append(
            styles_table.table(
                facts, s, "stealing", STYLES, f"Markers of a player in a game, {s.label}."
            )
        )
    blocks.append(
        Text(
            "Those who steal more are often those who hold more cards, so a plain tie of steals "
            "and wins says little. What the chance to steal is worth is measured by taking it "
            "away: `simulate treat skull_canyon --hook no_steal`.",
            "note",
        )
    )
    return Section(
        id="stealing",
        title="Claims and steals",
        text="How often does a run change hands, and what does it cost? A steal takes one card "
        "more for every marker that lies on the run.",
        blocks=blocks,
        leans_on=("board", "boards", "deck", "rules"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """Steals a game."""
    if not facts.main:
        return []
    s = facts.main[0]
    e = facts.mean("steals", s)
    return [Highlight("Steals", f"{wording.value_of(e)} a game", wording.interval_of(e), s.label)]


def _games(facts: Facts) -> Table:
    columns = [
        Column("what", "In a game, all players"),
        *[Column(f"s{s.number}", s.label, "interval") for s in facts.main[:3]],
    ]
    rows = [
        {"what": words, **{f"s{s.number}": facts.mean(name, s) for s in facts.main[:3]}}
        for name, words in GAMES.items()
    ]
    rows.append(
        {
            "what": "Share of markers that steal",
            **{f"s{s.number}": _share(facts, s) for s in facts.main[:3]},
        }
    )
    n = ", ".join(f"{s.label}: {wording.count(facts.games_of(s))} games" for s in facts.main[:3])
    return Table("stealing", columns, rows, f"Means over games. {n}.")


def _share(facts: Facts, stratum: Stratum) -> estimates.Estimate:
    rows = facts.seat_rows(stratum)
    return estimates.ratio(rows["stole"].to_numpy(), rows["markers_used"].to_numpy())
