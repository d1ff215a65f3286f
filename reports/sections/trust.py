"""Can these numbers be trusted? Checks that the run must pass whatever the game is like."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import polars as pl

from reports import estimates, wording
from reports.estimates import Estimate, merge
from reports.facts import Facts, Shares, shares_of
from reports.measures import (
    GROUPS,
    RANK_SCALE,
    WIN_SCALE,
    Job,
    Part,
    adding,
    as_integer,
    counted,
    own,
)
from reports.section import Check, Checks, Column, Section, Table

ORDER = 90
NEEDS = {"games": ("game_id", "truncated"), "seats": ("game_id", "win_share", "rank")}
ALPHA = 0.001  # a check that fails by luck once in a thousand reports
PARTS = 20
SMALL_GROUPS = 64  # clusters within a part
KINDS: tuple[Literal["games", "seats"], ...] = ("games", "seats")


def make(facts: Facts) -> Section:
    """Checks, and the family of tests of the whole report."""
    checks = [*conservation(facts), *symmetry(facts), *homogeneity(facts), *own_checks(facts)]
    failed = [c for c in checks if c.passed is False]
    text = (
        "All checks passed."
        if not failed
        else f"{len(failed)} of {len(checks)} checks failed: read this before anything else."
    )
    return Section(
        id="trust",
        title="Trust panel",
        text=f"{text} These are things that must hold whatever the game is like; a failed check "
        "means a mistake in the program or a damaged run, not in the game.",
        help="Checks by chance fail wrongly about once in a thousand reports.",
        blocks=[Checks(checks), _family(facts)],
    )


# ---------------------------------------------------------------- the pass over all rows

COUNTED = ("check",)


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Sums of every game's win shares and ranks; wins and lengths by part of the run."""
    level = facts.lens.order if facts.lens.order in facts.records.seat_schema else "seat"
    seat_keys, game_keys = ["stratum", "chunk", "group", "level"], ["stratum", "chunk", "group"]
    small = (pl.col("group") % SMALL_GROUPS).alias("group")

    def wins(rows: pl.DataFrame) -> pl.DataFrame:
        keyed = rows.with_columns(small, pl.col(level).cast(pl.Int64).alias("level"))
        return counted(keyed, seat_keys, won=as_integer("win_share", pl.Float32()))

    def rounds(rows: pl.DataFrame) -> pl.DataFrame:
        return counted(rows.with_columns(small), game_keys, rounds=pl.col("rounds"))

    def add(frame: pl.DataFrame) -> pl.DataFrame:
        return merge([frame], COUNTED)

    module = _own(facts)
    asked = module.jobs(facts) if module is not None and hasattr(module, "jobs") else {}
    extra = {kind: asked.get(kind, {}) for kind in KINDS}
    return {
        "games": {"rounds by part": adding(["rounds"], game_keys, rounds), **extra["games"]},
        "seats": {
            "wins by part": adding(["win_share", level], seat_keys, wins),
            "games that add up": Job(["win_share", "rank"], _adding_up, add),
            **extra["seats"],
        },
    }


def _adding_up(part: Part) -> pl.DataFrame:
    """Games, and games whose win shares or ranks do not add up."""
    found = np.zeros(3, np.int64)
    for number, cell in enumerate(part.records.cells):
        n = int(cell["n_seats"])
        won = part.cell("win_share", number).astype(np.float64).sum(1)
        ranks = part.cell("rank", number).astype(np.float64).sum(1)
        found[0] += len(won)
        found[1] += int((np.minimum(abs(won), abs(won - 1)) > 1e-3).sum())
        found[2] += int((abs(ranks - n * (n + 1) / 2) > 1e-3).sum())
    return pl.DataFrame({"check": [0], "games": found[:1], "wins": found[1:2], "ranks": found[2:]})


# ---------------------------------------------------------------- conservation


def conservation(facts: Facts) -> Iterator[Check]:
    """Win shares and ranks add up in every game."""
    if not facts.records.full:
        yield from _totals(facts)
        return
    told = facts.job("seats", "games that add up").row(0, named=True)
    of = f"in all {wording.count(told['games'])} games"
    yield Check(
        "Win shares add up",
        told["wins"] == 0,
        f"The win shares of a game sum to 1, or to 0 without a winner, {of}."
        if not told["wins"]
        else f"They do not in {wording.count(told['wins'])} games.",
    )
    yield Check(
        "Ranks add up",
        told["ranks"] == 0,
        f"The places of a game sum to 1 + 2 + … {of}."
        if not told["ranks"]
        else f"They do not in {wording.count(told['ranks'])} games.",
    )
    yield _numbering(facts)


