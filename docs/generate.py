"""Writes the reference pages from the code, or says which of them are out of date.

    python docs/generate.py            writes docs/reference/*.md
    python docs/generate.py --check    writes nothing; exit code 1 if a page differs

Nothing is compiled and no game is played: everything comes from the rules files, the strategy
books, the column docs and the help texts.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

FOLDER = ROOT / "docs" / "reference"
NOTE = (
    "<!-- Made by docs/generate.py from the code. Do not edit: run `python docs/generate.py`. -->"
)
WIDTH = 100
NOTHING = "–"


def pages() -> dict[str, str]:
    """File name to text of every reference page."""
    from simulate import registry

    made = {"cli.md": cli_page()}
    for name in registry.names():
        made[f"rules-{name}.md"] = rules_page(name)
        made[f"strategies-{name}.md"] = strategies_page(name)
        made[f"treatments-{name}.md"] = treatments_page(name)
        made[f"columns-{name}.md"] = columns_page(name)
    made["glossary.md"] = glossary_page()
    return made


# ---------------------------------------------------------------- Markdown


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines)


def cell(value: Any) -> str:
    """A value fit for a table cell."""
    return str(value).replace("\n", " ").replace("|", "\\|").strip() or NOTHING


def code(value: Any) -> str:
    """A value as code, a dash for nothing."""
    text = str(value)
    return f"`{text}`" if text else NOTHING


def page(title: str, *parts: str) -> str:
    """A page: note, title, paragraphs."""
    return "\n\n".join([NOTE, f"# {title}", *(part for part in parts if part)]) + "\n"


# ---------------------------------------------------------------- the command line


def commands() -> dict[str, Any]:
    """Full name to command, groups taken apart: ``cache clear``."""
    import typer

    from simulate.cli import app

    found: dict[str, Any] = {}

    def walk(prefix: str, group: Any) -> None:
        for name, one in group.commands.items():
            if hasattr(one, "commands"):
                walk(f"{prefix}{name} ", one)
            else:
                found[prefix + name] = one

    walk("", typer.main.get_command(app))
    return found


def help_text(name: str, command: Any) -> str:
    """What ``simulate NAME --help`` prints on a terminal of a fixed width."""
    how = {"help_option_names": ["-h", "--help"], "terminal_width": WIDTH}
    context = command.context_class(command, info_name=f"simulate {name}", **how)
    return re.sub(r"[ \t]+$", "", command.get_help(context), flags=re.MULTILINE).strip()


def cli_page() -> str:
    """The help text of every command."""
    parts = [
        (
            "The help of every command, as `simulate COMMAND --help` prints it. Exit codes: 0 done or "
            "same, 1 failed or changed, 2 bad input, 130 interrupted."
        ),
    ]
    for name, command in commands().items():
        parts += [f"## simulate {name}", f"```text\n{help_text(name, command)}\n```"]
    return page("Command line", *parts)


# ---------------------------------------------------------------- rules


def rules_page(name: str) -> str:
    """Every rule with its value and source, and the variants that ship."""
    from simulate import registry
    from simulate import rules as loader

    found = loader.load(name, (), (), ())
    chapters: dict[str, list[list[str]]] = {}
    for row in found.provenance:
        other = row.get("alternatives")
        shown = NOTHING if other in (None, []) else other if isinstance(other, str) else None
        chapters.setdefault(row["key"].split(".")[0], []).append(
            [
                code(row["key"]),
                row.get("meaning") or "",
                code(loader.show(row["value"])),
                row.get("allowed") or "",
                row.get("source") or "",
                code(loader.show(other)) if shown is None else shown,
            ]
        )
    head = ["key", "what it is", "value", "allowed", "source", "alternatives"]
    parts = [
        (
            "Each row can be changed with `--set KEY=VALUE` or in a file given with `--rules`. "
            "**Source** says how far to trust a value: `rulebook` is printed, `public` was said by "
            "somebody who has the game, `derived` follows from the printed text, `assumed` was made up "
            "because nothing better is known. Alternatives are what to try instead of an assumed value."
        ),
        count_sources(found.provenance),
    ]
    for chapter, rows in chapters.items():
        parts += [f"## {chapter}", table(head, rows)]
    variants = [[code(v.name), v.summary] for v in loader.variants(name)]
    parts += [
        "## Variants",
        (
            f"`--variant NAME` lays one over the rules; give it several times to combine. "
            f"`simulate rules {name} --variants` prints this list."
        ),
        table(["variant", "what it changes"], variants),
    ]
    return page(f"Rules of {registry.game(name).title}", *parts)


def count_sources(rows: Sequence[dict[str, Any]]) -> str:
    """How many values come from where."""
    from collections import Counter

    kinds = Counter((row.get("source") or "none").split(":")[0] for row in rows)
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    return f"{len(rows)} values: {told}."


# ---------------------------------------------------------------- strategies and treatments


def strategies_page(name: str) -> str:
    """The strategy book: who there is, their numbers, the default line-ups."""
    from simulate import registry

    book = registry.book(name)
    parts = [
        (
            "A line-up names them: `--lineup pacer,finisher:stam=1.1,random*2`. "
            "A colon sets a parameter, a star repeats an entry, `mix(a|b)*4` draws from a pool. "
            "How to write one yourself: [Adding a strategy](../adding-a-strategy.md)."
        ),
        table(["strategy", "how it plays"], [[code(s.name), s.summary] for s in book.strategies]),
        "## Default line-ups",
        "Played where no `--lineup` is given.",
        table(
            ["players", "line-up"],
            [[count, code(text)] for count, text in sorted(book.default_lineup.items())],
        ),
        *parameters(book.strategies),
    ]
    return page(f"Strategies of {registry.game(name).title}", *parts)


def parameters(strategies: Sequence[Any]) -> list[str]:
    """Every parameter once, with bounds, meaning and the value of each strategy that has it."""
    users = [s for s in strategies if s.params]
    if not users:
        return []
    known = {p.name: p for p in chain.from_iterable(s.params for s in users)}
    rows = []
    for name, param in known.items():
        values = [
            next((f"{p.default:g}" for p in s.params if p.name == name), NOTHING) for s in users
        ]
        rows.append([code(name), param.meaning, f"{param.low:g} … {param.high:g}", *values])
    head = ["parameter", "meaning", "bounds", *(s.name for s in users)]
    return ["## Parameters", "The numbers to the right are the defaults.", table(head, rows)]


def treatments_page(name: str) -> str:
    """Everything that an experiment can force or grant."""
    from simulate import registry

    rows = []
    for hook in registry.game(name).module("words").TREATMENTS:
        values = f"{hook.low} … {hook.high}" if hook.parameter else ""
        fields = ", ".join(f"`{field} = {value}`" for field, value in hook.fields.items())
        rows.append([code(hook.name), f"… {hook.meaning}", fields, values, hook.questions])
    return page(
        f"Treatments of {registry.game(name).title}",
        f"`simulate treat {name} --hook NAME` plays the same games with and without one and prints "
        "the paired difference. `--hook NAME=VALUE` chooses a value where a range is given. "
        f"The question numbers are those of [the question list](../questions-{name}.md).",
        table(["treatment", "the treated seat …", "sets", "values", "questions"], rows),
    )


# ---------------------------------------------------------------- columns


def columns_page(name: str) -> str:
    """Columns of the records."""
    from simulate import registry, rules
    from simulate.records import CORE_GAME, CORE_SEAT

    game = registry.game(name)
    state = game.module("state")
    words = rules.load(name, (), (), ()).vocabularies
    return page(
        f"Columns of {game.title}",
        "What the Parquet files of a run hold; the same texts travel in the files' metadata "
        '(`run.columns("games")`). Seats, rounds of an array and the like are counted from 0. '
        "**Null** marks columns that can be empty.",
        "## games",
        "One row a game. The first ten columns are the same in all games.",
        column_table((*CORE_GAME, *state.GAME_COLUMNS)),
        "## seats",
        "One row a seat of a game. The first nine columns are the same in all games.",
        column_table((*CORE_SEAT, *state.SEAT_COLUMNS)),
        "## tallies",
        "Sums over games, one row a cell, name and index (`cell`, `name`, `index`, `value`); rows "
        "with value 0 are left out.",
        table(["name", "numbers", "what is counted"], tallies(state)),
        "## Words",
        "Word columns are enums; these lists are for the default rules. The list that a run "
        "used stands in its `run.json` under `vocabularies`.",
        table(["list", "words"], [[code(k), ", ".join(map(code, v))] for k, v in words.items()]),
    )


def column_table(columns: Sequence[Any]) -> str:
    """A row a column."""
    import numpy as np

    rows = []
    for column in columns:
        kind = f"words: {column.words}" if column.words else np.dtype(column.dtype).name
        if column.array:
            kind += f", {column.array} by {column.array_name}"
        rows.append(
            [code(column.name), column.meaning, column.unit, kind, "null" if column.null else ""]
        )
    return table(["column", "meaning", "unit", "type", "null"], rows)


def tallies(state: Any) -> list[list[str]]:
    """Fields of TALLY, with the comment that stands behind each in the source."""
    text = Path(state.__file__).read_text(encoding="utf-8")
    said = dict(re.findall(r'^\s+\("(\w+)", np\.int64, \(\w+,\)\),\s+# (.+)$', text, re.MULTILINE))
    return [
        [code(name), str(state.TALLY[name].shape[0]), said.get(name, "")]
        for name in state.TALLY.names
    ]


# ---------------------------------------------------------------- glossary

PLACES = ("reports/sections", "reports/experiments", "simulate/experiments")  # of all games


def glossary_page() -> str:
    """Every measure of reports and experiments, and how its numbers are made."""
    from reports import glossary, glossary_terms
    from simulate import registry

    parts = [
        (
            "What the headings of reports and of the pages of experiments mean. Each page carries "
            "the entries that it uses; the question mark beside a heading leads there. Every entry "
            "is defined once: here stand the terms, the docs of the records' columns and the help "
            "texts of headings, and under *How numbers are made* the docstrings of the functions."
        ),
        "## All games",
        term_table(glossary_terms.TERMS),
    ]
    for name in registry.names():
        parts += [f"## {registry.game(name).title}", term_table(game_terms(name))]
    parts.append("## How numbers are made")
    for title, make in glossary.METHODS.values():
        parts += [f"### {title}", f"`{make.__name__}`. {' '.join(glossary.paragraphs(make))}"]
    return page("Glossary", *parts)


def term_table(terms: Iterable[Any]) -> str:
    """A row a term, in the order of the alphabet."""
    from reports.glossary import METHODS, sentence

    rows = []
    for term in sorted(terms, key=lambda t: t.name.casefold()):
        title = METHODS[term.how][0] if term.how else ""
        made = f"[{title}](#{title.lower().replace(' ', '-')})" if title else NOTHING
        names = " · ".join((term.name, *term.also)).replace("*", "…")
        rows.append([names, sentence(term.meaning), term.unit, made, term.source])
    return table(["heading", "meaning", "unit", "how it is made", "source"], rows)


def game_terms(name: str) -> list[Any]:
    """All terms of a game's own pages: its own, its drama, its columns, its helps."""
    from reports import glossary_terms

    words = game_glossary(name)
    general = set(glossary_terms.TERMS)
    found = {term.id: term for term in words.terms if term not in general}
    for heading, kind, column, told in headings(name):
        term = words.find(heading, kind, column, told)
        if term is not None and term not in general:
            found.setdefault(term.id, term)
    for heading in words.names:
        term = words.find(heading)
        if term is not None and term not in general:
            found.setdefault(term.id, term)
    return list(found.values())


