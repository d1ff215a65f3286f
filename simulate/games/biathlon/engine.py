"""The engine: a race as a program counter that runs until somebody must choose.

``advance`` calls one small step after another; each does one thing and sets ``state["pc"]``. A step
that needs a choice lists the options: two or more are asked, one is taken and counted as forced,
none skips the step. ``answer`` takes the chosen option; then ``advance`` runs on. The order of play is the
procedure of spec 5.1; every rule lives in the file of its chapter.
"""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.columns import (
    HOW_FREE,
    HOW_MAIN,
    HOW_PAID,
    resolve_special,
    resolve_take,
)
from simulate.games.biathlon.downhill import may_slide, resolve_slide
from simulate.games.biathlon.drafting import (
    any_follower,
    begin_drafts,
    draft_is_barred,
    is_leader,
    next_follower,
    next_level,
    note_start,
    plan_path,
    resolve_draft,
)
from simulate.games.biathlon.ending import (
    RESULT_ALL_COLLAPSED,
    RESULT_FINISHED,
    RESULT_TRUNCATED,
    collapse,
    settle_winner,
)
from simulate.games.biathlon.legal import list_options
from simulate.games.biathlon.movement import (
    WALK_OWN,
    begin_walk,
    note_uphill,
    steps_of_turn,
    walk_step,
)
from simulate.games.biathlon.preparation import prepare, resolve_six, return_six
from simulate.games.biathlon.setup import begin_race, lay_wax
from simulate.games.biathlon.shooting import (
    may_fire,
    reroll_shot,
    resolve_visit_end,
    shoot_next,
)
from simulate.games.biathlon.stamina import (
    blue_markers,
    can_pay_one,
    payable,
    request_payment,
    resolve_pay,
)
from simulate.games.biathlon.state import (
    ASK_DIE,
    ASK_DRAFT,
    ASK_EXTRA,
    ASK_FREE,
    ASK_MAIN,
    ASK_MOVE,
    ASK_NATION,
    ASK_PAY,
    ASK_SHOT,
    ASK_SIX,
    ASK_SLIDE,
    ASK_SPECIAL,
    ASK_WAX,
    ASK_WAXPICK,
    EVENT_MOVE,
    HOME,
    ICON_FREE,
    ICON_MINUS,
    ICON_PAY,
    ICON_PLUS,
    ICON_ROLL1,
    ICON_ROLLALL,
    ICON_SHOOT,
    ICON_SPRINT,
    LOADOUT_CHOSEN,
    NO_QUESTION,
    PAY_EXTRA,
    PAY_WAX,
    PC_BEGIN_DRAFTS,
    PC_DRAFT_DONE,
    PC_DRAFT_LEVEL,
    PC_DRAFT_NEXT,
    PC_EXTRA,
    PC_EXTRA_TAKE,
    PC_ICON,
    PC_MAIN,
    PC_MOVE,
    PC_NATION,
    PC_NEXT_TURN,
    PC_OVER,
    PC_OWN_SLIDE,
    PC_PAY,
    PC_PREP_ROLL,
    PC_PREP_SIX,
    PC_ROUND,
    PC_SHOOT,
    PC_SIX,
    PC_SLIDE,
    PC_SPECIAL,
    PC_TURN_END,
    PC_VISIT_END,
    PC_W1,
    PC_W2,
    PC_W3,
    PC_W4,
    PC_WALK,
    PC_WAX,
    PC_WAXPICK,
    RACING,
    RUN_PREP,
)
from simulate.games.biathlon.turn import begin_round, end_turn, next_turn, seat_in_order
from simulate.games.biathlon.wax import (
    icon_usable,
    next_icon,
    open_window,
    resolve_die,
    resolve_roll_all,
    resolve_sprint_icon,
    resolve_wax,
)
from simulate.jit import kernel

NOTHING_ASKED = 0
QUESTION = 1


