"""Pistengaudi: figures 1 to 29 of the specification's section 11."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from figure import Figure
from . import boards, chances, lines, simulated

NAMES = tuple(f"P{number}" for number in range(1, 30))


def figures(share: float = 1.0) -> Iterator[Figure]:
    """Exact figures, then simulated ones with that share of the reference's games."""
    return chain(
        lines.figures(), chances.figures(), boards.figures(share), simulated.figures(share)
    )
