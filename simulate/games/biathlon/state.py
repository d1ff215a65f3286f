r"""State and rules of Ski Tour: Biathlon as data: dtypes, sizes, codes. No behaviour.

All seats and indices are 0-based here and -1 means none; the words (seat 1, column 1, …) come from
``words.py``. A *skier* is a seat: with two players each runs two of the four skiers.

Board index of a space: ``row`` 0 is the start, rows 1 … N the course, N + 1 the finish; ``lane``
0 … lanes - 1 from the left, 0 on the start, on a shooting space and at the finish. ``penalty`` k >= 1
is space k of the penalty lane of the range on ``row``; 0 is the course or the shooting space itself.

        start | row 1  row 2  row 3 | … | row r-1  S(r)  row r+1 … | row N | FINISH
               lane 0                                 \__ penalty 1..lap_length __/
               lane 1
"""

from __future__ import annotations

import numpy as np

from simulate.events import EVENT as EVENT
from simulate.feed import feed_dtype
from simulate.records import CORE_GAME, CORE_SEAT, Column, blank_state, row_dtype
from simulate.rng import FIRST_GAME_PURPOSE

# ---------------------------------------------------------------- sizes (fixed maxima of the arrays)
MAX_SEATS = 5
MAX_ROWS = 160  # course rows incl. start (0) and finish; the loader refuses a longer course
MAX_LANES = 3
COLUMNS = 4  # dice columns: one for each of the faces 1-4
TARGETS = 5  # stamina columns = targets
MAX_LEVELS = 5
MAX_NATIONS = 16
MAX_BOARDS = 8
MAX_TOKENS = 24  # token numbers 1 … 24
MAX_DEALT = 10  # tokens of a set
MAX_SLOTS = 8
MAX_BRANCHES = 2
MAX_ICONS = 4
MAX_RANGES = 8
MAX_DICE = 20
MAX_STEPS = 48  # longest move: every die counted, sprint counted again, plus wax
MAX_ROUTES = 65536  # the loader proves that no layout needs more (bounds.route_bound)
MAX_OPTIONS = MAX_ROUTES + 1
DIST_ROUNDS = 64  # rounds of which the distance left is kept in the record
MAX_COST = 23  # more than all stamina of a skier
SEEN_ENDS = 7  # a move has at most 1 + 4 sideways steps
N_COLOURS = 4  # shooting dice, best (green) to worst (blue)

# ---------------------------------------------------------------- spaces
PLAIN, FREE, UPHILL, DOWNHILL, WHITE, SHOOTING = 0, 1, 2, 3, 4, 5

# ---------------------------------------------------------------- skier status
RACING, HOME, OUT = 0, 1, 2

# ---------------------------------------------------------------- wax icons
ICON_SHOOT, ICON_SPRINT, ICON_FREE, ICON_ROLL1, ICON_ROLLALL, ICON_PLUS, ICON_MINUS, ICON_PAY = (
    1, 2, 3, 4, 5, 6, 7, 8,
)  # fmt: skip

# ---------------------------------------------------------------- streams: index in state["streams"]
PURPOSE_FIRST_MARKER = FIRST_GAME_PURPOSE
PURPOSE_NATIONS = FIRST_GAME_PURPOSE + 1
PURPOSE_WAX = FIRST_GAME_PURPOSE + 2
PURPOSE_DICE = FIRST_GAME_PURPOSE + 3
PURPOSE_SHOTS = FIRST_GAME_PURPOSE + 4
STREAM_FIRST_MARKER = 0
STREAM_NATIONS = 1
STREAM_SCRATCH = 2  # opened and used up on the spot
STREAM_DICE = 3  # + seat
STREAM_SHOTS = STREAM_DICE + MAX_SEATS  # + seat
N_STREAMS = STREAM_SHOTS + MAX_SEATS

# ---------------------------------------------------------------- questions (spec section 4)
# The action codes of each question stand behind it; rising codes are the canonical order.
(
    ASK_NATION,  # nation index
    ASK_WAXPICK,  # token number
    ASK_SIX,  # 0 sprint, 1-4 star box of that column
    ASK_WAX,  # 0 none, 1 left/a, 2 left/b, 3 right/a, 4 right/b, 5 printed
    ASK_DIE,  # 1-4 column, 5-8 star box, 9 sprint
    ASK_FREE,  # 1-4 column, 5 sprint
    ASK_SHOT,  # 1-5 target
    ASK_MAIN,  # 1-4 column
    ASK_SPECIAL,  # 0 include, 1 flip left, 2 flip right
    ASK_EXTRA,  # 0 stop, 1-4 column, 5 sprint
    ASK_PAY,  # 1-5 marker
    ASK_MOVE,  # index into the route table of WORK
    ASK_SLIDE,  # 0 stay, 1 + index into the route table of WORK
    ASK_DRAFT,  # 0 no, 1 yes (draft_extent "prefix": number of steps)
) = range(14)
NO_QUESTION = -1
N_QUESTIONS = 14

