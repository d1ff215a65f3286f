"""The page of a comparison: what B changes, how sure that is, and how the two were paired."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import polars as pl

from reports import figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, State
from reports.experiments import adaptation, differences, sizes
from reports.experiments.adaptation import Adaptation
from reports.experiments.alignment import Alignment
from reports.experiments.differences import Difference
from reports.experiments.margins import Margins
from reports.experiments.page import Page, write
from reports.experiments.sizes import Size
from reports.facts import Facts
from reports.measures import Run
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

SHOWN_GAMES = 3
CORRECTION = (
    "A run that goes on until it is decided stops while differences look large, so B − A as it was "
    "seen is too far from 0 on average. The corrected value is the true difference at which runs "
    "with this rule of stopping would show, on average, what was seen (Whitehead 1986). It is right "
    "on average and mostly a little low; the middle value is that at which as many of such runs "
    "show more as show less (median-unbiased). The interval needs no correction: it holds at every "
    "look."
)
WORDS: Mapping[str, str] = {
    "fair": "Same within the margin",
    "unfair": "Different",
    "unknown": "Not enough games",
}
TOPICS = (
    ("seats", "Does it change who wins by seat?", ("win_share", "seat")),
    ("strategies", "Does it change which style wins?", ("win_share", "strategy")),
    ("length", "Does it change the length of a game?", ("rounds", "")),
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A finished comparison: two runs, their differences, and how they came about."""

    a: Run
    b: Run
    text_a: str
    text_b: str
    found: Sequence[Difference]
    margins: Margins
    shared: bool  # the same blocks on the same dice
    looks: tuple[int, int] | None
    stopped: str  # why it ended, "" for a fixed number of games
    homes: tuple[str, str] = ("arms/a", "arms/b")  # where the runs lie, seen from the page
    adaptation: Adaptation | None = None  # the same with styles that are tuned to each side
    alignment: Alignment | None = None  # where the games part, if they are the same games

    @cached_property
    def sizes(self) -> list[Size]:
        """How large the headline changes are; reads the games of both sides."""
        return sizes.sizes(self)

    @property
    def headlines(self) -> list[Difference]:
        """What the verdict rests on."""
        return [d for d in self.found if d.headline]

    @property
    def identical(self) -> bool:
        """Whether no sum of any measure differs."""
        return bool(self.found) and all(d.same_bits for d in self.found)

    @property
    def same_games(self) -> bool:
        """Whether game g of one side is game g of the other: same dice, same seats."""
        one, other = self.a.plan, self.b.plan
        full = one.records == other.records == "full"
        return (
            self.shared
            and full
            and [c.positions for c in one.cells] == [c.positions for c in other.cells]
        )

    @property
    def state(self) -> State:
        """The verdict on all headline measures together."""
        return overall(self.headlines)

    def pairing(self) -> str:
        """How the two were put beside each other, and what that was worth."""
        if not self.shared:
            return (
                "The sides sit at tables of different sizes, so they cannot be paired game by game: "
                "all intervals are those of independent runs."
            )
        if self.identical:
            return "The sides played the same games: every difference is exactly zero."
        known = [d for d in self.headlines if not math.isnan(d.correlation)]
        if not known:
            return "Both sides played the same blocks of dice."
        best = max(known, key=lambda d: d.correlation)
        saved = max(d.games_saved for d in known)
        words = (
            "Both sides played the same blocks of dice and are paired block by block. The highest "
            f"correlation between them is {best.correlation:.2f} ({best.a.label}); it saved up to "
            f"{wording.count(wording.rounded(saved))} games a side."
        )
        loose = [d.a.label for d in self.headlines if not d.paired]
        if loose:
            words += (
                f" Pairing did not help for {wording.many(len(loose), 'headline measure')} "
                f"(correlation 0 or below), compared as independent runs: "
                f"{wording.listing(loose[:6])}" + (" and others." if len(loose) > 6 else ".")
            )
        return words


def overall(found: Sequence[Difference]) -> State:
    """Different if any is, the same if all are."""
    states = [d.state for d in found]
    if UNFAIR in states:
        return UNFAIR
    return FAIR if states and all(s == FAIR for s in states) else UNKNOWN


