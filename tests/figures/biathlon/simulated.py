"""Figures X17 to X20 and X23 to X25: whole races, as a run plays them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from figure import Figure, mean
from playing import pieces

from simulate.request import Request

FIXED = ("wax.loadout=L0", "setup.first=seat1")
ALONE_GAMES = 100_000
RACES = {"plain": 40_000, "plain_nodraft": 15_000, "random": 40_000}
PAID = (
    "stam_paid_extra", "stam_paid_entry_own", "stam_paid_entry_draft", "stam_paid_slide",
    "stam_paid_wax",
)  # fmt: skip
GAME_FIELDS = (
    "rounds_win", "rounds_total", "collapses", "drafts", "draft_steps", "slides", "winner_seat",
    "winner_player",
)  # fmt: skip
SEED = 20_230


def figures(share: float = 1.0) -> Iterator[Figure]:
    """All simulated figures, each with that share of its games."""
    yield from _alone(share)
    yield from _races(share)
    yield from _two_players(share)


def play(strategy: str, players: int, games: int, *overrides: str) -> dict[str, np.ndarray]:
    """Races of one strategy at fixed seats: a column of numbers a quantity, one entry a game."""
    plan = Request(
        "biathlon", games, players=players, lineup=strategy, seating="fixed", equal=False,
        set=[*FIXED, *overrides], seed=SEED, nations="basic",
    ).plan()  # fmt: skip
    columns: dict[str, list[Any]] = {name: [] for name in (*GAME_FIELDS, "paid")}
    for rows, seats in pieces(plan):
        for name in GAME_FIELDS:
            columns[name].append(rows[name].astype(np.int64))
        paid = sum(seats[name].astype(np.int64).sum(axis=1) for name in PAID)
        columns["paid"].append(paid)
    return {name: np.concatenate(parts) for name, parts in columns.items()}


def _sd(name: str, what: str, values: np.ndarray, reference: float) -> Figure:
    """A standard deviation beside the reference; its error from the fourth moment."""
    off = values - values.mean()
    variance = float((off**2).mean())
    se = math.sqrt((float((off**4).mean()) - variance**2) / len(values) / (4 * variance))
    return Figure(name, what, math.sqrt(variance), reference, se, digits=5)


# ------------------------------------------------------------------------------- one skier
def _alone(share: float) -> Iterator[Figure]:
    games = max(2000, round(ALONE_GAMES * share))

    def rounds(*overrides: str) -> np.ndarray:
        return play("plain", 1, games, *overrides)["rounds_win"]

    found = rounds()
    what = "one skier, starter, short: rounds"
    yield mean("X17", f"{what}, mean", found, 31.24507, digits=5)
    yield _sd("X17", f"{what}, SD", found, 3.11593)
    for most, wanted in ((25, 0.03130), (30, 0.40663)):
        yield mean("X17", f"{what}, P(<= {most})", found <= most, wanted, digits=5)
    found = rounds("mode.race=short_top")
    yield mean("X18", "one skier, short_top: rounds, mean", found, 29.87595, digits=5)
    yield _sd("X18", "one skier, short_top: rounds, SD", found, 3.04261)
    layouts = {
        "flat_short": 30.24876, "hilly_short": 32.32102, "mini_one": 18.43571,
        "hills_apart": 32.32220, "hills_together": 32.33838,
    }  # fmt: skip
    for layout, wanted in layouts.items():
        found = rounds(f"course.layout={layout}")
        yield mean("X19", f"one skier, {layout}: rounds, mean", found, wanted, digits=5)
    found = rounds("course.layout=long_three")
    yield mean("X20", "one skier, long_three: rounds, mean", found, 45.31407, digits=5)
    yield _sd("X20", "one skier, long_three: rounds, SD", found, 3.54809)


# ------------------------------------------------------------------------------- four skiers
REFERENCE: dict[str, tuple[str, dict[str, tuple[float, float]]]] = {
    "plain": ("X23", {
        "seat 1": (0.2734, 0.0022), "seat 2": (0.2713, 0.0022), "seat 3": (0.2186, 0.0022),
        "seat 4": (0.2366, 0.0022), "rounds_win": (27.941, 0.012), "rounds_total": (34.454, 0.013),
        "collapses": (0.0159, 0.0006), "drafts": (5.914, 0.014), "draft_steps": (11.890, 0.029),
        "slides": (0.0, 0.0), "paid": (18.714, 0.034),
    }),
    "plain_nodraft": ("X24", {
        "seat 1": (0.2607, 0.0036), "seat 2": (0.2693, 0.0036), "seat 3": (0.2377, 0.0036),
        "seat 4": (0.2323, 0.0036), "rounds_win": (28.752, 0.019), "rounds_total": (35.690, 0.020),
        "collapses": (0.0039, 0.0005), "drafts": (0.0, 0.0), "draft_steps": (0.0, 0.0),
        "slides": (0.0, 0.0), "paid": (13.927, 0.049),
    }),
    "random": ("X25", {
        "seat 1": (0.2841, 0.0023), "seat 2": (0.2568, 0.0023), "seat 3": (0.2351, 0.0023),
        "seat 4": (0.2241, 0.0023), "rounds_win": (30.992, 0.013), "rounds_total": (37.413, 0.016),
        "collapses": (0.8013, 0.0035), "drafts": (2.682, 0.009), "draft_steps": (6.456, 0.024),
        "slides": (0.588, 0.004), "paid": (40.000, 0.0),
    }),
}  # fmt: skip
WORDS = {
    "rounds_win": "round of first home", "rounds_total": "last round",
    "collapses": "collapsed per game", "drafts": "drafts per game",
    "draft_steps": "draft steps per game", "slides": "slides per game",
    "paid": "stamina paid per game",
}  # fmt: skip
NAMES = {"plain": "4 x R0", "plain_nodraft": "4 x R1", "random": "4 x Random"}


def _races(share: float) -> Iterator[Figure]:
    for strategy, (name, reference) in REFERENCE.items():
        found = play(strategy, 4, max(2000, round(RACES[strategy] * share)))
        for quantity, (wanted, error) in reference.items():
            if quantity.startswith("seat"):
                values = found["winner_seat"] == int(quantity[-1]) - 1
                what = f"{NAMES[strategy]}, win share of {quantity}"
                yield mean(name, what, values, wanted, error, digits=4)
            else:
                values = found[quantity]
                if quantity == "rounds_win":
                    values = values[values > 0]
                what = f"{NAMES[strategy]}, {WORDS[quantity]}"
                digits = 4 if quantity == "collapses" else 3
                yield mean(name, what, values, wanted, error, digits)


def _two_players(share: float) -> Iterator[Figure]:
    games = max(2000, round(RACES["plain"] * share))
    for seating, wanted in (("blocks", 0.5447), ("alternating", 0.4920)):
        found = play("plain", 2, games, f"rules.two_player_seating={seating}")
        what = f"2 players, {seating}"
        error = math.sqrt(wanted * (1 - wanted) / 40_000)
        won = found["winner_player"] == 0
        yield mean("X23", f"{what}, win share of player 1", won, wanted, error, digits=4)
        yield mean("X23", f"{what}, last round", found["rounds_total"], 27.941, 0.012)
        late = int((found["rounds_total"] != found["rounds_win"]).sum())
        yield Figure("X23", f"{what}, games that go on after the first home", late, 0, digits=0)
