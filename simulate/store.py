"""The run folder: create it, open it, go on with it, check it.

    runs/<name>/run.json       identity (what was played) and measured (how it went)
    runs/<name>/games/*.parquet  seats/*.parquet  tallies/*.parquet

``open_run(path)`` gives a ``Run`` whose ``games``, ``seats`` and ``tallies`` are Polars LazyFrames.
The identity is written when a run begins and again, with a hash a shard, as it goes on and ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate.errors import StoreError
from simulate.plan import Plan

if TYPE_CHECKING:
    import polars as pl

RUN_FILE = "run.json"


class Run:
    """A run folder that has been opened; reads, never writes its records."""

    def __init__(self, path: Path, identity: dict[str, Any], measured: dict[str, Any]) -> None:
        self.path = path
        self.identity = identity
        self.measured = measured

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r}, {self.identity['game']}, {self.plan.n:,} games)"

    @cached_property
    def plan(self) -> Plan:
        """What was played."""
        return Plan.from_identity(self.identity)

    @property
    def rules(self) -> list[dict[str, Any]]:
        """Resolved rules, one a course: label, model, provenance, changed, digest."""
        return self.identity["rules"]

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The games of a block, one row a cell: players, rules, n_seats, rotation, positions and so on."""
        return self.identity["cells"]

    @property
    def strategies(self) -> list[dict[str, Any]]:
        """The instances of the line-up: label, name, code, values."""
        return self.identity["strategies"]

    @property
    def shards(self) -> list[dict[str, Any]]:
        """One row a finished shard."""
        return self.identity["shards"]

    @property
    def complete(self) -> bool:
        """Whether every shard of the plan is there."""
        return len(self.shards) == self.plan.shards

    # ------------------------------------------------------------ records

    def _scan(self, kind: str) -> pl.LazyFrame:
        """All shards of one kind as a LazyFrame."""
        import polars as pl

        from simulate import shards

        if kind not in shards.kinds(self.plan):
            raise StoreError(
                f"{self.path} was played with --records {self.plan.records}: it has no {kind}. "
                f"It has {', '.join(shards.kinds(self.plan))}."
            )
        files = [shards.path(self.path, kind, row["shard"]) for row in self.shards]
        if not files:
            raise StoreError(f"{self.path} has no finished shard yet; run the same command again.")
        missing = [file for file in files if not file.is_file()]
        if missing:
            raise StoreError(
                f"{missing[0]} is missing. `simulate verify {self.path}` lists what is damaged; "
                "the command that made the run plays it again."
            )
        return pl.scan_parquet(files, glob=False)

    @property
    def games(self) -> pl.LazyFrame:
        """One row a game."""
        return self._scan("games")

    @property
    def seats(self) -> pl.LazyFrame:
        """One row a seat of a game."""
        return self._scan("seats")

    @property
    def tallies(self) -> pl.LazyFrame:
        """Sums over games by cell, name and index."""
        import polars as pl

        keys = ["cell", "name", "index"]
        return self._scan("tallies").group_by(keys).agg(pl.col("value").sum()).sort(keys)

    @cached_property
    def summary(self) -> Any:
        """Mergeable sums of the run, see ``simulate.summary``; made from the rows of a full run."""
        from simulate import summary

        return summary.of_run(self)

    def columns(self, kind: str) -> dict[str, dict[str, str]]:
        """Docs of the columns of ``games`` or ``seats``."""
        from simulate import shards

        name = kind if kind in shards.kinds(self.plan) else f"notable_{kind}"
        return shards.column_docs(shards.path(self.path, name, self.shards[0]["shard"]))

    # ------------------------------------------------------------ what can be made of it

    def report(self, **options: Any) -> Path:
        """Write ``report.html`` and return its path."""
        from importlib import import_module

        return import_module("reports").build(self, **options)

    def replay(self, game_id: int) -> Any:
        """One game of the run, step by step."""
        from simulate.replay import Replay

        return Replay(self.plan, game_id)

    def verify(self, sample: int = 20, *, steps: bool = False) -> list[str]:
        """What is wrong with the run; empty when hashes and replayed games agree."""
        from simulate.verify import verify

        return verify(self, sample, steps=steps)


