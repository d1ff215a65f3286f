"""Speed, memory, records and start-up, as ratios measured in one run on this machine.

    python tests/benchmarks/run.py                 minutes
    python tests/benchmarks/run.py --full          first compile, 1e6 and 1e7 games: much longer
    python tests/benchmarks/run.py --part speed    one part of it

It says what is wanted beside what is found, and never fails: a busy machine is no error.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path

os.environ.setdefault("POLARS_MAX_THREADS", "1")
HERE = Path(__file__).parent
for _folder in (HERE, HERE.parents[1]):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

import measure  # noqa: E402


def main() -> int:
    """Print the table, line by line as it comes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--full", action="store_true", help="the long measurements too")
    parser.add_argument("--part", action="append", choices=list(measure.PARTS), default=[])
    parser.add_argument("--json", type=Path, help="write the table to a file as well")
    given = parser.parse_args()
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {load}, Python "
          f"{platform.python_version()}\n")  # fmt: skip
    lines = []
    for name in given.part or measure.PARTS:
        try:
            for line in measure.PARTS[name](given.full):
                print(f"{line.what:52}{line.value:>44}   {line.wanted}", flush=True)
                lines.append(line)
        except Exception as error:
            print(f"{name}: not measured: {type(error).__name__}: {error}", flush=True)
    if given.json:
        given.json.write_text(measure.as_json(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
