"""The awards at the end: who gets them, and how often they decide."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, figures, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.games.skull_canyon import styles_table
from reports.measures import GROUPS, Job, Part, Stratum
from reports.section import Block, Column, Figure, Highlight, Section, Table
from simulate import exact

ORDER = 60
AWARDS = {
    "vp_aw_easy": "easy",
    "vp_aw_adv": "advanced",
    "vp_aw_exp": "expert",
    "vp_aw_total": "total",
}
FACTORS = {"none": 0, "half": 1, "double": 4}  # in halves of the award
WORDS = {"none": "worth nothing", "half": "worth half", "double": "worth double"}
SEATS = ("vp_final", "fame_left", "cards_left", *AWARDS)
NEEDS = {"seats": SEATS, "rows": True}
KEYS = ("group", "stratum", "award", "factor")
ALL = "all four"
STYLES = {
    "vp_aw_easy": ("Easy", "VP of the award"),
    "vp_aw_adv": ("Advanced", "VP of the award"),
    "vp_aw_exp": ("Expert", "VP of the award"),
    "vp_aw_total": ("Total", "VP of the award"),
}


def make(facts: Facts) -> Section:
    """Changed winners by award and factor, award VP by style."""
    rows = facts.job("seats", "awards")
    blocks: list[Block] = []
    for s in facts.shown:
        if not len(rows.filter(pl.col("stratum") == s.number)):
            continue
        blocks += [*facts.heading(s), _figure(s, rows), _table(s, rows)]
        blocks.append(
            styles_table.table(
                facts, s, "award-styles", STYLES, f"Award VP of a player in a game, {s.label}."
            )
        )
    blocks += facts.not_shown()
    return Section(
        id="awards",
        title="Awards",
        text="Awards go to the most claims on easy, advanced, expert and all runs. How often would "
        "somebody else have won if an award were worth nothing, half or double?",
        help="The same finished games are scored again. Players would play otherwise for other "
        "awards, so this tells what awards decide, not what a change of them would bring about. "
        "Ties are broken by fame and cards, as in the rules.",
        blocks=blocks,
        leans_on=("board", "boards", "deck"),
    )


def highlights(facts: Facts) -> list[Highlight]:
    """How often awards decide."""
    if not facts.main:
        return []
    s = facts.main[0]
    e = changed(facts.job("seats", "awards"), s, ALL, "none")
    if not e.n:
        return []
    return [
        Highlight(
            "Awards decide",
            f"{wording.percent_of(e)} of games",
            wording.percent_interval(e),
            f"without them another would win, {s.label}",
        )
    ]


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Games whose winner changes, by award and what it is worth then."""
    strata = facts.records.strata

    def make(part: Part) -> pl.DataFrame:
        found = []
        for stratum in strata:
            for cell in stratum.cells:
                values = {name: part.cell(name, cell).astype(np.int64) for name in SEATS}
                found.append(_recount(values, part.groups(), stratum.number))
        return pl.concat(found)

    def join(frame: pl.DataFrame) -> pl.DataFrame:
        return exact.merge(frame.lazy(), list(KEYS)).collect()

    return {"seats": {"awards": Job(SEATS, make, join)}}


def _order(halves: np.ndarray, values: dict[str, np.ndarray]) -> np.ndarray:
    """One number that sorts players as the rules do: VP, fame, cards."""
    return (halves * 1000 + values["fame_left"]) * 1000 + values["cards_left"]


def _recount(values: dict[str, np.ndarray], group: np.ndarray, stratum: int) -> pl.DataFrame:
    """Games of one cell scored anew: who wins with an award at half, double, nothing."""
    plain = 2 * values["vp_final"]
    before = _order(plain, values)
    won = before == before.max(1, keepdims=True)
    n = np.bincount(group, minlength=GROUPS)
    frames = []
    for award, columns in {**{w: [c] for c, w in AWARDS.items()}, ALL: list(AWARDS)}.items():
        gained = sum(values[c] for c in columns)
        for factor, halves in FACTORS.items():
            now = _order(plain + (halves - 2) * gained, values)
            other = (won != (now == now.max(1, keepdims=True))).any(1)
            frames.append(
                pl.DataFrame(
                    {
                        "group": np.arange(GROUPS, dtype=np.int32),
                        "stratum": np.full(GROUPS, stratum, np.int16),
                        "award": [award] * GROUPS,
                        "factor": [factor] * GROUPS,
                        "n": n,
                        "changed": np.bincount(group[other], minlength=GROUPS),
                    }
                ).filter(pl.col("n") > 0)
            )
    return pl.concat(frames)


def changed(rows: pl.DataFrame, stratum: Stratum, award: str, factor: str) -> Estimate:
    """Share of games with other winners."""
    told = rows.filter(
        (pl.col("stratum") == stratum.number)
        & (pl.col("award") == award)
        & (pl.col("factor") == factor)
    )
    return estimates.share(told["changed"].to_numpy(), told["n"].to_numpy())


def _figure(stratum: Stratum, rows: pl.DataFrame) -> Figure:
    out = []
    for award in [ALL, *AWARDS.values()]:
        for factor, words in WORDS.items():
            e = changed(rows, stratum, award, factor)
            out.append(
                {
                    "label": award,
                    "factor": words,
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                    "games": e.n,
                }
            )
    frame = pl.DataFrame(out)
    return Figure(
        f"awards-{stratum.number}",
        partial(figures.dots, frame, group="factor", xlabel="games with another winner"),
        f"Share of games that somebody else would win if the award were worth less or more, "
        f"{stratum.label}.",
        "Dots with intervals of changed winners by award, worth nothing, half and double.",
        frame,
        term="Another winner",
    )


def _table(stratum: Stratum, rows: pl.DataFrame) -> Table:
    columns = [
        Column("award", "Award"),
        *[
            Column(factor, words.capitalize(), "interval_percent", help="games with another winner")
            for factor, words in WORDS.items()
        ],
        Column("n", "Games", "count"),
    ]
    out = []
    for award in [ALL, *AWARDS.values()]:
        told = {factor: changed(rows, stratum, award, factor) for factor in WORDS}
        out.append({"award": award.capitalize(), **told, "n": told["none"].n})
    return Table(
        f"awards-{stratum.number}-table",
        columns,
        out,
        f"Games with another winner if the award were worth so much, {stratum.label}.",
    )
