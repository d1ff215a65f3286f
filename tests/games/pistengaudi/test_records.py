"""What the rows say of moments that are rare in a game, and what is asked when it is over."""

from __future__ import annotations

from typing import Any

import pytest

from simulate import rules
from simulate.games.pistengaudi import entries, position
from simulate.games.pistengaudi import state as s

ONE_CARD = {f"draw.cards_per_turn.{players}": 1 for players in (2, 3)}


def after(
    case: dict[str, Any], *answers: int, coins: tuple[int, ...] = (), **hooks: int
) -> tuple[Any, Any]:
    """STATE and RULES after the events of a case.

    answers: places in the lists of options, in the order asked, after them always the first; coins:
    an experiment's, as they come up; hooks: what an experiment grants seat 0.
    """
    loaded = rules.load("pistengaudi", overrides=position.overrides(case))
    record = loaded.record[0]
    state, work = position.setup(case, record, loaded.vocabularies)
    for name, value in hooks.items():
        state["treatment"][0][name] = value
    work["feed"]["values"][: len(coins)] = coins
    work["feed"]["n"] = len(coins)
    given, nothing = list(answers), entries.new_events(0)
    for run in position.runs(case):
        position.begin(state, record, work, run)
        entries.resume(state, record, work, nothing)
        while state["phase"] >= 0:
            code = work["options"][given.pop(0) if given else 0]
            entries.apply(state, record, work, nothing, int(code))
    assert work["feed"]["used"] == len(coins)
    return state, record


def finished(case: dict[str, Any]) -> Any:
    """The game row of a case that ends the game."""
    state, record = after(case)
    assert state["over"] == 1
    games, seats = entries.new_rows()
    entries.finish(state, record, games, seats)
    return games[0]


# ------------------------------------------------------------------------------- questions
def test_the_options_of_a_question_can_be_listed_again() -> None:
    """At every question of a game, until it is over: then there are none."""
    record = rules.load("pistengaudi", overrides={"limits.max_rounds": 2}).record[0]
    state, work, nothing = entries.new_state(), entries.new_work(), entries.new_events(0)
    entries.start(state, record, work, nothing, entries.no_treatments(), 3, 1, 0)
    asked = 0
    while not state["over"]:
        count = int(work["n_options"])
        options = work["options"][:count].tolist()
        work["options"][:count], work["n_options"] = 0, 0
        assert entries.legal(state, record, work) == count
        assert work["options"][:count].tolist() == options
        asked += 1
        entries.apply(state, record, work, nothing, options[asked % count])

    assert asked == state["asked"] > 0
    assert (int(state["phase"]), int(state["to_move"]), int(work["n_options"])) == (-1, -1, 0)
    assert entries.legal(state, record, work) == 0


def test_an_answer_leans_on_nothing_that_was_noted_while_listing() -> None:
    """Strategies look ahead with the same scratch; a new one for every answer changes nothing."""
    record = rules.load("pistengaudi", overrides={"limits.max_rounds": 6}).record[0]
    played, nothing = [], entries.new_events(0)
    for anew in (False, True):
        state, work = entries.new_state(), entries.new_work()
        entries.start(state, record, work, nothing, entries.no_treatments(), 3, 1, 0)
        while not state["over"]:
            code = int(work["options"][int(state["asked"]) % int(work["n_options"])])
            if anew:
                work = entries.new_work()
            entries.apply(state, record, work, nothing, code)
        played.append(state)

    assert played[0]["asked"] > 40
    assert played[0].tobytes() == played[1].tobytes()


# ------------------------------------------------------------------------------- the end
LAST_RIDE = {
    "players": 2, "final": True, "cards": [[0, 11, "P1", "P2"]], "event": "ride 1",
}  # fmt: skip


