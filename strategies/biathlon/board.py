"""Hypothetical player boards, packed into one number (picture: ``plan_state``)."""

from __future__ import annotations

from simulate.games.biathlon.state import COLUMNS, SCOPE_CAPACITY, SCOPE_STAR_ONLY
from simulate.jit import kernel
from strategies.biathlon.plan_state import (
    BITS,
    COL1,
    COL2,
    COLUMNS_ONLY,
    DEADSTAR,
    FREE,
    FULL,
    LOADED,
    N_PARAMS,
    N_ROLL_COUNTS,
    N_ROLL_NUMBERS,
    N_ROLL_RULES,
    NIBBLE,
    NO_TAKE,
    SPRINT,
    SPRINT_BIT,
    SPRINT_COLUMN,
    STAR_BIT,
)


@kernel
def pack_board(state, seat):
    """The dice on a seat's board as one number."""
    board = state["sprint"][seat] << SPRINT_BIT
    for column in range(COLUMNS):
        board |= state["cols"][seat, column] << (BITS * column)
        board |= state["stars"][seat, column] << (STAR_BIT + BITS * column)
    return board


@kernel
def dice_in(board, column):
    """Dice in a column (0 … 3) or in sprint (4)."""
    if column == SPRINT_COLUMN:
        return board >> SPRINT_BIT
    return (board >> (BITS * column)) & NIBBLE


@kernel
def stars_over(board, column):
    """Dice in the star box of a column."""
    return (board >> (STAR_BIT + BITS * column)) & NIBBLE


@kernel
def board_dice(board):
    """All dice on the board."""
    total = board >> SPRINT_BIT
    for index in range(2 * COLUMNS):
        total += (board >> (BITS * index)) & NIBBLE
    return total


@kernel
def see_nation(state, rules, plan, seat):
    """Thresholds and capacities of the seat's columns (BI-ADV-02), packed like the columns."""
    nation = state["nation"][seat]
    cap = rules["column_cap"]
    scope = rules["full_at_3_scope"]
    full = 0
    room = 0
    fives = 0
    for column in range(COLUMNS):
        at = rules["full_at"][nation, column]
        shift = BITS * column
        full |= at << shift
        room |= (min(cap, at) if scope == SCOPE_CAPACITY else cap) << shift
        fives |= (cap if scope == SCOPE_STAR_ONLY else min(cap, at)) << shift
    plan["full"] = full
    plan["room"] = room
    plan["fives"] = fives


@kernel
def fullest(board):
    """The column 1-4 with the most dice, ties the highest number."""
    best = 0
    for column in range(1, COLUMNS):
        if dice_in(board, column) >= dice_in(board, best):
            best = column
    return best


@kernel
def most_dice(board):
    """Dice in the fullest column."""
    return dice_in(board, fullest(board))


@kernel
def counted_in(board, full, column):
    """Dice that would count if the column were taken now (BI-COL-02)."""
    dice = dice_in(board, column)
    if column < SPRINT_COLUMN and dice >= dice_in(full, column):
        dice += stars_over(board, column)
    return dice


@kernel
def without_column(board, column):
    """The board after taking a column: its dice and its star die are gone."""
    if column == SPRINT_COLUMN:
        return board & COLUMNS_ONLY
    shift = BITS * column
    return board & ~((NIBBLE << shift) | (NIBBLE << (STAR_BIT + shift)))


@kernel
def board_score(board, w, o, full, race_dice):
    """F4-F10: weights ``w[o …]`` times what lies on the board."""
    top = 0
    second = 0
    n_full = 0
    loaded = 0
    dead = 0
    dice = 0
    for column in range(COLUMNS):
        here = (board >> (BITS * column)) & NIBBLE
        need = (full >> (BITS * column)) & NIBBLE
        stars = (board >> (STAR_BIT + BITS * column)) & NIBBLE
        dice += here + stars
        if here > top:
            second = top
            top = here
        elif here > second:
            second = here
        if here >= need:
            n_full += 1
        if here >= need - 1:
            loaded += stars
        else:
            dead += stars
    sprint = board >> SPRINT_BIT
    score = w[o + COL1] * top
    score += w[o + COL2] * second
    score += w[o + FULL] * n_full
    score += w[o + LOADED] * loaded
    score += w[o + DEADSTAR] * dead
    score += w[o + SPRINT] * sprint
    return score + w[o + FREE] * (race_dice - dice - sprint)


@kernel
def six_worth(board, w, o, full, code):
    """Worth of placing a 6: 0 sprint, 1-4 star box (loaded or dead); the free die is the same."""
    if code == 0:
        return w[o + SPRINT]
    column = code - 1
    if dice_in(board, column) >= dice_in(full, column) - 1:
        return w[o + LOADED]
    return w[o + DEADSTAR]


