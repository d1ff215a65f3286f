"""What the keys amount to: the cards of the deck, their types, walls, the table's last row."""

from __future__ import annotations

from typing import Any

from simulate.games.pistengaudi import layout, state
from simulate.games.pistengaudi.models import Rules
from simulate.games.pistengaudi.words import KINDS


def kind_of(word: str) -> int:
    """Kind of a half: "S2", "J"."""
    return KINDS.index(word)


def halves(card: str) -> tuple[int, int]:
    """Kinds of the two halves of a card, as written."""
    first, second = card.split("/")
    return kind_of(first), kind_of(second)


def deck_cards(model: Rules) -> list[str]:
    """Cards of the deck in use, in their order."""
    return list(model.deck.sets[model.deck.name].cards)


def deck_names(model: Rules) -> list[str]:
    """Names of all decks: the vocabulary of the column ``deck``."""
    return sorted(model.deck.sets)  # a run keeps its keys sorted


def card_types(model: Rules) -> list[str]:
    """Types of the deck in use in order of appearance; a card and its reverse are one type."""
    found: dict[frozenset[str], str] = {}
    for card in deck_cards(model):
        found.setdefault(frozenset(card.split("/")), card)
    return list(found.values())


def type_of(card: str, types: list[str]) -> int:
    """Number of a card's type."""
    return [frozenset(one.split("/")) for one in types].index(frozenset(card.split("/")))


def height(model: Rules) -> int:
    """H: the last row of the slope cards."""
    return model.slope.cards * model.slope.cells_per_card


def last_row(model: Rules) -> int:
    """The lowest row of the table (PG-PLACE-06)."""
    return state.DEEPEST if model.board.lower_limit == "none" else height(model) + 2


def wall_rows(model: Rules) -> list[int]:
    """Rows of column 0 that show forest."""
    cells = model.slope.cells_per_card
    return [
        row
        for card in layout.forest_cards(model)
        for row in range((card - 1) * cells + 1, card * cells + 1)
    ]


def switch(model: Rules, key: str) -> Any:
    """Value of a switch or choice by its key."""
    table, name = key.split(".")
    home = model.rules if key in state.SWITCHES else model
    return getattr(getattr(home, table), name)


def resolved(model: Rules) -> dict[str, Any]:
    """The rules as plain dict with everything worked out, for an engine that reads no RULES row.

    As ``Rules.data``, but: ``deck`` {name, size, cards}, ``slope.forest`` a list of card numbers,
    ``slope.name`` the set-up's word, ``slope.walls`` rows of column 0 that show forest,
    ``slope.height`` H, ``board.last_row`` the lowest row, and no ``layouts``.
    """
    data = model.model_dump(mode="json", exclude_none=True)
    data["deck"] = {
        "name": model.deck.name, "size": model.deck.size, "cards": deck_cards(model),
    }  # fmt: skip
    data["slope"]["forest"] = layout.forest_cards(model)
    data["slope"]["name"] = layout.layout_name(model)
    data["slope"]["walls"] = wall_rows(model)
    data["slope"]["height"] = height(model)
    data["board"]["last_row"] = last_row(model)
    del data["layouts"]
    return data
