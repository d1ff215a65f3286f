"""Keys of the rules of Ski Tour: Biathlon: names, types, ranges, meanings. No numbers of the game.

The numbers stand in rules.toml and components/*.toml. A range is what the engine can play (sizes in
``state``), not what is sensible; checks across keys are in ``checks``. Source: specification,
sections 2 and 5.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, create_model

from simulate.games.biathlon import state

_MOST_FACE = 6
_MOST_TILES = 80
# What is playable, beyond the sizes in state: generous, so that no sensible rule is refused.
_MOST_SIDES = 20
_MOST_COLUMN_CAP = state.MAX_DICE
_MOST_ROUNDS = 10_000
_MOST_LAP = 20
_MOST_SLIDE = 12
_MOST_MINUTES = 60
_MOST_TILE_ROWS = 12
_MOST_LETTERS = 80  # of a name


def _about(text: str, **limits: Any) -> Any:
    """A field with its meaning and limits."""
    return Field(description=text, **limits)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Word = Annotated[str, Field(min_length=1, max_length=_MOST_LETTERS)]
ColourColumn = Annotated[
    str,
    Field(
        min_length=2,
        max_length=state.MAX_LEVELS,
        pattern="^[A-Z]+$",
        json_schema_extra={"allowed": "colours top to bottom by first letter, as in GYRB"},
    ),
]
TokenNumber = Annotated[int, Field(ge=1, le=state.MAX_TOKENS)]
Tokens = Annotated[list[TokenNumber], Field(min_length=1, max_length=state.MAX_DEALT)]
Row = Annotated[
    str,
    Field(
        min_length=1,
        max_length=state.MAX_LANES,
        pattern="^[PFUDWS]+$",
        json_schema_extra={"allowed": "a row of letters P F U D W, one a lane, or S alone"},
    ),
]
Rows = Annotated[list[Row], Field(min_length=1, max_length=state.MAX_ROWS)]
Tiles = Annotated[
    Word | Annotated[list[Word], Field(min_length=1, max_length=state.MAX_ROWS)],
    Field(json_schema_extra={"allowed": 'tiles as letters or kinds, as in "A T S T G"'}),
]
FullAt = Annotated[
    list[Annotated[int, Field(ge=1, le=_MOST_COLUMN_CAP)]],
    Field(min_length=state.COLUMNS, max_length=state.COLUMNS),
]
Icon = Literal["SHOOT", "SPRINT", "FREE", "ROLL1", "ROLLALL", "PLUS", "MINUS", "PAY"]
Branch = Annotated[list[Icon], Field(min_length=1, max_length=state.MAX_ICONS)]


# ------------------------------------------------------------------------------- rules.toml
class Game(_Table):
    """Table ``game``."""

    max_skiers: int = _about("skiers in the box", ge=1, le=state.MAX_SEATS)


class Mode(_Table):
    """Table ``mode``."""

    race: Literal["auto", "short", "long", "short_top"] = _about(
        "length of the race: where the stamina markers start; auto goes by the number of ranges"
    )
    long_from: int = _about("ranges that make a long race", ge=0, le=state.MAX_RANGES + 1)


class RaceDice(_Table):
    """Table ``dice.race``."""

    count: int = _about("race dice per skier", ge=1, le=state.MAX_DICE)
    faces: Annotated[
        list[Annotated[int, Field(ge=1, le=_MOST_FACE)]],
        Field(min_length=_MOST_FACE, max_length=_MOST_FACE),
    ] = _about("printed faces of a race die")


class ShootDice(_Table):
    """Table ``dice.shoot``."""

    order: Annotated[
        list[Annotated[str, Field(min_length=1, pattern="^[a-z]+$")]],
        Field(min_length=state.N_COLOURS, max_length=state.N_COLOURS),
    ] = _about("colours of the shooting dice, best to worst")
    sides: int = _about("sides of a shooting die", ge=1, le=_MOST_SIDES)
    hits: dict[str, Annotated[int, Field(ge=0, le=_MOST_SIDES)]] = _about(
        "hit faces of the shooting die of each colour"
    )


class Dice(_Table):
    """Table ``dice``."""

    race: RaceDice
    shoot: ShootDice


class Board(_Table):
    """Table ``board``."""

    columns: int = _about(
        "dice columns, one for each of the faces 1 to 4", ge=state.COLUMNS, le=state.COLUMNS
    )
    column_cap: int = _about("dice that a column holds", ge=1, le=_MOST_COLUMN_CAP)
    full_at: FullAt = _about("dice that make column 1, 2, 3, 4 full")
    star_cap: int = _about("dice that a star box holds", ge=0, le=1)
    sprint_cap: Annotated[int, Field(ge=0, le=state.MAX_DICE)] | Literal["none"] = _about(
        "dice that the sprint column holds"
    )


class Stamina(_Table):
    """Table ``stamina``."""

    columns: int = _about(
        "stamina columns, one for each target", ge=state.TARGETS, le=state.TARGETS
    )
    levels: int = _about("rows of a stamina column", ge=2, le=state.MAX_LEVELS)
    basic: ColourColumn = _about("colours of every column of a basic board, top to bottom")
    start_top: int = _about(
        "level of the markers at the start: long, short_top", ge=0, le=state.MAX_LEVELS - 1
    )
    start_short: int = _about(
        "level of the markers at the start: short", ge=0, le=state.MAX_LEVELS - 1
    )
    markers: int = _about(
        "stamina markers per skier, one a column", ge=state.TARGETS, le=state.TARGETS
    )


class Markers(_Table):
    """Table ``markers``."""

    hitmiss: int = _about(
        "hit/miss markers per skier, one a target", ge=state.TARGETS, le=state.TARGETS
    )


class Range(_Table):
    """Table ``range``."""

    shots: int = _about("shots per range visit", ge=1, le=state.TARGETS)
    misses_per_lap: int = _about("miss markers removed per penalty lap", ge=1, le=state.TARGETS)
    lap_length: int = _about("steps per penalty lap", ge=1, le=_MOST_LAP)


class Course(_Table):
    """Table ``course``."""

    lanes: int = _about("lanes of the course", ge=1, le=state.MAX_LANES)
    layout: Annotated[
        Word | Annotated[list[Word], Field(min_length=1, max_length=state.MAX_ROWS)],
        Field(
            json_schema_extra={
                "allowed": "the name of a layout, a list of tiles, or a list of rows"
            }
        ),
    ] = _about("the course that is raced on")
    max_tiles: int = _about("tiles in the box", ge=2, le=_MOST_TILES)
    random_tiles: Annotated[int, Field(ge=2, le=_MOST_TILES)] | Literal["any"] = _about(
        "tiles of a random layout, start and goal included"
    )
    random_ranges: Annotated[int, Field(ge=0, le=state.MAX_RANGES)] | Literal["any"] = _about(
        "shooting ranges of a random layout"
    )
    random_tips: StrictBool = _about("random layouts keep the two printed tips")


class Terrain(_Table):
    """Table ``terrain``."""

    slide_steps: int = _about("most steps of a slide", ge=0, le=_MOST_SLIDE)
    slide_free: int = _about("held spaces entered free on a slide", ge=0, le=state.MAX_SEATS)
    uphill_loss: int = _about("steps lost when the turn starts on uphill", ge=0, le=state.MAX_DICE)


class Setup(_Table):
    """Table ``setup``."""

    first: Literal["random", "seat1"] = _about("who gets the First player marker")


class Report(_Table):
    """Table ``report``."""

    min_per_turn: float = _about(
        "minutes per turn, for estimated minutes only", gt=0, le=_MOST_MINUTES
    )


class Sim(_Table):
    """Table ``sim``."""

    max_rounds: int = _about("a game is stopped after this round", ge=1, le=_MOST_ROUNDS)


def _switch(values: tuple[str, ...]) -> Any:
    return StrictBool if values == ("false", "true") else Literal[values]


_SWITCH_TEXTS = {
    "marker_skips_inactive": "the First player marker skips seats that no longer race",
    "blue_on_reroll": "blue markers also remove 5s and 6s of rerolls by wax",
    "empty_extra": "an empty sprint column may be bought to gain sprint",
    "highest_by": "what makes a stamina marker the highest",
    "shoot_pay_pick": "which marker pays on a shooting turn",
    "entry_cost": "stamina to enter a held space: one, or one for each skeeple on it",
    "uphill_order": "the uphill loss is taken from all steps, or from the dice alone",
    "draft_from_shooting_space": "skiers done shooting may draft out of the shooting space",
    "draft_path": "a drafter walks the leader's spaces, or repeats its step codes",
    "draft_extent": "a drafter walks all steps, or any number of them",
    "draft_includes_slide": "the leader's slide is part of what is drafted",
    "slide_after_draft": "a slide may follow a draft",
    "slide_repeat": "a slide may follow a slide",
    "shoot_round": "first shot in the next own turn, or not before the next round",
    "penalty_lane_free": "held penalty-lane spaces are entered free",
    "wax_burn": "a token may be used up without effect",
    "reroll_target": "which shot SHOOT rerolls",
    "full_at_3_scope": "what full at 3 means for placing dice",
    "race_end": "when a race of 3 to 5 players ends",
    "two_player_seating": "seats of the two players' skiers",
    "two_player_end": "what wins the two-player race",
}

Switches = create_model(  # type: ignore[call-overload]
    "Switches",
    __base__=_Table,
    __doc__="Table ``rules``: readings of what the rulebook leaves open (state.SWITCHES).",
    **{
        name: (_switch(values), _about(_SWITCH_TEXTS.get(name, name)))
        for name, values in state.SWITCHES.items()
    },
)


# ------------------------------------------------------------------------------- components
class NationSet(_Table):
    """A table of ``nations.sets``: what it keeps of the advanced boards."""

    colours: StrictBool = _about("advanced boards keep their stamina colours")
    perks: StrictBool = _about("advanced boards keep their perks")


class Nation(_Table):
    """A nation's board."""

    kind: Literal["basic", "advanced"] = _about("front or back of its board")
    board: Word = _about("the board; nations on one board cannot race together")
    stamina: (
        Literal["basic"]
        | Annotated[list[ColourColumn], Field(min_length=state.TARGETS, max_length=state.TARGETS)]
    ) = _about("colours of the five stamina columns, top to bottom; basic: stamina.basic")
    full_at: Literal["board"] | FullAt = _about(
        "dice that make its columns full; board: board.full_at"
    )
    special_box: int = _about(
        "column whose star box is a special box, 0 none", ge=0, le=state.COLUMNS
    )
    printed_wax: Literal["none", "SHOOT"] = _about("wax icon printed on the board")


