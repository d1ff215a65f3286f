"""The strategies: small kernels, each from the question asked to the index of the chosen option.

``random_option``  bot U of the specification: uniform over the options
``near_builder``   bot N of the specification
``archetype``      the best-scored option (``evaluate``); equals by the own coin, but greedy's first
"""

from __future__ import annotations

from simulate import rng
from simulate.games.pistengaudi.movement import outcome_of
from simulate.games.pistengaudi.placing import placed_card, placed_cell
from simulate.games.pistengaudi.slope import column_of, row_of
from simulate.games.pistengaudi.state import (
    ASK_MOVE,
    ASK_PLACE,
    MAX_ROUNDS,
    N_CELLS,
    OUTCOME_FALL,
    OUTCOME_GOAL,
    F,
    J,
)
from simulate.jit import kernel
from strategies.pistengaudi.evaluate import look_at, option_score
from strategies.pistengaudi.plan_state import P_PATIENCE, P_TEMPERATURE

# codes of ``decide``; never used again for something else
RANDOM, NEAR_BUILDER, GREEDY = 0, 1, 2

# Four uniform numbers, less their mean, have the SD of the logistic distribution when scaled so.
NOISE_SCALE = 3.141592653589793
RESTLESS = 0.5  # noise that each round of a standstill beyond the patience adds
BEYOND_ROWS = 1000  # any stop is before any fall, any entry before any stop


# ---------------------------------------------------------------- baselines
@kernel
def random_option(work, policy, position):
    """Random, bot U: uniform over the options."""
    return rng.below(policy, position, work["n_options"])


@kernel
def near_builder(state, work, policy, position):
    """Bot N: cards near the own figure, forest and jumps far off; the largest area or row."""
    phase = state["phase"]
    if phase != ASK_PLACE and phase != ASK_MOVE:
        return rng.below(policy, position, work["n_options"])
    best = 0
    equal = 0
    for index in range(work["n_options"]):
        value = near_value(state, phase, work["options"][index])
        if index == 0 or value > best:
            best = value
            equal = 0
        if value == best:
            equal += 1
    wanted = rng.below(policy, position, equal)
    for index in range(work["n_options"]):
        if near_value(state, phase, work["options"][index]) == best:
            if wanted == 0:
                return index
            wanted -= 1
    return 0


@kernel
def near_value(state, phase, code):
    """What bot N makes as large as it can."""
    if phase == ASK_PLACE:
        return near_card(state, code)
    outcome = outcome_of(code)
    if outcome == OUTCOME_GOAL:
        return 2 * BEYOND_ROWS + code - OUTCOME_GOAL * N_CELLS
    if outcome == OUTCOME_FALL:
        return row_of(code % N_CELLS) - BEYOND_ROWS
    return row_of(code)


@kernel
def near_card(state, code):
    """The value -|x - a| - |y_top - (b + 1)|, with the other sign for a card with forest or ski jump."""
    cell = placed_cell(code)
    card = placed_card(state, code)
    own = state["cell"][state["to_move"]]
    off = abs(column_of(cell) - column_of(own)) + abs(row_of(cell) - row_of(own) - 1)
    first = state["first"][card]
    second = state["second"][card]
    if first == F or first == J or second == F or second == J:
        return off
    return -off


# ---------------------------------------------------------------- archetypes
@kernel
def noise(temperature, policy, position):
    """Noise on a score, of the spread of a logistic with scale ``temperature``; 0 at 0."""
    if temperature <= 0.0:
        return 0.0
    total = -2.0
    for _ in range(4):
        total += rng.unit(policy, position)
    return temperature * NOISE_SCALE * total


@kernel
def rounds_at_a_standstill(state):
    """Full rounds since the foremost figure last got further than any had been before."""
    furthest = 0
    still = 0
    for index in range(min(state["round"] - 1, MAX_ROUNDS)):
        still += 1
        for seat in range(state["n_seats"]):
            if state["progress"][index, seat] > furthest:
                furthest = state["progress"][index, seat]
                still = 0
    return still


@kernel
def restlessness(state, w):
    """Noise of a seat that tries something else: it grows with every round beyond its patience.

    Four figures that groom each other back up are each right on that turn, and sit there for ever.
    """
    if w[P_PATIENCE] <= 0.0:
        return 0.0
    return RESTLESS * max(0.0, rounds_at_a_standstill(state) - w[P_PATIENCE])


@kernel
def archetype(state, rules, work, plan, strategy, w, policy, position):
    """The best-scored option; of equal ones any, of greedy's the first."""
    look_at(state, rules, work, plan, w)
    temperature = w[P_TEMPERATURE] + restlessness(state, w)
    best = 0.0
    equal = 0
    for index in range(work["n_options"]):
        score = option_score(state, rules, work, plan, w, work["options"][index])
        score += noise(temperature, policy, position)
        if index == 0 or score > best:
            best = score
            plan["equal"][0] = index
            equal = 1
        elif score == best:
            plan["equal"][equal] = index
            equal += 1
    if equal == 1 or strategy == GREEDY:
        return plan["equal"][0]
    return plan["equal"][rng.below(policy, position, equal)]
