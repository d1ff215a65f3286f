"""What must notice a slip: scripted cases, checks of setup and end, recorded games.

A *probe* is one of them: it runs the engine and raises when something is not as it must be. The
probes are tried once on the rules as they are, which tells how long each takes and which lines of
the kernels it runs: a slip is shown only to the probes that run its line. That the recorded games
themselves follow the rules is what the slow twins prove, in the tests.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from subjects import TESTS, Setting, Subject, module_of

import simulate
from simulate import registry, rules

CASE, CHECK, GAME, ROWS = "case", "check", "game", "rows"
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


def probes(subject: Subject, games: int, files: set[str]) -> tuple[list[Probe], int]:
    """All probes that pass on the rules as they are, and how many do not.

    Those of the fewest lines come first within each kind.
    """
    _keep_rules()
    kept = _Kept(subject, files, games)
    passed, failed = [], 0
    for probe in [*_cases(subject), *_checks(subject), *_games(subject, games)]:
        try:
            kept.fill(probe)
        except Exception as error:
            print(f"left out, as it fails on the rules as they are: {probe.name}: {error}")
            failed += 1
        else:
            passed.append(probe)
    kept.save()
    order = {CASE: 0, GAME: 1, CHECK: 2, ROWS: 3}
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

    def __init__(self, subject: Subject, files: set[str], games: int) -> None:
        self.files = files
        sources = [*files, *map(str, subject.tests.rglob("*.*"))]
        sources += map(str, Path(__file__).parent.glob("*.py"))
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
        key = f"{probe.kind} {probe.name}".replace(ROWS, GAME, 1)
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
def _cases(subject: Subject) -> Iterator[Probe]:
    for file in sorted((subject.tests / "cases").glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            yield Probe(CASE, f"{file.stem} {case['id']}", partial(_play_case, case))


def _play_case(case: dict[str, Any]) -> None:
    differences = simulate.script(case).differences
    if differences:
        raise AssertionError(differences[0])


# ------------------------------------------------------------------------------- checks
def _checks(subject: Subject) -> Iterator[Probe]:
    """The test functions of some files, once for each set of their parameters."""
    for name in subject.checks:
        for test, function in vars(module_of(subject.game, name)).items():
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


# ------------------------------------------------------------------------------- games
Question = tuple[int, int, tuple[int, ...], int, bytes]
EVENTS = 16_384  # more than any recorded game has
GARBAGE = 3  # every byte of a state that was used before
ROOT = 20_261


@dataclass
class Recorded:
    """A game of random answers: every question and position, the result and the rows."""

    subject: Subject
    setting: Setting
    number: int
    asked: list[Question] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    rows: bytes = b""


def _games(subject: Subject, count: int) -> Iterator[Probe]:
    """Recorded games, as two probes each: the game, and its rows."""
    for number, setting in enumerate(subject.settings(count)):
        game = _record(Recorded(subject, setting, number))
        told = f"{number}: {setting.players} players, {setting.told}"
        yield Probe(GAME, told, partial(_play_again, game, with_rows=False))
        yield Probe(ROWS, told, partial(_play_again, game, with_rows=True))


class _Table:
    """The engine with one of the recorded games on it, at its first question."""

    def __init__(self, game: Recorded) -> None:
        self.game = game
        self.entries = registry.load(game.subject.game).entries
        if game.setting.begun is not None:
            self.events = self.entries.new_events(EVENTS)
            self.state, self.record, self.work = game.setting.begun()[:3]
            self.entries.resume(self.state, self.record, self.work, self.events)
            return
        state_module = registry.load(game.subject.game).game.module("state")
        dtype = state_module.STATE
        self.state = np.full(dtype.itemsize, GARBAGE, np.uint8).view(dtype)[0]
        self.work, self.events = self.entries.new_work(), self.entries.new_events(EVENTS)
        self.record = rules.load(game.subject.game, overrides=game.setting.overrides).record[0]
        treatments = self.entries.no_treatments()
        for seat, hooks in enumerate(game.setting.hooks[: len(treatments)]):
            for name, value in hooks.items():
                treatments[seat][name] = value
        self.entries.start(
            self.state, self.record, self.work, self.events, treatments, game.setting.players, ROOT,
            game.number,
        )  # fmt: skip

    @property
    def over(self) -> bool:
        return bool(self.state["over"])

    def question(self, index: int) -> Question:
        """Who is asked what, the options, the one taken, the position."""
        options = tuple(int(code) for code in self.work["options"][: int(self.work["n_options"])])
        position = b"".join(
            np.ascontiguousarray(self.state[name]).tobytes() for name in self.game.subject.position
        )
        return int(self.state["phase"]), int(self.state["to_move"]), options, index, position

    def answer(self, index: int) -> None:
        code = int(self.work["options"][index])
        self.entries.apply(self.state, self.record, self.work, self.events, code)

    def end(self) -> tuple[list[float], bytes]:
        """Who won, and all rows with the event log, as bytes."""
        rows, seats = self.entries.new_rows()
        self.entries.finish(self.state, self.record, rows, seats)
        seats = seats[: int(self.state["n_seats"])]
        result = [float(self.state["over"]), float(self.state["to_move"])]
        result += [float(rows[0][name]) for name in ("turns", "rounds", "truncated")]
        for name in ("rank", "win_share", "score"):
            result += [float(value) for value in seats[name]]
        told = self.events[: int(self.state["n_events"])].tobytes()
        tally = self.state["tally"].tobytes()
        return result, _bytes(rows) + _bytes(seats) + tally + told


def _bytes(rows: Any) -> bytes:
    """Rows field by field: what lies between the fields does not count."""
    return b"".join(np.ascontiguousarray(rows[name]).tobytes() for name in rows.dtype.names)


def _record(game: Recorded) -> Recorded:
    """Play a game with random answers and remember it."""
    coin, table = random.Random(game.number), _Table(game)
    while not table.over:
        index = coin.randrange(int(table.work["n_options"]))
        game.asked.append(table.question(index))
        table.answer(index)
    game.result, game.rows = table.end()
    return game


def _play_again(game: Recorded, *, with_rows: bool) -> None:
    """Meet the same questions, positions and result; with the rows, the same rows too."""
    table = _Table(game)
    for met in game.asked:
        if not with_rows and table.question(met[3]) != met:
            raise AssertionError("another question or position")
        table.answer(met[3])
    result, rows = table.end()
    if with_rows and rows != game.rows:
        raise AssertionError("another row")
    if not with_rows and result != game.result:
        raise AssertionError("another result")
