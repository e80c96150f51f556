"""`python -m tests.census`: minutes on one core; it exits with 1 and says what differs, if anything does."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Final

from tests.census import comparisons
from tests.census.known import COUNTS
from tests.census.reference_ranks import judge_fives
from tests.census.ways import names

from croupier.cards import DECK

TOLD_EVERY_SECONDS: Final = 10.0


class Progress:
    """Prints how far it is, and once another thing is compared what came of the one before."""

    def __init__(self) -> None:
        self._what, self._count = "", 0
        self._begun = self._told = time.monotonic()

    def __call__(self, what: str, count: int) -> None:
        if what != self._what:
            self.end()
            self._what, self._count, self._begun = what, 0, time.monotonic()
        self._count += count
        if time.monotonic() - self._told > TOLD_EVERY_SECONDS:
            self._told = time.monotonic()
            print(f"  {self._count:,} {self._what}", flush=True)

    def end(self) -> None:
        if self._what:
            spent = time.monotonic() - self._begun
            print(f"{self._count:,} {self._what}: no difference ({spent:.0f} s)", flush=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.census", description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000_000, help="by lot, of 5, 6 and 7 cards each")
    parser.add_argument(
        "--deals", type=int, default=1_000_000, help="of Omaha with 4, 5 and 6 hole cards each"
    )
    chosen = parser.parse_args(arguments)
    progress, deck = Progress(), len(DECK)
    print(f"each hand: {', '.join(names())}", flush=True)
    fives = judge_fives(comparisons.fives_of(deck))
    print(f"{len(fives.highs):,} hands of five judged by the reference", flush=True)
    try:
        for size, classes in comparisons.every_hand(fives.highs, deck, progress):
            if classes != COUNTS[size]:
                raise comparisons.Difference(f"hands of {size} by class: {classes}")
        for size in COUNTS:
            comparisons.random_hands(fives.highs, deck, size, chosen.hands, progress)
        for hole_count in (4, 5, 6):
            comparisons.omaha_deals(fives, deck, hole_count, chosen.deals, progress)
    except comparisons.Difference as difference:
        print(f"DIFFERENCE: {difference}")
        return 1
    progress.end()
    print("each class has as many hands of 5, 6 and 7 cards as is known")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
