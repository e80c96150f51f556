"""A table that another server plays is watched here as it is there, card by card and byte by byte."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.support.followed import TABLES, Servers, play_on, seated, viewers

AUDITOR = X25519PrivateKey.generate().public_key().public_bytes_raw().hex()
SEALS: dict[str, dict[str, Any]] = {
    "keep": {},
    "destroy": {"hand_keys": "destroy"},
    "escrow": {"hand_keys": "escrow", "auditor_key": AUDITOR},
}


@pytest.mark.parametrize("seal", SEALS)
@pytest.mark.parametrize("game", TABLES)
def test_a_follower_shows_what_its_owner_does_at_every_sequence(game: str, seal: str) -> None:
    """Snapshots, deadlines included, for every viewer; and every stream."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, game, 4, **SEALS[seal])
        servers = Servers(table)
        beside = servers.beside("beside")
        for _ in range(5):
            await play_on(table, Random(0))
        follower = await beside.follower(table.table_id)
        await runtime.idle()
        pairs = [
            [server.watch(table.table_id, viewer) for server in (servers.owner, beside)]
            for viewer in viewers(table.actor)
        ]
        await runtime.idle()
        random, hands = Random(game + seal), set()
        for _ in range(150):
            await play_on(table, random)
            hands.add(table.actor.table.carried.hand_number)
            for viewer in viewers(table.actor):
                assert follower.view(viewer) == table.actor.view(viewer)
        assert len(hands) > 5
        for there, here in pairs:
            assert len(there.events()) > 150
            assert there.but_heartbeats() == here.but_heartbeats()

    simulated(7)(scenario)()
