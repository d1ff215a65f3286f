"""Any command line is either done or told what is wrong with it: no traceback, ever."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from simulate import jit, registry, rules
from simulate.cli import app

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs whole games")

BOUNDED = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
GAME = "biathlon"
NAMES = registry.book(GAME).names()
KEYS = [row["key"] for row in rules.load(GAME).provenance]
VALUES = {row["key"]: row["value"] for row in rules.load(GAME).provenance}
ROUNDS = "sim.max_rounds=60"  # keeps what has no end short

garbage = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=["Cs"]), max_size=12
)
number = st.one_of(
    st.integers(-3, 12).map(str),
    st.sampled_from(["", "1e1", "0.5", "1_0", "nan", "1e99", "-1", "2k", "0x10", "9" * 30]),
)


def called(*args: str) -> Any:
    """A command in an empty folder, with what it left."""
    with tempfile.TemporaryDirectory() as folder:
        done = CliRunner().invoke(app, [*args, "--out", str(Path(folder) / "run")])
    return done


def check(done: Any, args: list[str]) -> None:
    """Done, or bad input with a message; nothing else."""
    told = f"{args}\n{done.output}\n{done.exception!r}"
    assert done.exit_code in (0, 2), told
    assert done.exception is None or isinstance(done.exception, SystemExit), told
    assert "Traceback" not in done.output, told
    if done.exit_code == 2:
        assert done.stderr.strip(), told


# ---------------------------------------------------------------- line-ups

setting = st.builds(
    "{}={}".format,
    st.sampled_from(["stam", "aim", "temperature", "slot1", "dist_late", "nothing", ""]),
    st.one_of(st.floats(-150, 150).map("{:g}".format), number, garbage),
)
entry = st.builds(
    lambda name, settings_, times: ":".join([name, *settings_]) + times,
    st.sampled_from([*NAMES, "nobody"]),
    st.lists(setting, max_size=2),
    st.one_of(st.just(""), st.integers(0, 5).map("*{}".format), garbage.map("*{}".format)),
)
lineup = st.one_of(
    st.lists(entry, min_size=1, max_size=5).map(",".join),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("|".join).map("mix({})*4".format),
    garbage,
)
good_lineup = st.lists(st.sampled_from(NAMES), min_size=1, max_size=1).map(",".join)


@BOUNDED
@given(
    line=lineup,
    players=st.one_of(st.sampled_from(["2", "3", "4", "5", "1", "3,4", "all"]), garbage, number),
    seating=st.sampled_from(["rotate", "fixed", "random"]),
    seed=st.one_of(st.integers(-1, 2**64).map(str), st.just("x")),
)
def test_line_ups(line: str, players: str, seating: str, seed: str) -> None:
    """Names, parameters, repetitions, pools, player counts, seatings, seeds."""
    args = ["run", "-g", GAME, "-n", "1", "--no-report", "--jobs", "1", "--set", ROUNDS,
            "--course", "mini_one", f"--lineup={line}", f"--players={players}",
            f"--seating={seating}", f"--seed={seed}"]  # fmt: skip
    check(called(*args), args)


# ---------------------------------------------------------------- rules


def _other_values(key: str) -> st.SearchStrategy[str]:
    """Texts near a key's value, and far from it."""
    value = VALUES[key]
    near: list[st.SearchStrategy[str]] = [garbage, number, st.just(rules.show(value))]
    if isinstance(value, bool):
        near.append(st.sampled_from(["true", "false"]))
    elif isinstance(value, int):
        near.append(st.integers(value - 2, value + 3).map(str))
    elif isinstance(value, list) and value and all(isinstance(one, int) for one in value):
        near.append(st.lists(st.integers(-1, 9), max_size=8).map(str))
    return st.one_of(near)


override = st.sampled_from(KEYS).flatmap(
    lambda key: _other_values(key).map(lambda value: f"{key}={value}")
)


@BOUNDED
@given(
    changes=st.lists(st.one_of(override, garbage), min_size=1, max_size=4),
    line=good_lineup,
)
def test_overrides(changes: list[str], line: str) -> None:
    """`--set` of any key to any value plays, or says what is allowed."""
    args = ["run", "-g", GAME, "-n", "1", "--no-report", "--jobs", "1", "--lineup", line,
            "--set", "course.layout=mini_one"]  # fmt: skip
    for change in changes:
        args += [f"--set={change}"]
    args += ["--set", ROUNDS]
    check(called(*args), args)


toml_value = st.one_of(
    st.integers(-2, 12).map(str),
    st.sampled_from(["true", '"x"', "[1, 2]", "[]", "1.5", "{a = 1}", "", "[[1]]", "1979-05-27"]),
)


@BOUNDED
@given(lines=st.lists(st.tuples(st.sampled_from(KEYS), toml_value), max_size=4), tail=garbage)
def test_overlay_files(lines: list[tuple[str, str]], tail: str) -> None:
    """`--rules FILE` with keys of the game, values of any kind, and text that is no TOML."""
    text = "".join(f"{key} = {value}\n" for key, value in lines)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mine.toml"
        file.write_text(text + (tail if len(tail) > 9 else ""), encoding="utf-8")
        args = ["run", "-g", GAME, "-n", "1", "--no-report", "--jobs", "1", "--lineup", "random",
                "--rules", str(file), "--set", ROUNDS]  # fmt: skip
        check(called(*args), args)


