"""State and rules of Skull Canyon: Ski Fest as data: dtypes, sizes, codes. No behaviour.

Seats, runs, nodes, slots and days are 0-based here unless a comment says otherwise and -1 means
none; strings come from ``words.py``.

Slope cards are types 0 … 15: colour x 5 + style, and the Yeti (15). A key (what a set shows) is a
colour (0 … 2) or 3 + a style (3 … 7). Node ``base`` of a board is lodge 1.
"""

from __future__ import annotations

import numpy as np

from simulate.events import EVENT as EVENT
from simulate.feed import feed_dtype
from simulate.records import CORE_GAME, CORE_SEAT, Column, blank_state, row_dtype
from simulate.rng import FIRST_GAME_PURPOSE

# ---------------------------------------------------------------- sizes (fixed maxima of the arrays)
MAX_SEATS = 4
MAX_DAYS = 4
ROUNDS_KEPT = 40  # rounds of turns of which the score is kept in the record
MAX_EVENINGS = MAX_DAYS - 1
MAX_NODES = 16
MAX_RUNS = 32
MAX_LIFTS = 32
MAX_EXITS = 12  # runs from one node, or to it
MAX_STACK = 256  # claim markers on one run
MAX_DECK = 240
MAX_ROW = 8
MAX_GEAR = 24  # kinds of gear
MAX_GEAR_DECK = 64
MAX_GEAR_ROW = 8
MAX_PAID = 4  # slope cards that a place costs
COLOURS = 3
STYLES = 5
KEYS = COLOURS + STYLES
TYPES = COLOURS * STYLES + 1
YETI = TYPES - 1
DIFFICULTIES = 3
FACES = 3  # weather
PLACES = 5  # places with slots
HOTEL = PLACES  # position of the Hotel: right of all places
ON_TRACK = -1  # position of who has not left the starting track
TEXT_WORDS = 4  # a run's id and name, eight letters a number

EASY, ADVANCED, EXPERT = 0, 1, 2
SUNNY, ICY, SNOWY = 0, 1, 2
HOT_TUB, YODELING, HAPPY_HOUR, SKI_SWAP, LET_IT_RIDE = range(PLACES)
AWARD_TOTAL = 3
AWARDS = 4

# ---------------------------------------------------------------- gear abilities
ABILITIES = (
    "none", "avalanche_alert", "blazing_boots", "bling_bindings", "emergency_tent",
    "field_journal", "heated_gloves", "night_goggles", "precision_goggles", "ramp", "season_pass",
    "ski_poles", "sno_pro_camera", "yeti_energy",
)  # fmt: skip
(
    NONE, ALERT, BOOTS, BLING, TENT, JOURNAL, GLOVES, NIGHT, PRECISION, RAMP, PASS, POLES, CAMERA,
    ENERGY,
) = range(14)  # fmt: skip
N_ABILITIES = 14

# ---------------------------------------------------------------- streams: index in state["streams"]
PURPOSE_DECK = FIRST_GAME_PURPOSE
PURPOSE_RESHUFFLE = FIRST_GAME_PURPOSE + 1  # "seat" of the split: number of the reshuffle, from 1
PURPOSE_GEAR = FIRST_GAME_PURPOSE + 2
PURPOSE_WEATHER = FIRST_GAME_PURPOSE + 3
PURPOSE_STYLES = FIRST_GAME_PURPOSE + 4
PURPOSE_TRACK = FIRST_GAME_PURPOSE + 5  # study switch; "seat" of the split: the evening
STREAM_CARDS = 0  # the deck, then each reshuffle
STREAM_TABLE = 1  # gear, weather, styles, track: opened and used up on the spot
N_STREAMS = 2

# ---------------------------------------------------------------- questions (spec section 4)
# The action codes of each question stand behind it; rising codes are the order of the table.
(
    ASK_ACT,  # ACT_* below
    ASK_TAKE,  # 0 deck, 1 + type row, 17 stop
    ASK_KEY,  # key
    ASK_RAMP1,  # 0 none, 1 + type
    ASK_RAMP2,  # type
    ASK_ADD,  # type, 16 stop
    ASK_YETI,  # run
    ASK_GOGGLES,  # 0 yes, 1 no
    ASK_CLAIM,  # 0 claim, 1 decline
    ASK_SLIDE,  # node, MAX_NODES pay
    ASK_MOVE,  # position of a place, HOTEL
    ASK_PAY,  # type
    ASK_SWAP1,  # 0 none, 1 + run
    ASK_SWAP2,  # run, MAX_RUNS + style of the supply
    ASK_COLOUR,  # colour
    ASK_GEAR,  # 0 none, 1 + gear
    ASK_LODGE,  # node
) = range(17)
NO_QUESTION = -1
N_QUESTIONS = 17

