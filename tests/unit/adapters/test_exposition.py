"""The text of /metrics: as the library writes it, in slices, one at a time."""

from __future__ import annotations

import asyncio

from prometheus_client import Counter, Gauge, generate_latest

from croupier.adapters.metrics import Metrics
from croupier.adapters.metrics.exposition import SLICE, Exposition

FAMILIES = 5


def crowded() -> Metrics:
    """With families of more samples than a slice has."""
    metrics = Metrics()
    for number in range(FAMILIES):
        many = Gauge(f"many_{number}", "Many.", ["one"], registry=metrics.registry)
        for one in range(2 * SLICE + 1):
            many.labels(f"{one}").set(one)
    Counter("with_created", "A counter of the library's.", registry=metrics.registry).inc()
    metrics.rpc("Act", "OK", 0.003)
    return metrics


def without_process(text: bytes) -> list[bytes]:
    return [line for line in text.splitlines() if not line.startswith(b"process_")]


async def test_it_is_what_the_library_writes() -> None:
    registry = crowded().registry
    assert without_process(await Exposition(registry).text()) == without_process(generate_latest(registry))


def test_the_event_loop_goes_on_between_slices() -> None:
    registry = crowded().registry
    assert sum(1 for _ in Exposition(registry).text().__await__()) >= 2 * FAMILIES


async def test_whoever_asks_while_one_is_made_shares_the_next() -> None:
    counter = Counter("looks", "Looks.", registry=(registry := crowded().registry))
    exposition = Exposition(registry)

    async def look() -> None:
        counter.inc()
        await asyncio.sleep(0)

    exposition.look = look
    first = asyncio.create_task(exposition.text())
    await asyncio.sleep(0)
    others = await asyncio.gather(exposition.text(), exposition.text(), exposition.text())
    assert b"looks_total 1.0" in await first
    assert [b"looks_total 2.0" in text for text in others] == [True] * 3


async def test_one_that_fails_is_made_anew() -> None:
    exposition = Exposition(crowded().registry)

    async def fail() -> None:
        await asyncio.sleep(0)
        raise OSError("on purpose")

    exposition.look = fail
    first = asyncio.create_task(exposition.text())
    await asyncio.sleep(0)
    second = asyncio.create_task(exposition.text())
    exposition.look = None
    assert isinstance((await asyncio.gather(first, return_exceptions=True))[0], OSError)
    assert b"croupier_actions_total" in await second
