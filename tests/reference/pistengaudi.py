"""The slow twin: a plain reference engine of "Pistengaudi", written from the specification alone.

It shares with the fast engine only ``simulate.rng`` (the random numbers). Rule IDs PG-… are named
where they are played. Clarity comes before speed: the board is a dict of cells, a path is an
object, the way out of a figure is searched anew for every card that is tried.

Use::

    twin = Twin(default_rules(), players=4, chance=SeededChance(root=1, block=0))
    record = twin.play(answer)     # answer(seat, point, options, seen) -> one of options

Rules are plain nested dicts with the TOML paths of the specification (section 2 and 5.9)::

    {"players": {"min": 2, "max": 6},
     "draw": {"cards_per_turn": {"2": 2, "3": 2, "4": 1, "5": 1, "6": 1},
              "reveal": "both_first", "unplaceable": "under_stack"},
     "deck": {"name": "factorial42", "size": 42, "sets": {"factorial42": {"cards": [...]}, ...}},
     "signs": {"blue": 1, "red": 2, "black": 3},
     "lift": {"start_speed": 1, "exits": ["left", "right", "down"], "reenter": True},
     "slope": {"cards": 6, "cells_per_card": 2, "forest": [3, 4], "forest_cover": False},
     "goal": {"areas": 3, "side_entry": "both", "overrun": "forced"},
     "board": {"half_width": 42, "lower_limit": "goal_card"},
     "limits": {"max_rounds": 60},
     "rules": {"move": {...}, "jump": {...}, "effects": {...}, "snowball": {...}, "groomer": {...},
               "forest": {...}, "placement": {...}, "empty": {...}}}

A deck is a list of types ("F/P1") or a dict of type and count; ``rules["deck"]["cards"]``, where
given, goes before the named set. Keys of ``cards_per_turn`` may be numbers or strings.

Points and answers (section 4; lists as in scripted cases)::

    PG-D-PLACE  [x, y_top, top, bottom]       PG-D-SNOW   seat, or "pass"
    PG-D-MOVE   ["stop", [x, y]]              PG-D-GROOM  [seat, [x, y]], or "pass"
                ["fall", [x, y]]              PG-D-EMPTY  "forgo" or ["take", x, y_top]
                ["goal", area]

Option lists are sets: their order means nothing. A point with one option is not asked.
Chance is one question: ``chance.shuffle(types)`` gives the order of the stack, top card first, as
indices into the deck's list.

``python tests/reference/pistengaudi.py`` checks the exact figures of section 11, the forest test
and the paths against a second, cruder search, and random games against their invariants.
"""

from __future__ import annotations

import copy
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import numpy as np

try:
    from simulate import rng
except ImportError:  # run as a script outside the installed project
    sys.path.insert(0, str(FilePath(__file__).resolve().parents[2]))
    from simulate import rng

Cell = tuple[int, int]
Answer = Callable[[int, str, list[Any], dict[str, Any]], Any]
Placement = tuple[int, int, str, str]  # x, upper row, upper half, lower half

DECK = 16  # purpose of the stream of the shuffle
START: Cell = (0, 0)
PASS, FORGO = "pass", "forgo"
PLACE, MOVE, SNOW, GROOM, EMPTY = (
    "PG-D-PLACE", "PG-D-MOVE", "PG-D-SNOW", "PG-D-GROOM", "PG-D-EMPTY",
)  # fmt: skip
STEPS: dict[str, Cell] = {"D": (0, 1), "L": (-1, 0), "R": (1, 0)}  # PG-MOVE-02
OPPOSITE = {"L": "R", "R": "L"}
SIGN_NAMES = {"1": "blue", "2": "red", "3": "black"}
SPECIALS = "FJSGH"


# ------------------------------------------------------------------------------------------------
# Settings: the only place that knows the keys of the rules dict
# ------------------------------------------------------------------------------------------------


class Settings:
    """Every figure and switch of the rules dict, under a short name."""

    def __init__(self, rules: dict[str, Any], players: int) -> None:
        self.players = players
        if not rules["players"]["min"] <= players <= rules["players"]["max"]:
            raise ValueError(f"{players} players")
        per_turn = {int(n): k for n, k in rules["draw"]["cards_per_turn"].items()}
        self.cards_per_turn: int = per_turn[players]
        self.reveal: str = rules["draw"]["reveal"]
        self.unplaceable: str = rules["draw"]["unplaceable"]

        deck = rules["deck"]
        named = deck["cards"] if deck.get("cards") else deck["sets"][deck["name"]]["cards"]
        if isinstance(named, dict):
            named = [kind for kind, count in named.items() for _ in range(count)]
        self.deck: list[str] = list(named)

        self.signs: dict[str, int] = dict(rules["signs"])
        self.start_speed: int = rules["lift"]["start_speed"]
        self.exits: list[str] = list(rules["lift"]["exits"])
        self.reenter: bool = rules["lift"]["reenter"]

        slope = rules["slope"]
        self.cells_per_card: int = slope["cells_per_card"]
        self.last_row: int = slope["cards"] * self.cells_per_card  # H
        self.goal_row: int = self.last_row + 1  # upper space; the lower one is one below
        self.forest: list[int] = list(slope["forest"])
        self.forest_cover: bool = slope["forest_cover"]
        self.walls: set[Cell] = {  # PG-SETUP-05
            (0, (card - 1) * self.cells_per_card + row)
            for card in self.forest
            for row in range(1, self.cells_per_card + 1)
        }
        if 1 in self.forest and not {"left", "right"} & set(self.exits):
            raise ValueError("slope card 1 is forest and the lift has no exit to the sides")

        self.areas: int = rules["goal"]["areas"]
        self.side_entry: str = rules["goal"]["side_entry"]
        self.overrun: str = rules["goal"]["overrun"]

        self.half_width: int = rules["board"]["half_width"]
        unlimited = rules["board"]["lower_limit"] == "none"
        self.bottom_row: int = 2 * deck["size"] if unlimited else self.goal_row + 1
        self.max_rounds: int = rules["limits"]["max_rounds"]

        switch = rules["rules"]
        self.full_path: str = switch["move"]["full_path"]
        self.reversal: str = switch["move"]["reversal"]
        self.fall_choice: str = switch["move"]["fall_choice"]
        self.no_step: str = switch["move"]["no_step"]
        self.jump_turn: str = switch["jump"]["turn"]
        self.on_stand_up: bool = switch["effects"]["on_stand_up"]
        self.snow_optional: bool = switch["snowball"]["optional"]
        self.snow_fallen: bool = switch["snowball"]["fallen_target"]
        self.snow_goal: bool = switch["snowball"]["goal_target"]
        self.snow_self: bool = switch["snowball"]["self_target"]
        self.groom_optional: bool = switch["groomer"]["optional"]
        self.groom_self: bool = switch["groomer"]["self_target"]
        self.forest_scope: str = switch["forest"]["scope"]
        self.way_out: str = switch["forest"]["way_out"]
        self.forest_cause: str = switch["forest"]["cause"]
        self.anchor: str = switch["placement"]["anchor"]
        self.forgo: str = switch["empty"]["forgo"]
        self.occupied: str = switch["empty"]["occupied"]

    @property
    def arrows(self) -> list[Cell]:
        """Arrow cells of the lift card."""
        cells = {"left": (-1, 0), "right": (1, 0), "down": (0, 1)}
        return [cells[name] for name in self.exits]


# ------------------------------------------------------------------------------------------------
# Cards, figures, paths
# ------------------------------------------------------------------------------------------------


def is_signed(kind: str | None) -> bool:
    """A piste space with a sign: plain, hut, snowball, groomer (2.3)."""
    return kind is not None and kind[0] in "PHSG"


@dataclass
class Card:
    """A piste card, in the stack or on the slope."""

    number: int
    kind: str  # "F/P1"
    x: int = 0
    y: int = 0
    top: str = ""
    bottom: str = ""
    builder: int = -1

    @property
    def halves(self) -> tuple[str, str]:
        one, other = self.kind.split("/")
        return one, other

    @property
    def cells(self) -> tuple[Cell, Cell]:
        return (self.x, self.y), (self.x, self.y + 1)

    def lay(self, placement: Placement, builder: int) -> None:
        self.x, self.y, self.top, self.bottom = placement
        self.builder = builder


@dataclass
class Figure:
    """A ski figure and what its owner did."""

    cell: Cell = START
    lying: bool = False
    area: int = 0  # 0 = not in the goal
    arrival: int = -1
    goal_round: int = -1
    tally: Counter[str] = field(default_factory=Counter)
    drawn: Counter[str] = field(default_factory=Counter)
    stranded: bool = False

    @property
    def in_goal(self) -> bool:
        return self.area > 0


@dataclass
class Path:
    """One way to ride: where it ends, and the steps that lead there."""

    ending: str  # stop, fall, goal, stay
    cell: Cell
    area: int
    steps: int
    letters: str  # cell moves; jumps flown over have no letter when flown straight
    landings: tuple[Cell, ...]
    flown: int

    @property
    def token(self) -> list[Any]:
        if self.ending == "goal":
            return ["goal", self.area]
        return ["stop" if self.ending == "stay" else self.ending, list(self.cell)]


@dataclass
class Step:
    """One step of a ride (PG-JUMP-01): the cell reached, or the goal area landed in."""

    letters: str
    cell: Cell
    area: int  # 0 = no goal entry
    side: str  # last sideways direction that still bans its opposite
    flown: int


# ------------------------------------------------------------------------------------------------
# The board
# ------------------------------------------------------------------------------------------------


