"""Rules of Toy Dash as a pydantic model."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from simulate.games.toy.state import RULES

KEYED: dict[str, str] = {}
LAYOUTS = {"short": 20, "long": 40}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Track(_Strict):
    """The track."""

    layout: Literal["short", "long"]
    length: int = Field(ge=4, le=60)


class Move(_Strict):
    """Moving."""

    walk: int = Field(ge=1, le=6)
    fall_face: int = Field(ge=0, le=6)


class Sim(_Strict):
    """Limits of the simulation."""

    max_rounds: int = Field(ge=1, le=100)
    minutes: float = Field(ge=0, le=60)


class Rules(_Strict):
    """All rules."""

    track: Track
    move: Move
    sim: Sim


def record(model: Rules) -> np.ndarray:
    """One RULES row."""
    row = np.zeros(1, RULES)
    row["length"] = model.track.length
    row["walk"] = model.move.walk
    row["fall_face"] = model.move.fall_face
    row["max_rounds"] = model.sim.max_rounds
    row["minutes"] = model.sim.minutes
    return row


def vocabularies(model: Rules) -> dict[str, list[str]]:
    """Words of the columns."""
    return {"layouts": [model.track.layout], "results": ["home", "stopped"]}


def problems(model: Rules) -> list[Any]:
    """Nothing can be wrong across keys."""
    return []


def warnings(model: Rules) -> list[str]:
    """Nothing to warn of."""
    return []


def players(model: Rules, n: int) -> list[str]:
    """Any track seats anybody."""
    return []


def courses(text: str, root: int, model: Rules) -> list[tuple[str, dict[str, Any]]]:
    """Tracks by name."""
    from simulate.errors import RulesError

    found = []
    for name in text.split(","):
        if name not in LAYOUTS:
            raise RulesError(f"no track '{name}'; allowed: {', '.join(LAYOUTS)}")
        found.append((name, {"track": {"layout": name, "length": LAYOUTS[name]}}))
    return found
