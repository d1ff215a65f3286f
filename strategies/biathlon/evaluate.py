"""Score of an option: the state at the end of this turn if the rest is played by default (10.1).

Default rest: no wax; the fullest main column (ties the highest); no extra column; route, slide and
payments by best score; rivals draft where it costs nothing. Shots and rerolled dice enter by their
exact chances; nothing is drawn.
"""

from __future__ import annotations

from simulate.games.biathlon.drafting import plan_path
from simulate.games.biathlon.movement import less_uphill
from simulate.games.biathlon.routes import entry_cost, is_shooting_row
from simulate.games.biathlon.state import (
    ASK_DIE,
    ASK_DRAFT,
    ASK_EXTRA,
    ASK_FREE,
    ASK_MAIN,
    ASK_MOVE,
    ASK_PAY,
    ASK_SHOT,
    ASK_SIX,
    ASK_SLIDE,
    ASK_SPECIAL,
    ASK_WAX,
    COLUMNS,
    DOWNHILL,
    ICON_FREE,
    ICON_MINUS,
    ICON_PAY,
    ICON_PLUS,
    ICON_ROLL1,
    ICON_ROLLALL,
    ICON_SHOOT,
    ICON_SPRINT,
    MAX_ICONS,
    MAX_SEATS,
    STEP_FORWARD,
    STEP_SIDE_LEFT,
    UPHILL,
)
from simulate.games.biathlon.wax import SIDE_LEFT, SIDE_RIGHT, token_at
from simulate.jit import kernel
from strategies.biathlon.ahead import (
    NOTHING,
    after_payments,
    route_value,
    slide_value,
    stand_score,
    start_ends,
)
from strategies.biathlon.board import (
    best_die,
    blue_takes,
    board_dice,
    board_score,
    counted_in,
    dice_in,
    fullest,
    pack_board,
    place_face,
    rerolled_score,
    roll_slot,
    rolled_score,
    six_order,
    six_worth,
    stars_over,
    without_column,
    without_die,
)
from strategies.biathlon.features import (
    danger_score,
    lap_weight,
    marker_score,
    pay_ahead,
    phase_of,
    place_score,
    reach_of_payment,
    see_followers,
    see_rivals,
    see_rules,
    see_self,
    stamina_score,
)
from strategies.biathlon.plan_state import (
    N_FEATURES,
    NO_TAKE,
    SPRINT_COLUMN,
    WASTE,
    WAX,
)

LAST_WINDOW = 4
CODE_PRINTED = 5


@kernel
def unused_tokens(state, rules, seat):
    """F11: tokens not yet used."""
    return rules["slots"] - state["left"][seat] - state["right"][seat]


@kernel
def look(state, rules, plan, w):
    """Take up what the asked seat sees, as far as the question needs it."""
    seat = state["to_move"]
    phase = state["phase"]
    see_rules(rules, plan)
    if phase == ASK_PAY:
        plan["chain_key"][0] = -1  # the chain begins at the markers as they stand
    see_self(state, rules, plan, w, seat)
    plan["board"] = pack_board(state, seat)
    if phase == ASK_SIX or phase == ASK_PAY or phase == ASK_DIE:
        return
    if phase == ASK_WAX and state["window"] == LAST_WINDOW:
        return
    if phase == ASK_DRAFT or phase == ASK_SLIDE:
        plan["turn_key"] = -1
        see_rivals(state, rules, plan, seat, state["active"])
        return
    if plan["turn_key"] != state["turn"]:
        plan["turn_key"] = state["turn"]
        see_rivals(state, rules, plan, seat, seat)
        see_followers(state, rules, plan, seat)
        start_ends(plan)