# ---------------------------------------------------------------- reading and writing run.json


def open_run(path: str | Path) -> Run:
    """Open a run folder; StoreError in words when it is none, or damaged."""
    folder = Path(path).expanduser()
    if not folder.exists():
        near = sorted(p.parent.name for p in folder.parent.glob(f"*/{RUN_FILE}"))[:8]
        hint = f" Runs there: {', '.join(near)}." if near else ""
        raise StoreError(f"There is no run {folder}.{hint}")
    file = folder / RUN_FILE
    if not file.is_file():
        raise StoreError(f"{folder} is no run folder: it has no {RUN_FILE}.")
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        run = Run(folder, data["identity"], data["measured"])
        told, found = run.identity.get("digest"), run.plan.digest
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{file} is damaged and cannot be read ({error}).") from error
    if told != found:
        raise StoreError(f"{file} is damaged: its digest does not fit what it tells.")
    return run


def save(folder: Path, plan: Plan, rows: Mapping[int, Any], measured: Mapping[str, Any]) -> None:
    """Write run.json whole or not at all."""
    from simulate.frames import write_whole

    data = {
        "identity": plan.identity([rows[shard] for shard in sorted(rows)]),
        "measured": dict(measured),
    }
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    write_whole(folder / RUN_FILE, lambda path: path.write_text(text, encoding="utf-8"))


def prepare(folder: Path, plan: Plan, *, longer: bool = False) -> tuple[dict[int, Any], Run | None]:
    """Make a run folder ready for a plan; the known rows by shard, and the run found there.

    ``longer``: the plan may be longer than what is there (extend, precision).
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        _make_folder(folder)
        return {}, None
    if not (folder / RUN_FILE).is_file():
        raise StoreError(f"{folder} is there already and is no run folder; it is left alone.")
    run = open_run(folder)
    if run.plan.digest != plan.digest:
        raise StoreError(
            f"{folder} holds another run: {_difference(run.plan, plan)}. "
            "Choose another folder with --out."
        )
    if run.plan.n > plan.n:
        raise StoreError(
            f"{folder} holds {run.plan.n:,} games of this plan already, more than {plan.n:,}."
        )
    if run.plan.n < plan.n and not longer:
        raise StoreError(
            f"{folder} holds {run.plan.n:,} games of this plan. "
            f"`simulate extend {folder} --n {plan.n}` adds to them."
        )
    return {row["shard"]: row for row in run.shards}, run


def blocks_there(folder: Path, plan: Plan) -> int:
    """Blocks that a folder was last asked to hold of this plan, 0 for a new folder."""
    if not (folder / RUN_FILE).is_file():
        return 0
    run = open_run(folder)
    return run.plan.blocks if run.plan.digest == plan.digest else 0


def _make_folder(folder: Path) -> None:
    """Create a run folder, or say why not."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror}.") from error


_TOLD = {
    "game": "it is of another game",
    "strategy_text": "its strategy file differs",
    "plan": "",  # told by name and value
    "rules": "its rules differ",
    "strategies": "its strategies differ",
    "engine": "it was played by another version of the engine",
}


def _in_words(value: Any) -> str:
    """A part of a plan on one line: ``start_space=2`` for a treatment."""
    if isinstance(value, dict):
        return ", ".join(f"{key}={one}" for key, one in value.items()) or "none"
    return str(value)


def _difference(there: Plan, asked: Plan) -> str:
    """The first thing in which two plans differ, in words."""
    old, new = there.core(), asked.core()
    for key, words in _TOLD.items():
        if old.get(key) == new[key]:
            continue
        if words:
            return words
        for name, value in new[key].items():
            if name != "root" and old[key].get(name) != value:
                before, wanted = (_in_words(one) for one in (old[key].get(name), value))
                return f"its {name} is {before}, asked for is {wanted}"
    return "its cells differ"
