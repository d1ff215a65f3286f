"""Outcomes of chance, laid before the engine's kernels one by one: hands, rows, cards of a deck.

A door takes cards by type and counts what the kernels say of them. Nothing here knows a rule; how
many ways there are to draw a hand is the only arithmetic (a product of binomial coefficients).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from simulate import registry, rules

registry.load("skull_canyon")  # names the folder of compiled code before a kernel is imported

from simulate.games.skull_canyon import entries  # noqa: E402
from simulate.games.skull_canyon import state as s  # noqa: E402
from simulate.games.skull_canyon.cards import must_reset  # noqa: E402
from simulate.games.skull_canyon.lifts import show_top  # noqa: E402
from simulate.games.skull_canyon.places import let_it_ride  # noqa: E402
from simulate.games.skull_canyon.sets import largest_of_all, matching  # noqa: E402
from simulate.games.skull_canyon.yeti import list_yeti  # noqa: E402
from simulate.jit import entry, kernel  # noqa: E402
from simulate.options import clear  # noqa: E402

SEAT = 0
MOST = 24  # cards of a set that are told apart


@dataclass(frozen=True)
class Hands:
    """Shares of all hands of one size: by largest set, by Yetis, by largest colour and style."""

    best: np.ndarray
    yetis: np.ndarray
    colour: np.ndarray
    style: np.ndarray

    def mean(self, of: np.ndarray) -> float:
        """Mean of what an array counts."""
        return float(of @ np.arange(len(of)))


class Table:
    """One player's records under some rules, nothing dealt."""

    def __init__(self, *overrides: str, players: int = 4) -> None:
        resolved = rules.load("skull_canyon", overrides=overrides)
        self.rules = resolved.record[0]
        self.state, self.work = entries.new_state(), entries.new_work()
        self.players = players
        entries.place(self.state, self.rules, self.work, entries.no_treatments(), players)
        self.events = entries.new_events(0)

    @property
    def board(self) -> Any:
        """The board that is played on."""
        return self.rules["boards"][int(self.state["board"])]

    @lru_cache
    def hands(self, size: int) -> Hands:
        """All hands of so many cards of the full deck, each as often as it is dealt."""
        ways = np.array([[comb(int(n), k) for k in range(MOST)] for n in self.rules["deck"]], float)
        found = np.zeros((4, MOST))
        _hands(self.state, self.rules, size, ways, found)
        return Hands(*(found / comb(int(self.rules["deck"].sum()), size)))

    def least_set(self, size: int) -> int:
        """The smallest largest set of any hand: of hands spread evenly over styles.

        No hand has a smaller one than the even hand with as many cards of each colour.
        """
        return int(_least_set(self.state, self.rules, size))

    def resets(self) -> float:
        """Share of all first rows that are reset at once."""
        ways = np.array([[comb(int(n), k) for k in range(MOST)] for n in self.rules["deck"]], float)
        row = int(self.rules["row"])
        total = _resets(self.state, self.rules, row, ways)
        return float(total) / comb(int(self.rules["deck"].sum()), row)

    def rides(self) -> dict[int, float]:
        """Let It Ride from a full deck: share of all draws by cards got."""
        shown = int(self.rules["ride_show"])
        ways = np.array([[comb(int(n), k) for k in range(MOST)] for n in self.rules["deck"]], float)
        found = np.zeros(MOST)
        _rides(self.state, self.rules, self.work, self.events, shown, ways, found)
        found /= comb(int(self.rules["deck"].sum()), shown)
        return {cards: float(share) for cards, share in enumerate(found) if share}

    def shown_yeti(self) -> float:
        """Season Pass with a full deck: share of all top cards that go to the hand."""
        kept = np.zeros(s.TYPES)
        _passes(self.state, self.rules, self.work, self.events, kept)
        deck = self.rules["deck"]
        return float(kept @ deck / deck.sum())

    def yeti_options(self) -> tuple[int, int]:
        """Where the Yeti may go from the cave, and from where it stands later."""
        board = self.board
        free = next(run for run in range(int(board["n_runs"])) if not board["no_yeti"][run])
        counts = []
        for at in (-1, free):
            self.state["yeti"] = at
            counts.append(int(_yeti_options(self.state, self.rules, self.work)))
        return counts[0], counts[1]

    def idle_game(self) -> tuple[list[int], list[int], int]:
        """Nobody ever acts and all go straight to the Hotel: VP, hands, seats that share the win."""
        entries.start(
            self.state, self.rules, self.work, self.events, entries.no_treatments(),
            self.players, 1, 0,
        )  # fmt: skip
        idle = {s.ASK_ACT: s.ACT_END, s.ASK_MOVE: s.HOTEL, s.ASK_GEAR: 0}
        while not self.state["over"]:
            first = int(self.work["options"][0])
            code = idle.get(int(self.state["phase"]), first)
            entries.apply(self.state, self.rules, self.work, self.events, code)
        seats = slice(0, self.players)
        score = self.state["final"][seats].tolist()
        return score, self.state["cards"][seats].tolist(), int(self.state["win_k"])


