"""Commands of Skull Canyon's own experiments: ``simulate gear`` and ``simulate weather``."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

from simulate.commands.app import app, print_table, told
from simulate.commands.options import GameArgument, N, option
from simulate.commands.shared import Options, with_shared_options


class Kind(StrEnum):
    """What an arm does to a card."""

    grant = "grant"
    deny = "deny"
    ban = "ban"
    price = "price"
    offer = "offer"


class Moment(StrEnum):
    """When a card is given."""

    day1 = "day1"
    hotel1 = "hotel1"
    hotel2 = "hotel2"


Page = Annotated[bool, option("--report/--no-report", help="Write the page (default).")]


@app.command()
@with_shared_options(without=("nations",))
def gear(
    game: GameArgument,
    card: Annotated[
        list[str] | None, option("--gear", help="A card by its id; all without it.")
    ] = None,
    kind: Annotated[
        list[Kind] | None, option("--arm", help="grant, deny, ban, price, offer; all without it.")
    ] = None,
    at: Annotated[
        list[Moment] | None,
        option("--at", help="When a card is given: day1, hotel1 (default), hotel2."),
    ] = None,
    shift: Annotated[
        list[int] | None, option("--shift", help="Fame added to a price; -2 and 2 without it.")
    ] = None,
    fame: Annotated[
        int, option("--fame", help="Fame given to learn what fame is worth.", show_default=True)
    ] = 6,
    n: N = "20k",
    *,
    plan: Options,
    play: Options,
    page: Page = True,
) -> None:
    """What is each gear card worth? Given, banned, repriced and offered in the same games.

    Example: simulate gear skull_canyon --n 20k --players all
    """
    from simulate.experiments import gear as experiment

    done = experiment.gear(
        game,
        n,
        cards=card or (),
        kinds=[k.value for k in kind or Kind],
        at=[m.value for m in at or (Moment.hotel1,)],
        shifts=experiment.SHIFTS if shift is None else shift,
        fame=fame,
        page=page,
        **play,
        progress=True,
        **plan,
    )
    rows = [
        [
            row.gear.id, row.stratum, row.gear.cost, told(row.price, ".1f"), row.gear.vp,
            told(row.vp, "+.2f"), told(row.wins, "+.1f", 100), told(row.naive, "+.1f", 100),
            told(row.bias, "+.1f", 100),
        ]
        for row in done.findings.rows
    ]  # fmt: skip
    columns = [
        "gear", "games", "price (fame)", "fair price (fame)", "printed VP", "brings VP",
        "wins by the card (pp)", "owners win more (pp)", "which misleads by (pp)",
    ]  # fmt: skip
    print_table("Gear: printed against fair price", columns, rows)
    print(f"All arms are in {done.folder}.", file=sys.stderr)
    if done.page is not None:
        print(done.page)


@app.command()
@with_shared_options(without=("nations",))
def weather(
    game: GameArgument,
    n: N = "20k",
    *,
    plan: Options,
    play: Options,
    page: Page = True,
) -> None:
    """What does the weather do? The same games under every sequence of faces.

    Example: simulate weather skull_canyon --n 20k --players all
    """
    from reports import wording
    from reports.games.skull_canyon.weather_rows import MEASURES
    from simulate.experiments.weather import weather as experiment

    done = experiment(
        game,
        n,
        page=page,
        **play,
        progress=True,
        **plan,
    )
    rows = []
    for c in done.skies.cells:
        measured = MEASURES[c.measure]
        share = measured.column == "win_share"
        form, scale, unit = (".1f", 100, " (%)") if share else (".2f", 1, "")
        rows.append(
            [
                c.sequence,
                c.stratum,
                f"{measured.label}{unit}",
                told(c.level, form, scale),
                told(c.difference, f"+{form}", scale),
                wording.q_value(c.q),
            ]
        )
    columns = ["sequence", "games", "measure", "mean", "from the mean of all", "q"]
    print_table("Weather", columns, rows)
    print(f"All arms are in {done.folder}.", file=sys.stderr)
    if done.page is not None:
        print(done.page)
