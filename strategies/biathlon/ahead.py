"""Where a move could end: the ends of every number of steps, and the best of them.

The ends after s steps are worked out from those after s - 1 and kept for the turn, so asking for
one step more costs one step. Equal ends (same space, credit and cost) are kept once.
"""

from __future__ import annotations

from simulate.games.biathlon.routes import is_shooting_row
from simulate.games.biathlon.state import DOWNHILL, MAX_SEATS, MAX_STEPS, WHITE
from simulate.jit import kernel
from strategies.biathlon.features import (
    danger_score,
    lap_weight,
    pay_ahead,
    place_score,
    stamina_score,
)
from strategies.biathlon.plan_state import MAX_CHAIN, MAX_SLIDE, MAX_STATES, TOW, WASTE

COLLAPSE = -100.0  # a move that cannot be paid ends the race (BI-STAM-06)
NOTHING = -1.0e9


@kernel
def space_cost(rules, plan, row, lane):
    """Stamina due for entering a course space (BI-MOVE-05)."""
    if (plan["paid"][lane] >> (row - plan["base"])) & 1 == 0:
        return 0
    if rules["entry_cost"] == 0:
        return 1
    count = 0
    for index in range(plan["n_rivals"]):
        if plan["rival_row"][index] == row and plan["rival_lane"][index] == lane:
            count += 1
    return count


@kernel
def _note_next(rules, plan, row, lane, credit, straight):
    """Add one space that a step can lead to."""
    index = plan["n_next"]
    early = row > rules["rows"] or is_shooting_row(rules, row)
    plan["next_row"][index] = row
    plan["next_lane"][index] = 0 if early else lane
    plan["next_credit"][index] = credit
    plan["next_straight"][index] = straight
    plan["next_early"][index] = 1 if early else 0
    plan["n_next"] = index + 1


@kernel
def list_next(rules, plan, row, lane, penalty, credit):
    """Every step from a space that is not in the middle of penalty laps (BI-MOVE-02 to 04)."""
    plan["n_next"] = 0
    lanes = rules["lanes"]
    ahead = row + 1
    if penalty > 0 or row == 0 or is_shooting_row(rules, row):
        if ahead > rules["rows"] or is_shooting_row(rules, ahead):
            _note_next(rules, plan, ahead, 0, credit, 1)
            return
        for target in range(lanes):
            _note_next(rules, plan, ahead, target, credit, 1)
        return
    after = credit
    if (plan["standing"] >> (row - plan["base"])) & 1 == 1:
        after = 1  # somebody level is passed
    _note_next(rules, plan, ahead, lane, after, 1)
    course = ahead <= rules["rows"] and not is_shooting_row(rules, ahead)
    for side in range(-1, 2, 2):
        target = lane + side
        if 0 <= target < lanes:
            if course and rules["space"][ahead, target] == WHITE:
                _note_next(rules, plan, ahead, target, after, 0)
            if credit == 1:
                _note_next(rules, plan, row, target, 0, 0)


@kernel
def start_ends(plan):
    """Forget the ends of another turn: no step has been made."""
    plan["n_steps"] = 0
    plan["n_early"] = 0
    plan["n_ends"] = 1
    plan["first_end"][0] = 0
    plan["first_end"][1] = 1
    plan["end_row"][0] = plan["row"]
    plan["end_lane"][0] = plan["lane"]
    plan["end_penalty"][0] = plan["penalty"]
    plan["end_owed"][0] = plan["owed"]
    plan["end_credit"][0] = 1
    plan["end_cost"][0] = 0
    plan["end_clean"][0] = 1
    plan["end_straight"][0] = 0
    plan["end_ready"][0] = 0


