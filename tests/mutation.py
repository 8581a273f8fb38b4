"""Plants faults in the rules, one after another, and counts how many the tests catch.

``python -m tests.mutation`` breaks every comparison, sum, constant, condition and choice of the files below
in turn, in copies of the project, and runs the tests of that file there with the compiler switched off. A
fault that no test notices is printed as a survivor; less than 95 % caught is an error. With names of files
as arguments, only those are broken.
"""

import ast
import copy
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TESTS = {
    "spadesim/core/scoring.py": ("scoring", "trick", "examples", "oracle"),
    "spadesim/core/trick.py": ("scoring", "trick", "examples", "oracle"),
    "spadesim/core/prelude.py": ("prelude", "view", "oracle"),
    "spadesim/core/seating.py": ("seating",),
}
LEAST_CAUGHT = 0.95
TIMEOUT = 120  # seconds; a fault may make a loop endless

COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


class Mutant(NamedTuple):
    """One fault: the file, the line, what it is, and the file's text with it."""

    file: str
    line: int
    what: str
    text: str


def changes_of(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:  # noqa: PLR0912 - a list of cases
    """Give every small fault that can be planted at a node, in words and as the new node."""
    match node:
        case ast.Compare(ops=[op]):
            for other in COMPARISONS.get(type(op), []):
                yield _swapped(node, "ops", [other()])
        case ast.BinOp(op=op) if type(op) in OPERATIONS:
            yield _swapped(node, "op", OPERATIONS[type(op)]())
        case ast.BoolOp(op=op):
            yield _swapped(node, "op", ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.AugAssign(op=op) if type(op) in OPERATIONS:
            yield _swapped(node, "op", OPERATIONS[type(op)]())
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            yield f"{ast.unparse(node)} -> {ast.unparse(operand)}", operand
        case ast.Constant(value=bool(value)):
            yield f"{value} -> {not value}", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            for number in (value + 1, value - 1):
                yield f"{value} -> {number}", ast.Constant(number)
        case ast.IfExp():
            for name in ("body", "orelse"):
                chosen: ast.expr = getattr(node, name)
                yield f"{ast.unparse(node)} -> {ast.unparse(chosen)}", chosen
        case ast.If(test=test) | ast.While(test=test):
            for value in (True, False):
                if value and isinstance(node, ast.While):
                    continue
                yield _swapped(node, "test", ast.Constant(value), f"if {ast.unparse(test)} -> if {value}")
        case ast.Call(func=ast.Name(id="max" | "min" as name)):
            yield _swapped(node, "func", ast.Name({"max": "min", "min": "max"}[name]))
        case _:
            pass


def _swapped(node: ast.AST, name: str, value: object, what: str = "") -> tuple[str, ast.AST]:
    changed = copy.deepcopy(node)
    setattr(changed, name, value)
    ast.fix_missing_locations(changed)
    return what or f"{ast.unparse(node)} -> {ast.unparse(changed)}", changed


class _Replace(ast.NodeTransformer):
    """Puts one node in the place of the `k`-th that a walk comes to."""

    def __init__(self, k: int, new: ast.AST) -> None:
        self.left, self.new = k, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace, or go on into the node."""
        self.left -= 1
        if self.left < 0 and self.left == -1:
            return self.new
        return self.generic_visit(node)


def mutants_of(file: str) -> Iterator[Mutant]:
    """Give every fault of the functions of a file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    tree = ast.parse(text)
    inside = {
        id(part)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for part in ast.walk(statement)
    }
    for k, node in enumerate(_in_order(tree)):
        if id(node) not in inside:
            continue
        for what, new in changes_of(node):
            changed = _Replace(k, copy.deepcopy(new)).visit(copy.deepcopy(tree))
            ast.fix_missing_locations(changed)
            yield Mutant(file, getattr(node, "lineno", 0), what.partition("\n")[0], ast.unparse(changed))


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Give the nodes in the order in which `_Replace` comes to them."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def is_caught(mutant: Mutant, folder: Path) -> bool:
    """Whether the tests fail in a copy of the project that has the fault."""
    place = folder / mutant.file
    sound = place.read_text(encoding="utf-8")
    place.write_text(mutant.text, encoding="utf-8")
    tests = [f"tests/core/test_{name}.py" for name in TESTS[mutant.file]]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=env, check=False, capture_output=True, timeout=TIMEOUT)
        return done.returncode == 1
    except subprocess.TimeoutExpired:
        return True
    finally:
        place.write_text(sound, encoding="utf-8")


def copy_project(folder: Path) -> Path:
    """Copy what the tests need into a folder, and return it."""
    for name in ("spadesim", "strategies", "experiments", "reports", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def main() -> int:
    """Run every mutant, print the survivors and the share that was caught; 1 when that is too little."""
    files = sys.argv[1:] or list(TESTS)
    mutants = [mutant for file in files for mutant in mutants_of(file)]
    with tempfile.TemporaryDirectory(prefix="spadesim-mutation-") as top:
        n = os.cpu_count() or 1
        folders: SimpleQueue[Path] = SimpleQueue()
        for k in range(n):
            folders.put(copy_project(Path(top, str(k))))

        def judge(mutant: Mutant) -> bool:
            folder = folders.get()
            try:
                return is_caught(mutant, folder)
            finally:
                folders.put(folder)

        for file in files:
            if judge(Mutant(file, 0, "nothing", (ROOT / file).read_text(encoding="utf-8"))):
                print(f"The tests of {file} fail without any fault.")
                return 1
        survivors = []
        with ThreadPoolExecutor(n) as pool:
            for k, (mutant, caught) in enumerate(zip(mutants, pool.map(judge, mutants), strict=True), 1):
                if not caught:
                    survivors.append(mutant)
                    print(f"survived: {mutant.file}:{mutant.line}: {mutant.what}", flush=True)
                if k % 20 == 0:
                    print(f"{k} of {len(mutants)}", file=sys.stderr, flush=True)
    share = 1 - len(survivors) / len(mutants)
    print(f"{len(mutants)} faults planted, {len(survivors)} survived: {100 * share:.1f} % caught.")
    return 0 if share >= LEAST_CAUGHT else 1


if __name__ == "__main__":
    sys.exit(main())
