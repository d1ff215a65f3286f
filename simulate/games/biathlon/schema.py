"""What the rules of Ski Tour: Biathlon may be, and how they become one row of RULES.

The models hold names, types and ranges; the numbers stand in rules.toml and components/*.toml. A
range is what the engine can play (sizes in ``state``), not what is sensible. Checks across keys are
in ``problems``. Keys and their meaning: /spec sections 2 and 5.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StrictBool, create_model

from simulate.games.biathlon import layout, state
from simulate.rules import close, show

KEYED = {"wax.token": "number"}
"""Arrays of tables, and the key that names their tables."""

RACES = ("short", "long", "short_top")  # codes of RULES["race"]
RESULTS = ("finished", "all_collapsed", "aborted")
STATUSES = ("racing", "home", "out")
ICONS = ("SHOOT", "SPRINT", "FREE", "ROLL1", "ROLLALL", "PLUS", "MINUS", "PAY")  # codes from 1
NO_WORD = "-"  # a number of a vocabulary that nothing has

_LONG_RANGES = 3  # rulebook, Setup: "Long race, 3 or more shootings"
_MOST_FACE = 6
_MOST_SIDES = 20
_MOST_COLUMN_CAP = state.TARGETS  # main_taken counts columns of 0 to 5 dice
_MOST_ROUNDS = 10_000
_MOST_LAP = 20
_MOST_SLIDE = 12


def _about(text: str, **limits: Any) -> Any:
    """A field with its meaning and limits."""
    return Field(description=text, **limits)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Word = Annotated[str, Field(min_length=1, max_length=80)]
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

    columns: Literal[4] = _about("dice columns, one for each of the faces 1 to 4")
    column_cap: int = _about("dice that a column holds", ge=1, le=_MOST_COLUMN_CAP)
    full_at: FullAt = _about("dice that make column 1, 2, 3, 4 full")
    star_cap: int = _about("dice that a star box holds", ge=0, le=1)
    sprint_cap: Annotated[int, Field(ge=0, le=state.MAX_DICE)] | Literal["none"] = _about(
        "dice that the sprint column holds"
    )


class Stamina(_Table):
    """Table ``stamina``."""

    columns: Literal[5] = _about("stamina columns, one for each target")
    levels: int = _about("rows of a stamina column", ge=2, le=state.MAX_LEVELS)
    basic: ColourColumn = _about("colours of every column of a basic board, top to bottom")
    start_top: int = _about("level of the markers at the start: long, short_top", ge=0, le=state.MAX_LEVELS - 1)
    start_short: int = _about("level of the markers at the start: short", ge=0, le=state.MAX_LEVELS - 1)
    markers: Literal[5] = _about("stamina markers per skier, one a column")


class Markers(_Table):
    """Table ``markers``."""

    hitmiss: Literal[5] = _about("hit/miss markers per skier, one a target")


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
        Field(json_schema_extra={"allowed": "the name of a layout, a list of tiles, or a list of rows"}),
    ] = _about("the course that is raced on")
    max_tiles: int = _about("tiles in the box", ge=2, le=state.MAX_ROWS)
    random_tiles: Annotated[int, Field(ge=2, le=state.MAX_ROWS)] | Literal["any"] = _about(
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

    min_per_turn: float = _about("minutes per turn, for estimated minutes only", gt=0, le=60)


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

Switches = create_model(
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
    full_at: Literal["board"] | FullAt = _about("dice that make its columns full; board: board.full_at")
    special_box: int = _about("column whose star box is a special box, 0 none", ge=0, le=state.COLUMNS)
    printed_wax: Literal["none", "SHOOT"] = _about("wax icon printed on the board")


class Nations(_Table):
    """Table ``nations``: choices, and one table a nation."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Nation]

    set: Literal["assumed", "flat", "stamina_only"] = _about("which advanced boards are raced with")
    use: Literal["basic", "advanced", "mixed"] | Annotated[list[Word], Field(min_length=1)] = _about(
        "which nations may race"
    )
    assign: Literal["drawn", "chosen"] | Annotated[
        list[Word], Field(min_length=1, max_length=state.MAX_SEATS)
    ] = _about("who races for which nation: drawn, chosen by the seats, or names by seat")
    sets: dict[str, NationSet]

    @property
    def tables(self) -> dict[str, Nation]:
        """Nations by name: basic before advanced, then by board (the order of the vocabulary)."""
        found = self.__pydantic_extra__
        return dict(sorted(found.items(), key=lambda one: (one[1].kind != "basic", one[1].board, one[0])))


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
    token: dict[
        Annotated[str, Field(pattern="^[1-9][0-9]?$")],
        Token,
    ]
    sets: dict[Word, dict[Word, Tokens]] = _about("tokens of a board in a set")


