"""What the rows say of moments that are rare in a race, and records that are used again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import simulate
from simulate import rng, rules
from simulate.games.biathlon import entries, position
from simulate.games.biathlon import state as s

GARBAGE = 3  # every byte of a record that was used before


def used_state() -> Any:
    """A STATE record full of what is left of something else."""
    return np.full(s.STATE.itemsize, GARBAGE, np.uint8).view(s.STATE)[0]


def played(state: Any, players: int, block: int, *overrides: str) -> bytes:
    """Play a race with random answers; all of its rows."""
    record = rules.load("biathlon", overrides=overrides).record[0]
    work, events = entries.new_work(), entries.new_events(0)
    entries.start(state, record, work, events, entries.no_treatments(), players, 5, block)
    coin = np.zeros(1, np.uint64)
    rng.open_stream(coin, 0, 9, block, rng.POLICY, 0)
    while not state["over"]:
        index = int(rng.below(coin, 0, int(work["n_options"])))
        entries.apply(state, record, work, events, int(work["options"][index]))
    games, seats = entries.new_rows()
    entries.finish(state, record, games, seats)
    count = int(state["n_seats"])
    rows = [games[name].tobytes() for name in games.dtype.names]
    rows += [seats[name][:count].tobytes() for name in seats.dtype.names]
    return b"".join(rows)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_a_used_record_plays_the_same_race(players: int) -> None:
    """Setting up writes every field that the race reads."""
    options = ("course.layout=mini_one", "nations.use=mixed", "nations.assign=chosen")

    assert played(used_state(), players, 1, *options) == played(
        entries.new_state(), players, 1, *options
    )


def after(case: dict[str, Any], *, slide: bool = True) -> tuple[Any, Any]:
    """Play a position: first options, the dearest slide or none; the state and the rules."""
    resolved = rules.load("biathlon", overrides=position.overrides(case))
    record, vocabularies = resolved.record[0], resolved.vocabularies
    state, work = position.setup(case, record, vocabularies)
    for run in position.runs(case):
        position.begin(state, record, work, run)
        entries.resume(state, record, work, entries.new_events(0))
        while state["phase"] >= 0:
            code = int(work["options"][0])
            if slide and state["phase"] == s.ASK_SLIDE:
                code = 1 + int(work["route_cost"][: int(work["n_routes"])].argmax())
            entries.apply(state, record, work, entries.new_events(0), code)
    return state, record


def test_sixes_without_a_place_are_counted() -> None:
    """Five 6s on an empty board with a full sprint column all go back."""
    state, _ = after({"skiers": {"1": {"spr": 4}}, "event": "prep 1", "dice": [6, 6, 6]})
    row = state["seat_rows"][0]

    assert (row["dice_rolled"], row["dice_returned"], row["sixes_returned"]) == (3, 3, 3)
    assert (row["sixes_sprint"], row["sixes_star"], row["fives_refused"]) == (0, 0, 0)


def test_a_turn_without_a_shot_is_a_zero_turn() -> None:
    """On the shooting space with an empty board nothing is fired and nothing moves."""
    state, _ = after({"skiers": {"1": {"at": "S18"}}, "event": "turn 1"})
    row = state["seat_rows"][0]

    assert (row["shoot_turns"], row["move_turns"], row["zero_turns"]) == (1, 0, 1)
    assert state["tally"]["zero_turns"][18] == 1


def test_a_turn_with_a_step_is_no_zero_turn() -> None:
    """A die, a step."""
    state, _ = after({"skiers": {"1": {"at": [37, 1], "cols": [1, 0, 0, 0]}}, "event": "turn 1"})
    row = state["seat_rows"][0]

    assert (row["move_turns"], row["zero_turns"], row["steps_own"]) == (1, 0, 1)


def test_an_earlier_turn_does_not_make_a_zero_turn_of_another_less_empty() -> None:
    """Skier 1 moves, then skier 2 stands on the shooting space without dice."""
    skiers = {"1": {"at": [37, 1], "cols": [1, 0, 0, 0]}, "2": {"at": "S18"}}
    state, _ = after({"skiers": skiers, "event": "turn 1;turn 2"})

    assert [int(row["zero_turns"]) for row in state["seat_rows"][:2]] == [0, 1]


def test_stamina_paid_on_a_slide_is_told_apart() -> None:
    """The second held space of a slide costs one."""
    skiers = {
        "1": {"at": [24, 1], "cols": [1, 0, 0, 0], "st": [1, 0, 0, 0, 0]},
        "2": {"at": [26, 1]},
        "3": {"at": [27, 1]},
    }
    state, _ = after({"skiers": skiers, "event": "turn 1"})
    row = state["seat_rows"][0]

    assert state["game_rows"][0]["slides"] == 1
    assert (row["stam_paid_slide"], row["stam_paid_entry_own"]) == (1, 0)
    assert state["stamina"][0].sum() == 0


def test_staying_is_no_slide() -> None:
    """Neither a slide nor a step is counted."""
    skiers = {"1": {"at": [24, 1], "cols": [1, 0, 0, 0]}, "2": {"at": [26, 1]}}
    state, _ = after({"skiers": skiers, "event": "turn 1"}, slide=False)
    row = state["game_rows"][0]

    assert (row["slides"], row["slide_steps"]) == (0, 0)
    assert state["row"][0] == 25


@pytest.mark.parametrize(("rival", "gap"), [([40, 1], 5.0), ("out", -1.0), ([43, 2], 2.0)])
def test_the_gap_is_that_of_the_racing_skiers_when_the_winner_crosses(
    rival: Any, gap: float
) -> None:
    """Nobody left to race leaves the gap empty."""
    first = {"at": [43, 1], "cols": [0, 0, 0, 4]}
    state, _ = after({"skiers": {"1": first, "2": {"at": rival}}, "event": "turn 1"})
    row = state["game_rows"][0]

    assert (row["gap12"], row["gap1last"]) == (gap, gap)


def finished(case: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Play a position to its end: game row, seat rows, state."""
    state, record = after(case)
    games, seats = entries.new_rows()
    entries.finish(state, record, games, seats)
    return games, seats, state


