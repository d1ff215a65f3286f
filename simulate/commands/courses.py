"""``simulate courses``: layouts as arms on the same dice."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from simulate.commands.app import Units, app, print_table
from simulate.commands.options import GameArgument, Layout, N, option
from simulate.commands.shared import Options, with_shared_options


@app.command()
@with_shared_options(without=("layout", "chunk", "backend"))
def courses(
    game: GameArgument,
    layout: Layout = None,
    n: N = "20k",
    tips: Annotated[bool, option("--tips", help="Test what the rulebook says of layouts.")] = False,
    search: Annotated[
        str, option("--search", help="fair, drama or skill: look for the best of random layouts.")
    ] = "",
    tries: Annotated[
        int, option("--tries", help="Random layouts of a search.", show_default=True, min=2)
    ] = 16,
    *,
    plan: Options,
    play: Options,
) -> None:
    """Compare courses, boards or set-ups on the same dice: fairness, length, drama, skill.

    Example: simulate courses biathlon --course starter,flat_short --n 20k
    """
    from simulate.experiments.courses import GOALS, WORDS
    from simulate.experiments.courses import courses as experiment

    done = experiment(
        game,
        layout or "all",
        n,
        tips=tips,
        search=search,
        tries=tries,
        progress=True,
        **play,
        **plan,
    )
    first = next(iter(done.measures))
    for title, value, told in (
        ("Layouts", "value", done.measures),
        (f"More than {first}, paired", f"more than {first}", done.gaps),
    ):
        gap = value != "value"
        rows = [
            [name, WORDS[m], *_told(m, t, gap)]
            for name, measures in told.items()
            for m, t in measures.items()
        ]
        if rows:
            print_table(title, ["layout", "measure", value, "95 % interval"], rows)
    if done.verdicts:
        rows = [
            [
                v.claim.tip, v.claim.words, f"{v.claim.arm} less {v.claim.other}",
                *_told(v.claim.column, v.effect, True), v.state,
            ]
            for v in done.verdicts
        ]  # fmt: skip
        columns = ["tip", "claim", "layouts", "difference", "interval", "verdict"]
        print_table("The rulebook's tips", columns, rows)
    if done.surface is not None:
        rows = [
            [
                feature, f"{done.surface.ends[feature][0]:g} … {done.surface.ends[feature][1]:g}",
                WORDS[m], *_told(m, e, True),
                f"{done.surface.q[feature, m]:.3f}",
            ]
            for feature, effects in done.surface.effects.items()
            for m, e in effects.items()
            if e.se == e.se
        ]  # fmt: skip
        columns = ["property", "from … to", "measure", "difference", "95 % interval", "corrected p"]
        print_table(f"What makes a layout so ({done.surface.layouts} layouts)", columns, rows)
    if done.found is not None:
        f, goal = done.found, GOALS[done.found.goal][0]
        picked, kept, gain = (
            _told(goal, t, t is f.gain) for t in (f.searched, f.confirmed, f.gain)
        )
        print(
            f"Best of {f.tries} ({f.goal}; {WORDS[goal].lower()}): {f.layout}. {picked[0]} when "
            f"picked, {_units(goal, f.searched).value(f.shrunken)} with the luck of the best of so many "
            f"taken off, {kept[0]} ({kept[1]}) on fresh seeds."
        )
        print(f"Against the game's own layout, fresh seeds: {gain[0]} ({gain[1]}).")
    print(f"{done.page}", file=sys.stderr)


def _told(measure: str, t: Any, gap: bool) -> list[str]:
    """A measure of a layout, or a difference of two, and its interval, in people's units."""
    units = _units(measure, t)
    return [units.gap(t.value) if gap else units.value(t.value), units.ends(t.low, t.high)]


def _units(measure: str, t: Any) -> Units:
    """Of a measure, with the decimals of this number."""
    from simulate.experiments.courses import SHARES

    return Units.of(t.low, t.high, share=measure in SHARES)
