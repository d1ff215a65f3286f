"""The page of rollouts: what decisions weigh, where strategies err, kingmaking, what acts are worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from reports import figures, wording
from reports.deconvolution import GRID, MIN_VALUES
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, State
from reports.experiments.page import Page, write
from reports.experiments.rollouts_findings import MIN_POSITIONS, Study
from reports.experiments.rollouts_values import least_rollouts
from reports.facts import Facts
from reports.measures import Stratum
from reports.section import (
    Block,
    Column,
    Example,
    Figure,
    Heading,
    Replays,
    Section,
    Table,
    Text,
    Verdict,
)

SOME = 0.10  # share of decisions that matter from which a game is called one of choices
SELDOM = 0.01  # share of games with kingmaking from which it is told
RARE = 0.05  # kingmaking decisions a game below which it is called rare
SHOWN_EXAMPLES = 6
FEW = 10  # groups of fewer positions are left out of the page
LEFT_OUT = f"Groups of fewer than {FEW} positions are in experiment.json only."
WEIGHT = [
    Column("positions", "Positions", "count", help="decisions looked at"),
    Column("offered", "Options", "interval", 1),
    Column("spread", "Best to worst", "interval", 1, "points of win share, picking corrected"),
    Column("gap", "Best to second", "interval", 1, "points of win share, picking corrected"),
    Column("agency", "Best to blind choice", "interval", 1, "points, over the mean of all options"),
    Column("matters", "Matter", "interval_percent", help="spread above the threshold, noise out"),
    Column("naive", "Uncorrected", "interval", 1, "best to worst as the noisy values show it"),
]


def build(study: Study, folder: Path) -> Path:
    """Write the page."""
    facts = Facts(study.run)
    games, positions = study.run.plan.n, len(study.values)
    sections = [_weight, _regret, _kings, _acts, _method]
    page = Page(
        kind="rollouts",
        title=f"{facts.title}: every option played out",
        subtitle=f"{wording.count(positions)} positions from {wording.count(games)} games · "
        f"{study.asked['rollouts']} rollouts an option · seed {study.run.plan.seed}",
        facts=facts,
        verdicts=[card for s in study.strata for card in _cards(study, s)],
        sections=[make(study) for make in sections],
        warnings=_warnings(study),
    )
    return write(page, folder)


def _warnings(study: Study) -> list[str]:
    """What the numbers asked for cannot show."""
    found = []
    if len(study.values) < MIN_VALUES:
        found.append(
            f"Only {len(study.values)} positions: shares with the noise taken out need at least "
            f"{MIN_VALUES}. Ask for more games (--n) or more decisions a game (--decisions)."
        )
    least = least_rollouts(study.limits.own)
    if study.asked["rollouts"] < least:
        found.append(
            f"With {study.asked['rollouts']} rollouts an option nothing can be shown to be all the "
            f"same to within {study.limits.own * 100:g} points, so no kingmaking can be found: that "
            f"takes at least {least} (--rollouts)."
        )
    return found


# ---------------------------------------------------------------- verdicts


def weight_verdict(study: Study, s: Stratum) -> tuple[State, str, Estimate]:
    """Whether choices matter, in a sentence."""
    group, limit = study.group(s), wording.distance(study.limits.matters)
    e = group.above("spread", study.limits.matters)
    if not e.n:
        return UNKNOWN, "Too few positions to say.", e
    spread = group.mean("spread").scaled(100)
    words = (
        f"In {wording.percent_of(e)} of all decisions the best and the worst option are more than "
        f"{limit} of win share apart; on average {_spread(spread)}."
    )
    state = FAIR if e.low > SOME else UNFAIR if e.high < SOME else UNKNOWN
    return state, words, e


def _spread(e: Estimate) -> str:
    """A number of points and its interval."""
    return f"{wording.value_of(e, 1)} points ({wording.interval_of(e, 1)})"


def _in_words(study: Study, row: Mapping[str, Any]) -> str:
    """A question by its name in a replay, and in words."""
    name = str(row["question"])
    meaning = study.meanings.get(name, "")
    return f"{name} ({meaning})" if meaning else name


def regret_verdict(study: Study, s: Stratum) -> tuple[State, str, Estimate]:
    """Where the strategies lose most, in a sentence."""
    rows = [
        r
        for r in study.regret_rows(s)
        if r["question"] != "all" and r["positions"] >= MIN_POSITIONS
    ]
    if not rows:
        return (
            UNKNOWN,
            "Too few positions of any one question to say.",
            study.group(s).mean("regret"),
        )
    worst = max(rows, key=lambda r: r["regret"].value)
    e: Estimate = worst["regret"]
    words = (
        f"{_name(worst['strategy'])} leaves most on the table at {_in_words(study, worst)}: "
        f"{_spread(e.scaled(100))} of win share a decision."
    )
    limit = study.limits.matters
    surely = [r for r in rows if r["regret"].low > limit]
    all_small = all(r["regret"].high < limit for r in rows)
    return (UNFAIR if surely else FAIR if all_small else UNKNOWN), words, e


def kings_can_be_found(study: Study, s: Stratum) -> bool:
    """Whether a third player is there, and rollouts enough to show that a choice is all the same."""
    return s.players > 2 and study.asked["rollouts"] >= least_rollouts(study.limits.own)


def king_verdict(study: Study, s: Stratum) -> tuple[State, str, Estimate]:
    """Whether somebody without a stake decides who wins, in a sentence."""
    group = study.group(s)
    e = group.games_with("kingmaking")
    if s.players == 2:
        return FAIR, "With two players nobody is left to make king.", e
    if not kings_can_be_found(study, s):
        least = least_rollouts(study.limits.own)
        return UNKNOWN, f"Kingmaking cannot be found with fewer than {least} rollouts an option.", e
    row = study.king_rows(s)[0]
    few, many = (
        share * swings * _decisions(study, s)
        for share, swings in (
            (row["same"].low, row["swings"].low), (row["same"].high, row["swings"].high),
        )
    )  # fmt: skip
    looked = "all decisions" if not study.sampled else "the decisions looked at"
    did = (
        f"In {wording.percent_of(e)} of games ({wording.percent_interval(e)}) somebody without a "
        "stake surely moved"
        if e.value
        else "In no game did somebody without a stake surely move"
    )
    words = (
        f"{did} another's win chance by more than {wording.percent(study.limits.swing, 0)}, among "
        f"{looked}"
    )
    if math.isfinite(many):
        words += (
            f"; with those in doubt there are {wording.number(few, 1)} to {wording.number(many, 1)} "
            "such decisions a game"
        )
    state = UNFAIR if e.low > SELDOM else FAIR if many < RARE else UNKNOWN
    return state, f"{words}.", e


def _decisions(study: Study, s: Stratum) -> float:
    """Decisions a game that the positions stand for."""
    group = study.group(s)
    games = float(group.games["games"].sum())
    return float(group.rows["weight"].sum()) / games if games else math.nan


def _cards(study: Study, s: Stratum) -> list[Verdict]:
    weight, regret, king = (
        make(study, s) for make in (weight_verdict, regret_verdict, king_verdict)
    )
    points = regret[2].scaled(100)
    return [
        Verdict(
            id=f"weight-{s.number}",
            question="Do choices matter?",
            state=weight[0],
            headline=weight[1],
            number=wording.percent_of(weight[2]),
            interval=f"of decisions; 95%: {wording.percent_interval(weight[2])}",
            n=study.run.plan.n,
            about=s.label,
            words={"fair": "Yes", "unfair": "Hardly", "unknown": "Not enough positions"},
            section="weight",
            measure="Matter",
        ),
        Verdict(
            id=f"regret-{s.number}",
            question="Where do these strategies choose worst?",
            state=regret[0],
            headline=regret[1],
            number=f"{wording.value_of(points, 1)} points",
            interval=f"a decision; 95%: {wording.interval_of(points, 1)}",
            n=study.run.plan.n,
            about=s.label,
            words={
                "fair": "No weak spot", "unfair": "A weak spot", "unknown": "Not enough positions",
            },
            section="regret",
            measure="Lost a decision",
        ),
        Verdict(
            id=f"kings-{s.number}",
            question="Does somebody without a stake decide who wins?",
            state=king[0],
            headline=king[1],
            number=wording.percent_of(king[2]) if kings_can_be_found(study, s) else wording.NONE,
            interval=f"of games at least; 95%: {wording.percent_interval(king[2])}",
            n=study.run.plan.n,
            about=s.label,
            words={"fair": "Hardly ever", "unfair": "It happens", "unknown": "Not settled"},
            section="kings",
            measure="Games with one",
        ),
    ]  # fmt: skip


def summary_lines(study: Study) -> list[str]:
    """The verdicts in words, for the command line."""
    several = len(study.strata) > 1
    return [
        f"{s.label}: {words}" if several else words
        for s in study.strata
        for words in (make(study, s)[1] for make in (weight_verdict, regret_verdict, king_verdict))
    ]


# ---------------------------------------------------------------- sections


def _name(label: str) -> str:
    return wording.plain(label).capitalize()


def _shown(study: Study, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with enough positions, their questions with a meaning."""
    return [
        {**row, "question": _meaning(study, row["question"])} if "question" in row else row
        for row in rows
        if row["positions"] >= FEW
    ]


