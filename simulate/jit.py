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
from llvmlite.binding import Linkage
from numba.core import cgutils, types
from numba.core import config as _numba_config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic


def compiled() -> bool:
    """True when kernels are compiled, False in the plain-Python lane."""
    return not _numba_config.DISABLE_JIT


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only other kernels call (releases the GIL, not cached).

    Kernels work on memory of their caller and never allocate, so they are compiled without
    reference counting: about a third faster, and an allocation is an error of the compiler.
    """
    if not compiled():
        return function
    wanted = {"nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _one_machine_code(numba.njit(pipeline_class=_KernelCompiler, **wanted)(function))


def open_kernel(function: Callable[..., Any]) -> Any:
    """A kernel that Python may call as well: small ones, compiled at their first call."""
    return _one_machine_code(numba.njit(nogil=True, _nrt=False)(function))


def entry(function: Callable[..., Any]) -> Any:
    """Compile a door from Python: as ``kernel``, and kept in the cache folder.

    Where no folder was named nothing is kept: beside the sources it would outlive them, as only
    the entry's own file is looked at.
    """
    if not compiled():
        return function
    kept = bool(_numba_config.CACHE_DIR)
    return numba.njit(nogil=True, cache=kept, pipeline_class=_EntryCompiler)(function)


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


def opened(kernel: Any) -> Any:
    """A kernel made callable from Python, to look at it alone; compiled anew in every process."""
    if not compiled():
        return kernel
    return numba.njit(nogil=True, pipeline_class=_EntryCompiler)(kernel.py_func)


def _copy_fields(target: Any, source: Any) -> None:
    for name in target.dtype.names:
        target[name] = source[name]


@intrinsic
def _copy_bytes(_typing: Any, target: Any, source: Any) -> Any:
    if target != source:
        return None

    def build(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, target.size)
        cgutils.raw_memcpy(builder, *arguments, size, 1)
        return context.get_dummy_value()

    return types.void(target, source), build


# copy_record(target, source), in kernels: write a record over another of the same dtype
copy_record: Any = _copy_bytes if compiled() else _copy_fields


class _LinkedLibrary(JITCodeLibrary):
    """A kernel's code as it waits to be linked into an entry."""

    def finalize(self) -> None:
        """Link in what the kernel calls; optimising and machine code are the entry's work."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _OfferToKernels(LoweringPass):
    """Make a lowered kernel known to the kernels that call it, without an address for Python."""

    _name = "offer_to_kernels"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Register the code under a key of its own; called from Python the key only fails."""
        no_address: list[Any] = []
        key = no_address.pop
        lowered = state["cr"]
        state.targetctx.insert_user_function(key, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = lowered._replace(cfunc=key)
        return True


class _KernelCompiler(CompilerBase):
    """The compiler's usual passes, into a library that is linked but not made machine code.

    The usual way optimises a function and makes its machine code, then does it again inside each
    function that calls it, and so on up: three quarters of the first start went there.
    """

    def define_pipelines(self) -> list[Any]:
        """All passes of compiled Python, without an executable at their end."""
        state = self.state
        state.flags.no_compile = True
        state.library = _LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        passes = DefaultPassBuilder.define_nopython_pipeline(state)
        passes.add_pass_after(_OfferToKernels, NativeLowering)
        passes.finalize()
        return [passes]


class _EntryLibrary(JITCodeLibrary):
    """An entry's code with all kernels it needs, which nobody else calls."""

    def _optimize_final_module(self) -> None:
        """Optimise, knowing that kernels are called from here only."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class _EntryCompiler(CompilerBase):
    """The compiler's usual passes, into a library of the entry's own."""

    def define_pipelines(self) -> list[Any]:
        """All passes of compiled Python."""
        state = self.state
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


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
