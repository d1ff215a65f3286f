"""Is a game exciting: open until late, with changes of the favourite, close at the end?

Measures of drama come from chances to win, round by round (``reports.trajectories``), with the same
definitions in all games. They are shown only where the chances were checked: what the model calls
70 % happens 70 % of the time in games that it has not seen. The game's own counts stand below.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from reports import figures, trajectories, wording
from reports.estimates import FAIR, UNFAIR, Estimate
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import (
    Block,
    Column,
    Example,
    Figure,
    Heading,
    Highlight,
    Measure,
    Replays,
    Section,
    Table,
    Text,
)
from reports.trajectories import DECIDED, LATE, Drama, Study
from reports.winning import TOLERANCE

ORDER = 40
NEEDS = {"games": ("truncated",)}
SECTION = "drama"
MOST_COLUMNS = 3


def make(facts: Facts) -> Section | None:
    """Drama from chances to win, then means and histograms of the game's own counts."""
    there = _measures(facts)
    if not there and not _has_standings(facts):
        return None
    blocks: list[Block] = []
    if _has_standings(facts):
        for stratum in facts.shown:
            blocks += _from_chances(facts, stratum)
    if there:
        blocks += [Heading("Counts of this game"), _table(facts, there)]
        blocks += [_figure(facts, stratum, there) for stratum in facts.shown]
    return Section(
        id=SECTION,
        title="Drama",
        text="Is it close, does the lead change hands, and how long is the winner unknown? Games "
        "that "
        "people like tend to be uncertain until late and to change leaders now and then.",
        help="Numbers are means over games with their 95% intervals. Chances to win are those of a "
        "spectator who sees how everybody stands and has stood, and does not know who plays well: a "
        "model fitted on half of the blocks, checked and measured on the other half.",
        blocks=blocks,
    )


# ---------------------------------------------------------------- from chances to win


def _has_standings(facts: Facts) -> bool:
    standing = facts.lens.standing
    return (
        standing is not None
        and facts.records.full
        and standing.column in facts.records.seat_schema
        and (not standing.end or standing.end in facts.records.game_schema)
    )


def study_of(facts: Facts, stratum: Stratum) -> Study | None:
    """The model of a stratum and its drama; None with too few games or without standings."""
    standing = facts.lens.standing
    if standing is None or not _has_standings(facts):
        return None

    def make() -> Study | None:
        return trajectories.study(trajectories.read(facts.records, stratum, standing))

    return facts.once(f"drama {stratum.number}", make)


def _from_chances(facts: Facts, stratum: Stratum) -> list[Block]:
    """Drama of one stratum, and how far its chances can be trusted."""
    study = study_of(facts, stratum)
    if study is None:
        words = "Not enough games for chances to win, round by round."
        return [*facts.heading(stratum), Text(words, "note")]
    blocks: list[Block] = [*facts.heading(stratum)]
    if study.drama is None:
        blocks.append(Text(_withheld(study), "warning" if study.check.state == UNFAIR else "note"))
    else:
        blocks += _shown(study.drama, stratum)
    return [*blocks, *_calibration(facts, study, stratum)]


def _withheld(study: Study) -> str:
    points = f"{TOLERANCE * 100:.0f} points (root mean square)"
    if study.check.state == UNFAIR:
        return (
            "No measures of drama from chances to win: on games that it has not seen the model is "
            f"surely off by more than {points}, or far off for chances of one size, or no better "
            "than guessing."
        )
    return (
        f"No measures of drama from chances to win: {wording.count(study.checked)} games are too "
        f"few to show that the model is right within {points}."
    )


def _shown(drama: Drama, stratum: Stratum) -> list[Block]:
    even = 1 / stratum.players
    rows: list[tuple[str, str, Estimate, bool]] = [
        ("Changes of the favourite", "how often another player has the best chance; the last "
         "favourite is the winner", drama.changes, False),
        ("Decided", f"share of the game gone when the winner's chance is {DECIDED:.0%} for good, "
         "median", drama.decided, True),
        ("Decided by half-time", "games decided before half of their rounds", drama.early, True),
        ("Played on", "rounds from there to the end of the game", drama.rest, False),
        ("Winner in the lead", "round ends at which the later winner stood best", drama.led, True),
        ("Comeback", "the winner's lowest chance at a round end, mean", drama.comeback, True),
        ("Won from behind", f"winners whose chance was below {even / 2:.1%} at some time",
         drama.upset, True),
        ("Open late", f"how open the game is after {LATE:.0%} of its rounds: 100% all equally "
         "likely, 0% decided", drama.late, True),
    ]  # fmt: skip
    columns = [Column("measure", "Measure"), Column("words", "What it means")]
    columns += [Column("value", "Mean"), Column("interval", "95% interval")]
    table = [
        {
            "measure": name,
            "words": words,
            "value": wording.percent_of(e) if share else wording.value_of(e, 2),
            "interval": wording.percent_interval(e) if share else wording.interval_of(e, 2),
        }
        for name, words, e, share in rows
    ]
    frame = pl.DataFrame(
        [
            {"x": at, "series": "openness", "value": e.value, "low": e.low, "high": e.high}
            for at, e in drama.openness
        ]
    )
    draw = partial(
        figures.lines, frame, xlabel="share of the rounds played", ylabel="how open", percent=True
    )
    n = wording.count(drama.games)
    low = "below 1%" if drama.lowest < 0.01 else wording.percent(drama.lowest)
    one_each = stratum.players == stratum.n_seats
    example = Example(
        drama.deepest,
        f"the winner's chance was {low} at the end of a round",
        {"win_share": 1.0} if one_each else {"truncated": False},
        drama.winner if one_each else None,
    )
    return [
        Table(f"chances-{stratum.number}", columns, table, f"{stratum.label}, {n} games."),
        Figure(
            f"openness-{stratum.number}",
            draw,
            f"How open the game is as it goes on, {stratum.label}.",
            f"A line from {wording.percent(drama.openness[0][1].value, 0)} at the start to "
            f"{wording.percent(drama.openness[-1][1].value, 0)} near the end.",
            frame,
            term="Openness",
        ),
        Replays("The longest way back", [("Comeback", example)]),
    ]


