"""``simulate tune``: a strategy's numbers, searched under a set of rules and confirmed."""

from __future__ import annotations

import sys
from typing import Annotated

from simulate.commands.app import app, print_table
from simulate.commands.options import (
    GameArgument,
    Margin,
    Report,
    option,
)
from simulate.commands.shared import Options, with_shared_options


@app.command()
@with_shared_options(without=("lineup",))
def tune(
    game: GameArgument,
    strategy: Annotated[
        str,
        option("--strategy", help="Where the search starts: pacer, or pacer:stam=1.1:wax=0.5."),
    ],
    against: Annotated[
        str,
        option(
            "--against",
            help="Who else sits at the table: drafter,finisher,random; by default the others of the "
            "book's line-up.",
        ),
    ] = "",
    params: Annotated[
        list[str] | None,
        option(
            "--params",
            help="Numbers to tune, with a range where wanted: stam,aim=0:3; or all. Those in use "
            "(not 0) by default.",
        ),
    ] = None,
    candidates: Annotated[
        int, option("--candidates", help="Versions of the first search.", show_default=True)
    ] = 64,
    n: Annotated[
        str, option("--n", "-n", help="Games in all, a third of them to confirm (100k).")
    ] = "100k",
    measure: Annotated[
        str,
        option(
            "--measure", help="What shall be better: win_share, score or rank.", show_default=True
        ),
    ] = "win_share",
    margin: Margin = None,
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Tune a strategy's numbers to a set of rules, and say what that is worth.

    Versions of the strategy race on the same dice; the best one is played again against the start on
    fresh seeds. Only that is told as its merit, with a verdict: better, the same within a margin,
    or not enough games. The last line is the line-up for other commands.

    Example: simulate tune biathlon --strategy pacer --n 200k

    Example: simulate tune biathlon --strategy pacer --set range.lap_length=4 --params stam,aim=0:3
    """
    from reports.experiments.tuning import words
    from simulate.experiments.tune import tune as experiment

    done = experiment(
        game,
        strategy,
        n,
        against=against,
        params=params or (),
        candidates=candidates,
        measure=measure,
        margin=margin or (),
        **play,
        progress=True,
        report=report,
        **plan,
    )
    told = done.tuning
    rows = [
        [number.name, f"{number.before:g}", f"{number.after:g}", number.told]
        for number in told.numbers
        if number.changed
    ]
    print_table("What changed", ["parameter", "start", "tuned", "what it counts"], rows)
    for line in words(told):
        print(line)
    print(f"Verdict: {told.verdict}.")
    print(f"{done.folder}/report.html" if report else done.folder, file=sys.stderr)
    print(f"--lineup {done.lineup}")
