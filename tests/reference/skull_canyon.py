"""The slow twin: a plain reference engine of "Skull Canyon: Ski Fest", from the specification alone.

It shares no line with the fast engine. Clarity comes before speed: cards are two-letter strings, a
hand is a dict of type to count, the deck is a list with its top first, a seat is a dataclass.
Rule IDs (SC-…) are named where a rule is carried out.

Use::

    rules = resolve({"rules.reshuffle": "when_needed"}, players=3, board="canyon_34")
    twin = Twin(rules, 3, answer, chance)    # answer(seat, point, options, seen) -> one of options
    records = twin.play()                    # {"game": {...}, "seats": [{...}, ...]}

``chance`` has one method for each kind of chance; all lists are "top first":

    weather(markers, count) -> faces of days II, III, …: ``count`` of the mixed ``markers``
    styles(markers)         -> all style markers in the order in which they are laid
    gear_deck(cards)        -> all gear cards
    slope_deck(cards)       -> all slope cards
    reshuffle(cards, number) -> the discards (given sorted by type) as the new deck; number from 0

``RandomChance(seed)`` is an own one, ``skull_canyon_script.py`` has the scripted one.

The rules are one plain dict that follows the specification's TOML paths:

    players.counts · game.days, daylight_start, actions_per_turn · setup.hand, row · row.yeti_reset
    train.cards · deck.cards (type to count) · run.easy / advanced / expert: cards, vp, fame
    bonus.style_factor, waning, waning_tracker · steal.per_marker
    yeti.move_if_exactly, avalanche_from · fame.per_vp
    token.explosives, tickets, claim_markers (None: unlimited)
    weather.first, faces (face to count), force (None or a face a day), draw, lodge ("L1" or "any")
    style.markers (style to count) · village.order, slots (place to number), and per place its costs
    and gains (see VILLAGE) · gear.row, per_hotel, renew_after, cards (id to name, cost, vp, copies,
    buyable, ability; only those of the set) · award.easy, advanced, expert, total
    board: name, nodes (id to height), lifts (list of [bottom, top]), runs (list of dicts: id, name,
    difficulty "easy" / "advanced" / "expert", top, bottom, style_space, no_yeti)
    rules: the ruling switches of SWITCHES, first value the default

``resolve`` makes such a dict from the defaults of the specification and overrides by path.
"""

from __future__ import annotations

import copy
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

Answer = Callable[[int, str, list[str], dict[str, Any]], str]

# ------------------------------------------------------------------------------------------------
# Components (section 2)
# ------------------------------------------------------------------------------------------------

COLOURS = ("red", "yellow", "blue")
STYLES = ("slopestyle", "slalom", "ski_cross", "moguls", "off_piste")
KEYS = COLOURS + STYLES
YETI = "ZZ"
_LETTER = {
    "red": "R",
    "yellow": "Y",
    "blue": "B",
    "slopestyle": "S",
    "slalom": "L",
    "ski_cross": "C",
    "moguls": "M",
    "off_piste": "P",
}
TYPES = (
    *(_LETTER[colour] + _LETTER[style] for colour in COLOURS for style in STYLES),
    YETI,
)
DECKS = {"even15": (7, 15), "even30": (6, 30), "even45": (5, 45)}
DIFFICULTY = {"e": "easy", "a": "advanced", "x": "expert"}
BASE = "L1"
CAVE = "cave"
PLACES = ("hot_tub", "yodeling", "happy_hour", "ski_swap", "let_it_ride")
HOTEL = "hotel"

SWITCHES: dict[str, tuple[Any, ...]] = {
    "yeti_clear_own_run": (False, True),
    "own_stack_surcharge": (True, False),
    "night_goggles_day3": (True, False),
    "night_goggles_as_turn": (False, True),
    "let_it_ride_yeti_matches": (True, False),
    "journal_happy_hour": ("first_counts_1", "one_yeti"),
    "journal_train": ("yeti_first", "any_order"),
    "reshuffle": ("when_empty", "when_needed"),
    "claim_optional": ("all", "steals", "none"),
    "camera_doubles": ("base", "run_total"),
    "boots_doubled": (False, True),
    "ramp_yeti_counts": (True, False),
    "poles_through_yeti": (True, False),
    "tent_before_slides": (True, False),
    "night_goggles_slide_bonus": (True, False),
    "happy_hour_exact": (True, False),
    "award_zero": ("none", "split"),
    "yodel_supply_players": ([2, 3], [2]),
    "avalanche_order": ("active_first", "active_last", "turn_order"),
}

_GEAR = """
avalanche_alert, Avalanche Alert, 2, 1
blazing_boots, Blazing Boots, 5, 2
bling_bindings, Bling Bindings, 6, 3
emergency_tent, Emergency Tent, 2, 1
field_journal, Field Journal, 4, 2
heated_gloves, Heated Gloves, 8, 3
night_goggles, Night Goggles, 2, 1
precision_goggles, Precision Goggles, 8, 1
ramp, Ramp, 4, 2
season_pass, Season Pass, 7, 3
ski_poles, Ski Poles, 4, 2
sno_pro_camera, Sno-Pro Camera, 5, 2
yeti_energy, Yeti Energy, 2, 1
"""
GEAR_SETS = {"assumed-16": 16, "named-12": 12, "named-13": 13}
SLOT_SETS = {
    "default": {2: 1, 3: 2, 4: 3},
    "open": {2: 1, 3: 3, 4: 4},
    "tight": {2: 1, 3: 1, 4: 2},
}
VILLAGE = {
    "hot_tub": {"pay_cards": 1, "pay_fame": 0, "gain_fame": 3},
    "yodeling": {"pay_cards": 0, "pay_fame": 1, "gain_explosives": 1},
    "happy_hour": {"pay_cards": 1, "pay_fame": 2, "take_cards": 3, "yeti_counts": 2},
    "ski_swap": {"pay_cards": 0, "pay_fame": 1, "gain_tickets": 1},
    "let_it_ride": {"pay_cards": 0, "pay_fame": 1, "draw": 3, "draw_on_miss": 2},
}

