"""How games went, round by round: standings -> chances to win -> measures of drama.

One definition of each measure for all games; a game tells in its lens (``Standing``) which column
holds the standings. Half of the blocks fit the model of ``reports.winning``, the other half are
measured, so no game tells the model how it ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, resampling, winning
from reports.estimates import Estimate
from reports.measures import GROUPS, Part, Stratum
from reports.section import Standing
from reports.winning import Check, Model, States

MOST_GAMES = 8_000  # of a run that are read: half to fit, half to measure
LAGS = (2, 5)  # rounds that one looks back
DECIDED = 0.9  # from this chance on a game counts as decided
LATE = 0.75  # share of the game
MOMENTS = tuple(i / 20 for i in range(1, 20))


@dataclass(frozen=True, eq=False)
class Courses:
    """Games of one stratum: ``standing`` [games, rounds, players], NaN where nobody stands.

    ``last`` [games]: the round in which the winner was known; states are those after rounds
    1 … last - 1. ``won`` [games, players]; ``block`` [games]; ``game_id`` [games].
    """

    standing: np.ndarray
    last: np.ndarray
    won: np.ndarray
    block: np.ndarray
    game_id: np.ndarray
    by_round: bool  # the clock is the round, not how far the leader has come

    def __len__(self) -> int:
        return len(self.last)

    def some(self, keep: np.ndarray) -> Courses:
        """Some of the games."""
        standing, last, won = self.standing[keep], self.last[keep], self.won[keep]
        return Courses(standing, last, won, self.block[keep], self.game_id[keep], self.by_round)

    @cached_property
    def open(self) -> np.ndarray:
        """[games, rounds]: states in which the winner is not known yet."""
        rounds = np.arange(1, self.standing.shape[1] + 1)
        someone = ~np.isnan(self.standing).all(2)
        return (rounds[None, :] < self.last[:, None]) & someone

    @cached_property
    def states(self) -> States:
        """All open states, game by game."""
        game, index = np.nonzero(self.open)
        standing = self.standing[game, index]
        clock = np.asarray(index + 1.0 if self.by_round else np.nanmax(standing, 1), np.float64)
        earlier = tuple(self.standing[game, np.maximum(index - lag, 0)] for lag in LAGS)
        return States(standing, earlier, clock, self.won[game], self.block[game] % GROUPS)

    def chances(self, model: Model) -> np.ndarray:
        """[games, rounds, players], NaN where the game is not open."""
        out = np.full(self.standing.shape, np.nan)
        states = self.states
        if len(states):
            out[self.open] = model.chances(states)
        return out


def read(records: Any, stratum: Stratum, standing: Standing) -> Courses:
    """The first games of a stratum in which somebody won and every round is on record."""
    blocks = min(max(MOST_GAMES // len(stratum.cells), 1), records.n_blocks)
    columns = ["game_id", "side", "win_share", standing.column]
    rows = records.run.seats.select(columns).head(blocks * records.seats_per_block)
    part = Part(records, blocks, records.seats_per_block, records.keyed(rows).collect())
    names = ["game_id", "truncated", *([standing.end] if standing.end else [])]
    games = records.run.games.select(names).head(blocks * records.k).collect()
    found = []
    for cell in stratum.cells:
        mine = games.gather_every(records.k, cell)
        values = part.cell(standing.column, cell).astype(np.float64)  # [blocks, seats, rounds]
        values[values < 0] = np.nan
        wins = part.cell("win_share", cell).astype(np.float64)
        sides = part.cell("side", cell)
        known = (~np.isnan(values).all(1)).sum(1)
        last = known
        if standing.end:
            last = mine[standing.end].fill_null(0).to_numpy().astype(np.int64)
        whole = last <= known + (1 if standing.end else 0)
        standings, won = _by_player(values if standing.more else -values, wins, sides, stratum)
        keep = ~mine["truncated"].to_numpy() & (won.sum(1) > 0) & (last > 1) & whole
        total = np.where(won.sum(1, keepdims=True) > 0, won.sum(1, keepdims=True), 1.0)
        game_id = mine["game_id"].to_numpy()
        one = (standings, last, won / total, game_id // records.k, game_id)
        found.append(tuple(a[keep] for a in one))
    where, last, won, block, number = (np.concatenate(a) for a in zip(*found, strict=True))
    return Courses(where, last, won, block, number, standing.by_round)


def _by_player(
    values: np.ndarray, wins: np.ndarray, sides: np.ndarray, stratum: Stratum
) -> tuple[np.ndarray, np.ndarray]:
    """Standings [games, rounds, players] and wins [games, players]: a player stands as his best."""
    out = np.full((len(values), values.shape[2], stratum.players), -np.inf)
    won = np.zeros((len(values), stratum.players))
    rows = np.arange(len(values))
    for seat in range(stratum.n_seats):
        player = sides[:, seat]
        here = np.where(np.isnan(values[:, seat]), -np.inf, values[:, seat])
        out[rows, :, player] = np.maximum(out[rows, :, player], here)
        won[rows, player] = np.maximum(won[rows, player], wins[:, seat])
    return np.where(np.isinf(out), np.nan, out), won


# ---------------------------------------------------------------- the measures


@dataclass(frozen=True)
class Drama:
    """Measures of drama of one stratum, over the half of the games that the model has not seen."""

    changes: Estimate  # changes of the favourite, a game
    decided: Estimate  # share of the game gone when it was decided, median
    early: Estimate  # share of games decided before half of the game
    rest: Estimate  # decisiveness: rounds from there to the end, mean
    led: Estimate  # share of the round ends before the last at which the winner stood best
    comeback: Estimate  # the winner's lowest chance, mean
    upset: Estimate  # share of games whose winner had less than half an even chance at some time
    late: Estimate  # openness at three quarters of the game, mean
    openness: tuple[tuple[float, Estimate], ...]  # by share of the game
    deepest: int  # the game with the greatest comeback
    winner: int  # the player who won it
    lowest: float  # and that player's lowest chance
    games: int


def halves(courses: Courses) -> tuple[Courses, Courses]:
    """Games of even blocks, to fit, and of odd blocks, to check and measure."""
    even = courses.block % 2 == 0
    return courses.some(even), courses.some(~even)


@dataclass(frozen=True, eq=False)
class Study:
    """A stratum's model, what it is worth, and its drama (None unless calibrated)."""

    model: Model
    check: Check
    drama: Drama | None
    fitted: int  # games
    checked: int


