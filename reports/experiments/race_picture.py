"""The picture of a race: who left it when, and what the winner came to on fresh seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports import look

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MplFigure


@look.styled
def race(frame: pl.DataFrame, *, percent: bool = True, ylabel: str = "") -> MplFigure:
    """One thin line a version over the heats, the winner's thick, its confirmation with interval.

    Columns: version, heat (the confirmation is the last), search, value (against the start), low,
    high, winner, confirmed.
    """
    figure, axes = look.canvas(height=3.3)
    axes.axhline(0.0, color=look.MUTED, lw=1.2, ls=(0, (4, 3)), zorder=1)
    raced = frame.filter(~pl.col("confirmed"))
    for (_, won, _), rows in raced.group_by("version", "winner", "search", maintain_order=True):
        at, value = rows["heat"].to_list(), rows["value"].to_list()
        if won:
            axes.plot(at, value, "-o", color=look.series(0), lw=2, ms=4.5, zorder=3)
        else:
            axes.plot(at, value, "-o", color=look.MUTED, lw=0.8, ms=2, alpha=0.45, zorder=2)
    last = frame.filter(pl.col("confirmed"))
    at = last["heat"].to_list()
    colour = look.series(1)
    axes.vlines(at, last["low"].to_list(), last["high"].to_list(), color=colour, lw=2.4, alpha=0.55)
    axes.plot(at, last["value"].to_list(), "o", ms=6.5, color=colour, mec=look.PAPER, zorder=4)
    firsts = raced.group_by("search").agg(pl.col("heat").min()).sort("search")["heat"].to_list()
    for heat in firsts[1:]:
        axes.axvline(heat - 0.5, color=look.GRID, lw=1.0, zorder=0)
    ticks = [*sorted(raced["heat"].unique().to_list()), *at]
    axes.set_xticks(ticks, [*[str(tick) for tick in ticks[:-1]], "fresh seeds"])
    axes.set_xlabel("heat")
    axes.set_ylabel(ylabel)
    look.grid(axes, "y")
    if percent:
        look.percent_axis(axes, "y")
    return figure