_BOARDS = """
[canyon_34] nodes L1 0, W1 1, L2 1, W2 1, W3 2, L3 2, L4 3 | lifts L1>W1, L1>L2, L1>W2, W1>W3, L2>L3, W2>L3, W3>L4, L3>L4
fortress, Fortress, e, L2, L1, 0, 1; sunshine_express, Sunshine Express, e, W1, L1, 0, 1; marmot_meadow, Marmot Meadow, e, W1, L1, 1, 0; cocoa_lane, Cocoa Lane, e, W2, L1, 1, 0
lazy_otter, Lazy Otter, e, W3, L2, 0, 0; snowshoe_stroll, Snowshoe Stroll, e, W3, W1, 1, 0; pine_cone, Pine Cone, e, L3, L2, 0, 0; first_light, First Light, e, L4, W3, 0, 0
whiskey_jack, Whiskey Jack, a, L2, L1, 1, 0; gold_spike, Gold Spike, a, W2, L1, 0, 0; timber_line, Timber Line, a, W3, L2, 1, 0; ricochet, Ricochet, a, L3, W2, 1, 0
frostbite, Frostbite, a, L4, W3, 0, 0; needle_thread, Needle Thread, a, L4, L3, 1, 0; split_rail, Split Rail, a, L3, L2, 0, 0; black_magic, Black Magic, x, L4, L2, 1, 0
jawbone, Jawbone, x, W3, L1, 0, 0; widowmaker, Widowmaker, x, L3, L1, 1, 0; long_goodbye, Long Goodbye, x, L4, W2, 1, 0
[canyon_2] nodes L1 0, L2 1, W1 1, W2 2, L3 3 | lifts L1>L2, L1>W1, W1>W2, L2>W2, W2>L3
fortress, Fortress, e, L2, L1, 0, 1; sunshine_express, Sunshine Express, e, W1, L1, 0, 1; marmot_meadow, Marmot Meadow, e, L2, L1, 1, 0; snowshoe_stroll, Snowshoe Stroll, e, W2, W1, 1, 0
first_light, First Light, e, L3, W2, 0, 0; whiskey_jack, Whiskey Jack, a, W1, L1, 1, 0; gold_spike, Gold Spike, a, W2, L2, 0, 0; timber_line, Timber Line, a, L3, L2, 1, 0
ricochet, Ricochet, a, L3, W2, 1, 0; black_magic, Black Magic, x, L3, L2, 1, 0; jawbone, Jawbone, x, W2, L1, 0, 0; widowmaker, Widowmaker, x, L3, W1, 1, 0
[twin_peaks_34] nodes L1 0, W1 1, W2 1, W3 1.5, L2 2, L3 2, L4 3, L5 4 | lifts L1>W1, L1>W2, L1>W3, W1>L2, W2>L3, W3>L3, L2>L4, L3>L5
fortress, Fortress, e, W1, L1, 0, 1; sunshine_express, Sunshine Express, e, W2, L1, 0, 1; marmot_meadow, Marmot Meadow, e, W1, L1, 1, 0; cocoa_lane, Cocoa Lane, e, W2, L1, 1, 0
lazy_otter, Lazy Otter, e, L2, W1, 0, 0; snowshoe_stroll, Snowshoe Stroll, e, L3, W2, 1, 0; pine_cone, Pine Cone, e, W3, L1, 0, 0; first_light, First Light, e, L4, W3, 0, 0
whiskey_jack, Whiskey Jack, a, L2, W1, 1, 0; gold_spike, Gold Spike, a, L3, W2, 0, 0; timber_line, Timber Line, a, W3, L1, 1, 0; ricochet, Ricochet, a, L4, L2, 1, 0
frostbite, Frostbite, a, L5, L3, 0, 0; needle_thread, Needle Thread, a, L5, W3, 1, 0; split_rail, Split Rail, a, L2, W3, 0, 0; black_magic, Black Magic, x, L4, W1, 1, 0
jawbone, Jawbone, x, L5, W2, 0, 0; widowmaker, Widowmaker, x, L2, L1, 1, 0; long_goodbye, Long Goodbye, x, L5, L1, 1, 0; bonecrusher, Bonecrusher, x, L3, L1, 0, 0
[long_spine_34] nodes L1 0, W1 1, L2 2, W2 3, L3 4, W3 5, L4 6 | lifts L1>W1, L1>L2, W1>W2, L2>W2, L2>L3, W2>L3, L3>W3, W3>L4
fortress, Fortress, e, W1, L1, 0, 1; sunshine_express, Sunshine Express, e, L2, W1, 0, 1; marmot_meadow, Marmot Meadow, e, W1, L1, 1, 0; cocoa_lane, Cocoa Lane, e, W2, L2, 1, 0
lazy_otter, Lazy Otter, e, L3, W2, 0, 0; snowshoe_stroll, Snowshoe Stroll, e, W3, L3, 1, 0; first_light, First Light, e, L4, W3, 0, 0; whiskey_jack, Whiskey Jack, a, L2, L1, 1, 0
gold_spike, Gold Spike, a, W2, L2, 0, 0; timber_line, Timber Line, a, W2, W1, 1, 0; ricochet, Ricochet, a, L3, L2, 1, 0; frostbite, Frostbite, a, W3, W2, 0, 0
needle_thread, Needle Thread, a, L4, L3, 1, 0; split_rail, Split Rail, a, W1, L1, 0, 0; black_magic, Black Magic, x, L4, W2, 1, 0; jawbone, Jawbone, x, L3, W1, 0, 0
widowmaker, Widowmaker, x, L2, L1, 1, 0; long_goodbye, Long Goodbye, x, W3, L2, 1, 0
[wide_bowl_34] nodes L1 0, W1 1, W2 1, W3 1, L2 1, L3 2 | lifts L1>W1, L1>W2, L1>W3, L1>L2, W2>L3, L2>L3
fortress, Fortress, e, L2, L1, 0, 1; sunshine_express, Sunshine Express, e, W1, L1, 0, 1; marmot_meadow, Marmot Meadow, e, W1, L1, 1, 0; cocoa_lane, Cocoa Lane, e, W2, L1, 1, 0
lazy_otter, Lazy Otter, e, W3, L1, 0, 0; snowshoe_stroll, Snowshoe Stroll, e, L2, L1, 1, 0; pine_cone, Pine Cone, e, L3, W2, 0, 0; whiskey_jack, Whiskey Jack, a, W2, L1, 1, 0
gold_spike, Gold Spike, a, W3, L1, 1, 0; timber_line, Timber Line, a, L2, L1, 1, 0; ricochet, Ricochet, a, L3, L2, 1, 0; frostbite, Frostbite, a, L3, W3, 0, 0
black_magic, Black Magic, x, L3, L1, 1, 0; jawbone, Jawbone, x, W1, L1, 1, 0; widowmaker, Widowmaker, x, L3, L1, 1, 0
[ladder_2] nodes L1 0, W1 1, L2 2, L3 3 | lifts L1>W1, L1>L2, W1>L2, L2>L3
fortress, Fortress, e, W1, L1, 0, 1; sunshine_express, Sunshine Express, e, L2, W1, 0, 1; marmot_meadow, Marmot Meadow, e, W1, L1, 1, 0; first_light, First Light, e, L3, L2, 0, 0
whiskey_jack, Whiskey Jack, a, W1, L1, 1, 0; gold_spike, Gold Spike, a, L2, W1, 0, 0; timber_line, Timber Line, a, L3, L2, 1, 0; ricochet, Ricochet, a, L2, L1, 1, 0
black_magic, Black Magic, x, L3, W1, 1, 0; jawbone, Jawbone, x, L2, L1, 1, 0
"""
_DRAWN_HEIGHTS = {
    "canyon_34": {"L1": 0, "L2": 1.0, "W1": 1.2, "W2": 1.4, "L3": 2.0, "W3": 2.3, "L4": 3},
    "canyon_2": {"L1": 0, "L2": 1.0, "W1": 1.3, "W2": 2, "L3": 3},
}


def _read_boards(text: str) -> dict[str, dict[str, Any]]:
    """Boards by name, from the lines of section 2.4."""
    boards: dict[str, dict[str, Any]] = {}
    board: dict[str, Any] = {}
    for line in text.strip().splitlines():
        if line.startswith("["):
            name, rest = line[1:].split("]", 1)
            nodes, lifts = rest.split("|")
            board = boards[name] = {"name": name, "nodes": {}, "lifts": [], "runs": []}
            for node in nodes.replace("nodes", "").split(","):
                spot, height = node.split()
                board["nodes"][spot] = float(height)
            board["lifts"] = [
                lift.strip().split(">") for lift in lifts.split("lifts")[1].split(",")
            ]
            continue
        for row in line.split(";"):
            run, title, level, top, bottom, style, no_yeti = (
                part.strip() for part in row.split(",")
            )
            board["runs"].append(
                {
                    "id": run,
                    "name": title,
                    "difficulty": DIFFICULTY[level],
                    "top": top,
                    "bottom": bottom,
                    "style_space": style == "1",
                    "no_yeti": no_yeti == "1",
                }
            )
    return boards


BOARDS = _read_boards(_BOARDS)


def default_board(players: int) -> str:
    """The board side for a player count (SC-SCOPE-02)."""
    return "canyon_2" if players == 2 else "canyon_34"


def _gear_cards() -> dict[str, dict[str, Any]]:
    """All 16 rows of section 2.3."""
    cards: dict[str, dict[str, Any]] = {}
    for line in _GEAR.strip().splitlines():
        card, name, cost, vp = (part.strip() for part in line.split(","))
        cards[card] = {
            "name": name,
            "cost": int(cost),
            "vp": int(vp),
            "copies": 1,
            "buyable": True,
            "ability": card,
        }
    for number in (1, 2, 3):
        cards[f"unknown_{number}"] = {
            "name": "blank",
            "cost": 0,
            "vp": 0,
            "copies": 1,
            "buyable": False,
            "ability": "none",
        }
    return cards


def _defaults() -> dict[str, Any]:
    """Section 2.1, with the named sets still by name."""
    return {
        "players": {"counts": [2, 3, 4]},
        "game": {"days": 3, "daylight_start": 4, "actions_per_turn": 2},
        "setup": {"hand": 7, "row": 4},
        "row": {"yeti_reset": 3},
        "train": {"cards": 2},
        "deck": {"set": "even15", "custom": None},
        "run": {
            "easy": {"cards": 2, "vp": 2, "fame": 1},
            "advanced": {"cards": 4, "vp": 4, "fame": 2},
            "expert": {"cards": 7, "vp": 8, "fame": 3},
        },
        "bonus": {"style_factor": 2, "waning": 1, "waning_tracker": 1},
        "steal": {"per_marker": 1},
        "yeti": {"move_if_exactly": 1, "avalanche_from": 2},
        "fame": {"per_vp": 3},
        "token": {"explosives": 8, "tickets": 8, "claim_markers": 16},
        "weather": {
            "first": "sunny",
            "faces": {"sunny": 3, "icy": 2, "snowy": 2},
            "force": None,
            "draw": {"sunny": 7, "icy": 4, "snowy": 5},
            "lodge": {"sunny": BASE, "icy": BASE, "snowy": "any"},
        },
        "style": {"markers": dict.fromkeys(STYLES, 2)},
        "village": {"order": [*PLACES, HOTEL], "slots": "default", **VILLAGE},
        "gear": {
            "set": "assumed-16",
            "row": 4,
            "per_hotel": 1,
            "renew_after": [1],
            "cards": _gear_cards(),
        },
        "award": {"easy": 8, "advanced": 6, "expert": 4, "total": 4},
        "board": {"layout": None, "heights": "level"},
        "rules": {name: values[0] for name, values in SWITCHES.items()},
    }


