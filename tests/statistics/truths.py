"""How often do the intervals hold the truth? Worlds with a known truth, drawn again and again.

    python tests/statistics/truths.py            prints the table
    python tests/statistics/truths.py --write    puts it into docs/statistics.md

Every row repeats an experiment with other luck and counts how often the 95 % interval of
``reports.estimates`` holds the true value. ``counts`` is n p, the number of successes expected:
from 50 on coverage must lie between 93.5 and 96.5 %; below, the row shows what one gets.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from reports import estimates as e  # noqa: E402
from reports import resampling, variance  # noqa: E402
from reports.experiments import ledger  # noqa: E402
from simulate import precision  # noqa: E402
from simulate.experiments import compare  # noqa: E402

REPEATS = 10_000
GROUPS = 512  # clusters of a report
LOW, HIGH = 0.935, 0.965  # of the intervals that promise 95 %
ENOUGH = 50  # successes from which this is promised
FEW = (1, 2, 5, 10, 20, 35)  # successes of the curve below
CLUSTERS, RESAMPLES = 128, 400  # of a bootstrap, for the sake of time; reports: 512 and 2,000
LEDGERS = 2000  # repeats of a bootstrapped ledger, for the same reason
PAGE = ROOT / "docs" / "statistics.md"
BEGIN, END = "<!-- coverage: begin -->", "<!-- coverage: end -->"


@dataclass(frozen=True)
class Row:
    """What was estimated, how many successes were expected, and how often the interval held."""

    what: str
    case: str
    counts: float  # n p, infinite where nothing is counted
    inside: float
    exact: bool = True  # promises 95 %, not at least 95 %

    @property
    def promised(self) -> bool:
        """Whether the row must keep the bounds."""
        return self.counts >= ENOUGH

    @property
    def kept(self) -> bool:
        """Whether it does."""
        return LOW <= self.inside and (self.inside <= HIGH or not self.exact)


def held(found: e.Estimate, truth: float) -> bool:
    """Whether an interval holds the truth."""
    return found.low <= truth <= found.high


# ---------------------------------------------------------------- shares


def binomial(p: float, n: int, repeats: int = REPEATS) -> Row:
    """Independent rolls: each number of successes has one interval, drawn as often as it comes."""
    won = np.random.default_rng([11, n]).binomial(n, p, repeats)
    values, times = np.unique(won, return_counts=True)
    inside = sum(
        int(k) for x, k in zip(values, times, strict=True) if held(e.proportion(int(x), n), p)
    )
    return Row("share of independent rolls", f"p = {p:g}, n = {n:,}", n * p, inside / repeats)


def clustered(p: float, n: int, repeats: int = REPEATS) -> Row:
    """Games in blocks of four that share their luck, blocks added up in groups.

    The luck of a block is beta-distributed, correlation 0.1 between its games, so n games are worth
    n / 1.3 independent ones.
    """
    rng = np.random.default_rng([12, n])
    each = n // 4 // GROUPS  # blocks of a group
    a = p * 9
    inside = 0
    for _ in range(repeats):
        won = rng.binomial(4, rng.beta(a, 9 - a, (GROUPS, each))).sum(1)
        inside += held(e.share(won, np.full(GROUPS, 4 * each)), p)
    case = f"p = {p:g}, n = {n:,}"
    return Row("share of games that share dice", case, n * p / 1.3, inside / repeats)


def seats(blocks: int, repeats: int = REPEATS) -> Row:
    """Four rotations of a line-up in one block: the seat's wins of a block hang together."""
    rng = np.random.default_rng([13, blocks])
    truth = np.array([0.28, 0.25, 0.24, 0.23])
    size = blocks // GROUPS
    inside = 0
    for _ in range(repeats):
        luck = rng.dirichlet(truth * 30, GROUPS)
        won = rng.multinomial(4 * size, luck)
        inside += held(e.share(won[:, 0], np.full(GROUPS, 4 * size)), truth[0])
    case = f"p = 0.28, n = {4 * blocks:,}"
    worth = 4 * blocks / (1 + (4 * size - 1) / 31)
    return Row("win share of a rotated seat", case, worth * truth[0], inside / repeats)


# ---------------------------------------------------------------- differences


