"""What is each option worth? Positions of real games, every option played out on the same futures.

    simulate rollouts biathlon --n 400
    simulate rollouts skull_canyon --question CLAIM --n 2k

Games of the line-up are played (``arms/games``), decisions are drawn from them, and from each drawn
position every option is played to the end ``--rollouts`` times by the same strategies. Rollout r of
all options of a position meets the same future, drawn anew and independent of the real one. Out come
how much decisions weigh, where the strategies choose badly, whether somebody without a stake decides
who wins, and what single acts are worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulate import registry, session, store
from simulate.api import RUNS, progress_of, short
from simulate.count import count
from simulate.errors import PlanError, StoreError
from simulate.experiments import arms, rollouts_files
from simulate.experiments.folder import claim
from simulate.experiments.rollouts_positions import ALL, Asked
from simulate.plan import Plan
from simulate.progress import Silent
from simulate.request import Request
from simulate.session import Interrupted
from simulate.store import Run
from simulate.texts import as_list

if TYPE_CHECKING:
    import polars as pl

    from reports.experiments.rollouts_findings import Study
    from reports.experiments.rollouts_values import Thresholds

DEFAULT_GAMES = 400
DEFAULT_DECISIONS = 4
DEFAULT_ROLLOUTS = 64
DEFAULT_OPTIONS = 8
MOST = {"decisions": 100_000, "rollouts": 10_000, "options": 1000}
LEAST = {"decisions": 1, "rollouts": 4, "options": 2}
ARM = "games"


@dataclass(frozen=True, eq=False)
class Rollouts:
    """Finished rollouts: where they lie, the games they came from, what they found."""

    folder: Path
    run: Run
    study: Study

    @property
    def frame(self) -> pl.DataFrame:
        """What decisions weigh: a row a question and kind of games."""
        return _frame(self.study, "weight_rows")

    @property
    def regret(self) -> pl.DataFrame:
        """What choices cost: a row a strategy and question."""
        return _frame(self.study, "regret_rows")

    @property
    def kingmaking(self) -> pl.DataFrame:
        """Decisions without a stake that decide for others: a row a question."""
        return _frame(self.study, "king_rows")

    @property
    def acts(self) -> pl.DataFrame:
        """What acts are worth: a row a question and kind of act."""
        return _frame(self.study, "act_rows")

    @property
    def values(self) -> pl.DataFrame:
        """Every position looked at with its values."""
        return self.study.values

    @property
    def options(self) -> pl.DataFrame:
        """Every option tried, with the ends of all its rollouts (win shares in 840ths)."""
        return rollouts_files.read(self.run.plan, self.folder, "options")


def rollouts(
    game: str,
    n: int | str = DEFAULT_GAMES,
    *,
    decisions: int | str = DEFAULT_DECISIONS,
    rollouts: int | str = DEFAULT_ROLLOUTS,
    options: int | str = DEFAULT_OPTIONS,
    questions: Sequence[str] = (),
    matters: str = "5pp",
    own: str = "5pp",
    swing: str = "10pp",
    out: str | Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    backend: str = "threads",
    progress: Silent | bool | None = None,
    report: bool = True,
    **more: Any,
) -> Rollouts:
    """Play games, roll out positions, say what was found. ``more``: options of ``Request``.

    ``decisions``: looked at a game, or "all". ``options``: most tried a position. ``questions``: only
    these, by name. ``matters``, ``own``, ``swing``: thresholds in points of win share, see
    ``reports.experiments.rollouts_values.Thresholds``.
    """
    from reports.experiments import rollouts as page

    show = progress_of(progress)
    asked = _asked(game, decisions, rollouts, options, questions)
    limits = _limits(matters, own, swing)
    if backend != "threads":
        raise PlanError("--backend: rollouts are played by threads.")
    more.setdefault("equal", False)
    plan = Request(game, count(n), **more).plan()
    if plan.records != "full":
        raise PlanError("rollouts starts from single games: it needs --records full.")
    if not hasattr(plan.open_engine().play, "play_on"):
        raise PlanError(f"{game} cannot be rolled out: its strategies offer no `play_on`.")
    folder = Path(out) if out is not None else RUNS / _label(plan, count(n), asked)
    claim(folder, "rollouts", game)
    _same_as_before(folder, asked)
    if plan.n != count(n):
        show.say(f"{count(n):,} games are rounded up to {plan.n:,}: blocks of {plan.k} games.")
    how: dict[str, Any] = {"jobs": jobs, "chunk": chunk, "backend": backend}
    run = session.play(plan, folder / "arms" / ARM, progress=show, longer=True, **how)
    begun = {"experiment": "rollouts", "game": game, "arms": [ARM], "asked": asdict(asked)}
    if not (folder / arms.EXPERIMENT_FILE).is_file():
        arms.save(folder, {**begun, "state": "begun"})
    _roll_out(plan, asked, folder, jobs, show)
    study = _study(run, folder, asked, limits)
    arms.save(folder, {**begun, **_told(study)})
    if report:
        page.build(study, folder)
    return Rollouts(folder, store.open_run(folder / "arms" / ARM), study)


def _roll_out(plan: Plan, asked: Asked, folder: Path, jobs: int | None, show: Silent) -> None:
    """Roll out what is missing; an interruption keeps what is finished."""
    from reports.estimates import MIN_CLUSTERS

    show.say(f"Rolling out decisions of {plan.n:,} games.")
    if plan.blocks < MIN_CLUSTERS:
        show.say(
            f"Blocks of games on the same dice: {plan.blocks}. Fewer than {MIN_CLUSTERS} give no "
            "verdicts."
        )
    if not rollouts_files.warm(plan):
        show.say("Compiling rollouts for this machine: once, a minute or two.")
    done = [0]

    def tick(games: int) -> None:
        done[0] += games
        show.tick(games)

    def begin(total: int, kept: int) -> None:
        done[0] = kept
        show.begin(total, kept)

    try:
        rollouts_files.play_missing(plan, asked, folder, jobs, begin, tick)
    except KeyboardInterrupt:
        kept = sum(
            len(rollouts_files.blocks_of(plan, shard)) * plan.k
            for shard in range(rollouts_files.shards_of(plan))
            if rollouts_files.finished(plan, asked, shard, folder)
        )
        raise Interrupted(folder, kept, plan.n) from None
    finally:
        show.end()


def _study(run: Run, folder: Path, asked: Asked, limits: Thresholds) -> Study:
    """What the finished files tell."""
    import polars as pl

    from reports.experiments import rollouts_values as values
    from reports.experiments.rollouts_findings import Study

    made = []
    for shard in range(rollouts_files.shards_of(run.plan)):
        rows, options = (
            rollouts_files.read_shard(folder, kind, shard) for kind in rollouts_files.KINDS
        )
        found = list(values.positions(rows, options))
        if found:
            made.append((values.value_rows(found, limits), values.act_rows(found)))
    if not made:
        asked_for = ", ".join(asked.questions)
        raise PlanError(f"--question: {asked_for} was not asked in {run.plan.n:,} games.")
    words = registry.game(run.plan.game).module("words")
    meanings = dict(getattr(words, "QUESTION_WORDS", {}))
    played: Any = run
    worth, acts = (pl.concat(parts) for parts in zip(*made, strict=True))
    return Study(played, worth, acts, asdict(asked), limits, meanings)


# ---------------------------------------------------------------- what is asked


def _asked(
    game: str,
    decisions: int | str,
    rollouts: int | str,
    options: int | str,
    questions: Sequence[str],
) -> Asked:
    """The numbers asked for, checked."""
    every = str(decisions).strip() == "all"
    return Asked(
        ALL if every else _number(decisions, "decisions"),
        _number(rollouts, "rollouts"),
        _number(options, "options"),
        _questions(game, questions),
    )


def _number(given: int | str, name: str) -> int:
    """A whole number in bounds."""
    try:
        value = int(given)
    except (TypeError, ValueError):
        also = " or all" if name == "decisions" else ""
        raise PlanError(f"--{name}: '{given}' is no whole number{also}.") from None
    if not LEAST[name] <= value <= MOST[name]:
        raise PlanError(
            f"--{name}: {value} is out of bounds, {LEAST[name]} to {MOST[name]:,}."
        )  # fmt: skip
    return value


def _questions(game: str, given: Sequence[str]) -> tuple[str, ...]:
    """Names of questions, each one of the game's."""
    names = as_list(given)
    known = getattr(registry.game(game).module("words"), "QUESTIONS", None)
    for name in names:
        if known is not None and name not in known:
            raise PlanError(f"--question: there is no '{name}'. Questions: {', '.join(known)}.")
    return tuple(sorted(set(names)))