def resolve(
    overrides: dict[str, Any] | None = None, players: int = 3, board: str | None = None
) -> dict[str, Any]:
    """The plain rules dict for a player count: defaults, then overrides by TOML path (SC-SCOPE-07)."""
    rules = copy.deepcopy(_defaults())
    for path, value in (overrides or {}).items():
        part = rules
        *parents, last = path.split(".")
        for name in parents:
            part = part[name]
        if last not in part:
            raise KeyError(f"unknown rule {path}")
        part[last] = copy.deepcopy(value)
    if isinstance(rules["rules"]["yodel_supply_players"], int):
        rules["rules"]["yodel_supply_players"] = [rules["rules"]["yodel_supply_players"]]
    for name, values in SWITCHES.items():
        if rules["rules"][name] not in values:
            raise ValueError(f"rules.{name}: {rules['rules'][name]!r} is none of {values}")

    deck = rules["deck"]
    if deck["custom"]:
        deck["cards"] = dict(zip(TYPES, deck["custom"], strict=True))
    else:
        copies, yetis = DECKS[deck["set"]]
        deck["cards"] = {kind: yetis if kind == YETI else copies for kind in TYPES}

    gear = rules["gear"]
    in_set = list(gear["cards"])[: GEAR_SETS[gear["set"]]]
    gear["cards"] = {card: gear["cards"][card] for card in in_set}

    slots = rules["village"]["slots"]
    if isinstance(slots, str):
        slots = SLOT_SETS[slots][players]
    rules["village"]["slots"] = slots if isinstance(slots, dict) else dict.fromkeys(PLACES, slots)

    layout = board or rules["board"]["layout"] or default_board(players)
    heights = rules["board"]["heights"]
    rules["board"] = copy.deepcopy(BOARDS[layout])
    if heights == "drawn" and layout in _DRAWN_HEIGHTS:
        rules["board"]["nodes"].update(_DRAWN_HEIGHTS[layout])
    return rules


def fits(card: str, key: str) -> bool:
    """Whether a card shows a colour or style; Yetis show all (SC-SET-01)."""
    if card == YETI:
        return True
    return card[0 if key in COLOURS else 1] == _LETTER[key]


# ------------------------------------------------------------------------------------------------
# Chance
# ------------------------------------------------------------------------------------------------


class Chance(Protocol):
    """What the table leaves to chance."""

    def weather(self, markers: list[str], count: int) -> list[str]: ...

    def styles(self, markers: list[str]) -> list[str]: ...

    def gear_deck(self, cards: list[str]) -> list[str]: ...

    def slope_deck(self, cards: list[str]) -> list[str]: ...

    def reshuffle(self, cards: list[str], number: int) -> list[str]: ...


class RandomChance:
    """Chance from Python's own generator."""

    def __init__(self, seed: int) -> None:
        self.coin = random.Random(seed)

    def _mixed(self, items: list[str]) -> list[str]:
        return self.coin.sample(items, len(items))

    def weather(self, markers: list[str], count: int) -> list[str]:
        return self._mixed(markers)[:count]

    def styles(self, markers: list[str]) -> list[str]:
        return self._mixed(markers)

    def gear_deck(self, cards: list[str]) -> list[str]:
        return self._mixed(cards)

    def slope_deck(self, cards: list[str]) -> list[str]:
        return self._mixed(cards)

    def reshuffle(self, cards: list[str], number: int) -> list[str]:
        return self._mixed(cards)


# ------------------------------------------------------------------------------------------------
# Parts of the state (section 3)
# ------------------------------------------------------------------------------------------------


class IllegalAnswerError(Exception):
    """An answer that is not one of the options."""


@dataclass
class Seat:
    """What lies in front of a player."""

    node: str = BASE
    vp: int = 0
    fame: int = 0
    hand: dict[str, int] = field(default_factory=dict)
    gear: list[str] = field(default_factory=list)
    explosives: int = 0
    tickets: int = 0
    markers: int | None = 16  # None: unlimited
    tally: dict[str, Any] = field(default_factory=lambda: defaultdict(int))

    @property
    def cards(self) -> int:
        """Cards in hand."""
        return sum(self.hand.values())

    def types(self) -> list[str]:
        """Different types in hand, in index order."""
        return [kind for kind in TYPES if self.hand.get(kind, 0) > 0]

    def gain_card(self, card: str) -> None:
        """No hand limit (SC-DECK-08)."""
        self.hand[card] = self.hand.get(card, 0) + 1
        if card == YETI:
            self.tally["yetis_got"] += 1

    def lose_card(self, card: str) -> None:
        """A card leaves the hand."""
        self.hand[card] -= 1
        if self.hand[card] == 0:
            del self.hand[card]


@dataclass
class Turn:
    """What the acting player may still do."""

    seat: int
    actions: int
    tokens: bool = True  # explosives and tickets may be used
    ramp: bool = True  # Ramp not yet used this turn
    poles: bool = True
    night: bool = False  # the Night Goggles step