class Board:
    """Piste spaces on the table, and what may be built, ridden and reached on it."""

    def __init__(self, settings: Settings, spaces: dict[Cell, str] | None = None) -> None:
        self.settings = settings
        self.spaces: dict[Cell, str] = dict(spaces or {})

    def with_spaces(self, more: dict[Cell, str]) -> Board:
        return Board(self.settings, {**self.spaces, **more})

    # ---- cells (2.2) --------------------------------------------------------------------------

    def on_table(self, cell: Cell) -> bool:
        return abs(cell[0]) <= self.settings.half_width and 0 <= cell[1] <= self.settings.bottom_row

    def is_goal(self, cell: Cell) -> bool:
        return cell[0] == 0 and cell[1] - self.settings.goal_row in (0, 1)

    def is_wall(self, cell: Cell) -> bool:
        """A forest-side slope card that may not be covered and is not covered."""
        return (
            cell in self.settings.walls
            and not self.settings.forest_cover
            and cell not in self.spaces
        )

    def is_free(self, cell: Cell) -> bool:
        return (
            cell not in self.spaces
            and self.on_table(cell)
            and cell != START
            and not self.is_goal(cell)
            and not self.is_wall(cell)
        )

    def is_landing(self, cell: Cell) -> bool:
        """PG-MOVE-03, without the goal."""
        if cell == START:
            return self.settings.reenter
        return is_signed(self.spaces.get(cell))

    def is_anchor(self, cell: Cell) -> bool:
        """A space in play that a new card may border (PG-PLACE-03)."""
        if cell == START:
            return True
        kind = self.spaces.get(cell)
        return kind is not None and not (kind == "F" and self.settings.anchor == "rideable")

    def entry_area(self, cell: Cell, letter: str) -> int:
        """Area in which a step onto ``cell`` lands, 0 if that is no goal entry (PG-GOAL-01)."""
        if cell[0] != 0 or not self.is_goal(cell):
            return 0
        if cell[1] == self.settings.goal_row:
            return 1
        if letter == "D":
            return 0
        return {"both": 1, "upper": 0, "both_deep": 2}[self.settings.side_entry]

    def columns(self, figures: list[Cell]) -> range:
        """Columns that matter: those in use, two more each side, inside the table."""
        used = [0, *(x for x, _ in self.spaces), *(x for x, _ in figures)]
        edge = self.settings.half_width
        return range(max(-edge, min(used) - 2), min(edge, max(used) + 2) + 1)

    # ---- steps (PG-MOVE-02 to 05, PG-JUMP) ----------------------------------------------------

    def steps(
        self, cell: Cell, side: str, lands: Callable[[Cell], bool], *, ban: bool
    ) -> Iterator[Step]:
        """All single steps from a cell; ``lands`` says where one may land outside the goal."""
        if self.settings.jump_turn == "free":
            yield from self._free_steps(cell, side, lands, ban, "", frozenset())
            return
        for letter, (dx, dy) in STEPS.items():
            if ban and side and OPPOSITE.get(letter) == side:
                continue
            at = (cell[0] + dx, cell[1] + dy)
            flown = 0
            while self.spaces.get(at) == "J":
                at = (at[0] + dx, at[1] + dy)
                flown += 1
            area = self.entry_area(at, letter)
            if area or lands(at):
                yield Step(letter, at, area, self._side_after(side, letter), flown)

    def _free_steps(
        self,
        cell: Cell,
        side: str,
        lands: Callable[[Cell], bool],
        ban: bool,
        letters: str,
        flown: frozenset[Cell],
    ) -> Iterator[Step]:
        """Chains of jumps, each left in any direction (switch jump.turn)."""
        for letter, (dx, dy) in STEPS.items():
            if ban and side and OPPOSITE.get(letter) == side:
                continue
            at = (cell[0] + dx, cell[1] + dy)
            after = self._side_after(side, letter)
            area = self.entry_area(at, letter)
            if self.spaces.get(at) == "J":
                if at not in flown:
                    more = flown | {at}
                    yield from self._free_steps(at, after, lands, ban, letters + letter, more)
            elif area or lands(at):
                yield Step(letters + letter, at, area, after, len(flown))

    def _side_after(self, side: str, letter: str) -> str:
        if letter != "D":
            return letter
        return side if self.settings.reversal == "turn" else ""

    # ---- riding (PG-MOVE-07) ------------------------------------------------------------------

    def paths(self, cell: Cell, count: int) -> list[Path]:
        """Every path of the procedure, falls too."""
        found: list[Path] = []
        deepest, choice = self.settings.areas, self.settings.overrun == "choice"

        def search(at: Cell, left: int, side: str, done: Path) -> None:
            moves = list(self.steps(at, side, self.is_landing, ban=True))
            if not moves:
                found.append(done)  # PG-FALL-02, PG-FALL-03
            for step in moves:
                left2 = left - 1
                so_far = Path(
                    "fall", step.cell, 0, done.steps + 1, done.letters + step.letters,
                    (*done.landings, step.cell), done.flown + step.flown,
                )  # fmt: skip
                if step.area:
                    last = min(deepest, step.area + left2)  # PG-GOAL-02, PG-GOAL-03
                    for area in range(step.area, last + 1) if choice else [last]:
                        found.append(_ended(so_far, "goal", area))
                elif left2 == 0 or self.spaces.get(step.cell, "")[:1] == "H":
                    found.append(_ended(so_far, "stop", 0))
                else:
                    search(step.cell, left2, step.side, so_far)

        search(cell, count, "", Path("fall", cell, 0, 0, "", (), 0))
        return found

    def outcomes(self, cell: Cell, count: int) -> list[Path]:
        """One path for each outcome that may be chosen, the one that is kept in the log."""
        found = self.paths(cell, count)
        full = [path for path in found if path.ending != "fall"]
        falls = [path for path in found if path.ending == "fall"]
        if self.settings.no_step == "stay" and not full and falls[0].steps == 0:
            return [_ended(falls[0], "stay", 0)]
        if self.settings.fall_choice == "longest" and falls:
            most = max(path.steps for path in falls)
            falls = [path for path in falls if path.steps == most]
        if self.settings.full_path == "free_fall":
            chosen = full + falls
        else:
            chosen = full or falls  # PG-FALL-01
        kept: dict[str, Path] = {}
        for path in sorted(chosen, key=lambda path: (path.steps, path.letters)):
            kept.setdefault(str(path.token), path)
        return list(kept.values())

    def sign(self, cell: Cell) -> int:
        """Steps of a figure that starts on a cell (PG-MOVE-01)."""
        if cell == START:
            return self.settings.start_speed
        return self.settings.signs[SIGN_NAMES[self.spaces[cell][1]]]

    def road_to_goal(self, cell: Cell) -> bool:
        """A chain of steps on the present board leads to the goal (PG-EMPTY-02)."""
        seen, open_ends = {cell}, [cell]
        while open_ends:
            for step in self.steps(open_ends.pop(), "", self.is_landing, ban=False):
                if step.area:
                    return True
                if step.cell not in seen:
                    seen.add(step.cell)
                    open_ends.append(step.cell)
        return False

    # ---- the forest test (5.4) ----------------------------------------------------------------

    def is_open(self, cell: Cell, highest: int) -> bool:
        """PG-FOREST-03: ridden, or can still be ridden."""
        if cell == START:
            return self.settings.reenter
        kind = self.spaces.get(cell)
        if kind is not None:
            return kind not in ("F", "J")
        return self._buildable(cell, highest)

    def _buildable(self, cell: Cell, highest: int) -> bool:
        x, y = cell
        if y < highest or not self.is_free(cell):
            return False
        return self.is_free((x, y + 1)) or (y > highest and self.is_free((x, y - 1)))

    def ways(self, highest: int, figures: list[Cell]) -> Ways:
        return Ways(self, highest, figures)

    def is_blocked(self, cell: Cell) -> bool:
        """Forest of either sort, for the local form of PG-FOREST-05."""
        return self.spaces.get(cell) == "F" or self.is_wall(cell)

    def unfillable_holes(self) -> int:
        """Free cells of the built columns with no free cell above or below (PG-PLACE-07)."""
        return sum(
            self.is_free((x, y)) and not self.is_free((x, y - 1)) and not self.is_free((x, y + 1))
            for x in self.columns([])
            for y in range(self.settings.bottom_row + 1)
        )


def _ended(path: Path, ending: str, area: int) -> Path:
    return Path(
        ending, path.cell, area, path.steps, path.letters, path.landings, path.flown
    )  # fmt: skip


class Ways:
    """Who has a way out on a board with a highest row R (PG-FOREST-03 to 05)."""

    def __init__(self, board: Board, highest: int, figures: list[Cell]) -> None:
        self.board, self.highest = board, highest
        self.local = board.settings.way_out == "local"
        self.columns = board.columns(figures)
        self.open_cells: dict[Cell, bool] = {}
        self.known: dict[Cell, bool] = {}  # whether a way leads on from an open cell

    def _lands(self, cell: Cell) -> bool:
        if cell not in self.open_cells:
            inside = cell[0] in self.columns
            self.open_cells[cell] = inside and self.board.is_open(cell, self.highest)
        return self.open_cells[cell]

    def _leads_out(self, start: Cell) -> bool:
        """Walk over open cells, downhill first, until a goal entry comes up."""
        came_from: dict[Cell, Cell | None] = {start: None}
        ends = [start]
        while ends:
            cell = ends.pop()
            steps: list[Step] = []
            if cell not in self.known:
                steps = [*self.board.steps(cell, "", self._lands, ban=False)]
            if self.known.get(cell) or any(step.area for step in steps):
                back: Cell | None = cell
                while back is not None:
                    self.known[back] = True
                    back = came_from[back]
                return True
            for step in reversed(steps):
                if step.cell not in came_from:
                    came_from[step.cell] = cell
                    ends.append(step.cell)
        self.known.update(dict.fromkeys(came_from, False))
        return False

    def has_way(self, cell: Cell) -> bool:
        """PG-FOREST-04; the figure's own cell need not be open."""
        steps = self.board.steps(cell, "", self._lands, ban=False)
        if self.local:
            return next(steps, None) is not None
        return any(step.area or self._leads_out(step.cell) for step in steps)

    def goal_open(self) -> bool:
        """PG-FOREST-05."""
        if not self.local:
            row = [(x, self.highest) for x in self.columns]
            return any(self._lands(cell) and self._leads_out(cell) for cell in row)
        goal = self.board.settings.goal_row
        cells = [(0, goal - 1), (-1, goal), (1, goal)]
        if self.board.settings.side_entry != "upper":
            cells += [(-1, goal + 1), (1, goal + 1)]
        return any(self.board.on_table(c) and not self.board.is_blocked(c) for c in cells)


# ------------------------------------------------------------------------------------------------
# Chance
# ------------------------------------------------------------------------------------------------


class SeededChance:
    """The shuffle from a named stream of simulate.rng; index 0 after it is the top card."""

    def __init__(self, root: int, block: int, purpose: int = DECK) -> None:
        self.root, self.block, self.purpose = root, block, purpose

    def shuffle(self, kinds: list[str]) -> list[int]:
        stream = np.zeros(1, np.uint64)
        rng.open_stream(stream, 0, self.root, self.block, self.purpose, rng.NO_SEAT)
        order = np.arange(len(kinds), dtype=np.int64)
        rng.shuffle(stream, 0, order, len(kinds))
        return [int(number) for number in order]


class GivenChance:
    """A stack that is known beforehand: indices into the deck, or types; top card first."""

    def __init__(self, order: list[int] | list[str]) -> None:
        self.order = list(order)

    def shuffle(self, kinds: list[str]) -> list[int]:
        left = list(range(len(kinds)))
        found = []
        for one in self.order:
            number = one if isinstance(one, int) else next(i for i in left if kinds[i] == one)
            left.remove(number)
            found.append(number)
        return found


