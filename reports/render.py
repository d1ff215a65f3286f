"""Sections -> one self-contained HTML file, and a CSV file for every picture and table.

No network, no clock: the same run gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from reports import examples, look, robustness, wording
from reports.estimates import Estimate
from reports.facts import Facts
from reports.robustness import Checked
from reports.section import (
    Checks,
    Column,
    Example,
    Figure,
    Heading,
    Highlight,
    Replays,
    Section,
    Table,
    Text,
    Verdict,
)
from reports.sections import assumptions

MOST_CARDS = 2  # of one question on the first screen
ROW_HEADS = ("what", "measure")  # columns whose cells name the measure of their row
HALF = 60  # characters that fit into a line of a table beside a picture
WRAPPED = 12  # of a column of words, which go on in the next line
SMALL, GAP = 0.87, 1.6  # an interval's characters, and what lies between two columns, in characters
TEMPLATES = Path(__file__).parent / "templates"


@dataclass
class Report:
    """Everything that goes on the page."""

    facts: Facts
    sections: list[Section] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    highlights: list[Highlight] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    checked: Checked | None = None  # the study of assumptions that goes with the run


def page(report: Report) -> str:
    """The HTML of a report."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(**_context(report)).rstrip() + "\n"


def write(report: Report, file: Path) -> Path:
    """Write the page and ``data/*.csv`` beside it; the page last, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    data = file.parent / "data"
    data.mkdir(exist_ok=True)
    for name, frame in tables(report).items():
        frame.write_csv(data / f"{name}.csv", float_precision=6)
    temporary = file.with_name(f".{file.name}.tmp")
    temporary.write_text(page(report), encoding="utf-8", newline="\n")
    temporary.replace(file)
    return file


def tables(report: Report) -> dict[str, pl.DataFrame]:
    """The frames behind all pictures and tables, the verdicts, and the games to look at."""
    found: dict[str, pl.DataFrame] = {}
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, (Table, Figure)) and block.frame.width:
                if block.name in found:
                    raise ValueError(f"two blocks of the report are called {block.name}")
                found[block.name] = block.frame
    found["verdicts"] = _verdict_frame(report)
    found["replays"] = _replay_frame(report)
    return found


def _verdict_frame(report: Report) -> pl.DataFrame:
    columns = ("id", "question", "state", "headline", "number", "interval", "n", "about")
    rows = []
    for v in report.verdicts:
        robust = robustness.judge(report.facts, v, report.checked)
        told = {"assumptions": robust.fate, "assumptions_words": robust.words}
        rows.append({**{c: getattr(v, c) for c in columns}, **told})
    return pl.DataFrame(rows)


def _replay_frame(report: Report) -> pl.DataFrame:
    """One row a claim about a single game: what the tests replay and check."""
    rows = []
    for example in _all_examples(report):
        for column, value in example.claims.items():
            rows.append(
                {
                    "game_id": example.game_id,
                    "seat": example.seat,
                    "column": column,
                    "value": str(value),
                    "words": example.words,
                    "command": examples.command(report.facts, example),
                }
            )
    schema = {
        "game_id": pl.Int64,
        "seat": pl.Int64,
        "column": pl.String,
        "value": pl.String,
        "words": pl.String,
        "command": pl.String,
    }
    return pl.DataFrame(rows, schema=schema)


def _all_examples(report: Report) -> Iterable[Example]:
    for verdict in report.verdicts:
        if verdict.example is not None:
            yield verdict.example
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Replays):
                yield from (example for _, example in block.examples)


# ---------------------------------------------------------------- context


def _context(report: Report) -> dict[str, Any]:
    facts = report.facts
    return {
        "title": facts.title,
        "subtitle": _subtitle(facts),
        "css": Markup(stylesheet()),
        "js": Markup((TEMPLATES / "report.js").read_text(encoding="utf-8")),
        **_cards(report),
        "matrix": _matrix(report.verdicts),
        "highlights": [_tile(facts, one) for one in report.highlights],
        "strategies": [wording.plain(s) for s in facts.strategies],
        "lineup": _lineup(facts),
        "changes": assumptions.changes(facts),
        "layouts": wording.listing([wording.plain(name) for name in _layouts(facts)]),
        "layout_word": facts.lens.layout_word,
        "assumed_count": sum(assumptions.is_assumed(r) for r in assumptions.provenance(facts)),
        "trust": _trust(report.sections),
        "warnings": _warnings(facts),
        "sections": [section_context(facts, s) for s in report.sections],
        "left_out": report.left_out,
        "glossary": glossary_of(facts),
    }


def glossary_of(facts: Facts) -> dict[str, Any]:
    """The terms and methods that a page has used: asked for when all else is made."""
    return {"terms": facts.glossary.entries(), "methods": facts.glossary.methods()}


def _tile(facts: Facts, one: Highlight) -> dict[str, str]:
    """A key figure with the link of its label."""
    return {
        "label": one.label,
        "term": facts.glossary.link(one.label),
        "value": one.value,
        "interval": one.interval,
        "note": one.note,
    }


def _subtitle(facts: Facts) -> str:
    players = sorted({s.players for s in facts.records.strata})
    parts = [
        f"{wording.count(facts.n_games)} simulated games",
        f"{wording.listing([str(p) for p in players])} players",
    ]
    layouts = _layouts(facts)
    if 0 < len(layouts) <= 3:
        parts.append(wording.listing([wording.plain(name) for name in layouts]))
    elif layouts:
        parts.append(f"{len(layouts)} {facts.lens.layout_word}s")
    return " · ".join(parts)


def _layouts(facts: Facts) -> list[str]:
    return [str(row.get("label")) for row in facts.identity.get("rules") or [] if row.get("label")]


def _lineup(facts: Facts) -> str:
    seating = str(facts.identity.get("plan", {}).get("seating", "rotate"))
    words = {
        "rotate": "Every line-up plays every seat on the same dice.",
        "fixed": "Line-up positions keep their seats.",
        "random": "Seats are drawn for every game.",
    }
    drawn = any(-1 in cell.get("positions", []) for cell in facts.records.cells)
    pool = " Styles are drawn from the list for each block of games." if drawn else ""
    return words.get(seating, "") + pool


def _warnings(facts: Facts) -> list[str]:
    out = []
    plan = facts.identity.get("plan", {})
    treatment = {k: v for k, v in (plan.get("treatment") or {}).items() if v}
    if treatment:
        said = ", ".join(f"{k}={v}" for k, v in treatment.items())
        out.append(f"An experiment changed these games: {said}. The verdicts hold for that only.")
    expected = plan.get("n")
    if isinstance(expected, int) and facts.n_games < expected:
        out.append(
            f"The run is not finished: {wording.count(facts.n_games)} of "
            f"{wording.count(expected)} games."
        )
    return out


def _trust(sections: Sequence[Section]) -> dict[str, str] | None:
    checks = [c for s in sections for b in s.blocks if isinstance(b, Checks) for c in b.checks]
    if not checks:
        return None
    failed = sum(c.passed is False for c in checks)
    passed = sum(c.passed is True for c in checks)
    if failed:
        return {"state": "unfair", "words": f"{failed} of {len(checks)} checks failed"}
    return {"state": "fair", "words": f"{passed} checks passed"}


def _cards(report: Report) -> dict[str, Any]:
    """Cards of the first screen; of many of one question the most telling, the rest folded up."""
    verdicts = report.verdicts
    first: list[Verdict] = []
    rest: list[Verdict] = []
    for question in dict.fromkeys(v.question for v in verdicts):
        asked = [v for v in verdicts if v.question == question]
        shown = asked if len(asked) <= MOST_CARDS else [max(asked, key=_telling)]
        first += shown
        rest += [v for v in asked if v not in shown]
    return {
        "verdicts": [_card(report, v) for v in first],
        "more_verdicts": [_card(report, v) for v in rest],
    }


def _telling(v: Verdict) -> tuple[int, float]:
    """Not fair before not enough before fair; then the larger deviation."""
    gap = abs(v.bar[0].value - v.bar[1]) if v.bar is not None else 0.0
    return {"unfair": 2, "unknown": 1, "fair": 0}[v.state], gap


def _matrix(verdicts: Sequence[Verdict]) -> dict[str, Any] | None:
    """Questions against games of …, when there is more than one of the latter."""
    where = {v.id: v.about.split(";")[0] for v in verdicts}
    rows = list(dict.fromkeys(where.values()))
    questions = list(dict.fromkeys(v.question for v in verdicts))
    if len(rows) < 2:
        return None
    cells = {(where[v.id], v.question): v for v in verdicts}
    return {
        "questions": questions,
        "rows": [{"about": r, "cells": [cells.get((r, q)) for q in questions]} for r in rows],
    }


def _example(facts: Facts, example: Example | None) -> dict[str, Any] | None:
    if example is None:
        return None
    return {"words": example.words, "command": examples.command(facts, example)}


def _card(report: Report, v: Verdict) -> dict[str, Any]:
    """A verdict with what is known of its assumptions."""
    robust = robustness.judge(report.facts, v, report.checked)
    return {**verdict_context(report.facts, v), "robust": robust}


def verdict_context(facts: Facts, v: Verdict) -> dict[str, Any]:
    """What the template shows of a verdict."""
    return {
        "id": v.id,
        "question": v.question,
        "state": v.state,
        "label": v.label,
        "headline": v.headline,
        "number": v.number,
        "measure": v.measure,
        "term": facts.glossary.link(v.measure),
        "verdict": facts.glossary.link("Verdict"),
        "interval": v.interval,
        "games": wording.count(v.n),
        "bar": _verdict_bar(v),
        "detail": v.detail,
        "about": v.about,
        "holds_for": wording.listing([wording.plain(s) for s in v.holds_for]),
        "leans": assumptions.leaning(facts, v.leans_on),
        "example": _example(facts, v.example),
        "section": v.section,
    }


# ---------------------------------------------------------------- sections


def section_context(facts: Facts, section: Section) -> dict[str, Any]:
    """What the template shows of a section: its blocks, by heading."""
    groups: list[dict[str, Any]] = [{"heading": "", "blocks": []}]
    for block in section.blocks:
        if isinstance(block, Heading):
            groups.append({"heading": block.words, "blocks": []})
        else:
            groups[-1]["blocks"].append(_block(facts, block))
    return {
        "id": section.id,
        "title": section.title,
        "text": section.text,
        "help": section.help,
        "groups": [g for g in groups if g["heading"] or g["blocks"]],
        "leans": assumptions.leaning(facts, section.leans_on),
    }


def _block(facts: Facts, block: Any) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"kind": "text", "words": _with_code(block.words), "tone": block.tone}
    if isinstance(block, Figure):
        drawn = block.draw()
        picture = drawn if isinstance(drawn, str) else look.svg(drawn, f"f-{block.name}", block.alt)
        return {
            "kind": "figure",
            "name": block.name,
            "svg": Markup(picture),
            "caption": block.caption,
            "wide": block.wide,
            "measure": block.term,
            "term": facts.glossary.link(block.term) if block.term else "",
        }
    if isinstance(block, Table):
        return _table(facts, block)
    if isinstance(block, Replays):
        rows = [
            {"label": label, "words": e.words, "command": examples.command(facts, e)}
            for label, e in block.examples
        ]
        return {"kind": "replays", "title": block.title, "rows": rows}
    if isinstance(block, Checks):
        states = {True: "passed", False: "failed", None: "open"}
        rows = [{"state": states[c.passed], "name": c.name, "words": c.words} for c in block.checks]
        return {"kind": "checks", "rows": rows}
    raise TypeError(f"no way to show a {type(block).__name__}")


def _with_code(words: str) -> Markup:
    """Text in which `a command` stands in code type."""
    parts = str(escape(words)).split("`")
    return Markup("".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(parts)))


def _table(facts: Facts, table: Table) -> dict[str, Any]:
    columns = [
        {
            "label": c.label,
            "help": c.help,
            "align": "l" if c.kind == "text" else "r",
            "term": facts.glossary.of_column(c),
        }
        for c in table.columns
    ]
    rows = [[_cell(c, row.get(c.name)) for c in table.columns] for row in table.rows]
    for row in rows:
        for column, cell in zip(table.columns, row, strict=True):
            if column.name in ROW_HEADS:
                cell["term"] = facts.glossary.link(cell["text"])
    return {
        "kind": "table",
        "name": table.name,
        "caption": table.caption,
        "columns": columns,
        "rows": rows,
        "fold": table.fold,
        "half": _width(columns, rows) <= HALF,
    }


def _width(columns: list[dict[str, Any]], rows: list[list[dict[str, Any]]]) -> float:
    """Characters that a line of a table needs at least."""
    total = 0.0
    for number, column in enumerate(columns):
        texts = [column["label"], *(row[number]["text"] for row in rows)]
        widest = float(max(len(word) for text in texts for word in (text.split() or [""])))
        if column["align"] == "l":
            widest = max(widest, min(max(map(len, texts)), WRAPPED))
        else:
            widest = max(widest, *(len(text) for text in texts[1:]), 0)
            widest = max(widest, *(len(row[number]["ci"]) * SMALL for row in rows), 0)
        total += widest + GAP
    return total


def _cell(column: Column, value: Any) -> dict[str, Any]:
    align = "l" if column.kind == "text" else "r"
    cell = {
        "text": wording.NONE,
        "ci": "",
        "sort": None,
        "align": align,
        "code": False,
        "term": "",
    }
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return {**cell, "sort": ""}
    if isinstance(value, Estimate):
        return {**cell, **_estimate_cell(column, value)}
    if column.kind == "count":
        return {**cell, "text": wording.count(value), "sort": str(value)}
    if column.kind == "percent":
        digits = 1 if column.digits is None else column.digits
        return {**cell, "text": wording.percent(value, digits), "sort": f"{value:.6g}"}
    if column.kind == "number":
        digits = 1 if column.digits is None else column.digits
        return {**cell, "text": wording.number(value, digits), "sort": f"{value:.6g}"}
    return {**cell, "text": str(value), "code": column.name == "key"}


def _estimate_cell(column: Column, e: Estimate) -> dict[str, Any]:
    if not e.n:
        return {"text": wording.NONE, "sort": ""}
    if column.kind == "interval_percent":
        digits = wording.percent_digits(e) if column.digits is None else column.digits
        text = wording.percent(e.value, digits)
        ci = (
            wording.span(wording.number(e.low * 100, digits), wording.percent(e.high, digits))
            if math.isfinite(e.low)
            else "too few games"
        )
    elif column.kind == "interval_points":  # a difference of shares
        points = e.scaled(100)
        text = f"{wording.value_of(points, column.digits)} pp"
        ci = wording.interval_of(points, column.digits)
        if not math.isfinite(e.low):
            ci = "too few games"
    else:
        text, ci = wording.value_of(e, column.digits), wording.interval_of(e, column.digits)
        if not math.isfinite(e.low):
            ci = "too few games"
    return {"text": text, "ci": ci, "sort": f"{e.value:.6g}"}


def _bar(
    e: Estimate, reference: float, span: tuple[float, float], margin: float = 0.0
) -> dict[str, Any]:
    """Places on an interval bar, in percent of its width."""
    low, high = span

    def at(x: float) -> float:
        return round(100 * min(max((x - low) / (high - low), 0.0), 1.0), 2)

    left = at(e.low)
    band = None
    if margin:
        band = (at(reference - margin), round(at(reference + margin) - at(reference - margin), 2))
    return {
        "low": left,
        "width": round(at(e.high) - left, 2),
        "at": at(e.value),
        "ref": at(reference),
        "band": band,
    }


def _verdict_bar(v: Verdict) -> dict[str, Any] | None:
    if v.bar is None or not math.isfinite(v.bar[0].low):
        return None
    e, reference, margin = v.bar
    reach = max(abs(e.low - reference), abs(e.high - reference), 2 * margin) * 1.15
    return _bar(e, reference, (reference - reach, reference + reach), margin)


# ---------------------------------------------------------------- style


def stylesheet() -> str:
    """Colours of both themes, then the page's rules."""
    light = {role: colour for colour, role in look.ROLES.items()}
    light.update(ground="#f5f8fa", link="#075f96", deep="#0e2f44")
    dark = {**look.DARK, "ground": "#10171e", "link": "#7cc4ea", "deep": "#0a1f2d"}
    sheet = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    return (
        f":root {{ color-scheme: light; {_variables(light)} }}\n"
        "@media screen and (prefers-color-scheme: dark) { :root:not([data-theme=light]) "
        f"{{ color-scheme: dark; {_variables(dark)} }} }}\n"
        f"@media screen {{ :root[data-theme=dark] {{ color-scheme: dark; {_variables(dark)} }} }}\n"
        f"{sheet}"
    )


def _variables(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{role}: {colour};" for role, colour in sorted(colours.items()))