# ---------------------------------------------------------------- the rest of the turn by default
@kernel
def steps_of(state, rules, plan, dice, extra):
    """Steps of the move (BI-MOVE-01, BI-UP-01)."""
    row = plan["row"]
    uphill = row > 0 and plan["penalty"] == 0 and rules["space"][row, plan["lane"]] == UPHILL
    if not uphill:
        return max(dice + extra, 0)
    if rules["uphill_order"] == 0:
        return less_uphill(rules, dice + extra)
    return max(less_uphill(rules, dice) + extra, 0)


@kernel
def _shoot_rest(state, rules, plan, w, board, shots, tokens, payments, misses):
    """End of a SHOOT turn with ``shots`` dice counted in all."""
    seat = plan["seat"]
    made = plan["made"] + max(0, shots - state["fired"])
    if rules["shoot_round"] == 1 and state["arrived_round"][seat] == state["round"]:
        made = plan["made"]
    left = max(0, rules["shots"] - made)
    o = N_FEATURES * phase_of(rules, plan["ahead"], left)
    row = plan["row"]
    pay_ahead(state, rules, plan, w, payments)
    score = stamina_score(rules, plan, w, o, payments, left, misses, lap_weight(plan, w, o))
    score += place_score(rules, plan, w, o, row, 0, 0, 0, left > 0, 0, 0, 0)
    score += danger_score(rules, plan, w, o, row, plan["payable"] - payments)
    score += board_score(board, w, o, plan["full"], rules["race_dice"])
    return score + w[o + WAX] * tokens


@kernel
def _move_rest(state, rules, plan, w, o, dice, extra, sprinted, payments):
    """Movement part of the end of a MOVE turn: place, stamina, waste."""
    steps = steps_of(state, rules, plan, dice, extra)
    lost = max(dice + extra, 0) - steps
    score = route_value(state, rules, plan, w, o, steps, sprinted, payments)
    return score + w[o + WASTE] * max(lost, 0)


@kernel
def rest(state, rules, plan, w, board, main_left, dice, plus, moves, sprinted, tokens, payments,
         misses):  # fmt: skip
    """Score of the end of the turn from a hypothetical point of it.

    ``main_left`` 1: the main column is still to be taken. ``dice`` D, ``plus`` X, ``moves`` B of
    the specification; ``payments`` made on the way; ``misses`` of the visit so far.
    """
    if main_left == 1:
        column = fullest(board)
        dice += counted_in(board, plan["full"], column)
        board = without_column(board, column)
    if state["shooting"] == 1:
        return _shoot_rest(state, rules, plan, w, board, dice + plus, tokens, payments, misses)
    o = N_FEATURES * plan["phase"]
    score = _move_rest(state, rules, plan, w, o, dice, plus + moves, sprinted, payments)
    score += board_score(board, w, o, plan["full"], rules["race_dice"])
    return score + w[o + WAX] * tokens


@kernel
def _rest_now(state, rules, plan, w, board, main_left, dice, sprinted, tokens, payments):
    """``rest`` with the turn's plus, sprint moves and misses as they stand."""
    return rest(
        state, rules, plan, w, board, main_left, dice, state["plus"], state["sprint_moves"],
        sprinted, tokens, payments, plan["misses"],
    )  # fmt: skip


# ---------------------------------------------------------------- options with dice
@kernel
def _after_roll1(state, rules, plan, w, main_left, plus, moves, sprinted, tokens, payments):
    """Mean over the sides of the die that D-DIE would reroll."""
    seat = plan["seat"]
    o = N_FEATURES * plan["phase"]
    board = plan["board"]
    dice = state["dice"]
    code = best_die(state, rules, plan, w, o)
    same_phase = main_left == 0 and _end_phase(state, rules, plan, dice + plus) == o
    if code == 0 or same_phase:
        # the rest does not look at the board: its mean score takes the place of the score now
        score = rest(
            state, rules, plan, w, board, main_left, dice, plus, moves, sprinted, tokens, payments,
            plan["misses"],
        )  # fmt: skip
        if code > 0:
            score -= board_score(board, w, o, plan["full"], rules["race_dice"])
            score += plan["die_score"]
        return score
    blue = blue_takes(state, rules, seat)
    without = without_die(board, code)
    total = 0.0
    score = 0.0
    last = 0
    for side in range(6):
        face = rules["race_faces"][side]
        if face != last:
            after = without
            if face <= COLUMNS or blue == 0:
                after = place_face(rules, plan, without, w, o, face)
            score = rest(
                state, rules, plan, w, after, main_left, dice, plus, moves, sprinted, tokens,
                payments, plan["misses"],
            )  # fmt: skip
            last = face
        total += score
    return total / 6.0


