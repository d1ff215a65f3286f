"""Every figure of the specifications' last sections beside ours, in one table a game.

    python tests/figures/run.py                       all games: as many as the reference played
    python tests/figures/run.py --share 0.1           a tenth of them
    python tests/figures/run.py --game skull_canyon   one game

Exact figures must agree in every printed digit, simulated ones within four standard errors of the
difference. The exit code is 1 when one does not.

A game's figures are a package of this folder, named as the game: ``NAMES`` of all its figures, and
``figures(share)``, which makes them.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
for _folder in (HERE, HERE.parents[1]):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

import figure  # noqa: E402


def games() -> list[str]:
    """Games that have figures here."""
    return sorted(file.parent.name for file in HERE.glob("*/__init__.py"))


def package(game: str) -> Any:
    """The figures of a game, under a name of its own: other folders have packages named so, too."""
    name = f"figures_of_{game}"
    if name not in sys.modules:
        path = HERE / game
        spec = importlib.util.spec_from_file_location(
            name, path / "__init__.py", submodule_search_locations=[str(path)]
        )
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


def tell(game: str, share: float) -> int:
    """Print the table of a game; how many figures are off."""
    began = time.monotonic()
    named = package(game)
    order = {name: place for place, name in enumerate(named.NAMES)}
    found = sorted(named.figures(share), key=lambda one: order[one.name])
    print(f"{game}\n{figure.table(found)}")
    off = sum(not one.ok for one in found)
    seconds = time.monotonic() - began
    print(f"\n{len(found)} figures, {off} off, {seconds:.0f} s, share {share:g}\n")
    return off


def main() -> int:
    """Print the tables; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--game", choices=games(), help="one game; all of them without it")
    parser.add_argument("--share", type=float, default=1.0, help="share of the games, 0-1")
    given = parser.parse_args()
    chosen = [given.game] if given.game else games()
    return int(sum(tell(game, given.share) for game in chosen) > 0)


if __name__ == "__main__":
    sys.exit(main())
