"""The Yeti: what it blocks, where it goes (rulebook: The Yeti, Moving the Yeti)."""

from __future__ import annotations

from simulate.games.skull_canyon.events import emit
from simulate.games.skull_canyon.gear import has
from simulate.games.skull_canyon.state import ENERGY, EVENT_YETI
from simulate.jit import kernel
from simulate.options import offer


@kernel
def blocked(state, seat, run):
    """SC-YETI-01: nobody skis the Yeti's run, owners of Yeti Energy excepted."""
    return state["yeti"] == run and not has(state, seat, ENERGY)


@kernel
def list_yeti(state, board, work):
    """YETI: every other run without the no-Yeti icon (SC-YETI-02 to -04)."""
    for run in range(board["n_runs"]):
        if board["no_yeti"][run] == 0 and state["yeti"] != run:
            offer(work, run)


@kernel
def move_yeti(state, events, seat, run):
    """The Yeti goes to a run."""
    emit(state, events, EVENT_YETI, seat, state["yeti"], run, 0, 0, 0, 0)
    state["yeti"] = run
    state["game_rows"][0]["yeti_moves"] += 1
