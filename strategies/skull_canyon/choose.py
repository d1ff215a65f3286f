"""The strategies: small kernels, each from the question asked to the index of the chosen option.

``random_option``  uniform over the options
``plain``          the plain bot of the specification (11.2)
``archetype``      the best-scored option (``evaluate``), sets as found by ``target``
"""

from __future__ import annotations

from simulate import rng
from simulate.games.skull_canyon.sets import matching
from simulate.games.skull_canyon.state import (
    ACT_EXPLOSIVE,
    ACT_LIFT,
    ACT_POLES,
    ACT_SKI,
    ACT_TICKET,
    ACT_TICKET_POLES,
    ACT_TRAIN,
    ADD_STOP,
    ASK_ACT,
    ASK_ADD,
    ASK_GEAR,
    ASK_KEY,
    ASK_LODGE,
    ASK_MOVE,
    ASK_RAMP1,
    ASK_RAMP2,
    ASK_SLIDE,
    KEYS,
    YETI,
)
from simulate.jit import kernel
from strategies.skull_canyon.evaluate import look, option_score
from strategies.skull_canyon.evening import see_visits
from strategies.skull_canyon.plan_state import TEMPERATURE
from strategies.skull_canyon.target import ANY_KEY, see_target

# codes of ``decide`` that are no archetypes; never used again for something else
RANDOM, PLAIN = 0, 1
# Four uniform numbers, less their mean, have the SD of the logistic distribution when scaled so.
_NOISE_SCALE = 3.141592653589793
_ENOUGH = 4  # matching cards that send the plain bot up a lift


@kernel
def random_option(work, policy, position):
    """Any option, all equally likely."""
    return rng.below(policy, position, work["n_options"])


@kernel
def find(work, code):
    """Index of an option, -1 if it is not offered."""
    for index in range(work["n_options"]):
        if work["options"][index] == code:
            return index
    return -1


@kernel
def first_between(work, low, high):
    """Index of the first option with a code of low … high - 1, -1 if none is offered."""
    for index in range(work["n_options"]):
        if low <= work["options"][index] < high:
            return index
    return -1


@kernel
def plain(state, rules, work):
    """The plain bot: a fixed rule for every question; first means lowest code."""
    question = state["phase"]
    if question == ASK_ACT:
        return plain_act(state, rules, work)
    if question == ASK_KEY:
        return plain_key(state, work)
    if question == ASK_ADD:
        return max(find(work, ADD_STOP), 0)
    if question == ASK_SLIDE:
        board = rules["boards"][state["board"]]
        run = board["down"][state["node"][state["to_move"]], 0]
        return find(work, board["bottom"][run])
    if question == ASK_GEAR:
        return plain_gear(rules, work)
    if question == ASK_LODGE:
        return plain_lodge(state, rules, work)
    return 0


@kernel
def plain_act(state, rules, work):
    """Explosive from the base, best run, ticket, a lift with four matching cards, Train, end."""
    seat = state["to_move"]
    board = rules["boards"][state["board"]]
    at_base = state["node"][seat] == board["base"]
    explosive = find(work, ACT_EXPLOSIVE)
    if explosive >= 0 and at_base:
        for other in range(state["n_seats"]):
            if state["node"][other] != board["base"]:
                return explosive
    best = -1
    most = -1
    for index in range(work["n_options"]):
        code = work["options"][index]
        if ACT_SKI <= code < ACT_TICKET:
            vp = rules["vp"][board["difficulty"][code - ACT_SKI]]
            if vp > most:
                best = index
                most = vp
    if best >= 0:
        return best
    ticket = first_between(work, ACT_TICKET, ACT_TICKET_POLES)
    if ticket >= 0 and at_base:
        return ticket
    lift = first_between(work, ACT_LIFT, ACT_POLES)
    if lift >= 0 and most_matching(state, seat) >= _ENOUGH:
        count = 0
        while lift + count < work["n_options"] and work["options"][lift + count] < ACT_POLES:
            count += 1
        return lift + (seat + state["day"]) % count
    return max(find(work, ACT_TRAIN), 0)


@kernel
def most_matching(state, seat):
    """Most matching cards in hand for any key."""
    most = 0
    for key in range(KEYS):
        most = max(most, matching(state, seat, key))
    return most


@kernel
def plain_key(state, work):
    """The offered key with the most matching cards, the first on ties."""
    seat = state["to_move"]
    best = 0
    for index in range(1, work["n_options"]):
        more = matching(state, seat, work["options"][index])
        if more > matching(state, seat, work["options"][best]):
            best = index
    return best


@kernel
def plain_gear(rules, work):
    """The dearest gear, the alphabetical first on ties."""
    best = 1
    for index in range(2, work["n_options"]):
        gear = work["options"][index] - 1
        if rules["gear_cost"][gear] > rules["gear_cost"][work["options"][best] - 1]:
            best = index
    return best


@kernel
def plain_lodge(state, rules, work):
    """The lodge with the highest number."""
    board = rules["boards"][state["board"]]
    best = 0
    for index in range(1, work["n_options"]):
        node = work["options"][index]
        if board["node_word"][node] > board["node_word"][work["options"][best]]:
            best = index
    return best


# ------------------------------------------------------------------------------- archetypes
@kernel
def archetype(state, rules, work, plan, w, policy, position):
    """The best-scored option; equal ones by the own coin. Sets follow the one that was found."""
    look(state, rules, plan)
    question = state["phase"]
    board = rules["boards"][state["board"]]
    if question == ASK_KEY:
        see_target(state, rules, board, plan, w, ANY_KEY)
        return max(find(work, plan["target_key"]), 0)
    if question == ASK_ADD or question == ASK_RAMP1 or question == ASK_RAMP2:
        see_target(state, rules, board, plan, w, state["key"])
        return lay_target(state, work, plan, question)
    if question == ASK_MOVE:
        see_visits(state, rules, board, plan, w)
    return best_option(state, rules, work, plan, w, policy, position)


@kernel
def lay_target(state, work, plan, question):
    """RAMP1, RAMP2 and ADD: the next part of the set that was found."""
    if question == ASK_RAMP1:
        return max(find(work, 1 + plan["target_pair1"]), 0)
    if question == ASK_RAMP2:
        wanted = plan["target_pair2"]
        if state["pair1"] == wanted:
            wanted = plan["target_pair1"]
        return max(find(work, wanted), 0)
    for card in range(YETI + 1):
        if state["set"][card] < plan["target"][card]:
            index = find(work, card)
            if index >= 0:
                return index
    return max(find(work, ADD_STOP), 0)


@kernel
def noise(w, policy, position):
    """Noise for self-play, of the spread of a logistic with scale ``temperature``; 0 at 0."""
    temperature = w[TEMPERATURE]
    if temperature <= 0.0:
        return 0.0
    total = -2.0
    for _ in range(4):
        total += rng.unit(policy, position)
    return temperature * _NOISE_SCALE * total


@kernel
def best_option(state, rules, work, plan, w, policy, position):
    """Index of the option with the highest score; each of equal ones is equally likely."""
    chosen = 0
    best = 0.0
    equal = 1
    for index in range(work["n_options"]):
        score = option_score(state, rules, work, plan, w, work["options"][index])
        score += noise(w, policy, position)
        if index == 0 or score > best:
            best = score
            chosen = index
            equal = 1
        elif score == best:
            equal += 1
            if rng.below(policy, position, equal) == 0:
                chosen = index
    return chosen
