"""How many cores there are to play on."""

from __future__ import annotations

import os


def default_jobs() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
