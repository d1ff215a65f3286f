r"""State and rules of Pistengaudi as data: dtypes, sizes, codes. No behaviour.

All seats are 0-based and -1 means none. A *cell* is a place of the table as one whole number:
``cell = (x + ORIGIN) * STRIDE + y + 1`` for the column x (0 is the lift's, left is negative) and the
row y (0 is the lift's lower half, downhill is positive). So a step left is ``cell - STRIDE``, right
``cell + STRIDE``, down ``cell + 1``, up ``cell - 1``.

          x = -1   0   1
    y = -1       lift            H = slope.cards x slope.cells_per_card
    y = 0    .  START  .
    y = 1    .    .    .         rock and bare table are FREE, a slope card on its forest
      ...                        side is a WALL
    y = H    .    .    .
    y = H+1  .  GOAL   .
    y = H+2  .  GOAL   .         EDGE beyond

The window is as wide as the widest table (``board.half_width`` at most HALF_WIDTH) and as deep as the
deepest (``board.lower_limit = "none"``: row DEEPEST), with a border of EDGE cells around it: nothing
can leave it, so it changes no result. Within the first 42 cards no card can touch its sides, as
each new card borders a space in play (spec 2.2).
"""

from __future__ import annotations

import numpy as np

from simulate.events import EVENT as EVENT
from simulate.feed import feed_dtype
from simulate.records import CORE_GAME, CORE_SEAT, Column, blank_state, row_dtype
from simulate.rng import FIRST_GAME_PURPOSE

# ---------------------------------------------------------------- sizes (fixed maxima of the arrays)
MAX_SEATS = 6
HALF_WIDTH = 42
DEEPEST = 84
ORIGIN = HALF_WIDTH + 1
N_COLUMNS = 2 * ORIGIN + 1
STRIDE = DEEPEST + 3  # rows -1 … DEEPEST + 1
N_CELLS = N_COLUMNS * STRIDE
START_CELL = ORIGIN * STRIDE + 1
MASK_ROWS = 62  # rows of a column that one whole number holds as bits, row 0 the lowest
MAX_CARDS = 84
MAX_TYPES = 64
MAX_HAND = 4
MAX_SLOPE_CARDS = 6
MAX_SIGN = 6  # steps that a sign can stand for
MAX_AREAS = 9
MAX_ROUNDS = 200
ROUNDS_KEPT = 48  # rounds of which the progress is kept in the record
# Each space in play has at most 4 neighbours, each of them in 2 pairs; 2 ways up, MAX_HAND cards.
MAX_SPACES = 2 * MAX_CARDS + 1
MAX_OPTIONS = MAX_SPACES * 8 * 2 * MAX_HAND
MAX_OUTCOMES = 2 * MAX_SPACES + MAX_AREAS + 1
MAX_LANDINGS = 3 * MAX_SPACES + 3
TALLY_HALF = 20  # tallies by cell: columns beyond are counted in the outermost
TALLY_ROWS = 16
TALLY_CELLS = (2 * TALLY_HALF + 1) * TALLY_ROWS
TALLY_ROUNDS = 64
PHASE_ROUNDS, N_PHASES = 3, 4  # falls are counted by rounds 1-3, 4-6, 7-9, later

# ---------------------------------------------------------------- what a cell holds (spec 2.3)
FREE = 0  # rock or bare table: not rideable, may be built on
P1, P2, P3 = 1, 2, 3
H1, H3 = 4, 6
G1, G3 = 7, 9
S1, S3 = 10, 12
LAST_SIGNED = 12
J, F = 13, 14
START, GOAL, WALL, EDGE = 15, 16, 17, 18
N_KINDS = 15  # kinds that a card can show, FREE included

# ---------------------------------------------------------------- directions
NO_SIDE, LEFT, RIGHT = 0, 1, 2
N_TRAILS = 3  # ways out that are known of each figure: nearest, far left, far right
N_SIDES = 3
DOWN = 0  # as a step; 1 and 2 are LEFT and RIGHT
UP = 3

