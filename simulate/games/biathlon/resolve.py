"""What the keys amount to: race mode, usable nations, their boards, loadouts, the longest move."""

from __future__ import annotations

from typing import Any

from simulate.games.biathlon import layout
from simulate.games.biathlon.models import Nation, Rules


def letters(model: Rules) -> dict[str, int]:
    """First letter of a colour -> rank of its shooting die, 0 the best."""
    return {colour[0].upper(): rank for rank, colour in enumerate(model.dice.shoot.order)}


def stamina_columns(model: Rules, nation: Nation) -> list[str]:
    """Colours of a nation's five columns, top to bottom, under ``nations.set``."""
    keeps = nation.kind == "basic" or model.nations.sets[model.nations.set].colours
    if isinstance(nation.stamina, list) and keeps:
        return list(nation.stamina)
    return [model.stamina.basic] * model.stamina.columns


def perks(model: Rules, nation: Nation) -> tuple[list[int], int, str]:
    """A nation's (full_at of its columns, special box or 0, printed wax) under ``nations.set``."""
    keeps = nation.kind == "basic" or model.nations.sets[model.nations.set].perks
    own = nation.full_at if keeps and isinstance(nation.full_at, list) else model.board.full_at
    return list(own), nation.special_box if keeps else 0, nation.printed_wax if keeps else "none"


def usable_nations(model: Rules) -> list[str]:
    """Names of the nations that may race, in the order of the vocabulary."""
    use = model.nations.use
    if isinstance(use, list):
        return [name for name in model.nations.tables if name in use]
    return [name for name, nation in model.nations.tables.items() if use in ("mixed", nation.kind)]


def race_mode(model: Rules) -> str:
    """``mode.race`` with auto resolved by the number of ranges (BI-SCOPE-04, -05)."""
    if model.mode.race != "auto":
        return model.mode.race
    ranges = layout.course_rows(model).count(layout.SHOOTING)
    return "long" if ranges >= model.mode.long_from else "short"


def fixed_loadout(model: Rules) -> list[int] | None:
    """Tokens in the slots of all skiers, or None when they are chosen or drawn."""
    told = model.wax.loadout
    if isinstance(told, list):
        return list(told)
    return None if told in ("chosen", "drawn") else list(model.loadouts[told])


def resolved(model: Rules) -> dict[str, Any]:
    """The rules as plain dict with everything worked out, for an engine that reads no RULES row.

    As ``Rules.data``, but: ``course.rows`` (a string a row: one letter a lane, or "S"),
    ``course.name``, ``wax.tokens`` {"1": [["SHOOT"]]} for ``wax.token``, ``wax.sets`` of the chosen
    set {"b1": [1, …]}, ``wax.loadout`` chosen, drawn or a list, ``nations.use`` a list of names,
    ``nations.table`` {name: {kind, board, stamina, full_at, special_box, printed_wax}} for the
    nations' tables, ``mode.race`` long, short or short_top.
    """
    data = model.model_dump(mode="json", exclude_none=True)
    data["course"]["rows"] = layout.course_rows(model)
    data["course"]["name"] = layout.course_name(model)
    data["mode"]["race"] = race_mode(model)
    data["wax"]["tokens"] = {number: token.branches for number, token in model.wax.token.items()}
    del data["wax"]["token"]
    data["wax"]["sets"] = {
        board: sorted(set_) for board, set_ in model.wax.sets[model.wax.set].items()
    }
    told = fixed_loadout(model)
    data["wax"]["loadout"] = told if told is not None else model.wax.loadout
    names = {"set", "use", "assign"}
    data["nations"] = {name: value for name, value in data["nations"].items() if name in names}
    data["nations"]["use"] = usable_nations(model)
    data["nations"]["table"] = {
        name: _resolved_nation(model, nation) for name, nation in model.nations.tables.items()
    }
    return data


def _resolved_nation(model: Rules, nation: Nation) -> dict[str, Any]:
    full_at, special_box, printed_wax = perks(model, nation)
    return {
        "kind": nation.kind,
        "board": nation.board,
        "stamina": stamina_columns(model, nation),
        "full_at": full_at,
        "special_box": special_box,
        "printed_wax": printed_wax,
    }


def board_names(model: Rules) -> list[str]:
    """Names of the boards in order; RULES["board"] is an index into it."""
    return sorted({nation.board for nation in model.nations.tables.values()})
