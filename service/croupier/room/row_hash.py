"""What a row beside the journal is checked by: a hash over all that it says. It stores and compares nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from croupier.room.ports import EntrySet, Posting, RequestRecord

START_OF_LOG: Final = hashlib.sha256(b"operations").digest()
"""What the operator log's first entry follows."""

_encode = msgspec.msgpack.Encoder().encode


def set_hash(entry_set: EntrySet, recorded_time: int) -> bytes:
    """SHA-256 over an entry set as it is kept, its postings in their order."""
    return hash_of_set(
        entry_set.entry_set_id,
        entry_set.kind,
        entry_set.table_id,
        entry_set.hand_id,
        recorded_time,
        [(entry_set.currency, entry_set.postings)],
    )


def hash_of_set(
    entry_set_id: str,
    kind: str,
    table_id: str,
    hand_id: str,
    recorded_time: int,
    postings: Iterable[tuple[str, Iterable[Posting]]],
) -> bytes:
    """As `set_hash`, for what a store holds: postings by currency, of which there should be one."""
    content = (entry_set_id, kind, table_id, hand_id, recorded_time, list(postings))
    return hashlib.sha256(_encode(content)).digest()


def request_hash(request: RequestRecord) -> bytes:
    """SHA-256 over a request's lasting answer and its key."""
    content = (request.principal, request.method, request.request_id, request.digest, request.answer)
    return hashlib.sha256(_encode(content)).digest()


def operation_hash(previous: bytes, number: int, body: bytes) -> bytes:
    """SHA-256 over the hash of the entry before, and what the operator log keeps of this one."""
    return hashlib.sha256(_encode((previous, number, body))).digest()