# ---------------------------------------------------------------- streams: index in state["streams"]
PURPOSE_DECK = FIRST_GAME_PURPOSE
PURPOSE_COINS = FIRST_GAME_PURPOSE + 1
PURPOSE_SIGNS = FIRST_GAME_PURPOSE + 2
STREAM_DECK = 0
STREAM_COINS = 1  # + seat: an experiment's coins
STREAM_SIGNS = STREAM_COINS + MAX_SEATS  # + seat: an experiment's signs
N_STREAMS = STREAM_SIGNS + MAX_SEATS

# ---------------------------------------------------------------- questions (spec section 4)
# The action codes of each question stand behind it; rising codes are the canonical order.
(
    ASK_EMPTY,  # 0 forgo, 1 + upper cell of the card taken
    ASK_PLACE,  # (upper cell * MAX_HAND + place in the hand) * 2 + (0 as written, 1 turned)
    ASK_MOVE,  # cell to stop, N_CELLS + cell to fall, 2 * N_CELLS + area of the goal
    ASK_SNOW,  # 0 pass, 1 + seat
    ASK_GROOM,  # 0 pass, 1 + seat * 4 + way (up, left, right, down)
) = range(5)
NO_QUESTION = -1
N_QUESTIONS = 5
OUTCOME_STOP, OUTCOME_FALL, OUTCOME_GOAL = 0, 1, 2

# ---------------------------------------------------------------- what an experiment forces or grants
# One record a seat, all zero = nothing (spec section 9).
TREATMENT = np.dtype(
    [
        ("step_down_round", np.int64),  # at the start of this round it is moved down, if it can be
        ("mute_throws", np.int64),  # per cent of its throws without effect
        ("mute_groomer", np.int64),  # per cent of its groomer moves without effect
        ("soft_falls", np.int64),  # per cent of its falls after which it does not lie
        ("random_signs", np.int64),  # 1: where it lands first, the sign is drawn anew
        ("no_take", np.int64),  # 1: with an empty stack it forgoes if it may
        ("no_forgo", np.int64),  # 1: with an empty stack it takes a card if it can
        ("deck_shift", np.int64),  # != 0: another shuffle (the stream of block + shift * 2**32)
        ("policy_shift", np.int64),  # table: != 0: other coins of all strategies
    ],
    align=True,
)

# ---------------------------------------------------------------- the rules record
# Filled by schema.py from rules.toml and components/*.toml; a row of an array is one rules variant.
_SWITCHES = (
    # (table.key in [rules], values in the order of their codes; the first is the default)
    ("move.full_path", ("mandatory", "free_fall")),
    ("move.reversal", ("until_down", "turn")),
    ("move.fall_choice", ("dead_end", "longest")),
    ("move.no_step", ("fall", "stay")),
    ("jump.turn", ("straight", "free")),
    ("effects.on_stand_up", ("false", "true")),
    ("snowball.optional", ("false", "true")),
    ("snowball.fallen_target", ("false", "true")),  # default true
    ("snowball.goal_target", ("false", "true")),
    ("snowball.self_target", ("false", "true")),
    ("groomer.optional", ("false", "true")),
    ("groomer.self_target", ("false", "true")),
    ("forest.scope", ("forest_cards", "all_cards")),
    ("forest.way_out", ("goal", "local")),
    ("forest.cause", ("card", "space")),
    ("placement.anchor", ("any", "rideable")),
    ("empty.forgo", ("route_ready", "free")),
    ("empty.occupied", ("skip", "block")),
)
SWITCHES: dict[str, tuple[str, ...]] = dict(_SWITCHES)

# The same for keys outside [rules] that are a choice of words.
_CHOICES = (
    ("draw.reveal", ("both_first", "one_by_one")),
    ("draw.unplaceable", ("under_stack", "out_of_game")),
    ("goal.side_entry", ("both", "upper", "both_deep")),
    ("goal.overrun", ("forced", "choice")),
    ("lift.reenter", ("false", "true")),  # default true
)
CHOICES: dict[str, tuple[str, ...]] = dict(_CHOICES)
(SIDE_BOTH, SIDE_UPPER, SIDE_BOTH_DEEP) = range(3)


