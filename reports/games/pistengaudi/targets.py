"""Whom snowballs and groomers hit: the leader, the neighbour, the last attacker, a rival's rival?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, figures, targeting, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.games.pistengaudi import slope, styles, tables, told
from reports.measures import Job, Part, Stratum, scale_of
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 55
AIMS = {"snow_on_next": "the next seat", "snow_on_attacker": "the last attacker"}
AT_LEADER, AT_LYING = "snow_on_leader", "snow_wasted"
GROOMED = {
    "groom_given_up": ("Sent uphill", "groomer moves made, uphill"),
    "groom_given_side": ("Sent sideways", "groomer moves made, sideways"),
    "groom_given_down": ("Sent downhill", "groomer moves made, downhill"),
    "groom_none": ("Nobody to move", "groomer turns without a figure to move"),
    "snow_thrown": ("Snowballs thrown", "snowballs thrown"),
    "snow_received": ("Snowballs received", "snowballs received"),
}
HITS = {  # what is dealt and taken -> words
    ("snow_thrown", "snow_received"): "Snowballs",
    ("groom_given_up", "groom_received_up"): "Groomed uphill",
}
NEEDS = {"seats": (*AIMS, AT_LEADER, AT_LYING, *GROOMED)}
SAMPLE = 40  # games played again to see who stood where
FEWEST = 30  # games that say something
HOPELESS = 6  # rows behind: two full moves on black
ACTS = {"snowball": "Snowballs", "up": "Groomed uphill", "side": "Groomed sideways",
        "down": "Groomed downhill"}  # fmt: skip


def make(facts: Facts) -> Section:
    """Aims of snowballs by style; in a sample, standing of actor and target at the time."""
    blocks: list[Block] = []
    for s in facts.shown:
        blocks += [
            *facts.heading(s),
            _figure(facts, s),
            Text(_sentence(facts, s)),
            styles.by_style(facts, s, "targets-styles", GROOMED, "For one figure in a game"),
            *_unevenness(facts, s),
        ]
    if facts.main:
        blocks += _standings(facts, _fullest(facts.main))
    blocks.append(
        Text(
            "The one in front is hit more and still wins more, so hits and wins do not tell what a "
            "hit is worth. Taking its effect away by a coin toss does: "
            "`simulate treat pistengaudi --hook mute_throws` gives the change for the thrower, and "
            "for the rivals together.",
            "note",
        )
    )
    return Section(
        id="targets",
        title="Whom it hits",
        text="Are snowballs and groomers aimed at the one in front, or at whoever sits near? And do "
        "those who have no chance left decide between the others?",
        help="A target drawn by lot would be each of the others equally often; the dashed line is "
        "that share, for the last attacker the most that it can be, as nobody may have attacked "
        "yet. There is not always a sole leader, and it may be the thrower: whether the one in "
        "front is hit more often than by lot is told by the last table.",
        blocks=blocks,
        leans_on=("rules.snowball", "rules.groomer", "deck.name"),
    )


def _fullest(strata: Sequence[Stratum]) -> Stratum:
    """The first of those with most players: with two of them there is nobody to choose from."""
    return max(strata, key=lambda s: s.n_seats)


def _figure(facts: Facts, stratum: Stratum) -> Figure:
    rows = []
    for column, words in AIMS.items():
        e = share_thrown(facts, stratum, column)
        rows.append(
            {"label": words, "value": e.value, "low": e.low, "high": e.high, "snowballs": e.n}
        )
    frame = pl.DataFrame(rows)
    draw = partial(
        figures.dots, frame, reference=1 / max(stratum.n_seats - 1, 1), floor=0.2,
        xlabel="share of snowballs", reference_label="by lot",
    )  # fmt: skip
    return Figure(
        f"targets-{stratum.number}",
        draw,
        f"Whom snowballs are thrown at, {stratum.label}. One throw can be both.",
        "Dots of the share of snowballs by target, with the share of a target drawn by lot.",
        frame,
        term="Whom snowballs hit",
    )


def share_thrown(facts: Facts, stratum: Stratum, column: str) -> Estimate:
    """Share of the snowballs that a column counts: none seen is not never."""
    rows = facts.seat_rows(stratum)
    aimed, thrown = (
        rows[name].to_numpy() / scale_of(name, facts.records.seat_schema[name])
        for name in (column, "snow_thrown")
    )
    return estimates.share(aimed, thrown)


def _sentence(facts: Facts, stratum: Stratum) -> str:
    """Throws at the one in front and at figures that lay already."""
    leader, lying = (share_thrown(facts, stratum, column) for column in (AT_LEADER, AT_LYING))
    if not leader.n:
        return "No snowball was thrown."
    told = [f"{wording.percent_of(e)} ({wording.percent_interval(e)})" for e in (leader, lying)]
    return (
        f"{told[0]} of all snowballs were thrown at a sole leader, {told[1]} at a figure that lay "
        "already."
    )


# ---------------------------------------------------------------- always the same victim?

_COUNTS = ("pairs", "same", "lot_pairs", "lot_same")


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Pairs of hits of a game, and those on the same figure: see ``targeting.same_victim``."""
    there = [pair for pair in HITS if set(pair) <= set(facts.records.seat_schema)]
    keys = ["kind", "stratum", "group"]

    def make(part: Part) -> pl.DataFrame:
        frames = []
        for stratum in facts.records.strata:
            for cell in stratum.cells if stratum.n_seats > 2 else ():  # of two there is one victim
                for kind, (dealt, taken) in enumerate(there):
                    sums = targeting.same_victim(part.cell(dealt, cell), part.cell(taken, cell))
                    frames.append(
                        pl.DataFrame(
                            {
                                "kind": [kind] * len(sums),
                                "stratum": [stratum.number] * len(sums),
                                "group": part.groups().astype(np.int64),
                                **dict(zip(_COUNTS, sums.T, strict=True)),
                            }
                        )
                    )
        empty = pl.DataFrame(schema=dict.fromkeys((*keys, *_COUNTS), pl.Int64))
        return estimates.merge([empty, *frames], keys)

    columns = [column for pair in there for column in pair]
    return {"seats": {"same victim": Job(columns, make, lambda f: estimates.merge([f], keys))}}


