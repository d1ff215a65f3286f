"""Commands that try many things at once: sweep, sensitivity, tournament with its ladder."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from simulate.commands.app import app, print_table
from simulate.commands.options import (
    GameArgument,
    Margin,
    Measures,
    N,
    Report,
    option,
)
from simulate.commands.shared import Options, with_shared_options


@app.command()
@with_shared_options()
def sweep(
    game: GameArgument,
    key: Annotated[
        list[str] | None,
        option("--key", help="Rule to vary; several make a grid. Also KEY=2,3,4 or KEY=1:9:2."),
    ] = None,
    values: Annotated[
        list[str] | None, option("--values", help="Its values: 2,3,4. Once a --key, in order.")
    ] = None,
    range_: Annotated[
        list[str] | None,
        option("--range", help="Its values from low to high: lo:hi:step. Once a --key, in order."),
    ] = None,
    sobol: Annotated[
        int | None,
        option("--sobol", help="So many points spread over all keys instead of the whole grid."),
    ] = None,
    target: Annotated[
        list[str] | None,
        option("--target", help="Find the value that gives this: win_rate:seat0=0.25, rounds=20."),
    ] = None,
    n: Annotated[str, option("--n", "-n", help="Games a point: 1e4, 50k.")] = "10k",
    measure: Measures = None,
    margin: Margin = None,
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Vary rules over a range of values and see how the game answers.

    All values are played in one run on the same dice, without compiling again.

    Example: simulate sweep biathlon --key range.lap_length --values 2,3,4,5

    Example: simulate sweep biathlon --key range.lap_length --range 1:6:1 --target rounds=22

    Example: simulate sweep biathlon --key range.lap_length=1:6 --key stamina.levels=3:5 --sobol 16
    """
    from simulate.experiments.sweep import sweep as experiment

    done = experiment(
        game,
        key or (),
        values or (),
        range_ or (),
        n,
        sobol=sobol,
        measures=measure or (),
        margin=margin or (),
        target=target or (),
        **play,
        progress=True,
        report=report,
        **plan,
    )
    told = done.sweep.told()
    rows = [
        [
            label, r.first.label, f"{r.first.players} players", *_at_point(done.sweep, i, j)
        ]
        for i, r in enumerate(done.sweep.shown)
        for j, label in enumerate(done.sweep.labels)
    ]  # fmt: skip
    columns = [
        "point", "measure", "games", "value", "95 % interval", "change", "95 % interval of it", "q",
        "verdict",
    ]  # fmt: skip
    print_table(f"{game}: {', '.join(told['keys'])}", columns, rows)
    for aim in told["targets"]:
        print(aim["words"])
    print(f"Changes are against {told['reference']}.", file=sys.stderr)
    print(f"{done.folder}/report.html" if report else done.folder)


def _at_point(sweep: Any, i: int, j: int) -> list[str]:
    """A measure at a point of a sweep, and its change from the reference point."""
    from reports.experiments.sweeps import point_row

    row = point_row(sweep, i, j)
    columns = ("value", "interval", "change", "change_interval", "q", "verdict")
    return [str(row.get(c, "")) for c in columns]


