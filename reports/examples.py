"""Single games that show something: typical ones for a verdict, extreme ones for the list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports import wording
from reports.measures import SAMPLE_GAMES, Job, Part, Stratum, extreme
from reports.section import Example, Notable

if TYPE_CHECKING:
    from reports.facts import Facts


def command(facts: Facts, example: Example) -> str:
    """The command that tells a game in words."""
    return f"simulate replay {run_name(Path(facts.run.path))} {example.game_id}"


def run_name(path: Path) -> str:
    """How a run is named on the command line: relative where it stands in ``runs/``."""
    return f"runs/{path.name}" if path.parent.name == "runs" else str(path)


def sample_blocks(facts: Facts) -> int:
    """Blocks of the sample that pictures of whole games are drawn from."""
    return max(min(facts.records.n_blocks, SAMPLE_GAMES // facts.records.k), 1)


def typical_win(facts: Facts, stratum: Stratum, column: str, level: Any) -> Example | None:
    """A game of middling length that a level (start position, strategy) won: nothing extreme."""
    seats, all_games = facts.records.known_seats, facts.records.known_games
    if facts.records.full:
        blocks = sample_blocks(facts)
        seats = facts.records.keyed(facts.run.seats.head(blocks * facts.records.seats_per_block))
        all_games = facts.run.games.head(blocks * facts.records.k)
    wins = (
        seats.filter(
            (pl.col("stratum") == stratum.number)
            & (pl.col("win_share") == 1)
            & (pl.col(column).cast(pl.String) == str(level))
        )
        .select("game_id", "seat")
        .collect()
    )
    if wins.is_empty():
        return None
    games = all_games.select("game_id", "rounds").collect()
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


def jobs(facts: Facts, kinds: list[Notable]) -> dict[str, dict[str, Job]]:
    """The extreme game of each kind, for the one pass over all rows."""
    out: dict[str, dict[str, Job]] = {"games": {}, "seats": {}}
    for kind in kinds:
        schema = facts.records.seat_schema if kind.seats else facts.records.game_schema
        if kind.column in schema:
            ties = [(c, most) for c, most in kind.ties if c in schema]
            where = out["seats" if kind.seats else "games"]
            where[f"notable {kind.id}"] = extreme(kind.column, kind.most, ties, kind.seats)
    return out


def notable(facts: Facts, kinds: list[Notable]) -> list[tuple[str, Example]]:
    """The extreme game of each kind; ties go to the lowest number, so it is always the same one."""
    out = []
    for kind in kinds:
        frame = _found(facts, kind)
        if frame is None or frame.is_empty():
            continue
        row = frame.row(0, named=True)
        value = row[kind.column]
        if kind.most and not value:
            continue  # none of them has any
        seat = int(row["seat"]) if kind.seats else None
        shown = wording.number(value, 0 if float(value).is_integer() else 2)
        count = f"{shown} {kind.unit[value != 1]}"
        words = kind.words.format(value=shown, count=count, seat="" if seat is None else seat + 1)
        out.append((kind.label, Example(int(row["game_id"]), words, {kind.column: value}, seat)))
    return out


def _found(facts: Facts, kind: Notable) -> pl.DataFrame | None:
    """The row of a kind, None where the records do not tell."""
    schema = facts.records.seat_schema if kind.seats else facts.records.game_schema
    if kind.column not in schema:
        return None
    if facts.records.full:
        return facts.job("seats" if kind.seats else "games", f"notable {kind.id}")
    if kind.seats:
        return None  # a summary keeps the extreme games, not the extreme seats
    job = jobs(facts, [kind])["games"][f"notable {kind.id}"]
    rows = facts.records.known_games.collect()
    return job.make(Part(facts.records, 0, facts.records.k, rows))
