"""Boards: run lines and lifts read and checked, and boards named on the command line (spec 2.4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simulate.errors import RulesError
from simulate.games.skull_canyon import state
from simulate.layers import close, dotted, read, show

if TYPE_CHECKING:
    from simulate.games.skull_canyon.models import Board, Rules

Problem = tuple[tuple[str, ...], str]

BASE = "L1"
BY_PLAYERS = "by_players"
DIFFICULTY_LETTERS = "eax"
NO_YETI_RUNS = 2  # rulebook: Moving the Yeti
MARKERS_ON_BOARD = 10  # style spaces of a 3-4 board; a 2-player board has fewer
NODE = re.compile(r"([LW])([1-9]|1[0-6])")
NODE_NAMES = [f"{letter}{number}" for letter in "LW" for number in range(1, 17)]

_RUN_PARTS = 7
_TEXT_BYTES = 8 * state.TEXT_WORDS


class RunLine(NamedTuple):
    """A run as its line says."""

    id: str
    name: str
    difficulty: int
    top: str
    bottom: str
    style_space: bool
    no_yeti: bool


class BoardError(Exception):
    """A line of a board that cannot be read: what is wrong, in words."""


# ------------------------------------------------------------------------------- reading
def read_run(line: str) -> RunLine:
    """A run line: "id, name, difficulty, top, bottom, style space, no-Yeti icon"."""
    parts = [part.strip() for part in line.split(",")]
    if len(parts) != _RUN_PARTS:
        raise BoardError(f"run {show(line)}: seven parts apart by commas are wanted")
    name, title, difficulty, top, bottom, style, icon = parts
    if not re.fullmatch(r"[a-z0-9_]+", name) or len(name) > _TEXT_BYTES:
        raise BoardError(f"run {show(name)}: an id of at most {_TEXT_BYTES} letters a-z, 0-9, _")
    if not title.isascii() or not 0 < len(title) <= _TEXT_BYTES:
        raise BoardError(f"run {name}: a name of at most {_TEXT_BYTES} plain letters is wanted")
    if difficulty not in DIFFICULTY_LETTERS or len(difficulty) != 1:
        raise BoardError(f"run {name}: difficulty {show(difficulty)}; allowed: e, a, x")
    for what, flag in (("style space", style), ("no-Yeti icon", icon)):
        if flag not in ("0", "1"):
            raise BoardError(f"run {name}: {what} {show(flag)}; allowed: 0 or 1")
    return RunLine(
        name, title, DIFFICULTY_LETTERS.index(difficulty), top, bottom, style == "1", icon == "1"
    )


def read_lift(line: str) -> tuple[str, str]:
    """A lift "bottom>top"."""
    bottom, arrow, top = (part.strip() for part in line.partition(">"))
    if not arrow or not bottom or not top:
        raise BoardError(f'lift {show(line)}: allowed: "bottom>top", as in "L1>W1"')
    return bottom, top


def runs_of(board: Board) -> list[RunLine]:
    """The runs of a board that reads well."""
    return [read_run(line) for line in board.runs]


def lifts_of(board: Board) -> list[tuple[str, str]]:
    """The lifts of a board that reads well."""
    return [read_lift(line) for line in board.lifts]


def node_order(board: Board) -> list[str]:
    """Nodes in board order: L1, then as the lifts name them, whatever the order of the table."""
    named = [BASE, *(node for lift in lifts_of(board) for node in lift), *sorted(board.nodes)]
    return [node for node in dict.fromkeys(named) if node in board.nodes]


def heights_of(board: Board, which: str) -> dict[str, float]:
    """Heights of the nodes under ``board.heights``, in board order."""
    drawn = board.drawn if which == "drawn" and board.drawn is not None else {}
    return {name: float(drawn.get(name, board.nodes[name])) for name in node_order(board)}


# ------------------------------------------------------------------------------- which board
def played(model: Rules) -> tuple[str, str]:
    """Names of the boards for 2 players, and for 3 and 4."""
    choice = model.board
    if choice.layout != BY_PLAYERS:
        return choice.layout, choice.layout
    return choice.for_2, choice.for_34


def layout_name(model: Rules) -> str:
    """The board's word in records: its name, or those for 2 and for 3-4 players."""
    two, more = played(model)
    return two if two == more else f"{two}+{more}"