# ---------------------------------------------------------------- route steps, in canonical order
STEP_PENALTY = 0  # P
STEP_LANE = 1  # 1 … 5 : from start or shooting space into that lane (1-based)
STEP_FORWARD = 6  # F
STEP_DIAGONAL_LEFT = 7  # A
STEP_DIAGONAL_RIGHT = 8  # B
STEP_SIDE_LEFT = 9  # L
STEP_SIDE_RIGHT = 10  # R
STEP_LETTERS = "P12345FABLR"

# ---------------------------------------------------------------- what an experiment forces or grants
# One record a seat, all zero = nothing (spec section 9, "experiment hooks").
TREATMENT = np.dtype(
    [
        ("no_draft", np.int64),  # 1: is never asked to draft
        ("no_slide", np.int64),  # 1: may not slide
        ("no_sprint", np.int64),  # 1: may neither take the sprint column nor use a SPRINT branch
        ("sprint_always", np.int64),  # 1: in D-EXTRA of a move turn sprint is the only option
        ("sprint_when_followed", np.int64),  # 1: sprint is offered only with a follower behind
        ("free_entry", np.int64),  # 1: held spaces cost nothing
        ("stamina_delta", np.int64),  # start stamina in single steps, + or -
        ("hit_range", np.int64),  # 0 off, -1 every range, k the k-th: first miss becomes a hit
        ("token_block", np.int64),  # token number that may not be used, 0 none
        ("wax_from_round", np.int64),  # no token before this round, 0 off
        ("no_own_draft", np.int64),  # 1: never drafts on a skier of the same owner
        ("dice_shift", np.int64),  # != 0: other race dice (the stream of block + shift * 2**32)
        ("shot_shift", np.int64),  # != 0: other shooting dice
        ("rival_dice_shift", np.int64),  # != 0: the other skiers have other race dice
        ("rival_shot_shift", np.int64),  # != 0: the other skiers have other shooting dice
        ("setup_shift", np.int64),  # table: != 0: other First player marker, nations, wax dealt
        ("policy_shift", np.int64),  # table: != 0: other coins of all strategies
    ],
    align=True,
)

# ---------------------------------------------------------------- the rules record
# Filled by schema.py from rules.toml and components/*.toml; a row of an array is one rules variant.
_SWITCHES = (
    # (name, values in the order of their codes; the first is the default)
    ("marker_skips_inactive", ("false", "true")),
    ("blue_on_reroll", ("false", "true")),
    ("empty_extra", ("false", "true")),
    ("highest_by", ("row", "colour")),
    ("shoot_pay_pick", ("any_unshot", "highest_unshot")),
    ("entry_cost", ("per_space", "per_skeeple")),
    ("uphill_order", ("after_wax", "before_wax")),
    ("draft_from_shooting_space", ("false", "true")),  # default true
    ("draft_path", ("track", "copy")),
    ("draft_extent", ("all_or_nothing", "prefix")),
    ("draft_includes_slide", ("false", "true")),
    ("slide_after_draft", ("false", "true")),  # default true
    ("slide_repeat", ("false", "true")),
    ("shoot_round", ("next_own_turn", "next_round")),
    ("penalty_lane_free", ("false", "true")),  # default true
    ("wax_burn", ("false", "true")),
    ("reroll_target", ("last_shot", "any_shot_this_turn")),
    ("full_at_3_scope", ("star_only", "fives_too", "capacity")),
    ("race_end", ("all_home", "placements_known")),
    ("two_player_seating", ("blocks", "alternating")),
    ("two_player_end", ("first_skeeple", "both_skeeples")),
)
SWITCHES: dict[str, tuple[str, ...]] = dict(_SWITCHES)
(HIGHEST_BY_ROW, HIGHEST_BY_COLOUR) = range(2)
(SCOPE_STAR_ONLY, SCOPE_FIVES_TOO, SCOPE_CAPACITY) = range(3)
NATIONS_DRAWN, NATIONS_CHOSEN, NATIONS_FIXED = 0, 1, 2
LOADOUT_CHOSEN, LOADOUT_DRAWN, LOADOUT_FIXED = 0, 1, 2
UNLIMITED = 99  # sprint_cap = "none"

