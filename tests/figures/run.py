"""Every figure of the specification's last section beside ours, in one table.

    python tests/figures/run.py                all games: as many as the reference played
    python tests/figures/run.py --share 0.1    a tenth of them

Exact figures must agree in every printed digit, simulated ones within four standard errors of the
difference. The exit code is 1 when one does not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

HERE = Path(__file__).parent
for _folder in (HERE, HERE.parents[1]):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

import exact  # noqa: E402
import figure  # noqa: E402
import simulated  # noqa: E402


def all_figures(share: float) -> Iterator[figure.Figure]:
    """Exact figures, then simulated ones."""
    return chain(exact.figures(), simulated.figures(share))


def main() -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--share", type=float, default=1.0, help="share of the games, 0-1")
    given = parser.parse_args()
    began = time.monotonic()
    found = list(all_figures(given.share))
    print(figure.table(sorted(found, key=lambda one: int(one.name[1:]))))
    off = [one for one in found if not one.ok]
    seconds = time.monotonic() - began
    print(f"\n{len(found)} figures, {len(off)} off, {seconds:.0f} s, share {given.share:g}")
    return int(bool(off))


if __name__ == "__main__":
    sys.exit(main())
