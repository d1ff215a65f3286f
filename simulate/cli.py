"""The command line: parse, call, print. What is heavy is imported inside the commands.

Exit codes: 0 done or same, 1 failed or changed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from simulate.errors import UserError

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Safe(TyperGroup):
    """Shows what a user can mend as one message, never as a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; errors become messages and exit codes."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            _complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt as stop:
            _say_how_to_go_on(stop)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(DONE) from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            _complain(f"{where}{error.strerror or error}.")
            raise typer.Exit(FAILED) from None


app = typer.Typer(
    cls=Safe,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="A balance laboratory for board games: play seeded games, say what is fair.",
)
cache_app = typer.Typer(
    cls=Safe,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The compiled code that is kept on disk.",
)
app.add_typer(cache_app, name="cache")


def _complain(text: str) -> None:
    """One message on stderr."""
    print(f"simulate: {text}", file=sys.stderr)


def _say_how_to_go_on(stop: BaseException) -> None:
    """What Ctrl-C left, and the command that goes on."""
    if hasattr(stop, "kept"):
        _complain(f"interrupted; {stop}. Nothing half-written is left.")
        print(f"To go on: {command_line()}", file=sys.stderr)
    else:
        _complain("interrupted.")


def command_line() -> str:
    """The command that was typed, ready to be pasted."""
    import shlex

    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def _print_table(title: str, columns: list[str], rows: list[list[Any]], **style: Any) -> None:
    """A table on stdout: drawn on a terminal, tabs between the fields when piped."""
    if not sys.stdout.isatty():
        print("\t".join(columns))
        for row in rows:
            print("\t".join(str(field).replace("\n", " ") for field in row))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", **style)
    for number, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=number == 0)
    for row in rows:
        table.add_row(*[str(field) for field in row])
    Console().print(table, markup=False)


# ---------------------------------------------------------------- options shared by commands


class Records(StrEnum):
    """What a run keeps."""

    full = "full"
    summary = "summary"


class Seating(StrEnum):
    """Who sits where."""

    rotate = "rotate"
    fixed = "fixed"
    random = "random"


class Backend(StrEnum):
    """Who plays the shards."""

    threads = "threads"
    loky = "loky"
    dask = "dask"


class Format(StrEnum):
    """How a game is told."""

    text = "text"
    jsonl = "jsonl"


def _option(*names: str, help: str, **more: Any) -> Any:  # noqa: A002 - typer's word
    return typer.Option(*names, help=help, show_default=more.pop("show_default", False), **more)


Game = Annotated[str, _option("--game", "-g", help="Game: see `simulate games`.")]
GameArgument = Annotated[
    str, typer.Argument(help="Game: see `simulate games`.", show_default=False)
]
N = Annotated[str, _option("--n", "-n", help="Games: 1e6, 250k, 2M, 1_000_000.")]
Players = Annotated[str | None, _option("--players", "-p", help="A count, a list (3,4) or all.")]
Lineup = Annotated[
    list[str] | None,
    _option(
        "--lineup",
        "--strategies",
        help="Who plays: pacer,finisher:stam=1.1,random*2 or mix(a|b)*4. Once a player count.",
    ),
]
StrategyFile = Annotated[
    Path | None, _option("--strategy-file", help="A Python file with strategies of your own.")
]
Nations = Annotated[
    str | None,
    _option(
        "--nations", help="Who races: basic, advanced, mixed, or names; for games with nations."
    ),
]
Layout = Annotated[
    str | None,
    _option("--course", "--board", "--setup", help="Course, board or set-up; several with commas."),
]
SeatingOption = Annotated[
    Seating, _option("--seating", help="rotate: every rotation plays the same dice (default).")
]
Set = Annotated[list[str] | None, _option("--set", help="Change a rule: range.lap_length=4.")]
RulesFiles = Annotated[
    list[Path] | None, _option("--rules", help="A TOML file laid over the rules.")
]
Variant = Annotated[
    list[str] | None,
    _option("--variant", help="An overlay that ships: see `simulate rules GAME --variants`."),
]
Seed = Annotated[int, _option("--seed", "-s", help="Root seed.", show_default=True)]
Jobs = Annotated[
    int | None, _option("--jobs", "-j", help="Workers; all cores by default.", min=1, max=1024)
]
Chunk = Annotated[int | None, _option("--chunk", help="Blocks between two looks at Ctrl-C.", min=1)]
BackendOption = Annotated[Backend, _option("--backend", help="Who plays: threads, loky, dask.")]
Out = Annotated[Path | None, _option("--out", "-o", help="Folder; runs/… by default.")]
Report = Annotated[
    bool, _option("--report/--no-report", help="Write the report at the end (default).")
]


