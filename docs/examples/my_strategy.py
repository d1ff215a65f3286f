"""A strategy of your own: simulate run --game biathlon --strategy-file my_strategy.py --lineup …

It answers every question of its seat with the index of an option. The questions (ASK_*), what their
action codes mean and everything a seat can see stand in simulate/games/biathlon/state.py. This one
plays the fullest column, buys a second one while it has more stamina than it wants to keep, and
leaves the rest to the first option. Try: --lineup thrifty:keep=4,pacer*3
"""

from simulate.games.biathlon.stamina import payable
from simulate.games.biathlon.state import ASK_EXTRA, ASK_MAIN
from strategies.book import strategy


@strategy(summary="buys while it can spare it", params={"keep": (6, 0, 15, "stamina to keep")})
def thrifty(state, rules, work, params, policy, position):
    """Index of the option with the most dice; the first option of any other question."""
    seat, chosen, most = state["to_move"], 0, 0
    spare = state["phase"] == ASK_EXTRA and payable(state, seat) > params[0]
    if state["phase"] == ASK_MAIN or spare:
        for index in range(work["n_options"]):
            column = work["options"][index] - 1
            if 0 <= column < 4 and state["cols"][seat, column] > most:
                chosen, most = index, state["cols"][seat, column]
    return chosen
