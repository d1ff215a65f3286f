"""Outcomes of chance that a scripted position gives, as a part of WORK in all games."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.jit import kernel


def feed_dtype(most: int) -> np.dtype[Any]:
    """The dtype of ``work["feed"]`` with room for ``most`` outcomes.

    ``on`` 1: draws read the list; ``missing``: draws asked beyond its end.
    """
    fields: list[Any] = [(name, np.int64) for name in ("on", "n", "used", "missing")]
    return np.dtype([*fields, ("values", np.int64, (most,))], align=True)


@kernel
def fed(work, otherwise):
    """The next scripted outcome; past the end of the list ``otherwise``, and the lack is counted."""
    feed = work["feed"]
    if feed["used"] >= feed["n"]:
        feed["missing"] += 1
        return otherwise
    value = feed["values"][feed["used"]]
    feed["used"] += 1
    return value