@app.command()
@with_shared_options()
def sensitivity(
    game: GameArgument,
    n: Annotated[str, option("--n", "-n", help="Games an alternative: 5k, 1e5.")] = "5k",
    key: Annotated[
        list[str] | None, option("--key", help="Only rules whose keys begin so: rules.draft.")
    ] = None,
    skill: Annotated[
        list[float] | None,
        option("--skill", help="A temperature: the same styles, erring by it. May be repeated."),
    ] = None,
    margin: Annotated[
        list[str] | None,
        option(
            "--margin",
            help="What is too small to matter: 1pp of shares (default), 5% of other numbers "
            "(default), or rounds=0.3.",
        ),
    ] = None,
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Say which conclusions lean on assumptions.

    Every alternative of an assumed value or a ruling is played on the same dice as the rules as
    they are: what it does to the seats, the length and the order of the styles, what flips, what
    stands. With --skill the line-up is tried at other strengths, too.

    Example: simulate sensitivity biathlon --n 10k
    """
    from simulate.experiments.sensitivity import sensitivity as experiment

    done = experiment(
        game,
        n,
        keys=key or (),
        skill=skill or (),
        margin=margin or (),
        **play,
        progress=True,
        report=report,
        **plan,
    )
    rows = [
        [
            one.tried.label, one.tried.kind, one.stratum,
            one.first.change_words, one.first.interval_words,
            one.length.change_words, one.length.interval_words, one.overturns,
        ]
        for one in done.leanings
    ]  # fmt: skip
    columns = [
        "alternative", "kind", "games", "first seat", "95 % interval", "length", "95 % interval",
        "overturns",
    ]  # fmt: skip
    print_table(f"{game}: what leans on assumptions", columns, rows)
    told = done.study.told()
    for words in told["verdict"].values():
        print(words)
    print(f"Not tried: {len(told['untried'])} (see the page).", file=sys.stderr)
    print(f"{done.folder}/report.html" if report else done.folder)


@app.command()
@with_shared_options(without=("lineup", "seating"))
def tournament(
    game: GameArgument,
    strategies: Annotated[
        list[str] | None,
        option("--strategies", help="Who takes part: pacer,finisher:stam=1.1; all by default."),
    ] = None,
    ladder: Annotated[
        bool,
        option(
            "--ladder",
            help="One strategy (--strategies NAME) against itself with more and more noise, down to "
            "random play: how much room for skill there is.",
        ),
    ] = False,
    n: N = "50k",
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Let all styles play each other, in all seats.

    Who finishes ahead of whom, a strength for each from the full finishing orders, and whether
    strength runs in circles.

    Example: simulate tournament biathlon --n 100k

    Example: simulate tournament biathlon --strategies pacer,finisher,drafter,random

    Example: simulate tournament biathlon --ladder --strategies pacer --n 50k
    """
    options = {**plan, **play, "progress": True, "report": report}
    tell = _ladder if ladder else _tournament
    tell(game, n, strategies or [], options)


def _tournament(game: str, n: str, strategies: list[str], options: dict[str, Any]) -> None:
    """All styles against each other, and what is printed of it."""
    from reports import wording
    from reports.experiments.standings import summary_lines
    from simulate.experiments.tournament import tournament as experiment

    done = experiment(game, n, strategies=strategies, **options)
    rows = [
        [
            row["games"], row["place"], row["strategy"], wording.number(row["strength"], 0),
            f"{wording.number(row['strength_low'], 0)} … {wording.number(row['strength_high'], 0)}",
            wording.percent(row["win_share"]),
            _ends(row["win_share_low"], row["win_share_high"]),
        ]
        for row in done.standings.rows()
    ]  # fmt: skip
    columns = [
        "games", "place", "style", "strength", "95 % interval", "win share", "95 % interval of it",
    ]  # fmt: skip
    print_table(f"{game}: standings", columns, rows)
    for words in summary_lines(done.standings):
        print(words)
    print(f"{done.folder}/report.html" if options["report"] else done.folder)


def _ends(low: float | None, high: float | None) -> str:
    """An interval of percentages, or what is missing."""
    from reports import wording

    if low is None or high is None:
        return "no interval: too few games"
    return f"{wording.percent(low)} … {wording.percent(high)}"


def _with_interval(value: str, interval: str, estimate: Any) -> str:
    """A number of a table with its interval behind it, – for none."""
    return f"{value} ({interval})" if estimate.n else value


def _ladder(game: str, n: str, strategies: list[str], options: dict[str, Any]) -> None:
    """One strategy with more and more noise, and what is printed of it."""
    from reports import wording
    from reports.estimates import NOTHING
    from reports.experiments.rungs import summary_lines
    from simulate.errors import PlanError
    from simulate.experiments.ladder import ladder as experiment

    if len(strategies) > 1 or any("," in text for text in strategies):
        raise PlanError("A ladder is climbed by one strategy: name one with --strategies.")
    done = experiment(game, next(iter(strategies), ""), n, **options)
    rungs = done.rungs
    below = {high: (gap, ahead) for _, high, gap, ahead in rungs.steps()}
    rows = []
    for number, i in reversed(list(enumerate(rungs.order, start=1))):
        above = rungs.above(i)
        gap, ahead = below.get(i, (NOTHING, NOTHING))
        rows.append(
            [
                number, rungs.plays(i), wording.value_of(above, 0), wording.interval_of(above, 0),
                _with_interval(wording.value_of(gap, 0), wording.interval_of(gap, 0), gap),
                _with_interval(wording.percent_of(ahead), wording.percent_interval(ahead), ahead),
            ]
        )  # fmt: skip
    columns = ["rung", "how it plays", "points", "95 % interval", "gap below", "ahead of it"]
    print_table(f"{game}: ladder of {wording.plain(rungs.top)}", columns, rows)
    for words in summary_lines(rungs):
        print(words)
    print(f"{done.folder}/report.html" if options["report"] else done.folder)
