"""Figures 1 to 3, 5 and 6: lines of answers counted one by one."""

from __future__ import annotations

from collections.abc import Iterator

from figure import Figure
from .scene import ONE_CARD, Scene, deck, forest, standing, turns

LAYOUTS: dict[str, tuple[int, ...]] = {
    "open slope": (), "Little Grove": (3, 4), "Slalom Run": (1, 3, 5), "Timber Track": (1, 2, 5, 6),
    "Even Slalom": (2, 4, 6), "Long Hedge": (1, 2, 3, 4, 5, 6),
}  # fmt: skip
PLAIN: dict[str, tuple[int, ...]] = {
    "open slope": (3, 17, 131, 1251), "Little Grove": (3, 17, 130, 1204),
    "Slalom Run": (2, 8, 48, 374), "Timber Track": (2, 8, 46, 338),
    "Even Slalom": (3, 16, 108, 882), "Long Hedge": (2, 8, 46, 336),
}  # fmt: skip
FOREST = {"open slope": (6, 68, 1020, 18906), "Slalom Run": (4, 30, 330, 4722)}
LEAVES = {"open slope": (6, 76, 1768), "Little Grove": (6, 76, 1760), "Slalom Run": (4, 34, 540)}
HANDS = {"open slope": (152,), "Slalom Run": (68, 31632)}


def figures() -> Iterator[Figure]:
    """First placements, sequences of placements, decision leaves."""
    for layout, wanted in (("open slope", 6), ("Slalom Run", 4)):
        found = sequences("F/P2", layout, 1)
        yield _count("P1", f"{layout}: placements of the first card", found, wanted)
    for card, table, name in (("P1/P1", PLAIN, "P2"), ("F/P1", FOREST, "P3")):
        for layout, counts in table.items():
            for length, wanted in enumerate(counts, start=1):
                found = sequences(card, layout, length)
                yield _count(name, f"{layout}: {length} x {card}, sequences", found, wanted)
    for players, table, name in ((4, LEAVES, "P5"), (2, HANDS, "P6")):
        for layout, counts in table.items():
            for length, wanted in enumerate(counts, start=1):
                found = leaves(players, layout, length)
                what = f"{layout}, {players} players: leaves, turns"
                yield _count(name, f"{what} {length}", found, wanted)


def _count(name: str, what: str, found: int, wanted: int) -> Figure:
    return Figure(name, what, found, wanted, digits=0)


def sequences(card: str, layout: str, length: int) -> int:
    """Sequences of placements of equal cards while every figure stays on the lift."""
    scene = Scene(
        *ONE_CARD, forest(*LAYOUTS[layout]),
        players=4, stack=[card] * length, first_card_done=False,
    )  # fmt: skip
    return scene.count(*["cards 0"] * length)


def leaves(players: int, layout: str, length: int) -> int:
    """Lines of answers through the first turns, with the stack of WE-24 or its cards as hands."""
    cards = list(deck())
    first = [cards[number - 1] for number in (1, 10, 19, 28, 37)]
    rest = [one for number, one in enumerate(cards, 1) if number not in (1, 10, 19, 28, 37)]
    scene = Scene(
        forest(*LAYOUTS[layout]),
        figures=standing(players), stack=[*first, *rest], first_card_done=False,
    )  # fmt: skip
    return sum(1 for _ in scene.lines(*turns(0, length - 1)))
