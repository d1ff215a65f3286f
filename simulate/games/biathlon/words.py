"""The only place for strings: questions, actions, events and states in the words of the rulebook.

Seats, columns, markers, targets, lanes and slots are counted from 1 in words and from 0 in arrays.
Addresses, question names and action tokens are those of the specification (sections 3 and 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulate.games.biathlon import state as s
from simulate.hooks import Hook

QUESTIONS: tuple[str, ...] = (
    "D-NATION", "D-WAXPICK", "D-SIX", "D-WAX", "D-DIE", "D-FREE", "D-SHOT", "D-MAIN",
    "D-SPECIAL", "D-EXTRA", "D-PAY", "D-MOVE", "D-SLIDE", "D-DRAFT",
)  # fmt: skip

QUESTION_WORDS: dict[str, str] = {
    "D-NATION": "which nation to ski for",
    "D-WAXPICK": "which wax token to lay next",
    "D-SIX": "where to place a 6",
    "D-WAX": "whether to use a wax token",
    "D-DIE": "which die to reroll",
    "D-FREE": "which column to take free",
    "D-SHOT": "which shot to reroll",
    "D-MAIN": "which column to take",
    "D-SPECIAL": "whether to count the special 6 or flip back a token",
    "D-EXTRA": "whether to pay for another column",
    "D-PAY": "which stamina marker to lower",
    "D-MOVE": "which way to go",
    "D-SLIDE": "whether and where to slide",
    "D-DRAFT": "whether to draft",
}

COLOURS = ("green", "yellow", "red", "blue")
RACES = ("short", "long", "short_top")
RESULTS = ("finished", "all_collapsed", "truncated")
STATUSES = ("racing", "home", "out")
WINDOWS = ("", "before the main column", "before more columns", "after a shot", "after the move")
PAY_REASONS = ("column", "entry", "entry while drafting", "slide", "wax")
BACK_REASONS = ("blue", "no place")
STARS = ("none", "counted", "back", "flip")
HOWS = ("main", "paid", "free")
WAX_ANSWERS = ("none", "left/a", "left/b", "right/a", "right/b", "printed")
_LAST_PLACE = 9


FIRST_SEAT = 1  # skiers are counted from 1
TREATMENTS: tuple[Hook, ...] = (
    Hook("no_draft", {"no_draft": 1}, "is never asked to draft", "Q3, Q4"),
    Hook("no_slide", {"no_slide": 1}, "may not slide downhill", "Q13"),
    Hook("no_sprint", {"no_sprint": 1}, "may not sprint, by column or by wax", "Q9"),
    Hook("sprint_always", {"sprint_always": 1}, "buys the sprint column whenever it can", "Q9"),
    Hook(
        "sprint_when_followed",
        {"sprint_when_followed": 1},
        "may take the sprint column only with a follower straight behind",
        "Q9",
    ),
    Hook("free_entry", {"free_entry": 1}, "enters held spaces without paying", "Q15"),
    Hook(
        "stamina_plus", {"stamina_delta": 1}, "starts with one stamina more", "Q5",
        "stamina_delta", 1, 20, amount=True,
    ),
    Hook(
        "stamina_minus", {"stamina_delta": -1}, "starts with one stamina less", "Q5",
        "stamina_delta", -20, -1,
    ),
    Hook(
        "force_hit", {"hit_range": -1},
        "its first miss of each range visit counts as a hit (value k: only at the k-th range)",
        "Q6", "hit_range", -1, s.MAX_RANGES,
    ),
    Hook(
        "token_block", {"token_block": 1}, "may not use one wax token (value: its number)", "Q7",
        "token_block", 1, s.MAX_TOKENS,
    ),
    Hook(
        "wax_from_round", {"wax_from_round": 10}, "uses no wax before a round (value)", "Q8",
        "wax_from_round", 1, 400,
    ),
    Hook("no_own_draft", {"no_own_draft": 1}, "does not draft on its owner's other skier", "Q24"),
    Hook(
        "setup_shift", {"setup_shift": 1}, "other start order, nations and wax by lot, for all", "Q28",
        "setup_shift", 1, 1000, "set-up", of_table=True,
    ),
    Hook(
        "dice_shift", {"dice_shift": 1}, "rolls other race dice", "Q28", "dice_shift", 1, 1000,
        "own race dice",
    ),
    Hook(
        "shot_shift", {"shot_shift": 1}, "rolls other shooting dice", "Q28", "shot_shift", 1, 1000,
        "own shooting dice",
    ),
    Hook(
        "rival_dice_shift", {"rival_dice_shift": 1}, "its rivals roll other race dice", "Q28",
        "rival_dice_shift", 1, 1000, "others' race dice",
    ),
    Hook(
        "rival_shot_shift", {"rival_shot_shift": 1}, "its rivals roll other shooting dice", "Q28",
        "rival_shot_shift", 1, 1000, "others' shooting dice",
    ),
    Hook(
        "policy_shift", {"policy_shift": 1}, "the coins of all strategies fall otherwise", "Q28",
        "policy_shift", 1, 1000, "whims of the players", of_table=True,
    ),
)  # fmt: skip


def question(code: int) -> str:
    """Name of a question code (``state["phase"]``), "" when nothing is asked."""
    return QUESTIONS[code] if code >= 0 else ""


def route_letters(codes: Sequence[int]) -> str:
    """A route as letters, spec section 4."""
    return "".join(s.STEP_LETTERS[code] for code in codes)


def address(rules: Any, row: int, lane: int, penalty: int, status: int) -> Any:
    """Where a skier stands, as in scripted positions: [row, lane], "S18", "P18.2", "start" and so on."""
    if status != s.RACING:
        return STATUSES[status]
    if row == 0:
        return "start"
    if row > int(rules["rows"]):
        return "home"
    if penalty > 0:
        return f"P{row}.{penalty}"
    if int(rules["space"][row, 0]) == s.SHOOTING:
        return f"S{row}"
    return [row, lane + 1]


def action(state: Any, rules: Any, work: Any, code: int, vocabularies: Mapping[str, Any]) -> str:
    """The token of an action code of the question that is asked now."""
    asked = int(state["phase"])
    if asked == s.ASK_NATION:
        return str(vocabularies["nations"][code])
    if asked == s.ASK_WAXPICK:
        return str(code)
    if asked == s.ASK_WAX:
        return _wax_token(state, rules, code)
    if asked == s.ASK_MOVE:
        return _route_token(work, code)
    if asked == s.ASK_SLIDE:
        return "stay" if code == 0 else _route_token(work, code - 1)
    if asked == s.ASK_DRAFT:
        return _draft_token(rules, code)
    return _SIMPLE[asked](code)


def _column(code: int) -> str:
    return "sprint" if code == s.COLUMNS + 1 else f"col{code}"


def _die(code: int) -> str:
    if code == _LAST_PLACE:
        return "sprint"
    return f"col{code}" if code <= s.COLUMNS else f"star{code - s.COLUMNS}"


_SIMPLE = {
    s.ASK_SIX: lambda code: "sprint" if code == 0 else f"star{code}",
    s.ASK_DIE: _die,
    s.ASK_FREE: _column,
    s.ASK_SHOT: lambda code: f"t{code}",
    s.ASK_MAIN: _column,
    s.ASK_SPECIAL: lambda code: ("include", "flip-left", "flip-right")[code],
    s.ASK_EXTRA: lambda code: "stop" if code == 0 else _column(code),
    s.ASK_PAY: lambda code: f"m{code}",
}


def _wax_token(state: Any, rules: Any, code: int) -> str:
    """left/right for a token with one branch, left/a and so on for an or-token."""
    if code in (0, 5):
        return WAX_ANSWERS[code]
    seat = int(state["to_move"])
    side = (code + 1) // 2
    slot = int(state["left"][seat])
    if side == 2:
        slot = int(rules["slots"]) - 1 - int(state["right"][seat])
    token = int(state["slots"][seat, slot])
    word = WAX_ANSWERS[code]
    return word if int(rules["branches"][token]) > 1 else word.split("/")[0]


def _route_token(work: Any, index: int) -> str:
    return route_letters(work["route_codes"][index, : int(work["route_len"][index])])


def _draft_token(rules: Any, code: int) -> str:
    if code == 0:
        return "no"
    return str(code) if int(rules["draft_extent"]) == 1 else "yes"


def options(state: Any, rules: Any, work: Any, vocabularies: Mapping[str, Any]) -> list[str]:
    """Tokens of all options of the question asked now, in canonical order."""
    count = int(work["n_options"])
    return [action(state, rules, work, int(code), vocabularies) for code in work["options"][:count]]


def state(state: Any, rules: Any, vocabularies: Mapping[str, Any]) -> dict[str, Any]:
    """The position as a readable dict: the fields of scripted positions, and round and marker."""
    skiers = {str(seat + 1): skier(state, rules, seat, vocabularies) for seat in _seats(state)}
    return {
        "round": int(state["round"]),
        "marker": int(state["marker"]) + 1,
        "question": question(int(state["phase"])),
        "to_move": int(state["to_move"]) + FIRST_SEAT,
        "active": int(state["active"]) + 1,
        "skiers": skiers,
        "game": {
            "dice_taken": int(state["dice"]),
            "sprinted": bool(state["sprinted"]),
            "over": bool(state["over"]),
        },
    }


def _seats(state: Any) -> range:
    return range(int(state["n_seats"]))


def skier(state: Any, rules: Any, seat: int, vocabularies: Mapping[str, Any]) -> dict[str, Any]:
    """One skier's fields as in scripted positions."""
    slots = int(rules["slots"])
    made = int(state["shots_made"][seat])
    nation = int(state["nation"][seat])
    on_board = int(state["cols"][seat].sum() + state["stars"][seat].sum() + state["sprint"][seat])
    return {
        "at": address(
            rules, int(state["row"][seat]), int(state["lane"][seat]),
            int(state["penalty"][seat]), int(state["status"][seat]),
        ),
        "st": [int(level) for level in state["stamina"][seat]],
        "cols": [int(dice) for dice in state["cols"][seat]],
        "stars": [int(dice) for dice in state["stars"][seat]],
        "spr": int(state["sprint"][seat]),
        "wax": [int(token) for token in state["slots"][seat, :slots]],
        "L": int(state["left"][seat]),
        "R": int(state["right"][seat]),
        "shots": "".join("H" if hit else "M" for hit in state["shot_hit"][seat, :made]),
        "owed": int(state["owed"][seat]),
        "miss": int(state["miss"][seat]),
        "nation": vocabularies["nations"][nation] if nation >= 0 else None,
        "avail": int(rules["race_dice"]) - on_board,
        "place": int(state["place"][seat]) if state["place"][seat] > 0 else None,
    }  # fmt: skip


