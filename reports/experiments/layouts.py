"""What makes a layout fair, quick, wild? A plane through many layouts, and the best of each length.

Many layouts that were played on the same dice are points: their features on the one side, a measure
of their games on the other. A plane through them by least squares tells what each feature does when
the others stay as they are; its intervals come from how far the layouts lie off the plane, so they
hold the luck of the games and what the features do not tell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reports import estimates, wording
from reports.estimates import Estimate
from reports.section import Block, Column, Section, Table, Text

FREE = 3  # layouts that there must be beyond the coefficients of the plane
SURE = 0.05
BEST = {"seats": (False, "fairest"), "drama": (True, "wildest"), "skill": (True, "most skill")}


@dataclass(frozen=True)
class Surface:
    """Effects of features on measures; ``explained``: share of the differences, by measure."""

    layouts: int
    effects: Mapping[str, Mapping[str, Estimate]]  # feature -> measure -> from lowest to highest
    ends: Mapping[str, tuple[float, float]]  # feature -> lowest, highest
    explained: Mapping[str, float]
    q: Mapping[tuple[str, str], float]  # corrected over all effects

    @property
    def sure(self) -> list[tuple[str, str]]:
        """Feature and measure of the effects that are found."""
        return [key for key, q in self.q.items() if q < SURE]


def surface(
    features: Mapping[str, Mapping[str, float]], measures: Mapping[str, Mapping[str, Estimate]]
) -> Surface | None:
    """The plane of every measure over the features; None with too few or too similar layouts.

    ``features``: layout -> name -> value; ``measures``: layout -> measure -> number. Features that
    are the same in all layouts are left out.
    """
    names = list(features)
    told = [n for n in next(iter(features.values()), {}) if _varies(features, n)]
    if not told or len(names) < len(told) + 1 + FREE:
        return None
    x = np.array([[features[layout][n] for n in told] for layout in names])
    shared = [m for m in measures[names[0]] if all(m in measures[k] for k in names)]
    effects: dict[str, dict[str, Estimate]] = {n: {} for n in told}
    explained = {}
    p_values = {}
    for m in shared:
        y = np.array([measures[layout][m].value for layout in names])
        found, explained[m] = estimates.plane(x, y)
        for name, e in zip(told, found, strict=True):
            effects[name][m] = e
            known = e.se > 0
            p_values[name, m] = estimates.t_test(e.value, e.se, e.df) if known else math.nan
    q = dict(zip(p_values, estimates.adjusted(list(p_values.values())), strict=True))
    ends = {n: (float(x[:, i].min()), float(x[:, i].max())) for i, n in enumerate(told)}
    return Surface(len(names), effects, ends, explained, q)


def _varies(features: Mapping[str, Mapping[str, float]], name: str) -> bool:
    return len({row[name] for row in features.values()}) > 1


@dataclass(frozen=True)
class Best:
    """The best layout of a length by one measure; ``value`` is drawn towards the mean."""

    length: float
    measure: str
    layout: str
    value: Estimate
    among: int


def best_of_each_length(
    lengths: Mapping[str, float], measures: Mapping[str, Mapping[str, Estimate]]
) -> list[Best]:
    """Of every length that several layouts have: the fairest, the wildest, that of most skill.

    Whoever is best of many was lucky, too: values are drawn towards the mean of their length as far
    as they are noise (``estimates.shrunken``).
    """
    found = []
    groups: dict[float, list[str]] = {}
    for layout, length in lengths.items():
        groups.setdefault(length, []).append(layout)
    for measure, (more, _) in BEST.items():
        there = {
            length: [k for k in names if measure in measures[k]]
            for length, names in sorted(groups.items())
        }
        rows = {length: names for length, names in there.items() if len(names) > 1}
        table = [[measures[k][measure] for k in names] for names in rows.values()]
        for (length, names), drawn in zip(rows.items(), estimates.shrunken(table), strict=True):
            sign = 1 if more else -1
            at = max(range(len(names)), key=lambda i: sign * drawn[i].value)
            found.append(Best(length, measure, names[at], drawn[at], len(names)))
    return sorted(found, key=lambda b: b.length)


def section(
    found: Surface | None, best: Sequence[Best], words: Mapping[str, str], length: str
) -> Section | None:
    """Both as a section; ``words``: names of the measures."""
    blocks: list[Block] = []
    if found is not None:
        blocks += [_effects(found, words), Text(_said(found, words))]
    if best:
        blocks.append(_best(best, words, length))
    if not blocks:
        return None
    return Section(
        id="features",
        title="What makes a layout so",
        text="Which properties of a layout make it fair, long, dramatic, a test of skill? All "
        "layouts of this page, and those of a search, are looked at together.",
        help="Each line: what a measure does from the layout with the least to that with the most "
        "of this property, the other properties as they are. A property that is not in the table "
        "may stand behind one that is.",
        blocks=blocks,
    )


def _effects(found: Surface, words: Mapping[str, str]) -> Table:
    columns = [
        Column("feature", "Property"),
        Column("ends", "From … to"),
        *[Column(m, words[m], "interval", 3, term="What a property does") for m in found.explained],
    ]
    rows = [
        {
            "feature": name,
            "ends": " … ".join(wording.number(end, 2) for end in found.ends[name]),
            **effects,
        }
        for name, effects in found.effects.items()
    ]
    return Table("layouts-features", columns, rows, f"Plane through {found.layouts} layouts.")


def _said(found: Surface, words: Mapping[str, str]) -> str:
    """Which effects are sure, and how much the plane explains."""
    sure = wording.listing(f"{feature} on {words[m].lower()}" for feature, m in found.sure)
    told = f"Surely at work: {sure}." if sure else "No property is surely at work."
    parts = wording.listing(
        f"{words[m].lower()} {wording.percent(share, 0)}"
        for m, share in found.explained.items()
        if math.isfinite(share)
    )
    known = sum(q == q for q in found.q.values())
    apart = [name for name, row in found.effects.items() if all(e.se != e.se for e in row.values())]
    if apart:
        told += (
            f" {wording.listing(apart)}: in these layouts they go along with other properties, so "
            "what they do cannot be told apart."
        )
    return (
        f"{told} Family of tests: all {known} effects of the table, false discoveries held "
        f"at 5%. Explained of the differences between layouts: {parts}."
    )


def _best(best: Sequence[Best], words: Mapping[str, str], length: str) -> Table:
    columns = [
        Column("length", length or "Layouts"),
        Column("kind", "Best"),
        Column("layout", "Layout"),
        Column("measure", "By"),
        Column("value", "Value", "interval", 3, "less what the best of many owes to luck"),
        Column("among", "Of layouts", "count", help="layouts of this length that were compared"),
    ]
    rows = [
        {
            "length": wording.number(b.length, 0) if length else "all",
            "kind": BEST[b.measure][1],
            "layout": b.layout,
            "measure": words[b.measure],
            "value": b.value,
            "among": b.among,
        }
        for b in best
    ]
    caption = "The best of each length." if length else "The best of all."
    return Table(
        "layouts-best", columns, rows, f"{caption} `--search` confirms one on fresh seeds."
    )
