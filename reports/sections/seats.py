"""Does it matter where one sits, or who starts?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports import estimates, examples, figures, wording
from reports.estimates import FAIR, UNFAIR, UNKNOWN, Estimate, Fairness, State
from reports.facts import Facts, Shares
from reports.measures import Job, Stratum, adding, array_of, counted
from reports.section import Block, Column, Figure, Section, Table, Text, Verdict

ORDER = 10
NEEDS = {"seats": ("seat", "win_share", "rank")}
SECTION = "seats"
MEASURE = "Win share"


def make(facts: Facts) -> Section:
    """Win shares by start position, from the line-up and from the equal-strategy games."""
    blocks: list[Block] = []
    for stratum in facts.shown:
        arms = _arms(facts, stratum)
        if not arms:
            continue
        blocks += facts.heading(stratum)
        blocks.append(Text(_sentence(facts, stratum, arms)))
        frame = pl.concat([_frame(facts, s, stratum, name) for name, s, _ in arms])
        blocks.append(_figure(facts, stratum, frame))
        freed = [without_luck(facts, s, shares) for s, shares in _played(facts, stratum, arms)]
        blocks.append(_table(facts, stratum, arms, freed))
        if all(freed):
            blocks.append(Text(_luck_words(facts, arms, freed), "note"))
    if len(facts.main) > len(facts.shown):
        blocks += [*facts.not_shown(), _all(facts)]
    return Section(
        id=SECTION,
        title="Seats and start order",
        text="Does it matter where you sit or who starts? If not, every start position wins "
        "equally "
        "often. The shaded band is the margin that we call fair: "
        f"{wording.distance(facts.margin)} either side of an even share.",
        help="Intervals of one picture hold all together with 95% confidence (Goodman). "
        "'Same style on every seat' compares start positions with nothing else different; "
        "'the line-up' rotates the styles over all seats on the same dice.",
        blocks=blocks,
        leans_on=facts.lens.seat_leans_on,
    )


def verdicts(facts: Facts) -> list[Verdict]:
    """One verdict for each course and player count."""
    return [_verdict(facts, stratum) for stratum in facts.main]


# ---------------------------------------------------------------- luck of known mean

LUCK = "luck by start position"


def jobs(facts: Facts) -> dict[str, dict[str, Job]]:
    """What the luck of known mean is made of, by start position."""
    items = _luck_items(facts)
    if not items:
        return {}
    column = facts.order or "seat"
    keys = ["group", "stratum", column]
    read = list(dict.fromkeys(source for source, _ in items))
    values = {f"{c}.{i}": pl.col(c).arr.get(i) for c, i in items}
    made = adding([column, *read], keys, lambda rows: counted(rows, keys, **values))
    return {"seats": {LUCK: made}}


def _luck_items(facts: Facts) -> list[tuple[str, int]]:
    """Column and place of every number of the game's luck; none where there is none."""
    luck = facts.lens.luck
    if luck is None or not facts.records.full or facts.records.missing(seats=luck.columns):
        return []
    return [(c, i) for c in luck.columns for i in range(array_of(facts.records, c).size)]


def without_luck(facts: Facts, stratum: Stratum, shares: Shares) -> list[Estimate]:
    """Win shares with the luck of known mean taken out; none where it cannot be told.

    The control of a start position is its luck less the mean of all at the table, 0 on average.
    Intervals hold all together (Bonferroni), as those of the shares beside them do.
    """
    items, won = _luck_items(facts), shares.wins.sum(1)
    if not items or facts.lens.luck is None or (won > 0).sum() < estimates.MIN_CLUSTERS:
        return []
    weights = facts.lens.luck.weights(facts.model(stratum.rules))
    if len(items) != len(weights):
        return []
    rows = facts.job("seats", LUCK).filter(pl.col("stratum") == stratum.number)
    luck = np.zeros_like(shares.wins)
    column, levels = facts.order_levels(stratum)
    sums = rows.select(f"{c}.{i}" for c, i in items).to_numpy() @ np.asarray(weights, np.float64)
    known = np.isin(rows[column].to_numpy(), levels)
    np.add.at(luck, (rows["group"].to_numpy()[known], rows[column].to_numpy()[known]), sums[known])
    relative = luck - luck.mean(1, keepdims=True)
    level = 1 - (1 - estimates.LEVEL) / len(levels)  # all of the picture together
    return [
        estimates.control_variate(shares.wins[:, i], relative[:, i], won, 0.0, level)
        for i in range(len(levels))
    ]