def _unevenness(facts: Facts, stratum: Stratum) -> list[Block]:
    """How often two hits of a game fall on the same figure, beside victims drawn by lot."""
    if not facts.records.full or stratum.n_seats <= 2:
        return []
    found = facts.job("seats", "same victim").filter(pl.col("stratum") == stratum.number)
    columns = [
        Column("what", "Act"),
        Column("same", "Twice the same", "interval_percent"),
        Column("lot", "Twice the same by lot", "percent"),
        Column("more", "More than by lot", help="percentage points, with the 95% interval"),
        Column("n", "Pairs of hits", "count"),
    ]
    rows = []
    for kind, words in enumerate(HITS.values()):
        sums = found.filter(pl.col("kind") == kind)
        pairs, same, lot_pairs, lot_same = (sums[c].to_numpy().astype(float) for c in _COUNTS)
        if not (pairs.sum() and lot_pairs.sum()):
            continue
        more = estimates.paired_ratio(same, pairs, lot_same, lot_pairs).difference.scaled(100)
        rows.append(
            {
                "what": words,
                "same": estimates.share(same, pairs),
                "lot": float(lot_same.sum() / lot_pairs.sum()),
                "more": f"{wording.value_of(more)} ({wording.interval_of(more)})",
                "n": int(pairs.sum()) // 2,
            }
        )
    if not rows:
        return []
    caption = f"Is it always the same one? Pairs of hits of a game, {stratum.label}."
    return [Table(f"targets-uneven-{stratum.number}", columns, rows, caption)]


# ---------------------------------------------------------------- standing at the time, in a sample


@dataclass
class Acts:
    """What one kind of act came to in one game."""

    n: int = 0
    on_first: int = 0  # at the furthest of the others
    by_lot: float = 0.0  # the same if the target were drawn by lot
    ahead: int = 0  # at a figure further than the actor's
    hopeless: int = 0  # by a figure far behind
    hopeless_first: int = 0  # of these at the furthest of the others


@dataclass
class Standing:
    """Progress of every figure while a game is told."""

    rows: list[int]
    last: int
    home: set[int] = field(default_factory=set)

    def follow(self, event: Mapping[str, Any]) -> None:
        """Move the figure that an event moves."""
        kind = event["event"]
        if kind in ("step", "step_down"):
            self.rows[event["seat"]] = event["to"][1]
        elif kind == "goal":
            self.rows[event["seat"]] = self.last + event["area"]
            self.home.add(event["seat"])
        elif kind == "groomer" and not event["muted"]:
            self.rows[event["target"]] = event["to"][1]


