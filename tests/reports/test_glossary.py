"""Every measure that a page prints has an entry and a link; every entry is used."""

from __future__ import annotations

import ast
import importlib.util
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from test_pistengaudi import Drawn

import reports
from reports import glossary, glossary_terms
from reports.facts import lens_of
from reports.section import Table
from simulate import jit, registry

ROOT = Path(__file__).parents[2]
GAMES = registry.names()
ROWS = {"Mean", "A game"}  # headings of tables whose rows name the measure
BARE = {  # beginnings of pictures without an entry, and why
    "drama-": "a panel a measure of the game, each with its link in the table beside it",
    "table-": "a table as it lies in a replay: no measure is drawn",
}

_spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)


# ---------------------------------------------------------------- all that may be printed


@pytest.mark.parametrize("game", GAMES)
def test_every_heading_of_a_number_has_an_entry(game):
    """Word for word from the sources: pages of the game, of all games, of experiments."""
    words = generate.game_glossary(game)
    wanted = [*generate.headings(game), *generate.headings()]

    assert len(wanted) > 60
    assert [h[0] for h in wanted if words.find(*h) is None and h[0] not in ROWS] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_measure_of_a_verdict_has_an_entry(game):
    """Cards name what their number is."""
    words = generate.game_glossary(game)
    cards = re.compile(r'^\s+measure="([^"]+)"|^MEASURE = "([^"]+)"', re.MULTILINE)
    for folder in (*generate.PLACES, f"reports/games/{game}"):
        for file in (ROOT / folder).glob("*.py"):
            for found in cards.findall(file.read_text()):
                assert words.find("".join(found)) is not None, (file.name, found)


def pictures():
    """(file, name of the picture, its term) as the sources have them, words worked out as ``*``."""
    for file in sorted((ROOT / "reports").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "Figure"
                and node.args
            ):
                named = {k.arg: k.value for k in node.keywords}
                first = node.args[0]
                parts = first.values if isinstance(first, ast.JoinedStr) else [first]
                name = "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts
                )
                yield file, name, named.get("term")


def test_every_picture_has_an_entry():
    """A heading word for word, or one that is handed on; else the picture is on the list."""
    found = list(pictures())
    bare = [(f.name, name) for f, name, term in found if term is None]

    assert len(found) > 50
    assert [one for one in bare if not one[1].startswith(tuple(BARE))] == []
    assert len(bare) == len(BARE)


@pytest.mark.parametrize("game", GAMES)
def test_the_entry_of_a_picture_is_there(game):
    words = generate.game_glossary(game)
    for file, name, term in pictures():
        others = file.parent.parent.name == "games" and file.parent.name != game
        if isinstance(term, ast.Constant) and not others:
            assert words.find(term.value) is not None, (file.name, name, term.value)


@pytest.mark.parametrize("game", GAMES)
def test_every_measure_of_drama_has_an_entry(game):
    """What a game counts besides: histograms and key figures."""
    words = generate.game_glossary(game)

    for measure in lens_of(game).drama:
        term = words.find(measure.label)
        assert term is not None
        assert term.meaning


# ---------------------------------------------------------------- all that is defined


def said():
    """Every text in the sources, words that are worked out as ``*``."""
    found = set()
    for folder in ("reports", "simulate/experiments"):
        for file in (ROOT / folder).rglob("*.py"):
            if file.stem.startswith("glossary"):
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value.casefold())
                if isinstance(node, ast.JoinedStr):
                    parts = [p.value if isinstance(p, ast.Constant) else "*" for p in node.values]
                    found.add("".join(parts).casefold())
    return found


def test_every_entry_is_used():
    """No name that no page prints."""
    texts = said()
    texts |= {words.rstrip(".") for words in texts}
    unused = []
    for terms in (glossary_terms.TERMS, *(glossary.own_terms(game) for game in GAMES)):
        for term in terms:
            names = [n.casefold() for n in (term.name, *term.also)]
            if not any(t == n or fnmatchcase(t, n) for n in names for t in texts if t != "*"):
                unused.append(term.name)

    assert unused == []


def test_every_method_is_used_and_told():
    used = {t.how for t in glossary_terms.TERMS}
    used |= {t.how for game in GAMES for t in generate.game_terms(game)}

    assert used - {""} == set(glossary.METHODS)
    for _, make in glossary.METHODS.values():
        assert len(glossary.paragraphs(make)[0]) > 20


@pytest.mark.parametrize("game", GAMES)
def test_names_are_unique(game):
    """One definition each: no two terms of a game share a name or an anchor."""
    for terms in (glossary_terms.TERMS, glossary.own_terms(game)):
        names = [name.casefold() for term in terms for name in (term.name, *term.also)]
        assert sorted(names) == sorted(set(names))
        assert len({term.id for term in terms}) == len(terms)


# ---------------------------------------------------------------- pages


def parts(html):
    """The page before its glossary, and the glossary."""
    start = html.index('<section id="glossary">')
    return html[:start], html[start:]


