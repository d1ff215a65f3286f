"""A report's verdicts say whether they rest on an assumption: planted ones are found."""

from __future__ import annotations

import re
import shlex

import polars as pl
import pytest
from typer.testing import CliRunner

import reports
import simulate
from reports import robustness
from simulate import rules
from simulate.cli import app
from simulate.errors import UserError
from simulate.experiments import alternatives
from simulate.experiments.sensitivity import sensitivity

pytestmark = pytest.mark.usefixtures("toy")
LINEUP = "runner,walker,random"


@pytest.fixture(scope="module")
def run(toy, tmp_path_factory):
    """Games in which runners win most."""
    out = tmp_path_factory.mktemp("robust") / "runs" / "run"
    return simulate.run("toy", n=6000, lineup=LINEUP, out=out, progress=False)


def planted(monkeypatch, *others):
    """The only alternatives: (rule, value) of each."""
    found = [
        alternatives.Alternative(
            key, "assumed", value, "as it is", "assumed: a test",
            rules.load("toy", (), (), [f"{key}={value}"]),
        )
        for key, value in others
    ]  # fmt: skip
    monkeypatch.setattr(alternatives, "find", lambda base: (found, []))


def told(run, folder=None):
    """What the report says of each verdict, by the first word of its id."""
    facts = reports.open_facts(run)
    report = reports.collect(run, sensitivity=folder)
    return {v.id.split("-")[0]: robustness.judge(facts, v, report.checked) for v in report.verdicts}


def test_without_a_study_the_card_prints_the_command(run, tmp_path):
    page = reports.build(run, tmp_path / "r.html").read_text()
    command = told(run)["strategies"].command

    assert told(run)["strategies"].fate == "unchecked"
    assert "Not checked against assumptions." in page
    assert shlex.split(command)[:3] == ["simulate", "sensitivity", "toy"]
    assert command.endswith(f"--lineup {LINEUP}")


def test_the_printed_command_makes_a_study_that_fits(run, tmp_path, monkeypatch):
    words = shlex.split(told(run)["strategies"].command)[1:]
    done = CliRunner().invoke(app, [*words, "-n", "600", "--out", str(tmp_path / "s")])

    assert done.exit_code == 0, done.output
    assert told(run, tmp_path / "s")["strategies"].fate != "unchecked"


def test_a_verdict_stands_under_alternatives_that_change_no_game(run, tmp_path, monkeypatch):
    planted(monkeypatch, ("sim.max_rounds", "90"), ("sim.max_rounds", "91"))
    study = sensitivity("toy", n=1500, lineup=LINEUP, out=tmp_path / "s", jobs=1)

    found = told(run, study.folder)["strategies"]

    assert found.fate == "stands"
    assert found.words == "Stands under all 2 alternatives tried."


def test_a_planted_dependence_is_named(run, tmp_path, monkeypatch):
    """Where walking is quick, walkers win: still not even, but another style is the strongest."""
    planted(monkeypatch, ("move.walk", "6"), ("sim.max_rounds", "90"))
    study = sensitivity("toy", n=3000, lineup=LINEUP, out=tmp_path / "s", jobs=1)

    found = told(run, study.folder)["strategies"]

    assert found.fate == "depends"
    assert found.words == "Depends on move.walk = 6 (assumed; then: walker first)."
    page = reports.build(run, tmp_path / "r.html", sensitivity=study.folder).read_text()
    assert re.search(r'class="robust depends">Depends on move\.walk = 6', page)
    verdicts = pl.read_csv(tmp_path / "data" / "verdicts.csv")
    assert "depends" in verdicts["assumptions"].to_list()


def test_too_few_games_are_told(run, tmp_path, monkeypatch):
    planted(monkeypatch, ("track.length", "15"))
    study = sensitivity("toy", n=60, lineup=LINEUP, out=tmp_path / "s", jobs=1)

    found = told(run, study.folder)["strategies"]

    assert found.fate == "open"
    assert "with 1 of 1 it cannot be told from 60 games each" in found.words


def test_a_study_beside_the_run_is_found_and_the_larger_one_is_taken(run, monkeypatch):
    planted(monkeypatch, ("sim.max_rounds", "90"))
    small = run.path.parent / "small"
    sensitivity("toy", n=60, lineup=LINEUP, out=small, jobs=1)
    planted(monkeypatch, ("sim.max_rounds", "90"), ("sim.max_rounds", "91"))
    large = run.path.parent / "large"
    sensitivity("toy", n=60, lineup=LINEUP, out=large, jobs=1)
    try:
        found = robustness.find(reports.open_facts(run))
        assert found is not None
        assert found.folder == large
    finally:
        for folder in (small, large):
            (folder / "experiment.json").unlink()
    assert robustness.find(reports.open_facts(run)) is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"lineup": "walker,random,random"}, "styles or a line-up"),
        ({"lineup": LINEUP, "set": ["track.length=21"]}, "rules"),
    ],
)
def test_a_study_of_something_else_is_refused(run, tmp_path, monkeypatch, options, words):
    planted(monkeypatch, ("sim.max_rounds", "90"))
    study = sensitivity("toy", n=60, out=tmp_path / "s", jobs=1, **options)

    assert robustness.find(reports.open_facts(run)) is None
    with pytest.raises(UserError, match=f"was played with {words} other than this run's"):
        robustness.find(reports.open_facts(run), study.folder)


def test_a_folder_without_a_study_is_refused(run, tmp_path):
    command = CliRunner().invoke(app, ["report", str(run.path), "--sensitivity", str(tmp_path)])

    assert command.exit_code == 2
    assert "holds no finished sensitivity study" in " ".join(command.stderr.split())