RULES = np.dtype(
    [
        ("layout", np.int64),  # index into the run's list of layouts (words only)
        ("race", np.int64),  # 0 short, 1 long, 2 short_top
        # dice
        ("race_dice", np.int64),
        ("race_faces", np.int64, (6,)),  # printed face of each side, 1-6
        ("shoot_sides", np.int64),
        ("shoot_hits", np.int64, (N_COLOURS,)),  # hit faces by colour rank, green first
        # player board
        ("column_cap", np.int64),
        ("star_cap", np.int64),
        ("sprint_cap", np.int64),  # UNLIMITED for none
        ("levels", np.int64),  # rows of a stamina column: levels-1 (top) … 0 (blue)
        ("start_level", np.int64),  # level of all markers at the start (race mode applied)
        ("shots", np.int64),
        ("misses_per_lap", np.int64),
        ("lap_length", np.int64),
        # course
        ("lanes", np.int64),
        ("rows", np.int64),  # N; the finish is row N + 1
        ("space", np.int64, (MAX_ROWS, MAX_LANES)),  # PLAIN … SHOOTING; row 0 PLAIN
        ("n_ranges", np.int64),
        ("range_row", np.int64, (MAX_RANGES,)),  # row of the k-th range
        ("range_of_row", np.int64, (MAX_ROWS,)),  # range index of a shooting row, else -1
        ("ranges_ahead", np.int64, (MAX_ROWS,)),  # ranges on rows > this row
        ("next_range", np.int64, (MAX_ROWS,)),  # first shooting row > this row, -1 none
        ("slide_steps", np.int64),
        ("slide_free", np.int64),
        ("uphill_loss", np.int64),
        # nations
        ("n_nations", np.int64),
        ("colour", np.int64, (MAX_NATIONS, TARGETS, MAX_LEVELS)),  # colour rank at a level
        ("full_at", np.int64, (MAX_NATIONS, COLUMNS)),
        ("special_column", np.int64, (MAX_NATIONS,)),  # 0-based, -1 none
        ("printed_shoot", np.int64, (MAX_NATIONS,)),  # 1: SHOOT printed on the board (Finland)
        ("board", np.int64, (MAX_NATIONS,)),  # board index of the nation
        ("nation_mode", np.int64),
        ("nation_usable", np.int64, (MAX_NATIONS,)),  # 1 if in nations.use
        ("nation_fixed", np.int64, (MAX_SEATS,)),
        # wax
        ("dealt", np.int64),
        ("slots", np.int64),
        ("wax_per_turn", np.int64),
        ("wax_set", np.int64, (MAX_BOARDS, MAX_DEALT)),  # token numbers, ascending, 0 padded
        ("branches", np.int64, (MAX_TOKENS + 1,)),  # number of branches of a token
        ("icons", np.int64, (MAX_TOKENS + 1, MAX_BRANCHES, MAX_ICONS + 1)),  # 0 behind the last
        ("loadout_mode", np.int64),
        ("loadout", np.int64, (MAX_SEATS, MAX_SLOTS)),  # token numbers in slots, fixed mode
        # game
        ("first_random", np.int64),  # 1 random first marker, 0 seat 1
        ("max_rounds", np.int64),
        ("min_per_turn", np.float64),  # for est_minutes only
        *[(name, np.int64) for name, _ in _SWITCHES],
    ],
    align=True,
)


# ---------------------------------------------------------------- records (spec section 8)
def _c(name, dtype, meaning, unit="", **more):
    return Column(name, dtype, meaning, unit, **more)


_i16, _i32, _f32, _bool = np.int16, np.int32, np.float32, np.bool_

