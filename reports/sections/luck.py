"""Luck or skill: what decides who wins, from the run's own rows and from a ledger where one is.

A run plays each deal in all rotations of the line-up. That tells style of play, seat, and the luck
of the deal (what stays with a chair whoever sits there). Which dice or cards that luck is made of
needs games replayed with one source renewed: ``simulate luck RUN`` puts such a ledger beside the
run, and it is shown here.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports import figures, variance, wording
from reports.estimates import MIN_GAMES, Estimate
from reports.experiments import luck as pages
from reports.experiments.ledger import Entry, entries_of
from reports.facts import Facts
from reports.measures import GROUPS, Job, Part, Stratum, counted
from reports.section import Block, Column, Figure, Heading, Section, Table, Text
from reports.variance import DEAL, REST, SEAT, STYLE, TOGETHER, Deals, Places, Split
from simulate import exact

ORDER = 26
NEEDS = {"seats": ("win_share", "rank", "position", "strategy"), "rows": True}
FOLDER = "luck"  # of a ledger, in the run's folder
MEASURES = {"win_share": "Who wins", "rank": "Finishing place"}
SCALES = {"win_share": exact.WIN_SCALE, "rank": exact.RANK_SCALE}
KEYS = ("group", "stratum", "measure", "kind", "who", "other", "seat")
CELL, SQUARE, PRODUCT, PAIR = range(4)  # kinds of sums; pairs are the same for all measures

WORDS = {
    STYLE: "how much the styles at this table differ in strength",
    TOGETHER: "a style that does better in one seat, or beside one rival, than in another",
    DEAL: "what stays with a chair when other players sit there: its dice, the cards as they lie",
    REST: "the same deal turns out otherwise for other players: luck that depends on what they choose",
}


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """Sums of outcomes, squares and products of rotations, by group."""
    columns = ["strategy", "position", "seat", *MEASURES]
    columns += [facts.order] if facts.order else []
    return {"seats": {"luck": Job(columns, partial(_sums, facts), _joined)}}


def make(facts: Facts) -> Section | None:
    """Shares of variance for each kind of games; a ledger beside them."""
    if not facts.main:
        return None
    blocks: list[Block] = []
    for stratum in facts.shown:
        blocks += _of_stratum(facts, stratum)
    blocks += [*facts.not_shown(), *_of_ledger(facts)]
    return Section(
        id="luck",
        title="Luck or skill",
        text="How much of who wins is the style of play, how much the seat, and how much is luck? "
        "Every deal was played with all players in all seats, so the same dice and cards can be "
        "seen in other hands.",
        help="Shares of all differences between outcomes (of their variance); they add up to 100%. "
        "Style is worth as much as the styles at this table differ: a strong style among weak ones "
        "makes a game of skill, equals make any game a game of luck. A share whose interval reaches "
        "0 has not been found.",
        blocks=blocks,
    )


# ---------------------------------------------------------------- sums


def _levels(facts: Facts, stratum: Stratum) -> tuple[str, tuple[int, ...]]:
    """The column that tells who played, and the style of each of its values.

    A place of the line-up where that is fixed: two places may hold the same style. Else a style.
    """
    positions = [facts.records.cells[c]["positions"] for c in stratum.cells]
    if any(who < 0 for places in positions for who in places):
        return "strategy", tuple(range(len(facts.identity["strategies"])))
    known = sorted(set(positions[0]))
    return "position", tuple(known.index(who) for who in positions[0])


def _sums(facts: Facts, part: Part) -> pl.DataFrame:
    """Whole numbers by key of one part of the rows."""
    frames = [_blank()]
    for stratum in facts.main:
        column = _levels(facts, stratum)[0]
        who = _in_rotations(part, stratum, column)
        seat = _in_rotations(part, stratum, facts.order or "seat")
        group = np.broadcast_to(part.groups()[:, None, None], who.shape)
        kept = {"stratum": stratum.number}
        for a, b in itertools.combinations(range(len(stratum.cells)), 2):
            pair = {"group": group[:, a], "who": who[:, a], "seat": seat[:, a], "other": who[:, b]}
            frames.append(_frame({**kept, "kind": PAIR}, pair))
        for number, measure in enumerate(MEASURES):
            raw = _in_rotations(part, stratum, measure).astype(np.float64)
            value = np.rint(raw * SCALES[measure])
            kept["measure"] = number
            cell = {"group": group, "who": who, "seat": seat}
            frames.append(_frame({**kept, "kind": CELL}, cell, value))
            square = (value**2).sum(1)
            both = (value.sum(1) ** 2 - square) / 2  # the products of all pairs of rotations
            frames.append(_frame({**kept, "kind": SQUARE}, {"group": group[:, 0]}, square))
            frames.append(_frame({**kept, "kind": PRODUCT}, {"group": group[:, 0]}, both))
    return _joined(pl.concat(frames))


def _in_rotations(part: Part, stratum: Stratum, column: str) -> np.ndarray:
    """A seats column of a stratum: [blocks, rotations, seats]."""
    return np.stack([part.cell(column, cell) for cell in stratum.cells], 1)


def _blank() -> pl.DataFrame:
    names = (*KEYS, "n", "value")
    return pl.DataFrame({name: pl.Series([], dtype=pl.Int64) for name in names})


def _frame(
    kept: Mapping[str, int], at: Mapping[str, np.ndarray], value: np.ndarray | None = None
) -> pl.DataFrame:
    """Rows of one kind, added up by key."""
    rows = pl.DataFrame({key: index.ravel().astype(np.int64) for key, index in at.items()})
    worth = pl.lit(0) if value is None else pl.Series(value.ravel())
    summed = counted(rows.with_columns(value=worth), list(at), value=pl.col("value"))
    fixed = [pl.lit(kept.get(key, 0), pl.Int64).alias(key) for key in KEYS if key not in at]
    return summed.with_columns(fixed).select(*KEYS, "n", "value")


def _joined(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.group_by(KEYS).agg(pl.col("n", "value").sum()).sort(KEYS)


# ---------------------------------------------------------------- one kind of games


def split_of(facts: Facts, stratum: Stratum, measure: str) -> Split:
    """Shares of variance of one measure in one stratum, from the run's rows."""
    rows = facts.job("seats", "luck").filter(pl.col("stratum") == stratum.number)
    styles = _levels(facts, stratum)[1]
    scale = SCALES[measure]
    size = (GROUPS, len(styles), stratum.n_seats)
    sums, counts, squares = np.zeros(size), np.zeros(size), np.zeros(GROUPS)
    pairs, products = np.zeros((*size[:2], *size[1:])), np.zeros(GROUPS)
    for kind in (CELL, SQUARE, PRODUCT, PAIR):
        number = 0 if kind == PAIR else list(MEASURES).index(measure)
        mine = rows.filter((pl.col("kind") == kind) & (pl.col("measure") == number))
        group, who, other, seat, n, value = (
            mine[c].to_numpy() for c in ("group", "who", "other", "seat", "n", "value")
        )
        if kind == CELL:
            np.add.at(sums, (group, who, seat), value / scale)
            np.add.at(counts, (group, who, seat), n)
        elif kind == SQUARE:
            np.add.at(squares, group, value / scale**2)
        elif kind == PRODUCT:
            np.add.at(products, group, value / scale**2)
        else:
            np.add.at(pairs, (group, who, other, seat), n)
    keep = counts.reshape(GROUPS, -1).sum(1) > 0
    places = Places(sums[keep], counts[keep], styles)
    deals = Deals(products[keep], pairs[keep])
    return variance.split_run(places, squares[keep], deals, int(counts.sum()))


