"""A change once the players have adapted: both sides with their styles tuned to their own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reports import wording
from reports.experiments.differences import Difference
from reports.experiments.quantities import Quantity
from reports.experiments.tuning import Tuning, apart
from reports.section import Block, Column, Section, Table, Text

if TYPE_CHECKING:
    from reports.experiments.comparison import Comparison


@dataclass(frozen=True, eq=False)
class Style:
    """A style of a side, and what tuning it to the side's rules came to."""

    side: str
    start: str
    plays: str  # the version that takes part in the second comparison
    tuning: Tuning

    def row(self) -> dict[str, Any]:
        """A flat row for JSON."""
        gain = self.tuning.confirmed.row()
        return {
            "side": self.side,
            "strategy": self.start,
            "plays": self.plays,
            "gain": gain["difference"],
            "low": gain["low"],
            "high": gain["high"],
            "verdict": self.tuning.verdict,
        }


@dataclass(frozen=True, eq=False)
class Adaptation:
    """The second comparison, and the styles that take part in it."""

    styles: Sequence[Style]
    lineups: Mapping[str, str]  # of each side
    comparison: Comparison

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        return {
            "lineups": dict(self.lineups),
            "styles": [style.row() for style in self.styles],
            "verdict": self.comparison.state,
            "differences": [d.row() for d in self.comparison.found],
        }


def under_first_names(found: Comparison, styles: Sequence[Style]) -> Comparison:
    """The comparison with every adapted style under the name that it has in the first one."""
    names = {style.plays: style.start for style in styles if style.side == "a"}
    return replace(
        found, found=[replace(d, a=_named(d.a, names), b=_named(d.b, names)) for d in found.found]
    )


def _named(q: Quantity, names: Mapping[str, str]) -> Quantity:
    """A quantity of a strategy under another name."""
    if q.by != "strategy" or q.level not in names:
        return q
    name = names[q.level]
    return replace(q, level=name, words=f"strategy {wording.plain(name)}")


def section(fixed: Sequence[Difference], done: Adaptation) -> Section:
    """Both comparisons beside each other, headline by headline."""
    columns = [
        Column("measure", "Measure"),
        Column("change", "B − A, styles as they are"),
        Column("interval", "Its 95% interval"),
        Column("verdict", "Verdict, as they are"),
        Column("later", "B − A, adapted"),
        Column("later_interval", "95% interval, adapted"),
        Column("later_verdict", "Verdict, adapted"),
    ]
    later = {d.a.key: d for d in done.comparison.found}
    rows = [_row(d, later.get(d.a.key)) for d in fixed]
    blocks: list[Block] = [
        Table("adapted", columns, rows, "Headline measures with fixed and with tuned styles."),
        _styles(done),
        *(
            Text(f"Side {side.upper()} plays `--lineup {text}`.")
            for side, text in done.lineups.items()
        ),
    ]
    return Section(
        id="adapted",
        title="Once the styles have adapted",
        text="A style with fixed numbers cannot use what a rule newly offers. Here each side's "
        "styles were tuned to its own rules, with as many games on both sides, and the sides were "
        "compared again on the same dice.",
        help="The first columns are the value of the change to players who go on as before, the last "
        "to players who have learned it. A version plays only where it is confirmed to be better "
        "than the style it began from.",
        blocks=blocks,
    )


def _row(d: Difference, later: Difference | None) -> dict[str, Any]:
    """One measure in both comparisons."""
    row = {
        "measure": d.a.label,
        "change": d.change_words,
        "interval": d.interval_words,
        "verdict": d.verdict,
    }
    if later is not None:
        row |= {
            "later": later.change_words,
            "later_interval": later.interval_words,
            "later_verdict": later.verdict,
        }
    return row


def _styles(done: Adaptation) -> Table:
    """What tuning came to, style by style."""
    columns = [
        Column("side", "Side"),
        Column("start", "Style"),
        Column("gain", "Gain by tuning"),
        Column("interval", "95% interval of the gain"),
        Column("verdict", "Verdict on the gain"),
        Column("plays", "Plays with"),
    ]
    rows = []
    for style in done.styles:
        d = style.tuning.confirmed
        rows.append(
            {
                "side": style.side.upper(),
                "start": wording.plain(style.start),
                "gain": d.change_words,
                "interval": d.interval_words,
                "verdict": style.tuning.verdict,
                "plays": apart(style.start, style.plays) or "as it is",
            }
        )
    return Table("styles", columns, rows, "Styles tuned to each side's rules, on fresh seeds.")
