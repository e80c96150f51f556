"""Fills a store for the restart bench: one table is played for real, the others are its copies.

python -m tests.bench.filler STORE TABLES HANDS

Copies go through the store's own transactions, so that the file is one the service could have written. They
share the players and their wallets.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import uvloop
from tests.bench.copies import Copier

from croupier import opening
from croupier.adapters import key_file
from croupier.adapters.sqlite.schema import open_writer
from croupier.adapters.sqlite.store import SqliteStore
from croupier.adapters.sqlite.transaction import Transactions
from croupier.app import App
from croupier.client import Croupier
from croupier.client.load.dice import Dice
from croupier.client.load.mix import TableKind
from croupier.client.load.policy import FOLD, Choice, choose
from croupier.client.load.seating import house_of, open_table
from croupier.client.load.table import LoadTable, Setting
from croupier.client.load.tally import Tally
from croupier.config import Settings, load
from croupier.room.ports import Durable, Outcome, Unit
from croupier.room.seal import Seal
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.hand_pb2 import LegalActions

BATCH = 1024


class Recording(SqliteStore):
    """The service's store, remembering what was submitted to it."""

    units: ClassVar[list[Unit]] = []

    def submit(self, unit: Unit, done: Callable[[Outcome], None]) -> None:
        self.units.append(unit)
        super().submit(unit, done)


def short_hands(legal: LegalActions, dice: Dice) -> Choice:
    """Four of five fold where they are asked to pay: a hand has two or three actions."""
    if legal.call_amount and dice.below(5):
        return FOLD, 0
    return choose(legal, dice)


async def play(settings: Settings, hands: int) -> str:
    """Plays a table for so many hands, leaves it with a hand in play, and returns its id."""
    server = App(settings)
    await server.start()
    try:
        async with Croupier(f"127.0.0.1:{server.port}") as client:
            house = await house_of(client, "puzzle_pirates")
            tally = Tally()
            seating = await open_table(client, house, TableKind(), 2, "restart", 0)
            await seating.seat_all()
            act = BettingServiceStub(client.channel).Act
            setting = Setting(client, act, tally, probes=0, choose=short_hands)
            table = LoadTable(setting, seating, "restart", Dice(1))
            while tally.hands < hands:
                await table.step()
            if tally.wrong:
                raise SystemExit("\n".join(tally.wrong))
            return table.table_id
    finally:
        await server.stop()


def write_copies(path: Path, copier: Copier, tables: int) -> None:
    """Copies 1 to `tables`, without waiting for the disk."""
    connection = open_writer(path)
    connection.execute("PRAGMA synchronous = OFF")
    transactions = Transactions(connection)
    for number in range(1, tables + 1):
        units = list(copier.copy(number))
        for start in range(0, len(units), BATCH):
            batch = units[start : start + BATCH]
            outcomes = transactions.finish(batch, transactions.begin(batch))
            if refused := [outcome for outcome in outcomes if not isinstance(outcome, Durable)]:
                raise SystemExit(f"copy {number}: {refused[0]}")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def main(path: Path, tables: int, hands: int) -> None:
    settings = load({"store": f"sqlite:{path}", "port": 0, "http_port": 0, "log_level": "error"})
    opening.SqliteStore = Recording  # type: ignore[attr-defined]
    table_id = uvloop.run(play(settings, hands))
    seal = Seal(key_file.read_or_make(settings.key_path, settings.database))
    write_copies(path, Copier(Recording.units, table_id, seal), tables - 1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
