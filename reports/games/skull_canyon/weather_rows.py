"""What the experiment on weather hands to its page."""

from __future__ import annotations

from dataclasses import dataclass

from reports.estimates import Estimate


@dataclass(frozen=True)
class Measured:
    """A measure of the weather: a column, and how it is summed."""

    column: str
    kind: str  # games or seats
    label: str
    words: str
    per_game: bool = False
    seat: int | None = None  # only this seat counts, a game each


MEASURES: dict[str, Measured] = {
    "score": Measured("score", "seats", "VP", "score of a player"),
    "spread": Measured("spread", "games", "Spread", "VP of the first less the last"),
    "first": Measured(
        "win_share", "seats", "Seat 1 wins", "win share of who begins on day I", True, 0
    ),
    "second": Measured(
        "win_share", "seats", "Seat 2 wins", "win share of who begins on day II", True, 1
    ),
    "third": Measured("win_share", "seats", "Seat 3 wins", "win share of seat 3", True, 2),
    "fourth": Measured("win_share", "seats", "Seat 4 wins", "win share of seat 4", True, 3),
    "hand": Measured("cards_drawn", "seats", "Cards", "cards that a player draws from the deck"),
    "left": Measured("cards_left", "seats", "Hand left", "cards in hand at the end"),
    "gear": Measured("gear_bought", "games", "Gear bought", "gear cards in a game"),
    "use": Measured(
        "gear_use", "seats", "Gear used", "effects of gear in a game, all players", True
    ),
}


@dataclass(frozen=True)
class Cell:
    """One measure under one sequence of faces."""

    sequence: str  # sunny-icy-snowy
    stratum: str
    players: int
    measure: str
    level: Estimate
    difference: Estimate  # from the mean of all sequences, game by game
    p: float
    q: float  # corrected for false discoveries over all cells


@dataclass(frozen=True)
class Skies:
    """Everything that `simulate weather` found."""

    cells: tuple[Cell, ...]
    sequences: tuple[tuple[str, ...], ...]
    seed: int
    n: int
