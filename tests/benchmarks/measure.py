"""The measurements of the benchmark: each gives lines of (what, value, what is wanted).

Speeds are counted per second of one core's time, so that a busy machine does not slow them down;
the rest is clock time, and the load of the machine stands at the head of the table.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import checksum

ROOT = checksum.ROOT
PEER = "catanatron==3.2.1"
PEER_QUOTED = 29_000  # decisions a second on a quiet core
PEER_SECONDS = 10
SEED = 20_261

PEER_CODE = """
import time
from catanatron import Color, Game, RandomPlayer
colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
plies, began = 0, time.process_time()
while time.process_time() - began < {seconds}:
    game = Game([RandomPlayer(colour) for colour in colours])
    game.play()
    plies += len(game.state.actions)
print(plies / (time.process_time() - began))
"""

START_CODE = """
import time
began = time.perf_counter()
from simulate import registry
from simulate.batch import warm_up
from simulate.request import Request
plan = Request("biathlon", 1, lineup="random", seating="fixed", equal=False).plan()
warm_up(plan)
engine = registry.load("biathlon")
if {all_doors}:
    import simulate
    replay = simulate.replay("biathlon", 0, seed=1, lineup="random")
print(time.perf_counter() - began)
"""

USER_CODE = """
from simulate import rng
from strategies.book import strategy


@strategy(summary="uniform over the options, as the book's own")
def mine(state, rules, work, params, policy, position):
    return rng.below(policy, position, work["n_options"])