def field_of(key: str) -> str:
    """Name of the RULES field of a switch or choice: ``move.full_path`` is ``move_full_path``."""
    return key.replace(".", "_")


RULES = np.dtype(
    [
        ("layout", np.int64),  # index into the run's list of layouts (words only)
        ("deck", np.int64),  # index into the vocabulary of decks
        ("n_cards", np.int64),
        ("card_first", np.int64, (MAX_CARDS,)),  # kinds of the halves, as written
        ("card_second", np.int64, (MAX_CARDS,)),
        ("card_type", np.int64, (MAX_CARDS,)),  # number of its type in the vocabulary card_types
        ("per_turn", np.int64, (MAX_SEATS + 1,)),  # cards of a turn by number of players
        ("steps", np.int64, (4,)),  # steps of sign 0 (the lift), 1, 2, 3
        ("exits", np.int64, (3,)),  # arrows down, left, right: 1 if there
        ("height", np.int64),  # H, the last row of the slope cards
        ("half_width", np.int64),
        ("last_row", np.int64),  # lowest row of the table
        ("wall", np.int64, (STRIDE,)),  # 1: column 0 of that row shows forest and is never covered
        ("forest_cards", np.int64, (MAX_SLOPE_CARDS + 1,)),  # 1: slope card k lies forest side up
        ("slope_cards", np.int64),
        ("areas", np.int64),
        ("max_rounds", np.int64),
        ("seconds_per_turn", np.float64),  # for est_minutes only
        *[(field_of(key), np.int64) for key in (*SWITCHES, *CHOICES)],
    ],
    align=True,
)


# ---------------------------------------------------------------- records (spec section 8)
def _c(name, dtype, meaning, unit="", **more):
    return Column(name, dtype, meaning, unit, **more)


_i8, _i16, _i32, _f32, _bool = np.int8, np.int16, np.int32, np.float32, np.bool_

