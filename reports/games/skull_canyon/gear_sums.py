"""Arms of an experiment as arrays: every seat of every game, in the order that all arms share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.games.skull_canyon.gear_rows import MEASURES
from reports.games.skull_canyon.gear_value import Sums
from reports.measures import Run
from simulate import exact

BOUGHT = ("gear1", "gear2", "gear3")
OFFERS = ("gear_offer1", "gear_offer2")


@dataclass(frozen=True, eq=False)
class Rows:
    """Seats of an arm as arrays, a row each, in the order that all arms share."""

    values: dict[str, np.ndarray]
    bought: np.ndarray  # [evenings, rows] number of the gear, -1
    treated: np.ndarray
    run: Run

    def buys(self, number: int, first: bool = False) -> np.ndarray:
        """Seats that buy a card, on any evening or on the first."""
        here = self.bought[:1] if first else self.bought
        found: np.ndarray = (here == number).any(0)
        return found

    def payable(self, number: int) -> np.ndarray:
        """Times that a seat could pay a card that lay in the row."""
        item = [pl.col(c).arr.get(number).cast(pl.Int64) for c in OFFERS]
        told = self.run.seats.select(sum(item, start=pl.lit(0)).alias("offers")).collect()
        found: np.ndarray = told["offers"].to_numpy()
        return found


@dataclass(frozen=True, eq=False)
class Table:
    """What all arms share: which game, seat, strategy, weather each row is."""

    game: np.ndarray
    block: np.ndarray
    stratum: np.ndarray
    seat: np.ndarray
    strategy: np.ndarray
    weather: tuple[np.ndarray, np.ndarray]  # faces of days II and III, by row
    n_seats: np.ndarray
    blocks: int

    def sums(self, value: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Sum by block over some rows."""
        return np.bincount(self.block[mask], value[mask], self.blocks)

    def pair(self, changed: Rows, control: Rows, measure: str, mask: np.ndarray) -> Sums:
        """Sums of a measure in both arms over the same seats."""
        a, b = changed.values[measure], control.values[measure]
        both = mask & ~np.isnan(a) & ~np.isnan(b)
        ones = np.ones(len(a))
        return Sums(self.sums(a, both), self.sums(b, both), self.sums(ones, both))

    def around(self, owners: np.ndarray, step: int) -> np.ndarray:
        """Seats that sit ``step`` places clockwise from the one owner of their game."""
        games = int(self.game.max()) + 1 if len(self.game) else 0
        how_many = np.bincount(self.game[owners], minlength=games)
        seat_of = np.full(games, -1)
        seat_of[self.game[owners]] = self.seat[owners]
        single = how_many[self.game] == 1
        found: np.ndarray = single & ((self.seat - seat_of[self.game]) % self.n_seats == step)
        return found


def read_rows(run: Run) -> Rows:
    """Read what is needed of an arm."""
    frame = run.seats.select(*MEASURES, *BOUGHT, "treated").collect()
    schema = frame.schema
    values = {}
    for name in MEASURES:
        scale = exact.scale_of(name, schema[name])
        told = frame.select(exact.as_integer(name, schema[name], scale).alias(name))[name]
        values[name] = told.cast(pl.Float64).fill_null(math.nan).to_numpy() / scale
    bought = np.stack([codes(frame[name]) for name in BOUGHT])
    return Rows(values, bought, frame["treated"].to_numpy(), run)


def codes(series: pl.Series) -> np.ndarray:
    """Words as their numbers, none as -1."""
    found: np.ndarray = series.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    return found


def read_table(control: Run) -> Table:
    """What the rows are."""
    plan = control.plan
    seats = control.seats.select("game_id", "seat", "strategy").collect()
    games = control.games.select("n_seats", "weather2", "weather3").collect()
    game = seats["game_id"].to_numpy()
    strata = plan.strata()
    of_cell = np.array([strata.index((c.players, c.rules, c.equal)) for c in plan.cells])
    two, three = (codes(games[name])[game] for name in ("weather2", "weather3"))
    return Table(
        game=game,
        block=game // plan.k,
        stratum=of_cell[game % plan.k],
        seat=seats["seat"].to_numpy().astype(np.int64),
        strategy=codes(seats["strategy"]),
        weather=(two, three),
        n_seats=games["n_seats"].to_numpy().astype(np.int64)[game],
        blocks=plan.blocks,
    )
