"""Races of versions of a strategy: what each came to, heat by heat, beside the one it began from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from reports import deconvolution, estimates, measures, wording
from reports.experiments import differences
from reports.experiments.differences import Difference
from reports.experiments.margins import Margins
from reports.experiments.quantities import Quantity
from reports.measures import GROUPS
from simulate import exact

BETTER = {"win_share": 1, "score": 1, "rank": -1}  # measure -> the sign of a change for the better


@dataclass(frozen=True, eq=False)
class Heat:
    """One heat: the versions that ran it, and all that is known of them in its round.

    ``found``: version -> its measure over the heats of this round so far, each against the start
    on the same dice; the start itself comes first.
    """

    name: str  # of its folder under arms/
    number: int  # from 1
    search: int  # 1: over the ranges; 2: around the best
    games: int  # a version, in this heat
    found: Mapping[str, Quantity]

    @property
    def start(self) -> str:
        """The version that all began from."""
        return next(iter(self.found))

    @property
    def entrants(self) -> list[str]:
        """Everybody else."""
        return list(self.found)[1:]

    def values(self) -> dict[str, float]:
        """What each entrant came to."""
        return {name: self.found[name].mean().value for name in self.entrants}

    def against_start(self, margins: Margins) -> dict[str, Difference]:
        """How each entrant differs from the start, as one family."""
        first = self.found[self.start]
        pairs = [(first, self.found[name]) for name in self.entrants]
        return dict(zip(self.entrants, differences.beside(pairs, margins), strict=True))


def shrunken(heats: Sequence[Heat]) -> dict[str, float]:
    """How far each entrant of one search lies from the start, with the luck of the best taken off.

    Of each the last heat that it ran, where its games of all heats are added up. The error is that
    which it has not in common with the others of the heat, as dice move all alike. The start is one
    of the versions, too: where it had bad luck, all others look better than they are.
    """
    values: dict[str, float] = {}
    errors: dict[str, float] = {}
    for heat in heats:
        sums, counts = (
            sum(getattr(q, of) for q in heat.found.values()) for of in ("sums", "counts")
        )
        start = heat.found[heat.start].mean().value
        for name, q in heat.found.items():
            values[name] = q.mean().value - start
            errors[name] = _own_error(q, sums - q.sums, counts - q.counts, len(heat.found))
    found = deconvolution.shrunken(list(values.values()), list(errors.values()))
    worth = dict(zip(values, found.tolist(), strict=True))
    start = worth.pop(heats[-1].start)
    return {name: value - start for name, value in worth.items()}


def _own_error(one: Quantity, sums: np.ndarray, counts: np.ndarray, versions: int) -> float:
    """Standard error of a version's mean, without what moves all ``versions`` of a heat alike."""
    apart = estimates.paired_ratio(one.sums, one.counts, sums, counts).difference
    return float(apart.se * np.sqrt((versions - 1) / versions))


def read(run: measures.Run, measure: str, names: Sequence[str]) -> dict[str, Quantity]:
    """A measure of each version of a run, by group of blocks.

    The versions hold equal shares of the cells, in their order, and sit at position 0 of their
    line-up. A side with several seats has one chance to win.
    """
    plan = run.plan
    each = plan.k // len(names)
    seats = run.seats
    dtype = seats.collect_schema()[measure]
    scale = exact.scale_of(measure, dtype)
    block, cell = pl.col("game_id") // plan.k, pl.col("game_id") % plan.k
    rows = (
        seats.filter(pl.col("position") == 0)
        .group_by((cell // each).alias("version"), (block % GROUPS).alias("group"))
        .agg(
            exact.as_integer(measure, dtype, scale).sum().alias("sum"),
            pl.col(measure).count().alias("n"),
        )
        .collect()
    )
    at = (rows["version"].to_numpy(), rows["group"].to_numpy())
    sums, counts = np.zeros((len(names), GROUPS)), np.zeros((len(names), GROUPS))
    sums[at], counts[at] = rows["sum"].to_numpy() / scale, rows["n"].to_numpy()
    if measure == "win_share":
        counts /= plan.cells[0].n_seats / plan.cells[0].players
    told = run.columns("seats").get(measure, {}) if hasattr(run, "columns") else {}
    return {
        name: Quantity(
            measure=measure,
            by="strategy",
            level=name,
            players=plan.cells[0].players,
            rules=0,
            course="",
            equal=False,
            kind="share" if measure == "win_share" else "mean",
            unit=told.get("unit", ""),
            meaning=told.get("meaning", ""),
            headline=True,
            words=wording.plain(name),
            sums=sums[number],
            counts=counts[number],
        )
        for number, name in enumerate(names)
    }


def together(before: Mapping[str, Quantity], now: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Versions that still run, over this heat and those before it: groups stay apart."""
    return {
        name: replace(
            q,
            sums=np.concatenate([before[name].sums, q.sums]),
            counts=np.concatenate([before[name].counts, q.counts]),
        )
        for name, q in now.items()
    }
