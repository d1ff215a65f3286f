"""Every game that the registry finds, every strategy of its book, played decision by decision.

A new game is under contract as soon as its folders exist. What only it can know stands in
``invariants/<game>.py``, if there is one: ``Watch(state, rules)`` with ``problems() -> list[str]``,
called at every decision, ``disturb(state, rules, coin)``, which changes what the asked seat cannot
see, and ``PILES``, fields of STATE that hold hidden cards in order. The toy game keeps the contract
free of any game's words.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from simulate import jit, registry

HERE = Path(__file__).parent
MOST_DECISIONS = 20_000
FEW_DECISIONS = 40  # of a game in the plain-Python lane, where a whole one takes minutes


def load_file(path: Path) -> ModuleType:
    """A Python file as a module."""
    spec = importlib.util.spec_from_file_location(f"contract_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_toy = load_file(HERE.parent / "toy" / "visible.py")


def strategies_by_game() -> dict[str, list[str]]:
    """Names of the strategies of every game, the toy game included."""
    with _toy.toy_game():
        return {game: registry.book(game).names() for game in registry.names()}


STRATEGIES = strategies_by_game()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``game``: every game; ``game`` and ``strategy``: every strategy of every book."""
    names = metafunc.fixturenames
    if "strategy" in names:
        pairs = [(game, name) for game, known in STRATEGIES.items() for name in known]
        metafunc.parametrize(("game", "strategy"), pairs, ids=["-".join(pair) for pair in pairs])
    elif "game" in names and "variant" not in names:
        metafunc.parametrize("game", list(STRATEGIES))


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[Path]:
    """The toy game is a game like any other."""
    with _toy.toy_game() as folder:
        yield folder


@pytest.fixture
def plan_of() -> Callable[..., Any]:
    """Makes a plan of one block, or of ``n`` games."""

    def make(game: str, n: int = 1, **options: Any) -> Any:
        from simulate.request import Request

        return Request(game, n, **{"equal": False, **options}).plan()

    return make


# ---------------------------------------------------------------- one game, watched


class NoInvariants:
    """A game without a module of its own invariants."""

    class Watch:
        """Nothing is known."""

        def __init__(self, state: Any, rules: Any) -> None:
            """Nothing to remember."""

        def problems(self) -> list[str]:
            """Nothing is wrong."""
            return []

    @staticmethod
    def disturb(state: Any, rules: Any, coin: random.Random) -> None:
        """Only the streams are hidden, and those are changed for every game."""


def invariants_of(game: str) -> Any:
    """The module of a game's own invariants."""
    file = HERE / "invariants" / f"{game}.py"
    return load_file(file) if file.is_file() else NoInvariants


@pytest.fixture
def piles(game: str) -> set[str]:
    """Fields of STATE that hold hidden cards in order."""
    return set(getattr(invariants_of(game), "PILES", ()))


@dataclass
class Walk:
    """What was seen in one game."""

    game_id: int
    asked: list[tuple[int, int, int, int]] = field(default_factory=list)  # seat, phase, options, ix
    options: list[str] = field(default_factory=list)  # problems by kind
    rules: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    tidy: list[str] = field(default_factory=list)
    over: bool = False
    drew: bool = False  # a strategy drew from a policy stream
    rows: Any = None


