"""Tables of what each style does in a game, for the sections of this game."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from reports import wording
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import Column, Table


def played(facts: Facts, stratum: Stratum) -> list[str]:
    """Styles that were played in a stratum, in line-up order."""
    rows = facts.seat_sums.filter(pl.col("stratum") == stratum.number)
    seen = set(rows["strategy"].cast(pl.String).unique().to_list())
    return [name for name in facts.strategies if name in seen]


def by_style(
    facts: Facts, stratum: Stratum, name: str, shown: Mapping[str, tuple[str, str]], caption: str
) -> Table:
    """One row a style, one column a seats column of ``shown`` (column to heading and meaning)."""
    columns = [
        Column("strategy", "Style"),
        *[Column(c, label, "interval", help=words) for c, (label, words) in shown.items()],
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "strategy": wording.plain(style),
            **{c: facts.seat_mean(c, stratum, style) for c in shown},
            "n": int(facts.seat_rows(stratum, style)["n"].sum()),
        }
        for style in played(facts, stratum)
    ]
    return Table(f"{name}-{stratum.number}", columns, rows, f"{caption}, {stratum.label}.")


def by_game(facts: Facts, name: str, shown: Mapping[str, tuple[str, str]], caption: str) -> Table:
    """One row a kind of game, one column a games column of ``shown``."""
    columns = [
        Column("stratum", "Games of"),
        *[Column(c, label, "interval", help=words) for c, (label, words) in shown.items()],
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "stratum": s.label,
            **{c: facts.mean(c, s) for c in shown},
            "n": facts.games_of(s),
        }
        for s in facts.main
    ]
    return Table(name, columns, rows, caption)
