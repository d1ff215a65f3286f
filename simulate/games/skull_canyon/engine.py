"""The engine: a game as a program counter that runs until somebody must choose.

``advance`` calls one small step after another; each does one thing and sets ``state["pc"]``. A step
that needs a choice lists the options: two or more are asked, one is taken and counted as forced,
none skips the step. ``answer`` takes the chosen option; then ``advance`` runs on. Every rule lives
in the file of its chapter.
"""

from __future__ import annotations

from simulate.games.skull_canyon.actions import resolve_act, token_usable
from simulate.games.skull_canyon.avalanche import (
    BY_SET,
    next_slider,
    pay_tent,
    resolve_slide,
    start_avalanche,
)
from simulate.games.skull_canyon.claims import (
    decline,
    may_claim,
    note_gloves,
    place_marker,
    top_seat,
)
from simulate.games.skull_canyon.days import (
    begin_day,
    end_day,
    end_turn,
    next_day,
    next_night_owl,
    next_turn,
)
from simulate.games.skull_canyon.hotel import arrive, resolve_gear, settle_in, tomorrow
from simulate.games.skull_canyon.legal import list_options
from simulate.games.skull_canyon.places import (
    act_at_place,
    end_paying,
    gain_explosive,
    let_it_ride,
    resolve_pay,
    resolve_swap,
)
from simulate.games.skull_canyon.scoring import (
    end_game,
    is_winner,
    rank_of,
    wins_without_awards,
)
from simulate.games.skull_canyon.sets import (
    add_card,
    lay_pair,
    need_of,
    play_set,
    ramp_ready,
)
from simulate.games.skull_canyon.setup import deal
from simulate.games.skull_canyon.skiing import (
    earn_fame,
    go_down,
    may_use_goggles,
    note_blocked,
    resolve_goggles,
    score_run,
)
from simulate.games.skull_canyon.state import (
    ADD_STOP,
    ADVANCED,
    ASK_ACT,
    ASK_ADD,
    ASK_CLAIM,
    ASK_COLOUR,
    ASK_GEAR,
    ASK_GOGGLES,
    ASK_KEY,
    ASK_LODGE,
    ASK_MOVE,
    ASK_PAY,
    ASK_RAMP1,
    ASK_RAMP2,
    ASK_SLIDE,
    ASK_SWAP1,
    ASK_SWAP2,
    ASK_TAKE,
    ASK_YETI,
    EASY,
    EXPERT,
    MAX_GEAR,
    NO_QUESTION,
    PC_ACT,
    PC_ADD,
    PC_CLAIM,
    PC_COLOUR,
    PC_DAY_END,
    PC_DEAL,
    PC_EARN,
    PC_EVENING,
    PC_GEAR,
    PC_GO_DOWN,
    PC_GOGGLES,
    PC_HOTEL,
    PC_KEY,
    PC_LODGE,
    PC_MORNING,
    PC_MOVE,
    PC_NEXT_DAY,
    PC_NIGHT,
    PC_OVER,
    PC_PAY,
    PC_PLACE,
    PC_RAMP1,
    PC_RAMP2,
    PC_RUN_END,
    PC_SCORE,
    PC_SCORE_RUN,
    PC_SLIDE,
    PC_SWAP1,
    PC_SWAP2,
    PC_TAKE,
    PC_TURN,
    PC_TURN_END,
    PC_VILLAGE,
    PC_YETI,
    PC_YETI_FIRST,
    PC_YODEL,
    RUN_DEAL,
    RUN_VILLAGE,
    RUN_VILLAGE_NEXT,
    TAKE_TRAIN,
    YES,
)
from simulate.games.skull_canyon.train import resolve_take
from simulate.games.skull_canyon.village import (
    begin_village,
    move_on,
    next_guest,
    note_full,
)
from simulate.games.skull_canyon.yeti import move_yeti
from simulate.jit import kernel

NOTHING_ASKED = 0
QUESTION = 1


