"""What does a treatment do? One seat of every game gets it, the same games are played without it.

    simulate treat biathlon --hook stamina_plus --n 100k

The treated seat is drawn for each block from a stream of its own (or is the seat of ``--target``);
the control arm plays the same dice without the treatment. The effect on the treated seat, on its
rivals and on the game is the mean difference, game by game, with an interval over blocks. Win share
is a zero-sum thing: what the treated seat gains its rivals lose. With ``unit`` a third arm gives the
same seat something else, and the effect is told in units of it: how much stamina is a wax token
worth, how much fame a card? All effects of a treatment are one
family of tests, false discoveries are held at 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms
from simulate.experiments.folder import claim
from simulate.hooks import find
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

if TYPE_CHECKING:
    from reports.estimates import Estimate

SEAT_MEASURES = ("win_share", "rank", "score")
GAME_MEASURES = ("rounds", "truncated")
DEFAULT_GAMES = 50_000


@dataclass(frozen=True)
class Effect:
    """The paired effect of a treatment on one measure, in one stratum."""

    measure: str
    who: str  # treated, rivals, game
    stratum: str
    control: float
    treated: float
    difference: float
    low: float
    high: float
    correlation: float | None  # between the arms; above 0 the pairing helped
    games: int
    blocks: int
    share: bool  # a win share or a flag, as a part of 1
    unit: str
    p: float  # that the difference is really 0; NaN where the games cannot say
    q: float  # corrected for false discoveries over all effects of the treatment
    price: float | None = None  # the effect in units of another treatment, None without one
    price_low: float | None = None  # None: no bound
    price_high: float | None = None


@dataclass(frozen=True)
class Treated:
    """A finished experiment: where it lies, what it found."""

    folder: Path
    hook: str
    meaning: str
    treatment: dict[str, int]
    unit: str  # the treatment that prices are told in, "" for none
    effects: tuple[Effect, ...]
    runs: dict[str, Run]

    @property
    def frame(self) -> Any:
        """The effects as a Polars frame."""
        import polars as pl

        return pl.DataFrame([asdict(effect) for effect in self.effects])


def treat(
    game: str,
    hook: str,
    n: int | str = DEFAULT_GAMES,
    *,
    target: str | int = "random",
    measures: Sequence[str] = (),
    unit: str = "",
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    **options: Any,
) -> Treated:
    """Play both arms and estimate the effects. ``options``: those of ``Request``.

    ``unit``: another treatment, in whose units the effects are told, too.
    """
    show = progress_of(progress)
    facts = registry.game(game)
    chosen, treatment = find(facts.module("words").TREATMENTS, hook)
    asked = count(n)
    options.setdefault("equal", False)
    base = Request(game, asked, **options).plan()
    if base.records != "full":
        raise PlanError("treat compares the arms game by game: it needs --records full.")
    aimed = Request(game, asked, treatment=treatment, target=target, **options).plan()
    if aimed.n != asked:
        show.say(
            f"{asked:,} games an arm are rounded up to {aimed.n:,}: blocks of {aimed.k} games."
        )
    wanted = _measures(base, measures)
    name = f"{hook}-in-{unit}" if unit else hook
    label = f"{game}-treat-{name.replace('=', '-')}-{short(asked)}-{aimed.digest[:8]}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "treat", game)
    both = [arms.Arm("control", base), arms.Arm("treated", aimed)]
    if unit:
        other = find(facts.module("words").TREATMENTS, unit)[1]
        both.append(arms.Arm("unit", replace(aimed, treatment=dict(other))))
    runs = arms.play_arms(both, folder, show, jobs=jobs, chunk=chunk, backend=backend)
    effects = tuple(_effects(runs["treated"], runs["control"], wanted, runs.get("unit")))
    told = {
        "experiment": "treat",
        "game": game,
        "hook": chosen.name,
        "meaning": chosen.meaning,
        "questions": chosen.questions,
        "treatment": treatment,
        "target": target,
        "unit": unit,
        "seed": base.seed,
        "n": base.n,
        "arms": [arm.name for arm in both],
        "effects": [_plain(asdict(effect)) for effect in effects],
    }
    arms.save(folder, told)
    return Treated(folder, chosen.name, chosen.meaning, treatment, unit, effects, runs)


def _measures(plan: Plan, asked: Sequence[str]) -> list[tuple[str, bool]]:
    """(column, in seats) of every measure; PlanError for one that there is not."""
    if not asked:
        return [(name, True) for name in SEAT_MEASURES] + [(name, False) for name in GAME_MEASURES]
    arms.check_columns(plan, asked)
    _, seats = arms.numeric_columns(plan)
    return [(name, name in seats) for name in asked]


def _effects(
    changed: Run, control: Run, measures: list[tuple[str, bool]], unit: Run | None = None
) -> list[Effect]:
    """Every measure, for the treated seat, its rivals and the game, in every stratum."""
    plan = changed.plan
    docs = {kind: changed.columns(kind) for kind in ("games", "seats")}
    found = []
    for number, (players, rules, equal) in enumerate(plan.strata()):
        label = f"{players} players"
        label += f", {plan.rules[rules].label}" if len(plan.rules) > 1 else ""
        label += ", equal strategies" if equal else ""
        for column, in_seats in measures:
            if in_seats:
                whose = ("all",) if plan.target == -3 else ("treated", "rivals")
                for who in whose:
                    pairs = arms.pair_seats(changed, control, column, number, who)
                    effect = _effect(pairs, column, who, label, docs["seats"])
                    if effect is not None and unit is not None:
                        other = arms.pair_seats(unit, control, column, number, who)
                        price, low, high = _price(pairs, other)
                        effect = replace(effect, price=price, price_low=low, price_high=high)
                    found.append(effect)
            else:
                pairs = arms.pair_games(changed, control, column, number)
                found.append(_effect(pairs, column, "game", label, docs["games"]))
    return _corrected([effect for effect in found if effect is not None])


def _corrected(effects: list[Effect]) -> list[Effect]:
    """All effects of the treatment are one family of tests."""
    from reports import estimates

    adjusted = estimates.adjusted([effect.p for effect in effects])
    return [replace(effect, q=q) for effect, q in zip(effects, adjusted, strict=True)]


def _effect(
    pairs: arms.Pairs,
    column: str,
    who: str,
    stratum: str,
    docs: Mapping[str, Mapping[str, str]],
) -> Effect | None:
    """The paired estimate of the reports, in the column's own unit."""
    from reports import estimates

    if len(pairs.count) == 0:
        return None
    a, b = pairs.changed / pairs.scale, pairs.control / pairs.scale
    paired = estimates.paired(a, b, pairs.count)
    total = int(pairs.count.sum())
    return Effect(
        measure=column,
        who=who,
        stratum=stratum,
        control=float(b.sum() / total),
        treated=float(a.sum() / total),
        difference=paired.difference.value,
        low=paired.difference.low,
        high=paired.difference.high,
        correlation=paired.correlation,
        games=total,
        blocks=len(pairs.count),
        share=column == "win_share" or pairs.flag,
        unit=docs.get(column, {}).get("unit", ""),
        p=_p_value(paired.difference),
        q=math.nan,
    )


def _price(effect: arms.Pairs, unit: arms.Pairs) -> tuple[float | None, ...]:
    """How many of one effect another is worth; no number where the unit's cannot be told from 0."""
    from reports import estimates

    found = estimates.exchange(
        effect.changed - effect.control, effect.count, unit.changed - unit.control, unit.count
    )
    ends = (found.value, found.low, found.high)
    return tuple(end if math.isfinite(end) else None for end in ends)


def _p_value(difference: Estimate) -> float:
    """Two-sided p-value that the difference is 0, NaN with fewer than two blocks."""
    from reports import estimates

    if not math.isfinite(difference.se):
        return math.nan
    return estimates.t_test(difference.value, difference.se, difference.df)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """NaN as null: JSON has none."""
    return {key: None if value != value else value for key, value in row.items()}
