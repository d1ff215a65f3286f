"""Who finishes ahead of whom: meetings, finishing orders, strengths and circles of a tournament."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from reports import estimates, measures, metagame, resampling
from reports.estimates import Estimate
from reports.measures import GROUPS, WIN_SCALE, Part, Records, Stratum

MIXES = 400  # resamples of the equilibrium, a linear program each, and of what stays in use
ELO = 400 / math.log(10)  # points of the usual display scale in a unit of log strength
NEAR = 0.05  # a style is viable if the best one beats it by so much at most: 55 in 100 meetings
STEP = 200.0  # points of one step of skill: the better finishes ahead in three meetings of four


@dataclass(frozen=True)
class Triple:
    """Three styles and how far their meetings run in a circle."""

    names: tuple[str, str, str]  # the first beats the second more than ratings allow, and so on
    circulation: Estimate  # sum of the three log odds round the circle
    q: float
    circle: bool  # each surely beats the next


@dataclass(frozen=True, eq=False)
class Meetings:
    """Everything that one kind of games tells about the strength of the styles, by group."""

    names: tuple[str, ...]
    stratum: str
    players: int
    games: int
    cut: int  # games without a winner, left out of the orders
    ahead: np.ndarray  # [GROUPS, n, n] times that row finished ahead of column, level counts 1/2
    met: np.ndarray  # [GROUPS, n, n] meetings
    fields: np.ndarray  # [fields, n] seats of each style in a field of those still racing
    stages: np.ndarray  # [GROUPS, fields]
    stage_wins: np.ndarray  # [GROUPS, n]
    won: np.ndarray  # [GROUPS, n] win shares
    seen: np.ndarray  # [GROUPS, n] chances to win

    @cached_property
    def weights(self) -> np.ndarray:
        """Poisson weights of the groups that were played: [resamples, groups]."""
        return np.concatenate(list(resampling.poisson_weights(int(self.there.sum()))))

    @cached_property
    def there(self) -> np.ndarray:
        """Groups that hold games."""
        return self.seen.sum(1) > 0

    @property
    def few(self) -> bool:
        """Whether too few blocks were played for any verdict."""
        return int(self.there.sum()) < estimates.MIN_CLUSTERS

    # ------------------------------------------------------------ rates

    def rate(self, one: int, other: int) -> Estimate:
        """How often ``one`` finishes ahead of ``other`` when they meet."""
        return estimates.share(self.ahead[:, one, other], self.met[:, one, other])

    def win_share(self, one: int) -> Estimate:
        """How often a style wins."""
        return estimates.share(self.won[:, one], self.seen[:, one])

    # ------------------------------------------------------------ strengths

    @cached_property
    def strengths(self) -> np.ndarray:
        """Plackett-Luce log strengths, mean 0."""
        return estimates.plackett_luce(self.fields, self.stages.sum(0), self.stage_wins.sum(0))

    @cached_property
    def strength_draws(self) -> np.ndarray:
        """The same in every resample: [resamples, n]."""
        stages = self.weights @ self.stages[self.there]
        wins = self.weights @ self.stage_wins[self.there]
        return estimates.plackett_luce(self.fields, stages, wins, tol=1e-4)

    def strength(self, one: int) -> Estimate:
        """A style's strength on the display scale, bootstrapped over blocks."""
        return self._estimate(float(self.strengths[one]), self.strength_draws[:, one], ELO)

    def gap(self, one: int, other: int) -> Estimate:
        """How much stronger one style is than another, on the display scale."""
        value = float(self.strengths[one] - self.strengths[other])
        draws = self.strength_draws[:, one] - self.strength_draws[:, other]
        return self._estimate(value, draws, ELO)

    def _estimate(self, value: float, draws: np.ndarray, scale: float = 1.0) -> Estimate:
        low, high = resampling.percentile_interval(draws * scale, estimates.LEVEL)
        clusters = int(self.there.sum())
        spread = float(np.nanstd(draws * scale))
        return Estimate(value * scale, low, high, self.games, clusters, spread)

    @property
    def order(self) -> list[int]:
        """Styles from the strongest to the weakest."""
        return [int(i) for i in np.argsort(-self.strengths, kind="stable")]

    @cached_property
    def depth(self) -> Estimate:
        """Steps of skill from the weakest style to the strongest (Lantz et al. 2017)."""
        value, low, high = estimates.extent(self.strengths, self.strength_draws)
        spread = float(np.ptp(self.strength_draws, axis=1).std())
        clusters = int(self.there.sum())
        found = Estimate(value, low, high, self.games, clusters, spread)
        return found.scaled(ELO / STEP)

    def expected(self, one: int, other: int) -> float:
        """The rate that the strengths alone would give."""
        return float(1 / (1 + math.exp(self.strengths[other] - self.strengths[one])))

    @cached_property
    def _table_draws(self) -> tuple[np.ndarray, np.ndarray]:
        """Times ahead and meetings in every resample: [resamples, n, n] each."""
        n = len(self.names)
        ahead, met = (
            (self.weights @ table[self.there].reshape(-1, n * n)).reshape(-1, n, n)
            for table in (self.ahead, self.met)
        )
        return ahead, met

    # ------------------------------------------------------------ equilibrium

    @cached_property
    def equilibrium(self) -> list[Estimate]:
        """Weight of each style in the mix that none finishes ahead of more often than not."""
        n = len(self.names)
        seen, resampled = self._advantages
        value = estimates.equilibrium(seen)
        draws = np.array([estimates.equilibrium(one) for one in resampled])
        return [self._estimate(float(value[i]), draws[:, i]) for i in range(n)]

    # ------------------------------------------------------------ what stays in use

    @cached_property
    def _advantages(self) -> tuple[np.ndarray, np.ndarray]:
        """Advantage of each style over each other, as seen [n, n] and resampled [MIXES, n, n]."""
        ahead, met = (table[:MIXES] for table in self._table_draws)
        return _advantage(self.ahead.sum(0), self.met.sum(0)), _advantage(ahead, met)

    @cached_property
    def lasting(self) -> list[Estimate]:
        """Share of time that each style is played where everybody changes to what wins."""
        seen, draws = (metagame.alpha_rank(one) for one in self._advantages)
        return [self._estimate(float(seen[i]), draws[:, i]) for i in range(len(self.names))]

    @cached_property
    def near(self) -> list[float]:
        """Chance that each style is within NEAR of the strongest, over resamples."""
        draws = metagame.within(self._advantages[1], self.order[0], NEAR)
        return [float(share) for share in draws.mean(0)]

    @cached_property
    def of_use(self) -> list[float]:
        """Chance that no other style is better against every rival, over resamples."""
        draws = metagame.undominated(self._advantages[1])
        return [float(share) for share in draws.mean(0)]

    @cached_property
    def diversity(self) -> Estimate:
        """How many styles are within NEAR of the strongest (top-D diversity)."""
        best = self.order[0]
        seen, draws = (metagame.within(one, best, NEAR).sum(-1) for one in self._advantages)
        return self._estimate(float(seen), draws.astype(np.float64))

    @cached_property
    def balance(self) -> Estimate:
        """How many styles no other one makes useless (top-B balance)."""
        seen, draws = (metagame.undominated(one).sum(-1) for one in self._advantages)
        return self._estimate(float(seen), draws.astype(np.float64))

    # ------------------------------------------------------------ circles

    @cached_property
    def log_odds(self) -> np.ndarray:
        """Skew-symmetric log odds of every meeting."""
        return _skew(estimates.log_odds(self.ahead.sum(0), self.met.sum(0)))

    @cached_property
    def log_odds_draws(self) -> np.ndarray:
        """The same in every resample: [resamples, n, n]."""
        return _skew(estimates.log_odds(*self._table_draws))

    @cached_property
    def cyclic(self) -> Estimate:
        """Share of the log odds that runs in circles, its noise taken out."""
        value, draws = estimates.cyclic_share(self.log_odds, self.log_odds_draws)
        return self._estimate(value, draws)

    @cached_property
    def triples(self) -> list[Triple]:
        """All triples, the strongest circulation first; one family of tests."""
        a, draws = self.log_odds, self.log_odds_draws
        found, p_values = [], []
        for i, j, k in itertools.combinations(range(len(self.names)), 3):
            value = float(a[i, j] + a[j, k] + a[k, i])
            around = draws[:, i, j] + draws[:, j, k] + draws[:, k, i]
            one, two, three = (i, j, k) if value >= 0 else (i, k, j)
            sign = 1 if value >= 0 else -1
            legs = ((one, two), (two, three), (three, one))
            circle = all(self.rate(x, y).low > 0.5 for x, y in legs)
            names = (self.names[one], self.names[two], self.names[three])
            estimate = self._estimate(value * sign, around * sign)
            found.append(Triple(names, estimate, math.nan, circle))
            p_values.append(estimates.z_test(estimate.value, estimate.se))
        found = [
            Triple(t.names, t.circulation, q, t.circle)
            for t, q in zip(found, estimates.adjusted(p_values), strict=True)
        ]
        return sorted(found, key=lambda t: (not t.circle, -abs(t.circulation.value)))