@kernel
def advance(state, rules, work, events):
    """Run on through forced steps until a question with two or more options, or the end."""
    while state["pc"] != PC_OVER:
        if run_step(state, rules, work, events) == QUESTION:
            count = work["n_options"]
            if count > 1:
                state["asked"] += 1
                state["options_total"] += count
                row = state["seat_rows"][state["to_move"]]
                row["seat_asked"] += 1
                row["seat_options"] += count
                return
            state["forced"] += 1
            answer(state, rules, work, events, work["options"][0])
    state["phase"] = NO_QUESTION
    state["to_move"] = -1
    work["n_options"] = 0


@kernel
def put(state, rules, work, question, seat):
    """List the options of a question and name it; QUESTION if there is any."""
    if list_options(state, rules, work, question, seat) == 0:
        return NOTHING_ASKED
    state["phase"] = question
    state["to_move"] = seat
    return QUESTION


@kernel
def run_step(state, rules, work, events):
    """One step of the procedure; QUESTION when options wait in WORK."""
    pc = state["pc"]
    if pc <= PC_SLIDE:
        return _ski_step(state, rules, work, events, pc, state["active"])
    if pc >= PC_VILLAGE:
        return _village_step(state, rules, work, events, pc, state["guest"])
    if pc == PC_TURN_END:
        end_turn(state, rules, events)
    elif pc == PC_NIGHT:
        next_night_owl(state, rules, events)
    elif pc == PC_DAY_END:
        end_day(state, rules, events)
    elif pc == PC_EVENING:
        begin_village(state, rules, events)
    elif pc == PC_MORNING:
        begin_day(state, rules, events)
    elif pc == PC_DEAL:
        state["pc"] = PC_OVER if state["run"] == RUN_DEAL else PC_MORNING
        deal(state, rules, work, events)
    return NOTHING_ASKED


@kernel
def _ski_step(state, rules, work, events, pc, seat):
    """Steps of a turn."""
    if pc == PC_ACT:
        return _step_act(state, rules, work, seat)
    if pc == PC_TAKE:
        return _step_take(state, rules, work, seat)
    if pc == PC_ADD:
        return put(state, rules, work, ASK_ADD, seat)
    if pc == PC_KEY:
        return put(state, rules, work, ASK_KEY, seat)
    if pc == PC_TURN:
        next_turn(state, rules, events)
    elif pc == PC_RAMP1:
        return _step_ramp(state, rules, work, seat)
    elif pc == PC_RAMP2:
        return put(state, rules, work, ASK_RAMP2, seat)
    elif pc == PC_SLIDE:
        return _step_slide(state, rules, work, events)
    else:
        return _run_step(state, rules, work, events, pc, seat)
    return NOTHING_ASKED


@kernel
def _run_step(state, rules, work, events, pc, seat):
    """Steps 2 to 6 of skiing a run (rulebook: Ski a Run)."""
    board = rules["boards"][state["board"]]
    if pc == PC_YETI_FIRST:
        state["pc"] = PC_GO_DOWN
        return put(state, rules, work, ASK_YETI, seat)
    if pc == PC_GO_DOWN:
        go_down(state, board, seat)
        state["pc"] = PC_SCORE_RUN
        if state["exact"] == 0 and state["set_yetis"] == rules["yeti_move"]:
            state["pc"] = PC_YETI
    elif pc == PC_YETI:
        state["pc"] = PC_SCORE_RUN
        return put(state, rules, work, ASK_YETI, seat)
    elif pc == PC_SCORE_RUN:
        score_run(state, rules, board, events, seat)
        state["pc"] = PC_GOGGLES
    elif pc == PC_GOGGLES:
        state["pc"] = PC_EARN
        if may_use_goggles(state, seat):
            return put(state, rules, work, ASK_GOGGLES, seat)
    elif pc == PC_EARN:
        earn_fame(state, rules, board, events, seat)
        state["pc"] = PC_CLAIM
    elif pc == PC_CLAIM:
        return _step_claim(state, rules, board, work, seat)
    elif pc == PC_RUN_END:
        state["pc"] = PC_ACT
        if state["set_yetis"] >= rules["avalanche_from"]:
            start_avalanche(state, rules, events, seat, BY_SET, PC_ACT)
    return NOTHING_ASKED