def build(done: Comparison, folder: Path) -> Path:
    """Write the page of a comparison."""
    facts = Facts(done.a)
    large = sizes.section(done)
    page = Page(
        kind="comparison",
        title=f"{facts.title}: A against B",
        subtitle=_subtitle(done),
        facts=facts,
        verdicts=[_whole(done), *_topics(done)],
        sections=[
            _headline_section(done),
            *([large] if large is not None else []),
            *([adaptation.section(done.headlines, done.adaptation)] if done.adaptation else []),
            *([_games(done, folder)] if done.same_games else []),
            _all_section(done),
            _method(done),
        ],
        warnings=[] if done.shared else [done.pairing()],
    )
    return write(page, folder)


def _subtitle(done: Comparison) -> str:
    games = [wording.count(run.plan.n) for run in (done.a, done.b)]
    played = (
        f"{games[0]} games a side" if games[0] == games[1] else f"{games[0]} and {games[1]} games"
    )
    return (
        f"A: {done.text_a or 'the default'} · B: {done.text_b or 'the default'} · {played}, "
        f"seed {done.a.plan.seed}"
    )


# ---------------------------------------------------------------- first screen


def _whole(done: Comparison) -> Verdict:
    """The card about all headline measures."""
    heads = done.headlines
    counts = differences.states(heads)
    changed = [d.a.label for d in heads if d.state == UNFAIR]
    if done.identical:
        headline = "A and B play the same games: every difference is exactly zero."
    elif changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        headline = f"B changes {wording.listing(changed[:3])}{more} by more than the margin."
    elif done.state == FAIR:
        headline = "B changes no headline measure by more than the margin."
    else:
        headline = (
            f"{counts['not enough games']} of {len(heads)} headline measures need more games."
        )
    return Verdict(
        id="whole",
        question="Does B change the game?",
        state=done.state,
        headline=headline,
        number=f"{counts['different']} of {len(heads)}",
        interval=f"same: {counts['same']}, not enough games: {counts['not enough games']}",
        n=min(done.a.plan.n, done.b.plan.n),
        detail=f"Margins: {done.margins.words}.",
        about=wording.listing(dict.fromkeys(d.stratum for d in heads)),
        words=WORDS,
        section="headlines",
        measure="Measures that differ",
    )


def _topics(done: Comparison) -> list[Verdict]:
    """The most telling measure of each topic."""
    cards = []
    for name, question, (measure, by) in TOPICS:
        about = [d for d in done.headlines if (d.a.measure, d.a.by) == (measure, by)]
        if about:
            cards.append(_card(name, question, about))
    return cards


def _card(name: str, question: str, about: Sequence[Difference]) -> Verdict:
    state = overall(about)
    most = max(about, key=lambda d: (d.state == UNFAIR, abs(d.change.value)))
    return Verdict(
        id=name,
        question=question,
        state=state,
        headline=f"Most: {most.a.label}, from {most.a.shown(most.value_a.value, most.digits)} "
        f"to {most.a.shown(most.value_b.value, most.digits)}.",
        number=most.change_words,
        interval=most.interval_words,
        n=most.change.n,
        about=most.stratum,
        words=WORDS,
        section="headlines",
        measure="B − A",
        bar=(most.change, 0.0, most.margin) if most.margin > 0 else None,
    )


# ---------------------------------------------------------------- sections

COLUMNS = (
    Column("measure", "Measure"),
    Column("a", "A", term="Value of a measure"),
    Column("b", "B", term="Value of a measure"),
    Column("change", "B − A"),
    Column("interval", "95% interval"),
    Column("relative", "Change", help="in percent of A"),
    Column("q", "q-value", help="rate of false discoveries at which a difference would be claimed"),
    Column("verdict", "Verdict"),
    Column("pairing", "Correlation", help="between the sides, by blocks of games"),
    Column("saved", "Games saved", "count", help="a side, by pairing, for the same interval"),
)
CORRECTED = (
    Column("corrected", "B − A, corrected", help="less what stopping early adds on average"),
    Column("middle", "B − A, middle", help="too high as often as too low (median-unbiased)"),
)


