"""The figures of the specifications, the simulated ones with a tenth of the games."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from simulate import jit

SHARE = 0.1
pytestmark = [
    pytest.mark.figures,
    pytest.mark.skipif(not jit.compiled(), reason="needs the speed of compiled code"),
]

_spec = importlib.util.spec_from_file_location("figures_run", Path(__file__).parent / "run.py")
assert _spec is not None
assert _spec.loader is not None
run = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(run)


@pytest.mark.parametrize("game", run.games())
def test_every_figure_of_a_specification_agrees(game: str) -> None:
    """Exact ones in every digit, simulated ones within four standard errors."""
    package = run.package(game)
    found = list(package.figures(SHARE))

    assert {one.name for one in found} == set(package.NAMES)
    assert [one.row() for one in found if not one.ok] == []
