"""What was changed, and what was invented because the rulebook does not say it."""

from __future__ import annotations

from typing import Any

from reports import wording
from reports.facts import Facts
from reports.section import Block, Column, Section, Table, Text

ORDER = 92
NEEDS: dict[str, tuple[str, ...]] = {}


def make(facts: Facts) -> Section:
    """Two tables: changed rules, assumed values."""
    changed = changes(facts)
    assumed = [row for row in provenance(facts) if is_assumed(row)]
    blocks: list[Block] = []
    if changed:
        columns = [
            Column("key", "Rule"),
            Column("value", "Here"),
            Column("default", "Default"),
            Column("course", "In"),
            Column("source", "Why"),
        ]
        blocks.append(
            Table("rules-changed", columns, changed, "Rules that differ from the default.")
        )
    else:
        blocks.append(Text("No rule differs from the default.", "note"))
    columns = [
        Column("key", "Rule"),
        Column("value", "Assumed"),
        Column("source", "Why"),
        Column("alternatives", "What else it could be"),
    ]
    rows = [
        {
            "key": row["key"],
            "value": wording.shown(row["value"]),
            "source": str(row["source"]).removeprefix("assumed:").strip(),
            "alternatives": wording.shown(row.get("alternatives"), 120),
        }
        for row in assumed
    ]
    blocks.append(
        Table(
            "assumptions",
            columns,
            rows,
            f"{len(rows)} values that the rulebook does not print.",
            fold=True,
        )
    )
    return Section(
        id="assumptions",
        title="Assumptions",
        text="A rulebook leaves things out: what stands on the components, what nobody was meant to "
        "ask. Where it does, a value was assumed and is listed here with its alternatives. Nothing "
        "that rests on an assumed value is a fact about the printed game. Change one with "
        "--set key=value and compare.",
        blocks=blocks,
    )


def provenance(facts: Facts, rules: int = 0) -> list[dict[str, Any]]:
    """Provenance rows of a rules row."""
    rows = facts.identity.get("rules") or []
    told = rows[rules].get("provenance", []) if rules < len(rows) else []
    return list(told["rows"] if isinstance(told, dict) else told)


def is_assumed(row: dict[str, Any]) -> bool:
    """Whether a value was invented."""
    return str(row.get("source", "")).startswith("assumed")


def leaning(facts: Facts, prefixes: tuple[str, ...]) -> list[str]:
    """Assumed keys that start with one of the prefixes."""
    keys = [str(row["key"]) for row in provenance(facts) if is_assumed(row)]
    return [k for k in keys if any(k == p or k.startswith(f"{p}.") for p in prefixes)]


def changes(facts: Facts) -> list[dict[str, str]]:
    """Every rule that differs from the default, once a course."""
    labels = [str(row.get("label", "")) for row in facts.identity.get("rules") or []]
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for number in range(len(labels)):
        for row in provenance(facts, number):
            if row.get("changed"):
                value = wording.shown(row["value"])
                entry = found.setdefault(
                    (str(row["key"]), value),
                    {
                        "key": row["key"],
                        "value": value,
                        "default": wording.shown(row.get("default")),
                        "courses": [],
                        "source": str(row.get("source", "")),
                    },
                )
                entry["courses"].append(labels[number])
    out = []
    for entry in found.values():
        courses = entry.pop("courses")
        entry["course"] = "all" if len(courses) == len(labels) else wording.listing(courses)
        out.append(entry)
    return out
