"""Scratch of a strategy that looks ahead: one PLAN record a batch. No behaviour.

What a move from a space can come to is kept in *rows*, a slot for each space. A slot has two rows:
one for the slope as it lies, kept from question to question, and one for the card that is tried just
now. Each row remembers which cells it has looked at, as a *trace* of TRACE_WORDS whole numbers: a
card that lies on none of them changes nothing in it.
"""

from __future__ import annotations

import numpy as np

from simulate.games.pistengaudi.state import (
    MAX_OPTIONS,
    MAX_OUTCOMES,
    MAX_SEATS,
    MAX_SPACES,
    N_CELLS,
)

# ---------------------------------------------------------------- parameters: index in a row
(
    GAIN, AREA, LIE, SPEED, ETA, EXITS, REACH, RISK, HOME, WAY, RACE, OPRISK, LEADRISK, SLOW,
    LEADLIE, LIES, LOSTWAY, THREAT, SHARE, SNOWOPT, GROOMOPT, LANDS, LANDG, MINE, DUMP, HOLE,
    FRONT, HITLEAD, HITUP, PUSH, FINAL, WAIT, FORGO, OLD,
) = range(34)  # fmt: skip
N_FEATURES = 34
P_TEMPERATURE = N_FEATURES
P_PATIENCE = N_FEATURES + 1
N_PARAMS = N_FEATURES + 2

# ---------------------------------------------------------------- sizes
MAX_SLOTS = 2 * MAX_SPACES + 46
NO_SLOT, SLOT_UP, SLOT_DOWN = 0, 1, 2  # the two cells of the card tried have slots of their own
FIRST_SLOT = 3
N_ROWS = 2 * MAX_SLOTS
# A trace: columns modulo 16, rows modulo 15, a bit each.
TRACE_WORDS = 4
TRACE_COLUMNS = 4  # of a word
TRACE_ROWS = 15
AS_IT_LIES = 1  # stamp of a valid row of the slope as it lies

_rows = (N_ROWS,)
_seats = (MAX_SEATS,)
PLAN = np.dtype(
    [
        # the slope that the rows belong to
        ("kind", np.int8, (N_CELLS,)),
        ("left", np.int64),
        ("right", np.int64),
        ("bottom", np.int64),
        # slots
        ("n_slots", np.int64),
        ("slot", np.int64, (N_CELLS,)),
        ("slot_cell", np.int64, (MAX_SLOTS,)),
        # stamps come from one counter, so that no two are alike
        ("count", np.int64),
        ("look", np.int64),  # stamp of the question
        ("mark", np.int64),  # stamp of the card tried
        # the card tried
        ("trying", np.int64),  # 1: a card is tried
        ("tried", np.int64),  # its upper cell
        ("tried_slot", np.int64, (2,)),  # slots that its cells had before
        ("touch", np.int64, (TRACE_WORDS,)),
        ("gentle", np.int64),  # 1: it can take nobody's way out
        # what a move can come to, by row
        ("stamp", np.int64, _rows),
        ("trace", np.int64, (N_ROWS, TRACE_WORDS)),
        ("n_out", np.int64, _rows),
        ("out", np.int64, (N_ROWS, MAX_OUTCOMES)),  # action codes of PG-D-MOVE
        ("n_full", np.int64, _rows),  # of these stops and goals
        # turns to the goal as foreseen
        ("eta_stamp", np.int64, _rows),
        ("eta_trace", np.int64, (N_ROWS, TRACE_WORDS)),
        ("eta", np.float64, _rows),
        # score of the own figure standing there
        ("place_stamp", np.int64, _rows),
        ("place", np.float64, _rows),
        ("way_stamp", np.int64, _rows),
        ("way", np.int64, _rows),
        # which sweep of ways out stands in WORK: stamp of the slope, highest row
        ("swept_mark", np.int64),
        ("swept_top", np.int64),
        # places reached, breadth-first: by steps within a move, by turns from move to move
        ("reach_cell", np.int64, (2, MAX_SPACES + 1)),
        ("reach_spent", np.int64, (2, MAX_SPACES + 1)),
        ("reach_index", np.int64, (2, N_CELLS)),
        ("reach_stamp", np.int64, (2, N_CELLS)),
        # what the seat sees before its answer
        ("seat", np.int64),
        ("foresees", np.int64),  # 1: some weight asks for a look ahead
        ("start_progress", np.int64),
        ("others_top", np.int64),  # highest row of the other figures
        ("leader", np.int64),
        ("upright", np.int64),  # 1: another figure outside the goal stands upright
        ("eta_before", np.float64, _seats),
        ("way_before", np.int64, _seats),
        ("equal", np.int64, (MAX_OPTIONS,)),  # best options
        # how often a look ahead was asked for, and how often it was known
        ("etas_asked", np.int64),
        ("etas_known", np.int64),
        ("moves_asked", np.int64),
        ("moves_known", np.int64),
    ],
    align=True,
)
