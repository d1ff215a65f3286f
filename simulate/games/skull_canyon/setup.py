"""Setting up a game: board, weather, styles, gear, slope cards, hands (rulebook: Setup)."""

from __future__ import annotations

from simulate.games.skull_canyon.cards import draw_to_hand, fill_row, tell_order
from simulate.games.skull_canyon.chance import draw_deck, draw_gear, draw_styles, draw_weather
from simulate.games.skull_canyon.days import note_gear_row
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import reveal_gear
from simulate.games.skull_canyon.sets import clear_set
from simulate.games.skull_canyon.state import (
    AWARDS,
    DIFFICULTIES,
    EVENT_DEAL,
    EVENT_SETUP,
    EVENT_STYLE,
    EVENT_SUPPLY,
    MAX_DAYS,
    MAX_EVENINGS,
    MAX_GEAR,
    MAX_GEAR_ROW,
    MAX_NODES,
    MAX_ROW,
    MAX_RUNS,
    MAX_SEATS,
    N_ABILITIES,
    NO_QUESTION,
    ON_TRACK,
    PC_MORNING,
    PC_OVER,
    PLACES,
    RUN_GAME,
    STAGE_SKI,
    STYLES,
    TYPES,
)
from simulate.jit import kernel

TWO_PLAYERS = 2
_FACE_BASE = 8  # weather faces packed in one number of an event


@kernel
def board_of(players):
    """SC-SCOPE-02: which side of the board."""
    return 0 if players == TWO_PLAYERS else 1


@kernel
def fill_blanks(work):
    """Rows before anything has happened: zeros, and -1 where a column may stay empty."""
    game = work["blank_games"][0]
    game["weather2"] = -1
    game["weather3"] = -1
    game["leader_d1"] = -1
    game["leader_d2"] = -1
    game["mean_options"] = -1.0
    for run in range(MAX_RUNS):
        game["style_start"][run] = -1
        game["style_end"][run] = -1
        game["top_run"][run] = -1
    seat = work["blank_seats"][0]
    for day in range(MAX_DAYS):
        seat["vp_d"][day] = -1
        seat["fame_d"][day] = -1
        seat["rank_d"][day] = -1.0
    for evening in range(MAX_EVENINGS):
        seat["village_pos"][evening] = -1
    seat["lodge_d2"] = -1
    seat["lodge_d3"] = -1
    seat["lodge_d4"] = -1
    seat["gear1"] = -1
    seat["gear2"] = -1
    seat["gear3"] = -1
    work["ready"] = 1


@kernel
def clear_state(state, work):
    """Set every field: records are reused from game to game."""
    if work["ready"] == 0:
        fill_blanks(work)
    state["turn"] = 0
    state["phase"] = NO_QUESTION
    state["to_move"] = -1
    state["over"] = 0
    state["pc"] = PC_OVER
    state["run"] = RUN_GAME
    state["asked"] = 0
    state["forced"] = 0
    state["options_total"] = 0
    state["n_events"] = 0
    state["event_overflow"] = 0
    state["day"] = 1
    state["stage"] = STAGE_SKI
    state["tracker"] = 0
    state["first"] = 0
    state["turn_at"] = 0
    state["active"] = -1
    state["actions"] = 0
    state["ramp_used"] = 0
    state["poles_used"] = 0
    state["tokens_barred"] = 0
    state["turns_listed"] = 0
    clear_cards(state)
    clear_mountain(state)
    clear_set(state)
    clear_village(state)
    for seat in range(MAX_SEATS):
        clear_seat(state, work, seat)
    state["win_k"] = 0
    state["tie_level"] = 0
    state["avalanches"] = 0
    state["leader"] = -1
    state["min_deck"] = 0
    state["game_rows"][0] = work["blank_games"][0]


@kernel
def clear_cards(state):
    """No slope card, no gear card anywhere."""
    state["deck_at"] = 0
    state["deck_n"] = 0
    state["discards_n"] = 0
    state["shuffles"] = 0
    for slot in range(MAX_ROW):
        state["slots"][slot] = -1
    for card in range(TYPES):
        state["discards"][card] = 0
    state["gear_at"] = 0
    state["gear_deck_n"] = 0
    for slot in range(MAX_GEAR_ROW):
        state["gear_row"][slot] = -1
    for gear in range(MAX_GEAR):
        state["gear_out"][gear] = 0
    state["take_for"] = 0
    state["taken"] = 0
    state["budget"] = 0
    state["row_yetis"] = 0


@kernel
def clear_mountain(state):
    """The Yeti in the cave, no marker on any run (SC-SETUP-04)."""
    state["yeti"] = -1
    state["slide_at"] = 0
    state["slide_return"] = PC_OVER
    for run in range(MAX_RUNS):
        state["style"][run] = -1
        state["stack_n"][run] = 0
        state["tally"]["skied"][run] = 0
        state["tally"]["claimed"][run] = 0
        state["tally"]["stolen"][run] = 0
        state["tally"]["blocked"][run] = 0
        state["tally"]["bonus"][run] = 0
    for node in range(MAX_NODES):
        state["tally"]["stands"][node] = 0
        state["tally"]["slides"][node] = 0
    for style in range(STYLES):
        state["supply"][style] = 0
    for day in range(MAX_DAYS):
        state["weather"][day] = -1


