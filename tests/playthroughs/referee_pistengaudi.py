"""A small referee for Pistengaudi: checks a told game from its events and the rulebook alone.

It keeps the slope, the figures, the hand and what is left in the stack, and moves them by the events
of a replay's JSON Lines. Every question's options, every placement, ride, throw and groomer move is
held against its own list, made by the slow readings of ``by_the_book``; so are the totals at the
ends of turns and the order at the end. It reads the rules from the first event and knows nothing of
the engine.
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_path = Path(__file__).parents[1] / "games" / "pistengaudi" / "by_the_book.py"
_spec = importlib.util.spec_from_file_location("by_the_book", _path)
assert _spec is not None
assert _spec.loader is not None
book = importlib.util.module_from_spec(_spec)
sys.modules.setdefault("by_the_book", book)
_spec.loader.exec_module(book)

Cell = tuple[int, int]
GROOM_WAYS = {"up": (0, -1), "left": (-1, 0), "right": (1, 0), "down": (0, 1)}
STEP_WAYS = {"down": "D", "left": "L", "right": "R"}
PASS = "pass"


def card_of(word: str) -> tuple[str, ...]:
    """A card whichever half is written first."""
    return tuple(sorted(word.split("/")))


def at(address: Sequence[int]) -> Cell:
    """A cell as a pair."""
    x, y = address
    return x, y


@dataclass
class Figure:
    """A figure on the slope, or in the goal."""

    cell: Cell = book.LIFT
    lying: bool = False
    area: int = 0
    arrival: int = 0


@dataclass
class Turn:
    """What has happened in the turn under way."""

    seat: int = -1
    slots: int = 0
    hand: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    lifted: tuple[Cell, str, str] | None = None
    answered: dict[str, Any] = field(default_factory=dict)
    word: str = ""  # cell moves of the ride
    steps: int = 0
    rode: bool = False
    due: str = ""  # the effect of the space where the ride ended: S, G or none


class Referee:
    """Takes the events of one game; ``faults`` says what was against the rules."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.checked = Counter[str]()  # what was held against an own list, by kind
        self.number = 0
        self.round = 0
        self.turns = 0
        self.figures: list[Figure] = []
        self.stack: Counter[tuple[str, ...]] = Counter()
        self.cards: dict[Cell, tuple[str, str]] = {}  # as printed, by their upper cell
        self.turn = Turn()
        self.listed: dict[str, set[Any]] = {}  # own lists, until something has changed
        self.next_seat = 0
        self.final = False
        self.over = False
        self.first_done = False
        self.places: set[int] = set()

    def watch(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """All events of a game; the faults."""
        for self.number, event in enumerate(events, start=1):
            handler = getattr(self, f"_{event['event']}", None)
            if handler is None:
                self._fault(f"unknown event {event['event']}")
            else:
                handler(event)
            if event["event"] != "ask":
                self.listed.clear()
        self._want(self.over, "the game has no end")
        self._want(self.places == set(range(len(self.figures))), "places are missing")
        return self.faults

    def _fault(self, text: str) -> None:
        self.faults.append(f"event {self.number}, round {self.round}: {text}")

    def _want(self, agreed: bool, text: str) -> None:
        if not agreed:
            self._fault(text)

    # ------------------------------------------------------------ what the referee sees
    @property
    def rulings(self) -> Any:
        """The table [rules]."""
        return self.slope.rules["rules"]

    @property
    def highest(self) -> int:
        """R."""
        return int(book.highest_row(self.cells, self.slope.height))

    @property
    def cells(self) -> list[Cell | None]:
        """Where the figures stand, None in the goal."""
        return [None if figure.area else figure.cell for figure in self.figures]

    def progress(self, seat: int) -> int:
        """Row, or the last row and the area."""
        figure = self.figures[seat]
        height = int(self.slope.height)
        return height + figure.area if figure.area else min(figure.cell[1], height)

    def leader(self) -> int | None:
        """The one with the most progress."""
        done = [self.progress(seat) for seat in range(len(self.figures))]
        return done.index(max(done)) if done.count(max(done)) == 1 else None

    # ------------------------------------------------------------ setting up
    def _game(self, event: Mapping[str, Any]) -> None:
        self._want(event["game"] == "pistengaudi", "not a game of Pistengaudi")
        self.slope = book.Slope(event["rules_in_full"])
        self.wide = self.slope.rules["board"]["half_width"]
        self._narrow()
        self.treated = set(event["treated_seats"])

    def _setup(self, event: Mapping[str, Any]) -> None:
        rules = self.slope.rules
        self.figures = [Figure() for _ in range(event["seats"])]
        for word, count in event["deck"].items():
            self.stack[card_of(word)] += count
        self._want(self.stack == Counter(map(card_of, rules["deck"]["cards"])), "another deck")
        self._want(self.stack.total() == event["stack"], "cards of the stack")
        wanted = rules["draw"]["cards_per_turn"][str(event["seats"])]
        self._want(event["cards_per_turn"] == wanted, "cards of a turn")
        self.per_turn = event["cards_per_turn"]

    def _round(self, event: Mapping[str, Any]) -> None:
        self.round += 1
        self._want(event["round"] == self.round, f"round {event['round']} after {self.round - 1}")
        self._want(not self.final, "a round after the last one")
        self.next_seat = 0

    # ------------------------------------------------------------ a turn
    def _turn(self, event: Mapping[str, Any]) -> None:
        seat, figure = event["seat"], self.figures[event["seat"]]
        self.turns += 1
        self.turn = Turn(seat, slots=self.per_turn)
        self._want(seat == self.next_seat, f"seat {seat} is on, not {self.next_seat}")
        self._want(figure.area == 0, "a figure in the goal takes a turn")
        mine = (self.turns, self.highest, list(figure.cell), figure.lying, self.stack.total())
        told = tuple(event[name] for name in ("turn", "row_highest", "at", "lying", "stack"))
        self._want(told == mine, f"the turn begins with {told}, the referee has {mine}")

    def _turn_end(self, event: Mapping[str, Any]) -> None:
        seat, figure = event["seat"], self.figures[event["seat"]]
        self._want(seat == self.next_seat, f"the turn of seat {seat} ends, not {self.next_seat}")
        self._want(not self.turn.hand, "a card is left in the hand")
        self._want(not self.turn.due, f"the effect {self.turn.due} was left out")
        where = None if figure.area else list(figure.cell)
        mine = (self.highest, where, figure.area, figure.lying)
        told = tuple(event[name] for name in ("row_highest", "at", "area", "lying"))
        self._want(told == mine, f"the turn ends with {told}, the referee has {mine}")
        self.checked["turn"] += 1
        self.next_seat = seat + 1

    def _round_end(self, event: Mapping[str, Any]) -> None:
        self._want(self.next_seat == len(self.figures), "the round ends early")
        self._want(event["round"] == self.round, f"round {event['round']} ends")
        self._want(event["sole_leader"] == self.leader(), f"the lead of {event['sole_leader']}")

    # ------------------------------------------------------------ questions
    def _ask(self, event: Mapping[str, Any]) -> None:
        question, turn = event["question"], self.turn
        self._want(event["seat"] == turn.seat, "a question out of turn")
        mine = self._offered(question)
        told = list(map(_plain, event["options"]))
        self._want(len(told) > 1, "a question without a choice")
        self._want(len(set(told)) == len(told), "an option twice")
        self._want(set(told) == mine, f"{question}: {_difference(set(told), mine)}")
        self._want(_plain(event["chosen"]) in mine, "an answer that may not be given")
        self.checked[question] += 1
        turn.answered[question] = _plain(event["chosen"])

    def _offered(self, question: str) -> set[Any]:
        """The referee's own list of options."""
        if question in self.listed:
            return self.listed[question]
        lists = {
            "PG-D-PLACE": self.placements, "PG-D-MOVE": self.outcomes, "PG-D-SNOW": self.targets,
            "PG-D-GROOM": self.grooms, "PG-D-EMPTY": self.takeable,
        }  # fmt: skip
        self.listed[question] = lists[question]()
        return self.listed[question]

    def _taken(self, question: str, option: Any) -> None:
        """An option is carried out: the one that was chosen, or the only one."""
        mine = self._offered(question)
        self._want(option in mine, f"{question}: {option} is not allowed")
        if question in self.turn.answered:
            chosen = self.turn.answered.pop(question)
            self._want(option == chosen, f"{question}: {option} instead of {chosen}")
        else:
            self._want(len(mine) == 1, f"{question}: not asked, with {len(mine)} options")

    # ------------------------------------------------------------ cards
    def placements(self) -> set[Any]:
        """PG-D-PLACE: every legal placement of every card of the hand."""
        found: set[Any] = set()
        for card in self.turn.hand:
            found |= self.slope.placements(
                card, self.highest, self.cells, first=not self.first_done
            )
        return found

    def vetoed(self) -> int:
        """Placements that fit and that the forest rule strikes out."""
        fitting = 0
        for card in {card_of(card) for card in self.turn.hand}:
            places = sum(
                self.slope.fits(cell, self.highest, first=not self.first_done)
                for cell in self.slope.table
            )
            fitting += places * len(set(card))
        return fitting - len(self._offered("PG-D-PLACE"))

    def _draw(self, event: Mapping[str, Any]) -> None:
        card, turn = card_of(event["card"]), self.turn
        self._want(self.stack[card] > 0, f"{event['card']} is not in the stack")
        self.stack[card] -= 1
        self._want(turn.slots > 0, "a card too many")
        self._want(event["stack"] == self.stack.total(), "cards left in the stack")
        turn.slots -= 1
        turn.hand.append(event["card"])

    def _place(self, event: Mapping[str, Any]) -> None:
        cell, up, down = at(event["at"]), event["up"], event["down"]
        self._want(event["row_highest"] == self.highest, "the highest row")
        self._want(event["vetoed"] == self.vetoed(), f"{self.vetoed()} placements are struck out")
        self._taken("PG-D-PLACE", (*cell, up, down))
        self._from_hand(f"{up}/{down}")
        self._lay(cell, up, down)
        self.first_done = True
        self.turn.lifted = None

    def _lay(self, cell: Cell, up: str, down: str) -> None:
        self.cards[cell] = (up, down)
        self.slope = self.slope.with_card(cell, up, down)
        self._narrow()

    def _narrow(self) -> None:
        """Spec 2.2, search lemma: columns two beyond the built ones need not be looked at."""
        wide = min(self.wide, max((abs(x) for x, _ in self.cards), default=0) + 2)
        rules = self.slope.rules
        board = {**rules["board"], "half_width": wide}
        self.slope = book.Slope({**rules, "board": board}, self.slope.spaces)

    def _from_hand(self, word: str) -> None:
        held = [card for card in self.turn.hand if card_of(card) == card_of(word)]
        self._want(bool(held), f"{word} is not in the hand")
        if held:
            self.turn.hand.remove(held[0])

    def _set_aside(self, event: Mapping[str, Any]) -> None:
        self._want(not self.placements(), "a card is set aside that has a place")
        self._from_hand(event["card"])
        self.turn.aside.append(event["card"])
        if not self.turn.hand:
            self.checked["set aside"] += 1

    def _under_stack(self, event: Mapping[str, Any]) -> None:
        self._away(event, "under_stack")
        self.stack[card_of(event["card"])] += 1

    def _out_of_game(self, event: Mapping[str, Any]) -> None:
        self._away(event, "out_of_game")

    def _away(self, event: Mapping[str, Any], where: str) -> None:
        self._want(self.slope.rules["draw"]["unplaceable"] == where, f"a card goes {where}")
        self._want(self.turn.aside[:1] == [event["card"]], f"{event['card']} was not set aside")
        del self.turn.aside[:1]

    # ------------------------------------------------------------ the empty stack
    def takeable(self) -> set[Any]:
        """PG-D-EMPTY: forgo, and the uppermost cards without a figure."""
        own = self.figures[self.turn.seat]
        occupied = {cell for cell in self.cells if cell is not None}
        free = [
            (x, y) for x, y in self.cards if not {(x, y), (x, y + 1)} & occupied
        ]  # fmt: skip
        block = self.rulings["empty"]["occupied"] == "block"
        top = min((y for _, y in (self.cards if block else free)), default=0)
        found: set[Any] = {("take", x, y) for x, y in free if y == top}
        may_forgo = self.rulings["empty"]["forgo"] == "free" or self.slope.route_ready(own.cell)
        if may_forgo or not found:
            found.add("forgo")
        return found

    def _stack_empty(self, event: Mapping[str, Any]) -> None:
        self._want(self.stack.total() == 0, "the stack is not empty")
        self._want(self.turn.slots > 0, "no slot is open")

    def _forgo(self, event: Mapping[str, Any]) -> None:
        self._taken("PG-D-EMPTY", "forgo")
        self.turn.slots = 0

    def _take(self, event: Mapping[str, Any]) -> None:
        cell, up, down = at(event["at"]), event["up"], event["down"]
        self._taken("PG-D-EMPTY", ("take", *cell))
        halves = (cell, book.moved(cell, "D"))
        shown = tuple(self.slope.spaces.pop(half, "") for half in halves)
        self._want(shown == (up, down), f"{shown} lies at {cell}")
        printed = self.cards.pop(cell, (up, down))
        self.turn.slots -= 1
        self.turn.lifted = (cell, *printed)
        self.turn.hand.append("/".join(printed))

    def _put_back(self, event: Mapping[str, Any]) -> None:
        cell, up, down = at(event["at"]), event["up"], event["down"]
        self._want(self.turn.lifted == (cell, up, down), "put back otherwise than it lay")
        self._want(not self.placements(), "a card is put back that has a place")
        self._from_hand(f"{up}/{down}")
        self._lay(cell, up, down)

    # ------------------------------------------------------------ riding
    def outcomes(self) -> set[Any]:
        """PG-D-MOVE."""
        cell = self.figures[self.turn.seat].cell
        return set(self.slope.outcomes(cell)) if self._speed(cell) else set()

    def _speed(self, cell: Cell) -> int:
        """Steps of a move from a cell; 0 where nobody can stand."""
        stands = cell == book.LIFT or self.slope.can_rest(cell)
        return int(self.slope.speed(cell)) if stands else 0

    def _move(self, event: Mapping[str, Any]) -> None:
        figure = self._on(event)
        self._want(not self.turn.hand and not self.turn.aside, "the card action is not over")
        self._want(not figure.lying, "a lying figure rides")
        self._want(list(figure.cell) == event["at"], f"rides from {event['at']}")
        self._want(self._speed(figure.cell) == event["steps"], f"{event['steps']} steps")
        self.turn.rode = True
        self.here = figure.cell

    def _on(self, event: Mapping[str, Any]) -> Figure:
        self._want(event["seat"] == self.turn.seat, f"seat {event['seat']} acts out of turn")
        return self.figures[event["seat"]]

    def _step(self, event: Mapping[str, Any]) -> None:
        self._on(event)
        way = STEP_WAYS[event["way"]]
        self._want(list(self.here) == event["from"], f"a step from {event['from']}")
        to = at(event["to"])
        landings = {
            landing: word for word, landing in self.slope.steps(self.turn.word, self.here)
            if word[-1] == way and landing == to
        }  # fmt: skip
        self._want(to in landings, f"no step {event['way']} from {self.here} to {to}")
        word = landings.get(to, self.turn.word + way)
        flown = len(word) - len(self.turn.word) - 1
        self._want(flown == event["jumps"], f"{flown} ski jumps are flown over")
        self._want(
            bool(self.slope.can_rest(to) or self.slope.entered(to, way)), f"nobody rests on {to}"
        )
        self.turn.word, self.here = word, to
        self.turn.steps += 1

    def _arrives(self, event: Mapping[str, Any], kind: str) -> None:
        self._want(event["at"] == list(self.here), f"ends at {event['at']}, not at {self.here}")
        self._want(event["steps"] == self.turn.steps, f"{self.turn.steps} steps were ridden")
        self._taken("PG-D-MOVE", (kind, self.here))
        figure = self.figures[event["seat"]]
        figure.cell = self.here
        if event["steps"] or kind == "fall":
            effect = self.slope.spaces.get(self.here, "-")[0]
            self.turn.due = effect if effect in "SG" else ""

    def _stop(self, event: Mapping[str, Any]) -> None:
        steps = self._speed(self.figures[event["seat"]].cell)
        hut = self.slope.spaces.get(self.here, "-")[0] == "H"
        told = {"steps": self.turn.steps == steps, "hut": hut, "no step": self.turn.steps == 0}
        self._want(told[event["why"]], f"stops for {event['why']}")
        self._arrives(event, "stop")

    def _fall(self, event: Mapping[str, Any]) -> None:
        self._arrives(event, "fall")
        self.figures[event["seat"]].lying = not event["kept_upright"]
        self._want(
            not event["kept_upright"] or event["seat"] in self.treated, "kept upright untreated"
        )

    def _goal(self, event: Mapping[str, Any]) -> None:
        figure = self._on(event)
        self._want(self.here in self.slope.goal, "not at the goal")
        self._taken("PG-D-MOVE", ("goal", event["area"]))
        arrived = 1 + sum(other.area > 0 for other in self.figures)
        self._want(event["arrival"] == arrived, f"arrival {arrived}")
        figure.area, figure.arrival = event["area"], arrived

    def _final_round(self, event: Mapping[str, Any]) -> None:
        self._want(not self.final and self.figures[event["seat"]].arrival == 1, "not the first")
        self.final = True

    def _stand_up(self, event: Mapping[str, Any]) -> None:
        figure = self._on(event)
        self._want(figure.lying, "an upright figure stands up")
        self._want(not self.turn.hand and not self.turn.rode, "stands up at the wrong time")
        figure.lying = False
        if self.rulings["effects"]["on_stand_up"]:
            effect = self.slope.spaces.get(figure.cell, "-")[0]
            self.turn.due = effect if effect in "SG" else ""

    # ------------------------------------------------------------ effects
    def targets(self) -> set[Any]:
        """PG-D-SNOW."""
        rule = self.rulings["snowball"]
        found: set[Any] = {
            seat
            for seat, figure in enumerate(self.figures)
            if (seat != self.turn.seat or rule["self_target"])
            and (not figure.area or rule["goal_target"])
            and (not figure.lying or rule["fallen_target"])
        }
        return found | {PASS} if found and rule["optional"] else found

    def grooms(self) -> set[Any]:
        """PG-D-GROOM: every other figure, every space with a sign beside it."""
        rule = self.rulings["groomer"]
        found: set[Any] = set()
        for seat, figure in enumerate(self.figures):
            if not figure.area and (seat != self.turn.seat or rule["self_target"]):
                for cell in book.beside(figure.cell):
                    if self.slope.spaces.get(cell, "-")[0] in book.SIGNED:
                        found.add((seat, cell))
        return found | {PASS} if found and rule["optional"] else found

    def _due(self, event: Mapping[str, Any], effect: str) -> None:
        self._on(event)
        self._want(self.turn.due == effect, f"no effect {effect} is due")
        self.turn.due = ""

    def _snowball(self, event: Mapping[str, Any]) -> None:
        self._due(event, "S")
        self._taken("PG-D-SNOW", event["target"])
        target = self.figures[event["target"]]
        was = "in the goal" if target.area else "lying" if target.lying else "upright"
        self._want(event["target_was"] == was, f"the target was {was}")
        self._want(event["at"] == list(target.cell), f"the target stands at {target.cell}")
        if was == "upright" and not event["muted"]:
            target.lying = True

    def _groomer(self, event: Mapping[str, Any]) -> None:
        self._due(event, "G")
        target, to = self.figures[event["target"]], at(event["to"])
        self._want(event["from"] == list(target.cell), f"the figure stands at {target.cell}")
        across, down = GROOM_WAYS[event["way"]]
        wanted = (target.cell[0] + across, target.cell[1] + down)
        self._want(to == wanted, f"{event['way']} leads to {wanted}")
        self._taken("PG-D-GROOM", (event["target"], to))
        if not event["muted"]:
            target.cell = to

    def _nobody(self, event: Mapping[str, Any]) -> None:
        self._due(event, {"PG-D-SNOW": "S", "PG-D-GROOM": "G"}[event["question"]])
        self._want(not self._offered(event["question"]), "there was somebody")

    def _pass(self, event: Mapping[str, Any]) -> None:
        self._due(event, {"PG-D-SNOW": "S", "PG-D-GROOM": "G"}[event["question"]])
        self._taken(event["question"], PASS)

    # ------------------------------------------------------------ experiments
    def _step_down(self, event: Mapping[str, Any]) -> None:
        figure, to = self.figures[event["seat"]], at(event["to"])
        self._want(event["seat"] in self.treated, "moved down untreated")
        self._want(to == book.moved(figure.cell, "D"), f"moved down to {to}")
        self._want(self.slope.spaces.get(to, "-")[0] in book.SIGNED, f"nobody rests on {to}")
        figure.cell = to

    def _sign(self, event: Mapping[str, Any]) -> None:
        cell = at(event["at"])
        self._want(event["seat"] in self.treated, "a sign drawn untreated")
        self._want(self.slope.spaces.get(cell) == event["before"], f"{cell} showed another space")
        self._want(event["after"][0] == event["before"][0], "another space, not another sign")
        self.slope.spaces[cell] = event["after"]

    # ------------------------------------------------------------ the end
    def _over(self, event: Mapping[str, Any]) -> None:
        self.over = True
        order = self._order()
        limit = self.slope.rules["limits"]["max_rounds"]
        self._want(self.final or self.round == limit, "the game ends too early")
        winner = next((seat for seat in order if self.figures[seat].area), None)
        self._want(event["winner"] == winner, f"the winner is {winner}")
        area = 0 if winner is None else self.figures[winner].area
        self._want(event["area"] == area, f"the winner's area is {area}")
        if winner is None:
            last = self.slope.rules["board"]["last_row"]
            bottom = all(figure.cell[1] == last for figure in self.figures)
            wanted = "capped_at_bottom" if bottom else "capped"
        else:
            wanted = "finished"
        self._want(event["result"] == wanted, f"the game is {wanted}")

    def _key(self, seat: int) -> tuple[int, ...]:
        """PG-END-04: smaller is better."""
        figure = self.figures[seat]
        return (-figure.area, figure.arrival) if figure.area else (1, -figure.cell[1])

    def _order(self) -> list[int]:
        return sorted(range(len(self.figures)), key=self._key)

    def _rank(self, event: Mapping[str, Any]) -> None:
        seat, figure = event["seat"], self.figures[event["seat"]]
        keys = [self._key(one) for one in range(len(self.figures))]
        better = sum(key < keys[seat] for key in keys)
        wanted = better + (keys.count(keys[seat]) + 1) / 2
        self._want(self.over, "places before the end")
        self._want(event["rank"] == f"{wanted:g}", f"seat {seat} has place {wanted:g}")
        where = None if figure.area else list(figure.cell)
        self._want(
            (event["area"], event["at"]) == (figure.area, where), f"seat {seat} is elsewhere"
        )
        self.places.add(seat)


def _plain(option: Any) -> Any:
    """An option with pairs for lists."""
    return tuple(map(_plain, option)) if isinstance(option, list) else option


def _difference(told: set[Any], mine: set[Any]) -> str:
    """What one list has and the other has not."""
    return f"offered {sorted(told - mine, key=str)[:3]}, missing {sorted(mine - told, key=str)[:3]}"
