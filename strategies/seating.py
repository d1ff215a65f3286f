"""Who sits where in one game of a block: kernels shared by every game's ``play_batch``."""

from __future__ import annotations

from simulate import rng
from simulate.jit import kernel


@kernel
def seat_positions(cell, pool, root, block, streams, position_of, instance_of, scratch):
    """Fill ``position_of[player]`` and ``instance_of[position]`` (int64) for one cell of a block.

    Positions that draw from the pool take different entries as long as the pool lasts; the draw
    belongs to the block, so all rotations of a block meet the same opponents. ``streams`` is a
    uint64[1] scratch, ``scratch`` an int64 buffer at least as long as the pool.
    """
    players = cell["players"]
    for player in range(players):
        position_of[player] = (player + cell["rotation"]) % players
    if cell["random_seating"] == 1:
        rng.open_stream(streams, 0, root, block, rng.SEATING, rng.NO_SEAT)
        rng.shuffle(streams, 0, position_of, players)
    n_pool = len(pool)
    left = 0
    rng.open_stream(streams, 0, root, block, rng.LINEUP, rng.NO_SEAT)
    for position in range(players):
        instance_of[position] = cell["entry"][position]
        if instance_of[position] < 0:
            if left == 0:
                for index in range(n_pool):
                    scratch[index] = pool[index]
                left = n_pool
            drawn = rng.below(streams, 0, left)
            instance_of[position] = scratch[drawn]
            left -= 1
            scratch[drawn] = scratch[left]
    if cell["equal"] == 1:
        for position in range(1, players):
            instance_of[position] = instance_of[0]
