"""Scripted positions: a JSON case becomes a state, and a state a JSON position again.

The form is that of the specification: ``skiers`` by seat from "1", ``at`` as [row, lane], "S18",
"P18.2", "start", "home" or "out"; what is not given has the default of ``_place_skier``. ``hooks``
gives seats an experiment's treatment: {"1": {"no_sprint": 1}}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulate.errors import ScriptError
from simulate.games.biathlon import entries, words
from simulate.games.biathlon import state as s

FIELDS = ("at", "st", "cols", "stars", "spr", "wax", "L", "R", "shots", "owed", "miss", "nation")
EVENTS = ("prep", "turn", "round")
TWO_PLAYER_SKIERS = 4
MOST_OF_A_HOOK = 1000
NO_PLAYERS = 0  # every skier of a fragment runs alone, two skiers are not the two-player mode


def overrides(case: Mapping[str, Any]) -> dict[str, Any]:
    """Rules of a case: its course and its overrides, by TOML path."""
    changes = {"course.layout": case.get("course", "starter")}
    changes.update(case.get("rules", {}))
    return changes


def n_seats(case: Mapping[str, Any]) -> int:
    """Skiers of a case: four with two players, else the given count or the highest seat."""
    highest = max((_seat_number(seat) for seat in case.get("skiers", {})), default=1)
    if case.get("players") == 2:
        return TWO_PLAYER_SKIERS
    count = max(highest, int(case.get("players", 0)))
    if not 1 <= count <= s.MAX_SEATS:
        raise ScriptError(f"skiers: {count} seats; allowed are 1 to {s.MAX_SEATS}.")
    return count


def _seat_number(text: Any) -> int:
    try:
        return int(text)
    except (TypeError, ValueError):
        raise ScriptError(f'skiers: "{text}" is not a seat number.') from None


def setup(case: Mapping[str, Any], rules: Any, vocabularies: Mapping[str, Any]) -> tuple[Any, Any]:
    """STATE and WORK records of a case's start position, chance fed from its ``dice``.

    rules: one RULES record, with the case's overrides. Raises ScriptError naming seat and field.
    """
    if not isinstance(case.get("skiers"), Mapping) or not case["skiers"]:
        raise ScriptError("skiers: a case needs at least one skier.")
    state, work = entries.new_state(), entries.new_work()
    count = n_seats(case)
    players = 2 if case.get("players") == 2 else NO_PLAYERS
    entries.place(state, rules, work, _treatments(case, count), players, count)
    for seat in range(count):
        fields = case["skiers"].get(str(seat + 1))
        if fields is None:
            fields = {} if case.get("players") else {"at": "out"}
        _place_skier(state, rules, seat, fields, vocabularies)
    _settle_places(state)
    _feed(work, case.get("dice", []))
    return state, work


def _treatments(case: Mapping[str, Any], count: int) -> Any:
    """TREATMENT rows of a case's ``hooks``: seat to fields."""
    rows = entries.no_treatments()
    hooks = case.get("hooks", {})
    if not isinstance(hooks, Mapping):
        raise ScriptError(f"hooks: {hooks!r} is not an object: seat to fields.")
    for who, fields in hooks.items():
        seat = _seat_number(who) - 1
        if not 0 <= seat < count or not isinstance(fields, Mapping):
            raise ScriptError(f"hooks.{who}: {fields!r} is not an object of a seat that plays.")
        for name, value in fields.items():
            if name not in (s.TREATMENT.names or ()):
                allowed = ", ".join(s.TREATMENT.names or ())
                raise ScriptError(f"hooks.{who}.{name}: unknown field; allowed: {allowed}.")
            if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MOST_OF_A_HOOK:
                raise ScriptError(f"hooks.{who}.{name}: {value!r} is not a small whole number.")
            rows[name][seat] = value
    return rows


