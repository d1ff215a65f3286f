"""The public functions: a run in one line. The command line calls these, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from simulate import registry
from simulate.count import count
from simulate.game import Game
from simulate.plan import Plan
from simulate.progress import Silent, for_terminal
from simulate.store import Run

RUNS = Path("runs")


def games() -> list[Game]:
    """Facts of all games."""
    return registry.games()


def strategies(game: str) -> Any:
    """The strategy book of a game."""
    return registry.book(game)


def load_rules(
    game: str,
    variants: Sequence[str] = (),
    files: Sequence[str | Path] = (),
    overrides: Sequence[str] | Mapping[str, Any] = (),
) -> Any:
    """Resolved rules of a game: shipped files, variants, overlay files, ``key=value`` overrides."""
    from simulate import rules

    registry.folder(game)
    return rules.load(game, variants, files, overrides)


def run(
    game: str,
    n: int | str = 10_000,
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    precision: str | None = None,
    max_n: int | str | None = None,
    progress: Silent | bool | None = None,
    **options: Any,
) -> Run:
    """Play ``n`` games (rounded up to whole blocks) and open the run.

    ``options`` are those of ``simulate.request.Request``: players, lineup, strategy_file, layout,
    nations, seating, set, rules, variant, seed, records, equal, treatment, target. The same call
    goes on with a run that was interrupted, and opens one that is finished.
    """
    from simulate import session
    from simulate.request import Request

    show = progress_of(progress)
    asked = count(n)
    plan = Request(game, asked, **options).plan()
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    if precision is not None:
        from simulate import precision as precise

        wanted = precise.target(precision)
        most = count(max_n, "--max-n") if max_n is not None else precise.DEFAULT_CAP
        folder = Path(out) if out is not None else default_folder(plan, f"to-{wanted.column}")
        return precise.play(plan, folder, wanted, most=most, progress=show, **how)
    if plan.n != asked:
        show.say(
            f"{asked:,} games are rounded up to {plan.n:,}: whole blocks of {plan.k} games "
            "that share their dice."
        )
    folder = Path(out) if out is not None else default_folder(plan, short(asked))
    return session.play(plan, folder, progress=show, **how)


def extend(
    path: str | Path,
    n: int | str,
    *,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
) -> Run:
    """Make a run ``n`` games long; the result equals one longer run, byte for byte."""
    from simulate import session, store
    from simulate.errors import StoreError

    show = progress_of(progress)
    there = store.open_run(path)
    check_engine(there)
    asked = count(n)
    plan = there.plan.with_games(asked)
    if plan.n < there.plan.n:
        raise StoreError(f"{path} holds {there.plan.n:,} games already, more than {plan.n:,}.")
    if plan.n != asked:
        show.say(f"{asked:,} games are rounded up to {plan.n:,}: whole blocks of {plan.k} games.")
    return session.play(
        plan, path, jobs=jobs, chunk=chunk, backend=backend, progress=show, longer=True
    )


def check_engine(run: Run) -> None:
    """StoreError when the engine's sources are no longer those that played the run."""
    from simulate.errors import StoreError

    now = registry.engine_digest(run.plan.game, run.plan.strategy_text)
    if now != run.plan.engine:
        raise StoreError(
            f"{run.path} was played by another version of the engine "
            f"({run.plan.engine[:12]}, now {now[:12]}): this one cannot play its games again."
        )


def treat(game: str, hook: str, n: int | str = 50_000, **options: Any) -> Any:
    """The paired effect of a treatment, see ``simulate.experiments.treat``."""
    from simulate.experiments import treat as experiment

    return experiment.treat(game, hook, n, **options)


def progress_of(given: Silent | bool | None) -> Silent:
    """The progress to show: none unless asked for."""
    if isinstance(given, Silent):
        return given
    return for_terminal() if given else Silent()


def default_folder(plan: Plan, label: str) -> Path:
    """Where a run goes by default: the same plan finds the same folder again."""
    return RUNS / f"{plan.game}-{label}-{plan.digest[:8]}"


def short(n: int) -> str:
    """A number of games in a folder's name: 250k, 1M."""
    for factor, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if n % factor == 0:
            return f"{n // factor}{letter}"
    return str(n)


def warm(game: str, say: Callable[[str], None] | None = None) -> None:
    """Compile every entry of a game, or read it from the cache: batch, step by step, rollouts."""
    from simulate.batch import warm_up
    from simulate.experiments.rollouts_files import play_first
    from simulate.request import Request
    from simulate.steps import single_game

    plan = Request(game, 1).plan()
    warm_up(plan, say)
    single_game(plan, 0)
    play_first(plan)
