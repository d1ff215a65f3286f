"""Strategies of Skull Canyon: Ski Fest: names, parameters, defaults. Words and numbers only.

``TABLE`` holds the weights of the specification (section 10), where a blank is 0. ``MENDED`` holds
where play departs from it and is laid over it: with blanks at 0 most archetypes would not claim a
run, buy gear or ride a lift to a run they can pay.
"""

from __future__ import annotations

from strategies.book import Book, Param, Strategy

LOW, HIGH = -99.0, 99.0
GEAR_FLAGS = (
    "avalanche_alert", "blazing_boots", "bling_bindings", "emergency_tent", "field_journal",
    "heated_gloves", "night_goggles", "precision_goggles", "ramp", "season_pass", "ski_poles",
    "sno_pro_camera", "yeti_energy",
)  # fmt: skip

# Features of the specification in the order of ``plan_state``, then those that it lacks.
FEATURES: dict[str, str] = {
    "vp": "own VP",
    "fame": "own fame",
    "award_now": "own award VP if the game ended now",
    "gear_vp": "VP of own gear",
    "hand": "cards in hand",
    "unknown": "unseen cards the option draws",
    "yetis": "Yetis in hand",
    "best": "cards of the largest set",
    "best_style": "cards of the largest style set",
    "second": "cards of the largest set after removing the best one",
    "gap4": "cards that the largest set lacks for an advanced run",
    "gap7": "cards that the largest set lacks for an expert run",
    "height": "node height, as a share of the highest",
    "snow_height": "the same, of the lodge chosen before a snowy day",
    "ready_e": "easy runs from here that can be paid",
    "ready_a": "advanced runs from here that can be paid",
    "ready_x": "expert runs from here that can be paid",
    "ready_vp": "VP of the best of these",
    "lift_vp": "VP of the best run to be paid one lift away",
    "chain": "VP of the best two runs in a row from here with disjoint sets",
    "claim": "the option marks an empty run",
    "steal": "the option marks a rival's run",
    "steal_lead": "the option marks the leader's run",
    "restack": "the option marks an own run",
    "depth": "mean depth of the stacks that are topped",
    "open_runs": "unclaimed runs to be paid from here or one lift away",
    "top_e": "easy runs topped, less the best rival's, -3 to 3",
    "top_a": "advanced runs topped, less the best rival's, -3 to 3",
    "top_x": "expert runs topped, less the best rival's, -3 to 3",
    "top_all": "runs topped, less the best rival's, -3 to 3",
    "style_hit": "the option earns a style bonus or the Camera's",
    "style_near": "a marker within reach fits the largest style set",
    "waning": "the option earns daylight fame",
    "spent": "cards played",
    "yetis_spent": "Yetis played",
    "over": "size of the set less the need",
    "rival_drop": "height that rivals lose in the option's avalanche",
    "own_drop": "height that the seat loses itself in it",
    "rival_ready": "rivals on a node with a run that they can pay, judged by hand size",
    "block": "rivals at the top of the Yeti's run",
    "block_self": "the Yeti blocks an own payable run",
    "expl": "explosives held",
    "tick": "lift tickets held",
    **{f"gear_{name}": f"{name} owned, times own turns left" for name in GEAR_FLAGS},
    "fame_next": "fame reaches the price of the wanted gear",
    "village_left": "payable places ahead",
    "tomorrow": "cards that the Hotel will give (so far the same for every option)",
    "hand_dry": "hand x (1 - tomorrow / 7)",
    "early": "less the place on the starting track, in the last two turns of a day",
    "lead": "own score if the game ended now, less the best rival's",
    "prospect": "best gain by own weights of a run from here, or one lift away",
    "action": "own actions still to come",
}
CLIMB = ("climb", 0.75, 0.0, 1.0, "share of a gain one lift away that counts as prospect")
TEMPERATURE = ("temperature", 0.0, 0.0, 100.0, "noise on the scores (0: always the best option)")

# The specification's table (section 10), word for word.
TABLE: dict[str, dict[str, float]] = {
    "groomer": {
        "vp": 1, "fame": 0.35, "claim": 2.5, "top_e": 1.5, "top_all": 1, "best": 0.2,
        "spent": -0.5, "over": -0.4, "lift_vp": 0.3,
    },
    "racer": {
        "vp": 1, "fame": 0.35, "gap4": -0.8, "ready_a": 0.8, "top_a": 1.2, "style_hit": 1,
        "gear_bling_bindings": 0.15, "lift_vp": 0.5,
    },
    "expert_hunter": {
        "vp": 1, "fame": 0.33, "best": 0.9, "gap7": -0.6, "height": 1.5, "ready_x": 3,
        "spent": -0.3, "gear_ramp": 0.2, "gear_season_pass": 0.15, "top_x": 1,
    },
    "claim_jumper": {
        "vp": 1, "fame": 0.33, "steal": 2.5, "steal_lead": 1.5, "restack": 0.6, "depth": 0.4,
        "award_now": 0.8, "best": 0.5, "over": 0.1, "gear_heated_gloves": 0.2,
    },
    "avalanche_maker": {
        "vp": 1, "fame": 0.35, "yetis": 0.8, "expl": 1, "rival_drop": 1.2, "own_drop": -0.8,
        "rival_ready": -0.5, "block": 1, "gear_emergency_tent": 0.2, "gear_avalanche_alert": 0.1,
    },
    "socialite": {
        "vp": 1, "fame": 0.6, "early": 0.8, "village_left": 0.6, "hand": 0.4, "tick": 0.7,
        "expl": 0.5, "waning": 0.6,
    },
    "gear_baron": {
        "vp": 1, "fame": 0.7, "fame_next": 1.5, "gear_vp": 1,
        **{f"gear_{name}": 0.12 for name in GEAR_FLAGS}, "style_hit": 1, "waning": 0.5,
    },
    "weather_reader": {
        "vp": 1, "fame": 0.4, "hand_dry": 0.5, "second": 0.4, "snow_height": 1, "chain": 0.4,
        "best": 0.3, "lift_vp": 0.3,
    },
    "all_rounder": {
        "vp": 1, "fame": 0.4, "best": 0.4, "second": 0.2, "hand": 0.25, "lift_vp": 0.4,
        "ready_vp": 0.4, "claim": 1.2, "steal": 1, "award_now": 0.5, "style_hit": 0.7,
        "waning": 0.5, "rival_drop": 0.3, "own_drop": -0.4, "gear_vp": 0.7, "tick": 0.5,
        "expl": 0.4, "early": 0.2,
    },
}  # fmt: skip
ARCHETYPES = tuple(TABLE)
GREEDY = {"vp": 1.0, "fame": 1 / 3, "gear_vp": 1.0}

