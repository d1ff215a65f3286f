"""What each decision was worth, from the ends of the rollouts of its options.

All options of a position met the same futures, so differences are taken rollout by rollout. The best
of several noisy options looks better than it is; therefore what is picked is picked on one half of
the rollouts and valued on the other, both ways round (cross-fitting): the mean of such a value over
positions is not inflated by the picking. It may fall short of the true gap, never beyond it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from reports.estimates import z_value
from simulate.exact import RANK_SCALE, WIN_SCALE

ONE_SIDED = 0.90  # two-sided level of a one-sided test at 5 %
BOTH_HALVES = 0.95  # of two one-sided tests, each at 2.5 %

Pick = Callable[[np.ndarray], tuple[int, int]]


@dataclass(frozen=True)
class Thresholds:
    """From where differences count, all as shares of a win.

    ``matters``: a gap worth thinking about; ``own``: too small to care for oneself; ``swing``: enough
    to say that somebody else's game was decided; ``hopeless``: a win chance of next to nothing.
    """

    matters: float = 0.05
    own: float = 0.05
    swing: float = 0.10
    hopeless: float = 0.02


@dataclass(frozen=True)
class Crossed:
    """A difference picked on one half of the rollouts and valued on the other, both ways round."""

    value: float
    se: float
    halves: tuple[tuple[float, float], ...]  # value and standard error of each half

    def surely_above(self, threshold: float) -> bool:
        """Whether one of the halves shows it, at 5 % for both together."""
        z = z_value(BOTH_HALVES)
        return any(value - z * se > threshold for value, se in self.halves)


def paired_se(difference: np.ndarray) -> float:
    """Standard error of the mean of paired differences, one more differing pair counted in.

    So no difference in n rollouts is not taken for certainty (after Agresti & Min 2005).
    """
    n = len(difference)
    squares = float(((difference - difference.mean()) ** 2).sum())
    return math.sqrt((squares + 1) / (n * (n + 1)))


def crossed(values: np.ndarray, pick: Pick) -> Crossed:
    """The difference of the two options that ``pick`` takes; values [options, rollouts].

    ``pick`` gets mean values by option and returns two indices.
    """
    halves = values[:, 0::2], values[:, 1::2]
    found = []
    for seen, other in (halves, halves[::-1]):
        one, two = pick(seen.mean(1))
        difference = other[one] - other[two]
        found.append((float(difference.mean()), paired_se(difference)))
    return _both(found)


def _both(found: list[tuple[float, float]]) -> Crossed:
    value = sum(v for v, _ in found) / 2
    se = math.sqrt(sum(e * e for _, e in found)) / 2
    return Crossed(value, se, tuple(found))


def best_and_worst(means: np.ndarray) -> tuple[int, int]:
    """The two ends; two options even where all means are equal."""
    return int(np.argmax(means)), len(means) - 1 - int(np.argmin(means[::-1]))


def best_and_second(means: np.ndarray) -> tuple[int, int]:
    """The best two."""
    order = np.argsort(-means, kind="stable")
    return int(order[0]), int(order[1])


def best_and_mean(own: np.ndarray) -> Crossed:
    """How much better the best option is than one taken blindly, the mean of all."""
    beside = np.concatenate([own, own.mean(0, keepdims=True)])
    return crossed(beside, lambda means: (int(np.argmax(means[:-1])), len(means) - 1))


def best_and(taken: int) -> Pick:
    """The best and a given option."""
    return lambda means: (int(np.argmax(means)), taken)


def swing(wins: np.ndarray, player: int, taken: int) -> tuple[Crossed, int, int]:
    """The largest change of another player's wins against the option taken; who, by which option.

    wins: [options, rollouts, players].
    """
    change = wins - wins[taken]
    change[:, :, player] = 0.0
    halves = change[:, 0::2], change[:, 1::2]
    found = []
    for seen, other in (halves, halves[::-1]):
        option, whose = _largest(seen)
        sign = 1.0 if seen[option, :, whose].mean() >= 0 else -1.0
        difference = sign * other[option, :, whose]
        found.append((float(difference.mean()), paired_se(difference)))
    option, whose = _largest(change)
    return _both(found), option, whose


def _largest(change: np.ndarray) -> tuple[int, int]:
    size = np.abs(change.mean(1))
    option, whose = np.unravel_index(int(np.argmax(size)), size.shape)
    return int(option), int(whose)


def same_for_oneself(own: np.ndarray, taken: int, margin: float) -> bool:
    """Whether no option is better or worse than the one taken by ``margin``: TOST of each at 5 %."""
    z = z_value(ONE_SIDED)
    differences = own - own[taken]
    return all(
        abs(float(d.mean())) + z * paired_se(d) < margin
        for option, d in enumerate(differences)
        if option != taken
    )


def least_rollouts(margin: float) -> int:
    """Rollouts an option from which ``same_for_oneself`` can be shown at all."""
    n = 1
    while z_value(ONE_SIDED) * paired_se(np.zeros(n)) >= margin:
        n += 1
    return n


# ---------------------------------------------------------------- all positions


@dataclass(frozen=True, eq=False)
class Position:
    """A decision with the ends of its rollouts."""

    row: dict[str, Any]
    tokens: list[str]
    acts: list[str]
    taken: int
    wins: np.ndarray  # [options, rollouts, players]
    ranks: np.ndarray

    @property
    def own(self) -> np.ndarray:
        """The decider's wins [options, rollouts]."""
        own: np.ndarray = self.wins[:, :, self.row["player"]]
        return own