@kernel
def _add_end(plan, row, lane, penalty, owed, credit, cost, clean, straight):
    """Keep an end of the step being worked out, unless it is known."""
    followers = plan["n_followers"]
    last = plan["n_ends"]
    for index in range(plan["first_end"][plan["n_steps"] + 1], last):
        if plan["end_row"][index] == row and plan["end_lane"][index] == lane:
            if plan["end_credit"][index] == credit and plan["end_cost"][index] == cost:
                if followers == 0:
                    return
                if plan["end_clean"][index] == clean and plan["end_straight"][index] == straight:
                    return
    if last >= MAX_STATES:
        return
    plan["end_row"][last] = row
    plan["end_lane"][last] = lane
    plan["end_penalty"][last] = penalty
    plan["end_owed"][last] = owed
    plan["end_credit"][last] = credit
    plan["end_cost"][last] = cost
    plan["end_clean"][last] = clean
    plan["end_straight"][last] = straight
    plan["end_ready"][last] = 0
    plan["n_ends"] = last + 1


@kernel
def _add_early(plan, row, cost, clean, straight, step):
    """Keep an end on a shooting space or beyond the line, after ``step`` steps.

    Where nobody follows, routes with the same end and cost are one option: the shortest is kept.
    """
    last = plan["n_early"]
    merged = plan["followed"] == 0
    for index in range(last):
        if plan["early_cost"][index] != cost:
            continue
        if merged:
            return
        if plan["early_step"][index] == step and plan["early_clean"][index] == clean:
            if plan["early_straight"][index] == straight:
                return
    if last >= MAX_STATES:
        return
    plan["early_row"][last] = row
    plan["early_cost"][last] = cost
    plan["early_clean"][last] = clean
    plan["early_straight"][last] = straight
    plan["early_step"][last] = step
    plan["early_ready"][last] = 0
    plan["n_early"] = last + 1


@kernel
def _next_step(state, rules, plan):
    """Work out the ends of one step more."""
    step = plan["n_steps"]
    for index in range(plan["first_end"][step], plan["first_end"][step + 1]):
        row = plan["end_row"][index]
        lane = plan["end_lane"][index]
        cost = plan["end_cost"][index]
        clean = 1 if cost == 0 else 0
        owed = plan["end_owed"][index]
        if owed > 0:
            penalty = plan["end_penalty"][index] % rules["lap_length"] + 1
            price = cost + _lane_cost(state, rules, plan, row, penalty)
            _add_end(plan, row, 0, penalty, owed - 1, 1, price, clean, 0)
            continue
        list_next(rules, plan, row, lane, plan["end_penalty"][index], plan["end_credit"][index])
        for after in range(plan["n_next"]):
            straight = 0
            if plan["n_followers"] > 0 and plan["next_straight"][after] == 1:
                # a way that was straight from the start is straight for every follower
                straight = min(plan["end_straight"][index] + 1, MAX_SEATS)
                if step == 0:
                    straight = MAX_SEATS
            if plan["next_early"][after] == 1:
                _add_early(plan, plan["next_row"][after], cost, clean, straight, step + 1)
                continue
            to_row = plan["next_row"][after]
            to_lane = plan["next_lane"][after]
            price = cost + space_cost(rules, plan, to_row, to_lane)
            _add_end(
                plan, to_row, to_lane, 0, 0, plan["next_credit"][after], price, clean, straight
            )
    plan["n_steps"] = step + 1
    plan["first_end"][step + 2] = plan["n_ends"]


@kernel
def _lane_cost(state, rules, plan, row, penalty):
    """Entering a space of the penalty lane costs only where ``rules.penalty_lane_free`` is off."""
    if rules["penalty_lane_free"] == 1:
        return 0
    if state["treatment"][plan["seat"]]["free_entry"] == 1:
        return 0
    count = 0
    for index in range(plan["n_rivals"]):
        if plan["rival_row"][index] == row:
            if state["penalty"][plan["rival_seat"][index]] == penalty:
                count += 1
    return min(count, 1) if rules["entry_cost"] == 0 else count


