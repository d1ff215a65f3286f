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
``--set key=value``. In every file ``source``, ``sources`` and ``alternatives`` are no rules: they
say where values come from, see ``rules.toml`` of any game. What cannot be used is a ``RulesError``
that names the place, the key, the value and what is allowed, all problems at once.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import json
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ValidationError

from simulate.allowed import explain, json_schema, node_of, phrase
from simulate.errors import RulesError
from simulate.layers import (
    SHIPPED,
    Key,
    Layer,
    close,
    collect,
    dotted,
    get,
    giver,
    leaves,
    make_layer,
    merge,
    origin,
    override_layers,
    parse_key,
    raise_all,
    read,
    show,
)


class Variant(NamedTuple):
    """An overlay that ships with a game."""

    name: str
    summary: str
    overlay: dict[str, Any]


@dataclass(frozen=True, eq=False)
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
    found = [
        Path(folder) / m.name for folder in package.__path__ for m in pkgutil.iter_modules([folder])
    ]
    return sorted(path.name for path in found if (path / "rules.toml").is_file())


def load(
    game_name: str,
    variants: Iterable[str] = (),
    files: Iterable[str | Path] = (),
    overrides: str | Iterable[str] | Mapping[str, Any] = (),
) -> Rules:
    """Rules of a game with its shipped variants, overlay files and ``key=value`` overrides.

    Layers in this order, each over the one before. ``overrides``: strings "key=value" (value in
    TOML, bare words as strings) or a mapping of dotted key to value. Raises RulesError.
    """
    _schema(game_name)
    problems: list[str] = []
    layers = [
        *collect(partial(_variant_layer, game_name), variants, problems),
        *collect(partial(_file_layer, game_name), files, problems),
        *override_layers(overrides, problems),
    ]
    raise_all(problems)
    return _build(game_name, shipped(game_name), tuple(layers))


def with_overrides(rules: Rules, overrides: str | Iterable[str] | Mapping[str, Any]) -> Rules:
    """The same rules with more overrides on top (arms of a sweep). Raises RulesError."""
    problems: list[str] = []
    more = override_layers(overrides, problems)
    raise_all(problems)
    return _build(rules.game, rules.base, (*rules.layers, *more))


def with_overlay(rules: Rules, label: str, overlay: Mapping[str, Any]) -> Rules:
    """The same rules with nested tables laid over them; ``label`` names them in messages."""
    layer = _layer(rules.game, label, dict(overlay))
    return _build(rules.game, rules.base, (*rules.layers, layer))


def from_data(game_name: str, data: Mapping[str, Any], label: str = "run.json") -> Rules:
    """Rules again from the ``data`` of a run: nothing is filled in from today's files."""
    if not isinstance(data, Mapping):
        raise RulesError(f"{label}: {show(data)}: tables of rules are wanted")
    base = _layer(game_name, label, copy.deepcopy(dict(data)))
    return _build(game_name, base, ())


def with_layouts(rules: Rules, text: str, root_seed: int) -> list[Rules]:
    """One Rules for each course, board or set-up named in ``text`` ("a,b", a file, "random*20").

    Random ones are drawn from their own streams of ``root_seed``. Raises RulesError.
    """
    named = _schema(rules.game).courses(text, root_seed, rules.model)
    found = [with_overlay(rules, f"layout {name}", overlay) for name, overlay in named]
    digests: dict[str, str] = {}
    for one in found:
        name = one.vocabularies["layouts"][0]
        if digests.setdefault(name, one.digest) != one.digest:
            raise RulesError(f"two layouts are called {show(name)}; give one of them another name")
    return found


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
                raise RulesError(
                    f"rules of one run must share their {name}: {known} is not {words[name]}"
                )
    return records, words


def variants(game_name: str) -> list[Variant]:
    """The overlays that ship with a game, in the order of its variants.toml."""
    path = _folder(game_name) / "variants.toml"
    if not path.is_file():
        return []
    found = []
    for name, overlay in read(path).items():
        summary = overlay.pop("summary", "")
        found.append(Variant(name, summary, overlay))
    return found


def shipped(game_name: str) -> Layer:
    """The game's own files, merged: rules.toml and components/*.toml. No key may stand twice.

    Shared between calls while the files stay as they are: do not change it.
    """
    folder = _folder(game_name)
    paths = [folder / "rules.toml", *sorted((folder / "components").glob("*.toml"))]
    stamps = tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in paths)
    return _shipped(game_name, stamps)


# ------------------------------------------------------------------------------- layers of a game
def _schema(game_name: str) -> ModuleType:
    known = games()
    if game_name not in known:
        hint = close(str(game_name), known)
        raise RulesError(f"no game {show(game_name)}{hint}; allowed: {', '.join(known)}")
    return importlib.import_module(f"simulate.games.{game_name}.schema")


def _folder(game_name: str) -> Path:
    return Path(str(_schema(game_name).__file__)).parent


