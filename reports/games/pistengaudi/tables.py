"""The closest and the oddest game, drawn as the table looked at the end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from reports import examples, look, wording
from reports.facts import Facts
from reports.games.pistengaudi import slope, told
from reports.measures import Job
from reports.section import Block, Example, Figure, Replays, Section, Text

ORDER = 64
SHOWN = ("typical", "closest", "oddest")
NEEDS = {"games": (*told.AGREE, "tie_broken", "holes_unfillable", "rounds")}
SIGNS = {"1": look.SERIES[0], "2": look.UNFAIR, "3": look.INK}
GROUNDS = {
    "P": look.PLAIN_SPACE,
    "H": look.FREE_SPACE,
    "G": look.RANGE,
    "S": look.SEQUENCE[1],
    "J": look.UP,
    "F": look.DOWN,
}
MOST_COLUMNS = 21  # a wider table is cut off at the sides


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """The extreme games, for the one pass over all rows."""
    return examples.jobs(facts, _kinds(facts))


def make(facts: Facts) -> Section | None:
    """Pictures of three games, each with its replay command."""
    found = _games(facts)
    blocks: list[Block] = []
    for label, example in found:
        game = told.game(facts, example.game_id)
        if game is not None:
            blocks.append(_figure(label, example, game, model_of(facts, example.game_id)))
    if not blocks:
        if not found:
            return None
        blocks.append(
            Text(
                "The games cannot be drawn: this version of the game does not play them as they "
                "were recorded. The commands below tell what it plays now.",
                "note",
            )
        )
    blocks.append(Replays("These games step by step", found))
    return Section(
        id="tables",
        title="Games as they looked",
        text="The table at the end of a game of middling length, of the closest finish and of the "
        "oddest slope.",
        help="Letters: S snowball, G piste groomer, H hut, J ski jump, F forest; the number is the "
        "sign, blue 1, red 2, black 3. The lift is at the top, the goal in one strong colour. "
        "Discs are figures with their seat; a hollow disc lies.",
        blocks=blocks,
        leans_on=("deck.name",),
    )


def _kinds(facts: Facts) -> list[Any]:
    return [n for n in facts.lens.notable if n.id in SHOWN]


def _games(facts: Facts) -> list[tuple[str, Example]]:
    """A typical game of the first stratum, and the noteworthy ones."""
    found = []
    if facts.main:
        shares = facts.shares("seat", facts.main[0])
        wins = shares.wins.sum(0)
        if wins.sum():
            level = shares.levels[int(wins.argmax())]
            example = examples.typical_win(facts, facts.main[0], "seat", level)
            found += [("A typical game", example)] if example is not None else []
    return found + examples.notable(facts, _kinds(facts))


def _figure(label: str, example: Example, game: told.Told, model: Mapping[str, Any]) -> Figure:
    frame = table_frame(game.state)
    setting = game.events[0]
    who = wording.listing(
        f"{i + 1} {wording.plain(name)}" for i, name in enumerate(setting["strategies"])
    )
    return Figure(
        f"table-{wording.plain(label).lower().replace(' ', '-')}",
        partial(draw, frame, slope.height(model), tuple(slope.walls(model))),
        f"{label}, game {example.game_id}: {example.words}. Seats: {who}.",
        f"The slope of game {example.game_id} at its end, from the lift down to the goal, with "
        f"{frame.filter(pl.col('what') == 'card').height} halves of cards and "
        f"{frame.filter(pl.col('what') == 'figure').height} figures.",
        frame,
        wide=True,
    )


def model_of(facts: Facts, game_id: int) -> Mapping[str, Any]:
    """The rules that a game was played by."""
    cell = facts.records.cells[game_id % facts.records.k]
    return facts.model(int(cell["rules"]))


def table_frame(state: Mapping[str, Any]) -> pl.DataFrame:
    """What lies where: halves of cards and figures, one row each."""
    rows: list[dict[str, Any]] = []
    for x, y, up, down in state["cards"]:
        rows.append({"what": "card", "x": x, "y": y, "shows": up, "half": 0})
        rows.append({"what": "card", "x": x, "y": y + 1, "shows": down, "half": 1})
    for seat, (x, y, posture) in enumerate(state["figures"], 1):
        if x == "goal":
            place = {"x": None, "y": int(y), "half": 1}
        else:
            place = {"x": int(x), "y": int(y), "half": int(posture == "up")}
        rows.append({"what": "figure", "shows": str(seat), **place})
    schema = {
        "what": pl.String, "x": pl.Int64, "y": pl.Int64, "shows": pl.String, "half": pl.Int64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


@look.styled
def draw(frame: pl.DataFrame, last: int, walls: tuple[int, ...] = ()) -> Any:
    """The table: slope cards, piste cards, figures."""
    cards = frame.filter(pl.col("what") == "card")
    figures = frame.filter(pl.col("what") == "figure")
    home = figures.filter(pl.col("x").is_null())
    below = 1.1 + 0.9 * len(areas_of(home))
    columns = [x for x in frame["x"].to_list() if x is not None] or [0]
    left = max(min(*columns, -3), -(MOST_COLUMNS // 2))
    right = min(max(*columns, 4), MOST_COLUMNS // 2)
    lowest = max([last + 2, *cards["y"].to_list()])
    cell = look.WIDTH / (right - left + 1.4)
    figure, axes = look.canvas(height=min(cell, 0.42) * (lowest + below + 1.7) + 0.1)
    for y in range(1, last + 1):
        slope.box(axes, 0, y, look.DOWN if y in walls else look.PAPER, look.GRID)
    slope.box(axes, 0, 0, look.GRID)
    slope.ends(axes, last, labelled=False)
    for row in cards.filter(pl.col("x").is_between(left, right)).iter_rows(named=True):
        _half(axes, row)
    _discs(axes, figures.filter(pl.col("x").is_not_null()), left, right)
    _home(axes, home, left, lowest + 1.4)
    axes.set_xlim(left - 0.7, right + 0.7)
    axes.set_ylim(lowest + below, -1.7)
    axes.set_aspect("equal")
    axes.axis("off")
    return figure


def _half(axes: Any, row: Mapping[str, Any]) -> None:
    """Half of a card: its ground, its letter, its sign, and a seam to the other half."""
    x, y, shows = row["x"], row["y"], row["shows"]
    slope.box(axes, x, y, GROUNDS[shows[0]], look.MUTED)
    if row["half"]:
        axes.plot([x - 0.4, x + 0.4], [y - 0.5] * 2, color=look.PAPER, lw=2.2, zorder=2)
    text = shows if shows[0] != "P" else shows[1:]
    strong = shows[0] in "GJF"  # on these grounds a coloured sign is hard to read
    colour = look.INK if strong else SIGNS.get(shows[-1], look.INK)
    axes.text(
        x, y, text, ha="center", va="center", fontsize=7.5, color=colour, weight="bold", zorder=3
    )


def _discs(axes: Any, figures: pl.DataFrame, left: int, right: int) -> None:
    """Figures on the slope, side by side where several stand on one space."""
    places: dict[tuple[int, int], int] = {}
    for row in figures.filter(pl.col("x").is_between(left, right)).iter_rows(named=True):
        here = (row["x"], row["y"])
        before = places.get(here, 0)
        places[here] = before + 1
        _disc(axes, row["x"] - 0.3 + 0.3 * (before % 3), row["y"] + 0.3 - 0.6 * (before // 3), row)


def _home(axes: Any, figures: pl.DataFrame, left: float, y: float) -> None:
    """Figures in the goal, below the table: a line for each area."""
    for line, area in enumerate(areas_of(figures)):
        below = y + 0.9 * line
        axes.text(
            left - 0.4, below, f"in area {area}:", ha="left", va="center", fontsize=7.5,
            color=look.MUTED,
        )  # fmt: skip
        there = figures.filter(pl.col("y") == area)
        for place, row in enumerate(there.iter_rows(named=True)):
            _disc(axes, left + 2.4 + 0.75 * place, below, row)


def areas_of(figures: pl.DataFrame) -> list[int]:
    """Areas of the goal that hold figures, the best first."""
    return sorted(figures["y"].unique().to_list(), reverse=True)


def _disc(axes: Any, x: float, y: float, row: Mapping[str, Any]) -> None:
    from matplotlib.patches import Circle

    colour = look.series(int(row["shows"]) - 1)
    fill = colour if row["half"] else look.PAPER
    axes.add_patch(Circle((x, y), 0.3, facecolor=fill, edgecolor=colour, lw=1.2, zorder=4))
    ink = look.PAPER if row["half"] else colour
    axes.text(
        x,
        y,
        row["shows"],
        ha="center",
        va="center",
        fontsize=6.5,
        color=ink,
        weight="bold",
        zorder=5,
    )
