"""Scripted positions of Toy Dash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from simulate.games.toy import entries
from simulate.games.toy import state as s

from simulate.errors import ScriptError


def overrides(case: Mapping[str, Any]) -> dict[str, Any]:
    """Rules of a case."""
    return dict(case.get("rules", {}))


def setup(case: Mapping[str, Any], rules: Any, vocab: Mapping[str, Any]) -> tuple[Any, Any]:
    """Records of the position."""
    spaces = case.get("spaces")
    if not isinstance(spaces, list) or not 1 <= len(spaces) <= s.MAX_SEATS:
        raise ScriptError("spaces: a list with one number a seat is wanted.")
    state, work = np.zeros(1, s.STATE)[0], np.zeros(1, s.WORK)[0]
    nobody = np.zeros(s.MAX_SEATS, s.TREATMENT)
    entries.start(state, rules, work, np.zeros(0, s.EVENT), nobody, len(spaces), 0, 0)
    state["space"][: len(spaces)] = spaces
    dice = case.get("dice", [])
    work["feed"]["on"] = 1
    work["feed"]["n"] = len(dice)
    work["feed"]["values"][: len(dice)] = dice
    return state, work


def runs(case: Mapping[str, Any]) -> list[str]:
    """The game is played on to its end."""
    return ["game"]


def begin(state: Any, rules: Any, work: Any, run: str) -> None:
    """Nothing to make ready."""


def describe(state: Any, rules: Any, vocab: Mapping[str, Any]) -> dict[str, Any]:
    """Spaces by seat."""
    n = int(state["n_seats"])
    return {"spaces": [int(x) for x in state["space"][:n]], "round": int(state["round"])}


def compare(expected: Mapping[str, Any], end: Mapping[str, Any]) -> list[str]:
    """Fields that differ."""
    return [
        f"expect.{k}: expected {v!r}, got {end.get(k)!r}."
        for k, v in expected.items()
        if end.get(k) != v
    ]