@kernel
def _village_step(state, rules, work, events, pc, seat):
    """Steps of the evening, of the morning, and the end."""
    if pc == PC_VILLAGE:
        return _step_village(state)
    if pc == PC_MOVE:
        note_full(state, rules, seat)
        return put(state, rules, work, ASK_MOVE, seat)
    if pc == PC_PAY:
        if state["pay_left"] > 0:
            return put(state, rules, work, ASK_PAY, seat)
        end_paying(state, rules, work, events)
    elif pc == PC_PLACE:
        act_at_place(state, rules, events, seat)
    elif pc == PC_SWAP1:
        return put(state, rules, work, ASK_SWAP1, seat)
    elif pc == PC_SWAP2:
        return put(state, rules, work, ASK_SWAP2, seat)
    elif pc == PC_YODEL:
        gain_explosive(state, rules, events, seat)
        state["pc"] = PC_VILLAGE
    elif pc == PC_COLOUR:
        return put(state, rules, work, ASK_COLOUR, seat)
    elif pc == PC_HOTEL:
        arrive(state, rules, work, events, seat)
    elif pc == PC_GEAR:
        return _step_gear(state, rules, work, seat)
    elif pc == PC_LODGE:
        return _step_lodge(state, rules, work, events, seat)
    elif pc == PC_NEXT_DAY:
        _step_next_day(state, rules, events)
    elif pc == PC_SCORE:
        end_game(state, rules, events)
    return NOTHING_ASKED


@kernel
def answer(state, rules, work, events, code):
    """Take the chosen option of the question that is asked."""
    question = state["phase"]
    seat = state["to_move"]
    if question == ASK_ACT:
        resolve_act(state, rules, work, events, seat, code)
    elif question == ASK_TAKE:
        if resolve_take(state, rules, work, events, seat, code):
            _end_taking(state)
    elif question == ASK_ADD:
        _answer_add(state, rules, work, events, seat, code)
    elif question == ASK_KEY:
        state["key"] = code
        state["pc"] = PC_RAMP1
    elif question == ASK_CLAIM:
        _answer_claim(state, rules, events, seat, code)
    elif question == ASK_SLIDE:
        resolve_slide(state, rules, events, seat, code)
    elif question == ASK_YETI:
        move_yeti(state, events, seat, code)
    elif question == ASK_MOVE:
        move_on(state, rules, events, seat, code)
    elif question == ASK_PAY:
        resolve_pay(state, events, seat, code)
    elif question == ASK_GEAR:
        resolve_gear(state, rules, events, seat, code)
    elif question == ASK_LODGE:
        settle_in(state, events, seat, code)
    elif question == ASK_COLOUR:
        state["pc"] = PC_VILLAGE
        let_it_ride(state, rules, work, events, seat, code)
    elif question == ASK_SWAP1:
        state["pc"] = PC_YODEL
        if code > 0:
            state["swap_run"] = code - 1
            state["pc"] = PC_SWAP2
    elif question == ASK_SWAP2:
        state["pc"] = PC_YODEL
        resolve_swap(state, events, seat, code)
    elif question == ASK_GOGGLES:
        resolve_goggles(state, rules, events, seat, code)
    elif question == ASK_RAMP1:
        state["pc"] = PC_ADD
        if code > 0:
            state["pair1"] = code - 1
            state["pc"] = PC_RAMP2
    elif question == ASK_RAMP2:
        state["pc"] = PC_ADD
        lay_pair(state, rules, seat, code)


