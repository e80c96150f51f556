"""A server that is started with a clock set back goes on from the time of the run before."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

import pytest
from tests.support.live import CURRENCY, PATIENCE, Backend, number_of, running

HOUR_S = 3600


async def test_hands_are_listed_latest_first_over_clocks_set_back_and_forth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_ns, table_id, played = time.time_ns, "", 0
    for offset_s in (HOUR_S, 0, -24 * HOUR_S, 2 * HOUR_S):
        monkeypatch.setattr(time, "time_ns", lambda offset_s=offset_s: true_ns() + offset_s * 10**9)
        async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
            table_id = table_id or await backend.open_table("anna", "bert", "cleo")
            decision = await backend.dealt(table_id)
            assert abs(decision.time_remaining.seconds - 15) <= 15
            played = (
                number_of(await backend.play(table_id, Random(7), until_hand=number_of(decision) + 2)) - 1
            )
            listed: list[int] = []
            async with asyncio.timeout(PATIENCE):
                while len(listed) < played:
                    hands = [hand async for hand in backend.list_hands(table_id=table_id)]
                    listed = [int(hand.hand_id.rpartition("/")[2]) for hand in hands]
            assert listed == list(range(played, 0, -1))
            await backend.deposit("anna", CURRENCY, 1)
    assert played >= 8