def _options(
    players: str | None,
    lineup: list[str] | None,
    strategy_file: Path | None,
    nations: str | None,
    layout: str | None,
    seating: Seating,
    set_: list[str] | None,
    rules: list[Path] | None,
    variant: list[str] | None,
    seed: int,
) -> dict[str, Any]:
    """The plan options of a command, as ``Request`` takes them."""
    return {
        "players": players,
        "lineup": tuple(lineup or ()),
        "strategy_file": strategy_file,
        "nations": nations,
        "layout": layout,
        "seating": seating.value,
        "set": tuple(set_ or ()),
        "rules": tuple(rules or ()),
        "variant": tuple(variant or ()),
        "seed": seed,
    }


def _polars_threads(jobs: int | None) -> None:
    """A pool with one thread a worker: whoever writes waits for it, so cores are never oversold.

    Must be said before Polars is imported; the bytes that are written do not depend on it.
    """
    from simulate.cores import default_jobs

    os.environ.setdefault("POLARS_MAX_THREADS", str(jobs or default_jobs()))


# ---------------------------------------------------------------- runs


@app.command()
def run(
    game: Game,
    n: N = "100k",
    players: Players = None,
    lineup: Lineup = None,
    strategy_file: StrategyFile = None,
    nations: Nations = None,
    layout: Layout = None,
    seating: SeatingOption = Seating.rotate,
    set_: Set = None,
    rules: RulesFiles = None,
    variant: Variant = None,
    seed: Seed = 1,
    records: Annotated[
        Records, _option("--records", help="full: a row a game and a seat; summary: sums only.")
    ] = Records.full,
    equal: Annotated[
        bool,
        _option("--equal/--no-equal", help="Also play equal strategies on all seats (default)."),
    ] = True,
    precision: Annotated[
        str | None, _option("--precision", help="Go on until win_rate=0.2pp (or rounds=0.05).")
    ] = None,
    max_n: Annotated[
        str | None, _option("--max-n", help="Most games with --precision (10M).")
    ] = None,
    jobs: Jobs = None,
    chunk: Chunk = None,
    backend: BackendOption = Backend.threads,
    out: Out = None,
    report: Report = True,
) -> None:
    """Play games into a run folder and write its report.

    The same command goes on where it was interrupted.

    Example: simulate run --game biathlon --n 1e6 --seed 7
    """
    _polars_threads(jobs)
    from simulate import api

    if max_n is not None and precision is None:
        raise typer.BadParameter("is the cap of --precision; give both.", param_hint="--max-n")
    done = api.run(
        game,
        n,
        out=out,
        jobs=jobs,
        chunk=chunk,
        backend=backend.value,
        precision=precision,
        max_n=max_n,
        progress=True,
        records=records.value,
        equal=equal,
        **_options(
            players, lineup, strategy_file, nations, layout, seating, set_, rules, variant, seed
        ),
    )
    _tell(done, report)


@app.command()
def extend(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    n: Annotated[str, _option("--n", "-n", help="Games that the run shall have in all.")],
    jobs: Jobs = None,
    chunk: Chunk = None,
    backend: BackendOption = Backend.threads,
    report: Report = True,
) -> None:
    """Make a run longer.

    The result equals one longer run, byte for byte.

    Example: simulate extend runs/biathlon-1M-0c4e9f21 --n 2e6
    """
    _polars_threads(jobs)
    from simulate import api

    done = api.extend(run, n, jobs=jobs, chunk=chunk, backend=backend.value, progress=True)
    _tell(done, report)


