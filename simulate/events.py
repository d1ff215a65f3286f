"""Event rows for replays, the same in all games: written only when the caller gives a buffer."""

from __future__ import annotations

import numpy as np

from simulate.jit import kernel

# One row an event; a game's words tell its kinds and what a … f mean in each.
EVENT = np.dtype([(name, np.int64) for name in ("kind", "seat", *"abcdef")], align=True)


@kernel
def emit(state, events, kind, seat, a, b, c, d, e, f):
    """Append one event row; a full buffer sets ``event_overflow`` and the caller must report it."""
    if len(events) == 0:
        return
    index = state["n_events"]
    if index >= len(events):
        state["event_overflow"] = 1
        return
    row = events[index]
    row["kind"] = kind
    row["seat"] = seat
    row["a"] = a
    row["b"] = b
    row["c"] = c
    row["d"] = d
    row["e"] = e
    row["f"] = f
    state["n_events"] = index + 1
