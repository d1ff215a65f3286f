"""The only place for strings: questions, actions, events and states in the words of the rulebook.

Seats are counted from 0, as in the specification; days, evenings, row slots and places on the
starting track from 1. Question names and action tokens are those of the specification.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulate.games.skull_canyon import state as s
from simulate.hooks import Hook

QUESTIONS: tuple[str, ...] = (
    "ACT", "TAKE", "KEY", "RAMP1", "RAMP2", "ADD", "YETI", "GOGGLES", "CLAIM", "SLIDE", "MOVE",
    "PAY", "SWAP1", "SWAP2", "COLOUR", "GEAR", "LODGE",
)  # fmt: skip

QUESTION_WORDS: dict[str, str] = {
    "ACT": "what to do",
    "TAKE": "which card to take",
    "KEY": "what the set shows",
    "RAMP1": "which card to play first of a Ramp pair",
    "RAMP2": "which card to play second of the Ramp pair",
    "ADD": "which card to add to the set",
    "YETI": "where the Yeti goes",
    "GOGGLES": "whether to pay 1 fame for 1 VP",
    "CLAIM": "whether to claim the run",
    "SLIDE": "where to slide",
    "MOVE": "where to go in the village",
    "PAY": "which card to pay",
    "SWAP1": "which style marker to swap",
    "SWAP2": "with which style marker to swap it",
    "COLOUR": "which colour to name",
    "GEAR": "which gear to buy",
    "LODGE": "at which lodge to start",
}

COLOUR_LETTERS = "RYB"
STYLE_LETTERS = "SLCMP"
TYPE_NAMES: tuple[str, ...] = (
    *(colour + style for colour in COLOUR_LETTERS for style in STYLE_LETTERS),
    "ZZ",
)
KEY_NAMES = (
    "red", "yellow", "blue", "slopestyle", "slalom", "ski_cross", "moguls", "off_piste",
)  # fmt: skip
FACES = ("sunny", "icy", "snowy")
AWARDS = ("easy", "advanced", "expert", "total")
DIFFICULTIES = ("easy", "advanced", "expert")
PLACES = ("hot_tub", "yodeling", "happy_hour", "ski_swap", "let_it_ride", "hotel")
STAGES = ("ski", "night", "village", "over")
VP_REASONS = ("run", "precision_goggles", "leftover_fame", "gear", "award", "gift")
FAME_REASONS = (
    "run", "style_bonus", "sno_pro_camera", "waning_daylight", "blazing_boots", "emergency_tent",
    "hot_tub", "gift", "village", "gear", "avalanche_alert", "precision_goggles",
)  # fmt: skip
RIDES = ("lift", "poles", "ticket", "ticket-poles")
TOKENS = ("explosive", "ticket")
CLAIMS = ("first", "steal", "restack")
CAUSES = ("set", "explosive")
TAKEN_FOR = ("train", "happy_hour", "let_it_ride", "hotel")
SHOWN_BY = ("season_pass", "let_it_ride")
GOT_BY = ("bought", "gift")

_LETTERS_PER_NUMBER = 8
_CARDS_PER_NUMBER = 15
_COUNT_BASE = 256
_FACE_BASE = 8


TREATMENTS: tuple[Hook, ...] = (
    Hook("no_pass", {"no_pass": 1}, "the first player marker is not passed (all seats)", "Q2"),
    Hook(
        "gear_gift", {"gear_gift": 1},
        "owns a gear card from the morning of day II on (value: its number, alphabetical from 1)",
        "Q7, Q8", "gear_gift", 1, s.MAX_GEAR,
    ),
    Hook(
        "gear_gift_day1", {"gear_gift": 1, "gift_day": 1},
        "owns a gear card from the start on (value: its number, alphabetical from 1)", "Q7",
        "gear_gift", 1, s.MAX_GEAR,
    ),
    Hook(
        "gear_off", {"gear_off": 1},
        "one gear card has no ability for it (value: its number, alphabetical from 1)", "Q7",
        "gear_off", 1, s.MAX_GEAR,
    ),
    Hook(
        "gear_ban", {"gear_ban": 1},
        "may not buy one gear card (value: its number, alphabetical from 1)", "Q7, Q9",
        "gear_ban", 1, s.MAX_GEAR,
    ),
    Hook(
        "gear_price", {"price_shift": 1}, "pays more for any gear (value: fame, below 0 less)",
        "Q8", "price_shift", -10, 10,
    ),
    Hook(
        "gear_offer", {"gear_offer": 1},
        "one gear card is on offer on the first evening, for all (value: its number)", "Q8, Q9",
        "gear_offer", 1, s.MAX_GEAR,
    ),
    Hook(
        "weather_two", {"weather_two": 1},
        "day II is forced, for all (value: 1 sunny, 2 icy, 3 snowy)", "Q10", "weather_two", 1, 3,
    ),
    Hook(
        "weather_three", {"weather_three": 1},
        "day III is forced, for all (value: 1 sunny, 2 icy, 3 snowy)", "Q10", "weather_three", 1, 3,
    ),
    Hook(
        "closed_place", {"closed_place": 1},
        "finds one village place closed on both evenings (value: 1 hot tub, 2 yodeling, 3 happy"
        " hour, 4 ski swap, 5 let it ride)", "Q11", "closed_place", 1, s.PLACES,
    ),
    Hook(
        "closed_place_first", {"closed_place": 1, "closed_evening": 1},
        "finds one village place closed on the first evening (value as closed_place)", "Q11",
        "closed_place", 1, s.PLACES,
    ),
    Hook(
        "closed_place_second", {"closed_place": 1, "closed_evening": 2},
        "finds one village place closed on the second evening (value as closed_place)", "Q11",
        "closed_place", 1, s.PLACES,
    ),
    Hook("track_random", {"track_random": 1}, "the starting track is in random order, for all",
         "Q12"),
    Hook("track_first", {"track_first": 1}, "is first on the starting track", "Q12"),
    Hook("no_rival_slides", {"slide_cancelled": -1}, "never slides in avalanches of rivals", "Q13"),
    Hook(
        "slide_cancelled", {"slide_cancelled": 1},
        "one of its slides by rivals does not happen (value: which)", "Q13", "slide_cancelled", 1,
        99,
    ),
    Hook(
        "fame_gift", {"fame_gift": 3}, "gets fame on the morning of day II (value)", "Q15",
        "fame_gift", 1, 30, amount=True,
    ),
    Hook(
        "fame_gift_day3", {"fame_gift": 3, "gift_day": 3},
        "gets fame on the morning of day III (value)", "Q15", "fame_gift", 1, 30,
        amount=True,
    ),
    Hook(
        "vp_gift", {"vp_gift": 3}, "gets VP on the morning of day II (value)", "Q15", "vp_gift", 1,
        30, amount=True,
    ),
    Hook(
        "vp_gift_day3", {"vp_gift": 3, "gift_day": 3}, "gets VP on the morning of day III (value)",
        "Q15", "vp_gift", 1, 30, amount=True,
    ),
    Hook("no_steal", {"no_steal": 1}, "is never offered a run that a rival holds", "Q23"),
    Hook(
        "weather_shift", {"weather_shift": 1}, "other weather by lot, for all", "Q19",
        "weather_shift", 1, 1000, "weather", of_table=True,
    ),
    Hook(
        "style_shift", {"style_shift": 1}, "style markers lie elsewhere, for all", "Q19",
        "style_shift", 1, 1000, "style markers", of_table=True,
    ),
    Hook(
        "gear_shift", {"gear_shift": 1}, "gear comes on offer in another order, for all", "Q19",
        "gear_shift", 1, 1000, "gear on offer", of_table=True,
    ),
    Hook(
        "deck_shift", {"deck_shift": 1}, "other slope cards, for all", "Q19", "deck_shift", 1, 1000,
        "slope cards", of_table=True,
    ),
    Hook(
        "policy_shift", {"policy_shift": 1}, "the coins of all strategies fall otherwise", "Q19",
        "policy_shift", 1, 1000, "whims of the players", of_table=True,
    ),
)  # fmt: skip


# ------------------------------------------------------------------------------- text in numbers
def pack_text(text: str) -> list[int]:
    """A short ASCII text as four numbers of eight letters (what a RULES row can hold)."""
    raw = text.encode("ascii")[: s.TEXT_WORDS * _LETTERS_PER_NUMBER]
    padded = raw.ljust(s.TEXT_WORDS * _LETTERS_PER_NUMBER, b"\0")
    return [
        int.from_bytes(padded[at : at + _LETTERS_PER_NUMBER], "little", signed=True)
        for at in range(0, len(padded), _LETTERS_PER_NUMBER)
    ]


def unpack_text(numbers: Sequence[int]) -> str:
    """The text of ``pack_text``."""
    raw = b"".join(
        int(number).to_bytes(_LETTERS_PER_NUMBER, "little", signed=True) for number in numbers
    )
    return raw.rstrip(b"\0").decode("ascii")


# ------------------------------------------------------------------------------- names
def question(code: int) -> str:
    """Name of a question code (``state["phase"]``), "" when nothing is asked."""
    return QUESTIONS[code] if code >= 0 else ""


def board_of(state: Any, rules: Any) -> Any:
    """The board that is played on."""
    return rules["boards"][int(state["board"])]


def node(board: Any, index: int) -> str:
    """A node's id: L1, W2."""
    word = int(board["node_word"][index])
    return f"L{word + 1}" if word < s.MAX_NODES else f"W{word - s.MAX_NODES + 1}"