def _limits(matters: str, own: str, swing: str) -> Thresholds:
    """Thresholds in points of win share."""
    from reports.experiments import margins
    from reports.experiments.rollouts_values import Thresholds

    found = {}
    for name, text in (("matters", matters), ("own", own), ("swing", swing)):
        if not str(text).strip().endswith("pp"):
            raise PlanError(f"--{name}: '{text}' is no threshold; write points of win share, 2pp.")
        size = margins.read([text], share=0.0, relative=0.0, option=f"--{name}").share
        if not 0 < size < 1:
            raise PlanError(f"--{name}: {text} is out of bounds, above 0pp and below 100pp.")
        found[name] = size
    return Thresholds(**found)


def _label(plan: Plan, n: int, asked: Asked) -> str:
    """The default folder's name: the same command finds it again."""
    import hashlib

    text = plan.digest + repr(asked)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{plan.game}-rollouts-{short(n)}-{digest}"


def _same_as_before(folder: Path, asked: Asked) -> None:
    """StoreError where a folder was begun with other numbers."""
    if not (folder / arms.EXPERIMENT_FILE).is_file():
        return
    before = arms.read(folder).get("asked")
    now = {**asdict(asked), "questions": list(asked.questions)}
    if before != now:
        raise StoreError(
            f"{folder} holds rollouts with other numbers ({_words(before)}); "
            "choose another folder with --out."
        )


def _words(asked: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{key} {value}" for key, value in (asked or {}).items() if value != [])


# ---------------------------------------------------------------- what is told


def _rows(study: Study, name: str) -> list[dict[str, Any]]:
    """Flat rows of all kinds of games."""
    from reports.section import flat_cells

    rows = []
    for stratum in study.strata:
        for row in getattr(study, name)(stratum):
            flat = {"games_of": stratum.label}
            for key, value in row.items():
                flat.update(flat_cells(key, value))
            rows.append(flat)
    return rows


def _frame(study: Study, name: str) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(_rows(study, name), infer_schema_length=None)


def _told(study: Study) -> dict[str, Any]:
    """What experiment.json holds."""
    from reports.experiments.rollouts import summary_lines

    return {
        "n": study.run.plan.n,
        "seed": study.run.plan.seed,
        "positions": len(study.values),
        "thresholds": asdict(study.limits),
        "verdict": summary_lines(study),
        "weight": _rows(study, "weight_rows"),
        "parts": _rows(study, "part_rows"),
        "regret": _rows(study, "regret_rows"),
        "kingmaking": _rows(study, "king_rows"),
        "standing": _rows(study, "standing_rows"),
        "acts": _rows(study, "act_rows"),
    }
