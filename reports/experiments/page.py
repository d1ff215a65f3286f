"""One self-contained HTML page about an experiment, in the look of the run's report.

No network, no clock: the same runs give the same bytes. The numbers behind every picture and table
stand beside it in ``data/*.csv``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports import render
from reports.facts import Facts
from reports.section import Figure, Section, Table, Verdict

HERE = Path(__file__).parent
PAGE_FILE = "report.html"


@dataclass
class Page:
    """What goes on the page. ``facts``: a run of the experiment, for replay commands."""

    kind: str  # "comparison", beside the brand
    title: str
    subtitle: str
    facts: Facts
    verdicts: Sequence[Verdict] = ()
    sections: Sequence[Section] = ()
    warnings: list[str] = field(default_factory=list)


def write(page: Page, folder: Path) -> Path:
    """Write ``report.html`` and ``data/*.csv`` into an experiment's folder; the page last."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    for name, frame in tables(page).items():
        frame.write_csv(data / f"{name}.csv", float_precision=6)
    file = folder / PAGE_FILE
    temporary = file.with_name(f".{file.name}.tmp")
    temporary.write_text(html(page), encoding="utf-8", newline="\n")
    temporary.replace(file)
    return file


def tables(page: Page) -> dict[str, pl.DataFrame]:
    """The frames behind all pictures and tables."""
    found: dict[str, pl.DataFrame] = {}
    for section in page.sections:
        for block in section.blocks:
            if isinstance(block, (Table, Figure)) and block.frame.width:
                if block.name in found:
                    raise ValueError(f"two blocks of the page are called {block.name}")
                found[block.name] = block.frame
    return found


def html(page: Page) -> str:
    """The HTML of a page."""
    environment = Environment(
        loader=FileSystemLoader([HERE, render.TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(**_context(page)).rstrip() + "\n"


def _context(page: Page) -> dict[str, Any]:
    return {
        "kind": page.kind,
        "title": page.title,
        "subtitle": page.subtitle,
        "css": Markup(render.stylesheet()),
        "js": Markup((render.TEMPLATES / "report.js").read_text(encoding="utf-8")),
        "verdicts": [_verdict(page.facts, v) for v in page.verdicts],
        "sections": [render.section_context(page.facts, s) for s in page.sections],
        "warnings": page.warnings,
        "glossary": render.glossary_of(page.facts),
    }


def _verdict(facts: Facts, verdict: Verdict) -> dict[str, Any]:
    """A card; what it leans on is told in the report of each run."""
    return {**render.verdict_context(facts, verdict), "leans": []}