@kernel
def _after_roll_all(state, rules, plan, w, main_left, plus, moves, sprinted, tokens, payments):
    """Exact mean over all falls of the dice on the board, from the tables."""
    seat = plan["seat"]
    o = N_FEATURES * plan["phase"]
    count = board_dice(plan["board"])
    order = six_order(w, o)
    slot = roll_slot(state, rules, plan, w, o, seat, order, count)
    race_dice = rules["race_dice"]
    if main_left == 0:
        # the board does not touch the rest: score without dice on the board, then their mean
        score = rest(
            state, rules, plan, w, 0, 0, state["dice"], plus, moves, sprinted, tokens, payments,
            plan["misses"],
        )  # fmt: skip
        end = _end_phase(state, rules, plan, state["dice"] + plus)
        score -= board_score(0, w, end, plan["full"], race_dice)
        return score + rolled_score(plan, w, end, slot, order, count, NO_TAKE, race_dice)
    total = 0.0
    for got in range(NO_TAKE):
        chance = plan["roll"][slot, order, count, got, 0]
        if chance > 0.0:
            dice = state["dice"] + got
            score = rest(
                state, rules, plan, w, 0, 0, dice, plus, moves, sprinted, tokens, payments,
                plan["misses"],
            )  # fmt: skip
            end = _end_phase(state, rules, plan, dice + plus)
            score -= board_score(0, w, end, plan["full"], race_dice)
            total += chance * score
            total += rolled_score(plan, w, end, slot, order, count, got, race_dice)
    return total


@kernel
def _end_phase(state, rules, plan, shots):
    """First weight of the phase at the end of the turn."""
    if state["shooting"] == 0:
        return N_FEATURES * plan["phase"]
    left = rules["shots"] - plan["made"] - max(0, shots - state["fired"])
    if rules["shoot_round"] == 1 and state["arrived_round"][plan["seat"]] == state["round"]:
        left = rules["shots"] - plan["made"]
    return N_FEATURES * phase_of(rules, plan["ahead"], max(0, left))


@kernel
def _after_shot(state, rules, plan, w, target, plus, moves, sprinted, tokens, payments):
    """Mean over hit and miss when the shot at ``target`` is made again (BI-WAX-06)."""
    seat = plan["seat"]
    colour = rules["colour"][state["nation"][seat], target, state["stamina"][seat, target]]
    chance = rules["shoot_hits"][colour] / rules["shoot_sides"]
    misses = plan["misses"] - (1 - state["shot_hit"][seat, target])
    dice = state["dice"]
    board = plan["board"]
    hit = rest(
        state, rules, plan, w, board, 0, dice, plus, moves, sprinted, tokens, payments, misses
    )
    missed = rest(
        state, rules, plan, w, board, 0, dice, plus, moves, sprinted, tokens, payments, misses + 1
    )
    return chance * hit + (1.0 - chance) * missed


@kernel
def _after_reroll_shot(state, rules, plan, w, plus, moves, sprinted, tokens, payments):
    """The SHOOT icon: the last shot, or the best of this turn where any may be made again."""
    made = state["shots_made"][plan["seat"]]
    first = made - 1
    if rules["reroll_target"] == 1:
        first = made - state["fired"]
    best = NOTHING
    for target in range(max(first, 0), made):
        score = _after_shot(state, rules, plan, w, target, plus, moves, sprinted, tokens, payments)
        best = max(best, score)
    return best


