"""Scripted positions of Skull Canyon on the slow twin.

``run_case(case)`` plays one case of the JSON form and returns an ``Outcome`` with ``end`` (the end
state in the form of ``expect``), ``questions`` and ``differences`` (empty: passed).

    python tests/reference/skull_canyon_script.py FILE.json …    # prints the cases that differ
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import skull_canyon as reference  # the slow twin beside this file

START = {
    "board", "day", "tracker", "first", "yeti", "stacks", "style", "supply", "weather", "deck",
    "row", "discards", "shuffles", "gear_deck", "gear_row", "seats",
}  # fmt: skip
SEAT = {"node", "fame", "vp", "hand", "gear", "explosives", "tickets", "markers"}
CASE = {"id", "title", "rules_covered", "game", "players", "rules", "start", "run", "steps"}
CASE |= {"expect", "not_asked"}
STEP = {"seat", "point", "choose", "options", "include", "exclude"}


class ScriptError(Exception):
    """A case that cannot go on."""


@dataclass
class Outcome:
    """What came of a case."""

    end: dict[str, Any] = field(default_factory=dict)
    questions: list[dict[str, Any]] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    twin: Any = None


class ScriptedChance:
    """Reshuffles from the case; nothing else is left to chance in a position."""

    def __init__(self, shuffles: list[list[str]]) -> None:
        self.shuffles = [list(order) for order in shuffles]

    def reshuffle(self, cards: list[str], number: int) -> list[str]:
        if not self.shuffles:
            raise ScriptError(f"chance: a reshuffle of {cards} is missing")
        order = self.shuffles.pop(0)
        if Counter(order) != Counter(cards):
            raise ScriptError(f"chance: {order} is no order of {cards}")
        return order


def run_case(case: dict[str, Any]) -> Outcome:
    """Play a case and compare."""
    outcome = Outcome()
    try:
        _Player(case, outcome).play()
    except ScriptError as error:
        outcome.differences.append(str(error))
    return outcome


class _Player:
    def __init__(self, case: dict[str, Any], outcome: Outcome) -> None:
        self.case, self.outcome = case, outcome
        self.steps = list(case.get("steps", []))
        _known("case", case, CASE)
        for step in self.steps:
            _known("step", step, STEP)
        start = case.get("start", {})
        self.chance = ScriptedChance(start.get("shuffles", []))
        rules = reference.resolve(case.get("rules"), case["players"], start.get("board"))
        self.twin = outcome.twin = reference.Twin(rules, case["players"], self.answer, self.chance)
        _place(self.twin, start)

    def play(self) -> None:
        """Play the run, then compare the end."""
        ended = False
        try:
            _run(self.twin, self.case["run"])
            ended = True
        except ScriptError as error:
            self.outcome.differences.append(str(error))
        if ended:
            for step in self.steps:
                self.differ(f"{step['point']} ({step['choose']}) did not come up")
            if self.chance.shuffles:
                self.differ(f"chance: {self.chance.shuffles} left over")
        self.outcome.end = describe(self.twin)
        self.outcome.differences += compare(self.case.get("expect", {}), self.outcome.end)

    def differ(self, text: str) -> None:
        self.outcome.differences.append(text)

    def answer(self, seat: int, point: str, options: list[str], seen: dict[str, Any]) -> str:
        """The next step of the case."""
        met = f"question {len(self.outcome.questions) + 1}: seat {seat} {point} {options}"
        if point in self.case.get("not_asked", []):
            self.differ(f"{met}: must not be asked")
        if not self.steps:
            raise ScriptError(f"{met}: not in the steps")
        step = self.steps.pop(0)
        if (step["seat"], step["point"]) != (seat, point):
            raise ScriptError(f"{met}: the steps expect {step}")
        if "options" in step and sorted(step["options"]) != sorted(options):
            self.differ(f"{met}: options expected {step['options']}")
        for token in step.get("include", []):
            if token not in options:
                self.differ(f"{met}: {token} must be offered")
        for token in step.get("exclude", []):
            if token in options:
                self.differ(f"{met}: {token} must not be offered")
        if step["choose"] not in options:
            raise ScriptError(f"{met}: {step['choose']} is not offered")
        self.outcome.questions.append(
            {"seat": seat, "point": point, "options": options, "choose": step["choose"]}
        )
        return step["choose"]


def _known(what: str, part: dict[str, Any], names: set[str]) -> None:
    unknown = set(part) - names
    if unknown:
        raise ScriptError(f"{what}: unknown parts {sorted(unknown)}")


def _place(twin: Any, start: dict[str, Any]) -> None:
    """Set up the position; missing parts as scripted positions define them."""
    _known("start", start, START)
    twin.day = start.get("day", 1)
    twin.tracker = start.get("tracker", twin.rules["game"]["daylight_start"])
    twin.first = start.get("first", 0)
    twin.yeti = start.get("yeti", reference.CAVE)
    if twin.yeti != reference.CAVE and twin.yeti not in twin.runs:
        raise ScriptError(f"yeti: no run {twin.yeti}")
    for run, stack in start.get("stacks", {}).items():
        if run not in twin.stacks:
            raise ScriptError(f"stacks: no run {run}")
        twin.stacks[run] = list(stack)
    twin.style = dict(start.get("style", {}))
    for run in twin.style:
        if run not in twin.runs:
            raise ScriptError(f"style: no run {run}")
    twin.supply = list(start.get("supply", []))
    twin.weather = list(start.get("weather", ["sunny"] * twin.rules["game"]["days"]))
    twin.deck = list(start.get("deck", []))
    row = list(start.get("row", []))
    twin.row = row + [None] * (twin.rules["setup"]["row"] - len(row))
    twin.discards = Counter(start.get("discards", {}))
    twin.gear_deck = list(start.get("gear_deck", []))
    twin.gear_row = list(start.get("gear_row", []))
    for number, fields in enumerate(start.get("seats", [])):
        _known(f"seat {number}", fields, SEAT)
        seat = twin.seats[number]
        seat.node = fields.get("node", reference.BASE)
        if seat.node not in twin.heights:
            raise ScriptError(f"seat {number}: no node {seat.node}")
        seat.fame, seat.vp = fields.get("fame", 0), fields.get("vp", 0)
        seat.hand = dict(fields.get("hand", {}))
        seat.gear = list(fields.get("gear", []))
        seat.explosives, seat.tickets = fields.get("explosives", 0), fields.get("tickets", 0)
        seat.markers = fields.get("markers", 16)
    cards = [*twin.deck, *row, *twin.discards]
    cards += [kind for seat in twin.seats for kind in seat.hand]
    for card in cards:
        if card is not None and card not in reference.TYPES:
            raise ScriptError(f"no card type {card}")
    for seat in twin.seats:
        for card in seat.gear:
            if card not in twin.rules["gear"]["cards"]:
                raise ScriptError(f"no gear {card}")


def _run(twin: Any, run: dict[str, Any]) -> None:
    """What to play."""
    what = run["what"]
    actions = run.get("actions", twin.rules["game"]["actions_per_turn"])
    if what == "turn":
        twin.play_turn(run["seat"], actions)
    elif what == "day_end":
        for seat in run["seats"]:
            twin.play_turn(seat, actions)
        twin.night_step()
    elif what == "village":
        twin.apres_ski()
    elif what == "village_next":
        twin.apres_ski()
        twin.next_day()
    elif what == "score":
        twin.score()
    else:
        raise ScriptError(f"run: {what} is unknown")


def describe(twin: Any) -> dict[str, Any]:
    """The end state in the form of ``expect``."""
    result = twin.result
    seats: dict[str, Any] = {}
    for number, seat in enumerate(twin.seats):
        seats[str(number)] = {
            "node": seat.node,
            "vp": seat.vp,
            "fame": seat.fame,
            "hand": dict(seat.hand),
            "gear": sorted(seat.gear),
            "explosives": seat.explosives,
            "tickets": seat.tickets,
            "markers": seat.markers,
        }
        if result:
            record = result["seats"][number]
            awards = ("vp_aw_easy", "vp_aw_adv", "vp_aw_exp", "vp_aw_total")
            seats[str(number)]["award"] = sum(record[name] for name in awards)
            seats[str(number)]["final"] = record["vp_final"]
    end = {
        "seats": seats,
        "day": twin.day,
        "tracker": twin.tracker,
        "first": twin.first,
        "weather": list(twin.weather),
        "yeti": twin.yeti,
        "stacks": {run: list(stack) for run, stack in twin.stacks.items()},
        "style": dict(twin.style),
        "supply": sorted(twin.supply),
        "deck": list(twin.deck),
        "row": list(twin.row),
        "discards": {kind: count for kind, count in twin.discards.items() if count},
        "gear_row": list(twin.gear_row),
        "avalanches": twin.games["aval_set"] + twin.games["aval_explosive"],
    }
    if result:
        end["winners"] = list(result["game"]["winner_seats"])
    return end


ANY_ORDER = ("gear", "supply")
BY_KEY = ("seats", "stacks", "style")  # only what is listed is compared


def compare(expected: Any, end: Any, where: str = "") -> list[str]:
    """Differences between ``expect`` and the end; what is not listed is not compared."""
    found: list[str] = []
    for name, wanted in expected.items():
        path = f"{where}{name}"
        if name not in end:
            found.append(f"expect: unknown part {path}")
            continue
        actual = end[name]
        inner = where == "" and name in BY_KEY
        if inner or (where == "seats."):
            found += compare(wanted, actual, f"{path}.")
            continue
        if name in ANY_ORDER:
            wanted, actual = sorted(wanted), sorted(actual)
        if wanted != actual:
            found.append(f"{path}: expected {wanted}, got {actual}")
    return found


def main(files: list[str]) -> int:
    """Play all cases of the files; print those that differ."""
    count = failed = 0
    for file in files:
        for case in json.loads(Path(file).read_text(encoding="utf-8")):
            count += 1
            outcome = run_case(case)
            if outcome.differences:
                failed += 1
                print(f"{Path(file).stem} {case['id']}: {case.get('title', '')}")
                for line in outcome.differences:
                    print(f"    {line}")
    print(f"{count} cases, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