# What any skier wants, where the table leaves a blank.
COMMON: dict[str, float] = {
    "prospect": 0.8, "action": 0.5, "claim": 1.2, "steal": 1.0, "award_now": 0.4, "gear_vp": 1.0,
    "hand": 0.3, "best": 0.2, "tick": 0.4, "gear_blazing_boots": 0.25, "gear_bling_bindings": 0.1,
    "gear_precision_goggles": 0.3, "gear_ramp": 0.15, "gear_ski_poles": 0.1,
    "gear_season_pass": 0.08, "gear_night_goggles": 0.08,
}  # fmt: skip
# What an archetype plays otherwise than that: found feature by feature in games against a table
# drawn from all others (win share, seats rotated) with 2, 3 and 4 players at once, so that no count
# is won at the cost of another. The weights of the table give way where that is far from level: the
# Socialite's and the All-rounder's hand, what the Groomer spends, how high and how whole the Expert
# hunter stays, and what awards are worth now to those who do not live by them.
MENDED: dict[str, dict[str, float]] = {
    "groomer": {
        "hand": 0.45, "steal": 1.6, "height": 0.8, "rival_drop": 0.8, "early": 0.4,
        "award_now": 0, "ready_vp": 0.4, "tick": 0.7, "style_hit": 0.6, "spent": -0.3,
        "over": -0.2,
    },
    "racer": {
        "hand": 0.65, "prospect": 1.0, "award_now": 0.15, "ready_vp": 0.3, "tick": 0.7,
        "rival_drop": 0.8,
    },
    "expert_hunter": {
        "hand": 0.15, "prospect": 0.6, "tick": 0.7, "rival_drop": 0.8, "style_hit": 0.6,
        "height": 0.8, "best": 0.6,
    },
    "claim_jumper": {"hand": 0.45, "prospect": 0.7, "style_hit": 0.6, "award_now": 0.3},
    "avalanche_maker": {
        "hand": 0.6, "claim": 0.6, "award_now": 0.2, "best": 0, "height": 0.8, "style_hit": 0.6,
        "prospect": 1.0,
    },
    "socialite": {"hand": 0.65, "prospect": 1.2, "award_now": 0.3, "rival_drop": 0.8},
    "gear_baron": {
        "hand": 0.65, "height": 0.8, "yetis": 0.6, "tick": 0.7, "rival_drop": 0.8, "gap7": -0.3,
        "village_left": 0.4, "award_now": 0.3,
    },
    "weather_reader": {
        "prospect": 0.8, "award_now": 0.3, "rival_drop": 0.8, "tick": 0.7, "style_hit": 0.6,
    },
    "all_rounder": {"hand": 0.4, "award_now": 0.2, "prospect": 1.0},
}  # fmt: skip


def weights(name: str) -> dict[str, float]:
    """Default weights of an archetype: its row, what any skier wants, its mended weights."""
    return {**COMMON, **TABLE[name], **MENDED.get(name, {})}


def _params(row: dict[str, float]) -> tuple[Param, ...]:
    """The parameters of one strategy, in the order of ``plan_state``."""
    told = [
        Param(name, float(row.get(name, 0)), LOW, HIGH, words) for name, words in FEATURES.items()
    ]
    return (*told, Param(*CLIMB), Param(*TEMPERATURE))


def _archetype(name: str, code: int, summary: str) -> Strategy:
    return Strategy(name, code, summary, _params(weights(name)))


BOOK = Book(
    game="skull_canyon",
    strategies=(
        Strategy("random", 0, "any option, all equally likely"),
        Strategy("plain", 1, "a fixed rule for every question; a check, not a way to play"),
        Strategy("greedy", 2, "the most VP, with a third of the fame, now", _params(GREEDY)),
        _archetype("groomer", 3, "many easy runs with pairs, claims all"),
        _archetype("racer", 4, "sets of four from mid-mountain, style bonus"),
        _archetype("expert_hunter", 5, "trains to seven, rides to the top, keeps sets whole"),
        _archetype("claim_jumper", 6, "large sets that steal, the leader's runs first"),
        _archetype("avalanche_maker", 7, "Yetis and explosives, pushes the others down"),
        _archetype("socialite", 8, "low at day's end, visits every place, then shops"),
        _archetype("gear_baron", 9, "saves fame for dear gear and uses it"),
        _archetype("weather_reader", 10, "plans the hand by tomorrow's weather"),
        _archetype("all_rounder", 11, "the mean of the others; the yardstick"),
    ),
    default_lineup={
        2: "racer,expert_hunter",
        3: "racer,expert_hunter,gear_baron",
        4: "racer,expert_hunter,gear_baron,all_rounder",
    },
)
