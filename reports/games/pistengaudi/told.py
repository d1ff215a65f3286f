"""Single games of a run, played again for what no column tells: the slope as it looked, who hit whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports.facts import Facts
from reports.measures import Stratum

AGREE = ("rounds", "turns", "winner_seat", "falls", "cards_on_slope")  # else it is another game


@dataclass(frozen=True)
class Told:
    """A finished game: its last position in words, and everything that happened."""

    game_id: int
    state: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]]


def game(facts: Facts, game_id: int) -> Told | None:
    """A game played again; None where this engine no longer plays the run's games."""
    return facts.once(f"told {game_id}", lambda: _again(facts, game_id))


def _again(facts: Facts, game_id: int) -> Told | None:
    from simulate.errors import UserError

    if not hasattr(facts.run, "replay"):
        return None
    try:
        again = facts.run.replay(game_id).play()
        row = again.records()[0]
    except UserError:
        return None
    kept = facts.records.known_games.filter(pl.col("game_id") == game_id).select(AGREE).collect()
    if kept.is_empty() or any(row[c] != kept[c][0] for c in AGREE):
        return None
    return Told(game_id, again.state, again.events)


def sample(facts: Facts, stratum: Stratum, most: int) -> list[Told]:
    """The first games of a stratum; none as soon as one cannot be told."""
    ids = (
        facts.records.known_games.filter(
            (pl.col("stratum") == stratum.number) & ~pl.col("truncated")
        )
        .select("game_id")
        .head(most)
        .collect()["game_id"]
        .to_list()
    )
    found = []
    for game_id in ids:
        told = game(facts, game_id)
        if told is None:
            return []
        found.append(told)
    return found
