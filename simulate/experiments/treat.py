"""What does a treatment do? One seat of every game gets it, the same games are played without it.

    simulate treat biathlon --hook stamina_plus --n 100k

The treated seat is drawn for each block from a stream of its own (or is the seat of ``--target``);
the control arm plays the same dice without the treatment. The effect on the treated seat, on its
rivals and on the game is the mean difference, game by game, with an interval over blocks. Win share
is a zero-sum thing: what the treated seat gains its rivals lose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True)
class Treated:
    """A finished experiment: where it lies, what it found."""

    folder: Path
    hook: str
    meaning: str
    treatment: dict[str, int]
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
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    **options: Any,
) -> Treated:
    """Play both arms and estimate the effects. ``options``: those of ``Request``."""
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
    label = f"{game}-treat-{hook.replace('=', '-')}-{short(asked)}-{aimed.digest[:8]}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "treat", game)
    both = [arms.Arm("control", base), arms.Arm("treated", aimed)]
    runs = arms.play_arms(both, folder, show, jobs=jobs, chunk=chunk, backend=backend)
    effects = tuple(_effects(runs["treated"], runs["control"], wanted))
    told = {
        "experiment": "treat",
        "game": game,
        "hook": chosen.name,
        "meaning": chosen.meaning,
        "questions": chosen.questions,
        "treatment": treatment,
        "target": target,
        "seed": base.seed,
        "n": base.n,
        "arms": [arm.name for arm in both],
        "effects": [_plain(asdict(effect)) for effect in effects],
    }
    arms.save(folder, told)
    return Treated(folder, chosen.name, chosen.meaning, treatment, effects, runs)


def _measures(plan: Plan, asked: Sequence[str]) -> list[tuple[str, bool]]:
    """(column, in seats) of every measure; PlanError for one that there is not."""
    games, seats = arms.numeric_columns(plan)
    if not asked:
        return [(name, True) for name in SEAT_MEASURES] + [(name, False) for name in GAME_MEASURES]
    found = []
    for name in asked:
        if name not in seats and name not in games:
            known = ", ".join(dict.fromkeys([*seats, *games]))
            raise PlanError(f"--measure: there is no '{name}'. Measures: {known}.")
        found.append((name, name in seats))
    return found


def _effects(changed: Run, control: Run, measures: list[tuple[str, bool]]) -> list[Effect]:
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
                    found.append(_effect(pairs, column, who, label, docs["seats"]))
            else:
                pairs = arms.pair_games(changed, control, column, number)
                found.append(_effect(pairs, column, "game", label, docs["games"]))
    return [effect for effect in found if effect is not None]


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
    )


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """NaN as null: JSON has none."""
    return {key: None if value != value else value for key, value in row.items()}