@kernel
def place_six(rules, plan, board, w, o):
    """The board after one 6 is placed by best score (first of equals), or the same board."""
    best = 0.0
    chosen = -1
    if (board >> SPRINT_BIT) < rules["sprint_cap"]:
        best = w[o + SPRINT]
        chosen = 0
    for column in range(COLUMNS):
        if dice_in(board, column) > 0 and stars_over(board, column) < rules["star_cap"]:
            worth = six_worth(board, w, o, plan["full"], column + 1)
            if chosen < 0 or worth > best:
                best = worth
                chosen = column + 1
    if chosen == 0:
        return board + (1 << SPRINT_BIT)
    if chosen > 0:
        return board + (1 << (STAR_BIT + BITS * (chosen - 1)))
    return board


@kernel
def place_face(rules, plan, board, w, o, face):
    """The board after one rerolled die is placed (BI-PREP-03 to 06)."""
    if face <= COLUMNS:
        column = face - 1
        if dice_in(board, column) < dice_in(plan["room"], column):
            return board + (1 << (BITS * column))
        return board
    if face == COLUMNS + 1:
        column = fullest(board)
        if dice_in(board, column) < dice_in(plan["fives"], column):
            return board + (1 << (BITS * column))
        return board
    return place_six(rules, plan, board, w, o)


@kernel
def blue_takes(state, rules, seat):
    """Dice that blue markers send back from a reroll (``rules.blue_on_reroll``)."""
    count = 0
    if rules["blue_on_reroll"] == 1:
        for marker in range(len(state["stamina"][seat])):
            if state["stamina"][seat, marker] == 0:
                count += 1
    return count


@kernel
def without_die(board, code):
    """The board less one die: code as in D-DIE (1-4 column, 5-8 star box, 9 sprint)."""
    if code <= COLUMNS:
        return board - (1 << (BITS * (code - 1)))
    if code <= 2 * COLUMNS:
        return board - (1 << (STAR_BIT + BITS * (code - 1 - COLUMNS)))
    return board - (1 << SPRINT_BIT)


@kernel
def holds_die(board, code):
    """True when the place of a D-DIE code holds a die."""
    if code <= 2 * COLUMNS:
        return (board >> (BITS * (code - 1))) & NIBBLE > 0
    return board >> SPRINT_BIT > 0


@kernel
def rerolled_score(rules, plan, board, w, o, code, blue):
    """Mean board score after the die of a D-DIE code is rolled again, over the six sides."""
    rest = without_die(board, code)
    total = 0.0
    last = 0
    score = 0.0
    for side in range(6):
        face = rules["race_faces"][side]
        if face != last:
            after = rest
            if face <= COLUMNS or blue == 0:
                after = place_face(rules, plan, rest, w, o, face)
            score = board_score(after, w, o, plan["full"], rules["race_dice"])
            last = face
        total += score
    return total / 6.0


@kernel
def best_die(state, rules, plan, w, o):
    """D-DIE by board score: the code whose reroll promises most, first of equals; 0 none.

    Its mean board score stays in ``plan["die_score"]``; both are kept while the board is the same.
    """
    board = plan["board"]
    blue = blue_takes(state, rules, plan["seat"])
    where = (plan["seat"] * 8 + blue) * N_PARAMS + o
    if plan["die_key"][0] == board and plan["die_key"][1] == where:
        return plan["die_code"]
    best = board_score(board, w, o, plan["full"], rules["race_dice"])
    chosen = 0
    for code in range(1, 2 * COLUMNS + 2):
        if holds_die(board, code):
            score = rerolled_score(rules, plan, board, w, o, code, blue)
            if chosen == 0 or score > best:
                best = score
                chosen = code
    plan["die_key"][0] = board
    plan["die_key"][1] = where
    plan["die_code"] = chosen
    plan["die_score"] = best
    return chosen


# ---------------------------------------------------------------- the whole board rerolled
@kernel
def six_order(w, o):
    """Number 0 … 11 of the way in which the weights rank sprint, loaded and dead star boxes."""
    order = 0
    if w[o + LOADED] > w[o + SPRINT]:
        order += 1
    if w[o + DEADSTAR] > w[o + SPRINT]:
        order += 2
    if w[o + LOADED] > w[o + DEADSTAR]:
        order += 4
    elif w[o + LOADED] == w[o + DEADSTAR]:
        order += 8
    return order


@kernel
def roll_rules_slot(rules, plan, blue):
    """Slot of the tables that belong to these dice, capacities and thresholds."""
    first = plan["full"] | (plan["room"] << 16) | (plan["fives"] << 32)
    second = rules["sprint_cap"] * 16 + rules["star_cap"]
    second = second * 16 + blue
    for side in range(6):
        second = second * 8 + rules["race_faces"][side]
    known = min(plan["n_roll_rules"], N_ROLL_RULES)
    for slot in range(known):
        if plan["roll_key"][slot, 0] == first and plan["roll_key"][slot, 1] == second:
            return slot
    slot = plan["n_roll_rules"] % N_ROLL_RULES
    plan["n_roll_rules"] += 1
    plan["roll_key"][slot, 0] = first
    plan["roll_key"][slot, 1] = second
    ready = plan["roll_ready"]
    for order in range(ready.shape[1]):
        for dice in range(ready.shape[2]):
            ready[slot, order, dice] = 0
    return slot