@kernel
def advance(state, rules, work, events):
    """Run on through forced steps until a question with two or more options, or the end."""
    while state["pc"] != PC_OVER:
        if run_step(state, rules, work, events) == QUESTION:
            count = work["n_options"]
            seat = state["to_move"]
            if count > 1:
                state["asked"] += 1
                state["options_total"] += count
                row = state["seat_rows"][seat]
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
    seat = state["active"]
    if pc == PC_WALK:
        walk_step(state, rules, events)
    elif pc == PC_PAY:
        return put(state, rules, work, ASK_PAY, state["payer"])
    elif pc == PC_WAX:
        return _step_wax(state, rules, work, seat)
    elif pc == PC_ICON:
        return _step_icon(state, rules, work, events, seat)
    elif pc == PC_SIX:
        return _step_six(state, rules, work, events, seat)
    elif pc == PC_PREP_SIX:
        return _step_prep_six(state, rules, work, events)
    elif pc == PC_NEXT_TURN:
        next_turn(state, rules, events)
    elif pc == PC_W1:
        open_window(state, 1, PC_MAIN)
    elif pc == PC_MAIN:
        if put(state, rules, work, ASK_MAIN, seat) == QUESTION:
            return QUESTION
        state["pc"] = PC_W2
    elif pc == PC_W2:
        open_window(state, 2, PC_EXTRA)
    elif pc == PC_EXTRA:
        return _step_extra(state, rules, work, seat)
    elif pc == PC_EXTRA_TAKE:
        resolve_take(state, rules, events, seat, state["pending_column"], HOW_PAID, PC_W2)
    elif pc == PC_SPECIAL:
        return _step_special(state, rules, work, events, seat)
    elif pc == PC_SHOOT:
        _step_shoot(state, rules, work, events, seat)
    elif pc == PC_W3:
        open_window(state, 3, PC_SHOOT)
    elif pc == PC_VISIT_END:
        resolve_visit_end(state, rules, events, seat)
        state["pc"] = PC_TURN_END
    elif pc == PC_MOVE:
        return _step_move(state, rules, work, events, seat)
    elif pc == PC_OWN_SLIDE:
        _step_own_slide(state)
    elif pc == PC_SLIDE:
        return _step_slide(state, rules, work)
    elif pc == PC_BEGIN_DRAFTS:
        begin_drafts(state, rules)
    elif pc == PC_DRAFT_LEVEL:
        next_level(state, rules)
    elif pc == PC_DRAFT_NEXT:
        return _step_draft(state, rules, work)
    elif pc == PC_DRAFT_DONE:
        _step_draft_done(state, rules)
    elif pc == PC_W4:
        _step_last_window(state, seat)
    elif pc == PC_TURN_END:
        end_turn(state, rules, events)
    elif pc == PC_ROUND:
        begin_round(state, rules, events)
    elif pc == PC_PREP_ROLL:
        _step_prep_roll(state, rules, work, events)
    elif pc == PC_NATION:
        return _step_nation(state, rules, work)
    elif pc == PC_WAXPICK:
        return _step_waxpick(state, rules, work, events)
    return NOTHING_ASKED


@kernel
def answer(state, rules, work, events, code):
    """Take the chosen option of the question that is asked."""
    question = state["phase"]
    seat = state["to_move"]
    active = state["active"]
    if question == ASK_PAY:
        resolve_pay(state, events, code - 1)
    elif question == ASK_MOVE:
        _take_route(state, work, active, code)
    elif question == ASK_MAIN:
        resolve_take(state, rules, events, active, code - 1, HOW_MAIN, PC_W2)
    elif question == ASK_EXTRA:
        _take_extra(state, code)
    elif question == ASK_WAX:
        resolve_wax(state, rules, events, active, code)
    elif question == ASK_SIX:
        resolve_six(state, events, seat, code, 1 if state["pc"] == PC_PREP_SIX else 0)
    elif question == ASK_DRAFT:
        resolve_draft(state, rules, work, events, seat, code)
    elif question == ASK_SLIDE:
        resolve_slide(state, rules, work, events, seat, code, PC_SLIDE)
    elif question == ASK_FREE:
        resolve_take(state, rules, events, active, code - 1, HOW_FREE, PC_ICON)
    elif question == ASK_DIE:
        state["six_return"] = PC_ICON
        state["pc"] = PC_SIX
        resolve_die(state, rules, work, events, active, code)
    elif question == ASK_SHOT:
        reroll_shot(state, rules, work, events, active, code - 1)
    elif question == ASK_SPECIAL:
        resolve_special(state, rules, events, active, code)
    elif question == ASK_NATION:
        state["nation"][seat] = code
    elif question == ASK_WAXPICK:
        state["slots"][seat, state["icon_at"]] = code
        state["icon_at"] += 1