@kernel
def after_payments(state, rules, plan, w, o, payments):
    """Stamina part of the score after so many payments in the movement or while drafting."""
    pay_ahead(state, rules, plan, w, payments)
    shots_left = rules["shots"] - plan["made"]
    weight = lap_weight(plan, w, o)
    return stamina_score(rules, plan, w, o, payments, shots_left, plan["misses"], weight)


@kernel
def rival_straight_ahead(rules, plan, row, lane):
    """BI-DOWN-01: a rival on the next space in lane, or on the shooting space of the next row."""
    bit = row + 1 - plan["base"]
    if is_shooting_row(rules, row + 1):
        return (plan["at_range"] >> bit) & 1 == 1
    return (plan["held"][lane] >> bit) & 1 == 1


@kernel
def slide_value(state, rules, plan, w, o, row, lane, credit, payments):
    """Best score of a slide from there, or NOTHING where none may be made (BI-DOWN-01, 02)."""
    if row > rules["rows"] or rules["space"][row, lane] != DOWNHILL:
        return NOTHING
    if state["treatment"][plan["seat"]]["no_slide"] == 1:
        return NOTHING
    if not rival_straight_ahead(rules, plan, row, lane):
        return NOTHING
    plan["slide_row"][0] = row
    plan["slide_lane"][0] = lane
    plan["slide_credit"][0] = credit
    plan["slide_cost"][0] = 0
    plan["slide_free"][0] = rules["slide_free"]
    plan["slide_step"][0] = 0
    plan["slide_early"][0] = 0
    count = 1
    at = 0
    while at < count:
        if plan["slide_early"][at] == 0 and plan["slide_step"][at] < rules["slide_steps"]:
            here = plan["slide_row"][at]
            list_next(rules, plan, here, plan["slide_lane"][at], 0, plan["slide_credit"][at])
            for after in range(plan["n_next"]):
                if count == MAX_SLIDE:
                    break
                to_row = plan["next_row"][after]
                to_lane = plan["next_lane"][after]
                price = 0
                if plan["next_early"][after] == 0:
                    price = space_cost(rules, plan, to_row, to_lane)
                saved = min(price, plan["slide_free"][at])
                plan["slide_row"][count] = to_row
                plan["slide_lane"][count] = to_lane
                plan["slide_credit"][count] = plan["next_credit"][after]
                plan["slide_cost"][count] = plan["slide_cost"][at] + price - saved
                plan["slide_free"][count] = plan["slide_free"][at] - saved
                plan["slide_step"][count] = plan["slide_step"][at] + 1
                plan["slide_early"][count] = plan["next_early"][after]
                count += 1
        at += 1
    best = NOTHING
    for index in range(1, count):
        paid = payments + plan["slide_cost"][index]
        if paid <= plan["payable"]:
            to_row = plan["slide_row"][index]
            to_lane = plan["slide_lane"][index]
            score = stand_score(state, rules, plan, w, o, to_row, to_lane, paid)
            best = max(best, score)
    return best


@kernel
def stand_score(state, rules, plan, w, o, row, lane, payments):
    """Place and stamina of standing there after so many payments, nobody having drafted."""
    busy = is_shooting_row(rules, row)
    score = place_score(rules, plan, w, o, row, lane, 0, 0, busy, 0, 0, 0)
    score += danger_score(rules, plan, w, o, row, plan["payable"] - payments)
    return score + after_payments(state, rules, plan, w, o, payments)


@kernel
def _end_place(rules, plan, w, o, index, step, sprinted):
    """Place score of an end, worked out once a turn."""
    if (plan["end_ready"][index] >> sprinted) & 1 == 0:
        drafted = 0
        if sprinted == 0 and plan["end_clean"][index] == 1:
            drafted = plan["n_followers"]
        plan["end_score"][index, sprinted] = place_score(
            rules, plan, w, o, plan["end_row"][index], plan["end_lane"][index],
            plan["end_penalty"][index], plan["end_owed"][index], False, step, drafted,
            plan["end_straight"][index],
        )  # fmt: skip
        plan["end_ready"][index] |= 1 << sprinted
    return plan["end_score"][index, sprinted]


