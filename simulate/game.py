"""What every game offers, on one page.

A game is a folder ``simulate/games/<name>/`` whose ``__init__.py`` sets ``GAME = Game(...)``: facts
in words and numbers, nothing imported. Its modules are loaded when they are first needed:

``state``     dtypes STATE, RULES, GAME_ROW, SEAT_ROW, TALLY, TREATMENT, WORK, EVENT; the columns
              GAME_COLUMNS, SEAT_COLUMNS; phases and codes
``entries``   the compiled doors, the same in every game:
              ``start(state, rules, work, events, treatments, players, root, block)``
              ``legal(state, rules, work) -> count``: options in ``work["options"][:count]``, rising
              ``apply(state, rules, work, events, action)``: one legal code; runs on through forced
              steps until somebody must choose, and leaves the options of the next question in
              ``work`` (``work["n_options"]``), as ``legal`` would write them
              ``finish(state, rules, game_row, seat_rows)``
              ``state["to_move"]``, ``state["over"]``, ``state["n_seats"]``, ``state["phase"]``
``schema``    ``Rules`` (pydantic), ``record(rules) -> RULES array of one row``, ``vocabularies(rules)``
``words``     the only place for strings: questions, actions, events, states as readable dicts
``position``  scripted positions: JSON case -> state and back

Its strategies are ``strategies/<name>/``: ``BOOK`` in ``__init__.py``, and in ``play``
              ``decide(state, rules, work, strategy, params, policy, position) -> index``: of the
              option chosen, 0 … count-1
              ``play_batch(...)``: see ``strategies/book.py``.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType


@dataclass(frozen=True)
class Game:
    """Facts of one game (a set of rules), and the way to its modules."""

    name: str
    title: str
    rules_version: int  # rises only when behaviour changes
    players: tuple[int, ...]  # player counts that can be played and reported
    default_players: int
    test_players: tuple[int, ...]  # counts for exact figures only, never reported
    layout_key: str  # TOML key of the course, board or set-up
    layout_option: str  # its command-line option, without dashes
    summary: str  # one line for lists

    @property
    def folder(self) -> Path:
        """The game's source folder."""
        return Path(__file__).parent / "games" / self.name

    def module(self, name: str) -> ModuleType:
        """One of the game's modules, imported when first asked for."""
        return importlib.import_module(f"simulate.games.{self.name}.{name}")

    def strategies(self, name: str = "") -> ModuleType:
        """The game's strategy package, or one of its modules."""
        path = f"strategies.{self.name}" + (f".{name}" if name else "")
        return importlib.import_module(path)