"""


class Line(NamedTuple):
    """One line of the table."""

    what: str
    value: str
    wanted: str = ""


class Speed(NamedTuple):
    """How fast a line-up is played, and what was played."""

    asked: float  # questions a second of one core
    games: float
    asked_a_game: float
    checksum: str


Part = Callable[[bool], Iterator[Line]]


# ------------------------------------------------------------------------------- the yardstick
def peer_speed() -> tuple[float, str]:
    """Decisions per second and core of the peer, and whether that was measured or is quoted."""
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
            pip = [str(python), "-m", "pip", "install", "--quiet", PEER]
            subprocess.run(pip, check=True, capture_output=True, timeout=180)
            code = PEER_CODE.format(seconds=PEER_SECONDS)
            run = [str(python), "-c", code]
            done = subprocess.run(run, check=True, capture_output=True, text=True, timeout=180)
            return float(done.stdout), "measured"
        except (subprocess.SubprocessError, OSError, ValueError):
            return float(PEER_QUOTED), "quoted"


# ------------------------------------------------------------------------------- speed
LINE_UPS = (  # game, line-up, games of one repeat, wanted
    ("biathlon", "random", 2000, "at least 100"),
    ("biathlon", "archetypes", 500, "at least 10, 25 to chase"),
    ("skull_canyon", "random", 4000, "at least 70"),
    ("skull_canyon", "archetypes", 500, "at least 10, 25 to chase"),
    ("pistengaudi", "random", 500, "at least 30"),
    ("pistengaudi", "archetypes", 20, "at least 0.5, 2 to chase"),
)


def plan_of(game: str, lineup: str, n: int, **options: Any) -> Any:
    """A fixed plan: four players, the default rules."""
    from simulate.request import Request

    fixed = {"players": 4, "seating": "fixed", "equal": False, "seed": SEED}
    return Request(game, n, **{"lineup": lineup or (), **fixed, **options}).plan()


def speed_of(game: str, lineup: str, games: int, repeats: int = 5, **options: Any) -> Speed:
    """Median speed of some repeats, warm, in this thread; the checksum is that of the first."""
    from simulate.tables import buffers, tables

    plan = plan_of(game, lineup, games, **options)
    scratch = buffers(tables(plan), games)
    told = checksum.of_blocks(plan, scratch, 0, games)
    found = []
    for repeat in range(1, repeats + 1):
        began = time.thread_time()
        checksum.play(plan, scratch, repeat * games, games)
        seconds = time.thread_time() - began
        asked = int(scratch.game_rows["asked"][:games].sum())
        found.append((asked / seconds, games / seconds, asked / games))
    middle = sorted(found)[len(found) // 2]
    return Speed(*middle, told)


def speed(full: bool) -> Iterator[Line]:
    """Asked decisions per second and core, as multiples of the yardstick."""
    peer, how = peer_speed()
    yield Line(f"Catanatron, four random players ({how})", f"{peer:,.0f} plies/s/core")
    for game, line_up, games, wanted in LINE_UPS:
        name = f"{game}, {line_up}"
        lineup = checksum.MIXED[game] if line_up == "archetypes" else line_up
        found = speed_of(game, lineup, games * (5 if full else 1))
        told = f"{found.asked:,.0f} asked/s, {found.games:,.0f} games/s, "
        yield Line(name, f"{told}{found.asked_a_game:.0f} asked a game")
        yield Line(f"{name} / Catanatron", f"{found.asked / peer:.1f} times", wanted)
        yield Line(f"{name}, checksum of what was played", found.checksum[:16])
    yield from look_ahead()


def look_ahead() -> Iterator[Line]:
    """How often Pistengaudi's strategies knew already what they asked of a figure's way."""
    from simulate.tables import buffers, tables

    games = 40
    plan = plan_of("pistengaudi", checksum.MIXED["pistengaudi"], games)
    tally = checksum.play(plan, buffers(tables(plan), games), 0, games)
    for told, asked, known in (
        ("turns to the goal", "etas_asked", "etas_known"),
        ("next moves", "moves_asked", "moves_known"),
    ):
        share = tally[known].sum() / max(tally[asked].sum(), 1)
        yield Line(f"pistengaudi, look-ahead known: {told}", f"{100 * share:.0f} %")


# ------------------------------------------------------------------------------- records
def records(full: bool) -> Iterator[Line]:
    """Cost of rows and shards as a share of a run, and bytes a game."""
    for name, lineup, games, wanted in (
        ("random", "random", 32_768, "at most 35 %"),
        ("default", "", 8_192, "at most 15 %"),
    ):
        plan = plan_of(
            "biathlon", lineup, games, **({} if lineup else {"seating": "rotate", "equal": True})
        )
        alone, whole, size = _with_and_without_records(plan)
        share = max(0.0, 1 - alone / whole)
        yield Line(f"{name} line-up, rows and shards", f"{100 * share:.1f} % of the run", wanted)
        yield Line(f"{name} line-up, on disk", f"{size / plan.n:.0f} bytes a game", "at most 600")


def _with_and_without_records(plan: Any) -> tuple[float, float, int]:
    """Processor seconds of playing alone and of a whole run in one thread; bytes of its files."""
    from simulate import runner
    from simulate.batch import default_chunk

    chunk = default_chunk(plan)
    alone = _playing(plan)
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("games", "seats", "tallies"):
            (Path(folder) / kind).mkdir()
        began = time.process_time()
        for shard in range(plan.shards):
            runner.play_shard(plan, shard, folder, chunk)
        whole = time.process_time() - began
        size = sum(file.stat().st_size for file in Path(folder).rglob("*.parquet"))
    return alone, whole, size


# ------------------------------------------------------------------------------- scaling, memory
def jobs(full: bool) -> Iterator[Line]:
    """Two jobs against one, clock time of whole runs in shards of equal size."""
    import simulate
    from simulate import plan as plans

    before, plans.SHARD_GAMES = plans.SHARD_GAMES, 4096
    try:
        seconds = []
        for number in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                simulate.run(
                    "biathlon", 65_536 if full else 32_768, out=Path(folder) / "run", jobs=number,
                    lineup="random", seating="fixed", equal=False, seed=SEED,
                )  # fmt: skip
                seconds.append(time.perf_counter() - began)
    finally:
        plans.SHARD_GAMES = before
    cores = len(os.sched_getaffinity(0))
    load = f"{cores} cores, load {os.getloadavg()[0]:.1f}"
    yield Line(f"two jobs against one ({load})", f"{seconds[0] / seconds[1]:.2f} times",
               "at least 1.8")  # fmt: skip


def memory(full: bool) -> Iterator[Line]:
    """Peak memory of a short and a long run, each a process of its own; the report of the short."""
    short, long = (10**6, 10**7) if full else (65_536, 262_144)
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        for number in (short, long):
            out = Path(folder) / str(number)
            command = ["run", "--game", "biathlon", "--n", str(number), "--lineup", "random"]
            peaks.append(_peak([*command, "--no-report", "--out", str(out)]))
            yield Line(f"peak memory of {number:,} games", f"{peaks[-1] / 1024:.0f} MB")
            if number == long:
                shutil.rmtree(out)
        yield Line("long run / short run", f"{peaks[1] / peaks[0]:.2f} times", "at most 1.1")
        seconds = _seconds(_command("report", str(Path(folder) / str(short))))
        wanted = "at most 15 s" if full else "(at most 15 s for 1,000,000: --full)"
        yield Line(f"report of {short:,} games", f"{seconds:.1f} s", wanted)


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "simulate", *words]


def _environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def _peak(words: list[str]) -> int:
    """Peak resident memory in KiB of a command."""
    child = subprocess.Popen(
        _command(*words), env=_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {child.returncode}")
    return int(usage.ru_maxrss)


def _seconds(command: list[str], **environment: str) -> float:
    """Clock time of a command."""
    began = time.perf_counter()
    subprocess.run(command, check=True, env=_environment(**environment), capture_output=True)
    return time.perf_counter() - began


# ------------------------------------------------------------------------------- a sweep
def sweep(full: bool) -> Iterator[Line]:
    """A sweep of 20 values in one pass against the game time of 20 single runs (``--full``)."""
    what = "sweep of 20 values against 20 runs' game time"
    if not full:
        yield Line(what, "not measured: --full", "below 1.3")
        return
    import simulate

    games = 20_000
    key, values = "range.lap_length", range(1, 21)
    alone = sum(_playing(plan_of("random", games, set={key: value})) for value in values)
    batch = plan_of("random", games).open_engine().play.play_batch
    missed = sum(batch.stats.cache_misses.values())
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        swept = simulate.sweep(
            "biathlon", {key: list(values)}, n=games, lineup="random", players=4, seating="fixed", seed=SEED,
            out=Path(folder) / "sweep", jobs=1, report=False, progress=False,
        )  # fmt: skip
        whole = time.process_time() - began
        pass_alone = _playing(swept.run.plan)
    missed = sum(batch.stats.cache_misses.values()) - missed
    yield Line("20 single runs, playing alone", f"{alone:.1f} s of one core, {20 * games:,} games")
    yield Line("one sweep, rows, shards and numbers included", f"{whole:.1f} s of one core")
    yield Line("compiled for it", f"{missed} entries", "0")
    yield Line("one sweep, playing alone", f"{pass_alone:.1f} s of one core")
    yield Line(what, f"{pass_alone / alone:.2f}", "below 1.3")
    yield Line("the same, rows, shards and numbers included", f"{whole / alone:.2f}")


def _playing(plan: Any) -> float:
    """Processor seconds of playing a plan in this thread, warm, without records."""
    from simulate.batch import default_chunk, pieces
    from simulate.tables import tables

    chunk = default_chunk(plan)
    tally = checksum.np.zeros(plan.k, dtype=tables(plan).engine.state.TALLY)
    for _ in pieces(plan, 0, 1, chunk, tally):
        pass
    began = time.process_time()
    for shard in range(plan.shards):
        for _ in pieces(plan, *plan.shard_range(shard), chunk, tally):
            pass
    return time.process_time() - began


# ------------------------------------------------------------------------------- starting
def starting(full: bool) -> Iterator[Line]:
    """Help, warm start, and with ``--full`` the first compile in an empty cache."""
    helps = [_seconds(_command("--help")) for _ in range(5)]
    yield Line("simulate --help, median of 5", f"{statistics.median(helps):.2f} s", "at most 0.5 s")
    warm = [sys.executable, "-c", START_CODE.format(all_doors=False)]
    _seconds(warm)
    starts = [_seconds(warm) for _ in range(3)]
    yield Line("warm start to the first game, median of 3", f"{statistics.median(starts):.2f} s",
               "at most 2 s")  # fmt: skip
    if full:
        with tempfile.TemporaryDirectory() as folder:
            cold = [sys.executable, "-c", START_CODE.format(all_doors=True)]
            seconds = _seconds(cold, NUMBA_CACHE_DIR=folder)
        yield Line("first compile, all entries, empty cache", f"{seconds:.0f} s", "at most 60 s")


def user_strategy(full: bool) -> Iterator[Line]:
    """A user's copy of ``random`` against the book's (compiles, so with ``--full`` only)."""
    if not full:
        yield Line("a user's strategy against a built-in", "not measured: --full", "at least 0.9")
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mine.py"
        file.write_text(USER_CODE, encoding="utf-8")
        mine = speed_of("biathlon", "mine", 2000, strategy_file=file)
        own = speed_of("biathlon", "random", 2000)
    same = "same games" if mine.checksum == own.checksum else "other games"
    yield Line(f"a user's strategy against a built-in ({same})", f"{mine.asked / own.asked:.2f}",
               "at least 0.9")  # fmt: skip


PARTS: dict[str, Part] = {
    "speed": speed,
    "records": records,
    "jobs": jobs,
    "memory": memory,
    "sweep": sweep,
    "starting": starting,
    "user": user_strategy,
}


def as_json(lines: list[Line]) -> str:
    """The table as data."""
    return json.dumps([line._asdict() for line in lines], indent=1)