GAME_COLUMNS: tuple[Column, ...] = (
    _c("players", _i16, "players (two players run two skiers each)", "players"),
    _c("race", _i16, "race mode", words="races"),
    _c("layout", _i16, "course", words="layouts"),
    _c("lanes", _i16, "lanes of the course", "lanes"),
    _c("first_seat", _i16, "seat with the First player marker in round 1"),
    _c("winner_seat", _i16, "seat of the first skier home", null=True),
    _c("winner_player", _i16, "player of the first skier home", null=True),
    _c("winner_nation", _i16, "nation of the first skier home", words="nations", null=True),
    _c("result", _i16, "how the game ended", words="results"),
    _c("rounds_win", _i16, "round of the first crossing", "rounds", null=True),
    _c("rounds_total", _i16, "last round", "rounds"),
    _c("est_minutes", _f32, "rounds x skiers x report.min_per_turn (assumed)", "min"),
    _c("gap12", _f32, "distance left of the second when the winner crosses", "steps", null=True),
    _c("gap1last", _f32, "distance left of the last when the winner crosses", "steps", null=True),
    _c("lead_changes", _i16, "changes of leader at round ends"),
    _c("leaders_distinct", _i16, "skiers that ever led at a round end", "skiers"),
    _c("last_lead_change_frac", _f32, "round of the last change / rounds_win", null=True),
    _c("comeback", _f32, "winner's greatest deficit at a round end", "steps", null=True),
    _c("decided_round", _i16, "first round after which the winner led to the end", null=True),
    _c(
        "spread_r5",
        _f32,
        "SD of distance left over racing skiers after round 5",
        "steps",
        null=True,
    ),
    _c("spread_r10", _f32, "the same after round 10", "steps", null=True),
    _c("spread_r15", _f32, "the same after round 15", "steps", null=True),
    _c("spread_r20", _f32, "the same after round 20", "steps", null=True),
    _c("drafts", _i16, "drafts made"),
    _c("draft_steps", _i16, "steps made by drafting", "steps"),
    _c("draft_refused", _i16, "drafts offered and refused"),
    _c("draft_unaffordable", _i16, "drafts not offered because the skier cannot pay"),
    _c("chains_max", _i16, "most followers that drafted in one leader turn", "skiers"),
    _c("slides", _i16, "slides made"),
    _c("slide_steps", _i16, "steps made by sliding", "steps"),
    _c("slide_free_passes", _i16, "held spaces entered free on slides"),
    _c("entries_paid", _i16, "stamina paid to enter held spaces", "stamina"),
    _c("collapses", _i16, "skiers that collapsed", "skiers"),
    _c("finishers", _i16, "skiers that crossed the line", "skiers"),
    _c("options_total", _i32, "options over all asked questions", "options"),
)

