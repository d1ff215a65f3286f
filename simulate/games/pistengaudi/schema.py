"""The rules of Pistengaudi as a row of RULES, and their words: what ``simulate.rules`` asks.

``models`` has the keys, ``resolve`` what they amount to, ``checks`` what must hold across them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.games.pistengaudi import layout, resolve, state
from simulate.games.pistengaudi.checks import players, problems, warnings
from simulate.games.pistengaudi.models import SWITCH_TABLES, Rules
from simulate.games.pistengaudi.resolve import resolved
from simulate.games.pistengaudi.words import RESULTS

__all__ = [
    "KEYED",
    "SHORT",
    "Rules",
    "courses",
    "players",
    "problems",
    "record",
    "resolved",
    "vocabularies",
    "warnings",
]

KEYED: dict[str, str] = {}
"""Arrays of tables, and the key that names their tables: there are none."""

SHORT = dict.fromkeys(SWITCH_TABLES, "rules")
"""``move.reversal`` is short for ``rules.move.reversal``: the specification uses both."""

EXITS = {"down": state.DOWN, "left": state.LEFT, "right": state.RIGHT}


def record(model: Rules) -> np.ndarray:
    """The rules as one row of state.RULES. Expects a model without ``problems``."""
    row = np.zeros(1, dtype=state.RULES)
    _fill_deck(row[0], model)
    _fill_slope(row[0], model)
    row[0]["steps"] = [
        model.lift.start_speed, model.signs.blue, model.signs.red, model.signs.black,
    ]  # fmt: skip
    for name in model.lift.exits:
        row[0]["exits"][EXITS[name]] = 1
    row[0]["areas"] = model.goal.areas
    row[0]["max_rounds"] = model.limits.max_rounds
    row[0]["seconds_per_turn"] = model.report.seconds_per_turn
    row[0]["per_turn"] = 1
    per_turn: Any = model.draw.cards_per_turn  # a model made from the player counts
    for number, cards in per_turn.model_dump().items():
        row[0]["per_turn"][int(number)] = cards
    for key, values in {**state.SWITCHES, **state.CHOICES}.items():
        value = resolve.switch(model, key)
        code = values.index(str(value).lower() if isinstance(value, bool) else value)
        row[0][state.field_of(key)] = code
    return row


def _fill_deck(row: np.void, model: Rules) -> None:
    cards, types = resolve.deck_cards(model), resolve.card_types(model)
    row["deck"] = resolve.deck_names(model).index(model.deck.name)
    row["n_cards"] = len(cards)
    for index, card in enumerate(cards):
        row["card_first"][index], row["card_second"][index] = resolve.halves(card)
        row["card_type"][index] = resolve.type_of(card, types)


def _fill_slope(row: np.void, model: Rules) -> None:
    row["height"] = resolve.height(model)
    row["half_width"] = model.board.half_width
    row["last_row"] = resolve.last_row(model)
    row["slope_cards"] = model.slope.cards
    for card in layout.forest_cards(model):
        row["forest_cards"][card] = 1
    if not model.slope.forest_cover:
        row["wall"][resolve.wall_rows(model)] = 1


def vocabularies(model: Rules) -> dict[str, list[str]]:
    """Words of the record columns: name -> words; a column's number is the index."""
    return {
        "layouts": [layout.layout_name(model)],
        "decks": resolve.deck_names(model),
        "results": list(RESULTS),
        "card_types": resolve.card_types(model),
    }


def courses(text: str, root_seed: int, model: Rules) -> list[tuple[str, dict[str, Any]]]:
    """Set-ups named on the command line as (name, overlay); see ``layout.parse_setups``."""
    return [(one.name, one.overlay) for one in layout.parse_setups(text, root_seed, model)]