@dataclass
class PlayedSet:
    """A set while it is built."""

    key: str
    need: int
    exactly_one_yeti: bool  # only under rules.yeti_clear_own_run
    pair: list[str] = field(default_factory=list)
    single: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Single cards, and 1 for a Ramp pair (SC-SET-04)."""
        return len(self.single) + (1 if self.pair else 0)

    @property
    def cards(self) -> list[str]:
        """All cards that are played."""
        return self.pair + self.single

    def yetis(self, pair_counts: bool) -> int:
        """Yetis that count for steps 2 and 6 (SC-SET-04)."""
        return self.single.count(YETI) + (self.pair.count(YETI) if pair_counts else 0)

    def all_show(self, key: str) -> bool:
        """Every card shows a colour or style; a Ramp pair shows the key alone (SC-SKI-06)."""
        if self.pair and self.key != key:
            return False
        return all(fits(card, key) for card in self.single)


# ------------------------------------------------------------------------------------------------
# The game
# ------------------------------------------------------------------------------------------------


class Twin:
    """One game: the table and its rules."""

    def __init__(self, rules: dict[str, Any], players: int, answer: Answer, chance: Chance) -> None:
        self.rules, self.players, self.answer, self.chance = rules, players, answer, chance
        self.switch = rules["rules"]
        board = rules["board"]
        self.heights: dict[str, float] = board["nodes"]
        self.lifts: list[list[str]] = board["lifts"]
        self.runs: dict[str, dict[str, Any]] = {run["id"]: run for run in board["runs"]}
        self.order: list[str] = [place for place in rules["village"]["order"] if place != HOTEL]

        self.day = 1
        self.phase = "ski"
        self.tracker: int = rules["game"]["daylight_start"]
        self.first = 0
        self.turn: Turn | None = None
        markers = rules["token"]["claim_markers"]
        self.seats = [Seat(markers=markers) for _ in range(players)]

        self.deck: list[str] = []
        self.row: list[str | None] = [None] * rules["setup"]["row"]
        self.discards: Counter[str] = Counter()
        self.yeti = CAVE
        self.style: dict[str, str] = {}
        self.supply: list[str] = []
        self.stacks: dict[str, list[int]] = {run: [] for run in self.runs}
        self.weather: list[str] = [rules["weather"]["first"]] * rules["game"]["days"]
        self.gear_deck: list[str] = []
        self.gear_row: list[str] = []
        self.gear_discards: list[str] = []
        self.track: list[int] = []  # skiers on the starting track who have not moved yet
        self.village: dict[str, list[int]] = {place: [] for place in self.order}
        self.at_hotel: list[int] = []

        self.asked = self.forced = self.options_offered = 0
        self.games: dict[str, Any] = defaultdict(int)  # counters of the games record
        self.games["min_deck"] = sum(rules["deck"]["cards"].values())
        self.leader = -1
        self.log: list[tuple[Any, ...]] = []
        self.result: dict[str, Any] = {}

    # ---- asking -------------------------------------------------------------------------------

    def ask(self, seat: int, point: str, options: list[str]) -> str:
        """Ask, unless there is one option only (SC-DEC-01, SC-DEC-02, SC-DEC-03)."""
        if len(set(options)) != len(options) or not options:
            raise AssertionError(f"{point}: bad option list {options}")
        if len(options) == 1:
            self.forced += 1
            self.log.append(("forced", seat, point, options[0]))
            return options[0]
        self.asked += 1
        self.options_offered += len(options)
        token = self.answer(seat, point, list(options), self.seen(seat))
        if token not in options:
            raise IllegalAnswerError(f"{point} of seat {seat}: {token!r} is none of {options}")
        self.log.append(("asked", seat, point, tuple(options), token))
        return token

    def seen(self, viewer: int) -> dict[str, Any]:
        """What a seat sees (section 3)."""
        return {
            "day": self.day,
            "phase": self.phase,
            "tracker": self.tracker,
            "first": self.first,
            "actions": self.turn.actions if self.turn else 0,
            "deck_size": len(self.deck),
            "row": list(self.row),
            "discards": dict(self.discards),
            "yeti": self.yeti,
            "style": dict(self.style),
            "supply": list(self.supply),
            "stacks": {run: list(stack) for run, stack in self.stacks.items()},
            "weather": list(self.weather),
            "gear_row": list(self.gear_row),
            "gear_discards": list(self.gear_discards),
            "explosives_left": self.explosives_left(),
            "tickets_left": self.tickets_left(),
            "track": list(self.track),
            "village": {place: list(stack) for place, stack in self.village.items()},
            "at_hotel": list(self.at_hotel),
            "hand": dict(self.seats[viewer].hand),
            "seats": [
                {
                    "node": seat.node,
                    "vp": seat.vp,
                    "fame": seat.fame,
                    "markers": seat.markers,
                    "explosives": seat.explosives,
                    "tickets": seat.tickets,
                    "gear": list(seat.gear),
                    "cards": seat.cards,
                }
                for seat in self.seats
            ],
        }

    # ---- small facts ----------------------------------------------------------------------------

    def has(self, seat: int, ability: str) -> bool:
        """Whether a player owns gear with an ability; a second copy adds nothing (2.3)."""
        cards = self.rules["gear"]["cards"]
        return any(cards[card]["ability"] == ability for card in self.seats[seat].gear)

    def explosives_left(self) -> int:
        """Explosives in the supply."""
        return self.rules["token"]["explosives"] - sum(seat.explosives for seat in self.seats)

    def tickets_left(self) -> int:
        """Lift tickets in the supply."""
        return self.rules["token"]["tickets"] - sum(seat.tickets for seat in self.seats)

    def clockwise(self, first: int) -> list[int]:
        """All seats clockwise from one."""
        return [(first + step) % self.players for step in range(self.players)]

    def gain_vp(self, seat: int, amount: int, reason: str) -> None:
        """Points on the victory track."""
        self.seats[seat].vp += amount
        self.seats[seat].tally["vp_" + reason] += amount

    def gain_fame(self, seat: int, amount: int, reason: str) -> None:
        """Fame from the supply, which never runs out."""
        self.seats[seat].fame += amount
        self.seats[seat].tally["fame_" + reason] += amount

    def pay_fame(self, seat: int, amount: int, reason: str) -> None:
        """Fame back to the supply."""
        self.seats[seat].fame -= amount
        if self.seats[seat].fame < 0:
            raise AssertionError("fame below 0")
        self.seats[seat].tally["fame_sp_" + reason] += amount

    def use_gear(self, seat: int, ability: str) -> None:
        """Count that an ability had an effect, for the first card that has it."""
        for card in self.seats[seat].gear:
            if self.rules["gear"]["cards"][card]["ability"] == ability:
                self.seats[seat].tally["gear_use_" + card] += 1
                return

    # ---- slope cards (SC-DECK) ------------------------------------------------------------------

    def can_draw(self) -> bool:
        """Whether any card can be drawn."""
        return bool(self.deck) or self.discards.total() > 0

    def _reshuffle(self) -> None:
        """All discards become the new deck; sorted first, so that chance alone makes the order."""
        cards = [kind for kind in TYPES for _ in range(self.discards[kind])]
        self.deck = list(self.chance.reshuffle(cards, self.games["reshuffles"]))
        if sorted(self.deck) != sorted(cards):
            raise AssertionError(f"reshuffle of {cards} gave {self.deck}")
        self.discards = Counter()
        self.games["reshuffles"] += 1
        self.log.append(("shuffle", tuple(self.deck)))

    def _shuffle_when_empty(self) -> None:
        """The default switch: an empty deck is renewed at once (SC-DECK-01, SC-DECK-03)."""
        if self.switch["reshuffle"] == "when_empty" and not self.deck and self.discards.total():
            self._reshuffle()

    def draw(self) -> str | None:
        """The top card, or None when there is none (SC-DECK-01, SC-DECK-02)."""
        if not self.deck and self.discards.total():
            self._reshuffle()  # when_needed; with when_empty this never happens
        if not self.deck:
            return None
        card = self.deck.pop(0)
        self.games["min_deck"] = min(self.games["min_deck"], len(self.deck))
        self._shuffle_when_empty()
        return card

    def draw_to_hand(self, seat: int) -> str | None:
        """Draw a card from the deck into a hand."""
        card = self.draw()
        if card is not None:
            self.seats[seat].gain_card(card)
            self.seats[seat].tally["cards_drawn"] += 1
        return card

    def discard(self, cards: list[str]) -> None:
        """One event: the cards go to the discard pile together, then the row is filled (SC-DECK-03)."""
        self.discards.update(cards)
        self._shuffle_when_empty()
        self.fill_row()

    def fill_row(self) -> None:
        """Fill slots 1 to 4, then the 3-Yeti rule (SC-DECK-04, SC-DECK-05)."""
        while True:
            for slot, card in enumerate(self.row):
                if card is None:
                    self.row[slot] = self.draw()
            if not self._row_must_go():
                return
            old = [card for card in self.row if card is not None]
            self.row = [None] * len(self.row)
            self.games["row_resets"] += 1
            self.log.append(("row_reset", tuple(old)))
            self.discards.update(old)
            self._shuffle_when_empty()

    def _row_must_go(self) -> bool:
        """3 Yetis in the row, unless the reset could never end (SC-DECK-05, SC-DECK-06)."""
        limit, slots = self.rules["row"]["yeti_reset"], len(self.row)
        if self.row.count(YETI) < limit:
            return False
        outside = [card for card in self.row if card is not None] + self.deck
        outside += list(self.discards.elements())
        if sum(card != YETI for card in outside) < slots - limit + 1:  # 2 by default
            return False
        # Row and deck are two halves of all cards: the old row alone would be the next deck, and
        # the halves would change places for ever.
        halves = len(self.deck) == slots and not self.discards.total()
        endless = halves and self.deck.count(YETI) >= limit
        return not (endless and self.switch["reshuffle"] == "when_empty")

    def take_from_row(self, seat: int, kind: str) -> None:
        """A face-up card goes to the hand and is replaced (SC-TRAIN-02)."""
        self.row[self.row.index(kind)] = None
        self.seats[seat].gain_card(kind)
        self.seats[seat].tally["cards_row"] += 1
        self.fill_row()

    def row_types(self) -> list[str]:
        """Different types in the row, in index order."""
        return [kind for kind in TYPES if kind in self.row]

    # ---- setup (SC-SETUP) -----------------------------------------------------------------------

    def set_up(self) -> None:
        """Setup in the order of the rulebook; chance is asked once for each kind."""
        rules = self.rules
        self._set_weather()
        markers = [style for style in STYLES for _ in range(rules["style"]["markers"][style])]
        laid = list(self.chance.styles(markers))
        spaces = [run for run in self.runs if self.runs[run]["style_space"]]
        self.style = dict(zip(spaces, laid, strict=False))  # SC-SETUP-07
        self.supply = laid[len(spaces) :]
        gear = [card for card, row in rules["gear"]["cards"].items() for _ in range(row["copies"])]
        self.gear_deck = list(self.chance.gear_deck(gear))
        self._reveal_gear()
        cards = [kind for kind in TYPES for _ in range(rules["deck"]["cards"][kind])]
        self.deck = list(self.chance.slope_deck(cards))
        self.fill_row()  # SC-SETUP-09
        for seat in range(self.players):  # SC-SETUP-10
            for _ in range(rules["setup"]["hand"]):
                self.draw_to_hand(seat)

    def _set_weather(self) -> None:
        """Day I is sunny, the others are drawn from the other markers (SC-SETUP-06, SC-SCOPE-08)."""
        weather, days = self.rules["weather"], self.rules["game"]["days"]
        markers = [face for face, count in weather["faces"].items() for _ in range(count)]
        markers.remove(weather["first"])
        if weather["force"]:
            self.weather = list(weather["force"][:days])
            return
        drawn = list(self.chance.weather(markers, days - 1))
        self.weather = [weather["first"], *drawn]

    def _reveal_gear(self) -> None:
        """Reveal up to 4 gear cards (SC-SETUP-08, SC-EDGE-34)."""
        count = self.rules["gear"]["row"]
        self.gear_row, self.gear_deck = self.gear_deck[:count], self.gear_deck[count:]

    # ---- days and turns -------------------------------------------------------------------------

    def play(self) -> dict[str, Any]:
        """A whole game; returns the records."""
        self.games["style_start"] = ""
        self.set_up()
        self.games["style_start"] = dict(self.style)
        days = self.rules["game"]["days"]
        while True:
            self.ski_phase()
            if self.day == days:  # SC-DAY-05, SC-SCOPE-06
                break
            self.apres_ski()
            self.next_day()
        self.score()
        return self.result

    def ski_phase(self) -> None:
        """4 turns for every player, then the Night Goggles step (SC-DAY-01 to SC-DAY-04)."""
        self.phase = "ski"
        while True:
            for seat in self.clockwise(self.first):
                self.play_turn(seat, self.rules["game"]["actions_per_turn"])
            if self.tracker == 1:
                break
            self.tracker -= 1  # SC-DAY-03
        self.night_step()
        self.tracker = 0  # END
        self._note_day_end()

    def _note_day_end(self) -> None:
        """What the records remember of the end of a Skiing phase."""
        for seat in self.seats:
            seat.tally[f"vp_d{self.day}"] = seat.vp
            seat.tally[f"fame_d{self.day}"] = seat.fame
        scores = [self.score_now(seat) for seat in range(self.players)]
        best = [seat for seat in range(self.players) if scores[seat] == max(scores)]
        self.games[f"leader_d{self.day}"] = best

    def play_turn(self, seat: int, actions: int) -> None:
        """Up to 2 actions, and tokens at any moment outside an action (SC-TURN-01 to SC-TURN-04)."""
        self.turn = Turn(seat, actions)
        self._act_until_end(self.turn)
        self._count_turn(seat)
        self.turn = None

    def _count_turn(self, seat: int) -> None:
        assert self.turn is not None
        self.games["turns"] += 1
        self.games["act_unused"] += self.turn.actions
        self.seats[seat].tally["actions_unused"] += self.turn.actions
        scores = [self.score_now(other) for other in range(self.players)]
        best = [other for other in range(self.players) if scores[other] == max(scores)]
        if len(best) == 1 and best[0] != self.leader:
            if self.leader >= 0:
                self.games["lead_changes"] += 1
            self.leader = best[0]

    def _act_until_end(self, turn: Turn) -> None:
        while True:
            options = self.act_options(turn)
            if turn.actions == 0 and options == ["end"]:
                return  # ends by itself, nothing is built or logged (SC-TURN-03)
            token = self.ask(turn.seat, "ACT", options)
            if token == "end":
                return
            self.do(turn, token)

    def night_step(self) -> None:
        """Each owner of Night Goggles may take one action (SC-DAY-04, SC-GEAR-NIGHT)."""
        if self.day == self.rules["game"]["days"] and not self.switch["night_goggles_day3"]:
            return
        self.phase = "night"
        for seat in self.clockwise(self.first):
            if not self.has(seat, "night_goggles"):
                continue
            if self.switch["night_goggles_as_turn"]:
                self.turn = Turn(seat, 1, night=True)
                self._act_until_end(self.turn)
                used = self.turn.actions == 0
            else:
                self.turn = Turn(seat, 1, tokens=False, ramp=False, poles=False, night=True)
                token = self.ask(seat, "ACT", self.act_options(self.turn))
                used = token != "end"
                if used:
                    self.do(self.turn, token)
            if used:
                self.use_gear(seat, "night_goggles")
            self.turn = None

    # ---- ACT ------------------------------------------------------------------------------------

    def lift_targets(self, node: str) -> list[str]:
        """Tops of the lifts from a node; the Yeti does not matter (SC-LIFT-01, SC-LIFT-05)."""
        return list(dict.fromkeys(top for bottom, top in self.lifts if bottom == node))

    def poles_targets(self, turn: Turn) -> list[str]:
        """Tops of the runs that end here, once a turn (SC-GEAR-POLES)."""
        if not turn.poles or not self.has(turn.seat, "ski_poles"):
            return []
        node = self.seats[turn.seat].node
        through = self.switch["poles_through_yeti"]
        found = [
            run["top"]
            for run in self.runs.values()
            if run["bottom"] == node and (through or self.yeti != run["id"])
        ]
        return list(dict.fromkeys(found))

    def act_options(self, turn: Turn) -> list[str]:
        """The options of ACT (section 4)."""
        seat = self.seats[turn.seat]
        lifts, poles = self.lift_targets(seat.node), self.poles_targets(turn)
        options = ["end"]
        if turn.actions > 0:
            if self.can_draw() or self.row_types():
                options.append("train")  # SC-EDGE-03
            options += [f"lift:{node}" for node in lifts]
            options += [f"poles:{node}" for node in poles]
            options += [f"ski:{run}" for run in self.skiable(turn)]
        if turn.tokens and seat.tickets > 0:  # SC-LIFT-04
            options += [f"ticket:{node}" for node in lifts]
            options += [f"ticket-poles:{node}" for node in poles]
        if turn.tokens and seat.explosives > 0:  # SC-AVAL-08
            options.append("explosive")
        return options

    def skiable(self, turn: Turn) -> list[str]:
        """Runs from here that are not blocked and can be paid (SC-SKI-01, SC-SKI-09)."""
        found = []
        for run in self.runs:
            if self.runs[run]["top"] != self.seats[turn.seat].node:
                continue
            if self.key_options(turn, run):
                found.append(run)
            elif self.yeti == run and self._keys(turn, run, exactly_one_yeti=False):
                self.games["yeti_blocks"] += 1
        return found

    def do(self, turn: Turn, token: str) -> None:
        """Carry out an option of ACT other than end."""
        kind, _, what = token.partition(":")
        seat = self.seats[turn.seat]
        if kind == "explosive":
            seat.explosives -= 1
            seat.tally["explosives_used"] += 1
            self.avalanche(turn.seat, "explosive")
            return
        if kind in ("ticket", "ticket-poles"):
            seat.tickets -= 1
            seat.tally["tickets_used"] += 1
        else:
            turn.actions -= 1
        if kind in ("poles", "ticket-poles"):
            turn.poles = False
            self.use_gear(turn.seat, "ski_poles")
        if kind == "train":
            self.games["act_train"] += 1
            self.train(turn.seat)
        elif kind == "ski":
            self.games["act_ski"] += 1
            self.ski(turn, what)
        else:
            self.games["act_lift"] += kind in ("lift", "poles")
            self.games["rides"] += 1
            self.ride(turn.seat, what)

    def ride(self, seat: int, node: str) -> None:
        """Up to a node, then Season Pass (SC-LIFT-01, SC-GEAR-PASS)."""
        self.log.append(("ride", seat, self.seats[seat].node, node))
        self.seats[seat].node = node
        if not self.has(seat, "season_pass"):
            return
        card = self.draw()
        if card is None:
            return
        self.use_gear(seat, "season_pass")
        if card == YETI:
            self.seats[seat].gain_card(card)
            self.seats[seat].tally["cards_drawn"] += 1
        else:
            self.discard([card])

    # ---- Train (SC-TRAIN) -----------------------------------------------------------------------

    def train(self, seat: int) -> None:
        """Up to 2 cards, one at a time (SC-TRAIN-01)."""
        journal = self.has(seat, "field_journal")
        any_order = journal and self.switch["journal_train"] == "any_order"
        yeti_taken = False
        for number in range(self.rules["train"]["cards"]):
            options = ["deck"] if self.can_draw() else []
            for kind in self.row_types():
                allowed = kind != YETI or number == 0 or (any_order and not yeti_taken)
                if allowed:  # SC-TRAIN-04
                    options.append(f"row:{kind}")
            if number > 0:
                options.append("stop")
            token = self.ask(seat, "TAKE", options)
            if token == "stop":
                return
            if number > 0 and yeti_taken:
                self.use_gear(seat, "field_journal")
            if token == "deck":
                self.draw_to_hand(seat)  # SC-TRAIN-05
                continue
            kind = token.partition(":")[2]
            self.take_from_row(seat, kind)
            if kind == YETI:
                if number > 0:
                    self.use_gear(seat, "field_journal")
                yeti_taken = True
                if not journal:  # SC-TRAIN-03
                    return

    # ---- sets (SC-SET) --------------------------------------------------------------------------

    def need_to_ski(self, seat: int, run: str) -> int:
        """Cards needed, one fewer on advanced runs with Bling Bindings (SC-SET-02)."""
        difficulty = self.runs[run]["difficulty"]
        bling = difficulty == "advanced" and self.has(seat, "bling_bindings")
        return self.rules["run"][difficulty]["cards"] - (1 if bling else 0)

    def key_options(self, turn: Turn, run: str) -> list[str]:
        """Keys that KEY offers for a run; none when the Yeti bars it (SC-SKI-01, SC-SET-03)."""
        if self.yeti != run or self.has(turn.seat, "yeti_energy"):
            return self._keys(turn, run, exactly_one_yeti=False)
        if self.switch["yeti_clear_own_run"]:
            return self._keys(turn, run, exactly_one_yeti=True)
        return []

    def _keys(self, turn: Turn, run: str, *, exactly_one_yeti: bool) -> list[str]:
        need = self.need_to_ski(turn.seat, run)
        found = []
        for key in KEYS:
            empty = PlayedSet(key, need, exactly_one_yeti)
            hand = self.seats[turn.seat].hand
            if self._reachable(empty, hand) or self._pairs(turn, empty, hand):
                found.append(key)
        return found

    def _reachable(self, played: PlayedSet, hand: dict[str, int]) -> bool:
        """Whether single cards from what is left in hand can make the set legal."""
        matching = sum(
            count for kind, count in hand.items() if kind != YETI and fits(kind, played.key)
        )
        yetis = played.yetis(self.switch["ramp_yeti_counts"])
        for more in range(hand.get(YETI, 0) + 1):
            if played.exactly_one_yeti and yetis + more != 1:
                continue
            if played.size + matching + more >= played.need:
                return True
        return False

    def _pairs(self, turn: Turn, played: PlayedSet, hand: dict[str, int]) -> list[tuple[str, str]]:
        """Ramp pairs (first, second) that leave the set legal (SC-GEAR-RAMP, SC-DEC-15)."""
        if not turn.ramp or not self.has(turn.seat, "ramp"):
            return []
        every_type = not self.switch["ramp_yeti_counts"] or self.switch["claim_optional"] == "none"
        found = []
        for first in TYPES:
            for second in TYPES:
                left = Counter(hand)
                left.subtract([first, second])
                if min(left.values()) < 0:
                    continue
                if fits(first, played.key) and not every_type:
                    continue
                trial = PlayedSet(played.key, played.need, played.exactly_one_yeti, [first, second])
                if self._reachable(trial, dict(left)):
                    found.append((first, second))
        return found

    def build_set(self, turn: Turn, run: str) -> PlayedSet:
        """KEY, RAMP1, RAMP2, ADD (section 4)."""
        seat = turn.seat
        key = self.ask(seat, "KEY", self.key_options(turn, run))
        barred = self.yeti == run and not self.has(seat, "yeti_energy")
        played = PlayedSet(key, self.need_to_ski(seat, run), exactly_one_yeti=barred)
        hand = dict(self.seats[seat].hand)
        if turn.ramp and self.has(seat, "ramp"):
            self._choose_pair(turn, played, hand)
        while True:
            left = [kind for kind in TYPES if hand.get(kind, 0) > 0]
            options = [
                kind for kind in left if fits(kind, key) and self._may_add(played, hand, kind)
            ]
            if played.size >= played.need and self._reachable(played, {}):
                options.append("stop")
            token = self.ask(seat, "ADD", options)
            if token == "stop":
                return played
            played.single.append(token)
            hand[token] -= 1

    def _may_add(self, played: PlayedSet, hand: dict[str, int], kind: str) -> bool:
        """Whether a matching card leaves a legal set within reach."""
        trial = copy.deepcopy(played)
        trial.single.append(kind)
        left = dict(hand)
        left[kind] -= 1
        return self._reachable(trial, left)

    def _choose_pair(self, turn: Turn, played: PlayedSet, hand: dict[str, int]) -> None:
        """RAMP1 and RAMP2."""
        pairs = self._pairs(turn, played, hand)
        options = ["none"] if self._reachable(played, hand) else []
        options += list(dict.fromkeys(first for first, _ in pairs))
        first = self.ask(turn.seat, "RAMP1", options)
        if first == "none":
            return
        second = self.ask(turn.seat, "RAMP2", [other for one, other in pairs if one == first])
        played.pair = [first, second]
        hand[first] -= 1
        hand[second] -= 1
        turn.ramp = False
        self.use_gear(turn.seat, "ramp")

    # ---- Ski a Run (SC-SKI) ---------------------------------------------------------------------

    def ski(self, turn: Turn, run: str) -> None:
        """Steps 1 to 6 in exact order."""
        number, seat, facts = turn.seat, self.seats[turn.seat], self.runs[run]
        barred = self.yeti == run and not self.has(number, "yeti_energy")
        if self.yeti == run and not barred:
            self.use_gear(number, "yeti_energy")
        played = self.build_set(turn, run)
        self.log.append(("ski", number, run, played.key, tuple(played.cards), played.size))
        for card in played.cards:
            seat.lose_card(card)
        self._count_run(number, run, played)
        self.discard(played.cards)  # SC-SKI-02

        yetis = played.yetis(self.switch["ramp_yeti_counts"])
        moves_yeti = yetis == self.rules["yeti"]["move_if_exactly"]
        if moves_yeti and barred:  # rules.yeti_clear_own_run: the Yeti makes way first
            self.move_yeti(number)
        seat.node = facts["bottom"]  # SC-SKI-03
        if moves_yeti and not barred:  # SC-YETI-02, SC-DEC-11
            self.move_yeti(number)

        self.gain_vp(number, self.rules["run"][facts["difficulty"]]["vp"], "runs")  # SC-SKI-04
        self._precision_goggles(number)
        self._earn_fame(number, run, played)
        self._claim(number, run, played)
        if yetis >= self.rules["yeti"]["avalanche_from"]:  # SC-AVAL-01
            self.avalanche(number, "set")

    def _count_run(self, number: int, run: str, played: PlayedSet) -> None:
        seat, difficulty = self.seats[number], self.runs[run]["difficulty"]
        short = {"easy": "ski_easy", "advanced": "ski_adv", "expert": "ski_exp"}[difficulty]
        seat.tally[short] += 1
        seat.tally["cards_played"] += len(played.cards)
        seat.tally["yetis_played"] += played.cards.count(YETI)
        seat.tally["overpay"] += played.size - played.need
        self.games["ski_" + run] += 1
        if played.size < self.rules["run"][difficulty]["cards"]:
            self.use_gear(number, "bling_bindings")

    def move_yeti(self, seat: int) -> None:
        """To a different run without the icon, never to the cave (SC-YETI-02 to SC-YETI-04)."""
        options = [
            run for run, facts in self.runs.items() if not facts["no_yeti"] and run != self.yeti
        ]
        token = self.ask(seat, "YETI", options)
        self.log.append(("yeti", self.yeti, token))
        self.yeti = token
        self.games["yeti_moves"] += 1

    def _precision_goggles(self, number: int) -> None:
        """1 fame for 1 VP, before the fame of the run (SC-GEAR-PRECISION)."""
        seat = self.seats[number]
        if seat.fame < 1 or not self.has(number, "precision_goggles"):
            return
        if self.ask(number, "GOGGLES", ["yes", "no"]) == "yes":
            self.pay_fame(number, 1, "goggles")
            self.gain_vp(number, 1, "goggles")
            self.use_gear(number, "precision_goggles")

    def _earn_fame(self, number: int, run: str, played: PlayedSet) -> None:
        """Base fame, doubling, waning daylight, Boots (SC-SKI-05 to SC-SKI-07)."""
        facts, bonus = self.runs[run], self.rules["bonus"]
        base = self.rules["run"][facts["difficulty"]]["fame"]
        waning = self._waning(facts["bottom"])
        boots = 1 if self.has(number, "blazing_boots") else 0
        marker = self.style.get(run)
        styled = marker is not None and played.all_show(marker)
        filmed = (
            marker is None and self.has(number, "sno_pro_camera") and played.all_show("red")
        )  # SC-GEAR-CAMERA
        more = bonus["style_factor"] - 1
        if boots:
            self.use_gear(number, "blazing_boots")
        if filmed:
            self.use_gear(number, "sno_pro_camera")
        self.gain_fame(number, base, "base")
        self.gain_fame(number, waning, "waning")
        self.gain_fame(number, boots, "boots")
        self.games["daylight_on_runs"] += waning
        if styled:
            self.games["style_bonuses"] += 1
            self.gain_fame(number, base * more, "style")
        if filmed:
            total = self.switch["camera_doubles"] == "run_total"
            self.gain_fame(number, (base + waning + boots if total else base) * more, "camera")
        boots_again = self.switch["boots_doubled"] and (
            styled or (filmed and self.switch["camera_doubles"] == "base")
        )
        if boots_again:
            self.gain_fame(number, boots * more, "boots")

    def _waning(self, node: str) -> int:
        """Fame for reaching the base when the tracker is on 1 (SC-SKI-07, SC-AVAL-06)."""
        bonus = self.rules["bonus"]
        on_one = node == BASE and self.tracker == bonus["waning_tracker"]
        return bonus["waning"] if on_one else 0

    def claim_need(self, seat: int, run: str, *, gloves: bool = True) -> int:
        """Size that a claim takes (SC-CLAIM-01 to SC-CLAIM-04)."""
        need, stack = self.need_to_ski(seat, run), self.stacks[run]
        if not stack:
            return need
        if stack[-1] == seat:
            surcharge = self.switch["own_stack_surcharge"]
            return need + (len(stack) * self.rules["steal"]["per_marker"] if surcharge else 0)
        extra = 1 if gloves and self.has(stack[-1], "heated_gloves") else 0
        return need + len(stack) * self.rules["steal"]["per_marker"] + extra

    def _claim(self, number: int, run: str, played: PlayedSet) -> None:
        """Step 5: claim, steal or restack (SC-CLAIM)."""
        seat, stack = self.seats[number], self.stacks[run]
        if seat.markers == 0:  # SC-CLAIM-07
            return
        if played.size < self.claim_need(number, run):
            if played.size >= self.claim_need(number, run, gloves=False):
                self.use_gear(stack[-1], "heated_gloves")
            return
        asking = self.switch["claim_optional"]  # SC-CLAIM-06
        must = asking == "none" or (asking == "steals" and not stack)
        if self.ask(number, "CLAIM", ["claim"] if must else ["claim", "decline"]) == "decline":
            self.games["declines"] += 1
            return
        if not stack:
            self.games["first_claims"] += 1
        elif stack[-1] == number:
            self.games["restacks"] += 1
            seat.tally["restacked"] += 1
        else:
            self.games["steals"] += 1
            seat.tally["stole"] += 1
            self.seats[stack[-1]].tally["stolen_from"] += 1
        stack.append(number)  # SC-CLAIM-05
        seat.tally["markers_used"] += 1
        if seat.markers is not None:
            seat.markers -= 1

    # ---- avalanches (SC-AVAL) -------------------------------------------------------------------

    def avalanche(self, trigger: int, cause: str) -> None:
        """Tent, then everybody not at the base slides one run."""
        self.games["aval_" + cause] += 1
        tent = self.has(trigger, "emergency_tent")
        if tent and self.switch["tent_before_slides"]:  # SC-AVAL-02
            self._tent(trigger)
        for number in self._slide_order(trigger):
            self._slide(number, trigger)
        if tent and not self.switch["tent_before_slides"]:
            self._tent(trigger)

    def _tent(self, seat: int) -> None:
        self.gain_fame(seat, 1, "tent")
        self.use_gear(seat, "emergency_tent")

    def _slide_order(self, trigger: int) -> list[int]:
        """SC-AVAL-03."""
        order = self.switch["avalanche_order"]
        if order == "turn_order":
            return self.clockwise(self.first)
        seats = self.clockwise(trigger)
        return seats if order == "active_first" else [*seats[1:], trigger]

    def _slide(self, number: int, trigger: int) -> None:
        """One player's slide (SC-AVAL-04 to SC-AVAL-07)."""
        seat = self.seats[number]
        if seat.node == BASE:
            return
        bottoms = [run["bottom"] for run in self.runs.values() if run["top"] == seat.node]
        options = list(dict.fromkeys(bottoms))
        if self.has(number, "avalanche_alert") and seat.fame >= 1:
            options.append("pay")
        token = self.ask(number, "SLIDE", options)
        if token == "pay":  # SC-GEAR-ALERT
            self.pay_fame(number, 1, "alert")
            seat.tally["alert_paid"] += 1
            self.use_gear(number, "avalanche_alert")
            return
        self.log.append(("slide", number, seat.node, token))
        seat.tally["height_lost"] += self.heights[seat.node] - self.heights[token]
        seat.tally["slid"] += 1
        seat.node = token
        if number == trigger:
            self.games["slides_own"] += 1
        else:
            self.games["slides_rival"] += 1
            seat.tally["slid_by_rival"] += 1
        waning = self._waning(token)
        night = self.turn is not None and self.turn.night
        if waning and (self.switch["night_goggles_slide_bonus"] or not night):
            self.gain_fame(number, waning, "waning")
            self.games["slide_waning"] += 1

    # ---- Après-Ski (SC-VIL, SC-LOC, SC-HOTEL) ---------------------------------------------------

    def apres_ski(self) -> None:
        """One evening: starting track, then the furthest left until all are at the Hotel."""
        self.phase = "village"
        turn_order = self.clockwise(self.first)
        self.track = sorted(
            turn_order,
            key=lambda seat: (self.heights[self.seats[seat].node], turn_order.index(seat)),
        )  # SC-VIL-01
        self.village = {place: [] for place in self.order}
        self.at_hotel = []
        for position, seat in enumerate(self.track, start=1):
            self.seats[seat].tally[f"village_pos{self.day}"] = position
        while len(self.at_hotel) < self.players:
            if self.track:  # SC-VIL-02
                self.visit(self.track.pop(0), -1)
                continue
            # SC-VIL-03: furthest left; in one place the latest arrival
            at = next(i for i, place in enumerate(self.order) if self.village[place])
            self.visit(self.village[self.order[at]].pop(), at)

    def _payable(self, number: int, place: str) -> bool:
        cost, seat = self.rules["village"][place], self.seats[number]
        return seat.fame >= cost["pay_fame"] and seat.cards >= cost["pay_cards"]

    def visit(self, number: int, at: int) -> None:
        """One village turn: move right, pay, act (SC-VIL-04 to SC-VIL-07)."""
        options = []
        for place in self.order[at + 1 :]:
            if not self._payable(number, place):
                continue
            if len(self.village[place]) < self.rules["village"]["slots"][place]:
                options.append(place)
            else:
                self.games["full_" + place] += 1
        token = self.ask(number, "MOVE", [*options, HOTEL])
        if token == HOTEL:
            self.hotel(number)
            return
        self.village[token].append(number)
        seat, cost = self.seats[number], self.rules["village"][token]
        self.games["visits_" + token] += 1
        seat.tally[f"place_{token}_d{self.day}"] += 1
        self.pay_fame(number, cost["pay_fame"], "village")
        for _ in range(cost["pay_cards"]):
            card = self.ask(number, "PAY", seat.types())
            seat.lose_card(card)
            seat.tally["cards_paid"] += 1
            self.discard([card])
        {
            "hot_tub": self._hot_tub,
            "yodeling": self._yodeling,
            "happy_hour": self._happy_hour,
            "ski_swap": self._ski_swap,
            "let_it_ride": self._let_it_ride,
        }[token](number)

    def _hot_tub(self, number: int) -> None:
        """SC-LOC-01."""
        self.gain_fame(number, self.rules["village"]["hot_tub"]["gain_fame"], "tub")

    def _yodeling(self, number: int) -> None:
        """SC-LOC-02."""
        firsts = [run for run in self.runs if run in self.style and self._partners(run)]
        first = self.ask(number, "SWAP1", ["none", *firsts])
        if first != "none":
            second = self.ask(number, "SWAP2", self._partners(first))
            kind, _, what = second.partition(":")
            if kind == "run":
                self.style[first], self.style[what] = self.style[what], self.style[first]
            else:
                self.supply.remove(what)
                self.supply.append(self.style[first])
                self.style[first] = what
            self.log.append(("swap", first, second))
        gain = self.rules["village"]["yodeling"]["gain_explosives"]
        self.seats[number].explosives += min(gain, self.explosives_left())

    def _partners(self, run: str) -> list[str]:
        """Options of SWAP2 for a run with a marker."""
        mine = self.style[run]
        found = [
            f"run:{other}"
            for other in self.runs
            if other in self.style and other != run and self.style[other] != mine
        ]
        if self.players in self.switch["yodel_supply_players"]:
            found += [
                f"supply:{style}" for style in STYLES if style in self.supply and style != mine
            ]
        return found

    def _happy_hour(self, number: int) -> None:
        """A budget of 3, a face-up Yeti counts 2 (SC-LOC-03, SC-GEAR-JOURNAL)."""
        facts = self.rules["village"]["happy_hour"]
        budget, yetis_taken = facts["take_cards"], 0
        journal = self.has(number, "field_journal")
        one_yeti = journal and self.switch["journal_happy_hour"] == "one_yeti"
        while budget > 0:
            first_counts_1 = journal and yetis_taken == 0
            price = 1 if first_counts_1 else facts["yeti_counts"]
            options = ["deck"] if self.can_draw() else []
            for kind in self.row_types():
                if kind == YETI and (price > budget or (one_yeti and yetis_taken)):
                    continue
                options.append(f"row:{kind}")
            if not self.switch["happy_hour_exact"]:
                options.append("stop")
            if not options:  # SC-EDGE-09
                return
            token = self.ask(number, "TAKE", options)
            if token == "stop":
                return
            if token == "deck":
                self.draw_to_hand(number)
                budget -= 1
                continue
            kind = token.partition(":")[2]
            budget -= price if kind == YETI else 1
            if kind == YETI:
                if first_counts_1:
                    self.use_gear(number, "field_journal")
                yetis_taken += 1
            self.take_from_row(number, kind)

    def _ski_swap(self, number: int) -> None:
        """SC-LOC-04."""
        gain = self.rules["village"]["ski_swap"]["gain_tickets"]
        self.seats[number].tickets += min(gain, self.tickets_left())

    def _let_it_ride(self, number: int) -> None:
        """SC-LOC-05."""
        facts = self.rules["village"]["let_it_ride"]
        colour = self.ask(number, "COLOUR", list(COLOURS))
        shown = [self.draw_to_hand(number) for _ in range(facts["draw"])]
        yeti_matches = self.switch["let_it_ride_yeti_matches"]
        hit = any(
            card is not None and fits(card, colour) and (card != YETI or yeti_matches)
            for card in shown
        )
        if not hit:
            for _ in range(facts["draw_on_miss"]):
                self.draw_to_hand(number)

    def hotel(self, number: int) -> None:
        """Draw, buy, return to the mountain (SC-HOTEL-01 to SC-HOTEL-03)."""
        seat, weather = self.seats[number], self.rules["weather"]
        self.at_hotel.append(number)
        tomorrow = self.weather[self.day]
        for _ in range(weather["draw"][tomorrow]):
            self.draw_to_hand(number)
        for _ in range(self.rules["gear"]["per_hotel"]):
            self._buy(number)
        lodges = [weather["lodge"][tomorrow]]
        if lodges == ["any"]:
            lodges = [node for node in self.heights if node.startswith("L")]
            seat.node = self.ask(number, "LODGE", sorted(lodges))
        else:
            seat.node = lodges[0]
        seat.tally[f"lodge_d{self.day + 1}"] = seat.node

    def _buy(self, number: int) -> None:
        """One gear card; the gap is not filled (SC-HOTEL-02, SC-GEAR-NONE)."""
        seat, cards = self.seats[number], self.rules["gear"]["cards"]
        offer = [
            card
            for card in dict.fromkeys(self.gear_row)
            if cards[card]["buyable"] and cards[card]["cost"] <= seat.fame
        ]
        seat.tally[f"gear_offer{self.day}"] = offer
        token = self.ask(number, "GEAR", ["none", *offer])
        if token == "none":
            return
        self.pay_fame(number, cards[token]["cost"], "gear")
        self.gear_row.remove(token)
        seat.gear.append(token)
        seat.tally[f"gear{self.day}"] = token

    def next_day(self) -> None:
        """SC-NEXT-01, SC-NEXT-02."""
        if self.day == 1:
            self.games["gear_left1"] = list(self.gear_row)
        self.first = (self.first + 1) % self.players
        if self.day in self.rules["gear"]["renew_after"]:
            self.gear_discards += self.gear_row
            self._reveal_gear()
        self.day += 1
        self.tracker = self.rules["game"]["daylight_start"]
        self.phase = "ski"

    # ---- the end (SC-END) -----------------------------------------------------------------------

    def tops(self, difficulty: str) -> list[int]:
        """Top markers by seat, on runs of a difficulty or on all (SC-CLAIM-08, SC-END-03)."""
        counts = [0] * self.players
        for run, stack in self.stacks.items():
            if stack and difficulty in (self.runs[run]["difficulty"], "total"):
                counts[stack[-1]] += 1
        return counts

    def awards(self) -> dict[str, list[int]]:
        """VP of each award by seat (SC-END-03 to SC-END-05)."""
        given = {}
        for name, value in self.rules["award"].items():
            counts = self.tops(name)
            most = max(counts)
            tied = [seat for seat in range(self.players) if counts[seat] == most]
            if most == 0 and self.switch["award_zero"] == "none":
                tied = []
            given[name] = [
                value // len(tied) if seat in tied else 0 for seat in range(self.players)
            ]
        return given

    def gear_vp(self, seat: int) -> int:
        """SC-END-02."""
        return sum(self.rules["gear"]["cards"][card]["vp"] for card in self.seats[seat].gear)

    def score_now(self, seat: int) -> int:
        """Final VP if the game ended now."""
        awards = sum(by_seat[seat] for by_seat in self.awards().values())
        fame_vp = self.seats[seat].fame // self.rules["fame"]["per_vp"]  # SC-END-01
        return self.seats[seat].vp + fame_vp + self.gear_vp(seat) + awards

    def score(self) -> None:
        """Final scoring and the records of section 8."""
        self.phase = "over"
        awards = self.awards()
        final = [self.score_now(seat) for seat in range(self.players)]
        # SC-END-06: VP, then fame, then cards in hand, then shared
        standing = [
            (final[number], seat.fame, seat.cards) for number, seat in enumerate(self.seats)
        ]
        winners = _best(standing)
        if len(winners) > 1:
            tie_level = 3
        else:
            beaten = [standing[seat] for seat in range(self.players) if seat not in winners]
            won = standing[winners[0]]
            same_vp = [other for other in beaten if other[0] == won[0]]
            tie_level = 0 if not same_vp else 2 if any(o[1] == won[1] for o in same_vp) else 1
        bare = [
            (final[number] - sum(award[number] for award in awards.values()), seat.fame, seat.cards)
            for number, seat in enumerate(self.seats)
        ]
        ranked = sorted(final, reverse=True)
        games = self.games
        game = {
            **games,
            "n": self.players,
            "board": self.rules["board"]["name"],
            "weather": list(self.weather),
            "style_end": dict(self.style),
            "winner_seats": winners,
            "win_k": len(winners),
            "tie_level": tie_level,
            "margin": ranked[0] - ranked[1],
            "spread": ranked[0] - ranked[-1],
            "asked": self.asked,
            "forced": self.forced,
            "mean_options": self.options_offered / self.asked if self.asked else 0.0,
            "runs_never_skied": sum(games.get("ski_" + run, 0) == 0 for run in self.runs),
            "runs_topped": sum(bool(stack) for stack in self.stacks.values()),
            "winner_no_awards": _best(bare),
        }
        for run, stack in self.stacks.items():
            game["top_" + run] = stack[-1] if stack else -1
            game.setdefault("ski_" + run, 0)
        seats = []
        for number, seat in enumerate(self.seats):
            seats.append(
                {
                    **seat.tally,
                    "seat": number,
                    "win_share": 1 / len(winners) if number in winners else 0.0,
                    "rank": _mean_rank(standing, number),
                    "vp_final": final[number],
                    "vp_fame": seat.fame // self.rules["fame"]["per_vp"],
                    "vp_gear": self.gear_vp(number),
                    "vp_aw_easy": awards["easy"][number],
                    "vp_aw_adv": awards["advanced"][number],
                    "vp_aw_exp": awards["expert"][number],
                    "vp_aw_total": awards["total"][number],
                    "fame_left": seat.fame,
                    "cards_left": seat.cards,
                    "tops_easy": self.tops("easy")[number],
                    "tops_adv": self.tops("advanced")[number],
                    "tops_exp": self.tops("expert")[number],
                }
            )
        self.result = {"game": game, "seats": [defaultdict(int, seat) for seat in seats]}


def _best(standing: list[tuple[int, int, int]]) -> list[int]:
    """Seats with the best standing."""
    return [seat for seat, mine in enumerate(standing) if mine == max(standing)]


def _mean_rank(standing: list[tuple[int, int, int]], number: int) -> float:
    """Rank from 1; ties share the mean rank."""
    better = sum(other > standing[number] for other in standing)
    same = sum(other == standing[number] for other in standing)
    return better + (same + 1) / 2