LEAST_GAMES = 100  # of a half


def study(courses: Courses) -> Study | None:
    """Fit on one half, check and measure on the other; None with too few games."""
    seen, unseen = halves(courses)
    if min(len(seen), len(unseen)) < LEAST_GAMES:
        return None
    model = winning.fit(seen.states)
    base = seen.won.mean(0)
    states = unseen.states
    checked = winning.check(model.chances(states), states, base)
    found = (
        measure(unseen, unseen.chances(model), base) if checked.state == estimates.FAIR else None
    )
    return Study(model, checked, found, len(seen), len(unseen))


def measure(courses: Courses, chances: np.ndarray, base: np.ndarray) -> Drama:
    """Drama from chances [games, rounds, players]; games with shared wins count their first winner.

    ``base``: chances before the first round.
    """
    games = len(courses)
    group = courses.block % GROUPS
    winner = courses.won.argmax(1)
    rounds = np.arange(1, chances.shape[1] + 1)
    own = np.take_along_axis(chances, winner[:, None, None], 2)[:, :, 0]
    last = courses.last[:, None]
    sure = np.where(np.isnan(own), rounds[None, :] >= last, own >= DECIDED)
    unsure_until = np.where(sure, 0, rounds[None, :]).max(1)
    decided_at = np.minimum(unsure_until + 1, courses.last)
    decided = decided_at / courses.last
    lowest = np.nanmin(np.where(np.isnan(own), np.inf, own), 1)
    lowest = np.where(np.isfinite(lowest), lowest, base[winner])
    even = 1 / courses.won.shape[1]
    openness = [(at, _openness(courses, chances, base, at)) for at in MOMENTS]
    late = dict(openness)[LATE]
    first = int(np.lexsort((courses.game_id, lowest))[0])

    def mean(values: np.ndarray) -> Estimate:
        ones = np.bincount(group, minlength=GROUPS).astype(np.float64)
        return estimates.ratio(np.bincount(group, values, GROUPS), ones)

    def rate(flags: np.ndarray) -> Estimate:
        ones = np.bincount(group, minlength=GROUPS).astype(np.float64)
        return estimates.share(np.bincount(group, flags.astype(np.float64), GROUPS), ones)

    table, values = resampling.block_histograms(np.round(decided, 3), group)
    return Drama(
        changes=mean(_changes(chances, winner)),
        decided=resampling.quantile(table, values, 0.5),
        early=rate(decided < 0.5),
        rest=mean(courses.last - decided_at),
        led=_led(courses, winner),
        comeback=mean(lowest),
        upset=rate(lowest < even / 2),
        late=mean(late),
        openness=tuple((at, mean(value)) for at, value in openness),
        deepest=int(courses.game_id[first]),
        winner=int(winner[first]),
        lowest=float(lowest[first]),
        games=games,
    )