class Nations(_Table):
    """Table ``nations``: choices, and one table a nation."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Nation]

    set: Literal["assumed", "flat", "stamina_only"] = _about("which advanced boards are raced with")
    use: Literal["basic", "advanced", "mixed"] | Annotated[list[Word], Field(min_length=1)] = (
        _about("which nations may race")
    )
    assign: (
        Literal["drawn", "chosen"]
        | Annotated[list[Word], Field(min_length=1, max_length=state.MAX_SEATS)]
    ) = _about("who races for which nation: drawn, chosen by the seats, or names by seat")
    sets: dict[str, NationSet]

    @property
    def tables(self) -> dict[str, Nation]:
        """Nations by name: basic before advanced, then by board (the order of the vocabulary)."""
        found = self.__pydantic_extra__
        return dict(
            sorted(found.items(), key=lambda one: (one[1].kind != "basic", one[1].board, one[0]))
        )


class Token(_Table):
    """A wax token."""

    branches: Annotated[list[Branch], Field(min_length=1, max_length=state.MAX_BRANCHES)] = _about(
        "icons of each branch; the branches are joined by or"
    )


class Wax(_Table):
    """Table ``wax``."""

    dealt: int = _about("wax tokens per skier", ge=1, le=state.MAX_DEALT)
    slots: int = _about("wax tokens in the race, in a row", ge=0, le=state.MAX_SLOTS)
    per_turn: int = _about("tokens used per turn", ge=0, le=state.MAX_SLOTS)
    set: Word = _about("which set of tokens the boards have")
    loadout: Word | Tokens = Field(
        description="what lies in the slots: chosen by the seats, drawn, or one loadout for all",
        json_schema_extra={"allowed": "chosen, drawn, the name of a loadout, or a list of tokens"},
    )
    token: dict[Word, Token]
    sets: dict[Word, dict[Word, Tokens]] = _about("tokens of a board in a set")


class Tile(_Table):
    """A kind of tile."""

    letter: str = _about("short name in layouts", min_length=1, max_length=1)
    rows: Annotated[Rows, Field(max_length=_MOST_TILE_ROWS)] = _about(
        "rows in race direction, one letter a lane"
    )
    counts_as: Word = _about("kind whose inventory it uses")


class Backs(_Table):
    """Table ``tiles.backs``."""

    front: Word = _about("kind of tile with these backs")
    uphill: int = _about("uphill backs", ge=0, le=state.MAX_ROWS)
    downhill: int = _about("downhill backs", ge=0, le=state.MAX_ROWS)
    corner: int = _about("corner backs", ge=0, le=state.MAX_ROWS)


class TileTable(_Table):
    """Table ``tiles``: the inventory, and one table a kind."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Tile]

    enforce: StrictBool = _about("refuse a layout that needs more tiles than the box holds")
    inventory: Literal["assumed", "double_sided"] = _about("which tiles the box holds")
    count: dict[Word, Annotated[int, Field(ge=0, le=state.MAX_ROWS)]] = _about("tiles of the kind")
    backs: Backs

    @property
    def tables(self) -> dict[str, Tile]:
        """Tiles by kind."""
        return self.__pydantic_extra__


class Layout(_Table):
    """A course: tiles or rows."""

    tiles: Tiles | None = Field(
        default=None,
        description="tiles in race direction, by letter or kind",
        json_schema_extra={"allowed": 'tiles as letters or kinds, as in "A T S T G"'},
    )
    rows: Rows | None = Field(default=None, description="rows in race direction, as in a tile")


class Rules(_Table):
    """All rules of the game."""

    game: Game
    mode: Mode
    dice: Dice
    board: Board
    stamina: Stamina
    markers: Markers
    range: Range
    course: Course
    terrain: Terrain
    setup: Setup
    report: Report
    sim: Sim
    rules: Switches  # type: ignore[valid-type]
    nations: Nations
    wax: Wax
    loadouts: dict[Word, Tokens] = _about("tokens in slots 1, 2, …")
    tiles: TileTable
    layouts: dict[Word, Layout]
