"""What the keys amount to: the slope deck, the gear deck, slots, and the rules as plain data."""

from __future__ import annotations

from typing import Any

from simulate.games.skull_canyon import boards, state
from simulate.games.skull_canyon.models import GearCard, Rules

CUSTOM = "custom"
PLAYERS = (2, 3, 4)
UNLIMITED = 10_000  # markers of a player who has any number


def deck_counts(model: Rules) -> list[int]:
    """Cards of each of the 16 types, in index order (spec 2.2)."""
    deck = model.deck
    if deck.custom:
        return list(deck.custom)
    chosen = deck.sets[deck.set]
    copies = chosen.copies_per_pair if deck.copies_per_pair == "set" else deck.copies_per_pair
    yetis = chosen.yetis if deck.yetis == "set" else deck.yetis
    return [copies] * (state.TYPES - 1) + [yetis]


def deck_name(model: Rules) -> str:
    """The split's word in records."""
    deck = model.deck
    told = deck.custom or deck.copies_per_pair != "set" or deck.yetis != "set"
    return CUSTOM if told else deck.set


def gear_cards(model: Rules) -> dict[str, GearCard]:
    """Kinds of gear by id, in the order of their vocabulary (alphabetical)."""
    return dict(sorted(model.gear.cards.items()))


def gear_copies(model: Rules) -> dict[str, int]:
    """Cards of each kind in the gear deck that is played."""
    chosen = model.gear.sets[model.gear.set]
    return {name: card.copies if name in chosen else 0 for name, card in gear_cards(model).items()}


def markers(model: Rules) -> int:
    """Claim markers of each player."""
    told = model.token.claim_markers
    return UNLIMITED if told == "unlimited" else told


def most_claims(model: Rules) -> int:
    """Most markers that all players together can place: one for each action."""
    game = model.game
    actions = game.days * (game.daylight_start * game.actions_per_turn + game.actions_per_turn)
    return state.MAX_SEATS * min(markers(model), actions)


def resolved(model: Rules) -> dict[str, Any]:
    """The rules as plain dict with everything worked out, for an engine that reads no RULES row.

    As ``Rules.data``, but: ``deck.counts`` 16 numbers; ``gear.deck`` {id: {cost, vp, copies,
    buyable, ability}} with the copies of the set that is played; ``village.slots`` {players: slots};
    ``boards`` {"2": board, "34": board} with ``name``, ``nodes`` {name: height}, ``lifts``
    [[bottom, top]] and ``runs`` [{id, name, difficulty, top, bottom, style_space, no_yeti}].
    """
    data = model.model_dump(mode="json", exclude_none=True)
    data["deck"]["counts"] = deck_counts(model)
    copies = gear_copies(model)
    data["gear"]["deck"] = {
        name: {**card.model_dump(mode="json"), "copies": copies[name]}
        for name, card in gear_cards(model).items()
    }
    data["village"]["slots"] = dict(model.village.slot_sets[model.village.slots])
    two, more = boards.played(model)
    data["boards"] = {"2": _plain_board(model, two), "34": _plain_board(model, more)}
    return data


def _plain_board(model: Rules, name: str) -> dict[str, Any]:
    board = model.boards[name]
    return {
        "name": name,
        "nodes": boards.heights_of(board, model.board.heights),
        "lifts": [list(lift) for lift in boards.lifts_of(board)],
        "runs": [run._asdict() for run in boards.runs_of(board)],
    }
