"""The same line-up, played worse: every style errs, by its parameter ``temperature``."""

from __future__ import annotations

import math

from simulate.errors import PlanError
from simulate.experiments.ladder import NOISE
from strategies.book import Book
from strategies.lineup import split_text

KIND = "skill"  # of an arm of a sensitivity study


def lineup(text: str, temperature: float, book: Book) -> list[str]:
    """The texts of a line-up with noise on the scores of every style that can err.

    A style with a temperature of its own keeps it where that is higher.
    """
    if not (math.isfinite(temperature) and temperature > 0):
        raise PlanError(f"--skill: {temperature:g} is no temperature above 0.")
    found, erring = [], 0
    for one in split_text(text, ";"):
        entries = []
        for entry in split_text(one.strip(), ","):
            if entry.startswith("mix("):
                raise PlanError("--skill takes a line-up of named styles: mix(…) draws them.")
            head, star, times = entry.partition("*")
            name, *settings = head.split(":")
            style = book.get(name)
            can = style is not None and any(p.name == NOISE for p in style.params)
            own = [float(s.partition("=")[2]) for s in settings if s.partition("=")[0] == NOISE]
            kept = [s for s in settings if s.partition("=")[0] != NOISE]
            if can:
                erring += 1
                kept.append(f"{NOISE}={max([temperature, *own])!r}")
            entries.append(":".join([name, *kept]) + star + times)
        found.append(",".join(entries))
    if not erring:
        raise PlanError(
            f"--skill: no style of '{text}' has a parameter '{NOISE}' by which it errs."
        )
    return found
