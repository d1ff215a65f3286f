"""Fixtures of all tests: the project's tree is importable, caches go to the user's cache folder."""

from __future__ import annotations

import os

import matplotlib
import pytest

matplotlib.use("Agg")

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
