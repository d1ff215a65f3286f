"""Weather: what the faces of the days do to scores, cards and lodges."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from reports import estimates, wording
from reports.estimates import Estimate
from reports.examples import sample_blocks
from reports.facts import Facts
from reports.games.skull_canyon import pictures
from reports.games.skull_canyon.components import FACES, sentence
from reports.measures import GROUPS, Part, Stratum
from reports.section import Block, Column, Figure, Section, Table, Text

ORDER = 64
SEATS = ("vp_final", "cards_drawn", "lodge_d2", "lodge_d3")
GAMES = ("weather2", "weather3", "gear_bought")
NEEDS = {"games": GAMES, "seats": SEATS, "rows": True}
MEASURES = {
    "vp_final": ("VP", "mean score of a player"),
    "cards_drawn": ("Cards", "cards that a player draws from the deck"),
    "gear_bought": ("Gear", "gear cards bought in a game"),
}
LEAST = 30  # games behind a cell


def make(facts: Facts) -> Section | None:
    """Heat maps by the faces of days II and III, and the lodges after snow."""
    sums = facts.once("weather", lambda: weather_sums(facts))
    blocks: list[Block] = []
    for s in facts.shown:
        if sums[s.number]["n"].sum():
            blocks += [*facts.heading(s), _figure(s, sums[s.number]), _lodges(facts, s, sums)]
    if not blocks:
        return None
    games = sample_blocks(facts) * facts.records.k
    blocks.append(
        Text(
            f"Counted over the first {wording.count(min(games, facts.n_games))} games. The faces "
            "are drawn by lot, so cells may be compared; but each cell holds other games. The same "
            "games under every sequence of faces: `simulate weather skull_canyon`.",
            "note",
        )
    )
    told = facts.model()["weather"]
    draws, first = told["draw"], told["first"]
    return Section(
        id="weather",
        title="Weather",
        text=f"The Hotel gives {draws['sunny']} cards before a sunny day, {draws['snowy']} before "
        f"a snowy and {draws['icy']} before an icy one. How much does that move scores and "
        "purchases?",
        help=f"Day I is {first}. Rows are the face of day II, columns that of day III.",
        blocks=blocks,
        leans_on=("weather.faces", "board", "boards"),
    )


def weather_sums(facts: Facts) -> dict[int, dict[str, np.ndarray]]:
    """Stratum number -> sums [groups, face II, face III] of each measure, and lodges after snow."""
    blocks = sample_blocks(facts)
    out = {s.number: _empty() for s in facts.records.strata}
    pairs = zip(
        facts.records.parts("games", GAMES, blocks),
        facts.records.parts("seats", SEATS, blocks),
        strict=True,
    )
    for games, seats in pairs:
        for stratum in facts.records.strata:
            for cell in stratum.cells:
                two, three = (of_games(games, f"weather{d}", cell) for d in (2, 3))
                _add(out[stratum.number], games, seats, cell, two, three)
    return out


def of_games(part: Part, column: str, cell: int) -> np.ndarray:
    """Values of a games column in one cell, a block each; words as codes, none as -1."""
    series = part.rows[column].gather_every(part.records.k, cell)
    if series.dtype == pl.Enum:
        series = series.to_physical().cast(pl.Int64)
    values: np.ndarray = series.fill_null(-1).to_numpy()
    return values


def _empty() -> dict[str, np.ndarray]:
    shape = (GROUPS, len(FACES), len(FACES))
    sums = {name: np.zeros(shape) for name in ("n", "players", *MEASURES)}
    return {**sums, "lodge2": np.zeros((GROUPS, 64)), "lodge3": np.zeros((GROUPS, 64))}


def _add(
    sums: dict[str, np.ndarray],
    games: Part,
    seats: Part,
    cell: int,
    two: np.ndarray,
    three: np.ndarray,
) -> None:
    group = games.groups()
    known = (two >= 0) & (three >= 0)
    at = (group[known], two[known], three[known])
    vp = seats.cell("vp_final", cell)
    np.add.at(sums["n"], at, 1)
    np.add.at(sums["players"], at, vp.shape[1])
    np.add.at(sums["vp_final"], at, vp.sum(1)[known])
    np.add.at(sums["cards_drawn"], at, seats.cell("cards_drawn", cell).sum(1)[known])
    np.add.at(sums["gear_bought"], at, of_games(games, "gear_bought", cell)[known])
    for day, face in ((2, two), (3, three)):
        lodge = seats.cell(f"lodge_d{day}", cell)[face == FACES.index("snowy")]
        where = np.repeat(group[face == FACES.index("snowy")], lodge.shape[1])
        there = lodge.ravel() >= 0
        np.add.at(sums[f"lodge{day}"], (where[there], lodge.ravel()[there]), 1)


def cell_estimate(sums: dict[str, np.ndarray], name: str, two: int, three: int) -> Estimate:
    """Mean of a measure under a pair of faces."""
    below = sums["n" if name == "gear_bought" else "players"]
    return estimates.ratio(sums[name][:, two, three], below[:, two, three])


def _figure(stratum: Stratum, sums: dict[str, np.ndarray]) -> Figure:
    rows = []
    for name, (title, _) in MEASURES.items():
        for two, face2 in enumerate(FACES):
            for three, face3 in enumerate(FACES):
                games = int(sums["n"][:, two, three].sum())
                e = cell_estimate(sums, name, two, three) if games >= LEAST else estimates.NOTHING
                rows.append(pictures.heat_cell(title, face2, face3, e, games))
    frame = pl.DataFrame(rows, infer_schema_length=None)
    words = wording.listing([words for _, words in MEASURES.values()])
    return Figure(
        f"weather-{stratum.number}",
        partial(pictures.grids, frame, across="day III", down="day II"),
        f"{sentence(words)}, by the faces of days II and III, {stratum.label}; with half the "
        "width of the 95% interval. Cells with fewer than "
        f"{LEAST} games are left empty.",
        "Tables of three by three cells, one for each measure, coloured by their value.",
        frame,
        wide=False,
        term="Mean",
    )


def _lodges(facts: Facts, stratum: Stratum, sums: dict[int, dict[str, np.ndarray]]) -> Table:
    words = facts.identity.get("vocabularies", {}).get("nodes", [])
    both = sums[stratum.number]["lodge2"] + sums[stratum.number]["lodge3"]
    n = both.sum(1)
    columns = [
        Column("lodge", "Lodge"),
        Column("share", "Chosen", "interval_percent"),
        Column("n", "Choices", "count"),
    ]
    rows = [
        {
            "lodge": words[node] if node < len(words) else str(node),
            "share": estimates.share(both[:, node], n),
            "n": int(n.sum()),
        }
        for node in np.flatnonzero(both.sum(0))
    ]
    return Table(
        f"lodges-{stratum.number}",
        columns,
        rows,
        f"Where players start after a snowy night, {stratum.label}.",
    )