ACT_END = 0
ACT_TRAIN = 1
ACT_LIFT = 2  # + node
ACT_POLES = ACT_LIFT + MAX_NODES  # + node
ACT_SKI = ACT_POLES + MAX_NODES  # + run
ACT_TICKET = ACT_SKI + MAX_RUNS  # + node
ACT_TICKET_POLES = ACT_TICKET + MAX_NODES  # + node
ACT_EXPLOSIVE = ACT_TICKET_POLES + MAX_NODES
TAKE_DECK = 0
TAKE_ROW = 1  # + type
TAKE_STOP = TAKE_ROW + TYPES
ADD_STOP = TYPES
SLIDE_PAY = MAX_NODES
SWAP_SUPPLY = MAX_RUNS  # + style
YES, NO = 0, 1
MAX_OPTIONS = 128

# ---------------------------------------------------------------- what an experiment forces or grants
# One record a seat, all zero = nothing (spec section 9). Fields "of the table" count when any seat
# has them.
TREATMENT = np.dtype(
    [
        ("no_pass", np.int64),  # table: 1: the first player marker stays where it is
        ("gear_gift", np.int64),  # 1 + gear owned from the morning of gift_day on
        ("fame_gift", np.int64),  # fame on the morning of gift_day
        ("vp_gift", np.int64),  # VP on the morning of gift_day
        ("gift_day", np.int64),  # day of the gifts, 1 = first; 0: day 2
        ("gear_off", np.int64),  # 1 + gear whose ability does not work for this seat
        ("gear_ban", np.int64),  # 1 + gear that this seat may not buy
        ("price_shift", np.int64),  # added to what this seat pays for any gear (least price 0)
        ("gear_offer", np.int64),  # table: 1 + gear that is in the row of the first evening
        ("weather_two", np.int64),  # table: 1 + face of day II
        ("weather_three", np.int64),  # table: 1 + face of day III
        ("closed_place", np.int64),  # 1 + place that is closed for this seat
        ("closed_evening", np.int64),  # on that evening, 0: every evening
        ("track_random", np.int64),  # table: 1: starting track in random order
        ("track_first", np.int64),  # 1: this seat is first on the starting track
        ("slide_cancelled", np.int64),  # k: the k-th slide by a rival is cancelled, -1 all
        ("no_steal", np.int64),  # 1: is never offered a run that a rival holds
        ("deck_shift", np.int64),  # table: != 0: other slope cards (block + shift * 2**32)
        ("weather_shift", np.int64),  # table: != 0: other weather
        ("gear_shift", np.int64),  # table: != 0: another order of the gear cards
        ("style_shift", np.int64),  # table: != 0: style markers lie elsewhere
        ("policy_shift", np.int64),  # table: != 0: other coins of all strategies
    ],
    align=True,
)

# ---------------------------------------------------------------- the rules record
_SWITCHES = (
    # (name, values in the order of their codes, code of the default)
    ("yeti_clear_own_run", ("false", "true"), 0),
    ("own_stack_surcharge", ("false", "true"), 1),
    ("night_goggles_day3", ("false", "true"), 1),
    ("night_goggles_as_turn", ("false", "true"), 0),
    ("let_it_ride_yeti_matches", ("false", "true"), 1),
    ("journal_happy_hour", ("first_counts_1", "one_yeti"), 0),
    ("journal_train", ("yeti_first", "any_order"), 0),
    ("reshuffle", ("when_empty", "when_needed"), 0),
    ("claim_optional", ("all", "steals", "none"), 0),
    ("camera_doubles", ("base", "run_total"), 0),
    ("boots_doubled", ("false", "true"), 0),
    ("ramp_yeti_counts", ("false", "true"), 1),
    ("poles_through_yeti", ("false", "true"), 1),
    ("tent_before_slides", ("false", "true"), 1),
    ("night_goggles_slide_bonus", ("false", "true"), 1),
    ("happy_hour_exact", ("false", "true"), 1),
    ("award_zero", ("none", "split"), 0),
    ("yodel_supply_players", ("[2, 3]", "[2]"), 0),
    ("avalanche_order", ("active_first", "active_last", "turn_order"), 0),
)
SWITCHES: dict[str, tuple[str, ...]] = {name: values for name, values, _ in _SWITCHES}
SWITCH_DEFAULTS: dict[str, int] = {name: code for name, _, code in _SWITCHES}
JOURNAL_FIRST_COUNTS_1, JOURNAL_ONE_YETI = range(2)
JOURNAL_YETI_FIRST, JOURNAL_ANY_ORDER = range(2)
WHEN_EMPTY, WHEN_NEEDED = range(2)
CLAIM_ALL, CLAIM_STEALS, CLAIM_NONE = range(3)
CAMERA_BASE, CAMERA_RUN_TOTAL = range(2)
ACTIVE_FIRST, ACTIVE_LAST, TURN_ORDER = range(3)

