"""Figures SC-FIG-01 to SC-FIG-20: every outcome of chance, counted by the engine's kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from math import comb

import numpy as np
from figure import Figure
from .outcomes import Table

from simulate.games.skull_canyon import state as s

EVEN30 = "deck.set=even30"


def figures() -> Iterator[Figure]:
    """All exact figures in order."""
    yield from _opening_hands()
    yield from _sets()
    yield from _cards_of_the_deck()
    yield from _weather()
    yield from _gear()
    yield from _styles()
    yield from _yeti_options()
    yield from _idle_games()


def _figure(number: int, what: str, ours: float, wanted: float, digits: int = 6) -> Figure:
    return Figure(f"SC-FIG-{number:02}", what, float(ours), wanted, digits=digits)


# ------------------------------------------------------------------------------- slope cards
def _opening_hands() -> Iterator[Figure]:
    table = Table()
    hands = table.hands(int(table.rules["hand"]))
    yield _figure(1, "Yetis in an opening hand, mean", hands.mean(hands.yetis), 0.8750)
    for yetis, wanted in enumerate((0.38261, 0.40580, 0.17044)):
        yield _figure(1, f"P({yetis} Yetis)", hands.yetis[yetis], wanted, 5)
    yield _figure(1, "P(3 Yetis or more)", hands.yetis[3:].sum(), 0.04115, 5)
    more = Table(EVEN30)
    other = more.hands(int(more.rules["hand"]))
    yield _figure(2, "even30: Yetis in an opening hand, mean", other.mean(other.yetis), 1.75)
    yield _figure(2, "even30: P(no Yeti)", other.yetis[0], 0.12560, 5)
    yield _figure(3, "P(the setup row is reset)", table.resets(), 0.0059821, 7)
    yield _figure(3, "even30: P(the setup row is reset)", more.resets(), 0.0478181, 7)
    for number, told, wanted in (
        (4, hands, (4.23513, 0.80739, 0.35073, 0.07132, 0.00570)),
        (5, other, (4.72983, 0.92310, 0.58959, 0.19331, 0.02383)),
    ):
        deck = "even30: " if number == 5 else ""
        yield _figure(
            number, f"{deck}largest set of a hand, mean", told.mean(told.best), wanted[0], 5
        )
        for least, share in enumerate(wanted[1:], start=4):
            yield _figure(number, f"{deck}P(largest set of {least} or more)",
                          told.best[least:].sum(), share, 5)  # fmt: skip
    yield _figure(6, "P(a style set of 4 or more)", hands.style[4:].sum(), 0.44251, 5)
    yield _figure(6, "P(a colour set of 4 or more)", hands.colour[4:].sum(), 0.75442, 5)


def _sets() -> Iterator[Figure]:
    table = Table()
    for size, wanted in ((9, 0.09033), (11, 0.34196)):
        share = table.hands(size).best[7:].sum()
        yield _figure(7, f"a hand of {size}: P(largest set of 7 or more)", share, wanted, 5)
    for size, least in ((7, 3), (10, 4), (19, 7)):
        yield _figure(8, f"any {size} cards: smallest largest set", table.least_set(size), least, 0)
        if size < 12:
            dealt = int(np.flatnonzero(table.hands(size).best)[0])
            yield _figure(8, f"the same, over all hands of {size}", dealt, least, 0)


def _cards_of_the_deck() -> Iterator[Figure]:
    table = Table()
    two = table.hands(2)
    need = int(table.rules["cards"][s.EASY])
    yield _figure(9, "two cards are an easy set", two.best[need:].sum(), 0.588235)
    other = Table(EVEN30).hands(2)
    yield _figure(9, "even30: two cards are an easy set", other.best[need:].sum(), 0.697479)
    yield _figure(10, "two cards, P(a Yeti)", two.yetis[1:].sum(), 0.235294)
    yield _figure(10, "two cards, P(two Yetis)", two.yetis[2], 0.014706)
    rides = table.rides()
    most = max(rides)
    yield _figure(11, "Let It Ride, P(miss)", rides[most], 0.194915)
    yield _figure(11, "Let It Ride, cards", sum(n * p for n, p in rides.items()), 3.389831)
    strict = Table("rules.let_it_ride_yeti_matches=false").rides()
    yield _figure(11, "Let It Ride, P(miss) if no Yeti matches", strict[most], 0.351695)
    yield _figure(12, "Season Pass, P(Yeti)", table.shown_yeti(), 0.125, 3)


# ------------------------------------------------------------------------------- weather
def _pairs() -> dict[tuple[int, int], float]:
    """Faces of days II and III with their chance: two of the markers left, in order."""
    rules = Table().rules
    left = rules["weather_faces"].tolist()
    left[int(rules["weather_first"])] -= 1
    markers = [face for face, count in enumerate(left) for _ in range(count)]
    found = Counter(permutations(markers, 2))
    return {pair: count / sum(found.values()) for pair, count in sorted(found.items())}


def _weather() -> Iterator[Figure]:
    pairs = _pairs()
    for face, name in enumerate(("sunny", "icy", "snowy")):
        share = sum(p for pair, p in pairs.items() if pair[0] == face)
        yield _figure(13, f"day II is {name}", share, 1 / 3)
    snowy = sum(p for pair, p in pairs.items() if s.SNOWY in pair)
    yield _figure(13, "a snowy day II or III", snowy, 0.6, 1)
    yield _figure(13, "days II and III are alike", sum(pairs[f, f] for f in range(3)), 0.2, 1)
    draw = Table().rules["weather_draw"].tolist()
    cards: Counter[int] = Counter()
    for (two, three), share in pairs.items():
        cards[draw[two] + draw[three]] += share
    mean = sum(n * p for n, p in cards.items())
    yield _figure(14, "Hotel cards of both evenings, mean", mean, 10.6667, 4)
    variance = sum((n - mean) ** 2 * p for n, p in cards.items())
    yield _figure(14, "Hotel cards of both evenings, variance", variance, 2.4889, 4)
    wanted = {8: 1, 9: 4, 10: 1, 11: 4, 12: 4, 14: 1}
    for count, share in wanted.items():
        yield _figure(14, f"P({count} Hotel cards)", cards[count], share / 15)
    yield _figure(14, "numbers of Hotel cards that are possible", len(cards), len(wanted), 0)


# ------------------------------------------------------------------------------- gear, styles
def _none_of(size: int, marked: int, drawn: int) -> float:
    """P(none of the marked cards of a deck is among those drawn)."""
    return comb(size - marked, drawn) / comb(size, drawn)


def _gear() -> Iterator[Figure]:
    for name, wanted in (("assumed-16", (0.5, 0.1)), ("named-12", (0.666667, 0.181818))):
        rules = Table(f"gear.set={name}").rules
        size, row = int(rules["gear_copies"].sum()), int(rules["gear_row"])
        evenings = 1 + int(rules["renew_after"].sum())
        shown = 1 - _none_of(size, 1, row * evenings)
        both = evenings * comb(size - 2, row - 2) / comb(size, row)
        yield _figure(15, f"{name}: a given gear is shown", shown, wanted[0])
        yield _figure(15, f"{name}: two given ones on one evening", both, wanted[1])
    rules = Table().rules
    size, row = int(rules["gear_copies"].sum()), int(rules["gear_row"])
    blank = int(rules["gear_copies"][rules["gear_buyable"] == 0].sum())
    yield _figure(16, "no blank on an evening", _none_of(size, blank, row), 0.392857)
    yield _figure(16, "no blank on both evenings", _none_of(size, blank, 2 * row), 0.1, 1)


def _styles() -> Iterator[Figure]:
    counts = Table().rules["style_markers"].tolist()
    markers = [style for style, count in enumerate(counts) for _ in range(count)]
    pairs = list(combinations(markers, 2))
    equal = sum(one == other for one, other in pairs) / len(pairs)
    yield _figure(17, "two style spaces show the same style", equal, 0.111111)
    board = Table(players=2).board
    left = len(markers) - int(board["style_space"].sum())
    drawn = list(combinations(markers, left))
    differ = sum(len(set(some)) == left for some in drawn) / len(drawn)
    yield _figure(18, f"canyon_2: the {left} leftover markers all differ", differ, 0.666667)
    gone = sum(_absent(Counter(some), Counter(markers)) for some in drawn) / len(drawn)
    yield _figure(18, "canyon_2: styles absent from the board", gone, 0.333333)


def _absent(left_over: Mapping[int, int], printed: Mapping[int, int]) -> int:
    """Styles whose markers are all left over."""
    return sum(left_over[style] == count for style, count in printed.items() if count)


# ------------------------------------------------------------------------------- whole game
def _yeti_options() -> Iterator[Figure]:
    wanted = {
        "canyon_34": (17, 16), "canyon_2": (10, 9), "twin_peaks_34": (18, 17),
        "long_spine_34": (16, 15), "wide_bowl_34": (13, 12), "ladder_2": (8, 7),
    }  # fmt: skip
    for board, (first, later) in wanted.items():
        players = 2 if board.endswith("_2") else 4
        found = Table(f"board.layout={board}", players=players).yeti_options()
        yield _figure(19, f"{board}: where the Yeti may go from the cave", found[0], first, 0)
        yield _figure(19, f"{board}: where it may go later", found[1], later, 0)


def _idle_games() -> Iterator[Figure]:
    faces = ("sunny", "icy", "snowy")
    for players in (2, 3, 4):
        hand, most, shared = 0.0, 0, 0.0
        for (two, three), share in _pairs().items():
            force = f'weather.force=["sunny", "{faces[two]}", "{faces[three]}"]'
            score, cards, winners = Table(force, players=players).idle_game()
            hand += share * sum(cards) / players
            most = max(most, *score)
            shared += share * (winners == players)
        yield _figure(20, f"{players} idle players: most VP", most, 0, 0)
        yield _figure(20, f"{players} idle players: mean hand", hand, 17.6667, 4)
        yield _figure(20, f"{players} idle players: all share the win", shared, 1)
