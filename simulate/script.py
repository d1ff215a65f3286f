"""Scripted positions: set up a position, fix chance, give the answers, compare what comes out.

    simulate.script({"id": "BI-E12", "game": "biathlon", "skiers": {...}, "event": "turn 1",
                     "dice": [4, 3], "choices": [["D-MAIN", "col2"]], "expect": {...}})

plays a case through the game's compiled engine and gives an object with ``end`` (the end state in
the form of ``expect``), ``questions`` (every question that came up, with its options and the
answer) and ``differences`` (a list of strings, empty when all agrees). A question that is not in
the list, a listed one that does not come up, chance left over or missing, and an answer that is not
offered are differences; a case that cannot be set up is one, too.

This shell knows no game: ``simulate.games.<game>.position`` sets up and describes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simulate import registry, rules
from simulate.answers import Answer
from simulate.callable_module import make_callable
from simulate.errors import ScriptError, UserError
from simulate.steps import EVENT_ROOM

make_callable(__name__, __name__, "script")

MOST_QUESTIONS = 10_000

# What the parts of a case must be; a game's ``position`` looks at its own.
_FORM: dict[str, tuple[type, str]] = {
    "rules": (Mapping, "an object of rules by key"),
    "players": (int, "a number of players"),
    "options": (Mapping, "an object: question to a list of options"),
    "counts": (Mapping, "an object: question to a number"),
    "not_asked": (list, "a list of questions"),
    "expect": (Mapping, "an object: part of the end state to what is expected"),
}
_INNER: dict[str, tuple[type, str]] = {
    "options": (list, "a list of options"),
}


@dataclass
class Outcome:
    """What came of a case."""

    id: str
    game: str
    end: dict[str, Any] = field(default_factory=dict)
    questions: list[dict[str, Any]] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether all agrees."""
        return not self.differences

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "id": self.id,
            "game": self.game,
            "passed": self.passed,
            "differences": self.differences,
            "questions": self.questions,
            "end": self.end,
        }


def script(case: Mapping[str, Any] | str | Path) -> Any:
    """Play one case (a dict), or all cases of a file (a path; then a list comes back)."""
    if isinstance(case, str | Path):
        return [script(one) for one in load(case)]
    if not isinstance(case, Mapping):
        raise ScriptError(f"a case is a JSON object, not {type(case).__name__}.")
    outcome = Outcome(str(case.get("id", "")), "")
    try:
        outcome.game = game_of(case)
        check_form(case)
        _Player(case, outcome).play()
    except UserError as error:
        outcome.differences.append(str(error))
    return outcome


def check_form(case: Mapping[str, Any]) -> None:
    """ScriptError naming the first part of a case that is of another form."""
    for name, (kind, wanted) in _FORM.items():
        if name not in case:
            continue
        part = case[name]
        if not isinstance(part, kind) or isinstance(part, bool):
            raise ScriptError(f"{name}: {part!r} is not {wanted}.")
        if name in _INNER:
            inner, what = _INNER[name]
            for key, value in case[name].items():
                if not isinstance(value, inner):
                    raise ScriptError(f"{name}.{key}: {value!r} is not {what}.")


