"""An answer of a scripted case, as games hand it to the player of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """An answer of a case, and what the case says about the options at that point."""

    question: str
    choose: Any
    seat: int | None = None  # as the game's words count seats
    options: list[Any] | None = None  # the exact set
    include: tuple[Any, ...] = ()
    exclude: tuple[Any, ...] = ()
