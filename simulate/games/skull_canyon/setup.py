"""Setting up a game: board, weather, styles, gear, slope cards, hands (rulebook: Setup)."""

from __future__ import annotations

from simulate.games.skull_canyon.cards import draw_to_hand, fill_row, tell_order
from simulate.games.skull_canyon.chance import draw_deck, draw_gear, draw_styles, draw_weather
from simulate.games.skull_canyon.days import note_gear_row
from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import reveal_gear
from simulate.games.skull_canyon.state import (
    BLANK,
    EVENT_DEAL,
    EVENT_SETUP,
    EVENT_STYLE,
    EVENT_SUPPLY,
    ON_TRACK,
    PC_MORNING,
    PC_OVER,
    STYLES,
)
from simulate.jit import copy_record, kernel

TWO_PLAYERS = 2
_FACE_BASE = 8  # weather faces packed in one number of an event


@kernel
def board_of(players):
    """SC-SCOPE-02: which side of the board."""
    return 0 if players == TWO_PLAYERS else 1


@kernel
def seat_players(state, rules, treatments, players):
    """Players at lodge 1 with their markers; tokens in the supply (SC-SETUP-01 to SC-SETUP-03)."""
    state["day"] = 1
    state["players"] = players
    state["n_seats"] = players
    state["board"] = board_of(players)
    state["explosives_left"] = rules["explosives"]
    state["tickets_left"] = rules["tickets"]
    for seat in range(players):
        state["treatment"][seat] = treatments[seat]
        state["node"][seat] = rules["boards"][state["board"]]["base"]
        state["markers"][seat] = rules["markers"]
        state["track"][seat] = seat
        state["position"][seat] = ON_TRACK


@kernel
def set_up(state, rules, work, events, treatments, players, root, block):
    """Everything up to the first turn (SC-SETUP-01 to SC-SETUP-10)."""
    copy_record(state, BLANK[0])
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
    for index in range(state["gear_deck_n"]):
        if deck[index] == wanted:
            if index >= rules["gear_row"]:
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
def place_empty(state, rules, treatments, players):
    """A table without cards on it: where scripted positions begin."""
    copy_record(state, BLANK[0])
    state["pc"] = PC_OVER
    seat_players(state, rules, treatments, players)
