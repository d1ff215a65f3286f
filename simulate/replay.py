"""One game in plain words, as JSON objects, or step by step in one's own hands.

    simulate.replay(run, 12)                            a game of a run
    simulate.replay("biathlon", game_id=12, seed=7)     a game of a plan that was never run
    simulate.replay("biathlon", position={...})         a position, to play on from

gives a ``Replay``: ``state`` is a readable dict, ``options`` are words, ``apply`` takes one of them
(or its index), ``choose`` says what the seat's strategy would take, ``play`` plays on by itself.
``events`` tells everything that has happened, ``text()`` in sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from simulate.callable_module import make_callable
from simulate.errors import PlanError, UserError
from simulate.plan import Plan
from simulate.steps import Sitting

make_callable(__name__, __name__, "replay")


class Replay:
    """A game at the table, told in words."""

    def __init__(
        self, plan: Plan, game_id: int = 0, position: Mapping[str, Any] | None = None
    ) -> None:
        self.plan = plan
        self.game_id = game_id
        self._sitting = Sitting.of_game(plan, game_id, events=True)
        self._words = self._sitting.table.engine.words
        self.events: list[dict[str, Any]] = [] if position is not None else [self._setting()]
        if position is not None:
            self._set_up(position)
        self._collect()

    def __repr__(self) -> str:
        asked = "over" if self.over else f"{self.question} asked of seat {self.to_move}"
        return f"Replay({self.plan.game}, game {self.game_id}, {asked})"

    # ------------------------------------------------------------ what is seen

    @property
    def over(self) -> bool:
        """Whether nothing is asked any more."""
        return self._sitting.over or int(self._sitting.state["phase"]) < 0

    @property
    def to_move(self) -> int | None:
        """The seat that is asked, counted as the game's words count; None when over."""
        if self.over:
            return None
        return self._sitting.to_move + int(getattr(self._words, "FIRST_SEAT", 0))

    @property
    def question(self) -> str:
        """Name of the question asked now, "" when over."""
        return "" if self.over else self._words.question(int(self._sitting.state["phase"]))

    @property
    def state(self) -> dict[str, Any]:
        """The whole position, readable."""
        return self._words.state(self._sitting.state, self._sitting.rules, self._vocab)

    @property
    def options(self) -> list[Any]:
        """What may be answered now, in words."""
        sitting = self._sitting
        if self.over:
            return []
        return [
            self._words.action(sitting.state, sitting.rules, sitting.work, int(code), self._vocab)
            for code in sitting.options
        ]

    @property
    def _vocab(self) -> dict[str, list[str]]:
        return self._sitting.table.words

    # ------------------------------------------------------------ what is done

    def apply(self, answer: Any) -> list[dict[str, Any]]:
        """Answer the question by word or by index; the events that follow."""
        if self.over:
            raise UserError("The game is over: nothing is asked.")
        options = self.options
        return self._take(_index(answer, options), options)

    def _take(self, index: int, options: list[Any]) -> list[dict[str, Any]]:
        """Take an option by its index; the events that follow."""
        ask = {
            "event": "ask",
            "seat": self.to_move,
            "question": self.question,
            "options": options,
            "chosen": options[index],
        }
        self.events.append(ask)
        self._sitting.apply(index)
        return [ask, *self._collect()]

    def choose(self) -> Any:
        """The option that the seat's strategy takes; draws its coins, so ask once a question."""
        return self.options[self._sitting.choose()]

    def play(self, questions: int | None = None) -> Replay:
        """Let the strategies answer the next ``questions`` questions, or all."""
        asked = 0
        while not self.over and (questions is None or asked < questions):
            self._take(int(self._sitting.choose()), self.options)
            asked += 1
        return self

    def text(self) -> str:
        """Everything that has happened, one sentence a line."""
        return "\n".join(self.sentences())

    def sentences(self) -> Iterator[str]:
        """One sentence an event; a game with a ``teller`` adds pictures of the table."""
        tell = self._words.sentence
        for event in self.events:
            if event["event"] == "game":
                yield setting_text(event)
                if hasattr(self._words, "teller"):
                    tell = self._words.teller(event)
            else:
                yield tell(event)

    def records(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The games row and the seats rows of the finished game."""
        from simulate.verify import row_frames

        if not self._sitting.over:
            raise UserError("The game is not over: it has no record yet.")
        games, seats = row_frames(self.plan, self._sitting.finish())
        return games.row(0, named=True), seats.rows(named=True)

    # ------------------------------------------------------------ inside

    def _collect(self) -> list[dict[str, Any]]:
        """Take the events since the last question."""
        rows = self._sitting.take_events()
        new = self._words.events(rows, self._sitting.rules, self._vocab)
        self.events += new
        return new

    def _setting(self) -> dict[str, Any]:
        """The first event: which game this is, and who plays."""
        sitting, plan = self._sitting, self.plan
        cell = plan.cells[sitting.cell]
        treated = [seat for seat in range(cell.n_seats) if sitting.is_treated(seat)]
        return {
            "event": "game",
            "game": plan.game,
            "rules_version": plan.rules_version,
            "game_id": self.game_id,
            "block": sitting.block,
            "cell": sitting.cell,
            "seed": plan.seed,
            "players": cell.players,
            "rules": plan.rules[cell.rules].label,
            "rules_digest": plan.rules[cell.rules].digest,
            "engine": plan.engine,
            "rules_changed": plan.rules[cell.rules].changed,
            "rules_in_full": self._rules_in_full(cell.rules),
            "strategies": [
                plan.strategies[sitting.instance(seat)].label for seat in range(cell.n_seats)
            ],
            "treatment": plan.treatment if treated else {},
            "treated_seats": treated,
        }

    def _rules_in_full(self, row: int) -> dict[str, Any]:
        """Every rule and component, worked out as far as the game's ``schema.resolved`` does."""
        schema = self._sitting.table.engine.game.module("schema")
        data = self.plan.rules[row].model
        if not hasattr(schema, "resolved"):
            return data
        told: dict[str, Any] = json.loads(_resolved(self.plan.game, json.dumps(data)))
        return told

    def _set_up(self, case: Mapping[str, Any]) -> None:
        """Replace the state by a scripted position."""
        sitting = self._sitting
        position = sitting.table.engine.game.module("position")
        state, work = position.setup(case, sitting.rules, self._vocab)
        sitting.state, sitting.work = state, work
        if not case.get("dice"):
            sitting.work["feed"]["on"] = 0
        if case.get("event") or case.get("run"):
            position.begin(state, sitting.rules, work, position.runs(case)[0])
        sitting.table.engine.entries.resume(state, sitting.rules, work, sitting.events)


@lru_cache(maxsize=8)
def _resolved(game: str, data: str) -> str:
    """Rules worked out, as JSON: once for all games of a run."""
    from simulate import registry, rules

    schema = registry.load(game).game.module("schema")
    return json.dumps(schema.resolved(rules.from_data(game, json.loads(data)).model))


def setting_text(event: Mapping[str, Any]) -> str:
    """The first line of a game told in words."""
    who = ", ".join(event["strategies"])
    line = f"Game {event['game_id']} of {event['game']}"
    line += f" (seed {event['seed']}, {event['rules']}): {who}."
    if event["rules_changed"]:
        changed = ", ".join(f"{row['key']} = {row['value']}" for row in event["rules_changed"])
        line += f" Rules changed: {changed}."
    if event["treated_seats"]:
        fields = ", ".join(f"{name} = {value}" for name, value in event["treatment"].items())
        line += f" Treated (seat from 0): {event['treated_seats']}, {fields}."
    return line


def _index(answer: Any, options: list[Any]) -> int:
    """The index that an answer means: a token, or an index (a token wins where both could be)."""
    if isinstance(answer, tuple):
        answer = list(answer)
    for index, option in enumerate(options):
        if type(option) is type(answer) and option == answer:
            return index
    if isinstance(answer, int | np.integer) and 0 <= int(answer) < len(options):
        return int(answer)
    shown = ", ".join(_word(option) for option in options[:40])
    more = f", … ({len(options)} in all)" if len(options) > 40 else ""
    raise UserError(f"'{_word(answer)}' is not offered. Options: {shown}{more}.")


def _word(token: Any) -> str:
    """A token as text."""
    return token if isinstance(token, str) else json.dumps(token)


# ---------------------------------------------------------------- the ways in


def replay(
    run: Any,
    game_id: int = 0,
    *,
    position: Mapping[str, Any] | None = None,
    **options: Any,
) -> Replay:
    """A ``Replay`` of a game of a run (folder or ``Run``), or of a game by name and plan options.

    ``options``: those of ``simulate.request.Request`` (lineup, players, seed, set, layout, …).
    ``position``: a scripted position as a dict; its course and rules are used.
    """
    if game_id < 0:
        raise PlanError(f"There is no game {game_id}: games are numbered from 0.")
    plan = _plan_of(run, position, options)
    if position is None and _is_run(run) and game_id >= plan.n:
        raise PlanError(
            f"The run has {plan.n:,} games, numbered from 0; there is no game {game_id}."
        )
    return Replay(plan, game_id, position)


def _is_run(run: Any) -> bool:
    return not isinstance(run, str) or (Path(run) / "run.json").is_file() or "/" in run


def _plan_of(run: Any, position: Mapping[str, Any] | None, options: Mapping[str, Any]) -> Plan:
    """The plan of a run, or of a game's name with options."""
    from simulate import registry, store
    from simulate.api import check_engine
    from simulate.request import Request

    if isinstance(run, Plan):
        return run
    if not _is_run(run) and run in registry.names():
        more = dict(options)
        if position is not None:
            module = registry.game(run).module("position")
            more["set"] = {**module.overrides(position), **dict(more.get("set", {}))}
            more.setdefault("seating", "fixed")
        return Request(run, 1, **more).plan()
    there = run if hasattr(run, "plan") else store.open_run(run)
    check_engine(there)
    return there.plan
