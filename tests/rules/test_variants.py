"""Every variant that ships loads, and changes the game (or says that it only changes legality)."""

from __future__ import annotations

import itertools

import pytest

from simulate import rules
from simulate.games.biathlon import state

GAME = "biathlon"
DEFAULT = rules.load(GAME)
VARIANTS = rules.variants(GAME)
ONLY_LEGALITY = "which layouts are legal, nothing else"


@pytest.mark.parametrize("variant", VARIANTS, ids=[v.name for v in VARIANTS])
def test_variant_loads_and_changes_the_record(variant):
    loaded = rules.load(GAME, variants=[variant.name])
    assert variant.summary
    assert loaded.changed
    assert loaded.digest != DEFAULT.digest
    same = loaded.record.tobytes() == DEFAULT.record.tobytes()
    assert same == (ONLY_LEGALITY in variant.summary)


def test_names_are_bare_words():
    assert all(v.name.replace("_", "").isalnum() for v in VARIANTS)


def test_every_alternative_of_an_assumed_value_ships_as_a_variant():
    given: dict[str, list[object]] = {}
    for variant in VARIANTS:
        for key, value in rules.load(GAME, variants=[variant.name]).changed.items():
            given.setdefault(key, []).append(value)
    for row in DEFAULT.provenance:
        key, others = row["key"], row["alternatives"]
        if not isinstance(others, list) or key.startswith("dice.shoot.hits"):
            continue
        missing = [other for other in others if other not in given.get(key, [])]
        assert missing == [], key


def test_every_set_of_hit_faces_ships_as_a_variant():
    row = next(row for row in DEFAULT.provenance if row["key"] == "dice.shoot.hits.green")
    shipped = [
        list(rules.load(GAME, variants=[v.name]).record[0]["shoot_hits"])
        for v in VARIANTS
        if v.name.startswith("hits_")
    ]
    assert sorted(shipped) == sorted(row["alternatives"])


def test_every_other_value_of_a_switch_ships_as_a_variant():
    default = DEFAULT.record[0]
    codes = {
        (name, int(loaded.record[0][name]))
        for loaded in (rules.load(GAME, variants=[v.name]) for v in VARIANTS)
        for name in state.SWITCHES
    }
    for name, values in state.SWITCHES.items():
        for code in range(len(values)):
            assert code == default[name] or (name, code) in codes


def test_variants_go_together():
    """Pairs of board, wax and course variants load (three lanes and open sprint column too)."""
    for pair in itertools.combinations(
        ["stamina_five_rows", "lanes_3", "sprint_cap_none", "wax_varied", "mixed"], 2
    ):
        assert rules.load(GAME, variants=pair).changed


def test_tips_broken_are_warnings_never_errors():
    warned = {v.name for v in VARIANTS if rules.load(GAME, variants=[v.name]).warnings}
    assert warned == {"course_hills_together", "course_ranges_adjacent", "hits_5543"}
