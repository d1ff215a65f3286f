"""From the arms of `simulate gear` to what is said of each card: effects, prices, sales.

A grant is on a seat that a lot chose, so its effect is that of the card. So is a denial: the seat
may not buy the card, its rivals may. What being allowed is worth to all (intention to treat) and
what owning at the price is worth to those who buy are read from the same lot (an instrument in the
sense of Angrist, Imbens & Rubin 1996; as both games of a seat are played, it is seen who buys, and
nothing need be assumed of the others). Ban, price and offer have no chosen seat: they are read on
those who buy the card in one of the two arms and compared with the same seats of the other. Up to
the purchase both arms are the same game, so who buys is no choice of the arm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reports import estimates
from reports.estimates import NOTHING, Estimate
from reports.games.skull_canyon import gear_value
from reports.games.skull_canyon.components import FACES, Gear
from reports.games.skull_canyon.gear_rows import (
    CONTROL,
    KINDS,
    MEASURES,
    OWNER,
    RIVALS,
    Asked,
    Demand,
    Effect,
    Findings,
    GearRow,
    Part,
)
from reports.games.skull_canyon.gear_sums import Rows, Table, read_rows, read_table
from reports.measures import Run

ALLOWED = ("chance", "chance_wins", "chance_rivals", "buyers", "owning", "owning_wins")


@dataclass(frozen=True, eq=False)
class Desk:
    """The arms laid out: the control's rows, the strata, the arms by kind."""

    table: Table
    control: Rows
    labels: list[tuple[int, str, int]]  # number, label, players
    strategies: list[str]
    given: int

    def here(self, stratum: int) -> np.ndarray:
        """Rows of a stratum."""
        found: np.ndarray = self.table.stratum == stratum
        return found


def _labels(plan: Any) -> list[tuple[int, str, int]]:
    """Number, label and players of each stratum."""
    found = []
    for number, (players, rules, equal) in enumerate(plan.strata()):
        label = f"{players} players"
        label += f", {plan.rules[rules].label}" if len(plan.rules) > 1 else ""
        label += ", equal strategies" if equal else ""
        found.append((number, label, players))
    return found


def findings(
    asked: Sequence[Asked],
    runs: Mapping[str, Run],
    cards: Sequence[Gear],
    moment: str,
    given: int,
) -> Findings:
    """All estimates; one arm is in memory at a time beside the control and the fame arm."""
    plan = runs[CONTROL].plan
    desk = Desk(
        read_table(runs[CONTROL]),
        read_rows(runs[CONTROL]),
        _labels(plan),
        [who.label for who in plan.strategies],
        given,
    )
    fame = read_rows(runs[f"fame-{moment}"])
    effects: list[Effect] = []
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    parts: list[Part] = []
    demand: list[Demand] = []
    for one in asked:
        if one.gear is None:
            continue
        changed = read_rows(runs[one.name])
        effects += _effects(desk, one, changed)
        for number, label, players in desk.labels:
            row = rows.setdefault((one.gear.id, number), {"label": label, "players": players})
            if one.kind == "grant" and one.detail == moment:
                row.update(_granted(desk, one.gear, changed, fame, number, len(cards)))
                parts += _parts(desk, one.gear, changed, fame, number, label)
            elif one.kind == "deny":
                row.update(_allowed(desk, one.gear, changed, number))
            elif one.kind in ("ban", "offer"):
                mask = _owners(desk, one, changed) & desk.here(number)
                sums = desk.table.pair(changed, desk.control, "win_share", mask)
                row["taken" if one.kind == "ban" else "offered"] = gear_value.effect(sums)
            elif one.kind == "price":
                demand.append(_demand(desk, one, changed, number, label))
    if any(one.kind == "price" for one in asked):
        demand += _printed(desk, cards)
    worth = {
        label: gear_value.effect(
            desk.table.pair(fame, desk.control, "score", fame.treated & desk.here(number))
        ).scaled(1 / given)
        for number, label, _ in desk.labels
    }
    return Findings(
        rows=tuple(
            _gear_row(desk, card, rows, number) for number, *_ in desk.labels for card in cards
        ),
        effects=tuple(_corrected(effects)),
        parts=tuple(_corrected_parts(parts)),
        demand=tuple(sorted(demand, key=lambda d: (d.stratum, d.gear, d.price))),
        fame=worth,
        moment=moment,
        given=given,
        seed=plan.seed,
        n=plan.n,
    )