# ------------------------------------------------------------------------------------------------
# The game
# ------------------------------------------------------------------------------------------------


class Twin:
    """One game. ``log``, where given, is a list that receives one dict an event."""

    def __init__(
        self,
        rules: dict[str, Any],
        players: int,
        chance: Any = None,
        log: list[dict[str, Any]] | None = None,
    ) -> None:
        self.settings = Settings(rules, players)
        self.n = players
        self.chance = chance
        self.log = log
        self.figures = [Figure() for _ in range(players)]  # PG-SETUP-02
        self.board = Board(self.settings)
        self.cards: list[Card] = []  # on the slope
        self.stack: list[Card] = []  # top card first
        self.hand: list[Card] = []
        self.aside: list[Card] = []  # unplaceable, this turn
        self.out_of_game: list[Card] = []
        self.lifted: Card | None = None
        self.first_card_done = False
        self.round = 1
        self.seat = 0
        self.turns = 0
        self.final = False
        self.over = False
        self.capped = False
        self.arrivals = 0
        self.tally: Counter[str] = Counter()
        self.trigger: dict[str, int] = {"seat": -1, "area": 0, "gap": 0}
        self.stack_empty_turn = -1
        self.round_ends: list[list[int]] = []  # progress of each seat at each round end
        self.eta: dict[int, list[float]] = {}
        self._kept_ways: tuple[Any, Ways] | None = None
        self._answer: Answer = lambda seat, point, options, seen: options[0]

    # ---- asking (section 4) -------------------------------------------------------------------

    def ask(self, point: str, options: list[Any]) -> Any:
        """One option is taken, more are asked."""
        short, own = point.rsplit("-", 1)[1].lower(), self.figures[self.seat].tally
        if len(options) == 1:
            self.tally["forced"] += 1
            own["forced"] += 1
            return options[0]
        self.tally[f"dec_{short}"] += 1
        self.tally[f"opt_{short}"] += len(options)
        own["asked"] += 1
        own["think_options"] += len(options)
        choice = self._answer(self.seat, point, list(options), self.seen())
        if choice not in options:
            raise ValueError(f"{point}: {choice!r} is not one of {options}")
        return choice

    def seen(self) -> dict[str, Any]:
        """What all players know: everything but the order of the stack."""
        return {
            "round": self.round,
            "seat": self.seat,
            "final": self.final,
            "figures": self.show_figures(),
            "cards": self.show_cards(),
            "hand": [card.kind for card in self.hand],
            "aside": [card.kind for card in self.aside],
            "lifted": self.lifted.kind if self.lifted else None,
            "in_stack": sorted(card.kind for card in self.stack),
            "row_highest": self.highest_row(),
        }

    def show_figures(self) -> list[list[Any]]:
        return [
            ["goal", figure.area, figure.arrival]
            if figure.in_goal
            else [*figure.cell, "lying" if figure.lying else "up"]
            for figure in self.figures
        ]

    def show_cards(self) -> list[list[Any]]:
        return sorted([card.x, card.y, card.top, card.bottom] for card in self.cards)

    def note(self, event: str, **facts: Any) -> None:
        if self.log is not None:
            self.log.append(
                {"event": event, "round": self.round, "seat": self.seat,
                 "row_highest": self.highest_row(), **facts}
            )  # fmt: skip

    # ---- the game -----------------------------------------------------------------------------

    def play(self, answer: Answer) -> dict[str, Any]:
        self._answer = answer
        order = self.chance.shuffle(list(self.settings.deck))  # PG-SETUP-03
        self.stack = [Card(number, self.settings.deck[number]) for number in order]
        while not self.over:
            self.play_turn(self.seat)
        return self.record()

    def play_turn(self, seat: int) -> None:
        """PG-TURN-02: card action, ride or stand up with the effect, book-keeping."""
        self.seat = seat
        figure = self.figures[seat]
        if not figure.in_goal:  # PG-GOAL-04
            self.turns += 1
            figure.tally["turns"] += 1
            figure.tally["stranded_turns"] += not self._ways().has_way(figure.cell)
            self.card_action(seat)
            self.ride(seat)
            self._note_stranded()
        if seat == self.n - 1:
            self._end_round()
        else:
            self.seat = seat + 1  # PG-TURN-01

    def _end_round(self) -> None:
        self.round_ends.append([self.progress(seat) for seat in range(self.n)])
        if self.round in (3, 6):
            self.eta[self.round] = [self.expected_turns(seat) for seat in range(self.n)]
        self.note("round_end")
        if self.final:  # PG-END-01, PG-END-02
            self.over = True
        elif self.round == self.settings.max_rounds:  # PG-END-05
            self.over = self.capped = True
        else:
            self.round += 1
            self.seat = 0

    def highest_row(self) -> int:
        """R (section 3)."""
        goal = self.settings.goal_row
        return min(goal if figure.in_goal else figure.cell[1] for figure in self.figures)

    def progress(self, seat: int) -> int:
        """Section 8.1."""
        figure = self.figures[seat]
        if figure.in_goal:
            return self.settings.last_row + figure.area
        return min(figure.cell[1], self.settings.last_row)

    # ---- the card action (5.2) ----------------------------------------------------------------

    def card_action(self, seat: int) -> None:
        self.seat = seat
        slots = self.settings.cards_per_turn
        if self.settings.reveal == "both_first":
            self._draw_all_then_place(slots)
        else:
            self._draw_one_by_one(slots)
        if self.settings.unplaceable == "under_stack":  # PG-DRAW-05
            self.stack += self.aside
        else:
            self.out_of_game += self.aside
        self.aside = []

    def _draw_all_then_place(self, slots: int) -> None:
        drawn = min(slots, len(self.stack))  # PG-DRAW-01
        for _ in range(drawn):
            self._draw()
        while self.hand and self._place_from_hand():  # PG-DRAW-02
            pass
        self._set_hand_aside()
        for _ in range(slots - drawn):  # PG-DRAW-04
            if not self._empty_slot():
                break  # PG-EMPTY-07

    def _draw_one_by_one(self, slots: int) -> None:
        for _ in range(slots):
            if self.stack:
                self._draw()
                self._place_from_hand()
                self._set_hand_aside()
            elif not self._empty_slot():
                break

    def _draw(self) -> None:
        card = self.stack.pop(0)
        self.hand.append(card)
        self.figures[self.seat].drawn[card.kind] += 1
        self.note("draw", card=card.kind)

    def _set_hand_aside(self) -> None:
        for card in self.hand:
            self.figures[self.seat].tally["unplaced"] += 1
            self.note("unplaceable", card=card.kind)
        self.aside += self.hand
        self.hand = []

    def _place_from_hand(self) -> bool:
        """PG-D-PLACE with the hand; False if no card of it has a legal placement."""
        choices = self.placements(self.hand)
        if not choices:
            return False
        token = self.ask(PLACE, [list(placement) for placement in choices])
        card = choices[tuple(token)]
        self.hand.remove(card)
        self._lay(card, tuple(token), self.seat)
        tally = self.figures[self.seat].tally
        special = [half[0] for half in card.halves if half[0] in SPECIALS]
        for half in special:
            tally[f"placed_{half}"] += 1
        tally["placed_plain2"] += not special
        return True

    def _lay(self, card: Card, placement: Placement, builder: int) -> None:
        card.lay(placement, builder)
        self.cards.append(card)
        self.board.spaces.update(zip(card.cells, (card.top, card.bottom), strict=True))
        self.first_card_done = True
        self.note("place", card=list(placement))

    def _lift(self, card: Card) -> None:
        self.cards.remove(card)
        for cell in card.cells:
            del self.board.spaces[cell]

    # ---- the empty stack (5.8) ----------------------------------------------------------------

    def _empty_slot(self) -> bool:
        """PG-D-EMPTY; False ends the card action."""
        if self.stack_empty_turn < 0:
            self.stack_empty_turn = self.turns
        takeable = self.takeable()
        own = self.figures[self.seat]
        options: list[Any] = [["take", card.x, card.y] for card in takeable]
        ready = own.in_goal or self.board.road_to_goal(own.cell)
        if self.settings.forgo == "free" or ready or not takeable:  # PG-EMPTY-02
            options.insert(0, FORGO)
        choice = self.ask(EMPTY, options)
        if choice == FORGO:
            own.tally["forgone"] += 1
            self.note("forgo")
            return False
        own.tally["taken"] += 1
        card = next(card for card in takeable if ["take", card.x, card.y] == choice)
        old: Placement = (card.x, card.y, card.top, card.bottom)
        builder = card.builder
        self._lift(card)  # PG-EMPTY-04
        self.note("lift", card=list(old))
        self.hand, self.lifted = [card], card
        if not self._place_from_hand():  # PG-EMPTY-06
            self.hand = []
            self._lay(card, old, builder)
            self.tally["cards_returned"] += 1
        self.lifted = None
        return True

    def takeable(self) -> list[Card]:
        """PG-EMPTY-03."""
        stood_on = {figure.cell for figure in self.figures if not figure.in_goal}
        clear = [card for card in self.cards if not stood_on & set(card.cells)]
        among = self.cards if self.settings.occupied == "block" else clear
        if not among:
            return []
        row = min(card.y for card in among)
        return sorted((card for card in clear if card.y == row), key=lambda card: (card.x, card.y))

    # ---- placing (5.3, 5.4) -------------------------------------------------------------------

    def positions(self) -> list[Cell]:
        """Upper cells at which a card may lie, the forest test left out."""
        board, highest = self.board, self.highest_row()
        found = []
        for x in board.columns(self._cells()):
            for y in range(max(0, highest), self.settings.bottom_row):  # PG-PLACE-05, 06
                cells = ((x, y), (x, y + 1))  # PG-PLACE-01
                if not all(board.is_free(cell) for cell in cells):  # PG-PLACE-02
                    continue
                if not any(board.is_anchor(beside) for c in cells for beside in _beside(c)):
                    continue  # PG-PLACE-03
                if not self.first_card_done and not set(cells) & set(self.settings.arrows):
                    continue  # PG-PLACE-04
                found.append((x, y))
        return found

    def placements(self, hand: list[Card]) -> dict[Placement, Card]:
        """PG-D-PLACE: every legal placement and the card of the hand that is laid for it."""
        legal: dict[Placement, Card] = {}
        places = self.positions()
        for card in {card.kind: card for card in reversed(hand)}.values():  # the first of a type
            one, other = card.halves
            for x, y in places:
                for top, bottom in dict.fromkeys([(one, other), (other, one)]):
                    placement = (x, y, top, bottom)
                    if not self.forest_allows(placement):
                        self.tally["forest_veto"] += 1
                    else:
                        legal.setdefault(placement, card)
        return legal

    def forest_allows(self, placement: Placement) -> bool:
        """PG-PLACE-08, PG-FOREST-06."""
        x, y, top, bottom = placement
        if self.settings.forest_scope == "forest_cards" and "F" not in (top, bottom):
            return True
        halves = {(x, y): top, (x, y + 1): bottom}
        highest, cells = self.highest_row(), self._cells()
        if self.settings.forest_cause == "space":
            plain = {cell: "P1" if half == "F" else half for cell, half in halves.items()}
            before = self.board.with_spaces(plain).ways(highest, cells)
        else:
            before = self._ways()
        after = self.board.with_spaces(halves).ways(highest, cells)
        if any(before.has_way(cell) and not after.has_way(cell) for cell in cells):
            return False  # PG-FOREST-01
        return after.goal_open() or not before.goal_open()  # PG-FOREST-02

    def _cells(self) -> list[Cell]:
        return [figure.cell for figure in self.figures if not figure.in_goal]

    def _ways(self) -> Ways:
        """Of the present board; kept while nothing changes."""
        key = (frozenset(self.board.spaces.items()), self.highest_row(), tuple(self._cells()))
        if self._kept_ways is None or self._kept_ways[0] != key:
            self._kept_ways = (key, self.board.ways(self.highest_row(), self._cells()))
        return self._kept_ways[1]

    # ---- riding (5.5, 5.7) --------------------------------------------------------------------

    def ride(self, seat: int) -> None:
        """Action 2 and the effect of the end space."""
        self.seat = seat
        figure = self.figures[seat]
        if figure.in_goal:
            return
        if figure.lying:  # PG-MOVE-10
            figure.lying = False
            figure.tally["turns_stood_up"] += 1
            self.note("stand_up")
            if self.settings.on_stand_up:  # PG-FX-02
                self._effect(seat)
            return
        path = self._choose_path(seat)
        self._count_ride(seat, path)
        if path.ending == "goal":
            self._enter(seat, path.area)
            return  # PG-FX-04
        figure.cell = path.cell
        figure.lying = path.ending == "fall"  # PG-MOVE-09
        self.note(path.ending, to=list(path.cell), by=path.letters)
        if path.ending != "stay":
            self._effect(seat)  # PG-FX-01, PG-FALL-04

    def _choose_path(self, seat: int) -> Path:
        cell = self.figures[seat].cell
        paths = self.board.outcomes(cell, self.board.sign(cell))
        token = self.ask(MOVE, [path.token for path in paths])
        return next(path for path in paths if path.token == token)

    def _enter(self, seat: int, area: int) -> None:
        figure = self.figures[seat]
        if not self.final:
            others = [self.progress(other) for other in range(self.n) if other != seat]
            gap = self.progress(seat) - max(others)
            self.trigger = {"seat": seat, "area": area, "gap": gap}
        self.final = True
        self.arrivals += 1
        figure.area, figure.arrival, figure.goal_round = area, self.arrivals, self.round
        self.note("goal", area=area)

    def _count_ride(self, seat: int, path: Path) -> None:
        tally = self.figures[seat].tally
        start = self.figures[seat].cell
        tally["turns_moved"] += 1
        if start == START:
            tally["starts_lift"] += 1
        else:
            tally[f"starts_{SIGN_NAMES[self.board.spaces[start][1]]}"] += 1
        tally["steps"] += path.steps
        tally["jumps_flown"] += path.flown
        rows = [start[1], *(y for _, y in path.landings)]
        tally["side_steps"] += sum(a == b for a, b in zip(rows, rows[1:], strict=False))
        tally["rows_gained"] += max(0, rows[-1] - rows[0])
        tally["falls"] += path.ending == "fall"
        tally["falls_zero"] += path.ending == "fall" and path.steps == 0
        tally["hut_stops"] += (
            path.ending == "stop" and self.board.spaces.get(path.cell, "")[:1] == "H"
        )
        builders = {cell: card.builder for card in self.cards for cell in card.cells}
        for cell in path.landings:
            builder = builders.get(cell, -1)
            if builder == seat:
                tally["own_cells_ridden"] += 1
            elif builder >= 0:
                tally["others_cells_ridden"] += 1
                self.figures[builder].tally["own_cells_ridden_by_others"] += 1

    # ---- effects (5.6) ------------------------------------------------------------------------

    def _effect(self, seat: int) -> None:
        kind = self.board.spaces.get(self.figures[seat].cell, "")[:1]
        if kind == "S":
            self._throw(seat)
        elif kind == "G":
            self._groom(seat)

    def _throw(self, seat: int) -> None:
        targets = [
            other
            for other, figure in enumerate(self.figures)
            if (other != seat or self.settings.snow_self)
            and (not figure.in_goal or self.settings.snow_goal)
            and (not figure.lying or self.settings.snow_fallen)
        ]  # PG-SNOW-02
        if not targets:
            return  # PG-SNOW-03
        choice = self.ask(SNOW, [*targets, PASS] if self.settings.snow_optional else targets)
        self.note("snowball", target=choice)
        if choice == PASS:
            return
        hit, thrower = self.figures[choice], self.figures[seat]
        thrower.tally["snow_thrown"] += 1
        thrower.tally["snow_on_leader"] += choice == self._leader()
        thrower.tally["snow_wasted"] += hit.lying or hit.in_goal
        hit.tally["snow_received"] += 1
        if not hit.in_goal:
            hit.lying = True  # PG-SNOW-01

    def _groom(self, seat: int) -> None:
        options: list[Any] = [
            [other, list(cell)]
            for other, figure in enumerate(self.figures)
            if (other != seat or self.settings.groom_self) and not figure.in_goal
            for cell in _beside(figure.cell)
            if is_signed(self.board.spaces.get(cell))
        ]  # PG-GROOM-02
        driver = self.figures[seat]
        if not options:
            driver.tally["groom_none"] += 1
            return  # PG-GROOM-05
        choice = self.ask(GROOM, [*options, PASS] if self.settings.groom_optional else options)
        self.note("groomer", choice=choice)
        if choice == PASS:
            return
        moved = self.figures[choice[0]]
        down = choice[1][1] - moved.cell[1]
        where = {-1: "up", 0: "side", 1: "down"}[down]
        driver.tally["groom_used"] += 1
        driver.tally[f"groom_given_{where}"] += 1
        moved.tally[f"groom_received_{where}"] += 1
        moved.cell = tuple(choice[1])  # PG-GROOM-03, PG-GROOM-04: posture kept, no effect

    def _leader(self) -> int:
        """Seat of the unique leader by progress, -1 if shared."""
        return _unique_best([self.progress(seat) for seat in range(self.n)])

    # ---- the end (5.7) ------------------------------------------------------------------------

    def winner(self) -> int:
        """PG-END-03; -1 while the game runs and when it is capped."""
        if not self.over or self.capped:
            return -1
        inside = [seat for seat, figure in enumerate(self.figures) if figure.in_goal]
        return max(inside, key=lambda s: (self.figures[s].area, -self.figures[s].arrival))

    def ranks(self) -> list[float]:
        """PG-END-04."""

        def place(figure: Figure) -> tuple[int, int, int]:
            if figure.in_goal:
                return (0, -figure.area, figure.arrival)
            return (1, -figure.cell[1], 0)

        return _mean_ranks([place(figure) for figure in self.figures])

    def _note_stranded(self) -> None:
        """Figures without way out, as a turn ends."""
        ways = self._ways()
        for figure in self.figures:
            stranded = not figure.in_goal and not ways.has_way(figure.cell)
            self.tally["stranded_events"] += stranded and not figure.stranded
            figure.stranded = stranded

    def expected_turns(self, seat: int) -> float:
        """ETA (section 10)."""
        figure = self.figures[seat]
        if figure.in_goal:
            return 0.0
        goal = self.settings.goal_row
        barred = self.settings.side_entry == "upper"

        def rest(cell: Cell) -> float:
            if cell[1] == goal + 1 and barred:
                return 8.0
            return max(1, goal - cell[1]) / 2

        turns = {figure.cell: 0}
        best = rest(figure.cell)
        for now in range(3):
            for cell in [cell for cell, turn in turns.items() if turn == now]:
                for path in self.board.outcomes(cell, self.board.sign(cell)):
                    then = now + (2 if path.ending == "fall" else 1)
                    if path.ending == "goal":
                        best = min(best, then)
                    elif then < turns.get(path.cell, 99):
                        turns[path.cell] = then
                        best = min(best, then + rest(path.cell))
        return best + figure.lying

    # ---- records (section 8) ------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """{"game": one row, "seats": one row a seat}.

        Readings: ``steps`` and ``side_steps`` are of the path up to the goal entry, a side step
        lands in the row it left; ``rows_gained`` counts the goal as row H + 1 and is never
        negative; ``hut_stops`` is every stop on a hut, ``jumps_flown`` every jump space flown
        over; ``snow_wasted`` is a throw at a lying figure or one in the goal; landings are those
        of every step; figures without way out are looked for as turns end; widths, forest, jumps
        and holes are those of the last board; ``lead_changes`` compares unique leaders, round
        ends without one left out; arrivals and turns count from 1.
        """
        return {"game": self._game_row(), "seats": [self._seat_row(s) for s in range(self.n)]}

    def _total(self, *names: str) -> dict[str, int]:
        return {name: sum(figure.tally[name] for figure in self.figures) for name in names}

    def _game_row(self) -> dict[str, Any]:
        winner, spaces = self.winner(), self.board.spaces
        area = self.figures[winner].area if winner >= 0 else 0
        columns = [x for x, _ in spaces] + [0]
        total = self._total
        row: dict[str, Any] = {
            "n_players": self.n, "rounds": self.round, "turns": self.turns,
            "capped": self.capped, "winner_seat": winner, "winner_area": area,
            "trigger_seat": self.trigger["seat"], "trigger_area": self.trigger["area"],
            "n_in_goal": sum(figure.in_goal for figure in self.figures),
            "tie_broken": winner >= 0
            and sum(figure.area == area for figure in self.figures) > 1,
            "overtaken_in_final": winner >= 0 and winner != self.trigger["seat"],
            "stack_empty_turn": self.stack_empty_turn,
            "cards_left": len(self.stack), "cards_on_slope": len(self.cards),
            "cards_unplaced": total("unplaced")["unplaced"],
            "cards_taken": total("taken")["taken"],
            "cards_returned": self.tally["cards_returned"],
            "forgone": total("forgone")["forgone"],
            "width_left": -min(columns), "width_right": max(columns),
            "lowest_row_built": max((y for _, y in spaces), default=0),
            "forest_on_slope": list(spaces.values()).count("F"),
            "jumps_on_slope": list(spaces.values()).count("J"),
            "holes_unfillable": self.board.unfillable_holes(),
            "forest_veto": self.tally["forest_veto"],
            **total("falls", "falls_zero"),
            "standups": total("turns_stood_up")["turns_stood_up"],
            "snowballs": total("snow_thrown")["snow_thrown"],
            **total("snow_wasted", "groom_none", "hut_stops", "jumps_flown"),
            "groom_up": total("groom_given_up")["groom_given_up"],
            "groom_side": total("groom_given_side")["groom_given_side"],
            "groom_down": total("groom_given_down")["groom_given_down"],
            "stranded_events": self.tally["stranded_events"],
            "stranded_end": sum(figure.stranded for figure in self.figures),
            "gap_trigger": self.trigger["gap"], "forced": self.tally["forced"],
            **self._race_course(),
        }  # fmt: skip
        for short in ("place", "move", "snow", "groom", "empty"):
            row[f"dec_{short}"] = self.tally[f"dec_{short}"]
            row[f"opt_{short}"] = self.tally[f"opt_{short}"]
        return row

    def _race_course(self) -> dict[str, Any]:
        """Columns that look at the round ends."""
        leaders = [_unique_best(progress) for progress in self.round_ends]
        unique = [seat for seat in leaders if seat >= 0]
        half = len(leaders) // 2
        spreads = [max(progress) - min(progress) for progress in self.round_ends]
        return {
            "lead_changes": sum(a != b for a, b in zip(unique, unique[1:], strict=False)),
            "leader_round3": leaders[2] if len(leaders) >= 3 else -1,
            "leader_half": leaders[half - 1] if half else -1,
            "leader_last": leaders[-1],
            "spread_mean": sum(spreads) / len(spreads),
        }

    def _seat_row(self, seat: int) -> dict[str, Any]:
        figure = self.figures[seat]
        names = [
            "turns_moved", "turns_stood_up", "steps", "rows_gained", "side_steps", "starts_blue",
            "starts_red", "starts_black", "starts_lift", "falls", "falls_zero", "hut_stops",
            "jumps_flown", "snow_thrown", "snow_on_leader", "snow_wasted", "snow_received",
            "groom_used", "groom_none", "groom_given_up", "groom_given_side", "groom_given_down",
            "groom_received_up", "groom_received_side", "groom_received_down", "placed_F",
            "placed_J", "placed_S", "placed_G", "placed_H", "placed_plain2", "own_cells_ridden",
            "own_cells_ridden_by_others", "others_cells_ridden", "taken", "forgone", "unplaced",
            "stranded_turns", "asked", "forced", "think_options",
        ]  # fmt: skip
        half = len(self.round_ends) // 2
        ranks = [_mean_ranks([-p for p in progress])[seat] for progress in self.round_ends]
        return {
            "seat": seat,
            "won": seat == self.winner(),
            "rank": self.ranks()[seat],
            "win_share": float(seat == self.winner()),
            "goal_area": figure.area,
            "arrival": figure.arrival,
            "goal_round": figure.goal_round,
            "final_row": self.settings.goal_row if figure.in_goal else figure.cell[1],
            "drawn_types": dict(sorted(figure.drawn.items())),
            "rounds_led": sum(_unique_best(p) == seat for p in self.round_ends),
            "rank_half": ranks[half - 1] if half else None,
            "worst_rank_half": max(ranks[:half], default=None),
            "eta_round3": self.eta[3][seat] if 3 in self.eta else None,
            "eta_round6": self.eta[6][seat] if 6 in self.eta else None,
            **{name: figure.tally[name] for name in names},
        }


def _beside(cell: Cell) -> list[Cell]:
    """Up, down, left, right."""
    x, y = cell
    return [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]


def _unique_best(progress: list[int]) -> int:
    best = max(progress)
    return progress.index(best) if progress.count(best) == 1 else -1


def _mean_ranks(keys: list[Any]) -> list[float]:
    """Rank 1 is the smallest key; equal keys share the mean rank."""
    return [sum(other < key for other in keys) + (keys.count(key) + 1) / 2 for key in keys]


# ------------------------------------------------------------------------------------------------
# Rules of section 2
# ------------------------------------------------------------------------------------------------

DECKS: dict[str, str] = {
    "factorial42": """
        F/P1 F/P1 F/P1 F/P2 F/P2 F/P2 F/P3 F/P3 F/P3 J/P1 J/P1 J/P1 J/P2 J/P2 J/P2 J/P3 J/P3 J/P3
        S1/P1 S1/P2 S1/P3 S2/P1 S2/P2 S2/P3 S3/P1 S3/P2 S3/P3
        G1/P1 G1/P2 G1/P3 G2/P1 G2/P2 G2/P3 G3/P1 G3/P2 G3/P3
        H1/P2 H1/P3 H2/P1 H2/P3 H3/P1 H3/P2""",
    "broad42": """
        F/P1 F/P1 F/P2 F/P2 F/P3 F/P3 J/P1 J/P1 J/P1 J/P2 J/P2 J/P3 J/P3
        S1/P1 S1/P2 S1/P3 S2/P1 S2/P2 S2/P3 S3/P1 G1/P1 G1/P2 G1/P3 G2/P1 G2/P2 G2/P3 G3/P2
        H1/P1 H1/P2 H1/P3 H2/P1 H2/P2 H2/P2 H3/P1
        P1/P1 P1/P1 P1/P2 P1/P2 P1/P2 P1/P3 P2/P2 P2/P3""",
    "wild42": """
        F/P1 F/P1 F/P1 F/P2 F/P2 F/P3 F/P3 F/P3 J/P1 J/P1 J/P2 J/P2 J/P3 J/P3
        S1/P2 S1/P3 S2/P1 S2/P3 S3/P2 G1/P2 G2/P1 G2/P3 G3/P1 G3/P2 H1/P2 H1/P3 H2/P1 H3/P3
        F/S1 F/S3 F/G1 F/G2 J/S2 J/S3 J/G1 J/G3 J/H1 J/H2 S1/G3 S2/G1 S3/H2 G2/H3""",
}

LAYOUTS: dict[str, list[int]] = {
    "open_slope": [],
    "little_grove": [3, 4],
    "slalom_run": [1, 3, 5],
    "timber_track": [1, 2, 5, 6],
    "even_slalom": [2, 4, 6],
    "gatehouses": [1, 6],
    "home_wood": [5, 6],
    "top_wood": [1, 2],
    "long_hedge": [1, 2, 3, 4, 5, 6],
}

# Every value of every switch and figure that a study changes; the first is the default.
ALTERNATIVES: dict[str, list[Any]] = {
    "draw.cards_per_turn.2": [2, 1],
    "draw.cards_per_turn.3": [2, 1],
    "draw.reveal": ["both_first", "one_by_one"],
    "draw.unplaceable": ["under_stack", "out_of_game"],
    "deck.name": ["factorial42", "broad42", "wild42"],
    "lift.start_speed": [1, 2],
    "lift.exits": [["left", "right", "down"], ["left", "right"]],
    "lift.reenter": [True, False],
    "slope.cells_per_card": [2, 1],
    "slope.forest": list(LAYOUTS.values()),
    "slope.forest_cover": [False, True],
    "goal.side_entry": ["both", "upper", "both_deep"],
    "goal.overrun": ["forced", "choice"],
    "board.half_width": [42, 10, 6],
    "board.lower_limit": ["goal_card", "none"],
    "limits.max_rounds": [60, 40, 100],
    "rules.move.full_path": ["mandatory", "free_fall"],
    "rules.move.reversal": ["until_down", "turn"],
    "rules.move.fall_choice": ["dead_end", "longest"],
    "rules.move.no_step": ["fall", "stay"],
    "rules.jump.turn": ["straight", "free"],
    "rules.effects.on_stand_up": [False, True],
    "rules.snowball.optional": [False, True],
    "rules.snowball.fallen_target": [True, False],
    "rules.snowball.goal_target": [False, True],
    "rules.snowball.self_target": [False, True],
    "rules.groomer.optional": [False, True],
    "rules.groomer.self_target": [False, True],
    "rules.forest.scope": ["forest_cards", "all_cards"],
    "rules.forest.way_out": ["goal", "local"],
    "rules.forest.cause": ["card", "space"],
    "rules.placement.anchor": ["any", "rideable"],
    "rules.empty.forgo": ["route_ready", "free"],
    "rules.empty.occupied": ["skip", "block"],
}


def default_rules(overrides: dict[str, Any] | None = None) -> dict[str, Any]:
    """The rules of the specification, with values laid over them by dotted path."""
    rules: dict[str, Any] = {
        "players": {"min": 2, "max": 6},
        "draw": {"cards_per_turn": {str(n): 2 if n <= 3 else 1 for n in range(2, 7)}},
        "deck": {"size": 42, "sets": {name: {"cards": deck.split()} for name, deck in DECKS.items()}},
        "signs": {"blue": 1, "red": 2, "black": 3},
        "slope": {"cards": 6},
        "goal": {"areas": 3},
    }  # fmt: skip
    for path, values in ALTERNATIVES.items():
        _lay_over(rules, path, copy.deepcopy(values[0]))
    for path, value in (overrides or {}).items():
        _lay_over(rules, path, copy.deepcopy(value), known=True)
    return rules


def _lay_over(rules: dict[str, Any], path: str, value: Any, *, known: bool = False) -> None:
    *tables, key = path.split(".")
    for name in tables:
        rules = rules.setdefault(name, {})
    if known and key not in rules:
        raise ValueError(f"unknown rule {path}")
    if isinstance(value, dict) and isinstance(rules.get(key), dict):
        rules[key].update(value)
    else:
        rules[key] = value


# ------------------------------------------------------------------------------------------------
# Bots of section 10
# ------------------------------------------------------------------------------------------------


def bot_u(coin: random.Random) -> Answer:
    """Uniform over the options."""
    return lambda seat, point, options, seen: coin.choice(options)


def bot_n(coin: random.Random) -> Answer:
    """The near builder."""

    def value(seat: int, point: str, option: Any, seen: dict[str, Any]) -> float:
        if point == PLACE:
            x, y, top, bottom = option
            a, b = seen["figures"][seat][:2]
            near = -abs(x - a) - abs(y - (b + 1))
            return -near if {top, bottom} & {"F", "J"} else near
        if point == MOVE:
            ending, where = option
            if ending == "goal":
                return 10_000 + where
            return where[1] + (1_000 if ending == "stop" else 0)
        return 0

    def answer(seat: int, point: str, options: list[Any], seen: dict[str, Any]) -> Any:
        worth = [value(seat, point, option, seen) for option in options]
        best = max(worth)
        return coin.choice([o for o, v in zip(options, worth, strict=True) if v == best])

    return answer


# ------------------------------------------------------------------------------------------------
# Self-check: exact figures of section 11
# ------------------------------------------------------------------------------------------------


class OpenQuestion(Exception):
    """A prefix of answers has come to its end: ``count`` options stand open."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


