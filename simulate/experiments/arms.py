"""Arms: runs that differ in rules, line-up or treatment and play the same dice.

    runs/<experiment>/experiment.json      what was asked, and what came out
    runs/<experiment>/arms/<arm>/          a run folder each

All arms have the same seed, cells and number of games, so game g of one arm meets game g of
another: differences are taken game by game and summed by block. An experiment goes on where it
stopped, as a run does, and each arm can be opened, extended, verified and replayed as a run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simulate import exact, session, shards
from simulate.errors import PlanError, StoreError
from simulate.frames import write_whole
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.store import Run

EXPERIMENT_FILE = "experiment.json"


@dataclass(frozen=True)
class Arm:
    """One way to play: a name and a plan."""

    name: str
    plan: Plan


def play_arms(
    arms: Sequence[Arm], folder: Path, progress: Silent | None = None, **how: Any
) -> dict[str, Run]:
    """Play all arms into an experiment's folder, one after the other."""
    show = progress or Silent()
    _check(arms)
    runs = {}
    for arm in arms:
        show.say(f"Arm {arm.name}: {arm.plan.n:,} games.")
        runs[arm.name] = session.play(
            arm.plan, folder / "arms" / arm.name, progress=show, longer=True, **how
        )
    return runs


def _check(arms: Sequence[Arm]) -> None:
    """Arms must meet game by game."""
    first = arms[0].plan
    for arm in arms[1:]:
        plan = arm.plan
        same = (plan.n, plan.seed, plan.k) == (first.n, first.seed, first.k)
        if not same or [c.n_seats for c in plan.cells] != [c.n_seats for c in first.cells]:
            raise PlanError(
                f"The arms {arms[0].name} and {arm.name} cannot be paired game by game."
            )


def treated(plan: Plan, treatment: Mapping[str, int], target: int) -> Plan:
    """The plan with a treatment on its target."""
    return replace(plan, treatment=dict(treatment), target=target)


def save(folder: Path, told: Mapping[str, Any]) -> None:
    """Write experiment.json whole or not at all."""
    text = json.dumps(told, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    write_whole(folder / EXPERIMENT_FILE, lambda path: path.write_text(text, encoding="utf-8"))


def read(folder: str | Path) -> dict[str, Any]:
    """What experiment.json tells."""
    file = Path(folder) / EXPERIMENT_FILE
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{folder} is no experiment: it has no {EXPERIMENT_FILE}.") from error
    except ValueError as error:
        raise StoreError(f"{file} is damaged and cannot be read ({error}).") from error


# ---------------------------------------------------------------- pairing


@dataclass(frozen=True, eq=False)
class Pairs:
    """Whole-number sums by block of one stratum, in two arms, over the same seats or games."""

    changed: np.ndarray  # int64[blocks], units of 1/scale
    control: np.ndarray
    count: np.ndarray  # values in the sums
    scale: int
    flag: bool  # yes or no, as 1 and 0


def pair_seats(changed: Run, control: Run, column: str, stratum: int, who: str) -> Pairs:
    """A seats column in both arms, over ``treated`` seats, their ``rivals``, or ``all`` seats.

    Whose values they are is said by the changed arm: the same seats are read in the control arm.
    """
    parts = _side_by_side(changed, control, "seats", [column, "treated"])
    wanted = {"treated": pl.col("treated"), "rivals": ~pl.col("treated"), "all": pl.lit(True)}[who]
    return _by_block(parts.filter(wanted), changed.plan, column, stratum)


def pair_games(changed: Run, control: Run, column: str, stratum: int) -> Pairs:
    """A games column in both arms."""
    return _by_block(
        _side_by_side(changed, control, "games", [column]), changed.plan, column, stratum
    )


def _side_by_side(changed: Run, control: Run, kind: str, columns: list[str]) -> pl.LazyFrame:
    """The rows of both arms beside each other; they lie in the same order."""
    first = getattr(changed, kind).select("game_id", *columns)
    other = getattr(control, kind).select(pl.col(columns[0]).alias("control"))
    return pl.concat([first, other], how="horizontal")


def _by_block(rows: pl.LazyFrame, plan: Plan, column: str, stratum: int) -> Pairs:
    """Sums by block; a value that is missing in one arm is left out in both."""
    dtype = rows.collect_schema()[column]
    scale = exact.scale_of(column, dtype)
    both = pl.col(column).is_not_null() & pl.col("control").is_not_null()
    cells = [i for i, c in enumerate(plan.cells) if plan.strata()[stratum] == _key(c)]
    kept = rows.filter(both & (pl.col("game_id") % plan.k).is_in(cells))
    table = (
        kept.group_by((pl.col("game_id") // plan.k).alias("block"))
        .agg(
            exact.as_integer(column, dtype, scale).sum().alias("changed"),
            exact.as_integer("control", dtype, scale).sum().alias("same"),
            pl.len().cast(pl.Int64).alias("count"),
        )
        .sort("block")
        .collect()
    )
    return Pairs(
        table["changed"].to_numpy(),
        table["same"].to_numpy(),
        table["count"].to_numpy(),
        scale,
        dtype == pl.Boolean,
    )


def _key(cell: Any) -> tuple[int, int, bool]:
    return (cell.players, cell.rules, cell.equal)


def columns_of(plan: Plan) -> list[str]:
    """Numbers of seats, then those of games: all that a measure or a margin may name."""
    games, seats = numeric_columns(plan)
    return list(dict.fromkeys([*seats, *games]))


def check_columns(plan: Plan, names: Sequence[str], option: str = "--measure") -> None:
    """PlanError for a name that is no number of games or seats."""
    known = columns_of(plan)
    for name in names:
        if name not in known:
            raise PlanError(f"{option}: there is no '{name}'. Measures: {', '.join(known)}.")


def numeric_columns(plan: Plan) -> tuple[list[str], list[str]]:
    """Numbers of games and of seats that arms can be compared by."""

    def numbers(columns: Sequence[Any]) -> list[str]:
        return [
            c.name
            for c in columns
            if not c.words
            and not c.array
            and c.name not in exact.IDENTITY
            and not exact.NAMES.fullmatch(c.name)
        ]

    return numbers(shards.game_columns(plan)), numbers(shards.seat_columns(plan))
