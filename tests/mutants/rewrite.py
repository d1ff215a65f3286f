"""Small slips of the pen in the kernels of a module: one changed function at a time.

A slip is a flipped comparison, a number off by one, and for or, plus for minus, min for max, a
dropped not, a dropped statement. Kernels are plain functions when nothing is compiled, so a slip is
put into place by giving the function the code of its changed copy: every module that imported the
function then runs the changed one.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from subjects import Records

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
SWAPPED_CALLS = {"min": "max", "max": "min"}
LOG_CALLS = {"emit"}  # the event log of replays, checked by the tests of replays

Change = tuple[str, str, Callable[[ast.AST], None]]


@dataclass(frozen=True)
class Mutant:
    """One slip: where it is, what it changes, and how its code is made."""

    file: str
    function: str
    line: int
    last_line: int  # of the statement, or of the head of a block
    change: str
    records_only: bool
    make: Callable[[], CodeType]  # the code that runs instead

    @property
    def key(self) -> str:
        """Name that stays when lines move."""
        return f"{self.file}:{self.function}: {self.change}"


def mutants_of(module: ModuleType, records: Records) -> list[Mutant]:
    """Every slip of every kernel of a module, in the order of the source.

    ``records`` says what holds records only.
    """
    source = inspect.getsource(module)
    file = Path(str(module.__file__))
    found: list[Mutant] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and _is_kernel(node):
            node.decorator_list = []
            found += _slips(node, module, file, records)
    return _numbered(found)


def put_in_place(module: ModuleType, mutant: Mutant) -> None:
    """Run the changed code wherever the function is called from now on."""
    getattr(module, mutant.function).__code__ = mutant.make()


def _is_kernel(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "kernel" for d in node.decorator_list)


def _slips(
    function: ast.FunctionDef, module: ModuleType, file: Path, records: Records
) -> Iterator[Mutant]:
    """All slips of one function."""
    for number, (statement, node) in enumerate(_places(function)):
        for index, (before, after, _) in enumerate(_changes(statement, node)):
            yield Mutant(
                file.name,
                function.name,
                statement.lineno,
                _end_of_head(statement),
                f"{before} -> {after}",
                _keeps_records(function, statement, records),
                partial(_changed, function, number, index, module, file),
            )


def _changed(
    function: ast.FunctionDef, number: int, index: int, module: ModuleType, file: Path
) -> CodeType:
    """The code of a copy of a function with one slip in it."""
    copied = copy.deepcopy(function)
    statement, node = list(_places(copied))[number]
    change = list(_changes(statement, node))[index][2]
    change(node)
    return _compiled(copied, module, file)


def _compiled(function: ast.FunctionDef, module: ModuleType, file: Path) -> CodeType:
    tree = ast.fix_missing_locations(ast.Module([function], []))
    space: dict[str, Any] = {}
    exec(compile(tree, str(file), "exec"), dict(vars(module)), space)
    return space[function.name].__code__


def _places(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt, ast.AST]]:
    """(statement, node) of all that can be changed: the statement itself, then its expressions."""
    for statement in ast.walk(function):
        if not isinstance(statement, ast.stmt) or statement is function or _is_text(statement):
            continue
        if not _ends_with_nothing(function, statement):
            yield statement, statement
        if _calls(statement) in LOG_CALLS:
            continue
        for part in _heads(statement):
            for node in ast.walk(part):
                yield statement, node


def _ends_with_nothing(function: ast.FunctionDef, statement: ast.stmt) -> bool:
    """True for a last ``return False`` or ``return``: without it nothing comes back either."""
    if statement is not function.body[-1] or not isinstance(statement, ast.Return):
        return False
    value = statement.value
    return value is None or (isinstance(value, ast.Constant) and not value.value)


def _heads(statement: ast.stmt) -> list[ast.AST]:
    """Expressions of a statement without the statements inside it."""
    return [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _calls(statement: ast.stmt) -> str:
    """Name of the function that a bare call statement calls."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        return called.id if isinstance(called, ast.Name) else ""
    return ""


def _end_of_head(statement: ast.stmt) -> int:
    body = getattr(statement, "body", None)
    return body[0].lineno - 1 if body else (statement.end_lineno or statement.lineno)


def _numbered(found: list[Mutant]) -> list[Mutant]:
    """Equal changes of one function get numbers, so that every key is there once."""
    seen: dict[str, int] = {}
    result = []
    for mutant in found:
        seen[mutant.key] = seen.get(mutant.key, 0) + 1
        if seen[mutant.key] > 1:
            change = f"{mutant.change} #{seen[mutant.key]}"
            mutant = Mutant(**{**vars(mutant), "change": change})
        result.append(mutant)
    return result


