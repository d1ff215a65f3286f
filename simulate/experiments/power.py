"""How many games does a question need, and what could a finished run have seen?

    simulate plan biathlon --effect 0.5pp --power 0.8
    simulate plan runs/biathlon-1M-0c4e9f21

Before playing: a short trial of the game tells how much its numbers scatter, how fast it is played
here and how many bytes a game takes; from those follow games, minutes and disk. After playing: the
smallest true effect that each number of a run or comparison would have shown.
"""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from simulate import session, store
from simulate.api import progress_of
from simulate.cores import default_jobs
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms
from simulate.plan import SHARD_GAMES, Plan, whole_blocks
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

DEFAULT_TRIAL = 3000  # games
CORRELATIONS = (0.0, 0.5, 0.9)
_FORM = re.compile(r"\s*(?:([A-Za-z]\w*)\s*=)?\s*(\d+(?:\.\d*)?|\.\d+)\s*(pp|%|)\s*")


@dataclass(frozen=True)
class Need:
    """What finding an effect on one number takes, both sides together."""

    measure: str
    effect: float
    correlation: float
    games: int  # a side
    minutes: float
    megabytes: float


@dataclass(frozen=True)
class Seen:
    """The smallest true effect that a number would have shown, all numbers in its unit.

    A share is told in percentage points: 25 pp, not 0.25.
    """

    measure: str
    stratum: str
    value: float
    unit: str
    smallest: float  # against a fixed value, or the paired difference of a comparison
    smallest_difference: float | None  # against a second run of this length


@dataclass(frozen=True)
class Power:
    """An answer of ``power``: rows, and what they rest on."""

    rows: tuple[Need | Seen, ...]
    basis: str  # what was measured
    power: float

    @property
    def frame(self) -> Any:
        """The rows as a Polars frame."""
        import polars as pl

        return pl.DataFrame([asdict(row) for row in self.rows], infer_schema_length=None)


def power(
    what: str | Path,
    effect: str = "1pp",
    power: float = 0.8,
    correlation: float | None = None,
    n: int | str = DEFAULT_TRIAL,
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    progress: Silent | bool | None = None,
    **options: Any,
) -> Power:
    """Games needed for an effect in a game, or what a finished run could have seen.

    ``what``: a game, or the folder of a run or comparison. ``n``: games of the trial. ``out``: keep
    the trial there.
    """
    if not 0.5 <= power < 1:
        raise PlanError(f"--power: {power:g} is out of bounds; from 0.5 to below 1.")
    if correlation is not None and not -1 <= correlation < 1:
        raise PlanError(
            f"--paired-correlation: {correlation:g} is out of bounds; from -1 to below 1."
        )
    if (Path(what) / arms.EXPERIMENT_FILE).is_file():
        return _of_experiment(Path(what), power)
    if (Path(what) / store.RUN_FILE).is_file() or len(Path(what).parts) > 1:
        return _of_run(store.open_run(what), power, correlation or 0.0)
    measure, size = _effect(effect)
    show = progress_of(progress)
    options.setdefault("equal", False)
    plan = Request(str(what), count(n), **options).plan()
    with _folder(out) as folder:
        trial = session.play(plan, folder, jobs=1, progress=show, longer=True)
        rows = _needs(trial, measure, size, power, correlation, jobs or default_jobs())
        speed = trial.measured["games_per_second"]
    basis = (
        f"{plan.n:,} games of a trial with seed {plan.seed}: {speed:,.0f} games/s on one worker, "
        f"{jobs or default_jobs()} workers"
    )
    return Power(tuple(rows), basis, power)


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Path]:
    """The folder of the trial: the user's, or one that goes away."""
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory(prefix="simulate-plan-") as name:
        yield Path(name) / "trial"


def _effect(text: str) -> tuple[str, float]:
    """Measure and size of ``0.5pp`` or ``rounds=0.2``."""
    from reports.experiments.margins import ALIASES

    match = _FORM.fullmatch(text)
    number = float(match[2]) if match else 0.0
    if match is None or number <= 0 or (not match[1] and match[3] != "pp"):
        raise PlanError(
            f"--effect: '{text}' is no effect. Write 0.5pp (percentage points of a win share) or "
            "rounds=0.2 (a column, in its unit)."
        )
    name = match[1] or "win_share"
    return ALIASES.get(name, name), number / (100 if match[3] else 1)


