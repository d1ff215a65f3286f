"""Kinds of answers, for what an act is worth: where a token alone does not tell the kind."""

from __future__ import annotations

from typing import Any

from simulate.games.skull_canyon import state as s


def act(state: Any, rules: Any, work: Any, code: int, token: Any) -> str:
    """The kind of an option of the question asked now."""
    asked, seat = int(state["phase"]), int(state["to_move"])
    if asked == s.ASK_CLAIM:
        return _claim(state, seat) if code == s.YES else "decline"
    if asked == s.ASK_YETI:
        return f"on a run topped by {_owner(state, seat, code)}"
    if asked == s.ASK_GEAR:
        return "buy" if code else "buy nothing"
    if asked == s.ASK_SLIDE:
        return "pay" if code == s.SLIDE_PAY else "slide"
    if asked == s.ASK_ADD:
        return "stop" if code == s.ADD_STOP else "add a card"
    return str(token).split(":")[0]


def _top(state: Any, run: int) -> int:
    """Seat of the top marker of a run, -1 without one."""
    count = int(state["stack_n"][run])
    return int(state["stack"][run, count - 1]) if count else -1


def _claim(state: Any, seat: int) -> str:
    """What a claim of the run just skied is (SC-CLAIM-05)."""
    top = _top(state, int(state["skied"]))
    if top < 0:
        return "claim first"
    return "claim again" if top == seat else "steal"


def _owner(state: Any, seat: int, run: int) -> str:
    """Whose the top marker of a run is."""
    top = _top(state, run)
    if top < 0:
        return "nobody"
    return "oneself" if top == seat else "a rival"
