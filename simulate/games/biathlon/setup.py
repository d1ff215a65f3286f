"""Setting up a race (rulebook: Setup): skiers, nations, wax, the First player marker."""

from __future__ import annotations

from simulate.events import emit
from simulate.games.biathlon.chance import (
    draw_first_marker,
    draw_loadout,
    draw_nations,
    open_streams,
)
from simulate.games.biathlon.state import (
    COLUMNS,
    DIST_ROUNDS,
    EVENT_LOADOUT,
    EVENT_MARKER,
    EVENT_SETUP,
    LOADOUT_CHOSEN,
    LOADOUT_DRAWN,
    LOADOUT_FIXED,
    MAX_RANGES,
    MAX_ROWS,
    MAX_SEATS,
    MAX_SLOTS,
    MAX_TOKENS,
    NATIONS_CHOSEN,
    NATIONS_DRAWN,
    NO_QUESTION,
    PC_NATION,
    PC_OVER,
    PC_ROUND,
    PC_WAXPICK,
    RACING,
    RUN_GAME,
    TARGETS,
)
from simulate.jit import kernel
from simulate.options import offer

TWO_PLAYERS = 2
SKIERS_OF_TWO = 4


@kernel
def seats_of(players):
    """Skiers at the table: two players run two each (BI-SET-10)."""
    if players == TWO_PLAYERS:
        return SKIERS_OF_TWO
    return players


@kernel
def owner_of(rules, players, seat):
    """Player who runs a seat (BI-TWO-01)."""
    if players != TWO_PLAYERS:
        return seat
    if rules["two_player_seating"] == 0:
        return seat // TWO_PLAYERS
    return seat % TWO_PLAYERS


@kernel
def fill_blanks(work):
    """Rows before anything has happened: zeros, and -1 where a column may stay empty."""
    game = work["blank_games"][0]
    game["winner_seat"] = -1
    game["winner_player"] = -1
    game["winner_nation"] = -1
    game["rounds_win"] = -1
    game["gap12"] = -1.0
    game["gap1last"] = -1.0
    game["last_lead_change_frac"] = -1.0
    game["comeback"] = -1.0
    game["decided_round"] = -1
    game["spread_r5"] = -1.0
    game["spread_r10"] = -1.0
    game["spread_r15"] = -1.0
    game["spread_r20"] = -1.0
    seat = work["blank_seats"][0]
    seat["place"] = -1
    seat["round_home"] = -1
    seat["round_out"] = -1
    for index in range(MAX_RANGES):
        seat["stam_at_range"][index] = -1
        seat["aim_at_range"][index] = -1.0
        seat["hits"][index] = -1
        seat["misses"][index] = -1
        seat["laps"][index] = -1
        seat["range_turns"][index] = -1
        seat["round_in"][index] = -1
        seat["round_out_range"][index] = -1
        seat["rank_range"][index] = -1
    for index in range(MAX_TOKENS):
        seat["wax_round"][index] = -1
    for index in range(DIST_ROUNDS):
        seat["dist_round"][index] = -1
    work["ready"] = 1


@kernel
def clear_state(state, work):
    """Set every field: records are reused from game to game."""
    if work["ready"] == 0:
        fill_blanks(work)
    state["turn"] = 0
    state["round"] = 0
    state["phase"] = NO_QUESTION
    state["to_move"] = -1
    state["over"] = 0
    state["run"] = RUN_GAME
    state["asked"] = 0
    state["forced"] = 0
    state["n_events"] = 0
    state["event_overflow"] = 0
    state["first_seat"] = 0
    state["marker"] = 0
    state["order_at"] = 0
    state["prep_seat"] = -1
    state["prep_at"] = -1
    state["truncated"] = 0
    state["active"] = -1
    state["finished"] = 0
    state["collapsed"] = 0
    state["leader_now"] = -1
    state["last_change_round"] = 0
    state["lead_since"] = 0
    state["winner"] = -1
    state["options_total"] = 0
    state["icon_at"] = 0
    for index in range(MAX_RANGES):
        state["range_left"][index] = 0
    state["game_rows"][0] = work["blank_games"][0]
    for seat in range(MAX_SEATS):
        clear_skier(state, work, seat)
    clear_turn(state)
    clear_draft(state)
    clear_tally(state)


