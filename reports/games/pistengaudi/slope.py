"""The slope seen from above: where figures ride, where they fall, where cards are laid."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from reports import look, wording
from reports.facts import Facts
from reports.games.pistengaudi import styles
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Section, Table

ORDER = 62
UNUSED = {
    "cards_on_slope": ("Cards", "piste cards on the slope at the end"),
    "cards_never_ridden": ("Never ridden", "of these that no figure rode over since they lie there"),
    "spaces_never_landed_on": (
        "Spaces not landed on", "spaces to rest on where no move has ended since they lie there",
    ),
    "forest_on_slope": ("Forest", "forest spaces on the slope at the end, never to be ridden"),
    "jumps_on_slope": ("Ski jumps", "ski jumps on the slope at the end, never to be landed on"),
}  # fmt: skip
NEEDS = {"games": tuple(UNUSED)}
HALF, ROWS = 20, 16  # tallies: columns either side of the lift, rows from the lift on
PANELS = {
    "visits": "Steps that land here",
    "falls": "Falls here",
    "builds": "Halves of cards laid here",
    "stands": "Figures here at round ends",
}
NAMES = {**PANELS, "landings": "Moves that end here"}
SEEN, WIDEST = 0.98, 10  # the picture is as wide as needed for this share of steps, at most so wide


def make(facts: Facts) -> Section | None:
    """A heat map and the busiest places of each kind of game."""
    if facts.tallies.is_empty():
        return None
    blocks: list[Block] = []
    for s in facts.shown:
        frame = slope_frame(facts, s)
        if frame["visits"].sum() > 0:
            blocks += [*facts.heading(s), _figure(s, frame), _busiest(s, frame)]
    if not blocks:
        return None
    blocks.append(
        styles.by_game(facts, "slope-unused", UNUSED, "What lies on the slope unused at the end.")
    )
    return Section(
        id="slope",
        title="The slope",
        text="Where do the players build, ride and fall? The darker a space, the more of it happens "
        "there; the lift is at the top, the goal at the bottom.",
        help="Numbers are means over all games of the kind. Green spaces in the middle are slope "
        "cards that lie forest side up. Columns far out are left off where hardly anybody rides.",
        blocks=[*blocks, *facts.not_shown()],
        leans_on=("deck.name", "slope", "lift", "board"),
    )


def height(model: Mapping[str, Any]) -> int:
    """The last row of the slope cards."""
    return int(model["slope"]["cards"]) * int(model["slope"]["cells_per_card"])


def walls(model: Mapping[str, Any]) -> list[int]:
    """Rows of the middle column that show forest."""
    told = model["slope"]["forest"]
    cards = model["layouts"][told]["cards"] if isinstance(told, str) else told
    deep = int(model["slope"]["cells_per_card"])
    return [row for card in cards for row in range((card - 1) * deep + 1, card * deep + 1)]


def slope_frame(facts: Facts, stratum: Stratum) -> pl.DataFrame:
    """One row a place of the table: column x, row y, every tally per game."""
    told = facts.tallies.filter(
        (pl.col("stratum") == stratum.number) & pl.col("name").cast(pl.String).is_in(list(NAMES))
    )
    values = {(str(r["name"]), r["index"]): r["value"] for r in told.iter_rows(named=True)}
    games = max(facts.games_of(stratum), 1)
    model = facts.model(stratum.rules)
    return pl.DataFrame(
        [
            {
                "x": x,
                "y": y,
                "forest": x == 0 and y in walls(model),
                "games": games,
                **{n: values.get((n, (x + HALF) * ROWS + y), 0) / games for n in NAMES},
            }
            for x in range(-HALF, HALF + 1)
            for y in range(min(height(model) + 1, ROWS))
        ]
    )


def reach(frame: pl.DataFrame) -> int:
    """Columns either side that hold nearly all steps, at least 3."""
    total = float(frame["visits"].sum())
    for half in range(3, WIDEST):
        inside = frame.filter(pl.col("x").abs() <= half)["visits"].sum()
        if inside >= SEEN * total:
            return half
    return WIDEST


def _figure(stratum: Stratum, frame: pl.DataFrame) -> Figure:
    half = reach(frame)
    shown = frame.filter(pl.col("x").abs() <= half)
    busiest = shown.sort("visits", "y", descending=[True, False]).row(0, named=True)
    visits = frame["visits"].to_numpy()
    off = float(visits[frame["x"].to_numpy() != 0].sum() / visits.sum())
    return Figure(
        f"slope-{stratum.number}",
        partial(draw, frame),
        f"{stratum.label}: {wording.percent(off, 0)} of all steps leave the middle column. "
        f"Most steps land on {place(busiest['x'], busiest['y'])}. Each picture is coloured from its "
        "own least to its own most.",
        "Four maps of the slope from the lift down to the goal: steps, falls, cards laid, and where "
        "figures stand at round ends.",
        frame,
        term="Steps that land here",
    )


def place(x: int, y: int) -> str:
    """A place in words."""
    if x == 0:
        return f"row {y}, middle"
    return f"row {y}, {abs(x)} {'left' if x < 0 else 'right'}"


@look.styled
def draw(frame: pl.DataFrame) -> Any:
    """Four heat maps of the slope, as wide as ``reach`` says."""
    frame = frame.filter(pl.col("x").abs() <= reach(frame))
    half, last = int(frame["x"].to_numpy().max()), int(frame["y"].to_numpy().max())
    cell = look.WIDTH / 2 / (2 * half + 2)
    tall = max(min(cell * (last + 3.2), 3.0), 1.6)
    figure, grid = look.canvas(2, 2, height=2 * tall + 0.5, squeeze=False)
    for axes, (name, words) in zip(grid.flat, PANELS.items(), strict=True):
        most = max(float(frame[name].to_numpy().max()), 1e-12)
        for row in frame.iter_rows(named=True):
            shade = min(int(row[name] / most * len(look.SEQUENCE)), len(look.SEQUENCE) - 1)
            colour = look.DOWN if row["forest"] and not row[name] else look.SEQUENCE[shade]
            box(axes, row["x"], row["y"], colour)
        ends(axes, last)
        axes.set_xlim(-half - 0.6, half + 0.6)
        axes.set_ylim(last + 2.7, -1.7)
        axes.set_aspect("equal")
        axes.axis("off")
        axes.set_title(words, fontsize=9)
    return figure


def box(axes: Any, x: float, y: float, colour: str, edge: str = "") -> None:
    """A space of the table."""
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (x - 0.47, y - 0.47), 0.94, 0.94, facecolor=colour, edgecolor=edge or colour, lw=0.5
        )
    )


def ends(axes: Any, last: int, labelled: bool = True) -> None:
    """The lift above, the goal below."""
    box(axes, 0, -1, look.GRID)
    for deeper in (1, 2):
        box(axes, 0, last + deeper, look.FAIR)
    if not labelled:
        return
    for y, words in ((-1, "lift"), (last + 1.5, "goal")):
        axes.text(0.8, y, words, ha="left", va="center", fontsize=7.5, color=look.MUTED)


def _busiest(stratum: Stratum, frame: pl.DataFrame) -> Table:
    columns = [
        Column("what", "What happens"),
        Column("where", "Most at"),
        Column("there", "There, a game", "number", 2),
        Column("total", "In all, a game", "number", 2),
        Column("n", "Games", "count"),
    ]
    rows = []
    for name, words in NAMES.items():
        top = frame.filter(pl.col(name) > 0).sort(name, "y", "x", descending=[True, False, False])
        if top.is_empty():
            continue
        first = top.head(3)
        rows.append(
            {
                "what": words.removesuffix(" here"),
                "where": "; ".join(place(r["x"], r["y"]) for r in first.iter_rows(named=True)),
                "there": float(first[name].sum()),
                "total": float(frame[name].sum()),
                "n": int(frame["games"][0]),
            }
        )
    words = (
        f"The three busiest places, {stratum.label}: sums over all games, so exact for this run."
    )
    return Table(f"slope-{stratum.number}-busiest", columns, rows, words)
