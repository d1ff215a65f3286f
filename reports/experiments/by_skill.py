"""Do weak and strong players see the same game? Headline numbers at every rung of a skill ladder.

One run a rung, the same strategy with the same noise on every seat, all on the same dice. What the
strongest rung says is compared with every other one; a headline on which they surely disagree holds
for some players only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reports import wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, State
from reports.experiments import differences, leanings
from reports.experiments.differences import Difference
from reports.experiments.leanings import Conclusions
from reports.experiments.margins import Margins
from reports.experiments.quantities import Quantity
from reports.measures import Run
from reports.section import Block, Column, Section, Table, Text, Verdict

AGREE, DISAGREE, OPEN = "agree", "disagree", "open"
SEATS = "are the seats fair?"


@dataclass(frozen=True, eq=False)
class BySkill:
    """What the games of equals say, rung by rung; ``rungs`` in words, the weakest first."""

    rungs: tuple[str, ...]
    runs: tuple[Run, ...]
    margins: Margins

    @cached_property
    def conclusions(self) -> list[Conclusions]:
        """Of each rung."""
        return [
            next(iter(leanings.conclusions(run, self.margins, run).values())) for run in self.runs
        ]

    @cached_property
    def headlines(self) -> list[list[Quantity]]:
        """Headline numbers of the strongest rung, each beside those of the rungs below it."""
        found = []
        tables = [{q.key: q for q in c.numbers} for c in self.conclusions]
        for q in self.conclusions[-1].numbers:
            shown = q.headline and q.by != "strategy" and q.measure not in ("rank", "score")
            row = [table.get(q.key) for table in tables]
            there = [one for one in row if one is not None and one.counts.sum() > 0]
            if shown and len(there) == len(tables):
                found.append(there)
        return found

    @cached_property
    def changes(self) -> list[list[Difference]]:
        """How each rung below the strongest differs from it, by headline; one family."""
        pairs = [(row[-1], one) for row in self.headlines for one in row[:-1]]
        made = iter(differences.beside(pairs, self.margins))
        return [[next(made) for _ in row[:-1]] for row in self.headlines]

    def agreement(self, row: Sequence[Difference]) -> str:
        """Whether weak and strong play agree on a headline."""
        states = [d.state for d in row]
        if UNFAIR in states:
            return DISAGREE
        return AGREE if all(s == FAIR for s in states) else OPEN

    @property
    def seats(self) -> str:
        """Whether they agree on the fairness of the seats."""
        states = [c.seats for c in self.conclusions]
        sure = {s for s in states if s != UNKNOWN}
        if len(sure) > 1:
            return DISAGREE
        return AGREE if UNKNOWN not in states else OPEN

    def rows(self) -> list[dict[str, Any]]:
        """A flat row a headline and rung."""
        told: list[dict[str, Any]] = [
            {"headline": SEATS, "rung": rung, "value": leanings.seats_word(c.seats)}
            | {"verdict": self.seats}
            for rung, c in zip(self.rungs, self.conclusions, strict=True)
        ]
        for row, changes in zip(self.headlines, self.changes, strict=True):
            for rung, q in zip(self.rungs, row, strict=True):
                told.append(
                    {"headline": q.label, "rung": rung, "value": q.mean().value}
                    | {"verdict": self.agreement(changes)}
                )
        return told

    @property
    def apart(self) -> list[str]:
        """Headlines on which weak and strong play surely disagree."""
        found = [SEATS] if self.seats == DISAGREE else []
        rows = zip(self.headlines, self.changes, strict=True)
        return found + [row[-1].label for row, d in rows if self.agreement(d) == DISAGREE]

    @property
    def state(self) -> State:
        """Whether all headlines hold for everybody."""
        found = [self.seats, *(self.agreement(row) for row in self.changes)]
        if DISAGREE in found:
            return UNFAIR
        return FAIR if all(word == AGREE for word in found) else UNKNOWN


def sentence(done: BySkill) -> str:
    """Which findings hold for some players only, in a sentence."""
    apart = done.apart
    total = 1 + len(done.headlines)
    if apart:
        more = f" and {len(apart) - 4} more" if len(apart) > 4 else ""
        return (
            f"Weak and strong play surely disagree on {len(apart)} of {total} findings: "
            f"{wording.listing(apart[:4]) if not more else ', '.join(apart[:4])}{more}."
        )
    if done.state == FAIR:
        return f"All {total} findings are the same for weak and strong play."
    return "No finding is surely another for weak play than for strong, but some need more games."


def card(done: BySkill) -> Verdict:
    """The card of the first screen."""
    total = 1 + len(done.headlines)
    return Verdict(
        id="by-skill",
        question="Do the findings hold for weak and strong players alike?",
        state=done.state,
        headline=sentence(done),
        number=f"{len(done.apart)} of {total}",
        interval="findings that depend on skill",
        n=int(done.runs[0].plan.n),
        detail="A finding that depends on skill is true of the players it was found with.",
        about=f"from {done.rungs[0]} to {done.rungs[-1]}",
        words={"fair": "They hold for all", "unfair": "Some depend on skill"},
        section="by-skill",
        measure="Findings that depend on skill",
    )


def section(done: BySkill) -> Section:
    """Every headline at every rung, with a flag where they disagree."""
    columns = [
        Column("headline", "Finding"),
        *(Column(f"r{i}", rung) for i, rung in enumerate(done.rungs)),
        Column("flag", "Weak and strong play"),
    ]
    rows: list[dict[str, Any]] = [
        {
            "headline": SEATS,
            **{f"r{i}": leanings.seats_word(c.seats) for i, c in enumerate(done.conclusions)},
            "flag": done.seats,
        }
    ]
    for row, changes in zip(done.headlines, done.changes, strict=True):
        cells = {}
        for i, q in enumerate(row):
            e = q.estimate()
            digits = q.digits(e.half)
            cells[f"r{i}"] = (
                f"{q.shown(e.value, digits)} {q.unit if q.kind == 'mean' else ''}".strip()
            )
        rows.append({"headline": row[-1].label, **cells, "flag": done.agreement(changes)})
    blocks: list[Block] = [
        Text(sentence(done)),
        Table("by-skill", columns, rows, "Findings by rung, the weakest first."),
    ]
    return Section(
        id="by-skill",
        title="Do weak and strong players see the same game?",
        text="The same game among equals, once for each rung: everybody plays with the same noise. "
        "Where the columns disagree, say for whom a finding holds.",
        help="Each rung is compared with the strongest on the same dice. Disagree: surely apart by "
        f"more than the margin ({done.margins.words}); agree: surely within it at every rung; open: "
        "more games are needed. False discoveries are held at 5% over all rungs and findings.",
        blocks=blocks,
    )