def positions(rows: pl.DataFrame, options: pl.DataFrame) -> Iterator[Position]:
    """Every position with its options; both frames lie in the order of the games."""
    at = 0
    tokens, acts, taken = (options[c].to_list() for c in ("token", "act", "taken"))
    for row in rows.iter_rows(named=True):
        some = slice(at, at + row["tried"])
        at += row["tried"]
        shape = (row["tried"], -1, row["players"])
        wins, ranks = (
            options[name][some].explode(empty_as_null=False).to_numpy().reshape(shape) / scale
            for name, scale in (("wins", WIN_SCALE), ("ranks", RANK_SCALE))
        )
        yield Position(row, tokens[some], acts[some], taken[some].index(True), wins, ranks)


def value_rows(found: list[Position], limits: Thresholds) -> pl.DataFrame:
    """A row a position: chances, spread, gap, regret, swing, and whether it made a king."""
    return pl.DataFrame([_value(p, limits) for p in found], infer_schema_length=None)


def _value(p: Position, limits: Thresholds) -> dict[str, Any]:
    own, player = p.own, int(p.row["player"])
    means = own.mean(1)
    spread, gap = crossed(own, best_and_worst), crossed(own, best_and_second)
    regret = crossed(own, best_and(p.taken))
    moved, option, whose = swing(p.wins, player, p.taken)
    within = same_for_oneself(own, p.taken, limits.own)
    places = p.ranks[p.taken].mean(0)
    return {
        **p.row,
        "part": min(3 * (p.row["question_number"] - 1) // p.row["questions"], 2),
        "chance": float(means[p.taken]),
        "standing": 1 + int((places < places[player] - 1e-9).sum()),
        "hopeless": bool(own.mean() <= limits.hopeless),
        "taken": p.tokens[p.taken],
        "best": p.tokens[int(np.argmax(means))],
        "spread": spread.value,
        "spread_se": spread.se,
        "spread_naive": float(means.max() - means.min()),
        "gap": gap.value,
        "gap_se": gap.se,
        "agency": best_and_mean(own).value,
        "regret": regret.value,
        "regret_se": regret.se,
        "same_for_oneself": within,
        "swing": moved.value,
        "swing_se": moved.se,
        "swing_player": whose,
        "swing_option": p.tokens[option],
        "kingmaking": bool(within and moved.surely_above(limits.swing)),
    }


def act_rows(found: list[Position]) -> pl.DataFrame:
    """A row a position and kind of act there: the best such option against the best other one."""
    rows = []
    for p in found:
        kinds = list(dict.fromkeys(p.acts))
        for kind in kinds if len(kinds) > 1 else ():
            of_kind = np.array([act == kind for act in p.acts])
            worth = crossed(p.own, _best_of(of_kind))
            rows.append(
                {
                    "game_id": p.row["game_id"],
                    "question_number": p.row["question_number"],
                    "block": p.row["block"],
                    "cell": p.row["cell"],
                    "weight": p.row["weight"],
                    "question": p.row["question"],
                    "act": kind,
                    "taken": p.acts[p.taken] == kind,
                    "worth": worth.value,
                    "worth_se": worth.se,
                }
            )
    schema = {
        "game_id": pl.Int64, "question_number": pl.Int32, "block": pl.Int64, "cell": pl.Int16,
        "weight": pl.Float64, "question": pl.String, "act": pl.String, "taken": pl.Boolean,
        "worth": pl.Float64, "worth_se": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def _best_of(kind: np.ndarray) -> Pick:
    """The best option of a kind and the best of the others."""

    def pick(means: np.ndarray) -> tuple[int, int]:
        one = int(np.argmax(np.where(kind, means, -np.inf)))
        other = int(np.argmax(np.where(kind, -np.inf, means)))
        return one, other

    return pick