class Tile(_Table):
    """A kind of tile."""

    letter: str = _about("short name in layouts", min_length=1, max_length=1)
    rows: Annotated[Rows, Field(max_length=12)] = _about("rows in race direction, one letter a lane")
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


# ------------------------------------------------------------------------------- resolved values
def letters(model: Rules) -> dict[str, int]:
    """First letter of a colour -> rank of its shooting die, 0 the best."""
    return {colour[0].upper(): rank for rank, colour in enumerate(model.dice.shoot.order)}


def stamina_columns(model: Rules, nation: Nation) -> list[str]:
    """Colours of a nation's five columns, top to bottom, under ``nations.set``."""
    keeps = nation.kind == "basic" or model.nations.sets[model.nations.set].colours
    if isinstance(nation.stamina, list) and keeps:
        return list(nation.stamina)
    return [model.stamina.basic] * model.stamina.columns


def perks(model: Rules, nation: Nation) -> tuple[list[int], int, str]:
    """A nation's (full_at of its columns, special box 0 none, printed wax) under ``nations.set``."""
    keeps = nation.kind == "basic" or model.nations.sets[model.nations.set].perks
    own_full = isinstance(nation.full_at, list) and keeps
    full_at = list(nation.full_at) if own_full else list(model.board.full_at)
    return full_at, nation.special_box if keeps else 0, nation.printed_wax if keeps else "none"


def usable_nations(model: Rules) -> list[str]:
    """Names of the nations that may race, in the order of the vocabulary."""
    use = model.nations.use
    if isinstance(use, list):
        return [name for name in model.nations.tables if name in use]
    return [name for name, nation in model.nations.tables.items() if use in ("mixed", nation.kind)]


def race_mode(model: Rules) -> str:
    """``mode.race`` with auto resolved by the number of ranges (BI-SCOPE-04, -05)."""
    if model.mode.race != "auto":
        return model.mode.race
    ranges = layout.course_rows(model).count(layout.SHOOTING)
    return "long" if ranges >= _LONG_RANGES else "short"


def fixed_loadout(model: Rules) -> list[int] | None:
    """Tokens in the slots of all skiers, or None when they are chosen or drawn."""
    told = model.wax.loadout
    if isinstance(told, list):
        return list(told)
    return None if told in ("chosen", "drawn") else list(model.loadouts[told])


def longest_move(model: Rules) -> int:
    """Most steps that one move can have: all dice, and what wax can add in one turn."""
    dice = model.dice.race.count
    cap = dice if model.board.sprint_cap == "none" else min(dice, model.board.sprint_cap)
    gains = [
        branch.count("PLUS") + cap * branch.count("SPRINT")
        for token in model.wax.token.values()
        for branch in token.branches
    ]
    return dice + model.wax.per_turn * max(gains, default=0)


def resolved(model: Rules) -> dict[str, Any]:
    """The rules as plain dict with everything worked out, for an engine that reads no RULES row.

    As ``Rules.data``, and: ``course.rows`` (one string a row: a letter a lane, or "S"), ``wax.tokens``
    {"1": [["SHOOT"]]}, ``wax.sets`` of the chosen set {"b1": [1, …]}, ``wax.loadout`` chosen, drawn or
    a list, ``nations.use`` a list of names, ``nations.table`` {name: {kind, board, stamina, full_at,
    special_box, printed_wax}}, ``mode.race`` long, short or short_top.
    """
    data = model.model_dump(mode="json", exclude_none=True)
    data["course"]["rows"] = layout.course_rows(model)
    data["course"]["name"] = layout.course_name(model)
    data["mode"]["race"] = race_mode(model)
    data["wax"]["tokens"] = {number: token.branches for number, token in model.wax.token.items()}
    del data["wax"]["token"]
    data["wax"]["sets"] = {board: sorted(set_) for board, set_ in model.wax.sets[model.wax.set].items()}
    told = fixed_loadout(model)
    data["wax"]["loadout"] = told if told is not None else model.wax.loadout
    names = {"set", "use", "assign"}
    data["nations"] = {name: value for name, value in data["nations"].items() if name in names}
    data["nations"]["use"] = usable_nations(model)
    data["nations"]["table"] = {
        name: _resolved_nation(model, nation) for name, nation in model.nations.tables.items()
    }
    return data