def _place_skier(
    state: Any, rules: Any, seat: int, fields: Mapping[str, Any], vocabularies: Mapping[str, Any]
) -> None:
    """Write one skier's fields, defaults for what is missing."""
    if not isinstance(fields, Mapping):
        raise ScriptError(f"skiers.{seat + 1}: {fields!r} is not an object of fields.")
    for name in fields:
        if name not in FIELDS:
            raise ScriptError(
                f"skiers.{seat + 1}.{name}: unknown field; allowed: {', '.join(FIELDS)}."
            )
    slots = int(rules["slots"])
    levels = [min(2, int(rules["levels"]) - 1)] * s.TARGETS
    numbers = {
        "stamina": ("st", levels, s.TARGETS, int(rules["levels"]) - 1),
        "cols": ("cols", [0] * s.COLUMNS, s.COLUMNS, int(rules["column_cap"])),
        "stars": ("stars", [0] * s.COLUMNS, s.COLUMNS, int(rules["star_cap"])),
    }
    for name, (field, default, length, high) in numbers.items():
        state[name][seat][:] = _numbers(seat, field, fields.get(field, default), length, high)
    state["sprint"][seat] = _number(seat, "spr", fields.get("spr", 0), s.MAX_DICE)
    has_wax = "wax" in fields
    tokens = _numbers(seat, "wax", fields.get("wax", [0] * slots), slots, s.MAX_TOKENS)
    state["slots"][seat][:slots] = tokens
    state["left"][seat] = _number(seat, "L", fields.get("L", 0 if has_wax else slots), slots)
    state["right"][seat] = _number(seat, "R", fields.get("R", 0), slots)
    state["owed"][seat] = _number(seat, "owed", fields.get("owed", 0), 1000)
    state["miss"][seat] = _number(seat, "miss", fields.get("miss", 0), s.TARGETS)
    _place_shots(state, rules, seat, fields.get("shots", ""))
    state["nation"][seat] = _nation(seat, fields.get("nation"), rules, vocabularies)
    _place_at(state, rules, seat, fields.get("at", "start"))


