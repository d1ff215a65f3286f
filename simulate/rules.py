"""TOML -> validated rules -> one row of a game's RULES dtype; overrides, provenance, digest.

Knows no game. A game is a folder ``simulate/games/<name>/`` with ``rules.toml``,
``components/*.toml``, ``variants.toml`` and a module ``schema`` that offers:

``Rules``                 the pydantic model of all keys (no defaults: the numbers stand in TOML)
``KEYED``                 dotted key of an array of tables -> the key that names its tables
``problems(model)``       what is wrong across keys: list of (keys, what is allowed)
``record(model)``         one row of the game's RULES dtype
``vocabularies(model)``   words of the record columns: name -> list of words
``warnings(model)``       what is legal but worth a line: list of sentences
``players(model, n)``     what stands against a race of n players: list of sentences
``courses(text, root, model)``  layouts named on the command line: list of (name, overlay)

Layers, each over the one before: the game's files, ``--variant NAME``, ``--rules FILE``,
``--set key=value``. In every file ``source``, ``sources`` and ``alternatives`` are no rules: they say
where values come from, see ``rules.toml`` of any game. What cannot be used is a ``RulesError``
that names the place, the key, the value and what is allowed, all problems at once.
"""

from __future__ import annotations

import copy
import difflib
import hashlib
import importlib
import json
import pkgutil
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ValidationError

from simulate.errors import RulesError

Key = tuple[str, ...]
"""A rule's place in the TOML tables."""

SHIPPED = "shipped"
"""Label of the game's own files."""

_SHOWN = 80  # characters of a value in a message
_MOST_LINES = 30  # problems shown at once
_CLOSE = 0.6  # how alike a suggested key must be


class Variant(NamedTuple):
    """An overlay that ships with a game."""

    name: str
    summary: str
    overlay: dict[str, Any]