# ------------------------------------------------------------------------------- setup and rounds
@kernel
def _step_nation(state, rules, work):
    """D-NATION, seat by seat."""
    seat = 0
    while seat < state["n_seats"] and state["nation"][seat] >= 0:
        seat += 1
    if seat < state["n_seats"]:
        return put(state, rules, work, ASK_NATION, seat)
    lay_wax(state, rules, state["root"], state["block"])
    state["pc"] = PC_WAXPICK
    return NOTHING_ASKED


@kernel
def _step_waxpick(state, rules, work, events):
    """D-WAXPICK: slot 1 to 6, seat by seat (BI-SET-07)."""
    if rules["loadout_mode"] == LOADOUT_CHOSEN:
        if state["icon_at"] >= rules["slots"]:
            state["icon_at"] = 0
            state["order_at"] += 1
        if state["order_at"] < state["n_seats"] and rules["slots"] > 0:
            return put(state, rules, work, ASK_WAXPICK, state["order_at"])
    begin_race(state, rules, events)
    return NOTHING_ASKED


@kernel
def _step_prep_roll(state, rules, work, events):
    """BI-PREP-07: all roll and place their 1-5s, in turn order; the 6s come afterwards."""
    if state["run"] == RUN_PREP:
        prepare(state, rules, work, events, state["prep_seat"])
    else:
        seat = seat_in_order(state)
        while seat >= 0:
            prepare(state, rules, work, events, seat)
            seat = seat_in_order(state)
    state["order_at"] = 0
    state["pc"] = PC_PREP_SIX


@kernel
def _step_prep_six(state, rules, work, events):
    """D-SIX in turn order, one 6 at a time (BI-PREP-05)."""
    seat = state["prep_at"]
    if seat < 0 or state["sixes"][seat] == 0:
        seat = seat_in_order(state)
        state["prep_at"] = seat
        if seat < 0:
            state["order_at"] = 0
            state["pc"] = PC_OVER if state["run"] == RUN_PREP else PC_NEXT_TURN
            return NOTHING_ASKED
    if state["sixes"][seat] > 0:
        if put(state, rules, work, ASK_SIX, seat) == QUESTION:
            return QUESTION
        return_six(state, events, seat, 1)
    return NOTHING_ASKED


# ------------------------------------------------------------------------------- wax
@kernel
def _step_wax(state, rules, work, seat):
    """A window repeats until "none" or until nothing is usable (BI-WAX-02)."""
    if list_options(state, rules, work, ASK_WAX, seat) > 1:
        state["phase"] = ASK_WAX
        state["to_move"] = seat
        return QUESTION
    state["pc"] = state["window_return"]
    return NOTHING_ASKED


@kernel
def _step_icon(state, rules, work, events, seat):
    """Carry out the next icon of the token in use; unusable ones are skipped (``wax_burn``)."""
    icon = next_icon(state, rules)
    if icon == 0:
        state["wax_side"] = 0
        state["pc"] = PC_WAX
    elif rules["wax_burn"] == 1 and not icon_usable(state, rules, seat, icon):
        return NOTHING_ASKED
    elif icon == ICON_PLUS:
        state["plus"] += 1
    elif icon == ICON_MINUS:
        state["plus"] -= 1
    elif icon == ICON_SPRINT:
        resolve_sprint_icon(state, seat)
    elif icon == ICON_PAY:
        if can_pay_one(state, seat):
            request_payment(state, seat, PAY_WAX, PC_ICON)
    elif icon == ICON_FREE:
        return put(state, rules, work, ASK_FREE, seat)
    elif icon == ICON_ROLL1:
        return put(state, rules, work, ASK_DIE, seat)
    elif icon == ICON_ROLLALL:
        state["six_return"] = PC_ICON
        state["pc"] = PC_SIX
        resolve_roll_all(state, rules, work, events, seat)
    elif icon == ICON_SHOOT:
        if rules["reroll_target"] == 1:
            return put(state, rules, work, ASK_SHOT, seat)
        reroll_shot(state, rules, work, events, seat, state["last_shot"])
    return NOTHING_ASKED


@kernel
def _step_six(state, rules, work, events, seat):
    """Place the 6s of a reroll."""
    if state["sixes"][seat] == 0:
        state["pc"] = state["six_return"]
        return NOTHING_ASKED
    if put(state, rules, work, ASK_SIX, seat) == QUESTION:
        return QUESTION
    return_six(state, events, seat, 0)
    return NOTHING_ASKED


