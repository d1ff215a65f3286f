"""Kinds of answers, for what an act is worth: where a token alone does not tell the kind."""

from __future__ import annotations

from typing import Any

from simulate.games.biathlon import state as s


def act(state: Any, rules: Any, work: Any, code: int, token: Any) -> str:
    """The kind of an option of the question asked now; ``work`` holds its routes."""
    asked = int(state["phase"])
    if asked == s.ASK_MOVE:
        return "paid way" if int(work["route_cost"][code]) > 0 else "free way"
    if asked == s.ASK_SLIDE:
        return "slide" if code else "stay"
    if asked == s.ASK_DRAFT:
        return "draft" if code else "no draft"
    if asked == s.ASK_WAX:
        return "use wax" if code else "no wax"
    return str(token)
