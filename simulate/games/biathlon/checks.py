"""Checks across the keys of the rules, and what is legal but worth a warning."""

from __future__ import annotations

import itertools

from simulate.games.biathlon import bounds, layout, resolve, state
from simulate.games.biathlon.models import Nation, Rules
from simulate.layers import close, dotted, show

Problem = tuple[tuple[str, ...], str]
"""Dotted keys that it may come from (the first changed one is blamed), and what is allowed."""


def problems(model: Rules) -> list[Problem]:
    """What is wrong across keys. Empty when a record can be made."""
    dice = _dice_problems(model)
    found = [
        *(dice or _stamina_problems(model)),
        *_nation_problems(model),
        *_wax_problems(model),
        *layout.problems(model),
    ]
    return found or [*_race_problems(model), *_move_problems(model)]


def _dice_problems(model: Rules) -> list[Problem]:
    shoot, board = model.dice.shoot, model.board
    found: list[Problem] = []
    if len(resolve.letters(model)) < len(shoot.order):
        found.append((("dice.shoot.order",), "four colours with different first letters"))
    if set(shoot.hits) != set(shoot.order):
        wanted = ", ".join(shoot.order)
        found.append((("dice.shoot.hits", "dice.shoot.order"), f"one number for each of {wanted}"))
    for colour, hits in shoot.hits.items():
        if hits > shoot.sides:
            keys = (f"dice.shoot.hits.{colour}", "dice.shoot.sides")
            found.append((keys, f"hit faces at most the sides of the die ({shoot.sides})"))
    if max(board.full_at) > board.column_cap:
        text = f"a column is full at 1 to board.column_cap ({board.column_cap}) dice"
        found.append((("board.full_at", "board.column_cap"), text))
    return found


def _stamina_problems(model: Rules) -> list[Problem]:
    stamina = model.stamina
    found: list[Problem] = []
    for key in ("start_top", "start_short"):
        if getattr(stamina, key) >= stamina.levels:
            text = f"a level from 0 to {stamina.levels - 1} (stamina.levels - 1)"
            found.append(((f"stamina.{key}", "stamina.levels"), text))
    columns = {"stamina.basic": [stamina.basic]}
    for name, nation in model.nations.tables.items():
        if isinstance(nation.stamina, list):
            columns[dotted(("nations", name, "stamina"))] = nation.stamina
    short = [
        key for key, told in columns.items() if any(len(one) != stamina.levels for one in told)
    ]
    if short:
        hint = (
            "; --variant stamina_five_rows has them" if stamina.levels == state.MAX_LEVELS else ""
        )
        where = ", ".join(short)
        text = f"columns of {stamina.levels} colours (stamina.levels) are wanted in {where}{hint}"
        found.append(((short[0], "stamina.levels", *short[1:]), text))
    for key, told in columns.items():
        texts = [_column_problem(model, column) for column in told]
        found += [((key, "dice.shoot.order"), text) for text in dict.fromkeys(texts) if text]
    return found


def _column_problem(model: Rules, column: str) -> str:
    known = resolve.letters(model)
    lowest = next(reversed(known))
    if not set(column) <= set(known):
        return (
            f"column {column}: colours are {', '.join(known)} (first letters of dice.shoot.order)"
        )
    if column[-1] != lowest or lowest in column[:-1]:
        return f"column {column}: the bottom row, and no other, is {lowest}"
    return ""


def _nation_problems(model: Rules) -> list[Problem]:
    nations, tables = model.nations, model.nations.tables
    found: list[Problem] = []
    if not 1 <= len(tables) <= state.MAX_NATIONS:
        found.append((("nations",), f"1 to {state.MAX_NATIONS} nations"))
    if len(resolve.board_names(model)) > state.MAX_BOARDS:
        found.append((("nations",), f"at most {state.MAX_BOARDS} boards"))
    if nations.set not in nations.sets:
        found.append((("nations.set",), f"one of {', '.join(nations.sets)}"))
    for key, told in (("nations.use", nations.use), ("nations.assign", nations.assign)):
        strangers = [name for name in told if name not in tables] if isinstance(told, list) else []
        for name in strangers:
            text = f"no nation {show(name)}{close(name, tables)}; allowed: {', '.join(tables)}"
            found.append(((key,), text))
    return found or [*_choice_problems(model), *_full_problems(model)]


