"""What a run is worth to a seat: its VP and fame, a marker on it, and what that takes."""

from __future__ import annotations

from simulate.games.skull_canyon.claims import claim_need, may_claim, top_seat
from simulate.games.skull_canyon.gear import has
from simulate.games.skull_canyon.scoring import gear_points, tops_of
from simulate.games.skull_canyon.sets import need_of
from simulate.games.skull_canyon.state import (
    AWARD_TOTAL,
    AWARDS,
    BOOTS,
    MAX_STACK,
)
from simulate.jit import kernel
from strategies.skull_canyon.plan_state import (
    AWARD_NOW,
    BEST,
    CLAIM,
    DEPTH,
    FAME,
    HAND,
    LEAD,
    NEVER,
    RESTACK,
    SECOND,
    SPENT,
    STEAL,
    STEAL_LEAD,
    TOP_ALL,
    TOP_E,
    VP,
)

_CLIP = 3
_ANY_SIZE = MAX_STACK + NEVER
# A card played is seldom one of every feature: shares of its weights that it costs on average.
_OF_BEST, _OF_SECOND = 0.5, 0.25


# ------------------------------------------------------------------------------- standings
@kernel
def award_points(state, rules, seat, award, more, victim):
    """VP of an award for a seat with ``more`` markers on top, ``victim`` having one fewer."""
    own = tops_of(state, seat, award) + more
    tied = 1
    for other in range(state["n_seats"]):
        if other != seat:
            count = tops_of(state, other, award)
            if other == victim:
                count -= more
            if count > own:
                return 0
            if count == own:
                tied += 1
    if own == 0 and rules["award_zero"] == 0:
        return 0
    return rules["award"][award] // tied


@kernel
def ahead_by(state, seat, award, more, victim):
    """Own tops less the best rival's, clipped (features top_e to top_all)."""
    best = 0
    for other in range(state["n_seats"]):
        if other != seat:
            count = tops_of(state, other, award)
            if other == victim:
                count -= more
            best = max(best, count)
    return max(-_CLIP, min(_CLIP, tops_of(state, seat, award) + more - best))


@kernel
def standing(state, rules, seat):
    """Score of a seat if the game ended now."""
    score = state["vp"][seat] + state["fame"][seat] // rules["fame_per_vp"]
    score += gear_points(state, rules, seat)
    for award in range(AWARDS):
        score += award_points(state, rules, seat, award, 0, -1)
    return score


@kernel
def see_table(state, rules, board, plan):
    """The leader among the rivals, and the stacks that the seat tops."""
    if plan["table_stamp"] == plan["stamp"]:
        return
    plan["table_stamp"] = plan["stamp"]
    seat = plan["seat"]
    leader = seat
    best = standing(state, rules, seat)
    for other in range(state["n_seats"]):
        if other != seat:
            score = standing(state, rules, other)
            if score > best:
                best = score
                leader = other
    plan["leader"] = leader if leader != seat else -1
    plan["depth_sum"] = 0
    plan["depth_n"] = 0
    for run in range(board["n_runs"]):
        if top_seat(state, run) == seat:
            plan["depth_sum"] += state["stack_n"][run]
            plan["depth_n"] += 1


# ------------------------------------------------------------------------------- a marker more
@kernel
def award_gain(state, rules, plan, w, difficulty, victim):
    """What one marker more on top is worth in awards; ``victim`` loses one, -1 nobody does."""
    if plan["award_stamp"][difficulty, victim + 1] == plan["stamp"]:
        return plan["award_gain"][difficulty, victim + 1]
    seat = plan["seat"]
    gain = 0.0
    for index in range(2):
        award = difficulty if index == 0 else AWARD_TOTAL
        points = award_points(state, rules, seat, award, 1, victim)
        points -= award_points(state, rules, seat, award, 0, -1)
        gain += (w[AWARD_NOW] + w[LEAD]) * points
        top = w[TOP_E + difficulty] if index == 0 else w[TOP_ALL]
        if top != 0.0:
            more = ahead_by(state, seat, award, 1, victim)
            gain += top * (more - ahead_by(state, seat, award, 0, -1))
    plan["award_stamp"][difficulty, victim + 1] = plan["stamp"]
    plan["award_gain"][difficulty, victim + 1] = gain
    return gain


@kernel
def claim_score(state, rules, board, plan, w, run):
    """Worth of a marker on a run: an empty one, a rival's, the leader's, an own one."""
    seat = plan["seat"]
    top = top_seat(state, run)
    difficulty = board["difficulty"][run]
    if top < 0:
        score = w[CLAIM] + award_gain(state, rules, plan, w, difficulty, -1)
    elif top == seat:
        score = w[RESTACK]
    else:
        score = w[STEAL] + award_gain(state, rules, plan, w, difficulty, top)
        if w[STEAL_LEAD] != 0.0:
            see_table(state, rules, board, plan)
            if plan["leader"] == top:
                score += w[STEAL_LEAD]
    if w[DEPTH] != 0.0:
        see_table(state, rules, board, plan)
        total = plan["depth_sum"]
        count = plan["depth_n"]
        before = total / count if count > 0 else 0.0
        if top == seat:
            total += 1
        else:
            total += state["stack_n"][run] + 1
            count += 1
        score += w[DEPTH] * (total / count - before)
    return score


# ------------------------------------------------------------------------------- a run
@kernel
def see_run(state, rules, board, plan, w, run):
    """Need, need to claim, and the gain of a run at the usual price of cards."""
    if plan["run_stamp"][run] == plan["stamp"]:
        return
    plan["run_stamp"][run] = plan["stamp"]
    seat = plan["seat"]
    need = need_of(state, rules, board, seat, run)
    plan["need"][run] = need
    plan["claim_need"][run] = NEVER
    plan["claim_value"][run] = 0.0
    if may_claim(state, rules, board, seat, run, _ANY_SIZE):
        plan["claim_need"][run] = claim_need(state, rules, board, seat, run)
        plan["claim_value"][run] = claim_score(state, rules, board, plan, w, run)
    difficulty = board["difficulty"][run]
    fame = rules["fame"][difficulty]
    if has(state, seat, BOOTS):
        fame += 1
    gain = w[VP] * rules["vp"][difficulty] + w[FAME] * fame
    plan["run_gain"][run] = gain - need * card_price(plan, w)


@kernel
def card_price(plan, w):
    """What a card played costs on average."""
    price = w[HAND] + _OF_BEST * w[BEST] + _OF_SECOND * w[SECOND]
    return plan["fade"] * price - w[SPENT]


@kernel
def gain_with(plan, w, run, reach):
    """Gain of a run with a largest set of that size; 0 if it cannot be paid."""
    if reach < plan["need"][run]:
        return 0.0
    gain = plan["run_gain"][run]
    if reach >= plan["claim_need"][run]:
        more = plan["claim_need"][run] - plan["need"][run]
        gain += max(0.0, plan["claim_value"][run] - more * card_price(plan, w))
    return max(gain, 0.0)
