"""Measures of Biathlon that the general ones do not make: ranges, the race round by round, wax."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.facts import Facts
from reports.measures import GROUPS, SAMPLE_GAMES, Records, Stratum, array_of

FRACTIONS = tuple(i / 10 for i in range(1, 10))  # parts of the race at which the leader is asked
THIRDS = 3


def visits(records: Records, ranges: int, shots: int) -> pl.DataFrame:
    """Finished range visits by stamina and aim on arrival: n, misses, laps, clean.

    Keys group, stratum, range (from 1), stamina, aim (sum of the five hit chances, in 1000ths);
    over ``Records.detail_seats``.
    """
    keys = ["group", "stratum", "range", "stamina", "aim"]
    frames = []
    for k in range(ranges):
        misses = pl.col("misses").arr.get(k).cast(pl.Int64)
        frames.append(
            records.detail_seats.select(
                "group",
                "stratum",
                pl.lit(k + 1, pl.Int16).alias("range"),
                pl.col("stam_at_range").arr.get(k).cast(pl.Int64).alias("stamina"),
                (pl.col("aim_at_range").arr.get(k).cast(pl.Float64) * 1000)
                .round()
                .cast(pl.Int64)
                .alias("aim"),
                misses.alias("misses"),
                pl.col("laps").arr.get(k).cast(pl.Int64).alias("laps"),
                (pl.col("hits").arr.get(k).cast(pl.Int64) + misses == shots).alias("finished"),
            )
            .filter(pl.col("finished"))
            .group_by(keys)
            .agg(
                pl.len().cast(pl.Int64).alias("n"),
                pl.col("misses").sum(),
                pl.col("laps").sum(),
                (pl.col("misses") == 0).sum().cast(pl.Int64).alias("clean"),
            )
        )
    parts = [frame.collect(engine="streaming").sort(keys) for frame in frames]
    return pl.concat(parts)


@dataclass(frozen=True)
class Unfolding:
    """How races of one stratum unfold, from a sample: sums by group."""

    games: int
    gap: np.ndarray  # [place, round] steps behind the leader, summed
    gap_n: np.ndarray  # [place, round]
    lead_wins: np.ndarray  # [groups, fraction] wins of who led then (a shared lead counts in parts)
    lead_n: np.ndarray  # [groups, fraction]
    first_out_wins: np.ndarray  # [groups] wins of who left the last range first
    first_out_n: np.ndarray  # [groups]


def sample_blocks(facts: Facts) -> int:
    """Blocks read for ``unfolding`` and ``wax_timing``."""
    return max(SAMPLE_GAMES // facts.records.k, 1)


def unfolding(facts: Facts, last_range: int) -> dict[int, Unfolding]:
    """Stratum number -> ``Unfolding``, from the first games of the run."""
    columns = ["dist_round", "place", "win", "rank_range"]
    out: dict[int, list[Unfolding]] = {}
    for part in facts.records.parts("seats", columns, sample_blocks(facts)):
        for stratum in facts.main:
            for cell in stratum.cells:
                values = [part.cell(c, cell) for c in columns]
                out.setdefault(stratum.number, []).append(
                    _unfold(values, part.groups(), last_range)
                )
    return {number: _added(found) for number, found in out.items()}


def _unfold(values: list[np.ndarray], group: np.ndarray, last_range: int) -> Unfolding:
    distance, place, win, rank_range = values
    distance = distance.astype(np.float64)
    distance[distance < 0] = np.nan
    blocks, seats, rounds = distance.shape
    with np.errstate(invalid="ignore"):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            least = np.nanmin(distance, axis=1)
    racing = least > 0  # nobody is home yet
    behind = np.where(racing[:, None, :], distance - least[:, None, :], np.nan)
    gap, gap_n = np.zeros((seats, rounds)), np.zeros((seats, rounds))
    for p in range(seats):
        rows = behind[place == p + 1]
        gap[p], gap_n[p] = np.nansum(rows, 0), (~np.isnan(rows)).sum(0)
    won = win == 1
    decided = won.any(1)
    end = np.where(decided, racing.sum(1) + 1, 0)  # round in which the winner is home
    lead_wins, lead_n = np.zeros((GROUPS, len(FRACTIONS))), np.zeros((GROUPS, len(FRACTIONS)))
    here = np.arange(blocks)
    for i, fraction in enumerate(FRACTIONS):
        at = np.clip((end * fraction).astype(int), 1, rounds) - 1
        now = distance[here, :, at]
        leads = now <= np.nanmin(np.where(np.isnan(now), np.inf, now), 1)[:, None]
        share = leads / np.maximum(leads.sum(1), 1)[:, None]
        known = decided & leads.any(1)
        np.add.at(lead_wins[:, i], group[known], (share * won).sum(1)[known])
        np.add.at(lead_n[:, i], group[known], 1)
    first_wins, first_n = np.zeros(GROUPS), np.zeros(GROUPS)
    if last_range >= 0:
        first = rank_range[:, :, last_range] == 1
        known = decided & first.any(1)
        np.add.at(first_wins, group[known], (first & won).any(1)[known])
        np.add.at(first_n, group[known], 1)
    return Unfolding(blocks, gap, gap_n, lead_wins, lead_n, first_wins, first_n)


def _added(parts: list[Unfolding]) -> Unfolding:
    total = {name: sum(getattr(p, name) for p in parts) for name in Unfolding.__dataclass_fields__}
    return Unfolding(**total)


def wax_timing(facts: Facts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Uses of each token by third of the skier's race, and how often it was in the race.

    (uses [strata, tokens, thirds], dealt [strata, tokens], skiers [strata]); from the first games.
    """
    strata = len(facts.records.strata)
    tokens = array_of(facts.records, "wax_round").size
    uses = np.zeros((strata, tokens, THIRDS), np.int64)
    dealt = np.zeros((strata, tokens), np.int64)
    skiers = np.zeros(strata, np.int64)
    columns = ["wax_round", "loadout", "own_turns"]
    for part in facts.records.parts("seats", columns, sample_blocks(facts)):
        for stratum in facts.main:
            for cell in stratum.cells:
                rounds = part.cell("wax_round", cell)
                turns = np.maximum(part.cell("own_turns", cell), 1)[:, :, None]
                third = np.clip((rounds - 1) * THIRDS // turns, 0, THIRDS - 1)
                used = rounds > 0
                for t in range(THIRDS):
                    uses[stratum.number, :, t] += (used & (third == t)).sum((0, 1))
                slots = part.cell("loadout", cell)
                counts = np.bincount(slots[slots > 0], minlength=tokens + 1)
                dealt[stratum.number] += counts[1 : tokens + 1]
                skiers[stratum.number] += slots.shape[0] * slots.shape[1]
    return uses, dealt, skiers


def last_range_of(facts: Facts, stratum: Stratum) -> int:
    """Index of the last range of a stratum's course, -1 for none."""
    from reports.games.biathlon.rulebook import course_rows, range_rows

    return len(range_rows(course_rows(facts.model(stratum.rules)))) - 1
