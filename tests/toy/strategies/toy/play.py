"""Decisions and the batch of Toy Dash."""

from __future__ import annotations

import numpy as np
from simulate.games.toy import engine
from simulate.games.toy.state import EVENT, MAX_SEATS, MAX_SPACES, TREATMENT

from simulate import rng
from simulate.jit import entry, kernel
from strategies.book import MAX_POSITIONS
from strategies.opening import open_policies, place_treatment, sign_game, sign_seat
from strategies.seating import seat_positions


@kernel
def choose_runner(state, rules, work, params, policy, position):
    """Run while the line is far."""
    far = rules["length"] - state["space"][state["to_move"]] > params[0]
    if far and rng.unit(policy, position) < params[1]:
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
    game = 0
    first_seat = 0
    for block in range(first_block, first_block + n_blocks):
        for number in range(len(cells)):
            cell = cells[number]
            n_seats = cell["n_seats"]
            rule = rules[cell["rules"]]
            seat_positions(cell, pool, root, block, streams, position_of, instance_of, scratch)
            open_policies(policy, cell["players"], root, block, treatment, target)
            treated = place_treatment(
                treatment, none, target, n_seats, root, block, streams, treatments
            )
            engine.start(state, rule, work, events, treatments, cell["players"], root, block)
            while state["over"] == 0:
                seat = state["to_move"]
                position = position_of[state["side"][seat]]
                instance = instance_of[position]
                index = choose(
                    state, rule, work, codes[instance], params[instance], policy, position
                )
                engine.apply(state, rule, work, events, work["options"][index])
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
