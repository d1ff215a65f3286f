"""The only place for strings: questions, actions, events and states in the words of the rulebook.

Seats are counted from 0, in words as in arrays. Cells are [x, y]: column, then row, as in the
specification. Question names and action tokens are those of the specification (section 4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulate.games.pistengaudi import state as s
from simulate.games.pistengaudi.picture import LEGEND, Picture
from simulate.hooks import Hook

QUESTIONS: tuple[str, ...] = ("PG-D-EMPTY", "PG-D-PLACE", "PG-D-MOVE", "PG-D-SNOW", "PG-D-GROOM")

QUESTION_WORDS: dict[str, str] = {
    "PG-D-EMPTY": "whether to forgo or which card to take from the slope",
    "PG-D-PLACE": "which card to place, where and which half up",
    "PG-D-MOVE": "where to ride",
    "PG-D-SNOW": "whom to throw a snowball at",
    "PG-D-GROOM": "whom to move with the piste groomer, and where",
}

KINDS: tuple[str, ...] = (
    "free", "P1", "P2", "P3", "H1", "H2", "H3", "G1", "G2", "G3", "S1", "S2", "S3", "J", "F",
)  # fmt: skip
"""Word of a kind that a card can show; the index is the kind."""

RESULTS = ("finished", "capped", "capped_at_bottom")
STOP_REASONS = ("steps", "hut", "no step")
SNOW_TARGETS = ("upright", "lying", "in the goal")
STEP_WAYS = ("down", "left", "right")
GROOM_WAYS = ("up", "left", "right", "down")
PASS, FORGO = "pass", "forgo"


TREATMENTS: tuple[Hook, ...] = (
    Hook(
        "step_down", {"step_down_round": 3},
        "is moved down one space at the start of a round (value) if it is upright and can stand there",
        "Q6", "step_down_round", 1, s.MAX_ROUNDS,
    ),
    Hook(
        "mute_throws", {"mute_throws": 50}, "this share of its snowballs (value, per cent) has no effect",
        "Q7, Q24", "mute_throws", 1, 100,
    ),
    Hook(
        "mute_groomer", {"mute_groomer": 50},
        "this share of its groomer moves (value, per cent) has no effect", "Q8",
        "mute_groomer", 1, 100,
    ),
    Hook(
        "soft_falls", {"soft_falls": 50},
        "stays upright after this share of its falls (value, per cent)", "Q9",
        "soft_falls", 1, 100, amount=True,
    ),
    Hook(
        "random_signs", {"random_signs": 1},
        "where it is the first to land, the sign of the space is drawn anew", "Q11",
    ),
    Hook("no_take", {"no_take": 1}, "takes no card from the slope if it may forgo", "Q15"),
    Hook("no_forgo", {"no_forgo": 1}, "takes a card from the slope whenever it can", "Q15"),
    Hook(
        "deck_shift", {"deck_shift": 1}, "the deck is shuffled otherwise", "Q25",
        "deck_shift", 1, 1000, "piste cards", of_table=True,
    ),
    Hook(
        "policy_shift", {"policy_shift": 1}, "the coins of all strategies fall otherwise", "Q25",
        "policy_shift", 1, 1000, "whims of the players", of_table=True,
    ),
)  # fmt: skip


def question(code: int) -> str:
    """Name of a question code (``state["phase"]``), "" when nothing is asked."""
    return QUESTIONS[code] if code >= 0 else ""


def where(cell: int) -> list[int]:
    """A cell as [x, y]."""
    return [cell // s.STRIDE - s.ORIGIN, cell % s.STRIDE - 1]


def cell_of(x: int, y: int) -> int:
    """The cell of column x and row y."""
    return (x + s.ORIGIN) * s.STRIDE + y + 1


def card_word(first: int, second: int) -> str:
    """A card as the decks write it: "S1/P2"."""
    return f"{KINDS[first]}/{KINDS[second]}"


def _card(state: Any, card: int) -> str:
    return card_word(int(state["first"][card]), int(state["second"][card]))


# ------------------------------------------------------------------------------- actions
def action(state: Any, rules: Any, work: Any, code: int, vocabularies: Mapping[str, Any]) -> Any:
    """The token of an action code of the question that is asked now."""
    return _TOKENS[int(state["phase"])](state, int(code))


def _empty_token(state: Any, code: int) -> Any:
    return FORGO if code == 0 else ["take", *where(code - 1)]


def _place_token(state: Any, code: int) -> Any:
    card = int(state["hand"][code // 2 % s.MAX_HAND])
    halves = [KINDS[int(state["first"][card])], KINDS[int(state["second"][card])]]
    if code % 2:
        halves.reverse()
    return [*where(code // (2 * s.MAX_HAND)), *halves]


def _move_token(state: Any, code: int) -> Any:
    outcome, rest = divmod(code, s.N_CELLS)
    if outcome == s.OUTCOME_GOAL:
        return ["goal", rest]
    return ["stop" if outcome == s.OUTCOME_STOP else "fall", where(rest)]


def _snow_token(state: Any, code: int) -> Any:
    return PASS if code == 0 else code - 1


def groomed_cell(cell: int, way: int) -> int:
    """The cell that a groomer move in a direction leads to."""
    return cell + (-1, -s.STRIDE, s.STRIDE, 1)[way]


def _groom_token(state: Any, code: int) -> Any:
    if code == 0:
        return PASS
    seat, way = divmod(code - 1, 4)
    return [seat, where(groomed_cell(int(state["cell"][seat]), way))]


_TOKENS = {
    s.ASK_EMPTY: _empty_token, s.ASK_PLACE: _place_token, s.ASK_MOVE: _move_token,
    s.ASK_SNOW: _snow_token, s.ASK_GROOM: _groom_token,
}  # fmt: skip


def options(state: Any, rules: Any, work: Any, vocabularies: Mapping[str, Any]) -> list[Any]:
    """Tokens of all options of the question asked now, in canonical order."""
    count = int(work["n_options"])
    return [action(state, rules, work, int(code), vocabularies) for code in work["options"][:count]]


# ------------------------------------------------------------------------------- the state
def state(state: Any, rules: Any, vocabularies: Mapping[str, Any]) -> dict[str, Any]:
    """The position as a readable dict: the fields of scripted positions, and whose turn it is."""
    return {
        "round": int(state["round"]),
        "turn": int(state["turn"]),
        "question": question(int(state["phase"])),
        "to_move": int(state["to_move"]),
        "seat": int(state["seat"]),
        "figures": [figure(state, seat) for seat in range(int(state["n_seats"]))],
        "cards": cards_on_slope(state),
        "hand": [_card(state, int(card)) for card in state["hand"][: int(state["n_hand"])]],
        "aside": [_card(state, int(card)) for card in state["aside"][: int(state["n_aside"])]],
        "stack": stack(state),
        "row_highest": highest_row(state, rules),
        "first_card_done": bool(state["first_done"]),
        "final": bool(state["final"]),
        "over": bool(state["over"]),
        "winner": int(state["winner"]) if state["winner"] >= 0 else None,
    }


def figure(state: Any, seat: int) -> list[Any]:
    """A figure as in scripted positions."""
    if state["area"][seat] > 0:
        return ["goal", int(state["area"][seat]), int(state["arrival"][seat])]
    return [*where(int(state["cell"][seat])), "lying" if state["lying"][seat] else "up"]


def cards_on_slope(state: Any) -> list[list[Any]]:
    """Piste cards as [x, y_top, top, bottom], from left to right and down."""
    cells = [int(cell) for cell in state["card_cell"][: int(state["n_cards"])] if cell >= 0]
    return [
        [*where(cell), KINDS[int(state["kind"][cell])], KINDS[int(state["kind"][cell + 1])]]
        for cell in sorted(cells)
    ]


def stack(state: Any) -> list[str]:
    """Cards of the stack, top card first."""
    top = int(state["stack_top"])
    places = [(top + place) % s.MAX_CARDS for place in range(int(state["n_stack"]))]
    return [_card(state, int(state["stack"][place])) for place in places]


def highest_row(state: Any, rules: Any) -> int:
    """R: the row of the highest figure."""
    rows = []
    for seat in range(int(state["n_seats"])):
        row = where(int(state["cell"][seat]))[1]
        rows.append(int(rules["height"]) + 1 if state["area"][seat] > 0 else row)
    return min(rows)


# ------------------------------------------------------------------------------- events
def events(rows: Any, rules: Any, vocabularies: Mapping[str, Any]) -> list[dict[str, Any]]:
    """EVENT rows as objects, in order."""
    return [_EVENTS[int(row["kind"])](row, rules, vocabularies) for row in rows]


def _of(kind: str, row: Any, **fields: Any) -> dict[str, Any]:
    """An event of a seat."""
    return {"event": kind, "seat": int(row["seat"]), **fields}


def _two(row: Any, first: str = "a", second: str = "b") -> str:
    return card_word(int(row[first]), int(row[second]))


def _upright(row: Any) -> dict[str, Any]:
    """A card on the slope: where its upper half lies and what its halves show."""
    return {
        "at": where(int(row["a"])), "up": KINDS[int(row["b"])], "down": KINDS[int(row["c"])],
    }  # fmt: skip


def _setup(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    deck: dict[str, int] = {}
    types = words["card_types"]
    for card in range(int(rules["n_cards"])):
        word = types[int(rules["card_type"][card])]
        deck[word] = deck.get(word, 0) + 1
    forest = [k for k in range(1, int(rules["slope_cards"]) + 1) if rules["forest_cards"][k]]
    return {
        "event": "setup", "seats": int(row["a"]), "cards_per_turn": int(row["b"]),
        "stack": int(row["c"]), "deck": deck, "forest": forest,
        "figures": [[0, 0, "up"]] * int(row["a"]),
        "goal": [[0, int(rules["height"]) + 1], [0, int(rules["height"]) + 2]],
    }  # fmt: skip


def _round(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return {"event": "round", "round": int(row["a"])}


def _turn(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of(
        "turn", row, turn=int(row["a"]), row_highest=int(row["b"]),
        at=None if row["f"] else where(int(row["c"])), lying=bool(row["d"]), stack=int(row["e"]),
    )  # fmt: skip


def _draw(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("draw", row, card=_two(row), stack=int(row["c"]))


def _place(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("place", row, **_upright(row), row_highest=int(row["d"]), vetoed=int(row["e"]))


def _aside(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("set_aside", row, card=_two(row))


def _under(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("out_of_game" if row["c"] else "under_stack", row, card=_two(row))


def _empty(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("stack_empty", row)


def _forgo(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("forgo", row)


def _take(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("take", row, **_upright(row))


def _return(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("put_back", row, **_upright(row))


def _move(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("move", row, steps=int(row["a"]), at=where(int(row["b"])))


def _step(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    event = _of("step", row, way=STEP_WAYS[int(row["c"])], jumps=int(row["d"]))
    event["from"], event["to"] = where(int(row["a"])), where(int(row["b"]))
    return event


def _stop(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    why = STOP_REASONS[int(row["c"])]
    return _of("stop", row, at=where(int(row["a"])), steps=int(row["b"]), why=why)


def _fall(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of(
        "fall", row, at=where(int(row["a"])), steps=int(row["b"]), kept_upright=bool(row["c"])
    )


def _goal(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("goal", row, area=int(row["a"]), arrival=int(row["b"]))


def _final(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("final_round", row)


def _stand(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("stand_up", row, at=where(int(row["a"])))


def _snow(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of(
        "snowball", row, target=int(row["a"]), at=where(int(row["b"])),
        target_was=SNOW_TARGETS[int(row["c"])], muted=bool(row["d"]),
    )  # fmt: skip


def _groom(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    event = _of("groomer", row, target=int(row["a"]), way=GROOM_WAYS[int(row["d"])])
    event["from"], event["to"] = where(int(row["b"])), where(int(row["c"]))
    event["muted"] = bool(row["e"])
    return event


def _nobody(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("nobody", row, question=QUESTIONS[int(row["a"])])


def _pass(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of("pass", row, question=QUESTIONS[int(row["a"])])


def _turn_end(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of(
        "turn_end", row, row_highest=int(row["a"]),
        at=None if row["c"] else where(int(row["b"])), area=int(row["c"]),
        lying=bool(row["d"]), state_hash=int(row["e"]),
    )  # fmt: skip


def _round_end(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    leader = int(row["b"])
    return {
        "event": "round_end", "round": int(row["a"]), "sole_leader": leader if leader >= 0 else None
    }  # fmt: skip


def _over(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    winner = int(row["a"])
    return {
        "event": "over", "winner": winner if winner >= 0 else None,
        "result": RESULTS[int(row["b"])], "area": int(row["c"]),
    }  # fmt: skip


def _step_down(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    event = _of("step_down", row)
    event["from"], event["to"] = where(int(row["a"])), where(int(row["b"]))
    return event


def _sign(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of(
        "sign", row, at=where(int(row["a"])), before=KINDS[int(row["b"])],
        after=KINDS[int(row["c"])],
    )  # fmt: skip


def _rank(row: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    return _of(
        "rank", row, rank=f"{int(row['a']) / 2:g}", area=int(row["b"]),
        at=None if row["b"] else where(int(row["c"])),
    )  # fmt: skip


_EVENTS = {
    s.EVENT_SETUP: _setup, s.EVENT_ROUND: _round, s.EVENT_TURN: _turn, s.EVENT_DRAW: _draw,
    s.EVENT_PLACE: _place, s.EVENT_ASIDE: _aside, s.EVENT_UNDER: _under, s.EVENT_EMPTY: _empty,
    s.EVENT_FORGO: _forgo, s.EVENT_TAKE: _take, s.EVENT_RETURN: _return, s.EVENT_MOVE: _move,
    s.EVENT_STEP: _step, s.EVENT_STOP: _stop, s.EVENT_FALL: _fall, s.EVENT_GOAL: _goal,
    s.EVENT_FINAL: _final, s.EVENT_STAND: _stand, s.EVENT_SNOW: _snow, s.EVENT_GROOM: _groom,
    s.EVENT_NOBODY: _nobody, s.EVENT_PASS: _pass, s.EVENT_TURN_END: _turn_end,
    s.EVENT_ROUND_END: _round_end, s.EVENT_OVER: _over, s.EVENT_STEP_DOWN: _step_down,
    s.EVENT_SIGN: _sign, s.EVENT_RANK: _rank,
}  # fmt: skip

EVENT_NAMES: tuple[str, ...] = (
    "setup", "round", "turn", "draw", "place", "set_aside", "under_stack", "out_of_game",
    "stack_empty", "forgo", "take", "put_back", "move", "step", "stop", "fall", "goal",
    "final_round", "stand_up", "snowball", "groomer", "nobody", "pass", "turn_end", "round_end",
    "over", "step_down", "sign", "rank",
)  # fmt: skip


# ------------------------------------------------------------------------------- sentences
_COLOURS = {"1": "blue", "2": "red", "3": "black"}
_SPACES = {"P": "piste", "H": "hut", "G": "piste groomer", "S": "snowball space"}


def space_words(kind: str) -> str:
    """A half of a card in words: "red hut", "forest"."""
    if kind == "F":
        return "forest"
    if kind == "J":
        return "ski jump"
    return f"{_COLOURS[kind[1]]} {_SPACES[kind[0]]}"


def _card_words(card: str) -> str:
    first, second = card.split("/")
    return f"{space_words(first)} / {space_words(second)}"


def place_words(cell: Sequence[int]) -> str:
    """A cell in words: "the lift", "row 4, 2 left"."""
    x, y = cell
    if (x, y) == (0, 0):
        return "the lift"
    if x == 0:
        return f"row {y}, middle"
    return f"row {y}, {abs(x)} {'left' if x < 0 else 'right'}"


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def _lies(e: Mapping[str, Any]) -> str:
    """Where a card lies, and how."""
    return f"{space_words(e['up'])} on {place_words(e['at'])}, {space_words(e['down'])} below"


def _option_words(option: Any) -> str:
    """An option of a question as the specification writes it."""
    if not isinstance(option, list):
        return str(option)
    return "(" + ", ".join(_option_words(part) for part in option) + ")"


def _setup_sentence(e: Mapping[str, Any]) -> str:
    forest = ", ".join(map(str, e["forest"]))
    slope = f"slope cards {forest} on the forest side" if forest else "all slope cards rock side up"
    cards = _plural(e["cards_per_turn"], "card")
    return f"{e['seats']} players, {cards} a turn, a stack of {e['stack']}; {slope}."


def _turn_sentence(e: Mapping[str, Any]) -> str:
    at = "in the goal" if e["at"] is None else f"on {place_words(e['at'])}"
    lying = ", lying" if e["lying"] else ""
    return f"Seat {e['seat']} is on, {at}{lying}; the highest figure is in row {e['row_highest']}."


def _place_sentence(e: Mapping[str, Any]) -> str:
    struck = f" ({_plural(e['vetoed'], 'placement')} barred by the forest rule)"
    return f"Seat {e['seat']} places {_lies(e)}{struck if e['vetoed'] else ''}."


def _step_sentence(e: Mapping[str, Any]) -> str:
    over = f" over {_plural(e['jumps'], 'ski jump')}" if e["jumps"] else ""
    return f"Seat {e['seat']} rides {e['way']}{over} to {place_words(e['to'])}."


def _stop_sentence(e: Mapping[str, Any]) -> str:
    why = {
        "steps": f"stops after {_plural(e['steps'], 'step')}",
        "hut": "stops at a hut",
        "no step": "cannot ride and stays upright",
    }[e["why"]]
    return f"Seat {e['seat']} {why}."


def _fall_sentence(e: Mapping[str, Any]) -> str:
    spared = ", but an experiment keeps the figure upright" if e["kept_upright"] else ""
    return f"Seat {e['seat']} falls on {place_words(e['at'])}{spared}."


def _snow_sentence(e: Mapping[str, Any]) -> str:
    was = {"upright": "who falls over", "lying": "who lies already", "in the goal": "in the goal"}
    what = "to no effect, by an experiment" if e["muted"] else was[e["target_was"]]
    return f"Seat {e['seat']} throws a snowball at seat {e['target']}, {what}."


def _groom_sentence(e: Mapping[str, Any]) -> str:
    muted = " - to no effect, by an experiment" if e["muted"] else ""
    return (
        f"Seat {e['seat']} calls the piste groomer: seat {e['target']} goes {e['way']} to "
        f"{place_words(e['to'])}{muted}."
    )


def _turn_end_sentence(e: Mapping[str, Any]) -> str:
    if e["at"] is None:
        return f"Seat {e['seat']} is in area {e['area']} of the goal."
    return f"Seat {e['seat']} ends on {place_words(e['at'])}{', lying' if e['lying'] else ''}."


def _over_sentence(e: Mapping[str, Any]) -> str:
    if e["winner"] is None:
        return "The game is stopped at the limit of rounds; nobody wins."
    return f"The game is over; seat {e['winner']} wins in area {e['area']}."


def _rank_sentence(e: Mapping[str, Any]) -> str:
    where_now = f"in area {e['area']} of the goal" if e["area"] else f"on {place_words(e['at'])}"
    return f"Seat {e['seat']}: place {e['rank']}, {where_now}."


def _ask_sentence(e: Mapping[str, Any]) -> str:
    offered = ", ".join(_option_words(option) for option in e["options"])
    what = QUESTION_WORDS.get(e["question"], e["question"])
    return f"  Seat {e['seat']} decides {what} ({offered}): {_option_words(e['chosen'])}."


_NOBODY = {"PG-D-SNOW": "finds nobody to throw at", "PG-D-GROOM": "finds nobody to move"}
_PASSES = {"PG-D-SNOW": "throws no snowball", "PG-D-GROOM": "moves nobody"}

_SENTENCES: dict[str, Any] = {
    "setup": _setup_sentence,
    "round": lambda e: f"Round {e['round']}.",
    "turn": _turn_sentence,
    "draw": lambda e: (
        f"Seat {e['seat']} draws {_card_words(e['card'])}; {_plural(e['stack'], 'card')} left."
    ),
    "place": _place_sentence,
    "set_aside": lambda e: f"Seat {e['seat']} finds no place for {_card_words(e['card'])}.",
    "under_stack": lambda e: f"Seat {e['seat']} puts {_card_words(e['card'])} under the stack.",
    "out_of_game": lambda e: f"Seat {e['seat']} puts {_card_words(e['card'])} out of the game.",
    "stack_empty": lambda e: f"Seat {e['seat']} finds the stack empty.",
    "forgo": lambda e: f"Seat {e['seat']} forgoes another card.",
    "take": lambda e: f"Seat {e['seat']} takes the card with {_lies(e)}.",
    "put_back": lambda e: f"Seat {e['seat']} finds no other place: {_lies(e)}, as before.",
    "move": lambda e: f"Seat {e['seat']} has {_plural(e['steps'], 'step')}.",
    "step": _step_sentence,
    "stop": _stop_sentence,
    "fall": _fall_sentence,
    "goal": lambda e: f"Seat {e['seat']} rides into area {e['area']} of the goal.",
    "final_round": lambda e: f"Seat {e['seat']} is the first in the goal: this is the last round.",
    "stand_up": lambda e: f"Seat {e['seat']} stands up.",
    "snowball": _snow_sentence,
    "groomer": _groom_sentence,
    "nobody": lambda e: f"Seat {e['seat']} {_NOBODY[e['question']]}.",
    "pass": lambda e: f"Seat {e['seat']} {_PASSES[e['question']]}.",
    "turn_end": _turn_end_sentence,
    "round_end": lambda e: (
        f"Round {e['round']} ends"
        + (f" with seat {e['sole_leader']} in the lead." if e["sole_leader"] is not None else ".")
    ),
    "over": _over_sentence,
    "step_down": lambda e: (
        f"Seat {e['seat']} is moved down to {place_words(e['to'])}, by an experiment."
    ),
    "sign": lambda e: (
        f"The sign on {place_words(e['at'])} becomes {_COLOURS[e['after'][1]]}, by an experiment."
    ),
    "rank": _rank_sentence,
    "ask": _ask_sentence,
}


def sentence(event: Mapping[str, Any]) -> str:
    """One event in plain words."""
    return str(_SENTENCES[event["event"]](event))


def teller(setting: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], str]:
    """Tells the events after a game's first: sentences, and the table drawn at each round's end."""
    picture = Picture(setting)

    def tell(event: Mapping[str, Any]) -> str:
        picture.follow(event)
        if event["event"] == "setup":
            return f"{sentence(event)}\n{LEGEND}"
        if event["event"] == "round_end":
            return f"{sentence(event)}\n{picture.draw()}"
        return sentence(event)

    return tell
