"""Keys of the rules of Skull Canyon: Ski Fest: names, types, ranges, meanings. No game numbers.

The numbers stand in rules.toml and components/*.toml. A range is what the engine can play (sizes in
``state``), not what is sensible; checks across keys are in ``checks``. Source: specification,
sections 2 and 5.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, create_model

from simulate.games.skull_canyon import state

_MOST_LETTERS = 32  # of a run's name: four numbers of eight letters
_MOST_TURNS = 10
_MOST_ACTIONS = 6
_MOST_HAND = 20
_MOST_CARDS = 20
_MOST_VP = 100
_MOST_FAME = 100
_MOST_TOKENS = 100
_MOST_MARKERS = 30
_MOST_COPIES = 8


def _about(text: str, **limits: Any) -> Any:
    """A field with its meaning and limits."""
    return Field(description=text, **limits)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Word = Annotated[str, Field(min_length=1, max_length=_MOST_LETTERS)]
Ident = Annotated[
    str,
    Field(
        min_length=1,
        max_length=_MOST_LETTERS,
        pattern="^[A-Za-z0-9_-]+$",
        json_schema_extra={"allowed": "a name of letters, digits, _ and -"},
    ),
]
Face = Literal["sunny", "icy", "snowy"]
Place = Literal["hot_tub", "yodeling", "happy_hour", "ski_swap", "let_it_ride", "hotel"]
PLACE_NAMES: tuple[str, ...] = (
    "hot_tub", "yodeling", "happy_hour", "ski_swap", "let_it_ride", "hotel",
)  # fmt: skip
Ability = Literal[state.ABILITIES]  # type: ignore[valid-type]
Count = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]
Marker = Annotated[int, Field(ge=0, le=_MOST_MARKERS)]
Slots = dict[
    Literal["2", "3", "4"],
    Annotated[int, Field(ge=0, le=state.MAX_SEATS, description="slots of each place")],
]
Words5 = Annotated[list[Ident], Field(min_length=state.STYLES, max_length=state.STYLES)]
Words3 = Annotated[list[Ident], Field(min_length=state.COLOURS, max_length=state.COLOURS)]


# ------------------------------------------------------------------------------- rules.toml
class Players(_Table):
    """Table ``players``."""

    counts: Annotated[
        list[Annotated[int, Field(ge=2, le=state.MAX_SEATS)]],
        Field(min_length=1, max_length=state.MAX_SEATS - 1),
    ] = _about("numbers of players that the box allows")


class Game(_Table):
    """Table ``game``."""

    days: int = _about("days of the game", ge=2, le=state.MAX_DAYS)
    daylight_start: int = _about("turns per player per day", ge=1, le=_MOST_TURNS)
    actions_per_turn: int = _about("actions per turn", ge=1, le=_MOST_ACTIONS)


class Setup(_Table):
    """Table ``setup``."""

    hand: int = _about("slope cards of the starting hand", ge=0, le=_MOST_HAND)
    row: int = _about("face-up slope cards", ge=1, le=state.MAX_ROW)


class Row(_Table):
    """Table ``row``."""

    yeti_reset: int = _about("Yetis in the row that reset it", ge=1, le=state.MAX_ROW + 1)


class Train(_Table):
    """Table ``train``."""

    cards: int = _about("cards of a Train action", ge=1, le=_MOST_CARDS)


class DeckSet(_Table):
    """A table of ``deck.sets``."""

    copies_per_pair: int = _about("cards of each colour and style", ge=0, le=_MOST_CARDS)
    yetis: int = _about("Yeti cards", ge=0, le=state.MAX_DECK)


class Deck(_Table):
    """Table ``deck``."""

    colours: Words3 = _about("colours of the slope cards")
    styles: Words5 = _about("styles of the slope cards")
    size: int = _about("slope cards in the box", ge=1, le=state.MAX_DECK)
    set: Ident = _about("which split of the slope cards is played")
    copies_per_pair: Annotated[int, Field(ge=0, le=_MOST_CARDS)] | Literal["set"] = _about(
        "cards of each colour and style; set: as deck.set says"
    )
    yetis: Annotated[int, Field(ge=0, le=state.MAX_DECK)] | Literal["set"] = _about(
        "Yeti cards; set: as deck.set says"
    )
    custom: list[Annotated[int, Field(ge=0, le=state.MAX_DECK)]] = _about(
        "cards of each of the 16 types instead of a set; empty: the set"
    )
    sets: dict[Word, DeckSet]


class Run(_Table):
    """A table of ``run``: one difficulty."""

    cards: int = _about("cards of the smallest set", ge=1, le=_MOST_CARDS)
    vp: int = _about("victory points", ge=0, le=_MOST_VP)
    fame: int = _about("base fame", ge=0, le=_MOST_FAME)


class Runs(_Table):
    """Table ``run``."""

    easy: Run
    advanced: Run
    expert: Run


class Bonus(_Table):
    """Table ``bonus``."""

    style_factor: int = _about("what a doubling makes of base fame", ge=1, le=10)
    waning: int = _about("fame of the waning daylight bonus", ge=0, le=_MOST_FAME)
    waning_tracker: int = _about("tracker value that pays it", ge=0, le=_MOST_TURNS)


class Steal(_Table):
    """Table ``steal``."""

    per_marker: int = _about("extra cards for each marker on the run", ge=0, le=_MOST_CARDS)


class Yeti(_Table):
    """Table ``yeti``."""

    move_if_exactly: int = _about("Yeti cards of a set that moves the Yeti", ge=0, le=_MOST_CARDS)
    avalanche_from: int = _about("Yeti cards of a set from which an avalanche starts", ge=1,
                                 le=_MOST_CARDS)  # fmt: skip


class Fame(_Table):
    """Table ``fame``."""

    per_vp: int = _about("leftover fame for one victory point", ge=1, le=_MOST_FAME)


class Token(_Table):
    """Table ``token``."""

    fame: Literal["unlimited"] = _about("fame tokens in the supply")
    explosives: Count = _about("explosive tokens in the supply")
    tickets: Count = _about("lift ticket tokens in the supply")
    claim_markers: Annotated[int, Field(ge=0, le=64)] | Literal["unlimited"] = _about(
        "claim markers of each player"
    )


class Faces(_Table):
    """Table ``weather.faces``."""

    sunny: Marker = _about("sunny markers")
    icy: Marker = _about("icy markers")
    snowy: Marker = _about("snowy markers")


class Draw(_Table):
    """Table ``weather.draw``."""

    sunny: int = _about("cards drawn at the Hotel before a sunny day", ge=0, le=_MOST_CARDS)
    icy: int = _about("cards drawn at the Hotel before an icy day", ge=0, le=_MOST_CARDS)
    snowy: int = _about("cards drawn at the Hotel before a snowy day", ge=0, le=_MOST_CARDS)


class Lodge(_Table):
    """Table ``weather.lodge``."""

    sunny: Literal["L1", "any"] = _about("where a sunny day starts")
    icy: Literal["L1", "any"] = _about("where an icy day starts")
    snowy: Literal["L1", "any"] = _about("where a snowy day starts")


class Weather(_Table):
    """Table ``weather``."""

    first: Face = _about("face of day I")
    force: Annotated[list[Face], Field(max_length=state.MAX_DAYS)] = _about(
        "faces of the days from I on; empty: drawn"
    )
    faces: Faces
    draw: Draw
    lodge: Lodge


class Style(_Table):
    """Table ``style``."""

    markers: Annotated[list[Marker], Field(min_length=state.STYLES, max_length=state.STYLES)] = (
        _about("style markers of each style")
    )


class _Cost(_Table):
    cards: int = _about("slope cards to pay", ge=0, le=state.MAX_PAID)
    fame: int = _about("fame to pay", ge=0, le=_MOST_FAME)


class HotTub(_Cost):
    """Table ``village.hot_tub``."""

    gain_fame: int = _about("fame gained", ge=0, le=_MOST_FAME)


class Yodeling(_Cost):
    """Table ``village.yodeling``."""

    gain_explosives: int = _about("explosives gained", ge=0, le=_MOST_CARDS)


class HappyHour(_Cost):
    """Table ``village.happy_hour``."""

    take: int = _about("cards to take", ge=0, le=_MOST_CARDS)
    yeti_counts: int = _about("cards that a face-up Yeti counts as", ge=1, le=_MOST_CARDS)


class SkiSwap(_Cost):
    """Table ``village.ski_swap``."""

    gain_tickets: int = _about("lift tickets gained", ge=0, le=_MOST_CARDS)


class LetItRide(_Cost):
    """Table ``village.let_it_ride``."""

    show: int = _about("cards shown and kept", ge=0, le=_MOST_CARDS)
    more: int = _about("cards more if none shown has the colour", ge=0, le=_MOST_CARDS)


class Village(_Table):
    """Table ``village``."""

    order: Annotated[
        list[Place], Field(min_length=state.PLACES + 1, max_length=state.PLACES + 1)
    ] = _about("places of the village path, left to right")
    slots: Ident = _about("which table of slots is played")
    slot_sets: dict[Word, Slots] = _about("slots of each place by number of players")
    hot_tub: HotTub
    yodeling: Yodeling
    happy_hour: HappyHour
    ski_swap: SkiSwap
    let_it_ride: LetItRide


class Award(_Table):
    """Table ``award``."""

    easy: int = _about("VP for most easy runs", ge=0, le=_MOST_VP)
    advanced: int = _about("VP for most advanced runs", ge=0, le=_MOST_VP)
    expert: int = _about("VP for most expert runs", ge=0, le=_MOST_VP)
    total: int = _about("VP for most runs", ge=0, le=_MOST_VP)


# ------------------------------------------------------------------------------- switches
def _switch(name: str, values: tuple[str, ...]) -> Any:
    """The type of a switch: true or false, one of its words, or player counts."""
    if name == "yodel_supply_players":
        return Annotated[
            list[Annotated[int, Field(ge=2, le=state.MAX_SEATS)]],
            Field(
                max_length=state.MAX_SEATS - 1,
                json_schema_extra={"allowed": "[2, 3] or [2]", "enum": [[2, 3], [2]]},
            ),
        ]
    return StrictBool if values == ("false", "true") else Literal[values]


_SWITCH_TEXTS = {
    "yeti_clear_own_run": "a blocked run may be skied with a set of exactly one Yeti",
    "own_stack_surcharge": "covering an own marker takes a card more for each marker",
    "night_goggles_day3": "Night Goggles work on the last day",
    "night_goggles_as_turn": "Night Goggles give a short turn instead of one action",
    "let_it_ride_yeti_matches": "a Yeti matches the colour named at Let It Ride",
    "journal_happy_hour": "what Field Journal does at Happy Hour",
    "journal_train": "what Field Journal does in a Train",
    "reshuffle": "when the discards become a new deck",
    "claim_optional": "which claims may be declined",
    "camera_doubles": "what the Sno-Pro Camera doubles",
    "boots_doubled": "a doubling doubles Blazing Boots too",
    "ramp_yeti_counts": "Yetis of a Ramp pair count as Yetis played",
    "poles_through_yeti": "Ski Poles may go up the run that the Yeti is on",
    "tent_before_slides": "the Emergency Tent pays before the slides",
    "night_goggles_slide_bonus": "slides by night earn the waning daylight bonus",
    "happy_hour_exact": "Happy Hour must be used as far as cards allow",
    "award_zero": "what becomes of an award that nobody earned",
    "yodel_supply_players": "numbers of players that may swap with the supply",
    "avalanche_order": "who slides first",
}

Switches = create_model(  # type: ignore[call-overload]
    "Switches",
    __base__=_Table,
    __doc__="Table ``rules``: readings of what the rulebook leaves open (state.SWITCHES).",
    **{
        name: (_switch(name, values), _about(_SWITCH_TEXTS[name]))
        for name, values in state.SWITCHES.items()
    },
)


# ------------------------------------------------------------------------------- components
class GearCard(_Table):
    """A kind of gear."""

    name: Word = _about("printed name")
    cost: int = _about("price in fame", ge=0, le=_MOST_FAME)
    vp: int = _about("victory points at the end", ge=0, le=_MOST_VP)
    copies: int = _about("cards of the kind in the deck", ge=0, le=_MOST_COPIES)
    buyable: StrictBool = _about("it can be bought")
    ability: Ability = _about("what it does")


class Gear(_Table):
    """Table ``gear``."""

    set: Ident = _about("which cards the gear deck has")
    row: int = _about("face-up gear cards", ge=1, le=state.MAX_GEAR_ROW)
    per_hotel: int = _about("purchases at the Hotel", ge=0, le=state.MAX_GEAR_ROW)
    renew_after: Annotated[
        list[Annotated[int, Field(ge=1, le=state.MAX_DAYS)]], Field(max_length=state.MAX_DAYS)
    ] = _about("days after which the gear row is renewed")
    deck_size: int = _about("gear cards in the box", ge=1, le=state.MAX_GEAR_DECK)
    sets: dict[
        Word,
        Annotated[
            list[Ident],
            Field(
                min_length=1, max_length=state.MAX_GEAR, description="ids of the cards of the deck"
            ),
        ],
    ] = _about("gear decks: ids of their cards")
    cards: dict[Word, GearCard]


class BoardChoice(_Table):
    """Table ``board``."""

    layout: Word = _about("by_players, or the one board that is played on")
    for_2: Word = _about("board for 2 players")
    for_34: Word = _about("board for 3 and 4 players")
    heights: Literal["level", "drawn"] = _about("which heights of the nodes count")


Height = Annotated[float, Field(ge=0, le=1000, description="height of the node")]


class Board(_Table):
    """A board."""

    players: Annotated[
        list[Annotated[int, Field(ge=2, le=state.MAX_SEATS)]],
        Field(min_length=1, max_length=state.MAX_SEATS - 1),
    ] = _about("numbers of players that it is for")
    nodes: dict[str, Height] = _about("height of each node")
    drawn: dict[str, Height] | None = Field(
        default=None, description='heights for board.heights = "drawn"'
    )
    lifts: Annotated[
        list[
            Annotated[str, Field(json_schema_extra={"allowed": 'a lift "bottom>top", as "L1>W1"'})]
        ],
        Field(max_length=state.MAX_LIFTS),
    ] = _about("lifts")
    runs: Annotated[
        list[
            Annotated[
                str,
                Field(
                    json_schema_extra={
                        "allowed": 'a run "id, name, e, top, bottom, style space, no-Yeti icon"'
                    }
                ),
            ]
        ],
        Field(max_length=state.MAX_RUNS),
    ] = _about("runs")


class Rules(_Table):
    """All rules of the game."""

    players: Players
    game: Game
    setup: Setup
    row: Row
    train: Train
    deck: Deck
    run: Runs
    bonus: Bonus
    steal: Steal
    yeti: Yeti
    fame: Fame
    token: Token
    weather: Weather
    style: Style
    village: Village
    award: Award
    rules: Switches  # type: ignore[valid-type]
    gear: Gear
    board: BoardChoice
    boards: dict[Word, Board]