def _advantage(ahead: np.ndarray, met: np.ndarray) -> np.ndarray:
    """Share of meetings finished ahead less a half; 0 where two styles never met."""
    share = np.divide(ahead, met, out=np.full(ahead.shape, 0.5), where=met > 0) - 0.5
    return (share - np.swapaxes(share, -1, -2)) / 2


def _skew(odds: np.ndarray) -> np.ndarray:
    """Odds against oneself are no information."""
    n = odds.shape[-1]
    odds = odds.copy()
    odds[..., np.arange(n), np.arange(n)] = 0.0
    return odds


# ---------------------------------------------------------------- reading


def read(run: measures.Run) -> list[Meetings]:
    """One ``Meetings`` a kind of games of a run."""
    records = Records(run)
    jobs = {"met": measures.head_to_head(records), "sums": measures.seat_sums(records)}
    frames = measures.run_jobs(records, "seats", jobs)
    orders = {s.number: _Orders(len(records.strategies)) for s in records.strata}
    columns = ["strategy", "rank", "win_share", "side"]
    for part in records.parts("seats", columns):
        for stratum in records.strata:
            for cell in stratum.cells:
                orders[stratum.number].add(*_finish(part, stratum, cell), part.groups())
    return [
        _meetings(records, stratum, frames, orders[stratum.number])
        for stratum in records.strata
        if not stratum.equal
    ]


