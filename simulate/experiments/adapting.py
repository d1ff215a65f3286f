"""Styles that adapt: each side of a comparison gets its styles tuned to its own rules.

A style with fixed numbers cannot use what a rule newly offers, so a change may look worthless only
because nobody knows how to play it. Both sides are tuned with as many games, else the side that was
searched longer would look like the better rules. Only a version that is confirmed to be better takes
the place of the one it began from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulate.errors import PlanError
from simulate.experiments.tune import Tuned, tune
from simulate.plan import Plan, Who
from simulate.texts import split_list
from strategies.lineup import FROM_POOL


@dataclass(frozen=True, eq=False)
class Adapted:
    """A style of one side, tuned to that side's rules."""

    side: str
    start: str
    tuned: Tuned

    @property
    def plays(self) -> str:
        """Who takes part from now on: the tuned version where it is better, else the start."""
        return self.tuned.strategy if self.tuned.better else self.start


def read(asked: str | Sequence[str]) -> list[str]:
    """Names of styles: ``pacer,finisher``."""
    return list(dict.fromkeys(split_list(asked)))


def check(plans: Mapping[str, Plan], names: Sequence[str]) -> None:
    """PlanError unless every side has one table, and these styles sit at it and have numbers."""
    for side, plan in plans.items():
        if len(plan.players) > 1 or len(plan.rules) > 1:
            raise PlanError("--retune: styles adapt to one number of players on one course.")
        seated = seated_at(plan)
        for name in names:
            if name not in {who.name for who in seated}:
                raise PlanError(
                    f"--retune: '{name}' does not sit at the table of side {side}: "
                    f"{','.join(who.label for who in seated)}."
                )
        fixed = [who.name for who in seated if who.name in names and not who.values]
        if fixed:
            raise PlanError(f"--retune: '{fixed[0]}' has no parameters, so it cannot adapt.")


def seated_at(plan: Plan) -> list[Who]:
    """Who sits at each position of the line-up."""
    entries = plan.cells[0].positions
    if FROM_POOL in entries:
        raise PlanError("--retune: give a line-up by names; one that is drawn cannot adapt.")
    return [plan.strategies[entry] for entry in entries]


def adapt(
    side: str,
    plan: Plan,
    names: Sequence[str],
    games: int,
    folder: Path,
    options: Mapping[str, Any],
    **how: Any,
) -> tuple[str, list[Adapted]]:
    """The line-up of a side after tuning its styles one after the other, and what became of each.

    ``options``: the side's plan options. A style is tuned against the others as they play by then.
    """
    given = {name: value for name, value in options.items() if name != "lineup"}
    table = [who.label for who in seated_at(plan)]
    found: list[Adapted] = []
    for start in dict.fromkeys(who.label for who in seated_at(plan) if who.name in names):
        at = table.index(start)
        others = ",".join([*table[:at], *table[at + 1 :]])
        out = folder / f"{side}-{len(found) + 1}"
        tuned = tune(plan.game, start, games, against=others, out=out, **how, **given)
        one = Adapted(side, start, tuned)
        table = [one.plays if label == start else label for label in table]
        found.append(one)
    return ",".join(table), found
