"""`python -m tests.simulation SEED [--seeds N] [--bug NAME]`: plays scenarios, and tells what was found."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.simulation.bugs import BUGS, planted
from tests.simulation.simulation import Result, simulate


def main() -> int:
    """0 where all was well, or the planted bug was found; else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many, one after the other (1)")
    parser.add_argument("--bug", choices=sorted(BUGS), help="plant a bug, and stop where it is found")
    asked = parser.parse_args()
    hands, steps, faults = 0, 0, Counter[str]()
    began = told = time.process_time()
    for done, seed in enumerate(range(asked.seed, asked.seed + asked.seeds), start=1):
        with planted(asked.bug):
            result = simulate(seed)
        hands, steps, faults = hands + result.hands, steps + result.steps, faults + result.faults
        spent = time.process_time() - began
        if result.wrong:
            _tell(result)
            print(f"{asked.bug or 'broken'}: found in seed {seed}, after {done} seeds, {spent:.1f} s")
            return 0 if asked.bug else 1
        if asked.seeds == 1:
            _tell(result)
        elif time.process_time() - told > 10:
            told = time.process_time()
            print(f"{done} seeds, {hands} hands, {sum(faults.values())} faults, {hands / spent:.0f} hands/s", flush=True)
    spent = time.process_time() - began
    print(f"{asked.seeds} seeds, {hands} hands, {steps} steps, {hands / max(spent, 1e-9):.0f} hands/s and core")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(faults.items())))
    if asked.bug:
        print(f"{asked.bug}: not found")
    return 1 if asked.bug else 0


def _tell(result: Result) -> None:
    print(f"seed {result.seed}: trace {result.trace}, {result.hands} hands in {result.simulated_s} simulated seconds")
    for what in result.wrong:
        print(f"  {what}")


if __name__ == "__main__":
    sys.exit(main())