def _totals(facts: Facts) -> Iterator[Check]:
    """The same for a summary, which knows sums over games only."""
    rows = facts.seat_sums.join(
        facts.game_sums.select("group", "stratum", "n"), on=["group", "stratum"]
    )
    seats_of = {s.number: s.n_seats for s in facts.records.strata}
    sums = rows.group_by("stratum").agg(pl.col("win_share", "rank", "n").sum()).sort("stratum")
    fine = True
    for row in sums.iter_rows(named=True):
        seats = seats_of[row["stratum"]]
        games = row["n"] // seats
        fine &= row["win_share"] % WIN_SCALE == 0 and row["win_share"] <= games * WIN_SCALE
        fine &= row["rank"] == games * seats * (seats + 1) // 2 * RANK_SCALE
    yield Check(
        "Win shares and ranks add up",
        fine,
        "Over all games win shares sum to the games with a winner, places to 1 + 2 + … a game.",
    )


def _numbering(facts: Facts) -> Check:
    """Games are numbered without gaps, seats belong to them."""
    told = facts.records.run.games.select(
        pl.col("game_id").min().alias("low"),
        pl.col("game_id").max().alias("high"),
        pl.len().alias("n"),
    ).collect()
    low, high, n = told.row(0)
    seats = facts.records.run.seats.select(pl.len()).collect().item()
    expected = facts.records.n_blocks * facts.records.seats_per_block
    fine = (low, high) == (0, n - 1) and seats == expected
    return Check(
        "Nothing is missing",
        fine,
        f"Games 0 to {wording.count(high)} are all there, with {wording.count(seats)} seats.",
    )


# ---------------------------------------------------------------- symmetry, homogeneity


def symmetry(facts: Facts) -> Iterator[Check]:
    """With one style on every seat and a drawn start, no chair may be better than another."""
    drawn = bool(facts.order) and start_is_drawn(facts)
    strata = facts.equal or (facts.main if facts.one_strategy else [])
    for stratum in strata:
        name = f"Chairs are alike ({stratum.label})"
        if not drawn:
            yield Check(name, None, "Not checked: the start seat is fixed, so chairs may differ.")
            continue
        shares = shares_of(facts.results_by("seat"), "seat", stratum, list(range(stratum.n_seats)))
        test = estimates.chi_square(shares.wins, shares.wins.sum(1))
        if math.isnan(test.p_value):
            yield Check(name, None, "Not checked: too few games with a winner.")
            continue
        yield Check(
            name,
            test.p_value >= ALPHA,
            "With the same style on every seat and the start drawn by lot, every chair must win "
            f"equally often: {wording.p_value(test.p_value)} over "
            f"{wording.count(shares.wins.sum())} games.",
        )


def start_is_drawn(facts: Facts) -> bool:
    """Whether the first seat is drawn by lot in every rules row."""
    rows = facts.identity.get("rules") or []
    firsts = {str(row.get("model", {}).get("setup", {}).get("first", "random")) for row in rows}
    return firsts <= {"random"}


def homogeneity(facts: Facts) -> Iterator[Check]:
    """The parts of a run agree, and so do its two halves."""
    parts = _parts(facts)
    if parts is None:
        yield Check("Parts of the run agree", None, "Not checked: too few games.")
        return
    wins, length = parts
    p_values = [p for p in (estimates.homogeneity(row)[2] for row in (*wins, length)) if p == p]
    if not p_values:
        yield Check("Parts of the run agree", None, "Not checked: too few games.")
        return
    worst = min(estimates.adjusted(p_values, "holm"))
    yield Check(
        "Parts of the run agree",
        worst >= ALPHA,
        f"Win shares and lengths of {len(length)} parts of the run differ no more than luck "
        "allows: "
        f"smallest corrected {wording.p_value(worst)}.",
    )
    yield _halves(length)


def _halves(length: list[Estimate]) -> Check:
    """A/A: two halves with their own dice are two runs of the same thing."""
    middle = len(length) // 2
    halves = []
    for part in (length[:middle], length[middle:]):
        weight = np.array([e.n for e in part], np.float64)
        value = float(np.array([e.value for e in part]) @ weight / weight.sum())
        se = float(np.sqrt(np.array([e.se for e in part]) ** 2 @ weight**2) / weight.sum())
        clusters = sum(e.clusters for e in part)
        halves.append(Estimate(value, value, value, int(weight.sum()), clusters, se))
    gap = estimates.unpaired(halves[0], halves[1])
    p = estimates.z_test(gap.value, gap.se)
    return Check(
        "A/A: the two halves agree",
        p >= ALPHA,
        "The first and the second half are the same experiment with other dice; their mean lengths "
        f"differ by {wording.number(abs(gap.value), 3)} rounds ({wording.p_value(p)}).",
    )


