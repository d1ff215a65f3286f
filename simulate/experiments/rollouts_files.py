"""Files of rollouts: shards of a fixed range of blocks, each written whole or not at all.

    positions/00000.parquet   one row a decision looked at
    options/00000.parquet     one row an option tried, with the ends of all its rollouts

A file tells which blocks of which plan it holds and what was asked, so a killed experiment finds its
finished shards again; what is in it depends on these alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from simulate import runner
from simulate.batch import CONTROL
from simulate.cores import default_jobs
from simulate.errors import StoreError
from simulate.experiments.rollouts_positions import Asked, positions_of
from simulate.frames import write_parquet
from simulate.plan import Plan, canonical

KINDS = ("positions", "options")
SHARD_GAMES = 32
_KEY = {"game_id": pl.Int64, "question_number": pl.Int32}
SCHEMAS: dict[str, dict[str, Any]] = {
    "positions": {
        **_KEY,
        "block": pl.Int64,
        "cell": pl.Int16,
        "players": pl.Int16,
        "seat": pl.Int16,
        "player": pl.Int16,
        "strategy": pl.String,
        "question": pl.String,
        "questions": pl.Int32,
        "offered": pl.Int32,
        "tried": pl.Int32,
        "weight": pl.Float64,
    },
    "options": {
        **_KEY,
        "code": pl.Int64,
        "token": pl.String,
        "act": pl.String,
        "taken": pl.Boolean,
        "wins": pl.List(pl.UInt16),
        "ranks": pl.List(pl.UInt16),
    },
}
DOCS = {
    "game_id": "number of the game in arms/games",
    "question_number": "number of the question in its game, from 1",
    "block": "block of the game",
    "cell": "cell of the game",
    "players": "players at the table",
    "seat": "seat that is asked, from 0",
    "player": "player that is asked, from 0",
    "strategy": "who plays that seat",
    "question": "what is asked",
    "questions": "questions asked in the whole game",
    "offered": "options offered",
    "tried": "options rolled out",
    "weight": "decisions of the game that this one stands for",
    "code": "the option, as the engine counts it",
    "token": "the option in words",
    "act": "kind of the option",
    "taken": "whether the strategy took it in the game",
    "wins": "win shares at the end of each rollout, by player, in 840ths: rollout after rollout",
    "ranks": "sum of the ranks of each player's seats, in halves: rollout after rollout",
}


def blocks_of(plan: Plan, shard: int) -> range:
    """Blocks of a shard."""
    size = max(1, SHARD_GAMES // plan.k)
    return range(shard * size, min((shard + 1) * size, plan.blocks))


def shards_of(plan: Plan) -> int:
    """Shards of an experiment."""
    return -(-plan.blocks // max(1, SHARD_GAMES // plan.k))


def path(folder: Path, kind: str, shard: int) -> Path:
    """Where a file stands."""
    return folder / kind / f"{shard:05d}.parquet"


def told(plan: Plan, asked: Asked, shard: int) -> dict[str, str]:
    """What a file says of itself."""
    blocks = blocks_of(plan, shard)
    said = {"plan": plan.digest, "asked": asdict(asked), "blocks": [blocks.start, blocks.stop]}
    return {"simulate.rollouts": canonical(said), "simulate.columns": canonical(DOCS)}


def finished(plan: Plan, asked: Asked, shard: int, folder: Path) -> bool:
    """Whether a shard's files are there, whole, and hold just what is wanted."""
    wanted = told(plan, asked, shard)["simulate.rollouts"]
    for kind in KINDS:
        file = path(folder, kind, shard)
        if not file.is_file():
            return False
        try:
            if pl.read_parquet_metadata(file).get("simulate.rollouts") != wanted:
                return False
        except (pl.exceptions.PolarsError, OSError):
            return False
    return True


def play_shard(plan: Plan, asked: Asked, shard: int, folder: Path) -> int:
    """Roll out the positions of a shard's games and write its files; how many games."""
    rows: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    blocks = blocks_of(plan, shard)
    with CONTROL.working():
        for game_id in range(blocks.start * plan.k, blocks.stop * plan.k):
            made = positions_of(plan, game_id, asked)
            rows["positions"] += made.positions
            rows["options"] += made.options
            CONTROL.played(1)
        for kind in KINDS:
            table = pl.DataFrame(rows[kind], schema=SCHEMAS[kind])
            write_parquet(
                path(folder, kind, shard), table, max(len(table), 1), told(plan, asked, shard)
            )
    return len(blocks) * plan.k


def play_missing(
    plan: Plan,
    asked: Asked,
    folder: Path,
    jobs: int | None,
    begin: Callable[[int, int], None],
    tick: Callable[[int], None],
) -> None:
    """Play the shards that are not there yet, on all workers.

    ``begin(games, kept)`` is called first, ``tick(games)`` while they are played.
    """
    import joblib

    missing = [s for s in range(shards_of(plan)) if not finished(plan, asked, s, folder)]
    games = {s: len(blocks_of(plan, s)) * plan.k for s in missing}
    begin(plan.n, plan.n - sum(games.values()))
    if not missing:
        return
    play_first(plan)
    work = (joblib.delayed(play_shard)(plan, asked, shard, folder) for shard in missing)
    CONTROL.start(tick)
    try:
        with joblib.parallel_config(**runner._backend("threads", jobs or default_jobs())):
            parallel = joblib.Parallel(
                return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs"
            )
            for _ in parallel(work):
                pass
    finally:
        CONTROL.end()


def warm(plan: Plan) -> bool:
    """Whether nothing has to be compiled before the first rollout."""
    door = plan.open_engine().play.play_on
    if not hasattr(door, "stats"):
        return True
    return any(Path(door.stats.cache_path).glob("*play_on-*.nbc"))


def play_first(plan: Plan) -> None:
    """Compile, or read from the cache, in the parent, before workers begin."""
    try:
        positions_of(plan, 0, Asked(decisions=1, rollouts=1, options=2))
    except OSError as error:
        cache = plan.open_engine().cache
        raise StoreError(
            f"Compiled code cannot be kept in {cache}: {error.strerror or error}. "
            "The environment variable NUMBA_CACHE_DIR names another folder."
        ) from error


def read_shard(folder: Path, kind: str, shard: int) -> pl.DataFrame:
    """Rows of a kind of one shard, in the order of the games."""
    return pl.read_parquet(path(folder, kind, shard), glob=False)


def read(plan: Plan, folder: Path, kind: str) -> pl.DataFrame:
    """All rows of a kind, in the order of the games."""
    return pl.concat([read_shard(folder, kind, shard) for shard in range(shards_of(plan))])
