"""The command line's one app: exit codes, messages, tables.

Exit codes: 0 done or same, 1 failed or changed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from simulate import __version__
from simulate.errors import UserError

if TYPE_CHECKING:
    from reports.estimates import Estimate

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Safe(TyperGroup):
    """Shows what a user can mend as one message, never as a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; errors become messages and exit codes."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt as stop:
            _say_how_to_go_on(stop)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(DONE) from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            complain(f"{where}{error.strerror or error}.")
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


def _tell_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        print(f"simulate {__version__}")
        raise typer.Exit(DONE)


@app.callback()
def simulate(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=_tell_version, is_eager=True
        ),
    ] = False,
) -> None:
    """What stands before the commands."""


def complain(text: str) -> None:
    """One message on stderr."""
    print(f"simulate: {text}", file=sys.stderr)


def _say_how_to_go_on(stop: BaseException) -> None:
    """What Ctrl-C left, and the command that goes on."""
    if hasattr(stop, "kept"):
        complain(f"interrupted; {stop}. Nothing half-written is left.")
        print(f"To go on: {command_line()}", file=sys.stderr)
    else:
        complain("interrupted.")


def command_line() -> str:
    """The command that was typed, ready to be pasted."""
    import shlex

    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def told(e: Estimate, form: str, scale: float = 1.0) -> str:
    """An estimate with its 95 % interval for a table; ``form`` formats each number, as ".1%"."""
    if not e.n or e.value != e.value:
        return "not enough"
    value, low, high = (_shown(number * scale, form) for number in (e.value, e.low, e.high))
    return f"{value} (no interval)" if e.low != e.low else f"{value} ({low} … {high})"


@dataclass(frozen=True)
class Units:
    """How a number with an interval is told: shares of 1 in percent, their differences in points."""

    share: bool
    digits: int
    unit: str = ""  # of a difference that is none of shares

    @classmethod
    def of(cls, low: float, high: float, *, share: bool, unit: str = "") -> Units:
        """As many decimals as the interval allows."""
        from reports import wording

        half = (high - low) / 2 * (100 if share else 1)
        return cls(share, wording.digits_for(half) if half > 0 else 2, unit)

    def value(self, number: float) -> str:
        """25.1%, 21.3."""
        return f"{self._number(number)}{'%' if self.share else ''}"

    def gap(self, number: float) -> str:
        """A difference: +1.2 pp, −0.4 rounds."""
        plus = "+" if number > 0 else ""
        return f"{plus}{self._number(number)} {'pp' if self.share else self.unit}".rstrip()

    def ends(self, low: float, high: float) -> str:
        """An interval without its unit, or why there is none."""
        from reports import wording

        return wording.missing(low, high) or f"{self._number(low)} … {self._number(high)}"

    def _number(self, number: float) -> str:
        from reports import wording

        return wording.number(number * (100 if self.share else 1), self.digits)


def _shown(number: float, form: str) -> str:
    """A number with a true minus, and none before nothing."""
    text = format(number, form)
    if not text.strip("+-0.,%"):
        text = text.lstrip("+-")
    return text.replace("-", "\u2212")


def print_table(title: str, columns: list[str], rows: list[list[Any]], **style: Any) -> None:
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
