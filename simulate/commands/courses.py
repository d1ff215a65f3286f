"""``simulate courses``: layouts as arms on the same dice."""

from __future__ import annotations

import sys
from typing import Annotated

from simulate.commands.app import app, print_table
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
        str, option("--search", help="fair or drama: look for the best of random layouts.")
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
    from simulate.experiments.courses import WORDS
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
        rows = [
            [name, WORDS[m], f"{t.value:.4f}", f"{t.low:.4f} … {t.high:.4f}"]
            for name, measures in told.items()
            for m, t in measures.items()
        ]
        if rows:
            print_table(title, ["layout", "measure", value, "95 % interval"], rows)
    if done.verdicts:
        rows = [
            [
                v.claim.tip, v.claim.words, f"{v.claim.arm} less {v.claim.other}",
                f"{v.effect.value:+.4f}", f"{v.effect.low:+.4f} … {v.effect.high:+.4f}", v.state,
            ]
            for v in done.verdicts
        ]  # fmt: skip
        columns = ["tip", "claim", "layouts", "difference", "interval", "verdict"]
        print_table("The rulebook's tips", columns, rows)
    if done.found is not None:
        f = done.found
        print(
            f"Best of {f.tries} ({f.goal}): {f.layout}. {f.searched.value:.4f} when picked, "
            f"{f.confirmed.value:.4f} on fresh seeds; optimism gap {f.optimism:.4f}."
        )
        print(
            f"Against the game's own layout, fresh seeds: {f.gain.value:+.4f} "
            f"({f.gain.low:+.4f} … {f.gain.high:+.4f})."
        )
    print(f"{done.page}", file=sys.stderr)
