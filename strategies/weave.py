"""A user's strategy file woven into a game: a copy of its ``play`` module with branches more.

Kernels call kernels by name, or they would miss the compiler's cache in every process; so a small
module is generated into the cache folder that imports the user's kernels by name and holds a branch
for each in ``decide``, at the line ``# --- user strategies ---``. The first use compiles and says
so; later starts are warm, because folder and file are named after a digest of all sources.

What goes wrong is the user's to mend, so it is told with file and line and without a traceback:
Python's own errors, a kernel the compiler refuses, an answer that is no option.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from simulate.errors import StrategyError
from strategies.book import USER_CODES, Book, Strategy

MARKER = "# --- user strategies ---"


def weave(book: Book, play: ModuleType, file: Path, cache: Path) -> tuple[Book, ModuleType]:
    """The book and the play module with the strategies of ``file``."""
    name = "simulate_user_" + hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    kernels = _kernels(_load_user(file, name), file)
    strategies = []
    for number, (attribute, kernel) in enumerate(kernels.items()):
        told: Strategy = kernel.user_strategy
        if book.get(told.name) is not None:
            raise StrategyError(
                f"{file}: the book of {book.game} has a strategy '{told.name}' already."
            )
        _check_signature(kernel, attribute, file)
        strategies.append(replace(told, code=USER_CODES + number))
    text = _woven(inspect.getsource(play), name, list(kernels), file)
    module = _load_woven(text, play, cache)
    return book.with_strategies(tuple(strategies)), module


# ---------------------------------------------------------------- the user's file


def _load_user(file: Path, name: str) -> ModuleType:
    """Import the user's file; its errors become one clear message."""
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise StrategyError(f"{file}: not a Python file (its name must end in .py).")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        sys.modules.pop(name, None)
        shown = f"\n    {error.text.strip()}" if error.text else ""
        raise StrategyError(f"{file}, line {error.lineno}: {error.msg}.{shown}") from error
    except Exception as error:
        sys.modules.pop(name, None)
        raise StrategyError(
            f"{file}{_line(error, file)}: {type(error).__name__}: {error}"
        ) from error
    return module


def _line(error: BaseException, file: Path) -> str:
    """``, line N: text`` of the innermost frame in the user's file."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename) == file:
            return f", line {frame.lineno} ({frame.line})"
    return ""


def _kernels(module: ModuleType, file: Path) -> dict[str, Any]:
    """Attribute name to kernel of all functions marked ``@strategy``."""
    found = {k: v for k, v in vars(module).items() if hasattr(v, "user_strategy")}
    if not found:
        raise StrategyError(
            f"{file}: no function is marked @strategy (from strategies.book import strategy)."
        )
    return found


def _check_signature(kernel: Any, name: str, file: Path) -> None:
    """The kernel must take just what ``decide`` gives."""
    plain = getattr(kernel, "py_func", kernel)
    wanted = ["state", "rules", "work", "params", "policy", "position"]
    if len(inspect.signature(plain).parameters) != len(wanted):
        line = plain.__code__.co_firstlineno
        raise StrategyError(f"{file}, line {line}: {name} must take ({', '.join(wanted)}).")


# ---------------------------------------------------------------- the generated module

_CHECK = '''

from simulate.jit import kernel as _user_kernel  # noqa: E402


@_user_kernel
def _user_answer(index, work):
    """An answer of a user's strategy must be one of the options."""
    if index < 0 or index >= work["n_options"]:
        raise IndexError("{file}: a strategy answered with an index that is no option")
    return index
'''


def _woven(source: str, user: str, kernels: list[str], file: Path) -> str:
    """The text of the play module with a branch a kernel at the marker, and what it needs."""
    match = re.search(rf"^([ ]+){re.escape(MARKER)}[ ]*$", source, re.MULTILINE)
    if match is None:
        raise StrategyError(
            f"The play module of this game takes no user strategies (no '{MARKER}')."
        )
    indent = match[1]
    branches = [match[0]]
    for number, name in enumerate(kernels):
        call = f"_user_{name}(state, rules, work, params, policy, position)"
        branches.append(f"{indent}if strategy == {USER_CODES + number}:")
        branches.append(f"{indent}    return _user_answer({call}, work)")
    body = source[: match.start()] + "\n".join(branches) + source[match.end() :]
    imports = "".join(
        f"from {user} import {name} as _user_{name}  # noqa: E402\n" for name in kernels
    )
    return body + _CHECK.replace("{file}", file.name) + "\n" + imports


def _load_woven(text: str, play: ModuleType, cache: Path) -> ModuleType:
    """Keep the generated text in the cache folder and import it."""
    name = f"{play.__name__}_user_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    file = cache / f"{name.rsplit('.', 1)[-1]}.py"
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        cache.mkdir(parents=True, exist_ok=True)
        temporary = file.with_name(f".{file.name}.{os.getpid()}")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(file)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def explain(error: BaseException, file: str) -> StrategyError:
    """What the compiler says about a user's kernel, with its line, as one message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    place = re.search(rf'{re.escape(Path(file).name)}"?,? (?:line |\()(\d+)', text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reason = next((line for line in lines if not line.startswith("Failed in nopython")), "")
    where = f", line {place[1]}" if place else ""
    source = _source_line(file, int(place[1])) if place else ""
    return StrategyError(f"{file}{where}: the compiler refuses it: {reason}{source}")


def _source_line(file: str, number: int) -> str:
    """The text of a line of the user's file, indented, on a line of its own."""
    try:
        return "\n    " + Path(file).read_text(encoding="utf-8").splitlines()[number - 1].strip()
    except (OSError, IndexError):
        return ""
