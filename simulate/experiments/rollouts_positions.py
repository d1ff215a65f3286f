"""Positions of one game, and what every option of each comes to: whole games become plain rows.

Which decisions of a game are looked at, which options where there are many, and the future that all
options of a position share are drawn from the stream ROLLOUTS of the game, so they are a function of
the plan and the numbers asked for alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from simulate import rng
from simulate.batch import user_errors
from simulate.exact import RANK_SCALE, WIN_SCALE
from simulate.plan import Plan
from simulate.steps import Sitting

ALL = 0  # decisions a game: every one
ROOM = 1024  # questions of a game; where there are more, its trace is written once more
_HALF = 1 << 31
_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Asked:
    """What is rolled out. ``decisions``: most a game, ALL for every one; ``options``: most tried."""

    decisions: int
    rollouts: int
    options: int
    questions: tuple[str, ...] = ()  # only these, by name


@dataclass(frozen=True)
class Made:
    """Rows of some games: ``positions`` one a decision looked at, ``options`` one an option tried."""

    positions: list[dict[str, Any]]
    options: list[dict[str, Any]]


class Table:
    """A game at the table, played on through the compiled ``play_on``."""

    def __init__(self, plan: Plan, game_id: int) -> None:
        self.sitting = Sitting.of_game(plan, game_id)
        self.engine = self.sitting.table.engine
        self.trial = np.zeros(1, dtype=self.engine.state.STATE)[0]
        self.work = np.zeros(1, dtype=self.engine.state.WORK)[0]
        self.notes = import_module("strategies.rollouts")

    @property
    def asked(self) -> int:
        """Number of the question asked now, from 1."""
        return int(self.sitting.state["asked"])

    def play_to(self, question: int) -> None:
        """Play on until that question is asked."""
        if self.asked < question:
            no_trace = np.zeros((0, self.notes.TRACE), dtype=np.int64)
            self._play_on(self.sitting.work, question, no_trace, _NOTHING, -1, self._ends(0, 0))

    def play_out(self) -> np.ndarray:
        """Play to the end; the trace of all questions (``strategies.rollouts``)."""
        room = ROOM
        start, work = self.sitting.state.copy(), self.sitting.work.copy()
        coins = self.sitting.policy.copy()
        while True:
            trace = np.zeros((room, self.notes.TRACE), dtype=np.int64)
            if not self.sitting.over:
                self._play_on(
                    self.sitting.work, self.notes.NEVER, trace, _NOTHING, -1, self._ends(0, 0)
                )
            if self.asked <= room:
                return trace[: self.asked]
            room = self.asked  # now it is known: once more, from the start
            self.sitting.state, self.sitting.work = start.copy(), work.copy()
            self.sitting.policy[:] = coins

    def roll_out(self, codes: np.ndarray, rollouts: int, root: int) -> np.ndarray:
        """Ends of every option: float64[options, rollouts, n_seats, (win share, rank)]."""
        ends = self._ends(len(codes), rollouts)
        no_trace = np.zeros((0, self.notes.TRACE), dtype=np.int64)
        self._play_on(self.work, self.notes.NEVER, no_trace, codes, root, ends)
        return ends

    def _ends(self, options: int, rollouts: int) -> np.ndarray:
        seats = int(self.sitting.state["n_seats"])
        return np.zeros((options, rollouts, seats, self.notes.END))

    def _play_on(
        self, work: Any, stop: int, trace: np.ndarray, codes: np.ndarray, root: int, ends: Any
    ) -> None:
        sitting, table = self.sitting, self.sitting.table
        with user_errors(sitting.plan):
            self.engine.play.play_on(
                sitting.state, sitting.rules, work, table.codes, table.params, sitting.policy,
                sitting.position_of, sitting.instance_of, stop, trace, self.trial, codes, root, ends,
            )  # fmt: skip

    def tokens(self, codes: np.ndarray) -> list[Any]:
        """Options of the question asked, in words."""
        s = self.sitting
        words = self.engine.words
        return [words.action(s.state, s.rules, s.work, int(c), s.table.words) for c in codes]

    def acts(self, codes: np.ndarray, tokens: list[Any]) -> list[str]:
        """Kinds of options: as the game's ``acts`` names them, else by the token's first word."""
        name = f"simulate.games.{self.engine.game.name}.acts"
        try:
            module = import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            return [str(token).split(":")[0] for token in tokens]
        s = self.sitting
        pairs = zip(codes, tokens, strict=True)
        return [module.act(s.state, s.rules, s.work, int(c), token) for c, token in pairs]


def positions_of(plan: Plan, game_id: int, wanted: Asked) -> Made:
    """The decisions of a game that are looked at, and all their rollouts."""
    whole = Table(plan, game_id)
    trace = whole.play_out()
    numbers = _eligible(whole, trace, wanted)
    chosen = _sample(whole.sitting, numbers, wanted.decisions)
    made = Made([], [])
    table = Table(plan, game_id) if chosen else whole
    for question in chosen:
        table.play_to(question)
        _add(made, table, trace, question, wanted, len(numbers) / len(chosen))
    return made


def _eligible(table: Table, trace: np.ndarray, wanted: Asked) -> list[int]:
    """Numbers of the questions that may be looked at, from 1."""
    if not wanted.questions:
        return list(range(1, len(trace) + 1))
    asked = trace[:, table.notes.QUESTION]
    names = {code: table.engine.words.question(int(code)) for code in np.unique(asked)}
    return [i for i, code in enumerate(asked, start=1) if names[code] in wanted.questions]


def _sample(sitting: Sitting, numbers: list[int], most: int) -> list[int]:
    """So many of them, drawn by the game's stream, in the order of the game."""
    if most == ALL or len(numbers) <= most:
        return numbers
    drawn = np.array(numbers, dtype=np.int64)
    rng.shuffle(_stream(sitting, 0), 0, drawn, len(drawn))
    return sorted(int(number) for number in drawn[:most])


