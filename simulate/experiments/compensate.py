"""Which start bonus, seat by seat, makes all seats win equally often?

    simulate compensate skull_canyon --hook fame_gift=2 --players 4 --n 50k
    simulate compensate biathlon --hook stamina_plus --players 4 --set setup.first=seat1

One arm gives nobody anything, one arm a seat gives that seat the bonus, all on the same dice. Each
bonus also takes from the other seats, so the bonuses of all seats are solved for together. Where the
answer is a whole bonus for one seat, it is played once more, on a seed that nothing was picked on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError
from simulate.experiments import arms, racing
from simulate.experiments.folder import claim
from simulate.hooks import Hook, find
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.store import Run

if TYPE_CHECKING:
    from reports.experiments.compensations import Compensation

DEFAULT_GAMES = 50_000  # an arm
CONTROL, CONFIRM = "control", "confirm"


@dataclass(frozen=True, eq=False)
class Compensated:
    """A finished search: where it lies, what was found."""

    folder: Path
    compensation: Compensation
    runs: dict[str, Run]

    @property
    def frame(self) -> Any:
        """A row a seat, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.compensation.rows())


def compensate(
    game: str,
    hook: str,
    n: int | str = DEFAULT_GAMES,
    *,
    margin: str | Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **options: Any,
) -> Compensated:
    """Find the bonus ``hook`` of each seat that makes a table even, with ``n`` games an arm."""
    from reports.experiments import compensations, margins

    show = progress_of(progress)
    chosen, treatment = find(registry.game(game).module("words").TREATMENTS, hook)
    amount = _amount(chosen, treatment)
    asked = count(n)
    options.setdefault("equal", False)
    base = Request(game, asked, **options).plan()
    _check(base)
    sizes = margins.read(margin, share=0.01, relative=0.02)
    seats = base.cells[0].n_seats
    made = [arms.Arm(CONTROL, base)] + [
        arms.Arm(f"seat{seat}", arms.treated(base, treatment, seat)) for seat in range(seats)
    ]
    label = f"{game}-compensate-{hook.replace('=', '-')}-{short(asked)}-{made[1].plan.digest[:8]}"
    folder = Path(out) if out is not None else RUNS / label
    claim(folder, "compensate", game)
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    runs: dict[str, Any] = arms.play_arms(made, folder, show, **how)
    given = tuple(runs[f"seat{seat}"] for seat in range(seats))
    what = (chosen.name, chosen.meaning, amount, sizes.share)
    done = compensations.Compensation(runs[CONTROL], given, None, *what)
    only = [seat for seat in range(seats) if done.whole[seat]]
    if done.works and len(only) == 1 and _may_be(chosen, int(done.whole[only[0]])):
        fields = dict(treatment)
        if chosen.amount:
            fields[chosen.parameter] = int(done.whole[only[0]])
        fresh = {**options, "seed": racing.fresh_seed(base.seed)}
        plan = arms.treated(Request(game, asked, **fresh).plan(), fields, only[0])
        runs[CONFIRM] = arms.play_arms([arms.Arm(CONFIRM, plan)], folder, show, **how)[CONFIRM]
        done = compensations.Compensation(runs[CONTROL], given, runs[CONFIRM], *what)
    told = {
        "experiment": "compensate",
        "game": game,
        "hook": chosen.name,
        "meaning": chosen.meaning,
        "arms": list(runs),
        **done.told(),
    }
    arms.save(folder, told)
    if report:
        compensations.build(done, folder)
    return Compensated(folder, done, runs)


def _amount(hook: Hook, treatment: dict[str, int]) -> int:
    """How much of the bonus a seat gets: its value where that is an amount, else once."""
    if hook.of_table or hook.source:
        raise PlanError(f"--hook: '{hook.name}' is no bonus of a seat.")
    return treatment[hook.parameter] if hook.amount else 1


def _may_be(hook: Hook, amount: int) -> bool:
    """Whether the treatment can be given in this amount."""
    return hook.low <= amount <= hook.high if hook.amount else amount == 1


def _check(plan: Plan) -> None:
    """One table, whose seats differ; PlanError for others."""
    if len(plan.strata()) > 1:
        raise PlanError("compensate takes one number of players and one course, board or set-up.")
    cell = plan.cells[0]
    if cell.n_seats != cell.players:
        raise PlanError("compensate needs games in which every player has one seat.")
    if plan.seating != "rotate":
        raise PlanError("compensate needs --seating rotate: else a seat is also its style.")
    first = plan.rules[0].model.get("setup", {})
    if isinstance(first, dict) and first.get("first") == "random":
        raise PlanError(
            "The first seat is drawn by lot in these rules, so all chairs are alike: add "
            "--set setup.first=seat1 to ask for the bonus of the second, third, ... to start."
        )
