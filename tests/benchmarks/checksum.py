"""A checksum of what was played: the records of a plan, field by field.

    python tests/benchmarks/checksum.py              the checksums of the small plans
    python tests/benchmarks/checksum.py --update     write them down as the ones to expect

A speed-up that changes a game changes the checksum. Fields are hashed one by one under their names,
so that padding between them does not count.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

EXPECTED = HERE / "checksums.json"
ARCHETYPES = {
    "biathlon": "pacer|marksman|front_runner|drafter|finisher|blocker|builder|opportunist",
    "skull_canyon": "groomer|racer|expert_hunter|claim_jumper|avalanche_maker|socialite|gear_baron|"
    "weather_reader|all_rounder",
    "pistengaudi": "racer|careful_skier|road_builder|spoiler|snow_thrower|groomer_driver|"
    "slipstreamer|finisher|all_rounder",
}
MIXED = {game: f"mix({names})*4" for game, names in ARCHETYPES.items()}
SEED = 4_711

MINI = {"layout": "mini_one"}
# Plans so small that plain Python plays them in seconds.
SMALL: dict[str, dict[str, Any]] = {
    "biathlon: random, 4 players": {"lineup": "random", "players": 4, "n": 6, **MINI},
    "biathlon: random, 2 players, advanced nations": {
        "lineup": "random", "players": 2, "n": 4, "nations": "advanced", **MINI,
    },
    "biathlon: plain, 5 players": {"lineup": "plain", "players": 5, "n": 2, **MINI},
    "biathlon: archetypes, 4 players": {"lineup": MIXED["biathlon"], "players": 4, "n": 2, **MINI},
    "skull_canyon: random, 4 players": {"lineup": "random", "players": 4, "n": 6},
    "skull_canyon: plain, 2 players": {"lineup": "plain", "players": 2, "n": 4},
    "skull_canyon: archetypes, 3 players": {"lineup": "gear_baron,racer,socialite", "players": 3, "n": 2},
    "pistengaudi: random, 6 players": {"lineup": "random", "players": 6, "n": 3},
    "pistengaudi: near_builder, 2 players": {"lineup": "near_builder", "players": 2, "n": 2},
    "pistengaudi: archetypes, 3 players": {"lineup": "racer,spoiler,finisher", "players": 3, "n": 1},
}  # fmt: skip


def small_checksums() -> dict[str, str]:
    """Name of each small plan to the checksum of its records."""
    from simulate.request import Request
    from simulate.tables import buffers, tables

    found = {}
    for name, options in SMALL.items():
        game = name.split(":", 1)[0]
        plan = Request(game, seed=SEED, seating="fixed", equal=False, **options).plan()
        scratch = buffers(tables(plan), plan.blocks)
        found[name] = of_blocks(plan, scratch, 0, plan.blocks)
    return found


def of_blocks(plan: Any, scratch: Any, first: int, blocks: int) -> str:
    """Play blocks of a plan and give the checksum of their records."""
    play(plan, scratch, first, blocks)
    return of_rows(plan, scratch, blocks)


def play(plan: Any, scratch: Any, first: int, blocks: int) -> Any:
    """Play blocks of a plan into the rows of ``scratch``; the tallies, a record a cell."""
    from simulate.batch import play_blocks
    from simulate.tables import tables

    table = tables(plan)
    tally = np.zeros(plan.k, dtype=table.engine.state.TALLY)
    play_blocks(plan, table, scratch, first, blocks, tally)
    return tally


def of_rows(plan: Any, scratch: Any, blocks: int) -> str:
    """Checksum of the rows of the blocks played last."""
    from simulate.tables import tables

    seats = blocks * tables(plan).seats_per_block
    digest = hashlib.sha256()
    for rows in (scratch.game_rows[: blocks * plan.k], scratch.seat_rows[:seats]):
        for name in rows.dtype.names:
            digest.update(name.encode() + b"\0")
            digest.update(np.ascontiguousarray(rows[name]).tobytes())
    return digest.hexdigest()


def main() -> int:
    """Print the checksums; with --update write them down."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--update", action="store_true", help="these are the ones to expect")
    given = parser.parse_args()
    if given.update and os.environ.get("CI"):
        print("--update is refused where CI is set: a change of what is played is a decision.")
        return 1
    found = small_checksums()
    print("\n".join(f"{digest[:16]}  {name}" for name, digest in found.items()))
    if given.update:
        EXPECTED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