@kernel
def _early_place(rules, plan, w, o, index, sprinted):
    """Place score of an end on a shooting space or beyond the line, worked out once a turn."""
    if (plan["early_ready"][index] >> sprinted) & 1 == 0:
        drafted = 0
        if sprinted == 0 and plan["early_clean"][index] == 1:
            drafted = plan["n_followers"]
        plan["early_score"][index, sprinted] = place_score(
            rules, plan, w, o, plan["early_row"][index], 0, 0, 0, True,
            plan["early_step"][index], drafted, plan["early_straight"][index],
        )  # fmt: skip
        plan["early_ready"][index] |= 1 << sprinted
    return plan["early_score"][index, sprinted]


@kernel
def _repeats(plan, index):
    """True when a shorter way ends early at the same cost: one option, unless followers care."""
    for shorter in range(index):
        if plan["early_cost"][shorter] == plan["early_cost"][index]:
            return True
    return False


@kernel
def reach_steps(state, rules, plan, steps):
    """Work out ends up to that many steps."""
    while plan["n_steps"] < steps:
        _next_step(state, rules, plan)


@kernel
def route_value(state, rules, plan, w, o, steps, sprinted, payments):
    """Best score (place, stamina, waste) of a move of ``steps`` steps after so many payments."""
    now = after_payments(state, rules, plan, w, o, payments)
    if steps == 0:
        score = _end_place(rules, plan, w, o, 0, 0, 1)
        row = plan["row"]
        return score + danger_score(rules, plan, w, o, row, plan["payable"] - payments) + now
    steps = min(steps, MAX_STEPS)
    reach_steps(state, rules, plan, steps)
    budget = min(plan["payable"] - payments, MAX_CHAIN - 1 - payments)
    best = COLLAPSE
    found = False
    for index in range(plan["first_end"][steps], plan["first_end"][steps + 1]):
        cost = plan["end_cost"][index]
        if cost > budget:
            continue
        row = plan["end_row"][index]
        lane = plan["end_lane"][index]
        score = _end_place(rules, plan, w, o, index, steps, sprinted)
        score += danger_score(rules, plan, w, o, row, plan["payable"] - payments - cost)
        paid = now
        if cost > 0:
            paid = after_payments(state, rules, plan, w, o, payments + cost)
        score += paid
        if rules["space"][row, lane] == DOWNHILL and plan["end_penalty"][index] == 0:
            slide = slide_value(
                state, rules, plan, w, o, row, lane, plan["end_credit"][index], payments + cost
            )
            if slide > NOTHING:
                if sprinted == 0 and plan["end_clean"][index] == 1:
                    slide += w[o + TOW] * (steps * plan["n_followers"])
                score = max(score, slide)
        if not found or score > best:
            best = score
            found = True
    for index in range(plan["n_early"]):
        cost = plan["early_cost"][index]
        step = plan["early_step"][index]
        if cost > budget or step > steps:
            continue
        if sprinted == 1 and _repeats(plan, index):
            continue
        row = plan["early_row"][index]
        score = _early_place(rules, plan, w, o, index, sprinted)
        score += danger_score(rules, plan, w, o, row, plan["payable"] - payments - cost)
        paid = now
        if cost > 0:
            paid = after_payments(state, rules, plan, w, o, payments + cost)
        score += paid + w[o + WASTE] * (steps - step)
        if not found or score > best:
            best = score
            found = True
    return best


@kernel
def reaches_finish(state, rules, plan, steps, payments):
    """True when a legal move of ``steps`` steps can cross the line after so many payments."""
    steps = min(steps, MAX_STEPS)
    reach_steps(state, rules, plan, steps)
    for index in range(plan["n_early"]):
        if plan["early_step"][index] <= steps and plan["early_row"][index] > rules["rows"]:
            if plan["early_cost"][index] <= plan["payable"] - payments:
                return True
    return False
