"""Options that several commands share."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer


class Records(StrEnum):
    """What a run keeps."""

    full = "full"
    summary = "summary"


class Seating(StrEnum):
    """Who sits where."""

    rotate = "rotate"
    fixed = "fixed"
    random = "random"


class Backend(StrEnum):
    """Who plays the shards."""

    threads = "threads"
    loky = "loky"
    dask = "dask"


class Format(StrEnum):
    """How a game is told."""

    text = "text"
    jsonl = "jsonl"


def option(*names: str, help: str, **more: Any) -> Any:  # noqa: A002 - typer's word
    """An option whose default its help tells, or nobody."""
    return typer.Option(*names, help=help, show_default=more.pop("show_default", False), **more)


Game = Annotated[str, option("--game", "-g", help="Game: see `simulate games`.")]
GameArgument = Annotated[
    str, typer.Argument(help="Game: see `simulate games`.", show_default=False)
]
N = Annotated[str, option("--n", "-n", help="Games: 1e6, 250k, 2M, 1_000_000.")]
Players = Annotated[str | None, option("--players", "-p", help="A count, a list (3,4) or all.")]
Lineup = Annotated[
    list[str] | None,
    option(
        "--lineup",
        "--strategies",
        help="Who plays: pacer,finisher:stam=1.1,random*2 or mix(a|b)*4. Once a player count.",
    ),
]
StrategyFile = Annotated[
    Path | None, option("--strategy-file", help="A Python file with strategies of your own.")
]
Nations = Annotated[
    str | None,
    option(
        "--nations", help="Who races: basic, advanced, mixed, or names; for games with nations."
    ),
]
Layout = Annotated[
    str | None,
    option("--course", "--board", "--setup", help="Course, board or set-up; several with commas."),
]
SeatingOption = Annotated[
    Seating, option("--seating", help="rotate: every rotation plays the same dice (default).")
]
Set = Annotated[list[str] | None, option("--set", help="Change a rule: range.lap_length=4.")]
RulesFiles = Annotated[
    list[Path] | None, option("--rules", help="A TOML file laid over the rules.")
]
Variant = Annotated[
    list[str] | None,
    option("--variant", help="An overlay that ships: see `simulate rules GAME --variants`."),
]
Seed = Annotated[int, option("--seed", "-s", help="Root seed.", show_default=True)]
Jobs = Annotated[
    int | None, option("--jobs", "-j", help="Workers; all cores by default.", min=1, max=1024)
]
Chunk = Annotated[int | None, option("--chunk", help="Blocks between two looks at Ctrl-C.", min=1)]
BackendOption = Annotated[Backend, option("--backend", help="Who plays: threads, loky, dask.")]
Out = Annotated[Path | None, option("--out", "-o", help="Folder; runs/… by default.")]
Report = Annotated[
    bool, option("--report/--no-report", help="Write the report at the end (default).")
]


Measures = Annotated[
    list[str] | None,
    option("--measure", help="Columns to compare; the headline ones and all others by default."),
]
Margin = Annotated[
    list[str] | None,
    option(
        "--margin",
        help="What is too small to matter: 1pp of shares (default), 2% of other numbers (default), "
        "or rounds=0.3.",
    ),
]


def polars_threads(jobs: int | None) -> None:
    """A pool with one thread a worker: whoever writes waits for it, so cores are never oversold.

    Must be said before Polars is imported; the bytes that are written do not depend on it.
    """
    from simulate.cores import default_jobs

    os.environ.setdefault("POLARS_MAX_THREADS", str(jobs or default_jobs()))
