"""The only random numbers of the project: named streams of splitmix64.

A *stream* is one 64-bit word that a draw advances; its first value is
``split(root, block, purpose, seat)`` and nothing else, so a changed rule or strategy meets the same
deck, weather and dice (common random numbers by construction). Streams lie in an array of uint64,
``streams``; kernels name one by its index. ``uint64`` lives in this file only: everything that
leaves it is int64 or float64.

Source: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators" (splitmix64);
Lemire 2019, "Fast random integer generation in an interval" (``below``).
"""

from __future__ import annotations

import numpy as np

from simulate.jit import open_kernel

# Purposes shared by all games. A game numbers its own from FIRST_GAME_PURPOSE on.
SEATING = 1  # which line-up position sits where (seating "random")
LINEUP = 2  # which strategies of a pool play in this block
POLICY = 3  # a line-up position's own coin: "seat" of the split is the position
TREATMENT = 4  # which seat an experiment treats
ROLLOUTS = 5  # which decisions of a game are rolled out, and what happens after them
FIRST_GAME_PURPOSE = 16

NO_SEAT = 0  # the "seat" of streams that belong to the table, not to a seat
SHIFT = 1 << 32  # a shifted stream is the stream of a block that no run reaches

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_SHIFT_30 = np.uint64(30)
_SHIFT_27 = np.uint64(27)
_SHIFT_31 = np.uint64(31)
_SHIFT_32 = np.uint64(32)
_SHIFT_11 = np.uint64(11)
_LOW_32 = np.uint64(0xFFFFFFFF)
_UNIT = 1.0 / 9007199254740992.0  # 2**-53


@open_kernel
def _mix(word):
    """The output function of splitmix64: every bit of ``word`` reaches every bit of the result."""
    word = (word ^ (word >> _SHIFT_30)) * _MIX_A
    word = (word ^ (word >> _SHIFT_27)) * _MIX_B
    return word ^ (word >> _SHIFT_31)


@open_kernel
def split(root, block, purpose, seat):
    """First word of the stream of (root seed, block, purpose, seat); all int64, result uint64."""
    word = _mix(np.uint64(root) + _GOLDEN)
    word = _mix(word ^ (np.uint64(block) + _GOLDEN))
    word = _mix(word ^ (np.uint64(purpose) * _MIX_A + _GOLDEN))
    return _mix(word ^ (np.uint64(seat) * _MIX_B + _GOLDEN))


@open_kernel
def open_stream(streams, index, root, block, purpose, seat):
    """Seed ``streams[index]`` for (root, block, purpose, seat)."""
    streams[index] = split(root, block, purpose, seat)


@open_kernel
def _next(streams, index):
    """Advance one stream and return its next 64 bits."""
    streams[index] = streams[index] + _GOLDEN
    return _mix(streams[index])


@open_kernel
def below(streams, index, n):
    """A whole number in 0 … n-1, exactly uniform (1 <= n < 2**32), as int64."""
    limit = np.uint64(n)
    product = (_next(streams, index) >> _SHIFT_32) * limit
    if (product & _LOW_32) < limit:
        # 2**32 mod n products at the low end would be one too many for some results.
        floor = ((_LOW_32 - limit) + np.uint64(1)) % limit
        while (product & _LOW_32) < floor:
            product = (_next(streams, index) >> _SHIFT_32) * limit
    return np.int64(product >> _SHIFT_32)


@open_kernel
def unit(streams, index):
    """A float64 in [0, 1), a multiple of 2**-53."""
    return np.float64(_next(streams, index) >> _SHIFT_11) * _UNIT


@open_kernel
def shuffle(streams, index, items, n):
    """Put ``items[:n]`` in uniformly random order, in place (Fisher-Yates from the end)."""
    for last in range(n - 1, 0, -1):
        other = below(streams, index, last + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held
