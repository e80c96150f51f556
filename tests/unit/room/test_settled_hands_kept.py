"""The index of settled hands is a projection: kept up behind the players' backs, and made anew from the journal."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from tests.fakes.memory_hands import MemoryHands
from tests.fakes.memory_store import MemoryStore
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.record_tables import played
from tests.support.seated import PLAYERS, fold_out, table_of

from croupier.room.failures import JournalDamaged
from croupier.room.hand_index import LAG_NS
from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand
from croupier.room.ports import Record

LAG_S = LAG_NS / 1e9


def kept(table: SimulatedTable) -> list[SettledHand]:
    """What the store's index holds, in order."""
    hands = table.store.indexed.hands.values()
    return sorted(hands, key=lambda hand: hand.place.hand_number)


async def restless(runtime: SimulatedRuntime) -> SimulatedTable:
    """A table of three whose hands follow each other at once."""
    table = await SimulatedTable.open(runtime, hand_pause_ms=0)
    for seat, player in enumerate(PLAYERS, start=1):
        await table.sit(player, seat)
    return table


async def listed(table: SimulatedTable) -> list[int]:
    query = HandQuery(100, table_id=table.table_id)
    return [place.hand_number for place in await table.room.hands.hands(query)]


@simulated()
async def test_a_hand_is_listed_moments_after_it_is_settled(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna", "bert")
    await fold_out(table)
    assert await listed(table) == []
    assert await table.room.hands.find(table.table_id, 1) is not None, (
        "asked for by its name it is there at once"
    )
    await table.sleep(LAG_S)
    assert await listed(table) == [1]


@simulated()
async def test_no_hand_is_known_before_it_has_ended(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna", "bert")
    assert await table.room.hands.find(table.table_id, 1) is None
    await table.restart()
    assert await table.room.hands.find(table.table_id, 1) is None


@simulated()
async def test_the_index_made_anew_equals_the_one_kept(runtime: SimulatedRuntime) -> None:
    table = await played(runtime, "NT", 1, 60)
    await table.sleep(LAG_S)
    before = kept(table)
    assert len(before) > 60
    table.store.indexed = MemoryHands()
    await runtime.crash()
    room = table.new_room()
    await room.recover()
    await runtime.sleep(LAG_S)
    assert kept(table) == before


@simulated()
async def test_a_crash_between_the_end_of_a_hand_and_its_row_loses_no_hand(runtime: SimulatedRuntime) -> None:
    table = await restless(runtime)
    for _ in range(4):
        await table.check_down()
    assert kept(table) == [], "no time has passed"
    await table.restart()
    found = await table.room.hands.find(table.table_id, 3)
    assert isinstance(found, HandPlace), "a hand that is asked for is read at once"
    await table.sleep(LAG_S)
    assert [hand.place.hand_number for hand in kept(table)] == [1, 2, 3, 4]
    assert {len(hand.players) for hand in kept(table)} == {2, 3}, "two were there first"


class _Unready(MemoryStore):
    """Takes no hands into its index while `unready`, and reads none from its journal while `unreadable`.

    The record of sequence `damaged` is not as it was stored.
    """

    unready = False
    unreadable = False
    damaged = 0

    async def index_hands(self, hands: Sequence[SettledHand]) -> None:
        if self.unready:
            raise OSError("disk full")
        await super().index_hands(hands)

    async def records(
        self, table_id: str, after_sequence: int, limit: int, *, after_record: int = 0
    ) -> list[Record]:
        if self.unreadable:
            raise OSError("disk gone")
        records = await super().records(table_id, after_sequence, limit, after_record=after_record)
        return [
            msgspec.structs.replace(record, body=b"") if record.sequence == self.damaged else record
            for record in records
        ]


def unready(table: SimulatedTable) -> _Unready:
    """What stands between the table's index and the store from now on."""
    store = _Unready(table.runtime.now)
    store.__dict__ = table.store.__dict__
    table.room.hands._store = store
    return store


@simulated()
async def test_hands_wait_for_a_store_that_cannot_write_and_come_in_order(runtime: SimulatedRuntime) -> None:
    table = await restless(runtime)
    store = unready(table)
    store.unready = True
    for _ in range(3):
        await table.check_down()
    await table.sleep(3 * LAG_S)
    assert await listed(table) == []
    assert await table.room.hands.find(table.table_id, 2) is not None
    store.unready = False
    await table.sleep(2 * LAG_S)
    assert await listed(table) == [3, 2, 1]


@simulated()
async def test_no_hand_is_written_before_those_that_the_journal_alone_knows(
    runtime: SimulatedRuntime,
) -> None:
    """The last hand in the index says that all before it are there: else a second crash would lose some."""
    table = await restless(runtime)
    for _ in range(3):
        await table.check_down()
    await runtime.crash()
    table.room = table.new_room()
    store = unready(table)
    store.unreadable = True
    await table.room.recover()
    table.actor = await table.room.table(table.table_id)
    await table.check_down()
    await table.sleep(3 * LAG_S)
    assert kept(table) == []
    store.unreadable = False
    await table.sleep(2 * LAG_S)
    assert await listed(table) == [4, 3, 2, 1]


@simulated()
async def test_a_damaged_record_leaves_no_hole_in_the_index(runtime: SimulatedRuntime) -> None:
    """Sound hands before it are told; none behind it is written before those that it keeps from being read."""
    table = await restless(runtime)
    for _ in range(3):
        await table.check_down()
    second = await table.room.hands.find(table.table_id, 2)
    assert second is not None
    await runtime.crash()
    table.room = table.new_room()
    store = unready(table)
    store.damaged = second.first_sequence + 1
    await table.room.recover()
    table.actor = await table.room.table(table.table_id)
    await table.check_down()
    await table.sleep(3 * LAG_S)
    assert await table.room.hands.find(table.table_id, 1) is not None
    for number in (2, 3, 4):
        with pytest.raises(JournalDamaged):
            await table.room.hands.find(table.table_id, number)
    with pytest.raises(JournalDamaged):
        await listed(table)
    assert [hand.place.hand_number for hand in kept(table)] == [1]
    assert table.room.hands.waiting == 2, "hand 4, and one at least that the journal alone knows"
    store.damaged = 0
    assert await listed(table) == [4, 3, 2, 1]
    await table.check_down()
    await table.sleep(2 * LAG_S)
    assert await listed(table) == [5, 4, 3, 2, 1]
    assert table.room.hands.waiting == 0


@simulated()
async def test_no_hand_of_a_table_taken_over_is_written_before_those_its_last_server_left_out(
    runtime: SimulatedRuntime,
) -> None:
    """Many tables are taken at once: a hand may end at the first before it is known what all of them lack."""
    table = await restless(runtime)
    for _ in range(3):
        await table.check_down()
    await runtime.crash()
    table.room = table.new_room()

    async def later(_: object) -> None: ...

    table.room.hands.__dict__["catch_up"] = later
    table.room.hands.expect([table.table_id])
    await table.room.recover()
    table.actor = await table.room.table(table.table_id)
    await table.check_down()
    await table.sleep(2 * LAG_S)
    assert await listed(table) == [4, 3, 2, 1]
