"""`python -m tests.simulation SEED [--seeds N] [--bug NAME]`: plays scenarios, and tells what was found."""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Final

import msgspec
from tests.simulation.bugs import BUGS, planted
from tests.simulation.run import Result
from tests.simulation.simulation import simulate

LOT: Final = 25
"""Seeds that are told of together."""
TOLD_EVERY: Final = 20
"""Lots."""


class Lot(msgspec.Struct):
    """What some seeds came to; `broken` is the first in which something was wrong, and ends the lot."""

    seeds: int = 0
    hands: int = 0
    steps: int = 0
    spent: float = 0.0
    faults: Counter[str] = msgspec.field(default_factory=Counter)
    broken: Result | None = None

    def add(self, other: Lot) -> None:
        self.seeds += other.seeds
        self.hands += other.hands
        self.steps += other.steps
        self.spent += other.spent
        self.faults += other.faults
        self.broken = self.broken or other.broken

    def told(self) -> str:
        speed = self.hands / max(self.spent, 1e-9)
        return (
            f"{self.seeds} seeds, {self.hands} hands, {sum(self.faults.values())} faults, {self.steps} steps, "
            f"{speed:.0f} hands a second and core"
        )


def play(first: int, count: int, bug: str | None) -> Lot:
    """Some seeds, one after the other."""
    lot, began = Lot(), time.process_time()
    gc.disable()
    with planted(bug):
        for seed in range(first, first + count):
            result = simulate(seed)
            lot.add(Lot(1, result.hands, result.steps, 0.0, result.faults, result if result.wrong else None))
            if result.wrong:
                break
    gc.enable()
    gc.collect()
    lot.spent = time.process_time() - began
    return lot


def _lots(first: int, count: int, bug: str | None, processes: int) -> Iterator[Lot]:
    """In the order of their seeds."""
    starts = range(first, first + count, LOT)
    sizes = [min(LOT, first + count - start) for start in starts]
    if processes == 1:
        yield from map(play, starts, sizes, [bug] * len(sizes))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play, starts, sizes, [bug] * len(sizes))
        pool.shutdown(cancel_futures=True)


def search(first: int, count: int, bug: str | None, processes: int = 1) -> Lot:
    """Play until something is wrong, or all seeds are played."""
    total = Lot()
    for number, lot in enumerate(_lots(first, count, bug, processes), start=1):
        total.add(lot)
        if total.broken is not None:
            break
        if number % TOLD_EVERY == 0:
            print(f"  {total.told()}", flush=True)
    return total


def _tell(result: Result) -> None:
    print(f"seed {result.seed}: trace {result.trace}, {result.hands} hands, {result.steps} steps")
    for what in result.wrong:
        print(f"  {what}")


def _hunt(first: int, count: int, bug: str, processes: int) -> bool:
    """Whether a planted bug is found."""
    total = search(first, count, bug, processes)
    where = "not found" if total.broken is None else f"found in seed {total.broken.seed}"
    print(f"{bug}: {where}, after {total.seeds} seeds", flush=True)
    if total.broken is not None:
        print(f"  {total.broken.wrong[0]}")
    return total.broken is not None


def main() -> int:
    """0 where all was well, and every planted bug was found; else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many, one after the other (1)")
    parser.add_argument(
        "--bug", choices=("all", *sorted(BUGS)), help="plant a bug, and stop where it is found"
    )
    parser.add_argument("--processes", type=int, default=1, help="how many at the same time (1)")
    asked = parser.parse_args()
    if asked.bug is not None:
        hunted = sorted(BUGS) if asked.bug == "all" else [asked.bug]
        found = [_hunt(asked.seed, asked.seeds, bug, asked.processes) for bug in hunted]
        print(f"{sum(found)} of {len(found)} planted bugs found")
        return 0 if all(found) else 1
    if asked.seeds == 1:
        _tell(simulate(asked.seed))
    total = search(asked.seed, asked.seeds, None, asked.processes)
    print(total.told())
    print(", ".join(f"{count} {kind}" for kind, count in sorted(total.faults.items())))
    if total.broken is not None:
        _tell(total.broken)
    return 0 if total.broken is None else 1


if __name__ == "__main__":
    sys.exit(main())
