"""What every batch does around a game: coins and treated seats before it, who played after it.

``play_batch`` calls the kernels, replay and verify the compiled door, so that both seat the same
strategies, hand out the same coins and treat the same seat.
"""

from __future__ import annotations

from simulate import rng
from simulate.jit import entry, kernel
from strategies.book import TARGET_ALL, TARGET_NONE, TARGET_RANDOM
from strategies.seating import seat_positions


@kernel
def open_policies(policy, players, root, block):
    """Seed ``policy[position]`` for the line-up positions 0 … players-1 of a block."""
    for position in range(players):
        rng.open_stream(policy, position, root, block, rng.POLICY, position)


@kernel
def coin_block(block, treatment, target):
    """The block whose coins the strategies hold: their own, or with ``policy_shift`` others.

    The shift gives everybody at the table other coins, whoever is treated.
    """
    if target == TARGET_NONE:
        return block
    return block + treatment["policy_shift"] * rng.SHIFT


@kernel
def treated_seat(target, n_seats, root, block, streams):
    """The seat that gets the treatment: a seat number, TARGET_ALL or TARGET_NONE.

    With TARGET_RANDOM one seat of the game is drawn uniformly from the block's TREATMENT stream.
    ``streams`` is a uint64[1] scratch.
    """
    if target != TARGET_RANDOM:
        return target
    rng.open_stream(streams, 0, root, block, rng.TREATMENT, rng.NO_SEAT)
    return rng.below(streams, 0, n_seats)


@kernel
def place_treatment(treatment, none, target, n_seats, root, block, streams, treatments):
    """Fill ``treatments[seat]`` of a game; returns the treated seat, as ``treated_seat``.

    ``treatment``: a record, for the treated seats; ``none``: an array of one blank record, for the
    others. (An array, as a record taken from a temporary array in compiled code does not keep it
    alive: ``np.zeros(1, TREATMENT)[0]`` is soon somebody else's memory.)
    """
    seat = treated_seat(target, n_seats, root, block, streams)
    for other in range(len(treatments)):
        if target != TARGET_NONE and (seat == TARGET_ALL or seat == other):
            treatments[other] = treatment
        else:
            treatments[other] = none[0]
    return seat


@kernel
def sign_game(row, cell, index, block, n_cells):
    """Write which game a finished GAME_ROW tells of; returns its number in the run."""
    game_id = block * n_cells + index
    row["game_id"] = game_id
    row["block"] = block
    row["cell"] = index
    row["rotation"] = cell["rotation"]
    row["equal"] = cell["equal"] == 1
    return game_id


@kernel
def sign_seat(row, seat, game_id, position, instance, treated):
    """Write who played a finished SEAT_ROW; ``treated`` as ``treated_seat`` gives it."""
    row["game_id"] = game_id
    row["strategy"] = instance
    row["position"] = position
    row["treated"] = treated == seat or treated == TARGET_ALL


@entry
def open_game(
    cell, pool, root, block, treatment, target, n_seats, streams, policy, position_of, instance_of,
    scratch,
):  # fmt: skip
    """Seat the players of one game, seed the policies; returns the treated seat.

    The door for replay and verify; ``streams`` uint64[1], ``policy`` uint64[MAX_POSITIONS],
    ``position_of``, ``instance_of`` int64[MAX_POSITIONS], ``scratch`` int64, as long as the pool.
    """
    seat_positions(cell, pool, root, block, streams, position_of, instance_of, scratch)
    open_policies(policy, cell["players"], root, coin_block(block, treatment, target))
    return treated_seat(target, n_seats, root, block, streams)