GAME_COLUMNS: tuple[Column, ...] = (
    _c("layout", _i16, "forest set-up", words="layouts"),
    _c("deck", _i16, "deck", words="decks"),
    _c("result", _i16, "how the game ended", words="results"),
    _c("winner_seat", _i16, "seat that won", null=True),
    _c("winner_area", _i16, "goal area of the winner, 0 without one"),
    _c("winner_reversed", _i16, "seat that wins if the later arrival breaks ties", null=True),
    _c("trigger_seat", _i16, "first seat to enter the goal", null=True),
    _c("trigger_area", _i16, "goal area of the first to enter, 0 without one"),
    _c("n_in_goal", _i16, "figures in the goal at the end", "figures"),
    _c("tie_broken", _bool, "the order of arrival decided the win"),
    _c("overtaken_in_final", _bool, "the winner is not the first to enter"),
    _c("stack_empty_turn", _i16, "first turn that met an empty stack", "turn", null=True),
    _c("cards_left", _i16, "cards in the stack at the end", "cards"),
    _c("cards_on_slope", _i16, "piste cards on the slope at the end", "cards"),
    _c("cards_unplaced", _i16, "times that a card drawn had no legal place", "cards"),
    _c("cards_taken", _i16, "cards taken from the slope", "cards"),
    _c("cards_returned", _i16, "of these put back for want of a legal place", "cards"),
    _c("forgone", _i16, "times that taking a card was forgone, forced ones too"),
    _c("width_left", _i16, "columns built left of the lift", "columns"),
    _c("width_right", _i16, "columns built right of the lift", "columns"),
    _c("lowest_row_built", _i16, "lowest row with a piste space", "row"),
    _c("forest_on_slope", _i16, "forest spaces on the slope at the end", "cells"),
    _c("jumps_on_slope", _i16, "ski jumps on the slope at the end", "cells"),
    _c("holes_unfillable", _i16, "free cells without a free cell above or below", "cells"),
    _c("cards_never_ridden", _i16, "cards on the slope at the end that no figure rode over since "
       "they lie there", "cards"),
    _c("spaces_never_landed_on", _i16, "spaces to rest on, on the slope at the end, where no move "
       "has ended", "cells"),
    _c("forest_veto", _i32, "placements struck out by the forest rule", "placements"),
    _c("falls", _i16, "falls while riding"),
    _c("falls_zero", _i16, "of these without a step"),
    _c("standups", _i16, "turns spent standing up", "turns"),
    _c("snowballs", _i16, "snowballs thrown"),
    _c("snow_wasted", _i16, "of these at figures that lay already or were in the goal"),
    _c("groom_up", _i16, "groomer moves uphill"),
    _c("groom_side", _i16, "groomer moves sideways"),
    _c("groom_down", _i16, "groomer moves downhill"),
    _c("groom_none", _i16, "groomer turns without a figure to move"),
    _c("hut_stops", _i16, "moves ended by a hut"),
    _c("jumps_flown", _i16, "ski jumps flown over"),
    _c("stranded_events", _i16, "times that a figure lost its way out"),
    _c("stranded_end", _i16, "figures without a way out at the end", "figures"),
    _c("lead_changes", _i16, "changes of the sole leader at round ends"),
    _c("leader_round3", _i16, "sole leader after round 3", null=True),
    _c("leader_half", _i16, "sole leader after round floor(rounds/2)", null=True),
    _c("leader_last", _i16, "sole leader after the last round", null=True),
    _c("gap_trigger", _i16, "lead of the first to enter, just before; 0 if behind", "rows",
       null=True),
    _c("deficit_trigger", _i16, "the same as arrears; 0 if ahead", "rows", null=True),
    _c("spread_mean", _f32, "mean over rounds of best minus worst progress", "rows"),
    _c("dec_place", _i16, "placements asked", "questions"),
    _c("dec_move", _i16, "moves asked", "questions"),
    _c("dec_snow", _i16, "snowball targets asked", "questions"),
    _c("dec_groom", _i16, "groomer moves asked", "questions"),
    _c("dec_empty", _i16, "choices with an empty stack asked", "questions"),
    _c("opt_place", _i32, "options of placements asked", "options"),
    _c("opt_move", _i32, "options of moves asked", "options"),
    _c("opt_snow", _i32, "options of snowball targets asked", "options"),
    _c("opt_groom", _i32, "options of groomer moves asked", "options"),
    _c("opt_empty", _i32, "options with an empty stack asked", "options"),
    _c("est_minutes", _f32, "turns x report.seconds_per_turn (assumed)", "min"),
)  # fmt: skip

