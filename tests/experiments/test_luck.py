"""Luck ledgers: Toy Dash has its known sources, runs get their own ledger, nothing depends on jobs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import reports
import simulate
from reports.sections import luck as section
from reports.variance import DEAL, SEAT, STYLE
from simulate.cli import app
from simulate.experiments.luck import luck

LINEUP = "runner:near=4,walker,random"
SOURCES = ("own dice", "others' dice", "whims of the players")


@pytest.fixture(scope="module")
def done(toy, tmp_path_factory):  # noqa: ARG001
    """The usual table of Toy Dash."""
    folder = tmp_path_factory.mktemp("luck") / "l"
    return luck("toy", 3000, lineup=LINEUP, out=folder, jobs=1)


@pytest.fixture(scope="module")
def run(toy, tmp_path_factory):  # noqa: ARG001
    """A run of the same table."""
    folder = tmp_path_factory.mktemp("luck") / "run"
    return simulate.run("toy", n=3000, lineup=LINEUP, out=folder, jobs=1)


@pytest.mark.usefixtures("toy")
class TestLedger:
    """What comes out."""

    def test_all_causes_are_told_and_add_up(self, done):
        for entry in done.entries:
            parts = entry.split.parts
            assert [p.name for p in parts if p.chance] == list(SOURCES)
            assert sum(p.share.value for p in parts) == pytest.approx(1)
        assert [e.measure for e in done.entries] == ["win_share", "rank"]

    def test_a_planner_among_fools_makes_skill(self, done):
        """The runner wins most games; where he sits is nothing."""
        split = done.entries[0].split

        assert split.part(STYLE).share.low > 0.25
        assert split.part(SEAT).share.low <= 0.002

    def test_every_source_that_is_used_counts(self, done):
        for name in SOURCES:
            assert done.entries[0].split.part(name).share.low > 0

    def test_walkers_have_no_luck_but_ties(self, tmp_path):
        """Everybody walks: all games are the same, nothing varies."""
        found = luck("toy", 600, lineup="walker*3", players=3, out=tmp_path / "l", jobs=1)

        assert found.entries[0].split.variance.value == pytest.approx(0, abs=1e-9)
        assert "never varies" in (found.folder / "report.html").read_text()

    def test_one_style_is_pure_luck(self, tmp_path):
        """Three runners: no style, no seat; dice are everything."""
        found = luck("toy", 3000, lineup="runner*3", players=3, out=tmp_path / "l", jobs=1)
        split = found.entries[0].split
        names = [p.name for p in split.parts]

        assert STYLE not in names
        assert split.part(SEAT).share.low <= 0 <= split.part(SEAT).share.high
        assert split.chance == pytest.approx(1, abs=0.02)

    def test_no_whims_no_share(self, tmp_path):
        """Runners with nerve toss no coins that matter: their whims decide nothing."""
        lineup = "runner:nerve=1,runner:nerve=1,runner:near=8:nerve=1"
        found = luck("toy", 3000, lineup=lineup, players=3, out=tmp_path / "l", jobs=1)
        share = found.entries[0].split.part("whims of the players").share

        assert share.value == pytest.approx(0, abs=0.02)
        assert share.half < 0.03

    def test_drawn_line_ups_tell_who_else_plays(self, tmp_path):
        found = luck("toy", 900, lineup="mix(runner|walker|random)*3", players=3, jobs=1,
                     out=tmp_path / "l")  # fmt: skip

        assert "who else plays" in [p.name for p in found.entries[0].split.parts]

    def test_any_jobs_give_the_same_files(self, done, tmp_path):
        again = luck("toy", 3000, lineup=LINEUP, out=tmp_path / "l", jobs=2)

        for name in ("experiment.json", "report.html"):
            assert (again.folder / name).read_bytes() == (done.folder / name).read_bytes()

    def test_the_same_command_goes_on(self, done, tmp_path):
        """Arms that are there are not played again."""
        shutil.copytree(done.folder, tmp_path / "l")
        shutil.rmtree(tmp_path / "l" / "arms" / "policy_shift")
        kept = (tmp_path / "l" / "arms" / "drawn" / "run.json").stat().st_mtime_ns
        again = luck("toy", 3000, lineup=LINEUP, out=tmp_path / "l", jobs=1)

        assert (again.folder / "experiment.json").read_bytes() == (
            done.folder / "experiment.json"
        ).read_bytes()
        assert (tmp_path / "l" / "arms" / "drawn" / "run.json").stat().st_mtime_ns == kept

    def test_a_renewed_source_changes_nothing_else(self, done):
        """Who plays where is the same in all arms; the coins differ where they are renewed."""
        frames = {name: run.seats.collect() for name, run in done.runs.items()}
        for name, frame in frames.items():
            for column in ("game_id", "seat", "strategy", "position", "treated"):
                assert frame[column].equals(frames["drawn"][column]), (name, column)
            assert name == "drawn" or not frame["score"].equals(frames["drawn"]["score"])

    def test_command(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        told = CliRunner().invoke(app, ["luck", "toy", "-n", "300", "--out", "x", "--jobs", "1"])

        assert told.exit_code == 0, told.output
        assert "what decides" in told.stdout
        assert "own dice" in told.stdout
        assert (Path("x") / "report.html").is_file()

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["--measure", "joy"], "there is no 'joy'"),
            (["--players", "9"], "--players"),
        ],
    )
    def test_bad_input_is_one_message(self, tmp_path, monkeypatch, args, words):
        monkeypatch.chdir(tmp_path)
        told = CliRunner().invoke(app, ["luck", "toy", "-n", "30", *args])

        assert told.exit_code == 2, told.output
        assert words in " ".join(told.stderr.split())

    def test_style_and_seat_must_be_told_apart(self):
        with pytest.raises(simulate.UserError, match="rotate"):
            luck("toy", 30, lineup=LINEUP, seating="fixed")


@pytest.mark.usefixtures("toy")
class TestOfARun:
    """A ledger that lies in a run's folder, and what the run tells by itself."""

    def test_the_run_tells_style_and_luck(self, run):
        facts = reports.open_facts(run)
        split = section.split_of(facts, facts.main[0], "win_share")

        assert split.part(STYLE).share.low > 0.25
        assert split.part(SEAT).share.low <= 0.002
        assert sum(p.share.value for p in split.parts) == pytest.approx(1)
        assert split.part(DEAL).share.low > -0.05

    def test_run_and_ledger_agree_on_style(self, run, done):
        facts = reports.open_facts(run)
        here = section.split_of(facts, facts.main[0], "win_share").part(STYLE).share
        there = done.entries[0].split.part(STYLE).share

        assert here.low <= there.high
        assert there.low <= here.high

    def test_the_ledger_stands_in_the_report(self, run):
        luck(run.path, 900, jobs=1)
        told = json.loads((Path(run.path) / "luck" / "experiment.json").read_text())
        facts = reports.open_facts(run)

        assert told["of"] == run.identity["digest"]
        assert [e.measure for e in section.ledger_of(facts)] == ["win_share", "rank"]
        assert "own dice" in (Path(run.path) / "report.html").read_text()
        assert simulate.open_run(run.path).plan == run.plan

    def test_the_report_tells_what_a_deal_is_worth(self, run):
        facts = reports.open_facts(run)
        made = section.make(facts)
        table = next(b for b in made.blocks if getattr(b, "name", "").endswith("-deals"))
        row = table.rows[0]

        assert 0 <= row["spread"].value < row["most"].value < row["span"].value
        assert 0 <= row["far"].value < 0.5
        assert -1 < row["index"].low <= row["index"].value <= row["index"].high < 1

    def test_run_and_ledger_agree_on_the_index(self, run, done):
        facts = reports.open_facts(run)
        here = section.split_of(facts, facts.main[0], "win_share").index
        there = done.entries[0].split.index

        assert here.low <= there.high
        assert there.low <= here.high
        told = json.loads((done.folder / "experiment.json").read_text())["combined"][0]
        assert told["index"] == pytest.approx(there.value)

    def test_another_runs_ledger_is_not_shown(self, run, done, tmp_path):
        shutil.copytree(run.path, tmp_path / "run")
        shutil.rmtree(tmp_path / "run" / "luck", ignore_errors=True)
        shutil.copytree(done.folder, tmp_path / "run" / "luck")

        assert section.ledger_of(reports.open_facts(simulate.open_run(tmp_path / "run"))) is None

    def test_a_run_has_its_options(self, run):
        with pytest.raises(simulate.UserError, match="leave out --players"):
            luck(run.path, 30, players=2)

    def test_one_style_cannot_be_told(self, tmp_path):
        run = simulate.run("toy", n=600, lineup="runner*3", players=3, out=tmp_path / "r", jobs=1)
        facts = reports.open_facts(run)

        assert "cannot be told from the rest" in section.why_not(facts, facts.main[0])


def test_more_luck_together_than_there_is_luck_is_told_as_all_of_it():
    """Of luck that makes 98 %, 106 % cannot come about together."""
    from types import SimpleNamespace as Told

    from reports.estimates import NOTHING, Estimate
    from reports.experiments.luck import headline

    def part(name, value, chance):
        share = Estimate(value, value - 0.01, value + 0.01, 900, 300, 0.005)
        return Told(name=name, share=share, chance=chance)

    parts = (part("style of play", 0.02, False), part("slope cards", 0.98, True))
    together = Estimate(1.06, 0.9, 1.2, 900, 300, 0.08)
    split = Told(parts=parts, combined=together, chance=0.98, index=NOTHING)

    assert "All of the luck comes about only by several sources together" in headline(
        Told(split=split)
    )