# ------------------------------------------------------------------------------- columns
@kernel
def _step_extra(state, rules, work, seat):
    """D-EXTRA; asked only when something can be bought."""
    count = list_options(state, rules, work, ASK_EXTRA, seat)
    if count > 1 or (count == 1 and work["options"][0] > 0):
        state["phase"] = ASK_EXTRA
        state["to_move"] = seat
        return QUESTION
    _after_columns(state)
    return NOTHING_ASKED


@kernel
def _after_columns(state):
    """All columns are taken: shoot or move."""
    state["pc"] = PC_SHOOT if state["shooting"] == 1 else PC_MOVE


@kernel
def _take_extra(state, code):
    """Stop (0), or pay one stamina and take the column."""
    if code == 0:
        _after_columns(state)
        return
    state["pending_column"] = code - 1
    request_payment(state, state["active"], PAY_EXTRA, PC_EXTRA_TAKE)


@kernel
def _step_special(state, rules, work, events, seat):
    """D-SPECIAL is asked only with a used token to turn back (BI-ADV-03, edge case 26)."""
    if list_options(state, rules, work, ASK_SPECIAL, seat) > 1:
        state["phase"] = ASK_SPECIAL
        state["to_move"] = seat
        return QUESTION
    resolve_special(state, rules, events, seat, 0)
    return NOTHING_ASKED


# ------------------------------------------------------------------------------- shooting
@kernel
def _step_shoot(state, rules, work, events, seat):
    """Shots while dice and targets are left; a window after each (BI-SHOT-05)."""
    if may_fire(state, rules, seat):
        shoot_next(state, rules, work, events, seat)
        state["pc"] = PC_W3
    elif state["fired"] > 0 and state["shots_made"][seat] >= rules["shots"]:
        state["pc"] = PC_VISIT_END
    else:
        state["pc"] = PC_TURN_END


# ------------------------------------------------------------------------------- moving
@kernel
def _step_move(state, rules, work, events, seat):
    """BI-MOVE-01: steps of the turn, followers noted, routes listed; no route is a collapse."""
    steps = steps_of_turn(state, rules, seat)
    note_uphill(state, events, seat, uphill_loss(state, steps))
    state["steps"] = steps
    note_start(state, seat)
    if steps == 0:
        state["pc"] = PC_W4
        return NOTHING_ASKED
    state["keep_all"] = 0
    if is_leader(state, rules, seat) and any_follower(state, rules):
        state["keep_all"] = 1
    emit(
        state, events, EVENT_MOVE, seat, steps, state["dice"], state["plus"],
        state["sprint_moves"], state["sprinted"], 0,
    )  # fmt: skip
    if put(state, rules, work, ASK_MOVE, seat) == QUESTION:
        return QUESTION
    collapse(state, rules, events, seat)
    if state["over"] == 0:
        state["pc"] = PC_TURN_END
    return NOTHING_ASKED


@kernel
def uphill_loss(state, steps):
    """Steps that the uphill rule took away this turn."""
    total = state["dice"] + state["plus"] + state["sprint_moves"]
    return max(total, 0) - steps


@kernel
def _take_route(state, work, seat, index):
    """Walk the chosen route; steps beyond its end are lost (BI-MOVE-07)."""
    n_steps = work["route_len"][index]
    for step in range(n_steps):
        state["walk_steps"][step] = work["route_codes"][index, step]
    state["credit"] = 1
    begin_walk(state, seat, WALK_OWN, n_steps, 0, PC_OWN_SLIDE)


@kernel
def _step_own_slide(state):
    """After the own move: lost steps are noted, then the slide is looked at."""
    seat = state["active"]
    lost = state["steps"] - state["moved"]
    row = state["seat_rows"][seat]
    if state["status"][seat] == HOME:
        row["steps_lost_finish"] += lost
    else:
        row["steps_lost_S"] += lost
    state["slide_return"] = PC_BEGIN_DRAFTS
    state["pc"] = PC_SLIDE


@kernel
def _step_slide(state, rules, work):
    """D-SLIDE of the skier that has just walked (BI-DOWN-01)."""
    seat = state["walker"]
    if may_slide(state, rules, seat):
        if put(state, rules, work, ASK_SLIDE, seat) == QUESTION:
            return QUESTION
    state["pc"] = state["slide_return"]
    return NOTHING_ASKED


