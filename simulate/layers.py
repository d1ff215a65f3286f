"""Layers of rules: TOML files and ``key=value`` overrides as tables, and one laid over another.

Of every file ``source``, ``sources`` and ``alternatives`` are taken out: they are words about the
values, not rules. All errors are ``RulesError`` that name file or option.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulate.errors import RulesError

Key = tuple[str, ...]
"""A rule's place in the TOML tables."""

SHIPPED = "shipped"
"""Label of the game's own files."""

_SHOWN = 80  # characters of a value in a message
_MOST_LINES = 30  # problems shown at once
_FEW_KEYS = 4  # keys of a table shown as examples
_CLOSE = 0.6  # how alike a suggested word must be


@dataclass(frozen=True)
class Layer:
    """One source of rules: its label for messages, its values, and what it says about sources."""

    label: str
    data: dict[str, Any]
    sources: dict[Key, str] = field(default_factory=dict)
    alternatives: dict[Key, Any] = field(default_factory=dict)


# ------------------------------------------------------------------------------- words
def dotted(key: Iterable[str | int]) -> str:
    """A key as TOML writes it: parts joined by dots, quoted where they are no bare words."""
    parts = [str(part) for part in key]
    return ".".join(p if re.fullmatch(r"[A-Za-z0-9_-]+", p) else json.dumps(p) for p in parts)


def show(value: Any) -> str:
    """A value for messages: as TOML writes it, shortened."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # a whole number too long to print
        text = "a number too long to print"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def close(word: str, known: Iterable[str]) -> str:
    """``; did you mean X?`` for the known word most like ``word``, else nothing."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=_CLOSE)
    return f"; did you mean {found[0]}?" if found else ""


def raise_all(problems: Sequence[str]) -> None:
    """Raise RulesError with all problems, one a line."""
    if not problems:
        return
    lines = list(dict.fromkeys(problems))
    more = len(lines) - _MOST_LINES
    rest = [f"… and {more} more"] if more > 0 else []
    raise RulesError("\n".join([*lines[:_MOST_LINES], *rest]))


