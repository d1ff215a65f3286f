"""Who will win, seen from the standings: a calibrated model of P(win). Pure functions.

A spectator sees how everybody stands at the end of a round, knows how far the game has gone, and
does not know who plays well. His chances for each player are a conditional logit (McFadden 1974):
P(i) = exp f(i) / Σ exp f(j) over those who can still win, so they add up to one for any number of
players. f has few features, each with weights that change with the clock (straight lines between
seven knots): how far ahead of the second; how far behind the best, now and some rounds ago, and the
square root of these. (Where a race bunches up, the places of a while ago tell more than those of
now.)

A model is worth what it says about games that it has not seen: ``check`` scores it on the other
half of the blocks (logarithmic and Brier score, both proper: Gneiting & Raftery 2007) and tests
that what it calls 70 % happens 70 % of the time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reports import estimates, resampling, variance
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, State

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

KNOTS = 7
RIDGE = 10.0  # of each weight: what a few games would say against it
MOST_STEPS = 60
MOST_STATES = 20_000  # that a fit looks at
FOLDS = 3
CURVE_POINTS = 300
ROUNDS = 4
TOLERANCE = 0.03  # chances may be so far off, as a root mean square
FAR = 0.05  # and chances of any one size so far
BINS = 10
LEAST_IN_BIN = 0.02  # of all predictions; smaller bins join their neighbour
FLOOR = 1e-9  # of a probability, in logarithms


@dataclass(frozen=True, eq=False)
class States:
    """States of many games, one a row.

    ``standing`` [n, players]: more is better, NaN for who cannot win any more. ``earlier``: the same
    as it was some rounds before, for each of ``trajectories.LAGS``. ``clock`` [n]: how far the game
    has gone, as one can see then. ``won`` [n, players]: how it ended, rows add up to 1. ``group``
    [n]: cluster of the game.
    """

    standing: Floats
    earlier: tuple[Floats, ...]
    clock: Floats
    won: Floats
    group: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.clock)

    def some(self, keep: NDArray[np.bool_]) -> States:
        """Some of the states."""
        earlier = tuple(standing[keep] for standing in self.earlier)
        won, group = self.won[keep], self.group[keep]
        return States(self.standing[keep], earlier, self.clock[keep], won, group)


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model: unit of standing, knots of the clock, weights."""

    unit: float
    knots: Floats
    weights: Floats
    curves: tuple[tuple[Floats, Floats], ...] = ()  # corrections, one after the other: see ``fit``

    def chances(self, states: States) -> Floats:
        """P(win) of every player in every state: [n, players], 0 for who cannot win."""
        x = _features(states, self.knots, self.unit)
        chances = _softmax(x @ self.weights, states.standing)
        for curve in self.curves:
            chances = _set_right(chances, curve)
        return chances


def fit(states: States) -> Model:
    """Maximum likelihood with a slight ridge, then set right by games that were left out.

    States of one game go together and the features are few, so a fit may be surer of itself than it
    should be. Models fitted without a part of the games foretell that part; how often what they
    foretell happens, as a rising curve (isotonic regression: Zadrozny & Elkan 2002), is the
    correction; a few times over, as chances that add up to 1 again are not quite right yet.
    """
    if len(states) > MOST_STATES:  # neighbours tell much the same
        drawn = np.random.default_rng(resampling.SEED).random(len(states))
        states = states.some(drawn < MOST_STATES / len(states))
    whole = _fit(states)
    told, came = [], []
    for fold in range(FOLDS):
        out = states.group % FOLDS == fold
        if out.all() or not out.any():
            return whole
        unseen = states.some(out)
        told.append(_fit(states.some(~out)).chances(unseen))
        came.append(unseen.won)
    foretold, happened = np.concatenate(told), np.concatenate(came)
    curves = []
    for _ in range(ROUNDS):
        can = foretold > 0
        curves.append(_rising(foretold[can], happened[can]))
        foretold = _set_right(foretold, curves[-1])
    return Model(whole.unit, whole.knots, whole.weights, tuple(curves))


def _set_right(chances: Floats, curve: tuple[Floats, Floats]) -> Floats:
    """Chances corrected by a curve; those of a state add up to 1 again."""
    right = np.where(chances > 0, np.maximum(np.interp(chances, *curve), FLOOR), 0.0)
    return np.asarray(right / right.sum(1, keepdims=True), np.float64)


