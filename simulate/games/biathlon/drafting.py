"""Drafting: followers repeat the leader's movement for free (rulebook: Race Phase 3)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.movement import WALK_DRAFT, begin_walk
from simulate.games.biathlon.routes import entry_cost, is_shooting_row
from simulate.games.biathlon.stamina import payable
from simulate.games.biathlon.state import (
    EVENT_DRAFT,
    PC_DRAFT_DONE,
    PC_DRAFT_LEVEL,
    PC_DRAFT_NEXT,
    PC_W4,
    RACING,
    STEP_DIAGONAL_LEFT,
    STEP_DIAGONAL_RIGHT,
    STEP_FORWARD,
    STEP_LANE,
    STEP_SIDE_LEFT,
    STEP_SIDE_RIGHT,
    WHITE,
)
from simulate.jit import kernel
from simulate.options import offer


@kernel
def note_start(state, seat):
    """Remember where everybody stands before the leader moves (BI-DRAFT-04)."""
    for other in range(state["n_seats"]):
        state["start_row"][other] = state["row"][other]
        state["start_lane"][other] = state["lane"][other]
        state["start_penalty"][other] = state["penalty"][other]
    state["leader"] = seat
    state["track_row"][0] = state["row"][seat]
    state["track_lane"][0] = state["lane"][seat]
    state["track_n"] = 0
    state["followers"] = 0


@kernel
def is_leader(state, rules, seat):
    """BI-DRAFT-01: the active skier, not sprinting, neither in a range nor on its penalty lane.

    Nobody can stand behind one that starts from the start.
    """
    return state["sprinted"] == 0 and not is_shooting_row(rules, state["start_row"][seat])


@kernel
def stands_behind(state, rules, seat, level):
    """BI-DRAFT-02, BI-DRAFT-03: a skier that started ``level`` spaces straight behind the leader."""
    leader = state["leader"]
    if state["status"][seat] != RACING:
        return False
    row = state["start_row"][leader] - level
    if row < 1 or state["start_row"][seat] != row or state["start_penalty"][seat] > 0:
        return False
    if is_shooting_row(rules, row):
        done = state["shots_made"][seat] >= rules["shots"] and state["owed"][seat] == 0
        return rules["draft_from_shooting_space"] == 1 and done
    return state["start_lane"][seat] == state["start_lane"][leader]


@kernel
def any_follower(state, rules):
    """True when at least one level 1 skier exists, its stamina not looked at (route merging)."""
    for seat in range(state["n_seats"]):
        if stands_behind(state, rules, seat, 1):
            return True
    return False


@kernel
def chain_may_go_on(state, rules, level):
    """BI-DRAFT-03: nobody can draft on a follower that starts in a shooting space."""
    return not is_shooting_row(rules, state["start_row"][state["leader"]] - level)


@kernel
def plan_path(state, rules, work, seat, level):
    """The follower's way: fills ``path_code`` and cumulated ``path_cost``; returns its steps or -1.

    BI-DRAFT-05 (``rules.draft_path``), BI-DRAFT-06. Costs count the skiers as they stand now.
    """
    if rules["draft_path"] == 0:
        return _track_path(state, rules, work, seat, level)
    return _copied_path(state, rules, work, seat)


@kernel
def _note_path_step(state, rules, work, seat, index, code, row, lane):
    """Add one step of the path and its cost."""
    cost = entry_cost(state, rules, seat, row, lane, 0)
    before = work["path_cost"][index - 1] if index > 0 else 0
    work["path_code"][index] = code
    work["path_row"][index] = row
    work["path_lane"][index] = lane
    work["path_cost"][index] = before + cost


@kernel
def _track_path(state, rules, work, seat, level):
    """Walk along the line of spaces [.., row-2, row-1, t0, t1, ..] (reading ``track``)."""
    row = state["row"][seat]
    lane = state["lane"][seat]
    in_range = is_shooting_row(rules, row)
    steps = state["track_n"]
    for index in range(steps):
        target = index + 1 - level
        next_row = state["track_row"][0] + target
        next_lane = state["track_lane"][0]
        if target >= 0:
            next_row = state["track_row"][target]
            next_lane = state["track_lane"][target]
        code = STEP_FORWARD
        if in_range:
            code = STEP_LANE + next_lane
        elif next_row == row:
            code = STEP_SIDE_LEFT if next_lane < lane else STEP_SIDE_RIGHT
        elif next_lane < lane:
            code = STEP_DIAGONAL_LEFT
        elif next_lane > lane:
            code = STEP_DIAGONAL_RIGHT
        in_range = False
        _note_path_step(state, rules, work, seat, index, code, next_row, next_lane)
        row = next_row
        lane = next_lane
    return steps


@kernel
def _copied_path(state, rules, work, seat):
    """Repeat the leader's step codes from the own space (reading ``copy``); -1 if one is illegal.

    Leader and follower begin in one lane, and so stay side by side: no step leaves the course.
    """
    row = state["row"][seat]
    lane = state["lane"][seat]
    in_range = is_shooting_row(rules, row)
    if in_range:
        lane = state["start_lane"][state["leader"]]
    steps = state["track_n"]
    for index in range(steps):
        code = state["track_code"][index + 1]
        if code == STEP_SIDE_LEFT or code == STEP_SIDE_RIGHT:
            if in_range:
                return -1
            lane += -1 if code == STEP_SIDE_LEFT else 1
        else:
            row += 1  # behind the leader: neither a range nor the finish
            if code == STEP_DIAGONAL_LEFT or code == STEP_DIAGONAL_RIGHT:
                lane += -1 if code == STEP_DIAGONAL_LEFT else 1
                if rules["space"][row, lane] != WHITE:
                    return -1
            if in_range:
                code = STEP_LANE + lane
        in_range = False
        _note_path_step(state, rules, work, seat, index, code, row, lane)
    return steps


@kernel
def begin_drafts(state, rules):
    """After the leader's move and slide: ask level 1, if it may be drafted on."""
    state["level"] = 0
    state["level_drafted"] = 1
    state["pc"] = PC_DRAFT_LEVEL
    if not is_leader(state, rules, state["leader"]):
        state["pc"] = PC_W4