def _tell(done: Any, report: bool) -> None:
    """What a run came to, and its report."""
    measured = done.measured
    speed = measured.get("games_per_second", 0)
    print(
        f"{done.plan.n:,} games in {done.path} "
        f"({speed:,.0f} games/s on {measured.get('jobs')} workers).",
        file=sys.stderr,
    )
    if report:
        print(_write_report(done))
    else:
        print(done.path)


def _write_report(done: Any, **options: Any) -> Path:
    """Build the report of a run."""
    from importlib import import_module

    reports = import_module("reports")
    if not hasattr(reports, "build"):
        raise UserError(
            "This installation has no reports: the run is complete, its report is not made."
        )
    return reports.build(done, **options)


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    out: Annotated[
        Path | None, _option("--out", "-o", help="HTML file; report.html by default.")
    ] = None,
    strict: Annotated[
        bool, _option("--strict", help="A section that cannot be made is an error.")
    ] = False,
) -> None:
    """Write the one-file HTML report of a run.

    Example: simulate report runs/biathlon-1M-0c4e9f21
    """
    from simulate.store import open_run

    options: dict[str, Any] = {}
    if out is not None:
        options["out"] = out
    if strict:
        options["strict"] = True
    print(_write_report(open_run(run), **options))


@app.command()
def verify(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    sample: Annotated[
        int, _option("--sample", help="Games to play again.", min=0, show_default=True)
    ] = 20,
    steps: Annotated[
        bool, _option("--steps", help="Play them decision by decision, as a replay does.")
    ] = False,
) -> None:
    """Check the files of a run.

    Hashes of all files, and a random sample of games played again.

    Exit code 1 when something differs.

    Example: simulate verify runs/biathlon-1M-0c4e9f21
    """
    from simulate.store import open_run
    from simulate.verify import verify as check

    opened = open_run(run)
    problems = check(opened, sample, steps=steps)
    for problem in problems:
        print(problem)
    if problems:
        raise typer.Exit(FAILED)
    print(
        f"{run}: all agrees ({opened.plan.n:,} games, shards: {len(opened.shards)}, "
        f"games replayed: {sample})."
    )


@app.command()
def replay(
    run: Annotated[
        Path | None,
        typer.Argument(help="Run folder (or --game and plan options).", show_default=False),
    ] = None,
    number: Annotated[
        int | None, typer.Argument(help="Game of the run.", show_default=False)
    ] = None,
    game: Annotated[str | None, _option("--game", "-g", help="Game, without a run folder.")] = None,
    game_id: Annotated[int | None, _option("--game-id", help="Game of the plan, from 0.")] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Format, _option("--format", help="text: plain words; jsonl: one object an event.")
    ] = Format.text,
    players: Players = None,
    lineup: Lineup = None,
    strategy_file: StrategyFile = None,
    nations: Nations = None,
    layout: Layout = None,
    seating: SeatingOption = Seating.rotate,
    set_: Set = None,
    rules: RulesFiles = None,
    variant: Variant = None,
    seed: Seed = 1,
) -> None:
    """Tell one game, in plain words or as JSON Lines for a referee.

    Example: simulate replay runs/biathlon-1M-0c4e9f21 4711

    Example: simulate replay --game biathlon --seed 7 --game-id 12 --format jsonl
    """
    from simulate.replay import replay as tell

    if run is not None and game is not None:
        raise typer.BadParameter(
            "give either a run folder or --game, not both.", param_hint="--game"
        )
    which = number if number is not None else game_id
    if which is None:
        raise UserError("Which game? Give its number: simulate replay RUN 12, or --game-id 12.")
    if run is not None:
        from simulate.store import open_run

        told = tell(open_run(run), which)
    elif game is not None:
        options = _options(
            players, lineup, strategy_file, nations, layout, seating, set_, rules, variant, seed
        )
        told = tell(game, which, **options)
    else:
        raise UserError("Which run? Give a run folder, or --game with --game-id and plan options.")
    told.play()
    if format is Format.text:
        print(told.text())
        return
    for event in told.events:
        print(json.dumps(event, ensure_ascii=False))