@kernel
def _after_free(state, rules, plan, w, plus, moves, sprinted, tokens, payments):
    """The FREE icon: the best column not yet taken, for nothing."""
    board = plan["board"]
    best = NOTHING
    for column in range(SPRINT_COLUMN + 1):
        if state["taken"][column] == 0 and dice_in(board, column) > 0:
            dice = state["dice"] + counted_in(board, plan["full"], column)
            flag = 1 if column == SPRINT_COLUMN else sprinted
            score = rest(
                state, rules, plan, w, without_column(board, column), 0, dice, plus, moves, flag,
                tokens, payments, plan["misses"],
            )  # fmt: skip
            best = max(best, score)
    return best


# ---------------------------------------------------------------- one option of each question
@kernel
def wax_score(state, rules, plan, w, code):
    """D-WAX: the icons of the branch, then the rest by default."""
    seat = plan["seat"]
    tokens = unused_tokens(state, rules, seat)
    board = plan["board"]
    o = N_FEATURES * plan["phase"]
    plus = state["plus"]
    moves = state["sprint_moves"]
    sprinted = state["sprinted"]
    payments = 0
    special = 0
    if code == CODE_PRINTED:
        special = ICON_SHOOT
    elif code > 0:
        side = SIDE_LEFT if code <= 2 else SIDE_RIGHT
        token = token_at(state, rules, seat, side)
        tokens -= 1
        for index in range(MAX_ICONS):
            icon = rules["icons"][token, (code - 1) % 2, index]
            if icon == ICON_PLUS:
                plus += 1
            elif icon == ICON_MINUS:
                plus -= 1
            elif icon == ICON_SPRINT:
                sprinted = 1
                moves += dice_in(board, SPRINT_COLUMN)
            elif icon == ICON_PAY:
                payments += 1
            elif icon > 0 and special == 0:
                special = icon
    if state["window"] == LAST_WINDOW:
        return _last_window(state, rules, plan, w, o, special, tokens)
    payments = min(payments, reach_of_payment(state, rules, plan))
    main_left = 1 if state["window"] == 1 else 0
    score = NOTHING
    if special == ICON_ROLL1:
        score = _after_roll1(
            state, rules, plan, w, main_left, plus, moves, sprinted, tokens, payments
        )
    elif special == ICON_ROLLALL:
        score = _after_roll_all(
            state, rules, plan, w, main_left, plus, moves, sprinted, tokens, payments
        )
    elif special == ICON_SHOOT and state["window"] == 3:
        score = _after_reroll_shot(state, rules, plan, w, plus, moves, sprinted, tokens, payments)
    elif special == ICON_FREE and main_left == 0:
        score = _after_free(state, rules, plan, w, plus, moves, sprinted, tokens, payments)
    if score > NOTHING:
        return score
    return rest(
        state, rules, plan, w, board, main_left, state["dice"], plus, moves, sprinted, tokens,
        payments, plan["misses"],
    )  # fmt: skip


@kernel
def _last_window(state, rules, plan, w, o, special, tokens):
    """W4: the move is over, only the board and the tokens can still change."""
    board = plan["board"]
    wax = w[o + WAX] * tokens
    race_dice = rules["race_dice"]
    if special == ICON_ROLL1:
        best_die(state, rules, plan, w, o)
        return wax + plan["die_score"]
    elif special == ICON_ROLLALL:
        count = board_dice(board)
        order = six_order(w, o)
        slot = roll_slot(state, rules, plan, w, o, plan["seat"], order, count)
        return wax + rolled_score(plan, w, o, slot, order, count, NO_TAKE, race_dice)
    return wax + board_score(board, w, o, plan["full"], race_dice)


@kernel
def main_score(state, rules, plan, w, code):
    """D-MAIN: take that column, then the rest by default."""
    column = code - 1
    board = plan["board"]
    dice = state["dice"] + counted_in(board, plan["full"], column)
    tokens = unused_tokens(state, rules, plan["seat"])
    rest_board = without_column(board, column)
    return _rest_now(state, rules, plan, w, rest_board, 0, dice, state["sprinted"], tokens, 0)