def _resolved_nation(model: Rules, nation: Nation) -> dict[str, Any]:
    full_at, special_box, printed_wax = perks(model, nation)
    return {
        "kind": nation.kind,
        "board": nation.board,
        "stamina": stamina_columns(model, nation),
        "full_at": full_at,
        "special_box": special_box,
        "printed_wax": printed_wax,
    }


# ------------------------------------------------------------------------------- the record
def record(model: Rules) -> np.ndarray:
    """The rules as one row of state.RULES. Expects a model without ``problems``."""
    row = np.zeros(1, dtype=state.RULES)
    _fill_numbers(row[0], model)
    _fill_course(row[0], layout.course_rows(model), model.course.lanes)
    _fill_nations(row[0], model)
    _fill_wax(row[0], model)
    for name, values in state.SWITCHES.items():
        value = getattr(model.rules, name)
        row[0][name] = values.index(str(value).lower() if isinstance(value, bool) else value)
    return row


def _fill_numbers(row: np.void, model: Rules) -> None:
    race, dice, board = race_mode(model), model.dice, model.board
    row["race"] = RACES.index(race)
    row["race_dice"] = dice.race.count
    row["race_faces"] = dice.race.faces
    row["shoot_sides"] = dice.shoot.sides
    row["shoot_hits"] = [dice.shoot.hits[colour] for colour in dice.shoot.order]
    row["column_cap"] = board.column_cap
    row["star_cap"] = board.star_cap
    row["sprint_cap"] = state.UNLIMITED if board.sprint_cap == "none" else board.sprint_cap
    row["levels"] = model.stamina.levels
    row["start_level"] = model.stamina.start_short if race == "short" else model.stamina.start_top
    row["shots"] = model.range.shots
    row["misses_per_lap"] = model.range.misses_per_lap
    row["lap_length"] = model.range.lap_length
    row["slide_steps"] = model.terrain.slide_steps
    row["slide_free"] = model.terrain.slide_free
    row["uphill_loss"] = model.terrain.uphill_loss
    row["first_random"] = model.setup.first == "random"
    row["max_rounds"] = model.sim.max_rounds
    row["min_per_turn"] = model.report.min_per_turn


def _fill_course(row: np.void, rows: list[str], lanes: int) -> None:
    """``space`` from row 1 on (row 0 and the finish stay PLAIN), and where the ranges are."""
    row["lanes"], row["rows"] = lanes, len(rows)
    ranges = [at for at, letters_ in enumerate(rows, start=1) if letters_ == layout.SHOOTING]
    row["n_ranges"] = len(ranges)
    row["range_row"], row["range_of_row"], row["next_range"] = -1, -1, -1
    row["range_row"][: len(ranges)] = ranges
    for at, letters_ in enumerate(rows, start=1):
        wide = letters_ * lanes if letters_ == layout.SHOOTING else letters_
        row["space"][at, :lanes] = [layout.CODES[letter] for letter in wide]
    for index, at in enumerate(ranges):
        row["range_of_row"][at] = index
        row["ranges_ahead"][:at] += 1
        row["next_range"][:at] = np.where(row["next_range"][:at] < 0, at, row["next_range"][:at])


def _fill_nations(row: np.void, model: Rules) -> None:
    nations, ranks = model.nations.tables, letters(model)
    names, boards = list(nations), board_names(model)
    row["n_nations"] = len(names)
    row["colour"], row["special_column"], row["board"], row["nation_fixed"] = -1, -1, -1, -1
    for index, (name, nation) in enumerate(nations.items()):
        for target, column in enumerate(stamina_columns(model, nation)):
            for level, letter in enumerate(reversed(column)):
                row["colour"][index, target, level] = ranks[letter]
        full_at, special_box, printed_wax = perks(model, nation)
        row["full_at"][index] = full_at
        row["special_column"][index] = special_box - 1
        row["printed_shoot"][index] = printed_wax == "SHOOT"
        row["board"][index] = boards.index(nation.board)
        row["nation_usable"][index] = name in usable_nations(model)
    assign = model.nations.assign
    codes = {"drawn": state.NATIONS_DRAWN, "chosen": state.NATIONS_CHOSEN}
    if isinstance(assign, list):
        row["nation_mode"] = state.NATIONS_FIXED
        row["nation_fixed"][: len(assign)] = [names.index(name) for name in assign]
    else:
        row["nation_mode"] = codes[assign]


