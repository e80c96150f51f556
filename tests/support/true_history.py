"""Histories of tables that bots have really played at, with the log of their clients; checked without a server."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from croupier.client import Croupier
from croupier.client.load import Plan, run
from croupier.client.load.history.finding import Finding
from croupier.client.load.history.hands import LISTED, WHOLE
from croupier.client.load.history.heard import Heard
from croupier.client.load.history.operation import Operation
from croupier.client.load.history.reading import history_of
from croupier.client.load.history.table_check import TableCheck
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_record_pb2 import HandRecord
from croupier.v1.settlement_service_pb2 import LedgerEntry
from croupier.v1.table_service_pb2_grpc import TableServiceStub

Groups = list[list[TableEvent]]


class Truth(NamedTuple):
    """One table's. `groups` are the events of each sequence, in order."""

    table_id: str
    operations: list[Operation]
    groups: Groups
    heard: Heard
    entries: list[LedgerEntry]
    listed: list[HandRecord]
    whole: list[HandRecord]

    def copy(self) -> Truth:
        """Another, to be changed."""
        return copy.deepcopy(self)

    def findings(self) -> list[Finding]:
        check = TableCheck(self.table_id, self.operations, [self.heard])
        for group in self.groups:
            check.take(group)
        return [*check.finish(self.entries), *check.hands.compare(self.listed, self.whole)]


def heard(groups: Sequence[Sequence[TableEvent]]) -> Heard:
    """What a watcher from the first event on is told of them."""
    watcher = Heard()
    for group in groups:
        watcher.add(group)
    return watcher


def logged(path: Path) -> dict[str, list[Operation]]:
    """The lines of a log by table; of the empty name, those that concern none."""
    decode: Final = msgspec.json.Decoder(Operation).decode
    found: defaultdict[str, list[Operation]] = defaultdict(list)
    with path.open("rb") as lines:
        for line in lines:
            operation = decode(line)
            found[operation.table_id].append(operation)
    return dict(found)


async def played(plan: Plan, directory: Path) -> list[Truth]:
    """Has bots play as planned at a true server, and reads everything back."""
    path = directory / "history.jsonl"
    report = await run(plan._replace(history=path))
    assert report.wrong == [], report.wrong[:3]
    async with Croupier(plan.target) as client:
        return [
            await _truth(client, table_id, operations)
            for table_id, operations in logged(path).items()
            if table_id
        ]


async def _truth(client: Croupier, table_id: str, operations: list[Operation]) -> Truth:
    watch = TableServiceStub(client.channel).WatchTable
    last = (await client.get_table(table_id)).sequence
    groups: Groups = [list(group) async for group in history_of(watch, table_id, last)]
    entries = [entry async for entry in client.list_entries(table_id=table_id)]
    listed = [hand async for hand in client.list_hands(table_id=table_id)][:LISTED]
    whole = [await client.get_hand(hand.hand_id) for hand in listed[:WHOLE]]
    return Truth(table_id, operations, groups, heard(groups), entries, listed, whole)