@dataclass(frozen=True)
class Layer:
    """One source of rules: its label for messages, its values, and what it says about sources."""

    label: str
    data: dict[str, Any]
    sources: dict[Key, str] = field(default_factory=dict)
    alternatives: dict[Key, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rules:
    """Validated rules of one game. Read-only by agreement.

    ``model``         the game's pydantic model
    ``data``          the resolved rules as nested plain dict (goes into run.json)
    ``provenance``    one dict a key: key, value, default, source, alternatives, changed,
                      changed_by, meaning, allowed
    ``changed``       dotted key -> value, of all keys that differ from the shipped files
    ``digest``        sha256 (hex) of the canonical JSON of ``data``
    ``record``        numpy array of one row of the game's RULES dtype
    ``vocabularies``  name -> words; a column's number is the index
    ``warnings``      sentences
    """

    game: str
    model: BaseModel
    data: dict[str, Any]
    provenance: list[dict[str, Any]]
    changed: dict[str, Any]
    digest: str
    record: np.ndarray
    vocabularies: dict[str, list[str]]
    warnings: list[str]
    base: Layer = field(repr=False)
    layers: tuple[Layer, ...] = field(repr=False)

    def check_players(self, players: int) -> None:
        """Raise RulesError if these rules cannot seat ``players`` players."""
        lines = _schema(self.game).players(self.model, players)
        if lines:
            raise RulesError("\n".join(lines))


# ------------------------------------------------------------------------------- public functions
def games() -> list[str]:
    """Names of the games that have rules."""
    package = importlib.import_module("simulate.games")
    found = [Path(folder) / m.name for folder in package.__path__ for m in pkgutil.iter_modules([folder])]
    return sorted(path.name for path in found if (path / "rules.toml").is_file())


def load(
    game_name: str,
    variants: Iterable[str] = (),
    files: Iterable[str | Path] = (),
    overrides: Iterable[str] | Mapping[str, Any] = (),
) -> Rules:
    """Rules of a game with its shipped variants, overlay files and ``key=value`` overrides.

    Layers in this order, each over the one before. ``overrides``: strings "key=value" (value in
    TOML, bare words as strings) or a mapping of dotted key to value. Raises RulesError.
    """
    _schema(game_name)
    problems: list[str] = []
    layers = [
        *_collect(problems, [lambda name=name: _variant_layer(game_name, name) for name in variants]),
        *_collect(problems, [lambda path=path: _file_layer(game_name, path) for path in files]),
        *_collect(problems, [lambda one=one: _override_layer(*one) for one in _pairs(overrides)]),
    ]
    _raise(problems)
    return _build(game_name, shipped(game_name), tuple(layers))


def with_overrides(rules: Rules, overrides: Iterable[str] | Mapping[str, Any]) -> Rules:
    """The same rules with more overrides on top (arms of a sweep). Raises RulesError."""
    problems: list[str] = []
    more = _collect(problems, [lambda one=one: _override_layer(*one) for one in _pairs(overrides)])
    _raise(problems)
    return _build(rules.game, rules.base, (*rules.layers, *more))


def with_overlay(rules: Rules, label: str, overlay: Mapping[str, Any]) -> Rules:
    """The same rules with nested tables laid over them; ``label`` names them in messages."""
    layer = _layer(rules.game, label, dict(overlay))
    return _build(rules.game, rules.base, (*rules.layers, layer))


def from_data(game_name: str, data: Mapping[str, Any], label: str = "run.json") -> Rules:
    """Rules again from the ``data`` of a run: nothing is filled in from today's files."""
    base = _layer(game_name, label, copy.deepcopy(dict(data)))
    return _build(game_name, base, ())


def with_layouts(rules: Rules, text: str, root_seed: int) -> list[Rules]:
    """One Rules for each course, board or set-up named in ``text`` ("a,b", a file, "random*20").

    Random ones are drawn from their own streams of ``root_seed``. Raises RulesError.
    """
    named = _schema(rules.game).courses(text, root_seed, rules.model)
    return [with_overlay(rules, f"layout {name}", overlay) for name, overlay in named]


def table(rows: Sequence[Rules]) -> tuple[np.ndarray, dict[str, list[str]]]:
    """Rules rows of several arms or courses as one array, with joined vocabularies.

    The field ``layout`` of each row becomes its index in the joined vocabulary ``layouts``; all
    other vocabularies must agree. Raises RulesError.
    """
    records = np.concatenate([rules.record for rules in rows])
    words = {name: list(known) for name, known in rows[0].vocabularies.items()}
    layouts = list(dict.fromkeys(name for rules in rows for name in rules.vocabularies["layouts"]))
    words["layouts"] = layouts
    for row, rules in zip(records, rows, strict=True):
        row["layout"] = layouts.index(rules.vocabularies["layouts"][0])
        for name, known in rules.vocabularies.items():
            if name != "layouts" and known != words[name]:
                raise RulesError(f"rules of one run must share their {name}: {known} is not {words[name]}")
    return records, words


def variants(game_name: str) -> list[Variant]:
    """The overlays that ship with a game, in the order of its variants.toml."""
    path = _folder(game_name) / "variants.toml"
    if not path.is_file():
        return []
    found = []
    for name, overlay in _read(path).items():
        summary = overlay.pop("summary", "")
        found.append(Variant(name, summary, overlay))
    return found


def shipped(game_name: str) -> Layer:
    """The game's own files, merged: rules.toml and components/*.toml. No key may stand twice."""
    folder = _folder(game_name)
    paths = [folder / "rules.toml", *sorted((folder / "components").glob("*.toml"))]
    whole = Layer(SHIPPED, {})
    for path in paths:
        layer = _layer(game_name, path.name, _read(path))
        twice = [key for key in _leaves(layer.data) if _get(whole.data, key) is not None]
        _raise([f"{path.name}: {dotted(key)} already stands in another file" for key in twice])
        problems: list[str] = []
        _merge(whole.data, layer.data, layer.label, (), problems)
        _raise(problems)
        whole.sources.update(layer.sources)
        whole.alternatives.update(layer.alternatives)
    return whole


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
    choices = list(known)
    tail = word.rsplit(".", 1)[-1]
    ends = [choice for choice in choices if choice.rsplit(".", 1)[-1] == tail]
    found = difflib.get_close_matches(word, choices, n=1, cutoff=_CLOSE)
    if not found and not ends:
        tails = {choice.rsplit(".", 1)[-1]: choice for choice in choices}
        found = [tails[end] for end in difflib.get_close_matches(tail, tails, n=1, cutoff=_CLOSE)]
    best = (ends or found)[:1]
    return f"; did you mean {best[0]}?" if best else ""


# ------------------------------------------------------------------------------- reading
def _schema(game_name: str) -> ModuleType:
    known = games()
    if game_name not in known:
        hint = close(str(game_name), known)
        raise RulesError(f"no game {show(game_name)}{hint}; allowed: {', '.join(known)}")
    return importlib.import_module(f"simulate.games.{game_name}.schema")


def _folder(game_name: str) -> Path:
    return Path(str(_schema(game_name).__file__)).parent


def _raise(problems: Sequence[str]) -> None:
    """Raise RulesError with all problems, one a line."""
    if not problems:
        return
    lines = list(dict.fromkeys(problems))
    more = len(lines) - _MOST_LINES
    rest = [f"… and {more} more"] if more > 0 else []
    raise RulesError("\n".join([*lines[:_MOST_LINES], *rest]))


def _collect(problems: list[str], makers: Iterable[Any]) -> list[Layer]:
    """Call every maker; keep its layer, or its problem."""
    layers = []
    for make in makers:
        try:
            layers.append(make())
        except RulesError as error:
            problems.append(str(error))
    return layers


def _read(path: Path) -> dict[str, Any]:
    """A TOML file as tables. Raises RulesError that names the file (and the line)."""
    try:
        if path.is_dir():
            raise RulesError(f"{path}: a folder; a TOML file is wanted")
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise RulesError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise RulesError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except (OSError, ValueError) as error:
        raise RulesError(f"{show(str(path))}: cannot be read ({error})") from None
    return _parse(text, str(path))


def _parse(text: str, label: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{label}: no valid TOML: {error}") from None
    except (ValueError, RecursionError):  # digits beyond Python's limit; nesting beyond its stack
        raise RulesError(f"{label}: no valid TOML: a number too long or tables too deep") from None


def _variant_layer(game_name: str, name: str) -> Layer:
    known = {variant.name: variant for variant in variants(game_name)}
    if name not in known:
        raise RulesError(
            f"--variant {name}: no such variant{close(name, known)}"
            f" (simulate rules {game_name} --variants lists all {len(known)})"
        )
    return _layer(game_name, f"variant {name}", known[name].overlay)


def _file_layer(game_name: str, path: str | Path) -> Layer:
    try:
        return _layer(game_name, str(path), _read(Path(path).expanduser()))
    except RulesError:
        if str(path) in {variant.name for variant in variants(game_name)}:
            raise RulesError(f"--rules {path}: no such file; did you mean --variant {path}?") from None
        raise


def _pairs(overrides: Iterable[str] | Mapping[str, Any]) -> list[tuple[str, Any, bool]]:
    """(key, value, value is text to be parsed) of each override."""
    if isinstance(overrides, str):
        overrides = [overrides]
    if isinstance(overrides, Mapping):
        return [(key, value, False) for key, value in overrides.items()]
    pairs = []
    for text in overrides:
        key, equals, value = str(text).partition("=")
        pairs.append((key.strip(), value.strip() if equals else None, True))
    return pairs


def _override_layer(key: str, value: Any, is_text: bool) -> Layer:
    if value is None:
        raise RulesError(f"--set {key}: want key=value, as in --set range.lap_length=4")
    parts = _parse_key(key)
    parsed = _parse_value(key, value) if is_text else copy.deepcopy(value)
    for part in reversed(parts):
        parsed = {part: parsed}
    return Layer("--set", parsed)


def _parse_key(key: str) -> Key:
    wrong = RulesError(f"--set {show(key)}: no key; want a dotted key, as in --set range.lap_length=4")
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


def _layer(game_name: str, label: str, raw: dict[str, Any]) -> Layer:
    """Tables as read: named arrays become tables, words about sources go where they belong."""
    layer = Layer(label, {})
    problems: list[str] = []
    layer.data.update(_strip(raw, (), layer, _schema(game_name).KEYED, problems))
    _raise(problems)
    return layer


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
        named = _name_tables(value, keyed[dotted(here)], here, layer, problems) if dotted(here) in keyed else value
        kept[name] = _strip(named, here, layer, keyed, problems) if isinstance(named, dict) else named
    return kept


def _table_of(raw: dict[str, Any], name: str, at: Key, layer: Layer, problems: list[str]) -> dict[str, Any]:
    found = raw.get(name, {})
    if isinstance(found, dict):
        return found
    problems.append(f"{layer.label}: {dotted((*at, name))} = {show(found)}: a table of key = \"text\" is wanted")
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


# ------------------------------------------------------------------------------- merging, validating
def _merge(base: dict[str, Any], over: dict[str, Any], label: str, at: Key, problems: list[str]) -> None:
    """Lay ``over`` over ``base`` in place, table by table."""
    for name, value in over.items():
        here = (*at, name)
        old = base.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            _merge(old, value, label, here, problems)
        elif isinstance(old, dict):
            keys = ", ".join(dotted((*here, key)) for key in list(old)[:4])
            problems.append(
                f"{label}: {dotted(here)} = {show(value)}: it is a table; allowed are its keys ({keys}, …)"
            )
        else:
            base[name] = copy.deepcopy(value)


def _leaves(data: Mapping[str, Any], at: Key = ()) -> Iterator[Key]:
    """Keys of all values; an empty table counts as a value."""
    for name, value in data.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*at, name))
        else:
            yield (*at, name)


