"""What must notice a slip: scripted cases, checks of setup and end, games that the twin followed.

A *probe* is one of them: it runs the engine and raises when something is not as it must be. The
probes are tried once on the rules as they are, which tells how long each takes and which lines of
the kernels it runs: a slip is shown only to the probes that run its line.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import simulate
from simulate import rules
from simulate.games.biathlon import entries

TESTS = Path(__file__).parents[1]
GAME_TESTS = TESTS / "games" / "biathlon"
LAYOUTS = ("mini_one", "mini_one", "starter", "hilly_short")
CASE, CHECK, TWIN, ROWS = "case", "check", "twin", "rows"
BASE_PATIENCE = 3.0  # seconds that any probe may take
PATIENCE = 15  # times as long as on the rules as they are


@dataclass
class Probe:
    """Something that runs the engine and raises when the rules are broken."""

    kind: str
    name: str
    run: Callable[[], None]
    seconds: float = 0.0
    lines: set[tuple[str, int]] = field(default_factory=set)

    @property
    def patience(self) -> float:
        """Seconds after which the probe has noticed: it does not come to an end."""
        return BASE_PATIENCE + PATIENCE * self.seconds


def probes(games: int, files: set[str]) -> list[Probe]:
    """All probes that pass on the rules as they are, cheapest first within each kind."""
    _keep_rules()
    found = [*_cases(), *_checks(), *_games(games)]
    for probe in found:
        _try_out(probe, files)
    order = {CASE: 0, CHECK: 1, TWIN: 2, ROWS: 3}
    return sorted(found, key=lambda probe: (order[probe.kind], probe.seconds))


def _try_out(probe: Probe, files: set[str]) -> None:
    """Run a probe once: its time, and the lines of ``files`` that it runs."""
    began = time.perf_counter()
    probe.run()
    probe.seconds = time.perf_counter() - began
    lines: set[tuple[str, int]] = set()

    def line(frame: FrameType, event: str, _: Any) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename in files else None

    sys.settrace(call)
    try:
        probe.run()
    finally:
        sys.settrace(None)
    probe.lines = {(Path(file).name, number) for file, number in lines}


def _keep_rules() -> None:
    """Rules are read once for each set of overrides: the rules as data are not what is changed."""
    load = rules.load

    @lru_cache(maxsize=None)
    def kept(game: str, told: str) -> Any:
        return load(game, overrides=json.loads(told))

    def remembered(game: str, *_: Any, overrides: Any = ()) -> Any:
        return kept(game, json.dumps(overrides))

    rules.load = remembered  # type: ignore[assignment]


# ------------------------------------------------------------------------------- cases
def _cases() -> Iterator[Probe]:
    for file in sorted((GAME_TESTS / "cases").glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            yield Probe(CASE, f"{file.stem} {case['id']}", partial(_play_case, case))


def _play_case(case: dict[str, Any]) -> None:
    differences = simulate.script(case).differences
    if differences:
        raise AssertionError(differences[0])


# ------------------------------------------------------------------------------- checks
def _checks() -> Iterator[Probe]:
    """The test functions of setup and game end, once for each set of their parameters."""
    module = _module("biathlon_setup_tests", GAME_TESTS / "test_setup.py")
    for name, function in vars(module).items():
        if name.startswith("test_") and callable(function):
            for values in _parameters(function):
                told = " ".join(str(value) for value in values.values())
                yield Probe(CHECK, f"{name} {told}".strip(), partial(function, **values))


def _parameters(function: Any) -> Iterator[dict[str, Any]]:
    """Arguments of a test function from its parametrize marks."""
    axes = []
    for mark in getattr(function, "pytestmark", []):
        if mark.name == "parametrize":
            names, rows = mark.args
            names = [n.strip() for n in names.split(",")] if isinstance(names, str) else names
            axes.append([dict(zip(names, _row(row, names), strict=True)) for row in rows])
    for chosen in itertools.product(*axes):
        yield {key: value for part in chosen for key, value in part.items()}


def _row(row: Any, names: Any) -> Any:
    return row if len(names) > 1 else (row,)


def _module(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# ------------------------------------------------------------------------------- games
@dataclass
class Recorded:
    """A game of random answers that the slow twin followed to its end."""

    overrides: list[str]
    players: int
    root: int
    block: int
    asked: list[tuple[int, int, tuple[int, ...], int, bytes]] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    rows: bytes = b""


POSITION = (
    "status", "row", "lane", "penalty", "cols", "stars", "sprint", "stamina", "left", "right",
    "slots", "shots_made", "miss", "owed", "nation",
)  # fmt: skip


def _games(count: int) -> Iterator[Probe]:
    """Games that the twin followed, as two probes each: the race, and its rows."""
    twin_tests = _module("biathlon_twin_tests", GAME_TESTS / "test_twin.py")
    for number in range(count):
        game = _record(twin_tests, number)
        told = f"{number}: {game.players} players, {game.overrides[0]}"
        yield Probe(TWIN, told, partial(_play_again, game, with_rows=False))
        yield Probe(ROWS, told, partial(_play_again, game, with_rows=True))


def _record(twin_tests: ModuleType, number: int) -> Recorded:
    """Play a game with the twin beside it, and remember every question and position."""
    coin = random.Random(number)
    overrides = twin_tests._overrides(coin, switches=number % 2 > 0)
    overrides[0] = f"course.layout={LAYOUTS[number % len(LAYOUTS)]}"
    game = Recorded(overrides, (3, 4, 2, 5, 4)[number % 5], number, coin.randrange(50))

    def choose(state: Any, _: Any, work: Any, seat: int) -> int:
        index = coin.randrange(int(work["n_options"]))
        game.asked.append(_question(state, work, index))
        return index

    twin_tests._play_both(game.overrides, game.players, game.root, game.block, choose)
    _, game.result, game.rows = _play(game, check=False)
    return game


def _question(state: Any, work: Any, index: int) -> tuple[int, int, tuple[int, ...], int, bytes]:
    options = tuple(int(code) for code in work["options"][: int(work["n_options"])])
    position = b"".join(state[name][: int(state["n_seats"])].tobytes() for name in POSITION)
    return int(state["phase"]), int(state["to_move"]), options, index, position


def _play(game: Recorded, *, check: bool) -> tuple[Any, list[float], bytes]:
    """Play the recorded answers; the end, what the twin knows of it, and all rows."""
    record = rules.load("biathlon", overrides=game.overrides).record[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    none = entries.no_treatments()
    entries.start(state, record, work, events, none, game.players, game.root, game.block)
    for met in game.asked:
        if check and _question(state, work, met[3]) != met:
            raise AssertionError(f"round {state['round']}: another question or position")
        entries.apply(state, record, work, events, int(work["options"][met[3]]))
    rows, seats = entries.new_rows()
    entries.finish(state, record, rows, seats)
    seats = seats[: int(state["n_seats"])]
    known = ("rounds_total", "drafts", "draft_steps", "slides", "entries_paid", "collapses")
    result = [float(state["over"]), *(float(rows[0][name]) for name in known)]
    result += [float(rank) for rank in seats["rank"]]
    plain = rows.tobytes() + seats.tobytes() + state["tally"].tobytes()
    return state, result, plain


def _play_again(game: Recorded, *, with_rows: bool) -> None:
    """Meet the same questions, positions and result; with the rows, the same rows too."""
    _, result, rows = _play(game, check=not with_rows)
    if with_rows and rows != game.rows:
        raise AssertionError("another row")
    if not with_rows and result != game.result:
        raise AssertionError("another result")
