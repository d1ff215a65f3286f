"""What every number of a page is called, means and is made of: one definition each.

A heading is looked up by its words, first in the game's own terms (``TERMS`` in
``reports/games/<game>/glossary.py``), then in those of all games (``glossary_terms``). A column of
the records needs no term: its meaning and unit are those of the records, and any other heading
may carry its meaning as ``Column.help``. How a number is made is told once a method, by the
docstring of the function that makes it. ``docs/reference/glossary.md`` prints the same.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from reports import (
    compensation,
    deconvolution,
    estimates,
    lengths,
    metagame,
    resampling,
    stopping,
    variance,
)
from reports.section import Column, Lens

Docs = Mapping[str, tuple[str, str]]  # column of the records -> meaning, unit

METHODS: dict[str, tuple[str, Callable[..., Any]]] = {
    "share": ("Share with its interval", estimates.share),
    "simultaneous": ("Shares of one whole", estimates.goodman),
    "proportion": ("Share of independent rolls", estimates.proportion),
    "mean": ("Mean or ratio with its interval", estimates.ratio),
    "median": ("Median or quantile", resampling.quantile),
    "survival": ("Length with cut games", lengths.kaplan_meier),
    "bounds": ("Worst-case bounds", estimates.bounds),
    "paired": ("Paired difference", estimates.paired_ratio),
    "even": ("Test of exactly even shares", estimates.chi_square),
    "corrected": ("Correction of a family of tests", estimates.adjusted),
    "fairness": ("Verdict on shares", estimates.fairness),
    "decisions": ("Verdict on differences", estimates.decisions),
    "stopping": ("Correction for stopping", stopping.corrected),
    "middle": ("Middle value of a run that stopped", stopping.middle),
    "strength": ("Strength from finishing orders", estimates.plackett_luce),
    "circles": ("Cyclic share", estimates.cyclic_share),
    "extent": ("Steps of skill", estimates.extent),
    "equilibrium": ("Mix that nothing beats", estimates.equilibrium),
    "alpha-rank": ("Time in use", metagame.alpha_rank),
    "near": ("Near the strongest", metagame.within),
    "undominated": ("Not outclassed", metagame.undominated),
    "odds-ratio": ("Odds ratio", estimates.odds_ratio),
    "arcsine": ("Distance of two shares", estimates.cohen_h),
    "dominance": ("Dominance of one side", estimates.cliffs_delta),
    "notice": ("Games to notice", estimates.games_to_notice),
    "odds": ("Log odds", estimates.log_odds),
    "deals": ("What a deal is worth", variance.favour),
    "shrunken": ("What the best of many is worth", deconvolution.shrunken),
    "bonuses": ("Bonuses that make seats even", compensation.even_bonuses),
    "monotone": ("Monotone curve", estimates.monotone),
    "control": ("Luck of known mean taken out", estimates.control_variate),
    "plane": ("Plane through many layouts", estimates.plane),
    "drawn": ("Cells drawn towards their row", estimates.shrunken),
}
OF_KIND = {"interval_percent": "share", "interval_points": "share", "interval": "mean"}


@dataclass(frozen=True)
class Term:
    """A measure: what it means, how it is made (a key of ``METHODS``), its unit, its source.

    ``also``: other headings of the same measure; a ``*`` stands for any words.
    """

    name: str
    meaning: str
    how: str = ""
    unit: str = ""
    source: str = ""
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Its anchor on a page."""
        return f"g-{slug(self.name)}"

    def explains(self, heading: str) -> bool:
        """Whether a heading is one of its names."""
        wanted = heading.casefold()
        return any(fnmatchcase(wanted, name.casefold()) for name in (self.name, *self.also))