# ------------------------------------------------------------------------------- the doors
@kernel
def _next_hand(hand, size):
    """The next way to lay ``size`` cards over the types, in order; False after the last."""
    card = s.TYPES - 2
    while card >= 0 and hand[card] == 0:
        card -= 1
    if card < 0:
        return False
    last = hand[s.TYPES - 1]
    hand[s.TYPES - 1] = 0
    hand[card] -= 1
    hand[card + 1] = last + 1
    return True


@kernel
def _first_hand(hand, size):
    """All cards of the first type: where ``_next_hand`` begins."""
    for card in range(s.TYPES):
        hand[card] = 0
    hand[0] = size


@kernel
def _ways(hand, ways):
    """In how many ways the deck deals these cards."""
    total = 1.0
    for card in range(s.TYPES):
        total *= ways[card, hand[card]]
    return total


@entry
def _hands(state, rules, size, ways, found):
    """Every hand of a size, weighted: largest set, Yetis, largest colour set, largest style set."""
    hand = state["hand"][SEAT]
    _first_hand(hand, size)
    state["cards"][SEAT] = size
    going = True
    while going:
        weight = _ways(hand, ways)
        if weight > 0.0:
            colour = 0
            style = 0
            for key in range(s.KEYS):
                fitting = matching(state, SEAT, key)
                if key < s.COLOURS:
                    colour = max(colour, fitting)
                else:
                    style = max(style, fitting)
            found[0, largest_of_all(state, rules, SEAT, 0)] += weight
            found[1, hand[s.YETI]] += weight
            found[2, colour] += weight
            found[3, style] += weight
        going = _next_hand(hand, size)


@entry
def _least_set(state, rules, size):
    """Largest set of the hand that has the smallest, over all splits into colours and Yetis."""
    hand = state["hand"][SEAT]
    state["cards"][SEAT] = size
    least = size
    for yetis in range(size + 1):
        for red in range(size - yetis + 1):
            for yellow in range(size - yetis - red + 1):
                for card in range(s.TYPES):
                    hand[card] = 0
                hand[s.YETI] = yetis
                for colour in range(s.COLOURS):
                    count = size - yetis - red - yellow
                    if colour == 0:
                        count = red
                    elif colour == 1:
                        count = yellow
                    for index in range(count):
                        hand[colour * s.STYLES + (index + colour) % s.STYLES] += 1
                least = min(least, largest_of_all(state, rules, SEAT, 0))
    return least


@entry
def _resets(state, rules, size, ways):
    """Ways to lay a first row that is reset, all other cards in the deck."""
    row = state["hand"][SEAT]
    _first_hand(row, size)
    total = 0.0
    going = True
    while going:
        weight = _ways(row, ways)
        if weight > 0.0:
            slot = 0
            count = 0
            for card in range(s.TYPES):
                for _ in range(row[card]):
                    state["slots"][slot] = card
                    slot += 1
                for _ in range(rules["deck"][card] - row[card]):
                    state["deck"][count] = card
                    count += 1
            state["deck_at"] = 0
            state["deck_n"] = count
            if must_reset(state, rules):
                total += weight
        going = _next_hand(row, size)
    return total


@entry
def _rides(state, rules, work, events, size, ways, found):
    """Let It Ride, red named, for all cards that may be shown: ways by cards got."""
    shown = state["hand"][SEAT + 1]
    _first_hand(shown, size)
    going = True
    while going:
        weight = _ways(shown, ways)
        if weight > 0.0:
            count = 0
            for card in range(s.TYPES):
                state["hand"][SEAT, card] = 0
                for _ in range(shown[card]):
                    state["deck"][count] = card
                    count += 1
            for card in range(s.TYPES):
                for _ in range(rules["deck"][card] - shown[card]):
                    state["deck"][count] = card
                    count += 1
            state["deck_at"] = 0
            state["deck_n"] = count
            state["cards"][SEAT] = 0
            let_it_ride(state, rules, work, events, SEAT, 0)
            found[state["cards"][SEAT]] += weight
        going = _next_hand(shown, size)


@entry
def _passes(state, rules, work, events, kept):
    """Season Pass for every card that may lie on top: 1 where it goes to the hand."""
    for top in range(s.TYPES):
        state["cards"][SEAT] = 0
        state["deck"][0] = top
        state["deck"][1] = top
        state["deck_at"] = 0
        state["deck_n"] = 2
        show_top(state, rules, work, events, SEAT)
        kept[top] = state["cards"][SEAT]


@entry
def _yeti_options(state, rules, work):
    """YETI; returns the number of options."""
    clear(work)
    list_yeti(state, rules["boards"][state["board"]], work)
    return work["n_options"]
