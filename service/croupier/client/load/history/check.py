"""Reads the histories of all tables that were recorded from the service, and has them checked. Judges nothing."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from croupier.client import Croupier
from croupier.client.load.history.finding import Finding
from croupier.client.load.history.hands import LISTED, WHOLE, LatestHands
from croupier.client.load.history.heard import Heard
from croupier.client.load.history.log import Log
from croupier.client.load.history.operation import Operation
from croupier.client.load.history.reading import Watch, history_of
from croupier.client.load.history.table_check import TableCheck
from croupier.client.load.history.wallets import of_wallet
from croupier.v1.hand_record_pb2 import HandRecord
from croupier.v1.table_pb2 import TableState

_MOST_OF_TABLE: Final = 10
"""Findings told of one table: what follows from one fault would hide the others."""

_MOMENTS: Final = 5.0
"""Seconds within which a settled hand is listed."""


class Checked(NamedTuple):
    """`operations` were held against `events` of `tables`; of `unknown` ones no answer had come."""

    operations: int
    unknown: int
    tables: int
    events: int
    watched: int
    findings: list[Finding]


class Told(NamedTuple):
    """What of a run is checked: `heard` are watch streams by table."""

    log: Log
    heard: Mapping[str, Sequence[Heard]]


async def check(client: Croupier, watch: Watch, told: Told) -> Checked:
    """Everything recorded, table by table; raises CroupierError or AioRpcError where the service does not answer."""
    log, findings = told.log, []
    events = unknown = 0
    for table_id in log.tables():
        operations = list(log.of(table_id))
        unknown += sum(not one.ended for one in operations)
        stands = await client.get_table(table_id)
        closed = stands.state == TableState.TABLE_STATE_CLOSED
        table = TableCheck(table_id, operations, told.heard.get(table_id, ()))
        async for group in history_of(watch, table_id, stands.sequence):
            table.take(group)
        entries = [entry async for entry in client.list_entries(table_id=table_id)] if closed else None
        found = table.finish(entries)
        if closed:
            found += await _of_hands(client, table_id, table.hands)
        events += table.events
        found.sort(key=lambda finding: finding.sequence or stands.sequence)
        findings += found[:_MOST_OF_TABLE]
        if len(found) > _MOST_OF_TABLE:
            more = len(found) - _MOST_OF_TABLE
            findings.append(Finding(found[-1].kind, table_id, 0, "", f"{more} more findings at this table"))
    moves: defaultdict[str, list[Operation]] = defaultdict(list)
    for operation in log.of(""):
        moves[operation.player_id].append(operation)
        unknown += not operation.ended
    for player_id, operations in moves.items():
        if player_id:
            account = f"wallet/{player_id}"
            entries = [
                entry
                async for entry in client.list_entries(account_prefix=account, player_id=player_id)
                if entry.account == account
            ]
            findings += of_wallet(player_id, operations, entries)
    watched = sum(len(heard.sequences) for streams in told.heard.values() for heard in streams)
    return Checked(log.count, unknown, len(log.tables()), events, watched, findings)


async def _of_hands(client: Croupier, table_id: str, hands: LatestHands) -> list[Finding]:
    """What is wrong with the latest hands as they are listed, moments after they were settled."""
    deadline = time.monotonic() + _MOMENTS
    while True:
        listed: list[HandRecord] = []
        async for hand in client.list_hands(table_id=table_id, page_size=LISTED):
            listed.append(hand)
            if len(listed) == LISTED:
                break
        if (listed and listed[0].hand_id == hands.last) or not hands.last or time.monotonic() > deadline:
            break
        await asyncio.sleep(0.05)
    whole = [await client.get_hand(hand.hand_id) for hand in listed[:WHOLE]]
    return list(hands.compare(listed, whole))
