"""The toy game for all tests of this folder."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

_spec = importlib.util.spec_from_file_location(
    "toy_visible", Path(__file__).parents[1] / "toy" / "visible.py"
)
_visible = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_visible)

LINEUP = "runner:near=4,walker,random"


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[Path]:
    """The toy game is a game like any other."""
    with _visible.toy_game() as folder:
        yield folder


@pytest.fixture(scope="module")
def plan(toy: Path) -> Callable[..., Any]:
    """Makes plans of the toy game."""

    def make(n: int | str = 3000, **options: Any) -> Any:
        from simulate.request import Request

        return Request("toy", n, **{"lineup": LINEUP, **options}).plan()

    return make


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of few games, so that a short run has several."""
    from simulate import batch, plan

    monkeypatch.setattr(plan, "SHARD_GAMES", 400)
    monkeypatch.setattr(batch, "PIECE_GAMES", 100)
