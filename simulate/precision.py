"""Runs until a measure is known precisely enough: ``--precision win_rate=0.2pp``.

It looks at the run only when it holds 4,096 x 2^i whole blocks (or the cap of ``--max-n``), and
only at those, so it stops at the same n for any number of workers and after any kill. At each look
the widest 95 % half-width over all seats and all strategies (over all strata for a column of games)
is compared with the target. The intervals are those of the reports, clustered on blocks. A share of
0 or 1 has a width too, and a number that has not varied yet counts as one that may be off by one
unit in as many games as could have escaped; so a start without variance does not stop it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simulate import exact, session, store
from simulate.errors import PlanError
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.store import Run
from simulate.summary import KEYS

FIRST_LOOK = 4096  # blocks
DEFAULT_CAP = 10_000_000  # games
_ALIASES = {"win_rate": "win_share", "win": "win_share"}
_FORM = re.compile(r"\s*([A-Za-z]\w*)\s*=\s*(\d+(?:\.\d*)?|\.\d+)\s*(pp|pct|%|)\s*")


@dataclass(frozen=True)
class Target:
    """How precisely a measure is wanted: half a 95 % interval, in the column's own unit.

    ``percent``: written with %, which is a part of the mean where the column is no share.
    """

    column: str
    half: float
    text: str
    percent: bool = False


@dataclass(frozen=True)
class Widest:
    """The widest half-width of a look and whose it is."""

    half: float
    whose: str


def target(text: str) -> Target:
    """Read ``win_rate=0.2pp``, ``rounds=0.05`` (its own unit) or ``rounds=1%`` (of its mean)."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise PlanError(
            f"--precision: '{text}' is no measure with a half-width. Write for example "
            "win_rate=0.2pp (percentage points), rounds=0.05 (in the column's unit) or rounds=1% "
            "(of its mean)."
        )
    name, number, unit = match.groups()
    half = float(number) / (100 if unit else 1)
    if half <= 0:
        raise PlanError(
            f"--precision: '{text}' can never be reached; the half-width must be above 0."
        )
    return Target(_ALIASES.get(name, name), half, text.strip(), unit in ("%", "pct"))


def check(plan: Plan, wanted: Target) -> None:
    """PlanError when the run has no such number."""
    from simulate import shards

    names = [
        c.name
        for c in (*shards.game_columns(plan), *shards.seat_columns(plan))
        if not c.array and not c.words and c.name not in exact.IDENTITY
    ]
    if wanted.column not in names:
        raise PlanError(
            f"--precision: there is no measure '{wanted.column}'. Measures: win_rate, "
            + ", ".join(dict.fromkeys(names))
            + "."
        )


