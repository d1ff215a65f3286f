"""The strings of Toy Dash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulate.hooks import Hook

TOKENS = ("walk", "run")
KINDS = ("setup", "round", "throw", "step", "over")

TREATMENTS = (
    Hook(
        "head_start", {"start_space": 2}, "starts ahead", "Q1", "start_space", 1, 10, amount=True
    ),
    Hook("no_run", {"no_run": 1}, "may not run", "Q2"),
    Hook("dice_shift", {"dice_shift": 1}, "other dice", "Q3", "dice_shift", 1, 9, "own dice"),
    Hook(
        "rival_dice_shift", {"rival_dice_shift": 1}, "its rivals have other dice", "Q3",
        "rival_dice_shift", 1, 9, "others' dice",
    ),
    Hook(
        "policy_shift", {"policy_shift": 1}, "other coins of all strategies", "Q3",
        "policy_shift", 1, 9, "whims of the players", of_table=True,
    ),
)  # fmt: skip


def question(code: int) -> str:
    """Name of a question."""
    return "GO" if code >= 0 else ""


def action(state: Any, rules: Any, work: Any, code: int, vocab: Mapping[str, Any]) -> str:
    """Token of an option."""
    return TOKENS[code]


def events(rows: Any, rules: Any, vocab: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Events as dicts."""
    names = {
        "setup": ("space",), "round": ("round",), "throw": ("face",), "step": ("steps", "space"),
        "over": ("home",),
    }  # fmt: skip
    found = []
    for row in rows:
        kind = KINDS[int(row["kind"])]
        event: dict[str, Any] = {"event": kind}
        if int(row["seat"]) >= 0:
            event["seat"] = int(row["seat"])
        for name, field in zip(names[kind], "ab", strict=False):
            event[name] = int(row[field])
        found.append(event)
    return found


def sentence(event: Mapping[str, Any]) -> str:
    """One line of words."""
    if event["event"] == "ask":
        return f"  Seat {event['seat']} may {' or '.join(event['options'])}: {event['chosen']}."
    rest = ", ".join(f"{k} {v}" for k, v in event.items() if k != "event")
    return f"{event['event']}: {rest}"


def state(state: Any, rules: Any, vocab: Mapping[str, Any]) -> dict[str, Any]:
    """Readable state."""
    n = int(state["n_seats"])
    return {
        "round": int(state["round"]),
        "to_move": int(state["to_move"]),
        "question": question(int(state["phase"])),
        "seats": {str(i): {"space": int(state["space"][i])} for i in range(n)},
        "over": bool(state["over"]),
    }
