"""One position on the engine: set up, answered in words, its rows to look at."""

from __future__ import annotations

import json
from typing import Any

from simulate import rules
from simulate.games.skull_canyon import entries, position, words

ROOM = 2000  # events of a position


class Table:
    """A position in the form of scripted cases, its steps as plain tokens, what is forced by seat.

    ``run`` is one event or a list of them. ``asked`` keeps (seat, question, options) of all
    questions; ``events`` what was told.
    """

    def __init__(
        self,
        run: dict[str, Any] | list[dict[str, Any]],
        steps: list[str] | None = None,
        *,
        players: int = 3,
        changes: dict[str, Any] | None = None,
        hooks: dict[int, dict[str, int]] | None = None,
        **start: Any,
    ) -> None:
        case = {"players": players, "start": start, "rules": changes or {}, "run": run}
        resolved = rules.load("skull_canyon", overrides=position.overrides(case))
        self.record, self.vocabularies = resolved.record[0], resolved.vocabularies
        self.state, self.work = position.setup(case, self.record, self.vocabularies)
        for seat, fields in (hooks or {}).items():
            for name, value in fields.items():
                self.state["treatment"][seat][name] = value
        self.log = entries.new_events(ROOM)
        self.asked: list[tuple[int, str, list[str]]] = []
        self.steps = list(steps or [])
        for one in run if isinstance(run, list) else [run]:
            position.begin(self.state, self.record, self.work, json.dumps(one))
            entries.resume(self.state, self.record, self.work, self.log)
            self._answer()
        assert self.steps == [], "steps that did not come up"

    def _answer(self) -> None:
        while self.state["phase"] >= 0:
            told = words.options(self.state, self.record, self.work, self.vocabularies)
            question = words.question(int(self.state["phase"]))
            self.asked.append((int(self.state["to_move"]), question, told))
            assert self.steps, f"{self.asked[-1]} is not in the steps"
            code = int(self.work["options"][told.index(self.steps.pop(0))])
            entries.apply(self.state, self.record, self.work, self.log, code)

    @property
    def game(self) -> Any:
        """The game's row as far as it has been filled."""
        return self.state["game_rows"][0]

    def seat(self, seat: int) -> Any:
        """A seat's row as far as it has been filled."""
        return self.state["seat_rows"][seat]

    def use(self, seat: int, gear: str) -> int:
        """How often a gear card of a seat had an effect."""
        return int(self.seat(seat)["gear_use"][list(self.vocabularies["gear"]).index(gear)])

    @property
    def events(self) -> list[dict[str, Any]]:
        """What was told, as dicts."""
        rows = self.log[: int(self.state["n_events"])]
        return words.events(rows, self.record, self.vocabularies)

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What was told of one kind."""
        return [event for event in self.events if event["event"] == kind]

    def finished(self) -> tuple[Any, Any]:
        """The rows when all is over."""
        games, seats = entries.new_rows()
        entries.finish(self.state, self.record, games, seats)
        return games[0], seats
