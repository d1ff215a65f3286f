"""Scripted positions: a JSON case becomes a state, and a state a JSON position again.

The form is that of the specification: ``cards`` as [x, y_top, top, bottom], ``figures`` by seat as
[x, y, "up"], [x, y, "lying"] or ["goal", area, arrival], ``stack`` with the top card first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from simulate.errors import ScriptError
from simulate.games.pistengaudi import entries, words
from simulate.games.pistengaudi import state as s

EVENTS = {"turn": s.RUN_TURN, "cards": s.RUN_CARDS, "ride": s.RUN_RIDE}
POSTURES = ("up", "lying")
FIELDS = (
    "figures", "cards", "stack", "final", "winner", "row_highest", "over", "first_card_done",
)  # fmt: skip


def overrides(case: Mapping[str, Any]) -> dict[str, Any]:
    """Rules of a case: its set-up and its overrides, by TOML path."""
    forest = case.get("forest", [])
    if not isinstance(forest, list):
        raise ScriptError(f"forest: {forest!r} is not a list of slope cards.")
    changes: dict[str, Any] = {"slope.forest": forest}
    changes.update(case.get("rules", {}))
    return changes


def n_seats(case: Mapping[str, Any]) -> int:
    """Seats of a case: ``players``, or as many as there are figures."""
    count = case.get("players", len(case.get("figures", [])))
    if not isinstance(count, int) or not 1 <= count <= s.MAX_SEATS:
        raise ScriptError(f"players: {count!r} seats; allowed are 1 to {s.MAX_SEATS}.")
    return count


def setup(case: Mapping[str, Any], rules: Any, vocabularies: Mapping[str, Any]) -> tuple[Any, Any]:
    """STATE and WORK records of a case's start position.

    rules: one RULES record, with the case's overrides. Raises ScriptError naming the part.
    """
    state, work = entries.new_state(), entries.new_work()
    entries.place(state, rules, work, entries.no_treatments(), n_seats(case))
    for card in _list(case, "cards"):
        _lay(state, rules, card)
    for word in _list(case, "stack"):
        _stack(state, word)
    figures = _list(case, "figures")
    if len(figures) > n_seats(case):
        raise ScriptError(f"figures: {len(figures)} figures, {n_seats(case)} seats.")
    for seat, figure in enumerate(figures):
        _stand(state, rules, seat, figure)
    state["arrivals"] = max(int(state["arrival"].max()), 0)
    state["final"] = _flag(case, "final", default=False)
    state["first_done"] = _flag(case, "first_card_done", default=True)
    work["feed"]["on"] = 1
    return state, work


def _list(case: Mapping[str, Any], name: str) -> list[Any]:
    told = case.get(name, [])
    if not isinstance(told, list):
        raise ScriptError(f"{name}: {told!r} is not a list.")
    return told


def _flag(case: Mapping[str, Any], name: str, *, default: bool) -> int:
    told = case.get(name, default)
    if not isinstance(told, bool):
        raise ScriptError(f"{name}: {told!r} is neither true nor false.")
    return int(told)


def _kind(part: str, word: Any) -> int:
    if word not in words.KINDS[1:]:
        raise ScriptError(f"{part}: {word!r}; allowed halves: {', '.join(words.KINDS[1:])}.")
    return words.KINDS.index(word)


def _new_card(state: Any, part: str, first: Any, second: Any) -> int:
    """One more card of the position."""
    card = int(state["n_cards"])
    if card >= s.MAX_CARDS:
        raise ScriptError(f"{part}: at most {s.MAX_CARDS} cards.")
    state["first"][card], state["second"][card] = _kind(part, first), _kind(part, second)
    state["n_cards"] = card + 1
    return card


def _cell(part: str, x: Any, y: Any) -> int:
    """A cell of the window."""
    whole = all(isinstance(number, int) and not isinstance(number, bool) for number in (x, y))
    if not whole or abs(x) > s.HALF_WIDTH or not 0 <= y <= s.DEEPEST:
        raise ScriptError(f"{part}: [{x!r}, {y!r}] is no cell of the table.")
    return words.cell_of(x, y)


def _lay(state: Any, rules: Any, card: Any) -> None:
    """Lay a card [x, y_top, top, bottom]."""
    part = f"cards: {card!r}"
    if not isinstance(card, list) or len(card) != 4:
        raise ScriptError(f"{part} is not [x, y_top, top, bottom].")
    x, y, top, bottom = card
    cell = _cell(part, x, y)
    for half in (cell, cell + 1):
        if state["kind"][half] != s.FREE:
            raise ScriptError(f"{part}: {words.where(half)} is not free.")
    entries.lay(state, rules, _new_card(state, part, top, bottom), cell)


def _stack(state: Any, word: Any) -> None:
    """Put a card under the stack."""
    part = f"stack: {word!r}"
    halves = word.split("/") if isinstance(word, str) else []
    if len(halves) != 2:
        raise ScriptError(f"{part} is not a card as F/P1.")
    state["stack"][int(state["n_stack"])] = _new_card(state, part, *halves)
    state["n_stack"] += 1


def _stand(state: Any, rules: Any, seat: int, figure: Any) -> None:
    """Place a figure."""
    part = f"figures: {figure!r} of seat {seat}"
    if not isinstance(figure, list) or len(figure) != 3:
        raise ScriptError(
            f'{part} is not [x, y, "up"], [x, y, "lying"] or ["goal", area, arrival].'
        )
    if figure[0] == "goal":
        _, area, arrival = figure
        if not isinstance(area, int) or not 1 <= area <= int(rules["areas"]):
            raise ScriptError(f"{part}: areas are 1 to {int(rules['areas'])}.")
        if not isinstance(arrival, int) or arrival < 0 or arrival in state["arrival"]:
            raise ScriptError(f"{part}: the arrival is a number, another one for each figure.")
        state["area"][seat], state["arrival"][seat] = area, arrival
        return
    x, y, posture = figure
    if posture not in POSTURES:
        raise ScriptError(f"{part}: allowed: {', '.join(POSTURES)}.")
    cell = _cell(part, x, y)
    kind = int(state["kind"][cell])
    if kind != s.START and not s.FREE < kind <= s.LAST_SIGNED:
        raise ScriptError(f"{part}: nobody can stand there.")
    state["cell"][seat] = cell
    state["lying"][seat] = int(posture == "lying")


def runs(case: Mapping[str, Any]) -> list[str]:
    """The events to play, in order: "turn n", "cards n", "ride n"."""
    found = [part.strip() for part in str(case.get("event", "")).split(";") if part.strip()]
    for part in found:
        told = part.split()
        if len(told) != 2 or told[0] not in EVENTS or not told[1].isdigit():
            raise ScriptError(f'event: {part!r}; allowed: "turn n", "cards n", "ride n".')
        if int(told[1]) >= n_seats(case):
            raise ScriptError(f"event: {part!r} names a seat that does not exist.")
    if not found:
        raise ScriptError("event: a case needs something to play.")
    return found


def begin(state: Any, rules: Any, work: Any, run: str) -> None:
    """Make the state ready to play one event; ``entries.resume`` then runs it."""
    if state["over"]:
        return
    kind, seat = run.split()
    state["round"] = max(int(state["round"]), 1)
    state["run"] = EVENTS[kind]
    state["seat"] = int(seat)
    state["pc"] = s.PC_TURN


def describe(state: Any, rules: Any, vocabularies: Mapping[str, Any]) -> dict[str, Any]:
    """The end of a case in the form of ``expect``."""
    end = words.state(state, rules, vocabularies)
    return {name: end[name] for name in FIELDS}


def compare(expected: Mapping[str, Any], end: Mapping[str, Any]) -> list[str]:
    """Differences between what a case expects and what came out, in words.

    Cards in any order; a stack card the one or the other way round; arrivals by their order.
    """
    found = []
    for field, wanted in expected.items():
        if field not in end:
            found.append(f"expect.{field}: unknown field; there are {', '.join(FIELDS)}.")
        elif _plain(field, wanted) != _plain(field, end[field]):
            found.append(f"expect.{field}: expected {wanted!r}, got {end[field]!r}.")
    return found


def _plain(field: str, value: Any) -> Any:
    """A value without what does not matter."""
    if field == "cards" and isinstance(value, list):
        return Counter(map(repr, value))
    if field == "stack" and isinstance(value, list):
        return [sorted(str(card).split("/")) for card in value]
    if field == "figures" and isinstance(value, list):
        return _by_order(value)
    if field == "winner" and value in (None, -1):
        return None
    return value


def _by_order(figures: list[Any]) -> list[Any]:
    """Figures with arrivals counted from 0 without gaps."""
    home = [one for one in figures if isinstance(one, list) and one[:1] == ["goal"]]
    order = sorted((one[2] for one in home if len(one) == 3), key=str)
    return [
        [*one[:2], order.index(one[2])] if one in home and len(one) == 3 else one for one in figures
    ]