def why_not(facts: Facts, stratum: Stratum) -> str:
    """Why the rows of the run cannot tell, "" if they can."""
    if facts.games_of(stratum) < MIN_GAMES:
        return f"Not enough games: {wording.count(facts.games_of(stratum))}."
    styles = set(_levels(facts, stratum)[1])
    if len(stratum.cells) < 2 or len(styles) < 2:
        return (
            "Every deal was played once, by the same style in every seat or by players who kept "
            "theirs, so the luck of the deal cannot be told from the rest. "
            "`simulate luck RUN` replays the games with other dice and can tell."
        )
    return ""


def _of_stratum(facts: Facts, stratum: Stratum) -> list[Block]:
    reason = why_not(facts, stratum)
    if reason:
        return [*facts.heading(stratum), Text(reason, "note")]
    found = {m: split_of(facts, stratum, m) for m in MEASURES}
    found = {
        m: s for m, s in found.items() if np.isfinite(s.variance.value) and s.variance.value > 0
    }
    if not found:
        words = "Not enough: no game had a winner."
        return [*facts.heading(stratum), Text(words, "note")]
    frame = pl.DataFrame(
        [
            {"label": MEASURES[m], "part": _name(facts, p.name), "value": max(p.share.value, 0.0)}
            for m, split in found.items()
            for p in split.parts
        ]
    )
    columns = [Column("cause", "What decides"), Column("words", "What it is")]
    columns += [Column(m, MEASURES[m], "interval_percent") for m in found]
    names = [p.name for p in next(iter(found.values())).parts]
    rows: list[dict[str, Any]] = [
        {
            "cause": _name(facts, name),
            "words": WORDS.get(name, _seat_words(facts)),
            **{m: split.part(name).share for m, split in found.items()},
        }
        for name in names
    ]
    said = _headline(facts, next(iter(found.values())))
    games = wording.count(facts.games_of(stratum))
    return [
        *facts.heading(stratum),
        Text(said),
        Figure(
            f"luck-{stratum.number}",
            partial(figures.stacked, frame, xlabel="share of all differences", percent=True),
            f"What decides the outcome, {stratum.label}.",
            f"Stacked bars of shares of variance. {said}",
            frame,
            term="Share",
        ),
        Table(
            f"luck-{stratum.number}-table",
            columns,
            rows,
            f"Shares of variance, {stratum.label}, from all rotations of {games} games.",
        ),
        *(_favour(found["win_share"], stratum) if "win_share" in found else []),
    ]


