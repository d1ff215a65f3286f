"""Finds games, strategy books and report folders by scanning folders; nobody registers them.

A game is a folder ``simulate/games/<name>/``, its strategies ``strategies/<name>/``, its own report
sections ``reports/games/<name>.py``. Folders named in the environment variable SIMULATE_PATH are
looked through as well: each may hold ``simulate/games/``, ``strategies/`` and ``reports/games/`` of
the same form, so a game can live outside this project.

``load`` opens a game for play. Before it imports a kernel it names the cache folder of compiled
code after a digest of the sources that decide what is played (the game's entries and its ``play``
module, with every file of ours that they import), the compiler's versions and the processor: the
compiler itself does not notice edits in imported files.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import os
import platform
import re
import shutil
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from simulate.errors import UserError
from simulate.game import Game

CORE = Path(__file__).parent
ROOT = CORE.parent
PATH_VARIABLE = "SIMULATE_PATH"
_IMPORT = re.compile(
    r"^\s*(?:from\s+((?:simulate|strategies)[\w.]*)\s+import\s+([^#\n(]+|\([^)]*\))"
    r"|import\s+((?:simulate|strategies)[\w.]*))",
    re.MULTILINE,
)


# ---------------------------------------------------------------- finding


def extra_roots() -> list[Path]:
    """Folders outside the project that hold games, from SIMULATE_PATH."""
    return [Path(p) for p in os.environ.get(PATH_VARIABLE, "").split(os.pathsep) if p]


def open_paths() -> None:
    """Let the packages of games, strategies and report sections reach into ``extra_roots``."""
    for package in ("simulate.games", "strategies", "reports.games"):
        try:
            path = importlib.import_module(package).__path__
        except ImportError:
            continue
        for root in extra_roots():
            folder = str(root.joinpath(*package.split(".")))
            if folder not in path and Path(folder).is_dir():
                path.append(folder)


def _folders(package: str, marker: str) -> dict[str, Path]:
    """Name to folder of every subfolder of a package that holds the file ``marker``."""
    open_paths()
    found: dict[str, Path] = {}
    for base in importlib.import_module(package).__path__:
        for file in sorted(Path(base).glob(f"*/{marker}")):
            found.setdefault(file.parent.name, file.parent)
    return dict(sorted(found.items()))


def names() -> list[str]:
    """Names of all games, in alphabetical order."""
    return list(_folders("simulate.games", "__init__.py"))


def folder(name: str) -> Path:
    """The source folder of a game."""
    found = _folders("simulate.games", "__init__.py")
    if name not in found:
        raise UserError(f"There is no game '{name}'. {_suggest(name, list(found))}")
    return found[name]


def _suggest(name: str, known: list[str]) -> str:
    """Which names there are, the nearest one first."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    return f"{hint}Games: {', '.join(known) or 'none found'}."


@lru_cache
def game(name: str) -> Game:
    """Facts of a game; imports no kernel."""
    folder(name)
    return importlib.import_module(f"simulate.games.{name}").GAME


def games() -> list[Game]:
    """Facts of all games."""
    return [game(name) for name in names()]


def book(name: str, strategy_file: str | Path | None = None) -> Any:
    """The strategy book of a game; imports no kernel, unless a user's file adds strategies to it."""
    if strategy_file:
        return load(name, strategy_file).book
    folder(name)
    if name not in _folders("strategies", "__init__.py"):
        raise UserError(f"The game '{name}' has no strategies: strategies/{name}/ is missing.")
    return importlib.import_module(f"strategies.{name}").BOOK


# ---------------------------------------------------------------- sources and the cache folder


def _source_of(module: str) -> Path | None:
    """The source file of a module of ours, found without importing it; None if there is none."""
    parts = module.split(".")
    for root in (ROOT, *extra_roots()):
        base = root.joinpath(*parts)
        for file in (base.with_suffix(".py"), base / "__init__.py"):
            if file.is_file():
                return file
    return None


def _imports(text: str) -> set[str]:
    """Modules of ours that a source text may import (names that are no module do no harm)."""
    found = set()
    for package, imported, plain in _IMPORT.findall(text):
        found.add(plain or package)
        for name in re.findall(r"\w+(?:\s+as\s+\w+)?", imported):
            found.add(f"{package}.{name.split()[0]}")
    return found


