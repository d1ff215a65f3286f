"""Is a run what it says? Hashes of all files, and a random sample of games played again.

Games are played again as the run played them, or with ``steps`` through the entries one decision
after the other, which is another way to the same records.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import polars as pl

from simulate import registry, shards
from simulate.batch import Rows, batch_game
from simulate.frames import frame
from simulate.plan import Plan
from simulate.steps import single_game
from simulate.store import Run
from simulate.tables import tables


def verify(
    run: Run,
    sample: int = 20,
    say: Callable[[str], None] | None = None,
    *,
    steps: bool = False,
) -> list[str]:
    """What is wrong, in words; empty when everything agrees."""
    problems = _shards_there(run) + damaged_files(run)
    now = registry.engine_digest(run.plan.game, run.plan.strategy_text)
    if now != run.plan.engine:
        problems.append("The engine has changed since the run was played: games were not replayed.")
        return problems
    if not problems and sample:
        problems += _replays(run, sample, say, single_game if steps else batch_game)
    return problems


def _shards_there(run: Run) -> list[str]:
    """Shards that the plan has and the run has not."""
    missing = run.plan.shards - len(run.shards)
    if not missing:
        return []
    return [
        f"{missing} of {run.plan.shards} shards are not played yet: run the same command again."
    ]


def damaged_files(run: Run) -> list[str]:
    """Files that are missing or have other bytes than run.json says."""
    problems = []
    for row in run.shards:
        for kind, wanted in row["sha256"].items():
            file = shards.path(run.path, kind, row["shard"])
            if not file.is_file():
                problems.append(f"{file} is missing.")
            elif shards.sha256(file) != wanted:
                problems.append(f"{file} has changed since it was written (other sha256).")
    return problems


def _replays(
    run: Run,
    sample: int,
    say: Callable[[str], None] | None,
    play: Callable[[Plan, int], Rows],
) -> list[str]:
    """Games of a random sample whose records come out otherwise when played again."""
    kinds = ("games", "seats") if run.plan.records == "full" else ("notable_games", "notable_seats")
    games, seats = (run._scan(kind) for kind in kinds)
    if run.plan.records == "full":
        ids = {secrets.randbelow(run.plan.n) for _ in range(sample)}
    else:
        known = games.select("game_id").collect()["game_id"].to_list()
        ids = {secrets.choice(known) for _ in range(sample)}
    wanted = pl.col("game_id").is_in(sorted(ids))
    old_games, old_seats = games.filter(wanted).collect(), seats.filter(wanted).collect()
    problems = []
    for game_id in sorted(ids):
        if say is not None:
            say(f"replaying game {game_id}")
        new = row_frames(run.plan, play(run.plan, game_id))
        for name, old, fresh in zip(("games", "seats"), (old_games, old_seats), new, strict=True):
            problems += _compare(game_id, name, old.filter(pl.col("game_id") == game_id), fresh)
    return problems


def row_frames(plan: Plan, rows: Rows) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games and seats frame of one game."""
    words = tables(plan).words
    return (
        frame(rows.game, shards.game_columns(plan), words),
        frame(rows.seats, shards.seat_columns(plan), words),
    )


def _compare(game_id: int, name: str, old: pl.DataFrame, fresh: pl.DataFrame) -> list[str]:
    """Columns in which a replayed game differs from its record."""
    if old.height != fresh.height:
        return [f"Game {game_id}: {old.height} rows in {name}, {fresh.height} when played again."]
    wrong: list[Any] = [c for c in fresh.columns if not old[c].equals(fresh[c], null_equal=True)]
    if not wrong:
        return []
    was, now = old[wrong[0]].to_list(), fresh[wrong[0]].to_list()
    return [
        f"Game {game_id}: {', '.join(wrong)} of {name} differ ({wrong[0]}: {was}, replayed {now})."
    ]