@kernel
def clear_skier(state, work, seat):
    """One skier before the race: everything off the board, behind the start line."""
    state["side"][seat] = 0
    state["nation"][seat] = -1
    state["status"][seat] = RACING
    state["row"][seat] = 0
    state["lane"][seat] = 0
    state["penalty"][seat] = 0
    state["sprint"][seat] = 0
    state["left"][seat] = 0
    state["right"][seat] = 0
    state["shots_made"][seat] = 0
    state["miss"][seat] = 0
    state["owed"][seat] = 0
    state["arrived_round"][seat] = -1
    state["sixes"][seat] = 0
    state["place"][seat] = -1
    state["forced_hit"][seat] = 0
    state["led"][seat] = 0
    state["deficit"][seat] = 0
    for column in range(COLUMNS):
        state["cols"][seat, column] = 0
        state["stars"][seat, column] = 0
    for target in range(TARGETS):
        state["stamina"][seat, target] = 0
        state["shot_hit"][seat, target] = 0
    for slot in range(MAX_SLOTS):
        state["slots"][seat, slot] = 0
    state["seat_rows"][seat] = work["blank_seats"][0]


@kernel
def clear_turn(state):
    """Turn-scoped numbers (spec section 3)."""
    state["shooting"] = 0
    state["dice"] = 0
    state["plus"] = 0
    state["sprint_moves"] = 0
    state["sprinted"] = 0
    state["tokens_used"] = 0
    state["printed_used"] = 0
    state["fired"] = 0
    state["last_shot"] = -1
    state["credit"] = 1
    state["moved"] = 0
    state["steps"] = 0
    state["pending_column"] = -1
    state["wax_side"] = 0
    state["window"] = 0
    state["special_column"] = -1
    for column in range(COLUMNS + 1):
        state["taken"][column] = 0


@kernel
def clear_draft(state):
    """Nobody leads, nobody follows."""
    state["leader"] = -1
    state["track_n"] = 0
    state["level"] = 0
    state["level_asked"] = 0
    state["level_drafted"] = 0
    state["followers"] = 0
    state["keep_all"] = 0
    state["walk_n"] = 0
    state["walk_at"] = 0
    state["walk_due"] = 0


@kernel
def clear_tally(state):
    """Counts by row of the course."""
    tally = state["tally"]
    for row in range(MAX_ROWS):
        tally["stands"][row] = 0
        tally["entries_paid"][row] = 0
        tally["passes"][row] = 0
        tally["zero_turns"][row] = 0
        tally["uphill_lost"][row] = 0
        tally["collapses"][row] = 0
        tally["drafts"][row] = 0
        tally["penalty_steps"][row] = 0


@kernel
def set_up(state, rules, work, treatments, players, root, block):
    """Everything up to the first question or the first round (BI-SET-04 to BI-SET-10)."""
    clear_state(state, work)
    state["players"] = players
    state["n_seats"] = seats_of(players)
    state["block"] = block
    for seat in range(state["n_seats"]):
        state["treatment"][seat] = treatments[seat]
        state["side"][seat] = owner_of(rules, players, seat)
        for target in range(TARGETS):
            state["stamina"][seat, target] = rules["start_level"]
        shift_stamina(state, rules, seat, treatments[seat]["stamina_delta"])
    open_streams(state, root, block)
    if rules["nation_mode"] == NATIONS_DRAWN:
        draw_nations(state, rules, root, block)
    elif rules["nation_mode"] != NATIONS_CHOSEN:
        for seat in range(state["n_seats"]):
            state["nation"][seat] = rules["nation_fixed"][seat]
    state["root"] = root
    state["order_at"] = 0
    state["pc"] = PC_NATION
    if rules["nation_mode"] != NATIONS_CHOSEN:
        state["pc"] = PC_WAXPICK
        lay_wax(state, rules, root, block)