def _luck_words(facts: Facts, arms: list[Arm], found: list[list[Estimate]]) -> str:
    """What taking the luck out saves, "" where there is none to take out."""
    assert facts.lens.luck is not None
    parts = []
    for (name, shares, _), freed in zip(arms, found, strict=True):
        plain = [estimates.ratio(shares.wins[:, i], shares.wins.sum(1)) for i in range(len(freed))]
        before, after = (sum(e.se**2 for e in row) for row in (plain, freed))
        if before > 0 and after < before:
            parts.append(f"{wording.percent(1 - after / before, 0)} of the games ({name})")
    saved = f" It saves {wording.listing(parts)} for the same interval." if parts else ""
    words = facts.lens.luck.words
    return (
        f"Less luck: the same share with {words} taken out, whose mean is known "
        f"(control variate). On average it is the same number.{saved}"
    )


# ---------------------------------------------------------------- the two arms

Arm = tuple[str, Shares, Fairness]
SAME = "same style on every seat"
MIXED = "the line-up"


def _arms(facts: Facts, stratum: Stratum) -> list[Arm]:
    """Start-position results that compare like with like."""
    found: list[Arm] = []
    twin = facts.twin(stratum)
    if twin is not None:
        found.append((SAME, *_judged(facts, twin)))
    seating = {str(facts.records.cells[c].get("seating", "rotate")) for c in stratum.cells}
    balanced = facts.one_strategy or seating <= {"rotate", "random"}
    if balanced:
        name = SAME if facts.one_strategy else MIXED
        if not (facts.one_strategy and twin is not None):
            found.append((name, *_judged(facts, stratum)))
    return found


def _played(facts: Facts, stratum: Stratum, arms: list[Arm]) -> list[tuple[Stratum, Shares]]:
    """The games that each arm was counted in."""
    twin = facts.twin(stratum)
    return [
        (twin if name == SAME and twin is not None else stratum, shares) for name, shares, _ in arms
    ]


def _judged(facts: Facts, stratum: Stratum) -> tuple[Shares, Fairness]:
    column, levels = facts.order_levels(stratum)
    shares = facts.shares(column, stratum, levels)
    # Games with a winner are the whole: cut games are shown with their bounds instead.
    family = len(facts.main) + len(facts.equal)
    fair = estimates.fairness(shares.wins, shares.wins.sum(1), margin=facts.margin, family=family)
    return shares, fair


def _state(facts: Facts, stratum: Stratum, arms: list[Arm]) -> State:
    """Unfair if either arm shows it, fair if one shows that and none the contrary."""
    states = [fair.state for _, _, fair in arms]
    if UNFAIR in states:
        return UNFAIR
    if FAIR not in states:
        return UNKNOWN
    return UNKNOWN if _cut(facts, stratum) > facts.margin else FAIR


def _cut(facts: Facts, stratum: Stratum) -> float:
    """Share of games without a winner for want of an end."""
    return facts.rate("truncated", stratum).value


def _leading(arms: list[Arm]) -> Arm:
    """The arm that tells most: the one with a verdict, else the one with more games."""
    decided = [arm for arm in arms if arm[2].state != UNKNOWN]
    return max(decided or arms, key=lambda arm: (arm[2].state == UNFAIR, arm[1].wins.sum()))


# ---------------------------------------------------------------- words


def position(facts: Facts, level: int) -> str:
    """Name of a start position."""
    if facts.order:
        return f"{facts.lens.order_words} {wording.ordinal(level + 1)}{facts.lens.order_suffix}"
    return f"sits at seat {level + 1}"


def _short(facts: Facts, level: int) -> str:
    """The same without the suffix, for pictures."""
    return position(facts, level).removesuffix(facts.lens.order_suffix or "\n")


def _sentence(facts: Facts, stratum: Stratum, arms: list[Arm]) -> str:
    _, _, fair = _leading(arms)
    return _headline(facts, _state(facts, stratum, arms), fair)