def _stream(sitting: Sitting, question: int) -> np.ndarray:
    """The stream of a game's sample (question 0), or of what happens at a question."""
    streams = np.zeros(1, dtype=np.uint64)
    plan = sitting.plan
    number = sitting.cell + plan.k * question
    rng.open_stream(streams, 0, plan.root, sitting.block, rng.ROLLOUTS, number)
    return streams


def _add(
    made: Made, table: Table, trace: np.ndarray, question: int, wanted: Asked, weight: float
) -> None:
    """Roll out a position and add its rows."""
    sitting, notes = table.sitting, table.notes
    streams = _stream(sitting, question)
    root = int(rng.below(streams, 0, _HALF)) * _HALF + int(rng.below(streams, 0, _HALF))
    offered, taken = sitting.options, int(trace[question - 1, notes.CHOSEN])
    tried = _tried(streams, len(offered), taken, wanted.options)
    codes = offered[tried]
    tokens = table.tokens(codes)
    acts = table.acts(codes, tokens)
    ends = table.roll_out(codes, wanted.rollouts, root)
    cell = sitting.plan.cells[sitting.cell]
    seat = sitting.to_move
    owners = [sitting.player_of(s) for s in range(cell.n_seats)]
    key = {"game_id": sitting.game_id, "question_number": question}
    made.positions.append(
        {
            **key,
            "block": sitting.block,
            "cell": sitting.cell,
            "players": cell.players,
            "seat": seat,
            "player": owners[seat],
            "strategy": sitting.plan.strategies[sitting.instance(seat)].label,
            "question": table.engine.words.question(int(sitting.state["phase"])),
            "questions": len(trace),
            "offered": len(offered),
            "tried": len(tried),
            "weight": weight,
        }
    )
    wins, ranks = (_by_player(ends[..., i], owners) for i in (notes.WIN_SHARE, notes.RANK))
    for i, code in enumerate(codes):
        made.options.append(
            {
                **key,
                "code": int(code),
                "token": tokens[i] if isinstance(tokens[i], str) else json.dumps(tokens[i]),
                "act": acts[i],
                "taken": int(tried[i]) == taken,
                "wins": _whole(wins[i], WIN_SCALE),
                "ranks": _whole(ranks[i], RANK_SCALE),
            }
        )


def _tried(streams: np.ndarray, offered: int, taken: int, most: int) -> list[int]:
    """Indices of the options to roll out: the one taken, and others by lot where there are many."""
    others = np.array([i for i in range(offered) if i != taken], dtype=np.int64)
    if offered > most:
        rng.shuffle(streams, 0, others, len(others))
        others = others[: most - 1]
    return sorted([taken, *(int(i) for i in others)])


def _by_player(values: np.ndarray, owners: list[int]) -> np.ndarray:
    """Sums over the seats of each player: [options, rollouts, players]."""
    table = np.zeros((*values.shape[:2], max(owners) + 1))
    for seat, owner in enumerate(owners):
        table[..., owner] += values[..., seat]
    return table


def _whole(values: np.ndarray, scale: int) -> list[int]:
    """[rollouts, players] as whole numbers of 1/scale, row after row."""
    return [int(v) for v in np.rint(values * scale).ravel()]
