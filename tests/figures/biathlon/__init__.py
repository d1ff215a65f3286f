"""Ski Tour: Biathlon: figures X1 to X25 of the specification."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from . import exact, simulated
from figure import Figure

NAMES = tuple(f"X{number}" for number in range(1, 26))


def figures(share: float) -> Iterator[Figure]:
    """Exact figures, then simulated ones with that share of the reference's games."""
    return chain(exact.figures(), simulated.figures(share))
