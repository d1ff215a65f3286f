"""The mountain, drawn from its data: traffic and claims of every run."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import pairwise
from typing import Any

import polars as pl

from reports import look, wording
from reports.facts import Facts
from reports.games.skull_canyon.components import Board, board_of, sentence
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Section, Table

ORDER = 52
NEEDS: dict[str, tuple[str, ...]] = {}
COUNTS = {
    "skied": "skied",
    "claimed": "claim markers",
    "stolen": "of these stolen",
    "bonus": "style bonuses",
    "blocked": "turns with the Yeti on it",
}
MAPS = {"skied": "skied", "claimed": "claimed"}
TERMS = {"skied": "Skied", "claimed": "Claim markers"}
COLOURS = {"easy": look.series(2), "advanced": look.series(0), "expert": look.INK}
NARROWEST, WIDEST = 0.8, 6.0  # points, of the least and the most skied run
STEPS = [i / 24 for i in range(25)]  # along a run
LABEL_AT = (10, 14, 8, 16)  # steps at which numbers stand, so that they do not meet
LEAST_TOLD = 0.05  # times a game: below that no number
NEAR = 0.7  # of the usual step between heights
DEAD = 0.05  # skied in fewer games than that: hardly used


def make(facts: Facts) -> Section | None:
    """A map and a table for each stratum."""
    if facts.tallies.is_empty():
        return None
    blocks: list[Block] = []
    for s in facts.shown:
        frame = run_frame(facts, s)
        blocks += [*facts.heading(s), *_maps(facts, s, frame), _table(s, frame)]
    blocks += facts.not_shown()
    return Section(
        id="map",
        title="The mountain",
        text="Which runs are skied and claimed, and which are left alone? A run that nobody skis "
        "might as well not be printed; a run that everybody skis leaves no choice.",
        help="The wider a line, the more often the run is skied (or claimed); the number says how "
        "often in a game. Dotted lines are lifts.",
        blocks=blocks,
        leans_on=("board", "boards"),
    )


def _maps(facts: Facts, stratum: Stratum, frame: pl.DataFrame) -> list[Block]:
    """Traffic beside claims."""
    return [_figure(facts, stratum, frame, what) for what in MAPS]


def run_frame(facts: Facts, stratum: Stratum) -> pl.DataFrame:
    """One row a run: where it goes, and every tally a game."""
    board = board_of(facts.model(stratum.rules), stratum.players)
    games = max(facts.games_of(stratum), 1)
    told = facts.tallies.filter(pl.col("stratum") == stratum.number)
    values = {(str(r["name"]), r["index"]): r["value"] for r in told.iter_rows(named=True)}
    return pl.DataFrame(
        [
            {
                "id": run.id,
                "run": run.name,
                "difficulty": run.difficulty,
                "top": run.top,
                "bottom": run.bottom,
                "games": games,
                **{name: values.get((name, number), 0) / games for name in COUNTS},
            }
            for number, run in enumerate(board.runs)
        ]
    )


def _figure(facts: Facts, stratum: Stratum, frame: pl.DataFrame, what: str) -> Figure:
    board = board_of(facts.model(stratum.rules), stratum.players)
    busy = frame.sort(what, "id", descending=[True, False])
    most, least = busy.row(0, named=True), busy.row(-1, named=True)
    words = MAPS[what]
    return Figure(
        f"map-{what}-{stratum.number}",
        partial(draw, board, frame, what),
        f"{stratum.label}, board {wording.plain(board.name)}: how often a run is {words} in a "
        f"game. {most['run']} is {words} most ({wording.number(most[what], 2)}), "
        f"{least['run']} least ({wording.number(least[what], 2)}).",
        f"Map of the board {wording.plain(board.name)} with {len(frame)} runs; {most['run']} is "
        f"{words} most, {least['run']} least.",
        frame,
        term=TERMS[what],
    )


def places(board: Board) -> dict[str, tuple[float, float]]:
    """Where nodes stand: height upward, those of like height side by side in board order."""
    heights = sorted(set(board.nodes.values()))
    steps: list[list[float]] = []
    for height in heights:  # heights that hardly differ share a level
        if steps and height - steps[-1][0] < NEAR * _gap(heights):
            steps[-1].append(height)
        else:
            steps.append([height])
    level_of = {height: i for i, step in enumerate(steps) for height in step}
    levels: dict[int, list[str]] = defaultdict(list)
    for node, height in board.nodes.items():
        levels[level_of[height]].append(node)
    found = {}
    for level, nodes in levels.items():
        for i, node in enumerate(nodes):
            found[node] = (_across(i, len(nodes), level), float(level))
    return found


def _across(index: int, count: int, level: int) -> float:
    """Single nodes stand left and right in turn above the base, so that runs do not overlap."""
    if count > 1:
        reach = 0.84 if count > 2 else 0.56
        return 0.5 + reach * (index / (count - 1) - 0.5)
    return 0.5 if level == 0 else 0.5 + 0.14 * (-1) ** level


def _gap(heights: list[float]) -> float:
    """The usual step between heights."""
    steps = [b - a for a, b in pairwise(heights)]
    return max(steps) if steps else 1.0


@look.styled
def draw(board: Board, frame: pl.DataFrame, what: str) -> Any:
    """Nodes, lifts and runs; a run is as wide as its count."""
    at = places(board)
    levels = int(max(y for _, y in at.values()))
    figure, axes = look.canvas(height=1.3 * levels + 0.9)
    for bottom, top in board.lifts:
        (x0, y0), (x1, y1) = at[bottom], at[top]
        axes.plot([x0, x1], [y0, y1], color=look.MUTED, lw=1.1, ls=(0, (1, 2)), zorder=1)
    together: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in frame.iter_rows(named=True):
        together[row["top"], row["bottom"]].append(row)
    most = max(float(frame[what].to_numpy().max()), 1e-12)
    for (top, bottom), rows in sorted(together.items()):
        for i, row in enumerate(rows):
            _run(axes, at[top], at[bottom], i, row, what, most)
    for node, (x, y) in at.items():
        lodge = node.startswith("L")
        axes.plot(x, y, "s" if lodge else "o", ms=17, color=look.PAPER, mec=look.INK, zorder=4)
        axes.text(x, y, node, ha="center", va="center", fontsize=8.5, color=look.INK, zorder=5)
    for difficulty, colour in COLOURS.items():
        axes.plot([], [], color=colour, lw=3, label=difficulty)
    figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=9, labelcolor=look.INK)
    axes.set_xlim(-0.02, 1.06)
    axes.set_ylim(-0.3, levels + 0.3)
    axes.axis("off")
    return figure


def _bend(index: int) -> float:
    """Runs beside each other and beside the lift bend apart."""
    side = 1 if index % 2 == 0 else -1
    return side * (0.1 + 0.12 * (index // 2))


def _run(
    axes: Any,
    top: tuple[float, float],
    bottom: tuple[float, float],
    index: int,
    row: dict[str, Any],
    what: str,
    most: float,
) -> None:
    """One run as a bent line, its number on it where there is one to tell."""
    (x0, y0), (x1, y1) = top, bottom
    bend = _bend(index)
    xs = [x0 + (x1 - x0) * t + bend * 4 * t * (1 - t) for t in STEPS]
    ys = [y0 + (y1 - y0) * t for t in STEPS]
    width = NARROWEST + (WIDEST - NARROWEST) * row[what] / most
    colour = COLOURS[row["difficulty"]]
    axes.plot(xs, ys, color=colour, lw=width, alpha=0.75, zorder=2)
    if row[what] < LEAST_TOLD:
        return
    at = LABEL_AT[index % len(LABEL_AT)]
    axes.text(
        xs[at],
        ys[at],
        wording.number(row[what], 1),
        ha="center",
        va="center",
        fontsize=7.5,
        color=look.INK,
        zorder=3,
        bbox={"boxstyle": "round,pad=0.12", "facecolor": look.PAPER, "edgecolor": "none"},
    )


def _table(stratum: Stratum, frame: pl.DataFrame) -> Table:
    columns = [
        Column("run", "Run"),
        Column("difficulty", "Difficulty"),
        Column("way", "From – to"),
        *[Column(name, sentence(words), "number", 2) for name, words in COUNTS.items()],
    ]
    rows = [
        {**row, "way": f"{row['top']} – {row['bottom']}"} for row in frame.iter_rows(named=True)
    ]
    dead = frame.filter(pl.col("skied") < DEAD)["run"].to_list()
    left = f" Hardly used: {wording.listing(dead)}." if dead else ""
    return Table(
        f"map-{stratum.number}-table",
        columns,
        sorted(rows, key=lambda row: -row["skied"]),
        f"Times a game, summed over {wording.count(frame['games'][0])} games of {stratum.label}, "
        f"so exact for this run.{left}",
    )