def _choice_problems(model: Rules) -> list[Problem]:
    """Nations that may race, and nations by seat."""
    nations = model.nations
    found: list[Problem] = []
    if isinstance(nations.use, list) and len(set(nations.use)) < len(nations.use):
        found.append((("nations.use",), "every nation once"))
    if not resolve.usable_nations(model):
        found.append((("nations.use",), "at least one nation of that kind"))
    if isinstance(nations.assign, list):
        found += _shared_boards(nations.assign, nations.tables)
    return found


def _full_problems(model: Rules) -> list[Problem]:
    found: list[Problem] = []
    for name, nation in model.nations.tables.items():
        if isinstance(nation.full_at, list) and max(nation.full_at) > model.board.column_cap:
            text = f"a column is full at 1 to board.column_cap ({model.board.column_cap}) dice"
            found.append(((dotted(("nations", name, "full_at")), "board.column_cap"), text))
    return found


def _shared_boards(names: list[str], tables: dict[str, Nation]) -> list[Problem]:
    """BI-SET-04: front and back of a board are one object."""
    seen: dict[str, str] = {}
    found: list[Problem] = []
    for name in names:
        board = tables[name].board
        if board in seen:
            pair = name if seen[board] == name else f"{seen[board]} and {name}"
            text = f"two skiers may not share a board: {pair} on board {board}"
            found.append((("nations.assign", dotted(("nations", name, "board"))), text))
        seen[board] = name
    return found


def _wax_problems(model: Rules) -> list[Problem]:
    wax = model.wax
    found: list[Problem] = []
    if wax.slots > wax.dealt:
        found.append(
            (("wax.slots", "wax.dealt"), f"at most the tokens dealt (wax.dealt = {wax.dealt})")
        )
    numbers = {str(number) for number in range(1, state.MAX_TOKENS + 1)}
    found += [
        ((dotted(("wax", "token", number)),), f"token numbers 1 to {state.MAX_TOKENS}")
        for number in wax.token
        if number not in numbers
    ]
    if wax.set not in wax.sets:
        text = f"no set {show(wax.set)}{close(wax.set, wax.sets)}; allowed: {', '.join(wax.sets)}"
        return [*found, (("wax.set",), text)]
    for board in resolve.board_names(model):
        found += _set_problems(model, board)
    return found or _loadout_problems(model)


def _set_problems(model: Rules, board: str) -> list[Problem]:
    wax = model.wax
    key = dotted(("wax", "sets", wax.set, board))
    if board not in wax.sets[wax.set]:
        owners = [name for name, one in model.nations.tables.items() if one.board == board]
        keys = [("wax", "sets", wax.set), *[("nations", name, "board") for name in owners]]
        text = f"tokens for board {show(board)} are missing in set {wax.set}"
        return [(tuple(dotted(key) for key in keys), text)]
    tokens = wax.sets[wax.set][board]
    found: list[Problem] = []
    if len(tokens) != wax.dealt:
        found.append(((key, "wax.dealt"), f"{wax.dealt} tokens (wax.dealt)"))
    unknown = [number for number in tokens if str(number) not in wax.token]
    if unknown:
        found.append(((key,), f"numbers of [[wax.token]] tables; {unknown[0]} has none"))
    return found


