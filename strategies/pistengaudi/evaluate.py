"""Score of an option: weights times features of the state after it (spec section 10).

A card is worth what its placement does and the best own outcome behind it (effects left out); if the
own figure lies, the state after the placement. A card taken from the slope is worth its best
placement. Nothing is drawn, and the state is left as it was.
"""

from __future__ import annotations

from simulate.games.pistengaudi.effects import WAY_DOWN, WAY_UP, beside
from simulate.games.pistengaudi.movement import outcome_of
from simulate.games.pistengaudi.placing import list_placements, placed_card, placed_cell
from simulate.games.pistengaudi.slope import lay_card, lift_card, progress
from simulate.games.pistengaudi.state import (
    ASK_EMPTY,
    ASK_MOVE,
    ASK_PLACE,
    ASK_SNOW,
    N_CELLS,
    OUTCOME_FALL,
    OUTCOME_GOAL,
)
from simulate.jit import kernel
from strategies.pistengaudi.ahead import refresh, row_of_moves, try_card, untry_card
from strategies.pistengaudi.features import (
    card_score,
    effect_score,
    goal_score,
    lost_ways,
    lying_score,
    opponents_score,
    place_score,
    see_table,
    see_top,
    top_with,
    turns_of,
    way_from,
)
from strategies.pistengaudi.plan_state import (
    DUMP,
    FORGO,
    HITLEAD,
    HITUP,
    LOSTWAY,
    MINE,
    OLD,
    PUSH,
    SHARE,
    WAIT,
    WAY,
)

HALF = 0.5


@kernel
def look_at(state, rules, work, plan, w):
    """Take up what the asked seat sees."""
    refresh(state, rules, plan)
    see_table(state, rules, work, plan, w)
    if state["phase"] == ASK_PLACE:
        look_before_cards(state, rules, work, plan, w)


@kernel
def look_before_cards(state, rules, work, plan, w):
    """Know the slope as it lies, so that a card tried asks only for what it touches."""
    turn_score(state, rules, work, plan, w)
    if w[MINE] == 0.0 and w[SHARE] == 0.0 and w[DUMP] == 0.0:
        return
    for seat in range(state["n_seats"]):
        turns_of(state, rules, work, plan, seat)


@kernel
def option_score(state, rules, work, plan, w, code):
    """Score of an option of the question asked; expects ``look_at``."""
    question = state["phase"]
    if question == ASK_PLACE:
        return placement_score(state, rules, work, plan, w, code)
    if question == ASK_MOVE:
        return move_score(state, rules, work, plan, w, code)
    if question == ASK_EMPTY:
        if code == 0:
            return w[FORGO] + turn_score(state, rules, work, plan, w)
        return taking_score(state, rules, work, plan, w, code - 1)
    if question == ASK_SNOW:
        return throw_score(state, rules, work, plan, w, code)
    return groom_score(state, rules, work, plan, w, code)


# ---------------------------------------------------------------- the own figure
@kernel
def outcome_score(state, rules, work, plan, w, code):
    """The own figure after an outcome of its move."""
    outcome = outcome_of(code)
    if outcome == OUTCOME_GOAL:
        return goal_score(state, rules, work, plan, w, code - OUTCOME_GOAL * N_CELLS)
    cell = code % N_CELLS
    score = place_score(state, rules, work, plan, w, cell)
    if cell != state["cell"][plan["seat"]] or outcome == OUTCOME_FALL:
        score += effect_score(state, plan, w, cell)
    if outcome == OUTCOME_FALL:
        score += lying_score(w)
    if w[WAY] != 0.0:
        score += w[WAY] * way_from(state, rules, work, plan, cell)
    return score


@kernel
def best_outcome(state, rules, work, plan, w):
    """The own figure after the best outcome of its move; as it is if it lies or is in the goal."""
    seat = plan["seat"]
    if state["area"][seat] > 0:
        return 0.0
    if state["lying"][seat] == 1:
        return standing_score(state, rules, work, plan, w)
    moves = row_of_moves(state, rules, work, plan, state["cell"][seat])
    entering = offers_goal(plan, moves)
    best = 0.0
    for index in range(plan["n_out"][moves]):
        code = plan["out"][moves, index]
        score = outcome_score(state, rules, work, plan, w, code)
        if entering and outcome_of(code) != OUTCOME_GOAL:
            score += w[WAIT]
        if index == 0 or score > best:
            best = score
    return best


@kernel
def offers_goal(plan, moves):
    """One of the outcomes enters the goal."""
    for index in range(plan["n_out"][moves]):
        if outcome_of(plan["out"][moves, index]) == OUTCOME_GOAL:
            return True
    return False


@kernel
def standing_score(state, rules, work, plan, w):
    """The own figure where it is, upright or lying."""
    seat = plan["seat"]
    if state["area"][seat] > 0:
        return 0.0
    cell = state["cell"][seat]
    score = place_score(state, rules, work, plan, w, cell)
    if state["lying"][seat] == 1:
        score += lying_score(w)
    if w[WAY] != 0.0:
        score += w[WAY] * way_from(state, rules, work, plan, cell)
    return score


@kernel
def turn_score(state, rules, work, plan, w):
    """The state after the best own outcome on the slope as it is now."""
    score = opponents_score(state, rules, work, plan, w)
    return score + best_outcome(state, rules, work, plan, w)


