"""All tests of this folder know the toy game."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module", autouse=True)
def _toy_is_there(toy: Path) -> None:
    """It is a game like any other."""
