"""Skull Canyon: Ski Fest: figures SC-FIG-01 to SC-FIG-20, and the games of two plain bots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from figure import Figure
from . import exact, simulated

NAMES = (*(f"SC-FIG-{number:02}" for number in range(1, 21)), "uniform", "plain")


def figures(share: float) -> Iterator[Figure]:
    """Exact figures, then simulated ones with that share of the reference's games."""
    return chain(exact.figures(), simulated.figures(share))
