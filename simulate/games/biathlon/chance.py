"""The only lines with a random number in a game: one ``draw_*`` for each use of chance.

A scripted position feeds the outcomes instead (``FEED``): dice faces in the order of rolling.
"""

from __future__ import annotations

from simulate import rng
from simulate.feed import fed
from simulate.games.biathlon.state import (
    MAX_BOARDS,
    PURPOSE_DICE,
    PURPOSE_FIRST_MARKER,
    PURPOSE_NATIONS,
    PURPOSE_SHOTS,
    PURPOSE_WAX,
    STREAM_DICE,
    STREAM_FIRST_MARKER,
    STREAM_NATIONS,
    STREAM_SCRATCH,
    STREAM_SHOTS,
)
from simulate.jit import kernel


@kernel
def open_streams(state, root, block):
    """Seed every stream of the game; a treatment may shift dice or shots (hooks)."""
    streams = state["streams"]
    first_block = setup_block(state, block)
    rng.open_stream(
        streams, STREAM_FIRST_MARKER, root, first_block, PURPOSE_FIRST_MARKER, rng.NO_SEAT
    )
    for seat in range(state["n_seats"]):
        dice_shift = state["treatment"][seat]["dice_shift"]
        shot_shift = state["treatment"][seat]["shot_shift"]
        for other in range(state["n_seats"]):
            if other != seat:
                dice_shift += state["treatment"][other]["rival_dice_shift"]
                shot_shift += state["treatment"][other]["rival_shot_shift"]
        dice_block = block + dice_shift * rng.SHIFT
        shot_block = block + shot_shift * rng.SHIFT
        rng.open_stream(streams, STREAM_DICE + seat, root, dice_block, PURPOSE_DICE, seat)
        rng.open_stream(streams, STREAM_SHOTS + seat, root, shot_block, PURPOSE_SHOTS, seat)


@kernel
def setup_block(state, block):
    """The block whose set-up is laid out; a treatment may shift it (hook)."""
    shift = 0
    for seat in range(state["n_seats"]):
        shift = max(shift, state["treatment"][seat]["setup_shift"])
    return block + shift * rng.SHIFT


@kernel
def renew(state, root, block):
    """All chance that is still to come, drawn anew: dice, shots, wax not dealt yet (rollouts)."""
    state["root"] = root
    state["block"] = block
    open_streams(state, root, block)


@kernel
def draw_face(state, rules, work, seat):
    """Printed face of one race die of a seat (BI-PREP-01; its own stream: spec 5.14)."""
    if work["feed"]["on"] == 1:
        return fed(work, 1)
    return rules["race_faces"][rng.below(state["streams"], STREAM_DICE + seat, 6)]


@kernel
def draw_shot(state, rules, work, seat):
    """Face 1 … sides of a shooting die (BI-SHOT-04; its own stream: spec 5.14)."""
    if work["feed"]["on"] == 1:
        return fed(work, 1)
    return 1 + rng.below(state["streams"], STREAM_SHOTS + seat, rules["shoot_sides"])


@kernel
def draw_first_marker(state):
    """Seat that gets the First player marker (BI-SET-09)."""
    return rng.below(state["streams"], STREAM_FIRST_MARKER, state["n_seats"])


@kernel
def draw_loadout(state, rules, seat, root, block):
    """Six of the eight tokens of the board's set in random order (``wax.loadout = drawn``)."""
    streams = state["streams"]
    rng.open_stream(streams, STREAM_SCRATCH, root, setup_block(state, block), PURPOSE_WAX, seat)
    tokens = state["walk_steps"]  # free before the race: a buffer for the set
    dealt = rules["dealt"]
    for index in range(dealt):
        tokens[index] = rules["wax_set"][rules["board"][state["nation"][seat]], index]
    rng.shuffle(streams, STREAM_SCRATCH, tokens, dealt)
    for slot in range(rules["slots"]):
        state["slots"][seat, slot] = tokens[slot]


@kernel
def draw_nations(state, rules, root, block):
    """Nations for all seats, every board at every seat once in as many blocks as boards.

    The boards with a usable nation are shuffled once for a group of blocks and turned by one seat
    from block to block, so nations are balanced over seats and crossed with strategies.
    """
    streams = state["streams"]
    boards = state["walk_steps"]
    block = setup_block(state, block)
    count = 0
    for board in range(MAX_BOARDS):
        if _usable_on(rules, board, 0) >= 0:
            boards[count] = board
            count += 1
    rng.open_stream(streams, STREAM_NATIONS, root, block // count, PURPOSE_NATIONS, rng.NO_SEAT)
    rng.shuffle(streams, STREAM_NATIONS, boards, count)
    for seat in range(state["n_seats"]):
        board = boards[(seat + block) % count]
        sides = 1
        while _usable_on(rules, board, sides) >= 0:
            sides += 1
        side = 0
        if sides > 1:
            rng.open_stream(streams, STREAM_SCRATCH, root, block, PURPOSE_NATIONS, seat + 1)
            side = rng.below(streams, STREAM_SCRATCH, sides)
        state["nation"][seat] = _usable_on(rules, board, side)


@kernel
def _usable_on(rules, board, nth):
    """The nth usable nation on a board in table order, or -1."""
    for nation in range(rules["n_nations"]):
        if rules["board"][nation] == board and rules["nation_usable"][nation] == 1:
            if nth == 0:
                return nation
            nth -= 1
    return -1
