"""Intervals hold what they promise, and equal runs differ no more than luck allows: minutes."""

from __future__ import annotations

import math
import re

import truths
import numpy as np
import pytest

from reports import estimates as e
from reports.experiments import differences, margins, quantities

pytestmark = pytest.mark.slow
ROOTS = 200  # pairs of runs with different roots
GAMES = 600
EVEN = "runner:near=4,walker,random"


# ---------------------------------------------------------------- known truths


@pytest.mark.parametrize(
    "part", truths.parts(), ids=lambda part: f"{part.func.__name__}-{part.args}"
)
def test_intervals_cover_what_they_promise(part):
    """From 50 expected successes on: 93.5 to 96.5 % of 10,000 repeats hold the truth."""
    row = part()
    print(next(reversed(list(truths.lines([row])))))

    assert row.kept or not row.promised, row
    assert row.inside > 0.85  # no case is without any meaning


def test_a_plain_interval_would_not_pass():
    """Wald's covers 63 % at p = 0.01, n = 100: the check can fail."""
    rng = np.random.default_rng(2)
    share = rng.binomial(100, 0.01, 10_000) / 100
    half = e.z_value() * np.sqrt(share * (1 - share) / 100)

    assert float(np.mean(abs(share - 0.01) <= half)) < 0.7


def test_a_hundred_looks_hold_the_error_that_is_promised():
    plain, watched = truths.looking()
    print(f"100 looks: plain {plain:.3f}, confidence sequence {watched:.4f}")

    assert plain > 0.3
    assert watched < 0.05


def test_false_discoveries_are_those_promised():
    plain, corrected = truths.discoveries()
    print(f"false discoveries: plain {plain:.3f}, corrected {corrected:.4f}")

    assert plain > 0.1
    assert corrected < 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2000)


def test_the_page_has_the_tables():
    """docs/statistics.md was written by the script, and says where from."""
    text = truths.PAGE.read_text(encoding="utf-8")
    shown = text[text.index(truths.BEGIN) : text.index(truths.END)]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \| ([\d.]+) %", shown, re.MULTILINE)

    assert len(rows) == len(truths.parts())
    assert "python tests/statistics/truths.py --write" in shown


# ---------------------------------------------------------------- A/A


@pytest.fixture(scope="module")
def pairs(toy, tmp_path_factory):
    """Comparisons of the same game with itself, 200 times with two other roots."""
    import simulate

    folder = tmp_path_factory.mktemp("equal")
    sizes = margins.read([], 0.01, 0.02)
    found = []
    for number in range(ROOTS):
        sides = [
            quantities.read(
                simulate.run(
                    "toy", n=GAMES, seed=1 + 2 * number + side, lineup=EVEN, equal=False,
                    out=folder / f"{number}-{side}", progress=False, jobs=1,
                )
            )
            for side in (0, 1)
        ]  # fmt: skip
        found.append(differences.compare(*sides, sizes, shared=False))
    return found


def test_equal_runs_differ_in_five_of_a_hundred_tests(pairs):
    """Before correction: 5 % of the tests of a pair, on average over pairs with other roots."""
    parts = []
    for found in pairs:
        known = [d.change for d in found if d.change.se > 0]
        parts.append(np.mean([e.t_test(c.value, c.se, c.df) < 0.05 for c in known]))
    error = np.std(parts) / math.sqrt(len(parts))
    print(f"A/A: {np.mean(parts):.4f} of the tests below 5 %, ± {error:.4f}")

    assert abs(np.mean(parts) - 0.05) < 4 * error
    assert abs(np.mean(parts) - 0.05) < 0.02


def test_equal_runs_have_no_discoveries_after_correction(pairs):
    """All discoveries would be false, so a pair has any in at most 5 % of cases."""
    any_found = np.mean([any(d.q < 0.05 for d in found) for found in pairs])
    print(f"A/A: any discovery after correction in {any_found:.3f} of {len(pairs)} pairs")

    assert any_found < 0.05 + 4 * math.sqrt(0.05 * 0.95 / len(pairs))


def test_equal_runs_are_never_called_different(pairs):
    """'Different' needs more than the margin, so it is rarer still."""
    called = np.mean([any(d.state == e.UNFAIR for d in found) for found in pairs])

    assert called < 0.05 + 4 * math.sqrt(0.05 * 0.95 / len(pairs))
