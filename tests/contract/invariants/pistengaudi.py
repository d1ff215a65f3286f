"""What never changes in a game of Pistengaudi, looked at in every position."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from simulate.games.pistengaudi import entries
from simulate.games.pistengaudi import state as s

RISING = ("turn", "round", "final", "first_done", "arrivals", "asked", "forced")
COUNTS = (
    "falls", "standups", "snowballs", "groom_up", "groom_side", "groom_down", "cards_taken",
    "cards_unplaced", "forest_veto", "stranded_events",
)  # fmt: skip
STEPS = (1, -s.STRIDE, s.STRIDE)

PILES = ("stack",)  # fields of STATE with hidden cards in order


def is_signed(kind: int) -> bool:
    """A space that a figure can rest on."""
    return s.FREE < kind <= s.LAST_SIGNED


class Watch:
    """Compares a position with the one before."""

    def __init__(self, state: Any, rules: Any) -> None:
        self.state, self.rules = state, rules
        self.seats = range(int(state["n_seats"]))
        self.looks = 0
        self.before = self._kept()

    def problems(self) -> list[str]:
        """What is wrong now."""
        self.looks += 1
        found = [*self._cards(), *self._slope(), *self._rising(), *self._forest()]
        for seat in self.seats:
            found += [f"seat {seat}: {problem}" for problem in self._figure(seat)]
        self.before = self._kept()
        return found

    def _kept(self) -> dict[str, Any]:
        """What the next look compares with."""
        state = self.state
        kept = {name: state[name].copy() for name in (*RISING, "area", "arrival", "kind")}
        return {**kept, "row": state["game_rows"][0].copy()}

    def _cards(self) -> Iterator[str]:
        """Every card is in one place: stack, hand, set aside, on the slope, or out of the game."""
        state = self.state
        top, count = int(state["stack_top"]), int(state["n_stack"])
        stack = [int(state["stack"][(top + place) % s.MAX_CARDS]) for place in range(count)]
        hand = state["hand"][: state["n_hand"]].tolist()
        aside = state["aside"][: state["n_aside"]].tolist()
        slope = np.flatnonzero(state["card_cell"][: state["n_cards"]] >= 0).tolist()
        held = [*stack, *hand, *aside, *slope]
        if len(set(held)) != len(held):
            yield "a card is in two places"
        missing = int(state["n_cards"]) - len(held)
        away = int(state["game_rows"][0]["cards_unplaced"]) - len(aside)
        if missing != (away if self.rules["draw_unplaceable"] else 0):
            yield f"{missing} cards are gone, {away} were set aside"
        if len(slope) != state["n_slope"]:
            yield f"{len(slope)} cards on the slope, counted {state['n_slope']}"

    def _slope(self) -> Iterator[str]:
        """Cards lie as their halves say, the masks as the cells, and nothing else was built on."""
        state = self.state
        kind, card = state["kind"], state["card"]
        covered = set()
        for number in range(int(state["n_cards"])):
            cell = int(state["card_cell"][number])
            if cell < 0:
                continue
            covered |= {cell, cell + 1}
            halves = [int(state["first"][number]), int(state["second"][number])]
            shown = [int(kind[cell]), int(kind[cell + 1])]
            if state["turned"][number]:
                halves.reverse()
            if [_group(one) for one in halves] != [_group(one) for one in shown]:
                yield f"card {number} shows {shown} instead of {halves}"
            if card[cell] != number or card[cell + 1] != number:
                yield f"card {number} lies where another is counted"
        built = set(np.flatnonzero((kind > s.FREE) & (kind <= s.F)).tolist())
        if built != covered:
            yield f"cells {sorted(built ^ covered)[:4]} are no spaces of cards"
        fixed = np.isin(self.before["kind"], (s.START, s.GOAL, s.WALL, s.EDGE))
        if (fixed & (self.before["kind"] != kind)).any():
            yield "lift, goal, a slope card on its forest side or the table's edge was covered"
        for mask, wanted in (("free", kind == s.FREE), ("jump", kind == s.J)):
            yield from self._mask(mask, wanted)

    def _mask(self, name: str, wanted: Any) -> Iterator[str]:
        """A column's bits say what its cells hold, as far down as bits reach."""
        grid = wanted.reshape(s.N_COLUMNS, s.STRIDE)[:, 1 : 1 + s.MASK_ROWS]
        told = self.state[name][:, None] >> np.arange(grid.shape[1]) & 1
        if (told.astype(bool) != grid).any():
            yield f"mask {name} differs from the cells"

    def _figure(self, seat: int) -> Iterator[str]:
        """On a space to rest on, or in an area of the goal to stay."""
        state = self.state
        area, cell = int(state["area"][seat]), int(state["cell"][seat])
        if not 0 <= area <= self.rules["areas"]:
            yield f"area {area}"
        if self.before["area"][seat] > 0 and (
            area != self.before["area"][seat]
            or state["arrival"][seat] != self.before["arrival"][seat]
        ):
            yield "left its place in the goal"
        if (area > 0) != (state["arrival"][seat] > 0):
            yield f"area {area} and arrival {state['arrival'][seat]}"
        kind = int(state["kind"][cell])
        if area == 0 and not is_signed(kind) and kind != s.START:
            yield f"stands on a space of kind {kind}"
        if area > 0 and state["lying"][seat]:
            yield "lies in the goal"

    def _rising(self) -> Iterator[str]:
        """What is counted never falls; the goal is counted once a figure."""
        state = self.state
        for name in RISING:
            if state[name] < self.before[name]:
                yield f"{name} falls"
        row = state["game_rows"][0]
        for name in COUNTS:
            if row[name] < self.before["row"][name]:
                yield f"{name} falls"
        arrivals = sorted(int(a) for a in state["arrival"][: len(self.seats)] if a > 0)
        if arrivals != list(range(1, int(state["arrivals"]) + 1)):
            yield f"arrivals {arrivals}"
        if (state["final"] == 1) != bool(arrivals):
            yield "final round and arrivals do not agree"
        if state["round"] > self.rules["max_rounds"]:
            yield "more rounds than the limit"

    # ------------------------------------------------------------ PG-FOREST, by cells
    def _forest(self) -> Iterator[str]:
        """One of the placements on offer with forest takes nobody's way out (PG-FOREST-01)."""
        state, rules = self.state, self.rules
        plain = not rules["forest_way_out"] and not rules["forest_cause"]
        if state["phase"] != s.ASK_PLACE or not plain:
            return
        offered = self._forest_options()
        if not offered:
            return
        cell, up, down = offered[self.looks % len(offered)]
        before = self._ways(state["kind"])
        after = state["kind"].copy()
        after[cell], after[cell + 1] = up, down
        lost = before - self._ways(after)
        if lost:
            yield f"forest at {cell} takes the ways out of {sorted(lost)}"

    def _forest_options(self) -> list[tuple[int, int, int]]:
        """Upper cell and halves of every placement on offer of a card with forest."""
        work = entries.new_work()
        count = entries.legal(self.state, self.rules, work)
        found = []
        for code in work["options"][:count].tolist():
            card = int(self.state["hand"][code // 2 % s.MAX_HAND])
            halves = [int(self.state["first"][card]), int(self.state["second"][card])]
            if s.F in halves:
                up, down = reversed(halves) if code % 2 else halves
                found.append((code // (2 * s.MAX_HAND), up, down))
        return found

    def _top(self) -> int:
        """R, the highest row of a figure."""
        state = self.state
        return min(
            int(self.rules["height"]) + 1 if state["area"][seat] else row_of(state["cell"][seat])
            for seat in self.seats
        )

    def _ways(self, kind: Any) -> set[int]:
        """Seats outside the goal that have a way out over the potential grid."""
        top = self._top()
        outside = [seat for seat in self.seats if self.state["area"][seat] == 0]
        return {seat for seat in outside if self._way(kind, int(self.state["cell"][seat]), top)}

    def _way(self, kind: Any, start: int, top: int) -> bool:
        """PG-FOREST-04, breadth-first by single steps."""
        known, todo = {start}, [start]
        while todo:
            here = todo.pop()
            for step in STEPS:
                for to in self._landings(kind, here + step, step):
                    if kind[to] == s.GOAL:
                        return True
                    if to not in known and self._is_open(kind, to, top):
                        known.add(to)
                        todo.append(to)
        return False

    def _landings(self, kind: Any, to: int, step: int) -> list[int]:
        """Where a step ends, over ski jumps; a goal cell only where it may be entered."""
        if kind[to] == s.J and self.rules["jump_turn"]:
            return self._turning(kind, to)
        while kind[to] == s.J:
            to += step
        return [to] if kind[to] != s.GOAL or self._enters(to, step) else []

    def _turning(self, kind: Any, first: int) -> list[int]:
        """Landings behind ski jumps that may be left in any direction."""
        known, todo, found = {first}, [first], []
        while todo:
            here = todo.pop()
            for step in STEPS:
                to = here + step
                if kind[to] == s.J and to not in known:
                    known.add(to)
                    todo.append(to)
                elif kind[to] != s.J and (kind[to] != s.GOAL or self._enters(to, step)):
                    found.append(to)
        return found

    def _enters(self, cell: int, step: int) -> bool:
        """PG-GOAL-01: from above into the upper space, from the side unless a switch says less."""
        upper = row_of(cell) == self.rules["height"] + 1
        return upper or (step != 1 and self.rules["goal_side_entry"] != s.SIDE_UPPER)

    def _is_open(self, kind: Any, cell: int, top: int) -> bool:
        """PG-FOREST-03: rideable, or free with a free cell beside it, none above R."""
        if is_signed(int(kind[cell])):
            return True
        if kind[cell] == s.START:
            return bool(self.rules["lift_reenter"])
        if kind[cell] != s.FREE or row_of(cell) < top:
            return False
        return kind[cell + 1] == s.FREE or (row_of(cell) > top and kind[cell - 1] == s.FREE)


def row_of(cell: Any) -> int:
    """Row of a cell."""
    return int(cell) % s.STRIDE - 1


def _group(kind: int) -> int:
    """A kind without its sign, which an experiment may draw anew."""
    return kind if kind > s.LAST_SIGNED else (kind - 1) // 3


def disturb(state: Any, rules: Any, coin: random.Random) -> None:
    """The order of the stack, which nobody knows."""
    top, count = int(state["stack_top"]), int(state["n_stack"])
    places = [(top + place) % s.MAX_CARDS for place in range(count)]
    cards = [int(state["stack"][place]) for place in places]
    coin.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        state["stack"][place] = card