def all_lines(play: Callable[[Answer], Any]) -> Iterator[tuple[float, Any]]:
    """Every line of decisions of ``play``, with its probability under uniform answers."""
    prefixes: list[tuple[list[int], float]] = [([], 1.0)]
    while prefixes:
        prefix, chance = prefixes.pop()
        left = list(prefix)

        def answer(seat: int, point: str, options: list[Any], seen: dict, left: Any = left) -> Any:
            if not left:
                raise OpenQuestion(len(options))
            return options[left.pop(0)]

        try:
            result = play(answer)
        except OpenQuestion as question:
            for number in range(question.count):
                prefixes.append(([*prefix, number], chance / question.count))
        else:
            yield chance, result


def twin_with(players: int, stack: list[str], **overrides: Any) -> Twin:
    """A game about to begin, with a known stack."""
    paths = {name.replace("__", "."): value for name, value in overrides.items()}
    twin = Twin(default_rules(paths), players)
    twin.stack = [Card(number, kind) for number, kind in enumerate(stack)]
    return twin


class Report:
    """Prints what was found beside what is printed, and remembers whether all agreed."""

    def __init__(self) -> None:
        self.good = True

    def same(self, what: str, found: Any, wanted: Any) -> None:
        agrees = found == wanted
        self.good &= agrees
        print(f"{'ok  ' if agrees else 'DIFF'} {what}: {found}{'' if agrees else f' not {wanted}'}")

    def near(self, what: str, values: list[float], wanted: float, spread: float = 0.0) -> None:
        """Mean within 3.5 standard errors of the printed one (whose own error is ``spread``)."""
        found = np.array(values, float)
        share = bool(np.isin(found, (0, 1)).all()) and 0 < wanted < 1
        deviation = (wanted * (1 - wanted)) ** 0.5 if share else float(found.std())
        error = float(np.hypot(deviation / len(found) ** 0.5, spread))
        far = abs(found.mean() - wanted) / max(error, 1e-9)
        self.good &= far < 3.5
        mark = "ok  " if far < 3.5 else "DIFF"
        print(f"{mark} {what}: {found.mean():.4f} +- {error:.4f}, printed {wanted} ({far:.1f} SE)")


