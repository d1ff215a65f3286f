"""The last round: who wins once a figure is in the goal?"""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.facts import Facts
from reports.measures import GROUPS, Job, Stratum, adding, counted
from reports.section import Block, Column, Figure, Highlight, Section, Table, Text

ORDER = 42
COLUMNS = ("trigger_seat", "winner_seat", "winner_reversed")
FLAGS = {"overtaken_in_final": "Overtaken", "tie_broken": "Decided by arrival"}
NEEDS = {"games": (*COLUMNS, *FLAGS, "winner_area", "n_in_goal"), "rows": True}
KEYS = ("group", "stratum", *COLUMNS)


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Finished games by the seat that enters first, the winner, and the winner of the other rule."""
    del facts

    def ends(rows: pl.DataFrame) -> pl.DataFrame:
        return counted(rows.filter(pl.col("winner_seat").is_not_null()), KEYS)

    return {"games": {"ends": adding([*COLUMNS], KEYS, ends)}}


def make(facts: Facts) -> Section | None:
    """Trigger, overtaking, ties."""
    rows = facts.job("games", "ends")
    if rows.is_empty():
        return None
    blocks: list[Block] = [_table(facts)]
    for s in facts.shown:
        told = rows.filter(pl.col("stratum") == s.number)
        if len(told):
            blocks += [*facts.heading(s), _heat(s, told), _ties(s, told)]
    blocks.append(
        Text(
            "The tie table counts the same games twice: as they ended, and as they would have ended "
            "if the later arrival won a tie. Players would play otherwise under another rule.",
            "note",
        )
    )
    return Section(
        id="ending",
        title="The last round",
        text="The first figure in the goal starts the last round; who is in the deepest area wins, "
        "and the earlier arrival breaks a tie. Does the first one in stay the winner?",
        blocks=blocks,
        leans_on=("goal", "rules.move"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """How often the first in the goal does not win."""
    if not facts.main:
        return []
    s = facts.main[0]
    e = facts.rate("overtaken_in_final", s)
    return [
        Highlight(
            "Overtaken in the last round",
            f"{wording.percent_of(e)} of games",
            wording.percent_interval(e),
            s.label,
        )
    ]


def _table(facts: Facts) -> Table:
    columns = [
        Column("stratum", "Games of"),
        *[Column(c, w, "interval_percent", help="share of games") for c, w in FLAGS.items()],
        Column("area", "Winner's area", "interval", help="1 to 3; unfinished games count as 0"),
        Column("home", "Figures home", "interval", help="figures in the goal at the end"),
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "stratum": s.label,
            **{c: facts.rate(c, s) for c in FLAGS},
            "area": facts.mean("winner_area", s),
            "home": facts.mean("n_in_goal", s),
            "n": facts.games_of(s),
        }
        for s in facts.main
    ]
    return Table("ending", columns, rows, "How games end.")


def _heat(stratum: Stratum, told: pl.DataFrame) -> Figure:
    """Share of finished games by who enters first and who wins."""
    total = int(told["n"].sum())
    by = told.group_by("trigger_seat", "winner_seat").agg(pl.col("n").sum())
    found = {(r["trigger_seat"], r["winner_seat"]): r["n"] for r in by.iter_rows(named=True)}
    rows = []
    for first in range(stratum.n_seats):
        for winner in range(stratum.n_seats):
            e = estimates.proportion(int(found.get((first, winner), 0)), total)
            rows.append(
                {
                    "first": f"seat {first + 1} enters first",
                    "winner": f"{winner + 1}",
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                    "games": total,
                    "text": f"{e.value * 100:.0f}%",
                }
            )
    frame = pl.DataFrame(rows)
    return Figure(
        f"ending-{stratum.number}",
        partial(
            figures.heat, frame, row="first", column="winner", tilt=False, low=0.0,
            xlabel="seat that wins",
        ),
        f"Share of games by the seat that enters the goal first and the seat that wins, "
        f"{stratum.label}.",
        "Table of the seat that enters the goal first against the seat that wins.",
        frame,
        term="First in the goal and winner",
    )  # fmt: skip


def _ties(stratum: Stratum, told: pl.DataFrame) -> Table:
    """Win share by seat under both rules for ties, and the difference, game by game."""
    group = told["group"].to_numpy()
    n = told["n"].to_numpy()
    games = np.bincount(group, n, GROUPS)
    rows = []
    for seat in range(stratum.n_seats):
        now = np.bincount(group, n * (told["winner_seat"].to_numpy() == seat), GROUPS)
        other = told["winner_reversed"].fill_null(-1).to_numpy() == seat
        then = np.bincount(group, n * other, GROUPS)
        rows.append(
            {
                "seat": f"seat {seat + 1}",
                "now": estimates.share(now, games),
                "then": estimates.share(then, games),
                "gap": estimates.ratio((now - then) * 100, games),
                "n": int(games.sum()),
            }
        )
    columns = [
        Column("seat", "Seat"),
        Column("now", "Earlier arrival wins ties", "interval_percent"),
        Column("then", "Later arrival would", "interval_percent"),
        Column("gap", "Difference, points", "interval"),
        Column("n", "Games", "count"),
    ]
    return Table(f"ending-ties-{stratum.number}", columns, rows, f"The tie rule, {stratum.label}.")