@pytest.mark.parametrize(
    ("area", "winner", "later_first", "tie"),
    [(1, 1, 1, False), (2, 0, 1, True), (3, 0, 0, False)],
)
def test_the_winner_if_the_later_arrival_broke_ties(
    area: int, winner: int, later_first: int, tie: bool
) -> None:
    """Seat 1 rides two steps and comes to area 2; seat 0 was in the goal before."""
    row = finished({**LAST_RIDE, "figures": [["goal", area, 1], [0, 12, "up"]]})

    assert (row["winner_seat"], row["winner_reversed"]) == (winner, later_first)
    assert bool(row["tie_broken"]) == tie
    assert (row["winner_area"], row["n_in_goal"]) == (max(area, 2), 2)


@pytest.mark.parametrize(
    ("start", "others", "lead"),
    [
        ((0, 12), [(2, 3), (2, 5)], 7),
        ((0, 12), [(2, 11), (2, 11)], 1),
        ((0, 12), [(2, 4), (2, 12)], 0),
        ((0, 12), [(2, 14), (2, 13)], 0),
        ((0, 10), [(2, 3), (2, 12)], -2),
    ],
)
def test_the_lead_or_arrears_of_the_first_to_enter(
    start: tuple[int, int], others: list[tuple[int, int]], lead: int
) -> None:
    """In rows, just before; beside the goal a figure is as far as on the last row of the slope."""
    cards = [[0, 9, "P1", "P3"], [0, 11, "P1", "P1"]]
    row = finished(
        {
            "players": 3,
            "cards": [*cards, *([2, row, "P1", "P1"] for row in (3, 5, 11, 13))],
            "figures": [[*cell, "up"] for cell in (*others, start)],
            "event": "ride 2",
        }
    )

    assert (row["trigger_seat"], row["trigger_area"]) == (2, 1)
    assert (row["gap_trigger"], row["deficit_trigger"]) == (max(lead, 0), max(-lead, 0))
    assert not row["overtaken_in_final"]


def test_holes_that_no_card_fills_are_counted_from_edge_to_edge() -> None:
    """PG-PLACE-07: one free space alone, below the upper edge too, in the outermost columns too."""
    columns = {-2: (1, 4), 1: (2, 5), 3: (0, 3, 7)}  # upper rows of the cards; holes: 2, 1, 1
    cards = [[x, row, "P1", "P1"] for x, rows in columns.items() for row in rows]
    row = finished({**LAST_RIDE, "cards": [*cards, *LAST_RIDE["cards"]],
                    "figures": [["goal", 1, 1], [0, 12, "up"]]})  # fmt: skip

    assert (row["width_left"], row["width_right"]) == (2, 3)
    assert row["holes_unfillable"] == 4


@pytest.mark.rule("PG-END-05")
def test_turns_told_one_by_one_make_up_rounds() -> None:
    """The limit of two rounds is met after the last seat's second turn."""
    case = {
        "players": 2, "cards": [[2, 1, "P1", "P1"]], "figures": [[2, 1, "up"], [0, 0, "up"]],
        "event": "turn 0; turn 1; turn 0; turn 1",
        "stack": ["P1/P1"] * 4, "rules": {**ONE_CARD, "limits.max_rounds": 2},
    }  # fmt: skip
    row = finished(case)

    assert (row["rounds"], row["turns"], bool(row["truncated"])) == (2, 4, True)


@pytest.mark.rule("PG-JUMP-01")
def test_a_flight_that_turns_counts_every_ski_jump() -> None:
    """jump.turn = free: down, right, down over four of them, in one step."""
    case = {
        "players": 2, "rules": {"rules.jump.turn": "free"}, "event": "ride 0",
        "cards": [[1, 1, "P1", "J"], [1, 3, "J", "F"], [2, 3, "J", "J"], [2, 5, "P1", "F"]],
        "figures": [[1, 1, "up"], [0, 0, "up"]],
    }  # fmt: skip
    state, _ = after(case)

    assert state["seat_rows"][0]["jumps_flown"] == 4
    assert state["seat_rows"][0]["steps"] == 1


