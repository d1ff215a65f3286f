"""A run's tables without its rows: ``--records summary``, and ``run.summary`` of any run.

The worker that plays a shard keeps, instead of games and seats, frames of exact whole numbers (see
``simulate.exact`` for units, ``group`` and ``stratum``), one Parquet file a frame and shard:

    game_sums      keys group, stratum: n; every number of games, <column>:n
    seat_sums      keys group, stratum, seat, strategy: n; every number of seats, <column>:n
    array_sums     keys group, stratum, strategy: n; <array column>.<i>, <array column>.<i>:n
    results        keys by, group, stratum, level, strategy: n, win_share (840ths), rank (halves),
                   podium (place, or rank, <= 3). ``by``: seat, side, position, treated, every word column of
                   seats, and the columns in the game's ``state.RESULT_COLUMNS``; ``level``: the
                   value as text, a flag as 0 or 1
    histograms     keys column, group, stratum, truncated, value: n, for every number of games;
                   floats in tenths
    head_to_head   keys group, stratum, strategy, rival: meetings, ahead2
    tallies        as in a full run
    notable_games, notable_seats
                   full rows of the shard's games with the three smallest and the three largest
                   values of each number of games (equal ones: the lower game_id first)

Frames of several shards are added row by row (``exact.merge``): the same for any order or cut, so a
summary run extends, resumes and verifies like a full one. ``of_run(run)`` gives a ``Summary`` with
one merged frame an attribute, for summary and full runs alike; ``Summary.by_shard(name)`` keeps the
shards apart for tests of homogeneity.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import polars as pl

from simulate import exact
from simulate.plan import Plan
from simulate.records import Column
from simulate.tables import tables

KEYS: dict[str, tuple[str, ...]] = {
    "game_sums": ("group", "stratum"),
    "seat_sums": ("group", "stratum", "seat", "strategy"),
    "array_sums": ("group", "stratum", "strategy"),
    "results": ("by", "group", "stratum", "level", "strategy"),
    "histograms": ("column", "group", "stratum", "truncated", "value"),
    "head_to_head": ("group", "stratum", "strategy", "rival"),
}
NOTABLE = 3  # games kept at each end of each column
_RESULTS = ("seat", "side", "position", "treated")


def make(plan: Plan, first: int, blocks: int, chunk: int) -> dict[str, pl.DataFrame]:
    """Play blocks; the frames of their summary."""
    from simulate import shards

    rows = shards.make(plan, first, blocks, chunk)
    made = frames(plan, rows["games"], rows["seats"], first, blocks)
    wanted = pl.col("game_id").is_in(notable(rows["games"]).implode())
    made["notable_games"] = rows["games"].filter(wanted)
    made["notable_seats"] = rows["seats"].filter(wanted)
    made["tallies"] = rows["tallies"]
    return made


def frames(
    plan: Plan, games: pl.DataFrame, seats: pl.DataFrame, first: int, blocks: int
) -> dict[str, pl.DataFrame]:
    """The mergeable frames of whole blocks of rows."""
    keyed_games = exact.with_keys(games.lazy(), plan)
    keyed_seats = exact.with_keys(seats.lazy(), plan)
    game_numbers = exact.numeric(games.schema)
    made = {
        "game_sums": exact.sums(keyed_games, KEYS["game_sums"], game_numbers),
        "seat_sums": exact.sums(keyed_seats, KEYS["seat_sums"], exact.numeric(seats.schema)),
        "array_sums": exact.array_sums(keyed_seats, KEYS["array_sums"], _arrays(plan)),
        "results": pl.concat([exact.results(keyed_seats, c) for c in result_columns(plan)]),
    }
    done = {name: lazy.collect().sort(list(KEYS[name])) for name, lazy in made.items()}
    with_group = keyed_games.collect()
    done["histograms"] = pl.concat([exact.histogram(with_group, c) for c in game_numbers])
    done["head_to_head"] = exact.head_to_head(seats, plan, first, blocks)
    return done


def _arrays(plan: Plan) -> list[Column]:
    """Array columns of the game's seats."""
    return [c for c in tables(plan).engine.state.SEAT_COLUMNS if c.array]


def result_columns(plan: Plan) -> list[str]:
    """Seats columns by whose levels results are kept."""
    state = tables(plan).engine.state
    words = [c.name for c in state.SEAT_COLUMNS if c.words and not c.array]
    return [*_RESULTS, *words, *getattr(state, "RESULT_COLUMNS", ())]


def notable(games: pl.DataFrame) -> pl.Series:
    """Numbers of the games at both ends of every column."""
    ids: set[int] = set()
    for column in exact.numeric(games.schema):
        for descending in (False, True):
            order = games.select("game_id", column).drop_nulls(column)
            ends = order.sort(column, "game_id", descending=[descending, False]).head(NOTABLE)
            ids.update(ends["game_id"].to_list())
    return pl.Series("game_id", sorted(ids), dtype=pl.Int64)


class Summary:
    """The merged frames of a run: an attribute each, as the module's text lists them."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.full = run.plan.records == "full"

    @cached_property
    def _made(self) -> dict[str, pl.DataFrame]:
        """Frames of a full run, shard by shard, made from its rows."""
        parts: dict[str, list[pl.DataFrame]] = {name: [] for name in KEYS}
        for row in self.run.shards:
            for name, frame in self._of_shard(row).items():
                parts[name].append(frame)
        return {name: _merged(found, name) for name, found in parts.items()}

    def _of_shard(self, row: dict[str, Any]) -> dict[str, pl.DataFrame]:
        from simulate import shards

        kinds = ("games", "seats")
        games, seats = (
            pl.read_parquet(shards.path(self.run.path, kind, row["shard"]), glob=False)
            for kind in kinds
        )
        return frames(self.run.plan, games, seats, row["first_block"], row["blocks"])

    def __getattr__(self, name: str) -> pl.DataFrame:
        if name not in KEYS:
            raise AttributeError(f"a summary has no {name}; it has {', '.join(KEYS)}, tallies")
        if self.full:
            return self._made[name]
        frame = exact.merge(self.run._scan(name), KEYS[name]).collect()
        setattr(self, name, frame)
        return frame

    @property
    def tallies(self) -> pl.DataFrame:
        """Sums over games by cell, name and index."""
        return self.run.tallies.collect()

    @cached_property
    def notable_games(self) -> pl.DataFrame:
        """Games rows at both ends of every column, over the whole run."""
        games = self.run.games if self.full else self.run._scan("notable_games")
        rows = games.collect()
        return rows.filter(pl.col("game_id").is_in(notable(rows).implode()))

    @cached_property
    def notable_seats(self) -> pl.DataFrame:
        """Seats rows of ``notable_games``."""
        seats = self.run.seats if self.full else self.run._scan("notable_seats")
        wanted = self.notable_games["game_id"].implode()
        return seats.filter(pl.col("game_id").is_in(wanted)).collect()

    def by_shard(self, name: str) -> Iterable[tuple[int, pl.DataFrame]]:
        """(shard, frame) one after the other."""
        from simulate import shards

        for row in self.run.shards:
            if self.full:
                yield row["shard"], self._of_shard(row)[name]
            else:
                yield row["shard"], pl.read_parquet(shards.path(self.run.path, name, row["shard"]))


def _merged(found: list[pl.DataFrame], name: str) -> pl.DataFrame:
    return exact.merge(pl.concat(found).lazy(), KEYS[name]).collect()


def of_run(run: Any) -> Summary:
    """The summary of a run, kept or made from its rows."""
    return Summary(run)
