"""Which layout is fair, quick, dramatic? Courses, boards and set-ups as arms on the same dice.

    simulate courses biathlon --course starter,flat_short,random*4 --n 20k
    simulate courses pistengaudi --setup all --n 20k
    simulate courses skull_canyon --board canyon_34,wide_bowl_34 --players 4 --n 20k
    simulate courses biathlon --tips --n 50k
    simulate courses biathlon --search fair --tries 20 --n 10k
    simulate courses biathlon --course random*24 --n 10k

Every layout is an arm; arm by arm the same games are played. Statistics are made of exact sums over
GROUPS groups of blocks, their intervals (and those of differences, which are paired) by leaving
out one group at a time. A search picks on one seed and is judged on another: the difference between
the two is the luck of the one picked, and is printed. With enough layouts, those of a search too, a
plane through all of them tells which of their properties make games fair, long or dramatic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simulate import exact, registry, rules
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms, racing
from simulate.experiments.folder import claim
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

if TYPE_CHECKING:
    from reports.experiments.layouts import Surface

GROUPS = 64
DEFAULT_GAMES = 20_000
TRIES = 16
FAIR, DRAMA, SKILL = "fair", "drama", "skill"
GOALS = {
    FAIR: ("seats", False),
    DRAMA: ("drama", True),
    SKILL: ("skill", True),
}  # measure, whether more is better
WORDS = {
    "seats": "Best less worst seat, win share",
    "length": "Rounds",
    "drama": "Drama (lead changes)",
    "skill": "Best less worst style, win share",
    "unfinished": "Not finished, share",
}
BY_PLAYERS = {"skull_canyon": {2: "all_2", 3: "all_34", 4: "all_34"}}  # boards of a table's size
SHARES = ("seats", "skill", "unfinished")  # parts of 1


@dataclass(frozen=True)
class Told:
    """A number of one layout, or the difference of two, with its interval."""

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Claim:
    """Something that a rulebook says of layouts, as a difference of two arms with a sign."""

    tip: str
    words: str
    arm: str
    other: str
    column: str  # a games column, or a measure of WORDS
    sign: int  # +1: the claim is that arm has more
    overlay: Mapping[str, Any] | None = None  # rules that the arm has beside its layout


@dataclass(frozen=True)
class Verdict:
    """What became of a claim."""

    claim: Claim
    effect: Told
    state: str  # supported, contradicted, not settled


@dataclass(frozen=True)
class Found:
    """The layout that a search picked, as it looked when picked and on fresh seeds."""

    layout: str
    goal: str
    tries: int
    searched: Told
    shrunken: float  # what the searched value stands for, seen that it is the best of so many
    confirmed: Told
    optimism: float  # how much better it looked than it is
    tried: Mapping[str, Mapping[str, Told]]  # every layout of the search -> measure -> number
    gain: Told  # against the game's own layout, on the fresh seeds


@dataclass(frozen=True)
class Compared:
    """A finished experiment."""

    folder: Path
    measures: dict[str, dict[str, Told]]  # layout -> measure -> number
    gaps: dict[str, dict[str, Told]]  # the same less the first layout
    verdicts: tuple[Verdict, ...]
    found: Found | None
    surface: Surface | None  # what properties of layouts do, None with too few layouts
    page: Path
    runs: dict[str, Run]


_EARLY, _LATE, _NEXT = "ranges_early", "ranges_late", "ranges_adjacent"
_TOP = {"mode": {"race": "short_top"}}
TIPS: dict[str, tuple[Claim, ...]] = {
    "biathlon": (
        *[
            Claim("Spread the ranges out", words, "starter", other, column, sign)
            for other in (_EARLY, _LATE, _NEXT)
            for words, column, sign in (
                ("the seats are closer", "seats", -1),
                ("the lead changes more often", "lead_changes", 1),
            )
        ],
        Claim(
            "No uphill after an uphill",
            "two in a row draw the field together",
            "hills_together",
            "hills_apart",
            "gap1last",
            -1,
        ),
        Claim("Top stamina slots", "the race is faster", "top slots", "starter", "rounds", -1, _TOP),
        Claim(
            "Top stamina slots", "fewer skiers collapse", "top slots", "starter", "collapses", -1,
            _TOP,
        ),
    )
}  # fmt: skip


def courses(
    game: str,
    layouts: str = "all",
    n: int | str = DEFAULT_GAMES,
    *,
    tips: bool = False,
    search: str = "",
    tries: int = TRIES,
    out: str | Path | None = None,
    progress: Silent | bool | None = None,
    jobs: int | None = None,
    seed: int = 1,
    **options: Any,
) -> Compared:
    """Play every layout on the same dice and compare them. ``options``: those of ``Request``.

    ``tips``: test what the rulebook says of layouts. ``search``: ``fair``, ``drama`` or ``skill``,
    with ``tries`` layouts drawn at random.
    """
    show = progress_of(progress)
    if search and search not in GOALS:
        raise PlanError(f"--search: '{search}' is not one of {', '.join(GOALS)}.")
    if tips and game not in TIPS:
        raise PlanError(f"--tips: the rules of {game} give none on layouts.")
    base = rules.load(
        game, options.pop("variant", ()), options.pop("rules", ()), options.pop("set", ())
    )
    how: dict[str, Any] = {"jobs": jobs, "progress": show}
    if layouts == "all" and game in BY_PLAYERS:
        layouts = _for_players(game, options)
    table = _Table(game, count(n), seed, {**options, "equal": False})
    rows = {r.vocabularies["layouts"][0]: r for r in rules.with_layouts(base, layouts, seed)}
    if tips:
        rows = {**rows, **_tip_rows(game, base, seed)}
    label = f"{game}-courses-{short(count(n))}-{_mark([*rows.values()], seed, search, tries)}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "courses", game)
    runs = table.play(rows, folder, **how)
    sums = {name: Sums.of(run) for name, run in runs.items()}
    first = next(iter(sums.values()))
    verdicts = _verdicts(TIPS[game], sums) if tips else ()
    found = _search(table, base, search, tries, folder, how) if search else None
    measures = {name: s.measures() for name, s in sums.items()}
    gaps = {name: s.measures(first) for name, s in list(sums.items())[1:]}
    models = {name: run.plan.rules[0].model for name, run in runs.items()}
    if search:
        drawn = rules.with_layouts(base, f"random*{tries}", seed)
        models |= {
            r.vocabularies["layouts"][0]: r.model.model_dump(mode="json", exclude_none=True)
            for r in drawn
        }
    other_rules = {c.arm for c in TIPS[game] if c.overlay} if tips else set()
    alike = {name: told for name, told in measures.items() if name not in other_rules}
    surface, why = _features(game, models, alike, found)
    arms.save(folder, _plain(game, seed, table.n, measures, gaps, verdicts, found, surface))
    page = _page(game, folder, runs, measures, gaps, verdicts, found, why)
    return Compared(folder, measures, gaps, verdicts, found, surface, page, runs)


@dataclass(frozen=True)
class _Table:
    """What all arms share."""

    game: str
    n: int
    seed: int
    options: Mapping[str, Any]

    def play(
        self, rows: Mapping[str, Any], folder: Path, fresh: int = 0, **how: Any
    ) -> dict[str, Run]:
        """One arm for each of the rules; ``fresh``: on the so-many-th fresh seed."""
        seed = racing.fresh_seed(self.seed, fresh)
        plans = [
            arms.Arm(
                _folder_name(name),
                Request(self.game, self.n, seed=seed, rules_rows=[row], **self.options).plan(),
            )
            for name, row in rows.items()
        ]
        if len(plans[0].plan.players) > 1:
            raise PlanError("--players: layouts are compared for one number of players at a time.")
        played = arms.play_arms(plans, folder, **how)
        return {name: played[_folder_name(name)] for name in rows}


def _folder_name(layout: str) -> str:
    """A layout's name as the name of a folder."""
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in layout)


