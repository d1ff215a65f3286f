"""One game, decision by decision, through the compiled entries.

``Sitting`` is the game at the table: who sits where, the state, the question asked now, and the
events since one last looked. Replay, verify, scripted positions and the step API stand on it; the
rules stay in the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.batch import Rows, place_of, user_errors
from simulate.errors import UserError
from simulate.plan import Plan
from simulate.tables import Tables, tables

EVENT_ROOM = 8192  # events between two questions; more is an error of the game


class Sitting:
    """A game in progress. ``state``, ``work`` and ``rules`` are the game's own records."""

    def __init__(self, plan: Plan, block: int, cell: int, events: bool = False) -> None:
        self.plan = plan
        self.block = block
        self.cell = cell
        self.table: Tables = tables(plan)
        module = self.table.engine.state
        self.rules = self.table.rules[plan.cells[cell].rules]
        self.state = np.zeros(1, dtype=module.STATE)[0]
        self.work = np.zeros(1, dtype=module.WORK)[0]
        self.events = np.zeros(EVENT_ROOM if events else 0, dtype=module.EVENT)
        self._seat_down()
        self._start()

    @classmethod
    def of_game(cls, plan: Plan, game_id: int, events: bool = False) -> Sitting:
        """The game of that number in the plan's run."""
        block, cell = place_of(plan, game_id)
        return cls(plan, block, cell, events)

    @property
    def game_id(self) -> int:
        """Number of the game in the run."""
        return self.block * self.plan.k + self.cell

    def _seat_down(self) -> None:
        """Line-up positions, instances, coins and the treated seat."""
        room = len(self.table.cells[self.cell]["entry"])
        self.policy = np.zeros(room, dtype=np.uint64)
        self.position_of = np.zeros(room, dtype=np.int64)
        self.instance_of = np.zeros(room, dtype=np.int64)
        self.treated = self.table.engine.opening.open_game(
            self.table.cells[self.cell],
            self.table.pool,
            self.plan.root,
            self.block,
            self.table.treatment[0],
            self.table.target,
            self.plan.cells[self.cell].n_seats,
            np.zeros(1, dtype=np.uint64),
            self.policy,
            self.position_of,
            self.instance_of,
            np.zeros(len(self.table.pool), dtype=np.int64),
        )

    def _start(self) -> None:
        """Set up the game and play on to its first question."""
        treatments = np.zeros(self.table.engine.state.MAX_SEATS, dtype=self.table.treatment.dtype)
        for seat in range(len(treatments)):
            if self.is_treated(seat):
                treatments[seat] = self.table.treatment[0]
        players = self.plan.cells[self.cell].players
        self.table.engine.entries.start(
            self.state, self.rules, self.work, self.events, treatments, players,
            self.plan.root, self.block,
        )  # fmt: skip

    def is_treated(self, seat: int) -> bool:
        """Whether the run's treatment is on a seat of this game."""
        return bool(self.treated in (-3, seat))

    # ------------------------------------------------------------ the question asked now

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state["over"])

    @property
    def to_move(self) -> int:
        """The seat that is asked, -1 when the game is over."""
        return int(self.state["to_move"])

    @property
    def options(self) -> np.ndarray:
        """Action codes offered, in rising order."""
        if self.over:
            return np.zeros(0, dtype=np.int64)
        return self.work["options"][: int(self.work["n_options"])].copy()

    def player_of(self, seat: int) -> int:
        """Whose seat it is."""
        if "side" in self.state.dtype.names:
            return int(self.state["side"][seat])
        return seat

    def position(self, seat: int) -> int:
        """Line-up position that sits at a seat."""
        return int(self.position_of[self.player_of(seat)])

    def instance(self, seat: int) -> int:
        """Instance number that plays a seat."""
        return int(self.instance_of[self.position(seat)])

    def choose(self) -> int:
        """Index of the option that the asked seat's strategy takes; draws its coins."""
        instance = self.instance(self.to_move)
        with user_errors(self.plan):
            return int(
                self.table.engine.play.decide(
                    self.state,
                    self.rules,
                    self.work,
                    self.table.codes[instance],
                    self.table.params[instance],
                    self.policy,
                    self.position(self.to_move),
                )
            )

    def apply(self, index: int) -> None:
        """Take the option of that index and play on to the next question."""
        options = self.options
        if not 0 <= index < len(options):
            raise UserError(f"There is no option {index}: {len(options)} are offered.")
        self.table.engine.entries.apply(
            self.state, self.rules, self.work, self.events, int(options[index])
        )

    def take_events(self) -> np.ndarray:
        """Event rows since the last call."""
        if int(self.state["event_overflow"]):
            raise RuntimeError(f"more than {EVENT_ROOM} events between two questions")
        rows = self.events[: int(self.state["n_events"])].copy()
        self.state["n_events"] = 0
        return rows

    # ------------------------------------------------------------ the record

    def finish(self) -> Rows:
        """The records of the finished game, as the run's batch fills them."""
        module = self.table.engine.state
        cell = self.plan.cells[self.cell]
        game = np.zeros(1, dtype=module.GAME_ROW)
        seats = np.zeros(cell.n_seats, dtype=module.SEAT_ROW)
        self.table.engine.entries.finish(self.state, self.rules, game, seats)
        game["game_id"], game["block"] = self.game_id, self.block
        game["cell"], game["rotation"] = self.cell, cell.rotation
        game["equal"] = cell.equal
        for seat in range(cell.n_seats):
            seats[seat]["game_id"] = self.game_id
            seats[seat]["strategy"] = self.instance(seat)
            seats[seat]["position"] = self.position(seat)
            seats[seat]["treated"] = self.is_treated(seat)
        return Rows(game, seats)


def single_game(plan: Plan, game_id: int) -> Rows:
    """One game step by step: another way to the records that the batch wrote."""
    sitting = Sitting.of_game(plan, game_id)
    while not sitting.over:
        sitting.apply(sitting.choose())
    return sitting.finish()


def record_of(row: Any) -> dict[str, Any]:
    """A record's fields as plain Python values."""
    return {name: getattr(row[name], "tolist", lambda v=row[name]: v)() for name in row.dtype.names}
