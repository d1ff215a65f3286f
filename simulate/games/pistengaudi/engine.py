"""The engine: a game as a program counter that runs until somebody must choose.

``advance`` calls one small step after another; each does one thing and sets ``state["pc"]``. A step
that needs a choice lists the options: two or more are asked, one is taken and counted as forced,
none skips the step. ``answer`` takes the chosen option; then ``advance`` runs on. All decisions are
those of the seat whose turn it is; every rule lives in the file of its chapter.
"""

from __future__ import annotations

from simulate.games.pistengaudi.drawing import (
    after_hand,
    draw_cards,
    end_cards,
    set_aside,
)
from simulate.games.pistengaudi.effects import (
    effect_of,
    find_nobody,
    resolve_groom,
    resolve_snow,
)
from simulate.games.pistengaudi.empty import meet_empty, put_back, resolve_empty
from simulate.games.pistengaudi.ending import best_in_goal, place_of
from simulate.games.pistengaudi.legal import list_options
from simulate.games.pistengaudi.placing import resolve_place
from simulate.games.pistengaudi.riding import resolve_move, stand_up
from simulate.games.pistengaudi.setup import tell_setup
from simulate.games.pistengaudi.slope import cell_at, figure_row, is_signed, progress
from simulate.games.pistengaudi.state import (
    ASK_EMPTY,
    ASK_GROOM,
    ASK_MOVE,
    ASK_PLACE,
    ASK_SNOW,
    FREE,
    NO_QUESTION,
    PC_CARDS_END,
    PC_DRAW,
    PC_EFFECT,
    PC_EMPTY,
    PC_MOVE,
    PC_OVER,
    PC_PLACE,
    PC_ROUND,
    PC_SLOT,
    PC_TURN,
    PC_TURN_END,
    TALLY_ROUNDS,
    F,
    J,
)
from simulate.games.pistengaudi.tracking import note_vetoes, rank_after
from simulate.games.pistengaudi.turn import begin_round, begin_turn, end_turn
from simulate.jit import kernel

NOTHING_ASKED = 0
QUESTION = 1
SECONDS_PER_MINUTE = 60.0


@kernel
def advance(state, rules, work, events):
    """Run on through forced steps until a question with two or more options, or the end."""
    while state["pc"] != PC_OVER:
        if run_step(state, rules, work, events) == QUESTION:
            row = state["seat_rows"][state["to_move"]]
            if work["n_options"] > 1:
                note_question(state, state["phase"], work["n_options"])
                return
            state["forced"] += 1
            row["seat_forced"] += 1
            answer(state, rules, work, events, work["options"][0])
    state["phase"] = NO_QUESTION
    state["to_move"] = -1
    work["n_options"] = 0


@kernel
def note_question(state, question, count):
    """Decision density (spec 8): questions asked and options offered, by kind."""
    state["asked"] += 1
    own = state["seat_rows"][state["to_move"]]
    own["seat_asked"] += 1
    own["think_options"] += count
    row = state["game_rows"][0]
    if question == ASK_PLACE:
        row["dec_place"] += 1
        row["opt_place"] += count
    elif question == ASK_MOVE:
        row["dec_move"] += 1
        row["opt_move"] += count
    elif question == ASK_SNOW:
        row["dec_snow"] += 1
        row["opt_snow"] += count
    elif question == ASK_GROOM:
        row["dec_groom"] += 1
        row["opt_groom"] += count
    else:
        row["dec_empty"] += 1
        row["opt_empty"] += count


@kernel
def put(state, rules, work, question):
    """List the options of a question and name it; QUESTION if there is any."""
    if list_options(state, rules, work, question, state["seat"]) == 0:
        return NOTHING_ASKED
    state["phase"] = question
    state["to_move"] = state["seat"]
    return QUESTION


@kernel
def run_step(state, rules, work, events):
    """One step of the order of play (PG-TURN-02); QUESTION when options wait in WORK."""
    pc = state["pc"]
    if pc == PC_ROUND:
        if state["round"] == 0:
            tell_setup(state, rules, events)
        begin_round(state, events)
    elif pc == PC_TURN:
        begin_turn(state, rules, events)
    elif pc == PC_DRAW:
        draw_cards(state, rules, events)
    elif pc == PC_PLACE:
        return _step_place(state, rules, work, events)
    elif pc == PC_SLOT:
        after_hand(state, rules)
    elif pc == PC_EMPTY:
        meet_empty(state, events)
        return put(state, rules, work, ASK_EMPTY)
    elif pc == PC_CARDS_END:
        end_cards(state, rules, events)
    elif pc == PC_MOVE:
        return _step_move(state, rules, work, events)
    elif pc == PC_EFFECT:
        return _step_effect(state, rules, work, events)
    elif pc == PC_TURN_END:
        end_turn(state, rules, work, events)
    return NOTHING_ASKED


@kernel
def answer(state, rules, work, events, code):
    """Take the chosen option of the question that is asked."""
    question = state["phase"]
    if question == ASK_PLACE:
        resolve_place(state, rules, events, code)
    elif question == ASK_MOVE:
        resolve_move(state, rules, work, events, code)
    elif question == ASK_SNOW:
        resolve_snow(state, rules, work, events, code)
    elif question == ASK_GROOM:
        resolve_groom(state, work, events, code)
    elif question == ASK_EMPTY:
        resolve_empty(state, events, code)