def _loadout_problems(model: Rules) -> list[Problem]:
    wax = model.wax
    if isinstance(wax.loadout, str) and wax.loadout not in ("chosen", "drawn", *model.loadouts):
        known = ("chosen", "drawn", *model.loadouts)
        hint = close(wax.loadout, known)
        text = f"no loadout {show(wax.loadout)}{hint}; allowed: {', '.join(known)}"
        return [(("wax.loadout",), text)]
    told = resolve.fixed_loadout(model)
    if told is None:
        return []
    named = [dotted(("loadouts", wax.loadout))] if isinstance(wax.loadout, str) else []
    keys = ("wax.loadout", *named, "wax.slots", "wax.set")
    if len(told) != wax.slots:
        return [(keys, f"{wax.slots} tokens (wax.slots), slot 1 first")]
    boards = {model.nations.tables[name].board for name in _racing_nations(model)}
    for board in sorted(boards):
        owned = wax.sets[wax.set][board]
        for number in told:
            if told.count(number) > owned.count(number):
                lacks = f"{number} is not there" + (" so often" if number in owned else "")
                text = f"tokens of the set of board {board} ({wax.set}: {sorted(owned)}); {lacks}"
                return [(keys, text)]
    return []


def _racing_nations(model: Rules) -> list[str]:
    assign = model.nations.assign
    return list(assign) if isinstance(assign, list) else resolve.usable_nations(model)


def _race_problems(model: Rules) -> list[Problem]:
    """BI-SCOPE-04 to -06: a long race may not start on the second row."""
    ranges = layout.course_rows(model).count(layout.SHOOTING)
    keys = ("mode.race", "mode.long_from", "course.layout")
    if model.mode.race in ("short", "short_top") and ranges >= model.mode.long_from:
        text = (
            f"a course with {ranges} ranges is a long race (markers on the top row): long or auto"
        )
        return [(keys, text)]
    if model.mode.race == "long" and ranges < model.mode.long_from:
        text = f"a course with {ranges} ranges is a short race: short, short_top or auto"
        return [(keys, text)]
    stamina = model.stamina
    if resolve.race_mode(model) == "long" and stamina.start_top < stamina.levels - 1:
        text = f"a long race starts on the top row, level {stamina.levels - 1}"
        return [(("stamina.start_top", "stamina.levels", "mode.race"), text)]
    return []


def _move_problems(model: Rules) -> list[Problem]:
    """What the engine's step and route tables hold (state.MAX_STEPS, state.MAX_ROUTES)."""
    steps = max(bounds.longest_move(model), model.terrain.slide_steps)
    if steps > state.MAX_STEPS:
        keys = (
            "dice.race.count",
            "board.sprint_cap",
            "wax.per_turn",
            "wax.token",
            "terrain.slide_steps",
        )
        text = (
            f"moves of at most {state.MAX_STEPS} steps fit; dice, sprint and wax could give {steps}"
        )
        return [(keys, text)]
    bound = bounds.route_bound(model)
    if bound.routes <= state.MAX_ROUTES:
        return []
    keys = ("course.layout", "course.lanes", "dice.race.count", "board.sprint_cap", "wax.per_turn")
    text = (
        f"a move of {bound.steps} steps from row {bound.row} could have {bound.routes} routes,"
        f" {state.MAX_ROUTES} fit: {bound.why}"
    )
    return [(keys, text)]


def warnings(model: Rules) -> list[str]:
    """What is legal but worth a line: printed tips broken (BI-SET-02), dice that do not fall."""
    found = layout.tip_warnings(model)
    hits = [model.dice.shoot.hits[colour] for colour in model.dice.shoot.order]
    if any(better <= worse for better, worse in itertools.pairwise(hits)):
        found.append(
            f"dice.shoot.hits {hits}: a lower colour is not less accurate, against the printed rule"
        )
    return found


def players(model: Rules, n_players: int) -> list[str]:
    """What stands against a race of ``n_players`` (two players run two skiers each)."""
    skiers = n_players * 2 if n_players == 2 else n_players
    found = []
    if skiers > model.game.max_skiers:
        found.append(f"{skiers} skiers: game.max_skiers is {model.game.max_skiers}")
    assign = model.nations.assign
    if isinstance(assign, list):
        if len(assign) < skiers:
            found.append(f"nations.assign = {show(assign)}: names for {skiers} skiers are wanted")
        return found
    boards = {model.nations.tables[name].board for name in resolve.usable_nations(model)}
    if len(boards) < skiers:
        found.append(
            f"nations.use = {show(model.nations.use)}: {skiers} skiers need {skiers} boards,"
            f" these nations share {len(boards)} (two skiers may not share a board)"
        )
    return found