@kernel
def extra_score(state, rules, plan, w, code):
    """D-EXTRA: stop (0), or pay one and take a column."""
    board = plan["board"]
    dice = state["dice"]
    sprinted = state["sprinted"]
    payments = 0
    if code > 0:
        column = code - 1
        payments = 1
        dice += counted_in(board, plan["full"], column)
        board = without_column(board, column)
        if column == SPRINT_COLUMN:
            sprinted = 1
    tokens = unused_tokens(state, rules, plan["seat"])
    return _rest_now(state, rules, plan, w, board, 0, dice, sprinted, tokens, payments)


@kernel
def free_score(state, rules, plan, w, code):
    """D-FREE: take a column for nothing; icons that follow in the token count too."""
    column = code - 1
    board = plan["board"]
    plus = state["plus"]
    for index in range(state["icon_at"], MAX_ICONS):
        if rules["icons"][state["wax_token"], state["wax_branch"], index] == ICON_PLUS:
            plus += 1
    dice = state["dice"] + counted_in(board, plan["full"], column)
    sprinted = 1 if column == SPRINT_COLUMN else state["sprinted"]
    return rest(
        state, rules, plan, w, without_column(board, column), 0, dice, plus,
        state["sprint_moves"], sprinted, unused_tokens(state, rules, plan["seat"]), 0,
        plan["misses"],
    )  # fmt: skip


@kernel
def special_score(state, rules, plan, w, code):
    """D-SPECIAL: count the 6 (0), or have one token more (1, 2)."""
    column = state["special_column"]
    board = plan["board"]
    tokens = unused_tokens(state, rules, plan["seat"])
    dice = state["dice"]
    if code == 0:
        dice += stars_over(board, column)
    else:
        tokens += 1
    board = without_column(board, column)
    return _rest_now(state, rules, plan, w, board, 0, dice, state["sprinted"], tokens, 0)


@kernel
def shot_score(state, rules, plan, w, code):
    """D-SHOT: the shot to make again."""
    return _after_shot(
        state, rules, plan, w, code - 1, state["plus"], state["sprint_moves"], state["sprinted"],
        unused_tokens(state, rules, plan["seat"]), 0,
    )  # fmt: skip


@kernel
def straight_steps(work, index):
    """Steps straight forward at the end of a route; the longest number if all of them are."""
    count = 0
    length = work["route_len"][index]
    while count < length and work["route_codes"][index, length - 1 - count] == STEP_FORWARD:
        count += 1
    if count == length:
        return MAX_SEATS
    return min(count, MAX_SEATS)


@kernel
def move_score(state, rules, work, plan, w, code):
    """D-MOVE: the end of a route, its payments, and the slide from there."""
    o = N_FEATURES * plan["phase"]
    row = work["route_row"][code]
    lane = work["route_lane"][code]
    penalty = work["route_penalty"][code]
    cost = work["route_cost"][code]
    length = work["route_len"][code]
    drafted = 0
    straight = 0
    if plan["n_followers"] > 0 and state["sprinted"] == 0:
        before = cost
        if cost > 0 and row <= rules["rows"]:
            before -= entry_cost(state, rules, plan["seat"], row, lane, penalty)
        if before == 0:
            drafted = plan["n_followers"]
        straight = straight_steps(work, code)
    owed = plan["owed"] - length if penalty > 0 else 0
    busy = penalty == 0 and is_shooting_row(rules, row)
    score = place_score(
        rules, plan, w, o, row, lane, penalty, owed, busy, length, drafted, straight
    )
    score += danger_score(rules, plan, w, o, row, plan["payable"] - cost)
    score += after_payments(state, rules, plan, w, o, cost)
    score += w[o + WASTE] * (state["steps"] - length)
    if row <= rules["rows"] and penalty == 0 and rules["space"][row, lane] == DOWNHILL:
        slide = slide_value(state, rules, plan, w, o, row, lane, work["route_credit"][code], cost)
        score = max(score, slide)
    return score