# ------------------------------------------------------------------------------- checks
def problems(model: Rules) -> list[Problem]:
    """What is wrong with the boards: choices that name none, and the loader checks of each."""
    found: list[Problem] = []
    choices = {"board.for_2": model.board.for_2, "board.for_34": model.board.for_34}
    if model.board.layout != BY_PLAYERS:
        choices = {"board.layout": model.board.layout}
    for key, name in choices.items():
        if name not in model.boards:
            known = ", ".join(model.boards)
            text = f"no board {show(name)}{close(name, model.boards)}; allowed: {known}"
            found.append(((key,), text))
    for name, board in model.boards.items():
        found += [((dotted(("boards", name, key)),), text) for key, text in faults(board)]
    return found


def faults(board: Board) -> list[tuple[str, str]]:
    """(key, what is wrong) of one board; the first kind of trouble only where others follow."""
    found = [
        *_node_faults(board),
        *[("runs", text) for text in _unreadable(board.runs, read_run)],
        *[("lifts", text) for text in _unreadable(board.lifts, read_lift)],
    ]
    if found:
        return found
    runs, lifts = runs_of(board), lifts_of(board)
    found = _end_faults(board, runs, lifts)
    return found or [
        *_slope_faults(board, runs, lifts),
        *_way_faults(board, runs, lifts),
        *_icon_faults(board, runs),
    ]


def _unreadable(lines: list[str], reader: Callable[[str], object]) -> list[str]:
    """What is wrong with the lines that cannot be read."""
    found = []
    for line in lines:
        try:
            reader(line)
        except BoardError as error:
            found.append(str(error))
    return found


def _node_faults(board: Board) -> list[tuple[str, str]]:
    found = [
        ("nodes", f"node {show(name)}: allowed: L1 to L16 for lodges, W1 to W16 for waypoints")
        for name in board.nodes
        if not NODE.fullmatch(name)
    ]
    if BASE not in board.nodes:
        found.append(("nodes", f"the base {BASE} is missing"))
    if len(board.nodes) > state.MAX_NODES:
        found.append(("nodes", f"at most {state.MAX_NODES} nodes"))
    for name in board.drawn or {}:
        if name not in board.nodes:
            found.append(("drawn", f"{show(name)} is no node of the board"))
    if not board.runs:
        found.append(("runs", "a board has runs"))
    return found