def acts_of(events: Sequence[Mapping[str, Any]], last: int) -> dict[str, Acts]:
    """All snowballs and groomer moves of a told game, by where actor and target stood."""
    seats = next(e for e in events if e["event"] == "setup")["seats"]
    at = Standing([0] * seats, last)
    found = {kind: Acts() for kind in ACTS}
    for event in events:
        if event["event"] in ("snowball", "groomer"):
            _count(found[_kind(event)], event, at)
        at.follow(event)
    return found


def _kind(event: Mapping[str, Any]) -> str:
    if event["event"] == "snowball":
        return "snowball"
    return "side" if event["way"] in ("left", "right") else str(event["way"])


def _count(acts: Acts, event: Mapping[str, Any], at: Standing) -> None:
    """One act, before it moves anybody."""
    others = [s for s in range(len(at.rows)) if s != event["seat"] and s not in at.home]
    if event["target"] not in others:
        return
    furthest = max(at.rows[s] for s in others)
    own, target = at.rows[event["seat"]], at.rows[event["target"]]
    behind = max(at.rows) - own >= HOPELESS
    acts.n += 1
    acts.on_first += target == furthest
    acts.by_lot += sum(at.rows[s] == furthest for s in others) / len(others)
    acts.ahead += target > own
    acts.hopeless += behind
    acts.hopeless_first += behind and target == furthest


def _standings(facts: Facts, stratum: Stratum) -> list[Block]:
    games = told.sample(facts, stratum, SAMPLE)
    if len(games) < FEWEST:
        words = (
            "Not enough to say where actor and target stood at the time: "
            f"{wording.count(len(games))} games could be played again, {FEWEST} are needed."
        )
        return [Text(words, "note")]
    last = [slope.height(tables.model_of(facts, g.game_id)) for g in games]
    found = [acts_of(g.events, h) for g, h in zip(games, last, strict=True)]
    return [_table(found, stratum), *_kingmakers(found)]


def _ratio(found: Sequence[Mapping[str, Acts]], kind: str, over: str, below: str = "n") -> Estimate:
    """A share over all acts of a kind; games are the clusters."""
    top = np.array([float(getattr(g[kind], over)) for g in found])
    n = np.array([float(getattr(g[kind], below)) for g in found])
    seen = n > 0
    return estimates.share(top[seen], n[seen]) if seen.sum() > 1 else estimates.NOTHING


def _table(found: Sequence[Mapping[str, Acts]], stratum: Stratum) -> Table:
    columns = [
        Column("what", "Act"),
        Column("first", "At the furthest other", "interval_percent"),
        Column("lot", "By lot", "percent", 0, help="if the target were drawn by lot"),
        Column("ahead", "At a figure ahead", "interval_percent", help="of the actor's own"),
        Column("n", "Acts", "count"),
    ]
    rows = []
    for kind, words in ACTS.items():
        n = sum(g[kind].n for g in found)
        if n:
            rows.append(
                {
                    "what": words,
                    "first": _ratio(found, kind, "on_first"),
                    "lot": sum(g[kind].by_lot for g in found) / n,
                    "ahead": _ratio(found, kind, "ahead"),
                    "n": n,
                }
            )
    caption = f"Standing at the time, first {len(found)} games of {stratum.label}, played again."
    return Table("targets-standing", columns, rows, caption)


def _kingmakers(found: Sequence[Mapping[str, Acts]]) -> list[Block]:
    """Acts by figures that are far behind."""
    hostile = ("snowball", "up")
    total = sum(g[k].n for g in found for k in hostile)
    far = sum(g[k].hopeless for g in found for k in hostile)
    first = sum(g[k].hopeless_first for g in found for k in hostile)
    if not total:
        return []
    words = (
        f"Kingmaking: {wording.count(far)} of {wording.count(total)} snowballs and uphill moves in "
        f"these games came from figures {HOPELESS} or more rows behind the first "
        f"({wording.number(far / len(found), 1)} a game); {wording.count(first)} of them were aimed "
        "at the furthest of the others. Whether such an act changed the winner is told by "
        "`simulate rollouts pistengaudi --question PG-D-SNOW`, which plays every option out."
    )
    return [Text(words)]
