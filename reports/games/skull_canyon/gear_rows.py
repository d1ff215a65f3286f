"""What the experiment on gear hands to its page: plain rows with estimates in them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reports.estimates import NOTHING, Estimate, State
from reports.games.skull_canyon.components import Gear

CONTROL = "control"
OWNER, RIVALS = "owner", "rivals"
MEASURES = ("score", "win_share", "rank")
KINDS = ("grant", "deny", "ban", "price", "offer")
MOMENTS = {"day1": 1, "hotel1": 2, "hotel2": 3}  # the day on whose morning a gift is given
MOMENT_WORDS = {
    "day1": "from the start",
    "hotel1": "after the first evening",
    "hotel2": "after the second evening",
}


@dataclass(frozen=True)
class Asked:
    """An arm: its name, what it does, to which card."""

    name: str
    kind: str  # of KINDS, control, fame
    gear: Gear | None = None
    detail: str = ""  # the moment of a gift, the shift of a price


@dataclass(frozen=True)
class Effect:
    """A paired effect: of an arm, on somebody, on one measure, in one stratum."""

    gear: str
    kind: str  # of KINDS
    detail: str  # the moment of a grant, the shift of a price
    stratum: str
    who: str  # owner, rivals, rival 1 … (seats clockwise from the owner)
    measure: str
    estimate: Estimate
    p: float
    q: float  # corrected for false discoveries over all effects of the kind


@dataclass(frozen=True)
class Part:
    """The effect of a grant in a part of the games: a strategy, a face of the weather."""

    gear: str
    stratum: str
    by: str  # strategy, day II, day III
    level: str
    effect: Estimate  # VP
    price: Estimate  # fame
    q: float  # of the test that all levels are alike, corrected: cards first, then their tests
    drawn: Estimate = NOTHING  # VP, drawn towards the card's mean as far as it is noise


@dataclass(frozen=True)
class Demand:
    """How a card sells at a price."""

    gear: str
    stratum: str
    price: int
    bought: Estimate  # a game
    take: Estimate  # share of who could pay it


@dataclass(frozen=True)
class GearRow:
    """All that is said of one card in one stratum. Effects are those on who owns it."""

    gear: Gear
    stratum: str
    players: int
    games: int
    vp: Estimate  # of the grant
    wins: Estimate
    rivals: Estimate  # VP of a rival
    rivals_wins: Estimate  # win share of all rivals together: what the owner gains, they lose
    price: Estimate  # fair price by VP
    price_wins: Estimate  # fair price by win share
    state: State
    owners: Estimate  # win share of owners
    naive: Estimate  # the same less an even share
    bias: Estimate  # naive less grant
    chance: Estimate = NOTHING  # deny: VP that being allowed to buy it brings, whoever buys
    chance_wins: Estimate = NOTHING
    chance_rivals: Estimate = NOTHING  # win share of all rivals together
    buyers: Estimate = NOTHING  # share of those allowed that buy it
    owning: Estimate = NOTHING  # VP that owning it at its price brings to who buys it
    owning_wins: Estimate = NOTHING
    taken: Estimate = NOTHING  # ban: what buyers lose without the card, win share
    offered: Estimate = NOTHING  # offer: what takers gain by the offer, win share


@dataclass(frozen=True)
class Findings:
    """Everything that `simulate gear` found."""

    rows: tuple[GearRow, ...]
    effects: tuple[Effect, ...]
    parts: tuple[Part, ...]
    demand: tuple[Demand, ...]
    fame: Mapping[str, Estimate]  # stratum -> VP that one fame brings
    moment: str
    given: int  # fame of the exchange arm
    seed: int
    n: int


def flat(row: Any) -> dict[str, Any]:
    """A row as plain values: estimates as value, low, high, n; no NaN, no infinity."""
    told: dict[str, Any] = {}
    for name in row.__dataclass_fields__:
        value = getattr(row, name)
        if isinstance(value, Estimate):
            told[name] = finite(value.value) if value.n else None
            told[f"{name}_low"] = finite(value.low) if value.n else None
            told[f"{name}_high"] = finite(value.high) if value.n else None
            told[f"{name}_n"] = value.n
        elif isinstance(value, Gear):
            told.update({"gear": value.id, "printed": value.cost, "printed_vp": value.vp})
        else:
            told[name] = finite(value) if isinstance(value, float) else value
    return told


def finite(value: float) -> float | None:
    """A number, or None for NaN and infinity: JSON has neither."""
    return value if math.isfinite(value) else None
