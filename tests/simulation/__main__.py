"""Plays scenarios with faults, each of which a SEED decides, and tells what was found to be broken.

One server that crashes is played, or with --nodes several on one store and one bus, any of which may be asked.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

import msgspec
from tests.simulation.bugs import BUGS
from tests.simulation.cluster import simulate_cluster
from tests.simulation.cluster_bugs import CLUSTER_BUGS
from tests.simulation.plant import Plant, planted
from tests.simulation.run import Result
from tests.simulation.simulation import simulate

LOT: Final = 25
"""Seeds that are told of together."""
TOLD_EVERY: Final = 20
"""Lots."""


class Service(NamedTuple):
    """What is played: so many nodes, 0 for one server that shares its store with nobody, and a bug, "" for none."""

    nodes: int = 0
    bug: str = ""

    def bugs(self) -> dict[str, Plant]:
        """Those that may be planted."""
        return CLUSTER_BUGS if self.nodes else BUGS

    def play(self, seed: int) -> Result:
        return simulate_cluster(seed, self.nodes) if self.nodes else simulate(seed)

    def again(self, seed: int) -> str:
        """The command that plays a seed."""
        nodes = f" --nodes {self.nodes}" if self.nodes else ""
        return f"python -m tests.simulation {seed}{nodes}" + (f" --bug {self.bug}" if self.bug else "")


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


def play(first: int, count: int, service: Service) -> Lot:
    """Some seeds, one after the other."""
    lot, began = Lot(), time.process_time()
    gc.disable()
    with planted(service.bugs()[service.bug] if service.bug else None):
        for seed in range(first, first + count):
            result = service.play(seed)
            lot.add(Lot(1, result.hands, result.steps, 0.0, result.faults, result if result.wrong else None))
            if result.wrong:
                break
    gc.enable()
    gc.collect()
    lot.spent = time.process_time() - began
    return lot


def _lots(first: int, count: int, service: Service, processes: int) -> Iterator[Lot]:
    """In the order of their seeds."""
    starts = range(first, first + count, LOT)
    sizes = [min(LOT, first + count - start) for start in starts]
    if processes == 1:
        yield from map(play, starts, sizes, [service] * len(sizes))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play, starts, sizes, [service] * len(sizes))
        pool.shutdown(cancel_futures=True)


def search(first: int, count: int, service: Service, processes: int = 1) -> Lot:
    """Play until something is wrong, or all seeds are played."""
    total = Lot()
    for number, lot in enumerate(_lots(first, count, service, processes), start=1):
        total.add(lot)
        if total.broken is not None:
            break
        if number % TOLD_EVERY == 0:
            print(f"  {total.told()}", flush=True)
    return total


def _tell(result: Result, service: Service) -> None:
    print(f"seed {result.seed}: trace {result.trace}, {result.hands} hands, {result.steps} steps")
    for what in result.wrong:
        print(f"  {what}")
    if result.wrong:
        print(f"  to play it again: {service.again(result.seed)}")


def _hunt(first: int, count: int, service: Service, processes: int) -> bool:
    """Whether a planted bug is found."""
    total = search(first, count, service, processes)
    where = "not found" if total.broken is None else f"found in seed {total.broken.seed}"
    print(f"{service.bug}: {where}, after {total.seeds} seeds", flush=True)
    if total.broken is not None:
        print(f"  {total.broken.wrong[0]}")
    return total.broken is not None


def main() -> int:
    """0 where all was well, and every planted bug was found; else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many, one after the other (1)")
    parser.add_argument(
        "--nodes", type=int, default=0, help="so many servers on one store and one bus (one server alone)"
    )
    parser.add_argument(
        "--bug",
        choices=("all", *sorted(BUGS), *sorted(CLUSTER_BUGS)),
        metavar="NAME",
        help=f"plant a bug, and stop where it is found: all; {', '.join(sorted(BUGS))}; with --nodes all;"
        f" {', '.join(sorted(CLUSTER_BUGS))}",
    )
    parser.add_argument("--processes", type=int, default=1, help="how many at the same time (1)")
    asked = parser.parse_args()
    service = Service(asked.nodes)
    if asked.bug is not None:
        hunted = sorted(service.bugs()) if asked.bug == "all" else [asked.bug]
        if strange := set(hunted) - service.bugs().keys():
            parser.error(
                f"{strange.pop()} is a bug of {'one server' if asked.nodes else 'several: add --nodes 3'}"
            )
        found = [_hunt(asked.seed, asked.seeds, service._replace(bug=bug), asked.processes) for bug in hunted]
        print(f"{sum(found)} of {len(found)} planted bugs found")
        return 0 if all(found) else 1
    total = search(asked.seed, asked.seeds, service, asked.processes)
    if asked.seeds == 1 and total.broken is None:
        _tell(service.play(asked.seed), service)
    print(total.told())
    print(", ".join(f"{count} {kind}" for kind, count in sorted(total.faults.items())))
    if total.broken is not None:
        _tell(total.broken, service)
    return 0 if total.broken is None else 1


if __name__ == "__main__":
    sys.exit(main())
