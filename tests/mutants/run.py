"""Mutation lane: change one line of the rules at a time; the tests must notice.

    python tests/mutants/run.py                    every slip of every game
    python tests/mutants/run.py --game biathlon    those of a game
    python tests/mutants/run.py --sample 300       a random part of them, from each game
    python tests/mutants/run.py --file routes.py   those of some files
    python tests/mutants/run.py --open             those not explained as no change of a race

The kernels run as plain Python. Every slip is put into place in a forked process, which runs the
probes that reach the line (``suite.py``) and stops at the first one that notices; a probe that does
not come to its end has noticed. Slips that nothing notices must stand in ``survivors/<game>.toml`` with
a reason; those explained as equivalent or unreachable change no race and are left out of the share
that must be noticed. The exit code is 1 below 90 % noticed, with a survivor that nobody has
explained, and with a probe that fails on the rules as they are.

Slips in statements that only keep records are counted apart: the rows that the race leaves notice
them, not the race itself.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import select
import signal
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"
HERE = Path(__file__).parent
for _folder in (HERE, HERE.parents[1]):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

import numpy as np  # noqa: E402
import rewrite  # noqa: E402
import suite  # noqa: E402
from subjects import SUBJECTS, Subject  # noqa: E402

from simulate import registry  # noqa: E402

LEAST = 0.90
FIRST_CASES, FIRST_GAMES, ROWS_GAMES = 25, 4, 6
QUICK = 0.1  # seconds of the processor: checks that are shown every slip
NO_CHANGE = ("equivalent", "unreachable")  # reasons of slips that cannot change a race
NOT_REACHED, SURVIVED = "not reached", "survived"


@dataclass
class Verdict:
    """What became of a slip: the kind of probe that noticed it, or nothing."""

    mutant: rewrite.Mutant
    by: str  # kind of probe; SURVIVED or NOT_REACHED
    probe: str = ""
    seconds: float = 0.0

    @property
    def killed(self) -> bool:
        """Whether anything noticed."""
        return self.by not in (SURVIVED, NOT_REACHED)


# ------------------------------------------------------------------------------- one slip
class TooLong(BaseException):
    """A probe does not come to its end."""


def _alarm(*_: Any) -> None:
    raise TooLong


def _noticed(modules: dict[str, Any], mutant: rewrite.Mutant, probes: list[suite.Probe]) -> str:
    """Kind and name of the first probe that notices, "" if none does. In a process of its own."""
    rewrite.put_in_place(modules[mutant.file], mutant)
    signal.signal(signal.SIGVTALRM, _alarm)
    for probe in probes:
        signal.setitimer(signal.ITIMER_VIRTUAL, probe.patience)
        try:
            probe.run()
        except BaseException:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            return f"{probe.kind}\t{probe.name}"
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def _start(modules: dict[str, Any], mutant: rewrite.Mutant, probes: list[suite.Probe]) -> Any:
    """Fork; the child writes what noticed to a pipe. Returns (pid, reading end)."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    os.close(reading)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    try:
        os.write(writing, _noticed(modules, mutant, probes).encode() or b"-")
    finally:
        os._exit(0)


def _reach(
    subject: Subject, mutant: rewrite.Mutant, probes: list[suite.Probe]
) -> list[suite.Probe]:
    """The probes that run the statement of a slip: some cases, some games, then the others."""
    lines = {(mutant.file, number) for number in range(mutant.line, mutant.last_line + 1)}
    reach = [probe for probe in probes if lines & probe.lines]
    cases = [probe for probe in reach if probe.kind == suite.CASE]
    games = [probe for probe in reach if probe.kind == suite.GAME]
    rows = [probe for probe in reach if probe.kind == suite.ROWS]
    rows = [*rows[:ROWS_GAMES], *rows[ROWS_GAMES:][-ROWS_GAMES:]]  # the short ones, then the long
    checks = [probe for probe in reach if probe.kind == suite.CHECK]
    if mutant.file not in subject.watched and not mutant.records_only:
        checks = [probe for probe in checks if probe.seconds < QUICK]
    if mutant.records_only:
        return [*rows, *checks, *cases]
    return [*cases[:FIRST_CASES], *games[:FIRST_GAMES], *cases[FIRST_CASES:], *games[FIRST_GAMES:],
            *checks, *rows]  # fmt: skip