def _meaning(study: Study, question: str) -> str:
    """A question's name and what it asks."""
    words = study.meanings.get(question, "")
    return f"{question}: {words}" if words else question


def _points(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """The row with win shares in points."""
    return {**row, **{name: row[name].scaled(100) for name in names}}


def _per_stratum(study: Study, make: Callable[[Stratum], list[Block]]) -> list[Block]:
    blocks: list[Block] = []
    for s in study.strata:
        if len(study.strata) > 1:
            blocks.append(Heading(s.label))
        blocks += make(s)
    return blocks


def _dots(rows: Sequence[tuple[str, Estimate]]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {"label": label, "value": e.value, "low": e.low, "high": e.high}
            for label, e in rows
            if math.isfinite(e.low)
        ],
        schema={"label": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64},
    )


def _figure(
    name: str, rows: Sequence[tuple[str, Estimate]], caption: str, alt: str, term: str
) -> list[Block]:
    """A picture of points of win share, where there is anything to draw."""
    frame = _dots(rows)
    if not len(frame):
        return []
    draw = partial(
        figures.dots, frame, reference=0.0, percent=False, xlabel="points of win share", floor=2
    )
    return [Figure(name, draw, caption, alt, frame, term=term)]


def _weight(study: Study) -> Section:
    names = ("spread", "gap", "agency", "regret", "naive")

    def make(s: Stratum) -> list[Block]:
        found = [row for row in study.weight_rows(s) if row["positions"] >= FEW]
        rows = [_points(row, *names) for row in found]
        parts = [_points(row, *names) for row in study.part_rows(s)]
        return [
            *_figure(
                f"weight-{s.number}",
                [(r["question"], r["spread"]) for r in rows],
                "Win share between the best and the worst option of a decision, by question.",
                "Dots with intervals: how far the options of each question lie apart.",
                "Best to worst",
            ),
            Table(
                f"weight-by-question-{s.number}",
                [Column("question", "Question"), *WEIGHT],
                _shown(study, rows),
                f"Every question, the most frequent first. {LEFT_OUT}",
            ),
            Table(
                f"weight-by-part-{s.number}",
                [Column("part", "Part of the game"), *WEIGHT],
                parts,
                "Early and late decisions.",
            ),
        ]

    return Section(
        id="weight",
        title="What a decision weighs",
        text="From each position every option was played to its end many times, all of them against "
        "the same future dice and cards. How far apart do they come out?",
        help="The best of several noisy values looks better than it is. So the best and the worst "
        "option are picked on one half of the rollouts and valued on the other; the last column "
        "shows what one would see without that. "
        f"A decision matters when its options are more than {study.limits.matters * 100:g} points of "
        "win share apart.",
        blocks=_per_stratum(study, make),
    )


