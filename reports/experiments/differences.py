"""Two runs beside each other: the change of every quantity, and what may be said about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reports import estimates, stopping, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, State, finite
from reports.experiments.margins import Margins
from reports.experiments.quantities import Quantity

STATES: dict[State, str] = {FAIR: "same", UNFAIR: "different", UNKNOWN: "not enough games"}


@dataclass(frozen=True, eq=False)
class Difference:
    """How one quantity of B differs from that of A: ``change`` is B - A."""

    a: Quantity
    b: Quantity
    value_a: Estimate
    value_b: Estimate
    change: Estimate
    paired: bool
    correlation: float  # between the arms, by group of blocks; NaN where there is none
    saving: float  # games without pairing / games with it, for the same interval
    margin: float
    q: float
    state: State
    corrected: float = math.nan  # the change less what stopping early added to it, on average
    middle: float = math.nan  # the change that such a run shows too high as often as too low

    @property
    def headline(self) -> bool:
        """Whether the verdict rests on it."""
        return self.a.headline

    @property
    def verdict(self) -> str:
        """The state in words."""
        return STATES[self.state]

    @property
    def q_words(self) -> str:
        """The q-value, as people write it."""
        return wording.q_value(self.q)

    @property
    def stratum(self) -> str:
        """The kind of games in words; both, where the sides sit at tables of different sizes."""
        if self.b.seated in (0, self.a.players):
            return self.a.stratum
        return f"{self.a.stratum} against {self.b.seated}"

    @property
    def same_bits(self) -> bool:
        """Whether all sums of both are equal, not merely close."""
        return bool(
            np.array_equal(self.a.sums, self.b.sums)
            and np.array_equal(self.a.counts, self.b.counts)
        )

    @property
    def digits(self) -> int:
        """Decimals that the interval allows."""
        return self.a.digits(self.change.half) if self.change.half > 0 else 2

    @property
    def change_words(self) -> str:
        """The change in the unit that people use."""
        return self.a.change(self.change.value, self.digits)

    @property
    def corrected_words(self) -> str:
        """The change without what stopping early added, in the same unit."""
        return (
            self.a.change(self.corrected, self.digits) if self.corrected == self.corrected else ""
        )

    @property
    def middle_words(self) -> str:
        """The change that such a run shows too high as often as too low, in the same unit."""
        return self.a.change(self.middle, self.digits) if self.middle == self.middle else ""

    @property
    def interval_words(self) -> str:
        """Its interval in the same unit."""
        low, high = self.change.low, self.change.high
        if self.state == UNKNOWN and (none := wording.missing(low, high)):
            return none
        ends = (wording.number(end * self.a.scale, self.digits) for end in (low, high))
        return " … ".join(ends)

    @property
    def games_saved(self) -> int:
        """Games an arm that the same interval would have cost more without pairing."""
        if not self.paired or not math.isfinite(self.saving):
            return 0
        return max(0, round((self.saving - 1) * self.change.n))

    def row(self) -> dict[str, Any]:
        """A flat row for frames, CSV and JSON."""
        return {
            "measure": self.a.measure,
            "by": self.a.by,
            "level": self.a.level,
            "label": self.a.label,
            "stratum": self.stratum,
            "unit": self.a.number_unit,
            "headline": self.headline,
            "a": finite(self.value_a.value),
            "b": finite(self.value_b.value),
            "difference": finite(self.change.value),
            "corrected": finite(self.corrected),
            "middle": finite(self.middle),
            "low": finite(self.change.low),
            "high": finite(self.change.high),
            "se": finite(self.change.se),
            "relative": finite(_part(self.change.value, self.value_a.value)),
            "margin": finite(self.margin),
            "paired": self.paired,
            "correlation": finite(self.correlation),
            "games_saved": self.games_saved,
            "q": finite(self.q),
            "verdict": self.verdict,
            "games": self.change.n,
            "clusters": self.change.clusters,
        }


def _part(change: float, value: float) -> float:
    return change / abs(value) if value else math.nan


def compare(
    a: Sequence[Quantity],
    b: Sequence[Quantity],
    margins: Margins,
    *,
    shared: bool,
    equal: bool = False,
    looks: tuple[int, int] | None = None,
) -> list[Difference]:
    """All quantities that both runs have, as one family.

    Two runs of one and the same plan are the same by construction, whatever their length.
    ``shared``: both played the same blocks with the same seed, so they are paired; ``equal``: both
    have the same plan. ``looks``: the
    run is watched while it grows: (blocks now, blocks for which intervals are tightest).
    """
    by_key = {q.key: q for q in b}
    found = []
    for one in a:
        other = by_key.get(one.key)
        if other is not None and one.counts.sum() > 0 and other.counts.sum() > 0:
            found.append(_difference(one, other, margins, shared, looks))
    changes = [_for_tests(d.change, looks) for d in found]
    tuned_for = looks[1] if looks is not None else 0
    decided = estimates.decisions(changes, [d.margin for d in found], tuned_for=tuned_for)
    return [
        replace(d, q=decision.q, state=FAIR if equal and d.same_bits else decision.state)
        for d, decision in zip(found, decided, strict=True)
    ]


def beside(pairs: Sequence[tuple[Quantity, Quantity]], margins: Margins) -> list[Difference]:
    """Pairs of quantities that played the same blocks, as one family: points of a sweep, arms."""
    found = [_difference(a, b, margins, shared=True, looks=None) for a, b in pairs]
    decided = estimates.decisions([d.change for d in found], [d.margin for d in found])
    return [
        replace(d, q=decision.q, state=decision.state)
        for d, decision in zip(found, decided, strict=True)
    ]


def without_stopping(
    found: Sequence[Difference], stages: Sequence[int], now: int, tuned_for: int
) -> list[Difference]:
    """The same with every change less what stopping when it was decided added to it, two ways.

    ``stages``: blocks at all looks up to the cap; ``now``: those at which the run stopped.
    """
    changes = np.array([d.change.value for d in found])
    errors = np.nan_to_num(np.array([d.change.se for d in found]))
    rule = stopping.Rule(
        stages,
        np.array([d.margin for d in found]),
        np.array([d.headline for d in found]),
        tuned_for,
    )
    if not rule.decides.any():
        return list(found)
    grown = (changes, errors * math.sqrt(now), _correlation(found), rule)
    right, middle = stopping.corrected(*grown), stopping.middle(*grown)
    return [
        replace(d, corrected=float(v), middle=float(m))
        for d, v, m in zip(found, right, middle, strict=True)
    ]


def _correlation(found: Sequence[Difference]) -> np.ndarray:
    """Correlations of all changes between groups of blocks, from their linearised residuals."""
    rows = []
    for d in found:
        sides = [
            (q.sums - q.counts * (q.sums.sum() / q.counts.sum())) / q.counts.sum()
            for q in (d.b, d.a)
        ]
        rows.append(sides[0] - sides[1])
    table = np.stack(rows)
    length = np.sqrt((table**2).sum(1))
    table = table / np.where(length > 0, length, 1.0)[:, None]
    product: np.ndarray = table @ table.T
    np.fill_diagonal(product, 1.0)
    return product


def _for_tests(change: Estimate, looks: tuple[int, int] | None) -> Estimate:
    """The change with the clusters that its test counts."""
    return change if looks is None else replace(change, clusters=looks[0])


def _difference(
    a: Quantity, b: Quantity, margins: Margins, shared: bool, looks: tuple[int, int] | None
) -> Difference:
    """One change, paired where that is right, with no verdict yet."""
    pair = estimates.paired_ratio(b.sums, b.counts, a.sums, a.counts)
    alone = estimates.unpaired(b.mean(), a.mean())
    paired = shared and _helps(pair)
    change = pair.difference if paired else alone
    if looks is not None and change.se > 0:
        watched = replace(change, clusters=looks[0])
        low, high = estimates.confidence_sequence(watched, looks[1])
        if a.kind == "share":
            low, high = max(low, -1.0), min(high, 1.0)  # shares cannot lie farther apart
        change = replace(change, low=low, high=high)
    value = a.mean().value
    return Difference(
        a=a,
        b=b,
        value_a=a.estimate(),
        value_b=b.estimate(),
        change=change,
        paired=paired,
        correlation=pair.correlation if shared else math.nan,
        saving=pair.saving if shared else math.nan,
        margin=margins.of(a, value),
        q=math.nan,
        state=UNKNOWN,
    )


def _helps(pair: estimates.Paired) -> bool:
    """Whether the paired interval is the right one.

    Arms that go together, or are equal throughout, are paired. Without correlation the plain
    interval is used; where one arm's luck is surely the other's bad luck only the paired one holds.
    """
    if math.isnan(pair.correlation):
        return True
    surely = 2 / math.sqrt(max(pair.difference.clusters, 1))
    return pair.correlation > 0 or pair.correlation < -surely


def states(found: Sequence[Difference]) -> dict[str, int]:
    """How many of each verdict."""
    return {word: sum(d.state == state for d in found) for state, word in STATES.items()}


def family(found: Sequence[Difference]) -> str:
    """The family of tests in words."""
    kinds = dict.fromkeys(d.stratum for d in found)
    return (
        f"{wording.many(len(found), 'comparison')}: every measure shown, in {wording.listing(list(kinds))}"
        if found
        else "no comparison"
    )
