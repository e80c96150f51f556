"""Settled hands and ledger entries as croupier.v1 has them, as notices of the feed."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.adapters.rpc import hand_messages, messages
from croupier.room import accounts
from croupier.room.ports import LedgerEntry
from croupier.room.records import HandRecord
from croupier.v1 import feed_pb2
from croupier.v1 import settlement_service_pb2 as pb

_LANGUAGE = "en"


def settled_hand(record: HandRecord) -> feed_pb2.SettledHandNotice:
    """The notice of a hand; the record is one for nobody."""
    return feed_pb2.SettledHandNotice(hand=hand_messages.hand_record(record, "", _LANGUAGE))


def entry_set(entries: Sequence[LedgerEntry]) -> feed_pb2.EntrySetNotice:
    """The notice of a set, of which these are all entries."""
    return feed_pb2.EntrySetNotice(
        entry_set_id=entries[0].entry_set_id, entries=[ledger_entry(one) for one in entries]
    )


def ledger_entry(entry: LedgerEntry) -> pb.LedgerEntry:
    return pb.LedgerEntry(
        entry_id=entry.entry_id,
        entry_set_id=entry.entry_set_id,
        account=entry.account,
        amount=entry.amount,
        currency=entry.currency,
        kind=pb.EntryKind.Value(f"ENTRY_KIND_{entry.kind.upper()}"),
        player_id=accounts.player_of(entry.account) or "",
        table_id=entry.table_id,
        hand_id=entry.hand_id,
        entry_time=messages.timestamp(entry.recorded_time),
    )
