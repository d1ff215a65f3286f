"""Frames -> matplotlib figures. Each takes a Polars frame and nothing else that holds numbers.

Shown as they are in Jupyter; ``render`` turns them into SVG. Frames with intervals have the columns
``value``, ``low``, ``high``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from reports import look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MplFigure
    from matplotlib.patches import Rectangle


TITLE_LETTERS = 24  # of a line above one of two pictures side by side


def _numbers(frame: pl.DataFrame, column: str) -> np.ndarray:
    return frame[column].cast(pl.Float64).fill_null(math.nan).to_numpy()


@look.styled
def dots(
    frame: pl.DataFrame,
    *,
    label: str = "label",
    group: str = "",
    reference: float | None = None,
    margin: float = 0.0,
    percent: bool = True,
    xlabel: str = "",
    reference_label: str = "",
    floor: float = 0.0,
) -> MplFigure:
    """Dots with intervals, one line a label; ``group`` puts several dots on a line.

    ``reference`` draws a line (a fair share), ``margin`` a band around it; ``floor`` is the least
    width of the axis, so that tiny differences do not look big.
    """
    labels = list(dict.fromkeys(frame[label].to_list()))
    groups = list(dict.fromkeys(frame[group].to_list())) if group else [None]
    height = 0.85 + len(labels) * (0.24 + 0.14 * len(groups)) + (0.22 if len(groups) > 1 else 0)
    figure, axes = look.canvas(height=max(height, 1.7))
    place = {name: len(labels) - 1 - i for i, name in enumerate(labels)}
    if reference is not None:
        if margin:
            axes.axvspan(reference - margin, reference + margin, color=look.BAND, zorder=0, lw=0)
        axes.axvline(reference, color=look.MUTED, lw=1.2, ls=(0, (4, 3)), zorder=1)
    for i, name in enumerate(groups):
        rows = frame if name is None else frame.filter(pl.col(group) == name)
        shift = (len(groups) - 1) / 2 - i
        y = np.array([place[v] for v in rows[label].to_list()]) + 0.22 * shift
        _intervals(axes, rows, y, look.series(i), "" if name is None else str(name))
    axes.set_yticks([place[v] for v in labels], labels)
    axes.set_ylim(-0.6, len(labels) - 0.4)
    _widen(axes, floor)
    look.grid(axes)
    axes.spines["left"].set_visible(False)
    if percent:
        look.percent_axis(axes)
    axes.set_xlabel(xlabel)
    if reference_label and reference is not None:
        axes.annotate(
            reference_label,
            (reference, 1),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="bottom",
            color=look.MUTED,
            fontsize=8.5,
            xytext=(0, 2),
            textcoords="offset points",
        )
    if len(groups) > 1:
        _legend(figure)
    return figure


def _intervals(axes: Axes, rows: pl.DataFrame, y: np.ndarray, colour: str, label: str) -> None:
    value, low, high = (_numbers(rows, c) for c in ("value", "low", "high"))
    axes.hlines(y, low, high, color=colour, lw=2.4, alpha=0.55, zorder=2)
    axes.plot(value, y, "o", ms=6.5, color=colour, mec=look.PAPER, mew=1.0, zorder=3, label=label)


def _widen(axes: Axes, floor: float) -> None:
    low, high = axes.get_xlim()
    missing = floor - (high - low)
    if missing > 0:
        axes.set_xlim(low - missing / 2, high + missing / 2)


def _legend(figure: MplFigure) -> None:
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside upper left",
        ncols=_legend_columns(labels),
        handletextpad=0.4,
        columnspacing=1.2,
        borderpad=0,
        frameon=False,
        prop={"size": 9},
        labelcolor=look.INK,
    )


def _legend_columns(labels: Sequence[str]) -> int:
    """As many as fit the width, in even lines."""
    most = max(1, int(46 // (max(len(text) for text in labels) + 5)))
    lines = math.ceil(len(labels) / most)
    return math.ceil(len(labels) / lines)


@look.styled
def bars(
    frame: pl.DataFrame,
    *,
    panel: str = "",
    xlabel: str = "",
    mark: Sequence[tuple[float, str]] = (),
    unit: float = 1.0,
) -> MplFigure:
    """Histograms: columns ``value`` (of the bin), ``share``; a panel for each ``panel``."""
    names = list(dict.fromkeys(frame[panel].to_list())) if panel else [""]
    rows = math.ceil(len(names) / 2) if len(names) > 1 else 1
    columns = 2 if len(names) > 1 else 1
    figure, grid = look.canvas(
        rows, columns, height=2.5 if rows == 1 else 1.5 * rows + 0.6, sharex=True, squeeze=False
    )
    flat = list(grid.flat)
    for axes, name in zip(flat, names, strict=False):
        part = frame.filter(pl.col(panel) == name) if panel else frame
        axes.bar(
            _numbers(part, "value"),
            _numbers(part, "share"),
            width=unit * 0.92,
            color=look.series(0),
            lw=0,
        )
        axes.set_title(str(name))
        _whole_numbers(axes, part, unit)
        look.grid(axes, "y")
        look.percent_axis(axes, "y")
        axes.spines["left"].set_visible(False)
        for x, text in mark:
            axes.axvline(x, color=look.UNFAIR, lw=1.2, ls=(0, (4, 3)))
            axes.annotate(
                text,
                (x, 1),
                xycoords=("data", "axes fraction"),
                fontsize=8.5,
                ha="center",
                va="bottom",
                color=look.UNFAIR,
            )
    for axes in flat[len(names) :]:
        axes.set_visible(False)
    figure.supxlabel(xlabel, fontsize=9.5, color=look.MUTED)
    return figure


def _whole_numbers(axes: Axes, part: pl.DataFrame, width: float) -> None:
    """Counts of rounds or steps are marked at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    if width >= 1 and len(part):
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=2))


