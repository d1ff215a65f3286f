"""Forest set-ups: which slope cards show forest, their names, and those of the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simulate.errors import RulesError
from simulate.layers import close, read, show
from simulate.rng import FIRST_GAME_PURPOSE, NO_SEAT, open_stream, shuffle

if TYPE_CHECKING:
    from simulate.games.pistengaudi.models import Rules

PURPOSE_LAYOUTS = FIRST_GAME_PURPOSE + 15  # stream of the random set-ups of one command


class Setup(NamedTuple):
    """A set-up named on the command line: label for messages, and the tables it lays over."""

    name: str
    overlay: dict[str, Any]


def forest_cards(model: Rules) -> list[int]:
    """Numbers of the slope cards that show forest, rising. Expects no ``problems``."""
    told = model.slope.forest
    if isinstance(told, str):
        return sorted(model.layouts[told].cards)
    return sorted(told)


def layout_name(model: Rules) -> str:
    """The set-up's word in records: its name, or that of its cards."""
    told = model.slope.forest
    if isinstance(told, str):
        return told
    for name, layout in model.layouts.items():
        if sorted(layout.cards) == sorted(told):
            return name
    return cards_word(sorted(told))


def cards_word(cards: list[int]) -> str:
    """A word for a set-up without a name: forest_2_5."""
    return "_".join(["forest", *map(str, cards)])


def parse_setups(text: str, root_seed: int, model: Rules) -> list[Setup]:
    """Set-ups named in ``text``, apart by commas, each as (label, overlay of rules).

    A name; ``all`` set-ups; slope cards as ``2+5``; a TOML file with ``cards`` (and ``name``);
    ``random`` or ``random*N``: different subsets of the slope cards, all equally likely.
    Raises RulesError.
    """
    found: list[Setup] = []
    for item in (part.strip() for part in text.split(",")):
        found += _parse_one(item, root_seed, model)
    return found


def _parse_one(item: str, root_seed: int, model: Rules) -> list[Setup]:
    drawn = re.fullmatch(r"random(?:\s*\*\s*(\d{1,6}))?", item)
    if item in model.layouts:
        return [_named(item)]
    if item == "all":
        return [_named(name) for name in model.layouts]
    if drawn:
        subsets = random_subsets(model, int(drawn.group(1) or 1), root_seed)
        return [_of_cards(item, cards) for cards in subsets]
    if item.endswith(".toml") or "/" in item or Path(item).is_file():
        return [_from_file(item, model)]
    if re.fullmatch(r"\d+(\s*\+\s*\d+)*", item):
        return [_of_cards(item, [int(number) for number in item.split("+")])]
    hint, known = close(item, model.layouts), ", ".join(model.layouts)
    raise RulesError(
        f"--setup {show(item)}: no such set-up{hint}; allowed: {known}, all, random, random*N,"
        " a file.toml with cards, or slope cards as 2+5"
    )


def _named(name: str) -> Setup:
    return Setup(name, {"slope": {"forest": name}})


def _of_cards(label: str, cards: list[int]) -> Setup:
    return Setup(label, {"slope": {"forest": cards}})


def _from_file(item: str, model: Rules) -> Setup:
    path = Path(item).expanduser()
    told = read(path)
    name = told.pop("name", path.stem)
    if not isinstance(name, str) or not name:
        raise RulesError(f"{item}: name = {show(name)}: text is wanted")
    if name in model.layouts:
        name = f"{name} (file)"
    return Setup(item, {"slope": {"forest": name}, "layouts": {name: told}})


def random_subsets(model: Rules, count: int, root_seed: int) -> list[list[int]]:
    """``count`` different subsets of the slope cards; the first k are those of any count >= k."""
    total = 2**model.slope.cards
    if not 1 <= count <= total:
        raise RulesError(f"--setup random*{count}: allowed: 1 to {total} random set-ups")
    streams = np.zeros(1, dtype=np.uint64)
    open_stream(streams, 0, root_seed, 0, PURPOSE_LAYOUTS, NO_SEAT)
    numbers = np.arange(total, dtype=np.int64)
    shuffle(streams, 0, numbers, total)
    cards = range(1, model.slope.cards + 1)
    return [[card for card in cards if int(one) >> (card - 1) & 1] for one in numbers[:count]]