def _mark(rows: Sequence[Any], *told: Any) -> str:
    """Eight letters that stand for what is compared."""
    import hashlib

    text = "|".join([*(r.digest for r in rows), *map(str, told)])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _tip_rows(game: str, base: Any, seed: int) -> dict[str, Any]:
    """The layouts that the claims need, by arm."""
    wanted: dict[str, Any] = {}
    named = {c.other for c in TIPS[game]} | {c.arm for c in TIPS[game] if not c.overlay}
    for row in rules.with_layouts(base, ",".join(sorted(named)), seed):
        wanted[row.vocabularies["layouts"][0]] = row
    for tip in TIPS[game]:
        if tip.overlay:
            wanted[tip.arm] = rules.with_overlay(wanted[tip.other], tip.arm, dict(tip.overlay))
    return wanted


def _for_players(game: str, options: Mapping[str, Any]) -> str:
    """Every layout that the tables asked for can play."""
    players = (
        Request(game, 1, **{k: v for k, v in options.items() if k == "players"}).plan().players
    )
    fitting = {BY_PLAYERS[game][count] for count in players}
    if len(fitting) > 1:
        raise PlanError(
            f"Layouts of {game} are made for a number of players: give one with --players, or name "
            "the layouts."
        )
    return fitting.pop()


