"""Scratch of a strategy that looks to the end of its turn: one PLAN record a batch. No behaviour.

A *board* (the dice on a player board) is packed into one int64, so that hypothetical boards are
plain numbers: four bits a column, four bits a star box, then the sprint column.

    bit   0    4    8    12 | 16   20   24   28 | 32 …
          col1 col2 col3 col4 star1 …      star4  sprint

A *mask* is one int64 whose bit b stands for course row ``base + b``, ``base = own row - BEHIND``.
"""

from __future__ import annotations

import numpy as np

from simulate.games.biathlon.state import (
    COLUMNS,
    MAX_DICE,
    MAX_LANES,
    MAX_SEATS,
    MAX_STEPS,
    N_COLOURS,
    TARGETS,
)

# ---------------------------------------------------------------- parameters: index in a row
# The 25 weights of the specification's table 10.2 (F1 … F25), three times: before the first range is
# shot, between, late (no shot left to make). AS_BEFORE in the last two means: as before range 1.
(
    DIST, STAM, AIM, COL1, COL2, FULL, LOADED, DEADSTAR, SPRINT, FREE, WAX, SEAT, TAIL, TOW, BLOCK,
    OPEN, UPSTART, SLIDEBAIT, WASTE, BLUE, DANGER, LEAD, NEXTS, HOME, SHOTSLEFT,
) = range(25)  # fmt: skip
N_FEATURES = 25
N_PHASES = 3
P_SLOT1 = N_FEATURES * N_PHASES  # preferred token of slot 1, and so on to slot 6
N_PREFERRED = 6
P_TEMPERATURE = P_SLOT1 + N_PREFERRED
N_PARAMS = P_TEMPERATURE + 1
AS_BEFORE = -99.0

# ---------------------------------------------------------------- the packed board
NIBBLE = 15
BITS = 4
STAR_BIT = BITS * COLUMNS
SPRINT_BIT = 2 * STAR_BIT
COLUMNS_ONLY = (1 << SPRINT_BIT) - 1
SPRINT_COLUMN = COLUMNS  # index of the sprint column

# ---------------------------------------------------------------- sizes
BEHIND = 8  # rows behind the own one that a mask can see
MASK_BITS = 62
MAX_STATES = 4096  # ends of hypothetical moves kept, all numbers of steps together
MAX_SLIDE = 256
MAX_CHAIN = 32  # payments looked ahead
N_SIX_ORDERS = 12  # ways in which weights rank the places of a 6
N_ROLL_RULES = 8
N_ROLL_COUNTS = 8  # dice counted by the main column, 0 … 6; the last row: no column is taken
N_ROLL_NUMBERS = 8
NO_TAKE = N_ROLL_COUNTS - 1

