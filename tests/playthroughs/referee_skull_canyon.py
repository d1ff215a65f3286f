"""A small referee for Skull Canyon: Ski Fest: checks a told game from its events and the rulebook.

It keeps its own table (deck, row, discards, hands, skiers, VP, fame, tokens, claims, style markers,
gear, the village) and moves it by the events of a replay's JSON Lines; whatever does not fit the
rules, or a total that is told, it says. It knows the printed rules with their default rulings and the
numbers of the first event, and nothing of the engine. Seats are counted from 0, as events count them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

BASE = "L1"
CAVE = "cave"
HOTEL = "hotel"
YETI = "ZZ"
COLOURS = {"red": "R", "yellow": "Y", "blue": "B"}
STYLES = {"slopestyle": "S", "slalom": "L", "ski_cross": "C", "moguls": "M", "off_piste": "P"}
TYPES = [c + s for c in "RYB" for s in "SLCMP"] + [YETI]


def shows(card: str, key: str) -> bool:
    """Whether a card is of a colour or a style; Yetis are of all."""
    if card == YETI:
        return True
    return card[0] == COLOURS[key] if key in COLOURS else card[1] == STYLES[key]


@dataclass
class Player:
    """What lies before a player."""

    node: str = BASE
    hand: Counter[str] = field(default_factory=Counter)
    vp: int = 0
    fame: int = 0
    markers: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    gear: list[str] = field(default_factory=list)

    @property
    def cards(self) -> int:
        """Cards in hand."""
        return self.hand.total()


@dataclass
class Turn:
    """A player's turn, or an extra action by night."""

    seat: int = -1
    actions: int = 0
    night: bool = False
    pair_used: bool = False
    poles_used: bool = False


@dataclass
class Taking:
    """Cards that a place or an action gives: how many were taken, and of which kind."""

    what: str = ""
    taken: int = 0
    budget: int = 0
    yetis: int = 0
    left: int = 0
    closed: bool = False  # a face-up Yeti ended the Train


@dataclass
class Descent:
    """A run being skied, and what is still due for it."""

    seat: int
    run: str
    need: int
    size: int
    yetis: int
    told: set[str] = field(default_factory=set)
    fame: Counter[str] = field(default_factory=Counter)


