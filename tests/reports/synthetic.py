"""Run folders made of drawn numbers, with the columns of real ones: reports without an engine.

Nothing here plays the game. Seat rows come from a latent speed (strategy + seat + luck), the other
columns are drawn so that totals agree (win shares sum to one, hits + misses = shots, ...).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simulate.frames import frame
from simulate.games.biathlon.state import (
    DIST_ROUNDS,
    GAME_COLUMNS,
    GAME_ROW,
    MAX_TOKENS,
    SEAT_COLUMNS,
    SEAT_ROW,
)
from simulate.plan import Cell, Plan, RulesRow, Who
from simulate.records import CORE_GAME, CORE_SEAT

POOL = (
    "pacer",
    "marksman",
    "front_runner",
    "drafter",
    "finisher",
    "blocker",
    "builder",
    "opportunist",
)
NATIONS = (
    "Norway",
    "Germany",
    "Russia",
    "France",
    "Sweden",
    "Austria",
    "Finland",
    "Italy",
    "United Kingdom",
    "USA",
)
HIT = np.array([5, 4, 3, 2]) / 6
SHARD_BLOCKS = 8192


@dataclass(frozen=True)
class Shape:
    """What a synthetic run looks like."""

    n: int = 4000
    players: tuple[int, ...] = (4,)
    layouts: tuple[str, ...] = ("starter",)
    strategies: tuple[str, ...] = POOL
    equal: bool = True
    strength: dict[str, float] = field(default_factory=dict)
    seat_effect: float = 0.0
    nation_effect: float = 0.0  # what the first nation is faster by
    truncated: float = 0.0
    seating: str = "rotate"
    drawn_wax: bool = False  # tokens laid by lot
    token: tuple[int, int, float] = (0, 0, 0.0)  # (token, slot from 0, speed it gives there)
    changed: tuple[tuple[str, Any, Any], ...] = ()
    seed: int = 7


class SyntheticRun:
    """Stands in for ``simulate.store.Run``: the same attributes, frames in memory or on disk."""

    def __init__(self, shape: Shape, path: Path) -> None:
        self.path = path
        self._settle(shape)
        self._write()

    def _settle(self, shape: Shape) -> None:
        self.measured = {"seconds": 12.5, "games_per_second": 80_000.0}
        self._words = words = {
            "strategies": list(shape.strategies),
            "races": ["short", "long", "short_top"],
            "layouts": list(shape.layouts),
            "nations": list(NATIONS),
            "results": ["finished", "all_collapsed", "aborted"],
            "statuses": ["racing", "home", "out"],
        }
        self.plan = _plan(shape, words)
        self.shape = replace(shape, n=self.plan.n)
        self.identity = self.plan.identity([])
        self.cells = self.identity["cells"]

    def _write(self) -> None:
        import json

        shape = self.shape
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / "shape.json").write_text(json.dumps(asdict(shape)))
        per_shard = SHARD_BLOCKS * len(self.cells)
        for number, start in enumerate(range(0, shape.n, per_shard)):
            games, seats = _rows(shape, self.cells, start, min(per_shard, shape.n - start))
            for name, rows, columns in (
                ("games", games, (*CORE_GAME, *GAME_COLUMNS)),
                ("seats", seats, (*CORE_SEAT, *SEAT_COLUMNS)),
            ):
                folder = self.path / name
                folder.mkdir(parents=True, exist_ok=True)
                frame(rows, columns, self._words).write_parquet(
                    folder / f"{number:06d}.parquet",
                    compression="zstd",
                    compression_level=1,
                    row_group_size=32_768,
                    statistics=False,
                )

    def columns(self, kind: str) -> dict[str, dict[str, str]]:
        """Docs of the columns, as those of a run folder."""
        core, own = (CORE_GAME, GAME_COLUMNS) if kind == "games" else (CORE_SEAT, SEAT_COLUMNS)
        return {c.name: {"meaning": c.meaning, "unit": c.unit} for c in (*core, *own)}

    @property
    def games(self) -> pl.LazyFrame:
        return pl.scan_parquet(self.path / "games" / "*.parquet")

    @property
    def seats(self) -> pl.LazyFrame:
        return pl.scan_parquet(self.path / "seats" / "*.parquet")

    @property
    def tallies(self) -> pl.LazyFrame:
        return _tallies(self.shape, self.cells).lazy()


def _cells(shape: Shape) -> list[dict[str, Any]]:
    """Cells of one block: every course and count, every rotation, then the equal-strategy game."""
    cells = []
    for rules in range(len(shape.layouts)):
        for players in shape.players:
            single = len(shape.strategies) == 1
            base = {
                "rules": rules,
                "players": players,
                "n_seats": 4 if players == 2 else players,
                "seating": shape.seating,
                "positions": [0 if single else -1] * players,
            }
            for rotation in range(players):
                cells.append({**base, "rotation": rotation, "equal": False})
            if shape.equal:
                cells.append({**base, "rotation": 0, "equal": True})
    return [{"cell": i, **cell} for i, cell in enumerate(cells)]


def _provenance(shape: Shape) -> list[dict[str, Any]]:
    rows = [
        ("range.lap_length", 3, 3, "assumed: a lap should cost about one turn", [2, 4, 5], False),
        ("course.layout", "starter", "starter", "assumed: printed as a drawing only", None, False),
        ("dice.race.count", 10, 10, "rulebook: Components", None, False),
        *[
            (key, value, default, "assumed: test", None, True)
            for key, value, default in shape.changed
        ],
    ]
    names = ("key", "value", "default", "source", "alternatives", "changed")
    return [dict(zip(names, row, strict=True)) for row in rows]


def _plan(shape: Shape, words: dict[str, list[str]]) -> Plan:
    cells = _cells(shape)
    blocks = max(-(-shape.n // len(cells)), 1)
    rules = tuple(
        RulesRow(
            name, model(name, drawn_wax=shape.drawn_wax), {"rows": _provenance(shape)}, [], "0" * 64
        )
        for name in shape.layouts
    )
    return Plan(
        game="biathlon",
        rules_version=1,
        engine="e" * 64,
        n=blocks * len(cells),
        seed=7,
        players=shape.players,
        lineup="pool",
        seating=shape.seating,
        records="full",
        rules=rules,
        strategies=tuple(Who(s, s, i, ()) for i, s in enumerate(shape.strategies)),
        pool=tuple(range(len(shape.strategies))),
        cells=tuple(
            Cell(
                c["players"],
                c["rules"],
                c["n_seats"],
                c["rotation"],
                c["seating"],
                c["equal"],
                tuple(c["positions"]),
            )
            for c in cells
        ),
        vocabularies={k: v for k, v in words.items() if k != "strategies"},
        treatment={},
    )


def model(layout: str = "starter", *, drawn_wax: bool = False) -> dict[str, Any]:
    """The resolved default rules with another course."""
    from simulate import rules

    more = {"wax.loadout": "drawn"} if drawn_wax else {}
    return rules.load("biathlon", overrides={"course.layout": layout, **more}).data


def _draw_positions(rng: np.random.Generator, blocks: np.ndarray, n: int, pool: int) -> np.ndarray:
    """Strategy code of each line-up position of each block: [blocks, n], different while they last."""
    first = int(blocks[0])
    out = np.empty((len(blocks), n), np.int64)
    for row, block in enumerate(blocks):
        draw = np.random.default_rng([3, first + row, int(block)])
        out[row] = draw.permutation(pool)[:n] if pool >= n else draw.integers(0, pool, n)
    del rng
    return out


def _rows(shape: Shape, cells: list[dict[str, Any]], start: int, n: int) -> tuple[Any, Any]:
    """Row arrays of games ``start`` … ``start + n - 1``."""
    k = len(cells)
    rng = np.random.default_rng([shape.seed, start])
    games = np.zeros(n, GAME_ROW)
    ids = np.arange(start, start + n)
    cell = ids % k
    block = ids // k
    seats_of_cell = np.array([c["n_seats"] for c in cells])
    players_of_cell = np.array([c["players"] for c in cells])
    n_seats = seats_of_cell[cell]
    game_of = np.repeat(np.arange(n), n_seats)
    first_row = np.cumsum(n_seats) - n_seats
    seat = np.arange(len(game_of)) - first_row[game_of]
    seats = np.zeros(len(game_of), SEAT_ROW)
    _seat_identity(shape, cells, seats, ids, block, cell, game_of, seat, players_of_cell)
    _race(shape, rng, games, seats, block, game_of, seat, first_row, n_seats)
    games["game_id"], games["block"], games["cell"] = ids, block, cell
    games["rotation"] = np.array([c["rotation"] for c in cells])[cell]
    games["n_seats"], games["players"] = n_seats, players_of_cell[cell]
    games["layout"] = np.array([c["rules"] for c in cells])[cell]
    games["lanes"] = 2
    return games, seats


def _seat_identity(shape, cells, seats, ids, block, cell, game_of, seat, players_of_cell):
    """Who sits where: strategy, side, position, nation."""
    players = players_of_cell[cell][game_of]
    per = np.where(players == 2, 2, 1)
    side = seat // per
    rotation = np.array([c["rotation"] for c in cells])[cell][game_of]
    equal = np.array([int(c["equal"]) for c in cells])[cell][game_of]
    position = (side + rotation) % players
    blocks = np.unique(block)
    most = int(players_of_cell.max())
    drawn = _draw_positions(None, blocks, most, len(shape.strategies))
    row = block[game_of] - blocks[0]
    seats["strategy"] = np.where(equal == 1, drawn[row, 0], drawn[row, position])
    seats["game_id"], seats["seat"], seats["side"] = ids[game_of], seat, side
    seats["player"], seats["position"] = side, position
    rng = np.random.default_rng([shape.seed, 11, int(ids[0])])
    seats["nation"] = (rng.integers(0, 5, len(ids))[game_of] + seat) % 5


def _lay_wax(shape, seats, first_block):
    """Six of eight tokens in a drawn order."""
    rng = np.random.default_rng([shape.seed, 13, first_block])
    seats["loadout"] = 0
    deck = np.tile(np.arange(1, 9), (len(seats), 1))
    seats["loadout"][:, :6] = rng.permuted(deck, axis=1)[:, :6]


def _race(shape, rng, games, seats, block, game_of, seat, first_row, n_seats):
    """Latent speed to places, and all other columns drawn around it."""
    n, m = len(games), len(seats)
    strength = np.array([shape.strength.get(s, 0.0) for s in shape.strategies])
    luck = rng.normal(size=m)
    first = rng.integers(0, n_seats)
    turn_index = (seat - first[game_of]) % n_seats[game_of]
    _lay_wax(shape, seats, int(block[0]))
    token, slot, worth = shape.token
    luck -= worth * (seats["loadout"][:, slot] == token)
    luck -= shape.nation_effect * (seats["nation"] == 0)
    time = luck - strength[seats["strategy"]] - shape.seat_effect * (turn_index == 0)
    order = np.lexsort((time, game_of))
    place = np.empty(m, np.int64)
    place[order] = np.arange(m) - first_row[game_of[order]] + 1
    cut = rng.random(n) < shape.truncated
    games["truncated"] = cut
    won = (place == 1) & ~cut[game_of]
    seats["win"], seats["win_share"] = won, won
    seats["rank"], seats["place"] = place, np.where(cut[game_of], -1, place)
    rounds = np.clip(rng.normal(19, 2, n).round(), 10, 40).astype(int)
    rounds[cut] = 400
    games["rounds_win"] = np.where(cut, -1, rounds)
    games["rounds_total"] = games["rounds"] = rounds + np.where(cut, 0, rng.integers(1, 6, n))
    games["turns"] = games["rounds_total"] * n_seats
    games["est_minutes"] = games["rounds_total"] * n_seats * 0.5
    games["asked"], games["forced"] = games["turns"] * 2, games["turns"] * 3
    games["options_total"] = games["asked"] * 4
    games["winner_seat"], games["winner_player"], games["winner_nation"] = -1, -1, -1
    winner = np.flatnonzero(won)
    games["winner_seat"][game_of[winner]] = seat[winner]
    games["winner_player"][game_of[winner]] = seats["side"][winner]
    games["winner_nation"][game_of[winner]] = seats["nation"][winner]
    games["result"] = np.where(cut, 2, 0)
    for name, top in (("gap12", 9), ("gap1last", 25), ("comeback", 15)):
        games[name] = np.where(cut, -1, rng.integers(0, top, n))
    games["lead_changes"], games["leaders_distinct"] = rng.poisson(3, n), rng.integers(1, 5, n)
    games["last_lead_change_frac"] = np.where(cut, -1, rng.random(n))
    games["decided_round"] = np.where(cut, -1, (rounds * rng.random(n)).astype(int))
    for name in ("spread_r5", "spread_r10", "spread_r15", "spread_r20"):
        games[name] = rng.gamma(3, 1, n)
    for name in ("drafts", "draft_steps", "slides", "entries_paid", "draft_refused"):
        games[name] = rng.poisson(6, n)
    games["finishers"] = n_seats
    games["first_seat"], seats["turn_index"] = first, turn_index
    _seat_numbers(rng, seats, rounds[game_of], place, game_of, cut)


def _seat_numbers(rng, seats, rounds, place, game_of, cut):
    """The other columns of a seat."""
    m = len(seats)
    seats["score"] = -place
    seats["status"] = np.where(cut[game_of], 0, 1)
    seats["round_home"] = np.where(cut[game_of], -1, rounds + place)
    seats["round_out"] = -1
    seats["own_turns"] = rounds + place
    seats["shoot_turns"] = 3
    seats["move_turns"] = seats["own_turns"] - 3
    seats["zero_turns"] = rng.poisson(0.3, m)
    for name in (
        "dice_rolled",
        "full_taken",
        "six_counted",
        "six_lost",
        "extra_paid",
        "sprint_taken",
        "sprint_turns",
        "passes_made",
        "passes_suffered",
        "stam_paid_extra",
        "stam_paid_entry_own",
        "stam_paid_wax",
        "drafts_made",
        "drafts_given",
    ):
        seats[name] = rng.poisson(2, m)
    seats["steps_own"], seats["steps_draft"] = 40, rng.poisson(3, m)
    seats["steps_lost_S"], seats["steps_penalty"] = rng.poisson(2, m), 6
    used = rng.random((m, 8)) < 0.7
    seats["wax_used"][:, :8] = used
    seats["wax_round"] = -1
    seats["wax_round"][:, :8] = np.where(used, rng.integers(1, 20, (m, 8)), -1)
    for name in (
        "stam_at_range",
        "aim_at_range",
        "hits",
        "misses",
        "laps",
        "range_turns",
        "round_in",
        "round_out_range",
        "rank_range",
    ):
        seats[name] = -1
    level = rng.integers(0, 4, (m, 2))
    p = HIT[3 - level]
    hits = rng.binomial(5, p)
    seats["stam_at_range"][:, :2], seats["aim_at_range"][:, :2] = 5 * level, 5 * p
    seats["hits"][:, :2], seats["misses"][:, :2] = hits, 5 - hits
    seats["laps"][:, :2] = (5 - hits + 1) // 2
    seats["range_turns"][:, :2] = 2
    seats["round_in"][:, 0], seats["round_in"][:, 1] = 7, 14
    seats["rank_range"][:, :2] = place[:, None]
    for colour in range(4):
        here = level == 3 - colour
        seats["shots_by_colour"][:, colour] = 5 * here.sum(1)
        seats["hits_by_colour"][:, colour] = (hits * here).sum(1)
    seats["stam_end"], seats["blue_end"] = rng.integers(0, 6, m), rng.integers(0, 5, m)
    seats["wax_slot_used"][:, :6] = rng.random((m, 6)) < 0.8
    left = np.arange(DIST_ROUNDS)[None, :] + 1
    distance = 45 * (1 - left / (rounds + place)[:, None])
    seats["dist_round"] = np.where(left <= (rounds + place)[:, None], distance.round(), -1)
    seats["seat_asked"], seats["seat_options"] = 40, 160
    assert MAX_TOKENS >= 8


def _tallies(shape: Shape, cells: list[dict[str, Any]]) -> pl.DataFrame:
    names = [
        "stands",
        "entries_paid",
        "passes",
        "zero_turns",
        "uphill_lost",
        "collapses",
        "drafts",
        "penalty_steps",
    ]
    rng = np.random.default_rng(shape.seed)
    rows = [
        {"cell": cell, "name": name, "index": row, "value": int(rng.integers(1, shape.n))}
        for cell in range(len(cells))
        for name in names
        for row in range(1, 45)
    ]
    return pl.DataFrame(
        rows,
        schema={"cell": pl.Int16, "name": pl.Enum(names), "index": pl.Int32, "value": pl.Int64},
    )


class Reopened(SyntheticRun):
    """A synthetic run that was written before, opened by its path."""

    def __init__(self, path: str) -> None:
        import json

        data = json.loads((Path(path) / "shape.json").read_text())
        data = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        self.path = Path(path)
        self._settle(Shape(**data))