# ---------------------------------------------------------------- statistics of sums by group


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of one arm by group of blocks: wins by seat and by style, numbers of games."""

    seats: tuple[np.ndarray, np.ndarray]  # wins, chances: [groups, start positions]
    styles: tuple[np.ndarray, np.ndarray]
    games: dict[str, np.ndarray]  # column -> [groups]
    counts: dict[str, np.ndarray]  # games that have it
    drama: str  # the column that stands for drama, "" for none

    @classmethod
    def of(cls, run: Run) -> Sums:
        """From the rows of a run."""
        import polars as pl

        from reports.facts import lens_of

        lens = lens_of(run.plan.game)
        k = run.plan.k
        group = (pl.col("game_id") // k % GROUPS).alias("group")
        columns = list(arms.numeric_columns(run.plan)[0])
        types = run.games.collect_schema()
        scales = {c: exact.scale_of(c, types[c]) for c in columns}
        rows = run.games.with_columns(group).group_by("group").agg(
            *[exact.as_integer(c, types[c], scales[c]).sum().alias(c) for c in columns],
            *[pl.col(c).count().alias(f"{c}:n") for c in columns],
        ).collect()  # fmt: skip
        at = rows["group"].to_numpy()
        drama = next((m.column for m in lens.drama if m.column in columns), "")
        order = lens.order if lens.order in run.seats.collect_schema() else "seat"
        return cls(
            _wins(run, group, order),
            _wins(run, group, "strategy"),
            {c: _spread(at, rows[c].to_numpy() / scales[c]) for c in columns},
            {c: _spread(at, rows[f"{c}:n"].to_numpy()) for c in columns},
            drama,
        )

    def statistic(self, name: str) -> Callable[[np.ndarray], float]:
        """A measure of WORDS, or the mean of a games column, over the groups with weight 1."""
        if name == "seats":
            return lambda w: _gap(self.seats, w)
        if name == "skill":
            return lambda w: _gap(self.styles, w)
        column = {"length": "rounds", "drama": self.drama, "unfinished": "truncated"}.get(
            name, name
        )
        total, n = self.games[column], self.counts[column]
        return lambda w: float(w @ total / max(w @ n, 1e-12))

    def names(self) -> list[str]:
        """Measures of WORDS that can be told."""
        styles = self.styles[0].shape[1] > 1
        return [m for m in WORDS if (m != "skill" or styles) and (m != "drama" or self.drama)]

    def measures(self, other: Sums | None = None) -> dict[str, Told]:
        """Every measure, or its difference to another arm."""
        return {name: self.told(name, other) for name in self.names()}

    def told(self, name: str, other: Sums | None = None, family: int = 1) -> Told:
        """A measure with its interval, by leaving out one group at a time."""
        one = self.statistic(name)
        two = other.statistic(name) if other is not None else lambda _: 0.0
        seen = np.flatnonzero(self.counts["rounds"])
        games = int(self.counts["rounds"].sum())
        if name == "unfinished" and other is None:
            return self._share("truncated", games)
        return jackknife(lambda w: one(w) - two(w), seen, games, family)

    def _share(self, flag: str, games: int) -> Told:
        """How often a flag is set: none in few games is not never, and no share is below 0."""
        from reports import estimates

        e = estimates.share(self.games[flag], self.counts[flag])
        return Told(e.value, e.low, e.high, games)


def jackknife(
    of: Callable[[np.ndarray], float], seen: np.ndarray, games: int, family: int = 1
) -> Told:
    """A statistic of group weights with Student's interval from the delete-one-group values."""
    from reports import estimates

    whole, without = _left_out(seen)
    value = of(whole)
    g = len(seen)
    if g < 2:
        return Told(value, float("-inf"), float("inf"), games)
    left = [of(weights) for weights in without]
    spread = np.asarray(left) - np.mean(left)
    half = estimates.t_value(g - 1, family=family) * float(np.sqrt((g - 1) / g * (spread @ spread)))
    return Told(value, value - half, value + half, games)