def check_placements(report: Report) -> None:
    """#1 to #3: first cards, sequences of placements with all figures on the start cell."""
    open_deck, slalom = LAYOUTS["open_slope"], LAYOUTS["slalom_run"]
    for name, forest, wanted in (("open", open_deck, 6), ("card 1 forest", slalom, 4)):
        twin = twin_with(4, [], slope__forest=forest)
        report.same(f"#1 {name}", len(twin.placements([Card(0, "F/P2")])), wanted)

    def sequences(kind: str, layout: str, depth: int) -> list[int]:
        counts = [0] * depth

        def grow(laid: list[Placement]) -> None:
            twin = twin_with(4, [], slope__forest=LAYOUTS[layout])
            for placement in laid:
                twin._lay(Card(0, kind), placement, 0)
            for placement in twin.placements([Card(0, kind)]):
                counts[len(laid)] += 1
                if len(laid) + 1 < depth:
                    grow([*laid, placement])

        grow([])
        return counts

    for layout, wanted in {
        "open_slope": [3, 17, 131, 1251], "little_grove": [3, 17, 130, 1204],
        "slalom_run": [2, 8, 48, 374], "timber_track": [2, 8, 46, 338],
        "even_slalom": [3, 16, 108, 882], "long_hedge": [2, 8, 46, 336],
    }.items():  # fmt: skip
        report.same(f"#2 {layout}", sequences("P1/P1", layout, 4), wanted)
    report.same("#3 open", sequences("F/P1", "open_slope", 4), [6, 68, 1020, 18906])
    report.same("#3 slalom", sequences("F/P1", "slalom_run", 4), [4, 30, 330, 4722])