SEAT_COLUMNS: tuple[Column, ...] = (
    _c("won", _bool, "won the game"),
    _c("goal_area", _i16, "goal area at the end, 0 outside the goal"),
    _c("arrival", _i16, "order of arrival in the goal, 1 = first", null=True),
    _c("goal_round", _i16, "round of entering the goal", "rounds", null=True),
    _c("final_row", _i16, "row of the figure at the end, in the goal the goal's upper row", "row"),
    _c("own_turns", _i16, "turns taken", "turns"),
    _c("turns_moved", _i16, "turns with a move", "turns"),
    _c("turns_stood_up", _i16, "turns spent standing up", "turns"),
    _c("steps", _i16, "steps ridden, without those inside the goal", "steps"),
    _c("rows_gained", _i16, "rows ridden down, without the groomer", "rows"),
    _c("side_steps", _i16, "steps ridden sideways", "steps"),
    _c("starts_blue", _i16, "moves begun on a blue sign", "moves"),
    _c("starts_red", _i16, "moves begun on a red sign", "moves"),
    _c("starts_black", _i16, "moves begun on a black sign", "moves"),
    _c("starts_lift", _i16, "moves begun on the lift", "moves"),
    _c("falls", _i16, "own falls while riding"),
    _c("falls_zero", _i16, "of these without a step"),
    _c("falls_spared", _i16, "falls after which an experiment kept the figure upright"),
    _c("falls_phase", _i8, "own falls in rounds 1-3, 4-6, 7-9, later", array=N_PHASES,
       array_name="part of the game"),
    _c("falls_spared_phase", _i8, "of these spared by an experiment", array=N_PHASES,
       array_name="part of the game"),
    _c("hut_stops", _i16, "own moves ended by a hut"),
    _c("jumps_flown", _i16, "ski jumps flown over"),
    _c("snow_thrown", _i16, "snowballs thrown"),
    _c("snow_on_leader", _i16, "of these at the sole leader"),
    _c("snow_on_next", _i16, "of these at the next seat"),
    _c("snow_on_attacker", _i16, "of these at the seat that last hit or moved this one"),
    _c("snow_wasted", _i16, "of these at figures that lay already or were in the goal"),
    _c("snow_muted", _i16, "of these without effect by an experiment"),
    _c("snow_received", _i16, "snowballs received"),
    _c("groom_used", _i16, "groomer moves made"),
    _c("groom_none", _i16, "groomer turns without a figure to move"),
    _c("groom_given_up", _i16, "groomer moves made, uphill"),
    _c("groom_given_side", _i16, "groomer moves made, sideways"),
    _c("groom_given_down", _i16, "groomer moves made, downhill"),
    _c("groom_muted_up", _i16, "uphill moves without effect by an experiment"),
    _c("groom_muted_side", _i16, "sideways moves without effect by an experiment"),
    _c("groom_muted_down", _i16, "downhill moves without effect by an experiment"),
    _c("groom_received_up", _i16, "times moved uphill by a groomer"),
    _c("groom_received_side", _i16, "times moved sideways by a groomer"),
    _c("groom_received_down", _i16, "times moved downhill by a groomer"),
    _c("placed_F", _i16, "cards placed with forest", "cards"),
    _c("placed_J", _i16, "cards placed with a ski jump", "cards"),
    _c("placed_S", _i16, "cards placed with a snowball", "cards"),
    _c("placed_G", _i16, "cards placed with a groomer", "cards"),
    _c("placed_H", _i16, "cards placed with a hut", "cards"),
    _c("placed_plain2", _i16, "cards placed with two plain spaces", "cards"),
    _c("drawn_types", _i8, "cards drawn by type (vocabulary card_types)", "cards",
       array=MAX_TYPES, array_name="card type"),
    _c("own_cells_ridden", _i16, "steps onto spaces of cards placed by this seat", "steps"),
    _c("own_cells_ridden_by_others", _i16, "steps of others onto such spaces", "steps"),
    _c("others_cells_ridden", _i16, "steps onto spaces placed by others", "steps"),
    _c("taken", _i16, "cards taken from the slope", "cards"),
    _c("forgone", _i16, "times that taking a card was forgone, forced ones too"),
    _c("unplaced", _i16, "times that a card drawn had no legal place", "cards"),
    _c("progress_round", _i16, "row after each round, in the goal the last row of the slope + area",
       "rows", null=True, array=ROUNDS_KEPT, array_name="round, from the first"),
    _c("rounds_led", _i16, "round ends as the sole leader", "rounds"),
    _c("worst_rank_half", _f32, "worst place at a round end up to half of the game", null=True),
    _c("rank_half", _f32, "place after round floor(rounds/2)", null=True),
    _c("eta_round3", _f32, "turns to the goal as foreseen after round 3", "turns", null=True),
    _c("eta_round6", _f32, "turns to the goal as foreseen after round 6", "turns", null=True),
    _c("stranded_turns", _i16, "own turns begun without a way out", "turns"),
    _c("redrawn_signs", _i16, "signs drawn anew by an experiment", array=3, array_name="sign"),
    _c("stepped_down", _i16, "1 if an experiment moved the figure down a row"),
    _c("seat_asked", _i32, "questions asked of this seat", "questions"),
    _c("seat_forced", _i32, "decisions of this seat with one option, which it is not asked", "decisions"),
    _c("think_options", _i32, "options over the questions asked", "options"),
)  # fmt: skip

GAME_ROW = row_dtype(CORE_GAME, GAME_COLUMNS)
SEAT_ROW = row_dtype(CORE_SEAT, SEAT_COLUMNS)

