"""The anchors of section 11.2: whole games of the uniform bot and of the plain bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from figure import Figure, mean
from playing import pieces

from simulate.request import Request

GAMES = 40_000  # a cell, as the reference played
LEAST = 2_000
SEED = 20_230
PLAYERS = (2, 3, 4)

Rows = np.ndarray
Measure = Callable[[Rows, Rows], np.ndarray]  # (games, seats as [games, seats]) -> one a game
Cell = tuple[float, float] | int  # mean and standard error, or a number that every game has
AWARDS = ("vp_aw_easy", "vp_aw_adv", "vp_aw_exp", "vp_aw_total")


def _game(names: str, games: Rows, _seats: Rows) -> np.ndarray:
    """Columns of the game, added."""
    return sum(games[name].astype(np.float64) for name in names.split("+"))


def _total(name: str, _games: Rows, seats: Rows) -> np.ndarray:
    """A column of the seats, over all seats."""
    return seats[name].astype(np.float64).sum(axis=1)


def _each(name: str, _games: Rows, seats: Rows) -> np.ndarray:
    """A column of the seats, per player."""
    return seats[name].astype(np.float64).mean(axis=1)


def _best(_games: Rows, seats: Rows) -> np.ndarray:
    return seats["vp_final"].astype(np.float64).max(axis=1)


def _awards(_games: Rows, seats: Rows) -> np.ndarray:
    return sum(seats[name].astype(np.float64) for name in AWARDS).mean(axis=1)


def _visits(place: int, games: Rows, _seats: Rows) -> np.ndarray:
    return games["visits"][:, place].astype(np.float64)


def _seat(name: str, number: int, _games: Rows, seats: Rows) -> np.ndarray:
    return seats[name][:, number].astype(np.float64)


AVALANCHES = partial(_game, "aval_set+aval_explosive")
# what, measure, and for 2, 3 and 4 players the reference
UNIFORM: tuple[tuple[str, Measure, tuple[Cell, Cell, Cell]], ...] = (
    ("final VP per player", partial(_each, "vp_final"), ((23.313, 0.025), (22.521, 0.019), (20.346, 0.016))),
    ("final VP of the best", _best, ((29.807, 0.034), (31.135, 0.029), (30.087, 0.028))),
    ("fame left per player", partial(_each, "fame_left"), ((4.832, 0.009), (5.329, 0.008), (5.193, 0.007))),
    ("award VP per player", _awards, ((8.436, 0.009), (6.107, 0.004), (4.656, 0.003))),
    ("runs skied easy", partial(_total, "ski_easy"), ((6.053, 0.010), (8.915, 0.013), (11.536, 0.015))),
    ("runs skied advanced", partial(_total, "ski_adv"), ((2.409, 0.007), (5.028, 0.010), (6.394, 0.011))),
    ("runs skied expert", partial(_total, "ski_exp"), ((0.496, 0.003), (0.585, 0.004), (0.714, 0.004))),
    ("avalanches", AVALANCHES, ((2.066, 0.006), (3.205, 0.007), (4.298, 0.008))),
    ("slides of others", partial(_game, "slides_rival"), ((1.060, 0.005), (3.415, 0.010), (6.574, 0.014))),
    ("Yeti moves", partial(_game, "yeti_moves"), ((2.746, 0.007), (4.313, 0.009), (5.656, 0.010))),
    ("first claims", partial(_game, "first_claims"), ((3.409, 0.006), (5.459, 0.008), (6.417, 0.008))),
    ("steals", partial(_game, "steals"), ((0.242, 0.002), (0.497, 0.003), (0.901, 0.005))),
    ("restacks", partial(_game, "restacks"), ((0.208, 0.002), (0.205, 0.002), (0.244, 0.002))),
    ("style bonuses", partial(_game, "style_bonuses"), ((0.524, 0.004), (0.778, 0.004), (1.030, 0.005))),
    ("daylight fame on runs", partial(_total, "fame_waning_runs"), ((1.674, 0.006), (2.560, 0.007), (3.389, 0.008))),
    ("Train actions", partial(_game, "act_train"), ((9.703, 0.014), (13.201, 0.016), (17.593, 0.019))),
    ("lift rides of any kind", partial(_game, "rides"), ((15.476, 0.013), (25.975, 0.017), (35.378, 0.020))),
    ("explosives used", partial(_game, "explosives_used"), ((0.741, 0.003), (1.161, 0.005), (1.543, 0.006))),
    ("tickets used", partial(_game, "tickets_used"), ((1.063, 0.004), (1.737, 0.005), (2.343, 0.006))),
    ("visits of the Hot Tub", partial(_visits, 0), ((0.763, 0.003), (1.135, 0.005), (1.528, 0.005))),
    ("visits of Yodeling", partial(_visits, 1), ((0.768, 0.003), (1.199, 0.005), (1.597, 0.006))),
    ("visits of Happy Hour", partial(_visits, 2), ((0.751, 0.003), (1.189, 0.005), (1.587, 0.006))),
    ("visits of Ski Swap", partial(_visits, 3), ((1.082, 0.004), (1.759, 0.005), (2.370, 0.006))),
    ("visits of Let It Ride", partial(_visits, 4), ((1.309, 0.003), (2.381, 0.005), (3.283, 0.007))),
    ("gear bought", partial(_game, "gear_bought"), ((1.087, 0.004), (1.632, 0.005), (1.979, 0.005))),
    ("row resets", partial(_game, "row_resets"), ((0.148, 0.002), (0.215, 0.002), (0.336, 0.003))),
    ("reshuffles", partial(_game, "reshuffles"), (0, (0.0018, 0.0002), (0.568, 0.003))),
    ("decision points asked", partial(_game, "asked"), ((128.996, 0.075), (198.472, 0.092), (261.502, 0.108))),
)  # fmt: skip
PLAIN: tuple[tuple[str, Measure, tuple[Cell, Cell, Cell]], ...] = (
    ("runs skied easy", partial(_total, "ski_easy"), ((11.541, 0.006), (11.168, 0.007), (15.694, 0.009))),
    ("runs skied advanced", partial(_total, "ski_adv"), ((7.051, 0.005), (15.838, 0.007), (20.578, 0.008))),
    ("runs skied expert", partial(_total, "ski_exp"), ((0.757, 0.004), (0.927, 0.005), (1.050, 0.005))),
    ("avalanches", AVALANCHES, ((2.572, 0.006), (6.240, 0.006), (8.556, 0.006))),
    ("slides of others", partial(_game, "slides_rival"), ((1.689, 0.006), (6.002, 0.009), (10.037, 0.017))),
    ("Yeti moves", partial(_game, "yeti_moves"), ((2.800, 0.007), (5.128, 0.009), (6.562, 0.011))),
    ("first claims", partial(_game, "first_claims"), ((3.028, 0.005), (4.421, 0.007), (4.406, 0.007))),
    ("Train actions", partial(_game, "act_train"), ((11.453, 0.010), (17.600, 0.017), (22.236, 0.019))),
    ("lift rides of any kind", partial(_game, "rides"), ((19.642, 0.009), (31.124, 0.016), (43.185, 0.017))),
    ("gear bought", partial(_game, "gear_bought"), ((3.177, 0.003), (4.224, 0.004), (4.746, 0.005))),
    ("fame left per player", partial(_each, "fame_left"), ((8.632, 0.010), (9.733, 0.009), (9.892, 0.008))),
    ("daylight fame on runs", partial(_total, "fame_waning_runs"), ((3.831, 0.005), (5.022, 0.006), (6.650, 0.008))),
    ("style bonuses", partial(_game, "style_bonuses"), ((0.268, 0.003), (0.312, 0.003), (0.360, 0.003))),
    ("reshuffles", partial(_game, "reshuffles"), (0, (0.448, 0.002), 1)),
    ("tickets used", partial(_game, "tickets_used"), (2, 4, 6)),
    ("decision points asked", partial(_game, "asked"), ((198.991, 0.039), (309.691, 0.066), (416.925, 0.082))),
)  # fmt: skip
SEAT_VP = (
    ((45.528, 0.024), (43.024, 0.022)),
    ((39.284, 0.024), (43.610, 0.030), (46.450, 0.027)),
    ((37.065, 0.019), (43.121, 0.029), (47.282, 0.027), (34.977, 0.024)),
)
SEAT_WINS = (
    ((0.657, 0.002), (0.343, 0.002)),
    ((0.075, 0.001), (0.382, 0.002)),
    ((0.024, 0.001), (0.296, 0.002)),
)


def figures(share: float = 1.0) -> Iterator[Figure]:
    """All simulated figures, each with that share of its games."""
    count = max(LEAST, round(GAMES * share))
    for players in PLAYERS:
        yield from _told("uniform", "random", players, count, _cells(UNIFORM, players))
    for players in PLAYERS:
        cells = [*_cells(PLAIN, players), *_seat_cells(players)]
        yield from _told("plain", "plain", players, count, cells)


def _cells(
    rows: tuple[tuple[str, Measure, tuple[Cell, Cell, Cell]], ...], players: int
) -> list[tuple[str, Measure, Cell]]:
    """The rows of a table for one player count."""
    return [(what, measure, cells[PLAYERS.index(players)]) for what, measure, cells in rows]


def _seat_cells(players: int) -> list[tuple[str, Measure, Cell]]:
    """VP and win share of the plain bot by seat."""
    at = PLAYERS.index(players)
    return [
        (f"{what} of seat {seat}", partial(_seat, column, seat), cell)
        for what, column, told in (
            ("final VP", "vp_final", SEAT_VP),
            ("win share", "win_share", SEAT_WINS),
        )
        for seat, cell in enumerate(told[at])
    ]


def _told(
    name: str, strategy: str, players: int, count: int, cells: list[tuple[str, Measure, Cell]]
) -> Iterator[Figure]:
    """Play a cell of the table and put every quantity beside the reference."""
    plan = Request(
        "skull_canyon", count, players=players, lineup=strategy, seating="fixed", equal=False,
        seed=SEED,
    ).plan()  # fmt: skip
    parts: list[list[np.ndarray]] = [[] for _ in cells]
    for games, seats in pieces(plan):
        for kept, (_, measure, _) in zip(parts, cells, strict=True):
            kept.append(measure(games, seats))
    for kept, (what, _, cell) in zip(parts, cells, strict=True):
        values = np.concatenate(kept)
        told = f"{players} x {name}: {what}"
        if isinstance(cell, int):
            yield Figure(
                name, f"{told}, games without {cell}", int((values != cell).sum()), 0, digits=0
            )
        else:
            digits = 4 if cell[1] < 0.001 else 3
            yield mean(name, told, values, cell[0], cell[1], digits)
