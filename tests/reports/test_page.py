"""The page as a file: well formed, self-contained, the same every time."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import reports
from reports.facts import section_modules
from simulate.errors import UserError

VOID = {"meta", "link", "br", "img", "input", "hr", "path", "use", "col"}


class Page(HTMLParser):
    """Tags that are left open, ids, addresses, links inside the page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.inside: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._note(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._note(dict(attrs))

    def _note(self, attributes: dict[str, str | None]) -> None:
        if attributes.get("id"):
            self.ids.append(str(attributes["id"]))
        for name in ("src", "href", "action", "srcset"):
            value = attributes.get(name)
            if value and value.startswith("#"):
                self.inside.append(value[1:])
            elif value:
                self.addresses.append(value)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.fixture(scope="module", params=["usual_html", "wide_html"])
def html(request: pytest.FixtureRequest) -> str:
    """Reports of two different runs."""
    return request.getfixturevalue(request.param)


def test_page_is_well_formed(html):
    """Every tag is closed in order."""
    page = Page(html)

    assert page.wrong == []
    assert page.open == []


def test_ids_are_unique_and_links_lead_somewhere(html):
    """Ids of figures, sections, cards; the contents and the cards link to them."""
    page = Page(html)

    assert len(page.ids) == len(set(page.ids))
    assert set(page.inside) <= set(page.ids)


def test_nothing_is_asked_from_the_network(html):
    """Only files beside the page, and no address in style or script."""
    page = Page(html)
    outside = [a for a in page.addresses if not a.startswith(("data/", "data:"))]

    assert outside == []
    assert not re.search(r"https?://|@import|url\((?!#)", html)
    assert "img" not in page.tags


def test_page_is_small(html):
    """Under 3 MB whatever n is: nothing in it grows with the games."""
    assert len(html.encode()) < 3_000_000


def test_figures_are_text_with_an_alternative(html):
    """Text stays text, and each picture is told in words."""
    plots = re.findall(r"<svg viewBox.*?</svg>", html, re.DOTALL)

    assert len(plots) > 8
    for plot in plots:
        assert "<text" in plot
        assert re.search(r"<title id=\"f-[\w-]+-alt\">\S+", plot)
        assert "NaN" not in plot
        assert "<image" not in plot


def test_no_colour_is_left_that_would_not_turn_dark(html):
    """Figures use the variables of the page."""
    for plot in re.findall(r"<svg viewBox.*?</svg>", html, re.DOTALL):
        assert re.findall(r"(?:fill|stroke): #(?!none)\w+", plot) == []


def test_no_number_of_the_page_is_broken(html):
    """No nan, no inf, no template left over."""
    text = re.sub(r"<(style|script).*?</\1>|<svg.*?</svg>", "", html, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", text)

    assert not re.search(r"\b(nan|inf|None)\b", words)
    assert "{{" not in words


def test_same_run_gives_same_bytes(usual, usual_html, tmp_path):
    """In this process and in another one with another hash seed."""
    again = reports.build(usual, tmp_path / "again.html").read_text()
    code = (
        "import sys; sys.path[:0] = sys.argv[2:];"
        "from synthetic import Reopened; import reports;"
        "reports.build(Reopened(sys.argv[1]), sys.argv[1] + '/other.html')"
    )
    here = Path(__file__)
    subprocess.run(
        [sys.executable, "-c", code, str(usual.path), str(here.parent), str(here.parents[2])],
        check=True,
        env={"PYTHONHASHSEED": "99", "PATH": ""},
    )

    assert again == usual_html
    assert (usual.path / "other.html").read_text() == usual_html


def test_every_section_is_there(usual, usual_html):
    """What has its columns is made; sections for other runs say nothing."""
    silent = {"courses", "two_players"}
    for module in section_modules("biathlon"):
        name = module.__name__.rsplit(".", 1)[-1]
        section = module.make(reports.open_facts(usual)) if name in silent else None
        assert section is None
    ids = set(Page(usual_html).ids)

    assert {
        "verdicts",
        "seats",
        "strategies",
        "factors",
        "length",
        "drama",
        "decisions",
        "race",
        "shooting",
        "stamina",
        "wax",
        "drafting",
        "course",
        "unfinished",
        "noteworthy",
        "trust",
        "assumptions",
        "methods",
    } <= ids
    assert "Left out" not in usual_html


def test_other_sections_come_with_other_runs(wide_html):
    """Two players and several courses have sections of their own."""
    assert {"two-players", "courses"} <= set(Page(wide_html).ids)
    assert "verdicts at a glance" in wide_html


def test_player_counts_and_courses_are_never_pooled(wide):
    """Each has its own row everywhere."""
    facts = reports.open_facts(wide)

    assert [s.label for s in facts.main] == [
        "2 players, starter",
        "4 players, starter",
        "2 players, flat_short",
        "4 players, flat_short",
    ]


def test_every_picture_and_table_has_its_numbers_beside(usual, usual_html):
    """data/*.csv, readable, not empty, no picture without one."""
    data = usual.path / "data"
    asked = set(re.findall(r'href="data/([\w.-]+)"', usual_html))

    assert len(asked) > 8
    for name in asked:
        assert len(pl.read_csv(data / name, infer_schema_length=None)) > 0
    verdicts = pl.read_csv(data / "verdicts.csv")
    assert set(verdicts["state"]) <= {"fair", "unfair", "unknown"}


def test_missing_columns_leave_a_section_out_with_a_line(usual, tmp_path):
    """--strict makes it an error."""

    class Without:
        """The run without shooting."""

        def __getattr__(self, name):
            found = getattr(usual, name)
            return found.drop("hits", "stam_end") if name == "seats" else found

    html = reports.build(Without(), tmp_path / "r.html").read_text()

    assert "The section &#39;shooting&#39; is left out: the records have no seats.hits." in html
    assert "The section &#39;stamina&#39; is left out" in html
    with pytest.raises(UserError, match=r"seats\.hits"):
        reports.build(Without(), tmp_path / "r.html", strict=True)
