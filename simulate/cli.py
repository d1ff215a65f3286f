"""The command line: parse, call, print. The commands stand in ``simulate.commands``.

Exit codes: 0 done or same, 1 failed or changed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

# isort: off
from simulate.commands.app import app, command_line
from simulate.commands import runs  # help lists the commands in this order
from simulate.commands import lists
from simulate.commands import experiments
from simulate.commands import studies
from simulate.commands import luck
from simulate.commands import rollouts
from simulate.commands import tune
from simulate.commands import courses
from simulate.commands import compensate
from simulate.commands import gear
from simulate.commands import cache
# isort: on

__all__ = [
    "app",
    "cache",
    "command_line",
    "compensate",
    "courses",
    "experiments",
    "gear",
    "lists",
    "luck",
    "main",
    "rollouts",
    "runs",
    "studies",
    "tune",
]


def main() -> None:
    """The ``simulate`` command."""
    app()


if __name__ == "__main__":
    main()