BOARD = np.dtype(
    [
        ("n_nodes", np.int64),
        ("base", np.int64),  # node of lodge 1
        ("height", np.float64, (MAX_NODES,)),
        ("highest", np.float64),
        ("lodge", np.int64, (MAX_NODES,)),  # 1: a lodge
        ("node_word", np.int64, (MAX_NODES,)),  # index into the vocabulary "nodes"
        ("n_runs", np.int64),
        ("difficulty", np.int64, (MAX_RUNS,)),
        ("top", np.int64, (MAX_RUNS,)),
        ("bottom", np.int64, (MAX_RUNS,)),
        ("style_space", np.int64, (MAX_RUNS,)),
        ("no_yeti", np.int64, (MAX_RUNS,)),
        ("run_id", np.int64, (MAX_RUNS, TEXT_WORDS)),
        ("run_name", np.int64, (MAX_RUNS, TEXT_WORDS)),
        ("n_lifts", np.int64),
        ("lift_bottom", np.int64, (MAX_LIFTS,)),
        ("lift_top", np.int64, (MAX_LIFTS,)),
        # by node
        ("n_down", np.int64, (MAX_NODES,)),  # runs from here
        ("down", np.int64, (MAX_NODES, MAX_EXITS)),
        ("n_up", np.int64, (MAX_NODES,)),  # runs that end here
        ("up", np.int64, (MAX_NODES, MAX_EXITS)),
        ("lift_to", np.int64, (MAX_NODES,)),  # bit set of nodes at the top of a lift from here
        ("slide_to", np.int64, (MAX_NODES,)),  # bit set of nodes at the bottom of a run from here
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("layout", np.int64),  # index into the run's list of layouts (words only)
        ("boards", BOARD, (2,)),  # for 2 players, for 3 and 4
        ("deck_set", np.int64),
        ("gear_set", np.int64),
        ("slots_set", np.int64),
        ("days", np.int64),
        ("daylight", np.int64),
        ("actions", np.int64),
        ("hand", np.int64),
        ("row", np.int64),
        ("yeti_reset", np.int64),
        ("train_cards", np.int64),
        ("deck", np.int64, (TYPES,)),
        ("cards", np.int64, (DIFFICULTIES,)),
        ("vp", np.int64, (DIFFICULTIES,)),
        ("fame", np.int64, (DIFFICULTIES,)),
        ("style_factor", np.int64),
        ("waning", np.int64),
        ("waning_tracker", np.int64),
        ("per_marker", np.int64),
        ("yeti_move", np.int64),
        ("avalanche_from", np.int64),
        ("fame_per_vp", np.int64),
        ("explosives", np.int64),
        ("tickets", np.int64),
        ("markers", np.int64),
        ("weather_first", np.int64),
        ("weather_faces", np.int64, (FACES,)),
        ("weather_draw", np.int64, (FACES,)),
        ("weather_any_lodge", np.int64, (FACES,)),  # 1: any lodge, 0: lodge 1
        ("weather_force", np.int64, (MAX_DAYS,)),  # face or -1
        ("style_markers", np.int64, (STYLES,)),
        ("place_at", np.int64, (PLACES,)),  # place (HOT_TUB …) of each position, left to right
        ("slots", np.int64, (MAX_SEATS + 1,)),  # slots of a place by number of players
        ("cost_cards", np.int64, (PLACES,)),
        ("cost_fame", np.int64, (PLACES,)),
        ("tub_fame", np.int64),
        ("yodel_explosives", np.int64),
        ("happy_take", np.int64),
        ("happy_yeti", np.int64),
        ("swap_tickets", np.int64),
        ("ride_show", np.int64),
        ("ride_more", np.int64),
        ("n_gear", np.int64),
        ("gear_cost", np.int64, (MAX_GEAR,)),
        ("gear_vp", np.int64, (MAX_GEAR,)),
        ("gear_copies", np.int64, (MAX_GEAR,)),
        ("gear_buyable", np.int64, (MAX_GEAR,)),
        ("gear_ability", np.int64, (MAX_GEAR,)),
        ("gear_row", np.int64),
        ("per_hotel", np.int64),
        ("renew_after", np.int64, (MAX_DAYS + 1,)),  # 1: the gear row is renewed after day d
        ("award", np.int64, (AWARDS,)),  # easy, advanced, expert, total
        ("switches_off", np.int64),  # bit k: switch k is not at its default
        *[(name, np.int64) for name, _, _ in _SWITCHES],
    ],
    align=True,
)


