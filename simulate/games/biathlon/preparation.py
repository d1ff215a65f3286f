"""Preparation Phase: roll half, place the dice (rulebook: Preparation Phase 1-4)."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.chance import draw_face
from simulate.games.biathlon.stamina import blue_markers
from simulate.games.biathlon.state import (
    COLUMNS,
    EVENT_PLACE,
    EVENT_PREP_ROLL,
    EVENT_REROLL,
    EVENT_RETURN,
    SCOPE_CAPACITY,
    SCOPE_STAR_ONLY,
)
from simulate.jit import kernel
from simulate.options import offer

BACK_BLUE, BACK_NO_PLACE = 0, 1  # why a die is available again
PLACE_SPRINT = 9


@kernel
def dice_on_board(state, seat):
    """Dice in columns, star boxes and sprint."""
    total = state["sprint"][seat]
    for column in range(COLUMNS):
        total += state["cols"][seat, column] + state["stars"][seat, column]
    return total


@kernel
def available(state, rules, seat):
    """Available dice: those not on the player board (rulebook: Glossary)."""
    return rules["race_dice"] - dice_on_board(state, seat)


@kernel
def column_cap(state, rules, seat, column):
    """Dice a column holds (BI-PREP-03; ``rules.full_at_3_scope``)."""
    if rules["full_at_3_scope"] == SCOPE_CAPACITY:
        return min(rules["column_cap"], rules["full_at"][state["nation"][seat], column])
    return rules["column_cap"]


@kernel
def fives_cap(state, rules, seat, column):
    """Dice at which a column refuses a 5 (BI-PREP-04; ``rules.full_at_3_scope``)."""
    if rules["full_at_3_scope"] == SCOPE_STAR_ONLY:
        return rules["column_cap"]
    return min(rules["column_cap"], rules["full_at"][state["nation"][seat], column])


@kernel
def send_back(state, events, seat, face, why, prep):
    """A die without a place, or removed, is available again (BI-PREP-02, BI-PREP-06)."""
    if prep and why == BACK_NO_PLACE:
        row = state["seat_rows"][seat]
        row["dice_returned"] += 1
        if face == 5:
            row["fives_refused"] += 1
        if face == 6:
            row["sixes_returned"] += 1
    emit(state, events, EVENT_RETURN, seat, face, why, 0, 0, 0, 0)


@kernel
def place_number(state, rules, events, seat, face, prep):
    """BI-PREP-03: a 1-4 goes into its own column if there is room."""
    column = face - 1
    if state["cols"][seat, column] < column_cap(state, rules, seat, column):
        state["cols"][seat, column] += 1
        emit(state, events, EVENT_PLACE, seat, face, face, 0, 0, 0, 0)
    else:
        send_back(state, events, seat, face, BACK_NO_PLACE, prep)


@kernel
def place_five(state, rules, events, seat, prep):
    """BI-PREP-04: a 5 joins the column with the most dice, ties the highest number; full: back."""
    best = 0
    for column in range(1, COLUMNS):
        if state["cols"][seat, column] >= state["cols"][seat, best]:
            best = column
    if state["cols"][seat, best] < fives_cap(state, rules, seat, best):
        state["cols"][seat, best] += 1
        emit(state, events, EVENT_PLACE, seat, 5, best + 1, 0, 0, 0, 0)
    else:
        send_back(state, events, seat, 5, BACK_NO_PLACE, prep)


@kernel
def list_six(state, rules, work, seat):
    """BI-PREP-05: sprint with room (0), then free star boxes above columns with dice (1 … 4)."""
    if state["sprint"][seat] < rules["sprint_cap"]:
        offer(work, 0)
    for column in range(COLUMNS):
        if state["cols"][seat, column] > 0 and state["stars"][seat, column] < rules["star_cap"]:
            offer(work, column + 1)


@kernel
def resolve_six(state, events, seat, code, prep):
    """Place a 6 in sprint (code 0) or in a star box (code 1 … 4)."""
    state["sixes"][seat] -= 1
    row = state["seat_rows"][seat]
    if code == 0:
        state["sprint"][seat] += 1
        row["sixes_sprint"] += prep
        emit(state, events, EVENT_PLACE, seat, 6, PLACE_SPRINT, 0, 0, 0, 0)
    else:
        state["stars"][seat, code - 1] += 1
        row["sixes_star"] += prep
        emit(state, events, EVENT_PLACE, seat, 6, COLUMNS + code, 0, 0, 0, 0)


@kernel
def return_six(state, events, seat, prep):
    """BI-PREP-06: a 6 without a legal place is available again."""
    state["sixes"][seat] -= 1
    send_back(state, events, seat, 6, BACK_NO_PLACE, prep)


@kernel
def roll_and_place(state, rules, work, events, seat, count, prep):
    """Roll ``count`` dice; place 1-4s, then 5s; the 6s wait in ``state["sixes"]``.

    BI-PREP-01 to 04. ``prep`` is 1 in the Preparation Phase, 0 for wax, where blue markers take no
    dice away unless ``rules.blue_on_reroll``.
    """
    faces = work["path"]  # free between moves: count of each face
    for face in range(1, 7):
        faces[face] = 0
    for _ in range(count):
        face = draw_face(state, rules, work, seat)
        faces[face] += 1
        kind = EVENT_PREP_ROLL if prep == 1 else EVENT_REROLL
        emit(state, events, kind, seat, face, 0, 0, 0, 0, 0)
    if prep == 1 or rules["blue_on_reroll"] == 1:
        remove_by_blue(state, events, seat, faces, prep)
    for face in range(1, COLUMNS + 1):
        for _ in range(faces[face]):
            place_number(state, rules, events, seat, face, prep)
    for _ in range(faces[5]):
        place_five(state, rules, events, seat, prep)
    state["sixes"][seat] = faces[6]


@kernel
def remove_by_blue(state, events, seat, faces, prep):
    """BI-PREP-02: as many rolled 5s and 6s go back as markers stand on blue, 5s first."""
    left = blue_markers(state, seat)
    for face in range(5, 7):
        while left > 0 and faces[face] > 0:
            faces[face] -= 1
            left -= 1
            state["seat_rows"][seat]["dice_blue_removed"] += prep
            send_back(state, events, seat, face, BACK_BLUE, prep)


@kernel
def prepare(state, rules, work, events, seat):
    """Roll half of the available dice, rounded up, and place all but the 6s (BI-PREP-01)."""
    count = (available(state, rules, seat) + 1) // 2
    state["seat_rows"][seat]["dice_rolled"] += count
    roll_and_place(state, rules, work, events, seat, count, 1)