def _regret(study: Study) -> Section:
    columns = [
        Column("strategy", "Strategy"),
        Column("question", "Question"),
        Column("positions", "Positions", "count"),
        Column("regret", "Lost a decision", "interval", 2, "points of win share"),
        Column("wrong", "Costly", "interval_percent", help="choices that cost more than matters"),
    ]

    def make(s: Stratum) -> list[Block]:
        rows = [
            {**_points(row, "regret"), "strategy": wording.plain(row["strategy"])}
            for row in study.regret_rows(s)
        ]
        worst = [r for r in rows if r["question"] != "all" and r["positions"] >= MIN_POSITIONS]
        return [
            *_figure(
                f"regret-{s.number}",
                [(f"{r['strategy']}, {r['question']}", r["regret"]) for r in worst[:12]],
                "What is lost at each question, against the best option tried.",
                "Dots with intervals: regret by strategy and question.",
                "Lost a decision",
            ),
            Table(
                f"regret-table-{s.number}",
                columns,
                _shown(study, rows),
                "Regret by strategy and question; what costs most in all stands first. " + LEFT_OUT,
            ),
        ]

    return Section(
        id="regret",
        title="Where strategies choose badly",
        text="Regret is the win share between the best option and the one that the strategy took. "
        "It shows which of its decisions to mend first.",
        help="The best option is the best for somebody who goes on like this strategy against these "
        "rivals; it is no perfect play. Losses of several decisions do not simply add up.",
        blocks=_per_stratum(study, make),
    )