SEAT_COLUMNS: tuple[Column, ...] = (
    _c("player", _i16, "player who runs the skier, 0-based"),
    _c("nation", _i16, "nation", words="nations"),
    _c("loadout", _i16, "wax tokens in slots 1-6", array=MAX_SLOTS, array_name="slot"),
    _c("turn_index", _i16, "0 = first to act in round 1"),
    _c("status", _i16, "at the end", words="statuses"),
    _c("place", _i16, "place of crossing, 1 = winner", null=True),
    _c("win", _bool, "won the race"),
    _c("round_home", _i16, "round of crossing", "rounds", null=True),
    _c("round_out", _i16, "round of collapse", "rounds", null=True),
    _c("own_turns", _i16, "turns taken", "turns"),
    _c("move_turns", _i16, "turns with a move", "turns"),
    _c("shoot_turns", _i16, "turns at a shooting space", "turns"),
    _c("zero_turns", _i16, "turns with no step and no shot", "turns"),
    _c("dice_rolled", _i16, "dice rolled in preparation", "dice"),
    _c("dice_returned", _i16, "of these without a legal place", "dice"),
    _c("dice_blue_removed", _i16, "of these sent back by blue markers", "dice"),
    _c("fives_refused", _i16, "5s without a place in preparation", "dice"),
    _c("sixes_star", _i16, "6s placed in star boxes in preparation", "dice"),
    _c("sixes_sprint", _i16, "6s placed in sprint in preparation", "dice"),
    _c("sixes_returned", _i16, "6s without a place in preparation", "dice"),
    _c(
        "main_taken", _i16, "main columns taken by number of dice", array=6, array_name="dice in it"
    ),
    _c("full_taken", _i16, "full columns taken (main, extra or free)"),
    _c("six_counted", _i16, "star dice counted", "dice"),
    _c("six_lost", _i16, "star dice sent back uncounted", "dice"),
    _c("extra_paid", _i16, "additional columns paid for"),
    _c("extra_free", _i16, "additional columns taken free by wax"),
    _c("sprint_taken", _i16, "sprint columns taken"),
    _c("sprint_turns", _i16, "move turns that were sprint turns", "turns"),
    _c("steps_own", _i16, "steps in own moves on the course", "steps"),
    _c("steps_draft", _i16, "steps by drafting", "steps"),
    _c("steps_slide", _i16, "steps by sliding", "steps"),
    _c("steps_penalty", _i16, "steps in the penalty lane", "steps"),
    _c("steps_lost_S", _i16, "steps lost on entering a shooting space", "steps"),
    _c("steps_lost_finish", _i16, "steps lost on crossing the line", "steps"),
    _c("steps_lost_uphill", _i16, "steps lost to uphill", "steps"),
    _c("sideways", _i16, "sideways steps", "steps"),
    _c("diagonals", _i16, "diagonal steps", "steps"),
    _c("passes_made", _i16, "skiers passed"),
    _c("passes_suffered", _i16, "times passed"),
    _c("stam_paid_extra", _i16, "stamina paid for additional columns", "stamina"),
    _c("stam_paid_entry_own", _i16, "stamina paid to enter in own moves", "stamina"),
    _c("stam_paid_entry_draft", _i16, "stamina paid to enter while drafting", "stamina"),
    _c("stam_paid_slide", _i16, "stamina paid on slides", "stamina"),
    _c("stam_paid_wax", _i16, "stamina paid for wax", "stamina"),
    _c(
        "stam_at_range",
        _i16,
        "payable stamina on entering range k",
        "stamina",
        null=True,
        array=MAX_RANGES,
        array_name="range",
    ),
    _c(
        "aim_at_range",
        _f32,
        "sum of the five hit chances on entering range k",
        "hits",
        null=True,
        array=MAX_RANGES,
        array_name="range",
    ),
    _c("hits", _i16, "hits at range k", null=True, array=MAX_RANGES, array_name="range"),
    _c("misses", _i16, "misses at range k", null=True, array=MAX_RANGES, array_name="range"),
    _c("laps", _i16, "penalty laps at range k", null=True, array=MAX_RANGES, array_name="range"),
    _c(
        "range_turns",
        _i16,
        "shooting turns at range k",
        null=True,
        array=MAX_RANGES,
        array_name="range",
    ),
    _c(
        "round_in",
        _i16,
        "round of entering range k",
        null=True,
        array=MAX_RANGES,
        array_name="range",
    ),
    _c(
        "round_out_range",
        _i16,
        "round of leaving range k",
        null=True,
        array=MAX_RANGES,
        array_name="range",
    ),
    _c(
        "rank_range",
        _i16,
        "order of leaving range k, 1 = first",
        null=True,
        array=MAX_RANGES,
        array_name="range",
    ),
    _c(
        "shots_by_colour",
        _i16,
        "shots by die colour, rerolls included",
        array=N_COLOURS,
        array_name="colour",
    ),
    _c(
        "hits_by_colour",
        _i16,
        "hits by die colour, rerolls included",
        array=N_COLOURS,
        array_name="colour",
    ),
    _c("stam_end", _i16, "payable stamina at the end", "stamina"),
    _c("blue_end", _i16, "markers on blue at the end", "markers"),
    _c("wax_used", _i16, "uses of each token", array=MAX_TOKENS, array_name="token"),
    _c("wax_slot_used", _i16, "uses of each slot", array=MAX_SLOTS, array_name="slot"),
    _c(
        "wax_round",
        _i16,
        "round of the last use of each token",
        "rounds",
        null=True,
        array=MAX_TOKENS,
        array_name="token",
    ),
    _c("wax_flipped_back", _i16, "tokens flipped back by a special box"),
    _c("drafts_made", _i16, "drafts made"),
    _c("drafts_given", _i16, "times a rival drafted on it"),
    _c("towed_steps", _i16, "steps that rivals made on it", "steps"),
    _c(
        "dist_round",
        _i16,
        "distance left after each round",
        "steps",
        null=True,
        array=DIST_ROUNDS,
        array_name="round",
    ),
    _c(
        "lost_by_third",
        _i16,
        "stamina paid on entries by third of the course",
        "stamina",
        array=3,
        array_name="third",
    ),
    _c("seat_asked", _i32, "questions asked of this seat", "questions"),
    _c("seat_options", _i32, "options over these questions", "options"),
)

# seat columns by which a report breaks results down, besides seat and strategy
RESULT_COLUMNS = ("turn_index",)

GAME_ROW = row_dtype(CORE_GAME, GAME_COLUMNS)
SEAT_ROW = row_dtype(CORE_SEAT, SEAT_COLUMNS)