def run(board: Any, index: int) -> str:
    """A run's id."""
    return unpack_text(board["run_id"][index])


def gear(words: Mapping[str, Any], index: int) -> str:
    """A gear card's id."""
    return str(words["gear"][index])


def key(words: Mapping[str, Any], index: int) -> str:
    """A key: a colour or a style."""
    colours, styles = words["colours"], words["styles"]
    return str(colours[index] if index < s.COLOURS else styles[index - s.COLOURS])


def counts(numbers: Sequence[int]) -> dict[str, int]:
    """Counts by type, those of none left out."""
    return {TYPE_NAMES[card]: int(count) for card, count in enumerate(numbers) if count}


# ------------------------------------------------------------------------------- tokens
def action(state: Any, rules: Any, work: Any, code: int, words: Mapping[str, Any]) -> str:
    """The token of an action code of the question that is asked now."""
    asked = int(state["phase"])
    if asked in _PLAIN:
        return _PLAIN[asked](code)
    if asked in _ON_BOARD:
        return _ON_BOARD[asked](code, board_of(state, rules))
    if asked == s.ASK_MOVE:
        return "hotel" if code == s.HOTEL else PLACES[int(rules["place_at"][code])]
    if asked == s.ASK_SWAP2:
        if code < s.SWAP_SUPPLY:
            return f"run:{run(board_of(state, rules), code)}"
        return f"supply:{words['styles'][code - s.SWAP_SUPPLY]}"
    return _FROM_WORDS[asked](code, words)


