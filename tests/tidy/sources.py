"""The package's modules as trees, for the tests that hold its shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "service" / "croupier"
GENERATED = PACKAGE / "v1"


@cache
def modules(folder: Path = PACKAGE) -> dict[str, ast.Module]:
    """Every module below a folder by its path from the root, generated ones left out."""
    paths = [path for path in sorted(folder.rglob("*.py")) if GENERATED not in path.parents]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(), str(path)) for path in paths}


def package_of(path: str) -> str:
    """The part of `croupier` a module belongs to: "engine" for service/croupier/engine/hand.py."""
    return Path(path).parts[2].removesuffix(".py")


def imports(tree: ast.Module) -> Iterator[str]:
    """The dotted name of everything a module imports, wherever it does; `from a import b` gives "a.b"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method, nested ones included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
