"""Kinds of answers, for what an act is worth: where a token alone does not tell the kind."""

from __future__ import annotations

from typing import Any

from simulate.games.pistengaudi import state as s

OUTCOMES = ("stop", "fall", "enter the goal")
WAYS = ("up", "to the side", "to the side", "down")


def act(state: Any, rules: Any, work: Any, code: int, token: Any) -> str:
    """The kind of an option of the question asked now."""
    asked = int(state["phase"])
    if asked == s.ASK_MOVE:
        return OUTCOMES[code // s.N_CELLS]
    if asked == s.ASK_SNOW:
        return f"throw at {_whom(state, code - 1)}" if code else "no throw"
    if asked == s.ASK_GROOM:
        return f"groom {WAYS[(code - 1) % 4]}" if code else "no grooming"
    if asked == s.ASK_EMPTY:
        return "take a card" if code else "forgo"
    return "place"


def _whom(state: Any, seat: int) -> str:
    """Whether a figure is the furthest down of the others, alone or not."""
    asker = int(state["to_move"])
    others = [other for other in range(int(state["n_seats"])) if other != asker]
    rows = {other: _progress(state, other) for other in others}
    return "the leader" if rows[seat] == max(rows.values()) else "somebody behind"


def _progress(state: Any, seat: int) -> tuple[int, int]:
    """Depth in the goal, then the row on the slope."""
    return int(state["area"][seat]), int(state["cell"][seat]) % s.STRIDE
