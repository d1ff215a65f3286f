"""What is changed in each game, what belongs to its records, and which games are played again."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

TESTS = Path(__file__).parents[1]
Hooks = list[dict[str, int]]  # by seat: what an experiment forces or grants


@dataclass(frozen=True)
class Setting:
    """One game to record: its rules, its players, what is forced or granted."""

    told: str
    overrides: Any
    players: int
    hooks: Hooks
    begun: Callable[[], tuple[Any, ...]] | None = None  # state, rules, scratch of a game under way


@dataclass(frozen=True)
class Subject:
    """A game under change."""

    game: str
    modules: tuple[str, ...]  # the files of its rules
    checks: tuple[str, ...]  # test files whose functions are probes, too
    watched: frozenset[str]  # files that the longer checks are about
    position: tuple[str, ...]  # fields of STATE that are compared at every question
    settings: Callable[[int], Iterator[Setting]]
    records: Records

    @property
    def tests(self) -> Path:
        """Folder of the game's tests."""
        return TESTS / "games" / self.game


@dataclass(frozen=True)
class Records:
    """What holds records of what happened: nothing in the rules reads it."""

    fields: frozenset[str]
    names: frozenset[str]  # local names of rows
    functions: frozenset[str]


def module_of(game: str, name: str) -> ModuleType:
    """A test file of a game as a module."""
    told = f"{game}_{name}"
    if told not in sys.modules:
        spec = importlib.util.spec_from_file_location(told, TESTS / "games" / game / f"{name}.py")
        assert spec is not None and spec.loader is not None
        sys.modules[told] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[told]


def _hooks(coin: random.Random, number: int, pool: list[dict[str, int]]) -> Hooks:
    """What every second game forces or grants, by seat."""
    if number % 2 == 0:
        return [{} for _ in pool]
    coin.shuffle(pool)
    return pool


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# ------------------------------------------------------------------------------- biathlon
LAYOUTS = ("mini_one", "mini_one", "starter", "hilly_short")


def _biathlon(count: int) -> Iterator[Setting]:
    twin = module_of("biathlon", "test_twin")
    for number in range(count):
        coin = random.Random(number)
        overrides = twin._overrides(coin, switches=number % 2 > 0)
        overrides[0] = f"course.layout={LAYOUTS[number % len(LAYOUTS)]}"
        pool: list[dict[str, int]] = [
            {"no_draft": 1, "stamina_delta": 1},
            {"no_slide": 1, "free_entry": 1, "stamina_delta": -2},
            {"no_sprint": 1, "hit_range": -1},
            {"token_block": 7, "hit_range": 1, "sprint_when_followed": 1},
            {"wax_from_round": 5, "no_own_draft": 1, "dice_shift": 1, "shot_shift": 1},
        ]
        players = (3, 4, 2, 5, 4)[number % 5]
        yield Setting(overrides[0], overrides, players, _hooks(coin, number, pool))


BIATHLON = Subject(
    game="biathlon",
    modules=(
        "columns", "downhill", "drafting", "ending", "engine", "legal", "movement", "preparation",
        "routes", "setup", "shooting", "stamina", "turn", "wax",
    ),
    checks=("test_setup", "test_records"),
    watched=_words("setup.py ending.py turn.py engine.py legal.py"),
    position=(
        "status", "row", "lane", "penalty", "cols", "stars", "sprint", "stamina", "left", "right",
        "slots", "shots_made", "miss", "owed", "nation",
    ),
    settings=_biathlon,
    records=Records(
        fields=_words(
            "tally game_rows seat_rows turn asked forced options_total led deficit lead_since "
            "last_change_round leader_now"
        ),
        names=_words("row record game game_row seat_rows tally total"),
        functions=_words(
            "note_uphill note_entry note_gaps note_round_end note_leader spread race_standing "
            "count_step uphill_loss _finish_game _finish_seat hit_chance begin_race"
        ),
    ),
)  # fmt: skip


# ------------------------------------------------------------------------------- Skull Canyon
# What only a study changes: days, decks that run out, dear places, few tokens.
STUDIES: tuple[dict[str, Any], ...] = (
    {"game.days": 4, "gear.renew_after": [1, 3]},
    {"deck.copies_per_pair": 2, "deck.yetis": 6},
    {"game.days": 2, "gear.per_hotel": 2, "village.hot_tub.cards": 2, "setup.row": 6},
    {"deck.copies_per_pair": 5, "deck.yetis": 15, "row.yeti_reset": 2},
    {"token.explosives": 1, "token.tickets": 1, "token.claim_markers": 2},
)


