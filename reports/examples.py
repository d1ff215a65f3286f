"""Single games that show something: typical ones for a verdict, extreme ones for the list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports import wording
from reports.measures import SAMPLE_GAMES, Stratum
from reports.section import Example, Notable

if TYPE_CHECKING:
    from reports.facts import Facts


def command(facts: Facts, example: Example) -> str:
    """The command that tells a game in words."""
    return f"simulate replay {run_name(Path(facts.run.path))} {example.game_id}"


def run_name(path: Path) -> str:
    """How a run is named on the command line: from the project's folder where it stands in runs/."""
    return f"runs/{path.name}" if path.parent.name == "runs" else str(path)


def sample_blocks(facts: Facts) -> int:
    """Blocks of the sample that pictures of whole games are drawn from."""
    return max(min(facts.records.n_blocks, SAMPLE_GAMES // facts.records.k), 1)


def typical_win(facts: Facts, stratum: Stratum, column: str, level: Any) -> Example | None:
    """A game of middling length that a level (start position, strategy) won: nothing extreme."""
    last = sample_blocks(facts) * facts.records.k if facts.records.full else facts.n_games
    wins = (
        facts.records.known_seats.filter(
            (pl.col("game_id") < last)
            & (pl.col("stratum") == stratum.number)
            & (pl.col("win_share") == 1)
            & (pl.col(column).cast(pl.String) == str(level))
        )
        .select("game_id", "seat")
        .collect()
    )
    if wins.is_empty():
        return None
    games = (
        facts.records.known_games.filter(pl.col("game_id") < last)
        .select("game_id", "rounds")
        .collect()
    )
    both = wins.join(games, on="game_id").with_columns(
        (pl.col("rounds") - pl.col("rounds").median()).abs().alias("off")
    )
    chosen = both.sort("off", "game_id").row(0, named=True)
    words = f"Seat {chosen['seat'] + 1} wins after {chosen['rounds']} rounds"
    return Example(
        int(chosen["game_id"]),
        words,
        {"win_share": 1.0, column: level},
        seat=int(chosen["seat"]),
    )


def notable(facts: Facts, kinds: list[Notable]) -> list[tuple[str, Example]]:
    """The extreme game of each kind; ties go to the lowest number, so it is always the same one."""
    frames, kept = [], []
    for kind in kinds:
        if kind.seats and not facts.records.full:
            continue  # a summary keeps the extreme games, not the extreme seats
        source = facts.records.known_seats if kind.seats else facts.records.known_games
        schema = facts.records.seat_schema if kind.seats else facts.records.game_schema
        if kind.column not in schema:
            continue
        by = [pl.col(kind.column), *(pl.col(c) for c, _ in kind.ties if c in schema)]
        down = [kind.most, *(most for c, most in kind.ties if c in schema)]
        who = ["seat"] if kind.seats else []
        frame = source.filter(pl.col(kind.column).is_not_null())
        if not kind.seats:
            frame = frame.filter(~pl.col("truncated"))
        wanted = list(dict.fromkeys([kind.column, *(c for c, _ in kind.ties if c in schema)]))
        frames.append(
            frame.select("game_id", *who, *wanted)
            .sort([*by, pl.col("game_id")], descending=[*down, False])
            .head(1)
        )
        kept.append(kind)
    found = pl.collect_all(frames, engine="streaming") if frames else []
    out = []
    for kind, frame in zip(kept, found, strict=True):
        if frame.is_empty():
            continue
        row = frame.row(0, named=True)
        value = row[kind.column]
        if kind.most and not value:
            continue  # none of them has any
        seat = int(row["seat"]) if kind.seats else None
        shown = wording.number(value, 0 if float(value).is_integer() else 2)
        words = kind.words.format(value=shown, seat="" if seat is None else seat + 1)
        out.append((kind.label, Example(int(row["game_id"]), words, {kind.column: value}, seat)))
    return out
