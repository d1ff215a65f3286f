"""The doors from Python: a decision, a batch, a position played on (``strategies/book.py``)."""

from __future__ import annotations

import numpy as np

from simulate.games.biathlon import engine
from simulate.games.biathlon.chance import renew
from simulate.games.biathlon.legal import legal
from simulate.games.biathlon.setup import seats_of, set_up
from simulate.games.biathlon.state import (
    EVENT,
    GAME_ROW,
    MAX_ROWS,
    MAX_SEATS,
    SEAT_ROW,
    TREATMENT,
)
from simulate.jit import copy_record, entry, kernel
from strategies.biathlon import choose
from strategies.biathlon.plan_state import AS_BEFORE, N_FEATURES, N_PHASES, PLAN
from strategies.book import MAX_PARAMS, MAX_POSITIONS
from strategies.opening import coin_block, open_policies, place_treatment, sign_game, sign_seat
from strategies.rollouts import NEVER, TRACE, TRUE_FUTURE, note_choice, note_end, open_coins
from strategies.seating import seat_positions


@kernel
def forget(plan):
    """Begin with an empty plan: nothing looked up belongs to the game at hand."""
    plan["turn_key"] = -1
    plan["chain_key"][0] = -1
    plan["die_key"][1] = -1


@kernel
def clear(plan):
    """Make a fresh plan usable: no table has been worked out."""
    plan["laps_key"][0] = -1
    plan["n_roll_rules"] = 0
    forget(plan)


@kernel
def resolve_weights(params, w):
    """Copy a row of parameters; a later phase's weight AS_BEFORE becomes the first phase's."""
    for index in range(MAX_PARAMS):
        w[index] = params[index]
    for phase in range(1, N_PHASES):
        for feature in range(N_FEATURES):
            if w[phase * N_FEATURES + feature] == AS_BEFORE:
                w[phase * N_FEATURES + feature] = w[feature]


@kernel
def choose_option(state, rules, work, plan, strategy, params, weights, policy, position):
    """Index of the chosen option, by the number of the strategy."""
    if strategy == choose.RANDOM:
        return choose.random_option(work, policy, position)
    if strategy == choose.PLAIN:
        return choose.plain(state, work, 1)
    if strategy == choose.PLAIN_NODRAFT:
        return choose.plain(state, work, 0)
    # --- user strategies ---
    return choose.archetype(state, rules, work, plan, strategy, weights, policy, position)


@kernel
def _decide(state, rules, work, plans, strategy, params, weights, policy, position):
    """``decide`` with its scratch, which the caller holds."""
    plan = plans[0]
    clear(plan)
    resolve_weights(params, weights)
    return choose_option(state, rules, work, plan, strategy, params, weights, policy, position)


@entry
def decide(state, rules, work, strategy, params, policy, position):
    """Index of the option that ``strategy`` chooses for the question asked."""
    plans = np.empty(1, PLAN)
    weights = np.empty(MAX_PARAMS, np.float64)
    return _decide(state, rules, work, plans, strategy, params, weights, policy, position)


@kernel
def _add_tally(total, tally, rows):
    """Add a game's counts by row of the course to its cell's."""
    for row in range(min(rows + 2, MAX_ROWS)):
        total["stands"][row] += tally["stands"][row]
        total["entries_paid"][row] += tally["entries_paid"][row]
        total["passes"][row] += tally["passes"][row]
        total["zero_turns"][row] += tally["zero_turns"][row]
        total["uphill_lost"][row] += tally["uphill_lost"][row]
        total["collapses"][row] += tally["collapses"][row]
        total["drafts"][row] += tally["drafts"][row]
        total["penalty_steps"][row] += tally["penalty_steps"][row]


@kernel
def _answer_on(state, rules, work, events, plan, codes, params, weights, policy, position_of,
               instance_of, stop, trace):  # fmt: skip
    """Decide and answer, from a question asked to question number ``stop`` or the end."""
    while state["over"] == 0:
        position = position_of[state["side"][state["to_move"]]]
        instance = instance_of[position]
        index = choose_option(
            state, rules, work, plan, codes[instance], params[instance], weights[instance], policy,
            position,
        )  # fmt: skip
        note_choice(trace, state, work, index)
        engine.answer(state, rules, work, events, work["options"][index])
        engine.advance(state, rules, work, events)
        if state["asked"] == stop:
            return