# ---------------------------------------------------------------- PG-D-PLACE
@kernel
def placement_score(state, rules, work, plan, w, code):
    """A card of the hand at a place."""
    card = placed_card(state, code)
    cell = placed_cell(code)
    if code % 2 == 0:
        try_card(state, plan, cell, state["first"][card], state["second"][card])
    else:
        try_card(state, plan, cell, state["second"][card], state["first"][card])
    score = turn_score(state, rules, work, plan, w) + card_score(state, rules, work, plan, w)
    untry_card(state, plan)
    if cell == state["lifted_cell"] and code % 2 == state["lifted_turned"]:
        score += w[OLD]
    return score


# ---------------------------------------------------------------- PG-D-MOVE
@kernel
def move_score(state, rules, work, plan, w, code):
    """An outcome of the own move."""
    score = outcome_score(state, rules, work, plan, w, code)
    goal = outcome_of(code) == OUTCOME_GOAL
    last = work["options"][work["n_options"] - 1]
    if not goal and outcome_of(last) == OUTCOME_GOAL:
        score += w[WAIT]
    if w[LOSTWAY] != 0.0:
        score += w[LOSTWAY] * ways_lost_by_move(state, rules, work, plan, code)
    return score


@kernel
def ways_lost_by_move(state, rules, work, plan, code):
    """Share of opponents that lose their way out as the highest row sinks (edge case 9)."""
    seat = plan["seat"]
    cell = state["cell"][seat]
    before = top_with(plan, state, rules)
    area = 0
    if outcome_of(code) == OUTCOME_GOAL:
        area = code - OUTCOME_GOAL * N_CELLS
    else:
        state["cell"][seat] = code % N_CELLS
    state["area"][seat] = area
    top = top_with(plan, state, rules)
    state["area"][seat] = 0
    state["cell"][seat] = cell
    if top == before:
        return 0.0
    return lost_ways(state, rules, work, plan, top) / (1.0 * max(1, state["n_seats"] - 1))


# ---------------------------------------------------------------- PG-D-SNOW, PG-D-GROOM
@kernel
def ahead_of_me(state, rules, plan, target):
    """The feature hitlead: progress of a figure less the own, by rows of the slope and the goal."""
    own = progress(state, rules, plan["seat"])
    return (progress(state, rules, target) - own) / (1.0 + rules["height"])


@kernel
def table_score(state, rules, work, plan, w):
    """Own figure and opponents as they are now, after an effect."""
    score = opponents_score(state, rules, work, plan, w)
    return score + standing_score(state, rules, work, plan, w)


@kernel
def throw_score(state, rules, work, plan, w, code):
    """A snowball at a figure; 0 is pass."""
    if code == 0:
        return table_score(state, rules, work, plan, w)
    target = code - 1
    before = state["lying"][target]
    score = w[HITLEAD] * ahead_of_me(state, rules, plan, target)
    if state["area"][target] == 0:
        score += w[HITUP] * (1 - before)
        state["lying"][target] = 1
    score += table_score(state, rules, work, plan, w)
    state["lying"][target] = before
    return score


@kernel
def groom_score(state, rules, work, plan, w, code):
    """A figure moved by the groomer; 0 is pass."""
    if code == 0:
        return table_score(state, rules, work, plan, w)
    target = (code - 1) // 4
    way = (code - 1) % 4
    before = state["cell"][target]
    lead = ahead_of_me(state, rules, plan, target)
    pushed = 0
    if way == WAY_UP:
        pushed = 1
    elif way == WAY_DOWN:
        pushed = -1
    score = w[HITLEAD] * lead + w[PUSH] * pushed * (HALF + lead)
    top = plan["others_top"]
    state["cell"][target] = beside(before, way)
    see_top(state, rules, plan)
    score += table_score(state, rules, work, plan, w)
    if w[LOSTWAY] != 0.0:
        lost = lost_ways(state, rules, work, plan, top_with(plan, state, rules))
        score += w[LOSTWAY] * lost / max(1, state["n_seats"] - 1)
    state["cell"][target] = before
    plan["others_top"] = top
    return score


# ---------------------------------------------------------------- PG-D-EMPTY
@kernel
def taking_score(state, rules, work, plan, w, cell):
    """A card lifted from the slope, in the best place that it can be laid again (PG-EMPTY-04).

    The placements are listed behind the options of the question, which stay as they are.
    """
    n_options = work["n_options"]
    vetoed = work["vetoed"]
    held = state["hand"][0]
    n_hand = state["n_hand"]
    card = state["card"][cell]
    turned = state["turned"][card]
    upper = state["ridden"][cell]
    lower = state["ridden"][cell + 1]
    over = state["card_ridden"][card]
    lift_card(state, card)
    state["hand"][0] = card
    state["n_hand"] = 1
    refresh(state, rules, plan)
    list_placements(state, rules, work)
    plan["swept_mark"] = -1
    look_before_cards(state, rules, work, plan, w)
    best = 0.0
    count = work["n_options"] - n_options
    for index in range(count):
        code = work["options"][n_options + index]
        score = placement_score(state, rules, work, plan, w, code)
        if placed_cell(code) == cell and code % 2 == turned:
            score += w[OLD]
        if index == 0 or score > best:
            best = score
    lay_card(state, rules, card, cell, turned)
    state["ridden"][cell] = upper
    state["ridden"][cell + 1] = lower
    state["card_ridden"][card] = over
    state["hand"][0] = held
    state["n_hand"] = n_hand
    work["n_options"] = n_options
    work["vetoed"] = vetoed
    refresh(state, rules, plan)
    if count == 0:
        best = turn_score(state, rules, work, plan, w)
    return best
