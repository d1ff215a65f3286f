"""The slow twin: a plain reference engine of "Ski Tour: Biathlon", written from the specification alone.

It shares with the fast engine only ``simulate.rng`` (the random numbers). Everything else is written
from ``spec/biathlon.md`` (rule IDs BI-… are named in the comments) and ``spec/scripted.md``.
Clarity comes before speed: skiers are plain objects, spaces are small tuples, routes are lists.

Use::

    twin = Twin(rules, players=4, root=1, block=0)
    twin.play(answer)            # answer(seat, question, options, state) -> one of options
    twin.result                  # see Twin._make_result

    outcome = run_case(case, rules)    # a scripted position; .end, .questions, .differences

Seats are 0-based everywhere except in scripted cases, whose seats start at 1.
``python tests/reference/biathlon.py`` runs a self-check (worked examples, printed averages, fuzz).
"""

import copy
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

try:
    from simulate import rng
except ImportError:  # run as a script outside the installed project
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from simulate import rng

Answer = Callable[[int, str, list[str], dict], str]

# Purposes of the random streams.
FIRST_MARKER, NATIONS, WAX, DICE, SHOTS = 16, 17, 18, 19, 20

COLUMNS = (1, 2, 3, 4)
BOARDS = ("b1", "b2", "b3", "b4", "b5")


# ------------------------------------------------------------------------------------------------
# Settings: the only place that knows the keys of the rules dict
# ------------------------------------------------------------------------------------------------


class Nation(NamedTuple):
    name: str
    board: str
    stamina: list[str]  # per marker column the colours from the top row down, e.g. "GYRB"
    full_at: list[int]
    special_box: int  # column 1-4, 0 = none
    printed_wax: str  # "" or an icon


NO_NATION = Nation("", "", [], [], 0, "")  # before D-NATION


class Settings:
    """Every figure and switch of the resolved rules dict, under a short name."""

    def __init__(self, rules: dict) -> None:
        dice, board, stamina = rules["dice"], rules["board"], rules["stamina"]
        self.race_dice: int = dice["race"]["count"]
        self.race_faces: list[int] = list(dice["race"]["faces"])
        self.shot_sides: int = dice["shoot"]["sides"]
        # Colours are written as letters on the boards; the first letter of the name is the letter.
        self.hits: dict[str, int] = {
            name[0].upper(): n for name, n in dice["shoot"]["hits"].items()
        }
        self.colour_rank: dict[str, int] = {
            name[0].upper(): i for i, name in enumerate(dice["shoot"]["order"])
        }

        self.column_cap: int = board["column_cap"]
        self.star_cap: int = board["star_cap"]
        self.sprint_cap: int = (
            self.race_dice if board["sprint_cap"] == "none" else board["sprint_cap"]
        )

        self.levels: int = stamina["levels"]
        self.markers: int = stamina["columns"]
        race: str = rules["mode"]["race"]
        self.start_level: int = {
            "long": stamina["start_top"],
            "short_top": stamina["start_top"],
            "short": stamina["start_short"],
        }[race]

        self.targets: int = rules["range"]["shots"]
        self.misses_per_lap: int = rules["range"]["misses_per_lap"]
        self.lap_length: int = rules["range"]["lap_length"]

        self.lanes: int = rules["course"]["lanes"]
        self.rows: list[str] = list(rules["course"]["rows"])

        self.slide_steps: int = rules["terrain"]["slide_steps"]
        self.slide_free: int = rules["terrain"]["slide_free"]
        self.uphill_loss: int = rules["terrain"]["uphill_loss"]

        wax = rules["wax"]
        self.slots: int = wax["slots"]
        self.tokens_per_turn: int = wax["per_turn"]
        self.tokens: dict[int, list[list[str]]] = {
            int(number): branches for number, branches in wax["tokens"].items()
        }
        self.wax_sets: dict[str, list[int]] = wax["sets"]
        self.loadout: str | list[int] = wax["loadout"]

        nations = rules["nations"]
        self.nation_assign: str | list[str] = nations["assign"]
        self.nation_use: list[str] = list(nations["use"])
        self.nations: dict[str, Nation] = {
            name: Nation(
                name,
                row["board"],
                list(row["stamina"]),
                list(row["full_at"]),
                row.get("special_box") or 0,
                row.get("printed_wax") or "",
            )
            for name, row in nations["table"].items()
        }

        self.first: str = rules["setup"]["first"]
        self.max_rounds: int = rules["sim"]["max_rounds"]

        switch = rules["rules"]
        self.marker_skips_inactive: bool = switch["marker_skips_inactive"]
        self.blue_on_reroll: bool = switch["blue_on_reroll"]
        self.empty_extra: bool = switch["empty_extra"]
        self.highest_by: str = switch["highest_by"]
        self.shoot_pay_pick: str = switch["shoot_pay_pick"]
        self.entry_cost: str = switch["entry_cost"]
        self.uphill_order: str = switch["uphill_order"]
        self.draft_from_shooting_space: bool = switch["draft_from_shooting_space"]
        self.draft_path: str = switch["draft_path"]
        self.draft_extent: str = switch["draft_extent"]
        self.draft_includes_slide: bool = switch["draft_includes_slide"]
        self.slide_after_draft: bool = switch["slide_after_draft"]
        self.slide_repeat: bool = switch["slide_repeat"]
        self.shoot_round: str = switch["shoot_round"]
        self.penalty_lane_free: bool = switch["penalty_lane_free"]
        self.wax_burn: bool = switch["wax_burn"]
        self.reroll_target: str = switch["reroll_target"]
        self.full_at_3_scope: str = switch["full_at_3_scope"]
        self.race_end: str = switch["race_end"]
        self.two_player_seating: str = switch["two_player_seating"]
        self.two_player_end: str = switch["two_player_end"]


# ------------------------------------------------------------------------------------------------
# Spaces and skiers
# ------------------------------------------------------------------------------------------------


class Space(NamedTuple):
    """An address. ``kind``: start, row (course row and lane), S (shooting), P (penalty), home, out."""

    kind: str
    row: int = 0
    number: int = 0  # lane, or penalty lane space


START, HOME, OUT = Space("start"), Space("home"), Space("out")


def write_space(space: Space) -> Any:
    """The scripted form of an address."""
    if space.kind == "row":
        return [space.row, space.number]
    if space.kind == "S":
        return f"S{space.row}"
    if space.kind == "P":
        return f"P{space.row}.{space.number}"
    return space.kind


def read_space(text: Any) -> Space:
    if not isinstance(text, str):
        row, lane = text
        return Space("row", int(row), int(lane))
    if text in ("start", "home", "out"):
        return Space(text)
    if text.startswith("S"):
        return Space("S", int(text[1:]))
    if text.startswith("P"):
        row, index = text[1:].split(".")
        return Space("P", int(row), int(index))
    raise ValueError(f"unknown address {text!r}")


class Hooks:
    """Experiment treatments of one seat (spec section 9); the default is: none."""

    def __init__(
        self,
        no_draft: bool = False,
        no_slide: bool = False,
        no_sprint: bool = False,
        free_entry: bool = False,
        stamina_delta: int = 0,
        hit_range: int = 0,
        token_block: int = 0,
        wax_from_round: int = 0,
        no_own_draft: bool = False,
        dice_shift: int = 0,
        shot_shift: int = 0,
    ) -> None:
        self.no_draft = no_draft
        self.no_slide = no_slide
        self.no_sprint = no_sprint
        self.free_entry = free_entry
        self.stamina_delta = stamina_delta
        self.hit_range = hit_range
        self.token_block = token_block
        self.wax_from_round = wax_from_round
        self.no_own_draft = no_own_draft
        self.dice_shift = dice_shift
        self.shot_shift = shot_shift


class Skier:
    """One nation in the race: its board, its wax, its skeeple."""

    def __init__(self, settings: Settings) -> None:
        self.at: Space = START
        self.nation: Nation = NO_NATION
        self.st: list[int] = [settings.start_level] * settings.markers
        self.cols: list[int] = [0, 0, 0, 0]
        self.stars: list[int] = [0, 0, 0, 0]
        self.spr: int = 0
        self.wax: list[int] = []
        self.L: int = 0
        self.R: int = 0
        self.shots: str = ""
        self.owed: int = 0
        self.miss: int = 0
        self.entered_range_in: int = (
            0  # round in which the shooting space was entered (next_round switch)
        )
        self.gift: int | None = (
            None  # hook hit_range: the target whose miss was made a hit this visit
        )

    @property
    def racing(self) -> bool:
        return self.at.kind not in ("home", "out")

    @property
    def on_board(self) -> int:
        return sum(self.cols) + sum(self.stars) + self.spr

    @property
    def payable(self) -> int:
        return sum(self.st)

    @property
    def blue(self) -> int:
        return self.st.count(0)  # BI-PREP-02: the bottom row is the blue one

    def fields(self) -> dict[str, Any]:
        """The scripted form."""
        return {
            "at": write_space(self.at),
            "st": list(self.st),
            "cols": list(self.cols),
            "stars": list(self.stars),
            "spr": self.spr,
            "wax": list(self.wax),
            "L": self.L,
            "R": self.R,
            "shots": self.shots,
            "owed": self.owed,
            "miss": self.miss,
            "nation": self.nation.name,
        }


class Turn:
    """Turn-scoped facts of the skier whose turn it is."""

    def __init__(self, seat: int, shooting: bool) -> None:
        self.seat = seat
        self.shooting = shooting
        self.taken: set[str] = set()  # "col1".."col4", "sprint"
        self.dice = 0  # D
        self.extra = 0  # X
        self.bonus = 0  # B
        self.sprint = False
        self.tokens_used = 0
        self.printed_used = False
        self.fired = 0
        self.shot_colours: dict[int, str] = {}  # target index -> die colour, shots of this turn
        self.last_target = -1
        self.effect_side = ""  # side of the token whose effect is running

    @property
    def total(self) -> int:
        return self.dice + self.extra


class Route(NamedTuple):
    codes: str
    spaces: list[Space]  # entered, one per code
    costs: list[int]  # paid on entry, one per code
    credit: int  # sidestep credit at the end

    @property
    def cost(self) -> int:
        return sum(self.costs)

    @property
    def end(self) -> Space:
        return self.spaces[-1]


# ------------------------------------------------------------------------------------------------
# Chance
# ------------------------------------------------------------------------------------------------


class SeededChance:
    """Streams of simulate.rng, one of race dice and one of shots per seat (BI 5.14)."""

    def __init__(self, settings: Settings, root: int, block: int, hooks: list[Hooks]) -> None:
        self.settings = settings
        self.root, self.block = root, block
        n = len(hooks)
        self.n = n
        self.streams: np.ndarray = np.zeros(2 * n, np.uint64)
        for seat, hook in enumerate(hooks):
            rng.open_stream(self.streams, seat, root, block + hook.dice_shift * 2**32, DICE, seat)
            rng.open_stream(
                self.streams, n + seat, root, block + hook.shot_shift * 2**32, SHOTS, seat
            )

    def race_die(self, seat: int) -> int:
        return self.settings.race_faces[
            int(rng.below(self.streams, seat, len(self.settings.race_faces)))
        ]

    def shot_die(self, seat: int) -> int:
        return int(rng.below(self.streams, self.n + seat, self.settings.shot_sides)) + 1

    def first_marker(self) -> int:
        return int(rng.below(self._table_stream(self.block, FIRST_MARKER, 0), 0, self.n))

    def shuffled(self, items: list[int], block: int, purpose: int, seat: int) -> list[int]:
        array = np.array(items, np.int64)
        rng.shuffle(self._table_stream(block, purpose, seat), 0, array, len(items))
        return [int(item) for item in array]

    def pick(self, n: int, purpose: int, seat: int) -> int:
        return int(rng.below(self._table_stream(self.block, purpose, seat), 0, n))

    def _table_stream(self, block: int, purpose: int, seat: int) -> np.ndarray:
        stream: np.ndarray = np.zeros(1, np.uint64)
        rng.open_stream(stream, 0, self.root, block, purpose, seat)
        return stream


class ScriptError(Exception):
    """A scripted case left its script; the text is the difference to report."""


class ScriptedChance:
    """One list of faces, used in the order in which dice are rolled (BI 5.14)."""

    def __init__(self, faces: list[int]) -> None:
        self.faces = list(faces)
        self.used = 0

    def _next(self, what: str) -> int:
        if self.used == len(self.faces):
            raise ScriptError(f"dice: none left for {what} (all {self.used} used)")
        self.used += 1
        return self.faces[self.used - 1]

    def race_die(self, seat: int) -> int:
        return self._next(f"a race die of seat {seat + 1}")

    def shot_die(self, seat: int) -> int:
        return self._next(f"a shot of seat {seat + 1}")


# ------------------------------------------------------------------------------------------------
# The engine
# ------------------------------------------------------------------------------------------------


