"""What is gear worth? The same games with a card given, taken out, dearer, cheaper, on offer.

    simulate gear skull_canyon --n 20k
    simulate gear skull_canyon --gear ramp --gear ski_poles --arm grant --at day1 --at hotel1

Arms, all on the same seeds (docs: spec section 9, Q7 to Q9):

``control``  nothing is changed
``fame``     a randomly drawn seat gets fame: what fame is worth, so that gear can be priced in it
``grant``    the same seat gets the card for nothing, from the start or after a chosen evening
``deny``     the same seat may not buy the card, its rivals may
``ban``      nobody may buy the card: it lies in the row like a blank
``price``    the card costs more or less, for all
``offer``    the card lies in the row of the first evening, at its price

Grant and denial are on a seat that a lot chose, so their effect is that of the card: given for
nothing, or bought at its price by whoever wants it. Ban, price and offer have
no chosen seat: they are read on those who buy the card in one of the two arms and compared with the
same seats of the other. Up to the purchase both arms are the same game, so who buys is no choice of
the arm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from reports.games.skull_canyon import gear_findings
from reports.games.skull_canyon.components import Gear, gear_of
from reports.games.skull_canyon.gear_rows import (
    CONTROL,
    KINDS,
    MOMENTS,
    Asked,
    Findings,
    finite,
    flat,
)
from simulate import registry
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms
from simulate.experiments.folder import claim
from simulate.plan import TARGETS, Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

DEFAULT_GAMES = 20_000
GIVEN = 6  # fame of the exchange arm: the middle of the printed prices
SHIFTS = (-2, 2)
PAGE = "gear.html"


Arm = tuple[Asked, Plan]


@dataclass(frozen=True)
class GearValue:
    """A finished experiment: where it lies, what it found, its page."""

    folder: Path
    findings: Findings
    runs: dict[str, Run]
    page: Path | None

    @property
    def frame(self) -> pl.DataFrame:
        """One row a card and stratum: prices, effects, the naive figure and its bias."""
        return pl.DataFrame([flat(row) for row in self.findings.rows], infer_schema_length=None)

    @property
    def effects(self) -> pl.DataFrame:
        """Every paired effect with its interval, p-value and corrected p-value."""
        return pl.DataFrame([flat(e) for e in self.findings.effects], infer_schema_length=None)

    @property
    def parts(self) -> pl.DataFrame:
        """Effects by strategy and weather."""
        return pl.DataFrame([flat(p) for p in self.findings.parts], infer_schema_length=None)

    @property
    def demand(self) -> pl.DataFrame:
        """Sales by price."""
        return pl.DataFrame([flat(d) for d in self.findings.demand], infer_schema_length=None)


def gear(
    game: str = "skull_canyon",
    n: int | str = DEFAULT_GAMES,
    *,
    cards: Sequence[str] = (),
    kinds: Sequence[str] = KINDS,
    at: Sequence[str] = ("hotel1",),
    shifts: Sequence[int] = SHIFTS,
    fame: int = GIVEN,
    page: bool = True,
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    **options: Any,
) -> GearValue:
    """Play all arms and say what each card is worth. ``options``: those of ``Request``.

    ``cards``: ids, all that can be bought without it. ``kinds``: arms of KINDS. ``at``: moments of
    grants; the fair price is that of the first one. ``shifts``: of prices. ``fame``: given in the
    exchange arm.
    """
    show = progress_of(progress)
    _check(game, kinds, at, fame)
    options.setdefault("equal", False)
    base = Request(game, count(n), **options).plan()
    if base.records != "full":
        raise PlanError("gear compares the arms game by game: it needs --records full.")
    chosen = _cards(base, cards)
    asked = _arms(base, chosen, kinds, at, shifts, fame, options)
    label = f"{game}-gear-{short(base.n)}-{_digest(asked)}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "gear", game)
    show.say(f"{len(asked)} arms of {base.n:,} games each.")
    how = {"jobs": jobs, "chunk": chunk, "backend": backend}
    runs = arms.play_arms([arms.Arm(one.name, plan) for one, plan in asked], folder, show, **how)
    told = [one for one, _ in asked]
    played: dict[str, Any] = dict(runs)
    found = gear_findings.findings(told, played, chosen, at[0], fame)
    arms.save(folder, _told(game, base, told, found))
    file = _page(folder, runs[CONTROL], found) if page else None
    return GearValue(folder, found, runs, file)


# ---------------------------------------------------------------- what is asked


def _check(game: str, kinds: Sequence[str], at: Sequence[str], fame: int) -> None:
    """Bad input, said before anything is played."""
    fields = registry.game(game).module("state").TREATMENT.names
    if "gear_gift" not in fields:
        raise PlanError(f"{game} has no gear: gear is a question of skull_canyon.")
    for kind in kinds:
        if kind not in KINDS:
            raise PlanError(f"--arm: '{kind}' is not one of {', '.join(KINDS)}.")
    for moment in at:
        if moment not in MOMENTS:
            raise PlanError(f"--at: '{moment}' is not one of {', '.join(MOMENTS)}.")
    if not kinds or not at:
        raise PlanError("gear needs at least one --arm and one --at.")
    if not 1 <= fame <= 30:
        raise PlanError(f"--fame: {fame} is out of bounds, 1 to 30.")


def _cards(plan: Plan, asked: Sequence[str]) -> list[Gear]:
    """The cards of the experiment; PlanError for one that cannot be bought."""
    known = {card.id: card for card in gear_of(plan.rules[0].model) if card.buyable}
    for name in asked:
        if name not in known:
            raise PlanError(f"--gear: '{name}' cannot be bought here. Gear: {', '.join(known)}.")
    return [known[name] for name in (asked or known)]


def _arms(
    base: Plan,
    cards: Sequence[Gear],
    kinds: Sequence[str],
    at: Sequence[str],
    shifts: Sequence[int],
    fame: int,
    options: Mapping[str, Any],
) -> list[Arm]:
    """Every arm, the control first."""
    drawn, everybody = TARGETS["random"], TARGETS["all"]
    found = [(Asked(CONTROL, CONTROL), base)]
    for moment in at:
        day = MOMENTS[moment]
        gift = arms.treated(base, {"fame_gift": fame, "gift_day": day}, drawn)
        found.append((Asked(f"fame-{moment}", "fame", None, moment), gift))
    for card in cards:
        number = card.number + 1
        if "grant" in kinds:
            for moment in at:
                given = {"gear_gift": number, "gift_day": MOMENTS[moment]}
                plan = arms.treated(base, given, drawn)
                found.append(_arm("grant", card, moment, plan))
        if "deny" in kinds:
            found.append(_arm("deny", card, "", arms.treated(base, {"gear_ban": number}, drawn)))
        if "ban" in kinds:
            found.append(_arm("ban", card, "", arms.treated(base, {"gear_ban": number}, everybody)))
        if "offer" in kinds:
            plan = arms.treated(base, {"gear_offer": number}, everybody)
            found.append(_arm("offer", card, "", plan))
        if "price" in kinds:
            for shift in sorted(set(shifts) - {0}):
                if card.cost + shift >= 0:
                    plan = _repriced(base, card, shift, options)
                    found.append(_arm("price", card, f"{shift:+d}", plan))
    return found


def _arm(kind: str, card: Gear, detail: str, plan: Plan) -> Arm:
    told = str(card.cost + int(detail)) if kind == "price" else detail
    name = "-".join(part for part in (kind, card.id, told) if part)
    return Asked(name, kind, card, detail), plan


def _repriced(base: Plan, card: Gear, shift: int, options: Mapping[str, Any]) -> Plan:
    """The plan with another price of a card."""
    key, price = f"gear.cards.{card.id}.cost", card.cost + shift
    told = options.get("set", ())
    changed: Any = {**told, key: price} if isinstance(told, Mapping) else (*told, f"{key}={price}")
    return Request(base.game, base.n, **{**options, "set": changed}).plan()


def _digest(asked: Sequence[Arm]) -> str:
    """Eight letters that tell experiments apart."""
    import hashlib

    text = " ".join(one.name + plan.digest for one, plan in asked)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


# ---------------------------------------------------------------- what is told


def _told(game: str, base: Plan, asked: Sequence[Asked], found: Findings) -> dict[str, Any]:
    """What experiment.json holds."""
    return {
        "experiment": "gear",
        "game": game,
        "seed": base.seed,
        "n": base.n,
        "moment": found.moment,
        "fame": found.given,
        "arms": [one.name for one in asked],
        "fame_worth": {
            label: {"value": finite(e.value), "low": finite(e.low), "high": finite(e.high)}
            for label, e in found.fame.items()
        },
        "gear": [flat(row) for row in found.rows],
        "effects": [flat(row) for row in found.effects],
        "parts": [flat(row) for row in found.parts],
        "demand": [flat(row) for row in found.demand],
    }


def _page(folder: Path, control: Any, found: Findings) -> Path:
    """The page of the experiment."""
    from reports.games.skull_canyon import gear_page

    return gear_page.write(control, found, folder / PAGE)
