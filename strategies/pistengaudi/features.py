"""What a seat sees, in numbers: the features of the specification's section 10.

All information is open but the order of the stack, and nothing here looks at the stack.
"""

from __future__ import annotations

from simulate.games.pistengaudi.effects import beside
from simulate.games.pistengaudi.forest import has_way_out, look
from simulate.games.pistengaudi.movement import outcome_of
from simulate.games.pistengaudi.slope import (
    column_of,
    figure_row,
    is_signed,
    progress,
    row_of,
    sign_of,
)
from simulate.games.pistengaudi.state import (
    G1,
    G3,
    N_CELLS,
    NO_SIDE,
    OUTCOME_GOAL,
    S1,
    S3,
    STRIDE,
    F,
)
from simulate.games.pistengaudi.steps import list_landings
from simulate.jit import kernel
from strategies.pistengaudi.ahead import (
    lands_within,
    new_holes,
    row_of_moves,
    row_of_turns,
    slot_of,
    turns_ahead,
)
from strategies.pistengaudi.plan_state import (
    AREA,
    DUMP,
    ETA,
    EXITS,
    FINAL,
    FIRST_SLOT,
    FRONT,
    GAIN,
    GROOMOPT,
    HOLE,
    HOME,
    LANDG,
    LANDS,
    LEADLIE,
    LEADRISK,
    LIE,
    LIES,
    LOSTWAY,
    MAX_SLOTS,
    MINE,
    OPRISK,
    RACE,
    REACH,
    RISK,
    SHARE,
    SLOW,
    SNOWOPT,
    SPEED,
    THREAT,
    WAY,
)

THIRD = 3.0
ETA_SCALE = 8.0
SHARE_TURNS = 2
MINE_TURNS = 3
FAR = 1000


# ---------------------------------------------------------------- before the answer
@kernel
def see_table(state, rules, work, plan, w):
    """What is the same for all options of a question; expects ``refresh``."""
    seat = state["to_move"]
    plan["seat"] = seat
    see_weights(plan, w)
    plan["start_progress"] = progress(state, rules, seat)
    see_top(state, rules, plan)
    plan["leader"] = -1
    plan["upright"] = 0
    most = -1
    for step in range(1, state["n_seats"]):
        other = (seat + step) % state["n_seats"]
        done = progress(state, rules, other)
        if done > most:
            most = done
            plan["leader"] = other
        if state["area"][other] == 0 and state["lying"][other] == 0:
            plan["upright"] = 1
        if w[SLOW] != 0.0:
            plan["eta_before"][other] = turns_of(state, rules, work, plan, other)
        if w[LOSTWAY] != 0.0:
            way = has_way(state, rules, work, plan, other, top_with(plan, state, rules))
            plan["way_before"][other] = 1 if way else 0


@kernel
def see_top(state, rules, plan):
    """The highest row of the other figures."""
    top = FAR
    for other in range(state["n_seats"]):
        if other != plan["seat"]:
            top = min(top, figure_row(state, rules, other))
    plan["others_top"] = top


@kernel
def top_with(plan, state, rules):
    """R: the highest row with the own figure where it stands (PG-PLACE-05)."""
    return min(plan["others_top"], figure_row(state, rules, plan["seat"]))


@kernel
def turns_of(state, rules, work, plan, seat):
    """ETA of a figure: 0 in the goal, one more if it lies."""
    if state["area"][seat] > 0:
        return 0.0
    return turns_ahead(state, rules, work, plan, state["cell"][seat]) + state["lying"][seat]


# ---------------------------------------------------------------- ways out
@kernel
def sweep_for(state, rules, work, plan, top):
    """The ways out of the slope as it is now stand in WORK, with the highest row ``top``."""
    mark = plan["mark"] if plan["trying"] == 1 else plan["look"]
    if plan["swept_mark"] == mark and plan["swept_top"] == top:
        return
    left = state["left_end"]
    right = state["right_end"]
    if plan["trying"] == 1:
        left = min(left, column_of(plan["tried"]))
        right = max(right, column_of(plan["tried"]))
    look(state, rules, work, top, left - 1, right + 1)
    plan["swept_mark"] = mark
    plan["swept_top"] = top


@kernel
def has_way(state, rules, work, plan, seat, top):
    """A figure has a way out; one in the goal has (PG-FOREST-04)."""
    if state["area"][seat] > 0:
        return True
    sweep_for(state, rules, work, plan, top)
    return has_way_out(state, rules, work, state["cell"][seat], top)


@kernel
def way_from(state, rules, work, plan, cell):
    """1 if the own figure would have a way out from a cell."""
    row = slot_of(plan, cell)
    stamp = plan["look"]
    gentle = plan["gentle"] == 1 and rules["forest_way_out"] == 0
    if plan["trying"] == 1 and not (gentle and row >= FIRST_SLOT):
        row += MAX_SLOTS
        stamp = plan["mark"]
    if plan["way_stamp"][row] != stamp:
        top = min(plan["others_top"], row_of(cell))
        sweep_for(state, rules, work, plan, top)
        plan["way"][row] = 1 if has_way_out(state, rules, work, cell, top) else 0
        plan["way_stamp"][row] = stamp
    return plan["way"][row]