class Walker:
    """Plays one game and looks at it from all sides."""

    def __init__(self, plan: Any, game_id: int) -> None:
        from simulate.steps import Sitting

        self.sitting = Sitting.of_game(plan, game_id)
        self.engine = self.sitting.table.engine
        self.own = invariants_of(plan.game)
        self.watch = self.own.Watch(self.sitting.state, self.sitting.rules)
        self.coin = random.Random(game_id)
        self.other_work = np.zeros(1, dtype=self.engine.state.WORK)[0]
        self.other_state = np.zeros(1, dtype=self.engine.state.STATE)
        self.seen = Walk(game_id)

    def play(self) -> Walk:
        """To the end, or as far as the lane allows."""
        sitting, seen = self.sitting, self.seen
        limit = MOST_DECISIONS if jit.compiled() else FEW_DECISIONS
        coins = sitting.policy.copy()
        while not sitting.over and len(seen.asked) < limit:
            self.look_at_options()
            self.note(seen.rules, self.watch.problems())
            told = self.choice_when_disturbed()
            index = self.tidy_choice()
            if told != index:
                self.note(seen.hidden, [f"chose {index}, and {told} when hidden things differ"])
            seen.asked.append(
                (sitting.to_move, int(sitting.state["phase"]), len(sitting.options), index)
            )
            sitting.apply(index)
        seen.over = sitting.over
        seen.drew = not np.array_equal(coins, sitting.policy)
        self.note(seen.rules, self.watch.problems())
        if seen.over:
            seen.rows = sitting.finish()
        return seen

    def note(self, where: list[str], problems: list[str]) -> None:
        """Keep the first few problems of a kind, with their place."""
        if problems and len(where) < 5:
            state = self.sitting.state
            place = f"game {self.seen.game_id}, decision {len(self.seen.asked)}"
            where += [
                f"{place}, seat {self.sitting.to_move}, phase {state['phase']}: {p}"
                for p in problems
            ]

    def look_at_options(self) -> None:
        """At least two options, rising, unique, the same from the state alone."""
        sitting, state = self.sitting, self.sitting.state
        options, found = sitting.options, []
        if len(options) < 2:
            found.append(f"{len(options)} options of a question that is asked")
        if (np.diff(options) <= 0).any():
            found.append(f"options do not rise: {options.tolist()}")
        if not 0 <= sitting.to_move < int(state["n_seats"]) or int(state["phase"]) < 0:
            found.append(f"seat {sitting.to_move} is asked {state['phase']}")
        before = state.tobytes()
        count = int(self.engine.entries.legal(state, sitting.rules, self.other_work))
        if state.tobytes() != before:
            found.append("legal changed the state")
        if self.other_work["options"][:count].tolist() != options.tolist():
            found.append("legal from the state alone differs from the options left in WORK")
        self.note(self.seen.options, found)

    def choice_when_disturbed(self) -> int:
        """What the strategy chooses when all that it cannot see is different."""
        sitting = self.sitting
        self.other_state[0] = sitting.state
        state = self.other_state[0]
        for index in range(len(state["streams"])):
            state["streams"][index] = np.uint64(self.coin.getrandbits(64))
        self.own.disturb(state, sitting.rules, self.coin)
        instance = sitting.instance(sitting.to_move)
        return int(
            self.engine.play.decide(
                state,
                sitting.rules,
                sitting.work,
                sitting.table.codes[instance],
                sitting.table.params[instance],
                sitting.policy.copy(),
                sitting.position(sitting.to_move),
            )
        )

    def tidy_choice(self) -> int:
        """The choice; it must leave state, options and other seats' coins as they were."""
        sitting = self.sitting
        state, options, coins = sitting.state.tobytes(), sitting.options, sitting.policy.copy()
        index = sitting.choose()
        found = []
        if not 0 <= index < len(options):
            found.append(f"answered {index} of {len(options)} options")
        if sitting.state.tobytes() != state:
            found.append("the strategy changed the state")
        if sitting.options.tolist() != options.tolist():
            found.append("the strategy changed the options")
        changed = np.flatnonzero(coins != sitting.policy).tolist()
        if changed not in ([], [sitting.position(sitting.to_move)]):
            found.append(f"the strategy drew from the streams of positions {changed}")
        self.note(self.seen.tidy, found)
        return index


_WALKS: dict[tuple[str, int], Walk] = {}


@pytest.fixture
def walk() -> Callable[..., Walk]:
    """Plays a game of a plan, each only once."""

    def play(plan: Any, game_id: int = 0) -> Walk:
        key = (plan.digest, game_id)
        if key not in _WALKS:
            _WALKS[key] = Walker(plan, game_id).play()
        return _WALKS[key]

    return play


def all_players(game: str) -> str:
    """The option that asks for every player count of a game."""
    return "all" if jit.compiled() else str(registry.game(game).default_players)


@pytest.fixture
def walks(plan_of: Callable[..., Any], walk: Callable[..., Walk]) -> Callable[..., list[Walk]]:
    """One game of a strategy at every player count."""

    def play(game: str, strategy: str) -> list[Walk]:
        plan = plan_of(game, players=all_players(game), lineup=strategy)
        return [walk(plan, number) for number in range(plan.k)]

    return play


# ---------------------------------------------------------------- rows


def _same_rows(one: Any, other: Any) -> list[str]:
    """Fields in which two records of a game differ."""
    found = []
    for kind in ("game", "seats"):
        a, b = getattr(one, kind), getattr(other, kind)
        found += [
            f"{kind}.{name}"
            for name in a.dtype.names
            if not np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f")
        ]
    return found


@pytest.fixture
def differences() -> Callable[[Any, Any], list[str]]:
    """Fields in which the rows of two games differ."""
    return _same_rows