def looks(plan: Plan, most: int) -> list[int]:
    """Blocks at which the run is looked at; the last is the cap."""
    cap = max(1, most // plan.k)
    found = []
    blocks = FIRST_LOOK
    while blocks < cap:
        found.append(blocks)
        blocks *= 2
    return [*found, cap]


def play(
    plan: Plan,
    folder: str | Path,
    wanted: Target,
    *,
    most: int = DEFAULT_CAP,
    progress: Silent | None = None,
    **how: Any,
) -> Run:
    """Play a plan until ``wanted`` is met or the cap is reached; says why it stopped."""
    show = progress or Silent()
    check(plan, wanted)
    run: Run | None = None
    for blocks in looks(plan, most):
        there = store.blocks_there(Path(folder), plan)
        if there > blocks and plan.records == "summary":
            continue  # the look that made it longer had decided to go on
        stage = plan.with_games(blocks * plan.k)
        if there > blocks:
            run = store.open_run(folder)
        else:
            run = session.play(stage, folder, progress=show, longer=True, **how)
        relative = wanted.percent and not _is_share(plan, wanted.column)
        widest = widest_half(run, wanted.column, stage.n, relative)
        met = widest.half <= wanted.half
        last = blocks == looks(plan, most)[-1]
        if met or last:
            _note(run, wanted, widest, _told(widest, wanted, relative), met, stage.n)
        told = _told(widest, wanted, relative)
        show.say(f"{stage.n:,} games: widest half-width of {wanted.text}: {told}")
        if met:
            break
    assert run is not None
    show.say(f"Stopped: {run.measured['stopped']}.")
    return run


def _told(widest: Widest, wanted: Target, relative: bool) -> str:
    """The half-width in the unit of the target."""
    if relative:
        return f"{100 * widest.half:.3g} % of the mean ({widest.whose})"
    if wanted.text.endswith(("pp", "pct", "%")):
        return f"{100 * widest.half:.3g} pp ({widest.whose})"
    return f"{widest.half:.3g} ({widest.whose})"


def _note(run: Run, wanted: Target, widest: Widest, told: str, met: bool, n: int) -> None:
    """Write into ``measured`` how precise the run is and why it stopped."""
    if met:
        why = f"precision reached: {wanted.text} asked, widest {told} after {n:,} games"
    else:
        why = f"the cap of {n:,} games (--max-n) is reached: {wanted.text} asked, widest {told}"
    run.measured["stopped"] = why
    run.measured["precision"] = {
        "asked": wanted.text,
        "widest": widest.half,
        "whose": widest.whose,
        "met": met,
        "games": n,
    }
    rows = {row["shard"]: row for row in run.shards}
    store.save(run.path, run.plan, rows, run.measured)


# ---------------------------------------------------------------- the widest interval


def widest_half(run: Run, column: str, n: int, relative: bool = False) -> Widest:
    """The widest 95 % half-width of a column over the first ``n`` games; ``relative``: of its mean."""
    table, by = _sums(run, column, n)
    worst = Widest(0.0, "nobody")
    scale, is_share = _scale(run.plan, column), _is_share(run.plan, column)
    for name, key in by:
        for values, rows in table.group_by(["stratum", *key], maintain_order=True):
            if name == "strategy" and _shared(run.plan, int(values[0])):
                continue
            half = _half(rows, column, scale, is_share, relative)
            if not half <= worst.half:  # NaN is the widest of all
                worst = Widest(half, _whose(run.plan, int(values[0]), name, values[1:]))
    return worst


def _shared(plan: Plan, stratum: int) -> bool:
    """Whether one instance plays all seats of every game of a stratum: its share is no finding."""
    key = plan.strata()[stratum]
    cells = [c for c in plan.cells if (c.players, c.rules, c.equal) == key]
    return key[2] or all(len(set(c.positions)) == 1 and c.positions[0] >= 0 for c in cells)


def _sums(run: Run, column: str, n: int) -> tuple[pl.DataFrame, list[tuple[str, list[str]]]]:
    """Sums of the column by group and stratum, and the ways to look at them."""
    from simulate import shards

    in_seats = column in [c.name for c in shards.seat_columns(run.plan)]
    kind, name = ("seats", "seat_sums") if in_seats else ("games", "game_sums")
    if run.plan.records == "summary":
        table = getattr(run.summary, name)
    else:
        rows = getattr(run, kind).filter(pl.col("game_id") < n)
        keyed = exact.with_keys(rows, run.plan)
        table = exact.sums(keyed, KEYS[name], [column]).collect().sort(list(KEYS[name]))
    wanted = table.select(*KEYS[name], column, f"{column}:n")
    ways = [("seat", ["seat"]), ("strategy", ["strategy"])] if in_seats else [("games", [])]
    return wanted, ways


def _scale(plan: Plan, column: str) -> int:
    """The unit in which the column is summed."""
    from simulate import shards

    known = {c.name: c.dtype for c in (*shards.game_columns(plan), *shards.seat_columns(plan))}
    return exact.scale_of(
        column, pl.Float32() if np.dtype(known[column]).kind == "f" else pl.Int64()
    )


def _is_share(plan: Plan, column: str) -> bool:
    """Whether a column holds win shares, or yes and no."""
    from simulate import shards

    known = {c.name: c.dtype for c in (*shards.game_columns(plan), *shards.seat_columns(plan))}
    return column == "win_share" or np.dtype(known[column]).kind == "b"


def _half(
    rows: pl.DataFrame, column: str, scale: int, is_share: bool, relative: bool = False
) -> float:
    """Half the interval of the reports for one seat, strategy or stratum."""
    from reports import estimates

    by_group = rows.group_by("group").agg(pl.col(column).sum(), pl.col(f"{column}:n").sum())
    by_group = by_group.sort("group")
    counts = by_group[f"{column}:n"].to_numpy()
    sums = by_group[column].to_numpy() / scale
    if is_share:
        return estimates.share(sums, counts).half
    mean = estimates.ratio(sums, counts)
    half = mean.half if mean.half != 0 else estimates.proportion(0, int(counts.sum())).half
    if not relative:
        return half
    return half / abs(mean.value) if mean.value else math.inf


def _whose(plan: Plan, stratum: int, name: str, values: tuple[Any, ...]) -> str:
    """Words for what an interval belongs to."""
    players, rules, equal = plan.strata()[stratum]
    parts = [f"{name} {values[0]}"] if values else []
    parts.append(f"{players} players")
    if len(plan.rules) > 1:
        parts.append(plan.rules[rules].label)
    if equal:
        parts.append("equal strategies")
    return ", ".join(parts)