def run_all(
    subject: Subject,
    modules: dict[str, Any],
    mutants: list[rewrite.Mutant],
    probes: list[suite.Probe],
    jobs: int,
) -> Iterator[Verdict]:
    """The verdict of every slip, as they come in."""
    todo, running = list(reversed(mutants)), {}
    while todo or running:
        while todo and len(running) < jobs:
            mutant = todo.pop()
            reach = _reach(subject, mutant, probes)
            if not reach:
                yield Verdict(mutant, NOT_REACHED)
                continue
            pid, reading = _start(modules, mutant, reach)
            running[reading] = (pid, mutant, time.monotonic())
        if not running:
            continue
        for reading in select.select(list(running), [], [])[0]:
            pid, mutant, began = running.pop(reading)
            told = os.read(reading, 4096).decode()
            os.close(reading)
            os.waitpid(pid, 0)
            kind, _, name = told.partition("\t")
            if told == "-":
                kind = SURVIVED
            elif not told:
                kind = "crash"
            yield Verdict(mutant, kind, name, time.monotonic() - began)


# ------------------------------------------------------------------------------- the report
def _explained(mutant: rewrite.Mutant, known: list[dict[str, str]]) -> dict[str, str] | None:
    """The reason given for a slip; ``change`` may hold the wildcard *."""
    for entry in known:
        if fnmatchcase(mutant.file, entry["file"]) and fnmatchcase(
            mutant.function, entry["function"]
        ):
            pattern = entry["change"].replace("[", "[[]")
            if fnmatchcase(mutant.change, pattern):
                return entry
    return None


def _table(verdicts: list[Verdict]) -> None:
    """Killed and total by file; rules and records apart."""
    print(f"\n{'file':18}{'rules':>14}{'':9}{'records':>14}")
    by_file: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_file[verdict.mutant.file].append(verdict)
    for file in [*sorted(by_file), ""]:
        rows = by_file[file] if file else verdicts
        cells = []
        for records_only in (False, True):
            some = [v for v in rows if v.mutant.records_only == records_only]
            killed = sum(v.killed for v in some)
            share = f"{100 * killed / len(some):6.1f} %" if some else ""
            cells.append(f"{killed:6d} / {len(some):5d} {share:>9}")
        print(f"{file or 'all':18}" + "".join(cells))


def _counts(verdict: Verdict, known: list[dict[str, str]]) -> bool:
    """Whether a slip can change a race: all but those explained as no change at all."""
    entry = None if verdict.killed else _explained(verdict.mutant, known)
    return entry is None or entry["reason"] not in NO_CHANGE


def _rate(verdicts: list[Verdict]) -> float:
    rules = [v for v in verdicts if not v.mutant.records_only]
    return sum(v.killed for v in rules) / max(len(rules), 1)


def report(verdicts: list[Verdict], known: list[dict[str, str]]) -> int:
    """Print what was noticed and what was not; the exit code."""
    _table(verdicts)
    kinds = Counter(v.by for v in verdicts)
    print("\nnoticed by " + ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()))
    left = [v for v in verdicts if not v.killed]
    news = 0
    if left:
        print("\nSurvivors")
    for verdict in sorted(left, key=lambda v: (v.mutant.file, v.mutant.line)):
        mutant = verdict.mutant
        entry = _explained(mutant, known)
        news += entry is None
        why = f"{entry['reason']}: {entry['why']}" if entry else f"NEW ({verdict.by})"
        print(f"  {mutant.file}:{mutant.line} {mutant.function}: {mutant.change}\n      {why}")
    matter = [v for v in verdicts if _counts(v, known)]
    rate, count = _rate(matter), sum(not v.mutant.records_only for v in matter)
    print(
        f"\n{100 * _rate(verdicts):.1f} % of all slips in the rules noticed; {100 * rate:.1f} % of"
    )
    print(f"{count} that are not explained as no change of a race; {news} survivors new")
    return int(rate < LEAST or news > 0)