def _kings(study: Study) -> Section:
    limits = study.limits
    columns = [
        Column("positions", "Positions", "count"),
        Column("hopeless", "Without hope", "interval_percent", help="own chance next to nothing"),
        Column("same", "All the same to oneself", "interval_percent"),
        Column("swings", "Of these, move another", "interval_percent", help="noise taken out"),
        Column("sure", "Surely kingmaking", "interval_percent"),
        Column("games", "Games with one", "interval_percent", help="among decisions looked at"),
    ]

    def make(s: Stratum) -> list[Block]:
        if s.players == 2:
            return [Text("With two players, what one gains the other loses: nobody makes a king.")]
        return [
            Table(
                f"kings-by-question-{s.number}",
                [Column("question", "Question"), *columns],
                _shown(study, study.king_rows(s)),
                f"By question. {LEFT_OUT}",
            ),
            Table(
                f"kings-by-standing-{s.number}",
                [Column("standing", "Place of the decider"), *columns],
                _shown(study, study.standing_rows(s)),
                "By where the decider stands then, by mean final place; and for those without hope.",
            ),
            *_king_games(study, s),
        ]

    left_out = (
        "Only a sample of each game's decisions was looked at, so games with one are at least this "
        "many; --decisions all looks at every one. "
        if study.sampled
        else ""
    )
    return Section(
        id="kings",
        title="Kingmaking",
        text="A player decides who wins although it is all the same to himself: no option is better "
        f"or worse for him by {limits.own * 100:g} points, but one moves another's win share by more "
        f"than {limits.swing * 100:g}.",
        help=f"{left_out}“All the same” is shown for each option by two one-sided tests at 5 %. "
        "“Surely kingmaking” counts single decisions beyond doubt; with few rollouts many true cases "
        "stay in doubt, which “of these, move another” does not. Without hope: a win share of "
        f"{limits.hopeless * 100:g} % or less whatever one does.",
        blocks=_per_stratum(study, make),
    )


