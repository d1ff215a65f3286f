"""The page of a seat compensation: the bonus of each seat that makes a table even."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports import compensation, estimates, figures, resampling, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, Fairness, State, finite
from reports.experiments import quantities
from reports.experiments.page import Page, write
from reports.experiments.quantities import Quantity
from reports.facts import Facts
from reports.measures import GROUPS, Run
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

DRAWS = 1000  # resamples of the bonuses
FAR = 3.0  # units of the bonus that was tried: beyond that adding up is a guess


@dataclass(frozen=True, eq=False)
class Compensation:
    """A finished search for bonuses. Runs: without a bonus, and with one on each seat in turn."""

    control: Run
    given: tuple[Run, ...]
    confirmed: Run | None  # the whole bonus of the only seat that gets one, on a fresh seed
    hook: str
    meaning: str
    amount: int  # what was given
    margin: float

    # ------------------------------------------------------------ sums

    @cached_property
    def _quantities(self) -> list[list[Quantity]]:
        return [quantities.read(run) for run in (self.control, *self.given)]

    @property
    def seats(self) -> int:
        """Seats of the table."""
        return len(self.given)

    @cached_property
    def _wins(self) -> tuple[np.ndarray, np.ndarray]:
        """Wins and chances [arms, groups, seats]."""
        rows = [_of_seats(found) for found in self._quantities]
        sums, counts = (
            np.array([[getattr(q, of) for q in row] for row in rows]) for of in ("sums", "counts")
        )
        return sums.transpose(0, 2, 1), counts.transpose(0, 2, 1)

    @cached_property
    def _weights(self) -> np.ndarray:
        """Ones, then Poisson weights of the groups: [1 + DRAWS, groups]."""
        drawn = np.concatenate(list(resampling.poisson_weights(GROUPS, DRAWS)))
        return np.concatenate([np.ones((1, GROUPS)), drawn])

    @cached_property
    def _means(self) -> np.ndarray:
        """Win shares [1 + DRAWS, arms, seats]."""
        sums, counts = self._wins
        won, seen = (np.einsum("rg,ags->ras", self._weights, x) for x in (sums, counts))
        return np.asarray(won / np.maximum(seen, 1e-12))

    @cached_property
    def shares(self) -> list[Estimate]:
        """Win shares without a bonus."""
        sums, counts = self._wins
        return estimates.goodman(sums[0], counts[0])

    @cached_property
    def effects(self) -> np.ndarray:
        """[1 + DRAWS, seats, seats]: what the bonus of the column's seat does to the row's."""
        means = self._means
        return np.asarray((means[:, 1:] - means[:, :1]).transpose(0, 2, 1))

    def _estimate(self, draws: np.ndarray) -> Estimate:
        """The first value with the percentile interval of the others."""
        low, high = resampling.percentile_interval(draws[1:], estimates.LEVEL)
        n, clusters = int(self.control.plan.n), int((self._wins[1][0].sum(1) > 0).sum())
        return Estimate(float(draws[0]), low, high, n, clusters, float(draws[1:].std()))

    # ------------------------------------------------------------ answers

    @cached_property
    def _bonuses(self) -> np.ndarray:
        """[1 + DRAWS, seats], in units of what was given."""
        pairs = zip(self._means[:, 0], self.effects, strict=True)
        return np.array([compensation.even_bonuses(p, e) for p, e in pairs])

    @cached_property
    def bonuses(self) -> list[Estimate]:
        """The bonus of each seat that makes all even, in the bonus's own unit."""
        return [self._estimate(self._bonuses[:, s] * self.amount) for s in range(self.seats)]

    @cached_property
    def whole(self) -> np.ndarray:
        """The same in whole numbers."""
        effects = self.effects[0] / self.amount
        return compensation.whole_bonuses(self._means[0, 0], effects)

    @cached_property
    def predicted(self) -> list[Estimate]:
        """Win shares with the whole bonuses, effects added up."""
        given = self.whole / self.amount
        return [
            self._estimate(self._means[:, 0, s] + self.effects[:, s] @ given)
            for s in range(self.seats)
        ]

    @property
    def left(self) -> float:
        """How far the farthest seat then still is from even."""
        values = np.array([e.value for e in self.predicted])
        return float(np.abs(values - values.mean()).max())

    @cached_property
    def side_effects(self) -> list[tuple[Quantity, Estimate]]:
        """What the whole bonuses do to length and drama, effects added up."""
        given = self.whole / self.amount
        found = []
        for q in self._quantities[0]:
            rows = [next((o for o in qs if o.key == q.key), None) for qs in self._quantities]
            if not q.headline or q.by or q.measure == "score" or None in rows:
                continue
            sums, counts = (
                np.array([getattr(one, of) for one in rows]) for of in ("sums", "counts")
            )
            if not counts.sum():
                continue
            means = (self._weights @ sums.T) / np.maximum(self._weights @ counts.T, 1e-12)
            found.append((q, self._estimate((means[:, 1:] - means[:, :1]) @ given)))
        return found

    @cached_property
    def check(self) -> Fairness | None:
        """The verdict on the seats of the confirmation."""
        if self.confirmed is None:
            return None
        return quantities.fairness(_of_seats(quantities.read(self.confirmed)), self.margin)

    @cached_property
    def before(self) -> Fairness:
        """The verdict on the seats without a bonus."""
        return quantities.fairness(_of_seats(self._quantities[0]), self.margin)

    @property
    def works(self) -> bool:
        """Whether a bonus surely helps the seat that gets it, on every seat."""
        return all(self._estimate(self.effects[:, s, s]).low > 0 for s in range(self.seats))

    @property
    def state(self) -> State:
        """Whether the seats are even with the bonuses, as far as it is known."""
        if self.check is not None:
            return self.check.state
        return self.before.state if not self.whole.any() else UNKNOWN

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "n": self.control.plan.n,
            "seed": self.control.plan.seed,
            "given": self.amount,
            "works": self.works,
            "before": self.before.state,
            "seats": self.rows(),
            "effects": self.effects[0].tolist(),
            "left": self.left,
            "side_effects": [
                {"measure": q.measure, "value": e.value, "low": finite(e.low)}
                | {"high": finite(e.high)}
                for q, e in self.side_effects
            ],
            "confirmed": None if self.check is None else self.check.state,
            "verdict": words(self),
        }

    def rows(self) -> list[dict[str, Any]]:
        """A flat row a seat."""
        return [
            {
                "seat": s,
                **_three("win_share", self.shares[s]),
                **_three("bonus", self.bonuses[s]),
                "whole": int(self.whole[s]),
                **_three("predicted", self.predicted[s]),
            }
            for s in range(self.seats)
        ]


