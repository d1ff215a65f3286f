"""Records are used again from game to game: what an earlier game left in them must not show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulate import rng, rules
from simulate.games.biathlon import entries
from simulate.games.biathlon.state import STATE

GARBAGE = 3  # every byte of a record that was used before


def used_state() -> Any:
    """A STATE record full of what is left of something else."""
    return np.full(STATE.itemsize, GARBAGE, np.uint8).view(STATE)[0]


def played(state: Any, players: int, block: int, *overrides: str) -> bytes:
    """Play a race with random answers; all of its rows."""
    record = rules.load("biathlon", overrides=overrides).record[0]
    work, events = entries.new_work(), entries.new_events(0)
    entries.start(state, record, work, events, entries.no_treatments(), players, 5, block)
    coin = np.zeros(1, np.uint64)
    rng.open_stream(coin, 0, 9, block, rng.POLICY, 0)
    while not state["over"]:
        index = int(rng.below(coin, 0, int(work["n_options"])))
        entries.apply(state, record, work, events, int(work["options"][index]))
    games, seats = entries.new_rows()
    entries.finish(state, record, games, seats)
    count = int(state["n_seats"])
    rows = [games[name].tobytes() for name in games.dtype.names]
    rows += [seats[name][:count].tobytes() for name in seats.dtype.names]
    return b"".join(rows)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_a_used_record_plays_the_same_race(players: int) -> None:
    """Setting up writes every field that the race reads."""
    options = ("course.layout=mini_one", "nations.use=mixed", "nations.assign=chosen")

    assert played(used_state(), players, 1, *options) == played(
        entries.new_state(), players, 1, *options
    )