class Referee:
    """Takes the events of one game; ``faults`` says what was against the rules."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.checked = 0  # totals that were told and agreed
        self.number = 0
        self.data: Mapping[str, Any] = {}
        self.players: list[Player] = []
        self.runs: dict[str, Mapping[str, Any]] = {}
        self.heights: dict[str, float] = {}
        self.lifts: dict[str, set[str]] = {}
        self.weather: list[str] = []
        self.places: list[str] = []
        self.slots = 0
        self.deck: list[str] = []
        self.moving: str | None = None  # the last card of a deck, while the discards are shuffled
        self.dealt = False
        self.row: list[str | None] = []
        self.discards: Counter[str] = Counter()
        self.style: dict[str, str] = {}
        self.supply: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.stacks: dict[str, list[int]] = {}
        self.yeti = CAVE
        self.gear_row: list[str | None] = []
        self.gear_deck: Counter[str] = Counter()
        self.day = 0
        self.tracker = 0
        self.first = 0
        self.turn = Turn()
        self.order: list[int] = []
        self.taking = Taking()
        self.descent: Descent | None = None
        self.due: list[int] = []  # seats that have yet to slide
        self.pending: list[tuple[str, dict[str, Any]]] = []  # events that must come next
        self.track: list[int] = []
        self.at: dict[int, int] = {}  # seat to place of the village, -1 the starting track
        self.guests: dict[int, list[int]] = {}
        self.bought = 0
        self.colour = ""
        self.shown: list[str] = []
        self.final: list[int] = []
        self.given: dict[tuple[int, str], int] = {}
        self.results: dict[int, Mapping[str, Any]] = {}

    def watch(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """All events of a game; the faults."""
        for self.number, event in enumerate(events, start=1):
            self._before(event)
            handler = getattr(self, f"_{event['event']}", None)
            if handler is None:
                self._fault(f"unknown event {event['event']}")
            else:
                handler(event)
        self._end()
        return self.faults

    def _fault(self, text: str) -> None:
        self.faults.append(f"event {self.number}, day {self.day}, tracker {self.tracker}: {text}")

    def _want(self, agreed: object, text: str) -> None:
        if not agreed:
            self._fault(text)

    # ------------------------------------------------------------ what has to come next
    def _before(self, event: Mapping[str, Any]) -> None:
        """Shuffles, refills and payments come at once, before anything else."""
        kind = event["event"]
        if self.pending:
            wanted, fields = self.pending.pop(0)
            told = {name: event.get(name) for name in fields}
            self._want(kind == wanted and told == fields, f"{wanted} {fields} is due, not {kind}")
            return
        if not self.dealt or self.moving is not None:
            return
        if not self.deck and self.discards:
            self._want(kind == "shuffle", f"the discards are shuffled at once, not {kind}")
        elif self.deck and None in self.row:
            last = len(self.deck) == 1 and self.discards
            self._want(
                kind == "row_fill" or (last and kind == "shuffle"), f"the row is filled, not {kind}"
            )
        elif self._must_reset():
            self._want(kind == "row_reset", f"three Yetis send the row away, not {kind}")
        elif kind in ("ask", "turn_end") and event.get("question") not in (
            "YETI", "GOGGLES", "CLAIM", "SLIDE", "TAKE",
        ):  # fmt: skip
            self._end_of_descent()

    def _must_reset(self) -> bool:
        """Three Yetis in the row, unless a reset could never end."""
        if self.row.count(YETI) < self.data["row"]["yeti_reset"]:
            return False
        cards = [*(card for card in self.row if card), *self.deck, *self.discards.elements()]
        others = sum(card != YETI for card in cards)
        if others < len(self.row) - self.data["row"]["yeti_reset"] + 1:
            return False
        halves = not self.discards and len(self.deck) == len(self.row)
        return not (halves and self.deck.count(YETI) >= self.data["row"]["yeti_reset"])

    # ------------------------------------------------------------ setting up
    def _game(self, event: Mapping[str, Any]) -> None:
        self._want(event["game"] == "skull_canyon", "not this game")
        self.data = event["rules_in_full"]
        self._want(not event["treated_seats"], "experiments are against the rules")
        self.gear_deck = Counter(
            {name: card["copies"] for name, card in self.data["gear"]["deck"].items()}
        )
        self.gear_row = [None] * self.data["gear"]["row"]
        self.row = [None] * self.data["setup"]["row"]
        self.tokens = Counter(
            explosive=self.data["token"]["explosives"], ticket=self.data["token"]["tickets"]
        )

    def _setup(self, event: Mapping[str, Any]) -> None:
        data = self.data
        self.players = [
            Player(markers=data["token"]["claim_markers"]) for _ in range(event["players"])
        ]
        self.first = event["first"]
        self.weather, self.places = event["weather"], event["places"]
        self.slots, self.heights = event["slots"], event["nodes"]
        self.runs = {run["id"]: run for run in event["runs"]}
        self.stacks = {name: [] for name in self.runs}
        for bottom, top in event["lifts"]:
            self.lifts.setdefault(bottom, set()).add(top)
        board = data["boards"]["2" if event["players"] == 2 else "34"]
        self._want(list(self.runs) == [run["id"] for run in board["runs"]], "another board")
        self._want(self.heights == board["nodes"], "another mountain")
        self._want(self.first == 0, "seat 0 begins")
        self._want(self.places == data["village"]["order"], "another village")
        slots = data["village"]["slots"]
        self._want(self.slots == slots.get(str(event["players"]), slots.get(event["players"])),
                   "slots of the village")  # fmt: skip
        self._want(len(self.weather) == data["game"]["days"], "a face a day")
        self._want(self.weather[0] == data["weather"]["first"], "day I has its face printed")
        drawn = Counter(self.weather)
        self._want(all(drawn[f] <= n for f, n in data["weather"]["faces"].items()), "faces")

    def _style(self, event: Mapping[str, Any]) -> None:
        self._want(self.runs[event["run"]]["style_space"], f"{event['run']} has no style space")
        self._want(event["run"] not in self.style, "two markers on a run")
        self.style[event["run"]] = event["style"]

    def _supply(self, event: Mapping[str, Any]) -> None:
        self.supply[event["style"]] += event["markers"]

    def _gear_row(self, event: Mapping[str, Any]) -> None:
        slot, name = event["slot"] - 1, event["gear"]
        self._want(self.gear_row[slot] is None, "gear on gear")
        self._want(self.gear_deck[name] > 0, f"no {name} is left in the gear deck")
        self.gear_deck[name] -= 1
        self.gear_row[slot] = name

    def _deal(self, event: Mapping[str, Any]) -> None:
        player = self.players[event["seat"]]
        self._draw(event["card"])
        player.hand[event["card"]] += 1
        self._want(player.cards <= self.data["setup"]["hand"], "too many cards are dealt")
        before = self.players[: event["seat"]]
        self._want(all(p.cards == self.data["setup"]["hand"] for p in before), "dealt in turn")

    # ------------------------------------------------------------ slope cards
    def _shuffle(self, event: Mapping[str, Any]) -> None:
        order = list(event["order"])
        self._want(len(order) == event["cards"], "cards of the shuffle")
        if not self.dealt:
            counts = self.data["deck"]["counts"]
            self._want(
                Counter(order) == +Counter(dict(zip(TYPES, counts, strict=True))), "the deck"
            )
            spaces = {name for name, run in self.runs.items() if run["style_space"]}
            self._want(set(self.style) == spaces, "a marker lies on every style space")
            names = self.data["deck"]["styles"]
            markers = Counter(self.style.values()) + self.supply
            wanted = dict(zip(names, self.data["style"]["markers"], strict=True))
            self._want(markers == +Counter(wanted), "style markers")
            self.dealt = True
        else:
            if len(self.deck) == 1:
                self.moving = self.deck.pop()
            self._want(not self.deck, f"{len(self.deck)} cards are still in the deck")
            self._want(Counter(order) == +self.discards, "not the discards are shuffled")
            self.discards.clear()
        self.deck = order

    def _draw(self, card: str) -> None:
        """The top card of the deck, or the last one of the deck before the shuffle."""
        if self.moving is not None:
            top, self.moving = self.moving, None
        elif self.deck:
            top = self.deck.pop(0)
            self._want(self.deck or not self.discards, "the discards are shuffled at once")
        else:
            self._fault("a card is drawn and there is none")
            return
        self._want(card == top, f"{card} is drawn, {top} was on top")

    def _row_fill(self, event: Mapping[str, Any]) -> None:
        slot = event["slot"] - 1
        self._want(slot == self.row.index(None) if None in self.row else False, "which slot")
        self._draw(event["card"])
        self.row[slot] = event["card"]

    def _row_reset(self, _event: Mapping[str, Any]) -> None:
        self._want(self.row.count(YETI) >= self.data["row"]["yeti_reset"], "too few Yetis")
        self.discards.update(card for card in self.row if card)
        self.row = [None] * len(self.row)

    def _take(self, event: Mapping[str, Any]) -> None:
        seat, card, what = event["seat"], event["card"], event["for"]
        taking = self.taking
        self._want(what == taking.what, f"a card for {what}, not for {taking.what}")
        from_row = event["source"] == "row"
        yeti = from_row and card == YETI
        if what == "train":
            self._want(taking.taken < self.data["train"]["cards"], "a card too many")
            self._want(not taking.closed, "a face-up Yeti ends the Train")
            self._want(not yeti or taking.taken == 0, "a face-up Yeti is no second card")
            taking.closed = yeti and "field_journal" not in self.players[seat].gear
        elif what == "happy_hour":
            taking.budget -= self._happy_cost(seat, card) if from_row else 1
            self._want(taking.budget >= 0, "more than Happy Hour gives")
        else:
            self._want(not from_row, f"{what} gives cards of the deck")
            taking.left -= 1
            self._want(taking.left >= 0, f"more cards than {what} gives")
        taking.yetis += yeti
        taking.taken += 1
        if from_row:
            slot = event["slot"] - 1
            self._want(self.row[slot] == card, f"{card} does not lie in slot {slot + 1}")
            self.row[slot] = None
        else:
            self._draw(card)
        self.players[seat].hand[card] += 1

    def _happy_cost(self, seat: int, card: str) -> int:
        """What a face-up card counts."""
        if card != YETI:
            return 1
        first = self.taking.yetis == 0 and "field_journal" in self.players[seat].gear
        return 1 if first else int(self.data["village"]["happy_hour"]["yeti_counts"])

    def _end_of_taking(self) -> None:
        """Happy Hour is used as far as cards allow; the Hotel gives what there is."""
        taking, self.taking = self.taking, Taking()
        if taking.what == "happy_hour" and taking.budget > 0:
            dear = all(card == YETI or card is None for card in self.row)
            self._want(not self.deck and dear, f"{taking.budget} of Happy Hour are left")
        if taking.what in ("hotel", "let_it_ride"):
            self._want(taking.left == 0 or not self.deck, f"{taking.left} cards are owed")

    def _show(self, event: Mapping[str, Any]) -> None:
        seat, card = event["seat"], event["card"]
        self._draw(card)
        if event["by"] == "season_pass":
            self._want("season_pass" in self.players[seat].gear, "no Season Pass")
            self._want(event["kept"] == (card == YETI), "only Yetis are kept")
        else:
            self._want(self.taking.what == "showing" and event["kept"], "shown cards are kept")
            self.shown.append(card)
            self._want(len(self.shown) <= self.data["village"]["let_it_ride"]["show"], "too many")
            miss = not any(shows(one, self.colour) for one in self.shown)
            if len(self.shown) == self.data["village"]["let_it_ride"]["show"] and miss:
                more = self.data["village"]["let_it_ride"]["more"]
                self.taking = Taking("let_it_ride", left=more)
        if event["kept"]:
            self.players[seat].hand[card] += 1
        else:
            self.discards[card] += 1

    def _pay(self, event: Mapping[str, Any]) -> None:
        hand = self.players[event["seat"]].hand
        self._want(hand[event["card"]] > 0, f"pays {event['card']}, which is not in hand")
        hand[event["card"]] -= 1
        self.discards[event["card"]] += 1

    # ------------------------------------------------------------ days and turns
    def _day_start(self, event: Mapping[str, Any]) -> None:
        if self.day:
            self._want(all(at == self._bed for at in self.at.values()), "somebody is not in bed")
            self._end_of_taking()
            self.first = (self.first + 1) % len(self.players)
        self.day += 1
        self.tracker = self.data["game"]["daylight_start"]
        told = (event["day"], event["first"], event["weather"], event["tracker"])
        mine = (self.day, self.first, self.weather[self.day - 1], self.tracker)
        self._want(told == mine, f"the day begins with {told}, by the referee {mine}")
        self.order = self._clockwise()

    def _clockwise(self) -> list[int]:
        """Seats from the first player on."""
        return [(self.first + i) % len(self.players) for i in range(len(self.players))]

    def _turn_start(self, event: Mapping[str, Any]) -> None:
        seat = event["seat"]
        self._want(self.turn.seat < 0, f"the turn of seat {self.turn.seat} is not over")
        told = (event["day"], event["tracker"])
        self._want(told == (self.day, self.tracker), f"day and tracker are told as {told}")
        if event["by_night"]:
            self._want(not self.order, "the night comes after the last turn")
            self._want("night_goggles" in self.players[seat].gear, "no Night Goggles")
            self._want(self.tracker == 1, "it is not the last turn of the day")
            self._want(event["actions"] == 1, "one action by night")
        else:
            wanted = self.order.pop(0) if self.order else None
            self._want(seat == wanted, f"seat {seat} is on, not {wanted}")
            self._want(event["actions"] == self.data["game"]["actions_per_turn"], "actions")
        self.turn = Turn(seat, event["actions"], event["by_night"])

    def _turn_end(self, event: Mapping[str, Any]) -> None:
        self._end_of_taking()
        self._want(event["seat"] == self.turn.seat, "the turn of somebody else ends")
        self._want(event["unused"] == self.turn.actions, f"{self.turn.actions} actions are unused")
        self.turn = Turn()
        self.checked += 1

    def _tracker(self, event: Mapping[str, Any]) -> None:
        self._want(not self.order, f"seats {self.order} have had no turn")
        self._want(event["tracker"] == self.tracker - 1, f"tracker to {event['tracker']}")
        self.tracker = event["tracker"]
        if self.tracker > 0:
            self.order = self._clockwise()
        elif self.day == self.data["game"]["days"]:
            self._score()

    # ------------------------------------------------------------ questions
    def _ask(self, event: Mapping[str, Any]) -> None:
        options, chosen, seat = event["options"], event["chosen"], event["seat"]
        self._want(chosen in options, "an answer that is not offered")
        self._want(len(options) > 1 and len(set(options)) == len(options), "options")
        lists = getattr(self, f"_options_{event['question'].lower()}", None)
        if lists is not None:
            wanted = set(lists(seat))
            self._want(set(options) == wanted, f"{event['question']}: offered {options}, "
                       f"by the rules {sorted(wanted)}")  # fmt: skip
        if event["question"] == "ACT":
            self._act(chosen)

    def _act(self, chosen: str) -> None:
        """An action is spent, or a token comes next."""
        self._end_of_taking()
        if chosen == "end":
            return
        word, _, target = chosen.partition(":")
        if word in ("train", "lift", "poles", "ski"):
            self._want(self.turn.actions > 0, "no action is left")
            self.turn.actions -= 1
        if word == "train":
            self.taking = Taking("train")
        elif word == "explosive":
            self.pending = [("token", {"token": "explosive", "delta": -1})]
        elif word == "ski":
            self._want(self.runs[target]["top"] == self.players[self.turn.seat].node, "elsewhere")

    def _options_act(self, seat: int) -> Iterable[str]:
        player, turn = self.players[seat], self.turn
        self._want(seat == turn.seat, "somebody else is on")
        yield "end"
        lifts = self.lifts.get(player.node, set())
        poles = set()
        if "ski_poles" in player.gear and not turn.poles_used and not turn.night:
            poles = {run["top"] for run in self.runs.values() if run["bottom"] == player.node}
        if turn.actions > 0:
            if self.deck or any(self.row):
                yield "train"
            yield from (f"lift:{node}" for node in lifts)
            yield from (f"poles:{node}" for node in poles)
            for name, run in self.runs.items():
                if run["top"] == player.node and not self._barred(seat, name):
                    if max(self._largest(seat, key) for key in (*COLOURS, *STYLES)) >= self._need(
                        seat, name
                    ):
                        yield f"ski:{name}"
        if turn.night:
            return
        if player.tokens["ticket"]:
            yield from (f"ticket:{node}" for node in lifts)
            yield from (f"ticket-poles:{node}" for node in poles)
        if player.tokens["explosive"]:
            yield "explosive"

    def _options_slide(self, seat: int) -> Iterable[str]:
        player = self.players[seat]
        yield from {run["bottom"] for run in self.runs.values() if run["top"] == player.node}
        if "avalanche_alert" in player.gear and player.fame >= 1:
            yield "pay"

    def _options_yeti(self, _seat: int) -> Iterable[str]:
        for name, run in self.runs.items():
            if not run["no_yeti"] and name != self.yeti:
                yield name

    def _options_claim(self, seat: int) -> Iterable[str]:
        descent = self.descent
        self._want(descent is not None and descent.seat == seat, "claims what it has not skied")
        return ("claim", "decline")

    def _options_goggles(self, seat: int) -> Iterable[str]:
        self._want("precision_goggles" in self.players[seat].gear, "no Precision Goggles")
        self._want(self.players[seat].fame >= 1, "no fame to pay with")
        return ("yes", "no")

    def _options_move(self, seat: int) -> Iterable[str]:
        self._want(seat == self._guest(), f"seat {seat} moves, not {self._guest()}")
        for at in range(self.at[seat] + 1, self._bed):
            if len(self.guests[at]) < self.slots and self._payable(seat, self.places[at]):
                yield self.places[at]
        yield HOTEL

    def _options_pay(self, seat: int) -> Iterable[str]:
        return (+self.players[seat].hand).keys()

    def _options_colour(self, _seat: int) -> Iterable[str]:
        return COLOURS

    def _options_gear(self, seat: int) -> Iterable[str]:
        yield "none"
        for name in filter(None, self.gear_row):
            card = self.data["gear"]["deck"][name]
            if card["buyable"] and card["cost"] <= self.players[seat].fame:
                yield name

    def _options_lodge(self, _seat: int) -> Iterable[str]:
        self._want(self.data["weather"]["lodge"][self.weather[self.day]] == "any", "no choice")
        return [node for node in self.heights if node.startswith("L")]

    # ------------------------------------------------------------ going up
    def _ride(self, event: Mapping[str, Any]) -> None:
        seat, how, to = event["seat"], event["how"], event["to"]
        player = self.players[seat]
        self._want(seat == self.turn.seat, "rides out of turn")
        self._want(event["from"] == player.node, f"stands at {player.node}")
        if how in ("lift", "ticket"):
            self._want(to in self.lifts.get(player.node, ()), f"no lift goes to {to}")
        else:
            ways = [r for r in self.runs.values() if (r["bottom"], r["top"]) == (player.node, to)]
            self._want(ways, f"no run comes down from {to}")
            self._want("ski_poles" in player.gear and not self.turn.poles_used, "no Ski Poles")
            self.turn.poles_used = True
        player.node = to
        if how.startswith("ticket"):
            self.pending.append(("token", {"seat": seat, "token": "ticket", "delta": -1}))
        if "season_pass" in player.gear and (self.deck or self.discards):
            last = len(self.deck) == 1 and self.discards
            if not last:  # else the shuffle of the discards is told first
                self.pending.append(("show", {"seat": seat, "by": "season_pass"}))

    def _token(self, event: Mapping[str, Any]) -> None:
        token, delta = event["token"], event["delta"]
        held = self.players[event["seat"]].tokens
        self._want(not self.turn.night, "no tokens by night")
        held[token] += delta
        self.tokens[token] -= delta
        self._want(held[token] >= 0 and self.tokens[token] >= 0, f"no {token} is there")
        self._want(event["supply"] == self.tokens[token], f"{token} in the supply")
        if token == "explosive" and delta < 0:
            self.pending = [("avalanche", {"seat": event["seat"], "cause": "explosive"})]

    # ------------------------------------------------------------ a run
    def _need(self, seat: int, run: str) -> int:
        """Cards to ski a run."""
        difficulty = self.runs[run]["difficulty"]
        bling = difficulty == "advanced" and "bling_bindings" in self.players[seat].gear
        return int(self.data["run"][difficulty]["cards"]) - bling

    def _claim_need(self, seat: int, run: str) -> int:
        """Cards to put a marker on a run."""
        stack = self.stacks[run]
        need = self._need(seat, run) + len(stack) * int(self.data["steal"]["per_marker"])
        if stack and stack[-1] != seat and "heated_gloves" in self.players[stack[-1]].gear:
            need += 1
        return need

    def _barred(self, seat: int, run: str) -> bool:
        return self.yeti == run and "yeti_energy" not in self.players[seat].gear

    def _pair_ready(self, seat: int) -> bool:
        used = self.turn.pair_used or self.turn.night
        return "ramp" in self.players[seat].gear and not used

    def _largest(self, seat: int, key: str) -> int:
        """The largest set of a key in hand."""
        hand = self.players[seat].hand
        fitting = sum(count for card, count in hand.items() if shows(card, key))
        return fitting + (self._pair_ready(seat) and hand.total() - fitting >= 2)

    def _ski(self, event: Mapping[str, Any]) -> None:
        seat, run, key = event["seat"], event["run"], event["key"]
        player, pair = self.players[seat], event["ramp"]
        self._want(seat == self.turn.seat, "skis out of turn")
        self._want(self.runs[run]["top"] == player.node, f"{run} does not begin at {player.node}")
        self._want(not self._barred(seat, run), "the Yeti stands on the run")
        cards = Counter(event["cards"])
        self._want(all(shows(card, key) for card in cards), f"not all cards are {key}")
        if pair:
            self._want(self._pair_ready(seat) and len(pair) == 2, "no Ramp")
            self._want(not all(shows(card, key) for card in pair), "a pair of two fitting cards")
            self.turn.pair_used = True
        size = cards.total() + bool(pair)
        self._want(event["size"] == size, f"a set of {size}")
        need = self._need(seat, run)
        self._want(size >= need, f"{run} needs {need} cards")
        played = cards + Counter(pair)
        self._want(all(player.hand[card] >= n for card, n in played.items()), "not in hand")
        player.hand -= played
        self.discards += played
        player.node = self.runs[run]["bottom"]
        self.descent = Descent(seat, run, need, size, played[YETI])
        self._due_fame(self.descent, cards, pair, key)

    def _due_fame(
        self, descent: Descent, cards: Counter[str], pair: Sequence[str], key: str
    ) -> None:
        """What the run pays: base fame, doubled once at most, then daylight and Boots."""
        seat, run = descent.seat, descent.run
        gear = self.players[seat].gear
        base = int(self.data["run"][self.runs[run]["difficulty"]]["fame"])
        more = base * (int(self.data["bonus"]["style_factor"]) - 1)
        descent.fame["run"] = base
        style = self.style.get(run)
        if style is not None:
            if all(shows(card, style) for card in cards) and (not pair or key == style):
                descent.fame["style_bonus"] = more
        elif "sno_pro_camera" in gear:
            if all(shows(card, "red") for card in cards) and (not pair or key == "red"):
                descent.fame["sno_pro_camera"] = more
        if self.runs[run]["bottom"] == BASE:
            descent.fame["waning_daylight"] = self._daylight()
        descent.fame["blazing_boots"] = int("blazing_boots" in gear)
        descent.fame = +descent.fame

    def _daylight(self) -> int:
        """Fame for coming down to the base now."""
        bonus = self.data["bonus"]
        return int(bonus["waning"]) if self.tracker == bonus["waning_tracker"] else 0

    def _end_of_descent(self) -> None:
        """Everything that the run brings has been told."""
        self._want(not self.due, f"seats {self.due} have not slid")
        descent, self.descent = self.descent, None
        if descent is None:
            return
        told = {"vp"}
        if descent.yetis == self.data["yeti"]["move_if_exactly"]:
            told.add("yeti")
        if descent.yetis >= self.data["yeti"]["avalanche_from"]:
            told.add("avalanche")
        enough = descent.size >= self._claim_need(descent.seat, descent.run)
        if "claim" not in descent.told and enough and self.players[descent.seat].markers:
            self._want("decline" in descent.told, "the run could be claimed")
        self._want(told <= descent.told, f"of the run only {descent.told} came about, not {told}")
        self._want(not descent.fame, f"fame is owed: {dict(descent.fame)}")

    def _note(self, kind: str) -> Descent | None:
        """Something of the run under way comes about."""
        if self.descent is not None:
            self._want(kind not in self.descent.told, f"{kind} twice on a run")
            self.descent.told.add(kind)
        return self.descent

    def _yeti(self, event: Mapping[str, Any]) -> None:
        descent = self._note("yeti")
        one = descent is not None and descent.yetis == self.data["yeti"]["move_if_exactly"]
        self._want(one, "the Yeti moves for exactly one Yeti card")
        self._want(event["from"] == self.yeti, f"the Yeti is at {self.yeti}")
        self._want(event["to"] in self._options_yeti(event["seat"]), f"no Yeti on {event['to']}")
        self.yeti = event["to"]

    def _claim(self, event: Mapping[str, Any]) -> None:
        seat, run = event["seat"], event["run"]
        descent, stack = self._note("claim"), self.stacks[run]
        if descent is None or (descent.seat, descent.run) != (seat, run):
            self._fault("claims a run that it has not skied")
            return
        need = self._claim_need(seat, run)
        self._want(descent.size >= need, f"{need} cards are needed to claim")
        kind = "first" if not stack else "restack" if stack[-1] == seat else "steal"
        self._want((event["kind"], event["depth"]) == (kind, len(stack) + 1), f"marker {kind}")
        self.players[seat].markers -= 1
        self._want(self.players[seat].markers >= 0, "no claim marker is left")
        stack.append(seat)

    def _decline(self, event: Mapping[str, Any]) -> None:
        descent = self._note("decline")
        right = descent is not None and (descent.seat, descent.run) == (event["seat"], event["run"])
        self._want(right, "declines a run that it has not skied")

    # ------------------------------------------------------------ VP and fame
    def _vp(self, event: Mapping[str, Any]) -> None:
        seat, reason, delta = event["seat"], event["reason"], event["delta"]
        player = self.players[seat]
        if reason == "run":
            descent = self._note("vp")
            run = self.runs[descent.run] if descent else {"difficulty": "easy"}
            self._want(delta == self.data["run"][run["difficulty"]]["vp"], f"{delta} VP for a run")
        elif reason == "precision_goggles":
            self._want("precision_goggles" in player.gear and delta == 1, "Precision Goggles")
        elif reason == "leftover_fame":
            self._want(delta == player.fame // self.data["fame"]["per_vp"], "leftover fame")
        elif reason == "gear":
            self._want(delta == self._gear_vp(player), "VP of gear")
        else:
            self._fault(f"VP for {reason}")
        player.vp += delta
        self._want(event["total"] == player.vp, f"{player.vp} VP by the referee")
        self.checked += 1

    def _gear_vp(self, player: Player) -> int:
        return sum(int(self.data["gear"]["deck"][name]["vp"]) for name in player.gear)

    def _fame(self, event: Mapping[str, Any]) -> None:
        seat, reason, delta = event["seat"], event["reason"], event["delta"]
        player = self.players[seat]
        descent = self.descent
        if delta > 0 and descent is not None and descent.seat == seat and reason in descent.fame:
            self._want(descent.fame.pop(reason) == delta, f"fame for {reason}")
        elif not self._fame_elsewhere(player, reason, delta):
            self._fault(f"{delta} fame for {reason}")
        player.fame += delta
        self._want(player.fame >= 0, "pays fame that it has not")
        self._want(event["total"] == player.fame, f"{player.fame} fame by the referee")
        self.checked += 1

    def _fame_elsewhere(self, player: Player, reason: str, delta: int) -> bool:
        """Whether fame that no run pays is due."""
        village = self.data["village"]
        if reason == "waning_daylight":  # a slide to the base
            return player.node == BASE and delta == self._daylight() > 0
        if reason == "emergency_tent":
            return "emergency_tent" in player.gear and delta == 1
        if reason == "hot_tub":
            return bool(delta == village["hot_tub"]["gain_fame"])
        if reason in ("avalanche_alert", "precision_goggles"):
            return reason in player.gear and delta == -1
        return reason in ("village", "gear") and delta < 0  # their events say what they cost

    # ------------------------------------------------------------ avalanches
    def _avalanche(self, event: Mapping[str, Any]) -> None:
        maker = event["seat"]
        self._want(maker == self.turn.seat, "an avalanche out of turn")
        if event["cause"] == "set":
            descent = self._note("avalanche")
            enough = descent and descent.yetis >= self.data["yeti"]["avalanche_from"]
            self._want(enough, "an avalanche takes two Yetis")
        seats = [(maker + i) % len(self.players) for i in range(len(self.players))]
        self.due = [seat for seat in seats if self.players[seat].node != BASE]
        if "emergency_tent" in self.players[maker].gear:
            self.pending = [("fame", {"seat": maker, "reason": "emergency_tent", "delta": 1})]

    def _slide(self, event: Mapping[str, Any]) -> None:
        seat, to = event["seat"], event["to"]
        player = self.players[seat]
        wanted = self.due.pop(0) if self.due else None
        self._want(seat == wanted, f"seat {seat} slides, not {wanted}")
        self._want(event["from"] == player.node, f"slides from {player.node}")
        ends = {run["bottom"] for run in self.runs.values() if run["top"] == player.node}
        self._want(to in ends, f"no run leads from {player.node} to {to}")
        player.node = to
        if to == BASE and self._daylight():
            self.pending = [("fame", {"seat": seat, "reason": "waning_daylight"})]

    def _stay(self, event: Mapping[str, Any]) -> None:
        wanted = self.due.pop(0) if self.due else None
        self._want(event["seat"] == wanted, f"seat {event['seat']} stays, not {wanted}")
        self._want(not event["cancelled"], "an experiment cancels a slide")
        self._want("avalanche_alert" in self.players[event["seat"]].gear, "no Avalanche Alert")

    # ------------------------------------------------------------ the village
    @property
    def _bed(self) -> int:
        return self.places.index(HOTEL)

    def _track(self, event: Mapping[str, Any]) -> None:
        if event["place"] == 1:
            self._want(self.tracker == 0, "it is still day")
            self.track = sorted(
                self._clockwise(), key=lambda seat: self.heights[self.players[seat].node]
            )
            self.at = dict.fromkeys(self.track, -1)
            self.guests = {place: [] for place in range(self._bed)}
        self._want(event["seat"] == self.track[event["place"] - 1], "the starting track")

    def _guest(self) -> int | None:
        """Whose village turn it is: the starting track, then who is furthest left."""
        waiting = [seat for seat in self.track if self.at[seat] == -1]
        if waiting:
            return waiting[0]
        return next((stack[-1] for stack in self.guests.values() if stack), None)

    def _payable(self, seat: int, place: str) -> bool:
        cost, player = self.data["village"][place], self.players[seat]
        return player.fame >= cost["fame"] and player.cards >= cost["cards"]

    def _leave(self, seat: int, to: int) -> None:
        """Go on along the path."""
        self._end_of_taking()
        self._want(seat == self._guest(), f"seat {seat} moves, not {self._guest()}")
        self._want(to > self.at[seat], "back along the path")
        if self.at[seat] >= 0:
            self.guests[self.at[seat]].remove(seat)
        self.at[seat] = to

    def _visit(self, event: Mapping[str, Any]) -> None:
        seat, place = event["seat"], event["place"]
        to = self.places.index(place)
        self._leave(seat, to)
        self._want(self._payable(seat, place), f"cannot pay {place}")
        self.guests[to].append(seat)
        slot = len(self.guests[to])
        self._want(event["slot"] == slot <= self.slots, f"slot {slot} of {place}")
        cost = self.data["village"][place]
        if cost["fame"]:
            self.pending.append(
                ("fame", {"seat": seat, "reason": "village", "delta": -cost["fame"]})
            )
        if place == "happy_hour":
            self.taking = Taking("happy_hour", budget=cost["take"])
        elif place == "let_it_ride":
            self.shown = []
            self.taking = Taking("showing")

    def _swap(self, event: Mapping[str, Any]) -> None:
        run, other = event["run"], event["with"]
        there = self.style.get(other) if other != "supply" else event["other_style"]
        told = (event["style"], event["other_style"])
        self._want(told == (self.style.get(run), there), f"markers {told}")
        self._want(told[0] != told[1], "two like markers change places")
        self.style[run] = event["other_style"]
        if other == "supply":
            self._want(len(self.players) < 4, "four players leave the supply alone")
            self._want(self.supply[event["other_style"]] > 0, "no such marker is left over")
            self.supply[event["other_style"]] -= 1
            self.supply[event["style"]] += 1
        else:
            self.style[other] = event["style"]

    def _colour(self, event: Mapping[str, Any]) -> None:
        self._want(self.taking.what == "showing", "names a colour at no place of that kind")
        self.colour = event["colour"]

    def _hotel(self, event: Mapping[str, Any]) -> None:
        self._leave(event["seat"], self._bed)
        draws = self.data["weather"]["draw"][self.weather[self.day]]
        self._want(event["draws"] == draws, f"tomorrow's weather gives {draws} cards")
        self.taking = Taking("hotel", left=draws)
        self.bought = 0

    def _gear(self, event: Mapping[str, Any]) -> None:
        seat, name = event["seat"], event["gear"]
        card = self.data["gear"]["deck"][name]
        self._want(event["how"] == "bought", "gear as a gift")
        self._want(self.at.get(seat) == self._bed and self.tracker == 0, "buys by day")
        self._want(name in self.gear_row and card["buyable"], f"{name} is not on offer")
        self._want(event["price"] == card["cost"], f"{name} costs {card['cost']}")
        self.bought += 1
        self._want(self.bought <= self.data["gear"]["per_hotel"], "buys twice")
        if name in self.gear_row:
            self.gear_row[self.gear_row.index(name)] = None
        self.players[seat].gear.append(name)

    def _gear_out(self, event: Mapping[str, Any]) -> None:
        self._want(self.day in self.data["gear"]["renew_after"], "gear is renewed too often")
        slot = event["slot"] - 1
        self._want(self.gear_row[slot] == event["gear"], "other gear lies there")
        self.gear_row[slot] = None

    def _lodge(self, event: Mapping[str, Any]) -> None:
        anywhere = self.data["weather"]["lodge"][self.weather[self.day]] == "any"
        node = event["node"]
        self._want(node == BASE or (anywhere and node.startswith("L")), f"starts at {node}")
        self.players[event["seat"]].node = node

    # ------------------------------------------------------------ the end
    def _tops(self, seat: int, award: str) -> int:
        """Runs that a seat tops and that count for an award."""
        return sum(
            bool(stack) and stack[-1] == seat
            and award in ("total", self.runs[name]["difficulty"])
            for name, stack in self.stacks.items()
        )  # fmt: skip

    def _score(self) -> None:
        """The referee's own final score."""
        seats = range(len(self.players))
        self.final = [
            player.vp + player.fame // int(self.data["fame"]["per_vp"]) + self._gear_vp(player)
            for player in self.players
        ]
        for award, worth in self.data["award"].items():
            counts = [self._tops(seat, award) for seat in seats]
            winners = [seat for seat in seats if counts[seat] == max(counts) > 0]
            for seat in winners:
                self.final[seat] += worth // len(winners)
                self.given[seat, award] = worth // len(winners)

    def _award(self, event: Mapping[str, Any]) -> None:
        seat, award = event["seat"], event["award"]
        self._want(self.given.pop((seat, award), 0) == event["vp"], f"the award for {award}")
        self._want(event["runs"] == self._tops(seat, award), f"{award} runs topped")

    def _result(self, event: Mapping[str, Any]) -> None:
        self.results[event["seat"]] = event

    def _end(self) -> None:
        """The winner: most VP, then most fame, then most cards, then shared."""
        self._want(not any(self.given.values()), f"awards that nobody got: {self.given}")
        self._want(len(self.results) == len(self.players), "a result a seat")
        standing = {
            seat: (self.final[seat], player.fame, player.cards)
            for seat, player in enumerate(self.players)
            if self.final
        }
        best = [seat for seat, told in standing.items() if told == max(standing.values())]
        for seat, event in self.results.items():
            told = (event["vp"], event["fame"], event["cards"])
            self._want(told == standing.get(seat), f"seat {seat} ends with {standing.get(seat)}")
            won = len(best) if seat in best else 0
            self._want(
                (event["won"], event["shared_by"]) == (won > 0, won), f"seat {seat}: the win"
            )
            self.checked += 1
