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
``schema``    ``Rules`` (pydantic), ``record(rules) -> RULES array of one row``, ``vocabularies(rules)``;
              ``resolved(rules) -> dict``, where the keys alone do not say all that lies on the
              table: the first event of a replay tells it to a referee
``setup``     ``seats_of(players) -> n_seats``, only where a player runs several seats
``words``     the only place for strings; ``vocab`` is the run's vocabularies, name -> list of words;
              ``rules`` is the RULES record; seats are counted as the specification counts them
              ``question(code) -> str``: name of a question, ``code`` is ``state["phase"]``
              ``action(state, rules, work, code, vocab) -> token``: an option of the question asked
              now as the specification writes it: text, or a list of plain values; two options of
              one question never share a token (tokens are also the way back to a code)
              ``events(rows, rules, vocab) -> list[dict]``: EVENT rows as plain dicts, in order;
              each has ``"event"`` (its kind) and, where somebody acts, ``"seat"``
              ``sentence(event) -> str``: one line of plain words for such a dict; it is given the
              dicts of ``"event": "ask"`` too: seat, question, options, chosen (tokens)
              ``teller(setting) -> (event) -> str``, where a told game has more than sentences, as
              pictures of the table: from a replay's first dict, tells the others in order
              ``state(state, rules, vocab) -> dict``: the whole state, readable, fit for JSON, with
              ``to_move``: the seat asked
              ``FIRST_SEAT``: number of the first seat, where the specification does not count from 0
              ``TREATMENTS``: tuple of hooks (``simulate.hooks.Hook``): name, fields, meaning,
              questions, and parameter, low, high where a value can be chosen
``position``  scripted positions (``simulate.script``); ``rules`` is the RULES record
              ``overrides(case) -> dict``: the case's rules by TOML path
              ``setup(case, rules, vocab) -> (state, work)``: records that hold the case's position,
              the outcomes of chance in ``work["feed"]`` (on, n, used, missing, values)
              ``runs(case) -> list[str]``: the events to play, one after the other
              ``begin(state, rules, work, run)``: make the state ready for one of them, which
              ``entries.resume(state, rules, work, events)`` then plays to its first question; an
              event is over when no question is asked (``state["phase"]`` is below 0)
              ``describe(state, rules, vocab) -> dict``: the end in the form of ``expect``
              ``compare(expected, end) -> list[str]``: the differences between the two, in words
              ``answers(case) -> list[simulate.answers.Answer]``, where a game's cases do not write
              them as ``choices``

``acts``      optional: ``act(state, rules, work, code, token) -> str``, the kind of an option of the
              question asked now, where the first word of its token does not tell it (rollouts)
``chance``    ``renew(state, root, block)``, a kernel, wherever it stands: all chance that is still to
              come, drawn anew from the streams of (root, block); what has been dealt stays

Its strategies are ``strategies/<name>/``: ``BOOK`` in ``__init__.py``, and in ``play``
              ``decide(state, rules, work, strategy, params, policy, position) -> index``: of the
              option chosen, 0 … count-1
              ``play_batch(...)``, ``play_on(...)``: see ``strategies/book.py``.
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