def _act(code: int, board: Any) -> str:
    if code < s.ACT_LIFT:
        return "train" if code == s.ACT_TRAIN else "end"
    if code == s.ACT_EXPLOSIVE:
        return "explosive"
    if s.ACT_SKI <= code < s.ACT_TICKET:
        return f"ski:{run(board, code - s.ACT_SKI)}"
    for name, first in (
        ("ticket-poles", s.ACT_TICKET_POLES),
        ("ticket", s.ACT_TICKET),
        ("poles", s.ACT_POLES),
    ):
        if code >= first:
            return f"{name}:{node(board, code - first)}"
    return f"lift:{node(board, code - s.ACT_LIFT)}"


def _take(code: int) -> str:
    if code == s.TAKE_DECK:
        return "deck"
    return "stop" if code == s.TAKE_STOP else f"row:{TYPE_NAMES[code - s.TAKE_ROW]}"


_PLAIN: dict[int, Callable[[int], str]] = {
    s.ASK_TAKE: _take,
    s.ASK_RAMP1: lambda code: TYPE_NAMES[code - 1] if code else "none",
    s.ASK_RAMP2: lambda code: TYPE_NAMES[code],
    s.ASK_ADD: lambda code: "stop" if code == s.ADD_STOP else TYPE_NAMES[code],
    s.ASK_GOGGLES: lambda code: "yes" if code == s.YES else "no",
    s.ASK_CLAIM: lambda code: "claim" if code == s.YES else "decline",
    s.ASK_PAY: lambda code: TYPE_NAMES[code],
}
_ON_BOARD: dict[int, Callable[[int, Any], str]] = {
    s.ASK_ACT: _act,
    s.ASK_YETI: lambda code, board: run(board, code),
    s.ASK_SLIDE: lambda code, board: "pay" if code == s.SLIDE_PAY else node(board, code),
    s.ASK_SWAP1: lambda code, board: run(board, code - 1) if code else "none",
    s.ASK_LODGE: lambda code, board: node(board, code),
}
_FROM_WORDS: dict[int, Callable[[int, Mapping[str, Any]], str]] = {
    s.ASK_KEY: lambda code, words: key(words, code),
    s.ASK_COLOUR: lambda code, words: str(words["colours"][code]),
    s.ASK_GEAR: lambda code, words: gear(words, code - 1) if code else "none",
}


