"""Makes the toy game visible to the registry while a test module runs."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parent


@contextmanager
def toy_game() -> Iterator[Path]:
    """The toy game can be found inside, and no longer outside."""
    from simulate import registry

    before = os.environ.get(registry.PATH_VARIABLE)
    os.environ[registry.PATH_VARIABLE] = str(FOLDER)
    registry.open_paths()
    try:
        yield FOLDER
    finally:
        if before is None:
            del os.environ[registry.PATH_VARIABLE]
        else:
            os.environ[registry.PATH_VARIABLE] = before
        for package in ("simulate.games", "strategies", "reports.games"):
            try:
                path = importlib.import_module(package).__path__
            except ImportError:
                continue
            for entry in [p for p in path if str(p).startswith(str(FOLDER))]:
                path.remove(entry)
        registry.game.cache_clear()
