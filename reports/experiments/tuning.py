"""The page of a tuned strategy: what changed in it, how it was found, what it is worth."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import polars as pl

from reports import wording
from reports.estimates import FAIR, UNKNOWN, Estimate, finite
from reports.experiments import differences, race_picture, races
from reports.experiments.differences import Difference
from reports.experiments.margins import Margins
from reports.experiments.page import Page, write
from reports.experiments.quantities import Quantity
from reports.experiments.races import BETTER, Heat
from reports.facts import Facts
from reports.measures import Run
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

EDGE = 0.01  # a number so near to the end of its range stands at it


@dataclass(frozen=True)
class Number:
    """A parameter that was tuned."""

    name: str
    meaning: str
    before: float
    after: float
    low: float
    high: float

    @property
    def told(self) -> str:
        """What it counts, without the number that the feature has in the specification."""
        return re.sub(r"^F\d+ ", "", self.meaning)

    @property
    def changed(self) -> bool:
        """Whether the winner has another value."""
        return self.after != self.before

    @property
    def at_the_end(self) -> bool:
        """Whether the winner stands at an end of the range that was searched."""
        room = EDGE * (self.high - self.low)
        return self.changed and not self.low + room < self.after < self.high - room


@dataclass(frozen=True, eq=False)
class Tuning:
    """A finished search."""

    run: Run  # the confirmation
    start: str
    winner: str
    lineup: str
    others: str
    measure: str
    seed: int
    numbers: tuple[Number, ...]
    heats: tuple[Heat, ...]
    final: Mapping[str, Quantity]  # start and winner, on fresh seeds
    margins: Margins

    @cached_property
    def confirmed(self) -> Difference:
        """What the winner is better by on fresh seeds: the only number that is its merit."""
        pair = (self.final[self.start], self.final[self.winner])
        return differences.beside([pair], self.margins)[0]

    @cached_property
    def raced(self) -> list[dict[str, Difference]]:
        """Every version against the start, heat by heat."""
        return [heat.against_start(self.margins) for heat in self.heats]

    @property
    def searched(self) -> Difference:
        """The same as it looked in the race."""
        return self.raced[-1][self.winner]

    @cached_property
    def shrunken(self) -> dict[str, float]:
        """Every version of the last search against the start, the luck of the best taken off."""
        last = self.heats[-1].search
        return races.shrunken([heat for heat in self.heats if heat.search == last])

    @property
    def optimism(self) -> float:
        """How much better it looked in the race than on fresh seeds."""
        sign = BETTER[self.measure]
        return sign * (self.searched.change.value - self.confirmed.change.value)

    @property
    def candidates(self) -> int:
        """Versions tried beside the start."""
        return len({name for heat in self.heats for name in heat.entrants})

    @property
    def searched_games(self) -> int:
        """Games of the whole race."""
        return sum(heat.games * len(heat.found) for heat in self.heats)

    @property
    def verdict(self) -> str:
        """better, worse, same, or not enough games."""
        if self.confirmed.state in (FAIR, UNKNOWN):
            return self.confirmed.verdict
        gain = BETTER[self.measure] * self.confirmed.change.value
        return "better" if gain > 0 else "worse"

    def rows(self) -> list[dict[str, Any]]:
        """A flat row a version and heat, the confirmation last."""
        found = []
        for heat, raced in zip(self.heats, self.raced, strict=True):
            for name, quantity in heat.found.items():
                told = {"heat": heat.name, "search": heat.search, "strategy": name}
                found.append(told | _numbers(quantity, raced.get(name)))
        for name, quantity in self.final.items():
            told = {"heat": "confirm", "search": 0, "strategy": name}
            found.append(told | _numbers(quantity, None if name == self.start else self.confirmed))
        return found

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "start": self.start,
            "tuned": self.winner,
            "against": self.others,
            "lineup": self.lineup,
            "measure": self.measure,
            "seed": self.seed,
            "n": {"search": self.searched_games, "confirm": self.run.plan.n},
            "candidates": self.candidates,
            "margins": self.margins.words,
            "verdict": self.verdict,
            "confirmed": self.confirmed.row(),
            "searched": self.searched.row(),
            "shrunken": finite(self.shrunken[self.winner]),
            "optimism": self.optimism,
            "words": list(words(self)),
            "parameters": [
                {
                    "name": number.name,
                    "before": number.before,
                    "after": number.after,
                    "low": number.low,
                    "high": number.high,
                }
                for number in self.numbers
            ],
            "race": self.rows(),
        }


def _numbers(quantity: Quantity, change: Difference | None) -> dict[str, Any]:
    """The value of a version, and its difference from the start."""
    e = quantity.estimate()
    spread = change.change if change is not None else None
    return {
        "value": finite(e.value),
        "low": finite(e.low),
        "high": finite(e.high),
        "games": e.n,
        "difference": finite(spread.value) if spread else 0.0,
        "difference_low": finite(spread.low) if spread else 0.0,
        "difference_high": finite(spread.high) if spread else 0.0,
    }


# ---------------------------------------------------------------- in words


def words(done: Tuning) -> Sequence[str]:
    """The verdict, the luck of the search, and what follows, a sentence each."""
    d = done.confirmed
    size = f"{wording.number(d.margin * d.a.scale, d.digits)} {d.a.change_unit}".rstrip()
    what = wording.plain(done.measure)
    values = (
        f"{what} {d.b.shown(d.value_b.value, d.digits)} instead of "
        f"{d.a.shown(d.value_a.value, d.digits)}"
    )
    effect = f"{d.change_words} ({d.interval_words})"
    verdict = {
        "better": f"Tuned, it is better by more than {size}: {values}, {effect} on fresh seeds.",
        "worse": f"It is worse than the start by more than {size}: {values}, {effect} on fresh "
        "seeds. Keep the start.",
        "same": f"It is the same as the start within {size}: {effect} on fresh seeds. Nothing "
        "better was found with so many games.",
        "not enough games": _open(done, effect, size),
    }[done.verdict]
    return (verdict, _luck(done))


def _open(done: Tuning, effect: str, size: str) -> str:
    """What may be said where the verdict is open."""
    sign = BETTER[done.measure]
    change = done.confirmed.change
    surely = min(sign * change.low, sign * change.high) > 0
    said = f"Not enough games to tell by the margin of {size}: {effect} on fresh seeds."
    return said + (f" It is better, but perhaps by less than {size}." if surely else "")


def _luck(done: Tuning) -> str:
    """How much of what the race said was luck."""
    d = done.confirmed
    shrunk = d.a.change(done.shrunken[done.winner], d.digits)
    raced = (
        f"In the race the best of {done.candidates} looked like {done.searched.change_words}, which "
        f"among so many stands for {shrunk}"
    )
    size = d.a.change(abs(done.optimism), d.digits).lstrip("+")
    if size == d.a.change(0.0, d.digits):
        return f"{raced}. On fresh seeds it is what it looked like."
    if done.optimism > 0:
        return f"{raced}. It looked {size} too good, the luck of the one that is picked."
    return f"{raced}. It looked {size} worse than on fresh seeds: this time luck was against it."


# ---------------------------------------------------------------- the page


def build(done: Tuning, folder: Path) -> Path:
    """Write the page."""
    facts = Facts(done.run)
    page = Page(
        kind="tuning",
        title=f"{facts.title}: {wording.plain(done.start)}, tuned",
        subtitle=f"{done.candidates} versions against {wording.plain(done.others) or 'nobody'} · "
        f"{wording.count(done.searched_games)} games to search, "
        f"{wording.count(done.run.plan.n)} to confirm · seed {done.seed}",
        facts=facts,
        verdicts=[_card(done)],
        sections=[_found(done), _race(done), _method(done)],
    )
    return write(page, folder)


def _card(done: Tuning) -> Verdict:
    d = done.confirmed
    verdict, luck = words(done)
    rules = [f"{c['key']} = {wording.shown(c['value'], 40)}" for c in _changed(done)]
    return Verdict(
        id="tuned",
        question=f"Does {wording.plain(done.start)} play better with other numbers?",
        state=FAIR if done.verdict == "better" else d.state,
        headline=verdict,
        number=d.change_words,
        interval=d.interval_words,
        n=d.change.n,
        detail=luck,
        about=f"{d.a.players} players, against {wording.plain(done.others) or 'nobody'}"
        + (f"; {wording.listing(rules)}" if rules else ""),
        words={
            "fair": "Better" if done.verdict == "better" else "The same within the margin",
            "unfair": "Worse",
            "unknown": "Not enough games",
        },
        section="numbers",
        measure="Gain by tuning",
        bar=(d.change, 0.0, d.margin) if d.margin > 0 else None,
    )


def _changed(done: Tuning) -> list[dict[str, Any]]:
    """Rules that differ from the shipped ones."""
    rows = done.run.identity.get("rules") or [{}]
    return list(rows[0].get("changed", []))


def _found(done: Tuning) -> Section:
    changed = [number for number in done.numbers if number.changed]
    others = [number for number in done.numbers if not number.changed]
    blocks: list[Block] = [
        Text(f"To play with it: `--lineup {done.lineup}`."),
        _parameters("changed", changed, "Numbers that have another value now."),
    ]
    if others:
        caption = f"{len(others)} further numbers were tuned and stay as they were."
        blocks.append(_parameters("unchanged", others, caption, fold=True))
    ends = [number.name for number in changed if number.at_the_end]
    if ends:
        blocks.append(
            Text(
                f"At the end of the range that was searched: {wording.listing(ends)}. A wider one "
                "may hold something better: `--params NAME=low:high`.",
                "note",
            )
        )
    return Section(
        id="numbers",
        title="What changed",
        text="The numbers of the strategy as it was and as it came out of the search.",
        help="Many sets of numbers play about equally well. That a number changed does not say that "
        "it matters: a sweep over versions of this one number would.",
        blocks=blocks,
    )


def _parameters(name: str, numbers: Sequence[Number], caption: str, fold: bool = False) -> Table:
    """Parameters with their values before and after."""
    columns = [
        Column("name", "Parameter"),
        Column("meaning", "What it counts"),
        Column("before", "Start"),
        Column("after", "Tuned"),
        Column("range", "Range searched"),
    ]
    rows = [
        {
            "name": number.name,
            "meaning": number.told,
            "before": f"{number.before:g}",
            "after": f"{number.after:g}",
            "range": f"{number.low:g} … {number.high:g}",
        }
        for number in numbers
    ]
    return Table(name, columns, rows, caption, fold)


def _race(done: Tuning) -> Section:
    frame = _frame(done)
    share = done.confirmed.a.kind == "share"
    last = done.heats[-1]
    order = sorted(last.entrants, key=lambda n: -BETTER[done.measure] * last.values()[n])
    columns = [
        Column("place", "Place", "count"),
        Column("version", "Numbers that differ from the start"),
        Column("value", "Value", term="Value of a measure"),
        Column("change", "Against the start"),
        Column("interval", "95% interval"),
        Column("shrunken", "Luck taken off"),
        Column("games", "Games", "count"),
    ]
    blocks: list[Block] = [
        Figure(
            "race",
            partial(
                race_picture.race,
                frame,
                percent=share,
                ylabel=f"{wording.plain(done.measure)}, against the start",
            ),
            f"Every version by heat, as {wording.plain(done.measure)} against the start (the broken "
            "line). Blue: the winner. Orange: the winner on fresh seeds, with its 95% interval. The "
            "upright line parts the search over the ranges from that around the best.",
            "Lines that end one after the other; the last dot stands apart, with its interval.",
            frame,
            wide=True,
            term="Gain by tuning",
        ),
        Text(_luck(done)),
        Table(
            "finalists",
            columns,
            [
                *(_row(done, place, name) for place, name in enumerate(order, start=1)),
                _row(done, None, done.start),
            ],
            "The last heat, as it looked in the race: these numbers are picked and too good. Luck "
            "taken off: what such a result stands for among all versions of the last search.",
        ),
    ]
    return Section(
        id="race",
        title="The race",
        text="All versions of a heat play the same games. The better third goes on and plays more; "
        "then versions around the best race once more.",
        help="The values of one search are added up over its heats. The best of many is also the "
        "luckiest, which is why it is played again on fresh seeds and told by those alone.",
        blocks=blocks,
    )


def _row(done: Tuning, place: int | None, name: str) -> dict[str, Any]:
    """A version of the last heat; the start has no place."""
    quantity = done.heats[-1].found[name]
    change = done.raced[-1].get(name)
    e: Estimate = quantity.estimate()
    digits = quantity.digits(e.half)
    shrunk = done.shrunken.get(name)
    return {
        "place": place,
        "version": apart(done.start, name) if place is not None else "the start itself",
        "value": quantity.shown(e.value, digits),
        "change": change.change_words if change is not None else wording.NONE,
        "interval": change.interval_words if change is not None else wording.NONE,
        "shrunken": quantity.change(shrunk, digits) if shrunk is not None else wording.NONE,
        "games": e.n,
    }


def apart(start: str, version: str) -> str:
    """What a version sets otherwise than the start: ``stam 1.13, wax as in the book``."""
    own, given = (dict(p.split("=") for p in text.split(":")[1:]) for text in (version, start))
    told = [f"{name} {value}" for name, value in own.items() if given.get(name) != value]
    told += [f"{name} as in the book" for name in given if name not in own]
    return ", ".join(told)


def _frame(done: Tuning) -> pl.DataFrame:
    """What the picture shows."""
    rows = []
    for heat, raced in zip(done.heats, done.raced, strict=True):
        for name, d in raced.items():
            rows.append(_dot(name, heat.number, heat.search, d, name == done.winner, False))
    last = len(done.heats) + 1
    rows.append(_dot(done.winner, last, 0, done.confirmed, True, True))
    return pl.DataFrame(rows)


def _dot(
    name: str, heat: int, search: int, d: Difference, won: bool, confirmed: bool
) -> dict[str, Any]:
    return {
        "version": name,
        "heat": heat,
        "search": search,
        "value": d.change.value,
        "low": d.change.low,
        "high": d.change.high,
        "winner": won,
        "confirmed": confirmed,
    }


def _method(done: Tuning) -> Section:
    rows = [
        {
            "heat": heat.name,
            "search": ("over the ranges", "around the best")[heat.search - 1],
            "versions": len(heat.found),
            "games": heat.games,
        }
        for heat in done.heats
    ]
    final = {
        "heat": "confirm",
        "search": "start and winner, fresh seed",
        "versions": 2,
        "games": int(done.run.plan.n) // 2,
    }
    columns = [
        Column("heat", "Heat"),
        Column("search", "Search"),
        Column("versions", "Versions", "count"),
        Column("games", "Games each", "count"),
    ]
    d = done.confirmed
    tied = (
        f" (correlation {d.correlation:.2f})" if d.paired and math.isfinite(d.correlation) else ""
    )
    return Section(
        id="method",
        title="How it was found",
        text="Each heat has a seed of its own and is a run under arms/.",
        blocks=[
            Table("heats", columns, [*rows, final], "What was played."),
            Text(
                "All versions of a heat sit at the same tables, in every rotation, and meet the same "
                "dice; differences are paired by block. Versions come from a scrambled Sobol "
                "sequence, most of them with a few numbers changed; those of the second search mix "
                "the numbers of the best three of the first and move some a little. Successive "
                "halving keeps the better third."
            ),
            Text(
                f"The verdict rests on the confirmation alone{tied}: better or worse when surely by "
                "more than the margin, the same when surely within it. Margins: "
                f"{done.margins.words}."
            ),
        ],
    )