def _rising(told: Floats, came: Floats) -> tuple[Floats, Floats]:
    """Foretold and what came of it, both rising from 0 to 1."""
    order = np.argsort(told, kind="stable")
    parts = np.array_split(order, CURVE_POINTS)
    x = np.array([told[part].mean() for part in parts if len(part)])
    y = np.array([came[part].mean() for part in parts if len(part)])
    fitted, _ = estimates.monotone(y, np.array([float(len(part)) for part in parts if len(part)]))
    return np.concatenate([[0.0], x, [1.0]]), np.concatenate([[0.0], fitted, [1.0]])


def _fit(states: States) -> Model:
    """Maximum likelihood with a slight ridge, by Newton's method."""
    behind = np.nanmax(states.standing, 1, keepdims=True) - states.standing
    unit = float(np.sqrt(np.nanmean(behind**2))) or 1.0
    knots = np.unique(np.quantile(states.clock, np.linspace(0, 1, KNOTS)))
    x = _features(states, knots, unit)
    weights = np.zeros(x.shape[2])
    loss = _loss(x, states, weights)
    for _ in range(MOST_STEPS):
        p = _softmax(x @ weights, states.standing)
        gradient = np.einsum("npf,np->f", x, states.won - p) - RIDGE * weights
        centred = x - np.einsum("npf,np->nf", x, p)[:, None]
        flat = (centred * np.sqrt(p)[:, :, None]).reshape(-1, x.shape[2])
        step = np.linalg.solve(flat.T @ flat + RIDGE * np.eye(x.shape[2]), gradient)
        size = 1.0
        while size > 1e-6 and _loss(x, states, weights + size * step) > loss:
            size /= 2
        weights = weights + size * step
        before, loss = loss, _loss(x, states, weights)
        if before - loss < 1e-6 * max(abs(loss), 1.0):
            break
    return Model(unit, knots, weights)


def _loss(x: Floats, states: States, weights: Floats) -> float:
    p = _softmax(x @ weights, states.standing)
    return RIDGE / 2 * float(weights @ weights) + _surprise(p, states.won)


def _surprise(chances: Floats, won: Floats) -> float:
    """The logarithmic score of all states."""
    return -float((won * np.log(np.maximum(chances, FLOOR))).sum())


def _basis(clock: ArrayLike, knots: Floats) -> Floats:
    """Straight lines between knots: [n, knots], rows add up to 1."""
    at = np.clip(np.asarray(clock, np.float64), knots[0], knots[-1])
    return np.stack([np.interp(at, knots, row) for row in np.eye(len(knots))], 1)


def _features(states: States, knots: Floats, unit: float) -> Floats:
    """[n, players, features x knots]."""
    standing, basis = states.standing, _basis(states.clock, knots)
    there = np.where(np.isnan(standing), -np.inf, standing)
    best = there.max(1, keepdims=True)
    second = np.sort(there, 1)[:, -2:-1] if there.shape[1] > 1 else best
    lead = np.where(there == best, best - np.where(np.isfinite(second), second, best), 0.0) / unit
    behind = [_behind(then, unit) for then in (standing, *states.earlier)]
    own = np.stack([lead, *behind, *(np.sqrt(gap) for gap in behind)], 2)
    return (own[:, :, :, None] * basis[:, None, None, :]).reshape(*standing.shape, -1)


def _behind(standing: Floats, unit: float) -> Floats:
    """Distance behind the best, 0 for who does not stand any more."""
    gap = np.nanmax(standing, 1, keepdims=True) - standing
    return np.where(np.isnan(gap), 0.0, gap) / unit


def _softmax(score: Floats, standing: Floats) -> Floats:
    score = np.where(np.isnan(standing), -np.inf, score)
    raised = np.exp(score - score.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float64)


# ---------------------------------------------------------------- is it true?


@dataclass(frozen=True)
class Bin:
    """Predictions of about the same size, and what came of them."""

    predicted: float
    happened: Estimate
    gap: Estimate  # happened less predicted
    state: State