def differences(groups: int, repeats: int = REPEATS) -> Row:
    """Wins of two arms on the same dice: the latent luck is shared, B wins more often."""
    from scipy.special import ndtri

    rng = np.random.default_rng([14, groups])
    size, a, b, tie = 8, 0.25, 0.27, 0.8
    cut_a, cut_b = float(ndtri(a)), float(ndtri(b))
    ones = np.full(groups, size)
    inside = 0
    for _ in range(repeats):
        luck = math.sqrt(tie) * rng.standard_normal((groups, size))
        own = math.sqrt(1 - tie) * rng.standard_normal((2, groups, size))
        first, other = (
            (luck + one < cut).sum(1) for one, cut in zip(own, (cut_a, cut_b), strict=True)
        )
        inside += held(e.paired_ratio(other, ones, first, ones).difference, b - a)
    case = f"25 against 27 %, {groups} groups, n = {groups * size:,}"
    return Row("paired difference of win shares", case, groups * size * a, inside / repeats)


# ---------------------------------------------------------------- medians


def median(n: int, step: float, repeats: int = REPEATS) -> Row:
    """The middle of a skewed length; groups share a part of their luck.

    Values far from the middle are drawn in: that moves no median and makes short histograms.
    """
    rng = np.random.default_rng([15, n, int(step * 100)])
    scale = 12.0

    def draw(size: int, groups: int) -> np.ndarray:
        shared = rng.gamma(40, 1 / 40, (groups, 1))
        return np.round(rng.gamma(4, scale, (groups, size)) * shared / step) * step

    truth = float(np.median(draw(2000, 5000)))
    weights = list(resampling.poisson_weights(CLUSTERS, RESAMPLES))
    size = n // CLUSTERS
    inside = 0
    before = resampling.poisson_weights
    resampling.poisson_weights = lambda *_, **__: iter(weights)  # the same ones, drawn once
    try:
        for _ in range(repeats):
            x = np.clip(draw(size, CLUSTERS).ravel(), truth - 8, truth + 8)
            table, values = resampling.block_histograms(x, np.repeat(np.arange(CLUSTERS), size))
            found = resampling.quantile(table, values, resamples=RESAMPLES)
            inside += held(found, truth)
    finally:
        resampling.poisson_weights = before
    exact = step < 1
    case = f"{'tenths' if exact else 'steps of five'}, n = {n:,}"
    return Row("median", case, math.inf, inside / repeats, exact)


# ---------------------------------------------------------------- luck