def _calibration(facts: Facts, study: Study, stratum: Stratum) -> list[Block]:
    """The plot, the scores, the verdict on the model."""
    check, standing = study.check, facts.lens.standing
    frame = trajectories.frame_of(check)
    frame = frame.with_columns((pl.col("x") * 10).alias("at"), pl.col("x").alias("exact"))
    draw = partial(
        figures.points,
        frame,
        x="at",
        exact="exact",
        exact_label="foretold",
        percent=True,
        xlabel="chance foretold, in tenths",
        ylabel="share that won",
    )
    state = {FAIR: "Calibrated", UNFAIR: "Not calibrated"}.get(check.state, "Not enough games")
    counts = standing.words if standing is not None else ""
    words = (
        f"{state}: what was foretold and what happened differ by "
        f"{wording.number(check.off.value * 100)} points, root mean square "
        f"({wording.number(check.off.low * 100)} … {wording.number(check.off.high * 100)}; below "
        f"{TOLERANCE * 100:.0f} is asked for). Better than "
        f"the base rate by {wording.percent_of(check.log)} ({wording.percent_interval(check.log)}) "
        f"in logarithmic score and {wording.percent_of(check.brier)} "
        f"({wording.percent_interval(check.brier)}) in Brier score. Seen: {counts}, now and some "
        f"rounds ago. Fitted on {wording.count(study.fitted)} games, checked on "
        f"{wording.count(study.checked)} others."
    )
    return [
        Figure(
            f"calibration-{stratum.number}",
            draw,
            f"Can the chances be trusted? {stratum.label}: dots what happened, lines what was "
            "foretold.",
            "Dots with intervals beside short lines: "
            + "; ".join(
                f"foretold {wording.percent(b.predicted, 0)}, happened "
                f"{wording.percent(b.happened.value, 0)}"
                for b in check.bins
            ),
            frame,
            term="Calibration",
        ),
        Text(words, "note"),
    ]


# ---------------------------------------------------------------- key figures, the game's own counts


def highlights(facts: Facts) -> list[Highlight]:
    """The first two measures of drama."""
    if not facts.main:
        return []
    stratum = facts.main[0]
    found = []
    for measure in _measures(facts)[:2]:
        e = facts.mean(measure.column, stratum)
        value = f"{wording.value_of(e, 2)} {measure.unit}".strip()
        found.append(
            Highlight(measure.label, value, wording.interval_of(e, 2), f"mean, {stratum.label}")
        )
    return found


def _measures(facts: Facts) -> list[Measure]:
    return [m for m in facts.lens.drama if m.column in facts.records.game_schema]


def _table(facts: Facts, there: list[Measure]) -> Table:
    """Measures against strata, or the other way round where there are many strata."""
    n = ", ".join(f"{s.label}: {wording.count(facts.games_of(s))} games" for s in facts.main)
    if len(facts.main) > MOST_COLUMNS:
        columns = [Column("stratum", "Games of")]
        columns += [
            Column(m.column, _label(m), "interval", help=m.words, term=m.label) for m in there
        ]
        rows: list[dict[str, Any]] = [
            {"stratum": s.label, **{m.column: facts.mean(m.column, s) for m in there}}
            for s in facts.main
        ]
        return Table("drama", columns, rows, f"Means over games. {n}.")
    columns = [Column("measure", "Measure"), Column("words", "What it means")]
    columns += [Column(f"s{s.number}", s.label, "interval") for s in facts.main]
    rows = [
        {
            "measure": _label(m),
            "words": m.words,
            **{f"s{s.number}": facts.mean(m.column, s) for s in facts.main},
        }
        for m in there
    ]
    return Table("drama", columns, rows, f"Means over games. {n}.")


def _label(measure: Measure) -> str:
    return f"{measure.label} ({measure.unit})" if measure.unit else measure.label


def _figure(facts: Facts, stratum: Stratum, there: list[Measure]) -> Figure:
    parts = []
    for m in there:
        table, values = facts.histogram(m.column, stratum)
        total = float(table.sum())
        if not total:
            continue
        frame = pl.DataFrame(
            {
                "panel": [m.column] * len(values),
                "title": [f"{m.label}{f', {m.unit}' if m.unit else ''}"] * len(values),
                "value": values,
                "share": table.sum(0) / total,
                "games": table.sum(0),
                "width": [1 / m.factor] * len(values),
            }
        )
        parts.append(frame.filter((pl.col("share") >= 5e-4) | (pl.col("value") <= 0)))
    if not parts:
        empty = ["panel", "title", "value", "share", "games", "width"]
        parts = [pl.DataFrame({name: [] for name in empty})]
    frame = pl.concat(parts)
    titles = ", ".join(m.label.lower() for m in there)
    return Figure(
        f"drama-{stratum.number}",
        partial(figures.panels, frame),
        f"How the games spread, {stratum.label}: share of games at each value.",
        f"Histograms for {stratum.label} of {titles}.",
        frame,
        wide=False,
    )
