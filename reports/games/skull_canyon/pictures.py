"""Figures that only this game has: grids of weather, prices against fair prices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from reports import look, wording
from reports.estimates import Estimate

MOST_ACROSS = 2  # grids side by side, readable on a phone
OUT_OF_SIGHT = 2.5  # widths of the prices beyond which an interval is cut


def heat_cell(title: str, row: str, column: str, e: Estimate, games: int) -> dict[str, Any]:
    """A row of the frame of ``grids``."""
    known = e.n > 0 and math.isfinite(e.value)
    half = e.half if known else math.nan
    text = ""
    if known:
        text = wording.value_of(e, 2 if abs(e.value) < 10 else 1)
        if math.isfinite(half):
            text += f"\n± {wording.number(half, 2)}"
    return {
        "panel": title,
        "row": row,
        "column": column,
        "value": e.value if known else None,
        "low": e.low if known else None,
        "high": e.high if known else None,
        "games": games,
        "text": text,
    }


@look.styled
def grids(frame: pl.DataFrame, *, across: str, down: str, centre: float | None = None) -> Any:
    """Small tables of coloured cells, one a panel; ``centre``: a diverging scale around it."""
    panels = list(dict.fromkeys(frame["panel"].to_list()))
    rows = list(dict.fromkeys(frame["row"].to_list()))
    columns = list(dict.fromkeys(frame["column"].to_list()))
    wide = MOST_ACROSS if len(columns) <= 3 and len(panels) > 1 else 1
    lines = math.ceil(len(panels) / wide)
    figure, axes = look.canvas(
        lines, wide, height=lines * (0.62 + 0.42 * len(rows)) + 0.2, squeeze=False
    )
    for ax, panel in zip(axes.flat, panels, strict=False):
        _grid(ax, frame.filter(pl.col("panel") == panel), rows, columns, centre)
        ax.set_title(panel, fontsize=9.5)
        ax.set_xlabel(across, fontsize=8.5)
        ax.set_ylabel(down, fontsize=8.5)
    for ax in list(axes.flat)[len(panels) :]:
        ax.set_visible(False)
    return figure


def _grid(
    axes: Any, part: pl.DataFrame, rows: list[str], columns: list[str], centre: float | None
) -> None:
    from matplotlib.patches import Rectangle

    values = part["value"].cast(pl.Float64).fill_null(math.nan).to_numpy()
    known = values[~np.isnan(values)]
    palette = look.SEQUENCE if centre is None else look.DIVERGE
    low, span = _scale(known, centre)
    for record, value in zip(part.iter_rows(named=True), values, strict=True):
        x, y = columns.index(record["column"]), rows.index(record["row"])
        if math.isnan(value):
            continue
        shade = min(max(int((value - low) / span * len(palette)), 0), len(palette) - 1)
        dark = shade >= 5 if centre is None else shade in (0, 1, 7, 8)
        box = Rectangle((x - 0.48, y - 0.47), 0.96, 0.94, facecolor=palette[shade], lw=0)
        axes.add_patch(box)
        ink = look.PAPER if dark else look.INK
        axes.text(
            x, y, record["text"], ha="center", va="center", fontsize=8, color=ink, linespacing=1.25
        )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns, fontsize=8)
    axes.set_yticks(range(len(rows)), rows, fontsize=8)
    axes.tick_params(axis="x", colors=look.INK)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _scale(known: np.ndarray, centre: float | None) -> tuple[float, float]:
    """Least value of the colours and their span."""
    if not len(known):
        return 0.0, 1.0
    if centre is None:
        return float(known.min()), max(float(known.max() - known.min()), 1e-12)
    reach = max(float(np.abs(known - centre).max()), 1e-12)
    return centre - reach, 2 * reach


@look.styled
def prices(frame: pl.DataFrame, *, xlabel: str = "fame") -> Any:
    """One row a gear: its printed price, its fair price with interval, sorted by the frame.

    Columns label, printed, value, low, high, state. Intervals that leave the picture end in an
    arrow.
    """
    labels = frame["label"].to_list()
    figure, axes = look.canvas(height=1.0 + 0.3 * len(labels))
    printed = frame["printed"].cast(pl.Float64).to_numpy()
    value, low, high = (
        frame[c].cast(pl.Float64).fill_null(math.nan).to_numpy() for c in ("value", "low", "high")
    )
    left, right = _window(printed, value, low, high)
    colours = {"fair": look.FAIR, "unfair": look.UNFAIR, "unknown": look.UNKNOWN}
    for y, state in enumerate(frame["state"].to_list()):
        colour = colours[state]
        axes.axhline(y, color=look.GRID, lw=0.7, zorder=0)
        if math.isnan(value[y]):
            axes.text(right, y, "not enough", ha="right", va="center", fontsize=8, color=look.MUTED)
        else:
            _interval(axes, y, (low[y], high[y]), (left, right), colour)
            if left <= value[y] <= right:
                axes.plot(value[y], y, "o", ms=6.5, color=colour, mec=look.PAPER, mew=1, zorder=4)
        axes.plot(printed[y], y, "|", ms=13, mew=2.2, color=look.INK, zorder=3)
    axes.plot([], [], "|", ms=10, mew=2.2, color=look.INK, label="printed price")
    for state, words in (("fair", "fair"), ("unfair", "not fair"), ("unknown", "cannot tell")):
        axes.plot([], [], "o", ms=6, color=colours[state], label=f"fair price: {words}")
    axes.axvline(0, color=look.MUTED, lw=1, ls=(0, (4, 3)), zorder=1)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(left, right)
    axes.spines["left"].set_visible(False)
    look.grid(axes)
    axes.set_xlabel(xlabel)
    figure.legend(
        loc="outside upper left",
        ncols=2,
        frameon=False,
        fontsize=8.5,
        labelcolor=look.INK,
        handletextpad=0.4,
        columnspacing=1.2,
    )
    return figure


def _window(*arrays: np.ndarray) -> tuple[float, float]:
    """Ends of the axis: all prices and values, and intervals as far as they are of use."""
    core = np.concatenate([arrays[0], arrays[1]])
    core = core[np.isfinite(core)]
    least, most = min(float(core.min()), 0.0), max(float(core.max()), 1.0)
    reach = (most - least) * (OUT_OF_SIGHT - 1) / 2
    ends = np.concatenate([arrays[2], arrays[3]])
    ends = ends[np.isfinite(ends)]
    low = max(float(ends.min()), least - reach) if len(ends) else least
    high = min(float(ends.max()), most + reach) if len(ends) else most
    pad = 0.04 * (max(high, most) - min(low, least))
    return min(low, least) - pad, max(high, most) + pad


def _interval(
    axes: Any, y: int, ends: tuple[float, float], window: tuple[float, float], colour: str
) -> None:
    """A line, with an arrow where it goes on beyond the picture."""
    low = ends[0] if math.isfinite(ends[0]) else -math.inf
    high = ends[1] if math.isfinite(ends[1]) else math.inf
    a, b = max(low, window[0]), min(high, window[1])
    if b <= a:
        a, b = (window[0], window[0]) if high < window[0] else (window[1], window[1])
    axes.hlines(y, a, b, color=colour, lw=2.4, alpha=0.55, zorder=2)
    for cut, x, mark in ((low < window[0], a, "<"), (high > window[1], b, ">")):
        if cut:
            axes.plot(x, y, mark, ms=5, color=colour, clip_on=False, zorder=3)
