"""How long a move can be, and how many routes it can have: the sizes of the engine's tables."""

from __future__ import annotations

import itertools
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simulate.games.biathlon import layout, state
from simulate.games.biathlon.layout import SHOOTING, WHITE

if TYPE_CHECKING:
    from simulate.games.biathlon.models import Rules


class Bound(NamedTuple):
    """Most routes that one move can have, and where."""

    routes: int
    row: int
    steps: int
    why: str


def longest_move(model: Rules) -> int:
    """Most steps that one move can have: all dice, and what wax can add in one turn."""
    dice = model.dice.race.count
    cap = dice if model.board.sprint_cap == "none" else min(dice, model.board.sprint_cap)
    gains = [
        branch.count("PLUS") + cap * branch.count("SPRINT")
        for token in model.wax.token.values()
        for branch in token.branches
    ]
    return dice + model.wax.per_turn * max(gains, default=0)


def route_bound(model: Rules) -> Bound:
    """Most routes that one move or slide can have, anywhere on the course, under these rules.

    An upper bound for any place of the other skiers, any stamina and any switch: forward and
    diagonal steps as printed (BI-MOVE-02, -04); sideways steps need credit, which is 1 at the start
    and comes back by passing a skier (BI-MOVE-03). First with credit after every forward step and
    one sideways step more than there are other skiers (each is passed once); where that gives more
    than state.MAX_ROUTES, exactly, as the most over all rows where the others can stand.
    """
    rows = tuple(layout.course_rows(model))
    lanes, rivals = model.course.lanes, model.game.max_skiers - 1
    move = _route_bound(rows, lanes, longest_move(model), rivals)
    slide = _slide_bound(rows, lanes, model.terrain.slide_steps, rivals)
    return max(move, slide, key=lambda bound: bound.routes)


@lru_cache(maxsize=256)
def _route_bound(rows: tuple[str, ...], lanes: int, steps: int, rivals: int) -> Bound:
    loose = [max(counts) for counts in _loose_counts(rows, lanes, steps, rivals)]
    best = Bound(0, 0, steps, "")
    for row in sorted(range(len(loose)), key=lambda row: -loose[row]):
        if loose[row] <= best.routes:
            break
        count = loose[row]
        if count > state.MAX_ROUTES:
            count = _exact_count(_window(rows, row, steps), lanes, steps, rivals)
        if count > best.routes:
            best = Bound(count, row, steps, "")
        if count > state.MAX_ROUTES:
            break
    return best._replace(why=_why(rows, lanes, best.row, steps))


def _slide_bound(rows: tuple[str, ...], lanes: int, steps: int, rivals: int) -> Bound:
    """As ``_route_bound`` for a slide: any number of steps up to ``steps``."""
    by_row = [0] * (len(rows) + 1)
    for length in range(1, steps + 1):
        for row, counts in enumerate(_loose_counts(rows, lanes, length, rivals)):
            by_row[row] += max(counts)
    row = max(range(len(by_row)), key=by_row.__getitem__)
    return Bound(by_row[row], row, steps, _why(rows, lanes, row, steps))


def _why(rows: tuple[str, ...], lanes: int, row: int, steps: int) -> str:
    ahead = _window(rows, row, steps)[1:]
    white = sum(WHITE in letters for letters in ahead)
    return f"{lanes} lanes, {len(ahead)} rows without a stop, {white} of them white"


def _window(rows: tuple[str, ...], row: int, steps: int) -> tuple[str, ...]:
    """The row stood on ("" is the start) and those ahead to the first stop (S, "" the finish)."""
    course = ("", *rows, "")
    window = [course[row]]
    for letters in course[row + 1 : row + 1 + steps]:
        window.append(letters)
        if letters in (SHOOTING, ""):
            break
    return tuple(window)


def _neighbours(lane: int, lanes: int) -> list[int]:
    return [other for other in (lane - 1, lane + 1) if 0 <= other < lanes]


