"""The option list of the question being asked: the caller's buffer in WORK, in all games."""

from __future__ import annotations

from simulate.jit import kernel


@kernel
def clear(work):
    """Start an empty list."""
    work["n_options"] = 0


@kernel
def offer(work, code):
    """Add an action code; codes are added in rising order."""
    index = work["n_options"]
    work["options"][index] = code
    work["n_options"] = index + 1
