"""Avalanches and the Yeti: how rough is the mountain?"""

from __future__ import annotations

from functools import partial

import polars as pl

from reports import figures, wording
from reports.facts import Facts
from reports.games.skull_canyon import styles_table
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 57
GAMES = {
    "aval_set": "Avalanches by a set with two Yetis",
    "aval_explosive": "Avalanches by an explosive",
    "slides_rival": "Slides of others",
    "slides_own": "Slides of who set it off",
    "slide_waning": "Slides that earned fame",
    "yeti_moves": "Moves of the Yeti",
    "yeti_blocks": "Payable runs that the Yeti blocked",
    "row_resets": "Rows of cards reset by three Yetis",
    "reshuffles": "Reshuffles of the deck",
}
STYLES = {
    "slid_by_rival": ("Pushed down", "slides in avalanches of rivals"),
    "height_lost": ("Height lost", "in all slides, in heights of the board"),
    "yetis_played": ("Yetis played", ""),
    "explosives_used": ("Explosives used", ""),
    "tickets_used": ("Tickets used", ""),
}
NEEDS = {"games": tuple(GAMES), "seats": tuple(STYLES)}


def make(facts: Facts) -> Section:
    """Counts a game by player count, and by style."""
    blocks: list[Block] = []
    if len(facts.main) > 1:
        blocks.append(_by_players(facts))
    blocks.append(_games(facts))
    for s in facts.shown:
        blocks += facts.heading(s)
        blocks.append(
            styles_table.table(facts, s, "rough", STYLES, f"A player in a game, {s.label}.")
        )
    blocks.append(
        Text(
            "What one push costs is measured by cancelling it on the same dice: `simulate treat "
            "skull_canyon --hook slide_cancelled=1`, and all of them: `--hook no_rival_slides`.",
            "note",
        )
    )
    return Section(
        id="rough",
        title="Avalanches and the Yeti",
        text="How much do players harm each other? Two Yetis in a set, or an explosive, push "
        "everybody who is not at the base down one run; one Yeti moves the Yeti onto a run, which "
        "nobody may ski then.",
        blocks=blocks,
        leans_on=("board", "boards", "deck", "rules"),
    )


def _by_players(facts: Facts) -> Figure:
    rows = [
        {"label": s.label, "value": e.value, "low": e.low, "high": e.high, "games": e.n}
        for s in facts.main
        for e in [facts.seat_mean("slid_by_rival", s)]
    ]
    frame = pl.DataFrame(rows)
    return Figure(
        "rough-by-players",
        partial(figures.dots, frame, percent=False, xlabel="times pushed down in a game"),
        "How often a player is pushed down by rivals in a game.",
        "Dots with intervals of pushes a player, one line for each kind of game.",
        frame,
        term="Pushed down by rivals",
    )


def _games(facts: Facts) -> Table:
    shown = facts.main[:3]
    columns = [
        Column("what", "In a game, all players"),
        *[Column(f"s{s.number}", s.label, "interval") for s in shown],
    ]
    rows = [
        {"what": words, **{f"s{s.number}": facts.mean(name, s) for s in shown}}
        for name, words in GAMES.items()
    ]
    n = ", ".join(f"{s.label}: {wording.count(facts.games_of(s))} games" for s in shown)
    return Table("rough-games", columns, rows, f"Means over games. {n}.")
