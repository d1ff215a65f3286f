"""Fixtures of all tests: the project's tree is importable, caches go to the user's cache folder."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib
import pytest

matplotlib.use("Agg")

_spec = importlib.util.spec_from_file_location(
    "toy_visible", Path(__file__).parent / "toy" / "visible.py"
)
assert _spec is not None
assert _spec.loader is not None
_visible = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_visible)

TOY_LINEUP = "runner:near=4,walker,random"

UPDATES = {
    "--update-playthroughs": "write the golden games of tests/playthroughs anew",
    "--update-lanes": "write the golden digests of tests/lanes anew",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options that write goldens."""
    for name, told in UPDATES.items():
        parser.addoption(name, action="store_true", default=False, help=told)


def pytest_configure(config: pytest.Config) -> None:
    """Goldens are written by somebody who looks at them, never by a build machine."""
    for name in UPDATES:
        if config.getoption(name) and os.environ.get("CI"):
            raise pytest.UsageError(f"{name} is refused when CI is set: look at what changes.")


@pytest.fixture(scope="module")
def toy() -> Iterator[Path]:
    """The toy game is a game like any other."""
    with _visible.toy_game() as folder:
        yield folder


@pytest.fixture(scope="module")
def plan(toy: Path) -> Callable[..., Any]:
    """Makes plans of the toy game."""

    def make(n: int | str = 3000, **options: Any) -> Any:
        from simulate.request import Request

        return Request("toy", n, **{"lineup": TOY_LINEUP, **options}).plan()

    return make


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of few games, so that a short run has several."""
    from simulate import batch, plan

    monkeypatch.setattr(plan, "SHARD_GAMES", 400)
    monkeypatch.setattr(batch, "PIECE_GAMES", 100)
