"""What does the weather do? The same games under every sequence of faces.

    simulate weather skull_canyon --n 20k --players all

Day I keeps its face. One arm has the weather that the rules draw, and every sequence of faces of
the other days is an arm, on the same seeds. A sequence is compared with the mean of all of them,
game by game, so an interval holds only what the weather changes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports import estimates
from reports.games.skull_canyon.components import FACES, days_of
from reports.games.skull_canyon.gear_rows import flat
from reports.games.skull_canyon.weather_rows import MEASURES, Cell, Skies
from simulate import exact, registry
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms
from simulate.experiments.folder import claim
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

DEFAULT_GAMES = 20_000
PAGE = "weather.html"
MOST_DAYS = 4
DRAWN = "drawn"  # the arm with the weather of the rules


@dataclass(frozen=True)
class Weather:
    """A finished experiment: where it lies, what it found, its page."""

    folder: Path
    skies: Skies
    runs: dict[str, Run]
    page: Path | None

    @property
    def frame(self) -> pl.DataFrame:
        """One row a sequence, stratum and measure."""
        return pl.DataFrame([flat(cell) for cell in self.skies.cells], infer_schema_length=None)


def weather(
    game: str = "skull_canyon",
    n: int | str = DEFAULT_GAMES,
    *,
    page: bool = True,
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    **options: Any,
) -> Weather:
    """Play every sequence of faces on the same seeds. ``options``: those of ``Request``."""
    show = progress_of(progress)
    if "weather_two" not in registry.game(game).module("state").TREATMENT.names:
        raise PlanError(f"{game} has no weather: weather is a question of skull_canyon.")
    options.setdefault("equal", False)
    base = Request(game, count(n), **options).plan()
    if base.records != "full":
        raise PlanError("weather compares the arms game by game: it needs --records full.")
    model = base.rules[0].model
    if not 1 < days_of(model) <= MOST_DAYS:
        raise PlanError("weather needs games of two to four days.")
    first = str(model["weather"]["first"])
    later = itertools.product(FACES, repeat=days_of(model) - 1)
    sequences = [(first, *faces) for faces in later]
    asked = [arms.Arm("-".join(faces), _forced(base, faces, options)) for faces in sequences]
    asked = [arms.Arm(DRAWN, base), *asked]
    label = f"{game}-weather-{short(base.n)}-{base.digest[:8]}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "weather", game)
    show.say(
        f"{len(sequences)} sequences, and one as drawn: {len(asked)} arms of {base.n:,} games."
    )
    how = {"jobs": jobs, "chunk": chunk, "backend": backend}
    runs = arms.play_arms(asked, folder, show, **how)
    skies = Skies(tuple(_cells(sequences, runs)), tuple(sequences), base.seed, base.n)
    arms.save(folder, _told(game, base, skies))
    file = None
    if page:
        from reports.games.skull_canyon import weather_page

        drawn: Any = runs[DRAWN]
        file = weather_page.write(drawn, skies, folder / PAGE)
    return Weather(folder, skies, runs, file)


def _forced(base: Plan, faces: tuple[str, ...], options: Mapping[str, Any]) -> Plan:
    """The plan under a sequence of faces."""
    told = options.get("set", ())
    shown = "[" + ", ".join(f'"{face}"' for face in faces) + "]"
    changed: Any = (
        {**told, "weather.force": list(faces)}
        if isinstance(told, Mapping)
        else (*told, f"weather.force={shown}")
    )
    return Request(base.game, base.n, **{**options, "set": changed}).plan()


# ---------------------------------------------------------------- sums


def _block_sums(run: Run) -> dict[tuple[int, str], tuple[np.ndarray, np.ndarray]]:
    """(stratum, measure) -> sums by block and what they are divided by."""
    plan = run.plan
    strata = plan.strata()
    of_cell = [strata.index((c.players, c.rules, c.equal)) for c in plan.cells]
    found = {}
    for kind in ("games", "seats"):
        mine = {name: m for name, m in MEASURES.items() if m.kind == kind}
        frame = getattr(run, kind)
        schema = frame.collect_schema()
        values = []
        for name, m in mine.items():
            inner = getattr(schema[m.column], "inner", schema[m.column])
            scale = exact.scale_of(m.column, inner)
            told = pl.col(m.column)
            if isinstance(schema[m.column], pl.Array):
                told = told.arr.sum()
            scaled = (told.cast(pl.Float64) * scale).round().cast(pl.Int64)
            if m.seat is not None:
                scaled = pl.when(pl.col("seat") == m.seat).then(scaled).otherwise(0)
            values.append(scaled.sum().alias(name))
        cell = pl.col("game_id") % plan.k
        stratum = cell.replace_strict(list(range(plan.k)), of_cell, return_dtype=pl.Int64)
        keyed = frame.with_columns((pl.col("game_id") // plan.k).alias("block"), stratum=stratum)
        games = pl.col("game_id").n_unique().alias("games")
        sums = keyed.group_by("stratum", "block").agg(pl.len().alias("n"), games, *values)
        table = sums.sort("stratum", "block").collect()
        for number in range(len(strata)):
            part = table.filter(pl.col("stratum") == number)
            for name, m in mine.items():
                below = part["games" if m.per_game else "n"].to_numpy()
                scale = exact.scale_of(
                    m.column, getattr(schema[m.column], "inner", schema[m.column])
                )
                found[number, name] = (part[name].to_numpy() / scale, below)
    return found


def _cells(sequences: list[tuple[str, ...]], runs: Mapping[str, Run]) -> list[Cell]:
    """Every sequence against the mean of all, every stratum and measure."""
    sums = [_block_sums(runs["-".join(faces)]) for faces in sequences]
    plan = runs["-".join(sequences[0])].plan
    found = []
    for number, (players, rules, equal) in enumerate(plan.strata()):
        label = f"{players} players"
        label += f", {plan.rules[rules].label}" if len(plan.rules) > 1 else ""
        label += ", equal strategies" if equal else ""
        for name, measured in MEASURES.items():
            if measured.seat is not None and measured.seat >= players:
                continue
            own = [one[number, name] for one in sums]
            mean = sum(values for values, _ in own) / len(own)
            for faces, (values, below) in zip(sequences, own, strict=True):
                difference = estimates.paired(values, mean, below).difference
                level = estimates.ratio(values, below)
                p = estimates.z_test(difference.value, difference.se)
                if not math.isfinite(difference.se):
                    p = math.nan
                told = ("-".join(faces), label, players, name, level, difference, p)
                found.append(Cell(*told, math.nan))
    return _corrected(found)


def _corrected(cells: list[Cell]) -> list[Cell]:
    """False discoveries are controlled over all cells of all measures."""
    from dataclasses import replace

    adjusted = estimates.adjusted([cell.p for cell in cells])
    return [replace(cell, q=q) for cell, q in zip(cells, adjusted, strict=True)]


def _told(game: str, base: Plan, skies: Skies) -> dict[str, Any]:
    """What experiment.json holds."""
    return {
        "experiment": "weather",
        "game": game,
        "seed": base.seed,
        "n": base.n,
        "arms": [DRAWN, *("-".join(faces) for faces in skies.sequences)],
        "cells": [flat(cell) for cell in skies.cells],
    }