# ------------------------------------------------------------------------------- turns
@kernel
def _step_act(state, rules, work, seat):
    """ACT is built while actions are left or a token can be used (SC-TURN-03)."""
    if state["actions"] > 0:
        note_blocked(state, rules, rules["boards"][state["board"]], seat)
    elif not token_usable(state, rules, seat):
        state["pc"] = PC_TURN_END
        return NOTHING_ASKED
    return put(state, rules, work, ASK_ACT, seat)


@kernel
def _step_take(state, rules, work, seat):
    """The next card of Train or Happy Hour; nothing to choose ends it (SC-EDGE-09)."""
    taker = seat if state["take_for"] == TAKE_TRAIN else state["guest"]
    if put(state, rules, work, ASK_TAKE, taker) == QUESTION:
        return QUESTION
    _end_taking(state)
    return NOTHING_ASKED


@kernel
def _end_taking(state):
    """Back to the turn, or to the village path."""
    state["pc"] = PC_ACT if state["take_for"] == TAKE_TRAIN else PC_VILLAGE


# ------------------------------------------------------------------------------- a run
@kernel
def _step_ramp(state, rules, work, seat):
    """RAMP1 comes up for an owner of Ramp who has not used it this turn."""
    if ramp_ready(state, seat):
        return put(state, rules, work, ASK_RAMP1, seat)
    state["pc"] = PC_ADD
    return NOTHING_ASKED


@kernel
def _answer_add(state, rules, work, events, seat, code):
    """A card more, or the set is played."""
    if code != ADD_STOP:
        add_card(state, seat, code)
        return
    board = rules["boards"][state["board"]]
    need = need_of(state, rules, board, seat, state["skied"])
    state["pc"] = PC_YETI_FIRST if state["exact"] == 1 else PC_GO_DOWN
    play_set(state, rules, work, events, seat, need)


@kernel
def _step_claim(state, rules, board, work, seat):
    """CLAIM if the set is large enough and a marker is left (SC-CLAIM-02, SC-CLAIM-07)."""
    run = state["skied"]
    state["pc"] = PC_RUN_END
    if not may_claim(state, rules, board, seat, run, state["size"]):
        note_gloves(state, rules, board, seat, run, state["size"])
        return NOTHING_ASKED
    return put(state, rules, work, ASK_CLAIM, seat)


@kernel
def _answer_claim(state, rules, events, seat, code):
    """Claim, or decline."""
    if code == YES:
        place_marker(state, rules["boards"][state["board"]], events, seat, state["skied"])
    else:
        decline(state, events, seat, state["skied"])


@kernel
def _step_slide(state, rules, work, events):
    """The next slider; after the last the avalanche is over (SC-AVAL-03, SC-TURN-04)."""
    seat = next_slider(state, rules, events)
    if seat >= 0:
        return put(state, rules, work, ASK_SLIDE, seat)
    if rules["tent_before_slides"] == 0:
        pay_tent(state, rules, events, state["active"])
    state["pc"] = state["slide_return"]
    return NOTHING_ASKED


# ------------------------------------------------------------------------------- the village
@kernel
def _step_village(state):
    """Whose village turn it is; when all are at the Hotel the evening is over."""
    seat = next_guest(state)
    state["guest"] = seat
    state["pc"] = PC_MOVE
    if seat < 0:
        state["pc"] = PC_OVER if state["run"] == RUN_VILLAGE else PC_NEXT_DAY
    return NOTHING_ASKED


@kernel
def _step_gear(state, rules, work, seat):
    """GEAR, once or as often as the rules allow."""
    if state["purchases"] < rules["per_hotel"]:
        return put(state, rules, work, ASK_GEAR, seat)
    state["pc"] = PC_LODGE
    return NOTHING_ASKED


@kernel
def _step_lodge(state, rules, work, events, seat):
    """SC-HOTEL-03: lodge 1, or any lodge before a snowy day."""
    if rules["weather_any_lodge"][tomorrow(state)] == 1:
        return put(state, rules, work, ASK_LODGE, seat)
    settle_in(state, events, seat, rules["boards"][state["board"]]["base"])
    return NOTHING_ASKED