def upsets(q: float, n: int, repeats: int = LEDGERS) -> Row:
    """A ledger of a favourite who loses by a rare throw: the share that the throw makes.

    With chance q the throw opens the game, then a coin decides it. Shares are known: of the whole
    the style makes (1 - q)², the throw q(1 - q) alone and half of what both make together, as much
    again. Arms are as ``simulate luck`` plays them: drawn, other throw, other coin.
    """
    rng = np.random.default_rng([20, n])
    throw, other_throw, coin, other_coin = (np.arange(16) >> bit & 1 for bit in range(4))
    chance = np.where(throw, q, 1 - q) * np.where(other_throw, q, 1 - q) / 4
    arms = variance.design(2)
    won = np.stack(
        [
            1.0 - np.where(a & 1, other_throw, throw) * np.where(a >> 1, other_coin, coin)
            for a in arms
        ]
    )
    truth = 1.5 * q * (1 - q)
    weights = list(resampling.poisson_weights(CLUSTERS, RESAMPLES))
    before = resampling.poisson_weights
    resampling.poisson_weights = lambda *_, **__: iter(weights)  # the same ones, drawn once
    inside = 0
    try:
        for _ in range(repeats):
            games = rng.multinomial(n // CLUSTERS // 2, chance, (2, CLUSTERS))  # by rotation
            places, products, offsets = _ledger(games.astype(np.float64), won, arms)
            names = ("throw", "coin")
            found = variance.split(places, products, names, 2 * n, False, offsets)
            inside += held(found.part("throw").share, truth)
    finally:
        resampling.poisson_weights = before
    case = f"lost by {q / 2:.2%} of favourites, n = {n:,}, {repeats:,} repeats"
    return Row("share of luck of a rare upset", case, n * q / 2, inside / repeats)


def _ledger(
    games: np.ndarray, won: np.ndarray, arms: list[int]
) -> tuple[variance.Places, np.ndarray, np.ndarray]:
    """Sums of two players in two rotations, as ``reports.experiments.ledger`` adds them up."""
    sums, counts = np.zeros((2, CLUSTERS, 2, 2))
    for rotation, table in enumerate(games):
        wins, played = table @ won.mean(0), table.sum(1)
        sums[:, 0, rotation], sums[:, 1, 1 - rotation] = wins, played - wins
        counts[:, 0, rotation] = counts[:, 1, 1 - rotation] = played
    offsets = sums.sum(0) / counts.sum(0)
    products = np.zeros((CLUSTERS, 4))
    for i, j, shared, weight in ledger._pairs(arms, 2):
        for rotation, table in enumerate(games):
            mine, yours = offsets[0, rotation], offsets[1, 1 - rotation]
            both = (won[i] - mine) * (won[j] - mine)
            both += (1 - won[i] - yours) * (1 - won[j] - yours)
            products[:, shared] += weight * (table @ both)
    return variance.Places(sums, counts, (0, 1)), products, offsets


# ---------------------------------------------------------------- runs that stop


def precise(p: float, half: float, repeats: int = REPEATS) -> Row:
    """A run that goes on until the interval is narrow: ``--precision win_rate=…``."""
    rng = np.random.default_rng([16, int(p * 100)])
    stages = precision.looks(SimpleNamespace(k=1), 10**6)  # type: ignore[arg-type]
    inside = 0
    for _ in range(repeats):
        won, blocks = np.zeros(GROUPS), 0
        for stage in stages:
            more = (stage - blocks) // GROUPS
            won, blocks = won + rng.binomial(more, p, GROUPS), stage
            found = e.share(won, np.full(GROUPS, blocks // GROUPS))
            if found.half <= half:
                break
        inside += held(found, p)
    case = f"p = {p:g}, until ± {100 * half:g} pp"
    return Row("share of a run with --precision", case, precision.FIRST_LOOK * p, inside / repeats)


def until(effect: float, repeats: int = REPEATS) -> Row:
    """A comparison that goes on until it is decided: the interval at the end."""
    rng = np.random.default_rng([17, int(effect * 1000)])
    stages = [compare.FIRST_LOOK * 2**i for i in range(6)]
    margin, spread = 0.05, 1.0
    inside = 0
    for _ in range(repeats):
        total, blocks = np.zeros(GROUPS), 0
        for stage in stages:
            more = (stage - blocks) // GROUPS
            total = total + rng.normal(effect * more, spread * math.sqrt(more), GROUPS)
            blocks = stage
            found = replace(e.ratio(total, np.full(GROUPS, blocks // GROUPS)), clusters=blocks)
            if e.decisions([found], [margin], tuned_for=compare.TUNED_FOR)[0].state != e.UNKNOWN:
                break
        low, high = e.confidence_sequence(found, compare.TUNED_FOR)
        inside += low <= effect <= high
    case = f"true effect {effect:g}, margin {margin:g}"
    return Row("difference of compare --until", case, math.inf, inside / repeats, exact=False)


# ---------------------------------------------------------------- looking often


def looking(looks: int = 100, step: int = 100, repeats: int = REPEATS) -> tuple[float, float]:
    """Part of runs in which some look misses the truth: plain intervals, confidence sequences."""
    rng = np.random.default_rng(18)
    z = e.z_value()
    plain = watched = 0
    for _ in range(repeats):
        x = np.cumsum(rng.random(looks * step) < 0.5)[step - 1 :: step]
        n = np.arange(1, looks + 1) * step
        share = x / n
        se = np.sqrt(share * (1 - share) / (n - 1))
        plain += bool((np.abs(share - 0.5) > z * se).any())
        for at, value, error in zip(n, share, se, strict=True):
            if abs(value - 0.5) < 2 * error:  # the sequence is always wider than that
                continue
            one = e.Estimate(value, value, value, int(at), int(at), error)
            low, high = e.confidence_sequence(one)
            if not low <= 0.5 <= high:
                watched += 1
                break
    return plain / repeats, watched / repeats


def discoveries(tests: int = 60, true: int = 15, repeats: int = 2000) -> tuple[float, float]:
    """False discoveries among all discoveries of a family, plain and corrected, on average."""
    rng = np.random.default_rng(19)
    rates: list[tuple[float, float]] = []
    for _ in range(repeats):
        gaps = rng.normal(np.where(np.arange(tests) < true, 3.0, 0.0), 1.0)
        p = [e.z_test(gap, 1.0) for gap in gaps]
        row = []
        for values in (p, e.adjusted(p)):
            found = np.array(values) < 0.05
            row.append(found[true:].sum() / max(found.sum(), 1))
        rates.append((row[0], row[1]))
    plain, corrected = np.mean(rates, axis=0)
    return float(plain), float(corrected)


# ---------------------------------------------------------------- the table

UPSETS = ((0.02, 1024), (0.2, 512), (0.02, 5120), (0.005, 20_480), (0.02, 20_480))


def parts() -> list[Callable[[], Row]]:
    """All rows, not yet worked out."""
    few = [partial(binomial, p, round(k / p)) for p in (0.01, 0.25, 0.5) for k in FEW]
    many = [partial(binomial, p, round(k / p)) for p in (0.01, 0.25, 0.5) for k in (50, 200, 2000)]
    blocks = [partial(clustered, p, n) for p in (0.01, 0.25, 0.5) for n in (2048, 8192, 32_768)]
    return [
        *few,
        *many,
        *blocks,
        *(partial(seats, n) for n in (512, 2048, 16_384)),
        *(partial(differences, groups) for groups in (30, 120, GROUPS)),
        *(partial(median, n, 0.1) for n in (1024, 4096)),
        partial(median, 4096, 5.0),
        *(partial(upsets, q, n) for q, n in UPSETS),
        partial(precise, 0.25, 0.005),
        partial(precise, 0.5, 0.004),
        partial(precise, 0.02, 0.002),
        *(partial(until, effect) for effect in (0.0, 0.05, 0.1)),
    ]


def lines(rows: list[Row]) -> Iterator[str]:
    """The rows as a Markdown table."""
    yield "| what | case | successes expected | coverage of 95 % |"
    yield "|---|---|---|---|"
    for row in rows:
        counts = "–" if math.isinf(row.counts) else f"{row.counts:,.0f}"
        more = "" if row.exact else " (at least 95 is promised)"
        yield f"| {row.what} | {row.case} | {counts} | {100 * row.inside:.1f} %{more} |"


def page(rows: list[Row]) -> str:
    """What stands in docs/statistics.md."""
    plain, watched = looking()
    found, corrected = discoveries()
    promised = [row for row in rows if row.promised]
    fewer = [row for row in rows if not row.promised]
    body = [
        f"{REPEATS:,} repeats a row where it says no other number; made by `python tests/statistics/truths.py --write`. From "
        f"{ENOUGH} expected successes on coverage must lie between {100 * LOW:g} and "
        f"{100 * HIGH:g} %:",
        "\n".join(lines(promised)),
        "Below that one gets:",
        "\n".join(lines(fewer)),
        f"Looking 100 times at a fair coin, a plain 95 % interval misses at some look in "
        f"{100 * plain:.0f} % of runs, the confidence sequence in {100 * watched:.1f} % (at most 5 "
        f"is promised). In families of 60 tests, 15 of them with an effect, {100 * found:.0f} % of "
        f"the plain discoveries at 5 % are false, {100 * corrected:.1f} % of the corrected ones.",
    ]
    return "\n\n".join(body)


def write(text: str) -> None:
    """Put the tables into the page."""
    before = PAGE.read_text(encoding="utf-8")
    head, rest = before.split(BEGIN)
    tail = rest.split(END)[1]
    PAGE.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}", encoding="utf-8")


def main(arguments: list[str]) -> Any:
    """Work all rows out, print them, and write them where asked."""
    import time

    rows = []
    for part in parts():
        began = time.perf_counter()
        rows.append(part())
        seconds = time.perf_counter() - began
        print(f"{next(reversed(list(lines(rows[-1:]))))}  {seconds:.0f} s", flush=True)
    text = page(rows)
    print(text.rsplit("\n\n", 1)[1])
    if "--write" in arguments:
        write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