@kernel
def next_level(state, rules):
    """BI-DRAFT-04: go on to the skiers behind a level in which somebody drafted."""
    row = state["game_rows"][0]
    row["chains_max"] = max(row["chains_max"], state["followers"])
    level = state["level"]
    state["pc"] = PC_W4
    if state["level_drafted"] == 0:
        return
    if not chain_may_go_on(state, rules, level):
        return
    state["level"] = level + 1
    state["level_drafted"] = 0
    state["level_asked"] = 0
    state["pc"] = PC_DRAFT_NEXT


@kernel
def next_follower(state, rules):
    """The next skier of the level, clockwise from the leader; -1 when all have been looked at."""
    n_seats = state["n_seats"]
    while state["level_asked"] < n_seats - 1:
        state["level_asked"] += 1
        seat = (state["leader"] + state["level_asked"]) % n_seats
        if stands_behind(state, rules, seat, state["level"]):
            return seat
    return -1


@kernel
def draft_is_barred(state, seat):
    """Whether an experiment forbids this draft (hooks)."""
    treatment = state["treatment"][seat]
    if treatment["no_draft"] == 1:
        return True
    same_owner = state["side"][seat] == state["side"][state["leader"]]
    return treatment["no_own_draft"] == 1 and same_owner


@kernel
def list_draft(state, rules, work, seat):
    """D-DRAFT: no (0), yes (1); with ``draft_extent`` prefix the number of steps.

    BI-DRAFT-06: not asked when the path cannot be walked or paid.
    """
    if draft_is_barred(state, seat):
        return
    steps = plan_path(state, rules, work, seat, state["level"])
    if steps < 1:
        return
    budget = payable(state, seat)
    if rules["draft_extent"] == 0:
        if work["path_cost"][steps - 1] <= budget:
            offer(work, 0)
            offer(work, 1)
        return
    if work["path_cost"][0] > budget:
        return
    offer(work, 0)
    for index in range(steps):
        if work["path_cost"][index] <= budget:
            offer(work, index + 1)


@kernel
def resolve_draft(state, rules, work, events, seat, code):
    """Stay, or walk the path: no dice, no uphill loss, no wax (BI-DRAFT-06, BI-DRAFT-09)."""
    leader = state["leader"]
    steps = 0
    if code > 0:
        steps = plan_path(state, rules, work, seat, state["level"])
        if rules["draft_extent"] == 1:
            steps = code
    emit(state, events, EVENT_DRAFT, seat, leader, state["level"], code, steps, 0, 0)
    if code == 0:
        state["game_rows"][0]["draft_refused"] += 1
        return
    for index in range(steps):
        state["walk_steps"][index] = work["path_code"][index]
    state["level_drafted"] += 1
    state["followers"] += 1
    state["game_rows"][0]["drafts"] += 1
    state["tally"]["drafts"][work["path_row"][steps - 1]] += 1
    state["seat_rows"][seat]["drafts_made"] += 1
    state["seat_rows"][leader]["drafts_given"] += 1
    state["seat_rows"][leader]["towed_steps"] += steps
    state["credit"] = 1
    begin_walk(state, seat, WALK_DRAFT, steps, 0, PC_DRAFT_DONE)
