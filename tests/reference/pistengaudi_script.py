"""Scripted positions of "Pistengaudi" on the slow twin: play a case and compare.

The form is that of ``spec/scripted.md``. ``python tests/reference/pistengaudi_script.py FILE ...``
plays every case of the files and prints what differs; without files it plays all cases of
``tests/games/pistengaudi/cases``.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
CASES = HERE.parent / "games" / "pistengaudi" / "cases"
KNOWN = {
    "id", "title", "rules_covered", "game", "players", "forest", "cards", "figures", "stack",
    "final", "first_card_done", "rules", "event", "choices", "options", "counts", "not_asked",
    "expect",
}  # fmt: skip


def _twin_module() -> ModuleType:
    name = "reference_pistengaudi"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, HERE / "pistengaudi.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


twin_module = _twin_module()
POINTS = (
    twin_module.PLACE, twin_module.MOVE, twin_module.SNOW, twin_module.GROOM, twin_module.EMPTY,
)  # fmt: skip


class CaseError(Exception):
    """A case left its script or cannot be set up; the text is the difference to report."""


@dataclass
class Outcome:
    """What came of a case: like the object of ``simulate.script``."""

    end: dict[str, Any] = field(default_factory=dict)
    questions: list[dict[str, Any]] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def canonical(kind: str) -> str:
    """A card type with its halves in one order, whichever way it is written."""
    return "/".join(sorted(kind.split("/")))


def run_case(case: dict[str, Any]) -> Outcome:
    """Play one case on the twin."""
    outcome = Outcome()
    try:
        twin = _set_up(case)
        script = _Script(case, outcome)
        twin._answer = script.answer
        try:
            for event in str(case["event"]).split(";"):
                _play_event(twin, event.strip())
        finally:
            script.left_over()
            outcome.end = describe(twin)
        _compare(case.get("expect", {}), outcome)
    except (CaseError, KeyError, ValueError) as error:
        outcome.differences.append(f"{type(error).__name__}: {error}")
    return outcome


def _set_up(case: dict[str, Any]) -> Any:
    unknown = set(case) - KNOWN
    if unknown:
        raise CaseError(f"unknown parts {sorted(unknown)}")
    overrides = dict(case.get("rules", {}))
    if "forest" in case:
        overrides["slope.forest"] = case["forest"]
    twin = twin_module.Twin(twin_module.default_rules(overrides), case["players"])
    for number, (x, y, top, bottom) in enumerate(case.get("cards", [])):
        card = twin_module.Card(number, f"{top}/{bottom}")
        card.lay((x, y, top, bottom), -1)
        for cell in card.cells:
            if not twin.board.is_free(cell):
                raise CaseError(f"card {[x, y, top, bottom]}: cell {cell} is not free")
        twin.cards.append(card)
        twin.board.spaces.update(zip(card.cells, (top, bottom), strict=True))
    twin.stack = [
        twin_module.Card(1000 + number, kind) for number, kind in enumerate(case.get("stack", []))
    ]
    figures = case.get("figures")
    if figures is not None:
        if len(figures) != twin.n:
            raise CaseError(f"{len(figures)} figures for {twin.n} players")
        for figure, place in zip(twin.figures, figures, strict=True):
            _set_figure(twin, figure, place)
    twin.arrivals = max([0, *(figure.arrival for figure in twin.figures)])
    twin.final = case.get("final", False)
    twin.first_card_done = case.get("first_card_done", True)
    return twin


def _set_figure(twin: Any, figure: Any, place: list[Any]) -> None:
    if place[0] == "goal":
        figure.area, figure.arrival = place[1], place[2]
        return
    x, y, posture = place
    figure.cell = (x, y)
    figure.lying = {"up": False, "lying": True}[posture]
    kind = twin.board.spaces.get((x, y))
    if (x, y) != twin_module.START and not twin_module.is_signed(kind):
        raise CaseError(f"a figure stands on {(x, y)}, which is {kind}")


def _play_event(twin: Any, event: str) -> None:
    word, seat = event.split()
    play: dict[str, Callable[[int], None]] = {
        "turn": twin.play_turn, "cards": twin.card_action, "ride": twin.ride,
    }  # fmt: skip
    play[word](int(seat))


class _Script:
    """Gives the answers of a case and compares the options on the way."""

    def __init__(self, case: dict[str, Any], outcome: Outcome) -> None:
        self.case, self.outcome = case, outcome
        self.choices = list(case.get("choices", []))
        self.seen: set[str] = set()
        named = {*case.get("options", {}), *case.get("counts", {}), *case.get("not_asked", [])}
        if named - set(POINTS):
            raise CaseError(f"unknown points {sorted(named - set(POINTS))}")

    def answer(self, seat: int, point: str, options: list[Any], seen: dict[str, Any]) -> Any:
        met = {"seat": seat, "question": point, "options": options, "answer": None}
        self.outcome.questions.append(met)
        if point in self.case.get("not_asked", []):
            self.differ(f"{point} must not be asked; options {options}")
        if point not in self.seen:
            self.seen.add(point)
            self._compare_options(point, options)
        if not self.choices:
            raise CaseError(f"{point} of seat {seat} is not in the choices; options {options}")
        wanted, choice = self.choices.pop(0)
        if wanted != point:
            raise CaseError(f"the choices expect {wanted}, asked was {point}; options {options}")
        if choice not in options:
            raise CaseError(f"{point}: {choice} is not offered; options {options}")
        met["answer"] = choice
        return choice

    def _compare_options(self, point: str, options: list[Any]) -> None:
        if point in self.case.get("options", {}):
            wanted = self.case["options"][point]
            missing = [token for token in wanted if token not in options]
            more = [token for token in options if token not in wanted]
            if missing or more or len(wanted) != len(options):
                self.differ(f"{point}: options missing {missing}, not expected {more}")
        count = self.case.get("counts", {}).get(point)
        if count is not None and count != len(options):
            self.differ(f"{point}: {count} options expected, got {len(options)}: {options}")

    def left_over(self) -> None:
        for choice in self.choices:
            self.differ(f"{choice} did not come up")
        for point in {*self.case.get("options", {}), *self.case.get("counts", {})} - self.seen:
            self.differ(f"{point}, whose options are given, did not come up")

    def differ(self, text: str) -> None:
        self.outcome.differences.append(text)


def describe(twin: Any) -> dict[str, Any]:
    """The end state in the form of ``expect``."""
    return {
        "figures": twin.show_figures(),
        "cards": twin.show_cards(),
        "stack": [card.kind for card in twin.stack],
        "final": twin.final,
        "winner": twin.winner(),
        "row_highest": twin.highest_row(),
    }


def _compare(expect: dict[str, Any], outcome: Outcome) -> None:
    for part, wanted in expect.items():
        if part not in outcome.end:
            outcome.differences.append(f"expect: unknown part {part}")
            continue
        got = outcome.end[part]
        if part == "cards":
            same = sorted(wanted) == sorted(got)
        elif part == "stack":
            same = [canonical(kind) for kind in wanted] == [canonical(kind) for kind in got]
        else:
            same = wanted == got and isinstance(wanted, bool) == isinstance(got, bool)
        if not same:
            outcome.differences.append(f"expect.{part}: expected {wanted}, got {got}")


def all_cases(files: list[Path]) -> list[tuple[str, dict[str, Any]]]:
    """(file name, case) of every case."""
    return [
        (file.stem, case) for file in files for case in json.loads(file.read_text(encoding="utf-8"))
    ]


def main(names: list[str]) -> int:
    files = [Path(name) for name in names] or sorted(CASES.glob("*.json"))
    cases = all_cases(files)
    failed = 0
    for name, case in cases:
        outcome = run_case(case)
        if outcome.differences:
            failed += 1
            print(f"{name} {case['id']}: {case['title']}")
            for difference in outcome.differences:
                print("    ", difference)
    print(f"{len(cases)} cases, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
