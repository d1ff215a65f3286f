"""Scratch of a strategy while it answers one question: a PLAN record. No behaviour.

Nothing in it lives longer than a question, the target set apart: that is kept while its run is
being skied and would be found again from the state alone.
"""

from __future__ import annotations

import numpy as np

from simulate.games.skull_canyon.state import (
    DIFFICULTIES,
    KEYS,
    MAX_NODES,
    MAX_RUNS,
    MAX_SEATS,
    N_ABILITIES,
    TYPES,
)

# ---------------------------------------------------------------- parameters: index in a row
(
    VP, FAME, AWARD_NOW, GEAR_VP, HAND, UNKNOWN, YETIS, BEST, BEST_STYLE, SECOND, GAP4, GAP7,
    HEIGHT, SNOW_HEIGHT, READY_E, READY_A, READY_X, READY_VP, LIFT_VP, CHAIN, CLAIM, STEAL,
    STEAL_LEAD, RESTACK, DEPTH, OPEN_RUNS, TOP_E, TOP_A, TOP_X, TOP_ALL, STYLE_HIT, STYLE_NEAR,
    WANING, SPENT, YETIS_SPENT, OVER, RIVAL_DROP, OWN_DROP, RIVAL_READY, BLOCK, BLOCK_SELF, EXPL,
    TICK,
) = range(43)  # fmt: skip
GEAR_FLAG = 42  # + ability; abilities count from 1
FAME_NEXT, VILLAGE_LEFT, TOMORROW, HAND_DRY, EARLY, LEAD, PROSPECT, ACTION, CLIMB, TEMPERATURE = (
    range(GEAR_FLAG + N_ABILITIES, GEAR_FLAG + N_ABILITIES + 10)
)
N_PARAMS = TEMPERATURE + 1

# ---------------------------------------------------------------- sizes
MAX_REACH = 15  # larger sets are as good as this
NEVER = 1000  # a need that no hand meets
FADE_ACTIONS = 6.0  # own actions to come below which a hand and a place lose worth

_runs = (MAX_RUNS,)
_reach = (MAX_NODES, MAX_REACH + 1)
PLAN = np.dtype(
    [
        ("stamp", np.int64),  # number of the question: what carries another one is stale
        ("seat", np.int64),
        # own actions to come, now
        ("today", np.int64),
        ("later", np.int64),  # on the days to come
        ("fade", np.float64),
        # the own hand, with the cards of a set in the making
        ("hand", np.int64, (TYPES,)),
        ("count", np.int64, (KEYS,)),  # cards of each key, Yetis not counted
        ("yetis", np.int64),
        ("cards", np.int64),
        ("ramp", np.int64),  # 1: a Ramp pair may be played
        # a hand in thought
        ("rest", np.int64, (TYPES,)),
        ("rest_count", np.int64, (KEYS,)),
        ("rest_yetis", np.int64),
        ("rest_cards", np.int64),
        # the last hand measured
        ("best", np.int64),
        ("best_key", np.int64),
        ("style", np.int64),
        ("style_key", np.int64),
        ("second", np.int64),
        ("second_key", np.int64),
        # cards that may come from the deck
        ("gain_stamp", np.int64),
        ("gain", np.float64, (TYPES,)),  # what one more card of a type is worth
        ("deck_gain", np.float64),  # mean over what the seat has not seen
        # runs
        ("run_stamp", np.int64, _runs),
        ("need", np.int64, _runs),
        ("claim_need", np.int64, _runs),
        ("claim_value", np.float64, _runs),
        ("run_gain", np.float64, _runs),  # skied and not claimed
        ("award_stamp", np.int64, (DIFFICULTIES, MAX_SEATS + 1)),
        ("award_gain", np.float64, (DIFFICULTIES, MAX_SEATS + 1)),
        ("table_stamp", np.int64),
        ("leader", np.int64),  # the rival with the best score, -1 if the seat leads
        ("depth_sum", np.int64),
        ("depth_n", np.int64),
        # places by node and size of the largest set
        ("place_stamp", np.int64, _reach),
        ("here", np.float64, _reach),  # features that fade, of runs from here
        ("above", np.float64, _reach),  # of runs one lift away
        ("gain_here", np.float64, _reach),
        ("gain_above", np.float64, _reach),
        # an avalanche set off now, the Yeti moved now
        ("slide_stamp", np.int64),
        ("slide_value", np.float64),
        ("yeti_stamp", np.int64),
        ("yeti_value", np.float64),
        # the set for the run being skied
        ("target_turn", np.int64),
        ("target_stage", np.int64),
        ("target_seat", np.int64),
        ("target_run", np.int64),
        ("target_actions", np.int64),
        ("target_for", np.int64),  # key that was asked for, -1 any
        ("target_key", np.int64),
        ("target_pair1", np.int64),
        ("target_pair2", np.int64),
        ("target", np.int64, (TYPES,)),  # single cards
        ("pair1", np.int64),
        ("pair2", np.int64),
        # the evening
        ("net", np.float64, (8,)),  # worth of the visit at each position
    ],
    align=True,
)
