"""When the queue before a store begins a batch."""

from __future__ import annotations

import asyncio
from typing import Any

from croupier.adapters.units import queue as units
from croupier.adapters.units.queue import Batch, Errand, UnitQueue
from croupier.room.ports import DURABLE, Outcome, Unit


class _Queue(UnitQueue):
    """Has a batch on disk at once; remembers what was written together."""

    def __init__(self) -> None:
        super().__init__(None)
        self.sizes: list[int] = []

    def _write(self, batch: Batch) -> None:
        self.sizes.append(len(batch.units))
        batch.outcomes = [DURABLE] * len(batch.units)
        self._loop.call_soon(self._ended, batch)

    def _do(self, errand: Errand) -> None:
        raise NotImplementedError


async def _call(queue: _Queue, times: int) -> None:
    """One caller, who waits for each answer."""
    for _ in range(times):
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        queue.submit(Unit(), answer.set_result)
        await answer


async def _seconds(queue: _Queue, callers: int, times: int) -> float:
    loop = asyncio.get_running_loop()
    began = loop.time()
    await asyncio.gather(*[_call(queue, times) for _ in range(callers)])
    return loop.time() - began


def _run(callers: int, times: int, monkeypatch: Any) -> tuple[list[int], float]:
    """Sizes of the batches and how long all took, where the queue's own pause is two seconds."""
    monkeypatch.setattr(units, "PACE_S", 2.0)

    async def run() -> tuple[list[int], float]:
        queue = _Queue()
        seconds = await _seconds(queue, callers, times)
        return queue.sizes, seconds

    return asyncio.run(run())


def test_a_lone_caller_waits_for_nobody(monkeypatch: Any) -> None:
    sizes, seconds = _run(1, 20, monkeypatch)
    assert sizes == [1] * 20
    assert seconds < 2


def test_a_few_callers_share_each_commit_and_wait_for_no_more(monkeypatch: Any) -> None:
    sizes, seconds = _run(3, 20, monkeypatch)
    assert sizes == [3] * 20
    assert seconds < 2


def test_many_callers_need_not_all_wait(monkeypatch: Any) -> None:
    sizes, seconds = _run(units.ENOUGH_UNITS + 4, 20, monkeypatch)
    assert sum(sizes) == 20 * (units.ENOUGH_UNITS + 4)
    assert seconds < 2


def test_who_is_left_alone_waits_a_few_times_at_most(monkeypatch: Any) -> None:
    """Each batch smaller than those of late lowers what is waited for by one."""
    monkeypatch.setattr(units, "PACE_S", 0.3)

    async def run() -> tuple[float, float]:
        queue = _Queue()
        await _seconds(queue, 4, 2)
        return await _seconds(queue, 1, 3), await _seconds(queue, 1, 20)

    learning, learnt = asyncio.run(run())
    assert 0.3 <= learning < 2
    assert learnt < 0.3