def _loose_counts(rows: tuple[str, ...], lanes: int, steps: int, rivals: int) -> list[list[int]]:
    """Routes of ``steps`` steps from every row and lane when every forward step gives credit."""
    course = ("", *rows, "")

    @cache
    def count(row: int, lane: int, left: int, sideways: int, credit: int) -> int:
        if not left:
            return 1
        shared, ahead = course[row] in (SHOOTING, ""), course[row + 1]
        total = 0
        if ahead in (SHOOTING, ""):
            total = 1
        else:
            for to in range(lanes):
                beside = abs(to - lane) == 1 and ahead[to] == WHITE
                if shared or to == lane or beside:
                    total += count(row + 1, to, left - 1, sideways, 1)
        if not shared and credit and sideways:
            for to in _neighbours(lane, lanes):
                total += count(row, to, left - 1, sideways - 1, 0)
        return total

    return [
        [count(row, lane, steps, 1 + rivals, 1) for lane in range(lanes)]
        for row in range(len(rows) + 1)
    ]


@lru_cache(maxsize=4096)
def _exact_count(window: tuple[str, ...], lanes: int, steps: int, rivals: int) -> int:
    """Most routes from the first row of a window over all sets of rows where rivals can stand."""
    reach, most = min(steps, len(window)), min(rivals, steps, len(window))
    even = tuple(dict.fromkeys((at + 1) * reach // (most + 1) for at in range(most)))
    routes = _most_routes(window, lanes, steps, [even])
    if routes > state.MAX_ROUTES:  # enough to refuse the course
        return routes
    every = list(itertools.combinations(range(reach), most))
    return _most_routes(window, lanes, steps, every)


def _most_routes(
    window: tuple[str, ...], lanes: int, steps: int, places: list[tuple[int, ...]]
) -> int:
    """Most routes over ``places``: each a set of rows of the window where rivals stand."""
    held = np.zeros((len(places), len(window) + 1), dtype=bool)
    for index, place in enumerate(places):
        held[index, list(place)] = True
    sideways = 1 + max(len(place) for place in places)
    starts = range(lanes) if window[0] not in (SHOOTING, "") else range(1)
    best = 0
    for lane in starts:
        # routes by (set of places, lane, credit 0 or 1, sideways steps used)
        here = np.zeros((len(places), lanes, 2, sideways + 1), dtype=np.int64)
        here[:, lane, 1, 0] = 1
        best = max(best, int(_routes(window, steps, held, here).max()))
    return best


def _routes(window: tuple[str, ...], steps: int, held: np.ndarray, here: np.ndarray) -> np.ndarray:
    """Routes through a window for each set of places; ``here``: where they begin."""
    used = np.arange(here.shape[-1])
    total = np.zeros(len(held), dtype=np.int64)
    for at, letters in enumerate(window):
        shared = letters in (SHOOTING, "")
        if not shared:
            here = here + _sideways(here)
        total += here[..., at + used == steps].sum(axis=(1, 2, 3))
        here[..., at + used >= steps] = 0
        if at + 1 == len(window):
            break
        passing = held[:, at]
        here[passing, :, 1] += here[passing, :, 0]
        here[passing, :, 0] = 0
        ahead = window[at + 1]
        if ahead in (SHOOTING, ""):
            total += here.sum(axis=(1, 2, 3))
            break
        here = _forward(here, ahead, from_shared=shared)
    return total


def _sideways(here: np.ndarray) -> np.ndarray:
    """Routes after one more sideways step in the row: credit 1 becomes 0."""
    moved, lanes = np.zeros_like(here), here.shape[1]
    for lane in range(lanes):
        for to in _neighbours(lane, lanes):
            moved[:, to, 0, 1:] += here[:, lane, 1, :-1]
    return moved


def _forward(here: np.ndarray, ahead: str, *, from_shared: bool) -> np.ndarray:
    """Routes after a step into the next row: from a shared space any lane, else straight, white."""
    lanes = here.shape[1]
    if from_shared:
        return np.repeat(here.sum(axis=1, keepdims=True), lanes, axis=1)
    moved = here.copy()
    for lane in range(lanes):
        for to in _neighbours(lane, lanes):
            if ahead[to] == WHITE:
                moved[:, to] += here[:, lane]
    return moved
