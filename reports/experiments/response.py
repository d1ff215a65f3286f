"""How a game answers to its rules: curves over the points of a sweep, targets, main effects."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reports import estimates, resampling
from reports.estimates import Estimate
from reports.experiments.margins import ALIASES
from reports.experiments.quantities import Quantity
from simulate.errors import PlanError

_TARGET = re.compile(
    r"\s*([A-Za-z]\w*)\s*(?::\s*(.+?))?\s*=\s*(-?(?:\d+(?:\.\d*)?|\.\d+))\s*(%|)\s*"
)


@dataclass(frozen=True, eq=False)
class Response:
    """One number of the game at every point: ``at[i]`` is the quantity at point i."""

    at: tuple[Quantity, ...]

    @property
    def first(self) -> Quantity:
        """The quantity at the first point: measure, words, unit."""
        return self.at[0]

    @property
    def means(self) -> np.ndarray:
        """Its value at every point."""
        return np.array([q.sums.sum() / max(q.counts.sum(), 1e-300) for q in self.at])

    @property
    def counts(self) -> np.ndarray:
        """Observations at every point."""
        return np.array([q.counts.sum() for q in self.at])

    def resampled(self) -> np.ndarray:
        """The means in every resample of the groups of blocks: [resamples, points]."""
        sums = np.stack([q.sums for q in self.at], axis=1)
        counts = np.stack([q.counts for q in self.at], axis=1)
        there = counts.sum(1) > 0
        sums, counts = sums[there], counts[there]
        draws = [
            (w @ sums) / np.maximum(w @ counts, 1e-300)
            for w in resampling.poisson_weights(int(there.sum()))
        ]
        return np.concatenate(draws)

    @property
    def clusters(self) -> int:
        """Independent groups behind the means."""
        return int((self.first.counts > 0).sum())


def responses(found: Sequence[Quantity], points: int) -> list[Response]:
    """Quantities of a sweep's run (a rules row a point) that are there at every point."""
    by_key: dict[tuple[Any, ...], dict[int, Quantity]] = {}
    for q in found:
        by_key.setdefault((q.players, q.equal, q.measure, q.by, q.level), {})[q.rules] = q
    return [
        Response(tuple(rows[i] for i in range(points)))
        for rows in by_key.values()
        if len(rows) == points and all(q.counts.sum() > 0 for q in rows.values())
    ]


# ---------------------------------------------------------------- targets


@dataclass(frozen=True)
class Target:
    """A value that a measure shall have: ``win_rate:seat0=0.25``."""

    measure: str
    whose: str
    value: float
    text: str


@dataclass(frozen=True)
class Solution:
    """The value of a key at which the target is met.

    ``low`` and ``high`` are infinite where some resamples meet it only beyond the values tried.
    """

    target: Target
    of: Quantity  # at the first point: measure, words, unit
    value: float
    low: float
    high: float
    rising: bool
    monotone: bool  # False: the curve surely turns round, so there may be other solutions
    seen: tuple[float, float]  # least and largest mean over the values tried
    near: bool  # whether so few games leave it open that the curve meets it

    @property
    def met(self) -> bool:
        """Whether the curve meets the target between the values tried."""
        return math.isfinite(self.value)

    @property
    def label(self) -> str:
        """The measure in words."""
        return self.of.label

    @property
    def stratum(self) -> str:
        """The kind of games in words."""
        return f"{self.of.players} players"


def read_target(text: str) -> Target:
    """Read a target; PlanError with the way out."""
    match = _TARGET.fullmatch(text)
    if match is None:
        raise PlanError(
            f"--target: '{text}' is no target. Write win_rate:seat0=0.25, win_rate:NAME=30% or "
            "rounds=20."
        )
    name, whose, number, unit = match.groups()
    value = float(number) / (100 if unit else 1)
    return Target(ALIASES.get(name, name), (whose or "").strip(), value, text.strip())


