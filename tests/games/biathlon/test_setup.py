"""Setup, modes and endings that a scripted position cannot express (rulebook: Setup, Game End)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulate import rng, rules
from simulate.errors import RulesError
from simulate.games.biathlon import entries, words
from simulate.games.biathlon import state as s

rule = pytest.mark.rule


class Table:
    """A race at the table: start, answer, look."""

    def __init__(self, players: int = 4, *overrides: str, root: int = 1, block: int = 0) -> None:
        self.rules = rules.load("biathlon", overrides=overrides)
        self.record = self.rules.record[0]
        self.state, self.work = entries.new_state(), entries.new_work()
        self.events = entries.new_events(0)
        entries.start(
            self.state, self.record, self.work, self.events, entries.no_treatments(), players, root,
            block,
        )  # fmt: skip

    def options(self) -> list[str]:
        return words.options(self.state, self.record, self.work, self.rules.vocabularies)

    def answer(self, index: int = 0) -> None:
        code = int(self.work["options"][index])
        entries.apply(self.state, self.record, self.work, self.events, code)

    def play(self, seed: int = 3) -> tuple[Any, Any]:
        """Answer at random until the race is over; the records."""
        coin = np.zeros(1, np.uint64)
        rng.open_stream(coin, 0, seed, 0, rng.POLICY, 0)
        while not self.state["over"]:
            self.answer(int(rng.below(coin, 0, int(self.work["n_options"]))))
        game, seats = entries.new_rows()
        entries.finish(self.state, self.record, game, seats)
        return game[0], seats[: int(self.state["n_seats"])]


FIXED = "wax.loadout=L0"


@rule("BI-SCOPE-01")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_one_skier_each_and_the_race_goes_on_until_nobody_races(players: int) -> None:
    """Three to five players: places go on to the last skier."""
    game, seats = Table(players, FIXED).play()

    assert len(seats) == players
    assert set(seats["status"]) <= {s.HOME, s.OUT}
    assert game["finishers"] + game["collapses"] == players


@rule("BI-SCOPE-02", "BI-SET-10", "BI-TWO-01")
def test_two_players_run_two_skiers_each_and_stop_at_the_first_skier_home() -> None:
    """Seats in blocks: player 1 has seats 1 and 2."""
    game, seats = Table(2, FIXED).play()

    assert [int(side) for side in seats["side"]] == [0, 0, 1, 1]
    assert game["finishers"] == 1
    assert game["rounds_total"] == game["rounds_win"]


@rule("BI-TWO-01")
def test_two_players_alternate_with_the_switch() -> None:
    """rules.two_player_seating=alternating"""
    _, seats = Table(2, FIXED, "rules.two_player_seating=alternating").play()

    assert [int(side) for side in seats["side"]] == [0, 1, 0, 1]


@rule("BI-SCOPE-03")
def test_one_skier_alone_is_a_test_mode() -> None:
    """One skier races home without anybody to pay for."""
    game, seats = Table(1, FIXED).play()

    assert seats[0]["place"] == 1
    assert game["entries_paid"] == 0


@rule("BI-SCOPE-04", "BI-SCOPE-05", "BI-SCOPE-06", "BI-SET-05")
@pytest.mark.parametrize(
    ("layout", "race", "level"),
    [("long_three", "auto", 3), ("starter", "auto", 2), ("starter", "short_top", 3)],
)
def test_markers_start_on_the_row_of_the_race(layout: str, race: str, level: int) -> None:
    """Top row for a long race or short_top, second row for a short race."""
    table = Table(4, FIXED, f"course.layout={layout}", f"mode.race={race}")

    assert table.state["stamina"][:4].tolist() == [[level] * 5] * 4


@rule("BI-SCOPE-04", "BI-SCOPE-05")
@pytest.mark.parametrize(("layout", "race"), [("starter", "long"), ("long_three", "short")])
def test_a_race_of_the_wrong_length_is_an_error(layout: str, race: str) -> None:
    """Long needs three ranges, short has at most two."""
    with pytest.raises(RulesError, match="mode.race"):
        rules.load("biathlon", overrides=[f"course.layout={layout}", f"mode.race={race}"])


@rule("BI-SCOPE-07", "BI-SET-01")
def test_a_course_begins_with_start_and_ends_with_goal() -> None:
    """Anything between is the designer's choice; also courses that break the tips."""
    assert Table(4, FIXED, "course.layout=ranges_adjacent").play()[0]["result"] in (0, 1)
    with pytest.raises(RulesError, match="start"):
        rules.load("biathlon", overrides=['course.layout=["straight", "goal"]'])


