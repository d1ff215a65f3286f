"""The page of a skill ladder: how far its rungs are apart, and how many steps of skill they make."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from reports import figures, wording
from reports.estimates import NOTHING, Estimate
from reports.experiments import by_skill
from reports.experiments.by_skill import BySkill
from reports.experiments.depth import depth, depth_card
from reports.experiments.ledger import spread
from reports.experiments.meetings import ELO, STEP, Meetings
from reports.experiments.page import Page, write
from reports.facts import Facts
from reports.measures import Run
from reports.section import Column, Figure, Section, Table, Text

NEAR = 50.0  # points: a rung of the trial so near to the end of the ladder adds nothing


def useful(trial: Meetings, names: Sequence[str]) -> list[str]:
    """Rungs worth playing, from random play over falling noise to none: ``names`` in that order.

    Kept are the temperatures from the last that is as weak as the highest to the first that is as
    strong as no noise, with all between them; at least one.
    """
    at = [float(trial.strengths[trial.names.index(name)]) * ELO for name in names]
    noisy = at[1:-1]
    hot = next((i for i, s in enumerate(noisy) if s >= noisy[0] + NEAR), len(noisy)) - 1
    cold = next(
        (i for i in range(len(noisy) - 1, -1, -1) if noisy[i] <= at[-1] - NEAR), len(noisy) - 1
    )
    first = max(min(hot, cold), 0)
    return [names[0], *names[1 + first : 2 + max(cold, first)], names[-1]]


@dataclass(frozen=True, eq=False)
class Rungs:
    """A finished ladder. ``noise``: temperature of each rung in the order of ``meetings.names``."""

    run: Run  # of the lowest rungs
    meetings: Meetings
    noise: tuple[float, ...]  # infinite for random play, 0 for the strategy itself
    trial: int  # games of the trial
    by_skill: BySkill | None = None  # the same findings at every rung

    @property
    def order(self) -> list[int]:
        """Rungs from the weakest to the strongest, as measured."""
        return self.meetings.order[::-1]

    @property
    def top(self) -> str:
        """The strategy at the end of the noise."""
        return self.meetings.names[-1]

    def above(self, rung: int) -> Estimate:
        """Points above the weakest rung."""
        return self.meetings.gap(rung, self.order[0])

    def steps(self) -> list[tuple[int, int, Estimate, Estimate]]:
        """(lower, upper, points between them, how often the upper finishes ahead), as measured."""
        m = self.meetings
        found = []
        for low, high in zip(self.order, self.order[1:], strict=False):
            met = m.met[:, high, low].sum() > 0
            found.append((low, high, m.gap(high, low), m.rate(high, low) if met else NOTHING))
        return found

    def name(self, rung: int) -> str:
        """A rung by what was measured, and how it plays."""
        points = wording.number(self.above(rung).value, 0)
        return f"{points}: {self.plays(rung)}"

    def called(self, rung: int) -> str:
        """A rung in a sentence."""
        noise = self.noise[rung]
        if math.isinf(noise):
            return "random"
        return f"{wording.plain(self.top)} with {self.plays(rung)}" if noise else self.top

    def plays(self, rung: int) -> str:
        """How a rung plays."""
        noise = self.noise[rung]
        if math.isinf(noise):
            return "at random"
        return f"noise {noise:.3g}" if noise else f"{wording.plain(self.top)}, no noise"

    def rows(self) -> list[dict[str, Any]]:
        """A flat row a rung, the weakest first; gaps are those to the rung below."""
        below = {high: (gap, ahead) for _, high, gap, ahead in self.steps()}
        return [
            {
                "rung": number,
                "strategy": self.meetings.names[i],
                "temperature": self.noise[i] if math.isfinite(self.noise[i]) else None,
                **spread("points", self.above(i)),
                **spread("gap", below.get(i, (NOTHING, NOTHING))[0]),
                **spread("ahead", below.get(i, (NOTHING, NOTHING))[1]),
            }
            for number, i in enumerate(self.order, start=1)
        ]

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        m = self.meetings
        return {
            "n": m.games,
            "seed": self.run.plan.seed,
            "players": m.players,
            "trial": self.trial,
            "cut": m.cut,
            "rungs": self.rows(),
            **spread("depth", m.depth),
            "by_skill": self.by_skill.rows() if self.by_skill is not None else [],
            "verdict": summary_lines(self),
        }


def widest(done: Rungs) -> str:
    """Where the ladder is steepest, in a sentence."""
    low, high, gap, ahead = max(done.steps(), key=lambda step: step[2].value)
    rate = f"; it finishes ahead in {wording.percent_of(ahead)} of meetings" if ahead.n else ""
    return (
        f"The largest gap between neighbours is {wording.number(gap.value, 0)} points "
        f"({wording.interval_of(gap, 0)}), from {done.plays(low)} to {done.plays(high)}{rate}."
    )


# ---------------------------------------------------------------- the page


def build(done: Rungs, folder: Path) -> Path:
    """Write the page of a ladder."""
    facts = Facts(done.run)
    m = done.meetings
    warnings = []
    if m.cut:
        warnings.append(
            f"{wording.count(m.cut)} of {wording.count(m.games)} games had no winner and are left "
            "out of the finishing orders."
        )
    page = Page(
        kind="skill ladder",
        title=f"{facts.title}: how much room for skill",
        subtitle=f"{len(m.names)} rungs from random play to {wording.plain(done.top)} · "
        f"{wording.count(m.games)} games · {m.stratum} · seed {done.run.plan.seed}",
        facts=facts,
        verdicts=[
            depth_card(
                m, "How many steps of skill does the game have room for?", "rungs", done.called
            ),
            *([by_skill.card(done.by_skill)] if done.by_skill is not None else []),
        ],
        sections=[
            _rungs(done),
            *([by_skill.section(done.by_skill)] if done.by_skill is not None else []),
            _method(done),
        ],
        warnings=warnings,
    )
    return write(page, folder)


def _rungs(done: Rungs) -> Section:
    below = {high: (gap, ahead) for _, high, gap, ahead in done.steps()}
    downwards = done.order[::-1]
    frame = pl.DataFrame(
        [
            {"label": done.name(i), "value": e.value, "low": e.low, "high": e.high}
            for i in downwards
            for e in [done.above(i)]
        ]
    )
    rows = [
        {
            "rung": len(downwards) - place,
            "plays": done.plays(i),
            "points": done.above(i),
            "gap": below[i][0] if i in below else None,
            "ahead": below[i][1] if i in below and below[i][1].n else None,
        }
        for place, i in enumerate(downwards)
    ]
    columns = [
        Column("rung", "Rung", "count"),
        Column("plays", "How it plays"),
        Column("points", "Points above the lowest", "interval", 0),
        Column("gap", "Gap to the rung below", "interval", 0),
        Column("ahead", "Ahead of the rung below", "interval_percent"),
    ]
    draw = partial(
        figures.dots, frame, reference=0.0, percent=False, xlabel="points above the lowest rung",
        floor=STEP,
    )  # fmt: skip
    return Section(
        id="rungs",
        title="The rungs, by measured strength",
        text="The same strategy with less and less noise on its scores. A rung is called by how "
        f"far it stands above the lowest; {STEP:.0f} points are one step of skill. {widest(done)}",
        help="A long ladder means that playing better keeps paying; a short one that luck, or the "
        "lack of choices, soon evens players out. Noise halves from rung to rung, so a wide gap "
        "shows which errors cost most.",
        blocks=[
            Figure(
                "rungs",
                draw,
                "Strength of each rung above the lowest, with 95% intervals.",
                "Dots with intervals: the rungs of the ladder, the strongest on top.",
                frame,
                term="Points above the lowest",
            ),
            Table("rungs-table", columns, rows, "Rungs, the strongest first."),
        ],
    )


def _method(done: Rungs) -> Section:
    m = done.meetings
    return Section(
        id="method",
        title="How it was played",
        text=f"Each rung sat at one table with the next ones ({m.players} at a table), in every "
        "rotation and on the same dice at all tables.",
        blocks=[
            Text(
                f"A trial of {wording.count(done.trial)} games on another seed found the range: from "
                f"the last temperature within {NEAR:.0f} points of the highest one to the first "
                f"within {NEAR:.0f} points of no noise. Noise at the highest temperature is not "
                "always random play: what a strategy decides without scores stays as it is."
            ),
            Text(
                "Strengths: Plackett-Luce over full finishing orders of neighbouring rungs; 400 "
                f"points are odds of ten to one. Intervals: {len(m.weights):,} bootstrap resamples "
                "of groups of blocks. Steps: the strongest rung less the weakest, less what noise "
                f"alone adds, in units of {STEP:.0f} points (Lantz et al. 2017; Cauwet et al. 2015)."
            ),
        ],
    )  # fmt: skip


def summary_lines(done: Rungs) -> list[str]:
    """The verdict in words."""
    lines = [depth(done.meetings, done.called)[1], widest(done)]
    return lines + ([by_skill.sentence(done.by_skill)] if done.by_skill is not None else [])
