"""The command line: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import simulate
from simulate.cli import app

ROOT = Path(__file__).parents[2]
GROUPS = {name: getattr(one, "commands", {}) for name, one in get_command(app).commands.items()}
COMMANDS = [name for name, inner in GROUPS.items() if not inner]
COMMANDS += [f"{name} {one}" for name, inner in GROUPS.items() for one in inner]


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Call a command in an empty folder; the result."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def invoke(*args):
        return CliRunner().invoke(app, [str(a) for a in args])

    return invoke


@pytest.fixture
def made(call):
    """A small run, and its folder."""
    done = call("run", "--game", "toy", "--n", 400, "--no-report", "--out", "made")
    assert done.exit_code == 0, done.output
    return Path("made")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_an_example(call, command):
    done = call(*command.split(), "--help")

    assert done.exit_code == 0
    assert "Example: simulate" in done.output


def test_version(call):
    done = call("--version")
    assert (done.exit_code, done.stdout) == (0, f"simulate {simulate.__version__}\n")


def test_run_says_that_it_rounds_up(call):
    done = call("run", "-g", "toy", "-n", 10, "--no-report", "--out", "x")

    assert done.exit_code == 0
    assert "rounded up to 12" in done.stderr
    assert done.stdout.strip() == "x"


def test_a_run_tells_its_verdicts_in_the_terminal(call):
    """Without opening the page: who has an advantage. Standard output is the page's place alone."""
    done = call("run", "-g", "toy", "-n", "2k", "--out", "told")

    assert done.stdout.strip() == "told/report.html"
    assert "Is the start order fair? " in done.stderr
    assert "Are the styles of play equally strong? Runner wins most" in done.stderr


def test_default_folder_is_found_again(call):
    first = call("run", "-g", "toy", "-n", "1k", "--no-report")
    second = call("run", "-g", "toy", "-n", 1000, "--no-report")

    assert first.stdout == second.stdout
    assert first.stdout.startswith("runs/toy-1k-")
    assert "nothing to play" in second.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["run", "--game", "tou"], "Did you mean 'toy'"),
        (["run", "--game", "toy", "--n", "1.5"], "no whole number"),
        (["run", "--game", "toy", "--n", "-3"], "--n"),
        (["run", "--game", "toy", "--n", "1e99"], "more than"),
        (["run", "--game", "toy", "--players", "9"], "2, 3, 4 or all"),
        (["run", "--game", "toy", "--players", "x"], "2, 3, 4 or all"),
        (["run", "--game", "toy", "--lineup", "runer"], "Did you mean 'runner'"),
        (["run", "--game", "toy", "--set", "track.length=900"], "4 to 60"),
        (["run", "--game", "toy", "--set", "trak.length=9"], "track"),
        (["run", "--game", "toy", "--variant", "fra"], "far"),
        (["run", "--game", "toy", "--rules", "nowhere.toml"], "nowhere.toml"),
        (["run", "--game", "toy", "--course", "longer"], "no track"),
        (["run", "--game", "toy", "--seed", "-1"], "seed"),
        (["run", "--game", "toy", "--strategy-file", "none.py"], "none.py cannot be read"),
        (["run", "--game", "toy", "--precision", "win"], "--precision"),
        (["run", "--game", "toy", "--max-n", "5"], "--precision"),
        (["run", "--game", "toy", "--jobs", "0"], "--jobs"),
        (["run", "--game", "toy", "--seating", "circle"], "circle"),
        (["run", "--game", "toy", "--backend", "dask"], "cluster"),
        (["run"], "--game"),
        (["verify", "nowhere"], "no run nowhere"),
        (["extend", "nowhere", "--n", "5"], "no run nowhere"),
        (["report", "nowhere"], "no run nowhere"),
        (["replay", "nowhere", "1"], "no run nowhere"),
        (["replay", "--game", "toy"], "Which game?"),
        (["replay"], "Which game?"),
        (["rules", "tou"], "Did you mean 'toy'"),
        (["strategies", "tou"], "Did you mean 'toy'"),
        (["treat", "toy", "--hook", "nothing"], "no treatment 'nothing'"),
        (["script", "nowhere.json"], "cannot be read"),
        (["nothing"], "nothing"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(call, args, words):
    done = call(*args)

    assert done.exit_code == 2, done.output
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.output
    assert not Path("runs").exists()


def test_verify_says_same_or_changed(call, made):
    assert call("verify", made).exit_code == 0
    file = made / "games" / "00000.parquet"
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)

    done = call("verify", made)

    assert done.exit_code == 1
    assert "has changed" in done.stdout