def load(path: str | Path) -> list[dict[str, Any]]:
    """The cases of a file: one JSON object, a list, or one object a line."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise ScriptError(f"{file} cannot be read: {reason}.") from error
    try:
        data = json.loads(text)
    except ValueError:
        data = _lines(file, text)
    cases = data if isinstance(data, list) else [data]
    for number, one in enumerate(cases, start=1):
        if not isinstance(one, dict):
            raise ScriptError(f"{file}: case {number} is no JSON object.")
    return cases


def _lines(file: Path, text: str) -> list[Any]:
    """JSON Lines, with the line of what is no JSON."""
    cases = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                cases.append(json.loads(line))
            except ValueError as error:
                raise ScriptError(f"{file}, line {number}: no JSON: {error}.") from error
    return cases


def game_of(case: Mapping[str, Any]) -> str:
    """The game that a case names, or that the prefix of its id stands for (BI-E12: biathlon)."""
    name = case.get("game")
    if name is None:
        prefix = str(case.get("id", "")).split("-")[0].lower()
        fitting = [known for known in registry.names() if _stands_for(prefix, known)]
        if len(fitting) != 1:
            raise ScriptError('the case names no game: give "game", or an id such as BI-E12.')
        name = fitting[0]
    registry.folder(str(name))
    return str(name)


def _stands_for(prefix: str, name: str) -> bool:
    """Whether a prefix is the first letter of a name and more of its letters, in order."""
    rest = iter(name)
    return prefix[:1] == name[:1] and all(letter in rest for letter in prefix)


def answers_of(case: Mapping[str, Any]) -> list[Answer]:
    """The answers of a case that writes them as ``choices``."""
    found = []
    choices = case.get("choices", [])
    if not isinstance(choices, Sequence) or isinstance(choices, str):
        raise ScriptError("choices: a list of [question, answer] is wanted.")
    for choice in choices:
        if not isinstance(choice, Sequence) or isinstance(choice, str) or len(choice) not in (2, 3):
            raise ScriptError(f"choices: {choice!r} is neither [question, answer] nor [seat, …].")
        seat = int(choice[0]) if len(choice) == 3 else None
        found.append(Answer(str(choice[-2]), choice[-1], seat))
    return found


class _Player:
    """Plays one case."""

    def __init__(self, case: Mapping[str, Any], outcome: Outcome) -> None:
        self.case, self.outcome = case, outcome
        engine = registry.load(outcome.game)
        self.words = engine.words
        self.entries = engine.entries
        self.position = engine.game.module("position")
        try:
            variants = case.get("variant", [])
            resolved = rules.load(
                outcome.game, variants=variants, overrides=self.position.overrides(case)
            )
        except UserError as error:
            raise ScriptError(f"rules: {error}") from error
        self.rules = np.asarray(resolved.record).reshape(-1)[0]
        self.vocab = resolved.vocabularies
        self.state, self.work = self.position.setup(case, self.rules, self.vocab)
        self.log = np.zeros(EVENT_ROOM, dtype=engine.state.EVENT)
        given = getattr(self.position, "answers", answers_of)
        self.answers: list[Answer] = given(case)
        self.seen: set[str] = set()

    def play(self) -> None:
        """All events of the case, then the comparison."""
        for run in self.position.runs(self.case):
            self.position.begin(self.state, self.rules, self.work, run)
            self.entries.resume(self.state, self.rules, self.work, self.log)
            self._take_events()
            if not self._answer_all():
                break
        self._left_over()
        self.outcome.end = self.position.describe(self.state, self.rules, self.vocab)
        self.outcome.differences += self.position.compare(
            self.case.get("expect", {}), self.outcome.end
        )

    def _answer_all(self) -> bool:
        """Answer until nothing is asked; False when the case gives no answer that can be taken."""
        while int(self.state["phase"]) >= 0 and not self.state["over"]:
            if len(self.outcome.questions) >= MOST_QUESTIONS:
                self._differ(f"more than {MOST_QUESTIONS} questions")
                return False
            index = self._answer_one()
            if index is None:
                return False
            code = int(self.work["options"][index])
            self.entries.apply(self.state, self.rules, self.work, self.log, code)
            self._take_events()
        return True

    def _answer_one(self) -> int | None:
        """Compare the question with the case's next answer; the index chosen."""
        name = self.words.question(int(self.state["phase"]))
        seat = self.words.state(self.state, self.rules, self.vocab)["to_move"]
        codes = self.work["options"][: int(self.work["n_options"])]
        options = [
            self.words.action(self.state, self.rules, self.work, int(code), self.vocab)
            for code in codes
        ]
        met = {"seat": seat, "question": name, "options": options, "answer": None}
        self.outcome.questions.append(met)
        self._check_case_options(name, options)
        number = len(self.outcome.questions)
        if not self.answers:
            self._differ(
                f"question {number}, {name} of seat {seat}, is not in the list; options {options}"
            )
            return None
        answer = self.answers.pop(0)
        if answer.question != name or (answer.seat is not None and answer.seat != seat):
            whose = f" of seat {answer.seat}" if answer.seat is not None else ""
            expected = answer.question + whose
            self._differ(f"question {number}: expected {expected}, asked was {name} of seat {seat}")
            return None
        self._check_answer_options(answer, name, options)
        wanted = list(answer.choose) if isinstance(answer.choose, tuple) else answer.choose
        if wanted not in options:
            self._differ(f"question {number}, {name}: {wanted!r} is not offered; options {options}")
            return None
        met["answer"] = wanted
        return options.index(wanted)

    def _check_case_options(self, name: str, options: list[Any]) -> None:
        """``options``, ``counts`` and ``not_asked`` of the case, when a question comes up first."""
        if name in self.case.get("not_asked", []):
            self._differ(f"{name} must not be asked, but it was")
        if name in self.seen:
            return
        self.seen.add(name)
        if name in self.case.get("options", {}):
            self._same_options(name, self.case["options"][name], options)
        wanted = self.case.get("counts", {}).get(name)
        if wanted is not None and wanted != len(options):
            self._differ(f"{name}: expected {wanted} options, got {len(options)}: {options}")

    def _check_answer_options(self, answer: Answer, name: str, options: list[Any]) -> None:
        """``options``, ``include`` and ``exclude`` of an answer."""
        if answer.options is not None:
            self._same_options(name, answer.options, options)
        for token in answer.include:
            if token not in options:
                self._differ(f"{name}: {token!r} must be offered; options {options}")
        for token in answer.exclude:
            if token in options:
                self._differ(f"{name}: {token!r} must not be offered; options {options}")

    def _same_options(self, name: str, wanted: Sequence[Any], options: list[Any]) -> None:
        """Two option sets, in any order."""
        missing = [token for token in wanted if token not in options]
        more = [token for token in options if token not in wanted]
        if missing or more:
            self._differ(f"{name}: options missing {missing}, not expected {more}")

    def _left_over(self) -> None:
        """Answers and outcomes of chance that were not used, questions that did not come up."""
        for answer in self.answers:
            self._differ(f"{answer.question} ({answer.choose!r}) did not come up")
        for name in self.case.get("options", {}):
            if name not in self.seen:
                self._differ(f"{name}, whose options are given, did not come up")
        feed = self.work["feed"]
        left = int(feed["n"]) - int(feed["used"])
        if left > 0:
            self._differ(f"chance: {left} of {int(feed['n'])} outcomes are left over")
        if int(feed["missing"]) > 0:
            self._differ(
                f"chance: {int(feed['missing'])} outcomes more were needed than the case gives"
            )

    def _take_events(self) -> None:
        """Events since the last question, as dicts."""
        rows = self.log[: int(self.state["n_events"])]
        self.outcome.events += self.words.events(rows, self.rules, self.vocab)
        self.state["n_events"] = 0

    def _differ(self, text: str) -> None:
        self.outcome.differences.append(text + ".")