def check(html):
    """Each number's heading links, each link has its entry, each entry its link."""
    page, told = parts(html)
    linked = set(re.findall(r'class="term" href="#([\w-]+)"', page))
    entries = set(re.findall(r'<div id="(g-[\w-]+)"', told))
    methods = set(re.findall(r'<div id="m-([\w-]+)"', told))
    assert linked == entries
    assert methods == set(re.findall(r'href="#m-([\w-]+)"', told))
    for table in re.findall(r'<table class="sortable".*?</table>', page, re.DOTALL):
        heads = re.findall(r'<th scope="col" class="(.)"[^>]*>(.*?)</th>', table)
        rows = re.findall(r"<tr>(<td.*?)</tr>", table)
        named = rows and all('class="term"' in row for row in rows)
        bare = [words for side, words in heads if side == "r" and 'class="term"' not in words]
        assert named or not bare, re.sub(r"<[^>]+>", " ", str(bare))
    for words in re.findall(r"<figcaption>(.*?)</figcaption>", page, re.DOTALL):
        name = re.search(r'href="data/([^"]+)\.csv"', words)[1]
        assert 'class="term"' in words or name.startswith(tuple(BARE)), name
    cards = re.findall(r'<article class="verdict.*?</article>', page, re.DOTALL)
    for card in cards:
        assert card.count('class="term"') == 2
    for tile in re.findall(r'<div class="tile"><dt>(.*?)</dt>', page):
        assert 'class="term"' in tile
    return entries


@pytest.mark.parametrize("name", ["usual_html", "wide_html"])
def test_biathlon_page_links_all_numbers(request, name):
    entries = check(request.getfixturevalue(name))

    assert {"g-win-share", "g-mean-place", "g-hit-rate", "g-drafts-made"} <= entries


def test_pistengaudi_page_links_all_numbers(tmp_path):
    run = Drawn(600, tmp_path / "runs" / "drawn")
    run.path.mkdir(parents=True)

    assert "g-falls" in check(reports.build(run).read_text())


@pytest.mark.skipif(not jit.compiled(), reason="needs whole games")
def test_skull_canyon_page_links_all_numbers(tmp_path):
    import simulate

    lineup = ("plain,random", "plain,random,plain", "plain,random,plain,random")
    run = simulate.run(
        "skull_canyon", n=800, players="all", lineup=lineup, out=tmp_path / "r", progress=False
    )

    assert "g-steals" in check(reports.build(run).read_text())


def test_an_entry_tells_meaning_unit_and_method(usual_html):
    told = parts(usual_html)[1]
    entry = re.search(r'<div id="g-win-share">.*?</div>', told)[0]

    assert "Games won as a part of games played" in entry
    assert 'href="#m-simultaneous"' in entry
    assert "Goodman 1965" in entry


def test_glossary_is_folded(usual_html):
    assert '<details class="fold"><summary>What the' in parts(usual_html)[1]


def test_a_measure_without_an_entry_is_found(usual, monkeypatch):
    """The check sees a heading that nobody explained."""
    from reports.sections import decisions

    made = decisions.make

    def with_another(facts):
        section = made(facts)
        table = section.blocks[0]
        odd = type(table.columns[0])("odd", "A number of its own", "number")
        rows = [{**row, "odd": 1.0} for row in table.rows]
        other = Table(table.name, [*table.columns, odd], rows, table.caption)
        return type(section)(section.id, section.title, section.text, [other])

    monkeypatch.setattr(decisions, "make", with_another)
    html = reports.render.page(reports.collect(usual))
    with pytest.raises(AssertionError, match="A number of its own"):
        check(html)


def test_pages_of_experiments_link_all_numbers(toy, tmp_path):
    """Comparison, sweep, sensitivity, tournament and ladder, tuning, luck, rollouts."""
    import simulate

    quiet = {"progress": False, "jobs": 1}
    done = [
        simulate.compare("toy", "", "--set move.walk=3", n=300, out=tmp_path / "c", **quiet),
        simulate.sweep(
            "toy", "move.walk=1:4:1", n=90, target="rounds=9", out=tmp_path / "s", **quiet
        ),
        simulate.sensitivity("toy", n=300, out=tmp_path / "a", **quiet),
        simulate.tournament("toy", n=600, out=tmp_path / "t", **quiet),
        simulate.ladder("toy", n=600, out=tmp_path / "l", **quiet),
        simulate.tune("toy", "runner", n=600, candidates=4, out=tmp_path / "u", **quiet),
        simulate.luck("toy", n=600, out=tmp_path / "k", **quiet),
        simulate.rollouts("toy", n=20, rollouts=8, out=tmp_path / "r", **quiet),
    ]
    wanted = (
        "g-b-a", "g-value-of-a-measure", "g-conclusions-that-change", "g-strength",
        "g-steps-of-skill", "g-gain-by-tuning", "g-share", "g-best-to-worst",
    )  # fmt: skip

    for one, entry in zip(done, wanted, strict=True):
        assert entry in check((one.folder / "report.html").read_text())
