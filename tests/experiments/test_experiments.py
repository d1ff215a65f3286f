"""What all experiment commands share: help, Python names, going on after a kill, pages."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

import simulate
from simulate import session
from simulate.cli import app
from simulate.experiments import compare as compare_module

pytestmark = pytest.mark.usefixtures("toy")

COMMANDS = ["compare", "plan", "diff", "sweep", "sensitivity", "tournament", "rollouts"]
CALLS = {
    "compare": ("compare", "toy", "--b", "--set move.walk=3", "-n", "900"),
    "sweep": ("sweep", "toy", "--key", "move.walk=2,3", "-n", "450"),
    "sensitivity": ("sensitivity", "toy", "-n", "450"),
    "tournament": ("tournament", "toy", "-n", "900"),
    "ladder": ("tournament", "toy", "--ladder", "-n", "300"),
    "rollouts": ("rollouts", "toy", "-n", "60", "--rollouts", "8"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_an_example(command):
    done = CliRunner().invoke(app, [command, "--help"])

    assert done.exit_code == 0
    assert f"Example: simulate {command}" in done.output
    for name in ("--out",) if command == "diff" else ("--n", "--seed", "--jobs", "--out"):
        assert name in done.output


@pytest.mark.parametrize(
    "name",
    ["compare", "power", "diff", "sweep", "sensitivity", "tournament", "ladder", "rollouts"],
)
def test_every_experiment_can_be_called_from_python(name):
    assert callable(getattr(simulate, name))
    assert name in simulate.__all__


@pytest.mark.parametrize("command", CALLS)
def test_interrupted_goes_on_with_the_same_command(command, tmp_path, monkeypatch):
    """Killed while the last arm is played: the second try plays the rest, the end is the same."""
    play, calls = session.play, []

    def dying(plan, folder, **how):
        calls.append(folder)
        if len(calls) == stop:
            raise KeyboardInterrupt
        return play(plan, folder, **how)

    args = [*CALLS[command], "--jobs", "1", "--out"]
    whole = CliRunner().invoke(app, [*args, str(tmp_path / "whole")])
    assert whole.exit_code == 0, whole.output
    arms = len(list((tmp_path / "whole" / "arms").iterdir()))
    stop = arms
    monkeypatch.setattr(session, "play", dying)
    first = CliRunner().invoke(app, [*args, str(tmp_path / "twice")])
    monkeypatch.setattr(session, "play", play)
    second = CliRunner().invoke(app, [*args, str(tmp_path / "twice")])

    assert first.exit_code == 130
    assert second.exit_code == 0, second.output
    if arms > 1:
        assert "nothing to play" in second.stderr
    for name in ("experiment.json", "report.html"):
        one, other = ((tmp_path / x / name).read_bytes() for x in ("whole", "twice"))
        assert one == other


@pytest.mark.parametrize("command", CALLS)
def test_pages_are_whole_and_alone(command, tmp_path):
    """One file: no network, light and dark, every link has its place, every table its numbers."""
    done = CliRunner().invoke(app, [*CALLS[command], "--out", str(tmp_path / "x")])
    page = (tmp_path / "x" / "report.html").read_text()

    assert done.exit_code == 0, done.output
    assert len(page) < 3_000_000
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert "prefers-color-scheme: dark" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(ids)
    for name in re.findall(r'href="(data/[\w.-]+)"', page):
        assert (tmp_path / "x" / name).is_file()
    assert (
        "nan" not in re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL).lower().split()
    )


def test_arms_are_runs_that_can_be_verified(tmp_path):
    CliRunner().invoke(app, [*CALLS["compare"], "--out", str(tmp_path / "x")])
    done = CliRunner().invoke(app, ["verify", str(tmp_path / "x" / "arms" / "b"), "--sample", "3"])

    assert done.exit_code == 0, done.output


def test_default_folder_is_found_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = (CliRunner().invoke(app, list(CALLS["compare"])) for _ in range(2))

    assert first.stdout.splitlines()[-1] == second.stdout.splitlines()[-1]
    assert first.stdout.splitlines()[-1].startswith("runs/toy-compare-900-")


def test_looks_are_doublings_up_to_the_cap():
    assert compare_module._looks(5000) == [1024, 2048, 4096, 5000]
    assert compare_module._looks(500) == [500]


def test_other_folders_are_left_alone(tmp_path):
    """A run, another experiment, anything else: told, nothing is written."""
    run, other, thing = (tmp_path / name for name in ("run", "other", "thing"))
    CliRunner().invoke(app, ["run", "-g", "toy", "-n", "300", "--no-report", "-o", str(run)])
    CliRunner().invoke(app, [*CALLS["sweep"], "-o", str(other)])
    thing.mkdir()
    (thing / "notes.txt").write_text("mine")

    for folder, words in ((run, "is a run folder"), (other, "sweep of toy"), (thing, "left alone")):
        before = sorted(p.name for p in folder.iterdir())
        done = CliRunner().invoke(app, [*CALLS["compare"], "-o", str(folder)])
        assert done.exit_code == 2
        assert words in done.stderr
        assert sorted(p.name for p in folder.iterdir()) == before


def test_an_experiment_with_other_options_is_left_alone(tmp_path):
    CliRunner().invoke(app, [*CALLS["compare"], "-o", str(tmp_path / "x")])
    done = CliRunner().invoke(app, [*CALLS["compare"], "--seed", "9", "-o", str(tmp_path / "x")])

    assert done.exit_code == 2
    assert "holds another run" in done.stderr


WORDS = [
    "", "1", "-1", "nan", "1e999", "2,3", "a=", "=", "rounds=", "rounds=5", "rounds=nan", "pp", "1pp",
    "0pp", "99%", "move.walk", "move.walk=1:9e9:1", "move.walk=2,3", "nan:1:1", "1:2:0", "1:2:0.1", "[", "--set x",
    "--set 'a", "win_rate:seat0=0.5", "walker,runner", "mix(walker|runner)", "\u00e9",
]  # fmt: skip
OPTIONS = {
    "compare": ["--a", "--b", "--n", "--measure", "--margin", "--max-n", "--set", "--players"],
    "plan": ["--effect", "--power", "--paired-correlation", "--n", "--players"],
    "sweep": [
        "--key",
        "--values",
        "--range",
        "--sobol",
        "--target",
        "--margin",
        "--measure",
        "--n",
    ],
    "sensitivity": ["--key", "--margin", "--n", "--players"],
    "tournament": ["--strategies", "--n", "--players"],
}


def play_all(command: str, words: list[str]) -> None:
    """Every option with every word: done, or told in words; games are few."""
    number = 0
    for option in OPTIONS[command]:
        for word in words:
            number += 1
            some = [] if option == "--n" else ["--n", "30"]
            key = ["--key", "move.walk=2,3"] if command == "sweep" and option != "--key" else []
            if option in ("--values", "--range"):
                key = ["--key", "move.walk"]
            args = [command, "toy", *some, *key, option, word, "--jobs", "1", "--out", f"x{number}"]
            done = CliRunner().invoke(app, args)
            told = f"{args}\n{done.output}\n{done.exception!r}"
            assert done.exit_code in (0, 2), told
            assert done.exception is None or isinstance(done.exception, SystemExit), told
            assert done.exit_code == 0 or done.stderr.strip(), told


@pytest.mark.parametrize("command", OPTIONS)
def test_options_are_done_or_told(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_all(command, ["1", "nan", "2,3", "["])


@pytest.mark.slow
@pytest.mark.parametrize("command", OPTIONS)
def test_any_options_are_done_or_told(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_all(command, WORDS)
