"""What a run plays: a ``Plan`` is plain data, the same on every machine, and is the run's identity.

Everything that decides a byte of the records stands in the plan, resolved: rules with provenance,
instances, cells, treatment, seed, the digest of the engine's sources. How fast and by whom it is
played (jobs, chunk, backend) does not. ``Plan.identity()`` is what ``run.json`` holds, and
``Plan.from_identity`` gives the plan back, so a run folder can be extended, verified and replayed
without the options it was made with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from simulate import registry
from simulate.errors import PlanError, StoreError

SCHEMA = 1  # of run.json
SHARD_GAMES = 65536
RECORDS = ("full", "summary")
TARGETS = {"none": -1, "random": -2, "all": -3}  # as strategies.book.TARGET_*; else a seat number
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class RulesRow:
    """One resolved set of rules: what the rules loader gives, as plain data."""

    label: str
    model: dict[str, Any]
    provenance: dict[str, Any]
    changed: list[Any]
    digest: str


@dataclass(frozen=True)
class Who:
    """An instance of the line-up: a strategy with its parameters."""

    label: str
    name: str
    code: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class Cell:
    """One game of a block. ``positions``: instance numbers, -1 where the pool draws."""

    players: int
    rules: int
    n_seats: int
    rotation: int
    seating: str
    equal: bool
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """A run, resolved. ``n`` counts games and is a whole number of blocks."""

    game: str
    rules_version: int
    engine: str  # digest of the sources that decide what is played
    n: int
    seed: int
    players: tuple[int, ...]
    lineup: str
    seating: str
    records: str
    rules: tuple[RulesRow, ...]
    strategies: tuple[Who, ...]
    pool: tuple[int, ...]
    cells: tuple[Cell, ...]
    vocabularies: dict[str, list[str]]
    treatment: dict[str, int]
    target: int = -1
    strategy_file: str = ""  # the name of a user's strategy file
    strategy_text: str = ""  # and what stands in it

    def __post_init__(self) -> None:
        if self.n % len(self.cells):
            raise PlanError(f"{self.n} games are no whole number of blocks of {len(self.cells)}.")

    # ------------------------------------------------------------ sizes

    @property
    def k(self) -> int:
        """Games of a block."""
        return len(self.cells)

    @property
    def blocks(self) -> int:
        """Blocks of the run."""
        return self.n // self.k

    @property
    def shard_blocks(self) -> int:
        """Blocks of a whole shard."""
        return max(1, SHARD_GAMES // self.k)

    @property
    def shards(self) -> int:
        """Shards of the run, the last of which may be partial."""
        return -(-self.blocks // self.shard_blocks)

    @property
    def root(self) -> int:
        """The root of all streams: the user's seed, hashed."""
        return root_of(self.seed)

    def shard_range(self, shard: int) -> tuple[int, int]:
        """First block of a shard, and the number of its blocks."""
        first = shard * self.shard_blocks
        return first, min(self.shard_blocks, self.blocks - first)

    def with_games(self, n: int) -> Plan:
        """The same plan for ``n`` games, rounded up to whole blocks."""
        return replace(self, n=whole_blocks(n, self.k))

    def strata(self) -> list[tuple[int, int, bool]]:
        """(players, rules row, equal) in the order of the cells: never pooled."""
        return list(dict.fromkeys((c.players, c.rules, c.equal) for c in self.cells))

    # ------------------------------------------------------------ identity

    def core(self) -> dict[str, Any]:
        """The identity without what an extension changes."""
        plan = {
            "seed": self.seed,
            "root": self.root,
            "players": list(self.players),
            "lineup": self.lineup,
            "seating": self.seating,
            "records": self.records,
            "treatment": self.treatment,
            "target": self.target,
            "strategy_file": self.strategy_file,
        }
        data = {
            "schema": SCHEMA,
            "game": self.game,
            "rules_version": self.rules_version,
            "engine": self.engine,
            "plan": plan,
            "rules": [asdict(row) for row in self.rules],
            "strategies": [asdict(who) for who in self.strategies],
            "strategy_text": self.strategy_text,
            "pool": list(self.pool),
            "cells": [{"cell": i, **asdict(cell)} for i, cell in enumerate(self.cells)],
            "vocabularies": self.vocabularies,
            "blocks": {"k": self.k, "shard_blocks": self.shard_blocks},
        }
        return json.loads(canonical(data))

    @cached_property
    def digest(self) -> str:
        """Digest of ``core``: the same for every length of the run."""
        return hashlib.sha256(canonical(self.core()).encode()).hexdigest()

    def identity(self, shards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What stands under ``identity`` in run.json."""
        data = self.core()
        data["plan"] = {"n": self.n, **data["plan"]}
        data["blocks"]["n"] = self.blocks
        data["digest"] = self.digest
        data["shards"] = [dict(row) for row in shards]
        return data

    @classmethod
    def from_identity(cls, data: Mapping[str, Any]) -> Plan:
        """The plan that an identity tells."""
        try:
            if data["schema"] != SCHEMA:
                raise StoreError(
                    f"The run was written by another version (schema {data['schema']}, "
                    f"this one reads {SCHEMA})."
                )
            plan = data["plan"]
            return cls(
                game=data["game"],
                rules_version=data["rules_version"],
                engine=data["engine"],
                n=plan["n"],
                seed=plan["seed"],
                players=tuple(plan["players"]),
                lineup=plan["lineup"],
                seating=plan["seating"],
                records=plan["records"],
                rules=tuple(RulesRow(**row) for row in data["rules"]),
                strategies=tuple(
                    Who(w["label"], w["name"], w["code"], tuple(w["values"]))
                    for w in data["strategies"]
                ),
                pool=tuple(data["pool"]),
                cells=tuple(_cell(row) for row in data["cells"]),
                vocabularies=data["vocabularies"],
                treatment=plan["treatment"],
                target=plan["target"],
                strategy_file=plan["strategy_file"],
                strategy_text=data["strategy_text"],
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"run.json does not tell a run: {error!r} is missing.") from error

    # ------------------------------------------------------------ to play it

    def open_engine(self) -> registry.Engine:
        """The game's compiled doors, the user's strategies woven in."""
        if not self.strategy_file:
            return registry.load(self.game)
        return registry.load(
            self.game, registry.keep_strategy_file(self.strategy_file, self.strategy_text)
        )


def _cell(row: Mapping[str, Any]) -> Cell:
    """A cell from its row in run.json."""
    fields = {name: row[name] for name in Cell.__dataclass_fields__}
    return Cell(**{**fields, "positions": tuple(row["positions"])})


def canonical(data: Any) -> str:
    """JSON text of data, always the same for the same data."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    """Plain data of what JSON does not know."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if hasattr(value, "__dataclass_fields__"):
        return asdict(value)
    return str(value)


def root_of(seed: int) -> int:
    """The root seed, 63 bits, from the number that a user gave."""
    if not 0 <= seed <= MAX_SEED:
        raise PlanError(f"--seed: {seed} is out of bounds; a seed goes from 0 to {MAX_SEED}.")
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))


def whole_blocks(n: int, k: int) -> int:
    """``n`` rounded up to a multiple of ``k``."""
    return -(-n // k) * k
