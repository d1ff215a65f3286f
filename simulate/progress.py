"""How far a run is: a bar with games per second and time left on a terminal, plain lines elsewhere.

Always on stderr, so that what a command prints can be piped.
"""

from __future__ import annotations

import sys
import time
from typing import Any

_LINE_EVERY = 15.0  # seconds between plain lines


def pace(speed: float) -> str:
    """Games a second: 1,234 or 0.07."""
    return f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"


class Silent:
    """Shows nothing: the progress of ``simulate.run`` called from a program."""

    def say(self, text: str) -> None:
        """One line about what happens."""

    def begin(self, total: int, done: int) -> None:
        """A run of ``total`` games begins, ``done`` of them kept from before."""

    def tick(self, games: int) -> None:
        """So many games more are played; called from any thread."""

    def end(self) -> None:
        """The run is over or interrupted."""


class Lines(Silent):
    """Plain lines, one every few seconds."""

    def __init__(self) -> None:
        self.total = self.done = 0
        self.began = self.last = 0.0
        self.first = 0

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def begin(self, total: int, done: int) -> None:
        self.total, self.done, self.first = total, done, done
        self.began = self.last = time.monotonic()

    def tick(self, games: int) -> None:
        self.done += games
        now = time.monotonic()
        if now - self.last >= _LINE_EVERY:
            self.last = now
            speed = (self.done - self.first) / (now - self.began)
            left = (self.total - self.done) / max(speed, 1e-9)
            self.say(
                f"{self.done:,} of {self.total:,} games, {pace(speed)} games/s, {left:,.0f} s left"
            )


class Bar(Silent):
    """A progress bar."""

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(stderr=True)
        self.bar: Any = None
        self.task: Any = None

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False)

    def begin(self, total: int, done: int) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f}%"),
            TextColumn("{task.fields[speed]} games/s"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=self.console,
            transient=True,
        )
        self.began, self.first = time.monotonic(), done
        self.task = self.bar.add_task("", total=total, completed=done, speed="…")
        self.bar.start()

    def tick(self, games: int) -> None:
        self.bar.advance(self.task, games)
        done = self.bar.tasks[0].completed - self.first
        speed = done / max(time.monotonic() - self.began, 1e-9)
        self.bar.update(self.task, speed=pace(speed))

    def end(self) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None


def for_terminal() -> Silent:
    """A bar on a terminal, plain lines otherwise."""
    return Bar() if sys.stderr.isatty() else Lines()