@look.styled
def panels(frame: pl.DataFrame, *, panel: str = "panel", title: str = "title") -> MplFigure:
    """Unlike histograms side by side: columns panel, title, value, share, width."""
    names = list(dict.fromkeys(frame[panel].to_list()))
    rows = math.ceil(len(names) / 2)
    figure, grid = look.canvas(rows, 2, height=1.75 * rows + 0.2, squeeze=False)
    for axes, name in zip(grid.flat, names, strict=False):
        part = frame.filter(pl.col(panel) == name)
        width = float(part["width"][0])
        axes.bar(
            _numbers(part, "value"),
            _numbers(part, "share"),
            width * 0.92,
            color=look.series(0),
            lw=0,
        )
        axes.set_title(fill(str(part[title][0]), TITLE_LETTERS), fontsize=9.5)
        _whole_numbers(axes, part, width)
        look.grid(axes, "y")
        look.percent_axis(axes, "y")
        axes.spines["left"].set_visible(False)
    for axes in list(grid.flat)[len(names) :]:
        axes.set_visible(False)
    return figure


@look.styled
def heat(
    frame: pl.DataFrame,
    *,
    row: str,
    column: str,
    value: str = "value",
    text: str = "text",
    centre: float | None = None,
    xlabel: str = "",
    reach: float = 0.0,
    tilt: bool = True,
    low: float | None = None,
) -> MplFigure:
    """Table of coloured cells with their numbers.

    ``centre``: a diverging scale around that value that reaches at least ``reach`` either side;
    else a rising one from ``low`` (the least value if None).
    """
    rows = list(dict.fromkeys(frame[row].to_list()))
    columns = list(dict.fromkeys(frame[column].to_list()))
    figure, axes = look.canvas(height=1.25 + 0.32 * len(rows))
    numbers = _numbers(frame, value)
    known = numbers[~np.isnan(numbers)]
    palette = look.SEQUENCE if centre is None else look.DIVERGE
    if centre is None:
        low = low if low is not None else float(known.min()) if len(known) else 0.0
        span = max(float(known.max()) - low if len(known) else 0.0, 1e-12)
    else:
        span = 2 * max(float(np.abs(known - centre).max()) if len(known) else 0.0, reach, 1e-12)
        low = centre - span / 2
    for record, number in zip(frame.iter_rows(named=True), numbers, strict=True):
        x, y = columns.index(record[column]), rows.index(record[row])
        if math.isnan(number):
            continue
        shade = min(int((number - low) / span * len(palette)), len(palette) - 1)
        axes.add_patch(_cell(x, y, palette[shade]))
        ink = _ink_on(shade, centre is not None)
        axes.text(x, y, record[text], ha="center", va="center", fontsize=8.5, color=ink)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    turn = {"rotation": 35, "ha": "left", "rotation_mode": "anchor"} if tilt else {}
    axes.set_xticks(range(len(columns)), columns, **turn)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(axis="x", colors=look.INK)
    axes.set_xlabel(xlabel)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def _cell(x: float, y: float, colour: str) -> Rectangle:
    from matplotlib import patches

    return patches.Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=colour, lw=0)