def check_steps(report: Report) -> None:
    """#4: paths and end cells on an open field."""
    for mode, paths, ends in (
        ("until_down", [3, 7, 17], [3, 5, 8]),
        ("turn", [3, 7, 15], [3, 5, 7]),
    ):
        settings = Settings(default_rules({"rules.move.reversal": mode}), 4)
        board = Board(settings, {(x, y): "P1" for x in range(10, 30) for y in range(12)})
        found = [board.paths((20, 2), n) for n in (1, 2, 3)]
        report.same(f"#4 paths {mode}", [len(one) for one in found], paths)
        report.same(f"#4 ends {mode}", [len({p.cell for p in one}) for one in found], ends)


def check_leaves(report: Report) -> None:
    """#5 and #6: decision leaves of the first turns."""
    types = DECKS["factorial42"].split()
    first = [0, 9, 18, 27, 36]
    stack = [types[i] for i in first] + [types[i] for i in range(42) if i not in first]

    def leaves(players: int, turns: int, forest: list[int], cards: list[str]) -> int:
        def play(answer: Answer) -> None:
            twin = twin_with(players, cards, slope__forest=forest)
            twin._answer = answer
            for seat in range(turns):
                twin.play_turn(seat)

        return sum(1 for _ in all_lines(play))

    for layout, wanted in {
        "open_slope": [6, 76, 1768], "little_grove": [6, 76, 1760], "slalom_run": [4, 34, 540],
    }.items():  # fmt: skip
        found = [leaves(4, turns, LAYOUTS[layout], stack) for turns in (1, 2, 3)]
        report.same(f"#5 {layout}", found, wanted)
    report.same("#6 open, 1 turn", leaves(2, 1, [], stack), 152)
    report.same("#6 slalom, 1 turn", leaves(2, 1, LAYOUTS["slalom_run"], stack), 68)
    report.same("#6 slalom, 2 turns", leaves(2, 2, LAYOUTS["slalom_run"], stack), 31632)


def check_first_turns(report: Report, *, seat_1: bool) -> None:
    """#7 and, where asked for (minutes), #8."""
    types = Counter(DECKS["factorial42"].split())

    def facts(turns: int, forest: list[int]) -> dict[str, float]:
        sums: Counter[str] = Counter()
        pairs = [
            ([a, b], types[a] / 42 * (types[b] - (a == b)) / 41)
            for a in types for b in types
        ] if turns == 2 else [([a], types[a] / 42) for a in types]  # fmt: skip
        for cards, weight in pairs:
            if weight == 0:
                continue

            def play(answer: Answer, cards: list[str] = cards) -> dict[str, float]:
                twin = twin_with(4, cards, slope__forest=forest)
                twin._answer = answer
                for seat in range(turns):
                    twin.play_turn(seat)
                me = twin.figures[turns - 1]
                return {
                    "lies": me.lying, "falls": me.tally["falls"], "row": me.cell[1],
                    "throws": me.tally["snow_thrown"], "grooms": me.tally["groom_used"],
                    "stood": me.tally["turns_stood_up"],
                }  # fmt: skip

            for chance, found in all_lines(play):
                for name, value in found.items():
                    sums[name] += weight * chance * value
        return {name: round(value, 9) for name, value in sums.items()}

    found = facts(1, [])
    for name, wanted in {"falls": 5 / 28, "throws": 3 / 28, "grooms": 3 / 28, "row": 1 / 3}.items():
        report.same(f"#7 {name}", found[name], round(wanted, 9))
    found = facts(1, LAYOUTS["slalom_run"])
    for name, wanted in {"falls": 3 / 14, "row": 0.0}.items():
        report.same(f"#7 slalom {name}", found[name], round(wanted, 9))
    if seat_1:
        found = facts(2, [])
        for name, wanted in {
            "lies": 86309 / 723240, "stood": 1 / 28, "throws": 20833 / 241080,
            "grooms": 22943 / 271215, "row": 107221 / 271215,
        }.items():  # fmt: skip
            report.same(f"#8 {name}", found[name], round(wanted, 9))


def check_seat_1(report: Report, games: int) -> None:
    """#8 by simulation."""
    rows = []
    for block in range(games):
        twin = Twin(default_rules(), 4, SeededChance(8, block))
        order = twin.chance.shuffle(list(twin.settings.deck))
        twin.stack = [Card(number, twin.settings.deck[number]) for number in order]
        twin._answer = bot_u(random.Random(block))
        twin.play_turn(0)
        twin.play_turn(1)
        me = twin.figures[1]
        tally = me.tally
        rows.append([
            me.lying, tally["turns_stood_up"], tally["snow_thrown"], tally["groom_used"], me.cell[1],
        ])  # fmt: skip
    wanted = {
        "lies": 86309 / 723240, "stood up": 1 / 28, "throws": 20833 / 241080,
        "grooms": 22943 / 271215, "row": 107221 / 271215,
    }  # fmt: skip
    for (name, value), column in zip(wanted.items(), zip(*rows, strict=True), strict=True):
        report.near(f"#8 {name}, simulated", list(column), value)


def check_empty_turns(report: Report) -> None:
    """#10: the first turn that meets an empty stack."""
    types = [kind for kind in DECKS["broad42"].split() if kind.startswith("P")] * 6
    for n, (seat, round_number) in {
        2: (1, 11),
        3: (0, 8),
        4: (2, 11),
        5: (2, 9),
        6: (0, 8),
    }.items():
        twin = twin_with(n, types[:42])
        coin = random.Random(n)
        twin._answer = bot_u(coin)
        while twin.stack_empty_turn < 0:
            seat_now, round_now = twin.seat, twin.round
            for figure in twin.figures:  # nobody leaves the top, so that every card can be placed
                figure.cell, figure.lying = START, True
            twin.play_turn(twin.seat)
        report.same(f"#10 {n} players", (seat_now, round_now), (seat, round_number))


PATTERN = ["P1", "P2", "P3", "F", "J", "H2", "S1", "G3", "P2", "P1", "H1", "J", "P3"]


def pattern_board(settings: Settings, *, thinned: bool) -> Board:
    """Boards A and B of section 11."""
    spaces = {
        (x, y): PATTERN[(3 * x + 5 * y) % 13]
        for x in range(-6, 7)
        for y in range(1, 13)
        if not (thinned and (x * x + (y - 1 + y % 2)) % 3 == 0)
    }
    return Board(settings, spaces)


