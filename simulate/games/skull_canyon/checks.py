"""Checks across the keys of the rules, and what is legal but worth a warning."""

from __future__ import annotations

from collections.abc import Mapping

from simulate.games.skull_canyon import boards, resolve, state
from simulate.games.skull_canyon.models import PLACE_NAMES, Rules
from simulate.games.skull_canyon.words import TYPE_NAMES
from simulate.layers import close, dotted, show

Problem = tuple[tuple[str, ...], str]
"""Dotted keys that it may come from (the first changed one is blamed), and what is allowed."""

_FEWEST_GEAR = 4  # cards of a gear deck
_FEW_GEAR = 8  # fewer are a warning: two evenings show eight


def problems(model: Rules) -> list[Problem]:
    """What is wrong across keys. Empty when a record can be made."""
    found = [
        *_named(model),
        *_village_problems(model),
        *_weather_problems(model),
        *boards.problems(model),
    ]
    return found or [
        *_deck_problems(model),
        *_style_problems(model),
        *_gear_problems(model),
        *_size_problems(model),
    ]


def _named(model: Rules) -> list[Problem]:
    """Choices that must name a table."""
    found: list[Problem] = []
    choices: tuple[tuple[str, str, Mapping[str, object]], ...] = (
        ("deck.set", model.deck.set, model.deck.sets),
        ("gear.set", model.gear.set, model.gear.sets),
        ("village.slots", model.village.slots, model.village.slot_sets),
    )
    for key, name, tables in choices:
        if name not in tables:
            text = f"no set {show(name)}{close(name, tables)}; allowed: {', '.join(tables)}"
            found.append(((key,), text))
    return found


def _village_problems(model: Rules) -> list[Problem]:
    village = model.village
    found: list[Problem] = []
    if sorted(village.order) != sorted(PLACE_NAMES) or village.order[-1] != "hotel":
        text = f"each of {', '.join(PLACE_NAMES)} once, the hotel last"
        found.append((("village.order",), text))
    for name, slots in village.slot_sets.items():
        missing = [str(n) for n in resolve.PLAYERS if str(n) not in slots]
        if missing:
            text = f"slots for {', '.join(missing)} players are missing in it"
            found.append(((f"village.slot_sets.{name}",), text))
    return found


def _weather_problems(model: Rules) -> list[Problem]:
    weather, days = model.weather, model.game.days
    faces = weather.faces
    counts = {"sunny": faces.sunny, "icy": faces.icy, "snowy": faces.snowy}
    found: list[Problem] = []
    if counts[weather.first] < 1:
        text = f"at least one {weather.first} marker, for day I (weather.first)"
        found.append(((f"weather.faces.{weather.first}", "weather.first"), text))
    if sum(counts.values()) < days:
        text = f"at least {days} markers, one a day (game.days)"
        found.append((("weather.faces", "game.days"), text))
    if weather.force and len(weather.force) != days:
        text = f"a face for each of the {days} days, or none"
        found.append((("weather.force", "game.days"), text))
    return found


def _deck_problems(model: Rules) -> list[Problem]:
    deck = model.deck
    if deck.custom and len(deck.custom) != state.TYPES:
        text = f"{state.TYPES} counts ({' '.join(TYPE_NAMES)}), or none"
        return [(("deck.custom",), text)]
    found: list[Problem] = []
    total = sum(resolve.deck_counts(model))
    keys = ("deck.custom", "deck.copies_per_pair", "deck.yetis", "deck.set")
    dealt = model.setup.hand * state.MAX_SEATS + model.setup.row
    if not dealt <= total <= state.MAX_DECK:
        text = f"{dealt} (hands of 4 players and the row) to {state.MAX_DECK} cards; it has {total}"
        found.append((keys, text))
    if len(set(deck.colours)) < state.COLOURS or len(set(deck.styles)) < state.STYLES:
        found.append((("deck.colours", "deck.styles"), "different words"))
    return found