def _skull_canyon(count: int) -> Iterator[Setting]:
    twin = module_of("skull_canyon", "test_twin")
    for number in range(count):
        coin = random.Random(number)
        players = (3, 4, 2)[number % 3]
        overrides = twin.overrides_of(coin, players, switches=number % 2 > 0)
        overrides |= STUDIES[number % len(STUDIES)]
        pools: list[list[dict[str, int]]] = [
            [
                {"gear_gift": 16, "gift_day": 1, "fame_gift": 4, "no_steal": 1},
                {"vp_gift": 5, "price_shift": -8, "gear_ban": 2, "closed_place": 2},
                {"gear_gift": 9, "gift_day": 1, "slide_cancelled": -1, "track_first": 1},
                {"price_shift": -8, "closed_place": 1, "closed_evening": 1, "slide_cancelled": 1},
            ],
            [
                {"gear_gift": 1, "gear_off": 2, "price_shift": -8, "gear_offer": 7},
                {"gear_gift": 10, "gift_day": 1, "gear_ban": 1, "no_pass": 1, "track_random": 1},
                {"gear_gift": 11, "gift_day": 1, "slide_cancelled": 2, "no_steal": 1},
                {"price_shift": 1, "closed_place": 3, "closed_evening": 2, "weather_two": 3},
            ],
        ]
        hooks = _hooks(coin, number, pools[number // 2 % 2])
        yield Setting(f"variant {number}", overrides, players, hooks)


SKULL_CANYON = Subject(
    game="skull_canyon",
    modules=(
        "actions", "avalanche", "cards", "claims", "days", "engine", "fame", "gear", "hotel",
        "legal", "lifts", "places", "scoring", "sets", "setup", "skiing", "train", "village",
        "yeti",
    ),
    checks=("test_positions", "test_records", "test_hooks"),
    watched=_words(
        "actions.py avalanche.py cards.py claims.py days.py engine.py fame.py gear.py hotel.py "
        "legal.py lifts.py places.py scoring.py sets.py setup.py skiing.py train.py village.py "
        "yeti.py"
    ),
    position=(
        "node", "vp", "fame", "hand", "markers", "explosives", "tickets", "owned", "position",
        "day", "tracker", "first", "yeti", "slots", "discards", "style", "supply", "stack_n",
        "gear_row", "weather", "stage", "active", "actions", "cards", "known", "deck_n",
        "gear_deck_n", "gear_out", "explosives_left", "tickets_left", "track", "tops",
    ),
    settings=_skull_canyon,
    records=Records(
        fields=_words(
            "tally game_rows seat_rows turn asked forced options_total leader min_deck avalanches"
        ),
        names=_words("row game game_row seat_rows tally record"),
        functions=_words(
            "note_gloves note_gear_row note_use note_offer note_bling note_blocked note_journal "
            "note_full note_turn_end note_day_end tell_setup tell_order _finish_game _finish_runs "
            "_finish_margins _finish_seat wins_without_awards"
        ),
    ),
)  # fmt: skip


# ------------------------------------------------------------------------------- Pistengaudi
ODD_POSITIONS = range(120)  # as many as the twin follows in the tests


def _pistengaudi(count: int) -> Iterator[Setting]:
    twin, strewn = module_of("pistengaudi", "test_twin"), module_of("pistengaudi", "strewn")
    for number in ODD_POSITIONS:
        case = strewn.case_of(number)
        begun = partial(strewn.begun, case)
        yield Setting(f"position {number}", case["rules"], case["players"], [], begun)
    for number in range(count):
        players = 2 + number % 5
        pool: list[dict[str, int]] = [
            {"step_down_round": 2, "no_take": 1},
            {"mute_throws": 50, "no_forgo": 1},
            {"mute_groomer": 50},
            {"soft_falls": 50},
            {"random_signs": 1},
            {"mute_throws": 100, "mute_groomer": 100, "soft_falls": 100},
        ]
        yield Setting(
            f"variant {number}",
            twin.overrides_of(number, players),
            players,
            _hooks(random.Random(number), number, pool),
        )


PISTENGAUDI = Subject(
    game="pistengaudi",
    modules=(
        "drawing", "effects", "empty", "ending", "engine", "forest", "legal", "movement", "placing",
        "riding", "setup", "slope", "steps", "turn",
    ),
    checks=("test_records", "test_flights"),
    watched=_words(
        "drawing.py effects.py empty.py ending.py engine.py legal.py movement.py riding.py turn.py"
    ),
    position=(
        "cell", "area", "arrival", "lying", "hand", "aside", "n_stack", "card_cell", "turned",
        "final", "round", "seat", "side", "lifted_cell",
    ),
    settings=_pistengaudi,
    records=Records(
        fields=_words(
            "tally game_rows seat_rows turn asked forced progress sole_leader last_leader "
            "spread_sum vetoed stranded attacker"
        ),
        names=_words("row game game_row seat_rows tally record"),
        functions=_words(
            "note_trigger note_question note_drawn note_placed note_vetoes note_start note_fall "
            "note_landing note_step note_round_end note_stranded note_forecast tell_setup "
            "_finish_game _finish_slope _finish_seat _finish_tally"
        ),
    ),
)  # fmt: skip

SUBJECTS = {one.game: one for one in (BIATHLON, SKULL_CANYON, PISTENGAUDI)}
