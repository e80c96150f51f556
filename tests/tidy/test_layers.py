"""Imports run one way, the rules of a hand touch no world, and the room touches it through its ports alone."""

from __future__ import annotations

import ast
from collections.abc import Collection

import pytest
from tests.tidy.sources import imports, modules, package_of

LAYERS = (
    ("cards", "numbers", "unusable"),
    ("handrank", "engine"),
    ("houses",),
    ("room",),
    ("adapters", "client"),
    ("stated", "config", "admission", "opening", "feeding", "cluster", "api", "app", "run"),
    ("cli",),
)
"""From the bottom up. A module imports its own part of the package and what lies in lower layers."""

LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
WORLD = ("asyncio", "threading", "concurrent", "time", "datetime", "random", "secrets", "os")
CONTRACT = ("google", "grpc", "croupier.v1")


def of(part: str) -> dict[str, ast.Module]:
    return {path: tree for path, tree in modules().items() if package_of(path) == part}


def within(name: str, parents: Collection[str]) -> bool:
    return any(name == parent or name.startswith(f"{parent}.") for parent in parents)


def offences(trees: dict[str, ast.Module], banned: Collection[str]) -> list[str]:
    return [
        f"{path} imports {name}"
        for path, tree in trees.items()
        for name in imports(tree)
        if within(name, banned)
    ]


def own_imports(tree: ast.Module) -> set[str]:
    """The parts of the package that a module imports, the contract left out."""
    names = [name.split(".") for name in imports(tree) if within(name, ("croupier",))]
    return {parts[1] for parts in names if len(parts) > 1 and parts[1] != "v1"}


def test_every_module_has_a_layer() -> None:
    parts = {package_of(path) for path in modules()} - {"__init__"}
    assert parts <= LEVEL.keys(), f"give {sorted(parts - LEVEL.keys())} a place in LAYERS"


def test_imports_run_one_way() -> None:
    found = []
    for path, tree in modules().items():
        part = package_of(path)
        upward = {
            other
            for other in own_imports(tree)
            if other != part and LEVEL[other] >= LEVEL.get(part, 0) and not _together(part, other)
        }
        found += [f"{path} imports croupier.{other}" for other in sorted(upward)]
    assert not found


def _together(part: str, other: str) -> bool:
    """The modules that put the service together may use each other."""
    return LEVEL.get(part) == LEVEL[other] == LEVEL["app"]


def test_client_imports_the_contract_alone() -> None:
    found = {path: own_imports(tree) - {"client"} for path, tree in of("client").items()}
    assert not {path: sorted(parts) for path, parts in found.items() if parts}


@pytest.mark.parametrize("part", sorted(LEVEL.keys() - {"adapters", "client"}))
def test_contract_is_for_adapters_and_client(part: str) -> None:
    assert not offences(of(part), ("croupier.v1",))


def test_engine_touches_no_world() -> None:
    assert not offences(of("engine") | of("cards") | of("numbers"), WORLD + CONTRACT)


def test_room_touches_the_world_through_its_ports() -> None:
    assert not offences(of("room") | of("houses"), WORLD + CONTRACT)


def test_chance_comes_from_the_operating_system_alone() -> None:
    assert not offences(modules(), ("random",))


def test_engine_counts_in_whole_numbers() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, tree in of("engine").items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
    ]
    assert not found, "chips are whole: no float, no true division"