def _style_problems(model: Rules) -> list[Problem]:
    """Enough style markers for the boards that are played."""
    found: list[Problem] = []
    markers = sum(model.style.markers)
    for name in dict.fromkeys(boards.played(model)):
        spaces = sum(run.style_space for run in boards.runs_of(model.boards[name]))
        if spaces > markers:
            text = (
                f"a marker for each of the {spaces} style spaces of board {name}; {markers} given"
            )
            found.append((("style.markers", dotted(("boards", name, "runs"))), text))
    return found


def _gear_problems(model: Rules) -> list[Problem]:
    gear = model.gear
    found: list[Problem] = []
    if len(gear.cards) > state.MAX_GEAR:
        found.append((("gear.cards",), f"at most {state.MAX_GEAR} kinds of gear"))
    for name, ids in gear.sets.items():
        for one in ids:
            if one not in gear.cards:
                text = f"no card {show(one)}{close(one, gear.cards)} in gear.cards"
                found.append(((dotted(("gear", "sets", name)),), text))
        if len(set(ids)) < len(ids):
            found.append(
                ((dotted(("gear", "sets", name)),), "each id once; twins are copies of a card")
            )
    total = sum(resolve.gear_copies(model).values()) if not found else _FEWEST_GEAR
    if not _FEWEST_GEAR <= total <= state.MAX_GEAR_DECK:
        text = f"a gear deck of {_FEWEST_GEAR} to {state.MAX_GEAR_DECK} cards; it has {total}"
        found.append((("gear.set", "gear.cards", "gear.sets"), text))
    return found


def _size_problems(model: Rules) -> list[Problem]:
    """What the engine's tables hold, and switches that other numbers exclude."""
    found: list[Problem] = []
    claims = resolve.most_claims(model)
    if claims > state.MAX_STACK:
        text = f"at most {state.MAX_STACK} claim markers in a game fit; there could be {claims}"
        found.append((("token.claim_markers", "game.days", "game.daylight_start"), text))
    if model.rules.yeti_clear_own_run and model.yeti.move_if_exactly != 1:  # type: ignore[attr-defined]
        text = "1, as long as rules.yeti_clear_own_run speaks of exactly one Yeti"
        found.append((("yeti.move_if_exactly", "rules.yeti_clear_own_run"), text))
    if model.row.yeti_reset > model.setup.row + 1:
        text = f"at most one more than the row has cards (setup.row = {model.setup.row})"
        found.append((("row.yeti_reset", "setup.row"), text))
    return found


def warnings(model: Rules) -> list[str]:
    """What is legal but worth a line."""
    found = []
    total = sum(resolve.deck_counts(model))
    if total != model.deck.size:
        found.append(f"the slope deck has {total} cards, not {model.deck.size} (deck.size)")
    gear = sum(resolve.gear_copies(model).values())
    if gear < _FEW_GEAR:
        found.append(f"the gear deck has {gear} cards: two evenings show {_FEW_GEAR}")
    if gear > model.gear.deck_size:
        found.append(f"the gear deck has {gear} cards, the box {model.gear.deck_size}")
    if sum(model.style.markers) != boards.MARKERS_ON_BOARD:
        found.append(f"{sum(model.style.markers)} style markers; ten are printed (style.markers)")
    slots = model.village.slot_sets[model.village.slots]
    if not slots["3"] < slots["4"]:
        found.append(f"village.slots = {model.village.slots}: with 4 players there is no more room")
    return found


def players(model: Rules, n_players: int) -> list[str]:
    """What stands against a game of ``n_players``."""
    found = []
    if n_players not in model.players.counts:
        counts = ", ".join(str(count) for count in model.players.counts)
        found.append(f"{n_players} players: players.counts allows {counts}")
    two, more = boards.played(model)
    name = two if n_players == 2 else more
    if n_players not in model.boards[name].players:
        fitting = [key for key, board in model.boards.items() if n_players in board.players]
        found.append(
            f"board {show(name)} is not for {n_players} players; allowed: {', '.join(fitting)}"
        )
    return found
