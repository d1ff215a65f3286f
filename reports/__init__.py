"""Run folders -> one HTML report. See ``build``; each part is usable by itself in Jupyter:

    from reports import open_facts
    facts = open_facts(run)
    facts.mean("rounds", facts.main[0])

Records -> ``measures`` -> ``estimates`` -> ``figures`` -> ``sections`` -> ``render``. Reports read
run folders and import no engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.facts import Facts
    from reports.measures import Run
    from reports.render import Report
    from reports.section import Section

__all__ = ["build", "collect", "open_facts", "sections_of"]

REPORT_FILE = "report.html"


def build(
    run: Run,
    out: str | Path | None = None,
    strict: bool = False,
    sensitivity: str | Path | None = None,
) -> Path:
    """Write the report of a run and return its path.

    ``out``: the HTML file, by default ``report.html`` in the run's folder; ``data/`` stands beside
    it. ``strict``: a section whose columns are missing is an error instead of a line.
    ``sensitivity``: the study that says which verdicts lean on an assumption, by default one that
    stands beside the run and fits (see ``reports.robustness``).
    """
    from reports import render

    file = Path(out) if out is not None else Path(run.path) / REPORT_FILE
    return render.write(collect(run, strict, sensitivity), file)


def open_facts(run: Run) -> Facts:
    """The measures and estimates of a run, made when first asked for."""
    from reports.facts import Facts

    return Facts(run)


def sections_of(run: Run) -> list[Section]:
    """All sections of a run, for notebooks: blocks with ``.frame`` and ``.draw()``."""
    return collect(run).sections


def collect(run: Run, strict: bool = False, sensitivity: str | Path | None = None) -> Report:
    """Sections, verdicts and key figures of a run."""
    from reports import robustness
    from reports.facts import section_modules
    from reports.render import Report

    facts = open_facts(run)
    report = Report(facts, checked=robustness.find(facts, sensitivity))
    for module in section_modules(facts.game):
        missing = facts.records.lacking(module.NEEDS)
        if missing:
            _leave_out(report, module, missing, strict)
            continue
        section = module.make(facts)
        if section is None:
            continue
        report.sections.append(section)
        report.verdicts += module.verdicts(facts) if hasattr(module, "verdicts") else []
        report.highlights += module.highlights(facts) if hasattr(module, "highlights") else []
    return report


def _leave_out(report: Report, module: Any, missing: list[str], strict: bool) -> None:
    from simulate.errors import UserError

    name = module.__name__.rsplit(".", 1)[-1].replace("_", " ")
    line = f"The section '{name}' is left out: the records have no {', '.join(missing)}."
    if strict:
        raise UserError(f"{line} Without --strict it is left out with this line.")
    report.left_out.append(line)