# ------------------------------------------------------------------------------- reading
def read(path: Path) -> dict[str, Any]:
    """A TOML file as tables. Raises RulesError that names the file (and the line)."""
    try:
        if path.is_dir():
            raise RulesError(f"{path}: a folder; a TOML file is wanted")
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise RulesError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise RulesError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise RulesError(f"{show(str(path))}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise RulesError(f"{show(str(path))}: cannot be read ({error})") from None
    return _parse(text, str(path))


def _parse(text: str, label: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{label}: no valid TOML: {error}") from None
    except (ValueError, RecursionError):  # digits beyond Python's limit; nesting beyond its stack
        raise RulesError(f"{label}: no valid TOML: a number too long or tables too deep") from None


def override_layers(
    overrides: str | Iterable[str] | Mapping[str, Any], problems: list[str]
) -> list[Layer]:
    """A layer for each override; what cannot be read goes to ``problems``."""
    if isinstance(overrides, Mapping):
        return collect(lambda pair: _override(*pair), list(overrides.items()), problems)
    texts = [overrides] if isinstance(overrides, str) else list(overrides)
    return collect(_override_text, texts, problems)


def collect(make: Callable[[Any], Layer], items: Iterable[Any], problems: list[str]) -> list[Layer]:
    """The layers made of the items; the words of a RulesError go to ``problems``."""
    layers = []
    for item in items:
        try:
            layers.append(make(item))
        except RulesError as error:
            problems.append(str(error))
    return layers


def _override_text(text: str) -> Layer:
    """``key=value`` with the value in TOML, bare words as strings."""
    key, equals, value = str(text).partition("=")
    if not equals:
        raise RulesError(f"--set {show(text)}: want key=value, as in --set range.lap_length=4")
    return _override(key.strip(), _parse_value(key.strip(), value.strip()))


def _override(key: str, value: Any) -> Layer:
    """``value`` at a dotted key; tuples and numpy numbers as TOML knows them."""
    tables = _plain(value)
    for part in reversed(parse_key(str(key))):
        tables = {part: tables}
    return Layer("--set", tables)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return value.item() if hasattr(value, "item") else value


def parse_key(key: str) -> Key:
    """The parts of a dotted TOML key. Raises RulesError."""
    wrong = RulesError(
        f"--set {show(key)}: no key; want a dotted key, as in --set range.lap_length=4"
    )
    if not key or "\n" in key or "=" in key or "#" in key:
        raise wrong
    try:
        here: Any = tomllib.loads(f"{key} = 0")
    except (ValueError, RecursionError):
        raise wrong from None
    parts: list[str] = []
    while isinstance(here, dict):
        if len(here) != 1:
            raise wrong
        part, here = next(iter(here.items()))
        parts.append(part)
    return tuple(parts)


def _parse_value(key: str, text: str) -> Any:
    """A value as TOML; bare words (also in a list) as strings."""
    for attempt in (text, _quote_words(text)):
        try:
            found = tomllib.loads(f"value = {attempt}")
        except (ValueError, RecursionError):
            continue
        if list(found) == ["value"]:
            return found["value"]
    if not text or text[0] in "[{\"'" or not text.isprintable() or text.isdigit():
        raise RulesError(
            f"--set {key}={show(text)}: no valid TOML value;"
            ' want a number, true, false, a word, "text" or a list as [4,4,3,3]'
        )
    return text


def _quote_words(text: str) -> str:
    """``[Norway, USA]`` as ``["Norway", "USA"]``; anything else unchanged."""
    if not text.startswith("[") or '"' in text or "'" in text:
        return text

    def quote(match: re.Match[str]) -> str:
        word = match.group(0)
        return word if word in {"true", "false", "inf", "nan"} else f'"{word}"'

    return re.sub(r"[A-Za-z_][A-Za-z0-9_]*(?:[ -]+[A-Za-z0-9_]+)*", quote, text)


def make_layer(label: str, raw: dict[str, Any], keyed: Mapping[str, str]) -> Layer:
    """Tables as a layer: words about sources go where they belong, arrays of tables become tables.

    ``keyed``: dotted key of such an array -> the key that names its tables.
    """
    made = Layer(label, {})
    problems: list[str] = []
    try:
        made.data.update(_strip(raw, (), made, keyed, problems))
    except RecursionError:
        raise RulesError(f"{label}: tables nested too deep") from None
    raise_all(problems)
    return made


def _strip(
    raw: dict[str, Any], at: Key, layer: Layer, keyed: Mapping[str, str], problems: list[str]
) -> dict[str, Any]:
    """The rules in a table, without ``source``, ``sources`` and ``alternatives``."""
    if "source" in raw:
        _note_source(layer, at, raw["source"], problems)
    for name, text in _table_of(raw, "sources", at, layer, problems).items():
        _note_source(layer, (*at, name), text, problems)
    other = raw.get("alternatives")
    if isinstance(other, dict):
        layer.alternatives.update({(*at, name): value for name, value in other.items()})
    elif other is not None:
        layer.alternatives[at] = other
    kept = {}
    for name, value in raw.items():
        if name in ("source", "sources", "alternatives"):
            continue
        here = (*at, name)
        named = (
            _name_tables(value, keyed[dotted(here)], here, layer, problems)
            if dotted(here) in keyed
            else value
        )
        kept[name] = (
            _strip(named, here, layer, keyed, problems) if isinstance(named, dict) else named
        )
    return kept


def _table_of(
    raw: dict[str, Any], name: str, at: Key, layer: Layer, problems: list[str]
) -> dict[str, Any]:
    found = raw.get(name, {})
    if isinstance(found, dict):
        return found
    problems.append(
        f'{layer.label}: {dotted((*at, name))} = {show(found)}: a table of key = "text" is wanted'
    )
    return {}


def _note_source(layer: Layer, at: Key, text: Any, problems: list[str]) -> None:
    if isinstance(text, str):
        layer.sources[at] = text
    else:
        problems.append(f"{layer.label}: source of {dotted(at)} = {show(text)}: text is wanted")


def _name_tables(value: Any, name: str, at: Key, layer: Layer, problems: list[str]) -> Any:
    """``[[wax.token]]`` tables as one table by their ``number`` (or whatever names them)."""
    if not isinstance(value, list):
        return value
    tables: dict[str, Any] = {}
    for one in value:
        if not isinstance(one, dict) or name not in one:
            problems.append(f"{layer.label}: {dotted(at)}: every table wants its {name}")
        elif str(one[name]) in tables:
            problems.append(f"{layer.label}: {dotted(at)}: {name} {show(one[name])} stands twice")
        else:
            tables[str(one[name])] = {key: item for key, item in one.items() if key != name}
    return tables


# ------------------------------------------------------------------------------- one over another
def merge(
    base: dict[str, Any], over: dict[str, Any], label: str, at: Key, problems: list[str]
) -> None:
    """Lay ``over`` over ``base`` in place, table by table."""
    for name, value in over.items():
        here = (*at, name)
        old = base.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            merge(old, value, label, here, problems)
        elif isinstance(old, dict):
            keys = ", ".join(dotted((*here, key)) for key in list(old)[:_FEW_KEYS])
            what = f"{label}: {dotted(here)} = {show(value)}"
            problems.append(f"{what}: it is a table; allowed: its keys ({keys}, …)")
        else:
            base[name] = copy.deepcopy(value)


def leaves(data: Mapping[str, Any], at: Key = ()) -> Iterator[Key]:
    """Keys of all values; an empty table counts as a value."""
    for name, value in data.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*at, name))
        else:
            yield (*at, name)


def get(data: Mapping[str, Any], key: Key) -> Any:
    """The value or table at a key, or None."""
    here: Any = data
    for part in key:
        if not isinstance(here, Mapping) or part not in here:
            return None
        here = here[part]
    return here


def giver(key: Key, layers: Sequence[Layer]) -> Layer | None:
    """The last layer that gave this key, a table above it or a key below it."""
    for one in reversed(layers):
        here: Any = one.data
        for part in key:
            if not isinstance(here, dict) or part not in here:
                break
            here = here[part]
            if not isinstance(here, dict):
                return one
        else:
            return one
    return None


def origin(key: Key, layers: Sequence[Layer]) -> str:
    """Label of the layer that gave this key, for messages."""
    found = giver(key, layers)
    return found.label if found else SHIPPED
