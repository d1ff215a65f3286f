"""Do the verdicts of a report stand when what was assumed is assumed otherwise?

`simulate sensitivity` plays every alternative of an assumed value or a ruling and keeps in its
``experiment.json`` what each of them makes the report's verdicts say. A report takes that up:

* ``--sensitivity FOLDER`` names the study; one of another game, other rules, another line-up or
  another seating is an error.
* Without it the folders beside the run are looked at, and the study that fits is taken: the one
  with the most alternatives, then the most games, then the first name.
* Without any the card says that it has not been checked, and prints the command.

A verdict *depends on* an alternative that surely gives another one: the other state, or for
styles another strongest style. It *stands* under an alternative that surely gives the same, or
with which not one game differs. Where an alternative was played too rarely, that is said.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reports import wording
from reports.estimates import UNKNOWN
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Verdict
from simulate.errors import UserError

EXPERIMENT_FILE = "experiment.json"
MOST_NAMED = 2  # alternatives on a card
NAMES = {  # what a study and a run must have in common
    "rules": "rules",
    "strategies": "styles",
    "lineup": "a line-up",
    "seating": "a seating",
    "treatment": "a treatment",
    "strategy_text": "a strategy file",
}

Fate = Literal["stands", "depends", "open", "nothing", "unchecked"]


@dataclass(frozen=True)
class Robustness:
    """What a card says about assumptions, and the command that would tell, if it is not known."""

    fate: Fate
    words: str
    command: str = ""


@dataclass(frozen=True)
class Checked:
    """A finished study that was made for the rules and the line-up of a run."""

    folder: Path
    told: Mapping[str, Any]

    @property
    def games(self) -> int:
        """Games an alternative."""
        return int(self.told["n"])

    @property
    def alternatives(self) -> int:
        """Alternatives that were tried."""
        return len({row["alternative"] for row in self.told["cards"]})

    def rows(self, question: str, players: int) -> list[Mapping[str, Any]]:
        """What each alternative makes of a verdict."""
        return [
            row
            for row in self.told["cards"]
            if (row["question"], row["players"]) == (question, players)
        ]


# ---------------------------------------------------------------- finding the study


def played(identity: Mapping[str, Any], rules: int = 0) -> dict[str, Any]:
    """What a study and a run must have in common, from the identity of a run."""
    plan = identity["plan"]
    return {
        "rules": identity["rules"][rules]["digest"],
        "strategies": [dict(who) for who in identity["strategies"]],
        "lineup": plan["lineup"],
        "seating": plan["seating"],
        "treatment": dict(plan["treatment"]),
        "strategy_text": identity["strategy_text"],
    }


def find(facts: Facts, folder: str | Path | None = None) -> Checked | None:
    """The study for a run: the one that is named, else the best one beside it, else None."""
    if folder is not None:
        return _named(facts, Path(folder))
    beside = Path(facts.run.path).parent
    found = [one for one in _studies(beside) if not _unlike(facts, one)]
    order = sorted(found, key=lambda one: (-one.alternatives, -one.games, one.folder.name))
    return order[0] if order else None


def _named(facts: Facts, folder: Path) -> Checked:
    """The study in a folder; UserError where it is none, or for another run."""
    one = _read(folder)
    if one is None:
        raise UserError(f"--sensitivity: {folder} holds no finished sensitivity study.")
    unlike = _unlike(facts, one)
    if unlike:
        raise UserError(
            f"--sensitivity: {folder} was played with {wording.listing(unlike, 'or')} other than "
            f"this run's, so it says nothing about it. The command that would: {command(facts)}"
        )
    return one


def _studies(beside: Path) -> Iterator[Checked]:
    """All finished studies in a folder of runs."""
    for file in sorted(beside.glob(f"*/{EXPERIMENT_FILE}")):
        one = _read(file.parent)
        if one is not None:
            yield one


def _read(folder: Path) -> Checked | None:
    """The study in a folder, None where there is none that can be read."""
    try:
        told = json.loads((folder / EXPERIMENT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    fits = isinstance(told, dict) and told.get("experiment") == "sensitivity" and "cards" in told
    return Checked(folder, told) if fits else None


def _unlike(facts: Facts, one: Checked) -> list[str]:
    """In what a study differs from a run, as people say it."""
    if one.told["game"] != facts.game:
        return ["a game"]
    of_study = one.told["played"]
    of_run = [played(facts.identity, i) for i in range(len(facts.identity["rules"]))]
    return [
        words
        for key, words in NAMES.items()
        if not any(mine[key] == of_study[key] for mine in of_run)
    ]


# ---------------------------------------------------------------- what a card says


def judge(facts: Facts, verdict: Verdict, one: Checked | None) -> Robustness:
    """Whether a verdict stands under the alternatives of a study."""
    rows = _of_card(facts, verdict, one) if one is not None else []
    if one is None or not rows:
        return Robustness("unchecked", "Not checked against assumptions.", command(facts))
    if verdict.state == UNKNOWN:
        return Robustness("nothing", "No verdict yet that an assumption could change.")
    fates = [_fate(verdict, row) for row in rows]
    turned = [row for row, fate in zip(rows, fates, strict=True) if fate == "depends"]
    unsure = fates.count("open")
    if turned:
        said = [
            f"{row['alternative']} ({row['kind']}; then: {_then(verdict, row)})"
            for row in turned[:MOST_NAMED]
        ]
        more = len(turned) - len(said)
        said += [f"{more} more"] if more > 0 else []
        return Robustness("depends", f"Depends on {wording.listing(said)}{_limits(one)}.")
    if unsure:
        return Robustness(
            "open",
            f"No alternative is known to change it; with {unsure} of {len(rows)} it cannot be told "
            f"from {wording.count(one.games)} games each{_limits(one)}.",
        )
    return Robustness("stands", f"Stands under all {len(rows)} alternatives tried{_limits(one)}.")


def _of_card(facts: Facts, verdict: Verdict, one: Checked) -> list[Mapping[str, Any]]:
    """The study's rows about a verdict: the same question, players and rules."""
    stratum = _stratum(facts, verdict)
    if stratum is None:
        return []
    digest = facts.identity["rules"][stratum.rules]["digest"]
    if digest != one.told["played"]["rules"]:
        return []
    return one.rows(verdict.question, stratum.players)


