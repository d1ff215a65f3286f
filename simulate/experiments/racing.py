"""Picking the best of many without believing one's luck: heats, and a confirmation on fresh seeds.

A race plays all entrants on the same dice, keeps the better third, and plays those on with more
games each (successive halving: Karnin, Koren & Somekh 2013; racing: Maron & Moore 1994). Whoever is
best of many was also lucky, so what the race says of its winner is never its merit: that is played
again on seeds that nothing was picked on, and how much better it looked before is its *optimism*.
"""

from __future__ import annotations

from collections.abc import Mapping

from simulate.plan import MAX_SEED

FRESH = 1_000_003  # how far the next seed lies from the one before
FACTOR = 3  # one in so many goes on to the next heat
FINALISTS = 4  # with so few there is no further heat


def fresh_seed(seed: int, number: int = 1) -> int:
    """A seed of which nothing is known yet: the ``number``-th after the user's, 0 that one."""
    return (seed + number * FRESH) % (MAX_SEED + 1) if number else seed


def heats(entrants: int) -> list[int]:
    """How many start in each heat of a race."""
    found = [entrants]
    while found[-1] > FINALISTS:
        found.append(-(-found[-1] // FACTOR))
    return found


def leaders(values: Mapping[str, float], number: int, more: bool = True) -> list[str]:
    """The best by their values, best first; equals in the order in which they entered."""
    sign = -1 if more else 1
    return sorted(values, key=lambda name: sign * values[name])[:number]


def optimism(searched: float, confirmed: float, more: bool = True) -> float:
    """How much better the one picked looked than it is; below 0 where it was unlucky."""
    return searched - confirmed if more else confirmed - searched
