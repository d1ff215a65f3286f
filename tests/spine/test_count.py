"""Numbers of games."""

import pytest

from simulate.count import count
from simulate.errors import PlanError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("1e6", 1_000_000), ("250k", 250_000), ("1_000_000", 1_000_000), ("2M", 2_000_000),
        ("1.5e3", 1500), ("0.5k", 500), ("1E6", 1_000_000), (" 12 ", 12), (77, 77), ("1e+3", 1000),
        ("2.5M", 2_500_000),
    ],
)  # fmt: skip
def test_reads(text, value):
    assert count(text) == value


@pytest.mark.parametrize(
    "text",
    ["1.5", "-3", "1e99", "0", "nan", "inf", "", "ten", "1e", "1e-3", "1,000", "0x10", "1e6.5", "--", "0.0001k",
     "1e999999999", "٣k2", "1__e"],
)  # fmt: skip
def test_refuses(text):
    with pytest.raises(PlanError) as told:
        count(text)
    assert "--n" in str(told.value)