def _stratum(facts: Facts, verdict: Verdict) -> Stratum | None:
    """The kind of games that a verdict is about."""
    label = verdict.about.split(";")[0]
    return next((s for s in facts.main if s.label == label), None)


def _fate(verdict: Verdict, row: Mapping[str, Any]) -> Fate:
    """What one alternative does to a verdict."""
    if row["same_games"]:
        return "stands"
    if row["state"] == UNKNOWN:
        return "open"
    if row["state"] != verdict.state:
        return "depends"
    if not verdict.says or row["says"] == verdict.says:
        return "stands"
    return "depends" if row["says"] else "open"


def _then(verdict: Verdict, row: Mapping[str, Any]) -> str:
    """What the verdict would be."""
    if row["state"] != verdict.state:
        return str(row["label"]).lower()
    return f"{wording.plain(row['says'])} first"


def _limits(one: Checked) -> str:
    """What the study left out."""
    untried = len(one.told["untried"])
    keys = one.told["keys"]
    parts = [f"rules beginning with {wording.listing(keys)} only"] if keys else []
    parts += [f"not tried: {untried}"] if untried else []
    return f" ({'; '.join(parts)})" if parts else ""


def command(facts: Facts) -> str:
    """The command that checks a run's verdicts, its rules and line-up as they are."""
    plan, rules = facts.identity["plan"], facts.identity["rules"]
    words = ["simulate", "sensitivity", facts.game]
    words += ["--players", ",".join(str(n) for n in plan["players"])]
    words += ["--lineup", plan["lineup"]]
    if plan["seating"] != "rotate":
        words += ["--seating", plan["seating"]]
    if plan["strategy_file"]:
        words += ["--strategy-file", plan["strategy_file"]]
    for change in rules[0].get("changed") or []:
        value = change["value"]
        text = value if isinstance(value, str) else json.dumps(value)
        words += ["--set", f"{change['key']}={text}"]
    return shlex.join(words)