@kernel
def _step_place(state, rules, work, events):
    """PG-DRAW-02: place while something can be placed; else PG-DRAW-05 or PG-EMPTY-06."""
    if state["n_hand"] == 0:
        state["pc"] = PC_SLOT
        return NOTHING_ASKED
    asked = put(state, rules, work, ASK_PLACE)
    state["vetoed"] = work["vetoed"]
    note_vetoes(state, work["vetoed"])
    if asked == NOTHING_ASKED:
        if state["lifted_cell"] >= 0:
            put_back(state, rules, events)
        else:
            set_aside(state, events)
    return asked


@kernel
def _step_move(state, rules, work, events):
    """Action 2: stand up, or ride."""
    seat = state["seat"]
    if state["lying"][seat] == 1:
        stand_up(state, rules, events, seat)
        return NOTHING_ASKED
    return put(state, rules, work, ASK_MOVE)


@kernel
def _step_effect(state, rules, work, events):
    """PG-FX-01: the effect of the end space."""
    state["pc"] = PC_TURN_END
    question = effect_of(state, state["seat"])
    if question == NO_QUESTION:
        return NOTHING_ASKED
    asked = put(state, rules, work, question)
    if asked == NOTHING_ASKED:
        find_nobody(state, events, question)
    return asked


# ------------------------------------------------------------------------------- the verbs
@kernel
def finish(state, rules, game_row, seat_rows):
    """Fill the records of a game that is over; ``seat_rows`` holds at least one row a seat.

    ``game_row`` is an array of one GAME_ROW. The caller adds what it alone knows: game_id, block,
    cell, rotation, strategy, position, treated.
    """
    _finish_game(state, rules)
    _finish_slope(state, rules)
    for seat in range(state["n_seats"]):
        _finish_seat(state, rules, seat)
        seat_rows[seat] = state["seat_rows"][seat]
    game_row[0] = state["game_rows"][0]
    _finish_tally(state)


@kernel
def _finish_game(state, rules):
    """Game columns that are known only at the end."""
    row = state["game_rows"][0]
    row["n_seats"] = state["n_seats"]
    row["turns"] = state["turn"]
    row["rounds"] = state["round"]
    row["asked"] = state["asked"]
    row["forced"] = state["forced"]
    row["truncated"] = state["truncated"] == 1
    row["layout"] = rules["layout"]
    row["deck"] = rules["deck"]
    row["result"] = state["result"]
    row["est_minutes"] = state["turn"] * rules["seconds_per_turn"] / SECONDS_PER_MINUTE
    row["spread_mean"] = state["spread_sum"] / state["round"]
    half = state["round"] // 2
    row["leader_round3"] = state["sole_leader"][2]
    if half >= 1:
        row["leader_half"] = state["sole_leader"][half - 1]
    row["leader_last"] = state["sole_leader"][state["round"] - 1]
    winner = state["winner"]
    row["winner_seat"] = winner
    row["winner_reversed"] = best_in_goal(state, 1)
    for seat in range(state["n_seats"]):
        row["n_in_goal"] += 1 if state["area"][seat] > 0 else 0
        row["stranded_end"] += state["stranded"][seat]
        if winner >= 0 and seat != winner and state["area"][seat] == state["area"][winner]:
            row["tie_broken"] = True
    if winner >= 0:
        row["winner_area"] = state["area"][winner]
        row["overtaken_in_final"] = winner != row["trigger_seat"]


@kernel
def _finish_slope(state, rules):
    """What lies where at the end."""
    row = state["game_rows"][0]
    row["cards_left"] = state["n_stack"]
    row["cards_on_slope"] = state["n_slope"]
    row["width_left"] = -state["left_end"]
    row["width_right"] = state["right_end"]
    row["lowest_row_built"] = state["bottom"]
    for card in range(state["n_cards"]):
        cell = state["card_cell"][card]
        if cell >= 0:
            row["cards_never_ridden"] += 1 - state["card_ridden"][card]
            for half in range(cell, cell + 2):
                if is_signed(state["kind"][half]):
                    row["spaces_never_landed_on"] += 1 - state["ridden"][half]
                row["forest_on_slope"] += 1 if state["kind"][half] == F else 0
                row["jumps_on_slope"] += 1 if state["kind"][half] == J else 0
    kind = state["kind"]
    for x in range(state["left_end"], state["right_end"] + 1):
        first = cell_at(x, 0)
        for cell in range(first, first + rules["last_row"] + 1):
            if kind[cell] == FREE and kind[cell - 1] != FREE and kind[cell + 1] != FREE:
                row["holes_unfillable"] += 1


@kernel
def _finish_seat(state, rules, seat):
    """Seat columns that are known only at the end."""
    row = state["seat_rows"][seat]
    row["seat"] = seat
    row["side"] = seat
    row["won"] = seat == state["winner"]
    row["win_share"] = 1.0 if seat == state["winner"] else 0.0
    row["rank"] = place_of(state, seat)
    row["score"] = progress(state, rules, seat)
    row["goal_area"] = state["area"][seat]
    row["arrival"] = state["arrival"][seat]
    row["final_row"] = figure_row(state, rules, seat)
    half = state["round"] // 2
    worst = -1.0
    for index in range(half):
        worst = max(worst, rank_after(state, index, seat))
    row["worst_rank_half"] = worst
    if half >= 1:
        row["rank_half"] = rank_after(state, half - 1, seat)


@kernel
def _finish_tally(state):
    """How often a sole leader wins, by round (question 6 of the specification)."""
    tally = state["tally"]
    for index in range(state["round"]):
        leader = state["sole_leader"][index]
        if leader >= 0:
            at = min(index, TALLY_ROUNDS - 1)
            tally["sole_lead"][at] += 1
            if leader == state["winner"]:
                tally["sole_lead_won"][at] += 1
