"""Differences between set-ups, paired by group: they met the same shuffles."""

from __future__ import annotations

import numpy as np
import polars as pl

from reports import estimates
from reports.estimates import Estimate
from reports.facts import Facts
from reports.measures import GROUPS, Stratum, scale_of


def against(facts: Facts, column: str, one: Stratum, other: Stratum) -> Estimate:
    """Mean of a games column in one stratum less that in another, linearised over the groups."""
    a, b = (_by_group(facts, column, s) for s in (one, other))
    if not a[1].sum() or not b[1].sum():
        return estimates.NOTHING
    means = [x[0].sum() / x[1].sum() for x in (a, b)]
    z = sum(
        sign * (x[0] - mean * x[1]) / x[1].sum()
        for sign, x, mean in zip((1, -1), (a, b), means, strict=True)
    )
    seen = (a[1] + b[1]) > 0
    g = int(seen.sum())
    se = float(np.sqrt(g / max(g - 1, 1) * (z[seen] @ z[seen])))
    half = estimates.t_value(g - 1) * se
    value = float(means[0] - means[1])
    return Estimate(value, value - half, value + half, int(a[1].sum()), g, se)


def _by_group(facts: Facts, column: str, stratum: Stratum) -> tuple[np.ndarray, np.ndarray]:
    """Sum and count by group."""
    rows = facts.game_sums.filter(pl.col("stratum") == stratum.number)
    scale = scale_of(column, facts.records.game_schema[column])
    total, n = np.zeros(GROUPS), np.zeros(GROUPS)
    at = rows["group"].to_numpy()
    total[at], n[at] = rows[column].to_numpy() / scale, rows[f"{column}:n"].to_numpy()
    return total, n
