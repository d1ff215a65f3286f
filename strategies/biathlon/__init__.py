"""Strategies of Ski Tour: Biathlon: names, parameters, defaults. Words and numbers only."""

from __future__ import annotations

from strategies.book import Book, Param, Strategy

AS_BEFORE = -99.0  # a later weight that is as before the first range
LOW, HIGH = -99.0, 99.0
FIRST_TOKEN, LAST_TOKEN = 0, 24

# The specification's table 10.2: name, what is counted, then the weights of the eight archetypes.
ARCHETYPES = (
    "pacer", "marksman", "front_runner", "drafter", "finisher", "blocker", "builder",
    "opportunist",
)  # fmt: skip
FEATURES: tuple[tuple[str, str, tuple[float, ...]], ...] = (
    ("dist", "F1 steps left, with the expected penalty laps", (-1, -1, -1, -1, -1, -1, -1, -1)),
    ("stam", "F2 payable stamina", (0.8, 1.2, 0.55, 0.9, 1.1, 0.8, 0.8, 0.6)),
    ("aim", "F3 sum of 5 hit chances, while shots are to come",
     (0.5, 2.5, 0.4, 0.5, 0.6, 0.5, 0.5, 0.5)),
    ("col1", "F4 dice in the fullest column", (0.4, 0.4, 0.3, 0.3, 0.4, 0.4, 0.45, 0.4)),
    ("col2", "F5 dice in the second fullest column", (0.2, 0.2, 0.2, 0.2, 0.25, 0.2, 0.35, 0.2)),
    ("full", "F6 full columns", (0.2, 0.2, 0.1, 0.1, 0.2, 0.2, 0.4, 0.3)),
    ("loaded", "F7 star dice above columns that lack at most one die",
     (0.5, 0.5, 0.3, 0.3, 0.6, 0.4, 0.9, 0.5)),
    ("deadstar", "F8 other star dice", (-0.1, -0.1, -0.2, -0.1, 0, -0.1, 0.1, -0.1)),
    ("sprint", "F9 dice in sprint", (0.2, 0.1, 0.3, 0.1, 0.4, 0.2, 0.1, 0.4)),
    ("free", "F10 available dice", (0.1, 0.1, 0.1, 0.1, 0, 0.1, 0, 0.1)),
    ("wax", "F11 unused tokens", (0.8, 0.9, 0.4, 0.9, 1.5, 0.8, 0.9, 0.6)),
    ("seat", "F12 dice of the best rival ahead in lane that acts before my next turn",
     (0.2, 0.2, 0, 0.9, 0.4, 0.1, 0.2, 0.4)),
    ("tail", "F13 skiers in line behind me", (-0.2, -0.1, -0.6, -0.1, -0.1, 0.1, -0.2, -0.2)),
    ("tow", "F14 steps given to followers this turn",
     (-0.1, -0.1, -0.4, -0.1, -0.1, -0.1, -0.1, -0.2)),
    ("block", "F15 rivals within 4 rows behind in my lane, twice where the row is barred",
     (0, 0, 0.1, 0, 0, 0.5, 0, 0.2)),
    ("open", "F16 the two spaces ahead in lane are empty",
     (0.2, 0.2, 0.4, 0, 0.2, 0.2, 0.2, 0.1)),
    ("upstart", "F17 standing on uphill", (-0.7, -0.7, -0.7, -0.5, -0.7, -0.5, -0.7, -0.7)),
    ("slidebait", "F18 1-4 rows before a rival on a downhill row",
     (0.1, 0.1, 0.1, 0.3, 0.2, 0, 0.1, 1.2)),
    ("waste", "F19 steps lost this turn", (-0.3, -0.2, -0.1, -0.2, -0.5, -0.2, -0.5, -0.3)),
    ("blue", "F20 markers on blue", (-0.5, -0.8, -0.3, -0.5, -0.4, -0.4, -0.8, -0.4)),
    ("danger", "F21 no stamina and a rival within 5 rows ahead",
     (-6, -6, -4, -6, -4, -5, -6, -5)),
    ("lead", "F22 the best rival's distance less my own", (0, 0, 0.2, -0.1, 0, 0.2, 0, 0.1)),
    ("nexts", "F23 rows to the next shooting space, at most 12", (0, -0.05, 0, 0, 0, 0, 0, 0)),
    ("home", "F24 over the line", (20, 20, 20, 20, 20, 20, 20, 20)),
    ("shotsleft", "F25 shots still to make",
     (-0.9, -0.9, -0.9, -0.9, -0.9, -0.9, -0.9, -0.9)),
)  # fmt: skip
LATE: dict[str, dict[str, float]] = {
    "finisher": {"stam": 0.1, "sprint": 0.2, "wax": 0.0, "lead": 0.3},
    "drafter": {"lead": 0.2},
}
LOADOUT: dict[str, tuple[int, ...]] = {
    "pacer": (7, 2, 5, 4, 6, 1),
    "marksman": (1, 2, 7, 5, 6, 4),
    "front_runner": (3, 8, 4, 7, 6, 2),
    "drafter": (7, 2, 6, 5, 1, 4),
    "finisher": (1, 2, 6, 4, 8, 3),
    "blocker": (7, 4, 2, 5, 6, 1),
    "builder": (6, 5, 4, 7, 2, 1),
    "opportunist": (7, 3, 2, 5, 4, 1),
}
GREEDY_LOADOUT = (1, 8, 4, 6, 7, 3)  # L0 of the specification


