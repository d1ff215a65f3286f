"""What every game's ``play_on`` does around a rollout: whose coins, which decisions, what end.

A *position* is a question asked in a game. Its rollouts have a root seed of their own, and rollout r
is block r under it: so r of one option meets the same dice, cards and coins as r of another, and
none of them meets those of the game that the position was taken from.
"""

from __future__ import annotations

from simulate.jit import kernel
from strategies.opening import open_policies

NEVER = -1  # play on to the end, whatever is asked
TRUE_FUTURE = -1  # root of a rollout that keeps all streams as they are in the position
SEAT, QUESTION, OFFERED, CHOSEN = range(4)  # columns of a trace, one row a question
TRACE = 4
WIN_SHARE, RANK = range(2)  # what is kept of the end of a rollout
END = 2


@kernel
def note_choice(trace, state, work, index):
    """Write down who was asked what and what was chosen, as far as ``trace`` has rows."""
    at = state["asked"] - 1
    if at < len(trace):
        trace[at, SEAT] = state["to_move"]
        trace[at, QUESTION] = state["phase"]
        trace[at, OFFERED] = work["n_options"]
        trace[at, CHOSEN] = index


@kernel
def open_coins(coins, policy, root, number):
    """Coins of a rollout: new ones, or with TRUE_FUTURE those that the strategies hold."""
    if root == TRUE_FUTURE:
        for position in range(len(coins)):
            coins[position] = policy[position]
    else:
        open_policies(coins, len(coins), root, number)


@kernel
def note_end(ends, option, number, rows):
    """Keep win share and rank of every seat at the end of a rollout."""
    for seat in range(ends.shape[2]):
        ends[option, number, seat, WIN_SHARE] = rows[seat]["win_share"]
        ends[option, number, seat, RANK] = rows[seat]["rank"]
