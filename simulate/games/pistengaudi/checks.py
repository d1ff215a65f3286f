"""Checks across the keys of the rules, and what is legal but worth a warning."""

from __future__ import annotations

from simulate.games.pistengaudi import resolve, state
from simulate.games.pistengaudi.models import Rules
from simulate.layers import close, dotted, show

Problem = tuple[tuple[str, ...], str]
"""Dotted keys that it may come from (the first changed one is blamed), and what is allowed."""

PRINTED_SIGNS = (1, 2, 3)


def problems(model: Rules) -> list[Problem]:
    """What is wrong across keys. Empty when a record can be made."""
    return [
        *_player_problems(model),
        *_deck_problems(model),
        *_forest_problems(model),
        *_lift_problems(model),
    ]


def _player_problems(model: Rules) -> list[Problem]:
    found: list[Problem] = []
    if model.players.min > model.players.max:
        text = f"at most players.max ({model.players.max})"
        found.append((("players.min", "players.max"), text))
    return found


def _deck_problems(model: Rules) -> list[Problem]:
    """The deck in use; the others only wait to be chosen."""
    deck = model.deck
    if deck.name not in deck.sets:
        known = ", ".join(deck.sets)
        text = f"no deck {show(deck.name)}{close(deck.name, deck.sets)}; allowed: {known}"
        return [(("deck.name",), text)]
    cards = resolve.deck_cards(model)
    key = dotted(("deck", "sets", deck.name, "cards"))
    if len(cards) != deck.size:
        text = f"deck.size = {deck.size} cards are wanted, the deck {deck.name} has {len(cards)}"
        return [((key, "deck.size", "deck.name"), text)]
    types = len(resolve.card_types(model))
    if types > state.MAX_TYPES:
        text = f"at most {state.MAX_TYPES} types of cards; the deck {deck.name} has {types}"
        return [((key, "deck.name"), text)]
    if all(_cannot_be_ridden(card) for card in cards):
        text = f"a card with a space to ride on; the deck {deck.name} has none"
        return [((key, "deck.name"), text)]
    return []


def _cannot_be_ridden(card: str) -> bool:
    """Both halves are forest or ski jumps."""
    return set(card.split("/")) <= {"F", "J"}


def _forest_problems(model: Rules) -> list[Problem]:
    told = model.slope.forest
    if isinstance(told, str) and told not in model.layouts:
        known = ", ".join(model.layouts)
        text = f"no set-up {show(told)}{close(told, model.layouts)}; allowed: {known},"
        return [(("slope.forest",), f"{text} or numbers of slope cards as [3, 4]")]
    found: list[Problem] = []
    if isinstance(told, list):
        found += _card_problems(model, told, "slope.forest")
    for name, layout in model.layouts.items():
        used = name == told
        if used or len(set(layout.cards)) < len(layout.cards):
            found += _card_problems(model, layout.cards, dotted(("layouts", name, "cards")))
    return found


def _card_problems(model: Rules, cards: list[int], key: str) -> list[Problem]:
    most = model.slope.cards
    if len(set(cards)) < len(cards):
        return [((key,), "every slope card once")]
    if any(card > most for card in cards):
        return [((key, "slope.cards", "slope.forest"), f"numbers of slope cards from 1 to {most}")]
    return []


def _lift_problems(model: Rules) -> list[Problem]:
    """Spec 2.5: without side exits, forest on slope card 1 would leave no first card."""
    exits = model.lift.exits
    if len(set(exits)) < len(exits):
        return [(("lift.exits",), "every exit once")]
    sides = "left" in exits or "right" in exits
    if sides or model.slope.forest_cover or _forest_problems(model):
        return []
    if 1 in resolve.wall_rows(model):
        text = "an exit to a side, as slope card 1 lies forest side up"
        return [(("lift.exits", "slope.forest"), text)]
    return []


def warnings(model: Rules) -> list[str]:
    """What is legal but worth a line."""
    found = []
    signs = model.signs
    if (signs.blue, signs.red, signs.black) != PRINTED_SIGNS:
        found.append(
            f"signs of {signs.blue}, {signs.red} and {signs.black} steps are not the printed ones"
        )
    barren = sum(_cannot_be_ridden(card) for card in resolve.deck_cards(model))
    if barren:
        found.append(f"cards without a space to ride on, only forest and ski jumps: {barren}")
    if resolve.height(model) != len(resolve.wall_rows(model)):
        return found
    return [*found, "every slope card lies forest side up: two separate slopes"]


def players(model: Rules, n_players: int) -> list[str]:
    """What stands against a game of ``n_players``."""
    low, high = model.players.min, model.players.max
    if low <= n_players <= high:
        return []
    return [f"{n_players} players: players.min is {low}, players.max is {high}"]
