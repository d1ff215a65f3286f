"""``simulate luck``: how much of the result is luck, and which."""

from __future__ import annotations

from typing import Annotated

import typer

from simulate.commands.app import app, print_table, told
from simulate.commands.options import Report, option
from simulate.commands.shared import Options, with_shared_options


@app.command()
@with_shared_options(without=("seating",))
def luck(
    what: Annotated[
        str, typer.Argument(metavar="GAME|RUN", help="Game, or run folder.", show_default=False)
    ],
    n: Annotated[str, option("--n", "-n", help="Games an arm: 1e4, 50k.")] = "10k",
    measure: Annotated[
        list[str] | None,
        option("--measure", help="Seat columns to split: win_share and rank by default."),
    ] = None,
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Say how much of the result is luck, and which luck.

    The same games are replayed with other dice, other cards, another set-up, one source of chance
    renewed and the others kept. A ledger tells what decides: style of play, seat, each source.

    With a run folder the ledger is that run's, with its rules, line-up and seed; it appears in the
    run's report.

    Example: simulate luck biathlon --n 10k

    Example: simulate luck pistengaudi --lineup all_rounder,random*3 --players 4

    Example: simulate luck runs/biathlon-1M-0c4e9f21 --n 20k
    """
    from reports.experiments.luck import headline
    from simulate.experiments.luck import luck as experiment

    done = experiment(
        what,
        n,
        measures=measure or (),
        **play,
        progress=True,
        report=report,
        **plan,
    )  # fmt: skip
    rows = [
        [
            entry.stratum, entry.label, part.name,
            *(
                told(e, ".1%")
                for e in ((part.share, part.alone, part.most) if part.chance else (part.share,))
            ),
            *([] if part.chance else ["", ""]),
        ]
        for entry in done.entries
        for part in entry.split.parts
    ]  # fmt: skip
    columns = ["games", "measure", "what decides", "share (95 %)", "alone", "at most"]
    print_table("Luck or skill", columns, rows)
    for entry in done.entries:
        print(f"{entry.stratum}, {entry.label.lower()}: {headline(entry)}")
    print(f"{done.folder}/report.html" if report else done.folder)
