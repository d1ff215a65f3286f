"""Commands that put two things beside each other: treatments, sides, runs; and how many games."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from simulate.commands.app import FAILED, Units, app, print_table
from simulate.commands.options import (
    GameArgument,
    Margin,
    Measures,
    N,
    Report,
    option,
)
from simulate.commands.shared import Options, with_shared_options

MOST_OTHERS = 15  # differences beside the headline measures that a table shows


@app.command()
@with_shared_options()
def treat(
    game: GameArgument,
    hook: Annotated[
        str,
        option("--hook", help="Treatment, or treatment=value: see `simulate treatments GAME`."),
    ],
    n: N = "50k",
    target: Annotated[
        str,
        option("--target", help="random: a drawn seat; all; or a seat from 0.", show_default=True),
    ] = "random",
    measure: Annotated[
        list[str] | None,
        option("--measure", help="Columns to compare; win share, rank, … by default."),
    ] = None,
    unit: Annotated[
        str, option("--unit", help="Another treatment: tell the effect in units of it, too.")
    ] = "",
    *,
    plan: Options,
    play: Options,
) -> None:
    """Measure what a treatment does.

    Plays the same games with and without it; the paired effect with its interval. With --unit also
    how many of another treatment it is worth: a wax token in stamina, a card in fame.

    Example: simulate treat biathlon --hook stamina_plus --n 100k
    """
    from simulate.experiments.treat import treat as experiment

    done = experiment(
        game,
        hook,
        n,
        target=target,
        measures=measure or (),
        unit=unit,
        **play,
        progress=True,
        **plan,
    )
    rows = [[*_effect_row(e), *([_price(e)] if unit else [])] for e in done.effects]
    print_table(
        f"{done.hook}: {done.meaning}",
        [
            "measure",
            "of",
            "games",
            "without",
            "with",
            "difference",
            "95 % interval",
            "q",
            *([f"in {unit}"] if unit else []),
        ],
        rows,
    )
    print(
        f"Family of tests: all {len(rows)} effects; q is corrected for false discoveries.",
        file=sys.stderr,
    )
    print(
        f"All arms are in {done.folder}; `simulate report` writes the page of one.", file=sys.stderr
    )


def _price(e: Any) -> str:
    """An effect in units of another treatment, "" where there is none."""
    if e.price is None or e.price_low is None or e.price_high is None:
        return ""
    return f"{e.price:.2f} ({e.price_low:.2f} … {e.price_high:.2f})"


def _effect_row(e: Any) -> list[str]:
    """The effect on one measure, in the units that people use."""
    from reports import wording
    from reports.experiments.quantities import NAMED

    units = Units.of(e.low, e.high, share=e.share, unit=e.unit)
    return [
        NAMED.get(e.measure, (wording.plain(e.measure),))[0],
        e.who,
        e.stratum,
        units.value(e.control),
        units.value(e.treated),
        units.gap(e.difference),
        units.ends(e.low, e.high),
        wording.q_value(e.q),
    ]


@app.command()
@with_shared_options()
def compare(
    game: GameArgument,
    a: Annotated[
        str, option("--a", help="Options of side A, as one text; the default rules without it.")
    ] = "",
    b: Annotated[
        str,
        option(
            "--b",
            help="Options of side B: --set, --rules, --variant, --course, --lineup, --players, "
            "--nations, --seating.",
        ),
    ] = "",
    n: N = "20k",
    measure: Measures = None,
    margin: Margin = None,
    until: Annotated[
        bool,
        option("--until", help="Go on until every headline measure is decided, or to --max-n."),
    ] = False,
    max_n: Annotated[
        str | None, option("--max-n", help="Most games a side with --until (1M).")
    ] = None,
    retune: Annotated[
        list[str] | None,
        option(
            "--retune",
            help="Styles that adapt: tuned to each side's rules; then compare once more. "
            "pacer,finisher.",
        ),
    ] = None,
    retune_n: Annotated[
        str, option("--retune-n", help="Games that each style is tuned with (100k).")
    ] = "100k",
    *,
    plan: Options,
    play: Options,
    report: Report = True,
) -> None:
    """Compare two sets of rules, line-ups or courses on the same dice.

    Every number of both sides, paired block by block, with a verdict in three states: the same
    within a margin, different, or not enough games. Other options hold for both sides.

    Example: simulate compare biathlon --a "" --b "--set range.lap_length=4" --n 50k

    Example: simulate compare biathlon --b "--variant lap_length_4" --until --max-n 500k

    Example: simulate compare biathlon --b "--set range.lap_length=4" --retune pacer
    """
    from simulate.experiments.compare import compare as experiment

    if max_n is not None and not until:
        raise typer.BadParameter("is the cap of --until; give both.", param_hint="--max-n")
    done = experiment(
        game,
        a,
        b,
        n,
        measures=measure or (),
        margin=margin or (),
        until=until,
        max_n=max_n,
        retune=retune or (),
        retune_n=retune_n,
        **play,
        progress=True,
        report=report,
        **plan,
    )
    title = f"A: {a or 'the default'}   B: {b or 'the default'}"
    _tell_differences(title, done.comparison.found)
    adaptation = done.comparison.adaptation
    if adaptation is not None:
        _tell_differences(f"{title}   styles adapted", adaptation.comparison.found)
        for side, text in adaptation.lineups.items():
            print(f"Side {side.upper()} has adapted: --lineup {text}", file=sys.stderr)
    print(done.comparison.pairing(), file=sys.stderr)
    if done.comparison.alignment is not None:
        print(done.comparison.alignment.words(), file=sys.stderr)
    if done.stopped:
        print(f"Stopped: {done.stopped}.", file=sys.stderr)
    print(f"{done.folder}/report.html" if report else done.folder)


def _tell_differences(title: str, found: Sequence[Any], changed_only: bool = False) -> None:
    """Headline measures, and the largest other changes, as a table."""
    from reports.experiments.differences import family

    heads = [d for d in found if (d.state == "unfair" if changed_only else d.headline)]
    others = [d for d in found if d.state == "unfair" and d not in heads]
    others.sort(key=lambda d: -abs(d.change.value) / (d.margin or 1))
    shown = [*heads, *others[:MOST_OTHERS]]
    rows = [
        [
            d.a.label, d.stratum, d.a.shown(d.value_a.value, d.digits),
            d.a.shown(d.value_b.value, d.digits), d.change_words, d.interval_words,
            d.q_words, d.verdict,
        ]
        for d in shown
    ]  # fmt: skip
    columns = ["measure", "games", "A", "B", "B - A", "95 % interval", "q", "verdict"]
    if any(d.corrected_words for d in shown):
        columns[5:5] = ["corrected for stopping", "middle"]
        for row, d in zip(rows, shown, strict=True):
            row[5:5] = [d.corrected_words, d.middle_words]
    print_table(title, columns, rows)
    left = len(others) - len(shown) + len(heads)
    more = f" {left} more are different." if left else ""
    print(f"Family of tests: {family(found)}.{more}", file=sys.stderr)


@app.command("plan")
@with_shared_options(without=("chunk", "backend"))
def plan_games(
    what: Annotated[
        str, typer.Argument(help="Game; or a finished run or comparison.", show_default=False)
    ],
    effect: Annotated[
        str,
        option(
            "--effect",
            help="What shall be found: 0.5pp of win share, or rounds=0.2.",
            show_default=True,
        ),
    ] = "1pp",
    power: Annotated[
        float,
        option(
            "--power",
            help="How surely it shall be found: 0.8 is four times out of five.",
            show_default=True,
        ),
    ] = 0.8,
    correlation: Annotated[
        float | None,
        option(
            "--paired-correlation",
            help="Between the sides, as `simulate compare` tells it; 0, 0.5 and 0.9 without it.",
        ),
    ] = None,
    n: Annotated[str, option("--n", "-n", help="Games of the trial (3k).")] = "3k",
    *,
    plan: Options,
    play: Options,
) -> None:
    """Say how many games a question needs, or what a run could have seen.

    For a game: games a side, minutes and disk, at the scatter and the speed of a short trial. For a
    finished run or comparison: the smallest true effect that each number would have shown.

    Example: simulate plan biathlon --effect 0.5pp --power 0.8

    Example: simulate plan runs/biathlon-1M-0c4e9f21
    """
    from simulate.experiments.power import Need
    from simulate.experiments.power import power as experiment

    done = experiment(
        what,
        effect,
        power,
        correlation,
        n,
        **play,
        progress=True,
        **plan,
    )
    needs = [
        [
            r.measure,
            f"{r.correlation:g}",
            f"{r.games:,}",
            f"{r.minutes:,.1f}",
            f"{r.megabytes:,.1f}",
        ]
        for r in done.rows
        if isinstance(r, Need)
    ]
    if needs:
        title = f"To find {effect} with power {power:g}"
        print_table(title, ["measure", "correlation", "games a side", "minutes", "MB"], needs)
    else:
        _tell_seen(done)
    print(f"Measured: {done.basis}.", file=sys.stderr)


def _tell_seen(done: Any) -> None:
    """The smallest effects that a run could have seen."""
    rows = []
    for r in done.rows:
        other = r.smallest_difference
        rows.append(
            [
                r.measure, r.stratum, f"{r.value:.4g} {'%' if r.unit == 'pp' else r.unit}".strip(),
                f"{r.smallest:.3g} {r.unit}".strip(),
                "" if other is None else f"{other:.3g} {r.unit}".strip(),
            ]
        )  # fmt: skip
    columns = ["measure", "games", "value", "smallest effect", "against a second such run"]
    print_table(f"What could have been seen with power {done.power:g}", columns, rows)


@app.command()
def diff(
    run_a: Annotated[Path, typer.Argument(help="Run folder, before.", show_default=False)],
    run_b: Annotated[Path, typer.Argument(help="Run folder, after.", show_default=False)],
    threshold: Annotated[
        list[str] | None,
        option(
            "--threshold",
            help="Smaller changes are none: 0.5pp of shares (default), 1% of other numbers "
            "(default), or rounds=0.1.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None, option("--measure", help="Columns to compare; all by default.")
    ] = None,
    as_json: Annotated[bool, option("--json", help="Print everything as one JSON object.")] = False,
    out: Annotated[
        Path | None, option("--out", "-o", help="Write a page about it into this folder.")
    ] = None,
) -> None:
    """Say which facts changed between two runs.

    Win shares by seat, strategy and every word column, lengths, and the mean of every number; false
    discoveries are held at 5 % over all of them.

    Exit code 0 when nothing changed, 1 when something did, 2 when the runs cannot be compared.

    Example: simulate diff runs/before runs/after --threshold 0.5pp
    """
    from simulate.experiments.diff import diff as experiment

    done = experiment(run_a, run_b, threshold=threshold or (), measures=measure or (), out=out)
    told = done.told()
    if as_json:
        print(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        for line in done.context:
            print(f"Differs by design: {line}")
        if done.changed:
            _tell_differences(f"{run_a} against {run_b}", done.comparison.found, True)
        same, unsure = told["same"], told["not_enough_games"]
        print(
            f"{len(done.changed)} facts changed by more than the threshold "
            f"({told['threshold']}); {same} are the same, of {unsure} the runs cannot tell."
        )
        if told["identical"]:
            print("Not one number differs.")
    if done.changed:
        raise typer.Exit(FAILED)