@dataclass(frozen=True)
class Check:
    """What a model is worth on games that it has not seen.

    ``log`` and ``brier``: how much better than the base rate, 0 no better, 1 perfect. ``off``: root
    mean square of the gaps between foretold and happened, the noise of the gaps taken out.
    ``state``: fair: calibrated, ``off`` is shown to be below TOLERANCE (its 95 % interval is);
    unfair: ``off`` is surely above, or some bin surely more than FAR off (Bonferroni), or the model
    no better than the base rate; unknown: too few games.
    """

    state: State
    bins: tuple[Bin, ...]
    off: Estimate
    log: Estimate
    brier: Estimate
    states: int


def check(chances: Floats, states: States, base: Floats) -> Check:
    """Score predictions [n, players] against the base rate [players] on unseen states."""
    bins, off = _bins(chances, states)
    log_gain = _skill(-np.log(np.maximum(chances, FLOOR)), -np.log(np.maximum(base, FLOOR)), states)
    told = _brier(chances, states.won)
    brier_gain = _ratio_gain(told, _brier(np.broadcast_to(base, chances.shape), states.won), states)
    found = [b.state for b in bins]
    if UNFAIR in found or off.low > TOLERANCE or log_gain.high < 0:
        state = UNFAIR
    elif off.high < TOLERANCE and log_gain.low > 0:
        state = FAIR
    else:
        state = UNKNOWN
    return Check(state, tuple(bins), off, log_gain, brier_gain, len(states))


def _skill(told: Floats, base: Floats, states: States) -> Estimate:
    """1 - score / base score of a score that is linear in the outcome."""
    return _ratio_gain((states.won * told).sum(1), (states.won * base).sum(1), states)


def _brier(chances: Floats, won: Floats) -> Floats:
    """Σ (p - y)² of each state."""
    return np.asarray(((chances - won) ** 2).sum(1), np.float64)


def _ratio_gain(told: Floats, base: Floats, states: States) -> Estimate:
    return estimates.ratio(_by_group(base - told, states.group), _by_group(base, states.group))


def _by_group(values: Floats, group: NDArray[np.int64]) -> Floats:
    return np.bincount(group, values).astype(np.float64)


def _bins(chances: Floats, states: States) -> tuple[list[Bin], Estimate]:
    """Predictions of all players by size, and the root mean square of their gaps.

    Thin bins join their lower neighbour.
    """
    p, y = chances.ravel(), states.won.ravel()
    group = np.repeat(states.group, chances.shape[1])
    can = ~np.isnan(states.standing).ravel()
    p, y, group = p[can], y[can], group[can]
    number = np.minimum((p * BINS).astype(np.int64), BINS - 1)
    sizes = np.bincount(number, minlength=BINS)
    home = np.arange(BINS)
    for b in range(BINS - 1, 0, -1):
        if sizes[b] < LEAST_IN_BIN * len(p):
            sizes[b - 1] += sizes[b]
            home[home == b] = b - 1
    number = home[number]
    found = []
    kept = np.unique(number)
    gaps, counts = np.zeros((2, int(group.max()) + 1, len(kept)))
    for place, b in enumerate(kept):
        mine = number == b
        np.add.at(gaps[:, place], group[mine], y[mine] - p[mine])
        np.add.at(counts[:, place], group[mine], 1.0)
        count = _by_group(np.ones(mine.sum()), group[mine])
        happened = estimates.ratio(_by_group(y[mine], group[mine]), count)
        gap = estimates.ratio(_by_group(y[mine] - p[mine], group[mine]), count)
        state = estimates.equivalence(gap, FAR, family=len(kept))
        found.append(Bin(float(p[mine].mean()), happened, gap, state))
    seen = counts.sum(1) > 0

    def off(weights: Floats) -> Floats:
        square = variance.mean_squares(gaps[seen], counts[seen], weights)
        return np.sqrt(np.maximum(square, 0.0))

    return found, resampling.bootstrap(off, int(seen.sum()), len(states))


def entropy(chances: Floats) -> Floats:
    """How open a state is: 0 decided, 1 all equally likely (Shannon's entropy / ln players)."""
    p = np.maximum(chances, FLOOR)
    whole = -(np.where(chances > 0, chances * np.log(p), 0.0)).sum(-1)
    return np.asarray(whole / math.log(max(chances.shape[-1], 2)), np.float64)
