"""The rules of Ski Tour: Biathlon as a row of RULES, and their words: what ``simulate.rules`` asks.

``models`` has the keys, ``resolve`` what they amount to, ``checks`` what must hold across them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulate.games.biathlon import layout, resolve, state
from simulate.games.biathlon.checks import players, problems, warnings
from simulate.games.biathlon.courses import parse_course
from simulate.games.biathlon.models import Rules, Token
from simulate.games.biathlon.resolve import resolved
from simulate.games.biathlon.words import RACES, RESULTS, STATUSES

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

KEYED = {"wax.token": "number"}
"""Arrays of tables, and the key that names their tables."""

ICONS = ("SHOOT", "SPRINT", "FREE", "ROLL1", "ROLLALL", "PLUS", "MINUS", "PAY")  # codes from 1
NO_WORD = "-"  # a number of a vocabulary that nothing has


def record(model: Rules) -> np.ndarray:
    """The rules as one row of state.RULES. Expects a model without ``problems``."""
    row = np.zeros(1, dtype=state.RULES)
    _fill_numbers(row[0], model)
    _fill_course(row[0], layout.course_rows(model), model.course.lanes)
    _fill_nations(row[0], model)
    _fill_wax(row[0], model)
    for name, values in state.SWITCHES.items():
        value = getattr(model.rules, name)
        row[0][name] = values.index(str(value).lower() if isinstance(value, bool) else value)
    return row


def _fill_numbers(row: np.void, model: Rules) -> None:
    race, dice, board = resolve.race_mode(model), model.dice, model.board
    row["race"] = RACES.index(race)
    row["race_dice"] = dice.race.count
    row["race_faces"] = dice.race.faces
    row["shoot_sides"] = dice.shoot.sides
    row["shoot_hits"] = [dice.shoot.hits[colour] for colour in dice.shoot.order]
    row["column_cap"] = board.column_cap
    row["star_cap"] = board.star_cap
    row["sprint_cap"] = state.UNLIMITED if board.sprint_cap == "none" else board.sprint_cap
    row["levels"] = model.stamina.levels
    row["start_level"] = model.stamina.start_short if race == "short" else model.stamina.start_top
    row["shots"] = model.range.shots
    row["misses_per_lap"] = model.range.misses_per_lap
    row["lap_length"] = model.range.lap_length
    row["slide_steps"] = model.terrain.slide_steps
    row["slide_free"] = model.terrain.slide_free
    row["uphill_loss"] = model.terrain.uphill_loss
    row["first_random"] = model.setup.first == "random"
    row["max_rounds"] = model.sim.max_rounds
    row["min_per_turn"] = model.report.min_per_turn


def _fill_course(row: np.void, rows: list[str], lanes: int) -> None:
    """``space`` from row 1 on (row 0 and the finish stay PLAIN), and where the ranges are."""
    row["lanes"], row["rows"] = lanes, len(rows)
    ranges = [at for at, letters_ in enumerate(rows, start=1) if letters_ == layout.SHOOTING]
    row["n_ranges"] = len(ranges)
    row["range_row"], row["range_of_row"], row["next_range"] = -1, -1, -1
    row["range_row"][: len(ranges)] = ranges
    for at, letters_ in enumerate(rows, start=1):
        wide = letters_ * lanes if letters_ == layout.SHOOTING else letters_
        row["space"][at, :lanes] = [layout.CODES[letter] for letter in wide]
    for index, at in enumerate(ranges):
        row["range_of_row"][at] = index
        row["ranges_ahead"][:at] += 1
        row["next_range"][:at] = np.where(row["next_range"][:at] < 0, at, row["next_range"][:at])


def _fill_nations(row: np.void, model: Rules) -> None:
    nations, ranks = model.nations.tables, resolve.letters(model)
    names, boards = list(nations), resolve.board_names(model)
    row["n_nations"] = len(names)
    row["colour"], row["special_column"], row["board"], row["nation_fixed"] = -1, -1, -1, -1
    for index, (name, nation) in enumerate(nations.items()):
        for target, column in enumerate(resolve.stamina_columns(model, nation)):
            for level, letter in enumerate(reversed(column)):
                row["colour"][index, target, level] = ranks[letter]
        full_at, special_box, printed_wax = resolve.perks(model, nation)
        row["full_at"][index] = full_at
        row["special_column"][index] = special_box - 1
        row["printed_shoot"][index] = printed_wax == "SHOOT"
        row["board"][index] = boards.index(nation.board)
        row["nation_usable"][index] = name in resolve.usable_nations(model)
    assign = model.nations.assign
    codes = {"drawn": state.NATIONS_DRAWN, "chosen": state.NATIONS_CHOSEN}
    if isinstance(assign, list):
        row["nation_mode"] = state.NATIONS_FIXED
        row["nation_fixed"][: len(assign)] = [names.index(name) for name in assign]
    else:
        row["nation_mode"] = codes[assign]


def _fill_wax(row: np.void, model: Rules) -> None:
    wax = model.wax
    row["dealt"], row["slots"], row["wax_per_turn"] = wax.dealt, wax.slots, wax.per_turn
    for index, board in enumerate(resolve.board_names(model)):
        row["wax_set"][index, : wax.dealt] = sorted(wax.sets[wax.set][board])
    for number, token in wax.token.items():
        row["branches"][int(number)] = len(token.branches)
        for branch, icons in enumerate(token.branches):
            codes = [ICONS.index(icon) + 1 for icon in icons]
            row["icons"][int(number), branch, : len(codes)] = codes
    told = resolve.fixed_loadout(model)
    if told is None:
        chosen = wax.loadout == "chosen"
        row["loadout_mode"] = state.LOADOUT_CHOSEN if chosen else state.LOADOUT_DRAWN
    else:
        row["loadout_mode"] = state.LOADOUT_FIXED
        row["loadout"][:, : len(told)] = told


def vocabularies(model: Rules) -> dict[str, list[str]]:
    """Words of the record columns: name -> words; a column's number is the index."""
    tokens = [model.wax.token.get(str(number)) for number in range(state.MAX_TOKENS + 1)]
    return {
        "nations": list(model.nations.tables),
        "layouts": [layout.course_name(model)],
        "races": list(RACES),
        "results": list(RESULTS),
        "statuses": list(STATUSES),
        "colours": list(model.dice.shoot.order),
        "boards": resolve.board_names(model),
        "tokens": [token_words(token) if token else NO_WORD for token in tokens],
    }


def token_words(token: Token) -> str:
    """A token's icons: "PAY, PLUS, SPRINT" or "PLUS or MINUS"."""
    return " or ".join(", ".join(branch) for branch in token.branches)


def courses(text: str, root_seed: int, model: Rules) -> list[tuple[str, dict[str, Any]]]:
    """Courses named on the command line as (name, overlay); see ``courses.parse_course``."""
    return [(course.name, course.overlay) for course in parse_course(text, root_seed, model)]
