"""Kernels are linked into entries, and called from Python they fail instead of crashing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core import errors

from simulate import jit

compiled = pytest.mark.skipif(not jit.compiled(), reason="needs the compiler")


@jit.kernel
def _twice(word):
    return word + word


@jit.kernel
def _four_times(word):
    return _twice(_twice(word))


@jit.open_kernel
def _thrice(word):
    return word * 3


def _twelve_times(word):
    return _thrice(_four_times(word))


def test_kernels_work_in_an_entry() -> None:
    """Through two levels of kernels and an open one."""
    assert _entry_of(_twelve_times)(7) == 84


def _entry_of(function: Callable[..., Any]) -> Any:
    """An entry that is not kept on disk: the test leaves nothing behind."""
    return jit.opened(jit.kernel(function))


def test_an_open_kernel_can_be_called_from_python() -> None:
    """It has machine code of its own."""
    assert _thrice(5) == 15


@compiled
def test_a_kernel_called_from_python_fails_and_does_not_crash() -> None:
    """There is no address to jump to."""
    for _ in range(2):  # before and after it is compiled
        with pytest.raises((TypeError, IndexError)):
            _twice(np.int64(3))


@compiled
def test_a_constant_argument_makes_no_second_version() -> None:
    """Literal types are compiled as plain ones."""

    @jit.kernel
    def add(word, more):
        return word + more

    def ask(word):
        return add(word, 1) + add(word, 2) + add(word, word)

    assert _entry_of(ask)(10) == 43
    assert len(add.signatures) == 1


@compiled
def test_a_kernel_cannot_allocate() -> None:
    """Kernels work on memory of their caller."""

    @jit.kernel
    def make(size):
        return np.zeros(size)[0]

    def ask(size):
        return make(size)

    with pytest.raises(errors.TypingError, match="zeros"):
        _entry_of(ask)(3)
