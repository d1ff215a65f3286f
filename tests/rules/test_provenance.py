"""Every key says where its value comes from; every assumed one what else to test."""

from __future__ import annotations

import pytest

from simulate import rules

GAME = "biathlon"
KINDS = ("rulebook", "public: ", "derived: ", "assumed: ")
ROWS = rules.load(GAME).provenance


def test_every_key_has_a_source_of_a_known_kind():
    assert [row["key"] for row in ROWS if not row["source"].startswith(KINDS)] == []


def test_every_assumed_key_has_alternatives_or_says_why_not():
    for row in ROWS:
        if row["source"].startswith("assumed"):
            other = row["alternatives"]
            assert other, row["key"]
            assert isinstance(other, list) or other.startswith("none: "), row["key"]


def test_every_key_says_what_is_allowed():
    for row in ROWS:
        assert row["allowed"], row["key"]
        assert row["allowed"] != "another value", row["key"]


def test_keys_stand_once_and_are_those_of_the_data():
    keys = [row["key"] for row in ROWS]
    assert len(keys) == len(set(keys))
    assert {"range.lap_length", "rules.draft_path", "wax.token.8.branches"} <= set(keys)
    assert not any("source" in key or "alternatives" in key for key in keys)


@pytest.mark.parametrize(
    "key",
    [
        "game.max_skiers", "dice.race.count", "dice.race.faces", "dice.shoot.order",
        "dice.shoot.sides", "dice.shoot.hits.green", "board.columns", "board.column_cap",
        "board.full_at", "board.star_cap", "board.sprint_cap", "stamina.columns", "stamina.levels",
        "stamina.basic", "stamina.start_top", "stamina.start_short", "stamina.markers",
        "markers.hitmiss", "range.shots", "range.misses_per_lap", "range.lap_length",
        "course.lanes", "course.layout", "course.max_tiles", "terrain.slide_steps",
        "terrain.slide_free", "terrain.uphill_loss", "wax.dealt", "wax.slots", "wax.per_turn",
        "wax.set", "report.min_per_turn", "sim.max_rounds", "mode.race", "nations.use",
        "nations.set", "nations.assign", "tiles.enforce", "tiles.count.straight",
        "tiles.uphill.rows", "layouts.starter.tiles", "setup.first",
    ],
)  # fmt: skip
def test_key_of_the_specification(key):
    assert key in {row["key"] for row in ROWS}


def test_changed_rows_name_default_and_giver():
    loaded = rules.load(GAME, variants=["lap_length_4"])
    row = next(row for row in loaded.provenance if row["key"] == "range.lap_length")
    assert row["value"] == 4
    assert row["default"] == 3
    assert row["changed"]
    assert row["changed_by"] == "variant lap_length_4"
    assert row["source"] == "changed: variant lap_length_4"
    assert row["alternatives"] == [2, 4, 5]


def test_new_keys_of_an_overlay_are_changes(tmp_path):
    file = tmp_path / "my.toml"
    file.write_text('[layouts.mine]\ntiles = "A T S T G"\nsource = "assumed: a test"\n')
    loaded = rules.load(GAME, files=[file])
    row = next(row for row in loaded.provenance if row["key"] == "layouts.mine.tiles")
    assert row["default"] is None
    assert row["source"] == "assumed: a test"
    assert loaded.changed == {"layouts.mine.tiles": "A T S T G"}


@pytest.mark.parametrize("key", ["move.reversal", "rules.move.reversal"])
def test_a_short_key_is_a_change_as_a_full_one(key):
    """Pistengaudi's switches have a short name: whoever changed one is told, and the last wins."""
    found = rules.load("pistengaudi", overrides=[f"{key}=turn"])
    row = next(row for row in found.provenance if row["key"] == "rules.move.reversal")
    back = rules.load("pistengaudi", overrides=[f"{key}=turn", "rules.move.reversal=until_down"])

    assert (row["changed"], row["source"], row["changed_by"]) == (True, "changed: --set", "--set")
    assert back.changed == {}
