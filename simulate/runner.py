"""Plays a plan's shards on all workers. Knows no game.

Shard s holds blocks s x B … (s+1) x B - 1 with B = 65,536 // k. The worker that plays a shard also
turns its rows into frames and writes its files, whole or not at all. A file depends on the plan and
the shard's blocks alone: not on jobs, chunk, backend, kills or extensions.

Workers are joblib threads: compiled games release the GIL. ``play_shard`` is picklable, so another
backend (``loky``, ``dask``) runs the same function; it then reads the machine code from the cache
that ``warm_up`` filled in the parent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from simulate import shards, summary
from simulate.batch import CONTROL, default_chunk, piece_blocks, warm_up
from simulate.cores import default_jobs
from simulate.errors import PlanError
from simulate.plan import Plan

BACKENDS = ("threads", "loky", "dask")


def play_shard(plan: Plan, shard: int, folder: str, chunk: int) -> dict[str, Any]:
    """Play one shard and write its files; its row for run.json."""
    first, blocks = plan.shard_range(shard)
    make = summary.make if plan.records == "summary" else shards.make
    with CONTROL.working():
        return shards.write(plan, shard, Path(folder), make(plan, first, blocks, chunk))


def play_shards(
    plan: Plan,
    wanted: Iterable[int],
    folder: Path,
    *,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    tick: Callable[[int], None] | None = None,
) -> Iterator[dict[str, Any]]:
    """Play shards on all workers; yields their rows as they are finished, in any order.

    Leaving the iteration (Ctrl-C, an error) stops the workers at their next chunk; shards that they
    had not finished leave no file.
    """
    import joblib

    todo = list(wanted)
    if not todo:
        return
    warm_up(plan)
    chunk = min(chunk or default_chunk(plan), piece_blocks(plan))
    work = (joblib.delayed(play_shard)(plan, shard, str(folder), chunk) for shard in todo)
    CONTROL.start(tick)
    try:
        with joblib.parallel_config(**_backend(backend, jobs or default_jobs())):
            parallel = joblib.Parallel(
                return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs"
            )
            for row in parallel(work):
                if backend != "threads" and tick is not None:
                    tick(row["games"])
                yield row
    finally:
        CONTROL.end()


def check_backend(name: str) -> None:
    """PlanError when a backend cannot be used here."""
    if name not in BACKENDS:
        raise PlanError(f"There is no backend '{name}'. Backends: {', '.join(BACKENDS)}.")
    if name == "dask" and find_spec("distributed") is None:
        raise PlanError("--backend dask needs the extra 'cluster' (dask, distributed).")


def _backend(name: str, jobs: int) -> dict[str, Any]:
    """Arguments of joblib.parallel_config for a backend."""
    return {"backend": "threading" if name == "threads" else name, "n_jobs": jobs}