# ---------------------------------------------------------------- records (spec section 8)
def _c(name, dtype, meaning, unit="", **more):
    return Column(name, dtype, meaning, unit, **more)


_i8, _i16, _i32, _f32, _bool = np.int8, np.int16, np.int32, np.float32, np.bool_
_run = {"array": MAX_RUNS, "array_name": "run of the board, from 0"}
_place = {"array": PLACES, "array_name": "place: hot tub, yodeling, happy hour, ski swap, ride"}
_gear = {"array": MAX_GEAR, "array_name": "gear, in the order of its vocabulary"}
_day = {"array": MAX_DAYS, "array_name": "day, from I"}
_evening = {"array": MAX_EVENINGS, "array_name": "evening, from the first"}

GAME_COLUMNS: tuple[Column, ...] = (
    _c("players", _i16, "players", "players"),
    _c("layout", _i16, "board, or the boards for 2 and for 3-4 players", words="layouts"),
    _c("deck_set", _i16, "split of the slope deck", words="deck_sets"),
    _c("gear_set", _i16, "gear deck", words="gear_sets"),
    _c("slots_set", _i16, "slots at the village places", words="slot_sets"),
    _c("switches", _i32, "bit k is set where rule switch k is not at its default"),
    _c("weather2", _i8, "face of day II", words="weather", null=True),
    _c("weather3", _i8, "face of day III", words="weather", null=True),
    _c("gear_row1", _i8, "cards shown on the first evening", "cards", **_gear),
    _c("gear_row2", _i8, "cards shown on the second evening", "cards", **_gear),
    _c("style_start", _i8, "style marker at the start, 0 the first style", null=True, **_run),
    _c("style_end", _i8, "style marker at the end, 0 the first style", null=True, **_run),
    _c("winner_seats", _i8, "1: the seat wins or shares the win", array=MAX_SEATS,
       array_name="seat"),
    _c("win_k", _i16, "seats that share the win", "seats"),
    _c("tie_level", _i8, "what decided: 0 VP, 1 fame, 2 cards, 3 shared"),
    _c("margin", _i16, "VP of the first minus VP of the second", "VP"),
    _c("spread", _i16, "VP of the first minus VP of the last", "VP"),
    _c("options_total", _i32, "options over all questions asked", "options"),
    _c("mean_options", _f32, "options per question asked", "options", null=True),
    _c("act_train", _i16, "Train actions", "actions"),
    _c("act_lift", _i16, "lift rides by an action, Ski Poles included", "actions"),
    _c("act_ski", _i16, "Ski a Run actions", "actions"),
    _c("act_unused", _i16, "actions not used", "actions"),
    _c("rides", _i16, "lift rides of any kind", "rides"),
    _c("reshuffles", _i16, "shuffles of the discard pile into a new deck"),
    _c("row_resets", _i16, "resets of a row with three Yetis"),
    _c("min_deck", _i16, "fewest cards that the deck ever had", "cards"),
    _c("yeti_moves", _i16, "moves of the Yeti"),
    _c("yeti_blocks", _i16, "payable runs missing from a list of actions because of the Yeti"),
    _c("aval_set", _i16, "avalanches by a set"),
    _c("aval_explosive", _i16, "avalanches by an explosive"),
    _c("slides_own", _i16, "slides of who set the avalanche off"),
    _c("slides_rival", _i16, "slides of others"),
    _c("slide_waning", _i16, "slides that paid the waning daylight bonus"),
    _c("first_claims", _i16, "markers on empty runs"),
    _c("steals", _i16, "markers on a rival's marker"),
    _c("restacks", _i16, "markers on an own marker"),
    _c("declines", _i16, "claims declined"),
    _c("style_bonuses", _i16, "runs that earned the style bonus"),
    _c("runs_never_skied", _i16, "runs that nobody skied", "runs"),
    _c("runs_topped", _i16, "runs with a claim at the end", "runs"),
    _c("ski_run", _i16, "times each run was skied", **_run),
    _c("top_run", _i8, "seat on top of each run at the end", null=True, **_run),
    _c("visits", _i16, "visits of each place", **_place),
    _c("full", _i16, "times each place was payable but full", **_place),
    _c("explosives_used", _i16, "explosives used"),
    _c("tickets_used", _i16, "lift tickets used"),
    _c("gear_bought", _i16, "gear cards bought", "cards"),
    _c("lead_changes", _i16, "changes of the leader, on the score if the game ended now"),
    _c("last_change_turn", _i16, "turn of the last change of the leader", "turns"),
    _c("leader_d1", _i8, "leader at the end of day I's skiing, none if tied", null=True),
    _c("leader_d2", _i8, "leader at the end of day II's skiing, none if tied", null=True),
    _c("winner_no_awards", _i8, "1: the seat would win if awards were worth 0", array=MAX_SEATS,
       array_name="seat"),
)  # fmt: skip

