"""Which conclusions lean on what was assumed? Every assumed value and every ruling, tried instead.

    simulate sensitivity biathlon --n 5k

One arm for each alternative that stands beside an assumed value or a ruling switch of the rules
files, on the same dice as the rules as they are. Told are the effects on the headline conclusions
(are the seats fair, what does the first seat win, how long is a game, which style is strongest) and
which of these conclusions another value would overturn. With ``skill`` the line-up itself is tried
at other strengths: the same styles with noise on their scores, so that one sees where weak and
strong play disagree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry, session
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError, RulesError
from simulate.experiments import alternatives, arms, weaker
from simulate.experiments.alternatives import Alternative, Untried
from simulate.experiments.folder import claim
from simulate.experiments.ladder import NOISE
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.rules import Rules
from simulate.store import Run

if TYPE_CHECKING:
    from reports.experiments.leanings import Leaning, Study

DEFAULT_GAMES = 5_000  # an arm
DEFAULT_ARM = "default"


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """A finished study: where it lies, what each alternative does."""

    folder: Path
    study: Study
    runs: dict[str, Run]

    @property
    def leanings(self) -> tuple[Leaning, ...]:
        """One an alternative and kind of games."""
        return self.study.leanings

    @property
    def frame(self) -> Any:
        """A row an alternative and kind of games, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.study.rows(), infer_schema_length=None)


def sensitivity(
    game: str,
    n: int | str = DEFAULT_GAMES,
    *,
    keys: Sequence[str] = (),
    skill: Sequence[float] = (),
    margin: str | Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Sensitivity:
    """Play the rules as they are and every alternative, and say which conclusions stand.

    ``keys``: only alternatives of rules that begin so; ``skill`` begins the key of the temperatures
    in ``skill`` (those of `simulate tournament --ladder` are good ones). ``n``: games an arm.
    """
    from reports.experiments import assumptions, leanings, margins

    show = progress_of(progress)
    options.setdefault("equal", False)
    asked = count(n)
    base = _base(game, options)
    found, untried = alternatives.find(base)
    chosen = [a for a in found if not keys or a.key.startswith(tuple(keys))]
    rungs = _weaker(game, base, skill, options)
    rungs = [a for a in rungs if not keys or a.key.startswith(tuple(keys))]
    if not chosen and not rungs:
        known = ", ".join(dict.fromkeys(a.key for a in found)) or "none"
        raise PlanError(f"No alternative to try. Rules with alternatives: {known}.")
    plans, refused = _plans(game, base, [*chosen, *rungs], asked, options)
    if keys:
        untried = [one for one in untried if one.key.startswith(tuple(keys))]
    first = plans[DEFAULT_ARM][1]
    sizes = margins.read(margin, 0.01, 0.05, columns=arms.columns_of(first))
    show.say(f"{len(plans) - 1} alternatives and the rules as they are, {first.n:,} games each.")
    folder = Path(out) if out is not None else RUNS / _label(game, asked, first)
    claim(folder, "sensitivity", game)
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    runs: dict[str, Any] = {}
    for number, (name, (_, plan)) in enumerate(plans.items(), start=1):
        show.say(f"Arm {number} of {len(plans)}: {name}, {plan.n:,} games.")
        runs[name] = session.play(plan, folder / "arms" / name, progress=show, longer=True, **how)
    study = leanings.study(
        runs[DEFAULT_ARM],
        [
            (leanings.Tried(a.label, a.key, a.kind, a.value, a.default, a.source), runs[name])
            for name, (a, _) in plans.items()
            if a is not None
        ],
        [(one.key, one.value, one.why) for one in [*untried, *refused]],
        sizes,
    )
    told = {
        "experiment": "sensitivity",
        "game": game,
        "arms": list(plans),
        "keys": list(keys),
        **study.told(),
    }
    arms.save(folder, told)
    if report:
        assumptions.build(study, folder)
    return Sensitivity(folder, study, runs)


def _weaker(
    game: str, base: Rules, skill: Sequence[float], options: dict[str, Any]
) -> list[Alternative]:
    """The line-up at other strengths."""
    if not skill:
        return []
    text = Request(game, 1, rules_rows=[base], **options).plan().lineup
    book = registry.load(game, options.get("strategy_file")).book
    return [
        Alternative(
            key=weaker.KIND,
            kind=weaker.KIND,
            value=f"{NOISE} {temperature:g}",
            default="the styles as they are",
            source="",
            rules=base,
            lineup=tuple(weaker.lineup(text, float(temperature), book)),
        )
        for temperature in dict.fromkeys(skill)
    ]


def _label(game: str, n: int, plan: Plan) -> str:
    return f"{game}-sensitivity-{short(n)}-{plan.digest[:8]}"


def _base(game: str, options: dict[str, Any]) -> Rules:
    """The rules as they are."""
    request = Request(game, 1, **options)
    resolved = request.resolved_rules(request.plan().seed)
    if len(resolved) > 1:
        raise PlanError("sensitivity takes one course, board or set-up.")
    return resolved[0]


def _plans(
    game: str, base: Rules, chosen: Sequence[Alternative], n: int, options: dict[str, Any]
) -> tuple[dict[str, tuple[Alternative | None, Plan]], list[Untried]]:
    """Arm -> (alternative, plan); what cannot be played with these options is told."""

    def plan(rules: Rules, lineup: Sequence[str] = ()) -> Plan:
        given = {"records": "summary", **options, **({"lineup": lineup} if lineup else {})}
        return Request(game, n, rules_rows=[rules], **given).plan()

    found: dict[str, tuple[Alternative | None, Plan]] = {DEFAULT_ARM: (None, plan(base))}
    refused = []
    for one in chosen:
        try:
            made = plan(one.rules, one.lineup)
        except RulesError as error:
            refused.append(Untried(one.key, one.value, str(error)))
            continue
        found[_slug(one, found)] = (one, made)
    return found, refused


def _slug(one: Alternative, taken: dict[str, Any]) -> str:
    """A folder's name for an arm."""
    plain = re.sub(r"[^\w.]+", "-", f"{one.key}-{one.value}").strip("-.")[:60]
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain}-{number}", number + 1
    return name
