"""What the rules could be instead: the alternatives that stand beside assumed values and rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from simulate import rules
from simulate.errors import RulesError
from simulate.layers import dotted, get, leaves, show
from simulate.rules import Rules

SWITCHES = "rules"  # the table of ruling switches


@dataclass(frozen=True)
class Alternative:
    """One other value of an assumed key or a ruling switch, with the rules that it makes.

    Or the same rules with another ``lineup``: the styles at another strength.
    """

    key: str  # the key, or the table whose values change together
    kind: str  # "assumed", "ruling" or "skill"
    value: str  # in words
    default: str
    source: str
    rules: Rules = field(repr=False)
    lineup: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Key and value."""
        return f"{self.key} = {self.value}"


@dataclass(frozen=True)
class Untried:
    """An assumed key or switch that no arm tries, and why."""

    key: str
    value: str
    why: str


def find(base: Rules) -> tuple[list[Alternative], list[Untried]]:
    """Every alternative of assumed keys and ruling switches, and what cannot be tried."""
    found: list[Alternative] = []
    untried: list[Untried] = []
    told = rules.shipped(base.game).alternatives
    sources = {row["key"]: row["source"] or "" for row in base.provenance}
    covered: set[str] = set()
    for key, other in told.items():
        under = [dotted(leaf) for leaf in leaves(base.data) if leaf[: len(key)] == key]
        under = [name for name in under if _kind(name, sources.get(name, "")) is not None]
        if not under:
            continue
        covered.update(under)
        name = under[0] if len(under) == 1 else dotted(key)
        kind = str(_kind(under[0], sources[under[0]]))
        default = _together(base, under)
        if not isinstance(other, list):
            untried.append(Untried(name, "", str(other).removeprefix("none:").strip()))
            continue
        for value in other:
            try:
                changed = rules.with_overrides(base, dict(_overrides(name, under, value)))
            except (RulesError, ValueError) as error:
                variant = _variant(base, under, value)
                if variant is None:
                    untried.append(Untried(name, show(value), f"cannot stand alone: {error}"))
                    continue
                changed = variant
            source = sources[under[0]]
            if changed.digest != base.digest:
                found.append(Alternative(name, kind, show(value), default, source, changed))
    for name, source in sources.items():
        if name not in covered and source.startswith("assumed"):
            untried.append(Untried(name, "", "no alternative is listed"))
    return found, untried


def _kind(key: str, source: str) -> str | None:
    """Whether a key is assumed, a ruling, or neither."""
    if source.startswith("assumed"):
        return "assumed"
    if key.split(".", maxsplit=1)[0] == SWITCHES or source.startswith("derived"):
        return "ruling"
    return None


def _together(base: Rules, names: list[str]) -> str:
    """The value of a key, or of several that change together."""
    values = {row["key"]: row["value"] for row in base.provenance}
    return show(values[names[0]] if len(names) == 1 else [values[name] for name in names])


def _overrides(name: str, under: list[str], value: Any) -> Iterator[tuple[str, Any]]:
    """The keys that an alternative sets: the key itself, or those of its table in their order."""
    if under == [name]:
        yield name, value
    elif isinstance(value, Mapping):
        yield from ((f"{name}.{key}", one) for key, one in value.items())
    elif isinstance(value, list) and len(value) == len(under):
        yield from zip(under, value, strict=True)
    elif len(under) == 1:
        yield under[0], value
    else:
        raise ValueError(f"{show(value)} does not say which of {len(under)} keys it sets")


def _variant(base: Rules, under: list[str], value: Any) -> Rules | None:
    """The rules of a variant that ships for this value, with all that goes along with it."""
    for variant in rules.variants(base.game):
        keys = [key for key in leaves(variant.overlay) if dotted(key) in under]
        if len(keys) == 1 and get(variant.overlay, keys[0]) == value:
            try:
                return rules.with_overlay(base, f"variant {variant.name}", variant.overlay)
            except RulesError:
                return None
    return None