@lru_cache(maxsize=8)
def _shipped(game_name: str, stamps: tuple[tuple[Path, int, int], ...]) -> Layer:
    whole = Layer(SHIPPED, {})
    for path, _, _ in stamps:
        layer = _layer(game_name, path.name, read(path))
        twice = [key for key in leaves(layer.data) if get(whole.data, key) is not None]
        problems = [f"{path.name}: {dotted(key)} already stands in another file" for key in twice]
        merge(whole.data, layer.data, layer.label, (), problems)
        raise_all(problems)
        whole.sources.update(layer.sources)
        whole.alternatives.update(layer.alternatives)
    return whole


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
        return _layer(game_name, str(path), read(Path(path).expanduser()))
    except RulesError:
        if str(path) in {variant.name for variant in variants(game_name)}:
            raise RulesError(
                f"--rules {path}: no such file; did you mean --variant {path}?"
            ) from None
        raise


def _layer(game_name: str, label: str, raw: dict[str, Any]) -> Layer:
    return make_layer(label, raw, _schema(game_name).KEYED)


# ------------------------------------------------------------------------------- validating
def _build(game_name: str, base: Layer, layers: tuple[Layer, ...]) -> Rules:
    try:
        return _assemble(game_name, base, layers)
    except RecursionError:
        raise RulesError("rules: tables or lists nested too deep") from None


def _assemble(game_name: str, base: Layer, layers: tuple[Layer, ...]) -> Rules:
    schema = _schema(game_name)
    merged = copy.deepcopy(base.data)
    problems: list[str] = []
    layers = tuple(_in_full(layer, getattr(schema, "SHORT", {})) for layer in layers)
    for layer in layers:
        merge(merged, layer.data, layer.label, (), problems)
    model, wrong = _validated(schema, merged, (base, *layers), shipped(game_name).data)
    raise_all([*problems, *wrong])
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


def _in_full(layer: Layer, short: Mapping[str, str]) -> Layer:
    """A layer with its short tables where they belong: ``short`` has the table above of each."""
    if not any(isinstance(layer.data.get(table), dict) for table in short):
        return layer
    data = copy.deepcopy(layer.data)
    for table, above in short.items():
        there = data.setdefault(above, {})
        if isinstance(data.get(table), dict) and isinstance(there, dict):
            merge(there, {table: data.pop(table)}, layer.label, (above,), [])

    def full(told: dict[Key, Any]) -> dict[Key, Any]:
        return {(short[key[0]], *key) if key[0] in short else key: t for key, t in told.items()}

    return replace(
        layer, data=data, sources=full(layer.sources), alternatives=full(layer.alternatives)
    )


def digest(data: Mapping[str, Any]) -> str:
    """sha256 (hex) of the canonical JSON: sorted keys, no spaces, ASCII."""
    text = json.dumps(
        data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _validated(
    schema: ModuleType, merged: dict[str, Any], layers: Sequence[Layer], known: dict[str, Any]
) -> tuple[Any, list[str]]:
    """The model and no problems, or None and what is wrong."""
    try:
        model = schema.Rules.model_validate(merged)
    except ValidationError as error:
        return None, explain(error, schema.Rules, merged, layers, known)
    lines = []
    for keys, text in schema.problems(model):
        paths = [parse_key(key) for key in keys]
        blamed = next((p for p in paths if origin(p, layers) != layers[0].label), paths[0])
        value = get(merged, blamed)
        what = dotted(blamed) + ("" if isinstance(value, dict) else f" = {show(value)}")
        what += "" if blamed == paths[0] else f" ({dotted(paths[0])})"
        where = origin(blamed, layers)
        if where == SHIPPED and len(layers) > 1:
            where = ", ".join(dict.fromkeys(one.label for one in layers[1:]))
        lines.append(f"{where}: {what}: {text}")
    return model, lines


# ------------------------------------------------------------------------------- provenance
def _provenance(
    schema: ModuleType, data: dict[str, Any], game_name: str, base: Layer, layers: Sequence[Layer]
) -> list[dict[str, Any]]:
    """One dict a key; see ``Rules``."""
    home = shipped(game_name)
    defaults = schema.Rules.model_validate(home.data).model_dump(mode="json", exclude_none=True)
    root = json_schema(schema.Rules)
    above = (base, *layers) if base.label != SHIPPED else tuple(layers)
    rows = []
    for key in leaves(data):
        value, default = get(data, key), get(defaults, key)
        changed = value != default or type(value) is not type(default)
        by = giver(key, above) if changed else None
        who = by.label if by else ""
        said = _nearest(key, by.sources if by else home.sources)
        node = node_of(root, key)
        rows.append(
            {
                "key": dotted(key),
                "value": value,
                "default": default,
                "source": said or (f"changed: {who}" if changed else ""),
                "alternatives": _nearest(key, home.alternatives),
                "changed": changed,
                "changed_by": who,
                "meaning": node.get("description", ""),
                "allowed": phrase(node, root),
            }
        )
    return rows


def _nearest(key: Key, said: Mapping[Key, Any]) -> Any:
    """What is said about a key or the nearest table above it, or None."""
    for cut in range(len(key), 0, -1):
        if key[:cut] in said:
            return said[key[:cut]]
    return None
