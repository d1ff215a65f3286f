"""A plan as the arrays that kernels read, and buffers for one thread."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulate import rules
from simulate.plan import Plan
from simulate.registry import Engine


@dataclass(frozen=True, eq=False)
class Tables:
    """What ``play_batch`` reads, one set a plan."""

    engine: Engine
    root: int
    rules: np.ndarray  # RULES[n]
    cells: np.ndarray  # CELL[k]
    pool: np.ndarray  # int64[…]
    codes: np.ndarray  # int64[n_instances]
    params: np.ndarray  # float64[n_instances, MAX_PARAMS]
    treatment: np.ndarray  # TREATMENT[1]
    target: int
    words: dict[str, list[str]]  # vocabularies, "strategies" included
    seats_per_block: int


@dataclass(frozen=True, eq=False)
class Buffers:
    """Scratch of one thread, used again for every shard."""

    state: np.ndarray  # STATE[1]
    work: np.ndarray  # WORK[1]
    game_rows: np.ndarray  # GAME_ROW[games of a piece]
    seat_rows: np.ndarray  # SEAT_ROW[seats of a piece]


_TABLES: dict[str, Tables] = {}
_MOST = 8  # plans whose tables are kept


def tables(plan: Plan) -> Tables:
    """The arrays of a plan; plans that differ only in length share them."""
    found = _TABLES.get(plan.digest)
    if found is None:
        while len(_TABLES) >= _MOST:
            _TABLES.pop(next(iter(_TABLES)))
        found = _TABLES[plan.digest] = _make(plan)
    return found


def _make(plan: Plan) -> Tables:
    engine = plan.open_engine()
    book = _book_module()
    params = np.zeros((len(plan.strategies), book.MAX_PARAMS))
    for row, who in enumerate(plan.strategies):
        params[row, : len(who.values)] = who.values
    return Tables(
        engine=engine,
        root=plan.root,
        rules=rules_rows(plan),
        cells=cell_rows(plan),
        pool=np.array(plan.pool, dtype=np.int64),
        codes=np.array([who.code for who in plan.strategies], dtype=np.int64),
        params=params,
        treatment=treatment_row(engine, plan.treatment),
        target=plan.target,
        words={**plan.vocabularies, "strategies": [who.label for who in plan.strategies]},
        seats_per_block=sum(cell.n_seats for cell in plan.cells),
    )


def _book_module() -> Any:
    """``strategies.book``, reached by name: this layer lies below the strategies."""
    return importlib.import_module("strategies.book")


def rules_rows(plan: Plan) -> np.ndarray:
    """RULES rows of a plan, from the resolved rules; ``layout`` indexes the run's layouts."""
    resolved = [rules.from_data(plan.game, row.model) for row in plan.rules]
    return rules.table(resolved)[0]


def cell_rows(plan: Plan) -> np.ndarray:
    """CELL rows of a plan."""
    dtype = _book_module().CELL
    rows = np.zeros(plan.k, dtype=dtype)
    rows["entry"] = -1
    for number, cell in enumerate(plan.cells):
        for name in ("rules", "players", "n_seats", "rotation", "equal"):
            rows[number][name] = getattr(cell, name)
        rows[number]["random_seating"] = cell.seating == "random"
        rows["entry"][number, : len(cell.positions)] = cell.positions
    return rows


def treatment_row(engine: Engine, values: dict[str, int]) -> np.ndarray:
    """The TREATMENT record of an arm; all zero means nothing."""
    row = np.zeros(1, dtype=engine.state.TREATMENT)
    for name, value in values.items():
        row[name] = value
    return row


def buffers(table: Tables, blocks: int) -> Buffers:
    """Fresh scratch for pieces of ``blocks`` blocks."""
    state = table.engine.state
    return Buffers(
        state=np.zeros(1, dtype=state.STATE),
        work=np.zeros(1, dtype=state.WORK),
        game_rows=np.zeros(blocks * len(table.cells), dtype=state.GAME_ROW),
        seat_rows=np.zeros(blocks * table.seats_per_block, dtype=state.SEAT_ROW),
    )