def sources(name: str) -> dict[str, Path]:
    """Module name to file of all that decides what is played: entries, schema, strategies."""
    todo = [
        f"simulate.games.{name}.entries",
        f"simulate.games.{name}.schema",
        f"strategies.{name}",
        f"strategies.{name}.play",
        "strategies.opening",
    ]
    found: dict[str, Path] = {}
    fronts = ("simulate", "strategies", "simulate.games")  # they export, they play nothing
    while todo:
        module = todo.pop()
        file = None if module in found or module in fronts else _source_of(module)
        if file is None:
            continue
        found[module] = file
        todo += sorted(_imports(file.read_text(encoding="utf-8")))
    return dict(sorted(found.items()))


def engine_digest(name: str, strategy_text: str = "") -> str:
    """Digest of the sources that decide what is played: part of a run's identity."""
    digest = hashlib.sha256()
    for module, file in sources(name).items():
        digest.update(module.encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(strategy_text.encode())
    return digest.hexdigest()


def cache_root() -> Path:
    """Where compiled code of all games is kept."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("simulate", appauthor=False))


def cache_folder(name: str, strategy_text: str = "") -> Path:
    """The folder for the compiled code of one game as its sources are now."""
    from simulate import jit

    digest = hashlib.sha256(engine_digest(name, strategy_text).encode())
    for fact in (*jit.versions().values(), platform.python_version()):
        digest.update(fact.encode())
    return cache_root() / f"{name}-{digest.hexdigest()[:16]}"


def clear_cache() -> tuple[int, int]:
    """Delete all compiled code; the number of folders and of bytes that are gone."""
    root = cache_root()
    folders = bytes_gone = 0
    for path in sorted(root.glob("*-*")) if root.is_dir() else []:
        if path.is_dir() and re.fullmatch(r"\w+-[0-9a-f]{16}", path.name):
            bytes_gone += sum(f.stat().st_size for f in path.rglob("*") if f.is_file())
            shutil.rmtree(path, ignore_errors=True)
            folders += 1
    return folders, bytes_gone


# ---------------------------------------------------------------- a game opened for play


@dataclass(frozen=True)
class Engine:
    """A game with its compiled doors, ready to play."""

    game: Game
    state: ModuleType
    entries: ModuleType
    play: ModuleType
    opening: ModuleType
    book: Any  # strategies.book.Book, the user's strategies included
    digest: str
    strategy_file: str  # "" or the user's file, as it was given
    cache: Path

    @cached_property
    def words(self) -> ModuleType:
        """The game's words, imported when first asked for."""
        return self.game.module("words")

    @property
    def warm(self) -> bool:
        """True when the compiled code is on disk already, or nothing is compiled."""
        batch = self.play.play_batch
        if not hasattr(batch, "stats"):
            return True
        kept = Path(batch.stats.cache_path)
        return any(kept.glob("*play_batch-*.nbc"))


_ENGINES: dict[tuple[str, ...], Engine] = {}
_STRATEGY_FILES: dict[str, Path] = {}  # text of a user's strategy file to where it stands


def load(name: str, strategy_file: str | Path | None = None) -> Engine:
    """Open a game for play; kernels are compiled (or read from the cache) at their first call."""
    from simulate import jit

    facts = game(name)
    text = _strategy_text(strategy_file)
    opened = (name, text, *map(str, extra_roots()))
    if opened in _ENGINES:  # imported modules do not change, whatever happens to their files
        return _ENGINES[opened]
    digest = engine_digest(name, text)
    cache = cache_folder(name, text)
    jit.set_cache_folder(cache)
    own_book = book(name)
    play = facts.strategies("play")
    if strategy_file is not None:
        weave = importlib.import_module("strategies.weave")
        own_book, play = weave.weave(own_book, play, Path(strategy_file), cache)
        _STRATEGY_FILES[text] = Path(strategy_file)
    engine = Engine(
        game=facts,
        state=facts.module("state"),
        entries=facts.module("entries"),
        play=play,
        opening=importlib.import_module("strategies.opening"),
        book=own_book,
        digest=digest,
        strategy_file=str(strategy_file or ""),
        cache=cache,
    )
    _ENGINES[opened] = engine
    return engine


def _strategy_text(strategy_file: str | Path | None) -> str:
    """The text of a user's strategy file, "" without one."""
    if strategy_file is None:
        return ""
    try:
        return Path(strategy_file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text file"
        raise UserError(f"The strategy file {strategy_file} cannot be read: {reason}.") from error


def keep_strategy_file(name: str, text: str) -> Path:
    """A user's strategy file with that text: his own if this process knows it, else a copy."""
    if text in _STRATEGY_FILES:
        return _STRATEGY_FILES[text]
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    copy = cache_root() / f"strategies-{digest}" / Path(name).name
    if not copy.is_file():
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    return copy