SEAT_COLUMNS: tuple[Column, ...] = (
    _c("win", _bool, "wins or shares the win"),
    _c("vp_final", _i16, "victory points at the end", "VP"),
    _c("vp_runs", _i16, "VP of runs skied", "VP"),
    _c("vp_goggles", _i16, "VP bought with Precision Goggles", "VP"),
    _c("vp_fame", _i16, "VP of leftover fame", "VP"),
    _c("vp_gear", _i16, "VP of gear", "VP"),
    _c("vp_aw_easy", _i16, "award for most easy runs", "VP"),
    _c("vp_aw_adv", _i16, "award for most advanced runs", "VP"),
    _c("vp_aw_exp", _i16, "award for most expert runs", "VP"),
    _c("vp_aw_total", _i16, "award for most runs", "VP"),
    _c("vp_gift", _i16, "VP given by an experiment", "VP"),
    _c("vp_d", _i16, "VP on the track at the end of each Skiing phase", "VP", null=True, **_day),
    _c("fame_d", _i16, "fame at the end of each Skiing phase", "fame", null=True, **_day),
    _c("rank_d", _f32, "place at the end of each Skiing phase if the game ended then", null=True,
       **_day),
    _c("score_round", _i16, "final VP if the game ended after this round of turns", "VP", null=True,
       array=ROUNDS_KEPT, array_name="round of turns, from the first of day I"),
    _c("fame_base", _i16, "base fame of runs", "fame"),
    _c("fame_style", _i16, "fame added by style bonuses", "fame"),
    _c("fame_camera", _i16, "fame added by the Sno-Pro Camera", "fame"),
    _c("fame_waning", _i16, "waning daylight bonus of runs and slides", "fame"),
    _c("fame_waning_runs", _i16, "the part of fame_waning that runs earned", "fame"),
    _c("fame_boots", _i16, "fame of Blazing Boots", "fame"),
    _c("fame_tent", _i16, "fame of the Emergency Tent", "fame"),
    _c("fame_tub", _i16, "fame of the Hot Tub", "fame"),
    _c("fame_gift", _i16, "fame given by an experiment", "fame"),
    _c("fame_sp_village", _i16, "fame paid at village places", "fame"),
    _c("fame_sp_gear", _i16, "fame paid for gear", "fame"),
    _c("fame_sp_alert", _i16, "fame paid for Avalanche Alert", "fame"),
    _c("fame_sp_goggles", _i16, "fame paid for Precision Goggles", "fame"),
    _c("fame_left", _i16, "fame at the end", "fame"),
    _c("ski_easy", _i16, "easy runs skied", "runs"),
    _c("ski_adv", _i16, "advanced runs skied", "runs"),
    _c("ski_exp", _i16, "expert runs skied", "runs"),
    _c("tops_easy", _i16, "easy runs topped at the end", "runs"),
    _c("tops_adv", _i16, "advanced runs topped at the end", "runs"),
    _c("tops_exp", _i16, "expert runs topped at the end", "runs"),
    _c("cards_drawn", _i16, "cards from the deck, the opening hand included", "cards"),
    _c("cards_row", _i16, "cards from the row", "cards"),
    _c("cards_played", _i16, "cards played in sets", "cards"),
    _c("cards_paid", _i16, "cards paid at village places", "cards"),
    _c("cards_left", _i16, "cards in hand at the end", "cards"),
    _c("overpay", _i16, "set sizes minus needs, summed", "cards"),
    _c("yetis_got", _i16, "Yeti cards got", "cards"),
    _c("yetis_played", _i16, "Yeti cards played", "cards"),
    _c("markers_used", _i16, "claim markers placed", "markers"),
    _c("stole", _i16, "runs stolen", "runs"),
    _c("stolen_from", _i16, "runs stolen by rivals", "runs"),
    _c("restacked", _i16, "own runs covered again", "runs"),
    _c("slid", _i16, "slides", "slides"),
    _c("slid_by_rival", _i16, "slides in avalanches of rivals", "slides"),
    _c("height_lost", _f32, "height lost in slides", "height"),
    _c("explosives_used", _i16, "explosives used"),
    _c("tickets_used", _i16, "lift tickets used"),
    _c("alert_paid", _i16, "times Avalanche Alert was paid"),
    _c("trains", _i16, "Train actions", "actions"),
    _c("rides", _i16, "lift rides of any kind", "rides"),
    _c("actions_unused", _i16, "actions not used", "actions"),
    _c("village_pos", _i8, "place on the starting track, 1 = first", null=True, **_evening),
    _c("place_d1", _i8, "1: visits on the first evening", **_place),
    _c("place_d2", _i8, "1: visits on the second evening", **_place),
    _c("place_d3", _i8, "1: visits on the third evening (study)", **_place),
    _c("lodge_d2", _i8, "node at the start of day II", words="nodes", null=True),
    _c("lodge_d3", _i8, "node at the start of day III", words="nodes", null=True),
    _c("lodge_d4", _i8, "node at the start of day IV (study)", words="nodes", null=True),
    _c("gear1", _i8, "gear bought on the first evening", words="gear", null=True),
    _c("gear2", _i8, "gear bought on the second evening", words="gear", null=True),
    _c("gear3", _i8, "gear bought on the third evening (study)", words="gear", null=True),
    _c("gear_offer1", _i8, "1: on offer and affordable on the first evening", **_gear),
    _c("gear_offer2", _i8, "1: on offer and affordable on the second evening", **_gear),
    _c("gear_owned", _i8, "copies owned at the end", "cards", **_gear),
    _c("gear_use", _i16, "times the ability of the gear had an effect", **_gear),
    _c("seat_asked", _i32, "questions asked of this seat", "questions"),
    _c("seat_options", _i32, "options over these questions", "options"),
)  # fmt: skip

