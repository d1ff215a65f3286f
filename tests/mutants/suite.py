"""What must notice a slip: scripted cases, checks of setup and end, games that the twin followed.

A *probe* is one of them: it runs the engine and raises when something is not as it must be. The
probes are tried once on the rules as they are, which tells how long each takes and which lines of
the kernels it runs: a slip is shown only to the probes that run its line.
"""

from __future__ import annotations

import hashlib
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
from simulate import registry, rules
from simulate.games.biathlon import entries, words

TESTS = Path(__file__).parents[1]
GAME_TESTS = TESTS / "games" / "biathlon"
LAYOUTS = ("mini_one", "mini_one", "starter", "hilly_short")
CASE, CHECK, TWIN, ROWS = "case", "check", "twin", "rows"
BASE_PATIENCE = 1.0  # seconds of the processor that any probe may take
PATIENCE = 5  # times as long as on the rules as they are


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
        """Processor seconds after which the probe has noticed: it comes to no end."""
        return BASE_PATIENCE + PATIENCE * self.seconds


def probes(games: int, files: set[str]) -> tuple[list[Probe], int]:
    """All probes that pass on the rules as they are, and how many do not.

    Those of the fewest lines come first within each kind.
    """
    _keep_rules()
    kept = _Kept(files, games)
    passed, failed = [], 0
    for probe in [*_cases(), *_checks(), *_games(games)]:
        try:
            kept.fill(probe)
        except Exception as error:
            print(f"left out, as it fails on the rules as they are: {probe.name}: {error}")
            failed += 1
        else:
            passed.append(probe)
    kept.save()
    order = {CASE: 0, TWIN: 1, CHECK: 2, ROWS: 3}
    passed.sort(key=lambda probe: (order[probe.kind], len(probe.lines), probe.seconds))
    return passed, failed


def _try_out(probe: Probe, files: set[str]) -> None:
    """Run a probe once: its time, and the lines of ``files`` that it runs."""
    lines: set[tuple[str, int]] = set()

    def line(frame: FrameType, event: str, _: Any) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename in files else None

    began = time.process_time()
    sys.settrace(call)
    try:
        probe.run()
    finally:
        sys.settrace(None)
    probe.seconds = time.process_time() - began
    probe.lines = {(Path(file).name, number) for file, number in lines}