def _of_seats(found: Sequence[Quantity]) -> list[Quantity]:
    """Win shares by seat."""
    return [q for q in found if (q.measure, q.by) == ("win_share", "seat")]


def _three(name: str, e: Estimate) -> dict[str, float | None]:
    return {name: finite(e.value), f"{name}_low": finite(e.low), f"{name}_high": finite(e.high)}


# ---------------------------------------------------------------- in words


def words(done: Compensation) -> list[str]:
    """What makes the seats even, how sure that is, and what is left, a sentence each."""
    if not done.works:
        return [
            "The bonus does not surely help the seat that gets it: more games, a larger bonus, or "
            "another one is needed."
        ]
    given = [f"{done.whole[s]} to seat {s + 1}" for s in range(done.seats) if done.whole[s]]
    if not given:
        exact = max(done.bonuses, key=lambda e: e.value)
        return [
            "No seat needs a whole unit: the largest bonus that would make all even is "
            f"{wording.value_of(exact)} ({wording.interval_of(exact)})."
        ]
    said = [
        f"{done.hook}: {wording.listing(given)}. By the effects that were measured the farthest "
        f"seat is then {wording.number(done.left * 100)} points from even."
    ]
    if done.check is not None:
        said.append(
            {
                FAIR: "Played on a fresh seed, the seats are fair within the margin.",
                UNFAIR: "Played on a fresh seed, they are surely not fair yet.",
                UNKNOWN: "Played on a fresh seed, more games are needed to tell.",
            }[done.check.state]
        )
    elif len(given) > 1:
        said.append("Not played together: the effects of several bonuses are taken to add up.")
    if float(done._bonuses[0].max()) > FAR:
        said.append(
            f"That is more than {FAR:.0f} times what was given: measure again with a larger bonus, as "
            "effects do not grow for ever."
        )
    return said


# ---------------------------------------------------------------- the page


def build(done: Compensation, folder: Path) -> Path:
    """Write the page."""
    facts = Facts(done.control)
    page = Page(
        kind="seat compensation",
        title=f"{facts.title}: what makes the seats even",
        subtitle=f"{done.hook} ({done.meaning}) on each of {done.seats} seats in turn · "
        f"{wording.count(done.control.plan.n)} games each · seed {done.control.plan.seed}",
        facts=facts,
        verdicts=[_card(done)],
        sections=[_answer(done), _effects(done), _side(done), _method(done)],
    )
    return write(page, folder)


