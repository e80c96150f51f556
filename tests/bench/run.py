"""The benches, one after the other, with a table of what they came to: python -m tests.bench.run [NAME ...]

Writes build/bench.json, a list of rows. Owns no measurement. A bench that fails becomes a row that says so; one that
needs what is not there (PostgreSQL, NATS) is named and left out. The exit status is 0 all the same, because a figure
is for people to judge.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bench.rows import Row

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "bench.json"
FIRST = ("handrank_bench", "engine_bench", "store_bench", "act_bench")
"""Modules in the order they are run in; others follow by name. Each has BENCHES, functions by name, or `run`;
the functions return rows."""

Bench = Callable[[], Sequence[Mapping[str, Any]]]


def main(arguments: Sequence[str]) -> int:
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description="Run the benches and write build/bench.json.")
    parser.add_argument("names", nargs="*", help="benches to run; all of them when none is named")
    parser.add_argument("--list", action="store_true", help="list the benches and run none")
    chosen = parser.parse_args(arguments)
    benches = _benches()
    if chosen.list:
        print("\n".join(benches))
        return 0
    if unknown := set(chosen.names) - set(benches):
        parser.error(f"there is no bench {', '.join(sorted(unknown))}; there are {', '.join(benches)}")
    from tests.bench.rows import machine

    print(machine())
    rows = [each for name in chosen.names or benches for each in _measured(name, benches[name])]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n")
    missed = sum(_missed(each) for each in rows)
    print(f"{len(rows)} figures in {RESULTS.relative_to(ROOT)}, {missed} short of the goal")
    return 0


def _benches() -> dict[str, Bench]:
    """Every bench there is, by name; a module that cannot be imported is a bench that fails."""
    found: dict[str, Bench] = {}
    there = sorted(path.stem for path in Path(__file__).parent.glob("*_bench.py"))
    for name in sorted(there, key=lambda stem: FIRST.index(stem) if stem in FIRST else len(FIRST)):
        try:
            module = importlib.import_module(f"tests.bench.{name}")
        except Exception as failure:
            found[name] = _failing(failure)
        else:
            found.update(getattr(module, "BENCHES", None) or {name: module.run})
    return found


def _failing(failure: Exception) -> Bench:
    def bench() -> list[Row]:
        raise failure

    return bench


def _measured(name: str, bench: Bench) -> list[Row]:
    """The bench's rows, printed; none where it is left out."""
    import pytest
    from tests.bench.rows import failed, in_words

    started = time.monotonic()
    print(f"{name} ...", flush=True)
    try:
        rows = [in_words(each) for each in bench()]
    except pytest.skip.Exception as missing:
        print(f"  left out: {missing}")
        return []
    except (Exception, pytest.fail.Exception) as failure:
        rows = [failed(name, f"{type(failure).__name__}: {failure}")]
    for each in rows:
        print(_line(each))
    print(f"  ({time.monotonic() - started:.0f} s)", flush=True)
    return rows


def _line(row: Row) -> str:
    if not row["runs"]:
        return f"  {row['name']:28} {row['conditions']}"
    figure = f"{row['value']:14,.2f} {row['unit']:10}"
    goal = f"goal {row['goal']:.2f}" if row["goal"] else "no goal"
    missed = "  MISSED" if _missed(row) else ""
    against = f"against {row['against']}: ratio {row['ratio']:.2f}, {goal}{missed}"
    return f"  {row['name']:28}{figure} {against}\n    {row['conditions']}"


def _missed(row: Row) -> bool:
    return not row["runs"] or row["ratio"] < row["goal"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
