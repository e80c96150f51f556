"""One request made at two servers at once is carried out once, and both are answered alike, or told to ask again."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from tests.support.live import CURRENCY, GOING_DOWN, HOUSE, Backend

from croupier.client import CroupierError
from croupier.v1 import house_pb2
from croupier.v1.operator_service_pb2 import BLOCK_KIND_OPERATOR

pytestmark = pytest.mark.timeout(180)
PAIRS = 500
AT_ONCE = 10
PLAYERS = 12

Make = Callable[[Backend, str], Awaitable[Any]]


class Asked:
    """What pairs ask for, and what must have come of it."""

    def __init__(self, random: Random, run: str) -> None:
        self._random = random
        self._run = run
        self.chips: dict[str, int] = {}
        self.names: set[str] = set()
        self.blocks: set[str] = set()

    def next(self, number: int, tables: list[str]) -> Make:
        """A request that may be made anywhere, and how."""
        kind = self._random.choice(("deposit", "deposit", "adjust", "create", "block", "pause"))
        player_id = f"{self._run}-{self._random.randrange(PLAYERS)}"
        if kind == "deposit":
            self.chips[player_id] = self.chips.get(player_id, 0) + number
            return lambda at, request_id: at.deposit(player_id, CURRENCY, number, request_id=request_id)
        if kind == "adjust":
            self.chips[player_id] = self.chips.get(player_id, 0) + 1
            return lambda at, request_id: at.adjust_balance(
                player_id, CURRENCY, 1, "put right", request_id=request_id
            )
        if kind == "create":
            name = f"{self._run} {number}"
            self.names.add(name)
            return lambda at, request_id: at.create_table(
                HOUSE, house_pb2.BET_STRUCTURE_NO_LIMIT, 2, 6, name=name, request_id=request_id
            )
        if kind == "block":
            self.blocks.add(f"{self._run}-{number}")
            return lambda at, request_id: at.block_player(
                f"{self._run}-{number}", BLOCK_KIND_OPERATOR, "seen", request_id=request_id
            )
        table_id = tables.pop()
        return lambda at, request_id: at.pause_table(table_id, request_id=request_id)


async def answered(make: Make, at: Backend, request_id: str) -> tuple[Any, int]:
    """The answer, and how often it was asked for; only what may be asked for again is not answered at once."""
    for asked in range(1, 50):
        try:
            answer = await make(at, request_id)
        except CroupierError as failure:
            if failure.code not in GOING_DOWN:
                raise
            await asyncio.sleep(0.05)
        else:
            return answer, asked
    raise AssertionError("never answered")


async def test_five_hundred_requests_at_two_servers_at_once(backends: list[Backend]) -> None:
    random, run = Random(20), secrets.token_hex(3)
    asked = Asked(random, run)
    tables = [await backends[number % 3].open_table() for number in range(PAIRS // 4)]
    again = 0

    async def pair(number: int) -> None:
        nonlocal again
        one, other = random.sample(backends, 2)
        make, request_id = asked.next(number, tables), f"{run}-{number}"
        first, second = await asyncio.gather(
            answered(make, one, request_id), answered(make, other, request_id)
        )
        assert first[0] == second[0], number
        again += first[1] + second[1] - 2

    for begin in range(1, PAIRS + 1, AT_ONCE):
        await asyncio.gather(*map(pair, range(begin, begin + AT_ONCE)))
    for backend in backends:
        for player_id, chips in asked.chips.items():
            assert (await backend.get_balance(player_id, CURRENCY)).available == chips
        listed = (await backend.list_tables(page_size=1000)).tables
        assert sorted(one.options.name for one in listed if one.options.name) == sorted(asked.names)
    logged = [one.player_id async for one in backends[0].list_operations() if one.method == "BlockPlayer"]
    assert sorted(logged) == sorted(asked.blocks)
    print(f"{again} of {2 * PAIRS} were asked for again")


async def test_a_wallet_emptied_by_a_request_is_not_too_empty_for_its_repetition(
    backends: list[Backend],
) -> None:
    random, run = Random(21), secrets.token_hex(3)

    async def pair(number: int) -> None:
        player_id = f"{run}-{number}"
        await backends[0].deposit(player_id, CURRENCY, 100)

        def make(at: Backend, request_id: str) -> Awaitable[Any]:
            return at.withdraw(player_id, CURRENCY, 100, request_id=request_id)

        one, other = random.sample(backends, 2)
        first, second = await asyncio.gather(answered(make, one, player_id), answered(make, other, player_id))
        assert first[0] == second[0]
        assert first[0].available == 0

    await asyncio.gather(*map(pair, range(30)))
