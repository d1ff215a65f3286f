"""Synthetic runs and their reports, made once a session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from synthetic import Shape, SyntheticRun  # noqa: E402

import reports  # noqa: E402

MakeRun = Callable[..., SyntheticRun]


@pytest.fixture(scope="session")
def make_run(tmp_path_factory: pytest.TempPathFactory) -> MakeRun:
    """``make_run(n=…, players=…, …)``: a run folder of drawn numbers."""

    def make(**shape: Any) -> SyntheticRun:
        return SyntheticRun(Shape(**shape), tmp_path_factory.mktemp("runs") / "runs" / "synthetic")

    return make


@pytest.fixture(scope="session")
def usual(make_run: MakeRun) -> SyntheticRun:
    """A run as most people make one: four players, eight styles, one of them stronger."""
    return make_run(n=30_000, strength={"drafter": 0.25})


@pytest.fixture(scope="session")
def usual_html(usual: SyntheticRun) -> str:
    """Its report."""
    return reports.build(usual).read_text()


@pytest.fixture(scope="session")
def wide(make_run: MakeRun) -> SyntheticRun:
    """Several player counts and courses."""
    return make_run(n=12_000, players=(2, 4), layouts=("starter", "flat_short"))


@pytest.fixture(scope="session")
def wide_html(wide: SyntheticRun) -> str:
    """Its report."""
    return reports.build(wide).read_text()