def _number(seat: int, field: str, value: Any, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= high:
        raise ScriptError(f"skiers.{seat + 1}.{field}: {value!r} is not a number from 0 to {high}.")
    return value


def _numbers(seat: int, field: str, value: Any, length: int, high: int) -> list[int]:
    if not isinstance(value, list) or len(value) != length:
        raise ScriptError(
            f"skiers.{seat + 1}.{field}: {value!r} is not a list of {length} numbers."
        )
    return [_number(seat, field, item, high) for item in value]


def _place_shots(state: Any, rules: Any, seat: int, shots: Any) -> None:
    if not isinstance(shots, str) or set(shots) - set("HM") or len(shots) > int(rules["shots"]):
        raise ScriptError(f"skiers.{seat + 1}.shots: {shots!r} is not up to 5 letters H or M.")
    state["shots_made"][seat] = len(shots)
    for target, letter in enumerate(shots):
        state["shot_hit"][seat, target] = 1 if letter == "H" else 0


def _nation(seat: int, name: Any, rules: Any, vocabularies: Mapping[str, Any]) -> int:
    """Index of a nation; without a name the basic nation of the seat's board."""
    names = list(vocabularies["nations"])
    if name is None:
        return seat
    plain = [_plain(known) for known in names]
    if _plain(str(name)) not in plain:
        raise ScriptError(f"skiers.{seat + 1}.nation: {name!r}; allowed: {', '.join(names)}.")
    return plain.index(_plain(str(name)))


def _plain(name: str) -> str:
    return name.lower().replace(" ", "").replace("_", "")


def _place_at(state: Any, rules: Any, seat: int, at: Any) -> None:
    """Read an address into status, row, lane and penalty space."""
    status, row, lane, penalty = s.RACING, 0, 0, 0
    if at == "home":
        status, row = s.HOME, int(rules["rows"]) + 1
    elif at == "out":
        status = s.OUT
    elif at != "start":
        row, lane, penalty = _read_space(seat, at)
        _check_space(rules, seat, at, row, lane, penalty)
    state["status"][seat] = status
    state["row"][seat] = row
    state["lane"][seat] = lane
    state["penalty"][seat] = penalty


def _read_space(seat: int, at: Any) -> tuple[int, int, int]:
    """(row, 0-based lane, penalty space) of [row, lane], "S18" or "P18.2"."""
    try:
        if isinstance(at, str) and at.startswith("S"):
            return int(at[1:]), 0, 0
        if isinstance(at, str) and at.startswith("P"):
            row, space = at[1:].split(".")
            return int(row), 0, int(space)
        row, lane = at
        return int(row), int(lane) - 1, 0
    except (TypeError, ValueError):
        raise ScriptError(
            f'skiers.{seat + 1}.at: {at!r} is no address; allowed: [row, lane], "S18", "P18.2", '
            '"start", "home", "out".'
        ) from None


def _check_space(rules: Any, seat: int, at: Any, row: int, lane: int, penalty: int) -> None:
    on_course = 1 <= row <= int(rules["rows"]) and 0 <= lane < int(rules["lanes"])
    shooting = on_course and int(rules["space"][row, 0]) == s.SHOOTING
    wants_range = isinstance(at, str)
    if not on_course or shooting != wants_range or penalty > int(rules["lap_length"]):
        raise ScriptError(f"skiers.{seat + 1}.at: {at!r} is not a space of this course.")


def _settle_places(state: Any) -> None:
    """Skiers that start at home hold the first places in seat order; count the collapsed."""
    for seat in range(int(state["n_seats"])):
        if state["status"][seat] == s.HOME:
            state["finished"] += 1
            state["place"][seat] = state["finished"]
            if state["winner"] < 0 and state["players"] != 2:
                state["winner"] = seat
        elif state["status"][seat] == s.OUT:
            state["collapsed"] += 1


def _feed(work: Any, dice: Any) -> None:
    """Chance of the case: faces in the order of rolling."""
    if not isinstance(dice, list) or not all(isinstance(face, int) for face in dice):
        raise ScriptError(f"dice: {dice!r} is not a list of faces.")
    if len(dice) > s.MAX_FEED:
        raise ScriptError(f"dice: {len(dice)} faces; at most {s.MAX_FEED} are allowed.")
    work["feed"]["on"] = 1
    work["feed"]["n"] = len(dice)
    work["feed"]["values"][: len(dice)] = np.asarray(dice, dtype=np.int64)


def runs(case: Mapping[str, Any]) -> list[str]:
    """The events to play, in order: "prep n", "turn n", "round n"."""
    text = case.get("event", "")
    found = [part.strip() for part in str(text).split(";") if part.strip()]
    for part in found:
        words_of = part.split()
        if len(words_of) != 2 or words_of[0] not in EVENTS or not words_of[1].isdigit():
            raise ScriptError(f'event: {part!r}; allowed: "prep n", "turn n", "round n".')
        if not 1 <= int(words_of[1]) <= n_seats(case):
            raise ScriptError(f"event: {part!r} names a seat that does not exist.")
    if not found:
        raise ScriptError("event: a case needs something to play.")
    return found


def begin(state: Any, rules: Any, work: Any, run: str) -> None:
    """Make the state ready to play one event; ``entries.resume`` then runs it."""
    kind, number = run.split()
    seat = int(number) - 1
    if state["over"]:
        return
    state["order_at"] = 0
    if kind == "round":
        state["run"] = s.RUN_ROUND
        state["marker"] = seat
        state["pc"] = s.PC_ROUND
        return
    state["round"] = max(int(state["round"]), 1)
    if kind == "prep":
        state["run"] = s.RUN_PREP
        state["prep_seat"] = seat
        state["pc"] = s.PC_PREP_ROLL
    else:
        state["run"] = s.RUN_TURN
        state["marker"] = seat
        state["pc"] = s.PC_NEXT_TURN


def describe(state: Any, rules: Any, vocabularies: Mapping[str, Any]) -> dict[str, Any]:
    """The end of a case: fields by seat, and ``game``."""
    end = words.state(state, rules, vocabularies)
    return {**end["skiers"], "game": end["game"]}


def compare(expected: Mapping[str, Any], end: Mapping[str, Any]) -> list[str]:
    """Differences between what a case expects and what came out, in words."""
    found = []
    for who, fields in expected.items():
        if str(who) not in end:
            found.append(f"expect.{who}: there is no such seat.")
            continue
        if not isinstance(fields, Mapping):
            found.append(f"expect.{who}: {fields!r} is not an object of fields.")
            continue
        for field, wanted in fields.items():
            if field not in end[str(who)]:
                found.append(f"expect.{who}.{field}: unknown field.")
                continue
            got = end[str(who)][field]
            same = _plain(str(wanted)) == _plain(str(got)) if field == "nation" else wanted == got
            if not same:
                found.append(f"expect.{who}.{field}: expected {wanted!r}, got {got!r}.")
    return found
