"""Blocks to rows: plays whole blocks through a game's ``play_batch`` into reused buffers.

The rows come in *pieces* of a fixed number of blocks, which are turned into frames at once and are
the row groups of the files; a piece is played in *chunks*, between which a worker tells its
progress and hears that the run was interrupted. Chunks leave no trace in the rows.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module

import numpy as np

from simulate.errors import PlanError, StoreError, StrategyError, UserError
from simulate.plan import Plan
from simulate.registry import keep_strategy_file
from simulate.tables import Buffers, Tables, buffers, tables

PIECE_GAMES = 8192  # games turned into frames at once: also a row group of the files
CHUNK_GAMES = 256  # games played between two looks at Ctrl-C, unless --chunk says otherwise
_PATIENCE = 30.0  # seconds that an interrupted run waits for its workers to notice


class Stopped(Exception):  # noqa: N818 - an event, not an error
    """A worker gave up its shard because the run was interrupted."""


@dataclass
class Control:
    """What the workers of this process hear and tell; other processes have a silent one."""

    stop: threading.Event = field(default_factory=threading.Event)
    tick: Callable[[int], None] | None = None
    busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def played(self, games: int) -> None:
        """Tell the progress bar, and give up when the run was interrupted."""
        if self.stop.is_set():
            raise Stopped
        if self.tick is not None:
            self.tick(games)

    @contextmanager
    def working(self) -> Iterator[None]:
        """While a worker has a shard in hand."""
        if self.stop.is_set():
            raise Stopped
        with self.lock:
            self.busy += 1
        try:
            yield
        finally:
            with self.lock:
                self.busy -= 1

    def start(self, tick: Callable[[int], None] | None) -> None:
        """A run begins."""
        self.stop.clear()
        self.tick = tick

    def end(self) -> None:
        """A run is over or interrupted: stop the workers and wait until all hands are empty."""
        self.stop.set()
        self.tick = None
        patience = time.monotonic() + _PATIENCE
        while self.busy and time.monotonic() < patience:
            time.sleep(0.01)
        if not self.busy:
            self.stop.clear()


CONTROL = Control()
_LOCAL = threading.local()


def piece_blocks(plan: Plan) -> int:
    """Blocks of a piece."""
    return max(1, PIECE_GAMES // plan.k)


def play_blocks(
    plan: Plan,
    table: Tables,
    scratch: Buffers,
    first: int,
    blocks: int,
    tally: np.ndarray,
    at: int = 0,
) -> None:
    """Play blocks into the rows of ``scratch`` from its block ``at`` on; adds to ``tally``."""
    games = slice(at * plan.k, (at + blocks) * plan.k)
    seats = slice(at * table.seats_per_block, (at + blocks) * table.seats_per_block)
    with user_errors(plan):
        table.engine.play.play_batch(
            table.root,
            first,
            blocks,
            table.rules,
            table.cells,
            table.pool,
            table.codes,
            table.params,
            table.treatment[0],
            table.target,
            scratch.state[0],
            scratch.work[0],
            scratch.game_rows[games],
            scratch.seat_rows[seats],
            tally,
        )


@contextmanager
def user_errors(plan: Plan) -> Iterator[None]:
    """What goes wrong in a user's strategies becomes a message with file and line."""
    try:
        yield
    except Exception as error:
        if not plan.strategy_file or isinstance(error, UserError):
            raise
        if isinstance(error, IndexError):
            raise StrategyError(str(error)) from error
        if type(error).__module__.startswith("numba"):
            file = keep_strategy_file(plan.strategy_file, plan.strategy_text)
            raise import_module("strategies.weave").explain(error, str(file)) from error
        raise


def warm_up(plan: Plan, say: Callable[[str], None] | None = None) -> None:
    """Compile (or read from the cache) what a run needs, in the parent, by playing one block."""
    table = tables(plan)
    if say is not None and not table.engine.warm:
        mine = f" with {plan.strategy_file}" if plan.strategy_file else ""
        say(
            f"Compiling {table.engine.game.title}{mine} for this machine: once, up to a minute. "
            "Later starts take a second or two."
        )
    scratch = buffers(table, 1)
    tally = np.zeros(plan.k, dtype=table.engine.state.TALLY)
    try:
        play_blocks(plan, table, scratch, 0, 1, tally)
    except OSError as error:
        raise StoreError(
            f"Compiled code cannot be kept in {table.engine.cache}: {error.strerror or error}. "
            "The environment variable NUMBA_CACHE_DIR names another folder."
        ) from error


def _scratch(plan: Plan, table: Tables) -> Buffers:
    """Buffers of this thread for the plan, made once and used again."""
    digest = plan.digest
    if getattr(_LOCAL, "digest", None) != digest:
        _LOCAL.scratch = buffers(table, min(piece_blocks(plan), plan.shard_blocks))
        _LOCAL.digest = digest
    return _LOCAL.scratch


def pieces(
    plan: Plan, first: int, blocks: int, chunk: int, tally: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Play blocks; the game and seat rows of one piece after the other (reused buffers)."""
    table = tables(plan)
    scratch = _scratch(plan, table)
    step = piece_blocks(plan)
    for start in range(first, first + blocks, step):
        size = min(step, first + blocks - start)
        for at in range(0, size, chunk):
            some = min(chunk, size - at)
            play_blocks(plan, table, scratch, start + at, some, tally, at)
            CONTROL.played(some * plan.k)
        yield scratch.game_rows[: size * plan.k], scratch.seat_rows[: size * table.seats_per_block]


def default_chunk(plan: Plan) -> int:
    """Blocks of a chunk when nobody asked for another number."""
    return max(1, CHUNK_GAMES // plan.k)


@dataclass(frozen=True, eq=False)
class Rows:
    """The records of one game."""

    game: np.ndarray  # GAME_ROW[1]
    seats: np.ndarray  # SEAT_ROW[n_seats]


def place_of(plan: Plan, game_id: int) -> tuple[int, int]:
    """Block and cell of a game."""
    if game_id < 0:
        raise PlanError(f"There is no game {game_id}: games are numbered from 0.")
    return divmod(game_id, plan.k)


def batch_game(plan: Plan, game_id: int) -> Rows:
    """One game, played as the run played it."""
    block, cell = place_of(plan, game_id)
    table = tables(plan)
    scratch = buffers(table, 1)
    play_blocks(plan, table, scratch, block, 1, np.zeros(plan.k, dtype=table.engine.state.TALLY))
    first = sum(c.n_seats for c in plan.cells[:cell])
    return Rows(
        scratch.game_rows[cell : cell + 1],
        scratch.seat_rows[first : first + plan.cells[cell].n_seats],
    )