def _fill_wax(row: np.void, model: Rules) -> None:
    wax = model.wax
    row["dealt"], row["slots"], row["wax_per_turn"] = wax.dealt, wax.slots, wax.per_turn
    for index, board in enumerate(board_names(model)):
        row["wax_set"][index, : wax.dealt] = sorted(wax.sets[wax.set][board])
    for number, token in wax.token.items():
        row["branches"][int(number)] = len(token.branches)
        for branch, icons in enumerate(token.branches):
            codes = [ICONS.index(icon) + 1 for icon in icons]
            row["icons"][int(number), branch, : len(codes)] = codes
    told = fixed_loadout(model)
    if told is None:
        chosen = wax.loadout == "chosen"
        row["loadout_mode"] = state.LOADOUT_CHOSEN if chosen else state.LOADOUT_DRAWN
    else:
        row["loadout_mode"] = state.LOADOUT_FIXED
        row["loadout"][:, : len(told)] = told


def board_names(model: Rules) -> list[str]:
    """Names of the boards in order; RULES["board"] is an index into it."""
    return sorted({nation.board for nation in model.nations.tables.values()})


def vocabularies(model: Rules) -> dict[str, list[str]]:
    """Words of the record columns: name -> words; a column's number is the index."""
    tokens = [model.wax.token.get(str(number)) for number in range(state.MAX_TOKENS + 1)]
    return {
        "nations": list(model.nations.tables),
        "layouts": [layout.course_name(model)],
        "races": list(RACES),
        "results": list(RESULTS),
        "statuses": list(STATUSES),
        "colours": list(model.dice.shoot.order),
        "boards": board_names(model),
        "tokens": [token_words(token) if token else NO_WORD for token in tokens],
    }


def token_words(token: Token) -> str:
    """A token's icons: "PAY, PLUS, SPRINT" or "PLUS or MINUS"."""
    return " or ".join(", ".join(branch) for branch in token.branches)


# ------------------------------------------------------------------------------- checks across keys
Problem = tuple[tuple[str, ...], str]
"""Dotted keys that it may come from (the first changed one is blamed), and what is allowed."""


def problems(model: Rules) -> list[Problem]:
    """What is wrong across keys. Empty when a record can be made."""
    found = [
        *_dice_problems(model),
        *_stamina_problems(model),
        *_nation_problems(model),
        *_wax_problems(model),
        *layout.problems(model),
    ]
    return found or [*_race_problems(model), *_move_problems(model)]


def _dice_problems(model: Rules) -> list[Problem]:
    shoot, board, found = model.dice.shoot, model.board, []
    if len(letters(model)) < len(shoot.order):
        found.append((("dice.shoot.order",), "four colours with different first letters"))
    if set(shoot.hits) != set(shoot.order):
        wanted = ", ".join(shoot.order)
        found.append((("dice.shoot.hits", "dice.shoot.order"), f"one number for each of {wanted}"))
    for colour, hits in shoot.hits.items():
        if hits > shoot.sides:
            keys = (f"dice.shoot.hits.{colour}", "dice.shoot.sides")
            found.append((keys, f"hit faces at most the sides of the die ({shoot.sides})"))
    if max(board.full_at) > board.column_cap:
        text = f"a column is full at 1 to board.column_cap ({board.column_cap}) dice"
        found.append((("board.full_at", "board.column_cap"), text))
    return found


def _stamina_problems(model: Rules) -> list[Problem]:
    stamina, found = model.stamina, []
    for key in ("start_top", "start_short"):
        if getattr(stamina, key) >= stamina.levels:
            text = f"a level from 0 to {stamina.levels - 1} (stamina.levels - 1)"
            found.append(((f"stamina.{key}", "stamina.levels"), text))
    columns = [("stamina.basic", stamina.basic)]
    for name, nation in model.nations.tables.items():
        told = nation.stamina if isinstance(nation.stamina, list) else []
        columns += [(f'nations."{name}".stamina', column) for column in told]
    for key, column in columns:
        text = _column_problem(model, column)
        if text:
            found.append(((key, "stamina.levels", "dice.shoot.order"), text))
    return found


