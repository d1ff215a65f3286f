"""Carries a plan out in a run folder: new, resumed after a kill, or extended; one way for all.

Finished shards that are whole, of this plan and unchanged are kept; the others are played. Ctrl-C
keeps what is finished and says which command goes on.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simulate import shards, store
from simulate.batch import warm_up
from simulate.cores import default_jobs
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.runner import check_backend, play_shards
from simulate.store import Run

_SAVE_EVERY = 5.0  # seconds between two writings of run.json while shards come in


class Interrupted(KeyboardInterrupt):
    """Ctrl-C: what is finished is kept. ``folder``: the run folder; ``kept``: games in it."""

    def __init__(self, folder: Path, kept: int, total: int) -> None:
        super().__init__(f"{kept:,} of {total:,} games are kept in {folder}")
        self.folder, self.kept, self.total = folder, kept, total


def play(
    plan: Plan,
    folder: str | Path,
    *,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | None = None,
    longer: bool = False,
    stopped: str = "",
) -> Run:
    """Play what is missing of a plan into a folder and open the run.

    ``longer``: what is there may be a shorter run of the same plan (extend, precision).
    ``stopped``: why the run ends where it does, for ``measured``.
    """
    show = progress or Silent()
    folder = Path(folder)
    check_backend(backend)
    known, before = store.prepare(folder, plan, longer=longer)
    kept = {s: row for s in range(plan.shards) if (row := shards.finished(plan, s, folder, known))}
    if (
        len(kept) == plan.shards
        and before is not None
        and before.plan.n == plan.n
        and before.complete
    ):
        show.say(f"{folder} holds these {plan.n:,} games already; nothing to play.")
        return before
    measured = _measured(before.measured if before else {}, jobs, chunk, backend)
    _warm_up(plan, folder, show)
    store.save(folder, plan, kept, measured)
    _play_missing(plan, folder, kept, measured, show, jobs, chunk, backend)
    measured["stopped"] = stopped or f"all {plan.n:,} games asked for are played"
    store.save(folder, plan, kept, measured)
    return store.open_run(folder)


def _warm_up(plan: Plan, folder: Path, show: Silent) -> None:
    """Compile before anything is written; a strategy that is refused leaves no folder behind."""
    try:
        warm_up(plan, show.say)
    except BaseException:
        if not any(folder.iterdir()):
            folder.rmdir()
        raise


def _play_missing(
    plan: Plan,
    folder: Path,
    kept: dict[int, Any],
    measured: dict[str, Any],
    show: Silent,
    jobs: int | None,
    chunk: int | None,
    backend: str,
) -> None:
    """Play the shards that are not ``kept`` and add them to it."""
    missing = [shard for shard in range(plan.shards) if shard not in kept]
    done = sum(row["games"] for row in kept.values())
    began = saved = time.monotonic()
    earlier = measured["seconds"], measured["games_played"]

    def note() -> None:
        measured["seconds"] = round(earlier[0] + time.monotonic() - began, 3)
        measured["games_played"] = earlier[1] + sum(r["games"] for r in kept.values()) - done
        measured["games_per_second"] = round(
            measured["games_played"] / max(measured["seconds"], 1e-9), 1
        )

    show.begin(plan.n, done)
    try:
        for row in play_shards(
            plan, missing, folder, jobs=jobs, chunk=chunk, backend=backend, tick=show.tick
        ):
            kept[row["shard"]] = row
            if time.monotonic() - saved > _SAVE_EVERY:
                note()
                store.save(folder, plan, kept, measured)
                saved = time.monotonic()
    except KeyboardInterrupt:
        note()
        measured["stopped"] = "interrupted"
        store.save(folder, plan, kept, measured)
        raise Interrupted(folder, sum(r["games"] for r in kept.values()), plan.n) from None
    finally:
        show.end()
    note()


def _measured(
    before: Mapping[str, Any], jobs: int | None, chunk: int | None, backend: str
) -> dict[str, Any]:
    """Clock data and versions; earlier sittings at the same run are added up."""
    from importlib.metadata import version

    from simulate.jit import versions

    return {
        "began": before.get("began") or time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "seconds": before.get("seconds", 0.0),
        "games_played": before.get("games_played", 0),
        "games_per_second": before.get("games_per_second", 0.0),
        "stopped": "still playing",
        "jobs": jobs or default_jobs(),
        "chunk": chunk,
        "backend": backend,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": {
            **versions(),
            **{name: version(name) for name in ("numpy", "polars", "joblib")},
        },
    }
