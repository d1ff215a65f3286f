"""The docs say what there is, and nothing that there is not."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from simulate import registry, rules

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")])
WRITTEN = [page for page in PAGES if page.parent.name != "reference"]  # by hand
PACKAGES = ("simulate", "strategies", "reports")

_spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)


@cache
def text(page):
    return Path(page).read_text(encoding="utf-8")


def name_of(page):
    return str(page.relative_to(ROOT))


def fences(page):
    """(language, text) of every fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)


def prose():
    return "\n".join(text(page) for page in WRITTEN)


COMMANDS = generate.commands()
GAMES = registry.names()


# ---------------------------------------------------------------- all that there is, is told


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_documented(command):
    assert f"## simulate {command}\n" in text(DOCS / "reference" / "cli.md")
    assert re.search(rf"simulate {command}\b", prose()), "no page written by hand names it"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_help_text(command):
    for parameter in COMMANDS[command].params:
        assert getattr(parameter, "help", "") or parameter.name == "help", parameter.name


@pytest.mark.parametrize("game", GAMES)
def test_game_is_documented(game):
    facts = registry.game(game)
    row = f"| `{game}` | {facts.title} | {', '.join(map(str, facts.players))} | {facts.summary} |"

    assert row in text(ROOT / "README.md")
    assert (DOCS / f"events-{game}.md").is_file()
    assert (DOCS / f"questions-{game}.md").is_file()


@pytest.mark.parametrize("game", GAMES)
def test_strategies_hooks_rules_and_columns_are_documented(game):
    state = registry.game(game).module("state")
    reference = {
        kind: text(DOCS / "reference" / f"{kind}-{game}.md")
        for kind in ("strategies", "treatments", "rules", "columns")
    }

    for name in registry.book(game).names():
        assert f"| `{name}` |" in reference["strategies"]
    for hook in registry.game(game).module("words").TREATMENTS:
        assert f"| `{hook.name}` |" in reference["treatments"]
    for row in rules.load(game, (), (), ()).provenance:
        assert f"| `{row['key']}` |" in reference["rules"]
        assert row["source"], f"{row['key']} has no source"
    for column in (*state.GAME_COLUMNS, *state.SEAT_COLUMNS):
        assert f"| `{column.name}` | {column.meaning} |" in reference["columns"]
    for name, _, said in generate.tallies(state):
        assert said, f"{name} has no meaning"


def test_report_sections_are_documented():
    """Every id of a section module is on the page, and nothing else is."""
    there = {"verdicts", "glossary"}
    for file in [
        *(ROOT / "reports" / "sections").glob("*.py"),
        *(ROOT / "reports" / "games").glob("*/*.py"),
    ]:
        for node in ast.walk(ast.parse(text(file))):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "SECTION":
                there.add(node.value.value)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Section":
                ids = [k.value for k in node.keywords if k.arg == "id"]
                there |= {i.value for i in ids if isinstance(i, ast.Constant)}

    assert set(re.findall(r"`#([\w-]+)`", text(DOCS / "report.md"))) == there


def test_notebooks_are_documented():
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        assert f"notebooks/{notebook.name}" in prose()


def test_python_names_are_documented():
    import simulate

    wanted = set(simulate.__all__) - {
        "__version__",
        "Plan",
        "Replay",
        "Request",
        "Run",
        "UserError",
        "extend",
        "load_rules",
        "strategies",
        "treat",
        "games",
    }
    for name in wanted:
        assert f"simulate.{name}" in prose(), name


@pytest.mark.parametrize("package", PACKAGES)
def test_public_functions_have_docstrings(package):
    missing = []
    for file in sorted((ROOT / package).rglob("*.py")):
        tree = ast.parse(text(file))
        if not ast.get_docstring(tree):
            missing.append(f"{file.relative_to(ROOT)}: module")
        missing += [f"{file.relative_to(ROOT)}: {name}" for name in undocumented(tree)]

    assert missing == []


def undocumented(tree):
    """Public functions, classes and methods; methods that carry out a base class's are told there."""
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if not ast.get_docstring(node):
            yield node.name
        bases = [getattr(b, "id", "") for b in getattr(node, "bases", [])]
        told = {
            m.name for b in bases if b in classes for m in classes[b].body if hasattr(m, "name")
        }
        for method in (
            node.body if isinstance(node, ast.ClassDef) and "Protocol" not in bases else ()
        ):
            public = isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
            if public and method.name not in told and not ast.get_docstring(method):
                yield f"{node.name}.{method.name}"


# ---------------------------------------------------------------- events


def event_tables(game):
    """Event to {field: type} as the page tells it."""
    found = {}
    for name, body in re.findall(
        r"^### `(\w+)`\n(.*?)(?=^##|\Z)", text(DOCS / f"events-{game}.md"), re.MULTILINE | re.DOTALL
    ):
        table = body.split("| field | type | meaning |")[1].split("\n\n")[0]
        rows = [line.split("|")[1:4] for line in table.splitlines()[2:]]
        found[name] = {
            field.strip().strip("`"): kind.strip()
            for fields, kind, _ in rows
            for field in fields.split(",")
        }
    return found


