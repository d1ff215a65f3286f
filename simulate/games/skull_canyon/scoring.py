"""The score: awards, leftover fame, gear, tiebreakers (rulebook: Final Scoring, Awards)."""

from __future__ import annotations

from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.state import (
    AWARD_TOTAL,
    AWARDS,
    DIFFICULTIES,
    EVENT_AWARD,
    EVENT_RESULT,
    EVENT_VP,
    PC_OVER,
    STAGE_OVER,
    VP_FAME,
    VP_GEAR,
)
from simulate.jit import kernel


@kernel
def tops_of(state, seat, award):
    """Own top markers that count for an award (SC-END-03)."""
    if award < AWARD_TOTAL:
        return state["tops"][seat, award]
    count = 0
    for difficulty in range(DIFFICULTIES):
        count += state["tops"][seat, difficulty]
    return count


@kernel
def award_share(state, rules, award, most):
    """VP that each seat with the most gets: split evenly, rounded down (SC-END-04, SC-END-05)."""
    tied = 0
    for seat in range(state["n_seats"]):
        if tops_of(state, seat, award) == most:
            tied += 1
    if most == 0 and rules["award_zero"] == 0:
        return 0
    return rules["award"][award] // tied


@kernel
def most_tops(state, award):
    """Most top markers that anyone has for an award."""
    most = 0
    for seat in range(state["n_seats"]):
        most = max(most, tops_of(state, seat, award))
    return most


@kernel
def gear_points(state, rules, seat):
    """VP of all gear owned, twins too (SC-END-02)."""
    points = 0
    for gear in range(rules["n_gear"]):
        points += state["owned"][seat, gear] * rules["gear_vp"][gear]
    return points


@kernel
def settle_scores(state, rules):
    """Scores of all seats if the game ended now, in ``final`` and ``award`` (SC-END-01 to -05)."""
    for seat in range(state["n_seats"]):
        fame = state["fame"][seat] // rules["fame_per_vp"]
        state["final"][seat] = state["vp"][seat] + fame + gear_points(state, rules, seat)
    for award in range(AWARDS):
        most = most_tops(state, award)
        share = award_share(state, rules, award, most)
        for seat in range(state["n_seats"]):
            state["award"][seat, award] = 0
            if tops_of(state, seat, award) == most:
                state["award"][seat, award] = share
                state["final"][seat] += share


@kernel
def tiebreak(state, seat, other):
    """Above 0 if a seat is ahead of another by fame, then cards; below if behind (SC-END-06)."""
    ahead = state["fame"][seat] - state["fame"][other]
    if ahead == 0:
        ahead = state["cards"][seat] - state["cards"][other]
    return ahead


@kernel
def beats(state, seat, other):
    """Above 0 if a seat is ahead of another by VP, fame, cards; below if behind (SC-END-06)."""
    ahead = state["final"][seat] - state["final"][other]
    if ahead == 0:
        ahead = tiebreak(state, seat, other)
    return ahead


@kernel
def rank_of(state, seat):
    """Place among all, ties share the mean of theirs."""
    ahead = 0
    level = 0
    for other in range(state["n_seats"]):
        order = beats(state, seat, other)
        if order < 0:
            ahead += 1
        elif order == 0:
            level += 1
    return 1.0 + ahead + (level - 1) / 2.0


@kernel
def tie_level(state):
    """What decided the win: 0 VP, 1 fame, 2 cards, 3 nothing, it is shared."""
    best = 0
    while not is_winner(state, best):
        best += 1
    level = 0
    for seat in range(state["n_seats"]):
        if seat != best and state["final"][seat] == state["final"][best]:
            reached = 1
            if state["fame"][seat] == state["fame"][best]:
                reached = 2
                if state["cards"][seat] == state["cards"][best]:
                    reached = 3
            level = max(level, reached)
    return level


@kernel
def end_game(state, rules, events):
    """Final scoring; nobody is asked any more (SC-END-01 to SC-END-07)."""
    settle_scores(state, rules)
    n_seats = state["n_seats"]
    for seat in range(n_seats):
        row = state["seat_rows"][seat]
        row["vp_fame"] = state["fame"][seat] // rules["fame_per_vp"]
        row["vp_gear"] = gear_points(state, rules, seat)
        row["vp_aw_easy"] = state["award"][seat, 0]
        row["vp_aw_adv"] = state["award"][seat, 1]
        row["vp_aw_exp"] = state["award"][seat, 2]
        row["vp_aw_total"] = state["award"][seat, 3]
        total = state["vp"][seat] + row["vp_fame"]
        emit(state, events, EVENT_VP, seat, VP_FAME, row["vp_fame"], total, 0, 0, 0)
        total += row["vp_gear"]
        emit(state, events, EVENT_VP, seat, VP_GEAR, row["vp_gear"], total, 0, 0, 0)
        for award in range(AWARDS):
            if state["award"][seat, award] > 0:
                emit(
                    state, events, EVENT_AWARD, seat, award, state["award"][seat, award],
                    tops_of(state, seat, award), 0, 0, 0,
                )  # fmt: skip
    for seat in range(n_seats):
        if is_winner(state, seat):
            state["win_k"] += 1
    state["tie_level"] = tie_level(state)
    for seat in range(n_seats):
        share = state["win_k"] if is_winner(state, seat) else 0
        emit(
            state, events, EVENT_RESULT, seat, state["final"][seat], state["fame"][seat],
            state["cards"][seat], share, 0, 0,
        )  # fmt: skip
    state["over"] = 1
    state["stage"] = STAGE_OVER
    state["pc"] = PC_OVER


@kernel
def is_winner(state, seat):
    """True when nobody is ahead of a seat (SC-END-06)."""
    for other in range(state["n_seats"]):
        if beats(state, seat, other) < 0:
            return False
    return True


@kernel
def wins_without_awards(state, seat):
    """Records: True when a seat would win if awards were worth 0."""
    for other in range(state["n_seats"]):
        ahead = state["final"][seat] - state["final"][other]
        for award in range(AWARDS):
            ahead += state["award"][other, award] - state["award"][seat, award]
        if ahead == 0:
            ahead = tiebreak(state, seat, other)
        if ahead < 0:
            return False
    return True
