"""While a commit is open, nothing that depends on it leaves the server; when it fails, nothing of it ever has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from typing import Any

import pytest
from tests.support.live_table import LiveTable
from tests.support.server import ServerProcess
from tests.support.vouching import PASS

from croupier.client import Croupier
from croupier.client.errors import CroupierError
from croupier.client.watch import News
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_pb2 import ACTION_KIND_FOLD, ACTION_KIND_RAISE_TO, Decision
from croupier.v1.house_pb2 import BET_STRUCTURE_NO_LIMIT
from croupier.v1.table_pb2 import TABLE_STATE_CLOSED, Table
from croupier.v1.table_service_pb2 import EventBatch

A_WHILE = 0.25
pytestmark = pytest.mark.parametrize(
    "shared_held_server", ["sqlite", "postgres"], indirect=True, scope="module"
)


async def held(server: ServerProcess) -> None:
    await asyncio.to_thread(server.hold.wait)


async def first_news(client: Croupier, table_id: str, after: int | None = None) -> News:
    async for news in client.watch(table_id, resume_after=after):
        return news
    raise AssertionError("the stream ended")


async def refusal(call: Awaitable[Any]) -> str:
    """The reason that a call fails with."""
    with pytest.raises(CroupierError) as raised:
        await call
    return raised.value.reason


class Listening:
    """A watcher that stays, and what it has heard."""

    def __init__(self, client: Croupier, table_id: str) -> None:
        self.events: list[TableEvent] = []
        self._stream: AsyncGenerator[News, None] = client.watch(table_id)
        self._task: asyncio.Task[None]

    async def __aenter__(self) -> Listening:
        await anext(self._stream)
        self._task = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _listen(self) -> None:
        async for news in self._stream:
            assert isinstance(news, EventBatch)
            self.events += news.events

    async def heard(self, count: int) -> list[TableEvent]:
        """So many events, once they are there."""
        async with asyncio.timeout(10):
            while len(self.events) < count:
                await asyncio.sleep(0.005)
        return self.events


async def must_wait(*tasks: asyncio.Task[Any]) -> None:
    """None of them gets an answer for a while."""
    done, _ = await asyncio.wait(tasks, timeout=A_WHILE)
    assert not done


async def test_reads_wait_for_the_commit_they_depend_on(held_server: ServerProcess, client: Croupier) -> None:
    table = await LiveTable.open(client, ("anna", "bert", "cleo"))
    made = await table.decision()
    before = (await client.get_table(table.table_id)).sequence
    async with Listening(client, table.table_id) as listening:
        held_server.hold.shut()
        acting = asyncio.create_task(table.act(made))
        await held(held_server)
        read = asyncio.create_task(client.get_table(table.table_id))
        snapshot = asyncio.create_task(first_news(client, table.table_id))
        missed = asyncio.create_task(first_news(client, table.table_id, before))
        legal = asyncio.create_task(client.get_legal_actions(table.table_id, made.player_id))
        listed = asyncio.create_task(client.list_tables())
        await must_wait(acting, read, snapshot, missed, legal, listed)
        assert not listening.events
        assert (await client.get_server_info()).contract == "croupier.v1"
        held_server.hold.open()
        events = await listening.heard(1)
    acted, stands, shown, batch = await acting, await read, await snapshot, await missed
    assert acted.sequence == before + 1
    assert isinstance(shown, Table)
    assert stands.sequence == shown.sequence == (await legal).sequence == acted.sequence
    assert stands.next_decision.player_id == acted.next_decision.player_id != made.player_id
    assert isinstance(batch, EventBatch)
    assert list(batch.events) == events
    assert events[0].sequence == acted.sequence
    assert {one.table_id: one.sequence for one in (await listed).tables}[table.table_id] == acted.sequence


async def test_refusals_and_repetitions_wait_for_the_commit_they_depend_on(
    held_server: ServerProcess, client: Croupier
) -> None:
    table = await LiveTable.open(client, ("anna", "bert", "cleo"))
    made, request_id = await table.decision(), table.named("act")
    held_server.hold.shut()
    acting = asyncio.create_task(table.act(made, request_id))
    await held(held_server)
    again = asyncio.create_task(table.act(made, request_id))
    other = client.act(table.table_id, made, ACTION_KIND_RAISE_TO, 9, request_id=request_id)
    calls: dict[str, Awaitable[Any]] = {
        "DECISION_STALE": client.act(table.table_id, made, ACTION_KIND_FOLD),
        "REQUEST_ID_REUSED": other,
        "PLAYER_ALREADY_SEATED": client.reserve_seat(table.table_id, made.player_id, 6, vouched=PASS),
        "TABLE_NOT_PAUSED": client.resume_table(table.table_id),
        "SEQUENCE_UNAVAILABLE": first_news(client, table.table_id, 10**6),
    }
    refusals = {reason: asyncio.create_task(refusal(call)) for reason, call in calls.items()}
    await must_wait(acting, again, *refusals.values())
    held_server.hold.open()
    assert (await again).sequence == (await acting).sequence
    assert [await task for task in refusals.values()] == list(calls)


async def test_a_failed_commit_is_unavailable_and_the_same_request_then_succeeds(
    held_server: ServerProcess, client: Croupier
) -> None:
    table = await LiveTable.open(client, ("anna", "bert", "cleo"))
    made = await table.decision()
    stood = await client.get_table(table.table_id, made.player_id)
    async with Listening(client, table.table_id) as listening:
        held_server.hold.shut()
        acting = asyncio.create_task(refusal(table.act(made, table.named("r"))))
        await held(held_server)
        dependent = [
            asyncio.create_task(refusal(call))
            for call in (
                table.act(made, table.named("r")),
                client.act(table.table_id, made, ACTION_KIND_FOLD),
                client.get_table(table.table_id),
                first_news(client, table.table_id),
                client.get_legal_actions(table.table_id, made.player_id),
                client.act(table.table_id, the_next(made, stood), ACTION_KIND_FOLD),
            )
        ]
        await asyncio.sleep(A_WHILE)
        held_server.hold.fail()
        held_server.hold.open()
        assert {await acting, *await asyncio.gather(*dependent)} == {"STORE_UNAVAILABLE"}
        after = await rebuilt(client, table.table_id, made.player_id)
        assert not listening.events
        acted = await table.act(made, table.named("r"))
        again = await table.act(made, table.named("r"))
        events = await listening.heard(1)
    assert after.sequence == stood.sequence
    assert after.hand == stood.hand
    assert after.next_decision.action_sequence == made.action_sequence
    assert (
        after.next_decision.deadline_time.ToNanoseconds() > stood.next_decision.deadline_time.ToNanoseconds()
    )
    assert acted.sequence == again.sequence == stood.sequence + 1
    assert [event.sequence for event in events] == [acted.sequence]


def the_next(decision: Decision, table: Table) -> Decision:
    """The decision that follows, guessed: a caller may be ahead of the disk, and falls with what it built on."""
    seats = [seat.seat_number for seat in table.hand.seats]
    after = seats[(seats.index(decision.seat_number) + 1) % len(seats)]
    player = next(seat.player_id for seat in table.seats if seat.seat_number == after)
    return Decision(hand_id=decision.hand_id, action_sequence=decision.action_sequence + 1, player_id=player)


async def rebuilt(client: Croupier, table_id: str, player_id: str = "") -> Table:
    """The table, once it is back from its journal."""
    async with asyncio.timeout(10):
        while True:
            try:
                return await client.get_table(table_id, player_id)
            except CroupierError as error:
                if error.reason != "STORE_UNAVAILABLE":
                    raise
            await asyncio.sleep(0.01)


async def test_every_kind_of_change_survives_a_commit_that_fails(
    held_server: ServerProcess, client: Croupier
) -> None:
    table = await LiveTable.open(client, ("anna", "bert"))
    other = table.named("cleo")
    hold = held_server.hold

    hold.fail()
    assert (
        await refusal(client.deposit(other, "PoE", 500, request_id=table.named("d"))) == "STORE_UNAVAILABLE"
    )
    assert (await client.get_balance(other, "PoE")).available == 0
    assert (await client.deposit(other, "PoE", 500, request_id=table.named("d"))).available == 500

    hold.fail()
    reserve = client.reserve_seat(table.table_id, other, 5, request_id=table.named("s"), vouched=PASS)
    assert await refusal(reserve) == "STORE_UNAVAILABLE"
    await rebuilt(client, table.table_id)
    assert (
        await client.reserve_seat(table.table_id, other, 5, request_id=table.named("s"), vouched=PASS)
    ).seat.seat_number == 5

    hold.fail()
    assert (
        await refusal(client.buy_in(table.table_id, other, 200, request_id=table.named("b")))
        == "STORE_UNAVAILABLE"
    )
    await rebuilt(client, table.table_id)
    assert (await client.buy_in(table.table_id, other, 200, request_id=table.named("b"))).seat.stack == 200
    assert (await client.get_balance(other, "PoE")).available == 300


async def test_a_table_whose_creation_fails_is_in_no_list(
    held_server: ServerProcess, client: Croupier
) -> None:
    known = {table.table_id for table in (await client.list_tables(page_size=1000)).tables}
    held_server.hold.fail()
    create = client.create_table("puzzle_pirates", BET_STRUCTURE_NO_LIMIT, 2, 6, request_id="created twice")
    assert await refusal(create) == "STORE_UNAVAILABLE"
    assert {table.table_id for table in (await client.list_tables(page_size=1000)).tables} == known
    create = client.create_table("puzzle_pirates", BET_STRUCTURE_NO_LIMIT, 2, 6, request_id="created twice")
    created = (await create).table_id
    assert {table.table_id for table in (await client.list_tables(page_size=1000)).tables} == known | {
        created
    }


async def fail_what_is_held(server: ServerProcess) -> None:
    """The commit that is held fails, and no other."""
    await held(server)
    server.hold.fail()
    server.hold.open()


@pytest.mark.parametrize("passing", range(3), ids=["request", "reservation", "acceptance"])
async def test_a_buy_in_gets_through_commits_that_fail(
    held_server: ServerProcess, client: Croupier, passing: int
) -> None:
    table = await LiveTable.open(client)
    player = table.named("anna")
    await client.deposit(player, "PoE", 500)
    await client.reserve_seat(table.table_id, player, 5, vouched=PASS)
    held_server.hold.shut(after=passing)
    buying = asyncio.create_task(client.buy_in(table.table_id, player, 200, request_id=table.named("b")))
    await fail_what_is_held(held_server)
    if passing == 0:
        assert await refusal(buying) == "STORE_UNAVAILABLE"
        await rebuilt(client, table.table_id)
        buying = asyncio.create_task(client.buy_in(table.table_id, player, 200, request_id=table.named("b")))
    assert (await buying).seat.stack == 200
    balance = await client.get_balance(player, "PoE")
    assert (balance.available, balance.reserved, balance.tables[0].amount) == (300, 0, 200)


@pytest.mark.parametrize("passing", range(3), ids=["leaving", "posting", "confirmation"])
async def test_a_payout_gets_through_commits_that_fail(
    held_server: ServerProcess, client: Croupier, passing: int
) -> None:
    table = await LiveTable.open(client, ("anna",))
    player = table.named("anna")
    held_server.hold.shut(after=passing)
    leaving = asyncio.create_task(client.cash_out(table.table_id, player, request_id=table.named("c")))
    await fail_what_is_held(held_server)
    if passing == 0:
        assert await refusal(leaving) == "STORE_UNAVAILABLE"
        await rebuilt(client, table.table_id)
        leaving = asyncio.create_task(client.cash_out(table.table_id, player, request_id=table.named("c")))
    assert (await leaving).returned == 200
    async with asyncio.timeout(10):
        while (balance := await client.get_balance(player, "PoE")).available < 10_000:
            await asyncio.sleep(0.01)
    assert (balance.available, balance.reserved, len(balance.tables)) == (10_000, 0, 0)
    await rebuilt(client, table.table_id)
    await client.close_table(table.table_id)
    async with asyncio.timeout(10):
        while (await rebuilt(client, table.table_id)).state != TABLE_STATE_CLOSED:
            await asyncio.sleep(0.01)