def _column_problem(model: Rules, column: str) -> str:
    known, levels = letters(model), model.stamina.levels
    lowest = next(reversed(known))
    if len(column) != levels:
        hint = "; --variant stamina_five_rows changes all columns" if levels == state.MAX_LEVELS else ""
        return f"column {column} wants {levels} colours (stamina.levels), top to bottom{hint}"
    if not set(column) <= set(known):
        return f"column {column}: colours are {', '.join(known)} (first letters of dice.shoot.order)"
    if column[-1] != lowest or lowest in column[:-1]:
        return f"column {column}: the bottom row, and no other, is {lowest}"
    return ""


def _nation_problems(model: Rules) -> list[Problem]:
    nations, tables, found = model.nations, model.nations.tables, []
    if not 1 <= len(tables) <= state.MAX_NATIONS:
        found.append((("nations",), f"1 to {state.MAX_NATIONS} nations"))
    if len(board_names(model)) > state.MAX_BOARDS:
        found.append((("nations",), f"at most {state.MAX_BOARDS} boards"))
    if nations.set not in nations.sets:
        found.append((("nations.set",), f"one of {', '.join(nations.sets)}"))
    for key in ("use", "assign"):
        told = getattr(nations, key)
        for name in told if isinstance(told, list) else []:
            if name not in tables:
                text = f"no nation {show(name)}{close(name, tables)}; allowed: {', '.join(tables)}"
                found.append(((f"nations.{key}",), text))
    if found:
        return found
    if isinstance(nations.use, list) and len(set(nations.use)) < len(nations.use):
        found.append((("nations.use",), "every nation once"))
    if not usable_nations(model):
        found.append((("nations.use",), "at least one nation of that kind"))
    if isinstance(nations.assign, list):
        found += _shared_boards(nations.assign, tables)
    for name, nation in tables.items():
        if isinstance(nation.full_at, list) and max(nation.full_at) > model.board.column_cap:
            text = f"a column is full at 1 to board.column_cap ({model.board.column_cap}) dice"
            found.append(((f'nations."{name}".full_at', "board.column_cap"), text))
    return found


def _shared_boards(names: list[str], tables: dict[str, Nation]) -> list[Problem]:
    """BI-SET-04: front and back of a board are one object."""
    seen: dict[str, str] = {}
    found: list[Problem] = []
    for name in names:
        board = tables[name].board
        if board in seen:
            pair = name if seen[board] == name else f"{seen[board]} and {name}"
            text = f"two skiers may not share a board: {pair} on board {board}"
            found.append((("nations.assign", f'nations."{name}".board'), text))
        seen[board] = name
    return found


def _wax_problems(model: Rules) -> list[Problem]:
    wax, found = model.wax, []
    if wax.slots > wax.dealt:
        found.append((("wax.slots", "wax.dealt"), f"at most the tokens dealt (wax.dealt = {wax.dealt})"))
    for number in wax.token:
        if int(number) > state.MAX_TOKENS:
            found.append(((f"wax.token.{number}",), f"token numbers 1 to {state.MAX_TOKENS}"))
    if wax.set not in wax.sets:
        text = f"no set {show(wax.set)}{close(wax.set, wax.sets)}; allowed: {', '.join(wax.sets)}"
        return [*found, (("wax.set",), text)]
    for board in board_names(model):
        found += _set_problems(model, board)
    return found or _loadout_problems(model)


def _set_problems(model: Rules, board: str) -> list[Problem]:
    wax = model.wax
    key = f'wax.sets."{wax.set}"."{board}"'
    if board not in wax.sets[wax.set]:
        return [((f'wax.sets."{wax.set}"',), f"tokens for board {board} are missing")]
    tokens = wax.sets[wax.set][board]
    found: list[Problem] = []
    if len(tokens) != wax.dealt:
        found.append(((key, "wax.dealt"), f"{wax.dealt} tokens (wax.dealt)"))
    unknown = [number for number in tokens if str(number) not in wax.token]
    if unknown:
        found.append(((key,), f"numbers of [[wax.token]] tables; {unknown[0]} has none"))
    return found


