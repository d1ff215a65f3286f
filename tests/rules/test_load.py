"""Loading: layers in order, what is changed, digest, record, resolved values."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from simulate import rules
from simulate.errors import RulesError
from simulate.games.biathlon import resolve, schema, state

GAME = "biathlon"


def test_default_is_the_shipped_game():
    loaded = rules.load(GAME)
    assert loaded.game == GAME
    assert loaded.changed == {}
    assert loaded.warnings == []
    assert loaded.record.shape == (1,)
    assert loaded.record.dtype == state.RULES


def test_record_of_the_default():
    row = rules.load(GAME).record[0]
    assert row["layout"] == 0
    assert row["race_dice"] == 10
    assert list(row["shoot_hits"]) == [5, 4, 3, 2]
    assert row["levels"] == 4
    assert row["start_level"] == 2  # short race: second row from the top
    assert list(row["range_row"][:3]) == [18, 34, -1]
    assert row["rows"] == 44
    assert row["range_of_row"][18] == 0
    assert row["range_of_row"][34] == 1
    assert set(row["range_of_row"]) == {-1, 0, 1}
    assert list(row["ranges_ahead"][[0, 17, 18, 33, 34]]) == [2, 2, 1, 1, 0]
    assert list(row["next_range"][[0, 17, 18, 33, 34]]) == [18, 18, 34, 34, -1]
    assert list(row["space"][1, :2]) == [state.FREE, state.FREE]
    assert list(row["space"][18, :2]) == [state.SHOOTING, state.SHOOTING]
    assert row["nation_mode"] == state.NATIONS_DRAWN
    assert row["loadout_mode"] == state.LOADOUT_CHOSEN
    assert row["draft_from_shooting_space"] == 1
    assert row["slide_after_draft"] == 1
    assert row["penalty_lane_free"] == 1
    others = set(state.SWITCHES) - {
        "draft_from_shooting_space",
        "slide_after_draft",
        "penalty_lane_free",
    }
    assert all(row[name] == 0 for name in others)


def test_nations_of_the_record_are_those_of_specification_2_2():
    loaded = rules.load(GAME)
    row, names = loaded.record[0], loaded.vocabularies["nations"]
    assert names[:5] == ["Norway", "Germany", "Russia", "France", "Sweden"]
    assert names[5:] == ["Austria", "United Kingdom", "Italy", "USA", "Finland"]
    assert row["n_nations"] == len(names) == 10
    assert list(row["board"][:10]) == [0, 1, 2, 3, 4] * 2
    assert list(row["nation_usable"][:10]) == [1] * 5 + [0] * 5
    assert list(row["colour"][0, 0, :4]) == [3, 2, 1, 0]  # level 0 is blue
    usa = names.index("USA")
    assert list(row["colour"][usa, 0, :4]) == [3, 1, 0, 0]
    assert list(row["full_at"][names.index("Austria")]) == [4, 4, 3, 3]
    assert row["special_column"][names.index("Italy")] == 0
    assert row["special_column"][names.index("United Kingdom")] == 1
    assert row["special_column"][0] == -1
    assert row["printed_shoot"][names.index("Finland")] == 1
    assert row["printed_shoot"].sum() == 1


def test_codes_of_icons():
    for code, icon in enumerate(schema.ICONS, start=1):
        assert getattr(state, f"ICON_{icon}") == code


def test_wax_of_the_record_is_that_of_specification_2_3():
    row = rules.load(GAME).record[0]
    assert list(row["wax_set"][0]) == [1, 2, 3, 4, 5, 6, 7, 8, 0, 0]
    assert list(row["branches"][:14]) == [0, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 2, 2, 1]
    pay, plus, sprint = state.ICON_PAY, state.ICON_PLUS, state.ICON_SPRINT
    assert list(row["icons"][8, 0]) == [pay, plus, sprint, 0, 0]
    assert list(row["icons"][7, :, 0]) == [plus, state.ICON_MINUS]
    varied = rules.load(GAME, overrides=["wax.set=varied"]).record[0]["wax_set"][:5, :8]
    assert [set(have) - set(range(1, 9)) for have in varied.tolist()] == [
        {9},
        {11},
        {12},
        {10},
        {13},
    ]
    assert [set(range(1, 9)) - set(have) for have in varied.tolist()] == [{7}, {2}, {5}, {8}, {7}]


def test_every_switch_value_has_its_code():
    for name, values in state.SWITCHES.items():
        for code, value in enumerate(values):
            loaded = rules.load(GAME, overrides=[f"rules.{name}={value}"])
            assert loaded.record[0][name] == code


def test_later_layers_win(tmp_path: Path):
    file = tmp_path / "my.toml"
    file.write_text("[range]\nlap_length = 4\nmisses_per_lap = 1\n")
    loaded = rules.load(
        GAME, variants=["lap_length_5"], files=[file], overrides=["range.misses_per_lap=3"]
    )
    assert loaded.changed == {"range.lap_length": 4, "range.misses_per_lap": 3}
    by = {row["key"]: row["changed_by"] for row in loaded.provenance if row["changed"]}
    assert by == {"range.lap_length": str(file), "range.misses_per_lap": "--set"}


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("range.lap_length=4", "range.lap_length", 4),
        ("rules.draft_path=copy", "rules.draft_path", "copy"),
        ('rules.draft_path="copy"', "rules.draft_path", "copy"),
        ("rules.wax_burn = true", "rules.wax_burn", True),
        ("dice.shoot.hits.blue=1", "dice.shoot.hits.blue", 1),
        ("board.full_at=[4,4,3,3]", "board.full_at", [4, 4, 3, 3]),
        ("board.sprint_cap=none", "board.sprint_cap", "none"),
        ("nations.assign=[Norway, United Kingdom]", "nations.assign", ["Norway", "United Kingdom"]),
        ('nations."United Kingdom".special_box=3', 'nations."United Kingdom".special_box', 3),
        (
            "wax.token.5.branches=[[PLUS],[PAY,FREE]]",
            "wax.token.5.branches",
            [["PLUS"], ["PAY", "FREE"]],
        ),
        ("report.min_per_turn=1", "report.min_per_turn", 1.0),
        ("course.layout=mini_one", "course.layout", "mini_one"),
    ],
)
def test_override_texts(text, key, value):
    assert rules.load(GAME, overrides=[text]).changed == {key: value}


def test_overrides_as_mapping_take_python_values():
    loaded = rules.load(
        GAME, overrides={"board.full_at": (4, 4, 3, 3), "range.lap_length": np.int64(4)}
    )
    assert loaded.changed == {"board.full_at": [4, 4, 3, 3], "range.lap_length": 4}


def test_token_tables_in_a_file_change_one_token(tmp_path: Path):
    file = tmp_path / "tokens.toml"
    file.write_text('[[wax.token]]\nnumber = 5\nbranches = [["PLUS"]]\n')
    loaded = rules.load(GAME, files=[file])
    assert loaded.changed == {"wax.token.5.branches": [["PLUS"]]}
    assert loaded.record[0]["icons"][5, 0, 0] == state.ICON_PLUS


def test_an_override_equal_to_the_default_changes_nothing():
    loaded = rules.load(GAME, overrides=["range.lap_length=3"])
    assert loaded.changed == {}
    assert loaded.digest == rules.load(GAME).digest


def test_with_overrides_leaves_the_base_alone():
    base = rules.load(GAME, variants=["lanes_3"])
    arm = rules.with_overrides(base, ["range.lap_length=5"])
    assert base.changed == {"course.lanes": 3}
    assert arm.changed == {"range.lap_length": 5, "course.lanes": 3}
    assert arm.record[0]["lap_length"] == 5
    assert base.record[0]["lap_length"] == 3


def test_from_data_gives_the_same_rules_again():
    first = rules.load(
        GAME, variants=["advanced", "course_long_four"], overrides=["course.lanes=3"]
    )
    text = json.dumps(first.data, sort_keys=True)
    again = rules.from_data(GAME, json.loads(text))
    assert again.digest == first.digest
    assert again.record.tobytes() == first.record.tobytes()
    assert again.vocabularies == first.vocabularies
    assert again.changed == first.changed
    assert json.loads(json.dumps(again.provenance)) == again.provenance


def test_digest_is_of_values_only(tmp_path: Path):
    plain, told = tmp_path / "a.toml", tmp_path / "b.toml"
    plain.write_text("range.lap_length = 4\nboard.sprint_cap = 3\n")
    told.write_text(
        '# words\n[board]\nsprint_cap = 3\nsource = "mine"\n'
        "[range]\nlap_length = 4\nalternatives = [1]\n"
    )
    first, second = (rules.load(GAME, files=[file]) for file in (plain, told))
    assert first.digest == second.digest
    assert first.digest != rules.load(GAME).digest
    sources = {row["key"]: row["source"] for row in second.provenance}
    assert sources["board.sprint_cap"] == "mine"
    assert sources["range.lap_length"] == f"changed: {told}"


def test_digest_is_stable_between_loads_and_forms():
    texts = ["range.lap_length=4", "rules.draft_path=copy"]
    one = rules.load(GAME, overrides=texts)
    other = rules.load(GAME, overrides=list(reversed(texts)))
    assert one.digest == other.digest == rules.digest(one.data)


def test_race_mode_follows_the_ranges():
    long = rules.load(GAME, overrides=["course.layout=long_three"])
    assert resolve.race_mode(long.model) == "long"
    assert long.record[0]["start_level"] == 3
    top = rules.load(GAME, overrides=["mode.race=short_top"])
    assert top.record[0]["start_level"] == 3
    assert top.record[0]["race"] == 2


def test_nation_sets():
    for name, colours, full in (
        ("assumed", [3, 1, 0, 0], [4, 4, 3, 3]),
        ("flat", [3, 2, 1, 0], [4, 4, 3, 3]),
        ("stamina_only", [3, 1, 0, 0], [4, 4, 4, 4]),
    ):
        loaded = rules.load(GAME, overrides=[f"nations.set={name}"])
        names = loaded.vocabularies["nations"]
        row = loaded.record[0]
        assert list(row["colour"][names.index("USA"), 0, :4]) == colours
        assert list(row["full_at"][names.index("Austria")]) == full
        assert row["printed_shoot"].sum() == (name != "stamina_only")


def test_fixed_nations_and_loadout():
    loaded = rules.load(GAME, overrides=["nations.assign=[USA, Norway]", "wax.loadout=L0"])
    row = loaded.record[0]
    assert row["nation_mode"] == state.NATIONS_FIXED
    assert list(row["nation_fixed"]) == [8, 0, -1, -1, -1]
    assert row["loadout_mode"] == state.LOADOUT_FIXED
    assert list(row["loadout"][4]) == [1, 8, 4, 6, 7, 3, 0, 0]


def test_five_rows_of_stamina():
    row = rules.load(GAME, variants=["stamina_five_rows"]).record[0]
    assert row["levels"] == 5
    assert row["start_level"] == 3
    assert list(row["colour"][0, 0]) == [3, 2, 1, 0, 0]


def test_players_that_cannot_be_seated():
    rules.load(GAME).check_players(2)
    few = rules.load(GAME, overrides=["nations.use=[Norway, Austria, Italy]"])
    few.check_players(1)
    with pytest.raises(RulesError, match="two skiers may not share a board"):
        few.check_players(3)
    named = rules.load(GAME, overrides=["nations.assign=[Norway, Italy, USA]"])
    named.check_players(3)
    with pytest.raises(RulesError, match="4 skiers"):
        named.check_players(2)


def test_resolved_has_everything_worked_out():
    loaded = rules.load(GAME, variants=["nations_flat", "wax_L1"], overrides=["course.lanes=1"])
    told = resolve.resolved(loaded.model)
    assert told["course"]["rows"][:2] == ["F", "P"]
    assert told["course"]["rows"][17] == "S"
    assert told["mode"]["race"] == "short"
    assert told["wax"]["tokens"]["8"] == [["PAY", "PLUS", "SPRINT"]]
    assert told["wax"]["sets"]["b5"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert told["wax"]["loadout"] == [1, 2, 5, 6, 4, 7]
    assert told["nations"]["use"] == ["Norway", "Germany", "Russia", "France", "Sweden"]
    assert told["nations"]["table"]["Italy"] == {
        "kind": "advanced",
        "board": "b3",
        "stamina": ["GYRB"] * 5,
        "full_at": [4, 4, 4, 3],
        "special_box": 1,
        "printed_wax": "none",
    }


def test_table_joins_courses_of_one_run():
    base = rules.load(GAME)
    several = rules.with_layouts(base, "starter, mini_one, starter", root_seed=1)
    records, words = rules.table(several)
    assert words["layouts"] == ["starter", "mini_one"]
    assert list(records["layout"]) == [0, 1, 0]
    assert base.record[0]["layout"] == 0


def test_table_refuses_other_words():
    base = rules.load(GAME)
    other = rules.load(GAME, overrides=["wax.token.5.branches=[[PLUS]]"])
    with pytest.raises(RulesError, match="must share their tokens"):
        rules.table([base, other])


def test_games_lists_ours():
    assert GAME in rules.games()
