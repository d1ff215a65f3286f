"""The folder of an experiment: new, begun by the same command, or left alone."""

from __future__ import annotations

from pathlib import Path

from simulate.errors import StoreError
from simulate.experiments import arms
from simulate.store import RUN_FILE


def claim(folder: Path, kind: str, game: str) -> None:
    """StoreError unless a folder is new or holds an experiment of this kind and game.

    Whether its arms are those asked for is told when they are played.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if (folder / RUN_FILE).is_file():
        raise StoreError(f"{folder} is a run folder; choose another folder with --out.")
    if (folder / arms.EXPERIMENT_FILE).is_file():
        told = arms.read(folder)
        held = (str(told.get("experiment")), str(told.get("game")))
        if held != (kind, game):
            raise StoreError(
                f"{folder} holds another experiment ({held[0]} of {held[1]}); choose another folder "
                "with --out."
            )
    elif not (folder / "arms").is_dir():
        raise StoreError(f"{folder} is there already and is no experiment; it is left alone.")
