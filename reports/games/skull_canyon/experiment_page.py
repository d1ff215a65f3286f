"""The HTML page of an experiment: the report's page with sections of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reports import render
from reports.facts import Facts
from reports.measures import Run
from reports.render import Report
from reports.section import Highlight, Section, Verdict
from reports.sections import assumptions, provenance


def facts_of(control: Run) -> Facts:
    """Facts of the control arm without the measures of the report's sections."""
    facts = Facts(control)
    facts.modules = []
    return facts


def write(
    facts: Facts,
    sections: Sequence[Section],
    verdicts: Sequence[Verdict],
    highlights: Sequence[Highlight],
    file: Path,
) -> Path:
    """Write the page, and ``data/*.csv`` beside it."""
    last = [assumptions.make(facts), provenance.make(facts)]
    page = Report(facts, [*sections, *last], list(verdicts), list(highlights))
    return render.write(page, file)
