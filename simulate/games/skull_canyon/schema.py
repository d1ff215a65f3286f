"""The rules of Skull Canyon: Ski Fest as a row of RULES, and their words.

``models`` has the keys, ``resolve`` what they amount to, ``boards`` reads boards, ``checks`` what
must hold across keys.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.games.skull_canyon import boards, resolve, state
from simulate.games.skull_canyon.checks import players, problems, warnings
from simulate.games.skull_canyon.models import PLACE_NAMES, Rules
from simulate.games.skull_canyon.resolve import resolved
from simulate.games.skull_canyon.words import AWARDS, FACES, pack_text

__all__ = [
    "KEYED",
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


def record(model: Rules) -> np.ndarray:
    """The rules as one row of state.RULES. Expects a model without ``problems``."""
    row = np.zeros(1, dtype=state.RULES)
    _fill_numbers(row[0], model)
    _fill_weather(row[0], model)
    _fill_village(row[0], model)
    _fill_gear(row[0], model)
    _fill_switches(row[0], model)
    for index, name in enumerate(boards.played(model)):
        _fill_board(row[0]["boards"][index], model.boards[name], model.board.heights)
    return row


def _fill_numbers(row: np.void, model: Rules) -> None:
    words = vocabularies(model)
    row["deck_set"] = words["deck_sets"].index(resolve.deck_name(model))
    row["gear_set"] = words["gear_sets"].index(model.gear.set)
    row["slots_set"] = words["slot_sets"].index(model.village.slots)
    row["days"] = model.game.days
    row["daylight"] = model.game.daylight_start
    row["actions"] = model.game.actions_per_turn
    row["hand"], row["row"] = model.setup.hand, model.setup.row
    row["yeti_reset"] = model.row.yeti_reset
    row["train_cards"] = model.train.cards
    row["deck"] = resolve.deck_counts(model)
    for index, run in enumerate((model.run.easy, model.run.advanced, model.run.expert)):
        row["cards"][index], row["vp"][index], row["fame"][index] = run.cards, run.vp, run.fame
    row["style_factor"] = model.bonus.style_factor
    row["waning"], row["waning_tracker"] = model.bonus.waning, model.bonus.waning_tracker
    row["per_marker"] = model.steal.per_marker
    row["yeti_move"] = model.yeti.move_if_exactly
    row["avalanche_from"] = model.yeti.avalanche_from
    row["fame_per_vp"] = model.fame.per_vp
    row["explosives"], row["tickets"] = model.token.explosives, model.token.tickets
    row["markers"] = resolve.markers(model)
    row["style_markers"] = model.style.markers
    row["award"] = [getattr(model.award, name) for name in AWARDS]


def _fill_weather(row: np.void, model: Rules) -> None:
    weather = model.weather
    row["weather_first"] = FACES.index(weather.first)
    row["weather_force"] = -1
    row["weather_force"][: len(weather.force)] = [FACES.index(face) for face in weather.force]
    for index, face in enumerate(FACES):
        row["weather_faces"][index] = getattr(weather.faces, face)
        row["weather_draw"][index] = getattr(weather.draw, face)
        row["weather_any_lodge"][index] = getattr(weather.lodge, face) == "any"


def _fill_village(row: np.void, model: Rules) -> None:
    village = model.village
    row["place_at"] = [PLACE_NAMES.index(name) for name in village.order[: state.PLACES]]
    for players_, slots in village.slot_sets[village.slots].items():
        row["slots"][int(players_)] = slots
    for index, place_name in enumerate(PLACE_NAMES[: state.PLACES]):
        place = getattr(village, place_name)
        row["cost_cards"][index], row["cost_fame"][index] = place.cards, place.fame
    row["tub_fame"] = village.hot_tub.gain_fame
    row["yodel_explosives"] = village.yodeling.gain_explosives
    row["happy_take"] = village.happy_hour.take
    row["happy_yeti"] = village.happy_hour.yeti_counts
    row["swap_tickets"] = village.ski_swap.gain_tickets
    row["ride_show"], row["ride_more"] = village.let_it_ride.show, village.let_it_ride.more


def _fill_gear(row: np.void, model: Rules) -> None:
    cards, copies = resolve.gear_cards(model), resolve.gear_copies(model)
    row["n_gear"] = len(cards)
    for index, (name, card) in enumerate(cards.items()):
        row["gear_cost"][index], row["gear_vp"][index] = card.cost, card.vp
        row["gear_copies"][index] = copies[name]
        row["gear_buyable"][index] = card.buyable
        row["gear_ability"][index] = state.ABILITIES.index(card.ability)
    row["gear_row"], row["per_hotel"] = model.gear.row, model.gear.per_hotel
    for day in model.gear.renew_after:
        row["renew_after"][day] = 1


def _fill_switches(row: np.void, model: Rules) -> None:
    for index, (name, values) in enumerate(state.SWITCHES.items()):
        value = getattr(model.rules, name)
        if name == "yodel_supply_players":
            row[name] = sum(1 << count for count in set(value))
            default = sorted(set(value)) == [2, 3]
        else:
            row[name] = values.index(str(value).lower() if isinstance(value, bool) else value)
            default = int(row[name]) == state.SWITCH_DEFAULTS[name]
        if not default:
            row["switches_off"] |= 1 << index


def _fill_board(row: np.void, board: Any, heights: str) -> None:
    """Nodes in their order, runs in theirs; exits and entries of every node."""
    height = boards.heights_of(board, heights)
    nodes = {name: index for index, name in enumerate(height)}
    runs, lifts = boards.runs_of(board), boards.lifts_of(board)
    row["n_nodes"], row["n_runs"], row["n_lifts"] = len(nodes), len(runs), len(lifts)
    row["base"] = nodes[boards.BASE]
    row["highest"] = max(height.values())
    row["node_word"], row["down"], row["up"] = -1, -1, -1
    for name, at in nodes.items():
        row["height"][at] = height[name]
        row["lodge"][at] = name.startswith("L")
        row["node_word"][at] = boards.NODE_NAMES.index(name)
    for index, run in enumerate(runs):
        top, bottom = nodes[run.top], nodes[run.bottom]
        row["difficulty"][index] = run.difficulty
        row["top"][index], row["bottom"][index] = top, bottom
        row["style_space"][index], row["no_yeti"][index] = run.style_space, run.no_yeti
        row["run_id"][index], row["run_name"][index] = pack_text(run.id), pack_text(run.name)
        row["down"][top, row["n_down"][top]] = index
        row["up"][bottom, row["n_up"][bottom]] = index
        row["n_down"][top] += 1
        row["n_up"][bottom] += 1
        row["slide_to"][top] |= 1 << bottom
    for index, lift in enumerate(lifts):
        low, high = nodes[lift[0]], nodes[lift[1]]
        row["lift_bottom"][index], row["lift_top"][index] = low, high
        row["lift_to"][low] |= 1 << high


def vocabularies(model: Rules) -> dict[str, list[str]]:
    """Words of the record columns: name -> words; a column's number is the index."""
    return {
        "layouts": [boards.layout_name(model)],
        "deck_sets": [*sorted(model.deck.sets), resolve.CUSTOM],
        "gear_sets": sorted(model.gear.sets),
        "slot_sets": sorted(model.village.slot_sets),
        "weather": list(FACES),
        "colours": list(model.deck.colours),
        "styles": list(model.deck.styles),
        "gear": list(resolve.gear_cards(model)),
        "nodes": list(boards.NODE_NAMES),
        "places": [*PLACE_NAMES],
    }


def courses(text: str, root_seed: int, model: Rules) -> list[tuple[str, dict[str, Any]]]:
    """Boards named on the command line as (name, overlay); see ``boards.parse_boards``."""
    del root_seed  # no board is drawn at random
    return boards.parse_boards(text, model)