@kernel
def slide_score(state, rules, work, plan, w, code):
    """D-SLIDE: stay (0) or a slide route."""
    o = N_FEATURES * plan["phase"]
    if code == 0:
        return stand_score(state, rules, plan, w, o, plan["row"], plan["lane"], 0)
    index = code - 1
    row = work["route_row"][index]
    lane = work["route_lane"][index]
    return stand_score(state, rules, plan, w, o, row, lane, work["route_cost"][index])


@kernel
def draft_cost(state, rules, work, plan, code):
    """Stamina that a draft costs; the path is left in WORK, its last step in ``path_row``."""
    steps = draft_steps(state, rules, work, plan, code)
    return work["path_cost"][steps - 1]


@kernel
def draft_steps(state, rules, work, plan, code):
    """Steps of a draft (``draft_extent`` prefix: the code itself)."""
    steps = plan_path(state, rules, work, plan["seat"], state["level"])
    if rules["draft_extent"] == 1:
        return code
    return steps


@kernel
def draft_score(state, rules, work, plan, w, code):
    """D-DRAFT: the place now (0), or the end of the path and its payments."""
    o = N_FEATURES * plan["phase"]
    if code == 0:
        score = place_score(
            rules, plan, w, o, plan["row"], plan["lane"], plan["penalty"], plan["owed"], False,
            0, 0, 0,
        )  # fmt: skip
        score += danger_score(rules, plan, w, o, plan["row"], plan["payable"])
        return score + after_payments(state, rules, plan, w, o, 0)
    steps = draft_steps(state, rules, work, plan, code)
    credit = 1
    row = plan["row"]
    for index in range(steps):
        if work["path_code"][index] >= STEP_SIDE_LEFT:
            credit = 0
        elif (plan["standing"] >> (row - plan["base"])) & 1 == 1:
            credit = 1
        row = work["path_row"][index]
    lane = work["path_lane"][steps - 1]
    cost = work["path_cost"][steps - 1]
    score = stand_score(state, rules, plan, w, o, row, lane, cost)
    if rules["slide_after_draft"] == 1 and row <= rules["rows"]:
        slide = slide_value(state, rules, plan, w, o, row, lane, credit, cost)
        score = max(score, slide)
    return score


@kernel
def option_score(state, rules, work, plan, w, code):
    """Score of one option of the question asked; ``look`` has been called."""
    phase = state["phase"]
    if phase == ASK_WAX:
        return wax_score(state, rules, plan, w, code)
    if phase == ASK_EXTRA:
        return extra_score(state, rules, plan, w, code)
    if phase == ASK_MAIN:
        return main_score(state, rules, plan, w, code)
    if phase == ASK_MOVE:
        return move_score(state, rules, work, plan, w, code)
    o = N_FEATURES * plan["phase"]
    if phase == ASK_SIX:
        return six_worth(plan["board"], w, o, plan["full"], code)
    if phase == ASK_PAY:
        return marker_score(state, rules, plan, w, o, plan["seat"], code - 1, 1)
    if phase == ASK_DRAFT:
        return draft_score(state, rules, work, plan, w, code)
    if phase == ASK_SLIDE:
        return slide_score(state, rules, work, plan, w, code)
    if phase == ASK_FREE:
        return free_score(state, rules, plan, w, code)
    if phase == ASK_SHOT:
        return shot_score(state, rules, plan, w, code)
    if phase == ASK_DIE:
        blue = blue_takes(state, rules, plan["seat"])
        return rerolled_score(rules, plan, plan["board"], w, o, code, blue)
    if phase == ASK_SPECIAL:
        return special_score(state, rules, plan, w, code)
    return 0.0
