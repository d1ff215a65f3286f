"""What a forest set-up is like in numbers, for the question which of it makes games fair or wild."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LENGTH = ""  # slopes of all set-ups are equally long


def features(model: Mapping[str, Any]) -> dict[str, float]:
    """How much forest there is, how far down, and how much of it in one piece, by name."""
    forest = forest_of(model)
    last = int(model["slope"]["cards"])
    pieces, run = 0, 0
    for card in range(1, last + 1):
        run = run + 1 if card in forest else 0
        pieces = max(pieces, run)
    middle = sum(forest) / len(forest) if forest else (1 + last) / 2
    return {
        "Cards with forest": float(len(forest)),
        "How far down the forest lies": (middle - 1) / max(last - 1, 1),
        "Longest forest, cards": float(pieces),
    }


def forest_of(model: Mapping[str, Any]) -> list[int]:
    """Numbers of the slope cards with forest, from the top."""
    told = model["slope"]["forest"]
    cards = model["layouts"][told]["cards"] if isinstance(told, str) else told
    return [int(card) for card in cards]