class _Kept:
    """Times and lines of probes, kept in the cache folder while no source changes."""

    def __init__(self, files: set[str], games: int) -> None:
        self.files = files
        sources = [*files, *map(str, GAME_TESTS.rglob("*.*")), __file__]
        sources += map(str, (TESTS / "reference").glob("*.py"))
        digest = hashlib.sha256(str(games).encode())
        for source in sorted(sources):
            if Path(source).suffix in (".py", ".json"):
                digest.update(Path(source).read_bytes())
        self.file = registry.cache_root() / f"mutants-{digest.hexdigest()[:16]}.json"
        self.known: dict[str, Any] = {}
        if self.file.is_file():
            self.known = json.loads(self.file.read_text(encoding="utf-8"))

    def fill(self, probe: Probe) -> None:
        """Give a probe its time and lines; raises what the probe raises."""
        key = f"{probe.kind} {probe.name}".replace(ROWS, TWIN, 1)
        if key not in self.known:
            _try_out(probe, self.files)
            self.known[key] = [probe.seconds, sorted(probe.lines)]
        probe.seconds, lines = self.known[key]
        probe.lines = {(file, number) for file, number in lines}

    def save(self) -> None:
        """Write them down for the next time."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.known), encoding="utf-8")


def _keep_rules() -> None:
    """Files are read once: neither the rules as data nor the folders are what is changed."""
    registry.load = lru_cache(maxsize=None)(registry.load)
    registry.folder = lru_cache(maxsize=None)(registry.folder)
    load = rules.load

    @lru_cache(maxsize=None)
    def kept(told: str) -> Any:
        given, named = json.loads(told)
        return load(*given, **named)

    def remembered(*given: Any, **named: Any) -> Any:
        return kept(json.dumps([given, named]))

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
    """The test functions of setup, end and records, once for each set of their parameters."""
    for name in ("test_setup", "test_records"):
        module = _module(f"biathlon_{name}", GAME_TESTS / f"{name}.py")
        for test, function in vars(module).items():
            if test.startswith("test_") and callable(function):
                for values in _parameters(function):
                    told = " ".join(str(value) for value in values.values())
                    yield Probe(CHECK, f"{test} {told}".strip(), partial(function, **values))


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
    hooks: list[dict[str, int]]  # by seat: what an experiment forces or grants
    asked: list[tuple[int, int, tuple[int, ...], int, bytes]] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    rows: bytes = b""


EVENTS = 16_384  # more than any recorded game has
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
    players = (3, 4, 2, 5, 4)[number % 5]
    game = Recorded(overrides, players, number, coin.randrange(50), _hooks(coin, number))
    resolved = rules.load("biathlon", overrides=overrides)
    record, vocabularies = resolved.record[0], resolved.vocabularies
    state, work, events = _begin(game, record)

    def answer(seat: int, question: str, options: list[str], _: Any) -> str:
        mine = words.options(state, record, work, vocabularies)
        if mine != options or int(state["to_move"]) != seat:
            raise AssertionError(f"the twin offers {options}, the engine {mine}")
        index = coin.randrange(len(options))
        game.asked.append(_question(state, work, index))
        entries.apply(state, record, work, events, int(work["options"][index]))
        return options[index]

    hooks = dict(enumerate(game.hooks))
    twin = twin_tests.reference.Twin(
        twin_tests._twin_rules(resolved), players, number, game.block, hooks
    )
    ranks = twin.play(answer)["rank"]
    game.result, game.rows = _end(state, record, events)
    if game.result[-len(ranks) :] != ranks:
        raise AssertionError(f"the twin ranks {ranks}, the engine {game.result}")
    return game


def _hooks(coin: random.Random, number: int) -> list[dict[str, int]]:
    """What every second game forces or grants, by seat."""
    if number % 2 == 0:
        return [{} for _ in range(5)]
    pool: list[dict[str, int]] = [
        {"no_draft": 1, "stamina_delta": 1},
        {"no_slide": 1, "free_entry": 1, "stamina_delta": -2},
        {"no_sprint": 1, "hit_range": -1},
        {"token_block": 7, "hit_range": 1},
        {"wax_from_round": 5, "no_own_draft": 1, "dice_shift": 1, "shot_shift": 1},
    ]
    coin.shuffle(pool)
    return pool


records = _module("biathlon_records_tests", GAME_TESTS / "test_records.py")


def _begin(game: Recorded, record: Any) -> tuple[Any, Any, Any]:
    """State, scratch and events of a recorded game at its first question."""
    state, work, events = records.used_state(), entries.new_work(), entries.new_events(EVENTS)
    treatments = entries.no_treatments()
    for seat, hooks in enumerate(game.hooks):
        for name, value in hooks.items():
            treatments[seat][name] = value
    entries.start(state, record, work, events, treatments, game.players, game.root, game.block)
    return state, work, events


def _question(state: Any, work: Any, index: int) -> tuple[int, int, tuple[int, ...], int, bytes]:
    options = tuple(int(code) for code in work["options"][: int(work["n_options"])])
    position = b"".join(state[name][: int(state["n_seats"])].tobytes() for name in POSITION)
    return int(state["phase"]), int(state["to_move"]), options, index, position


def _end(state: Any, record: Any, events: Any) -> tuple[list[float], bytes]:
    """What the twin knows of the end; all rows, and the event log, as bytes."""
    rows, seats = entries.new_rows()
    entries.finish(state, record, rows, seats)
    seats = seats[: int(state["n_seats"])]
    known = ("rounds_total", "drafts", "draft_steps", "slides", "entries_paid", "collapses")
    result = [
        float(state["over"]),
        float(state["to_move"]),
        *(float(rows[0][name]) for name in known),
    ]
    result += [float(rank) for rank in seats["rank"]]
    told = events[: int(state["n_events"])].tobytes()
    return result, rows.tobytes() + seats.tobytes() + state["tally"].tobytes() + told


def _play_again(game: Recorded, *, with_rows: bool) -> None:
    """Meet the same questions, positions and result; with the rows, the same rows too."""
    record = rules.load("biathlon", overrides=game.overrides).record[0]
    state, work, events = _begin(game, record)
    for met in game.asked:
        if not with_rows and _question(state, work, met[3]) != met:
            raise AssertionError(f"round {state['round']}: another question or position")
        entries.apply(state, record, work, events, int(work["options"][met[3]]))
    result, rows = _end(state, record, events)
    if with_rows and rows != game.rows:
        raise AssertionError("another row")
    if not with_rows and result != game.result:
        raise AssertionError("another result")