@kernel
def clear_village(state):
    """Nobody is in the village."""
    state["track_at"] = 0
    state["guest"] = -1
    state["pay_left"] = 0
    state["swap_run"] = -1
    state["purchases"] = 0
    for position in range(PLACES):
        state["guests_n"][position] = 0
    for card in range(TYPES):
        state["paid"][card] = 0


@kernel
def clear_seat(state, work, seat):
    """One player without anything (SC-SETUP-03)."""
    state["cards"][seat] = 0
    state["node"][seat] = 0
    state["vp"][seat] = 0
    state["fame"][seat] = 0
    state["markers"][seat] = 0
    state["explosives"][seat] = 0
    state["tickets"][seat] = 0
    state["slides_by_rival"][seat] = 0
    state["track"][seat] = seat
    state["position"][seat] = ON_TRACK
    state["final"][seat] = 0
    for card in range(TYPES):
        state["hand"][seat, card] = 0
        state["known"][seat, card] = 0
    for difficulty in range(DIFFICULTIES):
        state["tops"][seat, difficulty] = 0
    for gear in range(MAX_GEAR):
        state["owned"][seat, gear] = 0
    for ability in range(N_ABILITIES):
        state["able"][seat, ability] = 0
    for award in range(AWARDS):
        state["award"][seat, award] = 0
    state["seat_rows"][seat] = work["blank_seats"][0]


@kernel
def seat_players(state, rules, treatments, players):
    """Players at lodge 1 with their markers; tokens in the supply (SC-SETUP-01 to SC-SETUP-03)."""
    state["players"] = players
    state["n_seats"] = players
    state["board"] = board_of(players)
    state["explosives_left"] = rules["explosives"]
    state["tickets_left"] = rules["tickets"]
    for seat in range(players):
        state["treatment"][seat] = treatments[seat]
        state["node"][seat] = rules["boards"][state["board"]]["base"]
        state["markers"][seat] = rules["markers"]


@kernel
def set_up(state, rules, work, events, treatments, players, root, block):
    """Everything up to the first turn (SC-SETUP-01 to SC-SETUP-10)."""
    clear_state(state, work)
    seat_players(state, rules, treatments, players)
    state["root"] = root
    state["block"] = block
    board = rules["boards"][state["board"]]
    draw_weather(state, rules, work)
    draw_styles(state, rules, board, work)
    tell_setup(state, rules, board, events)
    draw_gear(state, rules)
    bring_forward(state, rules)
    reveal_gear(state, rules, events)
    note_gear_row(state, rules, 1)
    draw_deck(state, rules)
    state["min_deck"] = state["deck_n"]
    tell_order(state, events)
    deal(state, rules, work, events)
    state["pc"] = PC_MORNING


@kernel
def tell_setup(state, rules, board, events):
    """Events and records of weather and styles."""
    game = state["game_rows"][0]
    faces = 0
    for index in range(rules["days"]):
        faces = faces * _FACE_BASE + state["weather"][rules["days"] - 1 - index]
    game["weather2"] = state["weather"][1]
    if rules["days"] > 2:
        game["weather3"] = state["weather"][2]
    emit(
        state, events, EVENT_SETUP, -1, state["n_seats"], state["board"], state["first"], faces,
        rules["days"], 0,
    )  # fmt: skip
    for run in range(board["n_runs"]):
        game["style_start"][run] = state["style"][run]
        if state["style"][run] >= 0:
            emit(state, events, EVENT_STYLE, -1, run, state["style"][run], 0, 0, 0, 0)
    for style in range(STYLES):
        if state["supply"][style] > 0:
            emit(state, events, EVENT_SUPPLY, -1, style, state["supply"][style], 0, 0, 0, 0)


@kernel
def bring_forward(state, rules):
    """Hook ``gear_offer``: a card of the deck is among those of the first evening."""
    wanted = -1
    for seat in range(state["n_seats"]):
        if state["treatment"][seat]["gear_offer"] > 0:
            wanted = state["treatment"][seat]["gear_offer"] - 1
    deck = state["gear_deck"]
    for index in range(min(rules["gear_row"], state["gear_deck_n"])):
        if deck[index] == wanted:
            return
    for index in range(rules["gear_row"], state["gear_deck_n"]):
        if deck[index] == wanted:
            deck[index] = deck[0]
            deck[0] = wanted
            return


@kernel
def deal(state, rules, work, events):
    """The row, then the hands, seat by seat (SC-SETUP-09, SC-SETUP-10)."""
    fill_row(state, rules, work, events)
    for seat in range(state["n_seats"]):
        for _ in range(rules["hand"]):
            card = draw_to_hand(state, rules, work, events, seat, 0)
            if card < 0:
                return
            emit(state, events, EVENT_DEAL, seat, card, 0, 0, 0, 0, 0)


@kernel
def place_empty(state, rules, work, treatments, players):
    """A table without cards on it: where scripted positions begin."""
    clear_state(state, work)
    state["root"] = 0
    state["block"] = 0
    seat_players(state, rules, treatments, players)