def _parts(facts: Facts) -> tuple[list[list[Estimate]], list[Estimate]] | None:
    """Win share of each start position, and mean rounds, in each contiguous part of the run."""
    if not facts.main or facts.records.n_blocks < PARTS * 20:
        return None
    stratum = max(facts.main, key=facts.games_of)
    seats, games = _by_part(facts)
    seats = seats.filter(pl.col("stratum") == stratum.number)
    games = games.filter(pl.col("stratum") == stratum.number)
    if games["chunk"].n_unique() < 2:
        return None
    wins = [
        _estimates(seats.filter(pl.col("level") == level), "won", WIN_SCALE)
        for level in range(stratum.n_seats)
    ]
    return wins, _estimates(games, "rounds", 1)


def _estimates(rows: pl.DataFrame, column: str, scale: int) -> list[Estimate]:
    """The ratio of a column to n in each part of the run, in order."""
    parts = rows.sort("chunk", "group").group_by(["chunk"], maintain_order=True)
    return [
        estimates.ratio(part[column].to_numpy() / scale, part["n"].to_numpy()) for _, part in parts
    ]


def _by_part(facts: Facts) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Wins by start position and rounds, by part of the run: shards where there are no rows."""
    if facts.records.full:
        return facts.job("seats", "wins by part"), facts.job("games", "rounds by part")
    column = facts.order or "seat"
    keys = ["stratum", "group", "level"]
    seats, games = [], []
    for shard, frame in facts.run.summary.by_shard("results"):
        level = pl.col("level").cast(pl.Int64)
        rows = frame.filter(pl.col("by") == column).with_columns(level)
        won = pl.col("win_share").sum().alias("won")
        made = rows.group_by(keys).agg(won, pl.col("n").sum())
        seats.append(made.with_columns(pl.lit(shard).alias("chunk")))
    for shard, frame in facts.run.summary.by_shard("game_sums"):
        made = frame.select("stratum", "group", "rounds", "n")
        games.append(made.with_columns(pl.lit(shard).alias("chunk")))
    return pl.concat(seats), pl.concat(games)


# ---------------------------------------------------------------- the game's own, the family


def own_checks(facts: Facts) -> Iterator[Check]:
    """Checks that the game's report folder offers (``checks(facts)`` in its ``trust`` module)."""
    module = _own(facts)
    if module is not None:
        yield from module.checks(facts)


def _own(facts: Facts) -> Any | None:
    return own(facts.game, "trust")


def _family(facts: Facts) -> Table:
    """All tests for exact equality in this report, corrected as one family."""
    tests: list[tuple[str, Any, Shares]] = []
    from reports.sections import strategies

    for stratum in facts.main:
        column, levels = facts.order_levels(stratum)
        for s in filter(None, (stratum, facts.twin(stratum))):
            shares = facts.shares(column, s, levels)
            words = "same style on every seat" if s.equal else "the line-up"
            tests.append(
                (
                    f"start order, {s.label}, {words}",
                    estimates.chi_square(shares.wins, shares.wins.sum(1)),
                    shares,
                )
            )
        if not facts.one_strategy:
            shares, fair = strategies.judged(facts, stratum)
            tests.append((f"styles of play, {stratum.label}", fair.test, shares))
    corrected = estimates.adjusted([t.p_value for _, t, _ in tests], "bh")
    rows = [
        {
            "test": name,
            "p": t.p_value,
            "q": q,
            "w": t.cohen_w,
            "effect": t.design_effect,
            "n": int(shares.wins.sum()),
        }
        for (name, t, shares), q in zip(tests, corrected, strict=True)
    ]
    columns = [
        Column("test", "Is it exactly even?"),
        Column("p", "p", "number", 3),
        Column("q", "p, corrected", "number", 3, "Benjamini-Hochberg over this table"),
        Column("w", "Size w", "number", 3, "Cohen's w: 0.1 is small, 0.3 medium"),
        Column("effect", "Design effect", "number", 2, "variance against independent games"),
        Column("n", "Games", "count"),
    ]
    caption = (
        "The family of tests of this report. With a million games everything that is not exactly "
        "even "
        "is found; whether it matters is what the verdicts say."
    )
    return Table("tests", columns, rows, caption, fold=True)


assert GROUPS % SMALL_GROUPS == 0