# ---------------------------------------------------------------- tallies: sums over the games of a shard
# Cells: index (x + TALLY_HALF) * TALLY_ROWS + y, columns and rows beyond in the outermost. Rounds:
# index round - 1, later ones in the last.
TALLY = np.dtype(
    [
        ("visits", np.int64, (TALLY_CELLS,)),  # steps that landed on the cell
        ("landings", np.int64, (TALLY_CELLS,)),  # moves that ended on the cell
        ("builds", np.int64, (TALLY_CELLS,)),  # halves of cards placed on the cell
        ("falls", np.int64, (TALLY_CELLS,)),  # falls on the cell
        ("stands", np.int64, (TALLY_CELLS,)),  # figures on the cell at a round end
        ("vetoes", np.int64, (TALLY_ROUNDS,)),  # placements struck out by the forest rule
        ("forest_cards", np.int64, (TALLY_ROUNDS,)),  # cards with forest placed
        ("sole_lead", np.int64, (TALLY_ROUNDS,)),  # games with a sole leader after the round
        ("sole_lead_won", np.int64, (TALLY_ROUNDS,)),  # of these won by it
        ("etas_asked", np.int64, (1,)),  # times that a strategy wanted turns to the goal foreseen
        ("etas_known", np.int64, (1,)),  # of these known from before
        ("moves_asked", np.int64, (1,)),  # times that one wanted to know how a move can end
        ("moves_known", np.int64, (1,)),  # of these known from before
    ],
    align=True,
)

# ---------------------------------------------------------------- program counter of the engine
# Where ``advance`` goes on. Questions are asked from the states marked ?.
(
    PC_ROUND,  # a round begins; a blank state stands there
    PC_TURN,  # the turn of state["seat"] begins
    PC_DRAW,  # cards come into the hand
    PC_PLACE,  # ? a card of the hand is placed
    PC_SLOT,  # the hand is empty: open card slots
    PC_EMPTY,  # ? an open slot meets an empty stack
    PC_CARDS_END,  # the card action is over
    PC_MOVE,  # ? ride or stand up
    PC_EFFECT,  # ? the effect of the end space
    PC_TURN_END,
    PC_OVER,
) = range(11)

# what the engine is to play before it stops (scripted positions stop earlier)
RUN_GAME, RUN_TURN, RUN_CARDS, RUN_RIDE = 0, 1, 2, 3

RESULT_FINISHED, RESULT_CAPPED, RESULT_CAPPED_BOTTOM = 0, 1, 2