def _headline(facts: Facts, state: State, fair: Fairness) -> str:
    games = sum(e.n for e in fair.shares[:1])
    if not games:
        return "No game had a winner, so there is nothing to compare."
    values = [e.value for e in fair.shares]
    best, worst = values.index(max(values)), values.index(min(values))
    even = wording.percent(fair.target[0])
    if best == worst:
        said = f"Every start position won exactly as often, {even}"
        return f"{said}." if state == FAIR else f"{said}, in {wording.count(games)} games."
    high, low = (wording.percent_of(fair.shares[i]) for i in (best, worst))
    who, other = position(facts, best), position(facts, worst)
    if state == FAIR:
        return (
            f"Start order makes no difference of {wording.percent(fair.margin, 0)} or more: "
            "whoever "
            f"{who} wins {high}, whoever {other} wins {low}; even is {even}."
        )
    if state == UNFAIR:
        return f"Whoever {who} wins {high}, whoever {other} only {low}; even is {even}."
    return (
        f"Whoever {who} won {high} and whoever {other} {low} (even is {even}), "
        f"{wording.doubt(fair, games)}."
    )


def _detail(state: State, fair: Fairness) -> str:
    worst = fair.shares[fair.worst]
    if state == UNKNOWN:
        if not worst.n:
            return "Every game was cut off or ended without a winner."
        cut = (
            f"About {wording.count(wording.rounded(fair.games_needed))} such games would settle it."
        )
        return cut if fair.state == UNKNOWN else "Too many games were cut off to trust it."
    notice = estimates.games_to_notice(worst.value, fair.target[fair.worst])
    if not notice:
        return ""
    return (
        f"You would have to keep score for about {wording.count(wording.rounded(notice))} games "
        "to notice the difference."
    )


def _verdict(facts: Facts, stratum: Stratum) -> Verdict:
    arms = _arms(facts, stratum)
    question = "Is the start order fair?"
    about = stratum.label
    if not arms:
        return Verdict(
            "seats",
            question,
            UNKNOWN,
            "Not enough to say: seats and strategies were not mixed.",
            wording.NONE,
            "",
            0,
            "Use --seating rotate, or keep the equal-strategy games.",
            about,
            section=SECTION,
            measure=MEASURE,
        )
    name, shares, fair = _leading(arms)
    state = _state(facts, stratum, arms)
    worst = fair.shares[fair.worst]
    played = (facts.twin(stratum) or stratum) if name == SAME else stratum
    column, _ = facts.order_levels(stratum)
    values = [e.value for e in fair.shares]
    return Verdict(
        id=f"seats-{stratum.number}",
        question=question,
        state=state,
        headline=_headline(facts, state, fair),
        number=wording.percent_of(worst) if worst.n else wording.NONE,
        interval=wording.percent_interval(worst) if worst.n else "no game had a winner",
        n=int(round(shares.wins.sum())),
        detail=f"{_detail(state, fair)} {_other(arms, name)}".strip(),
        about=f"{about}; {name}",
        holds_for=tuple(facts.strategies),
        leans_on=facts.lens.seat_leans_on,
        example=examples.typical_win(facts, played, column, values.index(max(values)))
        if worst.n
        else None,
        section=SECTION,
        measure=MEASURE,
        bar=(worst, fair.target[0], facts.margin) if worst.n else None,
    )


def _other(arms: list[Arm], shown: str) -> str:
    words = {FAIR: "fair as well", UNFAIR: "not fair", UNKNOWN: "not settled"}
    rest = [
        f"With {name} ({wording.count(round(shares.wins.sum()))} games): {words[fair.state]}."
        for name, shares, fair in arms
        if name != shown
    ]
    return " ".join(rest)


# ---------------------------------------------------------------- blocks


