"""Courses: the table of specification 2.5, tiles and rows, lanes, files, routes of a move."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulate import rules
from simulate.errors import RulesError
from simulate.games.biathlon import bounds, layout, state

GAME = "biathlon"
BASE = rules.load(GAME)

# specification 2.5: finish, shooting rows, uphill rows, downhill rows, white rows, race
TABLE = {
    "starter": (45, "18 34", "9-12", "25-28", "13 19 29 35", "short"),
    "flat_short": (45, "18 34", "", "", "13 19 29 35", "short"),
    "hilly_short": (45, "18 34", "5-8 21-24", "13-16 29-32", "9 19 25 35", "short"),
    "mini_one": (29, "14", "9-12", "17-20", "15", "short"),
    "long_three": (65, "18 34 50", "9-12 41-44", "25-28 53-56", "13 19 29 35 45 51", "long"),
    "long_four": (
        81,
        "18 34 50 66",
        "9-12 41-44",
        "25-28 57-60",
        "13 19 29 35 45 51 61 67",
        "long",
    ),
    "ranges_early": (45, "10 18", "25-28", "33-36", "11 13 19 37", "short"),
    "ranges_late": (45, "26 34", "9-12", "17-20", "21 27 29 35", "short"),
    "hills_apart": (45, "18 34", "5-8 25-28", "", "13 19 29 35", "short"),
    "hills_together": (45, "18 34", "5-12", "", "13 19 29 35", "short"),
    "ranges_adjacent": (45, "22 26", "9-12", "29-32", "13 23 27 33", "short"),
}


def _rows(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split():
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def test_the_table_names_every_layout():
    assert set(TABLE) == set(BASE.data["layouts"])


@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("name", TABLE)
def test_layout_of_the_specification(name, lanes):
    finish, shooting, uphill, downhill, white, race = TABLE[name]
    loaded = rules.load(GAME, overrides=[f"course.layout={name}", f"course.lanes={lanes}"])
    row = loaded.record[0]
    assert row["rows"] + 1 == finish
    assert row["lanes"] == lanes
    assert list(row["range_row"][: row["n_ranges"]]) == _rows(shooting)
    for code, wanted in (
        (state.SHOOTING, shooting),
        (state.UPHILL, uphill),
        (state.DOWNHILL, downhill),
        (state.WHITE, white),
        (state.FREE, "1"),
    ):
        for lane in range(lanes):
            found = [at for at in range(finish) if row["space"][at, lane] == code]
            assert found == _rows(wanted)
    assert ("short", "long")[row["race"]] == race
    assert loaded.vocabularies["layouts"] == [name]


def test_course_by_letters_kinds_text_or_rows_is_the_same_course():
    name = BASE.record[0]["space"].tobytes()
    for told in (
        list("ATUCSTDCSTG"),
        ["start", "straight", "uphill", "C", "S", "T", "D", "C", "shooting", "T", "goal"],
        "ATUCSTDCSTG",
        "A T U C S T D C S T G",
        layout.course_rows(BASE.model),
    ):
        loaded = rules.with_overrides(BASE, {"course.layout": told})
        assert loaded.record[0]["space"].tobytes() == name


def test_words_for_courses_without_a_name():
    tiles = rules.with_overrides(BASE, {"course.layout": "A T S T G"})
    assert tiles.vocabularies["layouts"] == ["ATSTG"]
    rows = rules.with_overrides(BASE, {"course.layout": ["FF", "PU", "S", "WP"]})
    assert rows.vocabularies["layouts"][0].startswith("rows-")
    assert list(rows.record[0]["space"][2, :2]) == [state.PLAIN, state.UPHILL]


def test_lanes_of_a_row():
    rows = {"course.layout": ["FF", "PU", "S", "W"], "course.lanes": 1}
    assert layout.course_rows(rules.with_overrides(BASE, rows).model) == ["F", "P", "S", "W"]
    wide = {"course.layout": ["F", "PUD", "S", "WW"], "course.lanes": 3}
    assert layout.course_rows(rules.with_overrides(BASE, wide).model) == ["FFF", "PUD", "S", "WWW"]


def test_double_sided_inventory():
    tiles = "A U D U D U D S C C C G"
    with pytest.raises(RulesError, match="kind uphill"):
        rules.with_overrides(BASE, {"course.layout": tiles})
    box = {"course.layout": tiles, "tiles.inventory": "double_sided"}
    rules.with_overrides(BASE, box)
    box["course.layout"] = "A U D U D U D S C C C T T T T T G"
    with pytest.raises(RulesError, match="at most 4 straight"):
        rules.with_overrides(BASE, box)
    rules.with_overrides(BASE, box | {"tiles.enforce": False})


def test_course_file(tmp_path: Path):
    tiles, rows = tmp_path / "bend.toml", tmp_path / "other.toml"
    tiles.write_text('tiles = "A C T S T G"\nsource = "assumed: a test"\n')
    rows.write_text('name = "steps"\nrows = ["F", "P", "UU", "S", "P"]\n')
    first, second = rules.with_layouts(BASE, f"{tiles},{rows}", root_seed=1)
    assert first.vocabularies["layouts"] == ["bend"]
    assert second.vocabularies["layouts"] == ["steps"]
    assert second.record[0]["rows"] == 5


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ('tiles = "A Q G"', "Q"),
        ("tilez = 3", "did you mean"),
        ("rows = 3", "allowed"),
        ("", "tiles or rows"),
        ("name = 3\nrows = ['P']", "name = 3"),
        ("rows = [", "no valid TOML"),
    ],
)
def test_bad_course_file_is_named(tmp_path: Path, content, part):
    file = tmp_path / "my.toml"
    file.write_text(content)
    with pytest.raises(RulesError) as caught:
        rules.with_layouts(BASE, str(file), root_seed=1)
    assert str(file) in str(caught.value)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    "text", ["startr", "", "none.toml", "starter,,mini_one", "random*0", "random*-1"]
)
def test_course_that_is_none(text):
    with pytest.raises(RulesError):
        rules.with_layouts(BASE, text, root_seed=1)


def test_all_courses():
    assert len(rules.with_layouts(BASE, "all", root_seed=1)) == len(TABLE)


def test_two_files_of_one_name(tmp_path: Path):
    for folder, tiles in (("a", "A T G"), ("b", "A C G")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(f'tiles = "{tiles}"')
    text = f"{tmp_path}/a/mine.toml,{tmp_path}/b/mine.toml"
    with pytest.raises(RulesError, match="two layouts are called"):
        rules.with_layouts(BASE, text, root_seed=1)


def test_record_of_every_shipped_layout_fits_with_two_and_three_lanes():
    for lanes, name in itertools.product((2, 3), TABLE):
        told = {"course.lanes": lanes, "course.layout": name}
        model = rules.with_overrides(BASE, told).model
        assert bounds.route_bound(model).routes <= state.MAX_ROUTES


def test_three_lanes_and_an_open_sprint_column_fit():
    model = rules.load(GAME, variants=["lanes_3", "sprint_cap_none"]).model
    assert bounds.longest_move(model) == 21
    assert bounds.route_bound(model).routes <= state.MAX_ROUTES


def test_longest_move():
    assert bounds.longest_move(BASE.model) == 15  # 10 dice, token 8 adds 1 and the sprint column
    assert bounds.longest_move(rules.load(GAME, overrides=["wax.per_turn=0"]).model) == 10


def _routes(rows: list[str], lanes: int, at: tuple[int, int], steps: int, held: list[int]) -> int:
    """Routes of exactly ``steps`` steps by the printed rules (BI-MOVE-02 to -06), one by one."""
    course = ["", *rows, ""]

    def walk(row: int, lane: int, left: int, credit: int) -> int:
        if not left:
            return 1
        shared, ahead = course[row] in ("S", ""), course[row + 1]
        then = 1 if row in held else credit
        total = 0
        if ahead in ("S", ""):
            total += 1
        else:
            for to in range(lanes):
                if shared or to == lane or (abs(to - lane) == 1 and ahead[to] == "W"):
                    total += walk(row + 1, to, left - 1, then)
        if not shared and credit:
            total += sum(
                walk(row, to, left - 1, 0) for to in (lane - 1, lane + 1) if 0 <= to < lanes
            )
        return total

    return walk(*at, steps, 1)


@given(st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_route_bound_is_never_below_a_count_one_by_one(data):
    lanes = data.draw(st.integers(1, 3))
    letters = st.sampled_from(["P", "P", "W", "S"])
    rows = [
        r if r == "S" else r * lanes for r in data.draw(st.lists(letters, min_size=1, max_size=9))
    ]
    steps = data.draw(st.integers(1, 7))
    rivals = data.draw(st.integers(0, 3))
    held = data.draw(st.lists(st.integers(0, len(rows)), min_size=rivals, max_size=rivals))
    row = data.draw(st.integers(0, len(rows)))
    shared = row == 0 or rows[row - 1] == "S"
    lane = 0 if shared else data.draw(st.integers(0, lanes - 1))
    counted = _routes(rows, lanes, (row, lane), steps, held)
    window = bounds._window(tuple(rows), row, steps)
    exact = bounds._exact_count(window, lanes, steps, rivals)
    loose = max(bounds._loose_counts(tuple(rows), lanes, steps, rivals)[row])
    assert counted <= exact <= loose


def test_exact_count_is_reached():
    rows = ["P" * 2] * 8
    best = max(
        _routes(rows, 2, (1, 0), 6, list(held)) for held in itertools.combinations(range(9), 2)
    )
    assert bounds._exact_count(bounds._window(tuple(rows), 1, 6), 2, 6, 2) == best


@pytest.mark.parametrize(("lanes", "from_middle"), [(2, 0), (3, 1)])
def test_routes_of_plain_steps_with_nobody_near(lanes, from_middle):
    """Exact figure X22: N + 1 with two lanes, 2N + 1 with three from the middle."""
    for steps in range(1, 10):
        counts = bounds._loose_counts(tuple(["P" * lanes] * 12), lanes, steps, 0)
        assert counts[1][from_middle] == (lanes - 1) * steps + 1
