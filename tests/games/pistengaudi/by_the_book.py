"""Riding, placing and the forest rule by exhaustion, each read straight from the specification.

A slope is a dict of cells, a path a word of cell moves ("DLL"), and every cell of the table is
looked at: slow, and meant to be obviously right. Nothing here knows the engine. Rules are the plain
dict that ``schema.resolved`` gives and that a replay's first event tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Cell = tuple[int, int]
Outcome = tuple[str, Any]  # ("stop", cell), ("fall", cell), ("goal", area)
Placement = tuple[int, int, str, str]  # column, upper row, upper half, lower half

LIFT: Cell = (0, 0)
WAYS: dict[str, Cell] = {"L": (-1, 0), "R": (1, 0), "D": (0, 1)}  # walks try the last one first
OPPOSITE = {"L": "R", "R": "L"}
COLOURS = {"1": "blue", "2": "red", "3": "black"}
SIGNED = "PHSG"


def moved(cell: Cell, way: str) -> Cell:
    """The next cell down, left or right."""
    return cell[0] + WAYS[way][0], cell[1] + WAYS[way][1]


def beside(cell: Cell) -> list[Cell]:
    """The cells that share an edge with a cell."""
    x, y = cell
    return [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]


@dataclass
class Slope:
    """A table with piste spaces ("P1", "J", …) on some cells."""

    rules: Mapping[str, Any]
    spaces: dict[Cell, str] = field(default_factory=dict)

    # ------------------------------------------------------------ what lies where
    @property
    def height(self) -> int:
        """H, the last row of the slope cards."""
        return int(self.rules["slope"]["height"])

    @property
    def goal(self) -> list[Cell]:
        """The two halves of the goal card."""
        return [(0, self.height + 1), (0, self.height + 2)]

    @property
    def table(self) -> Iterator[Cell]:
        """Every cell of the table, from left to right and down."""
        wide, last = self.rules["board"]["half_width"], self.rules["board"]["last_row"]
        return ((x, y) for x in range(-wide, wide + 1) for y in range(last + 1))

    def on_table(self, cell: Cell) -> bool:
        """PG-PLACE-06."""
        board = self.rules["board"]
        return abs(cell[0]) <= board["half_width"] and 0 <= cell[1] <= board["last_row"]

    def is_wall(self, cell: Cell) -> bool:
        """A slope card on its forest side."""
        covered = self.rules["slope"]["forest_cover"]
        return cell[0] == 0 and cell[1] in self.rules["slope"]["walls"] and not covered

    def is_free(self, cell: Cell) -> bool:
        """Spec 2.2: no piste space, not the lift, the goal or a wall."""
        taken = cell in self.spaces or cell == LIFT or cell in self.goal
        return self.on_table(cell) and not taken and not self.is_wall(cell)

    def can_rest(self, cell: Cell) -> bool:
        """PG-MOVE-03: a space that a step can land on, the goal apart."""
        if cell == LIFT:
            return bool(self.rules["lift"]["reenter"])
        return self.spaces.get(cell, "-")[0] in SIGNED

    def entered(self, cell: Cell, way: str) -> int:
        """PG-GOAL-01: the area that a step onto a cell enters, 0 for none."""
        upper, lower = self.goal
        entry = self.rules["goal"]["side_entry"]
        if cell == upper:
            return 1
        if cell == lower and way != "D" and entry != "upper":
            return 2 if entry == "both_deep" else 1
        return 0

    # ------------------------------------------------------------ riding
    def speed(self, cell: Cell) -> int:
        """PG-MOVE-01."""
        if cell == LIFT:
            return int(self.rules["lift"]["start_speed"])
        return int(self.rules["signs"][COLOURS[self.spaces[cell][1]]])

    def is_banned(self, word: str, way: str) -> bool:
        """PG-MOVE-05: left after right, or the reverse, without a step down in between."""
        if way == "D":
            return False
        whole = self.rules["rules"]["move"]["reversal"] == "turn"
        since = word if whole else word.rsplit("D", 1)[-1]
        return OPPOSITE[way] in since

    def steps(self, word: str, cell: Cell, *, ban: bool = True) -> Iterator[tuple[str, Cell]]:
        """PG-JUMP-01: single steps from a cell: the word with them, and where they come to.

        Whether a step may land there is not asked, only ski jumps are flown over.
        """
        for way in WAYS:
            if not (ban and self.is_banned(word, way)):
                yield from self._over_jumps(word + way, moved(cell, way), frozenset(), ban=ban)

    def _over_jumps(
        self, word: str, cell: Cell, flown: frozenset[Cell], *, ban: bool
    ) -> Iterator[tuple[str, Cell]]:
        """From a cell move on: over ski jumps, none of them twice."""
        if self.spaces.get(cell) != "J":
            yield word, cell
            return
        straight = self.rules["rules"]["jump"]["turn"] == "straight"
        for way in word[-1] if straight else WAYS:
            if cell not in flown and not (ban and self.is_banned(word, way)):
                yield from self._over_jumps(word + way, moved(cell, way), flown | {cell}, ban=ban)

    def outcomes(self, cell: Cell) -> set[Outcome]:
        """PG-MOVE-07: every outcome of a move that starts on a cell."""
        move = self.rules["rules"]["move"]
        full: set[Outcome] = set()
        falls: set[tuple[int, Cell]] = set()  # steps ridden, where
        count = self.speed(cell)

        def ride(word: str, here: Cell, used: int) -> None:
            landings = [
                (longer, to)
                for longer, to in self.steps(word, here)
                if self.can_rest(to) or self.entered(to, longer[-1])
            ]
            if not landings:
                falls.add((used, here))
            for longer, to in landings:
                area = self.entered(to, longer[-1])
                if area:
                    full.update(("goal", one) for one in self._areas(area, count - used - 1))
                elif used + 1 == count or self.spaces.get(to, "-")[0] == "H":
                    full.add(("stop", to))
                else:
                    ride(longer, to, used + 1)

        ride("", cell, 0)
        if (0, cell) in falls and move["no_step"] == "stay":
            return {("stop", cell)}
        if move["fall_choice"] == "longest":
            most = max((used for used, _ in falls), default=0)
            falls = {fall for fall in falls if fall[0] == most}
        lying: set[Outcome] = {("fall", here) for _, here in falls}
        if move["full_path"] == "free_fall":
            return full | lying
        return full or lying

    def _areas(self, area: int, left: int) -> range:
        """PG-GOAL-02, PG-GOAL-03: areas that a figure may come to with steps left."""
        deepest = min(self.rules["goal"]["areas"], area + left)
        return range(area if self.rules["goal"]["overrun"] == "choice" else deepest, deepest + 1)

    # ------------------------------------------------------------ placing
    def is_in_play(self, cell: Cell) -> bool:
        """PG-PLACE-03: the start cell, or a space that a card may border."""
        kind = self.spaces.get(cell, "")
        if kind == "F" and self.rules["rules"]["placement"]["anchor"] == "rideable":
            return False
        return cell == LIFT or kind != ""

    def fits(self, cell: Cell, highest: int, *, first: bool = False) -> bool:
        """PG-PLACE-01 to PG-PLACE-06: a card may lie with its upper half on a cell."""
        halves = [cell, moved(cell, "D")]
        if not all(self.is_free(half) for half in halves) or cell[1] < highest:
            return False
        if first:
            arrows = {"left": (-1, 0), "right": (1, 0), "down": (0, 1)}
            return any(arrows[way] in halves for way in self.rules["lift"]["exits"])
        return any(self.is_in_play(near) for half in halves for near in beside(half))

    def placements(
        self, card: str, highest: int, figures: Sequence[Cell | None], *, first: bool = False
    ) -> set[Placement]:
        """PG-D-PLACE for one card; ``figures``: cells, None in the goal."""
        one, other = card.split("/")
        found = set()
        for x, y in self.table:
            if self.fits((x, y), highest, first=first):
                for up, down in ((one, other), (other, one)):
                    if self.forest_allows((x, y), up, down, highest, figures):
                        found.add((x, y, up, down))
        return found

    # ------------------------------------------------------------ the forest rule
    def with_card(self, cell: Cell, up: str, down: str) -> Slope:
        """The slope with one more card."""
        return Slope(self.rules, {**self.spaces, cell: up, moved(cell, "D"): down})

    def forest_allows(
        self, cell: Cell, up: str, down: str, highest: int, figures: Sequence[Cell | None]
    ) -> bool:
        """PG-FOREST-01, PG-FOREST-02, PG-FOREST-06."""
        forest = self.rules["rules"]["forest"]
        if "F" not in (up, down) and forest["scope"] == "forest_cards":
            return True
        before = self
        if forest["cause"] == "space":
            before = self.with_card(cell, *("P1" if half == "F" else half for half in (up, down)))
        after = self.with_card(cell, up, down)
        for figure in figures:
            if figure is not None and before.has_way(figure, highest):
                if not after.has_way(figure, highest):
                    return False
        return after.goal_open(highest) or not before.goal_open(highest)

    def is_open(self, cell: Cell, highest: int) -> bool:
        """PG-FOREST-03."""
        if cell == LIFT:
            return bool(self.rules["lift"]["reenter"])
        if cell in self.spaces:
            return self.spaces[cell][0] in SIGNED
        x, y = cell
        return self.is_free(cell) and y >= highest and any(
            self.is_free(near) and near[1] >= highest for near in ((x, y - 1), (x, y + 1))
        )  # fmt: skip

    def has_way(self, cell: Cell, highest: int) -> bool:
        """PG-FOREST-04: some chain of single steps leads to the goal (local: one step)."""
        known, todo = {cell}, [cell]
        while todo:
            for word, to in self.steps("", todo.pop(), ban=False):
                if self.entered(to, word[-1]):
                    return True
                if to not in known and self.is_open(to, highest):
                    if self.rules["rules"]["forest"]["way_out"] == "local":
                        return True
                    known.add(to)
                    todo.append(to)
        return False

    def goal_open(self, highest: int) -> bool:
        """PG-FOREST-05."""
        if self.rules["rules"]["forest"]["way_out"] == "local":
            upper = self.height + 1
            entries = [(0, self.height), (-1, upper), (1, upper)]
            if self.rules["goal"]["side_entry"] != "upper":
                entries += [(-1, upper + 1), (1, upper + 1)]
            return any(self.spaces.get(one) != "F" and not self.is_wall(one) for one in entries)
        return any(
            self.is_open(cell, highest) and self.has_way(cell, highest)
            for cell in self.table
            if cell[1] == highest
        )

    # ------------------------------------------------------------ the empty stack
    def route_ready(self, cell: Cell) -> bool:
        """PG-EMPTY-02: steps on the slope as it lies lead to the goal, whatever signs say."""
        known, todo = {cell}, [cell]
        while todo:
            for word, to in self.steps("", todo.pop(), ban=False):
                if self.entered(to, word[-1]):
                    return True
                if to not in known and self.can_rest(to):
                    known.add(to)
                    todo.append(to)
        return False


def highest_row(figures: Iterable[Cell | None], height: int) -> int:
    """R: the smallest row of a figure; in the goal that of its upper half."""
    return min(height + 1 if figure is None else figure[1] for figure in figures)