@kernel
def _step_next_day(state, rules, events):
    """The next day of Ski Fest."""
    next_day(state, rules, events)
    if state["run"] == RUN_VILLAGE_NEXT:
        state["pc"] = PC_OVER


# ------------------------------------------------------------------------------- the verbs
@kernel
def finish(state, rules, game_row, seat_rows):
    """Fill the records of a game that is over; ``seat_rows`` holds at least one row a seat.

    ``game_row`` is an array of one GAME_ROW. The caller adds what it alone knows: game_id, block,
    cell, rotation, strategy, position, treated.
    """
    _finish_game(state, rules)
    for seat in range(state["n_seats"]):
        _finish_seat(state, seat)
        seat_rows[seat] = state["seat_rows"][seat]
    game_row[0] = state["game_rows"][0]


@kernel
def _finish_game(state, rules):
    """Game columns that are known only at the end."""
    row = state["game_rows"][0]
    n_seats = state["n_seats"]
    row["n_seats"] = n_seats
    row["turns"] = state["turn"]
    row["rounds"] = state["day"]
    row["asked"] = state["asked"]
    row["forced"] = state["forced"]
    row["players"] = state["players"]
    row["layout"] = rules["layout"]
    row["deck_set"] = rules["deck_set"]
    row["gear_set"] = rules["gear_set"]
    row["slots_set"] = rules["slots_set"]
    row["switches"] = rules["switches_off"]
    row["min_deck"] = state["min_deck"]
    row["options_total"] = state["options_total"]
    if state["asked"] > 0:
        row["mean_options"] = state["options_total"] / state["asked"]
    row["win_k"] = state["win_k"]
    row["tie_level"] = state["tie_level"]
    _finish_runs(state, rules)
    _finish_margins(state)
    for seat in range(n_seats):
        row["winner_seats"][seat] = 1 if is_winner(state, seat) else 0
        row["winner_no_awards"][seat] = 1 if wins_without_awards(state, seat) else 0


@kernel
def _finish_runs(state, rules):
    """Runs at the end: skied, topped, markers."""
    row = state["game_rows"][0]
    board = rules["boards"][state["board"]]
    for run in range(board["n_runs"]):
        row["style_end"][run] = state["style"][run]
        row["top_run"][run] = top_seat(state, run)
        if row["ski_run"][run] == 0:
            row["runs_never_skied"] += 1
        if state["stack_n"][run] > 0:
            row["runs_topped"] += 1


@kernel
def _finish_margins(state):
    """VP between first and second, first and last."""
    first = -1
    second = -1
    last = state["final"][0]
    for seat in range(state["n_seats"]):
        score = state["final"][seat]
        last = min(last, score)
        second = max(second, min(first, score))
        first = max(first, score)
    row = state["game_rows"][0]
    row["margin"] = first - second
    row["spread"] = first - last


@kernel
def _finish_seat(state, seat):
    """Seat columns that are known only at the end (SC-END-06 for win share and rank)."""
    row = state["seat_rows"][seat]
    row["seat"] = seat
    row["side"] = seat
    row["win"] = is_winner(state, seat)
    row["win_share"] = 1.0 / state["win_k"] if is_winner(state, seat) else 0.0
    row["rank"] = rank_of(state, seat)
    row["score"] = state["final"][seat]
    row["vp_final"] = state["final"][seat]
    row["fame_left"] = state["fame"][seat]
    row["cards_left"] = state["cards"][seat]
    row["tops_easy"] = state["tops"][seat, EASY]
    row["tops_adv"] = state["tops"][seat, ADVANCED]
    row["tops_exp"] = state["tops"][seat, EXPERT]
    for gear in range(MAX_GEAR):
        row["gear_owned"][gear] = state["owned"][seat, gear]
