"""Two players, two skiers each: is player 1 better off?"""

from __future__ import annotations

from functools import partial

import polars as pl

from reports import estimates, examples, figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Fairness
from reports.facts import Facts, Shares
from reports.measures import Stratum
from reports.section import Block, Column, Figure, Heading, Section, Table, Text, Verdict

ORDER = 15
NEEDS = {"seats": ("side", "win_share")}


def make(facts: Facts) -> Section | None:
    """Only where two players raced."""
    there = [s for s in facts.main if s.players == 2]
    if not there:
        return None
    blocks: list[Block] = []
    for s in there:
        for stratum in filter(None, (s, facts.twin(s))):
            shares, fair = _judged(facts, stratum)
            words = "same style on both sides" if stratum.equal else "the line-up"
            blocks += [
                Heading(f"{s.label}: {words}"),
                Text(_headline(fair)),
                *_blocks(stratum, shares, fair),
            ]
    return Section(
        id="two-players",
        title="Two players",
        text="With two players each runs two skiers and the first skier home wins for its "
        "player. Does "
        "one side of the table have the better of it?",
        blocks=blocks,
        leans_on=("rules.two_player_seating", "rules.two_player_end"),
    )


def verdicts(facts: Facts) -> list[Verdict]:
    """One verdict a course."""
    out = []
    for s in facts.main:
        if s.players != 2:
            continue
        shares, fair = _judged(facts, s)
        games = int(round(shares.wins.sum()))
        state = fair.state
        worst = fair.shares[fair.worst]
        example = examples.typical_win(facts, s, "side", fair.worst) if games else None
        out.append(
            Verdict(
                f"sides-{s.number}",
                "Are both players' sides equal?",
                state,
                _headline(fair),
                wording.percent_of(worst) if games else wording.NONE,
                wording.percent_interval(worst) if games else "no game had a winner",
                games,
                about=s.label,
                holds_for=tuple(facts.strategies),
                leans_on=("rules.two_player_seating", "rules.two_player_end"),
                example=example,
                section="two-players",
                measure="Win share",
                bar=(worst, 0.5, facts.margin) if games else None,
            )
        )
    return out


def _judged(facts: Facts, stratum: Stratum) -> tuple[Shares, Fairness]:
    shares = facts.shares("side", stratum, [0, 1])
    return shares, estimates.fairness(shares.wins, shares.wins.sum(1), margin=facts.margin)


def _headline(fair: Fairness) -> str:
    one = fair.shares[0]
    if not one.n:
        return "No game had a winner, so there is nothing to compare."
    said = (
        f"Player 1 wins {wording.percent_of(one)} ({wording.percent_interval(one)}); even is 50%."
    )
    if fair.state == FAIR:
        return f"Both sides are equal within the margin. {said}"
    if fair.state == UNFAIR:
        return f"The sides are not equal. {said}"
    assert fair.state == UNKNOWN
    return f"Not settled. {said}"


def _blocks(stratum: Stratum, shares: Shares, fair: Fairness) -> list[Block]:
    frame = pl.DataFrame(
        {
            "label": ["player 1", "player 2"],
            "value": [e.value for e in fair.shares],
            "low": [e.low for e in fair.shares],
            "high": [e.high for e in fair.shares],
            "races": [e.n for e in fair.shares],
        }
    )
    draw = partial(
        figures.dots,
        frame,
        reference=0.5,
        margin=fair.margin,
        floor=0.06,
        xlabel="share of races won",
    )
    rows = [
        {"player": f"player {i + 1}", "win": fair.shares[i], "n": int(round(shares.wins.sum()))}
        for i in range(2)
    ]
    columns = [
        Column("player", "Player"),
        Column("win", "Win share", "interval_percent"),
        Column("n", "Races", "count"),
    ]
    name = f"sides-{stratum.number}"
    return [
        Figure(
            name,
            draw,
            "Win share by player.",
            "Win shares of player 1 and player 2.",
            frame,
            term="Win share",
        ),
        Table(
            f"{name}-table",
            columns,
            rows,
            f"Test that both are exactly even: {wording.p_value(fair.test.p_value)}.",
        ),
    ]