def test_a_way_out_beside_the_last_card_is_one() -> None:
    """The figures at both ends of the slope can go on over what can still be built beside it."""
    ends = [[x, row, "P1", "F"] for x, row in ((1, 0), (2, 1), (-1, 0), (-2, 1))]
    case = {
        "players": 3, "cards": ends, "event": "ride 2",
        "figures": [[2, 1, "up"], [-2, 1, "up"], [0, 0, "up"]],
    }  # fmt: skip
    state, _ = after(case)

    assert state["stranded"].sum() == 0


def test_who_lies_is_not_moved_down_by_an_experiment() -> None:
    """Hook step_down: at the first question of round 4, whoever lies has not been moved."""
    record = rules.load("pistengaudi", overrides={"limits.max_rounds": 5}).record[0]
    grants, nothing = entries.no_treatments(), entries.new_events(0)
    grants["step_down_round"] = 4
    state, work, lying = entries.new_state(), entries.new_work(), 0
    for block in range(40):
        entries.start(state, record, work, nothing, grants, 6, 1, block)
        while not state["over"] and state["round"] < 4:
            code = int(work["options"][int(state["asked"]) % int(work["n_options"])])
            entries.apply(state, record, work, nothing, code)
        for seat in range(6):
            if state["lying"][seat]:
                assert state["seat_rows"][seat]["stepped_down"] == 0
                lying += bool(s.FREE < state["kind"][state["cell"][seat] + 1] <= s.LAST_SIGNED)

    assert lying >= 3


@pytest.mark.rule("PG-GOAL-03")
@pytest.mark.parametrize("overrun", ["forced", "choice"])
def test_a_goal_with_a_single_area_is_entered_nowhere_deeper(overrun: str) -> None:
    """goal.areas = 1: beside the lower half "both_deep" would lead to area 2."""
    told = {"goal.areas": 1, "goal.side_entry": "both_deep", "goal.overrun": overrun}
    cards, figures = [[1, 13, "P1", "P3"]], [[1, 14, "up"], [1, 13, "up"]]
    case = {"players": 2, "cards": cards, "figures": figures, "rules": told, "event": "ride 0"}
    state, _ = after(case)

    assert state["area"][0] == 1


# ------------------------------------------------------------------------------- the path
@pytest.mark.rule("PG-MOVE-07", "PG-FALL-02")
@pytest.mark.parametrize(
    ("end", "choice", "steps"),
    [("P1", "dead_end", 3), ("P1", "longest", 4), ("H1", "dead_end", 3), ("H1", "longest", 3)],
)
def test_of_two_paths_to_a_space_the_shorter_is_ridden(end: str, choice: str, steps: int) -> None:
    """From (1,1) to (2,3) by DDR, or over a ski jump by LDRR: the longer where falls are measured."""
    cards = [
        [1, 0, "P1", "P3"], [1, 2, "P1", "P1"], [0, 1, "P1", "J"], [0, 3, "P1", "F"],
        [2, 3, end, "F"],
    ]  # fmt: skip
    case = {
        "players": 2, "cards": cards, "figures": [[1, 1, "up"], [1, 0, "up"]], "event": "ride 0",
        "rules": {"rules.move.fall_choice": choice, "signs.black": 5},
    }  # fmt: skip
    state, _ = after(case, *([1] if (end, choice) == ("P1", "dead_end") else []))
    row = state["seat_rows"][0]

    assert state["cell"][0] == s.START_CELL + 2 * s.STRIDE + 3
    assert (row["steps"], row["falls"]) == (steps, end == "P1")
    assert row["seat_asked"] == ((end, choice) == ("P1", "dead_end"))


