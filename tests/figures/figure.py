"""One figure of the specification beside ours, and the table of all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

MOST = 4.0  # standard errors of the difference


@dataclass(frozen=True)
class Figure:
    """A quantity: ours and the reference, each with its standard error (0: exact).

    ``digits``: decimals that the reference is printed with.
    """

    name: str
    what: str
    ours: float
    reference: float
    se: float = 0.0
    reference_se: float = 0.0
    digits: int = 6

    @property
    def off(self) -> float:
        """Difference in standard errors of the difference, what rounding hides taken away."""
        gap = max(0.0, abs(self.ours - self.reference) - 0.501 * 10.0**-self.digits)
        error = math.hypot(self.se, self.reference_se)
        if gap == 0.0:
            return 0.0
        return math.copysign(gap / error if error else math.inf, self.ours - self.reference)

    @property
    def ok(self) -> bool:
        """Within four standard errors; exact figures must agree in every printed digit."""
        return abs(self.off) <= MOST

    def row(self) -> str:
        """One line of the table."""
        ours = f"{self.ours:.{self.digits}f}" + (
            f" +- {self.se:.{self.digits}f}" if self.se else ""
        )
        reference = f"{self.reference:.{self.digits}f}"
        if self.reference_se:
            reference += f" +- {self.reference_se:.{self.digits}f}"
        off = "exact" if not self.se and not self.reference_se and self.ok else f"{self.off:+.2f}"
        mark = "ok" if self.ok else "OFF"
        return f"{self.name:10}{self.what:50}{ours:>26}{reference:>26}{off:>8}  {mark}"


def mean(
    name: str,
    what: str,
    values: np.ndarray,
    reference: float,
    error: float = 0.0,
    digits: int = 3,
) -> Figure:
    """The mean of one number a game beside the reference."""
    se = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Figure(name, what, float(values.mean()), reference, se, error, digits)


def table(figures: Iterable[Figure]) -> str:
    """All figures, one a line."""
    head = f"{'':10}{'figure':50}{'ours':>26}{'reference':>26}{'in se':>8}"
    return "\n".join([head, *(figure.row() for figure in figures)])