@kernel
def _step_draft(state, rules, work):
    """Ask the next follower of the level, or go on to the next level (BI-DRAFT-04)."""
    seat = next_follower(state, rules)
    if seat < 0:
        state["pc"] = PC_DRAFT_LEVEL
        return NOTHING_ASKED
    if put(state, rules, work, ASK_DRAFT, seat) == QUESTION:
        return QUESTION
    if not draft_is_barred(state, seat):
        if plan_path(state, rules, work, seat, state["level"]) > 0:
            state["game_rows"][0]["draft_unaffordable"] += 1
    return NOTHING_ASKED


@kernel
def _step_draft_done(state, rules):
    """A follower has walked: its own slide, then the next follower."""
    state["slide_return"] = PC_DRAFT_NEXT
    state["pc"] = PC_DRAFT_NEXT
    if rules["slide_after_draft"] == 1:
        state["pc"] = PC_SLIDE


@kernel
def _step_last_window(state, seat):
    """W4: after move, slide and drafts, if the skier still races (BI-WAX-02)."""
    if state["status"][seat] == RACING:
        open_window(state, 4, PC_TURN_END)
    else:
        state["pc"] = PC_TURN_END


# ------------------------------------------------------------------------------- the verbs
@kernel
def finish(state, rules, game_row, seat_rows):
    """Fill the records of a race that is over; ``seat_rows`` holds at least one row a seat.

    ``game_row`` is an array of one GAME_ROW. The caller adds what it alone knows: game_id, block,
    cell, rotation, strategy, position, treated.
    """
    settle_winner(state)
    _finish_game(state, rules)
    for seat in range(state["n_seats"]):
        _finish_seat(state, rules, seat)
        seat_rows[seat] = state["seat_rows"][seat]
    game_row[0] = state["game_rows"][0]


@kernel
def _finish_game(state, rules):
    """Game columns that are known only at the end."""
    row = state["game_rows"][0]
    n_seats = state["n_seats"]
    row["n_seats"] = n_seats
    row["turns"] = state["turn"]
    row["rounds"] = state["round"]
    row["asked"] = state["asked"]
    row["forced"] = state["forced"]
    row["truncated"] = state["truncated"] == 1
    row["players"] = state["players"]
    row["race"] = rules["race"]
    row["layout"] = rules["layout"]
    row["lanes"] = rules["lanes"]
    row["first_seat"] = state["first_seat"]
    row["rounds_total"] = state["round"]
    row["est_minutes"] = state["round"] * n_seats * rules["min_per_turn"]
    row["collapses"] = state["collapsed"]
    row["finishers"] = state["finished"]
    row["options_total"] = state["options_total"]
    leaders = 0
    for seat in range(n_seats):
        leaders += state["led"][seat]
    row["leaders_distinct"] = leaders
    winner = state["winner"]
    result = RESULT_FINISHED
    if state["truncated"] == 1:
        result = RESULT_TRUNCATED
        winner = -1
        state["winner"] = -1
    elif winner < 0:
        result = RESULT_ALL_COLLAPSED
    row["result"] = result
    if winner >= 0:
        row["winner_seat"] = winner
        row["winner_player"] = state["side"][winner]
        row["winner_nation"] = state["nation"][winner]
        row["comeback"] = state["deficit"][winner]
        row["last_lead_change_frac"] = state["last_change_round"] / row["rounds_win"]
        row["decided_round"] = row["rounds_win"]
        if state["leader_now"] == winner:
            row["decided_round"] = state["lead_since"]


@kernel
def _finish_seat(state, rules, seat):
    """Seat columns that are known only at the end (BI-END-03 for the rank of collapsed skiers)."""
    row = state["seat_rows"][seat]
    n_seats = state["n_seats"]
    row["seat"] = seat
    row["side"] = state["side"][seat]
    row["status"] = state["status"][seat]
    winner = state["winner"]
    row["win"] = winner >= 0 and state["side"][seat] == state["side"][winner]
    row["win_share"] = 1.0 if seat == winner else 0.0
    placed = 0
    for other in range(n_seats):
        if state["place"][other] > 0:
            placed += 1
    row["place"] = state["place"][seat]
    if state["place"][seat] > 0:
        row["rank"] = state["place"][seat]
    else:
        row["rank"] = (placed + 1 + n_seats) / 2.0
    if state["finished"] == 0:
        row["score"] = -(rules["rows"] + 1 - state["row"][seat] + state["owed"][seat])
    row["stam_end"] = payable(state, seat)
    row["blue_end"] = blue_markers(state, seat)