class Twin:
    """One game. ``hooks``: {seat: {hook: value}} or a list with one dict (or None) per seat.

    ``chance`` and ``seats`` are for scripted cases only.
    """

    def __init__(
        self,
        rules: dict,
        players: int,
        root: int,
        block: int,
        hooks: Any = None,
        chance: Any = None,
        seats: int | None = None,
    ) -> None:
        self.settings = Settings(rules)
        self.players = players
        self.two_player = players == 2
        self.n = seats or (4 if self.two_player else players)
        self.hooks = [Hooks(**_hooks_of(hooks, seat)) for seat in range(self.n)]
        self.chance = chance or SeededChance(self.settings, root, block, self.hooks)
        self.root, self.block = root, block
        self.skiers = [Skier(self.settings) for _ in range(self.n)]
        for skier, hook in zip(self.skiers, self.hooks):
            _shift_stamina(skier.st, hook.stamina_delta, self.settings.levels - 1)

        # Row r of the course is rows[r - 1]; the finish line is row N + 1.
        self.last_row = len(self.settings.rows)
        self.finish_row = self.last_row + 1
        self.range_rows = [r for r in range(1, self.finish_row) if self.is_range(r)]

        self.round = 0
        self.marker = 0
        self.over = False
        self.truncated = False
        self.turn: Turn | None = None
        self.last_turn: Turn | None = None
        self.finish_order: list[int] = []
        self.collapse_order: list[int] = []
        self.round_home: list[int | None] = [None] * self.n
        self.counters = {
            "drafts": 0,
            "draft_steps": 0,
            "slides": 0,
            "entries_paid": 0,
            "collapses": 0,
            "stamina_paid": 0,
            "decisions": 0,
        }
        self.result: dict[str, Any] = {}
        self._answer: Answer = lambda seat, question, options, state: options[0]
        # While choices are simultaneous and hidden: what the others are shown as.
        self._shown: list[dict[str, Any]] | None = None

    # ---- asking -------------------------------------------------------------------------------

    def ask(self, seat: int, question: str, options: list[str]) -> str:
        """Section 4: asked only with two or more options; a single one is taken."""
        if len(options) == 1:
            return options[0]
        self.counters["decisions"] += 1
        choice = self._answer(seat, question, list(options), self.state(seat))
        if choice not in options:
            raise ValueError(f"{question}: {choice!r} is not one of {options}")
        return choice

    def state(self, viewer: int) -> dict[str, Any]:
        """Full state in the scripted form; hidden simultaneous choices of others are not shown."""
        skiers = [skier.fields() for skier in self.skiers]
        if self._shown is not None:
            skiers = [
                own if seat == viewer else self._shown[seat] for seat, own in enumerate(skiers)
            ]
        return {"round": self.round, "marker": self.marker, "skiers": skiers}

    def owner(self, seat: int) -> int:
        """The player of a seat (BI-TWO-01)."""
        if not self.two_player:
            return seat
        return seat // 2 if self.settings.two_player_seating == "blocks" else seat % 2

    # ---- the game (5.1) -----------------------------------------------------------------------

    def play(self, answer: Answer) -> dict[str, Any]:
        self._answer = answer
        self._set_up()
        while not self.over:
            if self.round == self.settings.max_rounds:
                self.truncated = True
                break
            self.play_round()
        self.result = self._make_result()
        return self.result

    def play_round(self) -> None:
        self.round += 1
        # BI-RND-02: clockwise from the marker, racing skiers only.
        order = [seat for seat in self._clockwise(self.marker) if self.skiers[seat].racing]
        self.prepare(order)
        for seat in order:
            if self.skiers[seat].racing and not self.over:
                self.play_turn(seat)
        # BI-RND-03
        self.marker = (self.marker + 1) % self.n
        if self.settings.marker_skips_inactive and any(skier.racing for skier in self.skiers):
            while not self.skiers[self.marker].racing:
                self.marker = (self.marker + 1) % self.n

    def _clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.n for step in range(self.n)]

    def _racing(self) -> list[int]:
        return [seat for seat, skier in enumerate(self.skiers) if skier.racing]

    # ---- setup (5.2) --------------------------------------------------------------------------

    def _set_up(self) -> None:
        # BI-SET-09
        self.marker = 0 if self.settings.first == "seat1" else self.chance.first_marker()
        self._assign_nations()
        self._lay_wax()

    def _assign_nations(self) -> None:
        settings = self.settings
        usable = [
            nation for nation in settings.nations.values() if nation.name in settings.nation_use
        ]
        if settings.nation_assign == "drawn":
            boards = [board for board in BOARDS if any(nation.board == board for nation in usable)]
            if len(boards) < self.n:
                raise ValueError("fewer boards than skiers")
            order = self.chance.shuffled(
                list(range(len(boards))), self.block // len(boards), NATIONS, 0
            )
            for seat, skier in enumerate(self.skiers):
                board = boards[order[(seat + self.block) % len(boards)]]
                sides = [nation for nation in usable if nation.board == board]
                pick = self.chance.pick(len(sides), NATIONS, seat + 1) if len(sides) > 1 else 0
                skier.nation = sides[pick]
        elif settings.nation_assign == "chosen":
            for seat, skier in enumerate(self.skiers):
                # BI-SET-04: front and back are one object.
                held = {other.nation.board for other in self.skiers}
                options = [nation.name for nation in usable if nation.board not in held]
                if not options:
                    raise ValueError("fewer boards than skiers")
                skier.nation = settings.nations[self.ask(seat, "D-NATION", options)]
        else:
            for skier, name in zip(self.skiers, settings.nation_assign):
                skier.nation = settings.nations[name]
        boards_used = [skier.nation.board for skier in self.skiers]
        if len(set(boards_used)) < self.n:
            raise ValueError("two skiers share a board (BI-SET-04)")

    def _lay_wax(self) -> None:
        settings = self.settings
        if settings.loadout == "chosen":
            # Hidden until all have chosen: the others are shown without wax.
            self._shown = [skier.fields() for skier in self.skiers]
            for seat, skier in enumerate(self.skiers):
                left = sorted(settings.wax_sets[skier.nation.board])
                for _ in range(settings.slots):
                    options = [str(number) for number in sorted(set(left))]
                    number = int(self.ask(seat, "D-WAXPICK", options))
                    left.remove(number)
                    skier.wax.append(number)
            self._shown = None
        elif settings.loadout == "drawn":
            for seat, skier in enumerate(self.skiers):
                tokens = sorted(settings.wax_sets[skier.nation.board])
                skier.wax = self.chance.shuffled(tokens, self.block, WAX, seat)[: settings.slots]
        elif isinstance(settings.loadout, list):
            for skier in self.skiers:
                skier.wax = list(settings.loadout)
        else:
            raise ValueError(f"unknown loadout {settings.loadout!r}")

    # ---- preparation (5.4) --------------------------------------------------------------------

    def prepare(self, order: list[int]) -> None:
        """All rolls and 1-5 placements, then all 6 placements (BI-PREP-07)."""
        sixes: dict[int, int] = {}
        for seat in order:
            available = self.settings.race_dice - self.skiers[seat].on_board
            count = (available + 1) // 2  # BI-PREP-01
            faces = [self.chance.race_die(seat) for _ in range(count)]
            sixes[seat] = self._place_to_five(seat, faces, blue_rule=True)
        # A bot sees the other boards as they were before the 6s of this phase.
        self._shown = [skier.fields() for skier in self.skiers]
        for seat in order:
            self._place_sixes(seat, sixes[seat])
        self._shown = None

    def _place_to_five(self, seat: int, faces: list[int], blue_rule: bool) -> int:
        """Send back for blue markers, place the 1-4s, then the 5s; return the number of 6s to place.

        A die that is not put on the board is available again by itself (``available`` is derived).
        """
        skier = self.skiers[seat]
        fives, sixes = faces.count(5), faces.count(6)
        if blue_rule:  # BI-PREP-02: 5s first, then 6s
            back = min(skier.blue, fives + sixes)
            fives_back = min(back, fives)
            fives -= fives_back
            sixes -= back - fives_back
        for face in faces:  # BI-PREP-03
            if face in COLUMNS and skier.cols[face - 1] < self._place_cap(skier, face):
                skier.cols[face - 1] += 1
        for _ in range(fives):  # BI-PREP-04: the fullest column, among ties the highest number
            column = max(COLUMNS, key=lambda c: (skier.cols[c - 1], c))
            if skier.cols[column - 1] < self._five_cap(skier, column):
                skier.cols[column - 1] += 1
        return sixes

    def _place_cap(self, skier: Skier, column: int) -> int:
        """Dice a column can hold (BI-ADV-02, switch full_at_3_scope)."""
        cap = self.settings.column_cap
        if self.settings.full_at_3_scope == "capacity":
            cap = min(cap, skier.nation.full_at[column - 1])
        return cap

    def _five_cap(self, skier: Skier, column: int) -> int:
        """Dice at which a column refuses a 5."""
        cap = self.settings.column_cap
        if self.settings.full_at_3_scope in ("fives_too", "capacity"):
            cap = min(cap, skier.nation.full_at[column - 1])
        return cap

    def _place_sixes(self, seat: int, count: int) -> None:
        """BI-PREP-05: one by one, compulsory if any place is legal."""
        skier = self.skiers[seat]
        for _ in range(count):
            options = ["sprint"] if skier.spr < self.settings.sprint_cap else []
            for column in COLUMNS:
                if skier.cols[column - 1] > 0 and skier.stars[column - 1] < self.settings.star_cap:
                    options.append(f"star{column}")
            if not options:
                continue  # BI-PREP-06
            place = self.ask(seat, "D-SIX", options)
            if place == "sprint":
                skier.spr += 1
            else:
                skier.stars[int(place[-1]) - 1] += 1

    # ---- one turn (5.1) -----------------------------------------------------------------------

    def play_turn(self, seat: int) -> None:
        skier = self.skiers[seat]
        shooting = skier.at.kind == "S" and len(skier.shots) < self.settings.targets
        turn = self.turn = self.last_turn = Turn(seat, shooting)
        self._window(turn, "W1")
        self._take_main(turn)
        while True:
            self._window(turn, "W2")
            if not self._take_extra(turn):
                break
        if shooting:
            self._shoot(turn)
        else:
            self._move(turn)
            if skier.racing and not self.over:
                self._window(turn, "W4")
        self.turn = None

    # ---- taking columns (5.5) -----------------------------------------------------------------

    def _take_main(self, turn: Turn) -> None:
        skier = self.skiers[turn.seat]
        options = [f"col{c}" for c in COLUMNS if skier.cols[c - 1] > 0]
        if not options and any(skier.stars):
            options = [f"col{c}" for c in COLUMNS]  # BI-COL-01: all four empty
        if options:
            self._take(turn, self.ask(turn.seat, "D-MAIN", options))

    def _untaken(self, turn: Turn) -> list[str]:
        """Columns that can still be taken as additional ones: non-empty, not yet taken (BI-COL-03)."""
        skier = self.skiers[turn.seat]
        options = [
            f"col{c}" for c in COLUMNS if skier.cols[c - 1] > 0 and f"col{c}" not in turn.taken
        ]
        if skier.spr > 0 and "sprint" not in turn.taken and not self.hooks[turn.seat].no_sprint:
            options.append("sprint")
        return options

    def _take_extra(self, turn: Turn) -> bool:
        """One D-EXTRA; False on "stop" or if it is not asked."""
        options = self._untaken(turn)
        if (
            self.settings.empty_extra  # an empty sprint column may be bought to gain sprint
            and self.skiers[turn.seat].spr == 0
            and "sprint" not in turn.taken
            and not self.hooks[turn.seat].no_sprint
        ):
            options.append("sprint")
        if not options or not self._payable_markers(turn.seat):  # BI-STAM-05
            return False
        choice = self.ask(turn.seat, "D-EXTRA", ["stop"] + options)
        if choice == "stop":
            return False
        self._pay(turn.seat)  # paid before the dice are taken
        self._take(turn, choice)
        return True

    def _take(self, turn: Turn, what: str) -> None:
        """Take a column or the sprint column; the dice are available at once (BI-COL-05)."""
        skier = self.skiers[turn.seat]
        turn.taken.add(what)
        if what == "sprint":
            turn.dice += skier.spr
            skier.spr = 0
            turn.sprint = True  # BI-SPR-01
            return
        column = int(what[-1])
        held, star = skier.cols[column - 1], skier.stars[column - 1]
        full = held >= skier.nation.full_at[column - 1]  # BI-COL-02, BI-ADV-02
        skier.cols[column - 1] = 0
        skier.stars[column - 1] = 0
        turn.dice += held
        if full and star > 0:
            if column == skier.nation.special_box:
                turn.dice += self._special_six(turn, star)
            else:
                turn.dice += star

    def _special_six(self, turn: Turn, star: int) -> int:
        """BI-ADV-03: count the 6, or turn back the innermost used token of one side."""
        skier = self.skiers[turn.seat]
        options = ["include"]
        if skier.L > 0 and turn.effect_side != "left":
            options.append("flip-left")
        if skier.R > 0 and turn.effect_side != "right":
            options.append("flip-right")
        choice = self.ask(turn.seat, "D-SPECIAL", options)
        if choice == "include":
            return star
        if choice == "flip-left":
            skier.L -= 1
        else:
            skier.R -= 1
        return 0

    # ---- stamina (5.6) ------------------------------------------------------------------------

    def _colour(self, skier: Skier, marker: int) -> str:
        """Colour letter under a marker (BI-ADV-01); the columns are written from the top row down."""
        return skier.nation.stamina[marker][self.settings.levels - 1 - skier.st[marker]]

    def _payable_markers(self, seat: int) -> list[int]:
        """Markers (0-based) allowed for one payment now."""
        skier = self.skiers[seat]
        markers = [m for m, level in enumerate(skier.st) if level > 0]
        if self.turn is not None and self.turn.seat == seat and self.turn.shooting:
            # BI-STAM-03: on a SHOOT turn only columns whose target has no shot yet in this visit.
            markers = [m for m in markers if m >= len(skier.shots)]
            if self.settings.shoot_pay_pick == "any_unshot":
                return markers
        if not markers:
            return []
        # BI-STAM-02: the highest; ties are picked.
        if self.settings.highest_by == "row":
            height = {m: skier.st[m] for m in markers}
        else:
            height = {m: -self.settings.colour_rank[self._colour(skier, m)] for m in markers}
        top = max(height.values())
        return [m for m in markers if height[m] == top]

    def _pay(self, seat: int) -> None:
        """One payment (BI-STAM-01)."""
        options = [f"m{m + 1}" for m in self._payable_markers(seat)]
        marker = int(self.ask(seat, "D-PAY", options)[1:]) - 1
        self.skiers[seat].st[marker] -= 1
        self.counters["stamina_paid"] += 1

    # ---- shooting (5.10) ----------------------------------------------------------------------

    def _shoot(self, turn: Turn) -> None:
        skier = self.skiers[turn.seat]
        if self.settings.shoot_round == "next_round" and skier.entered_range_in == self.round:
            return  # BI-SHOT-01: dice are taken, no shot
        targets = self.settings.targets
        while turn.fired < turn.total and len(skier.shots) < targets:  # BI-SHOT-02, BI-SHOT-05
            target = len(skier.shots)  # BI-SHOT-03: left to right
            colour = self._colour(skier, target)
            skier.shots += self._shot_result(turn.seat, target, colour)
            turn.fired += 1
            turn.shot_colours[target] = colour
            turn.last_target = target
            self._window(turn, "W3")
        if len(skier.shots) == targets:  # BI-PEN-01
            skier.miss = skier.shots.count("M")
            laps = -(-skier.miss // self.settings.misses_per_lap)
            skier.owed = laps * self.settings.lap_length

    def _shot_result(self, seat: int, target: int, colour: str) -> str:
        skier = self.skiers[seat]
        if self.chance.shot_die(seat) <= self.settings.hits[colour]:  # BI-SHOT-04
            return "H"
        # Hook hit_range: the first miss of the visit counts as a hit, whatever is rerolled later.
        hook = self.hooks[seat].hit_range
        if hook == -1 or (hook > 0 and self.range_rows.index(skier.at.row) + 1 == hook):
            if skier.gift is None:
                skier.gift = target
            if skier.gift == target:
                return "H"
        return "M"

    # ---- wax (5.11) ---------------------------------------------------------------------------

    def _window(self, turn: Turn, window: str) -> None:
        """BI-WAX-02: repeats until "none" or nothing is usable."""
        while True:
            choices = self._wax_choices(turn, window)
            if not choices:
                return
            choice = self.ask(turn.seat, "D-WAX", ["none"] + list(choices))
            if choice == "none":
                return
            side, branch = choices[choice]
            self._use_wax(turn, window, side, branch)

    def _wax_choices(self, turn: Turn, window: str) -> dict[str, tuple[str, list[str]]]:
        """Option token -> (side, icons of the branch), in canonical order."""
        skier, hook, settings = self.skiers[turn.seat], self.hooks[turn.seat], self.settings
        choices: dict[str, tuple[str, list[str]]] = {}
        unused = settings.slots - skier.L - skier.R
        if turn.tokens_used < settings.tokens_per_turn and self.round >= hook.wax_from_round:
            sides = ["left", "right"][: min(unused, 2)]  # the last unused token is offered as left
            for side in sides:
                number = skier.wax[skier.L if side == "left" else settings.slots - 1 - skier.R]
                branches = settings.tokens.get(number, [])
                if hook.token_block and number == hook.token_block:
                    continue
                for letter, branch in zip("abcdefgh", branches):
                    if hook.no_sprint and "SPRINT" in branch:
                        continue
                    # BI-WAX-03: every icon must be usable, checked before the branch starts.
                    if settings.wax_burn or all(
                        self._usable(turn, window, icon) for icon in branch
                    ):
                        name = side if len(branches) == 1 else f"{side}/{letter}"
                        choices[name] = (side, branch)
        # BI-ADV-04 (Finland): once per SHOOT turn, besides a token.
        printed = skier.nation.printed_wax
        if (
            printed
            and turn.shooting
            and not turn.printed_used
            and self._usable(turn, window, printed)
        ):
            choices["printed"] = ("printed", [printed])
        return choices

    def _usable(self, turn: Turn, window: str, icon: str) -> bool:
        """BI-WAX-05."""
        skier = self.skiers[turn.seat]
        target_left = len(skier.shots) < self.settings.targets
        if icon == "SHOOT":
            return window == "W3"
        if icon == "SPRINT":
            return window in ("W1", "W2", "W3")
        if icon == "PLUS":
            return window in ("W1", "W2") or (window == "W3" and target_left)
        if icon == "MINUS":
            if window == "W2":
                return turn.total >= 1
            return window == "W3" and turn.total - 1 >= turn.fired
        if icon == "FREE":
            return (window == "W2" or (window == "W3" and target_left)) and bool(
                self._untaken(turn)
            )
        if icon in ("ROLL1", "ROLLALL"):
            return skier.on_board > 0
        if icon == "PAY":
            return window in ("W1", "W2", "W3") and bool(self._payable_markers(turn.seat))
        raise ValueError(f"unknown icon {icon}")

    def _use_wax(self, turn: Turn, window: str, side: str, branch: list[str]) -> None:
        skier = self.skiers[turn.seat]
        # BI-WAX-01: the token is turned when chosen.
        if side == "printed":
            turn.printed_used = True
        else:
            turn.tokens_used += 1
            if side == "left":
                skier.L += 1
            else:
                skier.R += 1
        turn.effect_side = side
        for icon in branch:  # left to right, PAY first
            if self._usable(turn, window, icon):  # with wax_burn unusable icons are skipped
                self._run_icon(turn, icon)
        turn.effect_side = ""

    def _run_icon(self, turn: Turn, icon: str) -> None:
        seat, skier = turn.seat, self.skiers[turn.seat]
        if icon == "SHOOT":  # BI-WAX-06
            target = turn.last_target
            if self.settings.reroll_target == "any_shot_this_turn":
                options = [f"t{t + 1}" for t in sorted(turn.shot_colours)]
                target = int(self.ask(seat, "D-SHOT", options)[1:]) - 1
            result = self._shot_result(seat, target, turn.shot_colours[target])
            skier.shots = skier.shots[:target] + result + skier.shots[target + 1 :]
        elif icon == "SPRINT":  # BI-WAX-07
            turn.sprint = True
            turn.bonus += skier.spr
        elif icon == "FREE":  # BI-WAX-08
            self._take(turn, self.ask(seat, "D-FREE", self._untaken(turn)))
        elif icon == "ROLL1":  # BI-WAX-09
            self._reroll_one(seat)
        elif icon == "ROLLALL":  # BI-WAX-10
            count = skier.on_board
            skier.cols, skier.stars, skier.spr = [0, 0, 0, 0], [0, 0, 0, 0], 0
            self._roll_and_place(seat, count)
        elif icon == "PLUS":  # BI-WAX-11
            turn.extra += 1
        elif icon == "MINUS":  # BI-WAX-12
            turn.extra -= 1
        elif icon == "PAY":  # BI-WAX-13
            self._pay(seat)

    def _reroll_one(self, seat: int) -> None:
        skier = self.skiers[seat]
        options = [f"col{c}" for c in COLUMNS if skier.cols[c - 1] > 0]
        options += [f"star{c}" for c in COLUMNS if skier.stars[c - 1] > 0]
        options += ["sprint"] if skier.spr > 0 else []
        place = self.ask(seat, "D-DIE", options)
        if place == "sprint":
            skier.spr -= 1
        elif place.startswith("star"):
            skier.stars[int(place[-1]) - 1] -= 1
        else:
            skier.cols[int(place[-1]) - 1] -= 1
        self._roll_and_place(seat, 1)

    def _roll_and_place(self, seat: int, count: int) -> None:
        faces = [self.chance.race_die(seat) for _ in range(count)]
        sixes = self._place_to_five(seat, faces, blue_rule=self.settings.blue_on_reroll)
        self._place_sixes(seat, sixes)

    # ---- the course ---------------------------------------------------------------------------

    def is_range(self, row: int) -> bool:
        return 1 <= row <= self.last_row and self.settings.rows[row - 1] == "S"

    def letter(self, space: Space) -> str:
        """Terrain letter of a course space, "" elsewhere."""
        return self.settings.rows[space.row - 1][space.number - 1] if space.kind == "row" else ""

    def _others_on(self, seat: int, space: Space) -> int:
        return sum(
            1
            for other, skier in enumerate(self.skiers)
            if other != seat and skier.racing and skier.at == space
        )

    def _entry_cost(self, seat: int, space: Space) -> int:
        """BI-MOVE-05: what entering a space costs now."""
        if self.hooks[seat].free_entry or space.kind in ("start", "S", "home"):
            return 0
        if space.kind == "P" and self.settings.penalty_lane_free:  # BI-PEN-04
            return 0
        if self.letter(space) == "F":  # BI-START-02
            return 0
        others = self._others_on(seat, space)
        return min(others, 1) if self.settings.entry_cost == "per_space" else others

    def _forward(self, row: int, lane: int) -> Space:
        """The space straight ahead of a course space (BI-MOVE-02)."""
        if row + 1 == self.finish_row:
            return HOME
        if self.is_range(row + 1):
            return Space("S", row + 1)
        return Space("row", row + 1, lane)

    def _step(self, space: Space, owed: int, code: str) -> Space | None:
        """The space one step with this code leads to, None if there is no such step.

        The sidestep credit is not looked at here.
        """
        lanes = self.settings.lanes
        if space.kind != "row":
            if space.kind in ("S", "P") and owed > 0:  # BI-PEN-02: no choice
                if code != "P":
                    return None
                index = 1 if space.kind == "S" else space.number % self.settings.lap_length + 1
                return Space("P", space.row, index)
            if not code.isdigit():
                return None
            target = self._forward(space.row, int(code))  # BI-START-01, BI-PEN-05
            possible = int(code) <= lanes if target.kind == "row" else code == "1"
            return target if possible else None
        if code == "F":
            return self._forward(space.row, space.number)
        if code in ("A", "B"):  # BI-MOVE-04
            lane = space.number + (-1 if code == "A" else 1)
            target = self._forward(space.row, lane)
            return target if 1 <= lane <= lanes and self.letter(target) == "W" else None
        if code in ("L", "R"):  # BI-MOVE-03
            lane = space.number + (-1 if code == "L" else 1)
            return Space("row", space.row, lane) if 1 <= lane <= lanes else None
        return None

    def _credit_after(self, seat: int, space: Space, code: str, credit: int) -> int:
        """Sidestep credit after the step ``code`` from ``space`` (BI-MOVE-03)."""
        if code in ("L", "R"):
            return 0
        if code == "P":
            return credit
        # One row forward passes exactly the skiers on the row that is left.
        for other, skier in enumerate(self.skiers):
            if other != seat and skier.racing and skier.at.row == space.row:
                return 1
        return credit

    def _routes(self, seat: int, steps: int, credit: int, slide: bool) -> list[Route]:
        """Every legal route in canonical order (BI-MOVE-06); a slide may stop after any step (BI-DOWN-02)."""
        skier = self.skiers[seat]
        payable = skier.payable
        found: list[Route] = []

        def walk(space: Space, owed: int, route: Route, free: int) -> None:
            ended = route.codes != "" and route.end.kind in ("S", "home")
            if len(route.codes) == steps or ended or (slide and route.codes):
                found.append(route)
            if len(route.codes) == steps or ended:
                return
            for code in "P12345FABLR":
                target = self._step(space, owed, code)
                if target is None or (code in ("L", "R") and route.credit == 0):
                    continue
                cost = self._entry_cost(seat, target)
                waived = min(cost, free)
                cost -= waived
                if route.cost + cost > payable:
                    continue
                longer = Route(
                    route.codes + code,
                    route.spaces + [target],
                    route.costs + [cost],
                    self._credit_after(seat, space, code, route.credit),
                )
                walk(target, owed - 1 if code == "P" else owed, longer, free - waived)

        walk(
            skier.at,
            skier.owed,
            Route("", [], [], credit),
            self.settings.slide_free if slide else 0,
        )
        return found

    def _merge(self, routes: list[Route], with_credit: Callable[[Route], bool]) -> list[Route]:
        """Routes of the same end and cost (and credit, where it is read later) are one option: the first."""
        kept: dict[tuple, Route] = {}
        for route in routes:
            kept.setdefault(
                (route.end, route.cost, route.credit if with_credit(route) else None), route
            )
        return list(kept.values())

    # ---- moving (5.7) -------------------------------------------------------------------------

    def _move(self, turn: Turn) -> None:
        seat, skier = turn.seat, self.skiers[turn.seat]
        steps = self._steps_to_make(turn)
        if steps == 0:
            return
        origin = skier.at
        levels = self._draft_levels(turn, origin)
        routes = self._routes(seat, steps, credit=1, slide=False)
        if not routes:  # BI-STAM-06
            self._collapse(seat)
            return
        separate = bool(levels)
        if not separate:
            routes = self._merge(routes, lambda route: self.letter(route.end) == "D")
        route = self._choose_route(seat, "D-MOVE", routes, stay=[])
        assert route is not None
        self._walk(seat, route.codes, route.spaces, route.costs)
        if self.over:
            return
        codes, track = route.codes, [origin] + route.spaces
        slid_codes, slid_spaces = self._slide(seat, route.credit, separate)
        if self.settings.draft_includes_slide:
            codes, track = codes + slid_codes, track + slid_spaces
        self._draft(seat, origin, levels, codes, track)

    def _steps_to_make(self, turn: Turn) -> int:
        """M, after BI-MOVE-01 and BI-UP-01."""

        def uphill(moves: int) -> int:
            if moves >= 1 and self.letter(self.skiers[turn.seat].at) == "U":
                return max(1, moves - self.settings.uphill_loss)
            return moves

        if self.settings.uphill_order == "before_wax":
            return max(0, uphill(turn.dice) + turn.extra + turn.bonus)
        return uphill(turn.total + turn.bonus)

    def _choose_route(
        self, seat: int, question: str, routes: list[Route], stay: list[str]
    ) -> Route | None:
        """Ask for a route; None if the answer is the one in ``stay``."""
        by_codes = {route.codes: route for route in routes}
        return by_codes.get(self.ask(seat, question, stay + list(by_codes)))

    def _walk(self, seat: int, codes: str, spaces: list[Space], costs: list[int]) -> None:
        """Step by step, each entry paid one by one before the space is entered (BI-STAM-07)."""
        for code, space, cost in zip(codes, spaces, costs):
            for _ in range(cost):
                self._pay(seat)
                self.counters["entries_paid"] += 1
            self._enter(seat, code, space)

    def _enter(self, seat: int, code: str, space: Space) -> None:
        skier = self.skiers[seat]
        left_range = skier.at.kind in ("S", "P") and space.kind != "P"
        skier.at = space
        if code == "P":  # BI-PEN-02, BI-PEN-03
            skier.owed -= 1
            if space.number == self.settings.lap_length:
                skier.miss -= min(self.settings.misses_per_lap, skier.miss)
        if left_range:  # BI-PEN-05
            skier.shots, skier.miss, skier.gift = "", 0, None
        if space.kind == "S":  # BI-SHOT-01
            skier.entered_range_in = self.round
        elif space.kind == "home":  # BI-END-01
            self.finish_order.append(seat)
            self.round_home[seat] = self.round
            self._check_end()

    def _collapse(self, seat: int) -> None:
        """BI-STAM-06: out at once, before any step."""
        self.skiers[seat].at = OUT
        self.collapse_order.append(seat)
        self.counters["collapses"] += 1
        self._check_end()

    # ---- downhill (5.9) -----------------------------------------------------------------------

    def _slide(self, seat: int, credit: int, separate: bool) -> tuple[str, list[Space]]:
        """The slide after a move (or several, slide_repeat); returns codes and spaces walked."""
        skier = self.skiers[seat]
        codes = ""
        spaces: list[Space] = []
        while not self.over and not self.hooks[seat].no_slide and self._may_slide(seat):
            routes = self._routes(seat, self.settings.slide_steps, credit, slide=True)
            if not (separate and self.settings.draft_includes_slide):
                routes = self._merge(routes, lambda _: self.settings.slide_repeat)
            route = self._choose_route(seat, "D-SLIDE", routes, stay=["stay"])
            if route is None:
                break
            self.counters["slides"] += 1
            self._walk(seat, route.codes, route.spaces, route.costs)
            codes, spaces, credit = codes + route.codes, spaces + route.spaces, route.credit
            if not self.settings.slide_repeat or not skier.racing:  # BI-DOWN-03
                break
        return codes, spaces

    def _may_slide(self, seat: int) -> bool:
        """BI-DOWN-01: on a downhill space with another skier straight ahead."""
        at = self.skiers[seat].at
        if self.letter(at) != "D":
            return False
        ahead = self._forward(at.row, at.number)
        return ahead.kind != "home" and self._others_on(seat, ahead) > 0

    # ---- drafting (5.8) -----------------------------------------------------------------------

    def _draft_levels(self, turn: Turn, origin: Space) -> list[list[int]]:
        """Who may follow, by level, from the positions at the start of the move (BI-DRAFT-01 to 04).

        Level 1 is the first list; an empty level ends the chain. Stamina is not looked at.
        """
        levels: list[list[int]] = []
        if turn.sprint or origin.kind != "row":  # BI-SPR-01, BI-DRAFT-01
            return levels
        row = origin.row
        while True:
            row -= 1
            if row < 1:
                break  # BI-DRAFT-02: start is not a space behind row 1
            in_range = self.is_range(row)
            if in_range and not self.settings.draft_from_shooting_space:
                break
            space = Space("S", row) if in_range else Space("row", row, origin.number)
            followers = []
            for other in self._clockwise(turn.seat):
                skier = self.skiers[other]
                if other == turn.seat or not skier.racing or skier.at != space:
                    continue
                # BI-DRAFT-03: from S only with all shots made and nothing owed.
                if in_range and (len(skier.shots) < self.settings.targets or skier.owed > 0):
                    continue
                followers.append(other)
            if not followers:
                break
            levels.append(followers)
            if in_range:
                break  # nobody can draft on a follower that starts in S
        return levels

    def _draft(
        self, leader: int, origin: Space, levels: list[list[int]], codes: str, track: list[Space]
    ) -> None:
        """BI-DRAFT-04: level by level; each is asked, moves and slides before the next is asked."""
        for level, followers in enumerate(levels, start=1):
            drafted = False
            for seat in followers:
                if self.over:
                    return
                if self._draft_one(seat, leader, origin, level, codes, track):
                    drafted = True
            if not drafted:
                return

    def _draft_one(
        self, seat: int, leader: int, origin: Space, level: int, codes: str, track: list[Space]
    ) -> bool:
        hook = self.hooks[seat]
        if hook.no_draft or (hook.no_own_draft and self.owner(seat) == self.owner(leader)):
            return False
        if self.settings.draft_path == "track":
            path = self._track_path(seat, origin, level, track)
        else:
            path = self._copy_path(seat, origin, codes)
        if not path:
            return False
        costs = [self._entry_cost(seat, space) for _, space in path]  # BI-DRAFT-06
        payable = self.skiers[seat].payable
        if self.settings.draft_extent == "prefix":
            lengths = [n for n in range(1, len(path) + 1) if sum(costs[:n]) <= payable]
            options = [str(n) for n in lengths]
        else:
            options = ["yes"] if sum(costs) <= payable else []
        if not options:
            return False
        choice = self.ask(seat, "D-DRAFT", ["no"] + options)
        if choice == "no":
            return False
        length = len(path) if choice == "yes" else int(choice)
        credit = 1
        for (code, space), cost in zip(path[:length], costs):
            credit = self._credit_after(seat, self.skiers[seat].at, code, credit)
            self._walk(seat, code, [space], [cost])
        self.counters["drafts"] += 1
        self.counters["draft_steps"] += length
        if self.settings.slide_after_draft and not self.over:
            self._slide(seat, credit, separate=False)
        return True

    def _track_path(
        self, seat: int, origin: Space, level: int, track: list[Space]
    ) -> list[tuple[str, Space]]:
        """BI-DRAFT-05, "track": the leader's spaces, level k ends k spaces before the leader's last."""
        # The line of spaces behind the leader, nearest last; all straight behind in its lane.
        behind = [Space("row", origin.row - back, origin.number) for back in range(level, 0, -1)]
        behind[0] = self.skiers[seat].at  # the follower's own space (S or a course space)
        line = behind + track
        path = line[1 : len(track)]  # as many steps as the leader made: len(track) - 1
        steps = []
        for here, there in zip(line, path):
            if here.kind == "row" and there.row == here.row:
                code = "L" if there.number < here.number else "R"
            else:
                code = "F"  # any step forward; only the credit reads this code
            steps.append((code, there))
        return steps

    def _copy_path(self, seat: int, origin: Space, codes: str) -> list[tuple[str, Space]]:
        """BI-DRAFT-05, "copy": the leader's step codes from the follower's own space, [] if impossible."""
        space, steps = self.skiers[seat].at, []
        for code in codes:
            if space.kind == "S":
                # As if it stood in the leader's start lane of that row.
                target = (
                    None
                    if code in ("L", "R")
                    else self._step(Space("row", space.row, origin.number), 0, code)
                )
            else:
                target = self._step(space, 0, code)
            if target is None:
                return []
            steps.append((code, target))
            space = target
            if space.kind in ("S", "home"):
                break
        return steps

    # ---- end (5.13) ---------------------------------------------------------------------------

    def _check_end(self) -> None:
        """Called after every finish and every collapse."""
        racing = self._racing()
        if not racing:
            self.over = True
        elif self.two_player:
            if self.settings.two_player_end == "first_skeeple":
                self.over = bool(self.finish_order)  # BI-TWO-02
            else:
                self.over = self._player_with_both_home() is not None
        elif (
            self.settings.race_end == "placements_known" and len(racing) == 1 and self.finish_order
        ):
            self.finish_order.append(racing[0])  # takes the next place (BI-END-02)
            self.over = True

    def _player_with_both_home(self) -> int | None:
        for player in (0, 1):
            if sum(1 for seat in self.finish_order if self.owner(seat) == player) == 2:
                return player
        return None

    def _winner(self) -> int | None:
        """Winning player (of the seat itself in a game without two skiers per player)."""
        if not self.finish_order:
            return None  # BI-END-04
        if self.two_player and self.settings.two_player_end == "both_skeeples":
            both = self._player_with_both_home()
            if both is not None:
                return both
            if not self.over:
                return None
        return self.owner(self.finish_order[0])

    def _make_result(self) -> dict[str, Any]:
        winner = self._winner()
        # BI-END-03: all without a place share the mean of the ranks that finishers did not take.
        placed = len(self.finish_order)
        shared = (placed + 1 + self.n) / 2
        rank = [shared] * self.n
        for place, seat in enumerate(self.finish_order, start=1):
            rank[seat] = float(place)
        homes = [number for number in self.round_home if number is not None]
        return {
            "finish_order": list(self.finish_order),
            "collapse_order": list(self.collapse_order),
            "rank": rank,
            "win": [
                1 if winner is not None and self.owner(seat) == winner else 0
                for seat in range(self.n)
            ],
            "winner_player": winner,
            "winner_seat": self.finish_order[0] if self.finish_order else None,
            "first_home": min(homes) if homes else None,
            "last_round": self.round,
            "round_home": list(self.round_home),
            "truncated": self.truncated,
            "counters": dict(self.counters),
        }


def _hooks_of(hooks: Any, seat: int) -> dict:
    if not hooks:
        return {}
    if isinstance(hooks, dict):
        return hooks.get(seat) or {}
    return (hooks[seat] if seat < len(hooks) else None) or {}


def _shift_stamina(st: list[int], delta: int, top: int) -> None:
    """Hook stamina_delta: payments by highest row, or rows up for the lowest; lowest index first."""
    for _ in range(abs(delta)):
        if delta < 0 and max(st) > 0:
            st[st.index(max(st))] -= 1
        elif delta > 0 and min(st) < top:
            st[st.index(min(st))] += 1


# ------------------------------------------------------------------------------------------------
# Scripted cases (spec/scripted.md)
# ------------------------------------------------------------------------------------------------


class CaseResult:
    def __init__(self) -> None:
        self.end: dict[str, Any] = {}  # seat ("1", …) to fields, plus "game"
        self.questions: list[tuple[int, str, list[str], str]] = []  # seats from 1
        self.differences: list[str] = []


def run_case(case: dict, rules: dict) -> CaseResult:
    """Play a scripted position. ``rules`` is the resolved dict; ``case["rules"]`` overrides parts of it."""
    outcome = CaseResult()
    try:
        rules = _case_rules(case, rules)
        chance = ScriptedChance(case.get("dice", []))
        twin = _case_twin(case, rules, chance)
        choices = [tuple(choice) for choice in case.get("choices", [])]
        expected_options = dict(case.get("options", {}))
        seen: set[str] = set()

        def answer(seat: int, question: str, options: list[str], state: dict) -> str:
            met = f"question {len(outcome.questions) + 1}: seat {seat + 1} {question} {options}"
            if question in case.get("not_asked", []):
                outcome.differences.append(f"{met}: must not be asked")
            if question in expected_options and question not in seen:
                wanted = [str(option) for option in expected_options[question]]
                if sorted(wanted) != sorted(options):
                    outcome.differences.append(f"{met}: options expected {wanted}")
            seen.add(question)
            number = len(outcome.questions)
            if number >= len(choices):
                raise ScriptError(f"{met}: not in the choices")
            *who, wanted_question, choice = choices[number]
            if wanted_question != question or (who and int(who[0]) != seat + 1):
                raise ScriptError(f"{met}: the choices expect {list(choices[number])}")
            if str(choice) not in options:
                raise ScriptError(f"{met}: answer {choice!r} is not an option")
            outcome.questions.append((seat + 1, question, options, str(choice)))
            return str(choice)

        twin._answer = answer
        try:
            for event in str(case["event"]).split(";"):
                _play_event(twin, event.strip())
            for choice in choices[len(outcome.questions) :]:
                outcome.differences.append(f"choice {list(choice)} did not come up")
            for question in expected_options:
                if question not in seen:
                    outcome.differences.append(f"options of {question} given, but it was not asked")
            if chance.used < len(chance.faces):
                outcome.differences.append(f"dice left over: {chance.faces[chance.used :]}")
        except ScriptError as error:
            outcome.differences.append(str(error))
        outcome.end = _case_end(twin)
        _compare_end(twin, outcome, case.get("expect", {}))
    except (KeyError, ValueError, TypeError, IndexError) as error:
        outcome.differences.append(f"case cannot be played: {type(error).__name__}: {error}")
    return outcome


def _case_rules(case: dict, rules: dict) -> dict:
    rules = copy.deepcopy(rules)
    case = dict(case)
    for key, value in (case.get("rules") or {}).items():
        path = key.split(".")
        if len(path) == 1:
            path = ["rules", key]
        if key in ("course.layout", "course.lanes"):  # resolved below
            case.setdefault("course" if key.endswith("layout") else "lanes", value)
            continue
        if key == "dice.shoot.hits" and isinstance(value, list):
            value = dict(zip(rules["dice"]["shoot"]["order"], value))
        part = rules
        for name in path[:-1]:
            part = part[name]
        if path[-1] not in part:
            raise ValueError(f"unknown rule {key}")
        part[path[-1]] = value
    if "course" in case or "lanes" in case:
        lanes = int(case.get("lanes", rules["course"]["lanes"]))
        course = case.get("course", "starter")
        if isinstance(course, dict):  # {"lanes": …, "rows": […]} or {"layout": …}
            lanes = int(course.get("lanes", lanes))
            course = course.get("rows") or course.get("tiles") or course.get("layout", "starter")
        rules["course"] = {**rules["course"], "lanes": lanes, "rows": course_rows(course, lanes)}
    return rules


def _case_twin(case: dict, rules: dict, chance: ScriptedChance) -> Twin:
    listed = {int(seat): fields for seat, fields in case["skiers"].items()}
    two_player = case.get("players") == 2
    count = 4 if two_player else int(case.get("players") or max(listed))
    count = max(count, max(listed))
    twin = Twin(
        rules, 2 if two_player else 0, 0, 0, hooks=case.get("hooks"), chance=chance, seats=count
    )
    twin.round = 1
    settings = twin.settings
    basic = [
        nation
        for name, nation in settings.nations.items()
        if rules["nations"]["table"][name]["kind"] == "basic"
    ]
    basic = basic or list(settings.nations.values())
    for seat, skier in enumerate(twin.skiers):
        fields = listed.get(seat + 1)
        if fields is None and not case.get("players"):
            fields = {"at": "out"}  # a gap in the seats: nobody there
        fields = fields or {}
        unknown = set(fields) - set(skier.fields())
        if unknown:
            raise ValueError(f"seat {seat + 1}: unknown fields {sorted(unknown)}")
        skier.at = read_space(fields.get("at", "start"))
        skier.nation = basic[seat % len(basic)]
        if "nation" in fields:
            plain = {_plain(name): nation for name, nation in settings.nations.items()}
            skier.nation = plain[_plain(fields["nation"])]
        skier.st = list(fields.get("st", [2] * settings.markers))
        skier.cols = list(fields.get("cols", [0, 0, 0, 0]))
        skier.stars = list(fields.get("stars", [0, 0, 0, 0]))
        skier.spr = int(fields.get("spr", 0))
        has_wax = "wax" in fields
        skier.wax = [int(number) for number in fields["wax"]] if has_wax else [0] * settings.slots
        skier.L = int(fields.get("L", 0 if has_wax else settings.slots))
        skier.R = int(fields.get("R", 0))
        skier.shots = fields.get("shots", "")
        skier.owed = int(fields.get("owed", 0))
        skier.miss = int(fields.get("miss", 0))
        if skier.at == HOME:
            twin.finish_order.append(seat)
        elif skier.at == OUT and fields is listed.get(seat + 1):
            twin.collapse_order.append(seat)
        if len(skier.wax) != settings.slots:
            raise ValueError(f"seat {seat + 1}: {settings.slots} wax tokens are needed")
    return twin


def _plain(name: str) -> str:
    return name.lower().replace(" ", "").replace("_", "")


def _play_event(twin: Twin, event: str) -> None:
    word, seat_text = event.split()
    seat = int(seat_text) - 1
    if word == "prep":
        twin.prepare([seat])
    elif word == "turn":
        twin.play_turn(seat)
    elif word == "round":
        twin.marker = seat
        twin.play_round()
    else:
        raise ValueError(f"unknown event {event!r}")


def _case_end(twin: Twin) -> dict[str, Any]:
    end: dict[str, Any] = {str(seat + 1): skier.fields() for seat, skier in enumerate(twin.skiers)}
    turn = twin.last_turn
    end["game"] = {
        "dice_taken": turn.dice if turn else 0,
        "sprinted": turn.sprint if turn else False,
        "over": twin.over,
    }
    return end


def _compare_end(twin: Twin, outcome: CaseResult, expect: dict) -> None:
    for who, fields in expect.items():
        actual = dict(outcome.end.get(str(who), {}))
        if str(who) not in outcome.end:
            outcome.differences.append(f"expect: no seat {who}")
            continue
        if who != "game":  # two derived figures may be expected as well
            seat = int(who) - 1
            actual["avail"] = twin.settings.race_dice - twin.skiers[seat].on_board
            actual["place"] = (
                twin.finish_order.index(seat) + 1 if seat in twin.finish_order else None
            )
        for field, wanted in fields.items():
            if field not in actual:
                outcome.differences.append(f"expect: unknown field {field} of {who}")
            elif field == "nation":
                if _plain(str(wanted)) != _plain(actual[field]):
                    outcome.differences.append(
                        f"{who}.nation: expected {wanted}, got {actual[field]}"
                    )
            elif actual[field] != wanted:
                outcome.differences.append(f"{who}.{field}: expected {wanted}, got {actual[field]}")


# ------------------------------------------------------------------------------------------------
# Default rules (section 2), for scripted courses and the self-check
# ------------------------------------------------------------------------------------------------

TILES = {
    "A": ["F", "P", "P", "P"],  # start
    "T": ["P", "P", "P", "P"],  # straight
    "U": ["U", "U", "U", "U"],
    "D": ["D", "D", "D", "D"],
    "C": ["W", "P", "P", "P"],  # corner
    "S": ["P", "S", "W", "P"],  # shooting
    "G": ["P", "P", "P", "P"],  # goal
}

LAYOUTS = {
    "starter": "ATUCSTDCSTG",
    "flat_short": "ATTCSTTCSTG",
    "hilly_short": "AUCDSUCDSTG",
    "mini_one": "ATUSDTG",
    "long_three": "ATUCSTDCSTUCSDTG",
    "long_four": "ATUCSTDCSTUCSTDCSTTG",
    "ranges_early": "ATSCSTUTDCG",
    "ranges_late": "ATUTDCSCSTG",
    "hills_apart": "AUTCSTUCSTG",
    "hills_together": "AUUCSTTCSTG",
    "ranges_adjacent": "ATUCTSSDCTG",
}


def course_rows(course: Any, lanes: int) -> list[str]:
    """Rows of a layout name, of tile letters ("ATG") or of a ready list of rows."""
    if isinstance(course, str):
        tiles = LAYOUTS.get(course, course)
        letters = [letter for tile in tiles for letter in TILES[tile]]
        return ["S" if letter == "S" else letter * lanes for letter in letters]
    return list(course)


def default_rules(layout: str = "starter", lanes: int = 2) -> dict:
    def nation(
        kind: str,
        board: str,
        stamina: str,
        full_at: str = "4444",
        special: int = 0,
        printed: str = "",
    ) -> dict:
        return {
            "kind": kind,
            "board": board,
            "stamina": stamina.split(),
            "full_at": [int(digit) for digit in full_at],
            "special_box": special,
            "printed_wax": printed,
        }

    basic = "GYRB GYRB GYRB GYRB GYRB"
    table = {
        "Norway": nation("basic", "b1", basic),
        "Germany": nation("basic", "b2", basic),
        "Russia": nation("basic", "b3", basic),
        "France": nation("basic", "b4", basic),
        "Sweden": nation("basic", "b5", basic),
        "Austria": nation("advanced", "b1", "GYRB GYRB GYRB GRRB GRRB", "4433"),
        "United Kingdom": nation("advanced", "b2", "GYRB GYRB GYRB GYRB GRRB", special=2),
        "Italy": nation("advanced", "b3", "GYRB GYRB GYRB GRRB GRRB", "4443", special=1),
        "USA": nation("advanced", "b4", "GGYB GGYB GYRB GYRB GYRB"),
        "Finland": nation("advanced", "b5", "YYRB YYRB YYRB GYRB GYRB", printed="SHOOT"),
    }
    tokens = {
        "1": [["SHOOT"]],
        "2": [["SHOOT"], ["PLUS"]],
        "3": [["SPRINT"]],
        "4": [["FREE"]],
        "5": [["ROLL1"]],
        "6": [["ROLLALL"]],
        "7": [["PLUS"], ["MINUS"]],
        "8": [["PAY", "PLUS", "SPRINT"]],
        "9": [["PLUS", "ROLL1"]],
        "10": [["PAY", "FREE", "PLUS"]],
        "11": [["SPRINT"], ["SHOOT"]],
        "12": [["ROLLALL"], ["SHOOT"]],
        "13": [["PLUS"]],
    }
    return {
        "mode": {"race": "long" if LAYOUTS[layout].count("S") >= 3 else "short"},
        "setup": {"first": "random"},
        "sim": {"max_rounds": 400},
        "dice": {
            "race": {"count": 10, "faces": [1, 2, 3, 4, 5, 6]},
            "shoot": {
                "order": ["green", "yellow", "red", "blue"],
                "sides": 6,
                "hits": {"green": 5, "yellow": 4, "red": 3, "blue": 2},
            },
        },
        "board": {"column_cap": 4, "star_cap": 1, "sprint_cap": 4},
        "stamina": {"levels": 4, "start_top": 3, "start_short": 2, "columns": 5, "markers": 5},
        "range": {"shots": 5, "misses_per_lap": 2, "lap_length": 3},
        "course": {"lanes": lanes, "rows": course_rows(layout, lanes)},
        "terrain": {"slide_steps": 3, "slide_free": 1, "uphill_loss": 1},
        "wax": {
            "slots": 6,
            "dealt": 8,
            "per_turn": 1,
            "tokens": tokens,
            "sets": {board: list(range(1, 9)) for board in BOARDS},
            "loadout": "drawn",
        },
        "nations": {
            "assign": "drawn",
            "use": [name for name in table if table[name]["kind"] == "basic"],
            "table": table,
        },
        "rules": {key: values[0] for key, values in SWITCHES.items()},
    }


# Every switch of section 5 with its values, default first.
SWITCHES: dict[str, list] = {
    "marker_skips_inactive": [False, True],
    "blue_on_reroll": [False, True],
    "empty_extra": [False, True],
    "highest_by": ["row", "colour"],
    "shoot_pay_pick": ["any_unshot", "highest_unshot"],
    "entry_cost": ["per_space", "per_skeeple"],
    "uphill_order": ["after_wax", "before_wax"],
    "draft_from_shooting_space": [True, False],
    "draft_path": ["track", "copy"],
    "draft_extent": ["all_or_nothing", "prefix"],
    "draft_includes_slide": [False, True],
    "slide_after_draft": [True, False],
    "slide_repeat": [False, True],
    "shoot_round": ["next_own_turn", "next_round"],
    "penalty_lane_free": [True, False],
    "wax_burn": [False, True],
    "reroll_target": ["last_shot", "any_shot_this_turn"],
    "full_at_3_scope": ["star_only", "fives_too", "capacity"],
    "race_end": ["all_home", "placements_known"],
    "two_player_seating": ["blocks", "alternating"],
    "two_player_end": ["first_skeeple", "both_skeeples"],
}


# ------------------------------------------------------------------------------------------------
# Self-check
# ------------------------------------------------------------------------------------------------


def _last_token(number: int) -> dict:
    return {"wax": [1, 1, 1, 1, 1, number], "L": 5}


def worked_examples() -> list[dict]:
    """E01 to E29 of section 7."""
    return [
        {
            "id": "E01",
            "skiers": {"1": {"cols": [0, 0, 2, 0], "stars": [0, 0, 1, 0]}},
            "event": "prep 1",
            "dice": [1, 1, 5, 6],
            "choices": [["D-SIX", "sprint"]],
            "options": {"D-SIX": ["sprint", "star1"]},
            "expect": {"1": {"cols": [2, 0, 3, 0], "stars": [0, 0, 1, 0], "spr": 1, "avail": 3}},
        },
        {
            "id": "E02",
            "skiers": {
                "1": {
                    "at": [5, 1],
                    "cols": [0, 3, 0, 2],
                    "stars": [0, 1, 0, 0],
                    "st": [3, 2, 2, 2, 2],
                }
            },
            "event": "turn 1",
            "choices": [["D-MAIN", "col2"], ["D-EXTRA", "col4"], ["D-MOVE", "FFFFF"]],
            "options": {"D-MOVE": ["FFFFF", "FFFFR"]},
            "not_asked": ["D-PAY"],
            "expect": {
                "1": {"at": [10, 1], "st": [2, 2, 2, 2, 2], "avail": 10},
                "game": {"dice_taken": 5},
            },
        },
        {
            "id": "E03",
            "skiers": {"1": {"at": "S18", "shots": "HMMM", "cols": [1, 0, 0, 0]}},
            "event": "turn 1",
            "dice": [6],
            "expect": {"1": {"shots": "HMMMM", "miss": 4, "owed": 6, "at": "S18"}},
        },
        {
            "id": "E04",
            "skiers": {"1": {"st": [0, 0, 1, 2, 2], "cols": [0, 0, 0, 2]}},
            "event": "prep 1",
            "dice": [5, 6, 6, 3],
            "choices": [["D-SIX", "star4"]],
            "options": {"D-SIX": ["sprint", "star3", "star4"]},
            "expect": {"1": {"cols": [0, 0, 1, 2], "stars": [0, 0, 0, 1], "avail": 6}},
        },
        {
            "id": "E05",
            "skiers": {"1": {}},
            "event": "prep 1",
            "dice": [5, 5, 6, 6, 6],
            "choices": [["D-SIX", "star4"]],
            "options": {"D-SIX": ["sprint", "star4"]},
            "expect": {"1": {"cols": [0, 0, 0, 2], "stars": [0, 0, 0, 1], "spr": 2, "avail": 5}},
        },
        {
            "id": "E06",
            "skiers": {"1": {"cols": [3, 0, 0, 2]}},
            "event": "prep 1",
            "dice": [5, 5, 1],
            "expect": {"1": {"cols": [4, 0, 0, 2], "avail": 4}},
        },
        {
            "id": "E07",
            "skiers": {"1": {"cols": [0, 3, 0, 0], "stars": [0, 1, 0, 0]}},
            "event": "prep 1",
            "dice": [2, 2, 6],
            "expect": {"1": {"cols": [0, 4, 0, 0], "stars": [0, 1, 0, 0], "spr": 1, "avail": 4}},
        },
        {
            "id": "E08",
            "skiers": {
                "1": {"at": [5, 1], "cols": [4, 0, 0, 0], "st": [0, 0, 0, 0, 1]},
                "2": {"at": [6, 1]},
                "3": {"at": [8, 2]},
            },
            "event": "turn 1",
            "choices": [["D-MOVE", "RFFL"]],
            "options": {"D-MOVE": ["FFFF", "FRFL", "RFFF", "RFFL"]},
            "expect": {"1": {"at": [7, 1], "st": [0, 0, 0, 0, 1]}},
        },
        {
            "id": "E09",
            "skiers": {
                "1": {"at": [23, 1], "cols": [0, 0, 0, 4]},
                "2": {"at": [21, 1]},
                "3": {"at": [22, 1]},
                "4": {"at": [23, 2]},
            },
            "event": "turn 1",
            "choices": [
                [1, "D-MOVE", "FFFF"],
                [3, "D-DRAFT", "yes"],
                [3, "D-SLIDE", "FFF"],
                [2, "D-DRAFT", "yes"],
            ],
            "expect": {
                "1": {"at": [27, 1], "st": [2] * 5},
                "3": {"at": [29, 1], "st": [2] * 5},
                "2": {"at": [25, 1], "st": [2] * 5},
                "4": {"at": [23, 2], "st": [2] * 5},
            },
        },
        {
            "id": "E10a",
            "skiers": {"1": {"at": [10, 1], "cols": [1, 0, 0, 0], **_last_token(7)}},
            "event": "turn 1",
            "choices": [["D-WAX", "none"], ["D-WAX", "left/b"]],
            "options": {"D-WAX": ["none", "left/a"]},
            "not_asked": ["D-MOVE"],
            "expect": {"1": {"at": [10, 1], "L": 6}},
        },
        {
            "id": "E10b",
            "skiers": {"1": {"at": [10, 1], "cols": [1, 0, 0, 0], **_last_token(7)}},
            "event": "turn 1",
            "choices": [["D-WAX", "none"], ["D-WAX", "left/a"], ["D-MOVE", "R"]],
            "options": {"D-MOVE": ["F", "R"]},
            "expect": {"1": {"at": [10, 2]}},
        },
        {
            "id": "E10c",
            "skiers": {"1": {"at": [10, 1], "cols": [1, 0, 0, 0], **_last_token(7)}},
            "event": "turn 1",
            "choices": [["D-WAX", "none"], ["D-WAX", "none"], ["D-MOVE", "F"]],
            "options": {"D-MOVE": ["F", "R"]},
            "expect": {"1": {"at": [11, 1]}},
        },
        {
            "id": "E11",
            "skiers": {"1": {"at": [16, 1], "cols": [4, 0, 0, 0], "stars": [1, 0, 0, 0]}},
            "event": "turn 1",
            "not_asked": ["D-MOVE"],
            "expect": {"1": {"at": "S18", "avail": 10}, "game": {"dice_taken": 5}},
        },
        {
            "id": "E12",
            "skiers": {
                "1": {
                    "at": "S18",
                    "shots": "HM",
                    "miss": 0,
                    "st": [2, 2, 2, 1, 0],
                    "cols": [0, 2, 0, 1],
                }
            },
            "event": "turn 1",
            "dice": [4, 3, 2],
            "choices": [["D-MAIN", "col2"], ["D-EXTRA", "col4"], ["D-PAY", "m4"]],
            "options": {"D-PAY": ["m3", "m4"]},
            "expect": {
                "1": {"shots": "HMHMH", "st": [2, 2, 2, 0, 0], "miss": 2, "owed": 3},
                "game": {"dice_taken": 3},
            },
        },
        {
            "id": "E13",
            "skiers": {
                "1": {
                    "at": "S18",
                    "shots": "HMHMH",
                    "owed": 3,
                    "miss": 2,
                    "cols": [0, 0, 0, 4],
                    "stars": [0, 0, 0, 1],
                }
            },
            "event": "turn 1",
            "choices": [["D-MOVE", "PPP2F"]],
            "options": {"D-MOVE": ["PPP1F", "PPP1R", "PPP2F", "PPP2L"]},
            "expect": {"1": {"at": [20, 2], "shots": "", "owed": 0, "miss": 0}},
        },
        {
            "id": "E14",
            "skiers": {
                "1": {"at": [21, 1], "cols": [0, 0, 2, 0], "spr": 3, **_last_token(3)},
                "2": {"at": [20, 1]},
            },
            "event": "turn 1",
            "choices": [
                ["D-WAX", "left"],
                ["D-EXTRA", "sprint"],
                ["D-PAY", "m5"],
                ["D-MOVE", "FFFFFFFF"],
            ],
            "not_asked": ["D-DRAFT"],
            "expect": {
                "1": {"at": [29, 1], "st": [2, 2, 2, 2, 1]},
                "game": {"dice_taken": 5, "sprinted": True},
            },
        },
        {
            "id": "E15",
            "skiers": {
                "1": {"at": [6, 1], "st": [0] * 5, "cols": [1, 0, 0, 0]},
                "2": {"at": [7, 1]},
                "3": {"at": [6, 2]},
            },
            "event": "turn 1",
            "expect": {"1": {"at": "out"}, "game": {"over": False}},
        },
        {
            "id": "E16",
            "skiers": {
                "1": {"st": [0] * 5, "cols": [1, 0, 0, 0]},
                "2": {"at": [1, 1]},
                "3": {"at": [2, 1]},
            },
            "event": "turn 1",
            "choices": [["D-MOVE", "1"]],
            "options": {"D-MOVE": ["1", "2"]},
            "expect": {"1": {"at": [1, 1], "st": [0] * 5}},
        },
        {
            "id": "E17",
            "skiers": {
                "1": {
                    "nation": "United Kingdom",
                    "at": [5, 1],
                    "cols": [0, 4, 0, 0],
                    "stars": [0, 1, 0, 0],
                    "wax": [1, 2, 3, 4, 7, 8],
                    "L": 1,
                }
            },
            "event": "turn 1",
            "choices": [
                ["D-WAX", "none"],
                ["D-SPECIAL", "flip-left"],
                ["D-WAX", "none"],
                ["D-MOVE", "FFFF"],
            ],
            "options": {
                "D-SPECIAL": ["include", "flip-left"],
                "D-WAX": ["none", "left/b", "right"],
            },
            "expect": {"1": {"at": [9, 1], "L": 0}, "game": {"dice_taken": 4}},
        },
        {
            "id": "E18",
            "skiers": {"1": {"at": [43, 1], "cols": [4, 0, 0, 0]}, "2": {"at": [42, 1]}},
            "event": "turn 1",
            "choices": [["D-MOVE", "FF"], [2, "D-DRAFT", "yes"]],
            "options": {"D-MOVE": ["FF", "FRF", "RFF"]},
            "expect": {
                "1": {"at": "home", "place": 1},
                "2": {"at": [44, 1]},
                "game": {"over": False},
            },
        },
        {
            "id": "E19",
            "players": 2,
            "skiers": {"1": {"at": [43, 1], "cols": [4, 0, 0, 0]}, "2": {"at": [42, 1]}},
            "event": "turn 1",
            "choices": [["D-MOVE", "FF"]],
            "not_asked": ["D-DRAFT"],
            "expect": {"1": {"at": "home"}, "2": {"at": [42, 1]}, "game": {"over": True}},
        },
        {
            "id": "E20",
            "skiers": {"1": {"cols": [0, 1, 0, 0]}},
            "event": "prep 1",
            "dice": [2, 2, 2, 2, 5],
            "expect": {"1": {"cols": [0, 4, 0, 0], "avail": 6}},
        },
        {
            "id": "E21",
            "skiers": {
                "1": {
                    "at": "S18",
                    "shots": "HHHH",
                    "st": [3] * 5,
                    "cols": [0, 0, 0, 4],
                    "stars": [0, 0, 0, 1],
                }
            },
            "event": "turn 1",
            "dice": [6],
            "expect": {"1": {"shots": "HHHHM", "owed": 3, "miss": 1, "avail": 10}},
        },
        {
            "id": "E22",
            "skiers": {"1": {"at": "S18", "cols": [1, 0, 0, 0], **_last_token(7)}},
            "event": "turn 1",
            "dice": [1, 1],
            "choices": [["D-WAX", "none"], ["D-WAX", "none"], ["D-WAX", "left/a"]],
            "expect": {"1": {"shots": "HH", "L": 6}},
        },
        {
            "id": "E23",
            "skiers": {
                "1": {"at": [23, 2], "cols": [2, 0, 0, 0]},
                "2": {"at": [22, 2]},
                "3": {"at": [21, 2]},
            },
            "event": "turn 1",
            "choices": [["D-MOVE", "FF"], [2, "D-DRAFT", "no"]],
            "expect": {"1": {"at": [25, 2]}, "2": {"at": [22, 2]}, "3": {"at": [21, 2]}},
        },
        {
            "id": "E24",
            "skiers": {"1": {"at": [13, 1], "cols": [1, 0, 0, 0]}},
            "event": "turn 1",
            "choices": [["D-MOVE", "F"]],
            "options": {"D-MOVE": ["F", "R"]},
            "expect": {"1": {"at": [14, 1]}},
        },
        {
            "id": "E25",
            "skiers": {"1": {"at": [23, 1], "cols": [2, 0, 0, 0]}, "2": {"at": [26, 2]}},
            "event": "turn 1",
            "choices": [["D-MOVE", "FF"]],
            "not_asked": ["D-SLIDE"],
            "expect": {"1": {"at": [25, 1]}},
        },
        {
            "id": "E26",
            "skiers": {"1": {"nation": "USA", "at": "S18", "cols": [0, 1, 0, 0]}},
            "event": "turn 1",
            "dice": [5],
            "expect": {"1": {"shots": "H"}},
        },
        {
            "id": "E27",
            "skiers": {"1": {"at": [21, 1], "cols": [3, 0, 0, 0]}, "2": {"at": [20, 1]}},
            "event": "turn 1",
            "choices": [["D-MOVE", "FFR"], [2, "D-DRAFT", "yes"]],
            "options": {"D-MOVE": ["FFF", "FFR", "FRF", "RFF"]},
            "expect": {"1": {"at": [23, 2]}, "2": {"at": [23, 1]}},
        },
        {
            "id": "E28",
            "skiers": {"1": {"cols": [4, 2, 0, 0], "stars": [1, 0, 0, 0], "spr": 3}},
            "event": "prep 1",
            "expect": {"1": {"cols": [4, 2, 0, 0], "stars": [1, 0, 0, 0], "spr": 3, "avail": 0}},
        },
        {
            "id": "E29",
            "skiers": {
                "1": {
                    "at": "S18",
                    "shots": "HH",
                    "st": [3, 3, 2, 2, 2],
                    "cols": [1, 0, 0, 0],
                    **_last_token(8),
                }
            },
            "event": "turn 1",
            "dice": [4, 4],
            "choices": [["D-WAX", "none"], ["D-WAX", "none"], ["D-WAX", "left"], ["D-PAY", "m5"]],
            "options": {"D-PAY": ["m4", "m5"]},
            "expect": {"1": {"shots": "HHHH", "st": [3, 3, 2, 2, 1]}},
        },
    ]


def further_cases() -> list[dict]:
    """Cases of our own: edge cases of section 6 and the switches, worked out by hand from the text."""
    tow = {"1": {"at": [21, 1], "cols": [3, 0, 0, 0]}, "2": {"at": [20, 1]}}
    diagonal = {"1": {"at": [12, 1], "cols": [1, 0, 0, 0]}, "2": {"at": [11, 1]}}
    from_range = {"1": {"at": [19, 2], "cols": [2, 0, 0, 0]}, "2": {"at": "S18", "shots": "HHHHH"}}
    slide = {"1": {"at": [25, 1], "cols": [1, 0, 0, 0]}, "2": {"at": [24, 1]}, "3": {"at": [27, 1]}}
    return [
        {
            "id": "copy ends straight behind",
            "skiers": tow,
            "rules": {"rules.draft_path": "copy"},
            "event": "turn 1",
            "choices": [["D-MOVE", "FFR"], ["D-DRAFT", "yes"]],
            "expect": {"2": {"at": [22, 2]}},
        },
        {
            "id": "prefix",
            "skiers": tow,
            "rules": {"rules.draft_extent": "prefix"},
            "event": "turn 1",
            "choices": [["D-MOVE", "FFR"], ["D-DRAFT", "2"]],
            "options": {"D-DRAFT": ["no", "1", "2", "3"]},
            "expect": {"2": {"at": [22, 1]}},
        },
        {
            "id": "track: a diagonal is followed",
            "skiers": diagonal,
            "event": "turn 1",
            "choices": [["D-MOVE", "B"], ["D-DRAFT", "yes"]],
            "options": {"D-MOVE": ["F", "B", "R"]},
            "expect": {"1": {"at": [13, 2]}, "2": {"at": [12, 1]}},
        },
        {
            "id": "copy: a diagonal onto a space that is not white",
            "skiers": diagonal,
            "rules": {"rules.draft_path": "copy"},
            "event": "turn 1",
            "choices": [["D-MOVE", "B"]],
            "expect": {"2": {"at": [11, 1]}},
        },
        {
            "id": "a skier on S follows",
            "skiers": from_range,
            "event": "turn 1",
            "choices": [["D-MOVE", "FF"], ["D-DRAFT", "yes"]],
            "options": {"D-MOVE": ["FF", "FL", "LF"]},
            "expect": {"1": {"at": [21, 2]}, "2": {"at": [20, 2], "shots": ""}},
        },
        {
            "id": "a skier on S may not follow",
            "skiers": from_range,
            "rules": {"rules.draft_from_shooting_space": False},
            "event": "turn 1",
            "choices": [["D-MOVE", "FF"]],
            "options": {"D-MOVE": ["FF", "FL"]},
            "expect": {"2": {"at": "S18"}},
        },
        {
            "id": "a skier on S copies",
            "skiers": from_range,
            "rules": {"rules.draft_path": "copy"},
            "event": "turn 1",
            "choices": [["D-MOVE", "FL"], ["D-DRAFT", "yes"]],
            "expect": {"1": {"at": [20, 1]}, "2": {"at": [19, 1]}},
        },
        {
            "id": "a skier on S cannot copy a first sidestep",
            "skiers": from_range,
            "rules": {"rules.draft_path": "copy"},
            "event": "turn 1",
            "choices": [["D-MOVE", "LF"]],
            "expect": {"2": {"at": "S18"}},
        },
        {
            "id": "the leader slides away (edge 16)",
            "skiers": slide,
            "event": "turn 1",
            "choices": [[1, "D-MOVE", "F"], [1, "D-SLIDE", "FF"], [2, "D-DRAFT", "yes"]],
            # F over seat 3 is free; the row of seat 3 is passed by the second F, so a sidestep is back.
            # One option per end and cost: (27,1) (26,2) (28,1) (27,2) (29,1) (29,2) (28,2).
            "options": {
                "D-MOVE": ["F", "R"],
                "D-SLIDE": ["stay", "F", "FF", "FFF", "FFB", "FFR", "FR", "R"],
            },
            "expect": {"1": {"at": [28, 1], "st": [2] * 5}, "2": {"at": [25, 1]}},
        },
        {
            "id": "the slide is copied too",
            "skiers": slide,
            "rules": {"rules.draft_includes_slide": True},
            "event": "turn 1",
            "choices": [
                [1, "D-MOVE", "F"],
                [1, "D-SLIDE", "FF"],
                [2, "D-DRAFT", "yes"],
                [2, "D-PAY", "m1"],
                [2, "D-SLIDE", "stay"],
            ],
            "options": {
                "D-SLIDE": ["stay", "F", "FF", "FFF", "FFB", "FFR", "FR", "FRF", "R", "RF", "RFF"]
            },
            "expect": {"1": {"at": [28, 1]}, "2": {"at": [27, 1], "st": [1, 2, 2, 2, 2]}},
        },
        {
            "id": "early stop shortens the tow (edge 14)",
            "skiers": {"1": {"at": [16, 1], "cols": [4, 0, 0, 0]}, "2": {"at": [15, 1]}},
            "event": "turn 1",
            "choices": [["D-MOVE", "FF"], ["D-DRAFT", "yes"]],
            "expect": {"1": {"at": "S18"}, "2": {"at": [17, 1]}},
        },
        {
            "id": "follower pays for the place the leader shared (edge 13)",
            "skiers": {
                "1": {"at": [21, 1], "cols": [1, 0, 0, 0]},
                "2": {"at": [20, 1]},
                "3": {"at": [21, 1]},
            },
            "event": "turn 1",
            "choices": [["D-MOVE", "F"], [2, "D-DRAFT", "yes"], [2, "D-PAY", "m3"]],
            "expect": {"2": {"at": [21, 1], "st": [2, 2, 1, 2, 2]}},
        },
        {
            "id": "follower that cannot pay is not asked",
            "skiers": {
                "1": {"at": [21, 1], "cols": [1, 0, 0, 0]},
                "2": {"at": [20, 1], "st": [0] * 5},
                "3": {"at": [21, 1]},
            },
            "event": "turn 1",
            "choices": [["D-MOVE", "F"]],
            "expect": {"2": {"at": [20, 1]}},
        },
        {
            "id": "per skeeple",
            "skiers": {
                "1": {"at": [21, 1], "cols": [1, 0, 0, 0], "st": [0, 0, 0, 0, 2]},
                "2": {"at": [22, 1]},
                "3": {"at": [22, 1]},
            },
            "rules": {"rules.entry_cost": "per_skeeple"},
            "event": "turn 1",
            "choices": [["D-MOVE", "F"]],
            "expect": {"1": {"at": [22, 1], "st": [0] * 5}},
        },
        {
            "id": "laps: markers go at the end of each lap",
            "skiers": {
                "1": {"at": "P18.2", "shots": "MMMHH", "owed": 4, "miss": 3, "cols": [2, 0, 0, 0]}
            },
            "event": "turn 1",
            "expect": {"1": {"at": "P18.1", "owed": 2, "miss": 1, "shots": "MMMHH"}},
        },
        {
            "id": "any shot of the turn may be rerolled",
            "skiers": {"1": {"at": "S18", "cols": [2, 0, 0, 0], **_last_token(1)}},
            "rules": {"rules.reroll_target": "any_shot_this_turn"},
            "event": "turn 1",
            "dice": [6, 1, 1],
            "choices": [["D-WAX", "none"], ["D-WAX", "left"], ["D-SHOT", "t1"]],
            "options": {"D-SHOT": ["t1", "t2"]},
            "expect": {"1": {"shots": "HH"}},
        },
        {
            "id": "Finland: printed wax and a token on one shot",
            "skiers": {
                "1": {"nation": "Finland", "at": "S18", "cols": [1, 0, 0, 0], **_last_token(1)}
            },
            "event": "turn 1",
            "dice": [6, 6, 1],
            "choices": [["D-WAX", "printed"], ["D-WAX", "left"]],
            "options": {"D-WAX": ["none", "left", "printed"]},
            "expect": {"1": {"shots": "H", "L": 6}},
        },
        {
            "id": "minus between shots",
            "skiers": {"1": {"at": "S18", "cols": [2, 0, 0, 0], **_last_token(7)}},
            "event": "turn 1",
            "dice": [1],
            "choices": [["D-WAX", "none"], ["D-WAX", "none"], ["D-WAX", "left/b"]],
            "expect": {"1": {"shots": "H"}},
        },
        {
            "id": "plus without dice at the range (edge 22)",
            "skiers": {"1": {"at": "S18", **_last_token(13)}},
            "event": "turn 1",
            "dice": [1],
            "choices": [["D-WAX", "none"], ["D-WAX", "left"]],
            "expect": {"1": {"shots": "H"}},
        },
        {
            "id": "free column between shots",
            "skiers": {"1": {"at": "S18", "st": [0] * 5, "cols": [1, 2, 0, 0], **_last_token(4)}},
            "event": "turn 1",
            "dice": [1, 1, 1],
            "choices": [["D-MAIN", "col1"], ["D-WAX", "none"], ["D-WAX", "left"]],
            "expect": {"1": {"shots": "HHH", "avail": 10}, "game": {"dice_taken": 3}},
        },
        {
            "id": "burning a token",
            "skiers": {"1": {"at": [21, 1], "cols": [1, 0, 0, 0], **_last_token(1)}},
            "rules": {"rules.wax_burn": True},
            "event": "turn 1",
            "choices": [["D-WAX", "left"], ["D-MOVE", "F"]],
            "expect": {"1": {"at": [22, 1], "L": 6}},
        },
        {
            "id": "uphill before wax",
            "skiers": {"1": {"at": [10, 1], "cols": [1, 0, 0, 0], **_last_token(13)}},
            "rules": {"rules.uphill_order": "before_wax"},
            "event": "turn 1",
            "choices": [["D-WAX", "left"], ["D-MOVE", "FF"]],
            "options": {"D-MOVE": ["FF", "FR"]},
            "expect": {"1": {"at": [12, 1]}},
        },
        {
            "id": "reroll of the board with blue markers, as usual",
            "skiers": {
                "1": {
                    "at": [21, 1],
                    "st": [0] * 5,
                    "cols": [1, 0, 0, 0],
                    "stars": [1, 0, 0, 0],
                    "spr": 1,
                    **_last_token(6),
                }
            },
            "event": "turn 1",
            "dice": [5, 6, 3],
            "choices": [["D-WAX", "left"], ["D-SIX", "star3"], ["D-MOVE", "FF"]],
            "options": {"D-SIX": ["sprint", "star3"]},
            "expect": {"1": {"at": [23, 1], "avail": 10}, "game": {"dice_taken": 2}},
        },
        {
            "id": "reroll of the board, blue rule on",
            "skiers": {
                "1": {
                    "at": [21, 1],
                    "st": [0] * 5,
                    "cols": [1, 0, 0, 0],
                    "stars": [1, 0, 0, 0],
                    "spr": 1,
                    **_last_token(6),
                }
            },
            "rules": {"rules.blue_on_reroll": True},
            "event": "turn 1",
            "dice": [5, 6, 3],
            "choices": [["D-WAX", "left"], ["D-MOVE", "F"]],
            "expect": {"1": {"at": [22, 1], "avail": 10}, "game": {"dice_taken": 1}},
        },
        {
            "id": "star above a column emptied by a reroll (edge 5)",
            "skiers": {
                "1": {"at": [21, 1], "cols": [1, 1, 0, 0], "stars": [1, 0, 0, 0], **_last_token(5)}
            },
            "event": "turn 1",
            "dice": [6],
            "choices": [["D-WAX", "left"], ["D-DIE", "col1"], ["D-SIX", "star2"], ["D-MOVE", "F"]],
            "options": {"D-DIE": ["col1", "col2", "star1"], "D-SIX": ["sprint", "star2"]},
            "expect": {"1": {"at": [22, 1], "cols": [0, 0, 0, 0], "stars": [1, 0, 0, 0]}},
        },
        {
            "id": "only a star left: an empty column is chosen",
            "skiers": {"1": {"at": [21, 1], "stars": [1, 0, 0, 0], "st": [0] * 5}},
            "event": "turn 1",
            "choices": [["D-MAIN", "col1"]],
            "options": {"D-MAIN": ["col1", "col2", "col3", "col4"]},
            "expect": {"1": {"at": [21, 1], "stars": [0, 0, 0, 0]}},
        },
        {
            "id": "Austria: full at three, a 5 still goes in",
            "skiers": {"1": {"nation": "Austria", "cols": [0, 0, 3, 0]}},
            "event": "prep 1",
            "dice": [5, 5, 1, 1],
            "expect": {"1": {"cols": [2, 0, 4, 0]}},
        },
        {
            "id": "Austria: fives too",
            "skiers": {"1": {"nation": "Austria", "cols": [0, 0, 3, 0]}},
            "rules": {"rules.full_at_3_scope": "fives_too"},
            "event": "prep 1",
            "dice": [5, 5, 3, 3],
            "expect": {"1": {"cols": [0, 0, 4, 0]}},
        },
        {
            "id": "Austria: capacity",
            "skiers": {"1": {"nation": "Austria", "cols": [0, 0, 3, 0]}},
            "rules": {"rules.full_at_3_scope": "capacity"},
            "event": "prep 1",
            "dice": [5, 5, 3, 3],
            "expect": {"1": {"cols": [0, 0, 3, 0]}},
        },
        {
            "id": "Italy: a FREE token may not turn itself back",
            "skiers": {
                "1": {
                    "nation": "Italy",
                    "at": [21, 1],
                    "cols": [4, 1, 0, 0],
                    "stars": [1, 0, 0, 0],
                    "wax": [1, 4, 1, 1, 1, 1],
                    "L": 1,
                    "R": 4,
                }
            },
            "event": "turn 1",
            "choices": [
                ["D-MAIN", "col2"],
                ["D-WAX", "left"],
                ["D-SPECIAL", "flip-right"],
                ["D-MOVE", "FFFFF"],
            ],
            "options": {"D-SPECIAL": ["include", "flip-right"]},
            "expect": {"1": {"at": [26, 1], "L": 2, "R": 3}, "game": {"dice_taken": 5}},
        },
        {
            "id": "turned back and used in the same turn (edge 27)",
            "skiers": {
                "1": {
                    "nation": "Italy",
                    "at": [21, 1],
                    "cols": [4, 0, 0, 0],
                    "stars": [1, 0, 0, 0],
                    "wax": [13, 1, 1, 1, 1, 1],
                    "L": 1,
                    "R": 5,
                }
            },
            "event": "turn 1",
            "choices": [["D-SPECIAL", "flip-left"], ["D-WAX", "left"], ["D-MOVE", "FFFFF"]],
            "options": {"D-SPECIAL": ["include", "flip-left", "flip-right"]},
            "expect": {"1": {"at": [26, 1], "L": 1, "R": 5}},
        },
        {
            "id": "placements known",
            "skiers": {
                "1": {"at": [44, 1], "cols": [1, 0, 0, 0]},
                "2": {"at": [30, 1]},
                "3": {"at": "home"},
            },
            "rules": {"rules.race_end": "placements_known"},
            "event": "turn 1",
            "choices": [["D-MOVE", "F"]],
            "expect": {"1": {"place": 2}, "2": {"at": [30, 1], "place": 3}, "game": {"over": True}},
        },
        {
            "id": "slid into S, own turn in the same round",
            "skiers": {
                "1": {"at": [14, 1], "cols": [1, 0, 0, 0]},
                "2": {"at": "S16"},
                "3": {"at": [13, 1], "cols": [3, 0, 0, 0]},
            },
            "course": ["PP"] * 13 + ["DD", "DD", "S", "PP", "PP"],
            "event": "turn 1;turn 3",
            "dice": [1, 1, 1],
            "choices": [
                [1, "D-MOVE", "F"],
                [1, "D-SLIDE", "stay"],
                [3, "D-DRAFT", "yes"],
                [3, "D-SLIDE", "FF"],
            ],
            "options": {"D-SLIDE": ["stay", "F", "R"]},
            "expect": {"1": {"at": [15, 1]}, "3": {"at": "S16", "shots": "HHH"}},
        },
        {
            "id": "the same with next_round",
            "skiers": {
                "1": {"at": [14, 1], "cols": [1, 0, 0, 0]},
                "2": {"at": "S16"},
                "3": {"at": [13, 1], "cols": [3, 0, 0, 0]},
            },
            "course": ["PP"] * 13 + ["DD", "DD", "S", "PP", "PP"],
            "rules": {"rules.shoot_round": "next_round"},
            "event": "turn 1;turn 3",
            "choices": [
                [1, "D-MOVE", "F"],
                [1, "D-SLIDE", "stay"],
                [3, "D-DRAFT", "yes"],
                [3, "D-SLIDE", "FF"],
            ],
            "expect": {"3": {"at": "S16", "shots": "", "avail": 10}, "game": {"dice_taken": 3}},
        },
        {
            "id": "a round: order from the marker, collapse frees the space",
            "skiers": {
                "1": {
                    "at": [6, 1],
                    "st": [1, 0, 0, 0, 0],
                    "cols": [1, 0, 0, 0],
                    "spr": 4,
                    "stars": [1, 0, 0, 0],
                },
                "2": {"at": [7, 1], "st": [0] * 5, "cols": [2, 0, 0, 0]},
                "3": {"at": [7, 2]},
                "4": {"at": [8, 1]},
            },
            "event": "round 2",
            "dice": [5, 5, 1, 1] + [2, 2, 2, 2, 2] + [3, 3, 3, 3, 3] + [1, 1],
            # Seat 2 finds both ways held and cannot pay: out. Its 5s are refused by the full column.
            "choices": [
                [3, "D-MOVE", "FFFF"],
                [4, "D-MOVE", "FFFF"],
                [1, "D-EXTRA", "stop"],
                [1, "D-MOVE", "FFF"],
            ],
            "options": {"D-MOVE": ["FFFF", "FFFL", "FLFF", "FLFR"]},
            "expect": {
                "1": {"at": [9, 1], "cols": [0, 0, 0, 0], "stars": [0, 0, 0, 0], "spr": 4},
                "2": {"at": "out", "cols": [0, 0, 0, 0]},
                "3": {"at": [11, 2]},
                "4": {"at": [12, 1]},
            },
        },
    ]


def r0(seat: int, question: str, options: list[str], state: dict) -> str:
    """The baseline R0 of 11.2."""
    if question == "D-MAIN":
        cols = state["skiers"][seat]["cols"]
        return max(options, key=lambda option: (cols[int(option[-1]) - 1], int(option[-1])))
    if question == "D-DRAFT":
        return options[-1]
    if question == "D-MOVE":
        lane = "1" if seat % 2 == 0 else "2"  # odd and even seats counted from 1
        return next((option for option in options if option.lstrip("P")[:1] == lane), options[0])
    return options[0]  # none, stop, stay, the first marker, the first place for a 6


def random_bot(seed: int) -> Answer:
    coin = random.Random(seed)
    return lambda seat, question, options, state: coin.choice(options)


def averages(
    rules: dict, games: int, players: int, make_bot: Callable[[int], Answer]
) -> dict[str, tuple[float, float]]:
    """Mean and standard error of the figures of table 11.2."""
    rows: list[dict[str, float]] = []
    for block in range(games):
        twin = Twin(rules, players, 12345, block)
        result = twin.play(make_bot(block))
        row = {f"win {seat + 1}": win for seat, win in enumerate(result["win"])}
        row["first home"] = result["first_home"] or float("nan")
        row["last round"] = result["last_round"]
        row.update(result["counters"])
        rows.append(row)
    table = {}
    for name in rows[0]:
        values = np.array([row[name] for row in rows], float)
        values = values[~np.isnan(values)]
        table[name] = (float(values.mean()), float(values.std() / len(values) ** 0.5))
    return table


PRINTED = {
    "X23": {
        "win 1": 0.2734,
        "win 2": 0.2713,
        "win 3": 0.2186,
        "win 4": 0.2366,
        "first home": 27.941,
        "last round": 34.454,
        "collapses": 0.0159,
        "drafts": 5.914,
        "draft_steps": 11.890,
        "slides": 0.0,
        "stamina_paid": 18.714,
    },
    "X24": {
        "win 1": 0.2607,
        "win 2": 0.2693,
        "win 3": 0.2377,
        "win 4": 0.2323,
        "first home": 28.752,
        "last round": 35.690,
        "collapses": 0.0039,
        "drafts": 0.0,
        "draft_steps": 0.0,
        "slides": 0.0,
        "stamina_paid": 13.927,
    },
    "X25": {
        "win 1": 0.2841,
        "win 2": 0.2568,
        "win 3": 0.2351,
        "win 4": 0.2241,
        "first home": 30.992,
        "last round": 37.413,
        "collapses": 0.8013,
        "drafts": 2.682,
        "draft_steps": 6.456,
        "slides": 0.588,
        "stamina_paid": 40.000,
    },
    "X17": {"first home": 31.24507},
}


def check_averages(
    name: str, rules: dict, games: int, players: int, make_bot: Callable[[int], Answer]
) -> bool:
    began = time.time()
    table = averages(rules, games, players, make_bot)
    good = True
    print(f"{name}: {games} games in {time.time() - began:.1f} s")
    for figure, wanted in PRINTED[name].items():
        mean, error = table[figure]
        distance = 0.0 if mean == wanted else abs(mean - wanted) / max(error, 1e-9)
        far = distance > 3.5 and abs(mean - wanted) > 0.02
        good = good and not far
        print(
            f"  {figure:12s} {mean:9.4f} +- {error:6.4f}   printed {wanted:9.4f}   {distance:4.1f} SE{'   FAR' if far else ''}"
        )
    return good


def random_rules(coin: random.Random) -> dict:
    """Random values for every switch and the figures of 2.1; for the fuzz."""
    rules = default_rules(coin.choice(list(LAYOUTS)), coin.choice([1, 2, 2, 3]))
    rules["rules"] = {key: coin.choice(values) for key, values in SWITCHES.items()}
    rules["board"]["sprint_cap"] = coin.choice([4, "none"])
    rules["range"]["lap_length"] = coin.choice([2, 3, 4, 5])
    rules["wax"]["loadout"] = coin.choice(
        ["chosen", "drawn", [7, 2, 11, 9, 10, 12], [4, 6, 5, 8, 3, 1]]
    )
    rules["nations"]["assign"] = coin.choice(["chosen", "drawn"])
    rules["nations"]["use"] = list(rules["nations"]["table"])
    if coin.random() < 0.3:
        lanes = rules["course"]["lanes"]
        rows = ["".join(coin.choice("PPPPFUDDDW") for _ in range(lanes)) for _ in range(25)]
        for row in coin.sample(range(25), coin.choice([0, 1, 2, 3])):
            rows[row] = "S"
        rules["course"]["rows"] = rows
    if coin.random() < 0.3:  # start slow races high or low
        rules["mode"]["race"] = "short_top"
    return rules


def _careful_bot(twin: Twin, coin: random.Random) -> Answer:
    """Uniform over the options, checking the invariants of the state at every question."""

    def answer(seat: int, question: str, options: list[str], state: dict) -> str:
        assert len(options) >= 2 and len(set(options)) == len(options), (question, options)
        for skier in twin.skiers:
            assert (
                0 <= skier.on_board <= 10
                and min(skier.st) >= 0
                and skier.owed >= 0
                and skier.miss >= 0
            )
            assert max(skier.cols) <= 4 and max(skier.stars) <= 1 and skier.L + skier.R <= 6
            assert skier.at.kind in ("S", "P", "out") or not (
                skier.shots or skier.owed or skier.miss
            )
        return coin.choice(options)

    return answer


def fuzz(games: int, seed: int) -> None:
    """Random rules, modes, hooks and bots; invariants after every question."""
    for number in range(games):
        coin = random.Random(seed * 1_000_003 + number)
        rules = random_rules(coin)
        players = coin.choice([1, 2, 2, 3, 4, 5])
        hooks = {
            seat: coin.choice(
                [
                    {},
                    {},
                    {"no_draft": True},
                    {"no_slide": True},
                    {"no_sprint": True},
                    {"free_entry": True},
                    {"stamina_delta": coin.choice([-1, 1, 2])},
                    {"hit_range": coin.choice([-1, 1, 2])},
                    {"token_block": coin.randint(1, 13)},
                    {"wax_from_round": coin.randint(1, 20)},
                    {"no_own_draft": True},
                    {"dice_shift": 1, "shot_shift": 1},
                ]
            )
            for seat in range(5)
        }
        twin = Twin(rules, players, seed, number, hooks)

        result = twin.play(_careful_bot(twin, coin))
        assert result["truncated"] or twin.over
        assert abs(sum(result["rank"]) - twin.n * (twin.n + 1) / 2) < 1e-9


def check_layouts() -> bool:
    """Finish line and shooting rows of table 2.5."""
    printed = {
        "starter": (45, [18, 34]),
        "flat_short": (45, [18, 34]),
        "hilly_short": (45, [18, 34]),
        "mini_one": (29, [14]),
        "long_three": (65, [18, 34, 50]),
        "long_four": (81, [18, 34, 50, 66]),
        "ranges_early": (45, [10, 18]),
        "ranges_late": (45, [26, 34]),
        "hills_apart": (45, [18, 34]),
        "hills_together": (45, [18, 34]),
        "ranges_adjacent": (45, [22, 26]),
    }
    good = True
    for name, wanted in printed.items():
        rows = course_rows(name, 2)
        found = (len(rows) + 1, [number for number, row in enumerate(rows, start=1) if row == "S"])
        if found != wanted:
            good = False
            print(f"layout {name}: {found}, printed {wanted}")
    return good


def self_check() -> bool:
    good = True
    rules = default_rules()
    good &= check_layouts()
    for case in worked_examples() + further_cases():
        outcome = run_case(case, rules)
        if outcome.differences:
            good = False
            print(f"{case['id']} FAILED")
            for difference in outcome.differences:
                print("   ", difference)
    print(
        f"{len(worked_examples())} worked examples, {len(further_cases())} further cases: "
        f"{'all passed' if good else 'some failed'}"
    )

    rules["setup"]["first"] = "seat1"
    rules["wax"]["loadout"] = [1, 8, 4, 6, 7, 3]  # L0

    def r1(seat: int, question: str, options: list[str], state: dict) -> str:
        return "no" if question == "D-DRAFT" else r0(seat, question, options, state)

    good &= check_averages("X17", rules, 400, 1, lambda block: r0)
    good &= check_averages("X23", rules, 500, 4, lambda block: r0)
    good &= check_averages("X24", rules, 200, 4, lambda block: r1)
    good &= check_averages("X25", rules, 600, 4, random_bot)
    began = time.time()
    fuzz(150, seed=7)
    print(f"fuzz: 150 games with random rules in {time.time() - began:.1f} s")
    return good


if __name__ == "__main__":
    sys.exit(0 if self_check() else 1)