def _headline_section(done: Comparison) -> Section:
    heads = done.headlines
    blocks: list[Block] = []
    shares = [d for d in heads if d.a.kind == "share"]
    others = [d for d in heads if d.a.kind == "mean" and d.value_a.value]
    if shares:
        blocks.append(_share_figure(done, shares))
    if others:
        blocks.append(_part_figure(done, others))
    blocks.append(table("headlines", heads, "Headline measures."))
    return Section(
        id="headlines",
        title="What changes",
        text="Each line is the same measure in both sides. The band is the margin: inside it a "
        "change is too small to matter.",
        help=f"Intervals are {'valid at every look' if done.looks else 'of 95% confidence'}. "
        "'Same' means shown to be within the margin, 'different' shown to be beyond it; "
        "everything else needs more games.",
        blocks=blocks,
    )


def _share_figure(done: Comparison, shares: Sequence[Difference]) -> Figure:
    frame = pl.DataFrame(
        [
            {
                "label": f"{d.a.label} ({d.stratum})" if _several(done) else d.a.label,
                "value": d.change.value,
                "low": d.change.low,
                "high": d.change.high,
            }
            for d in shares
        ]
    )
    draw = partial(
        figures.dots, frame, reference=0.0, margin=done.margins.share, xlabel="B − A", floor=0.02
    )
    return Figure(
        "changes-of-shares",
        draw,
        "Changes of win shares and other shares, in percentage points.",
        "Dots with intervals: the change of each share around zero, with the margin as a band.",
        frame,
        term="B − A",
    )


def _part_figure(done: Comparison, others: Sequence[Difference]) -> Figure:
    frame = pl.DataFrame(
        [
            {
                "label": f"{d.a.label} ({d.stratum})" if _several(done) else d.a.label,
                "value": d.change.value / abs(d.value_a.value),
                "low": d.change.low / abs(d.value_a.value),
                "high": d.change.high / abs(d.value_a.value),
            }
            for d in others
        ]
    )
    draw = partial(
        figures.dots,
        frame,
        reference=0.0,
        margin=done.margins.relative,
        xlabel="(B − A) / |A|",
        floor=0.04,
    )
    return Figure(
        "changes-of-means",
        draw,
        "Changes of the other headline measures, in percent of A.",
        "Dots with intervals: the relative change of each mean around zero.",
        frame,
        term="Change",
    )


def _several(done: Comparison) -> bool:
    return len({d.stratum for d in done.found}) > 1


def table(name: str, found: Sequence[Difference], caption: str, fold: bool = False) -> Table:
    """A table of differences."""
    several = len({d.stratum for d in found}) > 1
    stopped = any(d.corrected == d.corrected for d in found)
    columns = [*([Column("games", "Games of")] if several else []), *COLUMNS]
    if stopped:
        at = [c.name for c in columns].index("interval")
        columns[at:at] = CORRECTED
    return Table(name, columns, [cells(d) for d in found], caption, fold)


def cells(d: Difference) -> dict[str, Any]:
    """One difference as a table's row."""
    part = d.change.value / abs(d.value_a.value) if d.value_a.value else math.nan
    return {
        "games": d.stratum,
        "measure": d.a.label,
        "a": d.a.shown(d.value_a.value, d.digits),
        "b": d.a.shown(d.value_b.value, d.digits),
        "change": d.change_words,
        "corrected": d.corrected_words,
        "middle": d.middle_words,
        "interval": d.interval_words,
        "relative": wording.percent(part),
        "q": d.q_words,
        "verdict": d.verdict,
        "pairing": wording.number(d.correlation, 2) if d.paired else "unpaired",
        "saved": d.games_saved if d.paired else None,
    }