# ------------------------------------------------------------------------------- effects
def beside_each_other(effect: str, **more: Any) -> dict[str, Any]:
    """Seat 0 rides from (1,1) down onto the effect; seat 1 stands on (3,2), with room around it."""
    cards = [[1, 1, "P1", effect], [3, 1, "P1", "P1"], [3, 3, "P1", "P1"], [4, 1, "J", "P1"]]
    figures = [[1, 1, "up"], [3, 2, "up"]]
    return {"players": 2, "cards": cards, "figures": figures, "event": "ride 0", **more}


@pytest.mark.parametrize(
    ("target", "wasted"), [([3, 2, "up"], 0), ([3, 2, "lying"], 1), (["goal", 1, 1], 1)]
)
def test_a_throw_at_who_lies_or_is_in_the_goal_is_wasted(target: list[Any], wasted: int) -> None:
    """snowball.goal_target: a figure in the goal may be hit, and nothing comes of it."""
    case = beside_each_other("S1", rules={"rules.snowball.goal_target": True})
    case["figures"][1], case["final"] = target, target[0] == "goal"
    state, _ = after(case)
    game, row = state["game_rows"][0], state["seat_rows"][0]

    assert (game["snowballs"], row["snow_thrown"], state["seat_rows"][1]["snow_received"]) == (
        1,
    ) * 3
    assert (game["snow_wasted"], row["snow_wasted"]) == (wasted, wasted)
    assert state["lying"][1] == (target[0] != "goal")


@pytest.mark.parametrize("coin", [0, 1])
@pytest.mark.parametrize(
    ("way", "column", "cell"),
    [(0, "up", (3, 1)), (1, "side", (4, 2)), (2, "down", (3, 3))],
)
def test_a_muted_groomer_moves_nobody_and_is_counted(
    way: int, column: str, cell: tuple[int, int], coin: int
) -> None:
    """Hook mute_groomer: the move counts as made, and in a column of its own as muted."""
    state, _ = after(beside_each_other("G1"), way, coins=(coin,), mute_groomer=50)
    giver, taker = state["seat_rows"][0], state["seat_rows"][1]
    made = {"up": 0, "side": 0, "down": 0, column: 1}
    x, y = (3, 2) if coin else cell

    assert giver["groom_used"] == 1
    for name, count in made.items():
        assert state["game_rows"][0][f"groom_{name}"] == giver[f"groom_given_{name}"] == count
        assert taker[f"groom_received_{name}"] == count
        assert giver[f"groom_muted_{name}"] == count * coin
    assert state["cell"][1] == s.START_CELL + x * s.STRIDE + y


@pytest.mark.parametrize("coin", [0, 1])
def test_a_muted_snowball_fells_nobody_and_is_counted(coin: int) -> None:
    """Hook mute_throws."""
    state, _ = after(beside_each_other("S1"), coins=(coin,), mute_throws=50)
    row = state["seat_rows"][0]

    assert (row["snow_thrown"], row["snow_muted"]) == (1, coin)
    assert state["lying"][1] == 1 - coin


@pytest.mark.parametrize("effect", ["S1", "G1"])
def test_passing_is_no_throw_and_no_groomer_move(effect: str) -> None:
    """The optional switches: nobody is hit or moved, the last of six seats neither."""
    case = beside_each_other(
        effect, players=6, figures=[[1, 1, "up"], *[[3, 2, "up"]] * 5],
        rules={"rules.snowball.optional": True, "rules.groomer.optional": True},
    )  # fmt: skip
    state, _ = after(case, 0)
    rows = state["seat_rows"]

    assert rows["snow_thrown"].sum() == rows["groom_used"].sum() == 0
    assert state["lying"].sum() == 0
    assert len(set(state["cell"][1:].tolist())) == 1