def slug(words: str) -> str:
    """Words as a part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", words.casefold()).strip("-")


@dataclass
class Glossary:
    """The terms of one game's pages, and which of them a page has used so far."""

    terms: tuple[Term, ...]
    docs: Docs = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # heading in lower case -> column
    used: dict[str, Term] = field(default_factory=dict)

    def find(self, heading: str, kind: str = "", column: str = "", help: str = "") -> Term | None:  # noqa: A002 - as in ``Column``
        """The term behind a heading; None where there is none."""
        plain = re.sub(r" \([^)]*\)$", "", heading)  # without a unit
        for words in dict.fromkeys((plain, plain.partition(", ")[0])):  # without the level
            for term in self.terms:
                if term.explains(words):
                    return term
        how = OF_KIND.get(kind, "")
        record = column if column in self.docs else self._column(plain)
        if record:
            meaning, unit = self.docs[record]
            name = plain if column or plain.casefold() in self.names else record
            return Term(name, meaning, how or "mean", unit, f"column {record} of the records")
        return Term(heading, help, how) if help and kind != "text" else None

    def _column(self, heading: str) -> str:
        """The column of the records that a heading names, "" for none."""
        known = self.names.get(heading.casefold(), "")
        spelled = heading.partition(", ")[0].replace(" ", "_")
        return known or (spelled if spelled in self.docs else "")

    def link(self, heading: str, kind: str = "", column: str = "", help: str = "") -> str:  # noqa: A002 - as in ``Column``
        """The anchor of the term behind a heading, which the page then tells; "" without one."""
        term = self.find(heading, kind, column, help)
        if term is None:
            return ""
        self.used.setdefault(term.id, term)
        return term.id

    def of_column(self, column: Column) -> str:
        """The anchor of a table's column."""
        return self.link(column.term or column.label, column.kind, column.name, column.help)

    def entries(self) -> list[dict[str, Any]]:
        """What the page's glossary shows, in the order of the alphabet."""
        terms = sorted(self.used.values(), key=lambda term: term.name.casefold())
        return [
            {
                "id": term.id,
                "name": term.name,
                "meaning": sentence(term.meaning),
                "unit": term.unit,
                "source": term.source,
                "how": term.how,
                "method": METHODS[term.how][0] if term.how else "",
            }
            for term in terms
        ]

    def methods(self) -> list[dict[str, str]]:
        """How the numbers of the page are made."""
        wanted = {term.how for term in self.used.values()}
        return [
            {"id": key, "title": title, "words": " ".join(paragraphs(make))}
            for key, (title, make) in METHODS.items()
            if key in wanted
        ]


def paragraphs(make: Callable[..., Any]) -> list[str]:
    """The docstring of a function as paragraphs without code marks."""
    text = inspect.getdoc(make) or ""
    return [" ".join(part.split()).replace("``", "") for part in text.split("\n\n")]


def sentence(words: str) -> str:
    """A meaning as a sentence."""
    text = words.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


# ---------------------------------------------------------------- the terms of a game


def of_game(game: str, lens: Lens, docs: Docs, modules: Iterable[Any] = ()) -> Glossary:
    """The glossary of a game's pages.

    ``docs``: its columns. ``modules``: section modules; their lists of columns name measures.
    """
    from reports import glossary_terms

    drama = tuple(Term(m.label, m.words, "mean", m.unit) for m in lens.drama)
    terms = (*own_terms(game), *drama, *glossary_terms.TERMS)
    return Glossary(terms, docs, dict(headings(modules, docs)))


def own_terms(game: str) -> tuple[Term, ...]:
    """Terms that a game's report folder offers."""
    try:
        module = importlib.import_module(f"reports.games.{game}.glossary")
    except ModuleNotFoundError:
        return ()
    found: tuple[Term, ...] = module.TERMS
    return found


def headings(modules: Iterable[Any], docs: Docs) -> Iterator[tuple[str, str]]:
    """Headings in lower case and their columns, from the lists ``{column: words}`` of modules."""
    for module in modules:
        for name, told in vars(module).items():
            if name.isupper() and isinstance(told, dict) and told and set(told) <= set(docs):
                for column, words in told.items():
                    heading = words[0] if isinstance(words, tuple) else words
                    if isinstance(heading, str):
                        yield heading.casefold(), column