# ---------------------------------------------------------------- tallies: sums over the games of a shard
# What a picture of the course needs and no row holds: counts by row of the course.
TALLY = np.dtype(
    [
        ("stands", np.int64, (MAX_ROWS,)),  # skiers standing on the row at a round end
        ("entries_paid", np.int64, (MAX_ROWS,)),  # stamina paid to enter held spaces of the row
        ("passes", np.int64, (MAX_ROWS,)),  # passes completed onto the row
        ("zero_turns", np.int64, (MAX_ROWS,)),  # turns without a step or shot on the row
        ("uphill_lost", np.int64, (MAX_ROWS,)),  # steps lost to uphill starting on the row
        ("collapses", np.int64, (MAX_ROWS,)),  # collapses on the row
        ("drafts", np.int64, (MAX_ROWS,)),  # drafts that ended on the row
        ("penalty_steps", np.int64, (MAX_ROWS,)),  # penalty steps at the range on the row
    ],
    align=True,
)

# ---------------------------------------------------------------- program counter of the engine
# Where ``advance`` goes on. ASK_* questions are asked from the states marked ?.
(
    PC_NATION,  # ?
    PC_WAXPICK,  # ?
    PC_ROUND,  # a round begins
    PC_PREP_ROLL,  # all roll, 1-5 are placed
    PC_PREP_SIX,  # ? next 6 of the phase
    PC_NEXT_TURN,  # whose turn is next, or the round ends
    PC_W1,  # window, then main column
    PC_MAIN,  # ?
    PC_W2,  # window before each extra column
    PC_EXTRA,  # ?
    PC_EXTRA_TAKE,  # the payment is made: take the column
    PC_SHOOT,  # next shot
    PC_W3,  # window after a shot
    PC_VISIT_END,  # five shots made: count misses
    PC_MOVE,  # ? routes
    PC_WALK,  # next step of a route
    PC_OWN_SLIDE,  # slide after the own move
    PC_SLIDE,  # ?
    PC_BEGIN_DRAFTS,  # may the leader be drafted on
    PC_DRAFT_LEVEL,  # collect the next level of followers
    PC_DRAFT_NEXT,  # ? next follower of the level
    PC_DRAFT_DONE,  # a follower has walked and slid: the next one
    PC_W4,  # window after the move
    PC_TURN_END,
    PC_WAX,  # ? the window's question
    PC_ICON,  # next icon of the token in use
    PC_PAY,  # ? one stamina payment
    PC_SIX,  # ? place pending 6s of one skier (outside preparation)
    PC_SPECIAL,  # ? special box
    PC_OVER,
) = range(30)

# what the engine is to play before it stops (scripted positions stop earlier)
RUN_GAME, RUN_PREP, RUN_TURN, RUN_ROUND = 0, 1, 2, 3