def _params(
    weights: dict[str, float], late: dict[str, float], loadout: tuple[int, ...]
) -> tuple[Param, ...]:
    """The rows of one strategy, in the order of ``plan_state``."""
    rows = [Param(name, weights[name], LOW, HIGH, meaning) for name, meaning, _ in FEATURES]
    for name, meaning, _ in FEATURES:
        words = f"{meaning}: after the first range is shot (-99: as before)"
        rows.append(Param(f"{name}_between", AS_BEFORE, LOW, HIGH, words, follows=name))
    for name, meaning, _ in FEATURES:
        words = f"{meaning}: with no shot left to make (-99: as before)"
        weight = late.get(name, AS_BEFORE)
        rows.append(Param(f"{name}_late", weight, LOW, HIGH, words, follows=f"{name}_between"))
    for slot, token in enumerate(loadout, start=1):
        words = f"wax token preferred for slot {slot}"
        rows.append(Param(f"slot{slot}", float(token), FIRST_TOKEN, LAST_TOKEN, words))
    rows.append(
        Param("temperature", 0.0, 0.0, 100.0, "noise on the scores (0: always the best option)")
    )
    return tuple(rows)


def _archetype(name: str, code: int, summary: str) -> Strategy:
    column = ARCHETYPES.index(name)
    weights = {feature: float(row[column]) for feature, _, row in FEATURES}
    return Strategy(name, code, summary, _params(weights, LATE.get(name, {}), LOADOUT[name]))


_DISTANCE_ONLY = {name: -1.0 if name == "dist" else 0.0 for name, _, _ in FEATURES}

BOOK = Book(
    game="biathlon",
    strategies=(
        Strategy("random", 0, "any option, all equally likely"),
        Strategy("plain", 1, "R0: fullest column, no wax, nothing bought, always drafts"),
        Strategy("plain_nodraft", 2, "R1: as plain, but never drafts"),
        Strategy(
            "greedy",
            3,
            "the option with the least distance left at the end of the turn",
            _params(_DISTANCE_ONLY, {}, GREEDY_LOADOUT),
        ),
        _archetype("pacer", 4, "even pace, own dice only"),
        _archetype("marksman", 5, "arrives fresh, shoots clean"),
        _archetype("front_runner", 6, "spends early to lead"),
        _archetype("drafter", 7, "lives behind others"),
        _archetype("finisher", 8, "saves all for the end"),
        _archetype("blocker", 9, "makes followers pay"),
        _archetype("builder", 10, "fills columns for the star"),
        _archetype("opportunist", 11, "hunts slides and passes"),
    ),
    default_lineup={
        1: "pacer",
        2: "drafter,finisher",
        3: "drafter,finisher,pacer",
        4: "drafter,finisher,pacer,opportunist",
        5: "drafter,finisher,pacer,opportunist,marksman",
    },
)