# seat columns by which a report breaks results down, besides seat and strategy
RESULT_COLUMNS = ()

GAME_ROW = row_dtype(CORE_GAME, GAME_COLUMNS)
SEAT_ROW = row_dtype(CORE_SEAT, SEAT_COLUMNS)

# ---------------------------------------------------------------- tallies: sums over the games of a shard
TALLY = np.dtype(
    [
        ("skied", np.int64, (MAX_RUNS,)),  # times the run was skied
        ("claimed", np.int64, (MAX_RUNS,)),  # markers put on the run
        ("stolen", np.int64, (MAX_RUNS,)),  # markers put on a rival's marker there
        ("blocked", np.int64, (MAX_RUNS,)),  # turns that ended with the Yeti on the run
        ("bonus", np.int64, (MAX_RUNS,)),  # style bonuses earned on the run
        ("stands", np.int64, (MAX_NODES,)),  # skiers on the node at the end of a Skiing phase
        ("slides", np.int64, (MAX_NODES,)),  # slides from the node
    ],
    align=True,
)

# ---------------------------------------------------------------- program counter of the engine
# Where ``advance`` goes on. ASK_* questions are asked from the states marked ?.
(
    PC_TURN,  # the next turn begins, or the tracker moves
    PC_ACT,  # ?
    PC_TAKE,  # ? next card of Train or Happy Hour
    PC_KEY,  # ?
    PC_RAMP1,  # ?
    PC_RAMP2,  # ?
    PC_ADD,  # ?
    PC_YETI_FIRST,  # ? the Yeti moves before the skier (switch yeti_clear_own_run)
    PC_GO_DOWN,  # the skier moves
    PC_YETI,  # ? the Yeti moves
    PC_SCORE_RUN,  # VP of the run
    PC_GOGGLES,  # ?
    PC_EARN,  # fame of the run
    PC_CLAIM,  # ?
    PC_RUN_END,  # avalanche of the set, or done
    PC_SLIDE,  # ? next slider
    PC_TURN_END,
    PC_NIGHT,  # next owner of Night Goggles
    PC_DAY_END,  # END on the daylight track
    PC_MORNING,  # a Skiing phase begins
    PC_DEAL,  # the row and the hands
    PC_EVENING,  # skiers onto the starting track
    PC_VILLAGE,  # next village turn
    PC_MOVE,  # ?
    PC_PAY,  # ? next card of a cost
    PC_PLACE,  # the action of the place
    PC_SWAP1,  # ?
    PC_SWAP2,  # ?
    PC_YODEL,  # the explosive of Yodeling
    PC_COLOUR,  # ?
    PC_HOTEL,  # cards of tomorrow
    PC_GEAR,  # ?
    PC_LODGE,  # ?
    PC_NEXT_DAY,
    PC_SCORE,
    PC_OVER,
) = range(36)

# what the engine is to play before it stops (scripted positions stop earlier)
RUN_GAME, RUN_TURN, RUN_DAY_END, RUN_VILLAGE, RUN_VILLAGE_NEXT, RUN_DEAL = range(6)

STAGE_SKI, STAGE_NIGHT, STAGE_VILLAGE, STAGE_OVER = range(4)
TAKE_TRAIN, TAKE_HAPPY = range(2)  # for what cards are taken