def _needs(
    trial: Any, measure: str, size: float, power: float, correlation: float | None, jobs: int
) -> list[Need]:
    """A row a way of counting the measure and a correlation."""
    from reports import estimates
    from reports.experiments import quantities

    plan = trial.plan
    if measure not in quantities.names(trial):
        raise PlanError(
            f"--effect: there is no measure '{measure}'. Measures: win_rate, "
            f"{', '.join(quantities.names(trial))}."
        )
    found = [q for q in quantities.read(trial, [measure]) if q.measure == measure]
    known = CORRELATIONS if correlation is None else (correlation,)
    rows = []
    ways: dict[str, list[float]] = {}
    for quantity in found:
        name = measure.replace("_", " ")
        by = quantity.by.replace("_", " ")
        label = f"{name} by {by} (the widest)" if by else name
        ways.setdefault(label, []).append(quantity.mean().se)
    for r in known:
        if measure == "win_share":
            share = 1 / max(plan.players)
            rows.append(
                _need(
                    "win share, if all games were independent",
                    estimates.games_needed(share, size, r, power),
                    (size, r),
                    trial,
                    jobs,
                )
            )
        for label, errors in ways.items():
            widest = max((e for e in errors if math.isfinite(e)), default=math.nan)
            if widest > 0:
                games = estimates.games_for(widest, plan.n, size, r, power)
                rows.append(_need(label, games, (size, r), trial, jobs))
    if not rows:
        raise PlanError(f"--effect: '{measure}' never varies in {plan.n:,} games; give more: --n.")
    return rows


def _need(label: str, games: int, effect: tuple[float, float], trial: Run, jobs: int) -> Need:
    """Games a side as whole blocks, and what both sides cost."""
    plan = trial.plan
    games = whole_blocks(max(games, 1), plan.k)
    workers = min(jobs, max(1, -(-games // SHARD_GAMES)))
    seconds = 2 * games / max(trial.measured["games_per_second"], 1e-9) / workers
    size = 2 * games * _bytes(trial.path) / plan.n
    return Need(label, effect[0], effect[1], games, seconds / 60, size / 1e6)


def _bytes(folder: Path) -> int:
    """What the records of a run take on disk."""
    return sum(file.stat().st_size for file in folder.rglob("*.parquet"))


# ---------------------------------------------------------------- after playing


def _of_run(run: Any, power: float, correlation: float) -> Power:
    """What each headline number of a run could have shown."""
    from reports import estimates
    from reports.experiments import quantities

    rows = []
    for quantity in quantities.read(run):
        mean = quantity.mean()
        if quantity.headline and mean.se > 0:
            alone = estimates.detectable_from(mean.se, power)
            other = alone * math.sqrt(2 * (1 - correlation))
            where = (quantity.label, quantity.stratum)
            rows.append(_seen(*where, quantity.change_unit, mean.value, alone, other))
    basis = f"{_told(run.plan)} in {run.path}; a second run with correlation {correlation:g} to it"
    return Power(tuple(rows), basis, power)


def _seen(
    label: str, stratum: str, unit: str, value: float, alone: float, other: float | None = None
) -> Seen:
    """What could have been seen, in the unit that is told: parts of 1 become points."""
    scale = 100 if unit == "pp" else 1
    beside = None if other is None else other * scale
    return Seen(label, stratum, value * scale, unit, alone * scale, beside)


def _told(plan: Plan) -> str:
    return f"{plan.n:,} games of {plan.game}"


def _of_experiment(folder: Path, power: float) -> Power:
    """What each headline difference of a comparison could have shown."""
    from reports import estimates

    told = arms.read(folder)
    if told.get("experiment") != "compare":
        raise PlanError(
            f"{folder} is no comparison; give a run folder, one under its arms/, or a game."
        )
    rows: Sequence[Any] = told["differences"]
    seen = [
        _seen(
            row["label"],
            row["stratum"],
            "pp" if row["unit"] == "share" else row["unit"],
            row["difference"],
            estimates.detectable_from(row["se"], power),
        )
        for row in rows
        if row["headline"] and row["se"]
    ]
    basis = f"the comparison in {folder}, {told['n']['a']:,} and {told['n']['b']:,} games"
    return Power(tuple(seen), basis, power)