def ended(players: int, **fields: list[int]) -> tuple[Any, Any]:
    """The rows of a race that ended with these fields of its four skiers."""
    record = rules.load("biathlon", overrides=["wax.loadout=L0"]).record[0]
    state, work = entries.new_state(), entries.new_work()
    none, events = entries.no_treatments(), entries.new_events(0)
    entries.start(state, record, work, events, none, players, 1, 0)
    for name, values in fields.items():
        state[name][:4] = values
    state["finished"] = sum(place > 0 for place in fields.get("place", []))
    if state["finished"]:
        state["game_rows"][0]["rounds_win"] = 9
    games, seats = entries.new_rows()
    entries.finish(state, record, games, seats)
    return games[0], seats[:4]


@pytest.mark.rule("BI-TWO-02")
def test_with_nobody_left_to_race_the_first_skier_home_decides() -> None:
    """both_skeeples: neither player has both home, the third seat was first."""
    game, seats = ended(2, status=[s.HOME, s.OUT, s.HOME, s.OUT], place=[2, -1, 1, -1])

    assert (game["winner_seat"], game["winner_player"]) == (2, 1)
    assert seats["win"].tolist() == [0, 0, 1, 1]
    assert seats["rank"].tolist() == [2.0, 3.5, 1.0, 3.5]


@pytest.mark.rule("BI-END-04")
def test_all_collapsed_score_by_the_distance_left() -> None:
    """No winner; the score still tells how far each came."""
    game, seats = ended(4, status=[s.OUT] * 4, row=[10, 20, 18, 0], owed=[0, 0, 3, 0])

    assert (game["winner_seat"], game["rounds_win"]) == (-1, -1)
    assert seats["score"].tolist() == [-35.0, -25.0, -30.0, -45.0]
    assert seats["win_share"].sum() == 0