def _finish(part: Part, stratum: Stratum, cell: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Styles and ranks by side [blocks, players], and which games had a winner."""
    who, rank, won = (part.cell(name, cell) for name in ("strategy", "rank", "win_share"))
    decided = won.sum(1) > 0
    if stratum.players == stratum.n_seats:
        return who, rank, decided
    side = part.cell("side", cell)
    one_each, ranks = [], []
    for player in range(stratum.players):
        own = side == player
        one_each.append(np.where(own, who, -1).max(1))
        ranks.append(np.where(own, rank, 0).sum(1) / np.maximum(own.sum(1), 1))
    return np.stack(one_each, 1), np.stack(ranks, 1), decided


class _Orders:
    """Finishing orders taken apart into stages: who was still racing, who came home next."""

    def __init__(self, styles: int) -> None:
        self.styles = styles
        self.cut = 0
        self.wins = np.zeros((GROUPS, styles))
        self.counts: dict[int, np.ndarray] = {}  # code of a field -> stages by group
        self.members: dict[int, np.ndarray] = {}

    def add(
        self, who: np.ndarray, rank: np.ndarray, decided: np.ndarray, groups: np.ndarray
    ) -> None:
        """Games of one cell."""
        self.cut += int((~decided).sum())
        who, rank, groups = who[decided], rank[decided], groups[decided]
        for seat in range(who.shape[1]):
            racing = rank >= rank[:, [seat]]
            some = racing.sum(1) > 1
            np.add.at(self.wins, (groups[some], who[some, seat]), 1)
            self._count(who[some], racing[some], groups[some])

    def _count(self, who: np.ndarray, racing: np.ndarray, groups: np.ndarray) -> None:
        """Fields as numbers: the styles in it in rising order, one digit a seat."""
        field = np.sort(np.where(racing, who, self.styles), axis=1)
        code = np.zeros(len(field), np.int64)
        for digit in field.T:
            code = code * (self.styles + 1) + digit
        codes, first, index = np.unique(code, return_index=True, return_inverse=True)
        table = np.bincount(index * GROUPS + groups, minlength=len(codes) * GROUPS)
        for number, (one, row) in enumerate(zip(codes, first, strict=True)):
            stages = table[number * GROUPS : (number + 1) * GROUPS]
            if int(one) in self.counts:
                self.counts[int(one)] += stages
            else:
                self.counts[int(one)] = stages.astype(np.int64)
                seats = np.bincount(field[row], minlength=self.styles + 1)
                self.members[int(one)] = seats[: self.styles]


def _meetings(
    records: Records, stratum: Stratum, frames: dict[str, pl.DataFrame], orders: _Orders
) -> Meetings:
    names = records.strategies
    n = len(names)
    met = frames["met"].filter(pl.col("stratum") == stratum.number)
    at = (
        met["group"].to_numpy(),
        met["strategy"].to_physical().to_numpy(),
        met["rival"].to_physical().to_numpy(),
    )
    meetings, ahead = np.zeros((GROUPS, n, n)), np.zeros((GROUPS, n, n))
    np.add.at(meetings, at, met["meetings"].to_numpy())
    np.add.at(ahead, at, met["ahead2"].to_numpy() / 2)
    rows = frames["sums"].filter(pl.col("stratum") == stratum.number)
    place = (rows["group"].to_numpy(), rows["strategy"].to_physical().to_numpy())
    won, seen = np.zeros((GROUPS, n)), np.zeros((GROUPS, n))
    np.add.at(won, place, rows["win_share"].to_numpy() / WIN_SCALE)
    np.add.at(seen, place, rows["n"].to_numpy() * stratum.players / stratum.n_seats)
    codes = sorted(orders.counts)
    return Meetings(
        names=tuple(names),
        stratum=stratum.label,
        players=stratum.players,
        games=round(seen.sum() / stratum.players),
        cut=orders.cut,
        ahead=ahead,
        met=meetings,
        fields=np.array([orders.members[c] for c in codes], np.float64).reshape(len(codes), n),
        stages=np.array([orders.counts[c] for c in codes], np.float64)
        .reshape(len(codes), GROUPS)
        .T,
        stage_wins=orders.wins,
        won=won,
        seen=seen,
    )


def joined(parts: Sequence[Meetings], names: Sequence[str]) -> Meetings:
    """Several tables of the same dice as one: styles of ``names``, groups added up."""
    n = len(names)
    first = parts[0]
    ahead, met = np.zeros((2, GROUPS, n, n))
    stage_wins, won, seen = np.zeros((3, GROUPS, n))
    fields, stages = [], []
    for part in parts:
        at = np.array([list(names).index(name) for name in part.names])
        for whole, table in ((ahead, part.ahead), (met, part.met)):
            whole[:, at[:, None], at[None, :]] += table
        for whole, table in ((stage_wins, part.stage_wins), (won, part.won), (seen, part.seen)):
            whole[:, at] += table
        wide = np.zeros((len(part.fields), n))
        wide[:, at] = part.fields
        fields.append(wide)
        stages.append(part.stages)
    return Meetings(
        tuple(names), first.stratum, first.players,
        sum(part.games for part in parts), sum(part.cut for part in parts),
        ahead, met, np.concatenate(fields), np.concatenate(stages, 1), stage_wins, won, seen,
    )  # fmt: skip


def rates(found: Meetings) -> Iterator[tuple[int, int, Estimate]]:
    """Every ordered pair of styles that met."""
    for one, other in itertools.permutations(range(len(found.names)), 2):
        if found.met[:, one, other].sum() > 0:
            yield one, other, found.rate(one, other)