def options(state: Any, rules: Any, work: Any, words: Mapping[str, Any]) -> list[str]:
    """Tokens of all options of the question asked now, in rising order."""
    count = int(work["n_options"])
    return [action(state, rules, work, int(code), words) for code in work["options"][:count]]


# ------------------------------------------------------------------------------- the state
def state(state: Any, rules: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    """The position as a readable dict: the fields of scripted positions, and the clock."""
    board = board_of(state, rules)
    n_seats, asked = int(state["n_seats"]), int(state["phase"])
    weather = [FACES[int(face)] for face in state["weather"][: int(rules["days"])] if face >= 0]
    return {
        "day": int(state["day"]),
        "phase": STAGES[int(state["stage"])],
        "tracker": int(state["tracker"]),
        "first": int(state["first"]),
        "active": int(state["active"]) if state["active"] >= 0 else None,
        "actions": int(state["actions"]),
        "question": question(asked),
        "to_move": int(state["to_move"]),
        "over": bool(state["over"]),
        "weather": weather,
        "seats": {str(seat): _seat_state(state, rules, seat, words) for seat in range(n_seats)},
        "yeti": run(board, int(state["yeti"])) if state["yeti"] >= 0 else "cave",
        "stacks": stacks(state, board),
        "style": {
            run(board, index): str(words["styles"][int(state["style"][index])])
            for index in range(int(board["n_runs"]))
            if state["style"][index] >= 0
        },
        "supply": [
            str(words["styles"][style])
            for style in range(s.STYLES)
            for _ in range(int(state["supply"][style]))
        ],
        "row": [
            TYPE_NAMES[int(card)] if card >= 0 else None
            for card in state["slots"][: int(rules["row"])]
        ],
        "deck": pile(state["deck"], state["deck_at"], state["deck_n"], TYPE_NAMES),
        "discards": counts(state["discards"]),
        "gear_row": [
            gear(words, int(card)) if card >= 0 else None
            for card in state["gear_row"][: int(rules["gear_row"])]
        ],
        "gear_deck": pile(
            state["gear_deck"], state["gear_at"], state["gear_deck_n"], words["gear"]
        ),
        "explosives": int(state["explosives_left"]),
        "tickets": int(state["tickets_left"]),
        "avalanches": int(state["avalanches"]),
        "village": village(state, rules),
    }


def pile(cards: Any, at: int, count: int, names: Sequence[str]) -> list[str]:
    """A deck, top first."""
    return [str(names[int(card)]) for card in cards[int(at) : int(at) + int(count)]]


def stacks(state: Any, board: Any) -> dict[str, list[int]]:
    """Claimed runs and their seats, bottom to top."""
    return {
        run(board, index): [int(seat) for seat in state["stack"][index, : state["stack_n"][index]]]
        for index in range(int(board["n_runs"]))
        if state["stack_n"][index] > 0
    }


def village(state: Any, rules: Any) -> dict[str, Any]:
    """Who is where in the village; empty by day."""
    if state["stage"] != s.STAGE_VILLAGE:
        return {}
    n_seats = int(state["n_seats"])
    places = {
        PLACES[int(rules["place_at"][position])]: [
            int(seat) for seat in state["guests"][position, : int(state["guests_n"][position])]
        ]
        for position in range(s.PLACES)
    }
    hotel = [seat for seat in range(n_seats) if state["position"][seat] == s.HOTEL]
    track = [int(seat) for seat in state["track"][int(state["track_at"]) : n_seats]]
    return {"track": track, **places, "hotel": hotel}


def _seat_state(state: Any, rules: Any, seat: int, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "node": node(board_of(state, rules), int(state["node"][seat])),
        "vp": int(state["vp"][seat]),
        "fame": int(state["fame"][seat]),
        "hand": counts(state["hand"][seat]),
        "cards": int(state["cards"][seat]),
        "markers": int(state["markers"][seat]),
        "explosives": int(state["explosives"][seat]),
        "tickets": int(state["tickets"][seat]),
        "gear": [
            gear(words, index)
            for index in range(int(rules["n_gear"]))
            for _ in range(int(state["owned"][seat, index]))
        ],
        "known": counts(state["known"][seat]),
    }


# ------------------------------------------------------------------------------- events
def events(rows: Any, rules: Any, words: Mapping[str, Any]) -> list[dict[str, Any]]:
    """EVENT rows as objects, in order, by the schema of ``docs/events-skull_canyon.md``."""
    found: list[dict[str, Any]] = []
    for row in rows:
        kind, board = int(row["kind"]) % s.EVENT_BOARD, int(row["kind"]) // s.EVENT_BOARD
        if kind == s.EVENT_SHUFFLE and int(row["seat"]) < 0:  # the rest of a long shuffle
            found[-1]["order"] += _cards(row, found[-1]["cards"] - len(found[-1]["order"]))
        else:
            teller = _Teller(row, rules, rules["boards"][board], words)
            found.append({"event": _KINDS[kind][0], **_KINDS[kind][1](teller)})
    return found


def _cards(row: Any, count: int) -> list[str]:
    """Up to 90 cards packed in a shuffle row."""
    found: list[str] = []
    for name in "abcdef":
        number = int(row[name])
        for _ in range(min(_CARDS_PER_NUMBER, count - len(found))):
            found.append(TYPE_NAMES[number % s.TYPES])
            number //= s.TYPES
    return found


@dataclass(frozen=True)
class _Teller:
    """An event row with what its numbers mean."""

    row: Any
    rules: Any
    board: Any
    words: Mapping[str, Any]

    def number(self, name: str) -> int:
        """A field as it is."""
        return int(self.row[name])

    @property
    def seat(self) -> int:
        """Whose event it is."""
        return int(self.row["seat"])

    def run(self, name: str) -> str:
        """A run's id; "cave" for none."""
        index = self.number(name)
        return run(self.board, index) if index >= 0 else "cave"

    def node(self, name: str) -> str:
        """A node's id."""
        return node(self.board, self.number(name))

    def card(self, name: str) -> str:
        """A slope card's type."""
        return TYPE_NAMES[self.number(name)]

    def style(self, name: str) -> str:
        """A style."""
        return str(self.words["styles"][self.number(name)])

    def gear(self, name: str) -> str:
        """A gear card's id."""
        return gear(self.words, self.number(name))


def _setup(t: _Teller) -> dict[str, Any]:
    board, players = t.board, t.number("a")
    faces = t.number("d")
    weather = []
    for _ in range(t.number("e")):
        weather.append(FACES[faces % _FACE_BASE])
        faces //= _FACE_BASE
    return {
        "players": players,
        "first": t.number("c"),
        "weather": weather,
        "slots": int(t.rules["slots"][players]),
        "places": [PLACES[int(place)] for place in t.rules["place_at"]] + ["hotel"],
        "nodes": {
            node(board, index): float(board["height"][index])
            for index in range(int(board["n_nodes"]))
        },
        "lifts": [
            [node(board, int(board["lift_bottom"][k])), node(board, int(board["lift_top"][k]))]
            for k in range(int(board["n_lifts"]))
        ],
        "runs": [_run_facts(board, index) for index in range(int(board["n_runs"]))],
    }


def _run_facts(board: Any, index: int) -> dict[str, Any]:
    return {
        "id": run(board, index),
        "name": unpack_text(board["run_name"][index]),
        "difficulty": DIFFICULTIES[int(board["difficulty"][index])],
        "top": node(board, int(board["top"][index])),
        "bottom": node(board, int(board["bottom"][index])),
        "style_space": bool(board["style_space"][index]),
        "no_yeti": bool(board["no_yeti"][index]),
    }


def _shuffle(t: _Teller) -> dict[str, Any]:
    count = t.seat
    return {"cards": count, "order": _cards(t.row, count)}


def _turn(t: _Teller) -> dict[str, Any]:
    return {
        "seat": t.seat, "day": t.number("a"), "tracker": t.number("b"), "actions": t.number("c"),
        "by_night": bool(t.number("d")),
    }  # fmt: skip


def _taken(t: _Teller) -> dict[str, Any]:
    return {
        "seat": t.seat, "source": "row" if t.number("a") else "deck", "card": t.card("b"),
        "slot": t.number("c") + 1, "for": TAKEN_FOR[t.number("d")],
    }  # fmt: skip


def _shown(t: _Teller) -> dict[str, Any]:
    return {
        "seat": t.seat, "card": t.card("a"), "kept": bool(t.number("b")),
        "by": SHOWN_BY[t.number("c")],
    }  # fmt: skip


def _ski(t: _Teller) -> dict[str, Any]:
    low, high, pair = t.number("d"), t.number("e"), t.number("f")
    numbers = [(low >> (8 * card)) % _COUNT_BASE for card in range(8)]
    numbers += [(high >> (8 * card)) % _COUNT_BASE for card in range(8)]
    couple = []
    if pair:
        couple = [TYPE_NAMES[(pair - 1) // s.TYPES], TYPE_NAMES[(pair - 1) % s.TYPES]]
    return {
        "seat": t.seat, "run": t.run("a"), "key": key(t.words, t.number("b")),
        "cards": counts(numbers), "ramp": couple, "size": t.number("c"),
    }  # fmt: skip


def _gain(reasons: Sequence[str]) -> Callable[[_Teller], dict[str, Any]]:
    def tell(t: _Teller) -> dict[str, Any]:
        return {
            "seat": t.seat, "reason": reasons[t.number("a")], "delta": t.number("b"),
            "total": t.number("c"),
        }  # fmt: skip

    return tell


def _token(t: _Teller) -> dict[str, Any]:
    return {
        "seat": t.seat, "token": TOKENS[t.number("a")], "delta": t.number("b"),
        "supply": t.number("c"),
    }  # fmt: skip


def _swap(t: _Teller) -> dict[str, Any]:
    other = t.number("c")
    return {
        "seat": t.seat, "run": t.run("a"), "style": t.style("b"),
        "with": run(t.board, other) if other >= 0 else "supply", "other_style": t.style("d"),
    }  # fmt: skip


def _day(t: _Teller) -> dict[str, Any]:
    return {
        "day": t.number("a"), "first": t.number("b"), "weather": FACES[t.number("c")],
        "tracker": t.number("d"),
    }  # fmt: skip


def _result(t: _Teller) -> dict[str, Any]:
    return {
        "seat": t.seat, "vp": t.number("a"), "fame": t.number("b"), "cards": t.number("c"),
        "won": t.number("d") > 0, "shared_by": t.number("d"),
    }  # fmt: skip


# kind -> (its name, what its row tells)
_KINDS: dict[int, tuple[str, Callable[[_Teller], dict[str, Any]]]] = {
    s.EVENT_SETUP: ("setup", _setup),
    s.EVENT_STYLE: ("style", lambda t: {"run": t.run("a"), "style": t.style("b")}),
    s.EVENT_SUPPLY: ("supply", lambda t: {"style": t.style("a"), "markers": t.number("b")}),
    s.EVENT_GEAR_ROW: ("gear_row", lambda t: {"slot": t.number("a") + 1, "gear": t.gear("b")}),
    s.EVENT_SHUFFLE: ("shuffle", _shuffle),
    s.EVENT_ROW: ("row_fill", lambda t: {"slot": t.number("a") + 1, "card": t.card("b")}),
    s.EVENT_RESET: ("row_reset", lambda _t: {}),
    s.EVENT_DEAL: ("deal", lambda t: {"seat": t.seat, "card": t.card("a")}),
    s.EVENT_DAY: ("day_start", _day),
    s.EVENT_TRACKER: ("tracker", lambda t: {"tracker": t.number("a")}),
    s.EVENT_TURN: ("turn_start", _turn),
    s.EVENT_TURN_END: ("turn_end", lambda t: {"seat": t.seat, "unused": t.number("a")}),
    s.EVENT_TAKE: ("take", _taken),
    s.EVENT_RIDE: (
        "ride",
        lambda t: {
            "seat": t.seat, "how": RIDES[t.number("a")], "from": t.node("b"), "to": t.node("c"),
        },
    ),
    s.EVENT_SHOW: ("show", _shown),
    s.EVENT_SKI: ("ski", _ski),
    s.EVENT_YETI: ("yeti", lambda t: {"seat": t.seat, "from": t.run("a"), "to": t.run("b")}),
    s.EVENT_VP: ("vp", _gain(VP_REASONS)),
    s.EVENT_FAME: ("fame", _gain(FAME_REASONS)),
    s.EVENT_CLAIM: (
        "claim",
        lambda t: {
            "seat": t.seat, "run": t.run("a"), "depth": t.number("b"), "kind": CLAIMS[t.number("c")],
        },
    ),
    s.EVENT_DECLINE: ("decline", lambda t: {"seat": t.seat, "run": t.run("a")}),
    s.EVENT_AVALANCHE: (
        "avalanche", lambda t: {"seat": t.seat, "cause": CAUSES[t.number("a")]},
    ),
    s.EVENT_SLIDE: ("slide", lambda t: {"seat": t.seat, "from": t.node("a"), "to": t.node("b")}),
    s.EVENT_STAY: ("stay", lambda t: {"seat": t.seat, "cancelled": bool(t.number("a"))}),
    s.EVENT_TRACK: ("track", lambda t: {"seat": t.seat, "place": t.number("a")}),
    s.EVENT_VISIT: (
        "visit", lambda t: {"seat": t.seat, "place": PLACES[t.number("a")], "slot": t.number("b")},
    ),
    s.EVENT_PAY: ("pay", lambda t: {"seat": t.seat, "card": t.card("a")}),
    s.EVENT_TOKEN: ("token", _token),
    s.EVENT_SWAP: ("swap", _swap),
    s.EVENT_COLOUR: (
        "colour", lambda t: {"seat": t.seat, "colour": str(t.words["colours"][t.number("a")])},
    ),
    s.EVENT_HOTEL: ("hotel", lambda t: {"seat": t.seat, "draws": t.number("a")}),
    s.EVENT_GEAR: (
        "gear",
        lambda t: {
            "seat": t.seat, "gear": t.gear("a"), "price": t.number("b"), "how": GOT_BY[t.number("c")],
        },
    ),
    s.EVENT_GEAR_OUT: ("gear_out", lambda t: {"slot": t.number("a") + 1, "gear": t.gear("b")}),
    s.EVENT_LODGE: ("lodge", lambda t: {"seat": t.seat, "node": t.node("a")}),
    s.EVENT_AWARD: (
        "award",
        lambda t: {
            "seat": t.seat, "award": AWARDS[t.number("a")], "vp": t.number("b"),
            "runs": t.number("c"),
        },
    ),
    s.EVENT_RESULT: ("result", _result),
}  # fmt: skip

EVENT_NAMES: tuple[str, ...] = tuple(_KINDS[kind][0] for kind in sorted(_KINDS))


# ------------------------------------------------------------------------------- sentences
def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if abs(count) == 1 else f"{count} {noun}s"


def _listed(cards: Mapping[str, int]) -> str:
    return " ".join(name if count == 1 else f"{name}x{count}" for name, count in cards.items())


def _words_of(token: str) -> str:
    return token.replace("_", " ")


def _setup_sentence(e: Mapping[str, Any]) -> str:
    days = ", ".join(e["weather"])
    return (
        f"{e['players']} players, seat {e['first']} begins; {len(e['runs'])} runs,"
        f" {_plural(e['slots'], 'slot')} a place; weather {days}."
    )


def _ski_sentence(e: Mapping[str, Any]) -> str:
    pair = f" and the Ramp pair {' + '.join(e['ramp'])}" if e["ramp"] else ""
    return (
        f"Seat {e['seat']} skis {e['run']} with {_listed(e['cards']) or 'no single card'}{pair}"
        f" ({_words_of(e['key'])}, size {e['size']})."
    )


def _take_sentence(e: Mapping[str, Any]) -> str:
    where = f"slot {e['slot']} of the row" if e["source"] == "row" else "the deck"
    return f"Seat {e['seat']} takes {e['card']} from {where} ({_words_of(e['for'])})."


def _delta_sentence(unit: str) -> Callable[[Mapping[str, Any]], str]:
    def tell(e: Mapping[str, Any]) -> str:
        verb = "gains" if e["delta"] >= 0 else "pays"
        what = _words_of(e["reason"])
        return f"Seat {e['seat']} {verb} {abs(e['delta'])} {unit} ({what}), now {e['total']}."

    return tell


def _turn_sentence(e: Mapping[str, Any]) -> str:
    when = "by night" if e["by_night"] else f"tracker on {e['tracker']}"
    return f"Seat {e['seat']} is on, day {e['day']}, {when}: {_plural(e['actions'], 'action')}."


def _token_sentence(e: Mapping[str, Any]) -> str:
    verb = "gets" if e["delta"] > 0 else "uses"
    return f"Seat {e['seat']} {verb} {_plural(abs(e['delta']), e['token'])}."


def _show_sentence(e: Mapping[str, Any]) -> str:
    what = "keeps it" if e["kept"] else "discards it"
    return f"Seat {e['seat']} shows {e['card']} ({_words_of(e['by'])}) and {what}."


def _result_sentence(e: Mapping[str, Any]) -> str:
    end = "." if not e["won"] else " and wins." if e["shared_by"] == 1 else ", a shared win."
    return f"Seat {e['seat']} has {e['vp']} VP, {e['fame']} fame, {e['cards']} cards{end}"


def _ask_sentence(e: Mapping[str, Any]) -> str:
    offered = ", ".join(e["options"])
    what = QUESTION_WORDS.get(e["question"], e["question"])
    return f"  Seat {e['seat']} decides {what} ({offered}): {e['chosen']}."


_SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "setup": _setup_sentence,
    "style": lambda e: f"The style marker of {e['run']} is {_words_of(e['style'])}.",
    "supply": lambda e: f"{_plural(e['markers'], 'marker')} {_words_of(e['style'])} left over.",
    "gear_row": lambda e: f"Gear in slot {e['slot']}: {_words_of(e['gear'])}.",
    "shuffle": lambda e: f"The deck is shuffled: {_plural(e['cards'], 'card')}.",
    "row_fill": lambda e: f"{e['card']} goes to slot {e['slot']} of the row.",
    "row_reset": lambda _e: "Three Yetis: the row is discarded.",
    "deal": lambda e: f"Seat {e['seat']} is dealt {e['card']}.",
    "day_start": lambda e: f"Day {e['day']}, {e['weather']}: seat {e['first']} begins.",
    "tracker": lambda e: f"The daylight tracker moves to {e['tracker'] or 'END'}.",
    "turn_start": _turn_sentence,
    "turn_end": lambda e: (
        f"Seat {e['seat']} is done"
        + (f", {_plural(e['unused'], 'action')} unused." if e["unused"] else ".")
    ),
    "take": _take_sentence,
    "ride": lambda e: f"Seat {e['seat']} rides ({e['how']}) from {e['from']} to {e['to']}.",
    "show": _show_sentence,
    "ski": _ski_sentence,
    "yeti": lambda e: f"Seat {e['seat']} moves the Yeti from {e['from']} to {e['to']}.",
    "vp": _delta_sentence("VP"),
    "fame": _delta_sentence("fame"),
    "claim": lambda e: f"Seat {e['seat']} claims {e['run']} ({e['kind']}, marker {e['depth']}).",
    "decline": lambda e: f"Seat {e['seat']} does not claim {e['run']}.",
    "avalanche": lambda e: f"Avalanche by seat {e['seat']} ({e['cause']}).",
    "slide": lambda e: f"Seat {e['seat']} slides from {e['from']} to {e['to']}.",
    "stay": lambda e: f"Seat {e['seat']} stays where it is.",
    "track": lambda e: f"Seat {e['seat']} is on space {e['place']} of the starting track.",
    "visit": lambda e: f"Seat {e['seat']} moves to {_words_of(e['place'])}, slot {e['slot']}.",
    "pay": lambda e: f"Seat {e['seat']} discards {e['card']} to pay.",
    "token": _token_sentence,
    "swap": lambda e: (
        f"Seat {e['seat']} swaps {_words_of(e['style'])} of {e['run']} with"
        f" {_words_of(e['other_style'])} of {e['with']}."
    ),
    "colour": lambda e: f"Seat {e['seat']} names {e['colour']}.",
    "hotel": lambda e: f"Seat {e['seat']} reaches the Hotel and draws {e['draws']}.",
    "gear": lambda e: (
        f"Seat {e['seat']} gets {_words_of(e['gear'])} ({e['how']}, {e['price']} fame)."
    ),
    "gear_out": lambda e: f"{_words_of(e['gear'])} is discarded from the gear row.",
    "lodge": lambda e: f"Seat {e['seat']} goes to {e['node']}.",
    "award": lambda e: (
        f"Seat {e['seat']} gets {e['vp']} VP for {_plural(e['runs'], 'run')} ({e['award']} award)."
    ),
    "result": _result_sentence,
    "ask": _ask_sentence,
}


def sentence(event: Mapping[str, Any]) -> str:
    """One event in plain words."""
    return _SENTENCES[event["event"]](event)