def game_glossary(name: str) -> Any:
    """The glossary of a game, made without a run."""
    from reports import glossary
    from reports.facts import lens_of, section_modules
    from simulate import registry
    from simulate.records import CORE_GAME, CORE_SEAT

    state = registry.game(name).module("state")
    columns = (*CORE_SEAT, *state.SEAT_COLUMNS, *CORE_GAME, *state.GAME_COLUMNS)
    docs = {c.name: (c.meaning, c.unit) for c in columns}
    return glossary.of_game(name, lens_of(name), docs, section_modules(name))


def headings(name: str = "") -> list[tuple[str, str, str, str]]:
    """(heading, kind, column, help) of numbers in the sources of a game's pages, else of all games'.

    Only what stands there word for word; headings from lists of columns are found by their lists.
    """
    folders = [f"reports/games/{name}"] if name else PLACES
    found = []
    for folder in folders:
        for file in sorted((ROOT / folder).glob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
            found += [told for call in calls if (told := heading_of(call)) is not None]
    return found


def heading_of(call: ast.Call) -> tuple[str, str, str, str] | None:
    """The heading that a call makes; None for other calls, texts, and words worked out."""
    named = {"Column": ("name", "label", "kind", "digits", "help"), "Highlight": ("label",)}
    fields = named.get(getattr(call.func, "id", ""))
    if fields is None:
        return None
    given = dict(zip(fields, call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    plain = {k: v.value for k, v in given.items() if isinstance(v, ast.Constant)}
    heading = plain.get("term") or plain.get("label")
    kind = plain.get("kind", "text" if fields[0] == "name" else "")
    if not isinstance(heading, str) or kind == "text":
        return None
    return heading, kind, plain.get("name", ""), plain.get("help", "")


# ---------------------------------------------------------------- writing


def stale() -> list[str]:
    """Pages that differ from what the code says now, or that nobody makes any more."""
    made = pages()
    differ = [
        name
        for name, text in made.items()
        if not (FOLDER / name).is_file() or (FOLDER / name).read_text(encoding="utf-8") != text
    ]
    return differ + sorted(f.name for f in FOLDER.glob("*.md") if f.name not in made)


def main() -> int:
    """Write the pages, or check them."""
    os.environ.pop("SIMULATE_PATH", None)  # games of one's own have no page here
    if "--check" in sys.argv[1:]:
        wrong = stale()
        for name in wrong:
            print(f"docs/reference/{name} is out of date: run python docs/generate.py")
        return 1 if wrong else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = pages()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for file in FOLDER.glob("*.md"):
        if file.name not in made:
            file.unlink()
    print(f"{len(made)} pages in docs/reference/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
