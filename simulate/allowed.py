"""What a rule may be, in words, and what is wrong with a value: from the JSON schema of a model."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from simulate.layers import Key, Layer, close, dotted, get, leaves, origin, show

_MOST_KEYS = 24  # keys listed in a message
_CLOSE = 0.6  # how alike a suggested key must be


def explain(
    error: ValidationError,
    model: type[BaseModel],
    merged: dict[str, Any],
    layers: Sequence[Layer],
    known: dict[str, Any],
) -> list[str]:
    """One line a wrong key: where it was given, key, value, what is allowed.

    ``merged``: the tables that were validated; ``known``: the shipped ones, for suggestions.
    """
    wrong: dict[Key, str] = {}
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        key, last = _walk(merged, one["loc"])
        missing = one["type"] == "missing"
        wrong.setdefault((*key, last) if missing else key, one["type"])
    outermost = [key for key in wrong if not any(key[:cut] in wrong for cut in range(1, len(key)))]
    place = _Place(json_schema(model), merged, layers, known)
    return [place.line(key, wrong[key]) for key in outermost]


def _unwrapped(key: Key, value: Any) -> tuple[Key, Any]:
    """The key as it was typed: ``a = {"b": 4}`` is ``a.b = 4``."""
    while isinstance(value, dict) and len(value) == 1:
        last, value = next(iter(value.items()))
        key = (*key, last)
    return key, value


@dataclass(frozen=True)
class _Place:
    """What is needed to speak of a wrong key."""

    root: dict[str, Any]
    merged: dict[str, Any]
    layers: Sequence[Layer]
    known: dict[str, Any]

    def line(self, key: Key, kind: str) -> str:
        """One wrong key in words; ``kind`` is pydantic's name of the error."""
        missing = kind == "missing"
        at = key[:-1] if missing else key
        new = _is_stranger(at, self.known)
        what = f"{origin(at, self.layers)}: {dotted(at)}"
        allowed = phrase(node_of(self.root, key), self.root)
        if missing and new:
            wants = ", ".join(node_of(self.root, at).get("required", ()))
            return f"{what}: no such key{self.hint(at)}; a new one wants {wants}"
        if missing:
            return f"{what}: {key[-1]} is missing; allowed: {allowed}"
        value = _get_any(self.merged, key)
        is_table = node_of(self.root, key).get("type") == "object" and not isinstance(value, dict)
        if kind == "extra_forbidden" or (new and is_table):
            typed, value = _unwrapped(key, value)
            source = origin(at, self.layers)
            return f"{source}: {dotted(typed)} = {show(value)}: no such key{self.hint(key)}"
        return f"{what} = {show(value)}: not allowed; allowed: {allowed}"

    def hint(self, key: Key) -> str:
        """What an unknown key may have meant, and the keys beside it."""
        above, last = key[:-1], key[-1]
        there = [*node_of(self.root, above).get("properties", {}), *(get(self.known, above) or {})]
        beside = list(dict.fromkeys(there))
        likely = close(last, beside).replace(
            "mean ", f"mean {dotted(above)}." if above else "mean "
        )
        likely = likely or self._elsewhere(last, anywhere=not above)
        shown = ", ".join(beside[:_MOST_KEYS]) + (", …" if len(beside) > _MOST_KEYS else "")
        return f"{likely}; allowed{' in ' + dotted(above) if above else ''}: {shown}"

    def _elsewhere(self, last: str, *, anywhere: bool) -> str:
        """The only key of that name in another table, or (``anywhere``) the one most like it."""
        found = [key for key in leaves(self.known) if key[-1] == last]
        if not found and anywhere:
            words = {key[-1]: key for key in leaves(self.known)}
            alike = difflib.get_close_matches(last, words, n=1, cutoff=_CLOSE)
            found = [words[word] for word in alike]
        return f"; did you mean {dotted(found[0])}?" if len(found) == 1 else ""


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


def _walk(data: Any, location: Sequence[str | int]) -> tuple[Key, str]:
    """The part of a pydantic location that exists in the data, and its last part."""
    here = data
    key: list[str] = []
    for part in location:
        in_table = isinstance(here, dict) and part in here
        in_list = isinstance(here, list) and isinstance(part, int) and part < len(here)
        if in_table or in_list:
            here = here[part]
            key.append(str(part))
    return tuple(key), str(location[-1])


def _get_any(data: Any, key: Key) -> Any:
    """As ``layers.get``, also into lists."""
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
@cache
def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a pydantic model, made once."""
    schema: dict[str, Any] = model.model_json_schema()
    return schema


def _resolve(node: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema node with its reference followed; its own words win."""
    while "$ref" in node:
        target = root["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def node_of(root: dict[str, Any], key: Key) -> dict[str, Any]:
    """The JSON schema of a key; of the nearest table above if it has none."""
    node = root
    for part in key:
        deeper = _child(_resolve(node, root), part, root)
        if deeper is None:
            break
        node = deeper
    return _resolve(node, root)


def _child(node: dict[str, Any], part: str, root: dict[str, Any]) -> dict[str, Any] | None:
    found = node.get("properties", {}).get(part) or node.get("additionalProperties")
    if not isinstance(found, dict) and part.isdigit():
        found = node.get("items")
    if isinstance(found, dict):
        return found
    for choice in node.get("anyOf", ()):
        deeper = _child(_resolve(choice, root), part, root)
        if deeper is not None:
            return deeper
    return None


def phrase(node: dict[str, Any], root: dict[str, Any]) -> str:
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
        return ", or ".join(dict.fromkeys(phrase(choice, root) for choice in choices))
    if node.get("type") == "array":
        return _list_phrase(node, root)
    return _kind_phrase(node)


def _kind_phrase(node: dict[str, Any]) -> str:
    keys = ", ".join(node.get("properties", {}))
    words = {
        "integer": "a whole number" + _limits(node),
        "number": "a number" + _limits(node),
        "boolean": "true or false",
        "string": "text",
        "object": f"a table with {keys}" if keys else "a table",
    }
    return words.get(str(node.get("type")), "another value")


def _bare(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _limits(node: dict[str, Any]) -> str:
    low, above = node.get("minimum"), node.get("exclusiveMinimum")
    high, below = node.get("maximum"), node.get("exclusiveMaximum")
    if low is not None and low == high:
        return f": {low}"
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
    return f"a list {size}, each {phrase(node.get('items', {}), root)}"
