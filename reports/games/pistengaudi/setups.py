"""Forest set-ups side by side, where several were played."""

from __future__ import annotations

from functools import partial

import polars as pl

from reports import estimates, figures, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.games.pistengaudi import pairing
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Heading, Section, Table, Text

ORDER = 67
MEASURES = {
    "rounds": "Rounds",
    "falls": "Falls",
    "lead_changes": "Lead changes",
    "n_in_goal": "Figures home",
    "forest_veto": "Placements barred",
    "stranded_events": "Ways out lost",
    "snowballs": "Snowballs",
}
NEEDS = {"games": tuple(MEASURES)}


def make(facts: Facts) -> Section | None:
    """Only where the run has more than one set-up."""
    if len({s.rules for s in facts.main}) < 2:
        return None
    blocks: list[Block] = []
    for players in sorted({s.players for s in facts.main}):
        there = [s for s in facts.main if s.players == players]
        blocks += [
            Heading(f"{players} players"),
            _length(facts, there, players),
            _seats(facts, there, players),
            _means(facts, there, players),
            _gaps(facts, there, players),
        ]
    blocks.append(
        Text(
            "All set-ups met the same shuffles and the same line-ups, block by block, so their "
            "differences are surer than the intervals of the single set-ups suggest.",
            "note",
        )
    )
    return Section(
        id="setups",
        title="Forest set-ups side by side",
        text="How does forest on the slope cards change the game: its length, its falls, its drama, "
        "and the worth of the seats?",
        blocks=blocks,
        leans_on=("slope.forest", "layouts", "slope.forest_cover"),
    )


def _name(stratum: Stratum) -> str:
    return wording.plain(stratum.course)


def _length(facts: Facts, there: list[Stratum], players: int) -> Figure:
    first = there[0]
    rows = []
    for s in there:
        gap = pairing.against(facts, "rounds", s, first)
        rows.append(
            {
                "label": _name(s), "value": gap.value, "low": gap.low, "high": gap.high,
                "games": facts.games_of(s),
            }
        )  # fmt: skip
    frame = pl.DataFrame(rows)
    draw = partial(
        figures.dots, frame, reference=0.0, percent=False, floor=1.0,
        xlabel=f"rounds more than {_name(first)}",
    )  # fmt: skip
    return Figure(
        f"setups-length-{players}",
        draw,
        f"Rounds against {_name(first)}, block by block on the same shuffles ({players} players).",
        "Dots of the difference in rounds between set-ups.",
        frame,
        term="Change",
    )


def _seats(facts: Facts, there: list[Stratum], players: int) -> Figure:
    rows = []
    widest = 0.0
    for s in there:
        shares = facts.shares("seat", s, list(range(s.n_seats)))
        for seat in range(s.n_seats):
            e = shares.rate(seat)
            widest = max(widest, e.half) if e.half == e.half else widest
            rows.append(
                {
                    "setup": _name(s), "seat": f"seat {seat + 1}", "value": e.value, "low": e.low,
                    "high": e.high, "games": e.n, "text": f"{e.value * 100:.0f}",
                }
            )  # fmt: skip
    frame = pl.DataFrame(rows)
    draw = partial(
        figures.heat, frame, row="setup", column="seat", centre=1 / players, reach=0.05, tilt=False
    )
    return Figure(
        f"setups-seats-{players}",
        draw,
        f"Win share in percent by set-up and seat, {players} players (± "
        f"{wording.number(widest * 100, 1)} at most; even is {wording.percent(1 / players, 0)}).",
        "Table of win shares by set-up and seat.",
        frame,
        term="Win share",
    )


def _means(facts: Facts, there: list[Stratum], players: int) -> Table:
    columns = [
        Column("setup", "Set-up"),
        *[Column(c, w, "interval") for c, w in MEASURES.items()],
        Column("cut", "Not finished", "interval_percent"),
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "setup": _name(s),
            **{c: facts.mean(c, s) for c in MEASURES},
            "cut": facts.rate("truncated", s),
            "n": facts.games_of(s),
        }
        for s in there
    ]
    return Table(f"setups-{players}", columns, rows, f"Means by set-up, {players} players.")


def _against(facts: Facts, stratum: Stratum, first: Stratum) -> dict[str, Estimate]:
    """All differences of a set-up to the first: means, fairness, games that do not end."""
    found = {words: pairing.against(facts, c, stratum, first) for c, words in MEASURES.items()}
    found["Best less worst seat, points of win share"] = pairing.fairness(
        facts, stratum, first
    ).scaled(100)
    found["Not finished, in 100 games"] = pairing.against(
        facts, "truncated", stratum, first
    ).scaled(100)
    return found


def _gaps(facts: Facts, there: list[Stratum], players: int) -> Table:
    """The same as differences, with the smallest p-values corrected over the whole table."""
    first = there[0]
    gaps = [(s, what, gap) for s in there[1:] for what, gap in _against(facts, s, first).items()]
    known = [g for g in gaps if g[2].clusters >= estimates.MIN_CLUSTERS and g[2].se > 0]
    p_values = estimates.adjusted([estimates.z_test(e.value, e.se) for *_, e in known], "holm")
    verdict = {(s.number, what): p for (s, what, _), p in zip(known, p_values, strict=True)}
    rows = []
    for s, what, gap in gaps:
        p = verdict.get((s.number, what))
        words = (
            "not enough games" if p is None else "differs" if p < 0.05 else "no difference shown"
        )
        rows.append(
            {
                "setup": _name(s), "what": what, "gap": gap, "verdict": words,
                "n": facts.games_of(s),
            }
        )  # fmt: skip
    columns = [
        Column("setup", "Set-up"),
        Column("what", "What"),
        Column("gap", f"More than {_name(first)}", "interval"),
        Column("verdict", "Verdict"),
        Column("n", "Games", "count"),
    ]
    caption = (
        f"Differences to {_name(first)}, {players} players, with a correction for looking at "
        f"{len(gaps)} of them."
    )
    return Table(f"setups-gaps-{players}", columns, rows, caption, fold=True)
