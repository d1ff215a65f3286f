"""Which conclusions lean on an assumption: each alternative against the rules as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reports import estimates, robustness, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, State, finite
from reports.experiments import differences, quantities
from reports.experiments.differences import Difference
from reports.experiments.margins import Margins
from reports.experiments.quantities import Quantity
from reports.facts import Facts
from reports.measures import Run, Stratum
from reports.section import Verdict

SEATS, FIRST, LENGTH, BEST, ORDER = (
    "the seats' verdict",
    "the first seat's win share",
    "the length of a game",
    "the strongest style",
    "the order of the styles",
)
CONCLUSIONS = (SEATS, FIRST, LENGTH, BEST, ORDER)
STANDS, FLIPS, OPEN = "stands", "flips", "open"


@dataclass(frozen=True)
class Tried:
    """An alternative as the page tells it."""

    label: str
    key: str
    kind: str
    value: str
    default: str
    source: str


@dataclass(frozen=True, eq=False)
class Conclusions:
    """What one run says about one kind of games."""

    seats: State
    first: Quantity
    length: Quantity
    styles: tuple[Quantity, ...]  # win shares by strategy, in the order of the line-up
    numbers: tuple[Quantity, ...]  # everything that the run tells
    cards: tuple[Verdict, ...]  # what its report would say

    @property
    def champion(self) -> str:
        """The style that surely wins more often than every other, "" for none."""
        if not self.styles:
            return ""
        best = _style(self, self.order[0])
        sure = all(_gap(best, q) > 0 for q in self.styles if q.level != best.level)
        return best.level if sure else ""

    @property
    def order(self) -> list[str]:
        """Styles from the strongest to the weakest."""
        return [q.level for q in sorted(self.styles, key=lambda q: -q.mean().value)]

    def same_games(self, other: Conclusions) -> bool:
        """Whether every sum of another run is that of this one: the change touched no game."""
        pairs = zip(self.numbers, other.numbers, strict=False)
        return len(self.numbers) == len(other.numbers) and all(
            np.array_equal(a.sums, b.sums) and np.array_equal(a.counts, b.counts) for a, b in pairs
        )


@dataclass(frozen=True, eq=False)
class Leaning:
    """What an alternative does in one kind of games."""

    tried: Tried
    stratum: str
    seats: State
    order: list[str]
    first: Difference
    length: Difference
    fate: dict[str, str]  # conclusion -> stands, flips, open
    same_games: bool  # not one game differs: the rule plays no part at this table
    players: int
    champion: str  # the style that is surely the strongest, "" for none
    cards: tuple[Verdict, ...]  # what the report would say

    @property
    def flips(self) -> list[str]:
        """Conclusions that it overturns."""
        return [name for name, fate in self.fate.items() if fate == FLIPS]

    @property
    def overturns(self) -> str:
        """The same in words."""
        if self.same_games:
            return "nothing: not one game differs"
        if self.flips:
            return wording.listing(self.flips)
        unsure = list(self.fate.values()).count(OPEN)
        return f"nothing known, {unsure} of {len(self.fate)} open" if unsure else "nothing"


@dataclass(frozen=True, eq=False)
class Study:
    """All alternatives against the rules as they are."""

    run: Run
    conclusions: dict[str, Conclusions]  # by kind of games
    leanings: tuple[Leaning, ...]
    untried: tuple[tuple[str, str, str], ...]  # key, value, why
    margins: Margins

    def rows(self) -> list[dict[str, Any]]:
        """A flat row an alternative and kind of games."""
        return [
            {
                "key": one.tried.key,
                "value": one.tried.value,
                "default": one.tried.default,
                "kind": one.tried.kind,
                "games": one.stratum,
                "seats": seats_word(one.seats),
                "first_seat": finite(one.first.change.value),
                "first_seat_low": finite(one.first.change.low),
                "first_seat_high": finite(one.first.change.high),
                "first_seat_q": finite(one.first.q),
                "length": finite(one.length.change.value),
                "length_low": finite(one.length.change.low),
                "length_high": finite(one.length.change.high),
                "length_q": finite(one.length.q),
                "order": " > ".join(one.order),
                "flips": ", ".join(one.flips),
                "same_games": one.same_games,
                **{name: one.fate[name] for name in CONCLUSIONS},
            }
            for one in self.leanings
        ]

    def cards(self) -> list[dict[str, Any]]:
        """What each alternative makes the verdicts of a report say: see ``reports.robustness``."""
        return [
            {
                "question": card.question,
                "players": one.players,
                "alternative": one.tried.label,
                "kind": one.tried.kind,
                "state": card.state,
                "label": card.label,
                "says": one.champion if card.says else "",
                "same_games": one.same_games,
            }
            for one in self.leanings
            for card in one.cards
        ]

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "n": self.run.plan.n,
            "seed": self.run.plan.seed,
            "played": robustness.played(self.run.identity),
            "margins": self.margins.words,
            "default": {
                name: {
                    "seats": seats_word(c.seats),
                    "first_seat": finite(c.first.mean().value),
                    "length": finite(c.length.mean().value),
                    "order": c.order,
                }
                for name, c in self.conclusions.items()
            },
            "verdict": {name: verdict_words(self, name) for name in CONCLUSIONS},
            "alternatives": self.rows(),
            "cards": self.cards(),
            "untried": [{"key": k, "value": v, "why": w} for k, v, w in self.untried],
        }


def seats_word(state: State) -> str:
    """A verdict on the seats in words."""
    return {FAIR: "fair", UNFAIR: "not fair", UNKNOWN: "not enough games"}[state]


# ---------------------------------------------------------------- drawing conclusions


def study(
    run: Run,
    tried: Sequence[tuple[Tried, Run]],
    untried: Sequence[tuple[str, str, str]],
    margins: Margins,
) -> Study:
    """Conclusions of every arm, their differences as one family, and which of them stand."""
    base = conclusions(run, margins, run)
    there = [
        (what, name, base[name], found)
        for what, arm in tried
        for name, found in conclusions(arm, margins, run).items()
        if name in base
    ]
    pairs = [
        pair
        for _, _, before, after in there
        for pair in ((before.first, after.first), (before.length, after.length))
    ]
    changes = differences.beside(pairs, margins)
    leanings = []
    for i, (what, name, before, after) in enumerate(there):
        first, length = changes[2 * i], changes[2 * i + 1]
        leanings.append(
            Leaning(
                what, name, after.seats, after.order, first, length,
                _fate(before, after, first, length), before.same_games(after),
                before.first.players, after.champion, after.cards,
            )
        )  # fmt: skip
    return Study(run, base, tuple(leanings), tuple(untried), margins)


def conclusions(run: Run, margins: Margins, like: Run) -> dict[str, Conclusions]:
    """What a run says, by kind of games; start positions count as seats where there are such.

    Styles that differ from those of ``like`` in numbers only have its names.
    """
    facts = Facts(run)
    found = quantities.at_lineup_of(quantities.read(run), run, like)
    out = {}
    for stratum in facts.main:
        here = [q for q in found if (q.players, q.equal) == (stratum.players, False)]
        by = facts.order or "seat"
        seats = [q for q in here if (q.measure, q.by) == ("win_share", by)]
        styles = [q for q in here if (q.measure, q.by) == ("win_share", "strategy")]
        length = next(q for q in here if q.measure == "rounds" and not q.by)
        judged = quantities.fairness(seats, margins.share)
        out[f"{stratum.players} players"] = Conclusions(
            judged.state, seats[0], length, tuple(styles), tuple(here), _cards(facts, stratum)
        )
    return out


def _cards(facts: Facts, stratum: Stratum) -> tuple[Verdict, ...]:
    """The verdicts of a run's report on one kind of games."""
    made = facts.once(
        "cards",
        lambda: [v for m in facts.modules if hasattr(m, "verdicts") for v in m.verdicts(facts)],
    )
    return tuple(v for v in made if v.about.split(";")[0] == stratum.label)


