"""`croupier serve` with commits that a test can hold open: held_server.py DIRECTORY SERVE-FLAGS…

DIRECTORY is tests.support.holding's.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.holding import Gate

from croupier.adapters.sqlite.transaction import Transactions
from croupier.config import load
from croupier.room.ports import Outcome, Unit
from croupier.run import run


def hold_what_is_on_disk(gate: Gate) -> None:
    """Hold the store's writer between a commit and telling anybody of it."""
    finish = Transactions.finish

    def held(self: Transactions, units: Sequence[Unit], outcomes: list[Outcome]) -> list[Outcome]:
        known = finish(self, units, outcomes)
        gate.pass_by("told")
        return known

    Transactions.finish = held  # type: ignore[method-assign]


def hold_what_is_in_the_database(gate: Gate) -> None:
    """The same of the PostgreSQL store."""
    from croupier.adapters.postgres import transaction

    write = transaction.Transactions.write

    async def held(self: transaction.Transactions, units: Sequence[Unit]) -> list[Outcome]:
        known = await write(self, units)
        await asyncio.to_thread(gate.pass_by, "told")
        return known

    transaction.Transactions.write = held  # type: ignore[method-assign]


def main(directory: Path, flags: list[str]) -> int:
    gate = Gate(directory)
    names = [flag.removeprefix("--").replace("-", "_") for flag in flags[::2]]
    settings = load(dict(zip(names, flags[1::2], strict=True)))
    hold = hold_what_is_on_disk if settings.store_name == "sqlite" else hold_what_is_in_the_database
    hold(gate)
    return run(settings, gate.before_commit)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