@kernel
def _play_blocks(root, first_block, n_blocks, rules, cells, pool, codes, params, treatment, target,
                 state, work, game_rows, seat_rows, tally, plans, weights, events, treatments,
                 none, streams, policy, position_of, instance_of, scratch, trace):  # fmt: skip
    """``play_batch`` with its scratch."""
    plan = plans[0]
    clear(plan)
    for instance in range(len(codes)):
        resolve_weights(params[instance], weights[instance])
    n_cells = len(cells)
    first_seat = 0
    for block in range(first_block, first_block + n_blocks):
        for index in range(n_cells):
            cell = cells[index]
            here = rules[cell["rules"]]
            players = cell["players"]
            n_seats = seats_of(players)
            seat_positions(cell, pool, root, block, streams, position_of, instance_of, scratch)
            open_policies(policy, players, root, coin_block(block, treatment, target))
            treated = place_treatment(
                treatment, none, target, n_seats, root, block, streams, treatments
            )
            forget(plan)
            set_up(state, here, treatments, players, root, block)
            engine.advance(state, here, work, events)
            _answer_on(
                state, here, work, events, plan, codes, params, weights, policy, position_of, instance_of,
                NEVER, trace,
            )  # fmt: skip
            game = (block - first_block) * n_cells + index
            rows = seat_rows[first_seat : first_seat + n_seats]
            engine.finish(state, here, game_rows[game : game + 1], rows)
            game_id = sign_game(game_rows[game], cell, index, block, n_cells)
            for seat in range(n_seats):
                position = position_of[state["side"][seat]]
                sign_seat(rows[seat], seat, game_id, position, instance_of[position], treated)
            _add_tally(tally[index], state["tally"], here["rows"])
            first_seat += n_seats


@entry
def play_batch(root, first_block, n_blocks, rules, cells, pool, codes, params, treatment, target,
               state, work, game_rows, seat_rows, tally):  # fmt: skip
    """Play blocks first_block … first_block + n_blocks - 1, every cell of each, in order."""
    plans = np.empty(1, PLAN)
    weights = np.empty((len(codes), MAX_PARAMS), np.float64)
    events = np.empty(0, EVENT)
    treatments = np.zeros(MAX_SEATS, TREATMENT)
    none = np.zeros(1, TREATMENT)
    streams = np.empty(1, np.uint64)
    policy = np.empty(MAX_POSITIONS, np.uint64)
    position_of = np.empty(MAX_POSITIONS, np.int64)
    instance_of = np.empty(MAX_POSITIONS, np.int64)
    scratch = np.empty(max(len(pool), 1), np.int64)
    trace = np.empty((0, TRACE), np.int64)
    _play_blocks(
        root, first_block, n_blocks, rules, cells, pool, codes, params, treatment, target, state,
        work, game_rows, seat_rows, tally, plans, weights, events, treatments, none, streams,
        policy, position_of, instance_of, scratch, trace,
    )  # fmt: skip


@kernel
def _play_on(state, rules, work, codes, params, policy, position_of, instance_of, stop, trace,
             trial, options, root, ends, plans, weights, events, coins, untraced, game_row,
             seat_rows):  # fmt: skip
    """``play_on`` with its scratch."""
    plan = plans[0]
    clear(plan)
    for instance in range(len(codes)):
        resolve_weights(params[instance], weights[instance])
    if len(options) == 0:
        _answer_on(
            state, rules, work, events, plan, codes, params, weights, policy, position_of, instance_of,
            stop, trace,
        )  # fmt: skip
    for number in range(ends.shape[1]):
        for option in range(len(options)):
            copy_record(trial, state)
            open_coins(coins, policy, root, number)
            if root != TRUE_FUTURE:
                renew(trial, root, number)
            forget(plan)
            legal(trial, rules, work)
            engine.answer(trial, rules, work, events, options[option])
            engine.advance(trial, rules, work, events)
            _answer_on(
                trial, rules, work, events, plan, codes, params, weights, coins, position_of, instance_of,
                NEVER, untraced,
            )  # fmt: skip
            engine.finish(trial, rules, game_row, seat_rows)
            note_end(ends, option, number, seat_rows)


@entry
def play_on(state, rules, work, codes, params, policy, position_of, instance_of, stop, trace,
            trial, options, root, ends):  # fmt: skip
    """Play on from a question asked, or roll out its options (``strategies/book.py``)."""
    plans = np.empty(1, PLAN)
    weights = np.empty((len(codes), MAX_PARAMS), np.float64)
    events = np.empty(0, EVENT)
    coins = np.empty(MAX_POSITIONS, np.uint64)
    untraced = np.empty((0, TRACE), np.int64)
    game_row = np.empty(1, GAME_ROW)
    seat_rows = np.empty(MAX_SEATS, SEAT_ROW)
    _play_on(
        state, rules, work, codes, params, policy, position_of, instance_of, stop, trace, trial,
        options, root, ends, plans, weights, events, coins, untraced, game_row, seat_rows,
    )  # fmt: skip
