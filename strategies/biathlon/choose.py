"""The strategies: small kernels, each from the question asked to the index of the chosen option.

``random_option``  uniform over the options
``plain``          R0 and R1 of the specification (11.2)
``archetype``      the best-scored option (``evaluate``), under the hard rules of 10.3
"""

from __future__ import annotations

from simulate import rng
from simulate.games.biathlon.state import (
    ASK_DRAFT,
    ASK_EXTRA,
    ASK_MAIN,
    ASK_MOVE,
    ASK_NATION,
    ASK_WAXPICK,
    STEP_LANE,
    STEP_PENALTY,
)
from simulate.jit import kernel
from strategies.biathlon.ahead import reaches_finish
from strategies.biathlon.board import counted_in
from strategies.biathlon.evaluate import draft_cost, look, option_score, steps_of
from strategies.biathlon.features import behind_rival, rivals_behind
from strategies.biathlon.plan_state import N_PREFERRED, P_SLOT1, P_TEMPERATURE

# codes of ``decide``; never used again for something else
RANDOM, PLAIN, PLAIN_NODRAFT, GREEDY = 0, 1, 2, 3
PACER, MARKSMAN, FRONT_RUNNER, DRAFTER, FINISHER, BLOCKER, BUILDER, OPPORTUNIST = range(4, 12)

TWO_MORE_DICE = 2  # Front-runner: two more dice for one stamina
# Four uniform numbers, less their mean, have the SD of the logistic distribution when scaled so.
NOISE_SCALE = 3.141592653589793


# ---------------------------------------------------------------- baselines
@kernel
def random_option(work, policy, position):
    """Random: uniform over the options."""
    return rng.below(policy, position, work["n_options"])


@kernel
def plain(state, work, draft):
    """R0 (``draft`` 1) and R1 (0): no wax, the fullest column, nothing bought, the own lane."""
    phase = state["phase"]
    last = work["n_options"] - 1
    if phase == ASK_MAIN:
        return _plain_main(state, work)
    if phase == ASK_DRAFT:
        return last if draft == 1 else 0
    if phase == ASK_MOVE:
        return _plain_route(state, work)
    return 0


@kernel
def _plain_main(state, work):
    """Most dice, ties the highest number."""
    seat = state["to_move"]
    best = 0
    for index in range(work["n_options"]):
        column = work["options"][index] - 1
        if state["cols"][seat, column] >= state["cols"][seat, work["options"][best] - 1]:
            best = index
    return best


@kernel
def _plain_route(state, work):
    """The first route that leaves start or range into lane 1 (odd seats) or 2, else the first."""
    wanted = STEP_LANE + state["to_move"] % 2
    for index in range(work["n_options"]):
        route = work["options"][index]
        step = 0
        last = work["route_len"][route] - 1
        while step < last and work["route_codes"][route, step] == STEP_PENALTY:
            step += 1
        if work["route_codes"][route, step] == wanted:
            return index
    return 0


# ---------------------------------------------------------------- archetypes
@kernel
def archetype(state, rules, work, plan, strategy, w, policy, position):
    """The best-scored option; the first of equals; the style's hard rules come first (10.3)."""
    phase = state["phase"]
    if phase == ASK_WAXPICK:
        return preferred_token(state, rules, work, w)
    if phase == ASK_NATION:
        return 0
    look(state, rules, plan, w)
    if phase == ASK_EXTRA:
        return _best_extra(state, rules, work, plan, strategy, w, policy, position)
    if phase == ASK_MOVE and (strategy == DRAFTER or strategy == BLOCKER):
        return _best_route(state, rules, work, plan, strategy, w, policy, position)
    if phase == ASK_DRAFT and strategy == DRAFTER:
        dearest = _free_draft(state, rules, work, plan)
        if dearest > 0:
            return dearest
    return _best_option(state, rules, work, plan, w, policy, position)


@kernel
def _noise(w, policy, position):
    """Noise for self-play, of the spread of a logistic with scale ``temperature``; 0 at 0."""
    temperature = w[P_TEMPERATURE]
    if temperature <= 0.0:
        return 0.0
    total = -2.0
    for _ in range(4):
        total += rng.unit(policy, position)
    return temperature * NOISE_SCALE * total


