"""A strategy file of the user's own, from the command line: it plays, starts warm, tells its errors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulate import jit

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "my_strategy.py"
HEAD = "from strategies.book import strategy\n\n\n@strategy\n"
KERNEL = HEAD + "def bold(state, rules, work, params, policy, position):\n"

compiled_only = pytest.mark.skipif(not jit.compiled(), reason="about compiled code")


def _run(folder: Path, file: Path, line: str, out: str) -> subprocess.CompletedProcess[str]:
    """Forty races of the command line, in a process of their own."""
    command = [
        sys.executable, "-m", "simulate", "run", "--game", "biathlon", "--n", "40",
        "--strategy-file", str(file), "--lineup", line, "--no-report", "--out", out,
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=1800
    )


@compiled_only
@pytest.mark.slow
def test_the_documented_example_plays_and_its_second_start_is_warm(tmp_path: Path) -> None:
    """The first start compiles and may say so; the second finds everything ready."""
    line = "thrifty:keep=4,pacer,random,thrifty"
    first = _run(tmp_path, EXAMPLE, line, "first")
    second = _run(tmp_path, EXAMPLE, line, "second")

    assert first.returncode == 0, first.stderr
    assert second.returncode == 0, second.stderr
    assert "Compiling" not in second.stderr
    games = [
        (tmp_path / out / "games" / "00000.parquet").read_bytes() for out in ("first", "second")
    ]
    assert games[0] == games[1]


def test_the_example_is_listed(tmp_path: Path) -> None:
    """`simulate strategies` shows the user's strategy with its parameters; nothing is compiled."""
    told = subprocess.run(
        [sys.executable, "-m", "simulate", "strategies", "biathlon", "--strategy-file", EXAMPLE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )

    assert "thrifty\tbuys while it can spare it\tkeep=6" in told.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (KERNEL + "    return work['n_options'\n", "line 6"),
        ("from strategies.book import strategi\n", "line 1"),
        ("import nowhere_at_all\n" + KERNEL + "    return 0\n", "line 1"),
        (HEAD + "def bold(state, rules):\n    return 0\n", "must take"),
        ("bold = 1\n", "no function is marked @strategy"),
        (KERNEL.replace("bold", "pacer") + "    return 0\n", "'pacer' already"),
    ],
)
def test_an_error_in_a_file_is_told_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    """Python's own errors, before anything is compiled: exit code 2, no traceback."""
    mine = tmp_path / "mine.py"
    mine.write_text(text, encoding="utf-8")

    told = _run(tmp_path, mine, "bold,pacer,random,pacer", "run")

    assert told.returncode == 2, told.stderr
    assert "mine.py" in told.stderr
    assert words in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "run").exists()


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('    return state["no_such_field"]\n', "line 6"),
        ('    return work["n_options"]\n', "no option"),
    ],
)
def test_what_the_compiler_or_the_table_refuses_is_told(
    tmp_path: Path, body: str, words: str
) -> None:
    """A kernel that does not compile, and an answer that is no option."""
    mine = tmp_path / "mine.py"
    mine.write_text(KERNEL + body, encoding="utf-8")

    told = _run(tmp_path, mine, "bold,pacer,random,pacer", "run")

    assert told.returncode == 2, told.stderr
    assert "mine.py" in told.stderr
    assert words in told.stderr
    assert "Traceback" not in told.stderr