@app.command()
def script(
    file: Annotated[
        Path, typer.Argument(help="JSON: one case, a list, or JSON Lines.", show_default=False)
    ],
    as_json: Annotated[
        bool, _option("--json", help="Print end states and questions as JSON Lines.")
    ] = False,
) -> None:
    """Play scripted positions from a file.

    Says what differs from what they expect.

    Exit code 1 when a case differs.

    Example: simulate script cases.json
    """
    from simulate.script import script as play

    outcomes = play(file)
    failed = 0
    for outcome in outcomes:
        failed += not outcome.passed
        if as_json:
            print(json.dumps(outcome.as_dict(), ensure_ascii=False, default=str))
            continue
        print(f"{'passed' if outcome.passed else 'DIFFERS'}  {outcome.id or '(no id)'}")
        for difference in outcome.differences:
            print(f"    {difference}")
    if not as_json:
        print(f"{len(outcomes) - failed} of {len(outcomes)} cases passed.")
    if failed:
        raise typer.Exit(FAILED)


# ---------------------------------------------------------------- what there is


@app.command()
def games() -> None:
    """List the games.

    Example: simulate games
    """
    from simulate import registry

    rows = [
        [g.name, g.title, ",".join(str(p) for p in g.players), g.rules_version, g.summary]
        for g in registry.games()
    ]
    _print_table("Games", ["game", "title", "players", "rules", "what it is"], rows)


@app.command()
def rules(
    game: GameArgument,
    variants: Annotated[bool, _option("--variants", help="List the overlays that ship.")] = False,
    changed: Annotated[
        bool, _option("--changed", help="Only what differs from the shipped rules.")
    ] = False,
    set_: Set = None,
    files: RulesFiles = None,
    variant: Variant = None,
) -> None:
    """Print the rules of a game.

    Every rule with its value, its source and its alternatives.

    Example: simulate rules biathlon --set range.lap_length=4
    """
    from simulate import registry
    from simulate import rules as loader

    registry.folder(game)
    if variants:
        rows = [[v.name, v.summary] for v in loader.variants(game)]
        _print_table(f"Variants of {game}", ["variant", "what it changes"], rows)
        return
    found = loader.load(game, variant or (), files or (), set_ or ())
    rows = []
    for row in found.provenance:
        if changed and not row["changed"]:
            continue
        other = row.get("alternatives")
        rows.append(
            [
                row["key"],
                loader.show(row["value"]) + (" (changed)" if row["changed"] else ""),
                row.get("source") or "",
                "" if other in (None, []) else loader.show(other),
            ]
        )
    _print_table(
        f"Rules of {game} (digest {found.digest[:12]})",
        ["key", "value", "source", "alternatives"],
        rows,
        show_lines=False,
    )
    for warning in found.warnings:
        print(f"Note: {warning}", file=sys.stderr)


@app.command()
def strategies(
    game: GameArgument,
    strategy_file: StrategyFile = None,
) -> None:
    """List the strategies of a game.

    With their parameters, and the default line-ups.

    Example: simulate strategies biathlon
    """
    from simulate import registry

    book = registry.load(game, strategy_file).book if strategy_file else registry.book(game)
    rows = []
    for one in book.strategies:
        params = " ".join(f"{p.name}={p.default:g}" for p in one.params if not _as_another(p))
        rows.append([one.name, one.summary, params])
    _print_table(f"Strategies of {game}", ["strategy", "how it plays", "parameters"], rows)
    _print_params(book)
    lines = [[count, text] for count, text in sorted(book.default_lineup.items())]
    print()
    _print_table("Default line-ups", ["players", "line-up"], lines)


def _as_another(param: Any) -> bool:
    """Whether a parameter is left as the one that it follows."""
    return bool(param.follows) and param.default == param.low


