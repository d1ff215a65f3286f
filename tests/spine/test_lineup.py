"""Line-up texts: what they mean, and what is said about those that mean nothing."""

from __future__ import annotations

import pytest

from simulate import registry
from simulate.errors import PlanError, StrategyError
from strategies import lineup


@pytest.fixture
def book(toy):
    return registry.book("toy")


def test_entries_repeat_and_take_parameters(book):
    line = lineup.parse(book, ["runner:near=4,walker,random*2"], [4])

    assert [i.label for i in line.instances] == ["runner:near=4", "walker", "random"]
    assert line.entries(4) == (0, 1, 2, 2)
    assert line.params()[0, :2].tolist() == [4.0, 1.0]


def test_one_entry_alone_fills_the_table(book):
    assert lineup.parse(book, ["walker"], [2, 4]).entries(4) == (0, 0, 0, 0)


def test_equal_entries_are_one_instance(book):
    line = lineup.parse(book, ["runner,runner:near=3.0,walker"], [3])

    assert line.entries(3) == (0, 0, 1)


def test_a_text_for_each_player_count(book):
    line = lineup.parse(book, ["runner,walker", "random,walker,runner"], [2, 3])

    assert (len(line.entries(2)), len(line.entries(3))) == (2, 3)


def test_default_line_up_by_player_count(book):
    line = lineup.parse(book, [], [2, 4])

    assert line.entries(2) == (0, 1)
    assert line.entries(4) == (0, 1, 2, 2)


def test_mix_draws_from_a_pool(book):
    line = lineup.parse(book, ["mix(runner:near=2|walker)*2,random"], [3])

    assert line.entries(3) == (-1, -1, 2)
    assert line.pool == (0, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("runer", "Did you mean 'runner'"),
        ("runner:neer=2", "Did you mean 'near'"),
        ("runner:near=99", "goes from 0 to 20"),
        ("runner:near", "no value is no number"),
        ("runner:near=nan", "out of bounds"),
        ("walker:x=1", "has no parameters"),
        ("runner,walker", "has 2 positions, but 3 players"),
        ("runner*0", "1 to 8"),
        ("runner*x", "1 to 8"),
        ("runner*", "1 to 8"),
        ("walker*9", "1 to 8"),
        ("", "is empty"),
        ("runner,,walker", "empty entry"),
        ("mix(runner|walker", "bracket"),
        ("mix()*3", "no strategy name"),
        ("mix(runner|walker),mix(random),walker", "one pool"),
        (":near=3", "no strategy name"),
    ],
)
def test_what_means_nothing_is_told(book, text, words):
    with pytest.raises(StrategyError, match=words.replace("(", "\\(")):
        lineup.parse(book, [text], [3])


def test_rotations_are_the_distinct_ones():
    assert lineup.rotations([0, 1, 2]) == [0, 1, 2]
    assert lineup.rotations([0, 1, 0, 1]) == [0, 1]
    assert lineup.rotations([0, 0, 0]) == [0]
    assert lineup.rotations([-1, -1, 0]) == [0, 1, 2]


def test_cells_are_rotations_and_one_equal_cell(book):
    line = lineup.parse(book, ["runner,walker,random"], [3])
    rows = lineup.cells(line, {(3, 0): 3})

    assert rows["rotation"].tolist() == [0, 1, 2, 0]
    assert rows["equal"].tolist() == [0, 0, 0, 1]
    assert rows["entry"][3, :3].tolist() == [-1, -1, -1]
    assert len(lineup.cells(line, {(3, 0): 3}, "fixed", equal=False)) == 1
    assert lineup.cells(line, {(3, 0): 3}, "random")["random_seating"].tolist() == [1, 0]
    with pytest.raises(PlanError, match="no seating"):
        lineup.cells(line, {(3, 0): 3}, "circle")


def test_one_strategy_has_no_equal_cell(book):
    line = lineup.parse(book, ["walker"], [3])

    assert len(lineup.cells(line, {(3, 0): 3})) == 1