TYPES = {
    "number": int,
    "text": str,
    "true/false": bool,
    "list": list,
    "object": dict,
    "place": str,
    "address": (str, list),
}


@pytest.mark.parametrize("game", GAMES)
def test_events_are_documented(game):
    """Every kind, every field, every type, from blank event rows: nothing has to be played."""
    module = registry.game(game).module("words")
    resolved = rules.load(game, (), (), ())
    record = np.asarray(resolved.record).reshape(-1)[0]
    told = event_tables(game)

    assert set(told) == {*module.EVENT_NAMES, "game", "ask"}
    state = registry.game(game).module("state")
    kinds = {k for name, k in vars(state).items() if name.startswith("EVENT_")}
    assert len(kinds) > 10
    for kind in sorted(kinds):
        row = np.ones(1, state.EVENT)
        row["kind"] = kind
        event = module.events(row, record, resolved.vocabularies)[0]
        name = event.pop("event")
        assert set(told[name]) == set(event), name
        for field, value in event.items():
            if value is None:  # a blank row says nowhere
                continue
            assert isinstance(value, TYPES[told[name][field]]), (name, field, value)
            assert (told[name][field] == "true/false") == isinstance(value, bool), (name, field)


@pytest.mark.parametrize("game", GAMES)
def test_questions_are_documented(game):
    for question in registry.game(game).module("words").QUESTIONS:
        assert f"| `{question}` |" in text(DOCS / f"events-{game}.md")


# ---------------------------------------------------------------- run in plain Python, in one go

PROGRAM = """
import json, sys, tempfile
import simulate
case, strategy = json.load(sys.stdin)
passed = simulate.script(case)
game = simulate.replay("biathlon", 0, seed=7, lineup="plain").play()
mine = simulate.replay("biathlon", 0, strategy_file=strategy, lineup="thrifty:keep=4,plain*3")
mine.play(30)
first, ask = game.events[0], next(e for e in game.events if e["event"] == "ask")
kinds = sorted({e["event"] for e in game.events})
print(json.dumps([passed.differences, first, ask, kinds, mine.events[0]["strategies"]]))
"""


@pytest.fixture(scope="module")
def played():
    """The page's case, a replay and the example strategy, without the compiler."""
    page = text(DOCS / "scripted-positions.md")
    case = json.loads(re.search(r"<!-- case -->\n```json\n(.*?)```", page, re.DOTALL)[1])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        input=json.dumps([case, str(DOCS / "examples" / "my_strategy.py")]),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_case_of_the_page_passes(played):
    assert played[0] == []


def test_first_line_and_questions_of_a_replay(played):
    told = event_tables("biathlon")

    for event in played[1:3]:
        name = event.pop("event")
        assert list(told[name]) == list(event)
        for field, value in event.items():
            assert type(value) is TYPES[told[name][field]], (name, field)
    assert set(played[3]) <= set(told)


def test_the_example_strategy_plays(played):
    assert "thrifty:keep=4" in played[4]


# ---------------------------------------------------------------- what is told is there


def test_reference_pages_are_up_to_date():
    assert generate.stale() == []