def _ink_on(shade: int, diverging: bool) -> str:
    """Paper on the dark shades, ink on the light ones; the page swaps both in the dark."""
    dark = shade in (0, 1, 7, 8) if diverging else shade >= 5
    return look.PAPER if dark else look.INK


@look.styled
def lines(
    frame: pl.DataFrame,
    *,
    x: str = "x",
    series: str = "series",
    xlabel: str = "",
    ylabel: str = "",
    percent: bool = False,
    reference: float | None = None,
    steps: bool = False,
    invert: bool = False,
) -> MplFigure:
    """Lines with bands: columns x, series, value and, where known, low and high."""
    names = list(dict.fromkeys(frame[series].to_list()))
    figure, axes = look.canvas(height=3.1)
    if reference is not None:
        axes.axhline(reference, color=look.MUTED, lw=1.2, ls=(0, (4, 3)))
    for i, name in enumerate(names):
        part = frame.filter(pl.col(series) == name)
        at, value = _numbers(part, x), _numbers(part, "value")
        style = {"drawstyle": "steps-post"} if steps else {}
        axes.plot(at, value, color=look.series(i), lw=2, label=str(name), **style)
        if "low" in part.columns:
            axes.fill_between(
                at,
                _numbers(part, "low"),
                _numbers(part, "high"),
                color=look.series(i),
                alpha=0.18,
                lw=0,
                step="post" if steps else None,
            )
    look.grid(axes, "both")
    if all(value.is_integer() for value in _numbers(frame, x).tolist()):
        from matplotlib.ticker import MaxNLocator

        axes.xaxis.set_major_locator(MaxNLocator(integer=True))  # no half steps between whole ones
    if percent:
        look.percent_axis(axes, "y")
    if invert:
        axes.invert_yaxis()
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if len(names) > 1:
        _legend(figure)
    return figure


@look.styled
def stacked(
    frame: pl.DataFrame,
    *,
    label: str = "label",
    part: str = "part",
    xlabel: str = "",
    percent: bool = False,
) -> MplFigure:
    """Stacked bars: one line a label, one colour a part; column ``value``."""
    labels = list(dict.fromkeys(frame[label].to_list()))
    parts = list(dict.fromkeys(frame[part].to_list()))
    figure, axes = look.canvas(height=1.35 + 0.3 * len(labels))
    left = np.zeros(len(labels))
    for i, name in enumerate(parts):
        rows = {
            r[label]: r["value"] for r in frame.filter(pl.col(part) == name).iter_rows(named=True)
        }
        width = np.array([rows.get(v) or 0.0 for v in labels])
        axes.barh(
            range(len(labels)),
            width,
            left=left,
            height=0.68,
            color=look.series(i),
            lw=0,
            label=str(name),
        )
        left = left + width
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.spines["left"].set_visible(False)
    look.grid(axes)
    if percent:
        look.percent_axis(axes)
    axes.set_xlabel(xlabel)
    _legend(figure)
    return figure


@look.styled
def points(
    frame: pl.DataFrame,
    *,
    x: str = "x",
    xlabel: str = "",
    ylabel: str = "",
    series: str = "series",
    percent: bool = False,
    exact: str = "",
    exact_label: str = "exact odds",
) -> MplFigure:
    """Points with upright intervals, exact values as short lines: columns x, value, low, high."""
    names = list(dict.fromkeys(frame[series].to_list())) if series in frame.columns else [None]
    figure, axes = look.canvas(height=3.0)
    for i, name in enumerate(names):
        rows = frame if name is None else frame.filter(pl.col(series) == name)
        at = _numbers(rows, x) + 0.12 * (i - (len(names) - 1) / 2)
        axes.vlines(
            at,
            _numbers(rows, "low"),
            _numbers(rows, "high"),
            color=look.series(i),
            lw=2.4,
            alpha=0.55,
        )
        axes.plot(
            at,
            _numbers(rows, "value"),
            "o",
            ms=6,
            color=look.series(i),
            mec=look.PAPER,
            label=None if name is None else str(name),
        )
    if exact:
        at = _numbers(frame, x)
        axes.hlines(
            _numbers(frame, exact), at - 0.32, at + 0.32, color=look.INK, lw=1.6, label=exact_label
        )
    look.grid(axes, "y")
    if percent:
        look.percent_axis(axes, "y")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    _legend(figure)
    return figure
