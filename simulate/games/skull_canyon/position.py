"""Scripted positions: a JSON case becomes a state, and a state a JSON position again.

The form is that of the specification: ``start`` (the state), ``run`` (what to play), ``steps`` (the
answers) and ``expect`` (parts of the end). What is not given has the default of a set-up game,
except that cards not listed do not exist.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulate.answers import Answer
from simulate.errors import ScriptError
from simulate.games.skull_canyon import entries, words
from simulate.games.skull_canyon import state as s

SEATS = "seats"
START = (
    "board", "day", "tracker", "first", "yeti", "stacks", "style", "supply", "weather", "deck",
    "row", "discards", "shuffles", "gear_deck", "gear_row", "explosives", "tickets", SEATS,
)  # fmt: skip
SEAT = ("node", "fame", "vp", "hand", "gear", "explosives", "tickets", "markers")
STEP = ("seat", "point", "choose", "options", "include", "exclude")
RUNS = ("turn", "day_end", "village", "village_next", "score", "deal", "game")
ANY_ORDER = ("gear", "supply")
PARTS = ("stacks", "style")  # only the runs that are listed are compared
NOTHING: dict[str, Any] = {"stacks": [], "style": None}

_MOST = 10_000


# ------------------------------------------------------------------------------- what a case asks
def overrides(case: Mapping[str, Any]) -> dict[str, Any]:
    """Rules of a case: its board and its overrides, by TOML path."""
    changes: dict[str, Any] = {}
    board = _start(case).get("board")
    if board is not None:
        changes["board.layout"] = board
    changes.update(case.get("rules", {}))
    return changes


def _start(case: Mapping[str, Any]) -> Mapping[str, Any]:
    start = case.get("start", {})
    if not isinstance(start, Mapping):
        raise ScriptError(f"start: {start!r} is not an object.")
    return start


def answers(case: Mapping[str, Any]) -> list[Answer]:
    """The steps of a case."""
    found = []
    for number, step in enumerate(_list("steps", case.get("steps", [])), start=1):
        where = f"steps {number}"
        if not isinstance(step, Mapping):
            raise ScriptError(f"{where}: {step!r} is not an object.")
        _known(where, step, STEP)
        if "point" not in step or "choose" not in step:
            raise ScriptError(f"{where}: point and choose are wanted.")
        found.append(
            Answer(
                str(step["point"]),
                step["choose"],
                step.get("seat"),
                _list(f"{where}: options", step["options"]) if "options" in step else None,
                tuple(_list(f"{where}: include", step.get("include", []))),
                tuple(_list(f"{where}: exclude", step.get("exclude", []))),
            )
        )
    return found


def runs(case: Mapping[str, Any]) -> list[str]:
    """What to play, in order, each as JSON text."""
    told = case.get("run")
    found = told if isinstance(told, list) else [told]
    for run in found:
        if not isinstance(run, Mapping) or run.get("what") not in RUNS:
            raise ScriptError(f'run: {run!r}; "what" must be one of {", ".join(RUNS)}.')
        if run["what"] == "turn":
            _number("run.seat", run.get("seat"), _players(case) - 1)
        if run["what"] == "day_end":
            for seat in _list("run.seats", run.get("seats", [])):
                _number("run.seats", seat, _players(case) - 1)
            if len(run.get("seats", [])) > s.MAX_SEATS:
                raise ScriptError(f"run.seats: at most {s.MAX_SEATS} last turns.")
        if "actions" in run:
            _number("run.actions", run["actions"], _MOST)
    return [json.dumps(run) for run in found]


# ------------------------------------------------------------------------------- checks of values
def _known(where: str, part: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in part:
        if name not in names:
            raise ScriptError(f"{where}.{name}: unknown part; allowed: {', '.join(names)}.")


def _list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ScriptError(f"{where}: {value!r} is not a list.")
    return value


def _object(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ScriptError(f"{where}: {value!r} is not an object.")
    return value


def _number(where: str, value: Any, high: int, low: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ScriptError(f"{where}: {value!r} is not a number from {low} to {high}.")
    return value


def _one_of(where: str, value: Any, names: Sequence[str]) -> int:
    if value not in names:
        raise ScriptError(f"{where}: {value!r}; allowed: {', '.join(names)}.")
    return list(names).index(value)


def _cards(where: str, value: Any) -> list[int]:
    return [_one_of(where, card, words.TYPE_NAMES) for card in _list(where, value)]


def _counts(where: str, value: Any) -> list[int]:
    counts = [0] * s.TYPES
    for card, count in _object(where, value).items():
        counts[_one_of(where, card, words.TYPE_NAMES)] = _number(f"{where}.{card}", count, _MOST)
    return counts


def _players(case: Mapping[str, Any]) -> int:
    return _number("players", case.get("players"), s.MAX_SEATS, low=2)


# ------------------------------------------------------------------------------- the start
def setup(case: Mapping[str, Any], rules: Any, vocabulary: Mapping[str, Any]) -> tuple[Any, Any]:
    """STATE and WORK records of a case's start position, reshuffles fed from its ``shuffles``.

    rules: one RULES record, with the case's overrides. Raises ScriptError naming the part.
    """
    start = _start(case)
    _known("start", start, START)
    state, work = entries.new_state(), entries.new_work()
    entries.place(state, rules, work, entries.no_treatments(), _players(case))
    _place_clock(state, rules, start)
    _place_mountain(state, rules, start, vocabulary)
    _place_cards(state, rules, start)
    _place_gear(state, rules, start, vocabulary)
    seats = _list("start.seats", start.get(SEATS, []))
    if len(seats) > _players(case):
        raise ScriptError(f"start.seats: {len(seats)} seats of {_players(case)} players.")
    for seat, fields in enumerate(seats):
        _place_seat(state, rules, seat, fields, vocabulary)
    _place_supplies(state, start)
    _feed(work, start.get("shuffles", []))
    if "run" in case:
        begin(state, rules, work, runs(case)[0])
    else:  # to play on from: the first player's turn, and the rest of the game
        state["pc"] = s.PC_TURN
    return state, work


def _place_clock(state: Any, rules: Any, start: Mapping[str, Any]) -> None:
    days = int(rules["days"])
    state["day"] = _number("start.day", start.get("day", 1), days, low=1)
    daylight = int(rules["daylight"])
    state["tracker"] = _number("start.tracker", start.get("tracker", daylight), daylight)
    state["first"] = _number("start.first", start.get("first", 0), int(state["n_seats"]) - 1)
    faces = _list("start.weather", start.get("weather", ["sunny"] * days))
    if len(faces) > days:
        raise ScriptError(f"start.weather: {faces!r}; at most {days} days.")
    for day in range(days):
        face = faces[day] if day < len(faces) else "sunny"
        state["weather"][day] = _one_of("start.weather", face, words.FACES)


def _place_supplies(state: Any, start: Mapping[str, Any]) -> None:
    """Tokens that nobody has are in the supply."""
    for name in ("explosives", "tickets"):
        left = max(0, int(state[f"{name}_left"]) - int(state[name].sum()))
        state[f"{name}_left"] = _number(f"start.{name}", start.get(name, left), _MOST)


def _place_mountain(
    state: Any, rules: Any, start: Mapping[str, Any], vocabulary: Mapping[str, Any]
) -> None:
    board = words.board_of(state, rules)
    names = [words.run(board, index) for index in range(int(board["n_runs"]))]
    if start.get("yeti", "cave") != "cave":
        state["yeti"] = _one_of("start.yeti", start["yeti"], names)
    styles = list(vocabulary["styles"])
    for name, style in _object("start.style", start.get("style", {})).items():
        run = _one_of("start.style", name, names)
        state["style"][run] = _one_of(f"start.style.{name}", style, styles)
    for style in _list("start.supply", start.get("supply", [])):
        state["supply"][_one_of("start.supply", style, styles)] += 1
    for name, stack in _object("start.stacks", start.get("stacks", {})).items():
        run = _one_of("start.stacks", name, names)
        for depth, seat in enumerate(_list(f"start.stacks.{name}", stack)):
            where = f"start.stacks.{name}"
            state["stack"][run, depth] = _number(where, seat, int(state["n_seats"]) - 1)
        state["stack_n"][run] = len(stack)
        if stack:
            state["tops"][stack[-1], int(board["difficulty"][run])] += 1


def _place_cards(state: Any, rules: Any, start: Mapping[str, Any]) -> None:
    deck = _cards("start.deck", start.get("deck", []))
    if len(deck) > s.MAX_DECK:
        raise ScriptError(f"start.deck: {len(deck)} cards; at most {s.MAX_DECK} fit.")
    state["deck"][: len(deck)] = deck
    state["deck_n"] = len(deck)
    row = _list("start.row", start.get("row", []))
    if len(row) > int(rules["row"]):
        raise ScriptError(f"start.row: {row!r}; at most {int(rules['row'])} cards.")
    for slot, card in enumerate(row):
        if card not in (None, ""):
            state["slots"][slot] = _one_of("start.row", card, words.TYPE_NAMES)
    state["discards"][:] = _counts("start.discards", start.get("discards", {}))
    state["discards_n"] = state["discards"].sum()


def _place_gear(
    state: Any, rules: Any, start: Mapping[str, Any], vocabulary: Mapping[str, Any]
) -> None:
    names = list(vocabulary["gear"])
    deck = _list("start.gear_deck", start.get("gear_deck", []))
    if len(deck) > s.MAX_GEAR_DECK:
        raise ScriptError(f"start.gear_deck: at most {s.MAX_GEAR_DECK} cards fit.")
    state["gear_deck"][: len(deck)] = [_one_of("start.gear_deck", card, names) for card in deck]
    state["gear_deck_n"] = len(deck)
    row = _list("start.gear_row", start.get("gear_row", []))
    if len(row) > int(rules["gear_row"]):
        raise ScriptError(f"start.gear_row: {row!r}; at most {int(rules['gear_row'])} cards.")
    for slot, card in enumerate(row):
        if card is not None:
            state["gear_row"][slot] = _one_of("start.gear_row", card, names)


def _place_seat(
    state: Any, rules: Any, seat: int, fields: Any, vocabulary: Mapping[str, Any]
) -> None:
    where = f"start.seats.{seat}"
    _known(where, _object(where, fields), SEAT)
    board = words.board_of(state, rules)
    nodes = [words.node(board, index) for index in range(int(board["n_nodes"]))]
    state["node"][seat] = _one_of(f"{where}.node", fields.get("node", "L1"), nodes)
    for name in ("fame", "vp", "explosives", "tickets"):
        state[name][seat] = _number(f"{where}.{name}", fields.get(name, 0), _MOST)
    if "markers" in fields:
        state["markers"][seat] = _number(f"{where}.markers", fields["markers"], _MOST)
    state["hand"][seat][:] = _counts(f"{where}.hand", fields.get("hand", {}))
    state["cards"][seat] = state["hand"][seat].sum()
    for name in _list(f"{where}.gear", fields.get("gear", [])):
        gear = _one_of(f"{where}.gear", name, list(vocabulary["gear"]))
        state["owned"][seat, gear] += 1
        ability = int(rules["gear_ability"][gear])
        state["able"][seat, ability] = 1 if ability != s.NONE else 0


def _feed(work: Any, shuffles: Any) -> None:
    """Results of coming reshuffles: each its number of cards, then the cards, top first."""
    values: list[int] = []
    for order in _list("start.shuffles", shuffles):
        cards = _cards("start.shuffles", order)
        values += [len(cards), *cards]
    if len(values) > s.MAX_FEED:
        raise ScriptError("start.shuffles: too many cards.")
    feed = work["feed"]
    feed["on"] = 1
    feed["n"] = len(values)
    feed["values"][: len(values)] = values


# ------------------------------------------------------------------------------- what is played
def begin(state: Any, rules: Any, work: Any, run: str) -> None:
    """Make the state ready to play one event; ``entries.resume`` then runs it."""
    told = json.loads(run)
    if state["over"]:
        return
    _BEGIN[told["what"]](state, rules, told)


def _begin_turn(state: Any, rules: Any, told: Mapping[str, Any]) -> None:
    state["run"] = s.RUN_TURN
    state["stage"] = s.STAGE_SKI
    state["active"] = told["seat"]
    state["actions"] = told.get("actions", int(rules["actions"]))
    state["ramp_used"], state["poles_used"], state["tokens_barred"] = 0, 0, 0
    state["turn"] = max(1, int(state["turn"]))
    state["pc"] = s.PC_ACT


def _begin_day_end(state: Any, rules: Any, told: Mapping[str, Any]) -> None:
    seats = told.get("seats", [])
    state["run"] = s.RUN_DAY_END
    state["turn_list"][: len(seats)] = seats
    state["turns_listed"] = len(seats)
    state["turn_at"] = 0
    state["pc"] = s.PC_TURN


def _begin_village(state: Any, rules: Any, told: Mapping[str, Any]) -> None:
    state["run"] = s.RUN_VILLAGE if told["what"] == "village" else s.RUN_VILLAGE_NEXT
    state["pc"] = s.PC_EVENING


def _begin_score(state: Any, rules: Any, told: Mapping[str, Any]) -> None:
    state["pc"] = s.PC_SCORE


def _begin_deal(state: Any, rules: Any, told: Mapping[str, Any]) -> None:
    state["run"] = s.RUN_DEAL if told["what"] == "deal" else s.RUN_GAME
    state["pc"] = s.PC_DEAL


_BEGIN: dict[str, Callable[[Any, Any, Mapping[str, Any]], None]] = {
    "turn": _begin_turn,
    "day_end": _begin_day_end,
    "village": _begin_village,
    "village_next": _begin_village,
    "score": _begin_score,
    "deal": _begin_deal,
    "game": _begin_deal,
}


# ------------------------------------------------------------------------------- the end
def describe(state: Any, rules: Any, vocabulary: Mapping[str, Any]) -> dict[str, Any]:
    """The end of a case, in the form of ``start``, with awards and final VP once scored."""
    end = words.state(state, rules, vocabulary)
    end["gear_row"] = [card for card in end["gear_row"] if card is not None]
    if state["over"]:
        for seat in range(int(state["n_seats"])):
            fields = end[SEATS][str(seat)]
            fields["award"] = int(state["award"][seat].sum())
            fields["final"] = int(state["final"][seat])
        best = [entry for entry in _standing(state) if entry[:3] == max(_standing(state))[:3]]
        end["winners"] = sorted(entry[3] for entry in best)
    return end


def _standing(state: Any) -> list[tuple[int, int, int, int]]:
    """VP, fame, cards and seat of all."""
    return [
        (
            int(state["final"][seat]),
            int(state["fame"][seat]),
            int(state["cards"][seat]),
            seat,
        )
        for seat in range(int(state["n_seats"]))
    ]


def compare(expected: Mapping[str, Any], end: Mapping[str, Any]) -> list[str]:
    """Differences between what a case expects and what came out, in words."""
    found: list[str] = []
    for part, wanted in expected.items():
        if part not in end:
            found.append(f"expect.{part}: unknown part.")
        elif part == SEATS:
            seats = wanted if isinstance(wanted, Mapping) else dict(enumerate(wanted))
            for seat, fields in seats.items():
                found += _compare_seat(str(seat), fields, end[SEATS])
        elif part in PARTS:
            for run, told in _object(f"expect.{part}", wanted).items():
                got = end[part].get(run, NOTHING[part])
                found += _differ(f"{part}.{run}", told, got)
        else:
            found += _differ(part, wanted, end[part])
    return found


def _compare_seat(seat: str, fields: Any, seats: Mapping[str, Any]) -> list[str]:
    if seat not in seats:
        return [f"expect.seats.{seat}: there is no such seat."]
    found = []
    for name, wanted in _object(f"expect.seats.{seat}", fields).items():
        if name not in seats[seat]:
            found.append(f"expect.seats.{seat}.{name}: unknown field.")
        else:
            found += _differ(f"seats.{seat}.{name}", wanted, seats[seat][name])
    return found


def _differ(where: str, wanted: Any, got: Any) -> list[str]:
    if where.rsplit(".", 1)[-1] in ANY_ORDER and isinstance(wanted, list):
        wanted, got = sorted(wanted), sorted(got)
    return [] if wanted == got else [f"expect.{where}: expected {wanted!r}, got {got!r}."]
