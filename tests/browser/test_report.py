"""Reports of real runs in Chromium: wide and narrow, light and dark."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import simulate

pytestmark = pytest.mark.browser

_spec = importlib.util.spec_from_file_location(
    "check_report", Path(__file__).with_name("check_report.py")
)
assert _spec is not None
assert _spec.loader is not None
check_report = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_report)

RUNS: dict[str, dict[str, Any]] = {
    "usual": {"n": 3000},
    "few games": {"n": 50},
    "two players": {"n": 1200, "players": 2},
    "courses and counts": {"n": 2400, "players": "2,4", "layout": "starter,long_three"},
}


@pytest.mark.parametrize("name", RUNS)
def test_report_is_sound_in_the_browser(name: str, tmp_path: Path) -> None:
    """No overflow, no console error, no request, text inside its plot, tables sort."""
    run = simulate.run("biathlon", out=tmp_path / "run", **RUNS[name])

    assert list(check_report.problems(Path(run.report()))) == []