_per_seat = (MAX_SEATS,)
STATE = np.dtype(
    [
        ("streams", np.uint64, (N_STREAMS,)),
        ("turn", np.int64),  # turns begun in the game, Night Goggles not counted
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
        ("options_total", np.int64),
        ("n_events", np.int64),
        ("event_overflow", np.int64),
        ("treatment", TREATMENT, _per_seat),
        # clock
        ("board", np.int64),  # index into rules["boards"]
        ("day", np.int64),  # 1-based
        ("stage", np.int64),
        ("tracker", np.int64),  # daylight … 1, 0 for END
        ("first", np.int64),  # holder of the first player marker
        ("turn_at", np.int64),  # turns begun at this tracker value, or owners looked at by night
        ("active", np.int64),
        ("actions", np.int64),  # left in the turn
        ("ramp_used", np.int64),
        ("poles_used", np.int64),
        ("tokens_barred", np.int64),  # 1: an extra action by night, no tokens, Ramp or Poles
        ("turn_list", np.int64, _per_seat),  # RUN_DAY_END: seats of the last turns
        ("turns_listed", np.int64),
        # slope cards
        ("deck", np.int64, (MAX_DECK,)),  # top first, from deck_at on
        ("deck_at", np.int64),
        ("deck_n", np.int64),
        ("slots", np.int64, (MAX_ROW,)),  # the row: a type or -1
        ("discards", np.int64, (TYPES,)),
        ("discards_n", np.int64),
        ("hand", np.int64, (MAX_SEATS, TYPES)),
        ("cards", np.int64, _per_seat),  # hand sizes
        ("known", np.int64, (MAX_SEATS, TYPES)),  # cards of the hand that all have seen taken
        ("shuffles", np.int64),  # reshuffles made
        # mountain
        ("yeti", np.int64),  # run, -1 the cave
        ("style", np.int64, (MAX_RUNS,)),  # marker on the run, -1 none
        ("supply", np.int64, (STYLES,)),  # markers left over
        ("stack", np.int8, (MAX_RUNS, MAX_STACK)),  # seats, bottom to top
        ("stack_n", np.int64, (MAX_RUNS,)),
        ("tops", np.int64, (MAX_SEATS, DIFFICULTIES)),  # own top markers
        ("weather", np.int64, (MAX_DAYS,)),
        # gear
        ("gear_deck", np.int64, (MAX_GEAR_DECK,)),  # top first, from gear_at on
        ("gear_at", np.int64),
        ("gear_deck_n", np.int64),
        ("gear_row", np.int64, (MAX_GEAR_ROW,)),  # gear or -1
        ("gear_out", np.int64, (MAX_GEAR,)),  # unsold gear that was discarded
        ("owned", np.int64, (MAX_SEATS, MAX_GEAR)),  # copies
        ("able", np.int64, (MAX_SEATS, N_ABILITIES)),  # 1: has the ability
        # supplies
        ("explosives_left", np.int64),
        ("tickets_left", np.int64),
        # players
        ("node", np.int64, _per_seat),
        ("vp", np.int64, _per_seat),
        ("fame", np.int64, _per_seat),
        ("markers", np.int64, _per_seat),
        ("explosives", np.int64, _per_seat),
        ("tickets", np.int64, _per_seat),
        # cards being taken
        ("take_for", np.int64),  # TAKE_TRAIN, TAKE_HAPPY
        ("taken", np.int64),  # cards of this Train
        ("budget", np.int64),  # left of Happy Hour
        ("row_yetis", np.int64),  # face-up Yetis of this action
        # a run being skied
        ("skied", np.int64),  # the run, also when it is over
        ("exact", np.int64),  # 1: the set must hold exactly one Yeti
        ("key", np.int64),
        ("pair1", np.int64),  # Ramp pair
        ("pair2", np.int64),  # -1: no pair
        ("set", np.int64, (TYPES,)),  # single cards
        ("size", np.int64),
        ("set_yetis", np.int64),
        # an avalanche
        ("slide_at", np.int64),  # sliders already looked at
        ("slide_return", np.int64),
        ("slides_by_rival", np.int64, _per_seat),
        # village
        ("track", np.int64, _per_seat),  # seats in starting order
        ("track_at", np.int64),  # seats that have left it
        ("position", np.int64, _per_seat),  # ON_TRACK, 0 … 4, HOTEL
        ("guests", np.int64, (PLACES, MAX_SEATS)),  # seats at a position, right slot first
        ("guests_n", np.int64, (PLACES,)),
        ("guest", np.int64),  # whose village turn it is
        ("paid", np.int64, (TYPES,)),
        ("pay_left", np.int64),
        ("swap_run", np.int64),
        ("purchases", np.int64),  # made in this visit of the Hotel
        # the end
        ("final", np.int64, _per_seat),
        ("award", np.int64, (MAX_SEATS, AWARDS)),
        ("win_k", np.int64),
        ("tie_level", np.int64),
        ("avalanches", np.int64),
        # records in the making
        ("leader", np.int64),
        ("min_deck", np.int64),
        ("game_rows", GAME_ROW, (1,)),  # one, as an array so that it can be copied whole
        ("seat_rows", SEAT_ROW, _per_seat),
        ("tally", TALLY),
    ],
    align=True,
)