def _games(done: Comparison, folder: Path) -> Section:
    """Games in which the change shows most, with the commands that tell both sides."""
    own = done.homes == ("arms/a", "arms/b")
    start = f"runs/{folder.name}/" if own and folder.parent.name == "runs" else ""
    blocks: list[Block] = []
    for game_id, words in apart(done):
        told = " and ".join(f"`simulate replay {start}{home} {game_id}`" for home in done.homes)
        where = done.alignment.of(game_id) if done.alignment is not None else ""
        blocks.append(Text(f"Game {game_id}: {words}{where and f'; {where}'}. See {told}."))
    if not blocks:
        blocks = [Text("No game has another length or another winner.", "note")]
    return Section(
        id="games",
        title="Games that show it",
        text="The same game on both sides: the same seats and dice, one change."
        + (" The commands are meant for the folder of this page." if own and not start else ""),
        blocks=blocks,
    )


def apart(done: Comparison) -> list[tuple[int, str]]:
    """The games whose length differs most, and the first ones that somebody else wins."""
    n = min(done.a.plan.n, done.b.plan.n)
    sides = [
        (
            run.games.select("game_id", pl.col("rounds").alias(f"rounds_{side}")).head(n),
            run.seats.filter(pl.col("win_share") == 1).select(
                "game_id", pl.col("seat").alias(f"seat_{side}")
            ),
        )
        for side, run in (("a", done.a), ("b", done.b))
    ]
    lengths = sides[0][0].join(sides[1][0], on="game_id").collect()
    gap = (pl.col("rounds_b").cast(pl.Int64) - pl.col("rounds_a")).abs().alias("gap")
    most = lengths.with_columns(gap).filter(pl.col("gap") > 0)
    most = most.sort("gap", "game_id", descending=[True, False]).head(SHOWN_GAMES)
    found = [
        (game_id, f"{before} rounds in A, {after} in B")
        for game_id, before, after, _ in most.iter_rows()
    ]
    winners = (
        sides[0][1].join(sides[1][1], on="game_id").filter(pl.col("seat_a") != pl.col("seat_b"))
    )
    first = winners.sort("game_id").head(SHOWN_GAMES).collect()
    return found + [
        (game_id, f"seat {before} wins in A, seat {after} in B")
        for game_id, before, after in first.select("game_id", "seat_a", "seat_b").iter_rows()
    ]


def _all_section(done: Comparison) -> Section:
    rest = [d for d in done.found if not d.headline]
    return Section(
        id="all",
        title="All other numbers",
        text="Every other number of games and seats, in the same family of tests.",
        blocks=[table("others", rest, f"{len(rest)} further measures.", fold=True)]
        if rest
        else [Text("All measures that were asked for stand above.", "note")],
    )


def _method(done: Comparison) -> Section:
    rows = [
        {"side": name, "options": text or "the default", "n": run.plan.n, "changed": _changed(run)}
        for name, text, run in (("A", done.text_a, done.a), ("B", done.text_b, done.b))
    ]
    columns = [
        Column("side", "Side"),
        Column("options", "Options"),
        Column("n", "Games", "count"),
        Column("changed", "Rules changed"),
    ]
    counted = "the sequence is tuned" if done.looks else "Student's t"
    blocks: list[Block] = [
        Table("sides", columns, rows, "What was played."),
        Text(done.pairing()),
        *([Text(done.alignment.words())] if done.alignment is not None else []),
        Text(
            f"Family of tests: {differences.family(done.found)}; false discoveries are held at 5% "
            f"(Benjamini-Hochberg). Intervals are clustered on groups of blocks, {counted}."
        ),
        Text(f"Margins: {done.margins.words}."),
    ]
    if done.stopped:
        blocks += [Text(f"Stopped: {done.stopped}."), Text(CORRECTION)]
    return Section(
        id="method",
        title="How it was compared",
        text="Two runs with the same seed; each can be opened, extended, verified and replayed "
        "under arms/.",
        blocks=blocks,
    )


def _changed(run: Run) -> str:
    """Rules of a run that differ from the shipped ones."""
    rows = run.identity.get("rules") or []
    said = dict.fromkeys(
        f"{change['key']} = {wording.shown(change['value'], 40)}"
        for row in rows
        for change in row.get("changed", [])
    )
    return wording.listing(said) or "none"