@pytest.mark.parametrize("coin", [0, 1])
def test_a_spared_fall_is_counted_and_leaves_the_figure_upright(coin: int) -> None:
    """Hook soft_falls: a fall without a step, in the second part of the game."""
    case = {"players": 2, "cards": [[1, 1, "P1", "P1"]], "figures": [[1, 2, "up"], [1, 1, "up"]],
            "event": "ride 0"}  # fmt: skip
    state, _ = after(case, coins=(coin,), soft_falls=50)
    row = state["seat_rows"][0]

    assert (row["falls"], row["falls_zero"], row["falls_spared"]) == (1, 1, coin)
    assert row["falls_phase"].tolist() == [1, 0, 0, 0]
    assert row["falls_spared_phase"].tolist() == [coin, 0, 0, 0]
    assert state["lying"][0] == 1 - coin


# ------------------------------------------------------------------------------- the empty stack
READY = {  # seat 0 may forgo: a road leads straight down to the goal
    "players": 2, "rules": ONE_CARD, "event": "cards 0",
    "cards": [[2, 1, "P1", "P2"], [3, 1, "P1", "P3"], *([0, row, "P1", "P1"] for row in (9, 11))],
    "figures": [[0, 9, "up"], [0, 9, "up"]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("hook", "taken", "forgone"), [("", 0, 1), ("no_take", 0, 1), ("no_forgo", 1, 0)]
)
def test_an_experiment_may_forbid_to_take_or_to_forgo(hook: str, taken: int, forgone: int) -> None:
    """The first option is to forgo, then the cards from left to right."""
    state, _ = after(READY, **({hook: 1} if hook else {}))
    row = state["seat_rows"][0]

    assert (row["taken"], row["forgone"]) == (taken, forgone)
    assert row["seat_asked"] == {"": 1, "no_take": 0, "no_forgo": 2}[hook]


def test_without_a_road_to_the_goal_an_experiment_cannot_forbid_to_take() -> None:
    """Hook no_take: PG-EMPTY-02 goes first."""
    case = {**READY, "figures": [[2, 1, "up"], [0, 9, "up"]]}
    state, _ = after(case, no_take=1)

    assert state["seat_rows"][0]["taken"] == 1


def test_the_first_turn_that_meets_an_empty_stack_is_kept() -> None:
    """Seat 0 draws the last card, seat 1 meets the empty stack in the second turn, seat 2 too."""
    case = {
        "players": 3, "cards": [[1, 1, "P1", "P1"]], "figures": [[1, 1, "up"]] * 3,
        "rules": ONE_CARD, "stack": ["P1/P1"], "event": "turn 0; turn 1; turn 2",
    }  # fmt: skip
    state, _ = after(case)

    assert state["game_rows"][0]["stack_empty_turn"] == 2


LONE = {  # one card, which seat 0 takes and lays beside the lift
    "players": 2, "rules": ONE_CARD, "event": "cards 0", "cards": [[2, 5, "P1", "P2"]],
    "figures": [[0, 0, "up"], [0, 0, "up"]],
}  # fmt: skip


def test_the_reach_of_the_slope_shrinks_with_the_card_that_is_taken() -> None:
    """PG-EMPTY-04: columns and lowest row are those of the cards that lie."""
    state, _ = after(LONE)

    assert state["seat_rows"][0]["taken"] == 1
    assert (state["left_end"], state["right_end"], state["bottom"]) == (-1, 0, 1)


def test_a_space_that_is_taken_away_forgets_who_landed_there() -> None:
    """Seat 0 rides from the upper card onto the lower one, seat 1 takes the upper one."""
    columns = {0: (3, 5), 2: (3,)}
    case = {
        "players": 3, "rules": ONE_CARD, "event": "ride 0; ride 0; cards 1",
        "cards": [[x, row, "P1", "P1"] for x, rows in columns.items() for row in rows],
        "figures": [[0, 3, "up"], [0, 6, "up"], [2, 3, "up"]],
    }  # fmt: skip
    state, _ = after(case)

    assert state["seat_rows"][1]["taken"] == 1
    assert [cell % s.STRIDE - 1 for cell in state["ridden"].nonzero()[0]] == [5]
    assert state["card_ridden"].sum() == 1
