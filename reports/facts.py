"""What the sections of one report share: every measure made once, and estimates drawn from it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import polars as pl

from reports import estimates, glossary, measures, resampling
from reports.estimates import NOTHING, Estimate
from reports.glossary import Glossary
from reports.measures import GROUPS, RANK_SCALE, WIN_SCALE, Records, Run, Stratum
from reports.section import Column, Heading, Lens, Text

T = TypeVar("T")
MOST_SHOWN = 4  # strata with pictures of their own


@dataclass(frozen=True)
class Shares:
    """Wins of the levels of one thing (turn order, strategy, nation) in one stratum, by group.

    ``wins`` and ``seen``: [groups, levels]. ``seen`` counts chances to win: a player's two skiers
    are one chance, so the fair rate is 1 / players throughout.
    """

    levels: tuple[Any, ...]
    wins: np.ndarray
    seen: np.ndarray
    podium: np.ndarray
    ranks: np.ndarray
    seats: np.ndarray
    fair: float

    @property
    def n(self) -> int:
        """Chances to win, all levels together."""
        return int(self.seen.sum())

    def rate(self, level: int, family: int = 1) -> Estimate:
        """Win share of a level."""
        return estimates.share(self.wins[:, level], self.seen[:, level], family=family)

    def podium_rate(self, level: int) -> Estimate:
        """Share of seats on the podium."""
        return estimates.share(self.podium[:, level], self.seats[:, level])

    def rank(self, level: int) -> Estimate:
        """Mean finishing place."""
        return estimates.ratio(self.ranks[:, level], self.seats[:, level])


class Facts:
    """One run, seen through its game's lens."""

    def __init__(self, run: Run, lens: Lens | None = None) -> None:
        self.run = run
        self.records = Records(run)
        self.identity = run.identity
        self.game = str(run.identity["game"])
        self.lens = lens if lens is not None else lens_of(self.game)
        self.margin = estimates.MARGIN

    # ------------------------------------------------------------ what was played

    @cached_property
    def title(self) -> str:
        """The game's name for people."""
        return self.lens.title or self.game.replace("_", " ").title()

    @property
    def n_games(self) -> int:
        """Games of the run."""
        return self.records.n_games

    @cached_property
    def main(self) -> list[Stratum]:
        """Strata of the line-up that was asked for."""
        return [s for s in self.records.strata if not s.equal]

    @cached_property
    def equal(self) -> list[Stratum]:
        """Strata in which one strategy sits on every seat."""
        return [s for s in self.records.strata if s.equal]

    def twin(self, stratum: Stratum) -> Stratum | None:
        """The equal-strategy stratum of the same rules and players."""
        same = (s for s in self.equal if (s.rules, s.players) == (stratum.rules, stratum.players))
        return next(same, None)

    @cached_property
    def strategies(self) -> list[str]:
        """Strategies that were played."""
        seen = set(self.seat_sums["strategy"].cast(pl.String).unique().to_list())
        return [s for s in self.records.strategies if s in seen]

    @cached_property
    def one_strategy(self) -> bool:
        """True when all seats were played alike."""
        return len(self.strategies) < 2

    @cached_property
    def shown(self) -> list[Stratum]:
        """Strata with pictures of their own: a page has room for so many.

        Numbers of players come first: four layouts of the least number would say nothing of a full
        table, and layouts stand side by side elsewhere.
        """
        first = {s.players: s for s in reversed(self.main)}.values()
        rest = [s for s in self.main if s not in first]
        chosen = [*sorted(first, key=self.main.index), *rest][:MOST_SHOWN]
        return sorted(chosen, key=self.main.index)

    def not_shown(self) -> list[Text]:
        """A line that says which strata have no picture, where there are such."""
        if len(self.main) <= MOST_SHOWN:
            return []
        words = (
            f"Pictures for {MOST_SHOWN} of {len(self.main)} kinds of games, of each number of "
            "players first. A run of one kind alone has its pictures."
        )
        return [Text(words, "note")]

    def heading(self, stratum: Stratum) -> list[Heading]:
        """A heading for a stratum, where there is more than one."""
        return [Heading(stratum.label)] if len(self.main) > 1 else []

    def named(self, label: str) -> list[Column]:
        """A table's column for the stratum, where there is more than one."""
        return [Column("stratum", label)] if len(self.main) > 1 else []

    def games_of(self, stratum: Stratum) -> int:
        """Games in a stratum."""
        return int(self.game_sums.filter(pl.col("stratum") == stratum.number)["n"].sum())

    def model(self, rules: int = 0) -> Mapping[str, Any]:
        """Resolved rules of a rules row, as nested plain data."""
        rows = self.identity.get("rules") or [{}]
        return rows[rules].get("model", {}) if rules < len(rows) else {}

    @cached_property
    def glossary(self) -> Glossary:
        """What the numbers of this run's pages mean."""
        docs: dict[str, tuple[str, str]] = {}
        for kind in ("seats", "games"):
            told = self.run.columns(kind) if hasattr(self.run, "columns") else {}
            docs |= {name: (doc["meaning"], doc.get("unit", "")) for name, doc in told.items()}
        return glossary.of_game(self.game, self.lens, docs, section_modules(self.game))

    # ------------------------------------------------------------ measures, each made once

    def once(self, name: str, make: Callable[[], T]) -> T:
        """A measure of a game's own sections, made when first asked for."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made

    @cached_property
    def _made(self) -> dict[str, Any]:
        return {}

    @cached_property
    def modules(self) -> list[Any]:
        """Section modules whose columns are there."""
        return [m for m in section_modules(self.game) if not self.records.lacking(m.NEEDS)]

    def _wanted(self, kind: Literal["games", "seats"]) -> dict[str, measures.Job]:
        """Jobs that section modules ask for (``jobs(facts)``)."""
        found: dict[str, measures.Job] = {}
        for module in self.modules:
            if hasattr(module, "jobs"):
                found.update(module.jobs(self).get(kind, {}))
        return found

    @cached_property
    def _game_jobs(self) -> dict[str, pl.DataFrame]:
        """Everything that is made of games, in one pass."""
        jobs = {"sums": measures.game_sums(self.records), **self._wanted("games")}
        for column, factor in self._histogram_columns.items():
            jobs[f"histogram {column}"] = measures.histogram(column, factor)
        return measures.run_jobs(self.records, "games", jobs)

    @cached_property
    def _seat_jobs(self) -> dict[str, pl.DataFrame]:
        """Everything that is made of seats, in one pass."""
        jobs = {
            "sums": measures.seat_sums(self.records),
            "head to head": measures.head_to_head(self.records),
            **self._wanted("seats"),
        }
        schema = self.records.seat_schema
        place = self.lens.podium if self.lens.podium in schema else ""
        shared = any(s.players < s.n_seats for s in self.records.strata)
        sides = ["side"] if shared else []  # else a side is a seat
        for column in (self.lens.order, *sides, *(f.column for f in self.lens.factors)):
            if column in schema:
                jobs[f"results {column}"] = measures.results_by(column, place)
        return measures.run_jobs(self.records, "seats", jobs)

    def job(self, kind: Literal["games", "seats"], name: str) -> pl.DataFrame:
        """What a section module's job came to."""
        return (self._game_jobs if kind == "games" else self._seat_jobs)[name]

    @cached_property
    def game_sums(self) -> pl.DataFrame:
        """See ``measures.game_sums``."""
        return self._game_jobs["sums"] if self.records.full else self.run.summary.game_sums

    @cached_property
    def seat_sums(self) -> pl.DataFrame:
        """See ``measures.seat_sums``."""
        return self._seat_jobs["sums"] if self.records.full else self.run.summary.seat_sums

    def results_by(self, column: str) -> pl.DataFrame:
        """See ``measures.results_by``; podium places are not known by seat."""
        if column == "seat":
            return self.seat_sums.with_columns(pl.lit(0, pl.Int64).alias("podium"))
        if self.records.full:
            return self._seat_jobs[f"results {column}"]
        return self.once(f"results {column}", lambda: measures.kept_results(self.records, column))

    @cached_property
    def _histogram_columns(self) -> dict[str, int]:
        """Games columns with a histogram, and the factor of their bins."""
        wanted = {"rounds": 1, "turns": 1}
        for column in (self.lens.win_rounds, self.lens.minutes):
            if column:
                wanted[column] = 1
        wanted.update({m.column: m.factor for m in self.lens.drama})
        return {c: f for c, f in wanted.items() if c in self.records.game_schema}

    @cached_property
    def histograms(self) -> dict[str, pl.DataFrame]:
        """Histograms of rounds and of the game's measures of drama."""
        columns = self._histogram_columns
        if self.records.full:
            return {c: self._game_jobs[f"histogram {c}"] for c in columns}
        return {c: measures.kept_histogram(self.records, c, f) for c, f in columns.items()}

    @cached_property
    def head_to_head(self) -> pl.DataFrame:
        """See ``measures.head_to_head``."""
        full = self.records.full
        return self._seat_jobs["head to head"] if full else self.run.summary.head_to_head

    @cached_property
    def tallies(self) -> pl.DataFrame:
        """See ``measures.tallies``."""
        return measures.tallies(self.records)

    # ------------------------------------------------------------ estimates

    def mean(self, column: str, stratum: Stratum) -> Estimate:
        """Mean of a games column in a stratum, over games that have it."""
        rows = self.game_sums.filter(pl.col("stratum") == stratum.number)
        if column not in rows.columns or rows.is_empty():
            return NOTHING
        scale = measures.scale_of(column, self.records.game_schema[column])
        sums = rows[column].to_numpy() / scale
        told = estimates.ratio(sums, rows[f"{column}:n"].to_numpy())
        return _not_below_zero(told, self.game_sums[column])

    def rate(self, column: str, stratum: Stratum) -> Estimate:
        """Share of games in which a flag is set."""
        rows = self.game_sums.filter(pl.col("stratum") == stratum.number)
        return estimates.share(rows[column].to_numpy(), rows["n"].to_numpy())

    def seat_mean(
        self, column: str, stratum: Stratum, strategy: str | None = None, per: str | None = None
    ) -> Estimate:
        """Mean of a seats column over seats, or per unit of another column (``per``)."""
        rows = self.seat_rows(stratum, strategy)
        if column not in rows.columns or rows.is_empty():
            return NOTHING
        scale = measures.scale_of(column, self.records.seat_schema[column])
        below = rows[per if per is not None else f"{column}:n"].to_numpy()
        told = estimates.ratio(rows[column].to_numpy() / scale, below)
        return _not_below_zero(told, self.seat_sums[column])

    def seat_rows(self, stratum: Stratum, strategy: str | None = None) -> pl.DataFrame:
        """Seat sums of a stratum by group."""
        key = (stratum.number, strategy)
        if key not in self._seat_rows:
            self._seat_rows[key] = self._make_seat_rows(stratum, strategy)
        return self._seat_rows[key]

    @cached_property
    def _seat_rows(self) -> dict[tuple[int, str | None], pl.DataFrame]:
        return {}

    def _make_seat_rows(self, stratum: Stratum, strategy: str | None) -> pl.DataFrame:
        rows = self.seat_sums.filter(pl.col("stratum") == stratum.number)
        if strategy is not None:
            rows = rows.filter(pl.col("strategy").cast(pl.String) == strategy)
        return (
            rows.group_by("group")
            .agg(pl.exclude("stratum", "seat", "strategy").sum())
            .sort("group")
        )

    def quantile(self, column: str, stratum: Stratum, q: float = 0.5) -> Estimate:
        """Quantile of a games column with its bootstrap interval."""
        table, values = self.histogram(column, stratum)
        return resampling.quantile(table, values, q) if len(values) else NOTHING

    def histogram(
        self, column: str, stratum: Stratum, truncated: bool | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Counts [groups, values] and the values."""
        rows = self.histograms[column].filter(pl.col("stratum") == stratum.number)
        if truncated is not None:
            rows = rows.filter(pl.col("truncated") == truncated)
        values = np.unique(rows["value"].to_numpy())
        table = np.zeros((GROUPS, len(values)))
        index = np.searchsorted(values, rows["value"].to_numpy())
        np.add.at(table, (rows["group"].to_numpy(), index), rows["n"].to_numpy())
        factor = next((m.factor for m in self.lens.drama if m.column == column), 1)
        return table[table.sum(1) > 0], values / factor

    # ------------------------------------------------------------ win shares

    def shares(self, column: str, stratum: Stratum, levels: Sequence[Any] | None = None) -> Shares:
        """Wins by the levels of a seat column (``seat``, ``strategy``, the game's own)."""
        frame = self.results_by(column)
        return shares_of(frame, column, stratum, levels)

    @cached_property
    def order(self) -> str:
        """The seat column that tells who acts first at the start, "" if there is none."""
        column = self.lens.order
        if column not in self.records.seat_schema:
            return ""
        if self.records.full or len(self.results_by(column)):
            return column
        return ""

    def order_levels(self, stratum: Stratum) -> tuple[str, list[int]]:
        """The column of start positions (else of seats), and its levels."""
        return self.order or "seat", list(range(stratum.n_seats))


def _not_below_zero(told: Estimate, sums: pl.Series) -> Estimate:
    """An interval of what is never negative (falls, cards, rounds) does not reach below 0.

    ``sums``: of the whole run by group, seat and style; one below 0 tells that the thing can be.
    """
    least = sums.min()
    if told.low < 0 <= told.value and least is not None and float(least) >= 0:  # type: ignore[arg-type]
        return replace(told, low=0.0)
    return told


def shares_of(
    frame: pl.DataFrame, column: str, stratum: Stratum, levels: Sequence[Any] | None = None
) -> Shares:
    """``Shares`` of one stratum from a ``results_by`` frame."""
    rows = frame.filter(pl.col("stratum") == stratum.number)
    key = rows[column]
    if key.dtype == pl.Enum:
        key = key.cast(pl.String)
    values = (
        list(levels) if levels is not None else sorted(v for v in key.unique() if v is not None)
    )
    position = {v: i for i, v in enumerate(values)}
    at = np.array([position.get(v, -1) for v in key.to_list()], dtype=np.int64)
    group = rows["group"].to_numpy()
    keep = at >= 0
    tables = {}
    for name in ("win_share", "n", "podium", "rank"):
        table = np.zeros((GROUPS, len(values)))
        np.add.at(table, (group[keep], at[keep]), rows[name].to_numpy()[keep])
        tables[name] = table
    per_side = stratum.n_seats / stratum.players if column in ("strategy", "side") else 1
    fair = 1 / stratum.players if column in ("strategy", "side") else 1 / stratum.n_seats
    return Shares(
        levels=tuple(values),
        wins=tables["win_share"] / WIN_SCALE,
        seen=tables["n"] / per_side,
        podium=tables["podium"],
        ranks=tables["rank"] / RANK_SCALE,
        seats=tables["n"],
        fair=fair,
    )


def lens_of(game: str) -> Lens:
    """The lens of ``reports/games/<game>/``, or the plain one."""
    try:
        module = importlib.import_module(f"reports.games.{game}")
    except ModuleNotFoundError:
        return Lens()
    return getattr(module, "LENS", Lens())


def section_modules(game: str) -> list[Any]:
    """Section modules for all games and for one, in the order in which they stand in a report."""
    found = []
    for package_name in ("reports.sections", f"reports.games.{game}"):
        try:
            package = importlib.import_module(package_name)
        except ModuleNotFoundError:
            continue
        for info in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package_name}.{info.name}")
            if hasattr(module, "make"):
                found.append(module)
    return sorted(found, key=lambda m: (m.ORDER, m.__name__))
