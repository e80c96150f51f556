"""Many watchers of one table: an event is put into words once for each distinct view, not once for each watcher."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any, Final

import pytest
from tests.support.live import PATIENCE, Backend

from croupier.adapters.rpc.event_messages import Telling
from croupier.app import App
from croupier.room.principal import LOCAL
from croupier.room.subscriptions import Publication
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse

VIEWS: Final = (("", ""), ("", "de"), ("anna", ""), ("bert", ""))
"""Viewer and language."""
WATCHERS: Final = 1000
HANDS: Final = 5


async def test_an_event_is_serialized_once_for_each_distinct_view(
    app: App, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's own view differs in the record that deals the player cards, and nowhere else."""
    told: Counter[tuple[int, str, Any]] = Counter()
    events = Telling.events

    def counted(telling: Telling, publication: Publication, viewer: str) -> Any:
        told[publication.record, viewer, telling.words._language] += 1
        return events(telling, publication, viewer)

    table_id = await backend.open_table("anna", "bert", "carl")
    await backend.dealt(table_id)
    heard: list[list[bytes]] = [[] for _ in range(WATCHERS)]
    watching = []
    for number, kept in enumerate(heard):
        viewer, language = VIEWS[number % len(VIEWS)]
        request = WatchTableRequest(table_id=table_id, player_id=viewer, language=language)
        watching.append(asyncio.create_task(app._play._watch.watch(LOCAL, request, _keep(kept))))
    async with asyncio.timeout(PATIENCE):
        while not all(heard):
            await asyncio.sleep(0.01)
    monkeypatch.setattr(Telling, "events", counted)
    for number in range(2, HANDS + 1):
        await backend.dealt(table_id)
        await backend.play(table_id, Random(number), until_hand=number)
    last = (await backend.get_table(table_id)).sequence
    async with asyncio.timeout(PATIENCE):
        while min(_sequence(kept) for kept in heard) < last:
            await asyncio.sleep(0.01)
    for task in watching:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    assert len(told) > 4 * HANDS
    assert set(told.values()) == {1}
    assert {viewer for _, viewer, _ in told} == {"", "anna", "bert"}
    own = {record for record, viewer, _ in told if viewer}
    dealt = [event for event in _told(heard[0]) if event.HasField("hand_started")]
    assert len(own) == len(dealt) >= HANDS - 2, "hands dealt while they watched"
    for number in range(len(VIEWS)):
        assert len({_events(kept) for kept in heard[number :: len(VIEWS)]}) == 1, VIEWS[number]


def _keep(kept: list[bytes]) -> Any:
    async def write(message: bytes) -> None:
        kept.append(message)

    return write


def _sequence(kept: list[bytes]) -> int:
    message = WatchTableResponse.FromString(kept[-1])
    return message.events.events[-1].sequence if message.events.events else message.snapshot.sequence


def _events(kept: list[bytes]) -> bytes:
    """All events that a watcher has heard of, however they were put together."""
    return b"".join(event.SerializeToString() for event in _told(kept))


def _told(kept: list[bytes]) -> list[TableEvent]:
    messages = (WatchTableResponse.FromString(one) for one in kept)
    return [event for one in messages for event in one.events.events]