def _all(facts: Facts) -> Table:
    """Win shares by start position in every stratum, from the arm that tells most."""
    columns = [Column("position", (facts.order and facts.lens.order_label) or "Seat")]
    columns += [
        Column(f"s{s.number}", s.label, "interval_percent", term=MEASURE) for s in facts.main
    ]
    leading = {s.number: _leading(arms)[2] for s in facts.main if (arms := _arms(facts, s))}
    rows = []
    for level in range(max(s.n_seats for s in facts.main)):
        row: dict[str, Any] = {"position": wording.ordinal(level + 1)}
        for number, fair in leading.items():
            if level < len(fair.shares):
                row[f"s{number}"] = fair.shares[level]
        rows.append(row)
    return Table("seats-all", columns, rows, "Win shares in all kinds of games.", fold=True)


def _frame(facts: Facts, shares: Shares, stratum: Stratum, arm: str) -> pl.DataFrame:
    found = estimates.goodman(shares.wins, shares.wins.sum(1))
    return pl.DataFrame(
        {
            "label": [_short(facts, level) for level in shares.levels],
            "arm": [arm] * len(found),
            "stratum": [stratum.label] * len(found),
            "value": [e.value for e in found],
            "low": [e.low for e in found],
            "high": [e.high for e in found],
            "games": [e.n for e in found],
        }
    )


def _figure(facts: Facts, stratum: Stratum, frame: pl.DataFrame) -> Figure:
    even = 1 / stratum.n_seats
    draw = partial(
        figures.dots,
        frame,
        group="arm",
        reference=even,
        margin=facts.margin,
        floor=0.05,
        xlabel="share of games won",
        reference_label=f"even: {wording.percent(even)}",
    )
    return Figure(
        name=f"seats-{stratum.number}",
        draw=draw,
        caption=f"Win share by start position, {stratum.label}. Dots are the measured shares, "
        "lines "
        "their 95% intervals, the band is fair within the margin.",
        alt=_alt(frame, even),
        frame=frame,
        term=MEASURE,
    )


def _alt(frame: pl.DataFrame, even: float) -> str:
    said = ", ".join(
        f"{r['label']} {wording.percent(r['value'])}" for r in frame.iter_rows(named=True)
    )
    return f"Win share by start position: {said}. Even would be {wording.percent(even)}."


def _table(facts: Facts, stratum: Stratum, arms: list[Arm], freed: list[list[Estimate]]) -> Table:
    """Start positions against arms; podium and places of the first arm that has many games.

    ``freed``: shares of each arm with luck taken out, all or none.
    """
    main = max(arms, key=lambda arm: arm[1].seats.sum())
    columns = [Column("position", (facts.order and facts.lens.order_label) or "Seat")]
    columns += [
        Column(
            f"win_{i}", f"Win share, {name}", "interval_percent", help="of games that had a winner"
        )
        for i, (name, _, _) in enumerate(arms)
    ]
    if all(freed):
        columns += [
            Column(f"free_{i}", f"Less luck, {name}", "interval_percent", term="Less luck")
            for i, (name, _, _) in enumerate(arms)
        ]
    if facts.lens.podium and stratum.n_seats > 3:
        columns.append(Column("podium", "Podium", "interval_percent", help="placed 1st to 3rd"))
    columns += [
        Column("scale", f"Against even, {main[0]}", "interval", 2),
        Column("rank", "Mean place", "interval"),
        Column("n", "Games", "count"),
    ]
    rows: list[dict[str, Any]] = []
    for i, level in enumerate(main[1].levels):
        row = {f"win_{j}": fair.shares[i] for j, (_, _, fair) in enumerate(arms)}
        if all(freed):
            row |= {f"free_{j}": found[i] for j, found in enumerate(freed)}
        row["scale"] = main[2].on_fair_scale(i)
        rows.append(
            {
                "position": wording.ordinal(level + 1) if facts.order else str(level + 1),
                **row,
                "podium": main[1].podium_rate(i),
                "rank": main[1].rank(i),
                "n": sum(int(shares.seats[:, i].sum()) for _, shares, _ in arms),
            }
        )
    tests = "; ".join(
        f"{name}: {wording.p_value(fair.test.p_value)}, w = {wording.number(fair.test.cohen_w, 3)}"
        for name, _, fair in arms
    )
    caption = (
        f"{stratum.label}. Is it exactly even? {tests} (w: size of the deviation, 0.1 is small)."
    )
    return Table(f"seats-{stratum.number}-table", columns, rows, caption)