def test_generate_checks_from_the_command_line():
    done = subprocess.run(
        [sys.executable, DOCS / "generate.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def slug(heading):
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_resolve(page):
    plain = re.sub(r"^```.*?^```$", "", text(page), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", plain):
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", text(there), re.MULTILINE)
            assert anchor in map(slug, headings), target


def test_every_page_can_be_reached_from_the_readme():
    seen, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        seen.add(page)
        for target in re.findall(r"\]\(([^)#\s]+\.md)", text(page)):
            there = (page.parent / target).resolve()
            if there not in seen:
                todo.append(there)

    assert set(PAGES) <= seen


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_files_in_the_text_are_those_of_the_tree(page):
    """`<!-- file: PATH -->` shows a whole file, `<!-- from: PATH -->` a part of one, word for word."""
    for how, file, shown in re.findall(
        r"<!-- (file|from): (\S+) -->\n```\w+\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL
    ):
        source = text(ROOT / file)
        assert shown == source if how == "file" else shown in source, file


def test_the_examples_are_shown():
    shown = set(re.findall(r"<!-- file: (\S+) -->", prose()))

    assert shown == {f"docs/examples/{file.name}" for file in (DOCS / "examples").glob("*.py")}


def shell_lines():
    """Every line of a console block and every `simulate …` in the running text, with its page."""
    for page in WRITTEN:
        for language, block in fences(page):
            if language == "console":
                yield from (
                    (name_of(page), line[2:])
                    for line in block.splitlines()
                    if line.startswith("$ ")
                )
        plain = re.sub(r"^```.*?^```$", "", text(page), flags=re.MULTILINE | re.DOTALL)
        found = re.findall(r"`(simulate [^`]+)`", plain) + re.findall(
            r"^    (simulate .+)$", plain, re.MULTILINE
        )
        yield from ((name_of(page), line) for line in found)


@pytest.mark.parametrize(("page", "line"), sorted(set(shell_lines())))
def test_shell_commands_exist(page, line):
    """Targets of make; commands and options of simulate."""
    line = re.sub(r"^SIMULATE_PATH=\S+ ", "", line.split("   ")[0])
    parts = shlex.split(line, comments=True)
    if parts[0] == "make":
        assert all(f"\n{target}:" in text(ROOT / "Makefile") for target in parts[1:])
        return
    if parts[0] in ("python", "pre-commit"):
        return
    assert parts[0] == "simulate"
    if parts[1].startswith("-") or parts[1].isupper():
        return
    name = " ".join(parts[1:3]) if " ".join(parts[1:3]) in COMMANDS else parts[1]
    assert name in (*COMMANDS, "cache", "COMMAND")
    if name in COMMANDS:
        known = {o for p in COMMANDS[name].params for o in (*p.opts, *p.secondary_opts)}
        options = {p.split("=")[0] for p in parts[2:] if re.match(r"--?[a-z]", p)}
        assert options <= {*known, "--help"}


def test_make_targets_in_the_text_exist():
    for target in re.findall(r"`make (\w[\w-]*)`", prose()):
        assert f"\n{target}:" in text(ROOT / "Makefile"), target


def test_paths_in_the_text_exist():
    for path in re.findall(
        r"`((?:simulate|strategies|reports|tests|docs|notebooks)/[\w./-]+)`", prose()
    ):
        in_toy = ROOT / "tests" / "toy" / path
        assert (ROOT / path).exists() or in_toy.exists(), path


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_python_in_the_text_is_python(page):
    for language, block in fences(page):
        if language == "python":
            ast.parse(block)


def test_variants_and_courses_in_the_text_exist():
    variants = {variant.name for game in GAMES for variant in rules.variants(game)}

    assert set(re.findall(r"--variant ([a-z]\w+)", prose())) <= variants


def test_counts_of_assumed_values_in_the_readme():
    rows = rules.load("biathlon", (), (), ()).provenance
    assumed = sum(row["source"].startswith("assumed") for row in rows)

    assert f"Of {len(rows)} values {assumed} are assumed" in text(ROOT / "README.md")


# ---------------------------------------------------------------- a further game needs no edit


def test_the_toy_game_is_the_worked_example():
    """Every file of the toy game is named on the page."""
    page = text(DOCS / "adding-a-game.md")
    toy = ROOT / "tests" / "toy"
    files = [
        f.relative_to(toy)
        for part in ("simulate", "strategies", "reports")
        for f in (toy / part).rglob("*")
        if f.suffix in (".py", ".toml")
    ]

    assert files
    assert all(f"`{file.as_posix()}`" in page for file in files)


def test_nothing_else_knows_the_toy_game():
    """The project runs it without a word about it."""
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            assert not re.search(r"\btoy\b|Toy Dash", text(file)), file


def test_the_toy_game_runs_from_outside(tmp_path):
    """The page's own commands, in plain Python: found, listed, played, told."""
    env = {**os.environ, "SIMULATE_PATH": str(ROOT / "tests" / "toy"), "NUMBA_DISABLE_JIT": "1"}

    def call(*args):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "simulate", *args],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run = str(tmp_path / "toy")
    assert "Toy Dash" in call("games")
    assert "move.fall_face" in call("rules", "toy")
    call("run", "--game", "toy", "--n", "40", "--out", run, "--no-report")
    assert call("replay", run, "7").startswith("Game 7 of toy")


# ---------------------------------------------------------------- the project speaks of itself alone


def tracked():
    """Text files of the project."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = done.stdout.splitlines() if done.returncode == 0 else []
    files = [ROOT / name for name in names] or [
        f for f in ROOT.rglob("*") if ".venv" not in f.parts
    ]
    for file in files:
        if file.is_file() and file.suffix not in (".png", ".parquet", ".pyc"):
            yield file


def test_no_path_of_a_machine_and_no_address():
    """Neither folders of whoever works on it nor hosts of package registries."""
    roots = [f"/{name}/" for name in ("work", "root", "home", "Users")]
    addresses = "|".join([r"https?:" + "//", "py" + r"pi\.", "python" + "hosted", "index-" + "url"])
    allowed = ("http:" + "//www.w3.org/", "http:" + "//127.0.0.1", "http:" + "//localhost")
    for file in tracked():
        try:
            found = text(file)
        except UnicodeDecodeError:
            continue
        for root in roots:
            assert root not in found, f"{file.relative_to(ROOT)}: {root}"
        for match in re.finditer(addresses, found):
            assert found.startswith(allowed, match.start()), (
                f"{file.relative_to(ROOT)}: {found[match.start() : match.start() + 60]}"
            )


def test_hooks_are_local():
    config = text(ROOT / ".pre-commit-config.yaml")

    assert set(re.findall(r"repo: (\S+)", config)) == {"local"}
    assert set(re.findall(r"language: (\S+)", config)) == {"system"}
    for tool in ("ruff check", "ruff format", "mypy"):
        assert f".venv/bin/{tool}" in config


def test_pictures_are_small():
    for picture in (DOCS / "images").glob("*"):
        assert picture.stat().st_size < 300_000, picture.name
        assert f"docs/images/{picture.name}" in text(ROOT / "README.md")