def _loadout_problems(model: Rules) -> list[Problem]:
    wax = model.wax
    if isinstance(wax.loadout, str) and wax.loadout not in ("chosen", "drawn", *model.loadouts):
        known = ("chosen", "drawn", *model.loadouts)
        text = f"no loadout {show(wax.loadout)}{close(wax.loadout, known)}; allowed: {', '.join(known)}"
        return [(("wax.loadout",), text)]
    told = fixed_loadout(model)
    if told is None:
        return []
    keys = ("wax.loadout", f'loadouts."{wax.loadout}"', "wax.slots", "wax.set") if isinstance(
        wax.loadout, str
    ) else ("wax.loadout", "wax.slots", "wax.set")
    if len(told) != wax.slots:
        return [(keys, f"{wax.slots} tokens (wax.slots), slot 1 first")]
    boards = {model.nations.tables[name].board for name in _racing_nations(model)}
    for board in sorted(boards):
        owned = wax.sets[wax.set][board]
        for number in told:
            if told.count(number) > owned.count(number):
                text = f"tokens of the set of board {board} ({wax.set}: {sorted(owned)}); {number} is not there"
                return [(keys, text + (" so often" if number in owned else ""))]
    return []


def _racing_nations(model: Rules) -> list[str]:
    assign = model.nations.assign
    return list(assign) if isinstance(assign, list) else usable_nations(model)


def _race_problems(model: Rules) -> list[Problem]:
    """BI-SCOPE-04 to -06: a long race may not start on the second row."""
    ranges = layout.course_rows(model).count(layout.SHOOTING)
    keys = ("mode.race", "course.layout")
    if model.mode.race in ("short", "short_top") and ranges >= _LONG_RANGES:
        text = f"a course with {ranges} ranges is a long race (markers on the top row): long or auto"
        return [(keys, text)]
    if model.mode.race == "long" and ranges < _LONG_RANGES:
        text = f"a course with {ranges} ranges is a short race: short, short_top or auto"
        return [(keys, text)]
    stamina = model.stamina
    if race_mode(model) == "long" and stamina.start_top < stamina.levels - 1:
        text = f"a long race starts on the top row, level {stamina.levels - 1}"
        return [(("stamina.start_top", "stamina.levels", "mode.race"), text)]
    return []


def _move_problems(model: Rules) -> list[Problem]:
    """What the engine's step and route tables hold (state.MAX_STEPS, state.MAX_ROUTES)."""
    steps = max(longest_move(model), model.terrain.slide_steps)
    if steps > state.MAX_STEPS:
        keys = ("dice.race.count", "board.sprint_cap", "wax.per_turn", "wax.token", "terrain.slide_steps")
        text = f"moves of at most {state.MAX_STEPS} steps fit; a move could have {steps} (dice, sprint, wax)"
        return [(keys, text)]
    bound = layout.route_bound(
        layout.course_rows(model), model.course.lanes, steps, rivals=model.game.max_skiers - 1
    )
    if bound.routes <= state.MAX_ROUTES:
        return []
    keys = ("course.layout", "course.lanes", "dice.race.count", "board.sprint_cap", "wax.per_turn")
    text = (
        f"a move of {bound.steps} steps from row {bound.row} could have {bound.routes} routes,"
        f" {state.MAX_ROUTES} fit: {bound.why}"
    )
    return [(keys, text)]


def warnings(model: Rules) -> list[str]:
    """What is legal but worth a line: printed tips broken (BI-SET-02), dice that do not fall."""
    found = layout.tip_warnings(model)
    hits = [model.dice.shoot.hits[colour] for colour in model.dice.shoot.order]
    if any(better <= worse for better, worse in zip(hits, hits[1:], strict=False)):
        found.append(
            f"dice.shoot.hits {hits}: a lower colour is not less accurate, against the printed rule"
        )
    return found


def players(model: Rules, n_players: int) -> list[str]:
    """What stands against a race of ``n_players`` (two players run two skiers each)."""
    skiers = n_players * 2 if n_players == 2 else n_players
    found = []
    if skiers > model.game.max_skiers:
        found.append(f"{skiers} skiers: game.max_skiers is {model.game.max_skiers}")
    assign = model.nations.assign
    if isinstance(assign, list):
        if len(assign) < skiers:
            found.append(f"nations.assign = {show(assign)}: {skiers} skiers race, {len(assign)} nations are named")
        return found
    boards = {model.nations.tables[name].board for name in usable_nations(model)}
    if len(boards) < skiers:
        found.append(
            f"nations.use = {show(model.nations.use)}: {skiers} skiers need {skiers} boards,"
            f" these nations share {len(boards)} (two skiers may not share a board)"
        )
    return found


def courses(text: str, root_seed: int, model: Rules) -> list[tuple[str, dict[str, Any]]]:
    """Courses named on the command line as (name, overlay); see ``layout.parse_course``."""
    return [(course.name, course.overlay) for course in layout.parse_course(text, root_seed, model)]