@kernel
def place_empty(state, rules, work, treatments, players, n_seats):
    """A table without a race on it: where scripted positions begin."""
    clear_state(state, work)
    state["players"] = players
    state["n_seats"] = n_seats
    state["root"] = 0
    state["block"] = 0
    state["pc"] = PC_OVER
    for seat in range(n_seats):
        state["treatment"][seat] = treatments[seat]
        state["side"][seat] = owner_of(rules, players, seat)


@kernel
def shift_stamina(state, rules, seat, delta):
    """Hook ``stamina_delta``: lower the highest markers, or raise the lowest, step by step."""
    for _ in range(abs(delta)):
        best = -1
        for marker in range(TARGETS):
            level = state["stamina"][seat, marker]
            if delta < 0 and level > 0:
                if best < 0 or level > state["stamina"][seat, best]:
                    best = marker
            if delta > 0 and level < rules["levels"] - 1:
                if best < 0 or level < state["stamina"][seat, best]:
                    best = marker
        if best >= 0:
            state["stamina"][seat, best] += 1 if delta > 0 else -1


@kernel
def lay_wax(state, rules, root, block):
    """BI-SET-07: tokens in slots, when they are not chosen."""
    state["icon_at"] = 0
    if rules["loadout_mode"] == LOADOUT_CHOSEN:
        return
    for seat in range(state["n_seats"]):
        if rules["loadout_mode"] == LOADOUT_DRAWN:
            draw_loadout(state, rules, seat, root, block)
        elif rules["loadout_mode"] == LOADOUT_FIXED:
            for slot in range(rules["slots"]):
                state["slots"][seat, slot] = rules["loadout"][seat, slot]


@kernel
def list_nation(state, rules, work):
    """D-NATION: usable nations whose board is free (BI-SET-04)."""
    for nation in range(rules["n_nations"]):
        if rules["nation_usable"][nation] == 1 and board_is_free(state, rules, nation):
            offer(work, nation)


@kernel
def board_is_free(state, rules, nation):
    """True when no seat has the board of this nation."""
    for seat in range(state["n_seats"]):
        held = state["nation"][seat]
        if held >= 0 and rules["board"][held] == rules["board"][nation]:
            return False
    return True


@kernel
def list_waxpick(state, rules, work, seat):
    """D-WAXPICK: remaining tokens of the board's set in number order, equal tokens once."""
    board = rules["board"][state["nation"][seat]]
    last = 0
    for index in range(rules["dealt"]):
        token = rules["wax_set"][board, index]
        if token != last and tokens_left(state, rules, seat, board, token) > 0:
            offer(work, token)
        last = token


@kernel
def tokens_left(state, rules, seat, board, token):
    """Copies of a token in the set that the skier has not laid yet."""
    count = 0
    for index in range(rules["dealt"]):
        if rules["wax_set"][board, index] == token:
            count += 1
    for slot in range(rules["slots"]):
        if state["slots"][seat, slot] == token:
            count -= 1
    return count


@kernel
def begin_race(state, rules, events):
    """The marker goes to a seat and the first round can begin (BI-SET-09)."""
    state["first_seat"] = 0
    if rules["first_random"] == 1:
        state["first_seat"] = draw_first_marker(state)
    state["marker"] = state["first_seat"]
    for seat in range(state["n_seats"]):
        row = state["seat_rows"][seat]
        row["turn_index"] = (seat - state["first_seat"]) % state["n_seats"]
        row["player"] = state["side"][seat]
        row["nation"] = state["nation"][seat]
        emit(
            state, events, EVENT_SETUP, seat, state["nation"][seat], state["side"][seat], 0, 0, 0, 0
        )
        for slot in range(rules["slots"]):
            token = state["slots"][seat, slot]
            row["loadout"][slot] = token
            emit(state, events, EVENT_LOADOUT, seat, slot + 1, token, 0, 0, 0, 0)
    emit(state, events, EVENT_MARKER, state["marker"], 0, 0, 0, 0, 0, 0)
    state["pc"] = PC_ROUND
