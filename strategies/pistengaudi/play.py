"""The doors from Python: a decision, a batch, a position played on (``strategies/book.py``)."""

from __future__ import annotations

import numpy as np

from simulate.games.pistengaudi import engine
from simulate.games.pistengaudi.chance import renew
from simulate.games.pistengaudi.legal import legal
from simulate.games.pistengaudi.setup import set_up
from simulate.games.pistengaudi.state import (
    EVENT,
    GAME_ROW,
    MAX_SEATS,
    SEAT_ROW,
    TALLY_CELLS,
    TALLY_ROUNDS,
    TREATMENT,
)
from simulate.jit import copy_record, entry, kernel
from strategies.book import MAX_POSITIONS
from strategies.opening import coin_block, open_policies, place_treatment, sign_game, sign_seat
from strategies.pistengaudi import choose
from strategies.pistengaudi.ahead import forget
from strategies.pistengaudi.plan_state import PLAN
from strategies.rollouts import NEVER, TRACE, TRUE_FUTURE, note_choice, note_end, open_coins
from strategies.seating import seat_positions


@kernel
def choose_option(state, rules, work, plan, strategy, params, policy, position):
    """Index of the chosen option, by the number of the strategy."""
    if strategy == choose.RANDOM:
        return choose.random_option(work, policy, position)
    if strategy == choose.NEAR_BUILDER:
        return choose.near_builder(state, work, policy, position)
    # --- user strategies ---
    return choose.archetype(state, rules, work, plan, strategy, params, policy, position)


@kernel
def _decide(state, rules, work, plans, strategy, params, policy, position):
    """``decide`` with its scratch, which the caller holds."""
    plan = plans[0]
    forget(plan)
    return choose_option(state, rules, work, plan, strategy, params, policy, position)


@entry
def decide(state, rules, work, strategy, params, policy, position):
    """Index of the option that ``strategy`` chooses for the question asked."""
    plans = np.zeros(1, PLAN)
    return _decide(state, rules, work, plans, strategy, params, policy, position)


@kernel
def _add_tally(total, tally):
    """Add a game's counts by cell and by round to its cell's of the block."""
    for cell in range(TALLY_CELLS):
        total["visits"][cell] += tally["visits"][cell]
        total["landings"][cell] += tally["landings"][cell]
        total["builds"][cell] += tally["builds"][cell]
        total["falls"][cell] += tally["falls"][cell]
        total["stands"][cell] += tally["stands"][cell]
    for index in range(TALLY_ROUNDS):
        total["vetoes"][index] += tally["vetoes"][index]
        total["forest_cards"][index] += tally["forest_cards"][index]
        total["sole_lead"][index] += tally["sole_lead"][index]
        total["sole_lead_won"][index] += tally["sole_lead_won"][index]


@kernel
def _add_looks(total, plan):
    """Add how often this game's strategies looked ahead, and how often that was known."""
    total["etas_asked"][0] += plan["etas_asked"]
    total["etas_known"][0] += plan["etas_known"]
    total["moves_asked"][0] += plan["moves_asked"]
    total["moves_known"][0] += plan["moves_known"]
    plan["etas_asked"] = 0
    plan["etas_known"] = 0
    plan["moves_asked"] = 0
    plan["moves_known"] = 0


@kernel
def _answer_on(state, rules, work, events, plan, codes, params, policy, position_of,
               instance_of, stop, trace):  # fmt: skip
    """Decide and answer, from a question asked to question number ``stop`` or the end."""
    while state["over"] == 0:
        position = position_of[state["to_move"]]
        instance = instance_of[position]
        index = choose_option(
            state, rules, work, plan, codes[instance], params[instance], policy, position
        )
        note_choice(trace, state, work, index)
        engine.answer(state, rules, work, events, work["options"][index])
        engine.advance(state, rules, work, events)
        if state["asked"] == stop:
            return


@kernel
def _play_blocks(root, first_block, n_blocks, rules, cells, pool, codes, params, treatment, target,
                 state, work, game_rows, seat_rows, tally, plans, events, treatments, none, streams,
                 policy, position_of, instance_of, scratch, trace):  # fmt: skip
    """``play_batch`` with its scratch."""
    plan = plans[0]
    n_cells = len(cells)
    first_seat = 0
    for block in range(first_block, first_block + n_blocks):
        for index in range(n_cells):
            cell = cells[index]
            here = rules[cell["rules"]]
            players = cell["players"]
            seat_positions(cell, pool, root, block, streams, position_of, instance_of, scratch)
            open_policies(policy, players, root, coin_block(block, treatment, target))
            treated = place_treatment(
                treatment, none, target, players, root, block, streams, treatments
            )
            forget(plan)
            set_up(state, here, work, treatments, players, root, block)
            engine.advance(state, here, work, events)
            _answer_on(
                state, here, work, events, plan, codes, params, policy, position_of, instance_of,
                NEVER, trace,
            )  # fmt: skip
            game = (block - first_block) * n_cells + index
            rows = seat_rows[first_seat : first_seat + players]
            engine.finish(state, here, game_rows[game : game + 1], rows)
            game_id = sign_game(game_rows[game], cell, index, block, n_cells)
            for seat in range(players):
                position = position_of[seat]
                sign_seat(rows[seat], seat, game_id, position, instance_of[position], treated)
            _add_tally(tally[index], state["tally"])
            _add_looks(tally[index], plan)
            first_seat += players


@entry
def play_batch(root, first_block, n_blocks, rules, cells, pool, codes, params, treatment, target,
               state, work, game_rows, seat_rows, tally):  # fmt: skip
    """Play blocks first_block … first_block + n_blocks - 1, every cell of each, in order."""
    plans = np.zeros(1, PLAN)
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
        work, game_rows, seat_rows, tally, plans, events, treatments, none, streams, policy,
        position_of, instance_of, scratch, trace,
    )  # fmt: skip


@kernel
def _play_on(state, rules, work, codes, params, policy, position_of, instance_of, stop, trace,
             trial, options, root, ends, plans, events, coins, untraced, game_row,
             seat_rows):  # fmt: skip
    """``play_on`` with its scratch."""
    plan = plans[0]
    forget(plan)
    if len(options) == 0:
        _answer_on(
            state, rules, work, events, plan, codes, params, policy, position_of, instance_of,
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
                trial, rules, work, events, plan, codes, params, coins, position_of, instance_of,
                NEVER, untraced,
            )  # fmt: skip
            engine.finish(trial, rules, game_row, seat_rows)
            note_end(ends, option, number, seat_rows)


@entry
def play_on(state, rules, work, codes, params, policy, position_of, instance_of, stop, trace,
            trial, options, root, ends):  # fmt: skip
    """Play on from a question asked, or roll out its options (``strategies/book.py``)."""
    plans = np.zeros(1, PLAN)
    events = np.empty(0, EVENT)
    coins = np.empty(MAX_POSITIONS, np.uint64)
    untraced = np.empty((0, TRACE), np.int64)
    game_row = np.empty(1, GAME_ROW)
    seat_rows = np.empty(MAX_SEATS, SEAT_ROW)
    _play_on(
        state, rules, work, codes, params, policy, position_of, instance_of, stop, trace, trial,
        options, root, ends, plans, events, coins, untraced, game_row, seat_rows,
    )  # fmt: skip
