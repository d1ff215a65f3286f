"""The only place that knows the compiler: two decorators and the cache folder.

``kernel`` compiles a function that other kernels call; ``entry`` compiles a door from Python and
keeps the machine code on disk. The compiler does not notice edits in imported files, so the cache
folder is named after a digest of our own sources (one digest a game: core, the game's folder, its
strategies' folder, and a user's strategy file where one is used). It must be set before the first
``entry`` is decorated: ``registry`` calls ``set_cache_folder`` before it imports a game's kernels.

With ``NUMBA_DISABLE_JIT=1`` both decorators return the plain Python function: the same rules, slow.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config as _numba_config


def compiled() -> bool:
    """True when kernels are compiled, False in the plain-Python lane."""
    return not _numba_config.DISABLE_JIT


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only other kernels call (releases the GIL, not cached).

    Kernels work on memory of their caller and never allocate, so they are compiled without
    reference counting: about a third faster, and an allocation is an error of the compiler.
    """
    return _one_machine_code(numba.njit(nogil=True, _nrt=False)(function))


def _one_machine_code(dispatcher: Any) -> Any:
    """Compile a kernel for the types of its arguments, not again for every constant passed.

    A constant in a call has a type of its own (Literal[int](7)), and the compiler would make a
    version of the kernel for each: three times the work on the first start, for no speed.
    """
    if not compiled():
        return dispatcher
    fold = dispatcher._compiler.fold_argument_types

    def fold_to_plain_types(args: Any, kws: Any) -> Any:
        signature, folded = fold(args, kws)
        return signature, tuple(numba.types.unliteral(argument) for argument in folded)

    dispatcher._compiler.fold_argument_types = fold_to_plain_types
    return dispatcher


def entry(function: Callable[..., Any]) -> Any:
    """Compile a door from Python: as ``kernel``, and kept in the cache folder."""
    return numba.njit(nogil=True, cache=True)(function)


def set_cache_folder(folder: Path) -> None:
    """Send compiled entries to ``folder``, unless the user chose one with NUMBA_CACHE_DIR."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder.mkdir(parents=True, exist_ok=True)
    _numba_config.CACHE_DIR = str(folder)


def versions() -> dict[str, str]:
    """Versions and processor that decide what machine code means: part of a cache folder's name."""
    import llvmlite.binding

    return {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "processor": llvmlite.binding.get_host_cpu_name(),
    }
