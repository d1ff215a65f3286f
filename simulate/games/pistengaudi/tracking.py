"""What the records remember of the game as it goes on (spec section 8)."""

from __future__ import annotations

from simulate.games.pistengaudi.slope import column_of, progress, row_of
from simulate.games.pistengaudi.state import (
    G1,
    H1,
    LAST_SIGNED,
    MAX_ROUNDS,
    N_PHASES,
    P1,
    PHASE_ROUNDS,
    ROUNDS_KEPT,
    S1,
    TALLY_HALF,
    TALLY_ROUNDS,
    TALLY_ROWS,
    F,
    J,
)
from simulate.jit import kernel


@kernel
def tally_cell(cell):
    """Index of a cell in the tallies; columns and rows beyond count in the outermost."""
    x = min(max(column_of(cell), -TALLY_HALF), TALLY_HALF)
    y = min(row_of(cell), TALLY_ROWS - 1)
    return (x + TALLY_HALF) * TALLY_ROWS + y


@kernel
def tally_round(state):
    """Index of the round in the tallies."""
    return min(max(state["round"], 1), TALLY_ROUNDS) - 1


@kernel
def group_of(kind):
    """The first kind of a group: forest, ski jump, or the blue one of plain, hut, groomer, snowball."""
    if kind > LAST_SIGNED:
        return kind
    return kind - (kind - 1) % 3


@kernel
def note_drawn(state, rules, card):
    """A card came off the stack."""
    kind = rules["card_type"][card]
    state["seat_rows"][state["seat"]]["drawn_types"][kind] += 1


@kernel
def note_placed(state, seat, card):
    """A card was laid by a seat."""
    row = state["seat_rows"][seat]
    first = group_of(state["first"][card])
    second = group_of(state["second"][card])
    if first == F or second == F:
        row["placed_F"] += 1
        state["tally"]["forest_cards"][tally_round(state)] += 1
    if first == J or second == J:
        row["placed_J"] += 1
    if first == S1 or second == S1:
        row["placed_S"] += 1
    if first == G1 or second == G1:
        row["placed_G"] += 1
    if first == H1 or second == H1:
        row["placed_H"] += 1
    if first == P1 and second == P1:
        row["placed_plain2"] += 1
    cell = state["card_cell"][card]
    state["tally"]["builds"][tally_cell(cell)] += 1
    state["tally"]["builds"][tally_cell(cell + 1)] += 1


@kernel
def note_vetoes(state, vetoed):
    """Placements that the forest rule struck out of an option list (spec 8.1)."""
    state["game_rows"][0]["forest_veto"] += vetoed
    state["tally"]["vetoes"][tally_round(state)] += vetoed


@kernel
def note_start(state, seat, sign):
    """A move begins on a sign."""
    row = state["seat_rows"][seat]
    row["turns_moved"] += 1
    if sign == 0:
        row["starts_lift"] += 1
    elif sign == 1:
        row["starts_blue"] += 1
    elif sign == 2:
        row["starts_red"] += 1
    else:
        row["starts_black"] += 1


@kernel
def note_fall(state, seat, n_steps, spared):
    """A figure fell while riding."""
    game = state["game_rows"][0]
    row = state["seat_rows"][seat]
    game["falls"] += 1
    row["falls"] += 1
    row["falls_spared"] += spared
    phase = min((max(state["round"], 1) - 1) // PHASE_ROUNDS, N_PHASES - 1)
    row["falls_phase"][phase] += 1
    row["falls_spared_phase"][phase] += spared
    if n_steps == 0:
        game["falls_zero"] += 1
        row["falls_zero"] += 1
    state["tally"]["falls"][tally_cell(state["cell"][seat])] += 1


@kernel
def note_landing(state, cell):
    """A move ended on a space."""
    state["tally"]["landings"][tally_cell(cell)] += 1


@kernel
def note_step(state, seat, cell):
    """A step landed on a space: whose card is it?"""
    state["tally"]["visits"][tally_cell(cell)] += 1
    card = state["card"][cell]
    if card < 0:
        return
    state["card_ridden"][card] = 1
    builder = state["placed_by"][card]
    if builder == seat:
        state["seat_rows"][seat]["own_cells_ridden"] += 1
    elif builder >= 0:
        state["seat_rows"][seat]["others_cells_ridden"] += 1
        state["seat_rows"][builder]["own_cells_ridden_by_others"] += 1


@kernel
def sole_leader(state, rules):
    """The one seat with the most progress, -1 if it is shared (spec 8.1)."""
    best = -1
    leader = -1
    for seat in range(state["n_seats"]):
        done = progress(state, rules, seat)
        if done > best:
            best = done
            leader = seat
        elif done == best:
            leader = -1
    return leader


@kernel
def note_round_end(state, rules):
    """Progress, sole leader and spread after a full round."""
    index = state["round"] - 1
    if index < 0 or index >= MAX_ROUNDS:
        return
    best = -1
    least = 1000
    leader = sole_leader(state, rules)
    for seat in range(state["n_seats"]):
        done = progress(state, rules, seat)
        state["progress"][index, seat] = done
        if index < ROUNDS_KEPT:
            state["seat_rows"][seat]["progress_round"][index] = done
        least = min(least, done)
        best = max(best, done)
        if state["area"][seat] == 0:
            state["tally"]["stands"][tally_cell(state["cell"][seat])] += 1
    state["spread_sum"] += best - least
    state["sole_leader"][index] = leader
    if leader >= 0:
        state["seat_rows"][leader]["rounds_led"] += 1
        if state["last_leader"] >= 0 and state["last_leader"] != leader:
            state["game_rows"][0]["lead_changes"] += 1
        state["last_leader"] = leader


@kernel
def rank_after(state, index, seat):
    """Place of a seat by progress after a round, equal ones share the mean."""
    better = 0
    same = 0
    for other in range(state["n_seats"]):
        if state["progress"][index, other] > state["progress"][index, seat]:
            better += 1
        elif state["progress"][index, other] == state["progress"][index, seat]:
            same += 1
    return better + (same + 1) / 2.0
