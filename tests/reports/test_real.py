"""Reports of runs that were really played: replay commands, summaries, the toy game."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import reports
import simulate
from reports.facts import section_modules
from simulate.cli import app
from simulate.steps import single_game
from simulate.verify import row_frames

GAMES = 3000


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> simulate.Run:
    """Three thousand races of the default line-up."""
    out = tmp_path_factory.mktemp("real") / "runs" / "real"
    return simulate.run("biathlon", n=GAMES, seed=11, out=out)


@pytest.fixture(scope="module")
def page(real: simulate.Run) -> str:
    """Its report."""
    return reports.build(real).read_text()


def claims(run: simulate.Run) -> list[dict]:
    """What a report says of single games."""
    return list(
        pl.read_csv(run.path / "data" / "replays.csv", infer_schema_length=None).iter_rows(
            named=True
        )
    )


def test_every_section_is_made(real, page):
    """Nothing is left out of a run with all columns, and all checks pass."""
    report = reports.collect(real, strict=True)
    checks = next(s for s in report.sections if s.id == "trust").blocks[0].checks

    assert report.left_out == []
    assert {s.id for s in report.sections} >= {"seats", "factors", "shooting", "course", "race"}
    assert [(c.name, c.words) for c in checks if c.passed is False] == []
    assert "Left out" not in page


def test_every_claim_holds_in_the_replayed_game(real, page):
    """The game is played again step by step, and shows what the report says of it."""
    played: dict[int, tuple[pl.DataFrame, pl.DataFrame]] = {}
    assert len(claims(real)) > 8
    for claim in claims(real):
        game_id = claim["game_id"]
        if game_id not in played:
            played[game_id] = row_frames(real.plan, single_game(real.plan, game_id))
        games, seats = played[game_id]
        rows = games if claim["seat"] is None else seats.filter(pl.col("seat") == claim["seat"])
        found = rows[claim["column"]][0]
        assert str(found) == claim["value"] or float(found) == float(claim["value"]), claim


def test_every_replay_command_runs(real, page, monkeypatch):
    """As printed, from the folder that holds runs/."""
    monkeypatch.chdir(real.path.parent.parent)
    commands = set(re.findall(r'data-copy="(simulate replay [^"]+)"', page))

    assert commands == {claim["command"] for claim in claims(real)}
    for command in sorted(commands):
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        assert result.exit_code == 0, result.output
        assert len(result.stdout.splitlines()) > 20


def test_a_summary_run_says_the_same(real, tmp_path):
    """Without rows: the same verdicts and the same numbers, from sums."""
    out = tmp_path / "runs" / "summary"
    run = simulate.run("biathlon", n=GAMES, seed=11, records="summary", out=out)
    full, kept = reports.open_facts(real), reports.open_facts(run)
    assert kept.n_games == full.n_games
    for column in ("rounds", "lead_changes", "gap12", "comeback"):
        assert kept.mean(column, kept.main[0]) == full.mean(column, full.main[0])
    assert kept.quantile("rounds", kept.main[0]) == full.quantile("rounds", full.main[0])
    assert kept.order == full.order

    def verdicts(facts):
        found = (m.verdicts(facts) for m in facts.modules if hasattr(m, "verdicts"))
        return [(v.id, v.state, v.number, v.interval) for made in found for v in made]

    assert verdicts(kept) == verdicts(full)
    html = reports.build(run).read_text()
    assert "rows of single games (--records summary keeps none)" in html
    assert '<section id="shooting"' in html


def test_the_report_is_the_same_for_the_same_plan(real, page, tmp_path):
    """Played again elsewhere: other clock, same bytes but for the folder's name."""
    other = simulate.run("biathlon", n=GAMES, seed=11, jobs=1, out=tmp_path / "runs" / "real")

    assert reports.build(other).read_text() == page


def test_an_unfinished_run_says_so(real, tmp_path):
    """Interrupted: what is there is reported, and called unfinished."""
    import shutil

    folder = tmp_path / "runs" / "real"
    shutil.copytree(real.path, folder)
    told = json.loads((folder / "run.json").read_text())
    told["identity"]["plan"]["n"] *= 2
    (folder / "run.json").write_text(json.dumps(told))
    run = simulate.Run(folder, told["identity"], told["measured"])

    html = reports.build(run, tmp_path / "r.html").read_text()

    assert f"The run is not finished: {real.plan.n:,} of {2 * real.plan.n:,} games." in html


def test_general_sections_serve_a_game_without_a_folder(real):
    """A new game has a report before anybody writes one for it."""
    from reports.facts import Facts
    from reports.section import Lens

    modules = section_modules("no_such_game")
    facts = Facts(real, Lens())

    assert {m.__name__ for m in modules} == {
        f"reports.sections.{file.stem}"
        for file in Path(reports.__file__).parent.joinpath("sections").glob("*.py")
        if file.stem != "__init__"
    }
    assert facts.order == ""
    assert facts.order_levels(facts.main[0])[0] == "seat"
