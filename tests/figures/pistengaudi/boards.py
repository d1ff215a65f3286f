"""Figures 4 and 13 to 17: moves on straight columns, open fields and the pattern boards.

The kernels are asked directly: one compiled door for each question.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from figure import Figure
from .scene import Scene, deck

from simulate.games.pistengaudi.movement import find_outcomes, outcome_of
from simulate.games.pistengaudi.slope import set_kind
from simulate.games.pistengaudi.state import (
    FREE,
    LAST_SIGNED,
    N_CELLS,
    NO_SIDE,
    OUTCOME_GOAL,
    P1,
    START_CELL,
)
from simulate.games.pistengaudi.steps import list_landings
from simulate.games.pistengaudi.words import KINDS, cell_of
from simulate.jit import entry

DROPS = 100_000
SEED = 4_242
ROWS = 12
PATTERN = ("P1", "P2", "P3", "F", "J", "H2", "S1", "G3", "P2", "P1", "H1", "J", "P3")
FREE_FALL, FREE_JUMP, ONE_TURN = (
    "rules.move.full_path=free_fall", "rules.jump.turn=free", "rules.move.reversal=turn",
)  # fmt: skip
Counts = tuple[int, int, int]
BOARD_A: dict[tuple[str, ...], tuple[Counts | None, Counts | None, Counts]] = {
    (): ((294, 1, 1), (460, 1, 3), (718, 1, 5)),
    (ONE_TURN,): (None, None, (645, 1, 5)),
    (FREE_JUMP,): ((354, 0, 1), (615, 0, 4), (967, 0, 8)),
    (FREE_FALL,): ((294, 1, 1), (460, 14, 3), (718, 35, 5)),
}
BOARD_B: dict[tuple[str, ...], tuple[Counts | None, Counts | None, Counts]] = {
    (): ((131, 6, 1), (164, 20, 1), (193, 24, 1)),
    (ONE_TURN,): (None, None, (177, 24, 1)),
    (FREE_JUMP,): ((153, 6, 1), (209, 16, 1), (250, 24, 1)),
    (FREE_FALL,): ((131, 6, 1), (164, 26, 1), (193, 46, 1)),
}
POSITIONS = {0: 60, 3: 54, 5: 47, 9: 31, 12: 14}


def figures(share: float) -> Iterator[Figure]:
    """Paths on an open field, columns, pattern boards."""
    yield from _open_field()
    yield from _drops(share)
    yield from _one_colour()
    yield from _pattern("P15", "board A", cards_of_board(thinned=False), BOARD_A)
    yield from _pattern("P16", "board B", cards_of_board(thinned=True), BOARD_B)
    yield from _positions()


# ------------------------------------------------------------------------------- the doors
@entry
def _paths(state, rules, work, cell, steps):
    """Paths of exactly so many steps from a cell, and how many ends they have."""
    list_landings(state, rules, work, 0, cell, NO_SIDE)
    depth = 0
    found = 0
    work["node_at"][0] = 0
    while depth >= 0:
        index = work["node_at"][depth]
        if index >= work["node_n"][depth]:
            depth -= 1
            continue
        work["node_at"][depth] = index + 1
        if depth + 1 == steps:
            found += 1
            continue
        to = work["land_cell"][depth, index]
        side = work["land_side"][depth, index]
        depth += 1
        list_landings(state, rules, work, depth, to, side)
        work["node_at"][depth] = 0
    find_outcomes(state, rules, work, cell)
    return found, work["n_outcomes"]


@entry
def _drop(state, rules, work, column, ends):
    """A lone figure down column 0: turns, area, falls, a row each of ``ends``; a column each."""
    for number in range(len(column)):
        for row in range(len(column[number])):
            set_kind(state, START_CELL + 1 + row, column[number, row])
        cell = START_CELL
        ends[number, 0] = 0
        ends[number, 2] = 0
        area = 0
        while area == 0:
            find_outcomes(state, rules, work, cell)
            code = work["out_code"][0]
            ends[number, 0] += 1
            if outcome_of(code) == OUTCOME_GOAL:
                area = code - OUTCOME_GOAL * N_CELLS
            else:
                ends[number, 2] += outcome_of(code)
                cell = code % N_CELLS
        ends[number, 1] = area


@entry
def _outcomes(state, rules, work, sign, found):
    """Outcomes from every signed cell, its sign forced: how many stop, fall, enter the goal."""
    for cell in range(N_CELLS):
        kind = state["kind"][cell]
        if kind > FREE and kind <= LAST_SIGNED:
            set_kind(state, cell, P1 + sign - 1)
            find_outcomes(state, rules, work, cell)
            for index in range(work["n_outcomes"]):
                found[outcome_of(work["out_code"][index])] += 1
            set_kind(state, cell, kind)


# ------------------------------------------------------------------------------- the open field
def _open_field() -> Iterator[Figure]:
    for change, wanted in (
        ((), ((3, 3), (7, 5), (17, 8))),
        ((ONE_TURN,), ((3, 3), (7, 5), (15, 7))),
    ):
        cards = [
            [x, y, "P1", "P1"] for x in range(2, 11) for y in range(1, 9, 2)
        ]  # clear of column 0
        scene = Scene(*change, players=2, cards=cards)
        for steps, (paths, ends) in enumerate(wanted, start=1):
            cell = cell_of(6, 2)
            scene.state["kind"][cell] = P1 + steps - 1
            found = _paths(scene.state, scene.rules, scene.work, cell, steps)
            what = f"open field, {steps} steps{', one turn' if change else ''}"
            yield Figure("P4", f"{what}: paths", found[0], paths, digits=0)
            yield Figure("P4", f"{what}: ends", found[1], ends, digits=0)


# ------------------------------------------------------------------------------- straight columns
def drops(columns: np.ndarray) -> np.ndarray:
    """int64[n, 3], turns, area and falls of a lone figure, for columns int64[n, 12] of kinds."""
    scene = Scene(players=1)
    ends = np.zeros((len(columns), 3), np.int64)
    _drop(scene.state, scene.rules, scene.work, columns, ends)
    return ends


def _drops(share: float) -> Iterator[Figure]:
    count = max(2000, round(DROPS * share))
    coin = np.random.default_rng(SEED)
    cards = [card.split("/") for card in deck() if "F" not in card.split("/")]
    halves = np.array([[KINDS.index(half) for half in card] for card in cards], np.int64)
    chosen = halves[np.array([coin.permutation(len(halves))[: ROWS // 2] for _ in range(count)])]
    turned = coin.integers(0, 2, (count, ROWS // 2, 1)).astype(bool)
    ends = drops(np.where(turned, chosen[:, :, ::-1], chosen).reshape(count, ROWS))
    turns, area = ends[:, 0].astype(float), ends[:, 1]
    se = float(turns.std(ddof=1)) / math.sqrt(count)
    yield Figure("P13", "six random cards: mean turns", float(turns.mean()), 6.840, se, 0.004, 3)
    off = turns - turns.mean()
    variance = float((off**2).mean())
    error = math.sqrt((float((off**4).mean()) - variance**2) / count / (4 * variance))
    reference = error * math.sqrt(count / DROPS)
    yield Figure("P13", "six random cards: SD", math.sqrt(variance), 1.117, error, reference, 3)
    for number, wanted in ((1, 0.472), (2, 0.349), (3, 0.180)):
        found = float((area == number).mean())
        se = math.sqrt(found * (1 - found) / count)
        yield Figure("P13", f"six random cards: P(area {number})", found, wanted, se, 0.002, 3)
    yield Figure("P13", "six random cards: falls", int(ends[:, 2].sum()), 0, digits=0)


def _one_colour() -> Iterator[Figure]:
    for sign, (colour, turns) in enumerate((("blue", 13), ("red", 7), ("black", 5)), start=1):
        end = drops(np.full((1, ROWS), P1 + sign - 1, np.int64))[0]
        yield Figure("P14", f"column all {colour}: turns", int(end[0]), turns, digits=0)
        yield Figure("P14", f"column all {colour}: area", int(end[1]), 1, digits=0)


# ------------------------------------------------------------------------------- pattern boards
def cards_of_board(*, thinned: bool) -> list[list[Any]]:
    """Cards of pattern board A, or of B without some."""
    cards = []
    for x in range(-6, 7):
        for y in range(1, ROWS + 1, 2):
            if not (thinned and (x * x + y) % 3 == 0):
                cards.append([x, y, *(PATTERN[(3 * x + 5 * row) % 13] for row in (y, y + 1))])
    return cards


def _pattern(
    name: str,
    board: str,
    cards: list[list[Any]],
    table: dict[tuple[str, ...], tuple[Counts | None, Counts | None, Counts]],
) -> Iterator[Figure]:
    for changes, rows in table.items():
        scene = Scene(*changes, players=2, cards=cards)
        said = "".join(f", {change.split('.', 1)[1]}" for change in changes)
        for sign, wanted in enumerate(rows, start=1):
            if wanted is None:
                continue
            found = np.zeros(3, np.int64)
            _outcomes(scene.state, scene.rules, scene.work, sign, found)
            for kind, mine, theirs in zip(("stop", "fall", "goal"), found, wanted, strict=True):
                what = f"{board}, sign {sign}{said}: {kind}"
                yield Figure(name, what, int(mine), theirs, digits=0)


def _positions() -> Iterator[Figure]:
    cards = cards_of_board(thinned=True)
    for row, wanted in POSITIONS.items():
        at = next(
            [x, y + half, "up"] for x, y, *kinds in cards for half in (0, 1)
            if y + half == row and kinds[half] not in "FJ"
        ) if row else [0, 0, "up"]  # fmt: skip
        scene = Scene("draw.cards_per_turn.2=1", figures=[at, at], cards=cards, stack=["P1/P1"])
        scene.play("cards 0")
        yield Figure("P17", f"board B: card positions, R = {row}", scene.asked, wanted, digits=0)