def check_seats(targets: Sequence[Target], seats: int) -> None:
    """PlanError where a target names a seat that no table has."""
    for target in targets:
        named = re.fullmatch(r"seat(\d+)", target.whose)
        if named and int(named[1]) >= seats:
            raise PlanError(f"--target: '{target.text}': the seats are seat0 to seat{seats - 1}.")


def aimed_at(found: Sequence[Response], target: Target) -> list[Response]:
    """The responses that a target is about, one a player count."""
    of_measure = [r for r in found if r.first.measure == target.measure and not r.first.equal]
    wanted = re.sub(r"\s+", "", target.whose)
    named = [r for r in of_measure if wanted in _names(r.first)]
    if not named:
        known = dict.fromkeys(name for r in of_measure for name in _names(r.first)[:1])
        if not known:
            measures = ", ".join(dict.fromkeys(r.first.measure for r in found))
            raise PlanError(f"--target: there is no '{target.measure}'. Measures: {measures}.")
        said = ", ".join(f"{target.measure}:{name}" if name else target.measure for name in known)
        raise PlanError(f"--target: '{target.text}' names nothing here. There are: {said}.")
    return named


def _names(q: Quantity) -> list[str]:
    """How a target may name the level of a quantity."""
    if not q.by:
        return [""]
    return [q.level, f"{q.by}={q.level}"] if q.by == "strategy" else [f"{q.by}{q.level}"]


def solve(response: Response, x: Sequence[float], target: Target) -> Solution:
    """Where the monotone curve meets the target, with a bootstrap interval over blocks."""
    order = np.argsort(x, kind="stable")
    places = np.asarray(x, np.float64)[order]
    means, counts = response.means[order], response.counts[order]
    fitted, rising = estimates.monotone(means, counts)
    draws = []
    resampled = response.resampled()[:, order]
    for row in resampled:
        curve, _ = estimates.monotone(row, counts)
        draws.append(estimates.crossing(places, curve, target.value))
    low, high = resampling.percentile_interval(np.array(draws), estimates.LEVEL)
    met = float(np.isfinite(draws).mean())
    spread = resampled.std(axis=0)
    off = float(np.max(np.abs(means - fitted) / np.where(spread > 0, spread, np.inf)))
    return Solution(
        target=target,
        of=response.first,
        value=estimates.crossing(places, fitted, target.value),
        low=low,
        high=high,
        rising=rising,
        monotone=off < 3,
        seen=(float(means.min()), float(means.max())),
        near=met > (1 - estimates.LEVEL) / 2,
    )


# ---------------------------------------------------------------- main effects


def main_effects(
    response: Response, places: np.ndarray, names: Sequence[str]
) -> tuple[dict[str, Estimate], float]:
    """Change of a measure from the low to the high end of every key, others held; and R².

    A plane fitted to the points by least squares, each key scaled to 0 … 1; intervals by bootstrap
    over groups of blocks. R² tells how much of the spread between the points the plane explains.
    """
    low, high = places.min(axis=0), places.max(axis=0)
    unit = (places - low) / np.where(high > low, high - low, 1.0)
    design = np.column_stack([np.ones(len(unit)), unit])
    solver = np.linalg.pinv(design)
    means = response.means
    point = solver @ means
    draws = response.resampled() @ solver.T
    total = float(((means - means.mean()) ** 2).sum())
    left = float(((means - design @ point) ** 2).sum())
    found = {}
    for i, name in enumerate(names, start=1):
        ends = resampling.percentile_interval(draws[:, i], estimates.LEVEL)
        found[name] = Estimate(
            float(point[i]), *ends, int(response.counts.sum()), response.clusters,
            float(draws[:, i].std()),
        )  # fmt: skip
    return found, 1 - left / total if total > 0 else math.nan


def as_numbers(points: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> np.ndarray | None:
    """Values of the keys as numbers [points, keys]; None where one is no number."""
    table = np.empty((len(points), len(keys)))
    for i, point in enumerate(points):
        for j, key in enumerate(keys):
            value = point[key]
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                return None
            table[i, j] = value
    return table