def _king_games(study: Study, s: Stratum) -> list[Block]:
    """Games to look at."""
    rows = study.group(s).rows.filter(pl.col("kingmaking")).sort("swing", descending=True)
    if not len(rows):
        return []
    examples = [
        (
            f"Game {row['game_id']}",
            Example(
                row["game_id"],
                f"question {row['question_number']} ({row['question']}) of seat {row['seat']} "
                f"(from 0): {row['taken']} or {row['swing_option']} changes the win share of player "
                f"{row['swing_player']} by {wording.number(row['swing'] * 100, 0)} points",
            ),
        )
        for row in rows.head(SHOWN_EXAMPLES).iter_rows(named=True)
    ]
    return [Replays("Decisions that made a king", examples)]


def _acts(study: Study) -> Section:
    columns = [
        Column("question", "Question"),
        Column("act", "Act"),
        Column("positions", "Positions", "count", help="where it stood beside another kind"),
        Column("taken", "Taken", "interval_percent"),
        Column("worth", "Worth", "interval", 2, "points of win share against the best other act"),
        Column("worth_taken", "Worth when taken", "interval", 2),
        Column("q", "q-value"),
    ]

    def make(s: Stratum) -> list[Block]:
        found = study.act_rows(s)
        rows = [{**_points(row, "worth", "worth_taken"), "q": _q(row["q"])} for row in found]
        shown = [r for r in rows if r["positions"] >= MIN_POSITIONS]
        return [
            *_figure(
                f"acts-{s.number}",
                [(f"{r['question']}: {r['act']}", r["worth"]) for r in shown[:24]],
                "What an act is worth against the best other one in the same positions.",
                "Dots with intervals: worth of each kind of act.",
                "Worth",
            ),
            Table(
                f"acts-table-{s.number}", columns, _shown(study, rows),
                f"{len(rows)} acts, one family of tests. {LEFT_OUT}",
            ),
        ]  # fmt: skip

    return Section(
        id="acts",
        title="What single acts are worth",
        text="Wherever an act could be chosen beside another kind: the best such option against the "
        "best of the others, on the same futures. Above 0 it was the better choice there.",
        help="“Worth” is over all positions where it was offered, “worth when taken” over those "
        "where the strategy took it. Picking the best of a kind is corrected as above.",
        blocks=_per_stratum(study, make),
    )


def _q(value: float) -> str:
    if not math.isfinite(value):
        return wording.NONE
    return wording.q_value(value)


def _method(study: Study) -> Section:
    asked = study.asked
    decisions = asked["decisions"] or "all"
    some = f"; only {wording.listing(asked['questions'])}" if asked["questions"] else ""
    return Section(
        id="method",
        title="How it was played",
        text="Games of the line-up were played, decisions drawn from them, and each drawn position "
        "played on under every option by the same strategies.",
        blocks=[
            Text(
                f"Decisions a game: {decisions}, drawn by lot{some}. Options a decision: at most "
                f"{asked['options']}, the one taken always among them, others by lot. Rollouts an "
                f"option: {asked['rollouts']}."
            ),
            Text(
                "Rollout number r of every option of a position meets the same future. Drawn anew "
                "is all chance that is still to come: dice, the order of hidden piles, reshuffles, "
                "coins of the strategies. What has been dealt stays as it is, cards in rivals' hands "
                "included; rivals never see more than in a game. The real future of the game is not "
                "among the rollouts."
            ),
            Text(
                "Means: cross-fitting, ratio over blocks of games that share dice. Shares above a "
                "threshold: the distribution of true values fitted by maximum likelihood on a grid "
                f"of {len(GRID)} values (Kiefer & Wolfowitz); the interval holds a smooth and a rough fit, "
                "each with its bootstrap over blocks. "
                "Standard errors of single differences count one more differing pair (after Agresti "
                "& Min), so that none in n rollouts is not taken for certainty. A win share counts "
                "ended games; a game cut off by the limit is won by nobody."
            ),
        ],
    )
