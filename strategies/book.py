"""What a game's strategy folder offers: strategies, their parameters, and the batch entry.

``strategies/<game>/__init__.py`` sets ``BOOK = Book(...)``: words and numbers only, no kernel.
``strategies/<game>/play.py`` offers the three compiled doors:

``decide(state, rules, work, strategy, params, policy, position) -> index``
    strategy: int64 code (``Strategy.code``, below USER_CODES); params: float64[MAX_PARAMS], one row
    of the line-up's table, parameter i of ``Strategy.params`` at index i; policy: uint64 streams,
    one a line-up position; the options asked are ``work["options"][:work["n_options"]]``; returns
    the index of the choice. Its body holds, before the ladder of the book's own strategies, the line

        # --- user strategies ---

    at the depth of the ladder's first ``if``: there ``strategies.weave`` puts the branches of a
    user's strategy file, in a copy of the module that it keeps in the cache folder. ``play_batch``
    must stand in the same module and call ``decide`` (or a kernel of that module that holds the
    line) by name, and ``play`` must import with absolute names.

``play_batch(root, first_block, n_blocks, rules, cells, pool, codes, params, treatment, target,
             state, work, game_rows, seat_rows, tally)``
    plays blocks first_block … first_block + n_blocks - 1, every cell of each, in order, into
    ``game_rows`` (one a game) and ``seat_rows`` (``n_seats`` of each cell, without gaps).
    rules: RULES[n]; cells: CELL[k]; pool: int64 instance numbers that a pool position may draw;
    codes: int64[n_instances], strategy codes; params: float64[n_instances, MAX_PARAMS];
    treatment: one TREATMENT record; target: who gets it (TARGET_*); state: one STATE record;
    work: one WORK record; tally: TALLY[k], one a cell, added to. For each game it calls the kernels
    of ``strategies.seating`` and ``strategies.opening`` (seats, coins, treated seat), the game's
    start / decide / apply / finish, and then writes what the game cannot know:
    game row: ``game_id = block * k + cell``, ``block``, ``cell``, ``rotation``; seat rows:
    ``game_id``, ``strategy`` (the *instance* number, an index into the line-up), ``position``,
    ``treated``. Who plays a seat is ``instance_of[position_of[player]]`` of the seat's player.

``play_on(state, rules, work, codes, params, policy, position_of, instance_of, stop, trace,
          trial, options, root, ends)``
    goes on from a question asked, with the strategies of one game (``simulate.steps.Sitting`` has
    their arrays). Without ``options`` (int64[0]) it plays ``state`` itself, until question number
    ``stop`` is asked (as ``state["asked"]`` counts; NEVER: to the end), and writes each question
    into ``trace`` (int64[questions, TRACE], see ``strategies.rollouts``). With ``options``, action
    codes of the question asked, it plays each ``ends.shape[1]`` times to the end, in ``trial``, a
    copy of ``state``, which stays as it is; ``ends``: float64[options, rollouts, n_seats, END].
    Rollout r draws all chance still to come, and the coins of ``policy``, anew from block r of
    ``root``; with root TRUE_FUTURE streams and coins go on as they are. It calls the kernels of
    ``strategies.rollouts`` and the game's ``renew(state, root, block)``.

A user's strategies stand in one Python file (``--strategy-file mine.py``):

    from strategies.book import strategy

    @strategy(summary="takes the last option offered", params={"nerve": (1.0, 0.0, 2.0, "how often")})
    def bold(state, rules, work, params, policy, position):
        return work["n_options"] - 1

Such a kernel returns the index of its choice among ``work["options"][:work["n_options"]]``; it may
use what the game's ``features.py`` offers and draw from ``policy`` at ``position`` only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

MAX_PARAMS = 96
MAX_POSITIONS = 8
USER_CODES = 1000  # codes of a user's strategies start here

# A cell is one game of a block: which rules, how many players, who sits where.
CELL = np.dtype(
    [
        ("rules", np.int64),  # index into the rules rows
        ("players", np.int64),
        ("n_seats", np.int64),
        ("rotation", np.int64),  # player p is line-up position (p + rotation) % players
        ("random_seating", np.int64),  # 1: positions are shuffled by the SEATING stream instead
        ("equal", np.int64),  # 1: position 0 (after the pool's draw) plays every position
        ("entry", np.int64, (MAX_POSITIONS,)),  # instance number, or -1: drawn from the pool
    ],
    align=True,
)

TARGET_NONE, TARGET_RANDOM, TARGET_ALL = -1, -2, -3  # a seat number otherwise


@dataclass(frozen=True)
class Param:
    """A number of a strategy that a line-up may set: ``finisher:stam=1.1``.

    ``follows``: the parameter that holds in its place while it is at ``low``, or "".
    """

    name: str
    default: float
    low: float
    high: float
    meaning: str
    follows: str = ""


@dataclass(frozen=True)
class Strategy:
    """One way to play: its code in ``decide``, one line of words, its own parameters."""

    name: str
    code: int
    summary: str
    params: tuple[Param, ...] = ()


@dataclass(frozen=True)
class Book:
    """All strategies of a game and the line-ups it plays by default."""

    game: str
    strategies: tuple[Strategy, ...]
    default_lineup: dict[int, str] = field(default_factory=dict)  # by player count

    def names(self) -> list[str]:
        """The names, in the order of the book."""
        return [strategy.name for strategy in self.strategies]

    def get(self, name: str) -> Strategy | None:
        """The strategy of that name, or None."""
        return next((s for s in self.strategies if s.name == name), None)

    def with_strategies(self, more: tuple[Strategy, ...]) -> Book:
        """The same book with a user's strategies behind its own."""
        return replace(self, strategies=(*self.strategies, *more))


def strategy(
    function: Callable[..., Any] | None = None,
    *,
    summary: str = "",
    params: Mapping[str, tuple[float, float, float, str]] | None = None,
    name: str = "",
) -> Any:
    """Mark a kernel of a user's strategy file: ``@strategy`` or ``@strategy(summary=..., params=...)``.

    ``params``: name to (default, lowest, highest, meaning), in the order of the kernel's ``params``.
    """
    from simulate.jit import kernel

    def mark(plain: Callable[..., Any]) -> Any:
        marked = kernel(plain)
        rows = tuple(Param(key, *row) for key, row in (params or {}).items())
        told = summary or (plain.__doc__ or "a strategy of yours").strip().splitlines()[0]
        marked.user_strategy = Strategy(name or plain.__name__, USER_CODES, told, rows)
        return marked

    return mark if function is None else mark(function)
