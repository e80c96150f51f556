"""Players whose money is in an operator's wallet, and whether each of their chips is in its place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, Final

from tests.fakes.memory_wallet import MemoryWallet
from tests.support.live_table import CURRENCY, LiveTable
from tests.support.vouching import PASS

from croupier.client import Croupier
from croupier.client.errors import CroupierError
from croupier.v1 import wallet_service_pb2 as pb

FUNDS: Final = 10_000
AMOUNT: Final = 200


class Player:
    """A player of one table with FUNDS in the operator's wallet."""

    def __init__(self, client: Croupier, table: LiveTable, name: str = "anna") -> None:
        self.client: Final = client
        self.table: Final = table
        self.player_id: Final = table.named(name)
        self._asked = 0

    @classmethod
    async def come(cls, client: Croupier, wallet: MemoryWallet, name: str = "anna") -> Player:
        """To a table of the player's own, with a seat reserved."""
        player = cls(client, await LiveTable.open(client), name)
        wallet.held[player.player_id, CURRENCY] = FUNDS
        await client.reserve_seat(player.table.table_id, player.player_id, 1, vouched=PASS)
        return player

    def buy_in(self, amount: int = AMOUNT) -> Awaitable[Any]:
        return self.client.buy_in(
            self.table.table_id, self.player_id, amount, request_id=self._request_id("in")
        )

    def rebuy(self, amount: int) -> Awaitable[Any]:
        return self.client.rebuy(
            self.table.table_id, self.player_id, amount, request_id=self._request_id("re")
        )

    def cash_out(self) -> Awaitable[Any]:
        return self.client.cash_out(self.table.table_id, self.player_id, request_id=self._request_id("out"))

    async def stack(self) -> int:
        seats = (await self.client.get_table(self.table.table_id)).seats
        return sum(seat.stack for seat in seats)

    def _request_id(self, name: str) -> str:
        self._asked += 1
        return self.table.named(f"{name}-{self._asked}")


async def outcome(call: Awaitable[Any]) -> Any:
    """The answer, or the reason why there is none."""
    try:
        return await call
    except CroupierError as error:
        return error.reason


async def ledger(client: Croupier, prefix: str = "") -> dict[str, int]:
    held: dict[str, int] = {}
    async for entry in client.list_entries(account_prefix=prefix):
        held[entry.account] = held.get(entry.account, 0) + entry.amount
    return held


def on_its_way(wallet: MemoryWallet, player_id: str) -> list[str]:
    """The player's transfers that the wallet waits for an end of."""
    return [
        name
        for name, state in wallet.states.items()
        if state == pb.TRANSFER_STATE_RESERVED and wallet.transfers[name].player_id == player_id
    ]


async def must_be_clean(client: Croupier, wallet: MemoryWallet, *players: Player) -> None:
    """Nothing is on its way; wallet, ledger and tables agree on where each chip is."""
    async with asyncio.timeout(20):
        while any((await ledger(client, "reserved/")).values()) or any(
            on_its_way(wallet, player.player_id) for player in players
        ):
            await asyncio.sleep(0.05)
    held = await ledger(client)
    assert sum(held.values()) == 0
    for player in players:
        stack, available = await player.stack(), wallet.held[player.player_id, CURRENCY]
        assert available + stack == FUNDS
        assert held.get(f"world/wallet/{player.player_id}", 0) == available - FUNDS
        balance = await client.get_balance(player.player_id, CURRENCY)
        assert (balance.available, balance.reserved) == (available, 0)
        assert sum(one.amount for one in balance.tables) == stack
