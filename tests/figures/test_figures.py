"""The figures of the specification, the simulated ones with a tenth of the games."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHARE = 0.1
pytestmark = pytest.mark.figures


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, Any]]:
    """The modules of this folder, which stand beside the test."""
    folder = str(Path(__file__).parent)
    sys.path.insert(0, folder)
    try:
        yield {name: importlib.import_module(name) for name in ("exact", "simulated")}
    finally:
        sys.path.remove(folder)


def test_exact_figures_agree_in_every_digit(modules: dict[str, Any]) -> None:
    """X1 to X16, X21, X22: every outcome of chance through the kernels."""
    found = list(modules["exact"].figures())

    assert {one.name for one in found} == {f"X{n}" for n in (*range(1, 17), 21, 22)}
    assert [one.row() for one in found if not one.ok] == []


def test_simulated_figures_are_within_four_standard_errors(modules: dict[str, Any]) -> None:
    """X17 to X20 and X23 to X25, from an independent engine."""
    found = list(modules["simulated"].figures(SHARE))

    assert {one.name for one in found} == {f"X{n}" for n in (17, 18, 19, 20, 23, 24, 25)}
    assert [one.row() for one in found if not one.ok] == []
