"""``simulate compensate``: the start bonus of each seat that makes a table even."""

from __future__ import annotations

import sys
from typing import Annotated

from simulate.commands.app import app, print_table, told
from simulate.commands.options import GameArgument, Margin, N, Report, option
from simulate.commands.shared import Options, with_shared_options


@app.command()
@with_shared_options()
def compensate(
    game: GameArgument,
    hook: Annotated[
        str,
        option("--hook", help="The bonus, as treatment=value: see `simulate treatments GAME`."),
    ],
    n: N = "50k",
    margin: Margin = None,
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Find the start bonus of each seat that makes all seats win equally often.

    Example: simulate compensate skull_canyon --hook fame_gift=2 --players 4 --n 50k

    Example: simulate compensate biathlon --hook stamina_plus --players 4 --set setup.first=seat1
    """
    from reports.experiments.compensations import words
    from simulate.experiments.compensate import compensate as experiment

    done = experiment(
        game, hook, n, margin=margin or (), **play, progress=True, report=report, **plan
    )
    found = done.compensation
    rows = [
        [
            f"{seat + 1}", told(found.shares[seat], ".1%"), told(found.bonuses[seat], ".2f"),
            f"{found.whole[seat]}", told(found.predicted[seat], ".1%"),
        ]
        for seat in range(found.seats)
    ]  # fmt: skip
    columns = ["seat", "win share", "bonus", "whole", "win share with it"]
    print_table(f"{game}: {found.hook}", columns, rows)
    for line in words(found):
        print(line)
    print(f"{done.folder}/report.html" if report else done.folder, file=sys.stderr)
