"""What an experiment can force or grant: named treatments of a game (``words.TREATMENTS``)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulate.errors import PlanError


@dataclass(frozen=True)
class Hook:
    """A treatment that ships: which fields of TREATMENT it sets to what, and what that means.

    Seats without it keep zeros, and a value of zero is what the rules say.
    """

    name: str
    fields: Mapping[str, int]
    meaning: str
    questions: str = ""  # the specification's questions that it answers
    parameter: str = ""  # the field that ``--hook name=value`` sets; "" for none
    low: int = 0  # its bounds
    high: int = 0
    source: str = ""  # the source of chance that it renews ("own race dice"), for the luck ledger
    of_table: bool = False  # it acts on all seats, whoever is treated
    amount: bool = False  # the value is how much the seat is given, not which or when


def find(hooks: Sequence[Hook], text: str) -> tuple[Hook, dict[str, int]]:
    """The hook and the treatment that ``name`` or ``name=value`` tells."""
    name, equals, number = (part.strip() for part in text.partition("="))
    hook = next((h for h in hooks if h.name == name), None)
    if hook is None:
        near = difflib.get_close_matches(name, [h.name for h in hooks], n=1)
        hint = f"Did you mean '{near[0]}'? " if near else ""
        known = ", ".join(h.name for h in hooks)
        raise PlanError(f"--hook: there is no treatment '{name}'. {hint}Treatments: {known}.")
    fields = dict(hook.fields)
    if equals:
        parameter = _parameter(hook)
        fields[parameter] = _value(hook, number)
    return hook, fields


def _parameter(hook: Hook) -> str:
    """The field that a value goes to."""
    if not hook.parameter:
        raise PlanError(f"--hook: the treatment '{hook.name}' takes no value.")
    return hook.parameter


def _value(hook: Hook, text: str) -> int:
    """The value that a user gave, in bounds."""
    try:
        value = int(text)
    except ValueError:
        raise PlanError(f"--hook {hook.name}: '{text}' is no whole number.") from None
    if not hook.low <= value <= hook.high:
        raise PlanError(f"--hook {hook.name}: {value} is out of bounds, {hook.low} to {hook.high}.")
    return value