@kernel
def _note_outcome(rules, plan, slot, order, dice, row, board, chance):
    """Add one outcome to a row of a table: its chance and its features F4-F9."""
    table = plan["roll"]
    top = 0
    second = 0
    on_board = 0
    for column in range(COLUMNS):
        here = dice_in(board, column)
        stars = stars_over(board, column)
        on_board += here + stars
        if here > top:
            second = top
            top = here
        elif here > second:
            second = here
        need = dice_in(plan["full"], column)
        if here >= need:
            table[slot, order, dice, row, 3] += chance
        if here >= need - 1:
            table[slot, order, dice, row, 4] += chance * stars
        else:
            table[slot, order, dice, row, 5] += chance * stars
    sprint = board >> SPRINT_BIT
    table[slot, order, dice, row, 0] += chance
    table[slot, order, dice, row, 1] += chance * top
    table[slot, order, dice, row, 2] += chance * second
    table[slot, order, dice, row, 6] += chance * sprint
    table[slot, order, dice, row, 7] += chance * (on_board + sprint)


@kernel
def _fill_roll(rules, plan, w, o, slot, order, dice, blue):
    """Work out one table: every way in which ``dice`` dice can fall, by faces."""
    table = plan["roll"]
    for row in range(N_ROLL_COUNTS):
        for number in range(N_ROLL_NUMBERS):
            table[slot, order, dice, row, number] = 0.0
    count = plan["face_count"]
    for face in range(8):
        count[face] = 0
    for side in range(6):
        count[rules["race_faces"][side]] += 1
    for n1 in range(dice + 1):
        p1 = _ways(dice, n1, count[1])
        for n2 in range(dice - n1 + 1):
            p2 = p1 * _ways(dice - n1, n2, count[2])
            for n3 in range(dice - n1 - n2 + 1):
                left3 = dice - n1 - n2 - n3
                p3 = p2 * _ways(left3 + n3, n3, count[3])
                for n4 in range(left3 + 1):
                    p4 = p3 * _ways(left3, n4, count[4])
                    left4 = left3 - n4
                    room = plan["room"]
                    columns = min(n1, dice_in(room, 0))
                    columns |= min(n2, dice_in(room, 1)) << BITS
                    columns |= min(n3, dice_in(room, 2)) << (2 * BITS)
                    columns |= min(n4, dice_in(room, 3)) << (3 * BITS)
                    for n5 in range(left4 + 1):
                        n6 = left4 - n5
                        chance = p4 * _ways(left4, n5, count[5]) * _ways(n6, n6, count[6])
                        if chance > 0.0:
                            five = max(0, n5 - blue)
                            six = n6 - min(n6, blue - (n5 - five))
                            board = columns
                            for _ in range(five):
                                board = place_face(rules, plan, board, w, o, COLUMNS + 1)
                            for _ in range(six):
                                board = place_six(rules, plan, board, w, o)
                            _note_outcome(rules, plan, slot, order, dice, NO_TAKE, board, chance)
                            column = fullest(board)
                            got = min(counted_in(board, plan["full"], column), NO_TAKE - 1)
                            rest = without_column(board, column)
                            _note_outcome(rules, plan, slot, order, dice, got, rest, chance)
    plan["roll_ready"][slot, order, dice] = 1


@kernel
def _ways(n, k, sides):
    """Ways: n over k, times (sides / 6) to the k."""
    product = 1.0
    for index in range(k):
        product = product * (n - index) / (index + 1) * sides / 6.0
    return product


@kernel
def roll_slot(state, rules, plan, w, o, seat, order, dice):
    """Slot of the table for rerolling ``dice`` dice, worked out when it is first needed."""
    blue = blue_takes(state, rules, seat)
    slot = roll_rules_slot(rules, plan, blue)
    if plan["roll_ready"][slot, order, dice] == 0:
        _fill_roll(rules, plan, w, o, slot, order, dice, blue)
    return slot


@kernel
def rolled_score(plan, w, o, slot, order, dice, row, race_dice):
    """F4-F10 summed over the outcomes of a row, each times its chance."""
    table = plan["roll"]
    score = w[o + COL1] * table[slot, order, dice, row, 1]
    score += w[o + COL2] * table[slot, order, dice, row, 2]
    score += w[o + FULL] * table[slot, order, dice, row, 3]
    score += w[o + LOADED] * table[slot, order, dice, row, 4]
    score += w[o + DEADSTAR] * table[slot, order, dice, row, 5]
    score += w[o + SPRINT] * table[slot, order, dice, row, 6]
    free = race_dice * table[slot, order, dice, row, 0] - table[slot, order, dice, row, 7]
    return score + w[o + FREE] * free