# the fields that hold -1 before a game; all others hold 0, but for those that setup writes
_NONE = (
    "phase", "to_move", "active", "slots", "yeti", "style", "weather", "gear_row", "skied",
    "pair1", "pair2", "guest", "swap_run", "leader",
)  # fmt: skip
BLANK = blank_state(STATE, _NONE, GAME_COLUMNS, SEAT_COLUMNS)

# ---------------------------------------------------------------- scripted outcomes of chance
# Results of reshuffles: the number of cards, then their types, top first.
MAX_FEED = 4096
FEED = feed_dtype(MAX_FEED)

# ---------------------------------------------------------------- scratch of one thread
WORK = np.dtype(
    [
        ("feed", FEED),
        ("n_options", np.int64),
        ("options", np.int64, (MAX_OPTIONS,)),
        ("pile", np.int64, (160,)),  # markers and faces while they are mixed
    ],
    align=True,
)

# ---------------------------------------------------------------- events (replay and referee)
# One row an event; kinds and the meaning of a … f are told in words.py. The kind is that below plus
# EVENT_BOARD times the index of the board, so that a row can be told by itself.
EVENT_BOARD = 64
(
    EVENT_SETUP,  # players, board, first seat, weather packed
    EVENT_STYLE,  # run, style
    EVENT_SUPPLY,  # style, markers
    EVENT_GEAR_ROW,  # slot, gear
    EVENT_SHUFFLE,  # new order packed, 15 cards a number, top first; continued by more rows
    EVENT_ROW,  # slot, type
    EVENT_RESET,  # (the row is discarded)
    EVENT_DEAL,  # seat, type
    EVENT_DAY,  # day, first seat, weather, tracker
    EVENT_TRACKER,  # tracker
    EVENT_TURN,  # seat, day, tracker, actions, by night
    EVENT_TURN_END,  # seat, actions unused
    EVENT_TAKE,  # seat, from (0 deck, 1 row), type, slot, for
    EVENT_RIDE,  # seat, how (0 lift, 1 poles, 2 ticket, 3 ticket and poles), from, to
    EVENT_SHOW,  # seat, type, to hand, why (0 Season Pass, 1 Let It Ride)
    EVENT_SKI,  # seat, run, key, size, cards packed low, cards packed high, pair
    EVENT_YETI,  # seat, from, to
    EVENT_VP,  # seat, reason, delta, total
    EVENT_FAME,  # seat, reason, delta, total
    EVENT_CLAIM,  # seat, run, depth, kind (0 first, 1 steal, 2 restack)
    EVENT_DECLINE,  # seat, run
    EVENT_AVALANCHE,  # seat, cause (0 set, 1 explosive)
    EVENT_SLIDE,  # seat, from, to
    EVENT_STAY,  # seat (Avalanche Alert paid, or the slide cancelled: a = 1)
    EVENT_TRACK,  # seat, place on the starting track
    EVENT_VISIT,  # seat, place, slot
    EVENT_PAY,  # seat, type
    EVENT_TOKEN,  # seat, token (0 explosive, 1 ticket), delta, supply
    EVENT_SWAP,  # seat, run, its old style, other run or -1, other style
    EVENT_COLOUR,  # seat, colour
    EVENT_HOTEL,  # seat, cards to draw
    EVENT_GEAR,  # seat, gear, price, how (0 bought, 1 given)
    EVENT_GEAR_OUT,  # slot, gear
    EVENT_LODGE,  # seat, node
    EVENT_AWARD,  # seat, award, VP, runs
    EVENT_RESULT,  # seat, VP, fame, cards, seats that share the win (0: lost)
) = range(36)

# reasons of VP and fame
(VP_RUN, VP_GOGGLES, VP_FAME, VP_GEAR, VP_AWARD, VP_GIFT) = range(6)
(
    FAME_BASE, FAME_STYLE, FAME_CAMERA, FAME_WANING, FAME_BOOTS, FAME_TENT, FAME_TUB, FAME_GIFT,
    FAME_PLACE, FAME_GEAR, FAME_ALERT, FAME_GOGGLES,
) = range(12)  # fmt: skip