@pytest.mark.rule("BI-SET-07")
@pytest.mark.parametrize("slots", [1, 2])
def test_each_slot_is_asked_for_even_a_single_one(slots: int) -> None:
    """D-WAXPICK comes up once a slot and seat."""
    record = rules.load("biathlon", overrides=[f"wax.slots={slots}"]).record[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    entries.start(state, record, work, events, entries.no_treatments(), 3, 1, 0)
    asked = 0
    while state["phase"] == s.ASK_WAXPICK:
        asked += 1
        entries.apply(state, record, work, events, int(work["options"][0]))

    assert asked == 3 * slots


@pytest.mark.rule("BI-SET-04")
def test_fixed_nations_sit_where_they_are_put() -> None:
    """nations.assign as a list: seat by seat."""
    told = ["Sweden", "Norway", "France", "Germany"]
    resolved = rules.load("biathlon", overrides={"nations.assign": told, "wax.loadout": "L0"})
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    none = entries.no_treatments()
    entries.start(state, resolved.record[0], work, events, none, 4, 1, 0)
    names = resolved.vocabularies["nations"]

    assert [names[int(nation)] for nation in state["nation"][:4]] == told


@pytest.mark.rule("BI-WAX-05", "BI-WAX-12")
def test_minus_is_not_usable_when_nothing_was_taken() -> None:
    """W2 with a total of 0: token 7 is PLUS only."""
    outcome = simulate.script(
        {
            "id": "BI-minus-at-zero",
            "skiers": {"1": {"at": [36, 1], "wax": [1, 2, 4, 5, 6, 7], "L": 5}},
            "event": "turn 1",
            "choices": [["D-WAX", "none"], ["D-WAX", "none"]],
        }
    )

    assert outcome.differences == []
    assert [asked["options"] for asked in outcome.questions] == [["none", "left/a"]] * 2


@pytest.mark.rule("BI-TWO-02")
@pytest.mark.parametrize(("last", "mate"), [("1", "2"), ("2", "1")])
def test_the_player_with_both_skiers_home_wins_though_a_rival_was_first(
    last: str, mate: str
) -> None:
    """both_skeeples: seat 3 and one of player 1 are home, now the other one crosses the line."""
    case = {
        "players": 2,
        "skiers": {
            mate: {"at": "home"},
            last: {"at": [44, 1], "cols": [1, 0, 0, 0]},
            "3": {"at": "home"},
            "4": {"at": [20, 1]},
        },
        "rules": {"rules.two_player_end": "both_skeeples"},
        "event": f"turn {last}",
    }
    games, seats, state = finished(case)

    assert (games[0]["winner_seat"], games[0]["winner_player"]) == (int(last) - 1, 0)
    assert seats["win"][:4].tolist() == [1, 1, 0, 0]
    assert int(state["to_move"]) == -1


@pytest.mark.rule("BI-TWO-02")
def test_a_single_skier_home_decides_when_nobody_is_left() -> None:
    """both_skeeples: three have collapsed."""
    game, _ = ended(2, status=[s.OUT, s.OUT, s.HOME, s.OUT], place=[-1, -1, 1, -1])

    assert (game["winner_seat"], game["winner_player"]) == (2, 1)


@pytest.mark.rule("BI-END-02")
def test_the_last_skier_gets_the_last_place_when_places_are_known() -> None:
    """placements_known: seat 3 never crosses the line and is third."""
    case = {
        "skiers": {
            "1": {"at": "home"},
            "2": {"at": [44, 2], "cols": [2, 0, 0, 0]},
            "3": {"at": [36, 1]},
        },
        "rules": {"rules.race_end": "placements_known"},
        "event": "turn 2",
    }
    _, seats, _ = finished(case)

    assert seats["place"][:3].tolist() == [1, 2, 3]
    assert seats["rank"][:3].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("race", "delta", "levels"),
    [
        ("auto", 1, [3, 2, 2, 2, 2]),
        ("auto", 7, [3, 3, 3, 3, 3]),
        ("short_top", 1, [3, 3, 3, 3, 3]),
        ("auto", -2, [1, 1, 2, 2, 2]),
        ("auto", -11, [0, 0, 0, 0, 0]),
    ],
)
def test_more_or_less_stamina_at_the_start_stays_on_the_board(
    race: str, delta: int, levels: list[int]
) -> None:
    """Hook stamina_delta: the lowest markers rise, the highest fall, one step each."""
    record = rules.load("biathlon", overrides=["wax.loadout=L0", f"mode.race={race}"]).record[0]
    state, work, treatments = entries.new_state(), entries.new_work(), entries.no_treatments()
    treatments[1]["stamina_delta"] = delta
    entries.start(state, record, work, entries.new_events(0), treatments, 3, 1, 0)

    assert state["stamina"][1].tolist() == levels
    assert state["stamina"][0].tolist() == state["stamina"][2].tolist()