def _end_faults(
    board: Board, runs: list[RunLine], lifts: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Ids once, ends that exist, no more exits than the engine's tables hold."""
    found = []
    for name, count in Counter(run.id for run in runs).items():
        if count > 1:
            found.append(("runs", f"run {name} stands {count} times: ids are unique"))
    for run in runs:
        for node in (run.top, run.bottom):
            if node not in board.nodes:
                found.append(("runs", f"run {run.id}: {show(node)} is no node of the board"))
    for lift in lifts:
        for node in lift:
            if node not in board.nodes:
                found.append(("lifts", f"lift {'>'.join(lift)}: {show(node)} is no node"))
    ends = Counter([("from", run.top) for run in runs] + [("to", run.bottom) for run in runs])
    for (way, node), count in ends.items():
        if count > state.MAX_EXITS:
            found.append(("runs", f"{count} runs {way} {node}; at most {state.MAX_EXITS} fit"))
    return found


def _slope_faults(
    board: Board, runs: list[RunLine], lifts: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Heights fall along every run and rise along every lift, in both tables of heights."""
    found = []
    tables = {"nodes": heights_of(board, "level")}
    if board.drawn is not None:
        tables["drawn"] = heights_of(board, "drawn")
    for key, height in tables.items():
        for run in runs:
            if height[run.top] <= height[run.bottom]:
                found.append((key, f"run {run.id} does not fall from {run.top} to {run.bottom}"))
        for bottom, top in lifts:
            if height[bottom] >= height[top]:
                found.append((key, f"lift {bottom}>{top} does not rise"))
    return found


def _way_faults(
    board: Board, runs: list[RunLine], lifts: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Lifts reach every node from L1; nobody is stranded; nothing starts at the base."""
    found = []
    reached, todo = {BASE}, [BASE]
    while todo:
        here = todo.pop()
        for bottom, top in lifts:
            if bottom == here and top not in reached:
                reached.add(top)
                todo.append(top)
    found += [
        ("lifts", f"node {node} cannot be reached by lifts from {BASE}")
        for node in board.nodes
        if node not in reached
    ]
    for node in board.nodes:
        out = [run for run in runs if run.top == node]
        if node == BASE:
            found += [("runs", f"run {run.id} starts at {BASE}; no run may") for run in out]
        elif len(out) < NO_YETI_RUNS and not (out and out[0].no_yeti):
            told = f"{len(out)} runs" if len(out) != 1 else "a single run without a no-Yeti icon"
            found.append(
                ("runs", f"node {node} has {told} out of it: at least 2 runs, or 1 with the icon")
            )
    return found


def _icon_faults(board: Board, runs: list[RunLine]) -> list[tuple[str, str]]:
    """Exactly two no-Yeti runs; style spaces by number of players."""
    found = []
    icons = sum(run.no_yeti for run in runs)
    if icons != NO_YETI_RUNS:
        found.append(("runs", f"{icons} runs with a no-Yeti icon; exactly {NO_YETI_RUNS} wanted"))
    spaces = sum(run.style_space for run in runs)
    if max(board.players) > 2 and spaces != MARKERS_ON_BOARD:
        text = f"{spaces} style spaces; a board for 3-4 players has exactly {MARKERS_ON_BOARD}"
        found.append(("runs", text))
    elif spaces >= MARKERS_ON_BOARD and max(board.players) == 2:
        text = f"{spaces} style spaces; a board for 2 players has at most {MARKERS_ON_BOARD - 1}"
        found.append(("runs", text))
    return found


# ------------------------------------------------------------------------------- the command line
def parse_boards(text: str, model: Rules) -> list[tuple[str, dict[str, Any]]]:
    """Boards named in ``text``, apart by commas, each as (label, overlay of rules).

    A board's name; ``all_2`` or ``all_34``: the boards for those players; ``by_players``; or a TOML
    file with players, nodes, lifts and runs (and name). Raises RulesError.
    """
    found: list[tuple[str, dict[str, Any]]] = []
    for item in (part.strip() for part in text.split(",")):
        found += _parse_one(item, model)
    return found


def _parse_one(item: str, model: Rules) -> list[tuple[str, dict[str, Any]]]:
    if item in model.boards or item == BY_PLAYERS:
        return [(item, {"board": {"layout": item}})]
    groups = {"all_2": 2, "all_34": state.MAX_SEATS}
    if item in groups:
        fitting = [name for name, one in model.boards.items() if groups[item] in one.players]
        return [(name, {"board": {"layout": name}}) for name in fitting]
    if item.endswith(".toml") or "/" in item or Path(item).is_file():
        return [_from_file(item, model)]
    known = ", ".join(model.boards)
    raise RulesError(
        f"--board {show(item)}: no such board{close(item, model.boards)}; allowed: {known},"
        f" {', '.join(groups)}, {BY_PLAYERS}, or a file.toml with players, nodes, lifts and runs"
    )


def _from_file(item: str, model: Rules) -> tuple[str, dict[str, Any]]:
    path = Path(item).expanduser()
    told = read(path)
    name = told.pop("name", path.stem)
    if not isinstance(name, str) or not name:
        raise RulesError(f"{item}: name = {show(name)}: text is wanted")
    if name in model.boards:
        name = f"{name} (file)"
    return item, {"board": {"layout": name}, "boards": {name: told}}
