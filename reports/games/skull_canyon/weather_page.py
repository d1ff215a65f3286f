"""The page of `simulate weather`: heat maps with intervals, one cell a sequence of faces."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import polars as pl

from reports import wording
from reports.games.skull_canyon import experiment_page, pictures
from reports.games.skull_canyon.weather_rows import MEASURES, Cell, Skies
from reports.measures import Run
from reports.section import Block, Column, Figure, Heading, Highlight, Section, Table, Text

LEANS = ("weather.faces", "board", "boards", "deck")
SURE = 0.05
FROM_MEAN = "From the mean of all"
GROUPS = {
    "scores": ("Scores", ("score", "spread"), "Do points and their spread hang on the weather?"),
    "seats": (
        "Seats",
        ("first", "second", "third", "fourth"),
        "Does the weather favour who begins? Even shares would be the same in every cell.",
    ),
    "cards": ("Cards", ("hand", "left"), "How long are the hands?"),
    "gear-use": ("Gear", ("gear", "use"), "Is more gear bought and used?"),
}


def write(drawn: Run, skies: Skies, file: Path) -> Path:
    """Write the page of an experiment on weather."""
    facts = experiment_page.facts_of(drawn)
    return experiment_page.write(facts, sections(skies), [], _highlights(skies), file)


def sections(skies: Skies) -> list[Section]:
    """Everything on the page, for notebooks: blocks with ``.frame`` and ``.draw()``."""
    made = [_section(skies, name, *told) for name, told in GROUPS.items()]
    return [*made, _all(skies)]


def _strata(skies: Skies) -> list[str]:
    return list(dict.fromkeys(cell.stratum for cell in skies.cells))


def _section(
    skies: Skies, name: str, title: str, measures: tuple[str, ...], question: str
) -> Section:
    blocks: list[Block] = []
    for i, stratum in enumerate(_strata(skies)):
        if len(_strata(skies)) > 1:
            blocks.append(Heading(stratum))
        told = (
            ("level", "Means", None, False, "Mean"),
            ("difference", "Difference from the mean of all sequences", 0.0, True, FROM_MEAN),
        )
        for what, words, centre, signed, term in told:
            frame = heat_frame(skies, stratum, measures, what, signed)
            there = frame["measure"].unique(maintain_order=True)
            said = "; ".join(f"{MEASURES[m].label}: {MEASURES[m].words}" for m in there)
            blocks.append(
                Figure(
                    f"weather-{name}-{what}-{i}",
                    partial(
                        pictures.grids, frame, across=_across(skies), down="day II", centre=centre
                    ),
                    f"{words}, {stratum}, with half the width of the 95% interval. {said}.",
                    f"Heat map of {title.lower()} by the faces of the days, {words.lower()}.",
                    frame,
                    term=term,
                )
            )
    return Section(
        id=f"weather-{name}",
        title=title,
        text=f"{question} The same games are played under every sequence of faces.",
        help="Rows are the face of day II, columns that of the days after it. Differences are "
        "taken game by game, so their intervals hold only what the weather changes.",
        blocks=blocks,
        leans_on=LEANS,
    )


def _across(skies: Skies) -> str:
    return "day III" if len(skies.sequences[0]) <= 3 else "days III and IV"


def heat_frame(
    skies: Skies, stratum: str, measures: tuple[str, ...], what: str, signed: bool
) -> pl.DataFrame:
    """Cells of the heat maps of some measures."""
    rows = []
    for measure in measures:
        for cell in skies.cells:
            if cell.stratum == stratum and cell.measure == measure:
                rows.append(_cell(cell, what, signed))
    return pl.DataFrame(rows, infer_schema_length=None)


def _cell(cell: Cell, what: str, signed: bool) -> dict[str, object]:
    _, two, *rest = cell.sequence.split("-")
    e = cell.level if what == "level" else cell.difference
    percent = MEASURES[cell.measure].column == "win_share"
    title = MEASURES[cell.measure].label + (", %" if percent else "")
    shown = e.scaled(100) if percent else e
    found = pictures.heat_cell(title, two, "\n".join(rest) or "game", shown, e.n)
    if signed and e.value > 0 and found["text"]:
        found["text"] = f"+{found['text']}"
    return {**found, "measure": cell.measure, "q": cell.q if cell.q == cell.q else None}


def _all(skies: Skies) -> Section:
    columns = [
        Column("sequence", "Sequence"),
        Column("stratum", "Games of"),
        Column("measure", "Measure"),
        Column("level", "Mean", "interval", 3),
        Column("difference", FROM_MEAN, "interval", 3),
        Column("q", "Corrected p", "number", 3),
        Column("n", "Counted", "count"),
    ]
    rows = [
        {
            "sequence": cell.sequence.replace("-", ", "),
            "stratum": cell.stratum,
            "measure": MEASURES[cell.measure].label,
            "level": cell.level,
            "difference": cell.difference,
            "q": cell.q,
            "n": cell.level.n,
        }
        for cell in skies.cells
    ]
    sure = sum(cell.q < SURE for cell in skies.cells)
    said = (
        f"{sure} of {len(rows)} differences are found with a corrected p-value below {SURE}; false "
        "discoveries are controlled over all of them."
    )
    table = Table("weather-cells", columns, rows, "Every sequence, every measure.", fold=True)
    return Section(
        id="weather-all",
        title="All numbers",
        text="Each measure under each sequence, and its difference from the mean of all sequences.",
        blocks=[Text(said), table],
        leans_on=LEANS,
    )


def _highlights(skies: Skies) -> list[Highlight]:
    """The best and the worst weather for scores, in the first kind of games."""
    first = _strata(skies)[0]
    here = [c for c in skies.cells if c.stratum == first and c.measure == "score"]
    best, worst = (f(here, key=lambda c: c.level.value) for f in (max, min))
    return [
        Highlight(
            label,
            f"{wording.value_of(c.level)} VP",
            wording.interval_of(c.level),
            f"{c.sequence.replace('-', ', ')}, {first}",
        )
        for label, c in (("Highest scores", best), ("Lowest scores", worst))
    ]
