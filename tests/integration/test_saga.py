"""Money between wallets and tables on a live server: never short, never twice, and no kill leaves it half way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Any, Final

import pytest
from tests.support.holding import Point
from tests.support.live_table import CURRENCY, PATIENT, LiveTable
from tests.support.server import ServerProcess
from tests.support.vouching import PASS

from croupier.client import Croupier
from croupier.client.errors import CroupierError
from croupier.v1.seat_service_pb2 import BuyInResponse
from croupier.v1.table_pb2 import TABLE_STATE_CLOSED

TABLES: Final = 100
COVERED: Final = 3
AMOUNT: Final = 200
FUNDS: Final = 10_000
STACK: Final = 100

MOMENTS: Final[list[tuple[Point, int]]] = [
    ("open", 0),
    ("told", 0),
    ("open", 1),
    ("told", 1),
    ("open", 2),
    ("told", 3),
]
"""Where a kill falls: commits that are let through, and the point at which the next one is held."""
moments = pytest.mark.parametrize(("point", "passing"), MOMENTS, ids=str)
few_moments = pytest.mark.parametrize(("point", "passing"), MOMENTS[2:5], ids=str)


@pytest.fixture
async def client(held_server: ServerProcess) -> AsyncIterator[Croupier]:
    """A client that repeats what a restart leaves unanswered."""
    async with Croupier(held_server.target, retry=PATIENT) as client:
        yield client


async def outcome(call: Awaitable[Any]) -> Any:
    """The answer, or the reason why there is none."""
    try:
        return await call
    except CroupierError as error:
        return error.reason


async def kill_and_restart(server: ServerProcess, seconds: float = 3.0) -> None:
    """Kill the server once a commit is held, or nothing more comes to be held."""
    deadline = time.monotonic() + seconds
    while not server.hold.held() and time.monotonic() < deadline:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    server.kill()
    server.hold.open()
    await asyncio.to_thread(server.start)


async def settled(client: Croupier) -> None:
    """Wait until nothing is on its way; then every account adds up, and none is short."""
    async with asyncio.timeout(10):
        while any((await accounts(client, "reserved/")).values()):
            await asyncio.sleep(0.02)
    held = await accounts(client)
    assert sum(held.values()) == 0
    assert not [name for name, chips in held.items() if chips < 0 and not name.startswith("world/")]


async def accounts(client: Croupier, prefix: str = "") -> dict[str, int]:
    held: dict[str, int] = {}
    async for entry in client.list_entries(account_prefix=prefix):
        held[entry.account] = held.get(entry.account, 0) + entry.amount
    return held


async def reserved_everywhere(client: Croupier) -> tuple[str, list[LiveTable]]:
    """A player with chips for COVERED buy-ins, and a seat reserved at each of TABLES tables."""
    tables = await asyncio.gather(*(LiveTable.open(client) for _ in range(TABLES)))
    player = tables[0].named("anna")
    await client.deposit(player, CURRENCY, COVERED * AMOUNT)
    await asyncio.gather(*(client.reserve_seat(table.table_id, player, 1, vouched=PASS) for table in tables))
    return player, list(tables)


def buy_ins(client: Croupier, player: str, tables: Sequence[LiveTable]) -> list[asyncio.Task[Any]]:
    """A buy-in at every table at once; the same requests each time."""
    return [
        asyncio.create_task(
            outcome(client.buy_in(table.table_id, player, AMOUNT, request_id=table.named("buy in")))
        )
        for table in tables
    ]


async def check_covered(client: Croupier, player: str, outcomes: Sequence[Any]) -> None:
    """As many buy-ins succeeded as the wallet covered; ledger and tables say so too."""
    answers = [one for one in outcomes if isinstance(one, BuyInResponse)]
    assert len(answers) == COVERED
    assert [one for one in outcomes if not isinstance(one, BuyInResponse)] == ["INSUFFICIENT_FUNDS"] * (
        TABLES - COVERED
    )
    balance = await client.get_balance(player, CURRENCY)
    assert (balance.available, balance.reserved) == (0, 0)
    assert [one.amount for one in balance.tables] == [AMOUNT] * COVERED
    for one in balance.tables:
        (seat,) = (await client.get_table(one.table_id)).seats
        assert (seat.player_id, seat.stack) == (player, AMOUNT)


async def test_of_a_hundred_buy_ins_at_once_three_that_are_covered_succeed(client: Croupier) -> None:
    player, tables = await reserved_everywhere(client)
    outcomes = await asyncio.gather(*buy_ins(client, player, tables))
    await check_covered(client, player, outcomes)
    assert await asyncio.gather(*buy_ins(client, player, tables)) == outcomes
    await check_covered(client, player, outcomes)
    await settled(client)


@moments
async def test_a_hundred_buy_ins_with_a_kill_among_them_end_as_if_there_were_none(
    held_server: ServerProcess, client: Croupier, point: Point, passing: int
) -> None:
    player, tables = await reserved_everywhere(client)
    held_server.hold.shut(point, after=passing)
    asking = buy_ins(client, player, tables)
    await kill_and_restart(held_server)
    outcomes = await asyncio.gather(*asking)
    await check_covered(client, player, outcomes)
    assert await asyncio.gather(*buy_ins(client, player, tables)) == outcomes
    await settled(client)


async def test_a_hundred_buy_ins_cut_short_and_never_repeated_leave_nothing_on_its_way(
    held_server: ServerProcess, client: Croupier
) -> None:
    player, tables = await reserved_everywhere(client)
    held_server.hold.shut(after=2)
    asking = buy_ins(client, player, tables)
    await asyncio.to_thread(held_server.hold.wait)
    for task in asking:
        task.cancel()
    await kill_and_restart(held_server)
    await settled(client)
    balance = await client.get_balance(player, CURRENCY)
    assert balance.available + AMOUNT * len(balance.tables) == COVERED * AMOUNT


async def test_deposits_at_once_each_tell_what_they_led_to(client: Croupier) -> None:
    player = (await LiveTable.open(client)).named("anna")
    balances = await asyncio.gather(*(client.deposit(player, CURRENCY, 1) for _ in range(50)))
    assert sorted(balance.available for balance in balances) == list(range(1, 51))
    balances = await asyncio.gather(*(client.withdraw(player, CURRENCY, 1) for _ in range(50)))
    assert sorted(balance.available for balance in balances) == list(range(50))


async def held_in_its_reservation(server: ServerProcess, call: Awaitable[Any]) -> asyncio.Task[Any]:
    """A buy-in or rebuy whose chips are about to be reserved."""
    server.hold.shut(after=1)
    task = asyncio.create_task(outcome(call))
    await asyncio.to_thread(server.hold.wait)
    return task


async def test_a_buy_in_that_comes_too_late_for_a_closing_table_is_refunded(
    held_server: ServerProcess, client: Croupier
) -> None:
    table = await LiveTable.open(client)
    player = table.named("anna")
    await client.deposit(player, CURRENCY, FUNDS)
    await client.reserve_seat(table.table_id, player, 1, vouched=PASS)
    buying = await held_in_its_reservation(held_server, client.buy_in(table.table_id, player, AMOUNT))
    closing = asyncio.create_task(client.close_table(table.table_id))
    await asyncio.sleep(0.1)
    held_server.hold.open()
    assert await buying == "TABLE_CLOSING"
    await closing
    await closed_and_refunded(client, table, player)


async def closed_and_refunded(client: Croupier, table: LiveTable, player: str) -> None:
    """The table is empty, and the player has every chip in the wallet."""
    await settled(client)
    assert not (await client.get_table(table.table_id)).seats
    balance = await client.get_balance(player, CURRENCY)
    assert (balance.available, balance.reserved, len(balance.tables)) == (FUNDS, 0, 0)
    await outcome(client.close_table(table.table_id))
    assert (await client.get_table(table.table_id)).state == TABLE_STATE_CLOSED


async def left_while_a_rebuy_is_reserved(
    server: ServerProcess, client: Croupier
) -> tuple[LiveTable, asyncio.Task[Any], asyncio.Task[Any]]:
    """A player who asks for a rebuy, then leaves; the reservation's commit is held."""
    table = await LiveTable.open(client, ("anna",), STACK)
    player = table.named("anna")
    rebuy = client.rebuy(table.table_id, player, STACK, request_id=table.named("rebuy"))
    rebuying = await held_in_its_reservation(server, rebuy)
    leave = client.cash_out(table.table_id, player, request_id=table.named("leave"))
    leaving = asyncio.create_task(outcome(leave))
    await asyncio.sleep(0.1)
    return table, rebuying, leaving


