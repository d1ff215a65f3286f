"""The command that plays every option of single positions to the end: ``simulate rollouts``."""

from __future__ import annotations

import sys
from typing import Annotated

from simulate.commands.app import app, print_table, told
from simulate.commands.options import GameArgument, Report, option
from simulate.commands.shared import Options, with_shared_options


@app.command()
@with_shared_options(without=("backend",))
def rollouts(
    game: GameArgument,
    n: Annotated[str, option("--n", "-n", help="Games to take positions from (400).")] = "400",
    decisions: Annotated[
        str, option("--decisions", help="Decisions looked at a game, by lot (4); or all.")
    ] = "4",
    rolled: Annotated[
        str, option("--rollouts", help="Times that each option is played to the end (64).")
    ] = "64",
    most: Annotated[
        str,
        option("--options", help="Options tried a position (8), the one taken always among them."),
    ] = "8",
    question: Annotated[
        list[str] | None,
        option("--question", help="Only decisions of this kind, by its name in a replay."),
    ] = None,
    matters: Annotated[
        str, option("--matters", help="Points of win share from which a choice matters (5pp).")
    ] = "5pp",
    own: Annotated[
        str, option("--own", help="Points too small to care for oneself: kingmaking (5pp).")
    ] = "5pp",
    swing: Annotated[
        str, option("--swing", help="Points that decide another's game: kingmaking (10pp).")
    ] = "10pp",
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Play every option of single positions to the end, on the same futures.

    How much decisions weigh, where the strategies choose badly, whether somebody without a stake
    decides who wins, and what single acts are worth.

    Example: simulate rollouts biathlon --n 400

    Example: simulate rollouts skull_canyon --question CLAIM --n 2k --rollouts 128
    """
    from reports.experiments.rollouts import kings_can_be_found, summary_lines
    from reports.wording import NONE
    from simulate.experiments.rollouts import rollouts as experiment

    done = experiment(
        game,
        n,
        decisions=decisions,
        rollouts=rolled,
        options=most,
        questions=question or (),
        matters=matters,
        own=own,
        swing=swing,
        **play,
        progress=True,
        report=report,
        **plan,
    )
    study = done.study
    rows = []
    for stratum in study.strata:
        kings = {row["question"]: row for row in study.king_rows(stratum)}
        kings_told = kings_can_be_found(study, stratum)
        for row in study.weight_rows(stratum):
            king = kings[row["question"]]
            rows.append(
                [
                    stratum.label,
                    row["question"],
                    study.meanings.get(row["question"], ""),
                    row["positions"],
                    told(row["spread"], ".1f", 100),
                    told(row["matters"], ".1%"),
                    told(row["gap"], ".1f", 100),
                    told(row["regret"], ".1f", 100),
                    told(king["same"], ".1%") if kings_told else NONE,
                    told(king["sure"], ".1%") if kings_told else NONE,
                ]
            )
    columns = [
        "games", "question", "what is asked", "positions", "best - worst (points)", "matter",
        "best - second (points)", "regret (points)", "same to oneself", "kingmaking",
    ]  # fmt: skip
    print_table(f"{game}: what decisions weigh, in points of win share", columns, rows)
    for words in summary_lines(study):
        print(words)
    print(f"Positions and options are in {done.folder}.", file=sys.stderr)
    print(f"{done.folder}/report.html" if report else done.folder)