@kernel
def lost_ways(state, rules, work, plan, top):
    """Opponents that had a way out and have none now."""
    lost = 0
    for other in range(state["n_seats"]):
        if other != plan["seat"] and plan["way_before"][other] == 1:
            if not has_way(state, rules, work, plan, other, top):
                lost += 1
    return lost


# ---------------------------------------------------------------- the own figure
@kernel
def place_score(state, rules, work, plan, w, cell):
    """Score of the own figure standing upright on a cell: what the slope alone decides."""
    if plan["foresees"] == 0:
        return stand_score(state, rules, plan, w, cell)
    eta = turns_ahead(state, rules, work, plan, cell)
    row = row_of_turns(plan, cell)
    stamp = plan["look"] if row < MAX_SLOTS else plan["mark"]
    if plan["place_stamp"][row] == stamp:
        return plan["place"][row]
    score = stand_score(state, rules, plan, w, cell)
    score += (w[ETA] - w[RACE]) * eta / ETA_SCALE
    if w[EXITS] != 0.0:
        score += w[EXITS] * list_landings(state, rules, work, 0, cell, NO_SIDE) / THIRD
    score += next_score(state, rules, work, plan, w, cell)
    plan["place"][row] = score
    plan["place_stamp"][row] = stamp
    return score


@kernel
def stand_score(state, rules, plan, w, cell):
    """Part of ``place_score`` that needs no look ahead: gain, speed, home."""
    height = rules["height"]
    here = row_of(cell)
    score = w[GAIN] * (min(here, height) - plan["start_progress"]) / THIRD
    score += w[SPEED] * sign_of(state["kind"][cell]) / THIRD
    off = abs(column_of(cell)) / (2.0 * max(1, height + 1 - here))
    return score + w[HOME] * min(1.0, off)


@kernel
def see_weights(plan, w):
    """Whether any weight asks for a look ahead from the own space."""
    ahead = w[ETA] != w[RACE] or w[REACH] != 0.0 or w[RISK] != 0.0 or w[EXITS] != 0.0
    plan["foresees"] = 1 if ahead or w[SNOWOPT] != 0.0 or w[GROOMOPT] != 0.0 else 0


@kernel
def next_score(state, rules, work, plan, w, cell):
    """Part of ``place_score`` that the next move decides: reach, risk, snowopt, groomopt."""
    done = min(row_of(cell), rules["height"])
    moves = row_of_moves(state, rules, work, plan, cell)
    best = 0
    snow = 0
    groom = 0
    for index in range(plan["n_out"][moves]):
        code = plan["out"][moves, index]
        if outcome_of(code) == OUTCOME_GOAL:
            best = max(best, rules["height"] + code - OUTCOME_GOAL * N_CELLS)
            continue
        to = code % N_CELLS
        best = max(best, min(row_of(to), rules["height"]))
        kind = state["kind"][to]
        if kind >= S1 and kind <= S3:
            snow = 1
        elif kind >= G1 and kind <= G3:
            groom = 1
    score = w[REACH] * (best - done) / THIRD + w[SNOWOPT] * snow + w[GROOMOPT] * groom
    if plan["n_full"][moves] == 0:
        score += w[RISK]
    return score


@kernel
def goal_score(state, rules, work, plan, w, area):
    """Score of entering the goal in an area: gain, area, way, final."""
    gained = rules["height"] + area - plan["start_progress"]
    score = w[GAIN] * gained / THIRD + w[AREA] * area / THIRD + w[WAY]
    if w[FINAL] != 0.0:
        score += w[FINAL] * share_deeper(state, rules, work, plan, area)
    return score


@kernel
def share_deeper(state, rules, work, plan, area):
    """Share of the opponents still to move this round that can get deeper into the goal."""
    still = 0
    deeper = 0
    for other in range(plan["seat"] + 1, state["n_seats"]):
        if state["area"][other] > 0:
            continue
        still += 1
        if state["lying"][other] == 0:
            moves = row_of_moves(state, rules, work, plan, state["cell"][other])
            for index in range(plan["n_out"][moves]):
                if plan["out"][moves, index] > OUTCOME_GOAL * N_CELLS + area:
                    deeper += 1
                    break
    return 0.0 if still == 0 else deeper / (1.0 * still)


@kernel
def lying_score(w):
    """What lying adds: lie, and the turn that it costs in eta and race."""
    return w[LIE] + (w[ETA] - w[RACE]) / ETA_SCALE