def check_patterns(report: Report) -> None:
    """#15 to #17."""
    figures = {
        (False, ()): [(294, 1, 1), (460, 1, 3), (718, 1, 5)],
        (False, ("reversal", "turn")): [None, None, (645, 1, 5)],
        (False, ("jump", "free")): [(354, 0, 1), (615, 0, 4), (967, 0, 8)],
        (False, ("full", "free_fall")): [(294, 1, 1), (460, 14, 3), (718, 35, 5)],
        (True, ()): [(131, 6, 1), (164, 20, 1), (193, 24, 1)],
        (True, ("reversal", "turn")): [None, None, (177, 24, 1)],
        (True, ("jump", "free")): [(153, 6, 1), (209, 16, 1), (250, 24, 1)],
        (True, ("full", "free_fall")): [(131, 6, 1), (164, 26, 1), (193, 46, 1)],
    }
    keys = {"reversal": "rules.move.reversal", "jump": "rules.jump.turn",
            "full": "rules.move.full_path"}  # fmt: skip
    for (thinned, switch), wanted in figures.items():
        overrides = {keys[switch[0]]: switch[1]} if switch else {}
        board = pattern_board(Settings(default_rules(overrides), 4), thinned=thinned)
        for number, triple in enumerate(wanted, start=1):
            if triple is None:
                continue
            found: Counter[str] = Counter()
            for cell, kind in list(board.spaces.items()):
                if is_signed(kind):
                    board.spaces[cell] = f"P{number}"
                    found.update(path.ending for path in board.outcomes(cell, number))
                    board.spaces[cell] = kind
            name = f"#{16 if thinned else 15} {' '.join(switch) or 'default'}, sign {number}"
            report.same(name, (found["stop"], found["fall"], found["goal"]), triple)
    rows = []
    for row in (0, 3, 5, 9, 12):
        twin = twin_with(2, [])
        twin.board = pattern_board(twin.settings, thinned=True)
        twin.first_card_done = True
        for figure in twin.figures:
            figure.cell = (0, row) if row else START
        rows.append(len(twin.positions()))
    report.same("#17", rows, [60, 54, 47, 31, 14])


def check_columns(report: Report, drops: int) -> None:
    """#11, #13, #14: a lone figure in a straight column."""

    def drop(column: list[str], speed: int = 1) -> tuple[int, int, int]:
        twin = twin_with(2, [], lift__start_speed=speed)
        twin.board.spaces = {(0, y): kind for y, kind in enumerate(column, start=1)}
        turns, figure = 0, twin.figures[0]
        while not figure.in_goal:
            twin.figures[1] = Figure()
            twin.ride(0)
            turns += 1
        return turns, figure.area, figure.tally["falls"]

    for number, wanted in ((1, (13, 1, 0)), (2, (7, 1, 0)), (3, (5, 1, 0))):
        report.same(f"#14 sign {number}", drop([f"P{number}"] * 12), wanted)
    coin = random.Random(11)
    for speed, turns in ((1, 1299067 / 177147), (2, 6.83272)):
        found = [drop([coin.choice(["P1", "P2", "P3"]) for _ in range(12)], speed)
                 for _ in range(drops)]  # fmt: skip
        report.near(f"#11 turns, start speed {speed}", [f[0] for f in found], turns)
        for area, share in zip((1, 2, 3), (0.50031, 0.33284, 0.16685), strict=True):
            if speed == 1:
                report.near(f"#11 area {area}", [f[1] == area for f in found], share)
    types = DECKS["factorial42"].split()
    found = []
    while len(found) < drops:
        cards = [card.split("/") for card in coin.sample(types, 6)]
        column = [half for card in cards for half in coin.sample(card, 2)]
        if "F" not in column:
            found.append(drop(column))
    report.near("#13 turns", [f[0] for f in found], 6.840, 0.004)
    report.near("#13 falls", [f[2] for f in found], 0.0)
    for area, share in zip((1, 2, 3), (0.472, 0.349, 0.180), strict=True):
        report.near(f"#13 area {area}", [f[1] == area for f in found], share, 0.002)


# ------------------------------------------------------------------------------------------------
# Self-check: a second search on small slopes
# ------------------------------------------------------------------------------------------------


def crude_paths(board: Board, cell: Cell, count: int) -> set[str]:
    """Outcomes by trying every string of cell moves (independent of Board.steps)."""
    settings, spaces = board.settings, board.spaces
    goal = settings.goal_row

    def walk(word: str) -> tuple[str, Cell, int, int] | None:
        """Where a word of cell moves leads: state, cell, steps, landing area."""
        x, y = cell
        steps, state, area, run = 0, "land", 0, ""
        for number, letter in enumerate(word):
            if state in ("goal", "hut") or steps == count:
                return None
            if state == "air" and settings.jump_turn == "straight" and letter != run:
                return None
            told = word[:number]
            last = (told if settings.reversal == "until_down" else told.replace("D", ""))[-1:]
            if {letter, last} == {"L", "R"}:
                return None
            run = letter
            x, y = x + {"L": -1, "R": 1, "D": 0}[letter], y + (letter == "D")
            kind = spaces.get((x, y), "")
            if kind == "J":
                state = "air"
                continue
            steps += 1
            if x == 0 and y == goal:
                state, area = "goal", 1
            elif x == 0 and y == goal + 1 and letter != "D" and settings.side_entry != "upper":
                state, area = "goal", 1 if settings.side_entry == "both" else 2
            elif kind[:1] == "H":
                state = "hut"
            elif kind[:1] in ("P", "S", "G") and kind:
                state = "land"
            elif (x, y) == (0, 0) and settings.reenter:
                state = "land"
            else:
                return None
        return state, (x, y), steps, area

    full, falls = set(), {}
    words = [""]
    while words:
        word = words.pop()
        state, at, steps, area = walk(word)  # type: ignore[misc]
        if state == "goal":
            deepest = min(settings.areas, area + count - steps)
            first = area if settings.overrun == "choice" else deepest
            full |= {str(["goal", a]) for a in range(first, deepest + 1)}
        elif state == "hut" or (state == "land" and steps == count and word):
            full.add(str(["stop", list(at)]))
        else:
            more = [word + letter for letter in "DLR" if walk(word + letter)]
            words += more
            if state == "land" and not any(_lands_at_last(walk, one) for one in more):
                falls[word] = (steps, str(["fall", list(at)]))
    most = max((steps for steps, _ in falls.values()), default=0)
    ends = {t for s, t in falls.values() if settings.fall_choice != "longest" or s == most}
    if not full and settings.no_step == "stay" and set(falls) == {""}:
        return {str(["stop", list(cell)])}
    return full | ends if settings.full_path == "free_fall" or not full else full


def _lands_at_last(walk: Callable[[str], Any], word: str) -> bool:
    """Whether a word, or a longer one that flies on, comes down."""
    if walk(word)[0] != "air":
        return True
    return any(_lands_at_last(walk, word + c) for c in "DLR" if walk(word + c))


def crude_way(board: Board, highest: int, cell: Cell) -> bool:
    """A way out by walking forward over cells that are ridden or that a card could cover."""
    settings, spaces = board.settings, board.spaces
    edge, bottom, goal = settings.half_width, settings.bottom_row, settings.goal_row

    def empty(x: int, y: int) -> bool:
        if abs(x) > edge or not highest <= y <= bottom or (x, y) in spaces or (x, y) == (0, 0):
            return False
        wall = (x, y) in settings.walls and not settings.forest_cover
        return not (x == 0 and y in (goal, goal + 1)) and not wall

    def ridable(x: int, y: int) -> bool:
        if (x, y) in spaces:
            return spaces[x, y][0] in "PSGH"
        if (x, y) == (0, 0):
            return settings.reenter
        return empty(x, y) and (empty(x, y - 1) or empty(x, y + 1))

    seen: set[Cell] = set()

    def out(x: int, y: int) -> bool:
        seen.add((x, y))
        return any(fly(x, y, letter, frozenset()) for letter in "RLD")

    def fly(x: int, y: int, letter: str, over: frozenset[Cell]) -> bool:
        x, y = x + {"L": -1, "R": 1, "D": 0}[letter], y + (letter == "D")
        if spaces.get((x, y)) == "J":
            if (x, y) in over:
                return False
            turns = "DLR" if settings.jump_turn == "free" else letter
            return any(fly(x, y, turn, over | {(x, y)}) for turn in turns)
        if x == 0 and y == goal:
            return True
        if x == 0 and y == goal + 1:
            return letter != "D" and settings.side_entry != "upper"
        if not ridable(x, y):
            return False
        if settings.way_out == "local":
            return True
        return (x, y) not in seen and out(x, y)

    return out(*cell)


def random_board(coin: random.Random) -> Twin:
    """A small slope with random cards, and figures on it."""
    overrides = {
        path: coin.choice(values)
        for path, values in ALTERNATIVES.items()
        if path.startswith(("rules.", "goal.", "lift.reenter", "slope.forest"))
        and coin.random() < 0.3
    }
    rules = default_rules(
        {**overrides, "slope.cells_per_card": 1, "board.half_width": coin.choice([2, 3, 4])}
    )
    rules["slope"]["cards"] = coin.choice([2, 3, 4])
    rules["slope"]["forest"] = [k for k in rules["slope"]["forest"] if k <= rules["slope"]["cards"]]
    twin = Twin(rules, 3)
    kinds = ["P1", "P2", "P3", "P3", "F", "F", "J", "J", "H2", "S3", "G2"]
    for _ in range(coin.randint(1, 14)):
        places = twin.positions()
        if not places:
            break
        x, y = coin.choice(places)
        card = Card(0, f"{coin.choice(kinds)}/{coin.choice(kinds)}")
        twin._lay(card, (x, y, *card.halves), 0)
    spots = [cell for cell, kind in twin.board.spaces.items() if is_signed(kind)] + [START]
    for figure in twin.figures:
        figure.cell = coin.choice(spots)
    return twin


def check_searches(report: Report, boards: int) -> None:
    """Paths, ways out and forest legality against the cruder searches."""
    coin = random.Random(5)
    wrong: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for _ in range(boards):
        twin = random_board(coin)
        board = twin.board
        for figure in twin.figures:
            for count in (1, 2, 3):
                mine = {str(path.token) for path in board.outcomes(figure.cell, count)}
                tried["outcome sets"] += 1
                wrong["outcome sets"] += mine != crude_paths(board, figure.cell, count)
        for kind in ("F/P1", "J/P2"):
            for x, y in twin.positions():
                one, other = kind.split("/")
                for top, bottom in ((one, other), (other, one)):
                    tried["placements"] += 1
                    mine = twin.forest_allows((x, y, top, bottom))
                    wrong["placements"] += mine != _crude_legal(twin, x, y, top, bottom)
                    tried["struck out"] += not mine
    for what, number in tried.items():
        report.same(f"second search, {number} {what}, differences", wrong[what], 0)


