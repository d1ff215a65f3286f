"""Keys of the rules of Pistengaudi: names, types, ranges, meanings. No numbers of the game.

The numbers stand in rules.toml and components/*.toml. A range is what the engine can play (sizes in
``state``), not what is sensible; checks across keys are in ``checks``. Source: specification,
sections 2 and 5.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, create_model

from simulate.games.pistengaudi import state

_MOST_SECONDS = 3600
_MOST_LETTERS = 80  # of a name
_MOST_CELLS_PER_CARD = 3
SWITCH_TABLES = tuple(dict.fromkeys(key.split(".")[0] for key in state.SWITCHES))


def _about(text: str, **limits: Any) -> Any:
    """A field with its meaning and limits."""
    return Field(description=text, **limits)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Word = Annotated[str, Field(min_length=1, max_length=_MOST_LETTERS)]
CardNumber = Annotated[int, Field(ge=1, le=state.MAX_SLOPE_CARDS)]
CardNumbers = Annotated[
    list[CardNumber],
    Field(
        max_length=state.MAX_SLOPE_CARDS,
        json_schema_extra={
            "allowed": f"numbers of slope cards, 1 to {state.MAX_SLOPE_CARDS} from the lift, as [3, 4]"
        },
    ),
]
Card = Annotated[
    str,
    Field(
        pattern="^([PHSG][123]|J|F)/([PHSG][123]|J|F)$",
        json_schema_extra={
            "allowed": "cards as A/B, each half one of P1-P3, H1-H3, S1-S3, G1-G3, J, F"
        },
    ),
]
Cards = Annotated[list[Card], Field(min_length=1, max_length=state.MAX_CARDS)]
PerTurn = Annotated[int, Field(ge=1, le=state.MAX_HAND)]
Steps = Annotated[int, Field(ge=1, le=state.MAX_SIGN)]


class Players(_Table):
    """Table ``players``."""

    min: int = _about("fewest players", ge=2, le=state.MAX_SEATS)
    max: int = _about("most players", ge=2, le=state.MAX_SEATS)


CardsPerTurn = create_model(  # type: ignore[call-overload]
    "CardsPerTurn",
    __base__=_Table,
    __doc__="Table ``draw.cards_per_turn``: cards of a turn by number of players.",
    **{
        str(number): (PerTurn, _about(f"cards drawn in a turn of {number} players"))
        for number in range(2, state.MAX_SEATS + 1)
    },
)


class Draw(_Table):
    """Table ``draw``."""

    cards_per_turn: CardsPerTurn  # type: ignore[valid-type]
    reveal: Literal["both_first", "one_by_one"] = _about(
        "all cards of a turn are seen before the first is placed, or one after the other"
    )
    unplaceable: Literal["under_stack", "out_of_game"] = _about(
        "where a card goes that has no legal place"
    )


class DeckSet(_Table):
    """A deck."""

    cards: Cards = _about("its cards, each with two halves")


class Deck(_Table):
    """Table ``deck``."""

    name: Word = _about("the set of deck.sets that is played with")
    size: int = _about("cards of the deck", ge=1, le=state.MAX_CARDS)
    sets: dict[Word, DeckSet]


class Signs(_Table):
    """Table ``signs``."""

    blue: Steps = _about("steps of a blue sign")
    red: Steps = _about("steps of a red sign")
    black: Steps = _about("steps of a black sign")


class Lift(_Table):
    """Table ``lift``."""

    start_speed: Steps = _about("steps of a move that starts on the lift")
    exits: Annotated[list[Literal["left", "right", "down"]], Field(min_length=1, max_length=3)] = (
        _about("arrows of the lift that the first card may be laid at")
    )
    reenter: StrictBool = _about("the start cell can be ridden onto again")


class Slope(_Table):
    """Table ``slope``."""

    cards: int = _about("slope cards between lift and goal", ge=1, le=state.MAX_SLOPE_CARDS)
    cells_per_card: int = _about("rows that a slope card covers", ge=1, le=_MOST_CELLS_PER_CARD)
    forest: Word | CardNumbers = Field(
        description="slope cards that lie forest side up",
        json_schema_extra={
            "allowed": "the name of a set-up, or numbers of slope cards, 1 to "
            f"{state.MAX_SLOPE_CARDS} from the lift, as [3, 4]"
        },
    )
    forest_cover: StrictBool = _about("slope cards on the forest side may be built over")


class Goal(_Table):
    """Table ``goal``."""

    areas: int = _about("areas of the goal card", ge=1, le=state.MAX_AREAS)
    side_entry: Literal["both", "upper", "both_deep"] = _about(
        "entry from the side: beside both spaces, beside the upper one alone, or beside both with"
        " area 2 beside the lower one"
    )
    overrun: Literal["forced", "choice"] = _about(
        "steps left inside the goal are all used, or as many as one likes"
    )


class Board(_Table):
    """Table ``board``."""

    half_width: int = _about("columns of the table on each side", ge=1, le=state.HALF_WIDTH)
    lower_limit: Literal["goal_card", "none"] = _about("where the table ends below")


class Report(_Table):
    """Table ``report``."""

    seconds_per_turn: float = _about(
        "seconds per turn, for estimated minutes only", gt=0, le=_MOST_SECONDS
    )


class Limits(_Table):
    """Table ``limits``."""

    max_rounds: int = _about("a game is stopped after this round", ge=1, le=state.MAX_ROUNDS)


class Layout(_Table):
    """A forest set-up."""

    cards: CardNumbers = _about("slope cards that lie forest side up, counted from the lift")


def _switch(values: tuple[str, ...]) -> Any:
    return StrictBool if values == ("false", "true") else Literal[values]


_SWITCH_TEXTS = {
    "move.full_path": "a path that uses all steps must be taken, or any dead end may be",
    "move.reversal": "left and right may not follow each other until a step down, or all turn",
    "move.fall_choice": "a fall may be at any dead end, or only where the most steps are used",
    "move.no_step": "without any legal step the figure falls, or stays upright",
    "jump.turn": "a ski jump is flown over straight, or may be left in any direction",
    "effects.on_stand_up": "standing up triggers the effect of the space",
    "snowball.optional": "a throw may be passed",
    "snowball.fallen_target": "lying figures may be hit",
    "snowball.goal_target": "figures in the goal may be hit, without effect",
    "snowball.self_target": "the own figure may be hit",
    "groomer.optional": "a groomer move may be passed",
    "groomer.self_target": "the own figure may be moved",
    "forest.scope": "the forest rule tests cards with forest, or all cards",
    "forest.way_out": "a way out leads to the goal, or is one step",
    "forest.cause": "the card is judged as a whole, or its forest alone",
    "placement.anchor": "a card may border any space in play, or none of forest",
    "empty.forgo": "forgoing needs a route to the goal, or is free",
    "empty.occupied": "occupied cards are passed over, or bar the rows below",
}


def _switch_table(table: str) -> Any:
    """The model of one table of [rules]."""
    keys = [key for key in state.SWITCHES if key.startswith(f"{table}.")]
    return create_model(  # type: ignore[call-overload]
        f"{table.capitalize()}Switches",
        __base__=_Table,
        __doc__=f"Table ``rules.{table}``: readings of what the rulebook leaves open.",
        **{
            key.split(".")[1]: (_switch(state.SWITCHES[key]), _about(_SWITCH_TEXTS[key]))
            for key in keys
        },
    )


Switches = create_model(  # type: ignore[call-overload]
    "Switches",
    __base__=_Table,
    __doc__="Table ``rules``: readings of what the rulebook leaves open (state.SWITCHES).",
    **{table: (_switch_table(table), ...) for table in SWITCH_TABLES},
)


class Rules(_Table):
    """All rules of the game."""

    players: Players
    draw: Draw
    deck: Deck
    signs: Signs
    lift: Lift
    slope: Slope
    goal: Goal
    board: Board
    report: Report
    limits: Limits
    rules: Switches  # type: ignore[valid-type]
    layouts: dict[Word, Layout]
