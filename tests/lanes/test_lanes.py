"""Compiled code and plain Python play the same games: the same choices, so the same records.

In the compiled lane a second process plays in plain Python. In the plain-Python lane (`make
test-python`) the records must meet stored digests; `--update-lanes` writes those anew.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simulate import jit, registry

HERE = Path(__file__).parent
GOLDEN = HERE / "golden.json"
_spec = importlib.util.spec_from_file_location("lane", HERE / "lane.py")
assert _spec is not None
assert _spec.loader is not None
lane = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(lane)


@pytest.fixture(scope="module")
def here() -> dict[str, Any]:
    """The records of this lane."""
    made: dict[str, Any] = lane.play_all()
    return made


def _digests(made: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Game to line-up to digest of its records."""
    return {
        game: {
            line: hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
            for line, told in games.items()
        }
        for game, games in made.items()
    }


def test_every_strategy_plays(here: dict[str, Any]) -> None:
    """No strategy of a book is left out."""
    for game, games in here.items():
        played = {name for line in games for name in line.partition(": ")[2].split(",")}
        assert played == set(registry.book(game).names())


def test_records_are_those_of_the_golden_digests(
    here: dict[str, Any], pytestconfig: pytest.Config
) -> None:
    """Both lanes, on every machine, meet the same stored digests."""
    digests = _digests(here)
    if pytestconfig.getoption("--update-lanes"):
        GOLDEN.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")

    assert digests == json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.skipif(not jit.compiled(), reason="this is the plain-Python lane")
def test_plain_python_leaves_the_records_of_compiled_code(
    here: dict[str, Any], tmp_path: Path
) -> None:
    """A process without the compiler plays the same games, byte for byte."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run(
        [sys.executable, "-W", "ignore", str(HERE / "lane.py"), str(tmp_path / "plain.json")],
        env=environment,
        check=True,
        timeout=1200,
    )
    plain = json.loads((tmp_path / "plain.json").read_text(encoding="utf-8"))

    for game, games in here.items():
        for line, told in games.items():
            wrong = [name for name, value in told.items() if plain[game][line][name] != value]
            assert wrong == [], (game, line)
