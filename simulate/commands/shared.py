"""Options that come in a set: a command takes the whole set as one parameter.

    @app.command()
    @with_shared_options(without=("seating",))
    def luck(what: …, *, plan: Options, play: Options, report: Report = True) -> None:

On the command line the parameter ``plan`` stands for the options of a plan (who plays, which rules,
which seed) and ``play`` for how the games are played (workers, folder). The function is given them as
``Request`` and the experiments take them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from simulate.commands.options import (
    Backend,
    BackendOption,
    Chunk,
    Jobs,
    Layout,
    Lineup,
    Nations,
    Out,
    Players,
    RulesFiles,
    Seating,
    SeatingOption,
    Seed,
    Set,
    StrategyFile,
    Variant,
    polars_threads,
)

Options = dict[str, Any]

PLAN: Mapping[str, tuple[Any, Any]] = {
    "players": (Players, None),
    "lineup": (Lineup, None),
    "strategy_file": (StrategyFile, None),
    "nations": (Nations, None),
    "layout": (Layout, None),
    "seating": (SeatingOption, Seating.rotate),
    "set": (Set, None),
    "rules": (RulesFiles, None),
    "variant": (Variant, None),
    "seed": (Seed, 1),
}
PLAY: Mapping[str, tuple[Any, Any]] = {
    "jobs": (Jobs, None),
    "chunk": (Chunk, None),
    "backend": (BackendOption, Backend.threads),
    "out": (Out, None),
}
SETS = {"plan": PLAN, "play": PLAY}
LISTS = ("lineup", "set", "rules", "variant")  # options that may be given several times


def with_shared_options(
    without: Sequence[str] = (),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take the options of ``plan`` and ``play``, but for those ``without``."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters
        taken = {name: _taken(name, without) for name in SETS if name in own}

        @wraps(command)
        def call(**given: Any) -> None:
            sets = {
                name: {key: _plain(key, given.pop(key)) for key in keys}
                for name, keys in taken.items()
            }
            if "play" in sets:
                polars_threads(sets["play"]["jobs"])
            command(**given, **sets)

        parameters: list[inspect.Parameter] = []
        for name, parameter in own.items():
            parameters += taken[name].values() if name in taken else [parameter]
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [parameter.replace(kind=keyword) for parameter in parameters]
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        call.__annotations__ = {p.name: p.annotation for p in parameters}
        return call

    return decorate


def _taken(name: str, without: Sequence[str]) -> dict[str, inspect.Parameter]:
    """The parameters that a set stands for."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    return {
        key: inspect.Parameter(key, keyword, default=default, annotation=annotation)
        for key, (annotation, default) in SETS[name].items()
        if key not in without
    }


def _plain(key: str, value: Any) -> Any:
    """A value as ``Request`` and the experiments take it."""
    if key in LISTS:
        return tuple(value or ())
    return value.value if isinstance(value, Seating | Backend) else value