def test_extend(call, made):
    assert call("extend", made, "--n", 800, "--no-report").exit_code == 0
    assert call("verify", made).stdout.startswith("made: all agrees (800 games")
    less = call("extend", made, "--n", 40, "--no-report")
    assert less.exit_code == 2
    assert "more than" in less.stderr


def test_replay_in_words_and_as_json_lines(call, made):
    words = call("replay", made, 5)
    lines = call("replay", made, 5, "--format", "jsonl").stdout.splitlines()

    assert words.stdout.startswith("Game 5 of toy")
    events = [json.loads(line) for line in lines]
    assert events[0]["event"] == "game"
    assert events[-1]["event"] == "over"
    assert len(words.stdout.splitlines()) == len(events)
    alone = call("replay", "--game", "toy", "--game-id", 5, "--format", "jsonl")
    assert alone.stdout.splitlines()[1:] == lines[1:]


def test_rules_strategies_treatments_games(call):
    assert "track.length\t20\tassumed: a toy\t[15, 30]" in call("rules", "toy").stdout
    assert "30 (changed)" in call("rules", "toy", "--variant", "far", "--changed").stdout
    assert "far\ta longer track" in call("rules", "toy", "--variants").stdout
    assert "runner\truns until near the line\tnear=3 nerve=1" in call("strategies", "toy").stdout
    assert "head_start" in call("treatments", "toy").stdout
    assert "Toy Dash" in call("games").stdout


def test_script(call):
    case = {"game": "toy", "id": "T", "spaces": [18, 1], "dice": [], "choices": [["GO", "walk"]] * 2,
            "expect": {"spaces": [20, 3]}}  # fmt: skip
    Path("c.json").write_text(json.dumps(case))
    done = call("script", "c.json")
    assert (done.exit_code, done.stdout) == (0, "passed  T\n1 of 1 cases passed.\n")

    case["expect"] = {"spaces": [20, 4]}
    Path("c.json").write_text(json.dumps(case))
    done = call("script", "c.json")
    assert done.exit_code == 1
    assert "expect.spaces" in done.stdout
    told = json.loads(call("script", "c.json", "--json").stdout)
    assert told["end"]["spaces"] == [20, 3]


def test_treat(call):
    done = call(
        "treat", "toy", "--hook", "head_start", "--n", 300, "--lineup", "walker,random,runner"
    )

    assert done.exit_code == 0, done.output
    assert "win share\ttreated" in done.stdout
    assert len(list(Path("runs").glob("toy-treat-head_start-300-*/arms/*/run.json"))) == 2


# ---------------------------------------------------------------- the real command


def environment(toy: Path) -> dict[str, str]:
    """The environment of a process that finds the toy game."""
    return {**os.environ, "SIMULATE_PATH": str(toy), "PYTHONPATH": str(ROOT)}


def command(*args: object) -> list[str]:
    """The command line of the real thing."""
    return [sys.executable, "-m", "simulate", *map(str, args)]


def test_help_is_fast_and_imports_nothing_heavy(toy):
    code = (
        "import sys, simulate.cli; "
        "print([m for m in ('numba', 'polars', 'matplotlib', 'pandas', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(toy),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_process_goes_on_with_the_same_command(toy, tmp_path, how):
    args = ("run", "--game", "toy", "--n", "800k", "--no-report", "--jobs", 2)
    stopped = subprocess.Popen(
        command(*args, "--out", "a"),
        env=environment(toy),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while len(list(tmp_path.glob("a/games/*.parquet"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    stopped.send_signal(how)
    told = stopped.communicate(timeout=60)[1]
    kept = len(list(tmp_path.glob("a/games/*.parquet")))

    assert 2 <= kept < 13
    if how == signal.SIGINT:
        assert stopped.returncode == 130
        assert "To go on:" in told
        assert "--out a" in told
        assert "Traceback" not in told
        assert not list(tmp_path.glob("a/*/.*.tmp"))

    subprocess.run(command(*args, "--out", "a"), env=environment(toy), cwd=tmp_path, check=True,
                   capture_output=True)  # fmt: skip
    subprocess.run(command(*args[:-1], 1, "--out", "b"), env=environment(toy), cwd=tmp_path, check=True,
                   capture_output=True)  # fmt: skip
    a, b = (json.loads((tmp_path / x / "run.json").read_text())["identity"] for x in "ab")
    assert a == b
    for kind in ("games", "seats", "tallies"):
        for file in sorted((tmp_path / "b" / kind).iterdir()):
            assert file.read_bytes() == (tmp_path / "a" / kind / file.name).read_bytes()