@rule("BI-SET-02")
@pytest.mark.parametrize("layout", ["ranges_adjacent", "hills_together"])
def test_a_broken_tip_is_a_warning_never_an_error(layout: str) -> None:
    """Tips are called suggestions."""
    assert rules.load("biathlon", overrides=[f"course.layout={layout}"]).warnings
    assert not rules.load("biathlon").warnings


@rule("BI-SCOPE-08", "BI-SCOPE-09")
@pytest.mark.parametrize(("use", "low", "high"), [("basic", 0, 4), ("advanced", 5, 9)])
def test_basic_and_advanced_nations_race(use: str, low: int, high: int) -> None:
    """Nations are drawn from those in use."""
    for block in range(20):
        nations = Table(4, FIXED, f"nations.use={use}", block=block).state["nation"][:4]
        assert nations.min() >= low
        assert nations.max() <= high


@rule("BI-SCOPE-09", "BI-SET-04")
def test_no_two_skiers_share_a_board() -> None:
    """Front and back of a board exclude each other, also when basic and advanced are mixed."""
    mixed = set()
    for block in range(60):
        table = Table(5, FIXED, "nations.use=mixed", block=block)
        nations = table.state["nation"][:5]
        boards = {int(table.record["board"][nation]) for nation in nations}
        assert len(boards) == 5
        mixed.update(int(nation) for nation in nations)
    assert mixed == set(range(10))


@rule("BI-SET-04")
def test_choosing_nations_offers_only_free_boards() -> None:
    """D-NATION: once Norway is taken, Austria on its back is gone too."""
    table = Table(3, FIXED, "nations.use=mixed", "nations.assign=chosen")
    first = table.options()
    table.answer(first.index("Norway"))

    assert len(first) == 10
    assert set(first) - set(table.options()) == {"Norway", "Austria"}


def test_drawn_nations_are_balanced_over_seats() -> None:
    """In five blocks every board sits once at every seat."""
    nations = np.array([Table(5, FIXED, block=block).state["nation"][:5] for block in range(5)])

    for seat in range(5):
        assert sorted(nations[:, seat]) == [0, 1, 2, 3, 4]


@rule("BI-SET-03")
def test_shooting_dice_are_never_short() -> None:
    """Shots are rolled one by one: a visit has five shots of whatever colours the markers ask."""
    _, seats = Table(4, FIXED).play()
    visits = (seats["hits"] >= 0).sum()

    assert visits >= 1
    assert ((seats["hits"] + seats["misses"])[seats["hits"] >= 0] == 5).all()


@rule("BI-SET-06", "BI-SET-08")
def test_all_start_behind_the_line_with_ten_dice() -> None:
    """Before the first roll nothing is on the board; then half of ten dice is rolled."""
    table = Table(4, "nations.assign=drawn")

    assert table.state["row"][:4].tolist() == [0] * 4
    assert table.state["shots_made"][:4].tolist() == [0] * 4
    assert table.state["owed"][:4].tolist() == [0] * 4
    assert table.state["cols"].sum() + table.state["sprint"].sum() == 0


@rule("BI-SET-07")
def test_six_of_eight_tokens_are_laid_in_any_order() -> None:
    """D-WAXPICK: the tokens left, in number order; two stay out of the game."""
    table = Table(3)
    offered = []
    for _ in range(6):
        offered.append(table.options())
        table.answer(len(offered[-1]) - 1)

    assert offered[0] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert offered[1] == ["1", "2", "3", "4", "5", "6", "7"]
    assert table.state["slots"][0][:6].tolist() == [8, 7, 6, 5, 4, 3]
    assert int(table.state["to_move"]) == 1


