"""Options that are a set of nodes."""

from __future__ import annotations

from simulate.jit import kernel
from simulate.options import offer


@kernel
def offer_set(work, members, first):
    """Add ``first + i`` for every member i of a bit set of nodes."""
    index = 0
    while members > 0:
        if members & 1:
            offer(work, first + index)
        members = members >> 1
        index += 1
