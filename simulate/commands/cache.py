"""Commands about compiled code that is kept on disk."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from simulate.commands.app import Safe, app, complain

cache_app = typer.Typer(
    cls=Safe,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The compiled code that is kept on disk.",
)
app.add_typer(cache_app, name="cache")


@cache_app.command("clear")
def cache_clear() -> None:
    """Delete all compiled code; the next start compiles again.

    Example: simulate cache clear
    """
    from simulate import registry

    folders, size = registry.clear_cache()
    print(f"{folders} folders with {size / 1e6:.1f} MB of compiled code are deleted.")


@cache_app.command("warm")
def cache_warm(
    game: Annotated[str, typer.Argument(help="The game; all games without it.")] = "",
) -> None:
    """Compile what runs, replays and scripted positions need, so that later starts are quick.

    Several games are compiled beside each other, a process for each.

    Example: simulate cache warm biathlon
    """
    from simulate import api

    names = [game] if game else [known.name for known in api.games()]
    if len(names) == 1:
        api.warm(names[0], say=complain)
        return
    from joblib import Parallel, delayed

    Parallel(n_jobs=min(len(names), os.cpu_count() or 1))(
        delayed(api.warm)(name, say=complain) for name in names
    )


@cache_app.command("show")
def cache_show() -> None:
    """Say where compiled code is kept.

    Example: simulate cache show
    """
    from simulate import registry

    print(registry.cache_root())