@rule("BI-SET-07")
def test_equal_tokens_are_offered_once() -> None:
    """The set of single icons holds tokens 1 and 13 twice."""
    table = Table(3, "wax.set=single")
    first = table.options()
    table.answer(0)

    assert first == ["1", "3", "4", "5", "6", "13"]
    assert table.options() == first


@rule("BI-SET-09")
def test_the_first_marker_is_drawn_unless_fixed() -> None:
    """Every seat gets it; with setup.first=seat1 it is seat 1."""
    drawn = {int(Table(4, FIXED, block=block).state["first_seat"]) for block in range(40)}
    fixed = {
        int(Table(4, FIXED, "setup.first=seat1", block=block).state["first_seat"])
        for block in range(10)
    }

    assert drawn == {0, 1, 2, 3}
    assert fixed == {0}


def _marker_after_rounds(*overrides: str) -> list[int]:
    """Marker seats at the first question of each round, with seat 2 already home."""
    table = Table(3, FIXED, "setup.first=seat1", *overrides)
    table.state["status"][1] = s.HOME
    table.state["row"][1] = int(table.record["rows"]) + 1
    seen: dict[int, int] = {}
    while not table.state["over"] and len(seen) < 5:
        seen.setdefault(int(table.state["round"]), int(table.state["marker"]))
        table.answer()
    return [seen[number] for number in sorted(seen)]


@rule("BI-RND-03")
def test_the_marker_moves_one_seat_even_onto_a_seat_that_is_home() -> None:
    """rules.marker_skips_inactive=false: literally one step."""
    assert _marker_after_rounds()[:4] == [0, 1, 2, 0]


@rule("BI-RND-03")
def test_the_marker_skips_inactive_seats_with_the_switch() -> None:
    """rules.marker_skips_inactive=true"""
    assert _marker_after_rounds("rules.marker_skips_inactive=true")[:4] == [0, 2, 0, 2]


@rule("BI-END-03", "BI-END-04")
def test_collapsed_skiers_share_the_ranks_not_taken() -> None:
    """One home, three collapsed: ranks 1 and three times 3; all collapsed: no winner."""
    table = Table(4, FIXED)
    state = table.state
    state["status"][:4] = [s.HOME, s.OUT, s.OUT, s.OUT]
    state["place"][0], state["finished"], state["winner"] = 1, 1, 0
    state["game_rows"][0]["rounds_win"] = 9
    game, seats = entries.new_rows()
    entries.finish(state, table.record, game, seats)

    assert seats["rank"][:4].tolist() == [1.0, 3.0, 3.0, 3.0]
    assert seats["win_share"][:4].tolist() == [1.0, 0.0, 0.0, 0.0]

    table = Table(4, FIXED)
    table.state["status"][:4] = s.OUT
    entries.finish(table.state, table.record, game, seats)

    assert seats["rank"][:4].tolist() == [2.5] * 4
    assert seats["win_share"][:4].tolist() == [0.0] * 4
    assert game[0]["winner_seat"] == -1
    assert words.RESULTS[int(game[0]["result"])] == "all_collapsed"


def test_a_stuck_game_is_truncated_and_counted() -> None:
    """The sanity limit ends the game; it leaves a record and nobody wins."""
    game, seats = Table(4, FIXED, "sim.max_rounds=3").play()

    assert game["truncated"]
    assert game["rounds_total"] == 3
    assert seats["win_share"].sum() == 0


def test_a_race_stopped_by_the_limit_has_no_winner() -> None:
    """sim.max_rounds: nobody wins, whoever is ahead."""
    table = Table(4, FIXED, "sim.max_rounds=2")
    game, seats = table.play()

    assert (game["truncated"], game["result"], game["winner_seat"]) == (1, 2, -1)
    assert seats["win"].sum() == 0
    assert seats["win_share"].sum() == 0
    assert game["rounds"] == 2


def test_of_a_race_that_is_over_nobody_is_asked() -> None:
    """The list of options is empty, whatever stood there before."""
    table = Table(3, FIXED)
    table.play()
    table.work["n_options"] = 3

    assert entries.legal(table.state, table.record, table.work) == 0
    assert table.work["n_options"] == 0
