"""The table as it lies, drawn in characters, followed from the events of a replay.

           -1     0      1
     0     F    LIFT    P1
     1     P2     :    S3:01_
     2     .      :      .

A column of the table is a column of the picture, a row a line. A space is written as in the events;
behind a colon stand the seats of the figures on it, each with ``_`` behind it if it lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Cell = tuple[int, int]

TABLE, ROCK, WALL, LIFT, GOAL = ".", ":", "##", "LIFT", "GOAL"
LEGEND = (
    "In the pictures: P piste, H hut, G piste groomer, S snowball space, each with 1 blue, 2 red or 3 "
    "black; F forest, J ski jump; ## forest and : rock of a slope card, . bare table; "
    "P1:02_ is a blue piste with seat 0 standing and seat 2 lying on it."
)


class Picture:
    """Where the cards lie and the figures stand, event by event."""

    def __init__(self, setting: Mapping[str, Any]) -> None:
        """A table without cards; ``setting`` is a replay's first event, ``game``."""
        self.spaces: dict[Cell, str] = {}
        self.figures: dict[int, Cell] = {}
        self.lying: set[int] = set()
        self.home: dict[int, int] = {}  # seat in the goal: its area
        slope = setting["rules_in_full"]["slope"]
        self.walls = set(slope["walls"])
        self.height = int(slope["height"])

    # ------------------------------------------------------------ following a game
    def follow(self, event: Mapping[str, Any]) -> None:
        """Take in what an event changes on the table."""
        change = _CHANGES.get(event["event"])
        if change is not None:
            change(self, event)

    def _setup(self, event: Mapping[str, Any]) -> None:
        self.figures = dict.fromkeys(range(event["seats"]), (0, 0))

    def _lay(self, event: Mapping[str, Any]) -> None:
        x, y = event["at"]
        self.spaces[x, y], self.spaces[x, y + 1] = event["up"], event["down"]

    def _lift(self, event: Mapping[str, Any]) -> None:
        x, y = event["at"]
        del self.spaces[x, y], self.spaces[x, y + 1]

    def _sign(self, event: Mapping[str, Any]) -> None:
        self.spaces[_cell(event["at"])] = event["after"]

    def _end(self, event: Mapping[str, Any]) -> None:
        """Where a turn leaves its figure."""
        if event["at"] is None:
            self.home[event["seat"]] = event["area"]
            self.figures.pop(event["seat"], None)
            return
        self.figures[event["seat"]] = _cell(event["at"])
        self._posture(event["seat"], lying=event["lying"])

    def _posture(self, seat: int, *, lying: bool) -> None:
        if lying:
            self.lying.add(seat)
        else:
            self.lying.discard(seat)

    def _snow(self, event: Mapping[str, Any]) -> None:
        if event["target_was"] == "upright" and not event["muted"]:
            self.lying.add(event["target"])

    def _groom(self, event: Mapping[str, Any]) -> None:
        if not event["muted"]:
            self.figures[event["target"]] = _cell(event["to"])

    def _step_down(self, event: Mapping[str, Any]) -> None:
        self.figures[event["seat"]] = _cell(event["to"])

    # ------------------------------------------------------------ drawing
    def draw(self) -> str:
        """The table from the lift to the goal, as wide as it is built; then who is in the goal."""
        columns = [x for x, _ in self.spaces] + [0]
        across = range(min(columns), max(columns) + 1)
        down = range(max([self.height + 2, *(y for _, y in self.spaces)]) + 1)
        rows = [[self._word((x, y)) for x in across] for y in down]
        width = max(len(word) for row in [*rows, list(map(str, across))] for word in row) + 2
        lines = [_line("", map(str, across), width)]
        lines += [_line(str(y), row, width) for y, row in zip(down, rows, strict=True)]
        if self.home:
            inside = ", ".join(f"seat {seat} in area {area}" for seat, area in self.home.items())
            lines.append(f"In the goal: {inside}.")
        return "\n".join(lines)

    def _word(self, cell: Cell) -> str:
        here = [seat for seat, at in sorted(self.figures.items()) if at == cell]
        who = "".join(f"{seat}_" if seat in self.lying else f"{seat}" for seat in here)
        return f"{self._space(cell)}:{who}" if who else self._space(cell)

    def _space(self, cell: Cell) -> str:
        x, y = cell
        if cell in self.spaces:
            return self.spaces[cell]
        if x != 0 or y > self.height + 2:
            return TABLE
        if y == 0:
            return LIFT
        if y > self.height:
            return GOAL
        return WALL if y in self.walls else ROCK


_CHANGES: dict[str, Any] = {
    "setup": Picture._setup, "place": Picture._lay,
    "put_back": Picture._lay, "take": Picture._lift, "sign": Picture._sign,
    "turn_end": Picture._end, "snowball": Picture._snow, "groomer": Picture._groom,
    "step_down": Picture._step_down,
}  # fmt: skip


def _cell(address: Sequence[int]) -> Cell:
    x, y = address
    return x, y


def _line(row: str, words: Any, width: int) -> str:
    return (f"{row:>4} " + "".join(f"{word:^{width}}" for word in words)).rstrip()
