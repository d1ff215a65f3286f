"""Means and shares over many positions: what decisions weigh, where strategies err, who makes kings.

Positions are a sample of each game's decisions; one stands for ``weight`` of them. Clusters of all
intervals are the blocks of games that share dice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import polars as pl

from reports import deconvolution, estimates
from reports.estimates import NOTHING, Estimate
from reports.experiments.rollouts_values import Thresholds
from reports.measures import Run, Stratum, strata

PARTS = ("first third", "middle third", "last third")
MIN_POSITIONS = 30  # below this a group is shown without a verdict


@dataclass(frozen=True, eq=False)
class Group:
    """Positions that are looked at together. ``games``: of the stratum, by block."""

    rows: pl.DataFrame
    games: pl.DataFrame  # block, games

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, condition: pl.Expr) -> Group:
        """A part of them."""
        return replace(self, rows=self.rows.filter(condition))

    @cached_property
    def _weighted(self) -> pl.DataFrame:
        """The rows with weights of mean 1, so that counts are counts of positions."""
        return self.rows.with_columns((pl.col("weight") / pl.col("weight").mean()).alias("w"))

    def _sums(self, column: str) -> pl.DataFrame:
        value = pl.col(column).cast(pl.Float64)
        return (
            self._weighted.group_by("block")
            .agg((pl.col("w") * value).sum().alias("sum"), pl.col("w").sum().alias("count"))
            .sort("block")
        )

    def mean(self, column: str) -> Estimate:
        """Mean over decisions."""
        if not len(self):
            return NOTHING
        sums = self._sums(column)
        found = estimates.ratio(sums["sum"].to_numpy(), sums["count"].to_numpy())
        return replace(found, n=len(self))

    def share(self, column: str) -> Estimate:
        """Share of decisions with a flag."""
        if not len(self):
            return NOTHING
        sums = self._sums(column)
        found = estimates.share(sums["sum"].to_numpy(), sums["count"].to_numpy())
        return replace(found, n=len(self))

    def above(self, column: str, threshold: float) -> Estimate:
        """Share of decisions whose true value lies above a threshold, noise taken out."""
        value, se, weight, block = (
            self.rows[name].to_numpy() for name in (column, f"{column}_se", "weight", "block")
        )
        return deconvolution.share_above(value, se, weight, block, threshold)

    def per_game(self, column: str) -> Estimate:
        """Sum over the decisions of a game, the ones not looked at included; games without count."""
        value = pl.col("weight") * pl.col(column).cast(pl.Float64)
        sums = self.rows.group_by("block").agg(value.sum().alias("sum"))
        both = self.games.join(sums, on="block", how="left").sort("block")
        return estimates.ratio(both["sum"].fill_null(0.0).to_numpy(), both["games"].to_numpy())

    def games_with(self, column: str) -> Estimate:
        """Share of games with the flag at one of the decisions looked at."""
        flagged = self.rows.filter(pl.col(column))
        hit = flagged.group_by("block").agg(pl.col("game_id").n_unique().alias("sum"))
        both = self.games.join(hit, on="block", how="left").sort("block")
        return estimates.share(both["sum"].fill_null(0).to_numpy(), both["games"].to_numpy())


@dataclass(frozen=True, eq=False)
class Study:
    """Finished rollouts: a row a position, a row a position and act, what was asked."""

    run: Run
    values: pl.DataFrame
    acts: pl.DataFrame
    asked: Mapping[str, Any]
    limits: Thresholds
    meanings: Mapping[str, str] = field(default_factory=dict)  # of questions, in words

    @cached_property
    def strata(self) -> list[Stratum]:
        """Kinds of games, never put together."""
        return strata(self.run.identity)

    def _games(self, stratum: Stratum) -> pl.DataFrame:
        blocks = int(self.run.plan.blocks)
        return pl.DataFrame(
            {"block": range(blocks), "games": [len(stratum.cells)] * blocks},
            schema={"block": pl.Int64, "games": pl.Int64},
        )

    def group(self, stratum: Stratum) -> Group:
        """All positions of a kind of games."""
        rows = self.values.filter(pl.col("cell").is_in(list(stratum.cells)))
        return Group(rows, self._games(stratum))

    def questions(self, stratum: Stratum) -> Iterator[tuple[str, Group]]:
        """Positions by question, the most frequent question first."""
        whole = self.group(stratum)
        counts = (
            whole.rows.group_by("question")
            .agg(pl.col("weight").sum())
            .sort(["weight", "question"], descending=[True, False])
        )
        for name in counts["question"]:
            yield name, whole.where(pl.col("question") == name)

    def _once(
        self, name: str, stratum: Stratum, make: Callable[[Stratum], list[dict[str, Any]]]
    ) -> list[dict[str, Any]]:
        """Rows of a kind of games, made when first asked for."""
        key = (name, stratum.number)
        if key not in self._made:
            self._made[key] = make(stratum)
        return self._made[key]

    @cached_property
    def _made(self) -> dict[tuple[str, int], list[dict[str, Any]]]:
        return {}

    @property
    def sampled(self) -> bool:
        """Whether some decisions of a game were left out."""
        return bool((self.values["weight"] > 1).any()) if len(self.values) else False

    def weight_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        """What decisions weigh, all together and by question."""
        return self._once("weight", stratum, self._weight_rows)

    def _weight_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        whole = self.group(stratum)
        return [
            {"question": name, **weight_of(group, self.limits)}
            for name, group in [("all", whole), *self.questions(stratum)]
            if len(group)
        ]

    def part_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        """What decisions weigh, by third of the game."""
        return self._once("part", stratum, self._part_rows)

    def _part_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        whole = self.group(stratum)
        groups = [(name, whole.where(pl.col("part") == i)) for i, name in enumerate(PARTS)]
        return [{"part": n, **weight_of(g, self.limits)} for n, g in groups if len(g)]

    def regret_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        """What the choices of each strategy leave on the table, by question; what costs most in all first."""
        return self._once("regret", stratum, self._regret_rows)

    def _regret_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        rows = []
        whole = self.group(stratum)
        for strategy in sorted(whole.rows["strategy"].unique()):
            own = whole.where(pl.col("strategy") == strategy)
            for question in ("all", *sorted(own.rows["question"].unique())):
                group = own if question == "all" else own.where(pl.col("question") == question)
                rows.append(
                    {
                        "strategy": strategy,
                        "question": question,
                        "positions": len(group),
                        "cost": float((group.rows["weight"] * group.rows["regret"]).sum()),
                        "regret": group.mean("regret"),
                        "wrong": group.above("regret", self.limits.matters),
                    }
                )
        costs = [float(row.pop("cost")) for row in rows]
        order = sorted(range(len(rows)), key=lambda i: (rows[i]["question"] != "all", -costs[i]))
        return [rows[i] for i in order]

    def king_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        """Decisions that cost the decider nothing and decide for somebody else, by question."""
        return self._once("king", stratum, self._king_rows)

    def _king_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        whole = self.group(stratum)
        return [
            {"question": name, **self._kings(group)}
            for name, group in [("all", whole), *self.questions(stratum)]
            if len(group)
        ]

    def standing_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        """The same by where the decider stands, and for those without hope."""
        return self._once("standing", stratum, self._standing_rows)

    def _standing_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        whole = self.group(stratum)
        groups = [
            (f"{number} of {stratum.players}", whole.where(pl.col("standing") == number))
            for number in range(1, stratum.players + 1)
        ]
        groups.append(("no hope", whole.where(pl.col("hopeless"))))
        return [{"standing": name, **self._kings(group)} for name, group in groups if len(group)]

    def _kings(self, group: Group) -> dict[str, Any]:
        careless = group.where(pl.col("same_for_oneself"))
        return {
            "positions": len(group),
            "hopeless": group.share("hopeless"),
            "same": group.share("same_for_oneself"),
            "swings": careless.above("swing", self.limits.swing),
            "sure": group.share("kingmaking"),
            "a_game": group.per_game("kingmaking"),
            "games": group.games_with("kingmaking"),
        }

    def act_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        """What each kind of act is worth against the best other kind, one family of tests."""
        return self._once("act", stratum, self._act_rows)

    def _act_rows(self, stratum: Stratum) -> list[dict[str, Any]]:
        rows = self.acts.filter(pl.col("cell").is_in(list(stratum.cells)))
        whole = Group(rows, self._games(stratum))
        found = []
        for question, act in rows.select("question", "act").unique().sort("question", "act").rows():
            group = whole.where((pl.col("question") == question) & (pl.col("act") == act))
            taken = group.where(pl.col("taken"))
            found.append(
                {
                    "question": question,
                    "act": act,
                    "positions": len(group),
                    "taken": group.share("taken"),
                    "worth": group.mean("worth"),
                    "worth_taken": taken.mean("worth"),
                }
            )
        q_values = estimates.adjusted([_p(row["worth"]) for row in found])
        return [{**row, "q": q} for row, q in zip(found, q_values, strict=True)]


def weight_of(group: Group, limits: Thresholds) -> dict[str, Any]:
    """What the decisions of a group weigh."""
    return {
        "positions": len(group),
        "offered": group.mean("offered"),
        "spread": group.mean("spread"),
        "matters": group.above("spread", limits.matters),
        "gap": group.mean("gap"),
        "agency": group.mean("agency"),
        "regret": group.mean("regret"),
        "naive": group.mean("spread_naive"),
    }


def _p(e: Estimate) -> float:
    """P-value of no difference; NaN where the data cannot say."""
    if e.clusters < 2 or not e.se > 0:
        return math.nan
    return estimates.t_test(e.value, e.se, e.df)
