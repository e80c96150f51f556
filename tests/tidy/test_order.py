"""Nothing that engine, houses and room do follows the order of a set, which is that of hashes, another in each run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from tests.tidy.sources import functions, modules, package_of

SETS = ("set", "frozenset", "AbstractSet", "MutableSet")
WITHOUT_ORDER = ("sorted", "set", "frozenset", "any", "all", "sum", "len", "min", "max")
"""What makes the same of all orders, where what it is given has no ties."""
IN_ORDER = ("list", "tuple", "iter", "next", "enumerate", "zip", "map", "filter", "deque", "dict.fromkeys")
MAY = {
    # What is taken out of dicts.
    "service/croupier/room/hearing.py self._silent.keys() - {own, *self._membership.others}",
}
Names = frozenset[str]


def annotated(annotation: ast.expr | None) -> bool:
    """Whether an annotation is that of a set."""
    while isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Final":
        annotation = annotation.slice
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return base is not None and ast.unparse(base) in SETS


def a_set(node: ast.expr | None, names: Names) -> bool:
    """Whether an expression is a set as far as this file tells."""
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name() | ast.Attribute():
            return ast.unparse(node) in names
        case ast.Call(func=ast.Name(id=name)):
            return name in SETS
        case ast.Call(func=ast.Attribute(value=of, attr="copy" | "union" | "difference" | "intersection")):
            return a_set(of, names)
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return a_set(left, names) or a_set(right, names)
        case ast.IfExp(body=body, orelse=orelse):
            return a_set(body, names) or a_set(orelse, names)
    return False


def named_sets(tree: ast.AST) -> Names:
    """Names and attributes that are annotated as sets, or given one."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                if annotated(annotation) or a_set(value, frozenset(found)):
                    found.add(ast.unparse(target))
            case ast.Assign(targets=[target], value=value) if a_set(value, frozenset(found)):
                found.add(ast.unparse(target))
            case ast.arg(arg=name, annotation=annotation) if annotated(annotation):
                found.add(name)
    return frozenset(found)


def followed(tree: ast.AST, names: Names) -> Iterator[ast.expr]:
    """Sets that something is done with one after another."""
    without_order = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in WITHOUT_ORDER
        for argument in node.args
    } | {id(part) for node in ast.walk(tree) if isinstance(node, ast.Set) for part in node.elts}
    for node in ast.walk(tree):
        match node:
            case ast.For(iter=over) | ast.Starred(value=over) if id(node) not in without_order:
                yield from [over] if a_set(over, names) else []
            case ast.ListComp() | ast.DictComp() | ast.GeneratorExp() if id(node) not in without_order:
                yield from (part.iter for part in node.generators if a_set(part.iter, names))
            case ast.Call(func=func, args=[*arguments]) if ast.unparse(func) in IN_ORDER:
                yield from (one for one in arguments if a_set(one, names))
            case ast.Call(func=ast.Attribute(value=of, attr="pop"), args=[]) if a_set(of, names):
                yield of


def offences(tree: ast.Module) -> Iterator[ast.expr]:
    """Attributes are known in a whole module, names in their function."""
    attributes = frozenset(name for name in named_sets(tree) if "." in name)
    seen: set[int] = set()
    for function in functions(tree):
        for over in followed(function, named_sets(function) | attributes):
            if id(over) not in seen:
                seen.add(id(over))
                yield over


def test_nothing_follows_the_order_of_a_set() -> None:
    found = [
        f"{path}:{over.lineno} {ast.unparse(over)}"
        for path, tree in modules().items()
        if package_of(path) in ("engine", "houses", "room")
        for over in offences(tree)
        if f"{path} {ast.unparse(over)}" not in MAY
    ]
    assert not found, "sort it, or keep a dict"


@pytest.mark.parametrize(
    "line",
    [
        "for one in {1, 2}: ...",
        "for one in self.kept: ...",
        "for one in self.kept - given: ...",
        "told = [one for one in given]",
        "told = list(set(others))",
        "told = (*given,)",
        "one = given.pop()",
        "told = {one: 1 for one in given}",
    ],
)
def test_a_set_that_is_gone_through_is_seen(line: str) -> None:
    source = f"def f(self, given: frozenset[str], others):\n    self.kept: set[str] = set()\n    {line}\n"
    assert list(offences(ast.parse(source)))


@pytest.mark.parametrize(
    "line",
    [
        "for one in sorted(given): ...",
        "total = sum(one for one in given)",
        "for one in others: ...",
        "given - others",
    ],
)
def test_what_has_no_order_is_let_be(line: str) -> None:
    source = f"def f(self, given: frozenset[str], others):\n    {line}\n"
    assert not list(offences(ast.parse(source)))
