"""Reading a luck ledger: the arms of ``simulate luck`` -> shares of variance.

Each arm has played the same games with another set of sources of chance renewed. Every pair of
arms shares a set of sources, and the covariance of their outcomes is what that set decides: see
``reports.variance``. Sums are taken by group of blocks, in one pass over all arms side by side, so
memory does not grow with the number of games.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from reports import variance
from reports.estimates import Estimate
from reports.measures import GROUPS, Records, Run, Stratum
from reports.variance import Part, Places, Split

LABELS = {"win_share": "Who wins", "rank": "Finishing place", "score": "Score"}


@dataclass(frozen=True)
class Source:
    """A source of chance: the treatment that renews it, and its name for people."""

    hook: str
    name: str
    of_table: bool  # for all seats alike; else of the treated seat, or of its rivals


@dataclass(frozen=True)
class Entry:
    """One measure of one kind of games, split into what decides it."""

    stratum: str
    players: int
    measure: str
    split: Split
    games: int  # of an arm

    @property
    def label(self) -> str:
        """The measure for people."""
        return LABELS.get(self.measure, self.measure)

    def rows(self) -> list[dict[str, Any]]:
        """A flat row a cause."""
        return [
            {
                "games": self.stratum,
                "players": self.players,
                "measure": self.measure,
                "n": self.games,
                "cause": part.name,
                "chance": part.chance,
                **spread("share", part.share),
                **spread("alone", part.alone),
                **spread("most", part.most),
            }
            for part in self.split.parts
        ]


def entries_of(told: Mapping[str, Any]) -> list[Entry]:
    """The ledger as ``experiment.json`` keeps it."""
    found = []
    for whole in told["combined"]:
        rows = [
            row
            for row in told["ledger"]
            if (row["games"], row["measure"]) == (whole["games"], whole["measure"])
        ]
        n = rows[0]["n"]
        parts = tuple(
            Part(
                row["cause"],
                _read("share", row, n),
                _read("alone", row, n),
                _read("most", row, n),
                row["chance"],
            )
            for row in rows
        )
        split = Split(
            parts,
            _read("share", whole, n),
            _read("variance", whole, n),
            _read("index", whole, n),
        )
        found.append(Entry(rows[0]["games"], rows[0]["players"], rows[0]["measure"], split, n))
    return found


def _read(name: str, row: Mapping[str, Any], n: int) -> Estimate:
    """The estimate that ``spread`` wrote."""
    value, low, high = (
        math.nan if row.get(key) is None else float(row[key])
        for key in (name, f"{name}_low", f"{name}_high")
    )
    return Estimate(value, low, high, n, n, math.nan)


def spread(name: str, e: Estimate) -> dict[str, float | None]:
    """An estimate as flat columns; null where there is none."""
    ends = {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}
    return {key: None if value != value else value for key, value in ends.items()}


@dataclass(frozen=True, eq=False)
class _Sums:
    """What is added up of one stratum and measure."""

    players: tuple[int, ...]  # style of each player of the line-up
    sums: np.ndarray  # [groups, players, seats], mean over the arms
    counts: np.ndarray
    offsets: np.ndarray  # [players, seats], near the means: taken off in the products
    products: np.ndarray  # [groups, sets of sources], mean over the pairs of arms


def read(
    runs: Mapping[int, Run], sources: Sequence[Source], measures: Sequence[str]
) -> list[Entry]:
    """The ledger. ``runs``: an arm by the set of sources that it renewed, as bits."""
    records = {renewed: Records(run) for renewed, run in runs.items()}
    base = records[0]
    everybody = all(source.of_table for source in sources)
    drawn = any(who < 0 for cell in base.cells for who in cell["positions"])
    found = {
        (s.number, m): _empty(base, s, len(sources), drawn) for s in base.strata for m in measures
    }
    pairs = _pairs(list(records), len(sources))
    for rows, values in _side_by_side(records, measures, everybody):
        for stratum in base.strata:
            here = rows["stratum"] == stratum.number
            keys = {name: column[here] for name, column in rows.items()}
            for number, measure in enumerate(measures):
                _add(found[stratum.number, measure], keys, values[number][:, here], pairs, drawn)
    entries = []
    for stratum in base.strata:
        for measure in measures:
            sums = found[stratum.number, measure]
            keep = sums.counts.reshape(GROUPS, -1).sum(1) > 0
            places = Places(sums.sums[keep], sums.counts[keep], sums.players)
            names = [source.name for source in sources]
            n = int(sums.counts.sum())
            split = variance.split(
                places, sums.products[keep], names, n, drawn, np.nan_to_num(sums.offsets)
            )
            games = base.n_games * len(stratum.cells) // base.k
            entries.append(Entry(stratum.label, stratum.players, measure, split, games))
    return entries


def _empty(records: Records, stratum: Stratum, sources: int, drawn: bool) -> _Sums:
    """Nothing yet. Who plays is a place of the line-up, or a style where line-ups are drawn."""
    instances = len(records.identity["strategies"])
    players = tuple(range(instances))
    if not drawn:
        players = tuple(records.cells[stratum.cells[0]]["positions"])
        known = sorted(set(players))
        players = tuple(known.index(instance) for instance in players)
    shape = (GROUPS, len(players), stratum.n_seats)
    products = np.zeros((GROUPS, 1 << sources))
    return _Sums(players, np.zeros(shape), np.zeros(shape), np.full(shape[1:], math.nan), products)


def _pairs(arms: Sequence[int], sources: int) -> list[tuple[int, int, int, float]]:
    """(arm, arm, what they share, weight) of all pairs; those that share the same are averaged."""
    found = [
        (i, j, variance.kept_by(arms[i], arms[j], sources))
        for i in range(len(arms))
        for j in range(i, len(arms))
    ]
    alike = np.bincount([shared for _, _, shared in found], minlength=1 << sources)
    return [(i, j, shared, 1.0 / float(alike[shared])) for i, j, shared in found]


def _side_by_side(
    records: Mapping[int, Records], measures: Sequence[str], everybody: bool
) -> Iterator[tuple[dict[str, np.ndarray], list[np.ndarray]]]:
    """Part by part: keys of the seats that count, and [arms, seats] of every measure."""
    names = list(dict.fromkeys(["seat", "strategy", "position", "treated", *measures]))
    for parts in zip(*(r.parts("seats", names) for r in records.values()), strict=True):
        first = parts[0].rows
        chosen = np.ones(len(first), np.bool_) if everybody else first["treated"].to_numpy()
        keys = {
            name: first[name].to_numpy()[chosen]
            for name in ("group", "stratum", "seat", "position")
        }
        keys["strategy"] = first["strategy"].to_physical().to_numpy()[chosen]
        values = [
            np.stack([part.rows[m].cast(pl.Float64).to_numpy()[chosen] for part in parts])
            for m in measures
        ]
        yield keys, values


def _add(
    sums: _Sums,
    keys: Mapping[str, np.ndarray],
    values: np.ndarray,
    pairs: Sequence[tuple[int, int, int, float]],
    drawn: bool,
) -> None:
    """Add seats of one stratum."""
    group = keys["group"].astype(np.int64)
    who = keys["strategy" if drawn else "position"].astype(np.int64)
    at = (group, who, keys["seat"].astype(np.int64))
    np.add.at(sums.counts, at, 1.0)
    np.add.at(sums.sums, at, values.mean(0))
    with np.errstate(invalid="ignore"):
        means = sums.sums.sum(0) / sums.counts.sum(0)
    sums.offsets[:] = np.where(np.isnan(sums.offsets), means, sums.offsets)
    values = values - sums.offsets[at[1:]]
    for i, j, shared, weight in pairs:
        sums.products[:, shared] += weight * np.bincount(group, values[i] * values[j], GROUPS)