def _left_out(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the groups ``seen``, and those with each of them left out in turn."""
    whole = np.zeros(GROUPS)
    whole[seen] = 1
    without = np.tile(whole, (len(seen), 1))
    without[np.arange(len(seen)), seen] = 0
    return whole, without


def shrunken(tried: Mapping[str, Sums], name: str) -> dict[str, float]:
    """A measure of every layout with the luck of the best taken off.

    The error of each is that of its distance from the mean of all: they met the same dice.
    """
    from reports import deconvolution

    statistics = [sums.statistic(name) for sums in tried.values()]
    seen = np.flatnonzero(next(iter(tried.values())).counts["rounds"])
    g, (whole, without) = len(seen), _left_out(seen)
    values = np.array([of(whole) for of in statistics])
    if g < 2:
        return dict(zip(tried, values.tolist(), strict=True))
    left = np.array([[of(w) for w in without] for of in statistics])
    apart = left - left.mean(0)
    errors = np.sqrt((g - 1) / g * ((apart - apart.mean(1, keepdims=True)) ** 2).sum(1))
    found = deconvolution.shrunken(values, errors)
    return dict(zip(tried, found.tolist(), strict=True))


def _wins(run: Run, group: Any, column: str) -> tuple[np.ndarray, np.ndarray]:
    """Win shares and seats by group and level."""
    import polars as pl

    types = run.seats.collect_schema()["win_share"]
    scale = exact.scale_of("win_share", types)
    rows = (
        run.seats.with_columns(group)
        .group_by("group", pl.col(column).to_physical().cast(pl.Int64).alias("level"))
        .agg(exact.as_integer("win_share", types, scale).sum(), pl.len().alias("n"))
        .collect()
    )
    levels = {v: i for i, v in enumerate(sorted(rows["level"].unique().to_list()))}
    at = (rows["group"].to_numpy(), np.array([levels[v] for v in rows["level"].to_list()], int))
    wins, seen = (np.zeros((GROUPS, max(len(levels), 1))) for _ in range(2))
    wins[at], seen[at] = rows["win_share"].to_numpy() / scale, rows["n"].to_numpy()
    return wins, seen


def _spread(at: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at their groups."""
    whole = np.zeros(GROUPS)
    whole[at] = values
    return whole


def _gap(tables: tuple[np.ndarray, np.ndarray], weights: np.ndarray) -> float:
    """The best less the worst rate."""
    rates = (weights @ tables[0]) / np.maximum(weights @ tables[1], 1e-12)
    return float(rates.max() - rates.min())


# ---------------------------------------------------------------- claims, search


def _verdicts(claims: Sequence[Claim], sums: Mapping[str, Sums]) -> tuple[Verdict, ...]:
    """Every claim with its paired effect; intervals are widened for the number of claims."""
    out = []
    for tip in claims:
        effect = sums[tip.arm].told(tip.column, sums[tip.other], family=len(claims))
        out.append(Verdict(tip, effect, state_of(effect, tip.sign)))
    return tuple(out)


def state_of(effect: Told, sign: int) -> str:
    """On which side of nothing the whole interval lies."""
    if effect.low > 0 or effect.high < 0:
        return "supported" if (effect.value > 0) == (sign > 0) else "contradicted"
    return "not settled"


def _features(
    game: str,
    models: Mapping[str, Any],
    measures: Mapping[str, Mapping[str, Told]],
    found: Found | None,
) -> tuple[Surface | None, Any]:
    """What properties of the layouts do, and the section that tells it."""
    from reports.experiments import layouts
    from reports.measures import own

    module = own(game, "features")
    if module is None:
        return None, None
    told = {**(found.tried if found is not None else {}), **measures}
    features = {name: module.features(models[name]) for name in told}
    numbers = {
        name: {m: _estimate(t) for m, t in row.items() if m != "unfinished"}
        for name, row in told.items()
    }
    surface = layouts.surface(features, numbers)
    lengths = {name: row.get(module.LENGTH, 0.0) for name, row in features.items()}
    best = layouts.best_of_each_length(lengths, numbers) if surface is not None else []
    return surface, layouts.section(surface, best, WORDS, module.LENGTH)


def _search(
    table: _Table, base: Any, goal: str, tries: int, folder: Path, how: Mapping[str, Any]
) -> Found:
    """The best of random layouts on one seed, judged with the game's own on a fresh one."""
    name, more = GOALS[goal]
    drawn = rules.with_layouts(base, f"random*{tries}", table.seed)
    rows = {r.vocabularies["layouts"][0]: r for r in drawn}
    sums = {k: Sums.of(r) for k, r in table.play(rows, folder / "search", **how).items()}
    tried = {k: s.told(name) for k, s in sums.items()}
    best = racing.leaders({k: told.value for k, told in tried.items()}, 1, more)[0]
    own = base.vocabularies["layouts"][0]
    fresh = table.play({own: base, best: rows[best]}, folder / "confirm", 1, **how)
    again = {k: Sums.of(r) for k, r in fresh.items()}
    confirmed = again[best].told(name)
    return Found(
        best,
        goal,
        len(rows),
        tried[best],
        shrunken(sums, name)[best],
        confirmed,
        racing.optimism(tried[best].value, confirmed.value, more),
        {k: s.measures() for k, s in sums.items()},
        again[best].told(name, again[own]),
    )


# ---------------------------------------------------------------- what is kept and shown


def _plain(
    game: str,
    seed: int,
    n: int,
    measures: Mapping[str, Mapping[str, Told]],
    gaps: Mapping[str, Mapping[str, Told]],
    verdicts: Sequence[Verdict],
    found: Found | None,
    surface: Surface | None,
) -> dict[str, Any]:
    """experiment.json."""
    return {
        "experiment": "courses",
        "game": game,
        "seed": seed,
        "n": n,
        "arms": list(measures),
        "measures": _finite({k: {m: asdict(t) for m, t in v.items()} for k, v in measures.items()}),
        "differences": _finite({k: {m: asdict(t) for m, t in v.items()} for k, v in gaps.items()}),
        "claims": [_finite(asdict(v)) for v in verdicts],
        "search": _finite(asdict(found)) if found is not None else None,
        "features": _plain_surface(surface) if surface is not None else None,
    }


def _plain_surface(surface: Surface) -> dict[str, Any]:
    """Effects of properties, by measure."""
    effects = [
        {
            "property": name,
            "measure": measure,
            "from": surface.ends[name][0],
            "to": surface.ends[name][1],
            "value": e.value,
            "low": e.low,
            "high": e.high,
            "q": surface.q[name, measure],
        }
        for name, row in surface.effects.items()
        for measure, e in row.items()
    ]
    told = {"layouts": surface.layouts, "explained": dict(surface.explained)}
    return {**_finite(told), "effects": [_finite(row) for row in effects]}


def _finite(value: Any) -> Any:
    """The same with null for what is no number."""
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _page(
    game: str,
    folder: Path,
    runs: Mapping[str, Any],
    measures: Mapping[str, Mapping[str, Told]],
    gaps: Mapping[str, Mapping[str, Told]],
    verdicts: Sequence[Verdict],
    found: Found | None,
    why: Any | None,
) -> Path:
    """The HTML page of the experiment; ``why``: the section on properties of layouts."""
    import reports
    from reports import render
    from reports.facts import Facts

    facts = reports.open_facts(next(iter(runs.values())))
    facts.title = f"{registry.game(game).title}: layouts side by side"
    sections = [_compared_section(measures, gaps)]
    if verdicts:
        sections.append(_claims_section(verdicts))
    if found is not None:
        sections.append(_search_section(found))
    if why is not None:
        sections.append(why)
    pictures = _pictures({name: Facts(run) for name, run in runs.items()})
    if pictures is not None:
        sections.append(pictures)
    return render.write(render.Report(facts, sections), folder / "report.html")


def _estimate(told: Told) -> Any:
    """A number as the reports' tables show it."""
    from reports.estimates import Estimate

    half = (told.high - told.low) / 2
    return Estimate(told.value, told.low, told.high, told.games, GROUPS, half / 2)


def _compared_section(
    measures: Mapping[str, Mapping[str, Told]], gaps: Mapping[str, Mapping[str, Told]]
) -> Any:
    """Measures of every layout, and differences to the first."""
    from reports.section import Section

    first = next(iter(measures))
    return Section(
        id="layouts",
        title="Layouts side by side",
        text="How fair, how long, how dramatic is each layout, and how much does skill count on it? "
        "All of them met the same dice, block by block.",
        help=f"{_finished(measures)}The gap between the best and the worst seat is never below zero, so few games make "
        "every layout look less fair than it is; differences between layouts suffer less.",
        blocks=[
            _measure_table("layouts-measures", measures, "Each layout."),
            *(
                [
                    _measure_table(
                        "layouts-gaps",
                        gaps,
                        f"More than {first}, paired; shares in percentage points.",
                    )
                ]
                if gaps
                else []
            ),
        ],
    )


def _finished(measures: Mapping[str, Mapping[str, Told]]) -> str:
    """A sentence, if no game of any layout was stopped by the turn limit."""
    stopped = any(row["unfinished"].value for row in measures.values())
    return "" if stopped else "Every game of every layout came to its end. "


def _measure_table(name: str, told: Mapping[str, Mapping[str, Told]], caption: str) -> Any:
    from reports.section import Column, Table

    shown = [m for m in WORDS if all(m in row for row in told.values())]
    if not any(row["unfinished"].value or row["unfinished"].low for row in told.values()):
        shown.remove("unfinished")  # every game ended: no column of nothings
    columns = [
        Column("layout", "Layout"),
        *[Column(m, WORDS[m], "interval_percent" if m in SHARES else "interval") for m in shown],
        Column("n", "Games", "count"),
    ]
    rows = [
        {"layout": k, **{m: _estimate(v[m]) for m in shown}, "n": v["length"].games}
        for k, v in told.items()
    ]
    return Table(name, columns, rows, caption)


def _claims_section(verdicts: Sequence[Verdict]) -> Any:
    """What the rulebook says, and what came out."""
    from reports.section import Column, Section, Table

    columns = [
        Column("tip", "Tip"),
        Column("claim", "Claim"),
        Column("arms", "Layouts"),
        Column("effect", "Difference", "interval", 3),
        Column("state", "Verdict"),
        Column("n", "Games", "count"),
    ]
    rows = [
        {
            "tip": v.claim.tip,
            "claim": v.claim.words,
            "arms": f"{v.claim.arm} less {v.claim.other}",
            "effect": _estimate(v.effect),
            "state": v.state,
            "n": v.effect.games,
        }
        for v in verdicts
    ]
    return Section(
        id="tips",
        title="The rulebook's tips",
        text="The rules give tips for building. Each is a claim that can be tested by playing.",
        help="Intervals are widened for the number of claims. A claim is supported when its whole "
        "interval lies on the claimed side of zero.",
        blocks=[Table("tips", columns, rows, "Claims and what came out.")],
    )


def _search_section(found: Found) -> Any:
    """The layout that was found, and how much of its merit was luck."""
    from reports.section import Column, Section, Table

    told = {
        "when it was picked": found.searched,
        "on fresh seeds": found.confirmed,
        "on fresh seeds, more than the game's own layout": found.gain,
    }
    rows = [{"when": k, "value": _estimate(t), "n": t.games} for k, t in told.items()]
    columns = [
        Column("when", "When"),
        Column("value", WORDS[GOALS[found.goal][0]], "interval", 3),
        Column("n", "Games", "count"),
    ]
    luck = (
        f"it looked better by {found.optimism:.3f} than it is on fresh seeds"
        if found.optimism > 0
        else f"but this one looked worse by {-found.optimism:.3f} than it is on fresh seeds"
    )
    return Section(
        id="search",
        title="The search",
        text=f"The best of {found.tries} random layouts is {found.layout}. Whoever is picked from "
        f"many was also lucky: {luck}.",
        help=f"Already in the search its value of {found.searched.value:.3f} stood for "
        f"{found.shrunken:.3f}, seen that it was the best of {found.tries} (empirical Bayes). What "
        "counts is the value on fresh seeds.",
        blocks=[Table("search", columns, rows, f"{found.layout}, found by searching.")],
    )


def _pictures(facts: Mapping[str, Any]) -> Any | None:
    """A picture of every layout, from the game's own map, where its report has one."""
    from functools import partial

    from reports.measures import own
    from reports.section import Figure, Section

    blocks = []
    for number, (name, one) in enumerate(facts.items()):
        for told in ("course", "slope", "board"):
            module = own(one.game, told)
            if module is None or not hasattr(module, f"{told}_frame"):
                continue
            frame = getattr(module, f"{told}_frame")(one, one.main[0])
            scale = getattr(module, "SCALE", "the darker, the more happens there")
            blocks.append(
                Figure(
                    f"layout-{number}",
                    partial(module.draw, frame),
                    f"{name}: {scale}.",
                    f"Picture of the layout {name}.",
                    frame,
                )
            )
            break
    if not blocks:
        return None
    return Section(
        id="pictures",
        title="The layouts",
        text="Each layout with what happens on it.",
        blocks=blocks,
    )
