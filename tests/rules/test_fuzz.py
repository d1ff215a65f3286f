"""Whatever is given, there are rules or a RulesError; and rules always make a whole record."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulate import rules
from simulate.errors import RulesError
from simulate.games.biathlon import resolve, state

GAME = "biathlon"
BASE = rules.load(GAME)
KEYS = sorted(row["key"] for row in BASE.provenance)
VALUES = {row["key"]: row["value"] for row in BASE.provenance}
WORDS = sorted(
    {word for value in VALUES.values() for word in ([value] if isinstance(value, str) else [])}
    | {"none", "any", "L0", "mixed", "seat1", "single", "flat", "copy", "prefix"}
)

scalars = st.one_of(
    st.booleans(),
    st.integers(-3, 24),
    st.integers(),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(WORDS),
    st.text(max_size=8),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
likely = st.one_of(values, st.sampled_from(sorted(VALUES.values(), key=str)))
overlays = st.dictionaries(st.sampled_from(KEYS), likely, min_size=1, max_size=4)
loose = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def _sound(loaded: rules.Rules) -> None:
    """A record is whole: in bounds, and the same again from the run's data."""
    row = loaded.record[0]
    assert 1 <= row["rows"] <= state.MAX_ROWS - 2
    assert 1 <= row["lanes"] <= state.MAX_LANES
    assert np.all((row["space"] >= 0) & (row["space"] <= state.SHOOTING))
    assert 0 <= row["start_level"] < row["levels"] <= state.MAX_LEVELS
    assert row["nation_usable"].sum() >= 1
    for name, words in state.SWITCHES.items():
        assert 0 <= row[name] < len(words)
    again = rules.from_data(GAME, json.loads(json.dumps(loaded.data)))
    assert again.digest == loaded.digest
    assert again.record.tobytes() == loaded.record.tobytes()
    assert len(resolve.resolved(loaded.model)["course"]["rows"]) == row["rows"]
    json.dumps(loaded.provenance, allow_nan=False)


@given(overlays)
@loose
def test_values_at_known_keys(overlay):
    try:
        loaded = rules.with_overrides(BASE, overlay)
    except RulesError as error:
        assert any(key.split(".")[0] in str(error) for key in overlay)
        return
    _sound(loaded)


@given(st.dictionaries(st.sampled_from(KEYS), st.integers(0, 8), min_size=1, max_size=3))
@loose
def test_small_numbers_at_known_keys(overlay):
    numbers = {key: value for key, value in overlay.items() if isinstance(VALUES[key], int)}
    try:
        loaded = rules.with_overrides(BASE, numbers)
    except RulesError:
        return
    _sound(loaded)


@given(st.dictionaries(st.text(max_size=12), values, max_size=4))
@loose
def test_tables_of_anything(overlay):
    try:
        rules.with_overlay(BASE, "fuzz", overlay)
    except RulesError:
        return


@given(st.text(max_size=60))
@loose
def test_override_text_of_anything(text):
    try:
        rules.with_overrides(BASE, [text])
    except RulesError:
        return


@given(st.sampled_from(KEYS), st.text(max_size=30))
@loose
def test_override_value_of_anything(key, text):
    try:
        loaded = rules.with_overrides(BASE, [f"{key}={text}"])
    except RulesError as error:
        assert "--set" in str(error)
        return
    _sound(loaded)


@given(st.binary(max_size=80))
@loose
def test_file_of_anything(tmp_path: Path, content):
    file = tmp_path / "my.toml"
    file.write_bytes(content)
    try:
        rules.load(GAME, files=[file])
    except RulesError as error:
        assert str(file) in str(error)


@given(st.text(max_size=30))
@loose
def test_course_text_of_anything(text):
    try:
        rules.with_layouts(BASE, text, root_seed=1)
    except RulesError:
        return


@given(
    st.lists(st.sampled_from(["A", "T", "U", "C", "S", "D", "G", "u", "P", "F", "W"]), max_size=24)
)
@loose
def test_courses_of_any_tiles_or_rows(tiles):
    try:
        _sound(rules.with_overrides(BASE, {"course.layout": tiles, "tiles.enforce": False}))
    except RulesError:
        return
