"""What a course is like in numbers, for the question which of it makes races fair or wild."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from reports.games.biathlon.rulebook import course_rows, range_rows

LENGTH = "Rows"


def features(model: Mapping[str, Any]) -> dict[str, float]:
    """Length, hills and ranges of the course of these rules, by name.

    *Ranges spread out* is the shortest way between two of start, ranges and finish, in parts of the
    way if all were equally long: 1 evenly spread, near 0 one directly after another.
    """
    rows = course_rows(model)
    stops = [0, *range_rows(rows), len(rows) + 1]
    gaps = [after - before for before, after in itertools.pairwise(stops)]
    return {
        LENGTH: float(len(rows)),
        "Ranges": float(len(stops) - 2),
        "Ranges spread out": min(gaps) * len(gaps) / (len(rows) + 1),
        "Rows from the last range to the finish": float(gaps[-1]),
        "Uphill, share of rows": sum("U" in row for row in rows) / len(rows),
        "Downhill, share of rows": sum("D" in row for row in rows) / len(rows),
    }