def _crude_legal(twin: Twin, x: int, y: int, top: str, bottom: str) -> bool:
    settings, highest = twin.settings, twin.highest_row()
    if settings.forest_scope == "forest_cards" and "F" not in (top, bottom):
        return True
    after = Board(settings, {**twin.board.spaces, (x, y): top, (x, y + 1): bottom})
    before = twin.board
    if settings.forest_cause == "space":
        plain = {(x, y): top.replace("F", "P1"), (x, y + 1): bottom.replace("F", "P1")}
        before = Board(settings, {**twin.board.spaces, **plain})

    def open_goal(board: Board) -> bool:
        if settings.way_out == "local":
            return board.ways(highest, []).goal_open()
        edge = range(-settings.half_width, settings.half_width + 1)
        return any(
            board.is_open((column, highest), highest)
            and crude_way(board, highest, (column, highest))
            for column in edge
        )

    for figure in twin.figures:
        if crude_way(before, highest, figure.cell) and not crude_way(after, highest, figure.cell):
            return False
    return open_goal(after) or not open_goal(before)


# ------------------------------------------------------------------------------------------------
# Self-check: random games
# ------------------------------------------------------------------------------------------------


def check_state(twin: Twin) -> None:
    """Cards are conserved, figures stand where they may, the board agrees with its cards."""
    everywhere = [*twin.stack, *twin.hand, *twin.aside, *twin.cards, *twin.out_of_game]
    numbers = sorted(card.number for card in everywhere)
    lifted = [twin.lifted.number] if twin.lifted and twin.lifted not in everywhere else []
    assert sorted(numbers + lifted) == list(range(len(twin.settings.deck))), "cards"
    laid = {
        cell: half
        for card in twin.cards
        for cell, half in zip(card.cells, (card.top, card.bottom), strict=True)
    }
    assert laid == twin.board.spaces and len(laid) == 2 * len(twin.cards), "cells"
    assert all(sorted((c.top, c.bottom)) == sorted(c.halves) for c in twin.cards), "halves"
    assert all(twin.board.on_table(cell) and cell != START for cell in laid), "table"
    assert not any(twin.board.is_goal(cell) for cell in laid), "goal covered"
    assert twin.settings.forest_cover or not twin.settings.walls & set(laid), "walls covered"
    for figure in twin.figures:
        if figure.in_goal:
            assert 1 <= figure.area <= twin.settings.areas and not figure.lying
        else:
            assert figure.cell == START or is_signed(laid.get(figure.cell)), "a figure's space"
    arrivals = sorted(figure.arrival for figure in twin.figures if figure.in_goal)
    assert arrivals == list(range(1, len(arrivals) + 1)), "arrivals"


def watched(twin: Twin, bot: Answer) -> Answer:
    """A bot whose every question is an occasion to look at the state and the options."""

    def answer(seat: int, point: str, options: list[Any], seen: dict[str, Any]) -> Any:
        check_state(twin)
        tokens = [str(option) for option in options]
        assert len(tokens) >= 2 and len(set(tokens)) == len(tokens), (point, options)
        assert seat == twin.seat
        if point == PLACE:
            for x, y, _, _ in options:
                assert y >= seen["row_highest"]
                assert twin.board.is_free((x, y)) and twin.board.is_free((x, y + 1))
        return bot(seat, point, options, seen)

    return answer


def random_overrides(coin: random.Random) -> dict[str, Any]:
    """A random mix of switches."""
    found = {p: coin.choice(values) for p, values in ALTERNATIVES.items() if coin.random() < 0.2}
    if coin.random() < 0.3:
        found["slope.forest"] = sorted(coin.sample(range(1, 7), coin.randint(0, 6)))
    return found


def check_games(report: Report, games: int, cap: int, first: int = 2) -> None:
    """Random games of every player count, default rules and mixed ones, every state looked at."""
    began = time.time()
    for players in range(first, 7):
        rows = []
        for block in range(games):
            coin = random.Random(players * 100_000 + block)
            overrides = random_overrides(coin) if block % 2 else {}
            overrides["limits.max_rounds"] = cap
            twin = Twin(default_rules(overrides), players, SeededChance(7, block))
            record = twin.play(watched(twin, (bot_u if block % 4 < 2 else bot_n)(coin)))
            check_state(twin)
            assert abs(sum(twin.ranks()) - players * (players + 1) / 2) < 1e-9
            rows.append(record["game"])
        finished = [row for row in rows if not row["capped"]]
        print(
            f"     {players} players: {games} games, {len(finished)} finished, mean rounds of those "
            f"{np.mean([row['rounds'] for row in finished]):.2f}, asked "
            f"{np.mean([sum(row[f'dec_{s}'] for s in DECISIONS) for row in rows]):.1f}, "
            f"winner area {np.mean([row['winner_area'] for row in finished]):.3f}"
        )
    print(f"     {time.time() - began:.0f} s")
    print(f"ok   every state of {(7 - first) * games} games was as it must be")


DECISIONS = ("place", "move", "snow", "groom", "empty")


def check_two_rounds(report: Report, games: int) -> None:
    """#18 to #23: bot U, stopped after two full rounds."""
    printed = {
        2: [1.1665, 0.3381, 0.3723, 0.3241, 0.1332, 0.4318, 27.001, 5.440, 0.0276],
        4: [1.1209, 0.7787, 0.7430, 0.7033, 0.1233, 0.9285, 18.932, 5.460, 0.0522],
        6: [1.1609, 0.9131, 1.1567, 1.1105, 0.1023, 1.3040, 24.630, 6.978, 0.1024],
    }
    names = ["#18 mean row", "#19 falls", "#20 throws", "#20 groomer moves", "#21 share lying",
             "#21 stand-ups", "#22 options of a placement", "#22 columns", "#23 stuck"]  # fmt: skip
    for n, wanted in printed.items():
        rows: list[list[float]] = []
        for block in range(games):
            twin = Twin(default_rules({"limits.max_rounds": 2}), n, SeededChance(3, block))
            game = twin.play(bot_u(random.Random(block)))["game"]
            groomed = game["groom_up"] + game["groom_side"] + game["groom_down"]
            rows.append([
                sum(twin.progress(seat) for seat in range(n)) / n, game["falls"],
                game["snowballs"], groomed, sum(f.lying for f in twin.figures) / n,
                game["standups"], game["opt_place"] / game["dec_place"],
                game["width_left"] + game["width_right"] + 1, game["stranded_end"],
            ])  # fmt: skip
        for name, value, column in zip(names, wanted, zip(*rows, strict=True), strict=True):
            report.near(f"{name}, {n} players", list(column), value)


def check_whole_games(report: Report, games: int) -> None:
    """#24 to #29: bot N whole games, bot U capped at 20 rounds."""
    printed = {
        2: (0.981, 10.247, [0.466, 0.515], 1.669, 1.231),
        4: (0.991, 10.264, [0.212, 0.242, 0.257, 0.280], 1.680, 1.545),
        6: (0.997, 9.037, [0.127, 0.148, 0.167, 0.177, 0.186, 0.193], 1.688, 1.788),
    }

    def play(n: int, make: Any, **overrides: Any) -> list[dict[str, Any]]:
        paths = {name.replace("__", "."): value for name, value in overrides.items()}
        return [
            Twin(default_rules(paths), n, SeededChance(9, b)).play(make(random.Random(b)))["game"]
            for b in range(games)
        ]

    for n, (finished, rounds, wins, area, inside) in printed.items():
        rows = play(n, bot_n)
        ended = [row for row in rows if not row["capped"]]
        report.near(f"#24 finished, {n}", [not row["capped"] for row in rows], finished)
        report.near(f"#24 rounds, {n}", [row["rounds"] for row in ended], rounds)
        for seat, share in enumerate(wins):
            report.near(f"#25 wins of {seat}/{n}", [r["winner_seat"] == seat for r in rows], share)
        report.near(f"#26 winner area, {n}", [row["winner_area"] for row in ended], area)
        report.near(f"#26 in the goal, {n}", [row["n_in_goal"] for row in ended], inside)
        if n == 4:
            report.near("#29 throws", [row["snowballs"] for row in rows], 5.62, 0.02)
    rows = play(4, bot_u, limits__max_rounds=20)
    ended = [row for row in rows if not row["capped"]]
    report.near("#27 finished", [not row["capped"] for row in rows], 0.2684)
    report.near("#27 rounds", [row["rounds"] for row in ended], 16.39)
    report.near("#27 cards taken", [row["cards_taken"] for row in rows], 32.15)
    report.near("#27 laid", [row["cards_taken"] - row["cards_returned"] for row in rows], 32.15)
    report.near("#27 forgone", [row["forgone"] for row in rows], 2.01)
    for name, overrides, rounds in (
        ("little_grove", {"slope__forest": [3, 4]}, 11.29),
        ("slalom_run", {"slope__forest": [1, 3, 5]}, 11.92),
        ("timber_track", {"slope__forest": [1, 2, 5, 6]}, 11.96),
        ("broad42", {"deck__name": "broad42"}, 9.65),
        ("wild42", {"deck__name": "wild42"}, 12.23),
    ):
        ended = [row for row in play(4, bot_n, **overrides) if not row["capped"]]
        report.near(f"#28 rounds, {name}", [row["rounds"] for row in ended], rounds)
    rows = play(4, bot_n, rules__effects__on_stand_up=True)
    report.near("#29 throws, on_stand_up", [row["snowballs"] for row in rows], 7.85, 0.07)


def self_check(parts: list[str]) -> bool:
    report = Report()
    checks: dict[str, Callable[[], None]] = {
        "placements": lambda: check_placements(report),
        "steps": lambda: check_steps(report),
        "leaves": lambda: check_leaves(report),
        "first": lambda: check_first_turns(report, seat_1=False),
        "seat1": lambda: check_first_turns(report, seat_1=True),
        "seat1_simulated": lambda: check_seat_1(report, 3000),
        "empty": lambda: check_empty_turns(report),
        "patterns": lambda: check_patterns(report),
        "columns": lambda: check_columns(report, 3000),
        "searches": lambda: check_searches(report, 1500),
        "games": lambda: check_games(report, 200, 15),
        "two_rounds": lambda: check_two_rounds(report, 600),
        "whole": lambda: check_whole_games(report, 100),
    }
    for name in parts or [name for name in checks if name != "seat1"]:
        checks[name]()
    print("all agree" if report.good else "SOME DIFFER")
    return report.good


if __name__ == "__main__":
    sys.exit(0 if self_check(sys.argv[1:]) else 1)
