"""Before the first turn: figures on the lift, the shuffled stack (rulebook: Setup)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.pistengaudi.chance import draw_stack, open_streams
from simulate.games.pistengaudi.slope import lay_out
from simulate.games.pistengaudi.state import (
    EVENT_SETUP,
    MAX_CARDS,
    MAX_HAND,
    MAX_ROUNDS,
    MAX_SEATS,
    NO_QUESTION,
    PC_OVER,
    PC_ROUND,
    RESULT_FINISHED,
    RUN_GAME,
    START_CELL,
    TALLY_CELLS,
    TALLY_ROUNDS,
)
from simulate.jit import kernel


@kernel
def fill_blanks(work):
    """Rows before anything has happened: zeros, and -1 where a column may stay empty."""
    game = work["blank_games"][0]
    game["winner_seat"] = -1
    game["winner_reversed"] = -1
    game["trigger_seat"] = -1
    game["stack_empty_turn"] = -1
    game["leader_round3"] = -1
    game["leader_half"] = -1
    game["leader_last"] = -1
    game["gap_trigger"] = -1
    game["deficit_trigger"] = -1
    seat = work["blank_seats"][0]
    seat["arrival"] = -1
    seat["goal_round"] = -1
    seat["worst_rank_half"] = -1.0
    seat["rank_half"] = -1.0
    seat["eta_round3"] = -1.0
    seat["eta_round6"] = -1.0
    work["ready"] = 1


@kernel
def clear_state(state, rules, work):
    """Set every field: records are reused from game to game."""
    if work["ready"] == 0:
        fill_blanks(work)
    state["turn"] = 0
    state["round"] = 0
    state["phase"] = NO_QUESTION
    state["to_move"] = -1
    state["over"] = 0
    state["run"] = RUN_GAME
    state["asked"] = 0
    state["forced"] = 0
    state["n_events"] = 0
    state["event_overflow"] = 0
    state["truncated"] = 0
    state["result"] = RESULT_FINISHED
    state["winner"] = -1
    state["seat"] = 0
    state["final"] = 0
    state["first_done"] = 0
    state["arrivals"] = 0
    state["last_leader"] = -1
    state["spread_sum"] = 0
    state["vetoed"] = 0
    clear_cards(state)
    for seat in range(MAX_SEATS):
        clear_figure(state, work, seat)
    for index in range(MAX_ROUNDS):
        state["sole_leader"][index] = -1
        for seat in range(MAX_SEATS):
            state["progress"][index, seat] = 0
    state["game_rows"][0] = work["blank_games"][0]
    clear_tally(state)
    lay_out(state, rules)


@kernel
def clear_cards(state):
    """No card anywhere."""
    state["slots"] = 0
    state["n_hand"] = 0
    state["n_aside"] = 0
    state["lifted_cell"] = -1
    state["lifted_turned"] = 0
    state["stack_top"] = 0
    state["n_stack"] = 0
    state["n_cards"] = 0
    state["n_slope"] = 0
    for place in range(MAX_HAND):
        state["hand"][place] = -1
        state["aside"][place] = -1
    for card in range(MAX_CARDS):
        state["stack"][card] = -1
        state["first"][card] = 0
        state["second"][card] = 0
        state["card_cell"][card] = -1
        state["turned"][card] = 0
        state["placed_by"][card] = -1


@kernel
def clear_figure(state, work, seat):
    """PG-SETUP-02: upright on the start cell."""
    state["side"][seat] = seat
    state["cell"][seat] = START_CELL
    state["area"][seat] = 0
    state["arrival"][seat] = -1
    state["lying"][seat] = 0
    state["stranded"][seat] = 0
    state["attacker"][seat] = -1
    state["seat_rows"][seat] = work["blank_seats"][0]


@kernel
def clear_tally(state):
    """Counts by cell and by round."""
    tally = state["tally"]
    for cell in range(TALLY_CELLS):
        tally["visits"][cell] = 0
        tally["landings"][cell] = 0
        tally["builds"][cell] = 0
        tally["falls"][cell] = 0
        tally["stands"][cell] = 0
    for index in range(TALLY_ROUNDS):
        tally["vetoes"][index] = 0
        tally["forest_cards"][index] = 0
        tally["sole_lead"][index] = 0
        tally["sole_lead_won"][index] = 0


@kernel
def set_up(state, rules, work, treatments, players, root, block):
    """PG-SETUP-01 to PG-SETUP-05: everything up to the first round; seat 0 starts."""
    clear_state(state, rules, work)
    state["n_seats"] = players
    for seat in range(players):
        state["treatment"][seat] = treatments[seat]
    open_streams(state, root, block)
    state["n_cards"] = rules["n_cards"]
    state["n_stack"] = rules["n_cards"]
    for card in range(rules["n_cards"]):
        state["first"][card] = rules["card_first"][card]
        state["second"][card] = rules["card_second"][card]
    draw_stack(state, work)
    state["pc"] = PC_ROUND


@kernel
def tell_setup(state, rules, events):
    """The set-up as an event: the words add the deck and the forest from the rules."""
    players = state["n_seats"]
    emit(
        state, events, EVENT_SETUP, -1, players, rules["per_turn"][players], state["n_stack"], 0,
        0, 0,
    )  # fmt: skip


@kernel
def place_empty(state, rules, work, treatments, players):
    """A table without cards: where scripted positions begin."""
    clear_state(state, rules, work)
    state["n_seats"] = players
    for seat in range(players):
        state["treatment"][seat] = treatments[seat]
    state["pc"] = PC_OVER
