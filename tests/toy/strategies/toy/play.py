"""Decisions and the batch of Toy Dash."""

from __future__ import annotations

import numpy as np
from simulate.games.toy import engine
from simulate.games.toy.state import EVENT, GAME_ROW, MAX_SEATS, MAX_SPACES, SEAT_ROW, TREATMENT

from simulate import rng
from simulate.jit import copy_record, entry, kernel
from strategies.book import MAX_POSITIONS
from strategies.opening import coin_block, open_policies, place_treatment, sign_game, sign_seat
from strategies.rollouts import NEVER, TRACE, TRUE_FUTURE, note_choice, note_end, open_coins
from strategies.seating import seat_positions


@kernel
def choose_runner(state, rules, work, params, policy, position):
    """Run while the line is far; with a temperature, by a noisy score of 1 for that."""
    far = rules["length"] - state["space"][state["to_move"]] > params[0]
    score = -1.0
    if far and rng.unit(policy, position) < params[1]:
        score = 1.0
    if params[2] > 0.0:
        score += params[2] * (rng.unit(policy, position) - rng.unit(policy, position))
    if score > 0.0:
        return 1
    return 0


@kernel
def choose(state, rules, work, strategy, params, policy, position):
    """The ladder of strategies."""
    # --- user strategies ---
    if strategy == 1:
        return 0
    if strategy == 2:
        return choose_runner(state, rules, work, params, policy, position)
    return rng.below(policy, position, work["n_options"])


@entry
def decide(state, rules, work, strategy, params, policy, position):
    """Index of the option that the strategy takes."""
    return choose(state, rules, work, strategy, params, policy, position)


@kernel
def answer_on(
    state, rules, work, events, codes, params, policy, position_of, instance_of, stop, trace
):
    """Decide and answer, from a question asked to question number ``stop`` or the end."""
    while state["over"] == 0:
        position = position_of[state["side"][state["to_move"]]]
        instance = instance_of[position]
        index = choose(state, rules, work, codes[instance], params[instance], policy, position)
        note_choice(trace, state, work, index)
        engine.apply(state, rules, work, events, work["options"][index])
        if state["asked"] == stop:
            return


@entry
def play_batch(
    root,
    first_block,
    n_blocks,
    rules,
    cells,
    pool,
    codes,
    params,
    treatment,
    target,
    state,
    work,
    game_rows,
    seat_rows,
    tally,
):
    """Play whole blocks."""
    events = np.zeros(0, EVENT)
    none = np.zeros(1, TREATMENT)
    treatments = np.zeros(MAX_SEATS, TREATMENT)
    streams = np.zeros(1, np.uint64)
    policy = np.zeros(MAX_POSITIONS, np.uint64)
    position_of = np.zeros(MAX_POSITIONS, np.int64)
    instance_of = np.zeros(MAX_POSITIONS, np.int64)
    scratch = np.zeros(len(pool), np.int64)
    trace = np.zeros((0, TRACE), np.int64)
    game = 0
    first_seat = 0
    for block in range(first_block, first_block + n_blocks):
        for number in range(len(cells)):
            cell = cells[number]
            n_seats = cell["n_seats"]
            rule = rules[cell["rules"]]
            seat_positions(cell, pool, root, block, streams, position_of, instance_of, scratch)
            open_policies(policy, cell["players"], root, coin_block(block, treatment, target))
            treated = place_treatment(
                treatment, none, target, n_seats, root, block, streams, treatments
            )
            engine.start(state, rule, work, events, treatments, cell["players"], root, block)
            answer_on(
                state, rule, work, events, codes, params, policy, position_of, instance_of,
                NEVER, trace,
            )  # fmt: skip
            rows = seat_rows[first_seat : first_seat + n_seats]
            one = game_rows[game : game + 1]
            engine.finish(state, rule, one, rows)
            game_id = sign_game(one[0], cell, number, block, len(cells))
            for seat in range(n_seats):
                position = position_of[state["side"][seat]]
                sign_seat(rows[seat], seat, game_id, position, instance_of[position], treated)
            for space in range(MAX_SPACES):
                tally[number]["stands"][space] += state["tally"]["stands"][space]
                tally[number]["falls"][space] += state["tally"]["falls"][space]
            game += 1
            first_seat += n_seats


@kernel
def roll_out(
    state, rules, work, events, codes, params, policy, position_of, instance_of, trial, options,
    root, ends, coins, untraced, game_row, seat_rows,
):  # fmt: skip
    """Play every option of the question asked to the end, as often as ``ends`` has room."""
    for number in range(ends.shape[1]):
        for option in range(len(options)):
            copy_record(trial, state)
            open_coins(coins, policy, root, number)
            if root != TRUE_FUTURE:
                engine.renew(trial, root, number)
            engine.legal(trial, rules, work)
            engine.apply(trial, rules, work, events, options[option])
            answer_on(
                trial, rules, work, events, codes, params, coins, position_of, instance_of,
                NEVER, untraced,
            )  # fmt: skip
            engine.finish(trial, rules, game_row, seat_rows)
            note_end(ends, option, number, seat_rows)


@entry
def play_on(
    state, rules, work, codes, params, policy, position_of, instance_of, stop, trace, trial,
    options, root, ends,
):  # fmt: skip
    """Play on from a question asked, or roll out its options (``strategies/book.py``)."""
    events = np.zeros(0, EVENT)
    if len(options) == 0:
        answer_on(
            state, rules, work, events, codes, params, policy, position_of, instance_of, stop, trace
        )
        return
    roll_out(
        state, rules, work, events, codes, params, policy, position_of, instance_of, trial,
        options, root, ends, np.zeros(MAX_POSITIONS, np.uint64), np.zeros((0, TRACE), np.int64),
        np.zeros(1, GAME_ROW), np.zeros(MAX_SEATS, SEAT_ROW),
    )  # fmt: skip