def _stale(mutants: list[rewrite.Mutant], known: list[dict[str, str]]) -> list[str]:
    """Reasons given for a slip that there is not."""
    met = {id(_explained(mutant, known)) for mutant in mutants}
    return [
        f"{entry['file']} {entry['function']}: {entry['change']}"
        for entry in known
        if id(entry) not in met
    ]


def _note(log: Path | None, verdict: Verdict) -> None:
    """Add a verdict to the log, where one is wanted."""
    if log is not None:
        mutant = verdict.mutant
        row = (verdict.by, verdict.probe, f"{verdict.seconds:.1f}", str(mutant.line), mutant.key)
        with log.open("a", encoding="utf-8") as handle:
            handle.write("\t".join(row) + "\n")


def _survivors(log: Path) -> set[str]:
    """Keys of the slips that nothing noticed, from a log."""
    rows = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]
    return {row[4] for row in rows if row[0] in (SURVIVED, NOT_REACHED)}


def main() -> int:
    """Collect the slips, run the probes, print the table, game by game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--game", action="append", default=[], choices=list(SUBJECTS))
    parser.add_argument("--sample", type=int, help="so many slips a game, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--file", action="append", default=[], help="only this file of the rules")
    parser.add_argument("--games", type=int, default=12, help="recorded games")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--log", type=Path, help="a file that gets each verdict as it comes")
    parser.add_argument("--again", type=Path, help="only the survivors of such a log")
    parser.add_argument("--open", action="store_true", help="not those explained as no change")
    parser.add_argument("--list", action="store_true", help="print the slips and stop")
    given = parser.parse_args()
    np.seterr(all="ignore")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    codes = [run_game(SUBJECTS[name], given) for name in given.game or SUBJECTS]
    return max(codes)


def run_game(subject: Subject, given: argparse.Namespace) -> int:
    """The lane of one game; the exit code."""
    game = registry.load(subject.game).game
    modules = {f"{name}.py": game.module(name) for name in subject.modules}
    chosen = [m for f, m in modules.items() if not given.file or f in given.file]
    mutants = [
        mutant for module in chosen for mutant in rewrite.mutants_of(module, subject.records)
    ]
    reasons = HERE / "survivors" / f"{subject.game}.toml"
    known = tomllib.loads(reasons.read_text(encoding="utf-8")).get("survivor", [])
    stale = [] if given.file else _stale(mutants, known)
    if given.again:
        left = _survivors(given.again)
        mutants = [mutant for mutant in mutants if mutant.key in left]
    if given.open:
        mutants = [mutant for mutant in mutants if _counts(Verdict(mutant, SURVIVED), known)]
    if given.sample and given.sample < len(mutants):
        mutants = random.Random(given.seed).sample(mutants, given.sample)
    if given.list:
        print("\n".join(f"{m.line:5d} {m.key}" for m in mutants))
        return 0
    files = {str(module.__file__) for module in modules.values()}
    began = time.monotonic()
    probes, failed = suite.probes(subject, given.games, files)
    kinds = Counter(probe.kind for probe in probes)
    print(
        f"{game.title}: {len(mutants)} slips; probes: {dict(kinds)}; ready after "
        f"{time.monotonic() - began:.0f} s",
        flush=True,
    )
    verdicts = []
    for verdict in run_all(subject, modules, mutants, probes, given.jobs):
        verdicts.append(verdict)
        _note(given.log, verdict)
        if len(verdicts) % 100 == 0:
            done = f"{len(verdicts)} of {len(mutants)}, {100 * _rate(verdicts):.1f} % noticed"
            print(f"{done}, {time.monotonic() - began:.0f} s", flush=True)
    for entry in stale:
        print(f"{reasons.name} explains a slip that there is not: {entry}")
    return report(verdicts, known) or int(failed > 0 or bool(stale))


if __name__ == "__main__":
    sys.exit(main())