FAVOUR = (
    Column("spread", "Spread of deals, points", "interval", 1),
    Column("most", "Nine deals in ten, points", "interval", 1),
    Column("span", f"Best less worst of {variance.DEALS} deals, points", "interval", 1),
    Column("far", f"Favoured by more than {100 * variance.FAR:.0f} points", "interval_percent"),
    Column("index", "Skill-luck index", "interval", 2),
)


def _favour(split: Split, stratum: Stratum) -> list[Block]:
    """What a deal is worth to a chair, in points of win share."""
    worth = variance.favour(split.deal)
    spread = worth.spread.scaled(100)
    if worth.spread.low > 0:
        words = (
            f"How dice and cards lie moves a chair's chance to win by {wording.value_of(spread)} points "
            f"up or down ({wording.interval_of(spread)}), whoever sits there. In "
            f"{wording.percent_of(worth.far)} of deals a chair is favoured by more than "
            f"{100 * variance.FAR:.0f} points."
        )
    else:
        words = (
            "That a deal favours a chair whoever sits there has not been found: by at most "
            f"{wording.number(spread.high)} points up or down."
        )
    row = {
        "spread": spread,
        "most": worth.most.scaled(100),
        "span": worth.span.scaled(100),
        "far": worth.far,
        "index": split.index,
    }
    caption = f"How much a deal favours a chair, in points of win share, {stratum.label}."
    return [Text(words), Table(f"luck-{stratum.number}-deals", FAVOUR, [row], caption)]


def _name(facts: Facts, cause: str) -> str:
    """A cause for people: the seat of games that draw who begins is the start position."""
    return "start position" if cause == SEAT and facts.order else cause


def _seat_words(facts: Facts) -> str:
    if facts.order:
        return f"who {facts.lens.order_words} first{facts.lens.order_suffix}"
    return "where one sits"


def _headline(facts: Facts, split: Split) -> str:
    style, seat, deal = (split.part(name).share for name in (STYLE, SEAT, DEAL))
    luck = wording.percent(1 - sum(p.share.value for p in split.parts if not p.chance), 0)
    return (
        f"Of who wins, style of play explains {_percent(style)} and the "
        f"{_name(facts, SEAT)} {_percent(seat)}; {luck} is luck. {_percent(deal)} stays with a "
        "chair whoever sits there."
    )


def _percent(share: Estimate) -> str:
    return wording.percent(max(share.value, 0.0), wording.percent_digits(share))


# ---------------------------------------------------------------- a ledger


def _of_ledger(facts: Facts) -> list[Block]:
    """The ledger that lies in the run's folder, or how to make one."""
    entries = ledger_of(facts)
    if entries is None:
        words = (
            "Which dice or cards the luck is made of: `simulate luck RUN` replays the games with one "
            "source of chance renewed after the other, and the answer appears here."
        )
        return [Text(words, "note")]
    return [
        Heading("Which luck: the same games with other dice and cards"),
        Text(pages.HELP, "note"),
        *pages.blocks(entries, "ledger"),
    ]


def ledger_of(facts: Facts) -> list[Entry] | None:
    """The ledger of this run, None if there is none or it is another run's."""
    file = Path(facts.run.path) / FOLDER / "experiment.json"
    if not file.is_file():
        return None
    told = json.loads(file.read_text(encoding="utf-8"))
    if told.get("experiment") != "luck" or told.get("of") != facts.identity.get("digest"):
        return None
    return entries_of(told)