# ------------------------------------------------------------------------------- the changes
def _changes(statement: ast.stmt, node: ast.AST) -> Iterator[Change]:
    """(before, after, how) of each slip at one node."""
    if node is statement:
        yield from _statement_changes(statement)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in COMPARISONS.get(type(node.ops[0]), ()):
            yield _change(node, lambda n, o=other: n.ops.__setitem__(0, o()))
    elif isinstance(node, ast.Compare):
        for at, old in enumerate(node.ops):
            other = COMPARISONS[type(old)][0]
            yield _change(node, lambda n, o=other, i=at: n.ops.__setitem__(i, o()))
    elif isinstance(node, ast.BoolOp):
        other_bool = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield _change(node, lambda n, o=other_bool: setattr(n, "op", o()))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other_sign = ast.Sub if isinstance(node.op, ast.Add) else ast.Add
        yield _change(node, lambda n, o=other_sign: setattr(n, "op", o()))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in SWAPPED_CALLS:
            other_name = SWAPPED_CALLS[node.func.id]
            yield _change(node, lambda n, o=other_name: setattr(n.func, "id", o))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _change(node, _drop_not)
    elif isinstance(node, ast.Constant):
        yield from _constant_changes(statement, node)


def _change(node: ast.AST, how: Callable[[Any], Any], where: ast.AST | None = None) -> Change:
    """A change of a node, told by the source of the node (or of ``where``) before and after."""
    told = copy.deepcopy(node)
    how(told)
    return _short(node), _short(told), how


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split())
    return text if len(text) <= 88 else text[:85] + "..."


def _drop_not(node: Any) -> None:
    node.op = ast.UAdd()
    node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])


def _constant_changes(statement: ast.stmt, node: ast.Constant) -> Iterator[Change]:
    text = _short(statement).partition(": ")[0] if hasattr(statement, "body") else _short(statement)
    if isinstance(node.value, bool):
        values: tuple[Any, ...] = (not node.value,)
    elif isinstance(node.value, int):
        values = (node.value + 1, node.value - 1) if node.value > 0 else (node.value + 1,)
    else:
        return
    for value in values:
        yield (
            f"{node.value} in `{text}`",
            str(value),
            lambda n, v=value: setattr(n, "value", v),
        )


def _statement_changes(statement: ast.stmt) -> Iterator[Change]:
    """Dropped statements, flipped signs, and conditions turned round."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add | ast.Sub):
        other = ast.Sub if isinstance(statement.op, ast.Add) else ast.Add
        yield _change(statement, lambda n, o=other: setattr(n, "op", o()))
    if _can_be_dropped(statement):
        yield _short(statement), "dropped", _drop
    if isinstance(statement, ast.If | ast.While) and isinstance(statement.test, ast.Call):
        yield (
            f"if {_short(statement.test)}",
            "if not ...",
            lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test)),
        )


def _can_be_dropped(statement: ast.stmt) -> bool:
    """Statements without which the function still runs: no plain local names are lost."""
    if isinstance(statement, ast.Assign):
        return isinstance(statement.targets[0], ast.Subscript)
    if isinstance(statement, ast.Return):
        return statement.value is None or _is_constant(statement.value)
    return isinstance(statement, ast.AugAssign | ast.Expr | ast.Continue | ast.Break)


def _is_constant(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) or (
        isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant)
    )


def _drop(node: Any) -> None:
    """Turn a statement into one that does nothing."""
    node.__class__ = ast.Pass
    for name in ("targets", "target", "op", "value"):
        node.__dict__.pop(name, None)


# ------------------------------------------------------------------------------- records
def _keeps_records(function: ast.FunctionDef, statement: ast.stmt, records: Records) -> bool:
    """True for statements that write to rows, tallies or the event log and to nothing else."""
    called = _calls(statement)
    if function.name in records.functions or called in LOG_CALLS | records.functions:
        return True
    if isinstance(statement, ast.If):
        inner = [*statement.body, *statement.orelse]
        return all(_keeps_records(function, one, records) for one in inner)
    if isinstance(statement, ast.Assign):
        return all(_is_record(target, records) for target in statement.targets)
    if isinstance(statement, ast.AugAssign):
        return _is_record(statement.target, records)
    return False


def _is_record(target: ast.AST, records: Records) -> bool:
    """True for row["x"], record["x"], state["tally"]["x"][i] and the like."""
    names = set()
    while isinstance(target, ast.Subscript):
        if isinstance(target.slice, ast.Constant):
            names.add(str(target.slice.value))
        target = target.value
    if not isinstance(target, ast.Name):
        return False
    if target.id in records.names and names:
        return True
    return bool(names & records.fields)