_per_seat = (MAX_SEATS,)
STATE = np.dtype(
    [
        ("streams", np.uint64, (N_STREAMS,)),
        ("turn", np.int64),  # turns begun in the game
        ("round", np.int64),  # 1-based, 0 before the first
        ("phase", np.int64),  # the question asked now (ASK_*), NO_QUESTION
        ("to_move", np.int64),  # who answers it: a seat, -1 when over
        ("n_seats", np.int64),
        ("over", np.int64),
        ("pc", np.int64),
        ("run", np.int64),
        ("asked", np.int64),
        ("forced", np.int64),
        ("n_events", np.int64),
        ("event_overflow", np.int64),
        ("truncated", np.int64),
        ("result", np.int64),
        ("winner", np.int64),
        ("treatment", TREATMENT, _per_seat),
        ("side", np.int64, _per_seat),  # owner: the seat itself
        # the turn
        ("seat", np.int64),  # whose turn it is
        ("final", np.int64),  # 1: a figure has entered the goal
        ("first_done", np.int64),  # 1: the first piste card of the game is placed
        ("slots", np.int64),  # card slots of the turn still open
        ("hand", np.int64, (MAX_HAND,)),  # cards drawn and not yet placed
        ("n_hand", np.int64),
        ("aside", np.int64, (MAX_HAND,)),  # cards set aside as unplaceable this turn
        ("n_aside", np.int64),
        ("lifted_cell", np.int64),  # upper cell that the card in the hand was taken from, -1 none
        ("lifted_turned", np.int64),
        # the stack: a ring, top card first
        ("stack", np.int64, (MAX_CARDS,)),
        ("stack_top", np.int64),
        ("n_stack", np.int64),
        # cards
        ("n_cards", np.int64),
        ("first", np.int64, (MAX_CARDS,)),  # kinds of the halves, as written
        ("second", np.int64, (MAX_CARDS,)),
        ("card_cell", np.int64, (MAX_CARDS,)),  # upper cell on the slope, -1 elsewhere
        ("turned", np.int64, (MAX_CARDS,)),  # 1: the second half is up
        ("placed_by", np.int64, (MAX_CARDS,)),  # seat that placed it last, -1 nobody
        ("card_ridden", np.int8, (MAX_CARDS,)),  # 1: somebody rode over it since it lies there
        ("n_slope", np.int64),  # cards on the slope
        # the slope
        ("kind", np.int8, (N_CELLS,)),  # what a cell holds
        ("card", np.int8, (N_CELLS,)),  # the card here, or the last one; -1 none
        ("ridden", np.int8, (N_CELLS,)),  # 1: somebody has landed there
        # the same by column, one bit a row, as far down as MASK_ROWS
        ("free", np.int64, (N_COLUMNS,)),  # FREE cells
        ("open", np.int64, (N_COLUMNS,)),  # spaces that can be ridden
        ("jump", np.int64, (N_COLUMNS,)),  # ski jumps
        ("play", np.int64, (N_COLUMNS,)),  # spaces in play, that a card may border
        ("tops", np.int64, (N_COLUMNS,)),  # upper cells of cards
        ("left_end", np.int64),  # columns and rows built, the start cell included
        ("right_end", np.int64),
        ("bottom", np.int64),
        # figures
        ("cell", np.int64, _per_seat),  # in the goal: the last cell before it
        ("area", np.int64, _per_seat),  # 0 outside the goal
        ("arrival", np.int64, _per_seat),  # -1 outside the goal
        ("arrivals", np.int64),  # figures that have arrived
        ("lying", np.int64, _per_seat),
        # records in the making
        ("stranded", np.int64, _per_seat),
        ("attacker", np.int64, _per_seat),  # who last hit or moved it, -1 nobody
        ("progress", np.int16, (MAX_ROUNDS, MAX_SEATS)),  # after each round
        ("sole_leader", np.int16, (MAX_ROUNDS,)),  # after each round, -1 shared
        ("last_leader", np.int64),
        ("spread_sum", np.int64),
        ("vetoed", np.int64),  # placements struck out of the list asked now
        ("game_rows", GAME_ROW, (1,)),  # one, as an array so that it can be copied whole
        ("seat_rows", SEAT_ROW, _per_seat),
        ("tally", TALLY),
    ],
    align=True,
)

# the fields that hold -1 before a game; all others hold 0, but for those that setup writes
_NONE = (
    "phase", "to_move", "winner", "lifted_cell", "hand", "aside", "stack", "card_cell",
    "placed_by", "card", "arrival", "attacker", "sole_leader", "last_leader",
)  # fmt: skip
BLANK = blank_state(STATE, _NONE, GAME_COLUMNS, SEAT_COLUMNS)
BLANK["kind"] = EDGE

# ---------------------------------------------------------------- scripted outcomes of chance
MAX_FEED = 256
FEED = feed_dtype(MAX_FEED)