# reasons of a payment, for the records
PAY_EXTRA, PAY_ENTRY_OWN, PAY_ENTRY_DRAFT, PAY_SLIDE, PAY_WAX = 0, 1, 2, 3, 4

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
        ("players", np.int64),
        ("root", np.int64),
        ("block", np.int64),
        ("pc", np.int64),
        ("run", np.int64),
        ("asked", np.int64),
        ("forced", np.int64),
        ("n_events", np.int64),
        ("event_overflow", np.int64),
        ("first_seat", np.int64),
        ("marker", np.int64),  # seat with the First player marker
        ("order_at", np.int64),  # seats of the round already looked at
        ("prep_seat", np.int64),  # the seat of a scripted preparation
        ("prep_at", np.int64),  # the seat that places its 6s
        ("truncated", np.int64),
        ("active", np.int64),  # whose turn it is, -1 none
        ("treatment", TREATMENT, _per_seat),
        # skiers
        ("side", np.int64, _per_seat),  # owner (player)
        ("nation", np.int64, _per_seat),
        ("status", np.int64, _per_seat),
        ("row", np.int64, _per_seat),
        ("lane", np.int64, _per_seat),
        ("penalty", np.int64, _per_seat),  # 0 or space k of the penalty lane
        ("cols", np.int64, (MAX_SEATS, COLUMNS)),
        ("stars", np.int64, (MAX_SEATS, COLUMNS)),
        ("sprint", np.int64, _per_seat),
        ("stamina", np.int64, (MAX_SEATS, TARGETS)),  # level of each marker, 0 = blue
        ("slots", np.int64, (MAX_SEATS, MAX_SLOTS)),  # token numbers, 0 none
        ("left", np.int64, _per_seat),  # tokens used from the left end
        ("right", np.int64, _per_seat),
        ("shots_made", np.int64, _per_seat),
        ("shot_hit", np.int64, (MAX_SEATS, TARGETS)),  # 1 hit, 0 miss, of the shots made
        ("miss", np.int64, _per_seat),  # miss markers still lying
        ("owed", np.int64, _per_seat),  # penalty steps still to take
        ("arrived_round", np.int64, _per_seat),  # round of entering the shooting space
        ("sixes", np.int64, _per_seat),  # rolled 6s still to be placed
        ("place", np.int64, _per_seat),
        ("forced_hit", np.int64, _per_seat),  # 1 + target turned into a hit by a treatment, 0 none
        # the turn
        ("shooting", np.int64),  # 1 on a SHOOT turn
        ("taken", np.int64, (COLUMNS + 1,)),  # columns and sprint taken this turn
        ("dice", np.int64),  # D
        ("plus", np.int64),  # X
        ("sprint_moves", np.int64),  # B
        ("sprinted", np.int64),
        ("tokens_used", np.int64),
        ("printed_used", np.int64),
        ("fired", np.int64),
        ("last_shot", np.int64),  # target index of the shot just made
        ("credit", np.int64),  # sidestep credit of the skier that walks
        ("moved", np.int64),  # steps made in the own move
        ("steps", np.int64),  # M
        ("pending_column", np.int64),  # extra column waiting for its payment
        # wax in use
        ("window", np.int64),  # 1-4
        ("window_return", np.int64),
        ("wax_side", np.int64),  # 1 left, 2 right, 3 printed
        ("wax_token", np.int64),
        ("wax_branch", np.int64),
        ("icon_at", np.int64),
        # a payment
        ("payer", np.int64),
        ("pay_reason", np.int64),
        ("pay_return", np.int64),
        ("six_return", np.int64),
        ("take_return", np.int64),
        ("special_column", np.int64),
        ("special_dice", np.int64),
        ("special_star", np.int64),
        ("special_how", np.int64),
        # a walk
        ("walker", np.int64),
        ("walk_kind", np.int64),  # 0 own move, 1 draft, 2 slide
        ("walk_steps", np.int64, (MAX_STEPS,)),  # step codes
        ("walk_n", np.int64),
        ("walk_at", np.int64),
        ("walk_due", np.int64),  # payments still due for the step being entered
        ("walk_return", np.int64),
        ("slide_free_left", np.int64),
        ("slide_return", np.int64),
        # drafting: the leader's track, the level being asked
        ("leader", np.int64),
        ("track_row", np.int64, (MAX_STEPS + 1,)),
        ("track_lane", np.int64, (MAX_STEPS + 1,)),
        ("track_code", np.int64, (MAX_STEPS + 1,)),  # code of the step into that space
        ("track_n", np.int64),  # steps really made
        ("start_row", np.int64, _per_seat),  # positions when the leader began
        ("start_lane", np.int64, _per_seat),
        ("start_penalty", np.int64, _per_seat),
        ("level", np.int64),
        ("keep_all", np.int64),  # 1: routes stay separate, because the track matters
        ("level_asked", np.int64),  # seats of the level already looked at
        ("level_drafted", np.int64),
        ("followers", np.int64),  # drafts made on this leader turn
        # the end
        ("finished", np.int64),
        ("collapsed", np.int64),
        ("range_left", np.int64, (MAX_RANGES,)),  # skiers that have left range k
        # records in the making
        ("leader_now", np.int64),
        ("led", np.int64, _per_seat),
        ("last_change_round", np.int64),
        ("deficit", np.int64, _per_seat),  # greatest deficit at a round end
        ("lead_since", np.int64),
        ("winner", np.int64),
        ("options_total", np.int64),
        ("game_rows", GAME_ROW, (1,)),  # one, as an array so that it can be copied whole
        ("seat_rows", SEAT_ROW, _per_seat),
        ("tally", TALLY),
    ],
    align=True,
)

# the fields that hold -1 before a game; all others hold 0, but for those that setup writes
_NONE = (
    "phase", "to_move", "prep_seat", "prep_at", "active", "nation", "arrived_round",
    "place", "leader", "leader_now", "winner",
)  # fmt: skip
BLANK = blank_state(STATE, _NONE, GAME_COLUMNS, SEAT_COLUMNS)

