"""``simulate compensate``: the start bonus of each seat that makes a table even."""

from __future__ import annotations

import sys
from typing import Annotated

from simulate.commands.app import app, print_table
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
    from simulate.experiments.compensate import compensate as experiment

    done = experiment(
        game, hook, n, margin=margin or (), **play, progress=True, report=report, **plan
    )
    rows = [
        [
            f"{row['seat'] + 1}", f"{row['win_share']:.4f}", f"{row['bonus']:.2f}",
            f"{row['bonus_low']:.2f} … {row['bonus_high']:.2f}", f"{row['whole']}",
            f"{row['predicted']:.4f}",
        ]
        for row in done.compensation.rows()
    ]  # fmt: skip
    columns = ["seat", "win share", "bonus", "95 % interval", "whole", "win share with it"]
    print_table(f"{game}: {done.compensation.hook}", columns, rows)
    for line in done.compensation.told()["verdict"]:
        print(line)
    print(f"{done.folder}/report.html" if report else done.folder, file=sys.stderr)
