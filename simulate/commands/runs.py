"""Commands about runs: play, extend, report, verify, replay, script."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from simulate.commands.app import FAILED, app
from simulate.commands.options import (
    Backend,
    BackendOption,
    Chunk,
    Format,
    Game,
    Jobs,
    N,
    Records,
    Report,
    option,
    polars_threads,
)
from simulate.commands.shared import Options, with_shared_options
from simulate.errors import UserError

MOST_VERDICTS = 8  # that the terminal shows after a run


@app.command()
@with_shared_options()
def run(
    game: Game,
    n: N = "100k",
    *,
    plan: Options,
    records: Annotated[
        Records, option("--records", help="full: a row a game and a seat; summary: sums only.")
    ] = Records.full,
    equal: Annotated[
        bool,
        option("--equal/--no-equal", help="Also play equal strategies on all seats (default)."),
    ] = True,
    precision: Annotated[
        str | None,
        option("--precision", help="Go on until win_rate=0.2pp (rounds=0.05, rounds=1%)."),
    ] = None,
    max_n: Annotated[
        str | None, option("--max-n", help="Most games with --precision (10M).")
    ] = None,
    play: Options,
    report: Report = True,
) -> None:
    """Play games into a run folder and write its report.

    The same command goes on where it was interrupted.

    Example: simulate run --game biathlon --n 1e6 --seed 7
    """
    from simulate import api

    if max_n is not None and precision is None:
        raise typer.BadParameter("is the cap of --precision; give both.", param_hint="--max-n")
    done = api.run(
        game,
        n,
        **play,
        precision=precision,
        max_n=max_n,
        progress=True,
        records=records.value,
        equal=equal,
        **plan,
    )
    _tell(done, report)


@app.command()
def extend(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    n: Annotated[str, option("--n", "-n", help="Games that the run shall have in all.")],
    jobs: Jobs = None,
    chunk: Chunk = None,
    backend: BackendOption = Backend.threads,
    report: Report = True,
) -> None:
    """Make a run longer.

    The result equals one longer run, byte for byte.

    Example: simulate extend runs/biathlon-1M-0c4e9f21 --n 2e6
    """
    polars_threads(jobs)
    from simulate import api

    done = api.extend(run, n, jobs=jobs, chunk=chunk, backend=backend.value, progress=True)
    _tell(done, report)


def _tell(done: Any, report: bool) -> None:
    """What a run came to, and its report."""
    measured = done.measured
    speed = measured.get("games_per_second", 0)
    print(
        f"{done.plan.n:,} games in {done.path} "
        f"({speed:,.0f} games/s on {measured.get('jobs')} workers).",
        file=sys.stderr,
    )
    if report:
        file = _write_report(done)
        _tell_verdicts(file.parent / "data" / "verdicts.csv")
        print(file)
    else:
        print(done.path)


def _tell_verdicts(file: Path) -> None:
    """The first screen of a report in the terminal: a line a verdict, the page has the rest."""
    with file.open(encoding="utf-8", newline="") as rows:
        told = list(csv.DictReader(rows))
    for row in told[:MOST_VERDICTS]:
        print(f"{row['question']} {row['headline']} [{row['about']}]", file=sys.stderr)
    if len(told) > MOST_VERDICTS:
        print(f"{len(told) - MOST_VERDICTS} more verdicts stand in the report.", file=sys.stderr)


def _write_report(done: Any, **options: Any) -> Path:
    """Build the report of a run."""
    from importlib import import_module

    reports = import_module("reports")
    if not hasattr(reports, "build"):
        raise UserError(
            "This installation has no reports: the run is complete, its report is not made."
        )
    return reports.build(done, **options)


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    out: Annotated[
        Path | None, option("--out", "-o", help="HTML file; report.html by default.")
    ] = None,
    strict: Annotated[
        bool, option("--strict", help="A section that cannot be made is an error.")
    ] = False,
    sensitivity: Annotated[
        Path | None,
        option(
            "--sensitivity",
            help="Study that says which verdicts lean on assumptions; else one beside the run.",
        ),
    ] = None,
) -> None:
    """Write the one-file HTML report of a run.

    Example: simulate report runs/biathlon-1M-0c4e9f21
    """
    from simulate.store import open_run

    options: dict[str, Any] = {}
    if out is not None:
        options["out"] = out
    if strict:
        options["strict"] = True
    if sensitivity is not None:
        options["sensitivity"] = sensitivity
    print(_write_report(open_run(run), **options))


@app.command()
def verify(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    sample: Annotated[
        int, option("--sample", help="Games to play again.", min=0, show_default=True)
    ] = 20,
    steps: Annotated[
        bool, option("--steps", help="Play them decision by decision, as a replay does.")
    ] = False,
) -> None:
    """Check the files of a run.

    Hashes of all files, and a random sample of games played again.

    Exit code 1 when something differs.

    Example: simulate verify runs/biathlon-1M-0c4e9f21
    """
    from simulate.store import open_run
    from simulate.verify import verify as check

    opened = open_run(run)
    problems = check(opened, sample, steps=steps)
    for problem in problems:
        print(problem)
    if problems:
        raise typer.Exit(FAILED)
    print(
        f"{run}: all agrees ({opened.plan.n:,} games, shards: {len(opened.shards)}, "
        f"games replayed: {sample})."
    )


@app.command()
@with_shared_options()
def replay(
    run: Annotated[
        Path | None,
        typer.Argument(help="Run folder (or --game and plan options).", show_default=False),
    ] = None,
    number: Annotated[
        int | None, typer.Argument(help="Game of the run.", show_default=False)
    ] = None,
    game: Annotated[str | None, option("--game", "-g", help="Game, without a run folder.")] = None,
    game_id: Annotated[int | None, option("--game-id", help="Game of the plan, from 0.")] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Format, option("--format", help="text: plain words; jsonl: one object an event.")
    ] = Format.text,
    *,
    plan: Options,
) -> None:
    """Tell one game, in plain words or as JSON Lines for a referee.

    Example: simulate replay runs/biathlon-1M-0c4e9f21 4711

    Example: simulate replay --game biathlon --seed 7 --game-id 12 --format jsonl
    """
    from simulate.replay import replay as tell

    if run is not None and game is not None:
        raise typer.BadParameter(
            "give either a run folder or --game, not both.", param_hint="--game"
        )
    which = number if number is not None else game_id
    if which is None:
        raise UserError("Which game? Give its number: simulate replay RUN 12, or --game-id 12.")
    if run is not None:
        from simulate.store import open_run

        told = tell(open_run(run), which)
    elif game is not None:
        told = tell(game, which, **plan)
    else:
        raise UserError("Which run? Give a run folder, or --game with --game-id and plan options.")
    told.play()
    if format is Format.text:
        print(told.text())
        return
    for event in told.events:
        print(json.dumps(event, ensure_ascii=False))


@app.command()
def script(
    file: Annotated[
        Path, typer.Argument(help="JSON: one case, a list, or JSON Lines.", show_default=False)
    ],
    as_json: Annotated[
        bool, option("--json", help="Print end states and questions as JSON Lines.")
    ] = False,
) -> None:
    """Play scripted positions from a file.

    Says what differs from what they expect.

    Exit code 1 when a case differs.

    Example: simulate script cases.json
    """
    from simulate.script import script as play

    outcomes = play(file)
    failed = 0
    for outcome in outcomes:
        failed += not outcome.passed
        if as_json:
            print(json.dumps(outcome.as_dict(), ensure_ascii=False, default=str))
            continue
        print(f"{'passed' if outcome.passed else 'DIFFERS'}  {outcome.id or '(no id)'}")
        for difference in outcome.differences:
            print(f"    {difference}")
    if not as_json:
        print(f"{len(outcomes) - failed} of {len(outcomes)} cases passed.")
    if failed:
        raise typer.Exit(FAILED)