def _fate(
    before: Conclusions, after: Conclusions, first: Difference, length: Difference
) -> dict[str, str]:
    """Which conclusions of ``before`` stand in ``after``; all of them where no game differs."""
    if before.same_games(after):
        return dict.fromkeys(CONCLUSIONS, STANDS)
    return {
        SEATS: _of_states(before.seats, after.seats),
        FIRST: _of_change(first),
        LENGTH: _of_change(length),
        BEST: _best(before, after),
        ORDER: _order(before, after),
    }


def _of_states(before: State, after: State) -> str:
    if UNKNOWN in (before, after):
        return OPEN
    return STANDS if before == after else FLIPS


def _of_change(change: Difference) -> str:
    return {FAIR: STANDS, UNFAIR: FLIPS, UNKNOWN: OPEN}[change.state]


def _gap(one: Quantity, other: Quantity) -> int:
    """1 where the first surely wins more often than the other, -1 where less, 0 where open."""
    change = estimates.paired_ratio(one.sums, one.counts, other.sums, other.counts).difference
    if change.clusters < estimates.MIN_CLUSTERS or not change.se > 0:
        return 0
    return 1 if change.low > 0 else -1 if change.high < 0 else 0


def _best(before: Conclusions, after: Conclusions) -> str:
    """Whether the strongest style stays the strongest."""
    if not before.styles:
        return OPEN
    there = {q.level: q for q in after.styles}
    champion, winner = before.order[0], after.order[0] if after.order else ""
    sure = all(_gap(_style(before, champion), q) > 0 for q in before.styles if q.level != champion)
    if champion not in there or not sure:
        return OPEN
    if winner == champion:
        rivals = [q for q in after.styles if q.level != champion]
        return STANDS if all(_gap(there[champion], q) > 0 for q in rivals) else OPEN
    return FLIPS if _gap(there[winner], there[champion]) > 0 else OPEN


def _style(found: Conclusions, level: str) -> Quantity:
    return next(q for q in found.styles if q.level == level)


def _order(before: Conclusions, after: Conclusions) -> str:
    """Whether any two styles that are surely apart change places, or stay in every case."""
    there = {q.level: q for q in after.styles}
    fates = []
    for i, one in enumerate(before.styles):
        for other in before.styles[i + 1 :]:
            was = _gap(one, other)
            if was == 0 or one.level not in there or other.level not in there:
                continue
            now = _gap(there[one.level], there[other.level])
            fates.append(OPEN if now == 0 else STANDS if now == was else FLIPS)
    if FLIPS in fates:
        return FLIPS
    return STANDS if fates and OPEN not in fates else OPEN


def verdict_words(done: Study, name: str) -> str:
    """Whether a conclusion stands under all alternatives, in a sentence."""
    fates = [one.fate[name] for one in done.leanings]
    flips = dict.fromkeys(one.tried.label for one in done.leanings if one.fate[name] == FLIPS)
    unsure = fates.count(OPEN)
    if flips:
        words = f"{name.capitalize()} changes with {wording.listing(list(flips)[:3])}"
        return words + (f" and {len(flips) - 3} more." if len(flips) > 3 else ".")
    if unsure == 0:
        return f"{name.capitalize()} stands under all {len(fates)} alternatives."
    return (
        f"No alternative is known to change {name}; of {unsure} of {len(fates)} it cannot be told "
        "from so few games."
    )