def _card(done: Compensation) -> Verdict:
    said = words(done)
    largest = max(range(done.seats), key=lambda s: done.bonuses[s].value)
    e = done.bonuses[largest]
    return Verdict(
        id="compensation",
        question="Which bonus makes the seats even?",
        state=done.state,
        headline=said[0],
        number=wording.value_of(e),
        interval=f"to seat {largest + 1}; 95%: {wording.interval_of(e)}",
        n=int(done.control.plan.n),
        detail=" ".join(said[1:]),
        about=f"{done.seats} players",
        words={"fair": "Even with it", "unfair": "Not even with it", "unknown": "Not confirmed"},
        section="bonuses",
        measure="Bonus",
    )


def _answer(done: Compensation) -> Section:
    frame = pl.DataFrame(
        [
            {"label": f"seat {s + 1}", "value": e.value, "low": e.low, "high": e.high}
            for s, e in enumerate(done.bonuses)
        ]
    )
    columns = [
        Column("seat", "Seat"),
        Column("share", "Win share", "interval_percent"),
        Column("bonus", "Bonus", "interval"),
        Column("whole", "Whole bonus", "count"),
        Column("then", "Win share with it", "interval_percent"),
    ]
    rows = [
        {
            "seat": f"{s + 1}",
            "share": done.shares[s],
            "bonus": done.bonuses[s],
            "whole": int(done.whole[s]),
            "then": done.predicted[s],
        }
        for s in range(done.seats)
    ]
    draw = partial(
        figures.dots, frame, reference=0.0, percent=False, xlabel=f"bonus: {done.hook}", floor=1.0
    )
    return Section(
        id="bonuses",
        title="A bonus for each seat",
        text="The smallest bonuses with which every seat wins equally often. The best seat gets none.",
        help="A bonus to one seat takes from the others, so all are solved for together. Effects of "
        "several bonuses are taken to add up. Whole bonus: the whole numbers nearest to that with "
        "the least left over.",
        blocks=[
            *(Text(line) for line in words(done)),
            Figure(
                "bonuses",
                draw,
                "The bonus of each seat that makes the table even, with 95% intervals.",
                "Dots with intervals: the bonus of each seat.",
                frame,
                term="Bonus",
            ),
            Table("bonuses-table", columns, rows, "Seats, their bonuses, and what follows."),
        ],
    )


def _effects(done: Compensation) -> Section:
    columns = [
        Column("given", "Bonus to"),
        *(Column(f"s{s}", f"Seat {s + 1}", term="Effect of a bonus") for s in range(done.seats)),
    ]
    rows: list[Mapping[str, Any]] = []
    for s in range(done.seats):
        cells = {}
        for other in range(done.seats):
            e = done._estimate(done.effects[:, other, s]).scaled(100)
            cells[f"s{other}"] = f"{wording.value_of(e)} ({wording.interval_of(e)})"
        rows.append({"given": f"seat {s + 1}", **cells})
    return Section(
        id="effects",
        title="What one bonus does",
        text=f"Win share in percentage points, for {done.amount} of the bonus given to the seat of "
        "the row. What the owner gains the others lose, so each row adds up to nothing.",
        blocks=[Table("effects", columns, rows, "Effects of one bonus, on the same dice.")],
    )


def _side(done: Compensation) -> Section:
    columns = [Column("measure", "Measure"), Column("change", "Change"), Column("now", "Without")]
    rows = []
    for q, e in done.side_effects:
        digits = q.digits(e.half)
        low, high = (wording.number(end * q.scale, digits) for end in (e.low, e.high))
        rows.append(
            {
                "measure": q.label,
                "change": f"{q.change(e.value, digits)} ({low} … {high})",
                "now": q.shown(q.mean().value, digits),
            }
        )
    blocks: list[Block] = [Table("side-effects", columns, rows, "With the whole bonuses.")]
    if not done.whole.any():
        blocks = [Text("No bonus is given, so nothing else changes.", "note")]
    return Section(
        id="side-effects",
        title="What else changes",
        text="Length and drama with the whole bonuses, by the effects that were measured.",
        blocks=blocks,
    )


def _method(done: Compensation) -> Section:
    blocks: list[Block] = [
        Text(
            "One arm without a bonus and one with it on each seat, on the same dice; line-ups "
            "rotate over the seats. Intervals: "
            f"{DRAWS:,} bootstrap resamples of groups of blocks, the bonuses solved for in each "
            "(non-negative least squares, Lawson & Hanson 1974)."
        ),
        Text(
            "A whole bonus of a single seat is played once more on a fresh seed, as the bonus was "
            f"picked with these games. Margin of the verdict: {wording.number(done.margin * 100)} points."
        ),
    ]
    return Section(
        id="method", title="How it was found", text="All runs lie under arms/.", blocks=blocks
    )
