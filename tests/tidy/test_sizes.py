"""Files stay small enough to be read at a sitting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.tidy.sources import GENERATED, PACKAGE, ROOT, functions, modules

MOST_LINES = {".py": 500, ".c": 500, ".h": 500, ".proto": 400}
LOOK_TWICE_AT = 300
LONGEST_FUNCTION = 70
LOOKED_AT = {
    "service/croupier/adapters/metrics/catalogue.py": "every metric of the service, in one place",
    "service/croupier/engine/hand.py": "one state machine, read as a whole",
    "service/croupier/engine/table_events.py": "the journal's vocabulary of tables, in one place",
    "service/croupier/room/actor.py": "one table's order of events, read as a whole",
    "service/croupier/room/room.py": "every way into the room, in one place",
    "tests/fakes/memory_store.py": "a whole store, as its port has it",
    "tests/integration/cluster/test_bus.py": "one bus, from both ends",
}
"""Modules over LOOK_TWICE_AT lines that were looked at twice, and why they stay whole."""


def sized_files() -> Iterator[Path]:
    for folder in ("service", "tests", "native", "proto"):
        for path in sorted((ROOT / folder).rglob("*")):
            ours = GENERATED not in path.parents and "node_modules" not in path.parts
            if path.suffix in MOST_LINES and ours:
                yield path


def line_count(path: Path) -> int:
    return path.read_text().count("\n")


def test_no_file_is_over_its_size() -> None:
    over = {
        str(path): line_count(path) for path in sized_files() if line_count(path) > MOST_LINES[path.suffix]
    }
    assert not over


def test_long_modules_were_looked_at_twice() -> None:
    long = {
        str(path.relative_to(ROOT))
        for path in sized_files()
        if path.suffix == ".py" and line_count(path) > LOOK_TWICE_AT
    }
    assert not long - LOOKED_AT.keys(), "split them, or say in LOOKED_AT why they stay whole"
    assert not LOOKED_AT.keys() - long, "short again: take them off LOOKED_AT"


def test_no_function_is_over_its_size() -> None:
    over = [
        f"{path}:{function.lineno} {function.name}"
        for path, tree in modules(PACKAGE).items()
        for function in functions(tree)
        if (function.end_lineno or 0) - function.lineno + 1 > LONGEST_FUNCTION
    ]
    assert not over