def _get(data: Mapping[str, Any], key: Key) -> Any:
    here: Any = data
    for part in key:
        if not isinstance(here, Mapping) or part not in here:
            return None
        here = here[part]
    return here


def _origin(key: Key, layers: Sequence[Layer]) -> str:
    """Label of the last layer that gave this key, one above it or one below it."""
    for layer in reversed(layers):
        if any(leaf[: len(key)] == key or key[: len(leaf)] == leaf for leaf in _leaves(layer.data)):
            return layer.label
    return SHIPPED


def _build(game_name: str, base: Layer, layers: tuple[Layer, ...]) -> Rules:
    try:
        return _assemble(game_name, base, layers)
    except RecursionError:
        raise RulesError("rules: tables or lists nested too deep") from None


def _assemble(game_name: str, base: Layer, layers: tuple[Layer, ...]) -> Rules:
    schema = _schema(game_name)
    merged = copy.deepcopy(base.data)
    problems: list[str] = []
    for layer in layers:
        _merge(merged, layer.data, layer.label, (), problems)
    model, wrong = _validated(schema, merged, (base, *layers), shipped(game_name).data)
    _raise([*problems, *wrong])
    data = model.model_dump(mode="json", exclude_none=True)
    rows = _provenance(schema, data, game_name, base, layers)
    return Rules(
        game=game_name,
        model=model,
        data=data,
        provenance=rows,
        changed={row["key"]: row["value"] for row in rows if row["changed"]},
        digest=digest(data),
        record=schema.record(model),
        vocabularies=schema.vocabularies(model),
        warnings=schema.warnings(model),
        base=base,
        layers=layers,
    )


