"""Random layouts: legal, seeded, within the box, tips kept unless switched off, equally likely."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulate import rules
from simulate.errors import RulesError
from simulate.games.biathlon import courses

GAME = "biathlon"
BASE = rules.load(GAME)
COUNT = BASE.data["tiles"]["count"]
GOLDEN = ["AUTCSDTSTUG", "ACCSCUDTUSG"]  # seed 1, by letter


def _model(**keys):
    return rules.with_overrides(BASE, {f"course.{key}": value for key, value in keys.items()}).model


@given(
    tiles=st.one_of(st.just("any"), st.integers(2, 20)),
    ranges=st.one_of(st.just("any"), st.integers(0, 4)),
    tips=st.booleans(),
    seed=st.integers(0, 2**62),
    count=st.integers(1, 4),
)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_random_layouts_are_legal(tiles, ranges, tips, seed, count):
    model = _model(random_tiles=tiles, random_ranges=ranges, random_tips=tips)
    try:
        layouts = courses.random_layouts(model, count, seed)
    except RulesError as error:
        assert "different layouts are legal" in str(error)
        return
    assert len({tuple(one) for one in layouts}) == count
    for one in layouts:
        assert one[0] == "start"
        assert one[-1] == "goal"
        assert not {"start", "goal"} & set(one[1:-1])
        used = Counter(one)
        assert all(used[kind] <= COUNT[kind] for kind in used)
        assert tiles in ("any", len(one))
        assert ranges in ("any", used["shooting"])
        pairs = list(itertools.pairwise(one))
        if tips:
            assert ("shooting", "shooting") not in pairs
            assert ("uphill", "uphill") not in pairs


def test_random_layouts_load_without_warnings():
    loaded = rules.with_layouts(BASE, "random*5", root_seed=7)
    assert len({one.vocabularies["layouts"][0] for one in loaded}) == 5
    assert all(one.warnings == [] for one in loaded)
    assert all(one.record[0]["n_ranges"] == 2 for one in loaded)


def test_same_seed_same_layouts_and_more_go_on_from_fewer():
    model = BASE.model
    assert courses.random_layouts(model, 8, 3)[:3] == courses.random_layouts(model, 3, 3)
    assert courses.random_layouts(model, 8, 3) != courses.random_layouts(model, 8, 4)


def test_random_layouts_of_a_seed_stay_the_same():
    drawn = rules.with_layouts(BASE, "random*2", root_seed=1)
    assert [one.vocabularies["layouts"][0] for one in drawn] == GOLDEN


def test_count_of_legal_layouts_by_enumeration():
    """Five tiles between start and goal, two of them ranges, tips kept: counted one by one."""
    kinds = [kind for kind in COUNT if kind not in ("start", "goal")]
    legal = 0
    for middle in itertools.product(kinds, repeat=5):
        used = Counter(middle)
        apart = all(
            a != b or a not in ("shooting", "uphill") for a, b in itertools.pairwise(middle)
        )
        legal += used["shooting"] == 2 and apart and all(used[k] <= COUNT[k] for k in used)
    model = _model(random_tiles=7, random_ranges=2)
    found = courses._Legal(model)
    assert found.total == legal
    every = {tuple(found.nth(5, 2, index)) for index in range(legal)}
    assert len(every) == legal


def test_every_layout_is_equally_likely():
    """All layouts of 4 tiles: 5 kinds twice, without two ranges or two uphills in a row."""
    model = _model(random_tiles=4, random_ranges="any")
    by_ranges = courses._Legal(model).shapes[2]
    assert by_ranges == {0: 15, 1: 8}
    coin, legal = courses._Coin(11, 0), courses._Legal(model)
    seen = Counter(tuple(legal.draw(coin)) for _ in range(4600))
    for layout, number in seen.items():
        expected = 4600 / 2 / by_ranges[layout.count("shooting")]
        assert abs(number - expected) < 5 * expected**0.5
    assert len(seen) == 23


def test_big_numbers_are_uniform_in_bounds():
    coin = courses._Coin(1, 2)
    limit = 3 * 2**40
    drawn = [coin.below(limit) for _ in range(300)]
    assert all(0 <= one < limit for one in drawn)
    assert 70 < sum(one < limit // 3 for one in drawn) < 130
    assert coin.below(1) == 0


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"random_tiles": 3, "random_ranges": 2}, "only 0 different layouts"),
        ({"random_tiles": 2, "random_ranges": 0}, "only 1 different layouts"),
        ({"random_ranges": 5}, "only 0 different layouts"),
    ],
)
def test_too_few_legal_layouts(keys, text):
    with pytest.raises(RulesError, match=text):
        courses.random_layouts(_model(**keys), 2, 1)


def test_double_sided_box_has_more_hills():
    base = rules.with_overrides(
        BASE,
        {
            "tiles.inventory": "double_sided",
            "course.random_tiles": 20,
            "course.random_ranges": 4,
            "mode.race": "auto",
        },
    )
    for one in courses.random_layouts(base.model, 20, 5):
        used = Counter(one)
        over = sum(max(0, used[kind] - COUNT[kind]) for kind in ("uphill", "downhill", "corner"))
        assert used["straight"] + over <= COUNT["straight"]


def test_any_tiles_without_the_box():
    model = rules.with_overrides(
        BASE,
        {"tiles.enforce": False, "course.random_tiles": 30, "course.max_tiles": 30},
    ).model
    (one,) = courses.random_layouts(model, 1, 1)
    assert len(one) == 30


def test_random_ranges_make_a_long_race():
    base = rules.with_overrides(BASE, {"course.random_tiles": 16, "course.random_ranges": 3})
    for one in rules.with_layouts(base, "random*3", root_seed=2):
        assert one.record[0]["race"] == 1
