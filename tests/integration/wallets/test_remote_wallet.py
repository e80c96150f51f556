"""An operator's wallet behind a real server: late, lost and doubled answers, refusals, and no chip astray."""

from __future__ import annotations

import asyncio

import pytest
from tests.fakes.memory_wallet import MemoryWallet
from tests.support.live_table import CURRENCY
from tests.support.server import ServerProcess
from tests.support.vouching import PASS
from tests.support.wallet_player import AMOUNT, FUNDS, Player, must_be_clean, outcome
from tests.support.wallet_proxy import Fault, WalletProxy

from croupier.client import Croupier
from croupier.client.errors import CroupierError
from croupier.v1 import wallet_service_pb2 as pb


async def test_buy_in_rebuy_and_cash_out_move_chips_between_the_operators_wallet_and_the_table(
    client: Croupier, wallet: MemoryWallet
) -> None:
    player = await Player.come(client, wallet)
    await player.buy_in(150)
    await must_be_clean(client, wallet, player)
    assert await player.stack() == 150
    await player.rebuy(50)
    await must_be_clean(client, wallet, player)
    assert await player.stack() == 200
    await player.cash_out()
    await must_be_clean(client, wallet, player)
    assert wallet.held[player.player_id, CURRENCY] == FUNDS


async def test_deposits_and_withdrawals_are_the_operators_business(client: Croupier) -> None:
    for ask in (client.deposit, client.withdraw):
        assert await outcome(ask("anna", CURRENCY, 1)) == "WALLET_EXTERNAL"


async def test_what_the_wallet_does_not_cover_or_declines_is_refused_and_voided(
    client: Croupier, wallet: MemoryWallet
) -> None:
    player = await Player.come(client, wallet)
    wallet.held[player.player_id, CURRENCY] = 50
    assert await outcome(player.buy_in(200)) == "INSUFFICIENT_FUNDS"
    wallet.held[player.player_id, CURRENCY] = FUNDS
    wallet.declines = "daily limit"
    try:
        with pytest.raises(CroupierError, match="WALLET_DECLINED") as refused:
            await player.buy_in(200)
    finally:
        wallet.declines = ""
    assert refused.value.facts["why"] == "daily limit"
    own = [name for name, one in wallet.transfers.items() if one.player_id == player.player_id]
    assert {wallet.states[name] for name in own} == {pb.TRANSFER_STATE_VOIDED}
    await must_be_clean(client, wallet, player)


async def test_a_wallet_that_is_away_is_named_and_waited_for(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, server: ServerProcess
) -> None:
    player = await Player.come(client, wallet)
    proxy.fault = lambda _: Fault.REQUEST_LOST
    async with Croupier(server.target) as impatient:
        with pytest.raises(CroupierError, match="WALLET_UNAVAILABLE"):
            await asyncio.wait_for(impatient.get_balance(player.player_id, CURRENCY), 60)
    buying = asyncio.ensure_future(player.buy_in())
    await asyncio.sleep(1)
    assert not buying.done()
    await proxy.calm()
    assert (await buying).seat.stack == AMOUNT
    await must_be_clean(client, wallet, player)


@pytest.mark.parametrize(
    "fault", [fault for fault in Fault if fault is not Fault.NONE], ids=lambda one: one.name
)
async def test_every_first_call_of_a_kind_goes_wrong_and_nothing_else_does(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, fault: Fault
) -> None:
    player = await Player.come(client, wallet)
    seen: set[str] = set()

    def first(name: str) -> Fault:
        known = name in seen
        seen.add(name)
        return Fault.NONE if known else fault

    proxy.fault = first
    assert (await player.buy_in()).seat.stack == AMOUNT
    await must_be_clean(client, wallet, player)
    seen.clear()
    await player.cash_out()
    await proxy.calm()
    await must_be_clean(client, wallet, player)
    assert wallet.held[player.player_id, CURRENCY] == FUNDS
    assert proxy.counts[fault] >= 3


@pytest.mark.parametrize("killed", [False, True], ids=["let go", "killed"])
async def test_a_hand_starts_once_the_wallet_has_posted_and_not_before(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, server: ServerProcess, killed: bool
) -> None:
    """R-T8: the second player of two is in play then, also where the server that asked was killed meanwhile."""
    player = await Player.come(client, wallet)
    await player.buy_in()
    await must_be_clean(client, wallet, player)
    table, second = player.table, player.table.named("bert")
    wallet.held[second, CURRENCY] = FUNDS
    await client.reserve_seat(table.table_id, second, 2, vouched=PASS)
    proxy.hold("before", "Post")
    assert (await client.buy_in(table.table_id, second, AMOUNT)).seat.stack == AMOUNT
    await proxy.holding.wait()
    assert not (await client.get_table(table.table_id)).HasField("hand")
    if killed:
        server.kill()
        await asyncio.to_thread(server.start)
    else:
        proxy.let_go()
    async with asyncio.timeout(20):
        while not (await client.get_table(table.table_id)).HasField("hand"):
            await asyncio.sleep(0.05)
    await proxy.calm()
    await client.close_table(table.table_id)