def digest(data: Mapping[str, Any]) -> str:
    """sha256 (hex) of the canonical JSON: sorted keys, no spaces, ASCII."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _validated(
    schema: ModuleType, merged: dict[str, Any], layers: Sequence[Layer], known: dict[str, Any]
) -> tuple[Any, list[str]]:
    """The model and no problems, or None and what is wrong."""
    try:
        model = schema.Rules.model_validate(merged)
    except ValidationError as error:
        return None, _explain(error, schema, merged, layers, known)
    lines = []
    for keys, text in schema.problems(model):
        paths = [_parse_key(key) for key in keys]
        blamed = next((p for p in paths if _origin(p, layers) != layers[0].label), paths[0])
        value = _get(merged, blamed)
        what = dotted(blamed) + ("" if isinstance(value, dict) else f" = {show(value)}")
        lines.append(f"{_origin(blamed, layers)}: {what}: {text}")
    return model, lines


def _explain(
    error: ValidationError,
    schema: ModuleType,
    merged: dict[str, Any],
    layers: Sequence[Layer],
    known: dict[str, Any],
) -> list[str]:
    """One line a wrong key: place, key, value, what is allowed."""
    root = schema.Rules.model_json_schema()
    names = _key_names(known)
    wrong: dict[Key, str] = {}
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        key, rest = _walk(merged, one["loc"])
        missing = one["type"] == "missing"
        wrong.setdefault((*key, str(rest)) if missing else key, one["type"])
    lines = []
    for key, kind in wrong.items():
        if any(key[:cut] in wrong for cut in range(1, len(key))):
            continue
        value = _get_any(merged, key)
        stranger = kind == "extra_forbidden" or _is_stranger(key, known)
        hint = close(dotted(key), names) if stranger else ""
        node = _node(root, key)
        if kind == "extra_forbidden":
            lines.append(f"{_origin(key, layers)}: {dotted(key)} = {show(value)}: no such key{hint}")
        elif kind == "missing":
            text = f"is missing; allowed: {_phrase(node, root)}"
            hint = close(dotted(key[:-1]), names) if _is_stranger(key[:-1], known) else ""
            lines.append(f"{_origin(key[:-1], layers)}: {dotted(key)} {text}{hint}")
        else:
            text = f"not allowed; allowed: {_phrase(node, root)}"
            lines.append(f"{_origin(key, layers)}: {dotted(key)} = {show(value)}: {text}{hint}")
    return lines


def _is_stranger(key: Key, known: dict[str, Any]) -> bool:
    """True for a key that the shipped files do not have (list positions aside)."""
    here: Any = known
    for part in key:
        if not isinstance(here, Mapping):
            return False
        if part not in here:
            return True
        here = here[part]
    return False


def _key_names(known: dict[str, Any]) -> list[str]:
    """Dotted names of all keys and tables."""
    names: dict[str, None] = {}
    for key in _leaves(known):
        for cut in range(1, len(key) + 1):
            names[dotted(key[:cut])] = None
    return list(names)


def _walk(data: Any, location: Sequence[str | int]) -> tuple[Key, str]:
    """The part of a pydantic location that exists in the data, and its last part."""
    here, key = data, []
    for part in location:
        if isinstance(here, dict) and part in here:
            here = here[part]
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
        else:
            continue
        key.append(str(part))
    return tuple(key), str(location[-1])


def _get_any(data: Any, key: Key) -> Any:
    """As ``_get``, also into lists."""
    here = data
    for part in key:
        if isinstance(here, dict):
            here = here.get(part)
        elif isinstance(here, list) and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        else:
            return None
    return here


# ------------------------------------------------------------------------------- what is allowed
def _resolve(node: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema node with its reference followed; its own words win."""
    while "$ref" in node:
        target = root["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def _node(root: dict[str, Any], key: Key) -> dict[str, Any]:
    """The JSON schema of a key; of the nearest table above if it has none."""
    node = root
    for part in key:
        deeper = _child(_resolve(node, root), part, root)
        if deeper is None:
            break
        node = deeper
    return _resolve(node, root)


def _child(node: dict[str, Any], part: str, root: dict[str, Any]) -> dict[str, Any] | None:
    if part in node.get("properties", {}):
        return node["properties"][part]
    if isinstance(node.get("additionalProperties"), dict):
        return node["additionalProperties"]
    if part.isdigit() and isinstance(node.get("items"), dict):
        return node["items"]
    for choice in node.get("anyOf", ()):
        found = _child(_resolve(choice, root), part, root)
        if found is not None:
            return found
    return None


def _phrase(node: dict[str, Any], root: dict[str, Any]) -> str:
    """What a JSON schema node allows, in words."""
    node = _resolve(node, root)
    if "allowed" in node:
        return str(node["allowed"])
    if "enum" in node:
        return " or ".join(_bare(value) for value in node["enum"])
    if "const" in node:
        return _bare(node["const"])
    if "anyOf" in node:
        choices = [c for c in node["anyOf"] if c.get("type") != "null"]
        return ", or ".join(dict.fromkeys(_phrase(choice, root) for choice in choices))
    kind = node.get("type")
    if kind in ("integer", "number"):
        return ("a whole number" if kind == "integer" else "a number") + _limits(node)
    if kind == "array":
        return _list_phrase(node, root)
    if kind == "object":
        keys = ", ".join(node.get("properties", {}))
        return f"a table with {keys}" if keys else "a table"
    return {"boolean": "true or false", "string": "text"}.get(str(kind), "another value")


def _bare(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _limits(node: dict[str, Any]) -> str:
    low, above = node.get("minimum"), node.get("exclusiveMinimum")
    high, below = node.get("maximum"), node.get("exclusiveMaximum")
    text = f" from {low}" if low is not None else f" above {above}" if above is not None else ""
    if high is not None:
        text += f" to {high}" if text.startswith(" from") else f" up to {high}"
    return text + (f" below {below}" if below is not None else "")


def _list_phrase(node: dict[str, Any], root: dict[str, Any]) -> str:
    least, most = node.get("minItems"), node.get("maxItems")
    if least == most and least is not None:
        size = f"of {least}"
    elif most is not None:
        size = f"of {least or 0} to {most}"
    else:
        size = f"of at least {least}" if least else "of any length"
    return f"a list {size}, each {_phrase(node.get('items', {}), root)}"


# ------------------------------------------------------------------------------- provenance
def _provenance(
    schema: ModuleType, data: dict[str, Any], game_name: str, base: Layer, layers: Sequence[Layer]
) -> list[dict[str, Any]]:
    """One dict a key; see ``Rules``."""
    origin = shipped(game_name)
    first = origin.data
    defaults = schema.Rules.model_validate(first).model_dump(mode="json", exclude_none=True)
    root = schema.Rules.model_json_schema()
    above = (base, *layers) if base.label != SHIPPED else tuple(layers)
    rows = []
    for key in _leaves(data):
        value, default = _get(data, key), _get(defaults, key)
        changed = value != default or type(value) is not type(default)
        who = _origin(key, above) if changed else ""
        said = _nearest(key, [origin.sources]) or ""
        if changed:
            said = _nearest(key, [layer.sources for layer in reversed(above)]) or f"changed: {who}"
        node = _node(root, key)
        rows.append(
            {
                "key": dotted(key),
                "value": value,
                "default": default,
                "source": said,
                "alternatives": _alternatives(key, origin.alternatives),
                "changed": changed,
                "changed_by": who,
                "meaning": node.get("description", ""),
                "allowed": _phrase(node, root),
            }
        )
    return rows


def _nearest(key: Key, notes: Iterable[Mapping[Key, str]]) -> str | None:
    """What is said about a key or the nearest table above it, by the first that says anything."""
    for said in notes:
        for cut in range(len(key), 0, -1):
            if key[:cut] in said:
                return said[key[:cut]]
    return None


def _alternatives(key: Key, said: Mapping[Key, Any]) -> Any:
    for cut in range(len(key), 0, -1):
        if key[:cut] in said:
            return said[key[:cut]]
    return None
