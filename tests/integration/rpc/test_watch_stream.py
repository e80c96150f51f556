"""WatchTable: a snapshot, then everything that happens, in order and once; from any sequence on; signs of life."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode
from structlog.typing import EventDict
from tests.support.live import HOUSE, Backend, Watching, choice, must_be_gapless, running
from tests.support.mirror import Mirror, shown

from croupier.client.errors import Refused, error_of
from croupier.v1 import house_pb2
from croupier.v1.event_pb2 import TableEvent

PLAYERS = ("anna", "bert", "cleo")
VIEWERS = ("", *PLAYERS)


async def busy(backend: Backend, table_id: str, random: Random, *, hands: int) -> None:
    """Hands with all that comes between them: rebuys, sitting out and in, leaving, joining, a pause."""
    steps: tuple[Callable[[], Awaitable[object]], ...] = (
        partial(backend.rebuy, table_id, "bert", 10),
        partial(backend.sit_out, table_id, "cleo"),
        partial(backend.sit, table_id, "dora", 5),
        partial(backend.sit_in, table_id, "cleo"),
        partial(backend.pause_table, table_id),
        partial(backend.resume_table, table_id),
        partial(backend.cash_out, table_id, "anna"),
        partial(backend.dismiss, table_id, "bert"),
    )
    for number, step in enumerate(steps, start=1):
        await backend.play(table_id, random, until_hand=number * hands)
        with suppress(Refused):
            await step()
    await backend.play(table_id, random, until_hand=(len(steps) + 1) * hands)


async def test_a_watch_is_a_snapshot_and_then_every_event_once(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watching = {viewer: backend.watching(table_id, viewer) for viewer in VIEWERS}
    await busy(backend, table_id, Random(1), hands=4)
    last = (await backend.get_table(table_id)).sequence
    for viewer, watch in watching.items():
        await watch.reach(last)
        snapshot = watch.messages[0].snapshot
        assert snapshot.table_id == table_id
        assert [message.WhichOneof("news") for message in watch.messages[:2]] == ["snapshot", "events"]
        must_be_gapless(watch.events, snapshot.sequence)
        for message in watch.messages[1:]:
            if message.HasField("annotation"):
                continue
            assert message.events.events, "a batch of no events"
        assert [event.sequence for event in watch.events] == [e.sequence for e in watching[""].events], viewer


async def test_events_of_one_sequence_come_together(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watch = backend.watching(table_id)
    await backend.play(table_id, Random(2), until_hand=10)
    await watch.reach((await backend.get_table(table_id)).sequence)
    batches = [{event.sequence for event in message.events.events} for message in watch.messages]
    assert sum(map(len, batches)) == len(set().union(*batches))


@pytest.mark.parametrize("viewer", ["", "bert"])
async def test_events_keep_a_snapshot_current(backend: Backend, viewer: str) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watch = backend.watching(table_id, viewer)
    await watch.until(lambda watch: bool(watch.messages))
    mirror, random, applied = Mirror(watch.messages[0].snapshot), Random(3), 0
    for step in range(60):
        if step == 20:
            await busy(backend, table_id, random, hands=2)
        elif (decision := await backend.decision(table_id)).player_id:
            await backend.act(table_id, decision, *choice(decision, random))
        table = await backend.get_table(table_id, viewer)
        await watch.reach(table.sequence)
        for event in watch.events[applied:]:
            mirror.apply(event)
        applied = len(watch.events)
        assert mirror.told() == shown(table)
        in_pots = sum(pot.amount for pot in table.hand.pots)
        assert in_pots == sum(seat.contribution - seat.street_bet for seat in table.hand.seats)


async def test_a_message_says_who_must_act_after_it(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watching = {viewer: backend.watching(table_id, viewer) for viewer in ("", "anna")}
    decision = await backend.decision(table_id)
    for _ in range(20):
        for viewer, watch in watching.items():
            await watch.reach((await backend.get_table(table_id)).sequence)
            last = watch.messages[-1]
            told = last.events.next_decision if last.HasField("events") else last.snapshot.next_decision
            assert told.HasField("legal_actions") == (viewer == decision.player_id)
            assert not viewer or viewer != decision.player_id or told.legal_actions == decision.legal_actions
            told.ClearField("legal_actions")
            said = (decision.hand_id, decision.seat_number, decision.player_id, decision.action_sequence)
            assert (told.hand_id, told.seat_number, told.player_id, told.action_sequence) == said
            assert told.deadline_time == decision.deadline_time
            assert 0 <= told.time_remaining.seconds <= 20
        decision = await backend.check_or_call(table_id, decision)


async def resumed(backend: Backend, table_id: str, viewer: str, after: int, last: int) -> list[TableEvent]:
    """What a stream resumed after a sequence brings, up to another."""
    watch = backend.watching(table_id, viewer, resume_after_sequence=after)
    if after < last:
        await watch.reach(last)
    await watch.cancel()
    assert not any(message.HasField("snapshot") for message in watch.messages)
    return [event for event in watch.events if event.sequence <= last]


def bytes_of(events: list[TableEvent]) -> list[bytes]:
    return [event.SerializeToString(deterministic=True) for event in events]


async def test_a_watch_resumed_anywhere_brings_what_the_live_one_brought(
    tmp_path: Path,
    logged: list[EventDict],  # noqa: ARG001
) -> None:
    live: dict[str, list[TableEvent]] = {}
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table = await backend.create_table(HOUSE, house_pb2.BET_STRUCTURE_NO_LIMIT, 2, 6)
        table_id = table.table_id
        streams = {
            viewer: backend.watching(table_id, viewer, resume_after_sequence=0) for viewer in ("", *PLAYERS)
        }
        await backend.pause_table(table_id)
        for seat, player in enumerate(PLAYERS, start=1):
            await backend.sit(table_id, player, seat)
        await backend.resume_table(table_id)
        await streams[""].until(lambda watch: bool(watch.of("hand_started")))
        await backend.play(table_id, Random(4), until_hand=2)
        last = (await backend.get_table(table_id)).sequence
        for viewer, watch in streams.items():
            await watch.reach(last)
            live[viewer] = [event for event in watch.events if event.sequence <= last]
        await must_resume_alike(backend, table_id, live, last)
        await backend.pause_table(table_id)
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        await must_resume_alike(backend, table_id, live, last)


async def must_resume_alike(
    backend: Backend, table_id: str, live: dict[str, list[TableEvent]], last: int
) -> None:
    for viewer, events in live.items():
        must_be_gapless(events, 0)
        assert events[0].WhichOneof("event") == "table_created"
        for after in range(0, last + 1, 1 if not viewer else 7):
            again = await resumed(backend, table_id, viewer, after, last)
            expected = [event for event in events if event.sequence > after]
            assert bytes_of(again) == bytes_of(expected), (viewer, after)


async def test_a_watch_resumed_while_hands_are_played_joins_without_a_gap(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    await backend.play(table_id, Random(5), until_hand=20)
    playing = asyncio.create_task(backend.play(table_id, Random(6), until_hand=40))
    watching: list[tuple[int, Watching]] = []
    while not playing.done():
        await asyncio.sleep(0.01)
        if len(watching) < 30:
            after = len(watching) * 3
            watching.append((after, backend.watching(table_id, resume_after_sequence=after)))
    last = (await backend.get_table(table_id)).sequence
    for after, watch in watching:
        await watch.reach(last)
        must_be_gapless(watch.events, after)


async def test_a_watch_resumed_where_the_table_stands_tells_the_decision(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    table = await backend.get_table(table_id, "anna")
    for after in (table.sequence, table.sequence - 1):
        watch = backend.watching(table_id, "anna", resume_after_sequence=after)
        await watch.until(lambda watch: bool(watch.messages))
        batch = watch.messages[0].events
        assert {event.sequence for event in batch.events} == ({table.sequence} - {after})
        assert batch.next_decision.player_id == table.next_decision.player_id
        assert batch.next_decision.legal_actions == table.next_decision.legal_actions


@pytest.mark.parametrize("after", [10**6, 2**63 - 1, -1, -(2**63)])
async def test_a_watch_cannot_be_resumed_where_there_is_nothing(backend: Backend, after: int) -> None:
    table_id = await backend.open_table()
    watch = backend.watching(table_id, resume_after_sequence=after)
    assert await watch.finished() is StatusCode.OUT_OF_RANGE
    assert watch.failure is not None
    told = error_of(watch.failure)
    assert (told.reason, told.facts) == (
        "SEQUENCE_UNAVAILABLE",
        {"oldest_sequence": "0", "newest_sequence": "1", "field": "resume_after_sequence"},
    )


async def test_a_silent_stream_gives_signs_of_life(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS[:1])
    watch = backend.watching(table_id, heartbeat_interval=Duration(seconds=1))
    await watch.until(lambda watch: len(watch.messages) == 3)
    sequence = watch.messages[0].snapshot.sequence
    assert [message.heartbeat.sequence for message in watch.messages[1:]] == [sequence, sequence]
    await backend.pause_table(table_id)
    await watch.until(lambda watch: len(watch.messages) == 5)
    assert watch.messages[-1].heartbeat.sequence == sequence + 1