def _print_params(book: Any) -> None:
    """Every parameter once, with bounds and meaning; those that follow another beside it."""
    params = {param.name: param for one in book.strategies for param in one.params}
    followers: dict[str, list[str]] = {}
    for param in params.values():
        if param.follows:
            first = param.follows
            while params[first].follows:
                first = params[first].follows
            followers.setdefault(first, []).append(param.name)
    rows = [
        [p.name, f"{p.low:g}", f"{p.high:g}", p.meaning, ", ".join(followers.get(p.name, []))]
        for p in params.values()
        if not p.follows
    ]
    if not rows:
        return
    print()
    columns = ["parameter", "low", "high", "meaning", "from a later point on"]
    _print_table("Parameters", columns, rows)


@app.command()
def treatments(game: GameArgument) -> None:
    """List what an experiment can force or grant in a game.

    Example: simulate treatments biathlon
    """
    from simulate import registry

    rows = []
    for hook in registry.game(game).module("words").TREATMENTS:
        fields = ", ".join(f"{name} = {value}" for name, value in hook.fields.items())
        values = f"{hook.low} to {hook.high}" if hook.parameter else ""
        rows.append([hook.name, hook.meaning, fields, values, hook.questions])
    _print_table(
        f"Treatments of {game}",
        ["treatment", "the treated seat …", "sets", "values", "questions"],
        rows,
    )


@app.command()
def treat(
    game: GameArgument,
    hook: Annotated[
        str,
        _option("--hook", help="Treatment, or treatment=value: see `simulate treatments GAME`."),
    ],
    n: N = "50k",
    target: Annotated[
        str,
        _option("--target", help="random: a drawn seat; all; or a seat from 0.", show_default=True),
    ] = "random",
    measure: Annotated[
        list[str] | None,
        _option("--measure", help="Columns to compare; win share, rank, … by default."),
    ] = None,
    players: Players = None,
    lineup: Lineup = None,
    strategy_file: StrategyFile = None,
    nations: Nations = None,
    layout: Layout = None,
    seating: SeatingOption = Seating.rotate,
    set_: Set = None,
    rules: RulesFiles = None,
    variant: Variant = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    chunk: Chunk = None,
    backend: BackendOption = Backend.threads,
    out: Out = None,
) -> None:
    """Measure what a treatment does.

    Plays the same games with and without it; the paired effect with its interval.

    Example: simulate treat biathlon --hook stamina_plus --n 100k
    """
    _polars_threads(jobs)
    from simulate.experiments.treat import treat as experiment

    done = experiment(
        game,
        hook,
        n,
        target=target,
        measures=measure or (),
        out=out,
        jobs=jobs,
        chunk=chunk,
        backend=backend.value,
        progress=True,
        **_options(
            players, lineup, strategy_file, nations, layout, seating, set_, rules, variant, seed
        ),
    )
    rows = [
        [
            e.measure, e.who, e.stratum, f"{e.control:.4f}", f"{e.treated:.4f}",
            f"{e.difference:+.4f}", f"{e.low:+.4f} … {e.high:+.4f}",
        ]
        for e in done.effects
    ]  # fmt: skip
    _print_table(
        f"{done.hook}: {done.meaning}",
        ["measure", "of", "games", "without", "with", "difference", "95 % interval"],
        rows,
    )
    print(f"Both arms are in {done.folder}.", file=sys.stderr)


# ---------------------------------------------------------------- cache


@cache_app.command("clear")
def cache_clear() -> None:
    """Delete all compiled code; the next start compiles again.

    Example: simulate cache clear
    """
    from simulate import registry

    folders, size = registry.clear_cache()
    print(f"{folders} folders with {size / 1e6:.1f} MB of compiled code are deleted.")


@cache_app.command("warm")
def cache_warm(
    game: Annotated[str, typer.Argument(help="The game; all games without it.")] = "",
) -> None:
    """Compile what runs, replays and scripted positions need, so that later starts are quick.

    Example: simulate cache warm biathlon
    """
    from simulate import api

    for name in [game] if game else [known.name for known in api.games()]:
        api.warm(name, say=_complain)


@cache_app.command("show")
def cache_show() -> None:
    """Say where compiled code is kept.

    Example: simulate cache show
    """
    from simulate import registry

    print(registry.cache_root())


def main() -> None:
    """The ``simulate`` command."""
    app()


if __name__ == "__main__":
    main()