# ---------------------------------------------------------------- scratch of one thread
MAX_JUMPS = 3 * MAX_SPACES  # states of a flight: a ski jump and the last side
WORK = np.dtype(
    [
        ("feed", FEED),
        ("n_options", np.int64),
        ("options", np.int64, (MAX_OPTIONS,)),
        ("vetoed", np.int64),  # placements that the forest rule struck out of the list
        ("needs", np.int64, (MAX_HAND,)),  # what each card of the hand needs to be offered
        # the search of PG-MOVE-07: landings by depth, then what came of it
        ("land_cell", np.int64, (MAX_SIGN, MAX_LANDINGS)),
        ("land_side", np.int64, (MAX_SIGN, MAX_LANDINGS)),
        ("land_way", np.int64, (MAX_SIGN, MAX_LANDINGS)),  # last move: down, left, right
        ("land_area", np.int64, (MAX_SIGN, MAX_LANDINGS)),  # 0 outside the goal
        ("land_flown", np.int64, (MAX_SIGN, MAX_LANDINGS)),
        ("node_n", np.int64, (MAX_SIGN,)),  # landings of a depth, and the next to try
        ("node_at", np.int64, (MAX_SIGN,)),
        ("seen", np.int64, (MAX_SIGN, N_CELLS * N_SIDES)),  # stamps: depth; cell and side
        ("stamp", np.int64),
        ("jump_cell", np.int64, (MAX_JUMPS + 1,)),  # a flight over turning jumps
        ("jump_side", np.int64, (MAX_JUMPS + 1,)),
        ("jump_way", np.int64, (MAX_JUMPS + 1,)),
        ("jump_seen", np.int64, (N_CELLS * N_SIDES,)),
        ("jump_stamp", np.int64),
        ("n_outcomes", np.int64),
        ("out_code", np.int64, (MAX_OUTCOMES,)),
        ("out_steps", np.int64, (MAX_OUTCOMES,)),  # landings on the way, the last one included
        ("out_cell", np.int64, (MAX_OUTCOMES, MAX_SIGN)),
        ("out_way", np.int64, (MAX_OUTCOMES, MAX_SIGN)),
        ("out_flown", np.int64, (MAX_OUTCOMES, MAX_SIGN)),
        ("out_order", np.int64, (MAX_OUTCOMES,)),  # places of the table by rising codes
        # the way out (PG-FOREST-04)
        ("grid", np.int64, (N_COLUMNS,)),  # by column: cells that a way out may run over
        ("fly", np.int64, (N_COLUMNS,)),  # ski jumps that are flown over straight
        ("way", np.int64, (N_COLUMNS,)),  # cells of the grid with a way out, and goal entries
        ("goal_open", np.int64),
        ("had_way", np.int64, _per_seat),
        ("had_goal", np.int64),
        ("trail", np.int64, (N_TRAILS, N_COLUMNS)),  # cells that known ways out run over
        # what is foreseen of a figure (ETA)
        ("eta_cell", np.int64, (MAX_SPACES + 1,)),
        ("eta_turns", np.int64, (MAX_SPACES + 1,)),
        ("eta_stamp", np.int64, (N_CELLS,)),
        ("eta_index", np.int64, (N_CELLS,)),
        ("eta_mark", np.int64),
    ],
    align=True,
)

# ---------------------------------------------------------------- events (replay and referee)
# One row an event; kinds and the meaning of a … f are told in words.py.
(
    EVENT_SETUP,  # seats, cards of a turn, cards of the deck
    EVENT_ROUND,  # round
    EVENT_TURN,  # seat, turn, highest row, cell, lying, cards in the stack
    EVENT_DRAW,  # seat, first, second, cards left in the stack
    EVENT_PLACE,  # seat, upper cell, up, down, highest row, options struck out by the forest rule
    EVENT_ASIDE,  # seat, first, second
    EVENT_UNDER,  # seat, first, second, 1 if out of the game
    EVENT_EMPTY,  # seat
    EVENT_FORGO,  # seat
    EVENT_TAKE,  # seat, upper cell, up, down
    EVENT_RETURN,  # seat, upper cell, up, down
    EVENT_MOVE,  # seat, steps, cell
    EVENT_STEP,  # seat, from, to, way, jumps flown over, area
    EVENT_STOP,  # seat, cell, steps, 1 by a hut, 2 for want of a step
    EVENT_FALL,  # seat, cell, steps, 1 if an experiment kept it upright
    EVENT_GOAL,  # seat, area, arrival
    EVENT_FINAL,  # seat
    EVENT_STAND,  # seat, cell
    EVENT_SNOW,  # seat, target, cell, how the target was (0 upright, 1 lying, 2 in the goal), muted
    EVENT_GROOM,  # seat, target, from, to, way, muted
    EVENT_NOBODY,  # seat, question
    EVENT_PASS,  # seat, question
    EVENT_TURN_END,  # seat, highest row, cell, area, lying, state hash
    EVENT_ROUND_END,  # round, sole leader
    EVENT_OVER,  # winner, result, area
    EVENT_STEP_DOWN,  # seat, from, to
    EVENT_SIGN,  # seat, cell, kind before, kind after
    EVENT_RANK,  # seat, twice its place (equal ones share the mean), area, cell
) = range(28)