@kernel
def _best_option(state, rules, work, plan, w, policy, position):
    """Index of the option with the highest score."""
    chosen = 0
    best = 0.0
    for index in range(work["n_options"]):
        score = option_score(state, rules, work, plan, w, work["options"][index])
        score += _noise(w, policy, position)
        if index == 0 or score > best:
            best = score
            chosen = index
    return chosen


@kernel
def _best_route(state, rules, work, plan, strategy, w, policy, position):
    """As ``_best_option``; of equal routes the one that suits the style (Drafter, Blocker)."""
    chosen = 0
    best = 0.0
    best_suits = 0
    for index in range(work["n_options"]):
        route = work["options"][index]
        score = option_score(state, rules, work, plan, w, route)
        score += _noise(w, policy, position)
        suits = 0
        row = work["route_row"][route]
        if row <= rules["rows"] and work["route_penalty"][route] == 0:
            lane = work["route_lane"][route]
            if strategy == BLOCKER:
                suits = rivals_behind(plan, row, lane)
            elif behind_rival(plan, row, lane):
                suits = 1
        if index == 0 or score > best or (score == best and suits > best_suits):
            best = score
            best_suits = suits
            chosen = index
    return chosen


@kernel
def _free_draft(state, rules, work, plan):
    """Drafter: the longest draft of cost 0, or 0 where every draft costs."""
    found = 0
    for index in range(1, work["n_options"]):
        if draft_cost(state, rules, work, plan, work["options"][index]) == 0:
            found = index
    return found


@kernel
def _dice_for_one(plan, code):
    """Dice that one stamina buys with an option of D-EXTRA."""
    return counted_in(plan["board"], plan["full"], code - 1)


@kernel
def _steps_after(state, rules, plan, code):
    """Steps of the move if that column is bought."""
    dice = state["dice"] + _dice_for_one(plan, code)
    return steps_of(state, rules, plan, dice, state["plus"] + state["sprint_moves"])


@kernel
def _may_buy(state, rules, plan, strategy, code):
    """Hard rules on buying a column: Pacer and Finisher."""
    if strategy == PACER:
        if state["shooting"] == 1:
            return False
        return reaches_finish(state, rules, plan, _steps_after(state, rules, plan, code), 1)
    if strategy == FINISHER:
        return last_range_left(rules, plan)
    return True


@kernel
def last_range_left(rules, plan):
    """True on the course beyond the last range."""
    if plan["ahead"] > 0:
        return False
    row = plan["row"]
    return plan["penalty"] == 0 and rules["range_of_row"][row] < 0


@kernel
def _must_buy(state, rules, plan, strategy, code):
    """Hard rules on buying a column: Front-runner and Finisher."""
    if strategy == FRONT_RUNNER:
        before = plan["ahead"] == rules["n_ranges"] and state["shooting"] == 0
        return before and _dice_for_one(plan, code) >= TWO_MORE_DICE
    return strategy == FINISHER and last_range_left(rules, plan)


@kernel
def _best_extra(state, rules, work, plan, strategy, w, policy, position):
    """D-EXTRA: stop or buy, within the style's hard rules."""
    chosen = 0
    best = 0.0
    forced = False
    for index in range(work["n_options"]):
        code = work["options"][index]
        must = False
        if code > 0:
            if not _may_buy(state, rules, plan, strategy, code):
                continue
            must = _must_buy(state, rules, plan, strategy, code)
        if forced and not must:
            continue
        score = option_score(state, rules, work, plan, w, code)
        score += _noise(w, policy, position)
        if index == 0 or (must and not forced) or score > best:
            best = score
            chosen = index
            forced = must
    return chosen


# ---------------------------------------------------------------- wax before the race
@kernel
def preferred_token(state, rules, work, w):
    """D-WAXPICK: the token preferred for this slot; else the first that no other slot wants."""
    seat = state["to_move"]
    slot = 0
    while slot < rules["slots"] and state["slots"][seat, slot] > 0:
        slot += 1
    if slot < N_PREFERRED:
        for index in range(work["n_options"]):
            if work["options"][index] == w[P_SLOT1 + slot]:
                return index
    for index in range(work["n_options"]):
        wanted = False
        for later in range(slot, N_PREFERRED):
            if work["options"][index] == w[P_SLOT1 + later]:
                wanted = True
        if not wanted:
            return index
    return 0
