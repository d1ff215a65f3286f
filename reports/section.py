"""What a report is made of: sections of blocks. Plain data; ``render`` turns it into HTML.

A section module (``reports/sections/*.py`` for all games, ``reports/games/<game>/*.py`` for one)
offers

``ORDER``                  where it stands; sections are found by scanning the folders
``NEEDS``                  columns, ``{"games": (...), "seats": (...)}``; without them the section
                           is left out with a line that says so (``--strict``: an error)
``make(facts)``            a ``Section``, or None where it has nothing to say
``verdicts(facts)``        optional: verdicts for the first screen
``highlights(facts)``      optional: key figures for the first screen
``jobs(facts)``            optional: ``{"games": {name: Job}, "seats": {...}}``, measures made in
                           the report's one pass over all rows; read with ``facts.job``
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from reports import wording
from reports.estimates import UNKNOWN, Estimate, State, finite

Kind = Literal[
    "text", "count", "number", "percent", "interval_percent", "interval_points", "interval"
]


@dataclass(frozen=True)
class Example:
    """A single game that shows something, and the fact that can be checked in it.

    ``claims``: column -> value in the records of that game; ``seat`` None means a games column.
    """

    game_id: int
    words: str
    claims: Mapping[str, Any] = field(default_factory=dict)
    seat: int | None = None


@dataclass(frozen=True)
class Verdict:
    """An answer for the first screen: a state, the number, its interval, a game that shows it."""

    id: str
    question: str
    state: State
    headline: str  # the answer in one sentence
    number: str
    interval: str
    n: int
    detail: str = ""  # what it means, for a reader who is no statistician
    about: str = ""  # which players, course, line-up
    holds_for: tuple[str, ...] = ()  # strategies
    leans_on: tuple[str, ...] = ()  # prefixes of assumed rule keys
    example: Example | None = None
    words: Mapping[str, str] = field(default_factory=dict)  # other labels for the states
    section: str = ""  # id of the section with the detail
    measure: str = ""  # what the number is, as the glossary calls it
    says: str = ""  # what it says beyond its state: the strongest style
    bar: tuple[Estimate, float, float] | None = None  # the number, what it should be, the margin

    @property
    def label(self) -> str:
        """The state in words."""
        usual = {"fair": "Fair", "unfair": "Not fair", "unknown": "Not enough games"}
        return {**usual, **self.words}[self.state]


@dataclass(frozen=True)
class Highlight:
    """A key figure of the first screen."""

    label: str
    value: str
    interval: str
    note: str


@dataclass(frozen=True)
class Column:
    """A column of a table: how its cells are shown, what it means."""

    name: str
    label: str
    kind: Kind = "text"
    digits: int | None = None
    help: str = ""
    term: str = ""  # heading of the glossary's entry, where it is another than the label


@dataclass(frozen=True)
class Table:
    """Rows of plain values and ``Estimate``s."""

    name: str  # of its CSV file
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    caption: str = ""
    fold: bool = False  # shown folded up

    @property
    def frame(self) -> pl.DataFrame:
        """The rows with estimates spread over value, low, high, n."""
        flat = [
            {
                key: cell
                for c in self.columns
                for key, cell in flat_cells(c.name, row.get(c.name)).items()
            }
            for row in self.rows
        ]
        return pl.DataFrame(flat, infer_schema_length=None) if flat else pl.DataFrame()


def flat_cells(name: str, value: Any) -> dict[str, Any]:
    """A cell of a table as plain cells: an estimate as its value and interval."""
    if isinstance(value, Estimate):
        return {
            name: finite(value.value),
            f"{name}_low": finite(value.low),
            f"{name}_high": finite(value.high),
            f"{name}_n": value.n,
        }
    return {name: finite(value) if isinstance(value, float) else value}


@dataclass(frozen=True)
class Figure:
    """A picture: how to draw it, what it shows in words, and the numbers that it was drawn from."""

    name: str  # of its CSV file
    draw: Callable[[], Any]  # () -> matplotlib Figure
    caption: str
    alt: str
    frame: pl.DataFrame
    wide: bool = False
    term: str = ""  # heading of the glossary's entry of what is drawn


@dataclass(frozen=True)
class Text:
    """A paragraph. ``tone``: plain, note, or warning."""

    words: str
    tone: Literal["plain", "note", "warning"] = "plain"


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    words: str


@dataclass(frozen=True)
class Replays:
    """Games to look at, each with its replay command."""

    title: str
    examples: Sequence[tuple[str, Example]]  # (label, game)


@dataclass(frozen=True)
class Check:
    """A line of the trust panel."""

    name: str
    passed: bool | None  # None: could not be checked
    words: str


@dataclass(frozen=True)
class Checks:
    """The trust panel."""

    checks: Sequence[Check]


Block = Table | Figure | Text | Heading | Replays | Checks


@dataclass(frozen=True)
class Section:
    """A chapter of the report."""

    id: str
    title: str
    text: str  # what it answers, in plain words
    blocks: Sequence[Block]
    help: str = ""  # how to read it
    leans_on: tuple[str, ...] = ()  # prefixes of assumed rule keys


# ---------------------------------------------------------------- what a game says about itself


@dataclass(frozen=True)
class Measure:
    """A games column worth a histogram and a mean."""

    column: str
    label: str
    unit: str
    words: str  # what it means
    factor: int = 1  # histogram bins are 1/factor wide


@dataclass(frozen=True)
class Standing:
    """The seats column (an array by round) that tells how everybody stands after each round.

    ``more``: more is better. ``end``: games column with the round in which the winner was known, ""
    where it is the last on record. ``by_round``: the game has a fixed number of rounds, so the round
    tells how far it has gone; else the leader does. ``words``: what the column counts.
    """

    column: str
    words: str
    more: bool = True
    end: str = ""
    by_round: bool = False


@dataclass(frozen=True)
class Factor:
    """A seat column whose levels are judged like seats (nations, styles, boards)."""

    column: str
    word: str  # one level
    words: str  # all levels
    drawn: Callable[[Any], bool]  # rules model -> were levels drawn at random, balanced?
    leans_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Luck:
    """Luck of known mean, the shots of a skier: what may be taken out of win shares.

    A seat's luck is the sum of its ``columns`` times ``weights``; whatever is played, it is 0 on
    average, as every chance enters when it has been drawn, less what was to be expected of it.
    """

    columns: tuple[str, ...]  # of seats; arrays item by item
    weights: Callable[[Any], Sequence[float]]  # rules model -> a weight an item
    words: str  # "the luck of the shots"


@dataclass(frozen=True)
class Notable:
    """A kind of game that a report points at: the most of a column, or the least."""

    id: str
    label: str
    column: str
    words: str  # sentence with {value} or {count} (and {seat}, counted from 1)
    most: bool = True
    seats: bool = False  # the column is a seat's
    unit: tuple[str, str] = ("", "")  # of {count}: one, several
    ties: tuple[tuple[str, bool], ...] = ()  # further columns that break ties: (column, most)


@dataclass(frozen=True)
class Lens:
    """How the general sections look at one game."""

    title: str = ""
    layout_word: str = "layout"  # what the game calls its course, board or set-up
    order: str = ""  # seat column: 0 acts first at the start
    order_words: str = "acts"  # "acts 1st in round 1"
    order_suffix: str = ""  # " in round 1", for sentences
    order_label: str = ""  # heading of the column of start positions
    podium: str = ""  # seat column with the place, null for none
    minutes: str = ""  # games column with the estimated playing time
    minutes_words: str = ""
    win_rounds: str = "rounds"  # games column: the round in which the winner was known
    drama: tuple[Measure, ...] = ()
    standing: Standing | None = None  # for the chances to win, round by round
    factors: tuple[Factor, ...] = ()
    luck: Luck | None = None
    notable: tuple[Notable, ...] = ()
    seat_leans_on: tuple[str, ...] = ()
    strategy_leans_on: tuple[str, ...] = ()
    player_names: Mapping[str, str] = field(default_factory=dict)


def not_enough(n: int, why: str) -> str:
    """The sentence of a verdict that cannot be given."""
    return f"Not enough to say: {why} ({wording.count(n)} games)."


def best_state(states: Sequence[State]) -> State:
    """The state of several verdicts together."""
    if "unfair" in states:
        return "unfair"
    return UNKNOWN if not states or UNKNOWN in states else "fair"