async def test_a_rebuy_whose_seat_is_gone_is_refunded(held_server: ServerProcess, client: Croupier) -> None:
    table, rebuying, leaving = await left_while_a_rebuy_is_reserved(held_server, client)
    held_server.hold.open()
    assert await rebuying == "PLAYER_NOT_SEATED"
    assert (await leaving).returned == STACK
    await closed_and_refunded(client, table, table.named("anna"))


@moments
async def test_a_rebuy_whose_seat_is_gone_is_refunded_whenever_the_server_is_killed(
    held_server: ServerProcess, client: Croupier, point: Point, passing: int
) -> None:
    table, rebuying, leaving = await left_while_a_rebuy_is_reserved(held_server, client)
    held_server.hold.open()
    held_server.hold.shut(point, after=passing)
    await kill_and_restart(held_server)
    first = await rebuying
    assert (await leaving).returned in (STACK, 2 * STACK)
    assert first == "PLAYER_NOT_SEATED" or first.seat.stack == 2 * STACK
    await closed_and_refunded(client, table, table.named("anna"))


@pytest.mark.parametrize("kind", ["buy_in", "rebuy"])
async def test_a_transfer_that_recovery_found_and_its_request_made_again_are_one(
    held_server: ServerProcess, client: Croupier, kind: str
) -> None:
    """The request comes again while what recovery has made of it waits for the disk."""
    table = await LiveTable.open(client, ("anna",) if kind == "rebuy" else (), STACK)
    player, request_id = table.named("anna"), table.named(kind)
    if kind == "buy_in":
        await client.deposit(player, CURRENCY, FUNDS)
        await client.reserve_seat(table.table_id, player, 1, vouched=PASS)
    ask = getattr(client, kind)
    first = await held_in_its_reservation(
        held_server, ask(table.table_id, player, STACK, request_id=request_id)
    )
    first.cancel()
    held_server.kill()
    held_server.hold.shut(after=1)
    await asyncio.to_thread(held_server.start)
    await asyncio.to_thread(held_server.hold.wait)
    again = asyncio.create_task(outcome(ask(table.table_id, player, STACK, request_id=request_id)))
    other = asyncio.create_task(outcome(ask(table.table_id, player, STACK + 1, request_id=request_id)))
    assert not (await asyncio.wait([again], timeout=0.2))[0]
    held_server.hold.open()
    stack = 2 * STACK if kind == "rebuy" else STACK
    assert (await again).seat.stack == stack
    assert await other == "REQUEST_ID_REUSED"
    assert (await client.get_table(table.table_id)).seats[0].stack == stack
    await settled(client)
    balance = await client.get_balance(player, CURRENCY)
    assert (balance.available, balance.tables[0].amount) == (FUNDS - stack, stack)


@few_moments
async def test_a_payout_arrives_once_whenever_the_server_is_killed(
    held_server: ServerProcess, client: Croupier, point: Point, passing: int
) -> None:
    table = await LiveTable.open(client, ("anna",), AMOUNT)
    player = table.named("anna")
    held_server.hold.shut(point, after=passing)
    leaving = asyncio.create_task(client.cash_out(table.table_id, player, request_id=table.named("leave")))
    await kill_and_restart(held_server, seconds=0.5)
    assert (await leaving).returned == AMOUNT
    await closed_and_refunded(client, table, player)
