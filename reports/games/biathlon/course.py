"""The course, drawn from its data, with heat by space."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from reports import look, wording
from reports.facts import Facts
from reports.games.biathlon.rulebook import course_rows, range_rows
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Section, Table

ORDER = 65
NEEDS: dict[str, tuple[str, ...]] = {}
STRIPS = {
    "stands": "time spent",
    "passes": "passes",
    "entries_paid": "stamina paid",
}
OTHERS = {
    "drafts": "drafts that end here",
    "zero_turns": "turns without a step",
    "uphill_lost": "steps lost uphill",
    "penalty_steps": "penalty steps",
    "collapses": "collapses",
}
TERRAIN = {
    "P": (look.PLAIN_SPACE, ""),
    "F": (look.FREE_SPACE, ""),
    "U": (look.UP, "▲"),
    "D": (look.DOWN, "▼"),
    "W": (look.WHITE_SPACE, ""),
    "S": (look.RANGE, "◎"),
}
NAMES = {
    "P": "flat",
    "F": "flat, free entry",
    "U": "uphill",
    "D": "downhill",
    "W": "white",
    "S": "range",
}
PER_LINE = 10


def make(facts: Facts) -> Section | None:
    """One picture a course and player count."""
    if facts.tallies.is_empty():
        return None
    blocks: list[Block] = []
    for s in facts.shown:
        frame = course_frame(facts, s)
        blocks += [*facts.heading(s), _figure(s, frame), _hot(s, frame), _table(s, frame)]
    return Section(
        id="course",
        title="The course",
        text="Where is time lost, where do places change, where does it cost stamina to get past? "
        "The darker a space in a strip, the more of it happens there.",
        help="The course runs from left to right, line by line. ▲ uphill, ▼ downhill, ◎ shooting "
        "range; "
        "white spaces allow a diagonal step. Time spent counts skiers standing there at the end "
        "of a round.",
        blocks=blocks,
        leans_on=("course.layout", "layouts", "tiles", "course.lanes"),
    )


def course_frame(facts: Facts, stratum: Stratum) -> pl.DataFrame:
    """One row a course row: terrain by lane, and every tally per race."""
    rows = course_rows(facts.model(stratum.rules))
    games = max(facts.games_of(stratum), 1)
    told = facts.tallies.filter(pl.col("stratum") == stratum.number)
    values = {(str(r["name"]), r["index"]): r["value"] for r in told.iter_rows(named=True)}
    names = [*STRIPS, *OTHERS]
    return pl.DataFrame(
        [
            {
                "row": number,
                "spaces": row,
                "races": games,
                **{name: values.get((name, number), 0) / games for name in names},
            }
            for number, row in enumerate(rows, 1)
        ]
    )


def _figure(stratum: Stratum, frame: pl.DataFrame) -> Figure:
    ranges = range_rows(frame["spaces"].to_list())
    busiest = frame.sort("passes", descending=True)["row"][0]
    slowest = frame.sort("stands", descending=True)["row"][0]
    return Figure(
        f"course-{stratum.number}",
        partial(draw, frame),
        f"{stratum.label}: {len(frame)} rows, {len(ranges)} ranges. Most time is spent on row "
        f"{slowest}, "
        f"most passes end on row {busiest}. Each strip is coloured from its own least to its own "
        "most.",
        f"Picture of the course with {len(frame)} rows and ranges at rows "
        f"{wording.listing([str(r) for r in ranges])}; strips show where time is spent, where "
        "skiers "
        "pass and where stamina is paid.",
        frame,
        term="Time spent",
    )


@look.styled
def draw(frame: pl.DataFrame) -> Any:
    """The course as lines of spaces with a heat strip for each tally."""
    lanes = max(len(text) for text in frame["spaces"])
    lines = -(-len(frame) // PER_LINE)
    depth = lanes + len(STRIPS) * 0.62 + 1.15
    figure, axes = look.canvas(width=look.WIDTH, height=0.33 * depth * lines + 0.1)
    top = {name: max(float(frame[name].to_numpy().max()), 1e-12) for name in STRIPS}
    for i, row in enumerate(frame.iter_rows(named=True)):
        x, base = i % PER_LINE, (i // PER_LINE) * depth
        _spaces(axes, row["spaces"], x, base, lanes)
        axes.text(
            x,
            base - 0.62,
            str(row["row"]),
            ha="center",
            va="center",
            fontsize=7.5,
            color=look.MUTED,
        )
        for j, name in enumerate(STRIPS):
            shade = min(int(row[name] / top[name] * len(look.SEQUENCE)), len(look.SEQUENCE) - 1)
            _box(axes, x, base + lanes - 0.38 + 0.62 * j, 0.56, look.SEQUENCE[shade])
    for line in range(lines):
        base = line * depth
        for j, words in enumerate(STRIPS.values()):
            axes.text(
                -0.75,
                base + lanes - 0.1 + 0.62 * j,
                words,
                ha="right",
                va="center",
                fontsize=8,
                color=look.MUTED,
            )
        axes.text(
            -0.75, base - 0.62, "row", ha="right", va="center", fontsize=7.5, color=look.MUTED
        )
    last = len(frame) - 1
    axes.plot(
        [last % PER_LINE + 0.58] * 2,
        [last // PER_LINE * depth - 0.5, last // PER_LINE * depth + lanes - 0.5],
        color=look.INK,
        lw=2.5,
        ls=(0, (1, 1)),
    )
    axes.set_xlim(-3.1, PER_LINE - 0.3)
    axes.set_ylim(lines * depth - 1.0, -1.1)
    axes.axis("off")
    return figure


def _spaces(axes: Any, text: str, x: float, base: float, lanes: int) -> None:
    if text == "S":
        _box(axes, x, base - 0.46, lanes - 0.08, TERRAIN["S"][0])
        axes.text(
            x, base + (lanes - 1) / 2, "◎", ha="center", va="center", fontsize=11, color=look.INK
        )
        return
    for lane in range(lanes):
        letter = text[lane] if lane < len(text) else text[0]
        colour, sign = TERRAIN.get(letter, TERRAIN["P"])
        _box(axes, x, base + lane - 0.46, 0.92, colour)
        if sign:
            axes.text(x, base + lane, sign, ha="center", va="center", fontsize=8, color=look.INK)


def _box(axes: Any, x: float, y: float, height: float, colour: str) -> None:
    from matplotlib.patches import Rectangle

    edge = look.GRID if colour == look.WHITE_SPACE else colour
    axes.add_patch(Rectangle((x - 0.46, y), 0.92, height, facecolor=colour, edgecolor=edge, lw=0.6))


def _hot(stratum: Stratum, frame: pl.DataFrame) -> Table:
    """The three rows where most of each thing happens."""
    columns = [
        Column("what", "What happens"),
        Column("where", "Most at rows"),
        Column("there", "There, a race", "number", 2),
        Column("total", "In all, a race", "number", 2),
        Column("n", "Races", "count"),
    ]
    rows = []
    for name, words in {**STRIPS, **OTHERS}.items():
        top = frame.filter(pl.col(name) > 0).sort(name, "row", descending=[True, False]).head(3)
        if top.is_empty():
            continue
        where = [f"{r['row']}{_kind(r['spaces'])}" for r in top.sort("row").iter_rows(named=True)]
        rows.append(
            {
                "what": words.capitalize(),
                "where": wording.listing(where),
                "there": float(top[name].sum()),
                "total": float(frame[name].sum()),
                "n": int(frame["races"][0]),
            }
        )
    words = f"Hot spots of {stratum.label}: sums over all races, so exact for this run."
    return Table(f"course-{stratum.number}-hot", columns, rows, words)


def _kind(spaces: str) -> str:
    """The kind of a row in brackets, where it is not flat."""
    return "" if spaces[0] == "P" else f" ({NAMES.get(spaces[0], '')})"


def _table(stratum: Stratum, frame: pl.DataFrame) -> Table:
    columns = [
        Column("row", "Row", "count"),
        Column("kind", "Kind"),
        *[
            Column(name, words.capitalize(), "number", 3)
            for name, words in {**STRIPS, **OTHERS}.items()
        ],
    ]
    rows = [{**row, "kind": NAMES.get(row["spaces"][0], "")} for row in frame.iter_rows(named=True)]
    return Table(
        f"course-{stratum.number}-table",
        columns,
        rows,
        f"Per race, summed over {wording.count(frame['races'][0])} races of {stratum.label}, row "
        "by row.",
        fold=True,
    )
