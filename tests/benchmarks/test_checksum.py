"""The records of a small fixed plan are the same in every lane and on every machine."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).parent / "checksum.py"
_spec = importlib.util.spec_from_file_location("benchmark_checksum", FILE)
assert _spec is not None and _spec.loader is not None
checksum = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(checksum)


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    """The checksums as they are now, in the lane of this process."""
    return checksum.small_checksums()


@pytest.mark.parametrize("name", list(checksum.SMALL))
def test_what_is_played_has_not_changed(found: dict[str, str], name: str) -> None:
    """A change on purpose is written down with ``checksum.py --update``."""
    expected = json.loads(checksum.EXPECTED.read_text(encoding="utf-8"))

    assert found[name] == expected[name]


def test_the_update_is_refused_where_ci_is_set() -> None:
    """A golden value that a test run rewrites cannot fail."""
    before = checksum.EXPECTED.read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(FILE), "--update"],
        env={**os.environ, "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "refused" in done.stdout
    assert checksum.EXPECTED.read_text(encoding="utf-8") == before