@BOUNDED
@given(
    course=st.one_of(
        st.sampled_from(
            ["starter", "mini_one", "random", "random*2", "starter,mini_one", "nowhere"]
        ),
        garbage,
    ),
    nations=st.one_of(
        st.none(), st.sampled_from(["basic", "advanced", "Norway,France", "Norway"]), garbage
    ),
    n=number,
    chunk=number,
    records=st.sampled_from(["full", "summary"]),
)
def test_courses_nations_and_numbers(
    course: str, nations: str | None, n: str, chunk: str, records: str
) -> None:
    """`--course`, `--nations`, `--n`, `--chunk`, `--records`."""
    args = ["run", "-g", GAME, f"-n={n}" if n else "-n=1", "--no-report", "--jobs", "1",
            "--lineup", "random", "--set", ROUNDS, f"--course={course}", f"--chunk={chunk}",
            f"--records={records}"]  # fmt: skip
    args += [f"--nations={nations}"] if nations is not None else []
    if n == "2k":
        args[3] = "-n=20"
    check(called(*args), args)


# ---------------------------------------------------------------- other commands


@BOUNDED
@given(
    words=st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "run", "replay", "rules", "strategies", "treat", "treatments", "script",
                    "verify", "extend", "report", "games", "--game", GAME, "--n", "--hook",
                    "--game-id", "--variants", "--format", "jsonl", "--seed", "--help", "--variant",
                ]
            ),
            number,
            garbage,
        ),
        max_size=5,
    )
)  # fmt: skip
def test_any_words(words: list[str]) -> None:
    """Words in any order: nothing but a message or help."""
    if "run" in words[:1] or "treat" in words[:1]:
        words = [*words, "--n", "1", "--lineup", "nobody"]
    done = CliRunner().invoke(app, words)
    check(done, words)


@BOUNDED
@given(
    game_id=st.one_of(st.integers(-2, 10**12).map(str), garbage),
    line=good_lineup,
    shown=st.sampled_from(["text", "jsonl", "xml"]),
)
def test_replays(game_id: str, line: str, shown: str) -> None:
    """`simulate replay --game … --game-id …` of any game of any run."""
    args = ["replay", "--game", GAME, f"--game-id={game_id}", f"--format={shown}",
            "--lineup", line, "--course", "mini_one"]  # fmt: skip
    check(CliRunner().invoke(app, args), args)


# ---------------------------------------------------------------- scripted positions

json_value = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 40), garbage),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(garbage, inner, max_size=3)
    ),
    max_leaves=6,
)
AT = st.sampled_from(
    [[3, 1], [1, 2], [99, 1], [3, 9], "S18", "S3", "P18.1", "P18.9", "start", "home"]
)
FIELDS = {
    "at": st.one_of(json_value, AT),
    "cols": st.one_of(json_value, st.just([1, 1, 0, 0])),
    "stars": st.one_of(json_value, st.just([1, 0, 0, 1])),
    "wax": st.one_of(json_value, st.just([1, 8, 4, 6, 7, 3])),
    **{
        name: json_value for name in ("st", "spr", "L", "R", "shots", "owed", "miss", "nation", "x")
    },
}
case_of_any_values = st.fixed_dictionaries(
    {
        "game": st.just(GAME),
        "skiers": st.dictionaries(
            st.sampled_from(["1", "2", "9", "x"]),
            st.fixed_dictionaries({}, optional=FIELDS),
            max_size=3,
        ),
        "event": st.one_of(
            json_value, st.sampled_from(["turn 1", "prep 1", "round 2", "turn 1; prep 2"])
        ),
    },
    optional={
        "course": st.one_of(json_value, st.sampled_from(["mini_one", "long_three"])),
        "rules": st.dictionaries(st.one_of(st.sampled_from(KEYS), garbage), json_value, max_size=2),
        "players": st.integers(-1, 7),
        "dice": st.one_of(json_value, st.lists(st.integers(1, 6), max_size=30)),
        "choices": json_value,
    },
)


@BOUNDED
@given(case=case_of_any_values)
def test_scripted_cases(case: dict[str, Any]) -> None:
    """A case with any values has an outcome: a difference in words at worst."""
    import simulate

    outcome = simulate.script(case)

    assert all(isinstance(one, str) for one in outcome.differences)


CASE = {"game": GAME, "skiers": {"1": {"at": [3, 1]}}, "event": "turn 1"}
SHAPES = {
    "rules": [None, "x"],
    "players": [None, "x"],
    "skiers": [{"1": 3}],
    "options": [None, [["D-MAIN"]]],
    "counts": [None],
    "not_asked": [None],
    "expect": [None, {"1": 3}],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in SHAPES.items() for value in values]
)
def test_scripted_cases_of_another_shape(key: str, value: Any) -> None:
    """A list where a mapping is wanted, null where a number is: told, not raised."""
    import simulate

    case = {**CASE, "skiers": {"1": {"at": [3, 1], "cols": [1, 1, 0, 0]}}, key: value}
    assert simulate.script(case).differences