@kernel
def effect_score(state, plan, w, cell):
    """Ending on a space: a snowball with an upright target, a groomer with a figure to move."""
    kind = state["kind"][cell]
    if kind >= S1 and kind <= S3 and plan["upright"] == 1:
        return w[LANDS]
    if kind >= G1 and kind <= G3 and w[LANDG] != 0.0:
        for other in range(state["n_seats"]):
            if other != plan["seat"] and state["area"][other] == 0:
                for way in range(4):
                    if is_signed(state["kind"][beside(state["cell"][other], way)]):
                        return w[LANDG]
    return 0.0


# ---------------------------------------------------------------- the opponents
@kernel
def opponents_score(state, rules, work, plan, w):
    """The features race (its other part), slow, oprisk, leadrisk, leadlie, lies, threat."""
    foresees = w[RACE] != 0.0 or w[SLOW] != 0.0
    looks = w[OPRISK] != 0.0 or w[LEADRISK] != 0.0 or w[THREAT] != 0.0
    lies = w[LEADLIE] != 0.0 or w[LIES] != 0.0
    if not foresees and not looks and not lies:
        return 0.0
    others = max(1, state["n_seats"] - 1)
    least = 1.0 * FAR
    added = 0.0
    risks = 0
    lying = 0
    threats = 0
    score = 0.0
    for other in range(state["n_seats"]):
        if other == plan["seat"]:
            continue
        if foresees:
            eta = turns_of(state, rules, work, plan, other)
            least = min(least, eta)
            if w[SLOW] != 0.0:
                added += eta - plan["eta_before"][other]
        if state["area"][other] > 0:
            continue
        lying += state["lying"][other]
        if other == plan["leader"]:
            score += w[LEADLIE] * state["lying"][other]
        if looks:
            moves = row_of_moves(state, rules, work, plan, state["cell"][other])
            if plan["n_full"][moves] == 0:
                risks += 1
                if other == plan["leader"]:
                    score += w[LEADRISK]
            if w[THREAT] != 0.0:
                threats += threatens(state, plan, moves)
    if foresees:
        score += w[RACE] * least / ETA_SCALE + w[SLOW] * added / ETA_SCALE
    return score + (w[OPRISK] * risks + w[LIES] * lying + w[THREAT] * threats) / others


@kernel
def threatens(state, plan, moves):
    """1 if a move of this row can end on a snowball."""
    for index in range(plan["n_out"][moves]):
        code = plan["out"][moves, index]
        if outcome_of(code) != OUTCOME_GOAL:
            kind = state["kind"][code % N_CELLS]
            if kind >= S1 and kind <= S3:
                return 1
    return 0


# ---------------------------------------------------------------- the card tried
@kernel
def card_score(state, rules, work, plan, w):
    """The features mine, dump, share, hole, front, lostway of the card that is tried."""
    cell = plan["tried"]
    score = 0.0
    if w[HOLE] != 0.0:
        score += w[HOLE] * new_holes(state, cell) / 2.0
    if w[SHARE] != 0.0:
        count = 0
        for other in range(state["n_seats"]):
            if other != plan["seat"] and lands_on(
                state, rules, work, plan, other, cell, SHARE_TURNS
            ):
                count += 1
        score += w[SHARE] * count / max(1, state["n_seats"] - 1)
    if w[MINE] != 0.0 and lands_on(state, rules, work, plan, plan["seat"], cell, MINE_TURNS):
        score += w[MINE]
    if w[DUMP] != 0.0:
        found = False
        for seat in range(state["n_seats"]):
            if not found and lands_on(state, rules, work, plan, seat, cell, MINE_TURNS):
                found = True
        if not found:
            score += w[DUMP]
    if w[FRONT] != 0.0 and stands_in_front(state, rules, work, plan, cell):
        score += w[FRONT]
    if w[LOSTWAY] != 0.0 and (plan["gentle"] == 0 or rules["forest_way_out"] == 1):
        lost = lost_ways(state, rules, work, plan, top_with(plan, state, rules))
        score += w[LOSTWAY] * lost / max(1, state["n_seats"] - 1)
    return score


@kernel
def lands_on(state, rules, work, plan, seat, upper, turns):
    """Whether a figure can land on the card tried within so many turns, getting up included."""
    if state["area"][seat] > 0:
        return False
    left = turns - state["lying"][seat]
    return lands_within(state, rules, work, plan, state["cell"][seat], left, upper)


@kernel
def stands_in_front(state, rules, work, plan, upper):
    """A forest half of the card tried borders a space where an opponent's move can end."""
    for cell in range(upper, upper + 2):
        if state["kind"][cell] != F:
            continue
        for other in range(state["n_seats"]):
            if other == plan["seat"] or state["area"][other] > 0:
                continue
            moves = row_of_moves(state, rules, work, plan, state["cell"][other])
            for index in range(plan["n_out"][moves]):
                code = plan["out"][moves, index]
                if outcome_of(code) != OUTCOME_GOAL and is_beside(cell, code % N_CELLS):
                    return True
    return False


@kernel
def is_beside(cell, other):
    """Two cells share an edge."""
    apart = abs(cell - other)
    return apart == 1 or apart == STRIDE