# ------------------------------------------------------------------------------- events
def events(rows: Any, rules: Any, vocabularies: Mapping[str, Any]) -> list[dict[str, Any]]:
    """EVENT rows as objects, in order, by the schema of ``docs/events-biathlon.md``."""
    return [_EVENTS[int(row["kind"])](row, rules, vocabularies) for row in rows]


def _seat(row: Any) -> int:
    return int(row["seat"]) + 1


def _place_word(code: int) -> str:
    return _die(code)


def _space(rules: Any, row: int, lane: int, penalty: int) -> Any:
    return address(rules, row, lane, penalty, s.RACING)


def _setup(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "setup", "seat": _seat(row),
        "nation": words["nations"][int(row["a"])], "player": int(row["b"]) + 1,
    }  # fmt: skip


def _loadout(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "wax_laid", "seat": _seat(row), "slot": int(row["a"]), "token": int(row["b"])}


def _marker(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "marker", "seat": _seat(row)}


def _round(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "round", "round": int(row["a"])}


def _prep_roll(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "roll", "seat": _seat(row), "face": int(row["a"])}


def _return(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    why = BACK_REASONS[int(row["b"])]
    return {"event": "die_back", "seat": _seat(row), "face": int(row["a"]), "why": why}


def _place(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    where = _place_word(int(row["b"]))
    return {"event": "place", "seat": _seat(row), "face": int(row["a"]), "where": where}


def _turn(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    kind = "shoot" if row["a"] else "move"
    return {"event": "turn", "seat": _seat(row), "kind": kind}


def _wax(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    branch = "ab"[int(row["c"])]
    return {
        "event": "wax", "seat": _seat(row), "slot": int(row["a"]), "token": int(row["b"]),
        "branch": branch, "window": int(row["d"]), "printed": int(row["b"]) == 0,
    }  # fmt: skip


def _flipback(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "flip_back", "seat": _seat(row), "slot": int(row["a"])}


def _take(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "take", "seat": _seat(row), "column": _column(int(row["a"])),
        "dice": int(row["b"]), "star": STARS[int(row["c"])], "how": HOWS[int(row["d"])],
    }  # fmt: skip


def _pay(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "pay", "seat": _seat(row), "marker": int(row["a"]), "from": int(row["b"]),
        "to": int(row["c"]), "why": PAY_REASONS[int(row["d"])],
    }  # fmt: skip


def _move(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "move", "seat": _seat(row), "steps": int(row["a"]), "dice": int(row["b"]),
        "plus": int(row["c"]), "sprint_moves": int(row["d"]), "sprinting": bool(row["e"]),
    }  # fmt: skip


def _step(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    penalty = int(row["d"])
    lane = int(row["f"]) % s.MAX_LANES
    from_penalty = 0
    if int(row["f"]) >= s.MAX_LANES:  # a step that began in the penalty lane
        from_penalty = penalty - 1 if penalty > 1 else int(rules["lap_length"])
    return {
        "event": "step", "seat": _seat(row), "code": s.STEP_LETTERS[int(row["a"])],
        "from": _space(rules, int(row["e"]), lane, from_penalty),
        "to": _space(rules, int(row["b"]), int(row["c"]), penalty),
    }  # fmt: skip


def _draft(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "draft", "seat": _seat(row), "leader": int(row["a"]) + 1, "level": int(row["b"]),
        "taken": bool(row["c"]), "steps": int(row["d"]),
    }  # fmt: skip


def _slide(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "slide", "seat": _seat(row), "steps": int(row["a"]), "cost": int(row["b"])}


def _shot(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "shot", "seat": _seat(row), "target": int(row["a"]),
        "colour": COLOURS[int(row["b"])], "face": int(row["c"]), "hit": bool(row["d"]),
        "reroll": bool(row["e"]),
    }  # fmt: skip


def _lap(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "lap", "seat": _seat(row), "miss": int(row["a"]), "owed": int(row["b"])}


def _visit_end(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "five_shots_made", "seat": _seat(row), "misses": int(row["a"]),
        "laps": int(row["b"]), "owed": int(row["c"]),
    }  # fmt: skip


def _finish(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "finish", "seat": _seat(row), "place": int(row["a"])}


def _collapse(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    at = _space(rules, int(row["a"]), int(row["b"]), 0)
    return {"event": "collapse", "seat": _seat(row), "at": at}


def _reroll(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "reroll", "seat": _seat(row), "face": int(row["a"])}


def _turn_end(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": "turn_end", "seat": _seat(row), "dice_available": int(row["a"]),
        "tokens_unused": int(row["b"]), "stamina": int(row["c"]),
        "at": _space(rules, int(row["d"]), int(row["e"]), int(row["f"])),
    }  # fmt: skip


def _over(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    winner = int(row["a"]) + 1
    return {"event": "over", "winner": winner if winner > 0 else None}


def _uphill(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "uphill", "seat": _seat(row), "lost": int(row["a"])}


_EVENTS = {
    s.EVENT_SETUP: _setup, s.EVENT_LOADOUT: _loadout, s.EVENT_MARKER: _marker,
    s.EVENT_ROUND: _round, s.EVENT_PREP_ROLL: _prep_roll, s.EVENT_RETURN: _return,
    s.EVENT_PLACE: _place, s.EVENT_TURN: _turn, s.EVENT_WAX: _wax, s.EVENT_FLIPBACK: _flipback,
    s.EVENT_TAKE: _take, s.EVENT_PAY: _pay, s.EVENT_MOVE: _move, s.EVENT_STEP: _step,
    s.EVENT_DRAFT: _draft, s.EVENT_SLIDE: _slide, s.EVENT_SHOT: _shot, s.EVENT_LAP: _lap,
    s.EVENT_VISIT_END: _visit_end, s.EVENT_FINISH: _finish, s.EVENT_COLLAPSE: _collapse,
    s.EVENT_REROLL: _reroll, s.EVENT_TURN_END: _turn_end, s.EVENT_OVER: _over,
    s.EVENT_UPHILL: _uphill,
}  # fmt: skip

EVENT_NAMES: tuple[str, ...] = (
    "setup", "wax_laid", "marker", "round", "roll", "die_back", "place", "turn", "wax",
    "flip_back", "take", "pay", "move", "step", "draft", "slide", "shot", "lap",
    "five_shots_made", "finish", "collapse", "reroll", "turn_end", "over", "uphill",
)  # fmt: skip


# ------------------------------------------------------------------------------- sentences
def _at(where: Any) -> str:
    if isinstance(where, list):
        return f"row {where[0]}, lane {where[1]}"
    if where in ("start", "home", "out"):
        return {"start": "the start", "home": "the finish", "out": "out of the race"}[where]
    if where.startswith("S"):
        return f"the shooting space of row {where[1:]}"
    row, space = where[1:].split(".")
    return f"space {space} of the penalty lane at row {row}"


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def _where(place: str) -> str:
    if place == "sprint":
        return "the sprint column"
    if place.startswith("star"):
        return f"the star box above column {place[4:]}"
    return f"column {place[3:]}"


def _wax_sentence(e: Mapping[str, Any]) -> str:
    what = "the wax printed on the board" if e["printed"] else f"wax token {e['token']}"
    return f"Skier {e['seat']} uses {what} {WINDOWS[e['window']]}."


def _take_sentence(e: Mapping[str, Any]) -> str:
    star = {
        "none": "",
        "counted": ", and the 6 above it counts",
        "back": "; the 6 above it goes back, as the column was not full",
        "flip": "; the special 6 turns a used token back instead of counting",
    }[e["star"]]
    how = {"main": "", "paid": " for one stamina", "free": " free, by wax"}[e["how"]]
    dice = _plural(e["dice"], "die" if e["dice"] == 1 else "dice").replace("dices", "dice")
    return f"Skier {e['seat']} takes {_where(e['column'])}{how}: {dice}{star}."


def _draft_sentence(e: Mapping[str, Any]) -> str:
    if e["taken"]:
        return f"Skier {e['seat']} drafts on skier {e['leader']} for {_plural(e['steps'], 'step')}."
    return f"Skier {e['seat']} does not draft on skier {e['leader']}."


def _shot_sentence(e: Mapping[str, Any]) -> str:
    again = "again " if e["reroll"] else ""
    result = "hit" if e["hit"] else "miss"
    return (
        f"Skier {e['seat']} shoots {again}at target {e['target']} with the {e['colour']} die: "
        f"{e['face']}, a {result}."
    )


def _ask_sentence(e: Mapping[str, Any]) -> str:
    offered = ", ".join(e["options"])
    what = QUESTION_WORDS.get(e["question"], e["question"])
    return f"  Skier {e['seat']} decides {what} ({offered}): {e['chosen']}."


_SENTENCES: dict[str, Any] = {
    "setup": lambda e: f"Seat {e['seat']}: {e['nation']} (player {e['player']}).",
    "wax_laid": lambda e: f"Skier {e['seat']} has wax token {e['token']} in slot {e['slot']}.",
    "marker": lambda e: f"The First player marker is at seat {e['seat']}.",
    "round": lambda e: f"Round {e['round']}.",
    "roll": lambda e: f"Skier {e['seat']} rolls a {e['face']}.",
    "die_back": lambda e: f"Skier {e['seat']}: a {e['face']} goes back ({e['why']}).",
    "place": lambda e: f"Skier {e['seat']} places a {e['face']} in {_where(e['where'])}.",
    "turn": lambda e: f"Skier {e['seat']} is on, to {e['kind']}.",
    "wax": _wax_sentence,
    "flip_back": lambda e: f"Skier {e['seat']} turns back the token in slot {e['slot']}.",
    "take": _take_sentence,
    "pay": lambda e: (
        f"Skier {e['seat']} pays one stamina ({e['why']}): marker {e['marker']} "
        f"from row {e['from']} to {e['to']}."
    ),
    "move": lambda e: (
        f"Skier {e['seat']} has {_plural(e['steps'], 'step')}"
        + (", sprinting." if e["sprinting"] else ".")
    ),
    "step": lambda e: f"Skier {e['seat']} goes from {_at(e['from'])} to {_at(e['to'])}.",
    "draft": _draft_sentence,
    "slide": lambda e: f"Skier {e['seat']} slides {_plural(e['steps'], 'step')} downhill.",
    "shot": _shot_sentence,
    "lap": lambda e: (
        f"Skier {e['seat']} has made a penalty lap; {_plural(e['miss'], 'miss marker')} left."
    ),
    "five_shots_made": lambda e: (
        f"Skier {e['seat']} has made all shots: {e['misses']} missed, "
        f"{_plural(e['laps'], 'penalty lap')}."
    ),
    "finish": lambda e: f"Skier {e['seat']} crosses the finish line in place {e['place']}.",
    "collapse": lambda e: f"Skier {e['seat']} collapses at {_at(e['at'])} and is out.",
    "reroll": lambda e: f"Skier {e['seat']} rerolls a die: {e['face']}.",
    "turn_end": lambda e: (
        f"Skier {e['seat']} is at {_at(e['at'])} with {e['dice_available']} dice available, "
        f"{e['stamina']} stamina and {_plural(e['tokens_unused'], 'unused token')}."
    ),
    "over": lambda e: (
        f"The race is over; skier {e['winner']} has won." if e["winner"] else "The race is over."
    ),
    "uphill": lambda e: f"Skier {e['seat']} loses {_plural(e['lost'], 'step')} uphill.",
    "ask": _ask_sentence,
}


def sentence(event: Mapping[str, Any]) -> str:
    """One event in plain words."""
    return str(_SENTENCES[event["event"]](event))
