"""Commands that list what there is: games, rules, strategies, treatments."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from simulate.commands.app import app, print_table
from simulate.commands.options import (
    GameArgument,
    RulesFiles,
    Set,
    StrategyFile,
    Variant,
    option,
)


@app.command()
def games() -> None:
    """List the games.

    Example: simulate games
    """
    from simulate import registry

    rows = [
        [g.name, g.title, ",".join(str(p) for p in g.players), g.rules_version, g.summary]
        for g in registry.games()
    ]
    print_table("Games", ["game", "title", "players", "rules", "what it is"], rows)


@app.command()
def rules(
    game: GameArgument,
    variants: Annotated[bool, option("--variants", help="List the overlays that ship.")] = False,
    changed: Annotated[
        bool, option("--changed", help="Only what differs from the shipped rules.")
    ] = False,
    set_: Set = None,
    files: RulesFiles = None,
    variant: Variant = None,
) -> None:
    """Print the rules of a game.

    Every rule with its value, its source and its alternatives.

    Example: simulate rules biathlon --set range.lap_length=4
    """
    from simulate import registry
    from simulate import rules as loader

    registry.folder(game)
    if variants:
        rows = [[v.name, v.summary] for v in loader.variants(game)]
        print_table(f"Variants of {game}", ["variant", "what it changes"], rows)
        return
    found = loader.load(game, variant or (), files or (), set_ or ())
    rows = []
    for row in found.provenance:
        if changed and not row["changed"]:
            continue
        other = row.get("alternatives")
        rows.append(
            [
                row["key"],
                loader.show(row["value"]) + (" (changed)" if row["changed"] else ""),
                row.get("source") or "",
                "" if other in (None, []) else loader.show(other),
            ]
        )
    print_table(
        f"Rules of {game} (digest {found.digest[:12]})",
        ["key", "value", "source", "alternatives"],
        rows,
        show_lines=False,
    )
    for warning in found.warnings:
        print(f"Note: {warning}", file=sys.stderr)


@app.command()
def strategies(
    game: GameArgument,
    strategy_file: StrategyFile = None,
) -> None:
    """List the strategies of a game.

    With their parameters, and the default line-ups.

    Example: simulate strategies biathlon
    """
    from simulate import registry

    book = registry.book(game, strategy_file)
    rows = []
    for one in book.strategies:
        params = " ".join(f"{p.name}={p.default:g}" for p in one.params if not _says_nothing(p))
        rows.append([one.name, one.summary, params])
    print_table(
        f"Strategies of {game}",
        ["strategy", "how it plays", "parameters other than 0"],
        rows,
    )
    _print_params(book)
    lines = [[count, text] for count, text in sorted(book.default_lineup.items())]
    print()
    print_table("Default line-ups", ["players", "line-up"], lines)


def _says_nothing(param: Any) -> bool:
    """Whether a parameter is left at 0, or as the one that it follows."""
    return param.default == 0 or (bool(param.follows) and param.default == param.low)


def _print_params(book: Any) -> None:
    """Every parameter once, with bounds and meaning; those that follow another beside it."""
    params = {param.name: param for one in book.strategies for param in one.params}
    followers: dict[str, list[str]] = {}
    for param in params.values():
        if param.follows:
            first = param.follows
            while params[first].follows:
                first = params[first].follows
            followers.setdefault(first, []).append(param.name)
    rows = [
        [p.name, f"{p.low:g}", f"{p.high:g}", p.meaning, ", ".join(followers.get(p.name, []))]
        for p in params.values()
        if not p.follows
    ]
    if not rows:
        return
    print()
    columns = ["parameter", "low", "high", "meaning", "from a later point on"]
    print_table("Parameters", columns, rows)


@app.command()
def treatments(game: GameArgument) -> None:
    """List what an experiment can force or grant in a game.

    Example: simulate treatments biathlon
    """
    from simulate import registry

    rows = []
    for hook in registry.game(game).module("words").TREATMENTS:
        fields = ", ".join(f"{name} = {value}" for name, value in hook.fields.items())
        values = f"{hook.low} to {hook.high}" if hook.parameter else ""
        rows.append([hook.name, hook.meaning, fields, values, hook.questions])
    print_table(
        f"Treatments of {game}",
        ["treatment", "the treated seat …", "sets", "values", "questions"],
        rows,
    )
