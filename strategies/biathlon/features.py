"""What a seat sees of the table, and the features F1-F25 of the specification (section 10.2).

A score is a sum of weight x feature. It falls into three parts that are summed apart:

``board_score``    F4-F10, the dice on the own board (``board.py``)
``stamina_score``  F2, F3, F20, F25 and the penalty laps of F1: what stands on the stamina columns
``place_score``    the rest of F1, F12-F19 and F22-F24: where the skier stands among the others

Nothing here reads a stream, another seat's wax or another seat's 6s of a running preparation.
"""

from __future__ import annotations

from simulate.games.biathlon.routes import is_shooting_row
from simulate.games.biathlon.state import (
    DOWNHILL,
    FREE,
    HIGHEST_BY_COLOUR,
    N_COLOURS,
    RACING,
    TARGETS,
    UPHILL,
)
from simulate.jit import kernel
from strategies.biathlon.board import most_dice, pack_board, see_nation
from strategies.biathlon.plan_state import (
    AIM,
    BEHIND,
    BITS,
    BLOCK,
    BLUE,
    DANGER,
    DIST,
    HOME,
    LEAD,
    MASK_BITS,
    MAX_CHAIN,
    N_FEATURES,
    NEXTS,
    NIBBLE,
    OPEN,
    SEAT,
    SHOTSLEFT,
    SLIDEBAIT,
    STAM,
    TAIL,
    TOW,
    UPSTART,
)

BLOCK_ROWS = 4  # F15: rivals within 4 rows behind
OPEN_ROWS = 2  # F16: the two spaces ahead
BAIT_ROWS = 4  # F18: 1-4 rows before
DANGER_ROWS = 5  # F21: within 5 rows ahead
NEXT_CAP = 12  # F23: capped at 12
LATE = 2


# ---------------------------------------------------------------- expected penalty laps, by colours
@kernel
def see_rules(rules, plan):
    """Fill the table of expected laps unless it belongs to these rules already."""
    first = rules["shoot_sides"]
    for colour in range(N_COLOURS):
        first = first * 64 + rules["shoot_hits"][colour]
    second = rules["misses_per_lap"]
    if plan["laps_key"][0] == first and plan["laps_key"][1] == second:
        return
    plan["laps_key"][0] = first
    plan["laps_key"][1] = second
    for green in range(TARGETS + 1):
        for yellow in range(TARGETS + 1 - green):
            for red in range(TARGETS + 1 - green - yellow):
                for blue in range(TARGETS + 1 - green - yellow - red):
                    _fill_laps(rules, plan, green, yellow, red, blue)


