"""A balance laboratory for board games: seeded games, exact records, honest statistics.

    import simulate

    run = simulate.run("biathlon", n=100_000)
    run.games, run.seats        # Polars LazyFrames
    run.report()                # one HTML file

Names are imported when they are first used, so that ``simulate --help`` stays fast. ``games``,
``replay`` and ``script`` are modules that can be called.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate import games
from simulate.callable_module import make_callable

__version__ = "0.1.0"

_HOME = {
    "run": "simulate.api",
    "extend": "simulate.api",
    "strategies": "simulate.api",
    "load_rules": "simulate.api",
    "treat": "simulate.api",
    "compare": "simulate.experiments.compare",
    "compensate": "simulate.experiments.compensate",
    "power": "simulate.experiments.power",
    "diff": "simulate.experiments.diff",
    "sweep": "simulate.experiments.sweep",
    "sensitivity": "simulate.experiments.sensitivity",
    "tournament": "simulate.experiments.tournament",
    "ladder": "simulate.experiments.ladder",
    "luck": "simulate.experiments.luck",
    "rollouts": "simulate.experiments.rollouts",
    "tune": "simulate.experiments.tune",
    "open_run": "simulate.store",
    "Run": "simulate.store",
    "Plan": "simulate.plan",
    "Request": "simulate.request",
    "Replay": "simulate.replay",
    "UserError": "simulate.errors",
}
_CALLED = ("replay", "script")  # modules that are functions, too

__all__ = [
    "Plan",
    "Replay",
    "Request",
    "Run",
    "UserError",
    "__version__",
    "compare",
    "compensate",
    "diff",
    "extend",
    "games",
    "ladder",
    "load_rules",
    "luck",
    "open_run",
    "power",
    "replay",
    "rollouts",
    "run",
    "script",
    "sensitivity",
    "strategies",
    "sweep",
    "tournament",
    "treat",
    "tune",
]

make_callable("simulate.games", "simulate.api", "games")

if TYPE_CHECKING:
    from simulate import replay, script
    from simulate.api import extend, load_rules, run, strategies, treat
    from simulate.errors import UserError
    from simulate.experiments.compare import compare
    from simulate.experiments.compensate import compensate
    from simulate.experiments.diff import diff
    from simulate.experiments.ladder import ladder
    from simulate.experiments.luck import luck
    from simulate.experiments.power import power
    from simulate.experiments.rollouts import rollouts
    from simulate.experiments.sensitivity import sensitivity
    from simulate.experiments.sweep import sweep
    from simulate.experiments.tournament import tournament
    from simulate.experiments.tune import tune
    from simulate.plan import Plan
    from simulate.replay import Replay
    from simulate.request import Request
    from simulate.store import Run, open_run


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name in _CALLED:
        return import_module(f"simulate.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'simulate' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
