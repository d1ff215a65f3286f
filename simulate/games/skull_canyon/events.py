"""Event rows of this game: the kind says on which board they happened, too."""

from __future__ import annotations

from simulate import events as rows
from simulate.games.skull_canyon.state import EVENT_BOARD
from simulate.jit import kernel

_append = rows.emit


@kernel
def emit(state, events, kind, seat, a, b, c, d, e, f):
    """Append one event row, with the board in its kind."""
    _append(state, events, kind + EVENT_BOARD * state["board"], seat, a, b, c, d, e, f)