_rivals = (MAX_SEATS,)
_ends = (MAX_STATES,)
PLAN = np.dtype(
    [
        # tables of the rules: expected penalty laps by colours of the dice to come and misses made
        ("laps_key", np.int64, (2,)),
        ("laps", np.float64, (TARGETS + 1,) * N_COLOURS + (TARGETS + 1,)),
        ("odds", np.float64, (TARGETS + 1,)),  # scratch
        # the whole board rerolled: probability and mean features by dice counted
        ("n_roll_rules", np.int64),
        ("roll_key", np.int64, (N_ROLL_RULES, 2)),
        ("roll_ready", np.int64, (N_ROLL_RULES, N_SIX_ORDERS, MAX_DICE + 1)),
        (
            "roll",
            np.float64,
            (N_ROLL_RULES, N_SIX_ORDERS, MAX_DICE + 1, N_ROLL_COUNTS, N_ROLL_NUMBERS),
        ),
        ("face_count", np.int64, (8,)),  # scratch: sides by printed face
        # the die that D-DIE would reroll, kept for the board it belongs to
        ("die_key", np.int64, (2,)),
        ("die_code", np.int64),  # 0: no die on the board
        ("die_score", np.float64),  # mean board score after it
        # what the seat sees of itself
        ("turn_key", np.int64),  # turn that the look below belongs to, -1 none
        ("seat", np.int64),
        ("row", np.int64),
        ("lane", np.int64),
        ("penalty", np.int64),
        ("owed", np.int64),
        ("board", np.int64),  # the own dice, packed
        ("visiting", np.int64),  # 1: on a shooting space with shots to make, or shooting now
        ("made", np.int64),  # shots made in this visit
        ("misses", np.int64),  # of these
        ("phase", np.int64),  # 0 before the first range is shot, 1 between, 2 late
        ("ahead", np.int64),  # ranges on rows ahead
        ("full", np.int64),  # packed thresholds of the columns
        ("room", np.int64),  # packed capacities
        ("fives", np.int64),  # packed numbers at which a 5 is refused
        # rivals still racing
        ("n_rivals", np.int64),
        ("rival_row", np.int64, _rivals),
        ("rival_lane", np.int64, _rivals),  # -1 off the course (start, range)
        ("rival_seat", np.int64, _rivals),
        ("rival_top", np.int64, _rivals),  # dice in the fullest column
        ("rival_before", np.int64, _rivals),  # 1: acts before my next turn
        ("rival_follows", np.int64, _rivals),  # 1: drafts on me for nothing
        ("best_rival", np.float64),  # least distance left of a rival
        ("best_other", np.float64),  # the same without the followers
        ("base", np.int64),
        ("held", np.int64, (MAX_LANES,)),  # masks: spaces held by rivals
        ("paid", np.int64, (MAX_LANES,)),  # of these, spaces that cost to enter
        ("standing", np.int64),  # mask: rows with a rival on a course space
        ("downhill", np.int64),  # mask: rows with a rival on a downhill space
        ("at_range", np.int64),  # mask: shooting rows with a rival on the shooting space
        ("n_followers", np.int64),
        ("follower_dist", np.float64, _rivals),
        ("followed", np.int64),  # 1: somebody stands behind the own space (routes matter)
        # payments: the board after k payments made by best score
        ("chain_key", np.int64, (4,)),
        ("chain_first", np.int64),  # first marker that may pay
        ("chain_any", np.int64),  # 1: any of them, 0: only the highest
        ("n_chain", np.int64),
        ("payable", np.int64),
        ("level", np.int64, (TARGETS,)),  # levels at the end of the chain
        ("chain_aim", np.float64, (MAX_CHAIN,)),
        ("chain_left", np.int64, (MAX_CHAIN,)),  # packed: targets without a shot by colour
        ("chain_each", np.float64, (MAX_CHAIN,)),  # laps of a range ahead
        ("chain_blue", np.int64, (MAX_CHAIN,)),
        # ends of hypothetical moves by number of steps
        ("n_steps", np.int64),  # numbers of steps worked out
        ("n_ends", np.int64),
        ("first_end", np.int64, (MAX_STEPS + 3,)),
        ("end_row", np.int64, _ends),
        ("end_lane", np.int64, _ends),
        ("end_penalty", np.int64, _ends),
        ("end_owed", np.int64, _ends),
        ("end_credit", np.int64, _ends),
        ("end_cost", np.int64, _ends),
        ("end_clean", np.int64, _ends),  # 1: nothing was paid before the last step
        ("end_straight", np.int64, _ends),  # last steps that went straight forward
        ("end_ready", np.int64, _ends),
        ("end_score", np.float64, (MAX_STATES, 2)),  # place score, by sprint
        # moves that end early, on a shooting space or over the line
        ("n_early", np.int64),
        ("early_row", np.int64, _ends),
        ("early_cost", np.int64, _ends),
        ("early_clean", np.int64, _ends),
        ("early_step", np.int64, _ends),
        ("early_straight", np.int64, _ends),
        ("early_ready", np.int64, _ends),
        ("early_score", np.float64, (MAX_STATES, 2)),
        # successors of one space
        ("n_next", np.int64),
        ("next_row", np.int64, (8,)),
        ("next_lane", np.int64, (8,)),
        ("next_credit", np.int64, (8,)),
        ("next_straight", np.int64, (8,)),
        ("next_early", np.int64, (8,)),
        # ends of a hypothetical slide
        ("slide_row", np.int64, (MAX_SLIDE,)),
        ("slide_lane", np.int64, (MAX_SLIDE,)),
        ("slide_credit", np.int64, (MAX_SLIDE,)),
        ("slide_cost", np.int64, (MAX_SLIDE,)),
        ("slide_free", np.int64, (MAX_SLIDE,)),
        ("slide_step", np.int64, (MAX_SLIDE,)),
        ("slide_early", np.int64, (MAX_SLIDE,)),
    ],
    align=True,
)