def _owners(desk: Desk, one: Asked, changed: Rows) -> np.ndarray:
    """Seats that an arm is read on."""
    assert one.gear is not None
    number = one.gear.number
    if one.kind in ("grant", "deny"):
        return changed.treated
    if one.kind == "offer":
        return changed.buys(number, first=True)
    dearer = one.kind == "price" and not one.detail.startswith("-")
    return desk.control.buys(number) if one.kind == "ban" or dearer else changed.buys(number)


def _effects(desk: Desk, one: Asked, changed: Rows) -> list[Effect]:
    """On the owner and on each rival, every measure, every stratum; not yet corrected."""
    assert one.gear is not None
    owners = _owners(desk, one, changed)
    found = []
    for number, label, players in desk.labels:
        here = desk.here(number)
        masks = {OWNER: owners & here}
        around = [desk.table.around(owners & here, step) & here for step in range(1, players)]
        if players > 2:
            masks[RIVALS] = np.logical_or.reduce(around)
        for step, mask in enumerate(around, 1):
            masks[f"rival {step}"] = mask
        for who, mask in masks.items():
            for measure in MEASURES:
                sums = desk.table.pair(changed, desk.control, measure, mask)
                e = gear_value.effect(sums)
                told = (one.gear.id, one.kind, one.detail, label, who, measure)
                found.append(Effect(*told, e, gear_value.p_value(e), math.nan))
    return found


def _corrected(effects: list[Effect]) -> list[Effect]:
    """False discoveries are controlled over all effects of one kind of arm."""
    found = []
    for kind in KINDS:
        family = [e for e in effects if e.kind == kind]
        adjusted = estimates.adjusted([e.p for e in family])
        found += [replace(e, q=q) for e, q in zip(family, adjusted, strict=True)]
    return found


def _granted(
    desk: Desk, card: Gear, changed: Rows, fame: Rows, stratum: int, family: int
) -> dict[str, Any]:
    """Effects of a grant on its owner and on a rival, and the fair price."""
    table, here = desk.table, desk.here(stratum)
    owner, others = changed.treated & here, ~changed.treated & here
    vp, wins = (table.pair(changed, desk.control, m, owner) for m in ("score", "win_share"))
    gift, gift_wins = (table.pair(fame, desk.control, m, owner) for m in ("score", "win_share"))
    price = gear_value.fair_price(vp, gift, desk.given)
    return {
        "vp": gear_value.effect(vp),
        "wins": gear_value.effect(wins),
        "wins_sums": wins,
        "rivals": gear_value.effect(table.pair(changed, desk.control, "score", others)),
        "rivals_wins": gear_value.together(
            table.pair(changed, desk.control, "win_share", others), wins.count
        ),
        "price": price,
        "price_wins": gear_value.fair_price(wins, gift_wins, desk.given),
        "state": gear_value.judged(price, card.cost, price.clusters, family),
    }


def _allowed(desk: Desk, card: Gear, denied: Rows, stratum: int) -> dict[str, Any]:
    """Being allowed to buy, and owning at the price: the control against the denial."""
    table, here = desk.table, desk.here(stratum)
    chosen, others = denied.treated & here, ~denied.treated & here
    vp, wins = (table.pair(desk.control, denied, m, chosen) for m in ("score", "win_share"))
    rivals = table.pair(desk.control, denied, "win_share", others)
    buyers = chosen & desk.control.buys(card.number)
    bought = table.sums(np.ones(len(buyers)), buyers)
    own_vp, own_wins = (table.pair(desk.control, denied, m, buyers) for m in ("score", "win_share"))
    return {
        "chance": gear_value.effect(vp),
        "chance_wins": gear_value.effect(wins),
        "chance_rivals": gear_value.together(rivals, wins.count),
        "buyers": estimates.share(bought, vp.count) if vp.count.sum() else NOTHING,
        "owning": gear_value.effect(own_vp),
        "owning_wins": gear_value.effect(own_wins),
    }


def _parts(
    desk: Desk, card: Gear, changed: Rows, fame: Rows, stratum: int, label: str
) -> list[Part]:
    """The effect of a grant by strategy of its owner and by face of days II and III."""
    table = desk.table
    mask = changed.treated & desk.here(stratum)
    splits: dict[str, list[tuple[str, np.ndarray]]] = {
        "strategy": [(name, table.strategy == i) for i, name in enumerate(desk.strategies)]
    }
    for day, faces in zip(("day II", "day III"), table.weather, strict=True):
        splits[day] = [(face, faces == i) for i, face in enumerate(FACES)]
    found = []
    for by, levels in splits.items():
        there = [(name, level & mask) for name, level in levels if (level & mask).any()]
        if len(there) < 2:
            continue
        told = []
        for name, level in there:
            sums = table.pair(changed, desk.control, "score", level)
            gift = table.pair(fame, desk.control, "score", level)
            told.append(
                (name, gear_value.effect(sums), gear_value.fair_price(sums, gift, desk.given))
            )
        p = gear_value.depends([e for _, e, _ in told])
        found += [Part(card.id, label, by, name, e, price, p) for name, e, price in told]
    return found


