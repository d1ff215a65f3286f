"""A small referee for Ski Tour: Biathlon: checks a told game from its events and the rulebook alone.

It keeps its own boards (dice, stamina, wax, shots, places) and moves them by the events of a
replay's JSON Lines; whatever does not fit the rules, or the totals at the end of a turn, it says.
It knows the printed rules with their default rulings and the data in ``Table``, and nothing of the
engine. Seats, columns, markers, targets, slots and lanes are counted from 1, as events count them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COLUMNS = 4
MARKERS = 5
SHOTS = 5
SIX = 6
FIVE = 5
SLIDE_STEPS = 3


@dataclass(frozen=True)
class Table:
    """What lies on the table: the first event tells it."""

    rows: Sequence[str]  # the course, a string a row: a letter a lane (W white, …), or "S"
    lanes: int
    start_level: int
    colours: Mapping[str, Sequence[str]]  # nation: a string a column, bottom row last
    full_at: Mapping[str, Sequence[int]]
    special: Mapping[str, int]  # nation: column of its special box, 0 none
    tokens: Mapping[str, Sequence[Sequence[str]]]  # number: icons of each branch
    hits: Mapping[str, int]
    dice: int = 10
    slots: int = 6
    lap: int = 3
    misses_per_lap: int = 2
    sprint_cap: int = 4


@dataclass
class Skier:
    """One skier's board and place."""

    nation: str = ""
    player: int = 0
    at: Any = "start"
    levels: list[int] = field(default_factory=list)
    cols: list[int] = field(default_factory=lambda: [0] * COLUMNS)
    stars: list[int] = field(default_factory=lambda: [0] * COLUMNS)
    sprint: int = 0
    hand: list[int] = field(default_factory=list)  # rolled, not placed yet
    wax: dict[int, int] = field(default_factory=dict)
    left: int = 0
    right: int = 0
    shots: list[bool] = field(default_factory=list)
    miss: int = 0
    owed: int = 0
    place: int = 0

    @property
    def on_board(self) -> int:
        """Dice on the player board."""
        return sum(self.cols) + sum(self.stars) + self.sprint

    @property
    def racing(self) -> bool:
        """Neither home nor out."""
        return self.at not in ("home", "out")

    @property
    def row(self) -> int:
        """Row of the course: 0 at the start."""
        if isinstance(self.at, list):
            return int(self.at[0])
        if self.at[0] in "SP":
            return int(self.at[1:].split(".")[0])
        return 0


@dataclass
class Turn:
    """What counts within one turn."""

    seat: int = 0
    kind: str = ""
    dice: int = 0
    taken: set[str] = field(default_factory=set)
    plus: int = 0
    sprint: int = 0
    sprinting: bool = False
    lost: int = 0
    tokens: int = 0
    icons: list[str] = field(default_factory=list)
    due: int = 0  # entry payments made, not yet walked
    fired: int = 0
    slide: int = 0  # steps of the slide under way, still to walk
    free: int = 0


