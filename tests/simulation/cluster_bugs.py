"""Bugs planted on purpose where several nodes play, each a mistake that somebody could make."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Final
from unittest.mock import patch

import msgspec
from tests.fakes import memory_tables
from tests.simulation.database import LEASE, Database, NodeRow
from tests.simulation.node_store import NodeStore
from tests.simulation.plant import Plant

from croupier.adapters.rpc import envelopes
from croupier.adapters.rpc.envelopes import CallEnvelope
from croupier.room.follower import Follower
from croupier.room.hosting import Hosting
from croupier.room.room import Room
from croupier.room.seal import Seal


def _append_without_epoch_check(stack: ExitStack) -> None:
    chain = memory_tables.require_chain

    def trusting(table: Any, records: Any) -> None:
        kept, table.epoch = table.epoch, records[0].epoch if records else table.epoch
        try:
            chain(table, records)
        finally:
            table.epoch = kept

    def known(self: Database, row: NodeRow, connection: int, commits: int) -> bool:  # noqa: ARG001
        return (row.connection, row.commits) == (connection, commits)

    stack.enter_context(patch("tests.fakes.memory_store.require_chain", trusting))
    stack.enter_context(patch.object(Database, "elsewhere", staticmethod(lambda *_: False)))
    stack.enter_context(patch.object(Database, "may_write", known))


def _claim_before_the_lease_is_over(stack: ExitStack) -> None:
    runs = Database.runs

    def hardly(self: Database, node_id: str) -> bool:
        row = self.rows.get(node_id)
        return runs(self, node_id) and row is not None and row.expires > self._world.now + LEASE * 2 // 3

    def over(self: Database, row: NodeRow) -> bool:
        return row.expires <= self._world.now + LEASE * 2 // 3

    stack.enter_context(patch.object(Database, "ownerless_tables", _with(Database.ownerless_tables, hardly)))
    stack.enter_context(patch.object(Database, "owner", _with(Database.owner, hardly)))
    stack.enter_context(patch.object(Database, "has_run_out", over))


def _with(method: Any, runs: Any) -> Any:
    """A method that takes leases for over that are not."""

    def changed(self: Database, *arguments: Any) -> Any:
        with patch.object(Database, "runs", runs):
            return method(self, *arguments)

    return changed


def _answers_after_the_lease(stack: ExitStack) -> None:
    stack.enter_context(patch.object(NodeStore, "lapsed", lambda _: False))


def _forwarded_again_with_a_new_request_id(stack: ExitStack) -> None:
    encode = envelopes.encode
    tries: dict[bytes, int] = {}

    def renaming(envelope: Any) -> bytes:
        if isinstance(envelope, CallEnvelope):
            count = tries[envelope.request] = tries.get(envelope.request, 0) + 1
            request = pickle.loads(envelope.request)
            if count > 1:
                request = msgspec.structs.replace(request, request_id=f"{request.request_id} again {count}")
            envelope = msgspec.structs.replace(envelope, request=pickle.dumps(request))
        return encode(envelope)

    stack.enter_context(patch.object(envelopes, "encode", renaming))


def _handed_over_before_what_is_pending_is_written(stack: ExitStack) -> None:
    async def hasty(self: Hosting, moves: Mapping[str, str]) -> None:
        moved = await self._fleet.hand_over(moves)
        for table_id in moved:
            self.closed(table_id)
            self._room.release(table_id)

    stack.enter_context(patch.object(Hosting, "hand_over", hasty))


def _old_deadline_after_a_take_over(stack: ExitStack) -> None:
    take = Room.take

    async def hurried(self: Room, journal: Any) -> None:
        await take(self, journal)
        actor = self._tables.get(journal.table_id)
        if actor is not None and actor.clock.deadline:
            actor.clock.deadline = self._services.runtime.now() + 1
            actor.schedule.wake_by(actor.clock.deadline)

    stack.enter_context(patch.object(Room, "take", hurried))


def _gap_not_filled(stack: ExitStack) -> None:
    take = Follower._take_heard

    def careless(self: Follower, news: Any) -> None:
        if news.row.journal_sequence > self.next_record:
            self._chain.journal_sequence = news.row.journal_sequence - 1
            self._chain.hash = news.row.prev_hash
        take(self, news)

    stack.enter_context(patch.object(Follower, "_take_heard", careless))


def _taken_twice(stack: ExitStack) -> None:
    stack.enter_context(patch.object(Hosting, "_comes", lambda *_: True))


def _key_of_a_followed_hand_only_opens(stack: ExitStack) -> None:
    hold = Seal.hold

    def overwriting(self: Seal, table_id: str, kept: bytes) -> None:
        self._keys.pop(table_id, None)
        hold(self, table_id, kept)

    stack.enter_context(patch.object(Seal, "hold", overwriting))


CLUSTER_BUGS: Final[dict[str, Plant]] = {
    "append-without-epoch-check": _append_without_epoch_check,
    "claim-before-the-lease-is-over": _claim_before_the_lease_is_over,
    "answers-after-the-lease": _answers_after_the_lease,
    "forwarded-again-with-a-new-request-id": _forwarded_again_with_a_new_request_id,
    "handed-over-before-what-is-pending-is-written": _handed_over_before_what_is_pending_is_written,
    "old-deadline-after-a-take-over": _old_deadline_after_a_take_over,
    "gap-not-filled": _gap_not_filled,
    "taken-twice": _taken_twice,
    "key-of-a-followed-hand-only-opens": _key_of_a_followed_hand_only_opens,
}