def _corrected_parts(parts: list[Part]) -> list[Part]:
    """The tests that an effect is alike everywhere: a family a card, cards picked first."""
    p_of = {(p.gear, p.stratum, p.by): p.q for p in parts}
    families: dict[str, list[tuple[str, str, str]]] = {}
    for test in p_of:
        families.setdefault(test[0], []).append(test)
    found = estimates.hierarchical([[p_of[t] for t in tests] for tests in families.values()])
    q_of = {
        test: q
        for tests, family in zip(families.values(), found, strict=True)
        for test, q in zip(tests, family, strict=True)
    }
    return [replace(p, q=q_of[p.gear, p.stratum, p.by]) for p in _drawn(parts)]


def _drawn(parts: Sequence[Part]) -> list[Part]:
    """Effects by level drawn towards their card's mean; one true spread for a table of cards."""
    tables: dict[tuple[str, str], dict[str, list[int]]] = {}
    for number, part in enumerate(parts):
        rows = tables.setdefault((part.stratum, part.by), {})
        rows.setdefault(part.gear, []).append(number)
    out = list(parts)
    for rows in tables.values():
        drawn = estimates.shrunken([[parts[i].effect for i in row] for row in rows.values()])
        for row, cells in zip(rows.values(), drawn, strict=True):
            for number, cell in zip(row, cells, strict=True):
                out[number] = replace(parts[number], drawn=cell)
    return out


def _demand(desk: Desk, one: Asked, rows: Rows, stratum: int, label: str) -> Demand:
    """Sales of a card in an arm with another price."""
    assert one.gear is not None
    price = one.gear.cost + int(one.detail)
    return Demand(one.gear.id, label, price, *_sold(desk, one.gear, rows, stratum))


def _printed(desk: Desk, cards: Sequence[Gear]) -> list[Demand]:
    """Sales at the printed price: the control."""
    return [
        Demand(card.id, label, card.cost, *_sold(desk, card, desk.control, number))
        for number, label, _ in desk.labels
        for card in cards
    ]


def _sold(desk: Desk, card: Gear, rows: Rows, stratum: int) -> tuple[Estimate, Estimate]:
    """Cards bought a game, and by whom could pay."""
    table, here = desk.table, desk.here(stratum)
    bought = table.sums(rows.buys(card.number).astype(float), here)
    offers = table.sums(rows.payable(card.number).astype(float), here)
    games = table.sums(1.0 / table.n_seats, here)
    take = estimates.share(bought, offers) if offers.sum() else NOTHING
    return estimates.ratio(bought, games), take


def _gear_row(
    desk: Desk, card: Gear, rows: Mapping[tuple[str, int], Mapping[str, Any]], stratum: int
) -> GearRow:
    """Everything that is said of a card in a stratum."""
    row = rows.get((card.id, stratum), {})
    label, players = next((la, p) for number, la, p in desk.labels if number == stratum)
    table, here = desk.table, desk.here(stratum)
    owners = desk.control.buys(card.number) & here
    won = table.sums(desk.control.values["win_share"], owners)
    own = table.sums(np.ones(len(owners)), owners)
    naive = gear_value.naive(won, own, np.full(len(own), 1 / players))
    wins_sums = row.get("wins_sums")
    bias = NOTHING
    if wins_sums is not None and own.sum() > 0:
        bias = gear_value.bias((won - own / players, own), wins_sums)
    return GearRow(
        gear=card,
        stratum=label,
        players=players,
        games=int(len(np.unique(table.game[here]))),
        vp=row.get("vp", NOTHING),
        wins=row.get("wins", NOTHING),
        rivals=row.get("rivals", NOTHING),
        rivals_wins=row.get("rivals_wins", NOTHING),
        price=row.get("price", NOTHING),
        price_wins=row.get("price_wins", NOTHING),
        state=row.get("state", estimates.UNKNOWN),
        owners=estimates.share(won, own) if own.sum() else NOTHING,
        naive=naive,
        bias=bias,
        **{name: row.get(name, NOTHING) for name in ALLOWED},
        taken=row.get("taken", NOTHING),
        offered=row.get("offered", NOTHING),
    )