def _led(courses: Courses, winner: np.ndarray) -> Estimate:
    """Share of the open round ends at which the winner stood best; equals share a lead."""
    standing = np.where(np.isnan(courses.standing), -np.inf, courses.standing)
    best = (standing == standing.max(2, keepdims=True)) & courses.open[:, :, None]
    held = best / np.maximum(best.sum(2, keepdims=True), 1)
    own = np.take_along_axis(held, winner[:, None, None], 2)[:, :, 0]
    group = courses.block % GROUPS
    sums, counts = (np.bincount(group, x.sum(1), GROUPS) for x in (own, courses.open))
    return estimates.ratio(sums, counts)


def _changes(chances: np.ndarray, winner: np.ndarray) -> np.ndarray:
    """How often the favourite changes; equals keep the one of before; at last it is the winner."""
    games = np.arange(len(chances))
    favourite = np.full(len(chances), -1)
    count = np.zeros(len(chances))
    for index in range(chances.shape[1]):
        here = np.where(np.isnan(chances[:, index]), -1.0, chances[:, index])
        there = here.max(1) >= 0
        held = np.where(favourite >= 0, here[games, favourite], -1.0)
        now = np.where(there & (here.max(1) > held + 1e-9), here.argmax(1), favourite)
        count += (favourite >= 0) & (now != favourite)
        favourite = now
    return count + ((favourite >= 0) & (favourite != winner))


def _openness(courses: Courses, chances: np.ndarray, base: np.ndarray, at: float) -> np.ndarray:
    """Entropy of each game's chances when a share ``at`` of its rounds was played."""
    index = np.floor(at * courses.last + 1e-9).astype(np.int64) - 1
    here = chances[np.arange(len(chances)), np.maximum(index, 0)]
    start = np.broadcast_to(base, here.shape)
    known = (index >= 0) & ~np.isnan(here).all(1)
    here = np.where(known[:, None], np.nan_to_num(here), start)
    return winning.entropy(here)


def frame_of(check: Check) -> pl.DataFrame:
    """The calibration plot's numbers."""
    return pl.DataFrame(
        [
            {
                "x": b.predicted,
                "value": b.happened.value,
                "low": b.happened.low,
                "high": b.happened.high,
                "predictions": b.happened.n,
            }
            for b in check.bins
        ]
    )
