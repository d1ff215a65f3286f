"""Figures 7 to 12: chances, every shuffle and every choice of bot U weighed."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from figure import Figure
from .scene import Scene, deck, forest, standing, turns

from simulate.games.pistengaudi.state import STRIDE, F
from simulate.request import Request

LAST = 12  # rows of column 0 that a lone figure rides over
HARNESS = {
    2: (0.554564, 0.445436), 3: (0.392573, 0.328361, 0.279066),
    4: (0.307337, 0.263531, 0.228669, 0.200463),
}  # fmt: skip
EMPTY = {2: (11, 1), 3: (8, 0), 4: (11, 2), 5: (9, 2), 6: (8, 0)}  # round, seat
SHUFFLES = 60


def figures() -> Iterator[Figure]:
    """First turns, forest in the deck, the empty stack, the lone figure, the end rule."""
    yield from _first_turn()
    yield from _second_turn()
    yield from _forest_in_the_deck()
    yield from _empty_stack()
    yield from _lone_figure()
    yield from _end_rule()


# ------------------------------------------------------------------------------- first turns
def turn_of(seat: int, players: int, *changes: str) -> dict[str, float]:
    """Chances and means of a seat after the first turns up to its own, all of them by bot U."""
    cards = Counter(deck(*changes))
    total = sum(cards.values())
    found: Counter[str] = Counter()
    for stack in itertools.product(cards, repeat=seat + 1):
        weight, left = 1.0, Counter(cards)
        for drawn, card in enumerate(stack):
            weight *= left[card] / (total - drawn)
            left[card] -= 1
        scene = Scene(*changes, figures=standing(players), stack=list(stack), first_card_done=False)
        for share in scene.lines(*turns(0, seat)):
            _note(found, scene, seat, weight * share)
    return dict(found)


def _note(found: Counter[str], scene: Scene, seat: int, weight: float) -> None:
    row = scene.state["seat_rows"][seat]
    found["falls"] += weight * int(row["falls"])
    found["lies"] += weight * int(scene.state["lying"][seat])
    found["stood up"] += weight * int(row["turns_stood_up"])
    found["throws"] += weight * int(row["snow_thrown"])
    found["grooms"] += weight * int(row["groom_used"])
    found["row"] += weight * (int(scene.state["cell"][seat]) % STRIDE - 1)


def _first_turn() -> Iterator[Figure]:
    for players in (4, 6):
        found = turn_of(0, players)
        for what, wanted in (("falls", 5 / 28), ("throws", 3 / 28), ("grooms", 3 / 28)):
            yield Figure("P7", f"seat 0 of {players}, first turn: P({what})", found[what], wanted)
        yield Figure("P7", f"seat 0 of {players}, first turn: mean row", found["row"], 1 / 3)
    found = turn_of(0, 4, forest(1, 3, 5))
    yield Figure("P7", "Slalom Run, seat 0, first turn: P(falls)", found["falls"], 3 / 14)
    yield Figure("P7", "Slalom Run, seat 0, first turn: mean row", found["row"], 0)


def _second_turn() -> Iterator[Figure]:
    found = turn_of(1, 4)
    for what, wanted in (
        ("lies", 86309 / 723240), ("stood up", 1 / 28), ("throws", 20833 / 241080),
        ("grooms", 22943 / 271215),
    ):  # fmt: skip
        yield Figure("P8", f"seat 1 of 4, first turn: P({what})", found[what], wanted)
    yield Figure("P8", "seat 1 of 4, first turn: mean row", found["row"], 107221 / 271215)


# ------------------------------------------------------------------------------- the stack
def _forest_in_the_deck() -> Iterator[Figure]:
    record = Scene(players=2).rules
    size = int(record["n_cards"])
    halves = zip(record["card_first"][:size], record["card_second"][:size], strict=True)
    with_forest = sum(F in pair for pair in halves)
    without = size - with_forest
    yield Figure("P9", "P(first card has forest)", with_forest / size, 3 / 14)
    yield Figure(
        "P9", "mean position of the first forest card", (size + 1) / (with_forest + 1), 4.3
    )
    none = math.comb(without, 6) / math.comb(size, 6)
    yield Figure("P9", "P(no forest in the first 6)", none, 79112 / 374699)
    both = math.comb(with_forest, 2) / math.comb(size, 2)
    yield Figure("P9", "P(first two both have forest)", both, 12 / 287)


def _empty_stack() -> Iterator[Figure]:
    """The same turn in every game that places all its cards before anybody is in."""
    from .simulated import rows_of

    for players, (round_, seat) in EMPTY.items():
        plan = Request(
            "pistengaudi", SHUFFLES, players=players, lineup="random", seating="fixed", equal=False
        ).plan()
        games = rows_of(plan)
        met = games["stack_empty_turn"] >= 0
        met &= games["cards_unplaced"] == 0
        found = set(games["stack_empty_turn"][met].tolist())
        turn = found.pop() if len(found) == 1 else -1
        what = f"{players} players: turn that meets an empty stack"
        yield Figure("P10", what, turn, (round_ - 1) * players + seat + 1, digits=0)


# ------------------------------------------------------------------------------- the lone figure
@lru_cache
def arrivals(*changes: str) -> dict[tuple[int, int], Fraction]:
    """Chance of (turns, area) for a lone figure in column 0, its signs independent and even."""
    third = Fraction(1, 3)
    standing_on: dict[int, Fraction] = {0: Fraction(1)}
    found: dict[tuple[int, int], Fraction] = {}
    turn = 0
    while standing_on:
        turn += 1
        after: dict[int, Fraction] = {}
        for row, chance in standing_on.items():
            signs = (1, 2, 3) if row > 0 else (1,)
            for sign in signs:
                end, area = _ride(row, sign, *changes)
                share = chance * (third if row > 0 else 1)
                if area:
                    found[turn, area] = found.get((turn, area), Fraction(0)) + share
                else:
                    after[end] = after.get(end, Fraction(0)) + share
        standing_on = after
    return found


@lru_cache
def _ride(row: int, sign: int, *changes: str) -> tuple[int, int]:
    """Row and goal area after a move in a straight column from a row with a sign."""
    column = ["P1"] * LAST
    if row:
        column[row - 1] = f"P{sign}"
    cards = [[0, y + 1, column[y], column[y + 1]] for y in range(0, LAST, 2)]
    scene = Scene(*changes, figures=[[0, row, "up"]], cards=cards)
    scene.play("ride 0")
    return int(scene.state["cell"][0]) % STRIDE - 1, int(scene.state["area"][0])


def _lone_figure() -> Iterator[Figure]:
    found = arrivals()
    mean = sum(chance * turn for (turn, _), chance in found.items())
    square = sum(chance * turn * turn for (turn, _), chance in found.items())
    yield Figure("P11", "lone figure: mean turns to the goal", float(mean), 1299067 / 177147)
    sd = math.sqrt(square - mean * mean)
    yield Figure("P11", "lone figure: SD of turns", sd, 1.02759, digits=5)
    for area, wanted in ((1, 0.50031), (2, 0.33284), (3, 0.16685)):
        share = float(sum(chance for (_, at), chance in found.items() if at == area))
        yield Figure("P11", f"lone figure: P(area {area})", share, wanted, digits=5)
    fast = arrivals("lift.start_speed=2")
    mean = sum(chance * turn for (turn, _), chance in fast.items())
    yield Figure("P11", "lone figure, start speed 2: mean turns", float(mean), 6.83272, digits=5)


def _end_rule() -> Iterator[Figure]:
    found = arrivals()
    last = max(turn for turn, _ in found)
    for players, wanted in HARNESS.items():
        won = [Fraction(0)] * players
        for turn in range(1, last + 1):
            later = sum((c for (t, _), c in found.items() if t > turn), Fraction(0))
            chances = [later, *(found.get((turn, area), Fraction(0)) for area in (1, 2, 3))]
            for areas in itertools.product(range(4), repeat=players):
                if any(areas):
                    chance = math.prod((chances[area] for area in areas), start=Fraction(1))
                    won[winner_of(areas)] += chance
        for seat, share in enumerate(wanted):
            what = f"end rule, {players} players: P(seat {seat} wins)"
            yield Figure("P12", what, float(won[seat]), share)


@lru_cache
def winner_of(areas: tuple[int, ...]) -> int:
    """The winner of a last round in which these areas were entered in seat order, 0 for none."""
    arrived = itertools.count(1)
    figures = [["goal", area, next(arrived)] if area else [0, 0, "up"] for area in areas]
    scene = Scene(figures=figures, final=True)
    scene.play(f"turn {len(areas) - 1}")
    return int(scene.state["winner"])