# ---------------------------------------------------------------- scripted outcomes of chance
MAX_FEED = 4096
FEED = feed_dtype(MAX_FEED)

# ---------------------------------------------------------------- scratch of one thread
WORK = np.dtype(
    [
        ("feed", FEED),
        ("n_options", np.int64),
        ("options", np.int64, (MAX_OPTIONS,)),
        # the route table of ASK_MOVE and ASK_SLIDE
        ("n_routes", np.int64),
        ("route_codes", np.int8, (MAX_ROUTES, MAX_STEPS)),
        ("route_len", np.int64, (MAX_ROUTES,)),
        ("route_cost", np.int64, (MAX_ROUTES,)),
        ("route_row", np.int64, (MAX_ROUTES,)),  # where it ends
        ("route_lane", np.int64, (MAX_ROUTES,)),
        ("route_penalty", np.int64, (MAX_ROUTES,)),
        ("route_credit", np.int64, (MAX_ROUTES,)),
        # the walk through the tree of routes: one node a depth
        ("node_next", np.int64, (MAX_STEPS + 1,)),  # step code to try next
        ("node_row", np.int64, (MAX_STEPS + 1,)),
        ("node_lane", np.int64, (MAX_STEPS + 1,)),
        ("node_penalty", np.int64, (MAX_STEPS + 1,)),
        ("node_owed", np.int64, (MAX_STEPS + 1,)),
        ("node_credit", np.int64, (MAX_STEPS + 1,)),
        ("node_cost", np.int64, (MAX_STEPS + 1,)),
        ("node_free", np.int64, (MAX_STEPS + 1,)),
        ("node_sides", np.int64, (MAX_STEPS + 1,)),  # sideways steps so far
        ("path", np.int64, (MAX_STEPS + 1,)),
        ("held", np.int64, (MAX_STEPS + 2, MAX_LANES)),  # other skiers by rows ahead and lane
        ("level", np.int64, (MAX_STEPS + 2,)),  # other skiers on the row, range included
        # stamps: rows ahead, sideways steps (the last plane: ends), lane, credit, cost
        ("seen", np.int64, (MAX_STEPS + 2, SEEN_ENDS + 1, MAX_LANES, 2, MAX_COST + 1)),
        ("stamp", np.int64),
        ("path_row", np.int64, (MAX_STEPS + 1,)),  # a drafter's way
        ("path_lane", np.int64, (MAX_STEPS + 1,)),
        ("path_code", np.int64, (MAX_STEPS + 1,)),
        ("path_cost", np.int64, (MAX_STEPS + 1,)),  # cumulated
    ],
    align=True,
)

# ---------------------------------------------------------------- events (replay and referee)
# One row an event; kinds and the meaning of a … e are told in words.py and docs/events-biathlon.md.
(
    EVENT_SETUP,  # seat, nation, owner, board
    EVENT_LOADOUT,  # seat, slot, token
    EVENT_MARKER,  # seat
    EVENT_ROUND,  # round
    EVENT_PREP_ROLL,  # seat, face (one row a die)
    EVENT_RETURN,  # seat, face, why (0 blue, 1 no place, 2 star not counted)
    EVENT_PLACE,  # seat, face, where (1-4 column, 5-8 star, 9 sprint)
    EVENT_TURN,  # seat, shooting
    EVENT_WAX,  # seat, slot, token, branch, window
    EVENT_FLIPBACK,  # seat, slot
    EVENT_TAKE,  # seat, column (1-5), dice counted, star (0 none, 1 counted, 2 back, 3 flip), how (0 main, 1 paid, 2 free)
    EVENT_PAY,  # seat, marker, from level, to level, why (PAY_*)
    EVENT_MOVE,  # seat, M, D, X, B
    EVENT_STEP,  # seat, code, row, lane, cost, penalty
    EVENT_DRAFT,  # seat, leader, level, answer, steps
    EVENT_SLIDE,  # seat, steps
    EVENT_SHOT,  # seat, target, colour, face, hit, reroll
    EVENT_LAP,  # seat, miss markers left, owed
    EVENT_VISIT_END,  # seat, misses, laps, owed
    EVENT_FINISH,  # seat, place
    EVENT_COLLAPSE,  # seat, row, lane
    EVENT_REROLL,  # seat, face (a race die rerolled by wax)
    EVENT_TURN_END,  # seat, dice available, tokens unused, payable, row, lane
    EVENT_OVER,  # result
    EVENT_UPHILL,  # seat, steps lost
) = range(25)
