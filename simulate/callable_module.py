"""Modules that are called like the function they are named after: ``simulate.replay(...)``."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


def make_callable(module: str, home: str, function: str) -> None:
    """Let the module be called; the call goes to ``function`` of ``home``, imported at the call."""

    class Callable(ModuleType):
        """A module that is its main function, too."""

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return getattr(import_module(home), function)(*args, **kwargs)

    sys.modules[module].__class__ = Callable
