"""docs/questions-biathlon.md: every question has an answer that exists, or says why not."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

import reports
from simulate import registry, rules
from simulate.games.biathlon import state, words

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "questions-biathlon.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| Q\d+ \|", line)
]
COMMANDS = [c for row in ROWS for c in re.findall(r"`(simulate [^`]+)`", row[2])]
HOOKS = {hook.name: hook for hook in words.TREATMENTS}
COLUMNS = {c.name for c in (*state.GAME_COLUMNS, *state.SEAT_COLUMNS)} | {
    "win_share",
    "rank",
    "score",
}


def test_all_questions_are_there():
    """Q1 to Q29, once each, four cells."""
    assert [row[0] for row in ROWS] == [f"Q{i}" for i in range(1, 30)]
    assert {len(row) for row in ROWS} == {4}


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_each_has_an_answer_or_a_reason(row):
    """A section, a command, or 'not yet' with why."""
    where = row[2]

    assert "`#" in where or "`simulate" in where or re.match(r"not yet: \S+ \S+", where)


def test_sections_exist(usual, wide):
    """Every #section is one of the report."""
    told = set(re.findall(r"`#([\w-]+)`", " ".join(row[2] for row in ROWS)))
    there = {s.id for run in (usual, wide) for s in reports.sections_of(run)}

    assert told <= there


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_use_what_there_is(command):
    """Treatments, variants, courses, strategies and measures of every command."""
    parts = shlex.split(command)
    options = [p.replace("_", "-") for p in parts if p.startswith("--")]
    values = dict(zip(parts, parts[1:], strict=False))
    model = rules.load("biathlon").data

    assert parts[1] in {
        "run", "treat", "luck", "rollouts", "tournament", "sensitivity", "compensate"
    }  # fmt: skip
    known = {
        "--game",
        "--n",
        "--players",
        "--course",
        "--hook",
        "--unit",
        "--measure",
        "--target",
        "--variant",
        "--lineup",
        "--nations",
        "--decisions",
        "--question",
        "--set",
    }
    assert set(options) <= known
    if "--set" in values:
        assert rules.load("biathlon", overrides=[values["--set"]])
    if "--question" in values:
        assert values["--question"] in words.QUESTIONS
    for option in {"--hook", "--unit"} & set(values):
        assert values[option].split("=")[0] in HOOKS
    for measure in [b for a, b in zip(parts, parts[1:], strict=False) if a == "--measure"]:
        assert measure in COLUMNS
    for course in values.get("--course", "starter").split(","):
        assert course in model["layouts"]
    for name in re.findall(r"[a-z_]+", values.get("--lineup", "pacer")):
        assert registry.book("biathlon").get(name) is not None


def test_variants_exist():
    """Every --variant of the page ships."""
    file = ROOT / "simulate" / "games" / "biathlon" / "variants.toml"
    there = set(tomllib.loads(file.read_text()))

    assert set(re.findall(r"--variant (\w+)", TEXT)) <= there


def test_all_treatments_are_used():
    """No hook is without a question."""
    assert set(HOOKS) <= set(re.findall(r"--hook (\w+)", TEXT))