class Referee:
    """Takes the events of one game; ``faults`` says what was against the rules."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.skiers: dict[int, Skier] = {}
        self.faults: list[str] = []
        self.checked = 0  # totals that agreed at the ends of turns
        self.turn = Turn()
        self.round = 0
        self.marker = 0
        self.order: list[int] = []
        self.answers: dict[str, Any] = {}
        self.number = 0
        self.home = 0
        self.last = ""
        self.rolling = 0

    def watch(self, events: Sequence[Mapping[str, Any]]) -> list[str]:
        """All events of a game; the faults."""
        for self.number, event in enumerate(events, start=1):
            self._before(event)
            handler = getattr(self, f"_{event['event']}", None)
            if handler is None:
                self._fault(f"unknown event {event['event']}")
            else:
                handler(event)
            self.last = event["event"]
        return self.faults

    def _fault(self, text: str) -> None:
        self.faults.append(f"event {self.number}, round {self.round}: {text}")

    def _want(self, agreed: bool, text: str) -> None:
        if not agreed:
            self._fault(text)

    def _before(self, event: Mapping[str, Any]) -> None:
        """A run of rolled dice ends with the first other event."""
        if self.last == "roll" and event["event"] != "roll":
            self._end_of_roll()
        if self.last == "roll" and event["event"] == "roll" and event["seat"] != self.rolling:
            self._end_of_roll()

    # ------------------------------------------------------------ setting up

    def _game(self, event: Mapping[str, Any]) -> None:
        self._want(event["game"] == "biathlon", "not a biathlon")

    def _setup(self, event: Mapping[str, Any]) -> None:
        nation = event["nation"]
        self.skiers[event["seat"]] = Skier(
            nation, event["player"], levels=[self.table.start_level] * MARKERS
        )

    def _wax_laid(self, event: Mapping[str, Any]) -> None:
        wax = self.skiers[event["seat"]].wax
        self._want(event["slot"] == len(wax) + 1, "slots are laid in order")
        wax[event["slot"]] = event["token"]

    def _marker(self, event: Mapping[str, Any]) -> None:
        if self.round:
            self._want(
                event["seat"] == self.marker % len(self.skiers) + 1, "the marker moves one seat"
            )
        self.marker = event["seat"]

    def _round(self, event: Mapping[str, Any]) -> None:
        self.round += 1
        self._want(event["round"] == self.round, f"round {event['round']} after {self.round - 1}")
        seats = [(self.marker - 1 + i) % len(self.skiers) + 1 for i in range(len(self.skiers))]
        self.order = [seat for seat in seats if self.skiers[seat].racing]

    def _ask(self, event: Mapping[str, Any]) -> None:
        self._want(event["chosen"] in event["options"], "an answer that is not offered")
        self._want(len(event["options"]) > 1, "a question without a choice")
        self.answers[event["question"]] = event["chosen"]

    # ------------------------------------------------------------ dice

    def _roll(self, event: Mapping[str, Any]) -> None:
        self.rolling = event["seat"]
        self.skiers[event["seat"]].hand.append(event["face"])

    def _end_of_roll(self) -> None:
        """Half of the available dice, rounded up, were rolled."""
        skier = self.skiers[self.rolling]
        free = self.table.dice - skier.on_board
        self._want(len(skier.hand) == (free + 1) // 2, f"{len(skier.hand)} of {free} dice rolled")

    def _reroll(self, event: Mapping[str, Any]) -> None:
        skier = self.skiers[event["seat"]]
        if self.last != "reroll":
            self._take_off(skier)
        skier.hand.append(event["face"])

    def _take_off(self, skier: Skier) -> None:
        """The dice that wax takes off the board before it rolls them."""
        icon = next((icon for icon in self.turn.icons if icon.startswith("ROLL")), "")
        self._want(icon != "", "dice are rolled again without wax")
        if icon == "ROLLALL":
            skier.cols, skier.stars, skier.sprint = [0] * COLUMNS, [0] * COLUMNS, 0
            return
        places = [f"col{i + 1}" for i in range(COLUMNS) if skier.cols[i]]
        places += [f"star{i + 1}" for i in range(COLUMNS) if skier.stars[i]]
        places += ["sprint"] if skier.sprint else []
        where = self.answers.pop("D-DIE", None) if len(places) > 1 else places[0]
        self._want(where in places, f"no die lies in {where}")
        self._change(skier, where or places[0], -1)

    @staticmethod
    def _change(skier: Skier, where: str, by: int) -> None:
        """Add or take a die at a place of the board."""
        if where == "sprint":
            skier.sprint += by
        elif where.startswith("star"):
            skier.stars[int(where[4:]) - 1] += by
        else:
            skier.cols[int(where[3:]) - 1] += by

    def _place(self, event: Mapping[str, Any]) -> None:
        skier, face, where = self.skiers[event["seat"]], event["face"], event["where"]
        self._want(face in skier.hand, f"a {face} is placed that was not rolled")
        if face in skier.hand:
            skier.hand.remove(face)
        self._want(where in self._allowed(skier, face), f"a {face} may not lie in {where}")
        self._change(skier, where, 1)

    def _allowed(self, skier: Skier, face: int) -> list[str]:
        """Where a face may be placed."""
        if face < FIVE:
            return [f"col{face}"] if skier.cols[face - 1] < COLUMNS else []
        if face == FIVE:
            best = max(range(COLUMNS), key=lambda i: (skier.cols[i], i))
            return [f"col{best + 1}"] if skier.cols[best] < COLUMNS else []
        stars = [f"star{i + 1}" for i in range(COLUMNS) if skier.cols[i] and not skier.stars[i]]
        return [*stars, *(["sprint"] if skier.sprint < self.table.sprint_cap else [])]

    def _die_back(self, event: Mapping[str, Any]) -> None:
        skier, face = self.skiers[event["seat"]], event["face"]
        self._want(face in skier.hand, f"a {face} goes back that was not rolled")
        if face in skier.hand:
            skier.hand.remove(face)
        if event["why"] == "blue":
            self._want(face >= FIVE and 0 in skier.levels, "blue markers take 5s and 6s only")
        else:
            self._want(self._allowed(skier, face) == [], f"a {face} had a place")

    # ------------------------------------------------------------ a turn

    def _turn(self, event: Mapping[str, Any]) -> None:
        self.turn = Turn(seat=event["seat"], kind=event["kind"])
        self.answers = {}
        wanted = self.order.pop(0) if self.order else None
        while wanted is not None and not self.skiers[wanted].racing:
            wanted = self.order.pop(0) if self.order else None
        self._want(event["seat"] == wanted, f"seat {event['seat']} is on, not {wanted}")
        skier = self.skiers[event["seat"]]
        shoots = str(skier.at).startswith("S") and len(skier.shots) < SHOTS
        self._want((event["kind"] == "shoot") == shoots, f"a turn to {event['kind']}")

    def _take(self, event: Mapping[str, Any]) -> None:
        skier, column = self.skiers[event["seat"]], event["column"]
        self._want(column not in self.turn.taken, f"{column} is taken twice")
        self.turn.taken.add(column)
        if column == "sprint":
            self._want(event["dice"] == skier.sprint, "dice in sprint")
            self.turn.dice += skier.sprint
            self.turn.sprinting, skier.sprint = True, 0
            return
        index = int(column[3:]) - 1
        full = skier.cols[index] >= self.table.full_at[skier.nation][index]
        self._want(event["dice"] == skier.cols[index], f"dice in {column}")
        words = ("counted", "flip") if full else ("back",)
        self._want(event["star"] in (words if skier.stars[index] else ("none",)), "the star die")
        if event["star"] == "flip":
            special = self.table.special[skier.nation] == index + 1
            self._want(special and skier.left + skier.right > 0, "no special box")
        self.turn.dice += skier.cols[index] + (skier.stars[index] * (event["star"] == "counted"))
        skier.cols[index] = skier.stars[index] = 0

    def _wax(self, event: Mapping[str, Any]) -> None:
        skier, slot = self.skiers[event["seat"]], event["slot"]
        self.turn.icons = ["SHOOT"]
        if event["printed"]:
            return
        self.turn.tokens += 1
        self._want(self.turn.tokens == 1, "two tokens in one turn")
        self._want(skier.wax[slot] == event["token"], f"token {event['token']} in slot {slot}")
        if slot == skier.left + 1:
            skier.left += 1
        else:
            self._want(slot == self.table.slots - skier.right, f"slot {slot} is not outermost")
            skier.right += 1
        branch = self.table.tokens[str(event["token"])]["ab".index(event["branch"])]
        self.turn.icons = list(branch)
        self.turn.plus += branch.count("PLUS") - branch.count("MINUS")
        if "SPRINT" in branch:
            self.turn.sprinting = True
            self.turn.sprint += skier.sprint

    def _flip_back(self, event: Mapping[str, Any]) -> None:
        skier = self.skiers[event["seat"]]
        if event["slot"] == skier.left:
            skier.left -= 1
        else:
            self._want(event["slot"] == self.table.slots - skier.right + 1, "not the innermost")
            skier.right -= 1

    def _pay(self, event: Mapping[str, Any]) -> None:
        skier, marker = self.skiers[event["seat"]], event["marker"] - 1
        self._want(skier.levels[marker] == event["from"], f"marker {marker + 1} is elsewhere")
        self._want(event["to"] == event["from"] - 1 >= 0, "one row down")
        if self.turn.kind == "shoot" and self.turn.seat == event["seat"]:
            self._want(marker >= len(skier.shots), "a marker that has been shot with")
        else:
            self._want(skier.levels[marker] == max(skier.levels), "not the highest marker")
        skier.levels[marker] = event["to"]
        if event["why"] in ("entry", "entry while drafting", "slide"):
            self.turn.due += 1

    def _uphill(self, event: Mapping[str, Any]) -> None:
        self.turn.lost += event["lost"]

    def _move(self, event: Mapping[str, Any]) -> None:
        turn = self.turn
        told = (event["dice"], event["plus"], event["sprint_moves"], event["sprinting"])
        mine = (turn.dice, turn.plus, turn.sprint, turn.sprinting)
        self._want(told == mine, f"the move counts {told}, the referee {mine}")
        total = max(turn.dice + turn.plus + turn.sprint, 0)
        self._want(event["steps"] == total - turn.lost, f"{event['steps']} steps of {total}")

    # ------------------------------------------------------------ walking

    def _step(self, event: Mapping[str, Any]) -> None:
        skier, seat = self.skiers[event["seat"]], event["seat"]
        self._want(event["from"] == skier.at, f"stands at {skier.at}, not at {event['from']}")
        wanted = self._next(skier, event["code"])
        self._want(event["to"] == wanted, f"{event['code']} leads to {wanted}")
        cost = 1 if self._costs(seat, event["to"]) else 0
        if self.turn.slide and cost and self.turn.free:
            self.turn.free, cost = 0, 0
        self._want(self.turn.due == cost, f"{self.turn.due} stamina paid to enter, {cost} due")
        self.turn.due = 0
        self.turn.slide = max(self.turn.slide - 1, 0)
        self._arrive(skier, event["to"])

    def _costs(self, seat: int, to: Any) -> bool:
        """Whether somebody else holds a space that is not free to all."""
        if not isinstance(to, list) or self.table.rows[to[0] - 1][to[1] - 1] == "F":
            return False
        rivals = [skier for other, skier in self.skiers.items() if other != seat]
        return any(rival.racing and rival.at == to for rival in rivals)

    def _next(self, skier: Skier, code: str) -> Any:
        """The space that a step leads to."""
        if code == "P":
            at = str(skier.at)
            space = int(at.split(".")[1]) if at.startswith("P") else 0
            self._want(skier.owed > 0, "a penalty step that is not owed")
            return f"P{skier.row}.{space % self.table.lap + 1}"
        self._want(skier.owed == 0, "leaves the range before its penalty laps are made")
        row = skier.row + (0 if code in "LR" else 1)
        lane = skier.at[1] if isinstance(skier.at, list) else 0
        if code.isdigit():
            lane = int(code)
        lane += {"A": -1, "L": -1, "B": 1, "R": 1}.get(code, 0)
        if row > len(self.table.rows):
            return "home"
        if self.table.rows[row - 1] == "S":
            return f"S{row}"
        self._want(1 <= lane <= self.table.lanes, f"lane {lane}")
        if code in "AB":
            self._want(self.table.rows[row - 1][lane - 1] == "W", "a diagonal step needs white")
        return [row, lane]

    def _arrive(self, skier: Skier, to: Any) -> None:
        """Stand on a space; penalty steps are paid off, a range begins or is over."""
        if str(to).startswith("P"):
            skier.owed -= 1
        elif str(skier.at)[0] in "SP":
            skier.shots, skier.miss = [], 0
        skier.at = to

    def _draft(self, event: Mapping[str, Any]) -> None:
        leader = self.skiers[event["leader"]]
        self._want(event["leader"] == self.turn.seat, "drafts on a skier that is not on")
        self._want(not self.turn.sprinting, "drafts on a sprinter")
        self._want(self.skiers[event["seat"]].racing and leader.at != "out", "drafts out of a race")

    def _slide(self, event: Mapping[str, Any]) -> None:
        self._want(1 <= event["steps"] <= SLIDE_STEPS, f"a slide of {event['steps']} steps")
        self.turn.slide, self.turn.free = event["steps"], 1

    def _lap(self, event: Mapping[str, Any]) -> None:
        skier = self.skiers[event["seat"]]
        skier.miss -= min(skier.miss, self.table.misses_per_lap)
        self._want((skier.miss, skier.owed) == (event["miss"], event["owed"]), "a lap miscounted")

    # ------------------------------------------------------------ shooting

    def _shot(self, event: Mapping[str, Any]) -> None:
        skier, target = self.skiers[event["seat"]], event["target"]
        column = self.table.colours[skier.nation][target - 1]
        colour = column[len(column) - 1 - skier.levels[target - 1]]
        self._want(event["colour"][0].upper() == colour, f"target {target} has {colour}")
        hit = event["face"] <= self.table.hits[event["colour"]]
        self._want(event["hit"] == hit, f"a {event['face']} with {event['colour']}")
        if event["reroll"]:
            self._want("SHOOT" in self.turn.icons and target == len(skier.shots), "shoots again")
            skier.shots[-1] = hit
            return
        self._want(target == len(skier.shots) + 1 <= SHOTS, f"target {target} is not next")
        self.turn.fired += 1
        self._want(self.turn.fired <= self.turn.dice + self.turn.plus, "more shots than dice")
        skier.shots.append(hit)

    def _five_shots_made(self, event: Mapping[str, Any]) -> None:
        skier = self.skiers[event["seat"]]
        misses = skier.shots.count(False)
        laps = -(-misses // self.table.misses_per_lap)
        skier.miss, skier.owed = misses, laps * self.table.lap
        told = (event["misses"], event["laps"], event["owed"])
        self._want(told == (misses, laps, skier.owed), f"penalty {told}")

    # ------------------------------------------------------------ ends

    def _finish(self, event: Mapping[str, Any]) -> None:
        self.home += 1
        skier = self.skiers[event["seat"]]
        self._want(skier.at == "home", f"finishes at {skier.at}")
        self._want(event["place"] == self.home, f"place {event['place']}")
        skier.place = self.home

    def _collapse(self, event: Mapping[str, Any]) -> None:
        skier = self.skiers[event["seat"]]
        self._want(event["at"] == skier.at, f"collapses at {event['at']}, stands at {skier.at}")
        skier.at = "out"

    def _turn_end(self, event: Mapping[str, Any]) -> None:
        skier = self.skiers[event["seat"]]
        self._want(event["seat"] == self.turn.seat, "the turn of somebody else ends")
        self._want(skier.hand == [], f"dice {skier.hand} lie nowhere")
        unused = self.table.slots - skier.left - skier.right
        free = self.table.dice - skier.on_board
        mine = (free, unused, sum(skier.levels))
        told = (event["dice_available"], event["tokens_unused"], event["stamina"])
        self._want(told == mine, f"totals {told}, by the referee {mine}")
        if skier.at != "out":
            self._want(event["at"] == skier.at, f"at {event['at']}, by the referee {skier.at}")
        self.checked += 1

    def _over(self, event: Mapping[str, Any]) -> None:
        first = [seat for seat, skier in self.skiers.items() if skier.place == 1]
        self._want(event["winner"] == (first[0] if first else None), "the winner")
