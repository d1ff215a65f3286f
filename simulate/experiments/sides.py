"""The sides of a comparison: strings of plan options, ``--set range.lap_length=4 --players 4``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from simulate.errors import PlanError
from simulate.texts import as_list

ONE = {
    "--players": "players",
    "-p": "players",
    "--course": "layout",
    "--board": "layout",
    "--setup": "layout",
    "--nations": "nations",
    "--seating": "seating",
    "--strategy-file": "strategy_file",
}
SEVERAL = {"--set": "set", "--rules": "rules", "--variant": "variant"}
LINEUPS = ("--lineup", "--strategies")
ALLOWED = (*SEVERAL, *LINEUPS, *(name for name in ONE if name.startswith("--")))


def parse(text: str, option: str) -> dict[str, Any]:
    """The plan options that a side's text sets, as ``Request`` takes them.

    ``option``: the name under which the text was given, for messages.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise PlanError(f"{option}: '{text}' cannot be read: {error}.") from error
    given: dict[str, Any] = {}
    while words:
        name, value = _next(words, option)
        if name in SEVERAL:
            given.setdefault(SEVERAL[name], []).append(value)
        elif name in LINEUPS:
            given.setdefault("lineup", []).append(value)
        elif name in ONE:
            given[ONE[name]] = value
        else:
            raise PlanError(
                f"{option}: '{name}' is no option of a side. Options: {', '.join(ALLOWED)}."
            )
    return given


def _next(words: list[str], option: str) -> tuple[str, str]:
    """Take an option and its value off the front."""
    name, equals, value = words.pop(0).partition("=")
    if not name.startswith("-"):
        raise PlanError(f"{option}: '{name}' is no option; write for example --set KEY=VALUE.")
    if equals:
        return name, value
    if not words:
        raise PlanError(f"{option}: {name} needs a value.")
    return name, words.pop(0)


def laid_over(common: Mapping[str, Any], side: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a side over those that all sides share; changes of rules are added to them."""
    both = dict(common)
    for name, value in side.items():
        if name in SEVERAL.values():
            both[name] = _added(both.get(name, ()), value)
        else:
            both[name] = value
    return both


def _added(shared: Any, own: Any) -> Any:
    """Changes of rules in both: two mappings or two lists of texts."""
    if isinstance(shared, Mapping) != isinstance(own, Mapping) and shared and own:
        raise PlanError("Give all changes of rules as texts (key=value), or all as mappings.")
    if isinstance(shared, Mapping) or isinstance(own, Mapping):
        return {**dict(shared), **dict(own)}
    return [*as_list(shared), *as_list(own)]