@kernel
def _fill_laps(rules, plan, green, yellow, red, blue):
    """Expected laps after that many shots to come of each colour, by misses made before them."""
    odds = plan["odds"]  # chance of k misses among the shots to come
    odds[0] = 1.0
    shots = 0
    per_lap = rules["misses_per_lap"]
    for colour in range(N_COLOURS):
        count = green
        if colour == 1:
            count = yellow
        elif colour == 2:
            count = red
        elif colour == 3:
            count = blue
        hit = rules["shoot_hits"][colour] / rules["shoot_sides"]
        for _ in range(count):
            shots += 1
            odds[shots] = odds[shots - 1] * (1.0 - hit)
            for k in range(shots - 1, 0, -1):
                odds[k] = odds[k] * hit + odds[k - 1] * (1.0 - hit)
            odds[0] = odds[0] * hit
    for misses in range(TARGETS + 1):
        mean = 0.0
        for k in range(shots + 1):
            mean += odds[k] * ((misses + k + per_lap - 1) // per_lap)
        plan["laps"][green, yellow, red, blue, misses] = mean


@kernel
def laps_of(plan, colours, misses):
    """Expected laps by packed counts of the shots to come (four bits a colour)."""
    return plan["laps"][
        colours & NIBBLE,
        (colours >> BITS) & NIBBLE,
        (colours >> (2 * BITS)) & NIBBLE,
        (colours >> (3 * BITS)) & NIBBLE,
        misses,
    ]


@kernel
def colours_of(state, rules, seat, first):
    """Packed counts of the colours under a seat's markers from target ``first`` on."""
    nation = state["nation"][seat]
    colours = 0
    for target in range(first, rules["shots"]):
        colour = rules["colour"][nation, target, state["stamina"][seat, target]]
        colours += 1 << (BITS * colour)
    return colours


@kernel
def is_visiting(state, rules, seat):
    """True while a visit to a range still has shots to make, or the seat is on its SHOOT turn."""
    if state["penalty"][seat] > 0 or not is_shooting_row(rules, state["row"][seat]):
        return False
    if state["shots_made"][seat] < rules["shots"]:
        return True
    return state["shooting"] == 1 and state["active"] == seat and state["owed"][seat] == 0


@kernel
def misses_of(state, seat):
    """Misses among the shots made."""
    misses = state["shots_made"][seat]
    for target in range(state["shots_made"][seat]):
        misses -= state["shot_hit"][seat, target]
    return misses


@kernel
def distance(state, rules, plan, seat):
    """F1: rows to the finish, steps owed, expected laps of all ranges not yet completed."""
    row = state["row"][seat]
    laps = 0.0
    ahead = rules["ranges_ahead"][row]
    if ahead > 0:
        laps += ahead * laps_of(plan, colours_of(state, rules, seat, 0), 0)
    if is_visiting(state, rules, seat):
        left = colours_of(state, rules, seat, state["shots_made"][seat])
        laps += laps_of(plan, left, misses_of(state, seat))
    steps = rules["rows"] + 1 - row + state["owed"][seat]
    return steps + rules["lap_length"] * laps


# ---------------------------------------------------------------- what the seat sees of itself
@kernel
def phase_of(rules, ahead, shots_left):
    """0 before the first range is shot, 1 between, 2 late: no range ahead or in progress."""
    if ahead == 0 and shots_left == 0:
        return LATE
    done = rules["n_ranges"] - ahead
    if shots_left > 0:
        done -= 1
    return 0 if done == 0 else 1


@kernel
def see_self(state, rules, plan, w, seat):
    """Take up the position of the seat and the chain of its payments. Returns the phase."""
    plan["seat"] = seat
    row = state["row"][seat]
    plan["row"] = row
    plan["lane"] = state["lane"][seat]
    plan["penalty"] = state["penalty"][seat]
    plan["owed"] = state["owed"][seat]
    plan["ahead"] = rules["ranges_ahead"][row]
    plan["visiting"] = 0
    plan["made"] = rules["shots"]
    plan["misses"] = 0
    if is_visiting(state, rules, seat):
        plan["visiting"] = 1
        plan["made"] = state["shots_made"][seat]
        plan["misses"] = misses_of(state, seat)
    phase = phase_of(rules, plan["ahead"], rules["shots"] - plan["made"])
    plan["phase"] = phase
    _see_stamina(state, rules, plan, w, seat)
    return phase


@kernel
def _see_stamina(state, rules, plan, w, seat):
    """The nation's columns and a new chain of payments, unless the markers are as they were."""
    first = 0
    any_marker = 0
    if state["shooting"] == 1 and state["active"] == seat:
        first = state["shots_made"][seat]
        any_marker = 1 if rules["shoot_pay_pick"] == 0 else 0
    markers = state["nation"][seat]
    for target in range(TARGETS):
        markers = markers * 8 + state["stamina"][seat, target]
    key = plan["chain_key"]
    where = (seat * 8 + first) * 2 + any_marker
    where = (where * 8 + plan["phase"]) * 8 + plan["made"]
    if key[0] == markers and key[1] == where and key[2] == plan["ahead"]:
        return
    key[0] = markers
    key[1] = where
    key[2] = plan["ahead"]
    see_nation(state, rules, plan, seat)
    plan["chain_first"] = first
    plan["chain_any"] = any_marker
    total = 0
    for target in range(TARGETS):
        plan["level"][target] = state["stamina"][seat, target]
        total += plan["level"][target]
    plan["payable"] = total
    plan["n_chain"] = 1
    note_markers(state, rules, plan, seat, 0)


@kernel
def note_markers(state, rules, plan, seat, k):
    """Numbers of the stamina columns as ``plan["level"]`` stands, as the k-th link of the chain."""
    nation = state["nation"][seat]
    each = 0
    left = 0
    aim = 0
    blue = 0
    for target in range(TARGETS):
        level = plan["level"][target]
        colour = rules["colour"][nation, target, level]
        aim += rules["shoot_hits"][colour]
        if level == 0:
            blue += 1
        if target < rules["shots"]:
            each += 1 << (BITS * colour)
            if target >= plan["made"]:
                left += 1 << (BITS * colour)
    plan["chain_aim"][k] = aim / rules["shoot_sides"]
    plan["chain_each"][k] = laps_of(plan, each, 0)
    plan["chain_left"][k] = left
    plan["chain_blue"][k] = blue


@kernel
def stamina_score(rules, plan, w, o, k, shots_left, misses, lap_weight):
    """F2, F3, F20, F25 and the laps of F1 after k payments, with that many shots left here."""
    ahead = plan["ahead"]
    score = w[o + STAM] * (plan["payable"] - k)
    score += w[o + BLUE] * plan["chain_blue"][k]
    score += w[o + SHOTSLEFT] * (shots_left + rules["shots"] * ahead)
    laps = ahead * plan["chain_each"][k]
    if plan["visiting"] == 1:
        laps += laps_of(plan, plan["chain_left"][k], misses)
    score += lap_weight * (rules["lap_length"] * laps)
    if shots_left > 0 or ahead > 0:
        score += w[o + AIM] * plan["chain_aim"][k]
    return score


@kernel
def _marker_height(state, rules, plan, seat, marker):
    """Height of a marker in the chain (``rules.highest_by``, BI-STAM-02)."""
    level = plan["level"][marker]
    if rules["highest_by"] == HIGHEST_BY_COLOUR:
        return -rules["colour"][state["nation"][seat], marker, level]
    return level


@kernel
def marker_score(state, rules, plan, w, o, seat, marker, k):
    """Score of the own board when the k-th payment is made with ``marker`` (D-PAY)."""
    plan["level"][marker] -= 1
    note_markers(state, rules, plan, seat, k)
    plan["level"][marker] += 1
    shots_left = rules["shots"] - plan["made"]
    return stamina_score(rules, plan, w, o, k, shots_left, plan["misses"], w[o + DIST])


@kernel
def pay_ahead(state, rules, plan, w, k):
    """Extend the chain to k payments, each with the best marker allowed (first of equals)."""
    seat = plan["seat"]
    o = N_FEATURES * plan["phase"]
    while plan["n_chain"] <= k and plan["n_chain"] < MAX_CHAIN:
        link = plan["n_chain"]
        chosen = -1
        best = 0.0
        highest = -1000
        first = plan["chain_first"]
        if plan["chain_any"] == 0:
            for marker in range(first, TARGETS):
                if plan["level"][marker] > 0:
                    highest = max(highest, _marker_height(state, rules, plan, seat, marker))
        nation = state["nation"][seat]
        for marker in range(first, TARGETS):
            level = plan["level"][marker]
            if level == 0:
                continue
            if plan["chain_any"] == 0:
                if _marker_height(state, rules, plan, seat, marker) != highest:
                    continue
            if chosen >= 0 and _twin(rules, plan, nation, marker, chosen):
                continue
            score = marker_score(state, rules, plan, w, o, seat, marker, link)
            if chosen < 0 or score > best:
                best = score
                chosen = marker
        if chosen >= 0:
            plan["level"][chosen] -= 1
        note_markers(state, rules, plan, seat, link)
        plan["n_chain"] = link + 1


@kernel
def _twin(rules, plan, nation, marker, other):
    """True when two markers stand on the same level with the same colours on it and below."""
    level = plan["level"][marker]
    if plan["level"][other] != level:
        return False
    if (marker >= plan["made"]) != (other >= plan["made"]):
        return False
    colour = rules["colour"]
    if colour[nation, marker, level] != colour[nation, other, level]:
        return False
    return colour[nation, marker, level - 1] == colour[nation, other, level - 1]


@kernel
def reach_of_payment(state, rules, plan):
    """The most payments that can be made in a row now."""
    total = 0
    for marker in range(plan["chain_first"], TARGETS):
        total += state["stamina"][plan["seat"], marker]
    return total


# ---------------------------------------------------------------- what the seat sees of the others
@kernel
def acts_before(state, rival, seat, now):
    """True when ``rival`` has a turn between the turn of ``now`` and the next turn of ``seat``.

    The marker goes one seat on each round: the first to act in a round is the last of the next.
    """
    n_seats = state["n_seats"]
    marker = state["marker"]
    his = (rival - marker) % n_seats
    mine = (seat - marker) % n_seats
    done = (now - marker) % n_seats
    if mine > done:  # my turn of this round is still to come
        return done < his < mine
    return his > done or 1 <= his < mine


@kernel
def see_rivals(state, rules, plan, seat, now):
    """Take up everybody else: rows, lanes, boards, distances; ``now`` is the seat at its turn."""
    row = plan["row"]
    base = row - BEHIND
    plan["base"] = base
    lanes = rules["lanes"]
    for lane in range(lanes):
        plan["held"][lane] = 0
        plan["paid"][lane] = 0
    plan["standing"] = 0
    plan["downhill"] = 0
    plan["at_range"] = 0
    count = 0
    best = 0.0
    free_entry = state["treatment"][seat]["free_entry"]
    for rival in range(state["n_seats"]):
        if rival == seat or state["status"][rival] != RACING:
            continue
        plan["rival_seat"][count] = rival
        his_row = state["row"][rival]
        plan["rival_row"][count] = his_row
        plan["rival_lane"][count] = -1
        plan["rival_follows"][count] = 0
        plan["rival_top"][count] = most_dice(pack_board(state, rival))
        plan["rival_before"][count] = 1 if acts_before(state, rival, seat, now) else 0
        far = distance(state, rules, plan, rival)
        if count == 0 or far < best:
            best = far
        bit = his_row - base
        if state["penalty"][rival] == 0 and his_row > 0:
            lane = state["lane"][rival]
            in_sight = 0 <= bit < MASK_BITS
            if is_shooting_row(rules, his_row):
                if in_sight:
                    plan["at_range"] |= 1 << bit
            else:
                plan["rival_lane"][count] = lane
                if in_sight:
                    kind = rules["space"][his_row, lane]
                    plan["held"][lane] |= 1 << bit
                    plan["standing"] |= 1 << bit
                    if kind != FREE and free_entry == 0:
                        plan["paid"][lane] |= 1 << bit
                    if kind == DOWNHILL:
                        plan["downhill"] |= 1 << bit
        count += 1
    plan["n_rivals"] = count
    plan["best_rival"] = best
    plan["best_other"] = best
    plan["n_followers"] = 0
    plan["followed"] = 0


@kernel
def see_followers(state, rules, plan, seat):
    """Rivals that will draft on the own move if it costs them nothing, level by level.

    Level k stands k spaces straight behind. Of several on one space only the first drafts free:
    the others would end on its space; and the level behind must enter the space that they hold.
    """
    row = plan["row"]
    lane = plan["lane"]
    plan["n_followers"] = 0
    plan["followed"] = 0
    if plan["penalty"] > 0 or row < 1 or is_shooting_row(rules, row):
        return
    shared = 0
    for index in range(plan["n_rivals"]):
        if plan["rival_row"][index] == row and plan["rival_lane"][index] == lane:
            shared = 1
    if shared == 1 and rules["space"][row, lane] != FREE:
        shared = 2
    level = 0
    going = True
    while going:
        his_row = row - level - 1
        going = False
        if his_row < 1:
            break
        here = 0
        first = -1
        first_turn = 0
        at_range = is_shooting_row(rules, his_row)
        for index in range(plan["n_rivals"]):
            rival = plan["rival_seat"][index]
            if plan["rival_row"][index] != his_row or state["penalty"][rival] > 0:
                continue
            if at_range:
                ready = state["shots_made"][rival] >= rules["shots"] and state["owed"][rival] == 0
                if not ready or rules["draft_from_shooting_space"] == 0:
                    continue
            elif plan["rival_lane"][index] != lane:
                continue
            plan["followed"] = 1
            here += 1
            turn = (rival - seat) % state["n_seats"]
            treatment = state["treatment"][rival]
            barred = treatment["no_draft"] == 1 or (
                treatment["no_own_draft"] == 1 and state["side"][rival] == state["side"][seat]
            )
            if not barred and (first < 0 or turn < first_turn):
                first = index
                first_turn = turn
        if first >= 0 and shared != 2:
            plan["rival_follows"][first] = 1
            plan["follower_dist"][level] = distance(state, rules, plan, plan["rival_seat"][first])
            level += 1
            going = here == 1 and not at_range
    plan["n_followers"] = level
    if level > 0:
        best = 0.0
        seen = False
        for index in range(plan["n_rivals"]):
            if plan["rival_follows"][index] == 0:
                far = distance(state, rules, plan, plan["rival_seat"][index])
                if not seen or far < best:
                    best = far
                    seen = True
        plan["best_other"] = best if seen else 1.0e9


# ---------------------------------------------------------------- where a skier would stand
@kernel
def threatened(plan, row):
    """F21: a rival on the course within 5 rows ahead."""
    ahead = (plan["standing"] >> (row + 1 - plan["base"])) & ((1 << DANGER_ROWS) - 1)
    return ahead != 0


@kernel
def danger_score(rules, plan, w, o, row, payable):
    """F21: no stamina, and a rival who may bar the way."""
    if payable == 0 and row <= rules["rows"] and threatened(plan, row):
        return w[o + DANGER]
    return 0.0


@kernel
def _open_lane(plan, lane, bit):
    """F16: the two spaces ahead in lane are empty."""
    return (plan["held"][lane] >> (bit + 1)) & ((1 << OPEN_ROWS) - 1) == 0


@kernel
def _lead(plan, w, o, steps, row, drafted, straight):
    """F1 (without laps) and F22: own way left, and the best rival's distance less the own one."""
    score = w[o + DIST] * steps
    if plan["n_rivals"] == 0:
        return score
    best = plan["best_rival"]
    if drafted > 0:
        best = plan["best_other"]
        for k in range(drafted):
            gained = row - plan["row"]
            if straight <= k:
                gained += 1  # the follower ends beside, not behind
            best = min(best, plan["follower_dist"][k] - gained)
    return score + w[o + LEAD] * (best - steps)


@kernel
def lap_weight(plan, w, o):
    """Weight of a step of expected laps: F1, and F22 where there is a rival."""
    if plan["n_rivals"] == 0:
        return w[o + DIST]
    return w[o + DIST] - w[o + LEAD]


@kernel
def _range_score(rules, plan, w, o, row, penalty, busy, bit):
    """F16, F23 off the lanes: start, shooting space, penalty lane."""
    score = 0.0
    for lane in range(rules["lanes"]):
        if _open_lane(plan, lane, bit):
            score = w[o + OPEN]
    if not busy:
        score += w[o + NEXTS] * _rows_to_range(rules, row)
    return score


@kernel
def _rows_to_range(rules, row):
    """F23: rows to the next shooting space, capped at 12; 0 when there is none."""
    target = rules["next_range"][row]
    if target < 0:
        return 0
    return min(NEXT_CAP, target - row)


@kernel
def place_score(rules, plan, w, o, row, lane, penalty, owed, busy, steps, drafted, straight):
    """F1 (without laps), F12-F18, F22-F24 of standing there after a move of ``steps`` steps.

    ``drafted`` followers came along, of whom ``straight`` stand straight behind. ``busy``: shots
    are still to be made on the shooting space of that row.
    """
    finish = rules["rows"] + 1
    score = _lead(plan, w, o, finish - row + owed, row, drafted, straight)
    score += w[o + TOW] * (steps * drafted)
    if row >= finish:
        return score + w[o + HOME]
    bit = row - plan["base"]
    if penalty > 0 or row == 0 or is_shooting_row(rules, row):
        return score + _range_score(rules, plan, w, o, row, penalty, busy, bit)
    held = plan["held"][lane]
    if (held >> (bit + 1)) & ((1 << OPEN_ROWS) - 1) == 0:
        score += w[o + OPEN]
    elif (held >> (bit + 1)) & 1 == 1:
        score += w[o + SEAT] * _seat_steps(plan, row, lane)
    if rules["space"][row, lane] == UPHILL:
        score += w[o + UPSTART]
    if (plan["downhill"] >> (bit + 1)) & ((1 << BAIT_ROWS) - 1) != 0:
        score += w[o + SLIDEBAIT]
    score += w[o + NEXTS] * _rows_to_range(rules, row)
    tail = min(drafted, straight)
    close = min(tail, BLOCK_ROWS)
    if (held >> (bit - BLOCK_ROWS)) & ((1 << BLOCK_ROWS) - 1) != 0:
        if tail == 0 and (held >> (bit - 1)) & 1 == 1:
            tail = _tail(plan, row, lane, drafted)
        close += _behind(plan, row, lane, drafted)
    score += w[o + TAIL] * tail
    if close > 0:
        blocked = True
        for other in range(rules["lanes"]):
            if other != lane and (plan["held"][other] >> bit) & 1 == 0:
                blocked = False
        score += w[o + BLOCK] * (close * 2 if blocked else close)
    return score


@kernel
def _seat_steps(plan, row, lane):
    """F12: dice in the fullest column of the best rival straight ahead that acts before me."""
    best = 0
    for index in range(plan["n_rivals"]):
        if plan["rival_row"][index] == row + 1 and plan["rival_lane"][index] == lane:
            if plan["rival_before"][index] == 1:
                best = max(best, plan["rival_top"][index])
    return best


@kernel
def _stays(plan, index, drafted):
    """True for a rival that does not come along as a follower."""
    return drafted == 0 or plan["rival_follows"][index] == 0


@kernel
def _tail(plan, row, lane, drafted):
    """F13: skiers in unbroken line straight behind."""
    tail = 0
    for level in range(1, BEHIND):
        here = 0
        for index in range(plan["n_rivals"]):
            if plan["rival_row"][index] == row - level and plan["rival_lane"][index] == lane:
                if _stays(plan, index, drafted):
                    here += 1
        if here == 0:
            break
        tail += here
    return tail


@kernel
def _behind(plan, row, lane, drafted):
    """F15: rivals within 4 rows behind in the own lane."""
    count = 0
    for index in range(plan["n_rivals"]):
        back = row - plan["rival_row"][index]
        if 1 <= back <= BLOCK_ROWS and plan["rival_lane"][index] == lane:
            if _stays(plan, index, drafted):
                count += 1
    return count


@kernel
def rivals_behind(plan, row, lane):
    """Rivals anywhere behind in the own lane (the Blocker's choice among equal routes)."""
    count = 0
    for index in range(plan["n_rivals"]):
        if plan["rival_row"][index] < row and plan["rival_lane"][index] == lane:
            count += 1
    return count


@kernel
def behind_rival(plan, row, lane):
    """True straight behind a rival on the course (the Drafter's choice among equal routes)."""
    return (plan["held"][lane] >> (row + 1 - plan["base"])) & 1 == 1
