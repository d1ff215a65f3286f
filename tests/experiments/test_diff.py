"""Two runs beside each other: what changed, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simulate import session
from simulate.cli import app
from simulate.experiments.diff import diff

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture(scope="module")
def runs(plan, tmp_path_factory):
    """Runs of the same rules, of other rules, of other seeds, as sums only."""
    folder = tmp_path_factory.mktemp("diff")
    plans = {
        "base": plan(4000),
        "again": plan(4000),
        "seed": plan(4000, seed=2),
        "long": plan(4000, set=["track.length=30"]),
        "later": plan(6000),
        "summary": plan(4000, records="summary"),
        "courses": plan(4000, layout="short,long", equal=False),
        "turned": plan(4000, layout="long,short", equal=False),
    }
    return {name: session.play(p, folder / name, jobs=1) for name, p in plans.items()}


def call(*args):
    return CliRunner().invoke(app, ["diff", *map(str, args)])


def test_the_same_run_is_the_same(runs):
    done = diff(runs["base"], runs["again"])

    assert done.changed == done.open == []
    assert done.comparison.identical
    assert done.context == ()


def test_a_summary_of_the_same_games_is_the_same(runs):
    done = diff(runs["base"], runs["summary"])

    assert done.changed == []
    assert set(done.frame["difference"]) == {0.0}


def test_changed_rules_change_facts(runs):
    done = diff(runs["base"], runs["long"])
    labels = {d.a.label for d in done.changed}

    assert {"rounds", "turns", "score"} <= labels
    assert "track.length: 20 against 30" in done.context
    rounds = next(d for d in done.changed if d.a.label == "rounds")
    assert rounds.change.value > 1
    assert rounds.paired


def test_another_seed_changes_nothing(runs):
    """Unpaired, and no fact is claimed to differ by more than the threshold."""
    done = diff(runs["base"], runs["seed"])

    assert done.changed == []
    assert done.open
    assert not any(d.paired for d in done.comparison.found)


def test_a_longer_run_of_the_same_games_changes_nothing(runs):
    assert diff(runs["base"], runs["later"]).changed == []


def test_words_are_compared_too(runs):
    ways = set(diff(runs["base"], runs["seed"]).frame["by"])

    assert {"seat", "strategy"} <= ways


def test_courses_are_matched_by_name(runs):
    done = diff(runs["courses"], runs["turned"])

    assert done.changed == []
    by_course = {(d.a.course, d.b.course) for d in done.comparison.found}
    assert by_course == {("short", "short"), ("long", "long")}


def test_threshold_decides(runs):
    found = diff(runs["base"], runs["long"], threshold="rounds=50", measures=["rounds"])

    assert [d.verdict for d in found.comparison.found if d.a.label == "rounds"][0] == "same"


def test_exit_codes(runs):
    same, changed = (call(runs["base"].path, runs[x].path) for x in ("again", "long"))

    assert same.exit_code == 0, same.output
    assert "Not one number differs" in same.stdout
    assert changed.exit_code == 1, changed.output
    assert "rounds\t3 players" in changed.stdout


def test_json(runs):
    told = json.loads(call(runs["base"].path, runs["long"].path, "--json").stdout)

    assert {row["measure"] for row in told["changed"]} >= {"rounds", "turns"}
    assert len(told["facts"]) == len(told["changed"]) + told["same"] + told["not_enough_games"]


def test_page(runs, tmp_path):
    done = call(runs["base"].path, runs["long"].path, "--out", tmp_path / "page")

    assert done.exit_code == 1
    assert "Different" in (tmp_path / "page" / "report.html").read_text()


def test_unusable_runs(runs, tmp_path, monkeypatch):
    import shutil

    missing = call(runs["base"].path, tmp_path / "nowhere")
    broken = Path(shutil.copytree(runs["base"].path, tmp_path / "broken"))
    file = broken / "games" / "00000.parquet"
    file.write_bytes(file.read_bytes()[:-7] + b"1234567")
    damaged = call(runs["base"].path, broken)
    unknown = call(runs["base"].path, runs["again"].path, "--measure", "speed")
    half = call(runs["base"].path, runs["again"].path, "--threshold", "3")

    for told, words in (
        (missing, "no run"), (damaged, "is damaged"), (unknown, "no 'speed'"), (half, "no unit"),
    ):  # fmt: skip
        assert told.exit_code == 2
        assert words in told.stderr
        assert "Traceback" not in told.output


def test_another_game_and_an_unfinished_run_are_unusable(runs):
    from simulate.errors import StoreError
    from simulate.store import Run

    base = runs["base"]
    other = Run(base.path, {**base.identity, "game": "biathlon"}, {})
    half = Run(base.path, {**base.identity, "shards": []}, {})

    with pytest.raises(StoreError, match="one of biathlon"):
        diff(base, other)
    with pytest.raises(StoreError, match="not finished"):
        diff(base, half)


def test_runs_of_another_engine_can_be_compared(runs):
    """That is what a diff is for: what did the new version change?"""
    from simulate.store import Run

    base = runs["base"]
    older = Run(base.path, {**base.identity, "engine": "0" * 64}, {})

    done = diff(base, older)
    assert done.changed == []
    assert any(line.startswith("engine:") for line in done.context)
